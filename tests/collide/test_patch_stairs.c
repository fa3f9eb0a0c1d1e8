/* Solids that move over the steps of a closed mesh, touching one step and the next: force and torque are the slope of
 * one energy all the way. */
#include "potential.h"

/* Three steps that go down along x, 2 m wide: a profile in x and z, star-shaped about its first corner. */
static fender_geometry *stairs(void)
{
    enum { N = 8 };
    static const double profile[N][2] = {{-1, -1},     {1.5, -1},  {1.5, -0.3}, {1.2, -0.3},
                                         {1.2, -0.15}, {1, -0.15}, {1, 0},      {-1, 0}};
    fender_vec3 vertices[2 * N];
    int32_t triangles[12 * N];
    int n = 0;
    for (int i = 0; i < 2 * N; i++)
        vertices[i] = fender_vec3_make(profile[i % N][0], i < N ? -1 : 1, profile[i % N][1]);
    for (int i = 1; i + 1 < N; i++) {
        const int32_t ends[6] = {0, i, i + 1, N, N + i + 1, N + i};
        for (int k = 0; k < 6; k++) triangles[n++] = ends[k];
    }
    for (int i = 0; i < N; i++) {
        const int32_t next = (i + 1) % N, side[6] = {next, i, N + i, next, N + i, N + next};
        for (int k = 0; k < 6; k++) triangles[n++] = side[k];
    }
    const fender_mesh_def def = {vertices, 2 * N, triangles, n / 3};
    fender_geometry *mesh = fender_geometry_mesh(&potential_env, &def, NULL);
    assert_non_null(mesh);
    return mesh;
}

static fender_geometry *rounded(fender_geometry *core)
{
    fender_geometry *solid = fender_geometry_rounded(core, 0.02, NULL);
    fender_geometry_release(core);
    return solid;
}

enum { CYLINDERS, ROUNDED_CYLINDERS, ROUNDED_BOXES, CONES, BOXES, CAPSULES, DISKS, SOLIDS };
static const char *const names[SOLIDS] = {"cylinder", "rounded cylinder", "rounded box", "cone",
                                          "box",      "capsule",          "disk"};
static fender_geometry *solid_of(int kind)
{
    const fender_env *env = &potential_env;
    switch (kind) {
    case CYLINDERS: return fender_geometry_cylinder(env, 0.2, 0.1, NULL);
    case ROUNDED_CYLINDERS: return rounded(fender_geometry_cylinder(env, 0.18, 0.08, NULL));
    case ROUNDED_BOXES: return rounded(fender_geometry_box(env, fender_vec3_make(0.18, 0.18, 0.08), NULL));
    case CONES: return fender_geometry_cone(env, 0.2, 0.125, NULL);
    case BOXES: return fender_geometry_box(env, fender_vec3_make(0.2, 0.2, 0.1), NULL);
    case CAPSULES: return fender_geometry_capsule(env, 0.1, 0.1, NULL);
    default: return fender_geometry_disk(env, 0.2, NULL);
    }
}

/* The work along paths down to a step, in pieces of about 0.2 mm, against the energy. What is left is that of the
 * trapezoidal rule where edges meet the solid. */
static void energy_is_that_of_the_work(void **state)
{
    (void)state;
    potential_env = fender_env_default();
    fender_geometry *mesh = stairs();
    for (int kind = 0; kind < SOLIDS; kind++) {
        fender_geometry *solid = solid_of(kind);
        double worst = 0, highest = 0;
        int paths = 0;
        for (int n = 0; n < 60; n++) {
            random_stream r = random_of_case(7400 + (uint64_t)kind, (uint64_t)n);
            const fnd_posed a = {mesh, {0, 0, 0}, fender_mat3_identity()};
            fnd_posed b = {
                solid, {random_between(&r, 0.95, 1.4), random_between(&r, -0.3, 0.3), 0.5}, random_matrix(&r)};
            double low = -0.2, high = 0.5;
            for (int i = 0; i < 40; i++) {
                b.p_WG.z = 0.5 * (low + high);
                if (potential_deepest(&a, &b).distance < 0) low = b.p_WG.z;
                else high = b.p_WG.z;
            }
            b.p_WG.z = high + 1e-3;
            const fender_vec3 step = {random_between(&r, -2e-4, 2e-4), random_between(&r, -1e-4, 1e-4), -1e-4};
            double most = 0, off = 0, work = 0;
            patch_sum last = potential_ask(&a, &b);
            const double begun = last.energy;
            for (int i = 0; i < 250; i++) {
                b.p_WG = fender_vec3_add(b.p_WG, step);
                const patch_sum now = potential_ask(&a, &b);
                work += 0.5 * fender_vec3_dot(step, fender_vec3_add(now.force, last.force));
                most = larger(most, now.energy);
                off = larger(off, fabs(now.energy - begun + work));
                last = now;
            }
            if (!(most > 1e-7)) continue;
            paths++;
            worst = larger(worst, off / most);
            highest = larger(highest, most);
        }
        fender_geometry_release(solid);
        print_message("%s: %d paths, energy up to %.1e, off by at most %.1e of it\n", names[kind], paths, highest,
                      worst);
        assert_true(paths > 40);
        check_below(worst, kind == ROUNDED_CYLINDERS || kind == ROUNDED_BOXES ? 1e-2 : 2e-3);
    }
    fender_geometry_release(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_is_that_of_the_work)};
    return cmocka_run_group_tests_name("patches on stairs", tests, NULL, NULL);
}
