/* What an accepted step does to the laws of a contact: update, end, and the energy that they hold or give up. */
#include "base/memory.h"
#include "contact/commit.h"
#include <string.h>

void fnd_laws_terminate(const fnd_contact_type *type, const fender_contact_input *last, unsigned char *memory)
{
    for (int i = 0; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        if (!slot->law || !slot->law->terminate) continue;
        fender_contact_input own = fnd_slot_input(type, slot, last, fnd_memory_states(type, memory));
        slot->law->terminate(slot->parameters, &own, memory + slot->memory_offset);
    }
}

bool fnd_laws_listen(const fnd_contact_type *type)
{
    for (int i = 0; i < type->slot_count; i++)
        if (type->slots[i].law && type->slots[i].law->update) return true;
    return false;
}

/* Notes what a law wants of the two bodies. False: no memory. */
static bool note_request(fnd_commit *c, const fnd_contact *now, const fender_contact_change *change)
{
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

bool fnd_laws_update(fnd_commit *c, const fnd_contact_type *type, const fnd_contact *now, unsigned char *memory,
                     bool *terminated)
{
    const double time = c->passage->end_time;
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
        if (change.event != 0) {
            fender_event event = fnd_contact_event(FENDER_EVENT_LAW, &now->key, time, now->in.depth_rate);
            event.code = change.event;
            if (!fnd_event_add(c->env, c->events, event)) return false;
        }
        bool asks = change.disconnect || change.connect.kind != FENDER_CONNECTION_NONE;
        if (asks && type->connects && !note_request(c, now, &change)) return false;
        if (change.terminate) *terminated = true;
    }
    return true;
}

double fnd_slot_energy(const fnd_contact_type *type, const fnd_slot *slot, unsigned char *memory,
                       const fender_contact_input *in)
{
    return fnd_slot_stored_energy(type, slot, memory, fnd_memory_states(type, memory), in);
}

fnd_given_up fnd_stored_in(const fnd_contact_type *type, unsigned char *memory, const fender_contact_input *in)
{
    fnd_given_up stored = {fnd_slot_energy(type, &type->primary, memory, in), 0};
    for (int i = FND_SLOT_FRICTION; i < type->slot_count; i++)
        stored.friction += fnd_slot_energy(type, &type->slots[i], memory, in);
    return stored;
}

void fnd_give_up(fnd_record *record, fnd_given_up *sum, double damping, double friction)
{
    record->damping_loss += damping;
    record->friction_loss += friction;
    sum->damping += damping;
    sum->friction += friction;
}

#define WEIGHT_GRAIN 1e-12 /* changes of a weight below this part of it are rounding */

/* What a slot stores when its states are these; they are. */
static double energy_with(const fnd_contact_type *type, const fnd_slot *slot, unsigned char *memory,
                          const fender_contact_input *in, const double *states)
{
    memcpy(fnd_memory_states(type, memory) + slot->state_offset, states,
           (size_t)slot->law->state_count * sizeof *states);
    return fnd_slot_energy(type, slot, memory, in);
}

/* Stretches taken on with the area would be energy from nowhere: while the states stayed as they are, what they store,
 * w E(s), has got or lost the integral of E dw over the step (by the trapezoidal rule here) without work; now they are
 * others, r s with r = old weight / new if the area has grown. The difference is lost in friction; what one touch of a
 * ball hands to another it loses, and the other gains as much. */
fnd_given_up fnd_share_states(const fnd_commit *c, const fnd_contact_type *type, unsigned char *memory,
                              unsigned char *room, const fnd_story *s, fnd_given_up stored, fnd_record *record)
{
    double before = s->from ? s->from->in.weight : 0, weight = s->now->in.weight;
    if (type->state_count == 0 || !(weight > 0) || fabs(weight - before) <= WEIGHT_GRAIN * weight) return stored;
    static const double none[FENDER_LAW_STATE_CAPACITY];
    const fnd_record_list *records = &c->set->records;
    const bool grows = weight > before;
    const double part = before / weight, handed = grows && s->pool ? s->pool->part * (1 - part) : 0;
    double losses[2] = {0, 0};
    for (int i = 0; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        if (!slot->law || slot->law->state_count == 0) continue;
        const int count = slot->law->state_count;
        double kept[FENDER_LAW_STATE_CAPACITY], shared[FENDER_LAW_STATE_CAPACITY], then = 0;
        memcpy(kept, fnd_memory_states(type, memory) + slot->state_offset, (size_t)count * sizeof *kept);
        for (int k = 0; k < count; k++) {
            shared[k] = grows ? part * kept[k] : kept[k];
            if (handed > 0) shared[k] += handed * s->pool->states[slot->state_offset + k];
        }
        const double rest = energy_with(type, slot, memory, &s->now->in, none);
        const double now = energy_with(type, slot, memory, &s->now->in, kept);
        if (before > 0) {
            memcpy(room, fnd_record_memory(records, s->old_index), records->stride);
            const double all = fnd_slot_energy(type, slot, room, &s->from->in);
            then = (all - energy_with(type, slot, room, &s->from->in, none)) / before;
        }
        const double supplied = 0.5 * (then + (now - rest) / weight) * (weight - before);
        const double gone = now - energy_with(type, slot, memory, &s->now->in, shared);
        *(i == FND_SLOT_PRIMARY ? &stored.damping : &stored.friction) -= gone;
        losses[i == FND_SLOT_PRIMARY ? 0 : 1] += gone - supplied;
    }
    fnd_give_up(record, &c->change->given_up, losses[0], losses[1]);
    return stored;
}
