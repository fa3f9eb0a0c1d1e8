/* Two recordings compared channel by channel, on the times of the first. */
#ifndef FND_SERIES_COMPARE_H
#define FND_SERIES_COMPARE_H

#include "series/series.h"

/* "VALUE" or "PATTERN=VALUE", as it was written. A later one that fits overrules an earlier one. */
typedef struct fnd_tolerance {
    const char *text;
    bool relative; /* to the largest magnitude that A has in the channel; else in the unit of A */
} fnd_tolerance;

typedef struct fnd_compare_def {
    const fnd_recorded *a, *b;
    const char *const *channels; /* patterns of names in A; none: all */
    int channel_count;
    const char *const *maps; /* "PATTERN_A=PATTERN_B": what a channel of A is called in B; stars stand for the same */
    int map_count;
    const fnd_tolerance *tolerances; /* without any: both must be equal */
    int tolerance_count;
    double from, until; /* times of A; infinite: all */
    bool exact;         /* only rows of the same time, and every row of A and B needs its partner */
    bool all;           /* a channel of one recording alone is a difference */
} fnd_compare_def;

typedef struct fnd_comparison {
    const fnd_series_channel *a, *b;
    double factor, offset;   /* value of B in A's unit: factor * value + offset */
    double time_factor;      /* time of B in the unit of A's */
    size_t rows;             /* compared */
    size_t alone_a, alone_b; /* rows without partner: times that B does not cover; in B with `exact` only */
    double largest, time;    /* |B - A|, in A's unit, and where; infinite where one alone is finite */
    double value_a, value_b; /* there */
    double rms;
    double allowed; /* absolute tolerance + relative one * largest |A| */
    bool same;
} fnd_comparison;

typedef struct fnd_comparisons {
    fnd_arena arena;
    fnd_comparison *items; /* in A's order */
    int count, different;
    const char **only_a, **only_b; /* names without partner, among those that were asked for */
    int only_a_count, only_b_count;
    bool same; /* no item differs, nor with `all` anything is alone */
} fnd_comparisons;

/* NAME: nothing in common, or a channel that was named is missing. UNIT: a channel has different dimensions in A and B,
 * both named. VALUE: times that go back, or a tolerance that is none. Close also after a failure. */
fender_status fnd_compare(fnd_comparisons *result, const fender_allocator *allocator, const fnd_compare_def *def,
                          fender_error *error);
void fnd_compare_close(fnd_comparisons *result);

/* ---- its parts, for tests */

/* What `name` is called by a map; false when the map's left side does not fit it, or the text does not. */
bool fnd_map_name(const char *map, const char *name, char *to, size_t size);
/* Value of the column at `time`, that of the k-th row of that very time, else between its neighbours; false outside. */
bool fnd_series_value_at(const double *times, const double *values, size_t count, double slop, double time, size_t k,
                         bool between, size_t *cursor, double *value);

#endif
