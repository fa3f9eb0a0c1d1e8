/* One HTML page of a store: figures drawn here, and data for what its script (web/src/study) lets people choose. */
#include "study/figures.h"
#include "study/page_html.h"
#include "study/stop.h"
#include "study/store.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/json.h"
#include "support/memory.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_BARS = 40, WORST = 50 };
static const char *const statuses[] = {"ok", "doubtful", "failed"};
static const char marker[] = "<!-- FENDER-STUDY -->";

typedef struct page {
    fnd_buffer to;
    fnd_results *r;
    fnd_figures figures;
    unsigned char *listed; /* rows that are in the page's data */
    const char **reports;  /* of rows: the report of the run, relative to the page; NULL: none */
    int success;           /* column; -1: none */
} page;

/* ---- rows that the page holds */

/* All that are drawn, and all that can come first in a table of the worst: failed ones, those without success, the
 * least and the largest of every kept value. */
static void list_rows(page *p)
{
    fnd_results *r = p->r;
    fnd_figures *f = &p->figures;
    int failed = 0, missed = 0;
    memcpy(p->listed, f->shown, (size_t)r->rows);
    for (int64_t i = 0; i < r->rows; i++)
        if ((r->status[i] == FND_ROW_FAILED && failed++ < WORST) ||
            (p->success >= 0 && r->columns[p->success].values[i] == 0 && missed++ < WORST))
            p->listed[i] = 1;
    for (int c = 0; c < r->column_count; c++) {
        int64_t count = 0;
        if (r->columns[c].kind != FND_COLUMN_KEPT || f->stride == 1) continue;
        for (int64_t i = 0; i < r->rows; i++)
            f->a[i] = isnan(r->columns[c].values[i]) ? (double)INFINITY : r->columns[c].values[i];
        for (int64_t i = 0; i < r->rows; i++) count += isfinite(f->a[i]);
        fnd_sort_indices(f->a, f->order, f->spare, r->rows);
        for (int64_t i = 0; i < count; i++)
            if (i < WORST || i >= count - WORST) p->listed[f->order[i]] = 1;
    }
}

/* ---- reports of runs beside the page */

static bool holds_hash(page *p, const char *path, const char *hash)
{
    fnd_file file;
    char quoted[64];
    fender_error error = {0};
    snprintf(quoted, sizeof quoted, "\"%.40s\"", hash);
    if (!hash[0]) return false;
    if (fnd_file_read(&p->to.allocator, path, (size_t)64 << 20, FND_FILE_TEXT, &file, &error) != FENDER_STATUS_OK) {
        if (error.status == FENDER_STATUS_MEMORY) p->to.failed = true;
        return false;
    }
    bool found = strstr(file.text, quoted) != NULL;
    fnd_file_release(&p->to.allocator, &file);
    return found;
}

static bool is_there(const char *path) { return access(path, R_OK) == 0; }

/* The row of NAME_K.run; -1: none. */
static int64_t row_of(const fnd_results *r, const char *name)
{
    const char *ending = strrchr(name, '.'), *line = strrchr(name, '_');
    char *end;
    if (!ending || strcmp(ending, ".run") != 0 || !line || line[1] < '0' || line[1] > '9') return -1;
    long long run = strtoll(line + 1, &end, 10);
    if (end != ending) return -1;
    int64_t low = 0, high = r->rows;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (r->run[middle] < run) low = middle + 1;
        else high = middle;
    }
    return low < r->rows && r->run[low] == run ? low : -1;
}

static void find_reports(page *p, const char *html)
{
    const char *slash = strrchr(html, '/');
    char folder[1100], path[1500];
    size_t length = slash ? (size_t)(slash - html) + 1 : 0;
    if (length > 1000) return;
    snprintf(folder, sizeof folder, "%.*s", (int)length, html);
    DIR *entries = opendir(length > 0 ? folder : ".");
    if (!entries && errno == ENOMEM) p->to.failed = true;
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        int64_t row = row_of(p->r, entry->d_name);
        if (row < 0 || strlen(entry->d_name) > 200) continue;
        snprintf(path, sizeof path, "%s%.200s/report.html", folder, entry->d_name);
        if (!is_there(path)) continue;
        snprintf(path, sizeof path, "%s%.200s/summary.json", folder, entry->d_name);
        if (!holds_hash(p, path, p->r->hashes[row])) continue;
        int size = snprintf(path, sizeof path, "%.200s/report.html", entry->d_name);
        const char *kept = fnd_arena_copy(&p->r->arena, path, (size_t)size);
        /* folders come in any order: the first by name is taken */
        if (kept && (!p->reports[row] || strcmp(kept, p->reports[row]) < 0)) p->reports[row] = kept;
        p->listed[row] = 1;
    }
    if (entries) closedir(entries);
}

/* ---- figures */

static void begin_figure(page *p, int width, int height, const char *what, const char *name)
{
    fnd_buffer_appendf(&p->to,
                       "<figure><svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"",
                       width, height, width, height);
    fnd_figure_text(&p->to, what);
    fnd_figure_text(&p->to, name);
    fnd_buffer_append_text(&p->to, "\">\n");
}
static void end_figure(page *p) { fnd_buffer_append_text(&p->to, "</svg></figure>\n"); }

static void begin_section(page *p, const char *id, const char *title)
{
    fnd_buffer_appendf(&p->to,
                       "<section class=\"panel\" id=\"%s\" aria-labelledby=\"%s-title\"><h2 id=\"%s-title\">%s</h2>\n",
                       id, id, id, title);
}
static void end_section(page *p) { fnd_buffer_append_text(&p->to, "</section>\n"); }

static void put_probabilities(page *p)
{
    const fnd_results *r = p->r;
    const fnd_store_design *d = &p->figures.design;
    begin_section(p, "probabilities", d->is_grid ? "Shares of the runs" : "Probabilities");
    fnd_buffer_append_text(
        &p->to,
        "<table><thead><tr><th scope=\"col\">outcome</th><th scope=\"col\">runs</th><th scope=\"col\">"
        "probability</th><th scope=\"col\">95 % interval</th><th scope=\"col\">when</th></tr></thead><tbody>\n");
    for (int c = 0; c < r->column_count; c++) {
        int64_t hits = 0, sampled = 0;
        if (r->columns[c].kind != FND_COLUMN_OUTCOME) continue;
        for (int64_t i = 0; i < r->rows; i++) {
            const bool counts = fnd_store_is_sampled(d, r->run[i]);
            sampled += counts;
            hits += counts && r->columns[c].values[i] > 0;
        }
        fnd_estimate e = fnd_binomial(hits, sampled, 0.95);
        fnd_buffer_append_text(&p->to, "<tr><th scope=\"row\">");
        fnd_figure_text(&p->to, r->columns[c].name);
        fnd_buffer_appendf(&p->to, "</th><td>%lld</td><td>%.4g %%</td><td>", (long long)hits, 100 * e.value);
        if (!d->is_grid) fnd_buffer_appendf(&p->to, "%.4g to %.4g %%", 100 * e.low, 100 * e.high);
        fnd_buffer_append_text(&p->to, "</td><td class=\"words\"><code>");
        fnd_figure_text(&p->to, r->columns[c].detail);
        fnd_buffer_append_text(&p->to, "</code></td></tr>\n");
    }
    fnd_buffer_append_text(&p->to, "</tbody></table><p class=\"note\">");
    if (d->is_grid)
        fnd_buffer_appendf(&p->to,
                           "The runs of this %s are not a sample of the distributions: their shares are not "
                           "probabilities. ",
                           d->is_list ? "list" : "design");
    else fnd_buffer_append_text(&p->to, "Intervals are exact (Clopper and Pearson). ");
    if (d->is_indices) fnd_buffer_append_text(&p->to, "Probabilities are those of the two samples of the design. ");
    fnd_buffer_append_text(&p->to, "A failed run counts as one in which no outcome came about, success included.</p>");
    end_section(p);
}

static void put_convergence(page *p)
{
    begin_section(p, "convergence", "Convergence");
    fnd_buffer_append_text(&p->to,
                           "<p class=\"note\">The probability of each outcome over the number of runs, with its 95 % "
                           "interval, from all runs in their order.</p><div class=\"figures\">\n");
    for (int c = 0; c < p->r->column_count; c++) {
        if (p->r->columns[c].kind != FND_COLUMN_OUTCOME) continue;
        begin_figure(p, FND_FIGURE_WIDTH, FND_FIGURE_HEIGHT, "Convergence of the probability of ",
                     p->r->columns[c].name);
        fnd_figure_convergence(&p->to, &p->figures, c);
        end_figure(p);
    }
    fnd_buffer_append_text(&p->to, "</div>");
    end_section(p);
}

static void put_sensitivities(page *p)
{
    fnd_bar room[MOST_BARS];
    fnd_bars table;
    begin_section(p, "sensitivities", "Sensitivities");
    if (p->figures.design.is_indices)
        fnd_buffer_append_text(&p->to, "<p class=\"note\">Sobol' indices, first order and total, with 95 % intervals."
                                       "</p><div class=\"figures\">\n");
    else if (p->figures.design.is_morris)
        fnd_buffer_append_text(&p->to, "<p class=\"note\">Morris' mu*: the mean size of the effect of the whole range "
                                       "of an input, with 95 % intervals.</p><div class=\"figures\">\n");
    else
        fnd_buffer_append_text(
            &p->to, "<p class=\"note\">Spearman's rank correlation of each outcome and kept value with the inputs, "
                    "with 95 % intervals, from all runs. Where both ends of an input act alike, it is that with "
                    "the distance from its median. A bar whose interval contains 0 is not told from none.</p><div "
                    "class=\"figures\">\n");
    for (int kind = FND_COLUMN_OUTCOME; kind >= FND_COLUMN_KEPT; kind--)
        for (int c = 0; c < p->r->column_count; c++) {
            if ((int)p->r->columns[c].kind != kind ||
                !fnd_figures_sensitivities(&p->figures, c, room, MOST_BARS, &table))
                continue;
            begin_figure(p, FND_FIGURE_WIDTH, fnd_figure_bars_height(&table), "Rank correlations of ", table.title);
            fnd_figure_bars(&p->to, &table);
            end_figure(p);
        }
    fnd_buffer_append_text(&p->to, "</div>");
    end_section(p);
}

static void put_histograms(page *p)
{
    begin_section(p, "histograms", "Histograms");
    fnd_buffer_append_text(
        &p->to, "<p class=\"note\">Shares of all runs that have the value. Whiskers: 95 % intervals. The line "
                "is the median, with its interval as a band.</p><div class=\"figures\">\n");
    for (int kind = FND_COLUMN_KEPT; kind >= FND_COLUMN_INPUT; kind--)
        for (int c = 0; c < p->r->column_count; c++) {
            size_t before = p->to.length, drawn;
            if ((int)p->r->columns[c].kind != kind || !p->figures.values[c]) continue;
            begin_figure(p, FND_FIGURE_WIDTH, FND_FIGURE_HEIGHT, "Histogram of ", p->r->columns[c].name);
            drawn = p->to.length;
            fnd_figure_histogram(&p->to, &p->figures, c);
            if (p->to.length > drawn) end_figure(p);
            else if (p->to.text) p->to.text[p->to.length = before] = 0; /* no run has the value */
        }
    fnd_buffer_append_text(&p->to, "</div>");
    end_section(p);
}

/* ---- data for the script */

static void put_number(fnd_buffer *to, double value, bool first)
{
    if (!first) fnd_buffer_append_char(to, ',');
    if (isfinite(value)) fnd_buffer_appendf(to, "%.6g", value);
    else fnd_buffer_append_text(to, "null");
}

static void put_indices(fnd_buffer *to, const char *name, const int *indices, int count)
{
    fnd_buffer_appendf(to, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) fnd_buffer_appendf(to, "%s%d", i > 0 ? "," : "", indices[i]);
    fnd_buffer_append_char(to, ']');
}

static void put_columns(page *p)
{
    static const char *const kinds[] = {"input", "kept", "outcome"};
    fnd_buffer *to = &p->to;
    const fnd_results *r = p->r;
    fnd_buffer_append_text(to, ",\n\"columns\":[");
    for (int c = 0; c < r->column_count; c++) {
        const fnd_store_column *column = &r->columns[c];
        bool first = true;
        fnd_buffer_appendf(to, "%s\n{\"kind\":\"%s\"", c > 0 ? "," : "", kinds[column->kind]);
        fnd_json_key(to, "name");
        fnd_json_text(to, column->name);
        fnd_json_key(to, "unit");
        fnd_json_text(to, strcmp(column->unit, "1") == 0 ? "" : column->unit);
        if (p->figures.words[c]) {
            fnd_json_key(to, "words");
            for (int i = 0; i < p->figures.word_count[c]; i++) {
                fnd_buffer_append_char(to, i > 0 ? ',' : '[');
                fnd_json_text(to, p->figures.words[c][i]);
            }
            fnd_buffer_append_text(to, p->figures.word_count[c] > 0 ? "]" : "[]");
        }
        if (column->kind == FND_COLUMN_OUTCOME) {
            int ranked[16], count = fnd_figures_ranking(&p->figures, c, FND_COLUMN_INPUT, 6, ranked);
            put_indices(to, "inputs", ranked, count);
            count = fnd_figures_ranking(&p->figures, c, FND_COLUMN_KEPT, 3, ranked);
            put_indices(to, "kept", ranked, count);
        }
        fnd_buffer_append_text(to, ",\"values\":[");
        for (int64_t i = 0; i < r->rows; i++) {
            if (!p->listed[i]) continue;
            put_number(to, p->figures.values[c] ? p->figures.values[c][i] : (double)NAN, first);
            first = false;
        }
        fnd_buffer_append_text(to, "]}");
    }
    fnd_buffer_append_char(to, ']');
}

static void put_rows(page *p)
{
    fnd_buffer *to = &p->to;
    const fnd_results *r = p->r;
    static const char *const lists[] = {"run", "status", "drawn"};
    for (int l = 0; l < 3; l++) {
        bool first = true;
        fnd_buffer_appendf(to, ",\n\"%s\":[", lists[l]);
        for (int64_t i = 0; i < r->rows; i++) {
            if (!p->listed[i]) continue;
            fnd_buffer_appendf(to, "%s%lld", first ? "" : ",",
                               l == 0   ? (long long)r->run[i]
                               : l == 1 ? (long long)r->status[i]
                                        : (long long)p->figures.shown[i]);
            first = false;
        }
        fnd_buffer_append_char(to, ']');
    }
    static const char *const texts[] = {"hash", "reason", "report"};
    for (int l = 0; l < 3; l++) { /* by the number of the run; empty ones are left out */
        bool first = true;
        fnd_buffer_appendf(to, ",\n\"%s\":{", texts[l]);
        for (int64_t i = 0; i < r->rows; i++) {
            const char *text = l == 0 ? r->hashes[i] : l == 1 ? r->reasons[i] : p->reports[i];
            if (!p->listed[i] || !text || !text[0]) continue;
            fnd_buffer_appendf(to, "%s\"%lld\":", first ? "" : ",", (long long)r->run[i]);
            fnd_json_text(to, text);
            first = false;
        }
        fnd_buffer_append_char(to, '}');
    }
}

/* NAME of NAME.study.db; "STUDY" where the name of the store does not tell it. */
static void put_study_name(page *p, const char *store)
{
    const char *slash = strrchr(store, '/'), *base = slash ? slash + 1 : store;
    size_t length = strlen(base), ending = sizeof ".study.db" - 1;
    fnd_json_key(&p->to, "name");
    if (length > ending && strcmp(base + length - ending, ".study.db") == 0)
        fnd_json_bytes(&p->to, base, length - ending);
    else fnd_json_text(&p->to, "STUDY");
}

static void put_data(page *p, const char *store)
{
    fnd_buffer *to = &p->to;
    fnd_buffer_append_text(to, "<script type=\"application/json\" id=\"fender-study\">{");
    put_study_name(p, store);
    fnd_buffer_appendf(to, ",\"rows\":%lld,\"stride\":%lld,\"worst\":%d", (long long)p->r->rows,
                       (long long)p->figures.stride, WORST);
    put_columns(p);
    put_rows(p);
    fnd_buffer_append_text(to, "}</script>\n");
}

/* ---- all of it */

static void put_text(void *ctx, const char *text) { fnd_figure_text(ctx, text); }

static void put_head(page *p)
{
    const fnd_results *r = p->r;
    int64_t by_status[3] = {0};
    for (int64_t i = 0; i < r->rows; i++) by_status[r->status[i]]++;
    fnd_buffer_append_text(&p->to, "<header class=\"page-head\"><h1>");
    fnd_figure_text(&p->to, r->title[0] ? r->title : "A study");
    fnd_buffer_appendf(&p->to, "</h1><dl class=\"facts\"><dt>runs</dt><dd>%lld of %lld</dd>", (long long)r->rows,
                       (long long)fnd_results_total(r));
    for (int s = 0; s < 3; s++)
        fnd_buffer_appendf(&p->to, "<dt>%s</dt><dd%s>%lld</dd>", statuses[s],
                           s > 0 && by_status[s] > 0 ? " class=\"bad\"" : "", (long long)by_status[s]);
    fnd_buffer_append_text(&p->to, "<dt>study</dt><dd><code>");
    fnd_figure_text(&p->to, r->hash);
    fnd_buffer_append_text(&p->to, "</code></dd><dt>fender</dt><dd>");
    fnd_figure_text(&p->to, r->version);
    fnd_buffer_append_text(&p->to, "</dd></dl></header>\n");
}

static fender_status put_page(page *p, const fender_env *env, const char *store, fender_error *error)
{
    bool scripted = p->r->rows > 0;
    put_head(p);
    put_probabilities(p);
    if (scripted) {
        static const char *const titles[][2] = {
            {"outcomes", "Outcomes over two inputs"}, {"threads", "Parallel coordinates"}, {"worst", "The worst runs"}};
        for (int i = 0; i < 3; i++) {
            begin_section(p, titles[i][0], titles[i][1]);
            fnd_buffer_append_text(
                &p->to, "<noscript><p class=\"note\">This part needs JavaScript; <code>fender study plot</code> and "
                        "<code>fender study export</code> give the same without.</p></noscript>");
            end_section(p);
        }
        if (p->figures.is_sample) put_convergence(p);
        put_sensitivities(p);
        if (p->figures.is_sample) put_histograms(p);
    }
    fnd_buffer_append_text(&p->to, "<section class=\"panel\"><details><summary>The report as text</summary><pre>");
    fender_status status = fender_study_report(env, store, put_text, &p->to, error);
    fnd_buffer_append_text(&p->to, "</pre></details><details><summary>The study</summary><pre>");
    fnd_figure_text(&p->to, p->r->text);
    fnd_buffer_append_text(&p->to, "</pre></details></section>\n");
    if (scripted) put_data(p, store);
    return status;
}

fender_status fender_study_page(const fender_env *env, const char *store, const char *html, fender_error *error)
{
    fnd_results r;
    fender_status status = fnd_results_read(&r, env, store, error);
    if (status != FENDER_STATUS_OK) return status;
    page p = {.to = fnd_buffer_open(&env->allocator),
              .r = &r,
              .listed = FND_ARENA_NEW_ARRAY(&r.arena, unsigned char, (size_t)r.rows),
              .reports = FND_ARENA_NEW_ARRAY(&r.arena, const char *, (size_t)r.rows),
              .success = -1};
    for (int c = 0; c < r.column_count; c++)
        if (r.columns[c].kind == FND_COLUMN_OUTCOME && strcmp(r.columns[c].name, "success") == 0) p.success = c;
    const char *html_text = (const char *)fnd_study_page_html;
    size_t size = fnd_study_page_html_size, at = 0;
    while (at + sizeof marker - 1 <= size && memcmp(html_text + at, marker, sizeof marker - 1) != 0) at++;
    if (fnd_figures_open(&p.figures, &r) && !r.arena.failed) {
        list_rows(&p);
        find_reports(&p, html);
        fnd_buffer_append(&p.to, html_text, at);
        status = put_page(&p, env, store, error);
        if (at < size) fnd_buffer_append(&p.to, html_text + at + sizeof marker - 1, size - at - (sizeof marker - 1));
    }
    if (status == FENDER_STATUS_OK && (r.arena.failed || p.to.failed))
        status = fnd_io_fail_memory(error, "the page of a study");
    if (status == FENDER_STATUS_OK) status = fnd_file_write(html, p.to.text, p.to.length, error);
    fnd_buffer_close(&p.to);
    fnd_results_release(&r);
    return status;
}
