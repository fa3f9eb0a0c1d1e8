/* One state as the parts of a run see it: accepted, or within a step. */
#ifndef FND_RUN_MOMENT_H
#define FND_RUN_MOMENT_H

#include <fender/io.h>

#include "record/channel.h"

typedef struct fnd_moment {
    const fender_world *world;
    int64_t step; /* multiples of integrator.step since the start, the last one reached */
    bool on_grid; /* that one is now */
    double time;
    const fender_event *events; /* of this step; of the initial state at step 0 */
    int event_count;
    const int64_t *event_counts; /* since the start, by kind, those that actions emit behind those of the world */
    const fnd_event_names *event_names; /* of emitted events */
    fender_ledger ledger;
} fnd_moment;

#endif
