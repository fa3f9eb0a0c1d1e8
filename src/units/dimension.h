/* Dimensions: their names, the units people use for them, and which of them agree. */
#ifndef FND_UNITS_DIMENSION_H
#define FND_UNITS_DIMENSION_H

#include <fender/units.h>

/* "length", "torque or energy", ...; NULL when the dimension has no name. */
const char *fnd_dimension_name(const int32_t exponent[FENDER_DIMENSION_COUNT]);
/* The usual units of it, separated by spaces; NULL when there is no list. */
const char *fnd_dimension_units(const int32_t exponent[FENDER_DIMENSION_COUNT]);
/* The SI unit: "kg/(m*s^2)", "1". */
void fnd_dimension_text(const int32_t exponent[FENDER_DIMENSION_COUNT], char *text, size_t size);
/* With its article: "a length", "an angle", "a quantity in kg*m^7". */
void fnd_dimension_phrase(const int32_t exponent[FENDER_DIMENSION_COUNT], char *text, size_t size);

typedef enum fnd_agreement {
    FND_AGREE,       /* equal, or rad left out of a rate or a moment */
    FND_AGREE_ANGLE, /* only the radian differs, and it matters: angle and number, N/m and N/rad */
    FND_DISAGREE
} fnd_agreement;
fnd_agreement fnd_dimension_compare(const int32_t a[FENDER_DIMENSION_COUNT], const int32_t b[FENDER_DIMENSION_COUNT]);

#endif
