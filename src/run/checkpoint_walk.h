/* The walk over everything that a run remembers. */
#ifndef FND_RUN_CHECKPOINT_WALK_H
#define FND_RUN_CHECKPOINT_WALK_H

#include "run/run.h"
#include "run/walk.h"

/* Pointers, and what creation works out from the scenario, are not in it. False: no memory. */
bool fnd_run_walk(fnd_walk *w, fender_run *run);

#endif
