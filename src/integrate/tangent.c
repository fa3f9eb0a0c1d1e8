/* Derivatives of steps: each line of fixed_step.c and explicit_pair.c differentiated, so that they are exact for the
 * discrete step. The lengths of steps, which step control chooses, are given numbers. */
#include "integrate/tangent.h"

#include "math/elementary.h"
#include "math/rotation.h"
#include <assert.h>

/* Numbers of a deviation. */
static size_t width_of(const fnd_ode *ode)
{
    return (size_t)(ode->position_count + ode->momentum_count + 3 * ode->rotation_count);
}

static size_t vector_of(const fnd_ode *ode) { return (size_t)(ode->position_count + ode->momentum_count); }

static fender_vec3 read3(const double *from) { return fender_vec3_make(from[0], from[1], from[2]); }

static void write3(double *to, fender_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

/* exp(v) q, as steps have it */
static fender_quaternion turned(fender_vec3 v, fender_quaternion q)
{
    if (v.x == 0 && v.y == 0 && v.z == 0) return q;
    return fnd_quaternion_rotated(v, q);
}

/* Vectors after a step of these weights: h sum_s a_s dk_s + dh sum_s a_s k_s. `to` may be `from`. */
static void advance_vectors(const fnd_ode *ode, const fnd_ode_workspace *w, const fnd_ode_tangent *t, double h,
                            const double *longer, const double *weights, int stages, const double *from, double *to)
{
    const size_t width = width_of(ode), numbers = vector_of(ode);
    for (int c = 0; c < t->columns; c++) {
        const size_t at = (size_t)c * width;
        for (size_t i = 0; i < numbers; i++) to[at + i] = from[at + i];
        for (int s = 0; s < stages; s++) {
            if (weights[s] == 0) continue;
            const double part = h * weights[s], more = longer[c] * weights[s];
            for (size_t i = 0; i < numbers; i++) to[at + i] += part * t->rate[s][at + i];
            for (size_t i = 0; more != 0 && i < numbers; i++) to[at + i] += more * w->rates[s][i];
        }
    }
}

/* h sum_s a_s w_s, of angular velocities or rates of rotation vectors at stages */
static fender_vec3 turn_of(fender_vec3 *const *velocities, double h, const double *weights, int stages, int body)
{
    fender_vec3 sum = {0, 0, 0};
    for (int s = 0; s < stages; s++)
        if (weights[s] != 0) sum = fender_vec3_add_scaled(sum, h * weights[s], velocities[s][body]);
    return sum;
}

/* How it changes in a column: h sum_s a_s dw_s + dh sum_s a_s w_s. */
static fender_vec3 turn_change(const fnd_ode *ode, fender_vec3 *const *velocities, const fnd_ode_tangent *t, double h,
                               double longer, const double *weights, int stages, int column, int body)
{
    fender_vec3 sum = {0, 0, 0};
    const size_t at = (size_t)column * width_of(ode) + vector_of(ode) + 3 * (size_t)body;
    for (int s = 0; s < stages; s++) {
        if (weights[s] == 0) continue;
        sum = fender_vec3_add_scaled(sum, h * weights[s], read3(t->rate[s] + at));
        if (longer != 0) sum = fender_vec3_add_scaled(sum, longer * weights[s], velocities[s][body]);
    }
    return sum;
}

/* Rotations after such a step, by `turn_count` turns one after the other. `to` may be `from`. */
static void advance_rotations(const fnd_ode *ode, fender_vec3 *const *velocities, const fnd_ode_tangent *t, double h,
                              const double *longer, const double (*turns)[FND_STAGE_CAPACITY], int turn_count,
                              int stages, const double *from, double *to)
{
    for (int k = 0; k < ode->rotation_count; k++)
        for (int r = 0; r < turn_count; r++) {
            fender_mat3 J, R;
            fnd_rotation_derivative(turn_of(velocities, h, turns[r], stages, k), &J, &R);
            for (int c = 0; c < t->columns; c++) {
                const size_t at = (size_t)c * width_of(ode) + vector_of(ode) + 3 * (size_t)k;
                const fender_vec3 deviation = read3((r == 0 ? from : to) + at);
                const fender_vec3 change = turn_change(ode, velocities, t, h, longer[c], turns[r], stages, c, k);
                write3(to + at, fender_vec3_add(fender_mat3_times(&J, change), fender_mat3_times(&R, deviation)));
            }
        }
}

/* ---- rk4 */

/* The state of a stage from the rates before it. */
static void stage_state(const fnd_ode *ode, fnd_ode_workspace *w, double h, int stage,
                        const fender_quaternion *rotations, const double *vector)
{
    const double part = stage == 3 ? 1 : 0.5;
    const int before = stage - 1;
    for (int i = 0; i < ode->position_count + ode->momentum_count; i++)
        w->vector[i] = vector[i] + part * h * w->rates[before][i];
    for (int k = 0; k < ode->rotation_count; k++) {
        const fender_vec3 first = fender_vec3_scale(0.5 * h, w->angular_velocities[0][k]);
        if (stage == 3) {
            const fender_vec3 rest = fender_vec3_sub(fender_vec3_scale(h, w->angular_velocities[2][k]), first);
            w->rotations[k] = turned(rest, turned(first, rotations[k]));
        } else {
            w->rotations[k] = turned(fender_vec3_scale(0.5 * h, w->angular_velocities[before][k]), rotations[k]);
        }
    }
}

static bool rk4_tangent(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, const fnd_ode_tangent *t,
                        double h, const double *longer, const fender_quaternion *rotations, const double *vector,
                        double *deviations)
{
    static const double turns[4][2][FND_STAGE_CAPACITY] = {{{0}}, {{0.5}}, {{0, 0.5}}, {{0.5}, {-0.5, 0, 1}}};
    static const double halves[2][FND_STAGE_CAPACITY] = {{0.25, 1.0 / 6, 1.0 / 6, -1.0 / 12},
                                                         {-1.0 / 12, 1.0 / 6, 1.0 / 6, 0.25}};
    fender_vec3 *const *omega = w->angular_velocities;
    if (!t->rates(t->ctx, 0, rotations, vector, deviations, t->rate[0])) return false;
    for (int s = 1; s < 4; s++) {
        stage_state(ode, w, h, s, rotations, vector);
        advance_vectors(ode, w, t, h, longer, method->coefficients[s], s, deviations, t->trial);
        advance_rotations(ode, omega, t, h, longer, turns[s], s == 3 ? 2 : 1, s, deviations, t->trial);
        if (!t->rates(t->ctx, s, w->rotations, w->vector, t->trial, t->rate[s])) return false;
    }
    advance_vectors(ode, w, t, h, longer, method->weights, 4, deviations, deviations);
    advance_rotations(ode, omega, t, h, longer, halves, 2, 4, deviations, deviations);
    return true;
}

/* ---- Explicit pairs */

/* The factor f(x^2) of theta x (theta x omega) in the rate of theta, and its derivative by x^2: f = (1 - h cot h) / x^2
 * with h = x / 2, by its series where that cancels (explicit_pair.c). */
static double rate_factor(double square, double *slope)
{
    static const double series[] = {1.0 / 12,
                                    1.0 / 720,
                                    1.0 / 30240,
                                    1.0 / 1209600,
                                    1.0 / 47900160,
                                    691.0 / 1307674368000.0,
                                    1.0 / 74724249600.0,
                                    3617.0 / 10670622842880000.0};
    if (square < 0.25) {
        double factor = series[7];
        *slope = 0;
        for (int i = 6; i >= 0; i--) {
            *slope = *slope * square + factor;
            factor = factor * square + series[i];
        }
        return factor;
    }
    double half = 0.5 * sqrt(square), sine, cosine;
    fnd_sin_cos(half, &sine, &cosine);
    const double factor = (1 - half * cosine / sine) / square;
    *slope = ((half / sine - cosine) / sine / (8 * half) - factor) / square;
    return factor;
}

/* How the rate w - theta x w / 2 + f theta x (theta x w) of a rotation vector changes. */
static fender_vec3 rate_change(fender_vec3 theta, fender_vec3 omega, fender_vec3 theta_change, fender_vec3 omega_change)
{
    double slope;
    const double factor = rate_factor(fender_vec3_dot(theta, theta), &slope);
    const fender_vec3 once = fender_vec3_cross(theta, omega);
    const fender_vec3 changed = fender_vec3_add(fender_vec3_cross(theta_change, omega),
                                                fender_vec3_cross(theta, omega_change));
    const fender_vec3 twice = fender_vec3_add(fender_vec3_cross(theta_change, once), fender_vec3_cross(theta, changed));
    fender_vec3 rate = fender_vec3_add_scaled(omega_change, -0.5, changed);
    rate = fender_vec3_add_scaled(rate, factor, twice);
    return fender_vec3_add_scaled(rate, 2 * slope * fender_vec3_dot(theta, theta_change),
                                  fender_vec3_cross(theta, once));
}

/* The state of a stage, and in the places of rotations the changes of rates of rotation vectors for those of angular
 * velocities. */
static void rotation_vector_rates(const fnd_ode *ode, const fnd_ode_workspace *w, const fnd_ode_tangent *t, double h,
                                  const double *longer, const double *weights, int stage)
{
    fender_vec3 *const *rates = w->rotation_rates;
    for (int k = 0; k < ode->rotation_count; k++) {
        const fender_vec3 theta = turn_of(rates, h, weights, stage, k);
        for (int c = 0; c < t->columns; c++) {
            const fender_vec3 change = turn_change(ode, rates, t, h, longer[c], weights, stage, c, k);
            double *rate = t->rate[stage] + (size_t)c * width_of(ode) + vector_of(ode) + 3 * (size_t)k;
            write3(rate, rate_change(theta, w->angular_velocities[stage][k], change, read3(rate)));
        }
    }
}

static bool explicit_pair_tangent(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w,
                                  const fnd_ode_tangent *t, double h, const double *longer,
                                  const fender_quaternion *rotations, const double *vector, double *deviations)
{
    int stages = method->stage_count;
    while (method->weights[stages - 1] == 0) stages--; /* it is the first of the next step */
    fender_vec3 *const *theta = w->rotation_rates;
    if (!t->rates(t->ctx, 0, rotations, vector, deviations, t->rate[0])) return false;
    for (int s = 1; s < stages; s++) {
        const double(*a)[FND_STAGE_CAPACITY] = method->coefficients + s;
        fnd_ode_combine(ode, w, s, h, *a, rotations, vector, w->rotations, w->vector);
        advance_vectors(ode, w, t, h, longer, *a, s, deviations, t->trial);
        advance_rotations(ode, theta, t, h, longer, a, 1, s, deviations, t->trial);
        if (!t->rates(t->ctx, s, w->rotations, w->vector, t->trial, t->rate[s])) return false;
        rotation_vector_rates(ode, w, t, h, longer, *a, s);
    }
    advance_vectors(ode, w, t, h, longer, method->weights, stages, deviations, deviations);
    advance_rotations(ode, theta, t, h, longer, (const double(*)[FND_STAGE_CAPACITY])method->weights, 1, stages,
                      deviations, deviations);
    return true;
}

/* ---- Any of them */

bool fnd_method_has_tangent(const fnd_method *method)
{
    return method == &fnd_rk4 || method == &fnd_dopri5 || method == &fnd_dop853;
}

bool fnd_ode_tangent_step(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, const fnd_ode_tangent *t,
                          double h, const double *longer, const fender_quaternion *rotations, const double *vector,
                          double *deviations)
{
    assert(fnd_method_has_tangent(method));
    const bool done = method == &fnd_rk4
                          ? rk4_tangent(method, ode, w, t, h, longer, rotations, vector, deviations)
                          : explicit_pair_tangent(method, ode, w, t, h, longer, rotations, vector, deviations);
    if (done && t->conserve)
        t->conserve(t->ctx, h, longer, method->stage_count, (const double(*)[16])w->energy_defect, deviations);
    return done;
}
