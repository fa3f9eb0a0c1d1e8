/* Evaluation of contacts by several threads. */
#include "contact/parallel.h"

#include "base/memory.h"
#include "contact/batch.h"
#include <assert.h>
#include <string.h>

/* Parts of that cost (contact/batch_plan.c); less than LEAST in all is left to the calling thread, because waking
 * another one takes 10 us and more. */
enum { PART = 256, LEAST = 4 * PART };

static bool evaluator_create(const fender_env *env, fnd_evaluator *e, const fnd_crew *crew)
{
    e->batch_result = fnd_allocate(env, sizeof *e->batch_result);
    e->placed = fnd_allocate(env, sizeof *e->placed);
    e->placed_result = fnd_allocate(env, sizeof *e->placed_result);
    e->scratch_memory = fnd_allocate(env, crew->scratch_size);
    if (!e->batch_result || !e->placed || !e->placed_result || !e->scratch_memory) return false;
    fnd_batch_clear(e->placed);
    if (crew->terrain_count == 0) return true;
    e->terrain = fnd_allocate(env, (size_t)crew->terrain_count * sizeof *e->terrain);
    return e->terrain != NULL;
}

fnd_crew *fnd_crew_create(const fender_env *env, fnd_pool *pool, const fnd_contact_set *set)
{
    fnd_crew *crew = fnd_allocate(env, sizeof *crew);
    if (!crew) return NULL;
    crew->pool = pool;
    crew->terrain_count = set->terrain_count;
    crew->scratch_size = set->next_records.stride;
    crew->version = UINT64_MAX;
    const int threads = fnd_pool_threads(pool);
    crew->evaluators = fnd_allocate(env, (size_t)threads * sizeof *crew->evaluators);
    bool ok = crew->evaluators != NULL;
    if (ok) crew->evaluator_count = threads;
    for (int i = 0; ok && i < threads; i++) ok = evaluator_create(env, &crew->evaluators[i], crew);
    if (ok) return crew;
    fnd_crew_destroy(env, crew);
    return NULL;
}

void fnd_crew_destroy(const fender_env *env, fnd_crew *crew)
{
    if (!crew) return;
    for (int i = 0; i < crew->evaluator_count; i++) {
        fnd_evaluator *e = &crew->evaluators[i];
        fnd_release(env, e->batch_result, sizeof *e->batch_result);
        fnd_release(env, e->placed, sizeof *e->placed);
        fnd_release(env, e->placed_result, sizeof *e->placed_result);
        fnd_release(env, e->scratch_memory, crew->scratch_size);
        fnd_release(env, e->terrain, (size_t)crew->terrain_count * sizeof *e->terrain);
        e->manifold.env = env;
        fnd_manifold_release(&e->manifold);
        fnd_contact_list_destroy(env, &e->spill);
    }
    fnd_release(env, crew->evaluators, (size_t)crew->evaluator_count * sizeof *crew->evaluators);
    fnd_release(env, crew->parts, (size_t)crew->part_capacity * sizeof *crew->parts);
    fnd_release(env, crew, sizeof *crew);
}

/* ---- Division ---- */

/* Surfaces of rows stand in one list: rows of such types are found by one thread. */
static bool can_be_divided(const fnd_contact_model *model)
{
    for (int i = 0; i < model->type_count; i++)
        if (model->types[i].sees_surface) return false;
    return true;
}

/* Parts of the plan. False: no memory. */
static bool divide(const fender_env *env, fnd_crew *crew, const fnd_contact_set *set)
{
    int cost = 0, total = 0;
    crew->part_count = 0;
    const fnd_batch_plan *plan = set->plan;
    for (int i = 0; i < plan->count; i++) {
        if (i == 0 || cost >= PART) {
            void *parts = crew->parts;
            if (!fnd_reserve_one_more(env, &parts, &crew->part_capacity, crew->part_count, sizeof *crew->parts))
                return false;
            crew->parts = parts;
            crew->parts[crew->part_count++].range.from = i;
            cost = 0;
        }
        crew->parts[crew->part_count - 1].range.to = i + 1;
        cost += plan->batches[i].cost;
        if (total < LEAST) total += plan->batches[i].cost;
    }
    crew->version = plan->version;
    crew->pays = total >= LEAST && crew->part_count > 1;
    return true;
}

bool fnd_crew_takes(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model)
{
    fnd_crew *crew = set->crew;
    if (!crew || !can_be_divided(model)) return false;
    if (crew->version != set->plan->version && !divide(env, crew, set)) {
        crew->version = UINT64_MAX; /* one thread needs no parts */
        return false;
    }
    return crew->pays;
}

/* ---- Evaluation ---- */

typedef struct job {
    fnd_crew *crew;
    fnd_contact_set *set;
    const fnd_contact_model *model;
    const fnd_frame *frames;
    double time;
    fnd_regime regime;
} job;

static void evaluate_part(void *ctx, int thread, int index)
{
    const job *j = ctx;
    fnd_evaluator *e = &j->crew->evaluators[thread];
    fnd_part *part = &j->crew->parts[index];
    const fnd_contact *room = part->rows.items;
    part->thread = thread;
    part->failed = !fnd_contacts_evaluate_range(fnd_pool_env(j->crew->pool), &e->set, j->model, j->frames, j->time,
                                                j->regime, &part->range, &part->rows, &e->spill);
    part->spilled = part->rows.items != room;
    if (!part->spilled) return;
    part->offset = e->spill.count; /* the spill may move */
    e->spill.count += part->rows.count;
}

/* Each thread's copy of the set. */
static void lend(fnd_crew *crew, const fnd_contact_set *set)
{
    assert(set->terrain_count == crew->terrain_count);
    for (int i = 0; i < crew->evaluator_count; i++) {
        fnd_evaluator *e = &crew->evaluators[i];
        e->set = *set;
        e->set.manifold = e->manifold;
        e->set.batch_result = e->batch_result;
        e->set.placed = e->placed;
        e->set.placed_result = e->placed_result;
        e->set.terrain = e->terrain;
        e->set.scratch_memory = e->scratch_memory;
        e->spill.count = 0;
        e->placed->count = e->placed->whole_count = 0;
    }
}

/* In the steady state there is a row for each record: each part has room for its records at their place. */
static bool make_room(const fender_env *env, fnd_crew *crew, const fnd_contact_set *set, fnd_contact_list *out)
{
    void *items = out->items;
    const int wanted = set->records.count + set->records.count / 8;
    if (set->records.count > out->capacity && !fnd_reserve(env, &items, &out->capacity, wanted, sizeof *out->items))
        return false;
    out->items = items;
    int record = 0;
    for (int i = 0; i < crew->part_count; i++) {
        fnd_part *part = &crew->parts[i];
        part->range.record_from = record;
        record = set->records.count;
        if (i + 1 < crew->part_count) record = set->plan->batches[part[1].range.from].first_record;
        part->range.record_to = record;
        part->rows = (fnd_contact_list){.items = out->items ? out->items + part->range.record_from : NULL,
                                        .capacity = record - part->range.record_from};
        part->spilled = part->failed = false;
    }
    return true;
}

/* Moves the rows of a part to their place. */
static void move_rows(const fnd_crew *crew, fnd_part *part, fnd_contact_list *out, int at)
{
    if (part->rows.count == 0) return;
    const fnd_contact *from = part->spilled ? crew->evaluators[part->thread].spill.items + part->offset
                                            : out->items + part->range.record_from;
    if (from != &out->items[at]) memmove(&out->items[at], from, (size_t)part->rows.count * sizeof *from);
}

/* Rows of all parts one behind the other. Those that move down go first, from the first part on, then those that move
 * up, from the last: none is overwritten before it has moved. */
static bool close_up(const fender_env *env, fnd_crew *crew, fnd_contact_list *out)
{
    int count = 0;
    for (int i = 0; i < crew->part_count; i++) {
        crew->parts[i].rows.capacity = count; /* its place from here on */
        count += crew->parts[i].rows.count;
    }
    void *items = out->items;
    if (count > out->capacity && !fnd_reserve(env, &items, &out->capacity, count + count / 8, sizeof *out->items))
        return false;
    out->items = items;
    for (int i = 0; i < crew->part_count; i++) {
        fnd_part *part = &crew->parts[i];
        if (!part->spilled && part->rows.capacity < part->range.record_from)
            move_rows(crew, part, out, part->rows.capacity);
    }
    for (int i = crew->part_count - 1; i >= 0; i--) {
        fnd_part *part = &crew->parts[i];
        if (!part->spilled && part->rows.capacity > part->range.record_from)
            move_rows(crew, part, out, part->rows.capacity);
    }
    for (int i = 0; i < crew->part_count; i++)
        if (crew->parts[i].spilled) move_rows(crew, &crew->parts[i], out, crew->parts[i].rows.capacity);
    out->count = count;
    return true;
}

/* Numbers of all parts together; ordinals go on from part to part. */
static void reduce(const fnd_crew *crew, fnd_contact_list *out)
{
    int ordinal = 0;
    for (int i = 0; i < crew->part_count; i++) {
        const fnd_contact_list *rows = &crew->parts[i].rows;
        fnd_contact *items = &out->items[rows->capacity];
        out->batched_count += rows->batched_count;
        out->pair_count += rows->pair_count;
        if (rows->deepest > out->deepest) out->deepest = rows->deepest;
        if (rows->gain > out->gain) out->gain = rows->gain;
        if (rows->count == 0) continue;
        const int shift = ordinal - items[0].ordinal;
        for (int k = 0; shift != 0 && k < rows->count; k++) items[k].ordinal += shift;
        const fnd_contact *last = &items[rows->count - 1];
        ordinal = last->ordinal + (last->key.feature != FENDER_FEATURE_PAIR);
    }
}

bool fnd_crew_evaluate(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                       const fnd_frame *frames, double time, fnd_regime regime, fnd_contact_list *out)
{
    fnd_crew *crew = set->crew;
    assert(out->count == 0);
    if (!make_room(env, crew, set, out)) return false;
    lend(crew, set);
    job j = {crew, set, model, frames, time, regime};
    fnd_pool_run(crew->pool, evaluate_part, &j, crew->part_count);
    for (int i = 0; i < crew->evaluator_count; i++) crew->evaluators[i].manifold = crew->evaluators[i].set.manifold;
    for (int i = 0; i < crew->part_count; i++)
        if (crew->parts[i].failed) return false;
    if (!close_up(env, crew, out)) return false;
    reduce(crew, out);
    return true;
}
