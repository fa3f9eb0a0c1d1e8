/* Every way to get a unit or a number wrong: status, column, found, expected and remedy, written beforehand. */
#include <fender/units.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct wrong {
    const char *text;
    fender_status status;
    int column;
    const char *found, *expected, *suggestion; /* parts that must occur */
} wrong;

#define UNIT   FENDER_STATUS_UNIT
#define PARSE  FENDER_STATUS_PARSE
#define VALUE  FENDER_STATUS_VALUE
#define MEANT  "a unit such as m, kg, N, rad or lbf"
#define SINGLE "a unit with one meaning"
#define JOINTS "'*', '/', '^' or the end"

static void compare(const wrong *row, fender_status status, const fender_error *error)
{
    if (status != row->status || error->status != row->status || error->column != row->column ||
        strcmp(error->found, row->found) != 0 || !strstr(error->expected, row->expected) ||
        !strstr(error->suggestion, row->suggestion) || error->message[0] == '\0')
        fail_msg("'%s': status %d, column %d, '%s', found '%s', expected '%s', suggestion '%s'", row->text, (int)status,
                 error->column, error->message, error->found, error->expected, error->suggestion);
}

static void units(void **state)
{
    static const wrong rows[] = {
        /* unknown names */
        {"lbff", UNIT, 1, "lbff", MEANT, "did you mean 'lbf'?"},
        {"kg*m/sx", UNIT, 6, "sx", MEANT, "did you mean 's'?"},
        {"KN", UNIT, 1, "KN", MEANT, "did you mean 'kN'?"},
        {"Kg", UNIT, 1, "Kg", MEANT, "did you mean 'kg'?"},
        {"hz", UNIT, 1, "hz", MEANT, "did you mean 'Hz'?"},
        {"newtn", UNIT, 1, "newtn", MEANT, "did you mean 'newton'?"},
        {"zorkmid", UNIT, 1, "zorkmid", MEANT, "`fender info units`"},
        {"kin", UNIT, 1, "kin", MEANT, "did you mean"}, /* no prefix before an inch */
        {"kkg", UNIT, 1, "kkg", MEANT, "did you mean 'kg'?"},
        /* products written without a sign */
        {"Nm", UNIT, 1, "Nm", MEANT, "did you mean 'N*m'?"},
        {"kNm", UNIT, 1, "kNm", MEANT, "did you mean 'kN*m'?"},
        {"inlbf", UNIT, 1, "inlbf", MEANT, "did you mean 'in*lbf'?"},
        {"N-m", PARSE, 2, "'-'", JOINTS, "N*m"},
        {"N(m)", PARSE, 2, "'('", JOINTS, "'*'"},
        /* ambiguous names */
        {"d", UNIT, 1, "d", SINGLE, "write 'day' or 'deg'"},
        {"r/s", UNIT, 1, "r", SINGLE, "write 'rad' or 'rev'"},
        {"lb/in", UNIT, 1, "lb", SINGLE, "'lbm' (mass) or 'lbf' (force)"},
        {"pounds", UNIT, 1, "pounds", SINGLE, "'lbm' (mass) or 'lbf' (force)"},
        {"C", UNIT, 1, "C", SINGLE, "write 'degC'"},
        {"F", UNIT, 1, "F", SINGLE, "write 'degF'"},
        {"am", UNIT, 1, "am", SINGLE, "'arcmin'"},
        {"as", UNIT, 1, "as", SINGLE, "'arcsec'"},
        {"mt", UNIT, 1, "mt", SINGLE, "'t'"},
        {"kt", UNIT, 1, "kt", SINGLE, "'kn'"},
        {"ton", UNIT, 1, "ton", SINGLE, "'t'"},
        {"hp", UNIT, 1, "hp", SINGLE, "'W'"},
        {"N/m s", PARSE, 5, "'s'", "parentheses", "N/(m*s)"},
        /* powers */
        {"m^", PARSE, 3, "the end", "a power such as 2", "m^2"},
        {"m^x", PARSE, 3, "'x'", "a power such as 2", "m^2"},
        {"m^-", PARSE, 3, "'-'", "a power such as 2", "m^2"},
        {"m^3/2", PARSE, 4, "'/'", "or the end", "did you mean ^(3/2)?"},
        {"m^(3/2", PARSE, 7, "the end", "')'", "m^(3/2)"},
        {"m^(3/0)", PARSE, 6, "'0'", "1 to 60", "m^(3/2)"},
        {"m1.5", PARSE, 3, "'.'", "or the end", "m^1.5"},
        {"m^0.333", UNIT, 3, "0.333", "thirds", "did you mean (1/3)?"},
        {"m^(1/7)", UNIT, 4, "1/7", "thirds", "a fraction in parentheses"},
        {"(m^(1/60))^0.5", UNIT, 1, "(m^(1/60))^0.5", "thirds", "resulting power"},
        {"m^101", UNIT, 3, "101", "between -100 and 100", "check"},
        {"m999999999999999999999", UNIT, 2, "999999999999999999999", "between -100 and 100", "check"},
        {"m^1e5", PARSE, 4, "'e'", "the end", "remove"},
        {"(m^100)^100", UNIT, 1, "(m^100)^100", "between -100 and 100", "check"},
        {"m^100*m", UNIT, 7, "m", "between -100 and 100", "check"},
        {"Tm^100", UNIT, 1, "Tm^100", "1e-250", "check"},
        {"m\xE2\x81\xBB", PARSE, 5, "the end", "a digit", "s^-1"},
        {"m\xC2\xB2\xE2\x81\xBB", PARSE, 4, "'\xE2\x81\xBB'", "a digit", "s^-1"},
        /* structure */
        {"", PARSE, 1, "nothing", MEANT, "write 1"},
        {"   ", PARSE, 1, "nothing", MEANT, "write 1"},
        {"m*", PARSE, 3, "the end", MEANT, "`fender info units`"},
        {"*m", PARSE, 1, "'*'", MEANT, "`fender info units`"},
        {"m//s", PARSE, 3, "'/'", MEANT, "`fender info units`"},
        {"()", PARSE, 2, "')'", MEANT, "remove it"},
        {"m)", PARSE, 2, "')'", JOINTS, "open it before"},
        {"N/(m*s", PARSE, 7, "the end", "')'", "column 3 is open"},
        {"2*m", PARSE, 1, "2", "or 1", "the only number in a unit is 1"},
        {"m/12", PARSE, 3, "12", "or 1", "the only number in a unit is 1"},
        {"1.5", PARSE, 1, "1.5", "or 1", "the only number in a unit is 1"},
        {"m;", PARSE, 2, "';'", JOINTS, "remove"},
        {"m'", PARSE, 2, "'''", JOINTS, "'ft' or 'arcmin'"},
        {"\"", PARSE, 1, "'\"'", MEANT, "'in' or 'arcsec'"},
        {"m\x01", PARSE, 2, "'\\x01'", JOINTS, "remove"},
        {"m\xFF", PARSE, 2, "'\\xFF'", JOINTS, "remove"},
        /* offset units */
        {"degC/s", UNIT, 1, "degC", "K or R", "1 degC of difference is 1 K"},
        {"W/degF", UNIT, 3, "degF", "K or R", "1 degF is 1 R"},
        {"degC^2", UNIT, 1, "degC", "K or R", "1 K"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fender_error error = {.status = FENDER_STATUS_OK};
        fender_unit unit = {7, 7, {7, 7, 7, 7, 7, 7}}, kept = unit;
        fender_status status = fender_unit_parse(rows[i].text, strlen(rows[i].text), &unit, &error);
        compare(&rows[i], status, &error);
        assert_true(unit.scale == kept.scale && memcmp(unit.exponent, kept.exponent, sizeof unit.exponent) == 0);
        assert_int_equal(fender_unit_parse(rows[i].text, strlen(rows[i].text), &unit, NULL), status);
    }
    print_message("%zu wrong units\n", sizeof rows / sizeof rows[0]);
}

static void quantities(void **state)
{
    static const struct {
        const char *si_unit;
        wrong row;
    } rows[] = {
        {"m", {"20 kN", UNIT, 4, "kN", "a length [m]", "units of length: m mm cm km in ft"}},
        {"m", {"3 deg", UNIT, 3, "deg", "a length [m]", "units of length: m mm"}},
        {"rad", {"3 m", UNIT, 3, "m", "an angle [rad]", "units of angle: rad deg"}},
        {"1", {"3 rad", UNIT, 3, "rad", "a plain number [1]", "1 %"}},
        {"rad", {"50 %", UNIT, 4, "%", "an angle [rad]", "units of angle"}},
        {"N/m^1.5", {"  2e4   N/m", UNIT, 9, "N/m", "a Hertz stiffness [N/m^1.5]", "N/mm^1.5"}},
        {"kg^7", {"1 s", UNIT, 3, "s", "a quantity in kg^7", "kg^7"}},
        {"N*m", {"5 N*m/deg", UNIT, 3, "N*m/deg", "agrees with N*m", "leave the angle out"}},
        {"rad/s", {"10 Hz", UNIT, 4, "Hz", "agrees with rad/s", "rev/s"}},
        {"N", {"5 lbff", UNIT, 3, "lbff", MEANT, "did you mean 'lbf'?"}},
        {"N*s/m", {"5 N/m s", PARSE, 7, "'s'", "parentheses", "N*s/m"}},
        {"m", {"", PARSE, 1, "nothing", "a finite number", "before the unit"}},
        {"m", {"  \t", PARSE, 1, "nothing", "a finite number", "before the unit"}},
        {"N/m", {"N/m", PARSE, 1, "N/m", "a finite number, alone (in N/m)", "before the unit"}},
        {"m", {"-", PARSE, 1, "-", "a finite number", "before the unit"}},
        {"m", {"no", PARSE, 1, "no", "a finite number", "before the unit"}},
        {"m", {" 1,5 m", PARSE, 3, "1,5", "a point", "write 1.5"}},
        {"m", {"0x10", PARSE, 1, "0x10", "a finite number", "decimals"}},
        {"m", {"1_000 m", PARSE, 1, "1_000", "a finite number", "without it"}},
        {"m", {"12 000 m", PARSE, 4, "000", "or 1", "the only number"}},
        {"m", {"1.2.3", PARSE, 4, "'.'", MEANT, "`fender info units`"}},
        {"m", {"5x", UNIT, 2, "x", MEANT, "`fender info units`"}},
        {"m", {"3 m m/", PARSE, 7, "the end", MEANT, "`fender info units`"}},
        {"m", {"inf", VALUE, 1, "inf", "a finite number", "'none' means no limit"}},
        {"m", {"-.inf m", VALUE, 1, "-.inf", "a finite number", "'none' means no limit"}},
        {"m", {"NaN", VALUE, 1, "NaN", "a finite number", "'none' means no limit"}},
        {"m", {"1e999", VALUE, 1, "1e999", "a finite number", "power of ten"}},
        {"m", {"1e308 km", VALUE, 1, "1e+308", "a finite number", "'none'"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fender_error error = {.status = FENDER_STATUS_OK};
        double value = 7;
        const char *text = rows[i].row.text;
        compare(&rows[i].row, fender_quantity_parse(text, strlen(text), rows[i].si_unit, &value, &error), &error);
        assert_true(value == 7);
    }
    print_message("%zu wrong quantities\n", sizeof rows / sizeof rows[0]);
}

static void deep_nesting(void **state)
{
    static char text[200001];
    fender_unit unit;
    fender_error error = {.status = FENDER_STATUS_OK};
    (void)state;
    memset(text, '(', sizeof text - 1);
    assert_int_equal(fender_unit_parse(text, sizeof text - 1, &unit, &error), PARSE);
    assert_int_equal(error.column, 33);
    assert_int_equal(fender_unit_parse("((((((((((m))))))))))", 21, &unit, NULL), FENDER_STATUS_OK);
    error.status = FENDER_STATUS_OK;
    error.count = 0;
    memset(text, 'x', sizeof text - 1); /* one name of 200 kB */
    assert_int_equal(fender_unit_parse(text, sizeof text - 1, &unit, &error), UNIT);
    assert_int_equal(error.column, 1);
    assert_true(strlen(error.found) < 60);
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return *seed >> 16;
}

/* Half random bytes, half pieces of units in random order; each text in memory of its exact size. */
static size_t random_text(uint64_t *seed, char text[256])
{
    static const char *const pieces[] = {"m",        "kg",  "s",   "lbf", "deg",   "degC", "k", "da",  "\xC2\xB5",
                                         "\xC2\xB2", "^",   "**",  "*",   "/",     "(",    ")", " ",   "1",
                                         "-",        ".5",  "1.5", "3/2", "(3/2)", "--",   "e", "inf", "\xE2\x81\xBB",
                                         "\xC2\xB7", "rad", "Hz",  "60",  "x",     "\t"};
    size_t length = 0;
    if (next_random(seed) % 2) {
        length = next_random(seed) % 24;
        for (size_t i = 0; i < length; i++) text[i] = (char)next_random(seed);
        return length;
    }
    for (uint64_t count = next_random(seed) % 12; count > 0; count--) {
        const char *piece = pieces[next_random(seed) % (sizeof pieces / sizeof pieces[0])];
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
    }
    return length;
}

static void check_error(fender_status status, const fender_error *error, size_t length)
{
    assert_true(status == UNIT || status == PARSE || status == VALUE);
    assert_int_equal(error->status, status);
    assert_int_equal(error->count, 1);
    assert_in_range(error->column, 1, length + 1);
    assert_true(error->message[0] && error->found[0] && error->expected[0] && error->suggestion[0]);
}

static void random_bytes(void **state)
{
    uint64_t seed = 0xD1B54A32D192ED03u;
    int good = 0, good_quantities = 0;
    (void)state;
    for (int i = 0; i < 100000; i++) {
        char text[256];
        size_t length = random_text(&seed, text);
        char *exact = malloc(length > 0 ? length : 1);
        assert_non_null(exact);
        memcpy(exact, text, length);
        fender_unit unit;
        fender_error error = {.status = FENDER_STATUS_OK};
        fender_status status = fender_unit_parse(exact, length, &unit, &error);
        if (status == FENDER_STATUS_OK) good++;
        else check_error(status, &error, length);
        if (status == FENDER_STATUS_OK) assert_true(unit.scale > 0 && unit.scale <= 1e250 && unit.scale >= 1e-250);
        double value = 0;
        memset(&error, 0, sizeof error);
        status = fender_quantity_parse(exact, length, "m", &value, &error);
        if (status == FENDER_STATUS_OK) good_quantities++;
        else check_error(status, &error, length);
        free(exact);
    }
    print_message("100000 texts: %d units, %d quantities, all others refused with a place\n", good, good_quantities);
    assert_true(good > 1000 && good_quantities > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units),
        cmocka_unit_test(quantities),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
