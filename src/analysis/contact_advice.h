/* What the advice on one pair and that on all pairs of a world compute alike. */
#ifndef FND_ANALYSIS_CONTACT_ADVICE_H
#define FND_ANALYSIS_CONTACT_ADVICE_H

#include <fender/advice.h>

/* 1/kg; of all that is moved together with the body; 0: forces do not move it. */
double fnd_inverse_mass(const fender_world *world, fender_body_id body);
/* Load [N] of a pair, as of fender_contact_load: its weight, or the force of an impact. `between` [m] and `velocity`
 * [m/s] are those of the second body less those of the first. */
double fnd_pair_load(double weight, fender_vec3 between, fender_vec3 velocity, double reduced_mass, double stiffness);

#endif
