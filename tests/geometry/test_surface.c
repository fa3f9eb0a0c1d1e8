/* Surfaces: neighbours, normals and the tree against what is found by looking at everything. */
/* items: M020 M023 S021 S026 */
#include "check.h"
#include "geometry/surface.h"
#include "random_numbers.h"
#include <stdlib.h>
#include <string.h>

enum { SIDE = 14 };

/* Waves over a raster, as a grid or as a mesh of the same triangles. */
static fnd_surface *waves(random_stream *r, bool grid, double height)
{
    fender_env env = fender_env_default();
    double heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = random_between(r, -height, height);
    const fender_grid_def def = {
        .count_x = SIDE, .count_y = SIDE, .lower = {-3, 1}, .spacing = {0.5, 0.25}, .heights = heights};
    fnd_surface *s = fnd_surface_of_grid(&env, &def, NULL);
    assert_non_null(s);
    if (grid) return s;
    fnd_surface *mesh = fnd_surface_create(&env, s->vertices, s->vertex_count, &s->triangles[0][0], s->triangle_count);
    assert_non_null(mesh);
    fnd_surface_release(&env, s);
    return mesh;
}

/* A sphere of triangles: a raster of angles closed at the poles. */
static fnd_surface *ball(int rings, int sides)
{
    fender_env env = fender_env_default();
    static fender_vec3 v[2000];
    static int32_t t[4000][3];
    int count = 0, triangles = 0;
    const double pi = acos(-1);
    v[count++] = fender_vec3_make(0, 0, -1);
    for (int i = 1; i < rings; i++)
        for (int k = 0; k < sides; k++)
            v[count++] = fender_vec3_make(sin(pi * i / rings) * cos(2 * pi * k / sides),
                                          sin(pi * i / rings) * sin(2 * pi * k / sides), -cos(pi * i / rings));
    v[count++] = fender_vec3_make(0, 0, 1);
    for (int k = 0; k < sides; k++) {
        int next = (k + 1) % sides, top = count - 1 - sides;
        const int32_t ends[2][3] = {{0, 1 + next, 1 + k}, {count - 1, top + k, top + next}};
        memcpy(t[triangles], ends, sizeof ends);
        triangles += 2;
        for (int i = 1; i + 1 < rings; i++) {
            int32_t low = 1 + (i - 1) * sides, high = low + sides;
            const int32_t pair[2][3] = {{low + k, low + next, high + next}, {low + k, high + next, high + k}};
            memcpy(t[triangles], pair, sizeof pair);
            triangles += 2;
        }
    }
    assert_int_equal(fnd_surface_degenerate(v, &t[0][0], triangles), -1);
    return fnd_surface_create(&env, v, count, &t[0][0], triangles);
}

static void check_tables(const fnd_surface *s, int borders)
{
    int found = 0;
    for (int t = 0; t < s->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            int32_t other = s->neighbours[t][k];
            int32_t u = s->triangles[t][k], v = s->triangles[t][(k + 1) % 3];
            if (other < 0) {
                found++;
                assert_true(s->border[u] && s->border[v]);
                continue;
            }
            int matches = 0;
            for (int e = 0; e < 3; e++)
                matches += s->triangles[other][e] == v && s->triangles[other][(e + 1) % 3] == u &&
                           s->neighbours[other][e] == t;
            assert_int_equal(matches, 1);
        }
        check_near(fender_vec3_length(fnd_triangle_normal(s, t)), 1, 4e-16);
        for (int k = 0; k < 3; k++) /* across the edges */
            check_near(fender_vec3_dot(fnd_triangle_normal(s, t),
                                       fender_vec3_sub(fnd_surface_corner(s, t, k + 1), fnd_surface_corner(s, t, k))),
                       0, 4e-16);
    }
    assert_int_equal(found, borders);
    assert_int_equal(s->vertex_start[s->vertex_count], 3 * s->triangle_count);
    for (int i = 0; i < s->vertex_count; i++) {
        check_near(fender_vec3_length(fnd_vertex_normal(s, i)), 1, 4e-16);
        for (int n = s->vertex_start[i]; n < s->vertex_start[i + 1]; n++) {
            const int32_t *t = s->triangles[s->vertex_triangles[n]];
            assert_true(t[0] == i || t[1] == i || t[2] == i);
        }
    }
}

/* The least distance to a triangle by minimising over its two parameters: inside by the normal equations, then the
 * three sides. */
static double distance_to_triangle(const fnd_surface *s, int t, fender_vec3 p)
{
    fender_vec3 a = fnd_surface_corner(s, t, 0), u = fender_vec3_sub(fnd_surface_corner(s, t, 1), a);
    fender_vec3 v = fender_vec3_sub(fnd_surface_corner(s, t, 2), a), w = fender_vec3_sub(p, a);
    double uu = fender_vec3_dot(u, u), uv = fender_vec3_dot(u, v), vv = fender_vec3_dot(v, v);
    double uw = fender_vec3_dot(u, w), vw = fender_vec3_dot(v, w), d = uu * vv - uv * uv;
    double x = (vv * uw - uv * vw) / d, y = (uu * vw - uv * uw) / d, best = INFINITY;
    if (x >= 0 && y >= 0 && x + y <= 1) {
        fender_vec3 q = fender_vec3_add_scaled(fender_vec3_add_scaled(w, -x, u), -y, v);
        return fender_vec3_length(q);
    }
    for (int k = 0; k < 3; k++) {
        fender_vec3 from = fnd_surface_corner(s, t, k), e = fender_vec3_sub(fnd_surface_corner(s, t, k + 1), from);
        double at = fender_vec3_dot(e, fender_vec3_sub(p, from)) / fender_vec3_dot(e, e);
        at = at < 0 ? 0 : at > 1 ? 1 : at;
        double l = fender_vec3_length(fender_vec3_sub(p, fender_vec3_add_scaled(from, at, e)));
        best = l < best ? l : best;
    }
    return best;
}

/* How far a surface reaches in a direction: that of its vertices, all of which are in triangles. The triangles that are
 * so low, one by one. */
static void the_lowest_place(void **state)
{
    (void)state;
    int full = 0, some = 0;
    for (uint64_t n = 0; n < 6; n++) {
        random_stream r = random_of_case(812, n);
        fnd_surface *s = n % 3 == 2 ? ball(6 + (int)n, n == 5 ? 150 : 9)
                                    : waves(&r, n % 3 == 0, random_magnitude(&r, 1e-3, 2));
        assert_non_null(s);
        for (int i = 0; i < 200; i++) {
            const fender_vec3 down = i < 3 ? fender_vec3_make(i == 0, i == 1, i == 2) : random_direction(&r);
            const fender_vec3 from = random_in_ball(&r, 3);
            double least = INFINITY;
            for (int k = 0; k < s->vertex_count; k++)
                least = fmin(least, fender_vec3_dot(down, fender_vec3_sub(s->vertices[k], from)));
            assert_true(fnd_surface_lowest(s, down, from) == least);
            uint64_t listed[FND_SURFACE_LISTED];
            const double height = least + random_magnitude(&r, 1e-6, 4);
            const int count = fnd_surface_below(s, down, from, height, listed);
            int at = 0, below = 0;
            for (int t = 0; t < s->triangle_count; t++) { /* in their order */
                bool has = false;
                for (int k = 0; k < 3; k++)
                    has |= fender_vec3_dot(down, fender_vec3_sub(fnd_surface_corner(s, t, k), from)) <= height;
                if (has && at < count && listed[at] == (uint64_t)t) at++;
                below += has;
            }
            assert_true(count < 0 ? below > FND_SURFACE_LISTED : at == count && below == count);
            full += count < 0;
            some += count > 1 && count < s->triangle_count;
        }
        fender_env env = fender_env_default();
        fnd_surface_release(&env, s);
    }
    assert_true(full > 5 && some > 100);
}

static void nearest_places(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    int queries = 0, behind = 0, beside = 0;
    double worst = 0;
    for (uint64_t n = 0; n < 12; n++) {
        random_stream r = random_of_case(811, n);
        bool round = n % 3 == 2;
        fnd_surface *s = round ? ball(6 + (int)n, 9) : waves(&r, n % 3 == 0, random_magnitude(&r, 1e-3, 2));
        assert_non_null(s);
        check_tables(s, round ? 0 : 4 * (SIDE - 1));
        for (int i = 0; i < 7; i++) { /* a place that is no number has no distance */
            const fender_vec3 place = {i % 2 == 0 ? NAN : 1, i / 2 % 2 == 0 ? NAN : 2, i / 4 % 2 == 0 ? NAN : 0};
            const fnd_surface_closest found = fnd_surface_nearest(s, place, INFINITY);
            assert_false(found.distance < INFINITY);
        }
        for (int i = 0; i < 400; i++) {
            fender_vec3 p = {random_between(&r, -4, 5), random_between(&r, 0, 5), random_between(&r, -2, 2)};
            if (round) p = random_in_ball(&r, 2);
            double least = INFINITY;
            for (int t = 0; t < s->triangle_count; t++) {
                double d = distance_to_triangle(s, t, p);
                least = d < least ? d : least;
            }
            fnd_surface_closest found = fnd_surface_nearest(s, p, INFINITY);
            worst = larger(worst, fabs(found.distance - least));
            assert_true(found.triangle >= 0);
            check_near(fender_vec3_length(fender_vec3_sub(p, found.point)), least, 1e-14);
            assert_int_equal(fnd_surface_nearest(s, p, least * 0.999).triangle, -1);
            assert_true(fnd_surface_nearest(s, p, least * 1.001).triangle == found.triangle);
            bool back = fnd_surface_is_behind(s, p, &found), truly = false;
            if (round) { /* all planes of the sphere have it behind them */
                truly = true;
                for (int t = 0; t < s->triangle_count && truly; t++)
                    truly = fender_vec3_dot(fnd_triangle_normal(s, t),
                                            fender_vec3_sub(p, fnd_surface_corner(s, t, 0))) < 0;
                assert_true(back == truly);
            } else {
                for (int t = 0; t < s->triangle_count; t++) { /* the triangle straight above or below */
                    bool over = true;
                    for (int k = 0; k < 3; k++) {
                        fender_vec3 a = fnd_surface_corner(s, t, k), b = fnd_surface_corner(s, t, k + 1);
                        over = over && (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) >= 0;
                    }
                    if (over)
                        truly = fender_vec3_dot(fnd_triangle_normal(s, t),
                                                fender_vec3_sub(p, fnd_surface_corner(s, t, 0))) < 0;
                }
                if (n % 3 == 0) assert_true(back == truly); /* of a mesh the border is never behind */
                else if (p.x > -3 && p.x < 3.5 && p.y > 1 && p.y < 4.25) assert_true(!back || truly);
                beside += back != truly;
            }
            behind += back;
            queries++;
        }
        fnd_surface_release(&env, s);
    }
    printf(
        "nearest places: %d points, %d of them behind, %d behind an open mesh but nearest to its border; worst error "
        "%.2g\n",
        queries, behind, beside, worst);
    assert_true(worst < 1e-14 && behind > 500);
}

static void boxes(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    int found = 0;
    for (uint64_t n = 0; n < 6; n++) {
        random_stream r = random_of_case(812, n);
        fnd_surface *s = waves(&r, n % 2 == 0, 1);
        for (int i = 0; i < 100; i++) {
            fender_vec3 c = {random_between(&r, -4, 5), random_between(&r, 0, 5), random_between(&r, -2, 2)};
            fender_vec3 h = {random_between(&r, 0, 2), random_between(&r, 0, 2), random_between(&r, 0, 2)};
            fender_box box = {fender_vec3_sub(c, h), fender_vec3_add(c, h)};
            bool seen[2 * SIDE * SIDE] = {false};
            fnd_surface_traversal walk;
            fnd_surface_traversal_begin(&walk, s, box);
            for (int32_t t; (t = fnd_surface_traversal_next(&walk)) >= 0; found++) {
                assert_false(seen[t]);
                seen[t] = true;
            }
            for (int t = 0; t < s->triangle_count; t++) {
                fender_vec3 low = fnd_surface_corner(s, t, 0), high = low;
                for (int k = 1; k < 3; k++) {
                    fender_vec3 v = fnd_surface_corner(s, t, k);
                    low = fender_vec3_make(v.x < low.x ? v.x : low.x, v.y < low.y ? v.y : low.y,
                                           v.z < low.z ? v.z : low.z);
                    high = fender_vec3_make(larger(v.x, high.x), larger(v.y, high.y), larger(v.z, high.z));
                }
                bool meets = low.x <= box.upper.x && high.x >= box.lower.x && low.y <= box.upper.y &&
                             high.y >= box.lower.y && low.z <= box.upper.z && high.z >= box.lower.z;
                assert_true(meets == seen[t]);
            }
        }
        fnd_surface_release(&env, s);
    }
    printf("boxes: %d triangles, each found by looking at all\n", found);
    assert_true(found > 5000);
}

/* Trees that could be deep, edges of three triangles, folded ones, degenerate triangles. */
static void odd_meshes(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    static fender_vec3 v[3 * 900];
    static int32_t t[900][3];
    for (int i = 0; i < 900; i++) { /* ever smaller, towards one point */
        double size = ldexp(1, -i / 3);
        for (int k = 0; k < 3; k++) {
            v[3 * i + k] = fender_vec3_make(size * (1 + 0.1 * (k == 1)), size * (1 + 0.1 * (k == 2)), size);
            t[i][k] = 3 * i + k;
        }
    }
    fnd_surface *s = fnd_surface_create(&env, v, 2700, &t[0][0], 900);
    assert_non_null(s);
    for (int i = 0; i < 900; i += 7) assert_true(fnd_surface_nearest(s, v[3 * i], INFINITY).distance == 0);
    fnd_surface_release(&env, s);
    const fender_vec3 fan[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}};
    const int32_t three[][3] = {{0, 1, 2}, {1, 0, 3}, {1, 0, 4}};
    s = fnd_surface_create(&env, fan, 5, &three[0][0], 3);
    for (int i = 0; i < 3; i++) assert_int_equal(s->neighbours[i][0], -1); /* the edge of three */
    fnd_surface_release(&env, s);
    const int32_t folded[][3] = {{0, 1, 2}, {0, 2, 1}};
    s = fnd_surface_create(&env, fan, 5, &folded[0][0], 2);
    check_near(fender_vec3_length(fnd_vertex_normal(s, 0)), 1, 4e-16);
    assert_true(fender_vec3_length(fnd_vertex_normal(s, 4)) == 0); /* used by none */
    fnd_surface_release(&env, s);
    const fender_vec3 line[] = {{0, 0, 0}, {0.1, 0.2, 0.3}, {0.3, 0.6, 0.9}, {1e-12, 0, 0}};
    const int32_t flat[][3] = {{0, 1, 3}, {0, 1, 2}}, same[][3] = {{0, 1, 1}};
    assert_int_equal(fnd_surface_degenerate(line, &flat[0][0], 2), 1);
    assert_int_equal(fnd_surface_degenerate(line, &same[0][0], 1), 0);
    const double scales[] = {1e-100, 1, 1e100};
    for (int i = 0; i < 3; i++) { /* sizes far from 1 */
        fender_vec3 w[3];
        for (int k = 0; k < 3; k++) w[k] = fender_vec3_scale(scales[i], fan[k]);
        assert_int_equal(fnd_surface_degenerate(w, three[0], 1), -1);
        s = fnd_surface_create(&env, w, 3, three[0], 1);
        assert_true(fnd_triangle_normal(s, 0).z == 1 && fnd_vertex_normal(s, 0).z == 1);
        fnd_surface_release(&env, s);
    }
}

/* Lines of a raster at random places: every query as by brute force, or as of the mesh of its triangles. */
static void uneven_grids_are_searched(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    for (uint64_t n = 0; n < 30; n++) {
        random_stream r = random_of_case(77, n);
        double heights[SIDE * SIDE], x[SIDE], y[SIDE];
        for (int i = 0; i < SIDE * SIDE; i++) heights[i] = random_between(&r, -0.3, 0.3);
        x[0] = random_between(&r, -3, 3), y[0] = -1;
        for (int i = 1; i < SIDE; i++) {
            x[i] = x[i - 1] + (n % 3 ? random_magnitude(&r, 0.01, 1) : 0.5); /* every third: even along x */
            y[i] = y[i - 1] + random_magnitude(&r, 0.01, 1);
        }
        int side = n % 5 ? SIDE : 2; /* two lines have another tree */
        const fender_grid_def def = {.count_x = SIDE, .count_y = side, .heights = heights};
        const fnd_grid_lines lines = {x, y};
        fnd_surface *s = fnd_surface_of_grid(&env, &def, &lines);
        fnd_surface *mesh = fnd_surface_create(&env, s->vertices, s->vertex_count, &s->triangles[0][0],
                                               s->triangle_count);
        assert_non_null(s);
        assert_non_null(mesh);
        for (int k = 0; k < 100; k++) {
            fender_vec3 p = {random_between(&r, x[0] - 0.2, x[SIDE - 1] + 0.2),
                             random_between(&r, y[0] - 0.2, y[side - 1] + 0.2), random_between(&r, -0.5, 0.5)};
            if (k % 4 == 0) p.x = x[random_below(&r, SIDE)];
            int line = -1, row = -1;
            while (line + 1 < SIDE && x[line + 1] <= p.x) line++;
            while (row + 1 < side && y[row + 1] <= p.y) row++;
            assert_int_equal(fnd_grid_line(s, 0, p.x), line);
            assert_int_equal(fnd_grid_line(s, 1, p.y), row);
            double height = NAN;
            bool within = p.x >= x[0] && p.x <= x[SIDE - 1] && p.y >= y[0] && p.y <= y[side - 1];
            assert_int_equal(fnd_grid_height(s, p, &height), within);
            if (within) { /* the vertical line meets the surface there */
                fender_vec3 on = {p.x, p.y, height};
                assert_true(fnd_surface_nearest(mesh, on, INFINITY).distance < 1e-14);
            }
            fnd_surface_closest one = fnd_surface_nearest(s, p, INFINITY),
                                other = fnd_surface_nearest(mesh, p, INFINITY);
            assert_memory_equal(&one.point, &other.point, sizeof one.point);
        }
        fnd_surface_release(&env, mesh);
        fnd_surface_release(&env, s);
    }
}

/* What is wrong with the lines of a raster is said, with its place. */
static void wrong_lines_are_refused(void **state)
{
    (void)state;
    static const struct {
        double x[3];
        const char *path;
    } cases[] = {{{0, 1, 1}, "x[2]"},
                 {{0, 2, 1}, "x[2]"},
                 {{NAN, 1, 2}, "x[0]"},
                 {{0, 1, INFINITY}, "x[2]"},
                 {{1e16, 1e16 + 2, 1e16 + 4}, "x[1]"}};
    static const double heights[9], y[3] = {0, 1, 2};
    fender_env env = fender_env_default();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_error error = {0};
        fender_grid_def def = {.count_x = 3, .count_y = 3, .heights = heights};
        assert_null(fender_geometry_uneven_grid(&env, &def, cases[i].x, y, &error));
        assert_string_equal(error.path, cases[i].path);
        assert_int_equal(error.status, FENDER_STATUS_VALUE);
    }
    fender_grid_def half = {.count_x = 3, .count_y = 3, .spacing = {1, 1}, .heights = heights};
    fender_error error = {0};
    assert_null(fender_geometry_uneven_grid(&env, &half, y, NULL, &error));
    assert_string_equal(error.path, "y");
    assert_int_equal(error.status, FENDER_STATUS_ARGUMENT);
}

/* Before a face, an edge or a corner of a cube: the greatest distance from the planes that meet there. */
static void before_edges(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_vec3 v[8];
    for (int i = 0; i < 8; i++) v[i] = fender_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    static const int32_t t[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    static const struct {
        fender_vec3 place;
        double before;
    } cases[] = {{{0.3, 0.2, 1.4}, 0.4}, {{1.1, 1.3, 0.1}, 0.3}, {{1.3, -1.1, 0.1}, 0.3}, {{1.1, 1.2, 1.4}, 0.4}};
    fnd_surface *s = fnd_surface_create(&env, v, 8, &t[0][0], 12);
    assert_non_null(s);
    for (int i = 0; i < 4; i++) {
        const fnd_surface_closest nearest = fnd_surface_nearest(s, cases[i].place, INFINITY);
        check_near(fnd_surface_before_planes(s, &nearest), cases[i].before, 1e-15);
    }
    fnd_surface_release(&env, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_place),
        cmocka_unit_test(nearest_places),
        cmocka_unit_test(boxes),
        cmocka_unit_test(odd_meshes),
        cmocka_unit_test(uneven_grids_are_searched),
        cmocka_unit_test(wrong_lines_are_refused),
        cmocka_unit_test(before_edges),
    };
    return cmocka_run_group_tests_name("surface", tests, NULL, NULL);
}
