/* Contacts: records that live from touch to release (committed clock), and what an evaluation finds (evaluated clock).
 */
#ifndef FND_CONTACT_CONTACT_SET_H
#define FND_CONTACT_CONTACT_SET_H

#include "collide/broad_phase.h"
#include "contact/model.h"

/* Order of contacts everywhere: by shape a, shape b, feature. */
typedef struct fnd_key {
    uint32_t a, b;
    uint64_t feature;
} fnd_key;
static inline int fnd_key_compare(const fnd_key *x, const fnd_key *y)
{
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    if (x->feature != y->feature) return x->feature < y->feature ? -1 : 1;
    return 0;
}

/* One contact at one state: the row that narrow phase and laws write and the wrench stage reads. World axes. */
typedef struct fnd_contact {
    fnd_key key;
    int type;
    int record;                   /* index of its record, -1 on first sight */
    fender_vec3 normal, tangent;  /* z and x of C */
    fender_vec3 lever_a, lever_b; /* centre of mass of a, of b, to the common point */
    fender_contact_input in;
    fender_vec3 force_C;
    fender_vec3 force, torque; /* on b, W; torque about the common point */
    double damping_power, friction_power;
    int mode;
} fnd_contact;
typedef struct fnd_contact_list {
    fnd_contact *items;
    int count, capacity;
} fnd_contact_list;

/* What a contact remembers between accepted steps. */
typedef struct fnd_record {
    fnd_key key;
    int type;
    fender_vec3 normal, tangent; /* C of the last accepted state */
    fender_quaternion q_a, q_b;  /* attitudes at it */
    double begin_time, approach_speed, impulse;
    double peak_force, peak_force_time, peak_depth;
    int mode;
    bool suppressed; /* ended by its law while still within reach: silent until it has separated */
} fnd_record;
typedef struct fnd_record_list {
    fnd_record *items;
    unsigned char *memory; /* `stride` bytes per record: memory of the laws */
    int count, capacity, memory_capacity;
    size_t stride;
} fnd_record_list;

/* A pair that may touch, found by the broad phase. */
typedef struct fnd_candidate {
    uint32_t a, b;
    int type;
    int body_a, body_b;
    fnd_pair_function *function;
    double onset_gap, release_gap;
} fnd_candidate;

typedef struct fnd_contact_set {
    fnd_record_list records, next_records; /* the second is where a commit builds the new list */
    fnd_broad_phase broad;
    fnd_candidate *candidates;
    uint64_t candidate_version; /* counts how often they were found anew */
    int candidate_count, candidate_capacity;
    unsigned char *scratch_memory; /* for contacts on first sight */
    bool active;
} fnd_contact_set;

bool fnd_contact_set_create(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model);
void fnd_contact_set_destroy(const fender_env *env, fnd_contact_set *set);
/* Room for as many contacts as are expected when `present` of them exist. */
bool fnd_contact_set_reserve(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model, int present);
bool fnd_record_list_reserve(const fender_env *env, fnd_record_list *list, int count);
static inline unsigned char *fnd_record_memory(const fnd_record_list *list, int index)
{
    return list->memory + (size_t)index * list->stride;
}

bool fnd_contact_list_reserve(const fender_env *env, fnd_contact_list *list, const fnd_contact_model *model,
                              int present);
void fnd_contact_list_destroy(const fender_env *env, fnd_contact_list *list);

/* Finds the candidate pairs again when a shape has left its fattened box, or may leave it within `horizon` [s] at its
 * present speed. `step` scales the margin. False: no memory. */
bool fnd_candidates_update(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                           const fnd_frame *frames, double step, double horizon);
fnd_candidate fnd_candidate_of(const fnd_contact_model *model, uint32_t a, uint32_t b, int type);

/* How an evaluation treats the border of contact. */
typedef enum fnd_regime {
    FND_REGIME_CLIPPED, /* what overlaps is in contact; laws clip */
    FND_REGIME_HELD,    /* what has a record is in contact wherever it is, nothing else: smooth through the step */
    FND_REGIME_ENDED    /* at the located end of a step: what overlaps, by laws that hold their modes */
} fnd_regime;

/* All contacts at the state that the frames describe, in the order of their keys. Pure but for `out` and scratch.
 * False: no memory. */
bool fnd_contacts_evaluate(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                           const fnd_frame *frames, double time, fnd_regime regime, fnd_contact_list *out);
/* Geometry and kinematics of one pair, near or far (no forces). False: no contact function. */
bool fnd_contact_probe(const fnd_contact_model *model, const fnd_frame *frames, int a, int b, fnd_contact *out);
bool fnd_contact_probe_pair(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b, int a,
                            int b, fnd_contact *out);
/* Force, torque and power of the laws for a contact whose input is filled. */
void fnd_contact_force(const fnd_contact_type *type, const unsigned char *memory, fnd_contact *contact);
/* Clears the memory and lets the laws begin in it. */
void fnd_contact_establish(const fnd_contact_type *type, const fender_contact_input *in, unsigned char *memory);
fender_contact_input fnd_input_of_primary(const fender_contact_input *in);
double fnd_contact_stored_energy(const fnd_contact_type *type, const unsigned char *memory, const fnd_contact *contact);

/* ---- commit ---- */

#define FND_PASSAGE_CAPACITY 17

/* What the new state was reached by: evaluations with the weights (in seconds) that they have in quadratures. */
typedef struct fnd_passage {
    const fnd_contact_list *lists[FND_PASSAGE_CAPACITY];
    double weights[FND_PASSAGE_CAPACITY];
    int count;
    double start_time, end_time;
    bool located; /* what begins or ends does so at end_time */
} fnd_passage;

typedef struct fnd_event_list {
    fender_event *items;
    int count, capacity;
    uint64_t hash;                           /* of all events so far */
    int64_t counts[FENDER_EVENT_KIND_COUNT]; /* per kind, so far */
} fnd_event_list;

/* Appends and hashes. False: no memory. */
bool fnd_event_add(const fender_env *env, fnd_event_list *events, fender_event event);
/* Takes back what was added since *before was copied; a larger array stays. */
void fnd_event_rewind(fnd_event_list *events, const fnd_event_list *before);

/* Contacts begin, go on and end: `now` holds the contacts at the accepted state and gets the indices of their records.
 * *changed is set when a law's memory changed, so that `now` must be evaluated again; *released grows by the energy
 * that laws had stored and gave up when they ended a contact or changed their memory. False: no memory, and nothing has
 * changed. */
bool fnd_contacts_commit(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                         const fnd_frame *frames, const fnd_passage *passage, fnd_contact_list *now,
                         fnd_event_list *events, bool *changed, double *released);

#endif
