/* Numbers as text: grammar, rounding, shortest form, and all of it under a locale with a decimal comma. */
#include "comma_locale.h"
#include "support/memory.h"
#include "support/number.h"

#include <fender/units.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static fnd_number_result read(const char *text, double *value, size_t *used)
{
    /* Copied to its exact size, so that the sanitizer sees a byte read too far. */
    size_t length = strlen(text);
    char *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    fnd_number_result result = fnd_number_read(copy, length, value, used);
    free(copy);
    return result;
}

static void accepts(void **state)
{
    static const struct {
        const char *text;
        double value;
        size_t used;
    } cases[] = {
        {"1", 1, 1},
        {".001", 0x1.0624dd2f1a9fcp-10, 4},
        {"1e-3", 0x1.0624dd2f1a9fcp-10, 4},
        {"+2.", 2, 3},
        {"-0", -0.0, 2},
        {"0e999", 0, 5},
        {"1e", 1, 1},
        {"1e+", 1, 1},
        {"1eV", 1, 1},
        {"2.5e3m", 2500, 5},
        {"1.2.3", 0x1.3333333333333p+0, 3},
        {"7 m", 7, 1},
        {"0x", 0, 1},
        {"3inf", 3, 1},
        {"1_m", 1, 1},
        {"1E5", 1e5, 3},
        {"4.9e-324", 0x1p-1074, 8},
        {"2.4e-324", 0, 8},
        {"1e-99999999999999999999", 0, 23},
        {"1.7976931348623157e308", DBL_MAX, 22},
        /* Halfway between 1 and the next double, then a hair above: ties go to even, the hair decides. */
        {"1.00000000000000011102230246251565404236316680908203125", 1.0, 55},
        {"1.00000000000000011102230246251565404236316680908203126", 0x1.0000000000001p+0, 55},
        {"9007199254740993", 9007199254740992.0, 16},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 99;
        size_t used = 99;
        if (read(cases[i].text, &value, &used) != FND_NUMBER_OK || memcmp(&value, &cases[i].value, sizeof value) != 0 ||
            used != cases[i].used)
            fail_msg("'%s' -> %a, %zu bytes", cases[i].text, value, used);
    }
}

static void refuses(void **state)
{
    static const struct {
        const char *text;
        fnd_number_result result;
        size_t used;
    } cases[] = {
        {"", FND_NUMBER_MISSING, 0},
        {"-", FND_NUMBER_MISSING, 0},
        {".", FND_NUMBER_MISSING, 0},
        {"e5", FND_NUMBER_MISSING, 0},
        {" 1", FND_NUMBER_MISSING, 0},
        {"_1", FND_NUMBER_MISSING, 0},
        {"info", FND_NUMBER_MISSING, 0},
        {"inf", FND_NUMBER_NOT_FINITE, 3},
        {"-Infinity m", FND_NUMBER_NOT_FINITE, 9},
        {".inf", FND_NUMBER_NOT_FINITE, 4},
        {"NaN", FND_NUMBER_NOT_FINITE, 3},
        {"-.nan", FND_NUMBER_NOT_FINITE, 5},
        {"0x10", FND_NUMBER_HEXADECIMAL, 4},
        {"1_000", FND_NUMBER_UNDERSCORE, 5},
        {"1e999", FND_NUMBER_OVERFLOW, 5},
        {"-1e999999999999999999999", FND_NUMBER_OVERFLOW, 24},
        {"1.7976931348623159e308", FND_NUMBER_OVERFLOW, 22},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 99;
        size_t used = 99;
        fnd_number_result result = read(cases[i].text, &value, &used);
        if (result != cases[i].result || used != cases[i].used || value != 99)
            fail_msg("'%s' -> result %d, %zu bytes, %g", cases[i].text, (int)result, used, value);
    }
}

/* 1 followed by 2,000 zeros and a decimal point moved back: as exact as 1. */
static void long_decimals(void **state)
{
    static char text[8192];
    double value;
    size_t used;
    (void)state;
    memset(text, '0', sizeof text);
    text[0] = '1';
    memcpy(text + 2001, "e-2000", 7);
    assert_int_equal(read(text, &value, &used), FND_NUMBER_OK);
    assert_true(value == 1.0 && used == 2007);
    /* The tie of above, decided by the 3,000th digit. */
    memset(text, '0', sizeof text);
    memcpy(text, "1.00000000000000011102230246251565404236316680908203125", 55);
    text[3000] = '1';
    text[3001] = '\0';
    assert_int_equal(read(text, &value, &used), FND_NUMBER_OK);
    assert_true(value == 0x1.0000000000001p+0);
}

static void formats(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {0.1, "0.1"},
        {100000, "100000"},
        {1e15, "1e+15"},
        {123456789012345.0, "123456789012345"},
        {0.0001, "0.0001"},
        {0.00001, "1e-05"},
        {0.1 + 0.2, "0.30000000000000004"},
        {-2.5e-12, "-2.5e-12"},
        {0x1p-1074, "5e-324"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {1.0 / 3.0, "0.3333333333333333"},
        {3502.5367049295273, "3502.5367049295273"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
    };
    char text[FND_NUMBER_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int length = fnd_number_format(cases[i].value, text, sizeof text);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(length, strlen(text));
    }
    fnd_number_format_digits(123.456, 4, text, sizeof text);
    assert_string_equal(text, "123.5");
    fnd_number_format_digits(0.00012344, 3, text, sizeof text);
    assert_string_equal(text, "0.000123");
    fnd_number_format_digits(999999.7, 6, text, sizeof text);
    assert_string_equal(text, "1e+06");
    fnd_number_format_digits(200.0, 6, text, sizeof text);
    assert_string_equal(text, "200");
    assert_int_equal(fnd_number_format(0.125, text, 3), 5);
    assert_string_equal(text, "0.");
    assert_int_equal(fnd_number_format(0.125, NULL, 0), 5);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return *seed;
}

static void every_double_survives(void **state)
{
    uint64_t seed = 88172645463325252u;
    (void)state;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = next_random(&seed);
        if (i % 4 == 0) bits &= ~(0x7FFull << 52); /* subnormal */
        double value, back;
        size_t used;
        char text[FND_NUMBER_SIZE];
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        int length = fnd_number_format(value, text, sizeof text);
        assert_true(length > 0 && length < FND_NUMBER_SIZE);
        assert_true(fnd_number_parse(text, (size_t)length, &back, &used) && used == (size_t)length);
        assert_memory_equal(&value, &back, sizeof value);
        assert_true(strtod(text, NULL) == value);
    }
}

/* Makes a locale with a decimal comma out of nothing but libc's own localedef, and runs everything again under it. */
/* The batched path to the digits against the plain one: the first of 15, 16 and 17 places of printf that strtod reads
 * back. Bits of every kind, decimals of few digits, and the neighbours of powers of two and ten. */
static void as_printf_has_them(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    int quick = 0;
    enum { COUNT = 100000 };
    for (int i = 0; i < COUNT; i++) {
        double value;
        char text[FND_NUMBER_SIZE], plain[64], digits[20];
        int count, exponent, precision;
        uint64_t r = next_random(&seed);
        int kind = i % 5, power = (int)(r % 40);
        if (kind == 0) memcpy(&value, &r, sizeof value);
        else if (kind == 1) value = (double)(r % 2000000000u) / pow(10, power % 12);
        else if (kind == 2) value = ldexp((double)(r >> 11), power - 80);
        else if (kind == 3) value = (double)(r % 1000000000000000000u) * pow(10, power - 20);
        else value = nextafter(i % 2 ? ldexp(1, power * 25 - 500) : pow(10, power * 15 - 300), r & 1 ? 0 : DBL_MAX);
        if (!isfinite(value) || fabs(value) < DBL_MIN) continue;
        for (int places = 15; places <= 17; places++) {
            snprintf(plain, sizeof plain, "%.*g", places, value);
            if (strtod(plain, NULL) == value) break;
        }
        fnd_number_format(value, text, sizeof text);
        assert_string_equal(text, plain);
        quick += fnd_shortest_digits(fabs(value), digits, &count, &exponent, &precision);
    }
    assert_true(quick > COUNT / 100 * 95);
}

static void decimal_comma(void **state)
{
    char text[64];
    double value = 0;
    size_t used;
    set_comma_locale();

    accepts(state);
    refuses(state);
    long_decimals(state);
    formats(state);
    assert_true(fnd_number_parse("1.5", 3, &value, &used) && value == 1.5 && used == 3);
    assert_true(fnd_number_parse("1,5", 3, &value, &used) && value == 1.0 && used == 1);
    assert_int_equal(fender_quantity_parse("2.5 mm", 6, "m", &value, NULL), FENDER_STATUS_OK);
    assert_true(value == 0.0025);
    fender_env env = fender_env_default();
    fnd_buffer buffer = fnd_buffer_open(&env.allocator);
    assert_true(fnd_buffer_appendf(&buffer, "%.2f s, %g", 1234.5, 0.5));
    assert_string_equal(fnd_buffer_text(&buffer), "1234.50 s, 0.5");
    fnd_buffer_close(&buffer);
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5"); /* the host's locale is as it was */
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts),
        cmocka_unit_test(refuses),
        cmocka_unit_test(long_decimals),
        cmocka_unit_test(formats),
        cmocka_unit_test(every_double_survives),
        cmocka_unit_test(as_printf_has_them),
        cmocka_unit_test(decimal_comma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
