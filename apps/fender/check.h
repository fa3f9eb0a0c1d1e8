/* What `fender check` found out about a scenario, and its two forms. */
#ifndef FND_APP_CHECK_H
#define FND_APP_CHECK_H

#include "app.h"
#include "describe.h"
#include "step_advice.h"

/* Pairs grow with the square: beyond this many shapes (12 million pairs, a second) they are not looked at one by one.
 */
enum { FND_APP_CHECK_SHAPES = 5000 };

/* How a contact type is used. */
typedef struct fnd_app_type_use {
    fender_contact_type_def type;
    int64_t pairs;               /* that may touch by it */
    fender_shape_id lightest[2]; /* the pair of least reduced mass */
    fnd_app_step_advice advice;  /* for that pair */
    bool step_too_long;
} fnd_app_type_use;

typedef struct fnd_app_check {
    fnd_app *app;
    const char *file;
    const fender_scenario *scenario;
    const fender_world *world;
    const fender_run_summary *summary; /* of the run that would be */
    fnd_app_type_use *uses;            /* by contact type */
    int use_count;
    bool pairs_counted; /* false: more shapes than are looked at in pairs */
    int64_t reasons[FENDER_PAIR_NO_STATE + 1];
} fnd_app_check;

void fnd_app_check_text(fnd_app_check *check);
void fnd_app_check_json(fnd_app_check *check);

#endif
