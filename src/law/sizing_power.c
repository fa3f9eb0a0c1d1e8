/* Sizing of springs by a power of the depth: Hunt and Crossley's restitution, Hertz's stiffness, impacts of both. */
#include <fender/sizing.h>

#include <math.h>

#include "math/elementary.h"

/* From F = k d^n (1 + D d') follows, with the speed u and c = D v, m u du / (1 + D u) = -k d^n dd; over the way in, and
 * over the way out to the speed -e v, the same energy: rest(c) = rest(-e c), rest(x) = x - ln(1 + x). */
double fender_hunt_crossley_restitution(double damping_times_speed)
{
    double c = damping_times_speed;
    if (!(c >= 0)) return NAN;
    if (c == 0) return 1;
    if (isinf(c)) return 0;
    double energy = fnd_logarithm_rest(c), low = 0, high = c < 1 ? c : 1;
    for (;;) { /* e c, which is below 1 */
        double middle = low + (high - low) / 2;
        if (!(middle > low) || !(middle < high)) return high / c;
        if (fnd_logarithm_rest(-middle) < energy) low = middle;
        else high = middle;
    }
}

/* rest(c) - rest(-e c): what is left of the energy at the speed -e v. Where both are nearly the same, term by term. */
static double energy_left(double c, double e)
{
    if (c > 0.2) return e * c < 1 ? fnd_logarithm_rest(c) - fnd_logarithm_rest(-e * c) : -INFINITY;
    double sum = 0, power = c * c, e_k = e * e;
    for (int k = 2; k <= 27; k++, power *= c, e_k *= e) sum += power * ((k % 2 ? -1 : 1) - e_k) / k;
    return sum;
}

double fender_hunt_crossley_damping(double restitution)
{
    if (!(restitution >= 0) || restitution > 1) return NAN;
    if (restitution == 0 || restitution == 1) return restitution == 0 ? INFINITY : 0;
    double low = 0, high = 1 / restitution;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (!(middle > low) || !(middle < high)) return high;
        if (energy_left(middle, restitution) > 0) low = middle;
        else high = middle;
    }
}

double fender_power_law_depth(double mass, double stiffness, double exponent, double damping, double speed)
{
    if (!(mass > 0) || !(stiffness > 0) || !(exponent > 0) || !(damping >= 0) || !(speed >= 0)) return NAN;
    double c = damping * speed, part = c > 1e-100 ? fnd_logarithm_rest(c) / (c * c) : 0.5;
    return fnd_power((exponent + 1) * part * mass * speed * speed / stiffness, 1 / (exponent + 1));
}

/* Gamma(x + 1/2) / Gamma(x): the asymptotic series at x + 200, and the product back. */
static double gamma_ratio(double x)
{
    double product = 1;
    for (int i = 0; i < 200; i++) product *= (x + i) / (x + i + 0.5);
    double y = 1 / (x + 200);
    double series = 1 + y * (-1.0 / 8 + y * (1.0 / 128 + y * (5.0 / 1024 + y * (-21.0 / 32768 - y * 399.0 / 262144))));
    return product * series * sqrt(x + 200);
}

/* Twice the integral of dx / sqrt(1 - x^(n+1)) over 0..1, in units of depth / speed. */
double fender_power_law_duration(double mass, double stiffness, double exponent, double speed)
{
    double depth = fender_power_law_depth(mass, stiffness, exponent, 0, speed);
    if (speed == 0) return NAN;
    const double root_of_pi = 1.7724538509055160273;
    return 2 * root_of_pi * gamma_ratio(0.5 + 1 / (exponent + 1)) * depth / speed;
}

static double compliance(double young, double poisson)
{
    if (!(young > 0) || !(poisson >= -1) || !(poisson <= 0.5)) return NAN;
    return (1 - poisson * poisson) / young;
}

double fender_hertz_modulus(double young_a, double poisson_a, double young_b, double poisson_b)
{
    return 1 / (compliance(young_a, poisson_a) + compliance(young_b, poisson_b));
}

double fender_hertz_radius(double radius_a, double radius_b)
{
    double curvature = 1 / radius_a + 1 / radius_b;
    return curvature > 0 ? 1 / curvature : NAN;
}

double fender_hertz_stiffness(double modulus, double radius)
{
    return modulus > 0 && radius > 0 ? 4.0 / 3.0 * modulus * sqrt(radius) : NAN;
}

double fender_hertz_linear_at_load(double modulus, double radius, double load)
{
    double k = fender_hertz_stiffness(modulus, radius);
    return load > 0 ? load / fnd_power(load / k, 2.0 / 3.0) : NAN;
}

double fender_hertz_linear_at_impact(double modulus, double radius, double mass, double speed)
{
    double depth = fender_power_law_depth(mass, fender_hertz_stiffness(modulus, radius), 1.5, 0, speed);
    return depth > 0 ? mass * (speed / depth) * (speed / depth) : NAN;
}
