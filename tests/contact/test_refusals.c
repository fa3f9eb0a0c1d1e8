/* Contact types that are refused: laws in the wrong place, of another version or without parameters, reaches that are
 * none, forces from outside that are none; and what such forces are between and beyond their rows. */
/* items: C029 */
#include "check.h"
#include <string.h>

enum { ARGUMENT = FENDER_STATUS_ARGUMENT, VALUE = FENDER_STATUS_VALUE };

static void any_force(const void *parameters, const fender_contact_input *in, const void *memory,
                      fender_contact_output *out)
{
    (void)parameters, (void)memory;
    out->force.z = in->depth > 0 ? 100 * in->depth : 0;
}

static fender_law own(uint32_t kinds)
{
    return (fender_law){.size = sizeof(fender_law), .kinds = kinds, .name = "own", .doc = "It.", .force = any_force};
}

static fender_world *empty_world(void)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    return world;
}

/* Refused with the status, the field at fault, and a part of what is suggested or expected. */
static void refuse(fender_world *world, const fender_contact_type_def *def, int status, const char *path,
                   const char *hint)
{
    fender_error error = {0};
    assert_int_equal(fender_contact_type_create(world, def, NULL, &error), status);
    assert_string_equal(error.path, path);
    if (!strstr(error.suggestion, hint) && !strstr(error.expected, hint) && !strstr(error.message, hint))
        fail_msg("'%s' is neither in '%s' nor in '%s' nor in '%s'", hint, error.message, error.expected,
                 error.suggestion);
    assert_int_equal(fender_contact_type_count(world), 0);
}

/* Each message says where the law belongs. */
static void laws_in_the_wrong_place(void **state)
{
    (void)state;
    fender_world *world = empty_world();
    const fender_law push = own(FENDER_LAW_NORMAL), whole = own(FENDER_LAW_WHOLE), slip = own(FENDER_LAW_FRICTION),
                     roll = own(FENDER_LAW_ROLLING), twist = own(FENDER_LAW_TWISTING);
    const fender_law *const laws[] = {&whole, &push, &slip, &roll, &twist};
    static const char *const places[] = {"law", "normal", "friction", "rolling", "twisting"};
    for (int place = 0; place < 5; place++)
        for (int i = 0; i < 5; i++) {
            fender_contact_type_def def = fender_contact_type_def_default();
            char hint[40];
            def.name = "type";
            if (i == place) continue;
            if (place == 0) def.law = laws[i];
            else def.normal = place == 1 ? laws[i] : &push;
            if (place == 2) def.friction = laws[i];
            if (place == 3) def.rolling = laws[i];
            if (place == 4) def.twisting = laws[i];
            snprintf(hint, sizeof hint, "use it under '%s'", places[i]);
            refuse(world, &def, ARGUMENT, places[place], hint);
        }
    fender_contact_type_def def = fender_contact_type_def_default();
    def.name = "type";
    refuse(world, &def, ARGUMENT, "law", "one whole law");
    def.law = &whole;
    def.normal = &push;
    refuse(world, &def, ARGUMENT, "law", "one whole law");
    def.normal = NULL;
    def.friction = &slip;
    refuse(world, &def, ARGUMENT, "law", "one whole law");
    def.friction = NULL;
    def.points = (fender_contact_points)9;
    refuse(world, &def, ARGUMENT, "points", "FENDER_CONTACT_POINTS_PATCH");
    fender_world_destroy(world);
}

static void laws_of_another_version(void **state)
{
    (void)state;
    fender_world *world = empty_world();
    fender_contact_type_def def = fender_contact_type_def_default();
    fender_law law = own(FENDER_LAW_WHOLE);
    def.name = "type";
    def.law = &law;
    law.size -= 8;
    refuse(world, &def, ARGUMENT, "law", "a registered law");
    law = own(FENDER_LAW_WHOLE);
    law.force = NULL;
    refuse(world, &def, ARGUMENT, "law", "a registered law");
    /* parameters that are missing, or out of range, by the slot that they are for */
    const fender_law *friction = fender_law_find(NULL, "coulomb");
    const fender_law push = own(FENDER_LAW_NORMAL);
    double numbers[8];
    check_ok(fender_law_parameters_default(friction, numbers, sizeof numbers, &error));
    check_ok(fender_law_parameters_set(friction, numbers, sizeof numbers, "mu", -1, &error));
    def.law = NULL;
    def.normal = &push;
    def.friction = friction;
    refuse(world, &def, ARGUMENT, "friction", "needs parameters");
    def.friction_parameters = numbers;
    refuse(world, &def, VALUE, "friction.mu", "");
    fender_world_destroy(world);
}

static double reach_of[2];
static void any_reach(const void *parameters, double *onset_gap, double *release_gap)
{
    (void)parameters;
    *onset_gap = reach_of[0];
    *release_gap = reach_of[1];
}

static void reaches(void **state)
{
    (void)state;
    fender_world *world = empty_world();
    fender_contact_type_def def = fender_contact_type_def_default();
    fender_law law = own(FENDER_LAW_WHOLE);
    law.activation_distance = any_reach;
    def.name = "type";
    def.law = &law;
    static const double bad[][2] = {{-1, 0}, {0, -1}, {NAN, 0}, {0, NAN}, {INFINITY, 0}, {0, INFINITY}};
    for (int i = 0; i < 6; i++) {
        memcpy(reach_of, bad[i], sizeof reach_of);
        refuse(world, &def, VALUE, "activation_distance", "gaps of 0 m or more");
    }
    /* a contact lasts at least as far as it begins; shapes that are 0.2 m apart show it */
    reach_of[0] = 0.3;
    reach_of[1] = 0.1;
    fender_contact_type_id type;
    check_ok(fender_contact_type_create(world, &def, &type, &error));
    fender_rule_def rule = fender_rule_def_default();
    rule.use = type;
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    fender_env env = fender_env_default();
    fender_geometry *ball = fender_geometry_sphere(&env, 0.5, NULL);
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        fender_shape_def shape = fender_shape_def_default();
        fender_body_id id;
        body.name = i ? "b" : "a";
        body.mass_properties = (fender_mass_properties){1, {0, 0, 0}, fender_mat3_diagonal(1, 1, 1)};
        body.state.position.x = 1.2 * i;
        shape.name = "hull";
        shape.geometry = ball;
        check_ok(fender_body_create(world, &body, &id, &error));
        check_ok(fender_shape_create(world, id, &shape, NULL, &error));
    }
    fender_geometry_release(ball);
    check_ok(fender_world_initialize(world, &error));
    fender_pair_explanation why;
    check_ok(fender_world_explain(world, fender_shape_at(world, 0), fender_shape_at(world, 1), &why));
    assert_true(why.onset_gap == 0.3 && why.release_gap == 0.3);
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    fender_contact contact;
    check_ok(fender_contact_get(world, FENDER_CLOCK_COMMITTED, 0, &contact));
    check_near(contact.depth, -0.2, 1e-15);
    assert_true(!contact.touching && contact.normal_force == 0);
    fender_world_destroy(world);
}

/* ---- forces from outside */

static void tables_that_are_none(void **state)
{
    (void)state;
    fender_world *world = empty_world();
    const fender_law *normal = fender_law_find(NULL, "input");
    assert_non_null(normal);
    static const double times[] = {0, 1}, back[] = {1, 1}, never[] = {0, NAN}, values[] = {1, 2, 3, 4},
                        hole[] = {1, NAN, 3, INFINITY};
    const fender_force_table bad[] = {
        {.times = times, .values = values, .count = -1, .columns = 1},
        {.values = values, .count = 2, .columns = 1},
        {.times = times, .count = 2, .columns = 1},
        {.times = times, .values = values, .count = 2},
        {.times = times, .values = values, .count = 2, .columns = INT32_MAX},
        {.times = times, .values = values, .count = 2, .columns = 1, .after = (fender_signal_after)7},
        {.times = back, .values = values, .count = 2, .columns = 1},
        {.times = never, .values = values, .count = 2, .columns = 1},
        {.times = times, .values = hole, .count = 2, .columns = 1},
    };
    fender_contact_type_def def = fender_contact_type_def_default();
    fender_prescribed_force prescribed_force;
    def.name = "type";
    def.normal = normal;
    def.friction = normal;
    def.prescribed_force = &prescribed_force;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (bad[i].columns != INT32_MAX) { /* which one component may have */
            prescribed_force = (fender_prescribed_force){.normal = bad[i]};
            refuse(world, &def, VALUE, "prescribed_force.normal", "finite forces in columns");
        }
        prescribed_force = (fender_prescribed_force){.friction = bad[i]};
        refuse(world, &def, VALUE, "prescribed_force.friction", "finite forces in columns");
    }
    fender_world_destroy(world);
}

/* The force on a sphere that a plane touches, at times before, in, between and after the rows. */
static double normal_at(double time, fender_signal_after after)
{
    static const double times[] = {1, 2, 3, 5}, values[] = {10, 20, 0, 8};
    const fender_prescribed_force prescribed_force = {
        .normal = {.times = times, .values = values, .count = 4, .columns = 1, .after = after}};
    fender_env env = fender_env_default();
    fender_world_def world_def = fender_world_def_default();
    world_def.start_time = time;
    fender_world *world = fender_world_create(&env, &world_def, NULL);
    fender_contact_type_def type = fender_contact_type_def_default();
    fender_rule_def rule = fender_rule_def_default();
    type.name = "type";
    type.normal = fender_law_find(NULL, "input");
    type.prescribed_force = &prescribed_force;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    fender_geometry *shapes[] = {fender_geometry_plane(&env, NULL), fender_geometry_sphere(&env, 0.5, NULL)};
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        fender_shape_def shape = fender_shape_def_default();
        fender_body_id id;
        body.name = i ? "ball" : "ground";
        body.motion = i ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_FIXED;
        body.mass_properties = (fender_mass_properties){1, {0, 0, 0}, fender_mat3_diagonal(1, 1, 1)};
        body.state.position.z = 0.49 * i;
        shape.name = "hull";
        shape.geometry = shapes[i];
        check_ok(fender_body_create(world, &body, &id, &error));
        check_ok(fender_shape_create(world, id, &shape, NULL, &error));
        fender_geometry_release(shapes[i]);
    }
    check_ok(fender_world_initialize(world, &error));
    fender_contact contact;
    check_ok(fender_contact_get(world, FENDER_CLOCK_COMMITTED, 0, &contact));
    fender_world_destroy(world);
    return contact.normal_force;
}

static void between_and_beyond_rows(void **state)
{
    (void)state;
    const fender_signal_after hold = FENDER_AFTER_HOLD, zero = FENDER_AFTER_ZERO;
    check_near(normal_at(0.5, hold), 0, 0);
    check_near(normal_at(1, hold), 10, 0);
    check_near(normal_at(1.25, hold), 12.5, 1e-14);
    check_near(normal_at(2.5, hold), 10, 1e-14);
    check_near(normal_at(4, zero), 4, 1e-14);
    check_near(normal_at(5, zero), 8, 0); /* the last row itself still holds */
    check_near(normal_at(6, zero), 0, 0);
    check_near(normal_at(6, hold), 8, 0);
}

/* ---- types that batches of batched contacts do not take say the same as those that they do */

typedef enum oddity { QUICK, ROLLS, PULLS, PROVIDED, TURNED_X, TURNED_Y, TURNED_Z, ODDITIES } oddity;

/* A sphere that spins and slides on a plane for some steps. */
static fender_body_data after_sliding(oddity odd, fender_vec3 spin)
{
    static const double times[] = {0}, none[] = {0};
    const fender_prescribed_force prescribed_force = {.normal = {times, none, 1, 1, FENDER_AFTER_HOLD}};
    fender_env env = fender_env_default();
    fender_world_def world_def = fender_world_def_default();
    world_def.step = 1e-3;
    world_def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -9.8}, 0, {0, 0, 0}};
    fender_world *world = fender_world_create(&env, &world_def, NULL);
    const fender_law *push = fender_law_find(NULL, "spring_damper"),
                     *roll = fender_law_find(NULL, "rolling_resistance");
    double numbers[32], rolling[32];
    fender_contact_type_def type = fender_contact_type_def_default();
    fender_rule_def rule = fender_rule_def_default();
    type.name = "type";
    type.normal = push;
    type.normal_parameters = numbers;
    check_ok(fender_law_parameters_default(push, numbers, sizeof numbers, &error));
    check_ok(fender_law_parameters_set(push, numbers, sizeof numbers, "stiffness", 1e4, &error));
    check_ok(fender_law_parameters_set(push, numbers, sizeof numbers, "mu", 0.3, &error));
    if (odd == PULLS) check_ok(fender_law_parameters_set(push, numbers, sizeof numbers, "sense", 1, &error));
    if (odd == ROLLS) {
        check_ok(fender_law_parameters_default(roll, rolling, sizeof rolling, &error));
        for (int i = 0; i < roll->parameters.count; i++) /* of no resistance */
            if (fender_field_at(&roll->parameters, i)->flags & FENDER_FIELD_REQUIRED)
                fender_field_set(fender_field_at(&roll->parameters, i), rolling, 0, 0);
        type.rolling = roll;
        type.rolling_parameters = rolling;
    }
    if (odd == PROVIDED) type.prescribed_force = &prescribed_force;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    fender_geometry *shapes[] = {fender_geometry_plane(&env, NULL), fender_geometry_sphere(&env, 0.5, NULL)};
    fender_body_id id;
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        fender_shape_def shape = fender_shape_def_default();
        body.name = i ? "ball" : "ground";
        body.motion = i ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_FIXED;
        body.mass_properties = (fender_mass_properties){1, {0, 0, 0}, fender_mat3_diagonal(0.1, 0.1, 0.1)};
        body.state.position.z = 0.499 * i;
        body.state.velocity.x = i;
        if (i) body.state.angular_velocity = spin;
        shape.name = "hull";
        shape.geometry = shapes[i];
        /* a sphere that is turned on its body is the same ball */
        const double turn = i && odd >= TURNED_X ? sqrt(0.5) : 0;
        shape.X_SG.q = (fender_quaternion){turn > 0 ? turn : 1, odd == TURNED_X ? turn : 0, odd == TURNED_Y ? turn : 0,
                                           odd == TURNED_Z ? turn : 0};
        check_ok(fender_body_create(world, &body, &id, &error));
        check_ok(fender_shape_create(world, id, &shape, NULL, &error));
        fender_geometry_release(shapes[i]);
    }
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 20, &error));
    fender_body_data data;
    check_ok(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &data));
    fender_world_destroy(world);
    return data;
}

static void batches(void **state)
{
    (void)state;
    const fender_vec3 spins[] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}};
    for (int s = 0; s < 4; s++) {
        const fender_body_data quick = after_sliding(QUICK, spins[s]);
        assert_true(quick.velocity.x < 1 || s == 2); /* friction brakes it, unless it rolls backward */
        for (int odd = ROLLS; odd < ODDITIES; odd++) {
            const fender_body_data data = after_sliding((oddity)odd, spins[s]);
            if (odd == PULLS) {
                assert_true(data.velocity.z < quick.velocity.z); /* it is pulled in, not pushed out */
                continue;
            }
            check_vector(data.position, quick.position, 0);
            check_vector(data.velocity, quick.velocity, 0);
            check_vector(data.angular_velocity, quick.angular_velocity, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_in_the_wrong_place), cmocka_unit_test(laws_of_another_version), cmocka_unit_test(reaches),
        cmocka_unit_test(tables_that_are_none),    cmocka_unit_test(between_and_beyond_rows), cmocka_unit_test(batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
