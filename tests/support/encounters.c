/* Spheres, capsules, boxes, plates, blades and meshes that fly at each other at 1 m/s to 10 km/s and turn at up to 1000
 * rad/s, with steps of 10 us to 0.1 s. Contacts are too weak to be felt, so that the flight is known: the gap at any
 * time follows from two poses. */
#include "encounters.h"

#include "check.h"
#include "random_numbers.h"
#include <fender/law.h>
#include <stdio.h>

enum { KINDS = 7, MOST_STEPS = 8, MOST_SAMPLES = 100000 };
static const char *const kind_names[KINDS] = {"ball", "capsule", "box", "plate", "blade", "cylinder", "mesh"};

typedef struct flier {
    int kind;
    double thickness, reach; /* m */
    fender_geometry *geometry;
    fender_vec3 p, v, w;
    fender_quaternion q;
} flier;

static fender_geometry *mesh_of(const fender_env *env, fender_vec3 h)
{
    fender_geometry *box = fender_geometry_box(env, h, NULL);
    int count, indices = 0;
    int32_t triangles[36];
    const fender_vec3 *vertices = fender_geometry_vertices(box, &count);
    indices = fender_geometry_triangles(box, triangles, 36);
    fender_mesh_def def = {vertices, count, triangles, indices / 3};
    fender_geometry *mesh = fender_geometry_mesh(env, &def, NULL);
    fender_geometry_release(box);
    return mesh;
}

static void make(const fender_env *env, random_stream *r, flier *f)
{
    double size = random_magnitude(r, 0.01, 1), thin = size * random_magnitude(r, 0.01, 0.3);
    f->kind = random_below(r, KINDS);
    fender_vec3 half = {size, size * random_between(r, 0.3, 1), thin};
    f->thickness = 2 * thin;
    switch (f->kind) {
    case 0:
        f->geometry = fender_geometry_sphere(env, size, NULL);
        f->thickness = 2 * size;
        half = fender_vec3_make(size, 0, 0);
        break;
    case 1:
        f->geometry = fender_geometry_capsule(env, thin, size, NULL);
        half = fender_vec3_make(size + thin, 0, 0);
        break;
    case 2:
        half.z = size * random_between(r, 0.3, 1);
        f->thickness = 2 * (half.z < half.y ? half.z : half.y);
        f->geometry = fender_geometry_box(env, half, NULL);
        break;
    case 3: f->geometry = fender_geometry_box(env, half, NULL); break;
    case 4:
        half.y = thin * random_between(r, 1, 4);
        f->geometry = fender_geometry_box(env, half, NULL);
        break;
    case 5:
        f->geometry = fender_geometry_cylinder(env, size, thin, NULL);
        half = fender_vec3_make(size, thin, 0);
        break;
    default: f->geometry = mesh_of(env, half); f->thickness = 0; /* a surface: the other one has to have it */
    }
    f->reach = fender_vec3_length(half);
    f->q = random_rotation(r);
    f->w = fender_vec3_scale(random_below(r, 2) ? random_magnitude(r, 0.1, 1000) : 0, random_direction(r));
}

static fender_pose pose_at(const flier *f, double t)
{
    double angle = fender_vec3_length(f->w) * t;
    fender_vec3 axis = angle > 0 ? fender_vec3_scale(1 / fender_vec3_length(f->w), f->w) : f->w;
    fender_quaternion turn = {cos(0.5 * angle), sin(0.5 * angle) * axis.x, sin(0.5 * angle) * axis.y,
                              sin(0.5 * angle) * axis.z};
    return (fender_pose){fender_vec3_add_scaled(f->p, t, f->v), fender_quaternion_product(turn, f->q)};
}

/* The greatest depth up to `end`; 0: they do not meet, or lie in each other from the start. */
static double deepest(const flier *a, const flier *b, double end, double fine)
{
    double speed = fender_vec3_length(fender_vec3_sub(a->v, b->v)) + fender_vec3_length(a->w) * a->reach +
                   fender_vec3_length(b->w) * b->reach;
    double t = 0, most = 0;
    for (int i = 0; i < MOST_SAMPLES && t < end; i++) {
        fender_pose at_a = pose_at(a, t), at_b = pose_at(b, t);
        fender_separation gap;
        assert_int_equal(fender_geometry_separation(a->geometry, &at_a, b->geometry, &at_b, &gap), FENDER_STATUS_OK);
        if (i == 0 && gap.distance <= 0) return 0;
        if (-gap.distance > most) most = -gap.distance;
        t += (gap.distance > fine ? gap.distance : fine) / speed;
    }
    return most;
}

static fender_world *world_of(const flier fliers[2], fender_integrator_method method, bool located, double step)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = step;
    def.locate_events = located;
    def.depth_limit = 0;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        body.name = i ? "b" : "a";
        body.mass_properties.mass = 1;
        double inertia = 0.4 * fliers[i].reach * fliers[i].reach;
        body.mass_properties.inertia = fender_mat3_diagonal(inertia, inertia, inertia);
        body.state.position = fliers[i].p;
        body.state.velocity = fliers[i].v;
        body.state.attitude = fliers[i].q;
        body.state.angular_velocity = fender_quaternion_rotate(fender_quaternion_conjugate(fliers[i].q), fliers[i].w);
        fender_body_id id;
        check_ok(fender_body_create(world, &body, &id, &error));
        fender_shape_def shape = fender_shape_def_default();
        fender_shape_id shape_id;
        shape.name = "s";
        shape.geometry = fliers[i].geometry;
        check_ok(fender_shape_create(world, id, &shape, &shape_id, &error));
    }
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    union {
        double align;
        char bytes[256];
    } p;
    (void)fender_field_initialize(&law->parameters, p.bytes, sizeof p.bytes, NULL);
    fender_field_set(fender_field_find(&law->parameters, "stiffness"), p.bytes, 0, 1e-9);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "type", .normal = law, .normal_parameters = p.bytes};
    fender_contact_type_id type_id;
    check_ok(fender_contact_type_create(world, &type, &type_id, &error));
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type_id};
    fender_rule_id rule_id;
    check_ok(fender_rule_create(world, &rule, &rule_id, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

static bool missed(uint64_t number, int *touches)
{
    random_stream r = random_of_case(4242, number);
    fender_env env = fender_env_default();
    flier f[2];
    double thickness = 0;
    while (!(thickness > 0)) { /* two surfaces have none */
        for (int i = 0; i < 2; i++) make(&env, &r, &f[i]);
        thickness = f[0].thickness + f[1].thickness;
        if (thickness > 0) break;
        for (int i = 0; i < 2; i++) fender_geometry_release(f[i].geometry);
    }
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                       FENDER_INTEGRATOR_VELOCITY_VERLET, FENDER_INTEGRATOR_DOPRI5,
                                                       FENDER_INTEGRATOR_DOP853};
    const fender_integrator_method method = methods[random_below(&r, 5)];
    const bool located = random_below(&r, 2);
    double step = random_magnitude(&r, 1e-5, 0.1), speed = random_magnitude(&r, 1, 1e4),
           reach = f[0].reach + f[1].reach;
    double when = step * random_between(&r, 0.1, MOST_STEPS - 1.0);
    fender_vec3 way = random_direction(&r), aside = random_in_ball(&r, 0.9 * reach);
    for (int i = 0; i < 2; i++) { /* they are near each other at `when`; not at the start */
        f[i].v = fender_vec3_scale(i ? -0.3 * speed : 0.7 * speed, way);
        f[i].p = fender_vec3_scale(-when, f[i].v);
    }
    f[0].p = fender_vec3_add(f[0].p, aside);
    const double end = step * MOST_STEPS, depth = deepest(&f[0], &f[1], end, 0.002 * thickness);
    fender_world *world = world_of(f, method, located, step);
    fender_error failure = {0};
    fender_status status = fender_world_advance_to(world, end, &failure);
    const bool seen = fender_world_event_count(world, FENDER_EVENT_BEGIN) > 0 ||
                      fender_contact_count(world, FENDER_CLOCK_COMMITTED) > 0;
    bool lost = status || (depth > 0.02 * thickness && !seen);
    *touches += depth > 0.02 * thickness;
    if (lost)
        printf("encounter %llu: %s and %s, %g m/s, step %g s by %s%s: %g m deep, thickness %g m; %s\n",
               (unsigned long long)number, kind_names[f[0].kind], kind_names[f[1].kind], speed, step,
               fender_integrator_name(method), located ? ", located" : "", depth, thickness,
               status ? failure.message : "not seen");
    fender_world_destroy(world);
    for (int i = 0; i < 2; i++) fender_geometry_release(f[i].geometry);
    return lost;
}

int encounters_missed(uint64_t first, int count, int *touches)
{
    int lost = 0;
    *touches = 0;
    for (int i = 0; i < count; i++) lost += missed(first + (uint64_t)i, touches);
    return lost;
}
