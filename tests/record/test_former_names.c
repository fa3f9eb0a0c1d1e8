/* Channels are found by the names that they had in version 0.1. */
#include "small_world.h"

#include <fender/io.h>

static void former_names_of_channels(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"events.touch.count", "events.begin.count"},
                                           {"events.release.count", "events.end.count"},
                                           {"events.begin.count", "events.begin.count"}};
    fender_world *world = small_world(3, -1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_channel channel;
        int count = 0;
        check_ok(fender_channel_find(world, cases[i][0], &channel, 1, &count, &error));
        assert_int_equal(count, 1);
        assert_string_equal(channel.name, cases[i][1]);
    }
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(former_names_of_channels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
