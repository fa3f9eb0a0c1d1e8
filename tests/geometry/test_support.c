/* Support points, bounds and polytopes: nothing of a shape lies beyond them, and something reaches them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "geometry/support.h"
#include "random_numbers.h"

enum { shape_count = 14 };

static fender_vec3 user_support(const void *data, fender_vec3 d) /* a cube */
{
    double r = *(const double *)data;
    return fender_vec3_make(d.x < 0 ? -r : r, d.y < 0 ? -r : r, d.z < 0 ? -r : r);
}
static fender_box user_bounds(const void *data)
{
    double r = *(const double *)data;
    return (fender_box){{-r, -r, -r}, {r, r, r}};
}

static fender_geometry *make(int i, double size)
{
    fender_env env = fender_env_default();
    fender_geometry_class user = {sizeof user, "cube", user_bounds, user_support, NULL, NULL};
    switch (i) {
    case 0: return fender_geometry_sphere(&env, size, NULL);
    case 1: return fender_geometry_capsule(&env, size, 2 * size, NULL);
    case 2: return fender_geometry_point(&env, NULL);
    case 3: return fender_geometry_disk(&env, size, NULL);
    case 4: return fender_geometry_box(&env, fender_vec3_make(size, 2 * size, 0.5 * size), NULL);
    case 5: return fender_geometry_cylinder(&env, size, 0.7 * size, NULL);
    case 6: return fender_geometry_cone(&env, size, 1.5 * size, NULL);
    case 7: return fender_geometry_ellipsoid(&env, fender_vec3_make(size, 3 * size, 0.2 * size), NULL);
    case 8: return fender_geometry_user(&env, &user, &size, sizeof size, NULL);
    case 9: return fender_geometry_box(&env, fender_vec3_make(size, 0, 0.5 * size), NULL);
    case 10: return fender_geometry_box(&env, fender_vec3_make(0, 0, size), NULL);
    case 11: return fender_geometry_box(&env, fender_vec3_make(0, 0, 0), NULL);
    case 12: return fender_geometry_ellipsoid(&env, fender_vec3_make(size, 0, size), NULL);
    default: return fender_geometry_cone(&env, size, 0, NULL);
    }
}

/* Is the point in the core? By the inequalities of the shape, with a tolerance of the size. */
static bool inside(const fender_geometry *g, fender_vec3 p, double tolerance)
{
    double across = sqrt(p.x * p.x + p.y * p.y), r = g->radius, h = g->half_length;
    switch (g->type) {
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT: return p.x == 0 && p.y == 0 && p.z == 0;
    case FENDER_GEOMETRY_CAPSULE: return p.x == 0 && p.y == 0 && fabs(p.z) <= h;
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_CYLINDER: return across <= r + tolerance && fabs(p.z) <= h;
    case FENDER_GEOMETRY_CONE: return fabs(p.z) <= h && across * 2 * h <= r * (h - p.z) + tolerance;
    case FENDER_GEOMETRY_BOX: return fabs(p.x) <= g->half.x && fabs(p.y) <= g->half.y && fabs(p.z) <= g->half.z;
    case FENDER_GEOMETRY_ELLIPSOID: {
        const double v[3] = {p.x, p.y, p.z}, a[3] = {g->half.x, g->half.y, g->half.z};
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            if (a[i] == 0 && v[i] != 0) return false;
            if (a[i] > 0) sum += v[i] / a[i] * (v[i] / a[i]);
        }
        return sum <= 1 + 1e-15;
    }
    default: return true;
    }
}

/* Largest coordinate along d, in closed form. */
static double farthest(const fender_geometry *g, fender_vec3 d)
{
    double across = sqrt(d.x * d.x + d.y * d.y), r = g->radius, h = g->half_length;
    switch (g->type) {
    case FENDER_GEOMETRY_CAPSULE: return h * fabs(d.z);
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_CYLINDER: return h * fabs(d.z) + r * across;
    case FENDER_GEOMETRY_CONE: return h * d.z > r * across - h * d.z ? h * d.z : r * across - h * d.z;
    case FENDER_GEOMETRY_BOX: return g->half.x * fabs(d.x) + g->half.y * fabs(d.y) + g->half.z * fabs(d.z);
    case FENDER_GEOMETRY_ELLIPSOID:
        return g->half.x * sqrt(d.x * d.x + g->half.y / g->half.x * d.y * (g->half.y / g->half.x * d.y) +
                                g->half.z / g->half.x * d.z * (g->half.z / g->half.x * d.z));
    case FENDER_GEOMETRY_USER: return g->bounds.upper.x * (fabs(d.x) + fabs(d.y) + fabs(d.z));
    default: return 0;
    }
}

static void supports_are_farthest_and_in_the_core(void **unused)
{
    (void)unused;
    random_stream random = random_of_case(7, 0);
    static const double sizes[] = {1, 1e-3, 1e6, 1e-250, 1e99};
    int count = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int i = 0; i < shape_count; i++) {
            fender_geometry *g = make(i, sizes[s]);
            assert_non_null(g);
            for (int k = 0; k < 1000; k++, count++) {
                fender_vec3 d = {random_between(&random, -1, 1), random_between(&random, -1, 1),
                                 random_between(&random, -1, 1)};
                if (k % 7 == 0) d.x = 0;
                if (k % 5 == 0) d.y = 0;
                if (k % 11 == 0) d.z = 0;
                fender_vec3 p = fnd_support(g, fender_vec3_scale(k % 3 == 0 ? 1e-200 : 1, d));
                /* four products and the division by the length: 4 ulp of the size along d */
                double tolerance = 4 * 2.2e-16 * 4 * sizes[s];
                assert_true(fabs(fender_vec3_dot(p, d) - farthest(g, d)) <= tolerance);
                assert_true(inside(g, p, tolerance * (g->type == FENDER_GEOMETRY_CONE ? sizes[s] : 1)));
            }
            fender_geometry_release(g);
        }
    print_message("%d support points\n", count);
}

/* The box holds the supports along both directions of each axis and ends there. */
static void bounds_are_those_of_the_supports(void **unused)
{
    (void)unused;
    random_stream random = random_of_case(8, 0);
    int count = 0;
    for (int i = 0; i < 2 * shape_count; i++) {
        fender_geometry *g = make(i % shape_count, 1);
        if (i >= shape_count) {
            fender_geometry *rounded = fender_geometry_rounded(g, 0.25, NULL);
            fender_geometry_release(g);
            g = rounded;
        }
        for (int k = 0; k < 200; k++, count++) {
            fender_pose X = {{1, 2, 3},
                             {random_between(&random, -1, 1), random_between(&random, -1, 1),
                              random_between(&random, -1, 1), random_between(&random, -1, 1)}};
            X.q = fender_quaternion_normalized(k % 10 == 0 ? fender_quaternion_identity() : X.q);
            fender_mat3 R = fender_quaternion_matrix(X.q);
            fender_box box = fender_geometry_bounds(g, &X);
            fender_vec3 center, half;
            fnd_geometry_box(g, &R, &center, &half);
            const double upper[3] = {box.upper.x, box.upper.y, box.upper.z}, p[3] = {1, 2, 3};
            const double lower[3] = {box.lower.x, box.lower.y, box.lower.z}, c[3] = {center.x, center.y, center.z};
            const double h[3] = {half.x, half.y, half.z};
            for (int axis = 0; axis < 3; axis++) {
                fender_vec3 d = {R.m[axis][0], R.m[axis][1], R.m[axis][2]};
                double r = fnd_core_rounding(g), up = fender_vec3_dot(d, fnd_support(g, d)) + r;
                double down = fender_vec3_dot(d, fnd_support(g, fender_vec3_negate(d))) - r;
                assert_true(fabs(upper[axis] - p[axis] - up) < 1e-14 && fabs(lower[axis] - p[axis] - down) < 1e-14);
                assert_true(c[axis] + h[axis] >= up - 1e-14 && c[axis] - h[axis] <= down + 1e-14);
            }
            assert_true(g->bounding_radius >= fender_vec3_length(fnd_support(g, X.p)) + fnd_core_rounding(g) - 1e-14);
        }
        fender_geometry_release(g);
    }
    print_message("%d boxes\n", count);
}

static void a_box_is_a_polytope(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    for (int bits = 0; bits < 8; bits++) {
        fender_vec3 half = {bits & 1 ? 1 : 0, bits & 2 ? 2 : 0, bits & 4 ? 3 : 0};
        fnd_polytope *p = fnd_polytope_of_box(&env, half);
        static const int faces[4] = {0, 0, 2, 6}, edges[4] = {0, 1, 4, 12};
        int dimension = (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1);
        assert_int_equal(p->vertex_count, 1 << dimension);
        assert_int_equal(p->face_count, faces[dimension]);
        assert_int_equal(p->edge_count, edges[dimension]);
        assert_int_equal(p->padded_count, 8);
        for (int f = 0; f < p->face_count; f++) {
            fender_vec3 n = p->face_normals[f];
            const int32_t *corner = p->face_vertices + p->face_start[f];
            fender_vec3 u = fender_vec3_sub(p->vertices[corner[1]], p->vertices[corner[0]]);
            fender_vec3 v = fender_vec3_sub(p->vertices[corner[2]], p->vertices[corner[1]]);
            assert_true(fender_vec3_dot(fender_vec3_cross(u, v), n) == p->face_areas[f] && p->face_areas[f] > 0);
            for (int i = 0; i < p->vertex_count; i++)
                assert_true(fender_vec3_dot(n, p->vertices[i]) <= p->face_offsets[f]);
            for (int k = 0; k < 4; k++) assert_true(fender_vec3_dot(n, p->vertices[corner[k]]) == p->face_offsets[f]);
        }
        for (int e = 0; e < p->edge_count; e++) {
            fnd_polytope_edge edge = p->edges[e];
            fender_vec3 u = fender_vec3_sub(p->vertices[edge.vertex[1]], p->vertices[edge.vertex[0]]);
            assert_true((u.x != 0) + (u.y != 0) + (u.z != 0) == 1);
            for (int side = 0; side < 2 && p->face_count; side++) {
                const int32_t *corner = p->face_vertices + p->face_start[edge.face[side]];
                int k = 0;
                while (k < 4 && corner[k] != edge.vertex[side]) k++;
                assert_true(k < 4 && corner[(k + 1) % 4] == edge.vertex[1 - side]);
            }
        }
        for (int i = 0; i < p->vertex_count; i++)
            assert_int_equal(p->neighbour_start[i + 1] - p->neighbour_start[i], dimension);
        for (int i = 0; i < 8; i++) {
            fender_vec3 v = p->vertices[i < p->vertex_count ? i : p->vertex_count - 1];
            assert_true(p->x[i] == v.x && p->y[i] == v.y && p->z[i] == v.z);
        }
        fnd_polytope_release(&env, p);
    }
}

static void planes_have_no_end(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *g = fender_geometry_plane(&env, NULL);
    fender_pose X = {{1, 2, 3}, {1, 0, 0, 0}};
    fender_box box = fender_geometry_bounds(g, &X);
    assert_true(box.upper.z == 3 && box.lower.z == -INFINITY && box.upper.x == INFINITY && box.lower.y == -INFINITY);
    X.q = (fender_quaternion){0, 1, 0, 0};
    box = fender_geometry_bounds(g, &X);
    assert_true(box.lower.z == 3 && box.upper.z == INFINITY);
    X.q = (fender_quaternion){0.8, 0.6, 0, 0};
    box = fender_geometry_bounds(g, &X);
    assert_true(box.lower.z == -INFINITY && box.upper.z == INFINITY && box.upper.y == INFINITY);
    fender_mat3 R = fender_quaternion_matrix(X.q);
    fender_vec3 center, half;
    fnd_geometry_box(g, &R, &center, &half);
    assert_true(center.x == 0 && center.y == 0 && center.z == 0 && half.x == INFINITY && half.z == INFINITY);
    assert_true(fender_geometry_bounding_radius(g) == INFINITY && g->patch_area == INFINITY);
    fender_geometry_release(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(supports_are_farthest_and_in_the_core),
        cmocka_unit_test(bounds_are_those_of_the_supports),
        cmocka_unit_test(a_box_is_a_polytope),
        cmocka_unit_test(planes_have_no_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
