/* Units: exact factors with their sources, grammar, rational powers against closed forms, angles, the table. */
/* items: C031 */
#include "units/dimension.h"
#include "units/parse.h"

#include <fender/units.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static fender_unit unit_of(const char *text)
{
    fender_unit unit;
    fender_error error = {.status = FENDER_STATUS_OK};
    if (fender_unit_parse(text, strlen(text), &unit, &error) != FENDER_STATUS_OK)
        fail_msg("'%s' column %d: %s", text, error.column, error.message);
    return unit;
}

static double si(const char *text, const char *si_unit)
{
    double value = NAN;
    fender_error error = {.status = FENDER_STATUS_OK};
    if (fender_quantity_parse(text, strlen(text), si_unit, &value, &error) != FENDER_STATUS_OK)
        fail_msg("'%s' column %d: %s", text, error.column, error.message);
    return value;
}

/* Factors to all digits that their source gives; the compiler's nearest double must come out. */
static void exact_factors(void **state)
{
    static const struct {
        const char *unit, *si_unit;
        double scale;
        const char *source;
    } cases[] = {
        {"m", "m", 1, "SI"},
        {"mm", "m", 1e-3, "SI"},
        {"km", "m", 1e3, "SI"},
        {"\xC2\xB5m", "m", 1e-6, "SI, micro sign"},
        {"\xCE\xBCm", "m", 1e-6, "SI, Greek mu"},
        {"um", "m", 1e-6, "ISO 2955"},
        {"in", "m", 0.0254, "SP 811 B.8, exact"},
        {"ft", "m", 0.3048, "SP 811 B.8, exact"},
        {"yd", "m", 0.9144, "SP 811 B.8, exact"},
        {"mi", "m", 1609.344, "SP 811 B.8, exact"},
        {"nmi", "m", 1852, "SP 811 B.8, exact"},
        {"mil", "m", 2.54e-5, "SP 811 B.8, exact"},
        {"au", "m", 149597870700.0, "IAU 2012 B2"},
        {"L", "m^3", 1e-3, "SI Brochure table 8"},
        {"kg", "kg", 1, "SI"},
        {"g", "kg", 1e-3, "SI"},
        {"mg", "kg", 1e-6, "SI"},
        {"t", "kg", 1000, "SI Brochure table 8"},
        {"lbm", "kg", 0.45359237, "SP 811 B.8, exact"},
        {"oz", "kg", 0.028349523125, "SP 811 B.8: lbm/16, exact"},
        {"slug", "kg", 14.593902937206364829, "lbf s^2/ft = 0.45359237*9.80665/0.3048"},
        {"min", "s", 60, "SI Brochure table 8"},
        {"h", "s", 3600, "SI Brochure table 8"},
        {"day", "s", 86400, "SI Brochure table 8"},
        {"ms", "s", 1e-3, "SI"},
        {"R", "K", 0.55555555555555555556, "SP 811 B.8: 5/9"},
        {"A", "A", 1, "SI"},
        {"deg", "rad", 0.017453292519943295769, "pi/180"},
        {"arcmin", "rad", 2.9088820866572159615e-4, "pi/10800"},
        {"arcsec", "rad", 4.8481368110953599359e-6, "pi/648000"},
        {"rev", "rad", 6.2831853071795864769, "2 pi"},
        {"mrad", "rad", 1e-3, "SI"},
        {"rpm", "rad/s", 0.10471975511965977462, "pi/30"},
        {"Hz", "1/s", 1, "SI"},
        {"kHz", "1/s", 1000, "SI"},
        {"kn", "m/s", 0.51444444444444444444, "SP 811 B.8: 1852/3600"},
        {"mph", "m/s", 0.44704, "SP 811 B.8, exact"},
        {"km/h", "m/s", 0.27777777777777777778, "1/3.6"},
        {"kph", "m/s", 0.27777777777777777778, "1/3.6"},
        {"gn", "m/s^2", 9.80665, "SP 811 B.8, exact"},
        {"N", "N", 1, "SI"},
        {"daN", "N", 10, "SI"},
        {"lbf", "N", 4.4482216152605, "0.45359237*9.80665, exact"},
        {"kip", "N", 4448.2216152605, "1000 lbf"},
        {"ozf", "N", 0.27801385095378125, "lbf/16, exact"},
        {"kgf", "N", 9.80665, "SP 811 B.8, exact"},
        {"gf", "N", 0.00980665, "kgf/1000"},
        {"dyn", "N", 1e-5, "SP 811 B.8, exact"},
        {"pdl", "N", 0.138254954376, "0.45359237*0.3048, exact"},
        {"J", "J", 1, "SI"},
        {"erg", "J", 1e-7, "SP 811 B.8, exact"},
        {"eV", "J", 1.602176634e-19, "SI Brochure, exact since 2019"},
        {"MeV", "J", 1.602176634e-13, "SI Brochure, exact since 2019"},
        {"kWh", "J", 3.6e6, "SP 811 B.8, exact"},
        {"W", "W", 1, "SI"},
        {"Pa", "Pa", 1, "SI"},
        {"hPa", "Pa", 100, "SI"},
        {"bar", "Pa", 1e5, "SP 811 B.8, exact"},
        {"mbar", "Pa", 100, "SP 811 B.8, exact"},
        {"atm", "Pa", 101325, "SP 811 B.8, exact"},
        {"Torr", "Pa", 133.32236842105263158, "101325/760"},
        {"psi", "Pa", 6894.7572931683613367, "4.4482216152605/0.0254^2"},
        {"ksi", "Pa", 6894757.2931683613367, "1000 psi"},
        {"psf", "Pa", 47.880258980335843, "4.4482216152605/0.3048^2"},
        {"V", "V", 1, "SI"},
        {"kohm", "ohm", 1000, "SI"},
        {"%", "1", 0.01, "definition"},
        {"1", "1", 1, "definition"},
        {"--", "1", 1, "definition"},
        {"lbf/in", "N/m", 175.12683524647637795, "4.4482216152605/0.0254"},
        {"lbf*s/in", "N*s/m", 175.12683524647637795, "4.4482216152605/0.0254"},
        {"slug*ft^2", "kg*m^2", 1.3558179483314004, "lbf*ft*s^2 = 4.4482216152605*0.3048"},
        {"ft*lbf", "N*m", 1.3558179483314004, "SP 811 B.8"},
        {"lbm/ft^3", "kg/m^3", 16.018463373960139580, "0.45359237/0.3048^3"},
        {"mm^3", "m^3", 1e-9, "SI"},
        {"g/cm^3", "kg/m^3", 1000, "SI"},
        {"deg/s^2", "rad/s^2", 0.017453292519943295769, "pi/180"},
        {"N*m/deg", "N*m/rad", 57.295779513082320877, "180/pi"},
        {"km^3/s^2", "m^3/s^2", 1e9, "SI"},
        {"kilometres/hour", "m/s", 0.27777777777777777778, "1/3.6"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_unit unit = unit_of(cases[i].unit), field = unit_of(cases[i].si_unit);
        if (unit.scale != cases[i].scale || unit.offset != 0 || !fender_unit_compatible(&unit, &field))
            fail_msg("%s: %.20g instead of %.20g (%s)", cases[i].unit, unit.scale, cases[i].scale, cases[i].source);
        assert_true(field.scale == 1.0);
    }
    print_message("%zu units, every factor the nearest double\n", sizeof cases / sizeof cases[0]);
}

/* Powers that are no whole numbers; udunits2 reads N/m^1.5 as 5 kg/s^2 and says nothing. */
static void rational_powers(void **state)
{
    static const struct {
        const char *unit;
        double scale;
        int sixtieths[3]; /* of m, kg, s */
        const char *closed_form;
    } cases[] = {
        {"N/m^1.5", 1, {-30, 60, -120}, "1"},
        {"N m^-1.5", 1, {-30, 60, -120}, "1"},
        {"N/m^(3/2)", 1, {-30, 60, -120}, "1"},
        {"N/mm^1.5", 31622.776601683793320, {-30, 60, -120}, "1000^1.5 = 1000 sqrt(1000)"},
        {"kN/mm^(3/2)", 31622776.601683793320, {-30, 60, -120}, "1000*1000^1.5"},
        {"lbf/in^1.5", 1098.8434941087548012, {-30, 60, -120}, "4.4482216152605/0.0254^1.5"},
        {"m^0.5", 1, {30, 0, 0}, "1"},
        {"cm^0.5", 0.1, {30, 0, 0}, "sqrt(0.01)"},
        {"(N*m)^0.5", 1, {60, 30, -60}, "1"},
        {"(km^2)^(1/2)", 1000, {60, 0, 0}, "1000"},
        {"mm^(1/3)", 0.1, {20, 0, 0}, "0.001^(1/3)"},
        {"mm^(2/3)", 0.01, {40, 0, 0}, "0.001^(2/3)"},
        {"mm^(-4/3)", 1e4, {-80, 0, 0}, "0.001^(-4/3)"},
        {"ft^(1/4)", 0.74302553769953993377, {15, 0, 0}, "0.3048^0.25"},
        {"h^0.2", 5.1435207967550413019, {0, 0, 12}, "3600^0.2"},
        {"km^(1/60)", 1.1220184543019634356, {1, 0, 0}, "1000^(1/60) = 10^0.05"},
        {"((m^(1/2))^(1/3))^6", 1, {60, 0, 0}, "1"},
        {"N*s/mm^2.5", 31622776.601683793320, {-90, 60, -60}, "1000^2.5"},
        {"N/m^+1.50", 1, {-30, 60, -120}, "1"},
        {"m**1.25", 1, {75, 0, 0}, "1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_unit unit = unit_of(cases[i].unit);
        if (fabs(unit.scale / cases[i].scale - 1) > 1.2e-16)
            fail_msg("%s: %.20g instead of %.20g = %s", cases[i].unit, unit.scale, cases[i].scale,
                     cases[i].closed_form);
        for (int k = 0; k < 3; k++) assert_int_equal(unit.exponent[k], cases[i].sixtieths[k]);
        for (int k = 3; k < FENDER_DIMENSION_COUNT; k++) assert_int_equal(unit.exponent[k], 0);
    }
}

/* Different texts of one unit. */
static void spellings(void **state)
{
    static const char *const groups[][12] = {
        {"N*s/m", "N\xC2\xB7s/m", "N s/m", "N.s/m", "N\xE2\x8B\x85s/m", "N \xC3\x97 s / m", "s*N*m^-1", "kg/s",
         "N/(m/s)", "(N*s)/(m)", "kg s-1"},
        {"N/m/s", "N/(m*s)", "N/(m s)", "N*m^-1*s^-1", "N m-1 s-1"},
        {"m^2", "m2", "m**2", "m\xC2\xB2", "m ^ 2", "m*m", "m^(2)", "m^(4/2)", "m^2.0", "m.m", "m^+2"},
        {"s^-1", "s\xE2\x81\xBB\xC2\xB9", "1/s", "/s", "s-1", "s**-1", "s^(-1)", "1 s-1", "1*s^-1", "s^-1.0"},
        {"kg*m^2/s^2", "kg*m2/s2", "kg.m2.s-2", "J", "N*m", "kg m\xC2\xB2 s\xE2\x81\xBB\xC2\xB2", "W*s", "Pa*m^3"},
        {"lbf*s/in", "lbf/in*s", "lbf*sec/inch"},
        {"deg", "degree", "degrees", "\xC2\xB0", "arcdeg"},
        {"ft", "foot", "feet"},
        {"degC", "\xC2\xB0"
                 "C"},
        {"1", "--", "m/m", "m^0", "m\xE2\x81\xB0", "rad^0"},
        {"m^10", "m10", "m\xC2\xB9\xE2\x81\xB0"},
    };
    (void)state;
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        fender_unit first = unit_of(groups[g][0]);
        for (size_t i = 1; i < 12 && groups[g][i]; i++) {
            fender_unit other = unit_of(groups[g][i]);
            if (first.scale != other.scale || first.offset != other.offset ||
                memcmp(first.exponent, other.exponent, sizeof first.exponent) != 0)
                fail_msg("'%s' is not '%s'", groups[g][i], groups[g][0]);
        }
    }
}

static void quantities(void **state)
{
    (void)state;
    assert_true(si("20 lbf/in", "N/m") == 3502.5367049295275591);
    assert_true(si("0.4 lbf*s/in", "N*s/m") == 70.050734098590551181);
    assert_true(si("3deg", "rad") == 0.052359877559829887308);
    assert_true(si("1e-3", "m") == 0.001);
    assert_true(si("  12 ", "kg") == 12);
    assert_true(si("-70 mm/s", "m/s") == -0.07);
    assert_true(si("1eV", "J") == 1.602176634e-19);
    assert_true(si("5/s", "1/s") == 5);
    assert_true(si("5 1/s", "1/s") == 5);
    assert_true(si("50%", "1") == 0.5);
    assert_true(si("3", "mm") == 0.003); /* a bare number is in the field's unit, whatever that is */
    assert_true(si("20 degC", "K") == 293.15);
    assert_true(si("68 degF", "K") == 293.15);
    assert_true(si("-459.67 degF", "K") == 0);
    assert_true(si("20", "degC") == 293.15);
    assert_true(si("540 R", "K") == 300);
    /* Rounded once: n mm is the double nearest to n/1000, which n * 0.001 is not for n = 9. */
    for (int n = 1; n < 10000; n++) {
        char text[32];
        snprintf(text, sizeof text, "%d mm", n);
        assert_true(si(text, "m") == n / 1000.0);
        snprintf(text, sizeof text, "%d mm^2", n);
        assert_true(si(text, "m^2") == n / 1e6);
    }
    double value = 0;
    assert_int_equal(fender_unit_to_si(12, "in", "m", &value, NULL), FENDER_STATUS_OK);
    assert_true(value == 0.3048);
    assert_int_equal(fender_unit_to_si(12, "", "m", &value, NULL), FENDER_STATUS_OK);
    assert_true(value == 12);
    assert_int_equal(fender_unit_to_si(12, "N", "m", &value, NULL), FENDER_STATUS_UNIT);
    assert_int_equal(fender_unit_to_si(INFINITY, "m", "m", &value, NULL), FENDER_STATUS_VALUE);
    assert_int_equal(fender_unit_to_si(1e308, "km", "m", &value, NULL), FENDER_STATUS_VALUE);
    assert_int_equal(fender_unit_to_si(1, "m", "nonsense", &value, NULL), FENDER_STATUS_ARGUMENT);
    assert_true(value == 12); /* untouched by failures */
}

/* The rule of src/units/unit.c, line by line. */
static void angles(void **state)
{
    static const struct {
        const char *a, *b;
        bool agree, value_in_field; /* a value in unit a, for a field in b */
    } cases[] = {
        {"rad", "rad", true, true},
        {"rad", "1", false, false},
        {"1", "rad", false, false},
        {"deg", "m", false, false},
        {"m", "rad", false, false},
        {"rad/s", "1/s", true, true},
        {"1/s", "rad/s", true, true},
        {"deg/s", "1/s", true, true},
        {"N*m", "N*m/rad", true, true},
        {"N*m/rad", "N*m", true, false},
        {"N*m/deg", "N*m", true, false},
        {"N*m*s", "N*m*s/rad", true, true},
        {"kg*m^2*rad/s", "kg*m^2/s", true, true},
        {"kg*m^2/s", "kg*m^2*rad/s", true, true},
        {"m/rad", "m", false, false},
        {"rad/m", "1/m", false, false},
        {"rad^2/s", "rad/s", false, false},
        {"N*m*rad", "N*m/rad", false, false},
        {"Hz", "1/s", true, true},
        {"Hz", "rad/s", true, false},
        {"rpm", "Hz", true, false},
        {"rev/s", "Hz", true, false},
        {"1/s", "Hz", true, true},
        {"rad/s", "rad/s^2", false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_unit a = unit_of(cases[i].a), b = unit_of(cases[i].b);
        double value;
        bool reads = fender_unit_to_si(1, cases[i].a, cases[i].b, &value, NULL) == FENDER_STATUS_OK;
        if (fender_unit_compatible(&a, &b) != cases[i].agree || fender_unit_compatible(&b, &a) != cases[i].agree ||
            reads != cases[i].value_in_field)
            fail_msg("%s for %s", cases[i].a, cases[i].b);
    }
}

static void names(void **state)
{
    static const struct {
        const char *unit, *name;
    } cases[] = {
        {"ft", "length"},
        {"deg", "angle"},
        {"lbf*ft", "torque or energy"},
        {"1", "plain number"},
        {"N/m", "stiffness"},
        {"N*s/m", "damping"},
        {"rpm", "angular velocity"},
        {"Hz", "rate"},
        {"kg*m^2", "moment of inertia"},
        {"psi", "pressure"},
        {"N/m^1.5", "Hertz stiffness"},
        {"gn", "acceleration"},
        {"lbf*s", "momentum or impulse"},
        {"N*m*rad", "torque or energy"},
        {"kg^7", "quantity without a name of its own"},
    };
    char text[160];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_unit unit = unit_of(cases[i].unit);
        assert_string_equal(fender_unit_dimension_name(&unit), cases[i].name);
    }
    fender_unit_alternatives("m", text, sizeof text);
    assert_string_equal(text, "m mm cm km in ft");
    fender_unit_alternatives("kg^7/s", text, sizeof text);
    assert_string_equal(text, "kg^7/s");
    fender_unit_alternatives("m", text, 5);
    assert_string_equal(text, "m mm");
    static const char *const texts[][2] = {
        {"N", "kg*m/s^2"}, {"1/s", "1/s"}, {"N/m^1.5", "kg/(m^(1/2)*s^2)"}, {"--", "1"}, {"rad/s", "rad/s"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fender_unit unit = unit_of(texts[i][0]);
        fnd_dimension_text(unit.exponent, text, sizeof text);
        assert_string_equal(text, texts[i][1]);
    }
}

/* Every row of the table reads as itself, its name is unique, and the usual units of its dimension fit it. */
static void table(void **state)
{
    fender_unit_entry entry, other;
    int count = 0;
    (void)state;
    for (; fender_unit_table(count, &entry); count++) {
        fender_unit unit = unit_of(entry.name);
        assert_true(unit.scale == entry.scale);
        assert_true(entry.doc[0] != '\0');
        assert_non_null(entry.dimension);
        assert_string_equal(entry.dimension, fender_unit_dimension_name(&unit));
        for (int k = 0; k < count; k++) {
            assert_true(fender_unit_table(k, &other));
            assert_string_not_equal(entry.name, other.name);
        }
        char list[160];
        fender_unit_alternatives(entry.name, list, sizeof list);
        for (char *word = strtok(list, " "); word; word = strtok(NULL, " ")) {
            fender_unit alternative = unit_of(word);
            assert_memory_equal(alternative.exponent, unit.exponent, sizeof unit.exponent);
        }
    }
    assert_true(count >= 60);
    assert_false(fender_unit_table(-1, &entry));
    assert_false(fender_unit_table(count, &entry));
    print_message("%d units in the table\n", count);
}

/* The lists of composed dimensions that no row of the table has. */
static void lists_fit(void **state)
{
    static const char *const fields[] = {
        "m^2",     "m^3",     "1/m",       "rad/s^2", "m/s",    "m/s^2",  "m^2/s^2", "m^3/s^2",
        "N/s",     "N*s",     "N*m*s",     "kg*m^2",  "N/m",    "N*s/m",  "N/m^1.5", "N*s/m^2.5",
        "N*s/m^2", "N*m/rad", "N*m*s/rad", "N/m^3",   "kg/m^3", "kg/m^2", "kg/m",    "m/N",
    };
    (void)state;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char list[160];
        fender_unit field = unit_of(fields[i]);
        fender_unit_alternatives(fields[i], list, sizeof list);
        if (!strchr(list, ' ')) fail_msg("no units for %s", fields[i]);
        for (char *word = strtok(list, " "); word; word = strtok(NULL, " ")) {
            fender_unit alternative = unit_of(word);
            assert_memory_equal(alternative.exponent, field.exponent, sizeof field.exponent);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_factors), cmocka_unit_test(rational_powers), cmocka_unit_test(spellings),
        cmocka_unit_test(quantities),    cmocka_unit_test(angles),          cmocka_unit_test(names),
        cmocka_unit_test(table),         cmocka_unit_test(lists_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
