/* Reading of contacts, events and the ledger: what the field tables describe. */
#include "math/rotation.h"
#include "world/world.h"
#include <string.h>

#define FIELD(type, struct_name, member, unit_text, doc_text)                                              \
    {                                                                                                      \
#member, unit_text, doc_text, type, offsetof(struct_name, member), 0, -INFINITY, INFINITY, 0, NULL \
    }
#define REAL(member, unit, doc)   FIELD(FENDER_FIELD_REAL, fender_contact_data, member, unit, doc)
#define VECTOR(member, unit, doc) FIELD(FENDER_FIELD_VEC3, fender_contact_data, member, unit, doc)

static const fender_field contact_fields[] = {
    FIELD(FENDER_FIELD_BOOL, fender_contact_data, touching, "1", "1 while the shapes overlap."),
    REAL(depth, "m", "Penetration along the normal."),
    REAL(depth_rate, "m/s", "Rate of penetration, positive while approaching."),
    REAL(separation, "m", "Distance between the surfaces, negative while they overlap; also without contact."),
    REAL(normal_force, "N", "Normal force, positive when it pushes b away from a."),
    REAL(friction_force, "N", "Magnitude of the tangential force."),
    VECTOR(force, "N", "Force on b, in world axes."),
    VECTOR(torque, "N*m", "Torque on b about the contact point, in world axes."),
    VECTOR(point, "m", "Contact point, middle of the overlap, in world axes."),
    VECTOR(normal, "1", "Normal out of a, in world axes."),
    FIELD(FENDER_FIELD_QUATERNION, fender_contact_data, frame, "1",
          "Quaternion w x y z that takes the contact frame to world axes."),
    FIELD(FENDER_FIELD_VEC2, fender_contact_data, slip, "m/s",
          "Tangential velocity of b relative to a, in the contact frame."),
    VECTOR(spin, "rad/s", "Angular velocity of b relative to a, in the contact frame."),
    VECTOR(point_on_a, "m", "Contact point in the structure frame of a."),
    VECTOR(point_on_b, "m", "Contact point in the structure frame of b."),
    VECTOR(force_on_a, "N", "Force on a, in structure axes of a."),
    VECTOR(torque_on_a, "N*m", "Torque on a about its centre of mass, in structure axes of a."),
    VECTOR(force_on_b, "N", "Force on b, in structure axes of b."),
    VECTOR(torque_on_b, "N*m", "Torque on b about its centre of mass, in structure axes of b."),
    VECTOR(world_torque_on_a, "N*m", "Torque on a about its centre of mass, in world axes."),
    VECTOR(world_torque_on_b, "N*m", "Torque on b about its centre of mass, in world axes."),
    VECTOR(contact_force, "N", "Force on b, in the contact frame: z is out of a."),
    VECTOR(contact_torque, "N*m", "Torque on b about the contact point, in the contact frame."),
    REAL(damping_power, "W", "Power lost along the normal."),
    REAL(friction_power, "W", "Power lost in sliding."),
    REAL(stored_energy, "J", "Energy stored in the contact."),
    FIELD(FENDER_FIELD_INT, fender_contact_data, mode, "1", "Mode of the law."),
    FIELD(FENDER_FIELD_VEC2, fender_contact_data, stretch, "m",
          "Stretch of the friction law's spring, on b, in the contact frame."),
    VECTOR(anchor, "m", "Contact point without that stretch, in world axes."),
    FIELD(FENDER_FIELD_QUATERNION, fender_contact_data, surface_frame, "1",
          "Quaternion w x y z that takes axes Normal, East, North of the touched surface to world axes."),
    VECTOR(surface_offset, "m", "From the anchor: -depth, then the stretch, in axes Normal, East, North."),
    VECTOR(surface_velocity, "m/s", "Velocity relative to the surface, in axes Normal, East, North."),
    VECTOR(surface_force, "N", "Force on the body that lies on the surface, in axes Normal, East, North."),
    FIELD(FENDER_FIELD_REAL, fender_contact_data, weight, "1",
          "Fraction of the full stiffness that acts; of a cloud, the sum over its points."),
    REAL(begin_time, "s", "When the contact began."),
    REAL(impulse, "N*s", "Integral of the normal force since the contact began."),
    VECTOR(impulse_on_b, "N*s", "Integral of the force on b since the contact began, in world axes."),
    REAL(peak_force, "N", "Largest normal force since the contact began; 0 while apart."),
    REAL(peak_force_time, "s", "When the normal force was largest."),
    REAL(peak_pull, "N", "Largest attraction at an accepted state since the contact began; 0 without."),
    REAL(peak_pull_time, "s", "When the attraction was largest; 0 without."),
    REAL(peak_depth, "m", "Largest penetration since the contact began; 0 while apart."),
    REAL(approach_speed, "m/s", "Approach speed when the contact was first seen."),
    REAL(damping_loss, "J", "Energy lost along the normal since the contact began."),
    REAL(friction_loss, "J", "Energy lost in sliding since the contact began."),
    REAL(work, "J", "Work of the contact on both bodies since it began."),
    REAL(peak_force_error, "N", "Estimate of the error of peak_force."),
    REAL(residual, "J", "Energy of this contact that work, losses and stored energy do not account for."),
};
static const fender_field_table contact_table = FENDER_FIELD_TABLE("contact", contact_fields, fender_contact_data);
const fender_field_table *fender_contact_fields(void) { return &contact_table; }

#define LEDGER_REAL(member, unit, doc)   FIELD(FENDER_FIELD_REAL, fender_ledger, member, unit, doc)
#define LEDGER_VECTOR(member, unit, doc) FIELD(FENDER_FIELD_VEC3, fender_ledger, member, unit, doc)
static const fender_field ledger_fields[] = {
    LEDGER_REAL(kinetic, "J", "Kinetic energy of all dynamic bodies."),
    LEDGER_REAL(gravitational, "J", "Gravitational energy."),
    LEDGER_REAL(stored, "J", "Energy stored in contacts and links."),
    LEDGER_REAL(damping, "J", "Energy lost along contact normals and in links so far."),
    LEDGER_REAL(friction, "J", "Energy lost in sliding so far."),
    LEDGER_REAL(contact_work, "J", "Work of all contacts on both of their bodies so far."),
    LEDGER_REAL(applied, "J", "Work of loads and of immovable bodies so far."),
    LEDGER_REAL(motor, "J", "Work by the motors of attached bodies that move so far."),
    LEDGER_REAL(attachment, "J", "Energy lost in attaching, detaching and moving bodies within trees so far."),
    LEDGER_REAL(residual, "J", "Unaccounted energy: the integration error."),
    LEDGER_REAL(scale, "J", "Peak kinetic energy plus all work so far, the reference for the residual."),
    LEDGER_VECTOR(linear_momentum, "N*s", "Linear momentum of all dynamic bodies."),
    LEDGER_VECTOR(angular_momentum, "N*m*s", "Angular momentum of all dynamic bodies about momentum_origin."),
    LEDGER_VECTOR(momentum_origin, "m", "Centre of mass of all dynamic bodies at the start."),
    LEDGER_REAL(linear_drift, "N*s", "Change of linear momentum without an external impulse."),
    LEDGER_REAL(angular_drift, "N*m*s", "Change of angular momentum without an external impulse."),
};
static const fender_field_table ledger_table = FENDER_FIELD_TABLE("ledger", ledger_fields, fender_ledger);
const fender_field_table *fender_ledger_fields(void) { return &ledger_table; }

const char *fender_event_name(fender_event_kind kind)
{
    switch (kind) {
    case FENDER_EVENT_BEGIN: return "begin";
    case FENDER_EVENT_END: return "end";
    case FENDER_EVENT_MODE: return "mode";
    case FENDER_EVENT_LAW: return "law";
    case FENDER_EVENT_ATTACH: return "attach";
    case FENDER_EVENT_DETACH: return "detach";
    case FENDER_EVENT_LINK_BREAK: return "break";
    case FENDER_EVENT_LINK_SPENT: return "spent";
    case FENDER_EVENT_SLIP: return "slip";
    case FENDER_EVENT_STICK: return "stick";
    case FENDER_EVENT_LINK_CAPTURE: return "capture";
    case FENDER_EVENT_LINK_CRUSH: return "crush";
    case FENDER_EVENT_LINK_BOTTOM: return "bottom";
    case FENDER_EVENT_LINK_ARRIVE: return "arrive";
    case FENDER_EVENT_LINK_LIMIT: return "limit";
    case FENDER_EVENT_LINK_LATCHED: return "latched";
    case FENDER_EVENT_REATTACH: return "reattach";
    }
    return NULL;
}

int64_t fender_world_event_count(const fender_world *world, fender_event_kind kind)
{
    return world && (unsigned)kind < FENDER_EVENT_KIND_COUNT ? world->events.counts[kind] : 0;
}

/* A body at a state, with the axes of its structure. */
typedef struct placed_body {
    const fnd_body *body;
    fnd_frame frame;
    fender_mat3 R_SB;
    fender_vec3 from_root; /* from its centre of mass to that of its root, W */
} placed_body;

/* The body of a shape. */
static void place_body(const fender_world *world, bool host, uint32_t shape, placed_body *p)
{
    const fnd_body *bodies = world->model.bodies;
    const int index = world->model.shapes[shape].body;
    fnd_frame room;
    const fnd_frame *root = fnd_world_frame(world, world->model.shapes[shape].root, host, &room);
    p->body = &bodies[index];
    p->frame = fnd_tree_frame(bodies, index, root);
    p->R_SB = fender_quaternion_matrix(p->body->q_SB);
    p->from_root = fender_vec3_sub(root->p, p->frame.p);
}

/* A vector in W, in axes of its structure. */
static fender_vec3 structure_vector(const placed_body *p, fender_vec3 v)
{
    return fender_mat3_times(&p->R_SB, fender_mat3_transpose_times(&p->frame.R_WB, v));
}
/* A vector from its centre of mass, W, as a point of the structure frame. */
static fender_vec3 structure_point(const placed_body *p, fender_vec3 lever)
{
    return fender_vec3_add(p->body->center_S, structure_vector(p, lever));
}

/* Values accumulated since the beginning. */
static void describe_record(const fender_world *world, const fnd_contact *c, fender_contact_data *data)
{
    if (c->record < 0) return;
    const fnd_record *record = &world->dynamics.contacts.records.items[c->record];
    data->begin_time = record->begin_time;
    data->approach_speed = record->approach_speed;
    data->impulse = record->impulse;
    data->impulse_on_b = record->force_impulse;
    data->peak_force = record->peak_force;
    data->peak_force_time = record->peak_force_time;
    data->peak_pull = record->peak_pull;
    data->peak_pull_time = record->peak_pull_time;
    data->peak_depth = record->peak_depth;
    data->damping_loss = record->damping_loss;
    data->friction_loss = record->friction_loss;
    data->work = record->work;
    data->residual = fnd_record_residual(record);
    fnd_accuracy accuracy = fnd_world_accuracy(world);
    data->errors = fnd_record_errors(record, &accuracy, NAN, 0);
    data->peak_force_error = data->errors.peak_force;
}

/* A tangential vector of the contact's axes in those of the world. */
static fender_vec3 across(const fnd_contact *c, fender_vec2 v)
{
    fender_vec3 y = fender_vec3_cross(c->normal, c->tangent);
    return fender_vec3_add(fender_vec3_scale(v.x, c->tangent), fender_vec3_scale(v.y, y));
}

/* A vector in axes of the contact. */
static fender_vec3 in_frame(const fnd_contact *c, fender_vec3 v)
{
    fender_vec3 y = fender_vec3_cross(c->normal, c->tangent);
    return fender_vec3_make(fender_vec3_dot(v, c->tangent), fender_vec3_dot(v, y), fender_vec3_dot(v, c->normal));
}

/* Spring of the friction law. */
static void describe_spring(const fender_world *world, const fnd_contact *c, fender_contact_data *data)
{
    const fnd_contact_type *type = &world->model.types[c->type];
    const fnd_slot *slot = type->friction.law ? &type->friction : &type->primary;
    if (!slot->law->stretch || c->key.feature == FENDER_FEATURE_PAIR) return;
    const unsigned char *memory = fnd_record_memory(&world->dynamics.contacts.records, c->record);
    double room[FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY];
    fender_contact_input in = fnd_slot_input(type, slot, &c->in, fnd_world_contact_states(world, type, c, room));
    data->stretch = slot->law->stretch(slot->parameters, &in, memory + slot->memory_offset);
    data->anchor = fender_vec3_sub(data->point, across(c, data->stretch));
}

/* What the laws of a contact have stored. */
static void describe_laws(const fender_world *world, const fnd_contact *c, fender_contact_data *data)
{
    const unsigned char *memory = fnd_record_memory(&world->dynamics.contacts.records, c->record);
    const fnd_contact_type *type = &world->model.types[c->type];
    double room[FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY];
    data->stored_energy = fnd_contact_stored_energy(type, memory, fnd_world_contact_states(world, type, c, room), c,
                                                    world->dynamics.contacts.records.items[c->record].touch_weight);
    describe_spring(world, c, data);
}

/* A probe lies on the surface of the other shape, else b on that of a. */
static bool lies_on_b(const fender_world *world, const fnd_contact *c)
{
    return world->model.shapes[c->key.a].geometry->type == FENDER_GEOMETRY_PROBE;
}

/* On the surface that is touched: axes Normal, East, North. */
static void describe_surface(const fender_world *world, const fnd_contact *c, fender_contact_data *data)
{
    double sign = lies_on_b(world, c) ? -1 : 1;
    fender_vec3 n = fender_vec3_scale(sign, c->normal), north = world->def.north;
    if (!(fender_vec3_length(north) > 0)) north = fender_vec3_make(0, 1, 0);
    fender_vec3 east = fender_vec3_cross(north, n);
    double size = fender_vec3_length(east);
    east = size > 1e-12 * fender_vec3_length(north) ? fender_vec3_scale(1 / size, east) : fnd_any_tangent(n);
    fender_vec3 up_north = fender_vec3_cross(n, east);
    fender_mat3 R_WP = {{{n.x, east.x, up_north.x}, {n.y, east.y, up_north.y}, {n.z, east.z, up_north.z}}};
    data->surface_frame = fnd_quaternion_from_matrix(&R_WP);
    fender_vec3 stretch = across(c, data->stretch), slip = across(c, data->slip);
    stretch = fender_vec3_add_scaled(stretch, -c->in.depth, c->normal); /* b relative to a */
    slip = fender_vec3_add_scaled(slip, -c->in.depth_rate, c->normal);
    data->surface_offset = fender_mat3_transpose_times(&R_WP, fender_vec3_scale(sign, stretch));
    data->surface_velocity = fender_mat3_transpose_times(&R_WP, fender_vec3_scale(sign, slip));
    data->surface_force = fender_mat3_transpose_times(&R_WP, fender_vec3_scale(sign, c->force));
}

static void describe(const fender_world *world, const fnd_contact *c, bool host, fender_contact_data *data)
{
    const fnd_contact_model *model = &world->model;
    memset(data, 0, sizeof *data);
    placed_body a, b;
    place_body(world, host, c->key.a, &a);
    place_body(world, host, c->key.b, &b);
    /* levers of the contact are from the roots' centres; here from the bodies' own */
    const fender_vec3 lever_a = fender_vec3_add(c->lever_a, a.from_root);
    const fender_vec3 lever_b = fender_vec3_add(c->lever_b, b.from_root);
    data->a = fnd_shape_id(&world->model, (int)c->key.a);
    data->b = fnd_shape_id(&world->model, (int)c->key.b);
    data->type = fnd_type_id(&world->model, c->type);
    data->feature = c->key.feature;
    data->touching = c->in.depth > 0;
    data->depth = c->in.depth;
    data->depth_rate = c->in.depth_rate;
    data->separation = -c->in.depth;
    data->normal_force = c->force_C.z;
    data->friction_force = sqrt(c->force_C.x * c->force_C.x + c->force_C.y * c->force_C.y);
    data->force = c->force;
    data->torque = c->torque;
    data->point = fender_vec3_add(a.frame.p, lever_a);
    data->normal = c->normal;
    fender_vec3 y = fender_vec3_cross(c->normal, c->tangent);
    fender_mat3 R_WC = {
        {{c->tangent.x, y.x, c->normal.x}, {c->tangent.y, y.y, c->normal.y}, {c->tangent.z, y.z, c->normal.z}}};
    data->frame = fnd_quaternion_from_matrix(&R_WC);
    data->slip = c->in.slip;
    data->spin = c->in.spin;
    data->point_on_a = structure_point(&a, lever_a);
    data->point_on_b = structure_point(&b, lever_b);
    fender_vec3 on_a = fender_vec3_negate(c->force);
    data->force_on_a = structure_vector(&a, on_a);
    data->world_torque_on_a = fender_vec3_sub(fender_vec3_cross(lever_a, on_a), c->torque);
    data->torque_on_a = structure_vector(&a, data->world_torque_on_a);
    data->force_on_b = structure_vector(&b, c->force);
    data->world_torque_on_b = fender_vec3_add(fender_vec3_cross(lever_b, c->force), c->torque);
    data->torque_on_b = structure_vector(&b, data->world_torque_on_b);
    data->contact_force = c->force_C;
    data->contact_torque = in_frame(c, c->torque);
    data->damping_power = c->damping_power;
    data->friction_power = c->friction_power;
    data->mode = c->mode;
    data->weight = c->in.weight;
    /* two shapes that are only looked at may be in a world without contact types */
    data->has_pair_events = c->type < model->type_count && fnd_pair_has_pair_events(model, c->key.a, c->key.b, c->type);
    data->approach_speed = c->in.approach_speed;
    data->begin_time = c->in.time;
    data->anchor = data->point;
    if (c->record >= 0) {
        describe_record(world, c, data);
        if (!world->dynamics.contacts.records.items[c->record].suppressed) describe_laws(world, c, data);
    }
    describe_surface(world, c, data);
}

static const fnd_contact_list *list_of(const fender_world *world, fender_clock clock, bool *host)
{
    *host = clock == FENDER_CLOCK_EVALUATED && world->evaluated == FND_EVALUATION_HOST;
    return &world->dynamics.evaluations[*host ? FND_EVALUATION_HOST : 0].contacts;
}

/* Rows that stand for pairs with pair events are no contacts. */
static int contact_count(const fnd_contact_list *list)
{
    if (list->count == 0) return 0;
    const fnd_contact *last = &list->items[list->count - 1];
    return last->ordinal + (last->key.feature != FENDER_FEATURE_PAIR);
}

static const fnd_contact *contact_at(const fnd_contact_list *list, int index)
{
    if (index >= contact_count(list)) return NULL;
    int from = 0, to = list->count; /* the row behind the last whose number is too small */
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (list->items[middle].ordinal <= index) from = middle + 1;
        else to = middle;
    }
    return &list->items[from - 1];
}

int fender_contact_count(const fender_world *world, fender_clock clock)
{
    bool host;
    return world && world->initialized ? contact_count(list_of(world, clock, &host)) : 0;
}

fender_status fender_contact_at(const fender_world *world, fender_clock clock, int index, fender_contact_data *data)
{
    if (!world || !data) return fnd_world_missing(NULL);
    if (clock != FENDER_CLOCK_COMMITTED && clock != FENDER_CLOCK_EVALUATED) return FENDER_STATUS_ARGUMENT;
    bool host;
    if (!world->initialized) return FENDER_STATUS_STATE;
    const fnd_contact_list *list = list_of(world, clock, &host);
    const fnd_contact *c = index < 0 ? NULL : contact_at(list, index);
    if (!c) return FENDER_STATUS_ARGUMENT;
    describe(world, c, host, data);
    return FENDER_STATUS_OK;
}

fender_status fender_contact_get(const fender_world *world, fender_clock clock, int index, fender_contact *contact)
{
    fender_contact_data d;
    if (!contact) return FENDER_STATUS_ARGUMENT;
    const fender_status status = fender_contact_at(world, clock, index, &d);
    if (status) return status;
    *contact = (fender_contact){.a = d.a,
                                .b = d.b,
                                .type = d.type,
                                .feature = d.feature,
                                .clock = clock,
                                .touching = d.touching,
                                .depth = d.depth,
                                .depth_rate = d.depth_rate,
                                .normal_force = d.normal_force,
                                .friction_force = d.friction_force,
                                .force = d.force,
                                .torque = d.torque,
                                .point = d.point,
                                .frame = d.frame,
                                .slip = d.slip,
                                .mode = d.mode,
                                .weight = d.weight,
                                .begin_time = d.begin_time,
                                .impulse = d.impulse,
                                .peak_force = d.peak_force,
                                .approach_speed = d.approach_speed};
    return FENDER_STATUS_OK;
}

/* A vector of W in other axes; zero where their body is gone. */
static fender_vec3 in_axes(const fender_world *world, const fender_contact *contact, fender_contact_axes axes,
                           fender_vec3 v)
{
    fender_body_data body;
    if (axes == FENDER_CONTACT_AXES_WORLD) return v;
    if (axes == FENDER_CONTACT_AXES_CONTACT)
        return fender_quaternion_rotate(fender_quaternion_conjugate(contact->frame), v);
    const fender_shape_id shape = axes == FENDER_CONTACT_AXES_BODY_A ? contact->a : contact->b;
    if (fender_body_get(world, fender_shape_body(world, shape), contact->clock, &body))
        return fender_vec3_make(0, 0, 0);
    return fender_quaternion_rotate(fender_quaternion_conjugate(body.attitude), v);
}

fender_vec3 fender_contact_force_in(const fender_world *world, const fender_contact *contact, fender_contact_axes axes)
{
    return contact ? in_axes(world, contact, axes, contact->force) : fender_vec3_make(0, 0, 0);
}

fender_vec3 fender_contact_torque_in(const fender_world *world, const fender_contact *contact, fender_contact_axes axes)
{
    return contact ? in_axes(world, contact, axes, contact->torque) : fender_vec3_make(0, 0, 0);
}

/* First contact of the pair in a list that is sorted by key, or NULL. */
static const fnd_contact *find_contact(const fnd_contact_list *list, uint32_t a, uint32_t b)
{
    fnd_key key = {a, b, 0};
    int from = 0, to = list->count;
    while (from < to) {
        int middle = (from + to) / 2;
        if (fnd_key_compare(&list->items[middle].key, &key) < 0) from = middle + 1;
        else to = middle;
    }
    if (from < list->count && list->items[from].key.a == a && list->items[from].key.b == b) return &list->items[from];
    return NULL;
}

/* One contact more in the sums of a pair; torques on the bodies are about their centres of mass, `torque` is moved to
 * the pair's point later. */
static void add_forces(fender_contact_data *sum, const fender_contact_data *one)
{
    sum->touching |= one->touching;
    sum->normal_force += one->normal_force;
    sum->force = fender_vec3_add(sum->force, one->force);
    sum->torque = fender_vec3_add(sum->torque, one->torque);
    sum->force_on_a = fender_vec3_add(sum->force_on_a, one->force_on_a);
    sum->torque_on_a = fender_vec3_add(sum->torque_on_a, one->torque_on_a);
    sum->force_on_b = fender_vec3_add(sum->force_on_b, one->force_on_b);
    sum->torque_on_b = fender_vec3_add(sum->torque_on_b, one->torque_on_b);
    sum->world_torque_on_a = fender_vec3_add(sum->world_torque_on_a, one->world_torque_on_a);
    sum->world_torque_on_b = fender_vec3_add(sum->world_torque_on_b, one->world_torque_on_b);
    sum->damping_power += one->damping_power;
    sum->friction_power += one->friction_power;
    sum->stored_energy += one->stored_energy;
    sum->weight += one->weight;
}

/* Values accumulated by contacts without pair events: the points of a cloud. */
static void add_transition(fender_contact_data *sum, const fender_contact_data *one)
{
    sum->impulse += one->impulse;
    sum->impulse_on_b = fender_vec3_add(sum->impulse_on_b, one->impulse_on_b);
    sum->peak_force += one->peak_force;
    sum->peak_pull += one->peak_pull;
    sum->damping_loss += one->damping_loss;
    sum->friction_loss += one->friction_loss;
    sum->work += one->work;
    sum->residual += one->residual;
    sum->peak_force_error += one->peak_force_error;
    sum->errors.peak_force += one->errors.peak_force;
    sum->errors.impulse += one->errors.impulse;
    if (one->begin_time < sum->begin_time) sum->begin_time = one->begin_time;
    if (one->peak_depth > sum->peak_depth) sum->peak_depth = one->peak_depth;
    if (one->approach_speed > sum->approach_speed) sum->approach_speed = one->approach_speed;
}

/* All contacts of the pair that begin at `first`: sums, the place of the deepest, and the centre of pressure as the
 * point. */
static void describe_pair(const fender_world *world, const fnd_contact *first, const fnd_contact *end,
                          fender_contact_data *data)
{
    const fnd_contact *deepest = first, *c = first;
    for (; c < end && c->key.a == first->key.a && c->key.b == first->key.b; c++)
        if (c->in.depth > deepest->in.depth) deepest = c;
    end = c;
    const fnd_contact *pair = end[-1].key.feature == FENDER_FEATURE_PAIR ? end - 1 : NULL;
    if (pair && pair > first) end = pair;
    if (pair && pair > first) { /* its place may be a corner, where there is no contact */
        deepest = first;
        for (c = first; c < pair; c++)
            if (c->in.depth > deepest->in.depth) deepest = c;
    }
    describe(world, deepest, false, data);
    if (pair) {
        describe_record(world, pair, data);
        data->depth = pair->in.depth;
        data->depth_rate = pair->in.depth_rate;
        data->separation = -pair->in.depth;
    }
    if (end == first + 1) return;
    double push = 0;
    fender_vec3 moment = {0, 0, 0}, torque = {0, 0, 0};
    for (c = first; c < end; c++) {
        fender_contact_data one;
        describe(world, c, false, &one);
        fender_vec3 arm = fender_vec3_sub(c->lever_a, deepest->lever_a);
        push += fabs(one.normal_force);
        moment = fender_vec3_add_scaled(moment, fabs(one.normal_force), arm);
        torque = fender_vec3_add(torque, fender_vec3_cross(arm, one.force));
        if (c == deepest) continue;
        add_forces(data, &one);
        if (!pair) add_transition(data, &one);
    }
    double across = fender_vec3_dot(data->force, data->normal);
    data->friction_force = fender_vec3_length(fender_vec3_add_scaled(data->force, -across, data->normal));
    fender_vec3 shift = push > 0 ? fender_vec3_scale(1 / push, moment) : (fender_vec3){0, 0, 0};
    data->point = fender_vec3_add(data->point, shift);
    data->torque = fender_vec3_sub(fender_vec3_add(data->torque, torque), fender_vec3_cross(shift, data->force));
    data->contact_force = in_frame(deepest, data->force);
    data->contact_torque = in_frame(deepest, data->torque);
    const double sign = lies_on_b(world, deepest) ? -1 : 1;
    data->surface_force = fender_quaternion_rotate(fender_quaternion_conjugate(data->surface_frame),
                                                   fender_vec3_scale(sign, data->force));
    placed_body a, b;
    place_body(world, false, first->key.a, &a);
    place_body(world, false, first->key.b, &b);
    const fender_vec3 lever_a = fender_vec3_add(deepest->lever_a, a.from_root);
    const fender_vec3 lever_b = fender_vec3_add(deepest->lever_b, b.from_root);
    data->point_on_a = structure_point(&a, fender_vec3_add(lever_a, shift));
    data->point_on_b = structure_point(&b, fender_vec3_add(lever_b, shift));
}

fender_status fender_contact_between(const fender_world *world, fender_shape_id one, fender_shape_id other,
                                     fender_contact_data *data)
{
    if (!world || !data) return fnd_world_missing(NULL);
    const fnd_contact_model *model = &world->model;
    if (!fnd_shape_live(model, one) || !fnd_shape_live(model, other)) return FENDER_STATUS_STALE_ID;
    if (!world->initialized) return FENDER_STATUS_STATE;
    uint32_t a = (one.index1 < other.index1 ? one.index1 : other.index1) - 1;
    uint32_t b = (one.index1 < other.index1 ? other.index1 : one.index1) - 1;
    if (a == b) return FENDER_STATUS_ARGUMENT;
    const fnd_contact_list *list = &world->dynamics.evaluations[0].contacts;
    const fnd_contact *c = find_contact(list, a, b);
    if (c) {
        describe_pair(world, c, list->items + list->count, data);
        return FENDER_STATUS_OK;
    }
    fnd_frame rooms[2];
    const fnd_frame *frame_a = fnd_world_frame(world, model->shapes[a].root, false, &rooms[0]);
    const fnd_frame *frame_b = fnd_world_frame(world, model->shapes[b].root, false, &rooms[1]);
    fnd_contact apart;
    if (!fnd_contact_probe_pair(model, frame_a, frame_b, (int)a, (int)b, INFINITY, NULL, &apart))
        return FENDER_STATUS_NO_PAIR_FUNCTION;
    describe(world, &apart, false, data);
    data->type = (fender_contact_type_id){0};
    data->touching = false;
    data->depth = data->depth_rate = 0;
    data->slip = (fender_vec2){0, 0};
    data->spin = fender_vec3_make(0, 0, 0);
    data->begin_time = data->approach_speed = 0;
    return FENDER_STATUS_OK;
}
