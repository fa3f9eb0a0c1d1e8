/* A sphere, or a cube face down, that flies at a still base and back, under any normal law. */
#ifndef VERIF_RESTITUTION_IMPACT_H
#define VERIF_RESTITUTION_IMPACT_H

#include "check.h"
#include <string.h>

typedef struct impact_parameter {
    const char *name;
    double value;
} impact_parameter;

typedef struct impact_case {
    const char *law;
    impact_parameter parameters[5];
    double radius, mass, speed; /* m, kg, m/s */
    bool two;                   /* against an equal ball that comes as fast, not against a plane */
    bool cube;                  /* of that half width, and its patch, not a sphere */
    fender_integrator_method method;
    double step, tolerance; /* s */
    int most_steps;         /* 0: many */
} impact_case;

typedef struct impact_result {
    double restitution, peak_force, peak_depth, duration, residual; /* 1, N, m, s, J */
} impact_result;

static inline fender_shape_id impact_shape(fender_world *world, fender_body_id body, fender_geometry *geometry)
{
    fender_shape_def def = fender_shape_def_default();
    fender_shape_id id;
    assert_non_null(geometry);
    def.name = "shape";
    def.geometry = geometry;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(geometry);
    return id;
}

static inline impact_result impact_run(const impact_case *c)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = c->method;
    def.step = c->step;
    def.relative_tolerance = c->tolerance;
    def.locate_events = true;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    double start = 3.3 * c->step * c->speed, moment = 0.4 * c->mass * c->radius * c->radius; /* flight before touch */
    fender_body_def body = fender_body_def_default();
    fender_body_id base, ball;
    body.name = "base";
    body.mass_properties = (fender_mass_properties){c->mass, {0, 0, 0}, fender_mat3_diagonal(moment, moment, moment)};
    if (!c->two) body.motion = FENDER_MOTION_FIXED;
    else body.state.velocity.z = c->speed;
    check_ok(fender_body_create(world, &body, &base, &error));
    body.name = "ball";
    body.motion = FENDER_MOTION_DYNAMIC;
    body.state.position.z = (c->two ? 2 : 1) * (c->radius + start);
    body.state.velocity.z = -c->speed;
    check_ok(fender_body_create(world, &body, &ball, &error));
    impact_shape(world, base,
                 c->two ? fender_geometry_sphere(&env, c->radius, NULL) : fender_geometry_plane(&env, NULL));
    const fender_vec3 half = {c->radius, c->radius, c->radius};
    impact_shape(world, ball,
                 c->cube ? fender_geometry_box(&env, half, NULL) : fender_geometry_sphere(&env, c->radius, NULL));
    union {
        double align;
        char bytes[128];
    } p;
    const fender_law *law = fender_law_find(NULL, c->law);
    assert_non_null(law);
    (void)fender_field_initialize(&law->parameters, p.bytes, sizeof p.bytes, NULL);
    for (int i = 0; i < 5 && c->parameters[i].name; i++) {
        const fender_field *field = fender_field_find(&law->parameters, c->parameters[i].name);
        assert_non_null(field);
        fender_field_set(field, p.bytes, 0, c->parameters[i].value);
    }
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "type", .law = law, .law_parameters = p.bytes};
    fender_contact_type_id id;
    fender_rule_id rule;
    check_ok(fender_contact_type_create(world, &type, &id, &error));
    check_ok(fender_rule_create(
        world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = id}, &rule,
        &error));
    check_ok(fender_world_initialize(world, &error));
    impact_result r = {NAN, NAN, NAN, NAN, NAN};
    int most = c->most_steps > 0 ? c->most_steps : 1000000;
    for (int steps = 0; isnan(r.duration) && steps < most; steps++) {
        check_ok(fender_world_step(world, &error));
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            if (events[i].kind != FENDER_EVENT_END) continue;
            double approach = (c->two ? 2 : 1) * c->speed;
            r = (impact_result){-events[i].contact.depth_rate / approach, events[i].contact.peak_force,
                                events[i].contact.peak_depth, events[i].time - events[i].contact.begin_time,
                                events[i].contact.residual};
        }
    }
    fender_world_destroy(world);
    return r;
}

#endif
