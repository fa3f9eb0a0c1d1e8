/* Every kind of interval over 2000 synthetic studies: one of 95 % holds the truth in 93 to 97 % of them. Those that are
 * conservative by their construction (Clopper and Pearson's, quantiles' and tolerance limits' on few values, those of
 * Sobol's indices on Sobol points, stops and boundaries) hold it in at least 94 %, which leaves room for chance. */
#include "check.h"
#include "study/boundary.h"
#include "study/distribution.h"
#include "study/random.h"
#include "study/sensitivity.h"
#include "study/stop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STUDIES = 2000, MOST = 2000 };

static void note(const char *kind, int held, int of, bool conservative)
{
    double share = (double)held / of;
    printf("  %-44s %6.2f %%%s\n", kind, 100 * share, conservative ? " (conservative)" : "");
    assert_true(conservative ? share > 0.94 : share > 0.93 && share < 0.97);
}
static int holds(fnd_estimate e, double truth) { return e.low <= truth && e.high >= truth; }

static void of_means_quantiles_and_probabilities(void **state)
{
    static const int sizes[] = {60, 1000};
    static double x[MOST], sorted[MOST];
    static int64_t order[MOST], spare[MOST];
    (void)state;
    for (int k = 0; k < 2; k++) {
        int n = sizes[k], mean = 0, median = 0, high = 0, few = 0, many = 0;
        for (int s = 0; s < STUDIES; s++) {
            int rare = 0, often = 0;
            for (int i = 0; i < n; i++) {
                double u = fnd_uniform(31, (uint32_t)s, (uint64_t)i);
                x[i] = -fnd_log(1 - u); /* exponential: mean 1, median log 2 */
                rare += u < 0.03;
                often += u < 0.4;
            }
            fnd_sort_indices(x, order, spare, n);
            for (int i = 0; i < n; i++) sorted[i] = x[order[i]];
            mean += holds(fnd_mean(x, n, 0.95), 1);
            median += holds(fnd_sample_quantile(sorted, n, 0.5, 0.95), log(2));
            fnd_estimate e = fnd_sample_quantile(sorted, n, 0.95, 0.95);
            if (isnan(e.high)) e.high = (double)INFINITY; /* no upper bound from so few */
            high += holds(e, log(20));
            few += holds(fnd_binomial(rare, n, 0.95), 0.03);
            many += holds(fnd_binomial(often, n, 0.95), 0.4);
        }
        note(k ? "mean of 1000 exponential values" : "mean of 60 exponential values", mean, STUDIES, false);
        note(k ? "median of 1000" : "median of 60", median, STUDIES, !k);
        note(k ? "95 % quantile of 1000" : "95 % quantile of 60", high, STUDIES, !k);
        note(k ? "probability 3 % in 1000 runs" : "probability 3 % in 60 runs", few, STUDIES, true);
        note(k ? "probability 40 % in 1000 runs" : "probability 40 % in 60 runs", many, STUDIES, !k);
    }
}

/* The share between limits, for uniform values, is their distance. */
static void of_tolerance_limits(void **state)
{
    static const int sizes[] = {59, 93, 1000};
    double sorted[1000], x[1000];
    int64_t order[1000], spare[1000];
    (void)state;
    for (int k = 0; k < 3; k++) {
        int n = sizes[k], below = 0, above = 0, between = 0;
        for (int s = 0; s < STUDIES; s++) {
            for (int i = 0; i < n; i++) x[i] = fnd_uniform(32, (uint32_t)s, (uint64_t)i);
            fnd_sort_indices(x, order, spare, n);
            for (int i = 0; i < n; i++) sorted[i] = x[order[i]];
            fnd_estimate e = fnd_tolerance(sorted, n, 0.95, 0.95, 1);
            below += e.high >= 0.95;
            above += 1 - e.low >= 0.95;
            e = fnd_tolerance(sorted, n, 0.95, 0.95, 2);
            between += e.high - e.low >= 0.95;
        }
        note(k == 0 ? "95/95 limit below, 59 values" : k == 1 ? "93 values" : "1000 values", below, STUDIES, false);
        note("  above", above, STUDIES, false);
        if (k) note("  on both sides", between, STUDIES, false);
    }
}

static void of_rank_correlations(void **state)
{
    enum { N = 100 };
    double x[N], y[N], room[2 * N];
    int64_t order[N], spare[N];
    (void)state;
    for (int k = 0; k < 3; k++) {
        double r = 0.45 * k, truth = 6 / 3.14159265358979 * asin(r / 2);
        int held = 0;
        for (int s = 0; s < STUDIES; s++) {
            for (int i = 0; i < N; i++) {
                x[i] = fnd_normal_quantile(fnd_uniform(33, (uint32_t)s, (uint64_t)i));
                y[i] = r * x[i] + sqrt(1 - r * r) * fnd_normal_quantile(fnd_uniform(34, (uint32_t)s, (uint64_t)i));
            }
            held += holds(fnd_rank_correlation(x, y, N, 0.95, room, order, spare), truth);
        }
        note(k == 0 ? "rank correlation 0" : k == 1 ? "0.43" : "0.89", held, STUDIES, false);
    }
}

/* Ishigami's function with a = 7, b = 0.1 (T. Ishigami and T. Homma, ISUMA 90): its indices in closed form. */
static double ishigami(const double *u)
{
    double x[3];
    for (int i = 0; i < 3; i++) x[i] = 3.14159265358979 * (2 * u[i] - 1);
    return sin(x[0]) + 7 * sin(x[1]) * sin(x[1]) + 0.1 * x[2] * x[2] * x[2] * x[2] * sin(x[0]);
}

static void of_sobol_indices(void **state)
{
    enum { N = 512 };
    double p4 = pow(3.14159265358979, 4), p8 = p4 * p4, all = 49.0 / 8 + 0.1 * p4 / 5 + 0.01 * p8 / 18 + 0.5;
    double v0 = 0.5 * pow(1 + 0.1 * p4 / 5, 2), v1 = 49.0 / 8, v02 = 0.01 * p8 * (1.0 / 18 - 1.0 / 50);
    double first[3] = {v0 / all, v1 / all, 0}, total[3] = {(v0 + v02) / all, v1 / all, v02 / all};
    (void)state;
    for (int sobol = 0; sobol < 2; sobol++) {
        int studies = sobol ? 200 : STUDIES;
        for (int i = 0; i < 3; i++) {
            int held = 0, held_total = 0;
            for (int s = 0; s < studies; s++) {
                double a[N], b[N], ab[N];
                for (uint32_t k = 0; k < N; k++) {
                    double x[3], y[3], z[3];
                    for (int d = 0; d < 3; d++) {
                        x[d] = sobol ? fnd_sobol((uint64_t)s, d, k) : fnd_uniform((uint64_t)s, (uint32_t)d, k);
                        y[d] = sobol ? fnd_sobol((uint64_t)s, d + 3, k) : fnd_uniform((uint64_t)s, (uint32_t)d + 3, k);
                        z[d] = d == i ? y[d] : x[d];
                    }
                    a[k] = ishigami(x), b[k] = ishigami(y), ab[k] = ishigami(z);
                }
                held += holds(fnd_first_index(a, b, ab, N, 0.95), first[i]);
                held_total += holds(fnd_total_index(a, ab, N, 0.95), total[i]);
            }
            note(sobol ? "first-order index, Sobol points" : "first-order index, 512 random blocks", held, studies,
                 sobol);
            note("  total", held_total, studies, sobol);
        }
    }
}

/* f = u0 + 4 u1^2 + 2 u0 u1 on 4 levels with jumps of 2 / 3 over all 4 x 4 starts: mu* and sigma by enumeration. */
static void of_morris_effects(void **state)
{
    enum { T = 60 };
    double all[2][16], mu[2] = {0, 0}, mean[2] = {0, 0}, sigma[2] = {0, 0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 16; k++) {
            double u[2] = {(k % 4) / 3.0, (double)(k / 4) / 3}, w[2] = {u[0], u[1]},
                   jump = u[i] < 0.5 ? 2 / 3.0 : -2 / 3.0;
            w[i] += jump;
            all[i][k] = (w[0] + 4 * w[1] * w[1] + 2 * w[0] * w[1] - u[0] - 4 * u[1] * u[1] - 2 * u[0] * u[1]) / jump;
            mu[i] += fabs(all[i][k]) / 16;
            mean[i] += all[i][k] / 16;
        }
        for (int k = 0; k < 16; k++) sigma[i] += (all[i][k] - mean[i]) * (all[i][k] - mean[i]) / 16;
        sigma[i] = sqrt(sigma[i]);
    }
    for (int i = 0; i < 2; i++) {
        int size = 0, deviation = 0;
        for (int s = 0; s < STUDIES; s++) {
            double effects[T], room[T];
            for (int t = 0; t < T; t++)
                effects[t] =
                    all[i][fnd_morris_start((uint64_t)s, t, 0, 4) + 4 * fnd_morris_start((uint64_t)s, t, 1, 4)];
            fnd_morris_effect m = fnd_morris(effects, T, 0.95, room);
            size += holds(m.size, mu[i]);
            deviation += holds(m.deviation, sigma[i]);
        }
        note("mu* of 60 trajectories", size, STUDIES, false);
        note("  sigma", deviation, STUDIES, false);
    }
}

static void of_studies_that_stop(void **state)
{
    static const double shares[] = {0.005, 0.05, 0.3};
    (void)state;
    for (int k = 0; k < 3; k++) {
        int held = 0;
        int64_t runs = 0;
        fnd_stop plan = {.count = 1};
        plan.conditions[0].half = 0.03;
        plan.conditions[0].level = 0.05;
        fnd_stop_plan(&plan);
        for (int s = 0; s < STUDIES; s++) {
            fnd_stop stop = plan;
            for (int64_t run = 0; !stop.reached; run++) {
                bool came = fnd_uniform(35, (uint32_t)s, (uint64_t)run) < shares[k];
                (void)fnd_stop_add(&stop, run, &came);
            }
            held += holds(fnd_binomial(stop.conditions[0].hits, stop.runs, 1 - stop.conditions[0].level), shares[k]);
            runs += stop.runs;
        }
        char kind[80];
        snprintf(kind, sizeof kind, "P = %g at a stop, after %.0f runs", shares[k], (double)runs / STUDIES);
        note(kind, held, STUDIES, true);
    }
}

static bool hits_of(void *ctx, double x, int64_t runs, int64_t *count)
{
    double p = 1 / (1 + exp(3 * (x - 5)));
    *count = 0;
    for (int64_t run = 0; run < runs; run++)
        *count += fnd_uniform(*(const uint64_t *)ctx, (uint32_t)(1e6 * x), (uint64_t)run) < p;
    return true;
}

static void of_boundaries(void **state)
{
    enum { SEARCHES = 500 };
    fnd_boundary b = {.from = 0, .to = 10, .width = 0.2, .probability = 0.9, .confidence = 0.95, .runs = 1000};
    double truth = 5 - log(9) / 3, off = 0;
    int held = 0;
    (void)state;
    for (uint64_t s = 0; s < SEARCHES; s++) {
        fnd_boundary_result r;
        assert_true(fnd_boundary_search(&b, hits_of, &s, &r));
        held += r.low <= truth && truth <= r.high;
        off += fabs(r.estimate - truth) / SEARCHES;
    }
    note("boundary", held, SEARCHES, true);
    assert_true(off < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_means_quantiles_and_probabilities),
        cmocka_unit_test(of_tolerance_limits),
        cmocka_unit_test(of_rank_correlations),
        cmocka_unit_test(of_sobol_indices),
        cmocka_unit_test(of_morris_effects),
        cmocka_unit_test(of_studies_that_stop),
        cmocka_unit_test(of_boundaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
