/* Sine and cosine by fixed polynomials: C libraries differ in the last bit, and initial states must not.
 *
 * The angle is reduced to [-pi/4, pi/4] as an unevaluated sum head + tail; there the Taylor series to x^19 and x^18 is
 * below half an ulp (pi/4 ^ 21 / 21! = 1e-22, pi/4 ^ 20 / 20! = 3e-21). Only + - * fma, fmod, nearbyint and sqrt-free
 * arithmetic are used, all of which are exact or correctly rounded by IEEE 754. */
#include "scenario/trigonometry.h"

#include <math.h>

typedef struct reduced {
    double head, tail; /* angle in [-pi/4, pi/4], rad */
    int quadrant;      /* 0 to 3 */
} reduced;

static double sine_kernel(double x, double tail)
{
    static const double c[] = {-1.0 / 6,
                               1.0 / 120,
                               -1.0 / 5040,
                               1.0 / 362880,
                               -1.0 / 39916800,
                               1.0 / 6227020800.0,
                               -1.0 / 1307674368000.0,
                               1.0 / 355687428096000.0};
    double z = x * x, p = c[7];
    for (int i = 6; i >= 0; i--) p = p * z + c[i];
    /* sin(x + t) = sin x + t cos x, and cos x is 1 - z/2 as far as t matters */
    return x + (x * (z * p) + tail * (1 - 0.5 * z));
}

static double cosine_kernel(double x, double tail)
{
    static const double c[] = {1.0 / 24,
                               -1.0 / 720,
                               1.0 / 40320,
                               -1.0 / 3628800,
                               1.0 / 479001600.0,
                               -1.0 / 87178291200.0,
                               1.0 / 20922789888000.0,
                               -1.0 / 6402373705728000.0};
    double z = x * x, p = c[7];
    for (int i = 6; i >= 0; i--) p = p * z + c[i];
    double half = 0.5 * z, w = 1 - half;
    /* (1 - w) - half is what the subtraction above lost; the rounding of z itself is recovered by the fma */
    double lost = (1 - w) - half - 0.5 * fma(x, x, -z);
    return w + (lost + (z * z * p - x * tail));
}

static fnd_sine_cosine evaluate(reduced r)
{
    double s = sine_kernel(r.head, r.tail), c = cosine_kernel(r.head, r.tail);
    switch (r.quadrant) {
    case 1: return (fnd_sine_cosine){c, 0 - s};
    case 2: return (fnd_sine_cosine){0 - s, 0 - c};
    case 3: return (fnd_sine_cosine){0 - c, s};
    default: return (fnd_sine_cosine){s, c};
    }
}

static int quadrant_of(double quarter_turns)
{
    double q = fmod(quarter_turns, 4);
    return (int)(q < 0 ? q + 4 : q);
}

fnd_sine_cosine fnd_sine_cosine_degrees(double degrees)
{
    double turn = fmod(degrees, 360);
    double quarters = nearbyint(turn / 90);
    double rest = turn - 90 * quarters; /* exact: both are multiples of ulp(turn) and the difference is smaller */
    int quadrant = quadrant_of(quarters);
    if (rest == 30 || rest == -30) {
        /* sqrt(3)/2 rounded */
        double c = 0.86602540378443864676, s = rest > 0 ? 0.5 : -0.5;
        switch (quadrant) {
        case 1: return (fnd_sine_cosine){c, -s};
        case 2: return (fnd_sine_cosine){-s, -c};
        case 3: return (fnd_sine_cosine){-c, s};
        default: return (fnd_sine_cosine){s, c};
        }
    }
    /* pi/180 as a sum of two doubles */
    static const double head = 0x1.1df46a2529d39p-6, tail = 0x1.5c1d8becdd291p-62;
    reduced r;
    r.head = rest * head;
    r.tail = fma(rest, head, -r.head) + rest * tail;
    r.quadrant = quadrant;
    return evaluate(r);
}

fnd_sine_cosine fnd_sine_cosine_radians(double radians)
{
    /* pi/2 as a sum of three doubles of 53 bits each; the products with a small integer are formed exactly by fma */
    static const double first = 0x1.921fb54442d18p+0, second = 0x1.1a62633145c07p-54, third = -0x1.f1976b7ed8fbcp-110;
    double quarters = nearbyint(radians / first);
    double product = quarters * first, product_error = fma(quarters, first, -product);
    double a = radians - product; /* exact: radians and product are within a factor of two, or quarters is 0 */
    double small = quarters * second, small_error = fma(quarters, second, -small) + quarters * third;
    /* a - product_error - small - small_error, kept as head + tail by two-sums */
    double s1 = a - product_error, bb = s1 - a, e1 = (a - (s1 - bb)) + (-product_error - bb);
    double s2 = s1 - small, b2 = s2 - s1, e2 = (s1 - (s2 - b2)) + (-small - b2);
    double rest = e1 + e2 - small_error;
    reduced r;
    r.head = s2 + rest;
    r.tail = (s2 - r.head) + rest;
    r.quadrant = quadrant_of(quarters);
    return evaluate(r);
}
