/* All that an integrator knows of what it integrates: rotations, positions, momenta, and their rates. */
#ifndef FND_INTEGRATE_ODE_H
#define FND_INTEGRATE_ODE_H

#include <fender/base.h>
#include <fender/spatial.h>

/* n rotations (unit quaternions, turning by angular velocities in outer axes), `position_count` positions and
 * `momentum_count` momenta (velocities, angular momenta) in one vector: positions first. */
typedef struct fnd_ode {
    int rotation_count, position_count, momentum_count;
    void *ctx;
    /* Rates at a trial state. `stage` counts from 0 within a step; stage 0 is the committed state itself. False: give
     * up the step. */
    bool (*rates)(void *ctx, int stage, double time, const fender_quaternion *rotations, const double *vector,
                  fender_vec3 *angular_velocities, double *vector_rates);
    /* Only the angular velocities and the rates of the positions, which follow from rotations and momenta. */
    void (*kinematics)(void *ctx, const fender_quaternion *rotations, const double *vector,
                       fender_vec3 *angular_velocities, double *position_rates);
    /* Called with the new vector of an RK4 step before it is taken: restores quadratic invariants that the method
     * loses. May be NULL. */
    void (*conserve)(void *ctx, double step, double *vector);
} fnd_ode;

#define FND_STAGE_CAPACITY 4

/* Which weights h b_s the stages of a step have: for quadratures beside the state. */
typedef struct fnd_tableau {
    int stage_count;
    double weights[FND_STAGE_CAPACITY];
} fnd_tableau;

/* Arrays that the methods work in. */
typedef struct fnd_ode_workspace {
    fender_quaternion *rotations; /* trial */
    double *vector;               /* trial */
    fender_vec3 *angular_velocities[FND_STAGE_CAPACITY];
    double *rates[FND_STAGE_CAPACITY];
    fender_quaternion *second_rotations; /* attitude of stage 2, from which stage 4 starts */
    void *block;
    size_t block_size;
} fnd_ode_workspace;
bool fnd_ode_workspace_create(const fender_env *env, const fnd_ode *ode, fnd_ode_workspace *workspace);
void fnd_ode_workspace_destroy(const fender_env *env, fnd_ode_workspace *workspace);

/* One step from (rotations, vector) at `time`; the new state goes to the out arrays, which may not overlap the input.
 */
typedef bool fnd_ode_step(const fnd_ode *ode, fnd_ode_workspace *workspace, double time, double step,
                          const fender_quaternion *rotations, const double *vector, fender_quaternion *new_rotations,
                          double *new_vector);
fnd_ode_step fnd_rk4_step;
fnd_ode_step fnd_semi_implicit_step;
extern const fnd_tableau fnd_rk4_tableau;
extern const fnd_tableau fnd_semi_implicit_tableau;

#endif
