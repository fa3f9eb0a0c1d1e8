/* What a world holds. */
#ifndef FND_WORLD_WORLD_H
#define FND_WORLD_WORLD_H

#include "dynamics/dynamics.h"

/* Quadratures over accepted steps, and what they are compared with. */
typedef struct fnd_account {
    double damping, friction, applied;    /* J */
    fender_vec3 impulse, angular_impulse; /* of external forces; about the momentum origin */
    double start_energy, peak_kinetic;
    fender_vec3 start_momentum, start_angular_momentum;
} fnd_account;

struct fender_world {
    fender_env env;
    fender_world_def def;
    fnd_contact_model model;
    fnd_dynamics dynamics;
    fnd_ode ode;
    fnd_ode_workspace workspace;
    fender_quaternion *rotations[2]; /* committed, next */
    double *vector[2];
    fnd_frame *host_frames;
    fender_wrench *last_stage; /* per body, in S */
    fender_wrench *next_stage; /* the same of a step that is being tried */
    void *block;
    size_t block_size;
    fnd_account account;
    fnd_event_list events;
    bool initialized;
    int64_t step_count;
    double time, base_time; /* time = base_time + steps since then * step */
    int64_t base_step;
    bool host_state_set; /* a state is being tried by a host */
    double host_time;
    int evaluated; /* index of the evaluation that the evaluated clock shows */
};

/* Initialized, or STATE. */
fender_status fnd_world_ready(const fender_world *world, fender_error *error);
/* The committed evaluation is fresh (evaluated anew if not). */
fender_status fnd_world_refresh(fender_world *world, fender_error *error);
/* Sums over dynamic bodies at the committed state. */
void fnd_world_momentum(const fender_world *world, fender_vec3 *linear, fender_vec3 *angular);
double fnd_world_kinetic(const fender_world *world);
double fnd_world_gravitational(const fender_world *world);
double fnd_world_stored(const fender_world *world);
/* Notes the peak of kinetic energy. */
void fnd_world_account_peak(fender_world *world);
/* Takes the world from its committed state to the state in rotations[1], vector[1] at `time`, reached through
 * `passage_count` evaluations with weights in seconds. On failure nothing has changed. */
fender_status fnd_world_accept(fender_world *world, double time, const int *evaluations, const double *weights,
                               int passage_count, fender_error *error);
/* Copies committed body states to rotations[0], vector[0]. */
void fnd_world_pack(fender_world *world);

static inline bool fnd_id_live(uint32_t index1, uint32_t generation, int count)
{
    return index1 > 0 && generation == 1 && index1 <= (uint32_t)count;
}
fender_status fnd_world_stale(fender_error *error, const char *what);
/* A new name of the name space, or NAME. */
fender_status fnd_world_check_name(const fnd_name_index *index, uint32_t scope, const char *name, const char *what,
                                   fender_error *error);

#endif
