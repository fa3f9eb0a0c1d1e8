/* fender/study.h - studies: many runs of one scenario with varied inputs, and their results in a store. Library
 * fender_io.
 *
 * A study file (docs/formats/study.md) defines the varied inputs, the number of runs, the kept values and the criterion
 * of success. The inputs of run k depend only on the study and on k, not on threads, shards or order. A store is an
 * SQLite file; a complete one has the same bytes however its runs were distributed. In builds without SQLite, functions
 * of stores return NOT_BUILT. SQLite does not allocate from `env`. */
#ifndef FENDER_STUDY_H
#define FENDER_STUDY_H

#include "io.h"

typedef struct fender_study fender_study;

/* Loads a study and checks it, its scenario, and trial inputs at the bounds of every variable. Diagnostics with their
 * location in the study file go to env->report. `runs` > 0 replaces the number of runs, for designs that have one. NULL
 * on failure. */
FENDER_API fender_study *fender_study_load(const fender_env *env, const char *path, int64_t runs, fender_error *error);
FENDER_API void fender_study_destroy(fender_study *study);            /* accepts NULL */
FENDER_API const char *fender_study_title(const fender_study *study); /* "" without title */
FENDER_API int64_t fender_study_run_count(const fender_study *study);
/* Hash of everything that determines the results: the texts of study and scenario, and the number of runs. */
FENDER_API uint64_t fender_study_hash(const fender_study *study);
/* The scenario of a run, with its inputs. NULL on failure, for instance if the scenario refuses a value. Destroy it
 * with fender_scenario_destroy. */
FENDER_API fender_scenario *fender_study_scenario(const fender_study *study, const fender_env *env, int64_t run,
                                                  fender_error *error);
/* The inputs of a run as overrides of the scenario. The list and its strings are valid until the settings are
 * destroyed.
 */
typedef struct fender_study_settings fender_study_settings;
FENDER_API fender_study_settings *fender_study_settings_create(const fender_study *study, const fender_env *env,
                                                               int64_t run, fender_error *error);
FENDER_API const fender_override *fender_study_settings_list(const fender_study_settings *settings, int *count);
FENDER_API void fender_study_settings_destroy(fender_study_settings *settings); /* accepts NULL */

typedef struct fender_study_progress {
    int64_t done, total; /* runs of this shard; `done` includes runs that the store already contained */
    int64_t failed;      /* failed runs of this call */
    int64_t succeeded;   /* successful runs of this call */
    int64_t done_now;    /* runs of this call */
    double wall_time;    /* s */
} fender_study_progress;

typedef struct fender_study_def {
    const fender_study *study;
    const char *store;          /* path; created or continued. FILE if it belongs to another study */
    int jobs;                   /* number of threads; 0: one per core */
    int64_t shard, shard_count; /* runs k with k % shard_count == shard; 0, 0: all */
    bool (*progress)(void *ctx, const fender_study_progress *progress); /* called five times per second; may be NULL.
                                                                           Returning false ends the study
                                                                           (INTERRUPTED) */
    void *progress_ctx;
} fender_study_def;

/* Executes the runs that the store does not contain. A failed run is a row with its reason. Completed runs remain in
 * the store after any failure, and the same call continues the study. */
FENDER_API fender_status fender_study_run(const fender_env *env, const fender_study_def *def,
                                          fender_study_progress *result, fender_error *error);
/* Merges stores into `out`, which is replaced atomically at the end. FILE, with the file, if a store belongs to another
 * study. */
FENDER_API fender_status fender_study_merge(const fender_env *env, const char *out, const char *const *stores,
                                            int count, fender_error *error);
/* Writes all rows as CSV, in the order of runs: inputs, kept values, outcomes, hashes. */
FENDER_API fender_status fender_study_export(const fender_env *env, const char *store, const char *csv,
                                             fender_error *error);
/* Writes the statistics of a store as text: probabilities with exact binomial intervals (Clopper-Pearson), means and
 * quantiles with intervals, rank correlations. `put` receives the text in pieces. */
FENDER_API fender_status fender_study_report(const fender_env *env, const char *store,
                                             void (*put)(void *ctx, const char *text), void *ctx, fender_error *error);

/* Writes a self-contained HTML page: the report, outcomes over the two inputs that correlate with them most, the
 * convergence of each probability, histograms, and the first runs without success. */
FENDER_API fender_status fender_study_page(const fender_env *env, const char *store, const char *html,
                                           fender_error *error);

#endif
