/* One potential: every pair of solids in many random poses and on many random paths. */
#include "../potential.h"

static void force_is_slope_and_nothing_jumps(void **state)
{
    (void)state;
    int far, steep, poses, steps;
    potential_env = fender_env_default();
    potential_try_all(30, 150, &far, &steep, &poses, &steps);
    assert_true(poses > 1500);
    assert_true(far <= poses / 200); /* see the quick test */
    assert_true(steep <= steps / 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(force_is_slope_and_nothing_jumps)};
    return cmocka_run_group_tests_name("one potential, thousands", tests, NULL, NULL);
}
