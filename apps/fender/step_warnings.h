/* Warnings about the step: for contact types, friction, what rests, links, fast pairs. */
#ifndef FND_APP_STEP_WARNINGS_H
#define FND_APP_STEP_WARNINGS_H

#include <fender/advice.h>

#include "app.h"

/* A warning when the step is longer. */
void fnd_app_warn_of_system_step(fnd_app *app, const fender_world *world, double longest);
/* A warning for each contact type for which the step is too long. */
void fnd_app_warn_of_step(const fender_world_advice *advice, fnd_app *app);
/* A warning when a pair may pass through each other between two steps. */
void fnd_app_warn_of_speed(const fender_world_advice *advice, fnd_app *app);

#endif
