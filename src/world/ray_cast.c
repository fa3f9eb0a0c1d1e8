/* Lines of sight: rays against all shapes of a world, and sensors that look along a line fixed to a body. */
#include "base/error.h"
#include "base/memory.h"
#include "math/rotation.h"
#include "world/world.h"
#include <string.h>

static const fender_field beam_fields[] = {
    {"hit", "1", "1 while the line meets a surface within its range.", FENDER_FIELD_BOOL,
     offsetof(fender_beam_data, hit), 0, -INFINITY, INFINITY, 0, NULL},
    {"range", "m", "Distance along the line to the surface; 0 without a hit, where conditions do not hold.",
     FENDER_FIELD_REAL, offsetof(fender_beam_data, range), 0, -INFINITY, INFINITY, 0, NULL},
    {"range_rate", "m/s", "Rate of the range, slope and turning included.", FENDER_FIELD_REAL,
     offsetof(fender_beam_data, range_rate), 0, -INFINITY, INFINITY, 0, NULL},
    {"line_speed", "m/s", "Speed of the point that was hit away from the sensor, along the line.", FENDER_FIELD_REAL,
     offsetof(fender_beam_data, line_speed), 0, -INFINITY, INFINITY, 0, NULL},
    {"origin", "m", "Where the line begins, in world axes.", FENDER_FIELD_VEC3, offsetof(fender_beam_data, origin), 0,
     -INFINITY, INFINITY, 0, NULL},
    {"direction", "1", "Unit vector along the line, in world axes.", FENDER_FIELD_VEC3,
     offsetof(fender_beam_data, direction), 0, -INFINITY, INFINITY, 0, NULL},
};
static const fender_field_table beam_table = FENDER_FIELD_TABLE("beam", beam_fields, fender_beam_data);
const fender_field_table *fender_beam_fields(void) { return &beam_table; }

static fnd_frame frame_of(const fender_world *world, int root)
{
    fnd_frame room;
    return *fnd_world_frame(world, root, false, &room);
}

/* Placed with the origin at the point; positions are subtracted first. */
static fender_pose place(const fnd_shape *shape, const fnd_frame *frame, fender_vec3 origin)
{
    fender_mat3 R = fnd_shape_rotation(shape, frame);
    fender_vec3 p = fender_vec3_add(fender_vec3_sub(frame->p, origin), fender_mat3_times(&frame->R_WB, shape->p_BG));
    return (fender_pose){p, fnd_quaternion_from_matrix(&R)};
}

fender_status fender_world_ray_cast(const fender_world *world, const fender_ray *ray, fender_body_id except,
                                    fender_world_ray_hit *hit)
{
    if (!world || !ray || !hit) return FENDER_STATUS_ARGUMENT;
    const fnd_contact_model *model = &world->model;
    int left_out = -1;
    if (except.index1 != 0 || except.generation != 0) {
        if (!fnd_body_live(model, except)) return FENDER_STATUS_STALE_ID;
        left_out = model->bodies[except.index1 - 1].root;
    }
    if (!world->initialized) return FENDER_STATUS_STATE;
    *hit = (fender_world_ray_hit){.distance = ray->range};
    fender_ray from_here = {{0, 0, 0}, ray->direction, ray->range};
    if (!fender_vec3_is_finite(ray->origin)) return FENDER_STATUS_VALUE;
    const fender_geometry nothing = {.type = FENDER_GEOMETRY_POINT}; /* for the check of the ray, without shapes */
    const fender_pose here = fender_pose_identity();
    fender_ray_hit found;
    fender_status status = fender_geometry_ray_cast(&nothing, &here, &from_here, &found);
    for (int i = 0; !status && i < model->shape_count; i++) {
        const fnd_shape *shape = &model->shapes[i];
        if (!shape->active || shape->root == left_out || model->bodies[shape->root].motion == FENDER_MOTION_MASS_ONLY)
            continue;
        fnd_frame frame = frame_of(world, shape->root);
        frame = fnd_part_carrier(&model->bodies[shape->body], &frame);
        fender_pose X = place(shape, &frame, ray->origin);
        from_here.range = hit->distance;
        status = fender_geometry_ray_cast(shape->geometry, &X, &from_here, &found);
        if (status || !found.hit || (hit->hit && !(found.distance < hit->distance))) continue;
        fender_vec3 lever = fender_vec3_add(found.point, fender_vec3_sub(ray->origin, frame.p));
        *hit = (fender_world_ray_hit){true,
                                      found.distance,
                                      fender_vec3_add(ray->origin, found.point),
                                      found.normal,
                                      fender_vec3_add(frame.v, fender_vec3_cross(frame.w, lever)),
                                      fnd_shape_id(model, i),
                                      found.feature};
    }
    if (!hit->hit) hit->distance = 0;
    return status;
}

fender_status fender_world_beam_cast(const fender_world *world, const fender_beam *beam, fender_beam_data *data)
{
    if (!world || !beam || !data) return FENDER_STATUS_ARGUMENT;
    const fnd_contact_model *model = &world->model;
    if (!fnd_body_live(model, beam->body)) return FENDER_STATUS_STALE_ID;
    if (!world->initialized) return FENDER_STATUS_STATE;
    int own = (int)beam->body.index1 - 1;
    const fnd_body *body = &model->bodies[own];
    fnd_frame root = frame_of(world, body->root), frame = fnd_tree_frame(model->bodies, own, &root);
    fender_quaternion to_body = fender_quaternion_conjugate(body->q_SB);
    fender_vec3 lever = fender_quaternion_rotate(to_body, fender_vec3_sub(beam->point, body->center_S));
    fender_vec3 along = fender_quaternion_rotate(to_body, beam->direction);
    *data = (fender_beam_data){0};
    data->origin = fender_vec3_add(frame.p, fender_mat3_times(&frame.R_WB, lever));
    data->direction = fender_mat3_times(&frame.R_WB, along);
    double length = fender_vec3_length(data->direction);
    if (!(length > 0) || !isfinite(length) || !(beam->range >= 0)) return FENDER_STATUS_VALUE;
    data->direction = fender_vec3_scale(1 / length, data->direction);
    fender_ray ray = {data->origin, data->direction, beam->range};
    fender_status status = fender_world_ray_cast(world, &ray, beam->body, &data->at);
    if (status || !data->at.hit) return status;
    data->hit = true;
    data->range = data->at.distance;
    /* of the point of the sensor's body that is where the line ends, relative to the surface */
    fender_vec3 arm = fender_vec3_add_scaled(fender_vec3_sub(data->origin, root.p), data->range, data->direction);
    const fnd_frame carrier = fnd_part_carrier(body, &root);
    fender_vec3 carried = fender_vec3_add(carrier.v, fender_vec3_cross(carrier.w, arm));
    fender_vec3 relative = fender_vec3_sub(carried, data->at.velocity);
    data->line_speed = -fender_vec3_dot(data->direction, relative);
    double facing = fender_vec3_dot(data->at.normal, data->direction);
    if (facing != 0) data->range_rate = -fender_vec3_dot(data->at.normal, relative) / facing;
    return FENDER_STATUS_OK;
}

/* ---- sensors: beams by name ---- */

static const char *fault_of(const fender_beam *beam, const char **field)
{
    *field = "direction";
    double length = fender_vec3_length(beam->direction);
    if (!fender_vec3_is_finite(beam->direction) || !(length > 0) || !isfinite(length))
        return "the sensor's direction is zero or not finite";
    *field = "point";
    if (!fender_vec3_is_finite(beam->point)) return "the sensor's point is not finite";
    *field = "range";
    return beam->range > 0 ? NULL : "the sensor's range is not above 0";
}

fender_sensor_def fender_sensor_def_default(void)
{
    fender_sensor_def def = {0};
    def.size = sizeof def;
    def.beam.direction = fender_vec3_make(0, 0, -1);
    def.beam.range = INFINITY;
    return def;
}

fender_status fnd_inner_sensor_create(fender_world *world, const fender_sensor_def *def, fender_sensor_id *id,
                                      fender_error *error)
{
    if (!def) return fnd_world_missing(error);
    const fender_status fits = fnd_world_check_size(def->size, sizeof *def, "fender_sensor_def", error);
    if (fits) return fits;
    const char *name = def->name;
    const fender_beam *beam = &def->beam;
    if (!fnd_name_valid(name))
        return fnd_fail(error, FENDER_STATUS_NAME, "name", "a sensor needs a name", name ? name : "NULL",
                        "1 to 100 letters, digits and _, not beginning with a digit", "");
    if (fender_sensor_find(world, name, &(fender_sensor_id){0}) == FENDER_STATUS_OK)
        return fnd_fail(error, FENDER_STATUS_NAME, "name", "a sensor with that name exists", name, "a new name", "");
    if (!fnd_body_live(&world->model, beam->body)) return fnd_world_stale(error, "body");
    const char *field, *parts = fault_of(beam, &field);
    if (parts) return fnd_fail(error, FENDER_STATUS_VALUE, field, parts, "", "finite numbers", "");
    void *sensors = world->sensors;
    if (!fnd_reserve_one_more(&world->env, &sensors, &world->sensor_capacity, world->sensor_count,
                              sizeof *world->sensors))
        return fnd_fail_memory(error, "a sensor");
    world->sensors = sensors;
    char *copy = fnd_text_copy(&world->env, def->name);
    if (!copy) return fnd_fail_memory(error, "a sensor");
    const int slot = fnd_slot_free(sensors, sizeof *world->sensors, world->sensor_count, world->sensors_gone);
    const bool again = slot < world->sensor_count;
    const uint16_t generation = again ? world->sensors[slot].generation : 1;
    world->sensors[slot] = (fnd_sensor){copy, generation, def->user_data, *beam};
    if (again) world->sensors_gone--;
    else world->sensor_count++;
    if (id) *id = fnd_sensor_id(world, slot);
    return FENDER_STATUS_OK;
}

static const fnd_sensor *sensor_of(const fender_world *world, fender_sensor_id id)
{
    return world && fnd_sensor_live(world, id) ? &world->sensors[id.index1 - 1] : NULL;
}

fender_status fender_sensor_read(const fender_world *world, fender_sensor_id id, fender_beam_data *data)
{
    if (!world || !data) return fnd_world_missing(NULL);
    const fnd_sensor *sensor = sensor_of(world, id);
    return sensor ? fender_world_beam_cast(world, &sensor->beam, data) : FENDER_STATUS_STALE_ID;
}

FND_ENUMERATE(sensor, sensors, *world)
FND_FIND_BY_NAME(sensor, sensors, *world)

fender_status fender_sensor_get_beam(const fender_world *world, fender_sensor_id id, fender_beam *beam)
{
    if (!world || !beam) return fnd_world_missing(NULL);
    const fnd_sensor *sensor = sensor_of(world, id);
    if (!sensor) return FENDER_STATUS_STALE_ID;
    *beam = sensor->beam;
    return FENDER_STATUS_OK;
}
