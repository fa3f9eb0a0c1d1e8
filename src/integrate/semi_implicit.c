/* Semi-implicit (symplectic) Euler: momenta first, then positions and rotations with the new momenta. It keeps linear
 * and angular momentum to rounding: a kick acts at one position, a drift moves along the momentum. */
#include "integrate/ode.h"
#include "math/rotation.h"

static bool step(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time, double h,
                 const fender_quaternion *rotations, const double *vector, fender_quaternion *new_rotations,
                 double *new_vector)
{
    (void)method;
    int np = ode->position_count, nm = np + ode->momentum_count, nv = nm + ode->state_count;
    if (!ode->rates(ode->ctx, 0, time, rotations, vector, w->angular_velocities[0], w->rates[0])) return false;
    if (nv > nm) /* their rates are asked for at the old places */
        for (int i = 0; i < np; i++) new_vector[i] = vector[i];
    for (int i = np; i < nm; i++) new_vector[i] = vector[i] + h * w->rates[0][i];
    for (int i = nm; i < nv; i++) new_vector[i] = vector[i];
    ode->kinematics(ode->ctx, rotations, new_vector, w->angular_velocities[1], w->rates[1]);
    for (int i = 0; i < np; i++) new_vector[i] = vector[i] + h * w->rates[1][i];
    for (int i = nm; i < nv; i++) new_vector[i] += h * w->rates[1][i];
    for (int i = 0; i < ode->rotation_count; i++)
        new_rotations[i] = fnd_quaternion_turned(fender_vec3_scale(h, w->angular_velocities[1][i]), rotations[i]);
    return true;
}

const fnd_method fnd_semi_implicit = {
    .name = "semi_implicit_euler",
    .order = 1,
    .stage_count = 1,
    .step = step,
    .weights = {1.0},
};
