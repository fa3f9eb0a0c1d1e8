/* Plots as SVG: panels with axes, grid, curves and a legend. */
#include "plot/plot.h"

#include "support/json.h"

#include <math.h>
#include <string.h>

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

/* ---- text */

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
    if (!fnd_plot_range(panel, &f->x, &low, &high)) low = high = 0;
    f->y = fnd_axis_make(low, high, 7, true);
    put_axes(to, f, panel->label, index + 1 == plot->panel_count);
    for (int i = 0; i < panel->curve_count; i++) put_curve(to, f, &panel->curves[i]);
    f->top = f->bottom + GAP;
}

bool fnd_plot_svg(const fnd_plot *plot, fnd_buffer *to)
{
    int width = plot->width > 0 ? plot->width : WIDTH, panel = plot->panel_height > 0 ? plot->panel_height : PANEL;
    frame f = {.left = LEFT, .right = width - RIGHT, .top = TOP + (plot->title[0] ? TITLE : 0)};
    f.x = fnd_plot_x_axis(plot, width / 80 < 3 ? 3 : width / 80 > 14 ? 14 : width / 80);
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
