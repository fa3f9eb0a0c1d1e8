/* Results of `fender check`, and their output as text and JSON. */
#ifndef FND_APP_CHECK_H
#define FND_APP_CHECK_H

#include "app.h"
#include "describe.h"
#include "summary.h"

typedef struct fnd_app_check {
    fnd_app *app;
    const char *file;
    const fender_scenario *scenario;
    const fender_world *world;
    const fender_run_summary *summary; /* of the run that would be */
    fender_world_advice advice;
    double system_step; /* s; fender_scenario_stable_step */
} fnd_app_check;

void fnd_app_check_json(fnd_app_check *check);

#endif
