/* Another contact type for a rule in a running world: contacts end and begin anew, and the ledger says so. */
/* items: P018 P019 */
#include "check.h"
#include "scene.h"
#include <string.h>

/* Two spheres of 2 and 3 kg that overlap by 0.1 m, and a third that touches the first by another rule's say. */
static scene overlapping(void)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 100, 0, 0, 1, 0});
    s.types[s.type_count++] = (scene_type){SCENE_JEOD_SPRING, 300, 2, 0.1, 1, 0};
    s.types[s.type_count++] = (scene_type){SCENE_NORMAL_AND_COULOMB, 500, 5, 0.3, 1e-2, 0};
    s.rules[s.rule_count++] = (scene_rule){FENDER_RULE_BODIES, 0, 2, 0};
    s.world.step = 1e-3;
    s.body_count = 3;
    for (int i = 0; i < 3; i++) s.bodies[i] = scene_ball(i, 2 + i, 0.5);
    s.bodies[1].state.position.x = 0.9;
    s.bodies[2].state.position.y = 0.95;
    return s;
}

static fender_contact_data contact_of(const fender_world *world, int index)
{
    fender_contact_data c;
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, index, &c), FENDER_STATUS_OK);
    return c;
}

static fender_ledger ledger_of(const fender_world *world)
{
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    return ledger;
}

static const fender_contact_type_id never = {0};

static void ends_and_begins(void **state)
{
    (void)state;
    scene s = overlapping();
    fender_world *world = scene_build(&s);
    check_ok(fender_world_advance(world, 5, &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 2);
    fender_contact_data other = contact_of(world, 1), old = contact_of(world, 0);
    fender_ledger before = ledger_of(world);
    fender_rule_id rule = fender_rule_at(world, 0);
    check_ok(fender_rule_set_use(world, rule, fender_contact_type_at(world, 1), &error));
    int count;
    const fender_event *events = fender_world_events(world, &count);
    assert_int_equal(count, 2); /* of the pair that the rule decides, and of no other */
    assert_true(events[0].kind == FENDER_EVENT_END && events[1].kind == FENDER_EVENT_BEGIN);
    assert_true(events[0].contact.a.index1 == 1 && events[0].contact.b.index1 == 2 && events[1].contact.a.index1 == 1);
    check_near(events[0].time, 5e-3, 0);
    check_near(events[1].time, 5e-3, 0);
    check_near(events[0].contact.impulse, old.impulse, 0);
    fender_contact_data now = contact_of(world, 0), same = contact_of(world, 1);
    assert_int_equal(now.type.index1, 2);
    check_near(now.begin_time, 5e-3, 0);
    check_near(now.impulse, 0, 0);
    check_near(now.normal_force, 300 * now.depth + 2 * now.depth_rate, 1e-10); /* at once */
    check_near(same.begin_time, other.begin_time, 0);
    check_near(same.impulse, other.impulse, 0);
    fender_ledger after = ledger_of(world);
    check_near(after.applied - before.applied, after.stored - before.stored, 1e-12);
    check_near(now.stored_energy, 0.5 * 300 * now.depth * now.depth, 1e-12);
    check_near(after.residual, before.residual, 1e-12);
    fender_rule_def def;
    assert_int_equal(fender_rule_get_def(world, rule, &def), FENDER_STATUS_OK);
    assert_int_equal(def.use.index1, 2);
    fender_pair_explanation why;
    fender_world_explain(world, now.a, now.b, &why);
    assert_true(why.use.index1 == 2 && why.rule.index1 == rule.index1);
    check_ok(fender_world_advance(world, 200, &error));
    check_below(fabs(ledger_of(world).residual), 1e-3 * ledger_of(world).scale);
    check_below(ledger_of(world).linear_drift, 1e-12);
    check_below(ledger_of(world).angular_drift, 1e-12);
    fender_world_destroy(world);
}

static void never_and_back(void **state)
{
    (void)state;
    scene s = overlapping();
    fender_world *world = scene_build(&s);
    check_ok(fender_world_advance(world, 5, &error));
    fender_rule_id rule = fender_rule_at(world, 0);
    double stored = contact_of(world, 0).stored_energy, applied = ledger_of(world).applied;
    check_ok(fender_rule_set_use(world, rule, never, &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    check_near(ledger_of(world).applied, applied - stored, 1e-12);
    int count;
    const fender_event *events = fender_world_events(world, &count);
    assert_true(count == 1 && events[0].kind == FENDER_EVENT_END);
    uint64_t hash = fender_world_hash(world);
    check_ok(fender_rule_set_use(world, rule, never, &error)); /* nothing to do */
    fender_world_events(world, &count);
    assert_int_equal(count, 0);
    assert_true(fender_world_hash(world) == hash);
    check_ok(fender_world_advance(world, 5, &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    check_ok(fender_rule_set_use(world, rule, fender_contact_type_at(world, 2), &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 2);
    events = fender_world_events(world, &count);
    assert_true(count == 1 && events[0].kind == FENDER_EVENT_BEGIN);
    assert_int_equal(contact_of(world, 0).type.index1, 3);
    check_ok(fender_world_advance(world, 100, &error));
    check_below(fabs(ledger_of(world).residual), 1e-3 * ledger_of(world).scale);
    fender_world_destroy(world);
}

/* A world that was built with the other type from the start goes the same way from the same state. */
static void as_if_built_so(void **state)
{
    (void)state;
    scene s = overlapping(), t = s;
    t.rules[0].use = 2;
    fender_world *one = scene_build(&s), *other = scene_build(&t);
    check_ok(fender_rule_set_use(one, fender_rule_at(one, 0), fender_contact_type_at(one, 2), &error));
    for (int k = 0; k < 300; k++) {
        check_ok(fender_world_step(one, &error));
        check_ok(fender_world_step(other, &error));
        for (int i = 0; i < 3; i++) {
            check_vector(scene_body_data(one, i).position, scene_body_data(other, i).position, 0);
            check_vector(scene_body_data(one, i).angular_velocity, scene_body_data(other, i).angular_velocity, 0);
        }
    }
    fender_world_destroy(one);
    fender_world_destroy(other);
}

/* Snapshots hold which type a rule has. */
static void snapshots(void **state)
{
    (void)state;
    scene s = overlapping();
    fender_world *world = scene_build(&s), *other = scene_build(&s);
    fender_rule_id rule = fender_rule_at(world, 0);
    check_ok(fender_world_advance(world, 5, &error));
    fender_snapshot *before = fender_snapshot_take(world, NULL);
    check_ok(fender_rule_set_use(world, rule, fender_contact_type_at(world, 2), &error));
    check_ok(fender_world_advance(world, 20, &error));
    fender_snapshot *after = fender_snapshot_take(world, NULL);
    uint64_t there = fender_world_hash(world);
    check_ok(fender_world_advance(world, 100, &error));
    check_ok(fender_snapshot_restore(other, after, &error)); /* whose rule has another type */
    assert_true(fender_world_hash(other) == there);
    check_ok(fender_world_advance(other, 100, &error));
    assert_true(fender_world_hash(other) == fender_world_hash(world));
    check_ok(fender_snapshot_restore(other, before, &error));
    fender_rule_def def;
    assert_int_equal(fender_rule_get_def(other, fender_rule_at(other, (int)rule.index1 - 1), &def), FENDER_STATUS_OK);
    assert_int_equal(def.use.index1, 1);
    check_ok(fender_rule_set_use(other, fender_rule_at(other, (int)rule.index1 - 1), fender_contact_type_at(other, 2),
                                 &error));
    check_ok(fender_world_advance(other, 120, &error));
    assert_true(fender_world_hash(other) == fender_world_hash(world));
    fender_snapshot_destroy(before);
    fender_snapshot_destroy(after);
    fender_world_destroy(world);
    fender_world_destroy(other);
}

/* With every method and located events, in the middle of a bounce. */
static void in_a_bounce(void **state)
{
    (void)state;
    for (int method = 0; method <= (int)FENDER_INTEGRATOR_DOP853; method++) {
        if (!fender_integrator_name((fender_integrator_method)method)) continue;
        scene s = overlapping();
        s.body_count = 2;
        s.rule_count = 1;
        s.world.method = (fender_integrator_method)method;
        s.world.locate_events = true;
        s.bodies[1].state.position = fender_vec3_make(1.05, 0.2, 0);
        s.bodies[1].state.velocity.x = -1;
        fender_world *world = scene_build(&s);
        while (fender_contact_count(world, FENDER_CLOCK_COMMITTED) == 0 || contact_of(world, 0).depth < 0.02)
            check_ok(fender_world_step(world, &error));
        check_ok(fender_rule_set_use(world, fender_rule_at(world, 0), fender_contact_type_at(world, 1), &error));
        for (int k = 0; k < 10000 && fender_contact_count(world, FENDER_CLOCK_COMMITTED) > 0; k++)
            check_ok(fender_world_step(world, &error));
        assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 0);
        assert_int_equal(fender_world_event_count(world, FENDER_EVENT_END), 2);
        check_below(ledger_of(world).linear_drift, 1e-12);
        check_below(ledger_of(world).angular_drift, 1e-12);
        bool order_one = s.world.method == FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER;
        check_below(fabs(ledger_of(world).residual), (order_one ? 2e-2 : 1e-4) * ledger_of(world).scale);
        fender_world_destroy(world);
    }
}

/* A law that holds on 0.1 m beyond separation and counts its updates. */
typedef struct sticky {
    double stiffness;
} sticky;
static const fender_field sticky_fields[] = {
    {"stiffness", "N/m", "Stiffness.", FENDER_FIELD_REAL, offsetof(sticky, stiffness), 0, 0, INFINITY, 1, NULL}};
static int ended_after; /* updates that the last contact to end had seen */
static void sticky_activation_distance(const void *p, double *onset, double *release)
{
    (void)p;
    *onset = 0;
    *release = 0.1;
}
static void sticky_force(const void *p, const fender_contact_input *in, const void *memory, fender_contact_output *out)
{
    (void)memory;
    out->force.z = ((const sticky *)p)->stiffness * in->depth;
}
static void sticky_update(const void *p, const fender_contact_input *in, const fender_contact_output *out, void *memory,
                          fender_contact_change *change)
{
    (void)p, (void)in, (void)out, (void)change;
    ++*(int *)memory;
}
static void sticky_end(const void *p, const fender_contact_input *last, void *memory)
{
    (void)p, (void)last;
    ended_after = *(int *)memory;
}
static const fender_law sticky_law = {.size = sizeof(fender_law),
                                      .kinds = FENDER_LAW_WHOLE,
                                      .name = "sticky",
                                      .doc = "Holds on.",
                                      .parameters = FENDER_FIELD_TABLE("sticky", sticky_fields, sticky),
                                      .memory_size = sizeof(int),
                                      .activation_distance = sticky_activation_distance,
                                      .force = sticky_force,
                                      .update = sticky_update,
                                      .end = sticky_end};

/* What is within the reach of a contact that lives need not be within that of one that begins; the old law is told. */
static void beyond_onset(void **state)
{
    (void)state;
    scene s = overlapping();
    s.body_count = 2;
    s.rule_count = 1;
    s.world.step = 1e-3;
    s.bodies[1].state.position.x = 0.99;
    s.bodies[1].state.velocity.x = 1;
    fender_env env = fender_env_default();
    fender_world *world = scene_build_with(&s, &env, NULL, false);
    fender_contact_type_id types[2];
    for (int i = 0; i < 2; i++) {
        sticky p = {10 * (i + 1)};
        fender_contact_type_def def = {.size = sizeof(fender_contact_type_def),
                                       .name = i ? "two" : "one",
                                       .law = &sticky_law,
                                       .law_parameters = &p};
        check_ok(fender_contact_type_create(world, &def, &types[i], &error));
    }
    fender_rule_id rule = fender_rule_at(world, 0);
    check_ok(fender_rule_set_use(world, rule, types[0], &error));
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 50, &error));
    fender_contact_data c = contact_of(world, 0);
    assert_true(c.depth < -0.03 && c.depth > -0.1);
    ended_after = 0;
    check_ok(fender_rule_set_use(world, rule, types[1], &error));
    assert_int_equal(ended_after, 51); /* at the start and after each step */
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 0);
    check_ok(fender_world_advance(world, 1, &error));
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 0);
    fender_world_destroy(world);
}

static void refusals(void **state)
{
    (void)state;
    scene s = overlapping();
    fender_env env = fender_env_default();
    fender_world *world = scene_build_with(&s, &env, NULL, false);
    fender_rule_id rule = fender_rule_at(world, 0), none = {9, 1, 1};
    fender_contact_type_id unknown = {9, 1, 1};
    assert_int_equal(fender_rule_set_use(world, none, never, NULL), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_rule_set_use(world, rule, unknown, NULL), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_rule_set_use(NULL, rule, never, NULL), FENDER_STATUS_ARGUMENT);
    check_ok(fender_rule_set_use(world, rule, fender_contact_type_at(world, 1), &error)); /* before the start */
    check_ok(fender_world_initialize(world, &error));
    assert_int_equal(contact_of(world, 0).type.index1, 2);
    check_near(ledger_of(world).applied, 0, 0);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_and_begins), cmocka_unit_test(never_and_back), cmocka_unit_test(as_if_built_so),
        cmocka_unit_test(snapshots),       cmocka_unit_test(in_a_bounce),    cmocka_unit_test(refusals),
        cmocka_unit_test(beyond_onset),
    };
    return cmocka_run_group_tests_name("switching laws", tests, NULL, NULL);
}
