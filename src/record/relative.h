/* What is read of one point as seen from another. */
#ifndef FND_RECORD_RELATIVE_H
#define FND_RECORD_RELATIVE_H

#include "record/object.h"

/* Of a point, or the structure frame of a body. */
fender_body_frame fnd_frame_of_object(const fender_world *world, uint64_t object);

/* Frame P of a point as seen in frame Q of another: as `relative_to` means it in a scenario. */
typedef struct fnd_relative_data {
    fender_vec3 position;         /* m, Q */
    fender_vec3 velocity;         /* m/s, Q; as observed in Q, which may rotate */
    fender_quaternion attitude;   /* q_QP */
    fender_vec3 angular_velocity; /* rad/s, P; relative to Q */
    double distance, range_rate;  /* m, m/s */
    double speed;                 /* m/s; length of the velocity */
    /* As ports: x axes point outwards; docked, they are opposite and the z axes are equal. */
    double axial_distance, closing_speed; /* m along x of Q; its decrease, m/s */
    double lateral_offset, lateral_speed; /* m, m/s; across x of Q */
    double misalignment;                  /* rad; of the one rotation from the docked attitude */
    double pitch_yaw_misalignment;        /* rad; between the axis of P and that of Q */
    double roll_misalignment, pitch_misalignment, yaw_misalignment; /* rad; about x, y, z of P: yaw, pitch, roll lead
                                                                       from the docked attitude to that of P */
    double roll_rate, pitch_yaw_rate;                               /* rad/s */
} fnd_relative_data;
const fender_field_table *fnd_relative_fields(void);
/* Zero, where one of the two has no state. */
void fnd_relative_get(const fender_world *world, uint64_t point, uint64_t reference, fnd_relative_data *data);

/* A point in the world, and what an inertial measurement unit there measures. */
typedef struct fnd_point_data {
    fender_body_state state;
    fender_inertial_data inertial;
} fnd_point_data;
const fender_field_table *fnd_point_fields(void);
/* Zero, where it has no state. */
void fnd_point_get(const fender_world *world, uint64_t point, fnd_point_data *data);

#endif
