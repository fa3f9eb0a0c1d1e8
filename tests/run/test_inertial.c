/* Inertial measurement units at points: against differences of the motion of the same points, and at rest. */
/* items: M042 */
#include "run_test.h"

#include <fender/fender.h>
#include <math.h>

static fender_run *start(const char *text, fender_scenario **scenario)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, &error);
    if (!*scenario) print_error("%s %s\n", error.message, error.found);
    assert_non_null(*scenario);
    const fender_run_def def = {.scenario = *scenario};
    fender_run *run = fender_run_create(&env, &def, &error);
    if (!run) print_error("%s %s\n", error.message, error.found);
    assert_non_null(run);
    return run;
}

static void expectations_are_met(const char *text)
{
    fender_scenario *scenario;
    fender_run *run = start(text, &scenario);
    check_ok(fender_run_execute(run, &error));
    const fender_run_summary *summary = fender_run_get_summary(run);
    assert_true(summary->expectation_count > 0);
    for (int i = 0; i < summary->expectation_count; i++) {
        if (!summary->expectations[i].met) print_error("missed: %s\n", summary->expectations[i].text);
        assert_true(summary->expectations[i].met);
    }
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* A box with a unit that is turned by 90 degrees about x: its y axis points up. At rest it feels the weight, in free
 * fall nothing, and a load of 20 N gives 5 m/s^2 of 4 kg. */
static void at_rest_in_fall_and_pushed(void **state)
{
    (void)state;
    expectations_are_met(
        "fender: 1\nworld: {gravity: [0, 0, -9.8, m/s^2]}\nintegrator: {method: rk4, step: 1 ms}\nrun: {until: 2 s}\n"
        "contact_types: {t: {normal: {law: spring_damper, stiffness: 1e4 N/m, damping: 200}}}\nrules: [{default: t}]\n"
        "bodies:\n  ground: {motion: fixed, shapes: {g: {plane: {}}}, points: {imu: {position: [3, 0, 0, m]}}}\n"
        "  box: {mass_properties: {mass: 4 kg, inertia: [1, 1, 1]}, shapes: {b: {box: {size: [0.4, 0.4, 0.2, m]}}}, "
        "state: {position: [0, 0, 0.1, m]}, points: {imu: {position: [0.1, 0.2, 0, m], orientation: {axis: [1, 0, 0], "
        "angle: 90 deg}}}}\n"
        "  falls: {mass_properties: {mass: 4 kg, inertia: [1, 1, 1]}, state: {position: [9, 0, 100, m]}, points: {imu: "
        "{position: [1, 2, 3, m]}}}\n"
        "  pushed: {like: falls, state: {position: [-9, 0, 100, m]}}\n"
        "loads: {push: {body: pushed, force: {constant: [20, 0, 0, N]}}}\n"
        "expect:\n  - {channel: points.box.imu.specific_force.y, at: end, equals: 9.8 m/s^2, within: 1e-6 m/s^2}\n"
        "  - {channel: points.box.imu.specific_force.z, at: end, equals: 0 m/s^2, within: 1e-6 m/s^2}\n"
        "  - {channel: points.ground.imu.specific_force.z, at: end, equals: 9.8 m/s^2, within: 0 m/s^2}\n"
        "  - {channel: points.falls.imu.specific_force.z, at: end, equals: 0 m/s^2, within: 0 m/s^2}\n"
        "  - {channel: points.pushed.imu.specific_force.x, at: end, equals: 5 m/s^2, within: 1e-14 m/s^2}\n");
}

/* A tumbling pair of attached bodies under a torque: rates of the point's velocity and of the angular velocity, by
 * central differences over two steps, without the gravity of a point mass. */
static void tumbling_against_differences(void **state)
{
    (void)state;
    static const char text[] =
        "fender: 1\nworld: {gravity: {point_mass: {mu: 398600.4415 km^3/s^2, center: [-6778, 0, 0, km]}}}\n"
        "integrator: {method: rk4, step: 0.5 ms}\nrun: {until: 1 s}\nbodies:\n"
        "  a: {mass_properties: {mass: 4 kg, inertia: [1, 2, 2.5]}, state: {angular_velocity: [1, 2, 0.5, rad/s]}}\n"
        "  b: {mass_properties: {mass: 2 kg, inertia: [0.2, 0.2, 0.3]}, attached: {to: a, position: [0, 1, 0.3, m]}, "
        "points: {imu: {position: [0.5, 0, 0.2, m], orientation: {axis: [1, 1, 0], angle: 40 deg}}}}\n"
        "loads: {turn: {body: a, torque: {constant: [0, 0, 3, N*m]}}}\n";
    const fender_env env = fender_env_default();
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, NULL);
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    assert_non_null(world);
    fender_body_id b;
    fender_body_frame frame = {.kind = FENDER_BODY_FRAME_POINT};
    assert_int_equal(fender_body_find(world, "b", &b), FENDER_STATUS_OK);
    assert_int_equal(fender_point_find(world, b, "imu", &frame.point), FENDER_STATUS_OK);
    fender_body_state at[3];
    fender_inertial_data data = {0};
    for (int i = 0; i < 400; i++) check_ok(fender_world_step(world, &error));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fender_body_frame_state(world, frame, &at[i], NULL), FENDER_STATUS_OK);
        if (i == 1) assert_int_equal(fender_body_frame_inertial(world, frame, &data), FENDER_STATUS_OK);
        if (i < 2) check_ok(fender_world_step(world, &error));
    }
    const fender_vec3 place = at[1].position, offset = {place.x + 6778e3, place.y, place.z};
    const double distance = fender_vec3_length(offset);
    const fender_vec3 gravity = fender_vec3_scale(-398600.4415e9 / (distance * distance * distance), offset);
    fender_vec3 a = fender_vec3_scale(1000, fender_vec3_sub(at[2].velocity, at[0].velocity));
    a = fender_quaternion_rotate(fender_quaternion_conjugate(at[1].attitude), fender_vec3_sub(a, gravity));
    check_near(fender_vec3_length(fender_vec3_sub(a, data.specific_force)), 0, 2e-5);
    check_near(fender_vec3_length(fender_vec3_sub(at[1].angular_velocity, data.inertial_rate)), 0, 1e-14);
    fender_vec3 rate[2];
    for (int i = 0; i < 2; i++) rate[i] = fender_quaternion_rotate(at[2 * i].attitude, at[2 * i].angular_velocity);
    const fender_vec3 turning = fender_quaternion_rotate(fender_quaternion_conjugate(at[1].attitude),
                                                         fender_vec3_scale(1000, fender_vec3_sub(rate[1], rate[0])));
    check_near(fender_vec3_length(fender_vec3_sub(turning, data.angular_acceleration)), 0, 2e-5);
    assert_true(fender_vec3_length(a) > 1); /* else nothing was tried */
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
}

/* A vehicle on a table that swings and one that turns: prescribed motion. */
static void prescribed_motion(void **state)
{
    (void)state;
    expectations_are_met(
        "fender: 1\nworld: {gravity: [0, 0, -10, m/s^2]}\nintegrator: {method: rk4, step: 1 ms}\nrun: {until: 1 s}\n"
        "bodies:\n  table: {motion: prescribed, state: {angular_velocity: [0, 0, 2, rad/s]}, points: {imu: {position: "
        "[0.5, 0, 0, m]}}}\n"
        "expect:\n  - {channel: points.table.imu.specific_force.x, at: end, equals: -2 m/s^2, within: 1e-8 m/s^2}\n"
        "  - {channel: points.table.imu.specific_force.z, at: end, equals: 10 m/s^2, within: 1e-8 m/s^2}\n"
        "  - {channel: points.table.imu.inertial_rate.z, at: end, equals: 2 rad/s, within: 1e-14 rad/s}\n");
}

/* A controller's input reads the unit with scale and bias: what it puts out is 2 * 5 + 1. */
static void inputs_have_a_scale(void **state)
{
    (void)state;
    expectations_are_met("fender: 1\nintegrator: {method: rk4, step: 1 ms}\nrun: {until: 0.1 s}\nbodies:\n"
                         "  a: {mass_properties: {mass: 4 kg, inertia: [1, 1, 1]}, points: {imu: {}}}\n"
                         "  b: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, state: {position: [9, 0, 0, m]}}\n"
                         "loads:\n  push: {body: a, force: {constant: [20, 0, 0, N]}}\n  follow: {body: b, force: "
                         "{constant: [0, 0, 0, N]}}\n"
                         "controllers:\n  c:\n    pd: {proportional: -1, derivative: 0, target: 0}\n    rate: 100 Hz\n"
                         "    inputs: {value: {channel: points.a.imu.specific_force.x, scale: 2, bias: 1 m/s^2}, rate: "
                         "bodies.a.velocity.x}\n"
                         "    outputs: {force: loads.follow.force.x}\n"
                         "expect:\n  - {channel: loads.follow.force.x, at: end, equals: 11 N, within: 1e-12 N}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest_in_fall_and_pushed),
        cmocka_unit_test(tumbling_against_differences),
        cmocka_unit_test(prescribed_motion),
        cmocka_unit_test(inputs_have_a_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
