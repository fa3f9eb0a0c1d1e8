/* Links in runs: release against a pressed spring, thrust cut by an event, breaking, records and expectations. */
#include "run_test.h"

typedef struct outcome {
    diagnostics f;
    fender_scenario *scenario;
    fender_run *run;
    const fender_run_summary *summary;
} outcome;

static outcome *run_of(const char *text, const char *directory)
{
    static outcome o;
    memset(&o, 0, sizeof o);
    fender_env env = fender_env_default();
    env.report = collect_diagnostic;
    env.report_ctx = &o.f;
    o.scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, NULL);
    if (!o.scenario) print_error("%s\n", o.f.text);
    assert_non_null(o.scenario);
    if (directory) remove_directory(directory);
    fender_run_def def = {.scenario = o.scenario, .output_directory = directory};
    o.run = fender_run_create(&env, &def, NULL);
    if (!o.run) print_error("%s\n", o.f.text);
    assert_non_null(o.run);
    fender_error error = {0};
    fender_status status = fender_run_execute(o.run, &error);
    o.summary = fender_run_get_summary(o.run);
    for (int i = 0; i < o.summary->expectation_count; i++)
        if (!o.summary->expectations[i].met) print_error("missed: %s\n", o.summary->expectations[i].text);
    assert_int_equal(status, FENDER_STATUS_OK);
    return &o;
}

static void finish(outcome *o)
{
    fender_run_destroy(o->run);
    fender_scenario_destroy(o->scenario);
}

/* Latched with a pressed spring; released at 1 s under thrust, which is cut when the spring is spent:
 * m v^2 / 2 = k d^2 / 2 + F d m / m_b, m the reduced mass, F on b; the spring ends a step late at most. */
static void release_and_cut_thrust(void **state)
{
    (void)state;
    static const char text[] =
        "fender: 1\n"
        "integrator: {step: 0.1 ms}\n"
        "run: {until: 3 s}\n"
        "bodies:\n"
        "  a: {mass_properties: {mass: 3 kg, inertia: [1, 1, 1]}, points: {port: {}, seat: {}, mast: {position: [0.05, "
        "0, 0.5]}}}\n"
        "  b:\n"
        "    mass_properties: {mass: 2 kg, inertia: [1, 1, 1]}\n"
        "    points: {port: {position: [-0.1, 0, 0], orientation: {axis: [0, 0, 1], angle: 180 deg}}, seat: {}, mast: "
        "{position: [0, 0.25, 0]}}\n"
        "    attached: {by: port, to: a.port}\n"
        "links:\n"
        "  pusher: {between: [a.seat, b.seat], law: spring_damper, stiffness: 240, free_length: 0.3, acts: push,\n"
        "           spent_at_free_length: true}\n"
        "  other: {between: [a.seat, b.seat], law: spring_damper, stiffness: 1e-9, free_length: 0.12, acts: push,\n"
        "          spent_at_free_length: true}\n"
        "  strap: {between: [a.mast, b.mast], law: tether, length: 9 m, stiffness: 5, limit: 20 lbf, active: false}\n"
        "loads: {engine: {body: b, force: {constant: [5, 0, 0, N]}, active: false}}\n"
        "actions:\n"
        "  release: {when: {time: 1 s}, do: [{detach: b}, {set: {loads.engine.active: true}}]}\n"
        "  cut: {when: {event: spent, link: pusher}, do: [{set: {loads.engine.active: false}}, {emit: cut}]}\n"
        "record:\n"
        "  log: {file: log.csv, every: 0.5 s, channels: [links.*.force, links.pusher.active]}\n"
        "  events: {file: events.csv, on: events}\n"
        "expect:\n"
        "  - {channel: links.pusher.length, at: 0.9 s, equals: 0.1 m, within: 1e-12 m}\n"
        "  - {channel: links.pusher.force, at: 0.9 s, equals: 48 N, within: 1e-9 N}\n"
        "  - {channel: ledger.energy.stored, at: 0.9 s, equals: 4.8 J, within: 1e-8 J}\n"
        "  - {channel: links.pusher.spent, at: end, equals: 1, within: 0}\n"
        "  - {channel: loads.engine.active, at: end, equals: 0, within: 0}\n"
        "  - {channel: links.pusher.rate, at: end, equals: 3 m/s, within: 5e-4 m/s, source: energy}\n"
        "  - {channel: events.spent.count, at: end, equals: 2, within: 0}\n"
        "  - {event: spent, link: pusher, at: 1.106 s, within: 5 ms}\n"
        "  - {event: spent, link: other, at: 1.03 s, within: 10 ms}\n"
        "  - {event: cut, at: 1.106 s, within: 5 ms}\n"
        "  - {channel: ledger.momentum.drift, at: max, below: 1e-12 N*s}\n"
        "  - {channel: ledger.energy.residual, at: max, below: 1e-4 J}\n";
    outcome *o = run_of(text, "out_links");
    assert_string_equal(
        line_of(read_run_file("out_links", "log.csv"), 0),
        "time [s],links.pusher.force [N],links.other.force [N],links.strap.force [N],links.pusher.active");
    const char *events = read_run_file("out_links", "events.csv");
    assert_non_null(strstr(events, ",spent,pusher,0,3.000"));
    assert_non_null(strstr(events, ",spent,other,0,"));
    assert_non_null(strstr(read_run_file("out_links", "summary.json"), "\"event\":\"spent\",\"link\":\"pusher\""));
    const char *scene = read_run_file("out_links", "scene.json");
    assert_non_null(strstr(scene, "],\"links\":[\n{\"name\":\"pusher\",\"law\":\"spring_damper\",\"active\":true,"
                                  "\"parameters\":{\"stiffness\":240,\"damping\":0,\"free_length\":0.3,"
                                  "\"acts\":\"push\",\"spent_at_free_length\":true,\"limit\":null},"));
    assert_non_null(strstr(scene, ",\n{\"name\":\"strap\",\"law\":\"tether\",\"active\":false,\"parameters\":"
                                  "{\"length\":9,\"stiffness\":5,\"damping\":0,\"limit\":88.96443230521},"
                                  "\"ends\":[{\"body\":\"a\",\"point\":\"mast\",\"position\":[0.05,0,0.5]},"
                                  "{\"body\":\"b\",\"point\":\"mast\",\"position\":[0,0.25,0]}]}]}\n"));
    finish(o);
    remove_directory("out_links");
}

/* A link switched on in the course of a run, and one that breaks and stops it. */
static void switch_and_break(void **state)
{
    (void)state;
    static const char text[] =
        "fender: 1\n"
        "integrator: {step: 1 ms}\n"
        "run: {until: 5 s, stop_when: {event: break, link: rope}}\n"
        "bodies:\n"
        "  a: {mass_properties: {mass: 3 kg, inertia: [1, 1, 1]}, points: {hook: {}}}\n"
        "  b:\n"
        "    mass_properties: {mass: 2 kg, inertia: [1, 1, 1]}\n"
        "    points: {hook: {}}\n"
        "    state: {position: [1, 0, 0], velocity: [1, 0, 0]}\n"
        "links: {rope: {between: [a.hook, b.hook], law: spring_damper, stiffness: 100, free_length: 2, acts: pull,\n"
        "               limit: 10 N, active: false}}\n"
        "actions: {catch: {when: {channel: links.rope.length, above: 1.5 m}, do: [{set: {links.rope.active: true}}]}}\n"
        "expect:\n"
        "  - {channel: links.rope.active, at: 0.4 s, equals: 0, within: 0}\n"
        "  - {channel: links.rope.active, at: 0.6 s, equals: 1, within: 0}\n"
        "  - {channel: links.rope.broken, at: end, equals: 1, within: 0}\n"
        "  - {channel: links.rope.peak_force, at: end, equals: 10 N, within: 0.1 N}\n"
        "  - {event: break, link: rope, contact: 'a:b', at: 1.12 s, within: 20 ms}\n";
    outcome *o = run_of(text, NULL);
    assert_true(o->summary->end_time < 1.2);
    finish(o);
}

/* Passed at 0.3 m by a point that turns away, at adaptive steps of seconds: the summary has the nearest and farthest of
 * the whole way, the first sqrt(0.3^2 + 2^2), and the least stroke of an actuator that is free. */
static void passes_between_steps(void **state)
{
    (void)state;
    static const char text[] =
        "fender: 1\n"
        "integrator: {method: dop853, step: 10 ms}\n"
        "run: {until: 6 s}\n"
        "bodies:\n"
        "  a: {mass_properties: {mass: 3 kg, inertia: [1, 1, 1]}, points: {p: {}}}\n"
        "  b:\n"
        "    mass_properties: {mass: 2 kg, inertia: [1, 1, 1]}\n"
        "    points: {p: {}}\n"
        "    state: {position: [2, 0.3, 0], velocity: [-0.5, 0, 0]}\n"
        "links:\n"
        "  seen: {between: [a.p, b.p], law: latch, distance: 1 cm, stiffness: [1, 1, 1]}\n"
        "  leg: {between: [a.p, b.p], law: actuator, length: 1, mode: free, stroke_max: 3 m, stop_stiffness: 1}\n"
        "  off: {between: [a.p, b.p], law: tether, length: 9 m, stiffness: 1, active: false}\n"
        "actions: {late: {when: {time: 5 s}, do: [{set: {links.off.active: true}}]}}\n";
    outcome *o = run_of(text, NULL);
    const fender_link_summary *links = o->summary->links;
    check_near(links[0].shortest, 0.3, 1e-9);
    check_near(links[0].longest, sqrt(0.3 * 0.3 + 4), 1e-9);
    check_near(links[1].stroke_left, 3 - sqrt(0.3 * 0.3 + 4), 1e-9);
    check_near(links[2].shortest, sqrt(0.3 * 0.3 + 0.25), 1e-9); /* since it was switched on */
    finish(o);
}

/* A boom on a bushing waits at rest for its engine: what rounding makes of nothing is no residual, by every kind of
 * method. A step that its damper is unstable for (c / I = 1e4 rad/s) multiplies the same rounding: that is found. */
static void waits_at_rest(void **state)
{
    (void)state;
    static const char *const methods[] = {"method: rk4, step: 0.1 ms", "method: velocity_verlet, step: 0.1 ms",
                                          "method: dopri5, step: 0.1 ms", "method: dop853, step: 0.1 ms",
                                          "method: rk4, step: 1 ms"};
    for (int i = 0; i < 5; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "fender: 1\n"
                 "integrator: {%s}\n"
                 "run: {until: %s}\n"
                 "bodies:\n"
                 "  hub:\n"
                 "    mass_properties: {mass: 5 kg, inertia: [0.1, 0.1, 0.1]}\n"
                 "    points: {p: {position: [0.2, 0.1, 0, m]}}\n"
                 "    state: {position: [0.1, 0.3, 1, m], orientation: {axis: [1, 2, 3], angle: 30 deg}}\n"
                 "  boom:\n"
                 "    mass_properties: {mass: 0.4 kg, inertia: [2, 2, 0.1, g*m^2]}\n"
                 "    points: {p: {position: [0, 0, 0.1, m]}}\n"
                 "    state: {of: p, relative_to: hub.p}\n"
                 "links: {root: {between: [hub.p, boom.p], law: spring_damper_6dof, stiffness: [3000, 3000, 3000],\n"
                 "        damping: [50, 50, 50], angular_stiffness: [40, 40, 40], angular_damping: [1, 1, 1]}}\n"
                 "loads: {engine: {body: hub, at: center, force: {constant: [10, 0, 0, N]}, active: false}}\n"
                 "actions: {go: {when: {time: 0.2 s}, do: [{set: {loads.engine.active: true}}]}}\n",
                 methods[i], i == 1 ? "0.1 s" : "0.3 s"); /* the second does not see the engine */
        diagnostics f;
        memset(&f, 0, sizeof f);
        fender_env env = fender_env_default();
        env.report = collect_diagnostic;
        env.report_ctx = &f;
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, NULL);
        fender_run_def def = {.scenario = scenario};
        fender_run *run = fender_run_create(&env, &def, NULL);
        assert_non_null(run);
        const fender_status status = fender_run_execute(run, NULL);
        const fender_run_summary *summary = fender_run_get_summary(run);
        assert_int_equal(status, i < 4 ? FENDER_STATUS_OK : FENDER_STATUS_RESIDUAL);
        assert_int_equal(summary->verdict, i < 4 ? FENDER_RUN_SOUND : FENDER_RUN_NO_RESULT);
        assert_true((summary->end_time < 0.05) == (i == 4));
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* A spring of 2 * 10^8 N/m under a step of 1 ms (wh = 0.45) loses half of the energy of its oscillation, and a loose
 * tolerance gains more than there is, however many points of the grid are passed and however far away something lies
 * that takes no part. Neither is rounding, which explains 1e-20 of it at most. */
static void loses_what_is_no_rounding(void **state)
{
    (void)state;
    static const struct {
        const char *integrator, *speed, *mass, *stiffness, *beacon;
    } cases[] = {
        {"method: rk4, step: 1 ms", "0.01", "1000", "2e8", ""},
        {"method: rk4, step: 1 ms", "0.01", "1000", "2e8", "4e8"},
        {"method: dopri5, step: 1 ms, relative_tolerance: 1e-2, absolute_tolerance: 1e-2", "0.1", "1", "10", ""}};
    for (int i = 0; i < 3; i++) {
        char text[2000], beacon[200] = "";
        if (cases[i].beacon[0])
            snprintf(beacon, sizeof beacon,
                     "  beacon: {motion: fixed, points: {p: {position: [%s, 0, 0]}}, state: {position: [0, %s, 0]}}\n",
                     cases[i].beacon, cases[i].beacon);
        snprintf(text, sizeof text,
                 "fender: 1\n"
                 "integrator: {%s}\n"
                 "run: {until: %s}\n"
                 "bodies:\n"
                 "  base: {motion: fixed, points: {p: {}}}\n"
                 "  ball: {mass_properties: {mass: %s kg, inertia: [100, 100, 100]}, points: {p: {}},\n"
                 "    state: {position: [1, 0, 0], velocity: [%s, 0, 0]}}\n"
                 "%s"
                 "links: {s: {between: [base.p, ball.p], law: spring_damper, free_length: 1, stiffness: %s}}\n",
                 cases[i].integrator, i < 2 ? "10 s" : "50 s", cases[i].mass, cases[i].speed, beacon,
                 cases[i].stiffness);
        diagnostics f;
        memset(&f, 0, sizeof f);
        fender_env env = fender_env_default();
        env.report = collect_diagnostic;
        env.report_ctx = &f;
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, NULL);
        fender_run_def def = {.scenario = scenario};
        fender_run *run = fender_run_create(&env, &def, NULL);
        assert_non_null(run);
        assert_int_equal(fender_run_execute(run, NULL), FENDER_STATUS_RESIDUAL);
        const fender_run_summary *summary = fender_run_get_summary(run);
        assert_int_equal(summary->verdict, FENDER_RUN_NO_RESULT);
        assert_true(summary->largest_residual > 0.5 * summary->end.scale);
        assert_true(summary->residual_floor < 1e-20 * summary->end.scale);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(release_and_cut_thrust), cmocka_unit_test(switch_and_break),
        cmocka_unit_test(waits_at_rest),          cmocka_unit_test(loses_what_is_no_rounding),
        cmocka_unit_test(passes_between_steps),
    };
    return cmocka_run_group_tests_name("links in runs", tests, NULL, NULL);
}
