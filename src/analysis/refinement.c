/* Sequences of values at refined steps or tolerances: orders of convergence and error bars. */
#include "analysis/refinement.h"

#include <assert.h>
#include <fender/convergence.h>
#include <math.h>
#include <stdbool.h>

static double larger(double a, double b) { return a > b ? a : b; }

static bool has_value(const fender_sequence *s, int level)
{
    for (int c = 0; c < s->components; c++)
        if (!isfinite(s->values[level][c])) return false;
    return true;
}

double fender_sequence_difference(const fender_sequence *s, int one, int other)
{
    double sum = 0;
    if (s->components == 1) return fabs(s->values[one][0] - s->values[other][0]);
    for (int c = 0; c < s->components; c++) {
        double d = s->values[one][c] - s->values[other][c];
        sum += d * d;
    }
    return sqrt(sum);
}

double fender_sequence_size(const fender_sequence *s)
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
static double largest_difference(const fender_sequence *s, int first, int last)
{
    double largest = 0;
    for (int i = first; i < last; i++)
        for (int k = i + 1; k <= last; k++) {
            double d = fender_sequence_difference(s, i, k);
            if (d > largest) largest = d;
        }
    return largest;
}

/* From the levels k, k + 1, k + 2. NaN when the second difference does not point the way of the first. */
static double order_at(const fender_sequence *s, int k)
{
    double product = 0;
    for (int c = 0; c < s->components; c++)
        product += (s->values[k + 1][c] - s->values[k][c]) * (s->values[k + 2][c] - s->values[k + 1][c]);
    double first = fender_sequence_difference(s, k, k + 1), second = fender_sequence_difference(s, k + 1, k + 2);
    /* vectors of a sequence a + b h^p are parallel; half a right angle is allowed for what the next order adds */
    if (!(product > 0.7 * first * second)) return NAN;
    return log(first / second) / log(s->ratio);
}

static bool is_credible(const fender_sequence *s, const fender_refinement *r)
{
    if (!(r->order >= s->least_order && r->order <= s->most_order)) return false;
    if (r->last - r->first < 3) return true;
    return fabs(order_at(s, r->last - 3) - r->order) <= 1;
}

/* The last difference is no larger than rounding, and the one before not so large that this could only be chance. */
static bool is_at_rounding(const fender_sequence *s, const fender_refinement *r, double rounding)
{
    return r->last - r->first >= 2 && fender_sequence_difference(s, r->last - 1, r->last) <= rounding &&
           fender_sequence_difference(s, r->last - 2, r->last - 1) <= rounding * pow(s->ratio, s->most_order);
}

/* Roache's factor of safety for an order that three levels or more have shown (Annu. Rev. Fluid Mech. 29, 1997,
 * 123-160). */
static const double safety = 1.25;

/* The grid convergence index: an order above that of the method is chance, and would make the bar too small. What it is
 * above the distance from the limit is how well the limit is known. */
static void extrapolate(const fender_sequence *s, fender_refinement *r)
{
    double share = 1 / (pow(s->ratio, r->order) - 1), sure = r->order;
    if (s->formal_order > 0 && sure > s->formal_order) sure = s->formal_order;
    const double margin = (safety / (pow(s->ratio, sure) - 1) - share) *
                          fender_sequence_difference(s, r->last - 1, r->last);
    assert(margin >= 0);
    for (int c = 0; c < s->components; c++) r->limit[c] += share * (s->values[r->last][c] - s->values[r->last - 1][c]);
    for (int i = 0; i < s->levels; i++) {
        double sum = 0;
        for (int c = 0; c < s->components; c++) {
            double d = s->values[i][c] - r->limit[c];
            sum += d * d;
        }
        r->bars[i] = has_value(s, i) ? sqrt(sum) + margin : NAN;
    }
}

/* Bars that are differences; those of the `together` finest levels are the same. */
static void bar_by_differences(const fender_sequence *s, fender_refinement *r, int together, double least)
{
    for (int i = 0; i <= r->last; i++) {
        if (!has_value(s, i)) continue;
        int from = i > r->last - together + 1 ? r->last - together + 1 : i;
        double bar = 0;
        for (int k = from > r->first ? from : r->first; k <= r->last; k++) {
            double d = i < r->first ? fender_sequence_difference(s, i, k) : largest_difference(s, k, r->last);
            if (d > bar) bar = d;
        }
        r->bars[i] = bar > least ? bar : least;
    }
}

/* Values that lie on a grid may agree by chance: they are no better known than the grid is fine. */
static void bar_by_grain(const fender_sequence *s, fender_refinement *r)
{
    if (!(s->grain > 0) || r->kind == FENDER_REFINEMENT_NONE) return;
    if (r->kind != FENDER_REFINEMENT_ASYMPTOTIC) r->kind = FENDER_REFINEMENT_DOUBTFUL;
    for (int i = 0; i < s->levels; i++) {
        double least = s->grain / pow(s->ratio, i);
        if (r->bars[i] < least) r->bars[i] = least;
    }
}

fender_refinement fender_refine(const fender_sequence *s)
{
    fender_refinement r = {.kind = FENDER_REFINEMENT_NONE, .first = -1, .last = s->levels - 1, .order = NAN};
    for (int i = 0; i < FENDER_REFINEMENT_LEVELS; i++) r.bars[i] = NAN;
    while (r.last >= 0 && !has_value(s, r.last)) r.last--;
    for (int c = 0; c < FENDER_REFINEMENT_COMPONENTS; c++) r.limit[c] = NAN;
    if (r.last < 0) return r;
    for (r.first = r.last; r.first > 0 && has_value(s, r.first - 1);) r.first--;
    for (int c = 0; c < s->components; c++) r.limit[c] = s->values[r.last][c];
    if (r.first == r.last) return r;
    double rounding = larger(FND_ROUNDING_PART * fender_sequence_size(s), s->rounding);
    if (!(largest_difference(s, r.first, r.last) > 0)) {
        r.kind = FENDER_REFINEMENT_SAME;
        bar_by_differences(s, &r, 1, 0);
    } else if (is_at_rounding(s, &r, rounding)) {
        r.kind = FENDER_REFINEMENT_ROUNDING;
        bar_by_differences(s, &r, 1, rounding);
    } else {
        r.kind = FENDER_REFINEMENT_DOUBTFUL;
        if (r.last - r.first >= 2) r.order = order_at(s, r.last - 2);
        if (!s->uneven && is_credible(s, &r)) {
            r.kind = FENDER_REFINEMENT_ASYMPTOTIC;
            extrapolate(s, &r);
        } else {
            bar_by_differences(s, &r, 3, 0);
        }
    }
    bar_by_grain(s, &r);
    return r;
}
