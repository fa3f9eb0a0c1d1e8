/* The summary of a run as text: what happened, and beside each number what a reader may mistrust in it. */
#ifndef FND_APP_SUMMARY_H
#define FND_APP_SUMMARY_H

#include "app.h"

/* Title, sizes, method: known before the run. */
void fnd_app_summary_head(fnd_app_stream *to, const fender_run_summary *summary);
/* Contacts, energy, momentum, expectations, files. `world` gives the scale of the momentum; `proposed_step`
 * [s] is what to advise when a number cannot be trusted; 0: half the step. */
void fnd_app_summary_body(fnd_app_stream *to, const fender_run_summary *summary, const fender_world *world,
                          double proposed_step);

#endif
