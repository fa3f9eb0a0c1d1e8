/* Pairs of bodies and links in the summary of a run: sums against the ledger and momentum. */
#include "run_test.h"

/* A table of 40 kg on four feet falls from 20 mm and comes to rest; a strut stands between it and a weight on top. */
static const char table[] =
    "fender: 1\n"
    "world: {gravity: [0, 0, -10, m/s^2]}\n"
    "integrator: {step: 0.5 ms%s}\n"
    "run: {until: 3 s}\n"
    "contact_types: {pad: {law: smooth_spring_damper, stiffness: 50 kN/m, damping: 1 kN*s/m, transition_width: 4 mm}}\n"
    "rules: [{default: pad}]\n"
    "bodies:\n"
    "  ground: {motion: fixed, shapes: {land: {plane: {}}}}\n"
    "  table:\n"
    "    mass_properties: {mass: 40 kg, inertia: [9, 9, 9], center_of_mass: [0, 0, 0.5, m]}\n"
    "    points: {top: {position: [0, 0, 1, m]}}\n"
    "    shapes: {foot: {sphere: {radius: 0.1 m}, position: [1, 0, 0.1, m], pattern: {count: 4, about: [0, 0, 1]}}}\n"
    "    state: {position: [0, 0, 20, mm]}\n"
    "  weight:\n"
    "    mass_properties: {mass: 10 kg, inertia: [1, 1, 1]}\n"
    "    points: {bottom: {}}\n"
    "    state: {position: [0, 0, 1.3, m]}\n"
    "links:\n"
    "  leg: {between: [table.top, weight.bottom], law: strut, free_length: 0.3 m, stiffness: 2 kN/m, stroke: 0.2 m,\n"
    "        stop_stiffness: 100 kN/m, compression_damping: 100, extension_damping: 100}\n"
    "  spare: {between: [table.top, weight.bottom], law: tether, length: 1 m, stiffness: 1 kN/m, active: false}\n";

static fender_run *run_of(const char *integrator, const char *directory, fender_scenario **scenario)
{
    static diagnostics f;
    char text[3000];
    fender_env env = fender_env_default();
    memset(&f, 0, sizeof f);
    env.report = collect_diagnostic;
    env.report_ctx = &f;
    snprintf(text, sizeof text, table, integrator);
    *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, NULL);
    if (!*scenario) print_error("%s\n", f.text);
    assert_non_null(*scenario);
    if (directory) remove_directory(directory);
    fender_run_def def = {.scenario = *scenario, .output_directory = directory};
    fender_run *run = fender_run_create(&env, &def, NULL);
    if (!run) print_error("%s\n", f.text);
    assert_non_null(run);
    check_ok(fender_run_execute(run, &error));
    return run;
}

/* From rest to rest, the impulse is that of gravity; the loss is that of the ledger, less that of the strut. */
static void sums_of_a_landing(void **state)
{
    (void)state;
    static const char *const integrators[] = {"", ", method: dopri5, relative_tolerance: 1e-9"};
    for (int k = 0; k < 2; k++) {
        fender_scenario *scenario;
        fender_run *run = run_of(integrators[k], NULL, &scenario);
        const fender_run_summary *s = fender_run_get_summary(run);
        assert_int_equal(s->body_pair_count, 1);
        const fender_body_pair_summary *pair = &s->body_pairs[0];
        assert_string_equal(pair->a, "ground");
        assert_string_equal(pair->b, "table");
        assert_true(pair->several);
        assert_int_equal(pair->contact_count, s->episode_count);
        assert_int_equal(pair->lasting_count, 4);
        assert_true(isnan(pair->end_time));
        check_near(pair->begin_time, s->episodes[0].begin_time, 0);
        check_near(pair->impulse, 500 * s->end_time, 1e-2);
        assert_int_equal(s->link_count, 2);
        const fender_link_summary *leg = &s->links[0];
        check_near(pair->energy_lost + leg->energy_lost, s->end.damping + s->end.friction, 1e-9);
        check_near(pair->peak_force, 4 * s->episodes[0].peak_force, 1e-3 * pair->peak_force);
        fender_link_data data;
        const fender_world *world = fender_run_world(run);
        check_ok(fender_link_get(world, fender_link_at(world, 0), FENDER_CLOCK_COMMITTED, &data));
        check_near(leg->peak_force, data.peak_force, 0);
        check_near(leg->longest, 0.29, 0.01);
        assert_true(leg->shortest < 0.3 - 0.05); /* more than at rest: 100 N on 2 kN/m */
        check_near(leg->stroke_left, 0.2 - (0.3 - leg->shortest), 1e-9);
        assert_true(leg->active && !leg->broken && !leg->spent && !leg->captured);
        const fender_link_summary *spare = &s->links[1];
        assert_true(isnan(spare->longest) && isnan(spare->stroke_left) && !spare->active);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* They stand in summary.json. */
static void summary_file(void **state)
{
    (void)state;
    fender_scenario *scenario;
    fender_run *run = run_of("", "tally.run", &scenario);
    const char *text = read_run_file("tally.run", "summary.json");
    assert_non_null(strstr(text, "\"body_pairs\":[\n{\"a\":\"ground\",\"b\":\"table\",\"contacts\":"));
    assert_non_null(strstr(text, "{\"link\":\"leg\",\"peak_force\":"));
    assert_non_null(strstr(text, "\"link\":\"spare\",\"peak_force\":0,"));
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_of_a_landing), cmocka_unit_test(summary_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
