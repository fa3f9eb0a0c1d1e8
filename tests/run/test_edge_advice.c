/* A rounded block lands on the ridge of a grid, whose edge is sharp to it in patches: energy comes from nothing at
 * touch, at any step. The run says so, and what it proposes helps. */
#include "run_test.h"

static const char ridge[] =
    "fender: 1\n"
    "integrator: {method: %s, step: 1 ms, locate_events: true}\n"
    "run: {until: 0.1 s}\n"
    "contact_types:\n"
    "  soft: {law: spring_damper, stiffness: 20 kN/m, damping: 0 N*s/m, points: %s}\n"
    "rules: [{default: soft}]\n"
    "bodies:\n"
    "  ground:\n"
    "    motion: fixed\n"
    "    shapes: {g: {grid: {heights: [[0, 0, 0], [0.2, 0.2, 0.2], [0, 0, 0]], spacing: [0.2, 0.2], lower: [-0.2, "
    "-0.2]}}}\n"
    "  block:\n"
    "    mass_properties: {mass: 2 kg, inertia: [0.05, 0.05, 0.05]}\n"
    "    shapes: {b: {box: {half_extents: [0.1, 0.1, 0.1, m]}, rounding: 50 mm}}\n"
    "    state: {position: [0.003, 0.002, 0.36, m], velocity: [0, 0, -0.2, m/s], orientation: {axis: [1, 2, 0], angle: "
    "%g deg}}\n";

static fender_run_verdict verdict_with(const char *method, const char *points, double degrees, fender_error *why)
{
    char text[2000];
    snprintf(text, sizeof text, ridge, method, points, degrees);
    const fender_env env = fender_env_default();
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "ridge.yaml", text, strlen(text), NULL, 0, why);
    return verdict_of(scenario, why);
}

static void proposal_helps(void **state)
{
    (void)state;
    static const char *const methods[2] = {"rk4", "dopri5"};
    for (int m = 0; m < 2; m++) {
        fender_error why = {0};
        assert_int_not_equal(verdict_with(methods[m], "patch", 3, &why), FENDER_RUN_SOUND);
        assert_int_equal(why.status, FENDER_STATUS_RESIDUAL);
        assert_non_null(strstr(why.suggestion, "try points: single (edges of meshes are sharp to rounded solids)"));
        assert_int_equal(verdict_with(methods[m], "single", 3, &why), FENDER_RUN_SOUND);
    }
}

/* Of what comes at touch and goes at release the contact has lost nothing in all. */
static void only_contact_is_named_as_such(void **state)
{
    (void)state;
    fender_error why = {0};
    assert_int_not_equal(verdict_with("dopri5", "patch", 0, &why), FENDER_RUN_SOUND);
    assert_non_null(strstr(why.message, "little of it belongs to the only contact ground.g:block.b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(proposal_helps),
                                       cmocka_unit_test(only_contact_is_named_as_such)};
    return cmocka_run_group_tests_name("advice on edges", tests, NULL, NULL);
}
