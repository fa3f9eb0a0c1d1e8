/* Units of two channels: the factor and offset between them. */
#include "series/series.h"

#include "text/fault.h"

#include <fender/units.h>
#include <stdio.h>
#include <string.h>

static fender_status fail_units(const fender_recording_channel *a, const fender_recording_channel *b,
                                const char *remedy, fender_error *error)
{
    char message[320], found[160], expected[160];
    snprintf(message, sizeof message, "'%.90s' is in [%.30s] in %.60s, but in [%.30s] in %.60s", a->name, a->unit,
             a->table->file, b->unit, b->table->file);
    snprintf(found, sizeof found, "[%.30s] and [%.30s]", a->unit, b->unit);
    snprintf(expected, sizeof expected, "units of one dimension");
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_UNIT,
                                             .source = b->table->file,
                                             .message = message,
                                             .found = found,
                                             .expected = expected,
                                             .suggestion = remedy});
}

fender_status fender_recording_convert(const fender_recording_channel *a, const fender_recording_channel *b,
                                       double *factor, double *offset, fender_error *error)
{
    fender_unit to, from;
    fender_error why = {0};
    *factor = 1;
    *offset = 0;
    if (!a->unit[0] || !b->unit[0] || strcmp(a->unit, b->unit) == 0) return FENDER_STATUS_OK;
    if (fender_unit_parse(a->unit, strlen(a->unit), &to, &why) != FENDER_STATUS_OK ||
        fender_unit_parse(b->unit, strlen(b->unit), &from, &why) != FENDER_STATUS_OK)
        return fail_units(a, b, why.message, error);
    if (!fender_unit_compatible(&to, &from))
        return fail_units(a, b, "compare others with --channel, or match the right names with --map", error);
    if (to.scale == from.scale && to.offset == from.offset) return FENDER_STATUS_OK;
    *factor = from.scale / to.scale;
    *offset = *factor * from.offset - to.offset;
    return FENDER_STATUS_OK;
}
