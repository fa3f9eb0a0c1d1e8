/* What the contacts of a pair that touches as a whole come to in a step: the record of the pair is their sum. */
#ifndef FND_CONTACT_PAIR_SUM_H
#define FND_CONTACT_PAIR_SUM_H

#include "contact/contact_set.h"

typedef struct fnd_pair_sum {
    uint32_t a, b;
    double impulse, damping_loss, friction_loss, work; /* of the step */
    fender_vec3 force_impulse;
    double stored, stored_at_start; /* J; now; change of what is counted as there from the start */
    double force, depth;            /* N, m; normal forces together, deepest, at the accepted state */
} fnd_pair_sum;

/* One contact more; a new pair begins a new sum. `before` NULL: it is new. `now` NULL: it is gone. */
void fnd_pair_sum_add(fnd_pair_sum *sum, const fnd_record *record, const fnd_record *before, const fnd_contact *now);
/* Books a step of the pair. */
void fnd_pair_sum_book(const fnd_pair_sum *sum, double time, fnd_record *pair);

#endif
