/* One potential: every pair of solids in a few random poses; the slow tier has the hundreds. */
#include "potential.h"

static void force_is_slope_and_nothing_jumps(void **state)
{
    (void)state;
    int far, steep, poses, steps;
    potential_env = fender_env_default();
    potential_try_all(repeats(8), 60, &far, &steep, &poses, &steps);
    assert_true(poses > repeats(400));
    /* The difference has 1e-6 m, and 1e-10 of the energy is rounding: 1e-6 is about what it can tell. What is off are
     * ellipsoids that share the force between an edge and a facet, rims of which almost nothing touches, and cylinders
     * against a wall of a mesh. What is steep are faces that lie along the border of two cells. */
    assert_true(far <= poses / 50);
    assert_true(steep <= steps / 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(force_is_slope_and_nothing_jumps)};
    return cmocka_run_group_tests_name("one potential", tests, NULL, NULL);
}
