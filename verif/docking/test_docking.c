/* Ten dockings from random initial contact conditions: momenta to 1e-12 of their scale through all events. */
#include "docking.h"

static void ten(void **state)
{
    (void)state;
    /* RK4: friction grows through zero slip within 1 mm/s, which 10 ms resolve coarsely; momenta do not care */
    static const docking_row rows[] = {
        {FENDER_INTEGRATOR_RK4, "{method: rk4, step: 10 ms, locate_events: true}", 1e-3},
    };
    dockings(rows, sizeof rows / sizeof rows[0], 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ten)};
    return cmocka_run_group_tests_name("docking", tests, NULL, NULL);
}
