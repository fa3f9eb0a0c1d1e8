/* Loads that are commanded, drag and springs: ledger, hosts, snapshots, switching, refusals. */
#include "check.h"
#include <stdlib.h>
#include <string.h>

typedef struct scene {
    fender_world *world;
    fender_body_id body;
} scene;

static scene scene_of(fender_integrator_method method, double step)
{
    scene s = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = step;
    s.world = fender_world_create(&env, &def, NULL);
    assert_non_null(s.world);
    fender_body_def body = fender_body_def_default();
    body.name = "body";
    body.mass_properties.mass = 2;
    body.mass_properties.inertia = fender_mat3_diagonal(0.4, 0.5, 0.7);
    body.state.velocity = fender_vec3_make(0.5, -0.25, 0);
    body.state.angular_velocity = fender_vec3_make(0.2, 0.9, -0.1);
    check_ok(fender_body_create(s.world, &body, &s.body, &error));
    return s;
}

static fender_load_id load_of(const scene *s, const char *name, fender_load_def def)
{
    fender_load_id id;
    def.name = name;
    def.body = s->body;
    check_ok(fender_load_create(s->world, &def, &id, &error));
    return id;
}

static fender_ledger ledger_of(const scene *s)
{
    fender_ledger ledger;
    fender_world_ledger(s->world, &ledger);
    return ledger;
}

static fender_load_data read(const scene *s, fender_load_id id)
{
    fender_load_data data;
    assert_int_equal(fender_load_get(s->world, id, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_VELOCITY_VERLET,
                                                   FENDER_INTEGRATOR_DOPRI5, FENDER_INTEGRATOR_DOP853};

/* A force with a new value in every step: the impulse is their sum, and the ledger closes. */
static void commanded_between_steps(void **state)
{
    (void)state;
    for (int m = 0; m < 4; m++) {
        scene s = scene_of(methods[m], 0.01);
        fender_load_def def = fender_load_def_default();
        def.force.kind = FENDER_SIGNAL_CONSTANT;
        def.force.constant = fender_vec3_make(0, 0, 40);
        fender_load_id id = load_of(&s, "push", def);
        check_ok(fender_world_initialize(s.world, &error));
        fender_vec3 sum = {1, -0.5, 0};
        for (int i = 0; i < 100; i++) {
            const fender_vec3 force = {30 * (i % 3 - 1), i % 7, 5 - i % 11};
            check_ok(fender_load_set_force(s.world, id, force, &error));
            check_vector(read(&s, id).command_force, force, 0);
            check_ok(fender_world_advance_to(s.world, 0.01 * (i + 1), &error));
            sum = fender_vec3_add_scaled(sum, 0.01, force);
        }
        fender_ledger ledger = ledger_of(&s);
        check_vector(ledger.linear_momentum, sum, 1e-13 * 100);
        check_below(fabs(ledger.residual), (m == 1 ? 1e-6 : 1e-9) * ledger.scale); /* of the free rotation */
        check_below(ledger.linear_drift, 1e-13);
        check_near(read(&s, id).work, ledger.applied, 1e-12 * ledger.scale);
        fender_world_destroy(s.world);
    }
}

/* A host that moves the body by the trapezoidal rule and commands in each trial. The work of the load is that of the
 * force at both ends; what the host tried stays. */
static void commanded_by_a_host(void **state)
{
    (void)state;
    double residual[2];
    for (int with = 0; with < 2; with++) {
        scene s = scene_of(FENDER_INTEGRATOR_RK4, 0.01);
        fender_load_id id = load_of(&s, "push", fender_load_def_default());
        check_ok(fender_world_initialize(s.world, &error));
        double y[FENDER_STATE_PER_BODY], rate[2][FENDER_STATE_PER_BODY];
        for (int i = 0; i < 200; i++) {
            const double t = fender_world_time(s.world), h = 0.005;
            fender_world_get_state(s.world, y);
            check_ok(fender_world_set_state(s.world, t, y, &error));
            check_ok(fender_world_derivative(s.world, rate[0], &error));
            double end[FENDER_STATE_PER_BODY];
            for (int k = 0; k < FENDER_STATE_PER_BODY; k++) end[k] = y[k] + h * rate[0][k];
            check_ok(fender_world_set_state(s.world, t + h, end, &error));
            const fender_vec3 force = {8 * sin(3 * (t + h)), 2, 0};
            if (with) check_ok(fender_load_set_force(s.world, id, force, &error));
            check_ok(fender_world_derivative(s.world, rate[1], &error));
            if (with) check_near(rate[1][7], force.x / 2, 1e-15);
            for (int k = 7; k < 10; k++) end[k] = y[k] + 0.5 * h * (rate[0][k] + rate[1][k]);
            for (int k = 0; k < 3; k++) end[k] = y[k] + 0.5 * h * (y[7 + k] + end[7 + k]);
            for (int k = 3; k < 7; k++) end[k] = y[k];
            for (int k = 10; k < 13; k++) end[k] = y[k];
            check_ok(fender_world_set_state(s.world, t + h, end, &error));
            if (with) check_ok(fender_load_set_force(s.world, id, force, &error)); /* the tried state stays */
            check_ok(fender_world_commit(s.world, &error));
            fender_body_data data;
            check_ok(fender_body_get(s.world, s.body, FENDER_CLOCK_COMMITTED, &data));
            check_near(data.position.x, end[0], 0);
            check_near(data.velocity.x, end[7], 0);
        }
        fender_ledger ledger = ledger_of(&s);
        residual[with] = fabs(ledger.residual) / ledger.scale;
        if (with) assert_true(fabs(ledger.applied) > 0.1);
        check_below(ledger.linear_drift, 1e-13);
        fender_world_destroy(s.world);
    }
    check_below(residual[0], 1e-13);
    check_below(residual[1], 1e-13);
}

/* A trial that is given up: the world's own step has the command for all of its length. */
static void given_up_trial(void **state)
{
    (void)state;
    scene s = scene_of(FENDER_INTEGRATOR_RK4, 0.01);
    fender_load_id id = load_of(&s, "push", fender_load_def_default());
    check_ok(fender_world_initialize(s.world, &error));
    double y[FENDER_STATE_PER_BODY];
    fender_world_get_state(s.world, y);
    check_ok(fender_world_set_state(s.world, 0.01, y, &error));
    check_ok(fender_load_set_force(s.world, id, fender_vec3_make(6, 0, 0), &error));
    check_ok(fender_world_step(s.world, &error));
    fender_ledger ledger = ledger_of(&s);
    check_near(ledger.linear_momentum.x, 1 + 0.06, 1e-15);
    check_below(ledger.linear_drift, 1e-15);
    fender_world_destroy(s.world);
}

/* A load of every kind. */
static fender_load_def kind_of(fender_load_kind kind)
{
    fender_load_def def = fender_load_def_default();
    def.kind = kind;
    def.at_center = kind != FENDER_LOAD_THRUSTER;
    def.point = fender_vec3_make(0.1, 0, -0.3);
    def.drag = (fender_load_drag){0.4, 0.2, 0.05, 0.01, {0.3, 0, 0.1}};
    def.spring = (fender_load_spring){20, 0.1, {0.2, 0, 0.4}};
    def.thruster = (fender_load_thruster){{0, 0, 2}, 12, 0, 0.2, 0.02, 0.05, 0.04, 0, 0};
    def.wheel = (fender_load_wheel){{0, 3, 4}, 0.02, 0.1, 0.25, 0.3, 0};
    return def;
}
enum { KINDS = 5 };

static void command(const scene *s, fender_load_id id, int kind, double value)
{
    const fender_vec3 v = {value, -value, 0.5 * value};
    if (kind == FENDER_LOAD_GIVEN) check_ok(fender_load_set_torque(s->world, id, v, &error));
    if (kind == FENDER_LOAD_THRUSTER) check_ok(fender_load_set_throttle(s->world, id, fabs(value), &error));
    if (kind == FENDER_LOAD_REACTION_WHEEL) check_ok(fender_load_set_motor_torque(s->world, id, value, &error));
}

/* Commands are part of a snapshot: what follows has the same hash, here and in another world. */
/* What is read after a command, before the next step, has it: the load, and the acceleration that a sensor measures. */
static void read_at_once(void **state)
{
    (void)state;
    scene s = scene_of(FENDER_INTEGRATOR_RK4, 0.01);
    fender_load_def def = fender_load_def_default();
    def.force.kind = FENDER_SIGNAL_CONSTANT;
    fender_load_id push = load_of(&s, "push", def);
    def = kind_of(FENDER_LOAD_REACTION_WHEEL);
    fender_load_id wheel = load_of(&s, "wheel", def);
    def = kind_of(FENDER_LOAD_THRUSTER);
    def.thruster.rise_time = def.thruster.decay_time = 0;
    fender_load_id engine = load_of(&s, "engine", def);
    check_ok(fender_world_initialize(s.world, &error));
    check_ok(fender_world_step(s.world, &error));
    fender_body_data body;
    check_ok(fender_load_set_force(s.world, push, fender_vec3_make(0, 0, 6), &error));
    check_near(read(&s, push).force.z, 6, 0);
    check_ok(fender_body_get(s.world, s.body, FENDER_CLOCK_COMMITTED, &body));
    check_near(body.acceleration.z, 3, 1e-12);
    check_ok(fender_load_set_active(s.world, push, false));
    check_near(read(&s, push).force.z, 0, 0);
    check_ok(fender_load_set_motor_torque(s.world, wheel, 0.2, &error));
    check_near(read(&s, wheel).motor_torque, 0.2, 0);
    check_ok(fender_load_set_throttle(s.world, engine, 0.5, &error));
    check_near(read(&s, engine).thrust, 0.5 * def.thruster.thrust, 1e-12 * def.thruster.thrust);
    fender_world_destroy(s.world);
}

/* Accelerations that no step can follow are refused; adaptive steps had no length, or stood still for ever. */
static void beyond_all_bounds(void **state)
{
    (void)state;
    const double forces[] = {1e100, 1e200, 1e308};
    for (int m = 2; m < 4; m++)
        for (int i = 0; i < 3; i++) {
            scene s = scene_of(methods[m], 0.01);
            fender_load_def def = fender_load_def_default();
            def.force.kind = FENDER_SIGNAL_CONSTANT;
            def.force.constant.z = forces[i];
            (void)load_of(&s, "push", def);
            check_ok(fender_world_initialize(s.world, &error));
            fender_error fault = {0};
            assert_int_equal(fender_world_step(s.world, &fault), FENDER_STATUS_INTEGRATOR);
            assert_non_null(strstr(fault.message, "no step is short enough"));
            check_near(fender_world_time(s.world), 0, 0);
            fender_world_destroy(s.world);
        }
}

static void snapshots(void **state)
{
    (void)state;
    static const double values[] = {0.7, 0, -0.4, 0.9, 0.1};
    for (int m = 0; m < 4; m++) {
        scene worlds[2];
        fender_load_id ids[2][KINDS];
        for (int w = 0; w < 2; w++) {
            worlds[w] = scene_of(methods[m], 0.01);
            for (int kind = 0; kind < KINDS; kind++) {
                char name[] = "load_0";
                name[5] = (char)('0' + kind);
                ids[w][kind] = load_of(&worlds[w], name, kind_of((fender_load_kind)kind));
            }
            check_ok(fender_world_initialize(worlds[w].world, &error));
        }
        scene *s = &worlds[0];
        for (int i = 0; i < 3; i++) {
            for (int kind = 0; kind < KINDS; kind++) command(s, ids[0][kind], kind, values[i]);
            check_ok(fender_world_advance_to(s->world, 0.013 * (i + 1), &error));
        }
        fender_snapshot *snapshot = fender_snapshot_take(s->world, NULL);
        assert_non_null(snapshot);
        uint64_t hashes[3], before = fender_world_hash(s->world);
        for (int turn = 0; turn < 3; turn++) {
            const int w = turn == 2;
            if (turn > 0) check_ok(fender_snapshot_restore(worlds[w].world, snapshot, &error));
            assert_true(fender_world_hash(worlds[w].world) == before);
            for (int i = 3; i < 5; i++) {
                check_ok(fender_world_advance_to(worlds[w].world, 0.02 * i, &error));
                for (int kind = 0; kind < KINDS; kind++) command(&worlds[w], ids[w][kind], kind, values[i]);
            }
            check_ok(fender_world_advance_to(worlds[w].world, 0.2, &error));
            hashes[turn] = fender_world_hash(worlds[w].world);
        }
        assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
        fender_snapshot_destroy(snapshot);
        for (int w = 0; w < 2; w++) fender_world_destroy(worlds[w].world);
    }
}

/* Members of other kinds do not count, whatever a caller left there: snapshots are read, and the hash is that of a load
 * without them. */
static void members_of_other_kinds(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t hash = 0;
        for (int left = 0; left < 4; left++) {
            scene s = scene_of(FENDER_INTEGRATOR_RK4, 0.01);
            fender_load_def def = kind_of((fender_load_kind)kind);
            const bool thruster = def.kind == FENDER_LOAD_THRUSTER, wheel = def.kind == FENDER_LOAD_REACTION_WHEEL;
            if (left == 1 && !thruster) def.thruster.throttle = 80;
            if (left == 2 && !wheel) def.wheel.torque = NAN;
            if (left == 3 && !wheel) def.wheel.momentum = INFINITY;
            load_of(&s, "load", def);
            check_ok(fender_world_initialize(s.world, &error));
            check_ok(fender_world_step(s.world, &error));
            fender_snapshot *snapshot = fender_snapshot_take(s.world, NULL);
            assert_non_null(snapshot);
            check_ok(fender_snapshot_restore(s.world, snapshot, &error));
            if (left == 0) hash = fender_world_hash(s.world);
            assert_true(fender_world_hash(s.world) == hash);
            fender_snapshot_destroy(snapshot);
            fender_world_destroy(s.world);
        }
    }
}

/* A command alone changes the hash; a world whose loads were never commanded has the hash that it always had. */
static void hashes(void **state)
{
    (void)state;
    scene s = scene_of(FENDER_INTEGRATOR_RK4, 0.01);
    fender_load_id id = load_of(&s, "push", fender_load_def_default());
    check_ok(fender_world_initialize(s.world, &error));
    uint64_t before = fender_world_hash(s.world);
    check_ok(fender_load_set_force(s.world, id, fender_vec3_make(0, 0, 1), &error));
    uint64_t one = fender_world_hash(s.world);
    check_ok(fender_load_set_force(s.world, id, fender_vec3_make(0, 0, 2), &error));
    assert_true(before != one && fender_world_hash(s.world) != one);
    fender_world_destroy(s.world);
}

/* Springs and wheels that come, are switched and go in a running world: what they hold is booked as applied. */
static void comes_and_goes(void **state)
{
    (void)state;
    for (int kind = FENDER_LOAD_DRAG; kind < KINDS; kind++) {
        scene s = scene_of(FENDER_INTEGRATOR_RK4, 1e-3);
        check_ok(fender_world_initialize(s.world, &error));
        check_ok(fender_world_advance(s.world, 10, &error));
        fender_load_id id = load_of(&s, "load", kind_of((fender_load_kind)kind));
        for (int i = 0; i < 4; i++) {
            command(&s, id, kind, 0.9 - 0.1 * i);
            check_ok(fender_world_advance(s.world, 30, &error));
            assert_int_equal(fender_load_set_active(s.world, id, i % 2 == 1), FENDER_STATUS_OK);
        }
        fender_ledger ledger = ledger_of(&s);
        check_below(fabs(ledger.residual), 1e-10 * ledger.scale);
        check_ok(fender_load_destroy(s.world, id, &error));
        check_ok(fender_world_advance(s.world, 30, &error));
        ledger = ledger_of(&s);
        check_below(fabs(ledger.residual), 1e-10 * ledger.scale);
        check_below(ledger.linear_drift + ledger.angular_drift, 1e-12);
        fender_world_destroy(s.world);
    }
}

static void refusals(void **state)
{
    (void)state;
    scene s = scene_of(FENDER_INTEGRATOR_RK4, 0.01);
    fender_load_id ids[KINDS], none = {0};
    fender_error error;
    for (int kind = 0; kind < KINDS; kind++) {
        char name[] = "load_0";
        name[5] = (char)('0' + kind);
        ids[kind] = load_of(&s, name, kind_of((fender_load_kind)kind));
    }
    const fender_vec3 bad = {0, NAN, 0}, zero = {0, 0, 0};
    assert_int_equal(fender_load_set_force(s.world, ids[0], bad, &error), FENDER_STATUS_VALUE);
    assert_int_equal(fender_load_set_torque(s.world, ids[1], zero, &error), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_load_set_throttle(s.world, ids[3], 1.1, &error), FENDER_STATUS_VALUE);
    assert_int_equal(fender_load_set_throttle(s.world, ids[4], 1, &error), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_load_set_motor_torque(s.world, ids[4], NAN, &error), FENDER_STATUS_VALUE);
    assert_int_equal(fender_load_set_motor_torque(s.world, none, 0, &error), FENDER_STATUS_STALE_ID);
    fender_load_data data;
    assert_int_equal(fender_load_get(s.world, ids[0], FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_STATE);
    fender_load_def def[8];
    for (int i = 0; i < 8; i++) {
        def[i] = kind_of((fender_load_kind)(i % KINDS));
        def[i].name = "other";
        def[i].body = s.body;
    }
    def[0].tank = s.body;
    def[1].drag.quadratic = -1;
    def[2].spring.anchor.x = NAN;
    def[3].thruster.direction = zero;
    def[4].wheel.momentum = 1;
    def[5].kind = (fender_load_kind)9;
    def[6].force.kind = FENDER_SIGNAL_CONSTANT;
    def[7] = kind_of(FENDER_LOAD_THRUSTER);
    def[7].name = "other";
    def[7].body = def[7].tank = s.body;
    static const char *const paths[] = {"tank",     "quadratic", "anchor", "direction",
                                        "momentum", "kind",      "force",  "specific_impulse"};
    for (int i = 0; i < 8; i++) {
        memset(&error, 0, sizeof error);
        assert_true(fender_load_create(s.world, &def[i], NULL, &error) != FENDER_STATUS_OK);
        if (!strstr(error.path, paths[i])) fail_msg("%d: %s: %s", i, error.path, error.message);
    }
    def[7].thruster.specific_impulse = 300;
    def[7].thruster.dry_mass = 3; /* above the mass of the body */
    assert_int_equal(fender_load_create(s.world, &def[7], NULL, &error), FENDER_STATUS_VALUE);
    fender_world_destroy(s.world);
}

/* A command leaves contacts as they are: a ball that slides and is commanded at each step has the bits of one that is
 * restored after each command, which finds its contacts anew. */
static void contacts_hold(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int restored = 0; restored < 2; restored++) {
        scene s = scene_of(FENDER_INTEGRATOR_RK4, 0.001);
        fender_env env = fender_env_default();
        fender_body_def ground = fender_body_def_default();
        fender_shape_def shape = fender_shape_def_default();
        fender_spring_damper_parameters push;
        check_ok(fender_spring_damper_parameters_default(&push, &error));
        push.stiffness = 1e4;
        push.damping = 20;
        push.mu = 0.3;
        fender_contact_type_def type = {.size = sizeof type,
                                        .name = "touch",
                                        .law = fender_law_find(NULL, "spring_damper"),
                                        .law_parameters = &push};
        fender_rule_def rule = fender_rule_def_default();
        rule.kind = FENDER_RULE_DEFAULT;
        check_ok(fender_contact_type_create(s.world, &type, &rule.use, &error));
        check_ok(fender_rule_create(s.world, &rule, NULL, &error));
        fender_body_id fixed;
        ground.name = "ground";
        ground.motion = FENDER_MOTION_FIXED;
        check_ok(fender_body_create(s.world, &ground, &fixed, &error));
        shape.name = "shape";
        shape.geometry = fender_geometry_plane(&env, NULL);
        shape.X_SG.p.z = -0.099;
        check_ok(fender_shape_create(s.world, fixed, &shape, NULL, &error));
        fender_geometry_release(shape.geometry);
        shape.geometry = fender_geometry_sphere(&env, 0.1, NULL);
        shape.X_SG.p.z = 0;
        check_ok(fender_shape_create(s.world, s.body, &shape, NULL, &error));
        fender_geometry_release(shape.geometry);
        fender_load_def def = fender_load_def_default();
        def.force.kind = FENDER_SIGNAL_CONSTANT;
        const fender_load_id id = load_of(&s, "press", def);
        check_ok(fender_world_initialize(s.world, &error));
        for (int i = 0; i < 100; i++) {
            fender_body_data before, after;
            check_ok(fender_body_get(s.world, s.body, FENDER_CLOCK_COMMITTED, &before));
            check_ok(
                fender_load_set_force(s.world, id, fender_vec3_make(0.1 * (i % 5), 0, -15 + 5 * sin(0.1 * i)), &error));
            check_ok(fender_body_get(s.world, s.body, FENDER_CLOCK_COMMITTED, &after));
            assert_memory_equal(&before.contact_force, &after.contact_force, sizeof before.contact_force);
            assert_true(after.contact_force.z > 0 && after.acceleration.z != before.acceleration.z);
            fender_snapshot *snapshot = restored ? fender_snapshot_take(s.world, NULL) : NULL;
            if (snapshot) check_ok(fender_snapshot_restore(s.world, snapshot, &error));
            fender_snapshot_destroy(snapshot);
            check_ok(fender_world_step(s.world, &error));
        }
        hash[restored] = fender_world_hash(s.world);
        fender_world_destroy(s.world);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commanded_between_steps),
        cmocka_unit_test(commanded_by_a_host),
        cmocka_unit_test(given_up_trial),
        cmocka_unit_test(read_at_once),
        cmocka_unit_test(contacts_hold),
        cmocka_unit_test(beyond_all_bounds),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(members_of_other_kinds),
        cmocka_unit_test(hashes),
        cmocka_unit_test(comes_and_goes),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
