/* Interface of the equations to the integrators: rotations, positions, momenta, states, and their rates. */
#ifndef FND_INTEGRATE_ODE_H
#define FND_INTEGRATE_ODE_H

#include "base/pool.h"
#include <fender/base.h>
#include <fender/spatial.h>

/* n rotations (unit quaternions, turning by angular velocities in outer axes) and one vector: `position_count`
 * positions, `momentum_count` momenta (velocities, angular momenta), `state_count` further states of first order. */
typedef struct fnd_ode {
    int rotation_count, position_count, momentum_count, state_count;
    fnd_pool *pool; /* threads that methods may use for loops over these; NULL: the calling one alone */
    void *ctx;
    /* Rates at a trial state. `stage` counts from 0 within a step; stage 0 is the committed state itself. False: the
     * step fails. */
    bool (*rates)(void *ctx, int stage, double time, const fender_quaternion *rotations, const double *vector,
                  fender_vec3 *angular_velocities, double *vector_rates);
    /* Rates of the momenta alone, at the committed state: stage 0. False: the step fails. NULL: `rates` is called. */
    bool (*forces)(void *ctx, double time, const fender_quaternion *rotations, const double *vector,
                   double *vector_rates);
    /* Kinematics, from rotations and momenta alone: angular velocities, and the rates of positions and states in
     * vector_rates. Rates of momenta are not changed. */
    void (*kinematics)(void *ctx, const fender_quaternion *rotations, const double *vector,
                       fender_vec3 *angular_velocities, double *vector_rates);
    /* Motion without forces over a time: new rotations, and in new_vector new positions; momenta and states are copied.
     * The outputs may not overlap the inputs. */
    void (*drift)(void *ctx, double step, const fender_quaternion *rotations, const double *vector,
                  fender_quaternion *new_rotations, double *new_vector);
    /* Called with the new vector of a Runge-Kutta step before its acceptance: restores quadratic invariants that the
     * method loses. `defect[k][j]` (j > k) is the factor of h^3 a_k x a_j in the loss, see fnd_ode_workspace. May be
     * NULL. */
    void (*conserve)(void *ctx, double step, int stage_count, const double (*energy_defect)[16], double *vector);
    /* Allowed local errors of a step, for methods with internal steps: per component of the rotation vectors [rad] and
     * of the vector. NULL: 1e-9 for all. */
    const fender_vec3 *rotation_tolerances;
    const double *vector_tolerances;
} fnd_ode;

#define FND_STAGE_CAPACITY 16

typedef struct fnd_ode_workspace fnd_ode_workspace;
typedef struct fnd_method fnd_method;

/* One step from (rotations, vector) at `time`; the new state goes to the out arrays, which may not overlap the input.
 * False: a rate is not available or, with workspace->failure set, the method failed. If a trial state of an explicit
 * pair is not finite, or rotates by more than 2 rad within the step, no further rates are evaluated: it returns true,
 * and the new state and the errors are NaN, so that step control, which accepts only errors <= 1, rejects the step. */
typedef bool fnd_ode_step(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *workspace, double time,
                          double step, const fender_quaternion *rotations, const double *vector,
                          fender_quaternion *new_rotations, double *new_vector);

/* A one-step method. Quantities that are linear in the rates (quadratures, error estimates, dense output) are given as
 * weights of its stages, to be multiplied by the step. */
struct fnd_method {
    const char *name;
    int order;
    int stage_count; /* evaluations of a step; stage 0 is the state it starts from */
    fnd_ode_step *step;
    double weights[FND_STAGE_CAPACITY];               /* b: sums to 1 */
    const double (*coefficients)[FND_STAGE_CAPACITY]; /* a of a Runge-Kutta method, strictly lower; else NULL */
    double nodes[FND_STAGE_CAPACITY];                 /* c */
    int error_count;                                  /* estimates of the local error: 0 (fixed step), 1 or 2 */
    double error_weights[2][FND_STAGE_CAPACITY];      /* sum to 0 */
    int error_order;                                  /* the step grows as error^(-1/error_order) */
    bool last_at_end;      /* of an explicit pair: its last stage is at the new state (first same as last) */
    int dense_stage_count; /* stages after dense_begin; 0: no dense output */
    /* Called after the step, before its stages are overwritten, with the state it started from; NULL: not needed. False
     * as for a step; with workspace->failure set, a trial state is not finite. */
    bool (*dense_begin)(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *workspace, double time,
                        double step, const fender_quaternion *rotations, const double *vector);
    void (*dense_weights)(double part, double *weights); /* of the state after part (0..1) of the step */
    size_t
        foreign_size; /* size of further data of the method in its workspace; > 0: it uses the tolerances of the ode */
    void (*release)(void *foreign); /* releases what these data refer to; NULL: nothing */
};
extern const fnd_method fnd_rk4, fnd_semi_implicit, fnd_velocity_verlet, fnd_dopri5, fnd_dop853;
extern const fnd_method fnd_cvode_adams, fnd_cvode_bdf; /* in builds with FENDER_WITH_SUNDIALS */

/* Arrays that the methods work in. */
struct fnd_ode_workspace {
    fender_quaternion *rotations; /* trial */
    double *vector;               /* trial */
    fender_vec3 *angular_velocities[FND_STAGE_CAPACITY];
    double *rates[FND_STAGE_CAPACITY];
    /* by stage: rates of the rotation vectors from the attitude at the start of the step (explicit pairs) */
    fender_vec3 *rotation_rates[FND_STAGE_CAPACITY];
    fender_quaternion *second_rotations; /* attitude of RK4's stage 2, from which stage 4 starts */
    /* Runge-Kutta methods whose nodes fulfil sum_i b_i a_ij = b_j (1 - c_j) conserve linear invariants exactly. Their
     * error of a bilinear invariant p x v, with p' = v, v' = a, is sum_(k<j) defect[k][j] h^3 a_k x a_j. */
    double energy_defect[FND_STAGE_CAPACITY][FND_STAGE_CAPACITY];
    void *foreign; /* foreign_size bytes of the method, zero at first; NULL: none */
    void (*release)(void *foreign);
    const char *failure; /* reason why the last step failed, other than a missing rate; else NULL */
    void *block;
    size_t block_size;
};
/* Sized for the counts in `ode` as upper bounds. */
bool fnd_ode_workspace_create(const fender_env *env, const fnd_ode *ode, const fnd_method *method,
                              fnd_ode_workspace *workspace);
/* The same for more states, keeping the contents. `had` contains the previous counts. False: no memory; nothing has
 * changed. */
bool fnd_ode_workspace_grow(const fender_env *env, const fnd_ode *had, const fnd_ode *ode, const fnd_method *method,
                            fnd_ode_workspace *workspace);
void fnd_ode_workspace_destroy(const fender_env *env, fnd_ode_workspace *workspace);

/* start + step * sum_s weights[s] * rates of stage s; rotations by the exponential of the sum of their rotation_rates.
 * For methods that fill rotation_rates. The outputs may not overlap the inputs. `conserve` is not applied: dense output
 * ends beside the state of the step by what it moved, which is no more than the error of the step. */
void fnd_ode_combine(const fnd_ode *ode, const fnd_ode_workspace *workspace, int stage_count, double step,
                     const double *weights, const fender_quaternion *rotations, const double *vector,
                     fender_quaternion *new_rotations, double *new_vector);
/* The error that weights estimate: rotation vectors and vector. */
void fnd_ode_error(const fnd_ode *ode, const fnd_ode_workspace *workspace, int stage_count, double step,
                   const double *weights, fender_vec3 *rotation_errors, double *vector_errors);

/* ---- Step sizes ---- */

/* State of a method between steps, as plain numbers. */
typedef struct fnd_step_control {
    double last_error; /* of the last step that was taken */
    int turned_down;   /* 1: the step tried last was turned down */
} fnd_step_control;

/* Resets the control at the start, and when the right side changes so that the last error is meaningless. */
fnd_step_control fnd_step_control_start(void);

/* Combines the norms of the error estimates (in units of the tolerance); the step is acceptable if the result is <= 1.
 * Norms that are not finite give INFINITY. */
double fnd_step_control_error(const fnd_method *method, const double *norms);

/* Records the error of a trial step, accepted or not, and returns the factor for the next step, between 1/5 and 5. The
 * step does not grow right after a rejected one. */
double fnd_step_control_factor(fnd_step_control *control, const fnd_method *method, double error, bool taken);

/* First step after Hairer, from norms in units of the tolerance: `state_norm` of the state, `rate_norm` of its rates;
 * then with `change_norm` of the change of the rates over an explicit Euler step of the first guess, divided by it. */
double fnd_first_step_guess(double state_norm, double rate_norm);
double fnd_first_step(const fnd_method *method, double guess, double rate_norm, double change_norm);

#endif
