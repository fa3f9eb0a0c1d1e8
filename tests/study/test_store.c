/* A store that is damaged, full, locked or one of many: clear words, or the same rows; never a crash, never others. */
#include "check.h"
#include "memory_folder.h"
#include "repeats.h"
#include "study/store.h"
#include "support/file.h"

#include <fender/study.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char scenario_text[] = "fender: 1\n"
                                    "world: {axes: [east, north, up], gravity: [0, 0, -9.81, m/s^2]}\n"
                                    "integrator: {method: rk4, step: 1 ms}\n"
                                    "run: {until: 4 ms}\n"
                                    "bodies:\n"
                                    "  ball:\n"
                                    "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}\n"
                                    "    state: {position: [0, 0, 2, m], velocity: [0, 0, 0, m/s]}\n";
static const char study_text[] = "fender_study: 1\n"
                                 "title: A ball in the air\n"
                                 "scenario: ball.yaml\n"
                                 "seed: 3\nruns: 12\n"
                                 "vary:\n"
                                 "  down: {path: bodies.ball.state.velocity.z, uniform: [-2, -1, m/s]}\n"
                                 "  mass: {path: bodies.ball.mass_properties.mass, discrete: {values: [1 kg, 2 kg]}}\n"
                                 "keep: {z: {channel: bodies.ball.position.z}, touch: {event: begin}}\n"
                                 "success: z < 1.994 [m]\n";

static fender_env env;

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static fnd_file read_file(const char *name)
{
    fnd_file file;
    check_ok(fnd_file_read(&env.allocator, name, (size_t)1 << 28, FND_FILE_BYTES, &file, &error));
    return file;
}

static bool same_file(const char *a, const char *b)
{
    fnd_file x = read_file(a), y = read_file(b);
    bool same = x.length == y.length && memcmp(x.text, y.text, x.length) == 0;
    fnd_file_release(&env.allocator, &x);
    fnd_file_release(&env.allocator, &y);
    return same;
}

static void remove_store(const char *name)
{
    static const char *const endings[] = {"", "-journal", ".lock", ".part", ".part-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char path[80];
        snprintf(path, sizeof path, "%.60s%s", name, endings[i]);
        (void)unlink(path);
    }
}

static fender_study *load(int64_t runs)
{
    fender_error error = {0};
    fender_study *study = fender_study_load(&env, "ball_study.yaml", runs, &error);
    if (!study) print_error("%s: %s\n", error.path, error.message);
    assert_non_null(study);
    return study;
}

static fender_status run_shard(const fender_study *study, const char *store, int64_t shard, int64_t shards,
                               fender_error *error)
{
    fender_study_def def = {.study = study, .store = store, .jobs = 1, .shard = shard, .shard_count = shards};
    return fender_study_run(&env, &def, NULL, error);
}

static void check_words(const fender_error *error)
{
    if (error->status != FENDER_STATUS_FILE) print_error("status %d: %s\n", (int)error->status, error->message);
    assert_int_equal(error->status, FENDER_STATUS_FILE);
    assert_true(error->message[0] && error->suggestion[0]);
}

static int tear_down(void **state)
{
    (void)state;
    return memory_folder_leave();
}

static int set_up(void **state)
{
    (void)state;
    memory_folder_enter(); /* this test would wait for the disk a thousand times */
    env = fender_env_default();
    env.report = NULL;
    signal(SIGXFSZ, SIG_IGN);
    write_file("ball.yaml", scenario_text, sizeof scenario_text - 1);
    write_file("ball_study.yaml", study_text, sizeof study_text - 1);
    static const char *const names[] = {"one.db", "full.db", "locked.db", "bad.db", "out.db", "more.db"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) remove_store(names[i]);
    fender_study *study = load(0);
    check_ok(run_shard(study, "one.db", 0, 0, &error));
    check_ok(fender_study_export(&env, "one.db", "one.csv", &error));
    fender_study_destroy(study);
    return 0;
}

static uint64_t seed;
static size_t draw(size_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(seed >> 33) % below;
}

/* What a disk, a crash of the system or a slip of the hand may leave: a cut, a few bytes, a sector, two pages changed
 * round, a page that is an older one, a journal of something else. */
static void damage(const fnd_file *whole, int kind)
{
    enum { PAGE = 4096, SECTOR = 512 };
    char *bytes = malloc(whole->length);
    assert_non_null(bytes);
    memcpy(bytes, whole->text, whole->length);
    size_t length = whole->length, pages = length / PAGE;
    switch (kind) {
    case 0: length = draw(length); break;
    case 1: {
        size_t at = draw(length), count = 1 + draw(40);
        for (size_t i = at; i < length && i < at + count; i++) bytes[i] = (char)draw(256);
        break;
    }
    case 2: memset(bytes + draw(length / SECTOR) * SECTOR, 0, SECTOR); break;
    case 3: {
        char *a = bytes + draw(pages) * PAGE, *b = bytes + draw(pages) * PAGE;
        for (int i = 0; i < PAGE; i++) {
            char c = a[i];
            a[i] = b[i];
            b[i] = c;
        }
        break;
    }
    case 4: {
        size_t at = draw(length);
        bytes[at] = (char)(bytes[at] ^ (1 << draw(8)));
        break;
    }
    default: {
        char journal[1024];
        for (size_t i = 0; i < sizeof journal; i++) journal[i] = (char)draw(256);
        write_file("bad.db-journal", journal, sizeof journal);
        break;
    }
    }
    write_file("bad.db", bytes, length);
    free(bytes);
}

static void damaged_stores_are_told_or_whole(void **state)
{
    enum { TRIES = repeats(360) };
    (void)state;
    fnd_file whole = read_file("one.db");
    fender_study *study = load(0);
    const char *const bad[] = {"bad.db"};
    int told = 0, kept = 0;
    for (int i = 0; i < TRIES; i++) {
        seed = (uint64_t)i + 1;
        for (int step = 0; step < 3; step++) {
            fender_error error = {0};
            fender_status status;
            remove_store("bad.db");
            (void)draw(2);
            uint64_t before = seed;
            damage(&whole, i % 6);
            seed = before;
            if (step == 0) status = fender_study_export(&env, "bad.db", "bad.csv", &error);
            else if (step == 1) status = fender_study_merge(&env, "out.db", bad, 1, &error);
            else status = run_shard(study, "bad.db", 0, 0, &error);
            if (status != FENDER_STATUS_OK) {
                check_words(&error);
                told++;
                continue;
            }
            kept++;
            bool same = step == 0   ? same_file("bad.csv", "one.csv")
                        : step == 1 ? same_file("out.db", "one.db")
                                    : same_file("bad.db", "one.db");
            /* A merge of rows that are missing has fewer rows, and says so. */
            fender_study_counts counts;
            if (!same && step < 2)
                same = fender_study_count(&env, step == 0 ? "bad.db" : "out.db", &counts, &error) == FENDER_STATUS_OK &&
                       counts.rows < counts.runs;
            if (!same) print_error("try %d, step %d: other rows\n", i, step);
            assert_true(same);
        }
    }
    assert_true(told > TRIES && kept > TRIES / 4);
    fender_study_destroy(study);
    fnd_file_release(&env.allocator, &whole);
    remove_store("bad.db");
}

static void a_full_disk_keeps_what_was_done(void **state)
{
    (void)state;
    struct rlimit before, now;
    fender_study *study = load(400);
    check_ok(run_shard(study, "more.db", 0, 0, &error));
    getrlimit(RLIMIT_FSIZE, &before);
    int told = 0;
    for (rlim_t limit = 0; limit <= 96 * 1024; limit += 8 * 1024) {
        fender_error error = {0};
        now = before;
        now.rlim_cur = limit;
        setrlimit(RLIMIT_FSIZE, &now);
        fender_status status = run_shard(study, "full.db", 0, 0, &error);
        setrlimit(RLIMIT_FSIZE, &before);
        if (status == FENDER_STATUS_OK) break;
        check_words(&error);
        told++;
    }
    assert_true(told >= 4);
    check_ok(run_shard(study, "full.db", 0, 0, &error));
    assert_true(same_file("full.db", "more.db"));
    /* The same for a merge: the store that was there stays. */
    const char *const sources[] = {"more.db"};
    now = before;
    now.rlim_cur = 16 * 1024;
    setrlimit(RLIMIT_FSIZE, &now);
    fender_error error = {0};
    fender_status status = fender_study_merge(&env, "full.db", sources, 1, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(status, FENDER_STATUS_FILE);
    check_words(&error);
    assert_true(same_file("full.db", "more.db"));
    assert_int_not_equal(access("full.db.part", F_OK), 0);
    fender_study_destroy(study);
}

static void a_second_process_is_refused(void **state)
{
    (void)state;
    fnd_store_lock lock;
    fender_study *study = load(0);
    const char *const sources[] = {"one.db"};
    check_ok(fnd_study_store_lock(&lock, "locked.db", &error));
    for (int i = 0; i < 2; i++) {
        fender_error error = {0};
        fender_status status = i == 0 ? run_shard(study, "locked.db", 0, 0, &error)
                                      : fender_study_merge(&env, "locked.db", sources, 1, &error);
        assert_int_equal(status, FENDER_STATUS_FILE);
        assert_non_null(strstr(error.message, "another process uses this store"));
    }
    assert_int_not_equal(access("locked.db", F_OK), 0);
    fnd_study_store_unlock(&lock);
    /* A lock file without a process, as after a kill, is none. */
    write_file("locked.db.lock", "", 0);
    check_ok(run_shard(study, "locked.db", 0, 0, &error));
    assert_true(same_file("locked.db", "one.db"));
    fender_study_destroy(study);
}

/* A process that was killed leaves a journal beside the store. It must not be taken for one of what replaces the store.
 */
static void a_journal_goes_with_its_store(void **state)
{
    (void)state;
    const char *const sources[] = {"one.db"};
    fnd_file whole = read_file("one.db");
    write_file("out.db", whole.text, whole.length / 2);
    char journal[2048] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"; /* as SQLite begins them */
    write_file("out.db-journal", journal, sizeof journal);
    write_file("out.db.part-journal", journal, sizeof journal);
    check_ok(fender_study_merge(&env, "out.db", sources, 1, &error));
    assert_true(same_file("out.db", "one.db"));
    assert_int_not_equal(access("out.db-journal", F_OK), 0);
    fnd_file_release(&env.allocator, &whole);
}

/* More shards than a process may have files, and shards that were begun with different numbers of runs. */
static void many_shards_become_one_store(void **state)
{
    enum { SHARDS = 230 };
    (void)state;
    static char names[SHARDS][24];
    const char *list[SHARDS];
    struct rlimit before, now;
    fender_study *study = load(SHARDS), *less = load(SHARDS - 100);
    remove_store("one_of_many.db");
    check_ok(run_shard(study, "one_of_many.db", 0, 0, &error));
    for (int i = 0; i < SHARDS; i++) {
        snprintf(names[i], sizeof names[i], "shard_%d.db", i);
        list[i] = names[i];
        remove_store(names[i]);
        check_ok(run_shard(i < 10 ? less : study, names[i], i, SHARDS, &error));
    }
    getrlimit(RLIMIT_NOFILE, &before);
    now = before;
    now.rlim_cur = 220;
    setrlimit(RLIMIT_NOFILE, &now);
    check_ok(fender_study_merge(&env, "out.db", list, SHARDS, &error));
    setrlimit(RLIMIT_NOFILE, &before);
    assert_true(same_file("out.db", "one_of_many.db"));
    for (int i = 0; i < SHARDS / 2; i++) { /* in another order */
        const char *name = list[i];
        list[i] = list[SHARDS - 1 - i];
        list[SHARDS - 1 - i] = name;
    }
    check_ok(fender_study_merge(&env, "out.db", list, SHARDS, &error));
    assert_true(same_file("out.db", "one_of_many.db"));
    fender_study_counts counts;
    check_ok(fender_study_count(&env, "out.db", &counts, &error));
    assert_int_equal(counts.rows, SHARDS);
    assert_int_equal(counts.first_missing, -1);
    check_ok(fender_study_merge(&env, "out.db", list + 1, SHARDS - 1, &error));
    check_ok(fender_study_count(&env, "out.db", &counts, &error));
    assert_int_equal(counts.rows, SHARDS - 1);
    assert_int_equal(counts.first_missing, SHARDS - 1); /* the list is turned round */
    assert_int_equal(access("out.db.part.0", F_OK), -1);
    for (int i = 0; i < SHARDS; i++) remove_store(names[i]);
    fender_study_destroy(study);
    fender_study_destroy(less);
}

int main(void)
{
    fender_env probe = fender_env_default();
    fender_study_counts counts;
    if (fender_study_count(&probe, "none.db", &counts, NULL) == FENDER_STATUS_NOT_BUILT) {
        printf("skipped: this build has no SQLite\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_stores_are_told_or_whole), cmocka_unit_test(a_full_disk_keeps_what_was_done),
        cmocka_unit_test(a_second_process_is_refused),      cmocka_unit_test(a_journal_goes_with_its_store),
        cmocka_unit_test(many_shards_become_one_store),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
