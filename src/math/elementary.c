/* Sine, cosine and the angle that they belong to, with fixed coefficients. */
#include "math/elementary.h"

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
