/* Forces and torques of a contact in world, body and contact frame agree with each other and with what they do to the
 * bodies; impulses are changes of momentum. */
/* items: C021 C034 M015 */
#include "check.h"
#include "random_numbers.h"
#include <string.h>

static fender_world *world_of(double gravity)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_error none = {0};
    def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -gravity}, 0, {0, 0, 0}};
    def.step = 1e-3;
    fender_world *world = fender_world_create(&env, &def, &none);
    assert_non_null(world);
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    union {
        double align;
        char bytes[64];
    } p;
    (void)fender_field_initialize(&law->parameters, p.bytes, sizeof p.bytes, NULL);
    fender_field_set(fender_field_find(&law->parameters, "stiffness"), p.bytes, 0, 1e4);
    fender_field_set(fender_field_find(&law->parameters, "damping"), p.bytes, 0, 30);
    fender_field_set(fender_field_find(&law->parameters, "mu"), p.bytes, 0, 0.4);
    fender_field_set(fender_field_find(&law->parameters, "slip_speed"), p.bytes, 0, 0.01);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "type", .law = law, .law_parameters = p.bytes};
    fender_contact_type_id id;
    fender_rule_id rule;
    check_ok(fender_contact_type_create(world, &type, &id, &error));
    check_ok(fender_rule_create(
        world, &(fender_rule_def){.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = id}, &rule,
        &error));
    return world;
}

static fender_shape_id add(fender_world *world, const fender_body_def *body, fender_geometry *geometry,
                           fender_pose pose, fender_body_id *id)
{
    fender_shape_def shape = fender_shape_def_default();
    fender_shape_id shape_id;
    check_ok(fender_body_create(world, body, id, &error));
    shape.name = "shape";
    shape.geometry = geometry;
    shape.X_SG = pose;
    check_ok(fender_shape_create(world, *id, &shape, &shape_id, &error));
    fender_geometry_release(geometry);
    return shape_id;
}

static fender_body_data read(const fender_world *world, fender_body_id id)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static fender_vec3 to_world(const fender_body_data *body, fender_vec3 v)
{
    return fender_quaternion_rotate(body->attitude, v);
}

/* One contact, or the sums of a pair. */
static void check_frames(const fender_contact_data *c, const fender_body_data *a, const fender_body_data *b,
                         double size)
{
    double tolerance = 1e-12 * size; /* roundings of a few rotations */
    check_vector(to_world(a, c->force_on_a), fender_vec3_negate(c->force), tolerance);
    check_vector(to_world(b, c->force_on_b), c->force, tolerance);
    check_vector(to_world(a, c->torque_on_a), c->world_torque_on_a, tolerance);
    check_vector(to_world(b, c->torque_on_b), c->world_torque_on_b, tolerance);
    check_vector(fender_quaternion_rotate(c->frame, c->contact_force), c->force, tolerance);
    check_vector(fender_quaternion_rotate(c->frame, c->contact_torque), c->torque, tolerance);
    /* about the centres of mass, from the contact point */
    fender_vec3 arm_a = fender_vec3_sub(c->point, a->center_position);
    fender_vec3 arm_b = fender_vec3_sub(c->point, b->center_position);
    fender_vec3 on_b = fender_vec3_add(fender_vec3_cross(arm_b, c->force), c->torque);
    fender_vec3 on_a = fender_vec3_negate(fender_vec3_add(fender_vec3_cross(arm_a, c->force), c->torque));
    check_vector(c->world_torque_on_a, on_a, tolerance);
    check_vector(c->world_torque_on_b, on_b, tolerance);
}

static void two_balls(void **state)
{
    (void)state;
    int contacts = 0;
    double worst = 0;
    for (uint64_t n = 0; n < 100; n++) {
        random_stream r = random_of_case(1400, n);
        fender_env env = fender_env_default();
        fender_world *world = world_of(0);
        fender_body_id ids[2];
        fender_shape_id shapes[2];
        for (int i = 0; i < 2; i++) {
            fender_body_def body = fender_body_def_default();
            body.name = i ? "b" : "a";
            body.mass_properties.mass = random_between(&r, 1, 5);
            body.mass_properties.center_of_mass = random_in_ball(&r, 0.3);
            body.mass_properties.inertia = random_inertia(&r, body.mass_properties.mass, 0.5);
            body.state.position = fender_vec3_make(i ? 1.99 : 0, random_between(&r, -0.2, 0.2), 0);
            body.state.attitude = random_rotation(&r);
            body.state.velocity = fender_vec3_make(i ? -1 : 1, random_between(&r, -1, 1), random_between(&r, -1, 1));
            shapes[i] = add(world, &body, fender_geometry_sphere(&env, 1, NULL), fender_pose_identity(), &ids[i]);
        }
        check_ok(fender_world_initialize(world, &error));
        fender_vec3 before = read(world, ids[1]).linear_momentum;
        for (int i = 0; i < 40; i++) {
            check_ok(fender_world_step(world, &error));
            fender_body_data a = read(world, ids[0]), b = read(world, ids[1]);
            fender_contact_data c;
            assert_int_equal(fender_contact_between(world, shapes[0], shapes[1], &c), FENDER_STATUS_OK);
            if (!c.touching) break;
            check_frames(&c, &a, &b, 1e3);
            double gap = fender_vec3_length(
                fender_vec3_sub(fender_vec3_sub(b.linear_momentum, before), c.impulse_on_b));
            worst = larger(worst, gap);
            check_below(gap, 1e-12);
            contacts++;
        }
        fender_world_destroy(world);
    }
    print_message("%d states in contact, impulse off by %.1e N s at most\n", contacts, worst);
    assert_true(contacts > 1000);
}

/* A box falls flat on a plane: sums over its patch. */
static void a_patch(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world *world = world_of(9.81);
    fender_body_id ground, box;
    fender_body_def body = fender_body_def_default();
    body.name = "ground";
    body.motion = FENDER_MOTION_FIXED;
    fender_shape_id plane_shape = add(world, &body, fender_geometry_plane(&env, NULL), fender_pose_identity(), &ground);
    body = fender_body_def_default();
    body.name = "box";
    body.mass_properties.mass = 2;
    body.mass_properties.center_of_mass = fender_vec3_make(0.05, -0.03, 0.02);
    body.mass_properties.inertia = fender_mat3_diagonal(0.02, 0.03, 0.04);
    body.state.position.z = 0.098;
    body.state.velocity = fender_vec3_make(0.4, -0.3, -0.2);
    fender_shape_id box_shape = add(world, &body, fender_geometry_box(&env, fender_vec3_make(0.2, 0.15, 0.1), NULL),
                                    fender_pose_identity(), &box);
    check_ok(fender_world_initialize(world, &error));
    fender_vec3 before = read(world, box).linear_momentum;
    double begun = fender_world_time(world);
    int several = 0;
    for (int i = 0; i < 30; i++) {
        check_ok(fender_world_step(world, &error));
        fender_body_data a = read(world, ground), b = read(world, box);
        fender_contact_data c;
        assert_int_equal(fender_contact_between(world, plane_shape, box_shape, &c), FENDER_STATUS_OK);
        if (!c.touching) break;
        several += fender_contact_count(world, FENDER_CLOCK_COMMITTED) > 1;
        check_frames(&c, &a, &b, 1e3);
        check_vector(c.surface_force, fender_vec3_make(c.force.z, c.force.x, c.force.y), 1e-12 * c.normal_force);
        double share = 0;
        for (int k = 0; k < fender_contact_count(world, FENDER_CLOCK_COMMITTED); k++) {
            fender_contact point;
            check_ok(fender_contact_get(world, FENDER_CLOCK_COMMITTED, k, &point));
            share += point.weight;
        }
        check_near(c.weight, share, 1e-15);
        fender_vec3 weight = {0, 0, -2 * 9.81 * (fender_world_time(world) - begun)};
        check_vector(fender_vec3_add(before, fender_vec3_add(weight, c.impulse_on_b)), b.linear_momentum, 1e-12);
    }
    assert_true(several > 10);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_balls), cmocka_unit_test(a_patch)};
    return cmocka_run_group_tests_name("wrenches", tests, NULL, NULL);
}
