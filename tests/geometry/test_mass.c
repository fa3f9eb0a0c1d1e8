/* Mass properties of every type: against integrals over slices, against each other, far from the origin. */
/* items: S004 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "geometry/geometry.h"
#include "random_numbers.h"

static const double density = 2.5;

/* Half axes of the elliptic slice at height z (of the rectangular one, for a box). */
typedef void slice_function(const fender_geometry *g, double z, double *a, double *b);
static void cylinder_slice(const fender_geometry *g, double z, double *a, double *b)
{
    (void)z;
    *a = *b = g->radius;
}
static void cone_slice(const fender_geometry *g, double z, double *a, double *b)
{
    *a = *b = g->radius * (g->half_length - z) / (2 * g->half_length);
}
static void ellipsoid_slice(const fender_geometry *g, double z, double *a, double *b)
{
    double q = sqrt((1 - z / g->half.z) * (1 + z / g->half.z));
    *a = g->half.x * q;
    *b = g->half.y * q;
}
static void box_slice(const fender_geometry *g, double z, double *a, double *b)
{
    (void)z;
    *a = g->half.x;
    *b = g->half.y;
}

/* Gauss's rule of four points: exact for polynomials of degree 7, which all moments of these slices are. */
static fender_mass_properties integrate(const fender_geometry *g, slice_function *slice, double half, bool box)
{
    static const double at[2] = {0.33998104358485626480, 0.86113631159405257522},
                        weight[2] = {0.65214515486254614263, 0.34785484513745385737};
    double pi = acos(-1), m = 0, mz = 0, xx = 0, yy = 0, zz = 0;
    for (int k = 0; k < 4; k++) {
        double z = half * (k % 2 ? at[k / 2] : -at[k / 2]), w = density * half * weight[k / 2], a, b;
        slice(g, z, &a, &b);
        double area = box ? 4 * a * b : pi * a * b, part = box ? 1.0 / 3 : 0.25;
        m += w * area;
        mz += w * area * z;
        zz += w * area * z * z;
        xx += w * area * part * a * a;
        yy += w * area * part * b * b;
    }
    double c = mz / m;
    zz -= m * c * c;
    fender_mass_properties p = {m, {0, 0, c}, fender_mat3_diagonal(yy + zz, xx + zz, xx + yy)};
    return p;
}

static double scale_of(const fender_mass_properties *p)
{
    return p->inertia.m[0][0] + p->inertia.m[1][1] + p->inertia.m[2][2];
}

static double worst_difference(const fender_mass_properties *p, const fender_mass_properties *q, double size)
{
    double worst = fabs(p->mass / q->mass - 1);
    double off = fender_vec3_length(fender_vec3_sub(p->center_of_mass, q->center_of_mass)) / size;
    if (off > worst) worst = off;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double d = fabs(p->inertia.m[i][j] - q->inertia.m[i][j]) / scale_of(q);
            if (d > worst) worst = d;
        }
    return worst;
}

static void slices_add_up(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    double worst = 0;
    for (uint64_t n = 0; n < 1000; n++) {
        random_stream random = random_of_case(501, n);
        double a = random_magnitude(&random, 1e-3, 1e3), b = random_magnitude(&random, 1e-3, 1e3),
               c = random_magnitude(&random, 1e-3, 1e3);
        fender_geometry *shapes[4] = {fender_geometry_cylinder(&env, a, c, NULL),
                                      fender_geometry_cone(&env, a, c, NULL),
                                      fender_geometry_ellipsoid(&env, fender_vec3_make(a, b, c), NULL),
                                      fender_geometry_box(&env, fender_vec3_make(a, b, c), NULL)};
        static slice_function *const slices[4] = {cylinder_slice, cone_slice, ellipsoid_slice, box_slice};
        for (int k = 0; k < 4; k++) {
            fender_mass_properties p = fender_geometry_mass_properties(shapes[k], density);
            fender_mass_properties q = integrate(shapes[k], slices[k], c, k == 3);
            double d = worst_difference(&p, &q, c);
            if (d > worst) worst = d;
            fender_geometry_release(shapes[k]);
        }
    }
    print_message("4000 shapes, worst difference %.2g of the sum of the moments\n", worst);
    assert_true(worst < 4e-15); /* about twenty operations of half an ulp each */
}

static void a_box_is_a_polyhedron(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    double worst = 0;
    for (uint64_t n = 0; n < 1000; n++) {
        random_stream random = random_of_case(502, n);
        double size = random_magnitude(&random, 1e-60, 1e60);
        fender_vec3 half = {size, size * random_between(&random, 0.1, 1), size * random_between(&random, 0.1, 1)};
        fender_geometry *box = fender_geometry_box(&env, half, NULL);
        fender_mass_properties p = fender_geometry_mass_properties(box, density),
                               q = fnd_mass_of_polyhedron(box, density);
        double d = worst_difference(&q, &p, size);
        if (d > worst) worst = d;
        fender_geometry_release(box);
    }
    print_message("1000 boxes, worst difference %.2g\n", worst);
    assert_true(worst < 2e-15);
}

static void types_without_volume_have_no_mass(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_vec3 point = {1, 2, 3};
    fender_geometry *shapes[] = {fender_geometry_point(&env, NULL), fender_geometry_cloud(&env, &point, 1, NULL),
                                 fender_geometry_disk(&env, 1, NULL), fender_geometry_plane(&env, NULL),
                                 fender_geometry_hull(&env, &point, 1, NULL)};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        fender_mass_properties p = fender_geometry_mass_properties(shapes[i], density), zero = {0};
        assert_memory_equal(&p, &zero, sizeof p);
        fender_geometry_release(shapes[i]);
    }
}

static void rounding_keeps_the_mass(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *box = fender_geometry_box(&env, fender_vec3_make(1, 2, 3), NULL),
                    *rounded = fender_geometry_rounded(box, 0.5, NULL);
    fender_mass_properties p = fender_geometry_mass_properties(box, 7), q = fender_geometry_mass_properties(rounded, 7);
    assert_memory_equal(&p, &q, sizeof p);
    fender_geometry_release(box);
    fender_geometry_release(rounded);
}

/* A cylinder as a prism of n sides: its area is n/2 sin(2 pi/n) r^2, so mass and moments converge with 1/n^2. */
static void fine_hulls_converge_to_a_cylinder(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    fender_geometry *cylinder = fender_geometry_cylinder(&env, 0.5, 1, NULL);
    fender_mass_properties exact = fender_geometry_mass_properties(cylinder, density);
    double before = 0;
    for (int n = 16; n <= 256; n *= 2) {
        fender_vec3 points[512];
        for (int i = 0; i < n; i++) {
            double angle = 2 * acos(-1) * i / n;
            points[2 * i] = fender_vec3_make(0.5 * cos(angle), 0.5 * sin(angle), 1);
            points[2 * i + 1] = fender_vec3_make(0.5 * cos(angle), 0.5 * sin(angle), -1);
        }
        fender_geometry *hull = fender_geometry_hull(&env, points, 2 * n, NULL);
        fender_mass_properties p = fender_geometry_mass_properties(hull, density);
        double pi = acos(-1), mass = density * 2 * 0.5 * n * sin(2 * pi / n) * 0.25;
        assert_true(fabs(p.mass / mass - 1) < 1e-14);
        double error = worst_difference(&p, &exact, 1);
        print_message("%4d sides: %.3g\n", n, error);
        if (before > 0) assert_true(before / error > 3.8 && before / error < 4.2);
        before = error;
        fender_geometry_release(hull);
    }
    fender_geometry_release(cylinder);
}

/* The same tetrahedron as a hull and as a mesh, turned, and moved away: inertia does not feel where the frame is. */
static void far_meshes_keep_their_inertia(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    double worst = 0;
    for (uint64_t n = 0; n < 500; n++) {
        random_stream random = random_of_case(503, n);
        fender_vec3 v[4], far[4];
        for (int i = 0; i < 4; i++) v[i] = random_in_ball(&random, 1);
        fender_vec3 a = fender_vec3_sub(v[1], v[0]), b = fender_vec3_sub(v[2], v[0]), c = fender_vec3_sub(v[3], v[0]);
        double six = fender_vec3_dot(a, fender_vec3_cross(b, c));
        if (fabs(six) < 0.05) continue;
        int32_t triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
        if (six < 0)
            for (int t = 0; t < 4; t++) {
                int32_t swap = triangles[3 * t];
                triangles[3 * t] = triangles[3 * t + 1];
                triangles[3 * t + 1] = swap;
            }
        const double shift = 0x1p+20; /* coordinates are then cut to 2^-32 */
        for (int i = 0; i < 4; i++) {
            far[i] = fender_vec3_make(v[i].x + shift, v[i].y - shift, v[i].z + shift);
            v[i] = fender_vec3_make(far[i].x - shift, far[i].y + shift, far[i].z - shift);
        }
        fender_mesh_def near_def = {v, 4, triangles, 4}, far_def = {far, 4, triangles, 4};
        fender_geometry *near_mesh = fender_geometry_mesh(&env, &near_def, NULL),
                        *far_mesh = fender_geometry_mesh(&env, &far_def, NULL),
                        *hull = fender_geometry_hull(&env, v, 4, NULL);
        fender_mass_properties p = fender_geometry_mass_properties(near_mesh, density),
                               q = fender_geometry_mass_properties(far_mesh, density),
                               h = fender_geometry_mass_properties(hull, density);
        q.center_of_mass = fender_vec3_make(q.center_of_mass.x - shift, q.center_of_mass.y + shift,
                                            q.center_of_mass.z - shift);
        double d = worst_difference(&q, &p, 1e6), e = worst_difference(&h, &p, 1);
        if (d > worst) worst = d;
        if (e > worst) worst = e;
        /* a tetrahedron's centroid is the mean of its corners; about it the second moment is V/20 sum u u^T */
        fender_vec3 mean = fender_vec3_scale(0.25,
                                             fender_vec3_add(fender_vec3_add(v[0], v[1]), fender_vec3_add(v[2], v[3])));
        double mass = density *
                      fabs(six = fender_vec3_dot(
                               fender_vec3_sub(v[1], v[0]),
                               fender_vec3_cross(fender_vec3_sub(v[2], v[0]), fender_vec3_sub(v[3], v[0])))) /
                      6,
               zz = 0, xy = 0;
        for (int i = 0; i < 4; i++) {
            fender_vec3 u = fender_vec3_sub(v[i], mean);
            zz += mass / 20 * (u.x * u.x + u.y * u.y);
            xy += mass / 20 * u.x * u.y;
        }
        assert_true(fabs(p.mass / mass - 1) < 1e-13 && fabs(p.inertia.m[2][2] / zz - 1) < 1e-13);
        assert_true(fabs(p.inertia.m[0][1] + xy) < 1e-13 * zz);
        fender_geometry_release(near_mesh);
        fender_geometry_release(far_mesh);
        fender_geometry_release(hull);
    }
    print_message("worst difference %.2g\n", worst);
    assert_true(worst < 1e-13);
}

static fender_box user_bounds(const void *data)
{
    (void)data;
    return (fender_box){{0, 0, 0}, {2, 4, 6}};
}
static fender_vec3 user_support(const void *data, fender_vec3 d)
{
    (void)data;
    return fender_vec3_make(d.x < 0 ? 0 : 2, d.y < 0 ? 0 : 4, d.z < 0 ? 0 : 6);
}
static fender_mass_properties user_mass(const void *data, double value)
{
    return (fender_mass_properties){value * *(const double *)data, {1, 2, 3}, fender_mat3_identity()};
}
static void user_geometries_have_their_own_or_those_of_the_bounds(void **unused)
{
    (void)unused;
    fender_env env = fender_env_default();
    double scale = 4;
    fender_geometry_class type = {sizeof type, "brick", user_bounds, user_support, NULL, NULL};
    fender_geometry *g = fender_geometry_user(&env, &type, NULL, 0, NULL);
    fender_geometry *box = fender_geometry_box(&env, fender_vec3_make(1, 2, 3), NULL);
    fender_geometry *rounded = fender_geometry_rounded(g, 1, NULL);
    fender_mass_properties p = fender_geometry_mass_properties(g, 3), q = fender_geometry_mass_properties(box, 3),
                           r = fender_geometry_mass_properties(rounded, 3);
    assert_memory_equal(&p, &r, sizeof p);
    assert_true(p.center_of_mass.x == 1 && p.center_of_mass.y == 2 && p.center_of_mass.z == 3);
    assert_memory_equal(&p.inertia, &q.inertia, sizeof p.inertia);
    assert_true(p.mass == q.mass);
    fender_geometry_release(g);
    fender_geometry_release(rounded);
    fender_geometry_release(box);
    type.mass_properties = user_mass;
    g = fender_geometry_user(&env, &type, &scale, sizeof scale, NULL);
    assert_true(fender_geometry_mass_properties(g, 3).mass == 12);
    fender_geometry_release(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_add_up),
        cmocka_unit_test(a_box_is_a_polyhedron),
        cmocka_unit_test(types_without_volume_have_no_mass),
        cmocka_unit_test(rounding_keeps_the_mass),
        cmocka_unit_test(fine_hulls_converge_to_a_cylinder),
        cmocka_unit_test(far_meshes_keep_their_inertia),
        cmocka_unit_test(user_geometries_have_their_own_or_those_of_the_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
