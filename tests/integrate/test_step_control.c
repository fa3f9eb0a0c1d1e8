/* Step sizes from errors: limits, the combination of two estimates, what a sequence of errors does, the first step. */
#include "check.h"
#include "integrate/ode.h"

static void one_error(void **state)
{
    (void)state;
    double norms[2] = {0.5, 7};
    assert_true(fnd_step_control_error(&fnd_dopri5, norms) == 0.5);
    /* Hairer's e5^2 / sqrt(e5^2 + 0.01 e3^2) */
    check_near(fnd_step_control_error(&fnd_dop853, norms), 0.25 / sqrt(0.25 + 0.49), 1e-15);
    norms[0] = 0;
    assert_true(fnd_step_control_error(&fnd_dop853, norms) == 0);
    norms[0] = 1e-200, norms[1] = 1e-190; /* squares would vanish */
    check_near(fnd_step_control_error(&fnd_dop853, norms) / 1e-209, 1, 1e-12);
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            norms[0] = norms[1] = 0.1;
            norms[k] = bad[i];
            assert_true(isinf(fnd_step_control_error(&fnd_dop853, norms)));
            if (k == 0) assert_true(isinf(fnd_step_control_error(&fnd_dopri5, norms)));
        }
}

static void limits(void **state)
{
    (void)state;
    const fnd_method *methods[] = {&fnd_dopri5, &fnd_dop853};
    for (int k = 0; k < 2; k++) {
        for (double error = 1e-30; error < 1e30; error *= 7) {
            fnd_step_control control = fnd_step_control_start();
            bool taken = error <= 1;
            double factor = fnd_step_control_factor(&control, methods[k], error, taken);
            assert_true(factor >= 0.2 && factor <= (taken ? 5 : 0.9));
            fnd_step_control again = control; /* plain numbers: a copy goes on as the original does */
            double next = fnd_step_control_factor(&control, methods[k], 1e-9, true);
            assert_true(next == fnd_step_control_factor(&again, methods[k], 1e-9, true));
            if (taken) assert_true(next > 1);
            else assert_true(next == 1); /* no growth right after a step that was turned down */
            if (!taken) assert_true(fnd_step_control_factor(&control, methods[k], 1e-9, true) > 1);
        }
        fnd_step_control control = fnd_step_control_start();
        assert_true(fnd_step_control_factor(&control, methods[k], 0, true) == 5);
        assert_true(fnd_step_control_factor(&control, methods[k], INFINITY, false) == 0.2);
        assert_true(fnd_step_control_factor(&control, methods[k], NAN, false) == 0.2);
        /* turned down by the world for a reason of its own: shorter all the same */
        double factor = fnd_step_control_factor(&control, methods[k], 1e-3, false);
        assert_true(factor == 0.9);
        factor = fnd_step_control_factor(&control, methods[k], 0, false);
        assert_true(factor <= 0.9);
    }
}

/* Where the error is exactly C h^order, the step settles where the control's two exponents balance: at
 * error^((0.85 - 0.2) / order) = safety, that is error = 0.9^(order / 0.65), and without turning down steps. */
static void settles(void **state)
{
    (void)state;
    const fnd_method *methods[] = {&fnd_dopri5, &fnd_dop853};
    for (int k = 0; k < 2; k++) {
        int order = methods[k]->error_order, down = 0;
        fnd_step_control control = fnd_step_control_start();
        double h = 1e-6, error = 0;
        for (int i = 0; i < 60; i++) {
            error = 300 * pow(h, order);
            bool taken = error <= 1;
            down += !taken;
            h *= fnd_step_control_factor(&control, methods[k], error, taken);
        }
        check_near(error, pow(0.9, order / 0.65), 1e-6);
        assert_true(down <= 1);
    }
}

/* The next step after one that was turned down would be good if the error is C h^order. */
static void second_try(void **state)
{
    (void)state;
    for (double error = 1.01; error < 1800; error *= 2) { /* (0.9 / 0.2)^5 = 1845 */
        fnd_step_control control = fnd_step_control_start();
        double factor = fnd_step_control_factor(&control, &fnd_dopri5, error, false);
        check_near(error * pow(factor, 5), pow(0.9, 5), 1e-12);
    }
}

static void first_step(void **state)
{
    (void)state;
    check_near(fnd_first_step_guess(1e3, 50), 0.2, 1e-15);
    assert_true(fnd_first_step_guess(1e-6, 50) == 1e-6 && fnd_first_step_guess(50, 1e-6) == 1e-6);
    check_near(fnd_first_step(&fnd_dopri5, 0.2, 320, 10), pow(0.01 / 320, 0.2), 1e-15);
    check_near(fnd_first_step(&fnd_dopri5, 0.2, 10, 320), pow(0.01 / 320, 0.2), 1e-15);
    check_near(fnd_first_step(&fnd_dop853, 0.2, 10, 256), pow(0.01 / 256, 0.125), 1e-15);
    check_near(fnd_first_step(&fnd_dopri5, 1e-6, 10, 20), 1e-4, 1e-18); /* at most 100 times the guess */
    check_near(fnd_first_step(&fnd_dopri5, 0.2, 0, 0), 2e-4, 1e-18);    /* nothing moves */
    check_near(fnd_first_step(&fnd_dopri5, 1e-6, 0, 1e-16), 1e-6, 1e-20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_error), cmocka_unit_test(limits), cmocka_unit_test(settles),
                                       cmocka_unit_test(second_try), cmocka_unit_test(first_step)};
    return cmocka_run_group_tests_name("step control", tests, NULL, NULL);
}
