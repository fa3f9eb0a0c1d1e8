/* Steady steps: those of step.c, without what cannot happen while every contact goes on as it is. */
#include "contact/steady.h"
#include "world/world.h"
#include <string.h>

/* Rests after failures grow to that many steps, so that worlds which are never steady do not pay for looking. */
#define LONGEST_REST 15
/* Fewer steps are not worth the beginning. */
#define FEWEST_STEPS 2

/* Is the world of the kind whose steps may be steady? */
static bool is_simple(const fender_world *world)
{
    const fnd_dynamics *d = &world->dynamics;
    const fnd_method *method = world->method;
    if (method->error_count > 0 || method->foreign_size > 0 || method->dense_stage_count > 0 ||
        fnd_world_locates(world) || world->flows || d->link_count > 0 || d->field.rotating ||
        world->ode.state_count > 0)
        return false;
    if (!d->contacts.active || !d->contacts.any_quick || !d->contacts.broad.valid || !d->contacts.watches_ready)
        return false;
    for (int i = 0; i < d->load_count; i++)
        if (d->loads[i].active) return false;
    for (int i = 0; i < world->model.body_count; i++)
        if (world->model.bodies[i].motion == FENDER_MOTION_PRESCRIBED) return false;
    for (int i = 0; i < world->model.shape_count; i++)
        if (world->model.shapes[i].geometry->type == FENDER_GEOMETRY_MESH)
            return false; /* a sweep may shorten the step */
    return fnd_world_is_stable(world, 1, world->def.step * (1 + 1e-6));
}

static bool begin(fender_world *world)
{
    fnd_dynamics *d = &world->dynamics;
    if (!is_simple(world) || fnd_world_refresh(world, NULL)) return false;
    fnd_dynamics_frames(d, world->time, NULL, NULL, d->frames);
    for (int i = 0; i < world->model.body_count; i++) { /* what does not move stands still */
        const fnd_frame *frame = &d->frames[i];
        const bool still = fender_vec3_dot(frame->v, frame->v) == 0 && fender_vec3_dot(frame->w, frame->w) == 0;
        if (!d->integrated[i] && !still) return false;
    }
    const double limit = world->def.depth_limit > 0 ? world->def.depth_limit : d->contacts.least_size;
    return fnd_steady_begin(&d->env, &d->contacts, &world->model, d->frames, d->momentum_origin, limit);
}

/* What fnd_world_check_evaluation asks of the states that are new in the step. */
static bool is_finite(const fender_world *world, const fnd_evaluation *next)
{
    const fnd_dynamics *d = &world->dynamics;
    double sum = 0; /* 0 times what is not finite is not a number */
    for (int s = 1; s <= world->method->stage_count; s++) {
        const fnd_evaluation *e = s < world->method->stage_count ? &d->evaluations[s] : next;
        sum += 0.0 * (e->damping_power + e->friction_power);
        for (int k = 0; k < d->dynamic_count; k++) {
            const fender_vec3 *a = &e->acceleration[d->dynamic[k]], *t = &e->torque[d->dynamic[k]];
            sum += (0.0 * a->x + 0.0 * a->y) + (0.0 * a->z + 0.0 * t->x) + (0.0 * t->y + 0.0 * t->z);
        }
    }
    for (int k = 0; k < d->dynamic_count; k++) {
        const double *velocity = world->vector[1] + 3 * (d->dynamic_count + k);
        const fender_vec3 v = fnd_read3(velocity), L = fnd_read3(velocity + 3 * d->dynamic_count);
        const int i = d->dynamic[k];
        sum += 0.0 *
               (world->model.bodies[i].mass * fender_vec3_dot(v, v) + fender_vec3_dot(L, next->angular_velocity[i]));
    }
    return sum == 0;
}

/* One step from the committed state. False: it is none of these, and nothing has changed. */
static bool step_once(fender_world *world, const fnd_ode *ode)
{
    fnd_dynamics *d = &world->dynamics;
    const fnd_method *method = world->method;
    fnd_steady *steady = d->contacts.steady;
    fnd_evaluation *next = &d->evaluations[FND_EVALUATION_NEXT];
    const double time = fnd_world_grid_time(world, world->step_count + 1);
    const bool regular = world->time == fnd_world_grid_time(world, world->step_count);
    steady->step = regular ? world->def.step : time - world->time;
    if (!method->step(method, ode, &world->workspace, world->time, steady->step, world->rotations[0], world->vector[0],
                      world->rotations[1], world->vector[1]) ||
        fnd_world_check_state(world, time, NULL))
        return false;
    fnd_dynamics_frames_steady(d, world->rotations[1], world->vector[1]);
    if (!fnd_dynamics_evaluate_steady(d, d->frames, next) || !is_finite(world, next) ||
        !fnd_steady_goes_on(steady, time - world->time))
        return false;

    int stages[FND_STAGE_CAPACITY];
    double weights[FND_STAGE_CAPACITY];
    for (int s = 0; s < method->stage_count; s++) stages[s] = s, weights[s] = steady->step * method->weights[s];
    fnd_world_find_defects(world, stages, weights, method->stage_count);
    const fnd_steady_step step = {time - world->time, time, d->load, d->defect};
    world->account.contact_work += fnd_steady_commit(&d->contacts, d->frames, &step);
    fnd_world_book(world, stages, weights, method->stage_count);
    for (int k = 0; k < d->dynamic_count; k++)
        world->model.bodies[d->dynamic[k]].state = fnd_state_unpack(d, k, world->rotations[1], world->vector[1]);
    fnd_world_swap_states(world);
    fnd_world_swap_evaluations(world);
    world->time = time;
    world->step_count++;
    fnd_world_account_peak(world);
    return true;
}

/* The records are up to date; what evaluations hold of contacts is not. */
static void end(fender_world *world)
{
    fnd_dynamics *d = &world->dynamics;
    fnd_steady_end(&d->contacts, world->time);
    for (int i = 0; i < FND_EVALUATION_COUNT; i++) d->evaluations[i].contacts.count = 0;
    world->idle_events = 0;
    d->committed_fresh = d->frames_committed = false;
    d->evaluation_count--; /* of the last state, which will be evaluated again */
}

static int64_t run(fender_world *world, int64_t count)
{
    fnd_dynamics *d = &world->dynamics;
    int64_t done = 0;
    fnd_ode ode = fnd_dynamics_ode_steady(&world->dynamics);
    d->contacts.steady->weights = world->method->weights;
    for (int s = 0; s < FND_EVALUATION_COUNT; s++) { /* of what does not move nothing is written */
        const fnd_evaluation *e = &d->evaluations[s];
        if (s > 0 && e->block) memset(e->block, 0, e->block_size);
    }
    for (; done < count; done++) {
        const int64_t evaluations = d->evaluation_count;
        if (step_once(world, &ode)) continue;
        d->evaluation_count = evaluations; /* the step will be made another way */
        break;
    }
    return done;
}

int64_t fnd_world_advance_steady(fender_world *world, int64_t count)
{
    if (count < FEWEST_STEPS) return 0;
    if (world->steady_rest > 0) {
        world->steady_rest--;
        return 0;
    }
    const int64_t done = begin(world) ? run(world, count) : 0;
    if (done > 0) end(world);
    if (done >= FEWEST_STEPS) world->steady_pause = 0;
    else if (world->steady_pause < LONGEST_REST) world->steady_pause = 2 * world->steady_pause + 1;
    world->steady_rest = world->steady_pause;
    return done;
}
