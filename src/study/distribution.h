/* Distributions by their quantiles, from arithmetic and square roots alone: the same bits on every machine. */
#ifndef FND_STUDY_DISTRIBUTION_H
#define FND_STUDY_DISTRIBUTION_H

#include "support/random.h"
#include <stdbool.h>

typedef enum fnd_distribution_kind {
    FND_UNIFORM,    /* p: from, to */
    FND_NORMAL,     /* mean, deviation */
    FND_LOGNORMAL,  /* median, deviation of the logarithm */
    FND_TRIANGULAR, /* from, peak, to */
    FND_BETA,       /* from, to, alpha, beta */
    FND_WEIBULL,    /* scale, shape */
    FND_DISCRETE,   /* values with cumulative weights; the quantile is the index */
    FND_TABLE,      /* values with cumulative probability, straight between them */
    FND_ATTITUDE,   /* uniform on rotations */
    FND_CONE,       /* cosine of the half angle: axes within it, uniform on the cap */
    FND_DIRECTION   /* the same; length: vectors of it */
} fnd_distribution_kind;

typedef struct fnd_distribution {
    fnd_distribution_kind kind;
    double p[4];
    int count; /* DISCRETE, TABLE */
    const double *values, *cumulative;
    bool truncated;
    double low, high;
} fnd_distribution;

/* u in [0, 1]; infinite at 0 or 1 where the distribution has no bound there. */
double fnd_quantile(const fnd_distribution *d, double u);
double fnd_probability_below(const fnd_distribution *d, double x);
/* Of the whole distribution, also far out where those below both are 1. */
double fnd_probability_between(const fnd_distribution *d, double low, double high);
/* Regularised incomplete beta function, and its inverse. */
double fnd_beta_probability(double a, double b, double x);
double fnd_beta_quantile(double a, double b, double u);

#endif
