/* Peaks of pairs with pair events between accepted states: of the sum of their contacts' forces, and of the depth of
 * their deepest point. */
#include "contact/lifecycle.h"
#include "contact/peak.h"
#include <assert.h>

/* The rows of a pair in a list. */
typedef struct pair_rows {
    const fnd_contact *first, *end; /* of its contacts */
    const fnd_contact *pair;        /* its own row; NULL: there is none */
} pair_rows;

/* A pair at both ends of the step. */
typedef struct pair_step {
    const fnd_commit *c;
    pair_rows from, to;
    double start, length; /* s */
    uint32_t a, b;
} pair_step;

static pair_rows rows_of(const fnd_contact_list *list, uint32_t a, uint32_t b)
{
    const fnd_key key = {a, b, 0};
    int low = 0, high = list->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (fnd_key_compare(&list->items[middle].key, &key) < 0) low = middle + 1;
        else high = middle;
    }
    pair_rows rows = {list->items + low, list->items + low, NULL};
    for (int i = low; i < list->count && list->items[i].key.a == a && list->items[i].key.b == b; i++) {
        if (list->items[i].key.feature == FENDER_FEATURE_PAIR) rows.pair = &list->items[i];
        else rows.end = &list->items[i] + 1;
    }
    return rows;
}

static double force_of(const pair_rows *rows)
{
    double sum = 0;
    for (const fnd_contact *c = rows->first; c < rows->end; c++) sum += c->force_C.z;
    return sum;
}

/* With the memory of its laws during the step. */
static bool span_of(const pair_step *p, const fnd_contact *from, const fnd_contact *to, fnd_span *span)
{
    if (from->record < 0) return false;
    const fnd_commit *c = p->c;
    const fnd_record_list *records = &c->set->records;
    const fnd_contact_type *type = &c->model->types[records->items[from->record].type];
    unsigned char *memory = fnd_record_memory(records, from->record);
    const double *states[2] = {fnd_memory_states(type, memory), fnd_step_stage_states(c, type, from->record)};
    *span = (fnd_span){type, memory, {states[0], states[1]}, {from, to}, fnd_depth_grain(c->model, to)};
    return true;
}

/* Force of the pair at a part of the step: of contacts that are there at both ends along the cubic through their
 * depths; what comes or goes fades. `error`: NULL, or its error. */
static double estimate(const pair_step *p, double part, double *error)
{
    double sum = 0, bulge = 0;
    const fnd_contact *from = p->from.first, *to = p->to.first;
    while (from < p->from.end || to < p->to.end) {
        const int order = from == p->from.end ? 1 : to == p->to.end ? -1 : fnd_key_compare(&from->key, &to->key);
        fnd_span span;
        if (order == 0 && span_of(p, from, to, &span)) {
            sum += fnd_span_force(&span, part);
            if (error) *error += fnd_span_force_error(&span, part);
            if (error) bulge += fnd_span_bulge(&span, part);
        } else {
            const double ends[2] = {order <= 0 ? from->force_C.z : 0, order >= 0 ? to->force_C.z : 0};
            sum += (1 - part) * ends[0] + part * ends[1];
            if (error) *error += 0.25 * fabs(ends[1] - ends[0]);
        }
        from += order <= 0;
        to += order >= 0;
    }
    if (error) *error += fabs(bulge);
    return sum;
}

/* What the rounding of depths changes of the force at the end of the step. */
static double rounding_of(const pair_step *p)
{
    double sum = 0;
    for (const fnd_contact *c = p->to.first; c < p->to.end; c++) {
        fnd_span span;
        if (fnd_depth_grain(p->c->model, c) > 0 && span_of(p, c, c, &span)) sum += fnd_span_rounding(&span, 1);
    }
    return sum;
}

static double estimate_at(void *ctx, double part) { return estimate(ctx, part, NULL); }

static pair_rows sampled_rows(const pair_step *p, double part)
{
    const fnd_step_sampler *sampler = p->c->stages->sampler;
    const fnd_contact_list *list = sampler->contacts(sampler->ctx, p->start + part * p->length);
    return list ? rows_of(list, p->a, p->b) : (pair_rows){NULL, NULL, NULL};
}

static double sampled_force(void *ctx, double part)
{
    const pair_rows rows = sampled_rows(ctx, part);
    return force_of(&rows);
}

static double sampled_depth(void *ctx, double part)
{
    const pair_rows rows = sampled_rows(ctx, part);
    return rows.pair ? rows.pair->in.depth : 0;
}

/* Does any contact move so far in the step that it can be told from rounding? */
static bool moves(const pair_step *p)
{
    for (const fnd_contact *c = p->to.first; c < p->to.end; c++)
        if (fabs(c->in.depth_rate) * p->length > fnd_least_way(fnd_depth_grain(p->c->model, c))) return true;
    for (const fnd_contact *c = p->from.first; c < p->from.end; c++)
        if (fabs(c->in.depth_rate) * p->length > fnd_least_way(fnd_depth_grain(p->c->model, c))) return true;
    return false;
}

/* Steps with dense output are long: what is estimated to come near to the known peak is sampled. */
enum { LOOKS = 8 };
#define NEAR 0.05

/* Part of the step where the force seems to be largest; false: not within the step, or not above what is known. */
static bool force_may_peak(const pair_step *p, double known, double *guess)
{
    const bool sampled = p->c->stages->sampler != NULL;
    const double first = force_of(&p->from), last = force_of(&p->to), larger = first > last ? first : last;
    if (!sampled) {
        if (larger < 0.5 * known) return false;
        const double middle = estimate(p, 0.5, NULL);
        const double bend = 2 * (first - 2 * middle + last), slope = 4 * middle - 3 * first - last;
        if (!(bend < 0) || !(slope > 0) || !(slope < -2 * bend)) return false;
        *guess = -slope / (2 * bend);
        return first - slope * slope / (4 * bend) > known;
    }
    double most = larger;
    *guess = -1;
    for (int i = 1; i < LOOKS; i++) {
        const double force = estimate(p, (double)i / LOOKS, NULL);
        if (!(force > most)) continue;
        most = force;
        *guess = (double)i / LOOKS;
    }
    return *guess > 0 && most > known - NEAR * fabs(known);
}

static void track_force(pair_step *p, fnd_record *record)
{
    double guess, force, error = 0;
    const bool sampled = p->c->stages->sampler != NULL;
    if (!force_may_peak(p, record->peak_force, &guess)) return;
    const double part = sampled ? fnd_largest(sampled_force, p, guess, 1e-6, &force)
                                : fnd_largest(estimate_at, p, guess, 1e-10, &force);
    if (!(force > record->peak_force)) return;
    if (!sampled) (void)estimate(p, part, &error);
    error += rounding_of(p);
    record->peak_force = force;
    record->peak_force_time = p->start + part * p->length;
    record->force_sampling_error = error;
    record->time_sampling_error = sampled ? 1e-6 * p->length : 0;
}

static void track_depth(pair_step *p, fnd_record *record)
{
    if (!p->from.pair || !p->to.pair) return;
    const fnd_span span = {.ends = {p->from.pair, p->to.pair}, .grain = fnd_depth_grain(p->c->model, p->to.pair)};
    double rate, depth = 0, guess = 0.5;
    if (!(p->from.pair->in.depth_rate > 0) || !(p->to.pair->in.depth_rate < 0)) return;
    for (int i = 1; i < LOOKS; i++) {
        double here;
        fnd_span_depth(&span, (double)i / LOOKS, &here, &rate);
        if (!(here > depth)) continue;
        depth = here;
        guess = (double)i / LOOKS;
    }
    double low = guess - 1.0 / LOOKS, high = guess + 1.0 / LOOKS; /* the rate decreases through zero */
    for (int i = 0; i < 60 && high - low > 1e-12; i++) {
        guess = 0.5 * (low + high);
        fnd_span_depth(&span, guess, &depth, &rate);
        if (rate > 0) low = guess;
        else high = guess;
    }
    if (p->c->stages->sampler && depth > (1 - NEAR) * record->peak_depth)
        (void)fnd_largest(sampled_depth, p, guess, 1e-6, &depth);
    if (!(depth > record->peak_depth)) return;
    record->peak_depth = depth;
    record->depth_sampling_error = span.grain + (p->c->stages->sampler ? 0 : fnd_span_depth_error(&span, guess));
}

void fnd_pair_track(const fnd_commit *c, fnd_record *record)
{
    const fnd_step_stages *stages = c->stages;
    assert(record->key.feature == FENDER_FEATURE_PAIR);
    if (stages->count == 0 || !(stages->end_time > stages->start_time)) return;
    const uint32_t a = record->key.a, b = record->key.b;
    pair_step p = {c,
                   rows_of(stages->lists[0], a, b),
                   rows_of(c->now, a, b),
                   stages->start_time,
                   stages->end_time - stages->start_time,
                   a,
                   b};
    if (!moves(&p)) return;
    track_force(&p, record);
    track_depth(&p, record);
}
