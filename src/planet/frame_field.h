/* Accelerations, torques and energies of bodies from gravity and a rotating frame. */
#ifndef FND_PLANET_FRAME_FIELD_H
#define FND_PLANET_FRAME_FIELD_H

#include "planet/orbit.h"
#include <fender/fender.h>

typedef struct fnd_frame_field {
    fender_gravity gravity;
    bool framed;         /* the frame is one of a planet */
    bool rotating;       /* and turns */
    double rate;         /* rad/s */
    fender_vec3 axis;    /* W; unit, of the planet */
    fender_vec3 omega;   /* rad/s, W */
    fender_vec3 origin;  /* m, W axes: from the planet's centre to the origin of W */
    fender_mat3 R_FW;    /* W to planet-fixed axes */
    double mu, oblate;   /* of gravity about `origin`: oblate = mu j2 radius^2 / 2 */
    double inverse;      /* 1 / |origin|; 0: the origin is the centre */
    fender_vec3 at_rest; /* m/s^2; what a body at rest at the origin feels of a planet's gravity and the turning */
    fender_vec3 j2_axis; /* unit, of gravity of a point mass; zero: no j2 */
    double j2_oblate;    /* of it */
    bool falling; /* the origin moves on `orbit`, of which it was at its elements at `epoch`; `origin`, `velocity`,
                     `inverse` and `at_rest` are those of one time (fnd_frame_field_move) */
    bool axial;   /* turns or falls: the momentum about the planet's axis is kept account of */
    fender_vec3 velocity; /* m/s, W axes; of the origin, if it falls */
    fnd_orbit orbit;
    double epoch;  /* s */
    bool gradient; /* bodies feel the gradient of the field of a point mass or planet */
} fnd_frame_field;

/* VALUE or ARGUMENT with the path of the key at fault. */
fender_status fnd_frame_field_make(const fender_world_def *def, fnd_frame_field *field, fender_error *error);

/* Moves the origin of a frame that falls to where it is at a time. */
void fnd_frame_field_move(fnd_frame_field *field, double time);

/* Where north is in W; zero unless the frame is local. */
fender_vec3 fnd_frame_north(const fender_frame *frame);
/* Gravity alone [m/s^2] at a place of W. */
fender_vec3 fnd_frame_gravity(const fnd_frame_field *field, fender_vec3 p);
/* Gravity and what the turning does to a body's centre, formed from differences to the origin. */
fender_vec3 fnd_frame_acceleration(const fnd_frame_field *field, fender_vec3 p, fender_vec3 v);
/* What the turning does to a body's rotation [N m, W]: inertia in body axes, angular velocity and momentum (L = J w)
 * relative to W. */
fender_vec3 fnd_frame_torque(const fnd_frame_field *field, const fender_mat3 *inertia, const fender_mat3 *R_WB,
                             fender_vec3 w, fender_vec3 L);

/* Energy of gravity per mass [J/kg]: uniform: from `reference`; a planet: from the origin. Of a frame that falls: in
 * inertial space; relative to the frame gravity depends on time, and its work counts as applied. */
double fnd_frame_potential(const fnd_frame_field *field, fender_vec3 p, fender_vec3 reference);
/* What the extent of a body makes of the gravity of a point mass, to the second order: force [N] and torque [N m, W] in
 * addition to those of its mass at its centre, and their energy [J]. Inertia in body axes. */
void fnd_frame_gradient(const fnd_frame_field *field, const fender_mat3 *inertia, const fender_mat3 *R_WB,
                        fender_vec3 p, fender_vec3 *force, fender_vec3 *torque);
double fnd_frame_gradient_energy(const fnd_frame_field *field, const fender_mat3 *inertia, const fender_mat3 *R_WB,
                                 fender_vec3 p);
/* Centrifugal energy of a body [J], zero at the origin; with that of its inertia, -1/2 W.JW. */
double fnd_frame_centrifugal(const fnd_frame_field *field, double mass, fender_vec3 p, const fender_mat3 *inertia,
                             const fender_mat3 *R_WB);
/* Velocity of the frame's point at p in inertial space, W axes; the same everywhere if it falls. */
fender_vec3 fnd_frame_velocity(const fnd_frame_field *field, fender_vec3 p);
/* R J R^T x */
fender_vec3 fnd_frame_inertia_times(const fender_mat3 *inertia, const fender_mat3 *R_WB, fender_vec3 x);

#endif
