/* Derivatives of a step with respect to the state that it starts from. */
#ifndef FND_INTEGRATE_TANGENT_H
#define FND_INTEGRATE_TANGENT_H

#include "integrate/ode.h"

/* A deviation of a state: its vector, then a rotation vector in outer axes for each rotation. The numbers of all
 * columns stand one after the other. */
typedef struct fnd_ode_tangent {
    void *ctx;
    int columns;
    /* Derivatives of vector rates and of angular velocities, in the form of deviations, at a stage of the step whose
     * state is given. False: they do not exist. */
    bool (*rates)(void *ctx, int stage, const fender_quaternion *rotations, const double *vector,
                  const double *deviations, double *rates);
    /* The derivative of the `conserve` of the equations, added to deviations at the end of a step. `longer`: by column,
     * the derivative of the length of the step. */
    void (*conserve)(void *ctx, double step, const double *longer, int stage_count, const double (*energy_defect)[16],
                     double *deviations);
    double *rate[FND_STAGE_CAPACITY]; /* room for the deviations of all columns, by stage of the method */
    double *trial;                    /* the same for a trial state */
} fnd_ode_tangent;

/* Steps of rk4, dopri5 and dop853 have derivatives. */
bool fnd_method_has_tangent(const fnd_method *method);
/* The derivative of the step of such a method that was taken last, of `step` seconds from (rotations, vector): takes
 * deviations of its start to those of its end, exactly, for steps that are longer by `longer` per column. Uses the
 * trial arrays of the workspace; its stages stay. False: as of `rates`. */
bool fnd_ode_tangent_step(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *workspace,
                          const fnd_ode_tangent *tangent, double step, const double *longer,
                          const fender_quaternion *rotations, const double *vector, double *deviations);

#endif
