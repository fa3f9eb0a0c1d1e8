/* The rows of the table of commands. */
#ifndef FND_COMMAND_SETTINGS_H
#define FND_COMMAND_SETTINGS_H

#include <fender/command.h>

/* What a name begins with, which decides what the row's functions find in command.id. */
typedef enum fnd_command_object {
    FND_COMMAND_LOAD,  /* "loads.NAME." */
    FND_COMMAND_LINK,  /* "links.NAME." */
    FND_COMMAND_BODY,  /* "bodies.NAME." */
    FND_COMMAND_SHAPE, /* "bodies.NAME.shapes.NAME." */
    FND_COMMAND_WORLD  /* "world." */
} fnd_command_object;

typedef struct fnd_command_row {
    fnd_command_object object;
    const char *path; /* as it is listed: "loads.NAME.force"; the last word is the command's */
    const char *unit, *doc;
    int count;
    bool is_switch;
    /* Whether this object has the command: NULL: every one of its kind. */
    bool (*has)(const fender_world *world, const fender_command *command);
    /* `values` are finite; all `count` of them. */
    fender_status (*set)(fender_world *world, const fender_command *command, const double *values, fender_error *error);
    fender_status (*get)(const fender_world *world, const fender_command *command, double *values);
    /* Refuses values that `set` would refuse in any state of the world; NULL: there are none. */
    fender_status (*check)(const fender_world *world, const fender_command *command, const double *values,
                           fender_error *error);
} fnd_command_row;

/* NULL past the end. */
const fnd_command_row *fnd_command_row_at(int index);
/* Those of links beyond `active`, which come last (link_settings.c). */
const fnd_command_row *fnd_link_command_row_at(int index);

#endif
