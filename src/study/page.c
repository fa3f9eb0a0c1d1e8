/* One HTML page of a store: outcomes over two inputs, histograms, convergence, the worst runs. */
#include "study/statistics.h"
#include "study/store.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/memory.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 460, HEIGHT = 300, LEFT = 62, BOTTOM = 34, MOST_POINTS = 5000, BARS = 30, MOST_WORST = 20 };

static void put_text(fnd_buffer *b, const char *text)
{
    for (; *text; text++) {
        if (*text == '<') fnd_buffer_append_text(b, "&lt;");
        else if (*text == '>') fnd_buffer_append_text(b, "&gt;");
        else if (*text == '&') fnd_buffer_append_text(b, "&amp;");
        else if (*text == '"') fnd_buffer_append_text(b, "&quot;");
        else fnd_buffer_append_char(b, *text);
    }
}

static void put_name(fnd_buffer *b, const fnd_store_column *column)
{
    put_text(b, column->name);
    if (!column->unit[0] || strcmp(column->unit, "1") == 0) return;
    fnd_buffer_append_text(b, " [");
    put_text(b, column->unit);
    fnd_buffer_append_char(b, ']');
}

typedef struct range {
    double low, high;
} range;

static range range_of(const fnd_results *r, const fnd_store_column *column)
{
    range x = {(double)INFINITY, -(double)INFINITY};
    for (int64_t i = 0; i < r->rows; i++) {
        double value = column->values[i];
        if (value < x.low) x.low = value;
        if (value > x.high) x.high = value;
    }
    if (!(x.high > x.low)) x.high = x.low + 1;
    return x;
}

static double across(range x, double value) { return LEFT + (value - x.low) / (x.high - x.low) * (WIDTH - LEFT - 10); }
static double up(range y, double value)
{
    return HEIGHT - BOTTOM - (value - y.low) / (y.high - y.low) * (HEIGHT - BOTTOM - 10);
}

static void begin_picture(fnd_buffer *b, range x, range y)
{
    fnd_buffer_appendf(b, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">", WIDTH, HEIGHT, WIDTH,
                       HEIGHT);
    fnd_buffer_appendf(b, "<path class=\"axis\" d=\"M%d 10V%dH%d\"/>", LEFT, HEIGHT - BOTTOM, WIDTH - 10);
    for (int i = 0; i < 5; i++) {
        double at = x.low + i * (x.high - x.low) / 4, level = y.low + i * (y.high - y.low) / 4;
        fnd_buffer_appendf(b, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.4g</text>", across(x, at),
                           HEIGHT - BOTTOM + 15, at);
        fnd_buffer_appendf(b, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>", LEFT - 5, up(y, level) + 4,
                           level);
    }
}

/* The two inputs of numbers that the outcome goes with most, by rank correlation. */
static void choose_inputs(const fnd_results *r, const fnd_store_column *outcome, double *room, int64_t *order,
                          int64_t *spare, int chosen[2])
{
    double best[2] = {-1, -1};
    chosen[0] = chosen[1] = -1;
    for (int c = 0; c < r->column_count; c++) {
        const fnd_store_column *column = &r->columns[c];
        if (column->kind != FND_COLUMN_INPUT || column->texts) continue;
        int64_t count = 0;
        double *a = room, *b = room + r->rows;
        for (int64_t i = 0; i < r->rows; i++) {
            if (isnan(column->values[i]) || isnan(outcome->values[i])) continue;
            a[count] = column->values[i];
            b[count++] = outcome->values[i];
        }
        double size = fabs(fnd_rank_correlation(a, b, count, 0.95, room + 2 * r->rows, order, spare).value);
        if (isnan(size)) size = 0;
        if (size > best[0]) {
            best[1] = best[0];
            chosen[1] = chosen[0];
            best[0] = size;
            chosen[0] = c;
        } else if (size > best[1]) {
            best[1] = size;
            chosen[1] = c;
        }
    }
}

static void put_scatter(fnd_buffer *b, const fnd_results *r, const fnd_store_column *outcome, const int chosen[2])
{
    const fnd_store_column *cx = &r->columns[chosen[0]], *cy = &r->columns[chosen[1]];
    range x = range_of(r, cx), y = range_of(r, cy);
    fnd_buffer_append_text(b, "<figure>");
    begin_picture(b, x, y);
    int64_t stride = r->rows / MOST_POINTS + 1;
    for (int pass = 0; pass < 3; pass++) /* the rarer ones on top: no, yes, failed */
        for (int64_t i = 0; i < r->rows; i += stride) {
            double value = outcome->values[i];
            int kind = isnan(value) ? 2 : value > 0;
            if (kind != pass || isnan(cx->values[i]) || isnan(cy->values[i])) continue;
            fnd_buffer_appendf(
                b, "<circle class=\"k%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"><title>run %lld</title></circle>", kind,
                across(x, cx->values[i]), up(y, cy->values[i]), (long long)r->run[i]);
        }
    fnd_buffer_append_text(b, "</svg><figcaption><b>");
    put_text(b, outcome->name);
    fnd_buffer_append_text(b, "</b>: filled, failed: crossed; across: ");
    put_name(b, cx);
    fnd_buffer_append_text(b, ", up: ");
    put_name(b, cy);
    if (stride > 1) fnd_buffer_appendf(b, "; every %lldth run", (long long)stride);
    fnd_buffer_append_text(b, "</figcaption></figure>");
}

/* The probability after so many runs, with its interval. */
static void put_convergence(fnd_buffer *b, const fnd_results *r, const fnd_store_column *outcome)
{
    enum { PLACES = 60 };
    fnd_estimate e[PLACES];
    double hits[PLACES];
    int64_t seen = 0, count = 0;
    range x = {0, (double)r->rows}, y = {0, 0};
    for (int p = 0; p < PLACES; p++) {
        int64_t end = r->rows * (p + 1) / PLACES;
        for (; seen < end; seen++) count += outcome->values[seen] > 0;
        hits[p] = (double)end;
        e[p] = fnd_binomial(count, end, 0.95);
        if (p >= PLACES / 12 && e[p].high > y.high) y.high = e[p].high;
    }
    if (!(y.high > 0)) y.high = 1;
    fnd_buffer_append_text(b, "<figure>");
    begin_picture(b, x, y);
    fnd_buffer_append_text(b, "<path class=\"band\" d=\"");
    bool first = true;
    for (int p = 0; p < 2 * PLACES; p++) {
        int at = p < PLACES ? p : 2 * PLACES - 1 - p;
        double level = p < PLACES ? e[at].high : e[at].low;
        if (hits[at] < 1) continue;
        fnd_buffer_appendf(b, "%c%.1f %.1f", first ? 'M' : 'L', across(x, hits[at]),
                           up(y, level < y.high ? level : y.high));
        first = false;
    }
    fnd_buffer_append_text(b, "\"/><path class=\"line\" d=\"");
    first = true;
    for (int p = 0; p < PLACES; p++) {
        if (isnan(e[p].value)) continue;
        fnd_buffer_appendf(b, "%c%.1f %.1f", first ? 'M' : 'L', across(x, hits[p]),
                           up(y, e[p].value < y.high ? e[p].value : y.high));
        first = false;
    }
    fnd_buffer_append_text(b, "\"/></svg><figcaption>probability of <b>");
    put_text(b, outcome->name);
    fnd_buffer_append_text(b, "</b> over the number of runs, with its 95 % interval</figcaption></figure>");
}

static void put_histogram(fnd_buffer *b, const fnd_results *r, const fnd_store_column *column)
{
    int64_t bars[BARS] = {0}, most = 0, count = 0;
    range x = range_of(r, column);
    for (int64_t i = 0; i < r->rows; i++) {
        if (!isfinite(column->values[i])) continue;
        int at = (int)((column->values[i] - x.low) / (x.high - x.low) * BARS);
        at = at < 0 ? 0 : at >= BARS ? BARS - 1 : at;
        if (++bars[at] > most) most = bars[at];
        count++;
    }
    if (count == 0) return;
    range y = {0, (double)most};
    fnd_buffer_append_text(b, "<figure>");
    begin_picture(b, x, y);
    for (int i = 0; i < BARS; i++) {
        double left = across(x, x.low + i * (x.high - x.low) / BARS),
               right = across(x, x.low + (i + 1) * (x.high - x.low) / BARS);
        double top = up(y, (double)bars[i]);
        fnd_buffer_appendf(
            b,
            "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%lld runs</title></rect>",
            left, top, right - left - 1, HEIGHT - BOTTOM - top, (long long)bars[i]);
    }
    fnd_buffer_append_text(b, "</svg><figcaption>");
    put_name(b, column);
    fnd_buffer_appendf(b, ", %lld runs</figcaption></figure>", (long long)count);
}

/* Runs that failed or were no success, the first ones. */
static void put_worst(fnd_buffer *b, const fnd_results *r)
{
    const fnd_store_column *success = NULL;
    int told = 0;
    for (int c = 0; c < r->column_count; c++)
        if (r->columns[c].kind == FND_COLUMN_OUTCOME && strcmp(r->columns[c].name, "success") == 0)
            success = &r->columns[c];
    fnd_buffer_append_text(b, "<h2>The first runs that failed or were no success</h2><table><tr><th>run<th>status");
    for (int c = 0; c < r->column_count; c++) {
        fnd_buffer_append_text(b, "<th>");
        put_name(b, &r->columns[c]);
    }
    fnd_buffer_append_text(b, "<th>reason");
    static const char *const statuses[] = {"ok", "doubtful", "failed"};
    for (int64_t i = 0; i < r->rows && told < MOST_WORST; i++) {
        if (r->status[i] != FND_ROW_FAILED && !(success && success->values[i] == 0)) continue;
        told++;
        fnd_buffer_appendf(b, "\n<tr><td>%lld<td>%s", (long long)r->run[i], statuses[r->status[i]]);
        for (int c = 0; c < r->column_count; c++) {
            fnd_buffer_append_text(b, "<td>");
            if (r->columns[c].texts) put_text(b, r->columns[c].texts[i]);
            else if (!isnan(r->columns[c].values[i])) fnd_buffer_appendf(b, "%.5g", r->columns[c].values[i]);
        }
        fnd_buffer_append_text(b, "<td>");
        put_text(b, r->reasons[i]);
    }
    fnd_buffer_append_text(b,
                           "</table><p>Repeat one in full: <code>fender study run STUDY --only RUN --keep</code></p>");
}

static const char head[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    "<style>body{font:14px/1.4 sans-serif;margin:1.5em;color:#222;background:#fff}figure{display:inline-block;margin:0 "
    "1em 1em 0;vertical-align:top}"
    "figcaption{max-width:460px}svg "
    "text{font-size:11px;fill:#444}.axis{fill:none;stroke:#888}.k0{fill:#fff;stroke:#2a6ebb}.k1{fill:#d9541e}"
    ".k2{fill:#000;stroke:#d9541e;stroke-dasharray:1}.bar{fill:#2a6ebb}.band{fill:#2a6ebb33}.line{fill:none;stroke:#"
    "2a6ebb;stroke-width:2}"
    "table{border-collapse:collapse;font-size:12px}td,th{border:1px solid #ccc;padding:2px "
    "6px;text-align:right}pre{overflow:auto}</style>";

static void append(void *ctx, const char *text) { put_text(ctx, text); }

fender_status fender_study_page(const fender_env *env, const char *store, const char *html, fender_error *error)
{
    fnd_results r;
    fender_status status = fnd_results_read(&r, env, store, error);
    if (status != FENDER_STATUS_OK) return status;
    fnd_buffer b = fnd_buffer_open(&env->allocator);
    size_t rows = (size_t)r.rows;
    double *room = FND_ARENA_NEW_ARRAY(&r.arena, double, 4 * rows);
    int64_t *order = FND_ARENA_NEW_ARRAY(&r.arena, int64_t, rows),
            *spare = FND_ARENA_NEW_ARRAY(&r.arena, int64_t, rows);
    if (!r.arena.failed) {
        fnd_buffer_append_text(&b, head);
        fnd_buffer_append_text(&b, "<title>");
        put_text(&b, r.title[0] ? r.title : "A study");
        fnd_buffer_append_text(&b, "</title><h1>");
        put_text(&b, r.title[0] ? r.title : "A study");
        fnd_buffer_append_text(&b, "</h1><pre>");
        status = fender_study_report(env, store, append, &b, error);
        fnd_buffer_append_text(&b, "</pre><h2>Outcomes</h2>");
        for (int c = 0; c < r.column_count && r.rows > 0; c++) {
            int chosen[2];
            if (r.columns[c].kind != FND_COLUMN_OUTCOME) continue;
            choose_inputs(&r, &r.columns[c], room, order, spare, chosen);
            if (chosen[1] >= 0) put_scatter(&b, &r, &r.columns[c], chosen);
            put_convergence(&b, &r, &r.columns[c]);
        }
        fnd_buffer_append_text(&b, "<h2>Kept values</h2>");
        for (int c = 0; c < r.column_count && r.rows > 0; c++)
            if (r.columns[c].kind == FND_COLUMN_KEPT) put_histogram(&b, &r, &r.columns[c]);
        fnd_buffer_append_text(&b, "<h2>Inputs</h2>");
        for (int c = 0; c < r.column_count && r.rows > 0; c++)
            if (r.columns[c].kind == FND_COLUMN_INPUT && !r.columns[c].texts) put_histogram(&b, &r, &r.columns[c]);
        put_worst(&b, &r);
        fnd_buffer_append_text(&b, "<h2>The study</h2><pre>");
        put_text(&b, r.text);
        fnd_buffer_append_text(&b, "</pre></html>\n");
    }
    if (r.arena.failed || b.failed) status = fnd_io_fail_memory(error, "the page of a study");
    if (status == FENDER_STATUS_OK) status = fnd_file_write(html, b.text, b.length, error);
    fnd_buffer_close(&b);
    fnd_results_release(&r);
    return status;
}
