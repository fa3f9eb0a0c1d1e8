/* Quantiles and probabilities of distributions. */
#include "study/distribution.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;

/* log(m 2^e) with m near 1 by the series of atanh. */
double fnd_log(double x)
{
    if (isnan(x) || x < 0) return (double)NAN;
    if (x == 0) return -(double)INFINITY;
    if (isinf(x)) return x;
    int e = 0;
    if (x < DBL_MIN) {
        x *= 18014398509481984.0;
        e = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    e += (int)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0xFFFFFFFFFFFFF)) | (UINT64_C(1023) << 52);
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        e++;
    }
    double s = (m - 1) / (m + 1), z = s * s, sum = 0;
    for (int k = 23; k >= 3; k -= 2) sum = sum * z + 1.0 / k;
    return e * ln2_high + (2 * s + (2 * s * z * sum + e * ln2_low));
}

double fnd_exp(double x)
{
    if (isnan(x)) return x;
    if (x > 709.78) return (double)INFINITY;
    if (x < -745) return 0;
    double n = floor(x / (ln2_high + ln2_low) + 0.5), r = (x - n * ln2_high) - n * ln2_low, sum = 1;
    for (int k = 18; k >= 1; k--) sum = 1 + sum * r / k;
    int e = (int)n, half = e / 2;
    uint64_t a = (uint64_t)(1023 + half) << 52, b = (uint64_t)(1023 + e - half) << 52;
    double fa, fb;
    memcpy(&fa, &a, sizeof fa);
    memcpy(&fb, &b, sizeof fb);
    return sum * fa * fb;
}

static double power(double x, double y) { return x <= 0 ? (x < 0 ? (double)NAN : 0) : fnd_exp(y * fnd_log(x)); }

/* ---- normal */

/* Series of the integral near 0, continued fraction in the tails. */
double fnd_normal_probability(double x)
{
    const double root = 2.50662827463100050242; /* sqrt(2 pi) */
    double z = fabs(x), density = fnd_exp(-0.5 * z * z) / root, upper;
    if (z < 3) {
        double term = z, sum = z;
        for (int k = 1; k < 200 && term > 1e-17 * sum; k++) sum += term *= z * z / (2 * k + 1);
        upper = 0.5 - density * sum;
    } else {
        double f = 0;
        for (int k = 80; k >= 1; k--) f = k / (z + f);
        upper = density / (z + f);
    }
    return x > 0 ? 1 - upper : upper;
}

/* P. J. Acklam's rational approximation, then two of Halley's steps. */
double fnd_normal_quantile(double u)
{
    static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                               1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                               6.680131188771972e+01, -1.328068155288572e+01};
    static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                               -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    static const double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                               3.754408661907416e+00};
    if (!(u > 0)) return -(double)INFINITY;
    if (!(u < 1)) return (double)INFINITY;
    bool upper = u > 0.5;
    double p = upper ? 1 - u : u, x;
    if (p < 0.02425) {
        double q = sqrt(-2 * fnd_log(p));
        x = (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
            ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    } else {
        double q = p - 0.5, r = q * q;
        x = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
            (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
    }
    for (int i = 0; i < 2; i++) {
        double e = (fnd_normal_probability(x) - p) * 2.50662827463100050242 * fnd_exp(0.5 * x * x);
        x -= e / (1 + 0.5 * x * e);
    }
    return upper ? -x : x;
}

/* ---- beta */

static double log_gamma(double x)
{
    double shift = 0;
    for (; x < 15; x += 1) shift += fnd_log(x);
    double z = 1 / (x * x);
    double series = (1.0 / 12 + z * (-1.0 / 360 + z * (1.0 / 1260 + z * (-1.0 / 1680 + z / 1188)))) / x;
    return (x - 0.5) * fnd_log(x) - x + 0.91893853320467274178 + series - shift;
}

/* Lentz's continued fraction (Abramowitz and Stegun 26.5.8). */
static double fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double f = d;
    for (int m = 1; m < 100000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        for (int i = 0; i < 2; i++) {
            double t = i ? odd : even;
            d = 1 + t * d;
            c = 1 + t / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            f *= c * d;
        }
        if (fabs(c * d - 1) < 1e-15) break;
    }
    return f;
}

double fnd_beta_probability(double a, double b, double x)
{
    if (!(x > 0)) return 0;
    if (!(x < 1)) return 1;
    double front = fnd_exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * fnd_log(x) + b * fnd_log(1 - x));
    if (x < (a + 1) / (a + b + 2)) return front * fraction(a, b, x) / a;
    return 1 - front * fraction(b, a, 1 - x) / b;
}

double fnd_beta_quantile(double a, double b, double u)
{
    double low = 0, high = 1;
    if (!(u > 0)) return 0;
    if (!(u < 1)) return 1;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        if (!(middle > low) || !(middle < high)) break;
        if (fnd_beta_probability(a, b, middle) < u) low = middle;
        else high = middle;
    }
    return 0.5 * (low + high);
}

/* ---- all of them */

static double whole_quantile(const fnd_distribution *d, double u)
{
    const double *p = d->p;
    switch (d->kind) {
    case FND_UNIFORM: return p[0] + u * (p[1] - p[0]);
    case FND_NORMAL: return p[0] + p[1] * fnd_normal_quantile(u);
    case FND_LOGNORMAL: return p[0] * fnd_exp(p[1] * fnd_normal_quantile(u));
    case FND_TRIANGULAR: {
        double width = p[2] - p[0], left = (p[1] - p[0]) / width;
        if (u < left) return p[0] + sqrt(u * width * (p[1] - p[0]));
        return p[2] - sqrt((1 - u) * width * (p[2] - p[1]));
    }
    case FND_BETA: return p[0] + (p[1] - p[0]) * fnd_beta_quantile(p[2], p[3], u);
    case FND_WEIBULL: return p[0] * power(-fnd_log(1 - u), 1 / p[1]);
    case FND_DISCRETE: {
        int i = 0;
        while (i + 1 < d->count && !(u < d->cumulative[i])) i++;
        return i;
    }
    case FND_TABLE: {
        int i = 1;
        while (i + 1 < d->count && u > d->cumulative[i]) i++;
        double c0 = d->cumulative[i - 1], c1 = d->cumulative[i];
        double t = c1 > c0 ? (u - c0) / (c1 - c0) : 0;
        return d->values[i - 1] + t * (d->values[i] - d->values[i - 1]);
    }
    default: return u;
    }
}

double fnd_probability_below(const fnd_distribution *d, double x)
{
    const double *p = d->p;
    switch (d->kind) {
    case FND_UNIFORM: return x <= p[0] ? 0 : x >= p[1] ? 1 : (x - p[0]) / (p[1] - p[0]);
    case FND_NORMAL: return fnd_normal_probability((x - p[0]) / p[1]);
    case FND_LOGNORMAL: return x <= 0 ? 0 : fnd_normal_probability(fnd_log(x / p[0]) / p[1]);
    case FND_TRIANGULAR:
        if (x <= p[0]) return 0;
        if (x >= p[2]) return 1;
        if (x < p[1]) return (x - p[0]) * (x - p[0]) / ((p[2] - p[0]) * (p[1] - p[0]));
        return 1 - (p[2] - x) * (p[2] - x) / ((p[2] - p[0]) * (p[2] - p[1]));
    case FND_BETA: return fnd_beta_probability(p[2], p[3], (x - p[0]) / (p[1] - p[0]));
    case FND_WEIBULL: return x <= 0 ? 0 : 1 - fnd_exp(-power(x / p[0], p[1]));
    case FND_TABLE:
        if (x <= d->values[0]) return 0;
        for (int i = 1; i < d->count; i++)
            if (x <= d->values[i])
                return d->cumulative[i - 1] + (x - d->values[i - 1]) / (d->values[i] - d->values[i - 1]) *
                                                  (d->cumulative[i] - d->cumulative[i - 1]);
        return 1;
    default: return (double)NAN;
    }
}

double fnd_quantile(const fnd_distribution *d, double u)
{
    if (!d->truncated) return whole_quantile(d, u);
    double below = fnd_probability_below(d, d->low), above = fnd_probability_below(d, d->high);
    double x = whole_quantile(d, below + u * (above - below));
    return x < d->low || u <= 0 ? d->low : x > d->high || u >= 1 ? d->high : x;
}
