/* The figures of a store, with what they are worth, as text or as JSON. */
#include "study/sensitivity.h"
#include "study/stop.h"
#include "support/io_error.h"
#include "support/json.h"
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
    int64_t sampled, lost; /* rows that are a sample; those of them that have failed */
    fnd_buffer *json;      /* NULL: text */
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

static void put_estimate(const printer *p, const char *key, fnd_estimate e)
{
    fnd_json_begin(p->json, key, '{');
    fnd_json_put_number(p->json, "value", e.value);
    fnd_json_put_number(p->json, "low", e.low);
    fnd_json_put_number(p->json, "high", e.high);
    fnd_buffer_append_char(p->json, '}');
}

/* A list of JSON begins or ends; text needs none. */
static void begin_list(const printer *p, const char *key)
{
    if (p->json) fnd_json_begin(p->json, key, '[');
}
static void end_list(const printer *p)
{
    if (p->json) fnd_buffer_append_char(p->json, ']');
}
static void end_row(const printer *p) { fnd_buffer_append_char(p->json, '}'); }

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

static void tell_runs(const printer *p, const fnd_results *r, const int64_t by_status[3])
{
    if (!p->json) {
        say(p, "runs       %lld of %lld: %lld ok, %lld doubtful, %lld failed\n", (long long)r->rows,
            (long long)fnd_results_total(r), (long long)by_status[0], (long long)by_status[1], (long long)by_status[2]);
        return;
    }
    fnd_json_begin(p->json, "runs", '{');
    fnd_json_put_integer(p->json, "of", fnd_results_total(r));
    fnd_json_put_integer(p->json, "done", r->rows);
    for (int i = 0; i < 3; i++) fnd_json_put_integer(p->json, statuses[i], by_status[i]);
    fnd_json_put_integer(p->json, "sampled", p->sampled);
    end_row(p);
}

static void tell_outcome_head(const printer *p)
{
    if (p->json) return;
    if (p->design.is_grid)
        say(p, "\n outcome                runs        of all   (a %s, not a sample)\n",
            p->design.is_list ? "list" : "design");
    else
        say(p, "\n outcome                runs     probability   %s %% interval (Clopper-Pearson)\n",
            percent(p->confidence).text);
}

/* `lost`: were all failed runs counted as true. */
static void tell_outcome(const printer *p, const fnd_store_column *column, int64_t hits)
{
    const bool grid = p->design.is_grid;
    fnd_estimate e = fnd_binomial(hits, p->sampled, p->confidence),
                 lost = fnd_binomial(hits + p->lost, p->sampled, p->confidence);
    if (p->json) {
        if (grid) e.low = e.high = lost.high = (double)NAN;
        fnd_json_begin_row(p->json);
        fnd_json_put_text(p->json, "name", column->name);
        fnd_json_put_text(p->json, "condition", column->detail);
        fnd_json_put_integer(p->json, "runs", hits);
        put_estimate(p, "probability", e);
        fnd_json_put_number(p->json, "high_with_failed", lost.high);
        end_row(p);
        return;
    }
    say(p, " %-18s %8lld     %8s %%    ", column->name, (long long)hits, percent(e.value).text);
    if (!grid) say(p, "%s to %s %%     ", percent(e.low).text, percent(e.high).text);
    say(p, "%s\n", column->detail);
    if (p->lost == 0) return;
    say(p, "   and failed runs  %8lld     %8s %%    ", (long long)(hits + p->lost), percent(lost.value).text);
    if (!grid) say(p, "%s to %s %%", percent(lost.low).text, percent(lost.high).text);
    say(p, "\n");
}

static void tell_outcomes(const printer *p, const fnd_results *r)
{
    int64_t by_status[3] = {0};
    for (int64_t i = 0; i < r->rows; i++) by_status[r->status[i]]++;
    tell_runs(p, r, by_status);
    begin_list(p, "outcomes");
    bool head = false;
    for (int c = 0; c < r->column_count; c++) {
        const fnd_store_column *column = &r->columns[c];
        if (column->kind != FND_COLUMN_OUTCOME) continue;
        if (!head) tell_outcome_head(p);
        head = true;
        int64_t hits = 0;
        for (int64_t i = 0; i < r->rows; i++)
            hits += column->values[i] > 0 && fnd_store_is_sampled(&p->design, r->run[i]);
        tell_outcome(p, column, hits);
    }
    end_list(p);
    if (p->json) return;
    if (p->design.is_indices)
        say(p, "   of the %lld runs that are the two samples of the design\n", (long long)p->sampled);
    if (head && p->lost > 0)
        say(p,
            "   in failed runs, all outcomes count as false, including success; the second line counts them as true\n");
}

/* Interval at the look at which the study stopped, or would have. */
static void tell_stop(const printer *p, const fnd_results *r)
{
    fnd_stop stop;
    if (!fnd_results_stop(r, &stop)) return;
    if (p->json) {
        fnd_json_begin(p->json, "stop", '{');
        fnd_json_put_bool(p->json, "reached", stop.reached);
        fnd_json_put_integer(p->json, "runs", stop.runs);
        begin_list(p, "conditions");
        for (int i = 0; i < stop.count; i++) {
            fnd_json_begin_row(p->json);
            fnd_json_put_text(p->json, "name", stop.conditions[i].name);
            put_estimate(p, "probability",
                         fnd_binomial(stop.conditions[i].hits, stop.runs, 1 - stop.conditions[i].level));
            fnd_json_put_number(p->json, "confidence", 1 - stop.conditions[i].level * stop.looks);
            end_row(p);
        }
        end_list(p);
        end_row(p);
        return;
    }
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
    bool head = p->json != NULL;
    begin_list(p, "values");
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
        if (count == 0 && !p->json) {
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
        if (p->json) {
            fnd_json_begin_row(p->json);
            fnd_json_put_text(p->json, "name", column->name);
            fnd_json_put_text(p->json, "unit", column->unit);
            fnd_json_put_integer(p->json, "runs", count);
            put_estimate(p, "mean", mean);
            fnd_json_put_number(p->json, "quantile_5", low.value);
            put_estimate(p, "median", median);
            fnd_json_put_number(p->json, "quantile_95", high.value);
            end_row(p);
            continue;
        }
        say(p, " %-18s %10s (%s to %s)   %10s   %10s (%s to %s)   %10s   %s\n", column->name, number(mean.value).text,
            number(mean.low).text, number(mean.high).text, number(low.value).text, number(median.value).text,
            number(median.low).text, number(median.high).text, number(high.value).text,
            strcmp(column->unit, "1") == 0 ? "" : column->unit);
        if (count < p->sampled) say(p, "   in %lld of %lld runs\n", (long long)count, (long long)p->sampled);
    }
    end_list(p);
}

static void tell_limits(const printer *p, const fnd_results *r, figures *f)
{
    bool head = p->json != NULL;
    int64_t one = fnd_tolerance_runs(p->content, p->confidence, 1),
            two = fnd_tolerance_runs(p->content, p->confidence, 2);
    begin_list(p, "tolerance_limits");
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
        if (count < one && p->json) continue;
        if (count < one) {
            say(p, " %-18s needs %lld values (%lld on both sides); there are %lld\n", column->name, (long long)one,
                (long long)two, (long long)count);
            continue;
        }
        fnd_sort_indices(f->a, f->order, f->spare, count);
        for (int64_t i = 0; i < count; i++) f->b[i] = f->a[f->order[i]];
        fnd_estimate side = fnd_tolerance(f->b, count, p->content, p->confidence, 1),
                     both = fnd_tolerance(f->b, count, p->content, p->confidence, 2);
        if (p->json) {
            fnd_json_begin_row(p->json);
            fnd_json_put_text(p->json, "name", column->name);
            fnd_json_put_text(p->json, "unit", column->unit);
            fnd_json_put_integer(p->json, "runs", count);
            fnd_json_put_number(p->json, "below", side.high);
            fnd_json_put_number(p->json, "above", side.low);
            if (count >= two) fnd_json_put_numbers(p->json, "between", (const double[2]){both.low, both.high}, 2);
            end_row(p);
            continue;
        }
        say(p, " %-18s %10s     %10s     ", column->name, number(side.high).text, number(side.low).text);
        if (count < two) say(p, "needs %lld values", (long long)two);
        else say(p, "%s and %s", number(both.low).text, number(both.high).text);
        say(p, "   %s\n", strcmp(column->unit, "1") == 0 ? "" : column->unit);
        if (count < p->sampled) say(p, "   of %lld of %lld runs\n", (long long)count, (long long)p->sampled);
    }
    end_list(p);
}

static void tell_estimate(const printer *p, fnd_estimate e)
{
    if (isnan(e.low)) say(p, "   %8s (-)            ", number(e.value).text);
    else say(p, "   %8.4g (%.4g to %.4g)", e.value, e.low, e.high);
}

static void put_sensitivity(const printer *p, const fnd_store_column *column, const fnd_sensitivity *s)
{
    fnd_json_begin_row(p->json);
    fnd_json_put_text(p->json, "of", column->name);
    fnd_json_put_text(p->json, "to", s->name);
    fnd_json_put_integer(p->json, "count", s->count);
    if (p->design.is_indices) {
        put_estimate(p, "first_order", s->first);
        put_estimate(p, "total", s->total);
    } else {
        fnd_json_put_text(p->json, "unit", column->unit);
        put_estimate(p, "mu_star", s->effect.size);
        put_estimate(p, "mu", s->effect.mean);
        put_estimate(p, "sigma", s->effect.deviation);
    }
    end_row(p);
}

static void tell_sensitivities(const printer *p, const fnd_results *r, double *room)
{
    const fnd_store_design *d = &p->design;
    if (!d->is_indices && !d->is_morris) return;
    if (!p->json)
        say(p,
            d->is_indices ? "\n shares of the variance (Sobol): first order, total; %s %% intervals\n"
                          : "\n effects of a variable's whole range (Morris): mu*, mu, sigma; %s %% intervals\n",
            percent(p->confidence).text);
    begin_list(p, "sensitivities");
    for (int c = 0; c < r->column_count; c++)
        for (int64_t i = 0; i < d->variables && r->columns[c].kind != FND_COLUMN_INPUT; i++) {
            fnd_sensitivity s = fnd_sensitivity_of(r, d, c, i, p->confidence, room);
            if (p->json) {
                put_sensitivity(p, &r->columns[c], &s);
                continue;
            }
            say(p, " %-18s to %-18s", r->columns[c].name, s.name);
            if (d->is_indices) tell_estimate(p, s.first), tell_estimate(p, s.total);
            else {
                tell_estimate(p, s.effect.size), tell_estimate(p, s.effect.mean), tell_estimate(p, s.effect.deviation);
                say(p, "   %s", strcmp(r->columns[c].unit, "1") == 0 ? "" : r->columns[c].unit);
            }
            if (s.count < d->count) say(p, "   (%lld of %lld)", (long long)s.count, (long long)d->count);
            say(p, "\n");
        }
    end_list(p);
}

/* In a design that is no sample, a correlation has no interval: all are told. */
static void tell_correlations(const printer *p, const fnd_results *r, figures *f)
{
    const bool grid = p->design.is_grid;
    bool head = p->json != NULL;
    begin_list(p, "correlations");
    for (int c = 0; c < r->column_count; c++)
        for (int i = 0; i < r->column_count && r->columns[c].kind != FND_COLUMN_INPUT; i++) {
            if (r->columns[i].kind != FND_COLUMN_INPUT) continue;
            int64_t count = gather(p, r, &r->columns[i], &r->columns[c], f);
            fnd_estimate e = fnd_rank_correlation(f->a, f->b, count, p->confidence, f->room, f->order, f->spare);
            if (isnan(e.value)) continue;
            if (grid) e.low = e.high = (double)NAN;
            if (p->json) {
                fnd_json_begin_row(p->json);
                fnd_json_put_text(p->json, "of", r->columns[c].name);
                fnd_json_put_text(p->json, "with", r->columns[i].name);
                put_estimate(p, "rank_correlation", e);
                end_row(p);
                continue;
            }
            /* of a sample, only what is told from none at all */
            if (!grid && (isnan(e.low) || (e.low <= 0 && e.high >= 0))) continue;
            if (!head && grid) say(p, "\n rank correlation (Spearman) in the design\n");
            else if (!head)
                say(p, "\n rank correlation (Spearman) that differs from 0 at %s %%\n", percent(p->confidence).text);
            head = true;
            say(p, " %-18s with %-18s %7.3f", r->columns[c].name, r->columns[i].name, e.value);
            if (!grid) say(p, "   (%.3f to %.3f)", e.low, e.high);
            say(p, "\n");
        }
    end_list(p);
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
    begin_list(p, "not_ok");
    for (int64_t i = 0; i < r->rows && (p->json || told < 10); i++) {
        if (r->status[i] == FND_ROW_OK) continue;
        if (p->json) {
            fnd_json_begin_row(p->json);
            fnd_json_put_integer(p->json, "run", r->run[i]);
            fnd_json_put_text(p->json, "status", statuses[r->status[i]]);
            fnd_json_put_text(p->json, "reason", r->reasons[i]);
            end_row(p);
            continue;
        }
        if (told++ == 0)
            say(p, "\n the first runs that were not ok (fender study run STUDY --only K --keep repeats one)\n");
        say(p, " %8lld  %-8s  %.300s\n", (long long)r->run[i], statuses[r->status[i]], r->reasons[i]);
    }
    end_list(p);
}

static void tell_head(const printer *p, const fnd_results *r, const char *store)
{
    const fnd_store_design *d = &p->design;
    const char *title = r->title[0] ? r->title : store;
    if (!p->json) {
        say(p, "%.500s\nstudy      %s, fender %s\n", title, r->hash, r->version);
        return;
    }
    fnd_json_begin(p->json, NULL, '{');
    fnd_json_put_text(p->json, "title", title);
    fnd_json_put_text(p->json, "study", r->hash);
    fnd_json_put_text(p->json, "fender", r->version);
    fnd_json_put_text(p->json, "design",
                      d->is_list      ? "list"
                      : d->is_morris  ? "morris"
                      : d->is_grid    ? "grid"
                      : d->is_indices ? "indices"
                                      : "sample");
    fnd_json_put_number(p->json, "confidence", p->confidence);
    fnd_json_put_number(p->json, "content", p->content);
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
    begin_list(p, "warned");
    for (int64_t i = 0; i < r->rows; i++) {
        int k = 0;
        if (!is_warned(r, i)) continue;
        if (p->json) {
            fnd_json_begin_row(p->json);
            fnd_json_put_integer(p->json, "run", r->run[i]);
            fnd_json_put_text(p->json, "warning", r->reasons[i]);
            end_row(p);
            continue;
        }
        all++;
        while (k < kinds && !is_same_warning(r->reasons[i], r->reasons[first[k]])) k++;
        if (k == KINDS) continue;
        if (k == kinds) {
            first[kinds] = i;
            counts[kinds++] = 0;
        }
        if (++counts[k] > counts[most]) most = k;
    }
    end_list(p);
    if (all == 0) return;
    say(p, "\n %lld run%s had warnings", (long long)all, all == 1 ? "" : "s");
    if (kinds > 1) say(p, ", most frequently (%lld)", (long long)counts[most]);
    say(p, ": %.400s (run %lld)\n", r->reasons[first[most]], (long long)r->run[first[most]]);
}

fender_status fender_study_report_at(const fender_env *env, const fender_study_report_def *def, fender_error *error)
{
    fnd_results r;
    fnd_buffer json = fnd_buffer_open(&env->allocator);
    printer p = {.put = def->put,
                 .ctx = def->ctx,
                 .confidence = def->confidence != 0 ? def->confidence : 0.95,
                 .content = def->content != 0 ? def->content : 0.95,
                 .json = def->json ? &json : NULL};
    if (!(p.confidence > 0 && p.confidence < 1 && p.content > 0 && p.content < 1))
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "confidence and content are shares",
                           .expected = "numbers between 0 and 1", .suggestion = "0.95 is 95 %");
    fender_status status = fnd_results_read(&r, env, def->store, error);
    if (status != FENDER_STATUS_OK) return status;
    p.design = fnd_store_design_of(&r);
    for (int64_t i = 0; i < r.rows; i++) {
        if (!fnd_store_is_sampled(&p.design, r.run[i])) continue;
        p.sampled++;
        p.lost += r.status[i] == FND_ROW_FAILED;
    }
    size_t rows = (size_t)r.rows;
    figures f = {FND_ARENA_NEW_ARRAY(&r.arena, double, rows), FND_ARENA_NEW_ARRAY(&r.arena, double, rows),
                 FND_ARENA_NEW_ARRAY(&r.arena, double, 2 * rows), FND_ARENA_NEW_ARRAY(&r.arena, int64_t, rows),
                 FND_ARENA_NEW_ARRAY(&r.arena, int64_t, rows)};
    double *room = FND_ARENA_NEW_ARRAY(&r.arena, double, (size_t)(3 * p.design.count));
    if (r.arena.failed) status = fnd_io_fail_memory(error, "the figures of a study");
    else {
        tell_head(&p, &r, def->store);
        tell_outcomes(&p, &r);
        tell_stop(&p, &r);
        tell_values(&p, &r, &f);
        if (!p.design.is_grid) tell_limits(&p, &r, &f);
        tell_sensitivities(&p, &r, room);
        if (!p.design.is_morris) tell_correlations(&p, &r, &f);
        if (!p.design.is_morris && !p.json) tell_words(&p, &r);
        tell_failures(&p, &r);
        tell_warnings(&p, &r);
        if (p.json) fnd_buffer_append_text(p.json, "}\n");
        if (json.failed) status = fnd_io_fail_memory(error, "the figures of a study");
        else if (p.json) p.put(p.ctx, fnd_buffer_text(&json));
    }
    fnd_buffer_close(&json);
    fnd_results_release(&r);
    return status;
}

fender_status fender_study_report(const fender_env *env, const char *store, void (*put)(void *ctx, const char *text),
                                  void *ctx, fender_error *error)
{
    return fender_study_report_at(env, &(fender_study_report_def){.store = store, .put = put, .ctx = ctx}, error);
}
