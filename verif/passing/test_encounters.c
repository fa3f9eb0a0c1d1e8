/* A hundred fast encounters of thin bodies: every touch is seen, whatever the step and the method. */
#include "check.h"
#include "encounters.h"

static void all_seen(void **state)
{
    (void)state;
    int touches;
    assert_int_equal(encounters_missed(0, 100, &touches), 0);
    assert_true(touches > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
