/* Sine and cosine against long double, and exact where they can be. */
#include "collect.h"

#include <math.h>

#include "scenario/orientation.h"

static const long double pi = 3.14159265358979323846264338327950288L;

/* Error in units of the last place of the exact value. */
static double ulps(double value, long double exact)
{
    if (exact == 0) return value == 0 ? 0 : HUGE_VAL;
    int exponent;
    (void)frexpl(exact, &exponent);
    return (double)fabsl(((long double)value - exact) / ldexpl(1, exponent - 53));
}

static void exact_values(void **state)
{
    (void)state;
    static const double sines[] = {0, 0.5, 1, 0.5, 0, -0.5, -1, -0.5};
    static const double angles[] = {0, 30, 90, 150, 180, 210, 270, 330};
    for (int i = 0; i < 8; i++)
        for (int turn = -3; turn <= 3; turn++) {
            double a = angles[i] + 360 * turn;
            assert_true(fnd_sine_cosine_degrees(a).sine == sines[i]);
            assert_true(fnd_sine_cosine_degrees(90 - a).cosine == sines[i]);
        }
    fnd_sine_cosine s = fnd_sine_cosine_degrees(-90);
    assert_true(s.sine == -1 && s.cosine == 0);
}

/* The oracle for degrees reduces in long double: 360 and the angle are exact there. */
static void degrees_within_one_ulp(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = -200000; i <= 200000; i++) {
        double a = i * 0.0137 + 1e-9 * i;
        long double quarters = roundl((long double)a / 90), rest = ((long double)a - 90 * quarters) * pi / 180;
        long double s = sinl(rest), c = cosl(rest), t;
        for (int q = ((int)quarters % 4 + 4) % 4; q > 0; q--) t = s, s = c, c = -t;
        fnd_sine_cosine got = fnd_sine_cosine_degrees(a);
        double e = ulps(got.sine, s), f = ulps(got.cosine, c);
        worst = e > worst ? e : worst;
        worst = f > worst ? f : worst;
    }
    printf("degrees: worst error %.3f ulp\n", worst);
    assert_true(worst <= 1);
}

static void radians_within_one_ulp(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = -200000; i <= 200000; i++) {
        double a = i * 0.000371 + 1e-12 * i;
        if (i % 7 == 0) a *= 1000;
        fnd_sine_cosine got = fnd_sine_cosine_radians(a);
        double e = ulps(got.sine, sinl((long double)a)), f = ulps(got.cosine, cosl((long double)a));
        worst = e > worst ? e : worst;
        worst = f > worst ? f : worst;
    }
    printf("radians: worst error %.3f ulp\n", worst);
    assert_true(worst <= 1);
    /* near the zeros of the cosine the reduction decides */
    for (int k = 1; k < 2000; k += 2) {
        double a = (double)(k * pi / 2);
        assert_true(ulps(fnd_sine_cosine_radians(a).cosine, cosl((long double)a)) <= 1 ||
                    fabs(fnd_sine_cosine_radians(a).cosine - (double)cosl((long double)a)) < 1e-30);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact_values), cmocka_unit_test(degrees_within_one_ulp),
                                       cmocka_unit_test(radians_within_one_ulp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
