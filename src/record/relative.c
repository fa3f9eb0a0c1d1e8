/* One point as seen from another: motion in its frame, misalignment of two ports. */
#include "record/relative.h"

#include <stddef.h>
#include <string.h>

#define ROW(member, unit, kind, doc)                                                                   \
    {                                                                                                  \
#member, unit, doc, kind, offsetof(fnd_relative_data, member), 0, -INFINITY, INFINITY, 0, NULL \
    }
static const fender_field relative_rows[] = {
    ROW(position, "m", FENDER_FIELD_VEC3, "Of the first point, in axes of the second."),
    ROW(velocity, "m/s", FENDER_FIELD_VEC3, "As observed in the frame of the second, which may rotate; in its axes."),
    ROW(attitude, "1", FENDER_FIELD_QUATERNION, "Of the axes of the first in those of the second."),
    ROW(angular_velocity, "rad/s", FENDER_FIELD_VEC3, "Relative to the second, in axes of the first."),
    ROW(distance, "m", FENDER_FIELD_REAL, "Of the two points."),
    ROW(range_rate, "m/s", FENDER_FIELD_REAL, "Rate of the distance."),
    ROW(speed, "m/s", FENDER_FIELD_REAL, "Length of the velocity."),
    ROW(axial_distance, "m", FENDER_FIELD_REAL, "Along the x axis of the second, which points out of its port."),
    ROW(closing_speed, "m/s", FENDER_FIELD_REAL, "Rate at which the axial distance decreases."),
    ROW(lateral_offset, "m", FENDER_FIELD_REAL, "Distance from the x axis of the second."),
    ROW(lateral_speed, "m/s", FENDER_FIELD_REAL, "Length of the velocity across that axis."),
    ROW(misalignment, "rad", FENDER_FIELD_REAL, "Angle of the rotation from the docked attitude."),
    ROW(pitch_yaw_misalignment, "rad", FENDER_FIELD_REAL, "Angle between both x axes, 0 when they are opposite."),
    ROW(roll_misalignment, "rad", FENDER_FIELD_REAL, "About x, after yaw and pitch from the docked attitude."),
    ROW(pitch_misalignment, "rad", FENDER_FIELD_REAL, "About y, after yaw from the docked attitude."),
    ROW(yaw_misalignment, "rad", FENDER_FIELD_REAL, "About z, from the docked attitude."),
    ROW(roll_rate, "rad/s", FENDER_FIELD_REAL, "x of the angular velocity."),
    ROW(pitch_yaw_rate, "rad/s", FENDER_FIELD_REAL, "Length of y and z of the angular velocity."),
};
#undef ROW

const fender_field_table *fnd_relative_fields(void)
{
    static const fender_field_table table = FENDER_FIELD_TABLE("relative", relative_rows, fnd_relative_data);
    return &table;
}

#define ROW(part, member, unit, kind, doc)                                                               \
    {                                                                                                    \
#member, unit, doc, kind, offsetof(fnd_point_data, part.member), 0, -INFINITY, INFINITY, 0, NULL \
    }
static const fender_field point_rows[] = {
    ROW(state, position, "m", FENDER_FIELD_VEC3, "In the world."),
    ROW(state, velocity, "m/s", FENDER_FIELD_VEC3, "In the world."),
    ROW(state, attitude, "1", FENDER_FIELD_QUATERNION, "Of the axes of the point in those of the world."),
    ROW(state, angular_velocity, "rad/s", FENDER_FIELD_VEC3, "In axes of the point."),
    ROW(inertial, specific_force, "m/s^2", FENDER_FIELD_VEC3,
        "Acceleration without gravity, in axes of the point: of an ideal accelerometer."),
    ROW(inertial, inertial_rate, "rad/s", FENDER_FIELD_VEC3,
        "Angular velocity in inertial space, in axes of the point: of an ideal gyro."),
    ROW(inertial, angular_acceleration, "rad/s^2", FENDER_FIELD_VEC3, "Rate of that, in axes of the point."),
};
#undef ROW

void fnd_point_get(const fender_world *world, uint64_t point, fnd_point_data *data)
{
    const fender_body_frame frame = fnd_frame_of_object(world, point);
    memset(data, 0, sizeof *data);
    if (fender_body_frame_state(world, frame, &data->state, NULL) != FENDER_STATUS_OK) return;
    (void)fender_body_frame_inertial(world, frame, &data->inertial);
}

const fender_field_table *fnd_point_fields(void)
{
    static const fender_field_table table = FENDER_FIELD_TABLE("point", point_rows, fnd_point_data);
    return &table;
}

fender_body_frame fnd_frame_of_object(const fender_world *world, uint64_t object)
{
    if (fnd_object_kind_of(object) == FND_OBJECT_POINT)
        return (fender_body_frame){.kind = FENDER_BODY_FRAME_POINT, .point = fnd_object_point(world, object)};
    return (fender_body_frame){.kind = FENDER_BODY_FRAME_STRUCTURE, .body = fnd_object_body(world, object)};
}

static double across(double y, double z) { return sqrt(y * y + z * z); }

/* IDSS names: https://internationaldockingstandard.com, initial contact conditions. */
static void measure_ports(fnd_relative_data *data)
{
    const fender_vec3 p = data->position, v = data->velocity, w = data->angular_velocity;
    /* docked axes of Q: turned half about z */
    fender_quaternion e = fender_quaternion_product((fender_quaternion){0, 0, 0, -1}, data->attitude);
    fender_mat3 r = fender_quaternion_matrix(e);
    data->axial_distance = p.x;
    data->closing_speed = -v.x;
    data->lateral_offset = across(p.y, p.z);
    data->lateral_speed = across(v.y, v.z);
    data->misalignment = 2 * atan2(fender_vec3_length(fender_vec3_make(e.x, e.y, e.z)), fabs(e.w));
    data->pitch_yaw_misalignment = atan2(across(r.m[1][0], r.m[2][0]), r.m[0][0]);
    data->yaw_misalignment = atan2(r.m[1][0], r.m[0][0]);
    data->pitch_misalignment = atan2(-r.m[2][0], across(r.m[0][0], r.m[1][0]));
    data->roll_misalignment = atan2(r.m[2][1], r.m[2][2]);
    data->roll_rate = w.x;
    data->pitch_yaw_rate = across(w.y, w.z);
}

void fnd_relative_get(const fender_world *world, uint64_t point, uint64_t reference, fnd_relative_data *data)
{
    fender_body_state p, q;
    memset(data, 0, sizeof *data);
    if (fender_body_frame_state(world, fnd_frame_of_object(world, point), &p, NULL) != FENDER_STATUS_OK ||
        fender_body_frame_state(world, fnd_frame_of_object(world, reference), &q, NULL) != FENDER_STATUS_OK)
        return;
    const fender_quaternion q_QW = fender_quaternion_conjugate(q.attitude);
    fender_vec3 r_W = fender_vec3_sub(p.position, q.position);
    fender_vec3 spin_W = fender_quaternion_rotate(q.attitude, q.angular_velocity);
    fender_vec3 v_W = fender_vec3_sub(fender_vec3_sub(p.velocity, q.velocity), fender_vec3_cross(spin_W, r_W));
    data->position = fender_quaternion_rotate(q_QW, r_W);
    data->velocity = fender_quaternion_rotate(q_QW, v_W);
    data->attitude = fender_quaternion_product(q_QW, p.attitude);
    data->angular_velocity = fender_vec3_sub(p.angular_velocity,
                                             fender_quaternion_rotate(fender_quaternion_conjugate(p.attitude), spin_W));
    data->distance = fender_vec3_length(r_W);
    data->speed = fender_vec3_length(v_W);
    /* of points that coincide, the distance can only grow */
    data->range_rate = data->distance > 0 ? fender_vec3_dot(r_W, v_W) / data->distance : data->speed;
    measure_ports(data);
}
