/* SIGINT and SIGTERM end a run at an accepted step: files complete, summary so far, exit 130; a second one kills. */
#include "harness.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "progress.h"

static const char long_run[] = "fender run two_spheres.yaml --set run.until=1e6s --set integrator.step=1ms --set "
                               "record.log.every=1ms --out long.run";

static void pause_briefly(void)
{
    struct timespec pause = {0, 20 * 1000 * 1000};
    nanosleep(&pause, NULL);
}

static pid_t start(const char *line)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        static outcome result;
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        harness_run(line, &result);
        _exit(result.code);
    }
    return child;
}

/* Waits until the table holds rows, so that the run is under way. */
static void wait_for_rows(const char *table)
{
    struct stat status;
    for (int i = 0; i < 1500; i++) {
        if (stat(table, &status) == 0 && status.st_size > 2000) return;
        pause_briefly();
    }
    fail_msg("the run wrote nothing within 30 s");
}

/* Every row of the table has as many commas as the first, and the last row ends. Returns the rows below the header. */
static long check_table(const char *name)
{
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    long rows = 0, commas = 0, expected = -1;
    int byte, last = '\n';
    while ((byte = fgetc(file)) != EOF) {
        if (byte == ',') commas++;
        if (byte == '\n') {
            if (expected < 0) expected = commas;
            assert_int_equal(commas, expected);
            commas = 0;
            rows++;
        }
        last = byte;
    }
    fclose(file);
    assert_int_equal(last, '\n');
    return rows - 1;
}

static void interrupt_with(int number)
{
    static char text[65536];
    int status;
    assert_int_equal(system("rm -rf long.run"), 0);
    pid_t child = start(long_run);
    wait_for_rows("long.run/log.csv");
    assert_int_equal(kill(child, number), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), FND_APP_INTERRUPTED);
    long rows = check_table("long.run/log.csv");
    assert_true(rows > 10);
    assert_true(harness_read("long.run/summary.json", text, sizeof text) > 0);
    assert_non_null(strstr(text, "interrupted"));
    assert_true(harness_read(".out", text, sizeof text) > 0);
    assert_non_null(strstr(text, "\n interrupted at "));
    assert_non_null(strstr(text, "\n energy "));
    assert_non_null(strstr(text, "\n hash "));
    assert_int_equal(harness_read(".err", text, sizeof text), 0); /* no progress line where there is no terminal */
    char rows_text[64];
    snprintf(rows_text, sizeof rows_text, "log.csv (%ld rows)", rows);
    assert_true(harness_read(".out", text, sizeof text) > 0);
    assert_non_null(strstr(text, rows_text));
}

static void sigint_ends_a_run(void **state)
{
    (void)state;
    interrupt_with(SIGINT);
}

static void sigterm_ends_a_run(void **state)
{
    (void)state;
    interrupt_with(SIGTERM);
}

/* The first signal is handled, the second does what it does by default. */
static void second_signal_kills(void **state)
{
    int status, ends[2];
    char byte = 0;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        fnd_app_interrupt_watch(NULL);
        raise(SIGINT);
        if (write(ends[1], "1", 1) != 1) _exit(1);
        raise(SIGTERM);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    close(ends[0]);
    close(ends[1]);
}

/* A program started with `nohup` or in the background of a script keeps ignoring what it was told to ignore. */
static void ignored_signals_stay_ignored(void **state)
{
    int status;
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct sigaction now;
        signal(SIGINT, SIG_IGN);
        fnd_app_interrupt_watch(NULL);
        raise(SIGINT);
        fnd_app_interrupt_end();
        sigaction(SIGINT, NULL, &now);
        _exit(now.sa_handler == SIG_IGN ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    char folder[64];
    harness_enter_folder(folder);
    harness_copy_input("two_spheres.yaml");
    const struct CMUnitTest tests[] = {cmocka_unit_test(sigint_ends_a_run), cmocka_unit_test(sigterm_ends_a_run),
                                       cmocka_unit_test(second_signal_kills),
                                       cmocka_unit_test(ignored_signals_stay_ignored)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    harness_leave_folder(folder);
    return failed;
}
