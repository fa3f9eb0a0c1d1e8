/* The figures of a store as text, with what they are worth. */
#include "study/sensitivity.h"
#include "study/stop.h"
#include "support/io_error.h"
#include "support/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const statuses[] = {"ok", "doubtful", "failed"};

typedef struct printer {
    void (*put)(void *ctx, const char *text);
    void *ctx;
    double confidence, content;
    fnd_store_design design;
    int64_t sampled; /* rows that are a sample */
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

/* Numbers of a column in rows of a sample that have them; with another column, in rows that have both. */
static int64_t gather(const printer *p, const fnd_results *r, const fnd_store_column *a, const fnd_store_column *b,
                      figures *f)
{
    const double *values = a->numbers ? a->numbers : a->values;
    int64_t count = 0;
    for (int64_t i = 0; i < r->rows; i++) {
        if (isnan(values[i]) || (b && isnan(b->values[i]))) continue;
        if (!fnd_store_is_sampled(&p->design, r->run[i])) continue;
        f->a[count] = values[i];
        if (b) f->b[count] = b->values[i];
        count++;
    }
    return count;
}

static void tell_outcomes(const printer *p, const fnd_results *r)
{
    int64_t by_status[3] = {0};
    for (int64_t i = 0; i < r->rows; i++) by_status[r->status[i]]++;
    say(p, "runs       %lld of %lld: %lld ok, %lld doubtful, %lld failed\n", (long long)r->rows,
        (long long)fnd_results_total(r), (long long)by_status[0], (long long)by_status[1], (long long)by_status[2]);
    bool head = false;
    for (int c = 0; c < r->column_count; c++) {
        const fnd_store_column *column = &r->columns[c];
        if (column->kind != FND_COLUMN_OUTCOME) continue;
        if (!head && p->design.is_grid)
            say(p, "\n outcome                runs        of all   (a %s, not a sample)\n",
                p->design.is_list ? "list" : "design");
        else if (!head)
            say(p, "\n outcome                runs     probability   %s %% interval (Clopper-Pearson)\n",
                percent(p->confidence).text);
        head = true;
        int64_t hits = 0;
        for (int64_t i = 0; i < r->rows; i++)
            hits += column->values[i] > 0 && fnd_store_is_sampled(&p->design, r->run[i]);
        fnd_estimate e = fnd_binomial(hits, p->sampled, p->confidence);
        if (p->design.is_grid)
            say(p, " %-18s %8lld     %8s %%    %s\n", column->name, (long long)hits, percent(e.value).text,
                column->detail);
        else
            say(p, " %-18s %8lld     %8s %%    %s to %s %%     %s\n", column->name, (long long)hits,
                percent(e.value).text, percent(e.low).text, percent(e.high).text, column->detail);
    }
    if (p->design.is_indices)
        say(p, "   of the %lld runs that are the two samples of the design\n", (long long)p->sampled);
    if (by_status[2] > 0) say(p, "   in failed runs, all outcomes count as false, including success\n");
}

/* Interval at the look at which the study stopped, or would have. */
static void tell_stop(const printer *p, const fnd_results *r)
{
    fnd_stop stop;
    if (!fnd_results_stop(r, &stop)) return;
    say(p, "\n stop       %s after %lld runs (look %d of at most %d)\n", stop.reached ? "reached" : "not reached",
        (long long)stop.runs, stop.look, stop.looks);
    for (int i = 0; i < stop.count; i++) {
        fnd_estimate e = fnd_binomial(stop.conditions[i].hits, stop.runs, 1 - stop.conditions[i].level);
        say(p, "   P(%s) is from %s to %s %% with confidence %s %% over all looks; wanted: %s %% on either side\n",
            stop.conditions[i].name, percent(e.low).text, percent(e.high).text,
            percent(1 - stop.conditions[i].level * stop.looks).text, percent(stop.conditions[i].half).text);
    }
}

static void tell_values(const printer *p, const fnd_results *r, figures *f)
{
    bool head = false;
    for (int c = 0; c < r->column_count; c++) {
        const fnd_store_column *column = &r->columns[c];
        if (column->kind != FND_COLUMN_KEPT) continue;
        if (!head)
            say(p,
                "\n kept value             mean (%s %%)                        5 %%          median (%s %%)         "
                "             95 %%\n",
                percent(p->confidence).text, percent(p->confidence).text);
        head = true;
        int64_t count = gather(p, r, column, NULL, f);
        if (count == 0) {
            say(p, " %-18s     in no run\n", column->name);
            continue;
        }
        fnd_estimate mean = fnd_mean(f->a, count, p->confidence);
        fnd_sort_indices(f->a, f->order, f->spare, count);
        for (int64_t i = 0; i < count; i++) f->b[i] = f->a[f->order[i]];
        fnd_estimate low = fnd_sample_quantile(f->b, count, 0.05, p->confidence),
                     median = fnd_sample_quantile(f->b, count, 0.5, p->confidence),
                     high = fnd_sample_quantile(f->b, count, 0.95, p->confidence);
        if (p->design.is_grid) mean.low = mean.high = median.low = median.high = (double)NAN;
        say(p, " %-18s %10s (%s to %s)   %10s   %10s (%s to %s)   %10s   %s\n", column->name, number(mean.value).text,
            number(mean.low).text, number(mean.high).text, number(low.value).text, number(median.value).text,
            number(median.low).text, number(median.high).text, number(high.value).text,
            strcmp(column->unit, "1") == 0 ? "" : column->unit);
        if (count < p->sampled) say(p, "   in %lld of %lld runs\n", (long long)count, (long long)p->sampled);
    }
}

static void tell_limits(const printer *p, const fnd_results *r, figures *f)
{
    bool head = false;
    int64_t one = fnd_tolerance_runs(p->content, p->confidence, 1),
            two = fnd_tolerance_runs(p->content, p->confidence, 2);
    for (int c = 0; c < r->column_count; c++) {
        const fnd_store_column *column = &r->columns[c];
        if (column->kind != FND_COLUMN_KEPT) continue;
        int64_t count = gather(p, r, column, NULL, f);
        if (!head)
            say(p,
                "\n tolerance limits (Wilks): with confidence %s %% hold %s %% of all values\n"
                " kept value             below          above          between\n",
                percent(p->confidence).text, percent(p->content).text);
        head = true;
        if (count < one) {
            say(p, " %-18s needs %lld values (%lld on both sides); there are %lld\n", column->name, (long long)one,
                (long long)two, (long long)count);
            continue;
        }
        fnd_sort_indices(f->a, f->order, f->spare, count);
        for (int64_t i = 0; i < count; i++) f->b[i] = f->a[f->order[i]];
        fnd_estimate side = fnd_tolerance(f->b, count, p->content, p->confidence, 1),
                     both = fnd_tolerance(f->b, count, p->content, p->confidence, 2);
        say(p, " %-18s %10s     %10s     ", column->name, number(side.high).text, number(side.low).text);
        if (count < two) say(p, "needs %lld values", (long long)two);
        else say(p, "%s and %s", number(both.low).text, number(both.high).text);
        say(p, "   %s\n", strcmp(column->unit, "1") == 0 ? "" : column->unit);
    }
}

static void tell_estimate(const printer *p, fnd_estimate e)
{
    if (isnan(e.low)) say(p, "   %8s (-)            ", number(e.value).text);
    else say(p, "   %8.4g (%.4g to %.4g)", e.value, e.low, e.high);
}

static void tell_sensitivities(const printer *p, const fnd_results *r, double *room)
{
    const fnd_store_design *d = &p->design;
    if (!d->is_indices && !d->is_morris) return;
    say(p,
        d->is_indices ? "\n shares of the variance (Sobol): first order, total; %s %% intervals\n"
                      : "\n effects of a variable's whole range (Morris): mu*, mu, sigma; %s %% intervals\n",
        percent(p->confidence).text);
    for (int c = 0; c < r->column_count; c++)
        for (int64_t i = 0; i < d->variables && r->columns[c].kind != FND_COLUMN_INPUT; i++) {
            fnd_sensitivity s = fnd_sensitivity_of(r, d, c, i, p->confidence, room);
            say(p, " %-18s to %-18s", r->columns[c].name, s.name);
            if (d->is_indices) tell_estimate(p, s.first), tell_estimate(p, s.total);
            else {
                tell_estimate(p, s.effect.size), tell_estimate(p, s.effect.mean), tell_estimate(p, s.effect.deviation);
                say(p, "   %s", strcmp(r->columns[c].unit, "1") == 0 ? "" : r->columns[c].unit);
            }
            if (s.count < d->count) say(p, "   (%lld of %lld)", (long long)s.count, (long long)d->count);
            say(p, "\n");
        }
}

static void tell_correlations(const printer *p, const fnd_results *r, figures *f)
{
    bool head = false;
    for (int c = 0; c < r->column_count; c++)
        for (int i = 0; i < r->column_count && r->columns[c].kind != FND_COLUMN_INPUT; i++) {
            if (r->columns[i].kind != FND_COLUMN_INPUT) continue;
            int64_t count = gather(p, r, &r->columns[i], &r->columns[c], f);
            fnd_estimate e = fnd_rank_correlation(f->a, f->b, count, p->confidence, f->room, f->order, f->spare);
            /* only what is told from none at all */
            if (isnan(e.value) || isnan(e.low) || (e.low <= 0 && e.high >= 0)) continue;
            if (!head)
                say(p, "\n rank correlation (Spearman) that differs from 0 at %s %%\n", percent(p->confidence).text);
            head = true;
            say(p, " %-18s with %-18s %7.3f   (%.3f to %.3f)\n", r->columns[c].name, r->columns[i].name, e.value, e.low,
                e.high);
        }
}

/* Inputs of which there are no correlations. */
static void tell_words(const printer *p, const fnd_results *r)
{
    bool results = false, head = false;
    for (int c = 0; c < r->column_count; c++) results = results || r->columns[c].kind != FND_COLUMN_INPUT;
    for (int c = 0; c < r->column_count && results; c++) {
        const fnd_store_column *column = &r->columns[c];
        if (!column->texts || column->numbers) continue;
        say(p, head ? ", %s" : "\n rank correlations leave out what has values that are not numbers: %s", column->name);
        head = true;
    }
    if (head) say(p, "\n");
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

/* Warnings of the same kind differ in numbers at most. */
static bool is_same_warning(const char *a, const char *b)
{
    static const char *const digits = "0123456789.";
    for (;; a++, b++) {
        a += strspn(a, digits);
        b += strspn(b, digits);
        if (*a != *b || !*a) return *a == *b;
    }
}

static bool is_warned(const fnd_results *r, int64_t i) { return r->status[i] == FND_ROW_OK && r->reasons[i][0]; }

/* How many runs that are ok had warnings, with the most frequent one. */
static void tell_warnings(const printer *p, const fnd_results *r)
{
    enum { KINDS = 16 }; /* more are not told apart */
    int64_t first[KINDS], counts[KINDS], all = 0;
    int kinds = 0, most = 0;
    for (int64_t i = 0; i < r->rows; i++) {
        int k = 0;
        if (!is_warned(r, i)) continue;
        all++;
        while (k < kinds && !is_same_warning(r->reasons[i], r->reasons[first[k]])) k++;
        if (k == KINDS) continue;
        if (k == kinds) {
            first[kinds] = i;
            counts[kinds++] = 0;
        }
        if (++counts[k] > counts[most]) most = k;
    }
    if (all == 0) return;
    say(p, "\n %lld run%s had warnings", (long long)all, all == 1 ? "" : "s");
    if (kinds > 1) say(p, ", most frequently (%lld)", (long long)counts[most]);
    say(p, ": %.400s (run %lld)\n", r->reasons[first[most]], (long long)r->run[first[most]]);
}

fender_status fender_study_report_at(const fender_env *env, const fender_study_report_def *def, fender_error *error)
{
    fnd_results r;
    printer p = {
        def->put, def->ctx, def->confidence != 0 ? def->confidence : 0.95, def->content != 0 ? def->content : 0.95,
        {0},      0};
    if (!(p.confidence > 0 && p.confidence < 1 && p.content > 0 && p.content < 1))
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "confidence and content are shares",
                           .expected = "numbers between 0 and 1", .suggestion = "0.95 is 95 %");
    fender_status status = fnd_results_read(&r, env, def->store, error);
    if (status != FENDER_STATUS_OK) return status;
    p.design = fnd_store_design_of(&r);
    for (int64_t i = 0; i < r.rows; i++) p.sampled += fnd_store_is_sampled(&p.design, r.run[i]);
    size_t rows = (size_t)r.rows;
    figures f = {FND_ARENA_NEW_ARRAY(&r.arena, double, rows), FND_ARENA_NEW_ARRAY(&r.arena, double, rows),
                 FND_ARENA_NEW_ARRAY(&r.arena, double, 2 * rows), FND_ARENA_NEW_ARRAY(&r.arena, int64_t, rows),
                 FND_ARENA_NEW_ARRAY(&r.arena, int64_t, rows)};
    double *room = FND_ARENA_NEW_ARRAY(&r.arena, double, (size_t)(3 * p.design.count));
    if (r.arena.failed) status = fnd_io_fail_memory(error, "the figures of a study");
    else {
        say(&p, "%.500s\nstudy      %s, fender %s\n", r.title[0] ? r.title : def->store, r.hash, r.version);
        tell_outcomes(&p, &r);
        tell_stop(&p, &r);
        tell_values(&p, &r, &f);
        if (!p.design.is_grid) tell_limits(&p, &r, &f);
        tell_sensitivities(&p, &r, room);
        if (!p.design.is_morris) tell_correlations(&p, &r, &f);
        if (!p.design.is_morris) tell_words(&p, &r);
        tell_failures(&p, &r);
        tell_warnings(&p, &r);
    }
    fnd_results_release(&r);
    return status;
}

fender_status fender_study_report(const fender_env *env, const char *store, void (*put)(void *ctx, const char *text),
                                  void *ctx, fender_error *error)
{
    return fender_study_report_at(env, &(fender_study_report_def){.store = store, .put = put, .ctx = ctx}, error);
}
