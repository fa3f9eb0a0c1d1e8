/* The laws k d^n with a damper that grows with the depth, by themselves: formulas, clip, energy, and the relation
 * between damper and restitution. */
#include "law_test.h"
#include "random_numbers.h"

#include <fender/sizing.h>

static const char *const names[] = {"hunt_crossley", "impact"};
enum { NAMES = sizeof names / sizeof names[0] };

typedef struct drawn {
    lone_law law;
    double k, n, damper; /* D, or c of impact */
    double width, speed;
} drawn;

static drawn draw(int which, random_stream *r)
{
    drawn d = {.law = law_named(names[which]),
               .k = random_magnitude(r, 1, 1e8),
               .n = random_below(r, 3) == 0 ? 1.5 : random_between(r, 1, 3),
               .speed = random_magnitude(r, 1e-2, 10)};
    law_set(&d.law, "stiffness", d.k);
    law_set(&d.law, "exponent", d.n);
    if (which == 0) law_set(&d.law, "dissipation", d.damper = random_magnitude(r, 1e-3, 10));
    if (which == 1) {
        law_set(&d.law, "damping", d.damper = random_magnitude(r, 1, 1e4));
        law_set(&d.law, "full_depth", d.width = random_magnitude(r, 1e-3, 1));
    }
    return d;
}

static void formulas_and_clip(void **state)
{
    (void)state;
    for (int which = 0; which < NAMES; which++) {
        int clipped = 0;
        for (uint64_t i = 0; i < 20000; i++) {
            random_stream r = random_of_case(71 + (uint64_t)which, i);
            drawn d = draw(which, &r);
            fender_contact_input in = {.depth = random_between(&r, -0.2, 1),
                                       .depth_rate = random_between(&r, -10, 10),
                                       .approach_speed = d.speed};
            fender_contact_output out = law_call(&d.law, &in);
            double x = in.depth / d.width, s = x >= 1 ? 1 : x * x * (3 - 2 * x), spring = 0, expected = 0;
            if (in.depth > 0) {
                spring = d.k * pow(in.depth, d.n);
                expected = which == 1 ? spring + s * d.damper * in.depth_rate : spring * (1 + d.damper * in.depth_rate);
            }
            double size = spring * (1 + 10 * d.damper) + 10 * d.damper;
            if (expected < 0) {
                expected = 0;
                clipped++;
            }
            check_near(out.force.z, expected, 1e-13 * size);
            check_near(out.damping_power, (expected - spring) * in.depth_rate, 2e-12 * size);
            assert_true(out.force.z >= 0 && out.damping_power >= 0 && out.force.x == 0 && out.force.y == 0);
            assert_true(in.depth > 0 || out.force.z == 0);
        }
        assert_true(clipped > 500);
    }
}

/* The stored energy is the integral of the force without damper: its slope, by a difference of the fourth order. */
static void stored_energy(void **state)
{
    (void)state;
    double worst = 0;
    for (int which = 0; which < NAMES; which++) {
        for (uint64_t i = 0; i < 2000; i++) {
            random_stream r = random_of_case(81 + (uint64_t)which, i);
            drawn d = draw(which, &r);
            double depth = random_magnitude(&r, 1e-4, 1), h = 1e-3 * depth, energies[4];
            static const double places[] = {-2, -1, 1, 2};
            for (int k = 0; k < 4; k++) {
                fender_contact_input in = {.depth = depth + places[k] * h, .approach_speed = 1};
                energies[k] = law_energy(&d.law, &in);
            }
            fender_contact_input still = {.depth = depth, .approach_speed = 1}, apart = {.depth = -depth};
            double slope = (energies[0] - 8 * energies[1] + 8 * energies[2] - energies[3]) / (12 * h);
            worst = larger(worst, fabs(slope / law_call(&d.law, &still).force.z - 1));
            assert_true(law_energy(&d.law, &apart) == 0);
        }
    }
    print_message("slope of the stored energy: off by at most %.1e of the force\n", worst);
    check_below(worst, 1e-11); /* truncation 1e-12 times derivatives up to 24, rounding 1e-16 / 1e-3 */
}

/* Rows of the exact table (c of e), derived and computed apart from this code: seven digits are given. */
static void restitution_table(void **state)
{
    (void)state;
    static const double rows[][2] = {{0.99, 0.015151}, {0.95, 0.078927}, {0.9, 0.166482}, {0.8, 0.373146},
                                     {0.7, 0.634828},  {0.6, 0.974872},  {0.5, 1.432751}, {0.4, 2.082498},
                                     {0.3, 3.087082},  {0.2, 4.919167},  {0.1, 9.998159}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_near(fender_hunt_crossley_damping(rows[i][0]), rows[i][1], 5.1e-7);
    double worst = 0, returned = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        random_stream r = random_of_case(91, i);
        double e = i % 2 ? random_between(&r, 1e-3, 1) : 1 - random_magnitude(&r, 1e-9, 0.1);
        long double c = (long double)fender_hunt_crossley_damping(e), low = 0, high = 1 / (long double)e;
        for (int k = 0; k < 200; k++) { /* c - ln(1+c) + e c + ln(1 - e c) by series where it cancels */
            long double x = 0.5L * (low + high), gap = 0;
            if (x > 0.1L) {
                gap = log1pl(x) - log1pl(-e * x) - x * (1 + (long double)e);
            } else {
                long double power = x * x, e_m = (long double)e * e;
                for (int m = 2; m < 40; m++, power *= x, e_m *= e) gap += power * (e_m + (m % 2 ? 1 : -1)) / m;
            }
            if (gap > 0) high = x;
            else low = x;
        }
        worst = larger(worst, (double)fabsl(c / low - 1));
        returned = larger(returned, fabs(fender_hunt_crossley_restitution((double)c) - e));
    }
    print_message("damper for a restitution: relative error at most %.1e; back: %.1e\n", worst, returned);
    /* an error of 1e-16 in 1 - e is one of 1e-16 / (1 - e) in c: 1e-7 for the closest ones drawn */
    check_below(worst, 5e-8);
    check_below(returned, 1e-14);
    assert_true(fender_hunt_crossley_damping(1) == 0 && isinf(fender_hunt_crossley_damping(0)));
    assert_true(fender_hunt_crossley_restitution(0) == 1 && fender_hunt_crossley_restitution(INFINITY) == 0);
}

/* One of the two, not both. */
static void one_damper(void **state)
{
    (void)state;
    lone_law l = law_named("hunt_crossley");
    fender_error error = {0};
    law_set(&l, "stiffness", 1e5);
    law_set(&l, "dissipation", 0.5);
    assert_int_equal(l.law->check(l.parameters.bytes, &error), FENDER_STATUS_OK);
    law_set(&l, "restitution", 0.5);
    assert_int_equal(l.law->check(l.parameters.bytes, &error), FENDER_STATUS_VALUE);
    assert_string_equal(error.path, "restitution");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(formulas_and_clip), cmocka_unit_test(stored_energy),
                                       cmocka_unit_test(restitution_table), cmocka_unit_test(one_damper)};
    return cmocka_run_group_tests_name("power springs", tests, NULL, NULL);
}
