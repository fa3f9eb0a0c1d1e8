/* A disk rolls: upright it keeps its height and its way, and a tilted one does not notice which point of its rim is
 * down. What a damper takes from a cylinder that rolls. */
#include "resting.h"

enum { MILLISECONDS = 5000 };
typedef struct passage {
    fender_body_data at[MILLISECONDS / 50];
    double least_force, most_force; /* of the normal, after the first tenth */
} passage;

/* Rolls along x of the base: `lean` from upright about x, turned by `phase` about its own axis at the start. */
static void roll(double lean, double phase, bool on_box, passage *p)
{
    fender_env env = fender_env_default();
    fender_geometry *base = on_box ? fender_geometry_box(&env, fender_vec3_make(20, 20, 1), NULL)
                                   : fender_geometry_plane(&env, NULL);
    const double radius = 0.1, speed = 1;
    resting_set_up s = resting_default(base, fender_geometry_disk(&env, radius, NULL));
    s.base_top = on_box ? 1 : 0;
    s.height = radius * cos(lean) - 9.81 / s.stiffness;
    s.lean = 1.5707963267948966 - lean;
    s.velocity = fender_vec3_make(speed, 0, 0);
    s.angular_velocity = fender_vec3_make(0, 0, -speed / radius); /* the axis lies along -y: rolls towards x */
    s.step = 1e-3;
    resting r = resting_build(&s);
    if (phase != 0) {
        fender_body_state state;
        fender_body_data d = resting_body(&r);
        state.position = d.position;
        state.velocity = d.velocity;
        state.angular_velocity = d.angular_velocity;
        state.attitude = fender_quaternion_product(d.attitude, resting_turn(fender_vec3_make(0, 0, phase)));
        check_ok(fender_body_set_state(r.world, r.body, &state, &error));
    }
    p->least_force = INFINITY;
    p->most_force = 0;
    for (int i = 0; i < MILLISECONDS; i++) {
        check_ok(fender_world_step(r.world, &error));
        if (i % 50 == 49) p->at[i / 50] = resting_body(&r);
        if (i < MILLISECONDS / 10) continue;
        fender_contact_data c;
        assert_int_equal(fender_contact_between(r.world, r.shapes[0], r.shapes[1], &c), FENDER_STATUS_OK);
        p->least_force = c.force.z < p->least_force ? c.force.z : p->least_force;
        p->most_force = larger(p->most_force, c.force.z);
    }
    fender_world_destroy(r.world);
}

static void upright_it_keeps_height_and_force(void **state)
{
    (void)state;
    for (int box = 0; box < 2; box++) {
        passage p;
        roll(0, 0.3, box, &p);
        /* On a plane the rim bears k d. In a box a pressure within the disk bears k d (1 - d / 2R). */
        double wobble = 0, aside = 0, height = box ? 1.1 : 0.1, sunk = 9.81e-5;
        if (box) sunk = 0.1 * (1 - sqrt(1 - 2 * sunk / 0.1));
        for (int i = 0; i < MILLISECONDS / 50; i++) {
            fender_vec3 axis = fender_quaternion_rotate(p.at[i].attitude, fender_vec3_make(0, 0, 1));
            wobble = larger(wobble, fabs(p.at[i].position.z - (height - sunk)));
            aside = larger(aside, larger(fabs(axis.z), fabs(p.at[i].position.y)));
        }
        print_message("disk upright on a %s, %.1f m in %d turns: height within %.1e m, aside %.1e, force within %.1e\n",
                      box ? "box" : "plane", p.at[MILLISECONDS / 50 - 1].position.x, (int)(5 / 0.6283), wobble, aside,
                      (p.most_force - p.least_force) / 9.81);
        check_near(p.at[MILLISECONDS / 50 - 1].position.x, 5, 0.01);
        check_below(wobble, box ? 1e-10 : 1e-11); /* of a sum of squares of the depth, 1e-3 of the radius */
        check_below(aside, 1e-11);
        check_below((p.most_force - p.least_force) / 9.81, 1e-9);
    }
}

static void tilted_it_does_not_see_which_point_is_down(void **state)
{
    (void)state;
    passage p, q;
    roll(0.2, 0, false, &p);
    roll(0.2, 1.234, false, &q);
    double apart = 0, least = 1;
    for (int i = 0; i < MILLISECONDS / 50; i++) {
        apart = larger(apart, fender_vec3_length(fender_vec3_sub(p.at[i].position, q.at[i].position)));
        fender_vec3 axis = fender_quaternion_rotate(p.at[i].attitude, fender_vec3_make(0, 0, 1));
        least = fabs(axis.z) < least ? fabs(axis.z) : least;
    }
    print_message("disk at 0.2 rad, two runs of different points of the rim: places within %.1e m of each other\n",
                  apart);
    check_below(apart, 1e-7); /* rounding, as sliding and sticking make it grow */
}

/* Power that the damper takes from a wheel at 1 m/s, as a part of c v^2 d / 2 R. */
static double braking(bool on_box, double damping_ratio)
{
    fender_env env = fender_env_default();
    fender_geometry *base = on_box ? fender_geometry_box(&env, fender_vec3_make(20, 20, 1), NULL)
                                   : fender_geometry_plane(&env, NULL);
    const double radius = 0.1, speed = 1;
    resting_set_up s = resting_default(base, fender_geometry_cylinder(&env, radius, 0.05, NULL));
    const double sunk = 9.81 / s.stiffness, damping = 2 * damping_ratio * sqrt(s.stiffness);
    s.damping_ratio = damping_ratio;
    s.base_top = on_box ? 1 : 0;
    s.height = radius - sunk;
    s.lean = 1.5707963267948966;
    s.velocity = fender_vec3_make(speed, 0, 0);
    s.angular_velocity = fender_vec3_make(0, 0, -speed / radius);
    resting r = resting_build(&s);
    fender_ledger from, to;
    for (int i = 0; i < 300; i++) {
        if (i == 200) fender_world_ledger(r.world, &from);
        check_ok(fender_world_step(r.world, &error));
    }
    fender_world_ledger(r.world, &to);
    const double v = resting_body(&r).velocity.x;
    fender_world_destroy(r.world);
    return (to.damping - from.damping) / 0.1 / (damping * v * v * sunk / (2 * radius));
}

/* The depth of a wheel's pressure grows before its axis and falls behind, at up to v sqrt(2 d / R): in a box a damper
 * takes c v^2 d / 2 R, but for what is of higher order in the depth and in the damping: behind the axis the damper does
 * not pull. On a plane all of a cylinder's points are below the axis. */
static void a_damper_brakes_the_wheel_in_a_box(void **state)
{
    (void)state;
    const double little = braking(true, 0.001), more = braking(true, 0.5);
    print_message("braking of a wheel over c v^2 d / 2 R: %.4f with a damping ratio of 0.001, %.4f with 0.5\n", little,
                  more);
    check_near(little, 1, 0.002); /* d / R is 0.001 */
    check_near(more, 1, 0.03);
    check_below(fabs(braking(false, 0.5)), 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(upright_it_keeps_height_and_force),
                                       cmocka_unit_test(tilted_it_does_not_see_which_point_is_down),
                                       cmocka_unit_test(a_damper_brakes_the_wheel_in_a_box)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
