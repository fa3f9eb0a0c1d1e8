/* Recorders: exact numbers in every locale, whole rows, full disks and other refusals, no memory after opening. */
#include "check.h"
#include "comma_locale.h"
#include "counted_memory.h"

#include "small_world.h"
#include "tables/table.h"
#include <fender/io.h>
#include <float.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading back */

static char *read_text(const char *path)
{
    static char text[1 << 22];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    return text;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- exact numbers */

static uint64_t mix(uint64_t *seed)
{
    *seed += 0x9e3779b97f4a7c15u;
    uint64_t z = *seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double sample_value(int index, uint64_t *seed)
{
    static const double special[] = {0.0,
                                     -0.0,
                                     5e-324,
                                     -5e-324,
                                     DBL_MIN,
                                     -DBL_MIN,
                                     DBL_MAX,
                                     -DBL_MAX,
                                     DBL_EPSILON,
                                     0.1,
                                     1.0 / 3,
                                     1e23,
                                     9007199254740993.0,
                                     123456.0,
                                     1e21,
                                     1e-7,
                                     2.2250738585072011e-308};
    enum { SPECIAL = sizeof special / sizeof special[0] };
    if (index < SPECIAL) return special[index];
    double value = NAN;
    while (!isfinite(value)) {
        uint64_t bits = mix(seed);
        if (index % 4 == 0) bits &= 0x800fffffffffffffu; /* a denormal */
        memcpy(&value, &bits, sizeof value);
    }
    return value;
}

enum { ROWS = 5000 };

static void exact_numbers(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fnd_table table;
    uint64_t seed = 1;
    check_ok(fnd_table_open(&table, &env.allocator, "exact.csv", 200, NULL, &error));
    fnd_table_head(&table, "time", "s");
    fnd_table_head(&table, "a,\"b\"", "1");
    check_ok(fnd_table_end_header(&table, &error));
    for (int i = 0; i < ROWS; i++) {
        fnd_table_number(&table, i);
        fnd_table_number(&table, sample_value(i, &seed));
        check_ok(fnd_table_end_row(&table, &error));
    }
    assert_int_equal(table.rows, ROWS);
    check_ok(fnd_table_close(&table, &error));

    char *text = read_text("exact.csv"), *at = strchr(text, '\n') + 1;
    assert_int_equal(strncmp(text, "time [s],\"a,\"\"b\"\"\"\n", 19), 0); /* RFC 4180 */
    seed = 1;
    char *locale = strdup(setlocale(LC_NUMERIC, NULL));
    setlocale(LC_NUMERIC, "C"); /* for strtod */
    for (int i = 0; i < ROWS; i++) {
        assert_int_equal(strtod(at, &at), i);
        assert_int_equal(*at, ',');
        double back = strtod(at + 1, &at), value = sample_value(i, &seed);
        if (bits_of(back) != bits_of(value)) print_error("row %d: %a is not %a\n", i, back, value);
        assert_true(bits_of(back) == bits_of(value));
        assert_int_equal(*at++, '\n');
    }
    assert_int_equal(*at, '\0');
    setlocale(LC_NUMERIC, locale);
    free(locale);
}

static void recording(void **state)
{
    (void)state;
    static const char *const patterns[] = {"bodies.*.position", "contacts.*.depth", "ledger.energy.kinetic"};
    fender_env env = fender_env_default();
    fender_world *world = small_world(3, -1.1);
    fender_channel channels[16];
    double values[201][9];
    int count = 0;
    for (size_t i = 0; i < 3; i++) {
        int more = 0;
        check_ok(fender_channel_find(world, patterns[i], channels + count, 16 - count, &more, &error));
        count += more;
    }
    assert_int_equal(count, 8);
    fender_recorder *recorder = fender_recorder_create(&env, world, "log.csv", channels, count, NULL);
    assert_non_null(recorder);
    for (int row = 0; row <= 200; row++) {
        if (row > 0) check_ok(fender_world_step(world, &error));
        check_ok(fender_recorder_sample(recorder, &error));
        values[row][0] = fender_world_time(world);
        for (int i = 0; i < count; i++) values[row][i + 1] = fender_channel_read(world, &channels[i]);
    }
    assert_int_equal(fender_recorder_rows(recorder), 201);
    check_ok(fender_recorder_close(recorder, &error));
    static const char header[] =
        "time [s],bodies.ground.position.x [m],bodies.ground.position.y [m],bodies.ground.position.z [m],"
        "bodies.ball.position.x [m],bodies.ball.position.y [m],bodies.ball.position.z [m],"
        "contacts.ground.hull:ball.hull.depth [m],ledger.energy.kinetic [J]\n";
    char *text = read_text("log.csv"), *at = text + sizeof header - 1;
    assert_memory_equal(text, header, sizeof header - 1);
    char *locale = strdup(setlocale(LC_NUMERIC, NULL));
    setlocale(LC_NUMERIC, "C");
    bool touched = false;
    for (int row = 0; row <= 200; row++) {
        for (int i = 0; i <= count; i++) {
            double back = strtod(at, &at);
            assert_true(bits_of(back) == bits_of(values[row][i]));
            assert_int_equal(*at++, i < count ? ',' : '\n');
        }
        touched = touched || values[row][7] > 0;
    }
    assert_true(touched); /* or the column of depths would have shown nothing */
    assert_int_equal(*at, '\0');
    setlocale(LC_NUMERIC, locale);
    free(locale);
    fender_world_destroy(world);
}

/* Both again under a locale with a decimal comma, made by libc's own localedef. */
static void decimal_comma(void **state)
{
    set_comma_locale();
    exact_numbers(state);
    recording(state);
    setlocale(LC_NUMERIC, "C");
}

/* ---- refusals */

static void unopened(void **state)
{
    (void)state;
    static const struct {
        const char *path, *message;
    } cases[] = {{"missing/log.csv", "No such file"},
                 {"folder", "Is a directory"},
                 {"/proc/fender.csv", "cannot open"}, /* read-only to everyone */
                 {"/dev/full", "No space left"}};
    fender_world *world = small_world(3, -1);
    fender_channel channel;
    int count = 0;
    mkdir("folder", 0777);
    check_ok(fender_channel_find(world, "bodies.ball.position.x", &channel, 1, &count, &error));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        counted_memory c = {0};
        fender_env env = counted_env(&c);
        fender_error error = {0};
        assert_null(fender_recorder_create(&env, world, cases[i].path, &channel, 1, &error));
        if (!strstr(error.message, cases[i].message)) print_error("%s: %s\n", cases[i].path, error.message);
        assert_int_equal(error.status, FENDER_STATUS_FILE);
        assert_non_null(strstr(error.message, cases[i].message));
        assert_string_equal(error.source, cases[i].path);
        assert_true(error.suggestion[0] != '\0');
        assert_int_equal(c.live, 0);
    }
    fender_error error = {0};
    fender_env env = fender_env_default();
    assert_null(fender_recorder_create(&env, world, NULL, &channel, 1, &error));
    assert_int_equal(error.status, FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_recorder_close(NULL, NULL), FENDER_STATUS_OK);
    assert_int_equal(fender_recorder_sample(NULL, NULL), FENDER_STATUS_ARGUMENT);
    fender_world_destroy(world);
}

/* The file must not grow beyond a limit that cuts a row in two: every row before it stays, whole. */
static void size_limit(void **state)
{
    (void)state;
    enum { LIMIT = 100001 };
    fender_env env = fender_env_default();
    fender_world *world = small_world(3, -1.1);
    fender_channel channels[16];
    int count = 0;
    struct rlimit before, limit;
    check_ok(fender_channel_find(world, "bodies.*.position", channels, 16, &count, &error));
    fender_recorder *recorder = fender_recorder_create(&env, world, "limited.csv", channels, count, NULL);
    assert_non_null(recorder);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = LIMIT;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    fender_error error = {0};
    fender_status status = FENDER_STATUS_OK;
    int64_t samples = 0;
    while (status == FENDER_STATUS_OK && samples < 100000) {
        status = fender_world_step(world, NULL);
        assert_int_equal(status, FENDER_STATUS_OK);
        status = fender_recorder_sample(recorder, &error);
        samples++;
    }
    int64_t rows = fender_recorder_rows(recorder);
    fender_error again = {0}, closing = {0};
    assert_int_equal(fender_recorder_sample(recorder, &again), FENDER_STATUS_FILE);
    assert_int_equal(fender_recorder_close(recorder, &closing), FENDER_STATUS_FILE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, FENDER_STATUS_FILE);
    assert_non_null(strstr(error.message, "File too large"));
    assert_string_equal(error.source, "limited.csv");
    assert_non_null(strstr(error.suggestion, "ulimit"));
    char told[64];
    snprintf(told, sizeof told, "the %lld rows before this can be read", (long long)rows);
    assert_non_null(strstr(error.suggestion, told));
    char *text = read_text("limited.csv");
    size_t length = strlen(text);
    assert_true(length <= LIMIT && length > LIMIT - 400); /* what fits is kept */
    assert_int_equal(text[length - 1], '\n');
    int64_t lines = 0;
    for (const char *at = text; *at; at++) lines += *at == '\n';
    assert_int_equal(lines - 1, rows);
    assert_true(rows > 0 && rows < samples);
    fender_world_destroy(world);
}

/* A device that takes nothing: told when the buffer is handed over, and again at closing. */
static void full_device(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fnd_table table;
    fender_error error = {0};
    assert_int_equal(fnd_table_open(&table, &env.allocator, "/dev/full", 100, NULL, &error), FENDER_STATUS_OK);
    fnd_table_number(&table, 1);
    assert_int_equal(fnd_table_end_row(&table, &error), FENDER_STATUS_FILE); /* the first row is flushed at once */
    assert_non_null(strstr(error.message, "No space left"));
    assert_int_equal(fnd_table_close(&table, &error), FENDER_STATUS_FILE);
    assert_int_equal(error.count, 2);
}

static void memory(void **state)
{
    (void)state;
    fender_world *world = small_world(3, -1);
    fender_channel channels[16];
    int count = 0;
    counted_memory clean = {0};
    fender_env env = counted_env(&clean);
    check_ok(fender_channel_find(world, "bodies.*.position", channels, 16, &count, &error));
    fender_recorder *recorder = fender_recorder_create(&env, world, "memory.csv", channels, count, NULL);
    long opened = clean.calls;
    for (int i = 0; i < 5000; i++) check_ok(fender_recorder_sample(recorder, &error));
    check_ok(fender_recorder_close(recorder, &error));
    assert_int_equal(clean.calls, opened); /* nothing after opening */
    assert_int_equal(clean.live, 0);
    for (long n = 1; n <= opened; n++) {
        counted_memory c = {.fail_at = n};
        fender_error error = {0};
        env = counted_env(&c);
        assert_null(fender_recorder_create(&env, world, "memory.csv", channels, count, &error));
        assert_int_equal(error.status, FENDER_STATUS_MEMORY);
        assert_int_equal(c.live, 0);
    }
    print_message("%ld allocations of a recorder failed in turn\n", opened);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_numbers), cmocka_unit_test(recording),  cmocka_unit_test(decimal_comma),
        cmocka_unit_test(unopened),      cmocka_unit_test(size_limit), cmocka_unit_test(full_device),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
