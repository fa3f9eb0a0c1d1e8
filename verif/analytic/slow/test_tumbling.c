/* Torque-free tumbling for 10,000 s near the unstable axis, by both methods. */
#include "../tumbling.h"

/* 1e7 steps: rounding adds up to sqrt(10) times what it does in test_tumbling. The mean time between 370 flips is
 * compared with the closed form. The swing away from the axis holds 1e-12 of the energy, so rounding leads from it: by
 * less than a hundredth in velocity_verlet, whose energy drifts by 2e-14; rk4 drifts by some 1e-13, a tenth of the
 * swing and so a thirtieth of the logarithm that the time grows with. */
static void near_the_unstable_axis(void **state)
{
    (void)state;
    const fender_vec3 w = {1e-6, 2, 1e-6};
    const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_VELOCITY_VERLET};
    for (int m = 0; m < 2; m++) {
        tumbling t = tumbling_run(methods[m], 1e-3, 10000000, w);
        double interval = (t.last_flip - t.first_flip) / (t.flips - 1), expected = tumbling_interval(w);
        check_below(t.energy, m == 0 ? 1e-12 : 2e-13);
        check_below(t.size, 1e-14);
        check_below(t.direction, 1e-14);
        check_near(interval, expected, (m == 0 ? 0.03 : 0.01) * expected);
        printf("from flip to flip %.3f s, closed form %.3f s\n", interval, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(near_the_unstable_axis)};
    return cmocka_run_group_tests_name("torque-free tumbling for long", tests, NULL, NULL);
}
