/* Comparing two channels: units, the rows that belong together, the largest difference. */
#include "series/compare.h"

#include "series/pair.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- values of B at the times of A */

bool fnd_series_value_at(const double *times, const double *values, size_t count, double slop, double time, size_t k,
                         bool between, size_t *cursor, double *value)
{
    size_t i = *cursor;
    while (i < count && times[i] < time - slop) i++;
    *cursor = i;
    if (i < count && times[i] <= time + slop) {
        /* of several rows of one time, before and after a jump, the k-th is meant */
        while (k > 0 && i + 1 < count && times[i + 1] <= time + slop) {
            i++;
            k--;
        }
        *value = values[i];
        return k == 0 || between;
    }
    if (!between || i == 0 || i == count) return false;
    double part = (time - times[i - 1]) / (times[i] - times[i - 1]);
    *value = values[i - 1] + part * (values[i] - values[i - 1]);
    return true;
}

/* Times are the same when they differ by a billionth of a step, or by rounding. */
static double slop_of(const double *times, size_t count)
{
    double span = times[count - 1] - times[0], size = fabs(times[0]) + fabs(times[count - 1]);
    return (count > 1 ? 1e-9 * span / (double)(count - 1) : 0) + 8 * DBL_EPSILON * size;
}

static bool inside(const fnd_compare_def *def, double time, double slop)
{
    return time >= def->from - slop && time <= def->until + slop;
}

/* ---- difference */

static double difference(double a, double b)
{
    if (a == b || (isnan(a) && isnan(b))) return 0;
    return isfinite(a) && isfinite(b) ? fabs(b - a) : INFINITY;
}

static void take(fnd_comparison *c, double time, double a, double b, double *scale, double *sum)
{
    double d = difference(a, b);
    if (c->rows == 0 || d > c->largest) {
        c->largest = d;
        c->time = time;
        c->value_a = a;
        c->value_b = b;
    }
    if (isfinite(a) && fabs(a) > *scale) *scale = fabs(a);
    *sum += d * d;
    c->rows++;
}

void fnd_compare_values(const fnd_compare_def *def, const double *times_b, const double *values_b, double absolute,
                        double relative, fnd_comparison *c)
{
    const fnd_series_table *a = c->a->table, *b = c->b->table;
    const double *times = fnd_series_times(a), *values = a->columns[c->a->column].values;
    double slop = slop_of(times_b, b->row_count), scale = 0, sum = 0, value = NAN;
    size_t cursor = 0, k = 0, inside_b = 0;
    for (size_t i = 0; i < a->row_count; i++) {
        k = i > 0 && times[i] == times[i - 1] ? k + 1 : 0;
        if (!inside(def, times[i], slop)) continue;
        if (fnd_series_value_at(times_b, values_b, b->row_count, slop, times[i], k, !def->exact, &cursor, &value))
            take(c, times[i], values[i], value, &scale, &sum);
        else c->alone_a++;
    }
    for (size_t i = 0; def->exact && i < b->row_count; i++) inside_b += inside(def, times_b[i], slop);
    c->alone_b = inside_b > c->rows ? inside_b - c->rows : 0;
    c->rms = c->rows > 0 ? sqrt(sum / (double)c->rows) : NAN;
    c->allowed = absolute + relative * scale;
    c->same = c->rows > 0 && c->largest <= c->allowed && c->alone_a == 0 && c->alone_b == 0;
}
