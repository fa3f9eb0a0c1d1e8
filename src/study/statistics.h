/* Estimates with their intervals; those of Sobol's and Morris' designs are in sensitivity.h. */
#ifndef FND_STUDY_STATISTICS_H
#define FND_STUDY_STATISTICS_H

#include <fender/base.h>

typedef struct fnd_estimate {
    double value, low, high; /* NaN: not to be had from so few */
} fnd_estimate;

/* Exact (Clopper and Pearson 1934): `hits` of `count`. */
fnd_estimate fnd_binomial(int64_t hits, int64_t count, double confidence);
/* Mean by Student's t. */
fnd_estimate fnd_mean(const double *values, int64_t count, double confidence);
/* A quantile of sorted values, between two of them (free of assumptions on the distribution). */
fnd_estimate fnd_sample_quantile(const double *sorted, int64_t count, double q, double confidence);
/* Tolerance limits (Wilks 1941): with this confidence, at least the share `content` of all lies between low and high
 * (sides 2), or above low, or below high (sides 1: each by itself). NaN: needs more values. */
fnd_estimate fnd_tolerance(const double *sorted, int64_t count, double content, double confidence, int sides);
/* The least number of values that have such limits. */
int64_t fnd_tolerance_runs(double content, double confidence, int sides);
/* Spearman's rank correlation, ties at their mean rank; Fisher's transform for the interval. `room`: 2 count numbers,
 * `order`: count. */
fnd_estimate fnd_rank_correlation(const double *a, const double *b, int64_t count, double confidence, double *room,
                                  int64_t *order, int64_t *spare);
void fnd_sort_indices(const double *values, int64_t *order, int64_t *spare, int64_t count);

#endif
