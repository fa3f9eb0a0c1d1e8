/* Calls of code that is not ours: a crash or a hang in it comes back as a sentence. */
#ifndef FND_APP_GUARD_H
#define FND_APP_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* As fender_run_def.guard. `ctx`: the limit of a call in seconds, a const double. False: the call crashed, aborted or
 * took longer; `what` says which. A call of exit in it ends the program with a message and the exit code 1. What the
 * code held then, such as memory and locks, is lost. One thread at a time. */
bool fnd_app_guard(void *ctx, void (*call)(void *argument), void *argument, char *what, size_t size);

/* While a command runs, whatever ends the process ends it with an error. */
void fnd_app_guard_command(bool runs);

#endif
