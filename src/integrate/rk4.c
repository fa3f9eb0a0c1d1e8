/* Classical Runge-Kutta of order 4; rotations by the commutator-free Lie-group method of Celledoni, Marthinsen and
 * Owren (2003), the one that JEOD uses, so that attitudes stay on the sphere and free bodies keep their momentum. */
#include "integrate/ode.h"
#include "math/rotation.h"

static const double coefficients[][FND_STAGE_CAPACITY] = {{0}, {0.5}, {0, 0.5}, {0, 0, 1}};

/* exp(v) q: v in outer axes */
static fender_quaternion turned(fender_vec3 v, fender_quaternion q)
{
    if (v.x == 0 && v.y == 0 && v.z == 0) return q;
    return fnd_quaternion_turned(v, q);
}

static fender_vec3 combine(double a, fender_vec3 u, double b, fender_vec3 v)
{
    return fender_vec3_add(fender_vec3_scale(a, u), fender_vec3_scale(b, v));
}

static bool step(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time, double h,
                 const fender_quaternion *rotations, const double *vector, fender_quaternion *new_rotations,
                 double *new_vector)
{
    int nr = ode->rotation_count, nv = ode->position_count + ode->momentum_count + ode->state_count;
    fender_vec3 *const *omega = w->angular_velocities;
    double *const *k = w->rates;

    if (!ode->rates(ode->ctx, 0, time, rotations, vector, omega[0], k[0])) return false;

    for (int i = 0; i < nr; i++) w->second_rotations[i] = turned(fender_vec3_scale(0.5 * h, omega[0][i]), rotations[i]);
    for (int i = 0; i < nv; i++) w->vector[i] = vector[i] + 0.5 * h * k[0][i];
    if (!ode->rates(ode->ctx, 1, time + 0.5 * h, w->second_rotations, w->vector, omega[1], k[1])) return false;

    for (int i = 0; i < nr; i++) w->rotations[i] = turned(fender_vec3_scale(0.5 * h, omega[1][i]), rotations[i]);
    for (int i = 0; i < nv; i++) w->vector[i] = vector[i] + 0.5 * h * k[1][i];
    if (!ode->rates(ode->ctx, 2, time + 0.5 * h, w->rotations, w->vector, omega[2], k[2])) return false;

    for (int i = 0; i < nr; i++)
        w->rotations[i] = turned(combine(h, omega[2][i], -0.5 * h, omega[0][i]), w->second_rotations[i]);
    for (int i = 0; i < nv; i++) w->vector[i] = vector[i] + h * k[2][i];
    if (!ode->rates(ode->ctx, 3, time + h, w->rotations, w->vector, omega[3], k[3])) return false;

    for (int i = 0; i < nr; i++) {
        fender_vec3 middle = fender_vec3_scale(h / 6.0, fender_vec3_add(omega[1][i], omega[2][i]));
        fender_vec3 first = fender_vec3_add(combine(0.25 * h, omega[0][i], -h / 12.0, omega[3][i]), middle);
        fender_vec3 second = fender_vec3_add(combine(-h / 12.0, omega[0][i], 0.25 * h, omega[3][i]), middle);
        new_rotations[i] = turned(second, turned(first, rotations[i]));
    }
    for (int i = 0; i < nv; i++) new_vector[i] = vector[i] + h / 6.0 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    if (ode->conserve) ode->conserve(ode->ctx, h, method->stage_count, (const double(*)[16])w->defect, new_vector);
    return true;
}

const fnd_method fnd_rk4 = {
    .name = "rk4",
    .order = 4,
    .stage_count = 4,
    .step = step,
    .weights = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0},
    .coefficients = coefficients,
    .nodes = {0, 0.5, 0.5, 1},
};
