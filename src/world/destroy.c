/* Objects that leave a world, the slots that they leave, and the pointers that callers keep with them. */
#include "base/error.h"
#include "base/memory.h"
#include "world/tree_change.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- Slots ---- */

static const char *name_at(const void *items, size_t size, int slot)
{
    assert(slot >= 0);
    const char *name;
    memcpy(&name, (const char *)items + (size_t)slot * size, sizeof name);
    return name;
}

int fnd_slot_free(const void *items, size_t size, int count, int gone)
{
    assert(gone >= 0 && gone <= count);
    for (int slot = 0; gone > 0 && slot < count; slot++)
        if (!name_at(items, size, slot)) return slot;
    return count;
}

int fnd_slot_at(const void *items, size_t size, int count, int gone, int number)
{
    assert(gone >= 0 && gone <= count);
    if (number < 0 || number >= count - gone) return -1;
    if (gone == 0) return number;
    int slot = 0;
    while (!name_at(items, size, slot) || number-- > 0) slot++;
    return slot;
}

fender_status fnd_world_check_size(size_t found, size_t expected, const char *type, fender_error *error)
{
    if (found == expected) return FENDER_STATUS_OK;
    char message[120], has[40], wants[40];
    snprintf(message, sizeof message, "the %s was not initialized by %s_default", type, type);
    snprintf(has, sizeof has, "size %zu", found);
    snprintf(wants, sizeof wants, "size %zu", expected);
    return fnd_fail(error, FENDER_STATUS_ARGUMENT, "size", message, has, wants,
                    "initialize it by its default function, and compile with the headers of this version");
}

/* ---- What leaves at once ---- */

/* Contacts that an earlier fender_world_initialize has left behind end in the bookkeeping of a running world alone. */
static fender_status running(fender_world *world, fender_error *error)
{
    const bool idle = world->initialized || world->dynamics.contacts.records.count == 0;
    return idle ? FENDER_STATUS_OK : fnd_inner_world_initialize(world, error);
}

static void forget_load(fender_world *world, int slot)
{
    assert(slot >= 0 && slot < world->dynamics.load_count);
    fnd_load_forget(world, &world->dynamics.loads[slot]);
    world->dynamics.loads_gone++;
    world->dynamics.committed_fresh = false;
}

void fnd_link_forget(fender_world *world, int slot)
{
    assert(slot >= 0 && slot < world->dynamics.link_count);
    fnd_link *link = &world->dynamics.links[slot];
    link->generation = fnd_generation_after(link->generation);
    fnd_link_release(&world->env, link);
    world->dynamics.links_gone++;
}

static void forget_sensor(fender_world *world, int slot)
{
    assert(slot >= 0 && slot < world->sensor_count);
    fnd_sensor *sensor = &world->sensors[slot];
    fnd_text_release(&world->env, sensor->name);
    *sensor = (fnd_sensor){.generation = fnd_generation_after(sensor->generation)};
    world->sensors_gone++;
}

static void forget_rules(fnd_contact_model *model, fender_rule_kind kind, uint32_t index)
{
    for (int i = model->rule_count - 1; i >= 0; i--)
        if (model->rules[i].kind == kind && (model->rules[i].low == index || model->rules[i].high == index))
            fnd_rule_remove(model, i);
}

/* With its points, if contacts made it. */
static void forget_link(fender_world *world, int slot)
{
    const fnd_link *link = &world->dynamics.links[slot];
    const int points[] = {link->point_a, link->point_b}, count = link->made ? 2 : 0;
    fnd_link_forget(world, slot);
    for (int k = 0; k < count; k++) fnd_point_forget(world, points[k]);
}

/* Of the links that contacts made for its pairs, those that hold stay, and belong to no pair. */
static void forget_connections(fender_world *world, uint32_t shape)
{
    for (int i = 0; i < world->dynamics.link_count; i++) {
        fnd_link *link = &world->dynamics.links[i];
        if (!link->name || !link->made || (link->shape_a != shape && link->shape_b != shape)) continue;
        link->shape_a = link->shape_b = UINT32_MAX;
        if (!link->memory.active || link->memory.broken) forget_link(world, i);
    }
}

/* It stays as a point that touches nothing, for what counts shapes. */
static void forget_shape(fender_world *world, int slot)
{
    assert(slot >= 0 && slot < world->model.shape_count);
    static const fender_geometry nothing = {.type = FENDER_GEOMETRY_POINT};
    fnd_contact_model *model = &world->model;
    fnd_shape *shape = &model->shapes[slot];
    forget_connections(world, (uint32_t)slot);
    forget_rules(model, FENDER_RULE_SHAPES, (uint32_t)slot);
    fnd_name_remove(&model->shape_names, (uint32_t)shape->body + 1, shape->name);
    fnd_text_release(&world->env, shape->name);
    fender_geometry_release(shape->geometry);
    *shape = (fnd_shape){.generation = fnd_generation_after(shape->generation),
                         .body = shape->body,
                         .root = shape->root,
                         .material = -1,
                         .geometry = (fender_geometry *)(uintptr_t)&nothing, /* never changed, never released */
                         .X_SG = fender_pose_identity()};
    model->shapes_gone++;
}

void fnd_point_forget(fender_world *world, int slot)
{
    assert(slot >= 0 && slot < world->model.point_count);
    fnd_contact_model *model = &world->model;
    fnd_point *point = &model->points[slot];
    fnd_name_remove(&model->point_names, (uint32_t)point->body + 1, point->name);
    fnd_text_release(&world->env, point->name);
    *point = (fnd_point){
        .generation = fnd_generation_after(point->generation), .body = point->body, .X_SP = fender_pose_identity()};
    model->points_gone++;
}

static void forget_body(fender_world *world, int slot)
{
    assert(slot >= 0 && slot < world->model.body_count);
    fnd_contact_model *model = &world->model;
    fnd_body *body = &model->bodies[slot];
    forget_rules(model, FENDER_RULE_BODIES, (uint32_t)slot);
    fnd_name_remove(&model->body_names, 0, body->name);
    fnd_body rest = *body; /* without a state, as it is now, it takes part in nothing */
    fnd_body_release(&world->env, body);
    rest.name = NULL;
    rest.user_data = NULL;
    rest.generation = fnd_generation_after(rest.generation);
    rest.path_times = NULL;
    rest.path_positions = rest.path_velocities = NULL;
    rest.path_count = 0;
    rest.flow = (fender_mass_flow){0};
    rest.def = fender_body_def_default();
    *body = rest;
    model->bodies_gone++;
}

/* ---- Shapes, links and rules: contacts and ledger follow ---- */

static bool ends_at(const fender_world *world, const fnd_link *link, int body)
{
    const fnd_point *points = world->model.points;
    return link->name && (points[link->point_a].body == body || points[link->point_b].body == body);
}

/* A load acts on the body, or a formula of it reads the body. */
static bool is_load_of(const fender_world *world, const fnd_load *load, int body)
{
    if (!load->name) return false;
    if (load->body == body) return true;
    const fender_signal *signals[] = {&load->def.force, &load->def.torque};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < signals[k]->reading_count; i++) {
            const fender_body_frame *frame = &signals[k]->readings[i].frame;
            const int read = frame->kind == FENDER_BODY_FRAME_POINT ? world->model.points[frame->point.index1 - 1].body
                                                                    : (int)frame->body.index1 - 1;
            if (read == body) return true;
        }
    return false;
}

/* Switches off what goes with a body, and marks it; or on again what is marked. */
static void switch_body(fender_world *world, int slot, bool off)
{
    assert(slot >= 0 && slot < world->model.body_count);
    fnd_dynamics *d = &world->dynamics;
    for (int i = 0; i < world->model.shape_count; i++) {
        fnd_shape *shape = &world->model.shapes[i];
        if (shape->body != slot || !shape->name) continue;
        if (off) shape->leaving = shape->active, shape->active = false;
        else shape->active = shape->leaving;
    }
    for (int i = 0; i < d->link_count; i++) {
        fnd_link *link = &d->links[i];
        if (!ends_at(world, link, slot)) continue;
        if (off) link->leaving = link->memory.active, link->memory.active = false;
        else link->memory.active = link->leaving;
    }
    for (int i = 0; i < d->load_count; i++) {
        fnd_load *load = &d->loads[i];
        if (!is_load_of(world, load, slot)) continue;
        if (off) load->leaving = load->active, load->active = false;
        else load->active = load->leaving;
    }
    world->dynamics.contacts.broad.valid = false;
}

static fender_status check_alone(const fender_world *world, int slot, fender_error *error)
{
    const fnd_body *body = &world->model.bodies[slot];
    if (body->parent < 0 && body->first_child < 0) return FENDER_STATUS_OK;
    const int other = body->parent >= 0 ? body->parent : body->first_child;
    return fnd_fail(error, FENDER_STATUS_TOPOLOGY, "body", "a body of a tree cannot be destroyed",
                    world->model.bodies[other].name, "a body without attached bodies", "detach it first");
}

fender_status fnd_inner_body_destroy(fender_world *world, fender_body_id id, fender_error *error)
{
    fnd_world_settle(world);
    if (!fnd_body_live(&world->model, id)) return fnd_world_stale(error, "body");
    const int slot = (int)id.index1 - 1;
    fender_status status = check_alone(world, slot, error);
    if (!status) status = running(world, error);
    fnd_tree_change change;
    if (!status) status = fnd_tree_change_begin(world, &change, error);
    if (status) return status;
    switch_body(world, slot, true);
    const fender_motion motion = world->model.bodies[slot].motion;
    world->model.bodies[slot].motion = FENDER_MOTION_MASS_ONLY; /* it takes part in nothing */
    status = fnd_tree_change_end(world, &change, FND_BOOK_OUTSIDE, error);
    if (status) {
        world->model.bodies[slot].motion = motion;
        switch_body(world, slot, false);
        return status;
    }
    status = fnd_world_weld(world, error); /* what others ask for, while all slots are what they were */
    for (int i = 0; i < world->dynamics.load_count; i++)
        if (is_load_of(world, &world->dynamics.loads[i], slot)) forget_load(world, i);
    for (int i = 0; i < world->dynamics.link_count; i++)
        if (ends_at(world, &world->dynamics.links[i], slot)) forget_link(world, i);
    for (int i = 0; i < world->sensor_count; i++)
        if (world->sensors[i].name && (int)world->sensors[i].beam.body.index1 - 1 == slot) forget_sensor(world, i);
    for (int i = 0; i < world->model.shape_count; i++)
        if (world->model.shapes[i].name && world->model.shapes[i].body == slot) forget_shape(world, i);
    for (int i = 0; i < world->model.point_count; i++)
        if (world->model.points[i].name && world->model.points[i].body == slot) fnd_point_forget(world, i);
    for (int i = 0; i < world->dynamics.load_count; i++)
        if (world->dynamics.loads[i].tank == slot) world->dynamics.loads[i].tank = FND_TANK_GONE;
    forget_body(world, slot);
    world->initialized = false;
    return status;
}

fender_status fnd_inner_shape_destroy(fender_world *world, fender_shape_id id, fender_error *error)
{
    fnd_world_settle(world);
    if (!fnd_shape_live(&world->model, id)) return fnd_world_stale(error, "shape");
    fnd_shape *shape = &world->model.shapes[id.index1 - 1];
    fender_status status = running(world, error);
    fnd_tree_change change;
    if (!status) status = fnd_tree_change_begin(world, &change, error);
    if (status) return status;
    const bool active = shape->active;
    shape->active = false;
    world->dynamics.contacts.broad.valid = false;
    status = fnd_tree_change_end(world, &change, FND_BOOK_OUTSIDE, error);
    if (status) {
        shape->active = active;
        world->dynamics.contacts.broad.valid = false;
        return status;
    }
    status = fnd_world_weld(world, error);
    forget_shape(world, (int)id.index1 - 1);
    world->initialized = false;
    return status;
}

fender_status fnd_inner_link_destroy(fender_world *world, fender_link_id id, fender_error *error)
{
    fnd_world_settle(world);
    if (!fnd_link_live(&world->dynamics, id)) return fnd_world_stale(error, "link");
    fender_status status = running(world, error);
    if (!status) status = fnd_inner_link_set_active(world, id, false);
    if (status) return status;
    fnd_link_forget(world, (int)id.index1 - 1);
    world->initialized = false;
    return FENDER_STATUS_OK;
}

/* Links for pairs that the next rule in precedence may connect. */
static fender_status prepare_without(fender_world *world, int slot, fender_error *error)
{
    const fnd_rule rule = world->model.rules[slot];
    if (!world->initialized) return FENDER_STATUS_OK;
    fnd_rule_remove(&world->model, slot);
    const fender_status status = fnd_world_prepare_connections(world, error);
    fnd_rule_put_back(&world->model, rule);
    return status;
}

fender_status fnd_inner_rule_destroy(fender_world *world, fender_rule_id id, fender_error *error)
{
    fnd_world_settle(world);
    fnd_contact_model *model = &world->model;
    const fnd_rule *found = fnd_rule_of(model, id);
    if (!found) return fnd_world_stale(error, "rule");
    const fnd_rule rule = *found;
    fender_status status = running(world, error);
    const int slot = (int)(found - model->rules);
    if (status) return status;
    const fnd_connections connections = fnd_connections_of(world);
    status = prepare_without(world, slot, error);
    if ((status = fnd_connections_provide(world, &connections, status, error))) return status;
    fnd_tree_change change;
    status = fnd_tree_change_begin(world, &change, error);
    if (!status) {
        fnd_rule_remove(model, slot);
        world->dynamics.contacts.broad.valid = false;
        status = fnd_tree_change_end(world, &change, FND_BOOK_OUTSIDE, error);
        if (status) fnd_rule_put_back(model, rule);
    }
    if (!status) {
        fnd_connections_keep(world);
        return FENDER_STATUS_OK;
    }
    world->dynamics.contacts.broad.valid = false;
    fnd_connections_take_back(world, &connections);
    return status;
}

/* ---- Loads and sensors ---- */

fender_status fnd_inner_load_destroy(fender_world *world, fender_load_id id, fender_error *error)
{
    fnd_world_settle(world);
    if (!fnd_load_live(&world->dynamics, id)) return fnd_world_stale(error, "load");
    const fender_load_kind kind = world->dynamics.loads[id.index1 - 1].def.kind;
    if (kind != FENDER_LOAD_SPRING && kind != FENDER_LOAD_REACTION_WHEEL) {
        forget_load(world, (int)id.index1 - 1);
        return FENDER_STATUS_OK;
    }
    fender_status status = running(world, error);
    fnd_totals before;
    if (!status) status = fnd_world_book_begin(world, &before, error);
    if (status) return status;
    forget_load(world, (int)id.index1 - 1);
    return fnd_world_book_end(world, &before, error);
}

fender_status fnd_inner_sensor_destroy(fender_world *world, fender_sensor_id id, fender_error *error)
{
    if (!fnd_sensor_live(world, id)) return fnd_world_stale(error, "sensor");
    forget_sensor(world, (int)id.index1 - 1);
    return FENDER_STATUS_OK;
}

/* ---- Pointers of callers ---- */

void *fender_world_get_user_data(const fender_world *world) { return world ? world->def.user_data : NULL; }

void fender_world_set_user_data(fender_world *world, void *user_data)
{
    if (world) world->def.user_data = user_data;
}

void fender_world_set_mass_listener(fender_world *world,
                                    void (*listener)(void *ctx, fender_world *world, fender_body_id root), void *ctx)
{
    if (!world) return;
    world->mass_listener = listener;
    world->mass_listener_ctx = ctx;
}

void *fender_body_get_user_data(const fender_world *world, fender_body_id id)
{
    return world && fnd_body_live(&world->model, id) ? world->model.bodies[id.index1 - 1].user_data : NULL;
}

fender_status fender_body_set_user_data(fender_world *world, fender_body_id id, void *user_data)
{
    if (!world) return fnd_world_missing(NULL);
    if (!fnd_body_live(&world->model, id)) return FENDER_STATUS_STALE_ID;
    world->model.bodies[id.index1 - 1].user_data = user_data;
    return FENDER_STATUS_OK;
}

void *fender_shape_get_user_data(const fender_world *world, fender_shape_id id)
{
    return world && fnd_shape_live(&world->model, id) ? world->model.shapes[id.index1 - 1].user_data : NULL;
}

fender_status fender_shape_set_user_data(fender_world *world, fender_shape_id id, void *user_data)
{
    if (!world) return fnd_world_missing(NULL);
    if (!fnd_shape_live(&world->model, id)) return FENDER_STATUS_STALE_ID;
    world->model.shapes[id.index1 - 1].user_data = user_data;
    return FENDER_STATUS_OK;
}

void *fender_load_get_user_data(const fender_world *world, fender_load_id id)
{
    return world && fnd_load_live(&world->dynamics, id) ? world->dynamics.loads[id.index1 - 1].user_data : NULL;
}

fender_status fender_load_set_user_data(fender_world *world, fender_load_id id, void *user_data)
{
    if (!world) return fnd_world_missing(NULL);
    if (!fnd_load_live(&world->dynamics, id)) return FENDER_STATUS_STALE_ID;
    world->dynamics.loads[id.index1 - 1].user_data = user_data;
    return FENDER_STATUS_OK;
}

void *fender_link_get_user_data(const fender_world *world, fender_link_id id)
{
    return world && fnd_link_live(&world->dynamics, id) ? world->dynamics.links[id.index1 - 1].user_data : NULL;
}

fender_status fender_link_set_user_data(fender_world *world, fender_link_id id, void *user_data)
{
    if (!world) return fnd_world_missing(NULL);
    if (!fnd_link_live(&world->dynamics, id)) return FENDER_STATUS_STALE_ID;
    world->dynamics.links[id.index1 - 1].user_data = user_data;
    return FENDER_STATUS_OK;
}

void *fender_sensor_get_user_data(const fender_world *world, fender_sensor_id id)
{
    return world && fnd_sensor_live(world, id) ? world->sensors[id.index1 - 1].user_data : NULL;
}

fender_status fender_sensor_set_user_data(fender_world *world, fender_sensor_id id, void *user_data)
{
    if (!world) return fnd_world_missing(NULL);
    if (!fnd_sensor_live(world, id)) return FENDER_STATUS_STALE_ID;
    world->sensors[id.index1 - 1].user_data = user_data;
    return FENDER_STATUS_OK;
}
