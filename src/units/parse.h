/* Grammar of unit texts. */
#ifndef FND_UNITS_PARSE_H
#define FND_UNITS_PARSE_H

#include "units/table.h"

#include <fender/units.h>

/* A unit with its factor to 30 digits. */
typedef struct fnd_unit {
    fnd_scale scale, offset;
    int32_t exponent[FENDER_DIMENSION_COUNT]; /* in 60ths */
    bool cycles;                              /* contains Hz */
} fnd_unit;

/* Reads one unit; spaces around it are fine. first_column: the column of text[0]. Errors as fender_unit_parse. */
fender_status fnd_unit_read(const char *text, size_t length, int first_column, fnd_unit *unit, fender_error *error);

#endif
