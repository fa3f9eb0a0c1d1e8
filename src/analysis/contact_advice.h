/* What the advice on one pair and that on all pairs of a world compute alike. */
#ifndef FND_ANALYSIS_CONTACT_ADVICE_H
#define FND_ANALYSIS_CONTACT_ADVICE_H

#include <fender/advice.h>

/* 1/kg; of all that is moved together with the body; 0: forces do not move it. */
double fnd_inverse_mass(const fender_world *world, fender_body_id body);
/* Load [N] of a pair, as of fender_contact_load: its weight, or the force of an impact. `between` [m] and `velocity`
 * [m/s] are those of the second body less those of the first. */
double fnd_pair_load(double weight, fender_vec3 between, fender_vec3 velocity, double reduced_mass, double stiffness);
/* m/s^2; of uniform or central gravity */
fender_vec3 fnd_gravity_at(const fender_world *world, fender_vec3 position);
/* As fender_advise_step, at that depth [m]. `stiffness` [N/m]: of the contact, whose points and curvature the law alone
 * does not know; 0: that of the law. The damping goes with it. */
fender_step_advice fnd_advise_step_at(const fender_contact_type_def *type, double mass, fender_integrator_method method,
                                      double depth, double stiffness);
/* Depth [m] and stiffness [N/m], of the pair or of its face in full contact, whichever is stiffer, in what the pair is
 * about to do: under its weight or at its initial speed, as of fender_advise_pair, or after its fall, which counts to a
 * depth of 1 mm: who knows whether it falls. False: not known. */
bool fnd_advise_touch(const fender_world *world, fender_shape_id a, fender_shape_id b,
                      const fender_contact_type_def *type, double *depth, double *stiffness);
/* m/s; slip of the nearest points of a pair that touches, approaches or falls; 0: none, or not known. */
double fnd_sliding_speed(const fender_world *world, fender_shape_id a, fender_shape_id b);
/* s; friction whose deflection decays by sliding follows it below this step; INFINITY: it has no such deflection. */
double fnd_sliding_step(const fender_contact_type_def *type, double speed, fender_integrator_method method);
/* As fender_world_advise, without the steps at rest: these are searched for by some thousand steps. */
fender_status fnd_world_advise_briefly(const fender_world *world, const fender_env *env, fender_world_advice *advice);

#endif
