/* Fifty dockings from random initial contact conditions: momenta to 1e-12 of their scale, energy by method. */
#include "../docking.h"

static void fifty(void **state)
{
    (void)state;
    static const docking_row rows[] = {
        {FENDER_INTEGRATOR_RK4, "{method: rk4, step: 10 ms, locate_events: true}", 2e-5},
        {FENDER_INTEGRATOR_RK4, "{method: rk4, step: 1 ms, locate_events: true}", 2e-7},
        {FENDER_INTEGRATOR_RK4, "{method: rk4, step: 1 ms}", 1e-6},
        {FENDER_INTEGRATOR_VELOCITY_VERLET, "{method: velocity_verlet, step: 1 ms, locate_events: true}", 5e-6},
        {FENDER_INTEGRATOR_DOPRI5, "{method: dopri5, relative_tolerance: 1e-12}", 5e-9},
        {FENDER_INTEGRATOR_DOP853, "{method: dop853, relative_tolerance: 1e-12}", 5e-9},
    };
    dockings(rows, sizeof rows / sizeof rows[0], 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fifty)};
    return cmocka_run_group_tests_name("docking", tests, NULL, NULL);
}
