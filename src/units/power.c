/* Powers in unit texts: ^2, **-1, ^1.5, ^(3/2), m2, s-1, superscripts. */
#include "units/reader.h"

#include "support/fault.h"
#include "support/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
        if (fnd_reader_take(reader, table[i].text)) return table[i].plain;
    return '\0';
}

/* The value of a power in 60ths. */
static bool to_sixtieths(fnd_unit_reader *reader, size_t at, double numerator, double denominator, int *power)
{
    double exact = numerator * DENOMINATOR / denominator;
    if (fabs(exact) > FND_LARGEST_POWER * DENOMINATOR) return fnd_reader_fail_size(reader, at);
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
    return fnd_reader_fail(reader, FENDER_STATUS_UNIT, at, "the power is no multiple of 1/60", excerpt,
                           "halves, thirds, quarters, fifths and their like", suggestion);
}

static bool read_decimal(fnd_unit_reader *reader, double *value)
{
    size_t used;
    size_t at = reader->at, end = at;
    if (end < reader->length && (reader->text[end] == '-' || reader->text[end] == '+')) end++;
    while (end < reader->length && fnd_reader_is_digit(reader->text[end])) end++;
    /* A point belongs to the power only when a digit follows: "m^2.s" is a product. */
    if (end + 1 < reader->length && reader->text[end] == '.' && fnd_reader_is_digit(reader->text[end + 1]))
        for (end++; end < reader->length && fnd_reader_is_digit(reader->text[end]);) end++;
    if (!fnd_number_parse(reader->text + at, end - at, value, &used))
        return fnd_reader_fail_here(reader, "a power is missing", EXPECTED_POWER, "write m^2, m^-1, m^1.5 or m^(3/2)");
    reader->at = end;
    return true;
}

static bool read_fraction(fnd_unit_reader *reader, int *power)
{
    double numerator, denominator = 1.0;
    fnd_reader_take_spaces(reader);
    size_t at = reader->at;
    if (!read_decimal(reader, &numerator)) return false;
    size_t end = reader->at;
    fnd_reader_take_spaces(reader);
    if (fnd_reader_take(reader, "/")) {
        fnd_reader_take_spaces(reader);
        size_t below = reader->at;
        if (!read_decimal(reader, &denominator)) return false;
        end = reader->at;
        if (denominator == 0.0) {
            reader->at = below;
            return fnd_reader_fail_here(reader, "a power is divided by zero", "a number from 1 to 60", "write m^(3/2)");
        }
        fnd_reader_take_spaces(reader);
    }
    if (!fnd_reader_is_at(reader, ")"))
        return fnd_reader_fail_here(reader, "the parenthesis around a power is not closed", "')'", "write m^(3/2)");
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
    fnd_reader_take_spaces(reader);
    if (fnd_reader_take(reader, "(")) return read_fraction(reader, power);
    size_t at = reader->at;
    if (!read_decimal(reader, &value) || !to_sixtieths(reader, at, value, 1.0, power)) return false;
    if (fnd_reader_is_at(reader, "/") && reader->at + 1 < reader->length &&
        fnd_reader_is_digit(reader->text[reader->at + 1])) {
        char suggestion[64];
        size_t end = reader->at + 1;
        while (end < reader->length && fnd_reader_is_digit(reader->text[end])) end++;
        fnd_io_excerpt(suggestion, sizeof suggestion - 32, reader->text + at, end - at);
        size_t length = strlen(suggestion);
        memmove(suggestion + 15, suggestion, length);
        memcpy(suggestion, "did you mean ^(", 15);
        memcpy(suggestion + 15 + length, ")?", 3);
        return fnd_reader_fail_here(reader, "a fraction as power needs parentheses", "'*', '/' or the end", suggestion);
    }
    return true;
}

/* Digits directly after a name: m2, s-1. */
static bool read_glued_power(fnd_unit_reader *reader, int *power)
{
    size_t at = reader->at;
    int sign = 1, value = 0;
    if (fnd_reader_is_at(reader, "-") || fnd_reader_is_at(reader, "+"))
        sign = reader->text[reader->at++] == '-' ? -1 : 1;
    for (; reader->at < reader->length && fnd_reader_is_digit(reader->text[reader->at]); reader->at++)
        if (value <= FND_LARGEST_POWER) value = value * 10 + (reader->text[reader->at] - '0');
    if (value > FND_LARGEST_POWER) return fnd_reader_fail_size(reader, at);
    if (reader->at + 1 < reader->length && reader->text[reader->at] == '.' &&
        fnd_reader_is_digit(reader->text[reader->at + 1]))
        return fnd_reader_fail_here(reader, "a decimal power needs '^'", "'*', '/' or the end", "write m^1.5");
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
            return fnd_reader_fail_here(reader, "a sign stands inside a power", "a digit",
                                        "write s\xE2\x81\xBB\xC2\xB9 or s^-1");
        }
        digits++;
        if (value <= FND_LARGEST_POWER) value = value * 10 + (c - '0');
    }
    if (digits == 0)
        return fnd_reader_fail_here(reader, "a power is missing", "a digit", "write s\xE2\x81\xBB\xC2\xB9 or s^-1");
    if (value > FND_LARGEST_POWER) return fnd_reader_fail_size(reader, at);
    *power = sign * value * DENOMINATOR;
    return true;
}

bool fnd_reader_read_power(fnd_unit_reader *reader, int *power)
{
    size_t at = reader->at;
    char high = take_superscript(reader);
    if (high != '\0') return read_high_power(reader, high, at, power);
    bool sign = fnd_reader_is_at(reader, "-") || fnd_reader_is_at(reader, "+");
    size_t digit = reader->at + (sign ? 1 : 0);
    if (digit < reader->length && fnd_reader_is_digit(reader->text[digit])) return read_glued_power(reader, power);
    fnd_reader_take_spaces(reader);
    if (fnd_reader_take(reader, "^") || fnd_reader_take(reader, "**")) return read_marked_power(reader, power);
    reader->at = at;
    return true;
}
