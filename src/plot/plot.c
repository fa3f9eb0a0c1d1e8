/* Curves in panels: axes, as SVG, as text for terminals. */
#include "plot/plot.h"

#include "support/json.h"
#include "support/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- axes */

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

/* Ends of all finite values of a panel's curves where x is within the ends of the axis; false when there are none. */
static bool plot_range(const fnd_plot_panel *panel, const fnd_axis *x, double *low, double *high)
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

/* The common axis: of all finite x that have a finite y. */
static fnd_axis plot_x_axis(const fnd_plot *plot, int most)
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

/* ---- SVG */

enum { WIDTH = 820, PANEL = 240, LEFT = 78, RIGHT = 16, TOP = 14, TITLE = 26, GAP = 20, BOTTOM = 46, LEGEND_ROW = 17 };
static const double character = 6.6; /* width of one of the legend, at most */

/* Told apart also by those who see fewer colours, on white and on black: Okabe and Ito, 2008, darkened a little. */
static const char *const palette[] = {"#0072b2", "#d55e00", "#009e73", "#b8569a",
                                      "#8a7a00", "#3f9fd8", "#c98500", "#555555"};
static const char *const dashes[] = {"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\"",
                                     " stroke-dasharray=\"8 3 2 3\""};

typedef struct frame {
    double left, right, top, bottom; /* of the panel, in pixels */
    fnd_axis x, y;
} frame;

/* ---- words */

static void put_text(fnd_buffer *to, const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        size_t length = fnd_utf8_character(text, left);
        const char *name = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : NULL;
        bool bad = length == 0 || (length == 1 && (unsigned char)*text < 0x20) || *text == 0x7f;
        if (length == 0) length = 1;
        if (bad) fnd_buffer_append_char(to, '?');
        else if (name) fnd_buffer_append_text(to, name);
        else fnd_buffer_append(to, text, length);
        text += length;
        left -= length;
    }
}

static void put_words(fnd_buffer *to, double x, double y, const char *more, const char *text)
{
    fnd_buffer_appendf(to, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, more);
    put_text(to, text);
    fnd_buffer_append_text(to, "</text>\n");
}

/* ---- axes */

static double x_of(const frame *f, double x)
{
    return f->left + (x - f->x.low) / (f->x.high - f->x.low) * (f->right - f->left);
}
static double y_of(const frame *f, double y)
{
    return f->bottom - (y - f->y.low) / (f->y.high - f->y.low) * (f->bottom - f->top);
}

static void put_axes(fnd_buffer *to, const frame *f, const char *label, bool last)
{
    char text[64];
    fnd_buffer_append_text(to, "<g stroke=\"#888888\" stroke-opacity=\"0.3\">\n");
    for (int i = 0; i < f->x.count; i++) {
        double x = x_of(f, f->x.first + i * f->x.step);
        fnd_buffer_appendf(to, "<path d=\"M%.1f,%.1fV%.1f\"/>\n", x, f->top, f->bottom);
    }
    for (int i = 0; i < f->y.count; i++) {
        double y = y_of(f, f->y.first + i * f->y.step);
        fnd_buffer_appendf(to, "<path d=\"M%.1f,%.1fH%.1f\"/>\n", f->left, y, f->right);
    }
    fnd_buffer_append_text(to, "</g>\n");
    fnd_buffer_appendf(to, "<path d=\"M%.1f,%.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#888888\"/>\n", f->left, f->top,
                       f->bottom, f->right);
    for (int i = 0; last && i < f->x.count; i++)
        put_words(to, x_of(f, f->x.first + i * f->x.step), f->bottom + 16, " text-anchor=\"middle\"",
                  fnd_axis_label(&f->x, i, text, sizeof text));
    for (int i = 0; i < f->y.count; i++)
        put_words(to, f->left - 6, y_of(f, f->y.first + i * f->y.step) + 4, " text-anchor=\"end\"",
                  fnd_axis_label(&f->y, i, text, sizeof text));
    double middle = 0.5 * (f->top + f->bottom);
    fnd_buffer_appendf(to, "<text transform=\"translate(14,%.1f) rotate(-90)\" text-anchor=\"middle\">", middle);
    put_text(to, label);
    if (f->y.power != 0) fnd_buffer_appendf(to, ", 1e%d", f->y.power);
    fnd_buffer_append_text(to, "</text>\n");
}

/* ---- curves */

static void put_point(fnd_buffer *to, const frame *f, const fnd_plot_curve *curve, size_t k, char command)
{
    fnd_buffer_appendf(to, "%c%.1f,%.1f", command, x_of(f, curve->x[k]), y_of(f, curve->y[k]));
}

static bool is_point(const frame *f, const fnd_plot_curve *curve, size_t k)
{
    return isfinite(curve->y[k]) && fnd_axis_shows(&f->x, curve->x[k]);
}

/* Those of one column of pixels that can be seen, in their order. */
static void put_column(fnd_buffer *to, const frame *f, const fnd_plot_curve *curve, size_t first, size_t end,
                       char command)
{
    size_t least = first, most = first;
    for (size_t k = first; k < end; k++) {
        if (curve->y[k] < curve->y[least]) least = k;
        if (curve->y[k] > curve->y[most]) most = k;
    }
    size_t one = least < most ? least : most, two = least < most ? most : least;
    put_point(to, f, curve, first, command);
    if (one != first) put_point(to, f, curve, one, 'L');
    if (two != one) put_point(to, f, curve, two, 'L');
    if (end - 1 != two) put_point(to, f, curve, end - 1, 'L');
}

static void put_curve(fnd_buffer *to, const frame *f, const fnd_plot_curve *curve)
{
    size_t first = 0;
    bool begun = false;
    fnd_buffer_appendf(to, "<path d=\"");
    while (first < curve->count) {
        if (!is_point(f, curve, first)) {
            begun = false;
            first++;
            continue;
        }
        double column = floor(x_of(f, curve->x[first]));
        size_t end = first + 1;
        while (end < curve->count && is_point(f, curve, end) && floor(x_of(f, curve->x[end])) == column) end++;
        bool alone = !begun && (end == curve->count || !is_point(f, curve, end)) && end == first + 1;
        put_column(to, f, curve, first, end, begun ? 'L' : 'M');
        if (alone) fnd_buffer_append_text(to, "h0"); /* a round cap makes it a point */
        begun = true;
        first = end;
    }
    fnd_buffer_appendf(
        to,
        "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-linejoin=\"round\" stroke-linecap=\"round\"%s/>\n",
        palette[(size_t)curve->colour % (sizeof palette / sizeof palette[0])], dashes[curve->dash & 3]);
}

/* ---- legend */

static double entry_width(const fnd_plot_curve *curve)
{
    return 34 + character * (double)fnd_utf8_count(curve->label, strlen(curve->label)) + 14;
}

/* The entries of a panel above it; draws nothing without `to`. Returns the rows that they take. */
static int put_legend(fnd_buffer *to, const fnd_plot_panel *panel, double left, double right, double top)
{
    double x = left;
    int row = 0;
    for (int i = 0; i < panel->curve_count; i++) {
        const fnd_plot_curve *curve = &panel->curves[i];
        double width = entry_width(curve);
        if (x > left && x + width > right) {
            x = left;
            row++;
        }
        if (to) {
            double y = top + LEGEND_ROW * row + 9;
            fnd_buffer_appendf(to, "<path d=\"M%.1f,%.1fh24\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", x, y - 4,
                               palette[(size_t)curve->colour % (sizeof palette / sizeof palette[0])],
                               dashes[curve->dash & 3]);
            put_words(to, x + 30, y, "", curve->label);
        }
        x += width;
    }
    return panel->curve_count > 0 ? row + 1 : 0;
}

/* ---- all of it */

static void put_panel(fnd_buffer *to, const fnd_plot *plot, int index, frame *f, int panel_height)
{
    const fnd_plot_panel *panel = &plot->panels[index];
    double low = 0, high = 0;
    f->top += LEGEND_ROW * put_legend(to, panel, f->left, f->right, f->top) + 2;
    f->bottom = f->top + panel_height;
    if (!plot_range(panel, &f->x, &low, &high)) low = high = 0;
    f->y = fnd_axis_make(low, high, 7, true);
    put_axes(to, f, panel->label, index + 1 == plot->panel_count);
    for (int i = 0; i < panel->curve_count; i++) put_curve(to, f, &panel->curves[i]);
    f->top = f->bottom + GAP;
}

bool fnd_plot_svg(const fnd_plot *plot, fnd_buffer *to)
{
    assert(plot->panel_count >= 0);
    int width = plot->width > 0 ? plot->width : WIDTH, panel = plot->panel_height > 0 ? plot->panel_height : PANEL;
    frame f = {.left = LEFT, .right = width - RIGHT, .top = TOP + (plot->title[0] ? TITLE : 0)};
    f.x = plot_x_axis(plot, width / 80 < 3 ? 3 : width / 80 > 14 ? 14 : width / 80);
    int height = (int)f.top + BOTTOM - GAP;
    for (int i = 0; i < plot->panel_count; i++)
        height += panel + 2 + GAP + LEGEND_ROW * put_legend(NULL, &plot->panels[i], f.left, f.right, 0);
    fnd_buffer_appendf(to,
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                       "font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\">\n",
                       width, height, width, height);
    fnd_buffer_appendf(to, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", width, height);
    if (plot->title[0]) put_words(to, LEFT, TOP + 8, " font-size=\"14\"", plot->title);
    for (int i = 0; i < plot->panel_count; i++) put_panel(to, plot, i, &f, panel);
    fnd_buffer_appendf(to, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", 0.5 * (f.left + f.right), height - 10);
    put_text(to, plot->x_label);
    if (f.x.power != 0) fnd_buffer_appendf(to, ", 1e%d", f.x.power);
    fnd_buffer_append_text(to, "</text>\n</svg>\n");
    return !to->failed;
}

/* ---- for terminals */

enum { MARGIN = 11, LEAST_COLUMNS = 30, MOST_COLUMNS = 400, LEAST_ROWS = 4, MOST_ROWS = 100 };

typedef struct canvas {
    fnd_buffer cells; /* a byte a cell: points of Braille, or a letter */
    int columns, rows, points_across, points_down;
    bool unicode;
} canvas;

static const char letters[] = "*o+x#@%&";

/* Point (column, row) from the top left, of the finer grid; outside is left out. */
static void mark(canvas *c, int column, int row, int curve)
{
    static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (column < 0 || row < 0 || column >= c->points_across || row >= c->points_down) return;
    int across = c->unicode ? 2 : 1, down = c->unicode ? 4 : 1;
    char *cell = &c->cells.text[row / down * c->columns + column / across];
    if (c->unicode) *cell = (char)((unsigned char)*cell | bits[row % 4][column % 2]);
    else *cell = letters[(size_t)curve % (sizeof letters - 1)];
}

static int place(double value, double low, double high, int points)
{
    double at = (value - low) / (high - low) * (points - 1);
    return (int)floor((at < -1 ? -1 : at > points ? points : at) + 0.5);
}

static void draw(canvas *c, const fnd_plot_curve *curve, int index, const fnd_axis *x, const fnd_axis *y)
{
    bool begun = false;
    int column = 0, row = 0;
    for (size_t k = 0; k < curve->count; k++) {
        if (!isfinite(curve->y[k]) || !fnd_axis_shows(x, curve->x[k])) {
            begun = false;
            continue;
        }
        int to_column = place(curve->x[k], x->low, x->high, c->points_across);
        int to_row = c->points_down - 1 - place(curve->y[k], y->low, y->high, c->points_down);
        int steps = 0;
        if (begun) {
            int across = abs(to_column - column), down = abs(to_row - row);
            steps = across > down ? across : down;
        }
        for (int i = 1; i < steps; i++)
            mark(c, column + (int)lround((double)i * (to_column - column) / steps),
                 row + (int)lround((double)i * (to_row - row) / steps), index);
        mark(c, to_column, to_row, index);
        column = to_column;
        row = to_row;
        begun = true;
    }
}

/* Names come out of files: what a terminal might obey becomes '?'. */
static void print_words(fnd_buffer *to, const char *text)
{
    for (; *text; text++) fnd_buffer_append_char(to, (unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text);
}

static void put_cell(fnd_buffer *to, const canvas *c, unsigned char cell)
{
    if (!c->unicode || cell == 0) {
        fnd_buffer_append_char(to, cell == 0 ? ' ' : (char)cell);
        return;
    }
    const char bytes[3] = {(char)0xe2, (char)(0xa0 | cell >> 6), (char)(0x80 | (cell & 0x3f))}; /* U+2800 + cell */
    fnd_buffer_append(to, bytes, 3);
}

/* The index of the tick whose label stands at the row; -1: none. */
static int tick_at(const fnd_axis *axis, int row, int rows)
{
    for (int i = 0; i < axis->count; i++)
        if (rows - 1 - place(axis->first + i * axis->step, axis->low, axis->high, rows) == row) return i;
    return -1;
}

static void put_rows(fnd_buffer *to, const canvas *c, const fnd_axis *y)
{
    char label[64];
    for (int row = 0; row < c->rows; row++) {
        int tick = tick_at(y, row, c->rows), last = c->columns;
        const char *cells = &c->cells.text[row * c->columns];
        fnd_buffer_appendf(to, "%*s %s", MARGIN - 2, tick >= 0 ? fnd_axis_label(y, tick, label, sizeof label) : "",
                           c->unicode ? (tick >= 0 ? "\xe2\x94\xa4" : "\xe2\x94\x82") : (tick >= 0 ? "+" : "|"));
        while (last > 0 && cells[last - 1] == 0) last--;
        for (int i = 0; i < last; i++) put_cell(to, c, (unsigned char)cells[i]);
        fnd_buffer_append_char(to, '\n');
    }
}

static void put_x_axis(fnd_buffer *to, const canvas *c, const fnd_axis *x, const char *x_label)
{
    char line[MOST_COLUMNS + MARGIN + 1], label[64];
    fnd_buffer_append_repeat(to, ' ', MARGIN - 1);
    fnd_buffer_append_text(to, c->unicode ? "\xe2\x94\x94" : "+");
    for (int i = 0; i < c->columns; i++) {
        bool tick = false;
        for (int k = 0; k < x->count; k++)
            tick = tick || place(x->first + k * x->step, x->low, x->high, c->columns) == i;
        fnd_buffer_append_text(to, c->unicode ? (tick ? "\xe2\x94\xac" : "\xe2\x94\x80") : (tick ? "+" : "-"));
    }
    memset(line, ' ', sizeof line);
    int end = 0;
    for (int k = 0; k < x->count; k++) {
        int length = (int)strlen(fnd_axis_label(x, k, label, sizeof label));
        int at = MARGIN + place(x->first + k * x->step, x->low, x->high, c->columns) - length / 2;
        if (at < end + (end > 0) || at + length > MARGIN + c->columns) continue;
        memcpy(line + at, label, (size_t)length);
        end = at + length;
    }
    fnd_buffer_append_char(to, '\n');
    fnd_buffer_append(to, line, (size_t)end);
    fnd_buffer_appendf(to, "\n%*s", MARGIN, "");
    print_words(to, x_label);
    if (x->power != 0) fnd_buffer_appendf(to, ", 1e%d", x->power);
    fnd_buffer_append_char(to, '\n');
}

static bool print_panel(fnd_buffer *to, const fnd_plot_panel *panel, canvas *c, const fnd_axis *x)
{
    double low = 0, high = 0;
    fnd_buffer_clear(&c->cells);
    if (!fnd_buffer_append_repeat(&c->cells, '\0', (size_t)c->columns * (size_t)c->rows)) return false;
    if (!plot_range(panel, x, &low, &high)) low = high = 0;
    fnd_axis y = fnd_axis_make(low, high, c->rows / 3 < 3 ? 3 : c->rows / 3 > 10 ? 10 : c->rows / 3, true);
    for (int i = panel->curve_count - 1; i >= 0; i--) draw(c, &panel->curves[i], i, x, &y);
    print_words(to, panel->label);
    if (y.power != 0) fnd_buffer_appendf(to, ", 1e%d", y.power);
    fnd_buffer_append_char(to, '\n');
    for (int i = 0; i < panel->curve_count; i++) {
        fnd_buffer_append_text(to, "  ");
        if (!c->unicode) fnd_buffer_appendf(to, "%c ", letters[(size_t)i % (sizeof letters - 1)]);
        print_words(to, panel->curves[i].label);
        fnd_buffer_append_char(to, '\n');
    }
    put_rows(to, c, &y);
    return !to->failed;
}

bool fnd_plot_text(const fnd_plot *plot, int columns, int rows, bool unicode, fnd_buffer *to)
{
    if (columns < LEAST_COLUMNS) columns = LEAST_COLUMNS;
    if (columns > MOST_COLUMNS) columns = MOST_COLUMNS;
    if (rows < LEAST_ROWS) rows = LEAST_ROWS;
    if (rows > MOST_ROWS) rows = MOST_ROWS;
    canvas c = {
        .cells = fnd_buffer_open(&to->allocator), .columns = columns - MARGIN, .rows = rows, .unicode = unicode};
    c.points_across = unicode ? 2 * c.columns : c.columns;
    c.points_down = unicode ? 4 * rows : rows;
    fnd_axis x = plot_x_axis(plot, c.columns / 10 < 3 ? 3 : c.columns / 10 > 12 ? 12 : c.columns / 10);
    print_words(to, plot->title);
    if (plot->title[0]) fnd_buffer_append_char(to, '\n');
    bool good = true;
    for (int i = 0; i < plot->panel_count && good; i++) good = print_panel(to, &plot->panels[i], &c, &x);
    if (good) put_x_axis(to, &c, &x, plot->x_label);
    fnd_buffer_close(&c.cells);
    return good && !to->failed;
}
