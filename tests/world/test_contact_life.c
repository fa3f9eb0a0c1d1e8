/* The life of a contact: establish, update, modes, events, terminate, suppression, reach; a law of the test's own. */
/* items: C018 C028 P016 P017 */
#include "check.h"
#include "scene.h"
#include <string.h>

/* ---- a law that remembers: counts its updates, changes mode at a depth, may end the contact ---- */

typedef struct latch {
    double stiffness, mode_depth, end_depth, onset, release, drag;
} latch;
typedef struct latch_memory {
    double first_rate, deepest, begun_at;
    int64_t updates;
} latch_memory;

static const fender_field latch_fields[] = {
    {"stiffness", "N/m", "", FENDER_FIELD_REAL, offsetof(latch, stiffness), FENDER_FIELD_REQUIRED, 0, INFINITY, 0,
     NULL},
    {"mode_depth", "m", "", FENDER_FIELD_REAL, offsetof(latch, mode_depth), 0, 0, INFINITY, 1, NULL},
    {"end_depth", "m", "", FENDER_FIELD_REAL, offsetof(latch, end_depth), 0, 0, INFINITY, 1, NULL},
    {"onset", "m", "", FENDER_FIELD_REAL, offsetof(latch, onset), 0, 0, INFINITY, 0, NULL},
    {"release", "m", "", FENDER_FIELD_REAL, offsetof(latch, release), 0, 0, INFINITY, 0, NULL},
    {"drag", "N*s/m", "", FENDER_FIELD_REAL, offsetof(latch, drag), 0, 0, INFINITY, 0, NULL},
};

/* What the hooks saw; the law itself keeps nothing. */
static struct witness {
    int begun, updated, ended, forces;
    double last_depth, normal_in_begin, normal_in_update, torque_in_update, first_rate, terminate_rate;
    int64_t updates_at_end;
} witness;

static void latch_activation_distance(const void *parameters, double *onset, double *release)
{
    const latch *p = parameters;
    *onset = p->onset;
    *release = p->release;
}
static void latch_begin(const void *parameters, const fender_contact_input *in, void *memory)
{
    (void)parameters;
    latch_memory *m = memory;
    assert_true(m->updates == 0 && m->deepest == 0); /* cleared */
    m->first_rate = in->depth_rate;
    m->begun_at = in->time;
    witness.begun++;
    witness.normal_in_begin = in->normal_force;
}
static void latch_force(const void *parameters, const fender_contact_input *in, const void *memory,
                        fender_contact_output *out)
{
    const latch *p = parameters;
    const latch_memory *m = memory;
    assert_true(m->first_rate != 0); /* established, also on first sight in a stage */
    assert_true(in->normal_force == 0);
    witness.forces++;
    out->force.z = p->stiffness * (in->depth > 0 ? in->depth : 0) + p->drag * in->depth_rate;
    out->damping_power = p->drag * in->depth_rate * in->depth_rate;
    out->torque.z = -0.5 * p->drag;
    out->mode = m->deepest > p->mode_depth;
}
static void latch_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                         void *memory, fender_contact_change *change)
{
    const latch *p = parameters;
    latch_memory *m = memory;
    assert_true(change->event == 0 && !change->end);
    m->updates++;
    if (in->depth > m->deepest) m->deepest = in->depth;
    if (m->updates == 3) change->event = 42;
    if (in->depth > p->end_depth) change->end = true;
    witness.updated++;
    witness.last_depth = in->depth;
    witness.normal_in_update = in->normal_force;
    witness.torque_in_update = out->torque.z;
}
static void latch_end(const void *parameters, const fender_contact_input *last, void *memory)
{
    (void)parameters;
    witness.ended++;
    witness.terminate_rate = last->depth_rate;
    witness.first_rate = ((latch_memory *)memory)->first_rate;
    witness.updates_at_end = ((latch_memory *)memory)->updates;
}
static double latch_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)memory;
    return in->depth > 0 ? 0.5 * ((const latch *)parameters)->stiffness * in->depth * in->depth : 0;
}

static const char *const latch_modes[] = {"shallow", "deep", NULL};
static const fender_law latch_law = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_WHOLE | FENDER_LAW_NORMAL,
    .name = "latch",
    .doc = "A spring that remembers how deep it was.",
    .parameters = FENDER_FIELD_TABLE("latch", latch_fields, latch),
    .memory_size = sizeof(latch_memory),
    .mode_names = latch_modes,
    .activation_distance = latch_activation_distance,
    .begin = latch_begin,
    .force = latch_force,
    .update = latch_update,
    .end = latch_end,
    .stored_energy = latch_energy,
};

/* ---- a friction law with memory, to stand beside it ---- */

static struct {
    double normal_in_begin, normal_in_force, normal_in_update;
    int64_t updates;
} friction_witness;
static void rub_begin(const void *parameters, const fender_contact_input *in, void *memory)
{
    (void)parameters, (void)memory;
    friction_witness.normal_in_begin = in->normal_force;
}
static void rub_force(const void *parameters, const fender_contact_input *in, const void *memory,
                      fender_contact_output *out)
{
    (void)parameters, (void)memory;
    friction_witness.normal_in_force = in->normal_force;
    out->force.x = -1e-3 * in->slip.x;
    out->force.y = -1e-3 * in->slip.y;
}
static void rub_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                       void *memory, fender_contact_change *change)
{
    (void)parameters, (void)out, (void)change;
    friction_witness.updates = ++*(int64_t *)memory;
    friction_witness.normal_in_update = in->normal_force;
}
static const fender_law rub_law = {
    .size = sizeof(fender_law),
    .kinds = FENDER_LAW_FRICTION,
    .name = "rub",
    .doc = "",
    .memory_size = sizeof(int64_t),
    .begin = rub_begin,
    .force = rub_force,
    .update = rub_update,
};

/* Two spheres of 1 kg and 1 m, 2 m + gap apart, closing at the given speed. */
static fender_world *two_balls(const latch *parameters, bool friction, double gap, double speed, double step)
{
    scene s;
    memset(&s, 0, sizeof s);
    s.world = fender_world_def_default();
    s.world.step = step;
    s.body_count = 2;
    for (int i = 0; i < 2; i++) {
        s.bodies[i] = scene_ball(i, 1, 1);
        s.bodies[i].state.position.x = i * (2 + gap);
        s.bodies[i].state.velocity.x = i ? -speed / 2 : speed / 2;
    }
    fender_env env = fender_env_default();
    fender_world *world = scene_build_with(&s, &env, NULL, false);
    fender_contact_type_def def = {.size = sizeof(fender_contact_type_def), .name = "own"};
    if (friction) {
        def.normal = &latch_law, def.normal_parameters = parameters, def.friction = &rub_law;
    } else {
        def.law = &latch_law, def.law_parameters = parameters;
    }
    fender_contact_type_id type;
    check_ok(fender_contact_type_create(world, &def, &type, &error));
    fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type};
    check_ok(fender_rule_create(world, &rule, NULL, &error));
    memset(&witness, 0, sizeof witness);
    check_ok(fender_world_initialize(world, &error));
    return world;
}

typedef struct seen {
    int kind, code;
    double time, speed;
    fender_event event;
} seen;

/* Steps, collecting events. */
static int run(fender_world *world, int steps, seen *list, int capacity)
{
    int count = 0;
    for (int i = 0; i < steps; i++) {
        check_ok(fender_world_step(world, &error));
        int now;
        const fender_event *events = fender_world_events(world, &now);
        for (int k = 0; k < now; k++) {
            assert_true(count < capacity);
            list[count++] = (seen){(int)events[k].kind, events[k].code, events[k].time, events[k].contact.depth_rate,
                                   events[k]};
        }
    }
    return count;
}

static void memory_and_modes(void **state)
{
    (void)state;
    latch p = {.stiffness = 1000, .mode_depth = 0.02, .end_depth = 1, .drag = 0.1};
    fender_world *world = two_balls(&p, false, 0.05, 2, 1e-3);
    seen list[8];
    int count = 0, deep = 0;
    for (int i = 0; i < 400; i++) {
        count += run(world, 1, list + count, 8 - count);
        fender_contact_data c;
        if (fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c)) continue;
        /* what the law says at the accepted state is said with what it remembers of it */
        assert_int_equal(c.mode, c.peak_depth > 0.02);
        assert_int_equal(fender_world_event_count(world, FENDER_EVENT_MODE), c.mode); /* and the event is not late */
        deep += c.mode;
    }
    assert_true(deep > 20);
    assert_int_equal(count, 4);
    assert_int_equal(list[0].kind, FENDER_EVENT_BEGIN);
    check_near(list[0].time, 0.025, 1e-3);
    check_near(list[0].speed, 2, 1e-2);
    assert_true(list[1].kind == FENDER_EVENT_LAW && list[1].code == 42);
    check_near(list[1].time, list[0].time + 3e-3, 1e-9); /* the third update, end of the step */
    assert_true(list[2].kind == FENDER_EVENT_MODE && list[2].code == 1);
    assert_int_equal(list[3].kind, FENDER_EVENT_END);
    assert_true(list[3].speed < -1.9 && list[3].event.contact.peak_depth > 0.04);
    check_near(list[3].event.contact.begin_time, list[0].time, 0);
    check_near(list[3].event.contact.impulse, 1 + 0.5 * fabs(list[3].speed),
               1e-3); /* 0.5 kg closing at 2, parting at less */
    /* the mode changed when the memory said so: one step after the depth was passed */
    assert_int_equal(witness.ended, 1);
    assert_true(witness.updates_at_end == witness.updated && witness.updated > 50);
    check_near(witness.first_rate, 2, 1e-2);
    check_near(witness.torque_in_update, -0.05, 1e-12);
    check_near(witness.normal_in_begin, 0, 0);
    for (int k = 0; k < FENDER_EVENT_LAW + 1; k++)
        assert_int_equal(fender_world_event_count(world, (fender_event_kind)k), 1);
    assert_string_equal(fender_event_name(FENDER_EVENT_BEGIN), "begin");
    assert_string_equal(fender_event_name(FENDER_EVENT_END), "end");
    fender_world_destroy(world);
}

/* Each law sees its own memory; the friction law sees the normal force, in all three hooks. */
static void two_slots(void **state)
{
    (void)state;
    latch p = {.stiffness = 1000, .mode_depth = 1, .end_depth = 1};
    fender_world *world = two_balls(&p, true, 0.0015, 2, 1e-3);
    check_ok(fender_world_step(world, &error));
    check_near(friction_witness.normal_in_begin, friction_witness.normal_in_force, 1e3 * 2e-3);
    assert_true(friction_witness.normal_in_begin > 0);
    check_ok(fender_world_advance(world, 9, &error));
    assert_int_equal(friction_witness.updates, witness.updated);
    fender_contact_data c;
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), 0);
    check_near(friction_witness.normal_in_update, c.normal_force, 1e-12);
    check_near(witness.normal_in_update, 0, 0);
    check_near(witness.last_depth, c.depth, 1e-15);
    fender_world_destroy(world);
}

/* A contact that its law ends within reach is silent until the shapes have parted; then it may begin anew. */
static void suppressed(void **state)
{
    (void)state;
    latch p = {.stiffness = 10, .mode_depth = 1, .end_depth = 0.1};
    fender_world *world = two_balls(&p, false, 0.01, 2, 1e-3);
    seen list[8];
    int count = run(world, 500, list, 8);
    assert_int_equal(count, 3); /* establish, law, terminate */
    assert_int_equal(list[2].kind, FENDER_EVENT_END);
    assert_true(list[2].event.contact.peak_depth > 0.1 && list[2].event.contact.peak_depth < 0.105);
    /* what the spring had stored is lost with it, and booked: some 0.05 J; what stays open is the error of the step
     * alone */
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    double stored = 0.5 * p.stiffness * list[2].event.contact.peak_depth * list[2].event.contact.peak_depth;
    check_near(ledger.damping, stored, 1e-12);
    check_near(ledger.residual, 0, 1e-3 * stored);
    fender_contact_data c;
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), 0);
    assert_true(c.depth > 0.5 && c.touching);
    check_near(c.normal_force, 0, 0);
    check_near(c.stored_energy, 0, 0);
    int updated = witness.updated;
    /* through each other and out on the far side, then back again */
    count = run(world, 2000, list, 8);
    assert_int_equal(count, 0);
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 0);
    assert_int_equal(witness.updated, updated);
    assert_int_equal(witness.ended, 1);
    for (int i = 0; i < 2; i++) {
        fender_body_data d = scene_body_data(world, i);
        fender_body_state back = {d.position, d.attitude, fender_vec3_negate(d.velocity), d.angular_velocity};
        check_ok(fender_body_set_state(world, fender_body_at(world, i), &back, &error));
    }
    count = run(world, 2000, list, 8);
    assert_int_equal(count, 3);
    assert_int_equal(list[0].kind, FENDER_EVENT_BEGIN);
    assert_int_equal(witness.ended, 2);
    fender_world_destroy(world);
}

/* A law that uses the approach speed and remembers nothing: what it says at an accepted state is the same bits however
 * often it is asked, also where the contact was first seen in the middle of the step. */
static void hunt_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    (void)parameters, (void)memory;
    out->force.z = 1e4 * in->depth * (1 + 0.3 * in->depth_rate / (0.1 + in->approach_speed));
}
static const fender_law hunt_law = {
    .size = sizeof(fender_law), .kinds = FENDER_LAW_WHOLE, .name = "hunt", .doc = "", .force = hunt_force};

static void approach_speed(void **state)
{
    (void)state;
    for (int n = 0; n < 20; n++) {
        scene s;
        memset(&s, 0, sizeof s);
        s.world = fender_world_def_default();
        s.world.gravity = (fender_gravity){.kind = FENDER_GRAVITY_UNIFORM, .acceleration = {-50, 0, 0}};
        s.body_count = 2;
        s.bodies[0] = scene_ball(0, 1, 1);
        s.bodies[0].motion = FENDER_MOTION_FIXED;
        s.bodies[1] = scene_ball(1, 1, 1);
        s.bodies[1].state.position.x = 2.0003 + 1e-3 * n; /* the touch falls anywhere in the first step */
        s.bodies[1].state.velocity.x = -2;
        fender_env env = fender_env_default();
        fender_world *world = scene_build_with(&s, &env, NULL, false);
        fender_contact_type_def def = {.size = sizeof(fender_contact_type_def), .name = "own", .law = &hunt_law};
        fender_contact_type_id type;
        check_ok(fender_contact_type_create(world, &def, &type, &error));
        fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type};
        check_ok(fender_rule_create(world, &rule, NULL, &error));
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_step(world, &error));
        fender_contact_data before, after;
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &before), 0);
        fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
        check_ok(fender_snapshot_restore(world, snapshot, &error));
        fender_snapshot_destroy(snapshot);
        assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &after), 0);
        check_near(after.normal_force, before.normal_force, 0);
        check_near(after.approach_speed, before.approach_speed, 0);
        fender_world_destroy(world);
    }
}

/* Onset and release gaps: a contact exists before touch and lives on after it, with negative depth. */
static void reach(void **state)
{
    (void)state;
    latch p = {.stiffness = 1000, .mode_depth = 1, .end_depth = 1, .onset = 0.02, .release = 0.05};
    fender_world *world = two_balls(&p, false, 0.1, 2, 1e-3);
    seen list[8];
    double release_separation = 0;
    for (int i = 0; i < 400; i++) {
        int count = run(world, 1, list, 8);
        fender_contact_data c;
        assert_int_equal(fender_contact_between(world, fender_shape_at(world, 0), fender_shape_at(world, 1), &c), 0);
        if (count == 0) continue;
        if (list[0].kind == FENDER_EVENT_BEGIN) {
            check_near(c.separation, 0.02, 2.1e-3);
            assert_false(c.touching);
            check_near(c.normal_force, 0, 0);
        }
        if (list[count - 1].kind == FENDER_EVENT_END) release_separation = c.separation;
    }
    check_near(release_separation, 0.05, 2.1e-3);
    fender_pair_explanation why;
    assert_int_equal(fender_world_explain(world, fender_shape_at(world, 0), fender_shape_at(world, 1), &why), 0);
    check_near(why.onset_gap, 0.02, 0);
    check_near(why.release_gap, 0.05, 0);
    fender_world_destroy(world);
}

/* Begin and end inside one step, apart at both ends: still a touch, a release and an impulse. */
static void within_one_step(void **state)
{
    (void)state;
    /* a small ball flies past a fixed one and grazes it in the middle of the step */
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1000, 0, 0, 1e-3, 0});
    s.world.step = 0.1;
    s.body_count = 2;
    s.bodies[0] = scene_ball(0, 1, 1);
    s.bodies[0].motion = FENDER_MOTION_FIXED;
    s.bodies[1] = scene_ball(1, 1, 0.5);
    s.bodies[1].state.position = fender_vec3_make(-1, 1.45, 0);
    s.bodies[1].state.velocity = fender_vec3_make(20, 0, 0);
    fender_world *world = scene_build(&s);
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 0);
    seen list[4];
    int count = run(world, 1, list, 4);
    assert_int_equal(count, 2);
    assert_int_equal(list[0].kind, FENDER_EVENT_BEGIN);
    assert_int_equal(list[1].kind, FENDER_EVENT_END);
    check_near(list[0].time, 0, 0);
    check_near(list[1].time, 0.1, 0);
    assert_true(list[1].event.contact.impulse > 0.5);
    /* what it lost is what was booked */
    double vy = scene_body_data(world, 1).velocity.y;
    check_near(list[1].event.contact.impulse, fabs(vy),
               0.35 * fabs(vy)); /* the normal leans at stages off the middle */
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 0);
    assert_int_equal(run(world, 3, list, 4), 0);
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_below(ledger.linear_drift, 1e-14);
    fender_world_destroy(world);
}

/* Overlapping at the start: the establish event comes with initialize and has the start time. */
static void overlap_at_start(void **state)
{
    (void)state;
    latch p = {.stiffness = 1000, .mode_depth = 1, .end_depth = 1};
    fender_world *world = two_balls(&p, false, -0.1, 0.2, 1e-3);
    int count;
    const fender_event *events = fender_world_events(world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(events[0].kind, FENDER_EVENT_BEGIN);
    check_near(events[0].time, 0, 0);
    assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1);
    fender_contact_data c;
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), 0);
    check_near(c.depth, 0.1, 1e-15);
    check_near(c.peak_depth, 0.1, 1e-15);
    check_near(c.normal_force, 100, 1e-12);
    check_near(c.begin_time, 0, 0);
    check_near(c.approach_speed, 0.2, 1e-15);
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_near(ledger.stored, 5, 1e-12);
    check_near(ledger.residual, 0, 1e-12);
    seen list[4];
    assert_true(run(world, 200, list, 4) >= 1);
    fender_world_ledger(world, &ledger);
    check_near(ledger.residual, 0, 1e-3); /* of the step in which they part */
    fender_world_destroy(world);
}

/* Set into contact between steps: the force is there at once. The law begins with the next step, which books what it
 * stores as applied. */
static void brought_by_hand(void **state)
{
    (void)state;
    latch p = {.stiffness = 1000, .mode_depth = 1, .end_depth = 1};
    fender_world *world = two_balls(&p, false, 1, 0, 1e-4);
    const fender_body_state inside = {{1.9, 0, 0}, {1, 0, 0, 0}, {-0.2, 0, 0}, {0, 0, 0}};
    check_ok(fender_body_set_state(world, fender_body_at(world, 1), &inside, &error));
    fender_contact_data c;
    fender_ledger ledger;
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &c), 0);
    check_near(c.normal_force, 100, 1e-11);
    check_near(c.stored_energy, 0, 0);
    fender_world_ledger(world, &ledger);
    check_near(ledger.stored, 0, 0);
    check_near(ledger.applied, 0.02, 1e-15); /* m v^2 / 2 */
    check_ok(fender_world_step(world, &error));
    fender_world_ledger(world, &ledger);
    check_near(ledger.applied, 5.02, 1e-12); /* and k d^2 / 2 */
    check_near(ledger.kinetic + ledger.stored, 5.02, 1e-9);
    check_near(ledger.residual, 0, 1e-9);
    fender_world_destroy(world);
}

/* Beyond the range limit nothing is looked at: centres further apart than factor times the sum of bounding radii. */
static void range_limit(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1000, 0, 0, 1e-3, 0});
        s.world.contact_limit_factor = k ? 0.9 : 1; /* spheres that overlap by 5 % of the sum of radii */
        s.body_count = 2;
        s.bodies[0] = scene_ball(0, 1, 1);
        s.bodies[1] = scene_ball(1, 1, 1);
        s.bodies[1].state.position.x = 1.9;
        fender_world *world = scene_build(&s);
        fender_pair_explanation why;
        assert_int_equal(fender_world_explain(world, fender_shape_at(world, 0), fender_shape_at(world, 1), &why), 0);
        assert_int_equal(why.reason, k ? FENDER_PAIR_OUT_OF_RANGE : FENDER_PAIR_MAY_TOUCH);
        assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), 1 - k);
        fender_world_destroy(world);
    }
}

static int only_event(const fender_world *world)
{
    int count;
    const fender_event *events = fender_world_events(world, &count);
    assert_int_equal(count, 1);
    return (int)events[0].kind;
}

/* Switching a shape, or all contacts, off ends contacts at once, and on begins them again: from there on they act, in
 * every stage of the next step. The spring of 1 kN/m moves 1 kg by h/100 of its depth in one step: F h to 1e-3. */
static void active_flags(void **state)
{
    (void)state;
    for (int located = 0; located < 2; located++)
        for (int whole = 0; whole < 2; whole++) {
            scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1000, 0, 0, 1e-3, 0});
            s.world.locate_events = located;
            s.world.step = 1e-3;
            s.body_count = 2;
            for (int i = 0; i < 2; i++) s.bodies[i] = scene_ball(i, 1, 1);
            s.bodies[1].state.position.x = 1.99;
            fender_world *world = scene_build(&s);
            seen list[4];
            for (int on = 0; on < 2; on++) {
                const fender_vec3 before = scene_body_data(world, 1).velocity;
                if (whole) check_ok(fender_world_set_contacts_active(world, on));
                else check_ok(fender_shape_set_active(world, fender_shape_at(world, 1), on));
                assert_int_equal(only_event(world), on ? FENDER_EVENT_BEGIN : FENDER_EVENT_END);
                assert_int_equal(fender_contact_count(world, FENDER_CLOCK_COMMITTED), on);
                assert_int_equal(run(world, 1, list, 4), 0);
                const double gained = scene_body_data(world, 1).velocity.x - before.x;
                check_near(gained, on ? 1000 * 0.01 * 1e-3 : 0, 1e-5);
                fender_ledger ledger;
                fender_world_ledger(world, &ledger);
                check_near(ledger.residual, 0, 1e-11);
            }
            fender_world_destroy(world);
        }
}

/* A law is asked only after it has begun, also by faces that just touch: there one record stands for the pair. */
enum { ESTABLISHED = 42 };
static int asked, not_begun;

static void note(const void *memory)
{
    const int *mark = memory;
    asked++;
    not_begun += *mark != ESTABLISHED;
}

static void mark_at_begin(const void *parameters, const fender_contact_input *in, void *memory)
{
    int *mark = memory;
    (void)parameters, (void)in;
    *mark = ESTABLISHED;
}

static void mark_force(const void *parameters, const fender_contact_input *in, const void *memory,
                       fender_contact_output *out)
{
    (void)parameters, (void)memory;
    out->force.z = in->depth > 0 ? 1e4 * in->depth : 0;
}

static void mark_update(const void *parameters, const fender_contact_input *in, const fender_contact_output *out,
                        void *memory, fender_contact_change *change)
{
    (void)parameters, (void)in, (void)out, (void)change;
    note(memory);
}

static double mark_energy(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters;
    note(memory);
    return 5e3 * in->depth * in->depth;
}

static fender_vec2 mark_stretch(const void *parameters, const fender_contact_input *in, const void *memory)
{
    (void)parameters, (void)in;
    note(memory);
    return (fender_vec2){0, 0};
}

static const fender_law mark_law = {.size = sizeof(fender_law),
                                    .kinds = FENDER_LAW_WHOLE,
                                    .name = "mark",
                                    .doc = "",
                                    .memory_size = sizeof(int),
                                    .begin = mark_at_begin,
                                    .force = mark_force,
                                    .update = mark_update,
                                    .stored_energy = mark_energy,
                                    .stretch = mark_stretch};

static void begun_first(void **state)
{
    (void)state;
    for (int n = 0; n < 6; n++) {
        fender_env env = fender_env_default();
        fender_world_def def = fender_world_def_default();
        def.locate_events = n % 2;
        def.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -10}, 0, {0, 0, 0}};
        fender_world *world = fender_world_create(&env, &def, NULL);
        const double gaps[] = {-1e-3, 0, 1e-4};
        for (int i = 0; i < 2; i++) {
            fender_body_def body = fender_body_def_default();
            fender_shape_def shape = fender_shape_def_default();
            fender_body_id id;
            fender_shape_id shape_id;
            body.name = i ? "box" : "ground";
            body.motion = i ? FENDER_MOTION_DYNAMIC : FENDER_MOTION_FIXED;
            body.mass_properties.mass = 1;
            body.mass_properties.inertia = fender_mat3_diagonal(0.02, 0.02, 0.02);
            body.state.position.z = i ? 0.1 + gaps[n / 2] : 0;
            shape.name = "s";
            shape.geometry = i ? fender_geometry_box(&env, fender_vec3_make(0.2, 0.1, 0.1), NULL)
                               : fender_geometry_plane(&env, NULL);
            check_ok(fender_body_create(world, &body, &id, &error));
            check_ok(fender_shape_create(world, id, &shape, &shape_id, &error));
            fender_geometry_release(shape.geometry);
        }
        fender_contact_type_def own = {.size = sizeof(fender_contact_type_def), .name = "own", .law = &mark_law};
        fender_contact_type_id type;
        check_ok(fender_contact_type_create(world, &own, &type, &error));
        fender_rule_def rule = {.size = sizeof(fender_rule_def), .kind = FENDER_RULE_DEFAULT, .use = type};
        check_ok(fender_rule_create(world, &rule, NULL, &error));
        asked = not_begun = 0;
        check_ok(fender_world_initialize(world, &error));
        for (int i = 0; i < 60; i++) {
            fender_ledger ledger;
            check_ok(fender_world_step(world, &error));
            fender_world_ledger(world, &ledger);
            for (int k = 0; k < fender_contact_count(world, FENDER_CLOCK_COMMITTED); k++) {
                fender_contact_data data;
                (void)fender_contact_at(world, FENDER_CLOCK_COMMITTED, k, &data);
            }
        }
        assert_true(asked > 50);
        assert_int_equal(not_begun, 0);
        fender_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begun_first),     cmocka_unit_test(memory_and_modes), cmocka_unit_test(two_slots),
        cmocka_unit_test(suppressed),      cmocka_unit_test(approach_speed),   cmocka_unit_test(reach),
        cmocka_unit_test(within_one_step), cmocka_unit_test(overlap_at_start), cmocka_unit_test(brought_by_hand),
        cmocka_unit_test(range_limit),     cmocka_unit_test(active_flags),
    };
    return cmocka_run_group_tests_name("life of a contact", tests, NULL, NULL);
}
