/* Axes: round steps, ends that show all, labels as short as they can be. */
#include "plot/plot.h"

#include "support/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static double power_of_ten(int exponent)
{
    double power = 1;
    for (int i = exponent; i > 0; i--) power *= 10;
    for (int i = exponent; i < 0; i++) power /= 10;
    return power;
}

/* The least of 1, 2, 5 times a power of ten that is not below the size. */
static double round_step(double size)
{
    static const double steps[] = {1, 2, 5, 10};
    double power = power_of_ten((int)floor(log10(size)));
    for (int i = 0; i < 3; i++)
        if (steps[i] * power >= size * (1 - 1e-12)) return steps[i] * power;
    return 10 * power;
}

static void spread(double *low, double *high)
{
    double size = fabs(*low) > fabs(*high) ? fabs(*low) : fabs(*high), least = size * 64 * DBL_EPSILON;
    if (!(*low <= *high)) *low = *high = size = least = 0;
    if (*high - *low > least && *high - *low >= 1e-300) return;
    double add = size > 0 ? 0.05 * size : 1;
    if (add < 1e-290) add = 1e-290;
    *low -= add;
    *high += add;
}

fnd_axis fnd_axis_make(double low, double high, int most, bool round)
{
    fnd_axis axis = {.low = low, .high = high};
    /* differences of numbers near the ends of the range would not be finite */
    if (axis.low < -1e300) axis.low = -1e300;
    if (axis.high > 1e300) axis.high = 1e300;
    spread(&axis.low, &axis.high);
    axis.step = round_step((axis.high - axis.low) / (most - 1));
    double below = floor(axis.low / axis.step + 1e-9), above = ceil(axis.high / axis.step - 1e-9);
    if (round && above - below > most - 1) {
        axis.step = round_step(axis.step * 1.01);
        below = floor(axis.low / axis.step + 1e-9);
        above = ceil(axis.high / axis.step - 1e-9);
    }
    if (round) {
        axis.low = below * axis.step;
        axis.high = above * axis.step;
    } else {
        below = ceil(axis.low / axis.step - 1e-9);
        above = floor(axis.high / axis.step + 1e-9);
    }
    axis.first = below * axis.step;
    axis.count = (int)(above - below) + 1;
    if (axis.count > FND_TICKS) axis.count = FND_TICKS;
    double size = fabs(axis.low) > fabs(axis.high) ? fabs(axis.low) : fabs(axis.high);
    if (size >= 1e5 || size < 1e-2) axis.power = 3 * (int)floor(log10(size) / 3 + 1e-9);
    return axis;
}

const char *fnd_axis_label(const fnd_axis *axis, int index, char *text, size_t size)
{
    double value = axis->first + index * axis->step, scale = power_of_ten(axis->power);
    if (fabs(value) < 1e-6 * axis->step) value = 0;
    double reach = fabs(axis->low) > fabs(axis->high) ? fabs(axis->low) : fabs(axis->high);
    int digits = 2 + (int)ceil(log10(reach / axis->step));
    /* six digits show what is not scaled by a power without an exponent */
    fnd_number_format_digits(value / scale, digits < 6 ? 6 : digits > 15 ? 15 : digits, text, size);
    return text;
}

bool fnd_plot_range(const fnd_plot_panel *panel, const fnd_axis *x, double *low, double *high)
{
    bool found = false;
    for (int i = 0; i < panel->curve_count; i++) {
        const fnd_plot_curve *curve = &panel->curves[i];
        for (size_t k = 0; k < curve->count; k++) {
            double y = curve->y[k];
            if (!isfinite(y) || !fnd_axis_shows(x, curve->x[k])) continue;
            if (!found || y < *low) *low = y;
            if (!found || y > *high) *high = y;
            found = true;
        }
    }
    return found;
}

fnd_axis fnd_plot_x_axis(const fnd_plot *plot, int most)
{
    double low = INFINITY, high = -INFINITY;
    for (int p = 0; p < plot->panel_count; p++) {
        for (int i = 0; i < plot->panels[p].curve_count; i++) {
            const fnd_plot_curve *curve = &plot->panels[p].curves[i];
            for (size_t k = 0; k < curve->count; k++) {
                double x = curve->x[k];
                if (!isfinite(x) || !isfinite(curve->y[k]) || x < plot->from || x > plot->until) continue;
                if (x < low) low = x;
                if (x > high) high = x;
            }
        }
    }
    if (isfinite(plot->from)) low = plot->from;
    if (isfinite(plot->until)) high = plot->until;
    return fnd_axis_make(low, high, most, false);
}
