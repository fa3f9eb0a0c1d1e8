/* Quick contacts: balls on balls and on planes with a linear spring, a damper and smooth friction, many at a time.
 *
 * What is computed of them is to the bit what force.c and transition.c compute of any
 * contact, and so is what comes of it: candidates that a batch cannot take (no record yet, one that is suppressed,
 * directions that rounding decides) go the general way. Batches are for evaluations with clipping laws alone
 * (FND_REGIME_CLIPPED). */
#ifndef FND_CONTACT_QUICK_H
#define FND_CONTACT_QUICK_H

#include "contact/contact_set.h"
#include <stddef.h>

/* Asks memory for what will be read soon: its first 128 bytes. */
#if defined __GNUC__
#define FND_SOON(p) (__builtin_prefetch(p), __builtin_prefetch((const char *)(p) + 64))
#else
#define FND_SOON(p) ((void)(p))
#endif

/* fnd_candidate.quick */
enum {
    FND_QUICK_NONE,
    FND_QUICK_BALLS,
    FND_QUICK_BALL_PLANE, /* a is the ball */
    FND_QUICK_PLANE_BALL
};

/* How a body has turned since the last accepted state, in outer axes. */
typedef struct fnd_turn {
    fender_quaternion q;
    double none; /* 1: not at all, to the bit; else 0 */
} fnd_turn;

/* Structs of doubles that batches gather from: where their parts stand, counted in doubles. */
enum {
    FND_QUICK_POSITION = offsetof(fnd_frame, p) / sizeof(double),
    FND_QUICK_VELOCITY = offsetof(fnd_frame, v) / sizeof(double),
    FND_QUICK_SPIN = offsetof(fnd_frame, w) / sizeof(double),
    FND_QUICK_ROTATION = offsetof(fnd_frame, R_WB) / sizeof(double),
    FND_QUICK_FRAME = sizeof(fnd_frame) / sizeof(double),
    FND_QUICK_RECORD = sizeof(fnd_record) / sizeof(double),
    FND_QUICK_TURN = sizeof(fnd_turn) / sizeof(double)
};

enum { FND_QUICK_LANES = 16 };
typedef double fnd_quick_lanes[FND_QUICK_LANES];

typedef struct fnd_quick_batch fnd_quick_batch;
/* The same function in registers of several widths; all give the same bits. */
typedef void fnd_quick_function(fnd_quick_batch *batch);
fnd_quick_function fnd_quick_evaluate_plain, fnd_quick_evaluate_avx2, fnd_quick_evaluate_avx512;
fnd_quick_function *fnd_quick_function_here(void); /* the widest that this processor has */

/* Numbers of one batch, each for all its contacts; vectors by axis. */
struct fnd_quick_batch {
    /* where the numbers of its bodies and records are */
    const double *frames, *turns, *records; /* the last: from the first record's normal */
    int64_t at_a[FND_QUICK_LANES], at_b[FND_QUICK_LANES], turn_a[FND_QUICK_LANES], turn_b[FND_QUICK_LANES];
    int64_t at_record[FND_QUICK_LANES];
    fnd_quick_lanes arm_a[3], arm_b[3]; /* centres of mass to the shapes' origins; +0 of a, -0 of b if centred */
    fnd_quick_lanes radius_a, radius_b;
    fnd_quick_lanes up[3], facing[3]; /* of planes: z axis, and where the plane's normal points for the ball */
    fnd_quick_lanes sense;            /* 0 for two balls, 1 when a is the ball, -1 when a is the plane */
    double stiffness, damping, mu, slip_speed;
    double friction_asks;                 /* 1 if a friction law is told the normal force, else 0 */
    bool any_balls, any_planes, any_arms; /* in it; arms: since they were cleared */
    uint32_t plane;                       /* the shape whose numbers `up_W` and `facing_W` are; UINT32_MAX: none */
    fender_vec3 up_W, facing_W;
    fnd_quick_lanes offset[3]; /* from a's centre of mass to b's */
    /* what is found */
    fnd_quick_lanes normal[3], tangent[3], lever_a[3], lever_b[3];
    fnd_quick_lanes depth, depth_rate, slip[2], spin[3];
    fnd_quick_lanes normal_force, force_C[3], force[3], strength, damping_power, friction_power, power;
    fnd_quick_lanes odd; /* not 0: the general way has to decide */
    /* whose numbers they are */
    const fnd_candidate *pairs[FND_QUICK_LANES];
    int count, type;
    fnd_quick_function *function;
};

/* How batches take the pair, if at all; its numbers for them. */
void fnd_quick_prepare(const fnd_contact_model *model, fnd_candidate *pair);

/* How the body has turned since the last accepted state. */
static inline void fnd_quick_turn(fnd_contact_set *set, const fnd_frame *frames, int body)
{
    const fender_quaternion *q = &frames[body].q, *p = &set->since[body];
    fnd_turn *turn = &set->turns[body];
    turn->none = q->w == p->w && q->x == p->x && q->y == p->y && q->z == p->z;
    turn->q = fender_quaternion_product(*q, fender_quaternion_conjugate(*p));
}
/* An evaluation at these frames begins: how bodies have turned, and which candidates have records. */
void fnd_quick_begin(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames);
/* Two balls that are certainly apart? */
static inline bool fnd_quick_are_apart(const fnd_candidate *pair, const fnd_frame *frames)
{
    const fender_vec3 *a = &frames[pair->body_a].p, *b = &frames[pair->body_b].p;
    double x = b->x - a->x, y = b->y - a->y, z = b->z - a->z;
    return x * x + y * y + z * z > pair->bound; /* INFINITY for others */
}
/* Is there room for the pair in the batch, and is it of its kind? */
static inline bool fnd_quick_fits(const fnd_quick_batch *batch, const fnd_candidate *pair)
{
    return batch->count == 0 || (batch->count < FND_QUICK_LANES && batch->type == pair->type);
}
/* Adds a pair that fits. False: it has to go the general way. */
bool fnd_quick_add(fnd_contact_set *set, const fnd_contact_model *model, const fnd_frame *frames,
                   const fnd_candidate *pair);
/* Fills the row of a lane (all but its ordinal). */
void fnd_quick_write(const fnd_quick_batch *batch, int lane, const fnd_record *record, double time, fnd_contact *row);

/* ---- Commit ---- */

/* `rows` are its sights, one for each evaluation of the passage; `work` is what it has done on the bodies. */
void fnd_quick_commit(fnd_record *record, const fnd_contact_type *type, const unsigned char *memory,
                      const fnd_passage *passage, const fnd_contact *const *rows, const fnd_contact *now, double work);

#endif
