/* Falling on uneven ground without damping or friction for longer: polytopes on a grid and a mesh, by the length of
 * the step and by the tolerance. */
#include "../rough.h"

/* Forces are continuous, their slopes are not: order 2 in the mean, with luck in single steps. */
static void by_step(void **state)
{
    (void)state;
    const double steps[] = {1e-3, 5e-4, 2.5e-4, 1.25e-4};
    for (int mesh = 0; mesh < 2; mesh++)
        for (int solid = 0; solid < ROUGH_POLYTOPES; solid++) {
            double errors[4];
            for (int i = 0; i < 4; i++)
                errors[i] = rough_error(mesh == 1, (rough_solid)solid, FENDER_INTEGRATOR_RK4, steps[i], 0, 3);
            print_message("%-20s on a rough %s, 3 s, rk4 of 1, 0.5, 0.25, 0.125 ms: energy within %.1e, %.1e, %.1e, "
                          "%.1e\n",
                          rough_solid_names[solid], mesh ? "mesh" : "grid", errors[0], errors[1], errors[2], errors[3]);
            check_below(errors[0], 3e-3); /* of 1 ms: which bounce comes next hangs by rounding */
            check_below(errors[3], 1e-4);
            check_below(errors[3], errors[0] / 4);
        }
}

static void by_tolerance(void **state)
{
    (void)state;
    for (int mesh = 0; mesh < 2; mesh++)
        for (int solid = 0; solid < ROUGH_POLYTOPES; solid++) {
            double errors[2];
            for (int i = 0; i < 2; i++)
                errors[i] = rough_error(mesh == 1, (rough_solid)solid, FENDER_INTEGRATOR_DOP853, 1e-3, i ? 1e-10 : 1e-7,
                                        1);
            print_message("%-20s on a rough %s, 1 s, dop853: energy within %.1e at tolerance 1e-7, %.1e at 1e-10\n",
                          rough_solid_names[solid], mesh ? "mesh" : "grid", errors[0], errors[1]);
            check_below(errors[1], 1e-6); /* found 2e-8 to 3e-7: kinks where cells begin and end */
            check_below(errors[1], errors[0] / 4);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_step), cmocka_unit_test(by_tolerance)};
    return cmocka_run_group_tests_name("falling on uneven ground, longer", tests, NULL, NULL);
}
