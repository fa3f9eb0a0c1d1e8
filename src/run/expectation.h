/* Expectations: what a scenario says must come out, followed through the run and judged at its end. */
#ifndef FND_RUN_EXPECTATION_H
#define FND_RUN_EXPECTATION_H

#include "run/action.h"
#include "run/resolve.h"
#include "support/memory.h"

enum { FND_EXPECTATION_TEXT_SIZE = 640 };

typedef struct fnd_expectation_state {
    const fnd_expectation *source;
    fender_channel channel;
    double equals, within, above, below; /* above -inf, below inf: no bound */
    bool has_equals;
    int64_t at_step;
    int event; /* kind */
    fnd_selector pair[2];
    fender_link_id link; /* of an event; null: any */
    fnd_condition_tree when;
    double value;               /* NaN: not reached, or nothing happened */
    bool found;                 /* its condition has been true */
    double before, before_time; /* of a channel at an event: at the accepted state before */
} fnd_expectation_state;

typedef struct fnd_expectation_table {
    fnd_expectation_state *states;
    fender_expectation_result *results;
    char (*texts)[FND_EXPECTATION_TEXT_SIZE];
    int count, met;
} fnd_expectation_table;

/* Will it have a value when its condition becomes true? */
static inline bool fnd_expectation_waits(const fnd_expectation_state *state)
{
    return state->source->when && !state->found;
}

/* Diagnostics go to the resolver; false when there is no memory. */
bool fnd_expectation_resolve(const fnd_resolver *resolver, const fender_scenario *scenario, fnd_arena *arena,
                             fnd_expectation_table *table);
/* To be called when an action has been carried out. */
void fnd_expectation_note_action(fnd_expectation_table *table, int action, double time);
/* To be called with all events, in order. */
void fnd_expectation_note_events(fnd_expectation_table *table, const fnd_instant *instant);
/* To be called at every accepted state and those on the grid, once and in order. */
void fnd_expectation_follow(fnd_expectation_table *table, const fnd_instant *instant);
/* At such a state, or one within a step at which a condition has become true: keeps what waits for one. */
void fnd_expectation_follow_conditions(fnd_expectation_table *table, const fnd_instant *instant);
/* The next time after now that a condition names for which a value waits; INFINITY: none. */
double fnd_expectation_next_time(const fnd_expectation_table *table, double now);
/* Judges. `at_end`: the run was not cut short, so that values at the end mean the end. */
void fnd_expectation_finish(fnd_expectation_table *table, const fender_world *world, const fnd_history *history,
                            bool at_end);

#endif
