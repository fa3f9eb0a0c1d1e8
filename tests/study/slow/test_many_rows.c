/* What a store costs without the runs: rows put from several places at once, put in order, read back. FENDER_ROWS says
 * how many (default 20000); the figures of a million rows stand in docs/manual/cluster.md. */
#include "check.h"
#include "study/store.h"

#include <fender/study.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double wall_time(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void tell(const char *what, double start, int64_t rows)
{
    struct rusage usage;
    double time = wall_time() - start;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-28s %8.2f s  %6.2f us a row  memory so far %ld MB\n", what, time, 1e6 * time / (double)rows,
           usage.ru_maxrss / 1024);
}

static int64_t file_size(const char *name)
{
    struct stat about;
    assert_int_equal(stat(name, &about), 0);
    return (int64_t)about.st_size;
}

static void a_store_of_many_rows(void **state)
{
    (void)state;
    const char *text = getenv("FENDER_ROWS");
    const int64_t rows = text ? strtoll(text, NULL, 10) : 20000;
    fender_env env = fender_env_default();
    fender_study *study = fender_study_load(&env, FENDER_SOURCE_DIR "/samples/studies/landing.yaml", rows, NULL);
    assert_non_null(study);
    static const char *const names[] = {"many_0.db", "many_1.db"};
    double *block = calloc((size_t)(study->input_count + study->kept_count + study->outcome_count), sizeof *block);
    assert_non_null(block);
    fnd_row row = {.inputs = block, .kept = block + study->input_count};
    row.outcomes = row.kept + study->kept_count;

    double start = wall_time();
    for (int shard = 0; shard < 2; shard++) {
        (void)unlink(names[shard]);
        fnd_study_store *store = fnd_study_store_open(&env, names[shard], study, NULL);
        assert_non_null(store);
        for (int64_t i = shard; i < rows; i += 2) {
            row.run = i ^ 6; /* workers do not end in order */
            if (row.run >= rows) row.run = i;
            fnd_study_inputs(study, row.run, row.inputs);
            for (int k = 0; k < study->kept_count; k++) row.kept[k] = 0.1 * (double)(row.run + k);
            for (int k = 0; k < study->outcome_count; k++) row.outcomes[k] = (double)(row.run % (k + 2) == 0);
            row.hash = (uint64_t)row.run * 0x9e3779b97f4a7c15u;
            check_ok(fnd_study_store_put(store, &row, &error));
            if (i % 20000 < 2) check_ok(fnd_study_store_commit(store, &error));
        }
        check_ok(fnd_study_store_commit(store, &error));
        fnd_study_store_close(store);
    }
    tell("put, in two shards", start, rows);
    start = wall_time();
    check_ok(fender_study_merge(&env, "many.db", names, 2, &error));
    tell("merged", start, rows);
    printf("%-28s %8.1f MB %6.1f bytes a row\n", "size", (double)file_size("many.db") / 1e6,
           (double)file_size("many.db") / (double)rows);
    start = wall_time();
    fender_study_counts counts;
    check_ok(fender_study_count(&env, "many.db", &counts, &error));
    tell("every row checked", start, rows);
    assert_int_equal(counts.rows, rows);
    assert_int_equal(counts.first_missing, -1);
    start = wall_time();
    check_ok(fender_study_export(&env, "many.db", "many.csv", &error));
    tell("exported as CSV", start, rows);
    start = wall_time();
    fnd_results results;
    check_ok(fnd_results_read(&results, &env, "many.db", &error));
    tell("read into memory", start, rows);
    assert_int_equal(results.rows, rows);
    for (int64_t i = 0; i < rows; i++) {
        assert_int_equal(results.run[i], i);
        assert_true(results.columns[study->input_count].values[i] == 0.1 * (double)i);
    }
    fnd_results_release(&results);
    (void)unlink("many.csv");
    free(block);
    fender_study_destroy(study);
}

int main(void)
{
    fender_env probe = fender_env_default();
    fender_study_counts counts;
    if (fender_study_count(&probe, "none.db", &counts, NULL) == FENDER_STATUS_NOT_BUILT) {
        printf("skipped: this build has no SQLite\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_store_of_many_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
