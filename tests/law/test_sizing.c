/* Sizing: tables that were published, closed forms, and impacts integrated in long double that know none of them. */
/* items: M034 */
#include <fender/sizing.h>

#include "law_test.h"
#include "random_numbers.h"

/* An impact of F = k d^n (1 + D d') or k d + c d', integrated by RK4 in small steps, with the end halved down to. */
typedef struct spring {
    long double mass, stiffness, exponent, damping, factor; /* factor: D */
} spring;
typedef struct course {
    long double restitution, duration, depth, force;
} course;

static long double force_of(const spring *s, long double d, long double v)
{
    long double power = d > 0 ? powl(d, s->exponent) : 0;
    return s->stiffness * power * (1 + s->factor * v) + s->damping * v;
}

static void step(const spring *s, long double h, long double *d, long double *v)
{
    long double dd[4], dv[4], part[4] = {0, h / 2, h / 2, h};
    for (int i = 0; i < 4; i++) {
        long double x = *d + (i ? part[i] * dd[i - 1] : 0), u = *v + (i ? part[i] * dv[i - 1] : 0);
        dd[i] = u;
        dv[i] = -force_of(s, x, u) / s->mass;
    }
    *d += h / 6 * (dd[0] + 2 * dd[1] + 2 * dd[2] + dd[3]);
    *v += h / 6 * (dv[0] + 2 * dv[1] + 2 * dv[2] + dv[3]);
}

static bool is_over(const spring *s, long double d, long double v, bool clipped)
{
    return v < 0 && (clipped ? force_of(s, d, v) <= 0 : d <= 0);
}

static course run(const spring *s, long double speed, long double h, bool clipped)
{
    long double d = 0, v = speed, t = 0;
    course c = {0};
    for (;;) {
        long double before_d = d, before_v = v;
        long double force = force_of(s, d, v);
        if (d > c.depth) c.depth = d;
        if (force > c.force) c.force = force;
        step(s, h, &d, &v);
        if (!is_over(s, d, v, clipped)) {
            t += h;
            continue;
        }
        long double low = 0, high = h;
        for (int i = 0; i < 70; i++) {
            long double middle = (low + high) / 2;
            d = before_d, v = before_v;
            step(s, middle, &d, &v);
            if (is_over(s, d, v, clipped)) high = middle;
            else low = middle;
        }
        c.restitution = -v / speed;
        c.duration = t + high;
        return c;
    }
}

/* Figures of a linear impact for any damping, clipped and not. Peaks are sampled every 1/4000 radian: (w h)^2 / 8 off.
 */
static void linear_impacts(void **state)
{
    const double ratios[] = {0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.45, 0.5, 0.55, 0.8, 0.99, 1, 1.01, 2, 5};
    double worst[4] = {0, 0, 0, 0};
    (void)state;
    for (size_t i = 0; i < sizeof ratios / sizeof ratios[0]; i++)
        for (int clipped = 0; clipped < 2; clipped++) {
            if (!clipped && ratios[i] >= 1) continue;
            double m = 388.4, k = 190437.5, v = 2, c = fender_damping_of_ratio(ratios[i], m, k), w = sqrt(k / m);
            spring s = {m, k, 1, c, 0};
            course known = run(&s, v, 1 / (4000.0L * w), clipped);
            fender_impact impact = fender_linear_impact(m, k, c, v, clipped);
            worst[0] = larger(worst[0], fabs(impact.restitution / (double)known.restitution - 1));
            worst[1] = larger(worst[1], fabs(impact.duration / (double)known.duration - 1));
            worst[2] = larger(worst[2], fabs(impact.peak_depth / (double)known.depth - 1));
            worst[3] = larger(worst[3], fabs(impact.peak_force / (double)known.force - 1));
            check_near(fender_damping_ratio(c, m, k), ratios[i], 1e-15 * (1 + ratios[i]));
        }
    printf("linear impacts: restitution %.1e, duration %.1e, depth %.1e, force %.1e off, of each\n", worst[0], worst[1],
           worst[2], worst[3]);
    check_below(worst[0],
                1e-12); /* long double RK4 by h w = 1/4000 is 1e-16 off a radian; e^(2 r g) of doubles at r = 5 */
    check_below(worst[1], 1e-11);
    check_below(worst[2], 1e-8);
    check_below(worst[3], 1e-8);
}

/* The table of restitution by damping ratio, six digits; re-computed from the closed form. */
static void restitution_of_ratios(void **state)
{
    static const double rows[][3] = {{.01, .969071, .969265}, {.05, .854468, .858758}, {.1, .729248, .744079},
                                     {.2, .526621, .571740},  {.3, .372326, .450975},  {.5, .163034, .298436}};
    static const double inverse[][3] = {{.9, .033518, .034265},
                                        {.8, .070850, .074355},
                                        {.7, .112808, .122215},
                                        {.5, .215454, .255276},
                                        {.3, .357857, .497239}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_near(fender_restitution_of_ratio(rows[i][0], false), rows[i][1], 0.51e-6);
        check_near(fender_restitution_of_ratio(rows[i][0], true), rows[i][2], 0.51e-6);
    }
    for (size_t i = 0; i < sizeof inverse / sizeof inverse[0]; i++) {
        check_near(fender_ratio_of_restitution(inverse[i][0], false), inverse[i][1], 0.51e-6);
        check_near(fender_ratio_of_restitution(inverse[i][0], true), inverse[i][2], 0.51e-6);
    }
    check_near(fender_ratio_of_restitution(.1, false), .591155, 0.51e-6);
    check_near(fender_restitution_of_ratio(1, true), exp(-2), 1e-16);
    assert_true(fender_ratio_of_restitution(.1, true) > 1);
    assert_true(fender_restitution_of_ratio(1, false) == 0 && fender_restitution_of_ratio(3, false) == 0);
    assert_true(fender_restitution_of_ratio(0, true) == 1 && fender_ratio_of_restitution(1, true) == 0);
}

static void restitution_and_back(void **state)
{
    double worst[3] = {0, 0, 0};
    (void)state;
    for (uint64_t n = 0; n < 20000; n++) {
        random_stream r = random_of_case(81, n);
        double e = n % 2 ? random_between(&r, 1e-6, 1) : 1 - random_magnitude(&r, 1e-9, 1);
        for (int clipped = 0; clipped < 2; clipped++) {
            double ratio = fender_ratio_of_restitution(e, clipped);
            worst[clipped] = larger(worst[clipped], fabs(fender_restitution_of_ratio(ratio, clipped) / e - 1));
        }
        double c = fender_hunt_crossley_damping(e);
        worst[2] = larger(worst[2], fabs(fender_hunt_crossley_restitution(c) - e));
    }
    printf("restitution to damping and back: %.1e clipped, %.1e unclipped, %.1e Hunt-Crossley\n", worst[1], worst[0],
           worst[2]);
    check_below(worst[0], 1e-13); /* an ulp of the ratio, 14 times as large at e = 1e-6 */
    check_below(worst[1], 1e-13);
    check_below(worst[2], 1e-13);
}

/* The inverse table of Hunt and Crossley's relation, and what the common approximations give in its stead. */
static void hunt_crossley(void **state)
{
    static const double rows[][2] = {{.99, .015151}, {.95, .078927}, {.9, .166482},  {.8, .373146},
                                     {.7, .634828},  {.6, .974872},  {.5, 1.432751}, {.4, 2.082498},
                                     {.3, 3.087082}, {.2, 4.919167}, {.1, 9.998159}};
    static const double common[][4] = {{.95, .9524, .9535, .9468}, {.9, .9090, .9132, .8939}, {.8, .8329, .8471, .7885},
                                       {.7, .7680, .7960, .6832},  {.5, .6630, .7252, .4704}, {.3, .5813, .6842, .2562},
                                       {.1, .5158, .6653, .0694}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_near(fender_hunt_crossley_damping(rows[i][0]), rows[i][1], 0.51e-6);
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        double e = common[i][0];
        check_near(fender_hunt_crossley_restitution(1.5 * (1 - e)), common[i][1], 0.51e-4);
        check_near(fender_hunt_crossley_restitution(0.75 * (1 - e * e)), common[i][2], 0.51e-4);
        check_near(fender_hunt_crossley_restitution(1.6 * (1 - e) / e), common[i][3], 0.51e-4);
    }
    double worst = 0;
    const double exponents[] = {1, 1.5, 2.2};
    for (int i = 0; i < 3; i++)
        for (double c = 0.01; c < 20; c *= 3) {
            spring s = {2, 5e5, exponents[i], 0, c / 3};
            long double depth = fender_power_law_depth(2, 5e5, exponents[i], c / 3, 3);
            course known = run(&s, 3, depth / 3 / 4000, false);
            worst = larger(worst, fabs(fender_hunt_crossley_restitution(c) - (double)known.restitution));
            check_near((double)(depth / known.depth), 1, 1e-7);
        }
    printf("Hunt-Crossley against impacts: restitution %.1e off\n", worst);
    check_below(worst, 1e-9); /* d^1.5 at touch: RK4 falls to order 2.5, 4000 steps to the turn */
}

/* Chung and Ooi (2011), tests 1 and 2, as computed in the sources' list: depth, force, duration. */
static void hertz(void **state)
{
    static const double rows[][8] = {/* E, nu, rho, r, v of the pair, depth, force, time */
                                     {48e9, .2, 2800, .01, 20, 274.113e-6, 10.69690e3, 40.3395e-6},
                                     {20e9, .25, 2500, .01, 20, 368.304e-6, 7.10824e3, 54.2010e-6},
                                     {70e9, .3, 2699, .1, .2, 49.7172e-6, 11.36986e3, 731.657e-6},
                                     {40e9, .35, 1800, .1, .2, 52.1233e-6, 7.23268e3, 767.066e-6}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const double *row = rows[i], pi = 3.14159265358979324;
        double mass = row[2] * 4 / 3 * pi * row[3] * row[3] * row[3];
        bool wall = i >= 2;
        double modulus = fender_hertz_modulus(row[0], row[1], wall ? INFINITY : row[0], wall ? 0.3 : row[1]);
        double radius = fender_hertz_radius(row[3], wall ? INFINITY : row[3]);
        double reduced = fender_reduced_mass(mass, wall ? INFINITY : mass), k = fender_hertz_stiffness(modulus, radius);
        double depth = fender_power_law_depth(reduced, k, 1.5, 0, row[4]), force = k * depth * sqrt(depth);
        check_near(depth / row[5], 1, 3e-6); /* half a unit of six digits */
        check_near(force / row[6], 1, 3e-6);
        check_near(fender_power_law_duration(reduced, k, 1.5, row[4]) / row[7], 1, 3e-6);
        double linear = fender_hertz_linear_at_load(modulus, radius, force);
        check_near(force / linear / depth, 1, 1e-14);
        double struck = fender_hertz_linear_at_impact(modulus, radius, reduced, row[4]);
        check_near(fender_linear_impact(reduced, struck, 0, row[4], true).peak_depth / depth, 1, 1e-14);
    }
    check_near(fender_power_law_duration(1, 1, 1, 1), 3.14159265358979324, 1e-14);
    double depth = fender_power_law_depth(1, 1, 1.5, 0, 1);
    check_near(fender_power_law_duration(1, 1, 1.5, 1) / depth, 2.943275, 0.51e-6);
}

/* Morpheus, equations 4 and 5, as reconstructed from the published slip times: k = 190.4 kN/m, c = 1720 N s/m a leg. */
static void morpheus(void **state)
{
    (void)state;
    double mass = 15235 / 9.80665 / 4, weight = 15235.0 / 4, k = fender_stiffness_of_sink(weight, 0.02);
    check_near(k, 190.4e3, 0.05e3);
    check_near(fender_damping_of_ratio(0.1, mass, k), 1720, 5);
}

static void what_cannot_be_is_nan(void **state)
{
    (void)state;
    assert_true(isnan(fender_reduced_mass(0, 1)) && isnan(fender_reduced_mass(-1, 1)) &&
                isnan(fender_reduced_mass(NAN, 1)));
    assert_true(isnan(fender_stiffness_of_sink(1, 0)) && isnan(fender_stiffness_of_sink(-1, 1)));
    assert_true(isnan(fender_damping_of_ratio(-1, 1, 1)) && isnan(fender_damping_ratio(1, 1, 0)));
    assert_true(isnan(fender_restitution_of_ratio(-1, true)) && isnan(fender_restitution_of_ratio(NAN, false)));
    assert_true(isinf(fender_ratio_of_restitution(0, true)) && isnan(fender_ratio_of_restitution(1.1, true)) &&
                isnan(fender_ratio_of_restitution(NAN, false)) && fender_ratio_of_restitution(0, false) == 1);
    assert_true(isinf(fender_hunt_crossley_damping(0)) && isnan(fender_hunt_crossley_damping(1.01)) &&
                isnan(fender_hunt_crossley_restitution(-1)) && fender_hunt_crossley_restitution(INFINITY) == 0);
    assert_true(isnan(fender_hertz_modulus(0, .3, 1, .3)) && isnan(fender_hertz_modulus(1, .51, 1, .3)) &&
                isnan(fender_hertz_radius(1, -0.5)) && isnan(fender_hertz_stiffness(-1, 1)));
    assert_true(isnan(fender_linear_impact(1, 0, 0, 1, true).restitution) &&
                isnan(fender_power_law_duration(1, 1, 1.5, 0)) && isnan(fender_power_law_depth(1, 1, 0, 0, 1)));
    assert_true(fender_reduced_mass(INFINITY, 3) == 3 && fender_reduced_mass(50, 50) == 25);
}

static double derived(const lone_law *l, const char *name, const fender_sizing_spec *spec, fender_status expected,
                      const char *path)
{
    fender_error error = {0};
    const fender_derivation *row = NULL;
    double value = -1;
    fender_status status = fender_law_derive(l->law, l->parameters.bytes, name, spec, &value, &row, &error);
    if (status != expected || (status && strcmp(error.path, path) != 0))
        fail_msg("%s: status %d at '%s' (%s), expected %d at '%s'", name, status, error.path, error.message, expected,
                 path);
    if (status) assert_true(value == -1 && !row && error.expected[0]);
    else assert_true(row && strcmp(row->parameter, name) == 0);
    return value;
}

static void laws_derive(void **state)
{
    (void)state;
    lone_law l = law_named("spring_damper"), jeod = law_named("jeod_spring");
    lone_law bristle = law_named("coulomb_static_kinetic"), plain = law_named("coulomb");
    fender_sizing_spec sink = fender_sizing_spec_none(), ratio = sink, wanted = sink, hertz_load = sink, nothing = sink;
    sink.sink = 0.02, sink.weight = 3808.75;
    ratio.ratio = 0.1, ratio.mass = 388.38441;
    wanted.restitution = 0.7, wanted.mass = 50;
    hertz_load.modulus = 1e9, hertz_load.radius = 0.1, hertz_load.weight = 200;
    double k = derived(&l, "stiffness", &sink, FENDER_STATUS_OK, "");
    check_near(k, 190437.5, 1e-10);
    law_set(&l, "stiffness", k);
    law_set(&jeod, "stiffness", k);
    check_near(derived(&l, "damping", &ratio, FENDER_STATUS_OK, ""), 1720.05, 0.05);
    double clipped = derived(&l, "damping", &wanted, FENDER_STATUS_OK, "");
    double raw = derived(&jeod, "damping", &wanted, FENDER_STATUS_OK, "");
    check_near(clipped / raw, .122215 / .112808, 1e-5);
    wanted.speed = 2; /* plays no part, and may be said */
    check_near(derived(&l, "damping", &wanted, FENDER_STATUS_OK, ""), clipped, 0);
    check_near(derived(&bristle, "stiffness", &sink, FENDER_STATUS_OK, ""), k, 0);
    check_near(derived(&l, "stiffness", &hertz_load, FENDER_STATUS_OK, ""), fender_hertz_linear_at_load(1e9, 0.1, 200),
               0);
    fender_sizing_spec broken = sink;
    broken.weight = NAN;
    derived(&l, "stiffness", &broken, FENDER_STATUS_ARGUMENT, "weight");
    broken = wanted;
    broken.mass = NAN;
    derived(&l, "damping", &broken, FENDER_STATUS_ARGUMENT, "mass");
    broken = ratio;
    broken.sink = 1;
    derived(&l, "damping", &broken, FENDER_STATUS_ARGUMENT, "sink");
    derived(&l, "damping", &nothing, FENDER_STATUS_ARGUMENT, "ratio");
    derived(&l, "slip_speed", &ratio, FENDER_STATUS_ARGUMENT, "slip_speed");
    derived(&plain, "mu", &ratio, FENDER_STATUS_ARGUMENT, "mu");
    derived(&bristle, "damping", &wanted, FENDER_STATUS_ARGUMENT, "ratio");
    law_set(&l, "sense", 1); /* a latch gives nothing back */
    derived(&l, "damping", &wanted, FENDER_STATUS_VALUE, "damping");
}

static void power_laws_derive(void **state)
{
    (void)state;
    lone_law l = law_named("hunt_crossley"), adams = law_named("impact");
    fender_sizing_spec sink = fender_sizing_spec_none(), materials = sink, wanted = sink;
    sink.sink = 0.04, sink.weight = 100;
    materials.modulus = 1e9, materials.radius = 0.25;
    wanted.restitution = 0.5, wanted.speed = 2;
    check_near(derived(&l, "stiffness", &sink, FENDER_STATUS_OK, ""), 100 / 0.008, 1e-10);
    check_near(derived(&adams, "stiffness", &materials, FENDER_STATUS_OK, ""), 1e9 * 2 / 3, 1e-6);
    check_near(derived(&l, "dissipation", &wanted, FENDER_STATUS_OK, ""), 1.432751 / 2, 0.51e-6);
    law_set(&l, "exponent", 2);
    check_near(derived(&l, "stiffness", &sink, FENDER_STATUS_OK, ""), 100 / 0.0016, 1e-9);
    derived(&l, "stiffness", &materials, FENDER_STATUS_VALUE, "stiffness"); /* Hertz is 1.5 */
    wanted.speed = NAN;
    derived(&l, "dissipation", &wanted, FENDER_STATUS_ARGUMENT, "speed");
}

/* The smooth law with a thin and a wide transition, fast and slow: its own force gives the wanted restitution. */
static void smooth_law_derives(void **state)
{
    static const double rows[][2] = {/* depth of an undamped impact in transitions, restitution */
                                     {0.01, .7}, {0.3, .9}, {1, .5}, {3, .7}, {30, .3}, {1000, .7}, {2, .05}, {5, 1}};
    double worst = 0, m = 3, k = 2e4, w = 0.01;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lone_law l = law_named("smooth_spring_damper");
        law_set(&l, "stiffness", k);
        law_set(&l, "transition_width", w);
        fender_sizing_spec wanted = fender_sizing_spec_none();
        wanted.restitution = rows[i][1];
        wanted.mass = m;
        derived(&l, "damping", &wanted, FENDER_STATUS_ARGUMENT, "speed");
        wanted.speed = rows[i][0] * w / sqrt(m / k);
        law_set(&l, "damping", derived(&l, "damping", &wanted, FENDER_STATUS_OK, ""));
        double d = 0, v = wanted.speed, h = 1e-5 * (rows[i][0] < 0.1 ? 4 : rows[i][0] > 100 ? 0.05 : 1);
        fender_contact_output out = {0};
        do { /* midpoint rule: order 2 */
            fender_contact_input in = {.depth = d, .depth_rate = v};
            double a = -law_call(&l, &in).force.z / m;
            in = (fender_contact_input){.depth = d + h / 2 * v, .depth_rate = v + h / 2 * a};
            out = law_call(&l, &in);
            d += h * in.depth_rate;
            v -= h * out.force.z / m;
        } while (v > 0 || out.force.z > 0);
        worst = larger(worst, fabs(-v / wanted.speed - rows[i][1]));
    }
    printf("smooth law: restitution %.1e off, integrated by its own force\n", worst);
    check_below(worst, 2e-6); /* 2 h of the end's force, and h^2 of the rule */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(linear_impacts),
                                       cmocka_unit_test(restitution_of_ratios),
                                       cmocka_unit_test(restitution_and_back),
                                       cmocka_unit_test(hunt_crossley),
                                       cmocka_unit_test(hertz),
                                       cmocka_unit_test(morpheus),
                                       cmocka_unit_test(what_cannot_be_is_nan),
                                       cmocka_unit_test(laws_derive),
                                       cmocka_unit_test(power_laws_derive),
                                       cmocka_unit_test(smooth_law_derives)};
    return cmocka_run_group_tests_name("sizing", tests, NULL, NULL);
}
