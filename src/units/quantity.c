/* Quantities, units as public values, and the conversion factors to 30 digits beneath. */
#include "units/table.h"

#include "support/io_error.h"
#include "support/number.h"
#include "units/dimension.h"
#include "units/parse.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- factors */

/* a + b exactly, for |a| >= |b|. */
static fnd_scale join(double a, double b)
{
    double sum = a + b;
    return (fnd_scale){sum, b - (sum - a)};
}

fnd_scale fnd_scale_from(double value) { return (fnd_scale){value, 0.0}; }

fnd_scale fnd_scale_product(fnd_scale a, fnd_scale b)
{
    double high = a.high * b.high;
    double low = fma(a.high, b.high, -high) + (a.high * b.low + a.low * b.high);
    return join(high, low);
}

fnd_scale fnd_scale_quotient(fnd_scale a, fnd_scale b)
{
    double high = a.high / b.high;
    double rest = fma(-high, b.high, a.high) + a.low - high * b.low;
    return join(high, rest / b.high);
}

static fnd_scale integer_power(fnd_scale a, int exponent)
{
    fnd_scale result = {1.0, 0.0};
    for (int left = exponent < 0 ? -exponent : exponent; left > 0; left /= 2) {
        if (left % 2 == 1) result = fnd_scale_product(result, a);
        a = fnd_scale_product(a, a);
    }
    return exponent < 0 ? fnd_scale_quotient(fnd_scale_from(1.0), result) : result;
}

/* Newton's method on root^degree = a; pow of the C library is only the first guess. */
static fnd_scale root_of(fnd_scale a, int degree)
{
    fnd_scale root = fnd_scale_from(pow(a.high, 1.0 / degree));
    for (int pass = 0; pass < 2; pass++) {
        fnd_scale ratio = fnd_scale_quotient(a, integer_power(root, degree));
        double correction = ((ratio.high - 1.0) + ratio.low) / degree;
        fnd_scale factor = join(1.0, correction);
        root = fnd_scale_product(root, factor);
    }
    return root;
}

fnd_scale fnd_scale_power(fnd_scale a, int numerator, int denominator)
{
    assert(denominator >= 1 && denominator <= 60);
    return integer_power(denominator == 1 ? a : root_of(a, denominator), numerator);
}

/* a + b, whichever is larger. */
static fnd_scale sum_of(double a, fnd_scale b)
{
    double high = a + b.high, part = high - a;
    double error = (a - (high - part)) + (b.high - part);
    return join(high, error + b.low);
}

/* scale * (value + offset), rounded once. */
static double scale_apply(fnd_scale scale, fnd_scale offset, double value)
{
    /* -459.67 as a double is not the exact number; it means absolute zero all the same. */
    if (value + offset.high == 0.0) return offset.high == 0.0 ? value : 0.0;
    fnd_scale product = fnd_scale_product(scale, sum_of(value, offset));
    /* Where the parts overflow, the product of the leading ones decides whether the result does. */
    return isfinite(product.high) ? product.high : scale.high * (value + offset.high);
}

/* ---- units */

fender_status fender_unit_parse(const char *text, size_t length, fender_unit *unit, fender_error *error)
{
    fnd_unit read;
    if (!unit || (!text && length > 0))
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "a pointer is NULL");
    fender_status status = fnd_unit_read(text ? text : "", length, 1, &read, error);
    if (status != FENDER_STATUS_OK) return status;
    unit->scale = read.scale.high;
    unit->offset = read.offset.high;
    memcpy(unit->exponent, read.exponent, sizeof unit->exponent);
    return FENDER_STATUS_OK;
}

bool fender_unit_compatible(const fender_unit *a, const fender_unit *b)
{
    return a && b && fnd_dimension_compare(a->exponent, b->exponent) == FND_AGREE;
}

void fender_unit_alternatives(const char *si_unit, char *text, size_t size)
{
    fnd_unit unit;
    if (size == 0) return;
    const char *name = si_unit ? si_unit : "1";
    const char *units = fnd_unit_read(name, strlen(name), 1, &unit, NULL) == FENDER_STATUS_OK
                            ? fnd_dimension_units(unit.exponent)
                            : NULL;
    snprintf(text, size, "%s", units ? units : name);
}

const char *fender_unit_dimension_name(const fender_unit *unit)
{
    const char *name = unit ? fnd_dimension_name(unit->exponent) : NULL;
    return name ? name : "quantity without a name of its own";
}

bool fender_unit_table(int index, fender_unit_entry *entry)
{
    if (!entry || index < 0 || index >= fnd_unit_row_count()) return false;
    const fnd_unit_row *row = fnd_unit_row_at(index);
    int32_t exponent[FENDER_DIMENSION_COUNT];
    for (int k = 0; k < FENDER_DIMENSION_COUNT; k++) exponent[k] = row->exponent[k] * FENDER_DIMENSION_DENOMINATOR;
    *entry = (fender_unit_entry){row->name, fnd_dimension_name(exponent), row->doc, fnd_unit_row_scale(row).high,
                                 row->prefixes != FND_PREFIX_NONE};
    return true;
}

/* ---- quantities */

/* The value, its unit, the field, and where the unit stands: all that conversion and its errors need. */
typedef struct fnd_given {
    double value;
    const char *unit_text;
    size_t unit_length;
    int column; /* of the unit */
    const char *si_unit;
} fnd_given;

static fender_status fail_dimension(const fnd_given *given, const fnd_unit *unit, const fnd_unit *field,
                                    fender_error *error)
{
    char name[48], is[96], needs[96], message[400], found[64], expected[160], suggestion[300];
    fnd_io_excerpt(name, sizeof name, given->unit_text, given->unit_length);
    fnd_dimension_phrase(unit->exponent, is, sizeof is);
    fnd_dimension_phrase(field->exponent, needs, sizeof needs);
    snprintf(message, sizeof message, "unit '%s' is %s; this needs %s [%.40s]", name, is, needs, given->si_unit);
    snprintf(found, sizeof found, "%s", name);
    snprintf(expected, sizeof expected, "%s [%.40s]", needs, given->si_unit);
    const char *dimension = fnd_dimension_name(field->exponent);
    const char *units = fnd_dimension_units(field->exponent);
    snprintf(suggestion, sizeof suggestion, "units of %s: %.160s", dimension ? dimension : "this kind",
             units ? units : given->si_unit);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_UNIT, .column = given->column, .message = message, .found = found,
                       .expected = expected, .suggestion = suggestion);
}

static fender_status fail_angle(const fnd_given *given, const char *reason, const char *suggestion, fender_error *error)
{
    char name[48], message[240], expected[80];
    fnd_io_excerpt(name, sizeof name, given->unit_text, given->unit_length);
    snprintf(message, sizeof message, "unit '%s' %s [%.40s]", name, reason, given->si_unit);
    snprintf(expected, sizeof expected, "a unit that agrees with %.40s", given->si_unit);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_UNIT, .column = given->column, .message = message, .found = name,
                       .expected = expected, .suggestion = suggestion);
}

/* The two places where a value is refused although its unit agrees with that of the field. */
static fender_status check_angles(const fnd_given *given, const fnd_unit *unit, const fnd_unit *field,
                                  fender_error *error)
{
    int32_t has = unit->exponent[5], wants = field->exponent[5];
    if ((unit->cycles && wants != 0) || (field->cycles && has != 0))
        return fail_angle(given, "and the field differ in counting cycles or angles", "write rev/s, rad/s or 1/s",
                          error);
    if (wants == 0 && has < 0)
        return fail_angle(given, "is per angle; the field is not", "leave the angle out of the unit", error);
    return FENDER_STATUS_OK;
}

static fender_status fail_value(const char *message, const char *found, int column, fender_error *error)
{
    return FND_IO_FAIL(error, .status = FENDER_STATUS_VALUE, .column = column, .message = message, .found = found,
                       .expected = "a finite number, at most 1.797693e+308 in SI",
                       .suggestion = "where the field allows it, 'none' means no limit");
}

static fender_status convert(const fnd_given *given, double *si_value, fender_error *error)
{
    fnd_unit field, unit;
    if (fnd_unit_read(given->si_unit, strlen(given->si_unit), 1, &field, NULL) != FENDER_STATUS_OK) {
        char message[128];
        snprintf(message, sizeof message, "the field's own unit '%.80s' cannot be read", given->si_unit);
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = message);
    }
    unit = field;
    if (given->unit_length > 0) {
        fender_status status = fnd_unit_read(given->unit_text, given->unit_length, given->column, &unit, error);
        if (status != FENDER_STATUS_OK) return status;
        if (fnd_dimension_compare(unit.exponent, field.exponent) != FND_AGREE)
            return fail_dimension(given, &unit, &field, error);
        status = check_angles(given, &unit, &field, error);
        if (status != FENDER_STATUS_OK) return status;
    }
    /* Rounded once, from the exact factor: 9 mm is the same double as 0.009. */
    double value = scale_apply(unit.scale, unit.offset, given->value);
    if (!isfinite(value)) {
        char found[FND_NUMBER_SIZE];
        fnd_number_format(given->value, found, sizeof found);
        return fail_value("the value is too large in SI", found, 1, error);
    }
    *si_value = value;
    return FENDER_STATUS_OK;
}

fender_status fender_unit_to_si(double value, const char *unit, const char *si_unit, double *si_value,
                                fender_error *error)
{
    char found[FND_NUMBER_SIZE];
    if (!si_value) return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "a pointer is NULL");
    if (!isfinite(value)) {
        fnd_number_format(value, found, sizeof found);
        return fail_value("the number is not finite", found, 0, error);
    }
    fnd_given given = {value, unit ? unit : "", unit ? strlen(unit) : 0, 1, si_unit ? si_unit : "1"};
    return convert(&given, si_value, error);
}

/* --- numbers as text --- */

static bool is_space(char c) { return c == ' ' || c == '\t'; }

static fender_status fail_number(const char *text, size_t at, size_t used, fnd_number_result result,
                                 const char *si_unit, fender_error *error)
{
    static const struct {
        const char *message, *suggestion;
    } kinds[] = {
        [FND_NUMBER_OK] = {"", ""},
        [FND_NUMBER_MISSING] = {"a number is missing", "write the number before the unit"},
        [FND_NUMBER_OVERFLOW] = {"the number is too large", "check the power of ten"},
        [FND_NUMBER_NOT_FINITE] = {"the number is not finite", "where the field allows it, 'none' means no limit"},
        [FND_NUMBER_HEXADECIMAL] = {"hexadecimal numbers are not read", "write it in decimals"},
        [FND_NUMBER_UNDERSCORE] = {"an underscore is inside a number", "write the digits without it"},
    };
    char found[48], expected[96];
    if (used > 0) fnd_io_excerpt(found, sizeof found, text + at, used);
    else memcpy(found, "nothing", 8);
    snprintf(expected, sizeof expected, "a finite number, alone (in %.40s) or with a unit", si_unit);
    bool value = result == FND_NUMBER_OVERFLOW || result == FND_NUMBER_NOT_FINITE;
    return FND_IO_FAIL(error, .status = value ? FENDER_STATUS_VALUE : FENDER_STATUS_PARSE, .column = (int)at + 1,
                       .message = kinds[result].message, .found = found, .expected = expected,
                       .suggestion = kinds[result].suggestion);
}

static fender_status fail_comma(const char *text, size_t at, size_t used, size_t length, fender_error *error)
{
    char found[48];
    size_t end = at + used + 1;
    while (end < length && text[end] >= '0' && text[end] <= '9') end++;
    fnd_io_excerpt(found, sizeof found, text + at, end - at);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_PARSE, .column = (int)(at + used) + 1,
                       .message = "a comma is inside a number", .found = found, .expected = "decimals after a point",
                       .suggestion = "write 1.5, and 1000 without separators");
}

fender_status fender_quantity_parse(const char *text, size_t length, const char *si_unit, double *si_value,
                                    fender_error *error)
{
    fnd_given given = {.si_unit = si_unit ? si_unit : "1"};
    size_t at = 0, used = 0;
    if (!si_value || (!text && length > 0) || length > INT32_MAX / 2)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT,
                           .message = "a pointer is NULL, or the text is too long");
    while (at < length && is_space(text[at])) at++;
    while (length > at && is_space(text[length - 1])) length--;
    if (at == length) return fail_number(text, 0, 0, FND_NUMBER_MISSING, given.si_unit, error);
    fnd_number_result result = fnd_number_read(text + at, length - at, &given.value, &used);
    if (result != FND_NUMBER_OK)
        return fail_number(text, at, used > 0 ? used : length - at, result, given.si_unit, error);
    size_t unit = at + used;
    if (unit < length && text[unit] == ',') return fail_comma(text, at, used, length, error);
    while (unit < length && is_space(text[unit])) unit++;
    given.unit_text = text + unit;
    given.unit_length = length - unit;
    given.column = (int)unit + 1;
    return convert(&given, si_value, error);
}
