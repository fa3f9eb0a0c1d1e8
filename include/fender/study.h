/* fender/study.h - studies: one scenario, many runs, values drawn by a design, results in a store. Library fender_io.
 *
 * A study file (docs/formats/study.md) says what varies, how often, what is kept and what counts as success. The inputs
 * of run k depend on the study and k alone: never on threads, shards or order. A store is one SQLite file; a complete
 * one has the same bytes however its runs were distributed. Stores need a build with SQLite, else NOT_BUILT; SQLite's
 * own memory is not taken from `env`. */
#ifndef FENDER_STUDY_H
#define FENDER_STUDY_H

#include "io.h"

typedef struct fender_study fender_study;

/* Reads and checks the study, its scenario, and trial inputs at the bounds of every variable; diagnostics go through
 * env->report, at their places in the study file. runs > 0 replaces the number of runs of designs that take one. NULL
 * on failure. */
FENDER_API fender_study *fender_study_load(const fender_env *env, const char *path, int64_t runs, fender_error *error);
FENDER_API void fender_study_destroy(fender_study *study);            /* NULL is fine */
FENDER_API const char *fender_study_title(const fender_study *study); /* "" when there is none */
FENDER_API int64_t fender_study_run_count(const fender_study *study);
/* A hash of everything that its results follow from: the texts of study and scenario, the number of runs. */
FENDER_API uint64_t fender_study_hash(const fender_study *study);
/* The inputs of a run, as a scenario of its own. NULL on failure: values that the scenario refuses. */
FENDER_API fender_scenario *fender_study_scenario(const fender_study *study, const fender_env *env, int64_t run,
                                                  fender_error *error);
/* The same as a text: one YAML file without includes and overrides. Files that it names are relative to the folder of
 * the study's scenario. */
FENDER_API fender_status fender_study_print(const fender_study *study, const fender_env *env, int64_t run,
                                            void (*put)(void *ctx, const char *text), void *ctx, fender_error *error);
/* The same inputs as settings of the scenario; texts live as long as the study's memory `settings`, which the caller
 * destroys. */
typedef struct fender_study_settings fender_study_settings;
FENDER_API fender_study_settings *fender_study_settings_create(const fender_study *study, const fender_env *env,
                                                               int64_t run, fender_error *error);
FENDER_API const fender_override *fender_study_settings_list(const fender_study_settings *settings, int *count);
FENDER_API void fender_study_settings_destroy(fender_study_settings *settings); /* NULL is fine */

/* Outcomes in their order, success the last where the study has one. "" for an index that there is not. */
FENDER_API int fender_study_outcome_count(const fender_study *study);
FENDER_API const char *fender_study_outcome_name(const fender_study *study, int index);

enum { FENDER_STUDY_TOLD = 8 };
typedef struct fender_study_progress {
    int64_t done, total; /* of this shard; done includes runs that the store held already */
    int64_t failed;      /* among those done now */
    int64_t succeeded;   /* among those done now */
    int64_t done_now;
    int64_t came_about[FENDER_STUDY_TOLD]; /* the first outcomes, among those done now */
    double wall_time;                      /* s */
} fender_study_progress;

typedef struct fender_study_def {
    const fender_study *study;
    const char *store;          /* created, or gone on with; FILE when it belongs to another study */
    int jobs;                   /* threads; 0: one for each core */
    int64_t shard, shard_count; /* runs k with k % shard_count == shard; 0, 0: all */
    bool (*progress)(void *ctx, const fender_study_progress *progress); /* five times a second; NULL: none. Returning
                                                                           false ends the study (INTERRUPTED) */
    void *progress_ctx;
} fender_study_def;

/* Carries out the runs that the store does not hold. A run that fails is a row with its reason. What was done stays in
 * the store, whatever happens; the same call goes on. */
FENDER_API fender_status fender_study_run(const fender_env *env, const fender_study_def *def,
                                          fender_study_progress *result, fender_error *error);
/* One store of all. FILE, naming the file, for stores of different studies. `out` is replaced at the end, in one step.
 */
FENDER_API fender_status fender_study_merge(const fender_env *env, const char *out, const char *const *stores,
                                            int count, fender_error *error);
/* All rows in the order of runs: inputs, kept values, outcomes, hashes. */
FENDER_API fender_status fender_study_export(const fender_env *env, const char *store, const char *csv,
                                             fender_error *error);
/* The figures of a store as text: probabilities with exact binomial intervals (Clopper-Pearson), means and quantiles
 * with intervals, rank correlations. `put` gets it in pieces. */
FENDER_API fender_status fender_study_report(const fender_env *env, const char *store,
                                             void (*put)(void *ctx, const char *text), void *ctx, fender_error *error);

/* One self-contained HTML page: probabilities, outcomes over two inputs, parallel coordinates, convergence,
 * sensitivities, histograms, the worst runs. Points and rows lead to the reports of runs that lie beside the page,
 * NAME_K.run/report.html with the hash of the row, or to the command that makes one. */
FENDER_API fender_status fender_study_page(const fender_env *env, const char *store, const char *html,
                                           fender_error *error);

typedef struct fender_study_plot_def {
    const char *store;
    const char *output; /* FILE.svg: all in one picture; else a folder, made where it is missing: a file each */
    const char *what;   /* some of "outcomes,convergence,sensitivities,histograms,parallel"; NULL: all */
    const char *of;     /* the column that they are about; NULL: all */
    const char *x, *y;  /* inputs of outcomes; NULL: the two that they go with most */
} fender_study_plot_def;

/* The figures of a store as SVG; *count (may be NULL): how many. */
FENDER_API fender_status fender_study_plot(const fender_env *env, const fender_study_plot_def *def, int *count,
                                           fender_error *error);

#endif
