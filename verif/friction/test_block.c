/* A block that sticks and slides in one dimension, against closed forms: creep, breakaway, sliding, sticking again. */
/* items: M009 M011 M012 */
#include "oscillator.h"
#include "rail.h"

/* Every located method; the tolerance of the adaptive ones makes their error that of the search for events. */
static const fender_integrator_method located[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5,
                                                   FENDER_INTEGRATOR_DOP853};
enum { LOCATED = sizeof located / sizeof located[0] };

static rail_set_up damped(fender_integrator_method method)
{
    rail_set_up s = rail_default();
    s.ct = 1.4 * sqrt(s.kt * s.mass);
    s.method = method;
    s.step = 1e-4;
    s.tolerance = 1e-12;
    return s;
}

static double event_time(const rail *r, fender_event_kind kind, int number)
{
    for (int i = 0; i < r->event_count; i++)
        if (r->events[i].kind == kind && number-- == 0) return r->events[i].time;
    return NAN;
}

static void advance_to(rail *r, double time)
{
    while (fender_world_time(r->world) < time) {
        check_ok(fender_world_advance_to(
            r->world, fender_world_time(r->world) + 0.05 < time ? fender_world_time(r->world) + 0.05 : time, &error));
        rail_take_events(r);
    }
}

/* Below the limit, as on an incline whose slope is under mu_static: the block comes to rest at load / kt and stays. */
static void no_creep(void **state)
{
    (void)state;
    static const fender_integrator_method all[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                   FENDER_INTEGRATOR_VELOCITY_VERLET, FENDER_INTEGRATOR_DOPRI5,
                                                   FENDER_INTEGRATOR_DOP853};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (int locate = 0; locate < 2; locate++) {
            rail_set_up s = damped(all[i]);
            s.step = 1e-3;
            s.along = 2; /* of 4 that it can hold; it swings up to 2.1 */
            s.locate_events = locate;
            rail r = rail_build(&s);
            advance_to(&r, 1);
            fender_body_data before = rail_block(&r);
            advance_to(&r, 3);
            fender_body_data after = rail_block(&r);
            print_message("%-20s %s: speed %8.1e m/s, moved %8.1e m in 2 s\n", fender_integrator_name(all[i]),
                          locate ? "located" : "       ", after.velocity.z, after.position.z - before.position.z);
            check_near(after.velocity.z, 0, 1e-12);
            check_near(after.position.z - before.position.z, 0, 1e-12);
            check_near(after.position.z, s.along * s.mass / s.kt, 1e-12);
            assert_int_equal(fender_world_event_count(r.world, FENDER_EVENT_SLIP), 0);
            fender_world_destroy(r.world);
        }
}

/* Without damping the bristle swings for ever. Semi-implicit Euler keeps the energy of a nearby oscillator, off by
 * w h / 2 = 5 % of the swing's, because it stretches the bristle with the new velocity; RK4 loses (w h)^6 / 72 of it
 * a step, velocity Verlet is off by (w h)^2 / 4.
 */
static void undamped_swing(void **state)
{
    (void)state;
    static const fender_integrator_method all[] = {FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, FENDER_INTEGRATOR_RK4,
                                                   FENDER_INTEGRATOR_VELOCITY_VERLET};
    static const double bounds[] = {0.06, 1e-4, 3e-3};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        rail_set_up s = damped(all[i]);
        s.ct = 0;
        s.along = 1;
        s.step = 1e-3; /* w = 100 rad/s */
        rail r = rail_build(&s);
        double worst = 0, swing = s.along * s.along / (2 * s.kt); /* energy of the swing */
        while (fender_world_time(r.world) < 5) {
            rail_step(&r);
            fender_ledger ledger;
            fender_world_ledger(r.world, &ledger);
            worst = larger(worst, fabs(ledger.residual));
        }
        print_message("%-20s residual %.1e of the swing's energy\n", fender_integrator_name(all[i]), worst / swing);
        assert_int_equal(fender_world_event_count(r.world, FENDER_EVENT_SLIP), 0);
        check_below(worst, bounds[i] * swing);
        fender_world_destroy(r.world);
    }
}

/* Above it: sliding with g sin a - mu_k g cos a, exactly. */
static void sliding_acceleration(void **state)
{
    (void)state;
    static const fender_integrator_method all[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER,
                                                   FENDER_INTEGRATOR_DOPRI5};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (int locate = 0; locate < 2; locate++) {
            rail_set_up s = damped(all[i]);
            s.step = 1e-3;
            s.along = 9.81 * 0.5; /* the incline of 30 degrees, mu 0.3: 2.3562872 m/s^2 */
            s.normal_force = 9.81 * sqrt(0.75);
            s.locate_events = locate;
            rail r = rail_build(&s);
            advance_to(&r, 0.5);
            double first = rail_block(&r).velocity.z;
            assert_int_equal(rail_contact(&r).mode, 2);
            advance_to(&r, 2.5);
            check_near((rail_block(&r).velocity.z - first) / 2, 2.3562872, 5e-8); /* as published */
            /* one ulp of the block's place is 1e-10 N */
            check_near((rail_block(&r).velocity.z - first) / 2, s.along - 0.3 * s.normal_force, 1e-10);
            check_near(rail_contact(&r).friction_force, 0.3 * s.normal_force, 1e-9);
            fender_world_destroy(r.world);
        }
}

static long double spare_force(const oscillator *o, long double t, const void *limit)
{
    long double x, v;
    oscillator_at(o, t, &x, &v);
    return *(const double *)limit - (o->stiffness * x + o->damping * v);
}

/* A pull that grows evenly breaks the block away when spring and damper reach mu_static N. */
static void breakaway(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED; i++)
        for (int undamped = 0; undamped < 2; undamped++) {
            rail_set_up s = damped(located[i]);
            s.ramp = 30;
            if (undamped) s.ct = 0;
            rail r = rail_build(&s);
            advance_to(&r, 0.2);
            double limit = s.mu_static * s.normal_force;
            oscillator o = {s.mass, s.ct, s.kt, 0, s.ramp, 0, 0};
            long double exact = oscillator_zero(&o, spare_force, &limit, 0.1L, 0.16L);
            double found = event_time(&r, FENDER_EVENT_SLIP, 0);
            print_message("%-8s breakaway %.12f s, off by %8.1e s\n", fender_integrator_name(located[i]), found,
                          (double)(found - exact));
            check_near(found, (double)exact, 1e-9);
            long double x, v, t = 0.2L - exact, pull = s.ramp * exact, net = pull - s.mu_kinetic * s.normal_force;
            oscillator_at(&o, exact, &x, &v);
            check_near(rail_block(&r).velocity.z, (double)(v + net * t + 0.5L * s.ramp * t * t), 1e-8);
            check_near(rail_block(&r).position.z, (double)(x + v * t + 0.5L * net * t * t + s.ramp * t * t * t / 6),
                       1e-9);
            fender_world_destroy(r.world);
        }
}

/* Sliding to rest under a load that stays: below stick_speed it sticks, with the spring at mu_k N or at rest, and
 * swings to its place. */
static void sticking_again(void **state)
{
    (void)state;
    for (int i = 0; i < LOCATED; i++)
        for (int here = 0; here < 2; here++) {
            rail_set_up s = damped(located[i]);
            s.speed = 1;
            s.along = 1;
            s.here = here;
            s.stick_speed = 1e-3;
            rail r = rail_build(&s);
            double braking = s.mu_kinetic * s.normal_force / s.mass - s.along;
            double stop = (s.speed - s.stick_speed) / braking;
            double place = (s.speed * s.speed - s.stick_speed * s.stick_speed) / (2 * braking);
            advance_to(&r, stop - 1e-3);
            assert_int_equal(rail_contact(&r).mode, 2);
            advance_to(&r, stop + 0.05);
            double found = event_time(&r, FENDER_EVENT_STICK, event_time(&r, FENDER_EVENT_STICK, 0) == 0);
            double spring = here ? 0 : s.mu_kinetic * s.normal_force / s.kt;
            oscillator o = {s.mass, s.ct, s.kt, s.along * s.mass, 0, spring, s.stick_speed};
            long double x, v;
            oscillator_at(&o, stop + 0.05L - found, &x, &v);
            print_message("%-8s %-5s sticks at %.12f s, off by %8.1e s; then off by %8.1e m\n",
                          fender_integrator_name(located[i]), here ? "here" : "carry", found, found - stop,
                          rail_block(&r).position.z - (double)(place + x - spring));
            check_near(found, stop, 1e-9);
            check_near(rail_block(&r).position.z, (double)(place + x - spring), 1e-9);
            check_near(rail_block(&r).velocity.z, (double)v, 1e-8);
            advance_to(&r, stop + 1.5);
            check_near(rail_block(&r).position.z, place - spring + s.along * s.mass / s.kt, 1e-9);
            check_near(rail_block(&r).velocity.z, 0, 1e-12);
            fender_world_destroy(r.world);
        }
}

/* Without located events: order 1 in place, and never stuck in a to and fro. */
static void unlocated(void **state)
{
    (void)state;
    double last = 0;
    for (int i = 0; i < 5; i++) {
        rail_set_up s = damped(FENDER_INTEGRATOR_RK4);
        s.locate_events = false;
        s.speed = 1;
        s.step = 1e-3 / (1 << i);
        rail r = rail_build(&s);
        advance_to(&r, 2);
        double rest = 1 / 6.0 - s.mu_kinetic * s.normal_force / s.kt, off = rail_block(&r).position.z - rest;
        check_near(rail_block(&r).velocity.z, 0, 1e-12);
        check_near(off, 0, 3e-3 * s.step + 2e-8);
        print_message("step %.2e s: off by %8.1e m\n", s.step, off);
        last = off;
        fender_world_destroy(r.world);
    }
    check_near(last, 0, 1e-6);
}

/* Energy: the residual falls with the step by the order of the method; what is lost never falls. */
static void energy(void **state)
{
    (void)state;
    double residual[4] = {0};
    for (int i = 0; i < 4; i++) {
        rail_set_up s = damped(FENDER_INTEGRATOR_RK4);
        s.step = 2e-3 / (1 << i);
        s.speed = 0.3;
        s.ramp = 8;
        s.ramp_start = 0.5;
        rail r = rail_build(&s);
        double lost = 0, swing = 0;
        fender_ledger ledger;
        while (fender_world_time(r.world) < 1.5) {
            rail_step(&r);
            fender_world_ledger(r.world, &ledger);
            assert_true(ledger.friction >= lost);
            check_near(ledger.damping, 0, 1e-15); /* its normal spring is at rest but for rounding */
            lost = ledger.friction;
            swing = larger(swing, fabs(ledger.residual));
        }
        assert_true(event_time(&r, FENDER_EVENT_SLIP, 0) > 0.9); /* slid from the beginning, stuck, broke away */
        residual[i] = swing / ledger.scale;
        print_message("step %.2e s: residual %8.1e of the scale, order %.2f\n", s.step, residual[i],
                      i ? log2(residual[i - 1] / residual[i]) : NAN);
        fender_world_destroy(r.world);
    }
    check_below(residual[3], 1e-10);
    check_below(3.5, log2(residual[1] / residual[3]) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_creep),  cmocka_unit_test(undamped_swing), cmocka_unit_test(sliding_acceleration),
        cmocka_unit_test(breakaway), cmocka_unit_test(sticking_again), cmocka_unit_test(unlocated),
        cmocka_unit_test(energy),
    };
    return cmocka_run_group_tests_name("block that sticks and slides", tests, NULL, NULL);
}
