/* fender/host.h - for programs with their own integrator: the state of a world as a vector, and its rates. */
#ifndef FENDER_HOST_H
#define FENDER_HOST_H

#include "world.h"

/* The state vector y has 13 numbers for each dynamic body, in order of creation: position of the centre of mass [m, W],
 * q_WB (w x y z), velocity of the centre of mass [m/s, W], angular momentum about it [N m s, W]. Quaternions need not
 * have unit length. */
#define FENDER_STATE_PER_BODY 13
FENDER_API int fender_world_state_count(const fender_world *world);
FENDER_API void fender_world_get_state(const fender_world *world, double *y); /* committed */
/* Sets a trial state. The committed state is kept until commit; the next step discards the trial state. */
FENDER_API fender_status fender_world_set_state(fender_world *world, double time, const double *y, fender_error *error);
/* Computes dy/dt at the last set state, or at the committed state if none was set since the last accepted step. Changes
 * only evaluated values. */
FENDER_API fender_status fender_world_derivative(fender_world *world, double *ydot, fender_error *error);
/* Evaluates contacts at the last set state, for hosts that read wrenches (clock EVALUATED) and compute rates
 * themselves. */
FENDER_API fender_status fender_world_evaluate(fender_world *world, fender_error *error);
/* Accepts the last set state: contacts begin and end, laws are updated, events are created. Impulses and losses between
 * two commits are integrated by the trapezoidal rule over the accepted states. Calls of fender_world_step and commit
 * may alternate. */
FENDER_API fender_status fender_world_commit(fender_world *world, fender_error *error);

#endif
