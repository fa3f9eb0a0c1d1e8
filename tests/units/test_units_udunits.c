/* Units against udunits2: the same factor for thousands of random units with whole powers; and where udunits2 is wrong.
 */
#include <fender/units.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <udunits2.h>

static ut_system *oracle;

static int open_oracle(void **state)
{
    (void)state;
    ut_set_error_message_handler(ut_ignore);
    oracle = ut_read_xml(NULL);
    return oracle ? 0 : -1;
}

static int close_oracle(void **state)
{
    (void)state;
    ut_free_system(oracle);
    return 0;
}

/* Our name, and the oracle's where it differs. Left out are the slug, the ounce and the ounce-force, which the oracle
 * rounds to six or seven digits (14.59390 kg, 0.02834952 kg, 0.2780139 N). */
typedef struct name {
    const char *ours, *theirs;
} name;

static const name names[] = {
    {"m", NULL},
    {"kg", NULL},
    {"s", NULL},
    {"N", NULL},
    {"g", NULL},
    {"K", NULL},
    {"A", NULL},
    {"in", "inch"},
    {"ft", NULL},
    {"yd", "yard"},
    {"mi", "mile"},
    {"nmi", "nautical_mile"},
    {"lbm", "lb"},
    {"lbf", NULL},
    {"kip", NULL},
    {"h", NULL},
    {"min", NULL},
    {"day", NULL},
    {"J", NULL},
    {"W", NULL},
    {"Pa", NULL},
    {"bar", NULL},
    {"atm", NULL},
    {"psi", NULL},
    {"kn", "knot"},
    {"t", "tonne"},
    {"kgf", NULL},
    {"dyn", "dyne"},
    {"V", NULL},
    {"L", NULL},
    {"deg", "degree"},
    {"Hz", NULL},
    {"erg", NULL},
    {"arcsec", "arcsecond"},
    {"arcmin", "arcminute"},
    {"rad", NULL},
    {"R", "degree_rankine"},
    {"ohm", NULL},
};
static const char *const prefixes[] = {"", "k", "m", "M", "G", "u", "n", "c", "d", "h", "da", "T", "p", "f", "P"};

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return *seed >> 11;
}

static int below(uint64_t *seed, int count) { return (int)(next_random(seed) % (uint64_t)count); }

/* The oracle's SI unit of a dimension, from our exponents. */
static ut_unit *si_unit_of(const fender_unit *unit)
{
    static const char *const base[FENDER_DIMENSION_COUNT] = {"m", "kg", "s", "K", "A", "radian"};
    ut_unit *result = ut_get_dimensionless_unit_one(oracle);
    for (int k = 0; k < FENDER_DIMENSION_COUNT; k++) {
        assert_int_equal(unit->exponent[k] % FENDER_DIMENSION_DENOMINATOR, 0);
        ut_unit *one = ut_parse(oracle, base[k], UT_ASCII);
        ut_unit *power = ut_raise(one, unit->exponent[k] / FENDER_DIMENSION_DENOMINATOR);
        ut_unit *product = ut_multiply(result, power);
        ut_free(one), ut_free(power), ut_free(result);
        result = product;
    }
    assert_non_null(result);
    return result;
}

/* The oracle's factor; NAN when it finds another dimension. */
static double their_scale(const char *text, const fender_unit *unit)
{
    double scale = NAN;
    ut_unit *theirs = ut_parse(oracle, text, UT_UTF8), *si = si_unit_of(unit);
    if (!theirs) fail_msg("the oracle cannot read '%s'", text);
    if (ut_are_convertible(theirs, si)) {
        cv_converter *converter = ut_get_converter(theirs, si);
        assert_non_null(converter);
        scale = cv_convert_double(converter, 1.0);
        cv_free(converter);
    }
    ut_free(theirs), ut_free(si);
    return scale;
}

/* May the unit stand with a prefix here? Only where our table says so. */
static bool takes_prefix(const char *unit)
{
    fender_unit_entry entry;
    for (int i = 0; fender_unit_table(i, &entry); i++)
        if (strcmp(entry.name, unit) == 0) return entry.takes_prefix;
    return false;
}

/* One factor with a random whole power as text for both sides; returns the size of the power. */
static int random_factor(uint64_t *seed, char ours[64], char theirs[64])
{
    static const char *const marks[] = {"^", "**", ""};
    const name *pick = &names[below(seed, (int)(sizeof names / sizeof names[0]))];
    bool prefixed = below(seed, 3) == 0 && takes_prefix(pick->ours) && !pick->theirs;
    const char *prefix = prefixed ? prefixes[below(seed, (int)(sizeof prefixes / sizeof prefixes[0]))] : "";
    int power = below(seed, 9) - 4;
    if (power == 0 || below(seed, 2) == 0) {
        snprintf(ours, 64, "%s%s", prefix, pick->ours);
        snprintf(theirs, 64, "%s%s", prefix, pick->theirs ? pick->theirs : pick->ours);
        return 1;
    }
    snprintf(ours, 64, "%s%s%s%d", prefix, pick->ours, marks[below(seed, 3)], power);
    snprintf(theirs, 64, "%s%s^%d", prefix, pick->theirs ? pick->theirs : pick->ours, power);
    return abs(power);
}

static void random_units(void **state)
{
    uint64_t seed = 0x9E3779B97F4A7C15u;
    int compared = 0;
    double worst = 0;
    char worst_text[512] = "";
    (void)state;
    for (int i = 0; i < 20000; i++) {
        char ours[512] = "", theirs[512] = "", a[64], b[64];
        bool divided = false;
        int powers = 0;
        int factors = 1 + below(&seed, 3), open = factors > 2 && below(&seed, 3) == 0 ? 1 : -1;
        for (int k = 0; k < factors; k++) {
            powers += random_factor(&seed, a, b);
            bool divide = k > 0 && below(&seed, 2) == 0;
            const char *joint = divide ? "/" : divided || below(&seed, 2) == 0 ? "*" : " ";
            divided |= divide;
            if (k > 0) strcat(ours, joint), strcat(theirs, divide ? "/" : "*");
            if (k == open) strcat(ours, "("), strcat(theirs, "("), divided = false;
            strcat(ours, a), strcat(theirs, b);
        }
        if (open > 0) strcat(ours, ")"), strcat(theirs, ")");
        fender_unit unit;
        fender_error error = {.status = FENDER_STATUS_OK};
        if (fender_unit_parse(ours, strlen(ours), &unit, &error) != FENDER_STATUS_OK)
            fail_msg("'%s' column %d: %s", ours, error.column, error.message);
        double scale = their_scale(theirs, &unit);
        double difference = fabs(unit.scale / scale - 1);
        /* The oracle rounds a unit such as psi several times, and a power multiplies that error: psi^-4 is off
         * by 1.5e-15 from 4.42510997437001502e-16, which ours hits. Ours is rounded once in all. */
        double allowed = powers <= 2 ? 1e-15 : powers * 0.5e-15;
        if (!(difference <= allowed)) fail_msg("'%s': %.17g, the oracle says %.17g", ours, unit.scale, scale);
        compared += powers <= 2;
        if (powers <= 2 && difference > worst) {
            worst = difference;
            memcpy(worst_text, ours, sizeof worst_text);
        }
    }
    print_message("20000 random units; of the %d with powers up to 2 in all the worst differs by %.2g (%s)\n", compared,
                  worst, worst_text);
}

static void offsets(void **state)
{
    static const struct {
        const char *ours, *theirs;
    } scales[] = {{"degC", "degree_Celsius"}, {"degF", "degree_Fahrenheit"}};
    uint64_t seed = 12345;
    (void)state;
    for (int i = 0; i < 2; i++) {
        ut_unit *theirs = ut_parse(oracle, scales[i].theirs, UT_UTF8), *kelvin = ut_parse(oracle, "K", UT_UTF8);
        assert_true(theirs && kelvin);
        cv_converter *converter = ut_get_converter(theirs, kelvin);
        for (int k = 0; k < 1000; k++) {
            double value = below(&seed, 400000) / 1000.0 - 200, ours;
            assert_int_equal(fender_unit_to_si(value, scales[i].ours, "K", &ours, NULL), FENDER_STATUS_OK);
            assert_true(fabs(ours / cv_convert_double(converter, value) - 1) <= 1e-14);
        }
        cv_free(converter), ut_free(theirs), ut_free(kelvin);
    }
}

/* Powers that are no whole numbers: the oracle reads each as something else, without an error. Ours against closed
 * forms. */
static void where_the_oracle_is_wrong(void **state)
{
    static const struct {
        const char *text;
        double scale; /* closed form */
        int32_t metre;
    } cases[] = {
        {"N/m^1.5", 1, -30},
        {"N m^-1.5", 1, -30},
        {"lbf/in^1.5", 1098.8434941087548012, -30}, /* 4.4482216152605 / 0.0254^1.5 */
        {"N/mm^1.5", 31622.776601683793320, -30},   /* 1000^1.5 */
        {"m^0.5", 1, 30},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_unit unit;
        assert_int_equal(fender_unit_parse(cases[i].text, strlen(cases[i].text), &unit, NULL), FENDER_STATUS_OK);
        assert_true(fabs(unit.scale / cases[i].scale - 1) <= 1.2e-16);
        assert_int_equal(unit.exponent[0], cases[i].metre);
        ut_unit *theirs = ut_parse(oracle, cases[i].text, UT_UTF8);
        if (!theirs) continue;
        char text[128] = "";
        ut_format(theirs, text, sizeof text, UT_ASCII);
        print_message("%s: udunits2 says '%s'\n", cases[i].text, text);
        ut_free(theirs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_units),
        cmocka_unit_test(offsets),
        cmocka_unit_test(where_the_oracle_is_wrong),
    };
    return cmocka_run_group_tests(tests, open_oracle, close_oracle);
}
