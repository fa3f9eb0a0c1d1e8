/* Links of a world: making, finding, switching, reading. */
#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"
#include <string.h>

#define ROW(type, member, unit, doc)                                                                  \
    {                                                                                                 \
#member, unit, doc, type, offsetof(fender_link_data, member), 0, -INFINITY, INFINITY, 0, NULL \
    }
#define BOOL(member, doc)         ROW(FENDER_FIELD_BOOL, member, "1", doc)
#define REAL(member, unit, doc)   ROW(FENDER_FIELD_REAL, member, unit, doc)
#define VECTOR(member, unit, doc) ROW(FENDER_FIELD_VEC3, member, unit, doc)

static const fender_field data_fields[] = {
    BOOL(active, "1 while the link is switched on."),
    BOOL(spent, "1 once the link is spent: it has returned to its free length."),
    BOOL(broken, "1 once its force has exceeded its limit."),
    BOOL(acting, "1 while it may push or pull two bodies."),
    REAL(length, "m", "Distance of its two points."),
    REAL(rate, "m/s", "Rate of the length."),
    REAL(force, "N",
         "Force: along the line, positive if it pushes the ends apart; of a bushing or latch, its magnitude."),
    REAL(torque, "N*m", "Magnitude of the torque of a bushing or latch."),
    VECTOR(displacement, "m", "Displacement of a bushing, or of a latch since its capture, in axes of point a."),
    VECTOR(rotation, "rad", "Rotation vector of a bushing or latch, in axes of point a."),
    VECTOR(force_on_b, "N", "Force on b at point b, in world axes; a gets the opposite."),
    VECTOR(torque_on_b, "N*m", "Torque on b about point b, in world axes."),
    REAL(stored_energy, "J", "Energy stored in the springs."),
    REAL(damping_power, "W", "Power lost in the dampers."),
    REAL(damping_loss, "J", "Energy lost so far, including that released by a break."),
    REAL(peak_force, "N", "Largest magnitude of the force so far; with fixed steps, at accepted states."),
    REAL(peak_force_time, "s", "When the force was largest."),
    BOOL(captured, "1 while a latch holds."),
    REAL(crushed, "m", "Crushed length of a strut."),
    REAL(crush_loss, "J", "Energy lost in crushing; part of damping_loss."),
    REAL(depth, "m", "Depth in the law of a contact_law or friction link."),
    ROW(FENDER_FIELD_INT, mode, "1",
        "Mode of the law of a contact_law or friction link; of an actuator: 0 length, 1 rate, 2 force, 3 free."),
    REAL(free_length, "m", "Present free length of a link that has one; commands change it."),
    REAL(free_rate, "m/s", "Its rate."),
    REAL(command, "1", "What was commanded last, in SI units: a length, a rate, a force or a current."),
    REAL(motor_power, "W", "Power of the moving end: force times free_rate."),
    REAL(motor_work, "J", "Work of the moving end and of commands so far; applied work of the ledger."),
    REAL(stroke_left, "m",
         "Compression up to the stop of a strut, extension up to that of an actuator; 0 without one."),
    BOOL(locked, "1 while the brake of an actuator is on."),
    BOOL(slipping, "1 while the force of an actuator is at its limit."),
    REAL(slip, "m/s", "Speed of a friction link along its direction; of a hinge, at its arm."),
    REAL(stretch, "m", "Stretch of the spring of a friction link's law, along its direction."),
    REAL(load, "N", "Normal force of a friction link."),
};
static const fender_field_table data_table = FENDER_FIELD_TABLE("link", data_fields, fender_link_data);
const fender_field_table *fender_link_fields(void) { return &data_table; }

fender_link_def fender_link_def_default(void)
{
    fender_link_def def = {0};
    def.size = sizeof def;
    def.active = true;
    return def;
}

static fender_status check_ends(const fender_world *world, const fender_link_def *def, fender_error *error)
{
    const fnd_point *a = fnd_world_point(world, def->a), *b = fnd_world_point(world, def->b);
    if (!a || !b) return fnd_world_stale(error, "point");
    if (a->body != b->body) return FENDER_STATUS_OK;
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, "between", "both points of the link are on one body",
                    world->model.bodies[a->body].name, "points of two bodies", "");
}

static fender_status check_use(const fender_world *world, const fender_link_def *def, fender_error *error)
{
    if (!fnd_link_uses_type(def->law)) return FENDER_STATUS_OK;
    if (!fnd_type_live(&world->model, def->use)) return fnd_world_stale(error, "contact type");
    return fnd_link_use_check(def, &world->model.types[def->use.index1 - 1], error);
}

static fender_status check_name(const fnd_dynamics *d, const char *name, fender_error *error)
{
    if (!fnd_name_valid(name))
        return fnd_fail(error, FENDER_STATUS_NAME, "name", "a link needs a name", name ? name : "NULL",
                        "1 to 100 letters, digits and _, not beginning with a digit", "");
    for (int i = 0; i < d->link_count; i++)
        if (d->links[i].name && strcmp(d->links[i].name, name) == 0)
            return fnd_fail(error, FENDER_STATUS_NAME, "name", "a link with that name exists", name, "a new name", "");
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_link_create(fender_world *world, const fender_link_def *def, fender_link_id *id,
                                    fender_error *error)
{
    if (!def) return fnd_world_missing(error);
    const fender_status fits = fnd_world_check_size(def->size, sizeof *def, "fender_link_def", error);
    if (fits) return fits;
    fnd_world_settle(world);
    fnd_dynamics *d = &world->dynamics;
    fender_status status = check_name(d, def->name, error);
    if (!status) status = check_ends(world, def, error);
    if (!status) status = fender_link_check(def, error);
    if (!status) status = check_use(world, def, error);
    if (status) return status;
    void *links = d->links;
    if (!fnd_reserve_one_more(&world->env, &links, &d->link_capacity, d->link_count, sizeof *d->links))
        return fnd_fail_memory(error, "a link");
    d->links = links;
    const int slot = fnd_slot_free(links, sizeof *d->links, d->link_count, d->links_gone);
    const bool again = slot < d->link_count;
    fnd_link *link = &d->links[slot];
    size_t size = fender_link_law_parameters(def->law)->size;
    *link = (fnd_link){.generation = again ? link->generation : 1,
                       .user_data = def->user_data,
                       .law = def->law,
                       .use = fnd_link_uses_type(def->law) ? (int)def->use.index1 - 1 : -1,
                       .point_a = (int)def->a.index1 - 1,
                       .point_b = (int)def->b.index1 - 1};
    link->name = fnd_text_copy(&world->env, def->name);
    link->parameters = fnd_allocate(&world->env, size);
    size_t curve_size = (size_t)def->curve_count * sizeof *def->curve;
    if (def->curve && (link->curve = fnd_allocate(&world->env, curve_size))) {
        link->curve_count = def->curve_count;
        memcpy(link->curve, def->curve, curve_size);
    }
    if (!link->name || !link->parameters || (def->curve && !link->curve)) {
        fnd_link_release(&world->env, link);
        return fnd_fail_memory(error, "a link");
    }
    memcpy(link->parameters, def->parameters, size);
    link->reach.end = NAN;
    fnd_drive_begin(link, world->time);
    link->memory.active = def->active;
    link->memory.peak_force_time = world->time;
    if (again) d->links_gone--;
    else d->link_count++;
    world->initialized = false;
    if (id) *id = fnd_link_id(d, slot);
    return FENDER_STATUS_OK;
}

static fnd_link *find(const fender_world *world, fender_link_id id)
{
    if (!world) return NULL;
    const fnd_dynamics *d = &world->dynamics;
    return fnd_link_live(d, id) ? &d->links[id.index1 - 1] : NULL;
}

FND_ENUMERATE(link, links, world->dynamics)
FND_FIND_BY_NAME(link, links, world->dynamics)

fender_status fender_link_get_def(const fender_world *world, fender_link_id id, fender_link_def *def)
{
    if (!world || !def) return fnd_world_missing(NULL);
    const fnd_link *link = find(world, id);
    if (!link) return FENDER_STATUS_STALE_ID;
    *def = (fender_link_def){.size = sizeof *def,
                             .name = link->name,
                             .a = fnd_point_id(&world->model, link->point_a),
                             .b = fnd_point_id(&world->model, link->point_b),
                             .law = link->law,
                             .parameters = link->parameters,
                             .active = link->memory.active,
                             .curve = link->curve,
                             .curve_count = link->curve_count,
                             .user_data = link->user_data};
    def->use = fnd_type_id(&world->model, link->use);
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_link_set_active(fender_world *world, fender_link_id id, bool active)
{
    fnd_world_settle(world);
    fnd_link *link = find(world, id);
    if (!link) return FENDER_STATUS_STALE_ID;
    if (link->memory.active == active) return FENDER_STATUS_OK;
    double stored = world->initialized ? fnd_world_stored(world) : 0;
    link->memory.active = active;
    link->reach.end = NAN;
    link->memory.mode = FND_LINK_SLACK;
    link->memory.captured = link->memory.begun = link->memory.ended = false;
    link->memory.drive.pulling = false;
    link->memory.drive.pull_rate = link->memory.drive.pull_spin = 0;
    memset(&link->memory.law, 0, sizeof link->memory.law);
    if (world->initialized) fnd_world_pack(world); /* the states of its laws */
    fnd_world_contacts_changed(world, stored);
    if (world->initialized && world->dynamics.committed_fresh)
        link->memory.mode = world->dynamics.evaluations[0].links[id.index1 - 1].mode;
    return FENDER_STATUS_OK;
}

bool fender_link_points_coincide(const fender_world *world, fender_link_id id)
{
    if (!world || !world->initialized || !find(world, id)) return false;
    return world->dynamics.evaluations[0].links[id.index1 - 1].blind;
}

fender_status fender_link_get(const fender_world *world, fender_link_id id, fender_clock clock, fender_link_data *data)
{
    if (!world || !data) return fnd_world_missing(NULL);
    if (clock != FENDER_CLOCK_COMMITTED && clock != FENDER_CLOCK_EVALUATED) return FENDER_STATUS_ARGUMENT;
    const fnd_link *link = find(world, id);
    if (!link) return FENDER_STATUS_STALE_ID;
    if (!world->initialized) return FENDER_STATUS_STATE;
    int shown = clock == FENDER_CLOCK_EVALUATED ? world->evaluated : 0;
    const fnd_link_value *v = &world->dynamics.evaluations[shown].links[id.index1 - 1];
    memset(data, 0, sizeof *data);
    data->active = link->memory.active;
    data->spent = link->memory.spent;
    data->broken = link->memory.broken;
    data->acting = v->acting;
    data->length = data->shortest = data->longest = v->length;
    if (clock == FENDER_CLOCK_COMMITTED && link->reach.end == world->time && v->there) {
        data->shortest = v->length < link->reach.shortest ? v->length : link->reach.shortest;
        data->longest = v->length > link->reach.longest ? v->length : link->reach.longest;
    }
    data->rate = v->rate;
    data->force = v->force;
    data->torque = fender_vec3_length(v->torque_on_b);
    data->displacement = v->displacement;
    data->rotation = v->rotation;
    data->force_on_b = v->force_on_b;
    data->torque_on_b = v->torque_on_b;
    data->stored_energy = v->stored_energy;
    data->damping_power = v->damping_power + v->crush_power;
    data->damping_loss = link->memory.damping_loss;
    data->peak_force = link->memory.peak_force;
    data->peak_force_time = link->memory.peak_force_time;
    data->captured = link->memory.captured;
    data->crushed = link->memory.crushed;
    data->depth = v->depth;
    data->mode = v->law_mode;
    data->free_length = v->free_length;
    data->free_rate = v->free_rate;
    data->command = link->memory.drive.aim;
    data->motor_power = v->motor_power;
    data->motor_work = link->memory.drive.work;
    data->slip = v->slip;
    data->stretch = v->stretch;
    data->load = v->load;
    if (link->law == FENDER_LINK_STRUT) {
        double stroke = ((const fender_link_strut *)link->parameters)->stroke;
        if (isfinite(stroke)) data->stroke_left = stroke - (v->free_length - v->length);
    }
    if (link->law == FENDER_LINK_ACTUATOR) {
        double stroke = ((const fender_link_actuator *)link->parameters)->stroke_max;
        if (isfinite(stroke)) data->stroke_left = stroke - v->length;
        data->locked = link->memory.drive.locked;
        data->slipping = v->slips;
        data->mode = link->memory.drive.mode;
    }
    if (data->crushed > 0)
        data->crush_loss = ((const fender_link_strut *)link->parameters)->crush_force * data->crushed;
    return FENDER_STATUS_OK;
}
