/* Curves over a common axis in panels, one above the other: as an SVG picture or as text for a terminal. */
#ifndef FND_PLOT_PLOT_H
#define FND_PLOT_PLOT_H

#include "support/memory.h"

typedef struct fnd_plot_curve {
    const char *label;   /* of the legend */
    const double *x, *y; /* what is not finite interrupts the curve */
    size_t count;
    int colour; /* index of the palette; it repeats */
    int dash;   /* 0: solid; 1, 2, 3: dashed, dotted, both */
} fnd_plot_curve;

typedef struct fnd_plot_panel {
    const char *label; /* of its vertical axis, with the unit */
    const fnd_plot_curve *curves;
    int curve_count;
} fnd_plot_panel;

typedef struct fnd_plot {
    const char *title; /* "": none */
    const char *x_label;
    const fnd_plot_panel *panels;
    int panel_count;
    double from, until;      /* of the common axis; infinite: as far as the curves go */
    int width, panel_height; /* of the SVG picture in pixels; 0: 820 and 240 */
} fnd_plot;

/* A picture that needs nothing else: no style sheet, script or font of its own. Curves of many points are thinned to
 * what can be seen: first, least, largest and last of every column of pixels. False when there is no memory. */
bool fnd_plot_svg(const fnd_plot *plot, fnd_buffer *to);
/* Lines of at most `columns` characters, each panel of `rows` lines. `unicode`: Braille patterns, eight points in a
 * character; else ASCII, a letter for each curve. False when there is no memory. */
bool fnd_plot_text(const fnd_plot *plot, int columns, int rows, bool unicode, fnd_buffer *to);

/* ---- axes, shared by both and by tests */

enum { FND_TICKS = 24 };
typedef struct fnd_axis {
    double low, high; /* what it shows */
    double step;      /* between ticks: 1, 2 or 5 times a power of ten */
    double first;     /* tick */
    int count;        /* of ticks */
    int power;        /* labels are in units of ten to this: a multiple of 3; 0 for numbers of moderate size */
} fnd_axis;

/* An axis that shows low to high and has at most `most` ticks (3 to 20). `round`: it ends at ticks. Equal or no ends
 * are spread. */
fnd_axis fnd_axis_make(double low, double high, int most, bool round);
/* True if x is within its ends, with a tolerance for rounding. */
static inline bool fnd_axis_shows(const fnd_axis *axis, double x)
{
    double slop = 1e-9 * (axis->high - axis->low);
    return x >= axis->low - slop && x <= axis->high + slop;
}
/* Label of the tick with that index: "0", "-0.25", "12.5". */
const char *fnd_axis_label(const fnd_axis *axis, int index, char *text, size_t size);

#endif
