/* The topics of `fender info` that have files of their own. */
#ifndef FND_APP_INFO_H
#define FND_APP_INFO_H

#include "app.h"
#include "support/io_error.h"

/* Each lists all for name NULL, else shows what the name stands for. Returns the exit code. */
int fnd_app_info_laws(fnd_app *app, const char *name);
int fnd_app_info_links(fnd_app *app, const char *name);
int fnd_app_info_loads(fnd_app *app, const char *name);
/* Names of the topics; NULL past the end. */
const char *fnd_app_info_topic_at(int index);
/* "no law is named 'x'", with the nearest name and the command that lists them. */
int fnd_app_info_unknown(fnd_app *app, const char *kind, const char *name, const fnd_nearest *search, const char *list);

#endif
