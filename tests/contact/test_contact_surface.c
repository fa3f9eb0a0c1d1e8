/* What laws that ask see of the surfaces: by a law that only looks, against the poses of the bodies. */
#include "check.h"
#include "random_numbers.h"
#include <stdlib.h>
#include <string.h>

static struct {
    int calls, blind; /* of the law; without a surface */
    int odd;          /* with another curvature than when the contact began */
    fender_contact_surface last;
    fender_contact_input in;
} seen;

static void look(const void *parameters, const fender_contact_input *in, const void *memory, fender_contact_output *out)
{
    (void)parameters, (void)memory, (void)out;
    seen.calls++;
    seen.blind += in->surface == NULL;
    seen.in = *in;
    if (in->surface) seen.last = *in->surface;
}

static double look_at_store(const void *parameters, const fender_contact_input *in, const void *memory)
{
    fender_contact_output out;
    look(parameters, in, memory, &out);
    if (in->surface) seen.odd += memcmp(&in->surface->relative.first, memory, sizeof(double)) != 0;
    return 0;
}

static void look_at_roots(const void *parameters, const fender_contact_input *in, const void *memory, double *root)
{
    fender_contact_output out;
    look(parameters, in, memory, &out);
    root[0] = 1;
}

static void look_begin(const void *parameters, const fender_contact_input *in, void *memory)
{
    fender_contact_output out;
    look(parameters, in, memory, &out);
    if (in->surface) memcpy(memory, &in->surface->relative.first, sizeof(double));
}

static void look_end(const void *parameters, const fender_contact_input *in, void *memory)
{
    fender_contact_output out;
    look(parameters, in, memory, &out);
}

static void look_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory, fender_contact_change *change)
{
    (void)change, (void)out;
    (void)look_at_store(parameters, in, memory);
}

#define LOOKING(law_name, law_kind, law_needs)                                                                      \
    {                                                                                                               \
        .size = sizeof(fender_law), .kinds = law_kind, .name = law_name, .doc = "", .memory_size = 8,               \
        .begin = look_begin, .force = look, .update = look_update, .end = look_end, .stored_energy = look_at_store, \
        .root_count = 1, .roots = look_at_roots, .needs = law_needs                                                 \
    }
static const fender_law normal_law = LOOKING("looks", FENDER_LAW_NORMAL, FENDER_LAW_NEEDS_SURFACE);
static const fender_law friction_law = LOOKING("rubs", FENDER_LAW_FRICTION, FENDER_LAW_NEEDS_SURFACE);
static const fender_law blind_law = LOOKING("blind", FENDER_LAW_WHOLE, 0);

typedef struct pair {
    fender_world *world;
    fender_body_id bodies[2];
    fender_pose X_SG[2];
} pair;

/* Two bodies, each with the geometry placed off its centre of mass, that fly slowly through each other. */
static pair pair_of(fender_geometry *a, fender_geometry *b, fender_body_state first, fender_body_state second,
                    const fender_contact_type_def *type, bool locate)
{
    pair p;
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    def.locate_events = locate;
    p.world = fender_world_create(&env, &def, NULL);
    fender_contact_type_id type_id;
    check_ok(fender_contact_type_create(p.world, type, &type_id, &error));
    fender_rule_id rule;
    check_ok(fender_rule_create(
        p.world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type_id},
        &rule, &error));
    fender_geometry *geometries[2] = {a, b};
    fender_body_state states[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        body.name = i ? "second" : "first";
        body.mass_properties.mass = 1 + i;
        body.mass_properties.center_of_mass = fender_vec3_make(0.1 * i, 0.2, -0.1);
        body.mass_properties.inertia = fender_mat3_diagonal(0.1, 0.2, 0.15);
        body.state = states[i];
        check_ok(fender_body_create(p.world, &body, &p.bodies[i], &error));
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "shape";
        shape.geometry = geometries[i];
        shape.X_SG.q = fender_quaternion_normalized((fender_quaternion){1, 0.3 * i, -0.2, 0.4});
        shape.X_SG.p = fender_vec3_make(0.05, -0.02 * i, 0.03);
        p.X_SG[i] = shape.X_SG;
        fender_shape_id id;
        check_ok(fender_shape_create(p.world, p.bodies[i], &shape, &id, &error));
        fender_geometry_release(geometries[i]);
    }
    memset(&seen, 0, sizeof seen);
    check_ok(fender_world_initialize(p.world, &error));
    return p;
}

static fender_body_state state_at(fender_vec3 position, fender_vec3 velocity, fender_vec3 spin)
{
    fender_body_state s = fender_body_def_default().state;
    s.position = position;
    s.velocity = velocity;
    s.angular_velocity = spin;
    return s;
}

/* The surface of the committed contact as the law saw it last, against poses, frame and point that the world shows. */
static void check_poses(const pair *p)
{
    fender_contact_data c;
    check_ok(fender_contact_at(p->world, FENDER_CLOCK_COMMITTED, 0, &c));
    for (int i = 0; i < 2; i++) {
        fender_body_data body;
        check_ok(fender_body_get(p->world, p->bodies[i], FENDER_CLOCK_COMMITTED, &body));
        fender_pose X_WS = {body.position, body.attitude}, X_WG = fender_pose_product(X_WS, p->X_SG[i]);
        const fender_mat3 *R = i ? &seen.last.R_CB : &seen.last.R_CA;
        fender_quaternion to_C = fender_quaternion_conjugate(c.frame);
        for (int k = 0; k < 3; k++) {
            fender_vec3 axis = fender_vec3_make(k == 0, k == 1, k == 2);
            check_vector(fender_mat3_column(R, k),
                         fender_quaternion_rotate(to_C, fender_quaternion_rotate(X_WG.q, axis)), 1e-13);
        }
        fender_vec3 arm = fender_quaternion_rotate(fender_quaternion_conjugate(X_WG.q),
                                                   fender_vec3_sub(c.point, X_WG.p));
        check_vector(i ? seen.last.point_B : seen.last.point_A, arm, 1e-13);
    }
}

/* Crossed cylinders of one radius touch like a sphere on a plane whatever their frames; of others by the sum of both
 * tensors. */
static void crossed_cylinders(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    int crossings = 0;
    for (int n = 0; n < 40; n++) {
        random_stream r = random_of_case(9, (uint64_t)n);
        double radius_a = random_between(&r, 0.2, 0.4), radius_b = random_between(&r, 0.2, 0.4);
        fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                        .name = "t",
                                        .normal = &normal_law,
                                        .friction = n % 2 ? &friction_law : NULL};
        fender_vec3 apart = fender_vec3_scale(0.5, random_direction(&r));
        pair p = pair_of(fender_geometry_capsule(&env, radius_a, 2, NULL),
                         fender_geometry_capsule(&env, radius_b, 2, NULL),
                         state_at(fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0), random_direction(&r)),
                         state_at(apart, fender_vec3_scale(-0.3, apart), random_direction(&r)), &type, n % 4 > 1);
        for (int i = 0; i < 30; i++) check_ok(fender_world_step(p.world, &error));
        assert_int_equal(seen.blind, 0);
        if (fender_contact_count(p.world, FENDER_CLOCK_COMMITTED) != 1) {
            fender_world_destroy(p.world);
            continue;
        }
        check_poses(&p);
        const fender_contact_surface *s = &seen.last;
        /* between the caps of two capsules both are spheres; else the axes cross at an angle */
        fender_vec3 z_a = fender_mat3_column(&s->R_CA, 2), z_b = fender_mat3_column(&s->R_CB, 2);
        bool sides = fabs(z_a.z) < 1e-9 && fabs(z_b.z) < 1e-9;
        if (sides) {
            crossings++;
            double cosine = fender_vec3_dot(z_a, z_b), a = 1 / radius_a, b = 1 / radius_b;
            /* Johnson, Contact Mechanics, 4.1: sum and difference of the relative curvatures */
            double difference = sqrt(a * a + b * b + 2 * a * b * (2 * cosine * cosine - 1));
            check_near(s->relative.first + s->relative.second, a + b, 1e-12);
            check_near(s->relative.first - s->relative.second, difference, 1e-10);
            check_near(s->a.first, a, 1e-13);
            check_near(s->a.second, 0, 0);
            check_near(s->a.direction.x * z_a.x + s->a.direction.y * z_a.y, 0, 1e-9);
            double x = s->relative.direction.x, y = s->relative.direction.y;
            double to_a = x * s->a.direction.x + y * s->a.direction.y,
                   to_b = x * s->b.direction.x + y * s->b.direction.y;
            check_near(a * to_a * to_a + b * to_b * to_b, s->relative.first, 1e-10); /* Euler */
            check_near(s->radius * s->radius * s->relative.first * s->relative.second, 1, 1e-12);
        }
        fender_world_destroy(p.world);
    }
    assert_true(crossings >= 10);
}

/* A cylinder or capsule that lies on a plane in any heading, or along another one, touches along a line: its curvature
 * there is 0 and no radius is that of the rounding. */
static void along_a_line(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    const fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "t", .normal = &normal_law, .friction = &friction_law};
    for (int n = 0; n < 30; n++) {
        random_stream r = random_of_case(11, (uint64_t)n);
        const double radius = random_between(&r, 0.2, 0.4);
        fender_geometry *ground = n % 3 == 0 ? fender_geometry_capsule(&env, 0.3, 2, NULL)
                                             : fender_geometry_plane(&env, NULL);
        fender_geometry *lying = n % 3 == 1 ? fender_geometry_cylinder(&env, radius, 0.5, NULL)
                                            : fender_geometry_capsule(&env, radius, 0.5, NULL);
        fender_body_state first = state_at(fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0),
                                           fender_vec3_make(0, 0, 0));
        fender_body_state second = first;
        const fender_quaternion q_SG[2] = {
            fender_quaternion_normalized((fender_quaternion){1, 0, -0.2, 0.4}),
            fender_quaternion_normalized((fender_quaternion){1, 0.3, -0.2, 0.4})}; /* of pair_of */
        const double heading = random_between(&r, -3, 3), s = sqrt(0.5);
        const fender_quaternion turn = {cos(0.5 * heading), 0, 0, sin(0.5 * heading)}, down = {s, s, 0, 0};
        const fender_quaternion lies = fender_quaternion_product(turn, down);
        first.attitude = fender_quaternion_product(n % 3 == 0 ? lies : turn, fender_quaternion_conjugate(q_SG[0]));
        second.attitude = fender_quaternion_product(lies, fender_quaternion_conjugate(q_SG[1]));
        const fender_vec3 p_SG[2] = {{0.05, 0, 0.03}, {0.05, -0.02, 0.03}};
        first.position = fender_vec3_negate(fender_quaternion_rotate(first.attitude, p_SG[0]));
        second.position = fender_vec3_negate(fender_quaternion_rotate(second.attitude, p_SG[1]));
        second.position.z += (n % 3 == 0 ? 0.3 : 0) + radius - 1e-3;
        pair p = pair_of(ground, lying, first, second, &type, false);
        check_ok(fender_world_step(p.world, &error));
        assert_true(seen.calls > 0 && seen.blind == 0);
        check_near(seen.last.relative.first, 1 / radius + (n % 3 == 0 ? 1 / 0.3 : 0), 1e-9);
        check_near(seen.last.relative.second, 0, 0);
        assert_true(seen.last.radius == (double)INFINITY);
        fender_world_destroy(p.world);
    }
}

/* A sphere on a plane: radius and flatness; on a step with located events too. The blind law sees none. */
static void ball_on_plane(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    for (int n = 0; n < 3; n++) {
        fender_contact_type_def type = {.size = sizeof(fender_contact_type_def),
                                        .name = "t",
                                        .law = n == 2 ? &blind_law : NULL,
                                        .normal = n == 2 ? NULL : &normal_law};
        pair p = pair_of(fender_geometry_plane(&env, NULL), fender_geometry_sphere(&env, 0.5, NULL),
                         state_at(fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, 0)),
                         state_at(fender_vec3_make(0, 0, 0), fender_vec3_make(0, 0, -1), fender_vec3_make(1, 2, 3)),
                         &type, n == 1);
        for (int i = 0; i < 20; i++) check_ok(fender_world_step(p.world, &error));
        assert_int_equal(seen.blind, n == 2 ? seen.calls : 0);
        assert_true(seen.calls > 20);
        if (n < 2) {
            check_poses(&p);
            check_near(seen.last.radius, 0.5, 1e-14);
            check_near(seen.last.relative.first, 2, 1e-14);
            check_near(seen.last.a.first, 0, 0);
            check_near(seen.last.b.second, 2, 1e-14);
        }
        fender_world_destroy(p.world);
    }
}

/* Memory that is given back is spoiled. */
static void spoil(void *ctx, void *memory, size_t size)
{
    (void)ctx;
    if (memory) memset(memory, 0x7f, size);
    free(memory);
}

/* More contacts than there was room for: what earlier rows see stays theirs. */
static void rows_outgrow_their_room(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    env.allocator.release = spoil;
    fender_world_def def = fender_world_def_default();
    fender_world *world = fender_world_create(&env, &def, NULL);
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def), .name = "t", .normal = &normal_law};
    fender_contact_type_id type_id;
    check_ok(fender_contact_type_create(world, &type, &type_id, &error));
    fender_rule_id rule;
    check_ok(fender_rule_create(
        world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type_id}, &rule,
        &error));
    for (int i = 0; i < 24; i++) { /* all 276 pairs touch */
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        fender_body_def body = fender_body_def_default();
        body.name = name;
        body.mass_properties.mass = 1;
        body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
        body.state.position = fender_vec3_make(0.01 * i, 0.003 * i * i, 0);
        fender_body_id id;
        check_ok(fender_body_create(world, &body, &id, &error));
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "s";
        shape.geometry = fender_geometry_sphere(&env, 2 + i, NULL);
        fender_shape_id shape_id;
        check_ok(fender_shape_create(world, id, &shape, &shape_id, &error));
        fender_geometry_release(shape.geometry);
    }
    memset(&seen, 0, sizeof seen);
    check_ok(fender_world_initialize(world, &error));
    for (int i = 0; i < 3; i++) check_ok(fender_world_step(world, &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 276);
    assert_int_equal(seen.blind + seen.odd, 0);
    check_near(seen.last.relative.first, 1 / 24.0 + 1 / 25.0, 1e-15);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(crossed_cylinders), cmocka_unit_test(along_a_line),
                                       cmocka_unit_test(ball_on_plane), cmocka_unit_test(rows_outgrow_their_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
