/* Adaptive step control; names and properties of the integrators. */
#include "base/error.h"
#include "math/rotation.h"
#include "world/world.h"
#include <assert.h>
#include <stdio.h>

/* ---- Names ---- */

static const fnd_method *const methods[] = {
    [FENDER_INTEGRATOR_RK4] = &fnd_rk4,
    [FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER] = &fnd_semi_implicit,
    [FENDER_INTEGRATOR_VELOCITY_VERLET] = &fnd_velocity_verlet,
    [FENDER_INTEGRATOR_DOPRI5] = &fnd_dopri5,
    [FENDER_INTEGRATOR_DOP853] = &fnd_dop853,
#ifdef FENDER_WITH_SUNDIALS
    [FENDER_INTEGRATOR_CVODE_ADAMS] = &fnd_cvode_adams,
    [FENDER_INTEGRATOR_CVODE_BDF] = &fnd_cvode_bdf,
#endif
};
enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

const fnd_method *fnd_world_method(fender_integrator_method method)
{
    return (unsigned)method < METHOD_COUNT ? methods[method] : NULL;
}

const char *fender_integrator_name(fender_integrator_method method)
{
    const fnd_method *found = fnd_world_method(method);
    return found ? found->name : NULL;
}

bool fender_integrator_adaptive(fender_integrator_method method)
{
    const fnd_method *found = fnd_world_method(method);
    return found && found->error_count > 0;
}

/* ---- Steps ---- */

/* Scales of errors. Positions and velocities are relative to the centre of mass of all moving bodies, so that they are
 * independent of the origin and of a common drift; rotations are measured at the radius of gyration. */
typedef struct scales {
    double relative, absolute;
    fender_vec3 center, velocity;
    double energy;
} scales;

static scales scales_of(const fender_world *world)
{
    const fnd_dynamics *d = &world->dynamics;
    scales s = {.relative = world->def.relative_tolerance, .absolute = world->def.absolute_tolerance};
    fender_vec3 first = {0, 0, 0};
    double mass = 0;
    for (int k = 0; k < d->dynamic_count; k++) {
        const fnd_body *body = &world->model.bodies[d->dynamic[k]];
        if (k == 0) first = body->state.p;
        s.center = fender_vec3_add_scaled(s.center, body->mass, fender_vec3_sub(body->state.p, first));
        s.velocity = fender_vec3_add_scaled(s.velocity, body->mass, body->state.v);
        mass += body->mass;
    }
    if (mass > 0) {
        s.center = fender_vec3_add_scaled(first, 1.0 / mass, s.center);
        s.velocity = fender_vec3_scale(1.0 / mass, s.velocity);
    }
    const fnd_account *a = &world->account;
    s.energy = a->peak_kinetic + fabs(a->damping) + fabs(a->friction) + fabs(a->applied) + fabs(a->attachment) +
               fabs(a->motor);
    return s;
}

static double larger(double a, double b) { return a > b || isnan(a) ? a : b; }
static fender_vec3 read3(const double *from) { return fender_vec3_make(from[0], from[1], from[2]); }

/* Allowed errors of a body. */
typedef struct body_scales {
    double rotation, position, velocity, spin;
} body_scales;

static body_scales body_scales_of(const scales *s, const fnd_body *body)
{
    double trace = body->inertia.m[0][0] + body->inertia.m[1][1] + body->inertia.m[2][2];
    double gyration = sqrt(trace / (2.0 * body->mass)); /* the trace is twice sum m r^2 */
    double arm = fender_vec3_length(fender_vec3_sub(body->state.p, s->center));
    double speed = fender_vec3_length(fender_vec3_sub(body->state.v, s->velocity));
    return (body_scales){
        .rotation = s->relative + s->absolute / gyration,
        .position = s->absolute + s->relative * arm,
        .velocity = s->absolute + s->relative * speed,
        .spin = s->relative * fender_vec3_length(body->state.L) + s->absolute * body->mass * gyration,
    };
}

/* Largest error of a body's rotation, position, velocity and angular momentum, relative to the tolerances. NaN if one
 * is. */
static double body_error(const fender_world *world, const scales *s, int k, fender_vec3 rotation, const double *vector)
{
    assert(k >= 0 && k < world->dynamics.dynamic_count);
    const fnd_dynamics *d = &world->dynamics;
    const body_scales b = body_scales_of(s, &world->model.bodies[d->dynamic[k]]);
    int n = 3 * d->dynamic_count;
    double worst = fender_vec3_length(rotation) / b.rotation;
    worst = larger(fender_vec3_length(read3(vector + 3 * k)) / b.position, worst);
    worst = larger(fender_vec3_length(read3(vector + n + 3 * k)) / b.velocity, worst);
    return larger(fender_vec3_length(read3(vector + 2 * n + 3 * k)) / b.spin, worst);
}

static double state_scale(const fender_world *world, const scales *s, int i)
{
    assert(i >= 0 && i < world->ode.state_count);
    int first = world->ode.position_count + world->ode.momentum_count;
    return s->absolute + s->relative * fabs(world->vector[0][first + i]);
}

void fnd_world_tolerances(fender_world *world)
{
    const fnd_dynamics *d = &world->dynamics;
    const scales s = scales_of(world);
    int n = 3 * d->dynamic_count;
    for (int i = 0; i < n; i++) {
        const body_scales b = body_scales_of(&s, &world->model.bodies[d->dynamic[i / 3]]);
        world->rotation_error[i / 3] = fender_vec3_make(b.rotation, b.rotation, b.rotation);
        world->vector_error[i] = b.position;
        world->vector_error[n + i] = b.velocity;
        world->vector_error[2 * n + i] = b.spin;
    }
    for (int i = 0; i < world->ode.state_count; i++) world->vector_error[3 * n + i] = state_scale(world, &s, i);
    world->ode.rotation_tolerances = world->rotation_error;
    world->ode.vector_tolerances = world->vector_error;
}

/* Errors of everything but the quadratures. */
static double state_error(const fender_world *world, const scales *s, const fender_vec3 *rotations,
                          const double *vector, int *culprit)
{
    double worst = 0;
    for (int k = 0; k < world->dynamics.dynamic_count; k++) {
        double error = body_error(world, s, k, rotations[k], vector);
        if (error > worst || isnan(error)) {
            worst = error;
            if (culprit) *culprit = world->dynamics.dynamic[k];
        }
    }
    int first = world->ode.position_count + world->ode.momentum_count;
    for (int i = 0; i < world->ode.state_count; i++)
        worst = larger(fabs(vector[first + i]) / state_scale(world, s, i), worst);
    return worst;
}

/* Forces and torques of moving ends within trees, whose lengths are off by the absolute tolerance or less. While no
 * other energy is at work, their rounding would count. */
static double driven_forces(const fnd_evaluation *e)
{
    double sum = 0;
    for (int i = 0; i < e->link_count; i++) {
        const fnd_link_value *v = &e->links[i];
        if (v->alive && !v->acting && v->motor_power != 0) sum += fabs(v->force) + fender_vec3_length(v->torque_on_b);
    }
    return sum;
}

/* Runs whose energy at work is more than this part of what a step moves have that alone as their scale. */
#define PART_OF_MOVED 1e-6

/* What all forces and torques of the step give to and take from the bodies. [J] */
static double energy_moved(const fender_world *world, double step)
{
    const fnd_method *method = world->method;
    const fnd_dynamics *d = &world->dynamics;
    double power = 0;
    for (int i = 0; i < method->stage_count; i++)
        for (int k = 0; k < d->dynamic_count; k++)
            power += fabs(method->weights[i] * d->evaluations[i].power[d->dynamic[k]]);
    return step * power;
}

/* Error of the energies that the ledger accumulates over the step. */
static double energy_error(const fender_world *world, const scales *s, double step, const double *weights)
{
    const fnd_method *method = world->method;
    double damping = 0, friction = 0, applied = 0, change = 0, driven = 0;
    for (int i = 0; i < method->stage_count; i++) {
        const fnd_evaluation *e = &world->dynamics.evaluations[i];
        damping += weights[i] * e->damping_power;
        friction += weights[i] * e->friction_power;
        applied += weights[i] * e->applied_power;
        change += fabs(method->weights[i]) *
                  (fabs(e->damping_power) + fabs(e->friction_power) + fabs(e->applied_power));
        driven += fabs(method->weights[i]) * driven_forces(e);
    }
    double error = larger(fabs(damping), larger(fabs(friction), fabs(applied)));
    double scale = s->relative * (s->energy + step * change) + s->absolute * driven;
    if (error == 0) return 0;
    if (step * error > scale) { /* from rest, where there is no energy yet, a loss may be in proportion to its error */
        const double moved = PART_OF_MOVED * energy_moved(world, step);
        if (moved > s->energy) scale = s->relative * (moved + step * change) + s->absolute * driven;
    }
    return step * error / scale;
}

static double estimate(fender_world *world, const scales *s, double step, int which, int *culprit)
{
    const double *weights = world->method->error_weights[which];
    fnd_ode_error(&world->ode, &world->workspace, world->method->stage_count, step, weights, world->rotation_error,
                  world->vector_error);
    double error = state_error(world, s, world->rotation_error, world->vector_error, culprit);
    return larger(energy_error(world, s, step, weights), error);
}

/* First step after Hairer, Norsett and Wanner I, II.4, from the magnitude of the first two derivatives. */
static bool first_step(fender_world *world, const scales *s, double longest, double *step)
{
    const fnd_ode *ode = &world->ode;
    fnd_ode_workspace *w = &world->workspace;
    int count = ode->position_count + ode->momentum_count + ode->state_count;
    world->dynamics.regime = FND_REGIME_FROZEN;
    if (!ode->rates(ode->ctx, 0, world->time, world->rotations[0], world->vector[0], w->angular_velocities[0],
                    w->rates[0]))
        return false;
    double first = state_error(world, s, w->angular_velocities[0], w->rates[0], NULL);
    double guess = fnd_first_step_guess(1.0 / s->relative, first);
    if (!(guess < longest)) guess = longest;
    for (int k = 0; k < ode->rotation_count; k++)
        w->rotations[k] = fender_quaternion_normalized(fender_quaternion_product(
            fnd_rotation_exp(fender_vec3_scale(guess, w->angular_velocities[0][k])), world->rotations[0][k]));
    for (int i = 0; i < count; i++) w->vector[i] = world->vector[0][i] + guess * w->rates[0][i];
    if (!ode->rates(ode->ctx, 1, world->time + guess, w->rotations, w->vector, w->angular_velocities[1], w->rates[1]))
        return false;
    for (int k = 0; k < ode->rotation_count; k++)
        world->rotation_error[k] = fender_vec3_sub(w->angular_velocities[1][k], w->angular_velocities[0][k]);
    for (int i = 0; i < count; i++) world->vector_error[i] = w->rates[1][i] - w->rates[0][i];
    double second = state_error(world, s, world->rotation_error, world->vector_error, NULL) / guess;
    *step = fnd_first_step(world->method, guess, first, second);
    return true;
}

/* Times no longer tell shorter ones apart. */
static double shortest_step_at(double time) { return 1e-14 * (fabs(time) > 1e-3 ? fabs(time) : 1e-3); }

static double shortest_step(const fender_world *world) { return shortest_step_at(world->time); }

static fender_status collapse(const fender_world *world, double step, int culprit, fender_error *error)
{
    char message[320], suggestion[200], name[440];
    fnd_world_worst_contact(world, culprit, name, sizeof name);
    snprintf(message, sizeof message,
             "at t = %s s no step is short enough for the tolerances: the last one tried was %.3g s%s%.180s",
             fnd_number(world->time).text, step, name[0] ? ", for " : "", name);
    snprintf(suggestion, sizeof suggestion,
             "look for a jump in that force, or increase integrator.relative_tolerance (%.3g)",
             world->def.relative_tolerance);
    if (step > shortest_step_at(world->time - world->def.start_time)) /* it would do in a run that starts at 0 s */
        snprintf(
            suggestion, sizeof suggestion,
            "start at 0 s instead of %s s, where times are not told apart to less than %.3g s; else look for a jump",
            fnd_number(world->def.start_time).text, shortest_step(world));
    return fnd_fail(error, FENDER_STATUS_INTEGRATOR, name, message, "", "a motion that short steps can follow",
                    suggestion);
}

fender_status fnd_world_pace(fender_world *world, double longest, double *length, fnd_pace *pace, fender_error *error)
{
    assert(longest > 0);
    const scales s = scales_of(world);
    const fnd_ode *ode = &world->ode;
    fnd_ode_workspace *w = &world->workspace;
    *pace = world->pace;
    if (!(pace->step > 0)) {
        world->dynamics.regime = FND_REGIME_FROZEN;
        if (!ode->rates(ode->ctx, 0, world->time, world->rotations[0], world->vector[0], w->angular_velocities[0],
                        w->rates[0]))
            return fnd_fail_memory(error, "an evaluation");
        double first = state_error(world, &s, w->angular_velocities[0], w->rates[0], NULL);
        pace->step = first > 0 ? fnd_first_step_guess(1.0 / s.relative, first) : longest;
        if (!(pace->step > shortest_step(world))) return collapse(world, pace->step, -1, error);
    }
    *length = pace->step < longest ? pace->step : longest;
    if (pace->step < 1.5 * *length) pace->step = 1.5 * *length;
    return FENDER_STATUS_OK;
}

fender_status fnd_world_adapt(fender_world *world, double longest, double *length, fnd_pace *pace, fender_error *error)
{
    assert(longest > 0);
    assert(world->method->error_count > 0);
    const fnd_method *method = world->method;
    const scales s = scales_of(world);
    const double shortest = shortest_step(world);
    if (!isfinite(longest)) longest = 1e6;
    *pace = world->pace;
    if (!(pace->step > 0)) {
        pace->control = fnd_step_control_start();
        if (!first_step(world, &s, longest, &pace->step)) return fnd_fail_memory(error, "an evaluation");
        if (!(pace->step > shortest)) return collapse(world, pace->step, -1, error); /* rates beyond all bounds */
    }
    double step = pace->step, wish = pace->step;
    bool cut = step >= longest;
    if (cut) step = longest;
    int culprit = -1;
    for (;;) {
        world->dynamics.regime = FND_REGIME_FROZEN;
        world->trial.dense_ready = false;
        if (!fnd_world_try(world, step)) return fnd_fail_memory(error, "an evaluation");
        double norms[2] = {0, 0};
        for (int i = 0; i < method->error_count; i++) norms[i] = estimate(world, &s, step, i, &culprit);
        double error_norm = fnd_step_control_error(method, norms);
        bool taken = error_norm <= 1;
        pace->step = step * fnd_step_control_factor(&pace->control, method, error_norm, taken);
        if (taken) break;
        cut = false;
        step = pace->step;
        if (!(step > shortest)) return collapse(world, step, culprit, error);
    }
    if (cut && pace->step < wish) pace->step = wish; /* a step that was short for other reasons is not informative */
    *length = step;
    return FENDER_STATUS_OK;
}
