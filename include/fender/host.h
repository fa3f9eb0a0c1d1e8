/* fender/host.h - for programs that integrate by themselves: the state of a world as a vector, and its rates. */
#ifndef FENDER_HOST_H
#define FENDER_HOST_H

#include "world.h"

/* State vector y: for each dynamic body in order of creation 13 numbers: position of the centre of mass in W (3), q_WB
 * (4: w x y z), velocity of the centre of mass in W (3), angular momentum about it in W (3). The quaternion need not be
 * of unit length. */
#define FENDER_STATE_PER_BODY 13
FENDER_API int fender_world_state_count(const fender_world *world);
FENDER_API void fender_world_get_state(const fender_world *world, double *y); /* committed */
/* Tries a state: kept beside the committed one until commit, or until the next step throws it away. */
FENDER_API fender_status fender_world_set_state(fender_world *world, double time, const double *y, fender_error *error);
/* dy/dt at the state last set (committed, when none was set since the last accepted step). Changes nothing but the
 * evaluated clock. */
FENDER_API fender_status fender_world_derivative(fender_world *world, double *ydot, fender_error *error);
/* Evaluates contacts at the state last set, for hosts that read wrenches (clock EVALUATED) and integrate bodies
 * themselves. */
FENDER_API fender_status fender_world_evaluate(fender_world *world, fender_error *error);
/* The state last set is accepted: contacts begin and end, laws are updated, events appear. Between two commits impulses
 * and losses are integrated by the trapezoidal rule over the accepted states. The world's own step and commit may be
 * mixed. */
FENDER_API fender_status fender_world_commit(fender_world *world, fender_error *error);

#endif
