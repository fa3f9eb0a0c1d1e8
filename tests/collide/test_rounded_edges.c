/* Rounded solids meet with edges and corners: nothing is stored at true touch, force and torque are the slope of the
 * energy, and an edge has the force of its round surface. */
#include "potential.h"

typedef enum edged_kind { EDGED_BOX, EDGED_HULL, EDGED_PYRAMID, EDGED_CYLINDER, EDGED_CONE, EDGED_KINDS } edged_kind;

static fender_geometry *solid(edged_kind kind, double rounding)
{
    const fender_env *env = &potential_env;
    const fender_vec3 pyramid[5] = {
        {0.2, 0.2, -0.1}, {-0.2, 0.2, -0.1}, {-0.2, -0.2, -0.1}, {0.2, -0.2, -0.1}, {0, 0, 0.2}};
    fender_vec3 points[24];
    fender_geometry *core = NULL;
    for (int i = 0; i < 24; i++) {
        const double z = 1 - 2 * (i + 0.5) / 24, angle = 2.39996 * i, across = sqrt(1 - z * z);
        points[i] = fender_vec3_make(0.25 * across * cos(angle), 0.2 * across * sin(angle), 0.22 * z);
    }
    switch (kind) {
    case EDGED_BOX: core = fender_geometry_box(env, fender_vec3_make(0.2, 0.2, 0.2), NULL); break;
    case EDGED_HULL: core = fender_geometry_hull(env, points, 24, NULL); break;
    case EDGED_PYRAMID: core = fender_geometry_hull(env, pyramid, 5, NULL); break;
    case EDGED_CYLINDER: core = fender_geometry_cylinder(env, 0.2, 0.2, NULL); break;
    case EDGED_CONE: core = fender_geometry_cone(env, 0.2, 0.2, NULL); break;
    case EDGED_KINDS: break;
    }
    return rounding > 0 ? potential_rounded(core, rounding) : core;
}

static void release(const fnd_posed *posed) { fender_geometry_release((fender_geometry *)(uintptr_t)posed->geometry); }

/* Touching to 1 nm. */
static void meet(const fnd_posed *a, fnd_posed *b, random_stream *r)
{
    double low = 0, high = 3;
    b->R_WG = random_matrix(r);
    const fender_vec3 up = random_direction(r);
    for (int i = 0; i < 45; i++) {
        const double middle = 0.5 * (low + high);
        b->p_WG = fender_vec3_scale(middle, up);
        if (potential_deepest(a, b).distance < 0) low = middle;
        else high = middle;
    }
    potential_settle(a, b, 1e-9);
}

/* Over stiffness times the square of the roundings. The facets of a rounded edge are at most 0.5 % of the rounding
 * outside, those of a vertex 3 %: sharp edges had 2e-4 to 2e-2 here. */
static void nothing_is_stored_at_touch(void **state)
{
    (void)state;
    const double roundings[3][2] = {{0, 0.05}, {0.04, 0}, {0.04, 0.05}};
    double worst = 0, off = 0;
    int poses = 0;
    potential_env = fender_env_default();
    potential_exponent = 1;
    for (int of_a = 0; of_a < EDGED_KINDS; of_a++)
        for (int of_b = 0; of_b < EDGED_KINDS; of_b++)
            for (uint64_t n = 0; n < 3; n++) {
                random_stream r = random_of_case(4100 + (uint64_t)(of_a * EDGED_KINDS + of_b), n);
                const double *rounding = roundings[n % 3];
                fnd_posed a = {solid((edged_kind)of_a, rounding[0]), {0, 0, 0}, fender_mat3_identity()};
                fnd_posed b = {solid((edged_kind)of_b, rounding[1]), {0, 0, 0}, fender_mat3_identity()};
                meet(&a, &b, &r);
                const double sum = rounding[0] + rounding[1];
                worst = larger(worst, potential_ask(&a, &b).energy / (sum * sum));
                const double depth = random_magnitude(&r, 1e-3, 0.03);
                potential_settle(&a, &b, depth);
                const patch_sum here = potential_ask(&a, &b);
                const bool prism = (of_a == EDGED_CYLINDER || of_b == EDGED_CYLINDER);
                if (fender_vec3_length(here.force) > 1e-3 * depth) {
                    poses++;
                    off = larger(off, potential_off(&a, &b, &here) * (prism ? 1e-2 : 1));
                }
                release(&a);
                release(&b);
            }
    print_message("energy at touch %.1e k r^2; slope off by %.1e in %d poses\n", worst, off, poses);
    assert_true(poses > 40);
    check_below(worst, 5e-6);
    check_below(off, 1e-8); /* the rounding of the differences; cylinders: of the rule for the pressure of their side */
}

/* The force of a level face on a cylinder, per half of its length, or on a sphere, over the stiffness per area: the
 * slope of the integral of down times depth^2 / 2, by a sum. */
static double force_of_round(double radius, double depth, bool sphere)
{
    const double height = radius - depth, widest = 1.01 * sqrt(radius * radius - height * height), step = 1e-5;
    const int steps = 2000;
    double energy[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        const double z = height + (k ? -step : step);
        for (int i = 0; i < steps; i++) {
            const double x = (i + 0.5) / steps * widest, from = sqrt(x * x + z * z), below = radius - from;
            const double area = widest / steps * (sphere ? 2 * 3.141592653589793 * x : 1);
            if (below > 0) energy[k] += 0.5 * area * z / from * below * below;
        }
    }
    return (energy[1] - energy[0]) / (2 * step);
}

/* A wide box with a rounding of 5 cm, turned, below the face of a smaller one. */
static void on_round_one(const fender_mat3 *turn, double top, bool sphere, double tolerance)
{
    potential_env = fender_env_default();
    potential_exponent = 1;
    const double rounding = 0.05, side = 0.2, area = 4 * side * side, length = sphere ? 1 : 4 * side;
    fender_geometry *wide = fender_geometry_box(&potential_env, fender_vec3_make(0.3, 0.3, 0.3), NULL);
    fnd_posed a = {potential_rounded(wide, rounding), {0, 0, 0}, *turn};
    fnd_posed b = {solid(EDGED_BOX, 0), {0, 0, 0}, fender_mat3_identity()};
    for (int i = 1; i <= 3; i++) {
        const double depth = 0.005 * i, expected = length / area * force_of_round(rounding, depth, sphere);
        b.p_WG.z = top + rounding + side - depth;
        const patch_sum found = potential_ask(&a, &b);
        print_message("depth %g m: %.6f of k depth, round %.6f\n", depth, found.force.z / depth, expected / depth);
        assert_true(fabs(found.force.z - expected) < tolerance * expected);
    }
    release(&a);
    release(&b);
}

/* Within what facets of an eighth of a right angle differ from a cylinder. */
static void edge_below_a_face_is_a_cylinder(void **state)
{
    (void)state;
    const double root = sqrt(0.5);
    const fender_mat3 turn = {{{1, 0, 0}, {0, root, -root}, {0, root, root}}};
    on_round_one(&turn, 0.3 * sqrt(2), false, 0.02);
}

/* Within what the facets of a vertex, which are wider, differ from a sphere. */
static void vertex_below_a_face_is_a_sphere(void **state)
{
    (void)state;
    const double two = 1 / sqrt(2), six = 1 / sqrt(6), three = 1 / sqrt(3);
    const fender_mat3 turn = {{{two, -two, 0}, {six, six, -2 * six}, {three, three, three}}};
    on_round_one(&turn, 0.3 * sqrt(3), true, 0.1);
}

/* Faces of the same size lie on each other, up to their edges, with the stiffness of the full face. */
static void faces_on_faces_have_the_full_stiffness(void **state)
{
    (void)state;
    potential_env = fender_env_default();
    potential_exponent = 1;
    const fnd_posed a = {solid(EDGED_BOX, 0.03), {0, 0, 0}, fender_mat3_identity()};
    fnd_posed b = {solid(EDGED_BOX, 0.05), {0, 0, 0}, fender_mat3_identity()};
    for (int i = 1; i <= 10; i++) {
        const double depth = 0.003 * i;
        b.p_WG.z = 0.48 - depth;
        const patch_sum found = potential_ask(&a, &b);
        assert_int_equal(found.count, 4); /* no facet of an edge takes part */
        assert_true(fabs(found.energy - 0.5 * depth * depth) < 1e-12 * depth * depth);
        assert_true(fabs(found.force.z - depth) < 1e-12 * depth); /* rounding of coordinates over the depth */
    }
    release(&a);
    release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_stored_at_touch), cmocka_unit_test(edge_below_a_face_is_a_cylinder),
        cmocka_unit_test(vertex_below_a_face_is_a_sphere), cmocka_unit_test(faces_on_faces_have_the_full_stiffness)};
    return cmocka_run_group_tests_name("rounded edges", tests, NULL, NULL);
}
