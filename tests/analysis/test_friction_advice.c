/* The longest step for friction: a sphere that slides on a floor chatters above it and comes to roll below it. */
#include "check.h"

#include <fender/io.h>
#include <stdio.h>

#include <fender/advice.h>

static fender_world *build(const char *method, const char *law, double step)
{
    char text[1200];
    fender_error error = {0};
    int length = snprintf(text, sizeof text,
                          "fender: 1\n"
                          "world: {gravity: [0, 0, -9.8, m/s^2]}\n"
                          "integrator: {method: %s, step: %.17g}\n"
                          "run: {until: 1 s}\n"
                          "contact_types:\n"
                          "  t: {normal: {law: spring_damper, stiffness: 1e5, damping: 200}, friction: %s}\n"
                          "rules: [{default: t}]\n"
                          "bodies:\n"
                          "  floor: {motion: fixed, shapes: {s: {plane: {}}}}\n"
                          "  ball:\n"
                          "    mass_properties: {mass: 2 kg, inertia: [8e-3, 8e-3, 8e-3, kg*m^2]}\n"
                          "    state: {position: [0, 0, 0.099804, m], velocity: [1e-7, 0, 0]}\n"
                          "    shapes: {s: {sphere: {radius: 0.1 m}}}\n",
                          method, step, law);
    fender_scenario *scenario = fender_scenario_parse(NULL, NULL, "ball", text, (size_t)length, NULL, 0, &error);
    if (!scenario) fail_msg("line %d: %s", error.line, error.message);
    fender_world *world = fender_scenario_build(scenario, NULL, &error);
    assert_non_null(world);
    fender_scenario_destroy(scenario);
    return world;
}

static fender_friction_advice advice_for(const fender_world *world)
{
    fender_contact_type_def type;
    fender_shape_id floor_id = fender_shape_at(world, 0), ball_id = fender_shape_at(world, 1);
    assert_int_equal(fender_contact_type_get_def(world, fender_contact_type_at(world, 0), &type), FENDER_STATUS_OK);
    double mass = fender_pair_reduced_mass(world, fender_shape_body(world, floor_id),
                                           fender_shape_body(world, ball_id));
    double load = fender_contact_load(world, floor_id, ball_id, mass, 1e5);
    double mobility = fender_sideways_mobility(world, floor_id) + fender_sideways_mobility(world, ball_id);
    check_near(mass, 2, 1e-15);
    check_near(load, 19.6, 1e-12);
    check_near(1 / mobility, 2 * 2.0 / 7, 1e-12); /* a sphere: 2/7 of its mass */
    return fender_advise_friction(&type, load, mobility, fender_world_get_def(world)->method);
}

/* Slip of the lowest point after some steps, as part of that at the start. */
static double slip_after(const char *method, const char *law, double step)
{
    fender_error failure = {0};
    fender_world *world = build(method, law, step);
    fender_body_data body;
    double most = 0;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(fender_world_step(world, &failure), FENDER_STATUS_OK);
        assert_int_equal(fender_body_get(world, fender_body_at(world, 1), FENDER_CLOCK_COMMITTED, &body),
                         FENDER_STATUS_OK);
        if (i >= 900) most = larger(most, fabs(body.velocity.x - 0.099902 * body.angular_velocity.y));
    }
    fender_world_destroy(world);
    return most / 1e-7;
}

static void chatters_above_rolls_below(void **state)
{
    static const char *const methods[] = {"rk4", "semi_implicit_euler", "velocity_verlet"};
    static const char *const laws[] = {
        "{law: coulomb, mu: 0.5, slip_speed: 1 mm/s}",
        "{law: smooth_stick_slip, mu_static: 0.5, mu_dynamic: 0.4, critical_velocity: 2 mm/s}"};
    (void)state;
    for (int m = 0; m < 3; m++)
        for (int l = 0; l < 2; l++) {
            fender_world *world = build(methods[m], laws[l], 1e-4);
            fender_friction_advice advice = advice_for(world);
            fender_world_destroy(world);
            double below = slip_after(methods[m], laws[l], 0.97 * advice.largest_step);
            double above = slip_after(methods[m], laws[l], 1.03 * advice.largest_step);
            printf(
                "%-20s damper of %.4g N s/m: stable below %.4g s; slip becomes %.1e of itself at 0.97, %.1e at 1.03\n",
                methods[m], advice.damping, advice.largest_step, below, above);
            assert_true(advice.known && advice.stiffness == 0);
            /* it falls or grows by a part of (1 - 0.97) or more a step, a thousand times */
            assert_true(below < 0.01 && above > 100);
        }
}

static void springs_count_too(void **state)
{
    (void)state;
    fender_world *world = build("rk4", "{law: coulomb_static_kinetic, mu_static: 1, mu_kinetic: 1, stiffness: 1e6}",
                                1e-4);
    fender_friction_advice advice = advice_for(world);
    assert_true(advice.known && advice.stiffness == 1e6);
    check_near(advice.largest_step, 2.828427 / sqrt(1e6 * 7 / 4), 1e-6 * advice.largest_step);
    fender_world_destroy(world);
    world = build("rk4", "none", 1e-4);
    assert_false(advice_for(world).known);
    fender_world_destroy(world);
    world = build("dopri5", "{law: coulomb, mu: 0.5}", 1e-4);
    advice = advice_for(world);
    assert_true(advice.known && isinf(advice.largest_step));
    fender_world_destroy(world);
}

/* mu_kinetic g h over the stable step of a damper of rate 1, 2.785 for rk4 and 2 for the others. */
static void stick_speed_fits_the_step(void **state)
{
    static const char *const laws[] = {
        "{law: coulomb_static_kinetic, mu_static: 0.5, mu_kinetic: 0.4, stiffness: 1e5}", /* twice the least by itself
                                                                                           */
        "{law: coulomb_static_kinetic, mu_static: 0.5, mu_kinetic: 0.4, stiffness: 1e5, stick_speed: 0.1 mm/s}"};
    (void)state;
    for (int n = 0; n < 4; n++) {
        const int m = n / 2, given = n % 2;
        fender_world *world = build(m ? "velocity_verlet" : "rk4", laws[given], 5e-3);
        fender_contact_type_def type;
        double now = 0;
        assert_int_equal(fender_contact_type_get_def(world, fender_contact_type_at(world, 0), &type), FENDER_STATUS_OK);
        check_near(fender_advise_stick_speed(world, &type, &now), 0.4 * 9.8 * 5e-3 / (m ? 2 : 2.785293563), 1e-8);
        check_near(now, given ? 1e-4 : 2 * 0.4 * 9.8 * 5e-3 / (m ? 2 : 2.785293563), 2e-8);
        fender_world_destroy(world);
    }
    fender_world *world = build("rk4", "{law: coulomb, mu: 0.4}", 5e-3);
    fender_contact_type_def type;
    double now = 0;
    assert_int_equal(fender_contact_type_get_def(world, fender_contact_type_at(world, 0), &type), FENDER_STATUS_OK);
    assert_true(fender_advise_stick_speed(world, &type, &now) == 0);
    fender_world_destroy(world);
}

/* A number that the type's law of turning has. */
static double turning_number(const fender_world *world, bool rolls, const char *name)
{
    fender_contact_type_def type;
    assert_int_equal(fender_contact_type_get_def(world, fender_contact_type_at(world, 0), &type), FENDER_STATUS_OK);
    const fender_law *law = rolls ? type.rolling : type.twisting;
    const void *parameters = rolls ? type.rolling_parameters : type.twisting_parameters;
    return fender_field_get(fender_field_find(&law->parameters, name), parameters, 0);
}

/* The sphere's square of the radius of gyration is 8e-3 / 2 m^2. The torque turns it at arm N / I under N = m g, and a
 * step that does not turn it back has arm N / I < z rest_rate / h. */
static void rest_rate_fits_the_step(void **state)
{
    static const char *const slots[] = {
        "none, rolling: {law: rolling_stick, arm: 5 mm, stiffness: 10%s}",
        "none, twisting: {law: torsional_stick, mu: 0.5, radius: 10 mm, stiffness: 10%s}"};
    (void)state;
    for (int n = 0; n < 8; n++) {
        const int rolls = n % 2, given = n / 2 % 2, verlet = n / 4;
        char law[160], slot[160];
        snprintf(slot, sizeof slot, "%s", slots[!rolls]);
        snprintf(law, sizeof law, slot, given ? ", rest_rate: 2 mrad/s" : "");
        fender_world *world = build(verlet ? "velocity_verlet" : "rk4", law, 5e-3);
        const double least = 5e-3 * 9.8 / 4e-3 * 5e-3 / (verlet ? 2 : 2.785293563);
        check_near(fender_least_rest_rate(verlet ? FENDER_INTEGRATOR_VELOCITY_VERLET : FENDER_INTEGRATOR_RK4, 5e-3,
                                          5e-3, sqrt(4e-3), 9.8),
                   least, 1e-6 * least);
        check_near(turning_number(world, rolls, "rest_rate"), given ? 2e-3 : 2 * least, 1e-6 * least);
        fender_world_destroy(world);
    }
    /* the law's own is enough in short steps, and for methods that choose theirs */
    fender_world *world = build("rk4", "none, rolling: {law: rolling_stick, arm: 5 mm, stiffness: 10}", 1e-5);
    check_near(turning_number(world, true, "rest_rate"), 1e-3, 0);
    fender_world_destroy(world);
    world = build("dopri5", "none, rolling: {law: rolling_stick, arm: 5 mm, stiffness: 10}", 5e-3);
    check_near(turning_number(world, true, "rest_rate"), 1e-3, 0);
    fender_world_destroy(world);
}

/* A block of 1 kg, 0.2 m high; %s: method, step, friction, height of its centre, velocity, rates [rad/s], belt [m/s].
 */
static fender_world *block(const char *method, double step, const char *law, double z, double vx, double vz,
                           double spin, double belt)
{
    char text[1500];
    fender_error why = {0};
    int length = snprintf(text, sizeof text,
                          "fender: 1\n"
                          "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
                          "integrator: {method: %s, step: %.17g}\n"
                          "run: {until: 1 s}\n"
                          "contact_types:\n"
                          "  t: {normal: {law: spring_damper, stiffness: 1e4, damping: 100}, friction: %s}\n"
                          "rules: [{default: t}]\n"
                          "bodies:\n"
                          "  floor: {motion: fixed, shapes: {s: {plane: {}, surface_velocity: [%g, 0, 0, m/s]}}}\n"
                          "  block:\n"
                          "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}\n"
                          "    state: {position: [0, 0, %.17g], velocity: [%g, 0, %g], angular_velocity: [0, 0, %g]}\n"
                          "    shapes: {s: {sphere: {radius: 0.1 m}, position: [0.5, 0, 0]}}\n",
                          method, step, law, belt, z, vx, vz, spin);
    fender_scenario *scenario = fender_scenario_parse(NULL, NULL, "block", text, (size_t)length, NULL, 0, &why);
    if (!scenario) fail_msg("line %d: %s", why.line, why.message);
    fender_world *world = fender_scenario_build(scenario, NULL, &why);
    assert_non_null(world);
    fender_scenario_destroy(scenario);
    return world;
}

/* The deflection of Dahl's friction that slides follows within amplitude / speed: a decay that rk4 follows below 2.7853
 * of that time, the others below 2. Slip is that of the nearest points, with spin and belts; pairs that move apart have
 * none. */
static void sliding_asks_for_its_step(void **state)
{
    (void)state;
    static const char *const dahl = "{law: dahl, mu: 0.5, amplitude: 0.1 mm}";
    static const char *const lugre = "{law: lugre, mu_static: 0.5, mu_kinetic: 0.4, amplitude: 0.1 mm}";
    static const struct {
        double z, vx, vz, spin, belt, slip;
    } cases[] = {{0.12, 1, 0, 0, 0, 1},  {0.12, 0, -3, 0, 0, 0}, {0.099, 0.3, 0, 0, 0, 0.3}, {0.12, 0, 0, 4, 0, 2},
                 {0.12, 0, 0, 0, -2, 2}, {0.12, 1, 0, 0, 1, 0},  {-0.5, 1, -1, 0, 0, 1}};
    for (int i = 0; i < 7; i++) {
        fender_world *world = block("rk4", 1e-3, i % 2 ? lugre : dahl, cases[i].z, cases[i].vx, cases[i].vz,
                                    cases[i].spin, cases[i].belt);
        static fender_world_advice advice;
        const fender_env env = fender_env_default();
        assert_int_equal(fender_world_advise(world, &env, &advice), FENDER_STATUS_OK);
        const fender_type_use *use = &advice.uses[0];
        check_near(use->sliding_speed, cases[i].slip, 1e-12);
        if (cases[i].slip == 0) assert_true(isinf(use->sliding_step) && !use->slides_too_fast);
        else check_near(use->sliding_step, 2.785294 * 1e-4 / cases[i].slip, 1e-9);
        assert_int_equal(use->slides_too_fast, 1e-3 > use->sliding_step);
        fender_world_advice_release(&advice);
        fender_world_destroy(world);
    }
}

/* J; residual after 20 ms of a slide that begins with 0.5 J at 1 m/s. */
static double residual_after_slide(const char *method, double step)
{
    fender_error why = {0};
    fender_world *world = block(method, step, "{law: lugre, mu_static: 0.5, mu_kinetic: 0.4, amplitude: 0.1 mm}",
                                0.099019, 1, 0, 0, 0);
    while (fender_world_time(world) < 0.02) check_ok(fender_world_step(world, &why));
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    fender_world_destroy(world);
    return fabs(ledger.residual);
}

static void sliding_fails_beyond_it(void **state)
{
    (void)state;
    static const char *const methods[] = {"rk4", "semi_implicit_euler", "velocity_verlet"};
    static const double limits[] = {2.785294e-4, 2e-4, 2e-4};
    for (int m = 0; m < 3; m++) {
        const double below = residual_after_slide(methods[m], 0.5 * limits[m]);
        const double above = residual_after_slide(methods[m], 1.5 * limits[m]);
        print_message("%-20s residual %.1e J at 0.5, %.1e J at 1.5 of the limit\n", methods[m], below, above);
        assert_true(below < 1e-3 * 0.5 && above > 20 * below);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chatters_above_rolls_below), cmocka_unit_test(springs_count_too),
        cmocka_unit_test(stick_speed_fits_the_step),  cmocka_unit_test(rest_rate_fits_the_step),
        cmocka_unit_test(sliding_asks_for_its_step),  cmocka_unit_test(sliding_fails_beyond_it)};
    return cmocka_run_group_tests_name("friction and the step", tests, NULL, NULL);
}
