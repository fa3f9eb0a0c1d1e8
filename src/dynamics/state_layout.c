/* The state vector: packing, frames, and the ode that integrators see. */
#include "body/body.h"
#include "dynamics/dynamics.h"
#include <assert.h>
#include <string.h>

static void write3(double *to, fender_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}
void fnd_state_pack(const fnd_dynamics *d, int k, const fnd_state *state, fender_quaternion *rotations, double *vector)
{
    assert(k >= 0 && k < d->dynamic_count);
    int n = 3 * d->dynamic_count;
    rotations[k] = state->q;
    write3(vector + 3 * k, state->p);
    write3(vector + n + 3 * k, state->v);
    write3(vector + 2 * n + 3 * k, state->L);
}

/* fnd_frame_pose of an integrated body whose position is at `at`; velocity and angular momentum follow every `n`. */
static inline void pose_packed(const fnd_body *body, const fender_quaternion *q, const double *at, int n,
                               fnd_frame *frame)
{
    frame->p = fnd_read3(at);
    frame->v = fnd_read3(at + n);
    frame->q = (fender_quaternion){q->w, q->x, q->y, q->z};
    frame->R_WB = fender_quaternion_matrix(*q);
    frame->w = fnd_angular_velocity(body, &frame->R_WB, fnd_read3(at + 2 * n));
}

/* The first integrated body from that one on, in the order of `dynamic`. */
static int first_dynamic(const fnd_dynamics *d, int body)
{
    int low = 0, high = d->dynamic_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (d->dynamic[middle] < body) low = middle + 1;
        else high = middle;
    }
    return low;
}

enum { COPY_BLOCK = 4 * FND_BODY_BLOCK }; /* bodies in a block of loops that copy numbers */

/* A loop over bodies or integrated bodies, and what it reads and writes. */
typedef struct body_loop {
    fnd_dynamics *d;
    double time; /* or the length of a step */
    const fender_quaternion *rotations;
    const double *vector;
    fnd_frame *frames;
    fender_vec3 *angular_velocities;
    double *new_vector; /* or its rates */
    const fnd_evaluation *e;
    int stage_count;
    const double (*energy_defect)[16];
} body_loop;

/* By the threads of the world. A copy: who asks can keep its own in registers. */
static void share(body_loop loop, fnd_block_function *function, int count, int block)
{
    fnd_pool_divide(loop.d->pool, function, &loop, count, block);
}

FND_INTO_LOOP void find_frames(const body_loop *l, int from, int to)
{
    const fnd_dynamics *d = l->d;
    int k = from == 0 ? 0 : first_dynamic(d, from);
    for (int i = from; i < to; i++) {
        const fnd_body *body = &d->model->bodies[i];
        fnd_frame *frame = &l->frames[i];
        if (fnd_body_integrated(body)) {
            if (l->vector) pose_packed(body, &l->rotations[k], l->vector + 3 * k, 3 * d->dynamic_count, frame);
            else fnd_frame_pose(body, &body->state, frame);
            k++;
        } else if (body->motion == FENDER_MOTION_PRESCRIBED) {
            fnd_state state = fnd_state_prescribed(body, l->time, d->pieces ? d->piece_time : (double)NAN,
                                                   d->start_time);
            fnd_frame_pose(body, &state, frame);
        } else {
            fnd_frame_pose(body, &body->state, frame);
        }
    }
}

static void find_some_frames(void *ctx, int from, int to) { find_frames(ctx, from, to); }

void fnd_dynamics_frames(fnd_dynamics *d, double time, const fender_quaternion *rotations, const double *vector,
                         fnd_frame *frames)
{
    const int bodies = d->model->body_count;
    assert(frames || d->model->body_count == 0);
    assert(d->model->body_count == d->body_count);
    assert(!vector == !rotations || d->dynamic_count == 0);
    fnd_model_move(d->model, time);
    if (frames == d->frames) d->frames_committed = false;
    d->link_states = vector && d->link_state_count > 0 ? vector + fnd_law_state_offset(d) : NULL;
    d->contacts.trial_states = vector && d->contacts.state_stride > 0 ? vector + fnd_state_offset(d) : NULL;
    const body_loop loop = {.d = d, .time = time, .rotations = rotations, .vector = vector, .frames = frames};
    if (fnd_pool_shares(d->pool, bodies, FND_BODY_BLOCK)) share(loop, find_some_frames, bodies, FND_BODY_BLOCK);
    else find_frames(&loop, 0, bodies);
    for (int k = 0; fnd_model_moves(d->model) && k < d->dynamic_count; k++) {
        const int i = d->dynamic[k];
        const fnd_body *body = &d->model->bodies[i];
        const fender_vec3 L = vector ? fnd_read3(vector + 6 * d->dynamic_count + 3 * k) : body->state.L;
        if (body->moving) frames[i].w = fnd_part_angular_velocity(body, &frames[i].R_WB, L);
    }
}

FND_INTO_LOOP void write_rates(const body_loop *l, int from, int to)
{
    const fnd_dynamics *d = l->d;
    assert(d->dynamic_count == 0 || d->dynamic[d->dynamic_count - 1] < d->model->body_count);
    int n = 3 * d->dynamic_count;
    for (int k = from; k < to; k++) {
        int i = d->dynamic[k];
        l->angular_velocities[k] = l->e->angular_velocity[i];
        write3(l->new_vector + 3 * k, fnd_read3(l->vector + n + 3 * k));
        write3(l->new_vector + n + 3 * k, l->e->acceleration[i]);
        write3(l->new_vector + 2 * n + 3 * k, l->e->torque[i]);
    }
}

static void write_some_rates(void *ctx, int from, int to) { write_rates(ctx, from, to); }

static inline void write_forces(void *ctx, int from, int to)
{
    const body_loop *l = ctx;
    const int n = 3 * l->d->dynamic_count;
    for (int k = from; k < to; k++) {
        const int i = l->d->dynamic[k];
        write3(l->new_vector + n + 3 * k, l->e->acceleration[i]);
        write3(l->new_vector + 2 * n + 3 * k, l->e->torque[i]);
    }
}

/* Of the states of all laws. With frames, the bodies have their motion, at the places of the evaluation. */
static void law_rates(const fnd_dynamics *d, const fnd_evaluation *e, const fnd_frame *frames, const double *vector,
                      double *vector_rates)
{
    const int links = fnd_law_state_offset(d), contacts = fnd_state_offset(d);
    if (fnd_state_count(d) == 0) return;
    fnd_links_state_rates(d, e, frames, vector + links, vector_rates + links);
    fnd_contact_state_rates(&d->contacts, d->model, &e->contacts, frames, vector + contacts, vector_rates + contacts);
}

static bool evaluate_stage(fnd_dynamics *d, int stage, double time, const fender_quaternion *rotations,
                           const double *vector)
{
    if (stage == 0 && d->committed_fresh) return true;
    fnd_dynamics_frames(d, time, rotations, vector, d->frames);
    return fnd_dynamics_evaluate(d, time, d->frames, &d->evaluations[stage]);
}

static bool forces(void *ctx, double time, const fender_quaternion *rotations, const double *vector,
                   double *vector_rates)
{
    fnd_dynamics *d = ctx;
    const fnd_evaluation *e = &d->evaluations[0];
    if (!evaluate_stage(d, 0, time, rotations, vector)) return false;
    body_loop loop = {.d = d, .new_vector = vector_rates, .e = e};
    fnd_pool_blocks(d->pool, write_forces, &loop, d->dynamic_count, COPY_BLOCK);
    return true;
}

static bool rates(void *ctx, int stage, double time, const fender_quaternion *rotations, const double *vector,
                  fender_vec3 *angular_velocities, double *vector_rates)
{
    assert(stage >= 0 && stage < FND_STAGE_CAPACITY);
    fnd_dynamics *d = ctx;
    const fnd_evaluation *e = &d->evaluations[stage];
    if (!evaluate_stage(d, stage, time, rotations, vector)) return false;
    const int count = d->dynamic_count;
    const body_loop loop = {
        .d = d, .vector = vector, .angular_velocities = angular_velocities, .new_vector = vector_rates, .e = e};
    if (fnd_pool_shares(d->pool, count, COPY_BLOCK)) share(loop, write_some_rates, count, COPY_BLOCK);
    else write_rates(&loop, 0, count);
    if (vector && fnd_state_count(d) > 0) law_rates(d, e, NULL, vector, vector_rates);
    return true;
}

/* Rates of the laws' states from new momenta, at the places of the step's first evaluation: with the momenta that the
 * step began with, a bristle and a mass would be an explicit method, and unstable. */
static void state_kinematics(fnd_dynamics *d, const fender_quaternion *rotations, const double *vector,
                             double *vector_rates)
{
    const fnd_evaluation *e = &d->evaluations[0];
    if (fnd_state_count(d) == 0) return;
    double time = e->contacts.count > 0 ? e->contacts.items[0].in.time : e->link_count > 0 ? e->links[0].time : 0;
    fnd_dynamics_frames(d, time, rotations, vector, d->frames);
    law_rates(d, e, d->frames, vector, vector_rates);
}

static inline void find_kinematics(void *ctx, int from, int to)
{
    const body_loop *l = ctx;
    const fnd_dynamics *d = l->d;
    int n = 3 * d->dynamic_count;
    for (int k = from; k < to; k++) {
        const fnd_body *body = &d->model->bodies[d->dynamic[k]];
        fender_vec3 L = fnd_read3(l->vector + 2 * n + 3 * k);
        fender_mat3 R_WB;
        if (!body->spherical) R_WB = fender_quaternion_matrix(l->rotations[k]);
        l->angular_velocities[k] = fnd_angular_velocity(body, &R_WB, L);
        write3(l->new_vector + 3 * k, fnd_read3(l->vector + n + 3 * k));
    }
}

static void kinematics(void *ctx, const fender_quaternion *rotations, const double *vector,
                       fender_vec3 *angular_velocities, double *vector_rates)
{
    fnd_dynamics *d = ctx;
    body_loop loop = {.d = d, .rotations = rotations, .vector = vector, .new_vector = vector_rates};
    loop.angular_velocities = angular_velocities;
    fnd_pool_blocks(d->pool, find_kinematics, &loop, d->dynamic_count, FND_BODY_BLOCK);
    state_kinematics(d, rotations, vector, vector_rates);
}

static void drift(void *ctx, double h, const fender_quaternion *rotations, const double *vector,
                  fender_quaternion *new_rotations, double *new_vector)
{
    const fnd_dynamics *d = ctx;
    int n = 3 * d->dynamic_count, rest = 2 * n + fnd_state_count(d);
    memcpy(new_vector + n, vector + n, (size_t)rest * sizeof *vector);
    for (int i = 0; i < n; i++) new_vector[i] = vector[i] + h * vector[n + i];
    for (int k = 0; k < d->dynamic_count; k++) {
        const fnd_body *body = &d->model->bodies[d->dynamic[k]];
        new_rotations[k] = fnd_free_rotation(&body->inverse_inertia, body->spherical, rotations[k],
                                             fnd_read3(vector + 2 * n + 3 * k), h);
    }
}

/* Runge-Kutta methods conserve sums that are linear in the state exactly, but orbital angular momentum p x m v is
 * quadratic: of the internal forces they miss, per body, D = m h^3 sum_(k<j) defect[k][j] a_k x a_j
 * (fnd_ode_workspace). Taking D from the spin makes the total exact to rounding. D is of the method's own order, needs
 * no reference point, and vanishes for parallel forces. */
static void restore_spins(void *ctx, int from, int to)
{
    const body_loop *l = ctx;
    const fnd_dynamics *d = l->d;
    const int n = 3 * d->dynamic_count;
    const double h = l->time;
    for (int k = from; k < to; k++) {
        int i = d->dynamic[k];
        fender_vec3 sum = {0, 0, 0};
        for (int s = 0; s + 1 < l->stage_count; s++) {
            fender_vec3 others = {0, 0, 0};
            for (int t = s + 1; t < l->stage_count; t++)
                others = fender_vec3_add_scaled(others, l->energy_defect[s][t], d->evaluations[t].internal_force[i]);
            sum = fender_vec3_add(sum, fender_vec3_cross(d->evaluations[s].internal_force[i], others));
        }
        double factor = d->model->bodies[i].inverse_mass * (h * h * h);
        double *L = l->new_vector + 2 * n + 3 * k;
        L[0] -= factor * sum.x;
        L[1] -= factor * sum.y;
        L[2] -= factor * sum.z;
    }
}

static void conserve(void *ctx, double h, int stage_count, const double (*energy_defect)[16], double *vector)
{
    assert(stage_count > 0 && stage_count <= FND_STAGE_CAPACITY);
    fnd_dynamics *d = ctx;
    bool internal = d->link_count > 0;
    for (int s = 0; s < stage_count && !internal; s++) internal = d->evaluations[s].contacts.count > 0;
    if (!internal) return;
    body_loop loop = {.d = d, .time = h, .new_vector = vector, .stage_count = stage_count};
    loop.energy_defect = energy_defect;
    fnd_pool_blocks(d->pool, restore_spins, &loop, d->dynamic_count, FND_BODY_BLOCK);
}

fnd_ode fnd_dynamics_ode(fnd_dynamics *d)
{
    assert(d->dynamic_count >= 0 && d->dynamic_count <= d->dynamic_capacity);
    int n = d->dynamic_count;
    return (fnd_ode){.rotation_count = n,
                     .position_count = 3 * n,
                     .momentum_count = 6 * n,
                     .state_count = fnd_state_count(d),
                     .pool = d->pool,
                     .ctx = d,
                     .rates = rates,
                     .forces = forces,
                     .kinematics = kinematics,
                     .drift = drift,
                     .conserve = conserve};
}
