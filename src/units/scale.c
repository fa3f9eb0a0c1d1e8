/* Conversion factors to about 30 digits: sums of two doubles. */
#include "units/scale.h"

#include <math.h>

/* a + b exactly, for |a| >= |b|. */
static fnd_scale join(double a, double b)
{
    double sum = a + b;
    return (fnd_scale){sum, b - (sum - a)};
}

fnd_scale fnd_scale_from(double value) { return (fnd_scale){value, 0.0}; }

fnd_scale fnd_scale_product(fnd_scale a, fnd_scale b)
{
    double high = a.high * b.high;
    double low = fma(a.high, b.high, -high) + (a.high * b.low + a.low * b.high);
    return join(high, low);
}

fnd_scale fnd_scale_quotient(fnd_scale a, fnd_scale b)
{
    double high = a.high / b.high;
    double rest = fma(-high, b.high, a.high) + a.low - high * b.low;
    return join(high, rest / b.high);
}

static fnd_scale integer_power(fnd_scale a, int exponent)
{
    fnd_scale result = {1.0, 0.0};
    for (int left = exponent < 0 ? -exponent : exponent; left > 0; left /= 2) {
        if (left % 2 == 1) result = fnd_scale_product(result, a);
        a = fnd_scale_product(a, a);
    }
    return exponent < 0 ? fnd_scale_quotient(fnd_scale_from(1.0), result) : result;
}

/* Newton's method on root^degree = a; pow of the C library is only the first guess. */
static fnd_scale root_of(fnd_scale a, int degree)
{
    fnd_scale root = fnd_scale_from(pow(a.high, 1.0 / degree));
    for (int pass = 0; pass < 2; pass++) {
        fnd_scale ratio = fnd_scale_quotient(a, integer_power(root, degree));
        double correction = ((ratio.high - 1.0) + ratio.low) / degree;
        fnd_scale factor = join(1.0, correction);
        root = fnd_scale_product(root, factor);
    }
    return root;
}

fnd_scale fnd_scale_power(fnd_scale a, int numerator, int denominator)
{
    return integer_power(denominator == 1 ? a : root_of(a, denominator), numerator);
}

/* a + b, whichever is larger. */
static fnd_scale sum_of(double a, fnd_scale b)
{
    double high = a + b.high, part = high - a;
    double error = (a - (high - part)) + (b.high - part);
    return join(high, error + b.low);
}

double fnd_scale_apply(fnd_scale scale, fnd_scale offset, double value)
{
    /* -459.67 as a double is not the exact number; it means absolute zero all the same. */
    if (value + offset.high == 0.0) return offset.high == 0.0 ? value : 0.0;
    fnd_scale product = fnd_scale_product(scale, sum_of(value, offset));
    /* Where the parts overflow, the product of the leading ones decides whether the result does. */
    return isfinite(product.high) ? product.high : scale.high * (value + offset.high);
}
