/* One potential: every pair of solids in a few random poses; the slow tier has the hundreds. */
#include "potential.h"

static void force_is_slope_and_nothing_jumps(void **state)
{
    (void)state;
    int far, steep, poses, steps;
    potential_env = fender_env_default();
    potential_try_all(8, 60, &far, &steep, &poses, &steps);
    assert_true(poses > 400);
    /* The difference has 1e-6 m, and 1e-10 of the energy is rounding: 1e-6 is about what it can tell. What is off are
     * ellipsoids that share the force between an edge and a facet, and rims of which almost nothing touches. What is
     * steep are faces that lie along the border of two cells, and short cylinders that overhang an edge. */
    assert_true(far <= poses / 50);
    assert_true(steep <= steps / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(force_is_slope_and_nothing_jumps)};
    return cmocka_run_group_tests_name("one potential", tests, NULL, NULL);
}
