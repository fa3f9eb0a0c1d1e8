/* Snapshots: what follows a restore is bit for bit what would have followed. */
#include "check.h"
#include "scene.h"
#include <string.h>

static const unsigned every_law = 1u << SCENE_JEOD_SPRING | 1u << SCENE_SPRING_DAMPER | 1u << SCENE_NORMAL_AND_COULOMB;
enum { STEPS = 300 };

static scene scene_of(uint64_t n)
{
    random_stream r = random_of_case(121, n);
    scene s = scene_random(&r, 2, 5, every_law);
    s.world.step = 4e-3;
    if (n % 3 == 2) s.world.method = FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER;
    if (n % 3 == 1) s.world.method = FENDER_INTEGRATOR_VELOCITY_VERLET;
    if (n % 2) scene_crowd(&s, &r);
    return s;
}

/* The hash after every step, and again after the restore at a random moment. */
static void same_bits(void **state)
{
    (void)state;
    int in_contact = 0;
    for (uint64_t n = 0; n < 200; n++) {
        scene s = scene_of(n);
        random_stream r = random_of_case(122, n);
        int moment = random_below(&r, STEPS - 50);
        fender_world *world = scene_build(&s), *second = scene_build(&s);
        uint64_t hashes[STEPS + 1];
        fender_snapshot *snapshot = NULL;
        fender_ledger ledger[3];
        fender_vec3 last_stage = {0, 0, 0};
        for (int i = 0; i <= STEPS; i++) {
            hashes[i] = fender_world_hash(world);
            if (i == moment) {
                snapshot = fender_snapshot_take(world, NULL);
                assert_non_null(snapshot);
                assert_true(fender_world_hash(world) == hashes[i]); /* taking changes nothing */
                last_stage = scene_body_data(world, 0).contact_force_last_stage;
                in_contact += fender_contact_count(world, FENDER_CLOCK_COMMITTED) > 0;
            }
            if (i < STEPS) check_ok(fender_world_step(world, &error));
        }
        fender_world_ledger(world, &ledger[0]);
        /* into the same world, and into another one built alike that has gone elsewhere meanwhile */
        check_ok(fender_world_advance(second, random_below(&r, 100), &error));
        fender_world *both[2] = {world, second};
        for (int k = 0; k < 2; k++) {
            check_ok(fender_snapshot_restore(both[k], snapshot, &error));
            assert_int_equal(fender_world_step_count(both[k]), moment);
            check_vector(scene_body_data(both[k], 0).contact_force_last_stage, last_stage, 0);
            for (int i = moment; i <= STEPS; i++) {
                if (fender_world_hash(both[k]) != hashes[i]) fail_msg("case %d world %d step %d", (int)n, k, i);
                if (i < STEPS) check_ok(fender_world_step(both[k], &error));
            }
            fender_world_ledger(both[k], &ledger[1 + k]);
            check_near(ledger[1 + k].residual, ledger[0].residual, 0);
            check_near(ledger[1 + k].linear_drift, ledger[0].linear_drift, 0);
            check_near(ledger[1 + k].damping, ledger[0].damping, 0);
        }
        fender_snapshot_destroy(snapshot);
        fender_world_destroy(world);
        fender_world_destroy(second);
    }
    printf("snapshots: %d of 200 taken during contact\n", in_contact);
    assert_true(in_contact > 50);
}

/* One unit in the last place of one number of the state changes the hash. */
static void hash_sees_one_bit(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 100; n++) {
        scene s = scene_of(n);
        random_stream r = random_of_case(123, n);
        fender_world *worlds[2];
        int at;
        do at = random_below(&r, s.body_count * FENDER_STATE_PER_BODY);
        while (at % FENDER_STATE_PER_BODY >= 3 && at % FENDER_STATE_PER_BODY < 7); /* a quaternion is normalised */
        for (int k = 0; k < 2; k++) {
            double y[SCENE_BODIES * FENDER_STATE_PER_BODY];
            worlds[k] = scene_build(&s);
            fender_world_get_state(worlds[k], y);
            if (k) y[at] = nextafter(y[at], 10);
            check_ok(fender_world_set_state(worlds[k], 0, y, &error));
            check_ok(fender_world_commit(worlds[k], &error));
        }
        assert_true(fender_world_hash(worlds[0]) != fender_world_hash(worlds[1]));
        fender_world_destroy(worlds[0]);
        fender_world_destroy(worlds[1]);
    }
}

/* advance(n) is n times step. */
static void advance_is_steps(void **state)
{
    (void)state;
    scene s = scene_of(1);
    fender_world *one = scene_build(&s), *other = scene_build(&s);
    check_ok(fender_world_advance(one, 123, &error));
    for (int i = 0; i < 123; i++) check_ok(fender_world_step(other, &error));
    assert_true(fender_world_hash(one) == fender_world_hash(other));
    check_near(fender_world_time(one), 123 * s.world.step, 0);
    fender_world_destroy(one);
    fender_world_destroy(other);
}

static void another_structure(void **state)
{
    (void)state;
    scene s = scene_of(0), t = s;
    t.bodies[0].shape_count = s.bodies[0].shape_count == 1 ? 2 : 1;
    t.bodies[0].shapes[1] = t.bodies[0].shapes[0];
    fender_world *one = scene_build(&s), *other = scene_build(&t);
    fender_snapshot *snapshot = fender_snapshot_take(one, NULL);
    uint64_t hash = fender_world_hash(other);
    fender_error error = {0};
    assert_int_equal(fender_snapshot_restore(other, snapshot, &error), FENDER_STATUS_ARGUMENT);
    assert_true(fender_world_hash(other) == hash);
    t = s;
    t.world.step *= 2;
    fender_world_destroy(other);
    other = scene_build(&t);
    assert_int_equal(fender_snapshot_restore(other, snapshot, NULL), FENDER_STATUS_ARGUMENT);
    fender_snapshot_destroy(snapshot);
    fender_snapshot_destroy(NULL);
    fender_world_destroy(one);
    fender_world_destroy(other);
}

/* A ball that slides over the top of a fixed one, with a stick speed that is left to the world. */
static fender_world *sliding(bool given)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 2e4, 100, 0, 1e-3, 0});
    s.world.step = 2e-3;
    s.world.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {0, 0, -1.62}};
    s.body_count = 2;
    s.bodies[0] = scene_ball(0, 1, 5);
    s.bodies[0].motion = FENDER_MOTION_FIXED;
    s.bodies[1] = scene_ball(1, 10, 0.5);
    s.bodies[1].state.position.z = 5.5;
    s.bodies[1].state.velocity.x = 0.02;
    const fender_env env = fender_env_default();
    fender_world *world = scene_build_with(&s, &env, NULL, false);
    fender_spring_damper_parameters push;
    fender_coulomb_static_kinetic_parameters grip;
    check_ok(fender_spring_damper_parameters_default(&push, &error));
    check_ok(fender_coulomb_static_kinetic_parameters_default(&grip, &error));
    push.stiffness = 2e4, push.damping = 100;
    grip.mu_static = 0.5, grip.mu_kinetic = 0.4, grip.stiffness = 2e4, grip.damping = 100;
    if (given) grip.stick_speed = 1e-3;
    fender_contact_type_def type = fender_contact_type_def_default();
    fender_contact_type_id id;
    type.name = "sticky";
    type.normal = fender_law_find(NULL, "spring_damper"), type.normal_parameters = &push;
    type.friction = fender_law_find(NULL, "coulomb_static_kinetic"), type.friction_parameters = &grip;
    check_ok(fender_contact_type_create(world, &type, &id, &error));
    check_ok(fender_rule_set_use(world, fender_rule_at(world, 0), id, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

static double stick_speed(const fender_world *world)
{
    fender_contact_type_id id;
    fender_contact_type_def type;
    check_ok(fender_contact_type_find(world, "sticky", &id));
    check_ok(fender_contact_type_get_def(world, id, &type));
    return ((const fender_coulomb_static_kinetic_parameters *)type.friction_parameters)->stick_speed;
}

/* What a later initialization decides, by the gravity that was commanded, is in snapshots. */
static void stick_speeds(void **state)
{
    (void)state;
    fender_world *world = sliding(false), *second = sliding(false), *other = sliding(true);
    const double least = fender_least_stick_speed(FENDER_INTEGRATOR_RK4, 2e-3, 0.4, 1);
    check_near(stick_speed(world), 2 * 1.62 * least, 1e-18);
    check_ok(fender_world_set_gravity(world, fender_vec3_make(0, 0, -0.5), &error));
    check_near(stick_speed(world), 2 * 1.62 * least, 1e-18);
    check_ok(fender_world_initialize(world, &error));
    check_near(stick_speed(world), 2 * 0.5 * least, 1e-18);
    fender_snapshot *snapshot = fender_snapshot_take(world, NULL), *early = fender_snapshot_take(second, NULL);
    check_ok(fender_snapshot_restore(second, snapshot, &error));
    check_near(stick_speed(second), stick_speed(world), 0);
    for (int i = 0; i < 400; i++) {
        check_ok(fender_world_step(world, &error));
        check_ok(fender_world_step(second, &error));
        assert_true(fender_world_hash(world) == fender_world_hash(second));
    }
    assert_int_equal(fender_snapshot_restore(other, snapshot, NULL),
                     FENDER_STATUS_ARGUMENT); /* it has one of its own */
    check_near(stick_speed(other), 1e-3, 0);
    check_ok(fender_snapshot_restore(world, early, &error));
    check_near(stick_speed(world), 2 * 1.62 * least, 1e-18);
    fender_snapshot_destroy(snapshot);
    fender_snapshot_destroy(early);
    fender_world_destroy(world);
    fender_world_destroy(second);
    fender_world_destroy(other);
}

/* One ball above another, a link, a load, and a prescribed plate. */
typedef struct definition {
    double radius, stiffness, gravity, at, load, sine, mass, start, from;
    bool box, push;
} definition;
static const definition plain = {
    .radius = 0.5, .stiffness = 1000, .gravity = -1, .at = 0.25, .load = 2, .sine = 0.1, .mass = 2};

static fender_world *defined(const definition *how)
{
    const fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {0, 0, how->gravity}};
    def.start_time = how->start;
    fender_world *world = fender_world_create(&env, &def, NULL);
    fender_spring_damper_parameters push;
    check_ok(fender_spring_damper_parameters_default(&push, &error));
    push.stiffness = how->stiffness;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "push", type.law = fender_law_find(NULL, "spring_damper"), type.law_parameters = &push;
    fender_rule_def rule = fender_rule_def_default();
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    fender_geometry *geometry = how->box ? fender_geometry_box(&env, fender_vec3_make(0.5, 0.5, 0.5), NULL)
                                         : fender_geometry_sphere(&env, how->radius, NULL);
    fender_point_id points[3];
    fender_body_id bodies[3];
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"a", "b", "plate"};
        fender_body_def body = fender_body_def_default();
        body.name = names[i];
        body.state.position.z = 1.2 * i;
        if (i == 2) body.motion = FENDER_MOTION_PRESCRIBED, body.sine.frequency = 1;
        body.sine.amplitude.x = i == 2 ? how->sine : 0;
        if (i == 2) body.state.position.y = how->from;
        body.mass_properties.mass = how->mass;
        body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
        check_ok(fender_body_create(world, &body, &bodies[i], &error));
        fender_pose place = fender_pose_identity();
        place.p.x = how->at;
        check_ok(fender_point_create(world, bodies[i], "p", place, &points[i], &error));
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "s", shape.geometry = geometry;
        check_ok(fender_shape_create(world, bodies[i], &shape, NULL, &error));
    }
    fender_geometry_release(geometry);
    fender_link_spring_damper spring;
    check_ok(
        fender_field_initialize(fender_link_law_parameters(FENDER_LINK_SPRING_DAMPER), &spring, sizeof spring, &error));
    spring.stiffness = 10, spring.free_length = 1, spring.acts = how->push ? FENDER_LINK_PUSH : FENDER_LINK_BOTH;
    fender_link_def link = fender_link_def_default();
    link.name = "link", link.a = points[0], link.b = points[1], link.parameters = &spring;
    check_ok(fender_link_create(world, &link, NULL, &error));
    fender_load_def load = fender_load_def_default();
    load.name = "load", load.body = bodies[0], load.at_center = true;
    load.force.kind = FENDER_SIGNAL_CONSTANT, load.force.constant.z = how->load;
    check_ok(fender_load_create(world, &load, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* What a snapshot does not carry must be as it was: with it, the world would go on otherwise. */
static void another_definition(void **state)
{
    (void)state;
    definition others[10] = {plain, plain, plain, plain, plain, plain, plain, plain, plain, plain};
    others[0].radius = 0.4;
    others[1].stiffness = 900;
    others[2].gravity = 0;
    others[3].at = 0.2;
    others[4].load = 1;
    others[5].sine = 0.2;
    others[6].box = true;
    others[7].push = true;
    others[8].start = 1;
    others[9].from = 5;
    fender_world *world = defined(&plain);
    check_ok(fender_world_advance(world, 20, &error));
    fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
    for (int i = 0; i < 10; i++) {
        fender_world *other = defined(&others[i]);
        const uint64_t hash = fender_world_hash(other);
        fender_error failure = {0};
        if (fender_snapshot_restore(other, snapshot, &failure) != FENDER_STATUS_ARGUMENT) fail_msg("definition %d", i);
        assert_non_null(strstr(failure.message, "other definitions"));
        assert_true(fender_world_hash(other) == hash);
        fender_world_destroy(other);
    }
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(world);
}

/* What commands have changed is carried by the snapshot; so are masses, with whatever they were created. */
static void what_commands_changed(void **state)
{
    (void)state;
    definition heavier = plain;
    heavier.mass = 3;
    fender_world *world = defined(&plain), *fresh = defined(&plain), *heavy = defined(&heavier);
    check_ok(fender_world_advance(world, 20, &error));
    fender_link_id link;
    fender_load_id load;
    check_ok(fender_link_find(world, "link", &link));
    check_ok(fender_load_find(world, "load", &load));
    check_ok(fender_world_set_gravity(world, fender_vec3_make(0, 0, -2), &error));
    check_ok(fender_link_set_parameter(world, link, "stiffness", 20, &error));
    check_ok(fender_link_set_length(world, link, 1.1, &error));
    check_ok(fender_load_set_force(world, load, fender_vec3_make(1, 0, 0), &error));
    fender_mass_properties mass;
    check_ok(fender_body_get_mass(world, fender_body_at(world, 1), FENDER_MASS_CORE, &mass));
    mass.mass = 1.5;
    check_ok(fender_body_set_mass(world, fender_body_at(world, 1), &mass, &error));
    check_ok(fender_world_advance(world, 20, &error));
    fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
    check_ok(fender_world_advance(world, 50, &error));
    fender_world *both[] = {fresh, heavy};
    for (int k = 0; k < 2; k++) {
        check_ok(fender_snapshot_restore(both[k], snapshot, &error));
        check_ok(fender_world_advance(both[k], 50, &error));
        assert_true(fender_world_hash(both[k]) == fender_world_hash(world));
        fender_world_destroy(both[k]);
    }
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),
        cmocka_unit_test(hash_sees_one_bit),
        cmocka_unit_test(advance_is_steps),
        cmocka_unit_test(another_structure),
        cmocka_unit_test(stick_speeds),
        cmocka_unit_test(another_definition),
        cmocka_unit_test(what_commands_changed),
    };
    return cmocka_run_group_tests_name("snapshots", tests, NULL, NULL);
}
