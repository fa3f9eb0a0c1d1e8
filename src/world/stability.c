/* The longest step with which a method follows a damped spring without growing. */
#include "world/world.h"

/* Size of what one step of RK4 does to the mode exp(z), z = step * eigenvalue: |1 + z + z^2/2 + z^3/6 + z^4/24|. */
static double rk4_growth(double re, double im)
{
    static const double coefficients[] = {1.0 / 24, 1.0 / 6, 0.5, 1, 1};
    double sum_re = 0, sum_im = 0;
    for (int i = 0; i < 5; i++) {
        double next = sum_re * re - sum_im * im + coefficients[i];
        sum_im = sum_re * im + sum_im * re;
        sum_re = next;
    }
    return sqrt(sum_re * sum_re + sum_im * sum_im);
}

static bool rk4_stable(double scaled, double ratio)
{
    /* rounding lets the growth of a stable, nearly undamped mode exceed 1 a little */
    const double limit = 1 + 1e-12;
    if (ratio < 1) return rk4_growth(-ratio * scaled, scaled * sqrt(1 - ratio * ratio)) <= limit;
    double root = sqrt(ratio * ratio - 1);
    return rk4_growth(-(ratio + root) * scaled, 0) <= limit && rk4_growth(-(ratio - root) * scaled, 0) <= limit;
}

double fender_integrator_stable_step(fender_integrator_method method, double frequency, double damping_ratio)
{
    if (!(frequency > 0) || fender_integrator_adaptive(method)) return INFINITY;
    if (method == FENDER_INTEGRATOR_CVODE_ADAMS || method == FENDER_INTEGRATOR_CVODE_BDF) return INFINITY;
    if (method == FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER) {
        /* Both eigenvalues of one step lie in the unit circle while (f h)^2 + 4 r f h - 4 < 0. */
        return 2 * (sqrt(damping_ratio * damping_ratio + 1) - damping_ratio) / frequency;
    }
    if (method == FENDER_INTEGRATOR_VELOCITY_VERLET) {
        /* With the velocity predicted by v + h a the step has the determinant 1 - 2 r z + 2 (r z)^2 - r z^3 / 2 and the
         * trace 2 - 2 r z - z^2 + 2 (r z)^2 + r z^3 / 2, z = f h: an eigenvalue leaves the unit circle at -1 while r is
         * at most a half, at 1 beyond. */
        double square = damping_ratio * damping_ratio;
        if (damping_ratio > 0.5) return 1 / (damping_ratio * frequency);
        return 2 / ((damping_ratio + sqrt(1 - 3 * square)) * frequency);
    }
    /* The first step at which it grows, searched upwards in small strides, then halved down to. */
    double low = 0, high, stride = 0.01 / (1 + damping_ratio);
    while (low < 4 && rk4_stable(low + stride, damping_ratio)) low += stride;
    high = low + stride;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (rk4_stable(middle, damping_ratio)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low / frequency;
}

/* A swing by x = f h in each step is off by x^p / (p + 1)! of a method of order p, damping (1 + 2 r) times as quickly;
 * touch and release within their steps by x^2 / 12, and by 2 r x for the damper, which acts at once:
 * contact/estimate.c. */
static double figure_error(int order, double x, double damping_ratio, bool located)
{
    double swing = x * (1 + 2 * damping_ratio), phase = 1;
    for (int i = 1; i <= order; i++) phase *= swing / (i + 1);
    return located ? phase : phase + x * x / 12 + damping_ratio * x;
}

double fender_integrator_sized_step(fender_integrator_method method, double frequency, double damping_ratio,
                                    bool located, double error)
{
    double stable = fender_integrator_stable_step(method, frequency, damping_ratio);
    if (isinf(stable)) return stable;
    int order = method == FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER ? 1
                : method == FENDER_INTEGRATOR_VELOCITY_VERLET   ? 2
                                                                : 4;
    double low = 0, high = 0.5 * stable * frequency;
    if (figure_error(order, high, damping_ratio, located) <= error) return 0.5 * stable;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (figure_error(order, middle, damping_ratio, located) <= error) low = middle;
        else high = middle;
    }
    return low / frequency;
}

double fender_least_stick_speed(fender_integrator_method method, double step, double mu_kinetic, double gravity)
{
    /* a damper of rate 1 alone: a spring so weak that it plays no part */
    return mu_kinetic * gravity * step / fender_integrator_stable_step(method, 5e-4, 1e3);
}
