/* One contact through an accepted step: its laws, its energy, its record. */
#include "base/memory.h"
#include "contact/lifecycle.h"
#include "contact/peak.h"
#include <assert.h>
#include <string.h>

/* ---- Laws ---- */

static void laws_end(const fnd_contact_type *type, const fender_contact_input *last, unsigned char *memory)
{
    for (int i = 0; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        if (!slot->law || !slot->law->end) continue;
        fender_contact_input own = fnd_slot_input(type, slot, last, fnd_memory_states(type, memory));
        slot->law->end(slot->parameters, &own, memory + slot->memory_offset);
    }
}

/* Does some law of the type want to be updated? */
static bool laws_listen(const fnd_contact_type *type)
{
    for (int i = 0; i < type->slot_count; i++)
        if (type->slots[i].law && type->slots[i].law->update) return true;
    return false;
}

/* Stores the request of a law to connect the bodies. False: no memory. */
static bool note_request(fnd_commit *c, const fnd_contact *now, const fender_contact_change *change)
{
    assert(now->key.a < now->key.b);
    fnd_request_list *list = &c->set->requests;
    void *items = list->items;
    if (!fnd_reserve_one_more(c->env, &items, &list->capacity, list->count, sizeof *list->items)) return false;
    list->items = items;
    list->items[list->count++] = (fnd_request){.shape_a = now->key.a,
                                               .shape_b = now->key.b,
                                               .disconnect = change->disconnect,
                                               .connection = change->connect,
                                               .normal = now->normal,
                                               .tangent = now->tangent,
                                               .lever_a = now->lever_a,
                                               .lever_b = now->lever_b};
    return true;
}

#define LEAST_BOND 1e-4 /* of the weight of a full face */

/* Is it a point that holds nearly nothing: a side face of a foot, beyond touch and nearly upright? What its law says is
 * no event, as its bond makes no difference to that of the foot. */
static bool is_silent(const fnd_contact *now)
{
    return now->border > 0 && now->in.depth < 0 && now->in.weight < LEAST_BOND;
}

/* Lets the laws update; tells whether one ended the contact. */
static bool laws_update(fnd_commit *c, const fnd_contact_type *type, const fnd_contact *now, unsigned char *memory,
                        bool *ended)
{
    assert(now->in.depth == now->in.depth);
    assert(now->type >= 0 && now->type < c->model->type_count);
    const double time = c->stages->end_time;
    fender_vec3 y = fender_vec3_cross(now->normal, now->tangent);
    for (int i = 0; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        const fender_law *law = slot->law;
        if (!law || !law->update) continue;
        fender_contact_output out = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0};
        double weight = now->in.weight, whole = 1; /* laws see what they said */
        if (weight != 1) whole = weight > 0 ? 1 / weight : 0;
        out.force = fender_vec3_scale(whole, now->force_C);
        if (now->torque.x != 0 || now->torque.y != 0 || now->torque.z != 0) {
            fender_vec3 torque = fender_vec3_scale(whole, now->torque);
            out.torque = fender_vec3_make(fender_vec3_dot(torque, now->tangent), fender_vec3_dot(torque, y),
                                          fender_vec3_dot(torque, now->normal));
        }
        out.damping_power = whole * now->damping_power;
        out.friction_power = whole * now->friction_power;
        out.supplied_power = whole * now->supplied_power;
        out.mode = now->mode;
        fender_contact_change change;
        memset(&change, 0, sizeof change);
        double *states = fnd_memory_states(type, memory);
        fender_contact_input in = fnd_slot_input(type, slot, &now->in, states);
        if (law->state_count > 0) change.states = states + slot->state_offset;
        law->update(slot->parameters, &in, &out, memory + slot->memory_offset, &change);
        if (change.event != 0 && !is_silent(now)) {
            fender_event event = fnd_contact_event(FENDER_EVENT_LAW, &now->key, time, now->in.depth_rate);
            event.code = change.event;
            if (!fnd_event_add(c->env, c->events, event)) return false;
        }
        bool asks = change.disconnect || change.connect.kind != FENDER_CONNECTION_NONE;
        if (asks && type->connects && !note_request(c, now, &change)) return false;
        if (change.end) *ended = true;
    }
    return true;
}

static double slot_energy(const fnd_contact_type *type, const fnd_slot *slot, unsigned char *memory,
                          const fender_contact_input *in, double border)
{
    return fnd_slot_stored_energy(type, slot, memory, fnd_memory_states(type, memory), in, border);
}

static fnd_given_up stored_in(const fnd_contact_type *type, unsigned char *memory, const fender_contact_input *in,
                              double border, double touch_weight)
{
    fnd_given_up stored = {slot_energy(type, &type->primary, memory, in, border) +
                               fnd_energy_to_border(type, memory, in, border, touch_weight),
                           0};
    for (int i = FND_SLOT_FRICTION; i < type->slot_count; i++)
        stored.friction += slot_energy(type, &type->slots[i], memory, in, 0);
    return stored;
}

/* Energy that a law had stored and gave up is lost, in the contact's books and in the world's. */
static void give_up(fnd_record *record, fnd_given_up *sum, double damping, double friction)
{
    assert(record->key.a < record->key.b);
    record->damping_loss += damping;
    record->friction_loss += friction;
    sum->damping += damping;
    sum->friction += friction;
}

#define WEIGHT_GRAIN 1e-12 /* changes of a weight below this part of it are rounding */

/* Sets the states of a slot and returns its stored energy. */
static double energy_with(const fnd_contact_type *type, const fnd_slot *slot, unsigned char *memory,
                          const fnd_contact *c, const double *states)
{
    memcpy(fnd_memory_states(type, memory) + slot->state_offset, states,
           (size_t)slot->law->state_count * sizeof *states);
    return slot_energy(type, slot, memory, &c->in, c->border);
}

enum { HELD_NODES = 5 };

/* Energy and weight over a step, from 0 to 1: the polynomials through the start, up to three stages between, and the
 * end, in Newton's form; straight lines where no stage has seen the point. */
typedef struct held_course {
    double x[HELD_NODES], energy[HELD_NODES], weight[HELD_NODES];
    int count;
} held_course;

static held_course course_of(const fnd_held *seen, int seen_count, fnd_held start, fnd_held end)
{
    assert(seen_count >= 0);
    static const double wanted[HELD_NODES - 2] = {0.3, 0.63, 0.86};
    const double step = end.time - start.time;
    held_course h = {{0}, {start.energy}, {start.weight}, 1};
    for (int k = 0; k < HELD_NODES - 2; k++) {
        const fnd_held *best = NULL;
        double least = INFINITY;
        for (int i = 0; step > 0 && i < seen_count; i++) {
            const double at = (seen[i].time - start.time) / step, off = fabs(at - wanted[k]);
            if (!(at > h.x[h.count - 1] + 0.05 && at < 0.95) || off > least) continue;
            best = &seen[i];
            least = off;
        }
        if (!best) break;
        h.x[h.count] = (best->time - start.time) / step;
        h.energy[h.count] = best->energy;
        h.weight[h.count++] = best->weight;
    }
    h.x[h.count] = 1;
    h.energy[h.count] = end.energy;
    h.weight[h.count++] = end.weight;
    for (int order = 1; order < h.count; order++) /* divided differences */
        for (int i = h.count - 1; i >= order; i--) {
            const double width = h.x[i] - h.x[i - order];
            h.energy[i] = (h.energy[i] - h.energy[i - 1]) / width;
            h.weight[i] = (h.weight[i] - h.weight[i - 1]) / width;
        }
    return h;
}

static double weight_at(const held_course *h, double x)
{
    double w = 0;
    for (int i = h->count - 1; i >= 0; i--) w = w * (x - h->x[i]) + h->weight[i];
    return w;
}

/* Integral of energy times growth of the weight, by Gauss' rule. */
static double growth_between(const held_course *h, double from, double to)
{
    static const double place[5] = {0.046910077030668004, 0.23076534494715845, 0.5, 0.76923465505284155,
                                    0.953089922969332};
    static const double share[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
                                    0.11846344252809454};
    double sum = 0;
    for (int k = 0; k < 5; k++) {
        const double x = from + place[k] * (to - from);
        double e = 0, w = 0, growth = 0;
        for (int i = h->count - 1; i >= 0; i--) { /* Horner, with the derivative of the weight */
            growth = growth * (x - h->x[i]) + w;
            w = w * (x - h->x[i]) + h->weight[i];
            e = e * (x - h->x[i]) + h->energy[i];
        }
        sum += (to - from) * share[k] * e * growth;
    }
    return sum;
}

/* The integral over the step. `fades`: the negative of it where the weight is more than at the start, see share_states.
 */
static double energy_of_growth(const fnd_held *seen, int seen_count, fnd_held start, fnd_held end, bool fades)
{
    enum { PARTS = 8 };
    const held_course h = course_of(seen, seen_count, start, end);
    if (!fades) return growth_between(&h, 0, 1);
    double sum = 0, from = 0;
    bool more = weight_at(&h, 0.5 / PARTS) > start.weight;
    for (int k = 1; k <= PARTS; k++) { /* where the weight crosses that of the start, the sign changes */
        double low = (k - 0.5) / PARTS, high = k < PARTS ? (k + 0.5) / PARTS : 1;
        if ((weight_at(&h, high) > start.weight) == more) continue;
        for (int i = 0; i < 40; i++) {
            const double middle = 0.5 * (low + high);
            if ((weight_at(&h, middle) > start.weight) == more) low = middle;
            else high = middle;
        }
        sum += (more ? -1 : 1) * growth_between(&h, from, high);
        from = high;
        more = !more;
    }
    return sum + (more ? -1 : 1) * growth_between(&h, from, 1);
}

/* The same of a touch of a sphere, which has no weight in the stages that have not seen it. Energies that no stage has
 * asked for are those of a straight line. */
static double energy_of_touch(const fnd_commit *c, const fnd_transition *s, fnd_held start, fnd_held end)
{
    const fnd_step_stages *stages = c->stages;
    fnd_held seen[FND_STEP_STAGE_CAPACITY];
    int count = 0;
    for (int l = 0; l < stages->count; l++) {
        if (stages->lists[l]->count == 0) continue;
        const fnd_contact *row = fnd_contact_of_key(stages->lists[l], &s->key);
        const double time = stages->lists[l]->items[0].in.time, part = (time - start.time) / (end.time - start.time);
        const double line = start.energy + part * (end.energy - start.energy);
        seen[count++] = (fnd_held){time, row ? row->in.weight : 0, row && row->weight_fades ? row->held : line};
    }
    return energy_of_growth(seen, count, start, end, false);
}

double fnd_contacts_area_loss(const fnd_contact_set *set, const fnd_contact_model *model,
                              const fnd_contact_list *const *stages, int count, double start_time,
                              const fnd_contact_list *now)
{
    assert(count >= 0 && count <= FND_STEP_STAGE_CAPACITY);
    double sum = 0;
    for (int i = 0; i < now->count; i++) {
        const fnd_contact *c = &now->items[i];
        if (!c->weight_fades || c->record < 0 || model->types[c->type].state_count == 0) continue;
        fnd_held seen[FND_STEP_STAGE_CAPACITY], start = {start_time, 0, 0};
        const bool fades = set->records.items[c->record].fades;
        int seen_count = 0;
        for (int s = 0; s < count; s++) {
            const fnd_contact *row = fnd_contact_of_key(stages[s], &c->key);
            if (!row) continue;
            seen[seen_count] = (fnd_held){row->in.time, row->in.weight, row->held};
            if (s == 0) start = seen[seen_count];
            seen_count++;
        }
        sum -= energy_of_growth(seen, seen_count, start, (fnd_held){c->in.time, c->in.weight, c->held}, fades);
    }
    return sum;
}

double fnd_contact_area_loss(const fnd_transition *s, double start_time)
{
    fnd_held start = {start_time, 0, 0};
    if (s->from) start = (fnd_held){s->from->in.time, s->from->in.weight, s->from->held};
    const fnd_held end = {s->now->in.time, s->now->in.weight, s->now->held};
    return -energy_of_growth(s->held, s->held_count, start, end, s->old->fades);
}

/* Where the area of a patch's point has grown in the step, the new part has come without stretch (it has not been
 * sheared yet): the states at the end are those of fnd_record_area already. A touch of a sphere shares its states now,
 * with what other touches hand on. Where area has shrunk, what the lost part held is lost. Returns what is stored now.
 * `room` is for one memory.
 *
 * Of what is stored, w E(s) with E of degree 2, area that grows without stretch, w s' = -w' s, loses E w', and area
 * that is lost takes -E w' along: by the integral over the step. Touches whose states stayed as they were have got or
 * lost the integral of E dw without work (by the trapezoidal rule); now they are r s with r = old weight / new if the
 * area has grown, and the difference is lost; what one touch of a ball hands to another it loses, and the other gains
 * as much. */
static fnd_given_up share_states(const fnd_commit *c, const fnd_contact_type *type, unsigned char *memory,
                                 unsigned char *room, const fnd_transition *s, fnd_given_up stored, fnd_record *record)
{
    double before = s->from ? s->from->in.weight : 0, weight = s->now->in.weight;
    if (type->state_count == 0 || !(weight > 0) || fabs(weight - before) <= WEIGHT_GRAIN * weight) return stored;
    static const double none[FENDER_LAW_STATE_CAPACITY];
    const fnd_record_list *records = &c->set->records;
    const bool fades = s->old && s->old->fades, grows = weight > before && !fades;
    const double part = before / weight, handed = grows && s->transfer ? s->transfer->part * (1 - part) : 0;
    double losses[2] = {0, 0};
    fnd_held start = {c->stages->start_time, before, 0},
             end = {c->stages->end_time, weight, 0}; /* of all but the first */
    for (int i = 0; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        if (!slot->law || slot->law->state_count == 0) continue;
        const int count = slot->law->state_count;
        double kept[FENDER_LAW_STATE_CAPACITY], shared[FENDER_LAW_STATE_CAPACITY], then = 0;
        memcpy(kept, fnd_memory_states(type, memory) + slot->state_offset, (size_t)count * sizeof *kept);
        for (int k = 0; k < count; k++) {
            shared[k] = grows ? part * kept[k] : kept[k];
            if (handed > 0) shared[k] += handed * s->transfer->states[slot->state_offset + k];
        }
        const double rest = energy_with(type, slot, memory, s->now, none);
        const double now = energy_with(type, slot, memory, s->now, kept);
        if (before > 0) {
            memcpy(room, fnd_record_memory(records, s->old_index), records->stride);
            const double all = slot_energy(type, slot, room, &s->from->in, s->from->border);
            then = (all - energy_with(type, slot, room, s->from, none)) / before;
        }
        const double gone = now - energy_with(type, slot, memory, s->now, shared), at_end = (now - rest) / weight;
        *(i == FND_SLOT_PRIMARY ? &stored.damping : &stored.friction) -= gone;
        losses[i == FND_SLOT_PRIMARY ? 0 : 1] += gone;
        if (i == FND_SLOT_PRIMARY)
            losses[0] -= 0.5 * (then + at_end) * (fades && weight > before ? before - weight : weight - before);
        else start.energy += s->transfer && !(before > 0) ? at_end : then, end.energy += at_end;
    }
    losses[1] -= s->transfer ? energy_of_touch(c, s, start, end)
                             : energy_of_growth(s->held, s->held_count, start, end, fades);
    give_up(record, &c->change->given_up, losses[0], losses[1]);
    return stored;
}

/* ---- The contact, or a pair that touches as a whole ---- */

static double shared_energy_defect(const fnd_contact_model *model, const fnd_step_stages *stages,
                                   const fnd_transition *s)
{
    if (stages->count == 0) return 0;
    int a = model->shapes[s->key.a].root, b = model->shapes[s->key.b].root;
    double energy = 0;
    if (stages->load[a] > 0) energy += stages->energy_defect[a] * (s->load / stages->load[a]);
    if (stages->load[b] > 0) energy += stages->energy_defect[b] * (s->load / stages->load[b]);
    return energy;
}

static void note_energy(fnd_record *record)
{
    double residual = fabs(fnd_record_residual(record)), worked = fabs(record->work);
    if (residual > record->largest_residual) record->largest_residual = residual;
    if (worked > record->energy) record->energy = worked;
    if (record->stored > record->energy) record->energy = record->stored;
}

void fnd_commit_pair_step(const fnd_commit *c, const fnd_pair_sum *sum, bool lasts, const fnd_contact *now,
                          fnd_record *record)
{
    const double time = c->stages->end_time;
    if (lasts) fnd_pair_track(c, record);
    fnd_pair_sum_book(sum, time, record);
    note_energy(record);
    if (time - record->last_time > record->longest_step) record->longest_step = time - record->last_time;
    record->last_time = time;
    if (!now) return;
    if (now->in.depth > record->peak_depth) {
        record->peak_depth = now->in.depth;
        record->depth_sampling_error = fnd_depth_grain(c->model, now);
    }
    record->normal = now->normal;
    record->tangent = now->tangent;
    record->weight = now->in.weight;
}

/* The record of a pair with pair events: the sum of its contacts. Its begin and end are events. */
static bool commit_pair(fnd_commit *c, const fnd_transition *s)
{
    assert(s->key.feature == FENDER_FEATURE_PAIR);
    const fender_env *env = c->env;
    fnd_contact_set *set = c->set;
    const fnd_contact_model *model = c->model;
    const fnd_frame *frames = c->frames;
    const fnd_step_stages *stages = c->stages;
    fnd_event_list *events = c->events;
    fnd_record_list *list = &set->next_records;
    if (!fnd_record_list_reserve(env, list, list->count + 1)) return false;
    fnd_record *record = &list->items[list->count];
    const fnd_contact *first = s->seen ? s->seen : s->now;
    const fnd_frame *frame_a = &frames[model->shapes[s->key.a].root], *frame_b = &frames[model->shapes[s->key.b].root];
    if (!s->old || !s->now) c->change->settled = false;
    if (!s->old && !s->now) return true; /* seen by a stage alone */
    memset(fnd_record_memory(list, list->count), 0, list->stride);
    if (s->old) {
        *record = *s->old;
    } else {
        memset(record, 0, sizeof *record);
        record->key = s->key;
        record->type = first->type;
        record->begin_time = record->last_time = stages->located ? stages->end_time : stages->start_time;
        record->peak_force_time = record->begin_time;
        record->approach_speed = first->in.depth_rate > 0 ? first->in.depth_rate : 0;
        double step = stages->end_time - stages->start_time;
        record->begin_error = stages->located && step > 0 ? fnd_located_error(frame_a, frame_b, stages, first) : step;
        if (!fnd_event_add(env, events,
                           fnd_contact_event(FENDER_EVENT_BEGIN, &s->key, record->begin_time, first->in.depth_rate)))
            return false;
    }
    fnd_commit_pair_step(c, &c->sum, s->old != NULL, s->now, record);
    if (!s->old && model->types[record->type].splits) c->change->changed = true; /* what is apart acts now */
    if (s->now) {
        s->now->record = list->count++;
        return true;
    }
    fnd_contact apart;
    bool known = fnd_contact_probe_pair(model, frame_a, frame_b, (int)s->key.a, (int)s->key.b, INFINITY,
                                        fnd_pair_memory(set, s->key.a, s->key.b), &apart);
    double step = stages->end_time - stages->start_time;
    record->end_error = stages->located && step > 0 && known ? fnd_located_error(frame_a, frame_b, stages, &apart)
                                                             : step;
    return fnd_event_add(
        env, events, fnd_release_event(record, stages->accuracy, stages->end_time, known ? apart.in.depth_rate : 0));
}

/* The memory of a law may change without changing its output. The evaluation at the accepted state then remains valid.
 */
static bool says_other(const fnd_contact *x, const fnd_contact *y)
{
    return memcmp(&x->force, &y->force, sizeof x->force) != 0 ||
           memcmp(&x->torque, &y->torque, sizeof x->torque) != 0 || x->damping_power != y->damping_power ||
           x->friction_power != y->friction_power || x->supplied_power != y->supplied_power || x->mode != y->mode;
}

/* True if another surface has entered the line of sight of a probe, so that it is deeper than its motion allows. */
static bool has_jumped(const fnd_step_stages *stages, const fnd_transition *s)
{
    assert(stages->count >= 0);
    if (!s->now->probe || !s->old || !s->from || stages->count == 0) return false;
    double rates = fabs(s->from->in.depth_rate) + fabs(s->now->in.depth_rate);
    double step = stages->end_time - stages->start_time;
    return s->now->in.depth - s->from->in.depth > 2 * step * rates + FND_PROBE_GRAIN;
}

static bool add_event(fnd_commit *c, const fnd_record *record, fender_event_kind kind, double time, double speed,
                      int code)
{
    fender_event event = fnd_contact_event(kind, &record->key, time, speed);
    event.code = code;
    return fnd_event_add(c->env, c->events, event);
}

/* Is it of a patch whose parts that are apart act, too? */
static bool attracts_apart(const fnd_commit *c, const fnd_transition *s)
{
    const fnd_contact *one = s->from ? s->from : s->now;
    return one && one->border > 0 && c->model->types[one->type].splits && c->stages->count > 0;
}

static bool pair_begins(const fnd_commit *c, const fnd_transition *s)
{
    const fnd_record_list *records = &c->set->records;
    const fnd_key pair = {s->key.a, s->key.b, FENDER_FEATURE_PAIR};
    const int at = fnd_record_list_find(records, 0, &pair);
    return !(at < records->count && fnd_same_key(&fnd_record_at(records, at)->key, &pair));
}

/* What the normal law stores at touch, or where the point is apart. */
static double held_at_touch(const fnd_contact_type *type, const fnd_transition *s, const fnd_record *record,
                            unsigned char *memory)
{
    fender_contact_input touch = s->now->in;
    if (touch.depth > 0) touch.depth = 0;
    return stored_in(type, memory, &touch, s->now->border, record->touch_weight).damping;
}

/* A pair that attracts from touch on has had no attraction on its way in, but has on its way out: what it stores at
 * touch, against its parts apart by the range, is lost. Area that touches is there when the pair begins, the rest when
 * the next step does. */
static void lose_at_touch(fnd_commit *c, const fnd_transition *s, fnd_record *record, unsigned char *memory)
{
    assert(attracts_apart(c, s));
    const fnd_contact_type *type = &c->model->types[record->type];
    if (s->from) { /* what it stores now, at the state at which it was committed */
        if (s->old) memory = fnd_record_memory(&c->set->records, s->old_index); /* of then */
        const fnd_given_up held = stored_in(type, memory, &s->from->in, s->from->border, 0);
        give_up(record, &c->change->given_up, (s->old ? s->old->stored : 0) - (held.damping + held.friction), 0);
        return;
    }
    if (!s->old && pair_begins(c, s)) give_up(record, &c->change->given_up, -held_at_touch(type, s, record, memory), 0);
}

/* A point of a patch that holds beyond touch stores nothing there, and its area what it is stretched beyond the border
 * when it passes. What has come with the pair, or touches anew, has its energy from touch on, up to its end; area that
 * passes the border later has none there. A point that is apart when the pair begins is stretched at once, by no
 * motion. */
static void count_from_touch(const fnd_commit *c, const fnd_transition *s, fnd_record *record, unsigned char *memory)
{
    const fnd_contact_type *type = &c->model->types[record->type];
    const fnd_contact *then = s->from ? s->from : s->now;
    const bool brought = s->from || c->stages->count == 0;
    if (!then || !(then->border > 0) || type->splits) return;
    if (!brought && !s->anew && !pair_begins(c, s)) return;
    record->touch_weight = then->in.weight;
    if (!brought) give_up(record, &c->change->given_up, -held_at_touch(type, s, record, memory), 0);
}

/* Creates a record and the memory of its laws. False: no memory. */
static bool begin(fnd_commit *c, const fnd_transition *s, bool whole, fnd_record *record, unsigned char *memory)
{
    assert(s->now || s->seen);
    assert(!s->old);
    const fnd_step_stages *stages = c->stages;
    const fnd_contact *first = s->seen ? s->seen : s->now;
    memset(record, 0, sizeof *record);
    memset(memory, 0, c->set->next_records.stride);
    record->key = s->key;
    record->type = first->type;
    record->begin_time = stages->located ? stages->end_time : stages->start_time;
    record->peak_force_time = record->begin_time;
    record->approach_speed = first->in.depth_rate > 0 ? first->in.depth_rate : 0;
    const fnd_contact_type *type = &c->model->types[record->type];
    if (!fnd_facet_transfer_receive(c, s, record, memory)) fnd_contact_begin(type, first, memory);
    const bool accepted = stages->count == 0; /* contacts of the initial state are, as they are */
    record->suppressed = first->buried && !accepted ? FND_SUPPRESSION_TOUCHING : FND_SUPPRESSION_NONE;
    if (!record->suppressed) count_from_touch(c, s, record, memory);
    if (s->from && !record->suppressed) { /* it was there when the step began: a hand, or a switch, brought it */
        const fnd_given_up held = stored_in(type, memory, &s->from->in, s->from->border, record->touch_weight);
        const double brought = attracts_apart(c, s) ? 0 : held.damping + held.friction; /* else see lose_at_touch */
        record->stored_at_start = brought;
        c->change->brought += brought;
    }
    if (type->batch) { /* its output depends neither on the beginning nor on the approach speed */
        if (s->now) s->now->in.approach_speed = record->approach_speed;
    } else {
        c->change->changed |= type->memory_size > 0 || type->state_count > 0;
        c->change->changed |= s->now && s->now->in.approach_speed != record->approach_speed; /* which laws may use */
    }
    return whole || record->suppressed ||
           add_event(c, record, FENDER_EVENT_BEGIN, record->begin_time, first->in.depth_rate, 0);
}

static void go_on(const fnd_commit *c, const fnd_transition *s, fnd_record *record, unsigned char *memory)
{
    assert(s->old);
    *record = *s->old;
    memcpy(memory, fnd_record_memory(&c->set->records, s->old_index), c->set->next_records.stride);
    const fnd_contact_type *type = &c->model->types[record->type];
    if (!c->stages->states || type->state_count == 0) return;
    double room[FND_CONTACT_STATES], area = 1;
    const fnd_contact *last = s->now ? s->now : s->last;
    if (last) area = fnd_record_area(s->old, last->in.weight);
    memcpy(fnd_memory_states(type, memory),
           fnd_states_of_area(type, fnd_step_stage_states(c, type, s->old_index), area, room),
           (size_t)type->state_count * sizeof(double));
}

static void book_step(fnd_commit *c, const fnd_transition *s, fnd_record *record)
{
    assert(fnd_same_key(&record->key, &s->key));
    const fnd_step_stages *stages = c->stages;
    double work = s->power + shared_energy_defect(c->model, stages, s);
    c->change->work += work;
    if (!record->suppressed) {
        record->impulse += s->impulse;
        record->force_impulse = fender_vec3_add(record->force_impulse, s->force_impulse);
        record->damping_loss += s->damping;
        record->friction_loss += s->friction;
        record->stored_at_start += s->supplied;
        record->work += work;
    }
    if (stages->end_time - stages->start_time > record->longest_step)
        record->longest_step = stages->end_time - stages->start_time;
    record->last_time = stages->end_time;
}

/* Commits a contact that exists at the accepted state: updates its laws and books their energy. `room` is memory for
 * one contact. False: no memory. */
static bool update(fnd_commit *c, const fnd_transition *s, fnd_record *record, unsigned char *memory,
                   unsigned char *room, bool *ended)
{
    assert(s->now);
    fnd_contact_set *set = c->set;
    const fnd_step_stages *stages = c->stages;
    const fnd_contact_type *type = &c->model->types[record->type];
    const size_t size = set->next_records.stride;
    bool jumped = has_jumped(stages, s);   /* what the jump would store was never put in: the contact ends */
    const bool passed = stages->count > 0; /* else no time has passed, in which area could have grown or shrunk */
    bool shares = passed && ((s->now->weight_fades && s->old) || s->transfer), changes = shares || laws_listen(type);
    const double push = s->now->force_C.z;
    unsigned char *before = set->scratch_memory; /* free between evaluations */
    fnd_track_inside(c->env, set, c->model, stages, s, type, memory, record);
    if (changes) memcpy(before, memory, size);
    const fnd_contact *held_in = jumped ? s->from : s->now;
    fnd_given_up stored = stored_in(type, memory, &held_in->in, held_in->border, record->touch_weight);
    *ended = jumped;
    if (shares) stored = share_states(c, type, memory, room, s, stored, record);
    fnd_given_up left = stored;
    double held = stored.damping + stored.friction;
    if (!passed) record->stored_at_start += held - record->stored; /* no motion brought it */
    if (changes) {
        if (!laws_update(c, type, s->now, memory, ended)) return false;
        bool changed = memcmp(before, memory, size) != 0;
        if (changed) c->change->learned = true;
        if (changed) { /* its mode may depend on the updated memory */
            fnd_contact old = *s->now;
            fnd_contact_force(type, memory, fnd_memory_states(type, memory), s->now);
            s->now->grip = FND_GRIP_OTHER;
            c->change->changed |= says_other(&old, s->now);
        }
        if (changed || shares) left = stored_in(type, memory, &s->now->in, s->now->border, record->touch_weight);
    }
    /* A law that lets go within a step is asked at its end: until then it has held. */
    if (passed && !jumped && !stages->located)
        record->release_impulse += fabs(push - (*ended ? 0 : s->now->force_C.z)) *
                                   (stages->end_time - stages->start_time);
    if (*ended) {
        left = (fnd_given_up){0, 0};
        record->touch_weight = 0;
    }
    record->stored = left.damping + left.friction;
    give_up(record, &c->change->given_up, stored.damping - left.damping, stored.friction - left.friction);
    note_energy(record);
    if (s->now->mode == record->mode) return true;
    c->change->settled = false;
    record->mode = s->now->mode;
    return is_silent(s->now) || add_event(c, record, fnd_mode_event(type, record->mode), stages->end_time,
                                          s->now->in.depth_rate, record->mode);
}

/* Energy of friction is lost when the contact ends; the spring of a normal law is unloaded there. A touch of a sphere
 * hands it on, as its weight goes over to others. */
static double friction_left(const fnd_commit *c, const fnd_transition *s, const fnd_contact_type *type,
                            unsigned char *memory, const fender_contact_input *last)
{
    const double before = s->from && s->old ? s->from->in.weight : 0;
    fender_contact_input in = *last;
    if (s->transfer && before > 0) in.weight = before;
    double left = stored_in(type, memory, &in, 0, 0).friction, held;
    if (!s->transfer || !(s->transfer->part > 0) || !(in.weight > 0)) return left;
    held = left /= in.weight;
    if (before > 0) {
        unsigned char *old = fnd_record_memory(&c->set->records, s->old_index);
        held = stored_in(type, old, &s->from->in, 0, 0).friction / before;
    }
    return -energy_of_touch(c, s, (fnd_held){c->stages->start_time, before, held},
                            (fnd_held){c->stages->end_time, 0, left});
}

/* What friction of a point of a patch loses that fades away in the step: its weight is none at the end. */
static double friction_faded(const fnd_commit *c, const fnd_transition *s)
{
    assert(s->from && s->last);
    const fnd_held start = {c->stages->start_time, s->from->in.weight, s->from->held};
    const fnd_held end = {c->stages->end_time, 0, s->last->held};
    return -energy_of_growth(s->held, s->held_count, start, end, true);
}

/* What the states of the normal law store, per weight. */
static double stretch_held(const fnd_contact_type *type, unsigned char *memory, const fnd_contact *c)
{
    static const double none[FENDER_LAW_STATE_CAPACITY];
    if (!(c->in.weight > 0)) return 0;
    const double all = slot_energy(type, &type->primary, memory, &c->in, c->border);
    return (all - fnd_slot_stored_energy(type, &type->primary, memory, none, &c->in, c->border)) / c->in.weight;
}

/* What the normal law has stored across a gap where its contact ends, and is lost: see `last` of end. A point of a
 * patch that fades away in the step takes along what its area has been stretched across the normal. */
static double pulled_off(const fnd_commit *c, const fnd_transition *s, const fnd_contact_type *type,
                         unsigned char *memory, const fnd_contact *last, bool faded)
{
    const double all = slot_energy(type, &type->primary, memory, &last->in, last->border);
    if (!faded || !s->old || !s->from || type->primary.law->state_count == 0) return all;
    const double start = stretch_held(type, fnd_record_memory(&c->set->records, s->old_index), s->from),
                 end = stretch_held(type, memory, last);
    return all - last->in.weight * end + s->from->in.weight * 0.5 * (start + end);
}

/* s; a law has ended the contact within the step: since the shapes have separated, or at any time of it. */
static double since_end(const fnd_step_stages *stages, const fnd_contact *now)
{
    const double step = stages->end_time - stages->start_time;
    if (!(now->in.depth < 0) || !(now->in.depth_rate < 0)) return step;
    const double passed = now->in.depth / now->in.depth_rate;
    return passed < step ? passed : step;
}

/* Commits a contact that is beyond its activation distance, or that a law has ended. False: no memory. */
static bool end(fnd_commit *c, const fnd_transition *s, bool whole, fnd_record *record, unsigned char *memory)
{
    const fnd_step_stages *stages = c->stages;
    const fnd_contact_type *type = &c->model->types[record->type];
    const fnd_contact *first = s->seen ? s->seen : s->now, *last = s->now;
    const bool faded = !last && s->last && (s->last->weight_fades || s->last->shared);
    const fnd_frame *frame_a = &c->frames[c->model->shapes[s->key.a].root],
                    *frame_b = &c->frames[c->model->shapes[s->key.b].root];
    fnd_contact apart;
    fender_contact_surface surface;
    if (faded) last = s->last;
    if (!last && fnd_contact_probe_key(c->env, c->set, c->model, frame_a, frame_b, &s->key, record->type, &apart)) {
        if (type->sees_surface) fnd_contact_surface_see(c->model, frame_a, frame_b, &apart, &surface);
        last = &apart;
    }
    static const fender_contact_input
        nothing; /* for a record whose feature no longer exists, because a state was set */
    const fender_contact_input *in = last ? &last->in : first ? &first->in : &nothing;
    if (!s->now && s->seen) {
        /* a repulsive spring is unloaded when its contact ends; the energy of one that attracts across a gap is lost */
        bool pulls = last && !(in->depth > 0) && type->release_gap > 0;
        double pulled = pulls ? pulled_off(c, s, type, memory, last, faded) : 0;
        pulled += fnd_energy_to_border(type, memory, in, type->release_gap, record->touch_weight);
        const bool fades = faded && s->old && s->old->fades && s->from;
        give_up(record, &c->change->given_up, pulled,
                fades ? friction_faded(c, s) : friction_left(c, s, type, memory, in));
    }
    if (stages->count == 0) record->stored_at_start -= record->stored;
    record->stored = 0;
    note_energy(record);
    if (!s->now && last && !faded) fnd_track_end(c->set, c->model, c->frames, stages, s, type, memory, last, record);
    if (s->now && stages->count > 0)
        record->end_error = stages->located ? fnd_located_error(frame_a, frame_b, stages, s->now)
                                            : since_end(stages, s->now);
    laws_end(type, in, memory);
    return whole ||
           fnd_event_add(c->env, c->events,
                         fnd_release_event(record, stages->accuracy, stages->end_time, last ? last->in.depth_rate : 0));
}

static bool is_apart(const fnd_commit *c, const fnd_contact *now)
{
    return !(-now->in.depth < c->model->types[now->type].onset_gap);
}

bool fnd_touches_anew(const fnd_commit *c, const fnd_transition *s)
{
    return s->old && s->now && s->old->suppressed == FND_SUPPRESSION_APART && !is_apart(c, s->now);
}

/* Commits one contact. Appends its record to the new list if it persists. */
static bool commit_one(fnd_commit *c, const fnd_transition *s)
{
    assert(s->old || s->now || s->last);
    fnd_record_list *list = &c->set->next_records;
    if (!s->old || !s->now || fnd_states_fade(&c->model->types[s->old->type], s->now)) c->change->settled = false;
    const bool whole = fnd_pair_has_pair_events(c->model, s->key.a, s->key.b,
                                                s->old ? s->old->type : (s->seen ? s->seen : s->now)->type);
    if (!fnd_record_list_reserve(c->env, list, list->count + 2)) return false; /* and room for one memory */
    fnd_record *record = &list->items[list->count];
    unsigned char *memory = fnd_record_memory(list, list->count), *room = fnd_record_memory(list, list->count + 1);
    bool ended = false;
    if (s->old) go_on(c, s, record, memory);
    else if (!begin(c, s, whole, record, memory)) return false;
    if (!record->suppressed && attracts_apart(c, s)) lose_at_touch(c, s, record, memory);
    book_step(c, s, record);
    if (s->now && !record->suppressed && !update(c, s, record, memory, room, &ended)) return false;
    if (s->now) {
        record->normal = s->now->normal;
        record->tangent = s->now->tangent;
        record->weight = s->now->in.weight;
        record->fades = fnd_states_fade(&c->model->types[record->type], s->now);
        s->now->record = list->count;
    }
    if (!s->now || ended) {
        if (!record->suppressed && !end(c, s, whole, record, memory)) return false;
        if (!s->now) { /* the record is not kept */
            if (whole) fnd_pair_sum_add(&c->sum, record, s->old, NULL);
            return true;
        }
        c->change->settled = false;
        record->suppressed = FND_SUPPRESSION_TOUCHING;
        c->change->changed = true;
    }
    if (record->suppressed && is_apart(c, s->now)) record->suppressed = FND_SUPPRESSION_APART;
    if (whole) fnd_pair_sum_add(&c->sum, record, s->old, s->now);
    list->count++;
    return true;
}

bool fnd_commit_transition(fnd_commit *c, const fnd_transition *s)
{
    assert(s->key.a < s->key.b);
    assert(s->old_index < c->set->records.used);
    return s->key.feature == FENDER_FEATURE_PAIR ? commit_pair(c, s) : commit_one(c, s);
}
