/* Stick-slip of a block on a belt, held by a spring: every slip and stick against the piecewise exact solution, and the
 * period of rigid stiction as its limit. */
/* items: M014 */
#include "oscillator.h"
#include "rail.h"

/* m = 1 kg, k = 100 N/m, N = 10 N, mu 0.4 and 0.3, belt at 0.1 m/s: with rigid stiction the block slips for 0.4712389
 * s, sticks for 0.2 s, and sticks at 0.02 m. */
static const double SPRING = 100, BELT = 0.1, RIGID_SLIP = 0.47123889803846899, RIGID_STICK = 0.2;

static rail_set_up belt(double kt, bool here)
{
    rail_set_up s = rail_default();
    s.kt = kt;
    s.ct = 1.4 * sqrt(kt * s.mass);
    s.here = here;
    s.rail_speed = s.speed = BELT;
    s.spring = SPRING;
    s.stick_speed = 1e-6;
    return s;
}

/* The exact motion: the block begins on the belt with the spring slack. */
typedef struct exact {
    const rail_set_up *s;
    long double time, place, stretch, slip; /* at the last change */
    bool sliding;
} exact;

static long double spare_force(const oscillator *o, long double t, const void *ctx)
{
    const rail_set_up *s = ctx;
    long double x, v;
    oscillator_at(o, t, &x, &v); /* of the stretch */
    return s->mu_static * s->normal_force + s->kt * x + s->ct * v;
}

static long double above_stick_speed(const oscillator *o, long double t, const void *ctx)
{
    const rail_set_up *s = ctx;
    long double x, v;
    oscillator_at(o, t, &x, &v);
    return (long double)BELT - v - s->stick_speed;
}

/* Goes on to the next change. */
static void next_change(exact *e)
{
    const rail_set_up *s = e->s;
    if (!e->sliding) { /* the stretch y = x - belt: m y'' + ct y' + (kt + k) y = -k (x0 - y0 + BELT t) */
        oscillator o = {s->mass,        s->ct,      s->kt + SPRING, -SPRING * (e->place - e->stretch),
                        -SPRING * BELT, e->stretch, e->slip};
        long double t = oscillator_zero(&o, spare_force, s, 0, 1), y;
        oscillator_at(&o, t, &y, &e->slip);
        e->place += y - e->stretch + BELT * t;
        e->time += t;
        e->sliding = true;
        return;
    }
    oscillator o = {s->mass, 0, SPRING, s->mu_kinetic * s->normal_force, 0, e->place, BELT + e->slip};
    long double t = oscillator_zero(&o, above_stick_speed, s, 0.2L, 0.6L), v;
    oscillator_at(&o, t, &e->place, &v);
    e->slip = v - BELT;
    e->stretch = s->here ? 0 : -s->mu_kinetic * s->normal_force / s->kt;
    e->time += t;
    e->sliding = false;
}

/* Times of the changes in the simulated motion. */
static int simulate(const rail_set_up *s, double until, double *changes, int capacity)
{
    rail r = rail_build(s);
    while (fender_world_time(r.world) < until) rail_step(&r);
    int count = 0;
    for (int i = 0; i < r.event_count; i++)
        if ((r.events[i].kind == FENDER_EVENT_SLIP || (r.events[i].kind == FENDER_EVENT_STICK && count > 0)) &&
            count < capacity)
            changes[count++] = r.events[i].time;
    fender_ledger ledger;
    fender_world_ledger(r.world, &ledger);
    check_below(fabs(ledger.residual), 1e-8 * ledger.scale);
    fender_world_destroy(r.world);
    return count;
}

static void every_change(void **state)
{
    (void)state;
    static const fender_integrator_method methods[] = {FENDER_INTEGRATOR_RK4, FENDER_INTEGRATOR_DOPRI5,
                                                       FENDER_INTEGRATOR_DOP853};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        for (int here = 0; here < 2; here++) {
            rail_set_up s = belt(1e4, here);
            s.method = methods[i];
            s.step = 2e-4;
            s.tolerance = 1e-12;
            double changes[12];
            assert_true(simulate(&s, 4.5, changes, 12) == 12);
            exact e = {&s, 0, 0, 0, 0, false};
            double worst = 0;
            for (int k = 0; k < 12; k++) {
                next_change(&e);
                worst = larger(worst, fabs(changes[k] - (double)e.time));
            }
            print_message("%-8s %-5s 12 changes, worst %8.1e s\n", fender_integrator_name(methods[i]),
                          here ? "here" : "carry", worst);
            /* an error in one change moves all that follow: twelve times the 1e-10 s that a single one may be off by */
            check_below(worst, 1.3e-9);
        }
}

static double exact_period(double kt, bool here)
{
    rail_set_up s = belt(kt, here);
    s.stick_speed = 1e-9;
    exact e = {&s, 0, 0, 0, 0, false};
    for (int k = 0; k < 40; k++) next_change(&e);
    long double start = e.time;
    next_change(&e);
    next_change(&e);
    return (double)(e.time - start);
}

/* How stiff the bristle has to be for the period of rigid stiction: about 40 times less with carry. */
static void rigid_limit(void **state)
{
    (void)state;
    double rigid = RIGID_SLIP + RIGID_STICK;
    for (double kt = 1e4; kt < 2e8; kt *= 10)
        print_message("kt %.0e N/m: period off by %8.1e (carry), %8.1e (here)\n", kt,
                      exact_period(kt, false) / rigid - 1, exact_period(kt, true) / rigid - 1);
    check_near(exact_period(1e6, false) / rigid, 1, 2e-6);
    check_near(exact_period(4e7, true) / rigid, 1, 2e-6);
    check_below(1e-5, fabs(exact_period(1e6, true) / rigid - 1));

    rail_set_up s = belt(1e6, false);
    s.method = FENDER_INTEGRATOR_DOPRI5;
    s.tolerance = 1e-10;
    double changes[9];
    assert_true(simulate(&s, 3.5, changes, 9) == 9);
    print_message("simulated at 1e6 N/m: %.9f s\n", changes[8] - changes[6]);
    check_near(changes[8] - changes[6], rigid, 2e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_change), cmocka_unit_test(rigid_limit)};
    return cmocka_run_group_tests_name("stick-slip on a belt", tests, NULL, NULL);
}
