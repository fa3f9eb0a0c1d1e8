/* From runs to inputs: designs, joint distributions and directions against what they must be. */
#include "check.h"
#include "study/random.h"
#include "study/statistics.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 3, MOST = 4096 };

/* Three uniform numbers from 0 to 1. */
static fender_study study_of(fnd_variable *variables, fnd_design design, int64_t runs)
{
    for (int i = 0; i < VARIABLES; i++) {
        variables[i] = (fnd_variable){.unit = "", .scale = 1, .dimension = i, .column = i, .levels = 3};
        variables[i].distribution = (fnd_distribution){.kind = FND_UNIFORM, .p = {0, 1}};
    }
    return (fender_study){.design = design,
                          .seed = 3,
                          .runs = runs,
                          .variables = variables,
                          .variable_count = VARIABLES,
                          .dimension_count = VARIABLES,
                          .input_count = VARIABLES};
}

static void latin_hypercubes_have_one_run_in_each_share(void **state)
{
    enum { N = 1000 };
    fnd_variable variables[VARIABLES];
    fender_study s = study_of(variables, FND_DESIGN_LATIN_HYPERCUBE, N);
    (void)state;
    for (int i = 0; i < VARIABLES; i++) {
        unsigned char seen[N] = {0};
        for (int64_t run = 0; run < N; run++) {
            double x[VARIABLES];
            fnd_study_inputs(&s, run, x);
            seen[(int)(x[i] * N)]++;
        }
        for (int k = 0; k < N; k++) assert_int_equal(seen[k], 1);
    }
}

/* The largest difference between area and share of points over all boxes at the origin: they need only end at the
 * points' coordinates. */
static double star_discrepancy(const double *x, const double *y, int n)
{
    double worst = 0;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            double a = i < n ? x[i] : 1, b = j < n ? y[j] : 1;
            int open = 0, closed = 0;
            for (int k = 0; k < n; k++) {
                open += x[k] < a && y[k] < b;
                closed += x[k] <= a && y[k] <= b;
            }
            worst = fmax(worst, fmax(a * b - (double)open / n, (double)closed / n - a * b));
        }
    return worst;
}

/* H. Niederreiter, Random Number Generation and Quasi-Monte Carlo Methods (1992), theorem 4.7: N D* of a (0, m, 2) net
 * in base 2 is at most m / 2 + 3 / 2. Random points have about 0.9 sqrt(N). */
static void sobol_points_have_a_small_star_discrepancy(void **state)
{
    (void)state;
    for (int m = 5; m <= 8; m++) {
        int n = 1 << m;
        double x[256], y[256];
        for (int seed = 0; seed < 3; seed++) {
            for (int i = 0; i < n; i++) x[i] = fnd_sobol((uint64_t)seed, 0, (uint32_t)i);
            for (int i = 0; i < n; i++) y[i] = fnd_sobol((uint64_t)seed, 1, (uint32_t)i);
            assert_true(n * star_discrepancy(x, y, n) <= floor(0.5 * m + 1.5));
        }
        for (int i = 0; i < n; i++) x[i] = fnd_uniform(1, 0, (uint64_t)i);
        for (int i = 0; i < n; i++) y[i] = fnd_uniform(1, 1, (uint64_t)i);
        assert_true(n * star_discrepancy(x, y, n) > floor(0.5 * m + 1.5) || m < 7);
    }
}

/* In the block of A, B and AB: a variable of AB comes from B where the run is its own, else from A. */
static void blocks_exchange_one_variable(void **state)
{
    fnd_variable variables[VARIABLES];
    fender_study s = study_of(variables, FND_DESIGN_SOBOL_INDICES, 64 * (VARIABLES + 2));
    (void)state;
    double a[VARIABLES], b[VARIABLES], ab[VARIABLES];
    for (int64_t k = 0; k < 64; k++) {
        fnd_study_inputs(&s, k * (VARIABLES + 2), a);
        fnd_study_inputs(&s, k * (VARIABLES + 2) + 1, b);
        for (int i = 0; i < VARIABLES; i++) {
            fnd_study_inputs(&s, k * (VARIABLES + 2) + 2 + i, ab);
            for (int j = 0; j < VARIABLES; j++) assert_true(ab[j] == (i == j ? b[j] : a[j]) && a[j] != b[j]);
        }
    }
}

/* Levels of a discrete variable are its values, each once, whatever their weights; of numbers they are even in
 * probability. In one_at_a_time the first run has the medians. */
static void grids_take_each_value_once(void **state)
{
    static const double cumulative[] = {0.02, 0.1, 0.1, 1}; /* the third has no weight */
    fnd_variable variables[VARIABLES];
    (void)state;
    for (fnd_design design = FND_DESIGN_FULL_FACTORIAL; design <= FND_DESIGN_CORNERS; design++) {
        fender_study s = study_of(variables, design, 0);
        double x[VARIABLES];
        variables[1].distribution = (fnd_distribution){.kind = FND_DISCRETE, .count = 4, .cumulative = cumulative};
        variables[1].levels = 4;
        if (design == FND_DESIGN_ONE_AT_A_TIME) {
            fnd_study_inputs(&s, 0, x);
            assert_true(x[0] == 0.5 && x[1] == 3 && x[2] == 0.5);
            for (int i = 0; i < 4; i++) {
                fnd_study_inputs(&s, 1 + 3 + i, x);
                assert_true(x[0] == 0.5 && x[1] == i && x[2] == 0.5);
            }
            continue;
        }
        for (int run = 0; run < 36; run++) {
            fnd_study_inputs(&s, run, x);
            assert_true(x[0] == 0.5 * (run / 12) && x[1] == run / 3 % 4 && x[2] == 0.5 * (run % 3));
        }
    }
}

/* Values without weight are never drawn: the bounds of probability give the first and the last one that has some. */
static void bounds_of_discrete_values(void **state)
{
    static const double cumulative[] = {0, 0.5, 1, 1}; /* the first and the last have no weight */
    const fnd_distribution d = {.kind = FND_DISCRETE, .count = 4, .cumulative = cumulative};
    (void)state;
    assert_true(fnd_quantile(&d, 0) == 1 && fnd_quantile(&d, 0.4) == 1);
    assert_true(fnd_quantile(&d, 0.5) == 2 && fnd_quantile(&d, 1) == 2);
}

static void trajectories_move_each_variable_once_by_half_the_levels(void **state)
{
    enum { TRAJECTORIES = 400 };
    fnd_variable variables[VARIABLES];
    int first[VARIABLES] = {0}, ups = 0;
    fender_study s = study_of(variables, FND_DESIGN_MORRIS, TRAJECTORIES * (VARIABLES + 1));
    s.design_levels = 4;
    (void)state;
    for (int64_t t = 0; t < TRAJECTORIES; t++) {
        double before[VARIABLES], after[VARIABLES];
        unsigned moved = 0;
        fnd_study_inputs(&s, t * (VARIABLES + 1), before);
        for (int step = 1; step <= VARIABLES; step++) {
            fnd_study_inputs(&s, t * (VARIABLES + 1) + step, after);
            for (int i = 0; i < VARIABLES; i++) {
                if (after[i] == before[i]) continue;
                assert_true(fabs(fabs(after[i] - before[i]) - 2.0 / 3) < 1e-15);
                assert_true(!(moved >> i & 1));
                assert_int_equal(fnd_morris_place(s.seed, t, i, VARIABLES), step - 1);
                moved |= 1u << i;
                ups += after[i] > before[i];
                first[i] += step == 1;
            }
            memcpy(before, after, sizeof before);
        }
        assert_int_equal(moved, 7);
    }
    /* 400 of 1200 would be equal; four deviations of a binomial */
    for (int i = 0; i < VARIABLES; i++)
        assert_true(fabs(first[i] - TRAJECTORIES / 3.0) < 4 * sqrt(TRAJECTORIES * 2 / 9.0));
    assert_true(abs(ups - TRAJECTORIES * VARIABLES / 2) < 4 * sqrt(TRAJECTORIES * VARIABLES / 4.0));
}

/* ---- joint distributions */

static double correlation(const double *x, const double *y, int n)
{
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < n; i++) mx += x[i] / n, my += y[i] / n;
    for (int i = 0; i < n; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xy / sqrt(xx * yy);
}

static const double wanted[3][3] = {{1, 0.8, -0.3}, {0.8, 1, 0.1}, {-0.3, 0.1, 1}};
static double root[9];
static const int members[] = {0, 1, 2};
static uint32_t ranks[3 * MOST];

static fender_study joint_study(fnd_variable *variables, fnd_joint *joint, fnd_design design)
{
    fender_study s = study_of(variables, design, MOST);
    for (int i = 0; i < 3; i++) /* Cholesky's factor */
        for (int j = 0; j <= i; j++) {
            double sum = wanted[i][j];
            for (int k = 0; k < j; k++) sum -= root[3 * i + k] * root[3 * j + k];
            root[3 * i + j] = i == j ? sqrt(sum) : sum / root[3 * j + j];
        }
    variables[0].distribution = (fnd_distribution){.kind = FND_NORMAL, .p = {5, 2}};
    variables[1].distribution = (fnd_distribution){.kind = FND_NORMAL, .p = {-1, 0.1}};
    variables[2].distribution = (fnd_distribution){.kind = FND_WEIBULL, .p = {2, 1.5}};
    for (int i = 0; i < 3; i++) variables[i].joined = true;
    *joint = (fnd_joint){.count = 3, .members = members, .root = root};
    s.joints = joint;
    s.joint_count = 1;
    if (design == FND_DESIGN_LATIN_HYPERCUBE) { /* as loading does */
        static double z[3][MOST];
        static int64_t order[MOST], spare[MOST];
        for (int64_t run = 0; run < MOST; run++) {
            double own[FND_JOINT_LIMIT];
            fnd_joint_normals(&s, joint, run, own);
            for (int i = 0; i < 3; i++) z[i][run] = own[i];
        }
        for (int i = 0; i < 3; i++) {
            fnd_sort_indices(z[i], order, spare, MOST);
            for (int k = 0; k < MOST; k++) ranks[i * MOST + order[k]] = (uint32_t)k;
        }
        joint->ranks = ranks;
    }
    return s;
}

/* A correlation of n normal pairs has the deviation (1 - r^2) / sqrt(n); four of them. A rank correlation of the copula
 * is 6 / pi asin(r / 2) (Kruskal 1958) with about 1 / sqrt(n). */
static void joint_variables_have_their_correlation_and_their_distributions(void **state)
{
    static double x[3][MOST], sorted[MOST], room[2 * MOST];
    static int64_t order[MOST], spare[MOST];
    static const fnd_design designs[] = {FND_DESIGN_RANDOM, FND_DESIGN_LATIN_HYPERCUBE, FND_DESIGN_SOBOL};
    (void)state;
    for (int d = 0; d < 3; d++) {
        fnd_variable variables[VARIABLES];
        fnd_joint joint;
        fender_study s = joint_study(variables, &joint, designs[d]);
        for (int64_t run = 0; run < MOST; run++) {
            double in[3];
            fnd_study_inputs(&s, run, in);
            for (int i = 0; i < 3; i++) x[i][run] = in[i];
        }
        double r = correlation(x[0], x[1], MOST);
        assert_true(fabs(r - 0.8) < 4 * 0.36 / sqrt(MOST));
        for (int i = 0; i < 2; i++) {
            fnd_estimate e = fnd_rank_correlation(x[i], x[2], MOST, 0.95, room, order, spare);
            assert_true(fabs(e.value - 6 / 3.14159265358979 * asin(wanted[i][2] / 2)) < 4 / sqrt(MOST));
        }
        for (int i = 0; i < 3; i++) { /* Kolmogorov and Smirnov, once in a thousand */
            double worst = 0;
            fnd_sort_indices(x[i], order, spare, MOST);
            for (int k = 0; k < MOST; k++) sorted[k] = x[i][order[k]];
            for (int k = 0; k < MOST; k++) {
                double f = fnd_probability_below(&variables[i].distribution, sorted[k]);
                worst = fmax(worst, fmax(fabs(f - (double)k / MOST), fabs(f - (k + 1.0) / MOST)));
            }
            assert_true(worst < 1.95 / sqrt(MOST));
            if (designs[d] == FND_DESIGN_LATIN_HYPERCUBE) assert_true(worst < 1.001 / MOST); /* one in each share */
        }
    }
}

/* ---- directions */

/* Each coordinate of a uniform direction is uniform from -1 to 1 (Archimedes); in a cone the one along the axis is
 * uniform from the cosine to 1. The angle about the axis: mean of its double's cosine is 0. */
static void directions_are_uniform_on_the_sphere_and_on_caps(void **state)
{
    static double along[MOST];
    static int64_t order[MOST], spare[MOST];
    (void)state;
    for (int kind = 0; kind < 5; kind++) {
        fnd_variable v = {.unit = "", .scale = 1, .axis = {0, 0, 1}};
        double least = kind < 3 ? -1 : kind == 3 ? 0.9 : 0.2, a[3] = {0, 0, 0}, twice = 0;
        if (kind == 4) v.axis[0] = 0.6, v.axis[1] = 0, v.axis[2] = -0.8;
        v.distribution = (fnd_distribution){.kind = FND_DIRECTION, .p = {least, 2}};
        fender_study s = {.design = FND_DESIGN_RANDOM,
                          .seed = 8,
                          .runs = MOST,
                          .variables = &v,
                          .variable_count = 1,
                          .dimension_count = 3,
                          .input_count = 3};
        if (kind < 3) a[kind] = 1;
        else memcpy(a, v.axis, sizeof a);
        for (int64_t run = 0; run < MOST; run++) {
            double x[3];
            fnd_study_inputs(&s, run, x);
            assert_true(fabs(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 4) < 1e-14);
            along[run] = 0.5 * (x[0] * a[0] + x[1] * a[1] + x[2] * a[2]);
            double across = 4 - 4 * along[run] * along[run], y = x[1];
            if (kind >= 2) twice += (2 * y * y / across - 1) / MOST; /* y is at right angles to these axes */
        }
        assert_true(fabs(twice) < 4 * sqrt(0.5 / MOST));
        double worst = 0;
        fnd_sort_indices(along, order, spare, MOST);
        for (int k = 0; k < MOST; k++) {
            double f = (along[order[k]] - least) / (1 - least);
            worst = fmax(worst, fmax(fabs(f - (double)k / MOST), fabs(f - (k + 1.0) / MOST)));
        }
        assert_true(worst < 1.95 / sqrt(MOST));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latin_hypercubes_have_one_run_in_each_share),
        cmocka_unit_test(sobol_points_have_a_small_star_discrepancy),
        cmocka_unit_test(blocks_exchange_one_variable),
        cmocka_unit_test(grids_take_each_value_once),
        cmocka_unit_test(bounds_of_discrete_values),
        cmocka_unit_test(trajectories_move_each_variable_once_by_half_the_levels),
        cmocka_unit_test(joint_variables_have_their_correlation_and_their_distributions),
        cmocka_unit_test(directions_are_uniform_on_the_sphere_and_on_caps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
