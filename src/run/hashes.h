/* Hashes of the world along a run: written down, and compared with those of a run that is repeated. */
#ifndef FND_RUN_HASHES_H
#define FND_RUN_HASHES_H

#include "run/moment.h"
#include "tables/table.h"

/* hashes.csv. */
typedef struct fnd_hash_log {
    fnd_table table;
    fnd_table_mark mark; /* of the last fnd_table_sync, or where to go on */
    int64_t period;      /* steps */
    int64_t intervals;   /* that had passed at the last row; -1: none yet */
    double last_time;    /* s; of the last row */
} fnd_hash_log;

/* period: steps of the grid between two rows; a row is of the first accepted state at or behind its grid point. go_on:
 * with a file that was written before, from its mark. */
fender_status fnd_hash_log_open(fnd_hash_log *log, const fender_env *env, const char *directory, int64_t period,
                                bool go_on, fender_error *error);
/* `last`: the run ends here, so that this state has a row in any case. */
fender_status fnd_hash_log_follow(fnd_hash_log *log, const fnd_moment *moment, bool last, fender_error *error);

typedef struct fnd_hash_row {
    double time;
    int64_t step;
    uint64_t hash;
} fnd_hash_row;

/* The rows of such a file, and how far they were compared. */
typedef struct fnd_hash_check {
    fnd_hash_row *rows;
    size_t count, capacity;
    size_t at; /* the next row */
    bool differs;
} fnd_hash_check;

/* FILE when there is no such file, PARSE with the line when it is not one. On failure there is nothing to release. */
fender_status fnd_hash_check_read(fnd_hash_check *check, const fender_env *env, const char *directory,
                                  fender_error *error);
void fnd_hash_check_release(fnd_hash_check *check, const fender_env *env);
/* Compares the state when there is a row for it; a row whose time is passed over differs. False: nothing is left to
 * compare, or it differs. */
bool fnd_hash_check_follow(fnd_hash_check *check, const fnd_moment *moment);

#endif
