/* Velocity Verlet: kick, drift, kick. A kick changes momenta by half a step of the rates at one configuration, a drift
 * moves without forces for a whole step (rotations too: ode->drift), so the sum of angular momenta changes by external
 * torques alone, and for forces that depend on the configuration the step is symmetric and symplectic. Forces that
 * depend on momenta see predicted ones at the end of the step: order 2 still. */
#include "integrate/ode.h"

static bool step(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time, double h,
                 const fender_quaternion *rotations, const double *vector, fender_quaternion *new_rotations,
                 double *new_vector)
{
    (void)method;
    int np = ode->position_count, nm = np + ode->momentum_count, nv = nm + ode->state_count;
    double *const *k = w->rates;
    if (!ode->rates(ode->ctx, 0, time, rotations, vector, w->angular_velocities[0], k[0])) return false;

    for (int i = 0; i < nv; i++) w->vector[i] = vector[i];
    for (int i = np; i < nm; i++) w->vector[i] = vector[i] + 0.5 * h * k[0][i];
    ode->drift(ode->ctx, h, rotations, w->vector, new_rotations, new_vector);
    /* States that move with the bodies, stretches of springs above all, move on by the momenta of the middle as
     * positions do: by those of the start, an undamped spring would gain energy. */
    if (nv > nm) ode->kinematics(ode->ctx, rotations, w->vector, w->angular_velocities[1], k[1]);

    for (int i = 0; i < np; i++) w->vector[i] = new_vector[i];
    for (int i = np; i < nm; i++) w->vector[i] = new_vector[i] + 0.5 * h * k[0][i];
    for (int i = nm; i < nv; i++) w->vector[i] = vector[i] + h * k[1][i];
    if (!ode->rates(ode->ctx, 1, time + h, new_rotations, w->vector, w->angular_velocities[1], k[1])) return false;

    for (int i = np; i < nm; i++) new_vector[i] += 0.5 * h * k[1][i];
    for (int i = nm; i < nv; i++) new_vector[i] = vector[i] + 0.5 * h * (k[0][i] + k[1][i]);
    return true;
}

const fnd_method fnd_velocity_verlet = {
    .name = "velocity_verlet",
    .order = 2,
    .stage_count = 2,
    .step = step,
    .weights = {0.5, 0.5},
    .nodes = {0, 1},
};
