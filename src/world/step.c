/* The pipeline of a step. An integrator proposes a state by pure evaluations; only acceptance changes the world. */
#include "base/error.h"
#include "world/sweep.h"
#include "world/world.h"
#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

/* Limit of distance queries for continuous collision detection in one step, and the cost of a subdivision in queries. A
 * bullet that moves 100 times its thickness in a step needs less than 500. */
enum { MOST_SWEEP_EFFORT = 100000, DIVISION_EFFORT = 20 };

/* The states of laws alone: the records have changed. */
static void world_pack_states(fender_world *world)
{
    const fnd_dynamics *d = &world->dynamics;
    world->ode.state_count = fnd_state_count(d);
    if (d->link_state_count > 0) fnd_links_states_pack(d, world->vector[0] + fnd_law_state_offset(d));
    if (world->ode.state_count > 0)
        fnd_contact_states_pack(&d->contacts, &world->model, world->vector[0] + fnd_state_offset(d));
}

void fnd_world_pack(fender_world *world)
{
    const fnd_dynamics *d = &world->dynamics;
    for (int k = 0; k < d->dynamic_count; k++)
        fnd_state_pack(d, k, &world->model.bodies[d->dynamic[k]].state, world->rotations[0], world->vector[0]);
    world_pack_states(world);
}

/* The state that was tried becomes the committed one; so does its evaluation. */
static void world_swap_states(fender_world *world)
{
    fender_quaternion *rotations = world->rotations[0];
    double *vector = world->vector[0];
    world->rotations[0] = world->rotations[1];
    world->vector[0] = world->vector[1];
    world->rotations[1] = rotations;
    world->vector[1] = vector;
}

static void world_swap_evaluations(fender_world *world, int with)
{
    fnd_dynamics *d = &world->dynamics;
    fnd_evaluation other = d->evaluations[with];
    d->evaluations[with] = d->evaluations[0];
    d->evaluations[0] = other;
    d->committed_fresh = true;
}

fender_status fnd_world_refresh(fender_world *world, fender_error *error)
{
    fnd_dynamics *d = &world->dynamics;
    if (d->committed_fresh) return FENDER_STATUS_OK;
    /* in addition to the present evaluation, which is kept if there is no memory */
    d->piece_time = fnd_piece_of(world->time);
    fnd_dynamics_frames(d, world->time, NULL, NULL, d->frames);
    d->regime = fnd_world_regime(world);
    if (!fnd_dynamics_evaluate(d, world->time, d->frames, &d->evaluations[FND_EVALUATION_NEXT]))
        return fnd_fail_memory(error, "an evaluation");
    world_swap_evaluations(world, FND_EVALUATION_NEXT);
    world->evaluated = 0;
    return FENDER_STATUS_OK;
}

void fnd_world_book(fender_world *world, const int *evaluations, const double *weights, int count)
{
    assert(count >= 0 && count <= FND_STAGE_CAPACITY);
    fnd_account *sum = &world->account;
    for (int s = 0; s < count; s++) {
        const fnd_evaluation *e = &world->dynamics.evaluations[evaluations[s]];
        double w = weights[s];
        sum->damping += w * e->damping_power;
        sum->friction += w * e->friction_power;
        sum->applied += w * e->applied_power;
        sum->motor += w * e->motor_power;
        sum->impulse = fender_vec3_add_scaled(sum->impulse, w, e->external_force);
        sum->angular_impulse = fender_vec3_add_scaled(sum->angular_impulse, w, e->external_torque);
        sum->axial_impulse += w * e->axial_torque;
    }
    fnd_loads_book(&world->dynamics, evaluations, weights, count);
}

/* The evaluations of the step that is being accepted, with weights in seconds. */
typedef struct step_sum {
    const int *evaluations;
    const double *weights;
    int count;
} step_sum;

typedef struct defect_loop {
    fender_world *world;
    const step_sum *sum;
} defect_loop;

static inline void find_energy_defects(void *ctx, int from, int to)
{
    const defect_loop *l = ctx;
    const fender_world *world = l->world;
    const int count = l->sum->count, *evaluations = l->sum->evaluations;
    const double *weights = l->sum->weights;
    const fnd_dynamics *d = &world->dynamics;
    for (int k = from; k < to; k++) {
        int i = d->dynamic[k];
        const fnd_body *body = &world->model.bodies[i];
        const fnd_state *start = &body->state;
        fnd_state end = fnd_state_unpack(d, k, world->rotations[1], world->vector[1]);
        fender_vec3 w0 = d->evaluations[0].angular_velocity[i], w1 = d->frames[i].w;
        /* v1^2 - v0^2 as a product, which is accurate for small changes */
        double gain = 0.5 * body->mass *
                      fender_vec3_dot(fender_vec3_sub(end.v, start->v), fender_vec3_add(end.v, start->v));
        gain += 0.5 * (fender_vec3_dot(end.L, w1) - fender_vec3_dot(start->L, w0));
        for (int s = 0; s < count; s++) gain -= weights[s] * d->evaluations[evaluations[s]].power[i];
        if (body->moving && d->evaluations[0].part_energy) {
            gain += fnd_part_energy(body, &d->frames[i]) - d->evaluations[0].part_energy[i];
            for (int s = 0; s < count; s++) gain -= weights[s] * d->evaluations[evaluations[s]].part_power[i];
        }
        d->energy_defect[i] = gain;
    }
}

/* What the motion of each body has gained beside the work that the stages give its forces: an error of the method. */
static void world_find_energy_defects(fender_world *world, const step_sum *sum)
{
    assert(sum->count > 0 && sum->count <= FND_STAGE_CAPACITY);
    fnd_dynamics *d = &world->dynamics;
    defect_loop l = {world, sum};
    for (int i = 0; i < world->model.body_count; i++) d->energy_defect[i] = 0;
    fnd_pool_blocks(d->pool, find_energy_defects, &l, d->dynamic_count, FND_BODY_BLOCK);
}

static inline void take_states(void *ctx, int from, int to)
{
    fender_world *world = ctx;
    const fnd_dynamics *d = &world->dynamics;
    for (int k = from; k < to; k++)
        world->model.bodies[d->dynamic[k]].state = fnd_state_unpack(d, k, world->rotations[1], world->vector[1]);
}

/* Is there a contact to be committed, or was there one in the step? */
static bool is_touched(const fnd_dynamics *d, const fnd_evaluation *next, const int *evaluations, int count)
{
    bool touched = d->contacts.records.used > 0 || next->contacts.count > 0;
    for (int s = 0; s < count && !touched; s++) touched = d->evaluations[evaluations[s]].contacts.count > 0;
    return touched;
}

double fnd_world_event_tolerance(const fender_world *world)
{
    double finest = 4 * DBL_EPSILON * fabs(world->time);
    return world->def.event_tolerance > finest ? world->def.event_tolerance : finest;
}

fnd_accuracy fnd_world_accuracy(const fender_world *world)
{
    bool adaptive = world->method->error_count > 0;
    return (fnd_accuracy){.order = world->method->order,
                          .relative_tolerance = adaptive ? world->def.relative_tolerance : 0,
                          .event_tolerance = fnd_world_locates(world) ? fnd_world_event_tolerance(world) : 0};
}

/* Evaluates the contacts at a time within the step that is being accepted, from dense output. Frames are restored. */
static const fnd_contact_list *sample(fender_world *world, double time, fnd_regime regime)
{
    fnd_dynamics *d = &world->dynamics;
    double step = world->trial.length, weights[FND_STAGE_CAPACITY];
    fnd_evaluation *e = &d->evaluations[FND_EVALUATION_SAMPLE];
    bool seen = fnd_world_interpolate(world, step, (time - world->time) / step, weights);
    if (seen) {
        fnd_dynamics_frames(d, time, world->rotations[2], world->vector[2], d->frames);
        d->regime = regime;
        seen = fnd_contacts_evaluate(&d->env, &d->contacts, &world->model, d->frames, time, d->regime, &e->contacts);
    }
    if (!seen) d->contacts.out_of_memory = true;
    fnd_dynamics_frames(d, world->trial.proposal.end_time, world->rotations[1], world->vector[1], d->frames);
    d->regime = fnd_world_regime(world);
    return seen ? &e->contacts : NULL;
}

/* With the rows of pairs. */
static const fnd_contact_list *sample_contacts(void *ctx, double time) { return sample(ctx, time, FND_REGIME_ENDED); }

static bool sample_contact(void *ctx, double time, const fnd_key *key, fnd_contact *contact)
{
    const fnd_contact_list *list = sample(ctx, time, FND_REGIME_FROZEN);
    for (int i = 0; list && i < list->count; i++) {
        if (fnd_key_compare(&list->items[i].key, key) != 0) continue;
        *contact = list->items[i];
        return true;
    }
    return false;
}

static bool show_frames(void *ctx, double time)
{
    fender_world *world = ctx;
    double weights[FND_STAGE_CAPACITY];
    const double step = world->trial.length;
    if (!fnd_world_interpolate(world, step, (time - world->time) / step, weights)) return false;
    fnd_dynamics_frames(&world->dynamics, time, world->rotations[2], world->vector[2], world->dynamics.frames);
    return true;
}

/* What links reach within a step. Frames are restored. False: no memory. */
static bool track_links(fender_world *world, double time, bool own)
{
    fnd_dynamics *d = &world->dynamics;
    const fnd_frame_sampler sampler = {show_frames, world};
    const bool dense = own && world->method->dense_stage_count > 0;
    const bool ok = fnd_links_track(d, &d->evaluations[FND_EVALUATION_NEXT], world->time, time,
                                    fnd_world_locates(world) && own, dense ? &sampler : NULL);
    if (dense) fnd_dynamics_frames(d, time, world->rotations[1], world->vector[1], d->frames);
    d->regime = fnd_world_regime(world);
    return ok;
}

/* Contacts begin, go on and end in the next evaluation. `own`: the step is the world's. False: no memory. */
static bool commit_contacts(fender_world *world, double time, const step_sum *sum, bool own, fnd_commit_change *change)
{
    fnd_dynamics *d = &world->dynamics;
    fnd_evaluation *next = &d->evaluations[FND_EVALUATION_NEXT];
    fnd_step_stages step_stages; /* its lists are not cleared, because that could cost more than the step */
    step_stages.start_time = world->time;
    step_stages.end_time = time;
    step_stages.located = fnd_world_locates(world) && own; /* a host's steps end at any time */
    step_stages.weights = sum->weights;
    step_stages.count = sum->count;
    step_stages.states = NULL;
    step_stages.sampler = NULL;
    for (int s = 0; s < sum->count; s++) step_stages.lists[s] = &d->evaluations[sum->evaluations[s]].contacts;
    if (sum->count > 0 && d->contacts.state_stride > 0) step_stages.states = world->vector[1] + fnd_state_offset(d);
    if (sum->count > 0) world_find_energy_defects(world, sum);
    step_stages.energy_defect = d->energy_defect;
    step_stages.load = d->load;
    fnd_accuracy accuracy = fnd_world_accuracy(world);
    if (!own && sum->count > 0) accuracy = (fnd_accuracy){.order = 2}; /* the trapezoidal rule over a host's states */
    step_stages.accuracy = &accuracy;
    fnd_step_sampler sampler = {sample_contact, sample_contacts, world};
    if (own && world->method->dense_stage_count > 0) step_stages.sampler = &sampler;
    return fnd_contacts_commit(&world->env, &d->contacts, &world->model, d->frames, &step_stages, &next->contacts,
                               &world->events, change);
}

fender_status fnd_world_accept(fender_world *world, double time, const int *evaluations, const double *weights,
                               int step_stage_count, fender_error *error)
{
    assert(step_stage_count >= 0 && step_stage_count <= FND_STEP_STAGE_CAPACITY);
    assert(world->dynamics.body_count == world->model.body_count);
    assert(time >= world->time || step_stage_count == 0);
    fnd_dynamics *d = &world->dynamics;
    fnd_evaluation *next = &d->evaluations[FND_EVALUATION_NEXT];
    fender_status status = fnd_world_check_state(world, time, error);
    if (!status && step_stage_count > 0 && world->ode.state_count > 0)
        status = fnd_world_check_law_states(world, time, error);
    if (status) return status;
    d->piece_time = fnd_piece_of(time);
    fnd_dynamics_frames(d, time, world->rotations[1], world->vector[1], d->frames);
    d->regime = fnd_world_regime(world);
    if (step_stage_count == 0) d->contacts.trial_states = d->link_states = NULL; /* no time has passed */
    d->contacts_known = step_stage_count > 0 && world->trial.rows_ready && world->trial.rows_time == time;
    world->trial.rows_ready = false;
    const bool watched = d->contacts_known;
    if (!fnd_dynamics_evaluate(d, time, d->frames, next)) return fnd_fail_memory(error, "an evaluation");
    double kinetic;
    if ((status = fnd_world_check_evaluation(world, time, next, &kinetic, error))) return status;
    if (!fnd_world_reserve_states(world, next->contacts.count)) return fnd_fail_memory(error, "the states of laws");

    /* steps of the world end at events; those of a host, which supplies the accepted state, at any time */
    bool own = step_stage_count > 0 && evaluations[step_stage_count - 1] != FND_EVALUATION_NEXT;
    if (own && (status = fnd_world_check_contacts(world, time, next, error))) return status;
    const bool ended = next->contacts.count < d->contacts.records.count;
    if ((step_stage_count == 0 || ended) && (status = fnd_world_check_within(world, time, next, error))) return status;
    fnd_commit_change change = {.settled = true};
    fnd_event_list events_before = world->events;
    bool ok = d->link_count == 0 || ((time == world->time || track_links(world, time, own)) &&
                                     fnd_links_announce(d, next, time, &world->events));
    if (is_touched(d, next, evaluations, step_stage_count)) {
        const step_sum sum = {evaluations, weights, step_stage_count};
        ok = ok && commit_contacts(world, time, &sum, own, &change);
    } else if (ok) {
        fnd_contacts_follow(&d->contacts, d->frames);
    }
    if (!ok) {
        fnd_event_rewind(&world->events, &events_before);
        return fnd_fail_memory(error, "contacts");
    }
    if (d->link_count > 0)
        fnd_links_commit(d, next, time, evaluations, weights, step_stage_count, &change.changed,
                         &change.given_up.damping);
    if (d->contacts.requests.count > 0) fnd_connections_commit(world, next, &change.changed, &change.given_up.damping);
    world->account.damping += change.given_up.damping; /* a law let go of what it had stored */
    world->account.friction += change.given_up.friction;
    world->account.applied += change.brought;
    world->account.contact_work += change.work;
    if (step_stage_count > 0) fnd_world_book(world, evaluations, weights, step_stage_count);

    fnd_pool_blocks(d->pool, take_states, world, d->dynamic_count, FND_BODY_BLOCK);
    for (int i = 0; i < world->model.body_count; i++) {
        fnd_body *body = &world->model.bodies[i];
        if (body->motion == FENDER_MOTION_PRESCRIBED)
            body->state = fnd_state_prescribed(body, time, NAN, d->start_time);
    }
    world_swap_states(world);
    world_pack_states(world);
    fnd_loads_burn_free(world, world->time, time);
    world->time = time;
    world_swap_evaluations(world, FND_EVALUATION_NEXT);
    assert(fnd_records_are_sound(&d->contacts.records));
    assert(world->ode.state_count == fnd_state_count(d));
    assert(isfinite(world->time) && world->events.count >= events_before.count);
    world->evaluated = 0;
    world->host_state_set = world->host_commands = false;
    fnd_world_account_peak(world, kinetic);
    d->frames_committed = true;
    world->kept = world->trial.watched;
    if (!watched || !change.settled || change.changed) world->kept.ready = world->kept.calm = false;
    if (change.learned) world->kept.ready = false; /* what apart means does not depend on laws */
    world->kept.evaluations = d->evaluation_count;
    if (change.changed) { /* laws remember something new: what they say at this state may differ */
        d->committed_fresh = false;
        (void)fnd_world_refresh(world, NULL); /* the step is taken: without memory the next one begins with it */
    }
    return FENDER_STATUS_OK;
}

static bool is_zero(const fender_wrench *w)
{
    return w->force.x == 0 && w->force.y == 0 && w->force.z == 0 && w->torque.x == 0 && w->torque.y == 0 &&
           w->torque.z == 0;
}

typedef struct stage_loop {
    fender_world *world;
    const fnd_evaluation *e;
} stage_loop;

static inline void keep_wrenches(void *ctx, int from, int to)
{
    const stage_loop *l = ctx;
    for (int i = from; i < to; i++) {
        const fnd_body *body = &l->world->model.bodies[i];
        const fender_wrench *wrench = &l->e->contact_wrench[i];
        fender_wrench *kept = &l->world->next_stage[i];
        if (is_zero(wrench)) {
            *kept = (fender_wrench){{0, 0, 0}, {0, 0, 0}};
            continue;
        }
        const fender_mat3 R_WB = fender_quaternion_matrix(l->e->attitude[i]);
        kept->force = fender_mat3_transpose_times(&R_WB, wrench->force);
        kept->torque = fender_mat3_transpose_times(&R_WB, wrench->torque);
        const fender_quaternion *q = &body->q_SB;
        if (q->w == 1 && q->x == 0 && q->y == 0 && q->z == 0) continue;
        kept->force = fender_quaternion_rotate(*q, kept->force);
        kept->torque = fender_quaternion_rotate(*q, kept->torque);
    }
}

/* Contact wrenches of the last stage in structure axes, at the attitude of that stage. */
static void keep_last_stage(fender_world *world, int stage)
{
    assert(stage >= 0 && stage < FND_STAGE_CAPACITY);
    const fnd_evaluation *e = &world->dynamics.evaluations[stage];
    if (e->contacts.count == 0) {
        if (world->next_stage)
            memset(world->next_stage, 0, (size_t)world->model.body_count * sizeof *world->next_stage);
        return;
    }
    stage_loop l = {world, e};
    fnd_pool_blocks(world->dynamics.pool, keep_wrenches, &l, world->model.body_count, FND_BODY_BLOCK);
}

bool fnd_world_try(fender_world *world, double step)
{
    assert(world->initialized);
    assert(step > 0);
    world->host_state_set = false; /* its place is taken now */
    world->trial.dense_ready = world->trial.rows_ready = false;
    world->trial.watched = (fnd_kept_watch){0};
    world->workspace.failure = NULL;
    world->dynamics.piece_time = fnd_piece_of(world->time);
    const fnd_method *method = world->method;
    if (method->foreign_size > 0) fnd_world_tolerances(world);
    if (!method->step(method, &world->ode, &world->workspace, world->time, step, world->rotations[0], world->vector[0],
                      world->rotations[1], world->vector[1]))
        return false;
    if (method->foreign_size == 0 && world->dynamics.load_count > 0)
        fnd_loads_balance(&world->dynamics, world->time, step, method->weights, method->stage_count,
                          world->rotations[1], world->vector[1]);
    return true;
}

fender_status fnd_world_give_up(const fender_world *world, const char *what, fender_error *error)
{
    char message[320], suggestion[200];
    if (!world->workspace.failure) return fnd_fail_memory(error, what);
    snprintf(message, sizeof message, "%s fails at t = %s s: %s", world->method->name, fnd_number(world->time).text,
             world->workspace.failure);
    snprintf(
        suggestion, sizeof suggestion,
        "look for a jump in a force, increase integrator.relative_tolerance (%.3g), or shorten integrator.step (%.3g "
        "s)",
        world->def.relative_tolerance, world->def.step);
    return fnd_fail(error, FENDER_STATUS_INTEGRATOR, "integrator.method", message, "",
                    "a motion that the method can follow", suggestion);
}

/* Accepts the trial state, reached in `step` seconds, at `time`. */
static fender_status accept_trial(fender_world *world, double step, double time, fender_error *error)
{
    assert(step > 0 && time >= world->time);
    const fnd_method *method = world->method;
    int stages[FND_STAGE_CAPACITY];
    double weights[FND_STAGE_CAPACITY];
    for (int s = 0; s < method->stage_count; s++) stages[s] = s, weights[s] = step * method->weights[s];
    keep_last_stage(world, method->stage_count - 1);
    fender_status status = fnd_world_accept(world, time, stages, weights, method->stage_count, error);
    if (status) return status;
    fender_wrench *accepted = world->next_stage;
    world->next_stage = world->last_stage;
    world->last_stage = accepted;
    return FENDER_STATUS_OK;
}

/* ---- the step in parts */

/* Mass flow is applied half before and half after the step, so that the step uses the masses at its middle: second
 * order. Steps that end early, at events or by the tolerances, are tried again with the masses at their own middle. */
enum { FLOW_TRIES = 3 };
#define FLOW_PART 0.99 /* of the planned length: shorter steps are tried again */

static fender_status flow_before(fender_world *world, double length, fender_error *error)
{
    fnd_trial *trial = &world->trial;
    trial->account = world->account;
    for (int i = 0; i < world->model.body_count; i++) world->body_backup[i] = world->model.bodies[i];
    for (int i = 0; i < world->dynamics.load_count; i++)
        world->dynamics.loads[i].backup = world->dynamics.loads[i].memory;
    trial->flowed = true;
    trial->flows = world->flows;
    trial->planned = length;
    return fnd_world_flow(world, world->time, 0.5 * length, error);
}

/* The masses of the accepted state and those at the middle of the step change places, with what goes with them. */
static void exchange_flow(fender_world *world)
{
    fnd_trial *trial = &world->trial;
    assert(trial->flowed);
    for (int i = 0; i < world->model.body_count; i++) {
        const fnd_body body = world->model.bodies[i];
        world->model.bodies[i] = world->body_backup[i];
        world->body_backup[i] = body;
    }
    for (int i = 0; i < world->dynamics.load_count; i++) {
        fnd_load *load = &world->dynamics.loads[i];
        const fnd_load_memory memory = load->memory;
        load->memory = load->backup;
        load->backup = memory;
    }
    const fnd_account account = world->account;
    const bool flows = world->flows;
    world->account = trial->account;
    world->flows = trial->flows;
    trial->account = account;
    trial->flows = flows;
    fnd_model_move(&world->model, world->time);
    fnd_dynamics_layout(&world->dynamics);
    fnd_world_pack(world);
}

static void undo_flow(fender_world *world)
{
    exchange_flow(world);
    world->trial.flowed = false;
}

/* Of a step that is not taken: all functions show the accepted state again. */
static void drop_flow(fender_world *world)
{
    if (!world->trial.flow_hidden) {
        undo_flow(world);
        (void)fnd_world_refresh(world, NULL); /* without memory the next step begins with it */
    }
    world->trial.flowed = world->trial.flow_hidden = false;
}

fender_status fnd_world_hide_flow(fender_world *world, fender_error *error)
{
    fnd_trial *trial = &world->trial;
    if (!trial->flowed || trial->flow_hidden) return FENDER_STATUS_OK;
    exchange_flow(world);
    trial->rows_ready = false;
    world_swap_evaluations(world, FND_EVALUATION_SAMPLE); /* the first stage is kept there */
    world->dynamics.committed_fresh = false;
    const fender_status status = fnd_world_refresh(world, error);
    trial->flow_hidden = status == FENDER_STATUS_OK;
    if (trial->flow_hidden) return FENDER_STATUS_OK;
    world_swap_evaluations(world, FND_EVALUATION_SAMPLE);
    world->dynamics.committed_fresh = trial->pending = trial->flowed = false;
    return status;
}

void fnd_world_show_flow(fender_world *world)
{
    if (!world->trial.flow_hidden) return;
    world->trial.flow_hidden = false;
    exchange_flow(world);
    world_swap_evaluations(world, FND_EVALUATION_SAMPLE);
}

void fnd_world_settle(fender_world *world)
{
    fnd_world_show_accepted(world);
    fnd_model_move(&world->model, world->time);
    if (world->trial.pending && world->trial.flowed) drop_flow(world);
    world->trial.pending = world->trial.rows_ready = false;
    fnd_contacts_forget_shown(&world->dynamics.contacts);
}

/* Where a fixed-step method's steps end. Never a running sum. */
double fnd_world_grid_time(const fender_world *world, int64_t step)
{
    return world->base_time + (double)(step - world->base_step) * world->def.step;
}

/* Error for two shapes that are too fast for their size, so that subdivision would not end. */
static fender_status give_up_sweep(const fender_world *world, const fnd_sweep *sweep, fender_error *error)
{
    const fnd_contact_model *model = &world->model;
    const fnd_shape *a = &model->shapes[sweep->shape_a], *b = &model->shapes[sweep->shape_b];
    char message[320];
    snprintf(message, sizeof message,
             "'%s.%s' and '%s.%s' approach at up to %.3g m/s at t = %s s: too fast for a step of %.3g s, even if it is "
             "divided to prevent tunnelling",
             model->bodies[a->body].name, a->name, model->bodies[b->body].name, b->name, sweep->speed,
             fnd_number(world->time).text, world->def.step);
    return fnd_fail(error, FENDER_STATUS_INTEGRATOR, "integrator.step", message, "",
                    "a motion per step of at most a small multiple of the thickness of the shapes",
                    "check the cause of this speed (a stiffness, a unit), or use a shorter integrator.step");
}

/* Length of the next step: to its end, its length, or an event. */
static fender_status find_end(fender_world *world, double longest, double *length, bool *event, fender_error *error)
{
    fender_status status = FENDER_STATUS_OK;
    world->trial.pace = world->pace;
    bool passes = fnd_world_passes_events(world, &longest);
    const bool breaks = fnd_world_locates(world) && world->method->foreign_size == 0 &&
                        fnd_links_overloaded(&world->dynamics);
    if (breaks && fnd_world_event_tolerance(world) < longest) longest = fnd_world_event_tolerance(world);
    *length = longest;
    if (world->method->error_count > 0 && !breaks)
        if ((status = fnd_world_adapt(world, longest, length, &world->trial.pace, error))) return status;
    if (world->method->foreign_size > 0)
        if ((status = fnd_world_pace(world, longest, length, &world->trial.pace, error))) return status;
    world->crossings[FND_CROSSINGS_FIRED].count = 0;
    world->trial.sweep_effort = 0;
    for (int tries = 0;; tries++) { /* shorter steps have slightly different trajectories */
        *event = false;
        if (fnd_world_locates(world) && !passes && !breaks) {
            status = fnd_world_locate(world, *length, length, event, error);
        } else {
            *event = breaks; /* it is in the past: as soon as it can be */
            world->dynamics.regime = passes || breaks ? FND_REGIME_FROZEN : FND_REGIME_CLIPPED;
            if (!fnd_world_try(world, *length)) status = fnd_world_give_up(world, "an evaluation", error);
        }
        if (status) return status;
        if (world->method->error_count > 0 && fnd_world_locates(world)) return FENDER_STATUS_OK; /* has looked itself */
        const fnd_sweep sweep = fnd_sweep_step(world, *length);
        world->trial.sweep_effort += sweep.looks;
        if (!(sweep.part < 1) || tries == 8) return FENDER_STATUS_OK;
        world->trial.sweep_effort += DIVISION_EFFORT;
        if (world->sweep_effort + world->trial.sweep_effort > MOST_SWEEP_EFFORT)
            return give_up_sweep(world, &sweep, error);
        *length *= sweep.part;
    }
}

/* Times are so large that a step does not change them. */
static fender_status stand_still(const fender_world *world, fender_error *error)
{
    char message[160];
    snprintf(message, sizeof message, "at t = %s s a step of %.3g s does not change the time",
             fnd_number(world->time).text, world->def.step);
    return fnd_fail(error, FENDER_STATUS_INTEGRATOR, "integrator.step", message, fnd_number(world->def.step).text,
                    "a step that the digits of the time resolve",
                    "count the time from the start of the run, or use a longer step");
}

fender_status fnd_world_propose(fender_world *world, double limit, fender_proposal *proposal, fender_error *error)
{
    fender_status status = fnd_world_ready(world, error);
    if (status) return status;
    fnd_world_settle(world);
    if (!(limit > world->time))
        return fnd_fail(error, FENDER_STATUS_VALUE, "limit", "the limit is not in the future", fnd_number(limit).text,
                        "a time [s] after the present one, which fender_world_time tells", "");
    if (world->host_commands) world->dynamics.committed_fresh = world->host_commands = false;
    fnd_trial *trial = &world->trial;
    bool adaptive = world->method->error_count > 0, event = false;
    double target = adaptive ? limit : fnd_world_grid_time(world, world->step_count + 1);
    const bool flows = world->flows || fnd_loads_burn(&world->dynamics, world->time);
    if (adaptive && flows && world->time + world->def.step < target) target = world->time + world->def.step;
    bool limited = limit <= target;
    const bool cut = limit < target; /* a limit on the grid leaves the step what it is */
    if (limited) target = limit;
    if (!(target > world->time)) return stand_still(world, error);
    double kink = fnd_dynamics_kink(&world->dynamics, fnd_piece_of(world->time));
    if (flows) kink = fnd_world_dry_time(world, kink < target ? kink : target);
    trial->at_kink = fnd_piece_of(kink) < target;
    if (trial->at_kink) target = kink, limited = false;
    bool regular = !adaptive && !cut && !trial->at_kink && world->time == fnd_world_grid_time(world, world->step_count);
    double length = regular ? world->def.step : target - world->time, longest = length;
    trial->flowed = false;
    trial->longest = longest;
    trial->target = target;
    double planned = adaptive && world->pace.step > 0 && world->pace.step < longest ? world->pace.step : longest;
    fnd_pace pace = {0};
    for (int tries = 0; tries == 0 || (!status && flows && tries < FLOW_TRIES && length < FLOW_PART * planned);
         tries++) {
        if (tries > 0) { /* a step that came out shorter has another middle; its event has to be found again */
            undo_flow(world);
            planned = length;
            if (!event) longest = length;
        }
        if (tries == 1) pace = trial->pace;
        if (flows) status = flow_before(world, planned, error);
        if (!status) status = fnd_world_refresh(world, error);
        if (!status) status = find_end(world, longest, &length, &event, error);
    }
    /* tried again, the step was short for another reason than its errors: how it went on before counts */
    if (pace.step > 0 && pace.step < trial->pace.step) trial->pace.step = pace.step;
    if (status) {
        if (trial->flowed) drop_flow(world);
        return status;
    }
    bool whole = length >= trial->longest ||
                 !(world->time + length < target); /* an event may be at the end, or round to it */
    trial->pending = trial->arrived = true;
    trial->dense_ready = false;
    trial->length = length;
    trial->proposal = (fender_proposal){
        .start_time = world->time,
        .end_time = whole ? target : world->time + length,
        .at_event = event,
        .at_limit = whole && limited,
        .ends_step = adaptive || (whole && !trial->at_kink &&
                                  !(limited && limit < fnd_world_grid_time(world, world->step_count + 1)))};
    trial->at_kink = trial->at_kink && whole;
    if (trial->at_kink) trial->rows_ready = false; /* prescribed velocities may jump there */
    if (proposal) *proposal = trial->proposal;
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_world_propose(fender_world *world, double limit, fender_proposal *proposal, fender_error *error)
{
    const fender_status status = fnd_world_propose(world, limit, proposal, error);
    return status ? status : fnd_world_hide_flow(world, error);
}

fender_status fnd_world_take(fender_world *world, fender_error *error)
{
    fnd_trial *trial = &world->trial;
    fnd_world_show_accepted(world);
    fnd_world_show_flow(world);
    trial->pending = false;
    fender_status status = FENDER_STATUS_OK;
    if (!trial->arrived) { /* sampling has overwritten the arrays */
        world->dynamics.regime = fnd_world_locates(world) ? FND_REGIME_FROZEN : FND_REGIME_CLIPPED;
        if (!fnd_world_try(world, trial->length)) status = fnd_world_give_up(world, "an evaluation", error);
    }
    if (!status) status = accept_trial(world, trial->length, trial->proposal.end_time, error);
    if (status) {
        if (trial->flowed) drop_flow(world);
        return status;
    }
    world->pace = trial->pace;
    if (trial->proposal.at_event || trial->at_kink) world->pace.step = 0; /* what comes is of another kind */
    if (trial->flowed)
        status = fnd_world_flow(world, trial->proposal.start_time + 0.5 * trial->planned,
                                trial->length - 0.5 * trial->planned, error);
    world->sweep_effort += trial->sweep_effort;
    if (trial->proposal.ends_step || trial->proposal.at_limit) world->sweep_effort = 0;
    if (trial->proposal.ends_step) world->step_count++;
    if (!status && world->dynamics.contacts.requests.count > 0) status = fnd_world_weld(world, error);
    if (fnd_world_locates(world)) fnd_world_hold(world);
    return status;
}

fender_status fnd_inner_world_accept(fender_world *world, fender_error *error)
{
    if (!world->trial.pending)
        return fnd_fail(error, FENDER_STATUS_STATE, "", "no step is proposed", "",
                        "a preceding fender_world_propose, without changes of the world since", "");
    world->events.count = 0;
    return fnd_world_take(world, error);
}

/* ---- whole steps */

static fender_status step_once(fender_world *world, double limit, bool *at_limit, fender_error *error)
{
    fender_proposal proposal;
    do {
        fender_status status = fnd_world_propose(world, limit, &proposal, error);
        if (!status) status = fnd_world_take(world, error);
        if (status) return status;
    } while (!proposal.ends_step && !proposal.at_limit);
    *at_limit = proposal.at_limit;
    return FENDER_STATUS_OK;
}

fender_status fnd_inner_world_step(fender_world *world, fender_error *error)
{
    return fnd_inner_world_advance(world, 1, error);
}

fender_status fnd_inner_world_advance(fender_world *world, int64_t count, fender_error *error)
{
    if (count < 0)
        return fnd_fail(error, FENDER_STATUS_ARGUMENT, "count", "the number of steps is negative", "", "0 or more",
                        "restore a snapshot to go back");
    fnd_world_settle(world);
    fender_status status = fnd_world_ready(world, error);
    if (!status) world->events.count = 0;
    bool at_limit;
    for (int64_t i = 0; !status && i < count; i++) status = step_once(world, INFINITY, &at_limit, error);
    return status;
}

fender_status fnd_world_check_end(const fender_world *world, double time, fender_error *error)
{
    if (time >= world->time && isfinite(time)) return FENDER_STATUS_OK;
    char expected[64];
    snprintf(expected, sizeof expected, "a time [s] from %s on", fnd_number(world->time).text);
    return fnd_fail(error, FENDER_STATUS_VALUE, "time",
                    isfinite(time) ? "the time is in the past" : "the time is not finite", fnd_number(time).text,
                    expected, isfinite(time) ? "restore a snapshot to go back" : "");
}

fender_status fnd_inner_world_advance_to(fender_world *world, double time, fender_error *error)
{
    fender_status status = fnd_world_ready(world, error);
    if (status) return status;
    fnd_world_settle(world);
    if ((status = fnd_world_check_end(world, time, error))) return status;
    world->events.count = 0;
    while (!status && world->time < time) {
        bool at_limit = false;
        status = step_once(world, time, &at_limit, error);
    }
    return status;
}
