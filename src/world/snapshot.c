/* Snapshots and the hash: one serializer for everything that a continuation depends on; snapshots as bytes. */
#include "world/snapshot.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "body/mass_tree.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- Bytes ---- */

/* With the records that there are now. */
static fnd_world_shape world_shape_of(const fender_world *world)
{
    fnd_world_shape s;
    memset(&s, 0, sizeof s);
    s.bodies = world->model.body_count;
    s.shapes = world->model.shape_count;
    s.types = world->model.type_count;
    s.rules = world->model.rule_count;
    s.loads = world->dynamics.load_count;
    s.method = (int)world->def.method;
    s.record_count = (size_t)world->dynamics.contacts.records.count;
    s.stride = world->dynamics.contacts.records.stride;
    s.step = world->def.step;
    s.relative_tolerance = world->def.relative_tolerance;
    s.absolute_tolerance = world->def.absolute_tolerance;
    s.event_tolerance = world->def.event_tolerance;
    s.locate_events = world->def.locate_events;
    s.names = fnd_structure_names(world);
    s.definition = fnd_structure_definition(world);
    return s;
}

static const char mark_of_snapshots[8] = {'f', 'n', 'd', 's', 'n', 'a', 'p', '\n'};
enum { BYTE_ORDER_MARK = 0x01020304, LAYOUT = 23 }; /* LAYOUT rises with every change of the walk */

static uint64_t checksum_of(const unsigned char *bytes, size_t size)
{
    fnd_snapshot_header h;
    memcpy(&h, bytes, sizeof h);
    h.checksum = 0;
    uint64_t sum = fnd_hash_bytes(FND_HASH_START, &h, sizeof h);
    return fnd_hash_bytes(sum, bytes + sizeof h, size - sizeof h);
}

/* Fills in the header of a snapshot that is otherwise complete; for others to read with its checksum. */
static void snapshot_seal(fender_snapshot *snapshot, const fender_world *world, bool checksum)
{
    fnd_snapshot_header h;
    memset(&h, 0, sizeof h);
    memcpy(h.mark, mark_of_snapshots, sizeof h.mark);
    snprintf(h.version, sizeof h.version, "%s", fender_version());
    h.order = BYTE_ORDER_MARK;
    h.layout = LAYOUT;
    h.size = snapshot->size;
    h.shape = world_shape_of(world);
    memcpy(snapshot->bytes, &h, sizeof h);
    if (!checksum) return;
    h.checksum = checksum_of(snapshot->bytes, snapshot->size);
    memcpy(snapshot->bytes, &h, sizeof h);
}

/* Room for `size` bytes, or NULL. */
static fender_snapshot *snapshot_create(const fender_env *env, size_t size, fender_error *error)
{
    fender_snapshot *snapshot = fnd_allocate(env, sizeof *snapshot);
    if (snapshot) {
        snapshot->env = *env;
        snapshot->size = size;
        snapshot->bytes = fnd_allocate(env, size);
    }
    if (snapshot && snapshot->bytes) return snapshot;
    fender_snapshot_destroy(snapshot);
    fnd_fail_memory(error, "a snapshot");
    return NULL;
}

void fender_snapshot_destroy(fender_snapshot *snapshot)
{
    if (!snapshot) return;
    fender_env env = snapshot->env;
    fnd_release(&env, snapshot->bytes, snapshot->size);
    fnd_release(&env, snapshot, sizeof *snapshot);
}

const void *fender_snapshot_bytes(const fender_snapshot *snapshot, size_t *size)
{
    if (size) *size = snapshot ? snapshot->size : 0;
    return snapshot ? snapshot->bytes : NULL;
}

/* FILE, with a remedy. */
static fender_status snapshot_damaged(fender_error *error, const char *message, const char *found, const char *expected)
{
    return fnd_fail(error, FENDER_STATUS_FILE, "snapshot", message, found, expected,
                    "take another snapshot, or start again");
}

/* ---- State ---- */

/* Operation of the serializer on each block of bytes. */
typedef enum serialize_mode { SERIALIZE_COUNT, SERIALIZE_WRITE, SERIALIZE_READ, SERIALIZE_HASH } serialize_mode;
typedef struct serializer {
    serialize_mode mode;
    unsigned char *bytes;
    size_t at, size;  /* READ: how many bytes there are */
    int record_count; /* READ: how many the header says */
    bool failed;      /* READ: the bytes do not fit */
    uint64_t hash;
} serializer;

static void visit(serializer *w, void *memory, size_t size)
{
    if (size == 0) return;
    if (w->mode == SERIALIZE_WRITE) memcpy(w->bytes + w->at, memory, size);
    if (w->mode == SERIALIZE_READ) {
        w->failed = w->failed || size > w->size - w->at;
        if (w->failed) return;
        memcpy(memory, w->bytes + w->at, size);
    }
    if (w->mode == SERIALIZE_HASH) w->hash = fnd_hash_bytes(w->hash, memory, size);
    w->at += size;
}
#define VISIT(object) visit(w, &(object), sizeof(object))

/* A bool must have one of two values for any bytes. */
static void visit_flag(serializer *w, bool *flag)
{
    unsigned char byte = *flag;
    VISIT(byte);
    if (w->mode == SERIALIZE_READ && !w->failed) *flag = byte != 0;
}
#define VISIT_FLAG(flag) visit_flag(w, &(flag))

/* Structs with padding are serialized member by member, because padding bytes are undefined. */
static void visit_record(serializer *w, fnd_record *r, const fender_world *world)
{
    VISIT(r->key.a);
    VISIT(r->key.b);
    VISIT(r->key.feature);
    VISIT(r->type);
    VISIT(r->normal);
    VISIT(r->tangent);
    if (w->mode == SERIALIZE_HASH) { /* attitudes of its bodies, which a snapshot has by body */
        const fnd_shape *shapes = world->model.shapes;
        VISIT(world->dynamics.contacts.since[shapes[r->key.a].root]);
        VISIT(world->dynamics.contacts.since[shapes[r->key.b].root]);
    }
    VISIT(r->begin_time);
    VISIT(r->approach_speed);
    VISIT(r->impulse);
    if (w->mode != SERIALIZE_HASH) VISIT(r->force_impulse); /* it follows from the forces, as all hashed values do */
    VISIT(r->peak_force);
    VISIT(r->peak_force_time);
    VISIT(r->peak_depth);
    if (w->mode != SERIALIZE_HASH) {
        VISIT(r->peak_pull); /* they follow from the forces */
        VISIT(r->peak_pull_time);
    }
    VISIT(r->damping_loss);
    VISIT(r->friction_loss);
    VISIT(r->work);
    VISIT(r->energy);
    VISIT(r->largest_residual);
    VISIT(r->longest_step);
    VISIT(r->last_time);
    VISIT(r->begin_error);
    VISIT(r->end_error);
    VISIT(r->approach_error);
    VISIT(r->rebound_error);
    VISIT(r->force_sampling_error);
    VISIT(r->time_sampling_error);
    VISIT(r->depth_sampling_error);
    VISIT(r->onset_impulse);
    VISIT(r->release_impulse);
    VISIT(r->stored);
    VISIT(r->stored_at_start);
    VISIT(r->mode);
    VISIT(r->suppressed);
    if (w->mode != SERIALIZE_HASH) {
        VISIT(r->weight); /* the states of its bodies give it */
        VISIT_FLAG(r->fades);
        VISIT(r->touch_weight);
    }
    if (w->mode == SERIALIZE_HASH && !r->frozen) return; /* the others keep their hashes */
    VISIT_FLAG(r->frozen);
    VISIT(r->mode_changes);
}

#define UNIT_GRAIN \
    1e-6 /* of a squared length; attitudes are made of unit length again long before they are off by this */

static bool is_unit(fender_quaternion q)
{
    return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) <= UNIT_GRAIN;
}

/* The rows belong to the structure. */
static void visit_part(serializer *w, fnd_body *b)
{
    fnd_part_motion *p = b->part;
    VISIT(p->X_PA);
    VISIT_FLAG(b->part_ended);
    VISIT_FLAG(p->told);
    VISIT(p->since);
    VISIT(p->duration);
    VISIT(p->from);
    VISIT(p->to);
    if (w->mode != SERIALIZE_READ || w->failed) return;
    w->failed = !is_unit(p->X_PA.q) || !fender_vec3_is_finite(p->X_PA.p);
    for (int k = 0; p->told && k < FND_PART_NUMBERS; k++)
        w->failed |= !isfinite(p->from.value[k]) || !isfinite(p->from.rate[k]) || !isfinite(p->from.second[k]) ||
                     !isfinite(p->to[k]);
    w->failed |= p->told && (!isfinite(p->since) || !(p->duration > 0) || !isfinite(p->duration));
}

/* Composites are included, because their last bits depend on the order of attachment. */
static void visit_body(serializer *w, fnd_body *b)
{
    VISIT(b->state);
    VISIT(b->core);
    VISIT(b->mass);
    VISIT(b->inverse_mass);
    VISIT(b->center_S);
    VISIT(b->inertia);
    VISIT(b->inverse_inertia);
    VISIT_FLAG(b->spherical);
    VISIT(b->parent);
    VISIT(b->first_child);
    VISIT(b->last_child);
    VISIT(b->next_sibling);
    VISIT(b->connection_child);
    VISIT(b->connection_parent);
    VISIT(b->connection_order);
    VISIT(b->X_PS);
    if (b->part) visit_part(w, b);
    VISIT(b->flow);
    fnd_motion *m = &b->motion_command;
    if (w->mode == SERIALIZE_HASH && m->kind == FND_MOTION_PATH) return; /* the others keep their hashes */
    VISIT(m->kind);
    VISIT(m->since);
    VISIT(m->duration);
    VISIT(m->from);
    VISIT(m->to);
    VISIT(m->turn);
    if (w->mode != SERIALIZE_READ || w->failed) return;
    const fender_body_state *s = &m->from;
    const bool moves = m->kind == FND_MOTION_MOVE, told = moves || m->kind == FND_MOTION_STEADY;
    w->failed = (!told && m->kind != FND_MOTION_PATH) || !isfinite(m->since) || !isfinite(m->duration) ||
                (moves && !(m->duration > 0)) || !fender_vec3_is_finite(m->to) || !fender_vec3_is_finite(m->turn) ||
                !fender_vec3_is_finite(s->position) || !fender_vec3_is_finite(s->velocity) ||
                !fender_vec3_is_finite(s->angular_velocity) || (told && !is_unit(s->attitude));
}

/* Points and parameters of a link that was created by contacts. */
static void visit_connection(serializer *w, fender_world *world, fnd_link *link)
{
    fender_link_spring_damper_6dof *p = link->parameters;
    VISIT(world->model.points[link->point_a].X_SP);
    VISIT(world->model.points[link->point_b].X_SP);
    VISIT(p->stiffness);
    VISIT(p->damping);
    VISIT(p->angular_stiffness);
    VISIT(p->angular_damping);
    VISIT(p->limit);
    VISIT(p->angular_limit);
}

/* What commands have changed: the free length and its motion, and parameters. Hashes of links without commands do not
 * contain them. */
static void visit_commands(serializer *w, fnd_link *link)
{
    fnd_link_drive *d = &link->memory.drive;
    if (!link->name || (w->mode == SERIALIZE_HASH && !d->commanded)) return;
    VISIT_FLAG(d->commanded);
    VISIT_FLAG(d->limited);
    VISIT(d->length);
    VISIT(d->since);
    VISIT(d->rate);
    VISIT(d->target);
    VISIT(d->until);
    VISIT(d->mode);
    VISIT_FLAG(d->locked);
    VISIT_FLAG(d->pulling);
    VISIT(d->pull_since);
    VISIT(d->pull_rate);
    VISIT(d->pull_spin);
    VISIT(d->aim);
    VISIT(d->work);
    const fender_field_table *table = fender_link_law_parameters(link->law);
    for (int i = 0; i < table->count; i++) {
        const fender_field *f = &table->fields[i];
        if (f->type != FENDER_FIELD_REAL && f->type != FENDER_FIELD_VEC3) continue;
        visit(w, (char *)link->parameters + f->offset,
              f->type == FENDER_FIELD_REAL ? sizeof(double) : sizeof(fender_vec3));
    }
    if (w->mode != SERIALIZE_READ || w->failed) return;
    w->failed = !fnd_drive_valid(d) || fnd_link_check_present(link, NULL) != FENDER_STATUS_OK;
}

static void visit_link(serializer *w, fender_world *world, fnd_link *link)
{
    fnd_link_memory *m = &link->memory;
    if (w->mode == SERIALIZE_READ) link->reach.end = NAN;
    VISIT_FLAG(m->active);
    VISIT_FLAG(m->spent);
    VISIT_FLAG(m->broken);
    VISIT_FLAG(m->captured);
    VISIT(m->mode);
    if (w->mode == SERIALIZE_READ) w->failed = w->failed || !fnd_link_mode_valid(link, m->mode);
    VISIT(m->damping_loss);
    VISIT(m->peak_force);
    VISIT(m->peak_force_time);
    VISIT(m->crushed);
    VISIT(m->caught_position);
    VISIT(m->caught_turn);
    visit_commands(w, link);
    if (link->made) visit_connection(w, world, link);
    if (!fnd_link_uses_type(link->law) || !link->name) return;
    VISIT_FLAG(m->begun);
    VISIT_FLAG(m->ended);
    VISIT(m->approach_speed);
    const fnd_contact_type *type = &world->model.types[link->use];
    const size_t size = type->memory_size + (size_t)type->state_count * sizeof(double);
    visit(w, &m->law, size > FND_LINK_MEMORY_CAPACITY ? size : FND_LINK_MEMORY_CAPACITY);
}

/* Given loads that were never commanded have no memory: their worlds keep the hashes that they had. */
static void visit_load(serializer *w, fnd_load *load)
{
    fnd_load_memory *m = &load->memory;
    VISIT_FLAG(load->active);
    if (w->mode == SERIALIZE_HASH && load->def.kind == FENDER_LOAD_GIVEN && !m->commanded[0] && !m->commanded[1])
        return;
    VISIT_FLAG(m->commanded[0]);
    VISIT_FLAG(m->commanded[1]);
    VISIT(m->command);
    VISIT(m->since);
    VISIT(m->throttle);
    VISIT(m->target);
    VISIT(m->level);
    VISIT(m->lit_time);
    VISIT(m->closing_time);
    VISIT(m->propellant);
    VISIT(m->momentum);
    VISIT(m->motor_torque);
    VISIT(m->work);
    VISIT(m->damping_loss);
    if (w->mode != SERIALIZE_READ || w->failed) return;
    w->failed = !fender_vec3_is_finite(m->command[0]) || !fender_vec3_is_finite(m->command[1]) || !isfinite(m->since) ||
                !(m->throttle >= 0 && m->throttle <= 1) || !(m->target >= 0 && m->target <= 1) ||
                !(m->level >= 0 && m->level <= 1) || !isfinite(m->lit_time) || isnan(m->closing_time) ||
                !isfinite(m->propellant) || !isfinite(m->momentum) || !isfinite(m->motor_torque) ||
                !isfinite(m->work) || !isfinite(m->damping_loss);
}

/* The contact type of a rule; the rules themselves are part of the structure. */
static void visit_rule(serializer *w, fnd_rule *rule, const fnd_contact_model *model)
{
    VISIT(rule->use);
    if (w->mode != SERIALIZE_READ || w->failed) return;
    w->failed = rule->use < -1 || rule->use >= model->type_count;
    if (w->failed) return;
    rule->def.use = fnd_type_id(model, rule->use);
}

/* Speeds at which friction ends that are left to the world: fender_world_initialize chooses them by gravity and masses,
 * which may be others by now. What they decide is hashed. */
static void visit_least_speeds(serializer *w, const fnd_contact_type *type)
{
    for (int i = 0; w->mode != SERIALIZE_HASH && i < type->slot_count; i++) {
        const fnd_slot *slot = &type->slots[i];
        if (!slot->least_speed) continue;
        double speed = fender_field_get(slot->least_speed, slot->parameters, 0);
        VISIT(speed);
        if (w->mode != SERIALIZE_READ || w->failed) continue;
        w->failed = !(speed > 0) || !isfinite(speed);
        if (!w->failed) fender_field_set(slot->least_speed, slot->parameters, 0, speed);
    }
}

/* Kinds that came later are part of a hash once there are such events. */
static void visit_event_counts(serializer *w, fnd_event_list *events)
{
    for (int i = 0; i < FENDER_EVENT_KIND_COUNT; i++)
        if (w->mode != SERIALIZE_HASH || i <= FENDER_EVENT_LINK_BOTTOM || events->counts[i] != 0)
            VISIT(events->counts[i]);
}

static void visit_gravity(serializer *w, fender_world *world)
{
    if (w->mode == SERIALIZE_HASH && !world->gravity_told) return; /* the others keep their hashes */
    fender_vec3 gravity = fender_world_get_gravity(world);
    VISIT_FLAG(world->gravity_told);
    VISIT(gravity);
    if (w->mode != SERIALIZE_READ || w->failed) return;
    w->failed = !fender_vec3_is_finite(gravity);
    fnd_world_use_gravity(world, gravity);
}

/* Of all links, the pair of shapes that contacts made it for. A world that reads it has the same: meet_connections. */
static void visit_made_pairs(serializer *w, fender_world *world)
{
    if (w->mode == SERIALIZE_HASH) return;
    const fnd_dynamics *d = &world->dynamics;
    int count = d->link_count;
    VISIT(count);
    if (w->mode == SERIALIZE_READ) w->failed = w->failed || count != d->link_count;
    for (int i = 0; !w->failed && i < d->link_count; i++) {
        const fnd_made_pair own = fnd_connection_pair(&d->links[i]);
        fnd_made_pair pair = own;
        VISIT(pair);
        if (w->mode == SERIALIZE_READ) w->failed = w->failed || pair.a != own.a || pair.b != own.b;
    }
}

static void visit_world(serializer *w, fender_world *world)
{
    visit_made_pairs(w, world); /* the first: see meet_connections */
    fnd_record_list *records = &world->dynamics.contacts.records;
    VISIT(world->time);
    VISIT(world->base_time);
    VISIT(world->step_count);
    VISIT(world->base_step);
    VISIT(world->pace.step);
    VISIT(world->pace.control.last_error);
    VISIT(world->pace.control.turned_down);
    VISIT(world->idle_events);
    if (w->mode != SERIALIZE_HASH) {
        VISIT(world->idle_since);
        VISIT(world->holds);
    }
    for (int i = 0; i < world->model.body_count; i++) visit_body(w, &world->model.bodies[i]);
    VISIT(world->connection_count);
    VISIT_FLAG(world->flows);
    for (int i = 0; i < world->model.shape_count; i++) VISIT_FLAG(world->model.shapes[i].active);
    for (int i = 0; i < world->dynamics.load_count; i++) visit_load(w, &world->dynamics.loads[i]);
    for (int i = 0; i < world->dynamics.link_count; i++) visit_link(w, world, &world->dynamics.links[i]);
    for (int i = 0; i < world->model.rule_count; i++) visit_rule(w, &world->model.rules[i], &world->model);
    for (int i = 0; i < world->model.type_count; i++) visit_least_speeds(w, &world->model.types[i]);
    visit_gravity(w, world);
    VISIT_FLAG(world->dynamics.contacts.active);
    VISIT(world->dynamics.momentum_origin);
    /* hashes of worlds whose frames neither turn nor fall are unchanged */
    bool whole = w->mode != SERIALIZE_HASH || world->dynamics.field.axial;
    visit(w, &world->account, whole ? offsetof(fnd_account, motor) : offsetof(fnd_account, axial_impulse));
    if (w->mode != SERIALIZE_HASH || world->model.parts) VISIT(world->account.motor);
    if (w->mode != SERIALIZE_HASH) VISIT(world->account.start_wheel_momentum);
    VISIT(world->events.hash);
    visit_event_counts(w, &world->events);
    if (w->mode != SERIALIZE_HASH) /* values that can be read but do not affect the motion */
        visit(w, world->last_stage, (size_t)world->model.body_count * sizeof *world->last_stage);
    VISIT(records->count);
    if (w->mode == SERIALIZE_READ && records->count != w->record_count) { /* there is room for as many as it said */
        w->failed = true;
        records->count = 0;
    }
    if (w->mode != SERIALIZE_HASH)
        visit(w, world->dynamics.contacts.since, (size_t)world->model.body_count * sizeof(fender_quaternion));
    if (w->mode == SERIALIZE_READ) {
        fnd_record_list_in_order(records);
        world->dynamics.contacts.planned = false;
    }
    for (int i = 0; i < records->count; i++) {
        const int place = records->order[i];
        visit_record(w, &records->items[place], world);
        visit(w, fnd_record_memory(records, place), records->stride);
    }
}

static fender_snapshot *take(const fender_world *world, bool checksum, fender_error *error)
{
    fender_world *readable = (fender_world *)(uintptr_t)world; /* counting and writing read only */
    serializer w = {.mode = SERIALIZE_COUNT, .at = sizeof(fnd_snapshot_header)};
    visit_world(&w, readable);
    fender_snapshot *snapshot = snapshot_create(&world->env, w.at, error);
    if (!snapshot) return NULL;
    w = (serializer){.mode = SERIALIZE_WRITE, .bytes = snapshot->bytes, .at = sizeof(fnd_snapshot_header)};
    visit_world(&w, readable);
    snapshot_seal(snapshot, world, checksum);
    return snapshot;
}

fender_snapshot *fender_snapshot_take(const fender_world *world, fender_error *error)
{
    if (!world) {
        fnd_world_missing(error);
        return NULL;
    }
    if (fnd_world_ready(world, error)) return NULL;
    if (world->busy) {
        fnd_world_fail_busy(error);
        return NULL;
    }
    if (world->aside.active) {
        fnd_fail(error, FENDER_STATUS_STATE, "", "a time within a step is shown", "", "the accepted state",
                 "fender_world_accept first");
        return NULL;
    }
    return take(world, true, error);
}

/* ---- restoring */

static bool is_link(const fender_world *world, int index) { return index >= -1 && index < world->model.body_count; }

/* True if the connection of a link names the body above it and one below it. */
static bool names_are_sound(const fnd_body *bodies, int body)
{
    const fnd_body *b = &bodies[body];
    if (b->parent < 0) return true;
    if (b->connection_child != b->parent && b->connection_parent != b->parent) return false;
    const int lower = fnd_tree_lower_end(bodies, body);
    return lower >= 0 && fnd_tree_descends(bodies, lower, body);
}

/* True if the links form trees, on which later code relies. */
static bool trees_are_sound(const fender_world *world)
{
    const fnd_body *bodies = world->model.bodies;
    int count = world->model.body_count, children = 0, members = 0;
    for (int i = 0; i < count; i++) {
        const fnd_body *b = &bodies[i];
        if (!is_link(world, b->parent) || !is_link(world, b->first_child) || !is_link(world, b->last_child) ||
            !is_link(world, b->next_sibling) || !is_link(world, b->connection_child) ||
            !is_link(world, b->connection_parent))
            return false;
    }
    for (int i = 0; i < count; i++) {
        int last = -1, height = 0;
        members += bodies[i].parent >= 0;
        for (int k = bodies[i].first_child; k >= 0; last = k, k = bodies[k].next_sibling)
            if (bodies[k].parent != i || ++children > count) return false;
        if (last != bodies[i].last_child) return false;
        for (int k = bodies[i].parent; k >= 0; k = bodies[k].parent)
            if (++height > count) return false;
    }
    if (children != members) return false;
    for (int i = 0; i < count; i++)
        if (!names_are_sound(bodies, i)) return false;
    return true;
}

static bool records_are_sound(const fender_world *world)
{
    const fnd_record_list *records = &world->dynamics.contacts.records;
    for (int i = 0; i < records->count; i++) {
        const fnd_record *r = fnd_record_at(records, i);
        uint32_t shapes = (uint32_t)world->model.shape_count;
        if (r->key.b >= shapes || r->key.a >= r->key.b || r->type < 0 || r->type >= world->model.type_count)
            return false;
        const fnd_shape *a = &world->model.shapes[r->key.a], *b = &world->model.shapes[r->key.b];
        if (!fnd_pair_find(a->geometry, b->geometry).function) return false; /* nothing could say where it is */
        if (i > 0 && fnd_key_compare(&fnd_record_at(records, i - 1)->key, &r->key) >= 0) return false;
    }
    return true;
}

/* Attitudes of unit length, and finite states, which steps and geometry rely on. */
static bool states_are_sound(const fender_world *world, char *found, size_t size)
{
    for (int i = 0; i < world->model.body_count; i++) {
        const fnd_body *b = &world->model.bodies[i];
        const fnd_state *s = &b->state;
        const bool moves = b->name && b->parent < 0 && b->motion != FENDER_MOTION_MASS_ONLY;
        const char *problem = NULL;
        if (b->parent >= 0 && !is_unit(b->X_PS.q)) problem = "a pose whose attitude is not of unit length";
        if (moves && !(is_unit(s->q) && is_unit(world->dynamics.contacts.since[i])))
            problem = "an attitude that is not of unit length";
        if (moves && !(fender_vec3_is_finite(s->p) && fender_vec3_is_finite(s->v) && fender_vec3_is_finite(s->L)))
            problem = "a state that is not finite";
        if (!problem) continue;
        snprintf(found, size, "%s, of body '%.100s'", problem, b->name);
        return false;
    }
    return true;
}

/* Fixed steps lie on their grid; events, hosts and limits are within the step that comes next. */
static bool time_is_sound(const fender_world *world, char *found, size_t size)
{
    const int64_t count = world->step_count, most = INT64_MAX / 2;
    const bool counted = world->base_step >= 0 && count >= world->base_step && count < most;
    if (!counted || !isfinite(world->time) || !isfinite(world->base_time) || !(world->pace.step >= 0)) {
        snprintf(found, size, "a time, or a number of steps, that is none");
        return false;
    }
    const double from = fnd_world_grid_time(world, count), to = fnd_world_grid_time(world, count + 1);
    if (world->method->error_count > 0 || (world->time >= from && world->time < to)) return true;
    snprintf(found, size, "the time %s s after %lld steps of %s s", fnd_number(world->time).text, (long long)count,
             fnd_number(world->def.step).text);
    return false;
}

/* Into a world that has room for the records. False: the bytes make no sense, though their checksum fits. */
static bool read_world(fender_world *world, const fender_snapshot *snapshot)
{
    fnd_snapshot_header h;
    memcpy(&h, snapshot->bytes, sizeof h);
    serializer w = {.mode = SERIALIZE_READ,
                    .bytes = snapshot->bytes,
                    .at = sizeof h,
                    .size = snapshot->size,
                    .record_count = (int)h.shape.record_count};
    visit_world(&w, world);
    if (w.failed || w.at != w.size || !trees_are_sound(world) || !records_are_sound(world)) return false;
    if (world->model.parts) world->model.parts->time = world->time;
    fnd_dynamics_layout(&world->dynamics);        /* the trees may be others, */
    world->dynamics.contacts.broad.valid = false; /* and the rules, and the active shapes */
    world->ode = fnd_dynamics_ode(&world->dynamics);
    fnd_world_pack(world);
    return true;
}

/* The definitions are what a snapshot does not carry: with others, the world would go on otherwise. */
static fender_status refuse_definition(fender_error *error)
{
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, "snapshot",
                    "the snapshot belongs to a world with the same objects, but other definitions", "",
                    "the same geometries, parameters of laws, loads, paths, points and gravity as created",
                    "build the world by the same calls");
}

static fender_status refuse_structure(fender_error *error)
{
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, "snapshot", "the snapshot belongs to a world of another structure",
                    "", "the same bodies, shapes, contact types, rules, loads, links, method and step",
                    "build the world by the same calls");
}

/* Gives the world the links that contacts had made when the snapshot was taken: a rule may have had another type. */
static fender_status meet_connections(fender_world *world, const fender_snapshot *snapshot, fnd_connections *before,
                                      fender_error *error)
{
    const size_t at = sizeof(fnd_snapshot_header);
    int count = 0;
    if (snapshot->size - at >= sizeof count) memcpy(&count, snapshot->bytes + at, sizeof count);
    const size_t left = snapshot->size - at - sizeof count, size = sizeof(fnd_made_pair);
    if (snapshot->size - at < sizeof count || count < 0 || (size_t)count > left / size)
        return snapshot_damaged(error, "the snapshot is damaged", "contents that no world produces",
                                "the bytes as written");
    fnd_made_pair *pairs = NULL;
    if (count > 0 && !(pairs = fnd_allocate(&world->env, (size_t)count * size)))
        return fnd_fail_memory(error, "the links of a snapshot");
    if (count > 0) memcpy(pairs, snapshot->bytes + at + sizeof count, (size_t)count * size);
    fender_status status;
    const bool alike = fnd_connections_meet(world, pairs, count, before, &status, error);
    fnd_release(&world->env, pairs, (size_t)count * size);
    return alike ? status : refuse_structure(error);
}

/* Into a world with its links. On failure nothing has changed. */
static fender_status restore(fender_world *world, const fender_snapshot *snapshot, fender_error *error)
{
    fnd_snapshot_header h;
    memcpy(&h, snapshot->bytes, sizeof h);
    if (!fnd_record_list_reserve(&world->env, &world->dynamics.contacts.records, (int)h.shape.record_count) ||
        !fnd_world_reserve_states(world, (int)h.shape.record_count))
        return fnd_fail_memory(error, "contacts");
    fender_snapshot *before = take(world, false, error);
    if (!before) return FENDER_STATUS_MEMORY;
    bool fresh = world->dynamics.committed_fresh;
    char found[200] = "contents that no world produces";
    const bool sound = read_world(world, snapshot) && states_are_sound(world, found, sizeof found) &&
                       time_is_sound(world, found, sizeof found);
    const fender_status status = sound ? fnd_world_refresh(world, error)
                                       : snapshot_damaged(error, "the snapshot is damaged", found,
                                                          "the bytes as written");
    if (status) {
        read_world(world, before);
        world->dynamics.committed_fresh = fresh;
    }
    fender_snapshot_destroy(before);
    return status;
}

fender_status fnd_inner_snapshot_restore(fender_world *world, const fender_snapshot *snapshot, fender_error *error)
{
    if (!snapshot) return fnd_world_missing(error);
    fnd_world_settle(world);
    world->sweep_effort = 0;
    fender_status status = fnd_world_ready(world, error);
    if (status) return status;
    fnd_world_shape shape = world_shape_of(world);
    fnd_snapshot_header h;
    memcpy(&h, snapshot->bytes, sizeof h);
    shape.record_count = h.shape.record_count;
    const bool defined_alike = shape.definition == h.shape.definition;
    shape.definition = h.shape.definition;
    if (memcmp(&shape, &h.shape, sizeof shape) != 0) return refuse_structure(error);
    if (!defined_alike) return refuse_definition(error);
    fnd_connections connections;
    if ((status = meet_connections(world, snapshot, &connections, error))) return status;
    status = restore(world, snapshot, error);
    fnd_connections_met(world, &connections, status == FENDER_STATUS_OK);
    if (status) return status;
    world->host_state_set = false;
    world->events.count = 0;
    return FENDER_STATUS_OK;
}

uint64_t fender_world_hash(const fender_world *world)
{
    serializer w = {.mode = SERIALIZE_HASH, .hash = FND_HASH_START};
    if (world) visit_world(&w, (fender_world *)(uintptr_t)world); /* hashing reads only */
    return w.hash;
}

/* ---- from bytes */

static fender_status check_bytes(const void *bytes, size_t size, fender_error *error)
{
    fnd_snapshot_header h;
    char found[64], expected[64];
    if (size < sizeof h.mark || memcmp(bytes, mark_of_snapshots, sizeof h.mark) != 0)
        return snapshot_damaged(error, "this is not a snapshot", "other bytes", "bytes from fender_snapshot_bytes");
    if (size < sizeof h)
        return snapshot_damaged(error, "the snapshot is truncated", "less than its header", "all its bytes");
    memcpy(&h, bytes, sizeof h);
    if (h.order != BYTE_ORDER_MARK)
        return snapshot_damaged(error, "the snapshot is damaged, or from a machine with another byte order", "",
                                "a snapshot from a machine with this byte order");
    h.version[sizeof h.version - 1] = '\0';
    if (strcmp(h.version, fender_version()) != 0 || h.layout != LAYOUT) {
        snprintf(found, sizeof found, "version %s, layout %u", h.version, (unsigned)h.layout);
        snprintf(expected, sizeof expected, "version %s, layout %d", fender_version(), LAYOUT);
        return snapshot_damaged(error, "the snapshot was written by another version", found, expected);
    }
    snprintf(found, sizeof found, "%zu bytes", size);
    snprintf(expected, sizeof expected, "%llu bytes", (unsigned long long)h.size);
    if (h.size > size) return snapshot_damaged(error, "the snapshot is truncated", found, expected);
    if (h.size < size) return snapshot_damaged(error, "the snapshot has extra bytes", found, expected);
    if (h.checksum != checksum_of(bytes, size) || h.shape.stride == 0 || h.shape.record_count > size / h.shape.stride ||
        h.shape.record_count > INT_MAX)
        return snapshot_damaged(error, "the snapshot is damaged", "bytes that do not match its checksum",
                                "the bytes as written");
    return FENDER_STATUS_OK;
}

fender_snapshot *fender_snapshot_from_bytes(const fender_env *env, const void *bytes, size_t size, fender_error *error)
{
    if (!env || !bytes) {
        fnd_world_missing(error);
        return NULL;
    }
    if (check_bytes(bytes, size, error)) return NULL;
    fender_snapshot *snapshot = snapshot_create(env, size, error);
    if (snapshot) memcpy(snapshot->bytes, bytes, size);
    return snapshot;
}
