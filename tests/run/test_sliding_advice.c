/* Two fingers of 0.1 kg press a cylinder with 10 N: sliding under that load, which the default stick_speed (of gravity)
 * does not know, never ends within a step. The run says so, and what it proposes helps. */
#include "run_test.h"

static const char grip[] =
    "{\"fender\": 1, \"world\": {\"gravity\": [0, 0, -9.81]}, \"integrator\": {\"method\": \"rk4\", \"step\": "
    "\"0.2 ms\", \"locate_events\": true}, \"run\": {\"until\": 0.1}, \"contact_types\": {\"grip\": {\"points\": "
    "\"patch\", \"normal\": {\"law\": \"spring_damper\", \"stiffness\": 20000.0, \"damping\": 40}, \"friction\": "
    "{\"law\": \"coulomb_static_kinetic\", \"mu_static\": 0.3, \"mu_kinetic\": 0.3, \"stiffness\": 20000.0, "
    "\"damping\": 50}}}, \"rules\": [{\"bodies\": [\"object\", \"finger_l\"], \"use\": \"grip\"}, {\"bodies\": "
    "[\"object\", \"finger_r\"], \"use\": \"grip\"}, {\"default\": \"never\"}], \"bodies\": {\"palm\": {\"motion\": "
    "\"prescribed\", \"points\": {\"l\": {\"position\": [-0.1, 0, 0]}, \"r\": {\"position\": [0.1, 0, 0]}}, "
    "\"state\": {\"position\": [0.0, 0, 0]}}, \"object\": {\"mass_properties\": {\"mass\": 0.5, \"inertia\": "
    "[0.00013333333333333334, 0.00013333333333333334, 0.00013333333333333334]}, \"state\": "
    "{\"position\": [0.0, 0, 0]}, \"shapes\": {\"skin\": {\"cylinder\": {\"radius\": 0.02, \"length\": "
    "0.06}}}}, \"finger_l\": {\"mass_properties\": {\"mass\": 0.1, \"inertia\": [0.0001, 0.0001, 0.0001]}, "
    "\"points\": {\"c\": {}}, \"state\": {\"position\": [-0.025, 0, 0]}, \"shapes\": {\"tip\": {\"box\": {\"size\": "
    "[0.01, 0.03, 0.03]}}}}, \"finger_r\": {\"mass_properties\": {\"mass\": 0.1, \"inertia\": [0.0001, "
    "0.0001, 0.0001]}, \"points\": {\"c\": {}}, \"state\": {\"position\": [0.025, 0, 0]}, \"shapes\": {\"tip\": "
    "{\"box\": {\"size\": [0.01, 0.03, 0.03]}}}}}, \"links\": {\"guide_l\": {\"between\": [\"palm.l\", "
    "\"finger_l.c\"], \"law\": \"spring_damper_6dof\", \"stiffness\": [0, 20000.0, 20000.0], \"damping\": [5, "
    "50, 50], \"angular_stiffness\": [50, 50, 50], \"angular_damping\": [0.1, 0.1, 0.1], "
    "\"free_position\": [0.075, 0, 0]}, \"guide_r\": {\"between\": [\"palm.r\", \"finger_r.c\"], \"law\": "
    "\"spring_damper_6dof\", \"stiffness\": [0, 20000.0, 20000.0], \"damping\": [5, 50, 50], "
    "\"angular_stiffness\": [50, 50, 50], \"angular_damping\": [0.1, 0.1, 0.1], \"free_position\": "
    "[-0.075, 0, 0]}}, \"loads\": {\"squeeze_l\": {\"body\": \"finger_l\", \"axes\": \"world\", \"force\": "
    "{\"constant\": [10, 0, 0, \"N\"]}}, \"squeeze_r\": {\"body\": \"finger_r\", \"axes\": \"world\", \"force\": "
    "{\"constant\": [-10, 0, 0, \"N\"]}}}}";

static fender_run_verdict verdict_with(const char *stick_speed, fender_error *why)
{
    const fender_env env = fender_env_default();
    const fender_override set = {"contact_types.grip.friction.stick_speed", stick_speed};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "grip.yaml", grip, sizeof grip - 1, &set,
                                                      stick_speed ? 1 : 0, why);
    return verdict_of(scenario, why);
}

static void proposal_helps(void **state)
{
    (void)state;
    fender_error why = {0};
    assert_int_equal(verdict_with(NULL, &why), FENDER_RUN_DOUBTFUL);
    assert_int_equal(why.status, FENDER_STATUS_RESIDUAL);
    const char *proposal = strstr(why.suggestion, "try stick_speed: ");
    assert_non_null(proposal);
    char speed[32];
    assert_int_equal(sscanf(proposal, "try stick_speed: %31[0-9.] m/s in the friction of 'grip'", speed), 1);
    assert_int_equal(verdict_with(speed, &why), FENDER_RUN_SOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(proposal_helps)};
    return cmocka_run_group_tests_name("advice on sliding", tests, NULL, NULL);
}
