/* Observed order, Richardson's extrapolation and error bars of a sequence of refined values. */
#include "refinement.h"

#include <math.h>
#include <stdbool.h>

/* Differences below this part of the values are rounding: a run of 1e5 steps loses some hundred units of the last place
 * at worst. */
#define ROUNDING_PART 1e-13

static bool has_value(const fnd_sequence *s, int level)
{
    for (int c = 0; c < s->components; c++)
        if (!isfinite(s->values[level][c])) return false;
    return true;
}

double fnd_sequence_difference(const fnd_sequence *s, int one, int other)
{
    double sum = 0;
    if (s->components == 1) return fabs(s->values[one][0] - s->values[other][0]);
    for (int c = 0; c < s->components; c++) {
        double d = s->values[one][c] - s->values[other][c];
        sum += d * d;
    }
    return sqrt(sum);
}

double fnd_sequence_size(const fnd_sequence *s)
{
    double size = s->scale;
    for (int i = 0; i < s->levels; i++) {
        double sum = 0;
        for (int c = 0; c < s->components; c++) sum += s->values[i][c] * s->values[i][c];
        if (sqrt(sum) > size) size = sqrt(sum);
    }
    return size;
}

/* Between any two levels from `first` to `last`. */
static double largest_difference(const fnd_sequence *s, int first, int last)
{
    double largest = 0;
    for (int i = first; i < last; i++)
        for (int k = i + 1; k <= last; k++) {
            double d = fnd_sequence_difference(s, i, k);
            if (d > largest) largest = d;
        }
    return largest;
}

/* From the levels k, k + 1, k + 2. NaN when the second difference does not point the way of the first. */
static double order_at(const fnd_sequence *s, int k)
{
    double product = 0;
    for (int c = 0; c < s->components; c++)
        product += (s->values[k + 1][c] - s->values[k][c]) * (s->values[k + 2][c] - s->values[k + 1][c]);
    double first = fnd_sequence_difference(s, k, k + 1), second = fnd_sequence_difference(s, k + 1, k + 2);
    /* vectors of a sequence a + b h^p are parallel; half a right angle is allowed for what the next order adds */
    if (!(product > 0.7 * first * second)) return NAN;
    return log(first / second) / log(s->ratio);
}

static bool is_credible(const fnd_sequence *s, const fnd_refinement *r)
{
    if (!(r->order >= s->least_order && r->order <= s->most_order)) return false;
    if (r->last - r->first < 3) return true;
    return fabs(order_at(s, r->last - 3) - r->order) <= 1;
}

/* The last difference is no larger than rounding, and the one before not so large that this could only be chance. */
static bool is_at_rounding(const fnd_sequence *s, const fnd_refinement *r, double rounding)
{
    return r->last - r->first >= 2 && fnd_sequence_difference(s, r->last - 1, r->last) <= rounding &&
           fnd_sequence_difference(s, r->last - 2, r->last - 1) <= rounding * pow(s->ratio, s->most_order);
}

static void extrapolate(const fnd_sequence *s, fnd_refinement *r)
{
    double share = 1 / (pow(s->ratio, r->order) - 1);
    for (int c = 0; c < s->components; c++) r->limit[c] += share * (s->values[r->last][c] - s->values[r->last - 1][c]);
    for (int i = 0; i < s->levels; i++) {
        double sum = 0;
        for (int c = 0; c < s->components; c++) {
            double d = s->values[i][c] - r->limit[c];
            sum += d * d;
        }
        r->bars[i] = has_value(s, i) ? sqrt(sum) : NAN;
    }
}

/* Bars that are differences; those of the `together` finest levels are the same. */
static void bar_by_differences(const fnd_sequence *s, fnd_refinement *r, int together, double least)
{
    for (int i = 0; i <= r->last; i++) {
        if (!has_value(s, i)) continue;
        int from = i > r->last - together + 1 ? r->last - together + 1 : i;
        double bar = 0;
        for (int k = from > r->first ? from : r->first; k <= r->last; k++) {
            double d = i < r->first ? fnd_sequence_difference(s, i, k) : largest_difference(s, k, r->last);
            if (d > bar) bar = d;
        }
        r->bars[i] = bar > least ? bar : least;
    }
}

/* Values that lie on a grid may agree by chance: they are no better known than the grid is fine. */
static void bar_by_grain(const fnd_sequence *s, fnd_refinement *r)
{
    if (!(s->grain > 0) || r->kind == FND_REFINEMENT_NONE) return;
    if (r->kind != FND_REFINEMENT_ASYMPTOTIC) r->kind = FND_REFINEMENT_DOUBTFUL;
    for (int i = 0; i < s->levels; i++) {
        double least = s->grain / pow(s->ratio, i);
        if (r->bars[i] < least) r->bars[i] = least;
    }
}

fnd_refinement fnd_refine(const fnd_sequence *s)
{
    fnd_refinement r = {.kind = FND_REFINEMENT_NONE, .first = -1, .last = s->levels - 1, .order = NAN};
    for (int i = 0; i < FND_REFINEMENT_LEVELS; i++) r.bars[i] = NAN;
    while (r.last >= 0 && !has_value(s, r.last)) r.last--;
    for (int c = 0; c < FND_REFINEMENT_COMPONENTS; c++) r.limit[c] = NAN;
    if (r.last < 0) return r;
    for (r.first = r.last; r.first > 0 && has_value(s, r.first - 1);) r.first--;
    for (int c = 0; c < s->components; c++) r.limit[c] = s->values[r.last][c];
    if (r.first == r.last) return r;
    double rounding = ROUNDING_PART * fnd_sequence_size(s);
    if (!(largest_difference(s, r.first, r.last) > 0)) {
        r.kind = FND_REFINEMENT_SAME;
        bar_by_differences(s, &r, 1, 0);
    } else if (is_at_rounding(s, &r, rounding)) {
        r.kind = FND_REFINEMENT_ROUNDING;
        bar_by_differences(s, &r, 1, rounding);
    } else {
        r.kind = FND_REFINEMENT_DOUBTFUL;
        if (r.last - r.first >= 2) r.order = order_at(s, r.last - 2);
        if (is_credible(s, &r)) {
            r.kind = FND_REFINEMENT_ASYMPTOTIC;
            extrapolate(s, &r);
        } else {
            bar_by_differences(s, &r, 3, 0);
        }
    }
    bar_by_grain(s, &r);
    return r;
}
