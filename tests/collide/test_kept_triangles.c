/* Triangles kept from query to query: spheres and points that wander over grids and meshes find the same bits with a
 * memory as without, whatever it was filled for; a gap that it knows is never larger than the real one. */
#include "check.h"
#include "collide/mesh_memory.h"
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
    const fnd_query query = {kind, reach, NULL, memory, 0};
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

/* A sheet that is rolled up: between its turns a point is before one side and behind the other. */
static fender_geometry *scroll(void)
{
    enum { AROUND = 48, ALONG = 6 };
    static fender_vec3 vertices[(AROUND + 1) * (ALONG + 1)];
    static int32_t triangles[2 * AROUND * ALONG][3];
    int n = 0;
    for (int i = 0; i <= AROUND; i++)
        for (int j = 0; j <= ALONG; j++) {
            const double angle = 4 * 3.14159265358979 * i / AROUND, radius = 0.3 + 0.03 * angle;
            vertices[i * (ALONG + 1) + j] = fender_vec3_make(radius * cos(angle), -0.4 + 0.8 * j / ALONG,
                                                             radius * sin(angle));
            if (i == AROUND || j == ALONG) continue;
            const int32_t a = i * (ALONG + 1) + j, c = a + ALONG + 2;
            memcpy(triangles[n++], (int32_t[]){a, a + 1, c}, sizeof triangles[0]);
            memcpy(triangles[n++], (int32_t[]){a, c, c - 1}, sizeof triangles[0]);
        }
    const fender_mesh_def mesh = {vertices, (AROUND + 1) * (ALONG + 1), &triangles[0][0], n};
    return fender_geometry_mesh(&env, &mesh, NULL);
}

static fender_geometry *block(void)
{
    fender_vec3 vertices[8];
    for (int i = 0; i < 8; i++)
        vertices[i] = fender_vec3_make(i & 1 ? 0.5 : -0.5, i & 2 ? 0.4 : -0.4, i & 4 ? 0.3 : -0.3);
    const int32_t triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    const fender_mesh_def mesh = {vertices, 8, &triangles[0][0], 12};
    return fender_geometry_mesh(&env, &mesh, NULL);
}

/* Flights around, through and behind a surface that moves, with strides of 0.1 mm to 1 m: as often as is wanted the
 * ball is certainly apart without a search. */
static void fly(fender_geometry *surface, double radius, bool points, int wanted, uint64_t number)
{
    static fender_separation with[128], without[128];
    fender_geometry *ball = radius > 0 ? fender_geometry_sphere(&env, radius, NULL) : fender_geometry_point(&env, NULL);
    assert_non_null(surface);
    assert_non_null(ball);
    random_stream r = random_of_case(8, number);
    fnd_triangle_memory memory = {0};
    fender_vec3 at = {0, 0, 0.5};
    int clear = 0, behind = 0, apart = 0;
    double stride = 0.1, speed[3] = {0, 0, 0};
    for (int k = 0; k < 6000; k++) {
        double *place[3] = {&at.x, &at.y, &at.z};
        if (k % 40 == 0) stride = pow(10, random_between(&r, -4, 0));
        for (int i = 0; i < 3; i++) {
            if (k % 40 == 0) speed[i] = random_between(&r, -stride, stride);
            *place[i] += speed[i] + random_between(&r, -0.1 * stride, 0.1 * stride);
            if (fabs(*place[i]) > 1.3) *place[i] = random_between(&r, -1, 1); /* elsewhere */
        }
        const double turn = 0.01 * k;
        const fnd_posed a = {
            surface, {3, -2, 1 + 0.1 * k}, fender_quaternion_matrix((fender_quaternion){cos(turn), 0, sin(turn), 0})};
        const fnd_posed b = {
            ball, fender_vec3_add(a.p_WG, fender_mat3_times(&a.R_WG, at)), {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
        const double reach = k % 3 == 0 ? 0.5 * radius : 0;
        const fnd_query_kind kind = points || k % 5 == 0 ? FND_QUERY_SINGLE : FND_QUERY_PATCH;
        const fender_vec3 center = fender_mat3_transpose_times(&a.R_WG, fender_vec3_sub(b.p_WG, a.p_WG));
        clear += fnd_surface_is_clear(surface->surface, center, radius + reach, &memory);
        const int count = answer(&a, &b, kind, reach, NULL, without);
        assert_int_equal(answer(&a, &b, kind, reach, &memory, with), count);
        for (int i = 0; i < count; i++) assert_same(&with[i], &without[i]);
        apart += count == 0;
        behind += count > 0 && without[0].distance < -2 * radius;
    }
    assert_true(behind > 50);
    assert_true(clear > wanted && clear <= apart);
    fender_geometry_release(surface);
    fender_geometry_release(ball);
}

static void certainty_of_being_apart_changes_no_bit(void **state)
{
    (void)state;
    fly(ground(true), 0.02, false, 1000, 0);
    fly(ground(false), 0.02, false, 1000, 1);
    fly(ground(false), 0, true, 1000, 2);
    fly(scroll(), 0.02, false, 2500, 3);
    fly(block(), 0.05, false, 2500, 4);
}

/* A ball rolls over a surface, now slowly, now fast, pressed in more and less: as often as is wanted only the facets
 * that it touched before are looked at, and of one facet only its plane. */
static void roll(fender_geometry *surface, double radius, int wanted, int stands_wanted, uint64_t number)
{
    static fender_separation with[128], without[128];
    fender_geometry *ball = fender_geometry_sphere(&env, radius, NULL);
    assert_non_null(surface);
    assert_non_null(ball);
    random_stream r = random_of_case(9, number);
    fnd_triangle_memory memory = {0};
    fnd_posed a = {surface, {0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}, b = {ball, {0, 0, 0}, a.R_WG};
    fender_vec3 at = {0, 0, 0.5}, speed = {0, 0, 0};
    fnd_foot foot;
    int steady = 0, stands = 0;
    for (int k = 0; k < 6000; k++) {
        if (k % 500 == 0) { /* one after the other: compilers take arguments in different orders */
            const double x = random_between(&r, -0.9, 0.9), y = random_between(&r, -0.9, 0.9);
            at = fender_vec3_make(x, y, 0.7);
        }
        if (k % 30 == 0) {
            const double size = radius * pow(10, random_between(&r, -4, -1));
            speed = fender_vec3_scale(size, random_direction(&r));
        }
        at = fender_vec3_add(at, speed);
        const fnd_surface_closest place = fnd_surface_nearest(surface->surface, at, INFINITY);
        const double wish = radius * (0.9 + 0.12 * sin(0.013 * k));
        if (place.distance > 0) at = fender_vec3_add_scaled(place.point, wish / place.distance, place.offset);
        b.p_WG = at;
        const double reach = k / 1000 % 2 ? 0 : 0.05 * radius;
        steady += fnd_kept_is_steady(surface->surface, at, radius, &memory);
        stands += fnd_kept_foot(surface->surface, at, radius, &memory, &foot);
        const fnd_query_kind kind = k % 3 == 0 ? FND_QUERY_DISTANCE : FND_QUERY_PATCH;
        const int count = answer(&a, &b, kind, reach, NULL, without);
        assert_int_equal(answer(&a, &b, kind, reach, &memory, with), count);
        for (int i = 0; i < count; i++) assert_same(&with[i], &without[i]);
    }
    assert_true(steady > wanted);
    assert_true(stands > stands_wanted);
    fender_geometry_release(surface);
    fender_geometry_release(ball);
}

static void certainty_of_what_is_touched_changes_no_bit(void **state)
{
    (void)state;
    roll(ground(true), 0.02, 1000, 500, 0);
    roll(ground(false), 0.02, 1000, 500, 1);
    roll(ground(false), 0.07, 1000, 100, 2);
    roll(ground(true), 0.004, 1000, 500, 3);
    roll(scroll(), 0.03, 1000, 500, 4);
    roll(block(), 0.2, 1000, 500, 5);
    roll(block(), 0.01, 1000, 500, 6);
}

/* A ball is moved from place to place (the fourth number is the reach), and touches at the first ones or not; the last
 * place is behind the surface, which it has to find. */
static void assert_found_behind(fender_geometry *surface, double radius, bool touches, const double places[][4],
                                int count)
{
    fender_separation with[128], without[128];
    fender_geometry *ball = fender_geometry_sphere(&env, radius, NULL);
    assert_non_null(surface);
    assert_non_null(ball);
    fnd_triangle_memory memory = {0};
    fnd_posed a = {surface, {0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}, b = {ball, {0, 0, 0}, a.R_WG};
    for (int k = 0; k < count; k++) {
        b.p_WG = fender_vec3_make(places[k][0], places[k][1], places[k][2]);
        const int found = answer(&a, &b, FND_QUERY_PATCH, places[k][3], NULL, without);
        assert_int_equal(found, touches || k == count - 1 ? 1 : 0);
        if (k == count - 1) assert_true(without[0].distance < -radius);
        assert_int_equal(answer(&a, &b, FND_QUERY_PATCH, places[k][3], &memory, with), found);
        if (found) assert_same(&with[0], &without[0]);
    }
    fender_geometry_release(surface);
    fender_geometry_release(ball);
}

/* What is free around a place beside a grid reaches below it. */
static void beside_a_grid_is_not_above(void **state)
{
    (void)state;
    const double flat[9] = {0},
                 places[4][4] = {
                     {0.99, 0, 0.25, 0.05}, {1.1, 0, 0.03, 0.05}, {1.15, 0, -0.06, 0.05}, {0.995, 0, -0.08, 0}};
    const fender_grid_def def = {.count_x = 3, .count_y = 3, .lower = {-1, -1}, .spacing = {1, 1}, .heights = flat};
    assert_found_behind(fender_geometry_grid(&env, &def, NULL), 0.002, false, places, 4);
}

/* Half as far as the second sheet is farther than the first one, the second is nearest, and it is seen from behind. */
static void between_two_sheets(void **state)
{
    (void)state;
    fender_vec3 vertices[8];
    for (int i = 0; i < 8; i++) vertices[i] = fender_vec3_make(i & 1 ? 2 : -2, i & 2 ? 2 : -2, i & 4 ? 1 : 0);
    const int32_t triangles[4][3] = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}};
    const fender_mesh_def mesh = {vertices, 8, &triangles[0][0], 4};
    const double places[3][4] = {{0.3, 0.1, 0.45, 0}, {0.3, 0.1, 0.45, 0}, {0.3, 0.1, 0.53, 0}};
    assert_found_behind(fender_geometry_mesh(&env, &mesh, NULL), 0.002, false, places, 3);
    assert_found_behind(fender_geometry_mesh(&env, &mesh, NULL), 0.6, true, places, 3);
}

/* A ball is moved from place to place, with reach 0.1 and more memory each time. At the place `standing` it is known to
 * stand within one triangle. */
static void assert_same_at(fender_geometry *surface, double radius, const double places[][3], int count, int standing)
{
    fender_separation with[128], without[128];
    fender_geometry *ball = fender_geometry_sphere(&env, radius, NULL);
    assert_non_null(surface);
    assert_non_null(ball);
    fnd_triangle_memory memory = {0};
    fnd_posed a = {surface, {0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}, b = {ball, {0, 0, 0}, a.R_WG};
    for (int k = 0; k < count; k++) {
        b.p_WG = fender_vec3_make(places[k][0], places[k][1], places[k][2]);
        for (int distance = k == count - 1; distance >= 0; distance--) {
            const fnd_query_kind kind = distance ? FND_QUERY_DISTANCE : FND_QUERY_PATCH;
            const int found = answer(&a, &b, kind, 0.1, NULL, without);
            assert_int_equal(answer(&a, &b, kind, 0.1, &memory, with), found);
            for (int i = 0; i < found; i++) assert_same(&with[i], &without[i]);
        }
        if (k == standing) assert_true(memory.foothold.room > 0);
    }
    fender_geometry_release(surface);
    fender_geometry_release(ball);
}

/* A ball stands on the floor of a corner, and leaves it towards the wall, which becomes the nearest. */
static void a_wall_becomes_the_nearest(void **state)
{
    (void)state;
    const fender_vec3 vertices[6] = {{0, -2, 2}, {0, 2, 2}, {0, -2, 0}, {0, 2, 0}, {4, -2, 0}, {4, 2, 0}};
    const int32_t triangles[4][3] = {{0, 2, 1}, {1, 2, 3}, {2, 4, 5}, {2, 5, 3}};
    const fender_mesh_def mesh = {vertices, 6, &triangles[0][0], 4};
    const double leaving[2][3] = {{0.104, -1, 0.0999}, {0.1015, -1, 0.1024}};
    assert_same_at(fender_geometry_mesh(&env, &mesh, NULL), 0.1, leaving, 2, 0);
    /* or leaves the wall, stays on the floor for a while, and touches the wall again */
    const double returning[6][3] = {{0.0995, -1, 0.0995}, {0.1003, -1, 0.0995}, {0.1003, -1, 0.0995},
                                    {0.1003, -1, 0.0995}, {0.1003, -1, 0.0995}, {0.0998, -1, 0.0995}};
    assert_same_at(fender_geometry_mesh(&env, &mesh, NULL), 0.1, returning, 6, 4);
}

/* A ball leaves the border of a surface, where no other triangle is near. */
static void a_ball_leaves_the_border(void **state)
{
    (void)state;
    const fender_vec3 vertices[3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    const int32_t triangle[3] = {0, 1, 2};
    const fender_mesh_def mesh = {vertices, 3, triangle, 1};
    const double places[2][3] = {{0, -0.999, 0.09}, {0, -1.002, 0.09}};
    assert_same_at(fender_geometry_mesh(&env, &mesh, NULL), 0.1, places, 2, 0);
}

int main(void)
{
    env = fender_env_default();
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_changes_no_bit),
                                       cmocka_unit_test(certainty_of_being_apart_changes_no_bit),
                                       cmocka_unit_test(certainty_of_what_is_touched_changes_no_bit),
                                       cmocka_unit_test(beside_a_grid_is_not_above),
                                       cmocka_unit_test(between_two_sheets),
                                       cmocka_unit_test(a_wall_becomes_the_nearest),
                                       cmocka_unit_test(a_ball_leaves_the_border)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
