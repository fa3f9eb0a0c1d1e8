/* Torque-free tumbling: 1,000 s in steps of 1 ms, and the beginning of the way near the unstable axis. */
#include "tumbling.h"

/* What rounding of the attitude costs: its half unit in the last place, 1e6 times at random, is 1e-13; peers reach
 * 6e-14 (Simbody, Runge-Kutta-Merson) and 1.5e-13 (MuJoCo, RK4) in energy. */
static void thousand_seconds(void **state)
{
    (void)state;
    const fender_vec3 w = {0.05, 2, 0.05};
    tumbling t = tumbling_run(FENDER_INTEGRATOR_VELOCITY_VERLET, 1e-3, 1000000, w);
    check_below(t.energy, 1e-13);
    check_below(t.size, 1e-14);
    check_below(t.direction, 1e-14);
    double interval = (t.last_flip - t.first_flip) / (t.flips - 1), expected = tumbling_interval(w);
    printf("from flip to flip %.4f s, closed form %.4f s\n", interval, expected);
    check_near(interval, expected, 0.02 / (t.flips - 1)); /* flips are seen to 10 ms */
    /* longer steps lose nothing but less often */
    for (double step = 0.01; step < 2; step *= 10) {
        t = tumbling_run(FENDER_INTEGRATOR_VELOCITY_VERLET, step, (int)(1000 / step + 0.5), w);
        check_below(t.energy, 5e-14);
        check_below(t.size, 1e-14);
        check_below(t.direction, 1e-14);
    }
    /* Runge-Kutta keeps L by its state; of energy it loses by order 4, here hardly more than by rounding */
    t = tumbling_run(FENDER_INTEGRATOR_RK4, 1e-3, 100000, w);
    check_below(t.energy, 3e-13);
    check_below(t.direction, 1e-14);
}

/* Near the unstable axis the energy is within 1e-12 of the one at which the body would never flip: rounding, adding up
 * to 1e-14, moves the time between flips by a hundredth. */
static void near_the_unstable_axis(void **state)
{
    (void)state;
    const fender_vec3 w = {1e-6, 2, 1e-6};
    tumbling t = tumbling_run(FENDER_INTEGRATOR_VELOCITY_VERLET, 1e-3, 300000, w);
    double interval = (t.last_flip - t.first_flip) / (t.flips - 1), expected = tumbling_interval(w);
    printf("from flip to flip %.3f s, closed form %.3f s\n", interval, expected);
    check_near(interval, expected, 0.01 * expected);
    check_below(t.energy, 5e-14);
    check_below(t.size, 1e-14);
    check_below(t.direction, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(thousand_seconds), cmocka_unit_test(near_the_unstable_axis)};
    return cmocka_run_group_tests_name("torque-free tumbling", tests, NULL, NULL);
}
