/* Steps that are proposed, looked into and accepted: the same bits as whole steps, and true states within. */
#include "check.h"
#include "scene.h"
#include <fender/fender.h>
#include <string.h>

static const unsigned every_law = 1u << SCENE_JEOD_SPRING | 1u << SCENE_SPRING_DAMPER | 1u << SCENE_NORMAL_AND_COULOMB;
enum { STATE_CAPACITY = SCENE_BODIES * FENDER_STATE_PER_BODY };

/* Every method that this build has, fixed ones with and without located events. */
typedef struct way {
    fender_integrator_method method;
    bool located;
} way;
static int list_ways(way *ways)
{
    int count = 0;
    for (int m = 0; m < 16; m++)
        for (int located = 0; located < 2; located++) {
            fender_integrator_method method = (fender_integrator_method)m;
            if (!fender_integrator_name(method) || (!located && fender_integrator_adaptive(method))) continue;
            ways[count++] = (way){method, located};
        }
    return count;
}

static scene random_scene(random_stream *r, way w)
{
    scene s = scene_random(r, 2, 5, every_law);
    s.world.method = w.method;
    s.world.locate_events = w.located;
    s.world.step = 5e-3;
    s.world.relative_tolerance = 1e-8;
    return s;
}

/* A sample of motion alone has the state of a whole sample, and contacts and work as accepted. */
static void check_motion(fender_world *world, double start, double time)
{
    double whole[STATE_CAPACITY], moved[STATE_CAPACITY];
    fender_contact_data before = {0}, after = {0};
    fender_ledger accepted, seen;
    check_ok(fender_world_sample(world, time, &error));
    fender_world_get_state(world, whole);
    check_ok(fender_world_sample(world, start, &error));
    const bool touch = fender_contact_count(world, FENDER_CLOCK_COMMITTED) > 0;
    fender_world_ledger(world, &accepted);
    if (touch) check_ok(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &before));
    check_ok(fender_world_sample_motion(world, time, &error));
    assert_true(fender_world_time(world) == time);
    fender_world_get_state(world, moved);
    assert_memory_equal(moved, whole, sizeof(double) * (size_t)fender_world_state_count(world));
    fender_world_ledger(world, &seen);
    assert_true(seen.contact_work == accepted.contact_work);
    if (!touch) return;
    check_ok(fender_contact_at(world, FENDER_CLOCK_COMMITTED, 0, &after));
    assert_true(after.normal_force == before.normal_force && after.impulse == before.impulse);
}

/* One world steps, the other proposes, is looked into at random times, drops some proposals, and accepts. */
static void same_bits(void **state)
{
    (void)state;
    way ways[32];
    int way_count = list_ways(ways);
    int64_t touches = 0, looks = 0;
    for (int n = 0; n < 6 * way_count; n++) {
        way w = ways[n % way_count];
        random_stream r = random_of_case(311, (uint64_t)n);
        scene s = random_scene(&r, w);
        fender_world *whole = scene_build(&s), *parts = scene_build(&s);
        for (int i = 0; i < 120; i++) {
            check_ok(fender_world_step(whole, &error));
            fender_proposal p;
            do {
                uint64_t hash = fender_world_hash(parts);
                double y[STATE_CAPACITY], shown[STATE_CAPACITY];
                fender_world_get_state(parts, y);
                check_ok(fender_world_propose(parts, INFINITY, &p, &error));
                assert_true(p.start_time == fender_world_time(parts) && p.end_time > p.start_time && !p.at_limit);
                assert_true(fender_world_hash(parts) == hash);
                for (int k = random_below(&r, 4); k > 0; k--, looks++) {
                    double time = random_between(&r, p.start_time, p.end_time);
                    if (random_below(&r, 4) == 0) time = random_below(&r, 2) ? p.start_time : p.end_time;
                    if (random_below(&r, 4) == 0) check_motion(parts, p.start_time, time);
                    check_ok(fender_world_sample(parts, time, &error));
                    assert_true(fender_world_time(parts) == time);
                    fender_ledger ledger;
                    fender_world_ledger(parts, &ledger);
                    check_below(ledger.linear_drift, 1e-10 * (1 + sqrt(ledger.scale)) * 100);
                }
                check_ok(fender_world_sample(parts, p.start_time, &error));
                fender_world_get_state(parts, shown);
                assert_memory_equal(y, shown, sizeof(double) * (size_t)fender_world_state_count(parts));
                if (random_below(&r, 3) == 0) continue; /* proposes again */
                if (random_below(&r, 2)) check_ok(fender_world_sample(parts, p.end_time, &error));
                if (random_below(&r, 2)) check_ok(fender_world_sample_motion(parts, p.end_time, &error));
                check_ok(fender_world_accept(parts, &error));
                assert_true(fender_world_time(parts) == p.end_time);
            } while (fender_world_step_count(parts) < fender_world_step_count(whole));
            if (fender_world_hash(whole) != fender_world_hash(parts))
                fail_msg("case %d (%s), step %d: other bits", n, fender_integrator_name(w.method), i);
        }
        touches += fender_world_event_count(parts, FENDER_EVENT_BEGIN);
        fender_world_destroy(whole);
        fender_world_destroy(parts);
    }
    print_message("%d scenes, %d touches, %d looks\n", 6 * way_count, (int)touches, (int)looks);
    assert_true(touches > 20 && looks > 1000);
}

static double state_gap(const fender_world *one, const fender_world *other)
{
    double y[STATE_CAPACITY], z[STATE_CAPACITY], gap = 0;
    int count = fender_world_state_count(one);
    fender_world_get_state(one, y);
    fender_world_get_state(other, z);
    for (int i = 0; i < count; i++) gap = larger(gap, fabs(y[i] - z[i]));
    return gap;
}

/* The largest differences of what contacts have summed up, relative to the largest of the scene. */
typedef struct sum_gaps {
    double impulse, loss, work, peak;
} sum_gaps;

static void find_sum_gaps(const fender_world *one, const fender_world *other, double energy, sum_gaps *gaps)
{
    const int count = fender_contact_count(one, FENDER_CLOCK_COMMITTED);
    if (fender_contact_count(other, FENDER_CLOCK_COMMITTED) != count) return; /* one ends there */
    for (int i = 0; i < count; i++) {
        fender_contact_data a, b;
        check_ok(fender_contact_at(one, FENDER_CLOCK_COMMITTED, i, &a));
        check_ok(fender_contact_at(other, FENDER_CLOCK_COMMITTED, i, &b));
        if (a.a.index1 != b.a.index1 || a.b.index1 != b.b.index1 || a.begin_time != b.begin_time) continue;
        const double size = 1 + b.impulse + fender_vec3_length(b.impulse_on_b);
        gaps->impulse = larger(gaps->impulse, fabs(a.impulse - b.impulse) / size);
        gaps->impulse = larger(gaps->impulse,
                               fender_vec3_length(fender_vec3_sub(a.impulse_on_b, b.impulse_on_b)) / size);
        gaps->loss = larger(gaps->loss, fabs(a.damping_loss - b.damping_loss) / energy);
        gaps->loss = larger(gaps->loss, fabs(a.friction_loss - b.friction_loss) / energy);
        gaps->work = larger(gaps->work, fabs(a.work - b.work) / energy);
        gaps->work = larger(gaps->work, fabs(a.residual - b.residual) / energy);
        gaps->peak = larger(gaps->peak, fabs(a.peak_force - b.peak_force) / (1e-3 + b.peak_force));
        gaps->peak = larger(gaps->peak, fabs(a.peak_depth - b.peak_depth) / (1e-6 + b.peak_depth));
    }
}

/* A state within a step is that of a world which was advanced to the time, as far as the method's accuracy goes; its
 * energy is balanced as well, and so is what contacts have summed up. */
static void states_within(void **state)
{
    (void)state;
    way ways[32];
    int way_count = list_ways(ways);
    for (int n = 0; n < way_count; n++) {
        double worst = 0, residual = 0;
        sum_gaps sums = {0, 0, 0, 0};
        for (uint64_t k = 0; k < 8; k++) {
            random_stream r = random_of_case(312, k);
            scene s = random_scene(&r, ways[n]);
            fender_world *world = scene_build(&s), *other = scene_build(&s);
            for (int i = 0; i < 60; i++) {
                fender_proposal p;
                check_ok(fender_world_propose(world, 3, &p, &error));
                double time = p.start_time + random_between(&r, 0, 1) * (p.end_time - p.start_time);
                check_ok(fender_world_sample(world, time, &error));
                check_ok(fender_world_advance_to(other, time, &error));
                assert_true(fender_world_time(other) == time);
                worst = larger(worst, state_gap(world, other));
                fender_ledger inside, there;
                fender_world_ledger(world, &inside);
                fender_world_ledger(other, &there);
                residual = larger(residual, fabs(inside.residual - there.residual) / inside.scale);
                find_sum_gaps(world, other, inside.scale, &sums);
                check_ok(fender_world_accept(world, &error));
                fender_snapshot *start = fender_snapshot_take(world, NULL);
                check_ok(fender_snapshot_restore(other, start, &error));
                fender_snapshot_destroy(start);
                if (p.at_limit) break;
            }
            fender_world_destroy(world);
            fender_world_destroy(other);
        }
        bool adaptive = fender_integrator_adaptive(ways[n].method);
        print_message("%-20s%s state %.2e, residual %.2e, sums of contacts %.2e %.2e %.2e, peaks %.2e\n",
                      fender_integrator_name(ways[n].method), ways[n].located ? " located" : "        ", worst,
                      residual, sums.impulse, sums.loss, sums.work, sums.peak);
        /* fixed-step methods do the same step; adaptive ones interpolate: speeds and angular momenta of 10 to 100, with
           friction that turns within a step, to some thousand times the tolerance of 1e-8 */
        check_below(worst, adaptive ? 5e-5 : 1e-13);
        /* without located events a contact that begins within the step stores energy only once it is accepted */
        if (ways[n].located) check_below(residual, adaptive ? 3e-7 : 1e-13);
        /* the same sums over the same stages, or over those of dense output; work and residual lack what a commit adds
           of the error of the step; peaks within a long step are those of its cubic until it is accepted */
        check_below(sums.impulse, adaptive ? 1e-5 : 1e-13);
        check_below(sums.loss, adaptive ? 3e-7 : 1e-13);
        check_below(sums.work, adaptive ? 3e-7 : 1e-4);
        check_below(sums.peak, adaptive ? 3e-3 : 1e-13);
    }
}

/* Ends of steps where they are asked for, and the grid of a fixed step after them. */
static void limits(void **state)
{
    (void)state;
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1000, 10, 0, 1e-3, 0});
    s.body_count = 1;
    s.bodies[0] = scene_ball(1, 2, 0.5);
    s.bodies[0].state.velocity.x = 1;
    s.world.step = 0.01;
    fender_world *world = scene_build(&s);
    fender_proposal p;
    check_ok(fender_world_advance(world, 3, &error));
    check_ok(fender_world_propose(world, 0.034, &p, &error));
    assert_true(p.at_limit && !p.ends_step && p.end_time == 0.034);
    check_ok(fender_world_accept(world, &error));
    assert_true(fender_world_time(world) == 0.034 && fender_world_step_count(world) == 3);
    check_near(scene_body_data(world, 1).position.x, 0.034, 1e-16);
    check_ok(fender_world_step(world, &error));
    assert_true(fender_world_time(world) == 4 * 0.01 && fender_world_step_count(world) == 4);
    check_ok(fender_world_advance_to(world, 0.0875, &error));
    assert_true(fender_world_time(world) == 0.0875 && fender_world_step_count(world) == 8);
    check_ok(fender_world_advance_to(world, 0.0875, &error)); /* is there already */
    check_ok(fender_world_advance_to(world, 9 * 0.01, &error));
    assert_int_equal(fender_world_step_count(world), 9);
    check_near(scene_body_data(world, 1).position.x, 0.09, 1e-15);
    fender_error fault = {0};
    assert_int_equal(fender_world_advance_to(world, 0.05, &fault), FENDER_STATUS_VALUE);
    assert_int_equal(fender_world_advance_to(world, NAN, &fault), FENDER_STATUS_VALUE);
    assert_int_equal(fender_world_propose(world, 0.09, &p, &fault), FENDER_STATUS_VALUE);
    assert_int_equal(fender_world_propose(world, NAN, &p, &fault), FENDER_STATUS_VALUE);
    fender_world_destroy(world);
}

/* What is asked at the wrong time is refused; a change of the world drops the proposal. */
static void misuse(void **state)
{
    (void)state;
    random_stream r = random_of_case(313, 0);
    scene s = random_scene(&r, (way){FENDER_INTEGRATOR_RK4, true});
    fender_world *world = scene_build(&s);
    fender_error fault = {0};
    fender_proposal p;
    assert_int_equal(fender_world_accept(world, &fault), FENDER_STATUS_STATE);
    assert_int_equal(fender_world_sample(world, 0, &fault), FENDER_STATUS_STATE);
    check_ok(fender_world_propose(world, INFINITY, &p, &error));
    assert_int_equal(fender_world_sample(world, p.end_time + 1e-9, &fault), FENDER_STATUS_VALUE);
    assert_int_equal(fender_world_sample(world, p.start_time - 1e-9, &fault), FENDER_STATUS_VALUE);
    assert_int_equal(fender_world_sample(world, NAN, &fault), FENDER_STATUS_VALUE);
    assert_int_equal(fender_world_sample_motion(world, p.end_time + 1e-9, &fault), FENDER_STATUS_VALUE);
    check_ok(fender_world_sample(world, 0.5 * (p.start_time + p.end_time), &error));
    assert_null(fender_snapshot_take(world, &fault));
    assert_int_equal(fault.status, FENDER_STATUS_STATE);
    uint64_t hash = 0;
    for (int k = 0; k < 2; k++) { /* the sample ends, the state is the accepted one */
        check_ok(fender_world_propose(world, INFINITY, &p, &error));
        check_ok(fender_world_sample(world, p.end_time, &error));
        fender_world_set_contacts_active(world, true);
        assert_true(fender_world_time(world) == 0);
        assert_int_equal(fender_world_accept(world, &fault), FENDER_STATUS_STATE);
        if (k == 0) hash = fender_world_hash(world);
        else assert_true(hash == fender_world_hash(world));
    }
    fender_world_destroy(world);
}

/* Masses that change: a dropped proposal leaves them as they were. */
static void flowing_mass(void **state)
{
    (void)state;
    for (int m = 0; m < 5; m++) {
        if (!fender_integrator_name((fender_integrator_method)m)) continue;
        scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1000, 10, 0, 1e-3, 0});
        s.body_count = 1;
        s.bodies[0] = scene_ball(1, 2, 0.5);
        s.bodies[0].state.velocity.x = 1;
        s.world.method = (fender_integrator_method)m;
        s.world.step = 0.01;
        fender_world *world = scene_build(&s);
        fender_mass_flow flow = {.mass_rate = -1, .until_mass = 1};
        fender_body_id id;
        check_ok(fender_body_find(world, "body1", &id));
        check_ok(fender_body_set_mass_flow(world, id, &flow, &error));
        for (int i = 0; i < 500; i++) {
            uint64_t hash = fender_world_hash(world);
            fender_proposal p;
            check_ok(fender_world_propose(world, 0.5, &p, &error));
            fender_load_id none = {0};
            if (i % 3 == 0) {
                (void)fender_load_set_active(world, none, true); /* refused, and the proposal is dropped all the same */
                assert_true(fender_world_hash(world) == hash);
                check_ok(fender_world_propose(world, 0.5, &p, &error));
            }
            check_ok(fender_world_accept(world, &error));
            check_near(scene_body_data(world, 1).mass, 2 - fender_world_time(world), 1e-13);
            if (p.at_limit) break;
        }
        check_near(fender_world_time(world), 0.5, 1e-15);
        fender_world_destroy(world);
    }
}

/* A spinning ball on a spring at a point of it, whose mass flows and whose centre of mass is not where it turns about.
 */
static fender_world *leaking(fender_integrator_method method)
{
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1000, 10, 0, 1e-3, 0});
    s.body_count = 1;
    s.bodies[0] = scene_ball(1, 2, 0.5);
    s.bodies[0].state.velocity.x = 1;
    s.bodies[0].state.angular_velocity.y = 0.5;
    s.world.method = method;
    s.world.step = 0.01;
    fender_world *world = scene_build(&s);
    fender_load_def load = fender_load_def_default();
    load.name = "spring";
    check_ok(fender_body_find(world, "body1", &load.body));
    load.kind = FENDER_LOAD_SPRING;
    load.spring.stiffness = 50;
    load.spring.anchor = fender_vec3_make(0.1, 0.2, 0.3);
    check_ok(fender_load_create(world, &load, NULL, &error));
    check_ok(fender_world_initialize(world, &error));
    const fender_mass_flow flow = {.mass_rate = -1, .until_mass = 1, .center_rate = {0.1, 0, 0}};
    check_ok(fender_body_set_mass_flow(world, load.body, &flow, &error));
    check_ok(fender_world_advance(world, 5, &error));
    return world;
}

static void check_as_accepted(const fender_world *world, const fender_world *other)
{
    fender_ledger one, two;
    fender_load_data a, b;
    fender_world_ledger(world, &one);
    fender_world_ledger(other, &two);
    assert_memory_equal(&one, &two, sizeof one); /* doubles alone */
    check_ok(fender_load_get(world, fender_load_at(world, 0), FENDER_CLOCK_COMMITTED, &a));
    check_ok(fender_load_get(other, fender_load_at(other, 0), FENDER_CLOCK_COMMITTED, &b));
    check_near(a.stored_energy, b.stored_energy, 0);
    check_vector(a.force, b.force, 0);
    check_near(scene_body_data(world, 1).mass, scene_body_data(other, 1).mass, 0);
    assert_true(fender_world_hash(world) == fender_world_hash(other));
}

/* A sample shows the mass at its time, with a ledger that balances as that of the accepted states; the step goes on as
 * if it had not been looked into. */
static void flowing_mass_sampled(void **state)
{
    (void)state;
    double least = INFINITY;
    for (int m = 0; m < 5; m++) {
        if (!fender_integrator_name((fender_integrator_method)m)) continue;
        fender_world *world = leaking((fender_integrator_method)m), *other = leaking((fender_integrator_method)m);
        double worst = 0, accepted = 0;
        for (int i = 0; i < 20; i++) {
            fender_proposal p;
            fender_ledger ledger;
            check_ok(fender_world_propose(world, INFINITY, &p, &error));
            for (int k = 1; k < 5; k++) {
                const double time = p.start_time + 0.23 * k * (p.end_time - p.start_time);
                check_ok(fender_world_sample(world, time, &error));
                check_near(scene_body_data(world, 1).mass, 2 - time, 1e-13);
                fender_world_ledger(world, &ledger);
                worst = larger(worst, fabs(ledger.residual) / ledger.scale);
                check_below(ledger.linear_drift, 1e-12 * 100);
            }
            check_ok(fender_world_accept(world, &error));
            check_ok(fender_world_step(other, &error));
            assert_true(fender_world_hash(world) == fender_world_hash(other));
            fender_world_ledger(world, &ledger);
            accepted = larger(accepted, fabs(ledger.residual) / ledger.scale);
        }
        print_message("%-20s residual within steps %.1e, at their ends %.1e\n",
                      fender_integrator_name((fender_integrator_method)m), worst, accepted);
        check_below(worst, 1e-9 + 3 * accepted);
        if (accepted < least) least = accepted;
        fender_world_destroy(world);
        fender_world_destroy(other);
    }
    check_below(least, 1e-6); /* of methods of an order above 2 */
}

/* Of a step with masses at its middle, a proposal shows none of them, nor does it once it is dropped: what is booked
 * afterwards has the bits of a world without a proposal. */
static void flowing_mass_shown(void **state)
{
    (void)state;
    for (int m = 0; m < 5; m++) {
        if (!fender_integrator_name((fender_integrator_method)m)) continue;
        fender_world *world = leaking((fender_integrator_method)m), *other = leaking((fender_integrator_method)m);
        const double start = fender_world_time(world);
        fender_proposal p;
        check_ok(fender_world_propose(world, INFINITY, &p, &error));
        check_as_accepted(world, other);
        fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
        check_ok(fender_world_sample(world, 0.5 * (start + p.end_time), &error));
        check_ok(fender_world_sample(world, start, &error));
        check_as_accepted(world, other);
        check_ok(fender_world_sample_motion(world, 0.5 * (start + p.end_time), &error));
        fender_world_discard_proposal(world);
        check_as_accepted(world, other);
        check_ok(fender_world_initialize(world, &error));
        check_ok(fender_world_initialize(other, &error));
        check_as_accepted(world, other);
        check_ok(fender_world_propose(world, INFINITY, &p, &error));
        check_ok(fender_world_accept(world, &error));
        check_ok(fender_world_advance_to(other, fender_world_time(world), &error));
        check_near(scene_body_data(world, 1).mass, scene_body_data(other, 1).mass, 0);
        fender_ledger one, two;
        fender_world_ledger(world, &one);
        fender_world_ledger(other, &two);
        check_near(one.applied, two.applied, 1e-14);
        check_ok(fender_snapshot_restore(world, snapshot, &error)); /* taken while the first step was proposed */
        check_near(scene_body_data(world, 1).mass, 2 - start, 1e-13);
        fender_snapshot_destroy(snapshot);
        fender_world_destroy(world);
        fender_world_destroy(other);
    }
}

/* To times of the grid, in stops of 7 steps: the steps of a world that counts them. */
static void to_the_grid(void **state)
{
    (void)state;
    way ways[32];
    const int way_count = list_ways(ways);
    for (int n = 0; n < 3 * way_count; n++) {
        const way w = ways[n % way_count];
        if (fender_integrator_adaptive(w.method)) continue; /* they have no grid */
        random_stream r = random_of_case(312, (uint64_t)n);
        scene s = random_scene(&r, w);
        fender_world *counted = scene_build(&s), *timed = scene_build(&s);
        for (int64_t steps = 7; steps < 120; steps += 7) {
            check_ok(fender_world_advance(counted, 7, &error));
            check_ok(fender_world_advance_to(timed, (double)steps * s.world.step, &error));
            assert_int_equal(fender_world_step_count(timed), steps);
            assert_true(fender_world_hash(timed) == fender_world_hash(counted));
        }
        fender_world_destroy(counted);
        fender_world_destroy(timed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),
        cmocka_unit_test(states_within),
        cmocka_unit_test(limits),
        cmocka_unit_test(misuse),
        cmocka_unit_test(to_the_grid),
        cmocka_unit_test(flowing_mass),
        cmocka_unit_test(flowing_mass_sampled),
        cmocka_unit_test(flowing_mass_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
