/* Recordings of version 0.1: columns get the present names of their channels, with one note for each former name. */
#include "recording_files.h"
#include <fender/comparison.h>

typedef struct notes {
    int count;
    char last[200];
} notes;

static void note(void *ctx, const fender_diagnostic *diagnostic)
{
    notes *n = ctx;
    assert_int_equal(diagnostic->severity, FENDER_SEVERITY_NOTE);
    n->count++;
    snprintf(n->last, sizeof n->last, "%s", diagnostic->message);
}

static fender_recording open_noted(const char *name, notes *n)
{
    fender_recording recording;
    fender_env env = fender_env_default();
    *n = (notes){0, ""};
    env.report = note;
    env.report_ctx = n;
    check_ok(fender_recording_open(&recording, &env, name, NULL, true, &error));
    return recording;
}

static void columns_get_present_names(void **state)
{
    (void)state;
    notes n;
    write_text("old.csv", "time [s],events.touch.count,x\n0,0,1\n1,2,3\n");
    fender_recording r = open_noted("old.csv", &n);
    assert_int_equal(n.count, 1);
    assert_string_equal(n.last, "'events.touch' is now 'events.begin'");
    const fender_recording_channel *channel = fender_recording_find(&r, "events.begin.count");
    assert_non_null(channel);
    assert_string_equal(channel->name, "events.begin.count");
    assert_ptr_equal(fender_recording_find(&r, "events.touch.count"), channel);
    assert_true(fender_recording_fits("events.touch.count", channel->name));
    assert_true(fender_recording_fits("events.touch.*", channel->name));
    assert_false(fender_recording_fits("events.release.count", channel->name));
    fender_recording_close(&r);
    assert_true(r.memory == NULL && r.table_count == 0);
    fender_recording_close(&r); /* again: nothing */
}

static void both_names_stay_apart(void **state)
{
    (void)state;
    notes n;
    write_text("both.csv", "time [s],events.touch.count,events.begin.count\n0,5,7\n");
    fender_recording r = open_noted("both.csv", &n);
    assert_int_equal(n.count, 0);
    assert_ptr_not_equal(fender_recording_find(&r, "events.touch.count"),
                         fender_recording_find(&r, "events.begin.count"));
    fender_recording_close(&r);
}

/* A run of 0.1 is compared with one of today, channel by channel. */
static void old_and_new_are_compared(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    write_text("a.csv", "time [s],events.touch.count\n0,0\n1,2\n");
    write_text("b.csv", "time [s],events.begin.count\n0,0\n1,2\n");
    fender_recording a = open_recorded("a.csv"), b = open_recorded("b.csv");
    fender_comparison found;
    fender_comparison_def def = {.a = &a, .b = &b, .from = -INFINITY, .until = INFINITY};
    check_ok(fender_compare(&found, &env, &def, &error));
    assert_true(found.same);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.items[0].a->name, "events.begin.count");
    fender_comparison_close(&found);
    fender_recording_close(&a);
    fender_recording_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_get_present_names),
        cmocka_unit_test(both_names_stay_apart),
        cmocka_unit_test(old_and_new_are_compared),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
