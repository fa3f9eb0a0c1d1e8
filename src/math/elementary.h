/* Sine, cosine, logarithm, exponential and powers with fixed coefficients: the same bits on every machine (the C
 * library's change with the processor).
 */
#ifndef FND_MATH_ELEMENTARY_H
#define FND_MATH_ELEMENTARY_H

/* |x| up to about 1e5; error below 1 ulp of 1. NaN in, NaN out. */
void fnd_sin_cos(double x, double *sine, double *cosine);

/* Angle in [0, pi] whose sine and cosine are in the ratio of s >= 0 and c. */
double fnd_angle(double s, double c);

/* Natural logarithm, to an absolute error below 3e-16 (1 + |log x|); NaN below 0. */
double fnd_logarithm(double x);

/* x to a power, for x >= 0 (NaN below), to a relative error below 1e-15 (1 + |power log x|). */
double fnd_power(double x, double power);

/* log x for x > 0 and e^y, to relative errors below 1e-15 and 1e-15 (1 + |y|). */
double fnd_logarithm(double x);
double fnd_exponential(double y);
/* x - log(1 + x) for x > -1, to a relative error below 1e-14 also where both terms cancel. */
double fnd_logarithm_rest(double x);

/* ---- What rounding takes from a product ---- */

/* a b - product, exactly, where product = a b rounded; while nothing over- or underflows (|a|, |b| below 1e290, |a b|
 * above 1e-290). After Dekker (1971): both factors are parted into halves of 26 bits, whose products are exact. */
static inline double fnd_product_error(double a, double b, double product)
{
    const double parting = 134217729.0; /* 2^27 + 1 */
    double wide_a = parting * a, high_a = wide_a - (wide_a - a), low_a = a - high_a;
    double wide_b = parting * b, high_b = wide_b - (wide_b - b), low_b = b - high_b;
    return ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b;
}

#endif
