/* Sobol's indices with intervals by their asymptotic variance; Morris' elementary effects. */
#include "study/sensitivity.h"

#include "study/distribution.h"
#include "study/random.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const fnd_estimate unknown = {(double)NAN, (double)NAN, (double)NAN};

/* The interval of the delta method, on the scale of Fisher's transform, where the estimate is nearer to normal. */
static fnd_estimate with_interval(double share, double deviation, double confidence)
{
    if (!(fabs(share) < 1)) return (fnd_estimate){share, share, share};
    double half = fnd_normal_quantile(0.5 + confidence / 2) * deviation / (1 - share * share);
    double z = 0.5 * fnd_log((1 + share) / (1 - share)), low = fnd_exp(2 * (z - half)), high = fnd_exp(2 * (z + half));
    return (fnd_estimate){share, (low - 1) / (low + 1), isinf(high) ? 1 : (high - 1) / (high + 1)};
}

/* Share of the variance that x and y have in common: covariance over variance, both from x and y alike, which is
 * efficient (A. Janon, T. Klein, A. Lagnoux, M. Nodet, C. Prieur, ESAIM Probab. Stat. 18 (2014), eq. 6). With `other`,
 * which is independent of x and may be like y, its covariance with x is taken off, as A. Saltelli et al., Comput. Phys.
 * Commun. 181 (2010), table 2 (b), do: as much of it as makes the variance least (a control variate), all of it for a
 * variable that does nothing, which is then known to. */
static fnd_estimate common_share(const double *x, const double *y, const double *other, int64_t count,
                                 double confidence)
{
    double n = (double)count, mean = 0, mean_other = 0, product = 0, square = 0, cross = 0, variance = 0;
    if (count < 2) return unknown;
    for (int64_t i = 0; i < count; i++) mean += 0.5 * (x[i] + y[i]) / n;
    for (int64_t i = 0; i < count && other; i++) mean_other += other[i] / n;
    for (int64_t i = 0; i < count; i++) {
        double u = x[i] - mean, v = y[i] - mean;
        product += u * v / n;
        square += 0.5 * (u * u + v * v) / n;
        if (other) cross += u * (other[i] - mean_other) / n;
    }
    if (!(square > 0)) return unknown;
    double share = product / square, crossed = 0, crosses = 0, c = 0;
    for (int64_t i = 0; i < count && other; i++) { /* derivatives along a weight of row i; the means drop out */
        double u = x[i] - mean, v = y[i] - mean, d = u * v - share * 0.5 * (u * u + v * v),
               e = u * (other[i] - mean_other) - cross;
        crossed += d * e;
        crosses += e * e;
    }
    if (crosses > 0) c = crossed / crosses;
    share = (product - c * cross) / square;
    for (int64_t i = 0; i < count; i++) {
        double u = x[i] - mean, v = y[i] - mean,
               d = u * v - (other ? c * u * (other[i] - mean_other) : 0) - share * 0.5 * (u * u + v * v);
        variance += d * d;
    }
    return with_interval(share, sqrt(variance) / n / square, confidence);
}

fnd_estimate fnd_first_index(const double *a, const double *b, const double *ab, int64_t count, double confidence)
{
    return common_share(b, ab, a, count, confidence);
}

/* M. J. W. Jansen, Comput. Phys. Commun. 117 (1999): half the mean square of a - ab over the variance, which is what
 * the two do not have in common. */
fnd_estimate fnd_total_index(const double *a, const double *ab, int64_t count, double confidence)
{
    fnd_estimate e = common_share(a, ab, NULL, count, confidence);
    return (fnd_estimate){1 - e.value, 1 - e.high, 1 - e.low};
}

/* M. D. Morris, Technometrics 33 (1991); F. Campolongo, J. Cariboni and A. Saltelli, Environ. Model. Softw. 22 (2007)
 * for mu*. Means by Student's t; the logarithm of the deviation by its asymptotic variance, (m4 / s^4 - 1) / (4 n). */
fnd_morris_effect fnd_morris(const double *effects, int64_t count, double confidence, double *room)
{
    fnd_morris_effect m = {.mean = fnd_mean(effects, count, confidence)};
    double n = (double)count, squares = 0, fourths = 0;
    for (int64_t i = 0; i < count; i++) {
        double d = (effects[i] - m.mean.value) * (effects[i] - m.mean.value);
        room[i] = fabs(effects[i]);
        squares += d;
        fourths += d * d;
    }
    m.size = fnd_mean(room, count, confidence);
    if (m.size.low < 0) m.size.low = 0;
    m.deviation = (fnd_estimate){(double)NAN, (double)NAN, (double)NAN};
    if (count < 2) return m;
    double s2 = squares / (n - 1), of_log = s2 > 0 ? (fourths / n / (s2 * s2) - (n - 3) / (n - 1)) / n : 0;
    double factor = fnd_exp(fnd_normal_quantile(0.5 + confidence / 2) * 0.5 * sqrt(of_log > 0 ? of_log : 0));
    m.deviation = (fnd_estimate){sqrt(s2), sqrt(s2) / factor, sqrt(s2) * factor};
    return m;
}

/* ---- out of a store */

fnd_store_design fnd_store_design_of(const fnd_results *r)
{
    fnd_store_design d = {0};
    char name[40] = "";
    long long count = 0, levels = 0, seed = 0;
    if (sscanf(r->design, "%39s %lld %lld %lld", name, &count, &levels, &seed) != 4) return d;
    d.is_indices = strcmp(name, "sobol_indices") == 0;
    d.is_morris = strcmp(name, "morris") == 0;
    d.is_list = strcmp(name, "list") == 0;
    d.is_grid = d.is_morris || d.is_list || strcmp(name, "full_factorial") == 0 || strcmp(name, "one_at_a_time") == 0 ||
                strcmp(name, "corners") == 0;
    d.count = count > 0 ? count : 0;
    d.levels = levels;
    d.seed = (uint64_t)seed;
    if (d.count > 0) d.variables = r->runs / d.count - (d.is_indices ? 2 : 1);
    return d;
}

bool fnd_store_is_sampled(const fnd_store_design *d, int64_t run)
{
    return !d->is_indices || run % (d->variables + 2) < 2;
}

/* Value of a run; NaN: not there. */
static double value_at(const fnd_results *r, int column, int64_t run)
{
    int64_t low = 0, high = r->rows < run + 1 ? r->rows : run + 1; /* rows are sorted, each once */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (r->run[middle] <= run) low = middle;
        else high = middle;
    }
    if (high <= low || r->run[low] != run) return (double)NAN;
    double value = r->columns[column].values[low];
    return r->columns[column].kind == FND_COLUMN_OUTCOME ? value > 0 : value;
}

/* Inputs of one variable with several numbers are NAME.x and so on. */
static void name_variable(const fnd_results *r, int64_t i, char *name, size_t size)
{
    int64_t at = -1;
    for (int c = 0; c < r->column_count; c++) {
        const char *own = r->columns[c].name;
        size_t n = strcspn(own, ".");
        if (r->columns[c].kind != FND_COLUMN_INPUT) continue;
        if (at >= 0 && own[n] && strlen(name) == n && strncmp(name, own, n) == 0) continue;
        if (++at > i) return;
        snprintf(name, size, "%.*s", (int)n, own);
    }
}

fnd_sensitivity fnd_sensitivity_of(const fnd_results *r, const fnd_store_design *d, int column, int64_t i,
                                   double confidence, double *room)
{
    fnd_sensitivity s = {.name = ""};
    double *x = room, *y = room + d->count, *z = y + d->count; /* of A, of B or before, of AB or after */
    int64_t width = d->variables + (d->is_indices ? 2 : 1);
    name_variable(r, i, s.name, sizeof s.name);
    for (int64_t k = 0; k < d->count; k++) {
        int place = d->is_morris ? fnd_morris_place(d->seed, k, (int)i, (int)d->variables) : 0;
        double a = d->is_indices ? value_at(r, column, k * width) : 0,
               b = value_at(r, column, k * width + (d->is_morris ? place : 1)),
               ab = value_at(r, column, k * width + (d->is_morris ? place + 1 : i + 2));
        if (isnan(a) || isnan(b) || isnan(ab)) continue;
        bool up = d->is_morris && fnd_morris_start(d->seed, k, (int)i, (int)d->levels) < d->levels / 2;
        double jump = (up ? 0.5 : -0.5) * (double)d->levels / (double)(d->levels - 1);
        x[s.count] = a;
        y[s.count] = d->is_morris ? (ab - b) / jump : b;
        z[s.count++] = ab;
    }
    if (d->is_morris) s.effect = fnd_morris(y, s.count, confidence, z);
    if (d->is_indices) s.first = fnd_first_index(x, y, z, s.count, confidence);
    if (d->is_indices) s.total = fnd_total_index(x, z, s.count, confidence);
    return s;
}
