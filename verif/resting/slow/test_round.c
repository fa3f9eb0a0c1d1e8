/* Round solids fall on uneven ground without damping or friction for longer, on a grid and a mesh: the energy stays,
 * the better the smaller the tolerance. */
#include "../rough.h"

static void falls(void **state)
{
    (void)state;
    for (int mesh = 0; mesh < 2; mesh++)
        for (rough_solid solid = ROUGH_BALL; solid <= ROUGH_ELLIPSOID; solid++) {
            double errors[2];
            for (int i = 0; i < 2; i++)
                errors[i] = rough_error(mesh == 1, solid, FENDER_INTEGRATOR_DOP853, 1e-3, i ? 1e-11 : 1e-8, 2);
            print_message("%-10s on a rough %s, 2 s, dop853: energy within %.1e at tolerance 1e-8, %.1e at 1e-11\n",
                          rough_solid_names[solid], mesh ? "mesh" : "grid", errors[0], errors[1]);
            check_below(errors[1], 1e-6); /* of the peak of the kinetic energy */
            check_below(errors[1], errors[0] / 4);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(falls)};
    return cmocka_run_group_tests_name("round solids on uneven ground, longer", tests, NULL, NULL);
}
