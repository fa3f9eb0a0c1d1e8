/* fender/comparison.h - two recordings compared channel by channel, on the times of the first. Library fender_io. */
#ifndef FENDER_COMPARISON_H
#define FENDER_COMPARISON_H

#include "recording.h"

/* "VALUE" or "PATTERN=VALUE", as it was written. A later one that fits overrules an earlier one. */
typedef struct fender_tolerance {
    const char *text;
    bool relative; /* to the largest magnitude that A has in the channel; else in the unit of A */
} fender_tolerance;

typedef struct fender_comparison_def {
    const fender_recording *a, *b;
    const char *const *channels; /* patterns of names in A; none: all */
    int channel_count;
    const char *const *maps; /* "PATTERN_A=PATTERN_B": what a channel of A is called in B; stars stand for the same */
    int map_count;
    const fender_tolerance *tolerances; /* without any: both must be equal */
    int tolerance_count;
    double from, until; /* times of A; infinite: all */
    bool exact;         /* only rows of the same time, and every row of A and B needs its partner */
    bool all;           /* a channel of one recording alone is a difference */
} fender_comparison_def;

typedef struct fender_compared_channel {
    const fender_recording_channel *a, *b;
    double factor, offset;   /* value of B in A's unit: factor * value + offset */
    double time_factor;      /* time of B in the unit of A's */
    size_t rows;             /* compared */
    size_t alone_a, alone_b; /* rows without partner: times that B does not cover; in B with `exact` only */
    double largest, time;    /* |B - A|, in A's unit, and where; infinite where one alone is finite */
    double value_a, value_b; /* there */
    double rms;
    double allowed; /* absolute tolerance + relative one * largest |A| */
    bool same;
} fender_compared_channel;

typedef struct fender_comparison {
    fender_compared_channel *items; /* in A's order */
    int count, different;
    const char **only_a, **only_b; /* names without partner, among those that were asked for */
    int only_a_count, only_b_count;
    bool same;                /* no item differs, nor with `all` anything is alone */
    struct fnd_arena *memory; /* private */
} fender_comparison;

/* NAME: nothing in common, or a channel that was named is missing. UNIT: a channel has different dimensions in A and B,
 * both named. VALUE: times that go back, or a tolerance that is none. Close also after a failure. */
FENDER_API fender_status fender_compare(fender_comparison *result, const fender_env *env,
                                        const fender_comparison_def *def, fender_error *error);
FENDER_API void fender_comparison_close(fender_comparison *result);

#endif
