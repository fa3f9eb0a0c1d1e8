/* Connections that contacts make: welds and bushings against closed forms, what outlives the contact, what breaks, is
 * let go and made anew; ledger, events, snapshots. */
/* items: P018 P020 */
#include "law/law_test.h"

#include "world/world.h"

static const fender_link_spring_damper_6dof *world_link_parameters(const fender_world *world, int index)
{
    return world->dynamics.links[index].parameters;
}

static const fender_field *field_of(const lone_law *l, const char *name)
{
    return fender_field_find(&l->law->parameters, name);
}

/* A world of one contact type for everything. */
static fender_world *world_with(const lone_law *l, bool located)
{
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 0.5e-3;
    def.locate_events = located;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    fender_contact_type_def type = {
        .size = sizeof(fender_contact_type_def), .name = "hook", .law = l->law, .law_parameters = l->parameters.bytes};
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT};
    check_ok(fender_contact_type_create(world, &type, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    return world;
}

static fender_body_id add_body(fender_world *world, const char *name, fender_motion motion, double mass,
                               fender_body_state state)
{
    fender_body_def def = fender_body_def_default();
    fender_body_id id;
    def.name = name;
    def.motion = motion;
    if (mass > 0) def.mass_properties.mass = mass;
    if (mass > 0) def.mass_properties.inertia = (fender_mat3){{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}};
    def.state = state;
    check_ok(fender_body_create(world, &def, &id, &error));
    return id;
}

static void add_shape(fender_world *world, fender_body_id body, const char *name, double radius)
{
    fender_env env = fender_env_default();
    fender_geometry *geometry = radius > 0 ? fender_geometry_sphere(&env, radius, NULL)
                                           : fender_geometry_plane(&env, NULL);
    fender_shape_def def = fender_shape_def_default();
    def.name = name;
    def.geometry = geometry;
    check_ok(fender_shape_create(world, body, &def, NULL, &error));
    fender_geometry_release(geometry);
}

static fender_body_state state_at(fender_vec3 position, fender_vec3 velocity)
{
    fender_body_state state = {.attitude = {1, 0, 0, 0}};
    state.position = position;
    state.velocity = velocity;
    return state;
}

/* A sphere of 1 kg, pressed 1 mm deep on a wall by 10 N; from 0 s on a ramp of 20 N/s acts along z, of that sign. */
static fender_world *pressed_ball(const lone_law *l, bool located, double sign, double x)
{
    fender_world *world = world_with(l, located);
    const fender_vec3 zero = {0, 0, 0};
    add_shape(world, add_body(world, "wall", FENDER_MOTION_FIXED, 0, state_at(zero, zero)), "face", 0);
    fender_load_def load = fender_load_def_default();
    load.body = add_body(world, "ball", FENDER_MOTION_DYNAMIC, 1, state_at((fender_vec3){x, 0, 0.099}, zero));
    add_shape(world, load.body, "hull", 0.1);
    load.name = "press";
    load.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0, 0, -10}};
    check_ok(fender_load_create(world, &load, NULL, &error));
    load.name = "pull";
    load.force = (fender_signal){.kind = FENDER_SIGNAL_RAMP, .direction = {0, 0, sign}, .rate = 20};
    check_ok(fender_load_create(world, &load, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

static void advance_to(fender_world *world, double time) { check_ok(fender_world_advance_to(world, time, &error)); }

/* The events of that kind in the last call; *time of the last of them. */
static int count_events(const fender_world *world, fender_event_kind kind, double *time)
{
    int count, found = 0;
    const fender_event *events = fender_world_events(world, &count);
    for (int i = 0; i < count; i++) {
        if (events[i].kind != kind) continue;
        found++;
        if (time) *time = events[i].time;
    }
    return found;
}

static fender_ledger ledger_of(const fender_world *world)
{
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    return ledger;
}

/* ---- weld */

/* A plastic impact: v = m1 v1 / (m1 + m2), and of the energy reduced mass v1^2 / 2 is lost, all of it by the weld. */
static void weld(void **state)
{
    (void)state;
    lone_law hook = law_named("capture");
    law_set(&hook, "stiffness", 1e4);
    law_set(&hook, "damping", 1);
    fender_world *world = world_with(&hook, true);
    const fender_vec3 zero = {0, 0, 0}, start = {-1, 0, 0}, speed = {2, 0, 0};
    add_shape(world, add_body(world, "one", FENDER_MOTION_DYNAMIC, 3, state_at(start, speed)), "hull", 0.1);
    add_shape(world, add_body(world, "two", FENDER_MOTION_DYNAMIC, 1, state_at(zero, zero)), "hull", 0.1);
    check_ok(fender_world_initialize(world, &error));
    advance_to(world, 1);
    double time = 0;
    assert_int_equal(count_events(world, FENDER_EVENT_ATTACH, &time), 1);
    assert_int_equal(count_events(world, FENDER_EVENT_LAW, NULL), 1);
    assert_int_equal(count_events(world, FENDER_EVENT_END, NULL), 1);
    check_near(time, 0.4, 1e-12); /* touch: 0.8 m at 2 m/s */
    fender_body_data one, two;
    assert_int_equal(fender_body_get(world, fender_body_at(world, 0), FENDER_CLOCK_COMMITTED, &one), FENDER_STATUS_OK);
    assert_int_equal(fender_body_get(world, fender_body_at(world, 1), FENDER_CLOCK_COMMITTED, &two), FENDER_STATUS_OK);
    check_near(one.velocity.x, 1.5, 1e-12); /* rounding */
    check_near(two.velocity.x, 1.5, 1e-12);
    check_near(two.position.x - one.position.x, 0.2, 1e-12);
    fender_ledger ledger = ledger_of(world);
    check_near(ledger.attachment, 0.5 * 0.75 * 4, 1e-9); /* less what the damper took in the instant of touch: none */
    check_below(fabs(ledger.residual), 1e-12);
    check_below(ledger.linear_drift, 1e-12);
    /* a weld is an attachment: it can be detached */
    check_ok(
        fender_body_detach(world, fender_body_at(world, 1), (fender_body_id){0}, FENDER_DETACH_TREE, NULL, &error));
    fender_world_destroy(world);
}

/* A chaser of 10 kg at 1 m/s is welded to a port that is mass only, on a vehicle of 100 kg: whatever was created first,
 * and whether the port hits another port, all go on with the momentum, as parts of one tree. */
static void weld_to_a_part_without_state(void **state)
{
    (void)state;
    for (int way = 0; way < 8; way++) {
        const bool fixed = way & 2, ports = way & 4;
        lone_law hook = law_named("capture");
        law_set(&hook, "stiffness", 1e4);
        fender_world *world = world_with(&hook, true);
        const fender_vec3 zero = {0, 0, 0}, start = {1, 0, 0}, speed = {-1, 0, 0};
        fender_body_id of[2], port[2];
        for (int pass = 0; pass < 2; pass++) {
            const int k = pass ^ (way & 1); /* 0: the vehicle */
            const fender_motion motion = k == 0 && fixed ? FENDER_MOTION_FIXED : FENDER_MOTION_DYNAMIC;
            of[k] = port[k] = add_body(world, k ? "chaser" : "vehicle", motion,
                                       k       ? 10
                                       : fixed ? 0
                                               : 100,
                                       k ? state_at(start, speed) : state_at(zero, zero));
            if (k == 0 || ports) {
                port[k] = add_body(world, k ? "hook" : "port", FENDER_MOTION_MASS_ONLY, 5, state_at(zero, zero));
                fender_attach_def def = fender_attach_def_default();
                def.child = port[k];
                def.parent = of[k];
                check_ok(fender_body_attach(world, &def, NULL, &error));
            }
            add_shape(world, port[k], "hull", 0.1);
        }
        check_ok(fender_world_initialize(world, &error));
        advance_to(world, 1);
        assert_int_equal(count_events(world, FENDER_EVENT_ATTACH, NULL), 1);
        assert_int_equal(fender_body_root(world, of[0]).index1, fender_body_root(world, of[1]).index1);
        const double mass = ports ? 15 : 10, expected = fixed ? 0 : -mass / (mass + 105);
        for (int k = 0; k < 2; k++) {
            fender_body_data data;
            check_ok(fender_body_get(world, of[k], FENDER_CLOCK_COMMITTED, &data));
            check_near(data.velocity.x, expected, 1e-12); /* rounding */
        }
        /* the port leaves: nobody loses a state */
        check_ok(fender_body_detach(world, port[0], of[0], FENDER_DETACH_TREE, NULL, &error));
        fender_body_data data;
        check_ok(fender_body_get(world, of[1], FENDER_CLOCK_COMMITTED, &data));
        check_near(data.velocity.x, expected, 1e-12);
        fender_world_destroy(world);
    }
}

/* ---- bushing */

/* A sphere is pressed on a wall by 10 N, 1 mm deep, and captured; a ramp of 20 N/s pulls. The push ends when the pull
 * has moved the sphere by 1 mm: (k + kh) 1 mm = 20 t. Then the bushing holds alone with 20 t - 10, until 30 N. Ramps
 * are slow: what swings has died down by exp(-25) before each of those moments. */
static fender_world *pulled_ball(double x)
{
    lone_law hook = law_named("capture");
    static const struct {
        const char *name;
        double value;
    } given[] = {{"stiffness", 1e4},    {"capture_force", 5}, {"hold_stiffness", 2e4},
                 {"hold_damping", 100}, {"limit", 30},        {"hold_angular_stiffness", 100}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) law_set(&hook, given[i].name, given[i].value);
    fender_field_set(field_of(&hook, "connection"), hook.parameters.bytes, 0, 1); /* bushing */
    return pressed_ball(&hook, true, 1, x);
}

/* The tip of an arm that still moves is the parent of what it welds to, whichever was created first: the momentum that
 * both have is that of the whole. What cannot be a child ends the run with a remedy that can be followed. */
static void weld_to_an_arm_that_moves(void **state)
{
    (void)state;
    static const double times[] = {0, 1, 2};
    static const fender_vec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    for (int way = 0; way < 3; way++) {
        lone_law hook = law_named("capture");
        law_set(&hook, "stiffness", 1e4);
        fender_world *world = world_with(&hook, true);
        const fender_vec3 zero = {0, 0, 0};
        const fender_motion motion = way == 2 ? FENDER_MOTION_FIXED : FENDER_MOTION_DYNAMIC;
        fender_body_id target = {0};
        if (way > 0)
            target = add_body(world, "target", motion, way == 2 ? 0 : 5, state_at((fender_vec3){1, 0, 0}, zero));
        const fender_body_id ship = add_body(world, "ship", FENDER_MOTION_DYNAMIC, 10,
                                             state_at((fender_vec3){-1, 0, 0}, zero)),
                             tip = add_body(world, "tip", FENDER_MOTION_DYNAMIC, 1,
                                            state_at((fender_vec3){0.3, 0, 0}, zero));
        if (way == 0) target = add_body(world, "target", motion, 5, state_at((fender_vec3){1, 0, 0}, zero));
        add_shape(world, way > 0 ? target : tip, "hull", 0.1);
        add_shape(world, way > 0 ? tip : target, "hull", 0.1);
        fender_attach_def def = fender_attach_def_default();
        def.child = tip;
        def.parent = ship;
        def.pose = FENDER_ATTACH_AS_IS;
        check_ok(fender_body_attach(world, &def, NULL, &error));
        fender_part_motion path = fender_part_motion_default();
        path.times = times;
        path.positions = positions;
        path.count = 3;
        check_ok(fender_body_set_part_motion(world, tip, &path, &error));
        check_ok(fender_world_initialize(world, &error));
        fender_error fault = {0};
        const fender_status status = fender_world_advance_to(world, 3, &fault);
        if (way == 2) {
            assert_int_equal(status, FENDER_STATUS_TOPOLOGY);
            assert_string_equal(fault.suggestion, "attach when the motion has ended");
        } else {
            assert_int_equal(status, FENDER_STATUS_OK);
            assert_true(fender_body_root(world, target).index1 == ship.index1);
            assert_true(fabs(ledger_of(world).linear_momentum.x) < 1e-12);
        }
        fender_world_destroy(world);
    }
}

static fender_link_data link_of(const fender_world *world)
{
    fender_link_id id;
    fender_link_data data;
    assert_int_equal(fender_link_find(world, "wall_face__ball_hull", &id), FENDER_STATUS_OK);
    assert_int_equal(fender_link_get(world, id, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static void bushing(void **state)
{
    (void)state;
    fender_world *world = pulled_ball(0);
    assert_true(link_of(world).acting);
    assert_int_equal(count_events(world, FENDER_EVENT_LINK_CAPTURE, NULL), 1);
    check_near(link_of(world).force, 0, 1e-10);
    advance_to(world, 1);
    /* both share: x = (20 t - kh-damper) / (k + kh); in a ramp the damper's part is c x' with x' = 20 / (k + kh) */
    double rate = 20.0 / 30000, x = (20 - 100 * rate) / 30000;
    check_near(link_of(world).displacement.z, x, 1e-12);
    advance_to(world, 1.75);
    double time = 0;
    assert_int_equal(count_events(world, FENDER_EVENT_END, &time), 1);
    check_near(time, 1.5 + 100 * rate / 20, 1e-9); /* the damper's lag delays the end of the push */
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 0);
    assert_true(link_of(world).acting); /* it outlives the contact */
    check_near(link_of(world).force, 20 * 1.75 - 10,
               1e-4); /* c x' changes there from 0.067 N to 0.1 N: exp(-12) of it */
    fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
    fender_world *other = pulled_ball(0.05); /* caught elsewhere */
    check_ok(fender_snapshot_restore(other, snapshot, &error));
    fender_snapshot_destroy(snapshot);
    fender_world *const all[] = {world, other};
    for (int i = 0; i < 2; i++) {
        advance_to(all[i], 2.2);
        assert_int_equal(count_events(all[i], FENDER_EVENT_LINK_BREAK, &time), 1);
        check_near(time, 2, 1e-6); /* exp(-25) of 0.033 N at 20 N/s */
        assert_true(link_of(all[i]).broken && !link_of(all[i]).acting);
        fender_ledger ledger = ledger_of(all[i]);
        check_below(fabs(ledger.residual), 1e-9 * ledger.scale);
        check_near(link_of(all[i]).damping_loss, ledger.damping, 1e-12);
    }
    assert_true(fender_world_hash(world) == fender_world_hash(other));
    fender_world_destroy(other);

    /* broken: the plain law pushes; a new touch makes the bushing anew */
    fender_body_state again = {.position = {0, 0, 0.1}, .velocity = {0, 0, -0.1}, .attitude = {1, 0, 0, 0}};
    check_ok(fender_body_set_state(world, fender_body_at(world, 1), &again, &error));
    assert_int_equal(fender_load_set_active(world, fender_load_at(world, 1), false), FENDER_STATUS_OK);
    advance_to(world, 2.21);
    assert_int_equal(count_events(world, FENDER_EVENT_LAW, &time), 1);
    /* caught at 5 N: 1 mm (1 - cos wt + sin wt) = 0.5 mm, w = 100/s */
    check_near(time, 2.2 + 0.01 * (asin(1) / 2 - asin(0.5 / sqrt(2))), 1e-8); /* RK4 at 0.5 ms */
    assert_true(link_of(world).acting && !link_of(world).broken);
    fender_world_destroy(world);
}

/* ---- a rule that gets such a law while the world runs */

enum { PLAIN, WELD, BUSHING };

static void add_type(fender_world *world, int kind, fender_contact_type_id *id)
{
    static const char *const names[] = {"plain", "welded", "held"};
    lone_law law = law_named(kind == PLAIN ? "spring_damper" : "capture");
    law_set(&law, "stiffness", 1e4);
    fender_contact_type_def type = {.size = sizeof type, .name = names[kind]};
    if (kind == PLAIN) type.normal = law.law, type.normal_parameters = law.parameters.bytes;
    else type.law = law.law, type.law_parameters = law.parameters.bytes;
    if (kind != PLAIN) law_set(&law, "capture_force", 5);
    if (kind == BUSHING) {
        law_set(&law, "hold_stiffness", 2e4);
        law_set(&law, "hold_damping", 100);
        law_set(&law, "hold_angular_stiffness", 100);
        fender_field_set(field_of(&law, "connection"), law.parameters.bytes, 0, 1);
    }
    check_ok(fender_contact_type_create(world, &type, id, &error));
}

/* The pressed ball, whose bodies have a rule for a plain spring; beside it the default rule, for that type. The pull
 * begins at 0.25 s. */
static fender_world *switching(int fallback)
{
    fender_contact_type_id types[3];
    fender_env env = fender_env_default();
    fender_world_def def = fender_world_def_default();
    def.step = 0.5e-3;
    fender_world *world = fender_world_create(&env, &def, NULL);
    assert_non_null(world);
    for (int i = 0; i < 3; i++) add_type(world, i, &types[i]);
    const fender_vec3 zero = {0, 0, 0};
    const fender_body_id wall = add_body(world, "wall", FENDER_MOTION_FIXED, 0, state_at(zero, zero));
    const fender_body_id ball = add_body(world, "ball", FENDER_MOTION_DYNAMIC, 1,
                                         state_at((fender_vec3){0, 0, 0.099}, zero));
    add_shape(world, wall, "face", 0);
    add_shape(world, ball, "hull", 0.1);
    fender_rule_def rule = {.size = sizeof rule, .kind = FENDER_RULE_DEFAULT, .use = types[fallback]};
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    rule.kind = FENDER_RULE_BODIES;
    rule.body_a = wall;
    rule.body_b = ball;
    rule.use = types[PLAIN];
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    fender_load_def load = fender_load_def_default();
    load.body = ball;
    load.name = "press";
    load.force = (fender_signal){.kind = FENDER_SIGNAL_CONSTANT, .constant = {0, 0, -10}};
    check_ok(fender_load_create(world, &load, NULL, &error));
    load.name = "pull";
    load.force = (fender_signal){.kind = FENDER_SIGNAL_RAMP, .direction = {0, 0, 1}, .rate = 20, .start = 0.25};
    check_ok(fender_load_create(world, &load, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    return world;
}

/* The rule of the two bodies gets the type, or leaves so that the default rule applies. */
static void use(fender_world *world, int kind, bool leaves)
{
    for (int i = 0; i < fender_rule_count(world); i++) {
        const fender_rule_id id = fender_rule_at(world, i);
        fender_rule_def def;
        check_ok(fender_rule_get_def(world, id, &def));
        if (def.kind != FENDER_RULE_BODIES) continue;
        if (leaves) check_ok(fender_rule_destroy(world, id, &error));
        else check_ok(fender_rule_set_use(world, id, fender_contact_type_at(world, kind), &error));
        return;
    }
}

/* At 1.25 s, caught at 0.25 s, when the pull began: push and bushing share as in `bushing`. */
static void check_held(const fender_world *world)
{
    const double rate = 20.0 / 30000;
    check_near(link_of(world).displacement.z, (20 - 100 * rate) / 30000, 1e-12);
    check_below(fabs(ledger_of(world).residual), 1e-9 * 5e-3); /* of what the push has stored */
}

static void bushing_by_rule(void **state)
{
    (void)state;
    for (int leaves = 0; leaves < 2; leaves++) {
        fender_world *world = switching(leaves ? BUSHING : PLAIN);
        assert_int_equal(fender_link_count(world), 0);
        advance_to(world, 0.25);
        use(world, BUSHING, leaves);
        double time = 0;
        assert_int_equal(count_events(world, FENDER_EVENT_LINK_CAPTURE, &time), 1);
        check_near(time, 0.25, 0);
        assert_true(link_of(world).acting);
        check_ok(fender_world_initialize(world, &error)); /* keeps it */
        assert_int_equal(fender_link_count(world), 1);
        advance_to(world, 1.25);
        check_held(world);
        fender_world_destroy(world);
    }
}

/* It is made before the call ends, which a snapshot may follow, or an initialization. */
static void weld_by_rule(void **state)
{
    (void)state;
    for (int leaves = 0; leaves < 2; leaves++) {
        fender_world *world = switching(leaves ? WELD : PLAIN);
        advance_to(world, 0.25);
        use(world, WELD, leaves);
        assert_int_equal(count_events(world, FENDER_EVENT_LAW, NULL), 1);
        assert_int_equal(count_events(world, FENDER_EVENT_ATTACH, NULL), 1);
        assert_int_equal(fender_body_parent(world, fender_body_at(world, 1)).index1, 1);
        check_ok(fender_world_initialize(world, &error));
        advance_to(world, 0.5);
        assert_int_equal(fender_world_event_count(world, FENDER_EVENT_ATTACH), 1);
        fender_world_destroy(world);
    }
}

/* A snapshot of a world whose rule has changed has links that a world as built has not, and the other way round. */
static void restored_with_its_links(void **state)
{
    (void)state;
    for (int kind = WELD; kind <= BUSHING; kind++) {
        fender_world *world = switching(PLAIN), *other = switching(PLAIN);
        advance_to(world, 0.25);
        const uint64_t before = fender_world_hash(world);
        fender_snapshot *early = fender_snapshot_take(world, NULL);
        use(world, kind, false);
        fender_snapshot *held = fender_snapshot_take(world, NULL);
        const uint64_t there = fender_world_hash(world);
        check_ok(fender_snapshot_restore(other, held, &error)); /* which has no link */
        assert_int_equal(fender_link_count(other), 1);
        assert_true(fender_world_hash(other) == there);
        advance_to(other, 1.25);
        advance_to(world, 1.25);
        assert_true(fender_world_hash(other) == fender_world_hash(world));
        if (kind == BUSHING) check_held(other);
        for (int i = 0; i < 2; i++) { /* there and back: its link goes, and comes again */
            check_ok(fender_snapshot_restore(world, early, &error));
            assert_int_equal(fender_link_count(world), 0);
            assert_true(fender_world_hash(world) == before);
            advance_to(world, 0.3);
            if (i == 0) check_ok(fender_snapshot_restore(world, held, &error));
        }
        use(world, kind, false);
        assert_int_equal(fender_link_count(world), 1);
        advance_to(world, 0.4);
        fender_snapshot_destroy(early);
        fender_snapshot_destroy(held);
        fender_world_destroy(world);
        fender_world_destroy(other);
    }
}

/* Links that a caller makes are structure. A world with them takes no snapshot of one without, and stays as it is. */
static void links_of_callers(void **state)
{
    (void)state;
    fender_world *world = switching(PLAIN), *other = switching(PLAIN);
    fender_link_spring_damper_6dof spring = {.stiffness = {1, 1, 1}, .limit = INFINITY, .angular_limit = INFINITY};
    fender_link_def def = fender_link_def_default();
    def.name = "own";
    def.law = FENDER_LINK_SPRING_DAMPER_6DOF;
    def.parameters = &spring;
    for (int i = 0; i < 2; i++)
        check_ok(fender_point_create(other, fender_body_at(other, i), "p", fender_pose_identity(), i ? &def.b : &def.a,
                                     &error));
    check_ok(fender_link_create(other, &def, NULL, &error));
    check_ok(fender_world_initialize(other, &error));
    use(world, BUSHING, false);
    use(other, BUSHING, false);
    fender_world *const worlds[] = {world, other};
    for (int i = 0; i < 2; i++) {
        fender_snapshot *snapshot = fender_snapshot_take(worlds[i], NULL);
        const uint64_t hash = fender_world_hash(worlds[1 - i]);
        assert_int_equal(fender_snapshot_restore(worlds[1 - i], snapshot, NULL), FENDER_STATUS_ARGUMENT);
        assert_true(fender_world_hash(worlds[1 - i]) == hash);
        fender_snapshot_destroy(snapshot);
        advance_to(worlds[1 - i], 0.1);
    }
    fender_world_destroy(world);
    fender_world_destroy(other);
}

/* ---- a law that lets go */

static void grip_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    (void)parameters, (void)memory;
    out->force.z = in->depth > 0 ? 10000 * in->depth : 0;
}

static double grip_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)memory;
    return in->depth > 0 ? 5000 * in->depth * in->depth : 0;
}

/* Holds at first sight, lets go at 1 s. */
static void grip_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory, fender_contact_change *change)
{
    int *phase = memory;
    (void)parameters, (void)out;
    if (*phase == 0)
        change->connect = (fender_connection){
            .kind = FENDER_CONNECTION_BUSHING, .stiffness = {2e4, 2e4, 2e4}, .damping = {100, 100, 100}};
    if (*phase == 1 && in->time >= 1) change->disconnect = true;
    if (*phase == 0 || change->disconnect) change->event = ++*phase;
}

static void let_go(void **state)
{
    (void)state;
    static const fender_law grip = {.size = sizeof(fender_law),
                                    .kinds = FENDER_LAW_WHOLE,
                                    .name = "grip",
                                    .doc = "Holds until 1 s.",
                                    .memory_size = sizeof(int),
                                    .force = grip_force,
                                    .update = grip_update,
                                    .stored_energy = grip_energy,
                                    .needs = FENDER_LAW_CONNECTS};
    const lone_law own = {.law = &grip};
    fender_world *world = pressed_ball(&own, false, -1, 0);
    advance_to(world, 0.9995);
    double rate = 20.0 / 30000, x = (20 - 100 * rate) / 30000, before = link_of(world).damping_loss;
    advance_to(world, 1);
    assert_int_equal(count_events(world, FENDER_EVENT_LAW, NULL), 1);
    check_near(link_of(world).damping_loss - before, 1e4 * x * x, 1e-6 * 1e4 * x * x + 100 * rate * rate * 0.001);
    assert_true(!link_of(world).acting && !link_of(world).active && !link_of(world).broken);
    check_near(ledger_of(world).damping, link_of(world).damping_loss, 1e-15);
    fender_ledger ledger = ledger_of(world);
    check_below(fabs(ledger.residual), 1e-9 * ledger.scale);
    fender_world_destroy(world);
}

/* ---- what is refused */

static void too_many(void **state)
{
    (void)state;
    lone_law hook = law_named("capture");
    law_set(&hook, "stiffness", 1e4);
    fender_world *world = world_with(&hook, false);
    const fender_vec3 zero = {0, 0, 0};
    for (int i = 0; i < 46; i++) { /* 1035 pairs */
        char name[16];
        snprintf(name, sizeof name, "ball%d", i);
        fender_body_id ball = add_body(world, name, FENDER_MOTION_DYNAMIC, 1,
                                       state_at((fender_vec3){(double)i, 0, 0}, zero));
        add_shape(world, ball, "hull", 0.1);
    }
    fender_error fault = {0};
    assert_int_equal(fender_world_initialize(world, &fault), FENDER_STATUS_VALUE);
    assert_string_equal(fault.message, "too many pairs of shapes have a law that connects bodies");
    assert_int_equal(fender_link_count(world), 0); /* what was made for the first thousand is gone */
    assert_int_equal(fender_point_count(world), 0);
    /* a rule that gets the type later is refused as well, and keeps what it had */
    const fender_rule_id rule = fender_rule_at(world, 0);
    check_ok(fender_rule_set_use(world, rule, (fender_contact_type_id){0}, &error));
    check_ok(fender_world_initialize(world, &error));
    const uint64_t hash = fender_world_hash(world);
    assert_int_equal(fender_rule_set_use(world, rule, fender_contact_type_at(world, 0), NULL), FENDER_STATUS_VALUE);
    assert_int_equal(fender_link_count(world), 0);
    assert_true(fender_world_hash(world) == hash);
    check_ok(fender_world_step(world, &error));
    fender_world_destroy(world);
}

/* ---- which pairs, and by which names */

static fender_connection asked;
static bool asked_to_let_go;
static void asking_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                          void *memory, fender_contact_change *change)
{
    (void)parameters, (void)in, (void)out, (void)memory;
    change->connect = asked;
    change->disconnect = asked_to_let_go;
}
static const fender_law asking = {.size = sizeof(fender_law),
                                  .kinds = FENDER_LAW_WHOLE,
                                  .name = "asking",
                                  .doc = "Asks at every step.",
                                  .force = grip_force,
                                  .update = asking_update,
                                  .stored_energy = grip_energy,
                                  .needs = FENDER_LAW_CONNECTS};

static fender_body_id named_ball(fender_world *world, const char *name, fender_motion motion, double x)
{
    const fender_vec3 zero = {0, 0, 0};
    const fender_body_id id = add_body(world, name, motion, motion == FENDER_MOTION_DYNAMIC,
                                       state_at((fender_vec3){x, 0, 0}, zero));
    add_shape(world, id, "s", 0.1);
    return id;
}

static bool has_link(const fender_world *world, const char *name)
{
    fender_link_id id;
    return fender_link_find(world, name, &id) == FENDER_STATUS_OK;
}

static void pairs_and_names(void **state)
{
    (void)state;
    const lone_law own = {.law = &asking};
    fender_world *world = world_with(&own, false);
    char long_name[101];
    memset(long_name, 'n', 100);
    long_name[100] = '\0';
    asked = (fender_connection){0};
    asked_to_let_go = false;
    /* far from each other: what is made is made before they meet */
    const fender_body_id left = named_ball(world, "left", FENDER_MOTION_DYNAMIC, 0);
    add_shape(world, left, "t", 0.1); /* of one body: no pair */
    const fender_body_id right = named_ball(world, "right", FENDER_MOTION_DYNAMIC, 10);
    const fender_body_id wall = named_ball(world, "wall", FENDER_MOTION_FIXED, 20);
    (void)named_ball(world, "floor", FENDER_MOTION_FIXED, 30); /* nothing between two that cannot move */
    const fender_body_id far = named_ball(world, long_name, FENDER_MOTION_FIXED, 40);
    const fender_body_id free_ball = named_ball(world, "free", FENDER_MOTION_FIXED, 50);
    fender_rule_def never = fender_rule_def_default();
    never.kind = FENDER_RULE_BODIES;
    never.body_a = right, never.body_b = wall;
    never.use = (fender_contact_type_id){0};
    check_ok(fender_rule_create(world, &never, NULL, &error));
    const fender_law *spring = fender_law_find(NULL, "spring_damper"); /* which connects nothing */
    double numbers[32];
    check_ok(fender_law_parameters_default(spring, numbers, sizeof numbers, &error));
    check_ok(fender_law_parameters_set(spring, numbers, sizeof numbers, "stiffness", 1e4, &error));
    fender_contact_type_def plain = fender_contact_type_def_default();
    plain.name = "plain";
    plain.law = spring;
    plain.law_parameters = numbers;
    fender_rule_def rule = never;
    rule.body_b = far;
    check_ok(fender_contact_type_create(world, &plain, &rule.use, &error));
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    rule.body_b = free_ball;
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    /* names that others have: of a link, of a point of either body */
    fender_link_def link = fender_link_def_default();
    fender_link_spring_damper_6dof none = {.limit = INFINITY, .angular_limit = INFINITY};
    link.name = "left_s__right_s";
    link.law = FENDER_LINK_SPRING_DAMPER_6DOF;
    link.parameters = &none;
    check_ok(fender_point_create(world, left, "left_s__wall_s", fender_pose_identity(), &link.a, &error));
    check_ok(fender_point_create(world, wall, "left_t__wall_s", fender_pose_identity(), &link.b, &error));
    check_ok(fender_link_create(world, &link, NULL, &error));
    for (int again = 0; again < 2; again++) {
        check_ok(fender_world_initialize(world, &error));
        /* left: two shapes with right, wall, floor, the far one and the free one; right: with floor alone */
        assert_int_equal(fender_link_count(world), 1 + 10 + 1);
        assert_true(has_link(world, "left_t__right_s") && has_link(world, "left_s__floor_s"));
        assert_true(has_link(world, "left_t__floor_s") && has_link(world, "right_s__floor_s"));
        assert_true(has_link(world, "left_s__free_s"));
        assert_false(has_link(world, "left_s__wall_s") || has_link(world, "left_t__wall_s"));
        assert_false(has_link(world, "right_s__wall_s") || has_link(world, "right_s__free_s"));
        assert_true(has_link(world, "connection_2")); /* left.s with right, the first that is made */
    }
    int renamed = 0;
    for (int i = 0; i < fender_link_count(world); i++)
        renamed += strncmp(fender_link_name(world, fender_link_at(world, i)), "connection_", 11) == 0;
    assert_int_equal(renamed, 1 + 2 + 2); /* taken as a link, as points, and too long */
    fender_world_destroy(world);
}

/* A law that asks at every step: held is what is held already; let go is what is held alone; nothing is made where the
 * link is gone, or the bodies are one. */
static void asked_again_and_again(void **state)
{
    (void)state;
    const lone_law own = {.law = &asking};
    for (int weld = 0; weld < 2; weld++) {
        fender_world *world = world_with(&own, false);
        asked = (fender_connection){0};
        asked_to_let_go = true; /* nothing is held yet */
        (void)named_ball(world, "a", FENDER_MOTION_DYNAMIC, 0);
        (void)named_ball(world, "b", FENDER_MOTION_FIXED, 0.199);
        (void)named_ball(world, "c", FENDER_MOTION_FIXED, -0.199);
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_step(world, &error));
        asked_to_let_go = false;
        asked = (fender_connection){.kind = weld ? FENDER_CONNECTION_WELD : FENDER_CONNECTION_BUSHING,
                                    .stiffness = {1e3, 1e3, 1e3},
                                    .limit = 5,
                                    .angular_limit = 7};
        int made = 0;
        for (int i = 0; i < 4; i++) {
            check_ok(fender_world_step(world, &error));
            made += count_events(world, weld ? FENDER_EVENT_ATTACH : FENDER_EVENT_LINK_CAPTURE, NULL);
        }
        fender_link_data data;
        check_ok(fender_link_get(world, fender_link_at(world, 0), FENDER_CLOCK_COMMITTED, &data));
        if (weld) {
            assert_true(made > 0); /* what moves becomes a part of what does not */
            fender_body_id parent;
            assert_true(fender_body_connection(world, fender_body_at(world, 0), NULL, &parent));
            assert_true(parent.index1 == 2 || parent.index1 == 3);
        } else {
            const fender_link_spring_damper_6dof *p = world_link_parameters(world, 0);
            assert_int_equal(fender_world_event_count(world, FENDER_EVENT_LINK_CAPTURE), 2);
            assert_true(data.active && !data.broken);
            assert_true(p->limit == 5 && p->angular_limit == 7);
            asked = (fender_connection){0};
            asked_to_let_go = true;
            check_ok(fender_world_step(world, &error));
            check_ok(fender_link_get(world, fender_link_at(world, 0), FENDER_CLOCK_COMMITTED, &data));
            assert_false(data.active);
            check_ok(fender_link_destroy(world, fender_link_at(world, 0), &error));
        }
        fender_world_destroy(world);
    }
}

/* A connection that is no number is not made: the call says so, naming the contact, and the books are as they were. */
static void asked_without_numbers(void **state)
{
    (void)state;
    const lone_law own = {.law = &asking};
    for (int which = 0; which < 6; which++) {
        fender_world *world = world_with(&own, false);
        asked = (fender_connection){0};
        asked_to_let_go = false;
        (void)named_ball(world, "a", FENDER_MOTION_DYNAMIC, 0);
        (void)named_ball(world, "b", FENDER_MOTION_FIXED, 0.199);
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_step(world, &error));
        const fender_connection sound = {.kind = FENDER_CONNECTION_BUSHING, .stiffness = {1e3, 1e3, 1e3}};
        asked = sound;
        double *numbers[] = {&asked.stiffness.x,       &asked.damping.y, &asked.angular_stiffness.z,
                             &asked.angular_damping.x, &asked.limit,     &asked.angular_limit};
        *numbers[which] = NAN;
        fender_error fault = {0};
        assert_int_equal(fender_world_step(world, &fault), FENDER_STATUS_NOT_FINITE);
        assert_string_equal(fault.path, "a.s:b.s");
        assert_true(isfinite(ledger_of(world).residual));
        asked = sound;
        check_ok(fender_world_step(world, &error));
        check_ok(fender_world_step(world, &error));
        fender_link_data data;
        check_ok(fender_link_get(world, fender_link_at(world, 0), FENDER_CLOCK_COMMITTED, &data));
        assert_true(data.active && isfinite(ledger_of(world).residual));
        asked = (fender_connection){0};
        fender_world_destroy(world);
    }
}

/* What a law asks for as another body or shape leaves is made before their slots are free. */
static void asked_as_others_leave(void **state)
{
    (void)state;
    const lone_law own = {.law = &asking};
    for (int body = 0; body < 2; body++) {
        fender_world *world = world_with(&own, false);
        asked = (fender_connection){0};
        asked_to_let_go = false;
        (void)named_ball(world, "a", FENDER_MOTION_DYNAMIC, 0);
        (void)named_ball(world, "b", FENDER_MOTION_FIXED, 0.199);
        const fender_body_id c = named_ball(world, "c", FENDER_MOTION_DYNAMIC, 5);
        check_ok(fender_world_initialize(world, &error));
        asked.kind = FENDER_CONNECTION_WELD;
        fender_shape_id shape;
        check_ok(fender_shape_find(world, c, "s", &shape));
        if (body) check_ok(fender_body_destroy(world, c, &error));
        else check_ok(fender_shape_destroy(world, shape, &error));
        asked.kind = FENDER_CONNECTION_NONE;
        assert_int_equal(count_events(world, FENDER_EVENT_ATTACH, NULL), 1);
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_step(world, &error));
        assert_int_equal(fender_body_parent(world, fender_body_at(world, 0)).index1, 2);
        fender_world_destroy(world);
    }
}

/* A shape that comes into the slot of one that has left has the links of its own pairs, at its own body. */
static void shapes_leave_and_come(void **state)
{
    (void)state;
    const lone_law own = {.law = &asking};
    for (int held = 0; held < 2; held++) {
        fender_world *world = world_with(&own, false);
        asked = (fender_connection){0};
        asked_to_let_go = false;
        if (held) asked = (fender_connection){.kind = FENDER_CONNECTION_BUSHING, .stiffness = {1e3, 1e3, 1e3}};
        (void)named_ball(world, "a", FENDER_MOTION_DYNAMIC, 0);
        const fender_body_id b = named_ball(world, "b", FENDER_MOTION_FIXED, 0.199);
        const fender_vec3 zero = {0, 0, 0};
        const fender_body_id c = add_body(world, "c", FENDER_MOTION_FIXED, 0, state_at((fender_vec3){5, 0, 0}, zero));
        check_ok(fender_world_initialize(world, &error));
        asked = (fender_connection){0};
        fender_shape_id shape;
        check_ok(fender_shape_find(world, b, "s", &shape));
        check_ok(fender_shape_destroy(world, shape, &error));
        assert_int_equal(has_link(world, "a_s__b_s"), held); /* what holds goes on */
        add_shape(world, c, "s", 0.1);
        check_ok(fender_world_initialize(world, &error));
        assert_true(has_link(world, "a_s__c_s"));
        assert_int_equal(has_link(world, "a_s__b_s"), held);
        fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
        check_ok(fender_world_step(world, &error));
        check_ok(fender_snapshot_restore(world, snapshot, &error));
        fender_snapshot_destroy(snapshot);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weld),
        cmocka_unit_test(weld_to_a_part_without_state),
        cmocka_unit_test(weld_to_an_arm_that_moves),
        cmocka_unit_test(bushing),
        cmocka_unit_test(let_go),
        cmocka_unit_test(too_many),
        cmocka_unit_test(pairs_and_names),
        cmocka_unit_test(asked_again_and_again),
        cmocka_unit_test(bushing_by_rule),
        cmocka_unit_test(weld_by_rule),
        cmocka_unit_test(restored_with_its_links),
        cmocka_unit_test(links_of_callers),
        cmocka_unit_test(asked_without_numbers),
        cmocka_unit_test(asked_as_others_leave),
        cmocka_unit_test(shapes_leave_and_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
