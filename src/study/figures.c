/* Figures of a store: outcomes over two inputs, convergence, histograms, bars, parallel coordinates. */
#include "study/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/plot.h"
#include "support/json.h"
#include "support/number.h"

enum {
    LEFT = 70,
    RIGHT = 14,
    TOP = 46,
    BOTTOM = 48,
    BARS = 30,
    PLACES = 120,
    BAR_ROW = 22,
    MOST_LINES = 400,
    AXES = 9,
    MOST_RANKED = 64
};
static const double confidence = 0.95;

/* Colours that are told apart also by those who see fewer of them: Okabe and Ito, 2008, darkened a little. */
const char fnd_figure_style[] =
    "<style>.f-frame{fill:none;stroke:#888}.f-grid{fill:none;stroke:#888;stroke-opacity:.25}"
    ".f-text{fill:#333}.f-soft{fill:#666}.f-title{fill:#222;font-size:14px;font-weight:600}"
    ".f-no{fill:none;stroke:#0072b2;stroke-opacity:.75}.f-yes{fill:#d55e00;stroke:#fff;stroke-width:.4}"
    ".f-failed{fill:none;stroke:#111;stroke-width:1.6}.f-bar{fill:#0072b2;fill-opacity:.75}"
    ".f-whisker{fill:none;stroke:#111;stroke-width:1.1}.f-band{fill:#0072b2;fill-opacity:.2}"
    ".f-line{fill:none;stroke:#0072b2;stroke-width:2}.f-mark{fill:none;stroke:#d55e00;stroke-width:1.6}"
    ".f-markband{fill:#d55e00;fill-opacity:.2}.f-thread-no{fill:none;stroke:#0072b2;stroke-opacity:.22}"
    ".f-thread-yes{fill:none;stroke:#d55e00;stroke-opacity:.6;stroke-width:1.2}.f-halo{paint-order:stroke;stroke:#fff;"
    "stroke-width:3px}</style>";

/* ---- text */

void fnd_figure_text(fnd_buffer *to, const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        size_t length = fnd_utf8_character(text, left);
        const char *name = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        bool bad = length == 0 || (length == 1 && (unsigned char)*text < 0x20 && *text != '\n' && *text != '\t');
        if (length == 0) length = 1;
        if (bad) fnd_buffer_append_char(to, '?');
        else if (name) fnd_buffer_append_text(to, name);
        else fnd_buffer_append(to, text, length);
        text += length;
        left -= length;
    }
}

/* "name [unit]". */
static void put_name(fnd_buffer *to, const fnd_store_column *column)
{
    fnd_figure_text(to, column->name);
    if (!column->unit[0] || strcmp(column->unit, "1") == 0) return;
    fnd_buffer_append_text(to, " [");
    fnd_figure_text(to, column->unit);
    fnd_buffer_append_char(to, ']');
}

typedef struct shown {
    char text[FND_NUMBER_SIZE];
} shown;
static shown number(double value, int digits)
{
    shown s;
    fnd_number_format_digits(value, digits, s.text, sizeof s.text);
    return s;
}

/* ---- what is drawn */

/* Of two rows: numbers by their values, words by their letters. */
static int compare(const fnd_store_column *column, int64_t a, int64_t b)
{
    const double *x = column->numbers;
    if (x && x[a] != x[b]) return x[a] < x[b] ? -1 : 1;
    return strcmp(column->texts[a], column->texts[b]);
}

static const char **categories_of(fnd_results *r, const fnd_store_column *column, int *count)
{
    const char **words = FND_ARENA_NEW_ARRAY(&r->arena, const char *, FND_MOST_WORDS + 1);
    int64_t rows[FND_MOST_WORDS + 1]; /* that have them */
    *count = 0;
    for (int64_t i = 0; words && i < r->rows; i++) {
        int at = 0;
        while (at < *count && compare(column, rows[at], i) < 0) at++;
        if (at < *count && compare(column, rows[at], i) == 0) continue;
        if (*count == FND_MOST_WORDS) return NULL;
        for (int k = *count; k > at; k--) {
            words[k] = words[k - 1];
            rows[k] = rows[k - 1];
        }
        words[at] = column->texts[i];
        rows[at] = i;
        ++*count;
    }
    return words;
}

/* Every stride-th row, and the first of what that shows too little of: of each outcome that came about, of failures. */
static void choose_rows(fnd_figures *f)
{
    enum { FEW = 200 };
    const fnd_results *r = f->r;
    f->stride = r->rows / (FND_MOST_SHOWN + 1) + 1;
    for (int64_t i = 0; i < r->rows; i += f->stride) f->shown[i] = 1;
    for (int c = -1; c < r->column_count && f->stride > 1; c++) {
        if (c >= 0 && r->columns[c].kind != FND_COLUMN_OUTCOME) continue;
        int64_t there = 0;
        for (int64_t i = 0; i < r->rows; i++)
            if (f->shown[i] && (c < 0 ? r->status[i] == FND_ROW_FAILED : r->columns[c].values[i] > 0)) there++;
        for (int64_t i = 0; i < r->rows && there < FEW; i++)
            if (!f->shown[i] && (c < 0 ? r->status[i] == FND_ROW_FAILED : r->columns[c].values[i] > 0)) {
                f->shown[i] = 1;
                there++;
            }
    }
    for (int64_t i = 0; i < r->rows; i++) f->shown_count += f->shown[i];
}

bool fnd_figures_open(fnd_figures *f, fnd_results *r)
{
    size_t rows = (size_t)r->rows, columns = (size_t)r->column_count;
    *f = (fnd_figures){.r = r,
                       .results = r,
                       .values = FND_ARENA_NEW_ARRAY(&r->arena, double *, columns),
                       .words = FND_ARENA_NEW_ARRAY(&r->arena, const char *const *, columns),
                       .word_count = FND_ARENA_NEW_ARRAY(&r->arena, int, columns),
                       .shown = FND_ARENA_NEW_ARRAY(&r->arena, unsigned char, rows),
                       .correlations = FND_ARENA_NEW_ARRAY(&r->arena, fnd_estimate, 2 * columns * columns),
                       .known = FND_ARENA_NEW_ARRAY(&r->arena, unsigned char, 2 * columns * columns),
                       .a = FND_ARENA_NEW_ARRAY(&r->arena, double, rows),
                       .b = FND_ARENA_NEW_ARRAY(&r->arena, double, rows),
                       .room = FND_ARENA_NEW_ARRAY(&r->arena, double, 2 * rows),
                       .order = FND_ARENA_NEW_ARRAY(&r->arena, int64_t, rows),
                       .spare = FND_ARENA_NEW_ARRAY(&r->arena, int64_t, rows)};
    for (int c = 0; c < r->column_count && !r->arena.failed; c++) {
        const fnd_store_column *column = &r->columns[c];
        f->values[c] = column->values;
        if (!column->texts) continue;
        const char **words = categories_of(r, column, &f->word_count[c]);
        f->words[c] = words;
        f->values[c] = words ? FND_ARENA_NEW_ARRAY(&r->arena, double, rows) : NULL;
        for (int64_t i = 0; f->values[c] && i < r->rows; i++)
            while (strcmp(words[(int)f->values[c][i]], column->texts[i]) != 0) f->values[c][i]++;
    }
    f->design = fnd_store_design_of(r);
    f->is_sample = !f->design.is_grid && !f->design.is_indices && !f->design.is_morris;
    f->effects = FND_ARENA_NEW_ARRAY(&r->arena, double, (size_t)(3 * f->design.count));
    if (r->arena.failed) return false;
    choose_rows(f);
    return true;
}

fnd_estimate fnd_figures_correlation(fnd_figures *f, int a, int b, bool folded)
{
    const double *x = f->values[a], *y = f->values[b];
    int64_t count = 0;
    size_t at = 2 * ((size_t)a * (size_t)f->r->column_count + (size_t)b) + folded;
    if (f->known[at]) return f->correlations[at];
    for (int64_t i = 0; x && y && i < f->r->rows; i++) {
        if (isnan(x[i]) || isnan(y[i])) continue;
        f->a[count] = x[i];
        f->b[count++] = y[i];
    }
    if (folded && count > 0) {
        fnd_sort_indices(f->a, f->order, f->spare, count);
        double median = f->a[f->order[count / 2]];
        for (int64_t i = 0; i < count; i++) f->a[i] = fabs(f->a[i] - median);
    }
    f->known[at] = 1;
    f->correlations[at] = fnd_rank_correlation(f->a, f->b, count, confidence, f->room, f->order, f->spare);
    if (!f->is_sample) f->correlations[at].low = f->correlations[at].high = (double)NAN;
    return f->correlations[at];
}

static double strength(fnd_figures *f, int a, int b)
{
    double plain = fabs(fnd_figures_correlation(f, a, b, false).value),
           folded = fabs(fnd_figures_correlation(f, a, b, true).value);
    if (isnan(plain) && isnan(folded)) return -1;
    return isnan(folded) || plain >= folded ? plain : folded;
}

int fnd_figures_ranking(fnd_figures *f, int column, fnd_column_kind kind, int most, int *ranked)
{
    double sizes[MOST_RANKED];
    int count = 0;
    if (most > MOST_RANKED) most = MOST_RANKED;
    for (int c = 0; c < f->r->column_count; c++) {
        if (f->r->columns[c].kind != kind || !f->values[c] || c == column) continue;
        double size = strength(f, c, column);
        int at = count;
        while (at > 0 && sizes[at - 1] < size) at--;
        if (at >= most) continue;
        if (count < most) count++;
        for (int k = count - 1; k > at; k--) {
            sizes[k] = sizes[k - 1];
            ranked[k] = ranked[k - 1];
        }
        sizes[at] = size;
        ranked[at] = c;
    }
    return count;
}

bool fnd_figures_choose(fnd_figures *f, int outcome, int chosen[2])
{
    return fnd_figures_ranking(f, outcome, FND_COLUMN_INPUT, 2, chosen) == 2;
}

static const char *label_of(fnd_figures *f, const char *name, const char *what)
{
    char text[120];
    int size = snprintf(text, sizeof text, "%.80s%s", name, what);
    const char *kept = fnd_arena_copy(&f->results->arena, text, (size_t)size);
    return kept ? kept : "";
}

/* Sobol's indices or Morris' effects, of the most influential variables first. */
static bool designed_sensitivities(fnd_figures *f, int column, fnd_bar *room, int most, fnd_bars *table)
{
    const fnd_store_design *d = &f->design;
    const int bars = d->is_indices ? 2 : 1;
    *table = (fnd_bars){.title = f->r->columns[column].name,
                        .axis = d->is_indices ? "Sobol' index" : "mu*, mean size of the effect of the whole range",
                        .bars = room,
                        .high = d->is_indices ? 1 : 0};
    for (int64_t i = 0; i < d->variables; i++) {
        const fnd_sensitivity s = fnd_sensitivity_of(f->r, d, column, i, 0.95, f->effects);
        const fnd_bar pair[2] = {
            {label_of(f, s.name, d->is_indices ? ", total" : ""), d->is_indices ? s.total : s.effect.size},
            {label_of(f, s.name, ", first order"), s.first}};
        if (isnan(pair[0].value.value)) continue;
        int at = table->count;
        while (at > 0 && room[at - bars].value.value < pair[0].value.value) at -= bars;
        if (at + bars > most) continue;
        if (table->count + bars > most) table->count -= bars;
        memmove(room + at + bars, room + at, (size_t)(table->count - at) * sizeof *room);
        memcpy(room + at, pair, (size_t)bars * sizeof *room);
        table->count += bars;
    }
    return table->count > 0;
}

bool fnd_figures_sensitivities(fnd_figures *f, int column, fnd_bar *room, int most, fnd_bars *table)
{
    if (f->design.is_indices || f->design.is_morris) return designed_sensitivities(f, column, room, most, table);
    int ranked[MOST_RANKED], count = fnd_figures_ranking(f, column, FND_COLUMN_INPUT, most, ranked);
    *table = (fnd_bars){
        .title = f->r->columns[column].name, .axis = "rank correlation", .bars = room, .low = -1, .high = 1};
    for (int i = 0; i < count; i++) {
        const char *name = f->r->columns[ranked[i]].name;
        fnd_estimate plain = fnd_figures_correlation(f, ranked[i], column, false),
                     folded = fnd_figures_correlation(f, ranked[i], column, true);
        bool both_ends = fabs(folded.value) > fabs(plain.value) && (folded.low > 0 || folded.high < 0);
        if (both_ends) {
            char text[100];
            int size = snprintf(text, sizeof text, "|%.60s - median|", name);
            const char *kept = fnd_arena_copy(&f->results->arena, text, (size_t)size);
            if (kept) name = kept;
        }
        if (both_ends || !isnan(plain.value)) room[table->count++] = (fnd_bar){name, both_ends ? folded : plain};
    }
    return table->count > 0;
}

/* ---- frames and axes */

typedef struct axis {
    fnd_axis scale;
    const char *const *words; /* at 0, 1, 2, ..; NULL: numbers */
    int word_count;
} axis;

static axis axis_over(double low, double high, int most, bool round)
{
    return (axis){.scale = fnd_axis_make(low, high, most, round)};
}

/* Of a column, with room on both sides so that no point lies on the frame. */
static axis axis_of(const fnd_figures *f, int column, int most)
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int64_t i = 0; f->values[column] && i < f->r->rows; i++) {
        double value = f->values[column][i];
        if (!isfinite(value)) continue;
        if (value < low) low = value;
        if (value > high) high = value;
    }
    if (f->words[column]) {
        axis a = {.words = f->words[column], .word_count = f->word_count[column]};
        a.scale = fnd_axis_make(-0.5, (double)a.word_count - 0.5, 3, false);
        return a;
    }
    double room = 0.03 * (high - low);
    return axis_over(low - room, high + room, most, false);
}

static int tick_count(const axis *a) { return a->words ? a->word_count : a->scale.count; }
static double tick_at(const axis *a, int i) { return a->words ? i : a->scale.first + i * a->scale.step; }
static void put_tick(fnd_buffer *to, const axis *a, int i)
{
    char text[64];
    if (a->words) {
        size_t length = strlen(a->words[i]);
        snprintf(text, sizeof text, "%.*s%s", (int)fnd_utf8_fit(a->words[i], length, length > 11 ? 10 : 11),
                 a->words[i], length > 11 ? ".." : "");
    } else fnd_axis_label(&a->scale, i, text, sizeof text);
    fnd_figure_text(to, text);
}

typedef struct frame {
    double left, right, top, bottom;
    axis x, y;
} frame;

static double place(const fnd_axis *scale, double value, double low, double high)
{
    return low + (value - scale->low) / (scale->high - scale->low) * (high - low);
}
static double across(const frame *f, double value) { return place(&f->x.scale, value, f->left, f->right); }
static double up(const frame *f, double value) { return place(&f->y.scale, value, f->bottom, f->top); }

static frame frame_of(axis x, axis y)
{
    return (frame){LEFT, FND_FIGURE_WIDTH - RIGHT, TOP, FND_FIGURE_HEIGHT - BOTTOM, x, y};
}

static void put_frame(fnd_buffer *to, const frame *f)
{
    fnd_buffer_append_text(to, "<path class=\"f-grid\" d=\"");
    for (int i = 0; i < tick_count(&f->x); i++)
        fnd_buffer_appendf(to, "M%.1f %.1fV%.1f", across(f, tick_at(&f->x, i)), f->top, f->bottom);
    for (int i = 0; i < tick_count(&f->y); i++)
        fnd_buffer_appendf(to, "M%.1f %.1fH%.1f", f->left, up(f, tick_at(&f->y, i)), f->right);
    fnd_buffer_appendf(to, "\"/><path class=\"f-frame\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", f->left, f->top, f->bottom,
                       f->right);
    for (int i = 0; i < tick_count(&f->x); i++) {
        fnd_buffer_appendf(to, "<text class=\"f-text\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                           across(f, tick_at(&f->x, i)), f->bottom + 16);
        put_tick(to, &f->x, i);
        fnd_buffer_append_text(to, "</text>");
    }
    for (int i = 0; i < tick_count(&f->y); i++) {
        fnd_buffer_appendf(to, "<text class=\"f-text\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", f->left - 6,
                           up(f, tick_at(&f->y, i)) + 4);
        put_tick(to, &f->y, i);
        fnd_buffer_append_text(to, "</text>");
    }
    fnd_buffer_append_char(to, '\n');
}

static void put_power(fnd_buffer *to, const axis *a)
{
    if (!a->words && a->scale.power != 0) fnd_buffer_appendf(to, ", 1e%d", a->scale.power);
}
static void begin_x_label(fnd_buffer *to, const frame *f)
{
    fnd_buffer_appendf(to, "<text class=\"f-text\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                       0.5 * (f->left + f->right), f->bottom + 36);
}
static void begin_y_label(fnd_buffer *to, const frame *f)
{
    fnd_buffer_appendf(to,
                       "<text class=\"f-text\" transform=\"translate(14 %.1f) rotate(-90)\" text-anchor=\"middle\">",
                       0.5 * (f->top + f->bottom));
}
static void end_label(fnd_buffer *to, const axis *a)
{
    put_power(to, a);
    fnd_buffer_append_text(to, "</text>\n");
}
static void begin_title(fnd_buffer *to) { fnd_buffer_appendf(to, "<text class=\"f-title\" x=\"%d\" y=\"16\">", 4); }

/* ---- outcomes over two inputs */

static const char *const mark_classes[] = {"f-no", "f-yes", "f-failed"};
static const char *const mark_names[] = {"no", "yes", "run failed"};

static void put_mark(fnd_buffer *to, int kind, double x, double y)
{
    if (kind == 0) fnd_buffer_appendf(to, "M%.1f %.1fa2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0 -4.4 0", x - 2.2, y);
    else if (kind == 1) fnd_buffer_appendf(to, "M%.1f %.1fl4 6.6h-8z", x, y - 4.2);
    else fnd_buffer_appendf(to, "M%.1f %.1fl6 6m0 -6l-6 6", x - 3, y - 3);
}

/* From right to left at the height of a title. */
static void put_legend(fnd_buffer *to, double right, double y, const bool *there)
{
    for (int kind = 2; kind >= 0; kind--) {
        if (!there[kind]) continue;
        double width = 7.0 * (double)strlen(mark_names[kind]);
        fnd_buffer_appendf(to, "<text class=\"f-soft\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", right, y,
                           mark_names[kind]);
        fnd_buffer_appendf(to, "<path class=\"%s\" d=\"", mark_classes[kind]);
        put_mark(to, kind, right - width - 6, y - 4);
        fnd_buffer_append_text(to, "\"/>");
        right -= width + 24;
    }
}

static int kind_of(const fnd_figures *f, int outcome, int64_t row)
{
    double value = f->r->columns[outcome].values[row];
    return isnan(value) ? 2 : value > 0;
}

/* Words lie on lines: points are spread across them, the same way every time. */
static double spread(const axis *a, int64_t run)
{
    return a->words ? 0.6 * (fmod((double)run * 0.6180339887498949, 1) - 0.5) : 0;
}

/* The kinds of an outcome among the rows that are drawn, the rarest last, to be on top. */
static void order_kinds(const fnd_figures *f, int outcome, int kinds[3], int64_t counts[3])
{
    for (int kind = 0; kind < 3; kind++) {
        kinds[kind] = kind;
        counts[kind] = 0;
    }
    for (int64_t i = 0; i < f->r->rows; i++)
        if (f->shown[i]) counts[kind_of(f, outcome, i)]++;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2 - a; b++)
            if (counts[kinds[b]] < counts[kinds[b + 1]]) {
                int kept = kinds[b];
                kinds[b] = kinds[b + 1];
                kinds[b + 1] = kept;
            }
}

void fnd_figure_scatter(fnd_buffer *to, fnd_figures *f, int outcome, int x, int y)
{
    const fnd_results *r = f->r;
    frame place_of = frame_of(axis_of(f, x, 6), axis_of(f, y, 6));
    bool there[3] = {false, false, false};
    int kinds[3];
    int64_t counts[3];
    order_kinds(f, outcome, kinds, counts);
    put_frame(to, &place_of);
    for (int k = 0; k < 3; k++) {
        int kind = kinds[k];
        fnd_buffer_appendf(to, "<path class=\"%s\" d=\"", mark_classes[kind]);
        for (int64_t i = 0; i < r->rows; i++) {
            if (!f->shown[i] || kind_of(f, outcome, i) != kind || !isfinite(f->values[x][i]) ||
                !isfinite(f->values[y][i]))
                continue;
            there[kind] = true;
            put_mark(to, kind, across(&place_of, f->values[x][i] + spread(&place_of.x, r->run[i])),
                     up(&place_of, f->values[y][i] + spread(&place_of.y, 7 * r->run[i])));
        }
        fnd_buffer_append_text(to, "\"/>\n");
    }
    begin_title(to);
    fnd_figure_text(to, r->columns[outcome].name);
    fnd_buffer_append_text(to, "</text>");
    put_legend(to, FND_FIGURE_WIDTH - RIGHT, 16, there);
    if (f->stride > 1)
        fnd_buffer_appendf(to,
                           "<text class=\"f-soft\" x=\"%d\" y=\"32\" text-anchor=\"end\">%lld of %lld runs are drawn"
                           "</text>",
                           FND_FIGURE_WIDTH - RIGHT, (long long)f->shown_count, (long long)r->rows);
    begin_x_label(to, &place_of);
    put_name(to, &r->columns[x]);
    end_label(to, &place_of.x);
    begin_y_label(to, &place_of);
    put_name(to, &r->columns[y]);
    end_label(to, &place_of.y);
}

/* ---- convergence */

void fnd_figure_convergence(fnd_buffer *to, fnd_figures *f, int outcome)
{
    const fnd_results *r = f->r;
    fnd_estimate e[PLACES];
    double runs[PLACES], high = 0, low = 100;
    int64_t seen = 0, hits = 0;
    int count = 0;
    for (int p = 0; p < PLACES; p++) { /* denser at the beginning */
        int64_t end = (int64_t)ceil((double)r->rows * (p + 1) * (p + 1) / ((double)PLACES * PLACES));
        if (end <= seen || end > r->rows) continue;
        for (; seen < end; seen++) hits += r->columns[outcome].values[seen] > 0;
        runs[count] = (double)end;
        e[count] = fnd_binomial(hits, end, confidence);
        e[count] = (fnd_estimate){100 * e[count].value, 100 * e[count].low, 100 * e[count].high};
        count++;
    }
    for (int p = 0; p < count; p++) /* the first few runs say nothing and would fill the picture */
        if (runs[p] >= (double)r->rows / 12 || count < 12) {
            if (e[p].high > high) high = e[p].high;
            if (e[p].low < low) low = e[p].low;
        }
    frame place_of = frame_of(axis_over(0, (double)r->rows, 6, false), axis_over(low, high, 6, true));
    const fnd_axis *y = &place_of.y.scale;
    put_frame(to, &place_of);
    fnd_buffer_append_text(to, "<path class=\"f-band\" d=\"");
    for (int p = 0; p < 2 * count; p++) {
        int at = p < count ? p : 2 * count - 1 - p;
        double level = p < count ? e[at].high : e[at].low;
        fnd_buffer_appendf(to, "%c%.1f %.1f", p == 0 ? 'M' : 'L', across(&place_of, runs[at]),
                           up(&place_of, level > y->high  ? y->high
                                         : level < y->low ? y->low
                                                          : level));
    }
    fnd_buffer_append_text(to, "\"/><path class=\"f-line\" d=\"");
    for (int p = 0, begun = 0; p < count; p++) {
        if (e[p].value > y->high || e[p].value < y->low) {
            begun = 0;
            continue;
        }
        fnd_buffer_appendf(to, "%c%.1f %.1f", begun++ ? 'L' : 'M', across(&place_of, runs[p]),
                           up(&place_of, e[p].value));
    }
    fnd_buffer_append_text(to, "\"/>\n");
    begin_title(to);
    fnd_buffer_append_text(to, "P(");
    fnd_figure_text(to, r->columns[outcome].name);
    fnd_buffer_append_text(to, ")</text>");
    if (count > 0)
        fnd_buffer_appendf(to, "<text class=\"f-soft\" x=\"%d\" y=\"32\">%s %% (%s to %s %% at 95 %%)</text>\n", 4,
                           number(e[count - 1].value, 4).text, number(e[count - 1].low, 4).text,
                           number(e[count - 1].high, 4).text);
    begin_x_label(to, &place_of);
    fnd_buffer_append_text(to, "runs");
    end_label(to, &place_of.x);
    begin_y_label(to, &place_of);
    fnd_buffer_append_text(to, "probability [%]");
    end_label(to, &place_of.y);
}

/* ---- histograms */

/* Bars of whole numbers when there are few, else of equal width. */
static int bars_over(const double *sorted, int64_t count, double *low, double *width)
{
    double from = sorted[0], until = sorted[count - 1];
    bool whole = until - from < BARS && until - from > 0;
    for (int64_t i = 0; whole && i < count; i++) whole = sorted[i] == floor(sorted[i]);
    if (whole) {
        *low = from - 0.5;
        *width = 1;
        return (int)(until - from) + 1;
    }
    int bars = (int)(2 * cbrt((double)count)) + 1;
    bars = bars > BARS ? BARS : bars;
    fnd_axis ends = fnd_axis_make(from, until, 3, false); /* equal ends are spread */
    *low = ends.low;
    *width = (ends.high - ends.low) / bars;
    return bars;
}

static void put_bars(fnd_buffer *to, const frame *f, const fnd_estimate *e, double low, double width, int bars)
{
    fnd_buffer_append_text(to, "<path class=\"f-bar\" d=\"");
    for (int i = 0; i < bars; i++) {
        if (!(e[i].value > 0)) continue;
        double left = across(f, low + i * width), right = across(f, low + (i + 1) * width);
        fnd_buffer_appendf(to, "M%.1f %.1fV%.1fH%.1fV%.1fz", left + 0.5, f->bottom, up(f, e[i].value), right - 0.5,
                           f->bottom);
    }
    fnd_buffer_append_text(to, "\"/><path class=\"f-whisker\" d=\"");
    for (int i = 0; i < bars; i++)
        if (e[i].value > 0)
            fnd_buffer_appendf(to, "M%.1f %.1fV%.1f", across(f, low + (i + 0.5) * width), up(f, e[i].low),
                               up(f, e[i].high));
    fnd_buffer_append_text(to, "\"/>\n");
}

void fnd_figure_histogram(fnd_buffer *to, fnd_figures *f, int column)
{
    const fnd_results *r = f->r;
    double low = 0, width = 1, highest = 0;
    int64_t count = 0, in_bar[BARS + 1] = {0};
    fnd_estimate e[BARS + 1];
    int bars = f->words[column] ? f->word_count[column] : 0;
    axis x = axis_of(f, column, 6);
    for (int64_t i = 0; f->values[column] && i < r->rows; i++)
        if (isfinite(f->values[column][i])) f->a[count++] = f->values[column][i];
    if (count == 0) return;
    fnd_sort_indices(f->a, f->order, f->spare, count);
    for (int64_t i = 0; i < count; i++) f->b[i] = f->a[f->order[i]];
    if (bars > 0) low = -0.5;
    else {
        bars = bars_over(f->b, count, &low, &width);
        x = axis_over(low, low + bars * width, 6, false);
    }
    for (int64_t i = 0; i < count; i++) {
        int at = (int)((f->b[i] - low) / width);
        in_bar[at < 0 ? 0 : at >= bars ? bars - 1 : at]++;
    }
    for (int i = 0; i < bars; i++) {
        e[i] = fnd_binomial(in_bar[i], count, confidence);
        e[i] = (fnd_estimate){100 * e[i].value, 100 * e[i].low, 100 * e[i].high};
        if (in_bar[i] > 0 && e[i].high > highest) highest = e[i].high;
    }
    frame place_of = frame_of(x, axis_over(0, highest, 6, true));
    put_frame(to, &place_of);
    put_bars(to, &place_of, e, low, width, bars);
    begin_title(to);
    put_name(to, &r->columns[column]);
    fnd_buffer_append_text(to, "</text>");
    if (!f->words[column]) {
        fnd_estimate median = fnd_sample_quantile(f->b, count, 0.5, confidence);
        if (!isnan(median.low) && !isnan(median.high))
            fnd_buffer_appendf(to, "<path class=\"f-markband\" d=\"M%.1f %.1fV%.1fH%.1fV%.1fz\"/>",
                               across(&place_of, median.low), place_of.top, place_of.bottom,
                               across(&place_of, median.high), place_of.top);
        fnd_buffer_appendf(to, "<path class=\"f-mark\" d=\"M%.1f %.1fV%.1f\"/>", across(&place_of, median.value),
                           place_of.top, place_of.bottom);
        fnd_buffer_appendf(to, "<text class=\"f-soft\" x=\"%d\" y=\"32\">median %s", 4, number(median.value, 4).text);
        if (!isnan(median.low) && !isnan(median.high))
            fnd_buffer_appendf(to, " (%s to %s at 95 %%)", number(median.low, 4).text, number(median.high, 4).text);
        fnd_buffer_append_text(to, "</text>");
    }
    fnd_buffer_appendf(to, "<text class=\"f-soft\" x=\"%d\" y=\"16\" text-anchor=\"end\">%lld runs</text>\n",
                       FND_FIGURE_WIDTH - RIGHT, (long long)count);
    begin_x_label(to, &place_of);
    put_name(to, &r->columns[column]);
    end_label(to, &place_of.x);
    begin_y_label(to, &place_of);
    fnd_buffer_append_text(to, "share of runs [%]");
    end_label(to, &place_of.y);
}

/* ---- bars from a table */

int fnd_figure_bars_height(const fnd_bars *table) { return TOP + BAR_ROW * table->count + BOTTOM; }

void fnd_figure_bars(fnd_buffer *to, const fnd_bars *table)
{
    double low = table->low, high = table->high;
    for (int i = 0; i < table->count; i++) {
        const fnd_estimate *e = &table->bars[i].value;
        if (e->low < low) low = e->low;
        if (e->high > high) high = e->high;
    }
    frame f = frame_of(axis_over(low, high, 6, true), axis_over(0, 1, 3, true));
    f.left = 150;
    f.bottom = TOP + BAR_ROW * table->count;
    fnd_buffer_append_text(to, "<path class=\"f-grid\" d=\"");
    for (int i = 0; i < tick_count(&f.x); i++)
        fnd_buffer_appendf(to, "M%.1f %.1fV%.1f", across(&f, tick_at(&f.x, i)), f.top, f.bottom);
    fnd_buffer_append_text(to, "\"/><path class=\"f-bar\" d=\"");
    for (int i = 0; i < table->count; i++) {
        double top = f.top + BAR_ROW * i + 4;
        fnd_buffer_appendf(to, "M%.1f %.1fH%.1fv%dH%.1fz", across(&f, 0), top, across(&f, table->bars[i].value.value),
                           BAR_ROW - 8, across(&f, 0));
    }
    fnd_buffer_append_text(to, "\"/><path class=\"f-whisker\" d=\"");
    for (int i = 0; i < table->count; i++) {
        const fnd_estimate *e = &table->bars[i].value;
        double middle = f.top + BAR_ROW * i + BAR_ROW / 2.0;
        if (isnan(e->low) || isnan(e->high)) continue;
        fnd_buffer_appendf(to, "M%.1f %.1fH%.1fm0 -4v8M%.1f %.1fv8", across(&f, e->low), middle, across(&f, e->high),
                           across(&f, e->low), middle - 4);
    }
    fnd_buffer_appendf(to, "\"/><path class=\"f-frame\" d=\"M%.1f %.1fV%.1f\"/>\n", across(&f, 0), f.top, f.bottom);
    for (int i = 0; i < table->count; i++) {
        const char *label = table->bars[i].label;
        size_t length = strlen(label), fit = fnd_utf8_fit(label, length, 20);
        char text[64];
        snprintf(text, sizeof text, "%.*s%s", (int)fit, label, fit < length ? ".." : "");
        fnd_buffer_appendf(to, "<text class=\"f-text\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", f.left - 8,
                           f.top + BAR_ROW * i + BAR_ROW / 2.0 + 4);
        fnd_figure_text(to, text);
        fnd_buffer_append_text(to, "</text>");
    }
    for (int i = 0; i < tick_count(&f.x); i++) {
        fnd_buffer_appendf(to, "<text class=\"f-text\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                           across(&f, tick_at(&f.x, i)), f.bottom + 16);
        put_tick(to, &f.x, i);
        fnd_buffer_append_text(to, "</text>");
    }
    begin_title(to);
    fnd_figure_text(to, table->title);
    fnd_buffer_append_text(to, "</text>");
    begin_x_label(to, &f);
    fnd_figure_text(to, table->axis);
    end_label(to, &f.x);
}

/* ---- parallel coordinates */

void fnd_figure_parallel(fnd_buffer *to, fnd_figures *f, int of)
{
    enum { TEXT = 64, HIGH = FND_FIGURE_HEIGHT - 24 };
    const fnd_results *r = f->r;
    int columns[AXES], count = fnd_figures_ranking(f, of, FND_COLUMN_INPUT, 6, columns);
    bool there[3] = {false, false, false};
    axis axes[AXES];
    count += fnd_figures_ranking(f, of, FND_COLUMN_KEPT, AXES - count > 3 ? 3 : AXES - count, columns + count);
    if (count < 2) return;
    for (int c = 0; c < count; c++) axes[c] = axis_of(f, columns[c], 6);
    double step = (double)(FND_FIGURE_WIDE - 2 * TEXT) / (count - 1);
    int kinds[3];
    int64_t counts[3], drawn = 0;
    order_kinds(f, of, kinds, counts);
    for (int k = 0; k < 3; k++) {
        int kind = kinds[k];
        int64_t at = 0, stride = counts[kind] / (MOST_LINES + 1) + 1;
        fnd_buffer_appendf(to, "<path class=\"%s\" d=\"",
                           kind == 0   ? "f-thread-no"
                           : kind == 1 ? "f-thread-yes"
                                       : "f-failed");
        for (int64_t i = 0; i < r->rows; i++) {
            if (!f->shown[i] || kind_of(f, of, i) != kind || at++ % stride != 0) continue;
            bool begun = false;
            there[kind] = true;
            drawn++;
            for (int c = 0; c < count; c++) {
                double value = f->values[columns[c]][i];
                if (!isfinite(value)) {
                    begun = false;
                    continue;
                }
                fnd_buffer_appendf(to, "%c%.1f %.1f", begun ? 'L' : 'M', TEXT + c * step,
                                   place(&axes[c].scale, value + spread(&axes[c], r->run[i]), HIGH, TOP + 24));
                begun = true;
            }
        }
        fnd_buffer_append_text(to, "\"/>\n");
    }
    for (int c = 0; c < count; c++) {
        double x = TEXT + c * step;
        fnd_buffer_appendf(to, "<path class=\"f-frame\" d=\"M%.1f %dV%d\"/>", x, TOP + 24, HIGH);
        fnd_buffer_appendf(to, "<text class=\"f-text\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x,
                           c % 2 == 0 ? TOP + 14 : HIGH + 18);
        put_name(to, &r->columns[columns[c]]);
        end_label(to, &axes[c]);
        for (int i = 0; i < tick_count(&axes[c]); i++) {
            double y = place(&axes[c].scale, tick_at(&axes[c], i), HIGH, TOP + 24);
            fnd_buffer_appendf(to, "<path class=\"f-frame\" d=\"M%.1f %.1fh-5\"/>", x, y);
            fnd_buffer_appendf(to, "<text class=\"f-soft f-halo\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", x - 7,
                               y + 4);
            put_tick(to, &axes[c], i);
            fnd_buffer_append_text(to, "</text>");
        }
        fnd_buffer_append_char(to, '\n');
    }
    begin_title(to);
    fnd_figure_text(to, r->columns[of].name);
    fnd_buffer_append_text(to, "</text>");
    put_legend(to, FND_FIGURE_WIDE - RIGHT, 16, there);
    if (drawn < r->rows)
        fnd_buffer_appendf(to, "<text class=\"f-soft\" x=\"4\" y=\"32\">%lld of %lld runs are drawn</text>",
                           (long long)drawn, (long long)r->rows);
}
