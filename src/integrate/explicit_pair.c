/* The step of an embedded explicit Runge-Kutta pair given by its table. Rotations by the method of Munthe-Kaas: within
 * a step they are exp(theta) times the first, and the pair integrates the rotation vector theta, so that they keep its
 * order and stay rotations. */
#include "integrate/explicit_pair.h"
#include "math/elementary.h"
#include "math/rotation.h"

/* A step that turns further than this at a stage is not taken: the rate of theta is singular at a full turn, and long
 * before that no series in the step converges. */
#define WIDEST_TURN 2.0
/* For the stages of dense output, which belong to a step that has been taken. */
#define WIDEST_DENSE_TURN 4.0

static int vector_count(const fnd_ode *ode) { return ode->position_count + ode->momentum_count + ode->state_count; }

/* exp(theta) q, theta in outer axes, of unit length; NaN stays NaN. */
static fender_quaternion turned(fender_vec3 theta, fender_quaternion q)
{
    if (theta.x == 0 && theta.y == 0 && theta.z == 0) return q;
    fender_quaternion p = fender_quaternion_product(fnd_rotation_exp(theta), q);
    double n = sqrt(p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
    return (fender_quaternion){p.w / n, p.x / n, p.y / n, p.z / n};
}

/* Rate of theta when exp(theta) turns by omega, both in outer axes: the inverse of the differential of exp. */
static fender_vec3 rotation_vector_rate(fender_vec3 theta, fender_vec3 omega)
{
    double square = fender_vec3_dot(theta, theta), factor;
    if (square == 0) return omega;
    if (square < 0.25) { /* Bernoulli numbers over factorials; the next term is below 1e-17 */
        factor = 3617.0 / 10670622842880000.0;
        factor = 1.0 / 74724249600.0 + square * factor;
        factor = 691.0 / 1307674368000.0 + square * factor;
        factor = 1.0 / 47900160.0 + square * factor;
        factor = 1.0 / 1209600.0 + square * factor;
        factor = 1.0 / 30240.0 + square * factor;
        factor = 1.0 / 720.0 + square * factor;
        factor = 1.0 / 12.0 + square * factor;
    } else {
        double half = 0.5 * sqrt(square), sine, cosine;
        fnd_sin_cos(half, &sine, &cosine);
        factor = (1.0 - half * cosine / sine) / square;
    }
    fender_vec3 once = fender_vec3_cross(theta, omega);
    fender_vec3 rate = fender_vec3_add_scaled(omega, -0.5, once);
    return fender_vec3_add_scaled(rate, factor, fender_vec3_cross(theta, once));
}

static fender_vec3 sum_rotation(const fnd_ode_workspace *w, int stage_count, double h, const double *weights, int body)
{
    fender_vec3 sum = {0, 0, 0};
    for (int s = 0; s < stage_count; s++)
        if (weights[s] != 0) sum = fender_vec3_add_scaled(sum, weights[s], w->rotation_rates[s][body]);
    return fender_vec3_scale(h, sum);
}

/* The sum of the rates, without step and start: adding those last keeps what the terms are smaller by. */
static void sum_rates(const fnd_ode_workspace *w, int n, int stage_count, const double *weights, double *restrict sum)
{
    for (int i = 0; i < n; i++) sum[i] = 0;
    for (int s = 0; s < stage_count; s++) {
        double weight = weights[s];
        if (weight == 0) continue; /* a third of the tables */
        const double *restrict rate = w->rates[s];
        for (int i = 0; i < n; i++) sum[i] += weight * rate[i];
    }
}

void fnd_ode_combine(const fnd_ode *ode, const fnd_ode_workspace *w, int stage_count, double h, const double *weights,
                     const fender_quaternion *rotations, const double *vector, fender_quaternion *new_rotations,
                     double *new_vector)
{
    int n = vector_count(ode);
    for (int i = 0; i < ode->rotation_count; i++)
        new_rotations[i] = turned(sum_rotation(w, stage_count, h, weights, i), rotations[i]);
    sum_rates(w, n, stage_count, weights, new_vector);
    for (int i = 0; i < n; i++) new_vector[i] = vector[i] + h * new_vector[i];
}

void fnd_ode_error(const fnd_ode *ode, const fnd_ode_workspace *w, int stage_count, double h, const double *weights,
                   fender_vec3 *rotation_errors, double *vector_errors)
{
    int n = vector_count(ode);
    for (int i = 0; i < ode->rotation_count; i++) rotation_errors[i] = sum_rotation(w, stage_count, h, weights, i);
    sum_rates(w, n, stage_count, weights, vector_errors);
    for (int i = 0; i < n; i++) vector_errors[i] *= h;
}

typedef enum outcome { EVALUATED, TOO_FAR, NO_RATES } outcome;

static outcome evaluate(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, int stage,
                        double widest_turn, double time, double h, const fender_quaternion *rotations,
                        const double *vector)
{
    const double *a = method->coefficients[stage];
    int n = vector_count(ode);
    fender_vec3 *theta = w->rotation_rates[stage]; /* until their rates take the place */
    for (int i = 0; i < ode->rotation_count; i++) {
        theta[i] = sum_rotation(w, stage, h, a, i);
        if (!(fender_vec3_dot(theta[i], theta[i]) <= widest_turn * widest_turn)) return TOO_FAR;
        w->rotations[i] = turned(theta[i], rotations[i]);
    }
    sum_rates(w, n, stage, a, w->vector);
    for (int i = 0; i < n; i++) {
        w->vector[i] = vector[i] + h * w->vector[i];
        if (!isfinite(w->vector[i])) return TOO_FAR;
    }
    fender_vec3 *omega = w->angular_velocities[stage];
    if (!ode->rates(ode->ctx, stage, time + method->nodes[stage] * h, w->rotations, w->vector, omega, w->rates[stage]))
        return NO_RATES;
    for (int i = 0; i < ode->rotation_count; i++) theta[i] = rotation_vector_rate(theta[i], omega[i]);
    return EVALUATED;
}

/* Whatever is made of the stages from now on is not a number, and no bound of an error holds. */
static void spoil(const fnd_ode *ode, fnd_ode_workspace *w, int stage_count)
{
    int n = vector_count(ode);
    for (int s = 0; s < stage_count; s++) {
        for (int i = 0; i < ode->rotation_count; i++) w->rotation_rates[s][i] = fender_vec3_make(NAN, NAN, NAN);
        for (int i = 0; i < n; i++) w->rates[s][i] = NAN;
    }
}

bool fnd_explicit_pair_step(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time, double h,
                            const fender_quaternion *rotations, const double *vector, fender_quaternion *new_rotations,
                            double *new_vector)
{
    if (!ode->rates(ode->ctx, 0, time, rotations, vector, w->angular_velocities[0], w->rates[0])) return false;
    for (int i = 0; i < ode->rotation_count; i++) w->rotation_rates[0][i] = w->angular_velocities[0][i];
    outcome reached = EVALUATED;
    for (int s = 1; s < method->stage_count && reached == EVALUATED; s++)
        reached = evaluate(method, ode, w, s, WIDEST_TURN, time, h, rotations, vector);
    if (reached == NO_RATES) return false;
    if (reached == TOO_FAR) spoil(ode, w, method->stage_count);
    fnd_ode_combine(ode, w, method->stage_count, h, method->weights, rotations, vector, new_rotations, new_vector);
    if (ode->conserve && reached == EVALUATED)
        ode->conserve(ode->ctx, h, method->stage_count, (const double(*)[16])w->defect, new_vector);
    return true;
}

bool fnd_explicit_pair_dense_begin(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time,
                                   double h, const fender_quaternion *rotations, const double *vector)
{
    for (int s = method->stage_count; s < method->dense_stage_count; s++)
        if (evaluate(method, ode, w, s, WIDEST_DENSE_TURN, time, h, rotations, vector) != EVALUATED) return false;
    return true;
}

void fnd_hermite_weights(double part, int stage_count, const double *b, int last, const double *tail, double *weights)
{
    double rest = 1 - part;
    for (int s = 0; s < stage_count; s++) {
        double first = s == 0, end = s == last;
        weights[s] = part * (b[s] + rest * (first - b[s] + part * (2 * b[s] - first - end + rest * tail[s])));
    }
}
