/* The law mindlin by itself: its increments along paths of depth and slip that have a closed form. */
#include "law_test.h"

static const double MODULUS = 2e7, RADIUS = 0.05; /* Pa, m */

typedef struct path {
    double depth, rate, speed; /* m, m/s, m/s: of the slip along x */
} path;

typedef struct walk {
    lone_law law;
    fender_contact_surface surface;
    fender_contact_input in;
    double states[3];
    union {
        double align;
        char bytes[64];
    } memory;
} walk;

static walk serializer_of(double mu)
{
    walk w = {.law = law_named("mindlin")};
    law_set(&w.law, "mu", mu);
    law_set(&w.law, "modulus", MODULUS);
    w.surface.radius = RADIUS;
    w.surface.relative.first = w.surface.relative.second = 1 / RADIUS;
    w.in.normal_force = 1e3;
    return w;
}

static void rates(walk *w, const double *states, double *out)
{
    w->in.surface = &w->surface;
    w->in.states = states;
    w->law.law->state_rates(w->law.parameters.bytes, &w->in, w->memory.bytes, out);
}

/* Steps of Runge and Kutta's along an even path; as the engine, with a commit after each. */
static void go(walk *w, path from, double time, int steps)
{
    static const double parts[] = {0, 0.5, 0.5, 1}, weights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double h = time / steps;
    w->in.depth_rate = w->in.area > 0 ? 1e6 : from.rate; /* a patch is laid out anew: not the rate of its depths */
    w->in.slip.x = from.speed;
    for (int i = 0; i < steps; i++) {
        double sum[3] = {0, 0, 0}, k[3] = {0, 0, 0};
        for (int n = 0; n < 4; n++) {
            double at[3] = {w->states[0] + parts[n] * h * k[0], w->states[1] + parts[n] * h * k[1]};
            w->in.depth = from.depth + from.rate * h * (i + parts[n]);
            rates(w, at, k);
            sum[0] += weights[n] * h * k[0];
            sum[1] += weights[n] * h * k[1];
        }
        w->states[0] += sum[0];
        w->states[1] += sum[1];
        w->in.states = w->states;
        fender_contact_change change = {.states = w->states};
        w->law.law->update(w->law.parameters.bytes, &w->in, NULL, w->memory.bytes, &change);
    }
}

static fender_contact_output say(walk *w)
{
    fender_contact_output out;
    memset(&out, 0, sizeof out);
    w->in.states = w->states;
    w->law.law->force(w->law.parameters.bytes, &w->in, w->memory.bytes, &out);
    return out;
}

static double stiffness_at(double depth) { return 8 * MODULUS * sqrt(RADIUS * depth); }

/* At a held depth a linear spring; pressed deeper without slip the force stays; relieved, it falls with the stiffness.
 */
static void paths(void **state)
{
    (void)state;
    walk w = serializer_of(100);
    const double d = 1e-3, slid = 2e-5;
    go(&w, (path){d, 0, slid}, 1, 10);
    double force = stiffness_at(d) * slid;
    check_near(say(&w).force.x, -force, 1e-12 * force);
    go(&w, (path){d, d, 0}, 1, 200); /* to twice the depth */
    check_near(say(&w).force.x, -force, 1e-9 * force);
    go(&w, (path){2 * d, -1.5 * d, 0}, 1, 200);              /* to half of the first */
    check_near(say(&w).force.x, -force * 0.5, 1e-9 * force); /* sqrt(0.5 / 2) */
    check_near(say(&w).force.y, 0, 0);
    go(&w, (path){0.5 * d, 0, -slid}, 1, 10); /* back: a loop that has given less than it took */
    assert_true(say(&w).force.x > 0);
}

/* The same at a point of a patch, whose depth does not change at the rate of the bodies: in one step or many, from a
 * thousandth of the depth at the state before. With the history `force` it stays as the depth falls. What is
 * stored is f^2 / 2k at the accepted states. */
static void paths_of_patches(void **state)
{
    (void)state;
    const double d = 1e-3, slid = 2e-5;
    for (int k = 0; k < 4; k++) {
        const int history = k / 2, steps = k % 2 ? 1 : 10;
        walk w = serializer_of(100);
        law_set(&w.law, "history", history);
        w.in.area = 1e-4;
        go(&w, (path){1e-3 * d, 0, 0}, 1, 1); /* a thousandth of the depth, and all of it at the next state */
        go(&w, (path){d, 0, slid}, 1, steps);
        double force = stiffness_at(d) * slid;
        check_near(say(&w).force.x, -force, 1e-12 * force);
        go(&w, (path){d, d, 0}, 1, steps);
        check_near(say(&w).force.x, -force, 1e-12 * force);
        go(&w, (path){2 * d, -1.5 * d, 0}, 1, steps);
        if (history == 0) force *= 0.5; /* sqrt(0.5 / 2) */
        check_near(say(&w).force.x, -force, 1e-12 * force);
        const double stored = w.law.law->stored_energy(w.law.parameters.bytes, &w.in, w.memory.bytes);
        check_near(stored, 0.5 * force * force / stiffness_at(0.5 * d), 1e-12 * stored);
        go(&w, (path){0.5 * d, 0, -slid}, 1, steps);
        force -= stiffness_at(0.5 * d) * slid;
        check_near(say(&w).force.x, -force, 1e-12 * stiffness_at(d) * slid);
        if (history != 0) continue;
        go(&w, (path){0.5 * d, -0.25 * d, -slid}, 1, steps); /* the stretch follows the slip as it is */
        force = stiffness_at(0.25 * d) * (force / stiffness_at(0.5 * d) - slid);
        check_near(say(&w).force.x, -force, 1e-12 * stiffness_at(d) * slid);
    }
}

/* Pressed and slid at even rates from touch: f' = 8 G* sqrt(R d) v, so f = 16/3 G* sqrt(R d) s (Walton 1987). */
static void oblique(void **state)
{
    (void)state;
    const double d = 1e-3, slid = 3e-5;
    for (int patch = 0; patch < 2; patch++) {
        walk w = serializer_of(100);
        w.in.area = patch ? 1e-4 : 0;
        go(&w, (path){1e-12, d, slid}, 1, 20000);
        double force = 16.0 / 3 * MODULUS * sqrt(RADIUS * d) * slid;
        print_message("off by %.1e of the force\n", -say(&w).force.x / force - 1);
        check_near(-say(&w).force.x, force, 1e-6 * force); /* the first steps, where the stiffness begins like a root */
    }
}

/* Lost is all that the paths above do not give back: nothing at a held depth, else as the stiffness changes. */
static void losses(void **state)
{
    (void)state;
    walk w = serializer_of(100);
    const double d = 1e-3, slid = 2e-5;
    go(&w, (path){d, 0, slid}, 1, 10);
    check_near(say(&w).friction_power, 0, 1e-15);
    double energy = w.law.law->stored_energy(w.law.parameters.bytes, &w.in, w.memory.bytes);
    check_near(energy, 0.5 * stiffness_at(d) * slid * slid, 1e-15);
    for (int i = 0; i < 2; i++) {
        w.in.depth_rate = i ? -d : d;
        w.in.slip.x = 0;
        check_near(say(&w).friction_power, 0.5 * energy, 1e-12 * energy); /* k' / k = 1/2 per second, either way */
    }
}

/* The two histories that DEM codes have beside: a force that stays, and k times the way at any depth. What the change
 * of stiffness gives the spring, k' s^2 / 2 less what the stretch loses, is from outside; nothing is lost. */
static void histories(void **state)
{
    (void)state;
    const double d = 1e-3, slid = 2e-5;
    for (int history = 1; history <= 2; history++) {
        walk w = serializer_of(100);
        law_set(&w.law, "history", history);
        go(&w, (path){d, 0, slid}, 1, 10);
        double force = stiffness_at(d) * slid, energy = 0.5 * force * slid;
        check_near(say(&w).force.x, -force, 1e-12 * force);
        w.in.depth_rate = d; /* k' / k = 1/2 per second */
        w.in.slip.x = 0;
        check_near(say(&w).friction_power, 0, 1e-15);
        check_near(say(&w).supplied_power, (history == 1 ? -0.5 : 0.5) * energy, 1e-12 * energy);
        go(&w, (path){d, d, 0}, 1, 200);             /* to twice the depth */
        go(&w, (path){2 * d, -1.5 * d, 0}, 1, 2000); /* to half of the first */
        double expected = history == 1 ? force : force * sqrt(0.5);
        check_near(say(&w).force.x, -expected, 1e-9 * force);
        check_near(say(&w).friction_power, 0, 1e-15);
        go(&w, (path){0.5 * d, 0, -slid}, 1, 10);
        expected -= stiffness_at(0.5 * d) * slid;
        check_near(say(&w).force.x, -expected, 1e-9 * force);
        w.in.normal_force = 0.01 * force; /* held to mu N, and the way beyond is gone */
        go(&w, (path){0.5 * d, 0, slid}, 10, 1000);
        check_near(say(&w).force.x, -force, 1e-9 * force);
    }
}

/* No more than mu N, along the slip at last; in the air nothing. */
static void limits(void **state)
{
    (void)state;
    walk w = serializer_of(0.25);
    go(&w, (path){1e-3, 0, 1}, 1e-2, 100);
    check_near(say(&w).force.x, -250, 1e-10);
    w.in.normal_force = 0;
    check_near(say(&w).force.x, 0, 0);
    w.in.depth = -1e-9;
    check_near(say(&w).force.x, 0, 0);
    w.in.surface = NULL; /* flat: as a sphere of largest_radius, 10 m */
    w.in.normal_force = 1e9;
    w.in.depth = 1e-3;
    w.states[0] = 1e-6;
    w.in.slip.x = 0;
    check_near(say(&w).force.x, -8 * MODULUS * sqrt(10 * 1e-3) * 1e-6, 1e-12);
}

/* With Hertz's law of the same bodies the tangential stiffness 8 G* a is 2 (1 - nu) / (2 - nu) times the normal one,
 * 2 E* a, at every depth (Mindlin 1949): for flat shapes too, along lines, without shapes and at a given radius. */
static void beside_hertz(void **state)
{
    (void)state;
    static const struct {
        double first, second, radius, largest; /* 1/m; m: 0: by the shapes, as by default */
        bool shapes;
    } rows[] = {{0, 0, 0, 10, false}, {0, 0, 0, 10, true},     {20, 20, 0, 10, true},   {1e-3, -2, 0, 10, true},
                {0, 0, 0, 3, true},   {0.1, 0.05, 0, 3, true}, {20, 20, 0.3, 10, true}, {0, 0, 0.3, 10, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double poisson = 0.25, depth = 2e-4;
        lone_law laws[] = {law_named("hertz"), law_named("mindlin")};
        fender_contact_surface surface = {.relative = {.first = rows[i].first, .second = rows[i].second}};
        const double product = rows[i].first * rows[i].second;
        surface.radius = rows[i].second > 0 ? 1 / sqrt(product) : INFINITY;
        fender_contact_input in = {.depth = depth, .weight = 1, .surface = rows[i].shapes ? &surface : NULL};
        fender_law_stiffness stiffness = {0};
        law_set(&laws[1], "mu", 0.3);
        for (int k = 0; k < 2; k++) {
            law_set(&laws[k], "young", 70e9);
            law_set(&laws[k], "poisson", poisson);
            law_set(&laws[k], "radius", rows[i].radius);
            law_set(&laws[k], "largest_radius", rows[i].largest);
            laws[k].law->stiffness(laws[k].parameters.bytes, &in, &stiffness);
        }
        const double ratio = stiffness.tangential_stiffness / stiffness.normal_stiffness;
        check_near(ratio, 2 * (1 - poisson) / (2 - poisson), 1e-14); /* rounding of roots and moduli */
    }
}

/* Across the line of a cylinder on a plane R is the mean of its radius and the largest one. */
static void along_a_line(void **state)
{
    (void)state;
    walk w = serializer_of(1e3);
    w.surface = (fender_contact_surface){.relative = {.first = 1 / RADIUS}, .radius = INFINITY};
    w.in.surface = &w.surface;
    w.in.depth = 1e-4;
    w.states[0] = 1e-9;
    double expected = 8 * MODULUS * sqrt(sqrt(RADIUS * 10) * 1e-4) * 1e-9;
    check_near(-say(&w).force.x / expected, 1, 1e-14);
    assert_true(w.law.law->reads_surface(w.law.parameters.bytes));
    law_set(&w.law, "radius", 0.2); /* the shapes are not asked */
    assert_false(w.law.law->reads_surface(w.law.parameters.bytes));
    check_near(-say(&w).force.x / (8 * MODULUS * sqrt(0.2 * 1e-4) * 1e-9), 1, 1e-14);
}

/* G* from Young's moduli: like bodies, unlike ones, a rigid one; one of the two ways, not both. */
static void of_materials(void **state)
{
    (void)state;
    static const struct {
        double young_b, poisson_b, inverse; /* 1/Pa; (2 - nu)/G of both, G = E / (2 (1 + nu)) */
    } rows[] = {
        {0, 0.3, 2 * 1.75 / 80e9}, {70e9, 0.33, 1.75 / 80e9 + 1.67 / (70e9 / 2.66)}, {INFINITY, 0, 1.75 / 80e9}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        walk w = serializer_of(1e3);
        law_set(&w.law, "modulus", 0);
        law_set(&w.law, "young", 200e9); /* G = 80 GPa */
        law_set(&w.law, "poisson", 0.25);
        law_set(&w.law, "young_b", rows[i].young_b);
        law_set(&w.law, "poisson_b", rows[i].poisson_b);
        assert_int_equal(w.law.law->check(w.law.parameters.bytes, NULL), FENDER_STATUS_OK);
        w.in.depth = 1e-4;
        w.in.surface = &w.surface;
        w.states[0] = 1e-9;
        double expected = 8 / rows[i].inverse * sqrt(RADIUS * 1e-4) * 1e-9;
        check_near(-say(&w).force.x / expected, 1, 1e-14);
        fender_error error = {0};
        law_set(&w.law, "modulus", MODULUS);
        assert_int_equal(w.law.law->check(w.law.parameters.bytes, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.suggestion, "leave one of them out");
        law_set(&w.law, "modulus", 0);
        law_set(&w.law, "young", 0);
        error = (fender_error){0};
        assert_int_equal(w.law.law->check(w.law.parameters.bytes, &error), FENDER_STATUS_VALUE);
        assert_string_equal(error.suggestion, "give G* as modulus, or young and poisson");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths),        cmocka_unit_test(paths_of_patches), cmocka_unit_test(oblique),
        cmocka_unit_test(losses),       cmocka_unit_test(histories),        cmocka_unit_test(limits),
        cmocka_unit_test(of_materials), cmocka_unit_test(beside_hertz),     cmocka_unit_test(along_a_line)};
    return cmocka_run_group_tests_name("Mindlin's spring", tests, NULL, NULL);
}
