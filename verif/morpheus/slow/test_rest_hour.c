/* A block held by static friction on a slope of 20 degrees for an hour: it does not creep. */
#include "../block.h"

static void hour(void **state)
{
    (void)state;
    vehicle_set_up s = block_on_slope(0.9, 0.4, 5e-3); /* its swings have 44 rad/s */
    block_creep creep = block_watch(&s, 10, 3600);
    print_message("largest displacement in an hour after 10 s of settling %.1e m, %d slips\n", creep.most, creep.slips);
    check_below(creep.most, 1e-9);
    assert_int_equal(creep.slips, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hour)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
