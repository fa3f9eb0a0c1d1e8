/* Ids of another generation, clocks that are none, worlds that are not ready: each call says so, or gives nothing. */
#include "check.h"
#include <fender/fender.h>

typedef struct yard {
    fender_world *world;
    fender_body_id body;
    fender_shape_id shape;
    fender_material_id material;
    fender_contact_type_id type;
    fender_point_id from, to;
    fender_link_id link;
    fender_load_id load;
    fender_rule_id rule;
} yard;

static yard build(fender_integrator_method method)
{
    yard y = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.method = method;
    def.step = 1e-2;
    y.world = fender_world_create(&env, &def, NULL);
    fender_geometry *ball = fender_geometry_sphere(&env, 0.5, NULL);
    check_ok(fender_material_create(y.world, "steel", &y.material, &error));
    fender_body_def body = fender_body_def_default();
    fender_shape_def shape = fender_shape_def_default();
    body.name = "other";
    body.motion = FENDER_MOTION_FIXED;
    fender_body_id other;
    check_ok(fender_body_create(y.world, &body, &other, &error));
    body.name = "body";
    body.motion = FENDER_MOTION_DYNAMIC;
    body.mass_properties = (fender_mass_properties){1, {0, 0, 0}, fender_mat3_diagonal(1, 1, 1)};
    check_ok(fender_body_create(y.world, &body, &y.body, &error));
    shape.name = "hull";
    shape.geometry = ball;
    shape.material = y.material;
    check_ok(fender_shape_create(y.world, y.body, &shape, &y.shape, &error));
    fender_geometry_release(ball);
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    double numbers[32];
    check_ok(fender_law_parameters_default(law, numbers, sizeof numbers, &error));
    check_ok(fender_law_parameters_set(law, numbers, sizeof numbers, "stiffness", 1e3, &error));
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "type";
    type.law = law;
    type.law_parameters = numbers;
    check_ok(fender_contact_type_create(y.world, &type, &y.type, &error));
    fender_rule_def rule = fender_rule_def_default();
    rule.use = y.type;
    check_ok(fender_rule_create(y.world, &rule, &y.rule, &error));
    fender_link_spring_damper_6dof spring = {
        .stiffness = {100, 100, 100}, .limit = INFINITY, .angular_limit = INFINITY};
    fender_link_def link = fender_link_def_default();
    link.name = "link";
    link.law = FENDER_LINK_SPRING_DAMPER_6DOF;
    link.parameters = &spring;
    fender_pose beside = fender_pose_identity();
    beside.p.x = 0.1;
    check_ok(fender_point_create(y.world, other, "from", beside, &y.from, &error));
    check_ok(fender_point_create(y.world, y.body, "to", fender_pose_identity(), &y.to, &error));
    link.a = y.from;
    link.b = y.to;
    check_ok(fender_link_create(y.world, &link, &y.link, &error));
    fender_load_def load = fender_load_def_default();
    load.name = "load";
    load.body = y.body;
    load.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0, 0, 1}};
    check_ok(fender_load_create(y.world, &load, &y.load, &error));
    return y;
}

static void generations(void **state)
{
    (void)state;
    yard y = build(FENDER_INTEGRATOR_RK4);
    fender_world *w = y.world;
    yard old = y;
    old.body.generation++, old.shape.generation++, old.material.generation++, old.type.generation++;
    old.from.generation++, old.link.generation++, old.load.generation++, old.rule.generation++;
    assert_null(fender_body_name(w, old.body));
    assert_null(fender_shape_name(w, old.shape));
    assert_null(fender_material_name(w, old.material));
    assert_null(fender_link_name(w, old.link));
    assert_null(fender_load_name(w, old.load));
    assert_null(fender_body_get_user_data(w, old.body));
    assert_string_equal(fender_load_name(w, y.load), "load");
    fender_link_spring_damper_6dof spring = {.limit = INFINITY, .angular_limit = INFINITY};
    fender_link_def link = fender_link_def_default();
    link.name = "another";
    link.law = FENDER_LINK_SPRING_DAMPER_6DOF;
    link.parameters = &spring;
    link.a = old.from;
    link.b = y.to;
    assert_int_equal(fender_link_create(w, &link, NULL, NULL), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_rule_destroy(w, old.rule, NULL), FENDER_STATUS_STALE_ID);
    fender_rule_def rule = fender_rule_def_default();
    rule.kind = FENDER_RULE_MATERIALS;
    rule.material_a = rule.material_b = y.material;
    rule.use = old.type;
    assert_int_equal(fender_rule_create(w, &rule, NULL, NULL), FENDER_STATUS_STALE_ID);
    rule.use = y.type;
    rule.material_b = old.material;
    assert_int_equal(fender_rule_create(w, &rule, NULL, NULL), FENDER_STATUS_STALE_ID);
    fender_link_id found;
    assert_int_equal(fender_link_find(w, NULL, &found), FENDER_STATUS_NAME);
    assert_int_equal(fender_link_find(w, "none", &found), FENDER_STATUS_NAME);
    int count = 7;
    assert_null(fender_world_events(NULL, &count));
    assert_int_equal(count, 0);
    check_ok(fender_world_initialize(w, &error));
    fender_link_data data;
    assert_int_equal(fender_link_get(w, y.link, (fender_clock)9, &data), FENDER_STATUS_ARGUMENT);
    fender_snapshot *snapshot = fender_snapshot_take(w, NULL);
    assert_non_null(fender_snapshot_bytes(snapshot, NULL));
    assert_null(fender_snapshot_bytes(NULL, NULL));
    fender_snapshot_destroy(snapshot);
    assert_int_equal(fender_world_derivative(w, NULL, NULL), FENDER_STATUS_ARGUMENT);
    fender_world_destroy(w);
}

/* Links and contacts are switched before the world is ready, and where nothing is known of the present state: the
 * ledger books what they hold. */
static void switched_early(void **state)
{
    (void)state;
    yard y = build(FENDER_INTEGRATOR_RK4);
    fender_world *w = y.world;
    fender_snapshot *none = NULL;
    fender_ledger ledger;
    check_ok(fender_link_set_active(w, y.link, false));
    check_ok(fender_link_set_active(w, y.link, false));
    fender_world_set_contacts_active(w, false);
    fender_world_set_contacts_active(w, true);
    assert_int_equal(fender_snapshot_restore(w, none, NULL), FENDER_STATUS_ARGUMENT);
    check_ok(fender_world_initialize(w, &error));
    fender_world_ledger(w, &ledger);
    assert_true(ledger.stored == 0 && ledger.applied == 0);
    check_ok(fender_load_set_active(w, y.load, false)); /* the present evaluation is another's */
    check_ok(fender_link_set_active(w, y.link, true));
    check_ok(fender_world_step(w, &error));
    check_ok(fender_link_set_active(w, y.link, true));
    fender_world_ledger(w, &ledger);
    check_near(ledger.applied, 0.5 * 100 * 0.01, 1e-12); /* it came into the world stretched by 0.1 m */
    check_near(ledger.stored + ledger.kinetic, 0.5, 1e-6);
    fender_world_destroy(w);
}

/* What only fixed steps of what moves have. */
static void no_stable_step(void **state)
{
    (void)state;
    double longest = 0;
    yard y = build(FENDER_INTEGRATOR_DOPRI5);
    check_ok(fender_world_initialize(y.world, &error));
    check_ok(fender_world_stable_step(y.world, &longest, &error));
    assert_true(longest == INFINITY);
    fender_world_destroy(y.world);
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_world *empty = fender_world_create(&env, &def, NULL);
    check_ok(fender_world_initialize(empty, &error));
    longest = 0;
    check_ok(fender_world_stable_step(empty, &longest, &error));
    assert_true(longest == INFINITY);
    fender_world_destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(generations), cmocka_unit_test(switched_early),
                                       cmocka_unit_test(no_stable_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
