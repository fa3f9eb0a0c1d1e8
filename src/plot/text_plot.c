/* Plots as text: Braille patterns of eight points, or letters where a terminal has only ASCII. */
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static void put_words(fnd_buffer *to, const char *text)
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
    put_words(to, x_label);
    if (x->power != 0) fnd_buffer_appendf(to, ", 1e%d", x->power);
    fnd_buffer_append_char(to, '\n');
}

static bool put_panel(fnd_buffer *to, const fnd_plot_panel *panel, canvas *c, const fnd_axis *x)
{
    double low = 0, high = 0;
    fnd_buffer_clear(&c->cells);
    if (!fnd_buffer_append_repeat(&c->cells, '\0', (size_t)c->columns * (size_t)c->rows)) return false;
    if (!fnd_plot_range(panel, x, &low, &high)) low = high = 0;
    fnd_axis y = fnd_axis_make(low, high, c->rows / 3 < 3 ? 3 : c->rows / 3 > 10 ? 10 : c->rows / 3, true);
    for (int i = panel->curve_count - 1; i >= 0; i--) draw(c, &panel->curves[i], i, x, &y);
    put_words(to, panel->label);
    if (y.power != 0) fnd_buffer_appendf(to, ", 1e%d", y.power);
    fnd_buffer_append_char(to, '\n');
    for (int i = 0; i < panel->curve_count; i++) {
        fnd_buffer_append_text(to, "  ");
        if (!c->unicode) fnd_buffer_appendf(to, "%c ", letters[(size_t)i % (sizeof letters - 1)]);
        put_words(to, panel->curves[i].label);
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
    fnd_axis x = fnd_plot_x_axis(plot, c.columns / 10 < 3 ? 3 : c.columns / 10 > 12 ? 12 : c.columns / 10);
    put_words(to, plot->title);
    if (plot->title[0]) fnd_buffer_append_char(to, '\n');
    bool good = true;
    for (int i = 0; i < plot->panel_count && good; i++) good = put_panel(to, &plot->panels[i], &c, &x);
    if (good) put_x_axis(to, &c, &x, plot->x_label);
    fnd_buffer_close(&c.cells);
    return good && !to->failed;
}
