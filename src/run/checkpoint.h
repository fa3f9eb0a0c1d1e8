/* Checkpoints: what a run needs to go on in another process, bit for bit. */
#ifndef FND_RUN_CHECKPOINT_H
#define FND_RUN_CHECKPOINT_H

#include "run/run.h"
#include "run/walk.h"

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

/* ---- What a run remembers ---- */

/* Pointers, and what creation works out from the scenario, are not in it. False: no memory. */
bool fnd_run_walk(fnd_walk *w, fender_run *run);

#endif
