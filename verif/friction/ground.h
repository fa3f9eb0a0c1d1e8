/* A sphere, or another solid, on a plane: laws by name in every slot, gravity that may be tilted, loads, a moving
 * surface. */
#ifndef VERIF_GROUND_H
#define VERIF_GROUND_H

#include "check.h"
#include <fender/fender.h>
#include <string.h>

typedef struct law_choice {
    const char *law; /* NULL: none */
    struct {
        const char *name;
        double value;
    } parameters[8];
} law_choice;

typedef struct ground_set_up {
    double mass, radius, moment;             /* kg, m, kg m^2 */
    fender_geometry *solid;                  /* instead of the sphere, taken over by ground_build; NULL: the sphere */
    fender_mass_properties solid_properties; /* its own, but for the mass */
    fender_vec3 place;                       /* m; of its origin */
    fender_quaternion attitude;
    fender_contact_points points;
    double ceiling; /* m; another plane, above; 0: none */
    law_choice whole, normal, friction, rolling, twisting;
    fender_vec3 velocity, spin, gravity;
    fender_vec3 along;         /* of a law that has a direction */
    fender_vec3 force, torque; /* N, N m; on the sphere, world axes, at its centre */
    bool ramp;                 /* they are rates, 1/s, from nothing on */
    double depth;              /* m; at the start */
    double turn;               /* rad; of the plane about its normal */
    fender_vec3 belt, turning; /* m/s, rad/s; of the plane's surface */
    double spring;             /* N/m along x to a fixed place, slack where the sphere begins */
    fender_integrator_method method;
    double step, tolerance;
    bool locate_events;
} ground_set_up;

typedef struct ground {
    fender_world *world;
    fender_body_id ball;
    fender_shape_id shapes[2];
    fender_load_id load;
} ground;

typedef union law_room {
    double align;
    char bytes[256];
} law_room;

static inline const fender_law *law_chosen(const law_choice *choice, law_room *room)
{
    if (!choice->law) return NULL;
    const fender_law *law = fender_law_find(NULL, choice->law);
    assert_non_null(law);
    assert_true(law->parameters.size <= sizeof room->bytes);
    memset(room, 0, sizeof *room);
    (void)fender_field_initialize(&law->parameters, room->bytes, sizeof room->bytes, NULL);
    for (int i = 0; i < 8 && choice->parameters[i].name; i++) {
        const fender_field *field = fender_field_find(&law->parameters, choice->parameters[i].name);
        assert_non_null(field);
        fender_field_set(field, room->bytes, 0, choice->parameters[i].value);
    }
    return law;
}

static const double GROUND_STIFFNESS = 1e6, GROUND_DAMPING = 800; /* N/m, N s/m */

/* An even ball of 1 kg and 0.1 m that weighs 9.81 N. */
static inline ground_set_up ground_default(void)
{
    ground_set_up s;
    memset(&s, 0, sizeof s);
    s.mass = 1;
    s.radius = 0.1;
    s.moment = 0.4 * s.mass * s.radius * s.radius;
    s.normal = (law_choice){"spring_damper", {{"stiffness", GROUND_STIFFNESS}, {"damping", GROUND_DAMPING}}};
    s.attitude = fender_quaternion_identity();
    s.gravity = fender_vec3_make(0, 0, -9.81);
    s.depth = 9.81 / GROUND_STIFFNESS;
    s.method = FENDER_INTEGRATOR_RK4;
    s.step = 1e-4;
    s.tolerance = 1e-11;
    s.locate_events = true;
    return s;
}

/* The same as a block that cannot turn, so that it slides. */
static inline ground_set_up ground_block(void)
{
    ground_set_up s = ground_default();
    s.moment = 1e20;
    return s;
}

/* Distance of the sphere's centre from the common point, in the middle of the overlap. */
static inline double ground_lever(const ground_set_up *s) { return s->radius - 0.5 * s->depth; }

static inline fender_shape_id ground_shape(fender_world *world, fender_body_id body, fender_geometry *geometry,
                                           const ground_set_up *plane)
{
    fender_shape_def def = fender_shape_def_default();
    def.name = "shape";
    def.geometry = geometry;
    if (plane) {
        def.X_SG.q = (fender_quaternion){cos(0.5 * plane->turn), 0, 0, sin(0.5 * plane->turn)};
        def.surface_velocity = plane->belt;
        def.surface_spin = plane->turning;
    }
    fender_shape_id id;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    fender_geometry_release(geometry);
    return id;
}

static inline fender_signal ground_signal(fender_vec3 value, bool ramp)
{
    double size = fender_vec3_length(value);
    if (!ramp || size == 0) return (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = value};
    return (fender_signal){.kind = FENDER_SIGNAL_RAMP, .direction = value, .rate = size};
}

/* When an event of that kind first comes; NaN: not until then. */
static inline double ground_event(const ground *g, fender_event_kind kind, double until)
{
    while (fender_world_time(g->world) < until) {
        int count;
        check_ok(fender_world_step(g->world, &error));
        const fender_event *events = fender_world_events(g->world, &count);
        for (int i = 0; i < count; i++)
            if (events[i].kind == kind) return events[i].time;
    }
    return NAN;
}

/* A link along x from a fixed point ten metres away, at the height of the sphere's centre. */
static inline void ground_hold(ground *g, const ground_set_up *s, fender_body_id floor_id)
{
    fender_link_def link = fender_link_def_default();
    fender_link_spring_damper spring = {.stiffness = s->spring, .free_length = 10, .limit = INFINITY};
    fender_pose anchor = fender_pose_identity();
    fender_link_id id;
    anchor.p = fender_vec3_make(-10, 0, s->radius - s->depth);
    check_ok(fender_point_create(g->world, floor_id, "anchor", anchor, &link.a, &error));
    check_ok(fender_point_create(g->world, g->ball, "centre", fender_pose_identity(), &link.b, &error));
    link.name = "spring";
    link.parameters = &spring;
    check_ok(fender_link_create(g->world, &link, &id, &error));
}

static inline ground ground_build(const ground_set_up *s)
{
    ground g;
    memset(&g, 0, sizeof g);
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = s->method;
    def.step = s->step;
    def.relative_tolerance = s->tolerance;
    def.locate_events = s->locate_events;
    def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, s->gravity, 0, {0, 0, 0}};
    g.world = fender_world_create(&env, &def, NULL);
    assert_non_null(g.world);
    fender_body_def body = fender_body_def_default();
    fender_body_id floor_id;
    body.name = "floor";
    body.motion = FENDER_MOTION_FIXED;
    check_ok(fender_body_create(g.world, &body, &floor_id, &error));
    body = fender_body_def_default();
    body.name = "ball";
    body.mass_properties.mass = s->mass;
    body.mass_properties.inertia = fender_mat3_diagonal(s->moment, s->moment, s->moment);
    body.state.position.z = s->radius - s->depth;
    if (s->solid) {
        body.mass_properties = s->solid_properties;
        body.mass_properties.mass = s->mass;
        body.state.position = s->place;
        body.state.attitude = s->attitude;
    }
    body.state.velocity = s->velocity;
    body.state.angular_velocity = s->spin;
    check_ok(fender_body_create(g.world, &body, &g.ball, &error));
    g.shapes[0] = ground_shape(g.world, floor_id, fender_geometry_plane(&env, NULL), s);
    if (s->ceiling > 0) {
        body = fender_body_def_default();
        body.name = "ceiling";
        body.motion = FENDER_MOTION_FIXED;
        body.state.position.z = s->ceiling;
        body.state.attitude = (fender_quaternion){0, 1, 0, 0};
        fender_body_id ceiling;
        check_ok(fender_body_create(g.world, &body, &ceiling, &error));
        (void)ground_shape(g.world, ceiling, fender_geometry_plane(&env, NULL), NULL);
    }
    g.shapes[1] = ground_shape(g.world, g.ball, s->solid ? s->solid : fender_geometry_sphere(&env, s->radius, NULL),
                               NULL);
    law_room rooms[5];
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                    .name = "type",
                                    .law = law_chosen(&s->whole, &rooms[0]),
                                    .points = s->points};
    if (!type.law) type.normal = law_chosen(&s->normal, &rooms[1]);
    type.friction = law_chosen(&s->friction, &rooms[2]);
    const fender_law *directed = type.law ? type.law : type.friction;
    const fender_field *along = directed ? fender_field_find(&directed->parameters, type.law ? "pull" : "along") : NULL;
    const double parts[] = {s->along.x, s->along.y, s->along.z};
    for (int i = 0; along && i < 3; i++) fender_field_set(along, rooms[type.law ? 0 : 2].bytes, i, parts[i]);
    type.rolling = law_chosen(&s->rolling, &rooms[3]);
    type.twisting = law_chosen(&s->twisting, &rooms[4]);
    type.law_parameters = rooms[0].bytes;
    type.normal_parameters = rooms[1].bytes;
    type.friction_parameters = rooms[2].bytes;
    type.rolling_parameters = rooms[3].bytes;
    type.twisting_parameters = rooms[4].bytes;
    fender_contact_type_id id;
    fender_rule_id rule;
    check_ok(fender_contact_type_create(g.world, &type, &id, &error));
    check_ok(fender_rule_create(
        g.world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = id}, &rule,
        &error));
    fender_load_def load = fender_load_def_default();
    load.name = "pull";
    load.body = g.ball;
    load.force = ground_signal(s->force, s->ramp);
    load.torque = ground_signal(s->torque, s->ramp);
    check_ok(fender_load_create(g.world, &load, &g.load, &error));
    if (s->spring != 0) ground_hold(&g, s, floor_id);
    check_ok(fender_world_initialize(g.world, &error));
    return g;
}

static inline fender_body_data ground_ball(const ground *g)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(g->world, g->ball, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static inline fender_contact_data ground_contact(const ground *g)
{
    fender_contact_data data;
    assert_int_equal(fender_contact_between(g->world, g->shapes[0], g->shapes[1], &data), FENDER_STATUS_OK);
    return data;
}

static inline void ground_run(const ground *g, double until)
{
    while (fender_world_time(g->world) < until) check_ok(fender_world_advance_to(g->world, until, &error));
}

/* Nothing is missing from the ledger beyond the part of its scale. */
static inline fender_ledger ground_ledger(const ground *g, double part)
{
    fender_ledger ledger;
    fender_world_ledger(g->world, &ledger);
    check_below(fabs(ledger.residual), part * ledger.scale);
    return ledger;
}

#endif
