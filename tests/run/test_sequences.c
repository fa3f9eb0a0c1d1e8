/* Sequences: actions that wait for each other, for a time, or for what lasts; commands that actions set; all of it goes
 * on from a checkpoint to the bit. */
#include "run_test.h"

#include <fender/fender.h>

/* A body that leaves at 1 m/s; at 0.1234 m plus 0.3 s it is turned to z. `lasting` never lasts: x returns before. */
static const char scene[] =
    "fender: 1\n"
    "parameters: {push: 2 N, hold: 0.3 s}\n"
    "run: {until: 10 s, stop_when: {action: late, for: 1.5 s}, checkpoint_every: 0.5 s}\n"
    "bodies:\n"
    "  a: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, state: {velocity: [1, 0, 0, m/s]}}\n"
    "loads:\n"
    "  engine: {body: a, force: {constant: [0, $push, 0]}, active: false}\n"
    "actions:\n"
    "  early: {when: {action: turned, for: 1 s}, do: [{emit: after_turned}]}\n"
    "  turned: {when: {channel: bodies.a.position.x, above: 0.1234 m, for: $hold},\n"
    "    do: [{set: {loads.engine.active: true, bodies.a.velocity: [0, 0, 100, cm/s]}}]}\n"
    "  late: {when: {channel: bodies.a.position.z, above: 0.495 m}, delay: 0.77 s,\n"
    "    do: [{emit: done}, {set: {bodies.a.velocity.x: 3}}]}\n"
    "  passing: {when: {all: [{channel: bodies.a.position.z, above: 0.095 m}, {channel: bodies.a.position.z, below: "
    "0.2 "
    "m}],\n"
    "    for: 0.11 s}, do: [{emit: lasted}]}\n"
    "  brief: {when: {all: [{channel: bodies.a.position.z, above: 0.095 m}, {channel: bodies.a.position.z, below: 0.2 "
    "m}],\n"
    "    for: 0.09 s}, do: [{emit: lasted_less}]}\n"
    "  clock: {when: {time: 0.25 s, for: 0.5 s}, do: [{emit: tick}]}\n"
    "expect:\n"
    "  - {channel: events.lasted.count, at: end, equals: 0, within: 0}\n"
    "  - {channel: bodies.a.velocity.x, at: end, equals: 3 m/s, within: 0}\n";

/* Times by hand: x reaches 0.1234 m at 0.1234 s; z then rises at 1 m/s from 0.4234 s on. */
static const char exact[] = "  - {event: after_turned, at: 1.4234 s, within: 1e-12 s}\n"
                            "  - {event: done, at: 1.6884 s, within: 1e-12 s}\n"
                            "  - {event: lasted_less, at: 0.6084 s, within: 1e-12 s}\n"
                            "  - {event: tick, at: 0.75 s, within: 1e-12 s}\n"
                            "  - {channel: bodies.a.velocity.y, at: end, equals: 5.53 m/s, within: 1e-9}\n";
/* The same at ends of steps of 10 ms, each the first that is not before; what waits counts from there. */
static const char stepped[] = "  - {event: after_turned, at: 1.43 s, within: 1e-12 s}\n"
                              "  - {event: done, at: 1.7 s, within: 1e-12 s}\n"
                              "  - {event: lasted_less, at: 0.62 s, within: 1e-12 s}\n"
                              "  - {event: tick, at: 0.75 s, within: 1e-12 s}\n";

static fender_scenario *load(const char *expectations, const char *integrator)
{
    static char text[4096];
    static diagnostics f;
    memset(&f, 0, sizeof f);
    fender_env env = fender_env_default();
    env.report = collect_diagnostic;
    env.report_ctx = &f;
    snprintf(text, sizeof text, "%s%sintegrator: {step: 10 ms, %s}\n", scene, expectations, integrator);
    fender_scenario *s = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, NULL);
    if (!s) print_error("%s\n", f.text);
    assert_non_null(s);
    return s;
}

static fender_run *create(const fender_scenario *scenario, const char *directory, bool resume)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_run_def def = {.scenario = scenario, .output_directory = directory, .resume = resume};
    fender_run *run = fender_run_create(&env, &def, &error);
    if (!run) print_error("%s\n", error.message);
    assert_non_null(run);
    return run;
}

static const char *const methods[] = {"method: rk4, locate_events: true", "method: dopri5", "method: dop853",
                                      "method: velocity_verlet, locate_events: true"};

static void at_exact_times(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        fender_scenario *s = load(exact, methods[i]);
        fender_run *run = create(s, NULL, false);
        fender_error error = {0};
        if (fender_run_execute(run, &error) != FENDER_STATUS_OK) fail_msg("%s: %s", methods[i], error.message);
        assert_true(fabs(fender_run_get_summary(run)->end_time - 3.1884) < 1e-12);
        fender_run_destroy(run);
        fender_scenario_destroy(s);
    }
}

static void at_ends_of_steps(void **state)
{
    (void)state;
    fender_scenario *s = load(stepped, "method: rk4");
    fender_run *run = create(s, NULL, false);
    fender_error error = {0};
    if (fender_run_execute(run, &error) != FENDER_STATUS_OK) fail_msg("%s", error.message);
    fender_run_destroy(run);
    fender_scenario_destroy(s);
}

/* What the summary tells of actions and their conditions. */
static char *conditions_of(const char *directory)
{
    char *text = read_run_file(directory, "summary.json"), *from = strstr(text, "\"stop_when\":{");
    assert_non_null(from);
    char *end = strstr(from, "\"expectations\"");
    assert_non_null(end);
    *end = 0;
    return from;
}

/* Stopped at every tenth state, so also within delays and durations, and gone on with: the same hash and events. */
static void resumed_to_the_bit(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        fender_scenario *s = load(exact, methods[m]);
        fender_error error = {0};
        remove_directory("whole.run");
        fender_run *run = create(s, "whole.run", false);
        assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
        uint64_t hash = fender_run_get_summary(run)->hash;
        fender_run_destroy(run);
        char *events = strdup(read_run_file("whole.run", "events.csv")), *told = strdup(conditions_of("whole.run"));
        int stops = 0;
        remove_directory("cut.run");
        for (bool more = true; more; stops++) {
            run = create(s, "cut.run", stops > 0);
            for (int i = 0; i < (m == 0 ? 37 : 2) && more; i++)
                assert_int_equal(fender_run_step(run, &more, &error), FENDER_STATUS_OK);
            if (more) {
                fender_run_cancel(run);
                assert_int_equal(fender_run_step(run, &more, &error), FENDER_STATUS_INTERRUPTED);
                assert_int_equal(fender_run_finish(run, &error), FENDER_STATUS_INTERRUPTED);
                more = true;
            } else {
                assert_int_equal(fender_run_finish(run, &error), FENDER_STATUS_OK);
                assert_true(fender_run_get_summary(run)->hash == hash);
            }
            fender_run_destroy(run);
        }
        assert_true(stops > 3);
        assert_string_equal(read_run_file("cut.run", "events.csv"), events);
        assert_string_equal(conditions_of("cut.run"), told);
        free(told);
        free(events);
        fender_scenario_destroy(s);
    }
}

/* Every time that it becomes true; a second time while it waits does not count. */
static void repeated_delays(void **state)
{
    (void)state;
    static const char text[] =
        "fender: 1\nrun: {until: 10 s}\nintegrator: {step: 10 ms}\n"
        "bodies: {a: {motion: prescribed, path: {table: {columns: [s, m, m, m],"
        " rows: [[0, -1, 0, 0], [2, 1, 0, 0], [4, -1, 0, 0], [4.5, -0.5, 0, 0], [6, 1, 0, 0], [7, -1, 0, 0], [7.2, 1, "
        "0, 0],"
        " [10, 2, 0, 0]]}}}}\n"
        "actions:\n"
        "  out: {when: {channel: bodies.a.position.x, above: 0 m}, once: false, delay: 3.0049 s, do: [{emit: came}]}\n"
        "expect:\n"
        "  - {event: came, at: 4.015 s, within: 5.001 ms}\n" /* true at 1 s, 5 s, 7.1 s */
        "  - {event: came, at: 8.015 s, within: 5.001 ms}\n"
        "  - {channel: events.came.count, at: end, equals: 2, within: 0}\n";
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_scenario *s = fender_scenario_parse(&env, NULL, "t", text, strlen(text), NULL, 0, &error);
    if (!s) fail_msg("%s", error.message);
    fender_run *run = create(s, NULL, false);
    if (fender_run_execute(run, &error) != FENDER_STATUS_OK) fail_msg("%s", error.message);
    fender_run_destroy(run);
    fender_scenario_destroy(s);
}

/* A prescribed plate is lifted by 2 m within 4 s from 1 s on: the quintic is at its middle, at 1.875 times the mean
 * speed, 2 s later; its attitude stays. */
static void moves(void **state)
{
    (void)state;
    static const char text[] =
        "fender: 1\nintegrator: {method: rk4, step: 10 ms}\nrun: {until: 3 s}\n"
        "bodies:\n  plate: {motion: prescribed, state: {position: [1, 2, 3, m], orientation: {axis: [0, 0, 1], angle: "
        "30 "
        "deg}}}\n  ball: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}}\n"
        "actions:\n  lift: {when: {time: 1 s}, do: [{move: {body: plate, position: [1, 2, 5, m], duration: 4 s}}]}\n";
    fender_env env = fender_env_default();
    fender_error why = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "lift.yaml", text, strlen(text), NULL, 0, &why);
    assert_non_null(scenario);
    fender_run_def def = {.scenario = scenario};
    fender_run *run = fender_run_create(&env, &def, &why);
    assert_non_null(run);
    check_ok(fender_run_execute(run, &error));
    fender_body_data plate;
    check_ok(fender_body_get(fender_run_world(run), fender_body_at(fender_run_world(run), 0), FENDER_CLOCK_COMMITTED,
                             &plate));
    check_vector(plate.position, fender_vec3_make(1, 2, 4), 1e-12);
    check_vector(plate.velocity, fender_vec3_make(0, 0, 1.875 * 2 / 4), 1e-12);
    check_near(plate.attitude.w, cos(acos(-1) / 12), 1e-12);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_exact_times),
        cmocka_unit_test(at_ends_of_steps),
        cmocka_unit_test(resumed_to_the_bit),
        cmocka_unit_test(repeated_delays),
        cmocka_unit_test(moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
