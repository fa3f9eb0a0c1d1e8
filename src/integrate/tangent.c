/* The derivative of a step of rk4: each line of fixed_step.c differentiated, so that it is exact for the discrete step.
 */
#include "integrate/tangent.h"
#include "math/rotation.h"

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

/* exp(v) q, as the step has it */
static fender_quaternion turned(fender_vec3 v, fender_quaternion q)
{
    if (v.x == 0 && v.y == 0 && v.z == 0) return q;
    return fnd_quaternion_rotated(v, q);
}

/* The vector sum_s a_s w_s of a rotation, of angular velocities at stages, and how it changes: h sum_s a_s dw_s +
 * dh sum_s a_s w_s. */
typedef struct turn {
    fender_vec3 vector, change;
} turn;

static turn turn_of(const fnd_ode *ode, const fnd_ode_workspace *w, const fnd_ode_tangent *t, double h, double longer,
                    const double *weights, int column, int body)
{
    turn sum = {{0, 0, 0}, {0, 0, 0}};
    const size_t at = (size_t)column * width_of(ode) + vector_of(ode) + 3 * (size_t)body;
    for (int s = 0; s < 4; s++) {
        if (weights[s] == 0) continue;
        const fender_vec3 omega = w->angular_velocities[s][body];
        sum.vector = fender_vec3_add_scaled(sum.vector, h * weights[s], omega);
        sum.change = fender_vec3_add_scaled(sum.change, h * weights[s], read3(t->rate[s] + at));
        sum.change = fender_vec3_add_scaled(sum.change, longer * weights[s], omega);
    }
    return sum;
}

/* Deviations after a step of weights: of the vector, and of rotations by one or two turns. `to` may be `from`. */
static void advance(const fnd_ode *ode, const fnd_ode_workspace *w, const fnd_ode_tangent *t, double h,
                    const double *longer, const double *weights, const double (*turns)[4], int turn_count,
                    const double *from, double *to)
{
    const size_t width = width_of(ode), numbers = vector_of(ode);
    for (int c = 0; c < t->columns; c++) {
        const size_t at = (size_t)c * width;
        for (size_t i = 0; i < numbers; i++) {
            double sum = 0, rate = 0;
            for (int s = 0; s < 4; s++) {
                if (weights[s] == 0) continue;
                sum += weights[s] * t->rate[s][at + i];
                rate += weights[s] * w->rates[s][i];
            }
            to[at + i] = from[at + i] + h * sum + longer[c] * rate;
        }
        for (int k = 0; k < ode->rotation_count; k++) {
            fender_vec3 deviation = read3(from + at + numbers + 3 * (size_t)k);
            for (int r = 0; r < turn_count; r++) {
                const turn part = turn_of(ode, w, t, h, longer[c], turns[r], c, k);
                deviation = fnd_rotated_change(part.vector, part.change, deviation);
            }
            write3(to + at + numbers + 3 * (size_t)k, deviation);
        }
    }
}

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

bool fnd_rk4_tangent(const fnd_ode *ode, fnd_ode_workspace *w, const fnd_ode_tangent *t, double h, const double *longer,
                     const fender_quaternion *rotations, const double *vector, double *deviations)
{
    static const double parts[4][4] = {{0}, {0.5}, {0, 0.5}, {0, 0, 1}};
    static const double turns[4][2][4] = {{{0}}, {{0.5}}, {{0, 0.5}}, {{0.5}, {-0.5, 0, 1}}};
    static const double weights[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    static const double halves[2][4] = {{0.25, 1.0 / 6, 1.0 / 6, -1.0 / 12}, {-1.0 / 12, 1.0 / 6, 1.0 / 6, 0.25}};
    if (!t->rates(t->ctx, 0, rotations, vector, deviations, t->rate[0])) return false;
    for (int s = 1; s < 4; s++) {
        stage_state(ode, w, h, s, rotations, vector);
        advance(ode, w, t, h, longer, parts[s], turns[s], s == 3 ? 2 : 1, deviations, t->trial);
        if (!t->rates(t->ctx, s, w->rotations, w->vector, t->trial, t->rate[s])) return false;
    }
    advance(ode, w, t, h, longer, weights, halves, 2, deviations, deviations);
    if (t->conserve) t->conserve(t->ctx, h, longer, 4, (const double(*)[16])w->energy_defect, deviations);
    return true;
}
