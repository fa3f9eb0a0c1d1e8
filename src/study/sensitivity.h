/* Sensitivities out of designs made for them: Sobol's indices, Morris' effects. */
#ifndef FND_STUDY_SENSITIVITY_H
#define FND_STUDY_SENSITIVITY_H

#include "study/statistics.h"
#include "study/store.h"

/* Indices of one variable: `a`, `b`: values of the two samples, `ab`: of the first with that variable of the second. */
fnd_estimate fnd_first_index(const double *a, const double *b, const double *ab, int64_t count, double confidence);
fnd_estimate fnd_total_index(const double *a, const double *ab, int64_t count, double confidence);

typedef struct fnd_morris_effect {
    fnd_estimate mean, size, deviation; /* mu, mu*, sigma of the elementary effects */
} fnd_morris_effect;
fnd_morris_effect fnd_morris(const double *effects, int64_t count, double confidence, double *room);

/* What the design of a store allows. */
typedef struct fnd_store_design {
    bool is_indices, is_morris;
    bool is_grid; /* its runs are no sample: no probabilities, no intervals */
    bool is_list; /* neither are these: whoever wrote them chose them; is_grid holds, too */
    int64_t count, levels, variables;
    uint64_t seed;
} fnd_store_design;
fnd_store_design fnd_store_design_of(const fnd_results *results);
/* Does the run belong to a sample of the varied values? */
bool fnd_store_is_sampled(const fnd_store_design *design, int64_t run);

typedef struct fnd_sensitivity {
    char name[80];             /* of the variable */
    int64_t count;             /* blocks or trajectories in which all its values are there */
    fnd_estimate first, total; /* SOBOL_INDICES */
    fnd_morris_effect effect;  /* MORRIS: of the variable's whole range */
} fnd_sensitivity;
/* Of a kept value or an outcome (1 or 0; failed runs: 0) to variable i of the design. `room`: 3 design->count numbers.
 */
fnd_sensitivity fnd_sensitivity_of(const fnd_results *results, const fnd_store_design *design, int column, int64_t i,
                                   double confidence, double *room);

#endif
