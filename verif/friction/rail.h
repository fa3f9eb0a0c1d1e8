/* A block on a rail: a sphere of huge moment of inertia, so that it cannot roll, on a long capsule whose axis is z. Its
 * normal is x exactly wherever it slides, so that sliding is a problem in one dimension. */
#ifndef VERIF_RAIL_H
#define VERIF_RAIL_H

#include "check.h"
#include <fender/fender.h>
#include <string.h>

enum { RAIL_EVENTS = 4000 };
static const double RAIL_RADIUS = 0.5, RAIL_STIFFNESS = 1e6; /* of both shapes, m; of the normal spring, N/m */

typedef struct rail_set_up {
    double mass, normal_force; /* kg, N: presses the block to the rail, constant */
    double along;              /* m/s^2 along the rail, on the block */
    double ramp, ramp_start;   /* N/s along the rail from a time on */
    double spring;             /* N/m to a fixed place, slack where the block begins */
    double speed, rail_speed;  /* m/s at the start, along the rail */
    double mu_static, mu_kinetic, kt, ct, stick_speed;
    bool here;
    fender_integrator_method method;
    double step, tolerance;
    bool locate_events;
} rail_set_up;

typedef struct rail {
    fender_world *world;
    fender_body_id block, base;
    fender_shape_id shapes[2];
    rail_set_up set_up;
    fender_event events[RAIL_EVENTS];
    int event_count;
} rail;

static inline rail_set_up rail_default(void)
{
    return (rail_set_up){.mass = 1,
                         .normal_force = 10,
                         .mu_static = 0.4,
                         .mu_kinetic = 0.3,
                         .kt = 1e4,
                         .stick_speed = 1e-4,
                         .method = FENDER_INTEGRATOR_RK4,
                         .step = 1e-3,
                         .locate_events = true};
}

/* Where the normal spring bears the block. */
static inline double rail_height(const rail_set_up *s) { return 2 * RAIL_RADIUS - s->normal_force / RAIL_STIFFNESS; }

static inline void rail_parameter(const fender_law *law, void *object, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, object, 0, value);
}

static inline fender_shape_id rail_shape(fender_world *world, fender_body_id body, fender_geometry *geometry)
{
    fender_shape_def def = fender_shape_def_default();
    def.name = "shape";
    def.geometry = geometry;
    fender_shape_id id;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(geometry);
    return id;
}

/* A link along the rail from a fixed point ten metres away. */
static inline void rail_hold(rail *r)
{
    fender_body_def wall = fender_body_def_default();
    fender_body_id id;
    wall.name = "wall";
    wall.motion = FENDER_MOTION_FIXED;
    wall.state.position.x = rail_height(&r->set_up);
    wall.state.position.z = -10;
    check_ok(fender_body_create(r->world, &wall, &id, &error));
    fender_link_def link = fender_link_def_default();
    fender_link_spring_damper spring = {.stiffness = r->set_up.spring, .free_length = 10, .limit = INFINITY};
    check_ok(fender_point_create(r->world, id, "anchor", fender_pose_identity(), &link.a, &error));
    check_ok(fender_point_create(r->world, r->block, "centre", fender_pose_identity(), &link.b, &error));
    link.name = "spring";
    link.parameters = &spring;
    fender_link_id link_id;
    check_ok(fender_link_create(r->world, &link, &link_id, &error));
}

static inline rail rail_build(const rail_set_up *s)
{
    rail r;
    memset(&r, 0, sizeof r);
    r.set_up = *s;
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = s->method;
    def.step = s->step;
    def.relative_tolerance = s->tolerance;
    def.locate_events = s->locate_events;
    def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {-s->normal_force / s->mass, 0, s->along}, 0, {0, 0, 0}};
    fender_error none = {0};
    r.world = fender_world_create(&env, &def, &none);
    assert_non_null(r.world);

    fender_body_def body = fender_body_def_default();
    body.name = "base";
    body.motion = s->rail_speed != 0 ? FENDER_MOTION_PRESCRIBED : FENDER_MOTION_FIXED;
    body.state.velocity.z = s->rail_speed;
    check_ok(fender_body_create(r.world, &body, &r.base, &error));
    body = fender_body_def_default();
    body.name = "block";
    body.mass_properties.mass = s->mass;
    body.mass_properties.inertia = fender_mat3_diagonal(1e20, 1e20, 1e20);
    body.state.position.x = rail_height(s);
    body.state.velocity.z = s->speed;
    check_ok(fender_body_create(r.world, &body, &r.block, &error));
    r.shapes[0] = rail_shape(r.world, r.base, fender_geometry_capsule(&env, RAIL_RADIUS, 1000, &none));
    r.shapes[1] = rail_shape(r.world, r.block, fender_geometry_sphere(&env, RAIL_RADIUS, &none));

    const fender_law *normal = fender_law_find(NULL, "spring_damper");
    const fender_law *friction = fender_law_find(NULL, "coulomb_static_kinetic");
    union {
        double align;
        char bytes[128];
    } n, f;
    (void)fender_field_initialize(&normal->parameters, n.bytes, sizeof n.bytes, NULL);
    rail_parameter(normal, n.bytes, "stiffness", RAIL_STIFFNESS);
    rail_parameter(normal, n.bytes, "damping", 0.5 * sqrt(RAIL_STIFFNESS * s->mass)); /* or it rings by rounding */
    (void)fender_field_initialize(&friction->parameters, f.bytes, sizeof f.bytes, NULL);
    rail_parameter(friction, f.bytes, "mu_static", s->mu_static);
    rail_parameter(friction, f.bytes, "mu_kinetic", s->mu_kinetic);
    rail_parameter(friction, f.bytes, "stiffness", s->kt);
    rail_parameter(friction, f.bytes, "damping", s->ct);
    rail_parameter(friction, f.bytes, "stick_speed", s->stick_speed);
    rail_parameter(friction, f.bytes, "restick", s->here);
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                    .name = "type",
                                    .normal = normal,
                                    .normal_parameters = n.bytes,
                                    .friction = friction,
                                    .friction_parameters = f.bytes};
    fender_contact_type_id id;
    check_ok(fender_contact_type_create(r.world, &type, &id, &error));
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = id};
    fender_rule_id rule_id;
    check_ok(fender_rule_create(r.world, &rule, &rule_id, &error));
    if (s->ramp != 0) {
        fender_load_def load = fender_load_def_default();
        load.name = "pull";
        load.body = r.block;
        load.force = (fender_signal){
            .kind = FENDER_SIGNAL_RAMP, .direction = {0, 0, 1}, .rate = s->ramp, .start = s->ramp_start};
        fender_load_id load_id;
        check_ok(fender_load_create(r.world, &load, &load_id, &error));
    }
    if (s->spring != 0) rail_hold(&r);
    check_ok(fender_world_initialize(r.world, &error));
    return r;
}

static inline void rail_take_events(rail *r)
{
    int count;
    const fender_event *events = fender_world_events(r->world, &count);
    for (int i = 0; i < count && r->event_count < RAIL_EVENTS; i++) r->events[r->event_count++] = events[i];
}

static inline void rail_step(rail *r)
{
    check_ok(fender_world_step(r->world, &error));
    rail_take_events(r);
}

static inline fender_body_data rail_block(const rail *r)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(r->world, r->block, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static inline fender_contact_data rail_contact(const rail *r)
{
    fender_contact_data data;
    assert_int_equal(fender_contact_between(r->world, r->shapes[0], r->shapes[1], &data), FENDER_STATUS_OK);
    return data;
}

#endif
