/* What a surface knows of its triangles: neighbours by comparison of all with all, planes and spreads by their
 * geometry, and the same bits for each width of registers. */
/* items: M020 M023 */
#include "base/width.h"
#include "check.h"
#include "geometry/triangle_lanes.h"
#include "random_numbers.h"
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 11, ROWS = 8, MOST = 400 };

static fnd_surface *raster(random_stream *r, int count_x, int count_y, double height)
{
    fender_env env = fender_env_default();
    double heights[COLUMNS * ROWS];
    assert_true(count_x <= COLUMNS && count_y <= ROWS);
    for (int i = 0; i < COLUMNS * ROWS; i++) heights[i] = random_between(r, -height, height);
    const fender_grid_def def = {
        .count_x = count_x, .count_y = count_y, .lower = {-3, 1}, .spacing = {0.5, 0.25}, .heights = heights};
    fnd_surface *s = fnd_surface_of_grid(&env, &def, NULL);
    assert_non_null(s);
    return s;
}

static fnd_surface *mesh_of(const fnd_surface *s, double scale)
{
    fender_env env = fender_env_default();
    fender_vec3 *v = malloc((size_t)s->vertex_count * sizeof *v);
    for (int i = 0; i < s->vertex_count; i++) v[i] = fender_vec3_scale(scale, s->vertices[i]);
    fnd_surface *mesh = fnd_surface_create(&env, v, s->vertex_count, &s->triangles[0][0], s->triangle_count);
    assert_non_null(mesh);
    free(v);
    return mesh;
}

/* The only other triangle with the edge from corner k, if it runs the other way there; -1. */
static int32_t neighbour(const fnd_surface *s, int32_t t, int k)
{
    int32_t u = s->triangles[t][k], v = s->triangles[t][(k + 1) % 3], found = -1;
    int others = 0;
    for (int32_t o = 0; o < s->triangle_count; o++)
        for (int e = 0; e < 3 && o != t; e++) {
            int32_t from = s->triangles[o][e], to = s->triangles[o][(e + 1) % 3];
            others += (from == u && to == v) || (from == v && to == u);
            if (from == v && to == u) found = o;
        }
    return others == 1 ? found : -1;
}

static int check_neighbours(const fnd_surface *s)
{
    int borders = 0;
    bool border[MOST] = {false};
    for (int32_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            assert_int_equal(s->neighbours[t][k], neighbour(s, t, k));
            if (s->neighbours[t][k] >= 0) continue;
            borders++;
            border[s->triangles[t][k]] = border[s->triangles[t][(k + 1) % 3]] = true;
        }
    for (int i = 0; i < s->vertex_count; i++) assert_true(border[i] == s->border[i]);
    assert_true(s->closed == (borders == 0));
    return borders;
}

static void neighbours(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    random_stream r = random_of_case(1301, 0);
    for (int count_y = 2; count_y <= ROWS; count_y += 2)
        for (int count_x = 2; count_x <= COLUMNS; count_x += 3) {
            fnd_surface *s = raster(&r, count_x, count_y, 1), *mesh = mesh_of(s, 1);
            assert_int_equal(check_neighbours(s), 2 * (count_x - 1) + 2 * (count_y - 1));
            assert_memory_equal(s->neighbours, mesh->neighbours, (size_t)s->triangle_count * sizeof *s->neighbours);
            fnd_surface_release(&env, s);
            fnd_surface_release(&env, mesh);
        }
    int shared = 0;
    for (uint64_t n = 0; n < 60; n++) { /* any three of a few vertices: edges of three, turned ones, the same twice */
        r = random_of_case(1302, n);
        fender_vec3 v[12];
        int32_t t[30][3];
        const int count = 2 + random_below(&r, 29), vertices = 4 + random_below(&r, 9);
        for (int i = 0; i < 12; i++) v[i] = random_in_ball(&r, 1);
        for (int i = 0; i < count; i++) {
            t[i][0] = random_below(&r, vertices);
            t[i][1] = (t[i][0] + 1 + random_below(&r, vertices - 1)) % vertices;
            do t[i][2] = random_below(&r, vertices);
            while (t[i][2] == t[i][0] || t[i][2] == t[i][1]);
        }
        fnd_surface *s = fnd_surface_create(&env, v, 12, &t[0][0], count);
        shared += 3 * count - check_neighbours(s);
        fnd_surface_release(&env, s);
    }
    assert_true(shared > 100);
    const fender_vec3 corner[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int32_t tetrahedron[][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    fnd_surface *s = fnd_surface_create(&env, corner, 4, &tetrahedron[0][0], 4);
    assert_int_equal(check_neighbours(s), 0);
    check_near(s->area, 1.5 + 0.5 * sqrt(3), 1e-15);
    check_near(s->face_area, 0.5 * sqrt(3), 1e-15);
    fnd_surface_release(&env, s);
}

/* A roof of two flat slopes: one plane each. A bow so gentle that a row hardly differs from the next, but from the one
 * after that: two rows each. */
static void planes(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    double heights[COLUMNS * ROWS];
    for (int bowed = 0; bowed < 2; bowed++) {
        for (int j = 0; j < ROWS; j++)
            for (int i = 0; i < COLUMNS; i++) heights[j * COLUMNS + i] = bowed ? 1e-11 * j * j : -0.3 * fabs(j - 4.0);
        const fender_grid_def def = {.count_x = COLUMNS, .count_y = ROWS, .spacing = {0.5, 0.25}, .heights = heights};
        fnd_surface *s = fnd_surface_of_grid(&env, &def, NULL), *mesh = mesh_of(s, 1);
        for (int32_t t = 0; t < s->triangle_count; t++) {
            const int row = t / (2 * (COLUMNS - 1)), first = bowed ? row / 2 * 2 : row < 4 ? 0 : 4;
            assert_int_equal(s->planes[t], first * 2 * (COLUMNS - 1));
            assert_int_equal(mesh->planes[t], s->planes[t]);
        }
        fnd_surface_release(&env, s);
        fnd_surface_release(&env, mesh);
    }
}

static double angle(fender_vec3 a, fender_vec3 b)
{
    return atan2(fender_vec3_length(fender_vec3_cross(a, b)), fender_vec3_dot(a, b));
}

/* Between two borders of a cell that lean by half the angle of the normals; at the border of a grid, upright walls. */
static double spread_of(const fnd_surface *s, int32_t t)
{
    double lean[3], most = 0;
    fender_vec3 n = fnd_triangle_normal(s, t), e[3];
    for (int k = 0; k < 3; k++) {
        int32_t other = s->neighbours[t][k];
        e[k] = fender_vec3_sub(fnd_surface_corner(s, t, k + 1), fnd_surface_corner(s, t, k));
        if (other >= 0) {
            lean[k] = tan(0.5 * angle(n, fnd_triangle_normal(s, other)));
        } else { /* along the wall, whose normal is level, down the triangle's normal */
            fender_vec3 wall = fender_vec3_make(e[k].y, -e[k].x, 0);
            lean[k] = s->count_x > 0 ? fabs(fender_vec3_dot(n, wall)) / fender_vec3_length(wall) : 0;
            lean[k] *= s->count_x > 0 ? fender_vec3_length(wall) / fender_vec3_length(e[k]) / n.z : 1;
        }
    }
    for (int k = 0; k < 3; k++) {
        double half = 0.5 * angle(e[k], fender_vec3_negate(e[(k + 2) % 3]));
        most = larger(most, larger(lean[k], lean[(k + 2) % 3]) / sin(half));
    }
    return most;
}

static void spreads(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    for (uint64_t n = 0; n < 20; n++) {
        random_stream r = random_of_case(1303, n);
        fnd_surface *grid = raster(&r, COLUMNS, ROWS, random_magnitude(&r, 1e-3, 1)), *mesh = mesh_of(grid, 3);
        const fnd_surface *all[] = {grid, mesh};
        for (int i = 0; i < 2; i++) {
            double most = 0;
            for (int32_t t = 0; t < grid->triangle_count; t++) {
                double expected = spread_of(all[i], t), spread = (double)all[i]->spreads[t];
                check_near(spread, expected, 2e-5 * expected + 1e-12);
                assert_true(spread >= expected);
                most = larger(most, spread);
            }
            check_near(all[i]->spread, most, 1e-7 * most);
        }
        fnd_surface_release(&env, grid);
        fnd_surface_release(&env, mesh);
    }
}

/* Numbers of triangles that fill no block of eight, lengths whose squares leave the range of doubles, a narrow one. */
static void widths(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    static const fnd_triangle_functions *const all[3] = FND_WIDTHS(&fnd_triangles);
    static double rows[3][MOST], areas[MOST];
    const double scales[] = {1, 1e-120, 1e90, 1e-31, 1e29};
    for (uint64_t n = 0; n < 40; n++) {
        random_stream r = random_of_case(1304, n);
        fnd_surface *grid = raster(&r, 2 + random_below(&r, COLUMNS - 1), 2 + random_below(&r, ROWS - 1), 1);
        if (n % 3 == 0) grid->vertices[0] = fender_vec3_scale(1 + 1e-13, grid->vertices[1]);
        fnd_surface *s = n % 2 ? mesh_of(grid, scales[n / 2 % 5]) : grid;
        const size_t size = (size_t)s->triangle_count * sizeof *s->spreads;
        float kept[MOST];
        double kept_spread = s->spread;
        memcpy(kept, s->spreads, size);
        for (int w = 0; w <= fnd_tree_registers(); w++) {
            const fnd_triangle_normals normals = {rows[0], rows[1], rows[2]};
            fnd_triangle_sums sums;
            double sum = 0;
            fender_vec3 spanned = {0, 0, 0};
            all[w]->measure(s, &normals, areas, &sums);
            for (int32_t t = 0; t < s->triangle_count; t++) {
                double area;
                fender_vec3 one = fnd_triangle_normal(s, t), found = fnd_normal_at(&normals, t);
                assert_memory_equal(&one, &found, sizeof one);
                one = fnd_triangle_normal_and_area(s, t, &area);
                assert_true(areas[t] == area);
                sum += area;
                spanned = fender_vec3_add_scaled(spanned, area, one);
            }
            assert_true(sums.area == sum);
            assert_memory_equal(&sums.spanned, &spanned, sizeof spanned);
            memset(s->spreads, 0, size);
            s->spread = 0;
            all[w]->spread(s, &normals);
            if (s == grid && n % 3 == 0) continue; /* its corner moved after the spreads */
            assert_memory_equal(s->spreads, kept, size);
            assert_true(s->spread == kept_spread);
        }
        if (s != grid) fnd_surface_release(&env, s);
        fnd_surface_release(&env, grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours),
        cmocka_unit_test(planes),
        cmocka_unit_test(spreads),
        cmocka_unit_test(widths),
    };
    return cmocka_run_group_tests_name("surface tables", tests, NULL, NULL);
}
