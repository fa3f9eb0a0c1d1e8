/* Order, extrapolation and error bars of sequences whose limit and order are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>

#include <fender/convergence.h>

static fender_sequence sequence_of(int levels, int components)
{
    return (fender_sequence){
        .levels = levels, .components = components, .ratio = 2, .least_order = 0.5, .most_order = 5.5};
}

static void assert_near(double found, double expected, double within)
{
    if (!(fabs(found - expected) <= within)) fail_msg("%.17g is not %.17g within %g", found, expected, within);
}

/* a + b h^p at h, h/2, ...: all is known in closed form, so only rounding of the differences is allowed. The finest bar
 * is 1.25 times the error (Roache), and all are as much above their errors. */
static void exact_power(void **state)
{
    (void)state;
    for (int p = 1; p <= 5; p++)
        for (int levels = 3; levels <= 6; levels++) {
            fender_sequence s = sequence_of(levels, 1);
            for (int i = 0; i < levels; i++) s.values[i][0] = 3 + 0.25 * pow(2, -p * i);
            fender_refinement r = fender_refine(&s);
            assert_int_equal(r.kind, FENDER_REFINEMENT_ASYMPTOTIC);
            assert_int_equal(r.first, 0);
            assert_int_equal(r.last, levels - 1);
            assert_near(r.order, p, 1e-6);
            assert_near(r.limit[0], 3, 1e-12);
            for (int i = 0; i < levels; i++)
                assert_near(r.bars[i], 0.25 * pow(2, -p * i) + 0.0625 * pow(2, -p * (levels - 1)), 1e-12);
        }
}

/* Tolerances that shrink by ten, and an order that is no whole number. */
static void other_ratio(void **state)
{
    (void)state;
    fender_sequence s = sequence_of(4, 1);
    s.ratio = 10;
    s.least_order = 0.3;
    s.most_order = 2;
    for (int i = 0; i < 4; i++) s.values[i][0] = -7 - 1e-3 * pow(10, -0.9 * i);
    fender_refinement r = fender_refine(&s);
    assert_int_equal(r.kind, FENDER_REFINEMENT_ASYMPTOTIC);
    assert_near(r.order, 0.9, 1e-9);
    assert_near(r.limit[0], -7, 1e-13);
    assert_near(r.bars[0], 1e-3 * (1 + 0.25 * pow(10, -2.7)), 1e-12);
}

/* The bar of a vector is the length of what is missing. */
static void vectors(void **state)
{
    (void)state;
    fender_sequence s = sequence_of(3, 3);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) s.values[i][c] = c + (c + 1) * pow(4, -i);
    fender_refinement r = fender_refine(&s);
    assert_int_equal(r.kind, FENDER_REFINEMENT_ASYMPTOTIC);
    assert_near(r.order, 2, 1e-12);
    for (int c = 0; c < 3; c++) assert_near(r.limit[c], c, 1e-13);
    assert_near(r.bars[0], sqrt(14) * (1 + 0.25 / 16), 1e-12);
    assert_near(r.bars[2], 1.25 * sqrt(14) / 16, 1e-13);
    s.values[2][0] += 1; /* the second difference points elsewhere: no single power of h */
    assert_int_equal(fender_refine(&s).kind, FENDER_REFINEMENT_DOUBTFUL);
}

static void constant(void **state)
{
    (void)state;
    fender_sequence s = sequence_of(4, 1);
    for (int i = 0; i < 4; i++) s.values[i][0] = 42;
    fender_refinement r = fender_refine(&s);
    assert_int_equal(r.kind, FENDER_REFINEMENT_SAME);
    assert_true(isnan(r.order));
    for (int i = 0; i < 4; i++) assert_true(r.bars[i] == 0);
    for (int i = 0; i < 4; i++) s.values[i][0] = 0; /* without a size to compare with */
    assert_int_equal(fender_refine(&s).kind, FENDER_REFINEMENT_SAME);
}

/* Order 4 down to the last bits: the bar does not sink below what rounding leaves. */
static void limited_by_rounding(void **state)
{
    (void)state;
    fender_sequence s = sequence_of(4, 1);
    const double errors[] = {2e-12, 1.2e-13, -2e-14, 1e-14};
    for (int i = 0; i < 4; i++) s.values[i][0] = 1 + errors[i];
    fender_refinement r = fender_refine(&s);
    assert_int_equal(r.kind, FENDER_REFINEMENT_ROUNDING);
    assert_near(r.bars[3], 1e-13, 1e-15);
    assert_near(r.bars[0], 2.02e-12, 1e-15);
    /* small numbers beside a large scale are rounding, too */
    for (int i = 0; i < 4; i++) s.values[i][0] = errors[i] * 1e-4;
    s.scale = 1;
    assert_int_equal(fender_refine(&s).kind, FENDER_REFINEMENT_ROUNDING);
    /* but two values that agree by chance behind one that was far off are not */
    s.scale = 0;
    s.values[0][0] = s.values[1][0] = 5.38;
    s.values[2][0] = s.values[3][0] = 5.3775;
    r = fender_refine(&s);
    assert_int_equal(r.kind, FENDER_REFINEMENT_DOUBTFUL);
    assert_near(r.bars[3], 0.0025, 1e-15);
}

/* Times that are known to one step: equal values are chance, and no bar is below the step. */
static void values_on_a_grid(void **state)
{
    (void)state;
    fender_sequence s = sequence_of(4, 1);
    s.grain = 0.01;
    for (int i = 0; i < 4; i++) s.values[i][0] = 5.4;
    fender_refinement r = fender_refine(&s);
    assert_int_equal(r.kind, FENDER_REFINEMENT_DOUBTFUL);
    for (int i = 0; i < 4; i++) assert_near(r.bars[i], 0.01 / pow(2, i), 1e-17);
    for (int i = 0; i < 4; i++) s.values[i][0] = 5 + 0.08 * pow(0.5, i); /* a bar above the step stays */
    r = fender_refine(&s);
    assert_int_equal(r.kind, FENDER_REFINEMENT_ASYMPTOTIC);
    assert_near(r.bars[3], 1.25 * 0.01, 1e-14);
}

/* Signs that change have no order, however well the sizes shrink: the bar is the largest difference. */
static void oscillating(void **state)
{
    (void)state;
    fender_sequence s = sequence_of(4, 1);
    for (int i = 0; i < 4; i++) s.values[i][0] = 1 + pow(-0.5, i);
    fender_refinement r = fender_refine(&s); /* 2, 0.5, 1.25, 0.875 */
    assert_int_equal(r.kind, FENDER_REFINEMENT_DOUBTFUL);
    assert_true(isnan(r.order));
    assert_near(r.limit[0], 0.875, 0);
    assert_near(r.bars[0], 1.5, 0);
    for (int i = 1; i < 4; i++) assert_near(r.bars[i], 0.75, 0);
}

static void orders_that_cannot_be(void **state)
{
    (void)state;
    const struct {
        double values[4];
        fender_refinement_kind kind;
    } cases[] = {
        {{0, 1, 2, 3}, FENDER_REFINEMENT_DOUBTFUL},          /* order 0: it does not converge */
        {{0, 1, 3, 7}, FENDER_REFINEMENT_DOUBTFUL},          /* diverges */
        {{0, 100, 101, 101.01}, FENDER_REFINEMENT_DOUBTFUL}, /* order 6.6 of a method of order 4 */
        {{0, 16, 20, 22}, FENDER_REFINEMENT_ASYMPTOTIC},     /* orders 2, 1: apart by no more than 1 */
        {{0, 1024, 1088, 1120}, FENDER_REFINEMENT_DOUBTFUL}, /* orders 4, 1 */
        {{0, 8, 12, 14}, FENDER_REFINEMENT_ASYMPTOTIC},      /* 16 - 16 / 2^i */
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        fender_sequence s = sequence_of(4, 1);
        for (int i = 0; i < 4; i++) s.values[i][0] = cases[k].values[i];
        assert_int_equal(fender_refine(&s).kind, cases[k].kind);
    }
}

/* Levels that failed: the finest without a gap are used; a coarser one beyond the gap still has a bar. */
static void missing_levels(void **state)
{
    (void)state;
    fender_sequence s = sequence_of(5, 1);
    for (int i = 0; i < 5; i++) s.values[i][0] = 1 + pow(0.5, i);
    s.values[1][0] = NAN;
    fender_refinement r = fender_refine(&s);
    assert_int_equal(r.kind, FENDER_REFINEMENT_ASYMPTOTIC);
    assert_int_equal(r.first, 2);
    assert_near(r.bars[0], 1 + 0.25 / 16, 1e-14);
    assert_true(isnan(r.bars[1]));
    s.values[4][0] = NAN;
    r = fender_refine(&s); /* two values are left: their difference, and no order */
    assert_int_equal(r.kind, FENDER_REFINEMENT_DOUBTFUL);
    assert_int_equal(r.last, 3);
    assert_near(r.bars[3], 0.125, 0);
    assert_near(r.bars[0], 0.875, 0); /* from 2 to 1.125 */
    assert_true(isnan(r.bars[4]));
    s.values[3][0] = NAN;
    r = fender_refine(&s);
    assert_int_equal(r.kind, FENDER_REFINEMENT_NONE);
    for (int i = 0; i < 5; i++) assert_true(isnan(r.bars[i]));
    for (int i = 0; i < 5; i++) s.values[i][0] = NAN;
    assert_int_equal(fender_refine(&s).last, -1);
}

/* Differences that shrink more quickly than the method can: the bar is that of its own order, 1.25 d / (2^2 - 1), but
 * the limit and the distances from it are those of the order that was seen. */
static void order_above_the_formal_one(void **state)
{
    (void)state;
    fender_sequence s = sequence_of(4, 1);
    for (int i = 0; i < 4; i++) s.values[i][0] = 1 + pow(8, -i);
    s.formal_order = 2;
    fender_refinement r = fender_refine(&s);
    assert_int_equal(r.kind, FENDER_REFINEMENT_ASYMPTOTIC);
    assert_near(r.order, 3, 1e-12);
    assert_near(r.limit[0], 1, 1e-14);
    const double finest = 1.25 * (pow(8, -2) - pow(8, -3)) / 3;
    assert_near(r.bars[3], finest, 1e-14);
    assert_near(r.bars[0], 1 + finest - pow(8, -3), 1e-14);
    s.formal_order = 3.5; /* one that is not reached changes nothing */
    assert_near(fender_refine(&s).bars[3], 1.25 * pow(8, -3), 1e-14);
}

/* With parts of the error that fall as they will, an order that fits is chance: the bar is the largest difference. */
static void errors_without_a_power(void **state)
{
    (void)state;
    fender_sequence s = sequence_of(4, 1);
    for (int i = 0; i < 4; i++) s.values[i][0] = 1 + pow(4, -i);
    s.uneven = true;
    fender_refinement r = fender_refine(&s);
    assert_int_equal(r.kind, FENDER_REFINEMENT_DOUBTFUL);
    assert_near(r.bars[3], pow(4, -1) - pow(4, -3), 1e-15);
    assert_near(r.bars[0], 1 - pow(4, -3), 1e-15);
    for (int i = 0; i < 4; i++) s.values[i][0] = 1;
    assert_int_equal(fender_refine(&s).kind, FENDER_REFINEMENT_SAME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_power),
        cmocka_unit_test(other_ratio),
        cmocka_unit_test(values_on_a_grid),
        cmocka_unit_test(vectors),
        cmocka_unit_test(constant),
        cmocka_unit_test(oscillating),
        cmocka_unit_test(limited_by_rounding),
        cmocka_unit_test(missing_levels),
        cmocka_unit_test(orders_that_cannot_be),
        cmocka_unit_test(order_above_the_formal_one),
        cmocka_unit_test(errors_without_a_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
