/* fender/sensor.h - ray casts against all shapes of a world, and range sensors fixed to bodies. */
#ifndef FENDER_SENSOR_H
#define FENDER_SENSOR_H

#include "field.h"
#include "geometry.h"
#include "mass_tree.h"
#include "world.h"

typedef struct fender_world_ray_hit {
    bool hit;
    double distance;       /* m along the ray, >= 0 */
    fender_vec3 point;     /* m, W */
    fender_vec3 normal;    /* unit, W, outward */
    fender_vec3 velocity;  /* m/s, W; of the body that was hit, at the point */
    fender_shape_id shape; /* the first in order of creation, where several are hit at the same distance */
    uint64_t feature;      /* face or triangle */
} fender_world_ray_hit;
/* First shape that a ray [W] hits, at the committed state: the same geometry that contacts use, independent of
 * rules. Inactive shapes, those of `except` and of its mass tree (the null id: none) are ignored; points, clouds and
 * probes are never hit. VALUE for a ray without direction or that is not finite. */
FENDER_API fender_status fender_world_ray_cast(const fender_world *world, const fender_ray *ray, fender_body_id except,
                                               fender_world_ray_hit *hit);

/* A range sensor along a line fixed to a body: altimeter, velocimeter. It ignores its own composite body. */
typedef struct fender_beam {
    fender_body_id body;
    fender_vec3 point, direction; /* m, in S; direction of any length but 0 */
    double range;                 /* m; INFINITY: no end */
} fender_beam;
typedef struct fender_beam_data {
    bool hit;
    double range;      /* m; 0 without a hit, like the rates */
    double range_rate; /* m/s; d(range)/dt from the motion of beam and target, including slope and rotation */
    double line_speed; /* m/s; of the hit point away from the sensor along the line, as Doppler sensors measure */
    fender_vec3 origin, direction; /* W; unit */
    fender_world_ray_hit at;
} fender_beam_data;
FENDER_API const fender_field_table *fender_beam_fields(void);
/* VALUE for a beam without direction, that is not finite, or with a negative range. */
FENDER_API fender_status fender_world_beam_cast(const fender_world *world, const fender_beam *beam,
                                                fender_beam_data *data);

/* What an ideal inertial measurement unit measures where a frame of a body is: with the acceleration a of that place
 * and the free fall g there (gravity; in a frame of a planet also what the frame adds), the specific force a - g, and
 * the angular velocity in inertial space. At rest on the ground the first is 9.8 m/s^2 upwards, in free fall it is 0.
 * Of prescribed motion the acceleration is that of central differences over 20 us. */
typedef struct fender_inertial_data {
    fender_vec3 specific_force;       /* m/s^2, in axes of the frame */
    fender_vec3 inertial_rate;        /* rad/s, in axes of the frame */
    fender_vec3 angular_acceleration; /* rad/s^2, in axes of the frame */
} fender_inertial_data;
FENDER_API const fender_field_table *fender_inertial_fields(void);
/* Committed clock. STATE before fender_world_initialize, or if the tree of the body has no state. Any thread, while no
 * other changes the world. */
FENDER_API fender_status fender_body_frame_inertial(const fender_world *world, fender_body_frame frame,
                                                    fender_inertial_data *data);

/* A named range sensor owned by the world, for recorders and conditions. It does not affect the motion. */
typedef struct fender_sensor_def {
    size_t size; /* of this struct: set by fender_sensor_def_default */
    const char *name;
    fender_beam beam;
    void *user_data;
} fender_sensor_def;
/* No name, no body; along -z, without end. */
FENDER_API fender_sensor_def fender_sensor_def_default(void);
FENDER_API fender_status fender_sensor_create(fender_world *world, const fender_sensor_def *def, fender_sensor_id *id,
                                              fender_error *error);
FENDER_API fender_status fender_sensor_destroy(fender_world *world, fender_sensor_id sensor, fender_error *error);
FENDER_API void *fender_sensor_get_user_data(const fender_world *world, fender_sensor_id sensor); /* NULL: stale */
FENDER_API fender_status fender_sensor_set_user_data(fender_world *world, fender_sensor_id sensor, void *user_data);
FENDER_API fender_status fender_sensor_read(const fender_world *world, fender_sensor_id sensor, fender_beam_data *data);
FENDER_API fender_status fender_sensor_find(const fender_world *world, const char *name, fender_sensor_id *id);
FENDER_API int fender_sensor_count(const fender_world *world);
/* In order of creation; the null id past the end. */
FENDER_API fender_sensor_id fender_sensor_at(const fender_world *world, int index);
/* NULL for a stale id. */
FENDER_API const char *fender_sensor_name(const fender_world *world, fender_sensor_id sensor);
FENDER_API fender_status fender_sensor_get_beam(const fender_world *world, fender_sensor_id sensor, fender_beam *beam);

#endif
