/* Range sensors without a hit: conditions do not hold, and expectations are of the states with one. */
#include "run/run.h"
#include "run_test.h"

/* A lander that sinks from 30 m at 10 m/s, with an altimeter that reaches 10 m: it sees ground from 2 s on. The line of
 * `up` meets nothing. */
static const char scene[] = "fender: 1\n"
                            "run: {until: 2.9 s}\n"
                            "bodies:\n"
                            "  ground: {motion: fixed, shapes: {top: {plane: {}}}}\n"
                            "  lander:\n"
                            "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
                            "    state: {position: [0, 0, 30, m], velocity: [0, 0, -10, m/s]}\n"
                            "sensors:\n"
                            "  alt: {body: lander, direction: [0, 0, -1], range: 10 m}\n"
                            "  up: {body: lander, direction: [0, 0, 1]}\n"
                            "actions:\n"
                            "  cut: {when: {channel: sensors.alt.range, below: 1.5 m}, do: [{emit: cut}]}\n"
                            "  seen: {when: {channel: sensors.alt.range, above: -1 m}, do: [{emit: seen}]}\n"
                            "  slow: {when: {channel: sensors.up.line_speed, below: 1 m/s}, do: [{emit: slow}]}\n"
                            "  none: {when: {channel: sensors.up.hit, below: 0.5}, do: [{emit: none}]}\n"
                            "expect:\n";

static const struct {
    const char *text;
    bool met;
} rows[] = {
    {"{event: cut, at: 2.85 s, within: %s}", true},
    {"{event: seen, at: 2 s, within: %s}", true},
    {"{event: none, at: 0 s, within: 0 s}", true},
    {"{channel: events.slow.count, at: end, equals: 0, within: 0}", true},
    {"{channel: sensors.alt.range, at: max, below: 10.01 m, above: 9.8 m}", true},
    {"{channel: sensors.alt.range, at: min, below: 1.01 m, above: 0.99 m}", true},
    {"{channel: sensors.alt.range, at: end, equals: 1 m, within: 1e-9 m}", true},
    {"{channel: sensors.alt.range_rate, at: max, below: -9.99 m/s}", true},
    {"{channel: sensors.alt.range, at: 1 s, below: 1 m}", false},
    {"{channel: sensors.up.range, below: 1 m}", false},
    {"{channel: sensors.up.range, above: -1 m}", false},
    {"{channel: sensors.up.range, at: end, equals: 0 m, within: 1 m}", false},
    {"{channel: sensors.up.hit, at: max, equals: 0, within: 0}", true},
    {"{channel: sensors.up.direction.z, at: end, equals: 1, within: 1e-15}", true},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Adaptive steps end at the time of a condition; fixed ones see it at the end of a step of 10 ms. */
static void without_a_hit(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        char text[4096];
        size_t used = (size_t)snprintf(text, sizeof text, "%s", scene);
        for (int i = 0; i < ROWS; i++) {
            char row[160];
            const char *mark = strstr(rows[i].text, "%s");
            if (mark)
                snprintf(row, sizeof row, "%.*s%s%s", (int)(mark - rows[i].text), rows[i].text,
                         fixed ? "10.001 ms" : "1e-9 s", mark + 2);
            else snprintf(row, sizeof row, "%s", rows[i].text);
            used += (size_t)snprintf(text + used, sizeof text - used, "  - %s\n", row);
        }
        snprintf(text + used, sizeof text - used, "integrator: {%s}\n",
                 fixed ? "method: rk4, step: 10 ms" : "method: dop853");
        fender_env env = fender_env_default();
        fender_error fault = {0};
        fender_scenario *s = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, &fault);
        if (!s) print_error("%s %s\n", fault.message, fault.path);
        assert_non_null(s);
        fender_run_def def = {.scenario = s};
        fender_run *run = fender_run_create(&env, &def, &fault);
        assert_non_null(run);
        fender_run_execute(run, &fault);
        const fender_run_summary *summary = fender_run_get_summary(run);
        assert_int_equal(summary->expectation_count, ROWS);
        for (int i = 0; i < ROWS; i++) {
            if (summary->expectations[i].met != rows[i].met) fail_msg("%s", summary->expectations[i].text);
            if (!rows[i].met) assert_non_null(strstr(summary->expectations[i].text, ": not reached"));
        }
        fender_run_destroy(run);
        fender_scenario_destroy(s);
    }
}

/* How far a condition is from its limit has the sign of whether it holds, with a hit and without. */
static void margins_without_a_hit(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    fender_error fault = {0};
    char text[2048];
    snprintf(text, sizeof text, "%.*s", (int)(strstr(scene, "expect:") - scene), scene);
    fender_scenario *s = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, &fault);
    assert_non_null(s);
    fender_run *run = fender_run_create(&env, &(fender_run_def){.scenario = s}, &fault);
    assert_non_null(run);
    int held = 0;
    for (int i = 0; i < 29; i++) {
        bool more = true;
        const fnd_instant now = fnd_run_instant(run, run->instant.step, false);
        for (int k = 0; k < run->actions.count; k++) {
            const fnd_condition_tree *tree = &run->actions.states[k].when;
            double margin[1];
            assert_int_equal(tree->count, 1);
            fnd_condition_margins(tree, &now, margin);
            const bool holds = fnd_condition_would_hold(tree, &now);
            if ((margin[0] > 0) != holds) fail_msg("%s at %g s", run->actions.states[k].source->id.name, now.time);
            held += holds;
        }
        assert_int_equal(fender_run_advance_to(run, 0.1 * (i + 1), &more, &fault), FENDER_STATUS_OK);
    }
    assert_true(held > 29 && held < 3 * 29);
    fender_run_destroy(run);
    fender_scenario_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_a_hit), cmocka_unit_test(margins_without_a_hit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
