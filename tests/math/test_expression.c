/* Expressions: values by every operation, programs that are none, slots that are bound, shortened programs. */
#include "check.h"
#include "random_numbers.h"
#include <fender/expression.h>

#define NUMBER(x)                \
    {                            \
        FENDER_OP_NUMBER, 0, (x) \
    }
#define SLOT(i)                \
    {                          \
        FENDER_OP_SLOT, (i), 0 \
    }
#define OP(name)               \
    {                          \
        FENDER_OP_##name, 0, 0 \
    }

static double of_two(int operation, double a, double b)
{
    const fender_instruction code[3] = {NUMBER(a), NUMBER(b), {operation, 0, 0}};
    return fender_expression_value(code, 3, NULL);
}

static double of_one(int operation, double a)
{
    const fender_instruction code[2] = {NUMBER(a), {operation, 0, 0}};
    return fender_expression_value(code, 2, NULL);
}

static void every_operation_has_its_value(void **state)
{
    (void)state;
    assert_true(of_two(FENDER_OP_SUBTRACT, 5, 3) == 2 && of_two(FENDER_OP_DIVIDE, 1, 4) == 0.25);
    assert_true(of_two(FENDER_OP_MIN, 5, 3) == 3 && of_two(FENDER_OP_MAX, 5, 3) == 5);
    assert_true(of_two(FENDER_OP_POWER, 32, 0.2) == 2 && of_two(FENDER_OP_POWER, 2, -1) == 0.5);
    assert_true(isnan(of_two(FENDER_OP_POWER, -2, 0.5)) && isnan(of_two(FENDER_OP_POWER, -2, 0.123)));
    assert_true(fabs(of_two(FENDER_OP_POWER, 3, 1.237) / pow(3, 1.237) - 1) < 1e-14);
    assert_true(of_two(FENDER_OP_LESS, 1, 2) == 1 && of_two(FENDER_OP_LESS, 2, 2) == 0);
    assert_true(of_two(FENDER_OP_LESS_EQUAL, 2, 2) == 1 && of_two(FENDER_OP_GREATER, 2, 2) == 0);
    assert_true(of_two(FENDER_OP_GREATER_EQUAL, 2, 2) == 1 && of_two(FENDER_OP_GREATER, NAN, 2) == 0);
    assert_true(of_two(FENDER_OP_AND, 1, 0) == 0 && of_two(FENDER_OP_OR, 1, 0) == 1);
    assert_true(of_one(FENDER_OP_NOT, 0) == 1 && isnan(of_one(FENDER_OP_NOT, NAN)));
    assert_true(of_one(FENDER_OP_ABS, -2) == 2 && of_one(FENDER_OP_NEGATE, 2) == -2 && of_one(FENDER_OP_SQRT, 9) == 3);
    for (double x = -40; x <= 40; x += 0.0625) {
        assert_true(fabs(of_one(FENDER_OP_SIN, x) - sin(x)) < 4e-16 && fabs(of_one(FENDER_OP_COS, x) - cos(x)) < 4e-16);
        assert_true(fabs(of_one(FENDER_OP_TAN, x) / tan(x) - 1) < 1e-12 || x == 0);
        assert_true(fabs(of_one(FENDER_OP_EXP, x) / exp(x) - 1) < 5e-14);
        assert_true(fabs(of_one(FENDER_OP_TANH, x) - tanh(x)) <= 8e-16 * fabs(tanh(x)));
        if (x > 0) assert_true(fabs(of_one(FENDER_OP_LOG, x) - log(x)) < 2e-15);
    }
    assert_true(of_one(FENDER_OP_TANH, 1e-9) == 1e-9 && of_one(FENDER_OP_TANH, -1e3) == -1);
}

static void what_is_no_program_is_told(void **state)
{
    (void)state;
    static const fender_instruction good[] = {SLOT(0), NUMBER(2), OP(MULTIPLY)},
                                    lacking[] = {SLOT(0), OP(ADD), SLOT(0)}, two[] = {NUMBER(1), NUMBER(2)},
                                    unknown[] = {NUMBER(1), {99, 0, 0}}, negative[] = {NUMBER(1), {-1, 0, 0}},
                                    elsewhere[] = {SLOT(2)}, before[] = {SLOT(-1)};
    assert_true(fender_expression_is_valid(good, 3, 1));
    assert_false(fender_expression_is_valid(good, 0, 1));
    assert_false(fender_expression_is_valid(NULL, 1, 1));
    assert_false(fender_expression_is_valid(good, FENDER_EXPRESSION_LIMIT + 1, 1));
    assert_false(fender_expression_is_valid(good, 3, 0));
    assert_false(fender_expression_is_valid(good, 2, 1));
    assert_false(fender_expression_is_valid(lacking, 2, 1));
    assert_false(fender_expression_is_valid(lacking, 3, 1));
    assert_false(fender_expression_is_valid(two, 2, 1));
    assert_false(fender_expression_is_valid(unknown, 2, 1));
    assert_false(fender_expression_is_valid(negative, 2, 1));
    assert_false(fender_expression_is_valid(elsewhere, 1, 2));
    assert_false(fender_expression_is_valid(before, 1, 2));
}

static void usual_forms_become_short(void **state)
{
    (void)state;
    const double slots[2] = {4, -0.5};
    /* 3 a + 5 b */
    fender_instruction linear[] = {NUMBER(3), SLOT(0), OP(MULTIPLY), NUMBER(5), SLOT(1), OP(MULTIPLY), OP(ADD)};
    assert_int_equal(fender_expression_shorten(linear, 7), 2);
    assert_true(fender_expression_value(linear, 2, slots) == 9.5);
    assert_true(fender_expression_reads(linear, 2, 1) && !fender_expression_reads(linear, 2, 2));
    fender_expression_bind(linear, 2, 1, 0);
    assert_int_equal(fender_expression_shorten(linear, 2), 1);
    assert_false(fender_expression_reads(linear, 1, 1));
    assert_true(fender_expression_value(linear, 1, slots) == 12);
    /* 2 a^1.5 (1 + b), where b is replaced by 0 */
    fender_instruction power[] = {NUMBER(2), SLOT(0), NUMBER(1.5), OP(POWER),   OP(MULTIPLY),
                                  NUMBER(1), SLOT(1), OP(ADD),     OP(MULTIPLY)};
    int count = fender_expression_shorten(power, 9);
    assert_int_equal(count, 6);
    assert_true(fender_expression_value(power, count, slots) == 8);
    fender_expression_bind(power, count, 1, 0);
    count = fender_expression_shorten(power, count);
    assert_int_equal(count, 3);
    assert_true(fender_expression_value(power, count, slots) == 16);
    fender_instruction numbers[] = {NUMBER(7), NUMBER(2), OP(SUBTRACT), OP(NEGATE), OP(ABS)};
    assert_int_equal(fender_expression_shorten(numbers, 5), 1);
    assert_true(numbers[0].number == 5);
}

/* Any program, before and after: at most roundings of some operations differ. */
static void shortened_programs_have_the_same_values(void **state)
{
    (void)state;
    random_stream r = random_of_case(20, 7);
    for (int n = 0; n < 20000; n++) {
        fender_instruction code[32];
        int count = 0, depth = 0;
        const int length = 2 + (int)random_below(&r, 10);
        while (count < length || depth > 1) {
            const bool push = depth == 0 || (count < length && random_below(&r, 5) < 3 && count + depth < 20);
            fender_instruction i = {FENDER_OP_NUMBER, 0, random_between(&r, 0.5, 2)};
            if (push && random_below(&r, 2)) i = (fender_instruction){FENDER_OP_SLOT, (int)random_below(&r, 3), 0};
            if (!push) i.operation = depth > 1 ? (int)FENDER_OP_MIN + (int)random_below(&r, 7) : FENDER_OP_NEGATE;
            if (!push && i.operation == FENDER_OP_POWER) i.operation = FENDER_OP_MULTIPLY;
            if (!push && count < length && random_below(&r, 4) == 0)
                i.operation = random_below(&r, 2) ? FENDER_OP_ABS : FENDER_OP_TANH;
            if (!push) depth -= i.operation >= FENDER_OP_MIN;
            else depth++;
            code[count++] = i;
        }
        assert_true(fender_expression_is_valid(code, count, 3));
        const double slots[3] = {random_between(&r, 0.5, 2), random_between(&r, -2, -0.5), random_between(&r, 3, 4)};
        const double before = fender_expression_value(code, count, slots);
        const int shorter = fender_expression_shorten(code, count);
        assert_true(shorter <= count && fender_expression_is_valid(code, shorter, 3));
        const double after = fender_expression_value(code, shorter, slots);
        double size = 1;
        for (int i = 0; i < count; i++) size = size < 4 ? 4 : size * 2;
        if (isfinite(before) && fabs(before) < 1e6 && fabs(after - before) > 1e-13 * size)
            fail_msg("program %d: %.17g, %.17g", n, before, after);
        assert_int_equal(fender_expression_shorten(code, shorter), shorter); /* nothing is left to do */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_has_its_value),
        cmocka_unit_test(what_is_no_program_is_told),
        cmocka_unit_test(usual_forms_become_short),
        cmocka_unit_test(shortened_programs_have_the_same_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
