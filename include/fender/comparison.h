/* fender/comparison.h - comparison of two recordings channel by channel, at the times of the first. Library fender_io.
 */
#ifndef FENDER_COMPARISON_H
#define FENDER_COMPARISON_H

#include "recording.h"

/* A tolerance as text: "VALUE" or "PATTERN=VALUE". The last one that matches a channel applies. */
typedef struct fender_tolerance {
    const char *text;
    bool relative; /* relative to the largest magnitude of the channel in A; else absolute, in the unit of A */
} fender_tolerance;

typedef struct fender_comparison_def {
    const fender_recording *a, *b;
    const char *const *channels; /* patterns of names in A; none: all */
    int channel_count;
    const char *const
        *maps; /* "PATTERN_A=PATTERN_B": name in B of a channel of A; * stands for the same text in both */
    int map_count;
    const char *names; /* "jeod": channels of one recording that have JEOD's names are those of fender_alias_at in the
                          other; NULL: as they are named. Maps and equal names go before */
    const fender_tolerance *tolerances; /* none: values must be equal */
    int tolerance_count;
    double from, until; /* range of times of A; infinite: all */
    bool exact;         /* compare only rows with equal times; every row of A and B needs a counterpart. So do rows of
                           two contacts of divided lists, always: fender_recording_split_contacts */
    bool all;           /* channels in only one recording count as differences. A contact in only one of two lists does
                           always */
} fender_comparison_def;

/* A variable of another program, behind the name of its vehicle, and the field of a body, behind bodies.NAME; i and j
 * stand for components: [i] for 0, 1, 2, .i for x, y, z. */
typedef struct fender_alias {
    const char *variable, *channel;
    double factor; /* value of the channel times this: that of the variable */
} fender_alias;
/* The names of a program, in order; NULL past the end, and for a program without. Known: "jeod". */
FENDER_API const fender_alias *fender_alias_at(const char *program, int index);

typedef struct fender_compared_channel {
    const fender_recording_channel *a, *b;
    double factor, offset; /* value of B in the unit (and of another program, the sign) of A: factor * value + offset */
    double time_factor;    /* factor of times of B to the unit of A */
    size_t rows;           /* number of compared rows */
    size_t alone_a, alone_b; /* rows of A outside the times of B; with `exact`, rows without counterpart */
    double largest, time;    /* largest |B - A| in the unit of A, and its time; infinite if only one is finite */
    double value_a, value_b; /* values at that time, in the unit of A */
    double rms;              /* of B - A */
    double allowed;          /* absolute tolerance + relative tolerance * largest |A| */
    bool same;
} fender_compared_channel;

typedef struct fender_comparison {
    fender_compared_channel *items; /* in the order of A */
    int count, different;
    const char **only_a, **only_b; /* selected channels in only one recording */
    int only_a_count, only_b_count;
    bool same;                /* no item differs, no contact is in only one list and, with `all`, no channel in only one
                                 recording */
    struct fnd_arena *memory; /* private */
} fender_comparison;

/* Compares two recordings. NAME: no common channel (unless their lists have other contacts), or a selected channel is
 * missing. UNIT: a channel has different dimensions in A and B. VALUE: times decrease, or a tolerance is invalid. Close
 * *result even after a failure. */
FENDER_API fender_status fender_compare(fender_comparison *result, const fender_env *env,
                                        const fender_comparison_def *def, fender_error *error);
FENDER_API void fender_comparison_close(fender_comparison *result);

#endif
