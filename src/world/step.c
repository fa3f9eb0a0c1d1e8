/* The step: the pipeline, one page. An integrator proposes a state through pure evaluations; accepting it is the only
 * change. */
#include "base/error.h"
#include "world/world.h"
#include <string.h>

void fnd_world_pack(fender_world *world)
{
    const fnd_dynamics *d = &world->dynamics;
    for (int k = 0; k < d->dynamic_count; k++)
        fnd_state_pack(d, k, &world->model.bodies[d->dynamic[k]].state, world->rotations[0], world->vector[0]);
}

static void swap_committed(fnd_dynamics *d)
{
    fnd_evaluation next = d->evaluations[FND_EVALUATION_NEXT];
    d->evaluations[FND_EVALUATION_NEXT] = d->evaluations[0];
    d->evaluations[0] = next;
    d->committed_fresh = true;
}

fender_status fnd_world_refresh(fender_world *world, fender_error *error)
{
    fnd_dynamics *d = &world->dynamics;
    if (d->committed_fresh) return FENDER_STATUS_OK;
    /* beside the present evaluation, which stays when there is no memory */
    fnd_dynamics_frames(d, world->time, NULL, NULL, d->frames);
    d->regime = fnd_world_regime(world);
    if (!fnd_dynamics_evaluate(d, world->time, d->frames, &d->evaluations[FND_EVALUATION_NEXT]))
        return fnd_fail_memory(error, "an evaluation");
    swap_committed(d);
    world->evaluated = 0;
    return FENDER_STATUS_OK;
}

static void account(fender_world *world, const int *evaluations, const double *weights, int count)
{
    fnd_account *sum = &world->account;
    for (int s = 0; s < count; s++) {
        const fnd_evaluation *e = &world->dynamics.evaluations[evaluations[s]];
        double w = weights[s];
        sum->damping += w * e->damping_power;
        sum->friction += w * e->friction_power;
        sum->applied += w * e->applied_power;
        sum->impulse = fender_vec3_add_scaled(sum->impulse, w, e->external_force);
        sum->angular_impulse = fender_vec3_add_scaled(sum->angular_impulse, w, e->external_torque);
    }
}

fender_status fnd_world_accept(fender_world *world, double time, const int *evaluations, const double *weights,
                               int passage_count, fender_error *error)
{
    fnd_dynamics *d = &world->dynamics;
    fnd_evaluation *next = &d->evaluations[FND_EVALUATION_NEXT];
    fender_status status = fnd_world_check_state(world, time, error);
    if (status) return status;
    fnd_dynamics_frames(d, time, world->rotations[1], world->vector[1], d->frames);
    d->regime = fnd_world_regime(world);
    if (!fnd_dynamics_evaluate(d, time, d->frames, next)) return fnd_fail_memory(error, "an evaluation");
    if ((status = fnd_world_check_evaluation(world, time, next, error))) return status;

    /* the world's own steps end at events; a host's, which name the accepted state itself, where the host likes */
    bool own = passage_count > 0 && evaluations[passage_count - 1] != FND_EVALUATION_NEXT;
    bool located = world->def.locate_events && own;
    fnd_passage passage = {.start_time = world->time, .end_time = time, .located = located};
    for (int s = 0; s < passage_count; s++) {
        passage.lists[s] = evaluations[s] == FND_EVALUATION_NEXT ? &next->contacts
                                                                 : &d->evaluations[evaluations[s]].contacts;
        passage.weights[s] = weights[s];
        passage.count++;
    }
    bool changed = false;
    double released = 0;
    if (!fnd_contacts_commit(&world->env, &d->contacts, &world->model, d->frames, &passage, &next->contacts,
                             &world->events, &changed, &released))
        return fnd_fail_memory(error, "contacts");
    world->account.damping += released; /* a law let go of what it had stored */
    if (passage_count > 0) account(world, evaluations, weights, passage_count);

    for (int k = 0; k < d->dynamic_count; k++)
        world->model.bodies[d->dynamic[k]].state = fnd_state_unpack(d, k, world->rotations[1], world->vector[1]);
    for (int i = 0; i < world->model.body_count; i++) {
        fnd_body *body = &world->model.bodies[i];
        if (body->motion == FENDER_MOTION_PRESCRIBED) body->state = fnd_state_prescribed(body, time, d->start_time);
    }
    fender_quaternion *rotations = world->rotations[0];
    double *vector = world->vector[0];
    world->rotations[0] = world->rotations[1];
    world->vector[0] = world->vector[1];
    world->rotations[1] = rotations;
    world->vector[1] = vector;
    world->time = time;
    swap_committed(d);
    world->evaluated = 0;
    world->host_state_set = false;
    fnd_world_account_peak(world);
    if (changed) { /* laws remember something new: what they say at this state may differ; the list has room for it */
        fnd_dynamics_frames(d, time, NULL, NULL, d->frames);
        d->regime = fnd_world_regime(world);
        d->committed_fresh = fnd_dynamics_evaluate(d, time, d->frames, &d->evaluations[0]);
        if (!d->committed_fresh) return fnd_fail_memory(error, "an evaluation");
    }
    return FENDER_STATUS_OK;
}

/* Contact wrenches of the last stage in structure axes, at the attitude of that stage. */
static void keep_last_stage(fender_world *world, int stage)
{
    const fnd_dynamics *d = &world->dynamics;
    for (int i = 0; i < world->model.body_count; i++) {
        const fnd_body *body = &world->model.bodies[i];
        fender_mat3 R_WB = stage == 0 ? fender_quaternion_matrix(body->state.q) : d->frames[i].R_WB;
        const fender_wrench *wrench = &d->evaluations[stage].contact_wrench[i];
        world->next_stage[i].force = fender_quaternion_rotate(body->q_SB,
                                                              fender_mat3_transpose_times(&R_WB, wrench->force));
        world->next_stage[i].torque = fender_quaternion_rotate(body->q_SB,
                                                               fender_mat3_transpose_times(&R_WB, wrench->torque));
    }
}

bool fnd_world_try(fender_world *world, double step)
{
    world->host_state_set = false; /* its place is taken now */
    return world->method->step(world->method, &world->ode, &world->workspace, world->time, step, world->rotations[0],
                               world->vector[0], world->rotations[1], world->vector[1]);
}

/* The trial state, reached in `step` seconds, is accepted at `time`. */
static fender_status accept_trial(fender_world *world, double step, double time, fender_error *error)
{
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

/* From the committed state to the next: stages, then acceptance. */
static fender_status integrate(fender_world *world, fender_error *error)
{
    fender_status status = fnd_world_refresh(world, error);
    if (status) return status;
    double h = world->def.step;
    double time = world->base_time + (double)(world->step_count - world->base_step + 1) * h;
    if (!world->def.locate_events) {
        if (!fnd_world_try(world, h)) return fnd_fail_memory(error, "an evaluation");
        return accept_trial(world, h, time, error);
    }
    /* The step ends at every event on the way and goes on from it. */
    enum { EVENT_LIMIT = 10000 };
    double left = time - world->time;
    for (int events = 0; events < EVENT_LIMIT; events++) {
        double end = left;
        if ((status = fnd_world_locate(world, left, &end, error))) return status;
        bool last = end >= left;
        if ((status = accept_trial(world, end, last ? time : world->time + end, error))) return status;
        if (last) return FENDER_STATUS_OK;
        left = time - world->time;
    }
    return fnd_fail(error, (fnd_fault){FENDER_STATUS_INTEGRATOR, "integrator.locate_events",
                                       "events follow each other without end", "10000 events in one step", "fewer",
                                       "try a shorter integrator.step, or locate_events: false"});
}

/* Masses that change do so half before and half after the step, so that it sees those of its middle: second order. */
static fender_status integrate_with_flows(fender_world *world, fender_error *error)
{
    fnd_account account_before = world->account;
    for (int i = 0; i < world->model.body_count; i++) world->body_backup[i] = world->model.bodies[i];
    fender_status status = fnd_world_flow(world, 0.5 * world->def.step, error);
    if (!status) status = integrate(world, error);
    if (!status) return fnd_world_flow(world, 0.5 * world->def.step, error);
    for (int i = 0; i < world->model.body_count; i++) world->model.bodies[i] = world->body_backup[i];
    world->account = account_before;
    fnd_dynamics_layout(&world->dynamics);
    fnd_world_pack(world);
    return status;
}

static fender_status step_once(fender_world *world, fender_error *error)
{
    fender_status status = world->flows ? integrate_with_flows(world, error) : integrate(world, error);
    if (!status) world->step_count++;
    return status;
}

fender_status fender_world_step(fender_world *world, fender_error *error)
{
    if (!world) return fnd_world_missing(error);
    fender_status status = fnd_world_ready(world, error);
    if (status) return status;
    world->events.count = 0;
    return step_once(world, error);
}

fender_status fender_world_advance(fender_world *world, int64_t count, fender_error *error)
{
    if (!world) return fnd_world_missing(error);
    if (count < 0)
        return fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "count", "the number of steps is negative", "",
                                           "0 or more", "restore a snapshot to go back"});
    fender_status status = fnd_world_ready(world, error);
    if (!status) world->events.count = 0;
    for (int64_t i = 0; !status && i < count; i++) status = step_once(world, error);
    return status;
}
