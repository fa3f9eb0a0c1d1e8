/* Texts of a scenario that mean something in the built world alone, and the moment that all that follow a run are told
 * of. */
#ifndef FND_RUN_RESOLVE_H
#define FND_RUN_RESOLVE_H

#include <fender/io.h>

#include "record/channel.h"
#include "scenario/diagnose.h"
#include "scenario/scenario.h"

typedef struct fnd_instant {
    const fender_world *world;
    int64_t step;  /* multiples of integrator.step since the start, the last one reached */
    bool on_grid;  /* that one is now */
    bool accepted; /* else it is a state within a step, which is only looked at */
    double time;
    const fender_event *events; /* of this step; of the initial state at step 0 */
    int event_count;
    const fnd_history *history;
    const fnd_event_names *event_names; /* of emitted events */
    fender_ledger ledger;
} fnd_instant;

/* ---- Texts of a scenario that mean something in the built world alone: channels, numbers in their units, pairs,
 * times. */

typedef struct fnd_resolver {
    const fender_world *world;
    const fender_scenario *scenario;
    fnd_diagnostics *diagnostics;
    double step, start_time;            /* s */
    int64_t last_step;                  /* of the run */
    const fnd_event_names *event_names; /* that actions emit */
    bool values_only;                   /* of the run: nothing is kept for explanations */
    fnd_slides *slides;                 /* that the run follows for channels */
} fnd_resolver;

/* Each adds a diagnostic at the text's place and returns false when it cannot be done. */

/* A pattern that must name one number. */
bool fnd_resolve_channel(const fnd_resolver *resolver, const fnd_located_text *text, fender_channel *channel);
/* Has the run keep what a channel needs of the time since the start. */
void fnd_resolver_keep(const fnd_resolver *resolver, const fender_channel *channel);
/* The section `fmu`: its inputs are commands, its outputs channels. */
void fnd_resolve_fmu(const fnd_resolver *resolver);
/* A number in the unit of a channel; *value stays when no text is given. */
bool fnd_resolve_number(const fnd_resolver *resolver, const fnd_located_text *text, const char *unit, double *value);
/* A period as a whole number of steps, at least one. */
bool fnd_resolve_period(const fnd_resolver *resolver, double period, const fnd_location *location, int64_t *steps);
/* A time of the run as a number of steps. */
bool fnd_resolve_time(const fnd_resolver *resolver, double time, const fnd_location *location, int64_t *step);

/* One side of a pair: a body, a shape, or anything. */
typedef struct fnd_selector {
    fender_body_id body;   /* null: anything */
    fender_shape_id shape; /* null: any of the body */
} fnd_selector;
/* "veh1" or "veh1.hull"; no text: anything. */
bool fnd_resolve_selector(const fnd_resolver *resolver, const fnd_located_text *text, fnd_selector *selector);
/* Warns where no shapes of the two may touch. */
void fnd_resolve_touch(const fnd_resolver *resolver, const fnd_selector pair[2], const fnd_location *location);
/* Warns of thrusters that draw from a tank from which a detachment parts them: they do not end by it. */
void fnd_resolve_tanks(const fnd_resolver *resolver, const fnd_action *action, const fnd_operation *detach);
/* "A:B" of two such; no text: any two. */
bool fnd_resolve_pair(const fnd_resolver *resolver, const fnd_located_text *text, fnd_selector pair[2]);
/* A point of a body, both by their index in the scenario; the structure frame for -1. */
fender_body_frame fnd_resolve_body_frame(const fnd_resolver *resolver, int body, int point);
/* The kind of an event by its name; false after a diagnostic. */
bool fnd_resolve_event(const fnd_resolver *resolver, const fnd_located_text *text, int *kind);
/* True if the event belongs to the link; any event if `wanted` is null. */
static inline bool fnd_link_fits(fender_link_id wanted, const fender_event *event)
{
    return wanted.index1 == 0 || (event->subject == FENDER_SUBJECT_LINK && wanted.index1 == event->link.link.index1);
}
/* Does an event belong to the two sides? Contacts join shapes, attachments and links bodies;
 * what is emitted belongs to none. */
bool fnd_event_fits(const fender_world *world, const fnd_selector pair[2], const fender_event *event);
/* True if the contact is between the two sides, in either order. */
bool fnd_pair_fits(const fender_world *world, const fnd_selector pair[2], fender_shape_id a, fender_shape_id b);

/* "10 ms" for people. */
void fnd_duration_text(double seconds, char text[48]);
/* seconds / step, and whether it is whole within 1e-9 of itself. */
double fnd_step_ratio(double seconds, double step, bool *whole);

#endif
