/* Figures against SciPy and tables; rules that stop and search against known curves. */
#include "check.h"
#include "study/boundary.h"
#include "study/distribution.h"
#include "study/random.h"
#include "study/sensitivity.h"
#include "study/stop.h"

#include <math.h>
#include <string.h>

/* SciPy 1.10.1: scipy.stats.NAME(..).ppf([1e-9, 0.003, 0.2, 0.5, 0.77, 0.999]). */
static void quantiles_are_those_of_scipy(void **state)
{
    static const double u[] = {1e-9, 0.003, 0.2, 0.5, 0.77, 0.999};
    static const struct {
        fnd_distribution d;
        double x[6];
    } rows[] = {
        {{.kind = FND_NORMAL, .p = {1, 2}},
         {-10.9956140300154, -4.49556277088999, -0.683242467145828, 1.0, 2.47769369837043, 7.18046461233563}},
        {{.kind = FND_LOGNORMAL, .p = {3, 0.5}},
         {0.149525068365206, 0.7593606847003, 1.9695432673431, 3.0, 4.34070038125111, 14.0655485430269}},
        {{.kind = FND_TRIANGULAR, .p = {0, 1, 4}},
         {6.32455532033676e-05, 0.109544511501033, 0.894427190999916, 1.55051025721682, 2.33867522741639,
          3.89045548849897}},
        {{.kind = FND_BETA, .p = {1, 3, 2, 0.7}},
         {1.00008199167003, 1.14098845729786, 2.08040739022356, 2.60728070830805, 2.88104474744135, 2.9999514589501}},
        {{.kind = FND_WEIBULL, .p = {2, 1.5}},
         {2.00000000066667e-06, 0.0416433510933229, 0.735788319781589, 1.5664395375493, 2.58530066480728,
          7.25417382467895}},
        {{.kind = FND_NORMAL, .p = {1, 2}, .truncated = true, .low = -1, .high = 2},
         {-0.999999995596102, -0.986831656693802, -0.254689148761331, 0.622063535588449, 1.34723419856336,
          1.99697439147117}},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int i = 0; i < 6; i++)
            assert_true(fabs(fnd_quantile(&rows[r].d, u[i]) - rows[r].x[i]) <= 1e-13 * fabs(rows[r].x[i]) + 1e-13);
}

/* Far out on the upper side the probabilities below have no digits left: it is the mirror of the lower side. Numbers
 * for 8 to 12 deviations from erfc by bisection; a Weibull distribution cut off below has a closed form. */
static void upper_tails_are_as_fine_as_lower_ones(void **state)
{
    static const double u[] = {1e-9, 0.003, 0.2, 0.5, 0.77, 0.999};
    static const double x[] = {8.000000000123134, 8.000369942789213, 8.027430441718828,
                               8.084911007391543, 8.17901891687152,  8.810652760920775};
    const fnd_distribution upper = {.kind = FND_NORMAL, .p = {3, 2}, .truncated = true, .low = 19, .high = 27},
                           lower = {.kind = FND_NORMAL, .p = {3, 2}, .truncated = true, .low = -21, .high = -13},
                           lognormal = {.kind = FND_LOGNORMAL,
                                        .p = {5, 0.1},
                                        .truncated = true,
                                        .low = 5 * exp(0.8),
                                        .high = 5 * exp(1.2)},
                           weibull = {.kind = FND_WEIBULL, .p = {2, 1.5}, .truncated = true, .low = 30, .high = 1e9};
    double before = 0;
    (void)state;
    for (int i = 0; i < 6; i++) {
        assert_true(fabs(fnd_quantile(&upper, u[i]) - (3 + 2 * x[i])) < 1e-12);
        assert_true(fabs(fnd_quantile(&lognormal, u[i]) - 5 * exp(0.1 * x[i])) < 1e-12);
        assert_true(fabs(fnd_quantile(&weibull, u[i]) - 2 * pow(pow(15, 1.5) - log1p(-u[i]), 2.0 / 3)) < 1e-12);
    }
    for (int k = 0; k <= 1024; k++) { /* each another one, in order */
        const double y = fnd_quantile(&upper, k / 1024.0);
        assert_true(y > before && fabs(y - (6 - fnd_quantile(&lower, 1 - k / 1024.0))) < 1e-12);
        before = y;
    }
    const double both = fnd_probability_between(&upper, 3 + 2 * 9.0, 3 + 2 * 12.0);
    assert_true(both > 0 && fabs(both / fnd_probability_between(&upper, 3 - 2 * 12.0, 3 - 2 * 9.0) - 1) < 1e-12);
}

/* SciPy 1.10.1: binomtest(k, n).proportion_ci(0.95, 'exact'), spearmanr, beta.cdf; Student's quantile by
 * special.betaincinv (its own t.ppf is 1e-9 off). */
static void figures_are_those_of_scipy(void **state)
{
    static const double binomial[][4] = {{7, 50, 0.05819170034, 0.267396002497},
                                         {990, 1000, 0.981686756945, 0.995194489309},
                                         {0, 59, 0, 0.0606089009503},
                                         {1, 10, 0.00252857854446, 0.445016117028}};
    static const double x[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, y[] = {2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5};
    static const double z[] = {2.1, 3.4, 1.9, 5.6, 4.4, 3.3, 2.7};
    double room[24];
    int64_t order[12], spare[12];
    (void)state;
    for (int i = 0; i < 4; i++) {
        fnd_estimate e = fnd_binomial((int64_t)binomial[i][0], (int64_t)binomial[i][1], 0.95);
        assert_true(fabs(e.low - binomial[i][2]) < 2e-12 && fabs(e.high - binomial[i][3]) < 2e-12);
    }
    fnd_estimate e = fnd_rank_correlation(x, y, 12, 0.95, room, order, spare);
    assert_true(fabs(e.value - 0.141579686364016) < 1e-14);
    e = fnd_mean(z, 7, 0.95);
    assert_true(fabs(e.low - 2.133632800193) < 1e-11 && fabs(e.high - 4.552081485522) < 1e-11);
    assert_true(fabs(fnd_beta_probability(3, 4, 0.2) - 0.09888) < 1e-14);
    assert_true(fabs(fnd_beta_probability(50, 1.5, 0.97) - 0.382308129640626) < 1e-13);
    assert_true(fabs(fnd_beta_probability(0.5, 0.5, 0.1) - 0.204832764699133) < 1e-14);
}

/* Wilks' numbers as they are tabulated (A. Guba, M. Makai, L. Pal, Reliab. Eng. Syst. Saf. 80 (2003)): 59 and 93 for
 * 95/95, 299 and 473 for 99/95, 90 for 95/99. */
static void tolerance_limits_need_the_tabulated_numbers(void **state)
{
    double sorted[93];
    (void)state;
    for (int i = 0; i < 93; i++) sorted[i] = i + 1;
    assert_int_equal(fnd_tolerance_runs(0.95, 0.95, 1), 59);
    assert_int_equal(fnd_tolerance_runs(0.95, 0.95, 2), 93);
    assert_int_equal(fnd_tolerance_runs(0.99, 0.95, 1), 299);
    assert_int_equal(fnd_tolerance_runs(0.99, 0.95, 2), 473);
    assert_int_equal(fnd_tolerance_runs(0.95, 0.99, 1), 90);
    assert_true(isnan(fnd_tolerance(sorted, 58, 0.95, 0.95, 1).high));
    assert_true(isnan(fnd_tolerance(sorted, 92, 0.95, 0.95, 2).high));
    assert_true(fnd_tolerance(sorted, 59, 0.95, 0.95, 1).high == 59 &&
                fnd_tolerance(sorted, 59, 0.95, 0.95, 1).low == 1);
    /* 93 values: the second largest (the order 2 of Wilks' rule), and the two outermost */
    assert_true(fnd_tolerance(sorted, 93, 0.95, 0.95, 1).high == 92);
    fnd_estimate both = fnd_tolerance(sorted, 93, 0.95, 0.95, 2);
    assert_true(both.low == 1 && both.high == 93);
}

/* y = x0 + 2 x1 + x0 x1 with inputs uniform on (0, 1): by hand, V0 = (1 + 1/2)^2 / 12, V1 = (2 + 1/2)^2 / 12,
 * V01 = 1 / 144. */
static void indices_are_those_of_a_function_by_hand(void **state)
{
    enum { N = 4096 };
    static double a[N], b[N], ab[N];
    double v[2] = {2.25 / 12, 6.25 / 12}, v01 = 1.0 / 144, all = v[0] + v[1] + v01;
    (void)state;
    for (int i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < N; k++) {
            double p[2] = {fnd_sobol(4, 0, k), fnd_sobol(4, 1, k)}, q[2] = {fnd_sobol(4, 2, k), fnd_sobol(4, 3, k)},
                   m[2];
            for (int j = 0; j < 2; j++) m[j] = i == j ? q[j] : p[j];
            a[k] = p[0] + 2 * p[1] + p[0] * p[1];
            b[k] = q[0] + 2 * q[1] + q[0] * q[1];
            ab[k] = m[0] + 2 * m[1] + m[0] * m[1];
        }
        fnd_estimate first = fnd_first_index(a, b, ab, N, 0.95), total = fnd_total_index(a, ab, N, 0.95);
        assert_true(fabs(first.value - v[i] / all) < 2e-3 && first.low < v[i] / all && first.high > v[i] / all);
        assert_true(fabs(total.value - (v[i] + v01) / all) < 2e-3);
        assert_true(total.low < (v[i] + v01) / all && total.high > (v[i] + v01) / all);
    }
    for (int k = 0; k < N; k++) a[k] = 7;
    assert_true(isnan(fnd_first_index(a, a, a, N, 0.95).value));
}

static void elementary_effects_are_means_and_deviations(void **state)
{
    static const double effects[] = {1, -1, 2, -2, 3, -3};
    double room[6];
    (void)state;
    fnd_morris_effect m = fnd_morris(effects, 6, 0.95, room);
    assert_true(m.mean.value == 0 && m.size.value == 2 && fabs(m.deviation.value - sqrt(28.0 / 5)) < 1e-15);
    assert_true(m.size.low < 2 && m.size.high > 2 && m.deviation.low < m.deviation.value);
}

/* Shares of runs are probabilities where the runs are drawn: not on grids, and not in a list that somebody has chosen.
 */
static void samples_are_drawn(void **state)
{
    (void)state;
    static const struct {
        const char *design;
        bool sample, list;
    } cases[] = {{"random 0 0 3", true, false},
                 {"latin_hypercube 0 0 3", true, false},
                 {"sobol 0 0 3", true, false},
                 {"sobol_indices 8 0 3", true, false},
                 {"full_factorial 0 0 3", false, false},
                 {"one_at_a_time 0 0 3", false, false},
                 {"corners 0 0 3", false, false},
                 {"morris 8 4 3", false, false},
                 {"list 0 0 0", false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fnd_results r = {.design = cases[i].design, .runs = 40};
        const fnd_store_design d = fnd_store_design_of(&r);
        assert_true(d.is_grid == !cases[i].sample && d.is_list == cases[i].list);
    }
}

/* ---- stopping */

static fnd_stop rule(double half, double confidence)
{
    fnd_stop stop = {.count = 1};
    strcpy(stop.conditions[0].name, "hit");
    stop.conditions[0].half = half;
    stop.conditions[0].level = 1 - confidence;
    fnd_stop_plan(&stop);
    return stop;
}

/* The first look is the least number that can do with no hit, the last one does at one half; the error is shared out;
 * what a store keeps reads back the same. */
static void looks_reach_from_the_least_to_the_most(void **state)
{
    fnd_stop stop = rule(0.02, 0.95), back;
    char text[FND_STOP_TEXT];
    (void)state;
    double level = 0.05 / stop.looks;
    assert_true(fabs(stop.conditions[0].level - level) < 1e-16);
    fnd_estimate first = fnd_binomial(0, stop.first, 1 - level), before = fnd_binomial(0, stop.first - 1, 1 - level);
    assert_true(first.high < 0.04 && before.high >= 0.04);
    fnd_stop_write(&stop, text, sizeof text);
    assert_true(fnd_stop_read(&back, text) && back.first == stop.first && back.looks == stop.looks);
    assert_true(back.conditions[0].half == 0.02 && back.conditions[0].level == stop.conditions[0].level);
    assert_string_equal(back.conditions[0].name, "hit");
    for (int64_t run = 0; !stop.reached; run++) {
        bool came = run % 2;
        (void)fnd_stop_add(&stop, run, &came);
        assert_true(run < 10000000);
    }
    assert_true(stop.look == stop.looks);
    assert_false(fnd_stop_read(&back, "") || fnd_stop_read(&back, "5") || fnd_stop_read(&back, "5 2 hit 0.1"));
}

/* A missing run ends the looks. */
/* A store is complete at the look that stops its study; with a run missing before it all runs are. */
static void a_stop_completes_a_store(void **state)
{
    enum { ALL = 2000 };
    static double values[ALL];
    static int64_t runs[ALL];
    char text[FND_STOP_TEXT];
    (void)state;
    fnd_stop stop = rule(0.05, 0.95), told;
    fnd_stop_write(&stop, text, sizeof text);
    fnd_store_column column = {.kind = FND_COLUMN_OUTCOME, .name = "hit", .unit = "1", .detail = "", .values = values};
    fnd_results r = {.stop = text, .runs = ALL, .columns = &column, .column_count = 1, .run = runs};
    for (int i = 0; i < ALL; i++) {
        values[i] = 0;
        runs[i] = i;
    }
    for (r.rows = 0; r.rows < ALL; r.rows++) { /* with no hit the first look is enough */
        assert_int_equal(fnd_results_total(&r), r.rows < stop.first ? ALL : stop.first);
        assert_true(fnd_results_stop(&r, &told) && told.reached == (r.rows >= stop.first));
    }
    for (int i = 3; i < ALL; i++) runs[i] = i + 1;
    assert_int_equal(fnd_results_total(&r), ALL);
    r.stop = "";
    assert_false(fnd_results_stop(&r, &told));
}

static void a_gap_never_stops(void **state)
{
    fnd_stop stop = rule(0.2, 0.9);
    bool no = false;
    (void)state;
    for (int64_t run = 0; run < 1000; run++) assert_false(fnd_stop_add(&stop, run < 3 ? run : run + 1, &no));
    assert_true(stop.broken);
}

/* ---- boundaries */

typedef struct curve {
    double middle, slope; /* the outcome comes with 1 / (1 + exp(slope (x - middle))) */
    uint64_t seed;
} curve;

static bool hits_of(void *ctx, double x, int64_t runs, int64_t *count)
{
    const curve *c = ctx;
    double p = 1 / (1 + exp(c->slope * (x - c->middle)));
    *count = 0;
    for (int64_t run = 0; run < runs; run++) *count += fnd_uniform(c->seed, (uint32_t)(1e6 * x), (uint64_t)run) < p;
    return true;
}

/* P = 0.9 where slope (x - middle) = log(1 / 9); both directions; the interval holds it and is as narrow as asked, or
 * as the runs allow. */
static void a_boundary_is_found_from_both_sides(void **state)
{
    (void)state;
    for (int smallest = 0; smallest < 2; smallest++) {
        fnd_boundary b = {.smallest = smallest,
                          .from = 0,
                          .to = 10,
                          .width = 0.1,
                          .probability = 0.9,
                          .confidence = 0.95,
                          .runs = 8000};
        curve c = {5, smallest ? -4 : 4, 2};
        fnd_boundary_result r;
        double truth = 5 - log(9) / c.slope;
        assert_true(fnd_boundary_search(&b, hits_of, &c, &r));
        assert_true(!r.crossed && r.low <= truth && truth <= r.high && r.high - r.low < 0.5);
        assert_true(fabs(r.estimate - truth) < 0.1);
        c.middle = smallest ? -50 : 50; /* always, everywhere */
        assert_true(fnd_boundary_search(&b, hits_of, &c, &r));
        assert_true(smallest ? isinf(r.low) && r.high == 0 : isinf(r.high) && r.low == 10);
        c.middle = smallest ? 50 : -50; /* never */
        assert_true(fnd_boundary_search(&b, hits_of, &c, &r));
        assert_true(smallest ? isinf(r.high) && r.low == 10 : isinf(r.low) && r.high == 0);
        assert_int_equal(r.count, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_scipy),
        cmocka_unit_test(upper_tails_are_as_fine_as_lower_ones),
        cmocka_unit_test(figures_are_those_of_scipy),
        cmocka_unit_test(tolerance_limits_need_the_tabulated_numbers),
        cmocka_unit_test(indices_are_those_of_a_function_by_hand),
        cmocka_unit_test(elementary_effects_are_means_and_deviations),
        cmocka_unit_test(samples_are_drawn),
        cmocka_unit_test(looks_reach_from_the_least_to_the_most),
        cmocka_unit_test(a_stop_completes_a_store),
        cmocka_unit_test(a_gap_never_stops),
        cmocka_unit_test(a_boundary_is_found_from_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
