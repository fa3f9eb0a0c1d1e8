/* Search for a boundary: bisection by exact tests.
 *
 * At a place, runs are added until an exact one-sided interval (Clopper and Pearson) lies above or below the
 * probability, or there are no more. Places that are told from it bound the boundary, if the probability changes in one
 * direction alone; between them the search goes to the middle, and past places that cannot be told.
 *
 * Each place has runs of its own, independent of those that led to it, and can be judged wrong on one side only, at
 * each of its looks. By Bonferroni's inequality all verdicts are right with the stated confidence when each look has
 * the error over the number of looks and places. Nothing is assumed about the form of the curve; the estimate alone
 * comes from a fit: shares that are made to fall (M. Ayer et al., Ann. Math. Stat. 26 (1955)), straight in between. */
#include "study/boundary.h"

#include "study/reading.h"
#include "study/statistics.h"
#include "study/store.h"
#include "support/io_error.h"
#include "support/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_LOOK = 20 };

static int look_count(const fnd_boundary *b)
{
    int looks = 1;
    for (int64_t n = b->runs; n / 2 >= FIRST_LOOK; n /= 2) looks++;
    return looks;
}

/* How many looks there are at a place, and what error each of them may have. */
static void boundary_plan(const fnd_boundary *b, fnd_boundary_result *r)
{
    int halvings = 1;
    for (double width = b->to - b->from; width > b->width && halvings < 60; width *= 0.5) halvings++;
    *r = (fnd_boundary_result){.estimate = (double)NAN};
    r->level = (1 - b->confidence) / (2 + 2 * halvings) / look_count(b);
    r->least = 1;
    while (r->least < (int64_t)1 << 40 && fnd_binomial(r->least, r->least, 1 - 2 * r->level).low < b->probability)
        r->least *= 2;
    int64_t low = r->least / 2;
    while (r->least - low > 1) {
        int64_t middle = low + (r->least - low) / 2;
        if (fnd_binomial(middle, middle, 1 - 2 * r->level).low < b->probability) low = middle;
        else r->least = middle;
    }
}

typedef struct search {
    const fnd_boundary *b;
    fnd_boundary_result *r;
    bool (*hits)(void *ctx, double x, int64_t runs, int64_t *count);
    void *ctx;
} search;

/* Along the axis on which the probability falls. */
static double along(const search *s, double x) { return s->b->smallest ? -x : x; }

static bool judge(search *s, double x)
{
    fender_boundary_place *p = &s->r->places[s->r->count++];
    *p = (fender_boundary_place){.x = x};
    int looks = look_count(s->b);
    for (int look = 1; look <= looks && p->verdict == 0; look++) {
        p->runs = s->b->runs >> (looks - look);
        if (!s->hits(s->ctx, x, p->runs, &p->hits)) return false;
        fnd_estimate e = fnd_binomial(p->hits, p->runs, 1 - 2 * s->r->level);
        p->low = e.low;
        p->high = e.high;
        p->verdict = e.low >= s->b->probability ? 1 : e.high < s->b->probability ? -1 : 0;
    }
    return true;
}

/* The next place; false: there is none. */
static bool next_place(search *s, double *x)
{
    double above = -(double)INFINITY, below = (double)INFINITY, first = below, last = above, y;
    const fnd_boundary_result *r = s->r;
    for (int i = 0; i < r->count; i++) {
        y = along(s, r->places[i].x);
        if (r->places[i].verdict > 0 && y > above) above = y;
        if (r->places[i].verdict < 0 && y < below) below = y;
    }
    s->r->crossed = above > below;
    if (s->r->crossed) return false;
    for (int i = 0; i < r->count; i++) { /* those that could not be told, in between */
        y = along(s, r->places[i].x);
        if (r->places[i].verdict != 0 || y < above || y > below) continue;
        first = y < first ? y : first;
        last = y > last ? y : last;
    }
    bool any = isfinite(first);
    double left = any ? first - above : below - above, right = any ? below - last : 0;
    if (!isfinite(left)) left = 0; /* a bound that cannot be told, or lies beyond the boundary */
    if (!isfinite(right)) right = 0;
    if (!(left > s->b->width) && !(right > s->b->width)) return false;
    y = left >= right ? above + 0.5 * left : last + 0.5 * right;
    *x = along(s, y);
    return true;
}

static void estimate(search *s)
{
    fnd_boundary_result *r = s->r;
    double y[FND_BOUNDARY_PLACES], share[FND_BOUNDARY_PLACES], weight[FND_BOUNDARY_PLACES], fit[FND_BOUNDARY_PLACES];
    int size[FND_BOUNDARY_PLACES], blocks = 0, n = 0, order[FND_BOUNDARY_PLACES];
    for (int i = 0; i < r->count; i++) {
        int at = i;
        for (; at > 0 && along(s, r->places[order[at - 1]].x) > along(s, r->places[i].x); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (int i = 0; i < r->count; i++) { /* neighbours that rise are pooled */
        const fender_boundary_place *p = &r->places[order[i]];
        y[i] = along(s, p->x);
        weight[blocks] = (double)p->runs;
        share[blocks] = (double)p->hits / (double)p->runs;
        size[blocks++] = 1;
        for (; blocks > 1 && share[blocks - 2] < share[blocks - 1]; blocks--) {
            double w = weight[blocks - 2] + weight[blocks - 1];
            share[blocks - 2] = (weight[blocks - 2] * share[blocks - 2] + weight[blocks - 1] * share[blocks - 1]) / w;
            weight[blocks - 2] = w;
            size[blocks - 2] += size[blocks - 1];
        }
    }
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < size[b]; i++) fit[n++] = share[b];
    for (int i = 0; i + 1 < n; i++)
        if (fit[i] >= s->b->probability && fit[i + 1] < s->b->probability)
            r->estimate = along(s, y[i] + (y[i + 1] - y[i]) * (fit[i] - s->b->probability) / (fit[i] - fit[i + 1]));
}

bool fnd_boundary_search(const fnd_boundary *b, bool (*hits)(void *ctx, double x, int64_t runs, int64_t *count),
                         void *ctx, fnd_boundary_result *r)
{
    search s = {b, r, hits, ctx};
    boundary_plan(b, r);
    double x = b->smallest ? b->to : b->from;
    if (!judge(&s, x)) return false;
    if (r->places[0].verdict >= 0 && !judge(&s, b->smallest ? b->from : b->to)) return false;
    while (r->count < FND_BOUNDARY_PLACES && next_place(&s, &x))
        if (!judge(&s, x)) return false;
    double above = -(double)INFINITY, below = (double)INFINITY;
    for (int i = 0; i < r->count; i++) {
        double y = along(&s, r->places[i].x);
        if (r->places[i].verdict > 0 && y > above) above = y;
        if (r->places[i].verdict < 0 && y < below) below = y;
    }
    r->low = b->smallest ? -below : above;
    r->high = b->smallest ? -above : below;
    estimate(&s);
    return true;
}

/* ---- with the runs of a study */

typedef struct counting {
    const fender_env *env;
    const fender_study_boundary_def *def;
    const fnd_boundary *b;
    fender_status status;
    fender_error *error;
} counting;

static bool watch_place(void *ctx, const fender_study_progress *progress)
{
    const counting *c = ctx;
    return c->def->progress(c->def->progress_ctx, progress);
}

/* The runs at a place are a study of their own, with a store of its own: what was done is found again. */
static bool count_hits(void *ctx, double x, int64_t runs, int64_t *hits)
{
    counting *c = ctx;
    fender_study at = *c->def->study;
    char store[1100], number[FND_NUMBER_SIZE];
    fnd_results r;
    at.fixed = c->b->variable + 1;
    at.fixed_value = x;
    at.runs = runs;
    at.stop = NULL;
    at.hash = fnd_text_hash(at.hash, &x, sizeof x);
    at.seed = fnd_text_hash(at.seed, &x, sizeof x);
    fnd_number_format(x, number, sizeof number);
    snprintf(store, sizeof store, "%s/%s_%s.db", c->def->directory, at.variables[c->b->variable].id.name, number);
    fender_study_def def = {.study = &at,
                            .store = store,
                            .jobs = c->def->jobs,
                            .progress = c->def->progress ? watch_place : NULL,
                            .progress_ctx = c};
    c->status = fender_study_run(c->env, &def, NULL, c->error);
    if (c->status == FENDER_STATUS_OK) c->status = fnd_results_read(&r, c->env, store, c->error);
    if (c->status != FENDER_STATUS_OK) return false;
    *hits = 0;
    for (int i = 0; i < r.column_count; i++)
        for (int64_t row = 0; row < r.rows && strcmp(r.columns[i].name, at.outcomes[c->b->outcome].id.name) == 0; row++)
            *hits += r.run[row] < runs && r.columns[i].values[row] > 0;
    fnd_results_release(&r);
    return true;
}

fender_status fender_study_boundary(const fender_env *env, const fender_study_boundary_def *def,
                                    fender_study_boundary_result *result, fender_error *error)
{
    const fnd_boundary *b = def->study->boundary;
    *result = (fender_study_boundary_result){0};
    if (!b)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .source = def->study->path,
                           .message = "the study names no boundary", .expected = "a section 'boundary'",
                           .suggestion = "write boundary: {largest: VARIABLE, outcome: OUTCOME, "
                                         "probability: 99 %}");
    if (strlen(def->directory) > 900 || (mkdir(def->directory, 0777) != 0 && errno != EEXIST))
        return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = def->directory,
                           .message = "the folder for the stores of the places cannot be made",
                           .found = strerror(errno), .expected = "a folder that can be written",
                           .suggestion = "name another one with -o");
    fnd_boundary_result *r = env->allocator.allocate(env->allocator.ctx, sizeof *r, _Alignof(max_align_t));
    if (!r) return fnd_io_fail_memory(error, "a boundary");
    counting c = {env, def, b, FENDER_STATUS_OK, error};
    (void)fnd_boundary_search(b, count_hits, &c, r);
    const fnd_variable *v = &def->study->variables[b->variable];
    *result = (fender_study_boundary_result){.variable = v->id.name,
                                             .unit = v->unit,
                                             .outcome = def->study->outcomes[b->outcome].id.name,
                                             .smallest = b->smallest,
                                             .crossed = r->crossed,
                                             .probability = b->probability,
                                             .confidence = b->confidence,
                                             .low = r->low,
                                             .high = r->high,
                                             .estimate = r->estimate};
    for (; result->place_count < r->count && c.status == FENDER_STATUS_OK; result->place_count++)
        result->places[result->place_count] = r->places[result->place_count];
    env->allocator.release(env->allocator.ctx, r, sizeof *r);
    return c.status;
}

/* ---- out of a study file */

static bool refuse(fnd_reader *reader, const fnd_node *node, const char *message, const char *found,
                   const char *expected, const char *remedy)
{
    fnd_complain(reader, fnd_node_shown_location(node), FENDER_STATUS_VALUE, message, found, expected, remedy);
    return false;
}

static bool read_names(fnd_reader *reader, const fender_study *s, const fnd_node *variable, const fnd_node *outcome,
                       fnd_boundary *b)
{
    const char *name, *judged;
    fnd_known_name names[64];
    int count = 0;
    if (!fnd_read_text(reader, variable, variable->key, &name) || !fnd_read_text(reader, outcome, "outcome", &judged))
        return false;
    for (b->variable = 0; b->variable < s->variable_count; b->variable++)
        if (strcmp(s->variables[b->variable].id.name, name) == 0) break;
    for (b->outcome = 0; b->outcome < s->outcome_count; b->outcome++)
        if (strcmp(s->outcomes[b->outcome].id.name, judged) == 0) break;
    if (b->variable == s->variable_count) {
        for (int i = 0; i < s->variable_count && i < 64; i++)
            names[count++] = (fnd_known_name){s->variables[i].id.name, 0};
        fnd_complain(reader, fnd_node_shown_location(variable), FENDER_STATUS_NAME,
                     fnd_phrase_make("no variable is named '%s'", fnd_shown(name).text).text, fnd_shown(name).text,
                     "a variable of 'vary'", fnd_suggest(reader, name, "variables", names, count).text);
        return false;
    }
    if (b->outcome == s->outcome_count) {
        for (int i = 0; i < s->outcome_count && i < 64; i++)
            names[count++] = (fnd_known_name){s->outcomes[i].id.name, 0};
        fnd_complain(reader, fnd_node_shown_location(outcome), FENDER_STATUS_NAME,
                     fnd_phrase_make("no outcome is named '%s'", fnd_shown(judged).text).text, fnd_shown(judged).text,
                     "an outcome of the study, or success", fnd_suggest(reader, judged, "outcomes", names, count).text);
        return false;
    }
    const fnd_variable *v = &s->variables[b->variable];
    b->from = v->distribution.kind < FND_DISCRETE || v->distribution.kind == FND_TABLE
                  ? fnd_quantile(&v->distribution, 0)
                  : (double)NAN;
    b->to = fnd_quantile(&v->distribution, 1);
    b->width = (b->to - b->from) / 100;
    if (v->joined || !isfinite(b->from) || !isfinite(b->to))
        return refuse(reader, variable,
                      fnd_phrase_make(v->joined ? "'%s' is correlated with others, and cannot go by itself"
                                                : "'%s' is no number with bounds to search between",
                                      name)
                          .text,
                      name, "a variable such as uniform: [from, to, UNIT]",
                      v->joined ? "leave it out of 'joint'" : "add within: [from, to, UNIT]");
    return true;
}

void fnd_study_read_boundary(fnd_reader *reader, fender_study *s, fnd_node *section)
{
    static const char *const keys[] = {"largest", "smallest", "outcome", "probability", "confidence", "width", NULL};
    if (!section || !fnd_expect_map(reader, section, "boundary") || !fnd_check_keys(reader, section, "boundary", keys))
        return;
    fnd_boundary *b = fnd_keep(reader, 1, sizeof *b);
    fnd_boundary_result *plan = fnd_keep(reader, 1, sizeof *plan);
    fnd_node *largest = fnd_node_find(section, "largest"), *smallest = fnd_node_find(section, "smallest"),
             *outcome = fnd_require(reader, section, "outcome", "boundary", "upright"),
             *probability = fnd_require(reader, section, "probability", "boundary", "99 %"),
             *confidence = fnd_node_find(section, "confidence"), *width = fnd_node_find(section, "width");
    if (!b || !plan || !outcome || !probability) return;
    if ((largest != NULL) == (smallest != NULL)) {
        (void)refuse(reader, section, "a boundary is the largest or the smallest value of one variable", "",
                     "largest: VARIABLE, or smallest: VARIABLE", "write, for example, largest: speed");
        return;
    }
    b->smallest = smallest != NULL;
    b->confidence = 0.95;
    if (!read_names(reader, s, largest ? largest : smallest, outcome, b) ||
        !fnd_read_number(reader, probability, "probability", "1", &b->probability) ||
        (confidence && !fnd_read_number(reader, confidence, "confidence", "1", &b->confidence)))
        return;
    if (!(b->probability > 0 && b->probability < 1) || !(b->confidence >= 0.5 && b->confidence <= 0.999999)) {
        bool first = !(b->probability > 0 && b->probability < 1);
        (void)refuse(reader, first ? probability : confidence,
                     first ? "a probability lies between 0 and 1" : "a confidence lies between 0.5 and 0.999999",
                     fnd_digits(first ? b->probability : b->confidence, "").text,
                     first ? "such as 99 %" : "such as 95 %", "is a % missing?");
        return;
    }
    fnd_variable as_variable = s->variables[b->variable];
    if (width) {
        double sides[1] = {b->width};
        if (!fnd_study_read_number(reader, &as_variable, width, "width", sides)) return;
        if (!(sides[0] > 0) || !(sides[0] >= (b->to - b->from) * 1e-9)) {
            (void)refuse(reader, width, "the width of the interval must be more than 0", "", "more than 0",
                         "write, for example, 1 % of the range");
            return;
        }
        b->width = sides[0];
    }
    if (s->design != FND_DESIGN_RANDOM) {
        (void)refuse(reader, section, "a boundary is searched with runs that are independent of each other", "",
                     "design: random", "choose random, or remove 'boundary'");
        return;
    }
    b->runs = s->runs;
    boundary_plan(b, plan);
    if (b->runs < plan->least) {
        (void)refuse(reader, section,
                     fnd_phrase_make("%d runs at a place cannot show this probability: it takes at least %d",
                                     (int)b->runs, (int)plan->least)
                         .text,
                     "", fnd_phrase_make("at least %d runs", (int)plan->least).text,
                     "raise 'runs' to several times that, or lower the probability");
        return;
    }
    s->boundary = b;
}
