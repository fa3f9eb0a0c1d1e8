/* Two bodies that move as a script says, whatever pushes them, with one shape each: what their contact's signals must
 * be follows from the poses in closed form. Nothing here calls the collision code. */
#ifndef VERIF_SCRIPTED_H
#define VERIF_SCRIPTED_H

#include "check.h"
#include "random_numbers.h"
#include <string.h>

enum { SCRIPTED_POINTS = 12 };
static const double SCRIPTED_STEP = 1e-3, SCRIPTED_MASS = 1e16; /* s, kg: forces turn nothing that doubles can see */
/* Of the contact law: smooth_spring_damper and smooth_stick_slip. */
static const double LAW_K = 1e4, LAW_B = 200, LAW_W = 5e-3, LAW_STATIC = 0.5, LAW_DYNAMIC = 0.3, LAW_CRITICAL = 0.05;

/* Motion of one body: constant velocity and spin about the origin of its structure frame; G in S. */
typedef struct script {
    fender_vec3 p, v, w; /* W; w in world axes: the inertia is that of a sphere */
    fender_quaternion q;
    fender_pose X_SG;
} script;

static inline script script_random(random_stream *r, double reach, double speed, double spin)
{
    script s;
    s.p = random_in_ball(r, reach);
    s.v = random_in_ball(r, speed);
    s.w = random_in_ball(r, spin);
    s.q = random_rotation(r);
    s.X_SG.p = random_in_ball(r, reach);
    s.X_SG.q = random_rotation(r);
    return s;
}

static inline fender_pose script_pose(const script *s, double t)
{
    double angle = fender_vec3_length(s->w) * t, part = angle > 0 ? sin(angle / 2) / fender_vec3_length(s->w) : 0;
    fender_quaternion turn = {cos(angle / 2), part * s->w.x, part * s->w.y, part * s->w.z};
    fender_pose X_WS = {fender_vec3_add_scaled(s->p, t, s->v), fender_quaternion_product(turn, s->q)};
    return fender_pose_product(X_WS, s->X_SG);
}

static inline fender_vec3 script_velocity(const script *s, double t, fender_vec3 point)
{
    fender_vec3 origin = fender_vec3_add_scaled(s->p, t, s->v);
    return fender_vec3_add(s->v, fender_vec3_cross(s->w, fender_vec3_sub(point, origin)));
}

/* Puts G of the script where it is wanted at time 0. */
static inline void script_place(script *s, fender_pose X_WG)
{
    fender_pose X_WS = fender_pose_product(X_WG, fender_pose_inverse(s->X_SG));
    s->p = X_WS.p;
    s->q = X_WS.q;
}

typedef struct scripted {
    fender_world *world;
    fender_shape_id base, follower;
    fender_contact_type_id type;
} scripted;

static inline fender_shape_id scripted_body(fender_world *world, const char *name, const script *s,
                                            fender_geometry *geometry)
{
    fender_body_def body = fender_body_def_default();
    fender_body_id id;
    body.name = name;
    body.mass_properties.mass = SCRIPTED_MASS;
    body.mass_properties.inertia = fender_mat3_diagonal(SCRIPTED_MASS, SCRIPTED_MASS, SCRIPTED_MASS);
    body.state.position = s->p;
    body.state.attitude = s->q;
    body.state.velocity = s->v;
    body.state.angular_velocity = fender_quaternion_rotate(fender_quaternion_conjugate(s->q), s->w);
    check_ok(fender_body_create(world, &body, &id, &error));
    fender_shape_def shape = fender_shape_def_default();
    shape.name = "shape";
    shape.geometry = geometry;
    shape.X_SG = s->X_SG;
    fender_shape_id shape_id;
    check_ok(fender_shape_create(world, id, &shape, &shape_id, &error));
    return shape_id;
}

static inline void scripted_parameter(const fender_law *law, void *object, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, object, 0, value);
}

/* `swapped`: the follower is created first, and is the pair's a. */
static inline scripted scripted_build(const script *base, fender_geometry *base_geometry, const script *follower,
                                      fender_geometry *follower_geometry, bool swapped, fender_contact_points points)
{
    scripted s;
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_error none = {0};
    def.step = SCRIPTED_STEP;
    def.depth_limit = 0;
    s.world = fender_world_create(&env, &def, &none);
    assert_non_null(s.world);
    if (!swapped) s.base = scripted_body(s.world, "base", base, base_geometry);
    s.follower = scripted_body(s.world, "follower", follower, follower_geometry);
    if (swapped) s.base = scripted_body(s.world, "base", base, base_geometry);
    const fender_law *normal = fender_law_find(NULL, "smooth_spring_damper");
    const fender_law *friction = fender_law_find(NULL, "smooth_stick_slip");
    union {
        double align;
        char bytes[64];
    } n, f;
    assert_true(normal->parameters.size <= sizeof n && friction->parameters.size <= sizeof f);
    (void)fender_field_initialize(&normal->parameters, n.bytes, sizeof n.bytes, NULL);
    (void)fender_field_initialize(&friction->parameters, f.bytes, sizeof f.bytes, NULL);
    scripted_parameter(normal, n.bytes, "stiffness", LAW_K);
    scripted_parameter(normal, n.bytes, "damping", LAW_B);
    scripted_parameter(normal, n.bytes, "transition_width", LAW_W);
    scripted_parameter(friction, f.bytes, "mu_static", LAW_STATIC);
    scripted_parameter(friction, f.bytes, "mu_dynamic", LAW_DYNAMIC);
    scripted_parameter(friction, f.bytes, "critical_velocity", LAW_CRITICAL);
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                    .name = "type",
                                    .normal = normal,
                                    .normal_parameters = n.bytes,
                                    .friction = friction,
                                    .friction_parameters = f.bytes,
                                    .points = points};
    check_ok(fender_contact_type_create(s.world, &type, &s.type, &error));
    fender_rule_id rule;
    check_ok(fender_rule_create(
        s.world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = s.type}, &rule,
        &error));
    check_ok(fender_world_initialize(s.world, &error));
    return s;
}

/* What the law gives: from S048 and the curve of smooth_stick_slip, written out once more. */
static inline double law_normal(double depth, double rate)
{
    double x = depth / LAW_W, s = x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x), f = s * (LAW_K * depth + LAW_B * rate);
    return f > 0 ? f : 0;
}
static inline double law_friction(double speed)
{
    double x = speed / LAW_CRITICAL;
    if (x < 1) return LAW_STATIC * (3 * x - x * x * x) / 2;
    return LAW_DYNAMIC + (LAW_STATIC - LAW_DYNAMIC) / (1 + (x - 1) * (x - 1));
}

/* How two solids lie, from elsewhere: unit normal out of the base, signed distance, the middle of the overlap; all W.
 */
typedef struct closed_form {
    fender_vec3 normal, middle;
    double distance;
} closed_form;

/* What pairs may be off by: `distance` [m]; `place` [m], of the contact point. */
typedef struct tolerance {
    double distance, place;
} tolerance;
static const tolerance TO_ROUNDING = {1e-10, 1e-10}; /* of poses after some hundred steps, times the arms */

static inline void check_same(double actual, double expected, double allowed, double *worst)
{
    *worst = larger(*worst, fabs(actual - expected) / allowed);
    check_near(actual, expected, allowed);
}

/* All eleven signals of `s` at time t, for the order of base and follower that it was asked in. */
static inline void check_signals(const fender_contact_signals *s, const closed_form *form, const script *base,
                                 const script *follower, double t, tolerance allowed, double *worst)
{
    /* speeds at the place: spins of up to 3 rad/s of each; forces: slopes of the law */
    double depth = -form->distance, speed = 10 * allowed.place;
    double force = 2 * LAW_K * allowed.distance + LAW_B * speed;
    check_same(s->separation_distance, form->distance, allowed.distance, worst);      /* S064 */
    check_same(s->penetration_depth, depth > 0 ? depth : 0, allowed.distance, worst); /* S063 */
    if (fabs(depth) > allowed.distance) assert_int_equal(s->contact, depth > 0);      /* S062 */
    if (!s->contact) {                                                                /* S073 */
        fender_contact_signals zero = {0};
        zero.penetration_depth = s->penetration_depth;
        zero.separation_distance = s->separation_distance;
        zero.base_rotation = zero.follower_rotation = fender_mat3_identity();
        assert_true(s->normal_force == 0 && s->friction_force == 0 && s->normal_velocity == 0);
        assert_true(s->tangential_velocity.x == 0 && s->tangential_velocity.y == 0);
        check_vector(s->base_translation, zero.base_translation, 0);
        check_vector(s->follower_translation, zero.base_translation, 0);
        assert_memory_equal(&s->base_rotation, &zero.base_rotation, sizeof zero.base_rotation);
        assert_memory_equal(&s->follower_rotation, &zero.base_rotation, sizeof zero.base_rotation);
        return;
    }
    fender_pose X_WA = script_pose(base, t), X_WB = script_pose(follower, t);
    fender_vec3 velocity = fender_vec3_sub(script_velocity(follower, t, form->middle),
                                           script_velocity(base, t, form->middle));
    double along = fender_vec3_dot(velocity, form->normal);
    double across = fender_vec3_length(fender_vec3_add_scaled(velocity, -along, form->normal));
    double push = law_normal(depth, -along);

    check_same(s->normal_force, push, force, worst); /* S065 */
    check_same(s->friction_force, law_friction(across) * push, force + 1.5 * LAW_STATIC / LAW_CRITICAL * push * speed,
               worst);                                   /* S066 */
    check_same(s->normal_velocity, along, speed, worst); /* S067 */
    /* S069, S071: rotations, z out of the base, the same frame in both; S068 through it */
    fender_mat3 R_WA = fender_quaternion_matrix(X_WA.q), R_WB = fender_quaternion_matrix(X_WB.q);
    fender_mat3 R_WC = fender_mat3_product(&R_WA, &s->base_rotation);
    fender_mat3 again = fender_mat3_product(&R_WB, &s->follower_rotation);
    fender_mat3 transposed = fender_mat3_transpose(&R_WC), square = fender_mat3_product(&transposed, &R_WC);
    fender_mat3 one = fender_mat3_identity();
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            check_same(R_WC.m[i][k], again.m[i][k], 1e-10, worst);
            check_same(square.m[i][k], one.m[i][k], 1e-10, worst);
        }
    fender_vec3 x = fender_mat3_column(&R_WC, 0), y = fender_mat3_column(&R_WC, 1), z = fender_mat3_column(&R_WC, 2);
    check_vector(z, form->normal, allowed.place);
    check_vector(fender_vec3_cross(x, y), z, 1e-10); /* right-handed */
    check_same(s->tangential_velocity.x, fender_vec3_dot(velocity, x), speed, worst);
    check_same(s->tangential_velocity.y, fender_vec3_dot(velocity, y), speed, worst);
    /* S070, S072 */
    fender_vec3 in_base = fender_mat3_transpose_times(&R_WA, fender_vec3_sub(form->middle, X_WA.p));
    fender_vec3 in_follower = fender_mat3_transpose_times(&R_WB, fender_vec3_sub(form->middle, X_WB.p));
    *worst = larger(*worst, fender_vec3_length(fender_vec3_sub(in_base, s->base_translation)) / allowed.place);
    check_vector(s->base_translation, in_base, allowed.place);
    check_vector(s->follower_translation, in_follower, allowed.place);
}

static inline closed_form turned_round(closed_form form)
{
    form.normal = fender_vec3_negate(form.normal);
    return form;
}

#endif
