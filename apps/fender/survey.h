/* What the pairs of a world ask of the step: how each contact type is used, and which pair is fastest for its size. */
#ifndef FND_APP_SURVEY_H
#define FND_APP_SURVEY_H

#include "app.h"
#include "friction_advice.h"
#include "step_advice.h"

/* Pairs grow with the square: beyond this many shapes (12 million pairs, a second) they are not looked at one by one.
 */
enum { FND_APP_SURVEY_SHAPES = 5000 };
/* So many pairs that may touch are shown one by one. */
enum { FND_APP_SURVEY_PAIRS = 20 };

/* How a contact type is used. */
typedef struct fnd_app_type_use {
    fender_contact_type_def type;
    int64_t pairs;               /* that may touch by it */
    fender_shape_id lightest[2]; /* the pair of least reduced mass */
    fnd_app_step_advice advice;  /* for that pair */
    fender_shape_id resting[2];  /* of those with a shape that stands, the pair of least reduced mass */
    double resting_mass;         /* kg; 0: there is none */
    bool step_too_long;
    double sideways;             /* N/kg; the largest load times mobility of its pairs */
    double mobility, load;       /* 1/kg, N; of that pair */
    fender_shape_id slippery[2]; /* that pair */
    fnd_app_friction_advice friction;
    bool friction_too_stiff; /* for the step */
} fnd_app_type_use;

typedef struct fnd_app_pair_use {
    fender_shape_id a, b;
    int use; /* index into the uses */
} fnd_app_pair_use;

typedef struct fnd_app_survey {
    const fender_world *world;
    fnd_app_type_use *uses; /* by contact type */
    size_t uses_size;
    int use_count;
    bool pairs_counted; /* false: more shapes than are looked at in pairs */
    int64_t reasons[FENDER_PAIR_NO_STATE + 1];
    fnd_app_pair_use pairs[FND_APP_SURVEY_PAIRS]; /* the first that may touch */
    int pair_count;
    double *mobility; /* 1/kg; by shape, sideways */
    size_t mobility_size;
    double proposed_step;       /* s; of the types for which the step is too long, the shortest; 0: there are none */
    fender_shape_id fastest[2]; /* of the pairs that approach at the start, the one that crosses its smaller body in the
                                   shortest time */
    double crossing_time;       /* s; infinite: none approaches */
} fnd_app_survey;

/* False when there is no memory; nothing is to be ended then. */
bool fnd_app_survey_begin(fnd_app_survey *survey, const fnd_app *app, const fender_world *world);
void fnd_app_survey_end(fnd_app_survey *survey, const fnd_app *app);
/* s; fender_world_stable_step of what touches and links at the start; INFINITY: nothing does, or it is not known. The
 * scenario is built anew, only where it has links or contacts. */
double fnd_app_system_step(const fnd_app *app, const fender_scenario *scenario, const fender_world *world);
/* A warning when the step is longer. */
void fnd_app_warn_of_system_step(fnd_app *app, const fender_world *world, double longest);
/* A warning for each contact type for which the step is too long. */
void fnd_app_survey_warn_of_step(const fnd_app_survey *survey, fnd_app *app);
/* A warning when a pair may pass through each other between two steps. */
void fnd_app_survey_warn_of_speed(const fnd_app_survey *survey, fnd_app *app);

#endif
