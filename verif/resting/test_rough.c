/* Falling on uneven ground without damping or friction: the energy stays, the better the shorter the step. */
#include "rough.h"

static void falls(void **state)
{
    (void)state;
    const double steps[] = {1e-3, 5e-4, 2.5e-4, 1.25e-4};
    for (int solid = 0; solid < 2; solid++) {
        double errors[4];
        for (int i = 0; i < 4; i++)
            errors[i] = rough_error(false, (rough_solid)solid, FENDER_INTEGRATOR_RK4, steps[i], 0, 1);
        print_message(
            "%s falls on a rough grid, 1 s, rk4 of 1, 0.5, 0.25, 0.125 ms: energy within %.1e, %.1e, %.1e, %.1e\n",
            rough_solid_names[solid], errors[0], errors[1], errors[2], errors[3]);
        check_below(errors[0], 1e-3); /* of the peak of the kinetic energy */
        check_below(errors[3], 2e-5);
        check_below(errors[3], errors[0] / 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(falls)};
    return cmocka_run_group_tests_name("falling on uneven ground", tests, NULL, NULL);
}
