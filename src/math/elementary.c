/* Sine, cosine, the angle that they belong to, logarithm, exponential and powers, with fixed coefficients. */
#include "math/elementary.h"

#include <assert.h>
#include <math.h>

/* Taylor series on |x| <= pi/4: the terms left out are below 1e-18. */
static double sine_series(double x)
{
    double z = x * x;
    double s = 1.0 / 355687428096000.0;
    s = -1.0 / 1307674368000.0 + z * s;
    s = 1.0 / 6227020800.0 + z * s;
    s = -1.0 / 39916800.0 + z * s;
    s = 1.0 / 362880.0 + z * s;
    s = -1.0 / 5040.0 + z * s;
    s = 1.0 / 120.0 + z * s;
    s = -1.0 / 6.0 + z * s;
    return x + x * z * s;
}

static double cosine_series(double x)
{
    double z = x * x;
    double c = 1.0 / 20922789888000.0;
    c = -1.0 / 87178291200.0 + z * c;
    c = 1.0 / 479001600.0 + z * c;
    c = -1.0 / 3628800.0 + z * c;
    c = 1.0 / 40320.0 + z * c;
    c = -1.0 / 720.0 + z * c;
    c = 1.0 / 24.0 + z * c;
    return 1.0 - (0.5 * z - z * z * c);
}

void fnd_sin_cos(double x, double *sine, double *cosine)
{
    assert(sine != cosine);
    if (fabs(x) < 0.785) { /* the same as below with n = 0, without its two calls */
        *sine = sine_series(x);
        *cosine = cosine_series(x);
        return;
    }
    /* pi/2 in three parts (Cody and Waite): the first two have trailing zeros, so that n times them is exact for small
     * n. */
    static const double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34, part3 = 0x1.3198a2e037073p-69;
    double n = floor(x * 0x1.45f306dc9c883p-1 + 0.5);
    double r = ((x - n * part1) - n * part2) - n * part3;
    double s = sine_series(r), c = cosine_series(r);
    double quarter = n - 4.0 * floor(0.25 * n);
    if (quarter == 0.0) {
        *sine = s, *cosine = c;
    } else if (quarter == 1.0) {
        *sine = c, *cosine = -s;
    } else if (quarter == 2.0) {
        *sine = -s, *cosine = -c;
    } else {
        *sine = -c, *cosine = s;
    }
}

double fnd_angle(double s, double c)
{
    assert(!(s < 0));
    double size = sqrt(s * s + c * c);
    if (!(size > 0)) return 0;
    s /= size;
    c /= size;
    double angle = c > 0.7 ? s : c < -0.7 ? 3.14159265358979312 - s : 1.57079632679489656 - c;
    for (int i = 0; i < 4; i++) { /* Newton on sin(angle - a) = 0, which the series above makes exact */
        double sa, ca;
        fnd_sin_cos(angle, &sa, &ca);
        angle += s * ca - c * sa;
    }
    return angle;
}

static const double log2_high = 0x1.62e42feep-1, log2_low = 0x1.a39ef35793c76p-33; /* the first with trailing zeros */

/* x > 0, finite. */
static double logarithm(double x)
{
    assert(x > 0 && x <= 1.7976931348623157e308);
    int exponent;
    double m = frexp(x, &exponent);
    if (m < 0.70710678118654752) m *= 2, exponent--;
    double t = (m - 1) / (m + 1), z = t * t,
           s = 1.0 / 23; /* log m = 2 artanh t, |t| < 0.172: the rest is below 1e-18 */
    for (int odd = 21; odd >= 3; odd -= 2) s = 1.0 / odd + z * s;
    return exponent * log2_high + (exponent * log2_low + 2 * (t + t * z * s));
}

double fnd_logarithm(double x)
{
    if (x == 0) return -INFINITY;
    if (!(x > 0)) return NAN;
    return isinf(x) ? x : logarithm(x);
}

double fnd_exponential(double y)
{
    if (isnan(y)) return y;
    if (y > 710) return INFINITY;
    if (y < -746) return 0;
    double n = floor(y * 0x1.71547652b82fep+0 + 0.5);
    double r = (y - n * log2_high) - n * log2_low, e = 1;
    for (int k = 14; k >= 1; k--) e = 1 + r * e / k; /* |r| < 0.347: the rest is below 1e-18 */
    return ldexp(e, (int)n);
}

double fnd_logarithm_rest(double x)
{
    if (!(fabs(x) < 0.2)) return x - fnd_logarithm(1 + x); /* |x| > 0.2: the rest is a tenth of x or more */
    double sum = 0; /* x^2/2 - x^3/3 + ...: the terms left out are below 1e-17 of the first */
    for (int k = 26; k >= 2; k--) sum = (k % 2 ? -1.0 : 1.0) / k + x * sum;
    return x * x * sum;
}

double fnd_power(double x, double power)
{
    if (power == 0) return 1;
    if (x == 0) return power > 0 ? 0 : INFINITY;
    if (!(x > 0) || isnan(power)) return NAN;
    if (isinf(x)) return power > 0 ? x : 0;
    if (power == 1) return x;
    return fnd_exponential(power * logarithm(x));
}
