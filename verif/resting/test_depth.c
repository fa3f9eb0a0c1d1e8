/* The depth that is reported of a pair is that of its lowest point, and the rate its derivative, on every base: by the
 * distance of the solid from the plane of the base's top, which the tests of tests/collide hold against brute force,
 * and its difference quotient. */
#include "resting_cases.h"

#include "random_numbers.h"

static double lowest_of(fender_geometry *plane, const fender_pose *top, fender_geometry *solid, const fender_pose *pose)
{
    fender_separation lowest;
    assert_int_equal(fender_geometry_separation(plane, top, solid, pose, &lowest), FENDER_STATUS_OK);
    return -lowest.distance;
}

static fender_pose moved(const fender_body_data *body, double time)
{
    fender_vec3 w = fender_vec3_scale(time, body->angular_velocity); /* of the body, in its own axes */
    fender_pose pose = {fender_vec3_add_scaled(body->position, time, body->velocity),
                        fender_quaternion_product(body->attitude, resting_turn(w))};
    return pose;
}

static void depth_is_that_of_the_lowest_point(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_geometry *plane = fender_geometry_plane(&env, NULL);
    double worst = 0, worst_rate = 0;
    for (int base = 0; base < RESTING_BASES; base++)
        for (int solid = 0; solid < RESTING_SOLIDS; solid++)
            for (int i = 0; i < 20; i++) {
                random_stream r = random_of_case(8800 + (uint64_t)(base * 100 + solid), (uint64_t)i);
                resting_set_up s = resting_case((resting_base)base, (resting_solid)solid, 0.1);
                s.mu = s.damping_ratio = 0;
                /* disks stand for themselves up to 37 degrees, beyond that a part of their pressure does */
                s.off = fender_vec3_scale(random_between(&r, 0.05, 0.4), random_direction(&r));
                s.height = 0;
                s.velocity = fender_vec3_scale(0.3, random_direction(&r));
                s.angular_velocity = fender_vec3_scale(2, random_direction(&r));
                fender_geometry *g = fender_geometry_retain(s.solid);
                fender_vec3 up = fender_quaternion_rotate(resting_turn(fender_vec3_make(s.tilt, 0, 0)),
                                                          fender_vec3_make(0, 0, 1));
                fender_pose top = {fender_vec3_scale(s.base_top, up), resting_turn(fender_vec3_make(s.tilt, 0, 0))};
                fender_quaternion lean = fender_quaternion_product(resting_turn(s.off),
                                                                   resting_turn(fender_vec3_make(s.lean, 0, 0)));
                fender_pose at = {top.p, fender_quaternion_product(top.q, lean)};
                s.height = lowest_of(plane, &top, g, &at) - random_magnitude(&r, 1e-4, 0.02);
                resting built = resting_build(&s);
                fender_body_data body = resting_body(&built);
                fender_contact_data c;
                fender_status status = fender_contact_between(built.world, built.shapes[0], built.shapes[1], &c);
                assert_int_equal(status, FENDER_STATUS_OK);
                const double h = 1e-6;
                fender_pose before = moved(&body, -h), now = moved(&body, 0), after = moved(&body, h);
                double depth = lowest_of(plane, &top, g, &now);
                double rate = (lowest_of(plane, &top, g, &after) - lowest_of(plane, &top, g, &before)) / (2 * h);
                double error = fabs(c.depth / depth - 1), rate_error = fabs(c.depth_rate - rate);
                bool ok = error < 1e-8 && rate_error < 1e-5;
                if (!ok)
                    print_message("%s on %s, case %d: depth %.9g, lowest %.9g; rate %.9g, %.9g\n",
                                  resting_solid_names[solid], resting_base_names[base], i, c.depth, depth, c.depth_rate,
                                  rate);
                check_below(error, 1e-8);
                /* of the quotient: 1e-16 m over 1e-6 s, and h times the curvature times the speed */
                check_below(rate_error, 1e-5);
                worst = larger(worst, error);
                worst_rate = larger(worst_rate, rate_error);
                fender_world_destroy(built.world);
                fender_geometry_release(g);
            }
    print_message("depth to %.1e of itself, rate to %.1e m/s\n", worst, worst_rate);
    fender_geometry_release(plane);
}

/* The tip of a small mesh in a wide cap: no point of the two is deeper than the tip, wherever the axis is. Planes
 * of the tip's facets, continued to the border of the cap, would be metres deep. */
static void a_small_mesh_in_a_wide_cap_is_as_deep_as_its_tip(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    const fender_vec3 corners[6] = {{0.5, 0, 0}, {-0.5, 0, 0}, {0, 0.5, 0}, {0, -0.5, 0}, {0, 0, 0.4}, {0, 0, -0.4}};
    const int32_t triangles[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                     {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    const fender_mesh_def def = {corners, 6, &triangles[0][0], 8};
    for (int i = 0; i < 40; i++) {
        random_stream r = random_of_case(8801, (uint64_t)i);
        const double depth = random_magnitude(&r, 1e-4, 0.03);
        resting_set_up s = resting_default(fender_geometry_cylinder(&env, 5, 0.5, NULL),
                                           fender_geometry_mesh(&env, &def, NULL));
        s.base_top = 0.5;
        s.off = fender_vec3_make(random_between(&r, -0.2, 0.2), random_between(&r, -0.2, 0.2), 0);
        s.height = -depth - fender_quaternion_rotate(resting_turn(s.off), corners[5]).z;
        resting built = resting_build(&s);
        fender_contact_data c;
        assert_int_equal(fender_contact_between(built.world, built.shapes[0], built.shapes[1], &c), FENDER_STATUS_OK);
        check_below(c.depth, depth * (1 + 1e-9));
        check_below(0.5 * depth, c.depth);
        fender_world_destroy(built.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(depth_is_that_of_the_lowest_point),
                                       cmocka_unit_test(a_small_mesh_in_a_wide_cap_is_as_deep_as_its_tip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
