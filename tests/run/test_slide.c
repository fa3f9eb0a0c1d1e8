/* The path over which shapes slide: closed forms; what a run is not asked for, it does not know. */
#include "run_test.h"

/* A puck whose centre lies in the surface, so that friction does not turn it; %s: integrator, then expectations. */
static const char puck[] = "fender: 1\n"
                           "world: {gravity: [0, 0, -10, m/s^2]}\n"
                           "integrator: {%s}\n"
                           "run: {until: 1 s}\n"
                           "contact_types:\n"
                           "  ice: {normal: {law: spring_damper, stiffness: 10 kN/m, damping: 200},\n"
                           "        friction: {law: coulomb_static_kinetic, mu_static: 0.2, mu_kinetic: 0.2, "
                           "stiffness: 500 kN/m, damping: 500,\n"
                           "                   stick_speed: 4 mm/s}}\n"
                           "rules: [{default: ice}]\n"
                           "bodies:\n"
                           "  ground: {motion: fixed, shapes: {land: {plane: {}}}}\n"
                           "  puck:\n"
                           "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
                           "    state: {position: [0, 0, -1, mm], velocity: [0.8, 0.6, 0, m/s]}\n"
                           "    shapes:\n"
                           "      pad: {point: {}}\n"
                           "      other: {point: {}, position: [0, 0, 1, m]}\n"
                           "%s";

static fender_run *run_of(const char *integrator, const char *more, fender_scenario **scenario)
{
    static diagnostics f;
    char text[3000];
    fender_env env = fender_env_default();
    memset(&f, 0, sizeof f);
    env.report = collect_diagnostic;
    env.report_ctx = &f;
    snprintf(text, sizeof text, puck, integrator, more);
    *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, NULL);
    if (!*scenario) print_error("%s\n", f.text);
    assert_non_null(*scenario);
    fender_run_def def = {.scenario = *scenario};
    fender_run *run = fender_run_create(&env, &def, NULL);
    if (!run) print_error("%s\n", f.text);
    assert_non_null(run);
    return run;
}

/* It stops after v^2 / (2 mu g) = 0.25 m and 0.5 s. */
static void decelerating(void **state)
{
    (void)state;
    static const char *const integrators[] = {"step: 0.2 ms", "step: 10 ms, method: dopri5, relative_tolerance: 1e-8",
                                              "step: 1 ms, locate_events: true"};
    for (int i = 0; i < 3; i++) {
        fender_scenario *scenario;
        fender_run *run = run_of(integrators[i],
                                 "expect:\n"
                                 "  - {channel: shapes.puck.pad.slide, at: end, equals: 0.25 m, within: 0.1 mm}\n"
                                 "  - {channel: shapes.ground.land.slide, at: end, equals: 0.25 m, within: 0.1 mm}\n"
                                 "  - {channel: shapes.puck.other.slide, at: end, equals: 0 m, within: 0 m}\n"
                                 "  - {channel: shapes.puck.pad.slide, at: 0.25 s, equals: 0.1875 m, within: 0.1 mm}\n"
                                 "  - {event: far, at: 112.7017 ms, within: 0.2 ms, source: t - t^2 = 0.1}\n"
                                 "actions:\n"
                                 "  far: {when: {channel: shapes.puck.pad.slide, above: 0.1 m}, do: [{emit: far}]}\n",
                                 &scenario);
        fender_error error = {0};
        fender_status status = fender_run_execute(run, &error);
        const fender_run_summary *summary = fender_run_get_summary(run);
        for (int k = 0; k < summary->expectation_count; k++)
            if (!summary->expectations[k].met) print_error("missed: %s\n", summary->expectations[k].text);
        assert_int_equal(status, FENDER_STATUS_OK);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* A host asks before the run begins; afterwards, and of a world alone, a slide is unknown. */
static void asked_by_a_host(void **state)
{
    (void)state;
    fender_scenario *scenario;
    fender_run *run = run_of("step: 1 ms", "", &scenario);
    fender_channel asked, late, begins;
    int count = 0;
    check_ok(fender_run_channel_find(run, "shapes.puck.pad.slide", &asked, 1, &count, &error));
    assert_int_equal(count, 1);
    check_ok(fender_run_execute(run, &error));
    check_near(fender_run_channel_read(run, &asked), 0.25, 1e-4);
    assert_true(isnan(fender_channel_read(fender_run_world(run), &asked)));
    check_ok(fender_run_channel_find(run, "shapes.puck.other.slide", &late, 1, &count, &error));
    assert_true(isnan(fender_run_channel_read(run, &late)));
    check_ok(fender_run_channel_find(run, "events.begin.count", &begins, 1, &count, &error));
    check_near(fender_run_channel_read(run, &begins), 1, 0);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* A ball that begins to roll down a slope from rest, at the depth of its weight, under Dahl friction without a damper:
 * there is no energy yet, to which that of the first step could be compared. It rolls with the acceleration
 * g sin a / (1 + I / (m r^2)) = 0.7143 of 4.905 m/s^2; the stretch of friction, up to 0.1 mm, swings with the ball at
 * less than 0.02 m/s. */
static void rolls_from_rest(void **state)
{
    (void)state;
    static const char *const methods[] = {"method: dopri5", "method: dop853",
                                          "method: dopri5, relative_tolerance: 1e-5"};
    static const double residuals[] = {1e-9, 1e-9, 1e-5}; /* J, of 6 J at work */
    static const char scene[] =
        "fender: 1\n"
        "world: {gravity: [4.905, 0, -8.495709211125344, m/s^2]}\n"
        "integrator: {%s}\n"
        "run: {until: 1 s}\n"
        "contact_types: {c: {normal: {law: spring_damper, stiffness: 100 kN/m, damping: 300 N*s/m},\n"
        "                    friction: {law: dahl, mu: 0.3, amplitude: 0.1 mm}}}\n"
        "rules: [{default: c}]\n"
        "bodies:\n"
        "  ground: {motion: fixed, shapes: {top: {plane: {}}}}\n"
        "  ball:\n"
        "    mass_properties: {mass: 1 kg, inertia: [4e-3, 4e-3, 4e-3]}\n"
        "    shapes: {hull: {sphere: {radius: 0.1 m}}}\n"
        "    state: {position: [0, 0, 0.09991504290788875]}\n";
    for (int i = 0; i < 3; i++) {
        char text[1500];
        const fender_env env = fender_env_default();
        fender_error why = {0};
        snprintf(text, sizeof text, scene, methods[i]);
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "s.yaml", text, strlen(text), NULL, 0, &why);
        if (!scenario) print_error("%s\n", why.message);
        assert_non_null(scenario);
        fender_run_def def = {.scenario = scenario};
        fender_run *run = fender_run_create(&env, &def, NULL);
        assert_non_null(run);
        check_ok(fender_run_execute(run, &why));
        fender_body_id ball;
        fender_body_state at;
        check_ok(fender_body_find(fender_run_world(run), "ball", &ball));
        check_ok(fender_body_get_state(fender_run_world(run), ball, FENDER_CLOCK_COMMITTED, &at));
        check_near(at.velocity.x, 4.905 / 1.4, 0.02);
        check_near(at.angular_velocity.y, 10 * at.velocity.x, 0.2);
        assert_true(fabs(fender_run_get_summary(run)->end.residual) < residuals[i]);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* What lies at the depth of its weight stays there, at loose tolerances, too: its energies are those of rounding. The
 * last one creeps, and what rounding of its place does to the energy of its load is no residual. */
static void lies_at_rest(void **state)
{
    (void)state;
    static const char *const frictions[] = {"none", "{law: lugre, mu_static: 0.4, mu_kinetic: 0.3, amplitude: 0.1 mm}"};
    static const char *const methods[] = {"dopri5", "dopri5, relative_tolerance: 1e-5",
                                          "dopri5, relative_tolerance: 1e-3", "dop853, relative_tolerance: 1e-6"};
    for (int i = 0; i < 9; i++) {
        char text[1200];
        const fender_env env = fender_env_default();
        fender_error why = {0};
        snprintf(text, sizeof text,
                 "fender: 1\n"
                 "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
                 "integrator: {method: %s}\n"
                 "run: {until: %s}\n"
                 "contact_types: {c: {normal: {law: spring_damper, stiffness: 100 kN/m, damping: 300}, friction: %s}}\n"
                 "rules: [{default: c}]\n"
                 "bodies:\n"
                 "  ground: {motion: fixed, shapes: {top: {plane: {}}}}\n"
                 "  box:\n"
                 "    mass_properties: {from_shapes: true, mass: 1 kg}\n"
                 "    shapes: {hull: {box: {size: [0.2, 0.2, 0.2, m]}}}\n"
                 "    state: {position: [0, 0, 0.0999019], velocity: [%g, 0, 0]}\n",
                 methods[i / 2 % 4], i == 8 ? "1 s" : "50 ms", frictions[i % 2 | i / 8], i == 8 ? 1e-12 : 0);
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "s.yaml", text, strlen(text), NULL, 0, &why);
        if (!scenario) print_error("%s\n", why.message);
        assert_non_null(scenario);
        fender_run_def def = {.scenario = scenario};
        fender_run *run = fender_run_create(&env, &def, NULL);
        assert_non_null(run);
        check_ok(fender_run_execute(run, &why));
        assert_int_equal(fender_run_get_summary(run)->verdict, FENDER_RUN_SOUND);
        assert_true(fabs(fender_run_get_summary(run)->end.damping) < 1e-20);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decelerating), cmocka_unit_test(asked_by_a_host),
                                       cmocka_unit_test(rolls_from_rest), cmocka_unit_test(lies_at_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
