/* Rounded blocks on edges of meshes: where these are round nothing comes from nothing, and where a mesh lies on a
 * rounded solid, whose edges are sharp to it, the run says so, and what it proposes helps. What no contact explains is
 * told. */
#include "run_test.h"

static fender_run_verdict verdict_on(const char *text, fender_error *why)
{
    const fender_env env = fender_env_default();
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "edge.yaml", text, strlen(text), NULL, 0, why);
    return verdict_of(scenario, why);
}

static const char ridge[] =
    "fender: 1\n"
    "integrator: {method: %s, step: 1 ms, locate_events: true}\n"
    "run: {until: 0.1 s}\n"
    "contact_types:\n"
    "  soft: {law: spring_damper, stiffness: 20 kN/m, damping: 0 N*s/m}\n"
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

static void ridges_are_round(void **state)
{
    (void)state;
    static const char *const methods[2] = {"rk4", "dopri5"};
    static const double degrees[2] = {0, 3};
    for (int i = 0; i < 4; i++) {
        char text[2000];
        fender_error why = {0};
        snprintf(text, sizeof text, ridge, methods[i % 2], degrees[i / 2]);
        assert_int_equal(verdict_on(text, &why), FENDER_RUN_SOUND);
    }
}

static const char pipe_on_edge[] =
    "fender: 1\n"
    "integrator: {method: rk4, step: 1 ms, locate_events: true}\n"
    "run: {until: 0.3 s}\n"
    "contact_types:\n"
    "  soft: {law: spring_damper, stiffness: 20 kN/m, damping: 0 N*s/m, points: %s}\n"
    "rules: [{default: soft}]\n"
    "bodies:\n"
    "  ground: {motion: fixed, shapes: {g: {box: {half_extents: [0.5, 0.5, 0.5, m]}, rounding: 50 mm}}}\n"
    "  block:\n"
    "    mass_properties: {mass: 2 kg, inertia: [0.05, 0.05, 0.05]}\n"
    "    shapes: {b: {tube: {outer_radius: 0.1 m, inner_radius: 0.05 m, length: 0.2 m}}}\n"
    "    state: {position: [0.503, 0.002, 0.7, m], velocity: [0, 0, -0.3, m/s], orientation: {axis: [0, 1, 0], angle: "
    "10 deg}}\n";

static void proposal_helps(void **state)
{
    (void)state;
    char text[2000];
    fender_error why = {0};
    snprintf(text, sizeof text, pipe_on_edge, "patch");
    assert_int_not_equal(verdict_on(text, &why), FENDER_RUN_SOUND);
    assert_int_equal(why.status, FENDER_STATUS_RESIDUAL);
    assert_non_null(strstr(why.suggestion, "try points: single (edges of rounded solids are sharp to meshes)"));
    snprintf(text, sizeof text, pipe_on_edge, "single");
    assert_int_equal(verdict_on(text, &why), FENDER_RUN_SOUND);
}

/* A body that spins too fast for the step, beside a ball that bounces without loss. */
static const char spin[] = "fender: 1\n"
                           "integrator: {method: rk4, step: 25 ms, locate_events: true}\n"
                           "run: {until: 1 s}\n"
                           "contact_types: {soft: {law: spring_damper, stiffness: 1 kN/m, damping: 0 N*s/m}}\n"
                           "rules: [{default: soft}]\n"
                           "bodies:\n"
                           "  ground: {motion: fixed, shapes: {g: {plane: {}}}}\n"
                           "  ball:\n"
                           "    mass_properties: {mass: 1 kg, inertia: [0.1, 0.1, 0.1]}\n"
                           "    shapes: {b: {sphere: {radius: 0.1 m}}}\n"
                           "    state: {position: [0, 0, 0.2, m], velocity: [0, 0, -0.3, m/s]}\n"
                           "  top:\n"
                           "    mass_properties: {mass: 1 kg, inertia: [0.1, 0.2, 0.25]}\n"
                           "    shapes: {t: {sphere: {radius: 0.1 m}}}\n"
                           "    state: {position: [5, 0, 5, m], angular_velocity: [40, 60, 80, rad/s]}\n";

static void only_contact_is_named_as_such(void **state)
{
    (void)state;
    fender_error why = {0};
    assert_int_not_equal(verdict_on(spin, &why), FENDER_RUN_SOUND);
    assert_non_null(strstr(why.message, "little of it belongs to the only contact ground.g:ball.b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ridges_are_round), cmocka_unit_test(proposal_helps),
                                       cmocka_unit_test(only_contact_is_named_as_such)};
    return cmocka_run_group_tests_name("advice on edges", tests, NULL, NULL);
}
