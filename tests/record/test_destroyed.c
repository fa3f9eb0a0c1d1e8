/* Channels while objects are destroyed and created: they stay with theirs, and are NaN after its end. */
#include "scene_world.h"

#include <math.h>
#include <unistd.h>

/* `first` has the first slots of all kinds; each body has other numbers. No forces: values are those of the start. */
#define BODY(name, mass, x, radius)                                                                \
    "  " name ": {mass_properties: {mass: " mass " kg, inertia: [1, 1, 1, kg*m^2]},\n"             \
    "    state: {position: [" x ", 0, 0.5, m]}, points: {eye: {position: [0, " mass ", 0, m]}},\n" \
    "    shapes: {extra: {sphere: {radius: 0.1 m}}, ball: {sphere: {radius: " radius " m}}}}\n"
#define SCENE                                                                    \
    "fender: 1\n"                                                                \
    "run: {until: 1 s}\n"                                                        \
    "contact_types: {soft: {normal: {law: spring_damper, stiffness: 1 kN/m}}}\n" \
    "rules: [{default: soft}]\n"                                                 \
    "bodies:\n"                                                                  \
    "  ground: {motion: fixed, shapes: {top: {box: {size: [18, 18, 0.2, m]}},\n" \
    "    feet: {cloud: {points: [[0, 0, 0], [20, 0, 0], [0, 21, 0], m]}}}}\n"

static const char bodies[] = SCENE BODY("first", "2", "-3", "0.2") BODY("second", "3", "0", "0.3")
    BODY("third", "5", "4", "0.35") "loads: {a: {body: first, force: {constant: [1, 0, 0, N]}, active: false},\n"
                                    "        b: {body: second, force: {constant: [2, 0, 0, N]}, active: false}}\n"
                                    "sensors: {c: {body: first, at: [0, 0, -1, m], direction: [0, 0, -1]},\n"
                                    "          d: {body: second, at: [0, 0, -1, m], direction: [0, 0, -1]}}\n"
                                    "links: {e: {between: [first.eye, third.eye], active: false,\n"
                                    "            law: spring_damper, stiffness: 1 N/m, free_length: 1 m},\n"
                                    "        f: {between: [second.eye, third.eye], active: false,\n"
                                    "            law: spring_damper, stiffness: 1 N/m, free_length: 1 m}}\n";

static const char *const patterns[] = {
    "bodies.*.mass",
    "bodies.*.position",
    "bodies.third@second.clearance",
    "bodies.third@second.link_force.x",
    "bodies.third@second.support_points",
    "bodies.first@third.clearance",
    "bodies.third@first.support_points",
    "points.*.*.position",
    "points.third.eye@second.eye.distance",
    "points.first.eye@second.eye.distance",
    "points.third@second.distance",
    "contacts.*.separation",
    "contacts.ground.feet:third.ball.signals[1].separation_distance",
    "contacts.ground.feet:third.ball.signals[2].separation_distance",
    "contacts.ground.top:first.ball.signals.separation_distance",
    "shapes.third.ball@second.ball.clearance",
    "shapes.third.ball@first.ball.clearance",
    "loads.*.active",
    "sensors.*.range",
    "links.*.length",
    "events.begin.count",
    "ledger.energy.kinetic",
    "time",
};
enum { PATTERN_COUNT = sizeof patterns / sizeof patterns[0], CAPACITY = 200 };

static int find_all(const fender_world *world, fender_channel *channels)
{
    int total = 0;
    for (int i = 0; i < PATTERN_COUNT; i++) {
        int count = 0;
        check_ok(fender_channel_find(world, patterns[i], channels + total, CAPACITY - total, &count, &error));
        total += count;
        assert_true(total <= CAPACITY);
    }
    return total;
}

/* Every channel reads what one of its name that is found anew does; those whose names are gone are NaN. Returns how
 * many are gone. */
static int check_all(const fender_world *world, const fender_channel *channels, int count)
{
    int gone = 0;
    for (int i = 0; i < count; i++) {
        fender_channel anew;
        int found = 0;
        const double value = fender_channel_read(world, &channels[i]);
        if (fender_channel_find(world, channels[i].name, &anew, 1, &found, NULL) != FENDER_STATUS_OK) {
            if (!isnan(value)) fail_msg("%s: %g, but it is gone", channels[i].name, value);
            gone++;
            continue;
        }
        const double expected = fender_channel_read(world, &anew);
        if (!(value == expected)) fail_msg("%s: %.17g, not %.17g", channels[i].name, value, expected);
    }
    return gone;
}

static fender_body_id body_named(const fender_world *world, const char *name)
{
    fender_body_id id;
    check_ok(fender_body_find(world, name, &id));
    return id;
}

/* The slots of a destroyed body, its point and its shapes are those of a new one: old channels do not read it. */
static void channels_stay_with_their_objects(void **state)
{
    (void)state;
    fender_channel channels[CAPACITY];
    fender_world *world = world_of(bodies);
    const int count = find_all(world, channels);
    assert_int_equal(check_all(world, channels, count), 0);
    check_ok(fender_body_destroy(world, body_named(world, "first"), &error));
    check_ok(fender_world_initialize(world, &error));
    const int gone = check_all(world, channels, count);
    assert_true(gone > 0 && gone < count);
    check_near(read_one(world, "bodies.third.mass"), 5, 0);

    fender_body_def def = fender_body_def_default();
    fender_body_id id;
    fender_point_id point;
    def.name = "other";
    def.mass_properties.mass = 7;
    def.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
    def.state.position.z = 6;
    check_ok(fender_body_create(world, &def, &id, &error));
    check_ok(fender_point_create(world, id, "eye", fender_pose_identity(), &point, &error));
    fender_env env = fender_env_default();
    fender_shape_def shape = fender_shape_def_default();
    shape.name = "ball";
    shape.geometry = fender_geometry_sphere(&env, 0.2, NULL);
    check_ok(fender_shape_create(world, id, &shape, NULL, &error));
    fender_geometry_release(shape.geometry);
    check_ok(fender_world_initialize(world, &error));
    assert_int_equal(check_all(world, channels, count), gone);
    check_near(read_one(world, "bodies.other.mass"), 7, 0);
    fender_world_destroy(world);
}

/* A shape that ends before others of the same body. */
static void channels_of_shapes(void **state)
{
    (void)state;
    fender_channel channels[CAPACITY];
    fender_shape_id extra;
    fender_world *world = world_of(bodies);
    const int count = find_all(world, channels);
    check_ok(fender_shape_find(world, body_named(world, "second"), "extra", &extra));
    check_ok(fender_shape_destroy(world, extra, &error));
    check_ok(fender_world_initialize(world, &error));
    assert_true(check_all(world, channels, count) > 0);
    fender_world_destroy(world);
}

/* Loads, sensors and links that are destroyed by themselves. */
static void channels_of_loads_sensors_and_links(void **state)
{
    (void)state;
    fender_channel channels[CAPACITY];
    fender_world *world = world_of(bodies);
    const int count = find_all(world, channels);
    check_ok(fender_load_destroy(world, fender_load_at(world, 0), &error));
    check_ok(fender_sensor_destroy(world, fender_sensor_at(world, 0), &error));
    check_ok(fender_link_destroy(world, fender_link_at(world, 0), &error));
    check_ok(fender_world_initialize(world, &error));
    assert_int_equal(check_all(world, channels, count), 3);
    fender_world_destroy(world);
}

/* A world that was built in the same way has the same channels. */
static void channels_of_a_twin(void **state)
{
    (void)state;
    fender_channel channels[CAPACITY];
    fender_world *world = world_of(bodies), *twin = world_of(bodies);
    const int count = find_all(world, channels);
    assert_int_equal(check_all(twin, channels, count), 0);
    fender_world_destroy(twin);
    fender_world_destroy(world);
}

/* A recording never has numbers of other objects: its next row is refused. */
static void recorder_refuses_what_is_gone(void **state)
{
    (void)state;
    static const char path[] = "test_destroyed.csv";
    fender_env env = fender_env_default();
    fender_channel channels[CAPACITY];
    fender_error refusal = {0};
    fender_world *world = world_of(bodies);
    int count = 0;
    check_ok(fender_channel_find(world, "bodies.*.mass", channels, CAPACITY, &count, &error));
    assert_int_equal(count, 4);
    fender_recorder *all = fender_recorder_create(&env, world, path, channels, 4, NULL);
    fender_recorder *others = fender_recorder_create(&env, world, "test_destroyed_2.csv", channels + 2, 2, NULL);
    assert_non_null(all);
    assert_non_null(others);
    check_ok(fender_recorder_sample(all, &error));
    check_ok(fender_body_destroy(world, body_named(world, "first"), &error));
    check_ok(fender_world_initialize(world, &error));
    assert_int_equal(fender_recorder_sample(all, &refusal), FENDER_STATUS_STALE_ID);
    assert_non_null(strstr(refusal.message, "destroyed"));
    assert_string_equal(refusal.path, "bodies.first.mass");
    assert_int_equal(fender_recorder_rows(all), 1);
    check_ok(fender_recorder_sample(others, &error));
    check_ok(fender_recorder_close(others, &error));
    check_ok(fender_recorder_close(all, &error));
    unlink("test_destroyed_2.csv");
    unlink(path);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_stay_with_their_objects), cmocka_unit_test(channels_of_shapes),
        cmocka_unit_test(channels_of_loads_sensors_and_links), cmocka_unit_test(channels_of_a_twin),
        cmocka_unit_test(recorder_refuses_what_is_gone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
