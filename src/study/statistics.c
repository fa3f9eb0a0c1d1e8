/* Binomial, mean, quantile and rank correlation with intervals. */
#include "study/statistics.h"

#include "study/distribution.h"
#include <math.h>

fnd_estimate fnd_binomial(int64_t hits, int64_t count, double confidence)
{
    double tail = (1 - confidence) / 2, n = (double)count, k = (double)hits;
    if (count <= 0) return (fnd_estimate){(double)NAN, 0, 1};
    return (fnd_estimate){k / n, hits == 0 ? 0 : fnd_beta_quantile(k, n - k + 1, tail),
                          hits == count ? 1 : fnd_beta_quantile(k + 1, n - k, 1 - tail)};
}

/* Student's t, by the beta distribution of f / (f + t^2). */
static double student(double freedom, double u)
{
    double x = fnd_beta_quantile(freedom / 2, 0.5, 2 * (1 - u));
    return sqrt(freedom * (1 - x) / x);
}

fnd_estimate fnd_mean(const double *values, int64_t count, double confidence)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < count; i++) sum += values[i];
    double mean = sum / (double)count;
    for (int64_t i = 0; i < count; i++) squares += (values[i] - mean) * (values[i] - mean);
    if (count < 2) return (fnd_estimate){mean, (double)NAN, (double)NAN};
    double n = (double)count, half = student(n - 1, 0.5 + confidence / 2) * sqrt(squares / (n - 1) / n);
    return (fnd_estimate){mean, mean - half, mean + half};
}

/* P(binomial(n, q) <= k) */
static double binomial_below(int64_t k, int64_t n, double q)
{
    if (k < 0) return 0;
    return k >= n ? 1 : 1 - fnd_beta_probability((double)k + 1, (double)(n - k), q);
}

/* The least k with P(X <= k) >= p. */
static int64_t binomial_quantile(int64_t n, double q, double p)
{
    int64_t low = -1, high = n;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (binomial_below(middle, n, q) >= p) high = middle;
        else low = middle;
    }
    return high;
}

fnd_estimate fnd_sample_quantile(const double *sorted, int64_t count, double q, double confidence)
{
    fnd_estimate e = {(double)NAN, (double)NAN, (double)NAN};
    if (count == 0) return e;
    double tail = (1 - confidence) / 2, location = q * (double)(count - 1);
    int64_t at = (int64_t)location, next = at + 1 < count ? at + 1 : at;
    e.value = sorted[at] + (location - (double)at) * (sorted[next] - sorted[at]);
    int64_t low = binomial_quantile(count, q, tail) - 1, high = binomial_quantile(count, q, 1 - tail);
    if (low >= 0) e.low = sorted[low];
    if (high < count) e.high = sorted[high];
    return e;
}

/* S. S. Wilks, Ann. Math. Stat. 12 (1941): the share between two order statistics has a beta distribution. */
fnd_estimate fnd_tolerance(const double *sorted, int64_t count, double content, double confidence, int sides)
{
    fnd_estimate e = {(double)NAN, (double)NAN, (double)NAN};
    int64_t cut = count - binomial_quantile(count, content, confidence), left = cut / sides;
    if (count == 0 || left < 1) return e;
    e.low = sorted[left - 1];
    e.high = sorted[count - (sides == 2 ? cut - left : cut)]; /* an odd one is cut off above */
    return e;
}

int64_t fnd_tolerance_runs(double content, double confidence, int sides)
{
    int64_t low = 0, high = 1;
    while (binomial_below(high - sides, high, content) < confidence && high < (int64_t)1 << 40) high *= 2;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (binomial_below(middle - sides, middle, content) >= confidence) high = middle;
        else low = middle;
    }
    return high;
}

void fnd_sort_indices(const double *values, int64_t *order, int64_t *spare, int64_t count)
{
    for (int64_t i = 0; i < count; i++) order[i] = i;
    for (int64_t width = 1; width < count; width *= 2) { /* stable: merging runs */
        for (int64_t start = 0; start < count; start += 2 * width) {
            int64_t middle = start + width < count ? start + width : count,
                    end = start + 2 * width < count ? start + 2 * width : count;
            int64_t a = start, b = middle;
            for (int64_t to = start; to < end; to++)
                spare[to] = a < middle && (b >= end || values[order[a]] <= values[order[b]]) ? order[a++] : order[b++];
        }
        for (int64_t i = 0; i < count; i++) order[i] = spare[i];
    }
}

static void rank(const double *values, int64_t count, double *ranks, int64_t *order, int64_t *spare)
{
    fnd_sort_indices(values, order, spare, count);
    for (int64_t i = 0; i < count;) {
        int64_t end = i + 1;
        while (end < count && values[order[end]] == values[order[i]]) end++;
        for (int64_t j = i; j < end; j++) ranks[order[j]] = 0.5 * (double)(i + end - 1);
        i = end;
    }
}

fnd_estimate fnd_rank_correlation(const double *a, const double *b, int64_t count, double confidence, double *room,
                                  int64_t *order, int64_t *spare)
{
    fnd_estimate e = {(double)NAN, (double)NAN, (double)NAN};
    double *x = room, *y = room + count, mean = 0.5 * (double)(count - 1), xx = 0, yy = 0, xy = 0;
    if (count < 2) return e;
    rank(a, count, x, order, spare);
    rank(b, count, y, order, spare);
    for (int64_t i = 0; i < count; i++) {
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
        xy += (x[i] - mean) * (y[i] - mean);
    }
    if (!(xx > 0) || !(yy > 0)) return e;
    double r = e.value = xy / sqrt(xx * yy);
    if (count < 4) return e;
    if (!(fabs(r) < 1)) return (fnd_estimate){r, r, r};
    /* D. G. Bonett and T. A. Wright, Psychometrika 65 (2000): variance (1 + r^2 / 2) / (n - 3) */
    double z = 0.5 * fnd_log((1 + r) / (1 - r)),
           half = fnd_normal_quantile(0.5 + confidence / 2) * sqrt((1 + r * r / 2) / (double)(count - 3));
    double low = fnd_exp(2 * (z - half)), high = fnd_exp(2 * (z + half));
    e.low = (low - 1) / (low + 1);
    e.high = (high - 1) / (high + 1);
    return e;
}
