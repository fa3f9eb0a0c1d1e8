/* Summary of a run and step warnings, as text. */
#ifndef FND_FENDER_SUMMARY_H
#define FND_FENDER_SUMMARY_H

#include <fender/advice.h>

#include "app.h"

/* Title, sizes, method: known before the run. */
void fnd_app_summary_head(fnd_app_stream *to, const fender_run_summary *summary);
/* Contacts, energy, momentum, expectations, files. `world` gives the scale of the momentum; `proposed_step`
 * [s] is what to advise when a number cannot be trusted; 0: half the step. */
void fnd_app_summary_body(fnd_app_stream *to, const fender_run_summary *summary, const fender_world *world,
                          double proposed_step);

/* ---- Warnings about the step: for contact types, friction, what rests, links, fast pairs. */

/* A warning when the step is longer. */
void fnd_app_warn_of_system_step(fnd_app *app, const fender_world *world, double longest);
/* A warning for each contact type for which the step is too long. */
void fnd_app_warn_of_step(const fender_world_advice *advice, fnd_app *app);
/* Both before a run of the scenario. Returns the recommended step [s], or 0; negative: no memory. */
double fnd_app_look_at_step(fnd_app *app, const fender_run *run, const fender_scenario *scenario);
/* A warning of tiles of one terrain in several shapes. */
void fnd_app_warn_of_tiles(const fender_world *world, fnd_app *app);
void fnd_app_warn_of_joints(const fender_world *world, fnd_app *app);
/* A warning when a pair may pass through each other between two steps. */
void fnd_app_warn_of_speed(const fender_world_advice *advice, fnd_app *app);

#endif
