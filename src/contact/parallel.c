/* Evaluation of contacts by several threads. */
#include "contact/parallel.h"

#include "base/memory.h"
#include "contact/batch.h"
#include <assert.h>
#include <string.h>

/* Parts of that cost (contact/batch_plan.c); less than LEAST in all is left to the calling thread, because waking
 * another one takes 10 us and more. */
enum { PART = 256, LEAST = 4 * PART };
enum { SAVED = 1024 }; /* rows: room at first, for contacts that begin and end */

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
    crew->saved = fnd_allocate(env, SAVED * sizeof *crew->saved);
    if (crew->saved) crew->saved_capacity = SAVED;
    const int threads = fnd_pool_threads(pool);
    crew->evaluators = fnd_allocate(env, (size_t)threads * sizeof *crew->evaluators);
    bool ok = crew->evaluators && crew->saved;
    if (crew->evaluators) crew->evaluator_count = threads;
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
    fnd_release(env, crew->saved, (size_t)crew->saved_capacity * sizeof *crew->saved);
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
    fnd_contact_list *out;
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
        e->placed->count = e->placed_result->whole_count = 0;
    }
}

/* In the steady state there is a row for each record: each part has room for its records at their place. */
static bool make_room(const fender_env *env, fnd_crew *crew, const fnd_contact_set *set, fnd_contact_list *out)
{
    void *items = out->items;
    const int wanted = set->records.count + set->records.count / 8;
    if (set->records.count > out->capacity && !fnd_reserve(env, &items, &out->capacity, 0, wanted, sizeof *out->items))
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

/* A part's rows where they were found. */
static const fnd_contact *rows_found(const fnd_crew *crew, const fnd_part *part, const fnd_contact_list *out)
{
    return part->spilled ? crew->evaluators[part->thread].spill.items + part->offset
                         : out->items + part->range.record_from;
}

/* How far a part's rows move up in the list; those in a spill come from elsewhere. */
static int shift_of(const fnd_part *part) { return part->spilled ? 0 : part->at - part->range.record_from; }

/* Rows of a part that others would overwrite before they have moved: its first ones if it moves up, its last ones if it
 * moves down. */
static int exposed_in(const fnd_part *part)
{
    const int shift = shift_of(part), way = shift < 0 ? -shift : shift;
    return way < part->rows.count ? way : part->rows.count;
}

/* Moves the rows of a part to their place, and counts its contacts from those before it. */
static void place_rows(const fnd_crew *crew, const fnd_part *part, fnd_contact_list *out)
{
    const int count = part->rows.count, shift = shift_of(part), exposed = exposed_in(part);
    const fnd_contact *from = rows_found(crew, part, out), *saved = crew->saved + part->saved;
    fnd_contact *to = out->items + part->at;
    if (count == 0) return;
    if (from != to) {
        const int head = shift > 0 ? exposed : 0, tail = shift < 0 ? exposed : 0;
        memmove(to + head, from + head, (size_t)(count - head - tail) * sizeof *to);
        if (exposed > 0) memcpy(head > 0 ? to : to + count - tail, saved, (size_t)exposed * sizeof *to);
    }
    for (int i = 0; part->first_ordinal > 0 && i < count; i++) to[i].ordinal += part->first_ordinal;
}

static void place_part(void *ctx, int thread, int index)
{
    const job *j = ctx;
    (void)thread;
    place_rows(j->crew, &j->crew->parts[index], j->out);
}

/* Rows of all parts one behind the other. False: no memory. */
static bool close_up(const fender_env *env, job *j)
{
    fnd_crew *crew = j->crew;
    fnd_contact_list *out = j->out;
    int count = 0, ordinal = 0, exposed = 0;
    for (int i = 0; i < crew->part_count; i++) {
        fnd_part *part = &crew->parts[i];
        part->at = count;
        part->first_ordinal = ordinal;
        part->saved = exposed;
        count += part->rows.count;
        ordinal += part->rows.count - part->rows.pair_count;
        exposed += exposed_in(part);
    }
    void *items = out->items, *saved = crew->saved;
    bool ok = count <= out->capacity ||
              fnd_reserve(env, &items, &out->capacity, out->capacity, count + count / 8, sizeof *out->items);
    out->items = items;
    ok = ok && (exposed <= crew->saved_capacity ||
                fnd_reserve(env, &saved, &crew->saved_capacity, 0, exposed + exposed / 2, sizeof *crew->saved));
    crew->saved = saved;
    if (!ok) return false;
    for (int i = 0; i < crew->part_count; i++) {
        const fnd_part *part = &crew->parts[i];
        const fnd_contact *from = rows_found(crew, part, out);
        const int rows = exposed_in(part);
        if (rows == 0) continue;
        if (shift_of(part) < 0) from += part->rows.count - rows;
        memcpy(crew->saved + part->saved, from, (size_t)rows * sizeof *from);
    }
    fnd_pool_run(crew->pool, place_part, j, crew->part_count);
    out->count = count;
    return true;
}

/* Numbers of all parts together. */
static void reduce(const fnd_crew *crew, fnd_contact_list *out)
{
    for (int i = 0; i < crew->part_count; i++) {
        const fnd_contact_list *rows = &crew->parts[i].rows;
        out->batched_count += rows->batched_count;
        out->pair_count += rows->pair_count;
        if (rows->deepest > out->deepest) out->deepest = rows->deepest;
        if (rows->gain > out->gain) out->gain = rows->gain;
    }
}

bool fnd_crew_evaluate(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                       const fnd_frame *frames, double time, fnd_regime regime, fnd_contact_list *out)
{
    fnd_crew *crew = set->crew;
    assert(out->count == 0);
    if (!make_room(env, crew, set, out)) return false;
    lend(crew, set);
    job j = {crew, set, model, frames, time, regime, out};
    fnd_pool_run(crew->pool, evaluate_part, &j, crew->part_count);
    for (int i = 0; i < crew->evaluator_count; i++) crew->evaluators[i].manifold = crew->evaluators[i].set.manifold;
    for (int i = 0; i < crew->part_count; i++)
        if (crew->parts[i].failed) return false;
    if (!close_up(env, &j)) return false;
    reduce(crew, out);
    return true;
}
