/* Round solids fall on uneven ground without damping or friction, roll, hop and slide: the energy stays.
 *
 * Source: a closed system of a potential. Bound: what the step control leaves; forces have kinks where a triangle
 * enters the solid, so that not all of the tolerance of 1e-11 is reached. */
#include "rough.h"

static void falls(void **state)
{
    (void)state;
    for (rough_solid solid = ROUGH_BALL; solid <= ROUGH_ELLIPSOID; solid++) {
        double error = rough_error(false, solid, FENDER_INTEGRATOR_DOP853, 1e-3, 1e-11, 1);
        print_message("%-10s falls on a rough grid, 1 s, dop853 at 1e-11: energy within %.1e\n",
                      rough_solid_names[solid], error);
        check_below(error, solid == ROUGH_BALL ? 1e-11 : 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(falls)};
    return cmocka_run_group_tests_name("round solids on uneven ground", tests, NULL, NULL);
}
