/* Every undamped body that rocks keeps its energy; a box with fixed steps too, to the order that the kinks of touch
 * leave. */
#include "../rocking.h"

static void every_body(void **state)
{
    (void)state;
    for (int base = 0; base < RESTING_GRID; base++)
        for (int solid = 0; solid < RESTING_SPHERE; solid++) {
            if (solid == RESTING_DISK) continue; /* its flat side has no border to rock on that is not its rim */
            rocking_check((resting_base)base, (resting_solid)solid);
        }
}

static void a_box_with_fixed_steps(void **state)
{
    (void)state;
    for (int base = 0; base < RESTING_GRID; base++) {
        double before = INFINITY;
        for (double step = 1e-3; step > 5e-5; step /= 2) {
            double error = rocking_error((resting_base)base, RESTING_BOX_FLAT, FENDER_INTEGRATOR_RK4, step, 0);
            print_message("box on a %s, rk4 of %.4f ms: energy within %.1e\n", resting_base_names[base], 1e3 * step,
                          error);
            check_below(error, before);
            before = error;
        }
        check_below(before, 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_body), cmocka_unit_test(a_box_with_fixed_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
