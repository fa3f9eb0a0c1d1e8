/* Tables of the Runge-Kutta pairs: every order condition of the methods, of their error estimates and of their dense
 * output, by rooted trees (Butcher; Hairer, Norsett, Wanner I, II.2). */
#include "check.h"
#include "integrate/ode.h"

enum { MOST_NODES = 9, CAPACITY = FND_STAGE_CAPACITY };

/* A rooted tree with its nodes in preorder: level of each, the root at 0. Trees of one size follow each other as their
 * canonical level sequences do (Beyer and Hedetniemi 1980). */
typedef struct tree {
    int size;
    int level[MOST_NODES];
} tree;

static tree first_tree(int size)
{
    tree t = {.size = size};
    for (int i = 0; i < size; i++) t.level[i] = i;
    return t;
}

static int parent(const tree *t, int node)
{
    int p = node - 1;
    while (t->level[p] != t->level[node] - 1) p--;
    return p;
}

static bool next_tree(tree *t)
{
    int p = t->size - 1;
    while (p > 0 && t->level[p] == 1) p--;
    if (p <= 0) return false;
    int q = parent(t, p);
    for (int i = p; i < t->size; i++) t->level[i] = t->level[i - (p - q)];
    return true;
}

/* Elementary weights by stage, without those of the root's sum; gamma(t) by the way. */
static double elementary(const tree *t, const double (*a)[CAPACITY], int stages, long double *by_stage)
{
    long double inner[MOST_NODES][CAPACITY];
    int sizes[MOST_NODES];
    double gamma = 1;
    for (int n = 0; n < t->size; n++) {
        sizes[n] = 1;
        for (int i = 0; i < stages; i++) inner[n][i] = 1;
    }
    for (int n = t->size - 1; n >= 0; n--) {
        gamma *= sizes[n];
        if (n == 0) break;
        int up = parent(t, n);
        sizes[up] += sizes[n];
        for (int i = 0; i < stages; i++) {
            long double sum = 0;
            for (int j = 0; j < i; j++) sum += (long double)a[i][j] * inner[n][j];
            inner[up][i] *= sum;
        }
    }
    for (int i = 0; i < stages; i++) by_stage[i] = inner[0][i];
    return gamma;
}

/* Largest miss of sum_i w_i Phi_i(t) = right^size / gamma over the trees of a size. */
static double miss(const fnd_method *m, int stages, const double *w, double right, int size, int *trees)
{
    double worst = 0;
    tree t = first_tree(size);
    if (trees) *trees = 0;
    do {
        long double by_stage[CAPACITY], sum = 0;
        double gamma = elementary(&t, m->coefficients, stages, by_stage);
        for (int i = 0; i < stages; i++) sum += (long double)w[i] * by_stage[i];
        worst = larger(worst, fabs((double)(sum - powl(right, size) / gamma)));
        if (trees) ++*trees;
    } while (next_tree(&t));
    return worst;
}

/* Conditions up to an order hold to the rounding of the table, and fail at the next. The coefficients are as large as
 * 43 (dop853) and 12 (dopri5), their sums of order 1. */
static void check_order(const char *what, const fnd_method *m, int stages, const double *w, double right, int order)
{
    double worst = 0, next = miss(m, stages, w, right, order + 1, NULL);
    for (int n = 1; n <= order; n++) worst = larger(worst, miss(m, stages, w, right, n, NULL));
    printf("%s, %s: conditions to order %d hold to %.1e; of order %d to %.1e\n", m->name, what, order, worst, order + 1,
           next);
    check_below(worst, 1e-14);
    if (!(next > 1e-7)) fail_msg("%s, %s: order is above %d", m->name, what, order);
}

static void trees(void **state)
{
    (void)state;
    static const int expected[] = {1, 1, 2, 4, 9, 20, 48, 115, 286}; /* OEIS A000081 */
    for (int n = 1; n <= MOST_NODES; n++) {
        int count;
        double none[CAPACITY] = {0};
        miss(&fnd_dopri5, 7, none, 0, n, &count);
        assert_int_equal(count, expected[n - 1]);
    }
}

static void orders(void **state)
{
    (void)state;
    check_order("weights", &fnd_rk4, 4, fnd_rk4.weights, 1, 4);
    check_order("weights", &fnd_dopri5, 7, fnd_dopri5.weights, 1, 5);
    check_order("error", &fnd_dopri5, 7, fnd_dopri5.error_weights[0], 0, 4);
    check_order("weights", &fnd_dop853, 12, fnd_dop853.weights, 1, 8);
    check_order("error", &fnd_dop853, 12, fnd_dop853.error_weights[0], 0, 5);
    check_order("second error", &fnd_dop853, 12, fnd_dop853.error_weights[1], 0, 3);
}

/* What the step itself relies on: rows sum to the nodes, no stage looks ahead, and the condition on columns of which
 * the exchange of orbital and spin momentum is made (see fnd_ode_workspace). */
static void rows_and_columns(void **state)
{
    (void)state;
    const fnd_method *methods[] = {&fnd_rk4, &fnd_dopri5, &fnd_dop853};
    for (int k = 0; k < 3; k++) {
        const fnd_method *m = methods[k];
        int stages = m->dense_stage_count > m->stage_count ? m->dense_stage_count : m->stage_count;
        for (int i = 0; i < stages; i++) {
            long double sum = 0;
            for (int j = 0; j < CAPACITY; j++) {
                sum += (long double)m->coefficients[i][j];
                assert_true(j < i || m->coefficients[i][j] == 0);
            }
            check_near((double)sum, m->nodes[i], 1e-14);
        }
        double worst = 0;
        for (int j = 0; j < m->stage_count; j++) {
            long double sum = 0;
            for (int i = 0; i < m->stage_count; i++) sum += (long double)m->weights[i] * m->coefficients[i][j];
            worst = larger(worst, fabs((double)sum - m->weights[j] * (1 - m->nodes[j])));
        }
        printf("%s: condition on columns to %.1e\n", m->name, worst);
        check_below(worst, 1e-14);
    }
}

static void dense(void **state)
{
    (void)state;
    const fnd_method *methods[] = {&fnd_dopri5, &fnd_dop853};
    static const int order[] = {4, 7};
    for (int k = 0; k < 2; k++) {
        const fnd_method *m = methods[k];
        double w[CAPACITY], worst = 0, next = 0;
        m->dense_weights(0, w);
        for (int i = 0; i < m->dense_stage_count; i++) assert_true(w[i] == 0);
        m->dense_weights(1, w);
        for (int i = 0; i < m->dense_stage_count; i++) assert_true(w[i] == m->weights[i]);
        for (int p = 1; p < 20; p++) {
            m->dense_weights(p / 20.0, w);
            for (int n = 1; n <= order[k]; n++)
                worst = larger(worst, miss(m, m->dense_stage_count, w, p / 20.0, n, NULL));
            next = larger(next, miss(m, m->dense_stage_count, w, p / 20.0, order[k] + 1, NULL));
        }
        printf("%s, dense: conditions to order %d hold to %.1e; of order %d to %.1e\n", m->name, order[k], worst,
               order[k] + 1, next);
        check_below(worst, 2e-14); /* coefficients up to 528 */
        assert_true(next > 1e-7);
        /* once differentiable where steps meet: the slope at the ends is the rate there */
        double near[CAPACITY];
        int last = k == 0 ? 6 : 12;
        for (int e = 0; e < 2; e++) {
            m->dense_weights(e ? 1 : 0, w);
            m->dense_weights(e ? 1 - 1e-7 : 1e-7, near);
            for (int i = 0; i < m->dense_stage_count; i++)
                check_near(fabs(near[i] - w[i]) / 1e-7, i == (e ? last : 0), 1e-4);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees), cmocka_unit_test(orders),
                                       cmocka_unit_test(rows_and_columns), cmocka_unit_test(dense)};
    return cmocka_run_group_tests_name("tables of Runge-Kutta methods", tests, NULL, NULL);
}
