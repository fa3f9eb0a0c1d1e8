/* Fixed-step methods: Runge-Kutta of order 4, semi-implicit Euler, velocity Verlet. */
#include "integrate/ode.h"
#include "math/rotation.h"

/* ---- rk4 ---- */

static const double coefficients[][FND_STAGE_CAPACITY] = {{0}, {0.5}, {0, 0.5}, {0, 0, 1}};

/* exp(v) q: v in outer axes */
static fender_quaternion turned(fender_vec3 v, fender_quaternion q)
{
    if (v.x == 0 && v.y == 0 && v.z == 0) return q;
    return fnd_quaternion_rotated(v, q);
}

static fender_vec3 combine(double a, fender_vec3 u, double b, fender_vec3 v)
{
    return fender_vec3_add(fender_vec3_scale(a, u), fender_vec3_scale(b, v));
}

/* to = from + h rates. Three at a time: the vectors consist of those, but for the states of laws. */
static void advance(int count, const double *restrict from, double h, const double *restrict rates, double *restrict to)
{
    int i = 0;
    for (; i + 3 <= count; i += 3) {
        to[i] = from[i] + h * rates[i];
        to[i + 1] = from[i + 1] + h * rates[i + 1];
        to[i + 2] = from[i + 2] + h * rates[i + 2];
    }
    for (; i < count; i++) to[i] = from[i] + h * rates[i];
}

/* A loop over numbers of a state. */
typedef struct loop {
    const fnd_ode_workspace *w;
    double h;
    const fender_quaternion *rotations;
    const double *vector;
    fender_quaternion *new_rotations;
    double *new_vector;
    const double *rates;
    int stage; /* of rk4: the next one; 4: the end */
} loop;

/* By the threads of the ode. A copy: who asks can keep its own in registers. */
static void share(fnd_pool *pool, loop l, fnd_block_function *function, int count, int block)
{
    fnd_pool_divide(pool, function, &l, count, block);
}

/* Of loops over rotations, of numbers. */
enum { ROTATION_BLOCK = 256, NUMBER_BLOCK = 16 * ROTATION_BLOCK };

FND_INTO_LOOP void rotate_rk4(const loop *l, int stage, int from, int to)
{
    const fnd_ode_workspace *w = l->w;
    const fender_quaternion *rotations = l->rotations;
    fender_vec3 *const *omega = w->angular_velocities;
    const double h = l->h;
    if (stage == 1)
        for (int i = from; i < to; i++)
            w->second_rotations[i] = turned(fender_vec3_scale(0.5 * h, omega[0][i]), rotations[i]);
    if (stage == 2)
        for (int i = from; i < to; i++) w->rotations[i] = turned(fender_vec3_scale(0.5 * h, omega[1][i]), rotations[i]);
    if (stage == 3)
        for (int i = from; i < to; i++)
            w->rotations[i] = turned(combine(h, omega[2][i], -0.5 * h, omega[0][i]), w->second_rotations[i]);
    for (int i = from; stage == 4 && i < to; i++) {
        fender_vec3 middle = fender_vec3_scale(h / 6.0, fender_vec3_add(omega[1][i], omega[2][i]));
        fender_vec3 first = fender_vec3_add(combine(0.25 * h, omega[0][i], -h / 12.0, omega[3][i]), middle);
        fender_vec3 second = fender_vec3_add(combine(-h / 12.0, omega[0][i], 0.25 * h, omega[3][i]), middle);
        l->new_rotations[i] = turned(second, turned(first, rotations[i]));
    }
}

static void rotate_some(void *ctx, int from, int to) { rotate_rk4(ctx, ((const loop *)ctx)->stage, from, to); }

FND_INTO_LOOP void rotate_all(const fnd_ode *ode, const loop *l, int stage)
{
    loop own = *l;
    own.stage = stage;
    if (!fnd_pool_shares(ode->pool, ode->rotation_count, ROTATION_BLOCK)) rotate_rk4(l, stage, 0, ode->rotation_count);
    else share(ode->pool, own, rotate_some, ode->rotation_count, ROTATION_BLOCK);
}

FND_INTO_LOOP void combine_rk4(const loop *l, int from, int to)
{
    double *const *k = l->w->rates;
    const double *k0 = k[0], *k1 = k[1], *k2 = k[2], *k3 = k[3], *vector = l->vector, sixth = l->h / 6.0;
    double *new_vector = l->new_vector;
    for (int i = from; i < to; i++) new_vector[i] = vector[i] + sixth * (k0[i] + 2 * k1[i] + 2 * k2[i] + k3[i]);
}

static void combine_some(void *ctx, int from, int to) { combine_rk4(ctx, from, to); }

static void advance_some(void *ctx, int from, int to)
{
    const loop *l = ctx;
    advance(to - from, l->vector + from, l->h, l->rates + from, l->new_vector + from);
}

/* to = from + h rates, by the threads of the ode. */
static void advance_all(const fnd_ode *ode, int count, const double *from, double h, const double *rates, double *to)
{
    const loop l = {.h = h, .vector = from, .rates = rates, .new_vector = to};
    if (fnd_pool_shares(ode->pool, count, NUMBER_BLOCK)) share(ode->pool, l, advance_some, count, NUMBER_BLOCK);
    else advance(count, from, h, rates, to);
}

static bool step_rk4(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time, double h,
                     const fender_quaternion *rotations, const double *vector, fender_quaternion *new_rotations,
                     double *new_vector)
{
    const int nv = ode->position_count + ode->momentum_count + ode->state_count;
    fender_vec3 *const *omega = w->angular_velocities;
    double *const *k = w->rates;
    const loop l = {.w = w,
                    .h = h,
                    .rotations = rotations,
                    .vector = vector,
                    .new_rotations = new_rotations,
                    .new_vector = new_vector};

    if (!ode->rates(ode->ctx, 0, time, rotations, vector, omega[0], k[0])) return false;

    rotate_all(ode, &l, 1);
    advance_all(ode, nv, vector, 0.5 * h, k[0], w->vector);
    if (!ode->rates(ode->ctx, 1, time + 0.5 * h, w->second_rotations, w->vector, omega[1], k[1])) return false;

    rotate_all(ode, &l, 2);
    advance_all(ode, nv, vector, 0.5 * h, k[1], w->vector);
    if (!ode->rates(ode->ctx, 2, time + 0.5 * h, w->rotations, w->vector, omega[2], k[2])) return false;

    rotate_all(ode, &l, 3);
    advance_all(ode, nv, vector, h, k[2], w->vector);
    if (!ode->rates(ode->ctx, 3, time + h, w->rotations, w->vector, omega[3], k[3])) return false;

    rotate_all(ode, &l, 4);
    if (fnd_pool_shares(ode->pool, nv, NUMBER_BLOCK)) share(ode->pool, l, combine_some, nv, NUMBER_BLOCK);
    else combine_rk4(&l, 0, nv);
    if (ode->conserve)
        ode->conserve(ode->ctx, h, method->stage_count, (const double(*)[16])w->energy_defect, new_vector);
    return true;
}

const fnd_method fnd_rk4 = {
    .name = "rk4",
    .order = 4,
    .stage_count = 4,
    .step = step_rk4,
    .weights = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0},
    .coefficients = coefficients,
    .nodes = {0, 0.5, 0.5, 1},
};

/* ---- semi_implicit_euler ---- */

static inline void rotate_euler(void *ctx, int from, int to)
{
    const loop *l = ctx;
    const fender_vec3 *omega = l->w->angular_velocities[1];
    for (int i = from; i < to; i++)
        l->new_rotations[i] = fnd_quaternion_rotated(fender_vec3_scale(l->h, omega[i]), l->rotations[i]);
}

static bool step_semi_implicit(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time,
                               double h, const fender_quaternion *rotations, const double *vector,
                               fender_quaternion *new_rotations, double *new_vector)
{
    (void)method;
    int np = ode->position_count, nm = np + ode->momentum_count, nv = nm + ode->state_count;
    const bool known = ode->forces
                           ? ode->forces(ode->ctx, time, rotations, vector, w->rates[0])
                           : ode->rates(ode->ctx, 0, time, rotations, vector, w->angular_velocities[0], w->rates[0]);
    if (!known) return false;
    if (nv > nm) /* their rates are evaluated at the old positions */
        for (int i = 0; i < np; i++) new_vector[i] = vector[i];
    advance_all(ode, nm - np, vector + np, h, w->rates[0] + np, new_vector + np);
    for (int i = nm; i < nv; i++) new_vector[i] = vector[i];
    ode->kinematics(ode->ctx, rotations, new_vector, w->angular_velocities[1], w->rates[1]);
    advance_all(ode, np, vector, h, w->rates[1], new_vector);
    for (int i = nm; i < nv; i++) new_vector[i] += h * w->rates[1][i];
    loop l = {.w = w, .h = h, .rotations = rotations, .new_rotations = new_rotations};
    fnd_pool_blocks(ode->pool, rotate_euler, &l, ode->rotation_count, ROTATION_BLOCK);
    return true;
}

const fnd_method fnd_semi_implicit = {
    .name = "semi_implicit_euler",
    .order = 1,
    .stage_count = 1,
    .step = step_semi_implicit,
    .weights = {1.0},
};

/* ---- velocity_verlet ---- */

/* Velocity Verlet: kick, drift, kick. A kick changes momenta by half a step of the rates at one configuration, a drift
 * moves without forces for a whole step (rotations too: ode->drift), so the sum of angular momenta changes by external
 * torques alone, and for forces that depend on the configuration the step is symmetric and symplectic. Forces that
 * depend on momenta see predicted ones at the end of the step: order 2 still. */

static bool step_velocity_verlet(const fnd_method *method, const fnd_ode *ode, fnd_ode_workspace *w, double time,
                                 double h, const fender_quaternion *rotations, const double *vector,
                                 fender_quaternion *new_rotations, double *new_vector)
{
    (void)method;
    int np = ode->position_count, nm = np + ode->momentum_count, nv = nm + ode->state_count;
    double *const *k = w->rates;
    if (!ode->rates(ode->ctx, 0, time, rotations, vector, w->angular_velocities[0], k[0])) return false;

    for (int i = 0; i < nv; i++) w->vector[i] = vector[i];
    for (int i = np; i < nm; i++) w->vector[i] = vector[i] + 0.5 * h * k[0][i];
    ode->drift(ode->ctx, h, rotations, w->vector, new_rotations, new_vector);
    /* States that follow the bodies, such as stretches of springs, advance by the momenta at the middle of the step, as
     * positions do. With those at the start, an undamped spring would gain energy. */
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
    .step = step_velocity_verlet,
    .weights = {0.5, 0.5},
    .nodes = {0, 1},
};
