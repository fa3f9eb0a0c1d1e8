/* A thousand chains and five hundred spheres at rest. With two numbers: those from the first on, so many of each. */
#include "check.h"
#include "stable_systems.h"
#include <stdlib.h>

static void chains_as_their_modes(void **state)
{
    (void)state;
    check_below(chains_off(0, 1000), 0.11);
}

static void balls_as_they_run(void **state)
{
    (void)state;
    assert_int_equal(rests_wrong(0, 500), 0);
}

int main(int count, char **words)
{
    if (count == 3) {
        const uint64_t first = strtoull(words[1], NULL, 10);
        const double off = chains_off(first, atoi(words[2]));
        const int wrong = rests_wrong(first, atoi(words[2]));
        printf("%s chains %.1f %% below at most, %s balls, %d wrong\n", words[2], 100 * off, words[2], wrong);
        return wrong != 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains_as_their_modes), cmocka_unit_test(balls_as_they_run)};
    return cmocka_run_group_tests_name("stable step", tests, NULL, NULL);
}
