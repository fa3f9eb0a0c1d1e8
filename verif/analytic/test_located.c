/* Located events against closed forms: time of begin and end, order of convergence, bouncing to rest, grazes. */
/* items: S074 */
#include "check.h"
#include "scene.h"

/* JEOD's RUN_point (C045): 100 kg each, 2 m/s; `phase` shifts the touch within a step. */
static fender_world *head_on(scene_law law, double step, double phase, fender_integrator_method method)
{
    scene_type type = {law, 3502.5367049295264, 70.050734098590539, 0, 1e-3, 0};
    scene s = scene_with_type(type);
    s.world.step = step;
    s.world.method = method;
    s.world.locate_events = true;
    s.body_count = 2;
    for (int i = 0; i < 2; i++) s.bodies[i] = scene_ball(i + 1, 100, 1);
    s.bodies[1].state.position.x = 12 + 2 * phase;
    s.bodies[1].state.velocity.x = -2;
    return scene_build(&s);
}

typedef struct outcome {
    double touch, release, restitution;
} outcome;

static outcome run_head_on(scene_law law, double step, double phase, fender_integrator_method method)
{
    fender_world *world = head_on(law, step, phase, method);
    outcome o = {NAN, NAN, NAN};
    while (fender_world_time(world) < 8) {
        check_ok(fender_world_step(world, &error));
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            if (events[i].kind == FENDER_EVENT_BEGIN) o.touch = events[i].time;
            if (events[i].kind == FENDER_EVENT_END) o.release = events[i].time;
        }
    }
    o.restitution = (scene_body_data(world, 2).velocity.x - scene_body_data(world, 1).velocity.x) / 2;
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_below(ledger.linear_drift, 1e-12);
    fender_world_destroy(world);
    return o;
}

/* The damped oscillator of the reduced mass: raw it releases at depth 0, clipped it stops pushing at force 0 and drifts
 * out freely. */
static outcome exact_head_on(bool clipped, double phase)
{
    double k = 3502.5367049295264, c = 70.050734098590539, m = 50, w0 = sqrt(k / m), z = c / (2 * sqrt(k * m));
    double root = sqrt(1 - z * z), wd = w0 * root, pi = 3.14159265358979323846;
    double push = clipped ? atan2(2 * z * root, 2 * z * z - 1) / wd : pi / wd;
    outcome o = {5 + phase, 0, exp(-z * w0 * push)};
    double depth = 2 / wd * exp(-z * w0 * push) * sin(wd * push);
    o.release = o.touch + push + (clipped ? depth / (2 * o.restitution) : 0);
    return o;
}

/* RK4 keeps its order 4 through contact, because every step ends at the touch, at the clip, at the release. */
static void order(void **state)
{
    (void)state;
    static const double steps[] = {20e-3, 10e-3, 5e-3, 2.5e-3, 1.25e-3};
    enum { STEPS = sizeof steps / sizeof steps[0] };
    for (int law = 0; law < 2; law++) {
        double errors[STEPS] = {0};
        for (int i = 0; i < STEPS; i++)
            for (int p = 0; p < 4; p++) { /* the largest over several places of the touch within a step */
                double phase = (0.13 + 0.24 * p) * 20e-3;
                outcome exact = exact_head_on(law == 1, phase);
                outcome o = run_head_on(law == 1 ? SCENE_SPRING_DAMPER : SCENE_JEOD_SPRING, steps[i], phase,
                                        FENDER_INTEGRATOR_RK4);
                /* free flight is exact, so only the tolerance of the search (1e-10 s) stands between the two */
                check_near(o.touch, exact.touch, 1.1e-10);
                errors[i] = larger(errors[i], fabs(o.restitution - exact.restitution));
                if (i == STEPS - 1) check_near(o.release, exact.release, 1e-9);
            }
        print_message("%s: step, error of restitution, observed order\n", law == 1 ? "spring_damper" : "jeod_spring");
        for (int i = 0; i < STEPS; i++)
            print_message("  %8.5f s  %.3e  %s%.2f\n", steps[i], errors[i], i ? "" : "-",
                          i ? log2(errors[i - 1] / errors[i]) : 0.0);
        check_below(errors[STEPS - 1], 2e-10);
        check_below(3.5, log2(errors[1] / errors[3]) / 2); /* between 10 and 2.5 ms, above rounding and tolerance */
    }
}

static void semi_implicit_touch(void **state)
{
    (void)state;
    outcome o = run_head_on(SCENE_JEOD_SPRING, 10e-3, 3.7e-3, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER);
    check_near(o.touch, 5.0037, 1.1e-10);
}

/* ---- a sphere that bounces on a fixed one */

static const double G = 9.81;

static fender_world *bouncing(double k, double c, double height, double step)
{
    scene_type type = {SCENE_SPRING_DAMPER, k, c, 0, 1e-3, 0};
    scene s = scene_with_type(type);
    s.world.step = step;
    s.world.locate_events = true;
    s.world.gravity = (fender_gravity){FENDER_GRAVITY_UNIFORM, {0, 0, -G}, 0, {0, 0, 0}};
    s.body_count = 2;
    s.bodies[0] = scene_ball(1, 1, 1);
    s.bodies[0].motion = FENDER_MOTION_FIXED;
    s.bodies[1] = scene_ball(2, 1, 0.1);
    s.bodies[1].state.position.z = 1.1 + height;
    return scene_build(&s);
}

/* Gap and its rate in contact at a time after touch with speed v: m z'' = -k z - c z' - m g, z(0) = 0, z'(0) = -v, m
 * = 1. */
static void in_contact(double k, double c, double v, double t, double *z, double *rate)
{
    double zeta_w = 0.5 * c, wd = sqrt(k - zeta_w * zeta_w), rest = -G / k;
    double a = -rest, b = (-v + zeta_w * a) / wd, decay = exp(-zeta_w * t), cs = cos(wd * t), sn = sin(wd * t);
    *z = rest + decay * (a * cs + b * sn);
    *rate = decay * ((b * wd - zeta_w * a) * cs - (a * wd + zeta_w * b) * sn);
}

/* Time in contact until the force is zero; negative when it never is: the sphere rests. */
static double until_slack(double k, double c, double v)
{
    double step = 1e-3 / sqrt(k), low = 0, z, rate;
    for (double t = step; t < 20 / sqrt(k); t += step) {
        in_contact(k, c, v, t, &z, &rate);
        if (-k * z - c * rate > 0) {
            low = t;
            continue;
        }
        for (double high = t; high - low > 1e-16;) {
            double middle = 0.5 * (low + high);
            if (middle <= low || middle >= high) break;
            in_contact(k, c, v, middle, &z, &rate);
            if (-k * z - c * rate > 0) low = middle;
            else high = middle;
        }
        return low;
    }
    return -1;
}

/* Every begin and end against the piecewise exact solution, then rest. With k/m = 1e5 and 40 us the method's own
 * error of a bounce is some 1e-9 of the speed; it adds up over the flights, hence 2e-8 s. */
static void bouncing_ball(void **state)
{
    (void)state;
    const double k = 1e5, zeta = 0.074355, c = 2 * zeta * sqrt(k), height = 0.5;
    fender_world *world = bouncing(k, c, height, 40e-6);
    double touch = sqrt(2 * height / G), v = sqrt(2 * G * height), release = 0, worst = 0;
    int bounces = 0;
    bool resting = false;
    while (fender_world_time(world) < 4 && !resting) {
        check_ok(fender_world_step(world, &error));
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            if (events[i].kind == FENDER_EVENT_BEGIN) {
                worst = larger(worst, fabs(events[i].time - touch));
                double push = until_slack(k, c, v), z, rate;
                resting = push < 0;
                if (resting) break;
                in_contact(k, c, v, push, &z,
                           &rate); /* then it flies: from depth -z up to the surface, or not as far */
                resting = rate * rate + 2 * G * z <= 0;
                if (resting) break;
                double out = sqrt(rate * rate + 2 * G * z), drift = (rate - out) / G;
                release = touch + push + drift;
                v = out;
            } else if (events[i].kind == FENDER_EVENT_END) {
                worst = larger(worst, fabs(events[i].time - release));
                touch = release + 2 * v / G;
                bounces++;
            }
        }
    }
    print_message("%d bounces, largest error of a touch or release %.2e s\n", bounces, worst);
    check_below(worst, 2e-8);
    check_below(8, bounces);
    assert_true(resting);
    int64_t before = fender_world_event_count(world, FENDER_EVENT_BEGIN);
    check_ok(fender_world_advance(world, 50000, &error)); /* 2 s more: it stays, and does not sink */
    assert_int_equal(fender_world_event_count(world, FENDER_EVENT_BEGIN), before);
    check_near(scene_body_data(world, 2).position.z, 1.1 - G / k, 1e-9);
    check_near(scene_body_data(world, 2).velocity.z, 0, 1e-9);
    fender_world_destroy(world);
}

/* Two spheres pass each other at 2 m/s in steps of 50 ms and overlap by 1e-6 to 1e-3 m on the way: in contact for 2 to
 * 60 ms, often within one step. The touch lies where straight flight says. */
static void grazes(void **state)
{
    (void)state;
    enum { CASES = 1000 };
    int found = 0;
    double worst = 0;
    for (uint64_t n = 0; n < CASES; n++) {
        random_stream r = random_of_case(41, n);
        double depth = pow(10, random_between(&r, -6, -3));
        scene_type type = {SCENE_SPRING_DAMPER, 100, 0, 0, 1e-3, 0};
        scene s = scene_with_type(type);
        s.world.step = 50e-3;
        s.world.locate_events = true;
        s.body_count = 2;
        for (int i = 0; i < 2; i++) s.bodies[i] = scene_ball(i + 1, 100, 1);
        s.bodies[1].state.position = fender_vec3_make(random_between(&r, 2, 3), 2 - depth, 0);
        s.bodies[1].state.velocity.x = -2;
        double half_chord = sqrt(4 - (2 - depth) * (2 - depth));
        double touch = (s.bodies[1].state.position.x - half_chord) / 2;
        s = scene_moved(&s, (fender_pose){random_in_ball(&r, 10), random_rotation(&r)}, random_in_ball(&r, 1));
        fender_world *world = scene_build(&s);
        int touches = 0, releases = 0;
        for (int i = 0; i < 60; i++) {
            check_ok(fender_world_step(world, &error));
            int count;
            const fender_event *events = fender_world_events(world, &count);
            for (int e = 0; e < count; e++) {
                touches += events[e].kind == FENDER_EVENT_BEGIN;
                releases += events[e].kind == FENDER_EVENT_END;
                /* at a graze the gap falls slowly: 1e-14 m of rounding are 1e-14 / (2 half_chord) s */
                if (events[e].kind == FENDER_EVENT_BEGIN) worst = larger(worst, fabs(events[e].time - touch));
            }
        }
        found += touches == 1 && releases == 1;
        fender_world_destroy(world);
    }
    print_message("%d of %d grazes found, largest error of the touch %.2e s\n", found, CASES, worst);
    assert_int_equal(found, CASES);
    check_below(worst, 1e-9);
}

/* Events change nothing about repeatability: a run continued from a snapshot ends in the same bits. */
static void repeatable(void **state)
{
    (void)state;
    fender_world *world = bouncing(1e5, 40, 0.02, 1e-3);
    check_ok(fender_world_advance(world, 100, &error));
    fender_error fault = {0};
    fender_snapshot *snapshot = fender_snapshot_take(world, &fault);
    assert_non_null(snapshot);
    check_ok(fender_world_advance(world, 500, &error));
    uint64_t hash = fender_world_hash(world);
    check_ok(fender_snapshot_restore(world, snapshot, &error));
    check_ok(fender_world_advance(world, 500, &error));
    assert_true(fender_world_hash(world) == hash);
    fender_snapshot_destroy(snapshot);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),  cmocka_unit_test(semi_implicit_touch), cmocka_unit_test(bouncing_ball),
        cmocka_unit_test(grazes), cmocka_unit_test(repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
