/* Derivatives of the wrench of one contact with respect to the motion of its two bodies. */
#ifndef FND_CONTACT_TANGENT_H
#define FND_CONTACT_TANGENT_H

#include "contact/contact_set.h"

/* Small change of a body's frame, in W: of its centre of mass, its attitude (rotation vector), both velocities. */
typedef struct fnd_frame_change {
    fender_vec3 p, turn, v, w;
} fnd_frame_change;

/* A contact of a ball (a sphere or a point) with a ball, plane or surface, at one state. */
typedef struct fnd_contact_tangent {
    int body_a, body_b;
    bool ball_is_b;
    fender_vec3 normal, across, third; /* z, x, y of C */
    fender_vec3 lever_a, lever_b;
    fender_vec3 arm;           /* W; from the centre of mass of the ball's body to the ball's centre */
    fender_vec3 to_point;      /* W; from there to the common point */
    double way;                /* m; its length along the outward direction, at least 0 */
    fender_mat3 bend;          /* of the normal, by the motion of the ball's centre relative to the other shape */
    fender_vec3 weight_by;     /* of the logarithm of the weight, likewise */
    fender_vec3 motion, spin;  /* W; velocity of b relative to a at the common point, angular velocity */
    fender_vec3 w_a, w_b;      /* rad/s, W */
    fender_vec3 force, torque; /* W, on b */
    fender_contact_derivative by[FENDER_LAW_BY_NORMAL_FORCE]; /* of the whole force, in C, by depth to spin */
    fender_contact_derivative by_approach;                    /* by the speed of the approach */
    bool remembers;                                           /* which is not zero */
    const double *approach;                                   /* m/s; change of that speed by column; NULL: none */
} fnd_contact_tangent;

/* Changes of the force on b, of the torque on b about the common point, of the levers, and of the rate of depth. */
typedef struct fnd_wrench_change {
    fender_vec3 force, torque, lever_a, lever_b;
    double depth_rate;
} fnd_wrench_change;

/* Makes the derivatives of a contact that an evaluation has found, at the frames of that evaluation. Returns NULL, or
 * why there are none: a text without a full stop, as the reason of an error. */
const char *fnd_contact_tangent_make(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                                     const fnd_frame *frames, const fnd_contact *contact, fnd_contact_tangent *tangent);
/* Of a column. */
fnd_wrench_change fnd_contact_tangent_apply(const fnd_contact_tangent *tangent, const fnd_frame_change *a,
                                            const fnd_frame_change *b, int column);
/* How the separation of two shapes changes, from the levers and the normal of their nearest points. */
double fnd_separation_change(const fnd_contact *nearest, const fnd_frame_change *a, const fnd_frame_change *b);
/* The force [N] with which a contact of these nearest points begins or ends: at depth 0, with its present motion. */
double fnd_contact_force_at_touch(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                                  int type, const fnd_contact *nearest);

#endif
