/* Figures, page and text of a run: words as categories, associations at both ends, a sample of many rows; every
 * allocation refused in turn. */
#include "check.h"

#include <fender/study.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "counted_memory.h"
#include "study/figures.h"
#include "study/study.h"

enum { ROWS = 9000, COLUMNS = 5 };
static double values[COLUMNS][ROWS];
static const char *texts[ROWS];
static int64_t runs[ROWS];
static int statuses[ROWS];
static const char *hashes[ROWS];

/* Inputs x (uniform), soil (words), v (uniform); kept y = |x - 0.5|; outcome: y > 0.4; one row in 3000 failed. */
static fnd_results make_results(const fender_env *env, int rows)
{
    static fnd_store_column columns[COLUMNS] = {
        {.kind = FND_COLUMN_INPUT, .name = "x", .unit = "m", .detail = ""},
        {.kind = FND_COLUMN_INPUT, .name = "soil", .unit = "1", .detail = ""},
        {.kind = FND_COLUMN_INPUT, .name = "v", .unit = "m/s", .detail = ""},
        {.kind = FND_COLUMN_KEPT, .name = "y", .unit = "m", .detail = ""},
        {.kind = FND_COLUMN_OUTCOME, .name = "out", .unit = "1", .detail = "y > 0.4"},
    };
    static const char *const soils[] = {"sand", "<rock>", "dust"};
    for (int i = 0; i < rows; i++) {
        bool failed = i % 3000 == 2999;
        double x = fmod(0.6180339887498949 * i, 1);
        runs[i] = i;
        statuses[i] = failed ? FND_ROW_FAILED : FND_ROW_OK;
        hashes[i] = "";
        texts[i] = soils[i % 3];
        values[0][i] = x;
        values[1][i] = (double)NAN;
        values[2][i] = fmod(0.7548776662466927 * i, 1);
        values[3][i] = failed ? (double)NAN : fabs(x - 0.5);
        values[4][i] = failed ? (double)NAN : values[3][i] > 0.4;
    }
    for (int c = 0; c < COLUMNS; c++) columns[c].values = values[c];
    columns[1].texts = texts;
    return (fnd_results){.arena = fnd_arena_open(&env->allocator, 0),
                         .title = "made",
                         .design = "",
                         .version = "0",
                         .hash = "",
                         .text = "",
                         .runs = rows,
                         .rows = rows,
                         .columns = columns,
                         .column_count = COLUMNS,
                         .run = runs,
                         .status = statuses,
                         .reasons = hashes,
                         .hashes = hashes};
}

static void words_are_categories(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fnd_results r = make_results(&env, 30);
    fnd_figures f;
    fnd_buffer b = fnd_buffer_open(&env.allocator);
    assert_true(fnd_figures_open(&f, &r));
    assert_int_equal(f.word_count[1], 3);
    assert_string_equal(f.words[1][0], "<rock>");
    assert_string_equal(f.words[1][2], "sand");
    assert_true(f.values[1][0] == 2 && f.values[1][1] == 0 && f.values[1][2] == 1);
    assert_null(f.words[0]);
    fnd_figure_scatter(&b, &f, 4, 1, 0);
    fnd_figure_histogram(&b, &f, 1);
    assert_non_null(strstr(b.text, ">&lt;rock&gt;<"));
    assert_null(strstr(b.text, "<rock>"));
    fnd_buffer_close(&b);
    fnd_results_release(&r);
}

/* Categories that are numbers have the order of their values, not of their letters. */
static void numbers_as_categories(void **state)
{
    (void)state;
    static const char *const lengths[] = {"3 m", "10 cm", "20 m"};
    static const double metres[] = {3, 0.1, 20};
    double numbers[30];
    fender_env env = fender_env_default();
    fnd_results r = make_results(&env, 30);
    fnd_figures f;
    for (int i = 0; i < 30; i++) {
        texts[i] = lengths[i % 3];
        numbers[i] = metres[i % 3];
    }
    r.columns[1].numbers = numbers;
    assert_true(fnd_figures_open(&f, &r));
    assert_int_equal(f.word_count[1], 3);
    assert_string_equal(f.words[1][0], "10 cm");
    assert_string_equal(f.words[1][1], "3 m");
    assert_string_equal(f.words[1][2], "20 m");
    assert_true(f.values[1][0] == 1 && f.values[1][1] == 0 && f.values[1][2] == 2);
    r.columns[1].numbers = NULL;
    fnd_results_release(&r);
}

/* x acts at both ends: its own rank correlation is next to nothing, that of its distance from the median is not. */
static void both_ends_are_found(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fnd_results r = make_results(&env, 2000);
    fnd_figures f;
    fnd_bar room[8];
    fnd_bars table;
    int chosen[2];
    assert_true(fnd_figures_open(&f, &r));
    assert_true(fabs(fnd_figures_correlation(&f, 0, 3, false).value) < 0.02);
    assert_true(fnd_figures_correlation(&f, 0, 3, true).value > 0.999);
    assert_true(fnd_figures_choose(&f, 4, chosen));
    assert_int_equal(chosen[0], 0);
    assert_true(fnd_figures_sensitivities(&f, 4, room, 8, &table));
    assert_string_equal(table.bars[0].label, "|x - median|");
    assert_true(table.bars[0].value.low > 0.5 && table.bars[0].value.high < 0.8);
    fnd_results_release(&r);
}

static void samples_hold_what_is_rare(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fnd_results r = make_results(&env, ROWS);
    fnd_figures f;
    int64_t failed = 0, shown = 0;
    assert_true(fnd_figures_open(&f, &r));
    assert_int_equal(f.stride, 3);
    for (int i = 0; i < ROWS; i++) {
        failed += f.shown[i] && statuses[i] == FND_ROW_FAILED;
        shown += f.shown[i];
        if (i % 3 == 0) assert_true(f.shown[i]);
    }
    assert_int_equal(failed, 3);
    assert_int_equal(shown, f.shown_count);
    assert_true(shown < FND_MOST_SHOWN);
    fnd_results_release(&r);
}

/* Columns without a spread, without a value, of one row: what is drawn holds numbers alone. */
static void odd_columns_are_drawn(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    for (int rows = 1; rows <= 5; rows += 4)
        for (int kind = 0; kind < 4; kind++) {
            fnd_results r = make_results(&env, rows);
            fnd_figures f;
            fnd_buffer b = fnd_buffer_open(&env.allocator);
            fnd_bar room[8];
            fnd_bars table;
            static const double odd[] = {0, 1e300, 1e-300, 7};
            for (int i = 0; i < rows; i++) {
                values[0][i] = kind == 3 ? (double)NAN : odd[kind];
                values[3][i] = kind == 2 && i > 0 ? (double)INFINITY : odd[kind];
            }
            assert_true(fnd_figures_open(&f, &r));
            fnd_figure_scatter(&b, &f, 4, 0, 2);
            fnd_figure_convergence(&b, &f, 4);
            for (int c = 0; c < 4; c++) fnd_figure_histogram(&b, &f, c);
            if (fnd_figures_sensitivities(&f, 4, room, 8, &table)) fnd_figure_bars(&b, &table);
            fnd_figure_parallel(&b, &f, 4);
            assert_false(b.failed);
            if (strstr(b.text, "nan") || strstr(b.text, "inf ")) fail_msg("kind %d, %d rows: %s", kind, rows, b.text);
            fnd_buffer_close(&b);
            fnd_results_release(&r);
        }
}

static void ignore(void *ctx, const char *text) { (void)ctx, (void)text; }

static fender_status draw(const fender_env *env, const fender_study *study, int what, fender_error *error)
{
    fender_study_plot_def def = {.store = "figures.db", .output = "figures.svg"};
    switch (what) {
    case 0: return fender_study_page(env, "figures.db", "figures.html", error);
    case 1: return fender_study_plot(env, &def, NULL, error);
    default: return fender_study_print(study, env, 3, ignore, NULL, error);
    }
}

static void refused_memory_is_told(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_study *study = fender_study_load(&env, FENDER_SOURCE_DIR "/samples/studies/landing.yaml", 12, &error);
    assert_non_null(study);
    unlink("figures.db");
    fender_study_def run = {.study = study, .store = "figures.db", .jobs = 1};
    fender_status status = fender_study_run(&env, &run, NULL, &error);
    if (status == FENDER_STATUS_NOT_BUILT) {
        fender_study_destroy(study);
        skip();
    }
    assert_int_equal(status, FENDER_STATUS_OK);
    for (int what = 0; what < 3; what++) {
        long last = 1;
        for (long at = 1; at <= last; at++) {
            counted_memory counted = {0};
            fender_env small = counted_env(&counted);
            small.report = env.report;
            counted.fail_at = at == 1 ? 0 : at - 1; /* the first time none: how many there are */
            status = draw(&small, study, what, &error);
            if (at == 1) {
                assert_int_equal(status, FENDER_STATUS_OK);
                last = counted.calls + 1;
            } else if (status != FENDER_STATUS_OK) assert_int_equal(status, FENDER_STATUS_MEMORY);
            assert_int_equal(counted.live, 0);
        }
        assert_true(last > 5);
    }
    fender_study_destroy(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_categories),  cmocka_unit_test(numbers_as_categories),
        cmocka_unit_test(both_ends_are_found),   cmocka_unit_test(samples_hold_what_is_rare),
        cmocka_unit_test(odd_columns_are_drawn), cmocka_unit_test(refused_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
