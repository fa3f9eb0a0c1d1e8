/* Points within cylinders and cones, on the axis or next to it, as disks of no radius: there a whole ring of ways out
 * is nearly as good as the least one. The depth in closed form: the nearest of side, caps and base. */
#include "check.h"
#include "random_numbers.h"
#include <fender/geometry.h>

enum { POSES = repeats(1500) };

static double cylinder_depth(double radius, double half_length, double r, double z)
{
    double side = radius - r, cap = half_length - fabs(z);
    return side < cap ? side : cap;
}

static double cone_depth(double radius, double half_length, double r, double z)
{
    double length = sqrt(radius * radius + 4 * half_length * half_length), base = z + half_length;
    double side = ((half_length - z) * radius - 2 * half_length * r) / length;
    return side < base ? side : base;
}

static void points_near_the_axis(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_error error;
    fender_geometry *point = fender_geometry_disk(&env, 0, &error);
    double worst[2] = {0, 0}, worst_gap = 0;
    int inside[2] = {0, 0};
    for (int i = 0; i < POSES; i++)
        for (int cone = 0; cone < 2; cone++) {
            random_stream stream = random_of_case(8100 + (uint64_t)cone, (uint64_t)i);
            double radius = random_magnitude(&stream, 0.1, 1),
                   half_length = radius * random_magnitude(&stream, 0.03, 30);
            if (random_below(&stream, 3) == 0) half_length = radius * random_between(&stream, 0.97, 1.03);
            double least = radius < half_length ? radius : half_length, turn = random_between(&stream, 0, 6.28);
            double r = random_below(&stream, 4) ? least * random_magnitude(&stream, 1e-14, 0.3) : 0;
            double z = random_below(&stream, 3) ? half_length * random_between(&stream, -0.9, 0.9) : 0;
            double depth = cone ? cone_depth(radius, half_length, r, z) : cylinder_depth(radius, half_length, r, z);
            if (!(depth > 1e-3 * least)) continue;
            fender_geometry *g = cone ? fender_geometry_cone(&env, radius, half_length, &error)
                                      : fender_geometry_cylinder(&env, radius, half_length, &error);
            fender_pose X = {{0, 0, 0}, random_rotation(&stream)};
            fender_vec3 at = fender_quaternion_rotate(X.q, fender_vec3_make(r * cos(turn), r * sin(turn), z));
            fender_pose here = {at, random_rotation(&stream)};
            fender_separation s;
            assert_int_equal(fender_geometry_separation(g, &X, point, &here, &s), FENDER_STATUS_OK);
            double size = radius + half_length, error_here = fabs(s.distance + depth) / size;
            worst[cone] = larger(worst[cone], error_here);
            worst_gap = larger(worst_gap, fender_vec3_length(fender_vec3_sub(s.point_b, at)) / size);
            inside[cone]++;
            fender_geometry_release(g);
        }
    fender_geometry_release(point);
    print_message("%d points in cylinders: depth to %.2g of the size; %d in cones: %.2g; nearest points to %.2g\n",
                  inside[0], worst[0], inside[1], worst[1], worst_gap);
    assert_true(inside[0] > POSES / 2 && inside[1] > POSES / 2);
    check_below(worst[0], 1e-13); /* roundings of the pose, 1e-16 each, times a few lengths */
    check_below(worst[1], 1e-13);
    check_below(worst_gap, 1e-9); /* across the way out the point is as good as the root of its depth, or better */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_near_the_axis)};
    return cmocka_run_group_tests_name("centres of curved solids", tests, NULL, NULL);
}
