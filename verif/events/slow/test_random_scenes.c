/* Hundreds of random scenes of up to 20 bodies end, and their energy adds up. With two numbers: those from the first
 * on, so many. With one: prints that scene. */
#include "check.h"
#include "random_scenes.h"
#include <stdio.h>
#include <stdlib.h>

static void scenes_end(void **state)
{
    (void)state;
    assert_int_equal(random_scenes_fail(0, 400), 0);
}

int main(int count, char **words)
{
    if (count == 3) return random_scenes_fail(strtoull(words[1], NULL, 10), atoi(words[2])) != 0;
    if (count == 2) {
        static char text[RANDOM_SCENE_SIZE];
        random_scene_write(strtoull(words[1], NULL, 10), 1, 1, text, sizeof text);
        return fputs(text, stdout) < 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
