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
/* The same inputs as settings of the scenario; texts live as long as the study's memory `settings`, which the caller
 * destroys. */
typedef struct fender_study_settings fender_study_settings;
FENDER_API fender_study_settings *fender_study_settings_create(const fender_study *study, const fender_env *env,
                                                               int64_t run, fender_error *error);
FENDER_API const fender_override *fender_study_settings_list(const fender_study_settings *settings, int *count);
FENDER_API void fender_study_settings_destroy(fender_study_settings *settings); /* NULL is fine */

typedef struct fender_study_progress {
    int64_t done, total; /* of this shard; done includes runs that the store held already */
    int64_t failed;      /* among those done now */
    int64_t succeeded;   /* among those done now */
    int64_t done_now;
    double wall_time; /* s */
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
/* ---- clusters: engines that start `fender study run --shard I/N` for every I */

typedef enum fender_study_engine {
    FENDER_STUDY_SLURM,    /* job arrays */
    FENDER_STUDY_PARALLEL, /* GNU parallel */
    FENDER_STUDY_MPI       /* mpirun; no library of MPI is used */
} fender_study_engine;

typedef struct fender_study_jobs_def {
    const fender_study *study;
    fender_study_engine engine;
    const char *folder;  /* created, or its scripts replaced: what shards hold is kept */
    const char *program; /* absolute path of fender, on all machines */
    int64_t runs;        /* that the study was loaded with; 0: its own number */
    int64_t shards;      /* 0: 100, or one for each run when there are fewer */
    int jobs;            /* threads of each shard; 0: one */
    const char *options; /* more options of sbatch, parallel or mpirun; NULL: none */
} fender_study_jobs_def;

/* Writes scripts into the folder, with absolute paths: shard.sh, merge.sh, and submit.sh, which hands all to the
 * engine. Nothing is started. *shards (NULL is fine): their number. */
FENDER_API fender_status fender_study_write_jobs(const fender_env *env, const fender_study_jobs_def *def,
                                                 int64_t *shards, fender_error *error);

/* How many rows a store has of how many runs, and which run is the first that is missing (-1: none). */
typedef struct fender_study_counts {
    int64_t rows, runs, first_missing;
} fender_study_counts;
FENDER_API fender_status fender_study_count(const fender_env *env, const char *store, fender_study_counts *counts,
                                            fender_error *error);
/* All rows in the order of runs: inputs, kept values, outcomes, hashes. */
FENDER_API fender_status fender_study_export(const fender_env *env, const char *store, const char *csv,
                                             fender_error *error);
/* The same as HDF5: a dataset for each column in the group `runs`, with its unit as an attribute. NOT_BUILT where HDF5
 * is not built in. */
FENDER_API fender_status fender_study_export_hdf5(const fender_env *env, const char *store, const char *file,
                                                  fender_error *error);
/* The figures of a store as text: probabilities with exact binomial intervals (Clopper-Pearson), means and quantiles
 * with intervals, rank correlations. `put` gets it in pieces. */
FENDER_API fender_status fender_study_report(const fender_env *env, const char *store,
                                             void (*put)(void *ctx, const char *text), void *ctx, fender_error *error);

/* One self-contained HTML page: the report, outcomes over the two inputs that they go with most, the convergence of
 * each probability, histograms, the first runs that were no success. */
FENDER_API fender_status fender_study_page(const fender_env *env, const char *store, const char *html,
                                           fender_error *error);

#endif
