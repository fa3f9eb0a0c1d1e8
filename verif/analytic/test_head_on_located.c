/* The head-on impacts of the contact test cases C045, C046, C048, C049 with located events: touch, release and end
 * state to 1e-9 by every method that can, and the order of convergence of the others.
 *
 * Formulas as in test_head_on: the reduced mass m obeys m d'' + c d' + k d = 0 from d(0) = 0, d'(0) = v on, until d = 0
 * (jeod_spring) or until the force is 0, from where the rest of the overlap is left at even speed (spring_damper). */
#include "check.h"
#include "scene.h"

#define STIFFNESS 3502.5367049295264
#define DAMPING   70.050734098590539
static const double speed = 2, until = 8;

typedef struct impact {
    const char *name;
    double mass, length; /* of both; length of the straight part, 0: a sphere of 1 m */
    double distance;     /* of the centres at the start */
    bool pitched;        /* the second body is turned by 180 degrees */
} impact;
static const impact impacts[] = {
    {"C045 spheres", 100, 0, 12, false},
    {"C046 spheres, one turned", 100, 0, 12, true},
    {"C048 capsules", 200, 2, 12, false},
    {"C049 capsules, one turned", 200, 2, 12, true},
};

typedef struct outcome {
    double touch, release, x1, v1, x2, v2;
} outcome;

static outcome exact(const impact *c, bool clipped, double shift)
{
    long double m = 0.5L * c->mass, s = DAMPING / (2 * m), w = sqrtl(STIFFNESS / m - s * s);
    const long double pi = 3.14159265358979323846264338327950288L;
    /* force per mass: exp(-s t) speed (a cos w t + b sin w t), a > 0: zero at pi - atan(a/b) */
    long double a = 2 * s, b = (STIFFNESS / m - 2 * s * s) / w, t = clipped ? (pi - atan2l(a, b)) / w : pi / w;
    long double decay = expl(-s * t), left = speed / w * decay * sinl(w * t);
    long double rebound = -speed * decay * (cosl(w * t) - s / w * sinl(w * t));
    long double touch = ((long double)c->distance + shift - 2 - c->length) / speed;
    long double release = touch + t + (clipped ? left / rebound : 0);
    /* the centre of mass moves at half the speed; the distance at release is that of touch, 2 + length */
    long double middle = 0.5L * ((long double)c->distance + shift) - 0.5L * speed * until;
    long double half = 0.5L * (2 + c->length + rebound * (until - release));
    return (outcome){(double)touch,           (double)release,
                     (double)(middle - half), (double)(-0.5L * (speed + rebound)),
                     (double)(middle + half), (double)(-0.5L * (speed - rebound))};
}

typedef struct row {
    fender_integrator_method method;
    double step, tolerance;
    bool located;
} row;

static outcome simulate(const impact *c, bool clipped, double shift, const row *r)
{
    scene s = scene_with_type(
        (scene_type){clipped ? SCENE_SPRING_DAMPER : SCENE_JEOD_SPRING, STIFFNESS, DAMPING, 0, 1e-3, 0});
    s.world.method = r->method;
    s.world.step = r->step;
    s.world.relative_tolerance = r->tolerance;
    s.world.locate_events = r->located;
    s.body_count = 2;
    for (int i = 0; i < 2; i++) {
        scene_body *body = &s.bodies[i];
        *body = scene_ball(i + 1, c->mass, 1);
        body->shapes[0].half_length = 0.5 * c->length;
        body->shapes[0].X_SG.q = (fender_quaternion){sqrt(0.5), 0, sqrt(0.5), 0}; /* axis along x */
    }
    s.bodies[1].state.position.x = c->distance + shift;
    s.bodies[1].state.velocity.x = -speed;
    if (c->pitched) s.bodies[1].state.attitude = (fender_quaternion){0, 0, 1, 0};
    fender_world *world = scene_build(&s);
    outcome o = {NAN, NAN, NAN, NAN, NAN, NAN};
    while (fender_world_time(world) < until - 1e-12) {
        check_ok(fender_world_step(world, &error));
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            if (events[i].kind == FENDER_EVENT_BEGIN) o.touch = events[i].time;
            if (events[i].kind == FENDER_EVENT_END) o.release = events[i].time;
        }
    }
    fender_body_data one = scene_body_data(world, 1), two = scene_body_data(world, 2);
    double past = fender_world_time(world) - until; /* an adaptive method ends its steps where it likes: free flight */
    o.x1 = one.position.x - past * one.velocity.x, o.v1 = one.velocity.x;
    o.x2 = two.position.x - past * two.velocity.x, o.v2 = two.velocity.x;
    /* nothing sideways, no spin */
    check_near(fabs(two.position.y) + fabs(two.position.z) + fender_vec3_length(two.angular_velocity), 0, 1e-12);
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_below(ledger.linear_drift, 1e-12 * c->mass * speed);
    fender_world_destroy(world);
    return o;
}

/* 1e-9 s, m and m/s. The tolerance of events (1e-14 s) and rounding are far below; a step of 1 ms of RK4 has an error
 * of 1e-10 (test_located), the tolerance of the adaptive methods is 1e-12 a step. */
static void to_a_billionth(void **state)
{
    (void)state;
    static const row rows[] = {
        {FENDER_INTEGRATOR_RK4, 1e-3, 0, true},
        {FENDER_INTEGRATOR_DOPRI5, 1, 1e-12, true},
        {FENDER_INTEGRATOR_DOP853, 1, 1e-12, true},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (!fender_integrator_name(rows[k].method)) continue;
        for (size_t i = 0; i < sizeof impacts / sizeof impacts[0]; i++)
            for (int clipped = 0; clipped < 2; clipped++) {
                const impact *c = &impacts[i];
                outcome want = exact(c, clipped, 0), is = simulate(c, clipped, 0, &rows[k]);
                print_message("%-8s %-27s %-13s touch %9.1e s, release %9.1e s, v1 %9.1e m/s, x2 %9.1e m\n",
                              fender_integrator_name(rows[k].method), c->name,
                              clipped ? "spring_damper" : "jeod_spring", is.touch - want.touch,
                              is.release - want.release, is.v1 - want.v1, is.x2 - want.x2);
                check_near(is.touch, want.touch, 1e-9);
                check_near(is.release, want.release, 1e-9);
                check_near(is.x1, want.x1, 1e-9);
                check_near(is.x2, want.x2, 1e-9);
                check_near(is.v1, want.v1, 1e-9);
                check_near(is.v2, want.v2, 1e-9);
            }
    }
}

/* Largest error of the velocities over eight places of the touch within a step, at steps of 16, 8, 4, 2 ms: with events
 * located the order of the method, without that order 1, whatever the method. */
static void order(void **state)
{
    (void)state;
    static const struct {
        row r;
        double least, most;
    } rows[] = {
        {{FENDER_INTEGRATOR_RK4, 0, 0, true}, 3.7, 4.3},
        {{FENDER_INTEGRATOR_RK4, 0, 0, false}, 0.6, 1.4},
        {{FENDER_INTEGRATOR_VELOCITY_VERLET, 0, 0, true}, 1.8, 2.2},
        {{FENDER_INTEGRATOR_VELOCITY_VERLET, 0, 0, false}, 0.6, 1.4},
        {{FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER, 0, 0, true}, 0.8, 1.7},
    };
    enum { STEPS = 4, PLACES = 8 };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (!fender_integrator_name(rows[k].r.method)) continue;
        for (int clipped = 0; clipped < 2; clipped++) {
            double worst[STEPS] = {0};
            print_message("%s, %s, %s:", fender_integrator_name(rows[k].r.method),
                          rows[k].r.located ? "located" : "not located", clipped ? "spring_damper" : "jeod_spring");
            for (int n = 0; n < STEPS; n++) {
                row r = rows[k].r;
                r.step = 16e-3 / (1 << n);
                for (int p = 0; p < PLACES; p++) {
                    double shift = speed * r.step * (p + 0.37) / PLACES;
                    outcome want = exact(&impacts[0], clipped, shift), is = simulate(&impacts[0], clipped, shift, &r);
                    worst[n] = larger(worst[n], fabs(is.v1 - want.v1));
                }
                print_message("  %.1e", worst[n]);
            }
            double observed = log2(worst[0] / worst[STEPS - 1]) / (STEPS - 1);
            print_message("  order %.2f\n", observed);
            check_below(rows[k].least, observed);
            check_below(observed, rows[k].most);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(to_a_billionth),
        cmocka_unit_test(order),
    };
    return cmocka_run_group_tests_name("head-on impacts, events located", tests, NULL, NULL);
}
