/* Ten dockings from random initial contact conditions: momenta to 1e-12 of their scale through all events. */
/* items: C001 C008 */
#include "docking.h"

static void ten(void **state)
{
    (void)state;
    /* of the residual of energy some three times what is found; momenta do not care for the method */
    static const docking_row rows[] = {
        {FENDER_INTEGRATOR_RK4, "{method: rk4, step: 10 ms, locate_events: true}", 1e-5},
        {FENDER_INTEGRATOR_VELOCITY_VERLET, "{method: velocity_verlet, step: 10 ms, locate_events: true}", 3e-4},
        {FENDER_INTEGRATOR_DOPRI5, "{method: dopri5, relative_tolerance: 1e-11}", 1e-9},
        {FENDER_INTEGRATOR_DOP853, "{method: dop853, relative_tolerance: 1e-11}", 1e-9},
    };
    dockings(rows, sizeof rows / sizeof rows[0], 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ten)};
    return cmocka_run_group_tests_name("docking", tests, NULL, NULL);
}
