/* The laws of contact types on links: along the line (contact_law); friction of a guide or a hinge (friction). Their
 * memory and continuous states are those of the link. */
#include "base/error.h"
#include "dynamics/link.h"
#include "math/rotation.h"
#include <assert.h>
#include <string.h>

static const fnd_contact_type *type_of(const fnd_link *link, const fnd_contact_model *model)
{
    return &model->types[link->use];
}

static bool is_friction(const fnd_link *link) { return link->law == FENDER_LINK_FRICTION; }

/* Friction does not ask the normal law for a force of its own: that only presses. */
static int first_slot(const fnd_link *link) { return is_friction(link) ? FND_SLOT_FRICTION : FND_SLOT_PRIMARY; }

/* Depth of the points for the law, and its rate. */
static double sense_of(const fender_link_contact_law *p) { return p->acts == FENDER_LINK_PULL ? 1 : -1; }
static double depth_of(const fender_link_contact_law *p, const fnd_link_value *v)
{
    return sense_of(p) * (v->length - v->free_length);
}

/* ---- Input ---- */

/* Both surfaces of friction: flat against a sphere of that radius. */
static void fill_surface(double radius, fender_contact_surface *s)
{
    memset(s, 0, sizeof *s);
    s->a.direction = s->b.direction = s->relative.direction = (fender_vec2){1, 0};
    s->b.first = s->b.second = s->relative.first = s->relative.second = 1 / radius;
    s->radius = radius;
    s->R_CA = s->R_CB = fender_mat3_diagonal(1, 1, 1);
}

/* Of its laws, from a value whose kinematics are known; `surface` is room for what they may ask for. */
static void fill_input(const fnd_link *link, const fnd_link_value *v, fender_contact_surface *surface,
                       fender_contact_input *in)
{
    memset(in, 0, sizeof *in);
    in->time = v->time;
    in->weight = 1;
    in->located = v->located;
    if (is_friction(link)) {
        const fender_link_friction *p = link->parameters;
        in->depth = p->depth;
        in->slip.x = v->slip;
        in->spin.z = v->spin;
        if (isinf(p->radius)) return;
        fill_surface(p->radius, surface);
        in->surface = surface;
        return;
    }
    const fender_link_contact_law *p = link->parameters;
    in->depth = depth_of(p, v);
    in->depth_rate = sense_of(p) * (v->rate - v->free_rate);
    in->approach_speed = link->memory.begun ? link->memory.approach_speed : in->depth_rate > 0 ? in->depth_rate : 0;
}

/* N; that friction is pressed with: given, or that of the normal law at rest at the given depth. */
static double load_of(const fnd_link *link, const fnd_contact_type *type, const unsigned char *memory,
                      const fender_contact_input *in)
{
    const fender_link_friction *p = link->parameters;
    if (!isinf(p->load)) return p->load;
    fender_contact_input own = *in;
    fender_contact_output out;
    memset(&out, 0, sizeof out);
    own.slip = (fender_vec2){0, 0};
    own.spin = (fender_vec3){0, 0, 0};
    own.normal_force = 0;
    type->primary.law->force(type->primary.parameters, &own, memory, &out);
    return out.force.z;
}

/* ---- The laws ---- */

/* Of all that act, with these states. `in` receives the normal force. */
static void laws_say(const fnd_link *link, const fnd_contact_type *type, const unsigned char *memory,
                     const double *states, fender_contact_input *in, fender_contact_output *out)
{
    memset(out, 0, sizeof *out);
    in->normal_force = is_friction(link) ? load_of(link, type, memory, in) : 0;
    for (int k = first_slot(link); k < type->slot_count; k++) {
        const fnd_slot *slot = &type->slots[k];
        if (!slot->law) continue;
        fender_contact_output one;
        memset(&one, 0, sizeof one);
        const fender_contact_input own = fnd_slot_input(type, slot, in, states);
        slot->law->force(slot->parameters, &own, memory + slot->memory_offset, &one);
        if (k != FND_SLOT_TWISTING) out->force = fender_vec3_add(out->force, one.force);
        out->torque = fender_vec3_add(out->torque, one.torque);
        out->damping_power += one.damping_power;
        out->friction_power += one.friction_power;
        out->supplied_power += one.supplied_power;
        if (k == type->mode_slot) out->mode = one.mode;
    }
}

static double stored_in(const fnd_link *link, const fnd_contact_type *type, const unsigned char *memory,
                        const double *states, const fender_contact_input *in)
{
    double sum = 0;
    for (int k = first_slot(link); k < type->slot_count; k++)
        sum += fnd_slot_stored_energy(type, &type->slots[k], memory, states, in, 0);
    return sum;
}

static void laws_begin(const fnd_link *link, const fnd_contact_type *type, const fender_contact_input *in,
                       fnd_link_law_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    fender_contact_input own = *in;
    const double *states = fnd_memory_states(type, memory->bytes);
    for (int k = FND_SLOT_PRIMARY; k < type->slot_count; k++) {
        const fnd_slot *slot = &type->slots[k];
        if (!slot->law || !slot->law->begin) continue;
        own.normal_force = k == FND_SLOT_PRIMARY ? 0 : load_of(link, type, memory->bytes, in);
        const fender_contact_input seen = fnd_slot_input(type, slot, &own, states);
        slot->law->begin(slot->parameters, &seen, memory->bytes + slot->memory_offset);
    }
}

static void laws_end(const fnd_link *link, const fnd_contact_type *type, const fender_contact_input *in,
                     fnd_link_law_memory *memory)
{
    for (int k = first_slot(link); k < type->slot_count; k++) {
        const fnd_slot *slot = &type->slots[k];
        if (!slot->law || !slot->law->end) continue;
        const fender_contact_input own = fnd_slot_input(type, slot, in, fnd_memory_states(type, memory->bytes));
        slot->law->end(slot->parameters, &own, memory->bytes + slot->memory_offset);
    }
}

/* At an accepted state. True if a law ends the contact. */
static bool laws_update(const fnd_link *link, const fnd_contact_type *type, const fender_contact_input *in,
                        const fender_contact_output *out, fnd_link_law_memory *memory, int *event)
{
    bool ends = false;
    double *states = fnd_memory_states(type, memory->bytes);
    for (int k = first_slot(link); k < type->slot_count; k++) {
        const fnd_slot *slot = &type->slots[k];
        if (!slot->law || !slot->law->update) continue;
        fender_contact_change change;
        memset(&change, 0, sizeof change);
        if (slot->law->state_count > 0) change.states = states + slot->state_offset;
        const fender_contact_input own = fnd_slot_input(type, slot, in, states);
        slot->law->update(slot->parameters, &own, out, memory->bytes + slot->memory_offset, &change);
        if (change.event != 0) *event = change.event;
        ends |= change.end;
    }
    return ends;
}

/* ---- Evaluation ---- */

/* True if the law acts at this depth. */
static bool reaches(const fnd_link *link, const fnd_contact_type *type, double depth)
{
    return is_friction(link) || depth > (link->memory.begun ? -type->release_gap : -type->onset_gap);
}

/* The memory of the laws, as if they began at this state where they have not yet. */
static const unsigned char *memory_of(const fnd_link *link, const fnd_contact_type *type,
                                      const fender_contact_input *in, fnd_link_law_memory *room)
{
    if (link->memory.begun) return link->memory.law.bytes;
    laws_begin(link, type, in, room);
    return room->bytes;
}

/* At the trial state, or at the accepted one. States of a contact that begins within the step are 0 until its end. */
static const double *states_of(const fnd_link *link, const fnd_contact_type *type, const unsigned char *memory,
                               const double *states)
{
    if (states && (link->memory.begun || is_friction(link))) return states;
    return (const double *)(const void *)(memory + type->memory_size);
}

void fnd_link_contact_evaluate(const fnd_link *link, const fnd_contact_model *model, fender_vec3 along,
                               fnd_regime regime, const double *states, fnd_link_value *v)
{
    assert(link->law == FENDER_LINK_CONTACT_LAW);
    const fender_link_contact_law *p = link->parameters;
    const fnd_contact_type *type = type_of(link, model);
    fender_contact_surface surface;
    fender_contact_input in;
    fender_contact_output out;
    fnd_link_law_memory room;
    fill_input(link, v, &surface, &in);
    v->depth = in.depth;
    bool asked = regime == FND_REGIME_FROZEN ? link->memory.begun : reaches(link, type, in.depth);
    if (!asked || link->memory.ended) return;
    const unsigned char *memory = memory_of(link, type, &in, &room);
    states = states_of(link, type, memory, states);
    laws_say(link, type, memory, states, &in, &out);
    v->mode = FND_LINK_LOADED;
    v->law_mode = out.mode;
    v->force = -sense_of(p) * out.force.z;
    v->stored_energy = stored_in(link, type, memory, states, &in);
    v->damping_power = out.damping_power + out.friction_power;
    v->supplied_power = out.supplied_power;
    v->motor_power = v->force * v->free_rate;
    v->force_on_b = fender_vec3_scale(v->force, along);
}

/* Direction, slip and spin of friction; the force acts on both bodies at one point. */
static fender_vec3 slide_of(const fender_link_friction *p, const fnd_link_end *a, const fnd_link_end *b,
                            fender_vec3 apart, fender_vec3 along, fnd_link_value *v)
{
    if (p->motion == FENDER_FRICTION_LINE) {
        v->slip = v->rate;
        return along;
    }
    const fender_vec3 axis = fender_quaternion_rotate(fnd_link_end_attitude(a), fender_vec3_make(1, 0, 0));
    const fender_vec3 lever = fender_vec3_add(a->lever, apart);
    const fender_vec3 carried = fender_vec3_add(a->frame->v, fender_vec3_cross(a->frame->w, lever));
    v->lever_a = lever;
    if (!v->acting) return axis; /* rigidly joined */
    if (p->motion == FENDER_FRICTION_HINGE) {
        v->spin = fender_vec3_dot(axis, fender_vec3_sub(b->frame->w, a->frame->w));
        v->slip = p->arm * v->spin;
    } else {
        v->slip = fender_vec3_dot(axis, fender_vec3_sub(b->velocity, carried));
    }
    return axis;
}

void fnd_link_friction_evaluate(const fnd_link *link, const fnd_contact_model *model, const fnd_link_end *a,
                                const fnd_link_end *b, fender_vec3 apart, fender_vec3 along, const double *states,
                                fnd_link_value *v)
{
    assert(link->law == FENDER_LINK_FRICTION);
    const fender_link_friction *p = link->parameters;
    const fnd_contact_type *type = type_of(link, model);
    const fender_vec3 axis = slide_of(p, a, b, apart, along, v);
    fender_contact_surface surface;
    fender_contact_input in;
    fender_contact_output out;
    fnd_link_law_memory room;
    v->depth = p->depth;
    if (link->memory.ended) return;
    fill_input(link, v, &surface, &in);
    const unsigned char *memory = memory_of(link, type, &in, &room);
    states = states_of(link, type, memory, states);
    laws_say(link, type, memory, states, &in, &out);
    v->mode = FND_LINK_LOADED;
    v->law_mode = out.mode;
    v->load = in.normal_force;
    v->force = out.force.x;
    v->stored_energy = stored_in(link, type, memory, states, &in);
    v->damping_power = out.damping_power + out.friction_power;
    v->supplied_power = out.supplied_power;
    const fnd_slot *slot = &type->friction;
    if (slot->law && slot->law->stretch) {
        const fender_contact_input own = fnd_slot_input(type, slot, &in, states);
        v->stretch = slot->law->stretch(slot->parameters, &own, memory + slot->memory_offset).x;
    }
    if (p->motion == FENDER_FRICTION_HINGE)
        v->torque_on_b = fender_vec3_scale(p->arm * out.force.x + out.torque.z, axis);
    else v->force_on_b = fender_vec3_scale(out.force.x, axis);
}

void fnd_link_contact_rates(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v,
                            const double *states, double *rates)
{
    const fnd_contact_type *type = type_of(link, model);
    for (int i = 0; i < type->state_count; i++) rates[i] = 0;
    if (!v->acting || v->mode != FND_LINK_LOADED || !(link->memory.begun || is_friction(link))) return;
    fender_contact_surface surface;
    fender_contact_input in;
    fnd_link_law_memory room;
    fill_input(link, v, &surface, &in);
    const unsigned char *memory = memory_of(link, type, &in, &room);
    if (is_friction(link)) in.normal_force = load_of(link, type, memory, &in);
    for (int k = first_slot(link); k < type->slot_count; k++) {
        const fnd_slot *slot = &type->slots[k];
        if (!slot->law || slot->law->state_count == 0) continue;
        const fender_contact_input own = fnd_slot_input(type, slot, &in, states);
        slot->law->state_rates(slot->parameters, &own, memory + slot->memory_offset, rates + slot->state_offset);
    }
}

int fnd_link_contact_roots(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v,
                           const double *states, double grain, fnd_link_root *roots)
{
    enum { TOUCH, PART, LAW, LIMIT = LAW + FND_SLOT_COUNT * FENDER_LAW_ROOT_CAPACITY };
    const fnd_contact_type *type = type_of(link, model);
    fender_contact_surface surface;
    fender_contact_input in;
    int count = 0;
    if (link->memory.ended) return 0;
    fill_input(link, v, &surface, &in);
    if (!is_friction(link)) {
        if (!link->memory.begun) {
            roots[0] = (fnd_link_root){TOUCH, -(v->depth + type->onset_gap) + grain, -in.depth_rate};
            return 1;
        }
        roots[count++] = (fnd_link_root){PART, v->depth + type->release_gap + grain, in.depth_rate};
    }
    if (link->memory.begun) {
        const unsigned char *memory = link->memory.law.bytes;
        states = states_of(link, type, memory, states);
        if (is_friction(link)) in.normal_force = load_of(link, type, memory, &in);
        for (int k = first_slot(link); k < type->slot_count; k++) {
            const fnd_slot *slot = &type->slots[k];
            double values[FENDER_LAW_ROOT_CAPACITY];
            if (!slot->law || !slot->law->roots) continue;
            const fender_contact_input own = fnd_slot_input(type, slot, &in, states);
            slot->law->roots(slot->parameters, &own, memory + slot->memory_offset, values);
            for (int i = 0; i < slot->law->root_count; i++)
                roots[count++] = (fnd_link_root){LAW + k * FENDER_LAW_ROOT_CAPACITY + i, values[i], NAN};
        }
    }
    if (is_friction(link)) return count;
    const fender_link_contact_law *p = link->parameters;
    return fnd_link_add_limit(count, LIMIT, p->limit, fabs(v->force), (double)INFINITY, roots);
}

fnd_link_fate fnd_link_contact_judge(const fnd_link *link, const fnd_link_value *v)
{
    const fender_link_contact_law *p = link->parameters;
    return !is_friction(link) && fabs(v->force) > p->limit ? FND_LINK_BREAKS : FND_LINK_GOES_ON;
}

/* ---- Accepted states ---- */

/* The states that the step has led to. */
static void take_states(const fnd_link *link, const fnd_contact_type *type, const double *states,
                        fnd_link_memory *memory)
{
    if (!states || !(memory->begun || is_friction(link))) return;
    memcpy(fnd_memory_states(type, memory->law.bytes), states, (size_t)type->state_count * sizeof *states);
}

/* What the accepted state makes of the memory; the event of the law. The law is told of its end when it is `final`. */
static void go_through(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v,
                       const double *states, bool final, fnd_link_memory *memory, int *event, double *given_up)
{
    const fnd_contact_type *type = type_of(link, model);
    bool within = reaches(link, type, v->depth);
    fender_contact_surface surface;
    fender_contact_input in;
    fill_input(link, v, &surface, &in);
    if (!within) {
        if (memory->begun) {
            /* energy of a law that attracts across a gap is lost at its end */
            if (in.depth < -type->release_gap) in.depth = -type->release_gap;
            const double *held = fnd_memory_states(type, memory->law.bytes);
            if (type->release_gap > 0 || type->state_count > 0)
                *given_up = stored_in(link, type, memory->law.bytes, held, &in);
            if (final) laws_end(link, type, &in, &memory->law);
        }
        memory->begun = memory->ended = false;
        memset(&memory->law, 0, sizeof memory->law);
        return;
    }
    if (memory->ended) return;
    if (!memory->begun) {
        memory->begun = true;
        memory->approach_speed = in.approach_speed;
        laws_begin(link, type, &in, &memory->law);
        if (is_friction(link)) take_states(link, type, states, memory);
    }
    const double *held = fnd_memory_states(type, memory->law.bytes);
    fender_contact_output out;
    laws_say(link, type, memory->law.bytes, held, &in, &out);
    const double before = stored_in(link, type, memory->law.bytes, held, &in);
    const bool ends = laws_update(link, type, &in, &out, &memory->law, event);
    *given_up = before - (ends ? 0 : stored_in(link, type, memory->law.bytes, held, &in));
    if (!ends) return;
    if (final) laws_end(link, type, &in, &memory->law);
    memory->begun = false;
    memory->ended = true; /* until the points have been out of reach; friction: until it is switched on again */
    memset(&memory->law, 0, sizeof memory->law);
}

int fnd_link_contact_event(const fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v,
                           const double *states)
{
    int event = 0;
    double given_up = 0;
    fnd_link_memory memory = link->memory; /* nothing is kept of it */
    if (!v->alive) return 0;
    take_states(link, type_of(link, model), states, &memory);
    go_through(link, model, v, states, false, &memory, &event, &given_up);
    return event;
}

bool fnd_link_contact_commit(fnd_link *link, const fnd_contact_model *model, const fnd_link_value *v,
                             const double *states, double *given_up)
{
    int event = 0;
    *given_up = 0;
    if (!v->alive) return false;
    take_states(link, type_of(link, model), states, &link->memory);
    fnd_link_memory after = link->memory;
    go_through(link, model, v, states, true, &after, &event, given_up);
    bool changed = after.begun != link->memory.begun || after.ended != link->memory.ended ||
                   after.approach_speed != link->memory.approach_speed ||
                   memcmp(&after.law, &link->memory.law, sizeof after.law) != 0;
    link->memory = after;
    return changed;
}

/* ---- Checks ---- */

/* Of every law of a contact type on a link. */
static const char *fault_of(const fnd_contact_type *type)
{
    return type->is_prescribed                            ? "a link has no prescribed forces"
           : type->connects                               ? "a link makes no connections"
           : type->memory_size > FND_LINK_MEMORY_CAPACITY ? "the laws need more memory than a link has"
                                                          : NULL;
}

static fender_status check_contact_law(const fnd_contact_type *type, fender_error *error)
{
    const char *what = type->slot_count > 1 ? "a link acts along its line: it takes no friction" : fault_of(type);
    if (!what) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, "use", what, type->name,
                    "a contact type of one law, without prescribed forces",
                    type->slot_count > 1 ? "a link `law: friction` has the friction of a contact type" : "");
}

static fender_status check_friction(const fender_link_friction *p, const fnd_contact_type *type, fender_error *error)
{
    const bool hinge = p->motion == FENDER_FRICTION_HINGE;
    const bool turns = type->twisting.law != NULL, rubs = type->friction.law != NULL;
    const char *what = type->whole                  ? "the whole law has no friction of its own that a link could take"
                       : type->rolling.law          ? "nothing rolls on a link"
                       : turns && !hinge            ? "nothing twists on this link: its motion is along a line"
                       : !rubs && !(turns && hinge) ? "the contact type has no friction"
                                                    : fault_of(type);
    if (what)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "use", what, type->name,
                        "a contact type with a normal law and a friction law (a hinge: or a twisting law)",
                        "write a contact type with `normal: {..}` and `friction: {..}`");
    if (hinge && rubs && !(p->arm > 0))
        return fnd_fail(error, FENDER_STATUS_VALUE, "arm", "friction of a hinge needs its radius", "0 m",
                        "an arm of more than 0 m", "arm: 10 mm");
    if (rubs && (type->friction.law->needs & FENDER_LAW_NEEDS_SURFACE) && !(p->depth > 0))
        return fnd_fail(error, FENDER_STATUS_VALUE, "depth", "the friction law follows from the depth of the contact",
                        type->friction.law->name, "a depth of more than 0 m, and perhaps a radius",
                        "give the depth to which the surfaces are pressed");
    return FENDER_STATUS_OK;
}

fender_status fnd_link_use_check(const fender_link_def *def, const fnd_contact_type *type, fender_error *error)
{
    return def->law == FENDER_LINK_FRICTION ? check_friction(def->parameters, type, error)
                                            : check_contact_law(type, error);
}
