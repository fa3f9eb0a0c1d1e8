/* Counter-based numbers, quantiles and intervals against published vectors, closed forms and each other. */
#include "check.h"
#include "study/distribution.h"
#include "study/random.h"
#include "study/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Vectors of Random123 1.14, kat_vectors, philox4x32 10. */
static void philox_gives_the_published_vectors(void **state)
{
    static const uint32_t rows[3][10] = {{0, 0, 0, 0, 0, 0, 0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u},
                                         {0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu,
                                          0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu},
                                         {0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u, 0xa4093822u, 0x299f31d0u,
                                          0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        fnd_philox(rows[i], rows[i] + 4, out);
        for (int j = 0; j < 4; j++) assert_int_equal(out[j], rows[i][6 + j]);
    }
}

static void permutations_take_every_place_once(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 2, 3, 17, 64, 1000, 4097};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        unsigned char seen[4097] = {0};
        for (uint64_t i = 0; i < counts[c]; i++) {
            uint64_t at = fnd_permuted(5, 3, i, counts[c]);
            assert_true(at < counts[c] && !seen[at]);
            seen[at] = 1;
        }
    }
}

/* Every dimension of 2^m points has one in each interval of length 2^-m, scrambled or not; the first two have one in
 * every elementary box (they are a (0, m, 2) net). */
static void sobol_points_are_nets(void **state)
{
    enum { M = 8, N = 1 << M };
    (void)state;
    for (int d = 0; d < FND_SOBOL_DIMENSIONS; d++) {
        unsigned char seen[N] = {0};
        for (uint32_t i = 0; i < N; i++) seen[(int)(fnd_sobol(9, d, i) * N)]++;
        for (int i = 0; i < N; i++) assert_int_equal(seen[i], 1);
    }
    for (int a = 0; a <= M; a++) {
        unsigned char seen[N] = {0};
        for (uint32_t i = 0; i < N; i++)
            seen[((int)(fnd_sobol(9, 0, i) * (1 << a)) << (M - a)) + (int)(fnd_sobol(9, 1, i) * (1 << (M - a)))]++;
        for (int i = 0; i < N; i++) assert_int_equal(seen[i], 1);
    }
}

static void elementary_functions_are_those_of_the_c_library(void **state)
{
    (void)state;
    for (int i = -600; i <= 600; i++) {
        double x = exp(0.9 * i), y = 1.17 * i;
        assert_true(fabs(fnd_log(x) - log(x)) <= 4e-16 * fabs(log(x)) + 1e-16);
        assert_true(fabs(fnd_exp(y) - exp(y)) <= 1e-15 * exp(y) || y < -700);
        assert_true(fabs(fnd_normal_probability(0.01 * i) - 0.5 * erfc(-0.01 * i / sqrt(2))) < 3e-15);
    }
}

static const double increasing[] = {0, 1, 4}, shares[] = {0, 0.25, 1};
static const fnd_distribution all[] = {
    {.kind = FND_UNIFORM, .p = {-2, 3}},
    {.kind = FND_NORMAL, .p = {1, 2}},
    {.kind = FND_LOGNORMAL, .p = {3, 0.5}},
    {.kind = FND_TRIANGULAR, .p = {0, 1, 4}},
    {.kind = FND_BETA, .p = {1, 3, 2, 0.7}},
    {.kind = FND_WEIBULL, .p = {2, 1.5}},
    {.kind = FND_TABLE, .count = 3, .values = increasing, .cumulative = shares},
};
enum { COUNT = sizeof all / sizeof all[0] };

static void quantiles_undo_probabilities(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT; k++)
        for (int i = 1; i < 200; i++) {
            double u = i / 200.0, x = fnd_quantile(&all[k], u);
            assert_true(fabs(fnd_probability_below(&all[k], x) - u) < 1e-12);
        }
}

/* Kolmogorov and Smirnov: 1.95 / sqrt(n) is passed once in a thousand; the seed is fixed. */
static void samples_follow_their_distribution(void **state)
{
    enum { N = 4000 };
    static double x[N], sorted[N];
    static int64_t order[N], spare[N];
    (void)state;
    for (int k = 0; k < COUNT; k++)
        for (int truncated = 0; truncated < 2; truncated++) {
            fnd_distribution d = all[k];
            d.truncated = truncated;
            d.low = fnd_quantile(&all[k], 0.2);
            d.high = fnd_quantile(&all[k], 0.7);
            for (int i = 0; i < N; i++) x[i] = fnd_quantile(&d, fnd_uniform(11, (uint32_t)k, (uint64_t)i));
            fnd_sort_indices(x, order, spare, N);
            for (int i = 0; i < N; i++) sorted[i] = x[order[i]];
            double worst = 0;
            for (int i = 0; i < N; i++) {
                double f = fnd_probability_below(&all[k], sorted[i]);
                if (truncated) f = (f - 0.2) / 0.5;
                worst = fmax(worst, fmax(fabs(f - (double)i / N), fabs(f - (i + 1.0) / N)));
            }
            assert_true(worst < 1.95 / sqrt(N));
            assert_true(!truncated || (sorted[0] >= d.low && sorted[N - 1] <= d.high));
        }
}

/* R: binom.test(2, 20), binom.test(0, 100): (0.01234853, 0.3169827), (0, 0.03621669). The second is 1 - 0.025^(1/100).
 */
static void binomial_intervals_are_exact(void **state)
{
    (void)state;
    fnd_estimate e = fnd_binomial(2, 20, 0.95);
    assert_true(fabs(e.low - 0.01234853) < 5e-9 && fabs(e.high - 0.3169827) < 5e-8);
    e = fnd_binomial(0, 100, 0.95);
    assert_true(e.low == 0 && fabs(e.high - (1 - pow(0.025, 0.01))) < 1e-12);
    e = fnd_binomial(100, 100, 0.95);
    assert_true(e.high == 1 && fabs(e.low - pow(0.025, 0.01)) < 1e-12);
}

/* 95 % intervals of 2000 studies of 60 runs hold the truth in 93 to 97 % of them; the exact binomial one, and that of a
 * quantile, in at least 95 % (they are conservative; 94 % leaves room for chance). */
static void intervals_cover(void **state)
{
    enum { STUDIES = 2000, N = 60 };
    double x[N], sorted[N];
    int64_t order[N], spare[N];
    int mean = 0, median = 0, binomial = 0;
    (void)state;
    for (int s = 0; s < STUDIES; s++) {
        int hits = 0;
        for (int i = 0; i < N; i++) {
            double u = fnd_uniform(21, (uint32_t)s, (uint64_t)i);
            x[i] = fnd_normal_quantile(u);
            hits += u < 0.1;
        }
        fnd_sort_indices(x, order, spare, N);
        for (int i = 0; i < N; i++) sorted[i] = x[order[i]];
        fnd_estimate e = fnd_mean(x, N, 0.95);
        mean += e.low < 0 && e.high > 0;
        e = fnd_sample_quantile(sorted, N, 0.5, 0.95);
        median += e.low < 0 && e.high > 0;
        e = fnd_binomial(hits, N, 0.95);
        binomial += e.low < 0.1 && e.high > 0.1;
    }
    assert_true(mean > 0.93 * STUDIES && mean < 0.97 * STUDIES);
    assert_true(median > 0.94 * STUDIES && median < 0.985 * STUDIES);
    assert_true(binomial > 0.94 * STUDIES);
}

static void rank_correlation_sees_order_alone(void **state)
{
    double a[] = {1, 2, 3, 4, 5}, b[] = {1, 4, 9, 16, 25}, c[] = {3, 1, 4, 1, 5}, room[10];
    int64_t order[5], spare[5];
    (void)state;
    assert_true(fnd_rank_correlation(a, b, 5, 0.95, room, order, spare).value == 1);
    /* ranks 2 0.5 3 0.5 4 about 2: 4 / sqrt(10 * 9.5) */
    assert_true(fabs(fnd_rank_correlation(a, c, 5, 0.95, room, order, spare).value - 4 / sqrt(95)) < 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_vectors),
        cmocka_unit_test(permutations_take_every_place_once),
        cmocka_unit_test(sobol_points_are_nets),
        cmocka_unit_test(elementary_functions_are_those_of_the_c_library),
        cmocka_unit_test(quantiles_undo_probabilities),
        cmocka_unit_test(samples_follow_their_distribution),
        cmocka_unit_test(binomial_intervals_are_exact),
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(rank_correlation_sees_order_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
