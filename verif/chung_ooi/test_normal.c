/* Tests 1 to 3 of Chung and Ooi: impacts along the normal, by the law `hertz` from moduli and the shapes' curvature. */
#include "../restitution/impact.h"
#include "material.h"
#include "verified.h"

static impact_case sphere_of(const material *m, double radius, double speed, bool two)
{
    return (impact_case){.law = "hertz",
                         .parameters = {{"young", m->young},
                                        {"poisson", m->poisson},
                                        {"young_b", two ? 0 : INFINITY}}, /* the plane is rigid */
                         .radius = radius,
                         .mass = sphere_mass(m, radius),
                         .speed = speed,
                         .two = two,
                         .method = FENDER_INTEGRATOR_DOPRI5,
                         .step = 1e-6,
                         .tolerance = 1e-12};
}

/* Six digits of Hertz's figures, depth and force from the energy, duration 2.94328 depth / speed, are given. */
static void tests_1_and_2(void **state)
{
    (void)state;
    static const struct {
        material material;
        double radius, speed, depth, force, duration;
        bool two;
    } rows[] = {
        {{"1 glass", 48e9, 0.20, 2800}, 0.01, 10, 274.113e-6, 10696.90, 40.3395e-6, true},
        {{"1 limestone", 20e9, 0.25, 2500}, 0.01, 10, 368.304e-6, 7108.24, 54.2010e-6, true},
        {{"2 aluminium alloy", 70e9, 0.30, 2699}, 0.1, 0.2, 49.7172e-6, 11369.86, 731.657e-6, false},
        {{"2 magnesium alloy", 40e9, 0.35, 1800}, 0.1, 0.2, 52.1233e-6, 7232.68, 767.066e-6, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        impact_case c = sphere_of(&rows[i].material, rows[i].radius, rows[i].speed, rows[i].two);
        impact_result r = impact_run(&c);
        static const char source[] = "Chung and Ooi 2011, Hertz";
        char name[64];
        snprintf(name, sizeof name, "Chung and Ooi test %s", rows[i].material.name);
        check_verified(name, "largest depth", "m", source, r.peak_depth, rows[i].depth, 4e-6 * rows[i].depth);
        check_verified(name, "largest force", "N", source, r.peak_force, rows[i].force, 4e-6 * rows[i].force);
        check_verified(name, "duration", "s", source, r.duration, rows[i].duration, 4e-6 * rows[i].duration);
        check_verified(name, "restitution", "1", "energy", r.restitution, 1, 1e-9);
    }
}

/* The force through the impact, against points of the paper's curves as others have read them off: the pixels of such
 * a reading are worth about 1 % of the largest force. The closed form says how near they lie to Hertz: 0.6 %. */
static void force_over_depth(void **state)
{
    (void)state;
    static const double points[][2] = {{128.57e-6, 3422}, {200.95e-6, 6709}, {265.24e-6, 10176}}; /* test 1, glass */
    const fender_law *law = fender_law_find(NULL, "hertz");
    union {
        double align;
        char bytes[128];
    } p;
    (void)fender_field_initialize(&law->parameters, p.bytes, sizeof p.bytes, NULL);
    fender_field_set(fender_field_find(&law->parameters, "young"), p.bytes, 0, 48e9);
    fender_field_set(fender_field_find(&law->parameters, "poisson"), p.bytes, 0, 0.2);
    fender_contact_surface surface = {.relative = {200, 200, {1, 0}}, .radius = 0.005};
    for (int i = 0; i < 3; i++) {
        fender_contact_input in = {.depth = points[i][0], .surface = &surface};
        fender_contact_output out;
        memset(&out, 0, sizeof out);
        law->force(p.bytes, &in, NULL, &out);
        check_near(out.force.z, points[i][1], 0.01 * 10696.9);
    }
}

/* What is asked for comes back: the restitution of test 3 against that of the input. */
static void test_3(void **state)
{
    (void)state;
    static const material materials[] = {{"aluminium oxide", 380e9, 0.23, 4000}, {"cast iron", 100e9, 0.25, 7000}};
    double worst = 0;
    for (int m = 0; m < 2; m++) {
        for (int i = 1; i <= 10; i++) {
            double e = 0.1 * i;
            impact_case c = sphere_of(&materials[m], 0.0025, 3.9, false);
            c.parameters[3] = (impact_parameter){"restitution", e};
            impact_result r = impact_run(&c);
            worst = larger(worst, fabs(r.restitution - e));
        }
    }
    check_verified("Chung and Ooi test 3", "restitution: largest gap of 20", "1", "Chung and Ooi 2011", worst, 0, 1e-9);
}

/* Closed forms that the unit tests of LAMMPS list: depth (5 m v^2 / (4 k))^(2/5), force k depth^1.5, duration 2.94328
 * depth / speed; m the reduced mass. */
static void steel_spheres(void **state)
{
    (void)state;
    static const material steel = {"steel", 210e9, 0.3, 7850};
    for (int i = 0; i < 4; i++) {
        double radius = 0.01 * (1 + i), speed = 0.3 * (1 + i);
        impact_case c = sphere_of(&steel, radius, speed, i % 2 == 0);
        impact_result r = impact_run(&c);
        double modulus = c.two ? 210e9 / (2 * 0.91) : 210e9 / 0.91, gap = c.two ? radius / 2 : radius;
        double mass = c.two ? c.mass / 2 : c.mass, closing = c.two ? 2 * speed : speed;
        double k = 4.0 / 3 * modulus * sqrt(gap), depth = pow(5 * mass * closing * closing / (4 * k), 0.4);
        check_near(r.peak_depth / depth, 1, 1e-8);
        check_near(r.peak_force / (k * pow(depth, 1.5)), 1, 1e-8);
        check_near(r.duration * closing / depth, 2.9432750, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tests_1_and_2), cmocka_unit_test(force_over_depth),
                                       cmocka_unit_test(test_3), cmocka_unit_test(steel_spheres)};
    return cmocka_run_group_tests_name("chung_ooi", tests, NULL, NULL);
}
