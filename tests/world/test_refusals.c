/* Every public call of a world without a world, without room for its answer, with ids of nothing, and with numbers that
 * make no sense: the status, the field at fault, and a world that is as it was. */
/* items: C029 */
#include "check.h"
#include <string.h>

enum {
    ARGUMENT = FENDER_STATUS_ARGUMENT,
    STALE = FENDER_STATUS_STALE_ID,
    VALUE = FENDER_STATUS_VALUE,
    NAME = FENDER_STATUS_NAME,
    NOT_YET = FENDER_STATUS_STATE
};

static const fender_body_id no_body;
static const fender_shape_id no_shape;
static const fender_load_id no_load;
static const fender_link_id no_link;
static const fender_sensor_id no_sensor;
static const fender_point_id no_point;
static const fender_rule_id no_rule;
static const fender_contact_type_id no_type;

/* A sphere on a plane, with one object of every kind. */
typedef struct yard {
    fender_world *world;
    fender_geometry *ball, *plane;
    fender_body_id ground, body;
    fender_shape_id floor, hull;
    fender_material_id steel;
    fender_contact_type_id type;
    fender_rule_id rule;
    fender_load_id load;
    fender_link_id link;
    fender_point_id eye, anchor;
    fender_sensor_id sensor;
} yard;

static fender_body_id add_body(fender_world *world, const char *name, fender_motion motion, double z)
{
    fender_body_def def = fender_body_def_default();
    fender_body_id id;
    def.name = name;
    def.motion = motion;
    def.mass_properties = (fender_mass_properties){2, {0, 0, 0}, fender_mat3_diagonal(0.1, 0.1, 0.1)};
    def.state.position.z = z;
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

static yard make(void)
{
    yard y = {0};
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 1e-3;
    y.world = fender_world_create(&env, &def, NULL);
    assert_non_null(y.world);
    y.ball = fender_geometry_sphere(&env, 0.5, NULL);
    y.plane = fender_geometry_plane(&env, NULL);
    y.ground = add_body(y.world, "ground", FENDER_MOTION_FIXED, 0);
    y.body = add_body(y.world, "ball", FENDER_MOTION_DYNAMIC, 0.49);
    y.floor = add_shape(y.world, y.ground, y.plane);
    y.hull = add_shape(y.world, y.body, y.ball);
    check_ok(fender_material_create(y.world, "hard", &y.steel, &error));
    const fender_law *law = fender_law_find(NULL, "spring_damper");
    double parameters[16] = {0};
    check_ok(fender_law_parameters_default(law, parameters, sizeof parameters, &error));
    check_ok(fender_law_parameters_set(law, parameters, sizeof parameters, "stiffness", 1e4, &error));
    fender_contact_type_def type = fender_contact_type_def_default();
    type.name = "touch";
    type.normal = law;
    type.normal_parameters = parameters;
    check_ok(fender_contact_type_create(y.world, &type, &y.type, &error));
    fender_rule_def rule = fender_rule_def_default();
    rule.use = y.type;
    check_ok(fender_rule_create(y.world, &rule, &y.rule, &error));
    fender_load_def load = fender_load_def_default();
    load.name = "push";
    load.body = y.body;
    check_ok(fender_load_create(y.world, &load, &y.load, &error));
    check_ok(fender_point_create(y.world, y.body, "eye", fender_pose_identity(), &y.eye, &error));
    check_ok(fender_point_create(y.world, y.ground, "anchor", fender_pose_identity(), &y.anchor, &error));
    const fender_link_spring_damper spring = {.stiffness = 5, .limit = INFINITY};
    fender_link_def link = fender_link_def_default();
    link.name = "tie";
    link.a = y.anchor;
    link.b = y.eye;
    link.parameters = &spring;
    check_ok(fender_link_create(y.world, &link, &y.link, &error));
    fender_sensor_def sensor = fender_sensor_def_default();
    sensor.name = "altimeter";
    sensor.beam.body = y.body;
    check_ok(fender_sensor_create(y.world, &sensor, &y.sensor, &error));
    check_ok(fender_world_initialize(y.world, &error));
    check_ok(fender_world_step(y.world, &error));
    return y;
}

static void end(yard *y)
{
    fender_world_destroy(y->world);
    fender_geometry_release(y->ball);
    fender_geometry_release(y->plane);
}

/* ---- no world */

/* Calls with a status that change a world: ARGUMENT, and an error that says so. */
#define without_world(call)                        \
    do {                                           \
        fender_error fault = {0};                  \
        assert_int_equal((call), ARGUMENT);        \
        assert_int_equal(fault.status, ARGUMENT);  \
        assert_true(strlen(fault.suggestion) > 0); \
    } while (0)

static void changes_without_world(void **state)
{
    (void)state;
    double numbers[FENDER_STATE_PER_BODY] = {0}, longest;
    const fender_pose here = fender_pose_identity();
    without_world(fender_world_initialize(NULL, &fault));
    without_world(fender_world_step(NULL, &fault));
    without_world(fender_world_advance(NULL, 1, &fault));
    without_world(fender_world_advance_to(NULL, 1, &fault));
    without_world(fender_world_propose(NULL, 1, NULL, &fault));
    without_world(fender_world_sample(NULL, 1, &fault));
    without_world(fender_world_sample_motion(NULL, 1, &fault));
    without_world(fender_world_accept(NULL, &fault));
    without_world(fender_world_stable_step(NULL, &longest, &fault));
    without_world(fender_world_set_state(NULL, 1, numbers, &fault));
    without_world(fender_world_derivative(NULL, numbers, &fault));
    without_world(fender_world_evaluate(NULL, &fault));
    without_world(fender_world_commit(NULL, &fault));
    without_world(fender_snapshot_restore(NULL, NULL, &fault));
    without_world(fender_body_create(NULL, &(fender_body_def){0}, NULL, &fault));
    without_world(fender_body_destroy(NULL, no_body, &fault));
    without_world(fender_body_set_state(NULL, no_body, &(fender_body_state){0}, &fault));
    without_world(fender_body_set_mass(NULL, no_body, &(fender_mass_properties){0}, &fault));
    without_world(fender_body_set_mass_flow(NULL, no_body, &(fender_mass_flow){0}, &fault));
    without_world(fender_body_attach(NULL, &(fender_attach_def){0}, NULL, &fault));
    without_world(fender_body_detach(NULL, no_body, no_body, FENDER_DETACH_TREE, NULL, &fault));
    without_world(fender_body_reattach(NULL, no_body, here, NULL, &fault));
    without_world(fender_point_create(NULL, no_body, "eye", here, NULL, &fault));
    without_world(fender_material_create(NULL, "hard", NULL, &fault));
    without_world(fender_shape_create(NULL, no_body, &(fender_shape_def){0}, NULL, &fault));
    without_world(fender_shape_destroy(NULL, no_shape, &fault));
    without_world(fender_contact_type_create(NULL, &(fender_contact_type_def){0}, NULL, &fault));
    without_world(fender_rule_create(NULL, &(fender_rule_def){0}, NULL, &fault));
    without_world(fender_rule_set_use(NULL, no_rule, no_type, &fault));
    without_world(fender_rule_destroy(NULL, no_rule, &fault));
    without_world(fender_load_create(NULL, &(fender_load_def){0}, NULL, &fault));
    without_world(fender_load_destroy(NULL, no_load, &fault));
    without_world(fender_link_create(NULL, &(fender_link_def){0}, NULL, &fault));
    without_world(fender_link_destroy(NULL, no_link, &fault));
    without_world(fender_sensor_create(NULL, &(fender_sensor_def){0}, NULL, &fault));
    without_world(fender_sensor_destroy(NULL, no_sensor, &fault));
    assert_int_equal(fender_link_set_active(NULL, no_link, true), ARGUMENT);
    assert_int_equal(fender_load_set_active(NULL, no_load, true), ARGUMENT);
    assert_int_equal(fender_shape_set_active(NULL, no_shape, true), ARGUMENT);
    assert_int_equal(fender_body_set_user_data(NULL, no_body, NULL), ARGUMENT);
    assert_int_equal(fender_shape_set_user_data(NULL, no_shape, NULL), ARGUMENT);
    assert_int_equal(fender_load_set_user_data(NULL, no_load, NULL), ARGUMENT);
    assert_int_equal(fender_link_set_user_data(NULL, no_link, NULL), ARGUMENT);
    assert_int_equal(fender_sensor_set_user_data(NULL, no_sensor, NULL), ARGUMENT);
    fender_error fault = {0};
    assert_null(fender_snapshot_take(NULL, &fault));
    assert_int_equal(fault.status, ARGUMENT);
    fender_world_destroy(NULL);
    fender_world_discard_proposal(NULL);
    fender_world_set_contacts_active(NULL, true);
    fender_world_set_user_data(NULL, NULL);
}

/* What reads: ARGUMENT, 0, a null id or NULL. */
static void reads_without_world(void **state)
{
    (void)state;
    fender_body_data body;
    fender_body_planet_data planet;
    fender_body_def body_def;
    fender_shape_def shape_def;
    fender_load_def load_def;
    fender_link_def link_def;
    fender_rule_def rule_def;
    fender_contact_type_def type_def;
    fender_link_data link;
    fender_beam_data seen;
    fender_beam beam = {0};
    fender_world_ray_hit hit;
    fender_mass_properties mass;
    fender_contact contact;
    fender_contact_data data;
    fender_contact_signals signals;
    fender_pair_explanation why;
    fender_body_state body_state;
    fender_pose pose;
    fender_body_frame place = {0};
    fender_ray ray = {{0, 0, 0}, {0, 0, -1}, 1};
    bool active;
    int count = 7;
    const char *name;
    assert_int_equal(fender_body_get(NULL, no_body, FENDER_CLOCK_COMMITTED, &body), ARGUMENT);
    assert_int_equal(fender_body_get_planet(NULL, no_body, &planet), ARGUMENT);
    assert_int_equal(fender_body_find(NULL, "ball", &(fender_body_id){0}), ARGUMENT);
    assert_int_equal(fender_body_get_def(NULL, no_body, &body_def), ARGUMENT);
    assert_int_equal(fender_body_get_mass(NULL, no_body, FENDER_MASS_CORE, &mass), ARGUMENT);
    assert_int_equal(fender_material_find(NULL, "hard", &(fender_material_id){0}), ARGUMENT);
    assert_int_equal(fender_shape_find(NULL, no_body, "hull", &(fender_shape_id){0}), ARGUMENT);
    assert_int_equal(fender_shape_get_def(NULL, no_shape, &shape_def), ARGUMENT);
    assert_int_equal(fender_point_find(NULL, no_body, "eye", &(fender_point_id){0}), ARGUMENT);
    assert_int_equal(fender_point_get(NULL, no_point, NULL, &name, &pose), ARGUMENT);
    assert_int_equal(fender_body_frame_relative(NULL, place, place, &pose, NULL), ARGUMENT);
    assert_int_equal(fender_body_frame_state(NULL, place, &body_state, NULL), ARGUMENT);
    assert_int_equal(fender_contact_type_find(NULL, "touch", &(fender_contact_type_id){0}), ARGUMENT);
    assert_int_equal(fender_contact_type_get_def(NULL, no_type, &type_def), ARGUMENT);
    assert_int_equal(fender_rule_get_def(NULL, no_rule, &rule_def), ARGUMENT);
    assert_int_equal(fender_world_explain(NULL, no_shape, no_shape, &why), ARGUMENT);
    assert_int_equal(fender_load_find(NULL, "push", &(fender_load_id){0}), ARGUMENT);
    assert_int_equal(fender_load_is_active(NULL, no_load, &active), ARGUMENT);
    assert_int_equal(fender_load_get_def(NULL, no_load, &load_def), ARGUMENT);
    assert_int_equal(fender_link_find(NULL, "tie", &(fender_link_id){0}), ARGUMENT);
    assert_int_equal(fender_link_get_def(NULL, no_link, &link_def), ARGUMENT);
    assert_int_equal(fender_link_get(NULL, no_link, FENDER_CLOCK_COMMITTED, &link), ARGUMENT);
    assert_int_equal(fender_world_ray_cast(NULL, &ray, no_body, &hit), ARGUMENT);
    assert_int_equal(fender_world_beam_cast(NULL, &beam, &seen), ARGUMENT);
    assert_int_equal(fender_sensor_read(NULL, no_sensor, &seen), ARGUMENT);
    assert_int_equal(fender_sensor_find(NULL, "altimeter", &(fender_sensor_id){0}), ARGUMENT);
    assert_int_equal(fender_sensor_get_beam(NULL, no_sensor, &beam), ARGUMENT);
    assert_int_equal(fender_contact_get(NULL, FENDER_CLOCK_COMMITTED, 0, &contact), ARGUMENT);
    assert_int_equal(fender_contact_at(NULL, FENDER_CLOCK_COMMITTED, 0, &data), ARGUMENT);
    assert_int_equal(fender_contact_between(NULL, no_shape, no_shape, &data), ARGUMENT);
    assert_int_equal(fender_contact_sense(NULL, no_shape, no_shape, &signals, 1, &count), ARGUMENT);
    assert_int_equal(fender_contact_sense_point(NULL, no_shape, no_shape, 0, &signals), ARGUMENT);

    assert_true(fender_world_time(NULL) == 0 && fender_world_step_count(NULL) == 0);
    assert_true(fender_world_evaluation_count(NULL) == 0 && fender_world_freeze_count(NULL, NULL, NULL) == 0);
    assert_int_equal(fender_world_event_count(NULL, FENDER_EVENT_DETACH), 0);
    assert_null(fender_world_events(NULL, &count));
    assert_int_equal(count, 0);
    assert_null(fender_world_get_def(NULL));
    assert_true(fender_body_count(NULL) + fender_shape_count(NULL) + fender_point_count(NULL) == 0);
    assert_true(fender_load_count(NULL) + fender_link_count(NULL) + fender_sensor_count(NULL) == 0);
    assert_true(fender_contact_type_count(NULL) + fender_rule_count(NULL) + fender_world_state_count(NULL) == 0);
    assert_int_equal(fender_contact_count(NULL, FENDER_CLOCK_COMMITTED), 0);
    assert_true(fender_body_at(NULL, 0).index1 + fender_shape_at(NULL, 0).index1 + fender_point_at(NULL, 0).index1 ==
                0);
    assert_true(fender_load_at(NULL, 0).index1 + fender_link_at(NULL, 0).index1 + fender_rule_at(NULL, 0).index1 == 0);
    assert_true(fender_sensor_at(NULL, 0).index1 + fender_contact_type_at(NULL, 0).index1 == 0);
    assert_true(fender_shape_body(NULL, no_shape).index1 + fender_body_parent(NULL, no_body).index1 == 0);
    assert_true(fender_body_root(NULL, no_body).index1 + fender_body_child_at(NULL, no_body, 0).index1 == 0);
    assert_false(fender_body_connection(NULL, no_body, NULL, NULL));
    assert_true(fender_body_pose_in_parent(NULL, no_body).q.w == 1);
    assert_null(fender_body_name(NULL, no_body));
    assert_null(fender_shape_name(NULL, no_shape));
    assert_null(fender_material_name(NULL, (fender_material_id){0}));
    assert_null(fender_load_name(NULL, no_load));
    assert_null(fender_link_name(NULL, no_link));
    assert_null(fender_sensor_name(NULL, no_sensor));
    assert_null(fender_world_get_user_data(NULL));
    assert_null(fender_body_get_user_data(NULL, no_body));
    assert_null(fender_shape_get_user_data(NULL, no_shape));
    assert_null(fender_load_get_user_data(NULL, no_load));
    assert_null(fender_link_get_user_data(NULL, no_link));
    assert_null(fender_sensor_get_user_data(NULL, no_sensor));
    const fender_contact none = {0};
    check_vector(fender_contact_force_in(NULL, &none, FENDER_CONTACT_AXES_WORLD), fender_vec3_make(0, 0, 0), 0);
    check_vector(fender_contact_torque_in(NULL, &none, FENDER_CONTACT_AXES_WORLD), fender_vec3_make(0, 0, 0), 0);
}

/* ---- no room for the answer, no definition */

static void nowhere_to_write(void **state)
{
    (void)state;
    yard y = make();
    fender_world *w = y.world;
    const uint64_t before = fender_world_hash(w);
    const fender_body_frame place = {.body = y.body};
    const fender_ray ray = {{0, 0, 5}, {0, 0, -1}, 9};
    const fender_beam beam = {y.body, {0, 0, 0}, {0, 0, -1}, 9};
    fender_world_ray_hit hit;
    fender_beam_data seen;
    int count;
    assert_int_equal(fender_body_find(w, "ball", NULL), ARGUMENT);
    assert_int_equal(fender_body_get_planet(w, y.body, NULL), ARGUMENT);
    assert_int_equal(fender_body_get_def(w, y.body, NULL), ARGUMENT);
    assert_int_equal(fender_body_get_mass(w, y.body, FENDER_MASS_CORE, NULL), ARGUMENT);
    assert_int_equal(fender_body_set_mass(w, y.body, NULL, NULL), ARGUMENT);
    assert_int_equal(fender_body_set_mass_flow(w, y.body, NULL, NULL), ARGUMENT);
    assert_int_equal(fender_body_attach(w, NULL, NULL, NULL), ARGUMENT);
    assert_int_equal(fender_material_find(w, "hard", NULL), ARGUMENT);
    assert_int_equal(fender_shape_create(w, y.body, NULL, NULL, NULL), ARGUMENT);
    assert_int_equal(fender_shape_find(w, y.body, "hull", NULL), ARGUMENT);
    assert_int_equal(fender_shape_get_def(w, y.hull, NULL), ARGUMENT);
    assert_int_equal(fender_point_find(w, y.body, "eye", NULL), ARGUMENT);
    assert_int_equal(fender_body_frame_relative(w, place, place, NULL, NULL), ARGUMENT);
    assert_int_equal(fender_body_frame_state(w, place, NULL, NULL), ARGUMENT);
    assert_int_equal(fender_contact_type_create(w, NULL, NULL, NULL), ARGUMENT);
    assert_int_equal(fender_contact_type_find(w, "touch", NULL), ARGUMENT);
    assert_int_equal(fender_contact_type_get_def(w, y.type, NULL), ARGUMENT);
    assert_int_equal(fender_rule_create(w, NULL, NULL, NULL), ARGUMENT);
    assert_int_equal(fender_rule_get_def(w, y.rule, NULL), ARGUMENT);
    assert_int_equal(fender_world_explain(w, y.floor, y.hull, NULL), ARGUMENT);
    assert_int_equal(fender_load_create(w, NULL, NULL, NULL), ARGUMENT);
    assert_int_equal(fender_load_find(w, "push", NULL), ARGUMENT);
    assert_int_equal(fender_load_is_active(w, y.load, NULL), ARGUMENT);
    assert_int_equal(fender_load_get_def(w, y.load, NULL), ARGUMENT);
    assert_int_equal(fender_link_create(w, NULL, NULL, NULL), ARGUMENT);
    assert_int_equal(fender_link_find(w, "tie", NULL), ARGUMENT);
    assert_int_equal(fender_link_get_def(w, y.link, NULL), ARGUMENT);
    assert_int_equal(fender_link_get(w, y.link, FENDER_CLOCK_COMMITTED, NULL), ARGUMENT);
    assert_int_equal(fender_sensor_create(w, NULL, NULL, NULL), ARGUMENT);
    assert_int_equal(fender_sensor_find(w, "altimeter", NULL), ARGUMENT);
    assert_int_equal(fender_sensor_read(w, y.sensor, NULL), ARGUMENT);
    assert_int_equal(fender_sensor_get_beam(w, y.sensor, NULL), ARGUMENT);
    assert_int_equal(fender_world_ray_cast(w, NULL, no_body, &hit), ARGUMENT);
    assert_int_equal(fender_world_ray_cast(w, &ray, no_body, NULL), ARGUMENT);
    assert_int_equal(fender_world_beam_cast(w, NULL, &seen), ARGUMENT);
    assert_int_equal(fender_world_beam_cast(w, &beam, NULL), ARGUMENT);
    assert_int_equal(fender_contact_get(w, FENDER_CLOCK_COMMITTED, 0, NULL), ARGUMENT);
    assert_int_equal(fender_contact_at(w, FENDER_CLOCK_COMMITTED, 0, NULL), ARGUMENT);
    assert_int_equal(fender_contact_sense(w, y.floor, y.hull, NULL, 1, &count), ARGUMENT);
    assert_int_equal(fender_contact_sense(w, y.floor, y.hull, NULL, 0, NULL), ARGUMENT);
    assert_int_equal(fender_contact_sense_point(w, y.floor, y.hull, 0, NULL), ARGUMENT);
    assert_int_equal(fender_world_stable_step(w, NULL, NULL), ARGUMENT);
    fender_world_get_state(w, NULL); /* nothing to write to: nothing is written */
    assert_true(fender_world_hash(w) == before);
    end(&y);
}

/* ---- ids of nothing, names that are unknown or taken */

static void ids_of_nothing(void **state)
{
    (void)state;
    yard y = make();
    fender_world *w = y.world;
    const uint64_t before = fender_world_hash(w);
    fender_body_data body;
    fender_body_planet_data planet;
    fender_mass_properties mass = {2, {0, 0, 0}, fender_mat3_diagonal(0.1, 0.1, 0.1)};
    const fender_mass_flow flow = {0};
    fender_body_state body_state = {.attitude = {1, 0, 0, 0}};
    fender_shape_id shape;
    fender_point_id point;
    fender_beam_data seen;
    fender_beam beam = {no_body, {0, 0, 0}, {0, 0, -1}, 9};
    fender_link_data link;
    fender_contact_data contact;
    fender_contact_signals signals;
    fender_pair_explanation why;
    fender_world_ray_hit hit;
    fender_pose pose = fender_pose_identity();
    int count;
    assert_int_equal(fender_body_get(w, no_body, FENDER_CLOCK_COMMITTED, &body), STALE);
    assert_int_equal(fender_body_get_planet(w, no_body, &planet), STALE);
    assert_int_equal(fender_body_get_mass(w, no_body, FENDER_MASS_CORE, &mass), STALE);
    assert_int_equal(fender_body_set_mass(w, no_body, &mass, NULL), STALE);
    assert_int_equal(fender_body_set_mass_flow(w, no_body, &flow, NULL), STALE);
    assert_int_equal(fender_body_set_state(w, no_body, &body_state, NULL), STALE);
    assert_int_equal(fender_body_detach(w, no_body, no_body, FENDER_DETACH_TREE, NULL, NULL), STALE);
    assert_int_equal(fender_body_detach(w, y.body, (fender_body_id){9, 1, 1}, FENDER_DETACH_TREE, NULL, NULL), STALE);
    assert_int_equal(fender_body_reattach(w, no_body, pose, NULL, NULL), STALE);
    assert_int_equal(fender_shape_find(w, no_body, "hull", &shape), STALE);
    assert_int_equal(fender_shape_set_active(w, no_shape, true), STALE);
    assert_int_equal(fender_point_create(w, no_body, "late", pose, NULL, NULL), STALE);
    assert_int_equal(fender_point_find(w, no_body, "eye", &point), STALE);
    assert_int_equal(fender_point_get(w, no_point, NULL, NULL, NULL), STALE);
    assert_int_equal(fender_rule_set_use(w, no_rule, y.type, NULL), STALE);
    assert_int_equal(fender_rule_set_use(w, y.rule, (fender_contact_type_id){9, 1, 1}, NULL), STALE);
    assert_int_equal(fender_world_explain(w, y.floor, no_shape, &why), STALE);
    assert_int_equal(fender_link_get(w, no_link, FENDER_CLOCK_COMMITTED, &link), STALE);
    assert_int_equal(fender_link_set_active(w, no_link, false), STALE);
    assert_int_equal(fender_sensor_read(w, no_sensor, &seen), STALE);
    assert_int_equal(fender_sensor_get_beam(w, no_sensor, &beam), STALE);
    assert_int_equal(fender_world_beam_cast(w, &beam, &seen), STALE);
    const fender_ray ray = {{0, 0, 5}, {0, 0, -1}, 9};
    assert_int_equal(fender_world_ray_cast(w, &ray, (fender_body_id){9, 1, 1}, &hit), STALE);
    assert_int_equal(fender_contact_between(w, no_shape, y.hull, &contact), STALE);
    assert_int_equal(fender_contact_sense(w, no_shape, y.hull, &signals, 1, &count), STALE);
    assert_int_equal(fender_contact_sense(w, y.hull, no_shape, &signals, 1, &count), STALE);
    assert_int_equal(fender_contact_sense_point(w, no_shape, y.hull, 0, &signals), STALE);
    assert_int_equal(fender_contact_sense_point(w, y.floor, y.hull, 1, &signals), ARGUMENT); /* there is one point */
    assert_int_equal(fender_contact_sense_point(w, y.floor, y.hull, -1, &signals), ARGUMENT);
    fender_body_frame place = {.kind = FENDER_BODY_FRAME_POINT}, reference = {.body = y.body};
    assert_int_equal(fender_body_frame_relative(w, place, reference, &pose, NULL), STALE);
    assert_int_equal(fender_body_frame_relative(w, reference, place, &pose, NULL), STALE);
    assert_int_equal(fender_body_frame_state(w, place, &body_state, NULL), STALE);
    place = (fender_body_frame){.kind = FENDER_BODY_FRAME_CORE};
    assert_int_equal(fender_body_frame_state(w, place, &body_state, NULL), STALE);
    fender_error fault = {0};
    assert_int_equal(fender_body_destroy(w, no_body, &fault), STALE);
    assert_int_equal(fender_shape_destroy(w, no_shape, NULL), STALE);
    assert_int_equal(fender_load_destroy(w, no_load, NULL), STALE);
    assert_int_equal(fender_link_destroy(w, no_link, NULL), STALE);
    assert_int_equal(fender_rule_destroy(w, no_rule, NULL), STALE);
    assert_int_equal(fender_sensor_destroy(w, no_sensor, NULL), STALE);
    assert_int_equal(fault.status, STALE);
    assert_int_equal(fender_shape_set_user_data(w, no_shape, NULL), STALE);
    assert_int_equal(fender_load_set_user_data(w, no_load, NULL), STALE);
    assert_int_equal(fender_link_set_user_data(w, no_link, NULL), STALE);
    assert_int_equal(fender_sensor_set_user_data(w, no_sensor, NULL), STALE);
    assert_null(fender_shape_get_user_data(w, no_shape));
    assert_null(fender_link_get_user_data(w, no_link));
    assert_null(fender_sensor_get_user_data(w, no_sensor));
    assert_null(fender_material_name(w, (fender_material_id){0}));
    assert_true(fender_body_parent(w, no_body).index1 + fender_body_root(w, no_body).index1 == 0);
    assert_true(fender_body_child_at(w, y.body, 0).index1 + fender_body_child_at(w, no_body, 0).index1 == 0);
    assert_false(fender_body_connection(w, y.body, NULL, NULL)); /* it is attached to nothing */
    assert_true(fender_rule_at(w, 1).index1 + fender_load_at(w, 1).index1 + fender_point_at(w, 2).index1 == 0);
    assert_true(fender_sensor_at(w, 1).index1 + fender_sensor_at(w, -1).index1 + fender_rule_at(w, -1).index1 == 0);
    assert_int_equal(fender_rule_at(w, 0).index1, y.rule.index1);
    assert_true(fender_world_hash(w) == before);
    end(&y);
}

static void names(void **state)
{
    (void)state;
    yard y = make();
    fender_world *w = y.world;
    const fender_pose here = fender_pose_identity();
    fender_error fault = {0};
    assert_int_equal(fender_material_find(w, "nothing", &(fender_material_id){0}), NAME);
    assert_int_equal(fender_contact_type_find(w, "nothing", &(fender_contact_type_id){0}), NAME);
    assert_int_equal(fender_point_find(w, y.body, "nothing", &(fender_point_id){0}), NAME);
    assert_int_equal(fender_shape_find(w, y.body, "nothing", &(fender_shape_id){0}), NAME);
    assert_int_equal(fender_sensor_find(w, "nothing", &(fender_sensor_id){0}), NAME);
    assert_int_equal(fender_sensor_find(w, NULL, &(fender_sensor_id){0}), NAME);
    assert_int_equal(fender_load_find(w, NULL, &(fender_load_id){0}), NAME);
    assert_int_equal(fender_link_find(w, NULL, &(fender_link_id){0}), NAME);
    assert_int_equal(fender_point_create(w, y.body, "hull", here, NULL, &fault), NAME); /* a shape has it */
    assert_int_equal(fender_point_create(w, y.body, "eye", here, NULL, NULL), NAME);
    fender_shape_def shape = fender_shape_def_default();
    shape.geometry = y.ball;
    shape.name = "eye"; /* a point has it */
    assert_int_equal(fender_shape_create(w, y.body, &shape, NULL, NULL), NAME);
    fender_load_def load = fender_load_def_default();
    load.body = y.body;
    load.name = "push";
    assert_int_equal(fender_load_create(w, &load, NULL, NULL), NAME);
    load.name = NULL;
    fault = (fender_error){0};
    assert_int_equal(fender_load_create(w, &load, NULL, &fault), NAME);
    assert_string_equal(fault.found, "NULL");
    fender_sensor_def sensor = fender_sensor_def_default();
    sensor.beam.body = y.body;
    assert_int_equal(fender_sensor_create(w, &sensor, NULL, NULL), NAME);
    sensor.name = "altimeter";
    assert_int_equal(fender_sensor_create(w, &sensor, NULL, NULL), NAME);
    fender_link_def link = fender_link_def_default();
    assert_int_equal(fender_link_create(w, &link, NULL, NULL), NAME);
    link.name = "tie";
    fault = (fender_error){0};
    assert_int_equal(fender_link_create(w, &link, NULL, &fault), NAME);
    assert_string_equal(fault.found, "tie");
    end(&y);
}

/* ---- numbers that make no sense */

/* `call` gives `status` with the field `path` at fault, and the world keeps its hash. */
#define refused(world, call, wanted, field)             \
    do {                                                \
        fender_error fault = {0};                       \
        const uint64_t hash = fender_world_hash(world); \
        assert_int_equal((call), (wanted));             \
        assert_int_equal(fault.status, (wanted));       \
        assert_string_equal(fault.path, (field));       \
        assert_true(strlen(fault.message) > 0);         \
        assert_true(fender_world_hash(world) == hash);  \
    } while (0)

static void poses(void **state)
{
    (void)state;
    yard y = make();
    fender_world *w = y.world;
    const fender_pose bad[] = {{{NAN, 0, 0}, {1, 0, 0, 0}},
                               {{0, INFINITY, 0}, {1, 0, 0, 0}},
                               {{0, 0, 0}, {NAN, 0, 0, 0}},
                               {{0, 0, 0}, {INFINITY, 0, 0, 0}},
                               {{0, 0, 0}, {0, 0, 0, 0}}};
    fender_body_id other = add_body(w, "other", FENDER_MOTION_DYNAMIC, 5);
    check_ok(fender_world_initialize(w, &error));
    fender_attach_def attach = fender_attach_def_default();
    attach.child = other;
    attach.parent = y.body;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fender_shape_def shape = fender_shape_def_default();
        shape.name = "late";
        shape.geometry = y.ball;
        shape.X_SG = bad[i];
        refused(w, fender_shape_create(w, y.body, &shape, NULL, &fault), VALUE, "position");
        refused(w, fender_point_create(w, y.body, "late", bad[i], NULL, &fault), VALUE, "position");
        attach.X_PC = bad[i];
        refused(w, fender_body_attach(w, &attach, NULL, &fault), VALUE, "position");
    }
    attach.X_PC = (fender_pose){{0, 0, 1}, {2, 0, 0, 0}}; /* a quaternion of any length will do */
    check_ok(fender_body_attach(w, &attach, NULL, &error));
    assert_true(fender_body_pose_in_parent(w, other).q.w == 1);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused(w, fender_body_reattach(w, other, bad[i], NULL, &fault), VALUE, "position");
    fender_shape_def shape = fender_shape_def_default();
    shape.name = "belt";
    shape.geometry = y.ball;
    shape.surface_velocity.x = NAN;
    refused(w, fender_shape_create(w, y.body, &shape, NULL, &fault), VALUE, "surface_velocity");
    shape.surface_velocity.x = 0;
    shape.surface_spin.y = INFINITY;
    refused(w, fender_shape_create(w, y.body, &shape, NULL, &fault), VALUE, "surface_velocity");
    end(&y);
}

static void loads(void **state)
{
    (void)state;
    yard y = make();
    fender_world *w = y.world;
    fender_load_def load = fender_load_def_default();
    load.name = "late";
    load.body = y.ground;
    refused(w, fender_load_create(w, &load, NULL, &fault), ARGUMENT, "body");
    load.body = y.body;
    load.at_center = false;
    load.point.z = NAN;
    refused(w, fender_load_create(w, &load, NULL, &fault), VALUE, "position");
    load.at_center = true;
    const double times[] = {0, 1}, falling[] = {1, 0}, endless[] = {0, INFINITY};
    const fender_vec3 rows[] = {{0, 0, 0}, {1, 0, 0}}, holes[] = {{0, 0, 0}, {NAN, 0, 0}};
    const fender_signal bad[] = {
        {.kind = (fender_signal_kind)9},
        {.kind = FENDER_SIGNAL_CONSTANT, .constant = {0, NAN, 0}},
        {.kind = FENDER_SIGNAL_RAMP, .direction = {NAN, 0, 0}, .rate = 1},
        {.kind = FENDER_SIGNAL_RAMP, .direction = {1, 0, 0}, .rate = INFINITY},
        {.kind = FENDER_SIGNAL_RAMP, .direction = {1, 0, 0}, .rate = 1, .start = NAN},
        {.kind = FENDER_SIGNAL_RAMP, .rate = 1},
        {.kind = FENDER_SIGNAL_TABLE, .times = times, .values = rows},
        {.kind = FENDER_SIGNAL_TABLE, .values = rows, .count = 2},
        {.kind = FENDER_SIGNAL_TABLE, .times = times, .count = 2},
        {.kind = FENDER_SIGNAL_TABLE, .times = endless, .values = rows, .count = 2},
        {.kind = FENDER_SIGNAL_TABLE, .times = times, .values = holes, .count = 2},
        {.kind = FENDER_SIGNAL_TABLE, .times = falling, .values = rows, .count = 2},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        load.force = bad[i];
        load.torque = (fender_signal){0};
        refused(w, fender_load_create(w, &load, NULL, &fault), VALUE, "force");
        load.force = (fender_signal){0};
        load.torque = bad[i];
        refused(w, fender_load_create(w, &load, NULL, &fault), VALUE, "torque");
    }
    assert_int_equal(fender_load_count(w), 1);
    end(&y);
}

static void sensors(void **state)
{
    (void)state;
    yard y = make();
    fender_world *w = y.world;
    fender_sensor_def def = fender_sensor_def_default();
    def.name = "late";
    def.beam.body = no_body;
    assert_int_equal(fender_sensor_create(w, &def, NULL, NULL), STALE);
    def.beam.body = y.body;
    const fender_vec3 directions[] = {{0, 0, 0}, {NAN, 0, 0}, {INFINITY, 0, 0}, {1e300, 1e300, 0}};
    for (int i = 0; i < 4; i++) {
        def.beam.direction = directions[i];
        refused(w, fender_sensor_create(w, &def, NULL, &fault), VALUE, "direction");
    }
    def.beam.direction = fender_vec3_make(0, 0, -2);
    def.beam.point.x = NAN;
    refused(w, fender_sensor_create(w, &def, NULL, &fault), VALUE, "point");
    def.beam.point.x = 0;
    const double ranges[] = {0, -1, NAN};
    for (int i = 0; i < 3; i++) {
        def.beam.range = ranges[i];
        refused(w, fender_sensor_create(w, &def, NULL, &fault), VALUE, "range");
    }
    fender_beam_data seen;
    fender_beam beam = {y.body, {0, 0, 0}, {0, 0, -2}, 9};
    check_ok(fender_world_beam_cast(w, &beam, &seen));
    check_near(seen.range, 0.49, 1e-3); /* the centre's height: its own shape is not seen */
    const fender_beam bad[] = {{y.body, {0, 0, 0}, {0, 0, 0}, 9},
                               {y.body, {0, 0, 0}, {NAN, 0, 0}, 9},
                               {y.body, {0, 0, 0}, {1e300, 1e300, 1e300}, 9},
                               {y.body, {0, 0, 0}, {0, 0, -1}, -1},
                               {y.body, {0, 0, 0}, {0, 0, -1}, NAN},
                               {y.body, {NAN, 0, 0}, {0, 0, -1}, 9}};
    for (int i = 0; i < 6; i++) assert_int_equal(fender_world_beam_cast(w, &bad[i], &seen), VALUE);
    const fender_ray up = {{0, 0, 5}, {0, 0, 1}, 9}, nowhere = {{0, 0, 5}, {0, 0, 0}, 9},
                     far_off = {{NAN, 0, 5}, {0, 0, -1}, 9};
    fender_world_ray_hit hit;
    check_ok(fender_world_ray_cast(w, &up, no_body, &hit));
    assert_true(!hit.hit && hit.distance == 0);
    assert_int_equal(fender_world_ray_cast(w, &nowhere, no_body, &hit), VALUE);
    assert_int_equal(fender_world_ray_cast(w, &far_off, no_body, &hit), VALUE);
    /* along the plane, at its height: it is met nowhere, so that no rate is divided by 0 */
    beam = (fender_beam){y.body, {0, 0, 0}, {1, 0, 0}, INFINITY};
    check_ok(fender_world_beam_cast(w, &beam, &seen));
    assert_true(!seen.hit && seen.range == 0 && seen.range_rate == 0);
    /* the name and the place of one that is gone are given anew */
    const fender_sensor_id gone = y.sensor;
    check_ok(fender_sensor_set_user_data(w, y.sensor, &y));
    assert_ptr_equal(fender_sensor_get_user_data(w, y.sensor), &y);
    check_ok(fender_sensor_destroy(w, y.sensor, &error));
    def.name = "altimeter";
    def.beam.range = 3;
    check_ok(fender_sensor_create(w, &def, &y.sensor, &error));
    assert_true(y.sensor.index1 == gone.index1 && y.sensor.generation != gone.generation);
    assert_null(fender_sensor_name(w, gone));
    assert_int_equal(fender_sensor_find(w, "altimeter", &y.sensor), FENDER_STATUS_OK);
    check_ok(fender_sensor_get_beam(w, y.sensor, &beam));
    assert_true(beam.range == 3);
    end(&y);
}

static void definitions_of_worlds(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    const double bad[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        fender_error fault = {0};
        fender_world_def def = fender_world_def_default();
        def.contact_limit_factor = bad[i];
        assert_null(fender_world_create(&env, &def, &fault));
        assert_int_equal(fault.status, VALUE);
        static const char *const paths[] = {"integrator.event_tolerance", "integrator.relative_tolerance",
                                            "integrator.absolute_tolerance"};
        for (int k = 0; k < 3; k++) {
            def = fender_world_def_default();
            double *tolerances[] = {&def.event_tolerance, &def.relative_tolerance, &def.absolute_tolerance};
            *tolerances[k] = bad[i];
            fault = (fender_error){0};
            assert_null(fender_world_create(&env, &def, &fault));
            assert_int_equal(fault.status, VALUE);
            assert_string_equal(fault.path, paths[k]);
        }
        if (i == 0) continue;
        def = fender_world_def_default();
        def.north.x = bad[i];
        assert_null(fender_world_create(&env, &def, NULL));
        def = fender_world_def_default();
        def.start_time = bad[i];
        assert_null(fender_world_create(&env, &def, NULL));
    }
    static const double far[][2] = {{1e15, 0.01}, {-1e15, 0.01}, {1e14, 0.01}, {1.7e9, 1e-7}};
    for (int i = 0; i < 4; i++) {
        fender_error fault = {0};
        fender_world_def def = fender_world_def_default();
        def.start_time = far[i][0];
        def.step = far[i][1];
        assert_null(fender_world_create(&env, &def, &fault));
        assert_int_equal(fault.status, VALUE);
        assert_string_equal(fault.path, "start_time");
    }
    fender_world_def def = fender_world_def_default();
    fender_env poor = env;
    poor.allocator.allocate = NULL;
    fender_error fault = {0};
    assert_null(fender_world_create(&poor, &def, &fault));
    assert_int_equal(fault.status, ARGUMENT);
    poor = env;
    poor.allocator.release = NULL;
    assert_null(fender_world_create(&poor, &def, NULL));
    assert_null(fender_world_create(NULL, &def, NULL));
    assert_null(fender_world_create(&env, NULL, NULL));
}

/* A host may take a world to a time that its steps do not change: these are refused, with mass that flows, too, and the
 * world stays as it is. Without flow, adaptive methods go where they are sent. */
static void times_beyond_all_steps(void **state)
{
    (void)state;
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5};
    const fender_env env = fender_env_default();
    for (int m = 0; m < 4; m++) {
        const bool flows = m > 1;
        fender_world_def def = fender_world_def_default();
        def.method = methods[m % 2];
        def.start_time = 1e6;
        fender_world *w = fender_world_create(&env, &def, NULL);
        assert_non_null(w);
        const fender_body_id body = add_body(w, "body", FENDER_MOTION_DYNAMIC, 0);
        const fender_mass_flow flow = {.mass_rate = -0.1, .until_mass = 1};
        if (flows) check_ok(fender_body_set_mass_flow(w, body, &flow, &error));
        check_ok(fender_world_initialize(w, &error));
        check_ok(fender_world_step(w, &error));
        assert_true(fender_world_time(w) > 1e6);
        double y[FENDER_STATE_PER_BODY];
        fender_world_get_state(w, y);
        check_ok(fender_world_set_state(w, 1e15, y, &error));
        check_ok(fender_world_commit(w, &error));
        const uint64_t hash = fender_world_hash(w);
        if (!flows && methods[m % 2] == FENDER_INTEGRATOR_DOPRI5) {
            check_ok(fender_world_advance_to(w, 1e15 + 8, &error));
        } else {
            fender_error fault = {0};
            assert_int_equal(fender_world_step(w, &fault), FENDER_STATUS_INTEGRATOR);
            assert_string_equal(fault.path, "integrator.step");
            assert_true(fender_world_hash(w) == hash && fender_world_time(w) == 1e15);
        }
        fender_world_destroy(w);
    }
}

/* ---- before initialize, in the past, outside of a proposal */

static void out_of_turn(void **state)
{
    (void)state;
    yard y = make();
    fender_world *w = y.world;
    fender_error fault = {0};
    assert_int_equal(fender_world_advance_to(w, -1, &fault), VALUE);
    assert_int_equal(fender_world_advance_to(w, NAN, NULL), VALUE);
    assert_int_equal(fender_world_advance_to(w, INFINITY, NULL), VALUE);
    assert_int_equal(fender_world_sample(w, 1, NULL), NOT_YET);
    assert_int_equal(fender_world_accept(w, NULL), NOT_YET);
    fender_proposal proposal;
    check_ok(fender_world_propose(w, INFINITY, &proposal, &error));
    assert_int_equal(fender_world_sample(w, proposal.end_time + 1, NULL), VALUE);
    assert_int_equal(fender_world_sample(w, proposal.start_time - 1, NULL), VALUE);
    assert_int_equal(fender_world_sample(w, NAN, NULL), VALUE);
    check_ok(fender_world_accept(w, &error));
    check_ok(fender_world_propose(w, INFINITY, NULL, &error)); /* nobody asks for where it ends */
    check_ok(fender_world_accept(w, &error));
    (void)add_body(w, "late", FENDER_MOTION_FIXED, 9);
    fender_contact_data contact;
    fender_contact_signals signals;
    fender_link_data link;
    fender_beam_data seen;
    fender_world_ray_hit hit;
    const fender_ray ray = {{0, 0, 5}, {0, 0, -1}, 9};
    double longest;
    int count;
    assert_int_equal(fender_contact_between(w, y.floor, y.hull, &contact), NOT_YET);
    assert_int_equal(fender_contact_sense(w, y.floor, y.hull, &signals, 1, &count), NOT_YET);
    assert_int_equal(fender_link_get(w, y.link, FENDER_CLOCK_COMMITTED, &link), NOT_YET);
    assert_int_equal(fender_sensor_read(w, y.sensor, &seen), NOT_YET);
    assert_int_equal(fender_world_ray_cast(w, &ray, no_body, &hit), NOT_YET);
    assert_int_equal(fender_world_stable_step(w, &longest, NULL), NOT_YET);
    assert_int_equal(fender_world_propose(w, 1, NULL, NULL), NOT_YET);
    assert_int_equal(fender_world_advance_to(w, 9, NULL), NOT_YET);
    end(&y);
}

/* ---- figures of the methods at the borders of what they are for */

static void figures_of_methods(void **state)
{
    (void)state;
    assert_true(isinf(fender_integrator_stable_step(FENDER_INTEGRATOR_RK4, 0, 0)));
    assert_true(isinf(fender_integrator_stable_step(FENDER_INTEGRATOR_DOPRI5, 10, 0)));
    assert_true(isinf(fender_integrator_stable_step(FENDER_INTEGRATOR_CVODE_ADAMS, 10, 0)));
    assert_true(isinf(fender_integrator_stable_step(FENDER_INTEGRATOR_CVODE_BDF, 10, 0)));
    check_near(fender_integrator_stable_step(FENDER_INTEGRATOR_RK4, 1, 0), 2 * sqrt(2), 1e-3); /* |R(iz)| = 1 there */
    check_near(fender_integrator_stable_step(FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, 1, 0), 2, 1e-3);
    assert_true(isinf(fender_integrator_sized_step(FENDER_INTEGRATOR_DOPRI5, 10, 0, false, 1e-3)));
    /* an error that is allowed to be large ends at half the stable step; a small one far below it */
    check_near(fender_integrator_sized_step(FENDER_INTEGRATOR_RK4, 1, 0, true, 1e9), sqrt(2), 1e-3);
    check_below(fender_integrator_sized_step(FENDER_INTEGRATOR_RK4, 1, 0, true, 1e-6), 0.3);
    assert_null(fender_integrator_name((fender_integrator_method)99));
    assert_false(fender_integrator_adaptive((fender_integrator_method)99));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_without_world),
        cmocka_unit_test(reads_without_world),
        cmocka_unit_test(nowhere_to_write),
        cmocka_unit_test(ids_of_nothing),
        cmocka_unit_test(names),
        cmocka_unit_test(poses),
        cmocka_unit_test(loads),
        cmocka_unit_test(sensors),
        cmocka_unit_test(definitions_of_worlds),
        cmocka_unit_test(times_beyond_all_steps),
        cmocka_unit_test(out_of_turn),
        cmocka_unit_test(figures_of_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
