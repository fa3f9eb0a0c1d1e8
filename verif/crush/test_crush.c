/* Impacts that leave a dent: honeycomb with plateau and stroke, Walton and Braun's two lines, loose ground. */
#include "../restitution/impact.h"

static const double pi = 3.14159265358979323846;

static impact_case leg(double speed)
{
    return (impact_case){.law = "elastic_plastic",
                         .parameters = {{"stiffness", 2e6}, {"crush_force", 8000}},
                         .radius = 0.2,
                         .mass = 300,
                         .speed = speed,
                         .method = FENDER_INTEGRATOR_DOPRI5,
                         .step = 1e-3,
                         .tolerance = 1e-12};
}

/* The plateau takes what the elastic part does not: m v^2 / 2 = F^2 / (2 k) + F dent; back comes F^2 / (2 k). */
static void plateau(void **state)
{
    (void)state;
    for (int i = 1; i <= 5; i++) {
        impact_case c = leg(0.6 * i);
        impact_result r = impact_run(&c);
        double energy = 0.5 * c.mass * c.speed * c.speed, elastic = 8000.0 * 8000 / 4e6,
               dent = (energy - elastic) / 8000;
        check_near(r.restitution, sqrt(elastic / energy), 1e-9);
        check_near(r.peak_force, 8000, 1e-6);
        check_near(r.peak_depth, 8000 / 2e6 + dent, 1e-10);
        check_near(r.residual / energy, 0, 1e-9);
    }
    impact_case soft = leg(0.3); /* below the crush force nothing is lost */
    check_near(impact_run(&soft).restitution, 1, 1e-9);
}

/* The stroke used up, the rest is elastic: k (d - stroke)^2 / 2. */
static void bottoms_out(void **state)
{
    (void)state;
    impact_case c = leg(3);
    c.parameters[2] = (impact_parameter){"stroke", 0.1};
    impact_result r = impact_run(&c);
    double energy = 0.5 * c.mass * 9, crushed = 800, spring = energy - crushed, depth = 0.1 + sqrt(2 * spring / 2e6);
    check_near(r.peak_depth, depth, 1e-10);
    check_near(r.peak_force, 2e6 * (depth - 0.1), 1e-5);
    check_near(r.restitution, sqrt(spring / energy), 1e-9);
}

/* Walton and Braun, J. Rheol. 30 (1986) 949: loading k1, unloading k2, restitution sqrt(k1 / k2) at every speed. */
static void two_lines(void **state)
{
    (void)state;
    for (int i = 1; i <= 9; i++) {
        impact_case c = leg(0.1 * i * i);
        double e = 0.1 * i;
        c.parameters[0] = (impact_parameter){"stiffness", 1e5 / (e * e)};
        c.parameters[1] = (impact_parameter){"hardening", 1e5};
        impact_result r = impact_run(&c);
        check_near(r.restitution, e, 1e-9);
        check_near(r.peak_depth, c.speed * sqrt(300 / 1e5), 1e-9);
    }
}

/* A pad of 0.05 m^2 on loose ground: A k z^(n+1) / (n+1) = m v^2 / 2; back comes A k_u (F / (A k_u))^2 / 2. */
static void pad_on_soil(void **state)
{
    (void)state;
    static const double exponents[] = {1, 1.1, 0.7};
    for (int i = 0; i < 3; i++) {
        double n = exponents[i], A = 0.05, k = 1370.0 / 0.2 + 814000, unloading = 3e8;
        impact_case c = {
            .law = "soil",
            .parameters = {{"frictional_modulus", k}, {"exponent", n}, {"area", A}, {"unloading", unloading}},
            .radius = 0.2,
            .mass = 50,
            .speed = 0.8,
            .method = FENDER_INTEGRATOR_DOPRI5,
            .step = 1e-3,
            .tolerance = 1e-11};
        impact_result r = impact_run(&c);
        double energy = 0.5 * c.mass * c.speed * c.speed, sink = pow(energy * (n + 1) / (A * k), 1 / (n + 1));
        double force = A * k * pow(sink, n);
        check_near(r.peak_depth / sink, 1, 1e-7);
        check_near(r.peak_force / force, 1, 1e-7);
        check_near(r.restitution, sqrt(force * force / (2 * A * unloading) / energy), 1e-7);
        check_near(r.residual / energy, 0, 1e-7);
    }
}

/* A sphere sinks into ground that resists each part of the cut by its own depth: 2 pi R k z^(n+2) / ((n+1)(n+2)). */
static void ball_on_soil(void **state)
{
    (void)state;
    double n = 1.1, k = 8e5;
    impact_case c = {.law = "soil",
                     .parameters = {{"frictional_modulus", k}, {"exponent", n}, {"unloading", 3e8}},
                     .radius = 0.2,
                     .mass = 50,
                     .speed = 0.8,
                     .method = FENDER_INTEGRATOR_DOPRI5,
                     .step = 1e-3,
                     .tolerance = 1e-11};
    impact_result r = impact_run(&c);
    double sink = pow(0.5 * 50 * 0.64 * (n + 1) * (n + 2) / (2 * pi * 0.2 * k), 1 / (n + 2));
    check_near(r.peak_depth / sink, 1, 1e-7);
    check_near(r.peak_force / (2 * pi * 0.2 * k * pow(sink, n + 1) / (n + 1)), 1, 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plateau), cmocka_unit_test(bottoms_out),
                                       cmocka_unit_test(two_lines), cmocka_unit_test(pad_on_soil),
                                       cmocka_unit_test(ball_on_soil)};
    return cmocka_run_group_tests_name("crush", tests, NULL, NULL);
}
