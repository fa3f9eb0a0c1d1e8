/* Every allocation of a run, of a report and of the whole program is refused in turn, those of libyaml too. */
#include "drill.h"
#include "program.h"
#include <dirent.h>
#include <fcntl.h>
#include <fender/io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SAMPLE FENDER_SOURCE_DIR "/samples/scenarios/two_spheres.yaml"

/* Thousands of runs need not reach the disk. */
int __wrap_fsync(int descriptor);
int __wrap_fsync(int descriptor) { return descriptor < 0 ? -1 : 0; }

typedef struct fixture {
    fender_env env;
    fender_scenario *scenario;
    const char *directory;
} fixture;

/* With the files in it, if it is there. */
static void remove_directory(const char *directory)
{
    DIR *folder = opendir(directory);
    if (!folder) return;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char name[400];
        snprintf(name, sizeof name, "%s/%s", directory, entry->d_name);
        if (entry->d_name[0] != '.') assert_int_equal(unlink(name), 0);
    }
    closedir(folder);
    assert_int_equal(rmdir(directory), 0);
}

static fixture *fixture_new(const fender_env *env, const char *directory)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->env = *env;
    f->directory = directory;
    return f;
}

static void release(void *fixture_)
{
    fixture *f = fixture_;
    fender_scenario_destroy(f->scenario);
    free(f);
}

static fixture *scenario_new(const fender_env *env, const char *directory)
{
    fixture *f = fixture_new(env, directory);
    fender_error error = {0};
    fender_override cut[] = {{"run.until", "5.2 s"},
                             {"integrator.step", "20 ms"},
                             {"record.log.every", "20 ms"},
                             {"run.checkpoint_every", "2 s"}};
    f->scenario = fender_scenario_load(env, NULL, SAMPLE, cut, 4, &error);
    if (!f->scenario) fail_msg("%s", error.message);
    return f;
}

static fender_status run(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_run_def def = {.scenario = f->scenario, .output_directory = f->directory, .command_line = "a test"};
    fender_run *made = fender_run_create(&f->env, &def, error);
    if (!made) return error->status;
    fender_status status = fender_run_execute(made, error);
    const fender_run_summary *summary = fender_run_get_summary(made);
    assert_true(summary->step_count > 0 || status == FENDER_STATUS_MEMORY);
    fender_run_destroy(made);
    return status == FENDER_STATUS_EXPECTATION ? FENDER_STATUS_OK : status; /* it is cut short */
}

static void *without_files(const fender_env *env, int size)
{
    (void)size;
    return scenario_new(env, NULL);
}

static void *new_directory(const fender_env *env, int size)
{
    (void)size;
    remove_directory("new.run");
    return scenario_new(env, "new.run");
}

static void *old_directory(const fender_env *env, int size)
{
    (void)size;
    fixture *f = scenario_new(env, "old.run");
    if (access("old.run/summary.json", F_OK) != 0) check_ok(run(f, &error)); /* else the attempt before has left it */
    return f;
}

/* Interrupted at once, with a checkpoint. */
static void *cut_directory(const fender_env *env, int size)
{
    (void)size;
    remove_directory("cut.run");
    fixture *f = scenario_new(env, "cut.run");
    fender_run_def def = {.scenario = f->scenario, .output_directory = f->directory};
    fender_error error = {0};
    fender_run *made = fender_run_create(&f->env, &def, &error);
    fender_run_cancel(made);
    assert_int_equal(fender_run_execute(made, &error), FENDER_STATUS_INTERRUPTED);
    fender_run_destroy(made);
    return f;
}

static fender_status resume(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_run_def def = {.scenario = f->scenario, .output_directory = f->directory, .resume = true};
    fender_run *made = fender_run_create(&f->env, &def, error);
    fender_status status = made ? fender_run_execute(made, error) : error->status;
    fender_run_destroy(made);
    return status == FENDER_STATUS_EXPECTATION ? FENDER_STATUS_OK : status;
}

static fender_status load_run(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_scenario *scenario = fender_scenario_load_run(&f->env, NULL, f->directory, error);
    if (!scenario) return error->status;
    fender_scenario_destroy(scenario);
    return FENDER_STATUS_OK;
}

static fender_status verify(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    fender_run_def def = {.scenario = f->scenario, .verify_directory = f->directory};
    fender_run *made = fender_run_create(&f->env, &def, error);
    if (!made) return error->status;
    fender_status status = fender_run_execute(made, error);
    fender_run_destroy(made);
    return status == FENDER_STATUS_EXPECTATION ? FENDER_STATUS_OK : status;
}

static void *finished_run(const fender_env *env, int size)
{
    (void)size;
    return fixture_new(env, "old.run");
}

static void runs(void **state)
{
    (void)state;
    drill_run(&(drill){"fender_run_create, _execute", without_files, 0, run, NULL, NULL, release, false});
    assert_true(drill_host_count > 0);
    assert_int_equal(drill_foreign_count, 0);
    drill_run(&(drill){"the same into a new directory", new_directory, 0, run, NULL, NULL, release, false});
    assert_true(drill_host_count > 0);
    drill_run(&(drill){"the same over an earlier run", old_directory, 0, run, NULL, NULL, release, false});
    assert_true(drill_host_count > 0);
    drill_run(&(drill){"a run that is resumed", cut_directory, 0, resume, NULL, NULL, release, false});
    assert_true(drill_host_count > 0);
    drill_run(&(drill){"fender_scenario_load_run", finished_run, 0, load_run, NULL, NULL, release, false});
    drill_run(&(drill){"a run that is repeated", old_directory, 0, verify, NULL, NULL, release, false});
    assert_true(drill_host_count > 0);
}

static fender_status report(void *fixture_, fender_error *error)
{
    fixture *f = fixture_;
    return fender_report_write(&f->env, f->directory, "report.html", error);
}

static void reports(void **state)
{
    (void)state;
    drill_run(&(drill){"fender_report_write", finished_run, 0, report, NULL, NULL, release, false});
    assert_true(drill_host_count > 0);
}

/* ---- the program */

static char output[65536], complaint[65536];

static int redirect(int descriptor, const char *name)
{
    int kept = dup(descriptor), file = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    assert_true(kept >= 0 && file >= 0);
    assert_int_equal(dup2(file, descriptor), descriptor);
    close(file);
    return kept;
}

static void read_back(const char *name, char *to, size_t size)
{
    int file = open(name, O_RDONLY);
    ssize_t length = read(file, to, size - 1);
    assert_true(length >= 0);
    to[length] = '\0';
    close(file);
}

static int call_program(host_memory *host)
{
    char words[][128] = {"fender", "run", SAMPLE, "--out", "program.run"};
    char *argv[] = {words[0], words[1], words[2], words[3], words[4], NULL};
    fender_env env = host_memory_env(host);
    foreign.host = host;
    fflush(NULL);
    int out = redirect(1, "out.txt"), err = redirect(2, "err.txt");
    int code = fender_program_main(5, argv, &env);
    foreign_memory_rest();
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    read_back("out.txt", output, sizeof output);
    read_back("err.txt", complaint, sizeof complaint);
    return code;
}

static long refuse(long n, bool in_host, bool all_later)
{
    host_memory host = {0};
    host_memory_arm(&host, in_host ? n : 0, all_later);
    foreign_memory_arm(in_host ? 0 : n, all_later);
    int code = call_program(&host);
    const char *where = in_host ? "the program" : "a library";
    if (host.live != 0 || host.bytes != 0 || foreign.live != 0)
        fail_msg("allocation %ld of %s: %ld and %ld blocks leaked", n, where, host.live, foreign.live);
    if (code != FND_APP_RUN_FAILED || !strstr(complaint, "memory"))
        fail_msg("allocation %ld of %s: exit %d, says '%s'", n, where, code, complaint);
    return 1;
}

static void run_clean(long *host_calls, long *foreign_calls)
{
    host_memory host = {0};
    host_memory_arm(&host, 0, false);
    foreign_memory_arm(0, false);
    int code = call_program(&host);
    if (code != FND_APP_OK) fail_msg("exit %d: %s", code, complaint);
    assert_true(strstr(output, "touch") != NULL || strstr(output, "contact") != NULL);
    assert_int_equal(host.live, 0);
    assert_int_equal(host.bytes, 0);
    assert_int_equal(foreign.live, 0);
    *host_calls = host.calls;
    *foreign_calls = foreign.calls;
}

static void program(void **state)
{
    (void)state;
    long host_calls, foreign_calls, again[2];
    remove_directory("program.run");
    run_clean(&host_calls, &foreign_calls);
    assert_true(host_calls > 0);
#ifdef HAVE_STATIC_YAML
    assert_true(foreign_calls > 0);
#endif
    long refused = 0;
    for (int all_later = 0; all_later < 2; all_later++) {
        for (long n = 1; n <= host_calls; n++) refused += refuse(n, true, all_later);
        for (long n = 1; n <= foreign_calls; n++) refused += refuse(n, false, all_later);
    }
    run_clean(&again[0], &again[1]); /* what failures left behind does not hinder */
    print_message("%6ld allocations and %ld of libraries, refused in %ld calls: fender run two_spheres.yaml\n",
                  host_calls, foreign_calls, refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs), cmocka_unit_test(reports), cmocka_unit_test(program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
