/* Runs that a host steps: the same bits as executed runs, commands and stops that are repeated, refusals. */
#include "run_test.h"

static const char more[] = "run: {until: 4 s}\n"
                           "loads:\n"
                           "  push: {body: veh2, force: {constant: [-500, 30, 0, N]}, active: false}\n"
                           "record: {log: {file: log.csv, every: 100 ms, channels: [bodies.veh2.velocity]}}\n";

static fender_run *start(const fender_env *env, fender_scenario **scenario, const char *text, const char *directory,
                         const char *verify)
{
    fender_error error = {0};
    *scenario = load_scene(env, text, &error);
    assert_non_null(*scenario);
    fender_run_def def = {
        .scenario = *scenario, .output_directory = directory, .verify_directory = verify, .accept_residual = true};
    fender_run *run = fender_run_create(env, &def, &error);
    assert_non_null(run);
    return run;
}

static void end(fender_run *run, fender_scenario *scenario)
{
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

static void stepped_is_executed(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_scenario *scenario;
    uint64_t hash[2];
    char *log[2];
    for (int k = 0; k < 2; k++) {
        const char *directory = k == 0 ? "executed.run" : "stepped.run";
        fender_run *run = start(&env, &scenario, more, directory, NULL);
        bool going = true;
        if (k == 0) check_ok(fender_run_execute(run, &error));
        else {
            while (going) check_ok(fender_run_step(run, &going, &error));
            check_ok(fender_run_step(run, &going, &error)); /* stays at its end */
            check_ok(fender_run_finish(run, &error));
        }
        hash[k] = fender_run_get_summary(run)->hash;
        log[k] = strdup(read_run_file(directory, "log.csv"));
        end(run, scenario);
    }
    assert_int_equal(hash[0], hash[1]);
    assert_string_equal(log[0], log[1]);
    free(log[0]);
    free(log[1]);
    assert_non_null(strstr(read_run_file("stepped.run", "summary.json"), "\"ended_by\":\"until\""));
}

/* A switch every 0.305 s, which lies between two steps, as often by an adaptive method; the replay does the same. */
static void commands_are_repeated(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    const fender_override method = {"integrator.method", "dopri5"};
    char text[4096];
    snprintf(text, sizeof text, "%s%s", run_scene, more);
    for (int k = 0; k < 2; k++) {
        for (int pass = 0; pass < 2; pass++) {
            fender_error failure = {0};
            fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), &method, k,
                                                              &failure);
            assert_non_null(scenario);
            fender_run_def def = {.scenario = scenario,
                                  .output_directory = pass == 0 ? "host.run" : NULL,
                                  .verify_directory = pass == 1 ? "host.run" : NULL,
                                  .accept_residual = true};
            fender_run *run = fender_run_create(&env, &def, &failure);
            assert_non_null(run);
            if (pass == 0) {
                fender_command push;
                bool going = true;
                double value = 0;
                check_ok(fender_command_find(fender_run_world(run), "loads.push.active", &push, &error));
                for (int i = 1; going; i++) {
                    value = i % 2;
                    check_ok(fender_run_set_command(run, &push, &value, &error));
                    check_ok(fender_run_advance_to(run, 0.305 * i, &going, &error));
                    if (going) check_near(fender_world_time(fender_run_world(run)), 0.305 * i, 1e-14);
                    if (i == 12) break;
                }
                check_ok(fender_run_finish(run, &error));
                assert_non_null(strstr(read_run_file("host.run", "summary.json"), "\"ended_by\":\"host\""));
                assert_non_null(strstr(read_run_file("host.run", "commands.csv"), "loads.push.active,1"));
                assert_true(fabs(fender_run_get_summary(run)->end.applied) > 1);
            } else {
                check_ok(fender_run_execute(run, &error));
                assert_true(fender_run_get_summary(run)->hashes_compared > 10);
                assert_int_equal(fender_run_get_summary(run)->difference_step, -1);
            }
            end(run, scenario);
        }
    }
}

static void refusals(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_scenario *scenario;
    fender_run *run = start(&env, &scenario, more, NULL, NULL);
    fender_command push;
    bool going = false;
    double value = NAN;
    check_ok(fender_command_find(fender_run_world(run), "loads.push.active", &push, &error));
    assert_int_equal(fender_run_set_command(run, &push, &value, NULL), FENDER_STATUS_VALUE);
    assert_int_equal(fender_run_set_command(run, NULL, &value, NULL), FENDER_STATUS_ARGUMENT);
    check_ok(fender_run_advance_to(run, 1, &going, &error));
    assert_true(going);
    assert_int_equal(fender_run_advance_to(run, 0.5, &going, NULL), FENDER_STATUS_VALUE);
    assert_int_equal(fender_run_advance_to(run, NAN, &going, NULL), FENDER_STATUS_VALUE);
    assert_int_equal(fender_run_execute(run, NULL), FENDER_STATUS_STATE);
    check_ok(fender_run_advance_to(run, 100, &going, &error));
    assert_false(going);
    check_near(fender_world_time(fender_run_world(run)), 4, 0);
    value = 1;
    assert_int_equal(fender_run_set_command(run, &push, &value, NULL), FENDER_STATUS_STATE);
    check_ok(fender_run_finish(run, &error));
    assert_int_equal(fender_run_finish(run, NULL), FENDER_STATUS_STATE);
    assert_int_equal(fender_run_step(run, &going, NULL), FENDER_STATUS_STATE);
    assert_int_equal(fender_run_step(NULL, &going, NULL), FENDER_STATUS_ARGUMENT);
    end(run, scenario);
    run = start(&env, &scenario, more, NULL, NULL);
    fender_run_cancel(run);
    assert_int_equal(fender_run_step(run, &going, NULL), FENDER_STATUS_INTERRUPTED);
    assert_false(going);
    assert_int_equal(fender_run_finish(run, NULL), FENDER_STATUS_INTERRUPTED);
    end(run, scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stepped_is_executed), cmocka_unit_test(commands_are_repeated),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
