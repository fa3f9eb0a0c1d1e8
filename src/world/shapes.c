/* Materials, shapes and mass points of a world; poses and states of any place on a body. */
#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"
#include <stdio.h>
#include <string.h>

/* ---- Materials and shapes ---- */

fender_status fnd_inner_material_create(fender_world *world, const char *name, fender_material_id *id,
                                        fender_error *error)
{
    fnd_world_settle(world);
    fnd_contact_model *model = &world->model;
    fender_status status = fnd_world_check_name(&model->material_names, 0, name, "material", error);
    if (status) return status;
    void *materials = (void *)model->materials;
    if (!fnd_reserve_one_more(&world->env, &materials, &model->material_capacity, model->material_count,
                              sizeof *model->materials))
        return fnd_fail_memory(error, "a material");
    model->materials = materials;
    char *copy = fnd_text_copy(&world->env, name);
    if (!copy || !fnd_name_add(&world->env, &model->material_names, 0, copy, model->material_count)) {
        fnd_text_release(&world->env, copy);
        return fnd_fail_memory(error, "a material");
    }
    model->materials[model->material_count++] = copy;
    if (id) *id = fnd_material_id(model, model->material_count - 1);
    return FENDER_STATUS_OK;
}

fender_status fender_material_find(const fender_world *world, const char *name, fender_material_id *id)
{
    if (!world || !id) return fnd_world_missing(NULL);
    int index = fnd_name_find(&world->model.material_names, 0, name);
    if (index < 0) return FENDER_STATUS_NAME;
    *id = fnd_material_id(&world->model, index);
    return FENDER_STATUS_OK;
}

const char *fender_material_name(const fender_world *world, fender_material_id id)
{
    return world && fnd_material_live(&world->model, id) ? world->model.materials[id.index1 - 1] : NULL;
}

fender_shape_def fender_shape_def_default(void)
{
    fender_shape_def def = {0};
    def.size = sizeof def;
    def.X_SG = fender_pose_identity();
    def.active = true;
    return def;
}

static fender_status check_shape(const fender_world *world, const fender_shape_def *def, fender_error *error)
{
    if (!def->geometry)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "geometry", "a shape needs a geometry", "NULL", "a geometry",
                        "");
    if (!fender_vec3_is_finite(def->surface_velocity) || !fender_vec3_is_finite(def->surface_spin))
        return fnd_fail(error, FENDER_STATUS_VALUE, "surface_velocity", "the motion of the surface is not finite",
                        "NaN or infinity", "finite velocities", "");
    fender_quaternion q = def->X_SG.q;
    double n = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!fender_vec3_is_finite(def->X_SG.p) || !isfinite(n) || !(n > 1e-200))
        return fnd_fail(error, FENDER_STATUS_VALUE, "position", "the pose of the shape is not finite", "",
                        "finite numbers and a quaternion other than zero", "");
    if (def->material.index1 != 0 && !fnd_material_live(&world->model, def->material))
        return fnd_world_stale(error, "material");
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_shape_create(fender_world *world, fender_body_id body_id, const fender_shape_def *def,
                                     fender_shape_id *id, fender_error *error)
{
    if (!def) return fnd_world_missing(error);
    const fender_status fits = fnd_world_check_size(def->size, sizeof *def, "fender_shape_def", error);
    if (fits) return fits;
    fnd_world_settle(world);
    fnd_contact_model *model = &world->model;
    if (!fnd_body_live(model, body_id)) return fnd_world_stale(error, "body");
    fender_status status = fnd_world_check_name(&model->shape_names, body_id.index1, def->name, "shape of this body",
                                                error);
    if (!status)
        status = fnd_world_check_name(&model->point_names, body_id.index1, def->name, "point of this body", error);
    if (!status) status = check_shape(world, def, error);
    if (status) return status;
    void *shapes = model->shapes;
    if (!fnd_reserve_one_more(&world->env, &shapes, &model->shape_capacity, model->shape_count, sizeof *model->shapes))
        return fnd_fail_memory(error, "a shape");
    model->shapes = shapes;
    const int slot = fnd_slot_free(shapes, sizeof *model->shapes, model->shape_count, model->shapes_gone);
    char *name = fnd_text_copy(&world->env, def->name);
    if (!name || !fnd_name_add(&world->env, &model->shape_names, body_id.index1, name, slot)) {
        fnd_text_release(&world->env, name);
        return fnd_fail_memory(error, "a shape");
    }
    fnd_shape *shape = &model->shapes[slot];
    const bool again = slot < model->shape_count;
    *shape = (fnd_shape){.name = name, .generation = again ? shape->generation : 1, .user_data = def->user_data};
    shape->body = (int)body_id.index1 - 1;
    shape->material = (int)def->material.index1 - 1;
    shape->geometry = fender_geometry_retain(def->geometry);
    shape->X_SG.p = def->X_SG.p;
    shape->X_SG.q = fender_quaternion_normalized(def->X_SG.q);
    shape->active = def->active;
    shape->running = def->surface_velocity;
    shape->spinning = def->surface_spin;
    shape->runs = fender_vec3_length(shape->running) > 0 || fender_vec3_length(shape->spinning) > 0;
    shape->bounding_radius = fender_geometry_bounding_radius(shape->geometry);
    if (again) model->shapes_gone--;
    else model->shape_count++;
    world->initialized = false;
    if (id) *id = fnd_shape_id(model, slot);
    return FENDER_STATUS_OK;
}

static fnd_shape *find(const fender_world *world, fender_shape_id id)
{
    return world && fnd_shape_live(&world->model, id) ? &world->model.shapes[id.index1 - 1] : NULL;
}

fender_status fnd_inner_shape_set_active(fender_world *world, fender_shape_id id, bool active)
{
    fnd_world_settle(world);
    fnd_shape *shape = find(world, id);
    return shape ? fnd_world_switch_contacts(world, &shape->active, active) : FENDER_STATUS_STALE_ID;
}

fender_status fender_shape_find(const fender_world *world, fender_body_id body, const char *name, fender_shape_id *id)
{
    if (!world || !id) return fnd_world_missing(NULL);
    if (!fnd_body_live(&world->model, body)) return FENDER_STATUS_STALE_ID;
    int index = fnd_name_find(&world->model.shape_names, body.index1, name);
    if (index < 0) return FENDER_STATUS_NAME;
    *id = fnd_shape_id(&world->model, index);
    return FENDER_STATUS_OK;
}

FND_ENUMERATE(shape, shapes, world->model)

const char *fender_shape_name(const fender_world *world, fender_shape_id id)
{
    const fnd_shape *shape = find(world, id);
    return shape ? shape->name : NULL;
}

fender_body_id fender_shape_body(const fender_world *world, fender_shape_id id)
{
    const fnd_shape *shape = find(world, id);
    return world ? fnd_body_id(&world->model, shape ? shape->body : -1) : (fender_body_id){0};
}

fender_status fender_shape_get_def(const fender_world *world, fender_shape_id id, fender_shape_def *def)
{
    if (!world || !def) return fnd_world_missing(NULL);
    const fnd_shape *shape = find(world, id);
    if (!shape) return FENDER_STATUS_STALE_ID;
    *def = (fender_shape_def){.size = sizeof *def,
                              .name = shape->name,
                              .geometry = shape->geometry,
                              .X_SG = shape->X_SG,
                              .material = fnd_material_id(&world->model, shape->material),
                              .active = shape->active,
                              .surface_velocity = shape->running,
                              .surface_spin = shape->spinning,
                              .user_data = shape->user_data};
    return FENDER_STATUS_OK;
}

/* ---- Points ---- */

fender_status fnd_inner_point_create(fender_world *world, fender_body_id body, const char *name, fender_pose X_SP,
                                     fender_point_id *id, fender_error *error)
{
    fnd_world_settle(world);
    fnd_contact_model *model = &world->model;
    if (!fnd_body_live(model, body)) return fnd_world_stale(error, "body");
    fender_status status = fnd_world_check_name(&model->point_names, body.index1, name, "point of this body", error);
    if (!status) status = fnd_world_check_name(&model->shape_names, body.index1, name, "shape of this body", error);
    if (status) return status;
    double n = X_SP.q.w * X_SP.q.w + X_SP.q.x * X_SP.q.x + X_SP.q.y * X_SP.q.y + X_SP.q.z * X_SP.q.z;
    if (!fender_vec3_is_finite(X_SP.p) || !isfinite(n) || !(n > 1e-200))
        return fnd_fail(error, FENDER_STATUS_VALUE, "position", "the pose of the point is not finite", "",
                        "finite numbers and a quaternion other than zero", "");
    void *points = model->points;
    if (!fnd_reserve_one_more(&world->env, &points, &model->point_capacity, model->point_count, sizeof *model->points))
        return fnd_fail_memory(error, "a point");
    model->points = points;
    const int slot = fnd_slot_free(points, sizeof *model->points, model->point_count, model->points_gone);
    char *copy = fnd_text_copy(&world->env, name);
    if (!copy || !fnd_name_add(&world->env, &model->point_names, body.index1, copy, slot)) {
        fnd_text_release(&world->env, copy);
        return fnd_fail_memory(error, "a point");
    }
    X_SP.q = fender_quaternion_normalized(X_SP.q);
    const bool again = slot < model->point_count;
    const uint16_t generation = again ? model->points[slot].generation : 1;
    model->points[slot] = (fnd_point){copy, generation, (int)body.index1 - 1, X_SP};
    if (again) model->points_gone--;
    else model->point_count++;
    if (id) *id = fnd_point_id(model, slot);
    return FENDER_STATUS_OK;
}

fender_status fender_point_find(const fender_world *world, fender_body_id body, const char *name, fender_point_id *id)
{
    if (!world || !id) return fnd_world_missing(NULL);
    if (!fnd_body_live(&world->model, body)) return FENDER_STATUS_STALE_ID;
    int index = fnd_name_find(&world->model.point_names, body.index1, name);
    if (index < 0) return FENDER_STATUS_NAME;
    *id = fnd_point_id(&world->model, index);
    return FENDER_STATUS_OK;
}

FND_ENUMERATE(point, points, world->model)

const fnd_point *fnd_world_point(const fender_world *world, fender_point_id id)
{
    return world && fnd_point_live(&world->model, id) ? &world->model.points[id.index1 - 1] : NULL;
}

fender_status fender_point_get(const fender_world *world, fender_point_id id, fender_body_id *body, const char **name,
                               fender_pose *X_SP)
{
    if (!world) return fnd_world_missing(NULL);
    const fnd_point *point = fnd_world_point(world, id);
    if (!point) return FENDER_STATUS_STALE_ID;
    if (body) *body = fnd_body_id(&world->model, point->body);
    if (name) *name = point->name;
    if (X_SP) *X_SP = point->X_SP;
    return FENDER_STATUS_OK;
}

/* Pose of a place in the structure frame of its body; *body is that body. */
static fender_status place_pose(const fender_world *world, const fender_body_frame *place, int *body, fender_pose *X_SP,
                                fender_error *error)
{
    if ((unsigned)place->kind > FENDER_BODY_FRAME_POINT)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "kind", "the kind of frame is unknown", "",
                        "a fender_body_frame_kind", "");
    if (place->kind == FENDER_BODY_FRAME_POINT) {
        const fnd_point *point = fnd_world_point(world, place->point);
        if (!point) return fnd_world_stale(error, "point");
        *body = point->body;
        *X_SP = point->X_SP;
        return FENDER_STATUS_OK;
    }
    if (!fnd_body_live(&world->model, place->body)) return fnd_world_stale(error, "body");
    *body = (int)place->body.index1 - 1;
    const fnd_body *b = &world->model.bodies[*body];
    *X_SP = fender_pose_identity();
    if (place->kind == FENDER_BODY_FRAME_CORE) *X_SP = (fender_pose){b->core.center_of_mass, b->q_SB};
    if (place->kind == FENDER_BODY_FRAME_COMPOSITE) *X_SP = (fender_pose){b->center_S, b->q_SB};
    return FENDER_STATUS_OK;
}

/* q and r: the frame at the place and the root's, both in the root's structure frame. */
fender_status fender_body_frame_relative(const fender_world *world, fender_body_frame place,
                                         fender_body_frame reference, fender_pose *X, fender_error *error)
{
    if (!world || !X) return fnd_world_missing(error);
    int body, base;
    fender_pose X_SP, X_SR;
    fender_status status = place_pose(world, &place, &body, &X_SP, error);
    if (!status) status = place_pose(world, &reference, &base, &X_SR, error);
    if (status) return status;
    const fnd_body *bodies = world->model.bodies;
    if (fnd_tree_root(bodies, body) != fnd_tree_root(bodies, base))
        return fnd_fail(error, FENDER_STATUS_TOPOLOGY, "place", "the two frames are not in the same mass tree",
                        bodies[body].name, bodies[base].name, "attach the bodies, or compare states in the world");
    if (body == base) {
        *X = fender_pose_product(fender_pose_inverse(X_SR), X_SP);
    } else {
        fender_pose X_RP = fender_pose_product(fnd_tree_pose(bodies, body), X_SP);
        fender_pose X_RR = fender_pose_product(fnd_tree_pose(bodies, base), X_SR);
        *X = fender_pose_product(fender_pose_inverse(X_RR), X_RP);
    }
    X->q = fender_quaternion_normalized(X->q);
    return FENDER_STATUS_OK;
}

fender_status fender_body_frame_state(const fender_world *world, fender_body_frame place, fender_body_state *state,
                                      fender_error *error)
{
    if (!world || !state) return fnd_world_missing(error);
    int body;
    fender_pose X_SP;
    fender_status status = place_pose(world, &place, &body, &X_SP, error);
    if (status) return status;
    const fnd_body *bodies = world->model.bodies;
    int root = fnd_tree_root(bodies, body);
    if (bodies[root].motion == FENDER_MOTION_MASS_ONLY)
        return fnd_fail(error, FENDER_STATUS_STATE, "place", "the tree of this body has no state", bodies[body].name,
                        "a body attached to one that has a state", "");
    fnd_frame root_frame = fnd_frame_of_state(&bodies[root], &bodies[root].state);
    fnd_frame frame = fnd_tree_frame(bodies, body, &root_frame);
    fender_quaternion q_WS = fender_quaternion_product(frame.q, fender_quaternion_conjugate(bodies[body].q_SB));
    fender_vec3 lever = fender_quaternion_rotate(q_WS, fender_vec3_sub(X_SP.p, bodies[body].center_S));
    state->position = fender_vec3_add(frame.p, lever);
    state->attitude = fender_quaternion_normalized(fender_quaternion_product(q_WS, X_SP.q));
    state->velocity = fender_vec3_add(frame.v, fender_vec3_cross(frame.w, lever));
    state->angular_velocity = fender_quaternion_rotate(fender_quaternion_conjugate(state->attitude), frame.w);
    return FENDER_STATUS_OK;
}
