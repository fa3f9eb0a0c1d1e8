/* The first time within a proposed step at which a condition becomes true. */
#ifndef FND_RUN_WATCH_H
#define FND_RUN_WATCH_H

#include "run/resolve.h"
#include "support/memory.h"

#include <fender/world.h>

enum { FND_WATCH_TURNS = 32 };

/* Memory of the search. */
typedef struct fnd_step_watch {
    double *values[4]; /* margins of all nodes of all conditions at four times */
    double *rates;     /* 1/s; largest rates of these margins in the present step */
    int count;         /* of each */
    bool everywhere;   /* looks are taken at every point of the grid */
    bool keeping;      /* the conditions are those of values that are kept, which end no step */
    int64_t looks;     /* taken so far */
    /* of the present step */
    double turns[FND_WATCH_TURNS]; /* s; where a part of a condition came nearest without holding */
    int turn_count;
} fnd_step_watch;

struct fender_run;

/* False: no memory. */
bool fnd_watch_create(struct fender_run *run, fnd_arena *arena);
/* *at: the first time within the proposed step at which an action would act, the run would stop or a duration would
 * begin to count; its end when there is none. What ceases to hold before *at is taken in; nothing on
 * failure. */
fender_status fnd_watch_find(struct fender_run *run, const fender_proposal *proposal, double *at, fender_error *error);
/* Takes in values that are kept where conditions become true within the step that is about to be accepted, and ends it
 * at none of them: what is kept changes no bit of a run. */
fender_status fnd_watch_keep(struct fender_run *run, const fender_proposal *proposal, fender_error *error);
/* Takes in how near conditions are at the state that is shown within the step. */
void fnd_watch_note_nearness(struct fender_run *run, const fnd_instant *instant);
/* The same where parts of conditions came nearest between the looks before `end`. */
fender_status fnd_watch_finish(struct fender_run *run, double end, fender_error *error);
/* Ends the watch of the step. What ceased to hold within one that is not accepted holds as before. */
void fnd_watch_end(struct fender_run *run, bool accepted);

#endif
