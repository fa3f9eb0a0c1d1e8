/* Numbers with units: "20 lbf/in" read for a field in N/m. */
#include "support/fault.h"
#include "support/number.h"
#include "units/dimension.h"
#include "units/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_UNIT,
                                             .column = given->column,
                                             .message = message,
                                             .found = found,
                                             .expected = expected,
                                             .suggestion = suggestion});
}

static fender_status fail_angle(const fnd_given *given, const char *reason, const char *suggestion, fender_error *error)
{
    char name[48], message[240], expected[80];
    fnd_io_excerpt(name, sizeof name, given->unit_text, given->unit_length);
    snprintf(message, sizeof message, "unit '%s' %s [%.40s]", name, reason, given->si_unit);
    snprintf(expected, sizeof expected, "a unit that agrees with %.40s", given->si_unit);
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_UNIT,
                                             .column = given->column,
                                             .message = message,
                                             .found = name,
                                             .expected = expected,
                                             .suggestion = suggestion});
}

/* The two places where a value is refused although its unit agrees with that of the field: see unit.c. */
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
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_VALUE,
                                             .column = column,
                                             .message = message,
                                             .found = found,
                                             .expected = "a finite number, at most 1.797693e+308 in SI",
                                             .suggestion = "where the field allows it, 'none' means no limit"});
}

static fender_status convert(const fnd_given *given, double *si_value, fender_error *error)
{
    fnd_unit field, unit;
    if (fnd_unit_read(given->si_unit, strlen(given->si_unit), 1, &field, NULL) != FENDER_STATUS_OK) {
        char message[128];
        snprintf(message, sizeof message, "the field's own unit '%.80s' cannot be read", given->si_unit);
        return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT, .message = message});
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
    double value = fnd_scale_apply(unit.scale, unit.offset, given->value);
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
    if (!si_value)
        return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT, .message = "a pointer is NULL"});
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
        [FND_NUMBER_UNDERSCORE] = {"an underscore stands inside a number", "write the digits without it"},
    };
    char found[48], expected[96];
    if (used > 0) fnd_io_excerpt(found, sizeof found, text + at, used);
    else memcpy(found, "nothing", 8);
    snprintf(expected, sizeof expected, "a finite number, alone (in %.40s) or with a unit", si_unit);
    bool value = result == FND_NUMBER_OVERFLOW || result == FND_NUMBER_NOT_FINITE;
    return fnd_io_fail(error, (fnd_io_fault){.status = value ? FENDER_STATUS_VALUE : FENDER_STATUS_PARSE,
                                             .column = (int)at + 1,
                                             .message = kinds[result].message,
                                             .found = found,
                                             .expected = expected,
                                             .suggestion = kinds[result].suggestion});
}

static fender_status fail_comma(const char *text, size_t at, size_t used, size_t length, fender_error *error)
{
    char found[48];
    size_t end = at + used + 1;
    while (end < length && text[end] >= '0' && text[end] <= '9') end++;
    fnd_io_excerpt(found, sizeof found, text + at, end - at);
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_PARSE,
                                             .column = (int)(at + used) + 1,
                                             .message = "a comma stands inside a number",
                                             .found = found,
                                             .expected = "decimals after a point",
                                             .suggestion = "write 1.5, and 1000 without separators"});
}

fender_status fender_quantity_parse(const char *text, size_t length, const char *si_unit, double *si_value,
                                    fender_error *error)
{
    fnd_given given = {.si_unit = si_unit ? si_unit : "1"};
    size_t at = 0, used = 0;
    if (!si_value || (!text && length > 0) || length > INT32_MAX / 2)
        return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT,
                                                 .message = "a pointer is NULL, or the text is too long"});
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
