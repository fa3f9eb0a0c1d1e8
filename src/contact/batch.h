/* Batched contacts: spheres and points on each other and on planes, many at a time: their places, frames and motion for
 * any law; with a linear spring, a damper, and friction that is smooth or sticks, their forces, too. Of all other
 * pairs, whose contacts queries have placed, frames, motion and forces.
 *
 * Which pairs stand in which lanes is planned, and kept while candidates and records stay what they are.
 *
 * What is computed of them is to the bit what force.c and transition.c compute of any
 * contact, and so is what comes of it: candidates that a batch cannot take (no record yet, one that is suppressed,
 * directions that rounding decides) go the general path. */
#ifndef FND_CONTACT_BATCH_H
#define FND_CONTACT_BATCH_H

#include "contact/contact_set.h"
#include <assert.h>
#include <stddef.h>

/* Asks memory for what will be read soon: its first 128 bytes. */
#if defined __GNUC__
#define FND_PREFETCH(p) (__builtin_prefetch(p), __builtin_prefetch((const char *)(p) + 64))
#else
#define FND_PREFETCH(p) ((void)(p))
#endif

/* fnd_candidate.batch */
enum {
    FND_BATCH_NONE,
    FND_BATCH_SPHERES,
    FND_BATCH_SPHERE_PLANE, /* a is the sphere */
    FND_BATCH_PLANE_SPHERE
};

/* How a body has turned since the last accepted state, in outer axes. */
typedef struct fnd_rotation {
    fender_quaternion q;
    double none; /* 1: not at all, to the bit; else 0 */
} fnd_rotation;

/* Structs of doubles that batches gather from: where their parts stand, counted in doubles. */
enum {
    FND_BATCH_POSITION = offsetof(fnd_frame, p) / sizeof(double),
    FND_BATCH_VELOCITY = offsetof(fnd_frame, v) / sizeof(double),
    FND_BATCH_SPIN = offsetof(fnd_frame, w) / sizeof(double),
    FND_BATCH_AXES = offsetof(fnd_frame, R_WB) / sizeof(double),
    FND_BATCH_FRAME = sizeof(fnd_frame) / sizeof(double),
    FND_BATCH_RECORD = sizeof(fnd_record) / sizeof(double),
    FND_BATCH_ROTATION = sizeof(fnd_rotation) / sizeof(double)
};

enum { FND_BATCH_LANES = 16 };
typedef double fnd_batch_lanes[FND_BATCH_LANES];

typedef struct fnd_batch fnd_batch;
typedef struct fnd_batch_result fnd_batch_result;
/* The same function in registers of several widths; all give the same bits. */
typedef void fnd_batch_function(fnd_batch *batch, fnd_batch_result *result);
fnd_batch_function fnd_batch_evaluate_plain, fnd_batch_evaluate_avx2, fnd_batch_evaluate_avx512;

/* What is known of the pairs of one batch. Numbers are for all of them; vectors by axis. */
struct fnd_batch {
    /* kept from evaluation to evaluation */
    int64_t at_a[FND_BATCH_LANES], at_b[FND_BATCH_LANES], turn_a[FND_BATCH_LANES], turn_b[FND_BATCH_LANES];
    int64_t at_record[FND_BATCH_LANES];
    int record[FND_BATCH_LANES]; /* places of records; 0 of pairs that have none */
    bool known[FND_BATCH_LANES]; /* has it a record? */
    fnd_batch_lanes radius_a, radius_b;
    fnd_batch_lanes sense; /* 0 for two spheres, 1 when a is the sphere, -1 when a is the plane */
    bool ready;            /* it has been cleared once */
    bool any_spheres, any_planes, any_arms_a, any_arms_b; /* in it; arms: shapes that are not centred */
    fnd_batch_lanes arm_B_a[3], arm_B_b[3];               /* arms in the axes of their bodies */
    fnd_batch_lanes off_a, off_b;                         /* not 0: not centred */
    uint32_t plane;    /* the shape of the only plane; UINT32_MAX: none, or several */
    bool planes_known; /* its directions, and R_WG, are those of the last evaluation */
    bool placed;       /* queries have placed them all: they have rows already */
    int count, type;
    const fnd_candidate *pairs[FND_BATCH_LANES];
    /* of the evaluation at hand: where the numbers of bodies and records are, the last from the first record's normal
     */
    const double *frames, *rotations, *records;
    fnd_batch_lanes arm_a[3], arm_b[3]; /* centres of mass to the shapes' origins; +0 of a, -0 of b if centred */
    fnd_batch_lanes up[3], facing[3];   /* of planes: z axis, and where the plane's normal points for the sphere */
    fender_mat3 R_WG;                   /* of the only plane */
    double stiffness, damping, mu, slip_speed;
    double friction_asks;         /* 1 if a friction law is told the normal force, else 0 */
    const fnd_contact_type *laws; /* of all its contacts */
    bool forces;                  /* are found, too: the rows are complete */
    bool located, sticks;         /* how they are found: without clips, from modes; with friction that sticks */
    /* of laws with memory */
    fnd_batch_lanes slack;                          /* not 0: the clip of the normal law holds the force at zero */
    fnd_batch_lanes stretch[2], mode;               /* of friction that sticks */
    const unsigned char *memories[FND_BATCH_LANES]; /* of the contact; NULL: it has no record */
    const double *states[FND_BATCH_LANES];
    double of_area[FND_BATCH_LANES][FENDER_LAW_STATE_CAPACITY]; /* where they are not those of the record */
    /* in a plan: the candidates between its pairs and behind them, up to the next batch */
    int first_other, other_end;
    int first_record; /* in the order of keys: that of its first pair, or one behind it */
    int cost;
};

/* Of a placed contact: its row, and what its query says of it. */
typedef struct fnd_placed {
    int row;
    bool single; /* one of a sphere with full weight, whose commit may be batched, too: the rest is not set */
    bool weight_fades, shared;
    int index;
    double area, border;
    fender_vec3 turn;
} fnd_placed;

/* What one batch has found in one evaluation. */
struct fnd_batch_result {
    fnd_batch_lanes offset[3]; /* from a's centre of mass to b's */
    fnd_batch_lanes normal[3], tangent[3], lever_a[3], lever_b[3];
    fnd_batch_lanes depth, depth_rate, slip[2], spin[3];
    fnd_batch_lanes normal_force, force_C[3], force[3], strength, damping_power, friction_power, power;
    fnd_batch_lanes needs_fallback; /* not 0: the general path has to decide */
    fnd_batch_lanes grip;           /* fnd_grip */
    /* of placed contacts, from their queries */
    bool weighted; /* some weight is not 1 */
    fnd_batch_lanes weight;
    fnd_placed placed[FND_BATCH_LANES];
    struct {
        int first, row;
        bool posed;            /* its row has a place of its own, not that of a contact */
    } wholes[FND_BATCH_LANES]; /* pairs that touch as a whole: the first row of their contacts, and their own */
    int whole_count;
};

/* ---- Plan: which candidates stand in which lanes ---- */

/* A candidate that is in no batch. */
typedef enum fnd_other_kind {
    FND_OTHER_GENERAL,  /* evaluated by itself */
    FND_OTHER_QUICK,    /* two spheres without a record: their distance mostly says that they are apart */
    FND_OTHER_REPLACED, /* its record has another type */
    FND_OTHER_RECORD    /* a record without a candidate, or of another type: a contact while contacts are frozen */
} fnd_other_kind;
typedef struct fnd_batch_other {
    fnd_other_kind kind;
    int candidate; /* -1: none */
    int record;    /* in the order of keys: the first of the pair with that type; -1: none */
    int lane;      /* so many pairs of the batch come before it */
} fnd_batch_other;

/* All candidates and records in the order of keys, in batches and between them. It is made anew when candidates or
 * records have changed. */
typedef struct fnd_batch_plan {
    fnd_batch *batches;
    fnd_batch_other *others;
    int count, capacity, other_count, other_capacity;
    bool batched;               /* made with batches */
    uint64_t candidate_version; /* of the candidates that it was made of */
    uint64_t version;           /* counts how often it was made */
} fnd_batch_plan;

/* Reserves memory for so many candidates and records. */
bool fnd_batch_plan_reserve(const fender_env *env, fnd_batch_plan *plan, int count);
/* Makes it anew if need be. False: no memory. */
bool fnd_batch_plan_update(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model);
void fnd_batch_plan_release(const fender_env *env, fnd_batch_plan *plan);

/* Friction of the lanes that are not held by spring and damper alone, by the law `coulomb_static_kinetic`, from slip
 * and normal force. */
void fnd_batch_stick(const fnd_batch *batch, fnd_batch_result *result);
/* How batches take the pair, if at all; its numbers for them. */
void fnd_batch_prepare(const fnd_contact_model *model, fnd_candidate *pair);

/* How the body has turned since the last accepted state. */
static inline void fnd_batch_rotate(fnd_contact_set *set, const fnd_frame *frames, int body)
{
    const fender_quaternion *q = &frames[body].q, *p = &set->since[body];
    fnd_rotation *rotation = &set->rotations[body];
    rotation->none = q->w == p->w && q->x == p->x && q->y == p->y && q->z == p->z;
    rotation->q = fender_quaternion_product(*q, fender_quaternion_conjugate(*p));
}
/* An evaluation at these frames begins: how bodies have turned. */
void fnd_batch_turn(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames);
/* Completes a batch for an evaluation. */
void fnd_batch_begin(fnd_batch *batch, const fnd_contact_set *set, const fnd_contact_model *model,
                     const fnd_frame *frames, fnd_regime regime);
/* Two spheres that are certainly apart? */
static inline bool fnd_batch_are_apart(const fnd_candidate *pair, const fnd_frame *frames)
{
    const fender_vec3 *a = &frames[pair->body_a].p, *b = &frames[pair->body_b].p;
    double x = b->x - a->x, y = b->y - a->y, z = b->z - a->z;
    return x * x + y * y + z * z > pair->bound; /* INFINITY for others */
}
/* True if the batch of placed contacts has room for one more. */
static inline bool fnd_batch_fits_placed(const fnd_batch *batch, const fnd_candidate *pair)
{
    return batch->count == 0 || (batch->count < FND_BATCH_LANES && batch->type == pair->type);
}
static inline bool fnd_batch_takes_placed(const fnd_candidate *pair, const fnd_record *record)
{
    return pair->batch_placed && record && !record->suppressed;
}
/* Adds one that fits and is taken to the batch of the set; `origin` as of fnd_contacts_of_pair, `row` the index of its
 * row. */
void fnd_batch_add_placed(fnd_contact_set *set, const fnd_candidate *pair, const fender_separation *separation,
                          fender_vec3 origin, int record, int row);
/* The placed contact of a lane, after an evaluation, as its query has found it. Its points are those of the lever of a.
 */
fender_separation fnd_batch_placed_separation(const fnd_batch_result *result, int lane);
/* Makes a batch empty that was one before, or whose memory is new. */
void fnd_batch_clear(fnd_batch *batch);
/* Adds a pair of its type; of spheres and planes, with the record or -1. Returns its lane. */
static inline int fnd_batch_add(fnd_batch *batch, const fnd_candidate *pair, int record)
{
    assert(batch->count >= 0 && batch->count < FND_BATCH_LANES);
    assert(batch->count == 0 || batch->type == pair->type);
    const int lane = batch->count++;
    batch->type = pair->type;
    batch->pairs[lane] = pair;
    batch->at_a[lane] = (int64_t)pair->body_a * FND_BATCH_FRAME;
    batch->at_b[lane] = (int64_t)pair->body_b * FND_BATCH_FRAME;
    batch->turn_a[lane] = (int64_t)pair->body_a * FND_BATCH_ROTATION;
    batch->turn_b[lane] = (int64_t)pair->body_b * FND_BATCH_ROTATION;
    batch->known[lane] = record >= 0;
    batch->record[lane] = record >= 0 ? record : 0;
    batch->at_record[lane] = (int64_t)batch->record[lane] * FND_BATCH_RECORD;
    batch->radius_a[lane] = pair->radius_a;
    batch->radius_b[lane] = pair->radius_b;
    batch->any_spheres |= pair->batch == FND_BATCH_SPHERES;
    if (pair->batch != FND_BATCH_SPHERE_PLANE && pair->batch != FND_BATCH_PLANE_SPHERE) return lane;
    const uint32_t plane = pair->batch == FND_BATCH_PLANE_SPHERE ? pair->a : pair->b;
    batch->sense[lane] = pair->batch == FND_BATCH_PLANE_SPHERE ? -1 : 1;
    batch->plane = !batch->any_planes || batch->plane == plane ? plane : UINT32_MAX;
    batch->any_planes = true;
    return lane;
}
/* Tells a lane where its shapes are in their bodies. */
void fnd_batch_add_arms(fnd_batch *batch, int lane, const fnd_contact_model *model);
/* Fills the row of a lane (all but its ordinal); with forces, if they were found. */
void fnd_batch_write(const fnd_batch *batch, const fnd_batch_result *result, int lane, const fnd_record *record,
                     double time, fnd_contact *row);

/* Are the roots of the laws of a contact positive? Of types whose forces batches find. */
bool fnd_batch_roots_hold(const fnd_contact_type *type, const unsigned char *memory, const double *states,
                          const fnd_contact *now);

/* Functions as wide as this processor can. */
void fnd_batch_choose_functions(fnd_contact_set *set);

/* ---- Commit ---- */

/* True if the laws of a contact, whose states [of the type] are these at the accepted state, remember there what they
 * did before: an update would change nothing. */
bool fnd_batch_is_quiet(const fnd_record *record, const fnd_contact_type *type, const unsigned char *memory,
                        const double *states, const fnd_contact *now);
/* What the stages of a step have seen of a contact that batches have found in all of them, by record. */
typedef struct fnd_batch_sums {
    double push, force[3], strength, damping, friction, power; /* integrals; `power` becomes the work on the bodies */
    const fnd_contact *from;                                   /* the first stage's row */
    int64_t seen; /* the mark of the commit, and one more for each stage so far */
} fnd_batch_sums;
/* Impulses of the contacts of one stage on each body (load NULL: not these), and their sums (NULL: not these). `stage`
 * counts from 0. */
typedef void fnd_batch_sum_function(const fnd_contact_list *rows, double weight, int stage, int64_t mark, double *load,
                                    fnd_batch_sums *sums);
fnd_batch_sum_function fnd_batch_sum_plain, fnd_batch_sum_avx2, fnd_batch_sum_avx512;

/* A contact that goes on, and is quiet. `states` NULL: the type has none. */
void fnd_batch_commit(const fnd_contact_model *model, fnd_record *record, const fnd_contact_type *type,
                      unsigned char *memory, const double *states, const fnd_step_stages *stages,
                      const fnd_batch_sums *sums, const fnd_contact *now);

#endif
