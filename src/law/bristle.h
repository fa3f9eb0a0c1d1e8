/* Bristles that bend like Dahl's, in the form whose time constant does not know the load: shared by `dahl` and `lugre`.
 */
#ifndef FND_LAW_BRISTLE_H
#define FND_LAW_BRISTLE_H

#include <fender/law.h>

typedef struct fnd_bristle {
    double mu_static, mu_kinetic; /* the second above 0 */
    double amplitude;             /* m; bend while sliding at mu_kinetic */
    double damping, viscous;      /* s/m; per normal force: of the bending, of the slip */
    double stribeck_speed;        /* m/s */
} fnd_bristle;

enum { FND_BRISTLE_STATES = 2 };

void fnd_bristle_force(const fnd_bristle *p, const fender_contact_input *in, fender_contact_output *out);
void fnd_bristle_rates(const fnd_bristle *p, const fender_contact_input *in, double *rates);
void fnd_bristle_update(const fnd_bristle *p, const fender_contact_input *in, fender_contact_change *change);
double fnd_bristle_energy(const fender_contact_input *in);
fender_vec2 fnd_bristle_bend(const fnd_bristle *p, const fender_contact_input *in);
void fnd_bristle_stiffness(const fnd_bristle *p, const fender_contact_input *in, fender_law_stiffness *out);

/* mu_kinetic + (mu_static - mu_kinetic) exp(-(v / stribeck_speed)^2) */
double fnd_stribeck(double mu_static, double mu_kinetic, double stribeck_speed, double speed);

#endif
