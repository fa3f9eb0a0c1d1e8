/* Grammar of unit texts: products, quotients, powers, parentheses.
 *
 *   unit     = ["/"] factor { ("*" | "·" | "×" | "⋅" | "." | " ") factor | "/" factor }
 *   factor   = ( name | "1" | "--" | "(" unit ")" ) [ power ]
 *   power    = ("^" | "**") ( signed decimal | "(" signed decimal [ "/" integer ] ")" ) | signed integer | superscripts
 *
 * Products and quotients are read from left to right: N/m/s = N/(m*s), lbf/in*s = (lbf*s)/in. A space after a "/" is
 * refused, for "N/m s" is read both ways by people. */
#include "units/parse.h"

#include "support/fault.h"
#include "support/number.h"
#include "units/reader.h"
#include "units/table.h"

#include <stdio.h>
#include <string.h>

#define DENOMINATOR     FENDER_DIMENSION_DENOMINATOR
#define DEEPEST         32
#define LARGEST_SCALE   1e250
#define EXPECTED_FACTOR "a unit such as m, kg, N, rad or lbf"

static bool fail_scale(fnd_unit_reader *reader, size_t at)
{
    char excerpt[48];
    fnd_io_excerpt(excerpt, sizeof excerpt, reader->text + at, reader->at - at);
    return fnd_reader_fail(reader, FENDER_STATUS_UNIT, at, "the unit is too large or too small", excerpt,
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
            return fnd_reader_fail(reader, FENDER_STATUS_UNIT, at, "a power of a power is no multiple of 1/60", excerpt,
                                   "halves, thirds, quarters, fifths and their like",
                                   "write the resulting power itself");
        }
        product /= DENOMINATOR;
        if (product > FND_LARGEST_POWER * DENOMINATOR || product < -FND_LARGEST_POWER * DENOMINATOR)
            return fnd_reader_fail_size(reader, at);
        unit->exponent[i] = (int32_t)product;
    }
    unit->scale = fnd_scale_power(unit->scale, numerator, denominator);
    if (!(unit->scale.high <= LARGEST_SCALE && unit->scale.high >= 1 / LARGEST_SCALE)) return fail_scale(reader, at);
    return true;
}

static bool read_name(fnd_unit_reader *reader, fnd_unit *unit)
{
    size_t at = reader->at, end = at;
    for (size_t size; (size = fnd_reader_name_character(reader, end)) > 0;) end += size;
    size_t length = end - at;
    char name[48], message[128], suggestion[128];
    fnd_io_excerpt(name, sizeof name, reader->text + at, length);
    fnd_unit_match match = fnd_unit_find(reader->text + at, length);
    if (match.trap) {
        snprintf(message, sizeof message, "unit '%s' is ambiguous: %s", name, match.trap->meanings);
        return fnd_reader_fail(reader, FENDER_STATUS_UNIT, at, message, name, "a unit with one meaning",
                               match.trap->remedy);
    }
    if (!match.row) {
        snprintf(message, sizeof message, "unknown unit '%s'", name);
        fnd_unit_suggest(reader->text + at, length, suggestion, sizeof suggestion);
        return fnd_reader_fail(reader, FENDER_STATUS_UNIT, at, message, name, EXPECTED_FACTOR, suggestion);
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
    return fnd_reader_fail(reader, FENDER_STATUS_PARSE, reader->at, "a number stands inside a unit", excerpt,
                           EXPECTED_FACTOR ", or 1",
                           "the only number in a unit is 1, as in 1/s; put the factor into the value");
}

/* What people write for a product, or for a unit, and what Fender reads instead; NULL when nothing is known. */
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
        if (fnd_reader_is_at(reader, hints[i].text)) return hints[i].suggestion;
    return NULL;
}

static bool fail_missing_factor(fnd_unit_reader *reader)
{
    const char *suggestion = hint(reader);
    return fnd_reader_fail_here(reader, "a unit is missing", EXPECTED_FACTOR,
                                suggestion ? suggestion : "`fender info units` lists all units");
}

static bool read_unit(fnd_unit_reader *reader, fnd_unit *unit, int depth);

static bool read_group(fnd_unit_reader *reader, fnd_unit *unit, int depth)
{
    size_t open = reader->at - 1;
    if (depth >= DEEPEST) {
        reader->at = open;
        return fnd_reader_fail_here(reader, "parentheses are nested too deeply", "at most 32 levels",
                                    "write the unit plainly");
    }
    if (!read_unit(reader, unit, depth + 1)) return false;
    if (fnd_reader_take(reader, ")")) return true;
    char suggestion[64];
    snprintf(suggestion, sizeof suggestion, "the parenthesis at column %d is open", fnd_reader_column(reader, open));
    return fnd_reader_fail_here(reader, "a parenthesis is not closed", "')'", suggestion);
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
    if (fnd_reader_name_character(reader, reader->at) == 0) return true;
    reader->at--;
    return fail_number(reader);
}

static bool read_factor(fnd_unit_reader *reader, fnd_unit *unit, int depth)
{
    size_t at = reader->at;
    int power = DENOMINATOR;
    *unit = (fnd_unit){.scale = {1.0, 0.0}};
    reader->factors++;
    if (at < reader->length && fnd_reader_is_digit(reader->text[at])) {
        if (!read_one(reader)) return false;
    } else if (fnd_reader_take(reader, "--")) {
        return true;
    } else if (fnd_reader_take(reader, "(")) {
        if (!read_group(reader, unit, depth)) return false;
    } else if (fnd_reader_name_character(reader, at) > 0) {
        if (!read_name(reader, unit)) return false;
    } else {
        return fail_missing_factor(reader);
    }
    if (!fnd_reader_read_power(reader, &power)) return false;
    if (power != DENOMINATOR) reader->factors++;
    return raise(reader, at, unit, power);
}

static bool combine(fnd_unit_reader *reader, size_t at, fnd_unit *unit, const fnd_unit *factor, int sign)
{
    for (int i = 0; i < FENDER_DIMENSION_COUNT; i++) {
        unit->exponent[i] += sign * factor->exponent[i];
        if (unit->exponent[i] > FND_LARGEST_POWER * DENOMINATOR || unit->exponent[i] < -FND_LARGEST_POWER * DENOMINATOR)
            return fnd_reader_fail_size(reader, at);
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
    bool spaces = fnd_reader_take_spaces(reader);
    if (fnd_reader_take(reader, "/")) return JOINT_QUOTIENT;
    if (fnd_reader_take(reader, "*") || fnd_reader_take(reader, "\xC2\xB7") ||
        fnd_reader_take(reader, "\xE2\x8B\x85") || fnd_reader_take(reader, "\xC3\x97") || fnd_reader_take(reader, "."))
        return JOINT_PRODUCT;
    if (reader->at >= reader->length || fnd_reader_is_at(reader, ")")) return JOINT_END;
    bool begins = fnd_reader_is_digit(reader->text[reader->at]) || fnd_reader_is_at(reader, "(") ||
                  fnd_reader_name_character(reader, reader->at) > 0;
    return spaces && begins ? JOINT_SPACE : JOINT_END;
}

static bool read_unit(fnd_unit_reader *reader, fnd_unit *unit, int depth)
{
    bool divided = false;
    *unit = (fnd_unit){.scale = {1.0, 0.0}};
    fnd_reader_take_spaces(reader);
    joint kind = JOINT_PRODUCT;
    if (fnd_reader_take(reader, "/")) kind = JOINT_QUOTIENT, reader->factors++;
    while (kind != JOINT_END) {
        fnd_unit factor;
        if (kind == JOINT_SPACE && divided)
            return fnd_reader_fail_here(reader, "a space after '/' is ambiguous", "'*', '/' or parentheses",
                                        "write N*s/m or N/(m*s)");
        if (kind == JOINT_QUOTIENT) divided = true;
        fnd_reader_take_spaces(reader);
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
    return fnd_reader_fail_here(reader, "unexpected text after the unit", "'*', '/', '^' or the end",
                                suggestion ? suggestion : "remove what follows the unit");
}

fender_status fnd_unit_read(const char *text, size_t length, int first_column, fnd_unit *unit, fender_error *error)
{
    fnd_unit_reader reader = {.text = text, .length = length, .first_column = first_column, .error = error};
    fnd_unit read;
    fnd_reader_take_spaces(&reader);
    if (reader.at == reader.length) {
        fnd_reader_fail(&reader, FENDER_STATUS_PARSE, 0, "the unit is empty", "nothing", EXPECTED_FACTOR,
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
        fnd_reader_fail(&reader, FENDER_STATUS_UNIT, reader.offset_at,
                        "a temperature scale with an offset must stand alone", name,
                        "K or R, for differences of temperature", "1 degC of difference is 1 K, 1 degF is 1 R");
        return reader.status;
    }
    *unit = read;
    return FENDER_STATUS_OK;
}
