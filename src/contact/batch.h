/* Batched contacts: spheres and points on each other and on planes, many at a time: their places, frames and motion for
 * any law; with a linear spring, a damper, and friction that is smooth or sticks, their forces, too. Of spheres on
 * grids and meshes, whose places a query has found, frames, motion and forces.
 *
 * What is computed of them is to the bit what force.c and transition.c compute of any
 * contact, and so is what comes of it: candidates that a batch cannot take (no record yet, one that is suppressed,
 * directions that rounding decides) go the general path. */
#ifndef FND_CONTACT_BATCH_H
#define FND_CONTACT_BATCH_H

#include "contact/contact_set.h"
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
/* The same function in registers of several widths; all give the same bits. */
typedef void fnd_batch_function(fnd_batch *batch);
fnd_batch_function fnd_batch_evaluate_plain, fnd_batch_evaluate_avx2, fnd_batch_evaluate_avx512;
fnd_batch_function *fnd_batch_function_here(void); /* the widest that this processor has */

/* Numbers of one batch, each for all its contacts; vectors by axis. */
struct fnd_batch {
    /* where the numbers of its bodies and records are */
    const double *frames, *rotations, *records; /* the last: from the first record's normal */
    int64_t at_a[FND_BATCH_LANES], at_b[FND_BATCH_LANES], turn_a[FND_BATCH_LANES], turn_b[FND_BATCH_LANES];
    int64_t at_record[FND_BATCH_LANES];
    fnd_batch_lanes arm_a[3], arm_b[3]; /* centres of mass to the shapes' origins; +0 of a, -0 of b if centred */
    fnd_batch_lanes radius_a, radius_b;
    fnd_batch_lanes up[3], facing[3]; /* of planes: z axis, and where the plane's normal points for the sphere */
    fnd_batch_lanes sense;            /* 0 for two spheres, 1 when a is the sphere, -1 when a is the plane */
    double stiffness, damping, mu, slip_speed;
    double friction_asks;                   /* 1 if a friction law is told the normal force, else 0 */
    bool any_spheres, any_planes, any_arms; /* in it; arms: since they were cleared */
    uint32_t plane;                         /* the shape whose numbers `up_W` and `facing_W` are; UINT32_MAX: none */
    fender_vec3 up_W, facing_W;
    fnd_batch_lanes offset[3]; /* from a's centre of mass to b's */
    /* what is found */
    fnd_batch_lanes normal[3], tangent[3], lever_a[3], lever_b[3];
    fnd_batch_lanes depth, depth_rate, slip[2], spin[3];
    fnd_batch_lanes normal_force, force_C[3], force[3], strength, damping_power, friction_power, power;
    fnd_batch_lanes needs_fallback; /* not 0: the general path has to decide */
    /* of laws with memory */
    fnd_batch_lanes slack;                          /* not 0: the clip of the normal law holds the force at zero */
    const unsigned char *memories[FND_BATCH_LANES]; /* of the contact; NULL: it has no record */
    const double *states[FND_BATCH_LANES];
    int modes[FND_BATCH_LANES];
    const fnd_contact_type *laws; /* of all its contacts */
    /* whose numbers they are */
    const fnd_candidate *pairs[FND_BATCH_LANES];
    int record_at[FND_BATCH_LANES]; /* -1: none */
    bool placed;                    /* queries of grids and meshes have placed them all: these have rows already, */
    int rows[FND_BATCH_LANES];      /* at these indices */
    struct {
        int first, row;
    } wholes[FND_BATCH_LANES]; /* pairs that touch as a whole: the first row of their contacts, and their own */
    int whole_count;
    int count, type;
    fnd_regime regime;
    bool forces;          /* are found, too: the rows are complete */
    bool located, sticks; /* how they are found: without clips, from modes; with friction that sticks */
    fnd_batch_function *function;
};

/* Friction of the lanes by the law `coulomb_static_kinetic`, from slip and normal force. */
void fnd_batch_stick(fnd_batch *batch);
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
/* An evaluation at these frames begins: how bodies have turned, and which candidates have records. */
void fnd_batch_begin(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames, fnd_regime regime);
/* The same evaluation, for another batch. */
void fnd_batch_share(const fnd_batch *batch, fnd_batch *other);
/* Two spheres that are certainly apart? */
static inline bool fnd_batch_are_apart(const fnd_candidate *pair, const fnd_frame *frames)
{
    const fender_vec3 *a = &frames[pair->body_a].p, *b = &frames[pair->body_b].p;
    double x = b->x - a->x, y = b->y - a->y, z = b->z - a->z;
    return x * x + y * y + z * z > pair->bound; /* INFINITY for others */
}
/* True if the batch has room for the pair and supports its kind. */
static inline bool fnd_batch_fits(const fnd_batch *batch, const fnd_candidate *pair)
{
    return batch->count == 0 || (batch->count < FND_BATCH_LANES && batch->type == pair->type && !batch->placed);
}
/* The same for a separation of a sphere and a grid or mesh, whose contact has that record. */
static inline bool fnd_batch_fits_placed(const fnd_batch *batch, const fnd_candidate *pair)
{
    return batch->count == 0 || (batch->count < FND_BATCH_LANES && batch->type == pair->type && batch->placed);
}
static inline bool fnd_batch_takes_placed(const fnd_candidate *pair, const fender_separation *s,
                                          const fnd_record *record)
{
    return pair->batch_placed && record && !record->suppressed && s->shared && !s->weight_fades && s->weight == 1 &&
           s->area == 0 && s->index == 0 && s->slant == 0;
}
/* Adds one that fits and is taken; `origin` as of fnd_contacts_of_pair, `row` the index of its row. */
void fnd_batch_add_placed(fnd_contact_set *set, const fnd_contact_model *model, const fnd_candidate *pair,
                          const fender_separation *separation, fender_vec3 origin, int record, int row);
/* The row of a pair with contacts in the batch, of which `first` is the first row: to be filled after them. */
static inline void fnd_batch_add_whole(fnd_batch *batch, int first, int row)
{
    batch->wholes[batch->whole_count].first = first;
    batch->wholes[batch->whole_count++].row = row;
}
/* Adds a pair that fits. False: it has to go the general path. */
bool fnd_batch_add(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                   const fnd_candidate *pair);
/* Fills the row of a lane (all but its ordinal); with forces, if they were found. */
void fnd_batch_write(const fnd_batch *batch, int lane, const fnd_record *record, double time, fnd_contact *row);

/* Are the roots of the laws of a contact positive? Of types whose forces batches find. */
bool fnd_batch_roots_hold(const fnd_contact_type *type, const unsigned char *memory, const double *states,
                          const fnd_contact *now);

/* ---- Commit ---- */

/* True if the laws of a contact, whose states [of the type] are these at the accepted state, remember there what they
 * did before: an update would change nothing. */
bool fnd_batch_is_quiet(const fnd_record *record, const fnd_contact_type *type, const unsigned char *memory,
                        const double *states, const fnd_contact *now);
/* A contact that goes on, and is quiet. `states` NULL: the type has none. `rows` are its sights, one for each
 * evaluation of the step; `work` is what it has done on the bodies. */
void fnd_batch_commit(fnd_record *record, const fnd_contact_type *type, unsigned char *memory, const double *states,
                      const fnd_step_stages *stages, const fnd_contact *const *rows, const fnd_contact *now,
                      double work);

#endif
