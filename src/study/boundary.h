/* Where the probability of an outcome crosses a value, as one variable goes from bound to bound. */
#ifndef FND_STUDY_BOUNDARY_H
#define FND_STUDY_BOUNDARY_H

#include "study/study.h"

/* `boundary` of a study file. */
typedef struct fnd_boundary {
    int variable, outcome;
    bool smallest;          /* the outcome gets more likely with the variable; else less */
    double from, to, width; /* of the variable; goes on until the interval is that wide */
    double probability, confidence;
    int64_t runs; /* at most, at a place */
} fnd_boundary;

enum { FND_BOUNDARY_PLACES = FENDER_BOUNDARY_PLACES };
typedef struct fnd_boundary_result {
    fender_boundary_place places[FND_BOUNDARY_PLACES]; /* in the order in which they were tried */
    int count;
    double low, high, estimate; /* low or high beyond the bounds: infinite */
    double level;               /* error of each one-sided interval */
    int64_t least;              /* runs without a miss that show the probability */
    bool crossed;               /* the verdicts are not in the order that the file states */
} fnd_boundary_result;

/* `hits`: of the first `runs` runs with the variable at x; runs of different places are independent. False: broken off.
 */
bool fnd_boundary_search(const fnd_boundary *boundary, bool (*hits)(void *ctx, double x, int64_t runs, int64_t *count),
                         void *ctx, fnd_boundary_result *result);

#endif
