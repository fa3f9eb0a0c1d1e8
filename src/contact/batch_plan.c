/* The plan of an evaluation: candidates and records side by side, in batches and between them. */
#include "base/memory.h"
#include "contact/batch.h"
#include <assert.h>

/* Costs of candidates: a pair of a batch takes about 0.1 us. A batch and what comes before the next are at most about
 * one part of a division among threads. */
enum { COST_BATCHED = 1, COST_BALL = 8, COST_SOLID = 64, MOST = 256, LEAST_OTHERS = 8 };

/* The one that is being made. */
typedef struct builder {
    const fender_env *env;
    const fnd_contact_set *set;
    const fnd_contact_model *model;
    fnd_batch_plan *plan;
    bool closed; /* what comes belongs to another batch */
    int record;  /* in the order of keys: of the candidate at hand, or one behind it */
} builder;

static fnd_batch *last_batch(const fnd_batch_plan *plan) { return &plan->batches[plan->count - 1]; }

/* False: no memory. */
static bool open_batch(builder *b)
{
    fnd_batch_plan *plan = b->plan;
    void *batches = plan->batches;
    if (plan->count == plan->capacity &&
        !fnd_reserve_one_more(b->env, &batches, &plan->capacity, plan->count, sizeof *plan->batches))
        return false;
    plan->batches = batches;
    fnd_batch *batch = &plan->batches[plan->count++];
    fnd_batch_clear(batch);
    batch->first_other = batch->other_end = plan->other_count;
    batch->first_record = b->record;
    b->closed = false;
    return true;
}

static inline bool add_lane(builder *b, const fnd_candidate *pair, int record)
{
    const fnd_batch *last = b->plan->count > 0 ? last_batch(b->plan) : NULL;
    const bool fits = last && !b->closed && last->count < FND_BATCH_LANES &&
                      (last->count == 0 || last->type == pair->type);
    if (!fits && !open_batch(b)) return false;
    fnd_batch *batch = last_batch(b->plan);
    const int lane = fnd_batch_add(batch, pair, record);
    if (!(pair->bound < INFINITY)) fnd_batch_add_arms(batch, lane, b->model);
    batch->cost += COST_BATCHED;
    return true;
}

static inline int cost_of(const builder *b, fnd_other_kind kind, int candidate)
{
    if (kind == FND_OTHER_QUICK) return COST_BATCHED;
    return candidate >= 0 && b->set->candidates[candidate].family == FND_FAMILY_OTHER ? COST_SOLID : COST_BALL;
}

/* There is room for it. */
static inline bool add_other(builder *b, fnd_other_kind kind, int candidate, int record)
{
    fnd_batch_plan *plan = b->plan;
    if ((plan->count == 0 || b->closed) && !open_batch(b)) return false;
    fnd_batch *batch = last_batch(plan);
    assert(plan->other_count < plan->other_capacity);
    plan->others[plan->other_count++] = (fnd_batch_other){kind, candidate, record, batch->count};
    batch->other_end = plan->other_count;
    batch->cost += cost_of(b, kind, candidate);
    b->closed |= batch->cost >= MOST && batch->other_end - batch->first_other >= LEAST_OTHERS;
    return true;
}

/* Records of a pair, all of one type. */
static inline int pair_end(const fnd_record_list *records, int from)
{
    const fnd_key *first = &fnd_record_at(records, from)->key;
    int to = from + 1;
    for (; to < records->count; to++) {
        const fnd_key *key = &fnd_record_at(records, to)->key;
        if (key->a != first->a || key->b != first->b) break;
    }
    return to;
}

/* Records without candidates, up to the place. */
static bool add_records(builder *b, int to)
{
    while (b->record < to) {
        const int end = pair_end(&b->set->records, b->record);
        if (!add_other(b, FND_OTHER_RECORD, -1, b->record)) return false;
        b->record = end;
    }
    return true;
}

static bool add_candidate(builder *b, int index)
{
    const fnd_record_list *records = &b->set->records;
    const fnd_candidate *pair = &b->set->candidates[index];
    const fnd_key key = {pair->a, pair->b, 0};
    const fnd_record *record = b->record < records->count ? fnd_record_at(records, b->record) : NULL;
    if (record && fnd_key_compare(&record->key, &key) < 0) {
        if (!add_records(b, fnd_record_list_find(records, b->record, &key))) return false;
        record = b->record < records->count ? fnd_record_at(records, b->record) : NULL;
    }
    const bool batched = b->plan->batched && pair->batch;
    if (!record || record->key.a != pair->a || record->key.b != pair->b) {
        if (batched && !(pair->bound < INFINITY)) return add_lane(b, pair, -1);
        return add_other(b, batched ? FND_OTHER_QUICK : FND_OTHER_GENERAL, index, -1);
    }
    const int first = b->record;
    if (batched && record->type == pair->type && !record->suppressed && record->key.feature == 0) {
        b->record++; /* the only one */
        return add_lane(b, pair, records->order[first]);
    }
    const bool same = record->type == pair->type;
    if (!add_other(b, same ? FND_OTHER_GENERAL : FND_OTHER_REPLACED, index, same ? first : -1)) return false;
    if (!same && !add_other(b, FND_OTHER_RECORD, -1, first)) return false;
    b->record = pair_end(records, first);
    return true;
}

bool fnd_batch_plan_reserve(const fender_env *env, fnd_batch_plan *plan, int count)
{
    void *batches = plan->batches, *others = plan->others;
    bool ok = fnd_reserve(env, &batches, &plan->capacity, plan->count, count / LEAST_OTHERS + 4, sizeof *plan->batches);
    plan->batches = batches;
    ok = ok && fnd_reserve(env, &others, &plan->other_capacity, plan->other_count, count, sizeof *plan->others);
    plan->others = others;
    return ok;
}

bool fnd_batch_plan_update(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model)
{
    fnd_batch_plan *plan = set->plan;
    if (set->planned && plan->candidate_version == set->candidate_version && plan->batched == set->any_batched)
        return true;
    assert(fnd_candidates_are_sound(set, model));
    set->planned = false;
    plan->count = plan->other_count = 0;
    plan->batched = set->any_batched;
    plan->candidate_version = set->candidate_version;
    const int most = set->candidate_count + set->records.count;
    if (plan->other_capacity < most && !fnd_batch_plan_reserve(env, plan, most + most / 2)) return false;
    builder b = {env, set, model, plan, false, 0};
    for (int i = 0; i < set->candidate_count; i++)
        if (!add_candidate(&b, i)) return false;
    if (!add_records(&b, set->records.count)) return false;
    set->planned = true;
    plan->version++;
    return true;
}

void fnd_batch_plan_release(const fender_env *env, fnd_batch_plan *plan)
{
    fnd_release(env, plan->batches, (size_t)plan->capacity * sizeof *plan->batches);
    fnd_release(env, plan->others, (size_t)plan->other_capacity * sizeof *plan->others);
    *plan = (fnd_batch_plan){0};
}
