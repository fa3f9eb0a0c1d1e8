/* A vehicle on probes over a flat terrain of four facets (M017), built through the public interface. */
#ifndef MORPHEUS_VEHICLE_H
#define MORPHEUS_VEHICLE_H

#include "check.h"
#include "statics.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VEHICLE_LEGS = 6 };

typedef struct vehicle_set_up {
    lander l;
    double mass, inertia, damping, damping_across, stick_speed, step;
    fender_vec3 gravity;
    fender_vec3 legs[VEHICLE_LEGS], directions[VEHICLE_LEGS];
    int leg_count;
    double range;
    bool literal, no_friction, locate;
    fender_integrator_method method;
    fender_body_state state;
    fender_vec3 push_point; /* m, in S */
    double push_rate;       /* N/s to the north; 0: none */
    double slope;           /* rad; the ground rises to the north */
} vehicle_set_up;

typedef struct vehicle {
    fender_world *world;
    fender_body_id body;
    fender_shape_id ground, legs[VEHICLE_LEGS];
} vehicle;

static inline void set_parameter(const fender_law *law, void *parameters, const char *name, double value)
{
    const fender_field *field = fender_field_find(&law->parameters, name);
    assert_non_null(field);
    fender_field_set(field, parameters, 0, value);
}

static inline fender_contact_type_id vehicle_type(fender_world *world, const vehicle_set_up *s)
{
    union {
        double align;
        char bytes[256];
    } normal, friction;
    fender_contact_type_def def = {.size = sizeof(fender_contact_type_def),
                                   .name = "pad_on_soil",
                                   .normal = fender_law_find(NULL, "spring_damper")};
    fender_contact_type_id id;
    (void)fender_field_initialize(&def.normal->parameters, normal.bytes, sizeof normal.bytes, NULL);
    set_parameter(def.normal, normal.bytes, "stiffness", s->l.stiffness);
    set_parameter(def.normal, normal.bytes, "damping", s->damping);
    def.normal_parameters = normal.bytes;
    if (!s->no_friction) {
        def.friction = fender_law_find(NULL, "coulomb_static_kinetic");
        (void)fender_field_initialize(&def.friction->parameters, friction.bytes, sizeof friction.bytes, NULL);
        set_parameter(def.friction, friction.bytes, "mu_static", s->l.mu_static);
        set_parameter(def.friction, friction.bytes, "mu_kinetic", s->l.mu_kinetic);
        set_parameter(def.friction, friction.bytes, "stiffness", s->l.stiffness_across);
        set_parameter(def.friction, friction.bytes, "damping", s->damping_across);
        set_parameter(def.friction, friction.bytes, "stick_speed", s->stick_speed);
        def.friction_parameters = friction.bytes;
    }
    check_ok(fender_contact_type_create(world, &def, &id, &error));
    return id;
}

static inline vehicle vehicle_build(const vehicle_set_up *s)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = s->gravity};
    def.method = s->method;
    def.step = s->step;
    def.locate_events = s->locate;
    fender_error failure = {0};
    vehicle v = {.world = fender_world_create(&env, &def, &failure)};
    assert_non_null(v.world);
    fender_rule_def rule = {
        .size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = vehicle_type(v.world, s)};
    check_ok(fender_rule_create(v.world, &rule, NULL, &error));

    fender_body_def ground = fender_body_def_default(), body = fender_body_def_default();
    fender_body_id ground_id;
    ground.name = "ground";
    ground.motion = FENDER_MOTION_FIXED;
    check_ok(fender_body_create(v.world, &ground, &ground_id, &error));
    double up = 2000 * tan(s->slope);
    fender_vec3 corners[] = {{0, 0, 0}, {2000, 0, 0}, {0, 2000, up}, {-2000, 0, 0}, {0, -2000, -up}};
    int32_t facets[] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1};
    fender_mesh_def mesh = {corners, 5, facets, 4};
    fender_shape_def shape = fender_shape_def_default();
    shape.name = "surface";
    shape.geometry = fender_geometry_mesh(&env, &mesh, &failure);
    assert_non_null(shape.geometry);
    check_ok(fender_shape_create(v.world, ground_id, &shape, &v.ground, &error));
    fender_geometry_release(shape.geometry);

    body.name = "lander";
    body.mass_properties.mass = s->mass;
    body.mass_properties.inertia = fender_mat3_diagonal(s->inertia, s->inertia, s->inertia);
    body.state = s->state;
    check_ok(fender_body_create(v.world, &body, &v.body, &error));
    shape.geometry = (s->literal ? fender_geometry_probe_literal : fender_geometry_probe)(&env, s->range, s->l.cushion,
                                                                                          &failure);
    assert_non_null(shape.geometry);
    for (int i = 0; i < s->leg_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "leg_%d", i + 1);
        fender_vec3 d = s->directions[i], axis = {-d.y, d.x, 0};
        shape.name = name;
        shape.X_SG.p = s->legs[i];
        shape.X_SG.q = fender_quaternion_identity();
        if (fender_vec3_length(axis) > 0.5)
            shape.X_SG.q = (fender_quaternion){sqrt(0.5), sqrt(0.5) * axis.x, sqrt(0.5) * axis.y, 0};
        else if (d.z < 0) shape.X_SG.q = (fender_quaternion){0, 1, 0, 0};
        check_ok(fender_shape_create(v.world, v.body, &shape, &v.legs[i], &error));
    }
    fender_geometry_release(shape.geometry);
    if (s->push_rate != 0) {
        fender_load_def load = fender_load_def_default();
        load.name = "push";
        load.body = v.body;
        load.at_center = false;
        load.point = s->push_point;
        load.force = (fender_signal){.kind = FENDER_SIGNAL_RAMP, .direction = {0, 1, 0}, .rate = s->push_rate};
        check_ok(fender_load_create(v.world, &load, NULL, &error));
    }
    check_ok(fender_world_initialize(v.world, &error));
    return v;
}

/* The lander of the sample morpheus_friction.yaml: legs 1 to 4 in NE, SE, SW, NW. */
static inline vehicle_set_up vehicle_lander(const lander *l)
{
    const double g = 9.80665, a = 0.5 * l->spacing;
    const fender_vec3 legs[] = {{a, a, -l->height}, {a, -a, -l->height}, {-a, -a, -l->height}, {-a, a, -l->height}};
    double quarter = l->weight / g / 4;
    vehicle_set_up s = {.l = *l,
                        .mass = 4 * quarter,
                        .inertia = 1.2 * 4 * quarter,
                        .damping = 0.2 * sqrt(quarter * l->stiffness),
                        .damping_across = 4 * sqrt(quarter * l->stiffness_across),
                        .stick_speed = 1e-4,
                        .step = 4e-4,
                        .gravity = {0, 0, -g},
                        .leg_count = 4,
                        .range = 0.8,
                        .locate = true,
                        .push_rate = 318.93};
    for (int i = 0; i < 4; i++) {
        s.legs[i] = legs[i];
        s.directions[i] = fender_vec3_make(0, 0, -1);
    }
    s.state.attitude = fender_quaternion_identity();
    s.state.position.z = l->height + l->cushion - 0.25 * l->weight / l->stiffness;
    return s;
}

static inline lander vehicle_parameters(void)
{
    lander l = {15231.69, 3.694, 1.3, 0.02, 0, 0, 0.8, 0.3};
    l.stiffness = l.stiffness_across = l.weight / 4 / 0.02;
    return l;
}

/* Forces on the vehicle by all legs [W]. */
static inline fender_vec3 vehicle_ground_force(const vehicle *v)
{
    fender_vec3 sum = {0, 0, 0};
    fender_contact_data c;
    for (int i = 0; i < fender_contact_count(v->world, FENDER_CLOCK_COMMITTED); i++) {
        fender_contact_at(v->world, FENDER_CLOCK_COMMITTED, i, &c);
        sum = fender_vec3_add(sum, c.force);
    }
    return sum;
}

static inline fender_body_data vehicle_data(const vehicle *v)
{
    fender_body_data data;
    fender_body_get(v->world, v->body, FENDER_CLOCK_COMMITTED, &data);
    return data;
}

/* Lean to the north [rad], turn about up. */
static inline double vehicle_lean(const fender_body_data *d) { return -2 * d->attitude.x / d->attitude.w; }
static inline double vehicle_turn(const fender_body_data *d) { return 2 * d->attitude.z / d->attitude.w; }

#endif
