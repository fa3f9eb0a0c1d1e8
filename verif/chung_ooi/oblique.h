/* A sphere that comes to a plane or to another ball obliquely or spinning, under the laws `hertz` and `mindlin`. */
#ifndef VERIF_CHUNG_OOI_OBLIQUE_H
#define VERIF_CHUNG_OOI_OBLIQUE_H

#include "material.h"
#include "verified.h"
#include <string.h>

/* Of an impact, all alike, unless a tolerance is given; twice as many move no figure by more than 4e-4. */
enum { OBLIQUE_STEPS = 2000 };

typedef struct oblique_motion {
    double down, along, spin; /* m/s, m/s, rad/s: -z, x, about y; a sphere that rolls along x spins positively */
} oblique_motion;

/* Of the tangential spring: the values of the parameter `history`. */
typedef enum oblique_history { OBLIQUE_RESCALED, OBLIQUE_FORCE, OBLIQUE_DISPLACEMENT } oblique_history;

typedef struct oblique_case {
    material material;
    double radius, mu, restitution;
    oblique_motion ball, base; /* all of the base is 0 where that is immovable */
    double base_radius;        /* m; 0: a plane */
    double base_density;       /* kg/m^3; 0: immovable */
    bool rigid;                /* the base: without compliance */
    material base_material;    /* of a base of another material; without one: as the sphere */
    oblique_history history;
    double shear_modulus; /* Pa; G* of the contact; 0: of the materials */
    fender_integrator_method method;
    double tolerance; /* of an adaptive method; 0: Runge and Kutta's, steps all alike */
} oblique_case;

typedef struct oblique_result {
    oblique_motion ball, base;
    double depth;                                     /* m; the largest */
    double angular_momentum, angular_momentum_before; /* N m s; of both about y through the origin */
    double residual;                                  /* J; of the contact */
    int steps;
} oblique_result;

/* Velocity along x of the sphere's lowest point. */
static inline double surface_speed(oblique_motion m, double radius) { return m.along - radius * m.spin; }

static inline double base_mass(const oblique_case *c)
{
    const material filled = {.density = c->base_density};
    return sphere_mass(&filled, c->base_radius);
}

/* s; of an elastic impact: 2.9433 depth / speed, depth^2.5 = 5 m speed^2 / (4 k), k = 4/3 E* sqrt(R). */
static inline double hertz_duration(const oblique_case *c)
{
    double compliance = (1 - c->material.poisson * c->material.poisson) / c->material.young, other = compliance;
    if (c->base_material.young > 0)
        other = (1 - c->base_material.poisson * c->base_material.poisson) / c->base_material.young;
    double modulus = 1 / (compliance + (c->rigid ? 0 : other));
    double curvature = 1 / c->radius + (c->base_radius > 0 ? 1 / c->base_radius : 0);
    double inverse = 1 / sphere_mass(&c->material, c->radius);
    if (c->base_density > 0) inverse += 1 / base_mass(c);
    double closing = c->ball.down - c->base.down, stiffness = 4.0 / 3 * modulus / sqrt(curvature);
    return 2.9433 * pow(1.25 / inverse * closing * closing / stiffness, 0.4) / closing;
}

static inline void oblique_parameter(const fender_law *law, void *bytes, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, bytes, 0, value);
}

static inline void oblique_type(fender_world *world, const oblique_case *c)
{
    union {
        double align;
        char bytes[128];
    } n, f;
    const fender_law *normal = fender_law_find(NULL, "hertz"), *friction = fender_law_find(NULL, "mindlin");
    assert_true(normal && friction);
    (void)fender_field_initialize(&normal->parameters, n.bytes, sizeof n.bytes, NULL);
    oblique_parameter(normal, n.bytes, "young", c->material.young);
    oblique_parameter(normal, n.bytes, "poisson", c->material.poisson);
    oblique_parameter(normal, n.bytes, "young_b", c->rigid ? (double)INFINITY : c->base_material.young);
    oblique_parameter(normal, n.bytes, "poisson_b", c->base_material.poisson);
    oblique_parameter(normal, n.bytes, "restitution", c->restitution);
    (void)fender_field_initialize(&friction->parameters, f.bytes, sizeof f.bytes, NULL);
    oblique_parameter(friction, f.bytes, "mu", c->mu);
    oblique_parameter(friction, f.bytes, "modulus", c->shear_modulus);
    oblique_parameter(friction, f.bytes, "young", c->shear_modulus > 0 ? 0 : c->material.young);
    oblique_parameter(friction, f.bytes, "poisson", c->material.poisson);
    oblique_parameter(friction, f.bytes, "young_b", c->rigid ? (double)INFINITY : c->base_material.young);
    oblique_parameter(friction, f.bytes, "poisson_b", c->base_material.poisson);
    oblique_parameter(friction, f.bytes, "history", c->history);
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                    .name = "type",
                                    .normal = normal,
                                    .normal_parameters = n.bytes,
                                    .friction = friction,
                                    .friction_parameters = f.bytes};
    fender_contact_type_id id;
    fender_rule_id rule;
    check_ok(fender_contact_type_create(world, &type, &id, &error));
    check_ok(fender_rule_create(
        world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = id}, &rule,
        &error));
}

/* Immovable without a mass. */
static inline fender_body_id oblique_body(fender_world *world, const char *name, fender_geometry *geometry, double mass,
                                          double moment, double height, oblique_motion motion)
{
    fender_body_def def = fender_body_def_default();
    fender_body_id body;
    def.name = name;
    def.motion = mass > 0 ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_FIXED;
    if (mass > 0)
        def.mass_properties = (fender_mass_properties){mass, {0, 0, 0}, fender_mat3_diagonal(moment, moment, moment)};
    def.state.position.z = height;
    def.state.velocity = (fender_vec3){motion.along, 0, -motion.down};
    def.state.angular_velocity.y = motion.spin;
    check_ok(fender_body_create(world, &def, &body, &error));
    fender_shape_def shape = fender_shape_def_default();
    fender_shape_id id;
    assert_non_null(geometry);
    shape.name = "shape";
    shape.geometry = geometry;
    check_ok(fender_shape_create(world, body, &shape, &id, &error));
    fender_geometry_release(geometry);
    return body;
}

static inline oblique_motion oblique_now(const fender_world *world, fender_body_id body)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return (oblique_motion){-data.velocity.z, data.velocity.x, data.angular_velocity.y};
}

/* N m s; about y through the origin, with what the centre's motion has of it. */
static inline double oblique_angular_momentum(const fender_world *world, fender_body_id body)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data.angular_momentum.y + fender_vec3_cross(data.center_position, data.linear_momentum).y;
}

/* Until the shapes part. */
static inline oblique_result oblique_run(const oblique_case *c)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    double closing = c->ball.down - c->base.down;
    def.method = c->tolerance > 0 ? c->method : FENDER_INTEGRATOR_RK4;
    def.step = hertz_duration(c) / (c->tolerance > 0 ? 10 : OBLIQUE_STEPS);
    def.relative_tolerance = c->tolerance;
    def.locate_events = true;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    oblique_type(world, c);
    double mass = sphere_mass(&c->material, c->radius), moment = 0.4 * mass * c->radius * c->radius;
    fender_body_id base = oblique_body(
        world, "base",
        c->base_radius > 0 ? fender_geometry_sphere(&env, c->base_radius, NULL) : fender_geometry_plane(&env, NULL),
        base_mass(c), 0.4 * base_mass(c) * c->base_radius * c->base_radius, -c->base_radius, c->base);
    fender_body_id ball = oblique_body(world, "ball", fender_geometry_sphere(&env, c->radius, NULL), mass, moment,
                                       c->radius + 3.3 * def.step * closing, c->ball); /* flight before touch */
    check_ok(fender_world_initialize(world, &error));
    oblique_result r;
    memset(&r, 0, sizeof r);
    r.angular_momentum_before = oblique_angular_momentum(world, ball) + oblique_angular_momentum(world, base);
    bool parted = false;
    for (int steps = 0; !parted; steps++) {
        assert_true(steps < 4 * OBLIQUE_STEPS);
        check_ok(fender_world_step(world, &error));
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            if (events[i].kind != FENDER_EVENT_END) continue;
            parted = true;
            r.steps = steps + 1;
            r.residual = events[i].contact.residual;
            r.depth = events[i].contact.peak_depth;
        }
    }
    r.ball = oblique_now(world, ball);
    r.base = oblique_now(world, base);
    r.angular_momentum = oblique_angular_momentum(world, ball) + oblique_angular_momentum(world, base);
    fender_world_destroy(world);
    return r;
}

/* How far readings of a curve lie from what was found, as open reproductions of the paper measure it: the sum of the
 * gaps over that of the readings. */
typedef struct oblique_gap {
    double gap, size;
} oblique_gap;

static inline void oblique_gap_add(oblique_gap *sum, double found, double read)
{
    sum->gap += fabs(found - read);
    sum->size += fabs(read);
}

static inline void check_gap(const char *name, const char *quantity, const char *source, oblique_gap sum,
                             double allowed)
{
    check_verified(name, quantity, "1", source, sum.gap / sum.size, 0, allowed);
}

#endif
