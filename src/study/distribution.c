/* Quantiles and probabilities of distributions. */
#include "study/distribution.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static double power(double x, double y) { return x <= 0 ? (x < 0 ? (double)NAN : 0) : fnd_exp(y * fnd_log(x)); }

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
        while (i + 1 < d->count && d->cumulative[i] < 1 && !(u < d->cumulative[i]))
            i++; /* a last one may have no weight */
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

/* ---- far out on the upper side, where 1 - u has no digits left */

static bool has_upper_tail(const fnd_distribution *d)
{
    return d->kind == FND_NORMAL || d->kind == FND_LOGNORMAL || d->kind == FND_WEIBULL;
}

static double probability_above(const fnd_distribution *d, double x)
{
    const double *p = d->p;
    if (d->kind == FND_NORMAL) return fnd_normal_probability((p[0] - x) / p[1]);
    if (x <= 0) return 1;
    if (d->kind == FND_LOGNORMAL) return fnd_normal_probability(-fnd_log(x / p[0]) / p[1]);
    return fnd_exp(-power(x / p[0], p[1]));
}

static double quantile_above(const fnd_distribution *d, double u)
{
    const double *p = d->p;
    if (d->kind == FND_NORMAL) return p[0] - p[1] * fnd_normal_quantile(u);
    if (d->kind == FND_LOGNORMAL) return p[0] * fnd_exp(-p[1] * fnd_normal_quantile(u));
    return p[0] * power(-fnd_log(u), 1 / p[1]);
}

double fnd_probability_between(const fnd_distribution *d, double low, double high)
{
    const double below = fnd_probability_below(d, low);
    if (below > 0.5 && has_upper_tail(d)) return probability_above(d, low) - probability_above(d, high);
    return fnd_probability_below(d, high) - below;
}

double fnd_quantile(const fnd_distribution *d, double u)
{
    if (!d->truncated) return whole_quantile(d, u);
    double below = fnd_probability_below(d, d->low), above = fnd_probability_below(d, d->high), x = 0;
    if (below > 0.999 && has_upper_tail(d)) {
        const double first = probability_above(d, d->low);
        x = quantile_above(d, first + u * (probability_above(d, d->high) - first));
    } else x = whole_quantile(d, below + u * (above - below));
    return x < d->low || u <= 0 ? d->low : x > d->high || u >= 1 ? d->high : x;
}
