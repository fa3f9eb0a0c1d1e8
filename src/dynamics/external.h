/* What acts on the system of dynamic bodies from outside, for the ledger of momentum. */
#ifndef FND_DYNAMICS_EXTERNAL_H
#define FND_DYNAMICS_EXTERNAL_H

#include "dynamics/dynamics.h"

/* Component along the planet's axis of the moment of a force, and of a torque, about the planet's centre. */
static inline double fnd_axial_torque(const fnd_frame_field *field, fender_vec3 p, fender_vec3 force,
                                      fender_vec3 torque)
{
    fender_vec3 lever = fender_vec3_cross(field->axis, fender_vec3_add(field->origin, p));
    return fender_vec3_dot(lever, force) + fender_vec3_dot(field->axis, torque);
}

/* For the ledger of momentum in the frame. */
static inline void fnd_book_external(fnd_evaluation *e, const fnd_dynamics *d, const fnd_frame *frame,
                                     fender_vec3 force, fender_vec3 torque)
{
    e->external_force = fender_vec3_add(e->external_force, force);
    fender_vec3 arm = fender_vec3_sub(frame->p, d->momentum_origin);
    e->external_torque = fender_vec3_add(e->external_torque, fender_vec3_add(fender_vec3_cross(arm, force), torque));
}

/* Velocity of the point of a body at a lever from its centre. */
static inline fender_vec3 fnd_point_velocity(const fnd_frame *frame, fender_vec3 lever)
{
    return fender_vec3_add(frame->v, fender_vec3_cross(frame->w, lever));
}

#endif
