/* Counter-based random numbers; logarithm, exponential and the normal distribution from arithmetic alone. */
#include "support/random.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

void fnd_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xD2511F53u * c[0], b = (uint64_t)0xCD9E8D57u * c[2];
        uint32_t next[4] = {(uint32_t)(b >> 32) ^ c[1] ^ k[0], (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ k[1],
                            (uint32_t)a};
        for (int i = 0; i < 4; i++) c[i] = next[i];
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    for (int i = 0; i < 4; i++) out[i] = c[i];
}

void fnd_draw(uint64_t seed, uint32_t use, uint32_t stream, uint64_t index, uint32_t out[4])
{
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), stream, use};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    fnd_philox(counter, key, out);
}

double fnd_uniform(uint64_t seed, uint32_t stream, uint64_t index)
{
    uint32_t out[4];
    fnd_draw(seed, 0, stream, index, out);
    uint64_t bits = ((uint64_t)out[0] << 21) ^ (out[1] >> 11);
    return ((double)bits + 0.5) / 9007199254740992.0;
}

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
