/* Ten thousand random sequences of calls. */
#include "fmi/random_calls.h"

static void test_many_calls(void **state)
{
    (void)state;
    random_sequences(10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_calls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
