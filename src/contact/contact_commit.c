/* The life cycle of contacts: the only place where they begin, are updated and end. */
#include "base/hash.h"
#include "base/memory.h"
#include "contact/contact_set.h"
#include "contact/pair_sum.h"
#include "contact/peak.h"
#include "contact/quick.h"
#include "contact/quick_commit.h"
#include <float.h>
#include <string.h>

/* Everything that one accepted step knows of one contact. */
typedef struct story {
    fnd_key key;
    const fnd_record *old; /* NULL: new */
    int old_index;
    fnd_contact *now;        /* at the accepted state; NULL: out of reach there */
    const fnd_contact *seen; /* first sight of it in the step */
    const fnd_contact *from; /* at the start of the step; NULL: out of reach there */
    const fnd_contact *last; /* last sight of it in the step */
    double impulse, damping, friction, supplied, power, load;
    fender_vec3 force_impulse;
    double active; /* s; weights of the stages that saw it */
} story;

/* Field by field, which is quicker than clearing the whole. */
static void begin_story(story *s, fnd_key key)
{
    s->key = key;
    s->old = NULL;
    s->old_index = -1;
    s->now = NULL;
    s->seen = s->from = s->last = NULL;
    s->impulse = s->damping = s->friction = s->supplied = s->power = s->load = s->active = 0;
    s->force_impulse = fender_vec3_make(0, 0, 0);
}

/* The next key over all lists, in order; false when all are used up. */
static bool next_story(const fnd_contact_set *set, const fnd_passage *passage, fnd_contact_list *now, int at_record,
                       int at_now, const int *at_list, story *s)
{
    const fnd_key *least = NULL;
    if (at_record < set->records.count) least = &fnd_record_at(&set->records, at_record)->key;
    if (at_now < now->count && (!least || fnd_key_compare(&now->items[at_now].key, least) < 0))
        least = &now->items[at_now].key;
    for (int l = 0; l < passage->count; l++) {
        const fnd_contact_list *list = passage->lists[l];
        if (at_list[l] < list->count && (!least || fnd_key_compare(&list->items[at_list[l]].key, least) < 0))
            least = &list->items[at_list[l]].key;
    }
    if (!least) return false;
    begin_story(s, *least);
    return true;
}

bool fnd_event_add(const fender_env *env, fnd_event_list *events, fender_event event)
{
    void *items = events->items;
    if (!fnd_reserve_one_more(env, &items, &events->capacity, events->count, sizeof *events->items)) return false;
    events->items = items;
    events->items[events->count++] = event;
    events->counts[event.kind]++;
    uint64_t h = fnd_hash_u64(events->hash, (uint64_t)event.kind << 32 | (uint32_t)event.code);
    h = fnd_hash_u64(h, (uint64_t)event.a.index1 << 32 | event.b.index1);
    h = fnd_hash_u64(h, (uint64_t)event.body_a.index1 << 32 | event.body_b.index1);
    h = fnd_hash_u64(h, (uint64_t)event.link.index1);
    h = fnd_hash_u64(h, event.feature);
    h = fnd_hash_double(h, event.time);
    events->hash = fnd_hash_double(h, event.speed);
    return true;
}

void fnd_event_rewind(fnd_event_list *events, const fnd_event_list *before)
{
    events->count = before->count;
    events->hash = before->hash;
    memcpy(events->counts, before->counts, sizeof events->counts);
}

static fender_event event_of(fender_event_kind kind, const fnd_key *key, double time, double speed)
{
    fender_event event;
    memset(&event, 0, sizeof event);
    event.kind = kind;
    event.time = time;
    event.a = (fender_shape_id){key->a + 1, 1};
    event.b = (fender_shape_id){key->b + 1, 1};
    event.feature = key->feature;
    event.speed = speed;
    return event;
}

static void terminate(const fnd_contact_type *type, const fender_contact_input *last, unsigned char *memory)
{
    const fnd_slot *slots[] = {&type->primary, &type->friction};
    for (int i = 0; i < 2; i++) {
        if (!slots[i]->law || !slots[i]->law->terminate) continue;
        fender_contact_input own = fnd_slot_input(type, slots[i], last, fnd_memory_states(type, memory));
        slots[i]->law->terminate(slots[i]->parameters, &own, memory + slots[i]->memory_offset);
    }
}

static fender_event release_event(const fnd_record *record, const fnd_accuracy *accuracy, double time,
                                  double depth_rate)
{
    fender_event event = event_of(FENDER_EVENT_TERMINATE, &record->key, time, depth_rate);
    event.begin_time = record->begin_time;
    event.impulse = record->impulse;
    event.peak_force = record->peak_force;
    event.peak_force_time = record->peak_force_time;
    event.peak_depth = record->peak_depth;
    event.approach_speed = record->approach_speed;
    event.damping_loss = record->damping_loss;
    event.friction_loss = record->friction_loss;
    event.work = record->work;
    event.residual = fnd_record_residual(record);
    event.errors = fnd_record_errors(record, accuracy, time, -depth_rate);
    event.peak_force_error = event.errors.peak_force;
    return event;
}

static bool laws_update(const fnd_contact_type *type)
{
    return type->primary.law->update || (type->friction.law && type->friction.law->update);
}

/* Lets the laws update; tells whether one ended the contact. */
static bool update_laws(const fender_env *env, const fnd_contact_type *type, fnd_contact *now, unsigned char *memory,
                        fnd_event_list *events, double time, bool *terminated)
{
    const fnd_slot *slots[] = {&type->primary, &type->friction};
    fender_vec3 y = fender_vec3_cross(now->normal, now->tangent);
    for (int i = 0; i < 2; i++) {
        const fender_law *law = slots[i]->law;
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
        fender_contact_input in = fnd_slot_input(type, slots[i], &now->in, states);
        if (law->state_count > 0) change.states = states + slots[i]->state_offset;
        law->update(slots[i]->parameters, &in, &out, memory + slots[i]->memory_offset, &change);
        if (change.event != 0) {
            fender_event event = event_of(FENDER_EVENT_LAW, &now->key, time, now->in.depth_rate);
            event.code = change.event;
            if (!fnd_event_add(env, events, event)) return false;
        }
        if (change.terminate) *terminated = true;
    }
    return true;
}

static double slot_energy(const fnd_contact_type *type, const fnd_slot *slot, unsigned char *memory,
                          const fender_contact_input *in)
{
    return fnd_slot_stored_energy(type, slot, memory, fnd_memory_states(type, memory), in);
}

static fnd_given_up stored_in(const fnd_contact_type *type, unsigned char *memory, const fender_contact_input *in)
{
    return (fnd_given_up){slot_energy(type, &type->primary, memory, in),
                          slot_energy(type, &type->friction, memory, in)};
}

/* Sticking and slipping have events of their own, whatever the law. */
static fender_event_kind mode_event(const fnd_contact_type *type, int mode)
{
    const fender_law *law = type->primary.law->mode_names || !type->friction.law ? type->primary.law
                                                                                 : type->friction.law;
    for (int i = 0; law->mode_names && law->mode_names[i]; i++) {
        if (i < mode) continue;
        if (strcmp(law->mode_names[i], "kinetic") == 0) return FENDER_EVENT_SLIP;
        return strcmp(law->mode_names[i], "static") == 0 ? FENDER_EVENT_STICK : FENDER_EVENT_MODE;
    }
    return FENDER_EVENT_MODE;
}

/* What a law remembers may change and all that it says stay the same: the evaluation at the accepted state then holds.
 */
static bool says_other(const fnd_contact *x, const fnd_contact *y)
{
    return memcmp(&x->force, &y->force, sizeof x->force) != 0 ||
           memcmp(&x->torque, &y->torque, sizeof x->torque) != 0 || x->damping_power != y->damping_power ||
           x->friction_power != y->friction_power || x->supplied_power != y->supplied_power || x->mode != y->mode;
}

/* How hard each body was pushed by all its contacts in the step. */
static void sum_loads(const fnd_contact_model *model, const fnd_passage *passage)
{
    if (passage->count == 0) return;
    for (int i = 0; i < model->body_count; i++) passage->load[i] = 0;
    for (int l = 0; l < passage->count; l++) {
        for (int i = 0; i < passage->lists[l]->count; i++) {
            const fnd_contact *c = &passage->lists[l]->items[i];
            double push = fabs(passage->weights[l]) * c->strength;
            passage->load[c->body_a] += push;
            passage->load[c->body_b] += push;
        }
    }
}

static double shared_defect(const fnd_contact_model *model, const fnd_passage *passage, const story *s)
{
    if (passage->count == 0) return 0;
    int a = model->shapes[s->key.a].root, b = model->shapes[s->key.b].root;
    double energy = 0;
    if (passage->load[a] > 0) energy += passage->defect[a] * (s->load / passage->load[a]);
    if (passage->load[b] > 0) energy += passage->defect[b] * (s->load / passage->load[b]);
    return energy;
}

/* Energy that a law had stored and gave up is lost, in the contact's books and in the world's. */
static void give_up(fnd_record *record, fnd_given_up *sum, double damping, double friction)
{
    record->damping_loss += damping;
    record->friction_loss += friction;
    sum->damping += damping;
    sum->friction += friction;
}

static void note_energy(fnd_record *record)
{
    double residual = fabs(fnd_record_residual(record)), worked = fabs(record->work);
    if (residual > record->largest_residual) record->largest_residual = residual;
    if (worked > record->energy) record->energy = worked;
    if (record->stored > record->energy) record->energy = record->stored;
}

/* The contact at both ends of the step, `memory` as its laws have held it. */
static fnd_span span_of(const fnd_contact_set *set, const story *s, const fnd_contact_type *type, unsigned char *memory,
                        const fnd_contact *from, const fnd_contact *to)
{
    double *states = fnd_memory_states(type, memory), *before = states;
    if (s->old) before = fnd_memory_states(type, fnd_record_memory(&set->records, s->old_index));
    return (fnd_span){type, memory, {before, states}, {from, to}};
}

/* It began within the step: where the free flight from the state before to the first sight of it meets the surface. */
static void follow_touch(const fnd_contact_set *set, const fnd_passage *passage, const story *s,
                         const fnd_contact_type *type, unsigned char *memory, const fnd_contact *apart,
                         fnd_record *record)
{
    const fnd_contact *sight = s->seen ? s->seen : s->now;
    record->begin_error = passage->end_time - passage->start_time;
    if (apart->in.depth >= 0 || sight->in.depth <= 0 || !(sight->in.time > passage->start_time)) return;
    fnd_span flight = span_of(set, s, type, memory, apart, sight);
    fnd_contact touch = *s->now;
    double depth, part = fnd_span_crossing(&flight);
    fnd_span_depth(&flight, part, &depth, &touch.in.depth_rate);
    if (sight == s->now) touch.in.depth_rate = apart->in.depth_rate; /* which may have been pushed already */
    touch.in.depth = 0;
    touch.in.time = passage->start_time + part * (sight->in.time - passage->start_time);
    record->begin_error = touch.in.time - record->begin_time;
    fnd_span span = span_of(set, s, type, memory, &touch, s->now);
    touch.force_C.z = fnd_span_force(&span, 0);
    record->jump_in = fabs(touch.force_C.z * (s->active - (passage->end_time - touch.in.time)));
    if (touch.force_C.z > record->peak_force) {
        record->peak_force = touch.force_C.z;
        record->peak_force_time = touch.in.time;
    }
    fnd_peaks_follow(record, &span, NULL);
}

/* A located touch or release is known to the tolerance of events, and to what the coordinates can tell apart. */
static double located_error(const fnd_frame *a, const fnd_frame *b, const fnd_passage *passage, const fnd_contact *c)
{
    double size = fender_vec3_length(a->p) + fender_vec3_length(b->p) + fender_vec3_length(c->lever_a) +
                  fender_vec3_length(c->lever_b);
    double step = passage->end_time - passage->start_time, speed = fabs(c->in.depth_rate);
    double grain = 4 * DBL_EPSILON * size, slow = speed * step > grain ? grain / speed : step;
    return passage->accuracy->event_tolerance + slow;
}

static void follow_inside(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                          const fnd_passage *passage, const story *s, const fnd_contact_type *type,
                          unsigned char *memory, fnd_record *record)
{
    double step = passage->end_time - passage->start_time;
    fnd_span span = span_of(set, s, type, memory, s->from && s->old ? s->from : s->now, s->now);
    fnd_peaks_follow(record, &span, s->now->fades ? NULL : passage->look);
    if (s->old || !(step > 0)) return;
    const fnd_body *body_a = &model->bodies[model->shapes[s->key.a].root];
    const fnd_body *body_b = &model->bodies[model->shapes[s->key.b].root];
    fnd_frame a = fnd_frame_of_state(body_a, &body_a->state), b = fnd_frame_of_state(body_b, &body_b->state);
    fnd_contact apart;
    if (!fnd_contact_probe_key(env, set, model, &a, &b, &s->key, record->type, &apart)) return;
    apart.in.time = passage->start_time;
    const fnd_contact *sight = s->seen ? s->seen : s->now;
    double change = fabs(sight->in.depth_rate - apart.in.depth_rate); /* in free flight */
    if (passage->located) {
        record->approach_error = change * (located_error(&a, &b, passage, s->now) / step);
        record->begin_error = located_error(&a, &b, passage, s->now);
        record->jump_in = fabs(s->now->force_C.z) * record->begin_error;
    } else {
        record->approach_error = change;
        follow_touch(set, passage, s, type, memory, &apart, record);
    }
}

/* It ended within the step, `apart` being its state after it. */
static void follow_release(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                           const fnd_passage *passage, const story *s, const fnd_contact_type *type,
                           unsigned char *memory, const fnd_contact *apart, fnd_record *record)
{
    if (passage->count == 0) return;
    if (passage->located) {
        record->end_error = located_error(&frames[model->shapes[s->key.a].root], &frames[model->shapes[s->key.b].root],
                                          passage, apart);
        record->jump_out = s->last ? fabs(s->last->force_C.z) * record->end_error : 0;
        return;
    }
    record->end_error = passage->end_time - passage->start_time;
    if (!s->from || s->from->in.depth <= 0 || apart->in.depth >= 0) return;
    fnd_contact after = *apart;
    after.in.time = passage->end_time;
    after.force_C = fender_vec3_make(0, 0, 0);
    fnd_span span = span_of(set, s, type, memory, s->from, &after);
    double part = fnd_span_crossing(&span), depth, rate, before = record->peak_force, deepest = record->peak_depth;
    fnd_span_depth(&span, part, &depth, &rate);
    record->end_error *= 1 - part;
    double step = passage->end_time - passage->start_time;
    record->jump_out = fabs(fnd_span_force(&span, 0.999 * part) * (s->active - part * step));
    record->rebound_error = fabs(rate - after.in.depth_rate);
    if (!(s->from->in.depth_rate > 0)) return;
    fnd_peaks_follow(record, &span, NULL); /* it turned within this one step: what is found is a guess */
    record->force_sampling_error += record->peak_force - before;
    record->depth_sampling_error += record->peak_depth - deepest;
}

/* The record of a whole pair: the sum of its contacts, whose beginning and end are events. */
static bool commit_pair(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                        const fnd_frame *frames, const fnd_passage *passage, const story *s, const fnd_pair_sum *sum,
                        fnd_event_list *events)
{
    fnd_record_list *list = &set->next_records;
    if (!fnd_record_list_reserve(env, list, list->count + 1)) return false;
    fnd_record *record = &list->items[list->count];
    const fnd_contact *first = s->seen ? s->seen : s->now;
    const fnd_frame *frame_a = &frames[model->shapes[s->key.a].root], *frame_b = &frames[model->shapes[s->key.b].root];
    if (!s->old && !s->now) return true; /* seen by a stage alone */
    memset(fnd_record_memory(list, list->count), 0, list->stride);
    if (s->old) {
        *record = *s->old;
    } else {
        memset(record, 0, sizeof *record);
        record->key = s->key;
        record->type = first->type;
        record->begin_time = record->last_time = passage->located ? passage->end_time : passage->start_time;
        record->peak_force_time = record->begin_time;
        record->approach_speed = first->in.depth_rate > 0 ? first->in.depth_rate : 0;
        double step = passage->end_time - passage->start_time;
        record->begin_error = passage->located && step > 0 ? located_error(frame_a, frame_b, passage, first) : step;
        if (!fnd_event_add(env, events,
                           event_of(FENDER_EVENT_ESTABLISH, &s->key, record->begin_time, first->in.depth_rate)))
            return false;
    }
    fnd_pair_sum_book(sum, passage->end_time, record);
    note_energy(record);
    if (passage->end_time - record->last_time > record->longest_step)
        record->longest_step = passage->end_time - record->last_time;
    record->last_time = passage->end_time;
    if (s->now) {
        record->normal = s->now->normal;
        record->tangent = s->now->tangent;
        s->now->record = list->count++;
        return true;
    }
    fnd_contact apart;
    bool known = fnd_contact_probe_pair(model, frame_a, frame_b, (int)s->key.a, (int)s->key.b, &apart);
    double step = passage->end_time - passage->start_time;
    record->end_error = passage->located && step > 0 && known ? located_error(frame_a, frame_b, passage, &apart) : step;
    return fnd_event_add(env, events,
                         release_event(record, passage->accuracy, passage->end_time, known ? apart.in.depth_rate : 0));
}

#define WEIGHT_GRAIN 1e-12 /* changes of a weight below this part of it are rounding */

/* What the states of a slot store beside the rest; they are zeroed. */
static double take_from_states(const fnd_contact_type *type, const fnd_slot *slot, unsigned char *memory,
                               const fender_contact_input *in)
{
    double *states = fnd_memory_states(type, memory) + slot->state_offset, all = slot_energy(type, slot, memory, in);
    for (int k = 0; k < slot->law->state_count; k++) states[k] = 0;
    return all - slot_energy(type, slot, memory, in);
}

/* What the states of a patch's point tell is the mean over its area. Where the area has grown in the step, the new part
 * comes without any (it has not been sheared yet); where it has shrunk, what the lost part held is lost. Stretches
 * taken on with the area would be energy from nowhere: while the states stayed as they are, what they store, w E(s),
 * has got or lost the integral of E dw over the step (by the trapezoidal rule here) without work; now they are r s,
 * with r = old weight / new, if the area has grown. The difference is lost in friction. Returns what is stored now.
 * `room` is for one memory. */
static fnd_given_up share_states(const fnd_contact_set *set, const fnd_contact_type *type, unsigned char *memory,
                                 unsigned char *room, const story *s, fnd_given_up stored, fnd_record *record,
                                 fnd_given_up *given_up)
{
    double before = s->from ? s->from->in.weight : 0, weight = s->now->in.weight;
    if (type->state_count == 0 || !(weight > 0) || fabs(weight - before) <= WEIGHT_GRAIN * weight) return stored;
    const fnd_slot *slots[] = {&type->primary, &type->friction};
    double *held[2] = {&stored.damping, &stored.friction}, losses[2] = {0, 0};
    double part = before / weight;
    for (int i = 0; i < 2; i++) {
        if (!slots[i]->law || slots[i]->law->state_count == 0) continue;
        double *states = fnd_memory_states(type, memory) + slots[i]->state_offset, kept[FENDER_LAW_STATE_CAPACITY];
        for (int k = 0; k < slots[i]->law->state_count; k++) kept[k] = states[k];
        double now = take_from_states(type, slots[i], memory, &s->now->in), then = 0;
        if (before > 0) {
            memcpy(room, fnd_record_memory(&set->records, s->old_index), set->records.stride);
            then = take_from_states(type, slots[i], room, &s->from->in) / before;
        }
        double supplied = 0.5 * (then + now / weight) * (weight - before);
        for (int k = 0; k < slots[i]->law->state_count; k++) states[k] = part < 1 ? part * kept[k] : kept[k];
        double gone = part < 1 ? (1 - part * part) * now : 0;
        *held[i] -= gone;
        losses[i] = gone - supplied;
    }
    give_up(record, given_up, losses[0], losses[1]);
    return stored;
}

/* Has another surface come into the line of sight of a probe, so that it is deeper than its motion has brought it? */
static bool has_jumped(const fnd_passage *passage, const story *s)
{
    if (!s->now->probe || !s->old || !s->from || passage->count == 0) return false;
    double rates = fabs(s->from->in.depth_rate) + fabs(s->now->in.depth_rate);
    double step = passage->end_time - passage->start_time;
    return s->now->in.depth - s->from->in.depth > 2 * step * rates + FND_PROBE_GRAIN;
}

/* One contact's step. Appends its record to the new list when it lives on. */
static bool commit_one(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                       const fnd_frame *frames, const fnd_passage *passage, const story *s, fnd_pair_sum *sum,
                       fnd_event_list *events, fnd_commit_change *change)
{
    fnd_record_list *list = &set->next_records;
    const bool whole = fnd_pair_is_whole(model, s->key.a, s->key.b,
                                         s->old ? s->old->type : (s->seen ? s->seen : s->now)->type);
    if (!fnd_record_list_reserve(env, list, list->count + 2)) return false; /* and room for one memory */
    fnd_record *record = &list->items[list->count];
    unsigned char *memory = fnd_record_memory(list, list->count);
    const fnd_contact *first = s->seen ? s->seen : s->now;
    const fnd_contact_type *type;
    if (s->old) {
        *record = *s->old;
        memcpy(memory, fnd_record_memory(&set->records, s->old_index), list->stride);
        type = &model->types[record->type];
        if (passage->states)
            memcpy(fnd_memory_states(type, memory), passage->states + (ptrdiff_t)s->old_index * set->state_stride,
                   (size_t)type->state_count * sizeof(double));
    } else {
        memset(record, 0, sizeof *record);
        memset(memory, 0, list->stride);
        record->key = s->key;
        record->type = first->type;
        record->begin_time = passage->located ? passage->end_time : passage->start_time;
        record->approach_speed = first->in.depth_rate > 0 ? first->in.depth_rate : 0;
        type = &model->types[record->type];
        record->peak_force_time = record->begin_time;
        fnd_contact_establish(type, first, memory);
        record->suppressed = first->buried && passage->count > 0; /* what is given at the start is taken as it is */
        if (type->quick) { /* what it says depends neither on the beginning nor on its speed */
            if (s->now) s->now->in.approach_speed = record->approach_speed;
        } else {
            change->changed |= type->memory_size > 0 || type->state_count > 0;
            change->changed |= s->now && s->now->in.approach_speed != record->approach_speed; /* which laws may use */
        }
        if (!whole && !record->suppressed &&
            !fnd_event_add(env, events,
                           event_of(FENDER_EVENT_ESTABLISH, &s->key, record->begin_time, first->in.depth_rate)))
            return false;
    }
    double work = s->power + shared_defect(model, passage, s);
    change->work += work;
    if (!record->suppressed) {
        record->impulse += s->impulse;
        record->force_impulse = fender_vec3_add(record->force_impulse, s->force_impulse);
        record->damping_loss += s->damping;
        record->friction_loss += s->friction;
        record->stored_at_start += s->supplied;
        record->work += work;
    }

    if (passage->end_time - passage->start_time > record->longest_step)
        record->longest_step = passage->end_time - passage->start_time;
    record->last_time = passage->end_time;
    bool ended = false;
    if (s->now && !record->suppressed) {
        follow_inside(env, set, model, passage, s, type, memory, record);
        bool jumped = has_jumped(passage, s); /* what the jump would store was never put in: the contact ends */
        bool shares = s->now->fades && s->old, changes = shares || laws_update(type);
        unsigned char *before = set->scratch_memory; /* free between evaluations */
        if (changes) memcpy(before, memory, list->stride);
        fnd_given_up stored = stored_in(type, memory, jumped ? &s->from->in : &s->now->in);
        ended = jumped;
        if (shares)
            stored = share_states(set, type, memory, fnd_record_memory(list, list->count + 1), s, stored, record,
                                  &change->given_up);
        fnd_given_up left = stored;
        double held = stored.damping + stored.friction;
        if (passage->count == 0) record->stored_at_start += held - record->stored; /* no motion brought it */
        if (changes) {
            if (!update_laws(env, type, s->now, memory, events, passage->end_time, &ended)) return false;
            bool changed = memcmp(before, memory, list->stride) != 0;
            if (changed) { /* its mode may follow from what it remembers now */
                fnd_contact old = *s->now;
                fnd_contact_force(type, memory, fnd_memory_states(type, memory), s->now);
                change->changed |= says_other(&old, s->now);
            }
            if (changed || shares) left = stored_in(type, memory, &s->now->in);
        }
        if (ended) left = (fnd_given_up){0, 0};
        record->stored = left.damping + left.friction;
        give_up(record, &change->given_up, stored.damping - left.damping, stored.friction - left.friction);
        note_energy(record);
        if (s->now->mode != record->mode) {
            record->mode = s->now->mode;
            fender_event event = event_of(mode_event(type, record->mode), &s->key, passage->end_time,
                                          s->now->in.depth_rate);
            event.code = record->mode;
            if (!fnd_event_add(env, events, event)) return false;
        }
    }
    if (s->now) {
        record->normal = s->now->normal;
        record->tangent = s->now->tangent;
        s->now->record = list->count;
    }
    if (!s->now || ended) {
        fnd_contact apart;
        const fnd_contact *last = s->now, *faded = s->last && s->last->fades ? s->last : NULL;
        if (!last && faded) last = faded;
        const fnd_frame *frame_a = &frames[model->shapes[s->key.a].root],
                        *frame_b = &frames[model->shapes[s->key.b].root];
        if (!last && fnd_contact_probe_key(env, set, model, frame_a, frame_b, &s->key, record->type, &apart))
            last = &apart;
        if (!record->suppressed) {
            /* a normal law's spring is slack where its contact ends; what friction holds is lost */
            if (!s->now && s->seen)
                give_up(record, &change->given_up, 0,
                        slot_energy(type, &type->friction, memory, last ? &last->in : &first->in));
            if (passage->count == 0) record->stored_at_start -= record->stored;
            record->stored = 0;
            note_energy(record);
            if (!s->now && last && !faded) follow_release(set, model, frames, passage, s, type, memory, last, record);
            terminate(type, last ? &last->in : &first->in, memory);
            if (!whole && !fnd_event_add(env, events,
                                         release_event(record, passage->accuracy, passage->end_time,
                                                       last ? last->in.depth_rate : 0)))
                return false;
        }
        if (!s->now) { /* the record is not kept */
            if (whole) fnd_pair_sum_add(sum, record, s->old, NULL);
            return true;
        }
        record->suppressed = true; /* ended by its law within reach: kept, silent, until it has separated */
        change->changed = true;
    }
    if (whole) fnd_pair_sum_add(sum, record, s->old, s->now);
    list->count++;
    return true;
}

static bool commit_story(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                         const fnd_frame *frames, const fnd_passage *passage, const story *s, fnd_pair_sum *sum,
                         fnd_event_list *events, fnd_commit_change *change)
{
    if (s->key.feature == FENDER_FEATURE_PAIR) return commit_pair(env, set, model, frames, passage, s, sum, events);
    return commit_one(env, set, model, frames, passage, s, sum, events, change);
}

/* Where a commit stands in each of the lists that it goes through side by side. */
typedef struct position {
    int record; /* in the order of keys */
    int now;
    int list[FND_PASSAGE_CAPACITY];
} position;

/* What the lists say of the contact with the next key. False: all are used up. */
static bool read_story(const fnd_contact_set *set, const fnd_passage *passage, fnd_contact_list *now, position *at,
                       story *s)
{
    if (!next_story(set, passage, now, at->record, at->now, at->list, s)) return false;
    for (int l = 0; l < passage->count; l++) {
        const fnd_contact_list *list = passage->lists[l];
        if (at->list[l] >= list->count || fnd_key_compare(&list->items[at->list[l]].key, &s->key) != 0) continue;
        const fnd_contact *c = &list->items[at->list[l]++];
        double weight = passage->weights[l];
        s->impulse += weight * c->force_C.z;
        s->force_impulse = fender_vec3_add_scaled(s->force_impulse, weight, c->force);
        s->damping += weight * c->damping_power;
        s->friction += weight * c->friction_power;
        s->supplied += weight * c->supplied_power;
        s->power += weight * c->power;
        s->load += fabs(weight) * c->strength;
        if (!s->seen) s->seen = c;
        if (l == 0) s->from = c;
        s->last = c;
        s->active += weight;
    }
    if (at->now < now->count && fnd_key_compare(&now->items[at->now].key, &s->key) == 0)
        s->now = &now->items[at->now++];
    if (at->record < set->records.count &&
        fnd_key_compare(&fnd_record_at(&set->records, at->record)->key, &s->key) == 0) {
        s->old_index = set->records.order[at->record++];
        s->old = &set->records.items[s->old_index];
    }
    return true;
}

/* Commits a story that may be two: when its rule has another type one contact ends, another begins. */
static bool commit_whole_story(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                               const fnd_frame *frames, const fnd_passage *passage, story *s, fnd_pair_sum *sum,
                               fnd_event_list *events, fnd_commit_change *change)
{
    if (s->old && s->now && s->old->type != s->now->type) {
        story end = *s;
        end.now = NULL;
        if (!commit_story(env, set, model, frames, passage, &end, sum, events, change)) return false;
        *s = (story){.key = s->key, .old_index = -1, .now = s->now};
    }
    return commit_story(env, set, model, frames, passage, s, sum, events, change);
}

static position at_begin(const fnd_passage *passage)
{
    position at;
    at.record = at.now = 0;
    for (int l = 0; l < passage->count; l++) at.list[l] = 0;
    return at;
}

/* All records anew, in the order of keys. */
static bool commit_anew(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                        const fnd_frame *frames, const fnd_passage *passage, fnd_contact_list *now,
                        fnd_event_list *events, fnd_commit_change *change)
{
    position at = at_begin(passage);
    fnd_pair_sum sum = {0};
    story s;
    while (read_story(set, passage, now, &at, &s))
        if (!commit_whole_story(env, set, model, frames, passage, &s, &sum, events, change)) return false;
    fnd_record_list_in_order(&set->next_records);
    fnd_record_list old = set->records;
    set->records = set->next_records;
    set->next_records = old;
    set->matched = !set->any_quick;
    return true;
}

/* Does the contact that comes next go on as it is, seen by every evaluation? */
static inline bool goes_on(const fnd_contact_set *set, const fnd_passage *passage, const fnd_contact_list *now,
                           const position *at)
{
    if (at->now >= now->count || at->record >= set->records.count) return false;
    const int place = set->records.order[at->record];
    const fnd_contact *c = &now->items[at->now];
    if (!c->quick || c->record != place) return false;
    for (int l = 0; l < passage->count; l++)
        if (at->list[l] >= passage->lists[l]->count || passage->lists[l]->items[at->list[l]].record != place)
            return false;
    return true;
}

/* Work of a quick contact that goes on, as commit_one finds it. */
static double work_of(const fnd_passage *passage, const position *at, const fnd_contact *now)
{
    double power = 0, load = 0, defect = 0;
    for (int l = 0; l < passage->count; l++) {
        const fnd_contact *c = &passage->lists[l]->items[at->list[l]];
        power += passage->weights[l] * c->power;
        load += fabs(passage->weights[l]) * c->strength;
    }
    const int a = now->body_a, b = now->body_b;
    if (passage->load[a] > 0) defect += passage->defect[a] * (load / passage->load[a]);
    if (passage->load[b] > 0) defect += passage->defect[b] * (load / passage->load[b]);
    return power + defect;
}

/* Everything but the records of quick contacts that go on, of which it finds the work. Records that others leave are
 * put into set->next_records, with the place that each had (-1: none) in its `order`; places that become free into its
 * `vacant`, `*freed` of them. set->new_order: a place, or ~index of a record left. */
static bool commit_changes(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                           const fnd_frame *frames, const fnd_passage *passage, fnd_contact_list *now,
                           fnd_event_list *events, fnd_commit_change *change, int *freed)
{
    position at = at_begin(passage);
    fnd_pair_sum sum = {0};
    story s;
    fnd_record_list *left = &set->next_records;
    *freed = 0;
    for (;;) {
        if (goes_on(set, passage, now, &at)) {
            const double work = work_of(passage, &at, &now->items[at.now]);
            change->work += work;
            set->works[at.now] = work;
            set->new_order[at.now++] = set->records.order[at.record++];
            for (int l = 0; l < passage->count; l++) at.list[l]++;
            continue;
        }
        if (!read_story(set, passage, now, &at, &s)) return true;
        const int before = left->count, place = s.old ? s.old_index : -1;
        if (!commit_whole_story(env, set, model, frames, passage, &s, &sum, events, change)) return false;
        const bool kept = left->count > before;
        if (place >= 0 && !(kept && s.old)) left->vacant[(*freed)++] = place;
        if (!kept) continue;
        left->order[before] = s.old ? place : -1;
        set->new_order[at.now - 1] = ~before;
    }
}

/* A quick candidate's record is there now, or no more. */
static void tell_candidate(fnd_contact_set *set, const fnd_key *key, int place)
{
    int low = 0, high = set->candidate_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const fnd_candidate *c = &set->candidates[middle];
        if (c->a < key->a || (c->a == key->a && c->b < key->b)) low = middle + 1;
        else high = middle;
    }
    if (low == set->candidate_count) return;
    fnd_candidate *pair = &set->candidates[low];
    if (pair->quick && pair->a == key->a && pair->b == key->b) pair->record = place;
}

/* The records that changes left go to their places. There is room. */
static void place_changes(fnd_contact_set *set, fnd_contact_list *now, int freed)
{
    fnd_record_list *records = &set->records, *left = &set->next_records;
    int vacant = records->used - records->count;
    for (int i = 0; i < freed; i++) {
        const int place = left->vacant[i];
        tell_candidate(set, &records->items[place].key, -1);
        records->vacant[vacant++] = place;
    }
    for (int i = 0; left->count > 0 && i < now->count; i++) {
        if (set->new_order[i] >= 0) continue;
        const int index = ~set->new_order[i];
        int place = left->order[index];
        if (place < 0) {
            place = vacant > 0 ? records->vacant[--vacant] : records->used++;
            tell_candidate(set, &left->items[index].key, place);
        }
        records->items[place] = left->items[index];
        memcpy(fnd_record_memory(records, place), fnd_record_memory(left, index), records->stride);
        set->new_order[i] = ~place; /* still: not one of those that go on */
        now->items[i].record = place;
    }
}

enum { AHEAD = 6 }; /* contacts: so much earlier records are asked for from memory */

/* The records of those that go on, in place. */
static void commit_rest(fnd_contact_set *set, const fnd_contact_model *model, const fnd_passage *passage,
                        fnd_contact_list *now)
{
    fnd_record_list *records = &set->records;
    position at = at_begin(passage);
    const fnd_contact *rows[FND_PASSAGE_CAPACITY];
    for (int i = 0; i < now->count; i++) {
        const int place = set->new_order[i];
        if (place < 0) {
            set->new_order[i] = ~place;
            continue;
        }
        const int soon = i + AHEAD < now->count ? set->new_order[i + AHEAD] : -1;
        if (soon >= 0) {
            FND_SOON(&records->items[soon]);
            FND_SOON((const char *)&records->items[soon] + 128);
        }
        for (int l = 0; l < passage->count; l++) {
            const fnd_contact *items = passage->lists[l]->items;
            while (items[at.list[l]].record != place || !fnd_same_key(&items[at.list[l]].key, &now->items[i].key))
                at.list[l]++;
            rows[l] = &items[at.list[l]++];
        }
        fnd_quick_commit(&records->items[place], &model->types[now->items[i].type], fnd_record_memory(records, place),
                         passage, rows, &now->items[i], set->works[i]);
    }
    int *order = records->order, capacity = records->order_capacity;
    records->order = set->new_order;
    records->order_capacity = set->new_order_capacity;
    records->count = now->count; /* every contact that is there now has a record, and no other */
    set->new_order = order;
    set->new_order_capacity = capacity;
}

static bool commit_in_place(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                            const fnd_frame *frames, const fnd_passage *passage, fnd_contact_list *now,
                            fnd_event_list *events, fnd_commit_change *change)
{
    fnd_record_list *records = &set->records, *left = &set->next_records;
    int freed, added = 0;
    if (!fnd_contact_set_reserve_commit(env, set, now->count) || !fnd_record_list_reserve(env, left, records->count) ||
        !commit_changes(env, set, model, frames, passage, now, events, change, &freed))
        return false;
    for (int i = 0; i < left->count; i++) added += left->order[i] < 0;
    const int vacant = records->used - records->count + freed;
    if (!fnd_record_list_reserve(env, records, records->used + (added > vacant ? added - vacant : 0)) ||
        !fnd_contact_set_reserve_commit(env, set, now->count))
        return false;
    place_changes(set, now, freed);
    commit_rest(set, model, passage, now);
    return true;
}

bool fnd_contacts_commit(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                         const fnd_frame *frames, const fnd_passage *passage, fnd_contact_list *now,
                         fnd_event_list *events, fnd_commit_change *change)
{
    sum_loads(model, passage);
    fnd_event_list before = *events;
    set->next_records.count = 0;
    const bool in_place = now->quick_count > 0 && set->matched && set->state_stride == 0 && passage->count > 0 &&
                          !passage->located && !passage->look;
    if (!(in_place ? commit_in_place(env, set, model, frames, passage, now, events, change)
                   : commit_anew(env, set, model, frames, passage, now, events, change))) {
        fnd_event_rewind(events, &before); /* nothing has changed */
        return false;
    }
    for (int i = 0; i < model->body_count; i++) set->since[i] = frames[i].q;
    return true;
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
            stored = fnd_contact_stored_energy(type, memory, fnd_memory_states(type, memory), c);
        record->stored_at_start += stored - record->stored;
        record->stored = stored;
        fnd_pair_sum_add(&sum, record, &before, NULL);
    }
}
