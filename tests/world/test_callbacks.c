/* A world is called from within its own laws: calls that change it are refused, and the step goes on as if they had not
 * been. Getters without a world, fields without a name, environments without an allocator. */
#include "check.h"

#include <fender/io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a law that calls back */

typedef struct calling {
    fender_world *world;
    void (*call)(fender_world *world);
    int calls;
} calling;

static calling caller; /* laws know of nothing but their parameters */

typedef struct stiff {
    double stiffness;
} stiff;

static void push(const void *parameters, const fender_contact_input *in, const void *memory, fender_contact_output *out)
{
    const stiff *p = parameters;
    (void)memory;
    out->force.z = in->depth > 0 ? p->stiffness * in->depth : 0;
    if (!caller.call || !caller.world) return;
    caller.calls++;
    caller.call(caller.world);
}

static const fender_field fields[] = {
    {"stiffness", "N/m", "Force over depth.", FENDER_FIELD_REAL, offsetof(stiff, stiffness), 0, 0, INFINITY, 0, NULL},
};
static const fender_law law = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE,
    .name = "calls_back",
    .doc = "A linear spring that calls its world.",
    .parameters = FENDER_FIELD_TABLE("calls_back", fields, stiff),
    .force = push,
};

static fender_env env;

static fender_world *two_balls(void)
{
    fender_error fault = {0};
    fender_world_def def = fender_world_def_default();
    fender_registry *registry = fender_registry_create(&env, &fault);
    check_ok(fender_registry_add_law(registry, &law, &error));
    def.registry = registry;
    fender_world *world = fender_world_create(&env, &def, &fault);
    assert_non_null(world);
    fender_registry_destroy(registry);
    const stiff parameters = {1000};
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "spring", .law = &law, .law_parameters = &parameters};
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    fender_geometry *ball = fender_geometry_sphere(&env, 1, &fault);
    for (int i = 0; i < 2; i++) {
        fender_body_def body = fender_body_def_default();
        fender_shape_def shape = fender_shape_def_default();
        fender_body_id id;
        body.name = i == 0 ? "a" : "b";
        body.mass_properties.mass = 1;
        body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
        body.state.position.x = 1.95 * i;
        shape.name = "hull";
        shape.geometry = ball;
        check_ok(fender_body_create(world, &body, &id, &error));
        check_ok(fender_shape_create(world, id, &shape, NULL, &error));
    }
    fender_geometry_release(ball);
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* ---- what it calls */

static void expect_state(fender_status status, const fender_error *fault)
{
    assert_int_equal(status, FENDER_STATUS_STATE);
    assert_non_null(strstr(fault->message, "already executing a call"));
}

static void call_step(fender_world *world)
{
    fender_error fault = {0};
    fender_proposal proposal;
    expect_state(fender_world_step(world, &fault), &fault);
    expect_state(fender_world_advance(world, 1, &fault), &fault);
    expect_state(fender_world_advance_to(world, 10, &fault), &fault);
    expect_state(fender_world_propose(world, INFINITY, &proposal, &fault), &fault);
    expect_state(fender_world_accept(world, &fault), &fault);
    expect_state(fender_world_initialize(world, &fault), &fault);
    expect_state(fender_world_evaluate(world, &fault), &fault);
    fender_world_set_contacts_active(world, false);
}

static void call_create(fender_world *world)
{
    fender_error fault = {0};
    fender_body_def body = fender_body_def_default();
    body.name = "c";
    body.mass_properties.mass = 1;
    body.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
    expect_state(fender_body_create(world, &body, NULL, &fault), &fault);
    expect_state(fender_body_set_state(world, fender_body_at(world, 0), &body.state, &fault), &fault);
    expect_state(fender_shape_set_active(world, fender_shape_at(world, 0), false), &fault);
}

static void call_destroy(fender_world *world) { fender_world_destroy(world); }

static void call_snapshot(fender_world *world)
{
    static fender_snapshot *none;
    fender_error fault = {0};
    none = fender_snapshot_take(world, &fault);
    assert_null(none);
    assert_int_equal(fault.status, FENDER_STATUS_STATE);
}

/* What only reads is allowed. */
static void call_getters(fender_world *world)
{
    fender_body_data data;
    assert_int_equal(fender_body_count(world), 2);
    assert_int_equal(fender_body_get(world, fender_body_at(world, 0), FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    assert_true(isfinite(fender_world_time(world)));
}

static fender_snapshot *restored;
static void call_restore(fender_world *world)
{
    fender_error fault = {0};
    expect_state(fender_snapshot_restore(world, restored, &fault), &fault);
}

static void called_from_within(void **unused)
{
    (void)unused;
    void (*const calls[])(fender_world *) = {NULL,          call_step,    call_create, call_destroy,
                                             call_snapshot, call_getters, call_restore};
    uint64_t expected = 0;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        fender_error fault = {0};
        caller = (calling){NULL, NULL, 0};
        fender_world *world = two_balls();
        restored = fender_snapshot_take(world, &fault);
        assert_non_null(restored);
        caller = (calling){world, calls[i], 0};
        check_ok(fender_world_advance(world, 20, &error));
        caller.call = NULL;
        assert_true(i == 0 || caller.calls > 10);
        if (i == 0) expected = fender_world_hash(world);
        assert_true(fender_world_hash(world) == expected);
        /* and afterwards all of it is possible again */
        check_ok(fender_snapshot_restore(world, restored, &error));
        check_ok(fender_world_step(world, &error));
        fender_snapshot_destroy(restored);
        fender_world_destroy(world);
    }
}

/* ---- nothing where something is needed */

static void getters_without_world(void **unused)
{
    (void)unused;
    int count = 7;
    size_t size = 7;
    fender_ledger ledger;
    fender_inertial_ledger inertial;
    const fender_body_id body = {1, 1, 1};
    const fender_shape_id shape = {1, 1, 1};
    const fender_material_id material = {1, 1, 1};
    const fender_link_id link = {1, 1, 1};
    const fender_sensor_id sensor = {1, 1, 1};
    assert_true(fender_world_time(NULL) == 0);
    assert_true(fender_world_step_count(NULL) == 0 && fender_world_evaluation_count(NULL) == 0);
    assert_true(fender_world_event_count(NULL, FENDER_EVENT_ATTACH) == 0);
    assert_null(fender_world_get_def(NULL));
    assert_null(fender_world_events(NULL, &count));
    assert_int_equal(count, 0);
    assert_true(fender_body_count(NULL) + fender_shape_count(NULL) + fender_link_count(NULL) + fender_load_count(NULL) +
                    fender_rule_count(NULL) + fender_point_count(NULL) + fender_sensor_count(NULL) +
                    fender_contact_type_count(NULL) + fender_contact_count(NULL, FENDER_CLOCK_COMMITTED) +
                    fender_world_state_count(NULL) ==
                0);
    assert_true(fender_body_at(NULL, 0).index1 + fender_shape_at(NULL, 0).index1 + fender_link_at(NULL, 0).index1 +
                    fender_load_at(NULL, 0).index1 + fender_rule_at(NULL, 0).index1 + fender_point_at(NULL, 0).index1 +
                    fender_sensor_at(NULL, 0).index1 + fender_contact_type_at(NULL, 0).index1 +
                    fender_shape_body(NULL, shape).index1 + fender_body_parent(NULL, body).index1 +
                    fender_body_root(NULL, body).index1 + fender_body_child_at(NULL, body, 0).index1 ==
                0);
    assert_null(fender_body_name(NULL, body));
    assert_null(fender_shape_name(NULL, shape));
    assert_null(fender_material_name(NULL, material));
    assert_null(fender_link_name(NULL, link));
    assert_null(fender_load_name(NULL, (fender_load_id){0}));
    assert_null(fender_sensor_name(NULL, sensor));
    assert_false(fender_body_connection(NULL, body, NULL, NULL));
    assert_true(fender_body_pose_in_parent(NULL, body).q.w == 1);
    fender_world_ledger(NULL, &ledger);
    assert_true(ledger.kinetic == 0);
    fender_world_inertial_ledger(NULL, &inertial);
    assert_true(fender_world_hash(NULL) == 0xcbf29ce484222325u);
    assert_null(fender_snapshot_bytes(NULL, &size));
    assert_int_equal(size, 0);
    fender_world_get_state(NULL, NULL);
    fender_world_set_contacts_active(NULL, true);
    fender_error fault = {0};
    assert_int_equal(fender_world_step(NULL, &fault), FENDER_STATUS_ARGUMENT);

    fender_world *world = two_balls();
    fender_world_events(world, NULL);
    fender_world_ledger(world, NULL);
    fender_world_inertial_ledger(world, NULL);
    fender_world_get_state(world, NULL);
    fender_world_destroy(world);
}

/* An empty world has no arrays: nothing is copied to or from NULL. */
static void empty_world(void **unused)
{
    (void)unused;
    fender_error fault = {0};
    fender_world_def def = fender_world_def_default();
    fender_world *world = fender_world_create(&env, &def, &fault);
    check_ok(fender_world_initialize(world, &error));
    check_ok(fender_world_advance(world, 3, &error));
    fender_snapshot *snapshot = fender_snapshot_take(world, &fault);
    assert_non_null(snapshot);
    check_ok(fender_snapshot_restore(world, snapshot, &error));
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(world);
}

static void misspelt_parameter(void **unused)
{
    (void)unused;
    const fender_law *spring = fender_law_find(NULL, "spring_damper");
    double parameters[64] = {0};
    const fender_field *known = fender_field_find(&spring->parameters, "stiffness");
    const fender_field *unknown = fender_field_find(&spring->parameters, "stifness");
    assert_true(spring->parameters.size <= sizeof parameters);
    (void)fender_field_initialize(&spring->parameters, parameters, sizeof parameters, NULL);
    assert_null(unknown);
    assert_false(fender_field_set(unknown, parameters, 0, 1));
    assert_true(isnan(fender_field_get(unknown, parameters, 0)));
    assert_false(fender_field_set(known, parameters, 1, 1));
    assert_false(fender_field_set(known, NULL, 0, 1));
    assert_true(fender_field_set(known, parameters, 0, 5));
    assert_true(fender_field_get(known, parameters, 0) == 5);
    assert_int_equal(fender_field_component_count(NULL), 0);
}

static void zeroed_environment(void **unused)
{
    (void)unused;
    const fender_env zero = {{NULL, NULL, NULL}, NULL, NULL};
    fender_world_def def = fender_world_def_default();
    fender_error fault = {0};
    assert_null(fender_world_create(&zero, &def, &fault));
    assert_int_equal(fault.status, FENDER_STATUS_ARGUMENT);
    assert_null(fender_registry_create(&zero, NULL));
    assert_null(fender_geometry_sphere(&zero, 1, NULL));
    assert_null(fender_geometry_sphere(NULL, 1, NULL));
    fault = (fender_error){0};
    assert_null(fender_scenario_parse(&zero, NULL, "a", "fender: 1\n", 10, NULL, 0, &fault));
    assert_int_equal(fault.status, FENDER_STATUS_ARGUMENT);
    assert_null(fender_scenario_load(&zero, NULL, "a.yaml", NULL, 0, NULL));
    assert_null(fender_run_create(&zero, NULL, NULL));
    assert_int_equal(fender_report_write(&zero, "a.run", "a.html", NULL), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_export_gltf(&zero, "a.run", "a.glb", 1, NULL), FENDER_STATUS_ARGUMENT);
}

int main(void)
{
    env = fender_env_default();
    const struct CMUnitTest tests[] = {cmocka_unit_test(called_from_within), cmocka_unit_test(getters_without_world),
                                       cmocka_unit_test(empty_world), cmocka_unit_test(misspelt_parameter),
                                       cmocka_unit_test(zeroed_environment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
