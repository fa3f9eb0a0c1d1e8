/* A tangential spring that slides where it reaches mu N, as in discrete-element codes (Cundall and Strack 1979): shared
 * by `cundall_strack` and `mindlin`. */
#ifndef FND_LAW_HISTORY_SPRING_H
#define FND_LAW_HISTORY_SPRING_H

#include <fender/law.h>

/* What lasts while the stiffness changes. */
typedef enum fnd_history {
    FND_HISTORY_RESCALED,    /* the force as the spring stiffens, the stretch as it softens: makes no energy */
    FND_HISTORY_FORCE,       /* the force, both ways: f' = k v */
    FND_HISTORY_DISPLACEMENT /* the stretch, both ways: f = k s */
} fnd_history;

typedef struct fnd_history_spring {
    double mu, stiffness, damping; /* 1, N/m, N s/m; at this depth */
    double store;                  /* N/m; of what is stored: the stiffness, or more where that changes at a commit */
    double growth;                 /* 1/s; relative rate of the store */
    fnd_history history;
} fnd_history_spring;

typedef struct fnd_history_spring_memory {
    double depth; /* m; when last accepted; for laws that ask */
    /* with located events: the modes of sliding and of a damper that alone would take more than the limit; then how far
     * the limit would stretch the spring at accepted states, last first */
    int sliding, beyond, known;
    double time[3], level[3]; /* s, m */
} fnd_history_spring_memory;

/* The stretch, and the way slid since the last accepted state. */
enum { FND_HISTORY_SPRING_STATES = 3, FND_HISTORY_SPRING_ROOTS = 2 };

void fnd_history_spring_establish(const fnd_history_spring *p, const fender_contact_input *in,
                                  fnd_history_spring_memory *m);
void fnd_history_spring_force(const fnd_history_spring *p, const fender_contact_input *in,
                              const fnd_history_spring_memory *m, fender_contact_output *out);
void fnd_history_spring_rates(const fnd_history_spring *p, const fender_contact_input *in,
                              const fnd_history_spring_memory *m, double *rates);
void fnd_history_spring_roots(const fnd_history_spring *p, const fender_contact_input *in,
                              const fnd_history_spring_memory *m, double *root);
void fnd_history_spring_update(const fnd_history_spring *p, const fender_contact_input *in,
                               fnd_history_spring_memory *m, fender_contact_change *change);
double fnd_history_spring_energy(const fnd_history_spring *p, const fender_contact_input *in);
fender_vec2 fnd_history_spring_stretch(const void *parameters, const fender_contact_input *in, const void *memory);

#endif
