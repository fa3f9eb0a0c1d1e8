/* Commit of contacts in an accepted step: one pass over records and rows, in the order of their keys. Contacts begin,
 * continue and end only here. */
#include "contact/lifecycle.h"

#include "contact/batch.h"
#include "contact/parallel.h"
#include "contact/peak.h"
#include <assert.h>
#include <string.h>

/* ---- One by one ---- */

/* Sets single members, which is faster than clearing the struct. */
static void begin_transition(fnd_transition *s, fnd_key key)
{
    s->key = key;
    s->old = NULL;
    s->old_index = -1;
    s->now = NULL;
    s->seen = s->from = s->last = NULL;
    s->transfer = NULL;
    s->anew = false;
    s->held_count = 0;
    s->impulse = s->damping = s->friction = s->supplied = s->power = s->load = s->active = 0;
    s->force_impulse = fender_vec3_make(0, 0, 0);
}

/* The next key over all lists, in order; false when all are used up. */
static bool next_transition(const fnd_contact_set *set, const fnd_step_stages *stages, fnd_contact_list *now,
                            int at_record, int at_now, const int *at_list, fnd_transition *s)
{
    assert(at_record >= 0 && at_record <= set->records.count);
    assert(at_now >= 0 && at_now <= now->count);
    const fnd_key *least = NULL;
    if (at_record < set->records.count) least = &fnd_record_at(&set->records, at_record)->key;
    if (at_now < now->count && (!least || fnd_key_compare(&now->items[at_now].key, least) < 0))
        least = &now->items[at_now].key;
    for (int l = 0; l < stages->count; l++) {
        const fnd_contact_list *list = stages->lists[l];
        if (at_list[l] < list->count && (!least || fnd_key_compare(&list->items[at_list[l]].key, least) < 0))
            least = &list->items[at_list[l]].key;
    }
    if (!least) return false;
    begin_transition(s, *least);
    return true;
}

/* Rows in a block of what several threads do: sums and verdicts; records (odd, so that balls on terrain, of two rows
 * each, show that no pair is divided). */
enum { ROW_BLOCK = 512, RECORD_BLOCK = 127 };

/* One stage of a step, whose rows are summed. */
typedef struct stage_job {
    const fnd_contact_set *set;
    const fnd_step_stages *stages;
    struct fnd_batch_sums *sums;
    int stage;
} stage_job;

/* Block 0 is what bodies bear, in the order of rows. */
static void sum_block(void *ctx, int thread, int block)
{
    const stage_job *j = ctx;
    fnd_contact_list rows = *j->stages->lists[j->stage];
    const int from = (block - 1) * ROW_BLOCK;
    (void)thread;
    if (block > 0) {
        rows.items += from;
        rows.count = rows.count - from < ROW_BLOCK ? rows.count - from : ROW_BLOCK;
    }
    j->set->batch_sum(&rows, j->stages->weights[j->stage], j->stage, j->set->sum_mark,
                      block == 0 ? j->stages->load : NULL, block == 0 ? NULL : j->sums);
}

/* Impulse of all contacts on each body in the step; with `sums`, sums over the stages of what batches have found. */
static void sum_stages(fnd_contact_set *set, const fnd_contact_model *model, const fnd_step_stages *stages,
                       struct fnd_batch_sums *sums)
{
    assert(stages->count >= 0 && stages->count <= FND_STEP_STAGE_CAPACITY);
    if (stages->count == 0) return;
    fnd_pool *pool = fnd_contact_set_pool(set);
    for (int i = 0; i < model->body_count; i++) stages->load[i] = 0;
    set->sum_mark += stages->count + 1;
    for (int l = 0; l < stages->count; l++) {
        const fnd_contact_list *rows = stages->lists[l];
        stage_job j = {set, stages, sums, l};
        if (pool && sums && rows->count >= 2 * ROW_BLOCK)
            fnd_pool_run(pool, sum_block, &j, 1 + (rows->count - 1) / ROW_BLOCK + 1);
        else set->batch_sum(rows, stages->weights[l], l, set->sum_mark, stages->load, sums);
    }
}

/* Positions of a commit in the lists that it traverses in parallel. */
typedef struct position {
    int record; /* in the order of keys */
    int now;
    int list[FND_STEP_STAGE_CAPACITY];
    int other[FND_STEP_STAGE_CAPACITY]; /* the next row that is of no batch */
} position;

/* Entries of all lists for the contact with the next key. False at the end of the lists. */
static bool read_transition(fnd_commit *c, fnd_contact_list *now, position *at, fnd_transition *s)
{
    const fnd_contact_set *set = c->set;
    const fnd_step_stages *stages = c->stages;
    const fnd_transfer_position place = {at->record, at->list[0], at->now};
    if (!next_transition(set, stages, now, at->record, at->now, at->list, s)) return false;
    for (int l = 0; l < stages->count; l++) {
        const fnd_contact_list *list = stages->lists[l];
        if (at->list[l] >= list->count || fnd_key_compare(&list->items[at->list[l]].key, &s->key) != 0) continue;
        const fnd_contact *row = &list->items[at->list[l]++];
        double weight = stages->weights[l];
        s->impulse += weight * row->force_C.z;
        s->force_impulse = fender_vec3_add_scaled(s->force_impulse, weight, row->force);
        s->damping += weight * row->damping_power;
        s->friction += weight * row->friction_power;
        s->supplied += weight * row->supplied_power;
        s->power += weight * row->power;
        s->load += fabs(weight) * row->strength;
        if (!s->seen) s->seen = row;
        if (l == 0) s->from = row;
        if (row->weight_fades) s->held[s->held_count++] = (fnd_held){row->in.time, row->in.weight, row->held};
        s->last = row;
        s->active += weight;
    }
    if (at->now < now->count && fnd_key_compare(&now->items[at->now].key, &s->key) == 0)
        s->now = &now->items[at->now++];
    if (at->record < set->records.count &&
        fnd_key_compare(&fnd_record_at(&set->records, at->record)->key, &s->key) == 0) {
        s->old_index = set->records.order[at->record++];
        s->old = &set->records.items[s->old_index];
    }
    if ((s->now && s->now->shared) || (s->last && s->last->shared)) {
        if (!fnd_facet_transfer_has(&c->transfer, &s->key)) fnd_facet_transfer_open(c, now, place, &s->key);
        s->transfer = &c->transfer;
    }
    return true;
}

/* Commits a transition. If its rule has changed its type, or a point whose law had ended it touches again, one contact
 * ends and another begins. */
static bool commit_whole_transition(fnd_commit *c, fnd_transition *s)
{
    assert(s->now || s->old || s->last);
    assert(!s->old || fnd_same_key(&s->old->key, &s->key));
    assert(!s->now || fnd_same_key(&s->now->key, &s->key));
    const bool anew = fnd_touches_anew(c, s);
    c->change->changed |= anew;
    if (s->old && s->now && (s->old->type != s->now->type || anew)) {
        fnd_transition end = *s;
        end.now = NULL;
        if (!fnd_commit_transition(c, &end)) return false;
        *s = (fnd_transition){.key = s->key, .old_index = -1, .now = s->now, .anew = anew};
    }
    return fnd_commit_transition(c, s);
}

static position at_begin(const fnd_step_stages *stages)
{
    position at;
    at.record = at.now = 0;
    for (int l = 0; l < stages->count; l++) at.list[l] = 0, at.other[l] = -1;
    return at;
}

/* All records anew, in the order of keys. */
static bool commit_anew(fnd_commit *c, fnd_contact_list *now)
{
    assert(c->set->next_records.count == 0);
    fnd_contact_set *set = c->set;
    position at = at_begin(c->stages);
    fnd_transition s;
    while (read_transition(c, now, &at, &s))
        if (!commit_whole_transition(c, &s)) return false;
    if (set->out_of_memory) return false;
    fnd_record_list_in_order(&set->next_records);
    fnd_record_list old = set->records;
    set->records = set->next_records;
    set->next_records = old;
    set->planned = false;
    return true;
}

/* ---- In place ---- */

/* Continuous states of the record at the end of the step, of types that have any. */
static inline const double *states_at_end(const fnd_contact_set *set, const fnd_step_stages *stages,
                                          const fnd_contact_type *type, int place)
{
    return type->state_count > 0 ? stages->states + (ptrdiff_t)place * set->state_stride : NULL;
}

/* Brings all lists behind that key: what stands before has gone on. */
static void pass_by(const fnd_step_stages *stages, const fnd_key *key, position *at)
{
    for (int l = 0; l < stages->count; l++) {
        const fnd_contact_list *list = stages->lists[l];
        int low = at->list[l] - 1, reach = 1; /* steps that double, then bisection */
        while (low + reach < list->count && fnd_key_compare(&list->items[low + reach].key, key) <= 0) {
            low += reach;
            reach *= 2;
        }
        int high = low + reach < list->count ? low + reach : list->count;
        while (high - low > 1) {
            const int middle = low + (high - low) / 2;
            if (fnd_key_compare(&list->items[middle].key, key) <= 0) low = middle;
            else high = middle;
        }
        at->list[l] = high;
    }
}

/* Does the row stand for a pair with pair events? */
static inline bool is_pair(const fnd_contact *c) { return c->key.feature == FENDER_FEATURE_PAIR; }

/* Finds the next contacts of each list that are of no batch: some stage may have seen one that is nowhere else. */
static void find_others(const fnd_step_stages *stages, position *at)
{
    for (int l = 0; l < stages->count; l++) {
        const fnd_contact_list *list = stages->lists[l];
        if (at->other[l] >= at->list[l]) continue;
        int i = at->list[l];
        while (i < list->count && (list->items[i].batch || is_pair(&list->items[i]))) i++;
        at->other[l] = i;
    }
}

/* Have batches found the contact in every stage and at the end? */
static inline bool is_seen_by_all(const fnd_contact_set *set, const fnd_step_stages *stages, const fnd_contact *c)
{
    return c->batch && set->sums[c->record].seen == set->sum_mark + stages->count;
}

/* Have the laws of such a contact nothing to update? */
static inline bool is_quiet(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_step_stages *stages,
                            const fnd_contact *c)
{
    const fnd_contact_type *type = &model->types[c->type];
    if (!c->in.located && !type->sticks) return true;
    return fnd_batch_is_quiet(&set->records.items[c->record], type, fnd_record_memory(&set->records, c->record),
                              states_at_end(set, stages, type, c->record), c);
}

/* Does the row persist as it is? A contact has a record and has appeared in every evaluation, and its laws have nothing
 * to update. */
static inline bool persists(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_step_stages *stages,
                            const fnd_contact *c)
{
    if (c->record < 0) return false;
    return is_pair(c) || (is_seen_by_all(set, stages, c) && is_quiet(set, model, stages, c));
}

/* Work of a contact that persists, as in commit_one. */
static inline void find_work(const fnd_commit *c, const fnd_contact *now)
{
    assert(now->record >= 0);
    const fnd_step_stages *stages = c->stages;
    fnd_batch_sums *sums = &c->set->sums[now->record];
    double energy_defect = 0;
    const int a = now->body_a, b = now->body_b;
    if (stages->load[a] > 0) energy_defect += stages->energy_defect[a] * (sums->strength / stages->load[a]);
    if (stages->load[b] > 0) energy_defect += stages->energy_defect[b] * (sums->strength / stages->load[b]);
    sums->power += energy_defect;
}

/* A commit and the rows of its evaluation. */
typedef struct commit_job {
    const fnd_commit *c;
    fnd_contact_list *now;
} commit_job;

/* Notes which rows persist as they are if nothing else stands between them, and their work. */
static inline void judge_rows(void *ctx, int from, int to)
{
    const commit_job *j = ctx;
    const fnd_commit *c = j->c;
    for (int i = from; i < to; i++) {
        const fnd_contact *row = &j->now->items[i];
        const bool mine = persists(c->set, c->model, c->stages, row);
        c->set->persists[i] = mine;
        if (mine && !is_pair(row)) find_work(c, row);
    }
}

/* Number of the next rows that go on together: one contact; or all those of a pair with pair events and the pair's own,
 * whose sums are of all of them. 0: they are committed one by one, as that of the pair that is `left`. */
static inline int going_on(const fnd_contact_set *set, const fnd_step_stages *stages, const fnd_contact_list *now,
                           const position *at, const fnd_key *left)
{
    assert(at->now >= 0 && at->record >= 0);
    const fnd_record_list *records = &set->records;
    const fnd_contact *c = NULL;
    int count = 0;
    for (bool more = true; more; count++) {
        if (at->now + count >= now->count || at->record + count >= records->count) return 0;
        c = &now->items[at->now + count];
        if (c->whole && c->key.a == left->a && c->key.b == left->b) return 0;
        if (!set->persists[at->now + count] || c->record != records->order[at->record + count]) return 0;
        more = c->whole && !is_pair(c);
    }
    for (int l = 0; l < stages->count; l++) {
        const fnd_contact_list *list = stages->lists[l];
        if (at->other[l] < list->count && fnd_key_compare(&list->items[at->other[l]].key, &c->key) < 0) return 0;
    }
    return count;
}

/* Adds the work of a row that goes on to that of the world. */
static inline void book_work(const fnd_commit *c, const fnd_contact *now)
{
    if (!is_pair(now)) c->change->work += c->set->sums[now->record].power;
}

static int contacts_in(const fnd_contact_list *list) { return list->count - list->pair_count; }

/* True if all contacts persist as they are, and no stage has seen others; then their work is added to the world's. */
static inline bool all_go_on(const fnd_commit *c, const fnd_contact_list *now)
{
    const fnd_contact_set *set = c->set;
    const fnd_record_list *records = &set->records;
    double work = c->change->work;
    if (now->count != records->count) return false;
    for (int l = 0; l < c->stages->count; l++) /* one list, at least, has a contact more? */
        if (contacts_in(c->stages->lists[l]) != contacts_in(now)) return false;
    for (int i = 0; i < now->count; i++) {
        const fnd_contact *row = &now->items[i];
        if (!set->persists[i] || row->record != records->order[i]) return false;
        if (!is_pair(row)) work += set->sums[row->record].power;
    }
    c->change->work = work;
    return true;
}

/* Commits everything except the records of rows that go on, whose work it adds up. Records of other contacts
 * go to set->next_records, with their previous index (-1: none) in its `order`; freed indices go to its `vacant`,
 * `*freed` of them. set->new_order contains an index, or ~index into the new records. */
static bool commit_changes(fnd_commit *c, fnd_contact_list *now, int *freed)
{
    fnd_contact_set *set = c->set;
    const fnd_step_stages *stages = c->stages;
    position at = at_begin(stages);
    fnd_transition s = {.key = {UINT32_MAX, UINT32_MAX, 0}};
    fnd_record_list *left = &set->next_records;
    *freed = 0;
    find_others(stages, &at);
    for (;;) {
        const int first = at.now;
        for (int count; (count = going_on(set, stages, now, &at, &s.key)) > 0;)
            for (; count > 0; count--) {
                book_work(c, &now->items[at.now]);
                set->new_order[at.now++] = set->records.order[at.record++];
            }
        if (at.now > first) pass_by(stages, &now->items[at.now - 1].key, &at);
        if (!read_transition(c, now, &at, &s)) return !set->out_of_memory;
        find_others(stages, &at);
        const int before = left->count, place = s.old ? s.old_index : -1;
        if (!commit_whole_transition(c, &s)) return false;
        const bool kept = left->count > before;
        if (place >= 0 && !(kept && s.old)) left->vacant[(*freed)++] = place;
        if (!kept) continue;
        left->order[before] = s.old ? place : -1;
        set->new_order[at.now - 1] = ~before;
    }
}

/* Moves the new records to their indices. Memory is reserved. */
static void place_changes(fnd_contact_set *set, fnd_contact_list *now, int freed)
{
    assert(freed >= 0);
    assert(set->records.used >= set->records.count);
    fnd_record_list *records = &set->records, *left = &set->next_records;
    int vacant = records->used - records->count;
    if (freed > 0) set->planned = false;
    for (int i = 0; i < freed; i++) records->vacant[vacant++] = left->vacant[i];
    for (int i = 0; left->count > 0 && i < now->count; i++) {
        if (set->new_order[i] >= 0) continue;
        const int index = ~set->new_order[i];
        int place = left->order[index];
        if (place < 0) {
            place = vacant > 0 ? records->vacant[--vacant] : records->used++;
            set->planned = false;
        } else if (records->items[place].suppressed != left->items[index].suppressed) {
            set->planned = false; /* batches have none of these */
        }
        records->items[place] = left->items[index];
        memcpy(fnd_record_memory(records, place), fnd_record_memory(left, index), records->stride);
        set->new_order[i] = ~place; /* still: not one of those that go on */
        now->items[i].record = place;
    }
}

enum { AHEAD = 6 }; /* contacts: prefetch distance of records */

/* Updates the record of a row that goes on. `sum` is of its pair, whose contacts come before the pair's own row. */
static inline void commit_row(const fnd_commit *c, const fnd_contact *row, int place, fnd_pair_sum *sum)
{
    const fnd_contact_set *set = c->set;
    const fnd_step_stages *stages = c->stages;
    fnd_record *record = &set->records.items[place];
    if (is_pair(row)) {
        fnd_commit_pair_step(c, sum, true, row, record);
        return;
    }
    const fnd_contact_type *type = &c->model->types[row->type];
    unsigned char *memory = fnd_record_memory(&set->records, place);
    const double *states = states_at_end(set, stages, type, place);
    if (!row->whole) {
        fnd_batch_commit(c->model, record, type, memory, states, stages, &set->sums[place], row);
        return;
    }
    const fnd_record before = *record;
    fnd_batch_commit(c->model, record, type, memory, states, stages, &set->sums[place], row);
    fnd_pair_sum_add(sum, record, &before, row);
}

/* The first row from there on that does not belong to the pair of the row before it. */
static int pair_begin(const fnd_contact_list *now, int from)
{
    int i = from;
    while (i > 0 && i < now->count && now->items[i - 1].whole && now->items[i].key.a == now->items[i - 1].key.a &&
           now->items[i].key.b == now->items[i - 1].key.b)
        i++;
    return i;
}

/* Updates the records of rows that go on in place. */
static void commit_rest(void *ctx, int from, int to)
{
    const commit_job *j = ctx;
    fnd_contact_set *set = j->c->set;
    fnd_record_list *records = &set->records;
    fnd_pair_sum sum = {0};
    const int end = pair_begin(j->now, to);
    for (int i = pair_begin(j->now, from); i < end; i++) {
        const int place = set->new_order[i];
        if (place < 0) {
            set->new_order[i] = ~place;
            continue;
        }
        const int soon = i + AHEAD < end ? set->new_order[i + AHEAD] : -1;
        if (soon >= 0) {
            FND_PREFETCH(&records->items[soon]);
            FND_PREFETCH((const char *)&records->items[soon] + 128);
        }
        commit_row(j->c, &j->now->items[i], place, &sum);
    }
}

/* The rows just committed are those that have records. */
static void adopt_order(fnd_contact_set *set, int count)
{
    fnd_record_list *records = &set->records;
    int *order = records->order, capacity = records->order_capacity;
    records->order = set->new_order;
    records->order_capacity = set->new_order_capacity;
    records->count = count;
    set->new_order = order;
    set->new_order_capacity = capacity;
}

/* Records that begin are put where others have ended. Once many have, all are moved to the order of keys, in which
 * steps go through them: otherwise, each of a large pile is read from another part of memory. */
enum { LEAST_IN_ORDER = 8, MOST_SCATTERED = 4 /* one in so many */ };

static void put_in_order(fnd_contact_set *set, fnd_contact_list *now)
{
    fnd_record_list *from = &set->records, *to = &set->next_records;
    assert(from->count == now->count && set->state_stride == 0);
    for (int i = 0; i < from->count; i++) {
        const int place = from->order[i], soon = from->order[i + AHEAD < from->count ? i + AHEAD : i];
        FND_PREFETCH(&from->items[soon]);
        FND_PREFETCH((const char *)&from->items[soon] + 128);
        to->items[i] = from->items[place];
        memcpy(fnd_record_memory(to, i), fnd_record_memory(from, place), to->stride);
        now->items[i].record = i;
    }
    to->count = from->count;
    fnd_record_list_in_order(to);
    const fnd_record_list old = *from;
    *from = *to;
    *to = old;
    set->planned = false;
}

/* Of `count` records, when so many have begun? */
static bool are_scattered(const fnd_contact_set *set, int count, int scattered)
{
    return set->state_stride == 0 && count >= LEAST_IN_ORDER && scattered > count / MOST_SCATTERED;
}

/* Commits contacts that all go on. */
static inline void commit_all(void *ctx, int from, int to)
{
    const commit_job *j = ctx;
    fnd_pair_sum sum = {0};
    const int end = pair_begin(j->now, to);
    for (int i = pair_begin(j->now, from); i < end; i++)
        commit_row(j->c, &j->now->items[i], j->now->items[i].record, &sum);
}

/* Are the contacts of the list those of the records one behind the other? Rows of pairs may be missing. */
static bool follows_records(const fnd_contact_list *list, const fnd_record_list *records)
{
    int at = 0;
    for (int i = 0; i < records->count; i++) {
        const bool mine = at < list->count && list->items[at].record == i;
        if (!mine && records->items[i].key.feature != FENDER_FEATURE_PAIR) return false;
        at += mine;
    }
    return at == list->count;
}

/* True if all that was in contact is, and nothing else, with records one behind the other: where states are packed,
 * records keep their places. */
static bool same_contacts(const fnd_contact_set *set, const fnd_step_stages *stages, const fnd_contact_list *now)
{
    const fnd_record_list *records = &set->records;
    if (now->count != records->count || records->used != records->count) return false;
    for (int l = 0; l < stages->count; l++)
        if (contacts_in(stages->lists[l]) != contacts_in(now)) return false;
    for (int i = 0; i < now->count; i++)
        if (records->order[i] != i || now->items[i].record != i || now->items[i].type != records->items[i].type)
            return false;
    for (int l = 0; l < stages->count; l++)
        if (!follows_records(stages->lists[l], records)) return false;
    return true;
}

/* May the commit leave records where they are? With dense output, peaks are sampled: one by one. */
static bool can_stay(const fnd_contact_set *set, const fnd_step_stages *stages, const fnd_contact_list *now)
{
    if (now->batched_count == 0 || !set->planned || stages->count == 0 || stages->sampler) return false;
    return set->state_stride == 0 || stages->states;
}

/* Commits with records where they are, but for those of contacts that change. */
static bool commit_in_place(fnd_commit *c, fnd_contact_list *now)
{
    assert(c->stages->count > 0);
    const fender_env *env = c->env;
    fnd_contact_set *set = c->set;
    fnd_record_list *records = &set->records, *left = &set->next_records;
    int freed, added = 0;
    commit_job job = {c, now};
    if (!commit_changes(c, now, &freed)) return false;
    for (int i = 0; i < left->count; i++) added += left->order[i] < 0;
    const int vacant = records->used - records->count + freed;
    if (!fnd_record_list_reserve(env, records, records->used + (added > vacant ? added - vacant : 0)) ||
        !fnd_contact_set_reserve_commit(env, set, now->count))
        return false;
    const bool scattered = are_scattered(set, now->count, records->scattered + added);
    if (scattered && !fnd_record_list_reserve(env, left, now->count)) return false;
    if (freed > 0 || added > 0) c->change->settled = false;
    place_changes(set, now, freed);
    fnd_pool_blocks(fnd_contact_set_pool(set), commit_rest, &job, now->count, RECORD_BLOCK);
    adopt_order(set, now->count);
    records->scattered += added;
    if (scattered) put_in_order(set, now);
    return true;
}

/* False: no memory. */
static bool commit_contacts(fnd_commit *c, fnd_contact_list *now)
{
    fnd_contact_set *set = c->set;
    const fnd_step_stages *stages = c->stages;
    const bool stays = can_stay(set, stages, now);
    if (stays && !(fnd_contact_set_reserve_commit(c->env, set, now->count) &&
                   fnd_record_list_reserve(c->env, &set->next_records, set->records.count)))
        return false;
    sum_stages(set, c->model, stages, stays ? set->sums : NULL);
    const bool packed = set->state_stride > 0; /* then all records are made anew if their number changes */
    if (stays && !(packed && now->count != set->records.count)) {
        commit_job job = {c, now};
        fnd_pool_blocks(fnd_contact_set_pool(set), judge_rows, &job, now->count, ROW_BLOCK);
        if (all_go_on(c, now)) {
            fnd_pool_blocks(fnd_contact_set_pool(set), commit_all, &job, now->count, RECORD_BLOCK);
            return true;
        }
    }
    if (stays && (!packed || same_contacts(set, stages, now))) return commit_in_place(c, now);
    return commit_anew(c, now);
}

/* Without events and changes, which a state that is only looked at does not make. */
static fnd_commit commit_of(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                            const fnd_frame *frames, const fnd_step_stages *stages, fnd_contact_list *now)
{
    return (fnd_commit){.env = env,
                        .set = set,
                        .model = model,
                        .frames = frames,
                        .stages = stages,
                        .now = now,
                        .transfer = {.key = {UINT32_MAX, UINT32_MAX, 0}}};
}

bool fnd_contacts_commit(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                         const fnd_frame *frames, const fnd_step_stages *stages, fnd_contact_list *now,
                         fnd_event_list *events, fnd_commit_change *change)
{
    assert(set->body_count == model->body_count);
    assert(stages->count >= 0 && stages->count <= FND_STEP_STAGE_CAPACITY);
    assert(fnd_rows_are_sound(set, model, now));
    assert(fnd_records_are_sound(&set->records));
    change->settled = true; /* until a contact says otherwise */
    change->learned = false;
    fnd_event_list before = *events;
    const int requests_before = set->requests.count;
    set->next_records.count = 0;
    set->shown_before = 0;
    set->out_of_memory = false;
    fnd_commit commit = commit_of(env, set, model, frames, stages, now);
    commit.events = events;
    commit.change = change;
    set->probed = (fnd_probed){.keeps = true};
    const bool done = commit_contacts(&commit, now);
    set->probed = (fnd_probed){.keeps = false};
    if (!done) {
        fnd_event_rewind(events, &before); /* nothing has changed */
        set->requests.count = requests_before;
        return false;
    }
    for (int i = 0; i < model->body_count; i++) set->since[i] = frames[i].q;
    return true;
}

/* The accepted records go to the other list. Their peaks are not less than those that were shown earlier in the step.
 */
static void set_aside(fnd_contact_set *set, const fnd_step_stages *stages)
{
    const bool later = set->shown_before == set->records.used && set->shown_start == stages->start_time &&
                       set->shown_time <= stages->end_time;
    set->shown = set->records.used;
    set->shown_start = stages->start_time;
    set->shown_time = stages->end_time;
    for (int i = 0; i < set->shown; i++) {
        const fnd_record before = set->next_records.items[i];
        set->next_records.items[i] = set->records.items[i];
        if (later && fnd_same_key(&before.key, &set->records.items[i].key))
            fnd_peaks_raise(&set->records.items[i], &before);
    }
}

bool fnd_contacts_show(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                       const fnd_frame *frames, const fnd_step_stages *stages, fnd_contact_list *now)
{
    assert(set->shown == 0 && set->body_count == model->body_count);
    if (set->records.count == 0) return true;
    if (set->records.used > set->next_records.capacity) set->shown_before = 0;
    set->next_records.count = 0; /* no commit is under way */
    if (!fnd_record_list_reserve(env, &set->next_records, set->records.used)) return false;
    set_aside(set, stages);
    fnd_commit commit = commit_of(env, set, model, frames, stages, now);
    position at = at_begin(stages);
    fnd_transition s;
    while (read_transition(&commit, now, &at, &s))
        fnd_show_transition(&commit, &s, s.old ? &set->next_records.items[s.old_index] : NULL);
    return true;
}

void fnd_contacts_show_accepted(fnd_contact_set *set)
{
    assert(set->shown <= set->records.used);
    if (set->shown == 0) return;
    for (int i = 0; i < set->shown; i++) {
        const fnd_record shown = set->records.items[i];
        set->records.items[i] = set->next_records.items[i];
        set->next_records.items[i] = shown;
    }
    set->shown_before = set->shown;
    set->shown = 0;
}

void fnd_contacts_forget_shown(fnd_contact_set *set)
{
    assert(set->shown == 0);
    set->shown_before = 0;
}

void fnd_contacts_follow(fnd_contact_set *set, const fnd_frame *frames)
{
    assert(set->records.count == 0);
    for (int i = 0; i < set->body_count; i++) set->since[i] = frames[i].q;
}

void fnd_contacts_rebase(fnd_contact_set *set, const fnd_contact_model *model, const fnd_contact_list *now)
{
    int at_now = 0;
    fnd_pair_sum sum = {0};
    for (int i = 0; i < set->records.count; i++) {
        const int place = set->records.order[i];
        fnd_record *record = &set->records.items[place];
        if (record->key.feature == FENDER_FEATURE_PAIR) {
            fnd_pair_sum_book(&sum, record->last_time, record);
            continue;
        }
        fnd_record before = *record;
        while (at_now < now->count && fnd_key_compare(&now->items[at_now].key, &record->key) < 0) at_now++;
        const fnd_contact *c = at_now < now->count && now->items[at_now].record == place ? &now->items[at_now] : NULL;
        const fnd_contact_type *type = &model->types[record->type];
        unsigned char *memory = fnd_record_memory(&set->records, place);
        double stored = 0;
        if (c && !record->suppressed)
            stored = fnd_contact_stored_energy(type, memory, fnd_memory_states(type, memory), c, record->touch_weight);
        record->stored_at_start += stored - record->stored;
        record->stored = stored;
        fnd_pair_sum_add(&sum, record, &before, NULL);
    }
}
