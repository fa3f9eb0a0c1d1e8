/* What the laws of a contact say at one state: force, power, stored energy, rates of their states. */
#include "contact/contact_set.h"

#include "contact/contact_surface.h"
#include <string.h>

/* Of the power by slip and spin the bodies get what they move by themselves; the rest is the drives' work. */
static void book_drive(fnd_contact *c, const fender_contact_output *out)
{
    double power = out->force.x * c->drive.x + out->force.y * c->drive.y + fender_vec3_dot(out->torque, c->drive_spin);
    c->power -= power;
    c->supplied_power -= power;
}

static const double *slot_states(const fnd_slot *slot, const double *states)
{
    return slot->law->state_count > 0 ? states + slot->state_offset : NULL;
}

/* What acts at a point of a patch is its part of what the law says for the whole. */
static void weigh(fender_contact_output *out, double weight)
{
    out->force = fender_vec3_scale(weight, out->force);
    out->torque = fender_vec3_scale(weight, out->torque);
    out->damping_power *= weight;
    out->friction_power *= weight;
    out->supplied_power *= weight;
}

/* The laws' depth changes `gain` times as fast as the way along the normal: a force along the depth is worth that much
 * along the normal, and what a whole law makes of it across goes with it. Power stays what it was. */
static void lean(const fnd_contact_type *type, double gain, fender_contact_output *out)
{
    out->force.z *= gain;
    if (!type->whole) return;
    out->force.x *= gain;
    out->force.y *= gain;
    out->torque = fender_vec3_scale(gain, out->torque);
    out->friction_power *= gain;
}

/* Of the forces from outside a law sees its own part: a whole law all. */
static void show_provided(const fnd_contact_type *type, const fnd_slot *slot, fender_contact_input *in)
{
    if (!type->is_provided || type->whole) return;
    if (slot != &type->friction) in->provided_friction = (fender_vec2){0, 0};
    if (slot != &type->primary) in->provided_normal = 0;
}

void fnd_contact_force(const fnd_contact_type *type, const unsigned char *memory, const double *states, fnd_contact *c)
{
    fender_contact_output out = {{0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0};
    /* single numbers: a copy of a whole would wait for its parts, which were just written */
    double provided_normal = c->in.provided_normal;
    fender_vec2 provided_friction = c->in.provided_friction;
    c->in.normal_force = 0;
    c->in.states = slot_states(&type->primary, states);
    show_provided(type, &type->primary, &c->in);
    type->primary.law->force(type->primary.parameters, &c->in, memory, &out);
    if (c->gain != 1) lean(type, c->gain, &out);
    for (int i = FND_SLOT_FRICTION; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        fender_contact_output friction;
        if (!slot->law) continue;
        memset(&friction, 0, sizeof friction);
        c->in.normal_force = out.force.z;
        c->in.states = slot_states(slot, states);
        c->in.provided_friction = provided_friction;
        show_provided(type, slot, &c->in);
        slot->law->force(slot->parameters, &c->in, memory + slot->memory_offset, &friction);
        if (i == FND_SLOT_FRICTION) {
            out.force.x += friction.force.x;
            out.force.y += friction.force.y;
        }
        out.torque = fender_vec3_add(out.torque, friction.torque);
        out.friction_power += friction.friction_power + friction.damping_power;
        out.supplied_power += friction.supplied_power;
        if (type->mode_slot == i) out.mode = friction.mode;
    }
    c->in.states = NULL; /* they belong to this call */
    c->in.provided_normal = provided_normal;
    c->in.provided_friction = provided_friction;
    if (c->in.weight != 1) weigh(&out, c->in.weight);
    fender_vec3 y = fender_vec3_cross(c->normal, c->tangent);
    c->force_C = fender_vec3_make(out.force.x, out.force.y, out.force.z);
    c->force = fender_vec3_add(
        fender_vec3_add(fender_vec3_scale(out.force.x, c->tangent), fender_vec3_scale(out.force.y, y)),
        fender_vec3_scale(out.force.z, c->normal));
    bool turns = out.torque.x != 0 || out.torque.y != 0 || out.torque.z != 0; /* few laws do */
    c->torque = fender_vec3_make(out.torque.x, out.torque.y, out.torque.z);
    if (turns)
        c->torque = fender_vec3_add(
            fender_vec3_add(fender_vec3_scale(out.torque.x, c->tangent), fender_vec3_scale(out.torque.y, y)),
            fender_vec3_scale(out.torque.z, c->normal));
    c->damping_power = out.damping_power;
    c->friction_power = out.friction_power;
    c->supplied_power = out.supplied_power;
    c->strength = fender_vec3_length(c->force);
    double rate = c->gain != 1 ? c->in.depth_rate / c->gain : c->in.depth_rate; /* along the normal */
    c->power = out.force.x * c->in.slip.x + out.force.y * c->in.slip.y - out.force.z * rate;
    if (turns) c->power += fender_vec3_dot(out.torque, c->in.spin);
    if (c->driven) book_drive(c, &out);
    c->mode = out.mode;
}

void fnd_slot_input_adapt(const fnd_contact_type *type, const fnd_slot *slot, const double *states,
                          fender_contact_input *in)
{
    if (slot == &type->primary) in->normal_force = 0; /* its own answer, not its input */
    show_provided(type, slot, in);
    in->states = slot_states(slot, states);
}

fender_contact_input fnd_slot_input(const fnd_contact_type *type, const fnd_slot *slot, const fender_contact_input *in,
                                    const double *states)
{
    fender_contact_input own = *in;
    fnd_slot_input_adapt(type, slot, states, &own);
    return own;
}

double fnd_slot_stored_energy(const fnd_contact_type *type, const fnd_slot *slot, const unsigned char *memory,
                              const double *states, const fender_contact_input *in)
{
    if (!slot->law || !slot->law->stored_energy) return 0;
    memory += slot->memory_offset;
    bool as_is = !type->is_provided && slot->law->state_count == 0 && !in->states &&
                 (slot != &type->primary || in->normal_force == 0);
    if (as_is) return in->weight * slot->law->stored_energy(slot->parameters, in, memory);
    fender_contact_input own = fnd_slot_input(type, slot, in, states);
    return in->weight * slot->law->stored_energy(slot->parameters, &own, memory);
}

double fnd_contact_stored_energy(const fnd_contact_type *type, const unsigned char *memory, const double *states,
                                 const fnd_contact *c)
{
    if (c->key.feature == FENDER_FEATURE_PAIR) return 0; /* its laws were never established: others act */
    double sum = fnd_slot_stored_energy(type, &type->primary, memory, states, &c->in);
    for (int i = FND_SLOT_FRICTION; i < type->slot_count; i++)
        sum += fnd_slot_stored_energy(type, &type->slots[i], memory, states, &c->in);
    return sum;
}

void fnd_contact_establish(const fnd_contact_type *type, const fnd_contact *contact, unsigned char *memory)
{
    const fender_contact_input *in = &contact->in;
    if (type->memory_size > 0) memset(memory, 0, type->memory_size);
    double *states = fnd_memory_states(type, memory);
    for (int i = 0; i < type->state_count; i++) states[i] = 0;
    fender_contact_input own = fnd_slot_input(type, &type->primary, in, states);
    if (type->primary.law->establish) type->primary.law->establish(type->primary.parameters, &own, memory);
    for (int i = FND_SLOT_FRICTION; i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        if (!slot->law || !slot->law->establish) continue;
        fender_contact_output out;
        memset(&out, 0, sizeof out);
        own = fnd_slot_input(type, &type->primary, in, states);
        type->primary.law->force(type->primary.parameters, &own, memory, &out);
        own = fnd_slot_input(type, slot, in, states);
        own.normal_force = contact->gain * out.force.z;
        slot->law->establish(slot->parameters, &own, memory + slot->memory_offset);
    }
}

static void slot_rates(const fnd_contact_type *type, const fnd_slot *slot, const unsigned char *memory,
                       const fender_contact_input *in, const double *states, double *rates)
{
    if (!slot->law || slot->law->state_count == 0) return;
    fender_contact_input own = fnd_slot_input(type, slot, in, states);
    slot->law->state_rates(slot->parameters, &own, memory + slot->memory_offset, rates + slot->state_offset);
}

void fnd_contact_state_rates(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_contact_list *found,
                             const fnd_frame *frames, const double *states, double *rates)
{
    int stride = set->state_stride;
    for (int i = 0; i < stride * set->records.count; i++) rates[i] = 0;
    if (stride == 0) return;
    for (int i = 0; i < found->count; i++) {
        const fnd_contact *c = &found->items[i];
        const fnd_contact_type *type = &model->types[c->type];
        if (c->key.feature == FENDER_FEATURE_PAIR) continue; /* it stands for others, at accepted states alone */
        if (c->record < 0 || type->state_count == 0 || set->records.items[c->record].suppressed) continue;
        const unsigned char *memory = fnd_record_memory(&set->records, c->record);
        ptrdiff_t at = (ptrdiff_t)c->record * stride;
        fnd_contact moved;
        if (frames) {
            moved = *c;
            const fnd_frame *frame_a = &frames[model->shapes[c->key.a].root],
                            *frame_b = &frames[model->shapes[c->key.b].root];
            fnd_contact_move(model, frame_a, frame_b, &moved);
            c = &moved;
        }
        for (int k = 0; k < type->slot_count; k++)
            slot_rates(type, &type->slots[k], memory, &c->in, states + at, rates + at);
    }
}

void fnd_contact_states_pack(const fnd_contact_set *set, const fnd_contact_model *model, double *states)
{
    int stride = set->state_stride;
    for (int i = 0; stride > 0 && i < set->records.count; i++) { /* their places are in order */
        const fnd_contact_type *type = &model->types[set->records.items[i].type];
        const double *own = fnd_memory_states(type, fnd_record_memory(&set->records, i));
        for (int k = 0; k < stride; k++) *states++ = k < type->state_count ? own[k] : 0;
    }
}
