/* The units that Fender knows: rows, spellings, prefixes, traps. */
#include "units/table.h"

#include "support/io_error.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Pound-force in 1e-13 N: the product of the exact pound (0.45359237 kg) and standard gravity (9.80665 m/s^2). */
#define POUND_FORCE 44482216152605.0

/* Dimensions as exponents of m, kg, s, K, A, rad. */
#define DIMENSION(...) \
    {                  \
        __VA_ARGS__    \
    }
#define ONE          DIMENSION(0, 0, 0, 0, 0, 0)
#define LENGTH       DIMENSION(1, 0, 0, 0, 0, 0)
#define VOLUME       DIMENSION(3, 0, 0, 0, 0, 0)
#define MASS         DIMENSION(0, 1, 0, 0, 0, 0)
#define TIME         DIMENSION(0, 0, 1, 0, 0, 0)
#define TEMPERATURE  DIMENSION(0, 0, 0, 1, 0, 0)
#define CURRENT      DIMENSION(0, 0, 0, 0, 1, 0)
#define ANGLE        DIMENSION(0, 0, 0, 0, 0, 1)
#define RATE         DIMENSION(0, 0, -1, 0, 0, 0)
#define TURNING      DIMENSION(0, 0, -1, 0, 0, 1)
#define VELOCITY     DIMENSION(1, 0, -1, 0, 0, 0)
#define ACCELERATION DIMENSION(1, 0, -2, 0, 0, 0)
#define FORCE        DIMENSION(1, 1, -2, 0, 0, 0)
#define ENERGY       DIMENSION(2, 1, -2, 0, 0, 0)
#define POWER        DIMENSION(2, 1, -3, 0, 0, 0)
#define PRESSURE     DIMENSION(-1, 1, -2, 0, 0, 0)
#define VOLTAGE      DIMENSION(2, 1, -3, 0, -1, 0)
#define RESISTANCE   DIMENSION(2, 1, -3, 0, -2, 0)

#define NONE   FND_PREFIX_NONE, false
#define SYMBOL FND_PREFIX_SYMBOL, false
#define WORD   FND_PREFIX_WORD, false

/* Best known first within a dimension. Sources: the SI Brochure, 9th edition (SI, accepted units, constants), and NIST
 * SP 811, appendix B (exact customary units). clang-format off keeps one row to a unit. */
/* clang-format off */
static const fnd_unit_row rows[] = {
    {"1", "plain number", 1, 1, 0, 0, 0, ONE, NONE, "--"},
    {"%", "per cent, 1/100", 1, 1, -2, 0, 0, ONE, NONE, "percent"},

    {"m", "metre", 1, 1, 0, 0, 0, LENGTH, SYMBOL, NULL},
    {"metre", "metre, in words", 1, 1, 0, 0, 0, LENGTH, WORD, "meter metres meters"},
    {"M", "metre, as JEOD writes it: M, kg*M2", 1, 1, 0, 0, 0, LENGTH, NONE, NULL},
    {"in", "inch, 0.0254 m", 254, 1, -4, 0, 0, LENGTH, NONE, "inch inches"},
    {"ft", "foot, 0.3048 m", 3048, 1, -4, 0, 0, LENGTH, NONE, "foot feet"},
    {"yd", "yard, 0.9144 m", 9144, 1, -4, 0, 0, LENGTH, NONE, "yard yards"},
    {"mi", "statute mile, 1609.344 m", 1609344, 1, -3, 0, 0, LENGTH, NONE, "mile miles"},
    {"nmi", "nautical mile, 1852 m", 1852, 1, 0, 0, 0, LENGTH, NONE, "n_mi"},
    {"mil", "thousandth of an inch", 254, 1, -7, 0, 0, LENGTH, NONE, "thou"},
    {"au", "astronomical unit, 149597870700 m", 149597870700.0, 1, 0, 0, 0, LENGTH, NONE, NULL},
    {"L", "litre, 0.001 m^3", 1, 1, -3, 0, 0, VOLUME, SYMBOL, "l"},

    {"kg", "kilogram", 1, 1, 0, 0, 0, MASS, NONE, NULL},
    {"g", "gram, 0.001 kg", 1, 1, -3, 0, 0, MASS, SYMBOL, NULL},
    {"gram", "gram, in words", 1, 1, -3, 0, 0, MASS, WORD, "grams"},
    {"t", "tonne, 1000 kg", 1, 1, 3, 0, 0, MASS, NONE, "tonne tonnes"},
    {"lbm", "pound (mass), 0.45359237 kg", 45359237, 1, -8, 0, 0, MASS, NONE, NULL},
    {"slug", "lbf*s^2/ft", POUND_FORCE, 3048, -9, 0, 0, MASS, NONE, "slugs sl"},
    {"oz", "ounce (mass), lbm/16", 45359237, 16, -8, 0, 0, MASS, NONE, "ounce ounces"},

    {"s", "second", 1, 1, 0, 0, 0, TIME, SYMBOL, "sec"},
    {"second", "second, in words", 1, 1, 0, 0, 0, TIME, WORD, "seconds"},
    {"min", "minute, 60 s", 60, 1, 0, 0, 0, TIME, NONE, "minute minutes"},
    {"h", "hour, 3600 s", 3600, 1, 0, 0, 0, TIME, NONE, "hr hour hours"},
    {"day", "day, 86400 s", 86400, 1, 0, 0, 0, TIME, NONE, "days"},

    {"K", "kelvin", 1, 1, 0, 0, 0, TEMPERATURE, SYMBOL, "kelvin"},
    {"R", "degree Rankine, 5/9 K", 5, 9, 0, 0, 0, TEMPERATURE, NONE, "degR \xC2\xB0R"},
    {"degC", "degree Celsius, only alone", 1, 1, 0, 0, 27315, TEMPERATURE, NONE, "celsius \xC2\xB0" "C"},
    {"degF", "degree Fahrenheit, only alone", 5, 9, 0, 0, 45967, TEMPERATURE, NONE, "fahrenheit \xC2\xB0" "F"},
    {"A", "ampere", 1, 1, 0, 0, 0, CURRENT, SYMBOL, "ampere amperes"},

    {"rad", "radian", 1, 1, 0, 0, 0, ANGLE, SYMBOL, "radian radians"},
    {"deg", "degree, pi/180 rad", 1, 180, 0, 1, 0, ANGLE, NONE, "degree degrees arcdeg \xC2\xB0"},
    {"arcmin", "minute of arc, deg/60", 1, 10800, 0, 1, 0, ANGLE, NONE, NULL},
    {"arcsec", "second of arc, deg/3600", 1, 648000, 0, 1, 0, ANGLE, SYMBOL, NULL},
    {"rev", "revolution, 2 pi rad", 2, 1, 0, 1, 0, ANGLE, NONE, "turn turns revolution revolutions"},
    {"rpm", "revolution per minute", 1, 30, 0, 1, 0, TURNING, NONE, NULL},
    {"Hz", "hertz, cycles per second", 1, 1, 0, 0, 0, RATE, FND_PREFIX_SYMBOL, true, "hertz"},

    {"kn", "knot, nmi/h", 1852, 3600, 0, 0, 0, VELOCITY, NONE, "knot knots"},
    {"mph", "mile per hour", 1609344, 3600, -3, 0, 0, VELOCITY, NONE, NULL},
    {"kph", "kilometre per hour", 1000, 3600, 0, 0, 0, VELOCITY, NONE, "kmh"},
    {"gn", "standard gravity, 9.80665 m/s^2", 980665, 1, -5, 0, 0, ACCELERATION, NONE, NULL},

    {"N", "newton", 1, 1, 0, 0, 0, FORCE, SYMBOL, NULL},
    {"newton", "newton, in words", 1, 1, 0, 0, 0, FORCE, WORD, "newtons"},
    {"lbf", "pound-force, 4.4482216152605 N", POUND_FORCE, 1, -13, 0, 0, FORCE, NONE, NULL},
    {"kip", "1000 lbf", POUND_FORCE, 1, -10, 0, 0, FORCE, NONE, "kips"},
    {"ozf", "ounce-force, lbf/16", POUND_FORCE, 16, -13, 0, 0, FORCE, NONE, NULL},
    {"kgf", "kilogram-force, 9.80665 N", 980665, 1, -5, 0, 0, FORCE, NONE, "kilopond"},
    {"gf", "gram-force, 0.00980665 N", 980665, 1, -8, 0, 0, FORCE, NONE, NULL},
    {"dyn", "dyne, 1e-5 N", 1, 1, -5, 0, 0, FORCE, NONE, "dyne dynes"},
    {"pdl", "poundal, lbm*ft/s^2", 138254954376.0, 1, -12, 0, 0, FORCE, NONE, "poundal"},

    {"J", "joule", 1, 1, 0, 0, 0, ENERGY, SYMBOL, NULL},
    {"joule", "joule, in words", 1, 1, 0, 0, 0, ENERGY, WORD, "joules"},
    {"erg", "erg, 1e-7 J", 1, 1, -7, 0, 0, ENERGY, NONE, "ergs"},
    {"eV", "electronvolt, 1.602176634e-19 J", 1602176634, 1, -28, 0, 0, ENERGY, SYMBOL, NULL},
    {"Wh", "watt-hour, 3600 J", 3600, 1, 0, 0, 0, ENERGY, SYMBOL, NULL},
    {"W", "watt", 1, 1, 0, 0, 0, POWER, SYMBOL, NULL},
    {"watt", "watt, in words", 1, 1, 0, 0, 0, POWER, WORD, "watts"},

    {"Pa", "pascal", 1, 1, 0, 0, 0, PRESSURE, SYMBOL, NULL},
    {"pascal", "pascal, in words", 1, 1, 0, 0, 0, PRESSURE, WORD, "pascals"},
    {"bar", "bar, 1e5 Pa", 1, 1, 5, 0, 0, PRESSURE, SYMBOL, "bars"},
    {"atm", "standard atmosphere, 101325 Pa", 101325, 1, 0, 0, 0, PRESSURE, NONE, NULL},
    {"psi", "lbf/in^2", POUND_FORCE, 64516, -5, 0, 0, PRESSURE, NONE, NULL},
    {"ksi", "kip/in^2", POUND_FORCE, 64516, -2, 0, 0, PRESSURE, NONE, NULL},
    {"psf", "lbf/ft^2", POUND_FORCE, 9290304, -5, 0, 0, PRESSURE, NONE, NULL},
    {"Torr", "torr, atm/760", 101325, 760, 0, 0, 0, PRESSURE, NONE, "torr"},

    {"V", "volt", 1, 1, 0, 0, 0, VOLTAGE, SYMBOL, "volt volts"},
    {"ohm", "ohm", 1, 1, 0, 0, 0, RESISTANCE, SYMBOL, "\xCE\xA9 \xE2\x84\xA6"},
};
/* clang-format on */

static const fnd_unit_trap traps[] = {
    {"d", "a day or a degree", "write 'day' or 'deg'"},
    {"r", "a radian or a revolution", "write 'rad' or 'rev'"},
    {"lb", "a mass or a force", "write 'lbm' (mass) or 'lbf' (force)"},
    {"lbs", "a mass or a force", "write 'lbm' (mass) or 'lbf' (force)"},
    {"pound", "a mass or a force", "write 'lbm' (mass) or 'lbf' (force)"},
    {"pounds", "a mass or a force", "write 'lbm' (mass) or 'lbf' (force)"},
    {"C", "a coulomb or a degree Celsius", "write 'degC', or 'A*s' for the charge"},
    {"F", "a farad or a degree Fahrenheit", "write 'degF', or 'A*s/V' for the capacity"},
    {"am", "an attometre or a minute of arc", "write 'arcmin'"},
    {"as", "an attosecond or a second of arc", "write 'arcsec'"},
    {"mt", "a metric ton or something with milli", "write 't'"},
    {"kt", "a knot or 1000 tonnes", "write 'kn', or 'Gg' for the mass"},
    {"ton", "1000 kg, 2000 lbm or 2240 lbm", "write 't' (1000 kg), or the number of 'lbm'"},
    {"tons", "1000 kg, 2000 lbm or 2240 lbm", "write 't' (1000 kg), or the number of 'lbm'"},
    {"hp", "550 ft*lbf/s or 75 kgf*m/s", "write 'W'"},
    {"mas", "a milliarcsecond or something with milli", "write 'marcsec'"},
};

typedef struct prefix {
    const char *symbol, *word;
    int ten;
} prefix;

/* "da" before "d": the longer one is tried first. */
static const prefix prefixes[] = {
    {"da", "deca", 1},         {"k", "kilo", 3},   {"m", "milli", -3}, {"c", "centi", -2},
    {"M", "mega", 6},          {"G", "giga", 9},   {"u", "micro", -6}, {"\xC2\xB5", "micro", -6},
    {"\xCE\xBC", "micro", -6}, {"n", "nano", -9},  {"h", "hecto", 2},  {"d", "deci", -1},
    {"T", "tera", 12},         {"p", "pico", -12}, {"P", "peta", 15},  {"f", "femto", -15},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

int fnd_unit_row_count(void) { return COUNT(rows); }

const fnd_unit_row *fnd_unit_row_at(int index) { return &rows[index]; }

fnd_scale fnd_unit_row_scale(const fnd_unit_row *row)
{
    const fnd_scale pi = {3.141592653589793116, 1.224646799147353207e-16};
    fnd_scale scale = fnd_scale_quotient(fnd_scale_from(row->numerator), fnd_scale_from(row->denominator));
    scale = fnd_scale_product(scale, fnd_scale_power(fnd_scale_from(10.0), row->ten, 1));
    return fnd_scale_product(scale, fnd_scale_power(pi, row->pi, 1));
}

static bool same(const char *name, size_t length, const char *known)
{
    return strncmp(name, known, length) == 0 && known[length] == '\0';
}

/* The next word of a list separated by spaces: its length, 0 at the end. */
static size_t next_word(const char **list)
{
    while (**list == ' ') ++*list;
    return strcspn(*list, " ");
}

static bool row_has_name(const fnd_unit_row *row, const char *name, size_t length)
{
    if (same(name, length, row->name)) return true;
    if (!row->alias) return false;
    const char *list = row->alias;
    for (size_t size; (size = next_word(&list)) > 0; list += size)
        if (size == length && memcmp(list, name, size) == 0) return true;
    return false;
}

static const fnd_unit_row *find_row(const char *name, size_t length)
{
    for (int i = 0; i < COUNT(rows); i++)
        if (row_has_name(&rows[i], name, length)) return &rows[i];
    return NULL;
}

fnd_unit_match fnd_unit_find(const char *name, size_t length)
{
    assert(name || length == 0);
    fnd_unit_match match = {NULL, 0, NULL};
    if (length == 0 || memchr(name, '\0', length)) return match;
    if ((match.row = find_row(name, length))) return match;
    for (int i = 0; i < COUNT(traps); i++) {
        if (!same(name, length, traps[i].name)) continue;
        match.trap = &traps[i];
        return match;
    }
    for (int i = 0; i < COUNT(prefixes); i++) {
        for (int word = 0; word < 2; word++) {
            const char *text = word ? prefixes[i].word : prefixes[i].symbol;
            size_t size = strlen(text);
            if (size >= length || memcmp(name, text, size) != 0) continue;
            const fnd_unit_row *row = find_row(name + size, length - size);
            if (!row || row->prefixes != (word ? FND_PREFIX_WORD : FND_PREFIX_SYMBOL)) continue;
            return (fnd_unit_match){row, prefixes[i].ten, NULL};
        }
    }
    return match;
}

/* True if the name contains a force, energy or power unit, which is commonly joined to another unit. */
static bool is_mechanical(const fnd_unit_row *row) { return row->exponent[1] != 0 && row->exponent[2] != 0; }

/* "Nm" read as "N*m". `slip`: the name is also one letter in the wrong case away from a unit, so that only a force in
 * the first place makes the product likelier ("Nm", but not "Kg"). `any`: there is no other idea. */
static bool suggest_product(const char *name, size_t length, bool slip, bool any, char *text, size_t size)
{
    for (size_t left = length - 1; left > 0; left--) {
        fnd_unit_match first = fnd_unit_find(name, left), second = fnd_unit_find(name + left, length - left);
        if (!first.row || !second.row) continue;
        if (!any && !is_mechanical(first.row) && (slip || !is_mechanical(second.row))) continue;
        snprintf(text, size, "did you mean '%.*s*%.*s'?", (int)left, name, (int)(length - left), name + left);
        return true;
    }
    return false;
}

void fnd_unit_suggest(const char *name, size_t length, char *text, size_t size)
{
    char best[2 * FND_UNIT_NAME_SIZE] = "";
    int distance = fnd_nearest_limit(length) + 1;
    for (int pass = -1; pass < COUNT(prefixes); pass++) {
        for (int i = 0; i < COUNT(rows); i++) {
            char candidate[2 * FND_UNIT_NAME_SIZE];
            if (pass >= 0 && rows[i].prefixes == FND_PREFIX_NONE) continue;
            bool word = rows[i].prefixes == FND_PREFIX_WORD;
            const char *front = pass < 0 ? "" : word ? prefixes[pass].word : prefixes[pass].symbol;
            snprintf(candidate, sizeof candidate, "%s%s", front, rows[i].name);
            int d = fnd_nearest_distance(name, length, candidate, strlen(candidate));
            if (d >= distance) continue;
            distance = d;
            memcpy(best, candidate, sizeof best);
        }
    }
    bool splittable = length > 1 && length < FND_UNIT_NAME_SIZE;
    if (splittable && suggest_product(name, length, distance == 1, best[0] == '\0', text, size)) return;
    if (best[0]) snprintf(text, size, "did you mean '%s'?", best);
    else snprintf(text, size, "`fender info units` lists all units");
}
