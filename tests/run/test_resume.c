/* Checkpoints and what is resumed from them: the same bits and files; every hindrance a clear error. */
#include "repeats.h"
#include "run/killing.h"

#include <fcntl.h>
#include <sys/file.h>

static int prepare(void **state)
{
    (void)state;
    write_busy_scene("");
    return 0;
}

static void killed(void **state)
{
    (void)state;
    kill_report report = kill_many(10, 7);
    assert_int_equal(report.killed, 10);
    assert_true(report.inside_write > 0 && report.resumed > 0);
}

/* A copy of a file of the run; freed by the caller. */
static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    unsigned char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static const char *const slots[] = {"cut.run/checkpoint_0.fcp", "cut.run/checkpoint_1.fcp"};

/* A run of that name killed after both checkpoints have been written more than once. */
static void cut_short(void)
{
    static long calls;
    fender_error error = {0};
    remove_directory("cut.run");
    disk.kill_at = 0;
    disk.calls = 0;
    if (calls == 0) {
        assert_int_equal(execute_busy("cut.run", false, NULL, &error), FENDER_STATUS_OK);
        calls = disk.calls;
        remove_directory("cut.run");
    }
    disk.kill_at = calls * 2 / 3;
    disk.random = random_of_case(193, 0);
    assert_true(execute_apart("cut.run", false, -1) < 0);
    disk.kill_at = 0;
    for (int i = 0; i < 2; i++) assert_int_equal(access(slots[i], F_OK), 0);
    assert_non_null(strstr(read_run_file("cut.run", "summary.json"), "\"complete\":false"));
}

static void expect_refusal(const char *directory, fender_status status, const char *message, const char *remedy)
{
    fender_error error = {0};
    assert_int_equal(execute_busy(directory, true, NULL, &error), status);
    if (!strstr(error.message, message) || !strstr(error.suggestion, remedy))
        fail_msg("%s | %s | %s", error.message, error.expected, error.suggestion);
}

static void refused(void **state)
{
    (void)state;
    fender_error error = {0};
    size_t size;
    remove_directory("whole.run");
    assert_int_equal(execute_busy("whole.run", false, NULL, &error), FENDER_STATUS_OK);
    cut_short();
    /* the directory */
    expect_refusal("missing.run", FENDER_STATUS_FILE, "cannot open the directory 'missing.run'", "spelling");
    expect_refusal("busy.yaml", FENDER_STATUS_FILE, "'busy.yaml' is not the directory of a run", "name the directory");
    expect_refusal(".", FENDER_STATUS_FILE, "is not the directory of a run", "name the directory");
    expect_refusal("whole.run", FENDER_STATUS_STATE, "nothing to resume", "replay");
    int holder = open("cut.run", O_RDONLY | O_DIRECTORY);
    assert_true(holder >= 0 && flock(holder, LOCK_EX | LOCK_NB) == 0);
    expect_refusal("cut.run", FENDER_STATUS_FILE, "another run is writing into 'cut.run'", "wait");
    close(holder);
    /* a table that has lost rows */
    unsigned char *log = read_bytes("cut.run/log.csv", &size);
    write_bytes("cut.run/log.csv", log, 100);
    memset(&error, 0, sizeof error);
    assert_int_equal(execute_busy("cut.run", true, NULL, &error), FENDER_STATUS_FILE);
    assert_string_equal(error.source, "cut.run/log.csv");
    assert_non_null(strstr(error.message, "shorter than it was"));
    write_bytes("cut.run/log.csv", log, size);
    free(log);
    /* the scenario: its kept files, and a checkpoint of another */
    unsigned char *sources = read_bytes("cut.run/scenario.sources", &size);
    sources[size / 2] ^= 1;
    write_bytes("cut.run/scenario.sources", sources, size);
    expect_refusal("cut.run", FENDER_STATUS_FILE, "damaged", "start again");
    sources[size / 2] ^= 1;
    write_bytes("cut.run/scenario.sources", sources, size);
    free(sources);
    fender_env env = fender_env_default();
    fender_override other = {"bodies.ball.state.velocity.x", "0.4 m/s"};
    fender_scenario *scenario = fender_scenario_load(&env, NULL, "busy.yaml", &other, 1, &error);
    fender_run_def def = {.scenario = scenario, .output_directory = "cut.run", .resume = true, .accept_residual = true};
    fender_run *run = fender_run_create(&env, &def, &error);
    memset(&error, 0, sizeof error);
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_FILE);
    assert_non_null(strstr(error.message, "belongs to another scenario"));
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    /* after all that it still goes on */
    memset(&error, 0, sizeof error);
    assert_int_equal(execute_busy("cut.run", true, NULL, &error), FENDER_STATUS_OK);
    check_same_directory("whole.run", "cut.run");
}

/* One damaged checkpoint: the other serves. Both: an error that says so. None: what to do. */
static void damaged(void **state)
{
    (void)state;
    size_t sizes[2];
    unsigned char *bytes[2];
    random_stream r = random_of_case(194, 0);
    cut_short();
    for (int i = 0; i < 2; i++) bytes[i] = read_bytes(slots[i], &sizes[i]);
    const int tries = repeats(200), stride = 200 / tries; /* of the first hundred bytes, and anywhere */
    for (int n = 0; n < tries; n++) {                     /* both, so that the damage is not passed over */
        for (int i = 0; i < 2; i++) {
            size_t at = n * stride < 100 ? (size_t)(n * stride) : (size_t)random_below(&r, (int)sizes[i]);
            bytes[i][at] ^= (unsigned char)(1u << random_below(&r, 8));
            write_bytes(slots[i], bytes[i], n % 10 == 9 ? at : sizes[i]);
            free(bytes[i]);
            bytes[i] = NULL;
        }
        fender_error error = {0};
        assert_int_equal(execute_busy("cut.run", true, NULL, &error), FENDER_STATUS_FILE);
        assert_true(error.message[0] && error.suggestion[0]);
        if (!strstr(error.message, "checkpoint is damaged") && !strstr(error.message, "by another version"))
            fail_msg("%s", error.message);
        if (n == 0) cut_short();
        for (int i = 0; i < 2; i++) {
            char kept[64];
            snprintf(kept, sizeof kept, "kept_%d", i);
            if (n == 0) {
                bytes[i] = read_bytes(slots[i], &sizes[i]);
                write_bytes(kept, bytes[i], sizes[i]);
            } else bytes[i] = read_bytes(kept, &sizes[i]);
        }
    }
    for (int i = 0; i < 2; i++) write_bytes(slots[i], bytes[i], sizes[i]);
    for (int i = 0; i < 2; i++) { /* each alone */
        fender_error error = {0};
        cut_short();
        write_bytes(slots[i], bytes[i], sizes[i] / 2);
        assert_int_equal(execute_busy("cut.run", true, NULL, &error), FENDER_STATUS_OK);
        check_same_directory("whole.run", "cut.run");
        free(bytes[i]);
    }
    cut_short();
    for (int i = 0; i < 2; i++) assert_int_equal(unlink(slots[i]), 0);
    expect_refusal("cut.run", FENDER_STATUS_FILE, "no checkpoint to continue from", "from its scenario (fender run)");
}

/* Checkpoints that a program has changed and summed anew are refused, or taken for what they say. */
static void forged(void **state)
{
    (void)state;
    size_t size, other_size, checksum = 72; /* the last eight bytes of the header */
    random_stream r = random_of_case(197, 0);
    cut_short();
    unsigned char *bytes = read_bytes(slots[0], &size), *other = read_bytes(slots[1], &other_size);
    unsigned char *copy = malloc(size);
    int refusals = 0;
    for (int n = 0; n < 40; n++) {
        memcpy(copy, bytes, size);
        for (int changes = 1 + random_below(&r, 3); changes > 0; changes--) {
            static const unsigned char values[] = {0, 1, 2, 0x7F, 0x80, 0xFF};
            size_t at = 24 + (size_t)random_below(&r, n % 2 ? 3000 : (int)size - 24);
            copy[at] = values[random_below(&r, 6)];
        }
        uint64_t sum = 0xcbf29ce484222325u;
        for (size_t i = 0; i < size; i++)
            sum = (sum ^ (i >= checksum && i < checksum + 8 ? 0 : copy[i])) * 0x100000001b3u;
        memcpy(copy + checksum, &sum, 8);
        write_bytes(slots[0], copy, size);
        unlink(slots[1]);
        fender_error error = {0};
        fender_status status = execute_busy("cut.run", true, NULL, &error);
        if (status == FENDER_STATUS_FILE) refusals++;
        assert_true(status == FENDER_STATUS_OK || error.message[0]);
        if (status == FENDER_STATUS_OK || status == FENDER_STATUS_EXPECTATION) cut_short();
    }
    write_bytes(slots[1], other, other_size);
    free(bytes);
    free(other);
    free(copy);
    print_message("forged checkpoints: %d of 40 refused\n", refusals);
    assert_true(refusals > 2);
}

/* The system takes some of the bytes at a time. */
static void short_writes(void **state)
{
    (void)state;
    fender_error error = {0};
    remove_directory("short.run");
    disk.short_writes = true;
    disk.random = random_of_case(195, 0);
    assert_int_equal(execute_busy("short.run", false, NULL, &error), FENDER_STATUS_OK);
    disk.short_writes = false;
    check_same_directory("whole.run", "short.run");
}

/* A disk that is full, or read-only, from some call on: an error that names the file, whole rows, and when there is
 * room again the run goes on. */
static void full_disk(void **state)
{
    (void)state;
    static const char *const tables[] = {"events.csv", "replay.csv", "contacts.csv", "hashes.csv",
                                         "log.csv",    "steps.csv",  "marks.csv"};
    fender_error error = {0};
    remove_directory("full.run");
    disk.calls = disk.fail_from = 0;
    assert_int_equal(execute_busy("full.run", false, NULL, &error), FENDER_STATUS_OK);
    long calls = disk.calls - 1; /* the last is the sync of the folder, which may fail */
    int resumed = 0;
    for (int n = 0; n < repeats(40); n++) {
        random_stream r = random_of_case(196, (uint64_t)n);
        remove_directory("full.run");
        disk.calls = 0;
        disk.fail_from = 1 + random_below(&r, (int)calls);
        disk.reason = n % 2 ? ENOSPC : EROFS;
        memset(&error, 0, sizeof error);
        fender_run_summary summary;
        assert_int_equal(execute_busy("full.run", false, &summary, &error), FENDER_STATUS_FILE);
        assert_int_equal(strncmp(error.source, "full.run/", 9), 0);
        assert_non_null(strstr(error.message, n % 2 ? "No space left" : "Read-only"));
        disk.fail_from = 0;
        for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
            char path[64];
            snprintf(path, sizeof path, "full.run/%s", tables[i]);
            if (access(path, F_OK) != 0) continue;
            const char *text = read_run_file("full.run", tables[i]);
            assert_true(text[0] == '\0' || text[strlen(text) - 1] == '\n');
        }
        memset(&error, 0, sizeof error);
        fender_status status = execute_busy("full.run", true, NULL, &error);
        if (status == FENDER_STATUS_FILE) continue; /* it was full before the first checkpoint */
        if (status != FENDER_STATUS_OK) fail_msg("%s", error.message);
        resumed++;
        check_same_directory("whole.run", "full.run");
    }
    assert_true(resumed > repeats(40) / 2);
}

static bool stop_at_once(void *ctx, const fender_progress *progress)
{
    (void)ctx;
    return progress->step < 100;
}

/* Ctrl-C leaves a checkpoint at the very state. */
static void interrupted(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_load(&env, NULL, "busy.yaml", NULL, 0, &error);
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        remove_directory("cut.run");
        fender_run_def def = {
            .scenario = scenario, .output_directory = "cut.run", .command_line = "a test", .accept_residual = true};
        if (!cancelled) def.progress = stop_at_once;
        fender_run *run = fender_run_create(&env, &def, &error);
        if (cancelled) fender_run_cancel(run);
        fender_status status = fender_run_execute(run, &error);
        fender_run_destroy(run);
        /* a run that is faster than the first look at its progress has ended by itself */
        if (cancelled) assert_int_equal(status, FENDER_STATUS_INTERRUPTED);
        if (status == FENDER_STATUS_INTERRUPTED) {
            memset(&error, 0, sizeof error);
            assert_int_equal(execute_busy("cut.run", true, NULL, &error), FENDER_STATUS_OK);
        }
        check_same_directory("whole.run", "cut.run");
    }
    fender_scenario_destroy(scenario);
}

/* Killed before there is anything to resume: a new run finds nothing in its way, and leaves nothing of the old one. */
static void begun_again(void **state)
{
    (void)state;
    remove_directory("cut.run");
    for (int n = 1; n <= 6; n++) {
        fender_error error = {0};
        disk.kill_at_write = n;
        disk.random = random_of_case(198, (uint64_t)n);
        assert_int_equal(execute_apart("cut.run", false, -1), -2);
        disk.kill_at_write = 0;
        assert_int_equal(execute_busy("cut.run", true, NULL, &error), FENDER_STATUS_FILE);
        if (n % 2 == 0) continue; /* killed once more */
        memset(&error, 0, sizeof error);
        assert_int_equal(execute_busy("cut.run", false, NULL, &error), FENDER_STATUS_OK);
        check_same_directory("whole.run", "cut.run");
        if (n == 3) remove_directory("cut.run");
    }
}

/* Files that the scenario was read from may be gone. */
static void without_sources(void **state)
{
    (void)state;
    fender_error error = {0};
    cut_short();
    write_file("busy.yaml", "fender: 1\n");
    assert_int_equal(unlink("part.yaml"), 0);
    assert_int_equal(unlink("wind.csv"), 0);
    assert_int_equal(execute_busy("cut.run", true, NULL, &error), FENDER_STATUS_OK);
    check_same_directory("whole.run", "cut.run");
    write_busy_scene("");
}

/* ---- repetition */

static fender_status verify(const char *directory, fender_run_summary *summary, fender_error *error)
{
    fender_env env = fender_env_default();
    fender_scenario *scenario = fender_scenario_load_run(&env, NULL, directory, error);
    if (!scenario) return error->status;
    fender_run_def def = {.scenario = scenario, .verify_directory = directory, .accept_residual = true};
    fender_run *run = fender_run_create(&env, &def, error);
    fender_status status = run ? fender_run_execute(run, error) : error->status;
    if (run) *summary = *fender_run_get_summary(run);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return status;
}

static void verified(void **state)
{
    (void)state;
    fender_error error = {0};
    fender_run_summary summary;
    assert_int_equal(verify("whole.run", &summary, &error), FENDER_STATUS_OK);
    assert_int_equal(summary.hashes_compared, 501);
    assert_int_equal(summary.agreement_step, 500);
    assert_int_equal(summary.difference_step, -1);
    cut_short(); /* as far as it came */
    int rows = count_lines(read_run_file("cut.run", "hashes.csv")) - 1;
    assert_true(rows > 100 && rows < 500);
    assert_int_equal(verify("cut.run", &summary, &error), FENDER_STATUS_OK);
    assert_int_equal(summary.hashes_compared, rows);
    assert_int_equal(summary.difference_step, -1);
    /* one digit of one hash */
    char *text = strdup(read_run_file("cut.run", "hashes.csv"));
    char *digit = text;
    for (int i = 0; i < 43; i++) digit = strchr(digit, '\n') + 1;
    digit[-2] = digit[-2] == '0' ? '1' : '0';
    write_file("cut.run/hashes.csv", text);
    assert_int_equal(verify("cut.run", &summary, &error), FENDER_STATUS_OK);
    assert_int_equal(summary.hashes_compared, 41);
    assert_int_equal(summary.agreement_step, 40);
    assert_int_equal(summary.difference_step, 41);
    /* what is no hash */
    digit[-2] = 'g';
    write_file("cut.run/hashes.csv", text);
    assert_int_equal(verify("cut.run", &summary, &error), FENDER_STATUS_PARSE);
    assert_int_equal(error.line, 43);
    free(text);
    memset(&error, 0, sizeof error);
    write_file("cut.run/hashes.csv", "time [s],step,hash\n");
    assert_int_equal(verify("cut.run", &summary, &error), FENDER_STATUS_FILE);
    assert_non_null(strstr(error.message, "no hashes"));
    memset(&error, 0, sizeof error);
    assert_int_equal(unlink("cut.run/hashes.csv"), 0);
    assert_int_equal(verify("cut.run", &summary, &error), FENDER_STATUS_FILE);
    assert_string_equal(error.source, "cut.run/hashes.csv");
}

/* A step that fails leaves the last good state in a file, from which a host can look around. */
static void last_good(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_override stiff = {"contact_types.spring.normal.stiffness", "1e300 N/m"};
    fender_scenario *scenario = fender_scenario_load(&env, NULL, "busy.yaml", &stiff, 1, &error);
    remove_directory("bad.run");
    fender_run_def def = {.scenario = scenario, .output_directory = "bad.run", .accept_residual = true};
    fender_run *run = fender_run_create(&env, &def, &error);
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_NOT_FINITE);
    assert_non_null(strstr(error.suggestion, "is saved in bad.run/last_good.fsnap"));
    assert_non_null(strstr(read_run_file("bad.run", "summary.json"), "bad.run/last_good.fsnap"));
    uint64_t hash = fender_world_hash(fender_run_world(run));
    fender_run_destroy(run);
    size_t size;
    unsigned char *bytes = read_bytes("bad.run/last_good.fsnap", &size);
    assert_non_null(bytes);
    fender_snapshot *snapshot = fender_snapshot_from_bytes(&env, bytes, size, &error);
    fender_world *world = fender_scenario_build(scenario, &env, &error);
    assert_int_equal(fender_snapshot_restore(world, snapshot, &error), FENDER_STATUS_OK);
    assert_true(fender_world_hash(world) == hash);
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(world);
    free(bytes);
    fender_scenario_destroy(scenario);
    memset(&error, 0, sizeof error);
    assert_int_equal(execute_busy("bad.run", false, NULL, &error),
                     FENDER_STATUS_OK); /* does not outlive the next run */
    check_same_directory("whole.run", "bad.run");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(killed, prepare),          cmocka_unit_test_setup(refused, prepare),
        cmocka_unit_test_setup(damaged, prepare),         cmocka_unit_test_setup(forged, prepare),
        cmocka_unit_test_setup(short_writes, prepare),    cmocka_unit_test_setup(full_disk, prepare),
        cmocka_unit_test_setup(interrupted, prepare),     cmocka_unit_test_setup(begun_again, prepare),
        cmocka_unit_test_setup(without_sources, prepare), cmocka_unit_test_setup(verified, prepare),
        cmocka_unit_test_setup(last_good, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
