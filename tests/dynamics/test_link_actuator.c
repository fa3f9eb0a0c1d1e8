/* Actuators and electromagnets: modes, limits, brake, slip, stops, events, snapshots in mid-motion, refusals. */
#include "link_pair.h"

static fender_link_actuator actuator(double stiffness, double length)
{
    fender_link_actuator p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_ACTUATOR), &p, sizeof p, NULL);
    p.stiffness = stiffness;
    p.length = length;
    return p;
}

/* Between the two balls of 2 and 3 kg, `apart` from each other. */
static pair driven(const located *how, double apart, double speed, const fender_link_actuator *p)
{
    fender_link_def def = fender_link_def_default();
    def.law = FENDER_LINK_ACTUATOR;
    def.parameters = p;
    return located_link(how, apart, speed, &def);
}

#define call(name, ...) check_ok(fender_link_set_##name(two.world, two.link, __VA_ARGS__, &error))

static double tolerance(int method) { return method == 0 ? 2e-6 : 2e-9; }

static fender_ledger closed(const pair *two, int method)
{
    fender_ledger ledger = ledger_of(two);
    check_below(fabs(ledger.residual), tolerance(method));
    check_near(ledger.applied, read(two).motor_work, 1e-12);
    check_near(ledger.damping, read(two).damping_loss, 1e-12);
    return ledger;
}

/* To a length at its rate, to a rate, to the end of the stroke: where the motor is, and when it says so. */
static void modes(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        fender_link_actuator p = actuator(900, 1);
        p.damping = 12;
        p.rate_limit = 0.4;
        p.stroke_min = 0.5;
        p.stroke_max = 1.2;
        p.stop_stiffness = 1e4;
        pair two = driven(&locateds[i], 1, 0, &p);
        fender_event event = {0};
        call(length, 1.1);
        run_to(&two, 0.26, &event);
        assert_int_equal(event.kind, FENDER_EVENT_LINK_ARRIVE);
        check_near(event.time, 0.25, 1e-13);
        assert_true(read(&two).free_length == 1.1 && read(&two).mode == FENDER_ACTUATOR_LENGTH);
        check_ok(fender_world_advance_to(two.world, 0.3, &error));
        call(rate, -5, INFINITY); /* at most 0.4 m/s */
        check_near(read(&two).free_rate, -0.4, 0);
        check_ok(fender_world_advance_to(two.world, 0.4, &error));
        check_near(read(&two).free_length, 1.06, 1e-14);
        call(rate, 0.2, 1.16);
        double from = fender_world_time(two.world);
        memset(&event, 0, sizeof event);
        run_to(&two, 1, &event);
        assert_int_equal(event.kind, FENDER_EVENT_LINK_ARRIVE);
        check_near(event.time, from + 0.5, 1e-12);
        call(length, 3); /* beyond the stroke: to its end */
        run_to(&two, 1.2, NULL);
        assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LINK_LIMIT), 1);
        assert_true(read(&two).free_length == 1.2);
        check_near(read(&two).stroke_left, 1.2 - read(&two).length, 1e-15);
        closed(&two, i);
        fender_world_destroy(two.world);
    }
}

/* A force at any length, and from it back to a servo without a jump. */
static void by_force(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        fender_link_actuator p = actuator(500, 1);
        p.mode = FENDER_ACTUATOR_FORCE;
        p.force = 6;
        p.force_limit = 9;
        p.rate_limit = 0.1;
        pair two = driven(&locateds[i], 1, 0, &p);
        run_to(&two, 0.5, NULL);
        double t = fender_world_time(two.world);
        check_near(read(&two).length, 1 + 0.5 * 6 / reduced * t * t, 1e-11);
        check_near(read(&two).motor_work, 6 * (read(&two).length - 1), 1e-11);
        call(force, -20);
        check_near(read(&two).force, -9, 0);
        check_near(read(&two).command, -20, 0);
        run_to(&two, 0.9, NULL);
        call(length, 1.2);
        check_near(read(&two).force, -9, 1e-12);
        run_to(&two, 2, NULL);
        assert_true(closed(&two, i).damping > 0.1);
        fender_world_destroy(two.world);
    }
}

/* E runs into a brake that slips at F: it is driven back by (E - F^2 / 2k) / F, loses F times that, and stays. */
static void driven_back(void **state)
{
    (void)state;
    const double k = 2e4, F = 300, v = 3, energy = 0.5 * reduced * v * v, held = F * F / (2 * k);
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < LOCATED_COUNT; i++) {
            fender_link_actuator p = actuator(k, 1);
            if (kind == 0) p.locked = true, p.brake = F;
            else p.mode = FENDER_ACTUATOR_FREE, p.back_drive_friction = F;
            pair two = driven(&locateds[i], 1, -v, &p);
            int slips = 0, count;
            while (read(&two).rate < 0) {
                check_ok(fender_world_step(two.world, &error));
                const fender_event *events = fender_world_events(two.world, &count);
                for (int e = 0; e < count; e++) slips += events[e].kind == FENDER_EVENT_LINK_LIMIT;
            }
            check_near(1 - read(&two).free_length, (energy - held) / F, i == 0 ? 1e-8 : 1e-9);
            check_near(read(&two).damping_loss, energy - held, i == 0 ? 1e-5 : 1e-8);
            assert_int_equal(slips, kind == 0 ? 1 : 0); /* friction is no limit */
            assert_true(read(&two).motor_work == 0);
            closed(&two, i == 0 ? 0 : 1);
            if (kind == 0) check_ok(fender_link_set_free(two.world, two.link, &error)); /* locked all the same */
            call(locked, true);
            call(locked, kind == 0); /* where it stands, nothing changes */
            check_near(1 - read(&two).free_length, (energy - held) / F, i == 0 ? 1e-8 : 1e-9);
            fender_world_destroy(two.world);
        }
}

/* A servo that is too weak to stop what comes yields, and returns at its rate, where it arrives. */
static void returning(void **state)
{
    (void)state;
    for (int infinite = 0; infinite < 2; infinite++)
        for (int i = 0; i < LOCATED_COUNT; i++) {
            fender_link_actuator p = actuator(2e3, 1);
            p.damping = 60;
            p.force_limit = 40;
            if (!infinite) p.rate_limit = 0.5;
            pair two = driven(&locateds[i], 1, -3, &p);
            assert_false(read(&two).slipping);
            check_ok(fender_world_advance_to(two.world, 0.03, &error));
            assert_true(read(&two).slipping);
            check_near(read(&two).force, 40, 1e-12);
            run_to(&two, 2.5, NULL);
            assert_true(!read(&two).slipping && fabs(read(&two).length - 1) < 1e-2);
            assert_true(read(&two).motor_work > 0.05 && closed(&two, i).damping > 0.3);
            fender_world_destroy(two.world);
        }
}

/* Without back-drive it holds, whatever the force. */
static void holding(void **state)
{
    (void)state;
    fender_link_actuator p = actuator(2e3, 1);
    p.force_limit = 40;
    p.back_drive = false;
    pair two = driven(&locateds[2], 1, -2, &p);
    run_to(&two, 0.03, NULL);
    assert_true(read(&two).force > 60 && read(&two).free_length == 1);
    assert_true(closed(&two, 2).damping == 0);
    fender_world_destroy(two.world);
}

/* In the middle of a ramp, of slip, under force: restored, the same bits by every method. */
static void snapshots(void **state)
{
    (void)state;
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                       FENDER_INTEGRATOR_VELOCITY_VERLET, FENDER_INTEGRATOR_DOPRI5,
                                                       FENDER_INTEGRATOR_DOP853};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        fender_link_actuator p = actuator(2e3, 1);
        p.damping = 20;
        p.force_limit = 40;
        p.rate_limit = 0.5;
        const located how = {methods[i], 0};
        pair two = driven(&how, 1, -1, &p);
        for (int k = 0; k < 4; k++) { /* slip, ramp, force, brake */
            const double t = 0.03 + 0.3 * k;
            check_ok(fender_world_advance_to(two.world, t, &error));
            if (k == 1) call(length, 1.3);
            if (k == 2) call(force, 8);
            if (k == 3) call(locked, true);
            check_ok(fender_world_advance_to(two.world, t + 0.02, &error));
            fender_snapshot *snapshot = fender_snapshot_take(two.world, NULL);
            check_ok(fender_world_advance_to(two.world, t + 0.2, &error));
            uint64_t hash = fender_world_hash(two.world);
            fender_link_data data = read(&two), again;
            call(rate, 0.1, INFINITY);
            call(locked, false);
            check_ok(fender_link_set_free(two.world, two.link, &error));
            assert_true(fender_world_hash(two.world) != hash);
            check_ok(fender_snapshot_restore(two.world, snapshot, &error));
            check_ok(fender_world_advance_to(two.world, t + 0.2, &error));
            assert_true(fender_world_hash(two.world) == hash);
            again = read(&two);
            assert_memory_equal(&again, &data, sizeof data);
            fender_snapshot_destroy(snapshot);
        }
        fender_world_destroy(two.world);
    }
}

static fender_link_electromagnet magnet(void)
{
    fender_link_electromagnet p;
    (void)fender_field_initialize(fender_link_law_parameters(FENDER_LINK_ELECTROMAGNET), &p, sizeof p, NULL);
    p.current_limit = 4;
    p.current = 4;
    p.range = 0.5;
    return p;
}

/* Both ways of giving its strength, its energy by commands, its range. */
static void magnets(void **state)
{
    (void)state;
    fender_link_electromagnet p = magnet();
    p.holding_force = 100;
    p.half_distance = 0.01;
    fender_link_def def = fender_link_def_default();
    def.law = FENDER_LINK_ELECTROMAGNET;
    def.parameters = &p;
    for (int i = 0; i < LOCATED_COUNT; i++) {
        pair two = located_link(&locateds[i], 0.01, 0, &def);
        check_near(read(&two).force, -50, 1e-12);
        double energy = read(&two).stored_energy;
        call(current, 2);
        check_near(read(&two).force, -12.5, 1e-12);
        check_near(read(&two).stored_energy, energy / 4, 1e-12);
        check_near(ledger_of(&two).applied, -0.75 * energy, 1e-12);
        check_near(read(&two).motor_work, -0.75 * energy, 1e-12);
        call(current, -70);
        check_near(read(&two).command, -4, 0);
        check_near(read(&two).stored_energy, energy, 1e-12);
        fender_world_destroy(two.world);
        two = located_link(&locateds[i], 0.6, -2, &def);
        assert_true(read(&two).force == 0 && read(&two).stored_energy == 0);
        run_to(&two, 0.2, NULL);
        assert_true(read(&two).force < -0.01);
        check_below(fabs(ledger_of(&two).residual), 1e-9);
        fender_world_destroy(two.world);
    }
    p = magnet();
    p.constant = 100 * 0.02 * 0.02 / 16;
    p.offset = 0.02;
    pair two = located_link(&locateds[0], 1e-9, 0, &def);
    check_near(read(&two).force, -100, 1e-4);
    check_near(read(&two).stored_energy, -100 * 0.02 * 0.02 * (1 / 0.02 - 1 / 0.52), 1e-6);
    fender_world_destroy(two.world);
}

#define check_status(call, expected) check_path(call, expected, NULL)
#define check_path(call, expected, where)                \
    do {                                                 \
        fender_error error = {0};                        \
        const char *path = (where);                      \
        assert_int_equal((call), (expected));            \
        assert_int_equal(error.status, (expected));      \
        if (path) assert_string_equal(error.path, path); \
    } while (0)

static void refusals(void **state)
{
    (void)state;
    fender_link_def def = fender_link_def_default();
    def.law = FENDER_LINK_ACTUATOR;
    fender_link_actuator p = actuator(0, 1);
    p.mode = FENDER_ACTUATOR_FREE;
    def.parameters = &p;
    check_status(fender_link_check(&def, &error), FENDER_STATUS_OK);
    p.stroke_max = 2;
    check_path(fender_link_check(&def, &error), FENDER_STATUS_VALUE, "stop_stiffness");
    p.stop_stiffness = 1;
    p.length = 3;
    check_path(fender_link_check(&def, &error), FENDER_STATUS_VALUE, "length");
    p.length = 1;
    p.stroke_min = 2;
    check_path(fender_link_check(&def, &error), FENDER_STATUS_VALUE, "stroke_max");
    p.stroke_min = 0;
    p.force_limit = 3;
    check_path(fender_link_check(&def, &error), FENDER_STATUS_VALUE, "stiffness");

    fender_link_electromagnet m = magnet();
    def.law = FENDER_LINK_ELECTROMAGNET;
    def.parameters = &m;
    check_path(fender_link_check(&def, &error), FENDER_STATUS_VALUE, "constant");
    m.constant = m.offset = m.holding_force = 1;
    check_status(fender_link_check(&def, &error), FENDER_STATUS_VALUE);
    m.holding_force = 0;
    m.current = 5;
    check_path(fender_link_check(&def, &error), FENDER_STATUS_VALUE, "current");
    m.current = 1;
    pair two = located_link(&locateds[0], 1, 0, &def);
    fender_world *w = two.world;
    const fender_link_id link = two.link, stale = {0};
    check_status(fender_link_set_force(w, link, 1, &error), FENDER_STATUS_ARGUMENT);
    check_status(fender_link_set_free(w, link, &error), FENDER_STATUS_ARGUMENT);
    check_status(fender_link_set_locked(w, link, true, &error), FENDER_STATUS_ARGUMENT);
    check_status(fender_link_set_length(w, link, 1, &error), FENDER_STATUS_ARGUMENT);
    check_status(fender_link_set_current(w, link, NAN, &error), FENDER_STATUS_VALUE);
    check_status(fender_link_set_current(w, stale, 1, &error), FENDER_STATUS_STALE_ID);
    check_status(fender_link_set_force(w, stale, 1, &error), FENDER_STATUS_STALE_ID);
    check_status(fender_link_set_free(w, stale, &error), FENDER_STATUS_STALE_ID);
    check_status(fender_link_set_locked(w, stale, true, &error), FENDER_STATUS_STALE_ID);
    check_ok(fender_link_set_parameter(w, link, "current_limit", 2, &error));
    check_ok(fender_link_set_parameter(w, link, "current", 7, &error));
    check_near(read(&two).command, 2, 0);
    fender_world_destroy(w);
    p = actuator(10, 1);
    two = driven(&locateds[0], 1, 0, &p);
    check_status(fender_link_set_current(two.world, two.link, 1, &error), FENDER_STATUS_ARGUMENT);
    check_status(fender_link_set_force(two.world, two.link, INFINITY, &error), FENDER_STATUS_VALUE);
    fender_world_destroy(two.world);
}

/* Without stiffness and damping it has a force alone: what would do nothing is refused, at the start and commanded. */
static void without_a_servo(void **state)
{
    (void)state;
    fender_link_def def = fender_link_def_default();
    def.law = FENDER_LINK_ACTUATOR;
    fender_link_actuator p = actuator(0, 1);
    def.parameters = &p;
    check_path(fender_link_check(&def, &error), FENDER_STATUS_VALUE, "stiffness");
    p.damping = 5;
    check_path(fender_link_check(&def, &error), FENDER_STATUS_VALUE, "stiffness");
    p.mode = FENDER_ACTUATOR_RATE;
    check_status(fender_link_check(&def, &error), FENDER_STATUS_OK);
    p.damping = 0;
    check_path(fender_link_check(&def, &error), FENDER_STATUS_VALUE, "stiffness");
    p.mode = FENDER_ACTUATOR_FORCE;
    p.locked = true;
    check_path(fender_link_check(&def, &error), FENDER_STATUS_VALUE, "stiffness");
    p.locked = false;
    for (int damped = 0; damped < 2; damped++) {
        p.damping = 5 * damped;
        pair two = driven(&locateds[0], 1, 0, &p);
        const uint64_t hash = fender_world_hash(two.world);
        check_path(fender_link_set_length(two.world, two.link, 0.5, &error), FENDER_STATUS_VALUE, "stiffness");
        check_path(fender_link_set_locked(two.world, two.link, true, &error), FENDER_STATUS_VALUE, "stiffness");
        if (!damped)
            check_path(fender_link_set_rate(two.world, two.link, 1, INFINITY, &error), FENDER_STATUS_VALUE,
                       "stiffness");
        assert_true(fender_world_hash(two.world) == hash);
        call(force, 3);
        call(locked, false);
        check_ok(fender_link_set_free(two.world, two.link, &error));
        if (damped) call(rate, 1, INFINITY);
        fender_world_destroy(two.world);
    }
}

/* What a parameter may be is a matter of the mode and the brake of now, not of those at the start; in snapshots, too.
 */
static void parameters_of_the_present_mode(void **state)
{
    (void)state;
    fender_link_actuator p = actuator(100, 1);
    p.mode = FENDER_ACTUATOR_FREE;
    p.damping = 1;
    pair two = driven(&locateds[0], 1, 0, &p);
    call(length, 0.5);
    check_path(fender_link_set_parameter(two.world, two.link, "stiffness", 0, &error), FENDER_STATUS_VALUE,
               "stiffness");
    call(rate, 1, INFINITY);
    check_path(fender_link_set_parameter(two.world, two.link, "rate_limit", 0, &error), FENDER_STATUS_VALUE,
               "rate_limit");
    check_ok(fender_link_set_parameter(two.world, two.link, "stiffness", 0, &error));
    check_path(fender_link_set_parameter(two.world, two.link, "damping", 0, &error), FENDER_STATUS_VALUE, "stiffness");
    fender_world_destroy(two.world);
    p.mode = FENDER_ACTUATOR_LENGTH;
    p.locked = true;
    two = driven(&locateds[0], 1, 0, &p);
    call(force, 3);
    check_path(fender_link_set_parameter(two.world, two.link, "stiffness", 0, &error), FENDER_STATUS_VALUE,
               "stiffness");
    call(locked, false);
    check_ok(fender_link_set_parameter(two.world, two.link, "stiffness", 0, &error));
    fender_snapshot *snapshot = fender_snapshot_take(two.world, NULL);
    const uint64_t hash = fender_world_hash(two.world);
    check_ok(fender_link_set_parameter(two.world, two.link, "stiffness", 7, &error));
    check_ok(fender_snapshot_restore(two.world, snapshot, &error));
    assert_true(fender_world_hash(two.world) == hash);
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(two.world);
}

/* Against a rigid joint its servo reaches F = k u t + c u: there it slips, or breaks. Rounding of forces of 50 N. */
static void against_a_joint(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED_COUNT * 2; i++) {
        const bool slips = i < LOCATED_COUNT;
        const double k = 900, c = 20, u = 0.1, force = 45, start = slips ? force / k : (force - c * u) / k;
        fender_link_actuator p = actuator(k, 1);
        p.damping = c;
        p.rate_limit = u;
        if (slips) p.force_limit = force;
        else p.limit = force;
        pair two = driven(&locateds[i % LOCATED_COUNT], 1, 0, &p);
        fender_attach_def attach = fender_attach_def_default();
        attach.child = two.b;
        attach.parent = two.a;
        attach.pose = FENDER_ATTACH_AS_IS;
        check_ok(fender_body_attach(two.world, &attach, NULL, &error));
        call(length, 1.2);
        fender_event event = {0};
        run_to(&two, 1, &event);
        assert_int_equal(event.kind, slips ? FENDER_EVENT_LINK_LIMIT : FENDER_EVENT_LINK_BREAK);
        check_near(event.time, start / u, 1e-12);
        check_ok(fender_world_advance_to(two.world, 4, &error)); /* its motor would have been there at 2 s */
        assert_int_equal(fender_world_event_count(two.world, FENDER_EVENT_LINK_ARRIVE), 0);
        check_near(read(&two).motor_work, 0.5 * k * start * start + c * u * start, 1e-11);
        check_below(fabs(ledger_of(&two).residual), 1e-11);
        fender_world_destroy(two.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(modes),
                                       cmocka_unit_test(by_force),
                                       cmocka_unit_test(driven_back),
                                       cmocka_unit_test(returning),
                                       cmocka_unit_test(holding),
                                       cmocka_unit_test(snapshots),
                                       cmocka_unit_test(magnets),
                                       cmocka_unit_test(refusals),
                                       cmocka_unit_test(without_a_servo),
                                       cmocka_unit_test(against_a_joint),
                                       cmocka_unit_test(parameters_of_the_present_mode)};
    return cmocka_run_group_tests_name("actuators and electromagnets", tests, NULL, NULL);
}
