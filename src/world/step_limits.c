/* What the step of a method resolves: its longest stable step for a damped spring, and the least speeds at which
 * friction can end, which a world gives to laws that leave them to it. */
#include "math/rotation.h"
#include "world/world.h"

#include <fender/laws.h>

/* Size of what one step of RK4 does to the mode exp(z), z = step * eigenvalue: |1 + z + z^2/2 + z^3/6 + z^4/24|. */
static double rk4_growth(double re, double im)
{
    static const double coefficients[] = {1.0 / 24, 1.0 / 6, 0.5, 1, 1};
    double sum_re = 0, sum_im = 0;
    for (int i = 0; i < 5; i++) {
        double next = sum_re * re - sum_im * im + coefficients[i];
        sum_im = sum_re * im + sum_im * re;
        sum_re = next;
    }
    return sqrt(sum_re * sum_re + sum_im * sum_im);
}

static bool rk4_stable(double scaled, double ratio)
{
    /* rounding lets the growth of a stable, nearly undamped mode exceed 1 a little */
    const double limit = 1 + 1e-12;
    if (ratio < 1) return rk4_growth(-ratio * scaled, scaled * sqrt(1 - ratio * ratio)) <= limit;
    double root = sqrt(ratio * ratio - 1);
    return rk4_growth(-(ratio + root) * scaled, 0) <= limit && rk4_growth(-(ratio - root) * scaled, 0) <= limit;
}

/* Modes that do not grow by themselves do not grow in a step of RK4 either within this distance from 0: the border of
 * its region of stability is at least 2.613 away in the left half plane (at 122 degrees), 2.785 along the real axis and
 * 2.828 along the imaginary one. */
#define RK4_RADIUS 2.6

bool fnd_step_is_surely_stable(fender_integrator_method method, double scaled, double damping_ratio)
{
    if (method != FENDER_INTEGRATOR_RK4) return false;
    const double r = damping_ratio, fastest = r < 1 ? 1 : r + sqrt(r * r - 1);
    return scaled * fastest <= RK4_RADIUS;
}

double fender_integrator_stable_step(fender_integrator_method method, double frequency, double damping_ratio)
{
    if (!(frequency > 0) || fender_integrator_adaptive(method)) return INFINITY;
    if (method == FENDER_INTEGRATOR_CVODE_ADAMS || method == FENDER_INTEGRATOR_CVODE_BDF) return INFINITY;
    if (method == FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER) {
        /* Both eigenvalues of one step lie in the unit circle while (f h)^2 + 4 r f h - 4 < 0. */
        return 2 * (sqrt(damping_ratio * damping_ratio + 1) - damping_ratio) / frequency;
    }
    if (method == FENDER_INTEGRATOR_VELOCITY_VERLET) {
        /* With the velocity predicted by v + h a the step has the determinant 1 - 2 r z + 2 (r z)^2 - r z^3 / 2 and the
         * trace 2 - 2 r z - z^2 + 2 (r z)^2 + r z^3 / 2, z = f h: an eigenvalue leaves the unit circle at -1 while r is
         * at most a half, at 1 beyond. */
        double square = damping_ratio * damping_ratio;
        if (damping_ratio > 0.5) return 1 / (damping_ratio * frequency);
        return 2 / ((damping_ratio + sqrt(1 - 3 * square)) * frequency);
    }
    /* The first step at which it grows, searched upwards in small strides, then halved down to. */
    double low = 0, high, stride = 0.01 / (1 + damping_ratio);
    while (low < 4 && rk4_stable(low + stride, damping_ratio)) low += stride;
    high = low + stride;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (rk4_stable(middle, damping_ratio)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low / frequency;
}

/* A swing by x = f h in each step is off by x^p / (p + 1)! of a method of order p, damping (1 + 2 r) times as quickly;
 * begin and end within their steps by x^2 / 12, and by 2 r x for the damper, which acts at once:
 * contact/peak.c. */
static double figure_error(int order, double x, double damping_ratio, bool located)
{
    double swing = x * (1 + 2 * damping_ratio), phase = 1;
    for (int i = 1; i <= order; i++) phase *= swing / (i + 1);
    return located ? phase : phase + x * x / 12 + damping_ratio * x;
}

double fender_integrator_sized_step(fender_integrator_method method, double frequency, double damping_ratio,
                                    bool located, double error)
{
    double stable = fender_integrator_stable_step(method, frequency, damping_ratio);
    if (isinf(stable)) return stable;
    int order = method == FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER ? 1
                : method == FENDER_INTEGRATOR_VELOCITY_VERLET   ? 2
                                                                : 4;
    double low = 0, high = 0.5 * stable * frequency;
    if (figure_error(order, high, damping_ratio, located) <= error) return 0.5 * stable;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (figure_error(order, middle, damping_ratio, located) <= error) low = middle;
        else high = middle;
    }
    return low / frequency;
}

double fender_least_stick_speed(fender_integrator_method method, double step, double mu_kinetic, double gravity)
{
    /* a damper of rate 1 alone: a spring so weak that it plays no part */
    return mu_kinetic * gravity * step / fender_integrator_stable_step(method, 5e-4, 1e3);
}

double fender_least_rest_rate(fender_integrator_method method, double step, double arm, double gyration, double gravity)
{
    return fender_least_stick_speed(method, step, arm / (gyration * gyration), gravity);
}

/* ---- Speeds at which friction of a world ends ---- */

static bool rule_names(const fnd_contact_model *model, const fnd_rule *rule, const fnd_shape *shape)
{
    switch (rule->kind) {
    case FENDER_RULE_SHAPES: return shape == &model->shapes[rule->low] || shape == &model->shapes[rule->high];
    case FENDER_RULE_BODIES: return shape->body == (int)rule->low || shape->body == (int)rule->high;
    case FENDER_RULE_MATERIALS: return shape->material == (int)rule->low || shape->material == (int)rule->high;
    case FENDER_RULE_DEFAULT: return true;
    }
    return false;
}

/* m; the least radius of gyration of the dynamic bodies that rules give contacts of the type; INFINITY: none. */
static double least_gyration(const fnd_contact_model *model, int type)
{
    double least = INFINITY;
    for (int r = 0; r < model->rule_count; r++)
        for (int s = 0; model->rules[r].use == type && s < model->shape_count; s++) {
            const fnd_shape *shape = &model->shapes[s];
            if (!shape->name || !rule_names(model, &model->rules[r], shape)) continue;
            const fnd_body *root = &model->bodies[shape->body];
            while (root->parent >= 0) root = &model->bodies[root->parent];
            if (!fnd_body_dynamic(root) || !(root->mass > 0)) continue;
            const double radius = sqrt(fnd_symmetric_eigenvalues(&root->inertia).x / root->mass);
            if (radius < least) least = radius;
        }
    return least;
}

static double parameter(const fnd_slot *slot, const char *name)
{
    const fender_field *field = fender_field_find(&slot->law->parameters, name);
    return field ? fender_field_get(field, slot->parameters, 0) : 0;
}

/* m; torque per load at most: of laws of rolling their arm, of laws of twisting that of a rim. */
static double arm_of(const fnd_slot *slot)
{
    const double arm = parameter(slot, "arm");
    return arm > 0 ? arm : parameter(slot, "mu") * parameter(slot, "radius");
}

void fnd_world_choose_least_speeds(fender_world *world)
{
    fnd_contact_model *model = &world->model;
    const fender_world_def *def = &world->def;
    const bool uniform = def->gravity.kind == FENDER_GRAVITY_UNIFORM;
    const double gravity = uniform ? fender_vec3_length(fender_world_get_gravity(world)) : 0;
    for (int t = 0; t < model->type_count; t++)
        for (int i = 0; i < model->types[t].slot_count; i++) {
            fnd_slot *slot = &model->types[t].slots[i];
            if (!slot->least_speed) continue;
            const bool slides = i == FND_SLOT_FRICTION;
            const double least = slides ? fender_least_stick_speed(def->method, def->step,
                                                                   parameter(slot, "mu_kinetic"), gravity)
                                        : fender_least_rest_rate(def->method, def->step, arm_of(slot),
                                                                 least_gyration(model, t), gravity);
            const double floor = slides ? FENDER_STICK_SPEED_FLOOR : FENDER_REST_RATE_FLOOR;
            fender_field_set(slot->least_speed, slot->parameters, 0, 2 * least > floor ? 2 * least : floor);
        }
}
