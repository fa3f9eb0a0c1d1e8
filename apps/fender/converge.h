/* What `fender converge` found, as text and as JSON. */
#ifndef FND_APP_CONVERGE_H
#define FND_APP_CONVERGE_H

#include <fender/convergence.h>

#include "app.h"

/* The step or tolerance of a level, for people. */
const char *fnd_app_converge_label(const fender_convergence *c, int level, char text[FND_APP_NUMBER_SIZE]);
void fnd_app_converge_text(fnd_app *app, const fender_convergence *c);
void fnd_app_converge_json(fnd_app *app, const fender_convergence *c);

#endif
