/* fender/units.h - conversion of numbers with units to SI. Library fender_io.
 *
 * A unit is text such as "N/m", "lbf*s/in", "kg*m^2", "N/m^1.5", "m^(3/2)", "deg/s", "kN·s/m", "m²". Exponents are
 * rational. Angles are dimensionless in SI but keep their own dimension here, so that a length is not taken for an
 * angle. */
#ifndef FENDER_UNITS_H
#define FENDER_UNITS_H

#include "base.h"

/* Exponents of m, kg, s, K, A, rad, each multiplied by 60, so that halves, thirds, quarters and fifths are exact. */
#define FENDER_DIMENSION_COUNT       6
#define FENDER_DIMENSION_DENOMINATOR 60
typedef struct fender_unit {
    double scale;  /* SI value = scale * (value + offset) */
    double offset; /* nonzero only for degC and degF */
    int32_t exponent[FENDER_DIMENSION_COUNT];
} fender_unit;

/* Parses a unit from `length` bytes of `text`, which need not be terminated. On failure returns UNIT or PARSE;
 * error->column is the byte of the failure, from 1. */
FENDER_API fender_status fender_unit_parse(const char *text, size_t length, fender_unit *unit, fender_error *error);

/* True if both units have the same dimension. Angles differ from plain numbers, but rad may be added or omitted in
 * units such as 1/s and N*m (docs/CONVENTIONS.md). */
FENDER_API bool fender_unit_compatible(const fender_unit *a, const fender_unit *b);

/* Parses a number with an optional unit ("20 lbf/in", "3deg", "1e-3") and returns it in SI. `si_unit` is the SI unit of
 * the field ("N/m"; "1" for a plain number): it applies to numbers without unit, and a unit of another dimension is
 * refused. Infinite, NaN and overflowing numbers, and text after the unit, are refused. */
FENDER_API fender_status fender_quantity_parse(const char *text, size_t length, const char *si_unit, double *in_si,
                                               fender_error *error);

/* Converts a number in `unit` to SI. Errors as for fender_quantity_parse. */
FENDER_API fender_status fender_unit_to_si(double value, const char *unit, const char *si_unit, double *in_si,
                                           fender_error *error);

/* Writes the known units with the dimension of si_unit, separated by spaces, the most common first: "m mm cm km in ft".
 * fender_unit_dimension_name returns the name of the dimension ("length"), or the SI unit if it has no name. */
FENDER_API void fender_unit_alternatives(const char *si_unit, char *text, size_t size);
FENDER_API const char *fender_unit_dimension_name(const fender_unit *unit);

/* Enumerates all units, for `fender info units`. False past the end. */
typedef struct fender_unit_entry {
    const char *name, *dimension, *doc;
    double scale;
    bool takes_prefix;
} fender_unit_entry;
FENDER_API bool fender_unit_table(int index, fender_unit_entry *entry);

#endif
