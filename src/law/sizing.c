/* Sizing of a linear spring and damper: restitution, duration and peaks of an impact in closed form
 * (docs/models/sizing.md). */
#include <fender/sizing.h>

#include <math.h>

#include "math/elementary.h"

static const double pi = 3.14159265358979324;

double fender_reduced_mass(double a, double b)
{
    if (!(a > 0) || !(b > 0)) return NAN;
    return 1 / (1 / a + 1 / b);
}

double fender_stiffness_of_sink(double weight, double sink) { return weight >= 0 && sink > 0 ? weight / sink : NAN; }

double fender_damping_of_ratio(double ratio, double mass, double stiffness)
{
    return ratio >= 0 && mass > 0 && stiffness >= 0 ? 2 * ratio * sqrt(mass * stiffness) : NAN;
}

double fender_damping_ratio(double damping, double mass, double stiffness)
{
    return damping >= 0 && mass > 0 && stiffness > 0 ? damping / (2 * sqrt(mass * stiffness)) : NAN;
}

/* acos(r) / sqrt(1 - r^2), beyond 1 acosh(r) / sqrt(r^2 - 1): the phase, in units of 1/w, at which a spring struck at
 * touch is deepest. */
static double phase_of_peak(double ratio)
{
    if (ratio == 1) return 1;
    if (ratio < 1) {
        double sine = sqrt((1 - ratio) * (1 + ratio));
        return fnd_angle(sine, ratio) / sine;
    }
    double root = sqrt((ratio - 1) * (ratio + 1)), above = (ratio - 1) + root;
    return (above < 0.2 ? above - fnd_logarithm_rest(above) : fnd_logarithm(1 + above)) / root;
}

double fender_restitution_of_ratio(double ratio, bool clipped)
{
    if (!(ratio >= 0)) return NAN;
    if (clipped) return isinf(ratio) ? 0 : fnd_exponential(-2 * ratio * phase_of_peak(ratio));
    return ratio < 1 ? fnd_exponential(-pi * ratio / sqrt((1 - ratio) * (1 + ratio))) : 0;
}

double fender_ratio_of_restitution(double restitution, bool clipped)
{
    if (!(restitution >= 0) || restitution > 1) return NAN;
    if (restitution == 0) return clipped ? INFINITY : 1;
    double wanted = -fnd_logarithm(restitution), low = 0, high = 1;
    if (!(wanted > 0)) return 0;
    if (!clipped) return wanted / sqrt(pi * pi + wanted * wanted);
    while (2 * high * phase_of_peak(high) < wanted) high *= 2;
    for (;;) { /* it rises steadily: halved down to neighbours */
        double middle = low + (high - low) / 2;
        if (!(middle > low) || !(middle < high)) return high;
        if (2 * middle * phase_of_peak(middle) < wanted) low = middle;
        else high = middle;
    }
}

/* With cos(phi) = r a derivative turns the phase by pi - phi: the force m w^2 .. is largest at the phase 3 phi - pi,
 * and at touch already from r = 1/2 on. */
static double largest_force(double ratio, double impulse_rate)
{
    if (ratio >= 0.5) return 2 * ratio * impulse_rate;
    double sine = sqrt((1 - ratio) * (1 + ratio)), phi = fnd_angle(sine, ratio);
    return impulse_rate * fnd_exponential(-ratio * (3 * phi - pi) / sine);
}

fender_impact fender_linear_impact(double mass, double stiffness, double damping, double speed, bool clipped)
{
    if (!(mass > 0) || !(stiffness > 0) || !(damping >= 0) || !(speed >= 0)) return (fender_impact){NAN, NAN, NAN, NAN};
    double frequency = sqrt(stiffness / mass), ratio = fender_damping_ratio(damping, mass, stiffness);
    double phase = phase_of_peak(ratio);
    fender_impact impact = {.restitution = fender_restitution_of_ratio(ratio, clipped),
                            .peak_depth = speed / frequency * fnd_exponential(-ratio * phase),
                            .peak_force = largest_force(ratio, mass * speed * frequency)};
    if (clipped) impact.duration = 2 * phase / frequency;
    else impact.duration = ratio < 1 ? pi / (frequency * sqrt((1 - ratio) * (1 + ratio))) : INFINITY;
    return impact;
}
