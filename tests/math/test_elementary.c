/* Sine, cosine, logarithm, exponential and powers of our own against the C library in long double. */
#include "check.h"
#include "math/elementary.h"
#include "random_numbers.h"

static void compare(double x, double *worst)
{
    double s, c;
    fnd_sin_cos(x, &s, &c);
    long double sl = sinl((long double)x), cl = cosl((long double)x);
    /* unit in the last place of 1 is 2^-52 above it; the error is measured in that unit */
    double gap = (double)larger((double)fabsl(sl - (long double)s), (double)fabsl(cl - (long double)c)) * 0x1p52;
    *worst = larger(*worst, gap);
    if (!(gap <= 1)) fail_msg("x = %.17g: sine %.17g, cosine %.17g, %.2f units off", x, s, c, gap);
    check_near(s * s + c * c, 1, 0x1p-51);
}

static void one_unit(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t n = 0; n < 2000000; n++) {
        random_stream r = random_of_case(51, n);
        compare(random_between(&r, -8, 8), &worst);
        if (n % 4 == 0) compare(random_between(&r, -1e5, 1e5), &worst);
    }
    printf("sine and cosine: at most %.3f units in the last place of 1\n", worst);
}

static void special(void **state)
{
    (void)state;
    double s, c, worst = 0;
    fnd_sin_cos(0.0, &s, &c);
    assert_true(s == 0 && c == 1);
    for (int n = -4000; n <= 4000; n++) { /* next to the quarter turns, where cancellation is worst */
        double x = n * 1.57079632679489661923;
        compare(x, &worst);
        compare(nextafter(x, 1e9), &worst);
        compare(nextafter(x, -1e9), &worst);
    }
    for (double x = 1e-300; x < 1; x *= 10) { /* small arguments keep their relative precision, and the sign */
        fnd_sin_cos(-x, &s, &c);
        check_near(s / sin(-x), 1, 4e-16);
    }
    fnd_sin_cos(NAN, &s, &c);
    assert_true(isnan(s) && isnan(c));
}

static void powers(void **state)
{
    (void)state;
    double worst = 0;
    for (uint64_t n = 0; n < 200000; n++) {
        random_stream r = random_of_case(52, n);
        double x = exp(random_between(&r, -40, 40)), p = random_between(&r, -3, 3);
        if (n % 4 == 0) x = random_between(&r, 0.5, 2);
        long double expected = powl(x, p);
        assert_true(fnd_power(x, 1) == x);
        double gap = (double)fabsl((fnd_power(x, p) - expected) / expected) / (1 + fabs(p * log(x)));
        worst = larger(worst, gap);
    }
    printf("powers: relative error at most %.1e (1 + |p log x|)\n", worst);
    check_below(worst, 1e-15);
    assert_true(fnd_power(0, 0.5) == 0 && isinf(fnd_power(0, -1)) && fnd_power(0, 0) == 1 && fnd_power(7, 0) == 1);
    assert_true(fnd_power(1, 0.3) == 1 && isinf(fnd_power(INFINITY, 2)) && fnd_power(INFINITY, -2) == 0);
    assert_true(isnan(fnd_power(-1, 0.5)) && isnan(fnd_power(NAN, 1)) && isnan(fnd_power(2, NAN)));
    assert_true(isinf(fnd_power(1e300, 2)) && fnd_power(1e300, -2) == 0);
    check_near(fnd_power(4e-320, 0.5) / sqrt(4e-320), 1, 1e-12);
}

static void logarithms(void **state)
{
    (void)state;
    double worst[3] = {0, 0, 0};
    for (uint64_t n = 0; n < 100000; n++) {
        random_stream r = random_of_case(53, n);
        double x = exp(random_between(&r, -300, 300)), y = random_between(&r, -700, 700);
        if (n % 4 == 0) x = 1 + random_magnitude(&r, 1e-12, 1), y = random_between(&r, -1, 1);
        long double expected = logl(x);
        worst[0] = larger(worst[0], (double)fabsl((fnd_logarithm(x) - expected) / expected));
        worst[1] = larger(worst[1], (double)fabsl(fnd_exponential(y) / expl(y) - 1) / (1 + fabs(y)));
        double z = random_below(&r, 2) ? -random_magnitude(&r, 1e-9, 0.999999) : random_magnitude(&r, 1e-9, 1e3);
        /* the C library's cancels for small z: there the series' first terms are the oracle */
        long double rest = fabs(z) > 1e-3 ? z - log1pl(z) : 0;
        if (fabs(z) <= 1e-3)
            for (int k = 8; k >= 2; k--) rest += (k % 2 ? -1 : 1) * powl(z, k) / k;
        worst[2] = larger(worst[2], (double)fabsl(fnd_logarithm_rest(z) / rest - 1));
    }
    printf("logarithm %.1e, exponential %.1e (1 + |y|), x - log(1 + x) %.1e\n", worst[0], worst[1], worst[2]);
    check_below(worst[0], 1e-15);
    check_below(worst[1], 1e-15);
    check_below(worst[2], 1e-14);
    assert_true(fnd_logarithm(1) == 0 && isinf(fnd_logarithm(0)) && isnan(fnd_logarithm(-1)));
    assert_true(isinf(fnd_logarithm(INFINITY)) && isnan(fnd_logarithm(NAN)) && fnd_exponential(0) == 1);
    assert_true(isinf(fnd_exponential(1000)) && fnd_exponential(-1000) == 0 && isnan(fnd_exponential(NAN)));
    assert_true(fnd_logarithm_rest(0) == 0 && isinf(fnd_logarithm_rest(-1)) && isnan(fnd_logarithm_rest(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_unit), cmocka_unit_test(special), cmocka_unit_test(powers),
                                       cmocka_unit_test(logarithms)};
    return cmocka_run_group_tests_name("sine, cosine, powers", tests, NULL, NULL);
}
