/* The contact frame: z out of a, tangents that turn by the least rotation of z and the mean spin of both bodies about
 * it; slip and spin in it. The laws are so soft that the bodies move as if alone. */
/* items: M046 S044 */
#include "check.h"
#include "scene.h"
#include <string.h>

/* Pairs with a contact limit do not go in batches: both ways of turning tangents are looked at. */
static bool general;

static scene soft_pair(void)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1e-12, 0, 0, 1e-3, 0});
    s.world.step = 1e-3;
    s.world.contact_limit_factor = general ? 100 : 0;
    s.body_count = 2;
    s.bodies[0] = scene_ball(0, 1, 1);
    s.bodies[1] = scene_ball(1, 1, 1);
    s.bodies[1].state.position.x = 1.9;
    return s;
}

static fender_contact_data only_contact(const fender_world *world)
{
    fender_contact_data c;
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), 0);
    check_vector(fender_quaternion_rotate(c.frame, fender_vec3_make(0, 0, 1)), c.normal, 4e-15);
    return c;
}

static fender_vec3 x_axis(const fender_contact_data *c)
{
    return fender_quaternion_rotate(c->frame, fender_vec3_make(1, 0, 0));
}

/* v turned about x by an angle */
static fender_vec3 about_x(fender_vec3 v, double angle)
{
    return fender_vec3_make(v.x, cos(angle) * v.y - sin(angle) * v.z, sin(angle) * v.y + cos(angle) * v.z);
}

/* Both spin about the normal, with other parts of the spin across it that must not matter (they roll). */
static void mean_spin(void **state)
{
    (void)state;
    scene s = soft_pair();
    for (int rolling = 0; rolling < 2; rolling++) {
        s.bodies[0].state.angular_velocity = fender_vec3_make(3, 5 * rolling, 0);
        s.bodies[1].state.angular_velocity = fender_vec3_make(1, 0, -4 * rolling);
        fender_world *world = scene_build(&s);
        fender_contact_data c = only_contact(world);
        fender_vec3 start = x_axis(&c);
        check_vector(c.normal, fender_vec3_make(1, 0, 0), 0);
        for (int i = 1; i <= 3000; i++) {
            check_ok(fender_world_step(world, &error));
            c = only_contact(world);
            /* the spin about x is constant for a sphere; across it, the twist over one step is the spin to third order
             */
            check_vector(x_axis(&c), about_x(start, 2e-3 * i), rolling ? 2e-4 : 1e-11);
            check_near(fender_vec3_length(x_axis(&c)), 1, 4e-15);
        }
        check_near(c.spin.z, 1.0 - 3.0, 1e-9);
        fender_world_destroy(world);
    }
}

/* b goes past a along a straight line: the normal sweeps an arc, unevenly. What stands across its plane stays; the rest
 * turns with it. The whole is turned at random, so that the tangent lies neither in the plane nor across it. */
static void least_rotation(void **state)
{
    (void)state;
    int oblique = 0;
    for (uint64_t k = 0; k < 20; k++) {
        random_stream r = random_of_case(132, k);
        scene s = soft_pair();
        s.bodies[1].state.position = fender_vec3_make(-1.2, 1.2, 0);
        s.bodies[1].state.velocity = fender_vec3_make(1, 0, 0);
        fender_pose X = {{0, 0, 0}, random_rotation(&r)};
        s = scene_moved(&s, X, fender_vec3_make(0, 0, 0));
        fender_vec3 up = fender_quaternion_rotate(X.q, fender_vec3_make(0, 0, 1));
        fender_world *world = scene_build(&s);
        fender_contact_data c = only_contact(world);
        fender_vec3 x = x_axis(&c), start = c.normal;
        double across = fender_vec3_dot(x, up), along = fender_vec3_dot(x, fender_vec3_cross(up, c.normal));
        oblique += fabs(across) > 0.2 && fabs(along) > 0.2;
        for (int i = 0; i < 2400; i++) {
            check_ok(fender_world_step(world, &error));
            c = only_contact(world);
            x = x_axis(&c);
            check_near(fender_vec3_dot(x, up), across, 1e-12);
            check_near(fender_vec3_dot(x, fender_vec3_cross(up, c.normal)), along, 1e-12);
        }
        check_near(fender_vec3_dot(start, c.normal), 0, 1e-2); /* from 135 to 45 degrees */
        fender_world_destroy(world);
    }
    assert_true(oblique > 5);
}

/* Slip, spin and depth rate are the relative motion at the common point, taken into the frame. */
static void slip_and_spin(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 300; n++) {
        random_stream r = random_of_case(131, n);
        scene s = scene_random(&r, 2, 4, 1u << SCENE_SPRING_DAMPER);
        for (int i = 0; i < s.type_count; i++) s.types[i].stiffness = s.types[i].damping = 1;
        scene_crowd(&s, &r);
        fender_world *world = scene_build(&s);
        check_ok(fender_world_advance(world, 5, &error));
        for (int i = 0; i < fender_contact_count(world, FENDER_CLOCK_COMMITTED); i++) {
            fender_contact_data c;
            assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &c), 0);
            fender_vec3 velocity[2], spin[2];
            const fender_shape_id shapes[2] = {c.a, c.b};
            for (int k = 0; k < 2; k++) {
                fender_body_data d;
                assert_int_equal(
                    fender_body_get(world, fender_shape_body(world, shapes[k]), FENDER_CLOCK_COMMITTED, &d), 0);
                spin[k] = fender_quaternion_rotate(d.attitude, d.angular_velocity);
                velocity[k] = fender_vec3_add(d.velocity,
                                              fender_vec3_cross(spin[k], fender_vec3_sub(c.point, d.position)));
            }
            fender_quaternion to_C = fender_quaternion_conjugate(c.frame);
            fender_vec3 v = fender_quaternion_rotate(to_C, fender_vec3_sub(velocity[1], velocity[0]));
            check_vector(v, fender_vec3_make(c.slip.x, c.slip.y, -c.depth_rate), 1e-13);
            check_vector(fender_quaternion_rotate(to_C, fender_vec3_sub(spin[1], spin[0])), c.spin, 1e-13);
            fender_vec3 f = fender_quaternion_rotate(to_C, c.force);
            check_near(f.z, c.normal_force, 1e-12 * (1 + fabs(f.z)));
            check_near(sqrt(f.x * f.x + f.y * f.y), c.friction_force, 1e-12 * (1 + fabs(f.z)));
        }
        fender_world_destroy(world);
    }
}

static int go_one_by_one(void **state)
{
    (void)state;
    general = true;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mean_spin), cmocka_unit_test(least_rotation),
                                       cmocka_unit_test(slip_and_spin)};
    int failed = cmocka_run_group_tests_name("contact frame, in batches", tests, NULL, NULL);
    return failed + cmocka_run_group_tests_name("contact frame, one by one", tests, go_one_by_one, NULL);
}
