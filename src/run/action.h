/* Conditions: when a run stops, when actions act; and the actions. */
#ifndef FND_RUN_ACTION_H
#define FND_RUN_ACTION_H

#include "run/nearness.h"
#include "run/resolve.h"
#include "support/memory.h"

typedef struct fnd_condition_node {
    fnd_condition_kind kind;
    int end; /* index behind the last descendant */
    int64_t step;
    double time; /* s */
    fender_channel channel;
    double above, below; /* -inf, inf: no bound */
    fnd_selector pair[2];
    int64_t contacts;   /* of the pair that exist */
    int64_t at_least;   /* of them that are asked for, */
    double duration;    /* s; for so long without a break */
    double since;       /* s; when they became that many, when the action was carried out last, or when a condition with
                           a duration became true; INFINITY: not so */
    double released_at; /* s; within the present step, when a look found that it holds no more; -INFINITY: not so */
    double before;      /* `since` before that */
    int action;         /* index */
    bool released;      /* a contact of the pair has ended */
    int event;          /* kind */
    fender_link_id link; /* of the event; null: any */
    bool happened;       /* an event that fits, since the state before */
    fender_body_frame points[2];
    double closer_than, half_angle_sine, slower_than; /* infinite: no bound */
} fnd_condition_node;

/* A tree, parents before children. */
typedef struct fnd_condition_tree {
    fnd_condition_node *nodes;
    fnd_nearness *nearness; /* NULL: nobody asks */
    int count;
    bool located; /* times are met exactly, not at the end of a step */
    bool watched; /* may become true between two events */
    bool timed;   /* durations are counted from when a condition becomes true */
    bool forces;  /* what it reads depends on them, and not on motion alone */
} fnd_condition_tree;

/* Diagnostics go to the resolver; false when there is no memory. A condition of kind NONE gives an empty tree. */
bool fnd_condition_resolve(const fnd_resolver *resolver, const fnd_condition *condition, fnd_arena *arena,
                           fnd_condition_tree *tree);
/* To be called when an action has been carried out. */
void fnd_condition_note_action(fnd_condition_tree *tree, int action, double time);
/* Would a duration begin to count? Changes nothing. */
bool fnd_condition_would_start(const fnd_condition_tree *tree, const fnd_instant *instant);
/* Does a duration count? */
bool fnd_condition_counts(const fnd_condition_tree *tree);
/* How far each node is from its limit, in parts of it: holds if above 0; +-INFINITY of what is no number. */
void fnd_condition_margins(const fnd_condition_tree *tree, const fnd_instant *instant, double *margins);
/* At a state within a step: ends the durations of what does not hold there, from then on. Those that were ended behind
 * `end` are taken back; all are forgotten with the step. */
void fnd_condition_release(fnd_condition_tree *tree, const fnd_instant *instant);
void fnd_condition_take_back(fnd_condition_tree *tree, double end);
void fnd_condition_forget(fnd_condition_tree *tree);
/* Since when it counts as of that time. */
static inline double fnd_condition_since(const fnd_condition_node *node, double time)
{
    return time < node->released_at ? node->before : node->since;
}
/* To be called with all events, in order. */
void fnd_condition_note_events(fnd_condition_tree *tree, const fnd_instant *instant);
/* Would it hold? Changes nothing: for states that are only looked at. */
bool fnd_condition_would_hold(const fnd_condition_tree *tree, const fnd_instant *instant);
/* The next time after now that it names; INFINITY: none. */
double fnd_condition_next_time(const fnd_condition_tree *tree, double now);
/* To be called at every accepted state once, in order. An empty tree never holds. */
bool fnd_condition_holds(fnd_condition_tree *tree, const fnd_instant *instant);

/* ---- Actions of a scenario: resolved in the world, followed from state to state, carried out between two steps. */

enum { FND_ATTACHMENT_CAPACITY = 1000, FND_EMISSION_CAPACITY = 1000, FND_ACTING_CAPACITY = 1000 };

typedef struct fnd_action_operation {
    const fnd_operation *source;
    fender_body_id body, other;
    fender_point_id point, other_point;
    fender_command command;
} fnd_action_operation;

typedef struct fnd_action_state {
    const fnd_action *source;
    fnd_condition_tree when;
    fnd_action_operation *operations;
    bool held, done;
    double released; /* s; within the present step, when it was held no more; -INFINITY: not so */
    double due;      /* s; with a delay, when it acts; INFINITY: it does not wait */
} fnd_action_state;

/* That an action was carried out. */
typedef struct fnd_acting {
    int action;
    double time;
} fnd_acting;

typedef struct fnd_action_list {
    fnd_action_state *states;
    int count;
    fender_attachment *attachments;
    fender_emission *emissions;
    fnd_acting *actings;
    int attachment_count, emission_count, acting_count;
    int64_t attachments_dropped, emissions_dropped, actings_dropped;
} fnd_action_list;

struct fender_run;

/* Diagnostics go to the resolver; false when there is no memory. */
bool fnd_condition_follow_nearness(const fnd_resolver *resolver, const fnd_condition *condition, fnd_arena *arena,
                                   fnd_condition_tree *tree);
bool fnd_action_resolve(const fnd_resolver *resolver, fnd_arena *arena, fnd_action_list *list);
/* To be called with all events, in order. */
void fnd_action_note_events(fnd_action_list *list, const fnd_instant *instant);
/* Would an action begin at this state, which is only looked at? */
bool fnd_action_would_begin(const fnd_action_list *list, const fnd_instant *instant);
/* The next time after now at which one may begin; INFINITY: none. */
double fnd_action_next_time(const fnd_action_list *list, double now);
/* Carries out what is due at the state that was just accepted, in file order. *acted: something was. Ends with the
 * first refusal, which the error puts into its place in the file. */
fender_status fnd_action_follow(struct fender_run *run, bool *acted, fender_error *error);

#endif
