/* What a replay shows: poses of all bodies at some thousand states, and the contacts of those states. */
#ifndef FND_RUN_FRAMES_H
#define FND_RUN_FRAMES_H

#include "run/moment.h"
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
fender_status fnd_frames_follow(fnd_frames *frames, const fnd_moment *moment, bool last, fender_error *error);
fender_status fnd_frames_close(fnd_frames *frames, fender_error *error);

#endif
