/* Stores: a study's text, columns and rows in one SQLite file. */
#ifndef FND_STUDY_STORE_H
#define FND_STUDY_STORE_H

#include "study/study.h"

typedef struct fnd_study_store fnd_study_store;

/* One process works on a store at a time, from the lock on a file beside it to the unlock, which removes that file. */
enum { FND_STORE_NAME_LIMIT = 1000 };
typedef struct fnd_store_lock {
    char path[FND_STORE_NAME_LIMIT + 20];
    int descriptor; /* -1: none */
} fnd_store_lock;
/* FILE when another process has it. */
fender_status fnd_study_store_lock(fnd_store_lock *lock, const char *store, fender_error *error);
void fnd_study_store_unlock(fnd_store_lock *lock);

/* Creates the file, or goes on with it; FILE when it belongs to another study. */
fnd_study_store *fnd_study_store_open(const fender_env *env, const char *path, const fender_study *study,
                                      fender_error *error);
/* Marks the runs that it holds: a bit each. */
fender_status fnd_study_store_done(fnd_study_store *store, unsigned char *bits, int64_t runs, fender_error *error);
/* Outcomes of the runs that it holds. */
fender_status fnd_study_store_outcomes(fnd_study_store *store,
                                       void (*take)(void *ctx, int64_t run, const double *outcomes), void *ctx,
                                       fender_error *error);
fender_status fnd_study_store_put(fnd_study_store *store, const fnd_row *row, fender_error *error);
/* Makes what was put lasting, unless another program reads the store at present: then a later call does. */
fender_status fnd_study_store_commit(fnd_study_store *store, fender_error *error);
/* Makes all lasting; waits a minute at most for programs that read the store. */
fender_status fnd_study_store_finish(fnd_study_store *store, fender_error *error);
void fnd_study_store_close(fnd_study_store *store); /* NULL is fine */
/* As fender_study_merge, by who has the lock of `out`. */
fender_status fnd_study_store_merge(const fender_env *env, const char *out, const char *const *stores, int count,
                                    fender_error *error);

typedef enum fnd_column_kind { FND_COLUMN_INPUT, FND_COLUMN_KEPT, FND_COLUMN_OUTCOME } fnd_column_kind;
typedef struct fnd_store_column {
    fnd_column_kind kind;
    const char *name, *unit, *detail;
    double *values;     /* one a row; NaN: none */
    const char **texts; /* of discrete inputs; NULL elsewhere */
    double *numbers;    /* of texts that are all numbers of one kind: in SI; NULL elsewhere */
} fnd_store_column;
/* A store read back, rows in the order of runs. */
typedef struct fnd_results {
    fnd_arena arena;
    const char *title, *version, *hash, *text, *design, *stop; /* design: its name, count, levels, seed */
    int64_t runs, rows;                                        /* of the study; in the store */
    fnd_store_column *columns;
    int column_count;
    int64_t *run;
    int *status; /* fnd_row_status */
    const char **reasons, **hashes;
} fnd_results;
fender_status fnd_results_read(fnd_results *results, const fender_env *env, const char *path, fender_error *error);
void fnd_results_release(fnd_results *results);

#endif
