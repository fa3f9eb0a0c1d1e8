/* Friction without memory: what laws of other families take from it. */
#ifndef FND_LAW_FRICTION_SMOOTH_H
#define FND_LAW_FRICTION_SMOOTH_H

#include <fender/law.h>

/* Kinetic Coulomb friction, smooth through zero slip: f = -mu |N| s / sqrt(s^2 + s_0^2). Adds the force to out and the
 * power lost. */
void fnd_coulomb_friction(double mu, double slip_speed, double normal_force, const fender_contact_input *in,
                          fender_contact_output *out);

/* Its derivatives by slip and normal force, added to those in `by`. */
void fnd_coulomb_derivative(double mu, double slip_speed, double normal_force, const fender_contact_input *in,
                            fender_contact_derivative *by);

/* Stribeck curve: mu_kinetic + (mu_static - mu_kinetic) exp(-(v / stribeck_speed)^2). */
double fnd_stribeck(double mu_static, double mu_kinetic, double stribeck_speed, double speed);

/* VALUE where mu_kinetic is above mu_static: a law that strengthens as it slides has no Stribeck curve. */
fender_status fnd_check_coefficients(double mu_static, double mu_kinetic, fender_error *error);

#endif
