/* Steps that would take a shape through a mesh. */
#ifndef FND_WORLD_SWEEP_H
#define FND_WORLD_SWEEP_H

#include "world/world.h"

/* Which part of the step that is tried may be taken, so that no middle of a shape passes the triangles of a mesh; 1:
 * all. The frames of the evaluation are overwritten. */
double fnd_sweep_part(fender_world *world, double length);

#endif
