/* Files for replay and verification: poses and contacts at some thousand states, hashes of the world. */
#ifndef FND_RUN_REPLAY_H
#define FND_RUN_REPLAY_H

#include "run/recording.h"
#include "run/resolve.h"
#include "tables/table.h"

typedef struct fnd_frames {
    fnd_table replay, contacts;
    int64_t period;   /* steps */
    double last_time; /* s; of the last frame; NaN: none yet */
    bool contacts_full;
    fnd_table_mark replay_mark, contacts_mark; /* of the last fnd_frames_sync, or where to go on */
} fnd_frames;

/* Steps between two frames of a run of that many steps: a whole number, so that frames fall on accepted states. */
int64_t fnd_frames_period(int64_t steps, int body_count);
/* go_on: with files that were written before, from their marks; then the other members are what they were. */
fender_status fnd_frames_open(fnd_frames *frames, const fender_env *env, const fender_world *world,
                              const char *directory, int64_t period, bool go_on, fender_error *error);
/* All rows so far are on the disk, and the marks say how far, when this returns OK. */
fender_status fnd_frames_sync(fnd_frames *frames, fender_error *error);
/* `last`: the run ends here, so that this state is a frame in any case. */
fender_status fnd_frames_follow(fnd_frames *frames, const fnd_instant *instant, bool last, fender_error *error);
fender_status fnd_frames_close(fnd_frames *frames, fender_error *error);

/* ---- Hashes of the world along a run: written down, and compared with those of a run that is repeated. */

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
fender_status fnd_hash_log_follow(fnd_hash_log *log, const fnd_instant *instant, bool last, fender_error *error);

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
bool fnd_hash_check_follow(fnd_hash_check *check, const fnd_instant *instant);

/* ---- Tables with a row for each contact of a state. */

fender_status fnd_contact_rows_open(fnd_table *table, const fnd_table_location *location, const fnd_table_mark *from,
                                    fender_error *error);
/* A row for each pair that touches, the sum of its contacts, and for each touching point of a cloud; until the table
 * has `limit` rows. `type`: of contacts of that type alone; NULL: of all. */
fender_status fnd_contact_rows_write(fnd_table *table, const fnd_instant *instant, const fender_contact_type_id *type,
                                     int64_t limit, fender_error *error);

#endif
