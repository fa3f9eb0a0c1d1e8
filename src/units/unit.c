/* The public side of units: reading one, comparing two, listing the table.
 *
 * Rule for angles. The radian is kept as a dimension of its own, so that 3 m is no angle, 3 deg no length, and neither
 * is a plain number. Physics writes it or leaves it out, so two units that differ only in their radians agree when
 *   - one of the two has no radian at all (it was left out, not meant otherwise), and
 *   - a mass, a time, a temperature or a current takes part (rad/s and 1/s, N*m/rad and N*m, kg*m^2*rad/s and
 * kg*m^2/s). Pure geometry never agrees across radians: rad and 1, m/rad and m, rad/m and 1/m. Reading a value for a
 * field (quantity.c) is narrower in two places, where agreement would hide a mistake:
 *   - a value per radian or per degree is refused by a field without radian: 5 N*m/deg is no torque;
 *   - hertz counts cycles: 10 Hz is refused by a field in rad/s, and rpm, rev/s, rad/s by a field in Hz. */
#include "support/fault.h"
#include "units/dimension.h"
#include "units/parse.h"
#include "units/table.h"

#include <stdio.h>
#include <string.h>

fender_status fender_unit_parse(const char *text, size_t length, fender_unit *unit, fender_error *error)
{
    fnd_unit read;
    if (!unit || (!text && length > 0))
        return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT, .message = "a pointer is NULL"});
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
