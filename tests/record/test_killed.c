/* Recordings whose writer is killed in any of its writes: the file opens, and lacks no row that was flushed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */
#endif
#include "tables/recording_files.h"

#include "tables/table.h"
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { ROWS = 1500, SYNC_EVERY = 211, KILLS = 40 };

/* What the writer tells, in memory that outlives it. */
static struct progress {
    volatile int started;
    volatile int64_t synced;
    volatile long writes;
} * told;
static long die_in; /* write; 0: none */
static int by = SIGKILL;
static bool torn; /* it gets as far as the next page: the system looks for a kill at their ends */

ssize_t __real_write(int descriptor, const void *data, size_t size);
ssize_t __wrap_write(int descriptor, const void *data, size_t size);

/* Our files, at their ends. */
ssize_t __wrap_write(int descriptor, const void *data, size_t size)
{
    if (told && ++told->writes == die_in) {
        if (torn && __real_write(descriptor, data, size / 2) < 0) abort();
        kill(getpid(), by);
    }
    return __real_write(descriptor, data, size);
}

/* Those of HDF5, whose library finds this function before that of the system. */
__attribute__((visibility("default"))) ssize_t pwrite(int descriptor, const void *data, size_t size, off_t at)
{
    ssize_t (*next)(int, const void *, size_t, off_t);
    void *symbol = dlsym(RTLD_NEXT, "pwrite");
    memcpy(&next, &symbol, sizeof next);
    if (told && ++told->writes == die_in) {
        size_t part = (size_t)(4096 - at % 4096);
        if (torn && part < size && next(descriptor, data, part, at) < 0) abort();
        kill(getpid(), by);
    }
    return next(descriptor, data, size, at);
}

static double value_of(int row) { return 1e-3 * row * row - 0.1 * row; }

static void end_header(fnd_table *table, bool with_texts)
{
    fnd_table_head(table, "time", "s");
    if (with_texts) fnd_table_head_of_texts(table, "what", 20);
    fnd_table_head(table, "force", "N");
    fnd_table_head(table, "row", "");
    check_ok(fnd_table_end_header(table, &error));
}

static void write_row(fnd_table *table, bool with_texts, int row)
{
    fnd_table_number(table, 0.01 * row);
    if (with_texts) fnd_table_text(table, row % 2 ? "odd" : "even");
    fnd_table_number(table, value_of(row));
    fnd_table_number(table, row);
    check_ok(fnd_table_end_row(table, &error));
}

/* One table; in an HDF5 file another one of texts. */
static void record(const char *path)
{
    fender_env env = fender_env_default();
    fnd_table table, texts;
    fnd_table_mark mark;
    fnd_store *store = NULL;
    if ((fnd_table_format_of_name(path) == &fnd_hdf5_format)) {
        store = fnd_store_open(&env.allocator, path, NULL, false, NULL);
        assert_non_null(store);
        check_ok(fnd_table_open_in(&table, store, "log", NULL, &error));
        check_ok(fnd_table_open_in(&texts, store, "texts", NULL, &error));
        end_header(&texts, true);
    } else {
        check_ok(fnd_table_open(&table, &env.allocator, path, 400, NULL, &error));
    }
    end_header(&table, false);
    if (store) check_ok(fnd_store_start(store, &error));
    told->started = 1;
    for (int i = 0; i < ROWS; i++) {
        write_row(&table, false, i);
        if (store) write_row(&texts, true, i);
        if (i % SYNC_EVERY != SYNC_EVERY - 1) continue;
        if (store) check_ok(fnd_table_sync(&texts, &mark, &error));
        check_ok(fnd_table_sync(&table, &mark, &error));
        told->synced = i + 1;
    }
    check_ok(fnd_table_close(&table, &error));
    if (store) check_ok(fnd_table_close(&texts, &error));
    if (store) check_ok(fnd_store_close(store, "0123456789abcdef", &error));
}

/* In a process of its own; true when it came to its end. */
static bool record_apart(const char *path, long kill_at, bool tear)
{
    int code;
    *told = (struct progress){0};
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        die_in = kill_at;
        torn = tear;
        record(path);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &code, 0), child);
    if (WIFEXITED(code)) assert_int_equal(WEXITSTATUS(code), 0);
    else assert_int_equal(WTERMSIG(code), SIGKILL);
    return WIFEXITED(code);
}

static bool ends_in_a_line(const char *path)
{
    FILE *file = fopen(path, "rb");
    bool whole = file && fseek(file, -1, SEEK_END) == 0 && fgetc(file) == '\n';
    if (file) fclose(file);
    return whole;
}

/* How many rows of the first table there are; all of them are true. */
static size_t check_rows(const char *path, bool text_file)
{
    fender_env env = fender_env_default();
    fender_recording r;
    fender_error error = {0};
    if (fender_recording_open(&r, &env, path, NULL, true, &error) != FENDER_STATUS_OK)
        fail_msg("%s %s | after %ld writes, %ld rows synced", error.message, error.found, told->writes,
                 (long)told->synced);
    assert_int_equal(r.table_count, (fnd_table_format_of_name(path) == &fnd_hdf5_format) ? 2 : 1);
    size_t rows = r.tables[0].row_count;
    for (int t = 0; t < r.table_count; t++) {
        const fender_recording_table *table = &r.tables[t];
        /* the last line of a file of text that has no end may be half a number */
        size_t count = table->row_count - (text_file && table->row_count > 0 && !ends_in_a_line(path));
        const double *times = fender_recording_times(table);
        const double *force = table->columns[table->column_count - 2].values,
                     *row = table->columns[table->column_count - 1].values;
        assert_true(table->row_count <= ROWS && (int64_t)count >= told->synced);
        for (size_t i = 0; i < count; i++) {
            assert_true(times[i] == 0.01 * (double)i && row[i] == (double)i);
            assert_true(force[i] == value_of((int)i));
        }
    }
    fender_recording_close(&r);
    return rows;
}

static void kill_in_any_write(const char *path, bool text_file)
{
    assert_true(record_apart(path, 0, false));
    assert_int_equal(check_rows(path, text_file), ROWS);
    long writes = told->writes, step = writes / KILLS + 1;
    int killed = 0, between = 0;
    for (long at = 1; at <= writes; at += step) {
        unlink(path);
        if (record_apart(path, at, at / step % 2 == 1)) fail_msg("write %ld of %ld was not its last", at, writes);
        killed++;
        if (!told->started) continue;
        size_t rows = check_rows(path, text_file);
        between += rows > 0 && rows < ROWS;
    }
    print_message("%s: %ld writes, killed in %d of them, %d files with a part of the rows\n", path, writes, killed,
                  between);
    assert_true(writes > 5 && between >= killed / 3);
}

static void csv(void **state)
{
    (void)state;
    kill_in_any_write("killed.csv", true);
}

static void trick(void **state)
{
    (void)state;
    kill_in_any_write("killed.trk", false);
}

static void hdf5(void **state)
{
    (void)state;
    if (!fnd_store_is_built()) skip();
    kill_in_any_write("killed.h5", false);
}

/* While the writer is in the middle of any write, stopped but alive, others read what was flushed. */
static void read_beside(void **state)
{
    (void)state;
    if (!fnd_store_is_built()) skip();
    record_apart("killed.h5", 0, false);
    long writes = told->writes;
    for (long at = writes / 9; at <= writes; at += writes / 9) {
        int code;
        unlink("killed.h5");
        *told = (struct progress){0};
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            die_in = at;
            by = SIGSTOP;
            record("killed.h5");
            _exit(0);
        }
        assert_int_equal(waitpid(child, &code, WUNTRACED), child);
        assert_true(WIFSTOPPED(code));
        if (told->started) check_rows("killed.h5", false);
        kill(child, SIGCONT);
        assert_int_equal(waitpid(child, &code, 0), child);
        assert_true(WIFEXITED(code) && WEXITSTATUS(code) == 0);
        assert_int_equal(check_rows("killed.h5", false), ROWS);
    }
}

/* HDF5's own tool mends what a killed writer leaves; then every program opens it. */
static void mended(void **state)
{
    (void)state;
    if (!fnd_store_is_built() || system("command -v h5clear h5dump h5repack >where.txt") != 0) skip();
    record_apart("killed.h5", 0, false);
    long writes = told->writes;
    assert_false(record_apart("killed.h5", writes * 3 / 4, false));
    size_t rows = check_rows("killed.h5", false);
    assert_int_not_equal(system("h5dump -H killed.h5 >refused.txt 2>&1"), 0);
    assert_int_equal(system("h5clear -s --increment=0 killed.h5"), 0);
    assert_int_equal(system("h5dump -d /log/time killed.h5 >mended.txt"), 0);
    char command[160];
    snprintf(command, sizeof command, "grep -q 'DATASPACE  SIMPLE { ( %zu ) ' mended.txt", rows);
    assert_int_equal(system(command), 0);
    assert_int_equal(check_rows("killed.h5", false), rows);
}

/* A run that goes on behind a mark takes up what a killed one has left. */
static void gone_on_with(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    if (!fnd_store_is_built()) skip();
    record_apart("killed.h5", 0, false);
    long writes = told->writes;
    for (int turn = 1; turn <= 3; turn++) {
        assert_false(record_apart("killed.h5", writes * turn / 4 + 1, false));
        const int64_t from = told->synced;
        fnd_table table, texts;
        fnd_table_mark mark = {.rows = from};
        fnd_store *store = fnd_store_open(&env.allocator, "killed.h5", NULL, true, NULL);
        assert_non_null(store);
        check_ok(fnd_table_open_in(&table, store, "log", &mark, &error));
        check_ok(fnd_table_open_in(&texts, store, "texts", &mark, &error));
        end_header(&table, false);
        end_header(&texts, true);
        check_ok(fnd_store_start(store, &error));
        for (int i = (int)from; i < ROWS; i++) {
            write_row(&table, false, i);
            write_row(&texts, true, i);
        }
        check_ok(fnd_table_close(&table, &error));
        check_ok(fnd_table_close(&texts, &error));
        check_ok(fnd_store_close(store, "0123456789abcdef", &error));
        assert_int_equal(check_rows("killed.h5", false), ROWS);
    }
}

/* A file that can grow no more keeps the rows that were flushed; the failure is told, and the program goes on. */
static void size_limit(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    struct rlimit before, limit;
    fnd_table table;
    fender_error told_of = {0};
    fender_status status = FENDER_STATUS_OK;
    if (!fnd_store_is_built()) skip();
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 20000;
    *told = (struct progress){0};
    check_ok(fnd_table_open(&table, &env.allocator, "killed.h5", 400, NULL, &error));
    end_header(&table, false);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (int i = 0; status == FENDER_STATUS_OK && i < 100 * ROWS; i++) {
        fnd_table_number(&table, 0.01 * i);
        fnd_table_number(&table, value_of(i));
        fnd_table_number(&table, i);
        status = fnd_table_end_row(&table, &told_of);
        if (status == FENDER_STATUS_OK) told->synced = table.rows_in_file;
    }
    assert_int_equal(status, FENDER_STATUS_FILE);
    assert_non_null(strstr(told_of.message, "File too large"));
    const int64_t rows = table.rows;
    assert_true(rows > 0 && rows == told->synced);
    assert_int_equal(fnd_table_close(&table, NULL), FENDER_STATUS_FILE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    fender_recording r = open_recorded("killed.h5");
    assert_int_equal(r.tables[0].row_count, rows);
    fender_recording_close(&r);
}

int main(void)
{
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(csv),       cmocka_unit_test(trick),
                                       cmocka_unit_test(hdf5),      cmocka_unit_test(read_beside),
                                       cmocka_unit_test(mended),    cmocka_unit_test(gone_on_with),
                                       cmocka_unit_test(size_limit)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
