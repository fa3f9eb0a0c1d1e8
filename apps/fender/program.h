/* The program as a function, so that tests can run it with an environment of their own. */
#ifndef FND_APP_PROGRAM_H
#define FND_APP_PROGRAM_H

#include <fender/base.h>

/* Exit codes of every command. */
typedef enum fnd_app_exit {
    FND_APP_OK = 0,
    FND_APP_RUN_FAILED = 1,
    FND_APP_USAGE = 2,
    FND_APP_INPUT = 3,
    FND_APP_FILE = 4,
    FND_APP_EXPECTATION = 5,
    FND_APP_RESIDUAL = 6,
    FND_APP_INTERRUPTED = 130
} fnd_app_exit;

/* Runs one command and returns its exit code. All memory comes from env->allocator; env->report is replaced by the
 * program's own. Writes to file descriptors 1 and 2. */
int fender_program_main(int argc, char **argv, const fender_env *env);

#endif
