/* Clouds, planes and user fields against solids, where closed forms or other pairs of the table say what must come out.
 *
 * Fields are written so that another pair function is their oracle: the field of a half space is a plane, that of a
 * ball a sphere. 1,000 random poses each. Tolerance 1e-13 of the larger of size and distance: both sides round a few
 * dozen times. */
/* items: S022 S023 S028 S029 S032 S033 S038 S039 */
#include "check.h"
#include "geometry/geometry.h"
#include "random_numbers.h"

#ifndef POSES
#define POSES 1000
#endif

static fender_env env;
static fender_error error;

static fender_box field_bounds(const void *data)
{
    (void)data;
    return (fender_box){{-30, -30, -30}, {30, 30, 30}};
}
static double half_space(const void *data, fender_vec3 point, fender_vec3 *outward)
{
    (void)data;
    *outward = fender_vec3_make(0, 0, 1);
    return point.z;
}
static double ball(const void *data, fender_vec3 point, fender_vec3 *outward)
{
    double length = fender_vec3_length(point);
    *outward = length > 0 ? fender_vec3_scale(1 / length, point) : fender_vec3_make(0, 0, 1);
    return length - *(const double *)data;
}

static fender_geometry *field(double (*distance)(const void *, fender_vec3, fender_vec3 *), double radius)
{
    const fender_geometry_class type = {sizeof type, "field", field_bounds, NULL, distance, NULL};
    fender_geometry *g = fender_geometry_user(&env, &type, &radius, sizeof radius, &error);
    assert_non_null(g);
    return g;
}

static fender_geometry *solid(int kind, random_stream *r)
{
    double radius = random_magnitude(r, 0.1, 2), half_length = random_magnitude(r, 0.1, 2);
    fender_vec3 half = {radius, half_length, random_magnitude(r, 0.1, 2)}, points[12];
    for (int i = 0; i < 12; i++) points[i] = random_in_ball(r, 2);
    switch (kind) {
    case 0: return fender_geometry_point(&env, &error);
    case 1: return fender_geometry_sphere(&env, radius, &error);
    case 2: return fender_geometry_capsule(&env, radius, half_length, &error);
    case 3: return fender_geometry_disk(&env, radius, &error);
    case 4: return fender_geometry_box(&env, half, &error);
    case 5: return fender_geometry_cylinder(&env, radius, half_length, &error);
    case 6: return fender_geometry_cone(&env, radius, half_length, &error);
    case 7: return fender_geometry_ellipsoid(&env, half, &error);
    default: return fender_geometry_hull(&env, points, 12, &error);
    }
}

static fender_pose pose(random_stream *r, double distance)
{
    return (fender_pose){random_in_ball(r, distance), random_rotation(r)};
}

/* point_b = point_a + distance * normal */
static double gap_of(const fender_separation *s)
{
    fender_vec3 there = fender_vec3_add_scaled(s->point_a, s->distance, s->normal);
    return fender_vec3_length(fender_vec3_sub(s->point_b, there));
}

static void test_fields(void **state)
{
    (void)state;
    fender_geometry *plane = fender_geometry_plane(&env, &error), *flat = field(half_space, 0);
    double worst = 0, worst_place = 0, worst_ball = 0, worst_point = 0;
    int overlaps = 0;
    for (uint64_t i = 0; i < POSES; i++)
        for (int kind = 0; kind < 9; kind++) {
            random_stream r = random_of_case(6300 + (uint64_t)kind, i);
            fender_geometry *g = solid(kind, &r);
            fender_pose X_A = pose(&r, 3), X_B = pose(&r, 3);
            fender_separation one, other;
            assert_int_equal(fender_geometry_separation(flat, &X_A, g, &X_B, &one), FENDER_STATUS_OK);
            assert_int_equal(fender_geometry_separation(plane, &X_A, g, &X_B, &other), FENDER_STATUS_OK);
            worst = larger(worst, fabs(one.distance - other.distance) / 6);
            worst = larger(worst, larger(gap_of(&one), gap_of(&other)) / 6);
            worst = larger(worst, fender_vec3_length(fender_vec3_sub(one.normal, other.normal)));
            worst_place = larger(worst_place, fender_vec3_length(fender_vec3_sub(one.point_b, other.point_b)) / 6);
            overlaps += one.distance < 0;
            if (kind <= 2) { /* a sphere's field beside a point, sphere, capsule */
                double radius = random_between(&r, 0.1, 2);
                fender_geometry *round = field(ball, radius), *sphere = fender_geometry_sphere(&env, radius, &error);
                assert_int_equal(fender_geometry_separation(round, &X_A, g, &X_B, &one), FENDER_STATUS_OK);
                assert_int_equal(fender_geometry_separation(sphere, &X_A, g, &X_B, &other), FENDER_STATUS_OK);
                worst_ball = larger(worst_ball, fabs(one.distance - other.distance) / 6);
                worst_point = larger(worst_point, fender_vec3_length(fender_vec3_sub(one.point_b, other.point_b)) / 6);
                fender_geometry_release(round), fender_geometry_release(sphere);
            }
            fender_geometry_release(g);
        }
    print_message("%d poses, %d overlapping: field of a half space to %.2g of the plane, points %.2g; of a ball: "
                  "distance %.2g, points %.2g\n",
                  9 * POSES, overlaps, worst, worst_place, worst_ball, worst_point);
    check_below(worst, 1e-13);
    check_below(worst_place, 1e-9); /* downhill until nothing is gained: the square of this */
    check_below(worst_ball, 1e-13);
    check_below(worst_point, 1e-13);
    fender_geometry_release(plane), fender_geometry_release(flat);
}

/* A box on the field of a half space: its vertices, weights of a face adding up to 1. */
static void test_vertices_on_field(void **state)
{
    (void)state;
    fender_geometry *flat = field(half_space, 0), *box = fender_geometry_box(&env, fender_vec3_make(1, 2, 3), &error);
    fender_pose X_A = fender_pose_identity(), X_B = {{0, 0, 2.99}, {1, 0, 0, 0}};
    fender_separation found[10];
    int count;
    assert_int_equal(fender_geometry_contacts(flat, &X_A, box, &X_B, FENDER_CONTACT_POINTS_PATCH, 0, found, 10, &count),
                     0);
    assert_int_equal(count, 4);
    double weight = 0;
    for (int i = 0; i < count; i++) {
        weight += found[i].weight;
        check_near(found[i].distance, -0.01, 1e-15);
        check_near(fabs(found[i].point_b.x), 1, 0);
        check_near(fabs(found[i].point_b.y), 2, 0);
        assert_int_equal(found[i].feature, (uint64_t)found[i].index);
    }
    check_near(weight, 1, 1e-15);
    assert_int_equal(
        fender_geometry_contacts(flat, &X_A, box, &X_B, FENDER_CONTACT_POINTS_SINGLE, 0, found, 10, &count), 0);
    assert_int_equal(count, 1);
    check_near(found[0].weight, 1, 0);
    fender_geometry_release(flat), fender_geometry_release(box);
}

/* Each point of a cloud is what a point by itself is, in order; the separation is the nearest. */
static void test_clouds(void **state)
{
    (void)state;
    long compared = 0;
    for (uint64_t i = 0; i < POSES; i++)
        for (int kind = 1; kind < 10; kind++) {
            random_stream r = random_of_case(6400 + (uint64_t)kind, i);
            fender_vec3 points[8];
            for (int k = 0; k < 8; k++) points[k] = random_in_ball(&r, 2);
            points[5] = points[2];
            fender_geometry *g = kind < 9 ? solid(kind, &r) : fender_geometry_plane(&env, &error);
            fender_geometry *cloud = fender_geometry_cloud(&env, points, 8, &error),
                            *point = fender_geometry_point(&env, &error);
            fender_pose X_A = pose(&r, 2), X_B = pose(&r, 2);
            fender_separation found[8], nearest, single;
            int count, at = 0;
            double reach = random_between(&r, -0.5, 1), least = INFINITY;
            assert_int_equal(
                fender_geometry_contacts(cloud, &X_A, g, &X_B, FENDER_CONTACT_POINTS_PATCH, reach, found, 8, &count),
                0);
            assert_int_equal(fender_geometry_separation(cloud, &X_A, g, &X_B, &nearest), 0);
            for (int k = 0; k < 8; k++) {
                fender_vec3 lever = fender_quaternion_rotate(X_A.q, points[k]);
                fender_pose X_P = {fender_vec3_add(X_A.p, lever), X_A.q};
                assert_int_equal(fender_geometry_separation(point, &X_P, g, &X_B, &single), 0);
                if (single.distance < least) least = single.distance;
                if (fabs(single.distance - reach) < 1e-13) continue;
                bool here = at < count && found[at].index == k;
                assert_int_equal(here, single.distance < reach);
                if (!here) continue;
                assert_int_equal(found[at].feature, (uint64_t)k);
                check_near(found[at].distance, single.distance, 2e-15 * 6);
                check_vector(found[at].normal, single.normal, 1e-12 / larger(fabs(single.distance), 1e-3));
                check_vector(found[at].point_a, lever, 1e-15 * 6);
                check_near(found[at].weight, 1, 0);
                check_near(gap_of(&found[at]), 0, 1e-14);
                compared++, at++;
            }
            check_near(nearest.distance, least, 2e-15 * 6);
            assert_int_not_equal(nearest.index, 5); /* of equal ones the first */
            fender_geometry_release(g), fender_geometry_release(cloud), fender_geometry_release(point);
        }
    print_message("%ld points of clouds beside the same points alone\n", compared);
}

/* Lying parallel to a plane to rounding: pushed in the middle; a tilt above rounding: at the lower end. */
static void test_lying(void **state)
{
    (void)state;
    fender_geometry *plane = fender_geometry_plane(&env, &error);
    double worst = 0;
    for (uint64_t i = 0; i < POSES; i++)
        for (int kind = 2; kind < 7; kind++) {
            random_stream r = random_of_case(6500 + (uint64_t)kind, i);
            fender_geometry *g = solid(kind, &r);
            double radius = fender_geometry_radius(g), half_length = fender_geometry_half_length(g),
                   turn = random_between(&r, 0, 6.28);
            fender_vec3 half = fender_geometry_half_extents(g);
            bool side = kind == 2 || (kind == 5 && random_below(&r, 2)), slant = kind == 6 && random_below(&r, 2);
            double tilt = side    ? 0.5 * 3.14159265358979323846
                          : slant ? 0.5 * 3.14159265358979323846 + atan2(radius, 2 * half_length)
                                  : 0;
            double height = side ? radius : kind == 3 ? 0 : kind == 4 ? half.z : half_length;
            if (slant) height = radius * half_length / sqrt(radius * radius + 4 * half_length * half_length);
            fender_quaternion roll = {cos(0.5 * turn), 0, 0, sin(0.5 * turn)},
                              lay = {cos(0.5 * tilt), sin(0.5 * tilt), 0, 0};
            fender_quaternion base = random_rotation(&r), lean = {1, 0.5e-7, 0, 0},
                              lying = fender_quaternion_product(roll, lay);
            fender_pose X_A = {{0, 0, 0}, base};
            fender_pose X_B = {fender_quaternion_rotate(base, fender_vec3_make(0, 0, height)),
                               fender_quaternion_product(base, lying)};
            fender_separation s;
            assert_int_equal(fender_geometry_separation(plane, &X_A, g, &X_B, &s), 0);
            check_near(s.distance, 0, 1e-14);
            fender_vec3 here = fender_quaternion_rotate(fender_quaternion_conjugate(base), s.point_a);
            double off = sqrt(here.x * here.x + here.y * here.y);
            /* the middle of a cone's line is radius / 2 from the axis, at z = 0 */
            double expected = slant ? sqrt(0.25 * radius * radius - height * height) : 0;
            worst = larger(worst, fabs(off - expected));
            X_B.q = fender_quaternion_product(base, fender_quaternion_product(lying, lean));
            assert_int_equal(fender_geometry_separation(plane, &X_A, g, &X_B, &s), 0);
            here = fender_quaternion_rotate(fender_quaternion_conjugate(base), s.point_a);
            if (kind != 6) assert_true(sqrt(here.x * here.x + here.y * here.y) > 0.05);
            fender_geometry_release(g);
        }
    print_message("%d bodies that lie on a plane: pushed in the middle to %.2g\n", 5 * POSES, worst);
    check_below(worst, 1e-13);
    fender_geometry_release(plane);
}

int main(void)
{
    env = fender_env_default();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields), cmocka_unit_test(test_vertices_on_field),
                                       cmocka_unit_test(test_clouds), cmocka_unit_test(test_lying)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
