/* fender/convergence.h - convergence studies: a scenario at refined steps or tolerances, with the observed order and
 * error bar of every result, as `fender converge` prints them. Library fender_io. */
#ifndef FENDER_CONVERGENCE_H
#define FENDER_CONVERGENCE_H

#include "io.h"

/* ---- a sequence of refined values ---- */

enum { FENDER_REFINEMENT_LEVELS = 10, FENDER_REFINEMENT_COMPONENTS = 3 };

typedef enum fender_refinement_kind {
    FENDER_REFINEMENT_NONE,       /* fewer than two values */
    FENDER_REFINEMENT_SAME,       /* the same value at every level */
    FENDER_REFINEMENT_ASYMPTOTIC, /* v + a h^p fits: extrapolated */
    FENDER_REFINEMENT_ROUNDING,   /* the last difference is at rounding, so that no order can be observed */
    FENDER_REFINEMENT_DOUBTFUL    /* too few values, differences of changing sign, or an implausible order */
} fender_refinement_kind;

/* Values of a quantity at refined levels: the coarsest first, each finer than the previous one by `ratio`. */
typedef struct fender_sequence {
    double values[FENDER_REFINEMENT_LEVELS][FENDER_REFINEMENT_COMPONENTS]; /* NaN: no value at this level */
    int levels, components;
    double ratio, least_order, most_order; /* orders outside this range are rejected */
    double scale;                          /* lower bound of the magnitude by which rounding is detected; 0: none */
    double rounding;     /* smaller differences are rounding, whatever the magnitude; 0: 1e-13 of the magnitude alone */
    double formal_order; /* of the method: bars trust no higher one; 0: not known */
    bool uneven;         /* the error has parts that depend on where events fall in a step: no power of it fits */
    double grain; /* resolution of the coarsest level, finer levels in proportion: lower bound of the bars; 0: none */
} fender_sequence;

typedef struct fender_refinement {
    fender_refinement_kind kind;
    int first, last; /* range of levels used: the finest consecutive ones with a value; -1: none */
    double order;    /* from the three finest values; NaN: unknown */
    double limit[FENDER_REFINEMENT_COMPONENTS]; /* extrapolated if ASYMPTOTIC, else the finest value */
    /* Error bars. ASYMPTOTIC: at the last level 1.25 times its distance from the limit of an order no higher than the
     * formal one (Roache's grid convergence index); at others the distance from the limit, and as much as that bar is
     * above it. Otherwise the largest difference between this and finer levels (DOUBTFUL: between the three finest at
     * least; not below rounding). NaN: unknown. */
    double bars[FENDER_REFINEMENT_LEVELS];
} fender_refinement;

FENDER_API fender_refinement fender_refine(const fender_sequence *sequence);
/* Distance between the values of two levels. */
FENDER_API double fender_sequence_difference(const fender_sequence *sequence, int one, int other);
/* Largest magnitude of the values, or the scale if it is larger. */
FENDER_API double fender_sequence_size(const fender_sequence *sequence);

/* ---- a scenario ---- */

/* Definition of a convergence study. `load` creates the scenario of a level with additional overrides, which the
 * study destroys, or returns NULL and fills in the error; if `load` is NULL, scenarios are loaded from the file `path`
 * with `overrides`. */
typedef struct fender_convergence_def {
    size_t size; /* of this struct: set by fender_convergence_def_default */
    const char *path;
    const fender_override *overrides;
    int override_count;
    fender_scenario *(*load)(void *ctx, const fender_override *more, int count, fender_error *error);
    const char *const *channels; /* patterns of channels to be compared at the end, in addition */
    int channel_count;
    int level_count; /* 3 to FENDER_REFINEMENT_LEVELS; fixed steps are halved, tolerances are divided by 10 */
    double bound;    /* relative error for which a level is recommended; between 0 and 1 */
    /* Called with the run of a level before it begins, and with NULL after it, so that it can be cancelled. May be
     * NULL.
     */
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
    fender_run *run; /* owned by the study; NULL: none */
    fender_status status;
    fender_error error;
    bool complete; /* the run reached its end, whether or not expectations were met */
    /* Scales of errors, the largest over accepted states: m, of any body from its start; m/s, of any body; N s and N m
     * s, sums of the magnitudes of all bodies */
    double path, speed, momentum, angular_momentum;
} fender_convergence_level;

/* A compared number or vector. */
typedef struct fender_convergence_result {
    char group[300]; /* "contact veh1.hull:veh2.hull, time 2", "body veh1" */
    char name[224], unit[24];
    fender_sequence sequence;
    fender_refinement refinement;
} fender_convergence_result;

/* A pair with different numbers of contacts at different levels. */
typedef struct fender_convergence_stray {
    const char *contact;
    int counts[FENDER_REFINEMENT_LEVELS];
} fender_convergence_stray;

enum { FENDER_CONVERGENCE_CONTACTS = 1000, FENDER_CONVERGENCE_STRAYS = 100 };

typedef struct fender_convergence {
    fender_convergence_level levels[FENDER_REFINEMENT_LEVELS];
    int level_count;
    int levels_run;             /* levels that were run: all, unless memory was exhausted or a run interrupted */
    int finest;                 /* finest complete level; -1: none */
    int complete_count;         /* number of consecutive complete levels up to the finest; an order needs three */
    bool adaptive;              /* tolerances are refined instead of steps */
    bool first_order_by_events; /* contacts begin and end within steps of a method of higher order */
    bool jumps;                 /* a contact that is not located began or ended with a force */
    double time_grain;          /* s; resolution of contact times at the first level; 0: located */
    double ratio, bound, least_order, most_order, formal_order;
    fender_convergence_result *results;
    int result_count;
    fender_convergence_stray strays[FENDER_CONVERGENCE_STRAYS];
    int stray_count;
    int recommended;     /* coarsest level from which on all error bars are within the bound; -1: none */
    int contacts_cut;    /* number of contacts beyond the first FENDER_CONVERGENCE_CONTACTS, which are not compared */
    fender_env env;      /* private */
    size_t results_size; /* private */
    double until;        /* private: s; the end that all levels share; NaN: the scenario's */
} fender_convergence;

/* Runs all levels and compares their contacts, bodies, energy, expectations and the given channels. NULL if nothing
 * was run: the scenario was refused, a channel is unknown, or MEMORY. Otherwise *status is INTERRUPTED or MEMORY at
 * the last level (nothing was compared), or OK, even if levels failed. Diagnostics are passed to env->report once,
 * for the first reading. Runs write no files. Must not be called from two threads with one `ctx`. */
FENDER_API fender_convergence *fender_convergence_run(const fender_env *env, const fender_convergence_def *def,
                                                      fender_status *status, fender_error *error);
FENDER_API void fender_convergence_destroy(fender_convergence *c); /* accepts NULL */
/* Error bar of a result at a level, relative to its scale (a contact's duration, the path of the bodies and so on),
 * or to its value without one; infinite: unknown. */
FENDER_API double fender_convergence_part(const fender_convergence_result *result, int level);
/* The result with the largest relative error bar at a level; NULL if there are no results. */
FENDER_API const fender_convergence_result *fender_convergence_worst(const fender_convergence *c, int level);

#endif
