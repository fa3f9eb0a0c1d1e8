/* `debug: true` of a contact type: the life of its contacts told to the host. */
#ifndef FND_RUN_DEBUG_H
#define FND_RUN_DEBUG_H

#include "run/run.h"

/* A note through env.report for each event of such a contact among those of the moment. */
void fnd_debug_tell(const fender_run *run);

#endif
