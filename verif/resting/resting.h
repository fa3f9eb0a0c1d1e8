/* A body on a base: level or tilted, damped or not, with or without friction that sticks. */
#ifndef VERIF_RESTING_H
#define VERIF_RESTING_H

#include "check.h"

typedef struct resting_set_up {
    fender_geometry *base, *solid; /* taken over; the base's top is at z = 0 of its frame, less `base_top` */
    fender_geometry *second;       /* NULL: none; another shape of the solid's body, taken over */
    fender_vec3 second_place;      /* of its origin, from that of the first */
    double base_top;
    double tilt;     /* rad, of the base about x */
    double height;   /* m; of the solid's origin above the base's top */
    double lean;     /* rad; of the solid about x, beside the base's tilt */
    fender_vec3 off; /* rad; small turn beside that */
    double stiffness, damping_ratio;
    double mu; /* 0: none */
    fender_integrator_method method;
    double step, tolerance;
    bool locate_events;
    double mass;
    int more;                               /* solids on top of the first, alike; the last is looked at */
    double spacing;                         /* m; from one to the next */
    fender_vec3 velocity, angular_velocity; /* in axes of the base; in axes of the solid */
} resting_set_up;

typedef struct resting {
    fender_world *world;
    fender_body_id body;
    fender_shape_id shapes[2];
} resting;

static inline resting_set_up resting_default(fender_geometry *base, fender_geometry *solid)
{
    assert_non_null(base);
    assert_non_null(solid);
    return (resting_set_up){.base = base,
                            .solid = solid,
                            .stiffness = 1e5,
                            .damping_ratio = 0.5,
                            .mu = 0.5,
                            .method = FENDER_INTEGRATOR_RK4,
                            .step = 1e-3,
                            .mass = 1};
}

static inline void resting_parameter(const fender_law *law, void *object, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, object, 0, value);
}

static inline fender_quaternion resting_turn(fender_vec3 v)
{
    double angle = fender_vec3_length(v), s = angle > 0 ? sin(0.5 * angle) / angle : 0;
    return (fender_quaternion){cos(0.5 * angle), s * v.x, s * v.y, s * v.z};
}

static inline fender_shape_id resting_shape_at(fender_world *world, fender_body_id body, const char *name,
                                               fender_geometry *geometry, fender_vec3 place)
{
    fender_shape_def shape = fender_shape_def_default();
    shape.name = name;
    shape.X_SG.p = place;
    shape.geometry = geometry;
    fender_shape_id id;
    check_ok(fender_shape_create(world, body, &shape, &id, &error));
    return id;
}

static inline fender_shape_id resting_shape(fender_world *world, fender_body_id body, fender_geometry *geometry)
{
    return resting_shape_at(world, body, "shape", geometry, fender_vec3_make(0, 0, 0));
}

static inline resting resting_build(resting_set_up *s)
{
    resting r = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = s->method;
    def.step = s->step;
    def.relative_tolerance = s->tolerance;
    def.locate_events = s->locate_events;
    def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -9.81}, 0, {0, 0, 0}};
    fender_error none = {0};
    r.world = fender_world_create(&env, &def, &none);
    assert_non_null(r.world);

    fender_quaternion tilt = resting_turn(fender_vec3_make(s->tilt, 0, 0));
    fender_body_def body = fender_body_def_default();
    fender_body_id base;
    body.name = "base";
    body.motion = FENDER_MOTION_FIXED;
    body.state.attitude = tilt;
    check_ok(fender_body_create(r.world, &body, &base, &error));
    body = fender_body_def_default();
    fender_mass_properties unit = fender_geometry_mass_properties(s->solid, 1);
    if (unit.mass > 0) {
        body.mass_properties = fender_geometry_mass_properties(s->solid, s->mass / unit.mass);
    } else { /* a disk */
        double r2 = fender_geometry_radius(s->solid) * fender_geometry_radius(s->solid) * s->mass / 4;
        body.mass_properties.mass = s->mass;
        body.mass_properties.inertia = fender_mat3_diagonal(r2, r2, 2 * r2);
    }
    fender_vec3 up = fender_quaternion_rotate(tilt, fender_vec3_make(0, 0, 1));
    fender_quaternion lean = fender_quaternion_product(resting_turn(s->off),
                                                       resting_turn(fender_vec3_make(s->lean, 0, 0)));
    body.state.attitude = fender_quaternion_product(tilt, lean);
    body.state.velocity = fender_quaternion_rotate(tilt, s->velocity);
    body.state.angular_velocity = s->angular_velocity;
    r.shapes[0] = resting_shape(r.world, base, s->base);
    for (int i = 0; i <= s->more; i++) {
        char name[16];
        snprintf(name, sizeof name, "solid%d", i);
        body.name = name;
        body.state.position = fender_vec3_scale(s->base_top + s->height + i * s->spacing, up);
        check_ok(fender_body_create(r.world, &body, &r.body, &error));
        r.shapes[1] = resting_shape(r.world, r.body, s->solid);
        if (s->second) resting_shape_at(r.world, r.body, "second", s->second, s->second_place);
    }
    fender_geometry_release(s->base);
    fender_geometry_release(s->solid);
    fender_geometry_release(s->second);

    const fender_law *normal = fender_law_find(NULL, "spring_damper");
    const fender_law *friction = fender_law_find(NULL, "coulomb_static_kinetic");
    union {
        double align;
        char bytes[256];
    } n, f;
    (void)fender_field_initialize(&normal->parameters, n.bytes, sizeof n.bytes, NULL);
    resting_parameter(normal, n.bytes, "stiffness", s->stiffness);
    resting_parameter(normal, n.bytes, "damping", 2 * s->damping_ratio * sqrt(s->stiffness * s->mass));
    (void)fender_field_initialize(&friction->parameters, f.bytes, sizeof f.bytes, NULL);
    if (s->mu > 0) {
        resting_parameter(friction, f.bytes, "mu_static", s->mu);
        resting_parameter(friction, f.bytes, "mu_kinetic", s->mu);
        resting_parameter(friction, f.bytes, "stiffness", 0.5 * s->stiffness);
        resting_parameter(friction, f.bytes, "damping", sqrt(s->stiffness * s->mass));
        resting_parameter(friction, f.bytes, "stick_speed", 1e-3);
    }
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "type", .normal = normal, .normal_parameters = n.bytes};
    if (s->mu > 0) {
        type.friction = friction;
        type.friction_parameters = f.bytes;
    }
    fender_contact_type_id id;
    check_ok(fender_contact_type_create(r.world, &type, &id, &error));
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = id};
    fender_rule_id rule_id;
    check_ok(fender_rule_create(r.world, &rule, &rule_id, &error));
    check_ok(fender_world_initialize(r.world, &error));
    return r;
}

static inline fender_body_data resting_body(const resting *r)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(r->world, r->body, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

/* Kinetic, of weight, in contacts. */
static inline double resting_energy(const resting *r)
{
    fender_ledger l;
    fender_world_ledger(r->world, &l);
    return l.kinetic + l.gravitational + l.stored;
}

#endif
