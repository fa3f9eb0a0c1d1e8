/* A store as a table of text, and its figures with what they are worth. */
#include "study/statistics.h"
#include "study/store.h"
#include "support/file.h"
#include "support/io_error.h"
#include "support/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const statuses[] = {"ok", "doubtful", "failed"};
static const double confidence = 0.95;

/* ---- export */

/* Quoted where a comma, a quote or a line break asks for it. */
static void put_cell(fnd_writer *w, const char *text)
{
    bool quoted = strpbrk(text, ",\"\n\r") != NULL;
    if (quoted) fnd_writer_char(w, '"');
    for (; *text; text++) {
        if (*text == '"') fnd_writer_char(w, '"');
        fnd_writer_char(w, *text);
    }
    if (quoted) fnd_writer_char(w, '"');
}

fender_status fender_study_export(const fender_env *env, const char *store, const char *csv, fender_error *error)
{
    fnd_results r;
    fnd_writer w;
    fender_status status = fnd_results_read(&r, env, store, error);
    if (status != FENDER_STATUS_OK) return status;
    status = fnd_writer_open(&w, &env->allocator, csv, 0, error);
    if (status == FENDER_STATUS_OK) {
        fnd_writer_text(&w, "run,status");
        for (int c = 0; c < r.column_count; c++) {
            const fnd_store_column *column = &r.columns[c];
            fnd_writer_char(&w, ',');
            fnd_writer_text(&w, column->name);
            if (!column->unit[0] || strcmp(column->unit, "1") == 0) continue;
            fnd_writer_text(&w, " [");
            fnd_writer_text(&w, column->unit);
            fnd_writer_char(&w, ']');
        }
        fnd_writer_text(&w, ",hash,reason\n");
        for (int64_t i = 0; i < r.rows; i++) {
            char number[32];
            snprintf(number, sizeof number, "%lld,", (long long)r.run[i]);
            fnd_writer_text(&w, number);
            fnd_writer_text(&w, statuses[r.status[i]]);
            for (int c = 0; c < r.column_count; c++) {
                fnd_writer_char(&w, ',');
                if (r.columns[c].texts) put_cell(&w, r.columns[c].texts[i]);
                else if (!isnan(r.columns[c].values[i])) fnd_writer_number(&w, r.columns[c].values[i]);
            }
            fnd_writer_char(&w, ',');
            fnd_writer_text(&w, r.hashes[i]);
            fnd_writer_char(&w, ',');
            put_cell(&w, r.reasons[i]);
            fnd_writer_char(&w, '\n');
        }
        status = fnd_writer_close(&w, false, error);
    }
    fnd_results_release(&r);
    return status;
}

/* ---- report */

typedef struct printer {
    void (*put)(void *ctx, const char *text);
    void *ctx;
} printer;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
say(const printer *p, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    p->put(p->ctx, text);
}

typedef struct shown {
    char text[FND_NUMBER_SIZE];
} shown;
static shown number(double value)
{
    shown s;
    if (isnan(value)) snprintf(s.text, sizeof s.text, "-");
    else fnd_number_format_digits(value, 5, s.text, sizeof s.text);
    return s;
}
static shown percent(double value)
{
    shown s;
    fnd_number_format_digits(100 * value, 4, s.text, sizeof s.text);
    return s;
}

typedef struct figures {
    double *a, *b, *room;
    int64_t *order, *spare;
} figures;

/* Numbers of a column in rows that have them; with another column, in rows that have both. */
static int64_t gather(const fnd_results *r, const fnd_store_column *a, const fnd_store_column *b, figures *f)
{
    int64_t count = 0;
    for (int64_t i = 0; i < r->rows; i++) {
        if (isnan(a->values[i]) || (b && isnan(b->values[i]))) continue;
        f->a[count] = a->values[i];
        if (b) f->b[count] = b->values[i];
        count++;
    }
    return count;
}

static void tell_outcomes(const printer *p, const fnd_results *r)
{
    int64_t by_status[3] = {0};
    for (int64_t i = 0; i < r->rows; i++) by_status[r->status[i]]++;
    say(p, "runs       %lld of %lld: %lld ok, %lld doubtful, %lld failed\n", (long long)r->rows, (long long)r->runs,
        (long long)by_status[0], (long long)by_status[1], (long long)by_status[2]);
    bool head = false;
    for (int c = 0; c < r->column_count; c++) {
        const fnd_store_column *column = &r->columns[c];
        if (column->kind != FND_COLUMN_OUTCOME) continue;
        if (!head) say(p, "\n outcome                runs     probability   95 %% interval (Clopper-Pearson)\n");
        head = true;
        int64_t hits = 0;
        for (int64_t i = 0; i < r->rows; i++) hits += column->values[i] > 0;
        fnd_estimate e = fnd_binomial(hits, r->rows, confidence);
        say(p, " %-18s %8lld     %8s %%    %s to %s %%     %s\n", column->name, (long long)hits, percent(e.value).text,
            percent(e.low).text, percent(e.high).text, column->detail);
    }
    if (by_status[2] > 0) say(p, "   in failed runs, all outcomes count as false, including success\n");
}

static void tell_values(const printer *p, const fnd_results *r, figures *f)
{
    bool head = false;
    for (int c = 0; c < r->column_count; c++) {
        const fnd_store_column *column = &r->columns[c];
        if (column->kind != FND_COLUMN_KEPT) continue;
        if (!head)
            say(p, "\n kept value             mean (95 %%)                        5 %%          median (95 %%)         "
                   "             95 %%\n");
        head = true;
        int64_t count = gather(r, column, NULL, f);
        if (count == 0) {
            say(p, " %-18s     in no run\n", column->name);
            continue;
        }
        fnd_estimate mean = fnd_mean(f->a, count, confidence);
        fnd_sort_indices(f->a, f->order, f->spare, count);
        for (int64_t i = 0; i < count; i++) f->b[i] = f->a[f->order[i]];
        fnd_estimate low = fnd_sample_quantile(f->b, count, 0.05, confidence),
                     median = fnd_sample_quantile(f->b, count, 0.5, confidence),
                     high = fnd_sample_quantile(f->b, count, 0.95, confidence);
        say(p, " %-18s %10s (%s to %s)   %10s   %10s (%s to %s)   %10s   %s\n", column->name, number(mean.value).text,
            number(mean.low).text, number(mean.high).text, number(low.value).text, number(median.value).text,
            number(median.low).text, number(median.high).text, number(high.value).text,
            strcmp(column->unit, "1") == 0 ? "" : column->unit);
        if (count < r->rows) say(p, "   in %lld of %lld runs\n", (long long)count, (long long)r->rows);
    }
}

static void tell_correlations(const printer *p, const fnd_results *r, figures *f)
{
    bool head = false;
    for (int c = 0; c < r->column_count; c++)
        for (int i = 0; i < r->column_count && r->columns[c].kind != FND_COLUMN_INPUT; i++) {
            if (r->columns[i].kind != FND_COLUMN_INPUT) continue;
            int64_t count = gather(r, &r->columns[i], &r->columns[c], f);
            fnd_estimate e = fnd_rank_correlation(f->a, f->b, count, confidence, f->room, f->order, f->spare);
            /* only what is told from none at all */
            if (isnan(e.value) || isnan(e.low) || (e.low <= 0 && e.high >= 0)) continue;
            if (!head) say(p, "\n rank correlation (Spearman) that differs from 0 at 95 %%\n");
            head = true;
            say(p, " %-18s with %-18s %7.3f   (%.3f to %.3f)\n", r->columns[c].name, r->columns[i].name, e.value, e.low,
                e.high);
        }
}

static void tell_failures(const printer *p, const fnd_results *r)
{
    int told = 0;
    for (int64_t i = 0; i < r->rows && told < 10; i++) {
        if (r->status[i] == FND_ROW_OK) continue;
        if (told++ == 0)
            say(p, "\n the first runs that were not ok (fender study run STUDY --only K --keep repeats one)\n");
        say(p, " %8lld  %-8s  %.300s\n", (long long)r->run[i], statuses[r->status[i]], r->reasons[i]);
    }
}

fender_status fender_study_report(const fender_env *env, const char *store, void (*put)(void *ctx, const char *text),
                                  void *ctx, fender_error *error)
{
    fnd_results r;
    fender_status status = fnd_results_read(&r, env, store, error);
    if (status != FENDER_STATUS_OK) return status;
    size_t rows = (size_t)r.rows;
    figures f = {FND_ARENA_NEW_ARRAY(&r.arena, double, rows), FND_ARENA_NEW_ARRAY(&r.arena, double, rows),
                 FND_ARENA_NEW_ARRAY(&r.arena, double, 2 * rows), FND_ARENA_NEW_ARRAY(&r.arena, int64_t, rows),
                 FND_ARENA_NEW_ARRAY(&r.arena, int64_t, rows)};
    printer p = {put, ctx};
    if (r.arena.failed) status = fnd_io_fail_memory(error, "the figures of a study");
    else {
        say(&p, "%.500s\nstudy      %s, fender %s\n", r.title[0] ? r.title : store, r.hash, r.version);
        tell_outcomes(&p, &r);
        tell_values(&p, &r, &f);
        tell_correlations(&p, &r, &f);
        tell_failures(&p, &r);
    }
    fnd_results_release(&r);
    return status;
}
