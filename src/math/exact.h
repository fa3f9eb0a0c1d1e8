/* What rounding takes from a product, without fused operations: the bits are the same on every processor. */
#ifndef FND_MATH_EXACT_H
#define FND_MATH_EXACT_H

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
