/* A hundred random sequences of calls; the slow tier has ten thousand. */
#include "random_calls.h"

static void test_random_calls(void **state)
{
    (void)state;
    random_sequences(120);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
