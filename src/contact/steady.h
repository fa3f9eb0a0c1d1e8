/* Steps in which nothing begins or ends: all contacts are quick (contact/quick.h), each that has a record touches at
 * every state of the step, and nothing else comes near. What such contacts remember is then kept in lanes, beside the
 * numbers of their batches, from step to step, and goes back to the records at the end (fnd_steady_end).
 *
 * To the bit it is what contact_force.c, quick_commit.c and dynamics/derivative.c compute. A step that is not of this
 * kind is seen before anything has changed (false), and is left to them. */
#ifndef FND_CONTACT_STEADY_H
#define FND_CONTACT_STEADY_H

#include "contact/quick.h"

/* Which of the shapes are not centred on their bodies. */
typedef enum fnd_steady_arms { FND_STEADY_ARMS_NONE, FND_STEADY_ARMS_SOME, FND_STEADY_ARMS_ALL } fnd_steady_arms;

/* Up to 16 contacts in the order of keys. Lanes of sums are those of the step at hand. */
typedef struct fnd_steady_pack {
    fnd_quick_batch batch;
    int64_t body_a[FND_QUICK_LANES], body_b[FND_QUICK_LANES];
    bool same; /* all between the same two bodies */
    fnd_steady_arms arms_a, arms_b;
    bool external;                          /* some contact is with what does not move */
    fnd_quick_lanes place_a[3], place_b[3]; /* the shapes' origins in body axes */
    fnd_quick_lanes arms_at_a, arms_at_b;   /* 1: there is an arm */
    fnd_quick_lanes moves_a, moves_b;       /* 1: the body is dynamic */
    fender_vec3 origin;                     /* W, of moments of external forces */
    fnd_quick_lanes torque_a[3], torque_b[3], external_force[3], external_torque[3];
    /* at the start of the step */
    fnd_quick_lanes from_depth, from_rate, from_force;
    fnd_quick_lanes impulse, force_impulse[3], damping, friction, power, load, work;
    /* of the records */
    fnd_quick_lanes all_impulse, all_force_impulse[3], damping_loss, friction_loss, all_work, stored, stored_at_start;
    fnd_quick_lanes energy, largest_residual, peak_force, peak_force_time, peak_depth;
    fnd_quick_lanes force_error, time_error, depth_error; /* of sampling the peaks */
} fnd_steady_pack;

/* One step. */
typedef struct fnd_steady_step {
    double length, end_time;
    const double *load, *defect; /* by body */
} fnd_steady_step;

/* For registers of one width. */
typedef struct fnd_steady_functions {
    /* Kinematics, laws, and torques on the bodies. False: a contact does not touch, is deeper than the limit, or has to
     * be decided otherwise. */
    bool (*evaluate)(fnd_steady_pack *pack, double depth_limit);
    bool (*are_apart)(fnd_steady_pack *pack); /* none touches, certainly */
    void (*begin_step)(fnd_steady_pack *pack);
    void (*weigh)(fnd_steady_pack *pack, double weight);         /* adds a state of the step to its sums */
    bool (*goes_on)(const fnd_steady_pack *pack, double length); /* no peak between the ends */
    void (*commit)(fnd_steady_pack *pack, const fnd_steady_step *step);
} fnd_steady_functions;
extern const fnd_steady_functions fnd_steady_plain, fnd_steady_avx2, fnd_steady_avx512;

/* How far a body may go before its shapes may leave their volumes. */
typedef struct fnd_steady_room {
    bool moves;
    double least, lever; /* m; room and longest lever of its shapes */
    fender_vec3 p;
    fender_quaternion q;
    double way2, turn2; /* m^2; square of the difference of quaternions */
} fnd_steady_room;

typedef struct fnd_steady {
    const fnd_steady_functions *functions;
    fnd_steady_pack *packs; /* `count` of contacts, then `apart_count` of pairs that do not touch */
    int count, apart_count, capacity;
    int *others; /* candidates that are two centred balls apart */
    int other_count, other_capacity;
    fnd_steady_room *rooms; /* by body */
    int room_count, room_capacity;
    double depth_limit;
    double longest_step;
    int64_t taken;         /* steps so far: what the work has been, no part of a world's state */
    const double *weights; /* of the stages of a step, to be multiplied by its length: `step` */
    double step;
} fnd_steady;

/* Room for so many contacts, up to a thousand. False: no memory. */
bool fnd_steady_reserve(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model, int contacts);
/* Can all contacts at the committed state, whose frames these are, be kept so? */
bool fnd_steady_begin(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                      const fnd_frame *frames, fender_vec3 origin, double depth_limit);
/* The records get what the steps have brought, the last of which ended at `time`. */
void fnd_steady_end(fnd_contact_set *set, double time);
void fnd_steady_destroy(const fender_env *env, fnd_steady *steady);

/* All contacts at these frames. False: it is no such step. */
bool fnd_steady_evaluate(const fender_env *env, fnd_contact_set *set, const fnd_contact_model *model,
                         const fnd_frame *frames, double step);
void fnd_steady_begin_step(fnd_steady *steady);
/* The state that was evaluated last counts in the step with a weight [s]. */
void fnd_steady_weigh(fnd_steady *steady, double weight, double *load);
bool fnd_steady_goes_on(const fnd_steady *steady, double length);
/* Takes the step. Returns the work of all contacts. */
double fnd_steady_commit(fnd_contact_set *set, const fnd_frame *frames, const fnd_steady_step *step);

#endif
