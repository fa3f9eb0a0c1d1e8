/* What is printed from the table of commands besides --help: manual pages, and completion for shells. */
#ifndef FND_APP_PAGES_H
#define FND_APP_PAGES_H

#include "app.h"

/* `fender info man`: the names of all pages; with a name ("fender" or a command), that page. Returns the exit code. */
int fnd_app_info_man(fnd_app *app, const char *name);
/* `fender info completion`: the names of the shells; with one, its script. */
int fnd_app_info_completion(fnd_app *app, const char *name);

#endif
