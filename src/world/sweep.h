/* Steps that would take a shape through another unseen. */
#ifndef FND_WORLD_SWEEP_H
#define FND_WORLD_SWEEP_H

#include "world/world.h"

typedef struct fnd_sweep {
    double part;          /* of the step that may be taken; 1: all of it */
    int shape_a, shape_b; /* the two because of which; -1 */
    double speed;         /* m/s; of any point of one against the other, at most */
    int64_t looks;        /* distances asked for */
} fnd_sweep;

/* Which part of the step of that length, whose end is in the trial arrays, may be taken, so that no touch within it
 * goes unseen. */
fnd_sweep fnd_sweep_step(fender_world *world, double length);

#endif
