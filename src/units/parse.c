/* Grammar of unit texts: characters and powers, factors and units. */
#include "units/parse.h"

#include "support/io_error.h"
#include "support/json.h"
#include "support/number.h"
#include "units/table.h"

#include <assert.h>
#include <fender/units.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FND_LARGEST_POWER 100

typedef struct fnd_unit_reader {
    const char *text;
    size_t length, at;
    int first_column;
    fender_error *error;
    fender_status status; /* of the first failure */
    int factors;          /* read so far, to find an offset unit that does not stand alone */
    size_t offset_at, offset_size;
    bool offset;
} fnd_unit_reader;

/* ---- the place in a text */

#define COLUMN_CEILING 1000000000

/* A place as a column; texts beyond 1e9 bytes share one. */
static int column_at(const fnd_unit_reader *reader, size_t at)
{
    return reader->first_column + (int)(at < COLUMN_CEILING ? at : COLUMN_CEILING);
}

/* Failures return false. `at`: where in the text. */
static bool fail(fnd_unit_reader *reader, fender_status status, size_t at, const char *message, const char *found,
                 const char *expected, const char *suggestion)
{
    reader->status = FND_IO_FAIL(reader->error, .status = status, .column = column_at(reader, at), .message = message,
                                 .found = found, .expected = expected, .suggestion = suggestion);
    return false;
}

static size_t character_size(const fnd_unit_reader *reader, size_t at)
{
    size_t size = fnd_utf8_character(reader->text + at, reader->length - at);
    return size > 0 ? size : 1;
}

/* Description of the character at a position: "'x'" or "the end". */
static void describe_place(const fnd_unit_reader *reader, size_t at, char found[24])
{
    char excerpt[16];
    if (at >= reader->length) {
        memcpy(found, "the end", 8);
        return;
    }
    fnd_io_excerpt(excerpt, sizeof excerpt, reader->text + at, character_size(reader, at));
    snprintf(found, 24, "'%s'", excerpt);
}

/* PARSE at the present place; finds out itself what was found. */
static bool fail_here(fnd_unit_reader *reader, const char *message, const char *expected, const char *suggestion)
{
    char found[24];
    describe_place(reader, reader->at, found);
    return fail(reader, FENDER_STATUS_PARSE, reader->at, message, found, expected, suggestion);
}

static bool is_space(char c) { return c == ' ' || c == '\t'; }

static bool is_at(const fnd_unit_reader *reader, const char *token)
{
    size_t size = strlen(token);
    return reader->length - reader->at >= size && memcmp(reader->text + reader->at, token, size) == 0;
}

static bool take(fnd_unit_reader *reader, const char *token)
{
    if (!is_at(reader, token)) return false;
    reader->at += strlen(token);
    return true;
}

static bool take_spaces(fnd_unit_reader *reader)
{
    size_t begin = reader->at;
    for (;;) {
        if (reader->at < reader->length && is_space(reader->text[reader->at])) reader->at++;
        else if (!take(reader, "\xC2\xA0")) return reader->at > begin; /* a space that does not break */
    }
}

/* Bytes of the character at `at` that may belong to a name, 0 when it may not. */
static size_t name_character(const fnd_unit_reader *reader, size_t at)
{
    static const char *const others[] = {"\xC2\xB5", "\xCE\xBC", "\xC2\xB0", "\xCE\xA9", "\xE2\x84\xA6"};
    if (at >= reader->length) return 0;
    char c = reader->text[at];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%') return 1;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        size_t size = strlen(others[i]);
        if (reader->length - at >= size && memcmp(reader->text + at, others[i], size) == 0) return size;
    }
    return 0;
}

/* A power that is too large, which began at `at`. */
static bool fail_size(fnd_unit_reader *reader, size_t at)
{
    char excerpt[32];
    fnd_io_excerpt(excerpt, sizeof excerpt, reader->text + at, reader->at - at);
    return fail(reader, FENDER_STATUS_UNIT, at, "the power is too large", excerpt, "a power between -100 and 100",
                "check the power");
}

/* ---- powers */

#define DENOMINATOR    FENDER_DIMENSION_DENOMINATOR
#define EXPECTED_POWER "a power such as 2, -1, 1.5 or (3/2)"

/* Digits 0-9 and signs written high. Returns the plain character, '\0' for none. */
static char take_superscript(fnd_unit_reader *reader)
{
    static const struct {
        const char *text;
        char plain;
    } table[] = {{"\xE2\x81\xB0", '0'}, {"\xC2\xB9", '1'},     {"\xC2\xB2", '2'},     {"\xC2\xB3", '3'},
                 {"\xE2\x81\xB4", '4'}, {"\xE2\x81\xB5", '5'}, {"\xE2\x81\xB6", '6'}, {"\xE2\x81\xB7", '7'},
                 {"\xE2\x81\xB8", '8'}, {"\xE2\x81\xB9", '9'}, {"\xE2\x81\xBB", '-'}, {"\xE2\x81\xBA", '+'}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (take(reader, table[i].text)) return table[i].plain;
    return '\0';
}

/* The value of a power in 60ths. */
static bool to_sixtieths(fnd_unit_reader *reader, size_t at, double numerator, double denominator, int *power)
{
    double exact = numerator * DENOMINATOR / denominator;
    if (fabs(exact) > FND_LARGEST_POWER * DENOMINATOR) return fail_size(reader, at);
    double nearest = floor(exact + 0.5);
    /* 1.15 * 60 is not 69 in binary; a true 60th is far nearer than anything else that people write. */
    if (fabs(exact - nearest) <= 1e-12 * (1.0 + fabs(exact))) {
        *power = (int)nearest;
        return true;
    }
    char excerpt[32], suggestion[96];
    fnd_io_excerpt(excerpt, sizeof excerpt, reader->text + at, reader->at - at);
    snprintf(suggestion, sizeof suggestion, "write a fraction in parentheses, such as (1/3)");
    for (int part = 2; part <= 6; part++) {
        double top = floor(numerator / denominator * part + 0.5);
        if (top == 0 || fabs(numerator / denominator - top / part) > 0.004) continue;
        snprintf(suggestion, sizeof suggestion, "did you mean (%.0f/%d)?", top, part);
        break;
    }
    return fail(reader, FENDER_STATUS_UNIT, at, "the power is not a multiple of 1/60", excerpt,
                "halves, thirds, quarters, fifths and their like", suggestion);
}

static bool read_decimal(fnd_unit_reader *reader, double *value)
{
    size_t used;
    size_t at = reader->at, end = at;
    if (end < reader->length && (reader->text[end] == '-' || reader->text[end] == '+')) end++;
    while (end < reader->length && fnd_is_digit(reader->text[end])) end++;
    /* A point belongs to the power only when a digit follows: "m^2.s" is a product. */
    if (end + 1 < reader->length && reader->text[end] == '.' && fnd_is_digit(reader->text[end + 1]))
        for (end++; end < reader->length && fnd_is_digit(reader->text[end]);) end++;
    if (!fnd_number_parse(reader->text + at, end - at, value, &used))
        return fail_here(reader, "a power is missing", EXPECTED_POWER, "write m^2, m^-1, m^1.5 or m^(3/2)");
    reader->at = end;
    return true;
}

static bool read_fraction(fnd_unit_reader *reader, int *power)
{
    double numerator, denominator = 1.0;
    take_spaces(reader);
    size_t at = reader->at;
    if (!read_decimal(reader, &numerator)) return false;
    size_t end = reader->at;
    take_spaces(reader);
    if (take(reader, "/")) {
        take_spaces(reader);
        size_t below = reader->at;
        if (!read_decimal(reader, &denominator)) return false;
        end = reader->at;
        if (denominator == 0.0) {
            reader->at = below;
            return fail_here(reader, "a power is divided by zero", "a number from 1 to 60", "write m^(3/2)");
        }
        take_spaces(reader);
    }
    if (!is_at(reader, ")"))
        return fail_here(reader, "the parenthesis around a power is not closed", "')'", "write m^(3/2)");
    size_t close = reader->at;
    reader->at = end;
    if (!to_sixtieths(reader, at, numerator, denominator, power)) return false;
    reader->at = close + 1;
    return true;
}

/* After '^' or '**'. */
static bool read_marked_power(fnd_unit_reader *reader, int *power)
{
    double value;
    take_spaces(reader);
    if (take(reader, "(")) return read_fraction(reader, power);
    size_t at = reader->at;
    if (!read_decimal(reader, &value) || !to_sixtieths(reader, at, value, 1.0, power)) return false;
    if (is_at(reader, "/") && reader->at + 1 < reader->length && fnd_is_digit(reader->text[reader->at + 1])) {
        char suggestion[64];
        size_t end = reader->at + 1;
        while (end < reader->length && fnd_is_digit(reader->text[end])) end++;
        fnd_io_excerpt(suggestion, sizeof suggestion - 32, reader->text + at, end - at);
        size_t length = strlen(suggestion);
        memmove(suggestion + 15, suggestion, length);
        memcpy(suggestion, "did you mean ^(", 15);
        memcpy(suggestion + 15 + length, ")?", 3);
        return fail_here(reader, "a fraction as power needs parentheses", "'*', '/' or the end", suggestion);
    }
    return true;
}

/* Digits directly after a name: m2, s-1. */
static bool read_glued_power(fnd_unit_reader *reader, int *power)
{
    size_t at = reader->at;
    int sign = 1, value = 0;
    if (is_at(reader, "-") || is_at(reader, "+")) sign = reader->text[reader->at++] == '-' ? -1 : 1;
    for (; reader->at < reader->length && fnd_is_digit(reader->text[reader->at]); reader->at++)
        if (value <= FND_LARGEST_POWER) value = value * 10 + (reader->text[reader->at] - '0');
    if (value > FND_LARGEST_POWER) return fail_size(reader, at);
    if (reader->at + 1 < reader->length && reader->text[reader->at] == '.' &&
        fnd_is_digit(reader->text[reader->at + 1]))
        return fail_here(reader, "a decimal power needs '^'", "'*', '/' or the end", "write m^1.5");
    *power = sign * value * DENOMINATOR;
    return true;
}

static bool read_high_power(fnd_unit_reader *reader, char first, size_t at, int *power)
{
    int sign = first == '-' ? -1 : 1, value = 0, digits = 0;
    if (first != '-' && first != '+') value = first - '0', digits = 1;
    for (;;) {
        size_t before = reader->at;
        char c = take_superscript(reader);
        if (c == '\0') break;
        if (c == '-' || c == '+') {
            reader->at = before;
            return fail_here(reader, "a sign is inside a power", "a digit", "write s\xE2\x81\xBB\xC2\xB9 or s^-1");
        }
        digits++;
        if (value <= FND_LARGEST_POWER) value = value * 10 + (c - '0');
    }
    if (digits == 0) return fail_here(reader, "a power is missing", "a digit", "write s\xE2\x81\xBB\xC2\xB9 or s^-1");
    if (value > FND_LARGEST_POWER) return fail_size(reader, at);
    *power = sign * value * DENOMINATOR;
    return true;
}

/* Reads the power after a factor, in 60ths; *power is left alone when there is none. */
static bool read_power(fnd_unit_reader *reader, int *power)
{
    size_t at = reader->at;
    char high = take_superscript(reader);
    if (high != '\0') return read_high_power(reader, high, at, power);
    bool sign = is_at(reader, "-") || is_at(reader, "+");
    size_t digit = reader->at + (sign ? 1 : 0);
    if (digit < reader->length && fnd_is_digit(reader->text[digit])) return read_glued_power(reader, power);
    take_spaces(reader);
    if (take(reader, "^") || take(reader, "**")) return read_marked_power(reader, power);
    reader->at = at;
    return true;
}

/* ---- units */

#define DEEPEST         32
#define LARGEST_SCALE   1e250
#define EXPECTED_FACTOR "a unit such as m, kg, N, rad or lbf"

static bool fail_scale(fnd_unit_reader *reader, size_t at)
{
    char excerpt[48];
    fnd_io_excerpt(excerpt, sizeof excerpt, reader->text + at, reader->at - at);
    return fail(reader, FENDER_STATUS_UNIT, at, "the unit is too large or too small", excerpt,
                "a factor between 1e-250 and 1e250", "check the powers");
}

static bool raise(fnd_unit_reader *reader, size_t at, fnd_unit *unit, int power)
{
    if (power == DENOMINATOR) return true;
    int numerator = power, denominator = DENOMINATOR;
    for (int divisor = 2; divisor <= 5; divisor++)
        while (numerator % divisor == 0 && denominator % divisor == 0) numerator /= divisor, denominator /= divisor;
    for (int i = 0; i < FENDER_DIMENSION_COUNT; i++) {
        int64_t product = (int64_t)unit->exponent[i] * power;
        if (product % DENOMINATOR != 0) {
            char excerpt[48];
            fnd_io_excerpt(excerpt, sizeof excerpt, reader->text + at, reader->at - at);
            return fail(reader, FENDER_STATUS_UNIT, at, "a power of a power is not a multiple of 1/60", excerpt,
                        "halves, thirds, quarters, fifths and their like", "write the resulting power itself");
        }
        product /= DENOMINATOR;
        if (product > FND_LARGEST_POWER * DENOMINATOR || product < -FND_LARGEST_POWER * DENOMINATOR)
            return fail_size(reader, at);
        unit->exponent[i] = (int32_t)product;
    }
    unit->scale = fnd_scale_power(unit->scale, numerator, denominator);
    if (!(unit->scale.high <= LARGEST_SCALE && unit->scale.high >= 1 / LARGEST_SCALE)) return fail_scale(reader, at);
    return true;
}

static bool read_name(fnd_unit_reader *reader, fnd_unit *unit)
{
    size_t at = reader->at, end = at;
    for (size_t size; (size = name_character(reader, end)) > 0;) end += size;
    size_t length = end - at;
    char name[48], message[128], suggestion[128];
    fnd_io_excerpt(name, sizeof name, reader->text + at, length);
    fnd_unit_match match = fnd_unit_find(reader->text + at, length);
    if (match.trap) {
        snprintf(message, sizeof message, "unit '%s' is ambiguous: %s", name, match.trap->meanings);
        return fail(reader, FENDER_STATUS_UNIT, at, message, name, "a unit with one meaning", match.trap->remedy);
    }
    if (!match.row) {
        snprintf(message, sizeof message, "unknown unit '%s'", name);
        fnd_unit_suggest(reader->text + at, length, suggestion, sizeof suggestion);
        return fail(reader, FENDER_STATUS_UNIT, at, message, name, EXPECTED_FACTOR, suggestion);
    }
    reader->at = end;
    unit->scale = fnd_scale_product(fnd_unit_row_scale(match.row), fnd_scale_power(fnd_scale_from(10.0), match.ten, 1));
    unit->offset = fnd_scale_quotient(fnd_scale_from(match.row->offset), fnd_scale_from(100.0));
    unit->cycles = match.row->cycles;
    for (int i = 0; i < FENDER_DIMENSION_COUNT; i++) unit->exponent[i] = match.row->exponent[i] * DENOMINATOR;
    if (match.row->offset != 0.0) {
        reader->offset = true;
        reader->offset_at = at;
        reader->offset_size = length;
    }
    return true;
}

static bool fail_number(fnd_unit_reader *reader)
{
    char excerpt[32];
    double value;
    size_t used = 1;
    fnd_number_read(reader->text + reader->at, reader->length - reader->at, &value, &used);
    fnd_io_excerpt(excerpt, sizeof excerpt, reader->text + reader->at, used > 0 ? used : 1);
    return fail(reader, FENDER_STATUS_PARSE, reader->at, "a number is inside a unit", excerpt, EXPECTED_FACTOR ", or 1",
                "the only number in a unit is 1, as in 1/s; put the factor into the value");
}

/* Suggestion for a common misspelling of a product or a unit; NULL if there is none. */
static const char *hint(const fnd_unit_reader *reader)
{
    static const struct {
        const char *text, *suggestion;
    } hints[] = {
        {"'", "write 'ft' or 'arcmin'"},
        {"\"", "write 'in' or 'arcsec'"},
        {")", "remove it, or open it before"},
        {",", "write decimals after a point"},
        {"-", "a product is written with '*': N*m"},
        {"(", "a product is written with '*': N*(m/s)"},
    };
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (is_at(reader, hints[i].text)) return hints[i].suggestion;
    return NULL;
}

static bool fail_missing_factor(fnd_unit_reader *reader)
{
    const char *suggestion = hint(reader);
    return fail_here(reader, "a unit is missing", EXPECTED_FACTOR,
                     suggestion ? suggestion : "`fender info units` lists all units");
}

static bool read_unit(fnd_unit_reader *reader, fnd_unit *unit, int depth);

static bool read_group(fnd_unit_reader *reader, fnd_unit *unit, int depth)
{
    size_t open = reader->at - 1;
    if (depth >= DEEPEST) {
        reader->at = open;
        return fail_here(reader, "parentheses are nested too deeply", "at most 32 levels", "write the unit plainly");
    }
    if (!read_unit(reader, unit, depth + 1)) return false;
    if (take(reader, ")")) return true;
    char suggestion[64];
    snprintf(suggestion, sizeof suggestion, "the parenthesis at column %d is open", column_at(reader, open));
    return fail_here(reader, "a parenthesis is not closed", "')'", suggestion);
}

/* A number is a factor only when it is 1 and nothing is glued to it. */
static bool read_one(fnd_unit_reader *reader)
{
    double value;
    size_t used;
    const char *text = reader->text + reader->at;
    bool plain = fnd_number_parse(text, reader->length - reader->at, &value, &used) && value == 1.0 && used == 1;
    if (!plain) return fail_number(reader);
    reader->at++;
    if (name_character(reader, reader->at) == 0) return true;
    reader->at--;
    return fail_number(reader);
}

static bool read_factor(fnd_unit_reader *reader, fnd_unit *unit, int depth)
{
    size_t at = reader->at;
    int power = DENOMINATOR;
    *unit = (fnd_unit){.scale = {1.0, 0.0}};
    reader->factors++;
    if (at < reader->length && fnd_is_digit(reader->text[at])) {
        if (!read_one(reader)) return false;
    } else if (take(reader, "--")) {
        return true;
    } else if (take(reader, "(")) {
        if (!read_group(reader, unit, depth)) return false;
    } else if (name_character(reader, at) > 0) {
        if (!read_name(reader, unit)) return false;
    } else {
        return fail_missing_factor(reader);
    }
    if (!read_power(reader, &power)) return false;
    if (power != DENOMINATOR) reader->factors++;
    return raise(reader, at, unit, power);
}

static bool combine(fnd_unit_reader *reader, size_t at, fnd_unit *unit, const fnd_unit *factor, int sign)
{
    for (int i = 0; i < FENDER_DIMENSION_COUNT; i++) {
        unit->exponent[i] += sign * factor->exponent[i];
        if (unit->exponent[i] > FND_LARGEST_POWER * DENOMINATOR || unit->exponent[i] < -FND_LARGEST_POWER * DENOMINATOR)
            return fail_size(reader, at);
    }
    unit->scale = sign > 0 ? fnd_scale_product(unit->scale, factor->scale)
                           : fnd_scale_quotient(unit->scale, factor->scale);
    unit->cycles |= factor->cycles;
    unit->offset = factor->offset;
    if (!(unit->scale.high <= LARGEST_SCALE && unit->scale.high >= 1 / LARGEST_SCALE)) return fail_scale(reader, at);
    return true;
}

typedef enum joint { JOINT_END, JOINT_PRODUCT, JOINT_QUOTIENT, JOINT_SPACE } joint;

static joint take_joint(fnd_unit_reader *reader)
{
    bool spaces = take_spaces(reader);
    if (take(reader, "/")) return JOINT_QUOTIENT;
    if (take(reader, "*") || take(reader, "\xC2\xB7") || take(reader, "\xE2\x8B\x85") || take(reader, "\xC3\x97") ||
        take(reader, "."))
        return JOINT_PRODUCT;
    if (reader->at >= reader->length || is_at(reader, ")")) return JOINT_END;
    bool begins = fnd_is_digit(reader->text[reader->at]) || is_at(reader, "(") ||
                  name_character(reader, reader->at) > 0;
    return spaces && begins ? JOINT_SPACE : JOINT_END;
}

static bool read_unit(fnd_unit_reader *reader, fnd_unit *unit, int depth)
{
    bool divided = false;
    *unit = (fnd_unit){.scale = {1.0, 0.0}};
    take_spaces(reader);
    joint kind = JOINT_PRODUCT;
    if (take(reader, "/")) kind = JOINT_QUOTIENT, reader->factors++;
    while (kind != JOINT_END) {
        fnd_unit factor;
        if (kind == JOINT_SPACE && divided)
            return fail_here(reader, "a space after '/' is ambiguous", "'*', '/' or parentheses",
                             "write N*s/m or N/(m*s)");
        if (kind == JOINT_QUOTIENT) divided = true;
        take_spaces(reader);
        size_t at = reader->at;
        if (!read_factor(reader, &factor, depth)) return false;
        if (!combine(reader, at, unit, &factor, kind == JOINT_QUOTIENT ? -1 : 1)) return false;
        kind = take_joint(reader);
    }
    return true;
}

static bool fail_rest(fnd_unit_reader *reader)
{
    const char *suggestion = hint(reader);
    return fail_here(reader, "unexpected text after the unit", "'*', '/', '^' or the end",
                     suggestion ? suggestion : "remove what follows the unit");
}

fender_status fnd_unit_read(const char *text, size_t length, int first_column, fnd_unit *unit, fender_error *error)
{
    assert(text || length == 0);
    fnd_unit_reader reader = {.text = text, .length = length, .first_column = first_column, .error = error};
    fnd_unit read;
    take_spaces(&reader);
    if (reader.at == reader.length) {
        fail(&reader, FENDER_STATUS_PARSE, 0, "the unit is empty", "nothing", EXPECTED_FACTOR,
             "write 1 for a plain number");
        return reader.status;
    }
    if (!read_unit(&reader, &read, 0)) return reader.status;
    if (reader.at < reader.length) {
        fail_rest(&reader);
        return reader.status;
    }
    if (reader.offset && reader.factors > 1) {
        char name[32];
        fnd_io_excerpt(name, sizeof name, text + reader.offset_at, reader.offset_size);
        fail(&reader, FENDER_STATUS_UNIT, reader.offset_at, "a temperature scale with an offset must stand alone", name,
             "K or R, for differences of temperature", "1 degC of difference is 1 K, 1 degF is 1 R");
        return reader.status;
    }
    *unit = read;
    return FENDER_STATUS_OK;
}
