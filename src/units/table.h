/* The units that Fender knows, each an exact factor with its source; factors to about 30 digits. */
#ifndef FND_UNITS_TABLE_H
#define FND_UNITS_TABLE_H

#include <fender/units.h>

/* The sum of both; |low| is at most half a unit in the last place of high. */
typedef struct fnd_scale {
    double high, low;
} fnd_scale;

fnd_scale fnd_scale_from(double value);
fnd_scale fnd_scale_product(fnd_scale a, fnd_scale b);
fnd_scale fnd_scale_quotient(fnd_scale a, fnd_scale b);
/* a^(numerator/denominator), a > 0, denominator 1 to 60. */
fnd_scale fnd_scale_power(fnd_scale a, int numerator, int denominator);

/* ---- The units that Fender knows, each an exact factor with its source. */

#define FND_UNIT_NAME_SIZE 24

typedef enum fnd_unit_prefixes {
    FND_PREFIX_NONE,
    FND_PREFIX_SYMBOL, /* k, m, ... */
    FND_PREFIX_WORD    /* kilo, milli, ... */
} fnd_unit_prefixes;

/* One unit: numerator/denominator * 10^ten * pi^pi in SI; all parts exact. */
typedef struct fnd_unit_row {
    const char *name, *doc;
    double numerator, denominator;
    int ten, pi;
    double offset;                                /* in hundredths of the unit, exact */
    signed char exponent[FENDER_DIMENSION_COUNT]; /* whole numbers */
    fnd_unit_prefixes prefixes;
    bool cycles;       /* counts cycles: no measure of an angular velocity */
    const char *alias; /* other spellings, separated by spaces; NULL when there are none */
} fnd_unit_row;

/* A spelling that means different things to different people. */
typedef struct fnd_unit_trap {
    const char *name, *meanings, *remedy;
} fnd_unit_trap;

int fnd_unit_row_count(void);
const fnd_unit_row *fnd_unit_row_at(int index);
fnd_scale fnd_unit_row_scale(const fnd_unit_row *row);

typedef struct fnd_unit_match {
    const fnd_unit_row *row; /* NULL: unknown */
    int ten;                 /* of the prefix */
    const fnd_unit_trap *trap;
} fnd_unit_match;

/* Looks a name up: table, other spellings, traps, then prefixes. */
fnd_unit_match fnd_unit_find(const char *name, size_t length);

/* A remedy for an unknown name: "did you mean 'lbf'?", "did you mean 'N*m'?", or a hint where to look. */
void fnd_unit_suggest(const char *name, size_t length, char *text, size_t size);

#endif
