/* What a sequence of values at refined steps tells: observed order, extrapolated limit, error bars. */
#ifndef FND_APP_REFINEMENT_H
#define FND_APP_REFINEMENT_H

enum { FND_REFINEMENT_LEVELS = 10, FND_REFINEMENT_COMPONENTS = 3 };

typedef enum fnd_refinement_kind {
    FND_REFINEMENT_NONE,       /* fewer than two values: nothing is known */
    FND_REFINEMENT_SAME,       /* the same value at every level */
    FND_REFINEMENT_ASYMPTOTIC, /* v + a h^p fits: extrapolated */
    FND_REFINEMENT_ROUNDING, /* the last difference is that of rounding, which the order allows: no order to be seen */
    FND_REFINEMENT_DOUBTFUL  /* too few values, signs that change, or an order that cannot be */
} fnd_refinement_kind;

/* Of a sequence: coarsest level first, each finer than the one before by `ratio`. */
typedef struct fnd_sequence {
    double values[FND_REFINEMENT_LEVELS][FND_REFINEMENT_COMPONENTS]; /* NaN: this level has none */
    int levels, components;
    double ratio, least_order, most_order; /* an order outside of these is not believed */
    double scale; /* what differences are compared with, to know rounding, where the values are smaller; 0: nothing */
    double
        grain; /* what the coarsest level can tell apart, finer levels in proportion; 0: anything. No bar is below it */
} fnd_sequence;

typedef struct fnd_refinement {
    fnd_refinement_kind kind;
    int first, last; /* levels that were used: the finest that have a value without a gap; -1: none */
    double order;    /* of the three finest values; NaN when it cannot be told */
    double limit[FND_REFINEMENT_COMPONENTS]; /* extrapolated when ASYMPTOTIC, else the finest value */
    /* ASYMPTOTIC: distance from the limit. Else the largest difference from this level on (of the three finest at
     * least when DOUBTFUL; not below rounding). NaN: not known. */
    double bars[FND_REFINEMENT_LEVELS];
} fnd_refinement;

fnd_refinement fnd_refine(const fnd_sequence *sequence);
/* Distance of the values of two levels. */
double fnd_sequence_difference(const fnd_sequence *sequence, int one, int other);
/* The largest value, or the scale when that is larger. */
double fnd_sequence_size(const fnd_sequence *sequence);

#endif
