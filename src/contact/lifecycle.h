/* Commit of contacts: the changes of each contact, and of pairs with pair events, in an accepted step. */
#ifndef FND_CONTACT_LIFECYCLE_H
#define FND_CONTACT_LIFECYCLE_H

#include "contact/contact_set.h"

/* ---- pairs ---- */

typedef struct fnd_pair_sum {
    uint32_t a, b;
    double impulse, damping_loss, friction_loss, work; /* of the step */
    fender_vec3 force_impulse;
    double stored, stored_at_start; /* J; at present; change of the initial amount */
    double release;                 /* N s; of jumps of the force where contacts end */
    double force;                   /* N; sum of the normal forces at the accepted state */
    double held;                    /* N; the same before laws were updated: bonds that broke still held */
} fnd_pair_sum;

/* Adds a contact; a new pair begins a new sum. `before` NULL: a new contact. `now` NULL: an ended contact. */
void fnd_pair_sum_add(fnd_pair_sum *sum, const fnd_record *record, const fnd_record *before, const fnd_contact *now);
/* Books a step of the pair. */
void fnd_pair_sum_book(const fnd_pair_sum *sum, double time, fnd_record *pair);

/* ---- commit ---- */

#define FND_CONTACT_STATES (FND_SLOT_COUNT * FENDER_LAW_STATE_CAPACITY) /* of all laws of one contact, at most */

/* Weights that contacts of one sphere on a surface lose in the step, for those that gain weight. */
typedef struct fnd_facet_transfer {
    fnd_key key;                       /* of one of them */
    int receiver;                      /* index of the record with the largest previous weight; -1: none */
    double part;                       /* fraction of each gain that comes from the others; 0: none */
    double states[FND_CONTACT_STATES]; /* their memory, averaged over the lost weights */
} fnd_facet_transfer;

/* Inputs and outputs of a commit. */
typedef struct fnd_commit {
    const fender_env *env;
    fnd_contact_set *set;
    const fnd_contact_model *model;
    const fnd_frame *frames;
    const fnd_step_stages *stages;
    const fnd_contact_list *now; /* at the accepted state; rows get the indices of their new records */
    fnd_event_list *events;
    fnd_commit_change *change;
    fnd_pair_sum sum;            /* of the pair at hand */
    fnd_facet_transfer transfer; /* of the sphere at hand */
} fnd_commit;

/* What a stage has found of a point whose weight fades. */
typedef struct fnd_held {
    double time, weight, energy; /* s; J per weight: see fnd_contact.held */
} fnd_held;

/* Data of one contact for an accepted step. */
typedef struct fnd_transition {
    fnd_key key;
    const fnd_record *old; /* NULL: new */
    int old_index;
    fnd_contact *now;        /* at the accepted state; NULL: beyond the activation distance */
    const fnd_contact *seen; /* first sight of it in the step */
    const fnd_contact *from; /* at the start of the step; NULL: beyond the activation distance */
    const fnd_contact *last; /* last sight of it in the step */
    double impulse, damping, friction, supplied, power, load;
    fender_vec3 force_impulse;
    double active;                      /* s; weights of the stages that saw it */
    const fnd_facet_transfer *transfer; /* NULL: it shares with no others */
    fnd_held held[FND_STEP_STAGE_CAPACITY];
    int held_count;
    bool anew; /* it begins because it touches again after its law had ended it */
} fnd_transition;

/* Books a step of the pair, with its row at the end (NULL: it has none), in the pair's record. `lasts`: it was there
 * when the step began. */
void fnd_commit_pair_step(const fnd_commit *c, const fnd_pair_sum *sum, bool lasts, const fnd_contact *now,
                          fnd_record *record);
/* What friction with states has lost of a point whose weight has changed since the step began. */
double fnd_contact_area_loss(const fnd_transition *s, double start_time);
/* Brings the record to a state within the step, which is only looked at; `before`: as it was accepted. */
void fnd_show_transition(fnd_commit *c, const fnd_transition *s, const fnd_record *before);
/* Commits one transition. The record of a contact that persists is appended to set->next_records. False: no memory. */
bool fnd_commit_transition(fnd_commit *c, const fnd_transition *s);
/* Does a contact that its law has ended touch again after it was apart? */
bool fnd_touches_anew(const fnd_commit *c, const fnd_transition *s);

/* ---- touches of one sphere ---- */

/* Index of the first contact of a sphere: among the records in order, in the list at the start of the step, and at
 * present. */
typedef struct fnd_transfer_position {
    int record, from, now;
} fnd_transfer_position;
/* The row of that contact; NULL: there is none. */
const fnd_contact *fnd_contact_of_key(const fnd_contact_list *rows, const fnd_key *key);
/* Is the contact one of the touches of the sphere at hand? */
bool fnd_facet_transfer_has(const fnd_facet_transfer *transfer, const fnd_key *key);
/* Fills c->transfer for the touches of a sphere; `key` is of the first of them. */
void fnd_facet_transfer_open(fnd_commit *c, const fnd_contact_list *now, fnd_transfer_position at, const fnd_key *key);
/* A new touch beside others goes on with what their heaviest remembers, but for states, and in its directions. False:
 * it begins by itself. */
bool fnd_facet_transfer_receive(const fnd_commit *c, const fnd_transition *s, fnd_record *record,
                                unsigned char *memory);

/* ---- events ---- */

fender_event fnd_contact_event(fender_event_kind kind, const fnd_key *key, double time, double depth_rate);
fender_event fnd_release_event(const fnd_record *record, const struct fnd_accuracy *accuracy, double time,
                               double depth_rate);
/* Sticking and slipping have separate events for all laws. */
fender_event_kind fnd_mode_event(const fnd_contact_type *type, int mode);

/* ---- laws ---- */

/* Continuous states of a record at the end of the step. */
static inline const double *fnd_step_stage_states(const fnd_commit *c, const fnd_contact_type *type, int position)
{
    if (c->stages->states) return c->stages->states + (ptrdiff_t)position * c->set->state_stride;
    return fnd_memory_states(type, fnd_record_memory(&c->set->records, position));
}

/* ---- how a contact went through the step ---- */

/* Accuracy [s] of a located begin or end: the event tolerance and the resolution of the coordinates. */
double fnd_located_error(const fnd_frame *a, const fnd_frame *b, const fnd_step_stages *stages, const fnd_contact *c);
/* Updates the peaks, and the beginning of a new contact. */
void fnd_track_inside(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                      const fnd_step_stages *stages, const fnd_transition *s, const fnd_contact_type *type,
                      unsigned char *memory, fnd_record *record);
/* Peaks of a pair with pair events within the step, into its record. */
void fnd_pair_track(const fnd_commit *c, fnd_record *record);
/* Updates a contact that ended within the step; `apart` is its state afterwards. */
void fnd_track_end(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                   const fnd_step_stages *stages, const fnd_transition *s, const fnd_contact_type *type,
                   unsigned char *memory, const fnd_contact *apart, fnd_record *record);

#endif
