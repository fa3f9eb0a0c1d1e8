/* A world that changes between steps: bodies added, states set, loads switched; prescribed and fixed bodies. */
#include "check.h"
#include "scene.h"
#include <string.h>

static scene one_ball(void)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1e4, 20, 0, 1e-3, 0});
    s.world.step = 1e-3;
    s.body_count = 1;
    s.bodies[0] = scene_ball(0, 2, 0.5);
    return s;
}

static fender_body_id add_ball(fender_world *world, const char *name, fender_motion motion, fender_vec3 position,
                               fender_vec3 velocity, double radius)
{
    fender_env env = fender_env_default();
    fender_body_def def = fender_body_def_default();
    def.name = name;
    def.motion = motion;
    def.mass_properties.mass = 3;
    def.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
    def.state.position = position;
    def.state.velocity = velocity;
    fender_body_id id;
    check_ok(fender_body_create(world, &def, &id, &error));
    fender_geometry *geometry = fender_geometry_sphere(&env, radius, NULL);
    fender_shape_def shape = fender_shape_def_default();
    shape.name = "ball";
    shape.geometry = geometry;
    check_ok(fender_shape_create(world, id, &shape, NULL, &error));
    fender_geometry_release(geometry);
    return id;
}

/* A body that joins a world under way brings its momentum and energy; neither is called a drift. A contact that lives
 * meanwhile goes on. */
static void added_under_way(void **state)
{
    (void)state;
    scene s = one_ball();
    s.body_count = 2;
    s.bodies[1] = scene_ball(1, 2, 0.5);
    s.bodies[1].state.position.x = 1.02;
    s.bodies[1].state.velocity.x = -2;
    fender_world *world = scene_build(&s), *other = scene_build(&s);
    check_ok(fender_world_advance(world, 20, &error));
    check_ok(fender_world_advance(other, 20, &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    fender_contact_data before, after;
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &before), 0);
    add_ball(world, "late", FENDER_MOTION_DYNAMIC, fender_vec3_make(0, 50, 0), fender_vec3_make(0, 7, 1), 0.5);
    assert_int_equal(fender_world_step(world, NULL), FENDER_STATUS_STATE);
    check_ok(fender_world_initialize(world, &error));
    int count;
    fender_world_events(world, &count);
    assert_int_equal(count, 0); /* the contact is not new */
    check_near(fender_world_time(world), 0.02, 1e-15);
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &after), 0);
    check_near(after.impulse, before.impulse, 0);
    check_near(after.begin_time, before.begin_time, 0);
    check_ok(fender_world_advance(world, 100, &error));
    check_ok(fender_world_advance(other, 100, &error));
    for (int i = 0; i < 2; i++) { /* far from the newcomer nothing is different */
        fender_body_data a = scene_body_data(world, i), b = scene_body_data(other, i);
        check_vector(a.position, b.position, 0);
        check_vector(a.velocity, b.velocity, 0);
    }
    fender_ledger ledger, want;
    fender_world_ledger(world, &ledger);
    fender_world_ledger(other, &want);
    check_below(ledger.linear_drift, 1e-13);
    check_below(ledger.angular_drift, 1e-11);
    check_near(ledger.residual, want.residual, 1e-11);
    check_near(ledger.applied, 0.5 * 3 * 50, 1e-11);
    fender_world_destroy(world);
    fender_world_destroy(other);
}

static fender_geometry *flat_grid(const fender_env *env)
{
    static const double heights[9];
    const fender_grid_def def = {.count_x = 3, .count_y = 3, .lower = {-3, -3}, .spacing = {3, 3}, .heights = heights};
    return fender_geometry_grid(env, &def, NULL);
}

/* A box and a ball that slide on a grid, held by springs of friction; two bodies far away. */
static fender_world *sliding(fender_body_id far[2])
{
    fender_env env = fender_env_default();
    fender_world_def world_def = fender_world_def_default();
    world_def.step = 1e-3;
    world_def.gravity.kind = FENDER_GRAVITY_UNIFORM;
    world_def.gravity.acceleration = fender_vec3_make(0, 0, -10);
    fender_world *world = fender_world_create(&env, &world_def, NULL);
    assert_non_null(world);
    fender_spring_damper_parameters push;
    fender_cundall_strack_parameters friction;
    check_ok(fender_spring_damper_parameters_default(&push, &error));
    check_ok(fender_cundall_strack_parameters_default(&friction, &error));
    push.stiffness = 1e4, push.damping = 50;
    friction.mu = 0.6, friction.stiffness = 3e3;
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "held";
    type.normal = fender_law_find(NULL, "spring_damper"), type.normal_parameters = &push;
    type.friction = fender_law_find(NULL, "cundall_strack"), type.friction_parameters = &friction;
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_DEFAULT;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    static const char *const names[] = {"ground", "box", "ball", "far0", "far1"};
    fender_geometry *geometries[] = {flat_grid(&env), fender_geometry_box(&env, fender_vec3_make(0.3, 0.2, 0.1), NULL),
                                     fender_geometry_sphere(&env, 0.1, NULL)};
    for (int i = 0; i < 5; i++) {
        fender_body_def def = fender_body_def_default();
        fender_body_id id;
        def.name = names[i];
        if (i == 0) def.motion = FENDER_MOTION_FIXED;
        def.mass_properties = (fender_mass_properties){2, {0, 0, 0}, fender_mat3_diagonal(0.05, 0.05, 0.05)};
        def.state.position = i == 0 ? fender_vec3_make(0, 0, 0) : fender_vec3_make(1.3 * (i - 1) - 1.2, 0.3, 0.099);
        if (i > 2) def.state.position.z = 50;
        else if (i > 0) def.state.velocity = fender_vec3_make(0.1, 0.05, 0);
        check_ok(fender_body_create(world, &def, &id, &error));
        if (i > 2) {
            far[i - 3] = id;
            continue;
        }
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "shape", shape.geometry = geometries[i];
        check_ok(fender_shape_create(world, id, &shape, NULL, &error));
        fender_geometry_release(geometries[i]);
    }
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* What the springs of friction hold outlives every change beside their contacts, in points of a patch and in touches of
 * a ball with a surface, too: no time passes, and no area comes or goes. */
static void friction_is_kept(void **state)
{
    (void)state;
    for (int change = 0; change < 3; change++) {
        fender_body_id far[2];
        fender_world *world = sliding(far);
        check_ok(fender_world_advance(world, 30, &error));
        fender_contact_data before[16], after;
        const int count = fender_contact_count(world, FENDER_CLOCK_COMMITTED);
        assert_true(count > 4 && count <= 16);
        for (int i = 0; i < count; i++)
            assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &before[i]), 0);
        fender_ledger ledger, want;
        fender_world_ledger(world, &want);
        fender_attach_def attach = fender_attach_def_default();
        attach.child = far[1], attach.parent = far[0], attach.pose = FENDER_ATTACH_AS_IS;
        if (change == 0) check_ok(fender_world_initialize(world, &error));
        if (change > 0) check_ok(fender_body_attach(world, &attach, NULL, &error));
        if (change > 1) check_ok(fender_body_detach(world, far[1], far[0], FENDER_DETACH_CONNECTION, NULL, &error));
        assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), count);
        for (int i = 0; i < count; i++) {
            assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, i, &after), 0);
            assert_true(hypot(after.stretch.x, after.stretch.y) > 1e-4);
            check_near(after.stretch.x, before[i].stretch.x, 1e-15);
            check_near(after.stretch.y, before[i].stretch.y, 1e-15);
            check_near(after.friction_loss, before[i].friction_loss, 1e-15);
        }
        fender_world_ledger(world, &ledger);
        check_near(ledger.stored, want.stored, 1e-14);
        check_near(ledger.friction, want.friction, 1e-14);
        fender_world_destroy(world);
    }
}

/* A newcomer inside another shape: touches at once, at the present time, and its stored energy is booked. */
static void added_overlapping(void **state)
{
    (void)state;
    scene s = one_ball();
    fender_world *world = scene_build(&s);
    check_ok(fender_world_advance(world, 5, &error));
    add_ball(world, "inside", FENDER_MOTION_DYNAMIC, fender_vec3_make(0.9, 0, 0), fender_vec3_make(0, 0, 0), 0.5);
    check_ok(fender_world_initialize(world, &error));
    int count;
    const fender_event *events = fender_world_events(world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].kind, FENDER_EVENT_BEGIN);
    check_near(events[0].time, 5e-3, 1e-15);
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_near(ledger.stored, 50, 1e-11);
    check_near(ledger.residual, 0, 1e-11);
    check_ok(fender_world_advance(world, 300, &error));
    fender_world_ledger(world, &ledger);
    check_below(ledger.linear_drift, 1e-12);
    fender_world_destroy(world);
}

static void set_state_is_booked(void **state)
{
    (void)state;
    scene s = one_ball();
    fender_world *world = scene_build(&s);
    check_ok(fender_world_advance(world, 3, &error));
    fender_body_state b = s.bodies[0].state;
    b.position = fender_vec3_make(5, 6, 7);
    b.velocity = fender_vec3_make(0, 0, 3);
    b.angular_velocity = fender_vec3_make(1, 0, 0);
    check_ok(fender_body_set_state(world, fender_body_at(world, 0), &b, &error));
    fender_body_data d = scene_body_data(world, 0);
    check_vector(d.position, b.position, 0);
    check_vector(d.velocity, b.velocity, 0);
    check_vector(d.angular_velocity, b.angular_velocity, 1e-15);
    check_ok(fender_world_advance(world, 1000, &error));
    check_vector(scene_body_data(world, 0).position, fender_vec3_make(5, 6, 10), 1e-12);
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_below(ledger.linear_drift, 1e-13);
    check_below(ledger.angular_drift, 1e-11);
    check_below(fabs(ledger.residual), 1e-12);
    check_near(ledger.applied, 9 + 0.1, 1e-12); /* m v^2/2 and I w^2/2 with 0.2 kg m^2 */
    fender_world_destroy(world);
}

/* What is set before the first step, and initialized again, is the start: nothing was applied to it. */
static void start_is_taken_anew(void **state)
{
    (void)state;
    scene s = one_ball();
    fender_world *world = scene_build(&s);
    fender_body_state b = s.bodies[0].state;
    b.velocity = fender_vec3_make(0, 0, 30);
    check_ok(fender_body_set_state(world, fender_body_at(world, 0), &b, &error));
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 10, &error));
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_below(fabs(ledger.applied), 1e-15);
    check_below(fabs(ledger.residual), 1e-12);
    check_below(ledger.linear_drift, 1e-13);
    fender_world_destroy(world);
}

static void loads_are_switched(void **state)
{
    (void)state;
    scene s = one_ball();
    fender_world *world = scene_build(&s);
    fender_load_def def = fender_load_def_default();
    def.name = "push";
    def.body = fender_body_at(world, 0);
    def.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {4, 0, 0}};
    def.active = false;
    fender_load_id load;
    check_ok(fender_load_create(world, &def, &load, &error));
    check_ok(fender_world_initialize(world, &error));
    bool active = true;
    assert_true(fender_load_is_active(world, load, &active) == FENDER_STATUS_OK && !active);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(fender_load_set_active(world, load, k % 2 == 1), FENDER_STATUS_OK);
        check_ok(fender_world_advance(world, 100, &error));
        check_near(scene_body_data(world, 0).velocity.x, 0.2 * ((k + 1) / 2), 1e-14);
    }
    fender_load_def back;
    assert_int_equal(fender_load_get_def(world, load, &back), 0);
    assert_true(back.active && strcmp(back.name, "push") == 0);
    assert_string_equal(fender_load_name(world, fender_load_at(world, 0)), "push");
    assert_int_equal(fender_load_count(world), 1);
    fender_world_destroy(world);
}

/* A wall that moves evenly pushes a sphere along: its work is booked, and the sphere leaves as from a wall at rest. */
static void prescribed_wall(void **state)
{
    (void)state;
    scene s = one_ball();
    fender_env env = fender_env_default();
    for (int moving = 0; moving < 2; moving++) {
        double drive = moving ? 1.5 : 0;
        s.bodies[0].state.velocity.x = -1 + drive; /* closing at 1 m/s in both cases */
        s.bodies[0].state.position.x = 5.6;
        fender_world *world = scene_build_with(&s, &env, NULL, false);
        fender_body_id wall = add_ball(world, "wall", FENDER_MOTION_PRESCRIBED, fender_vec3_make(0, 0, 0),
                                       fender_vec3_make(drive, 0, 0), 5);
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_advance(world, 1000, &error));
        double rebound = scene_body_data(world, 0).velocity.x - drive;
        static double at_rest;
        if (!moving) at_rest = rebound;
        assert_true(rebound > 0.5 && rebound < 1);
        check_near(rebound, at_rest, 1e-9);
        fender_body_data data;
        assert_int_equal(fender_body_get(world, wall, FENDER_CLOCK_COMMITTED, &data), 0);
        check_vector(data.position, fender_vec3_make(drive, 0, 0), 1e-12);
        fender_ledger ledger;
        fender_world_ledger(world, &ledger);
        check_below(ledger.linear_drift, 1e-12);
        check_below(fabs(ledger.residual), 2e-4 * ledger.scale);
        check_near(ledger.applied, moving ? 1.5 * 2 * (1 + rebound) : 0, 1e-6); /* speed times impulse */
        assert_int_equal(fender_world_event_count(world, FENDER_EVENT_END), 1);
        fender_world_destroy(world);
    }
}

/* Along a table of positions, in world and in evaluations ahead of it. */
static void prescribed_path(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_world_def world_def = fender_world_def_default();
    world_def.start_time = 10;
    fender_world *world = fender_world_create(&env, &world_def, NULL);
    const double times[] = {10, 11, 12};
    const fender_vec3 positions[] = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}};
    fender_body_def def = fender_body_def_default();
    def.name = "cart";
    def.motion = FENDER_MOTION_PRESCRIBED;
    def.path = (fender_path){times, positions, 3, FENDER_PATH_LINEAR, NULL};
    fender_body_id cart;
    check_ok(fender_body_create(world, &def, &cart, &error));
    check_ok(fender_world_initialize(world, &error));
    fender_body_data d;
    check_ok(fender_world_advance(world, 50, &error));
    assert_int_equal(fender_body_get(world, cart, FENDER_CLOCK_COMMITTED, &d), 0);
    check_vector(d.position, fender_vec3_make(1, 0, 0), 1e-12);
    check_vector(d.velocity, fender_vec3_make(2, 0, 0), 1e-12);
    check_ok(fender_world_set_state(world, 11.5, NULL, &error)); /* no dynamic body: no numbers */
    check_ok(fender_world_evaluate(world, &error));
    assert_int_equal(fender_body_get(world, cart, FENDER_CLOCK_EVALUATED, &d), 0);
    check_vector(d.position, fender_vec3_make(2, 1.5, 0), 1e-12);
    assert_int_equal(fender_body_get(world, cart, FENDER_CLOCK_COMMITTED, &d), 0);
    check_vector(d.position, fender_vec3_make(1, 0, 0), 1e-12);
    check_ok(fender_world_advance(world, 300, &error));
    assert_int_equal(fender_body_get(world, cart, FENDER_CLOCK_COMMITTED, &d), 0);
    check_vector(d.position, fender_vec3_make(2, 3, 0), 0);
    check_vector(d.velocity, fender_vec3_make(0, 0, 0), 0);
    fender_body_def back;
    assert_int_equal(fender_body_get_def(world, cart, &back), 0);
    assert_true(back.path.count == 3 && back.path.times != times);
    fender_world_destroy(world);
}

/* Time is start + n h, never a running sum. */
static void time_does_not_drift(void **state)
{
    (void)state;
    scene s = one_ball();
    s.world.step = 0.1;
    s.world.start_time = 3;
    fender_world *world = scene_build(&s);
    for (int64_t n = 1; n <= 2000; n++) {
        check_ok(fender_world_step(world, &error));
        check_near(fender_world_time(world), 3 + (double)n * 0.1, 0);
    }
    fender_world_destroy(world);
}

/* A body at rest in the frame of the page stays where it is to the last bit, over many steps. */
static void rest_is_rest(void **state)
{
    (void)state;
    scene s = one_ball();
    s.bodies[0].state.attitude = fender_quaternion_normalized((fender_quaternion){1, 2, 3, 4});
    s.bodies[0].mass_properties.center_of_mass = fender_vec3_make(0.1, 0.2, 0.3);
    s.bodies[0].mass_properties.inertia = fender_mat3_diagonal(1, 2, 2.5);
    for (int method = 0; method < 2; method++) {
        s.world.method = method ? FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER : FENDER_INTEGRATOR_RK4;
        fender_world *world = scene_build(&s);
        double before[FENDER_STATE_PER_BODY], after[FENDER_STATE_PER_BODY];
        fender_world_get_state(world, before);
        check_ok(fender_world_advance(world, 5000, &error));
        fender_world_get_state(world, after);
        for (int i = 0; i < FENDER_STATE_PER_BODY; i++) check_near(after[i], before[i], method ? 1e-15 : 0);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(added_under_way),     cmocka_unit_test(friction_is_kept),
        cmocka_unit_test(added_overlapping),   cmocka_unit_test(set_state_is_booked),
        cmocka_unit_test(start_is_taken_anew), cmocka_unit_test(loads_are_switched),
        cmocka_unit_test(prescribed_wall),     cmocka_unit_test(prescribed_path),
        cmocka_unit_test(time_does_not_drift), cmocka_unit_test(rest_is_rest),
    };
    return cmocka_run_group_tests_name("editing between steps", tests, NULL, NULL);
}
