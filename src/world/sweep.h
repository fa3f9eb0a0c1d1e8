/* Steps that would take a shape through another unseen. */
#ifndef FND_WORLD_SWEEP_H
#define FND_WORLD_SWEEP_H

#include "world/world.h"

/* Which part of the step of that length, whose end is in the trial arrays, may be taken, so that no touch within it
 * goes unseen; 1: all. */
double fnd_sweep_part(const fender_world *world, double length);

#endif
