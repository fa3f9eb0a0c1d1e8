/* Head-on impacts against the damped oscillator: times, depths, forces, restitution, and how fast they converge.
 *
 * In contact, two bodies of reduced mass m obey m d'' + c d' + k d = 0 with d(0) = 0, d'(0) = v. With s = c/2m,
 * w^2 = k/m - s^2: d = (v/w) exp(-s t) sin(w t), and the force is m v exp(-s t) (a cos w t + b sin w t) with a = 2s,
 * b = (k/m - 2 s^2)/w. `jeod_spring` lets it become attractive until d = 0; `spring_damper` clips it where it is 0. */
/* items: C008 */
#include "check.h"
#include "scene.h"
#include "verified.h"
#include <string.h>

typedef struct impact {
    const char *name;
    double mass_1, mass_2, length_1, length_2; /* length: of the straight part; 0: a sphere of 1 m */
    bool clipped;
    double stiffness, damping;
} impact;

typedef struct figures {
    double touch, release, depth, depth_time, force, force_time, restitution, v1, v2;
} figures;
enum { FIGURE_COUNT = sizeof(figures) / sizeof(double) };
static const char *const figure_names[] = {"touch",    "release",     "largest depth", "its time",  "largest force",
                                           "its time", "restitution", "velocity 1",    "velocity 2"};
static const char *const figure_units[] = {"s", "s", "m", "s", "N", "s", "1", "m/s", "m/s"};

static const double speed = 2;
#define K 3502.5367049295264
#define C 70.050734098590539

static figures exact(const impact *c, double gap)
{
    figures f;
    double m = c->mass_1 * c->mass_2 / (c->mass_1 + c->mass_2), s = c->damping / (2 * m);
    double w = sqrt(c->stiffness / m - s * s), a = 2 * s, b = (c->stiffness / m - 2 * s * s) / w;
    const double pi = acos(-1);
    f.touch = gap / speed;
    double t = atan2(w, s); /* d' = 0 */
    f.depth_time = f.touch + t / w;
    f.depth = speed / w * exp(-s * t / w) * sin(t);
    t = atan2(w * b - s * a, s * b + w * a); /* F' = 0 */
    f.force_time = f.touch + t / w;
    f.force = m * speed * exp(-s * t / w) * (a * cos(t) + b * sin(t));
    t = c->clipped && c->damping > 0 ? pi - atan2(a, b) : pi; /* F = 0, or d = 0 */
    f.restitution = -exp(-s * t / w) * (cos(t) - s / w * sin(t));
    f.release = f.touch + t / w;
    if (c->clipped) { /* no force from there on: what depth is left is covered at the rebound speed */
        double left = speed / w * exp(-s * t / w) * sin(t);
        f.release += left / (f.restitution * speed);
    }
    f.v1 = -(1 + f.restitution) * speed * c->mass_2 / (c->mass_1 + c->mass_2);
    f.v2 = f.v1 + f.restitution * speed;
    return f;
}

static scene_body body_of(int label, double mass, double length)
{
    scene_body body = scene_ball(label, mass, 1);
    body.shapes[0].half_length = length / 2;
    body.shapes[0].X_SG.q = (fender_quaternion){sqrt(0.5), 0, sqrt(0.5), 0};
    return body;
}

static figures simulate(const impact *c, double gap, double step)
{
    scene s = scene_with_type(
        (scene_type){c->clipped ? SCENE_SPRING_DAMPER : SCENE_JEOD_SPRING, c->stiffness, c->damping, 0, 1e-3, 0});
    s.world.step = step;
    s.body_count = 2;
    s.bodies[0] = body_of(0, c->mass_1, c->length_1);
    s.bodies[1] = body_of(1, c->mass_2, c->length_2);
    s.bodies[1].state.position.x = 2 + 0.5 * (c->length_1 + c->length_2) + gap;
    s.bodies[1].state.velocity.x = -speed;
    fender_world *world = scene_build(&s);
    figures f;
    memset(&f, 0, sizeof f);
    while (f.release == 0 && fender_world_time(world) < 20) {
        check_ok(fender_world_step(world, &error));
        fender_contact_data data;
        assert_int_equal(fender_contact_between(world, fender_shape_at(world, 0), fender_shape_at(world, 1), &data), 0);
        if (data.touching && data.depth > f.depth) f.depth = data.depth, f.depth_time = fender_world_time(world);
        int count;
        const fender_event *events = fender_world_events(world, &count);
        for (int i = 0; i < count; i++) {
            if (events[i].kind == FENDER_EVENT_BEGIN) f.touch = events[i].time;
            if (events[i].kind != FENDER_EVENT_END) continue;
            f.release = events[i].time;
            f.force = events[i].contact.peak_force;
            f.force_time = events[i].contact.peak_force_time;
            assert_true(events[i].contact.peak_depth >= f.depth); /* between accepted states too */
            f.depth = events[i].contact.peak_depth;
            /* the impulse that was booked is the momentum that was exchanged */
            check_near(events[i].contact.impulse, c->mass_1 * fabs(scene_body_data(world, 0).velocity.x), 1e-9);
        }
    }
    f.v1 = scene_body_data(world, 0).velocity.x;
    f.v2 = scene_body_data(world, 1).velocity.x;
    f.restitution = (f.v2 - f.v1) / speed;
    fender_world_destroy(world);
    return f;
}

static double figure(const figures *f, int i) { return ((const double *)f)[i]; }

/* Published scenarios at a short step, next to the closed form. */
static void scenario(const impact *c, double distance)
{
    double gap = distance - 2 - 0.5 * (c->length_1 + c->length_2), h = 1e-4;
    figures ours = simulate(c, gap, h), want = exact(c, gap);
    for (int i = 0; i < FIGURE_COUNT; i++) {
        bool time = strcmp(figure_units[i], "s") == 0;
        /* times are read off the steps; the rest is of first order, 0.05 of the size per second */
        double allowed = time ? 2.1 * h : 0.5 * h * (1 + fabs(figure(&want, i)));
        check_verified(c->name, figure_names[i], figure_units[i], "damped oscillator, step 0.1 ms", figure(&ours, i),
                       figure(&want, i), allowed);
    }
}

static const impact spheres_raw = {"C045 two spheres of 100 kg, jeod_spring", 100, 100, 0, 0, false, K, C};
static const impact spheres_clipped = {"C045 two spheres of 100 kg, spring_damper", 100, 100, 0, 0, true, K, C};
static const impact capsules_raw = {"C048 two capsules of 200 kg, jeod_spring", 200, 200, 2, 2, false, K, C};
static const impact capsules_clipped = {"C048 two capsules of 200 kg, spring_damper", 200, 200, 2, 2, true, K, C};
static const impact mixed_raw = {"a sphere of 100 kg on a capsule of 200 kg, jeod_spring", 200, 100, 2, 0, false, K, C};
static const impact mixed_clipped = {
    "a sphere of 100 kg on a capsule of 200 kg, spring_damper", 200, 100, 2, 0, true, K, C};
static const impact undamped = {"two spheres of 100 kg, spring_damper without damping", 100, 100, 0, 0, true, K, 0};

/* Figures that were derived elsewhere from the same equations: they guard the formulas above. */
static void closed_forms(void **state)
{
    (void)state;
    figures a = exact(&spheres_raw, 10), b = exact(&spheres_clipped, 10), c = exact(&capsules_raw, 8);
    figures d = exact(&capsules_clipped, 8), e = exact(&mixed_raw, 9), f = exact(&mixed_clipped, 9);
    check_near(a.release, 5.376678, 5e-7);
    check_near(a.depth, 0.2109029, 5e-8);
    check_near(a.depth_time, 5.178292, 5e-7);
    check_near(a.force, 749.166, 5e-4);
    check_near(a.force_time, 5.158197, 1.1e-6);
    check_near(a.restitution, 0.7680768, 5e-8);
    check_near(a.v1, -1.7680768, 5e-8);
    check_near(a.v2, -0.2319232, 5e-8);
    check_near(b.restitution, 0.7789647, 5e-8);
    check_near(c.release, 4.531766, 5e-7);
    check_near(c.depth, 0.3089719, 5e-8);
    check_near(c.depth_time, 4.255859, 5e-7);
    check_near(c.force, 1089.811, 5e-4);
    check_near(c.force_time, 4.235812, 1.1e-6);
    check_near(c.restitution, 0.8300636, 5e-8);
    check_near(d.restitution, 0.8359124, 5e-8);
    check_near(d.v1, -1.8359124, 5e-8);
    check_near(e.restitution, 0.7958751, 5e-8);
    check_near(e.v1, -1.1972501, 5e-8);
    check_near(e.v2, 0.3945001, 5e-8);
    check_near(f.restitution, 0.8043116, 5e-8);
    check_near(f.v1, -1.2028744, 5e-8);
    check_near(f.v2, 0.4057489, 5e-8);
}

static void scenarios(void **state)
{
    (void)state;
    scenario(&spheres_raw, 12);
    scenario(&spheres_clipped, 12);
    scenario(&capsules_raw, 12);
    scenario(&capsules_clipped, 12);
    scenario(&mixed_raw, 12);
    scenario(&mixed_clipped, 12);
}

/* Observed order: the mean of the error over 64 places of the touch within a step, so that a lucky place does not hide
 * it. Without location of the touch a step that holds it takes the force of its stages: some of them are before the
 * touch and see none. What the step loses or gains is at most its length times the step of the force at touch, c v, and
 * the impulse is off by that: first order. Without damping the force starts at zero, only its slope jumps, and a
 * second power of the step remains. `expected` is the order that is asked for. */
static void convergence(const impact *c, double expected)
{
    enum { PHASES = 64, STEPS = 7 };
    static const int shown[] = {6, 2, 4};
    double mean[STEPS][3] = {{0}};
    printf("%s: mean error over %d places of the touch within a step\n", c->name, PHASES);
    printf("    step [ms]   restitution  order    depth [m]  order    force [N]  order\n");
    for (int k = 0; k < STEPS; k++) {
        double h = 0.01 / (1 << k);
        for (int phase = 0; phase < PHASES; phase++) {
            double gap = 0.1 + speed * h * (phase + 0.5) / PHASES;
            figures ours = simulate(c, gap, h), want = exact(c, gap);
            for (int i = 0; i < 3; i++) mean[k][i] += fabs(figure(&ours, shown[i]) - figure(&want, shown[i])) / PHASES;
        }
        printf("    %8.5f", 1000 * h);
        for (int i = 0; i < 3; i++)
            printf("   %10.3e  %s%4.2f", mean[k][i], k ? " " : "-", k ? log2(mean[k - 1][i] / mean[k][i]) : 0.0);
        printf("\n");
    }
    for (int i = 0; i < 3; i++) {
        double order = log2(mean[1][i] / mean[STEPS - 1][i]) / (STEPS - 2);
        printf("    observed order over the last %d halvings: %.2f\n", STEPS - 2, order);
        check_near(order, expected, 0.25);
    }
}

static void first_order(void **state)
{
    (void)state;
    convergence(&spheres_clipped, 1);
    convergence(&spheres_raw, 1);
    convergence(&capsules_clipped, 1);
}

static void second_order_without_damping(void **state)
{
    (void)state;
    convergence(&undamped, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(scenarios),
        cmocka_unit_test(first_order),
        cmocka_unit_test(second_order_without_damping),
    };
    return cmocka_run_group_tests_name("head-on impacts", tests, NULL, NULL);
}
