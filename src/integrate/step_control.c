/* The next step from the error of the last two: a PI control (Gustafsson 1991) with the constants of Hairer and
 * Wanner's codes. */
#include "integrate/step_control.h"
#include "math/elementary.h"

#define SAFETY         0.9
#define LEAST_FACTOR   0.2
#define LARGEST_FACTOR 5.0
/* Errors below this are as good as it: they are rounding, or the step was bounded by something else. */
#define LEAST_ERROR 1e-4
/* Part of the exponent -1/order that looks at the last error, and what that takes from the present one's. */
#define LAST_SHARE    0.2
#define PRESENT_SHARE (1 - 0.75 * LAST_SHARE)

fnd_step_control fnd_step_control_start(void) { return (fnd_step_control){.last_error = LEAST_ERROR}; }

double fnd_step_control_error(const fnd_method *method, const double *norms)
{
    double high = norms[0];
    if (!isfinite(high)) return INFINITY;
    if (method->error_count < 2 || high == 0) return high;
    double low = norms[1]; /* that of lower order tells how far the other can be believed */
    if (!isfinite(low)) return INFINITY;
    return high / sqrt(1 + 0.01 * (low / high) * (low / high));
}

double fnd_step_control_factor(fnd_step_control *control, const fnd_method *method, double error, bool taken)
{
    double order = method->error_order, largest = control->turned_down ? 1 : LARGEST_FACTOR, factor;
    if (!taken && largest > SAFETY) largest = SAFETY;
    if (!isfinite(error)) factor = LEAST_FACTOR;
    else if (error == 0) factor = largest;
    else if (taken)
        factor = SAFETY * fnd_power(control->last_error, LAST_SHARE / order) * fnd_power(error, -PRESENT_SHARE / order);
    else factor = SAFETY * fnd_power(error, -1 / order);
    if (taken) control->last_error = error > LEAST_ERROR ? error : LEAST_ERROR;
    control->turned_down = !taken;
    return factor < LEAST_FACTOR ? LEAST_FACTOR : factor > largest ? largest : factor;
}

double fnd_first_step_guess(double state_norm, double rate_norm)
{
    return state_norm < 1e-5 || rate_norm < 1e-5 ? 1e-6 : 0.01 * state_norm / rate_norm;
}

double fnd_first_step(const fnd_method *method, double guess, double rate_norm, double change_norm)
{
    double most = change_norm > rate_norm ? change_norm : rate_norm, step;
    if (most > 1e-15) step = fnd_power(0.01 / most, 1.0 / method->error_order);
    else step = 1e-3 * guess > 1e-6 ? 1e-3 * guess : 1e-6;
    return step < 100 * guess ? step : 100 * guess;
}
