/* Recordings in Trick's binary form, read by a reader of the test's own, written from Trick's description of its data
 * recording: "Trick-10-L" or -B, a count of variables; of each the length and text of its name, the length and text of
 * its unit, its type (11: double) and size; then rows of values without gaps, the time first. */
#include "check.h"

#include "small_world.h"
#include "tables/table.h"
#include <fender/io.h>
#include <signal.h>
#include <sys/resource.h>

typedef struct file {
    unsigned char bytes[1 << 20];
    size_t size, at;
} file;

static void read_file(file *f, const char *path)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    f->size = fread(f->bytes, 1, sizeof f->bytes, stream);
    f->at = 0;
    fclose(stream);
}

static void take(file *f, void *to, size_t size)
{
    assert_true(f->at + size <= f->size);
    memcpy(to, f->bytes + f->at, size);
    f->at += size;
}

static int32_t take_int(file *f)
{
    int32_t value;
    take(f, &value, sizeof value);
    return value;
}

static void take_text(file *f, char text[256])
{
    int32_t length = take_int(f);
    assert_true(length >= 0 && length < 256);
    take(f, text, (size_t)length);
    text[length] = '\0';
}

/* The number of variables; their names and units as "name {unit}". */
static int take_header(file *f, char names[][520])
{
    char magic[10], name[256], unit[256];
    take(f, magic, sizeof magic);
    const uint16_t order = 1;
    assert_memory_equal(magic, *(const unsigned char *)&order ? "Trick-10-L" : "Trick-10-B", 10);
    int count = take_int(f);
    for (int i = 0; i < count; i++) {
        take_text(f, name);
        take_text(f, unit);
        snprintf(names[i], 520, "%s {%s}", name, unit);
        assert_int_equal(take_int(f), 11);
        assert_int_equal(take_int(f), 8);
    }
    return count;
}

static file f;
static char names[32][520];

static void same_as_the_world(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world *world = small_world(3, -1.1);
    fender_channel channels[16];
    int count = 0, position = 0;
    check_ok(fender_channel_find(world, "bodies.*.position", channels, 16, &position, &error));
    check_ok(fender_channel_find(world, "bodies.ball.attitude", channels + position, 16 - position, &count, &error));
    count += position;
    fender_recorder *recorder = fender_recorder_create(&env, world, "log.trk", channels, count, NULL);
    assert_non_null(recorder);
    double seen[100][3];
    fender_body_id ball;
    check_ok(fender_body_find(world, "ball", &ball));
    for (int i = 0; i < 100; i++) {
        fender_body_data data;
        check_ok(fender_world_step(world, &error));
        check_ok(fender_recorder_sample(recorder, &error));
        check_ok(fender_body_get(world, ball, FENDER_CLOCK_COMMITTED, &data));
        seen[i][0] = fender_world_time(world), seen[i][1] = data.position.x, seen[i][2] = data.position.z;
    }
    check_ok(fender_recorder_close(recorder, &error));
    read_file(&f, "log.trk");
    assert_int_equal(take_header(&f, names), count + 1);
    assert_string_equal(names[0], "sys.exec.out.time {s}");
    assert_string_equal(names[1], "bodies.ground.position.x {m}");
    assert_string_equal(names[4], "bodies.ball.position.x {m}");
    assert_string_equal(names[7], "bodies.ball.attitude.w {1}");
    for (int i = 0; i < 100; i++) {
        double row[32];
        take(&f, row, (size_t)(count + 1) * sizeof *row);
        assert_memory_equal(&row[0], &seen[i][0], sizeof *row);
        assert_memory_equal(&row[4], &seen[i][1], sizeof *row);
        assert_memory_equal(&row[6], &seen[i][2], sizeof *row);
    }
    assert_int_equal(f.at, f.size);
    fender_world_destroy(world);
}

/* A file that can grow no more keeps whole rows, as many as are told. */
static void size_limit(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world *world = small_world(3, -1.1);
    fender_channel channels[16];
    int count = 0;
    struct rlimit before, limit;
    check_ok(fender_channel_find(world, "bodies.*.position", channels, 16, &count, &error));
    fender_recorder *recorder = fender_recorder_create(&env, world, "limited.trk", channels, count, NULL);
    assert_non_null(recorder);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 100003;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    fender_status status = FENDER_STATUS_OK;
    while (status == FENDER_STATUS_OK) {
        status = fender_world_step(world, NULL);
        assert_int_equal(status, FENDER_STATUS_OK);
        status = fender_recorder_sample(recorder, NULL);
    }
    int64_t rows = fender_recorder_rows(recorder);
    assert_int_equal(fender_recorder_close(recorder, NULL), FENDER_STATUS_FILE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    read_file(&f, "limited.trk");
    const size_t row = ((size_t)take_header(&f, names)) * sizeof(double);
    assert_int_equal((f.size - f.at) % row, 0);
    assert_int_equal((f.size - f.at) / row, rows);
    assert_true(rows > 0 && f.size <= 100003 && f.size + row > 100003);
    fender_world_destroy(world);
}

/* A table goes on behind a mark, as `fender resume` needs it. */
static void gone_on_with(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fnd_table table;
    fnd_table_mark mark;
    for (int turn = 0; turn < 2; turn++) {
        check_ok(fnd_table_open(&table, &env.allocator, "on.trk", 400, turn ? &mark : NULL, &error));
        fnd_table_head(&table, "time", "s");
        fnd_table_head(&table, "force", "N");
        check_ok(fnd_table_end_header(&table, &error));
        for (int i = 0; i < 3; i++) {
            fnd_table_number(&table, 2 * turn + i);
            fnd_table_number(&table, -1.5);
            check_ok(fnd_table_end_row(&table, &error));
            if (turn == 0 && i == 1) check_ok(fnd_table_sync(&table, &mark, &error));
        }
        assert_int_equal(table.rows, turn ? 5 : 3);
        check_ok(fnd_table_close(&table, &error));
    }
    read_file(&f, "on.trk");
    assert_int_equal(take_header(&f, names), 2);
    for (int i = 0; i < 5; i++) {
        double row[2];
        take(&f, row, sizeof row);
        check_near(row[0], i, 0);
        check_near(row[1], -1.5, 0);
    }
    assert_int_equal(f.at, f.size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_the_world), cmocka_unit_test(size_limit),
                                       cmocka_unit_test(gone_on_with)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
