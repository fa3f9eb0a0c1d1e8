/* The public calls that change a world, and those for hosts that integrate by themselves. */
#include "world/entry.h"

#include <fender/tangent.h>

#include "base/error.h"
#include "base/traps.h"
#include "world/world.h"

/* ---- Calls ---- */

fender_status fnd_world_fail_busy(fender_error *error)
{
    return fnd_fail(error, FENDER_STATUS_STATE, "", "the world is already executing a call that changes it",
                    "a call from within a law, a shape or another callback of the world",
                    "calls that change a world from outside its callbacks",
                    "record the change and make it after the step has returned");
}

static fender_status begin(fender_world *world, fender_error *error)
{
    if (!world) return fnd_world_missing(error);
    if (world->busy) return fnd_world_fail_busy(error);
    world->busy = true;
    return FENDER_STATUS_OK;
}

/* What laws asked for at a state that the call has accepted is made before it ends: no state to which a caller may
 * return, as by a snapshot, has requests that wait. */
static fender_status end(fender_world *world, fender_status status, fender_error *error)
{
    if (!status && world->initialized) status = fnd_world_weld(world, error);
    world->busy = false;
    fnd_model_move(&world->model, world->time); /* trial states were at other times */
    return status;
}

/* Defines the public function `name`: it refuses calls from within a callback of the world, holds the host's traps, and
 * hands over to `inner`, which functions inside a call use. `...`: the parameters behind the world; `error` is NULL
 * where there is none. */
#define ENTRY(name, inner, arguments, error, ...)        \
    fender_status name(fender_world *world, __VA_ARGS__) \
    {                                                    \
        fender_status status = begin(world, error);      \
        if (status) return status;                       \
        fenv_t host;                                     \
        const bool held = fnd_traps_hold(&host);         \
        status = end(world, inner arguments, error);     \
        if (held) fesetenv(&host);                       \
        return status;                                   \
    }

ENTRY(fender_link_create, fnd_inner_link_create, (world, def, id, error), error, const fender_link_def *def,
      fender_link_id *id, fender_error *error)
ENTRY(fender_link_set_active, fnd_inner_link_set_active, (world, link, active), NULL, fender_link_id link, bool active)
ENTRY(fender_link_set_length, fnd_inner_link_set_length, (world, link, length, error), error, fender_link_id link,
      double length, fender_error *error)
ENTRY(fender_link_set_rate, fnd_inner_link_set_rate, (world, link, rate, target, error), error, fender_link_id link,
      double rate, double target, fender_error *error)
ENTRY(fender_link_set_force, fnd_inner_link_set_force, (world, link, force, error), error, fender_link_id link,
      double force, fender_error *error)
ENTRY(fender_link_set_free, fnd_inner_link_set_free, (world, link, error), error, fender_link_id link,
      fender_error *error)
ENTRY(fender_link_set_locked, fnd_inner_link_set_locked, (world, link, locked, error), error, fender_link_id link,
      bool locked, fender_error *error)
ENTRY(fender_link_set_current, fnd_inner_link_set_current, (world, link, current, error), error, fender_link_id link,
      double current, fender_error *error)
ENTRY(fender_link_set_parameter, fnd_inner_link_set_parameter, (world, link, name, value, error), error,
      fender_link_id link, const char *name, double value, fender_error *error)
ENTRY(fender_body_set_mass, fnd_inner_body_set_mass, (world, body, core, error), error, fender_body_id body,
      const fender_mass_properties *core, fender_error *error)
ENTRY(fender_body_set_mass_flow, fnd_inner_body_set_mass_flow, (world, body, flow, error), error, fender_body_id body,
      const fender_mass_flow *flow, fender_error *error)
ENTRY(fender_point_create, fnd_inner_point_create, (world, body, name, X_SP, id, error), error, fender_body_id body,
      const char *name, fender_pose X_SP, fender_point_id *id, fender_error *error)
ENTRY(fender_body_attach, fnd_inner_body_attach, (world, def, report, error), error, const fender_attach_def *def,
      fender_attach_report *report, fender_error *error)
ENTRY(fender_body_detach, fnd_inner_body_detach, (world, body, from, rule, freed, error), error, fender_body_id body,
      fender_body_id from, fender_detach_rule rule, fender_body_id *freed, fender_error *error)
ENTRY(fender_body_set_part_motion, fnd_inner_body_set_part_motion, (world, body, motion, error), error,
      fender_body_id body, const fender_part_motion *motion, fender_error *error)
ENTRY(fender_body_move_part, fnd_inner_body_move_part, (world, body, position, angle, duration, error), error,
      fender_body_id body, fender_vec3 position, double angle, double duration, fender_error *error)
ENTRY(fender_body_reattach, fnd_inner_body_reattach, (world, body, X_PC, report, error), error, fender_body_id body,
      fender_pose X_PC, fender_attach_report *report, fender_error *error)

/* From a callback it cannot be done, and has nobody to tell: nothing happens. */
void fender_world_destroy(fender_world *world)
{
    if (world && !world->busy) fnd_inner_world_destroy(world);
}

ENTRY(fender_world_initialize, fnd_inner_world_initialize, (world, error), error, fender_error *error)
ENTRY(fender_world_stable_step, fnd_inner_world_stable_step, (world, longest, error), error, double *longest,
      fender_error *error)
ENTRY(fender_world_step, fnd_inner_world_step, (world, error), error, fender_error *error)
ENTRY(fender_world_advance, fnd_inner_world_advance, (world, count, error), error, int64_t count, fender_error *error)
ENTRY(fender_world_advance_to, fnd_inner_world_advance_to, (world, time, error), error, double time,
      fender_error *error)
ENTRY(fender_world_propose, fnd_inner_world_propose, (world, limit, proposal, error), error, double limit,
      fender_proposal *proposal, fender_error *error)
ENTRY(fender_world_sample_motion, fnd_inner_world_sample_motion, (world, time, error), error, double time,
      fender_error *error)
ENTRY(fender_world_sample, fnd_inner_world_sample, (world, time, error), error, double time, fender_error *error)
ENTRY(fender_world_accept, fnd_inner_world_accept, (world, error), error, fender_error *error)

ENTRY(fender_world_advance_tangent, fnd_inner_world_advance_tangent, (world, time, columns, x, error), error,
      double time, int columns, double *x, fender_error *error)
ENTRY(fender_world_linearize, fnd_inner_world_linearize, (world, a, error), error, double *a, fender_error *error)

ENTRY(fender_world_set_contacts_active, fnd_inner_world_set_contacts_active, (world, active), NULL, bool active)

ENTRY(fender_body_create, fnd_inner_body_create, (world, def, id, error), error, const fender_body_def *def,
      fender_body_id *id, fender_error *error)
ENTRY(fender_body_set_state, fnd_inner_body_set_state, (world, body, state, error), error, fender_body_id body,
      const fender_body_state *state, fender_error *error)
ENTRY(fender_body_set_motion, fnd_inner_body_set_motion, (world, body, velocity, angular_velocity, error), error,
      fender_body_id body, fender_vec3 velocity, fender_vec3 angular_velocity, fender_error *error)
ENTRY(fender_body_move_to, fnd_inner_body_move_to, (world, body, pose, duration, error), error, fender_body_id body,
      fender_pose pose, double duration, fender_error *error)
ENTRY(fender_world_set_gravity, fnd_inner_world_set_gravity, (world, gravity, error), error, fender_vec3 gravity,
      fender_error *error)
ENTRY(fender_material_create, fnd_inner_material_create, (world, name, id, error), error, const char *name,
      fender_material_id *id, fender_error *error)
ENTRY(fender_shape_create, fnd_inner_shape_create, (world, body, def, id, error), error, fender_body_id body,
      const fender_shape_def *def, fender_shape_id *id, fender_error *error)
ENTRY(fender_shape_set_active, fnd_inner_shape_set_active, (world, shape, active), NULL, fender_shape_id shape,
      bool active)
ENTRY(fender_contact_type_create, fnd_inner_contact_type_create, (world, def, id, error), error,
      const fender_contact_type_def *def, fender_contact_type_id *id, fender_error *error)
ENTRY(fender_rule_create, fnd_inner_rule_create, (world, def, id, error), error, const fender_rule_def *def,
      fender_rule_id *id, fender_error *error)
ENTRY(fender_rule_set_use, fnd_inner_rule_set_use, (world, rule, use, error), error, fender_rule_id rule,
      fender_contact_type_id use, fender_error *error)
ENTRY(fender_load_create, fnd_inner_load_create, (world, def, id, error), error, const fender_load_def *def,
      fender_load_id *id, fender_error *error)
ENTRY(fender_load_set_active, fnd_inner_load_set_active, (world, load, active), NULL, fender_load_id load, bool active)
ENTRY(fender_load_set_force, fnd_inner_load_command, (world, load, 0, force, error), error, fender_load_id load,
      fender_vec3 force, fender_error *error)
ENTRY(fender_load_set_torque, fnd_inner_load_command, (world, load, 1, torque, error), error, fender_load_id load,
      fender_vec3 torque, fender_error *error)
ENTRY(fender_load_set_throttle, fnd_inner_load_set_throttle, (world, load, throttle, error), error, fender_load_id load,
      double throttle, fender_error *error)
ENTRY(fender_load_set_motor_torque, fnd_inner_load_set_motor_torque, (world, load, torque, error), error,
      fender_load_id load, double torque, fender_error *error)
ENTRY(fender_sensor_create, fnd_inner_sensor_create, (world, def, id, error), error, const fender_sensor_def *def,
      fender_sensor_id *id, fender_error *error)
ENTRY(fender_snapshot_restore, fnd_inner_snapshot_restore, (world, snapshot, error), error,
      const fender_snapshot *snapshot, fender_error *error)
ENTRY(fender_body_destroy, fnd_inner_body_destroy, (world, body, error), error, fender_body_id body,
      fender_error *error)
ENTRY(fender_shape_destroy, fnd_inner_shape_destroy, (world, shape, error), error, fender_shape_id shape,
      fender_error *error)
ENTRY(fender_link_destroy, fnd_inner_link_destroy, (world, link, error), error, fender_link_id link,
      fender_error *error)
ENTRY(fender_load_destroy, fnd_inner_load_destroy, (world, load, error), error, fender_load_id load,
      fender_error *error)
ENTRY(fender_rule_destroy, fnd_inner_rule_destroy, (world, rule, error), error, fender_rule_id rule,
      fender_error *error)
ENTRY(fender_sensor_destroy, fnd_inner_sensor_destroy, (world, sensor, error), error, fender_sensor_id sensor,
      fender_error *error)

void fender_world_discard_proposal(fender_world *world)
{
    if (begin(world, NULL)) return;
    fnd_world_settle(world);
    (void)end(world, FENDER_STATUS_OK, NULL);
}

/* ---- Hosts ---- */

int fender_world_state_count(const fender_world *world)
{
    int count = 0;
    for (int i = 0; world && i < world->model.body_count; i++) count += fnd_body_integrated(&world->model.bodies[i]);
    return count * FENDER_STATE_PER_BODY;
}

void fender_world_get_state(const fender_world *world, double *y)
{
    for (int i = 0; world && y && i < world->model.body_count; i++) {
        if (!fnd_body_integrated(&world->model.bodies[i])) continue;
        const fnd_state *s = &world->model.bodies[i].state;
        const double numbers[FENDER_STATE_PER_BODY] = {s->p.x, s->p.y, s->p.z, s->q.w, s->q.x, s->q.y, s->q.z,
                                                       s->v.x, s->v.y, s->v.z, s->L.x, s->L.y, s->L.z};
        for (int k = 0; k < FENDER_STATE_PER_BODY; k++) *y++ = numbers[k];
    }
}

/* A host does not integrate the states of laws: they follow its steps by the trapezoidal rule. */
static void guess_law_states(fender_world *world, double time)
{
    fnd_dynamics *d = &world->dynamics;
    int count = world->ode.state_count;
    if (count == 0) return;
    const fnd_evaluation *e = &d->evaluations[0];
    const int links = d->link_state_count;
    double half = 0.5 * (time - world->time), *first = world->workspace.rates[0], *second = world->workspace.rates[1];
    const double *old = world->vector[0] + fnd_law_state_offset(d);
    double *next = world->vector[1] + fnd_law_state_offset(d);
    for (int i = 0; i < count; i++) next[i] = old[i];
    fnd_dynamics_frames(d, time, world->rotations[1], world->vector[1], world->host_frames);
    fnd_links_state_rates(d, e, NULL, old, first);
    fnd_links_state_rates(d, e, world->host_frames, old, second);
    fnd_contact_state_rates(&d->contacts, &world->model, &e->contacts, NULL, old + links, first + links);
    fnd_contact_state_rates(&d->contacts, &world->model, &e->contacts, world->host_frames, old + links, second + links);
    for (int i = 0; i < count; i++) next[i] = old[i] + half * (first[i] + second[i]);
}

static fender_status inner_world_set_state(fender_world *world, double time, const double *y, fender_error *error)
{
    if (!y && fender_world_state_count(world) > 0) return fnd_world_missing(error);
    fnd_world_settle(world);
    fender_status status = fnd_world_ready(world, error);
    if (status) return status;
    fnd_dynamics *d = &world->dynamics;
    if (!isfinite(time))
        return fnd_fail(error, FENDER_STATUS_VALUE, "time", "the time is not finite", "", "a finite time", "");
    for (int k = 0; k < d->dynamic_count; k++) {
        const double *n = y + (size_t)k * FENDER_STATE_PER_BODY;
        bool finite = true;
        for (int i = 0; i < FENDER_STATE_PER_BODY; i++) finite = finite && isfinite(n[i]);
        double q2 = n[3] * n[3] + n[4] * n[4] + n[5] * n[5] + n[6] * n[6];
        if (!finite || !(q2 > 0))
            return fnd_fail(error, FENDER_STATUS_NOT_FINITE, world->model.bodies[d->dynamic[k]].name,
                            "the state of the body is not finite, or its quaternion is zero", "", "13 finite numbers",
                            "");
    }
    if (world->ode.state_count > 0 && (status = fnd_world_refresh(world, error))) return status;
    for (int k = 0; k < d->dynamic_count; k++) {
        const double *n = y + (size_t)k * FENDER_STATE_PER_BODY;
        fnd_state s = {{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}, {n[7], n[8], n[9]}, {n[10], n[11], n[12]}};
        double q2 = n[3] * n[3] + n[4] * n[4] + n[5] * n[5] + n[6] * n[6];
        if (fabs(q2 - 1.0) > 4e-16) s.q = fender_quaternion_normalized(s.q);
        fnd_state_pack(d, k, &s, world->rotations[1], world->vector[1]);
    }
    world->host_state_set = true;
    world->host_time = time;
    guess_law_states(world, time);
    return FENDER_STATUS_OK;
}

static fender_status inner_world_evaluate(fender_world *world, fender_error *error)
{
    fnd_world_settle(world);
    fender_status status = fnd_world_ready(world, error);
    if (status) return status;
    fnd_dynamics *d = &world->dynamics;
    bool trial = world->host_state_set;
    double time = trial ? world->host_time : world->time;
    d->piece_time = fnd_piece_of(time);
    fnd_dynamics_frames(d, time, trial ? world->rotations[1] : NULL, trial ? world->vector[1] : NULL,
                        world->host_frames);
    d->regime = FND_REGIME_CLIPPED; /* a host's steps end where it likes */
    if (!fnd_dynamics_evaluate(d, time, world->host_frames, &d->evaluations[FND_EVALUATION_HOST]))
        return fnd_fail_memory(error, "an evaluation");
    world->evaluated = FND_EVALUATION_HOST;
    return FENDER_STATUS_OK;
}

static fender_status inner_world_derivative(fender_world *world, double *ydot, fender_error *error)
{
    if (!ydot && fender_world_state_count(world) > 0) return fnd_world_missing(error);
    fender_status status = inner_world_evaluate(world, error);
    if (status) return status;
    const fnd_dynamics *d = &world->dynamics;
    const fnd_evaluation *e = &d->evaluations[FND_EVALUATION_HOST];
    for (int k = 0; k < d->dynamic_count; k++) {
        int i = d->dynamic[k];
        const fnd_frame *frame = &world->host_frames[i];
        fender_quaternion w = {0, 0.5 * frame->w.x, 0.5 * frame->w.y,
                               0.5 * frame->w.z}; /* q' = w q / 2, w in world axes */
        fender_quaternion q = fender_quaternion_product(w, frame->q);
        const double numbers[FENDER_STATE_PER_BODY] = {frame->v.x,
                                                       frame->v.y,
                                                       frame->v.z,
                                                       q.w,
                                                       q.x,
                                                       q.y,
                                                       q.z,
                                                       e->acceleration[i].x,
                                                       e->acceleration[i].y,
                                                       e->acceleration[i].z,
                                                       e->torque[i].x,
                                                       e->torque[i].y,
                                                       e->torque[i].z};
        for (int n = 0; n < FENDER_STATE_PER_BODY; n++) *ydot++ = numbers[n];
    }
    return FENDER_STATUS_OK;
}

/* The trapezoidal rule of the power of a commanded wrench that changes over the step is off from the work of the mean
 * wrench over the mean velocity, which is what the impulse of the same rule gives to the motion. */
static void book_commands(fender_world *world, double step)
{
    const fnd_dynamics *d = &world->dynamics;
    for (int i = 0; i < d->load_count; i++) {
        fnd_load *load = &d->loads[i];
        if (!load->name || !(load->memory.commanded[0] || load->memory.commanded[1])) continue;
        const fnd_load_value *a = &load->start, *b = &load->at[d->evaluations[0].slot];
        const double force = fender_vec3_dot(fender_vec3_sub(b->force, a->force),
                                             fender_vec3_sub(b->velocity, a->velocity));
        const double torque = fender_vec3_dot(fender_vec3_sub(b->torque, a->torque),
                                              fender_vec3_sub(b->turning, a->turning));
        load->memory.work -= 0.25 * step * (force + torque);
        world->account.applied -= 0.25 * step * (force + torque);
    }
}

static fender_status inner_world_commit(fender_world *world, fender_error *error)
{
    fnd_world_settle(world);
    fender_status status = fnd_world_ready(world, error);
    if (status) return status;
    if (!world->host_state_set)
        return fnd_fail(error, FENDER_STATUS_STATE, "", "no state was set since the last accepted state", "",
                        "fender_world_set_state before commit", "");
    if (world->host_time < world->time)
        return fnd_fail(error, FENDER_STATUS_VALUE, "time", "the accepted time is before the previous one",
                        fnd_number(world->host_time).text, fnd_number(world->time).text,
                        "restore a snapshot to go back");
    if ((status = fnd_world_refresh(world, error))) return status;
    world->events.count = 0;
    static const int evaluations[] = {0, FND_EVALUATION_NEXT};
    double half = 0.5 * (world->host_time - world->time);
    const double weights[] = {half, half};
    double time = world->host_time, start = world->time;
    fnd_dynamics *d = &world->dynamics;
    const bool burns = fnd_loads_burn(d, start);
    for (int i = 0; i < d->load_count; i++) d->loads[i].start = d->loads[i].at[d->evaluations[0].slot];
    if ((status = fnd_world_accept(world, time, evaluations, weights, 2, error))) return status;
    book_commands(world, time - start);
    if (burns && (status = fnd_world_flow_tanks(world, start, time, error))) return status;
    world->step_count++;
    world->base_time = time;
    world->base_step = world->step_count;
    return fnd_world_weld(world, error);
}

ENTRY(fender_world_set_state, inner_world_set_state, (world, time, y, error), error, double time, const double *y,
      fender_error *error)
ENTRY(fender_world_derivative, inner_world_derivative, (world, ydot, error), error, double *ydot, fender_error *error)
ENTRY(fender_world_evaluate, inner_world_evaluate, (world, error), error, fender_error *error)
ENTRY(fender_world_commit, inner_world_commit, (world, error), error, fender_error *error)
