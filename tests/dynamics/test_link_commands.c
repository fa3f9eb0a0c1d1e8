/* Commands to links: free lengths that move, jumps, parameters; their work, their events, snapshots in mid-motion. */
#include "link_pair.h"

static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                   FENDER_INTEGRATOR_VELOCITY_VERLET, FENDER_INTEGRATOR_DOPRI5,
                                                   FENDER_INTEGRATOR_DOP853};
#define check_refused(call, expected_status)               \
    do {                                                   \
        fender_error error = {0};                          \
        assert_int_equal((call), (expected_status));       \
        assert_int_equal(error.status, (expected_status)); \
        assert_true(error.message[0] != 0);                \
    } while (0)
enum { METHOD_COUNT = sizeof methods / sizeof methods[0] };

static void set_rate(const pair *two, double rate, double target)
{
    check_ok(fender_link_set_rate(two->world, two->link, rate, target, &error));
}

static void set_length(const pair *two, double length)
{
    check_ok(fender_link_set_length(two->world, two->link, length, &error));
}

static fender_ledger closed(const pair *two, double tolerance)
{
    fender_ledger ledger = ledger_of(two);
    check_below(fabs(ledger.residual), tolerance);
    return ledger;
}

/* The end moves at u from the free length on: l = L + u t - (u / w) sin w t, and its work is m u^2 (1 - cos w t). */
static void moving_end(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        const double k = 400, u = 0.2, w = sqrt(k / reduced), t = 0.31;
        fender_link_spring_damper p = spring(k, 0, 1);
        pair two = located_balls(&locateds[i], 1, 0, &p);
        set_rate(&two, u, INFINITY);
        check_ok(fender_world_advance_to(two.world, t, &error));
        fender_link_data data = read(&two);
        check_near(data.length, 1 + u * t - u / w * sin(w * t), 1e-10);
        check_near(data.free_length, 1 + u * t, 1e-15);
        check_near(data.motor_work, reduced * u * u * (1 - cos(w * t)), 1e-9);
        check_near(data.motor_power, k * u * u / w * sin(w * t), 1e-8);
        check_near(data.command, u, 0);
        check_near(closed(&two, 1e-9).applied, data.motor_work, 1e-15);
        fender_world_destroy(two.world);
    }
}

/* A target within a step ends the step there; damper and spring follow the end, and the books close. */
static void arrival(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        fender_link_spring_damper p = spring(900, 7, 1);
        pair two = located_balls(&locateds[i], 1.1, 0, &p);
        const double rate = -0.3, target = 0.9, from = 0.05;
        check_ok(fender_world_advance_to(two.world, from, &error));
        set_rate(&two, rate, target);
        fender_event event = {0};
        run_to(&two, 0.6, &event);
        assert_int_equal(event.kind, FENDER_EVENT_LINK_ARRIVE);
        check_near(event.time, from + (target - 1) / rate, 1e-13);
        assert_true(event.link.link.index1 == two.link.index1);
        fender_link_data data = read(&two);
        assert_true(data.free_length == target && data.free_rate == 0 && data.motor_power == 0);
        fender_ledger ledger = closed(&two, i == 0 ? 1e-7 : 1e-9);
        check_near(ledger.applied, data.motor_work, 1e-15);
        check_near(ledger.damping, data.damping_loss, 1e-15);
        assert_true(fabs(data.motor_work) > 0.1);
        fender_world_destroy(two.world);
    }
}

/* Without a target it ends at 0 m. */
static void reeled_in(void **state)
{
    (void)state;
    fender_link_tether p = {.length = 0.1, .stiffness = 50, .damping = 1, .limit = INFINITY};
    fender_link_def def = fender_link_def_default();
    def.law = FENDER_LINK_TETHER;
    def.parameters = &p;
    pair two = located_link(&locateds[2], 2, 0, &def);
    set_rate(&two, -1, INFINITY);
    fender_event event = {0};
    run_to(&two, 0.2, &event);
    assert_int_equal(event.kind, FENDER_EVENT_LINK_LIMIT);
    check_near(event.time, 0.1, 1e-13);
    assert_true(read(&two).free_length == 0);
    closed(&two, 1e-8);
    set_rate(&two, -1, INFINITY); /* it is there */
    assert_true(read(&two).free_rate == 0);
    fender_world_destroy(two.world);
}

/* A jump books its energy, spends nothing, and crushes what it has to. */
static void jumps(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(100, 0, 1);
    pair two = located_balls(&locateds[0], 1, 0, &p);
    set_length(&two, 1.5);
    check_near(read(&two).stored_energy, 0.5 * 100 * 0.25, 1e-14);
    check_near(read(&two).motor_work, 0.5 * 100 * 0.25, 1e-14);
    check_near(closed(&two, 1e-14).applied, 0.5 * 100 * 0.25, 1e-14);
    check_ok(fender_link_set_parameter(two.world, two.link, "stiffness", 200, &error));
    check_near(read(&two).force, 100, 1e-13);
    check_near(closed(&two, 1e-14).applied, 0.5 * 200 * 0.25, 1e-14);
    check_ok(fender_link_set_parameter(two.world, two.link, "free_length", 1, &error));
    check_near(closed(&two, 1e-14).applied, 0, 1e-14);
    fender_world_destroy(two.world);

    fender_link_separation_spring push = {.free_length = 1, .stroke = 0.5, .preload = 100};
    fender_link_def def = fender_link_def_default();
    def.law = FENDER_LINK_SEPARATION_SPRING;
    def.parameters = &push;
    two = located_link(&locateds[0], 0.8, 0, &def);
    set_length(&two, 0.7);
    check_ok(fender_world_step(two.world, &error));
    assert_false(read(&two).spent);
    assert_true(read(&two).force == 0);
    set_length(&two, 0.9);
    check_near(read(&two).force, 20, 1e-12);
    fender_world_destroy(two.world);

    fender_link_strut leg = {.free_length = 1,
                             .stiffness = 1e4,
                             .stroke = INFINITY,
                             .crush_force = 300,
                             .crush_stroke = INFINITY,
                             .limit = INFINITY};
    def.law = FENDER_LINK_STRUT;
    def.parameters = &leg;
    two = located_link(&locateds[0], 1, 0, &def);
    set_length(&two, 1.05); /* y yields at 0.03 m */
    check_near(read(&two).crushed, 0.02, 1e-15);
    check_near(read(&two).motor_work, 0.5 * 300 * 0.03 + 300 * 0.02, 1e-12);
    check_near(closed(&two, 1e-12).damping, 300 * 0.02, 1e-12);
    check_ok(fender_world_advance(two.world, 100, &error));
    check_near(read(&two).crushed, 0.02, 1e-12);
    closed(&two, 1e-6);
    check_refused(fender_link_set_parameter(two.world, two.link, "crush_force", 400, &error), FENDER_STATUS_STATE);
    fender_world_destroy(two.world);
}

/* A leg pulled in against a weight, over its stops and back. */
static void moving_leg(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        fender_link_strut leg = {.free_length = 1,
                                 .stiffness = 3e3,
                                 .preload = 20,
                                 .compression_damping = 40,
                                 .extension_damping = 10,
                                 .stroke = 0.05,
                                 .stop_stiffness = 2e4,
                                 .crush_force = 120,
                                 .crush_stroke = 0.01,
                                 .limit = INFINITY};
        fender_link_def def = fender_link_def_default();
        def.law = FENDER_LINK_STRUT;
        def.parameters = &leg;
        pair two = located_link(&locateds[i], 1, -2.5, &def);
        check_near(read(&two).stroke_left, 0.05, 1e-15);
        set_rate(&two, 0.8, 1.15);
        check_ok(fender_world_advance_to(two.world, 0.25, &error));
        set_rate(&two, -0.5, 0.8);
        check_ok(fender_world_advance_to(two.world, 1.2, &error));
        fender_link_data data = read(&two);
        assert_true(data.crushed > 1e-3 && data.free_length == 0.8);
        check_near(closed(&two, i == 0 ? 2e-5 : 1e-8).applied, data.motor_work, 1e-9);
        fender_world_destroy(two.world);
    }
}

/* Restored in the middle of a motion, after a command, and after the motion: the same bits. */
static void snapshots(void **state)
{
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        fender_link_spring_damper p = spring(400, 3, 1);
        const located how = {methods[i], 0};
        pair two = located_balls(&how, 1, 0.1, &p);
        uint64_t begun = fender_world_hash(two.world);
        fender_snapshot *start = fender_snapshot_take(two.world, NULL);
        check_ok(fender_world_advance_to(two.world, 0.01, &error));
        set_rate(&two, 0.2, 1.03);
        check_ok(fender_link_set_parameter(two.world, two.link, "damping", 5, &error));
        check_ok(fender_world_advance_to(two.world, 0.03, &error));
        fender_snapshot *middle = fender_snapshot_take(two.world, NULL);
        check_ok(fender_world_advance_to(two.world, 0.33, &error));
        const uint64_t end = fender_world_hash(two.world);
        const fender_link_data data = read(&two);
        assert_true(data.free_length == 1.03);
        set_length(&two, 0.5);
        check_ok(fender_link_set_parameter(two.world, two.link, "stiffness", 7, &error));
        assert_true(fender_world_hash(two.world) != end);
        check_ok(fender_snapshot_restore(two.world, middle, &error));
        assert_true(read(&two).free_rate == 0.2);
        check_ok(fender_world_advance_to(two.world, 0.33, &error));
        assert_true(fender_world_hash(two.world) == end);
        const fender_link_data again = read(&two);
        assert_memory_equal(&again, &data, sizeof data);
        check_ok(fender_snapshot_restore(two.world, start, &error)); /* from before any command: parameters, too */
        assert_true(fender_world_hash(two.world) == begun);
        fender_link_def def;
        check_ok(fender_link_get_def(two.world, two.link, &def));
        assert_true(((const fender_link_spring_damper *)def.parameters)->stiffness == 400);
        fender_snapshot_destroy(start);
        fender_snapshot_destroy(middle);
        fender_world_destroy(two.world);
    }
}

/* While a host tries a state, the command is there at once; the end moves from the accepted time on. */
static void hosts(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(100, 0, 1);
    pair two = balls(0.01, 1, &p);
    double y[2 * FENDER_STATE_PER_BODY], rates[2 * FENDER_STATE_PER_BODY];
    fender_world_get_state(two.world, y);
    check_ok(fender_world_set_state(two.world, 0.5, y, &error));
    set_rate(&two, 0.2, INFINITY);
    check_ok(fender_world_derivative(two.world, rates, &error));
    check_near(rates[7], -100 * 0.1 / 2, 1e-12);
    set_length(&two, 1.3);
    check_ok(fender_world_derivative(two.world, rates, &error));
    check_near(rates[7], -100 * 0.3 / 2, 1e-12);
    check_ok(fender_world_commit(two.world, &error));
    check_near(read(&two).force, 30, 1e-12);
    fender_world_destroy(two.world);
}

/* Within a tree the link moves nothing, but holds energy. */
static void in_a_tree(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(100, 2, 1);
    pair two = balls(0.01, 1, &p);
    fender_attach_def attach = fender_attach_def_default();
    attach.child = two.b;
    attach.parent = two.a;
    attach.pose = FENDER_ATTACH_AS_IS;
    check_ok(fender_body_attach(two.world, &attach, NULL, &error));
    set_rate(&two, 0.5, 1.25);
    check_ok(fender_world_advance_to(two.world, 1, &error));
    check_near(read(&two).stored_energy, 0.5 * 100 * 0.0625, 1e-12);
    check_near(closed(&two, 1e-12).damping, 2 * 0.5 * 0.25, 1e-12);
    fender_world_destroy(two.world);
}

static void attach_rigidly(const pair *two)
{
    fender_attach_def attach = fender_attach_def_default();
    attach.child = two->b;
    attach.parent = two->a;
    attach.pose = FENDER_ATTACH_AS_IS;
    check_ok(fender_body_attach(two->world, &attach, NULL, &error));
}

static pair joined_rigidly(const located *how, double apart, fender_link_law law, const void *parameters)
{
    fender_link_def def = fender_link_def_default();
    def.law = law;
    def.parameters = parameters;
    pair two = located_link(how, apart, 0, &def);
    attach_rigidly(&two);
    return two;
}

/* Nothing else ends a step in a tree that floats: what the motion of an end causes is located all the same. The free
 * length moves at u; the event is at the time at which spring and damper, or the way, say so, and the work is that of
 * a straight line. Rounding of times of 1 s and of forces of 100 N. */
static void located_in_a_tree(void **state)
{
    (void)state;
    fender_link_spring_damper breaks = spring(100, 2, 1), spends = spring(800, 0, 1);
    breaks.limit = 20;
    spends.acts = FENDER_LINK_PUSH;
    spends.spent_at_free_length = true;
    const fender_link_tether rope = {1.2, 500, 0, 50};
    const fender_link_strut leg = {.free_length = 1,
                                   .stiffness = 3e3,
                                   .stroke = INFINITY,
                                   .crush_force = 100,
                                   .crush_stroke = INFINITY,
                                   .limit = INFINITY};
    const struct {
        fender_link_law law;
        const void *parameters;
        double apart, rate;
        fender_event_kind event;
        double time, work, loss; /* s, J; both at 1 s */
    } rows[] = {
        /* k u t + c u = 20 N */
        {FENDER_LINK_SPRING_DAMPER, &breaks, 1, 0.5, FENDER_EVENT_LINK_BREAK, 0.38, 1.805 + 0.19, 1.805 + 0.19},
        /* pressed by 0.2 m, of 16 J */
        {FENDER_LINK_SPRING_DAMPER, &spends, 0.8, -0.5, FENDER_EVENT_LINK_SPENT, 0.4, -16, 0},
        /* taut after 0.4 s, 50 N after another 0.2 s */
        {FENDER_LINK_TETHER, &rope, 1, -0.5, FENDER_EVENT_LINK_BREAK, 0.6, 2.5, 2.5},
        /* 100 N after 1 / 30 m */
        {FENDER_LINK_STRUT, &leg, 1, 0.1, FENDER_EVENT_LINK_CRUSH, 1. / 3, 100 * (0.1 - 1. / 60),
         100 * (0.1 - 1. / 30)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] * LOCATED_COUNT; i++) {
        const size_t row = i / LOCATED_COUNT;
        pair two = joined_rigidly(&locateds[i % LOCATED_COUNT], rows[row].apart, rows[row].law, rows[row].parameters);
        set_rate(&two, rows[row].rate, INFINITY);
        fender_event event = {0};
        while (fender_world_event_count(two.world, rows[row].event) == 0 && fender_world_time(two.world) < 1)
            run_to(&two, fender_world_time(two.world) + 1e-4, &event);
        check_ok(fender_world_advance_to(two.world, 1, &error));
        if (event.kind != rows[row].event) print_error("row %zu\n", row);
        assert_int_equal(event.kind, rows[row].event);
        check_near(event.time, rows[row].time, 1e-12);
        check_near(read(&two).motor_work, rows[row].work, 1e-11);
        check_near(read(&two).damping_loss, rows[row].loss, 1e-11);
        closed(&two, 1e-11);
        fender_world_destroy(two.world);
    }
}

/* A command that makes the force exceed the limit breaks the link there and then, and not at the end of a step in which
 * the force may fall again: a jump, a lower limit, switching it on. The bodies do not move but for 1e-14 s of 100 N. */
static void overloaded(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT * 3 * 2; i++) {
        const int kind = i / LOCATED_COUNT % 3;
        const bool joined = i >= LOCATED_COUNT * 3;
        fender_link_spring_damper p = spring(1000, 0, 1);
        p.limit = kind == 1 ? 1000 : 99.9;
        fender_link_def def = fender_link_def_default();
        def.parameters = &p;
        def.active = kind != 2;
        pair two = located_link(&locateds[i % LOCATED_COUNT], kind == 2 ? 1.1 : 1, 0, &def);
        if (joined) attach_rigidly(&two);
        check_ok(fender_world_advance_to(two.world, 2, &error));
        if (kind == 0) set_length(&two, 1.1);
        if (kind == 1) set_length(&two, 1.1);
        if (kind == 1) check_ok(fender_link_set_parameter(two.world, two.link, "limit", 99.9, &error));
        if (kind == 2) assert_int_equal(fender_link_set_active(two.world, two.link, true), FENDER_STATUS_OK);
        fender_event event = {0};
        run_to(&two, 2.5, &event);
        assert_int_equal(event.kind, FENDER_EVENT_LINK_BREAK);
        check_near(event.time, 2, 1e-13);
        check_near(read(&two).peak_force, 100, 1e-9);
        check_near(read(&two).damping_loss, 5, 1e-9);
        check_near(closed(&two, 1e-12).applied, 5, 1e-9);
        check_below(ledger_of(&two).kinetic, 1e-20);
        fender_world_destroy(two.world);
    }
}

static void refusals(void **state)
{
    (void)state;
    fender_link_spring_damper p = spring(100, 0, 1);
    pair two = balls(0.01, 1, &p);
    fender_world *w = two.world;
    const fender_link_id link = two.link, stale = {0};
    check_refused(fender_link_set_length(w, stale, 1, &error), FENDER_STATUS_STALE_ID);
    check_refused(fender_link_set_length(w, link, -1, &error), FENDER_STATUS_VALUE);
    check_refused(fender_link_set_length(w, link, NAN, &error), FENDER_STATUS_VALUE);
    check_refused(fender_link_set_rate(w, link, INFINITY, INFINITY, &error), FENDER_STATUS_VALUE);
    check_refused(fender_link_set_rate(w, link, 1, 0.5, &error), FENDER_STATUS_VALUE);
    check_refused(fender_link_set_rate(w, link, 1, NAN, &error), FENDER_STATUS_VALUE);
    check_refused(fender_link_set_rate(w, stale, 1, 2, &error), FENDER_STATUS_STALE_ID);
    check_refused(fender_link_set_parameter(w, stale, "stiffness", 1, &error), FENDER_STATUS_STALE_ID);
    check_refused(fender_link_set_parameter(w, link, "stiffness", -1, &error), FENDER_STATUS_VALUE);
    check_refused(fender_link_set_parameter(w, link, "stiffness.x", 1, &error), FENDER_STATUS_ARGUMENT);
    check_refused(fender_link_set_parameter(w, link, "acts", 1, &error), FENDER_STATUS_ARGUMENT);
    check_refused(fender_link_set_parameter(w, link, "stiff", 1, &error), FENDER_STATUS_ARGUMENT);
    check_refused(fender_link_set_parameter(w, link, NULL, 1, &error), FENDER_STATUS_ARGUMENT);
    fender_world_destroy(w);

    fender_link_spring_damper_6dof bushing = {.stiffness = {1, 2, 3}, .limit = INFINITY, .angular_limit = INFINITY};
    fender_link_def def = fender_link_def_default();
    def.law = FENDER_LINK_SPRING_DAMPER_6DOF;
    def.parameters = &bushing;
    two = located_link(&locateds[0], 1, 0, &def);
    check_refused(fender_link_set_length(two.world, two.link, 1, &error), FENDER_STATUS_ARGUMENT);
    check_refused(fender_link_set_rate(two.world, two.link, 1, 2, &error), FENDER_STATUS_ARGUMENT);
    check_refused(fender_link_set_parameter(two.world, two.link, "stiffness", 1, &error), FENDER_STATUS_ARGUMENT);
    check_ok(fender_link_set_parameter(two.world, two.link, "stiffness.x", 10, &error));
    check_near(read(&two).force, 10, 1e-13); /* displaced by 1 m */
    check_near(ledger_of(&two).applied, 0.5 * 9, 1e-13);
    fender_world_destroy(two.world);
}

/* A leg that crushes, moved by its motor, at times within steps: length, losses, work and books are those of then. */
static void leg_within_steps(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        fender_link_strut leg = {.free_length = 1,
                                 .stiffness = 3e3,
                                 .compression_damping = 40,
                                 .extension_damping = 10,
                                 .stroke = INFINITY,
                                 .crush_force = 30,
                                 .crush_stroke = INFINITY,
                                 .limit = INFINITY};
        fender_link_def def = fender_link_def_default();
        def.law = FENDER_LINK_STRUT;
        def.parameters = &leg;
        pair two = located_link(&locateds[i], 1, -2.5, &def);
        set_rate(&two, 0.8, 1.15);
        int crushing = 0;
        while (fender_world_time(two.world) < 0.2) {
            fender_proposal p;
            const uint64_t hash = fender_world_hash(two.world);
            const fender_link_data before = read(&two);
            check_ok(fender_world_propose(two.world, 0.2, &p, &error));
            for (int k = 1; k < 4; k++) {
                check_ok(fender_world_sample(two.world, p.start_time + 0.25 * k * (p.end_time - p.start_time), &error));
                const fender_link_data data = read(&two);
                const fender_ledger ledger = closed(&two, i == 0 ? 2e-5 : 1e-8);
                check_near(ledger.damping, data.damping_loss, 1e-12);
                check_near(ledger.applied, data.motor_work, 1e-12);
                check_near(data.crush_loss, 30 * data.crushed, 1e-12);
                if (data.crushed == before.crushed) continue;
                crushing++; /* the core is at its yield point, 0.01 m */
                check_near(data.free_length - data.length - data.crushed, 30 / 3e3, 1e-12);
            }
            fender_world_discard_proposal(two.world);
            assert_true(fender_world_hash(two.world) == hash);
            check_ok(fender_world_propose(two.world, 0.2, &p, &error));
            check_ok(fender_world_accept(two.world, &error));
        }
        assert_true(crushing > 3);
        fender_world_destroy(two.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(moving_end),       cmocka_unit_test(arrival),
                                       cmocka_unit_test(reeled_in),        cmocka_unit_test(jumps),
                                       cmocka_unit_test(moving_leg),       cmocka_unit_test(snapshots),
                                       cmocka_unit_test(leg_within_steps), cmocka_unit_test(hosts),
                                       cmocka_unit_test(in_a_tree),        cmocka_unit_test(located_in_a_tree),
                                       cmocka_unit_test(overloaded),       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests_name("commands to links", tests, NULL, NULL);
}
