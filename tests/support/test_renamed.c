/* The table of former names, and the paths of channels that begin with one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "support/renamed.h"

static void names_are_found_by_their_kind(void **state)
{
    (void)state;
    const fnd_renamed *row = fnd_renamed_find(FND_RENAMED_KEY, "touch");
    assert_non_null(row);
    assert_string_equal(row->now, "begin");
    assert_string_equal(fnd_renamed_find(FND_RENAMED_EVENT, "release")->now, "end");
    assert_null(fnd_renamed_find(FND_RENAMED_KEY, "begin"));
    assert_null(fnd_renamed_find(FND_RENAMED_KEY, "touche"));
    assert_null(fnd_renamed_find(FND_RENAMED_CHANNEL, "touch"));
    assert_in_range(fnd_renamed_number(row), 0, FND_RENAMED_CAPACITY - 1);
    assert_int_not_equal(fnd_renamed_number(row), fnd_renamed_number(fnd_renamed_find(FND_RENAMED_EVENT, "touch")));
}

static void channels_are_renamed_up_to_a_point(void **state)
{
    (void)state;
    char text[32];
    const fnd_renamed *row = fnd_renamed_find(FND_RENAMED_CHANNEL, "events.touch.count");
    assert_non_null(row);
    assert_true(fnd_renamed_channel(row, "events.touch.count", text, sizeof text));
    assert_string_equal(text, "events.begin.count");
    assert_ptr_equal(fnd_renamed_find(FND_RENAMED_CHANNEL, "events.touch"), row);
    assert_null(fnd_renamed_find(FND_RENAMED_CHANNEL, "events.touchdown.count"));
    assert_null(fnd_renamed_find(FND_RENAMED_CHANNEL, "events.begin.count"));
    assert_false(fnd_renamed_channel(row, "events.touch.count", text, strlen("events.begin.count")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_by_their_kind),
        cmocka_unit_test(channels_are_renamed_up_to_a_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
