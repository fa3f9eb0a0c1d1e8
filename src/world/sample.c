/* The world at a time within a proposed step, before it is accepted. */
#include "base/error.h"
#include "world/world.h"

static void swap_evaluations(fnd_dynamics *d, int i, int k)
{
    fnd_evaluation evaluation = d->evaluations[i];
    d->evaluations[i] = d->evaluations[k];
    d->evaluations[k] = evaluation;
}

/* Body states from packed arrays; of prescribed bodies from the time. */
static void show_states(fender_world *world, double time, const fender_quaternion *rotations, const double *vector)
{
    const fnd_dynamics *d = &world->dynamics;
    for (int k = 0; k < d->dynamic_count; k++)
        world->model.bodies[d->dynamic[k]].state = fnd_state_unpack(d, k, rotations, vector);
    for (int i = 0; i < world->model.body_count; i++) {
        fnd_body *body = &world->model.bodies[i];
        if (body->motion == FENDER_MOTION_PRESCRIBED)
            body->state = fnd_state_prescribed(body, time, NAN, d->start_time);
    }
    world->time = time;
}

/* The masses with which the step is made. */
static void show_masses_aside(fender_world *world)
{
    for (int i = 0; i < world->model.body_count; i++) world->model.bodies[i] = world->bodies_aside[i];
    world->flows = world->aside.flows;
    fnd_dynamics_layout(&world->dynamics);
    world->dynamics.committed_fresh = true; /* as the first stage is */
}

/* The masses at the time of the sample, which is shown. False: no memory. */
static bool show_masses(fender_world *world)
{
    const fnd_trial *trial = &world->trial;
    if (!trial->flowed) return true;
    for (int i = 0; i < world->model.body_count; i++) world->bodies_aside[i] = world->model.bodies[i];
    world->aside.flowed = true;
    world->aside.flows = world->flows;
    const double middle = world->aside.time + 0.5 * trial->planned;
    return fnd_world_flow_sample(world, middle, world->time - middle);
}

void fnd_world_show_accepted(fender_world *world)
{
    if (!world->aside.active) return;
    world->aside.active = false;
    if (world->aside.flowed) show_masses_aside(world);
    show_states(world, world->aside.time, world->rotations[0], world->vector[0]);
    if (!world->aside.forces) return;
    swap_evaluations(&world->dynamics, 0, FND_EVALUATION_SAMPLE);
    fnd_contacts_show_accepted(&world->dynamics.contacts);
    world->account = world->aside.account;
    for (int i = 0; i < world->dynamics.load_count; i++)
        world->dynamics.loads[i].memory = world->dynamics.loads[i].shown;
    fnd_links_show_accepted(&world->dynamics);
}

bool fnd_world_interpolate(fender_world *world, double step, double part, double *weights)
{
    const fnd_method *method = world->method;
    fnd_trial *trial = &world->trial;
    if (!trial->dense_ready && method->dense_begin) {
        world->dynamics.regime = FND_REGIME_FROZEN;
        if (!method->dense_begin(method, &world->ode, &world->workspace, world->time, step, world->rotations[0],
                                 world->vector[0]))
            return false;
    }
    trial->dense_ready = true;
    method->dense_weights(part, weights);
    fnd_ode_combine(&world->ode, &world->workspace, method->dense_stage_count, step, weights, world->rotations[0],
                    world->vector[0], world->rotations[2], world->vector[2]);
    return true;
}

/* Writes the state at a time within the step to the sample arrays; *count weights [s] of the stages, for quadratures.
 */
static bool find_state(fender_world *world, double time, double *weights, int *count)
{
    const fnd_method *method = world->method;
    fnd_trial *trial = &world->trial;
    double length = time - world->time;
    if (method->dense_stage_count > 0) {
        if (!trial->arrived) {
            world->dynamics.regime = FND_REGIME_FROZEN;
            if (!fnd_world_try(world, trial->length)) return false;
            trial->arrived = true;
            trial->dense_ready = false;
        }
        if (!fnd_world_interpolate(world, trial->length, length / trial->length, weights)) return false;
        *count = method->dense_stage_count;
        for (int s = 0; s < *count; s++) weights[s] *= trial->length;
        return true;
    }
    bool whole = time == trial->proposal.end_time;
    if (whole) length = trial->length;
    if (!whole || !trial->arrived) {
        trial->arrived = whole;
        world->dynamics.regime = fnd_world_locates(world) ? FND_REGIME_FROZEN : FND_REGIME_CLIPPED;
        if (!fnd_world_try(world, length)) return false;
    }
    for (int k = 0; k < world->dynamics.dynamic_count; k++) world->rotations[2][k] = world->rotations[1][k];
    int numbers = world->ode.position_count + world->ode.momentum_count + world->ode.state_count;
    for (int k = 0; k < numbers; k++) world->vector[2][k] = world->vector[1][k];
    *count = method->stage_count;
    for (int s = 0; s < *count; s++) weights[s] = length * method->weights[s];
    return true;
}

/* What records have summed up, to the evaluated sample. False: no memory. */
static bool show_records(fender_world *world, double time, const double *weights, int count)
{
    fnd_dynamics *d = &world->dynamics;
    const fnd_accuracy accuracy = fnd_world_accuracy(world);
    fnd_step_stages stages;
    stages.start_time = world->time;
    stages.end_time = time;
    stages.located = fnd_world_locates(world);
    stages.weights = weights;
    stages.count = count;
    for (int s = 0; s < count; s++) stages.lists[s] = &d->evaluations[s].contacts;
    stages.states = d->contacts.state_stride > 0 ? world->vector[2] + fnd_state_offset(d) : NULL;
    stages.energy_defect = NULL;
    stages.load = NULL;
    stages.sampler = NULL;
    stages.accuracy = &accuracy;
    return fnd_contacts_show(&world->env, &d->contacts, &world->model, d->frames, &stages,
                             &d->evaluations[FND_EVALUATION_SAMPLE].contacts);
}

static fender_status show(fender_world *world, double time, bool forces, fender_error *error)
{
    fnd_dynamics *d = &world->dynamics;
    double weights[FND_STAGE_CAPACITY];
    int count = 0, stages[FND_STAGE_CAPACITY];
    if (!find_state(world, time, weights, &count)) return fnd_world_give_up(world, "an evaluation", error);
    fnd_dynamics_frames(d, time, world->rotations[2], world->vector[2], d->frames);
    fnd_aside *aside = &world->aside;
    if (!forces) {
        *aside = (fnd_aside){.active = true, .time = world->time};
        show_states(world, time, world->rotations[2], world->vector[2]);
        return FENDER_STATUS_OK;
    }
    d->regime = fnd_world_regime(world);
    if (!fnd_dynamics_evaluate(d, time, d->frames, &d->evaluations[FND_EVALUATION_SAMPLE]))
        return fnd_fail_memory(error, "an evaluation");
    if (!show_records(world, time, weights, count)) return fnd_fail_memory(error, "contacts");
    *aside = (fnd_aside){.active = true, .forces = true, .time = world->time, .account = world->account};
    for (int i = 0; i < d->load_count; i++) d->loads[i].shown = d->loads[i].memory;
    for (int s = 0; s < count; s++) stages[s] = s;
    fnd_world_book(world, stages, weights, count);
    fnd_loads_burn_free(world, aside->time, time);
    fnd_links_show(d, &d->evaluations[FND_EVALUATION_SAMPLE], time, stages, weights, count, &world->account.damping);
    const fnd_contact_list *rows[FND_STAGE_CAPACITY];
    for (int s = 0; s < count; s++) {
        const fnd_contact_list *contacts = rows[s] = &d->evaluations[s].contacts;
        for (int i = 0; i < contacts->count; i++) world->account.contact_work += weights[s] * contacts->items[i].power;
    }
    world->account.friction += fnd_contacts_area_loss(&d->contacts, &world->model, rows, count, aside->time,
                                                      &d->evaluations[FND_EVALUATION_SAMPLE].contacts);
    show_states(world, time, world->rotations[2], world->vector[2]);
    swap_evaluations(d, 0, FND_EVALUATION_SAMPLE);
    world->evaluated = 0;
    if (show_masses(world)) return FENDER_STATUS_OK;
    fnd_world_show_accepted(world);
    return fnd_fail_memory(error, "an evaluation");
}

static fender_status sample(fender_world *world, double time, bool forces, fender_error *error)
{
    const fnd_trial *trial = &world->trial;
    if (!trial->pending)
        return fnd_fail(error, FENDER_STATUS_STATE, "", "no step is proposed", "",
                        "a preceding fender_world_propose, without changes of the world since", "");
    if (!(time >= trial->proposal.start_time) || !(time <= trial->proposal.end_time))
        return fnd_fail(error, FENDER_STATUS_VALUE, "time", "the time is not within the proposed step",
                        fnd_number(time).text, "between its start and its end", "");
    fnd_world_show_accepted(world);
    if (time == world->time) return fnd_world_hide_flow(world, error);
    fnd_world_show_flow(world);
    const fender_status status = show(world, time, forces, error);
    if (status) (void)fnd_world_hide_flow(world, NULL); /* without memory the proposal is dropped */
    return status;
}

fender_status fnd_inner_world_sample(fender_world *world, double time, fender_error *error)
{
    return sample(world, time, true, error);
}

fender_status fnd_inner_world_sample_motion(fender_world *world, double time, fender_error *error)
{
    return sample(world, time, false, error);
}
