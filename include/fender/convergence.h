/* fender/convergence.h - a scenario at refined steps or tolerances: observed order and error bar of every result.
 * `fender converge` prints it. Library fender_io. */
#ifndef FENDER_CONVERGENCE_H
#define FENDER_CONVERGENCE_H

#include "io.h"

/* ---- a sequence of refined values ---- */

enum { FENDER_REFINEMENT_LEVELS = 10, FENDER_REFINEMENT_COMPONENTS = 3 };

typedef enum fender_refinement_kind {
    FENDER_REFINEMENT_NONE,       /* fewer than two values: nothing is known */
    FENDER_REFINEMENT_SAME,       /* the same value at every level */
    FENDER_REFINEMENT_ASYMPTOTIC, /* v + a h^p fits: extrapolated */
    FENDER_REFINEMENT_ROUNDING, /* the last difference is that of rounding, which the order allows: no order to be seen
                                 */
    FENDER_REFINEMENT_DOUBTFUL  /* too few values, signs that change, or an order that cannot be */
} fender_refinement_kind;

/* Of a sequence: coarsest level first, each finer than the one before by `ratio`. */
typedef struct fender_sequence {
    double values[FENDER_REFINEMENT_LEVELS][FENDER_REFINEMENT_COMPONENTS]; /* NaN: this level has none */
    int levels, components;
    double ratio, least_order, most_order; /* an order outside of these is not believed */
    double scale; /* what differences are compared with, to know rounding, where the values are smaller; 0: nothing */
    double
        grain; /* what the coarsest level can tell apart, finer levels in proportion; 0: anything. No bar is below it */
} fender_sequence;

typedef struct fender_refinement {
    fender_refinement_kind kind;
    int first, last; /* levels that were used: the finest that have a value without a gap; -1: none */
    double order;    /* of the three finest values; NaN when it cannot be told */
    double limit[FENDER_REFINEMENT_COMPONENTS]; /* extrapolated when ASYMPTOTIC, else the finest value */
    /* ASYMPTOTIC: distance from the limit. Else the largest difference from this level on (of the three finest at
     * least when DOUBTFUL; not below rounding). NaN: not known. */
    double bars[FENDER_REFINEMENT_LEVELS];
} fender_refinement;

FENDER_API fender_refinement fender_refine(const fender_sequence *sequence);
/* Distance of the values of two levels. */
FENDER_API double fender_sequence_difference(const fender_sequence *sequence, int one, int other);
/* The largest value, or the scale when that is larger. */
FENDER_API double fender_sequence_size(const fender_sequence *sequence);

/* ---- a scenario ---- */

/* Definition of the study. `load` makes the scenario of a level with additional overrides; NULL: from the file
 * `path` with `overrides`. */
typedef struct fender_convergence_def {
    size_t size; /* of this struct: set by fender_convergence_def_default */
    const char *path;
    const fender_override *overrides;
    int override_count;
    fender_scenario *(*load)(void *ctx, const fender_override *more, int count, fender_error *error);
    const char *const *channels; /* patterns: compared at the end, too */
    int channel_count;
    int level_count; /* 3 to FENDER_REFINEMENT_LEVELS; a fixed step is halved, tolerances are divided by 10 */
    double bound;    /* the relative error for which a level is recommended; between 0 and 1 */
    /* Called before a level's run begins, and with NULL after it, for callers that cancel runs; may be NULL. */
    void (*watch)(void *ctx, fender_run *run);
    bool (*progress)(void *ctx, const fender_progress *progress); /* as in fender_run_def; may be NULL */
    void *ctx;
} fender_convergence_def;
/* Four levels, bound 1e-3. */
FENDER_API fender_convergence_def fender_convergence_def_default(void);

/* One run. */
typedef struct fender_convergence_level {
    double value; /* step [s] or relative tolerance */
    fender_scenario *scenario;
    fender_run *run; /* kept to its end; NULL: there was none */
    fender_status status;
    fender_error error;
    bool complete; /* came to its end, expectations met or not */
} fender_convergence_level;

/* A number, or a vector, that every level has. */
typedef struct fender_convergence_result {
    char group[300]; /* "contact veh1.hull:veh2.hull, time 2", "body veh1" */
    char name[224], unit[24];
    fender_sequence sequence;
    fender_refinement refinement;
} fender_convergence_result;

/* A contact that does not happen equally often at all levels. */
typedef struct fender_convergence_stray {
    const char *contact;
    int counts[FENDER_REFINEMENT_LEVELS];
} fender_convergence_stray;

enum { FENDER_CONVERGENCE_CONTACTS = 1000, FENDER_CONVERGENCE_STRAYS = 100 };

typedef struct fender_convergence {
    fender_convergence_level levels[FENDER_REFINEMENT_LEVELS];
    int level_count;
    int levels_run;             /* how many of them; all, unless memory ended or a run was interrupted */
    int finest;                 /* the finest level that is complete; -1: none */
    int complete_count;         /* levels in a row that are, up to that one; an order needs three */
    bool adaptive;              /* tolerances are refined, not steps */
    bool first_order_by_events; /* contacts begin and end within steps of a method of higher order */
    double time_grain;          /* s; how well times of contacts are known at the first level; 0: they are located */
    double ratio, bound, least_order, most_order;
    fender_convergence_result *results;
    int result_count;
    fender_convergence_stray strays[FENDER_CONVERGENCE_STRAYS];
    int stray_count;
    int recommended;     /* the coarsest level whose bars are all within the bound; -1: none */
    int contacts_cut;    /* contacts beyond the first FENDER_CONVERGENCE_CONTACTS */
    fender_env env;      /* private */
    size_t results_size; /* private */
} fender_convergence;

/* Runs all levels and compares their contacts, bodies, energy, expectations and the given channels. NULL if nothing
 * was run: the scenario was refused, a channel is unknown, or MEMORY. Otherwise *status is INTERRUPTED or MEMORY at
 * the last level (nothing was compared), or OK, even if levels failed. Diagnostics are passed to env->report once,
 * for the first reading. Runs write no files. Must not be called from two threads with one `ctx`. */
FENDER_API fender_convergence *fender_convergence_run(const fender_env *env, const fender_convergence_def *def,
                                                      fender_status *status, fender_error *error);
FENDER_API void fender_convergence_destroy(fender_convergence *c); /* NULL is fine */
/* Error bar of a result at a level, relative to its scale (a contact's duration, the path of the bodies and so on),
 * or to its value without one; infinite: unknown. */
FENDER_API double fender_convergence_part(const fender_convergence_result *result, int level);
/* The result with the largest part at a level; NULL: there are no results. */
FENDER_API const fender_convergence_result *fender_convergence_worst(const fender_convergence *c, int level);

#endif
