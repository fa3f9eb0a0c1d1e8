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

/* Loads a study and checks it, its scenario, and trial inputs: those of a run, of the first 100, that the scenario
 * accepts, and the bounds of every variable, of a discrete one each value. Diagnostics with their location in the study
 * file go to env->report, and so do the warnings of the run that is accepted. `runs`: instead of the number of the
 * study, at most 1000000000; 0: that of the study. Designs that determine their number accept no other one. NULL on
 * failure. */
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
/* The same as text: one YAML file without includes and overrides. Files that it names are relative to the folder of
 * the study's scenario. */
FENDER_API fender_status fender_study_print(const fender_study *study, const fender_env *env, int64_t run,
                                            void (*put)(void *ctx, const char *text), void *ctx, fender_error *error);
/* The inputs of a run as overrides of the scenario. The list and its strings are valid until the settings are
 * destroyed.
 */
typedef struct fender_study_settings fender_study_settings;
FENDER_API fender_study_settings *fender_study_settings_create(const fender_study *study, const fender_env *env,
                                                               int64_t run, fender_error *error);
FENDER_API const fender_override *fender_study_settings_list(const fender_study_settings *settings, int *count);
FENDER_API void fender_study_settings_destroy(fender_study_settings *settings); /* accepts NULL */

/* Outcomes in their order, success the last where the study has one. "" for an index that there is not. */
FENDER_API int fender_study_outcome_count(const fender_study *study);
FENDER_API const char *fender_study_outcome_name(const fender_study *study, int index);

enum { FENDER_STUDY_TOLD = 8 };
typedef struct fender_study_progress {
    int64_t done, total; /* runs of this shard; `done` includes runs that the store already contained */
    int64_t failed;      /* failed runs of this call */
    int64_t succeeded;   /* successful runs of this call */
    int64_t done_now;    /* runs of this call */
    int64_t came_about[FENDER_STUDY_TOLD]; /* the first outcomes: how often, in runs of this call */
    double wall_time;                      /* s */
} fender_study_progress;

typedef struct fender_study_def {
    const fender_study *study;
    const char *store;          /* path; created or continued. FILE if it belongs to another study */
    int jobs;                   /* number of threads; 0: one per core */
    int64_t shard, shard_count; /* runs k with k % shard_count == shard; 0, 0: all; other shards of 0 are refused */
    bool (*progress)(void *ctx, const fender_study_progress *progress); /* called five times per second; may be NULL.
                                                                           Returning false ends the study
                                                                           (INTERRUPTED) */
    void *progress_ctx;
} fender_study_def;

/* Executes the runs that the store does not contain. A failed run is a row with its reason. Completed runs remain in
 * the store after any failure, and the same call continues the study. */
FENDER_API fender_status fender_study_run(const fender_env *env, const fender_study_def *def,
                                          fender_study_progress *result, fender_error *error);
/* Where an outcome's probability crosses the value that the study's section `boundary` states, as one variable goes
 * from bound to bound and all others vary. Each place that is tried has a store of its own in `directory`, which is
 * made when it is not there; the same call goes on with them. ARGUMENT without that section. */
typedef struct fender_study_boundary_def {
    const fender_study *study;
    const char *directory;
    int jobs;                                                           /* as in fender_study_def */
    bool (*progress)(void *ctx, const fender_study_progress *progress); /* of the runs at one place; NULL: none */
    void *progress_ctx;
} fender_study_boundary_def;
typedef struct fender_boundary_place {
    double x; /* value of the variable, in its unit */
    int64_t runs, hits;
    double low, high; /* of the probability: each bound by itself holds with the error of one look */
    int verdict;      /* 1: at least the probability, -1: less, 0: not told */
} fender_boundary_place;
enum { FENDER_BOUNDARY_PLACES = 128 };
typedef struct fender_study_boundary_result {
    const char *variable, *unit, *outcome; /* live as long as the study */
    bool smallest;                         /* the outcome gets more likely as the variable grows */
    bool crossed;                          /* verdicts contradict that: there is no one boundary */
    double probability, confidence;
    double low, high; /* hold the boundary with that confidence; infinite: beyond the bounds of the variable */
    double estimate;  /* NaN: none */
    fender_boundary_place places[FENDER_BOUNDARY_PLACES];
    int place_count;
} fender_study_boundary_result;
FENDER_API fender_status fender_study_boundary(const fender_env *env, const fender_study_boundary_def *def,
                                               fender_study_boundary_result *result, fender_error *error);
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

/* How many rows a store has of how many runs, and which run is the first that is missing (-1: none). Runs after a stop
 * that is reached do not count. */
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

/* The same at a stated confidence of all intervals, with tolerance limits (Wilks) for a stated share of all values, and
 * with the sensitivities of designs made for them. ARGUMENT when a share is not between 0 and 1. */
typedef struct fender_study_report_def {
    const char *store;
    double confidence, content; /* 0: 0.95 */
    void (*put)(void *ctx, const char *text);
    void *ctx;
    bool json; /* one JSON object (docs/manual/study.md) instead of text */
} fender_study_report_def;
FENDER_API fender_status fender_study_report_at(const fender_env *env, const fender_study_report_def *def,
                                                fender_error *error);

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
