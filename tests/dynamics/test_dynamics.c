/* Signals over time, point-mass gravity, the ledger, semi-implicit Euler under contact. */
#include "check.h"
#include "dynamics/dynamics.h"
#include "scene.h"

static void signals(void **state)
{
    (void)state;
    fender_signal s = {.kind = FENDER_SIGNAL_ZERO, .constant = {1, 1, 1}};
    check_vector(fnd_signal_value(&s, 5, NAN, NULL), fender_vec3_make(0, 0, 0), 0);
    s.kind = FENDER_SIGNAL_CONSTANT;
    check_vector(fnd_signal_value(&s, -5, NAN, NULL), fender_vec3_make(1, 1, 1), 0);
    s = (fender_signal){.kind = FENDER_SIGNAL_RAMP, .direction = {0, 0, -2}, .rate = 5, .start = 1};
    check_vector(fnd_signal_value(&s, 1, NAN, NULL), fender_vec3_make(0, 0, 0), 0);
    check_vector(fnd_signal_value(&s, 3, NAN, NULL), fender_vec3_make(0, 0, -10), 0);
    const double times[] = {1, 2, 4, 8};
    const fender_vec3 values[] = {{1, 0, 0}, {3, 0, 0}, {3, 8, 0}, {0, 0, 0}};
    s = (fender_signal){.kind = FENDER_SIGNAL_TABLE, .times = times, .values = values, .count = 4};
    check_vector(fnd_signal_value(&s, 0.999, NAN, NULL), fender_vec3_make(0, 0, 0), 0);
    check_vector(fnd_signal_value(&s, 1, NAN, NULL), values[0], 0);
    check_vector(fnd_signal_value(&s, 1.5, NAN, NULL), fender_vec3_make(2, 0, 0), 0);
    check_vector(fnd_signal_value(&s, 2, NAN, NULL), values[1], 0);
    check_vector(fnd_signal_value(&s, 3, NAN, NULL), fender_vec3_make(3, 4, 0), 0);
    check_vector(fnd_signal_value(&s, 7, NAN, NULL), fender_vec3_make(0.75, 2, 0), 0);
    check_vector(fnd_signal_value(&s, 8, NAN, NULL), values[3], 0);
    s.count = 3;
    check_vector(fnd_signal_value(&s, 100, NAN, NULL), values[2], 0);
    s.after = FENDER_AFTER_ZERO;
    check_vector(fnd_signal_value(&s, 4, NAN, NULL), values[2], 0);
    check_vector(fnd_signal_value(&s, 4.001, NAN, NULL), fender_vec3_make(0, 0, 0), 0);
    s.count = 1;
    check_vector(fnd_signal_value(&s, 1, NAN, NULL), values[0], 0);
}

/* Energy of an orbit with its changes of speed: the ledger holds it to the order of the method. */
static void eccentric_orbit(void **state)
{
    (void)state;
    double residuals[3];
    for (int i = 0; i < 3; i++) {
        scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1, 0, 0, 1, 0});
        s.body_count = 1;
        s.bodies[0] = scene_ball(0, 3, 0.1);
        s.bodies[0].state.position.x = 1;
        s.bodies[0].state.velocity.y = 1.2; /* eccentricity 0.44 */
        s.world.gravity = (fender_gravity){.kind = FENDER_GRAVITY_POINT_MASS, .mu = 1};
        s.world.step = 0.02 / (1 << i);
        fender_world *world = scene_build(&s);
        check_ok(fender_world_advance(world, 1000 << i, &error));
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        check_near(ledger.kinetic + ledger.gravitational, 3 * (0.72 - 1), 1e-6);
        residuals[i] = fabs(ledger.residual);
        check_below(ledger.linear_drift, 1e-12); /* the pull is external, and booked */
        fender_world_destroy(world);
    }
    printf("orbit: residual of energy %.1e %.1e %.1e J at 20, 10, 5 ms\n", residuals[0], residuals[1], residuals[2]);
    check_below(residuals[1], residuals[0] / 12);
    check_below(residuals[2], residuals[1] / 12);
}

/* A pile that settles: gravity, friction, damping; nothing vanishes without account, what is lost never falls. */
static void ledger_of_a_pile(void **state)
{
    (void)state;
    double residuals[3];
    for (int i = 0; i < 3; i++) {
        scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 2e4, 100, 0.4, 0.05, 0});
        s.world.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {0, 0, -9.81}};
        s.world.step = 1e-3 / (1 << (2 * i));
        s.body_count = 4;
        for (int k = 0; k < 3; k++) {
            s.bodies[k] = scene_ball(k, 1 + k, 0.4);
            s.bodies[k].state.position = fender_vec3_make(0.1 * k, 0.05 * k, 0.5 + 0.9 * k);
            s.bodies[k].state.angular_velocity = fender_vec3_make(3, -2, 1);
        }
        s.bodies[3] = scene_ball(3, 0, 20);
        s.bodies[3].motion = FENDER_MOTION_FIXED;
        s.bodies[3].state.position.z = -20;
        fender_world *world = scene_build(&s);
        double damping = 0, friction = 0;
        fender_ledger ledger = {0};
        for (int k = 0; k < 1500 << (2 * i); k++) {
            check_ok(fender_world_step(world, &error));
            fender_world_ledger(world, &ledger);
            assert_true(ledger.damping >= damping && ledger.friction >= friction);
            damping = ledger.damping, friction = ledger.friction;
        }
        assert_true(damping > 1 && friction > 0.1);
        residuals[i] = fabs(ledger.residual) / ledger.scale;
        check_below(ledger.linear_drift, 1e-10);
        check_near(ledger.applied, 0, 1e-12); /* a fixed body does no work */
        fender_world_destroy(world);
    }
    printf("pile: residual of energy %.1e %.1e %.1e of its scale at 1, 0.25, 0.0625 ms\n", residuals[0], residuals[1],
           residuals[2]);
    check_below(residuals[2], 1e-5);
    check_below(residuals[2], residuals[0] / 4);
}

/* Semi-implicit Euler: an undamped bounce keeps its energy within the step's order, momentum to rounding. */
static void semi_implicit_bounce(void **state)
{
    (void)state;
    double gaps[3];
    for (int i = 0; i < 3; i++) {
        scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1e4, 0, 0, 1e-3, 0});
        s.world.method = FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER;
        s.world.step = 1e-3 / (1 << (2 * i));
        s.body_count = 2;
        s.bodies[0] = scene_ball(0, 3, 0.5);
        s.bodies[1] = scene_ball(1, 2, 0.5);
        s.bodies[1].state.position = fender_vec3_make(1.1, 0.3, 0);
        s.bodies[1].state.velocity.x = -1;
        fender_world *world = scene_build(&s);
        check_ok(fender_world_advance(world, 500 << (2 * i), &error));
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        gaps[i] = fabs(ledger.kinetic - 1);
        check_below(ledger.linear_drift, 1e-13);
        check_below(ledger.angular_drift, 1e-13);
        assert_int_equal(fender_world_event_count(world, FENDER_EVENT_END), 1);
        fender_world_destroy(world);
    }
    printf("semi-implicit bounce: energy off by %.1e %.1e %.1e of 1 J at 1, 0.25, 0.0625 ms\n", gaps[0], gaps[1],
           gaps[2]);
    check_below(gaps[2], gaps[0] / 4);
    check_below(gaps[2], 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals),
        cmocka_unit_test(eccentric_orbit),
        cmocka_unit_test(ledger_of_a_pile),
        cmocka_unit_test(semi_implicit_bounce),
    };
    return cmocka_run_group_tests_name("dynamics", tests, NULL, NULL);
}
