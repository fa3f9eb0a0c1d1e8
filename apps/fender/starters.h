/* Starter scenarios: the files of samples/scenarios, embedded when the program is built. */
#ifndef FND_APP_STARTERS_H
#define FND_APP_STARTERS_H

#include <stddef.h>

typedef struct fnd_app_starter {
    const char *name; /* of the file, without its ending */
    const char *text; /* terminated */
    size_t length;
} fnd_app_starter;

/* In the order of their names; ends with a starter whose name is NULL. The file is generated. */
extern const fnd_app_starter fnd_app_starters[];

#endif
