/* A million rays at the edges and vertices of closed surfaces and of terrain: none passes between two triangles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../terrain_meshes.h"

enum { TOGETHER = 1000, TARGETS = 1000000 };
static mesh m;
static fender_vec3 normals[MESH_LIMIT];
static int32_t fans[MESH_LIMIT][64];
static int degrees[MESH_LIMIT];

static void look_around(void)
{
    for (int v = 0; v < m.vertex_count; v++) degrees[v] = 0;
    for (int t = 0; t < m.triangle_count; t++) {
        const int32_t *k = m.triangles[t];
        fender_vec3 n = fender_vec3_cross(fender_vec3_sub(m.vertices[k[1]], m.vertices[k[0]]),
                                          fender_vec3_sub(m.vertices[k[2]], m.vertices[k[0]]));
        normals[t] = fender_vec3_scale(1 / fender_vec3_length(n), n);
        for (int i = 0; i < 3; i++) fans[k[i]][degrees[k[i]]++] = t;
    }
}

/* Every triangle at a vertex is seen from outside along d. */
static bool in_front(int32_t vertex, fender_vec3 d)
{
    for (int i = 0; i < degrees[vertex]; i++)
        if (fender_vec3_dot(normals[fans[vertex][i]], d) > -1e-3) return false;
    return true;
}

static void shoot(mesh_kind kind, int number, int *count, int *passed)
{
    random_stream r = random_of_case(1200 + (uint64_t)kind, (uint64_t)number);
    double size = number % 3 == 0 ? 1 : number % 3 == 1 ? 1e-3 : 1e3;
    fender_vec3 shift = number % 2 ? fender_vec3_make(1e7, -3e6, 2e7) : fender_vec3_make(0, 0, 0);
    make_mesh(&m, kind, &r, size, shift);
    look_around();
    fender_geometry *g = geometry_of(&m);
    assert_non_null(g);
    static fender_ray rays[TOGETHER];
    static fender_ray_hit hits[TOGETHER];
    static double until[TOGETHER];
    fender_pose X = fender_pose_identity();
    int found = 0;
    for (int tries = 0; found < TOGETHER && tries < 100 * TOGETHER; tries++) {
        const int32_t *t = m.triangles[random_below(&r, m.triangle_count)];
        if (kind == TERRAIN && (degrees[t[0]] < 6 || degrees[t[1]] < 6)) continue; /* not at the border */
        fender_vec3 a = m.vertices[t[0]], b = m.vertices[t[1]], d = random_direction(&r);
        if (tries % 7 == 0) d = fender_vec3_make(0, tries & 1 ? 0.0 : -0.0, tries & 2 ? 1 : -1);
        if (!in_front(t[0], d) || !in_front(t[1], d)) continue;
        fender_vec3 at = tries % 2 ? a : fender_vec3_add_scaled(a, random_between(&r, 0, 1), fender_vec3_sub(b, a));
        double before = size * (tries % 5 ? random_between(&r, 0.01, 5) : random_magnitude(&r, 10, 1e6));
        rays[found] = (fender_ray){fender_vec3_add_scaled(at, -before, d), d, INFINITY};
        until[found++] = before;
    }
    assert_int_equal(fender_geometry_ray_cast_many(g, &X, rays, found, hits), FENDER_STATUS_OK);
    for (int i = 0; i < found; i++) {
        /* where it was aimed or earlier; 1e-3: the steepest that in_front allows */
        double slack = 1e-15 * (3e7 * (number % 2) + until[i] + size) / 1e-3;
        *passed += !hits[i].hit || hits[i].distance > until[i] + slack;
    }
    *count += found;
    fender_geometry_release(g);
}

static void no_ray_passes(void **unused)
{
    (void)unused;
    const mesh_kind kinds[2] = {BALL, TERRAIN};
    for (int k = 0; k < 2; k++) {
        int count = 0, passed = 0;
        for (int n = 0; count < TARGETS && n < 2 * TARGETS / TOGETHER; n++) shoot(kinds[k], n, &count, &passed);
        print_message("%s: %d rays at edges and vertices, %d passed\n", kind_names[kinds[k]], count, passed);
        assert_true(count >= TARGETS);
        assert_int_equal(passed, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_ray_passes)};
    return cmocka_run_group_tests_name("watertight", tests, NULL, NULL);
}
