/* Channels: closed values, order, names and units; refusals that name the remedy; the list of all. */
/* items: C034 M042 */
#include "check.h"

#include "scene_world.h"
#include "small_world.h"
#include <stdlib.h>

enum { CAPACITY = 256 };

static void closed_values(void **state)
{
    (void)state;
    fender_world *world = small_world(3, -1);
    check_near(read_one(world, "time"), 0, 0);
    check_near(read_one(world, "bodies.ball.mass"), 2, 0);
    check_near(read_one(world, "bodies.ball.position.x"), 3, 0);
    check_near(read_one(world, "bodies.ball.velocity.x"), -1, 0);
    check_near(read_one(world, "bodies.ball.attitude.w"), 1, 0);
    check_near(read_one(world, "bodies.ball.linear_momentum.x"), -2, 0);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.separation"), 1.5, 1e-15);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.normal_force"), 0, 0);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.touching"), 0, 0);
    check_near(read_one(world, "ledger.energy.kinetic"), 1, 0);
    check_near(read_one(world, "ledger.momentum.total.x"), -2, 0);
    check_near(read_one(world, "loads.push.active"), 0, 0);
    check_near(read_one(world, "links.rope.active"), 0, 0);
    check_near(read_one(world, "links.rope.length"), 3, 0);
    check_near(read_one(world, "links.rope.rate"), -1, 0);
    check_near(read_one(world, "sensors.altimeter.hit"), 1, 0);
    check_near(read_one(world, "sensors.altimeter.range"), 1.5, 1e-15); /* 3 m less the offset and the radius */
    check_near(read_one(world, "sensors.altimeter.range_rate"), -1, 1e-15);
    check_near(read_one(world, "sensors.altimeter.direction.x"), -1, 0);
    check_near(read_one(world, "links.rope.force"), 0, 0);
    check_ok(fender_world_advance(world, 100, &error));
    check_near(read_one(world, "time"), 1, 1e-15);
    check_near(read_one(world, "bodies.ball.position.x"), 2, 1e-13);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.separation"), 0.5, 1e-13);
    check_near(read_one(world, "events.begin.count"), 0, 0);
    check_ok(fender_world_advance(world, 100, &error)); /* touches at 1.5 s, turns and leaves half a period later */
    check_near(read_one(world, "events.begin.count"), 1, 0);
    check_near(read_one(world, "events.end.count"), 1, 0);
    fender_load_id push;
    check_ok(fender_load_find(world, "push", &push));
    check_ok(fender_load_set_active(world, push, true));
    check_near(read_one(world, "loads.push.active"), 1, 0);
    fender_world_destroy(world);
}

static void touching_values(void **state)
{
    (void)state;
    fender_world *world = small_world(1.4, 0); /* 0.1 m deep: 100 N, 5 J */
    check_near(read_one(world, "contacts.ground.hull:ball.hull.depth"), 0.1, 1e-15);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.normal_force"), 100, 1e-12);
    check_near(read_one(world, "contacts.ball.hull:ground.hull.force.x"), 100, 1e-12);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.normal.x"), 1, 0);
    check_near(read_one(world, "ledger.energy.stored"), 5, 1e-13);
    check_near(read_one(world, "bodies.ball.contact_force.x"), 100, 1e-12);
    check_near(read_one(world, "bodies.ground.contact_force.x"), -100, 1e-12);
    check_near(read_one(world, "bodies.ball@ground.contact_force.x"), 100, 1e-12);
    check_near(read_one(world, "bodies.ground.hook@ball.contact_force.x"), -100, 1e-12);
    check_near(read_one(world, "bodies.ball@ground.force_magnitude"), 100, 1e-12);
    check_near(read_one(world, "bodies.ball@ground.contact_count"), 1, 0);
    check_near(read_one(world, "bodies.ball@ground.clearance"), -0.1, 1e-15);
    check_near(read_one(world, "bodies.ball@ground.stability_margin"), 0, 0); /* no gravity */
    check_near(read_one(world, "bodies.ball@ground.support_points"), 1, 0);
    check_near(read_one(world, "shapes.ball.hull@ground.clearance"), -0.1, 1e-15);
    fender_world_destroy(world);
}

typedef struct named {
    const char *pattern;
    int count;
    const char *first, *last, *unit;
} named;

static void patterns(void **state)
{
    (void)state;
    static const named cases[] = {
        {"time", 1, "time", "time", "s"},
        {"bodies.*.position", 6, "bodies.ground.position.x", "bodies.ball.position.z", "m"},
        {"bodies.ball.attitude", 4, "bodies.ball.attitude.w", "bodies.ball.attitude.z", "1"},
        {"bodies.*.velocity.y", 2, "bodies.ground.velocity.y", "bodies.ball.velocity.y", "m/s"},
        {"bodies.ball.velocity.*", 3, "bodies.ball.velocity.x", "bodies.ball.velocity.z", "m/s"},
        {"contacts.*.depth", 1, "contacts.ground.hull:ball.hull.depth", "contacts.ground.hull:ball.hull.depth", "m"},
        {"contacts.ball.hull:ground.hull.depth", 1, "contacts.ground.hull:ball.hull.depth",
         "contacts.ground.hull:ball.hull.depth", "m"},
        {"contacts.*.*:ball.hull.slip", 2, "contacts.ground.hull:ball.hull.slip.x",
         "contacts.ground.hull:ball.hull.slip.y", "m/s"},
        {"contacts.ball.depth", 1, "contacts.ground.hull:ball.hull.depth", "contacts.ground.hull:ball.hull.depth", "m"},
        {"contacts.ball.signals.base_translation", 3, "contacts.ball.hull:ground.hull.signals.base_translation.x",
         "contacts.ball.hull:ground.hull.signals.base_translation.z", "m"},
        {"contacts.ball.*:*.*.force", 3, "contacts.ground.hull:ball.hull.force.x",
         "contacts.ground.hull:ball.hull.force.z", "N"},
        {"contacts.ball.hull:ground.hull.signals.base_translation", 3,
         "contacts.ball.hull:ground.hull.signals.base_translation.x",
         "contacts.ball.hull:ground.hull.signals.base_translation.z", "m"}, /* base and follower as they are named */
        {"contacts.*.signals.base_rotation", 9, "contacts.ground.hull:ball.hull.signals.base_rotation[0][0]",
         "contacts.ground.hull:ball.hull.signals.base_rotation[2][2]", "1"},
        {"contacts.ball.hull:*.*.signals.tangential_velocity.y", 1,
         "contacts.ball.hull:ground.hull.signals.tangential_velocity.y",
         "contacts.ball.hull:ground.hull.signals.tangential_velocity.y", "m/s"},
        {"ledger.energy.*", 11, "ledger.energy.kinetic", "ledger.energy.scale", "J"},
        {"ledger.momentum.drift", 1, "ledger.momentum.drift", "ledger.momentum.drift", "N*s"},
        {"ledger.angular_momentum.drift", 1, "ledger.angular_momentum.drift", "ledger.angular_momentum.drift", "N*m*s"},
        {"events.*.count", FENDER_EVENT_KIND_COUNT, "events.begin.count", "events.reattach.count", "1"},
        {"loads.push.active", 1, "loads.push.active", "loads.push.active", "1"},
        {"bodies.ball@ground.force", 3, "bodies.ball@ground.force.x", "bodies.ball@ground.force.z", "N"},
        {"bodies.*@ground.*", 34, "bodies.ball@ground.force.x", "bodies.ball@ground.clearance", "N"},
        {"bodies.*.*@*.force.z", 2, "bodies.ground.hook@ball.force.z", "bodies.ball.hook@ground.force.z", "N"},
        {"shapes.*.*.slide", 2, "shapes.ground.hull.slide", "shapes.ball.hull.slide", "m"},
        {"shapes.*.*@ground.clearance", 1, "shapes.ball.hull@ground.clearance", "shapes.ball.hull@ground.clearance",
         "m"},
        {"shapes.ball.hull@ground.hull.*", 1, "shapes.ball.hull@ground.hull.clearance",
         "shapes.ball.hull@ground.hull.clearance", "m"},
        {"points.*.hook.velocity", 6, "points.ground.hook.velocity.x", "points.ball.hook.velocity.z", "m/s"},
        {"points.ball.hook@ground.hook.position", 3, "points.ball.hook@ground.hook.position.x",
         "points.ball.hook@ground.hook.position.z", "m"},
        {"points.*.*@*.*.closing_speed", 2, "points.ground.hook@ball.hook.closing_speed",
         "points.ball.hook@ground.hook.closing_speed", "m/s"},
        {"points.ball@ground.attitude", 4, "points.ball@ground.attitude.w", "points.ball@ground.attitude.z", "1"},
        {"points.ball@ground.attitude.w", 1, "points.ball@ground.attitude.w", "points.ball@ground.attitude.w", "1"},
        {"points.ball.*@ground.distance", 1, "points.ball.hook@ground.distance", "points.ball.hook@ground.distance",
         "m"},
        {"points.ball@ground.*.distance", 1, "points.ball@ground.hook.distance", "points.ball@ground.hook.distance",
         "m"},
        {"points.ball.hook@ground.position.*", 3, "points.ball.hook@ground.position.x",
         "points.ball.hook@ground.position.z", "m"},
        {"points.ball.hook@ground.hook.*", 27, "points.ball.hook@ground.hook.position.x",
         "points.ball.hook@ground.hook.pitch_yaw_rate", "m"},
    };
    fender_world *world = small_world(3, -1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_channel channels[CAPACITY];
        int count = 0, counted = 0;
        check_ok(fender_channel_find(world, cases[i].pattern, NULL, 0, &counted, &error));
        check_ok(fender_channel_find(world, cases[i].pattern, channels, CAPACITY, &count, &error));
        assert_int_equal(count, cases[i].count);
        assert_int_equal(counted, count);
        assert_string_equal(channels[0].name, cases[i].first);
        assert_string_equal(channels[count - 1].name, cases[i].last);
        /* units of momentum may be written in any order of their factors */
        double one = 0;
        check_ok(fender_unit_to_si(1, channels[0].unit, cases[i].unit, &one, &error));
        assert_true(one == 1);
    }
    fender_world_destroy(world);
}

/* With less room than channels the first ones are written and nothing behind them. */
static void small_capacity(void **state)
{
    (void)state;
    fender_world *world = small_world(3, -1);
    fender_channel channels[3];
    int count = 0;
    memset(channels, 0x5A, sizeof channels);
    check_ok(fender_channel_find(world, "bodies.*.position", channels, 2, &count, &error));
    assert_int_equal(count, 6);
    assert_string_equal(channels[1].name, "bodies.ground.position.y");
    assert_int_equal(channels[2].name[0], 0x5A);
    fender_world_destroy(world);
}

typedef struct refusal {
    const char *pattern, *message, *suggestion;
} refusal;

static void refusals(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"", "not a path", "`fender info channels`"},
        {"bodies..position", "not a path", "`fender info channels`"},
        {"bodys.ball.position", "no section of channels is named 'bodys'", "did you mean 'bodies'?"},
        {"quux", "no section of channels is named 'quux'",
         "known here: time, bodies, contacts, ledger, links, loads, sensors, events, points, shapes"},
        {"bodies", "not a path of a body", "bodies.*.position"},
        {"bodies.ball", "names no value", "append '.*' for all components, or one of: mass, core_mass"},
        {"bodies.bal.position", "no body is named 'bal'", "did you mean 'ball'?"},
        {"bodies.ball.postion", "a body has no field 'postion'", "did you mean 'position'?"},
        {"bodies.ball.position.w", "no component 'w'", "known here: x, y, z"},
        {"bodies.ball.mass.x", "plain number", "`fender info channels`"},
        {"bodies.ball.position.x.y", "continues", "remove the rest"},
        {"bodies.ball.state.velocity.x", "initial state", "leave out '.state'"},
        {"contacts.ground.hull:ball.hul.depth", "the body has no shape 'hul'", "did you mean 'hull'?"},
        {"contacts.ground.hull:bell.hull.depth", "no body is named 'bell'", "did you mean 'ball'?"},
        {"contacts.ground.hull:ball.hull.dept", "a contact has no field 'dept'", "did you mean 'depth'?"},
        {"contacts.ground.hull:ball.hull.signals.dept", "a contact has no signal 'dept'", "known here: contact"},
        {"contacts.ground.hull:ball.hull.signals", "names no value", "one of: contact"},
        {"contacts.ground.hull:ball.hull.signals[0].contact", "no numbered signals", "points of a cloud"},
        {"contacts.ground.hull.depth", "a contact has no field 'hull'", "known here: touching"},
        {"contacts.bell.depth", "no body is named 'bell'", "did you mean 'ball'?"},
        {"contacts.ground", "not a path of a contact", "contacts.*.depth"},
        {"contacts.ball.hull:ball.hull.depth", "cannot touch: they belong to the same body", "fender explain"},
        {"ledger.enrgy.kinetic", "no group 'enrgy'", "did you mean 'energy'?"},
        {"ledger.energy.kinetc", "has no 'kinetc'", "did you mean 'kinetic'?"},
        {"links", "not a path of a link", "links.*.force"},
        {"links.rop.force", "no link is named 'rop'", "did you mean 'rope'?"},
        {"links.rope.forse", "a link has no field 'forse'", "did you mean 'force'?"},
        {"sensors.altmeter.range", "no sensor is named 'altmeter'", "did you mean 'altimeter'?"},
        {"sensors.altimeter.rnge", "a sensor has no field 'rnge'", "did you mean 'range'?"},
        {"sensors", "not a path of a sensor", "sensors.*.range"},
        {"loads.pull.active", "no load is named 'pull'", "known here: push"},
        {"loads.push.activ", "a load has no field 'activ'", "did you mean 'active'?"},
        {"events.begn.count", "no event is named 'begn'", "did you mean 'begin'?"},
        {"time.x", "time has no parts", "remove the rest"},
        {"points.ball.hok@ground.hook.distance", "the body has no point 'hok'", "did you mean 'hook'?"},
        {"points.ball.hook@grund.hook.distance", "no body is named 'grund'", "did you mean 'ground'?"},
        {"points.ball.hook@ground.hook.distnce", "seen from another, a point has no field 'distnce'",
         "did you mean 'distance'?"},
        {"points.ball.hook@ground.hook.position.w", "no component 'w'", "known here: x, y, z"},
        {"points.ball.hook@ground.hook", "names no value", "one of: position"},
        {"points.ball", "not a path of a point", "points.capsule.port@station.port.position"},
        {"points.ball.hook:ground.hook.distance", "not a path of a point", "structure frame"},
        {"points.ball.hook.inside@ground.distance", "not a path of a point", "structure frame"},
        {"points.ball.hook@ground@ball.distance", "not a path", "`fender info channels`"},
        {"points.*.hook@*.hook.distanc", "no field 'distanc'", "did you mean 'distance'?"},
        {"bodies.ball@ground", "names no value", "one of: force, torque"},
        {"bodies.ball@grund.force", "no body is named 'grund'", "did you mean 'ground'?"},
        {"bodies.ball@ground.fource", "of two bodies, there is no field 'fource'", "did you mean 'force'?"},
        {"bodies.ball@ball.force", "names no two bodies", "no load on itself"},
        {"bodies.ball.hook@ground.clearance", "there is no field 'clearance'", "known here: force"},
        {"bodies.ball.hok@ground.force", "the body has no point 'hok'", "did you mean 'hook'?"},
        {"shapes.ball.hul@ground.clearance", "the body has no shape 'hul'", "did you mean 'hull'?"},
        {"shapes.ball.hull@ground.clearanc", "the body has no shape 'clearanc'", "known here: hull"},
        {"shapes.ball.hull@ground.hull.clear", "of two shapes, there is no field 'clear'", "did you mean 'clearance'?"},
        {"shapes.ball.hull.clearance", "a shape has no field 'clearance'", "known here: slide"},
        {"shapes.ball.hull", "not a path of a shape", "shapes.lander.nozzle@ground.clearance"},
        {"links.rope@ground.force", "by '@'", "points.BODY.POINT@BODY.POINT.FIELD"},
    };
    fender_world *world = small_world(3, -1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_error error = {0};
        int count = 77;
        fender_status status = fender_channel_find(world, cases[i].pattern, NULL, 0, &count, &error);
        bool good = status == FENDER_STATUS_NAME && error.status == status && count == 77 &&
                    strstr(error.message, cases[i].message) && strstr(error.suggestion, cases[i].suggestion) &&
                    strcmp(error.path, cases[i].pattern) == 0;
        if (!good) print_error("%s: %s | %s\n", cases[i].pattern, error.message, error.suggestion);
        assert_true(good);
    }
    assert_int_equal(fender_channel_find(world, NULL, NULL, 0, NULL, NULL), FENDER_STATUS_ARGUMENT);
    fender_world_destroy(world);
}

/* `count` spheres in a row; a rule for all, or none. */
static fender_world *row_of_balls(int count, bool rule_for_all)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    fender_world *world = fender_world_create(&env, &def, NULL);
    fender_geometry *geometry = fender_geometry_sphere(&env, 0.1, NULL);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "spring", .law = fender_law_find(NULL, "spring_damper")};
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    char *parameters = calloc(1, type.law->parameters.size);
    (void)fender_field_initialize(&type.law->parameters, parameters, type.law->parameters.size, NULL);
    fender_field_set(fender_field_find(&type.law->parameters, "stiffness"), parameters, 0, 1000);
    type.law_parameters = parameters;
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    free(parameters);
    if (rule_for_all) check_ok(fender_rule_create(world, &rule, NULL, &error));
    for (int i = 0; i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "ball%d", i);
        fender_body_def ball = fender_body_def_default();
        fender_shape_def shape = fender_shape_def_default();
        fender_body_id body;
        fender_shape_id id;
        ball.name = name;
        ball.mass_properties.mass = 1;
        ball.mass_properties.inertia = fender_mat3_diagonal(1, 1, 1);
        ball.state.position.x = i;
        shape.name = "hull";
        shape.geometry = geometry;
        check_ok(fender_body_create(world, &ball, &body, &error));
        check_ok(fender_shape_create(world, body, &shape, &id, &error));
    }
    fender_geometry_release(geometry);
    check_ok(fender_world_initialize(world, &error));
    return world;
}

static void pair_limit(void **state)
{
    (void)state;
    fender_channel *channels = calloc(1000, sizeof *channels);
    int count = 0;
    fender_world *world = row_of_balls(45, true); /* 990 pairs */
    check_ok(fender_channel_find(world, "contacts.*.depth", channels, 1000, &count, &error));
    assert_int_equal(count, 990);
    assert_string_equal(channels[0].name, "contacts.ball0.hull:ball1.hull.depth");
    assert_string_equal(channels[1].name, "contacts.ball0.hull:ball2.hull.depth");
    assert_string_equal(channels[44].name, "contacts.ball1.hull:ball2.hull.depth");
    assert_string_equal(channels[989].name, "contacts.ball43.hull:ball44.hull.depth");
    fender_world_destroy(world);
    world = row_of_balls(46, true); /* 1035 */
    fender_error error = {0};
    assert_int_equal(fender_channel_find(world, "contacts.*.depth", NULL, 0, &count, &error), FENDER_STATUS_NAME);
    assert_non_null(strstr(error.message, "more than 1000 pairs"));
    assert_non_null(strstr(error.suggestion, "contacts.BODY.SHAPE:*.*.FIELD"));
    assert_int_equal(fender_channel_find(world, "contacts.ball7.hull:*.*.depth", channels, 1000, &count, NULL),
                     FENDER_STATUS_OK);
    assert_int_equal(count, 45);
    assert_string_equal(channels[0].name, "contacts.ball0.hull:ball7.hull.depth");
    fender_world_destroy(world);
    world = row_of_balls(3, false);
    memset(&error, 0, sizeof error);
    assert_int_equal(fender_channel_find(world, "contacts.*.depth", NULL, 0, &count, &error), FENDER_STATUS_NAME);
    assert_non_null(strstr(error.message, "may touch"));
    assert_int_equal(fender_channel_find(world, "contacts.ball0.hull:ball1.hull.depth", NULL, 0, &count, NULL),
                     FENDER_STATUS_NAME);
    /* but how they lie can be read of any two */
    check_near(read_one(world, "contacts.ball0.hull:ball2.hull.separation"), 1.8, 1e-15);
    fender_world_destroy(world);
    free(channels);
}

/* A pattern names no pairs of one tree, and the refusal tells the name of one. */
static void attached_pairs(void **state)
{
    (void)state;
    fender_world *world = row_of_balls(2, true);
    fender_attach_def attach = fender_attach_def_default();
    attach.child = fender_body_at(world, 1);
    attach.parent = fender_body_at(world, 0);
    attach.pose = FENDER_ATTACH_AS_IS;
    check_ok(fender_body_attach(world, &attach, NULL, &error));
    static const char *const patterns[] = {"contacts.*.depth", "contacts.ball1.depth",
                                           "contacts.ball1.*:ball0.hull.depth"};
    int count = 0;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        fender_error error = {0};
        assert_int_equal(fender_channel_find(world, patterns[i], NULL, 0, &count, &error), FENDER_STATUS_NAME);
        assert_non_null(strstr(error.message, "the bodies of ball0.hull:ball1.hull are attached"));
        assert_non_null(strstr(error.suggestion, "contacts.ball0.hull:ball1.hull.FIELD"));
    }
    check_near(read_one(world, "contacts.ball0.hull:ball1.hull.depth"), 0, 0);
    fender_world_destroy(world);
}

static void signals_of_a_pair(void **state)
{
    (void)state;
    fender_world *world = small_world(1.4, -0.5); /* 0.1 m deep */
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.contact"), 1, 0);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.penetration_depth"), 0.1, 1e-15);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.separation_distance"), -0.1, 1e-15);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.normal_force"), 100, 1e-12);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.normal_velocity"), -0.5, 1e-15);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.base_translation.x"), 0.95, 1e-15);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.follower_translation.x"), -0.45, 1e-15);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.base_rotation[0][2]"), 1, 0);
    check_near(read_one(world, "contacts.ball.hull:ground.hull.signals.base_rotation[0][2]"), -1, 0);
    check_near(read_one(world, "contacts.ball.hull:ground.hull.signals.base_translation.x"), -0.45, 1e-15);
    fender_world_destroy(world);
    world = small_world(3, -1);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.contact"), 0, 0);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.separation_distance"), 1.5, 1e-15);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.base_rotation[0][0]"), 1, 0);
    check_near(read_one(world, "contacts.ground.hull:ball.hull.signals.normal_velocity"), 0, 0);
    fender_world_destroy(world);
}

/* Three points above a sphere, of which the second touches it. */
static void signals_of_a_cloud(void **state)
{
    (void)state;
    fender_world *world = small_world(3, 0);
    fender_env env = fender_env_default();
    static const fender_vec3 points[] = {{0, 0, 1.5}, {0, 0, 0.9}, {0, 0, 2.25}};
    fender_shape_def shape = fender_shape_def_default();
    shape.name = "dust";
    shape.geometry = fender_geometry_cloud(&env, points, 3, NULL);
    shape.X_SG.p.x = -3; /* of the sphere: above the ground */
    fender_shape_id id;
    check_ok(fender_shape_create(world, fender_body_at(world, 1), &shape, &id, &error));
    fender_geometry_release(shape.geometry);
    check_ok(fender_world_initialize(world, &error));
    fender_channel channels[32];
    int count = 0;
    static const double distances[] = {0.5, -0.1, 1.25};
    check_ok(fender_channel_find(world, "contacts.ground.hull:ball.dust.signals.separation_distance", channels, 32,
                                 &count, &error));
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++) check_near(fender_channel_read(world, &channels[i]), distances[i], 1e-15);
    assert_string_equal(channels[2].name, "contacts.ground.hull:ball.dust.signals[2].separation_distance");
    check_ok(fender_channel_find(world, "contacts.ball.dust:ground.hull.signals[*].base_translation.z", channels, 32,
                                 &count, &error));
    assert_int_equal(count, 3);
    check_near(fender_channel_read(world, &channels[0]), 0, 0);
    check_near(fender_channel_read(world, &channels[1]), 0.95, 1e-15);
    check_near(read_one(world, "contacts.ground.hull:ball.dust.signals[1].normal_force"), 100, 1e-12);
    check_near(read_one(world, "contacts.ground.hull:ball.dust.signals[1].base_rotation[2][2]"), 1, 0);
    check_near(read_one(world, "contacts.ball.dust:ground.hull.signals[1].base_rotation[2][2]"), -1, 0);
    static const char *const bad[] = {"[3]", "[-1]", "[]", "[x]", "[99999999999999999999]"};
    for (int i = 0; i < 5; i++) {
        char path[120];
        fender_error fault = {0};
        snprintf(path, sizeof path, "contacts.ground.hull:ball.dust.signals%s.contact", bad[i]);
        assert_int_equal(fender_channel_find(world, path, NULL, 0, &count, &fault), FENDER_STATUS_NAME);
        assert_non_null(strstr(fault.message, "3 points"));
    }
    fender_world_destroy(world);
}

/* What is seen from a planet: would read 0 without one. */
static bool needs_planet(const char *path)
{
    static const char *const parts[] = {".latitude", ".longitude",        ".altitude",        ".fixed_",
                                        "l.applied", "inertial.residual", "l.axial_momentum", "l.axial_drift"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(path, parts[i])) return true;
    return false;
}

/* In a world without a planet patterns have what is seen from inertial space. In one with a planet they have all. */
static void seen_from_planets(void **state)
{
    (void)state;
    for (int planet = 0; planet < 2; planet++) {
        char text[400];
        snprintf(text, sizeof text,
                 "fender: 1\n%sbodies: {a: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}}}\nrun: {until: 1 s}\n",
                 planet ? "world: {frame: {planet: earth, latitude: 30 deg, altitude: 500 km}}\n" : "");
        fender_world *world = world_of(text);
        fender_channel channels[64];
        int count = 0;
        check_ok(fender_channel_find(world, "bodies.*.planet.*", channels, 64, &count, &error));
        int fixed = 0;
        for (int i = 0; i < count; i++) fixed += needs_planet(channels[i].name);
        assert_int_equal(count, planet ? 3 + 3 + 3 + 4 + 3 + 3 + 4 + 3 + 3 : 3 + 3 + 4 + 3 + 3);
        assert_int_equal(fixed, planet ? 13 : 0);
        check_ok(fender_channel_find(world, "ledger.inertial.*", channels, 64, &count, &error));
        assert_int_equal(count, planet ? 6 : 2);
        fender_error fault = {0};
        const fender_status found = fender_channel_find(world, "bodies.a.planet.altitude", NULL, 0, &count, &fault);
        assert_int_equal(found, planet ? FENDER_STATUS_OK : FENDER_STATUS_NAME);
        fender_world_destroy(world);
    }
}

/* Every field of the tables is listed once, and everything listed can be found. */
static void kinds(void **state)
{
    (void)state;
    fender_world *world = small_world(3, -1);
    const fender_field_table *tables[] = {fender_body_fields(),           fender_contact_fields(),
                                          fender_ledger_fields(),         fender_link_fields(),
                                          fender_contact_signal_fields(), fender_beam_fields(),
                                          fender_body_planet_fields(),    fender_inertial_ledger_fields()};
    int listed = 0, total = 4 + 18 + 14 + 3 + 1 + 1 + 1; /* of points, bodies and shapes seen from others */
    total += fender_load_fields()->count;
    fender_channel_kind kind;
    for (; fender_channel_kind_at(listed, &kind); listed++) {
        char path[160];
        int count = 0;
        const char *name = strstr(kind.path, "NAME"), *pair = strstr(kind.path, "PAIR");
        const char *hole = name ? name : pair;
        const char *filling = strncmp(kind.path, "loads", 5) == 0     ? "push"
                              : strncmp(kind.path, "events", 6) == 0  ? "begin"
                              : strncmp(kind.path, "links", 5) == 0   ? "rope"
                              : strncmp(kind.path, "sensors", 7) == 0 ? "altimeter"
                              : pair                                  ? "ground.hull:ball.hull"
                                                                      : "ball";
        const char *point = strncmp(kind.path, "points", 6) == 0 ? strrchr(kind.path, '.') : NULL;
        const char *at = strchr(kind.path, '@');
        if (point) snprintf(path, sizeof path, "points.ball.hook%s%s", at ? "@ground.hook" : "", point);
        else if (at)
            snprintf(path, sizeof path, "%s@ground%s",
                     strncmp(kind.path, "shapes", 6) == 0 ? "shapes.ball.hull" : "bodies.ball",
                     strrchr(kind.path, '.'));
        else if (strncmp(kind.path, "shapes", 6) == 0) snprintf(path, sizeof path, "shapes.ball.hull.slide");
        else if (hole) snprintf(path, sizeof path, "%.*s%s%s", (int)(hole - kind.path), kind.path, filling, hole + 4);
        else snprintf(path, sizeof path, "%s", kind.path);
        if (needs_planet(path)) {
            fender_error fault = {0};
            assert_int_equal(fender_channel_find(world, path, NULL, 0, &count, &fault), FENDER_STATUS_NAME);
            assert_non_null(strstr(fault.message, "no planet"));
        } else {
            check_ok(fender_channel_find(world, path, NULL, 0, &count, &error));
            assert_true(count >= 1);
        }
        assert_true(kind.doc[0] != '\0' && kind.unit[0] != '\0');
    }
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) total += tables[i]->count;
    total += fender_inertial_fields()->count;                          /* of points, beside their motion */
    assert_int_equal(listed, total + 1 + FENDER_EVENT_KIND_COUNT + 1); /* time, events and emitted ones */
    assert_false(fender_channel_kind_at(-1, &kind));
    assert_false(fender_channel_kind_at(listed, &kind));
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_values),  cmocka_unit_test(touching_values),   cmocka_unit_test(patterns),
        cmocka_unit_test(small_capacity), cmocka_unit_test(refusals),          cmocka_unit_test(pair_limit),
        cmocka_unit_test(attached_pairs), cmocka_unit_test(signals_of_a_pair), cmocka_unit_test(signals_of_a_cloud),
        cmocka_unit_test(kinds),          cmocka_unit_test(seen_from_planets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
