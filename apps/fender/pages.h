/* What is printed from the table of commands besides --help: manual pages, and completion for shells. */
#ifndef FND_APP_PAGES_H
#define FND_APP_PAGES_H

#include "app.h"

/* `fender info man`: the names of all pages; with a name ("fender" or a command), that page. Returns the exit code. */
int fnd_app_info_man(fnd_app *app, const char *name);
/* `fender info completion`: the names of the shells; with one, its script. */
int fnd_app_info_completion(fnd_app *app, const char *name);

/* One word of `arguments` without brackets and dots. */
typedef struct fnd_app_argument {
    char word[24];
    bool repeated; /* the last one, with dots behind it */
} fnd_app_argument;
enum { FND_APP_ARGUMENTS_MOST = 4 };
/* Splits the arguments of a command ("RUN CHANNEL..." is RUN and, repeated, CHANNEL). Returns their number. */
int fnd_app_arguments_split(const fnd_app_command *command, fnd_app_argument words[FND_APP_ARGUMENTS_MOST]);

#endif
