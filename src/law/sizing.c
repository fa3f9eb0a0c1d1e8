/* Sizing in closed form: impacts of linear springs and of springs by a power of the depth; named materials
 * (docs/models/sizing.md). */
#include <fender/sizing.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/elementary.h"

/* ---- A linear spring and damper: restitution, duration and peaks of an impact */

static const double pi = 3.14159265358979324;

double fender_reduced_mass(double a, double b)
{
    if (!(a > 0) || !(b > 0)) return NAN;
    return 1 / (1 / a + 1 / b);
}

double fender_stiffness_of_sink(double weight, double sink) { return weight >= 0 && sink > 0 ? weight / sink : NAN; }

/* c = 2 zeta sqrt(m k) */
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
    assert(!(ratio < 0));
    if (ratio == 1) return 1;
    if (ratio < 1) {
        double sine = sqrt((1 - ratio) * (1 + ratio));
        return fnd_angle(sine, ratio) / sine;
    }
    double root = sqrt((ratio - 1) * (ratio + 1)), above = (ratio - 1) + root;
    return (above < 0.2 ? above - fnd_logarithm_rest(above) : fnd_logarithm(1 + above)) / root;
}

/* Clipped, the contact ends where the force does, at twice the phase of the peak; unclipped where the depth does, half
 * a period after touch. */
double fender_restitution_of_ratio(double ratio, bool clipped)
{
    if (!(ratio >= 0)) return NAN;
    if (clipped) return isinf(ratio) ? 0 : fnd_exponential(-2 * ratio * phase_of_peak(ratio));
    return ratio < 1 ? fnd_exponential(-pi * ratio / sqrt((1 - ratio) * (1 + ratio))) : 0;
}

/* The relation above inverted: in closed form unclipped, else by halving. */
double fender_ratio_of_restitution(double restitution, bool clipped)
{
    if (!(restitution >= 0) || restitution > 1) return NAN;
    if (restitution == 0) return clipped ? INFINITY : 1;
    double wanted = -fnd_logarithm(restitution), low = 0, high = 1;
    if (!(wanted > 0)) return 0;
    if (!clipped) return wanted / sqrt(pi * pi + wanted * wanted);
    while (2 * high * phase_of_peak(high) < wanted) high *= 2;
    assert(high > low && isfinite(high));
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
    assert(!(ratio < 0));
    if (ratio >= 0.5) return 2 * ratio * impulse_rate;
    double sine = sqrt((1 - ratio) * (1 + ratio)), phi = fnd_angle(sine, ratio);
    return impulse_rate * fnd_exponential(-ratio * (3 * phi - pi) / sine);
}

fender_impact fender_linear_impact(double mass, double stiffness, double damping, double speed, bool clipped)
{
    if (!(mass > 0) || !(stiffness > 0) || !(damping >= 0) || !(speed >= 0))
        return (fender_impact){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double frequency = sqrt(stiffness / mass), ratio = fender_damping_ratio(damping, mass, stiffness);
    double phase = phase_of_peak(ratio);
    fender_impact impact = {.restitution = fender_restitution_of_ratio(ratio, clipped),
                            .peak_depth = speed / frequency * fnd_exponential(-ratio * phase),
                            .peak_force = largest_force(ratio, mass * speed * frequency),
                            .unloading = stiffness,
                            .damping = damping,
                            .onset = damping};
    if (clipped) impact.duration = 2 * phase / frequency;
    else impact.duration = ratio < 1 ? pi / (frequency * sqrt((1 - ratio) * (1 + ratio))) : INFINITY;
    impact.contact = impact.duration + (clipped ? damping / stiffness : 0); /* it ends at k d = c v, in free flight */
    return impact;
}

/* ---- Springs by a power of the depth: Hunt and Crossley's restitution, Hertz's stiffness, impacts of both */

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
    assert(c >= 0 && e > 0 && e < 1);
    if (c > 0.2) return e * c < 1 ? fnd_logarithm_rest(c) - fnd_logarithm_rest(-e * c) : -INFINITY;
    double sum = 0, power = c * c, e_k = e * e;
    for (int k = 2; k <= 27; k++, power *= c, e_k *= e) sum += power * ((k % 2 ? -1 : 1) - e_k) / k;
    return sum;
}

/* c = D v for a restitution: the relation above for c, below 1 / e. */
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

/* From the energy: k d^(n+1) / (n + 1) = m v^2 rest(c) / c^2, which is m v^2 / 2 without a damper. */
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

/* (1 - nu^2) / E, 1/Pa */
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

/* The linear spring that sinks as deep under the load (docs/models/sizing.md). */
double fender_hertz_linear_at_load(double modulus, double radius, double load)
{
    double k = fender_hertz_stiffness(modulus, radius);
    return load > 0 ? load / fnd_power(load / k, 2.0 / 3.0) : NAN;
}

/* The linear spring that an impact of that speed compresses as deep, k = m (v / d)^2. */
double fender_hertz_linear_at_impact(double modulus, double radius, double mass, double speed)
{
    double depth = fender_power_law_depth(mass, fender_hertz_stiffness(modulus, radius), 1.5, 0, speed);
    return depth > 0 ? mass * (speed / depth) * (speed / depth) : NAN;
}

/* ---- Materials by name, with the sources of their constants */

#define SOLID(name, young, poisson, density, source)                        \
    {                                                                       \
        name, young, poisson, density, NAN, NAN, NAN, NAN, NAN, NAN, source \
    }
#define GROUND(name, cohesive, frictional, exponent, cohesion, degrees, shear, source)                               \
    {                                                                                                                \
        name, NAN, NAN, NAN, cohesive, frictional, exponent, cohesion, (degrees)*0.017453292519943295, shear, source \
    }
#define CHUNG_AND_OOI "Chung and Ooi, Granular Matter 13 (2011) 643"
#define HANDBOOK      "MIL-HDBK-5J (2003), room temperature"
#define WONG          "Wong, Theory of Ground Vehicles, 4th ed. (2008), table 2.3: Land Locomotion Laboratory"

static const fender_known_material materials[] = {
    SOLID("aluminium_alloy", 70e9, 0.33, 2700, CHUNG_AND_OOI ", tests 4 and 7"),
    SOLID("aluminium_oxide", 380e9, 0.23, 4000, CHUNG_AND_OOI ", test 3"),
    SOLID("cast_iron", 100e9, 0.25, 7000, CHUNG_AND_OOI ", test 3"),
    SOLID("copper", 120e9, 0.35, 8900, CHUNG_AND_OOI ", test 7"),
    SOLID("glass", 48e9, 0.20, 2800, CHUNG_AND_OOI ", test 1"),
    SOLID("limestone", 20e9, 0.25, 2500, CHUNG_AND_OOI ", test 1"),
    SOLID("magnesium_alloy", 40e9, 0.35, 1800, CHUNG_AND_OOI ", test 2"),
    SOLID("polyethylene", 1e9, 0.4, 1400, CHUNG_AND_OOI ", test 5"),
    SOLID("steel", 208e9, 0.3, 7850, CHUNG_AND_OOI ", test 5"),
    SOLID("titanium_alloy", 110.3e9, 0.31, 4430, HANDBOOK ": Ti-6Al-4V, 16.0e3 ksi, 0.160 lb/in^3"),
    GROUND("lunar_regolith", 1400, 820e3, 1, 170, 35, 0.018,
           "Ding et al. (2015), table I; NASA, Lunar Terrain Vehicle white paper (NTRS 20220010732)"),
    GROUND("dry_sand", 990, 1528.43e3, 1.1, 1040, 28, NAN, WONG),
    GROUND("sandy_loam", 5270, 1515.04e3, 0.7, 1720, 29, NAN, WONG ", 15 % water"),
};
enum { MATERIAL_COUNT = sizeof materials / sizeof materials[0] };

const fender_known_material *fender_known_material_at(int index)
{
    return index >= 0 && index < MATERIAL_COUNT ? &materials[index] : NULL;
}

const fender_known_material *fender_known_material_find(const char *name)
{
    for (int i = 0; name && i < MATERIAL_COUNT; i++)
        if (strcmp(materials[i].name, name) == 0) return &materials[i];
    return NULL;
}

double fender_known_material_value(const fender_known_material *m, const char *parameter, bool other)
{
    const struct {
        const char *name, *name_b;
        double value;
    } rows[] = {{"young", "young_b", m->young},
                {"poisson", "poisson_b", m->poisson},
                {"cohesive_modulus", "", m->cohesive_modulus},
                {"frictional_modulus", "", m->frictional_modulus},
                {"exponent", "", m->exponent},
                {"cohesion", "", m->cohesion},
                {"friction_angle", "", m->friction_angle},
                {"shear_displacement", "", m->shear_displacement}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(other ? rows[i].name_b : rows[i].name, parameter) == 0) return rows[i].value;
    return NAN;
}
