/* Checkpoints: what a run needs to go on in another process, bit for bit. */
#ifndef FND_RUN_CHECKPOINT_H
#define FND_RUN_CHECKPOINT_H

#include <string.h>

#include "run/run.h"
#include "support/memory.h"

typedef struct fnd_serializer {
    fnd_buffer *to; /* NULL: reading */
    const char *from;
    size_t at, size;
    bool failed; /* reading: the bytes do not fit */
} fnd_serializer;

static inline void fnd_serialize_bytes(fnd_serializer *w, void *memory, size_t size)
{
    if (w->to) {
        fnd_buffer_append(w->to, memory, size);
        return;
    }
    w->failed = w->failed || size > w->size - w->at;
    if (w->failed) return;
    if (size > 0) memcpy(memory, w->from + w->at, size);
    w->at += size;
}
#define FND_SERIALIZE(w, object) fnd_serialize_bytes((w), &(object), sizeof(object))

/* A bool must have one of two values for any bytes. */
static inline void fnd_serialize_flag(fnd_serializer *w, bool *flag)
{
    unsigned char byte = *flag;
    FND_SERIALIZE(w, byte);
    *flag = byte != 0;
}

/* A number from `low` to `high`. */
static inline void fnd_serialize_int(fnd_serializer *w, int *number, int low, int high)
{
    int value = *number;
    FND_SERIALIZE(w, value);
    w->failed = w->failed || value < low || value > high;
    if (!w->failed) *number = value;
}

/* ---- Checkpoints: what a run needs to go on in another process, bit for bit. */

/* To be called at the end of every accepted step: hashes are written or compared, and a checkpoint is saved when one is
 * due. *last: the run ends with this state; set when nothing is left to compare. */
fender_status fnd_run_keep(fender_run *run, bool *last, fender_error *error);
/* Saves the present state, all files synced before. The checkpoint before it stays. */
fender_status fnd_checkpoint_save(fender_run *run, fender_error *error);
/* In place of opening the files of a new run: takes the newest whole checkpoint of the directory, opens the files
 * behind what they held at it, and puts world and run into its state. FILE or STATE, with nothing touched, when that
 * cannot be. */
fender_status fnd_checkpoint_resume(fender_run *run, fender_error *error);
/* Removes what a run leaves that needs no resuming. */
void fnd_checkpoint_remove(const fender_run *run);
/* The step that failed has left the world at its last accepted state: saves that beside the other files, and says so in
 * the suggestion of the error. */
void fnd_run_save_last_good(const fender_run *run, fender_status status, fender_error *error);

/* The present state of a run without files, with that of its world, as bytes: for hosts that go back. False: no
 * memory. */
bool fnd_run_append_state(fender_run *run, fnd_buffer *to);
/* Puts a run of the same definition into that state. One that has begun cannot become one that has not (STATE). FILE
 * for other bytes; the run is then of no use. */
fender_status fnd_run_restore_state(fender_run *run, const void *bytes, size_t size, fender_error *error);

/* ---- What a run remembers ---- */

#endif
