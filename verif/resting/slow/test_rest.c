/* Bodies come to rest: and stay there for half a minute, a stack for one. */
#include "../resting_cases.h"

static void on_the_level(void **state)
{
    (void)state;
    resting_check_all(RESTING_BASES, 30, 1e-3, 0);
}
static void on_a_slope(void **state)
{
    (void)state;
    resting_check_all(RESTING_BASES, 30, 1e-3, 0.2);
}

static void in_a_stack(void **state)
{
    (void)state;
    resting_check_stack(4, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_the_level), cmocka_unit_test(on_a_slope),
                                       cmocka_unit_test(in_a_stack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
