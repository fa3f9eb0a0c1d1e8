/* Functions of a state whose changes of sign end a step. */
#include "contact/crossing.h"
#include "collide/mesh_touch.h"
#include "contact/batch.h"
#include "contact/contact_set.h"
#include "contact/touches.h"

#include "base/memory.h"
#include <assert.h>
#include <float.h>

static int compare(const fnd_crossing *x, const fnd_crossing *y)
{
    int order = fnd_key_compare(&x->key, &y->key);
    if (order != 0) return order;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->root != y->root) return x->root < y->root ? -1 : 1;
    return 0;
}

const fnd_crossing *fnd_crossing_match(const fnd_crossing_list *list, const fnd_crossing *crossing, int *from)
{
    assert(*from >= 0 && *from <= list->count);
    while (*from < list->count && compare(&list->items[*from], crossing) < 0) (*from)++;
    return *from < list->count && compare(&list->items[*from], crossing) == 0 ? &list->items[*from] : NULL;
}

bool fnd_crossing_add(const fender_env *env, fnd_crossing_list *out, fnd_crossing crossing)
{
    assert(out->count >= 0 && out->count <= out->capacity);
    void *items = out->items;
    if (!fnd_reserve_one_more(env, &items, &out->capacity, out->count, sizeof *out->items)) return false;
    out->items = items;
    out->items[out->count++] = crossing;
    return true;
}

static bool add_law_roots(const fender_env *env, const fnd_contact_type *type, const fnd_slot *slot, fnd_contact *c,
                          const unsigned char *memory, const double *states, int first, fnd_crossing_list *out)
{
    if (!slot->law || slot->law->root_count == 0) return true;
    double roots[FENDER_LAW_ROOT_CAPACITY] = {0};
    const fnd_slot_view view = fnd_slot_view_open(type, slot, states, &c->in);
    slot->law->roots(slot->parameters, &c->in, memory + slot->memory_offset, roots);
    fnd_slot_view_close(&view, &c->in);
    for (int i = 0; i < slot->law->root_count; i++)
        if (!fnd_crossing_add(env, out, (fnd_crossing){c->key, FND_CROSSING_LAW, first + i, roots[i], NAN}))
            return false;
    return true;
}

/* Rounding error of a distance between the two. Begin and end require a larger distance, so that touching shapes do not
 * flicker. */
static double grain(const fnd_frame *frames, const fnd_candidate *pair, const fnd_contact *c)
{
    double size = fender_vec3_length(frames[pair->body_a].p) + fender_vec3_length(frames[pair->body_b].p) +
                  fender_vec3_length(c->lever_a) + fender_vec3_length(c->lever_b);
    return 2 * DBL_EPSILON * size;
}

/* Event functions of the candidates at one state. */
typedef struct watch {
    const fender_env *env;
    fnd_contact_set *set;
    const fnd_contact_model *model;
    const fnd_frame *frames;
    double time;
    const fnd_watch_scope *scope;
    fnd_crossing_list *out;
    int next_record, next_row, next_wanted;
} watch;

static bool add_roots(watch *w, const fnd_contact_type *type, fnd_contact *c, const unsigned char *memory,
                      const double *states)
{
    for (int i = 0; i < type->slot_count; i++)
        if (!add_law_roots(w->env, type, &type->slots[i], c, memory, states, i * FENDER_LAW_ROOT_CAPACITY, w->out))
            return false;
    return true;
}

/* Roots of the laws of a contact with a record. `known`: it comes from an evaluation at this state. */
static bool watch_record(watch *w, const fnd_candidate *candidate, const fnd_record *record, fnd_contact *c, bool known)
{
    if (record->suppressed || record->frozen) return true;
    const fnd_contact_type *type = &w->model->types[candidate->type];
    const int position = (int)(record - w->set->records.items);
    const unsigned char *memory = fnd_record_memory(&w->set->records, position);
    double room[FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY];
    const double *states = fnd_contact_states(w->set, type, position, c->in.weight, room);
    if (known) return add_roots(w, type, c, memory, states);
    c->in.time = w->time;
    c->in.located = true;
    fnd_contact_provide(type, c);
    c->in.approach_speed = record->approach_speed;
    bool asked = type->state_count > 0;
    for (int i = FND_SLOT_FRICTION; i < type->slot_count; i++)
        asked |= type->slots[i].law && type->slots[i].law->root_count > 0;
    if (asked || type->sees_surface)
        fnd_contact_carry(w->set, w->model, w->frames, record, c); /* slip in the contact's own frame */
    fender_contact_surface surface;
    if (type->sees_surface)
        fnd_contact_surface_see(w->model, &w->frames[candidate->body_a], &w->frames[candidate->body_b], c, &surface);
    if (asked) fnd_contact_force(type, memory, states, c); /* the normal force */
    return add_roots(w, type, c, memory, states);
}

/* Gap or activation distance of a pair with pair events. */
static bool watch_border(watch *w, const fnd_candidate *candidate, const fnd_contact *c, fnd_key key, bool held)
{
    double distance = -c->in.depth, rate = -c->in.depth_rate, room = grain(w->frames, candidate, c);
    if (held) {
        const bool over = candidate->whole && fnd_pair_is_over(&w->set->records, candidate, 0);
        const double gap = over ? candidate->onset_gap : candidate->release_gap;
        return fnd_crossing_add(w->env, w->out,
                                (fnd_crossing){key, FND_CROSSING_PART, 0, gap - distance + room, -rate});
    }
    return fnd_crossing_add(w->env, w->out,
                            (fnd_crossing){key, FND_CROSSING_BEGIN, 0, distance - candidate->onset_gap + room, rate});
}

/* Is it about whether a pair touches? */
static bool is_border(const fnd_crossing *item)
{
    return item->kind == FND_CROSSING_BEGIN ||
           (item->kind == FND_CROSSING_PART && item->key.feature == FENDER_FEATURE_PAIR);
}

/* ---- Pairs that are too far away, or too deep in each other */

/* A ball is at least that far from the other shape; 0: nothing is known. More than `wanted` need not be known. */
static double least_gap(const watch *w, const fnd_candidate *pair, double wanted)
{
    const fnd_shape *a = &w->model->shapes[pair->a], *b = &w->model->shapes[pair->b];
    const fnd_frame *frame_a = &w->frames[pair->body_a], *frame_b = &w->frames[pair->body_b];
    const bool first = pair->family == FND_FAMILY_BALL_PLANE || pair->family == FND_FAMILY_BALL_SURFACE;
    const fnd_shape *ball = first ? a : b, *other = first ? b : a;
    const fnd_frame *of_ball = first ? frame_a : frame_b, *of_other = first ? frame_b : frame_a;
    fender_vec3 between = fender_vec3_sub(of_ball->p, of_other->p);
    between = fender_vec3_add(between, fender_mat3_times(&of_ball->R_WB, ball->p_BG));
    between = fender_vec3_sub(between, fender_mat3_times(&of_other->R_WB, other->p_BG));
    const fender_mat3 R_WG = fnd_shape_rotation(other, of_other);
    switch (pair->family) {
    case FND_FAMILY_BALLS: return fender_vec3_length(between) - a->geometry->radius - b->geometry->radius;
    case FND_FAMILY_BALL_PLANE:
    case FND_FAMILY_PLANE_BALL: {
        const fender_vec3 *w_other = &of_other->w;
        const bool turns = w->model->bodies[other->body].moving != NULL;
        if (turns || w_other->x != 0 || w_other->y != 0 || w_other->z != 0) return 0; /* it will be anywhere */
        return fender_vec3_dot(fender_mat3_column(&R_WG, 2), between) - ball->geometry->radius;
    }
    case FND_FAMILY_BALL_SURFACE:
    case FND_FAMILY_SURFACE_BALL:
        return fnd_surface_gap(other->geometry->surface, fender_mat3_transpose_times(&R_WG, between),
                               ball->geometry->radius + wanted, fnd_pair_memory(w->set, pair->a, pair->b)) -
               ball->geometry->radius;
    case FND_FAMILY_OTHER: break;
    }
    return 0;
}

/* Is a function of the pair's border among those that are wanted? */
static bool is_wanted(watch *w, const fnd_candidate *pair)
{
    const fnd_crossing_list *wanted = w->scope->wanted;
    const fnd_key first = {pair->a, pair->b, 0};
    while (w->next_wanted < wanted->count && fnd_key_compare(&wanted->items[w->next_wanted].key, &first) < 0)
        w->next_wanted++;
    for (int i = w->next_wanted; i < wanted->count; i++) {
        const fnd_crossing *item = &wanted->items[i];
        if (item->key.a != pair->a || item->key.b != pair->b) break;
        if (is_border(item)) return true;
    }
    return false;
}

/* The shapes approach or leave each other by no more within the horizon, unless they are more than twice as fast. */
static double way_within(const watch *w, const fnd_candidate *pair)
{
    const double speed = fnd_shape_speed(w->model, &w->model->shapes[pair->a], &w->frames[pair->body_a]) +
                         fnd_shape_speed(w->model, &w->model->shapes[pair->b], &w->frames[pair->body_b]);
    return 1e-9 + 2 * speed * w->scope->horizon;
}

/* Of a pair without contacts. */
static bool is_left_out(watch *w, const fnd_candidate *pair)
{
    const bool solid = fnd_pair_is_solid_on_surface(pair);
    if (pair->family == FND_FAMILY_OTHER && !solid) return false;
    if (w->scope->wanted) return !is_wanted(w, pair);
    if (!(w->scope->horizon > 0)) return false;
    const double enough = pair->onset_gap + way_within(w, pair);
    if (!solid) return least_gap(w, pair, enough) > enough;
    fnd_contact nearest;
    return !fnd_contact_probe_pair(w->model, &w->frames[pair->body_a], &w->frames[pair->body_b], (int)pair->a,
                                   (int)pair->b, enough, NULL, &nearest);
}

/* Need not be watched whether the pair parts? `deepest` is its deepest contact. */
static bool stays_in(watch *w, const fnd_candidate *pair, const fnd_contact *deepest)
{
    if (!fnd_pair_is_solid_on_surface(pair)) return false;
    if (w->scope->wanted) return !is_wanted(w, pair);
    if (!(w->scope->horizon > 0)) return false;
    return fnd_contact_is_deep(w->model, w->frames, deepest, way_within(w, pair) - pair->release_gap);
}

/* ---- Pairs */

/* The contacts of a pair that touches, as an evaluation has found them. */
typedef struct pair_rows {
    int first, count, sole; /* sole: the only one; < 0: there are none or several */
    int deepest;
    bool complete; /* they are those of all records of the pair, and say all that is to be watched */
    bool alone;    /* one, with a weight of its own */
} pair_rows;

static pair_rows rows_of(watch *w, const fnd_candidate *candidate)
{
    const fnd_record_list *records = &w->set->records;
    const fnd_contact_list *rows = w->scope->rows;
    const fnd_key first = {candidate->a, candidate->b, 0};
    pair_rows of = {0, 0, -1, -1, false, false};
    if (!rows) return of;
    while (w->next_row < rows->count && fnd_key_compare(&rows->items[w->next_row].key, &first) < 0) w->next_row++;
    of.first = w->next_row;
    int recorded = 0;
    for (int i = of.first; i < rows->count; i++, of.count++) {
        const fnd_contact *row = &rows->items[i];
        if (row->key.a != candidate->a || row->key.b != candidate->b) break;
        if (row->type != candidate->type) return of;
        recorded += row->record >= 0;
        if (row->key.feature == FENDER_FEATURE_PAIR) continue;
        of.sole = of.sole == -1 ? i : -2;
        if (of.deepest < 0 || row->in.depth > rows->items[of.deepest].in.depth) of.deepest = i;
    }
    for (int i = w->next_record; i < records->count; i++, recorded--) {
        const fnd_key *key = &fnd_record_at(records, i)->key;
        if (key->a != candidate->a || key->b != candidate->b) break;
    }
    if (recorded != 0 || of.sole == -1) return of; /* some contacts are about to end */
    of.alone = of.sole >= 0 && candidate->family != FND_FAMILY_OTHER && !rows->items[of.sole].weight_fades;
    of.complete = candidate->whole || of.alone;
    return of;
}

/* The functions of a pair that touches, from its rows. *done: that was all. */
static bool watch_rows(watch *w, const fnd_candidate *candidate, bool *done)
{
    const fnd_record_list *records = &w->set->records;
    const fnd_contact_list *rows = w->scope->rows;
    const pair_rows of = rows_of(w, candidate);
    *done = false;
    if (!of.complete) return true;
    for (int i = of.first; i < of.first + of.count; i++) {
        fnd_contact *row = &rows->items[i];
        if (row->key.feature == FENDER_FEATURE_PAIR || row->record < 0) continue;
        const fnd_record *record = &records->items[row->record];
        if (!candidate->whole && !watch_border(w, candidate, row, row->key, true)) return false;
        if (!watch_record(w, candidate, record, row, true)) return false;
    }
    *done = true;
    if (!candidate->whole || stays_in(w, candidate, &rows->items[of.deepest])) return true;
    const fnd_key pair = {candidate->a, candidate->b, FENDER_FEATURE_PAIR};
    fnd_contact nearest;
    if (of.alone) return watch_border(w, candidate, &rows->items[of.sole], pair, true);
    return !fnd_contact_probe_pair(w->model, &w->frames[candidate->body_a], &w->frames[candidate->body_b],
                                   (int)candidate->a, (int)candidate->b, INFINITY,
                                   fnd_pair_memory(w->set, candidate->a, candidate->b), &nearest) ||
           watch_border(w, candidate, &nearest, pair, true);
}

static bool watch_pair(watch *w, const fnd_candidate *candidate)
{
    const fnd_record_list *records = &w->set->records;
    const fnd_frame *frame_a = &w->frames[candidate->body_a], *frame_b = &w->frames[candidate->body_b];
    const fnd_manifold *found = &w->set->manifold;
    fender_vec3 origin;
    fnd_key first = {candidate->a, candidate->b, 0};
    w->next_record = fnd_record_list_find(records, w->next_record, &first);
    const fnd_record *record = w->next_record < records->count ? fnd_record_at(records, w->next_record) : NULL;
    bool touching = record && record->key.a == candidate->a && record->key.b == candidate->b, done;
    if (!touching && is_left_out(w, candidate)) return true;
    if (touching && !watch_rows(w, candidate, &done)) return false;
    if (touching && done) return true;
    const bool border_alone = candidate->whole && !touching;     /* no contact has anything to watch yet */
    fnd_contact nearest, deepest = {.in = {.depth = -INFINITY}}; /* none yet: not deep */
    bool placed = false;
    if (!border_alone && !fnd_contacts_of_pair(w->env, w->set, w->model, candidate, frame_a, frame_b,
                                               candidate->follow_distance, &origin))
        return false;
    if (!border_alone) fnd_touches_name(w->set, w->model, candidate, frame_a, frame_b, w->next_record);
    for (int k = 0; !border_alone && k < found->count; k++) {
        fnd_contact c;
        fnd_contact_of_separation(w->model, candidate, &found->items[k], origin, frame_a, frame_b, &c);
        w->next_record = fnd_record_list_find(records, w->next_record, &c.key);
        record = w->next_record < records->count ? fnd_record_at(records, w->next_record) : NULL;
        bool held = record && fnd_key_compare(&record->key, &c.key) == 0;
        if (c.in.depth > deepest.in.depth) deepest = c;
        if (!candidate->whole && !watch_border(w, candidate, &c, c.key, held)) return false;
        placed = candidate->family != FND_FAMILY_OTHER && found->count == 1 && !found->items[0].weight_fades;
        if (placed) nearest = c; /* the only contact of a ball is where it is nearest */
        if (held && !watch_record(w, candidate, record, &c, false)) return false;
    }
    /* Contacts of points with terrain are followed only near it, and a line of sight beyond the surface has no contact.
     * Over a long step, the nearest points detect the touch. */
    bool blind = candidate->probe || isfinite(candidate->follow_distance);
    if (!(candidate->whole || (blind && !touching)) || (touching && stays_in(w, candidate, &deepest)) ||
        (!placed && !fnd_contact_probe_pair(w->model, frame_a, frame_b, (int)candidate->a, (int)candidate->b, INFINITY,
                                            fnd_pair_memory(w->set, candidate->a, candidate->b), &nearest)))
        return true;
    return watch_border(w, candidate, &nearest, (fnd_key){candidate->a, candidate->b, FENDER_FEATURE_PAIR}, touching);
}

bool fnd_crossings_evaluate(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                            const fnd_frame *frames, double time, const fnd_watch_scope *scope, fnd_crossing_list *out)
{
    assert(out);
    assert(set->body_count == model->body_count);
    out->count = 0;
    if (!set->active) return true;
    watch w = {env, set, model, frames, time, scope, out, 0, 0, 0};
    for (int i = 0; i < set->candidate_count; i++)
        if (!set->candidates[i].unlocated && !watch_pair(&w, &set->candidates[i])) return false;
    return true;
}

/* ---- Steps in which nothing happens ---- */

/* Are all roots of the laws of a contact positive at this state? */
static bool roots_hold(const watch *w, fnd_contact *c)
{
    const fnd_contact_type *type = &w->model->types[c->type];
    const fnd_record *record = &w->set->records.items[c->record];
    if (record->suppressed || record->frozen) return true;
    const unsigned char *memory = fnd_record_memory(&w->set->records, c->record);
    double room[FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY];
    const double *states = fnd_contact_states(w->set, type, c->record, c->in.weight, room);
    if (type->batch || type->sticks) return fnd_batch_roots_hold(type, memory, states, c);
    for (int i = 0; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        if (!slot->law || slot->law->root_count == 0) continue;
        double roots[FENDER_LAW_ROOT_CAPACITY] = {0};
        const fnd_slot_view view = fnd_slot_view_open(type, slot, states, &c->in);
        slot->law->roots(slot->parameters, &c->in, memory + slot->memory_offset, roots);
        fnd_slot_view_close(&view, &c->in);
        for (int k = 0; k < slot->law->root_count; k++)
            if (!(roots[k] > 0)) return false;
    }
    return true;
}

/* The only contact of its pair, in a list that is walked in order; NULL: it is not there, or not alone. */
static const fnd_contact *alone_in(const fnd_contact_list *rows, const fnd_key *key, int *from)
{
    const fnd_key first = {key->a, key->b, 0};
    while (*from < rows->count && fnd_key_compare(&rows->items[*from].key, &first) < 0) (*from)++;
    const fnd_contact *row = &rows->items[*from], *end = rows->items + rows->count;
    if (row == end || !fnd_same_key(&row->key, key) || row->weight_fades) return NULL;
    const fnd_key *next = row + 1 < end ? &row[1].key : NULL;
    return next && next->a == key->a && next->b == key->b && next->feature != FENDER_FEATURE_PAIR ? NULL : row;
}

/* Has the gap of a contact certainly not opened between two states? As look_for_grazes of world/event_location.c, but
 * without the grain, which only adds to the value. */
static bool stays_closed(const watch *w, const fnd_candidate *pair, const fnd_contact *from, const fnd_contact *to)
{
    const double first = pair->release_gap + from->in.depth, last = pair->release_gap + to->in.depth;
    if (!(last > 0)) return false;
    if (!(to->in.depth_rate > 0) || !(from->in.depth_rate < 0)) return true;
    const double length = w->scope->horizon;
    return first + from->in.depth_rate * length > 0 && last - to->in.depth_rate * length > 0;
}

/* The row of a pair that a batch has taken: it is the only one, and has the only record. NULL: it is not of that kind.
 */
static fnd_contact *batched_row(watch *w, const fnd_candidate *pair)
{
    const fnd_contact_list *rows = w->scope->rows;
    if (!pair->batch || pair->batch_placed || w->next_row >= rows->count) return NULL;
    fnd_contact *row = &rows->items[w->next_row];
    const fnd_record_list *records = &w->set->records;
    if (!row->batch || row->key.a != pair->a || row->key.b != pair->b || row->weight_fades) return NULL;
    if (records->order[w->next_record] != row->record) return NULL;
    w->next_row++;
    w->next_record++;
    return row;
}

bool fnd_crossings_quiet(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                         const fnd_watch_scope *scope, const fnd_contact_list *before)
{
    assert(scope->rows && scope->horizon > 0);
    const fnd_record_list *records = &set->records;
    watch w = {NULL, set, model, frames, 0, scope, NULL, 0, 0, 0};
    int at_before = 0;
    for (int i = 0; i < set->candidate_count; i++) {
        const fnd_candidate *pair = &set->candidates[i];
        if (pair->unlocated) continue;
        const fnd_record *record = NULL;
        for (; w.next_record < records->count; w.next_record++) { /* those of the pairs before are behind it */
            record = fnd_record_at(records, w.next_record);
            if (record->key.a > pair->a || (record->key.a == pair->a && record->key.b >= pair->b)) break;
        }
        if (w.next_record == records->count || record->key.a != pair->a || record->key.b != pair->b) {
            if (!is_left_out(&w, pair)) return false;
            continue;
        }
        fnd_contact *row = batched_row(&w, pair);
        if (!row) {
            const pair_rows of = rows_of(&w, pair);
            if (!of.complete || !of.alone) return false;
            row = &scope->rows->items[of.sole];
        }
        const fnd_contact *then = row->record >= 0 ? alone_in(before, &row->key, &at_before) : NULL;
        if (!then || !stays_closed(&w, pair, then, row) || !roots_hold(&w, row)) return false;
    }
    return true;
}

int fnd_crossings_apart(const fnd_crossing_list *list)
{
    int count = 0;
    for (int i = 0; i < list->count; i++) count += list->items[i].kind == FND_CROSSING_BEGIN;
    return count;
}

int fnd_crossings_borders(const fnd_crossing_list *list)
{
    int count = 0;
    for (int i = 0; i < list->count; i++) count += is_border(&list->items[i]);
    return count;
}

bool fnd_crossings_alike(const fnd_crossing_list *one, const fnd_crossing_list *other)
{
    int i = 0, k = 0;
    for (;;) {
        while (i < one->count && !is_border(&one->items[i])) i++;
        while (k < other->count && !is_border(&other->items[k])) k++;
        if (i == one->count || k == other->count) return i == one->count && k == other->count;
        const fnd_key first = one->items[i].key, second = other->items[k].key;
        if (first.a != second.a || first.b != second.b) return false;
        while (i < one->count && one->items[i].key.a == first.a && one->items[i].key.b == first.b) i++;
        while (k < other->count && other->items[k].key.a == first.a && other->items[k].key.b == first.b) k++;
    }
}

bool fnd_crossings_join(const fender_env *env, const fnd_crossing_list *one, const fnd_crossing_list *other,
                        fnd_crossing_list *out)
{
    assert(out != one && out != other);
    out->count = 0;
    for (int i = 0, k = 0; i < one->count || k < other->count;) {
        const fnd_crossing *a = i < one->count ? &one->items[i] : NULL, *b = k < other->count ? &other->items[k] : NULL;
        const int order = !a ? 1 : !b ? -1 : compare(a, b);
        const fnd_crossing *next = order <= 0 ? a : b;
        i += order <= 0;
        k += order >= 0;
        if (is_border(next) && !fnd_crossing_add(env, out, *next)) return false;
    }
    return true;
}
