/* Derivatives of loads and links by differences of their own evaluation. */
#ifndef FND_DYNAMICS_TANGENT_LOCAL_H
#define FND_DYNAMICS_TANGENT_LOCAL_H

#include "contact/tangent.h"
#include "dynamics/dynamics.h"

/* A wrench on one or two roots: derivatives of force and torque about the centre of mass of each, by the position,
 * rotation vector, velocity and angular velocity of each. */
typedef struct fnd_local_tangent {
    int root[2];            /* -1: none */
    double by[2][12][2][6]; /* by a number of one root, of the wrench on one */
} fnd_local_tangent;

/* Why a load or link that acts has no derivatives, or NULL. */
const char *fnd_load_tangent_refuses(const fnd_load *load, const fnd_dynamics *dynamics);
const char *fnd_link_tangent_refuses(const fnd_link *link, const fnd_link_value *value);

/* Fills the derivatives at these frames, which are changed and restored. False: it does not act. */
bool fnd_load_tangent_make(const fnd_load *load, const fnd_dynamics *dynamics, fnd_frame *frames,
                           fnd_local_tangent *tangent);
bool fnd_link_tangent_make(const fnd_link *link, const fnd_dynamics *dynamics, fnd_frame *frames,
                           fnd_local_tangent *tangent);
/* Adds a column's change of the wrench on one of the roots. */
void fnd_local_tangent_apply(const fnd_local_tangent *tangent, int on, const fnd_frame_change *first,
                             const fnd_frame_change *second, fender_vec3 *force, fender_vec3 *torque);

#endif
