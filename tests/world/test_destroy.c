/* Objects that leave a world, ids that stay known as stale, sizes of definitions, pointers of callers. */
/* items: B012 */
#include "check.h"

#include <fender/fender.h>
#include <math.h>
#include <string.h>

/* Two spheres side by side on a plane, each tied to the plane by a spring and pushed by a load. */
typedef struct yard {
    fender_world *world;
    fender_geometry *ball, *plane;
    fender_body_id ground, balls[2];
    fender_shape_id floor, shapes[2];
    fender_load_id loads[2];
    fender_link_id links[2];
    fender_rule_id rule;
    fender_contact_type_id type;
} yard;

static fender_body_id add_body(fender_world *world, const char *name, fender_motion motion, fender_vec3 position)
{
    fender_body_def def = fender_body_def_default();
    fender_body_id id;
    def.name = name;
    def.motion = motion;
    def.mass_properties = (fender_mass_properties){2, {0, 0, 0}, fender_mat3_diagonal(0.1, 0.1, 0.1)};
    def.state.position = position;
    check_ok(fender_body_create(world, &def, &id, &error));
    return id;
}

static fender_shape_id add_shape(fender_world *world, fender_body_id body, fender_geometry *geometry)
{
    fender_shape_def def = fender_shape_def_default();
    fender_shape_id id;
    def.name = "hull";
    def.geometry = geometry;
    check_ok(fender_shape_create(world, body, &def, &id, &error));
    return id;
}

static void add_ball(yard *y, int i, const char *name, double x)
{
    char text[40];
    y->balls[i] = add_body(y->world, name, FENDER_MOTION_DYNAMIC, fender_vec3_make(x, 0, 0.499));
    y->shapes[i] = add_shape(y->world, y->balls[i], y->ball);
    fender_load_def load = fender_load_def_default();
    snprintf(text, sizeof text, "push_%s", name);
    load.name = text;
    load.body = y->balls[i];
    load.force.kind = FENDER_SIGNAL_CONSTANT;
    load.force.constant = fender_vec3_make(0, 0, -1);
    check_ok(fender_load_create(y->world, &load, &y->loads[i], &error));
    fender_point_id ends[2];
    snprintf(text, sizeof text, "eye_%s", name);
    check_ok(fender_point_create(y->world, y->ground, text, fender_pose_identity(), &ends[0], &error));
    check_ok(fender_point_create(y->world, y->balls[i], "eye", fender_pose_identity(), &ends[1], &error));
    const fender_link_spring_damper spring = {.stiffness = 5, .limit = INFINITY};
    fender_link_def link = fender_link_def_default();
    snprintf(text, sizeof text, "tie_%s", name);
    link.name = text;
    link.a = ends[0];
    link.b = ends[1];
    link.parameters = &spring;
    check_ok(fender_link_create(y->world, &link, &y->links[i], &error));
}

static yard make(void)
{
    yard y = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -9.8}, 0, {0, 0, 0}};
    def.step = 1e-3;
    y.world = fender_world_create(&env, &def, NULL);
    assert_non_null(y.world);
    y.ball = fender_geometry_sphere(&env, 0.5, NULL);
    y.plane = fender_geometry_plane(&env, NULL);
    y.ground = add_body(y.world, "ground", FENDER_MOTION_FIXED, fender_vec3_make(0, 0, 0));
    y.floor = add_shape(y.world, y.ground, y.plane);
    add_ball(&y, 0, "one", 0);
    add_ball(&y, 1, "two", 5);
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    double parameters[16] = {0};
    check_ok(fender_law_parameters_default(law, parameters, sizeof parameters, &error));
    check_ok(fender_law_parameters_set(law, parameters, sizeof parameters, "stiffness", 2e4, &error));
    check_ok(fender_law_parameters_set(law, parameters, sizeof parameters, "damping", 50, &error));
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "touch";
    type.normal = law;
    type.normal_parameters = parameters;
    check_ok(fender_contact_type_create(y.world, &type, &y.type, &error));
    fender_rule_def rule = fender_rule_def_default();
    rule.use = y.type;
    check_ok(fender_rule_create(y.world, &rule, &y.rule, &error));
    check_ok(fender_world_initialize(y.world, &error));
    return y;
}

static void end(yard *y)
{
    fender_world_destroy(y->world);
    fender_geometry_release(y->ball);
    fender_geometry_release(y->plane);
}

static double residual(const fender_world *world)
{
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    return fabs(ledger.residual) / ledger.scale;
}

/* The other ball goes on to the last bit as it would have without the body that left, and the ledger closes. */
static void test_body_leaves(void **state)
{
    (void)state;
    yard y = make(), alone = make();
    check_ok(fender_world_advance(y.world, 100, &error));
    check_ok(fender_world_advance(alone.world, 100, &error));
    assert_int_equal(fender_contact_count(y.world, FENDER_CLOCK_COMMITTED), 2);
    check_ok(fender_body_destroy(y.world, y.balls[0], &error));
    int count;
    const fender_event *events = fender_world_events(y.world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].kind, FENDER_EVENT_END);
    assert_int_equal(events[0].contact.b.index1, y.shapes[0].index1);
    assert_int_equal(fender_world_step(y.world, NULL), FENDER_STATUS_STATE);
    check_ok(fender_world_initialize(y.world, &error));
    assert_int_equal(fender_contact_count(y.world, FENDER_CLOCK_COMMITTED), 1);
    assert_int_equal(fender_body_count(y.world), 2);
    assert_int_equal(fender_shape_count(y.world), 2);
    assert_int_equal(fender_load_count(y.world), 1);
    assert_int_equal(fender_link_count(y.world), 1);
    assert_int_equal(fender_world_state_count(y.world), FENDER_STATE_PER_BODY);
    assert_string_equal(fender_body_name(y.world, fender_body_at(y.world, 1)), "two");
    check_ok(fender_world_advance(y.world, 400, &error));
    check_ok(fender_world_advance(alone.world, 400, &error));
    fender_body_data left, whole;
    check_ok(fender_body_get(y.world, y.balls[1], FENDER_CLOCK_COMMITTED, &left));
    check_ok(fender_body_get(alone.world, alone.balls[1], FENDER_CLOCK_COMMITTED, &whole));
    assert_memory_equal(&left, &whole, sizeof left);
    assert_true(residual(y.world) < 1e-6); /* rk4 at 1 ms on a spring of 100 rad/s */
    end(&y);
    end(&alone);
}

static void test_stale_ids(void **state)
{
    (void)state;
    yard y = make(), other = make();
    fender_body_def body;
    fender_shape_def shape;
    fender_load_def load;
    fender_link_def link;
    fender_rule_def rule;
    /* of another world */
    assert_int_equal(fender_body_get_def(other.world, y.balls[0], &body), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_shape_get_def(other.world, y.shapes[0], &shape), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_load_get_def(other.world, y.loads[0], &load), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_link_get_def(other.world, y.links[0], &link), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_rule_get_def(other.world, y.rule, &rule), FENDER_STATUS_STALE_ID);
    /* of what has left, and of what has come to its place */
    check_ok(fender_body_destroy(y.world, y.balls[0], &error));
    assert_int_equal(fender_body_destroy(y.world, y.balls[0], NULL), FENDER_STATUS_STALE_ID);
    const yard gone = y;
    add_ball(&y, 0, "three", -5);
    check_ok(fender_world_initialize(y.world, &error));
    assert_int_equal(y.balls[0].index1, gone.balls[0].index1);
    assert_int_not_equal(y.balls[0].generation, gone.balls[0].generation);
    assert_int_equal(fender_body_get_def(y.world, gone.balls[0], &body), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_shape_get_def(y.world, gone.shapes[0], &shape), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_load_get_def(y.world, gone.loads[0], &load), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_link_get_def(y.world, gone.links[0], &link), FENDER_STATUS_STALE_ID);
    check_ok(fender_body_get_def(y.world, y.balls[0], &body));
    assert_string_equal(body.name, "three");
    fender_body_id found;
    check_ok(fender_body_find(y.world, "three", &found));
    assert_int_equal(found.generation, y.balls[0].generation);
    check_ok(fender_world_advance(y.world, 50, &error));
    assert_int_equal(fender_contact_count(y.world, FENDER_CLOCK_COMMITTED), 2);
    end(&y);
    end(&other);
}

/* Each by itself: what it did ends, what it was tied to stays. */
static void test_parts_leave(void **state)
{
    (void)state;
    yard y = make();
    check_ok(fender_world_advance(y.world, 20, &error));
    check_ok(fender_load_destroy(y.world, y.loads[0], &error));
    check_ok(fender_world_step(y.world, &error)); /* without a new initialization */
    fender_load_id load;
    assert_int_equal(fender_load_find(y.world, "push_one", &load), FENDER_STATUS_NAME);
    check_ok(fender_link_destroy(y.world, y.links[0], &error));
    check_ok(fender_world_initialize(y.world, &error));
    check_ok(fender_world_advance(y.world, 20, &error));
    check_ok(fender_shape_destroy(y.world, y.shapes[1], &error));
    int count;
    fender_world_events(y.world, &count);
    assert_int_equal(count, 1);
    check_ok(fender_world_initialize(y.world, &error));
    check_ok(fender_world_advance(y.world, 100, &error));
    fender_body_data data;
    check_ok(fender_body_get(y.world, y.balls[1], FENDER_CLOCK_COMMITTED, &data));
    assert_true(data.velocity.z < -0.9); /* it falls through the plane: 0.1 s at 9.8 + 0.5 m/s^2, less its spring */
    check_ok(fender_rule_destroy(y.world, y.rule, &error));
    assert_int_equal(fender_contact_count(y.world, FENDER_CLOCK_COMMITTED), 0);
    assert_int_equal(fender_rule_count(y.world), 0);
    check_ok(fender_world_advance(y.world, 20, &error));
    assert_true(residual(y.world) < 1e-6);
    const fender_sensor_def def = {.size = sizeof def, .name = "eye", .beam = {y.balls[0], {0, 0, 0}, {0, 0, -1}, 9}};
    fender_sensor_id sensor;
    fender_beam_data seen;
    check_ok(fender_sensor_create(y.world, &def, &sensor, &error));
    check_ok(fender_sensor_read(y.world, sensor, &seen));
    check_ok(fender_sensor_destroy(y.world, sensor, &error));
    assert_int_equal(fender_sensor_read(y.world, sensor, &seen), FENDER_STATUS_STALE_ID);
    assert_int_equal(fender_sensor_count(y.world), 0);
    end(&y);
}

static void test_tree_stays(void **state)
{
    (void)state;
    yard y = make();
    fender_attach_def def = fender_attach_def_default();
    def.child = y.balls[1];
    def.parent = y.balls[0];
    def.pose = FENDER_ATTACH_AS_IS;
    check_ok(fender_body_attach(y.world, &def, NULL, &error));
    const uint64_t before = fender_world_hash(y.world);
    fender_error fault = {0};
    assert_int_equal(fender_body_destroy(y.world, y.balls[0], &fault), FENDER_STATUS_TOPOLOGY);
    assert_string_equal(fault.suggestion, "detach it first");
    assert_int_equal(fender_body_destroy(y.world, y.balls[1], NULL), FENDER_STATUS_TOPOLOGY);
    assert_true(fender_world_hash(y.world) == before);
    check_ok(fender_body_detach(y.world, y.balls[1], (fender_body_id){0}, FENDER_DETACH_CONNECTION, NULL, &error));
    check_ok(fender_body_destroy(y.world, y.balls[0], &error));
    end(&y);
}

/* A snapshot of before does not fit the world after. */
static void test_snapshot_of_before(void **state)
{
    (void)state;
    yard y = make();
    fender_snapshot *snapshot = fender_snapshot_take(y.world, NULL);
    check_ok(fender_body_destroy(y.world, y.balls[0], &error));
    add_ball(&y, 0, "three", 0);
    check_ok(fender_world_initialize(y.world, &error));
    assert_int_equal(fender_snapshot_restore(y.world, snapshot, NULL), FENDER_STATUS_ARGUMENT);
    fender_snapshot_destroy(snapshot);
    end(&y);
}

static void test_sizes(void **state)
{
    (void)state;
    yard y = make();
    fender_body_def body = fender_body_def_default();
    body.name = "late";
    body.size = 0;
    fender_error fault = {0};
    assert_int_equal(fender_body_create(y.world, &body, NULL, &fault), FENDER_STATUS_ARGUMENT);
    assert_string_equal(fault.path, "size");
    assert_int_equal(fender_shape_create(y.world, y.ground, &(fender_shape_def){0}, NULL, NULL),
                     FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_load_create(y.world, &(fender_load_def){0}, NULL, NULL), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_link_create(y.world, &(fender_link_def){0}, NULL, NULL), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_rule_create(y.world, &(fender_rule_def){0}, NULL, NULL), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_contact_type_create(y.world, &(fender_contact_type_def){0}, NULL, NULL),
                     FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_sensor_create(y.world, &(fender_sensor_def){0}, NULL, NULL), FENDER_STATUS_ARGUMENT);
    assert_int_equal(fender_body_attach(y.world, &(fender_attach_def){0}, NULL, NULL), FENDER_STATUS_ARGUMENT);
    fender_env env = fender_env_default();
    assert_null(fender_world_create(&env, &(fender_world_def){0}, NULL));
    end(&y);
}

static void test_user_data(void **state)
{
    (void)state;
    yard y = make();
    int mine[6];
    const uint64_t before = fender_world_hash(y.world);
    fender_world_set_user_data(y.world, &mine[0]);
    check_ok(fender_body_set_user_data(y.world, y.balls[0], &mine[1]));
    check_ok(fender_shape_set_user_data(y.world, y.shapes[0], &mine[2]));
    check_ok(fender_load_set_user_data(y.world, y.loads[0], &mine[3]));
    check_ok(fender_link_set_user_data(y.world, y.links[0], &mine[4]));
    assert_ptr_equal(fender_world_get_user_data(y.world), &mine[0]);
    assert_ptr_equal(fender_body_get_user_data(y.world, y.balls[0]), &mine[1]);
    assert_ptr_equal(fender_shape_get_user_data(y.world, y.shapes[0]), &mine[2]);
    assert_ptr_equal(fender_load_get_user_data(y.world, y.loads[0]), &mine[3]);
    assert_ptr_equal(fender_link_get_user_data(y.world, y.links[0]), &mine[4]);
    assert_null(fender_body_get_user_data(y.world, y.balls[1]));
    assert_true(fender_world_hash(y.world) == before);
    assert_int_equal(fender_body_set_user_data(y.world, (fender_body_id){0}, NULL), FENDER_STATUS_STALE_ID);
    assert_null(fender_load_get_user_data(y.world, (fender_load_id){0}));
    end(&y);
}

/* After a proposal was discarded the world is as before: nothing can be accepted, and the next step is the same. */
static void test_discard(void **state)
{
    (void)state;
    yard y = make(), other = make();
    fender_proposal proposal;
    const uint64_t before = fender_world_hash(y.world);
    check_ok(fender_world_propose(y.world, INFINITY, &proposal, &error));
    fender_world_discard_proposal(y.world);
    assert_int_equal(fender_world_accept(y.world, NULL), FENDER_STATUS_STATE);
    assert_true(fender_world_hash(y.world) == before);
    check_ok(fender_world_step(y.world, &error));
    check_ok(fender_world_step(other.world, &error));
    assert_true(fender_world_hash(y.world) == fender_world_hash(other.world));
    fender_world_discard_proposal(y.world);
    fender_world_discard_proposal(NULL);
    end(&y);
    end(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_body_leaves),        cmocka_unit_test(test_stale_ids),
        cmocka_unit_test(test_parts_leave),        cmocka_unit_test(test_tree_stays),
        cmocka_unit_test(test_snapshot_of_before), cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_user_data),          cmocka_unit_test(test_discard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
