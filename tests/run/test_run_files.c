/* Runs whose files cannot be written: a clear error each, all closed, what was written stays readable. */
#include "run_test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

static const char logging[] =
    "run: {until: 20 s}\nrecord: {log: {file: log.csv, on: steps, channels: [bodies.*.position, ledger.energy.*]}}\n";

typedef struct ledger_of_memory {
    long live;
} ledger_of_memory;

static void *take(void *ctx, size_t size, size_t alignment)
{
    ledger_of_memory *ledger = ctx;
    (void)alignment;
    ledger->live++;
    return malloc(size);
}

static void give(void *ctx, void *memory, size_t size)
{
    ledger_of_memory *ledger = ctx;
    (void)size;
    ledger->live--;
    free(memory);
}

/* Executes the scene into the directory and destroys everything; nothing may be left. */
static fender_status execute(const char *directory, fender_error *error, int *file_count)
{
    ledger_of_memory ledger = {0};
    fender_env env = fender_env_default();
    env.allocator = (fender_allocator){take, give, &ledger};
    fender_scenario *scenario = load_scene(&env, logging, error);
    assert_non_null(scenario);
    fender_run_def def = {.scenario = scenario, .output_directory = directory};
    fender_run *run = fender_run_create(&env, &def, error);
    assert_non_null(run);
    fender_status status = fender_run_execute(run, error);
    *file_count = fender_run_get_summary(run)->file_count;
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    assert_int_equal(ledger.live, 0);
    return status;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void refused_directories(void **state)
{
    (void)state;
    static const struct {
        const char *directory, *message, *remedy;
    } cases[] = {
        {"strange", "was not created by a run", "empty it"},
        {"almost", "was not created by a run", "empty it"},
        {"file", "'file' is not a directory", "remove the file"},
        {"missing/deep", "cannot make the directory 'missing/deep': No such file", "create the folder first"},
        {"file/deep", "Not a directory", "one part of the path is a file"},
        {"/proc/deep", "cannot make the directory", ""}, /* read-only to everyone */
    };
    mkdir("strange", 0777);
    write_text("strange/thesis.tex", "years of work");
    mkdir("almost", 0777);
    write_text("almost/summary.json", "{\"format\":\"another program's\"}");
    write_text("file", "a file");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_error error = {0};
        int files = -1;
        assert_int_equal(execute(cases[i].directory, &error, &files), FENDER_STATUS_FILE);
        bool good = strstr(error.message, cases[i].message) && strstr(error.suggestion, cases[i].remedy) && files == 0;
        if (!good) print_error("%s: %s | %s\n", cases[i].directory, error.message, error.suggestion);
        assert_true(good);
        assert_string_equal(error.source, cases[i].directory);
    }
    assert_string_equal(read_run_file("strange", "thesis.tex"), "years of work");
    assert_int_equal(access("strange/summary.json", F_OK), -1);
}

/* A directory that a run made, with one of its files in the way. */
static void prepare(const char *name)
{
    char path[100];
    remove_directory(name);
    mkdir(name, 0777);
    snprintf(path, sizeof path, "%s/summary.json", name);
    write_text(path, "{\"format\":\"fender-summary\",\"version\":2,\"files\":[]}\n");
}

static void blocked_files(void **state)
{
    (void)state;
    static const char *const names[] = {"log.csv",          "events.csv",   "replay.csv", "hashes.csv",
                                        "scenario.sources", "contacts.csv", "scene.json", "scenario.yaml"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int device = 0; device < 2; device++) {
            char path[100];
            fender_error error = {0};
            int files = -1;
            prepare("blocked");
            snprintf(path, sizeof path, "blocked/%s", names[i]);
            if (device) assert_int_equal(symlink("/dev/full", path), 0);
            else mkdir(path, 0777);
            assert_int_equal(execute("blocked", &error, &files), FENDER_STATUS_FILE);
            const char *reason = device ? "No space left on device" : "Is a directory";
            if (!strstr(error.message, reason)) print_error("%s: %s\n", path, error.message);
            assert_non_null(strstr(error.message, reason));
            assert_string_equal(error.source, path);
            assert_true(error.suggestion[0] != '\0');
            /* the summary says why */
            const char *summary = read_run_file("blocked", "summary.json");
            assert_non_null(strstr(summary, "\"ended_by\":\"error\""));
            assert_non_null(strstr(summary, reason));
            assert_non_null(strstr(summary, "\"complete\":false"));
        }
    }
    remove_directory("blocked");
}

/* The limit of a file's size ends the run in flight: rows before it are whole, and the summary tells how many. */
static void size_limit(void **state)
{
    (void)state;
    struct rlimit before, limit;
    fender_error error = {0};
    int files = 0;
    remove_directory("limited");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 70001;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    fender_status status = execute("limited", &error, &files);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, FENDER_STATUS_FILE);
    assert_int_equal(files, 10);
    assert_non_null(strstr(error.message, "cannot write 'limited/log.csv': File too large"));
    const char *log = read_run_file("limited", "log.csv");
    int rows = count_lines(log) - 1;
    assert_true(rows > 100 && log[strlen(log) - 1] == '\n' && strlen(log) <= 70001);
    char told[64];
    snprintf(told, sizeof told, "the %d rows before this can be read", rows);
    assert_non_null(strstr(error.suggestion, told));
    snprintf(told, sizeof told, "{\"name\":\"log.csv\",\"rows\":%d}", rows);
    assert_non_null(strstr(read_run_file("limited", "summary.json"), told));
    assert_int_equal(
        fender_report_write(&(fender_env){fender_env_default().allocator, NULL, NULL}, "limited", "limited.html", NULL),
        FENDER_STATUS_OK);
}

/* A directory is for one run at a time; a lock ends with its holder, and leaves no file. */
static void one_at_a_time(void **state)
{
    (void)state;
    fender_error error = {0};
    int files = -1;
    remove_directory("shared");
    assert_int_equal(execute("shared", &error, &files), FENDER_STATUS_OK);
    assert_int_equal(execute("shared", &error, &files), FENDER_STATUS_OK); /* the first has let go */
    int holder = open("shared", O_RDONLY | O_DIRECTORY);
    assert_true(holder >= 0 && flock(holder, LOCK_EX | LOCK_NB) == 0);
    memset(&error, 0, sizeof error);
    assert_int_equal(execute("shared", &error, &files), FENDER_STATUS_FILE);
    assert_string_equal(error.message, "another run is writing into 'shared'");
    assert_non_null(strstr(error.suggestion, "--out DIR"));
    assert_int_equal(files, 0);
    assert_non_null(strstr(read_run_file("shared", "summary.json"), "\"complete\":true")); /* of the run before */
    close(holder);
    assert_int_equal(execute("shared", &error, &files), FENDER_STATUS_OK);
    remove_directory("shared");
}

/* No room for the last summary: the first one, which has room behind it, is written over. */
static void summary_without_room(void **state)
{
    (void)state;
    struct rlimit before, limit;
    fender_error error = {0};
    char more[6000] = "run: {until: 1 s}\nexpect:\n";
    for (int i = 0; i < 60; i++)
        strcat(more, "  - {channel: time, at: end, equals: 2 s, within: 1 ms, source: a number that is wrong}\n");
    fender_env env = fender_env_default();
    fender_scenario *scenario = load_scene(&env, more, &error);
    assert_non_null(scenario);
    remove_directory("cramped");
    fender_run_def def = {.scenario = scenario, .output_directory = "cramped"};
    fender_run *run = fender_run_create(&env, &def, &error);
    assert_non_null(run);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 9000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    fender_status status = fender_run_execute(run, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, FENDER_STATUS_FILE);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    const char *summary = read_run_file("cramped", "summary.json");
    assert_non_null(strstr(summary, "\"ended_by\":\"error\""));
    assert_non_null(strstr(summary, "\"complete\":false"));
    assert_non_null(strstr(summary, "\"shortened\":true"));
    assert_non_null(strstr(summary, "File too large"));
    assert_string_equal(strrchr(summary, '}') + strspn(strrchr(summary, '}') + 1, " \n") + 1, "");
    remove_directory("cramped");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_directories), cmocka_unit_test(blocked_files),        cmocka_unit_test(size_limit),
        cmocka_unit_test(one_at_a_time),       cmocka_unit_test(summary_without_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
