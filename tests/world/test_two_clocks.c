/* Evaluation changes nothing that lasts; hosts that integrate from outside get the trajectory of the inside. */
#include "check.h"
#include "scene.h"
#include <string.h>

static const unsigned every_law = 1u << SCENE_JEOD_SPRING | 1u << SCENE_SPRING_DAMPER | 1u << SCENE_NORMAL_AND_COULOMB;
enum { STATE_CAPACITY = SCENE_BODIES * FENDER_STATE_PER_BODY };

/* Two worlds step side by side; between steps one of them is asked for derivatives and wrenches at any states. */
static void evaluation_is_pure(void **state)
{
    (void)state;
    int64_t touches = 0;
    for (uint64_t n = 0; n < 60; n++) {
        random_stream r = random_of_case(111, n);
        scene s = scene_random(&r, 2, 5, every_law);
        if (n % 2)
            s.world.method = n % 4 == 1 ? FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER : FENDER_INTEGRATOR_VELOCITY_VERLET;
        s.world.step = 5e-3;
        fender_world *quiet = scene_build(&s), *asked = scene_build(&s);
        int count = fender_world_state_count(asked);
        assert_int_equal(count, s.body_count * FENDER_STATE_PER_BODY);
        assert_true(fender_world_hash(quiet) == fender_world_hash(asked));
        for (int i = 0; i < 200; i++) {
            double y[STATE_CAPACITY], rate[STATE_CAPACITY], committed[STATE_CAPACITY];
            fender_world_get_state(asked, committed);
            uint64_t hash = fender_world_hash(asked);
            int contacts = fender_contact_count(asked, FENDER_CLOCK_COMMITTED);
            for (int k = random_below(&r, 4); k > 0; k--) {
                memcpy(y, committed, sizeof y);
                for (int c = 0; c < count; c++) y[c] += random_between(&r, -0.3, 0.3);
                check_ok(
                    fender_world_set_state(asked, fender_world_time(asked) + random_between(&r, -1, 1), y, &error));
                if (random_below(&r, 2)) check_ok(fender_world_evaluate(asked, &error));
                if (random_below(&r, 3)) check_ok(fender_world_derivative(asked, rate, &error));
                /* the committed clock does not move */
                assert_true(fender_world_hash(asked) == hash);
                assert_int_equal(fender_contact_count(asked, FENDER_CLOCK_COMMITTED), contacts);
                fender_world_get_state(asked, y);
                assert_memory_equal(y, committed, (size_t)count * sizeof *y);
            }
            check_ok(fender_world_step(quiet, &error));
            check_ok(fender_world_step(asked, &error));
            if (fender_world_hash(quiet) != fender_world_hash(asked)) fail_msg("case %d, step %d", (int)n, i);
        }
        touches += fender_world_event_count(asked, FENDER_EVENT_BEGIN);
        fender_world_destroy(quiet);
        fender_world_destroy(asked);
    }
    assert_true(touches > 60);
}

/* The evaluated clock shows the state that was tried: forces of a world that was built there. */
static void evaluated_clock(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t n = 0; n < 100; n++) {
        random_stream r = random_of_case(112, n);
        scene s = scene_random(&r, 2, 4, every_law), there = s;
        scene_crowd(&there, &r);
        fender_world *here = scene_build(&s), *target = scene_build(&there);
        double y[STATE_CAPACITY];
        fender_world_get_state(target, y);
        check_ok(fender_world_set_state(here, 0, y, &error));
        check_ok(fender_world_evaluate(here, &error));
        assert_int_equal(fender_contact_count(here, FENDER_CLOCK_COMMITTED), 0);
        int count = fender_contact_count(here, FENDER_CLOCK_EVALUATED);
        assert_int_equal(count, fender_contact_count(target, FENDER_CLOCK_COMMITTED));
        for (int i = 0; i < count; i++) {
            fender_contact_data a, b;
            assert_int_equal(fender_contact_at(here, FENDER_CLOCK_EVALUATED, i, &a), 0);
            assert_int_equal(fender_contact_at(target, FENDER_CLOCK_COMMITTED, i, &b), 0);
            check_vector(a.force, b.force, 1e-9);
            check_vector(a.torque_on_a, b.torque_on_a, 1e-9);
            check_vector(a.point_on_b, b.point_on_b, 1e-12);
            compared++;
        }
        for (int i = 0; i < s.body_count; i++) {
            fender_body_data a, b = scene_body_data(target, i);
            assert_int_equal(fender_body_get(here, fender_body_at(here, i), FENDER_CLOCK_EVALUATED, &a), 0);
            check_vector(a.position, b.position, 1e-12);
            check_vector(a.angular_velocity, b.angular_velocity, 1e-12);
            check_vector(a.contact_force, b.contact_force, 1e-9);
            check_vector(a.contact_torque, b.contact_torque, 1e-9);
            check_vector(a.acceleration, b.acceleration, 1e-9);
            check_near(a.kinetic_energy, b.kinetic_energy, 1e-9 * b.kinetic_energy);
            check_vector(scene_body_data(here, i).contact_force, fender_vec3_make(0, 0, 0), 0);
        }
        fender_world_destroy(here);
        fender_world_destroy(target);
    }
    assert_true(compared > 100);
}

/* ---- a host's own Runge-Kutta over get_state, set_state, derivative, commit ---- */

static void host_step(fender_world *world, double h)
{
    static const double ahead[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    int count = fender_world_state_count(world);
    double y[STATE_CAPACITY], at[STATE_CAPACITY], k[STATE_CAPACITY] = {0}, sum[STATE_CAPACITY] = {0};
    double time = fender_world_time(world);
    fender_world_get_state(world, y);
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < count; i++) at[i] = y[i] + ahead[stage] * h * k[i];
        check_ok(fender_world_set_state(world, time + ahead[stage] * h, at, &error));
        check_ok(fender_world_derivative(world, k, &error));
        for (int i = 0; i < count; i++) sum[i] += weight[stage] * k[i];
    }
    for (int i = 0; i < count; i++) at[i] = y[i] + h / 6 * sum[i];
    check_ok(fender_world_set_state(world, time + h, at, &error));
    check_ok(fender_world_commit(world, &error));
}

/* Spheres about their own centres without friction: no torque, the attitude has no say in the forces. */
static void host_without_torque(void **state)
{
    (void)state;
    double worst = 0;
    int64_t touches = 0;
    for (uint64_t n = 0; n < 20; n++) {
        random_stream r = random_of_case(113, n);
        scene s = scene_random(&r, 2, 4, 1u << SCENE_SPRING_DAMPER);
        for (int i = 0; i < s.type_count; i++) s.types[i].mu = 0;
        for (int i = 0; i < s.body_count; i++) {
            scene_body *body = &s.bodies[i];
            fender_body_state kept = body->state;
            *body = scene_ball(i, body->mass_properties.mass, 0.5);
            body->state.position = kept.position;
            body->state.velocity = kept.velocity;
        }
        fender_world *inside = scene_build(&s), *outside = scene_build(&s);
        for (int i = 0; i < 800; i++) {
            check_ok(fender_world_step(inside, &error));
            host_step(outside, s.world.step);
            int one, other;
            const fender_event *a = fender_world_events(inside, &one), *b = fender_world_events(outside, &other);
            assert_int_equal(one, other);
            for (int k = 0; k < one; k++) {
                assert_true(a[k].kind == b[k].kind && a[k].contact.a.index1 == b[k].contact.a.index1);
                check_near(a[k].time, b[k].time, 1e-12);
                /* a touch between states is seen in the stages of a step, and not in a host's */
                check_near(a[k].contact.peak_force, b[k].contact.peak_force,
                           1e-8 * (1 + a[k].contact.peak_force) + a[k].contact.errors.peak_force +
                               b[k].contact.errors.peak_force);
                /* the host's is the trapezoidal rule */
                check_near(a[k].contact.impulse, b[k].contact.impulse, 0.03 * (1 + a[k].contact.impulse));
            }
        }
        for (int i = 0; i < s.body_count; i++) {
            fender_body_data a = scene_body_data(inside, i), b = scene_body_data(outside, i);
            worst = larger(worst, fender_vec3_length(fender_vec3_sub(a.position, b.position)));
            worst = larger(worst, fender_vec3_length(fender_vec3_sub(a.velocity, b.velocity)));
        }
        touches += fender_world_event_count(outside, FENDER_EVENT_BEGIN);
        fender_world_destroy(inside);
        fender_world_destroy(outside);
    }
    printf("outside against inside, no torque: %lld touches, at most %.1e m, m/s\n", (long long)touches, worst);
    check_below(worst, 1e-12);
    assert_true(touches > 10);
}

/* With attitude the two methods differ, by their own order: 4. Before any contact. */
static double attitude_gap(double h, bool reference)
{
    random_stream r = random_of_case(114, 0);
    scene s = scene_random(&r, 1, 1, every_law);
    s.body_count = 1;
    s.rule_count = 1;
    s.rules[0] = (scene_rule){FENDER_RULE_DEFAULT, 0, 0, 0};
    s.bodies[0].state.angular_velocity = fender_vec3_make(2, 3, -1);
    s.world.step = reference ? 1e-3 : h;
    fender_world *inside = scene_build(&s);
    s.world.step = h;
    fender_world *outside = scene_build(&s);
    check_ok(fender_world_advance(inside, (int64_t)(2 / (reference ? 1e-3 : h) + 0.5), &error));
    for (int i = 0; i < (int)(2 / h + 0.5); i++) host_step(outside, h);
    fender_body_data a = scene_body_data(inside, 0), b = scene_body_data(outside, 0);
    fender_quaternion d = fender_quaternion_product(fender_quaternion_conjugate(a.attitude), b.attitude);
    check_vector(a.angular_momentum, b.angular_momentum, 1e-12);
    fender_world_destroy(inside);
    fender_world_destroy(outside);
    return 2 * sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

static void host_with_attitude(void **state)
{
    (void)state;
    double gaps[4];
    for (int i = 0; i < 4; i++) gaps[i] = attitude_gap(0.04 / (1 << i), true);
    double order = log2(gaps[0] / gaps[3]) / 3;
    printf("outside, attitude of a free body: off by %.1e %.1e %.1e %.1e rad at 40 ... 5 ms: order %.2f\n", gaps[0],
           gaps[1], gaps[2], gaps[3], order);
    check_near(order, 4, 0.3);
    check_below(attitude_gap(1e-3, false), 1e-9);
}

/* Steps of the world and commits of a host may be mixed; time goes on from where it is. */
static void mixed(void **state)
{
    (void)state;
    scene s = scene_with_type((scene_type){SCENE_SPRING_DAMPER, 1e4, 10, 0, 1e-3, 0});
    s.body_count = 2;
    s.bodies[0] = scene_ball(0, 3, 0.5);
    s.bodies[1] = scene_ball(1, 4, 0.5);
    s.bodies[1].state.position.x = 1.1;
    s.bodies[1].state.velocity.x = -1;
    fender_world *pure = scene_build(&s), *both = scene_build(&s);
    for (int i = 0; i < 50; i++) {
        check_ok(fender_world_step(pure, &error));
        if (i % 3) check_ok(fender_world_step(both, &error));
        else host_step(both, s.world.step);
        check_near(fender_world_time(both), fender_world_time(pure), 1e-14);
        assert_int_equal(fender_world_step_count(both), i + 1);
    }
    check_vector(scene_body_data(both, 1).velocity, scene_body_data(pure, 1).velocity, 1e-13);
    assert_int_equal(fender_world_event_count(both, FENDER_EVENT_END),
                     fender_world_event_count(pure, FENDER_EVENT_END));
    fender_world_destroy(pure);
    fender_world_destroy(both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluation_is_pure), cmocka_unit_test(evaluated_clock), cmocka_unit_test(host_without_torque),
        cmocka_unit_test(host_with_attitude), cmocka_unit_test(mixed),
    };
    return cmocka_run_group_tests_name("two clocks", tests, NULL, NULL);
}
