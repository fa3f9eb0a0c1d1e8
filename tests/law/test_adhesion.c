/* Laws that pull: the relations of their authors at chosen radii of contact, largest pull, tear, and stored energy. */
/* items: P001 S077 */
#include "law_test.h"
#include "random_numbers.h"

static const double pi = 3.14159265358979323846;

typedef struct soft {
    lone_law law;
    double modulus, radius, work;
} soft;

static soft draw(const char *name, random_stream *r)
{
    soft s = {law_named(name), random_magnitude(r, 1e4, 1e11), random_magnitude(r, 1e-6, 1),
              random_magnitude(r, 1e-3, 10)};
    law_set(&s.law, "modulus", s.modulus);
    law_set(&s.law, "radius", s.radius);
    law_set(&s.law, "work", s.work);
    return s;
}

/* Johnson, Kendall and Roberts, Proc. R. Soc. A 324 (1971) 301, with the radius of contact a; it tears where the depth
 * has its minimum over a, a_c^3 = pi w R^2 / (8 E*). */
static void jkr_relations(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t i = 0; i < 5000; i++) {
        random_stream r = random_of_case(31, i);
        soft s = draw("jkr", &r);
        long double E = s.modulus, R = s.radius, w = s.work, least = cbrtl((long double)pi * w * R * R / (8 * E));
        long double a = least * (1 + (long double)random_magnitude(&r, 1e-3, 1e2));
        long double d = a * a / R - sqrtl(2 * (long double)pi * w * a / E);
        long double N = 4 * E * a * a * a / (3 * R) - sqrtl(8 * (long double)pi * w * E * a * a * a);
        fender_contact_input in = {.depth = (double)d};
        double size = pi * s.work * s.radius * (1 + (double)powl(a / least, 3)); /* of what is subtracted */
        worst = larger(worst, fabs(law_call(&s.law, &in).force.z - (double)N) / size);
    }
    print_message("jkr: force off by at most %.1e of its parts\n", worst);
    check_below(worst,
                3e-12); /* 1e-16 in the depth is (1e-16 / 1e-3) of it near the tear, where the slope is infinite */
}

static void jkr_landmarks(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        random_stream r = random_of_case(32, i);
        soft s = draw("jkr", &r);
        double unit = pi * s.work * s.radius, onset, release, most = 0;
        double tear = 0.75 * cbrt(pi * pi * s.work * s.work * s.radius / (s.modulus * s.modulus));
        s.law.law->activation_distance(s.law.parameters.bytes, &onset, &release);
        assert_true(onset == 0);
        check_near(release / tear, 1, 2e-6);
        fender_contact_input in = {.depth = 0};
        check_near(law_call(&s.law, &in).force.z / unit, -4.0 / 3, 1e-14); /* 8/9 of the largest pull */
        for (int k = 0; k < 4000; k++) {
            in.depth = tear * (-1 + k / 2000.0) * (1 - 1e-12);
            double pull = -law_call(&s.law, &in).force.z;
            if (pull > most) most = pull;
        }
        check_near(most / unit, 1.5, 1e-6); /* a parabola's top, 4000 looks */
        in.depth = -tear * (1 - 1e-12);
        check_near(law_call(&s.law, &in).force.z / unit, -5.0 / 6, 1e-5);
        in.depth = -tear * (1 + 1e-9);
        check_near(law_call(&s.law, &in).force.z, 0, 0);
        /* Thornton and Ning, Powder Technol. 99 (1998) 154: the work that tears it from touch on, three digits */
        double work = law_energy(&s.law, &in);
        check_near(work / cbrt(pow(s.work, 5) * pow(s.radius, 4) / (s.modulus * s.modulus)), 7.09, 5e-3);
    }
}

/* The slope of what is stored is the force. */
static void energies(void **state)
{
    (void)state;
    static const char *const names[] = {"jkr", "dmt"};
    double worst = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        random_stream r = random_of_case(33, i);
        soft s = draw(names[i % 2], &r);
        double scale = cbrt(pi * pi * s.work * s.work * s.radius / (s.modulus * s.modulus));
        double depth = scale * (i % 2 ? random_magnitude(&r, 0.1, 100) : random_between(&r, -0.6, 20)),
               h = 1e-3 * scale;
        static const double places[] = {-2, -1, 1, 2};
        double e[4];
        for (int k = 0; k < 4; k++) {
            fender_contact_input in = {.depth = depth + places[k] * h};
            e[k] = law_energy(&s.law, &in);
        }
        fender_contact_input at = {.depth = depth}, touch = {.depth = 0};
        double slope = (e[0] - 8 * e[1] + 8 * e[2] - e[3]) / (12 * h), N = law_call(&s.law, &at).force.z;
        worst = larger(worst, fabs(slope - N) / (fabs(N) + pi * s.work * s.radius));
        check_near(law_energy(&s.law, &touch), 0, 1e-15 * fabs(e[0]));
    }
    print_message("slope of the stored energy: off by at most %.1e of the force\n", worst);
    check_below(worst, 1e-8); /* fourth order, a thousandth of the depth over which it changes */
}

/* Hertz's force less the pull, D the damper of the elastic part alone. */
static void dmt_and_dampers(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 2000; i++) {
        random_stream r = random_of_case(34, i);
        soft s = draw(i % 2 ? "dmt" : "jkr", &r);
        double D = random_between(&r, 0, 2), depth = random_magnitude(&r, 1e-6, 1e-2), rate = random_between(&r, -1, 1);
        fender_contact_input still = {.depth = depth}, in = {.depth = depth, .depth_rate = rate}, apart = {.depth = -1};
        double at_rest = law_call(&s.law, &still).force.z,
               hertz = 4.0 / 3 * s.modulus * sqrt(s.radius) * pow(depth, 1.5);
        if (i % 2) check_near(at_rest, hertz - 2 * pi * s.work * s.radius, 1e-14 * (hertz + s.work * s.radius));
        law_set(&s.law, "dissipation", D);
        fender_contact_output out = law_call(&s.law, &in);
        double factor = 1 + D * rate > 0 ? D * rate : -1, more = out.force.z - at_rest;
        if (i % 2) check_near(more, factor * hertz, 1e-13 * (hertz + fabs(at_rest)));
        assert_true(more * rate >= 0);
        check_near(out.damping_power, more * rate, 1e-13 * (hertz + fabs(at_rest)));
        check_near(law_call(&s.law, &apart).force.z, 0, 0);
    }
}

/* Constant pull over a range, and a spring that lets go. */
static void plain_springs(void **state)
{
    (void)state;
    lone_law l = law_named("adhesion");
    law_set(&l, "stiffness", 1000);
    law_set(&l, "damping", 20);
    law_set(&l, "pull", 7);
    law_set(&l, "range", 0.01);
    static const double rows[][4] = {/* depth, rate, force, lost */
                                     {0.1, 0, 93, 0},
                                     {0.1, 2, 133, 80},
                                     {0.1, -6, -7, 600},
                                     {-0.005, 3, -7, 0},
                                     {-0.005, -3, -7, 0}};
    for (int i = 0; i < 5; i++) {
        fender_contact_input in = {.depth = rows[i][0], .depth_rate = rows[i][1]};
        fender_contact_output out = law_call(&l, &in);
        check_near(out.force.z, rows[i][2], 1e-12);
        check_near(out.damping_power, rows[i][3], 1e-10);
        double spring = in.depth > 0 ? 500 * in.depth * in.depth : 0;
        check_near(law_energy(&l, &in), spring - 7 * in.depth, 1e-12);
    }
    double onset, release;
    l.law->activation_distance(l.parameters.bytes, &onset, &release);
    assert_true(onset == 0 && release == 0.01);

    l = law_named("pull_off_spring");
    law_set(&l, "stiffness", 1000);
    law_set(&l, "pull_off", 5);
    fender_contact_input in = {.depth = -0.004};
    check_near(law_call(&l, &in).force.z, -4, 1e-12);
    unsigned char memory[64] = {0};
    fender_contact_output out;
    fender_contact_change change;
    memset(&change, 0, sizeof change);
    l.law->update(l.parameters.bytes, &in, &out, memory, &change);
    assert_true(change.event == 0 && !change.end);
    in.depth = -0.0051;
    l.law->update(l.parameters.bytes, &in, &out, memory, &change);
    assert_true(change.event == 1 && change.end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(jkr_relations), cmocka_unit_test(jkr_landmarks),
                                       cmocka_unit_test(energies), cmocka_unit_test(dmt_and_dampers),
                                       cmocka_unit_test(plain_springs)};
    return cmocka_run_group_tests_name("adhesion", tests, NULL, NULL);
}
