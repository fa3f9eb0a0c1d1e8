/* What friction asks of the step: laws that stick by springs or creep by dampers, on bodies that slide and turn. */
#include "friction_advice.h"

#include <math.h>

#include <fender/mass_tree.h>

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

double fnd_app_sideways_mobility(const fender_world *world, fender_shape_id shape)
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

static double gravity_at(const fender_world *world, fender_vec3 position)
{
    const fender_gravity *gravity = &fender_world_get_def(world)->gravity;
    if (gravity->kind == FENDER_GRAVITY_UNIFORM) return fender_vec3_length(gravity->acceleration);
    if (gravity->kind != FENDER_GRAVITY_POINT_MASS) return 0;
    fender_vec3 r = fender_vec3_sub(position, gravity->center);
    return gravity->mu / fender_vec3_dot(r, r);
}

double fnd_app_contact_weight(const fender_world *world, fender_shape_id shape, double reduced_mass)
{
    fender_body_data body;
    if (fender_body_get(world, fender_shape_body(world, shape), FENDER_CLOCK_COMMITTED, &body) != FENDER_STATUS_OK)
        return 0;
    return reduced_mass * gravity_at(world, body.position);
}

double fnd_app_contact_load(const fender_world *world, fender_shape_id a, fender_shape_id b, double reduced_mass,
                            double stiffness)
{
    fender_body_data bodies[2];
    if (fender_body_get(world, fender_shape_body(world, a), FENDER_CLOCK_COMMITTED, &bodies[0]) != FENDER_STATUS_OK ||
        fender_body_get(world, fender_shape_body(world, b), FENDER_CLOCK_COMMITTED, &bodies[1]) != FENDER_STATUS_OK)
        return 0;
    double weight = fnd_app_contact_weight(world, b, reduced_mass);
    fender_vec3 between = fender_vec3_sub(bodies[1].position, bodies[0].position);
    fender_vec3 velocity = fender_vec3_sub(bodies[1].velocity, bodies[0].velocity);
    double distance = fender_vec3_length(between),
           speed = distance > 0 ? -fender_vec3_dot(between, velocity) / distance : 0;
    double impact = speed > 0 && stiffness > 0 ? speed * sqrt(stiffness * reduced_mass) : 0;
    return weight > impact ? weight : impact;
}

fnd_app_friction_advice fnd_app_advise_friction(const fender_contact_type_def *type, double load, double mobility,
                                                fender_integrator_method method)
{
    fnd_app_friction_advice advice = {.load = load, .mass = 1 / mobility};
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
    /* a damper alone is a spring so weak that it plays no part */
    if (frequency < 5e-4 * rate) frequency = 5e-4 * rate;
    advice.largest_step = fender_integrator_stable_step(method, frequency, rate / (2 * frequency));
    return advice;
}

double fnd_app_least_stick_speed(const fender_world *world, const fender_contact_type_def *type, double *stick_speed)
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
