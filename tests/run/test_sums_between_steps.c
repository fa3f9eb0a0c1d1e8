/* Rows of adaptive methods: at accepted steps, and between them, where contacts have what they have summed up so far,
 * as for expectations and conditions. */
#include "run_test.h"

#include <fender/fender.h>
#include <fender/snapshot.h>

static fender_status execute(const char *text, const char *directory)
{
    static diagnostics f;
    fender_env env = fender_env_default();
    fender_error failure = {0};
    memset(&f, 0, sizeof f);
    env.report = collect_diagnostic;
    env.report_ctx = &f;
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, &failure);
    if (!scenario) print_error("%s\n", f.text);
    assert_non_null(scenario);
    if (directory) remove_directory(directory);
    fender_run_def def = {.scenario = scenario, .output_directory = directory};
    fender_run *run = fender_run_create(&env, &def, &failure);
    if (!run) print_error("%s\n", f.text);
    assert_non_null(run);
    fender_status status = fender_run_execute(run, &failure);
    const fender_run_summary *summary = fender_run_get_summary(run);
    for (int i = 0; i < summary->expectation_count; i++)
        if (!summary->expectations[i].met) print_error("missed: %s\n", summary->expectations[i].text);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return status;
}

static double number_behind(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

/* A block of 3 kg slides from 10 m/s on a floor whose friction is 9 N; a torque keeps it upright. The normal impulse is
 * m g t, the loss mu m g (v t - mu g t^2 / 2); the engine without a tank burns at 1 kN / (200 s g0) = 0.5098581 kg/s
 * from the start, as nothing limits its steps. */
static void closed_forms(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "world: {gravity: [0, 0, -10, m/s^2]}\n"
        "integrator: {method: %s, step: 10 ms}\n"
        "run: {until: 1 s}\n"
        "contact_types:\n"
        "  slide: {normal: {law: spring_damper, stiffness: 100 kN/m, damping: 600 N*s/m},\n"
        "          friction: {law: coulomb, mu: 0.3, slip_speed: 1 mm/s}}\n"
        "rules: [{default: slide}]\n"
        "bodies:\n"
        "  ground: {motion: fixed, shapes: {plain: {plane: {}}}}\n"
        "  block:\n"
        "    mass_properties: {mass: 3 kg, inertia: [100, 100, 100, kg*m^2]}\n"
        "    state: {position: [0, 0, 0.4997, m], velocity: [10, 0, 0, m/s]}\n"
        "    shapes: {s: {cloud: {points: [[0, 0, -0.5, m]]}}}\n"
        "  ship: {mass_properties: {mass: 1 t, inertia: [1000, 1000, 1000]}, state: {position: [0, 0, 500, m]}}\n"
        "loads:\n"
        "  brace: {body: block, torque: {constant: [0, -4.4991, 0, N*m]}}\n"
        "  engine: {kind: thruster, body: ship, at: center, direction: [0, 0, 1], thrust: 1 kN, throttle: 1,\n"
        "           specific_impulse: 200 s}\n"
        "actions:\n"
        "  half: {when: {channel: \"contacts.ground.plain:block.s.impulse\", above: 15 N*s}, do: [{emit: half}]}\n"
        "  most: {when: {channel: \"contacts.ground.plain:block.s.friction_loss\", above: 60 J}, do: [{emit: most}]}\n"
        "expect:\n"
        "  - {channel: \"contacts.ground.plain:block.s.impulse\", at: 0.7 s, equals: 21 N*s, within: 1e-6 N*s}\n"
        "  - {channel: \"contacts.ground.plain:block.s.impulse_on_b.x\", at: 0.7 s, equals: -6.3 N*s, within: 1e-5 "
        "N*s}\n"
        "  - {channel: \"contacts.ground.plain:block.s.friction_loss\", at: 0.7 s, equals: 56.385 J, within: 1e-4 J}\n"
        "  - {channel: \"contacts.ground.plain:block.s.work\", at: 0.7 s, equals: -56.385 J, within: 1e-4 J}\n"
        "  - {channel: loads.engine.propellant, at: 0.7 s, equals: 0.35690067 kg, within: 1e-7 kg}\n"
        "  - {event: half, at: 0.5 s, within: 1e-6 s}\n"
        "  - {event: most, at: 0.7513444 s, within: 1e-6 s, source: 9 (10 t - 1.5 t^2) = 60}\n";
    static const char *const methods[] = {"dopri5", "dop853"};
    for (int i = 0; i < 2; i++) {
        char text[4096];
        snprintf(text, sizeof text, scene, methods[i]);
        assert_int_equal(execute(text, NULL), FENDER_STATUS_OK);
    }
}

/* A box slides on the floor, on a patch whose points come and go: the sums of the pair are those of the ledger in every
 * row, as there is no other contact, and peaks do not fall. */
static void sums_of_a_pair(void **state)
{
    (void)state;
    enum { COLUMNS = 9 }; /* with the time */
    static const char scene[] =
        "fender: 1\n"
        "world: {gravity: [0, 0, -10, m/s^2]}\n"
        "integrator: {method: dop853, step: 0.2 ms, relative_tolerance: 1e-6}\n"
        "run: {until: 0.5 s}\n"
        "contact_types:\n"
        "  soft: {normal: {law: spring_damper, stiffness: 5 kN/m, damping: 300 N*s/m},\n"
        "         friction: {law: dahl, mu: 0.3, amplitude: 5 mm}}\n"
        "rules: [{default: soft}]\n"
        "bodies:\n"
        "  g: {motion: fixed, shapes: {p: {plane: {}}}}\n"
        "  a:\n"
        "    mass_properties: {mass: 20 kg, inertia: [2, 2, 2, kg*m^2]}\n"
        "    state: {velocity: [2, 0, -1, m/s], position: [0, 0, 0.48, m], orientation: {axis: [1, 0.3, 0], angle: 2 "
        "deg}}\n"
        "    shapes: {s: {box: {size: [1, 1, 1, m]}}}\n"
        "record:\n"
        "  log: {file: log.csv, every: 0.2 ms, channels: [\"contacts.g.p:a.s.damping_loss\", ledger.energy.damping,\n"
        "    \"contacts.g.p:a.s.friction_loss\", ledger.energy.friction, \"contacts.g.p:a.s.work\",\n"
        "    ledger.energy.contact_work, \"contacts.g.p:a.s.residual\", \"contacts.g.p:a.s.peak_force\"]}\n";
    assert_int_equal(execute(scene, "sums.run"), FENDER_STATUS_OK);
    const char *text = read_run_file("sums.run", "log.csv");
    double peak = 0, least = INFINITY, worst[4] = {0};
    int rows = 0;
    while ((text = strchr(text, '\n')) != NULL && text[1]) {
        double value[COLUMNS];
        text++;
        for (int i = 0; i < COLUMNS; i++) {
            char *end;
            value[i] = strtod(text, &end);
            text = end + (i + 1 < COLUMNS);
        }
        for (int i = 0; i < 3; i++) worst[i] = larger(worst[i], fabs(value[1 + 2 * i] - value[2 + 2 * i]));
        worst[3] = larger(worst[3], fabs(value[7]));
        if (value[8] < peak) least = value[8] / peak < least ? value[8] / peak : least;
        peak = larger(peak, value[8]);
        rows++;
    }
    print_message("%d rows, differences %.1e %.1e %.1e J, residual %.1e J, peak %g N, falls to %.9g\n", rows, worst[0],
                  worst[1], worst[2], worst[3], peak, least);
    assert_int_equal(rows, 2501);
    for (int i = 0; i < 3; i++) check_below(worst[i], 1e-11); /* rounding of sums of up to 100 J */
    check_below(worst[3], 1e-3);                              /* 1e-6 of 100 J in each step, and of the dense output */
    assert_true(peak > 200 && !(least < 1 - 1e-5));           /* a row is of the dense output of a tolerance of 1e-6 */
    remove_directory("sums.run");
}

/* `on: steps`: the start and each accepted state, with those of located events and conditions and the last one, which
 * is on no point of the grid; nothing in between. A ball of 1 kg at 1 m/s touches a spring of 100 N/m at 0.1 s. */
static void every_accepted_step(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\n"
        "integrator: {method: %s, step: 7 ms}\n"
        "run: {until: 0.7 s, stop_when: {channel: bodies.ball.velocity.x, below: 0.6 m/s}}\n"
        "contact_types: {t: {law: spring_damper, stiffness: 100 N/m}}\n"
        "rules: [{default: t}]\n"
        "bodies:\n"
        "  stop: {motion: fixed, shapes: {s: {sphere: {radius: 1}}}, state: {position: [2.1, 0, 0]}}\n"
        "  ball: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, shapes: {s: {sphere: {radius: 1}}},\n"
        "         state: {velocity: [1, 0, 0]}}\n"
        "record: {log: {file: log.csv, on: steps, channels: [bodies.ball.velocity.x]},\n"
        "         touch: {file: touch.csv, on: steps, contacts: all}}\n";
    static const char *const methods[] = {"dopri5", "dop853", "rk4, locate_events: true"};
    for (int i = 0; i < 3; i++) {
        char text[4096];
        snprintf(text, sizeof text, scene, methods[i]);
        assert_int_equal(execute(text, "steps.run"), FENDER_STATUS_OK);
        double steps = number_behind(read_run_file("steps.run", "summary.json"), "\"steps\":");
        const char *at = read_run_file("steps.run", "log.csv");
        double time = -1, velocity = 0;
        int rows = 0, touches = 0;
        for (; (at = strchr(at, '\n')) != NULL && at[1]; rows++) {
            char *end;
            const double last = time;
            time = strtod(++at, &end);
            velocity = strtod(end + 1, NULL);
            assert_true(time > last);
            touches += fabs(time - 0.1) < 1e-9;
        }
        if (i < 2) assert_int_equal(rows, steps + 1);
        assert_int_equal(touches, 1);
        check_near(time, 0.1927295218, 1e-6); /* 0.1 + acos(0.6) / 10 */
        check_near(velocity, 0.6, 1e-9);
        assert_true(strstr(read_run_file("steps.run", "touch.csv"), "\n0.1927") != NULL);
    }
    remove_directory("steps.run");
}

/* A ball at 1 m/s that is pressed into a stop by 10 mm, or leaves it after its velocity is set. */
static fender_world *pressed(fender_body_id *ball)
{
    static const char scene[] =
        "fender: 1\n"
        "integrator: {method: dopri5, step: 10 ms}\n"
        "run: {until: 1 s}\n"
        "contact_types: {t: {law: spring_damper, stiffness: 100 N/m}}\n"
        "rules: [{default: t}]\n"
        "bodies:\n"
        "  stop: {motion: fixed, shapes: {s: {sphere: {radius: 1}}}, state: {position: [2, 0, 0]}}\n"
        "  ball: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, shapes: {s: {sphere: {radius: 1}}},\n"
        "         state: {position: [0.01, 0, 0], velocity: [1, 0, 0]}}\n";
    const fender_env env = fender_env_default();
    fender_error fault = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", scene, strlen(scene), NULL, 0, &fault);
    fender_world *world = scenario ? fender_scenario_build(scenario, &env, &fault) : NULL;
    assert_non_null(world);
    fender_scenario_destroy(scenario);
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_propose(world, 0.001, NULL, &error));
    check_ok(fender_world_accept(world, &error));
    check_ok(fender_body_find(world, "ball", ball));
    return world;
}

static void turn_back(fender_world *world, fender_body_id ball)
{
    fender_body_state state;
    check_ok(fender_body_get_state(world, ball, FENDER_CLOCK_COMMITTED, &state));
    state.velocity = fender_vec3_make(-1, 0, 0);
    check_ok(fender_body_set_state(world, ball, &state, &error));
}

static double sampled_peak(fender_world *world, double limit)
{
    fender_proposal proposal;
    fender_contact_data contact;
    check_ok(fender_world_propose(world, limit, &proposal, &error));
    check_ok(fender_world_sample(world, proposal.end_time, &error));
    check_ok(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &contact));
    return contact.peak_force;
}

/* Peaks that samples of one proposal have shown are not those of another one: dropped, or of another state of that time
 * that a snapshot brings back. */
static void dropped_proposals(void **state)
{
    (void)state;
    fender_body_id ball;
    fender_world *world = pressed(&ball);
    turn_back(world, ball);
    const double alone = sampled_peak(world, 0.006);
    fender_world_destroy(world);
    world = pressed(&ball);
    assert_true(sampled_peak(world, 0.005) > 1.2 * alone); /* it goes on into the stop */
    fender_world_discard_proposal(world);
    turn_back(world, ball);
    assert_true(sampled_peak(world, 0.006) == alone);
    fender_world_destroy(world);
    world = pressed(&ball);
    fender_snapshot *in = fender_snapshot_take(world, NULL);
    turn_back(world, ball);
    fender_snapshot *away = fender_snapshot_take(world, NULL);
    check_ok(fender_snapshot_restore(world, in, &error));
    assert_true(sampled_peak(world, 0.005) > 1.2 * alone);
    check_ok(fender_snapshot_restore(world, away, &error));
    assert_true(sampled_peak(world, 0.006) == alone);
    fender_snapshot_destroy(in);
    fender_snapshot_destroy(away);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(sums_of_a_pair),
                                       cmocka_unit_test(every_accepted_step), cmocka_unit_test(dropped_proposals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
