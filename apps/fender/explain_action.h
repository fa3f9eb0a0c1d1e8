/* `fender explain RUN ACTION`. */
#ifndef FND_FENDER_EXPLAIN_ACTION_H
#define FND_FENDER_EXPLAIN_ACTION_H

#include "app.h"

/* Of the two arguments of the command. Returns the exit code. */
int fnd_app_explain_action(fnd_app *app);

#endif
