/* Conversion factors to about 30 digits, so that a composed unit's factor is rounded once. */
#ifndef FND_UNITS_SCALE_H
#define FND_UNITS_SCALE_H

/* The sum of both; |low| is at most half a unit in the last place of high. */
typedef struct fnd_scale {
    double high, low;
} fnd_scale;

fnd_scale fnd_scale_from(double value);
fnd_scale fnd_scale_product(fnd_scale a, fnd_scale b);
fnd_scale fnd_scale_quotient(fnd_scale a, fnd_scale b);
/* a^(numerator/denominator), a > 0, denominator 1 to 60. */
fnd_scale fnd_scale_power(fnd_scale a, int numerator, int denominator);
/* scale * (value + offset), rounded once. */
double fnd_scale_apply(fnd_scale scale, fnd_scale offset, double value);

#endif
