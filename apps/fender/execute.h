/* Carrying out a run that a command has prepared. */
#ifndef FND_APP_EXECUTE_H
#define FND_APP_EXECUTE_H

#include "app.h"

/* Creates the run, executes it with progress and Ctrl-C, prints its summary; or, when it is compared with another, what
 * that gave. `consequence` stands behind a failure before the first step ("nothing was run"). Returns the exit code. */
int fnd_app_run(fnd_app *app, const fender_run_def *def, const char *consequence);

#endif
