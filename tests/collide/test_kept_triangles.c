/* Triangles kept from query to query: spheres and points that wander over grids and meshes find the same bits with a
 * memory as without, whatever it was filled for; a gap that it knows is never larger than the real one. */
#include "check.h"
#include "collide/mesh_touch.h"
#include "geometry/surface.h"
#include "random_numbers.h"
#include <stddef.h>
#include <string.h>

static fender_env env;

enum { SIDE = 41 };

static double height(double x, double y) { return 0.05 * sin(7 * x) * cos(5 * y) + 0.02 * sin(23 * x + 11 * y); }

static fender_geometry *ground(bool grid)
{
    static double heights[SIDE * SIDE];
    static fender_vec3 vertices[SIDE * SIDE];
    static int32_t triangles[2 * (SIDE - 1) * (SIDE - 1)][3];
    const double spacing = 2.0 / (SIDE - 1);
    int n = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const double x = -1 + spacing * i, y = -1 + spacing * j;
            heights[j * SIDE + i] = height(x, y);
            vertices[j * SIDE + i] = fender_vec3_make(x, y, height(x, y));
            if (i == SIDE - 1 || j == SIDE - 1) continue;
            const int32_t a = j * SIDE + i, c = a + SIDE + 1;
            memcpy(triangles[n++], (int32_t[]){a, a + 1, c}, sizeof triangles[0]);
            memcpy(triangles[n++], (int32_t[]){a, c, c - 1}, sizeof triangles[0]);
        }
    const fender_grid_def def = {
        .count_x = SIDE, .count_y = SIDE, .lower = {-1, -1}, .spacing = {spacing, spacing}, .heights = heights};
    const fender_mesh_def mesh = {vertices, SIDE * SIDE, &triangles[0][0], n};
    return grid ? fender_geometry_grid(&env, &def, NULL) : fender_geometry_mesh(&env, &mesh, NULL);
}

static int answer(const fnd_posed *a, const fnd_posed *b, fnd_query_kind kind, double reach,
                  fnd_triangle_memory *memory, fender_separation *items)
{
    const fnd_pair_entry entry = fnd_pair_find(a->geometry, b->geometry);
    fnd_manifold out = {.items = items, .capacity = 128};
    const fnd_query query = {kind, reach, NULL, memory};
    memset(items, 0, 128 * sizeof *items);
    fnd_pair_evaluate(&entry, a, b, &query, &out);
    assert_false(out.failed);
    return out.count;
}

/* To the bit; the bytes between members mean nothing. */
static void assert_same(const fender_separation *a, const fender_separation *b)
{
    assert_memory_equal(a, b, offsetof(fender_separation, index));
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->weight_fades, b->weight_fades);
    assert_int_equal(a->shared, b->shared);
    assert_memory_equal(&a->slant, &b->slant, sizeof a->slant);
    assert_int_equal(a->deep, b->deep);
}

static void wander(bool grid, double radius, random_stream *r)
{
    static fender_separation with[128], without[128];
    fender_geometry *surface = ground(grid), *ball = fender_geometry_sphere(&env, radius, NULL);
    assert_non_null(surface);
    assert_non_null(ball);
    fnd_posed a = {surface, {3, -2, 1}, fender_quaternion_matrix((fender_quaternion){0.8, 0.36, 0, 0.48})};
    fnd_posed b = {ball, {0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    fnd_triangle_memory memory = {0};
    fender_vec3 at = {0, 0, 0.2};
    int touched = 0, apart = 0, known = 0;
    for (int k = 0; k < 4000; k++) {
        const double stride = k % 50 == 0 ? 0.5 : k % 3 == 0 ? 1e-2 : 1e-4;
        at.x += random_between(r, -stride, stride);
        at.y += random_between(r, -stride, stride);
        at.x = at.x > 1.2 ? 1.2 : at.x < -1.2 ? -1.2 : at.x;
        at.y = at.y > 1.2 ? 1.2 : at.y < -1.2 ? -1.2 : at.y;
        at.z = height(at.x, at.y) + radius + (k % 7 == 0 ? random_between(r, -2 * radius, 0.3) : 0.2 * stride);
        b.p_WG = fender_vec3_add(a.p_WG, fender_mat3_times(&a.R_WG, at));
        const fnd_query_kind kind = k % 11 == 0 ? FND_QUERY_DISTANCE : k % 5 == 0 ? FND_QUERY_SINGLE : FND_QUERY_PATCH;
        const double reach = k % 4 == 0 ? 0.1 * radius : k % 4 == 1 ? 0.3 : 0;
        const int count = answer(&a, &b, kind, reach, NULL, without);
        assert_int_equal(answer(&a, &b, kind, reach, &memory, with), count);
        for (int i = 0; i < count; i++) assert_same(&with[i], &without[i]);
        if (count > 0) touched++;
        else apart++;
        const fender_vec3 center = fender_mat3_transpose_times(&a.R_WG, fender_vec3_sub(b.p_WG, a.p_WG));
        const double gap = fnd_surface_gap(surface->surface, center, k % 2 ? 1.2 * radius : 0, &memory);
        const double real = fnd_surface_nearest(surface->surface, center, INFINITY).distance;
        assert_true(gap <= real);
        if (gap > 0.5 * real) known++;
    }
    assert_true(touched > 500 && apart > 500);
    if (radius < 0.1) assert_true(known > 500);
    fender_geometry_release(surface);
    fender_geometry_release(ball);
}

static void memory_changes_no_bit(void **state)
{
    (void)state;
    random_stream r = random_of_case(7, 0);
    wander(true, 0.05, &r);
    wander(false, 0.05, &r);
    wander(true, 0.004, &r);
    wander(false, 0.3, &r); /* more triangles than are kept */
}

int main(void)
{
    env = fender_env_default();
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_changes_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
