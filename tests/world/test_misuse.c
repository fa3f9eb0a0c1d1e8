/* Wrong calls: a status, an explanation, and nothing changed. */
#include "check.h"
#include "scene.h"
#include <string.h>

static scene two(void)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1000, 10, 0.1, 1e-3, 0});
    s.body_count = 2;
    s.bodies[0] = scene_ball(0, 1, 1);
    s.bodies[1] = scene_ball(1, 1, 1);
    s.bodies[1].state.position.x = 1.95;
    return s;
}

/* `call` must give `status` (its error in `fault`) and leave the hash and readiness of `world` alone. */
#define refused(call, wanted)                                                      \
    do {                                                                           \
        fender_error fault = {0};                                                  \
        uint64_t hash = fender_world_hash(world);                                  \
        int bodies = fender_body_count(world), shapes = fender_shape_count(world); \
        assert_int_equal((call), (wanted));                                        \
        assert_int_equal(fault.status, (wanted));                                  \
        assert_true(fault.count == 1 && strlen(fault.message) > 0);                \
        assert_true(fender_world_hash(world) == hash);                             \
        assert_int_equal(fender_body_count(world), bodies);                        \
        assert_int_equal(fender_shape_count(world), shapes);                       \
        check_ok(fender_world_step(world, &error));                                \
    } while (0)

/* Times to which a world cannot be advanced. */
static void times(void **state)
{
    (void)state;
    scene s = two();
    fender_world *world = scene_build(&s);
    check_ok(fender_world_advance(world, 3, &error));
    const double wrong[] = {NAN, INFINITY, -INFINITY, 0};
    for (int i = 0; i < 4; i++) {
        fender_error fault = {0};
        assert_int_equal(fender_world_advance_to(world, wrong[i], &fault), FENDER_STATUS_VALUE);
        assert_string_equal(fault.message, i < 3 ? "the time is not finite" : "the time is in the past");
        assert_non_null(strstr(fault.expected, "from 0.0"));
    }
    fender_world_destroy(world);
}

/* Tables whose arrays are missing, and numbers outside their enumerations. */
static void missing_arrays(void **state)
{
    (void)state;
    scene s = two();
    fender_world *world = scene_build(&s);
    fender_body_def body = fender_body_def_default();
    const double times[2] = {0, 1};
    const fender_vec3 places[2] = {{0, 0, 0}, {1, 0, 0}};
    body.name = "walker";
    body.motion = FENDER_MOTION_PRESCRIBED;
    body.path.count = 2;
    for (int given = 0; given < 3; given++) {
        body.path.times = given == 1 ? times : NULL;
        body.path.positions = given == 2 ? places : NULL;
        refused(fender_body_create(world, &body, NULL, &fault), FENDER_STATUS_VALUE);
    }
    body.path.times = times;
    body.path.positions = places;
    body.path.count = -1;
    refused(fender_body_create(world, &body, NULL, &fault), FENDER_STATUS_VALUE);

    fender_load_def load = fender_load_def_default();
    load.name = "push";
    load.body = fender_body_at(world, 0);
    load.force.kind = FENDER_SIGNAL_TABLE;
    load.force.times = times;
    load.force.values = places;
    load.force.count = 2;
    load.force.after = (fender_signal_after)9;
    refused(fender_load_create(world, &load, NULL, &fault), FENDER_STATUS_VALUE);

    fender_link_def link = fender_link_def_default();
    const fender_link_strut leg = {
        .free_length = 1, .stroke = INFINITY, .crush_force = INFINITY, .crush_stroke = INFINITY, .limit = INFINITY};
    fender_point_id *ends[2] = {&link.a, &link.b};
    for (int i = 0; i < 2; i++)
        check_ok(fender_point_create(world, fender_body_at(world, i), "end", fender_pose_identity(), ends[i], &error));
    link.name = "leg";
    link.law = FENDER_LINK_STRUT;
    link.parameters = &leg;
    link.curve_count = 2;
    refused(fender_link_create(world, &link, NULL, &fault), FENDER_STATUS_VALUE);

    fender_error why = {0}; /* a chain of constructors: the first failure is told */
    fender_env env = fender_env_default();
    assert_null(fender_geometry_rounded(fender_geometry_disk(&env, -1, &why), 0.1, &why));
    assert_non_null(strstr(why.message, "disk"));
    assert_int_equal(why.count, 2);
    fender_world_destroy(world);
}

static void definitions(void **state)
{
    (void)state;
    scene s = two();
    fender_world *world = scene_build(&s);
    fender_body_def body = fender_body_def_default();
    body.mass_properties.mass = 1;
    body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
    static const char *const names[] = {NULL, "", "body0", "a b"};
    for (int i = 0; i < 4; i++) {
        body.name = names[i];
        refused(fender_body_create(world, &body, NULL, &fault), FENDER_STATUS_NAME);
    }
    body.name = "good";
    body.mass_properties.mass = -1;
    refused(fender_body_create(world, &body, NULL, &fault), FENDER_STATUS_VALUE);

    fender_env env = fender_env_default();
    fender_geometry *ball = fender_geometry_sphere(&env, 1, NULL);
    fender_shape_def shape = fender_shape_def_default();
    fender_body_id first = fender_body_at(world, 0), stale = {7, 1, 1}, foreign = {1, 2, 1}, null = {0};
    shape.name = "shape0";
    shape.geometry = ball;
    refused(fender_shape_create(world, first, &shape, NULL, &fault), FENDER_STATUS_NAME);
    shape.name = "good";
    refused(fender_shape_create(world, stale, &shape, NULL, &fault), FENDER_STATUS_STALE_ID);
    refused(fender_shape_create(world, foreign, &shape, NULL, &fault), FENDER_STATUS_STALE_ID);
    refused(fender_shape_create(world, null, &shape, NULL, &fault), FENDER_STATUS_STALE_ID);
    shape.material = (fender_material_id){55, 1, 1};
    refused(fender_shape_create(world, first, &shape, NULL, &fault), FENDER_STATUS_STALE_ID);
    shape.material = (fender_material_id){0};
    shape.X_SG.q = (fender_quaternion){0, 0, 0, 0};
    refused(fender_shape_create(world, first, &shape, NULL, &fault), FENDER_STATUS_VALUE);
    shape.X_SG = fender_pose_identity();
    shape.geometry = NULL;
    refused(fender_shape_create(world, first, &shape, NULL, &fault), FENDER_STATUS_ARGUMENT);
    fender_geometry_release(ball);

    struct {
        double stiffness, damping, mu, slip_speed;
        int sense;
    } parameters = {-1, 0, 0, 1e-3, 0};
    const fender_law *spring = fender_law_find(NULL, "spring_damper"), *coulomb = fender_law_find(NULL, "coulomb");
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "bad", .law = spring, .law_parameters = &parameters};
    refused(fender_contact_type_create(world, &type, NULL, &fault), FENDER_STATUS_VALUE);
    parameters.stiffness = 1;
    parameters.slip_speed = 0;
    refused(fender_contact_type_create(world, &type, NULL, &fault), FENDER_STATUS_VALUE);
    parameters.slip_speed = 1;
    type.law_parameters = NULL;
    refused(fender_contact_type_create(world, &type, NULL, &fault), FENDER_STATUS_ARGUMENT);
    type = (fender_contact_type_def){.size = sizeof(fender_contact_type_def), .name = "bad"};
    refused(fender_contact_type_create(world, &type, NULL, &fault), FENDER_STATUS_ARGUMENT);
    type.law = coulomb, type.law_parameters = &parameters;
    refused(fender_contact_type_create(world, &type, NULL, &fault), FENDER_STATUS_ARGUMENT);
    type = (fender_contact_type_def){.size = sizeof(fender_contact_type_def),
                                     .name = "bad",
                                     .law = spring,
                                     .law_parameters = &parameters,
                                     .friction = coulomb,
                                     .friction_parameters = &parameters};
    refused(fender_contact_type_create(world, &type, NULL, &fault), FENDER_STATUS_ARGUMENT);
    type = (fender_contact_type_def){
        .size = sizeof(fender_contact_type_def), .name = "type0", .law = spring, .law_parameters = &parameters};
    refused(fender_contact_type_create(world, &type, NULL, &fault), FENDER_STATUS_NAME);

    fender_rule_def rule = {
        .size = sizeof(fender_rule_def), .kind = FENDER_RULE_BODIES, .body_a = first, .body_b = stale};
    refused(fender_rule_create(world, &rule, NULL, &fault), FENDER_STATUS_STALE_ID);
    rule = (fender_rule_def){.size = sizeof(fender_rule_def),
                             .kind = FENDER_RULE_BODIES,
                             .body_a = first,
                             .body_b = first,
                             .use = {9, 1, 0}};
    refused(fender_rule_create(world, &rule, NULL, &fault), FENDER_STATUS_STALE_ID);
    rule.kind = (fender_rule_kind)9;
    refused(fender_rule_create(world, &rule, NULL, &fault), FENDER_STATUS_STALE_ID);

    fender_load_def load = fender_load_def_default();
    load.name = "push";
    load.body = stale;
    refused(fender_load_create(world, &load, NULL, &fault), FENDER_STATUS_STALE_ID);
    load.body = first;
    load.force = (fender_signal){.kind = FENDER_SIGNAL_RAMP, .rate = 1};
    refused(fender_load_create(world, &load, NULL, &fault), FENDER_STATUS_VALUE);
    const double times[] = {0, 0};
    const fender_vec3 values[] = {{0, 0, 0}, {1, 0, 0}};
    load.force = (fender_signal){.kind = FENDER_SIGNAL_TABLE, .times = times, .values = values, .count = 2};
    refused(fender_load_create(world, &load, NULL, &fault), FENDER_STATUS_VALUE);
    load.name = "";
    refused(fender_load_create(world, &load, NULL, &fault), FENDER_STATUS_NAME);
    refused(fender_material_create(world, "steel", NULL, &fault), FENDER_STATUS_NAME);
    fender_world_destroy(world);
}

static void states(void **state)
{
    (void)state;
    scene s = two();
    fender_world *world = scene_build(&s);
    double y[2 * FENDER_STATE_PER_BODY];
    fender_world_get_state(world, y);
    refused(fender_world_commit(world, &fault), FENDER_STATUS_STATE); /* nothing was set */
    fender_world_get_state(world, y);
    y[4] = NAN;
    refused(fender_world_set_state(world, 1, y, &fault), FENDER_STATUS_NOT_FINITE);
    fender_world_get_state(world, y);
    y[3] = y[4] = y[5] = y[6] = 0;
    refused(fender_world_set_state(world, 1, y, &fault), FENDER_STATUS_NOT_FINITE);
    fender_world_get_state(world, y);
    refused(fender_world_set_state(world, INFINITY, y, &fault), FENDER_STATUS_VALUE);
    fender_world_get_state(world, y);
    check_ok(fender_world_set_state(world, fender_world_time(world) - 1, y, &error));
    refused(fender_world_commit(world, &fault), FENDER_STATUS_VALUE); /* backwards */
    fender_body_state b = s.bodies[0].state;
    b.velocity.x = NAN;
    refused(fender_body_set_state(world, fender_body_at(world, 0), &b, &fault), FENDER_STATUS_VALUE);
    refused(fender_body_set_state(world, (fender_body_id){3, 1, 1}, &b, &fault), FENDER_STATUS_STALE_ID);
    fender_world_destroy(world);
}

static void stale_ids(void **state)
{
    (void)state;
    scene s = two();
    fender_world *world = scene_build(&s);
    const uint16_t own = fender_body_at(world, 0).world;
    const uint32_t wrong[][2] = {{0, 0}, {0, 1}, {3, 1}, {1, 0}, {1, 2}, {UINT32_MAX, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fender_body_id body = {wrong[i][0], own, (uint16_t)wrong[i][1]};
        fender_shape_id shape = {wrong[i][0], own, (uint16_t)wrong[i][1]}, good = fender_shape_at(world, 0), found;
        fender_body_data data;
        fender_body_def body_def;
        fender_shape_def shape_def;
        fender_contact_data contact;
        fender_pair_explanation why;
        bool active;
        assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_STALE_ID);
        assert_int_equal(fender_body_get_def(world, body, &body_def), FENDER_STATUS_STALE_ID);
        assert_null(fender_body_name(world, body));
        assert_int_equal(fender_shape_find(world, body, "shape0", &found), FENDER_STATUS_STALE_ID);
        assert_null(fender_shape_name(world, shape));
        assert_int_equal(fender_shape_body(world, shape).index1, 0);
        assert_int_equal(fender_shape_get_def(world, shape, &shape_def), FENDER_STATUS_STALE_ID);
        assert_int_equal(fender_shape_set_active(world, shape, false), FENDER_STATUS_STALE_ID);
        assert_int_equal(fender_contact_between(world, good, shape, &contact), FENDER_STATUS_STALE_ID);
        assert_int_equal(fender_world_explain(world, shape, good, &why), FENDER_STATUS_STALE_ID);
        assert_int_equal(
            fender_load_is_active(world, (fender_load_id){wrong[i][0], own, (uint16_t)wrong[i][1]}, &active),
            FENDER_STATUS_STALE_ID);
        assert_int_equal(fender_load_set_active(world, (fender_load_id){wrong[i][0], own, (uint16_t)wrong[i][1]}, true),
                         FENDER_STATUS_STALE_ID);
        if (wrong[i][0] < 2) continue; /* there is one contact type, and three materials */
        fender_contact_type_def type;
        assert_int_equal(fender_contact_type_get_def(
                             world, (fender_contact_type_id){wrong[i][0], own, (uint16_t)wrong[i][1]}, &type),
                         FENDER_STATUS_STALE_ID);
        fender_rule_def rule;
        assert_int_equal(fender_rule_get_def(world, (fender_rule_id){wrong[i][0], own, (uint16_t)wrong[i][1]}, &rule),
                         FENDER_STATUS_STALE_ID);
    }
    assert_int_equal(fender_body_at(world, 2).index1, 0);
    assert_int_equal(fender_body_at(world, -1).index1, 0);
    assert_int_equal(fender_shape_at(world, 2).index1, 0);
    fender_body_id id;
    fender_contact_data contact;
    assert_int_equal(fender_body_find(world, "nobody", &id), FENDER_STATUS_NAME);
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 1, &contact), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, -1, &contact), FENDER_STATUS_ARGUMENT);
    fender_shape_id same = fender_shape_at(world, 0);
    assert_int_equal(fender_contact_between(world, same, same, &contact), FENDER_STATUS_ARGUMENT);
    fender_world_destroy(world);
}

/* Before initialize, and after something was created, nothing moves. */
static void not_ready(void **state)
{
    (void)state;
    scene s = two();
    fender_env env = fender_env_default();
    fender_world *world = scene_build_with(&s, &env, NULL, false);
    for (int k = 0; k < 2; k++) {
        double y[2 * FENDER_STATE_PER_BODY] = {0};
        fender_contact_data contact;
        assert_int_equal(fender_world_step(world, NULL), FENDER_STATUS_STATE);
        assert_int_equal(fender_world_advance(world, 3, NULL), FENDER_STATUS_STATE);
        assert_int_equal(fender_world_set_state(world, 0, y, NULL), FENDER_STATUS_STATE);
        assert_int_equal(fender_world_derivative(world, y, NULL), FENDER_STATUS_STATE);
        assert_int_equal(fender_world_evaluate(world, NULL), FENDER_STATUS_STATE);
        assert_int_equal(fender_world_commit(world, NULL), FENDER_STATUS_STATE);
        assert_null(fender_snapshot_take(world, NULL));
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &contact), FENDER_STATUS_STATE);
        assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 0);
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_step(world, &error));
        if (k == 1) break;
        fender_body_def body = fender_body_def_default();
        body.name = "late";
        body.motion = FENDER_MOTION_FIXED;
        check_ok(fender_body_create(world, &body, NULL, &error));
    }
    fender_world_destroy(world);
}

static void world_definitions(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    const double steps[] = {0, -1, NAN, INFINITY};
    fender_error error = {0};
    for (int i = 0; i < 4; i++) {
        fender_world_def def = fender_world_def_default();
        def.step = steps[i];
        error = (fender_error){0};
        assert_null(fender_world_create(&env, &def, &error));
        assert_int_equal(error.status, FENDER_STATUS_VALUE);
        assert_string_equal(error.path, "integrator.step");
    }
    fender_world_def def = fender_world_def_default();
    def.method = (fender_integrator_method)7;
    assert_null(fender_world_create(&env, &def, NULL));
    def = fender_world_def_default();
    def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_POINT_MASS, .mu = 0};
    assert_null(fender_world_create(&env, &def, NULL));
    def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {NAN, 0, 0}};
    assert_null(fender_world_create(&env, &def, NULL));
    def = fender_world_def_default();
    def.contact_limit_factor = -1;
    assert_null(fender_world_create(&env, &def, NULL));
    def = fender_world_def_default();
    def.start_time = NAN;
    assert_null(fender_world_create(&env, &def, NULL));
    assert_null(fender_world_create(&env, NULL, NULL));
    assert_null(fender_world_create(NULL, &def, NULL));
    fender_world_destroy(NULL);
    assert_null(fender_geometry_sphere(&env, -1, NULL));
    assert_null(fender_geometry_sphere(&env, NAN, NULL));
    assert_null(fender_geometry_capsule(&env, 1, INFINITY, NULL));
}

/* A run that goes to infinity stops with the last good state, which can still be read in full. */
static void not_finite(void **state)
{
    (void)state;
    scene s = two();
    fender_world *world = scene_build(&s);
    fender_load_def load = fender_load_def_default();
    load.name = "far_too_much";
    load.body = fender_body_at(world, 1);
    load.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0, 1e308, 0}};
    check_ok(fender_load_create(world, &load, NULL, &error));
    fender_status status = FENDER_STATUS_OK;
    uint64_t hash = 0;
    fender_body_data before, after;
    fender_error error = {0};
    for (int i = 0; i < 1000 && !status; i++) {
        hash = fender_world_hash(world);
        before = scene_body_data(world, 0);
        status = fender_world_step(world, &error);
    }
    assert_int_equal(status, FENDER_STATUS_NOT_FINITE);
    assert_true(strstr(error.message, "step") && strlen(error.suggestion) > 0);
    assert_true(fender_world_hash(world) == hash);
    after = scene_body_data(world, 0);
    assert_memory_equal(&before, &after, sizeof before); /* also the wrenches of the last stage */
    assert_true(fender_vec3_is_finite(after.position) && fender_vec3_is_finite(after.velocity));
    double rate[2 * FENDER_STATE_PER_BODY];
    assert_int_equal(fender_world_derivative(world, rate, NULL), FENDER_STATUS_OK);
    assert_true(fender_world_step(world, NULL) == FENDER_STATUS_NOT_FINITE && fender_world_hash(world) == hash);
    fender_world_destroy(world);
}

/* What must not be NULL answers ARGUMENT and changes nothing; so do numbers that make no sense. */
static void missing(void **state)
{
    (void)state;
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 100, 1, 0, 1e-3, 0});
    s.body_count = 2;
    for (int i = 0; i < 2; i++) s.bodies[i] = scene_ball(i, 1, 1);
    s.bodies[1].state.position.x = 1.9;
    fender_world *world = scene_build(&s);
    uint64_t hash = fender_world_hash(world);
    fender_body_id body = fender_body_at(world, 0);
    fender_body_def def = fender_body_def_default();
    fender_body_data data;
    fender_contact_data contact;
    const fender_status argument = FENDER_STATUS_ARGUMENT;
    fender_error error = {0};
    assert_int_equal(fender_body_create(NULL, &def, NULL, &error), argument);
    assert_true(error.status == argument && strlen(error.suggestion) > 0);
    assert_int_equal(fender_body_create(world, NULL, NULL, NULL), argument);
    assert_int_equal(fender_world_initialize(NULL, NULL), argument);
    assert_int_equal(fender_world_step(NULL, NULL), argument);
    assert_int_equal(fender_world_advance(world, -1, NULL), argument);
    assert_int_equal(fender_body_get(world, body, FENDER_CLOCK_COMMITTED, NULL), argument);
    assert_int_equal(fender_body_get(world, body, (fender_clock)5, &data), argument);
    assert_int_equal(fender_contact_at(world, (fender_clock)5, 0, &contact), argument);
    assert_int_equal(fender_contact_between(world, fender_shape_at(world, 0), fender_shape_at(world, 1), NULL),
                     argument);
    assert_int_equal(fender_body_set_state(world, body, NULL, NULL), argument);
    assert_int_equal(fender_world_set_state(world, 1, NULL, NULL), argument);
    assert_int_equal(fender_world_derivative(world, NULL, NULL), argument);
    assert_int_equal(fender_snapshot_restore(world, NULL, NULL), argument);
    assert_null(fender_snapshot_take(NULL, NULL));
    assert_true(fender_world_hash(world) == hash);
    fender_env env = fender_env_default();
    fender_world_def odd = fender_world_def_default();
    odd.gravity.kind = (fender_gravity_kind)9;
    assert_null(fender_world_create(&env, &odd, NULL));
    fender_world_destroy(world);
}

/* A law whose power is NaN, or whose spring is too stiff for the step: the contact is named, with what would help. */
static void lossy_force(const void *parameters, const fender_contact_input *in, const void *memory,
                        fender_contact_output *out)
{
    (void)parameters, (void)memory;
    out->force.z = in->depth;
    out->damping_power = NAN;
}
static void culprit(void **state)
{
    (void)state;
    scene s = scene_with_type((scene_type){SCENE_JEOD_SPRING, 1e307, 0, 0, 1e-3, 0});
    s.body_count = 2;
    for (int i = 0; i < 2; i++) s.bodies[i] = scene_ball(i, 1, 1);
    s.bodies[1].state.position.x = 1.5;
    fender_world *world = scene_build(&s);
    fender_error fault = {0};
    assert_int_equal(fender_world_step(world, &fault), FENDER_STATUS_NOT_FINITE);
    assert_string_equal(fault.path, "body0.shape0:body1.shape0");
    assert_non_null(strstr(fault.found, "law jeod_spring"));
    assert_non_null(strstr(fault.suggestion, "integrator.step="));
    fender_world_destroy(world);

    static const fender_law lossy = {
        .size = sizeof(fender_law), .kinds = FENDER_LAW_WHOLE, .name = "lossy", .doc = "", .force = lossy_force};
    fender_env env = fender_env_default();
    s = scene_with_type((scene_type){SCENE_JEOD_SPRING, 1, 0, 0, 1e-3, 0});
    s.rule_count = 0;
    s.body_count = 2;
    for (int i = 0; i < 2; i++) s.bodies[i] = scene_ball(i, 1, 1);
    s.bodies[1].state.position.x = 2.05;
    s.bodies[1].state.velocity.x = -1;
    world = scene_build_with(&s, &env, NULL, false);
    fender_contact_type_def type = {.size = sizeof(fender_contact_type_def), .name = "own", .law = &lossy};
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    fault = (fender_error){0};
    fender_status status = FENDER_STATUS_OK;
    while (!status && fender_world_time(world) < 1) status = fender_world_step(world, &fault);
    assert_int_equal(status, FENDER_STATUS_NOT_FINITE);
    assert_string_equal(fault.path, "body0.shape0:body1.shape0");
    assert_non_null(strstr(fault.found, "law lossy (contact type own)"));
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions),       cmocka_unit_test(states),
        cmocka_unit_test(stale_ids),         cmocka_unit_test(not_ready),
        cmocka_unit_test(world_definitions), cmocka_unit_test(not_finite),
        cmocka_unit_test(missing),           cmocka_unit_test(culprit),
        cmocka_unit_test(missing_arrays),    cmocka_unit_test(times),
    };
    return cmocka_run_group_tests_name("misuse", tests, NULL, NULL);
}
