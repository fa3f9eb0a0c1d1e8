/* Hertz's contact by itself: round and elliptical stiffness, moduli, and what the law takes of the surfaces. */
#include "law/normal_elastic.h"
#include "law_test.h"
#include "random_numbers.h"

#include <fender/sizing.h>

static const double pi = 3.14159265358979323846;

/* Hertz's integrals for an ellipse of half axes 1 and q under the force 1 with E* = 1 (Johnson, Contact Mechanics 3.66
 * and 4.26): approach and curvatures, by the midpoint rule in w = tan^2, which is periodic and converges like a
 * geometric series. */
static void quadrature(double q, double *approach, double *first, double *second)
{
    enum { POINTS = 20000 };
    long double sums[3] = {0, 0, 0};
    for (int i = 0; i < POINTS; i++) {
        long double t = (i + 0.5L) * (long double)pi / (2 * POINTS), c = cosl(t), s = sinl(t);
        long double low = q * (long double)q * c * c + s * s, f = 1 / sqrtl(low);
        sums[0] += f;
        sums[1] += f * c * c;
        sums[2] += f * c * c / low;
    }
    long double scale = 3 / (4 * (long double)pi) * 2 * (long double)pi / (2 * POINTS);
    *approach = (double)(scale * sums[0]);
    *second = (double)(2 * scale * sums[1]);
    *first = (double)(2 * scale * sums[2]);
}

static void ellipses(void **state)
{
    (void)state;
    double worst = 0, worst_ratio = 0;
    for (uint64_t i = 0; i < 300; i++) {
        random_stream r = random_of_case(21, i);
        double q = i % 3 ? random_between(&r, 0.02, 1) : 1 - random_magnitude(&r, 1e-9, 1e-2), d, first, second, found;
        quadrature(q, &d, &first, &second);
        double k = fnd_ellipse_stiffness(first, second, &found);
        worst = larger(worst, fabs(k * d * sqrt(d) - 1));
        worst_ratio = larger(worst_ratio, fabs(found / q - 1));
    }
    print_message("elliptical contacts: stiffness off by %.1e of it, axes by %.1e\n", worst, worst_ratio);
    check_below(worst, 1e-14); /* some ten roundings */
    check_below(worst_ratio, 1e-13);
    for (int i = 0; i < 40; i++) { /* no jump where they become round, and no failure far from it */
        double near = fnd_ellipse_stiffness(3 * (1 + pow(2, -i - 3)), 3, NULL), far;
        check_near(near / (4.0 / 3 / sqrt(3)), 1, 0.3 * pow(2, -i - 3) + 1e-15);
        fnd_ellipse_stiffness(pow(10, i / 4.0), 1, &far);
        assert_true(far > 0 && far <= 1);
    }
}

static void round_bodies(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 5000; i++) {
        random_stream r = random_of_case(22, i);
        lone_law l = law_named("hertz");
        double E = random_magnitude(&r, 1e6, 1e12), nu = random_between(&r, -1, 0.5), R = random_magnitude(&r, 1e-3, 1);
        double E_b = random_magnitude(&r, 1e6, 1e12), nu_b = random_between(&r, -0.5, 0.5),
               D = random_between(&r, 0, 3);
        law_set(&l, "young", E);
        law_set(&l, "poisson", nu);
        double modulus = E / (2 * (1 - nu * nu));
        if (i % 3) {
            law_set(&l, "young_b", i % 3 == 1 ? E_b : INFINITY);
            law_set(&l, "poisson_b", nu_b);
            modulus = 1 / ((1 - nu * nu) / E + (i % 3 == 1 ? (1 - nu_b * nu_b) / E_b : 0));
        }
        if (i % 5 == 0) {
            law_set(&l, "young", 0);
            law_set(&l, "modulus", modulus);
        }
        law_set(&l, "dissipation", D);
        fender_contact_surface surface = {.relative = {1 / R, 1 / R, {1, 0}}, .radius = R};
        if (i % 2) law_set(&l, "radius", R);
        assert_int_equal(l.law->check(l.parameters.bytes, NULL), 0);
        fender_contact_input in = {.depth = random_between(&r, -0.01, 0.1), .depth_rate = random_between(&r, -1, 1)};
        if (i % 2 == 0) in.surface = &surface;
        double spring = in.depth > 0 ? 4.0 / 3 * modulus * sqrt(R) * pow(in.depth, 1.5) : 0;
        double factor = 1 + D * in.depth_rate, N = factor > 0 ? spring * factor : 0;
        fender_contact_output out = law_call(&l, &in);
        check_near(out.force.z, N, 2e-15 * (1 + 3) * spring * 4);
        check_near(law_energy(&l, &in), 0.4 * spring * in.depth, 1e-14 * spring);
    }
}

/* Curvatures below that of largest_radius count as it: a flat contact is soft, not infinitely stiff. */
static void flat_bodies(void **state)
{
    (void)state;
    lone_law l = law_named("hertz");
    law_set(&l, "modulus", 1e9);
    law_set(&l, "largest_radius", 4);
    fender_contact_input in = {.depth = 1e-4};
    double flat = law_call(&l, &in).force.z;
    check_near(flat, 4.0 / 3 * 1e9 * 2 * 1e-6, 1e-9);
    fender_contact_surface hollow = {.relative = {0.1, -3, {1, 0}}};
    in.surface = &hollow;
    check_near(law_call(&l, &in).force.z, flat, 1e-9);
    fender_contact_surface line = {.relative = {2, 0, {1, 0}}}; /* a cylinder of half a metre */
    in.surface = &line;
    check_near(law_call(&l, &in).force.z, 1e9 * fnd_ellipse_stiffness(2, 0.25, NULL) * 1e-6, 1e-9);
    fender_error error = {0};
    assert_int_equal(l.law->check(l.parameters.bytes, &error), 0);
    law_set(&l, "young", 1e9);
    assert_int_equal(l.law->check(l.parameters.bytes, &error), FENDER_STATUS_VALUE);
    assert_string_equal(error.path, "young");
    law_set(&l, "young", 0);
    law_set(&l, "modulus", 0);
    error = (fender_error){0};
    assert_int_equal(l.law->check(l.parameters.bytes, &error), FENDER_STATUS_VALUE);
    assert_string_equal(error.path, "modulus");
}

/* Parameters from what is wanted. */
static void derived(void **state)
{
    (void)state;
    lone_law l = law_named("hertz");
    fender_sizing_spec wanted = fender_sizing_spec_none();
    double value;
    wanted.sink = 1e-5;
    wanted.weight = 30;
    wanted.radius = 0.02;
    check_ok(fender_law_derive(l.law, l.parameters.bytes, "modulus", &wanted, &value, NULL, &error));
    law_set(&l, "modulus", value);
    law_set(&l, "radius", 0.02);
    fender_contact_input in = {.depth = 1e-5};
    check_near(law_call(&l, &in).force.z, 30, 1e-12);
    wanted = fender_sizing_spec_none();
    wanted.restitution = 0.7;
    wanted.speed = 2;
    check_ok(fender_law_derive(l.law, l.parameters.bytes, "dissipation", &wanted, &value, NULL, &error));
    check_near(value, 0.634828 / 2, 3e-7);
}

/* Every material says where its constants are from, and gives some law a value. */
static void known_materials(void **state)
{
    (void)state;
    int count = 0;
    for (; fender_known_material_at(count); count++) {
        const fender_known_material *m = fender_known_material_at(count);
        assert_ptr_equal(fender_known_material_find(m->name), m);
        assert_true(strlen(m->source) > 10);
        bool solid = m->young > 0 && m->poisson > 0 && m->poisson <= 0.5, ground = m->frictional_modulus > 0;
        assert_true(solid != ground);
        assert_true(fender_known_material_value(m, "young_b", true) == m->young || ground);
        assert_true(isnan(fender_known_material_value(m, "young_b", false)));
        assert_true(isnan(fender_known_material_value(m, "stiffness", false)));
    }
    assert_true(count >= 13 && !fender_known_material_at(-1) && !fender_known_material_find("unobtainium"));
    /* of MIL-HDBK-5J, in its units */
    const fender_known_material *titanium = fender_known_material_find("titanium_alloy");
    check_near(titanium->young, 16.0e3 * 6894757.0, 5e7);
    check_near(titanium->density, 0.160 * 27679.9, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ellipses), cmocka_unit_test(round_bodies),
                                       cmocka_unit_test(flat_bodies), cmocka_unit_test(derived),
                                       cmocka_unit_test(known_materials)};
    return cmocka_run_group_tests_name("hertz", tests, NULL, NULL);
}
