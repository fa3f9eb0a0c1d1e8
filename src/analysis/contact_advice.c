/* What contact types ask of the step: stiffness and damping along the normal, friction across it, figures of an impact.
 */
#include "analysis/contact_advice.h"

#include <fender/sizing.h>
#include <math.h>
#include <stddef.h>

/* ---- along the normal ---- */

static const double pi = 3.14159265358979323846;

double fnd_inverse_mass(const fender_world *world, fender_body_id body)
{
    fender_body_def def;
    fender_mass_properties whole;
    const fender_body_id root = fender_body_root(world, body); /* what hangs together is moved together */
    const bool moves = fender_body_get_def(world, root, &def) == FENDER_STATUS_OK &&
                       def.motion == FENDER_MOTION_DYNAMIC &&
                       fender_body_get_mass(world, root, FENDER_MASS_COMPOSITE, &whole) == FENDER_STATUS_OK;
    return moves ? 1 / whole.mass : 0;
}

double fender_pair_reduced_mass(const fender_world *world, fender_body_id a, fender_body_id b)
{
    return 1 / (fnd_inverse_mass(world, a) + fnd_inverse_mass(world, b));
}

static void stiffness_at(const fender_contact_type_def *type, double depth, double *stiffness, double *damping)
{
    const fender_law *law = type->law != NULL ? type->law : type->normal;
    const void *parameters = type->law != NULL ? type->law_parameters : type->normal_parameters;
    fender_contact_input in = {.depth = depth};
    fender_law_stiffness springs = {0};
    law->stiffness(parameters, &in, &springs);
    *stiffness = springs.normal_stiffness;
    *damping = springs.normal_damping;
}

/* N*s/m; the damping of laws with a restitution goes by the speed of the touch, and stiffness() knows none: here it is
 * that of an impact that goes so deep. 0: the law has none. */
static double damping_of_impact(const fender_contact_type_def *type, double depth, double speed)
{
    const fender_law *law = type->law != NULL ? type->law : type->normal;
    const void *parameters = type->law != NULL ? type->law_parameters : type->normal_parameters;
    _Alignas(max_align_t) char memory[256] = {0};
    if (!fender_field_find(&law->parameters, "least_speed") || !law->begin || law->memory_size > sizeof memory ||
        law->state_count > 0 || (law->kinds & FENDER_LAW_NORMAL) == 0)
        return 0;
    fender_contact_input in = {.depth = depth, .approach_speed = speed, .weight = 1};
    fender_contact_output out[2] = {{.mode = 0}, {.mode = 0}};
    law->begin(parameters, &in, memory);
    for (int i = 0; i < 2; i++) {
        in.depth_rate = (i == 0 ? 1e-3 : -1e-3) * speed;
        law->force(parameters, &in, memory, &out[i]);
    }
    return (out[0].force.z - out[1].force.z) / (2e-3 * speed);
}

fender_step_advice fnd_advise_step_at(const fender_contact_type_def *type, double mass, fender_integrator_method method,
                                      double depth, double stiffness)
{
    fender_step_advice advice = {.mass = mass, .depth = depth};
    const fender_law *law = type->law != NULL ? type->law : type->normal;
    if (law == NULL || law->stiffness == NULL || !isfinite(mass) || !(mass > 0)) return advice;
    double other_stiffness, other_damping;
    stiffness_at(type, advice.depth, &advice.stiffness, &advice.damping);
    stiffness_at(type, 2 * advice.depth, &other_stiffness, &other_damping);
    if (!(advice.stiffness > 0) || !isfinite(advice.stiffness)) return advice;
    advice.depends_on_depth = other_stiffness != advice.stiffness || other_damping != advice.damping;
    const double part = stiffness > 0 ? stiffness / advice.stiffness : 1;
    advice.stiffness *= part;
    advice.damping *= part;
    double omega = sqrt(advice.stiffness / mass);
    advice.known = true;
    advice.frequency = omega / (2 * pi);
    const double steady = advice.damping / (2 * sqrt(advice.stiffness * mass)); /* what has a restitution rebounds */
    advice.contact_time = steady < 1 ? pi / (omega * sqrt(1 - steady * steady)) : INFINITY;
    const double of_impact = part * damping_of_impact(type, advice.depth, advice.depth * omega);
    if (of_impact > advice.damping && isfinite(of_impact)) advice.damping = of_impact;
    advice.damping_ratio = advice.damping / (2 * sqrt(advice.stiffness * mass));
    advice.largest_step = fender_integrator_stable_step(method, omega, advice.damping_ratio);
    return advice;
}

fender_step_advice fender_advise_step(const fender_contact_type_def *type, double mass, fender_integrator_method method)
{
    return fnd_advise_step_at(type, mass, method, 1e-3, 0);
}

/* One rotation of Jacobi's method that clears element (p, q). */
static void jacobi_rotate(fender_mat3 *a, int p, int q)
{
    double apq = a->m[p][q];
    if (apq == 0) return;
    double theta = (a->m[q][q] - a->m[p][p]) / (2 * apq);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double akp = a->m[k][p], akq = a->m[k][q];
        a->m[k][p] = c * akp - s * akq;
        a->m[k][q] = s * akp + c * akq;
    }
    for (int k = 0; k < 3; k++) {
        double apk = a->m[p][k], aqk = a->m[q][k];
        a->m[p][k] = c * apk - s * aqk;
        a->m[q][k] = s * apk + c * aqk;
    }
    a->m[p][q] = a->m[q][p] = 0;
}

fender_vec3 fender_principal_moments(const fender_mat3 *inertia)
{
    fender_mat3 a = *inertia;
    for (int sweep = 0; sweep < 12; sweep++) {
        jacobi_rotate(&a, 0, 1);
        jacobi_rotate(&a, 0, 2);
        jacobi_rotate(&a, 1, 2);
    }
    double v[3] = {a.m[0][0], a.m[1][1], a.m[2][2]};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2 - i; k++)
            if (v[k] > v[k + 1]) {
                double swap = v[k];
                v[k] = v[k + 1];
                v[k + 1] = swap;
            }
    return fender_vec3_make(v[0], v[1], v[2]);
}

/* ---- friction ---- */

/* I^-1 v of a symmetric I, by its columns. */
static fender_vec3 inverse_times(const fender_mat3 *inertia, fender_vec3 v)
{
    const double(*m)[3] = inertia->m;
    fender_vec3 a = fender_vec3_make(m[0][0], m[0][1], m[0][2]), b = fender_vec3_make(m[1][0], m[1][1], m[1][2]);
    fender_vec3 c = fender_vec3_make(m[2][0], m[2][1], m[2][2]), bc = fender_vec3_cross(b, c);
    double whole = fender_vec3_dot(a, bc);
    return fender_vec3_make(fender_vec3_dot(bc, v) / whole, fender_vec3_dot(fender_vec3_cross(c, a), v) / whole,
                            fender_vec3_dot(fender_vec3_cross(a, b), v) / whole);
}

/* 1/kg that turning adds: the largest of (r x t) I^-1 (r x t) over the six middles r of the faces of the shape's box
 * and the three axes t. Inertia and levers are those of the whole that hangs together, at the start. */
static double turning(const fender_body_data *root, const fender_shape_def *shape, const fender_pose *on_root,
                      fender_quaternion body_axes)
{
    fender_pose X = {fender_vec3_add(on_root->p, fender_quaternion_rotate(on_root->q, shape->X_SG.p)),
                     fender_quaternion_product(on_root->q, shape->X_SG.q)};
    fender_box box = fender_geometry_bounds(shape->geometry, &X);
    fender_vec3 middle = fender_vec3_scale(0.5, fender_vec3_add(box.lower, box.upper));
    fender_vec3 half = fender_vec3_scale(0.5, fender_vec3_sub(box.upper, box.lower));
    if (!fender_vec3_is_finite(middle) || !fender_vec3_is_finite(half)) return 0; /* no outermost point */
    double most = 0;
    for (int i = 0; i < 18; i++) {
        double sign = i % 2 ? 1 : -1;
        fender_vec3 r = fender_vec3_sub(middle, root->center_of_mass);
        if (i / 6 == 0) r.x += sign * half.x;
        else if (i / 6 == 1) r.y += sign * half.y;
        else r.z += sign * half.z;
        int axis = i / 2 % 3;
        fender_vec3 t = fender_vec3_make(axis == 0, axis == 1, axis == 2);
        fender_vec3 turn = fender_quaternion_rotate(fender_quaternion_conjugate(body_axes), fender_vec3_cross(r, t));
        double part = fender_vec3_dot(turn, inverse_times(&root->inertia, turn));
        if (part > most) most = part;
    }
    return most;
}

double fender_sideways_mobility(const fender_world *world, fender_shape_id shape)
{
    fender_body_id body = fender_shape_body(world, shape), root = fender_body_root(world, body);
    fender_body_def def;
    fender_body_data data;
    fender_shape_def shape_def;
    if (fender_body_get_def(world, root, &def) != FENDER_STATUS_OK || def.motion != FENDER_MOTION_DYNAMIC ||
        fender_body_get(world, root, FENDER_CLOCK_COMMITTED, &data) != FENDER_STATUS_OK ||
        fender_shape_get_def(world, shape, &shape_def) != FENDER_STATUS_OK)
        return 0;
    fender_pose on_root = fender_pose_identity();
    for (fender_body_id at = body; at.index1 != root.index1; at = fender_body_parent(world, at)) {
        fender_pose step = fender_body_pose_in_parent(world, at);
        on_root = fender_pose_product(step, on_root);
    }
    return 1 / data.mass + turning(&data, &shape_def, &on_root, def.body_axes);
}

fender_vec3 fnd_gravity_at(const fender_world *world, fender_vec3 position)
{
    const fender_gravity *gravity = &fender_world_get_def(world)->gravity;
    if (gravity->kind == FENDER_GRAVITY_UNIFORM) return gravity->acceleration;
    if (gravity->kind != FENDER_GRAVITY_POINT_MASS) return fender_vec3_make(0, 0, 0);
    const fender_vec3 r = fender_vec3_sub(gravity->center, position);
    const double square = fender_vec3_dot(r, r);
    return fender_vec3_scale(gravity->mu / (square * sqrt(square)), r);
}

double fender_contact_weight(const fender_world *world, fender_shape_id shape, double reduced_mass)
{
    fender_body_data body;
    if (fender_body_get(world, fender_shape_body(world, shape), FENDER_CLOCK_COMMITTED, &body) != FENDER_STATUS_OK)
        return 0;
    return reduced_mass * fender_vec3_length(fnd_gravity_at(world, body.position));
}

double fnd_pair_load(double weight, fender_vec3 between, fender_vec3 velocity, double reduced_mass, double stiffness)
{
    double distance = fender_vec3_length(between),
           speed = distance > 0 ? -fender_vec3_dot(between, velocity) / distance : 0;
    double impact = speed > 0 && stiffness > 0 ? speed * sqrt(stiffness * reduced_mass) : 0;
    return weight > impact ? weight : impact;
}

double fender_contact_load(const fender_world *world, fender_shape_id a, fender_shape_id b, double reduced_mass,
                           double stiffness)
{
    fender_body_data bodies[2];
    if (fender_body_get(world, fender_shape_body(world, a), FENDER_CLOCK_COMMITTED, &bodies[0]) != FENDER_STATUS_OK ||
        fender_body_get(world, fender_shape_body(world, b), FENDER_CLOCK_COMMITTED, &bodies[1]) != FENDER_STATUS_OK)
        return 0;
    return fnd_pair_load(fender_contact_weight(world, b, reduced_mass),
                         fender_vec3_sub(bodies[1].position, bodies[0].position),
                         fender_vec3_sub(bodies[1].velocity, bodies[0].velocity), reduced_mass, stiffness);
}

/* A decay alone is that of a damper with a spring so weak that it plays no part: frequency over the rate of decay. */
#define WEAKEST 5e-4

fender_friction_advice fender_advise_friction(const fender_contact_type_def *type, double load, double mobility,
                                              fender_integrator_method method)
{
    fender_friction_advice advice = {.load = load, .mass = 1 / mobility};
    const fender_law *law = type->law != NULL ? type->law : type->friction;
    const void *parameters = type->law != NULL ? type->law_parameters : type->friction_parameters;
    if (law == NULL || law->stiffness == NULL || !(mobility > 0)) return advice;
    fender_contact_input in = {.depth = 1e-3, .normal_force = load};
    fender_law_stiffness springs = {0};
    law->stiffness(parameters, &in, &springs);
    advice.stiffness = springs.tangential_stiffness;
    advice.damping = springs.tangential_damping;
    double frequency = sqrt(advice.stiffness * mobility), rate = advice.damping * mobility;
    if (!isfinite(frequency) || !isfinite(rate) || !(frequency + rate > 0)) return advice;
    advice.known = true;
    if (frequency < WEAKEST * rate) frequency = WEAKEST * rate;
    advice.largest_step = fender_integrator_stable_step(method, frequency, rate / (2 * frequency));
    return advice;
}

double fnd_sliding_step(const fender_contact_type_def *type, double speed, fender_integrator_method method)
{
    const fender_law *law = type->friction;
    const fender_field *amplitude = law != NULL ? fender_field_find(&law->parameters, "amplitude") : NULL;
    if (amplitude == NULL || !(speed > 0)) return INFINITY;
    const double rate = speed / fender_field_get(amplitude, type->friction_parameters, 0);
    const double frequency = WEAKEST * rate;
    return isfinite(rate) ? fender_integrator_stable_step(method, frequency, rate / (2 * frequency)) : INFINITY;
}

double fender_advise_stick_speed(const fender_world *world, const fender_contact_type_def *type, double *stick_speed)
{
    const fender_world_def *def = fender_world_get_def(world);
    const fender_law *law = type->friction;
    const fender_field *mu = law != NULL ? fender_field_find(&law->parameters, "mu_kinetic") : NULL;
    const fender_field *speed = law != NULL ? fender_field_find(&law->parameters, "stick_speed") : NULL;
    if (mu == NULL || speed == NULL || def->gravity.kind != FENDER_GRAVITY_UNIFORM) return 0;
    *stick_speed = fender_field_get(speed, type->friction_parameters, 0);
    return fender_least_stick_speed(def->method, def->step, fender_field_get(mu, type->friction_parameters, 0),
                                    fender_vec3_length(def->gravity.acceleration));
}

/* ---- figures of a known contact ---- */

fender_contact_figures fender_contact_figures_of(const fender_contact_sizing *s)
{
    const double m = s->mass, k = s->stiffness, v = s->speed, error = isnan(s->error) ? 0.01 : s->error;
    fender_contact_figures f = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double slope = k, ratio = 0; /* of the spring and the damper that the step is for */
    if (!isnan(s->weight)) f.static_sink = pow(s->weight / k, 1 / s->exponent);
    if (s->power) {
        if (!isnan(v)) f.restitution = fender_hunt_crossley_restitution(s->damping * v);
        if (!isnan(v) && !isnan(m)) {
            f.peak_depth = fender_power_law_depth(m, k, s->exponent, s->damping, v);
            f.contact_time = fender_power_law_duration(m, k, s->exponent, v);
        }
        /* the damper grows with the force, k d^n D */
        slope = s->exponent * k * pow(f.peak_depth, s->exponent - 1);
        ratio = fender_damping_ratio(s->damping * k * pow(f.peak_depth, s->exponent), m, slope);
    } else if (!isnan(m)) {
        const fender_impact impact = fender_linear_impact(m, k, s->damping, isnan(v) ? 1 : v, s->clipped);
        f.damping_ratio = ratio = fender_damping_ratio(s->damping, m, k);
        f.restitution = impact.restitution;
        f.contact_time = impact.duration;
        if (!isnan(v)) f.peak_depth = impact.peak_depth, f.peak_force = impact.peak_force;
    }
    const double omega = sqrt(slope / m);
    if (isnan(omega)) return f;
    f.natural_frequency = omega / (2 * pi);
    f.largest_step = fender_integrator_stable_step(s->method, omega, ratio);
    f.good_step = fender_integrator_sized_step(s->method, omega, ratio, s->located || s->power, error);
    if (!s->power) return f;
    /* at touch such a damper does not act yet; at a tenth of the depth, it acts all but at once */
    const double onset = ratio * pow(0.1, s->exponent);
    const double touch = fender_integrator_sized_step(s->method, omega, onset, s->located, error);
    if (touch < f.good_step) f.good_step = touch;
    return f;
}
