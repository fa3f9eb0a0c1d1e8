/* A mesh that lies within a solid and touches nothing: that is said, at the start and in a run. */
#include "check.h"
#include <string.h>

static fender_geometry *cube(const fender_env *env, double half)
{
    static const int32_t t[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
    fender_vec3 v[8];
    for (int i = 0; i < 8; i++) {
        const bool right = i % 4 == 1 || i % 4 == 2, back = i % 4 >= 2;
        v[i] = fender_vec3_make(right ? half : -half, back ? half : -half, i >= 4 ? half : -half);
    }
    fender_mesh_def mesh = {v, 8, &t[0][0], 12};
    return fender_geometry_mesh(env, &mesh, NULL);
}

enum { BOX, BALL, MESH, OUTERS }; /* what is around it */

static fender_geometry *outer_geometry(const fender_env *env, int kind)
{
    if (kind == BOX) return fender_geometry_box(env, fender_vec3_make(0.2, 0.2, 0.2), NULL);
    return kind == BALL ? fender_geometry_sphere(env, 0.2, NULL) : cube(env, 0.2);
}

static void add(fender_world *world, const char *name, fender_motion motion, fender_vec3 position, fender_geometry *g)
{
    fender_body_def body = fender_body_def_default();
    fender_shape_def shape = fender_shape_def_default();
    fender_body_id id;
    body.name = name;
    body.motion = motion;
    body.mass_properties.mass = 0.1;
    body.mass_properties.inertia = fender_mat3_diagonal(1e-5, 1e-5, 1e-5);
    body.state.position = position;
    check_ok(fender_body_create(world, &body, &id, &error));
    shape.name = "s";
    shape.geometry = g;
    check_ok(fender_shape_create(world, id, &shape, NULL, &error));
    fender_geometry_release(g);
}

/* A cube of 4 cm at that place beside the middle of what is ten times as large. */
static fender_world *scene(int kind, fender_vec3 place, double stiffness, bool touch)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 1e-4;
    def.depth_limit = 0; /* none */
    def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    def.gravity.acceleration = fender_vec3_make(0, 0, -9.81);
    fender_error none = {0};
    fender_world *world = fender_world_create(&env, &def, &none);
    assert_non_null(world);
    fender_spring_damper_parameters spring;
    check_ok(fender_spring_damper_parameters_default(&spring, &error));
    spring.stiffness = stiffness;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "t";
    type.normal = fender_law_find(NULL, "spring_damper");
    type.normal_parameters = &spring;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    if (touch) check_ok(fender_rule_create(world, &rule, NULL, &error));
    add(world, "big", FENDER_MOTION_FIXED, fender_vec3_make(0, 0, 0), outer_geometry(&env, kind));
    add(world, "small", FENDER_MOTION_DYNAMIC, place, cube(&env, 0.02));
    return world;
}

static void is_refused_at_the_start(void **state)
{
    (void)state;
    for (int kind = 0; kind < OUTERS; kind++) {
        fender_world *world = scene(kind, fender_vec3_make(0.01, 0.02, 0.1), 1e4, true);
        fender_error failure = {0};
        const fender_status status = fender_world_initialize(world, &failure);
        if (kind == BALL) { /* spheres find it: by the deepest point */
            assert_int_equal(status, FENDER_STATUS_OK);
            assert_true(fender_contact_count(world, FENDER_CLOCK_COMMITTED) > 0);
        } else {
            assert_int_equal(status, FENDER_STATUS_VALUE);
            assert_string_equal(failure.path, "big.s:small.s");
            assert_non_null(strstr(failure.message, "the mesh small.s is inside big.s"));
            assert_non_null(strstr(failure.suggestion, "hull"));
        }
        fender_world_destroy(world);
    }
}

static void is_let_be_elsewhere(void **state)
{
    (void)state;
    for (int kind = 0; kind < OUTERS; kind++) {
        fender_world *world = scene(kind, fender_vec3_make(0.01, 0.02, 0.1), 1e4, false); /* no rule: never */
        check_ok(fender_world_initialize(world, &error));
        fender_world_destroy(world);
        /* across the surface, and beside it: 5 mm in, a little above */
        for (int i = 0; i < 2; i++) {
            world = scene(kind, fender_vec3_make(0.01, 0.02, i ? 0.215 : 0.2201), 1e4, true);
            check_ok(fender_world_initialize(world, &error));
            fender_world_destroy(world);
        }
    }
}

/* While all contacts are switched off it may be anywhere. */
static void is_let_be_without_contacts(void **state)
{
    (void)state;
    fender_world *world = scene(MESH, fender_vec3_make(0.01, 0.02, 0.3), 1e4, true);
    check_ok(fender_world_initialize(world, &error));
    assert_int_equal(fender_world_set_contacts_active(world, false), FENDER_STATUS_OK);
    check_ok(fender_world_advance_to(world, 0.2, &error)); /* 20 cm down */
    check_ok(fender_world_initialize(world, &error));
    fender_world_destroy(world);
}

/* Its spring is a hundredth of what would hold it, and there is no limit of depth: it sinks in. */
static void sinks_in_and_is_missed(void **state)
{
    (void)state;
    for (int kind = 0; kind < OUTERS; kind++) {
        if (kind == BALL) continue;
        fender_world *world = scene(kind, fender_vec3_make(0.01, 0.02, 0.2201), 0.5, true);
        fender_error failure = {0};
        check_ok(fender_world_initialize(world, &error));
        fender_status status = FENDER_STATUS_OK;
        while (!status && fender_world_time(world) < 0.3) status = fender_world_step(world, &failure);
        assert_int_equal(status, FENDER_STATUS_VALUE);
        assert_non_null(strstr(failure.message, "the mesh small.s is inside big.s"));
        /* it was last seen as it went under: in a box as a whole, in a mesh by a third of it */
        fender_body_data body;
        check_ok(fender_body_get(world, fender_body_at(world, 1), FENDER_CLOCK_COMMITTED, &body));
        assert_true(body.position.z + 0.02 > 0.2 - 1e-3 && body.position.z < 0.21);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_refused_at_the_start), cmocka_unit_test(is_let_be_elsewhere),
                                       cmocka_unit_test(is_let_be_without_contacts),
                                       cmocka_unit_test(sinks_in_and_is_missed)};
    return cmocka_run_group_tests_name("what lies within", tests, NULL, NULL);
}
