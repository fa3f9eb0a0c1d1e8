/* A scenario at refined steps or tolerances: the levels, what is compared between them, and how it is shown. */
#ifndef FND_APP_CONVERGE_H
#define FND_APP_CONVERGE_H

#include "app.h"
#include "refinement.h"

/* One run. */
typedef struct fnd_converge_level {
    double value; /* step [s] or relative tolerance */
    char label[FND_APP_NUMBER_SIZE];
    fender_scenario *scenario;
    fender_run *run; /* kept to its end; NULL: there was none */
    fender_status status;
    fender_error error;
    bool complete; /* came to its end, expectations met or not */
} fnd_converge_level;

/* A number, or a vector, that every level has. */
typedef struct fnd_converge_result {
    char group[300]; /* "contact veh1.hull:veh2.hull, time 2", "body veh1" */
    char name[224], unit[24];
    fnd_sequence sequence;
    fnd_refinement refinement;
} fnd_converge_result;

/* A contact that does not happen equally often at all levels. */
typedef struct fnd_converge_stray {
    const char *contact;
    int counts[FND_REFINEMENT_LEVELS];
} fnd_converge_stray;

enum { FND_CONVERGE_CONTACTS = 1000, FND_CONVERGE_STRAYS = 100 };

typedef struct fnd_converge {
    fnd_app *app;
    fnd_converge_level levels[FND_REFINEMENT_LEVELS];
    int level_count;
    int finest;                 /* the finest level that is complete; -1: none */
    int complete_count;         /* levels in a row that are, up to that one */
    bool adaptive;              /* tolerances are refined, not steps */
    bool first_order_by_events; /* contacts begin and end within steps of a method of higher order */
    double time_grain;          /* s; how well times of contacts are known at the first level; 0: they are located */
    double ratio, bound, least_order, most_order;
    fnd_converge_result *results;
    size_t results_size;
    int result_count;
    fnd_converge_stray strays[FND_CONVERGE_STRAYS];
    int stray_count;
    int recommended;  /* the coarsest level whose bars are all within the bound; -1: none */
    int contacts_cut; /* contacts beyond the first FND_CONVERGE_CONTACTS */
} fnd_converge;

/* Gathers results from the levels' runs and refines them. Returns an exit code, errors told. */
int fnd_converge_collect(fnd_converge *c);
/* A result's bar at a level, as part of its scale (a contact's duration, the way of the bodies and the like), or of its
 * own size when it has none; infinite: not known. */
double fnd_converge_part(const fnd_converge_result *result, int level);
/* The result with the largest part at a level; NULL: there are no results. */
const fnd_converge_result *fnd_converge_worst(const fnd_converge *c, int level);
void fnd_converge_text(const fnd_converge *c);
void fnd_converge_json(const fnd_converge *c);

#endif
