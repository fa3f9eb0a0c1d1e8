/* A foot that holds fast beyond touch, ringing on its spring about touch, on every ground: amplitude and energy. */
/* items: P014 */
#include "run_test.h"

static const char scene[] = "fender: 1\n"
                            "integrator: {method: rk4, step: 0.1 ms, locate_events: true}\n"
                            "run: {until: 0.2 s}\n"
                            "contact_types: {grip: {law: SpringContact, K: 1000, B: 0, Z_Limit: 50}}\n"
                            "rules: [{default: grip}]\n"
                            "bodies:\n"
                            "  wall: {motion: fixed, shapes: {face: {%s}}}\n"
                            "  foot:\n"
                            "    mass_properties: {mass: 0.2 kg, inertia: [1, 1, 1]}\n"
                            "    state: {position: [20, 30, 9.9, mm], velocity: [0, 0, -0.1, m/s]}\n"
                            "    shapes: {pad: {%s}}\n"
                            "expect:\n"
                            "  - {channel: ledger.energy.residual, at: max, below: 1e-10 J}\n"
                            "  - {channel: ledger.energy.residual, at: min, above: -1e-10 J}\n"
                            "  - {channel: bodies.foot.position.z, at: max, equals: 11.41774 mm, within: 1 um}\n"
                            "  - {channel: bodies.foot.position.z, at: min, equals: 8.58226 mm, within: 1 um}\n";

/* 10 mm +- sqrt((0.1 mm)^2 + (v / w)^2), w^2 = 1000 / 0.2: 1.41774 mm, 0.14 of the radius apart. */
static void rings_on_every_ground(void **state)
{
    (void)state;
    static const char *const grounds[] = {
        "plane: {}", "box: {size: [1, 1, 1, m]}, position: [0, 0, -0.5, m]",
        "grid: {heights: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], spacing: [0.5, 0.5], lower: [-0.5, -0.5]}",
        "extruded: {profile: [[-1, -1], [1, -1], [1, 1], [-1, 1]], length: 1 m}, position: [0, 0, -0.5, m]"};
    static const char *const feet[] = {"sphere: {radius: 10 mm}", "ellipsoid: {radii: [10, 10, 10, mm]}"};
    const fender_env env = fender_env_default();
    for (int f = 0; f < 2; f++)
        for (int g = 0; g < 4; g++) {
            char text[2000];
            snprintf(text, sizeof text, scene, grounds[g], feet[f]);
            fender_error why = {0};
            fender_scenario *scenario = fender_scenario_parse(&env, NULL, "foot.yaml", text, strlen(text), NULL, 0,
                                                              &why);
            assert_non_null(scenario);
            fender_run_def def = {.scenario = scenario, .accept_residual = true};
            fender_run *run = fender_run_create(&env, &def, &why);
            assert_non_null(run);
            (void)fender_run_execute(run, &why);
            const fender_run_summary *summary = fender_run_get_summary(run);
            for (int i = 0; i < summary->expectation_count; i++)
                if (!summary->expectations[i].met)
                    print_error("%s on %s: %s\n", feet[f], grounds[g], summary->expectations[i].text);
            assert_int_equal(summary->expectations_met, 4);
            fender_run_destroy(run);
            fender_scenario_destroy(scenario);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rings_on_every_ground)};
    return cmocka_run_group_tests_name("adhesive feet", tests, NULL, NULL);
}
