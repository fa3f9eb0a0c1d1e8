/* Reading of HDF5 files tried apart: HDF5 falls over some damaged files, and goes round in circles in others. */
#ifndef FND_APP_TRIAL_H
#define FND_APP_TRIAL_H

#include "app.h"

/* Does the work in a process of its own, which is ended after so many seconds. 0: it was done; else the number of the
 * signal that ended it, SIGALRM when that was the time. What cannot be started counts as done. */
int fnd_app_apart(void (*work)(void *ctx), void *ctx, unsigned seconds);

/* Reads the HDF5 files of a recording (a file or a run directory) apart, as fender_recording_open does. FILE when HDF5
 * fails over one of them; OK for all others, whatever else fender_recording_open has to say of them. */
fender_status fnd_app_try_recording(const fnd_app *app, const char *name, const char *time, fender_error *error);

#endif
