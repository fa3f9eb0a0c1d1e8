/* Balls, capsules, boxes and planes in Fender. */
#include "own.h"
#include "../bench.h"
#include <fender/advice.h>
#include <fender/fender.h>
#include <math.h>
#include <stddef.h>

/* What the rows differ in. */
typedef struct way {
    fender_integrator_method method;
    bool sticks, locates;
} way;

static fender_contact_type_id contact_type(fender_world *world, const stepping_scene *scene, const way *how)
{
    fender_error error = {0};
    fender_spring_damper_parameters push;
    fender_coulomb_static_kinetic_parameters stick;
    if (fender_spring_damper_parameters_default(&push, &error) ||
        fender_coulomb_static_kinetic_parameters_default(&stick, &error))
        bench_fail(error.message);
    push.stiffness = stick.stiffness = scene->stiffness;
    push.damping = stick.damping = scene->damping;
    stick.mu_static = stick.mu_kinetic = scene->friction;
    fender_contact_type_id type;
    fender_contact_type_def def = fender_contact_type_def_default();
    def.name = "contact";
    if (how->sticks) {
        def.normal = fender_law_find(NULL, "spring_damper");
        def.normal_parameters = &push;
        def.friction = fender_law_find(NULL, "coulomb_static_kinetic");
        def.friction_parameters = &stick;
        double given = stick.stick_speed, needed = fender_advise_stick_speed(world, &def, &given);
        if (needed > given) stick.stick_speed = needed; /* as the program does where a scenario gives none */
    } else {
        push.mu = scene->friction;
        def.law = fender_law_find(NULL, "spring_damper");
        def.law_parameters = &push;
    }
    if (fender_contact_type_create(world, &def, &type, &error)) bench_fail(error.message);
    return type;
}

static fender_vec3 vector(const double *v) { return fender_vec3_make(v[0], v[1], v[2]); }

/* `body` may be NULL: one shape in the middle. */
static void add_body(fender_world *world, const fender_body_def *def, fender_geometry *geometry,
                     const stepping_body *body)
{
    fender_error error = {0};
    fender_body_id id;
    int feet = body ? body->foot_count : 0;
    if (!geometry || fender_body_create(world, def, &id, &error)) bench_fail(error.message);
    for (int k = 0; k < (feet > 0 ? feet : 1); k++) {
        fender_shape_def shape = fender_shape_def_default();
        char name[32];
        snprintf(name, sizeof name, "hull_%d", k);
        shape.name = name;
        shape.geometry = geometry;
        if (feet > 0) shape.X_SG.p = vector(body->feet[k]);
        if (fender_shape_create(world, id, &shape, NULL, &error)) bench_fail(error.message);
    }
}

static void add_planes(fender_world *world, const stepping_scene *scene)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_geometry *plane = fender_geometry_plane(&env, &error);
    for (int i = 0; i < scene->plane_count; i++) {
        const double *n = scene->planes[i].normal;
        char name[32];
        snprintf(name, sizeof name, "plane_%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.motion = FENDER_MOTION_FIXED;
        body.state.position = fender_vec3_scale(scene->planes[i].offset, vector(n));
        fender_quaternion q = {1 + n[2], -n[1], n[0], 0}; /* the least that turns z to n */
        if (n[2] < -0.5) q = (fender_quaternion){0, 1, 0, 0};
        body.state.attitude = fender_quaternion_normalized(q);
        add_body(world, &body, plane, NULL);
    }
    fender_geometry_release(plane);
}

static fender_world *create(const stepping_scene *scene, const way *how)
{
    fender_error error = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = how->method;
    def.locate_events = how->locates;
    def.step = scene->step;
    def.gravity.kind = scene->gravity[2] == 0 ? FENDER_GRAVITY_NONE : FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = vector(scene->gravity);
    fender_world *world = fender_world_create(&env, &def, &error);
    if (!world) bench_fail(error.message);
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    rule.use = contact_type(world, scene, how);
    if (fender_rule_create(world, &rule, NULL, &error)) bench_fail(error.message);
    const stepping_body *first = &scene->bodies[0];
    fender_geometry *geometry =
        first->half_size > 0
            ? fender_geometry_box(&env, fender_vec3_make(first->half_size, first->half_size, first->half_size), &error)
        : first->half_length > 0 ? fender_geometry_capsule(&env, first->radius, first->half_length, &error)
                                 : fender_geometry_sphere(&env, first->radius, &error);
    for (int i = 0; i < scene->body_count; i++) {
        const stepping_body *b = &scene->bodies[i];
        char name[32];
        snprintf(name, sizeof name, "body_%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.mass_properties.mass = b->mass;
        body.mass_properties.inertia = fender_mat3_diagonal(b->moments[0], b->moments[1], b->moments[2]);
        body.state.position = vector(b->position);
        body.state.attitude = (fender_quaternion){b->attitude[0], b->attitude[1], b->attitude[2], b->attitude[3]};
        body.state.velocity = vector(b->velocity);
        body.state.angular_velocity = fender_quaternion_rotate(fender_quaternion_conjugate(body.state.attitude),
                                                               vector(b->turning));
        add_body(world, &body, geometry, b);
    }
    fender_geometry_release(geometry);
    add_planes(world, scene);
    if (fender_world_initialize(world, &error)) bench_fail(error.message);
    return world;
}

static const way ways[OWN_ROWS] = {[OWN_EULER] = {FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, false, false},
                                   [OWN_RK4] = {FENDER_INTEGRATOR_RK4, false, false},
                                   [OWN_EULER_STICKS] = {FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, true, false},
                                   [OWN_RK4_STICKS] = {FENDER_INTEGRATOR_RK4, true, false},
                                   [OWN_RK4_LOCATES] = {FENDER_INTEGRATOR_RK4, true, true},
                                   [OWN_DOP853] = {FENDER_INTEGRATOR_DOP853, true, true}};
static void *create_euler(const stepping_scene *scene) { return create(scene, &ways[OWN_EULER]); }
static void *create_rk4(const stepping_scene *scene) { return create(scene, &ways[OWN_RK4]); }
static void *create_euler_sticks(const stepping_scene *scene) { return create(scene, &ways[OWN_EULER_STICKS]); }
static void *create_rk4_sticks(const stepping_scene *scene) { return create(scene, &ways[OWN_RK4_STICKS]); }
static void *create_rk4_locates(const stepping_scene *scene) { return create(scene, &ways[OWN_RK4_LOCATES]); }
static void *create_dop853(const stepping_scene *scene) { return create(scene, &ways[OWN_DOP853]); }

static void advance(void *world, int steps)
{
    fender_error error = {0};
    if (fender_world_advance(world, steps, &error)) bench_fail(error.message);
}

static void read_state(void *world, int body, double position[3], double velocity[3])
{
    fender_body_data data;
    if (fender_body_get(world, fender_body_at(world, body), FENDER_CLOCK_COMMITTED, &data)) bench_fail("no state");
    const fender_vec3 p = data.center_position, v = data.center_velocity;
    position[0] = p.x, position[1] = p.y, position[2] = p.z;
    velocity[0] = v.x, velocity[1] = v.y, velocity[2] = v.z;
}

static void destroy(void *world) { fender_world_destroy(world); }

const stepping_peer stepping_own[OWN_ROWS] = {
    [OWN_EULER] = {"Fender, semi-implicit Euler", 1, 1000000, create_euler, advance, NULL, read_state, destroy},
    [OWN_RK4] = {"Fender, rk4", 1, 1000000, create_rk4, advance, NULL, read_state, destroy},
    [OWN_EULER_STICKS] = {"Fender, semi-implicit Euler, stick-slip", 1, 1000000, create_euler_sticks, advance, NULL,
                          read_state, destroy},
    [OWN_RK4_STICKS] = {"Fender, rk4, stick-slip", 1, 1000000, create_rk4_sticks, advance, NULL, read_state, destroy},
    [OWN_RK4_LOCATES] = {"Fender, rk4, stick-slip, located", 1, 1000000, create_rk4_locates, advance, NULL, read_state,
                         destroy},
    [OWN_DOP853] = {"Fender, dop853, stick-slip", 1, 1000000, create_dop853, advance, NULL, read_state, destroy},
};

double stepping_own_stable_step(void *world)
{
    fender_error error = {0};
    double longest = 0;
    if (fender_world_stable_step(world, &longest, &error)) bench_fail(error.message);
    return longest;
}

int stepping_own_contacts(void *world) { return fender_contact_count(world, FENDER_CLOCK_COMMITTED); }
