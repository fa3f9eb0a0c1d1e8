/* A tangential spring that slides where it reaches mu N, as in discrete-element codes (Cundall and Strack 1979): shared
 * by `cundall_strack` and `mindlin`. */
#ifndef FND_LAW_HISTORY_SPRING_H
#define FND_LAW_HISTORY_SPRING_H

#include <fender/law.h>

typedef struct fnd_history_spring {
    double mu, stiffness, damping; /* 1, N/m, N s/m; at this depth */
    double store;                  /* N/m; of what is stored: the stiffness, or more where that changes at a commit */
    double growth;                 /* 1/s; relative rate of the store */
} fnd_history_spring;

enum { FND_HISTORY_SPRING_STATES = 2 };

void fnd_history_spring_force(const fnd_history_spring *p, const fender_contact_input *in, fender_contact_output *out);
void fnd_history_spring_rates(const fnd_history_spring *p, const fender_contact_input *in, double *rates);
void fnd_history_spring_update(const fnd_history_spring *p, const fender_contact_input *in,
                               fender_contact_change *change);
double fnd_history_spring_energy(const fnd_history_spring *p, const fender_contact_input *in);
fender_vec2 fnd_history_spring_stretch(const void *parameters, const fender_contact_input *in, const void *memory);

#endif
