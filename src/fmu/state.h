/* States of an instance as bytes, and what of an instance they need. */
#ifndef FND_FMU_STATE_H
#define FND_FMU_STATE_H

#include "fmu/instance.h"

/* One that was handed out. */
typedef struct fnd_fmu_state {
    struct fnd_fmu_state *next;
    size_t size;
    char bytes[];
} fnd_fmu_state;

/* Another world for the present parameters and start time. */
fender_status fnd_fmu_rebuild(fnd_fmu_instance *instance, fender_error *error);

#endif
