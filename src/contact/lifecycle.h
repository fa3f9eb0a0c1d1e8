/* Commit of contacts: what an accepted step does to each, and to pairs that touch as a whole. */
#ifndef FND_CONTACT_LIFECYCLE_H
#define FND_CONTACT_LIFECYCLE_H

#include "contact/contact_set.h"

/* ---- pairs ---- */

typedef struct fnd_pair_sum {
    uint32_t a, b;
    double impulse, damping_loss, friction_loss, work; /* of the step */
    fender_vec3 force_impulse;
    double stored, stored_at_start; /* J; now; change of what is counted as there from the start */
    double force, depth;            /* N, m; normal forces together, deepest, at the accepted state */
} fnd_pair_sum;

/* One contact more; a new pair begins a new sum. `before` NULL: it is new. `now` NULL: it is gone. */
void fnd_pair_sum_add(fnd_pair_sum *sum, const fnd_record *record, const fnd_record *before, const fnd_contact *now);
/* Books a step of the pair. */
void fnd_pair_sum_book(const fnd_pair_sum *sum, double time, fnd_record *pair);

/* ---- commit ---- */

#define FND_CONTACT_STATES (FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY) /* of all laws of one contact, at most */

/* What the touches of one sphere on a surface give up of their weights in the step, for those that gain. */
typedef struct fnd_facet_transfer {
    fnd_key key;                       /* of one of them */
    int receiver;                      /* place of the record that weighed most before; -1: none */
    double part;                       /* of each gain that comes from the others; 0: nothing does */
    double states[FND_CONTACT_STATES]; /* what they remember, mean over the weights given up */
} fnd_facet_transfer;

/* What a commit goes by, and what it changes. */
typedef struct fnd_commit {
    const fender_env *env;
    fnd_contact_set *set;
    const fnd_contact_model *model;
    const fnd_frame *frames;
    const fnd_step_stages *stages;
    fnd_event_list *events;
    fnd_commit_change *change;
    fnd_pair_sum sum;            /* of the pair at hand */
    fnd_facet_transfer transfer; /* of the sphere at hand */
} fnd_commit;

/* Everything that one accepted step knows of one contact. */
typedef struct fnd_transition {
    fnd_key key;
    const fnd_record *old; /* NULL: new */
    int old_index;
    fnd_contact *now;        /* at the accepted state; NULL: out of reach there */
    const fnd_contact *seen; /* first sight of it in the step */
    const fnd_contact *from; /* at the start of the step; NULL: out of reach there */
    const fnd_contact *last; /* last sight of it in the step */
    double impulse, damping, friction, supplied, power, load;
    fender_vec3 force_impulse;
    double active;                      /* s; weights of the stages that saw it */
    const fnd_facet_transfer *transfer; /* NULL: it shares with no others */
} fnd_transition;

/* Commits one transition; the record of a contact that lives on is appended to set->next_records. False: no memory. */
bool fnd_commit_transition(fnd_commit *c, const fnd_transition *s);

/* ---- touches of one sphere ---- */

/* Where the touches of a sphere stand first: among the records in order, in the list at the start of the step, now. */
typedef struct fnd_transfer_position {
    int record, from, now;
} fnd_transfer_position;
/* A new touch beside others goes on with what their heaviest remembers, but for states, and in its directions. False:
 * it begins by itself. */
bool fnd_facet_transfer_receive(const fnd_commit *c, const fnd_transition *s, fnd_record *record,
                                unsigned char *memory);

/* ---- events ---- */

fender_event fnd_contact_event(fender_event_kind kind, const fnd_key *key, double time, double depth_rate);
fender_event fnd_release_event(const fnd_record *record, const struct fnd_accuracy *accuracy, double time,
                               double depth_rate);
/* Sticking and slipping have events of their own, whatever the law. */
fender_event_kind fnd_mode_event(const fnd_contact_type *type, int mode);

/* ---- laws ---- */

/* Continuous states of a record at the end of the step. */
static inline const double *fnd_step_stage_states(const fnd_commit *c, const fnd_contact_type *type, int position)
{
    if (c->stages->states) return c->stages->states + (ptrdiff_t)position * c->set->state_stride;
    return fnd_memory_states(type, fnd_record_memory(&c->set->records, position));
}

/* ---- how a contact went through the step ---- */

/* A located begin or end is known to the tolerance of events, and to what the coordinates can tell apart [s]. */
double fnd_located_error(const fnd_frame *a, const fnd_frame *b, const fnd_step_stages *stages, const fnd_contact *c);
/* Its peaks, and of a new one its beginning. */
void fnd_track_inside(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                      const fnd_step_stages *stages, const fnd_transition *s, const fnd_contact_type *type,
                      unsigned char *memory, fnd_record *record);
/* It ended within the step, `apart` being its state after it. */
void fnd_track_end(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                   const fnd_step_stages *stages, const fnd_transition *s, const fnd_contact_type *type,
                   unsigned char *memory, const fnd_contact *apart, fnd_record *record);

#endif
