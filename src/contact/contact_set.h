/* Contacts: records that live from begin to end (committed clock), and what an evaluation finds (evaluated clock).
 */
#ifndef FND_CONTACT_CONTACT_SET_H
#define FND_CONTACT_CONTACT_SET_H

#include "collide/broad_phase.h"
#include "collide/mesh_touch.h"
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

static inline bool fnd_same_key(const fnd_key *x, const fnd_key *y)
{
    return x->a == y->a && x->b == y->b && x->feature == y->feature;
}

/* Of friction that sticks (law/friction_stick.h), as batches find it. */
typedef enum fnd_grip {
    FND_GRIP_OTHER,  /* it slides, or is at its limit, or has another law */
    FND_GRIP_SPRING, /* spring and damper hold it: the rates of its states are the slip, and no way slid */
    FND_GRIP_RESTS   /* an accepted step changes nothing of it, either */
} fnd_grip;

/* One contact at one state: the row that narrow phase and laws write and the wrench stage reads. World axes. The
 * members that batches write come first, without gaps. */
typedef struct fnd_contact {
    fnd_key key;
    int type;
    int body_a, body_b; /* roots that it acts on */
    int record;         /* place of its record in the list of records, -1 on first sight */
    int ordinal;        /* number of contacts before it, without rows of pairs with pair events */
    int mode;
    bool weight_fades; /* point of a patch: it appears and disappears with weight 0 */
    bool shared;       /* one of several contacts of a sphere with one surface, between which memory is transferred */
    bool whole;        /* its pair has pair events: a row for the pair follows, unless contacts are frozen */
    bool probe;        /* of a probe: what it sees may jump */
    bool buried;       /* a probe that did not come through the surface: no force */
    signed char grip;  /* how friction that sticks holds it, if a batch has found that: see fnd_grip */
    bool batch;        /* a batch has found its force (contact/batch.h): a contact with a record */
    fender_vec3 normal, tangent;  /* z and x of C */
    fender_vec3 lever_a, lever_b; /* centre of mass of a, of b, to the common point */
    fender_vec3 force_C;          /* weighted, like all that follows */
    fender_vec3 force;            /* on b, W */
    double strength;              /* N; its size */
    double damping_power, friction_power;
    double power; /* power from the contact into the two bodies */
    fender_contact_input in;
    double gain; /* derivative of the laws' depth along the normal: 1; for a probe 1 / |n.u| */
    double supplied_power;
    fender_vec3 torque; /* on b, W, about the common point */
    fender_vec3 turn;   /* see fender_separation */
    double border;      /* m; energy of the normal law is relative to that so far apart; 0: as the law has it */
    double held;        /* J; of a point whose weight fades: what states of all but the normal law store, per weight */
    bool driven;        /* contributions of a moving surface (a belt) to slip and spin, in C */
    fender_vec2 drive;
    fender_vec3 drive_spin;
} fnd_contact;
typedef struct fnd_contact_list {
    fnd_contact *items;
    int count, capacity;
    int batched_count; /* of them whose forces batches have found */
    int pair_count;    /* of them that stand for pairs with pair events */
    double deepest;    /* m; no contact is deeper; at least 0 */
    double gain;       /* the largest of any contact; at least 1 */
    /* Surfaces of each row, for laws that request them. The inputs of rows point here, and those of copied rows until
     * the next evaluation. */
    fender_contact_surface *surfaces;
    int surface_capacity;
} fnd_contact_list;

/* Contacts that their laws have ended are inactive until the shapes have separated. */
typedef enum fnd_suppression {
    FND_SUPPRESSION_NONE,
    FND_SUPPRESSION_TOUCHING, /* the shapes have not separated since */
    FND_SUPPRESSION_APART     /* they have: of a point of a patch, which begins anew when it touches */
} fnd_suppression;

/* Memory of a contact between accepted steps. */
typedef struct fnd_record {
    fnd_key key;
    int type, mode;
    signed char suppressed; /* ended by its law within the activation distance: see fnd_suppression */
    bool frozen;            /* its modes are frozen: their changes are not located (world/chatter.c) */
    int mode_changes;       /* changes of mode that were located within the present step */
    double weight;          /* at the last accepted state */
    double touch_weight; /* of a point of a patch that holds beyond touch: its weight when the pair began, whose energy
                            counts from touch (fnd_energy_to_border); else 0 */
    bool fades;          /* its states go with an area that changes: fnd_record_area */
    /* what every step touches */
    fender_vec3 normal, tangent; /* C of the last accepted state */
    double approach_speed, impulse;
    fender_vec3 force_impulse;          /* N s, W, on b */
    double damping_loss, friction_loss; /* quadratures, as the ledger's */
    double work;                        /* on both bodies: that which their motion shows */
    double stored, stored_at_start;  /* at the last accepted state; at the beginning, plus later changes from outside */
    double energy, largest_residual; /* J; largest energy supplied to it, and largest residual at an accepted state */
    double longest_step, last_time;  /* s */
    double peak_force, peak_depth;
    double peak_pull; /* N; largest attraction at an accepted state, above 0 */
    /* what is seldom needed */
    double begin_time, peak_force_time, peak_pull_time;
    /* for estimates of errors */
    double begin_error, end_error, approach_error,
        rebound_error; /* s, m/s; from steps that do not end at begin and end */
    double force_sampling_error, time_sampling_error, depth_sampling_error;
    double onset_impulse,
        release_impulse; /* N s; errors from jumps of the force: at begin; at end, and where a law lets go before */
} fnd_record;
/* Records keep their index while their contacts last; `order` lists the indices in the order of keys. If contacts have
 * continuous states, the records themselves are in that order. */
typedef struct fnd_record_list {
    fnd_record *items;
    unsigned char *memory; /* `stride` bytes per record: memory of the laws, then their continuous states */
    int *order;            /* `count` places */
    int *vacant;           /* free indices below `used`; there are used - count */
    int count, used, capacity, memory_capacity, order_capacity, vacant_capacity;
    int scattered; /* records that have begun since they were in that order */
    size_t stride;
} fnd_record_list;

/* What a pair is made of, where a ball (a sphere or a point) has one separation from the other. */
typedef enum fnd_pair_family {
    FND_FAMILY_OTHER,
    FND_FAMILY_BALLS,
    FND_FAMILY_BALL_PLANE, /* a is the ball */
    FND_FAMILY_PLANE_BALL,
    FND_FAMILY_BALL_SURFACE, /* a grid or a mesh, which a sphere may touch at several places */
    FND_FAMILY_SURFACE_BALL
} fnd_pair_family;

/* A pair that may touch, found by the broad phase. */
typedef struct fnd_candidate {
    uint32_t a, b;
    int type;
    int body_a, body_b;
    fnd_pair_family family;
    unsigned char batch; /* kind of batch (contact/batch.h); 0: not batched */
    bool batch_placed;   /* its contacts are batched once a query has placed them */
    double bound; /* m^2; batched spheres whose centres are farther apart do not touch, with a margin for rounding */
    double radius_a, radius_b; /* of two batched spheres; of the sphere alone, the first */
    fnd_pair_entry entry;
    fnd_query_kind points; /* SINGLE or PATCH */
    double onset_gap, release_gap;
    double follow_distance; /* separation up to which contacts of the pair are followed; INFINITY: any */
    bool unlocated;         /* begins and ends without an event */
    bool whole; /* has pair events: its contacts begin and end without events while its nearest points touch */
    bool probe; /* one of the two is a probe */
    bool turns, splits, touching; /* see fnd_manifold */
    double exponent;              /* likewise */
} fnd_candidate;

/* State of a shape since the last update of the candidates. */
typedef struct fnd_watch {
    fender_vec3 lever;   /* centre of mass of the root to the geometry's origin, in body axes of the root */
    fender_quaternion q; /* attitude of its body when the volume was made */
    double arm;          /* m; bounding radius */
    double slack;        /* m; margin by which the geometry's origin may leave the centre of its volume */
    int root;
    bool present, still, centered, round, plane; /* round: independent of rotation; centered: lever 0 */
    bool moving; /* within its tree: the lever is that of the last update, and the arm infinite */
} fnd_watch;

/* A body since its shapes were last looked at: they are in their volumes as long as it has not moved by more than
 * `free`, rotation at the arm included. */
typedef struct fnd_body_watch {
    fender_vec3 p;
    fender_quaternion q;
    double free, arm; /* m; INFINITY: a plane, which no rotation leaves where it was */
} fnd_body_watch;

/* A convex solid, but no ball, on a grid or mesh. */
static inline bool fnd_pair_is_solid_on_surface(const fnd_candidate *pair)
{
    return pair->family == FND_FAMILY_OTHER && pair->entry.function == fnd_surface_convex;
}

/* A connection requested by a law in a commit: the bodies and the pose. */
typedef struct fnd_request {
    uint32_t shape_a, shape_b;
    bool disconnect;
    fender_connection connection;                  /* kind NONE: none, or done */
    int made;                                      /* number of the created link, from 1; 0: none */
    fender_vec3 normal, tangent, lever_a, lever_b; /* as of the contact */
} fnd_request;
typedef struct fnd_request_list {
    fnd_request *items;
    int count, capacity;
} fnd_request_list;

struct fnd_batch;
struct fnd_batch_result;
struct fnd_batch_sums;

/* Contacts of a pair that are asked for one after another, by their keys: those in `manifold` are of these frames.
 * During a commit alone, where neither shapes nor rules change. */
typedef struct fnd_probed {
    bool keeps, kept;
    uint32_t a, b;
    int type;
    double time; /* of parts that move */
    fnd_frame frames[2];
    fender_vec3 origin;
} fnd_probed;

typedef struct fnd_contact_set {
    fnd_record_list records, next_records; /* the second is where a commit builds the new list */
    /* records that are shown as of another state; then the accepted ones are items of the second list, and afterwards
     * those that were shown last, of this step and time; 0 where a trial begins anew */
    int shown, shown_before;
    double shown_start, shown_time; /* s */
    fnd_broad_phase broad;
    fnd_watch *watches; /* by shape */
    int watch_count;
    fnd_body_watch *body_watches; /* by body */
    bool bodies_watched;          /* they are those of the present volumes */
    bool watches_ready;           /* false: what bodies and shapes are has changed */
    double reach;                 /* of all contact types */
    double usual_radius;          /* m; harmonic mean over the shapes that move */
    double least_size;            /* m; of all shapes that have a size */
    fnd_candidate *candidates;
    uint64_t candidate_version; /* counts how often they were found anew */
    int candidate_count, candidate_capacity;
    fnd_manifold manifold;          /* what the pair at hand has */
    fnd_probed probed;              /* of which pair that is, where it was asked for by key */
    fnd_triangle_memory *terrain;   /* what spheres and points keep of the surfaces near them: fnd_pair_memory */
    int terrain_count;              /* a power of two; 0: there are no surfaces */
    unsigned char *scratch_memory;  /* for contacts on first sight */
    int state_stride;               /* continuous states per record where they are packed: the most of any type */
    bool any_batched;               /* some contact type may be computed in batches */
    fender_quaternion *since;       /* by body: attitude at the last accepted state, from which tangents are rotated */
    struct fnd_rotation *rotations; /* by body: rotation since then, at the evaluated state */
    int body_count;                 /* that these two were made for */
    struct fnd_batch_plan *plan;    /* candidates in batches, */
    bool planned;                   /* made of the present records */
    struct fnd_batch_result *batch_result; /* of the one at hand */
    struct fnd_batch *placed;              /* contacts that queries have placed, at hand, and what is found of them */
    struct fnd_batch_result *placed_result;
    void (*batch_function)(struct fnd_batch *batch, struct fnd_batch_result *result);
    void (*batch_sum)(const fnd_contact_list *rows, double weight, int stage, int64_t mark, double *load,
                      struct fnd_batch_sums *sums);
    struct fnd_batch_sums *sums; /* of a commit, by record */
    int64_t sum_mark;            /* of the last commit; larger from one to the next */
    int *new_order;              /* of the records after it */
    bool *persists;              /* of a commit, by row: see judge_rows */
    int sum_capacity, new_order_capacity, persists_capacity;
    fnd_request_list requests;  /* of laws in commits, for the world to carry out and forget */
    bool out_of_memory;         /* a commit has looked at a contact in vain: it fails */
    const double *trial_states; /* of the records, packed, at the state that is evaluated; NULL: their own */
    bool active;
    struct fnd_crew *crew; /* threads that evaluate contacts (contact/parallel.h); NULL: the calling one does */
} fnd_contact_set;

bool fnd_contact_set_create(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model);
void fnd_contact_set_destroy(const fender_env *env, fnd_contact_set *set);
/* Reserves memory for the number of contacts expected when `present` of them exist. */
bool fnd_contact_set_reserve(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model, int present);
/* Reserves memory for a commit in place of `contacts` contacts. */
bool fnd_contact_set_reserve_commit(const fender_env *env, fnd_contact_set *set, int contacts);
/* True if the records themselves are in the order of keys. */
void fnd_record_list_in_order(fnd_record_list *list);
bool fnd_record_list_reserve(const fender_env *env, fnd_record_list *list, int count);
/* The record at `index` in the order of keys. */
static inline fnd_record *fnd_record_at(const fnd_record_list *list, int index)
{
    return &list->items[list->order[index]];
}
/* Number of records before the key, which is at least `from`. */
int fnd_record_list_find(const fnd_record_list *list, int from, const fnd_key *key);
/* Index of the record with that key; -1: none. */
int fnd_record_list_position(const fnd_record_list *list, const fnd_key *key);
static inline unsigned char *fnd_record_memory(const fnd_record_list *list, int index)
{
    return list->memory + (size_t)index * list->stride;
}
static inline double *fnd_memory_states(const fnd_contact_type *type, unsigned char *memory)
{
    return (double *)(void *)(memory + type->memory_size); /* both are multiples of 16 */
}
/* Do the states of its laws go with the weight? Of a point of a patch; touches of a sphere hand them on at commits. */
static inline bool fnd_states_fade(const fnd_contact_type *type, const fnd_contact *contact)
{
    return type->state_count > 0 && contact->weight_fades && !contact->shared;
}
/* Area that a contact comes with in the equations of motion, whose variable is state times area: area that has been
 * gained in a step comes without stretch, area that has been lost takes its stretch along. So it is the weight, or what
 * that was at the start of the step if it was more. */
static inline double fnd_record_area(const fnd_record *record, double weight)
{
    if (!record->fades) return 1;
    return weight > record->weight ? weight : record->weight;
}

/* Continuous states of a record at the state that is evaluated, times its area; those of a commit, as they are. */
static inline const double *fnd_record_states(const fnd_contact_set *set, const fnd_contact_type *type, int index)
{
    if (set->trial_states) return set->trial_states + (ptrdiff_t)index * set->state_stride;
    return fnd_memory_states(type, fnd_record_memory(&set->records, index));
}

/* States over the area; none without area. `room` is for them. */
static inline const double *fnd_states_of_area(const fnd_contact_type *type, const double *states, double area,
                                               double *room)
{
    if (area == 1) return states;
    for (int i = 0; i < type->state_count; i++) room[i] = area > 0 ? states[i] / area : 0;
    return room;
}

/* Continuous states of the laws of a row with a record, at the state that is evaluated. `room` is for them. */
static inline const double *fnd_contact_states(const fnd_contact_set *set, const fnd_contact_type *type, int index,
                                               double weight, double *room)
{
    const double *states = fnd_record_states(set, type, index);
    if (!set->trial_states || type->state_count == 0) return states;
    return fnd_states_of_area(type, states, fnd_record_area(&set->records.items[index], weight), room);
}

#ifndef NDEBUG
/* For assertions. Records are in the increasing order of keys, each at a place of its own; rows are in the same order
 * and know their records; candidates are in the order of pairs, and quick ones know records of theirs. */
bool fnd_records_are_sound(const fnd_record_list *list);
bool fnd_rows_are_sound(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_contact_list *rows);
bool fnd_candidates_are_sound(const fnd_contact_set *set, const fnd_contact_model *model);
#endif

bool fnd_contact_list_reserve(const fender_env *env, fnd_contact_list *list, const fnd_contact_model *model,
                              int present);
/* Reserves as many surfaces as rows. */
bool fnd_contact_list_reserve_surfaces(const fender_env *env, fnd_contact_list *list);
void fnd_contact_list_destroy(const fender_env *env, fnd_contact_list *list);

/* Finds the candidate pairs again when a shape has left its fattened box, or may leave it within `horizon` [s] at its
 * present speed. `step` scales the margin. False: no memory. */
bool fnd_candidates_update(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                           const fnd_frame *frames, double step, double horizon);
/* Have the laws ended all contacts of a pair whose laws act beyond touch? It has a record, whose place in the order of
 * keys is not before `from`. */
bool fnd_pair_is_over(const fnd_record_list *records, const fnd_candidate *pair, int from);
/* True if the pair has pair events: its contacts begin and end without events, and one record represents the pair. */
bool fnd_pair_has_pair_events(const fnd_contact_model *model, uint32_t a, uint32_t b, int type);
/* No point of the shape is faster than this [m/s]. */
double fnd_shape_speed(const fnd_contact_model *model, const fnd_shape *shape, const fnd_frame *frame);
fnd_candidate fnd_candidate_of(const fnd_contact_model *model, uint32_t a, uint32_t b, int type);

/* FENDER_FEATURE_PAIR is the feature of the row, without weight, that stands for a pair that touches as a whole, behind
 * its contacts: there from the located touch on, when its patches have no area yet. Its record adds up theirs, and its
 * begin and end are the pair's events. */

#define FND_PROBE_GRAIN 1e-9 /* m; smaller jumps of a probe's overshoot are ignored */

/* Treatment of begin and end of contacts in an evaluation. */
typedef enum fnd_regime {
    FND_REGIME_CLIPPED, /* what overlaps is in contact; laws clip */
    FND_REGIME_FROZEN,  /* exactly the contacts with a record, at any depth: forces are smooth over the step */
    FND_REGIME_ENDED    /* at the located end of a step: overlapping contacts, with frozen modes */
} fnd_regime;

/* All contacts at the state that the frames describe, in the order of their keys. Pure but for `out` and scratch.
 * False: no memory. */
bool fnd_contacts_evaluate(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                           const fnd_frame *frames, double time, fnd_regime regime, fnd_contact_list *out);
/* What a pair keeps of a surface from query to query; NULL: nothing. Pairs may share a place, at the cost of time. */
static inline fnd_triangle_memory *fnd_pair_memory(fnd_contact_set *set, uint32_t a, uint32_t b)
{
    return set->terrain_count > 0 ? &set->terrain[(a * 31 + b) & (uint32_t)(set->terrain_count - 1)] : NULL;
}
/* The contacts of a pair with separations up to `reach`, in the order of features, in set->manifold. `origin` is the
 * origin of its vectors: that of a's geometry, relative to the centre of mass of a's root. False: no memory. */
bool fnd_contacts_of_pair(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                          const fnd_candidate *pair, const fnd_frame *frame_a, const fnd_frame *frame_b, double reach,
                          fender_vec3 *origin);
/* Kinematics of one of them (no forces). */
void fnd_contact_of_separation(const fnd_contact_model *model, const fnd_candidate *pair,
                               const fender_separation *separation, fender_vec3 origin, const fnd_frame *frame_a,
                               const fnd_frame *frame_b, fnd_contact *out);
/* The contact with that key, near or far (no forces). False: it is not there, or no memory: then set->out_of_memory. */
bool fnd_contact_probe_key(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                           const fnd_frame *frame_a, const fnd_frame *frame_b, const fnd_key *key, int type,
                           fnd_contact *out);
/* Both shapes placed with their origin at the centre of mass of a's root: the two bodies' positions are subtracted
 * before anything is added. */
void fnd_shapes_pose_pair(const fnd_shape *a, const fnd_shape *b, const fnd_frame *frame_a, const fnd_frame *frame_b,
                          fnd_posed *posed_a, fnd_posed *posed_b);
/* Geometry and kinematics of the nearest points of two shapes, near or far (no forces); `memory` of surfaces: NULL, or
 * that of the pair. False: no contact function, or they are farther apart than `reach`. */
bool fnd_contact_probe_pair(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b, int a,
                            int b, double reach, fnd_triangle_memory *memory, fnd_contact *out);
/* Does a solid in a grid or mesh certainly overlap it after any motion of that length [m]? The contact is one of
 * theirs: that point of the solid is behind the surface. False: it is not known, or one of them is not a grid or mesh.
 */
bool fnd_contact_is_deep(const fnd_contact_model *model, const fnd_frame *frames, const fnd_contact *contact,
                         double way);
/* The energy in contacts was changed from outside (a state was set, a shape switched): the present energy is taken as
 * the initial one. `now` is sorted like the records. */
void fnd_contacts_rebase(fnd_contact_set *set, const fnd_contact_model *model, const fnd_contact_list *now);
/* Energy residual of a contact. */
static inline double fnd_record_residual(const fnd_record *r)
{
    return -(r->work + r->damping_loss + r->friction_loss + (r->stored - r->stored_at_start));
}
/* Frame, levers, depth and motion of a contact from the separation of its geometries. `since` are the attitudes of
 * bodies from which its tangent is rotated; record NULL: a new contact. Moving surfaces are added separately. */
void fnd_contact_pose(fnd_contact *c, const fender_separation *separation, fender_vec3 origin, const fnd_record *record,
                      const fender_quaternion *since, const fnd_frame *frame_a, const fnd_frame *frame_b);
/* Contribution of parts that move within their trees to slip, spin and rate of depth, and of moving surfaces to slip
 * and spin. */
void fnd_contact_add_drive(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b,
                           fnd_contact *c);
/* Frame and slip of a contact that was probed, carried on from its record. */
void fnd_contact_carry(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                       const fnd_record *record, fnd_contact *contact);
/* Force, torque and power of the laws for a contact whose input is filled. Here and below `states` are those of the
 * whole contact. */
void fnd_contact_force(const fnd_contact_type *type, const unsigned char *memory, const double *states,
                       fnd_contact *contact);
/* Sets the prescribed forces at the time of the input. */
void fnd_provide(const fnd_contact_type *type, const fnd_key *key, fender_contact_input *in);
/* The same for a contact, as generalised forces along the laws' depth. */
void fnd_contact_provide(const fnd_contact_type *type, fnd_contact *contact);
/* Restricts the input to the data of one law: its own prescribed force and states; the normal force except for the
 * normal law. */
void fnd_slot_input_adapt(const fnd_contact_type *type, const fnd_slot *slot, const double *states,
                          fender_contact_input *in);
/* The same in place, and back: what it has hidden. */
typedef struct fnd_slot_view {
    double normal_force, prescribed_normal;
    fender_vec2 prescribed_friction;
    const double *states;
} fnd_slot_view;
fnd_slot_view fnd_slot_view_open(const fnd_contact_type *type, const fnd_slot *slot, const double *states,
                                 fender_contact_input *in);
void fnd_slot_view_close(const fnd_slot_view *view, fender_contact_input *in);
fender_contact_input fnd_slot_input(const fnd_contact_type *type, const fnd_slot *slot, const fender_contact_input *in,
                                    const double *states);
/* Clears memory and states and calls `begin` of the laws. */
void fnd_contact_begin(const fnd_contact_type *type, const fnd_contact *contact, unsigned char *memory);
/* `border`: that of the contact. */
/* See fnd_contact.held. */
double fnd_contact_held_energy(const fnd_contact_type *type, const unsigned char *memory, const double *states,
                               const fnd_contact *c);
double fnd_slot_stored_energy(const fnd_contact_type *type, const fnd_slot *slot, const unsigned char *memory,
                              const double *states, const fender_contact_input *in, double border);
/* What the normal law of a point with that weight at touch stores at the border, without continuous states; `in` is of
 * any depth. */
double fnd_energy_to_border(const fnd_contact_type *type, const unsigned char *memory, const fender_contact_input *in,
                            double border, double touch_weight);
/* All laws; `touch_weight` is that of its record. */
double fnd_contact_stored_energy(const fnd_contact_type *type, const unsigned char *memory, const double *states,
                                 const fnd_contact *contact, double touch_weight);

/* Rates of the states of all records, packed, from an evaluation; `states` is packed likewise. With frames, the bodies
 * have their motion, at the poses of the evaluation. */
void fnd_contact_state_rates(const fnd_contact_set *set, const fnd_contact_model *model, const fnd_contact_list *found,
                             const fnd_frame *frames, const double *states, double *rates);
/* The records' own states, packed. */
void fnd_contact_states_pack(const fnd_contact_set *set, const fnd_contact_model *model, double *states);

/* ---- commit ---- */

#define FND_STEP_STAGE_CAPACITY 17

/* Shows contacts at a time [s] within the step that is accepted. */
typedef struct fnd_step_sampler {
    /* False: it is not there, or no memory: then the set's out_of_memory. */
    bool (*contact)(void *ctx, double time, const fnd_key *key, fnd_contact *contact);
    /* All of them. NULL: no memory, likewise. */
    const fnd_contact_list *(*contacts)(void *ctx, double time);
    void *ctx;
} fnd_step_sampler;

struct fnd_accuracy;

/* The evaluations that led to the new state, with their quadrature weights [s]. */
typedef struct fnd_step_stages {
    const fnd_contact_list *lists[FND_STEP_STAGE_CAPACITY];
    const double *weights;
    int count;
    double start_time, end_time;
    bool located;         /* what begins or ends does so at end_time */
    const double *states; /* continuous states of the records at the new state, packed; NULL: unchanged */
    /* By body: energy gained in the step beyond the work from the weights. It is distributed to its contacts in
     * proportion to their impulses; `load` is memory for these. */
    const double *energy_defect;
    double *load;
    const fnd_step_sampler *sampler; /* NULL: only the two ends are known */
    const struct fnd_accuracy *accuracy;
} fnd_step_stages;

/* What friction with states has lost since the step began, up to the rows of `now`, because the weights of points have
 * changed. The stages are those of the step, the first at its start. */
double fnd_contacts_area_loss(const fnd_contact_set *set, const fnd_contact_model *model,
                              const fnd_contact_list *const *stages, int count, double start_time,
                              const fnd_contact_list *now);

typedef struct fnd_event_list {
    const fnd_contact_model *model; /* for the ids of what is added */
    fender_event *items;
    int count, capacity;
    uint64_t hash;                           /* of all events so far */
    int64_t counts[FENDER_EVENT_KIND_COUNT]; /* per kind, so far */
} fnd_event_list;

/* Appends and hashes. False: no memory. */
bool fnd_event_add(const fender_env *env, fnd_event_list *events, fender_event event);
/* Removes the entries added since *before was copied; a larger array is kept. */
void fnd_event_rewind(fnd_event_list *events, const fnd_event_list *before);

/* Stored energy that laws released in a commit by ending a contact or changing their memory. */
typedef struct fnd_given_up {
    double damping, friction; /* of the normal law, of all others */
} fnd_given_up;

/* Results of a commit. */
typedef struct fnd_commit_change {
    bool changed; /* a law changed so that `now` must be evaluated again */
    bool settled; /* no contact began, ended or changed its mode */
    bool learned; /* a law changed its memory */
    fnd_given_up given_up;
    double brought; /* J; stored by contacts that were there, without a record, when the step began */
    double work;    /* J; work of contacts on bodies, including the gain of the motion */
} fnd_commit_change;

/* Commits: contacts begin, continue and end, and requests of laws are added to set->requests. `now` contains the
 * contacts at the accepted state and receives the indices of their records. False: no memory; nothing has changed. */
bool fnd_contacts_commit(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                         const fnd_frame *frames, const fnd_step_stages *stages, fnd_contact_list *now,
                         fnd_event_list *events, fnd_commit_change *change);
/* Shows records as of a state within the step: of `now`, at the end of `stages`; laws remember nothing of it. False: no
 * memory. Until fnd_contacts_show_accepted there is no commit. */
bool fnd_contacts_show(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                       const fnd_frame *frames, const fnd_step_stages *stages, fnd_contact_list *now);
void fnd_contacts_show_accepted(fnd_contact_set *set);
/* What was shown before belongs to a step that is dropped. The accepted records are shown. */
void fnd_contacts_forget_shown(fnd_contact_set *set);
/* The same where there is no record and no contact in any list. */
void fnd_contacts_follow(fnd_contact_set *set, const fnd_frame *frames);

/* ---- surfaces, for the types with a law that asks ---- */

/* Fills `out` for a contact with frame and depth, and sets the pointer of its input. */
void fnd_contact_surface_see(const fnd_contact_model *model, const fnd_frame *frame_a, const fnd_frame *frame_b,
                             fnd_contact *contact, fender_contact_surface *out);

#endif
