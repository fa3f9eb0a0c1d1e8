/* Actions of a scenario: resolved in the world, followed from state to state, carried out between two steps. */
#ifndef FND_RUN_ACTION_H
#define FND_RUN_ACTION_H

#include "run/condition.h"

enum { FND_ATTACHMENT_CAPACITY = 1000, FND_EMISSION_CAPACITY = 1000 };

typedef struct fnd_action_operation {
    const fnd_operation *source;
    fender_body_id body, other;
    fender_point_id point, other_point;
    fender_shape_id shape;
    fender_load_id load;
    fender_link_id link;
} fnd_action_operation;

typedef struct fnd_action_state {
    const fnd_action *source;
    fnd_condition_tree when;
    fnd_action_operation *operations;
    bool held, done;
} fnd_action_state;

typedef struct fnd_action_list {
    fnd_action_state *states;
    int count;
    fender_attachment *attachments;
    fender_emission *emissions;
    int attachment_count, emission_count;
    int64_t attachments_dropped, emissions_dropped;
} fnd_action_list;

struct fender_run;

/* Findings go to the resolver; false when there is no memory. */
bool fnd_action_resolve(const fnd_resolver *resolver, fnd_arena *arena, fnd_action_list *list);
/* To be called with all events, in order. */
void fnd_action_note_events(fnd_action_list *list, const fnd_moment *moment);
/* Would an action begin at this state, which is only looked at? */
bool fnd_action_would_begin(const fnd_action_list *list, const fnd_moment *moment);
/* The next time after now at which one may begin; INFINITY: none. */
double fnd_action_next_time(const fnd_action_list *list, double now);
/* Carries out what is due at the state that was just accepted, in file order. *acted: something was. Ends with the
 * first refusal, which the error puts into its place in the file. */
fender_status fnd_action_follow(struct fender_run *run, bool *acted, fender_error *error);

#endif
