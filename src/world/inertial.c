/* What an inertial measurement unit at a point measures: specific force and angular velocity in inertial space. */
#include "body/mass_tree.h"
#include "world/world.h"
#include <assert.h>

#define ROW(member, unit, doc)                                                                                         \
    {                                                                                                                  \
#member, unit, doc, FENDER_FIELD_VEC3, offsetof(fender_inertial_data, member), 0, -INFINITY, INFINITY, 0, NULL \
    }
static const fender_field inertial_fields[] = {
    ROW(specific_force, "m/s^2", "Acceleration without gravity, in axes of the point: of an ideal accelerometer."),
    ROW(inertial_rate, "rad/s", "Angular velocity in inertial space, in axes of the point: of an ideal gyro."),
    ROW(angular_acceleration, "rad/s^2", "Rate of that, in axes of the point."),
};
static const fender_field_table inertial_table = FENDER_FIELD_TABLE("inertial", inertial_fields, fender_inertial_data);
const fender_field_table *fender_inertial_fields(void) { return &inertial_table; }

/* Acceleration of the centre and rate of the angular velocity of a root, as observed in W. */
typedef struct motion {
    fender_vec3 linear, angular;
} motion;

/* From Euler's equation L' = torque. */
static motion of_dynamic(const fender_world *world, int root, const fnd_frame *frame)
{
    const fnd_evaluation *e = &world->dynamics.evaluations[0];
    const fnd_body *body = &world->model.bodies[root];
    if (body->moving) return (motion){e->acceleration[root], fnd_part_root_turning(body, frame, e->torque[root])};
    const fender_vec3 w_B = fender_mat3_transpose_times(&frame->R_WB, frame->w);
    const fender_vec3 L_B = fender_mat3_times(&body->inertia, w_B);
    const fender_vec3 torque_B = fender_mat3_transpose_times(&frame->R_WB, e->torque[root]);
    const fender_vec3 rate_B = fender_mat3_times(&body->inverse_inertia,
                                                 fender_vec3_sub(torque_B, fender_vec3_cross(w_B, L_B)));
    return (motion){e->acceleration[root], fender_mat3_times(&frame->R_WB, rate_B)};
}

#define HALF_SPAN 1e-5 /* s; of differences along a prescribed motion */

static motion of_prescribed(const fender_world *world, const fnd_body *body)
{
    fnd_frame at[2];
    if (body->motion != FENDER_MOTION_PRESCRIBED) return (motion){{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 2; i++) {
        const double time = world->time + (i ? HALF_SPAN : -HALF_SPAN);
        const fnd_state state = fnd_state_prescribed(body, time, NAN, world->dynamics.start_time);
        fnd_frame_pose(body, &state, &at[i]);
    }
    return (motion){fender_vec3_scale(0.5 / HALF_SPAN, fender_vec3_sub(at[1].v, at[0].v)),
                    fender_vec3_scale(0.5 / HALF_SPAN, fender_vec3_sub(at[1].w, at[0].w))};
}

/* What the motion of a part adds at a lever from the root's centre: with the Coriolis acceleration 2 w x u. */
static motion of_part(const fnd_body *body, const fnd_frame *root, fender_vec3 lever)
{
    motion added = {{0, 0, 0}, {0, 0, 0}};
    const fnd_moving *m = body->moving;
    if (!m) return added;
    const fender_vec3 x = fender_mat3_transpose_times(&root->R_WB, lever);
    fender_vec3 a = fender_vec3_add(m->a, fender_vec3_cross(m->turning, x));
    a = fender_vec3_add(a, fender_vec3_cross(m->w, fender_vec3_cross(m->w, x)));
    const fender_vec3 u = fnd_part_velocity(body, &root->R_WB, lever);
    added.linear = fender_vec3_add_scaled(fender_mat3_times(&root->R_WB, a), 2, fender_vec3_cross(root->w, u));
    added.angular = fender_vec3_add(fender_mat3_times(&root->R_WB, m->turning),
                                    fender_vec3_cross(root->w, fnd_part_turning(body, &root->R_WB)));
    return added;
}

fender_status fender_body_frame_inertial(const fender_world *world, fender_body_frame frame, fender_inertial_data *data)
{
    if (!world || !data) return fnd_world_missing(NULL);
    if (!world->initialized) return FENDER_STATUS_STATE;
    fender_body_state at;
    const fender_status status = fender_body_frame_state(world, frame, &at, NULL);
    if (status != FENDER_STATUS_OK) return status;
    const fnd_contact_model *model = &world->model;
    const int body = frame.kind == FENDER_BODY_FRAME_POINT ? model->points[frame.point.index1 - 1].body
                                                           : (int)frame.body.index1 - 1;
    const int root = fnd_tree_root(model->bodies, body);
    const fnd_frame of_root = fnd_frame_of_state(&model->bodies[root], &model->bodies[root].state);
    const motion m = fnd_body_dynamic(&model->bodies[root]) ? of_dynamic(world, root, &of_root)
                                                            : of_prescribed(world, &model->bodies[root]);
    const fnd_frame_field now = fnd_world_field(world), *field = &now;
    const fender_vec3 lever = fender_vec3_sub(at.position, of_root.p), w = of_root.w;
    fender_vec3 turning = fender_vec3_add(fender_vec3_cross(m.angular, lever),
                                          fender_vec3_cross(w, fender_vec3_cross(w, lever)));
    const motion own = of_part(&model->bodies[body], &of_root, lever);
    turning = fender_vec3_add(turning, own.linear);
    const fender_vec3 rate = fender_vec3_add(w, fnd_part_turning(&model->bodies[body], &of_root.R_WB));
    const fender_vec3 rate_change = fender_vec3_add(m.angular, own.angular);
    /* a body that is free at this place and velocity: gravity, and in a frame of a planet the forces of the frame */
    const fender_vec3 free = field->framed ? fnd_frame_acceleration(field, at.position, at.velocity)
                                           : fnd_frame_gravity(field, at.position);
    const fender_vec3 felt = fender_vec3_sub(fender_vec3_add(m.linear, turning), free);
    const fender_vec3 spin = field->rotating ? field->omega : (fender_vec3){0, 0, 0};
    const fender_quaternion q = fender_quaternion_conjugate(at.attitude);
    data->specific_force = fender_quaternion_rotate(q, felt);
    data->inertial_rate = fender_quaternion_rotate(q, fender_vec3_add(rate, spin));
    data->angular_acceleration = fender_quaternion_rotate(q,
                                                          fender_vec3_add(rate_change, fender_vec3_cross(spin, rate)));
    return FENDER_STATUS_OK;
}
