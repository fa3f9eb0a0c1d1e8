/* Estimates with their intervals. */
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
/* Spearman's rank correlation, ties at their mean rank; Fisher's transform for the interval. `room`: 2 count numbers,
 * `order`: count. */
fnd_estimate fnd_rank_correlation(const double *a, const double *b, int64_t count, double confidence, double *room,
                                  int64_t *order, int64_t *spare);
void fnd_sort_indices(const double *values, int64_t *order, int64_t *spare, int64_t count);

#endif
