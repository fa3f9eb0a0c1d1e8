/* Results of `fender check`, and their output as text and JSON. */
#ifndef FND_APP_CHECK_H
#define FND_APP_CHECK_H

#include "app.h"
#include "describe.h"
#include "summary.h"

/* The indices of the shapes or points of each body, in order: from fnd_app_first_part by `next` until -1. */
typedef struct fnd_app_parts {
    int *first, *next;
    uint32_t owners;
    size_t size;
} fnd_app_parts;

typedef struct fnd_app_check {
    fnd_app *app;
    const char *file;
    const fender_scenario *scenario;
    const fender_world *world;
    const fender_run_summary *summary; /* of the run that would be */
    fender_world_advice advice;
    double system_step; /* s; fender_scenario_stable_step */
    fnd_app_parts shapes, points;
} fnd_app_check;

bool fnd_app_check_list(fnd_app_check *check); /* false: not enough memory */
void fnd_app_check_release(fnd_app_check *check);
int fnd_app_first_part(const fnd_app_parts *parts, fender_body_id body);

void fnd_app_check_json(fnd_app_check *check);

#endif
