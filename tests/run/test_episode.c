/* Episodes: what events make of them, the fixed capacity, contacts that still exist at the end. */
#include "run_test.h"

#include "run/episode.h"
#include "run/replay.h"

static fender_event event_of(fender_event_kind kind, const fender_world *world, uint64_t feature, double time)
{
    fender_event event = {.kind = kind, .subject = FENDER_SUBJECT_CONTACT, .time = time};
    event.contact.feature = feature;
    event.contact.a = fender_shape_at(world, 0);
    event.contact.b = fender_shape_at(world, 1);
    return event;
}

static void follow(fnd_episode_table *table, const fender_world *world, const fender_event *event)
{
    fnd_instant instant = {.world = world, .events = event, .event_count = 1};
    fnd_episode_table_follow(table, &instant);
}

static fender_world *build(fender_scenario **scenario, const char *start)
{
    fender_env env = fender_env_default();
    char more[200];
    snprintf(more, sizeof more, "run: {until: 1 s}\n%s", start);
    *scenario = load_scene(&env, more, NULL);
    assert_non_null(*scenario);
    fender_world *world = fender_scenario_build(*scenario, &env, NULL);
    assert_non_null(world);
    return world;
}

static void capacity(void **state)
{
    (void)state;
    fender_scenario *scenario;
    fender_env env = fender_env_default();
    fender_world *world = build(&scenario, "");
    fnd_arena arena = fnd_arena_open(&env.allocator, 0);
    fnd_episode_table table;
    assert_true(fnd_episode_table_create(&table, FND_EPISODE_CAPACITY, &arena));
    for (int i = 0; i < FND_EPISODE_CAPACITY + 3; i++) {
        fender_event begin = event_of(FENDER_EVENT_BEGIN, world, (uint64_t)i, i);
        begin.contact.depth_rate = 0.5;
        follow(&table, world, &begin);
    }
    assert_int_equal(table.count, FND_EPISODE_CAPACITY);
    assert_int_equal(table.open_count, FND_EPISODE_CAPACITY);
    assert_int_equal(table.dropped, 3);
    /* the end of one that was dropped changes nothing; the end of another finds its own */
    fender_event end = event_of(FENDER_EVENT_END, world, FND_EPISODE_CAPACITY + 1, 20000);
    follow(&table, world, &end);
    assert_int_equal(table.open_count, FND_EPISODE_CAPACITY);
    end = event_of(FENDER_EVENT_END, world, 77, 20001);
    end.contact.depth_rate = -0.25;
    end.contact.peak_force = 9;
    end.contact.peak_force_time = 80;
    end.contact.peak_depth = 0.125;
    end.contact.impulse = 3;
    end.contact.approach_speed = 0.5;
    end.contact.errors.impulse = 0.125;
    follow(&table, world, &end);
    assert_int_equal(table.open_count, FND_EPISODE_CAPACITY - 1);
    const fender_episode *episode = &table.items[77];
    assert_string_equal(episode->contact, "veh1.hull:veh2.hull");
    check_near(episode->begin_time, 77, 0);
    check_near(episode->end_time, 20001, 0);
    check_near(episode->rebound_speed, 0.25, 0);
    check_near(episode->peak_force, 9, 0);
    check_near(episode->impulse, 3, 0);
    check_near(episode->errors.impulse, 0.125, 0);
    assert_true(isnan(table.items[76].end_time) && isnan(table.items[78].end_time));
    fender_event other = event_of(FENDER_EVENT_MODE, world, 76, 20002);
    follow(&table, world, &other);
    assert_int_equal(table.open_count, FND_EPISODE_CAPACITY - 1);
    fnd_arena_close(&arena);
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
}

/* What is known of a contact that still exists comes from the contact itself. */
static void still_touching(void **state)
{
    (void)state;
    fender_scenario *scenario;
    fender_env env = fender_env_default();
    static const fender_override near = {"bodies.veh2.state.position.x", "1.9 m"};
    char text[4096];
    snprintf(text, sizeof text, "%srun: {until: 1 s}\n", run_scene);
    scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), &near, 1, NULL);
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    fnd_arena arena = fnd_arena_open(&env.allocator, 0);
    fnd_episode_table table;
    assert_true(fnd_episode_table_create(&table, FND_EPISODE_CAPACITY, &arena));
    fnd_instant instant = {.world = world};
    instant.events = fender_world_events(world, &instant.event_count);
    assert_int_equal(instant.event_count, 1); /* they overlap from the start */
    fnd_episode_table_follow(&table, &instant);
    check_ok(fender_world_advance(world, 3, &error));
    fnd_episode_table_finish(&table, world);
    fender_contact_data contact;
    assert_int_equal(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &contact), FENDER_STATUS_OK);
    assert_int_equal(table.count, 1);
    assert_true(isnan(table.items[0].end_time) && isnan(table.items[0].rebound_speed));
    assert_true(contact.impulse > 0);
    check_near(table.items[0].impulse, contact.impulse, 0);
    check_near(table.items[0].peak_depth, contact.peak_depth, 0);
    check_near(table.items[0].peak_force, contact.peak_force, 0);
    check_near(table.items[0].errors.peak_force, contact.peak_force_error, 0);
    fnd_arena_close(&arena);
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
}

/* Never more than two thousand frames, fewer for many bodies, never none. */
static void frame_periods(void **state)
{
    (void)state;
    static const struct {
        int64_t steps;
        int bodies;
        int64_t period;
    } cases[] = {{1, 2, 1},       {2000, 2, 1},        {2001, 2, 2},           {1000000, 2, 500}, {1999, 500, 1},
                 {2000, 1000, 2}, {100000, 9000, 901}, {100000, 100000, 1000}, {0, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(fnd_frames_period(cases[i].steps, cases[i].bodies), cases[i].period);
}

/* Where a bond of `pull_off_spring` lets go, its force jumps. Without located events that is seen at the end of the
 * step: until then it has pulled too long. Before, x = v / w exp(-a t) sin(w t) with a = c / (2 m) and w^2 = k / m -
 * a^2; k x + c x' = -5 N at the break, then free flight to depth 0. Both ends are within their errors, and these are
 * not idle: the pull beyond 5 N that a step may add is k v h, so that the impulse is below (5 N + k v h) h. */
static void errors_of_a_break(void **state)
{
    (void)state;
    const double k = 1e4, c = 20, v = 2, pull = 5, a = c / 2, w = sqrt(k - a * a);
    double low = acos(-1.0) / 2 / w, high = 1.05 * acos(-1.0) / w;
    for (int i = 0; i < 60; i++) {
        const double t = 0.5 * (low + high), x = v / w * exp(-a * t) * sin(w * t);
        const double rate = v * exp(-a * t) * (cos(w * t) - a / w * sin(w * t));
        if (k * x + c * rate + pull > 0) low = t;
        else high = t;
    }
    const double depth = v / w * exp(-a * low) * sin(w * low);
    const double speed = -v * exp(-a * low) * (cos(w * low) - a / w * sin(w * low));
    for (int i = 0; i < 20; i++) {
        const double gap = 0.1 + 0.00037 * i, h = i % 2 ? 1e-3 : 5e-4;
        char text[1000];
        const fender_env env = fender_env_default();
        fender_error why = {0};
        snprintf(text, sizeof text,
                 "fender: 1\n"
                 "integrator: {method: rk4, step: %g}\n"
                 "run: {until: 0.2 s}\n"
                 "contact_types: {t: {law: pull_off_spring, stiffness: 1e4, damping: 20, pull_off: 5}}\n"
                 "rules: [{default: t}]\n"
                 "bodies:\n"
                 "  wall: {motion: fixed, shapes: {s: {plane: {}}}}\n"
                 "  ball: {mass_properties: {mass: 1, inertia: [1, 1, 1]}, shapes: {s: {sphere: {radius: 0.1}}},\n"
                 "         state: {position: [0, 0, %.17g], velocity: [0, 0, -2]}}\n",
                 h, 0.1 + gap);
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "s.yaml", text, strlen(text), NULL, 0, &why);
        assert_non_null(scenario);
        fender_run_def def = {.scenario = scenario, .accept_residual = true};
        fender_run *run = fender_run_create(&env, &def, &why);
        assert_non_null(run);
        check_ok(fender_run_execute(run, &why));
        const fender_episode *e = fender_run_get_summary(run)->episodes;
        const double begin = gap / v, end = begin + low + depth / speed;
        check_near(e->rebound_speed, speed, 1.05 * e->errors.rebound_speed);
        check_near(e->end_time, end, 1.05 * e->errors.end_time);
        check_near(e->impulse, v + speed, 1.05 * e->errors.impulse);
        assert_true(e->errors.rebound_speed < (pull + k * v * h) * h + 0.005);
        assert_true(e->errors.end_time < 1.1 * h);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* A foot that is there from the start is pulled off by 2 N/s. Without located events its bond pulls on until the end of
 * the step: the impulse is off by up to 5 N times the step, which the error tells, of flat feet, too. */
static void errors_of_a_foot_that_lets_go(void **state)
{
    (void)state;
    static const char *const feet[] = {"sphere: {radius: 10 mm}", "box: {size: [20, 20, 20, mm]}"};
    for (int i = 0; i < 2; i++) {
        double impulse[2], said = 0;
        for (int located = 0; located < 2; located++) {
            char text[1000];
            const fender_env env = fender_env_default();
            fender_error why = {0};
            snprintf(text, sizeof text,
                     "fender: 1\nintegrator: {method: rk4, step: 8 ms, locate_events: %s}\nrun: {until: 2.7 s}\n"
                     "contact_types: {grip: {law: SpringContact, K: 1000, B: 10, Z_Limit: 5}}\n"
                     "rules: [{default: grip}]\nbodies:\n"
                     "  wall: {motion: fixed, shapes: {s: {plane: {}}}}\n"
                     "  foot: {mass_properties: {mass: 0.2, inertia: [1, 1, 1]}, shapes: {s: {%s}},\n"
                     "         state: {position: [0, 0, 9.9, mm]}}\n"
                     "loads: {pull: {body: foot, force: {ramp: {direction: [0, 0, 1], rate: 2 N/s}}}}\n",
                     located ? "true" : "false", feet[i]);
            fender_scenario *scenario = fender_scenario_parse(&env, NULL, "f.yaml", text, strlen(text), NULL, 0, &why);
            assert_non_null(scenario);
            fender_run_def def = {.scenario = scenario, .accept_residual = true};
            fender_run *run = fender_run_create(&env, &def, &why);
            assert_non_null(run);
            check_ok(fender_run_execute(run, &why));
            impulse[located] = fender_run_get_summary(run)->episodes->impulse;
            if (!located) said = fender_run_get_summary(run)->episodes->errors.impulse;
            fender_run_destroy(run);
            fender_scenario_destroy(scenario);
        }
        check_near(impulse[0], impulse[1], said);
        check_below(said, 2 * 5 * 8e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(capacity), cmocka_unit_test(still_touching),
                                       cmocka_unit_test(frame_periods), cmocka_unit_test(errors_of_a_break),
                                       cmocka_unit_test(errors_of_a_foot_that_lets_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
