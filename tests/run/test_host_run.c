/* Runs that a host steps: the same bits as executed runs, commands and stops that are repeated, refusals. */
#include "run_test.h"

#include <sys/wait.h>

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

/* force = 100 N/s * t, set every 100 ms, on 100 kg at -2 m/s: v(2 s) = -2 m/s + (0.1 s)^2 (0 + 1 + .. + 19) * 1 m/s^3.
 */
static void push_by_time(fender_run *run, double until)
{
    bool going = true;
    fender_command push;
    check_ok(fender_command_find(fender_run_world(run), "loads.push.force.x", &push, &error));
    for (int i = (int)lround(10 * fender_world_time(fender_run_world(run))); going && i < 10 * until; i++) {
        const double force = 10. * i;
        check_ok(fender_run_set_command(run, &push, &force, &error));
        check_ok(fender_run_advance_to(run, (i + 1) / 10., &going, &error));
    }
}

static void only_a_host_resumes_its_run(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_scenario *scenario;
    fender_error failure = {0};
    static const char pushed[] = "run: {until: 2 s, checkpoint_every: 0.5 s}\n"
                                 "loads: {push: {body: veh2, force: {constant: [0, 0, 0, N]}}}\n";
    remove_directory("pushed.run");
    pid_t child = fork();
    if (child == 0) {
        push_by_time(start(&env, &scenario, pushed, "pushed.run", NULL), 1.3);
        _exit(7);
    }
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 7);
    for (int k = 0; k < 3; k++) { /* executed, stepped, opened */
        scenario = load_scene(&env, pushed, &failure);
        fender_run_def def = {.scenario = scenario, .output_directory = "pushed.run", .resume = true};
        fender_run *run = fender_run_create(&env, &def, &failure);
        assert_non_null(run);
        if (k < 2) {
            memset(&failure, 0, sizeof failure);
            assert_int_equal(k ? fender_run_step(run, NULL, &failure) : fender_run_execute(run, &failure),
                             FENDER_STATUS_FILE);
            assert_non_null(strstr(failure.message, "a program has stepped this run"));
            assert_non_null(strstr(failure.suggestion, "fender_run_open"));
        } else {
            int count;
            fender_channel speed;
            check_ok(fender_run_channel_find(run, "bodies.veh2.velocity.x", &speed, 1, &count, &error));
            check_ok(fender_run_open(run, &error));
            check_near(fender_world_time(fender_run_world(run)), 1, 1e-12);
            check_ok(fender_run_open(run, &error));
            push_by_time(run, 2);
            check_near(fender_run_channel_read(run, &speed), -0.1, 1e-12);
            check_ok(fender_run_finish(run, &error));
        }
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
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
                                       cmocka_unit_test(only_a_host_resumes_its_run), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
