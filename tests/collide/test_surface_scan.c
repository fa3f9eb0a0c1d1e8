/* Scans of a surface's triangles: nothing is left out that a solid or a sphere reaches, and every width of registers
 * finds the same, bit for bit. Asked of all triangles one by one. */
#include "base/width.h"
#include "collide/mesh_scan.h"
#include "geometry/geometry.h"
#include "random_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { SIDE = 25, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1), WIDTHS = 3 };

/* Rough, and level in a corner; a grid, or the same as a mesh. */
static fender_geometry *make_ground(random_stream *r, bool grid)
{
    fender_env env = fender_env_default();
    static double heights[SIDE * SIDE];
    static fender_vec3 vertices[SIDE * SIDE];
    static int32_t triangles[TRIANGLES][3];
    int count = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            int at = j * SIDE + i;
            heights[at] = i < 9 && j < 9 ? 0.25 : random_between(r, 0, 0.6);
            vertices[at] = fender_vec3_make(-1 + 0.25 * i, 2 + 0.25 * j, heights[at]);
            if (i + 1 == SIDE || j + 1 == SIDE) continue;
            const int32_t corners[2][3] = {{at, at + 1, at + SIDE + 1}, {at, at + SIDE + 1, at + SIDE}};
            memcpy(triangles[count], corners, sizeof corners);
            count += 2;
        }
    fender_grid_def raster = {SIDE, SIDE, {-1, 2}, {0.25, 0.25}, heights};
    fender_mesh_def mesh = {vertices, SIDE * SIDE, &triangles[0][0], count};
    fender_geometry *g = grid ? fender_geometry_grid(&env, &raster, NULL) : fender_geometry_mesh(&env, &mesh, NULL);
    assert_non_null(g);
    return g;
}

static int widths(void) { return 1 + fnd_tree_registers(); }

static fnd_surface_visibility make_visibility(random_stream *r, const fnd_surface *s, fender_box *box)
{
    fender_quaternion q = {random_between(r, -1, 1), random_between(r, -1, 1), random_between(r, -1, 1), 0.1};
    fnd_surface_visibility visibility = {.surface = s,
                                         .R_AB = fender_quaternion_matrix(fender_quaternion_normalized(q))};
    visibility.p_AB = fender_vec3_make(random_between(r, -1.5, 5.5), random_between(r, 1.5, 8.5),
                                       random_between(r, -0.3, 1));
    visibility.center = fender_vec3_make(0.05, -0.1, 0.02);
    visibility.half = fender_vec3_make(random_between(r, 0.05, 1), random_between(r, 0.05, 0.5),
                                       random_between(r, 0.05, 0.3));
    visibility.rounding = random_between(r, 0, 1) < 0.3 ? 0.05 : 0;
    fender_vec3 center = fender_vec3_add(visibility.p_AB, fender_mat3_times(&visibility.R_AB, visibility.center)),
                h = visibility.half;
    double reach[3];
    for (int i = 0; i < 3; i++)
        reach[i] = fabs(visibility.R_AB.m[i][0]) * h.x + fabs(visibility.R_AB.m[i][1]) * h.y +
                   fabs(visibility.R_AB.m[i][2]) * h.z + visibility.rounding;
    fender_vec3 half = {reach[0], reach[1], reach[2]};
    *box = (fender_box){fender_vec3_sub(center, half), fender_vec3_add(center, half)};
    return visibility;
}

static void assert_same(const fender_vec3 *a, const fender_vec3 *b) { assert_memory_equal(a, b, sizeof *a); }

/* What is said of a triangle is what it is like, of its plane and as the solid sees it. */
static void check_visible_facet(const fnd_surface_visibility *visibility, const fnd_visible_facet *one)
{
    const fnd_surface *s = visibility->surface;
    int32_t plane = s->planes[one->triangle];
    fender_vec3 n = fnd_triangle_normal(s, plane);
    fender_vec3 from = fender_vec3_sub(fnd_surface_corner(s, plane, 0), visibility->p_AB);
    fender_vec3 normal = fender_mat3_transpose_times(&visibility->R_AB, n);
    assert_same(&normal, &one->normal);
    assert_true(one->offset == fender_vec3_dot(n, from) + visibility->rounding);
    for (int k = 0; k < 3; k++) {
        fender_vec3 q = fender_vec3_sub(fnd_surface_corner(s, one->triangle, k), visibility->p_AB);
        q = fender_mat3_transpose_times(&visibility->R_AB, q);
        assert_same(&q, &one->corners[k]);
    }
}

/* Is a place of the triangle within the box? Random places. */
static bool is_reached(random_stream *r, const fnd_surface_visibility *visibility, int32_t t)
{
    const fnd_surface *s = visibility->surface;
    fender_vec3 c[3];
    for (int k = 0; k < 3; k++)
        c[k] = fender_mat3_transpose_times(&visibility->R_AB,
                                           fender_vec3_sub(fnd_surface_corner(s, t, k), visibility->p_AB));
    for (int i = 0; i < 20; i++) {
        double u = random_between(r, 0, 1), v = random_between(r, 0, 1 - u);
        fender_vec3 x = fender_vec3_add_scaled(c[0], u, fender_vec3_sub(c[1], c[0]));
        x = fender_vec3_add_scaled(x, v, fender_vec3_sub(c[2], c[0]));
        x = fender_vec3_sub(x, visibility->center);
        if (fabs(x.x) < visibility->half.x && fabs(x.y) < visibility->half.y && fabs(x.z) < visibility->half.z)
            return true;
    }
    return false;
}

static void nothing_is_left_out(void **state)
{
    (void)state;
    static fnd_surface_scan_function *const more[WIDTHS] = FND_WIDTHS(fnd_surface_scan);
    random_stream r = random_of_case(977, 1);
    long found = 0, reached = 0, looked_at = 0;
    for (int n = 0; n < 2; n++) {
        fender_geometry *g = make_ground(&r, n == 1);
        const fnd_surface *s = g->surface;
        for (int i = 0; i < 400; i++) {
            fender_box box, part;
            fnd_surface_visibility visibility = make_visibility(&r, s, &box);
            static fnd_visible_facet first[TRIANGLES];
            int count = 0, times[TRIANGLES] = {0};
            part = box;
            part.lower.x = part.upper.x = 0.5 * (box.lower.x + box.upper.x);
            fnd_surface_footprint without;
            fnd_surface_footprint_begin(&without, s, part);
            for (int w = 0; w < widths(); w++)
                for (int half = 0; half < 2; half++) { /* all, and what is not in a slice through the middle */
                    fnd_surface_scan scan;
                    int at = 0, slice = 0;
                    fnd_surface_scan_begin(&scan, &visibility, box, half ? &without : NULL);
                    while (more[w](&scan))
                        for (int k = 0; k < scan.count; k++) {
                            const fnd_visible_facet *one = &scan.found[k];
                            if (half == 0) {
                                if (w == 0) first[count++] = *one;
                                assert_int_equal(first[at].triangle, one->triangle);
                                assert_true(first[at].depth == one->depth);
                                check_visible_facet(&visibility, one);
                                at++;
                                times[one->triangle] += w == 0;
                                continue;
                            }
                            while (at < count && first[at].triangle != one->triangle) at++; /* in the same order */
                            assert_true(at < count);
                            slice++;
                        }
                    if (half == 0) assert_int_equal(at, count);
                    else assert_true(slice <= count);
                }
            for (int32_t t = 0; t < s->triangle_count; t++) {
                assert_true(times[t] < 2);
                bool is = is_reached(&r, &visibility, t);
                if (is) assert_int_equal(times[t], 1);
                reached += is;
            }
            found += count;
            looked_at += s->triangle_count;
        }
        fender_geometry_release(g);
    }
    print_message("%ld of %ld triangles found, of which %ld are reached for certain\n", found, looked_at, reached);
    assert_true(reached > 5000 && found < 4 * reached); /* few are found for nothing */
}

static void balls(void **state)
{
    (void)state;
    static fnd_surface_sphere_scan_function *const more[WIDTHS] = FND_WIDTHS(fnd_surface_sphere_scan);
    random_stream r = random_of_case(977, 2);
    long found = 0, near = 0;
    for (int n = 0; n < 2; n++) {
        fender_geometry *g = make_ground(&r, n == 1);
        const fnd_surface *s = g->surface;
        for (int i = 0; i < 600; i++) {
            fender_vec3 c = {random_between(&r, -1.5, 5.5), random_between(&r, 1.5, 8.5), random_between(&r, -1, 1.5)};
            double limit = random_between(&r, 0, 1.5);
            int32_t first[TRIANGLES];
            int count = 0;
            bool is_found[TRIANGLES] = {false};
            for (int w = 0; w < widths(); w++) {
                fnd_surface_sphere_scan scan;
                int at = 0;
                fnd_surface_sphere_scan_begin(&scan, s, c, limit);
                while (more[w](&scan))
                    for (int k = 0; k < scan.count; k++) {
                        if (w == 0) first[count++] = scan.found[k];
                        assert_int_equal(first[at++], scan.found[k]);
                        is_found[scan.found[k]] = true;
                    }
                assert_int_equal(at, count);
            }
            for (int32_t t = 0; t < s->triangle_count; t++) {
                if (!(fnd_triangle_nearest(s, t, c).distance <= limit)) continue;
                near++;
                assert_true(is_found[t]);
            }
            found += count;
        }
        fender_geometry_release(g);
    }
    print_message("%ld triangles near, %ld found\n", near, found);
    assert_true(near > 10000 && (double)found < 1.01 * (double)near);
}

static fender_vec3 random_vector(random_stream *r)
{
    const double x = random_between(r, -1, 1), y = random_between(r, -1, 1);
    return fender_vec3_make(x, y, random_between(r, -1, 1));
}

static bool is_beyond(const fnd_surface_sample *look, int side, fender_vec3 x)
{
    if (side == FND_SIDES_KNOWN) return look->at->offset - fender_vec3_dot(look->at->normal, x) < 0;
    return fender_vec3_dot(look->inward[side], fender_vec3_sub(x, look->corners[side])) < 0;
}

/* Asked of all vertices one by one, of up to 70 borders, of which the first 63 are known. */
static void vertices_beyond_borders(void **state)
{
    (void)state;
    static const fnd_surface_sample_functions *const functions[WIDTHS] = FND_WIDTHS(&fnd_surface_sample);
    static fnd_vertex_sides sides;
    random_stream r = random_of_case(977, 3);
    const fender_env env = fender_env_default();
    fender_vec3 points[130], corners[70], inward[70];
    for (int i = 0; i < 130; i++) points[i] = fender_vec3_scale(0.5, random_direction(&r));
    fender_geometry *g = fender_geometry_hull(&env, points, 130, NULL);
    const fnd_polytope *p = g->polytope;
    int apart = 0;
    for (int n = 0; n < 200; n++) {
        const fnd_visible_facet at = {.normal = random_direction(&r), .offset = random_between(&r, -0.3, 0.3)};
        const fnd_surface_sample look = {.at = &at, .sides = n % 71, .corners = corners, .inward = inward};
        for (int k = 0; k < look.sides; k++) {
            corners[k] = fender_vec3_scale(0.7, random_vector(&r));
            inward[k] = random_vector(&r);
        }
        const int known = look.sides < FND_SIDES_KNOWN ? look.sides : FND_SIDES_KNOWN;
        uint64_t shared = UINT64_MAX;
        for (int w = 0; w < widths(); w++) {
            const bool in = functions[w]->sides(p, &look, 1, &sides);
            for (int i = 0; i < p->vertex_count; i++) {
                for (int k = 0; k < known; k++)
                    assert_int_equal(sides.beyond[i] >> k & 1, is_beyond(&look, k, p->vertices[i]));
                assert_int_equal(sides.beyond[i] >> FND_SIDES_KNOWN, is_beyond(&look, FND_SIDES_KNOWN, p->vertices[i]));
                if (known < FND_SIDES_KNOWN)
                    assert_int_equal((sides.beyond[i] & ~((uint64_t)1 << FND_SIDES_KNOWN)) >> known, 0);
                shared &= sides.beyond[i];
            }
            assert_int_equal(in, shared == 0);
            apart += !in;
        }
    }
    assert_true(apart > 20 && apart < 180 * widths());
    fender_geometry_release(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_left_out), cmocka_unit_test(balls),
                                       cmocka_unit_test(vertices_beyond_borders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
