/* fender/units.h - numbers with units, at the edge. Library fender_io.
 *
 * A unit is text such as "N/m", "lbf*s/in", "kg*m^2", "N/m^1.5", "m^(3/2)", "deg/s", "kN·s/m", "m²". Exponents are
 * rational. Angles are dimensionless in SI but keep their own dimension here, so that a length is not taken for an
 * angle. */
#ifndef FENDER_UNITS_H
#define FENDER_UNITS_H

#include "base.h"

/* Exponents of m, kg, s, K, A, rad, each times 60 (so that halves, thirds, quarters and fifths are exact). */
#define FENDER_DIMENSION_COUNT       6
#define FENDER_DIMENSION_DENOMINATOR 60
typedef struct fender_unit {
    double scale;  /* SI value = scale * (value + offset) */
    double offset; /* not 0 for degC and degF alone */
    int32_t exponent[FENDER_DIMENSION_COUNT];
} fender_unit;

/* Reads one unit. `length` bytes of `text` are read (not necessarily terminated). On failure the error has the status
 * UNIT or PARSE, `column` = 1-based byte in text where it went wrong, found, expected and a suggestion. */
FENDER_API fender_status fender_unit_parse(const char *text, size_t length, fender_unit *unit, fender_error *error);

/* Same dimension? Radian and 1 are held apart, except that rad may stand where 1/s or N*m is written with or without
 * it: see docs/CONVENTIONS.md. */
FENDER_API bool fender_unit_compatible(const fender_unit *a, const fender_unit *b);

/* Reads a number with an optional unit ("20 lbf/in", "3deg", "1e-3") and returns it in SI. `si_unit` is the unit that
 * the field has in SI ("N/m"; "1" for a plain number): a bare number is taken in it, a unit of another dimension is
 * refused. Infinite, NaN and overflowing numbers are refused. The whole text must be used up. */
FENDER_API fender_status fender_quantity_parse(const char *text, size_t length, const char *si_unit, double *in_si,
                                               fender_error *error);

/* Value times unit in SI, for a number that has been read already. */
FENDER_API fender_status fender_unit_to_si(double value, const char *unit, const char *si_unit, double *in_si,
                                           fender_error *error);

/* The units of the table that have the dimension of si_unit, joined by spaces, best known first: "m mm cm km in ft".
 * Also says what the dimension is called ("length"; the SI unit itself when it has no name). */
FENDER_API void fender_unit_alternatives(const char *si_unit, char *text, size_t size);
FENDER_API const char *fender_unit_dimension_name(const fender_unit *unit);

/* Enumerates the table for `fender info units`: false when index is past the end. */
typedef struct fender_unit_entry {
    const char *name, *dimension, *doc;
    double scale;
    bool takes_prefix;
} fender_unit_entry;
FENDER_API bool fender_unit_table(int index, fender_unit_entry *entry);

#endif
