/* The built-in laws: what the registry lists, and what the batched evaluation of contacts (contact/model.c) asks of two
 * of them. */
#ifndef FND_LAW_LAWS_H
#define FND_LAW_LAWS_H

#include <fender/laws.h>

extern const fender_law fnd_law_spring_damper;
extern const fender_law fnd_law_jeod_spring;
extern const fender_law fnd_law_coulomb;
extern const fender_law fnd_law_coulomb_static_kinetic;
extern const fender_law fnd_law_smooth_spring_damper;
extern const fender_law fnd_law_smooth_stick_slip;
extern const fender_law fnd_law_hunt_crossley;
extern const fender_law fnd_law_impact;
extern const fender_law fnd_law_hertz;
extern const fender_law fnd_law_elastic_plastic;
extern const fender_law fnd_law_soil;
extern const fender_law fnd_law_janosi;
extern const fender_law fnd_law_jkr;
extern const fender_law fnd_law_dmt;
extern const fender_law fnd_law_adhesion;
extern const fender_law fnd_law_pull_off_spring;
extern const fender_law fnd_law_default_contact;
extern const fender_law fnd_law_spring_contact;
extern const fender_law fnd_law_stribeck;
extern const fender_law fnd_law_dahl;
extern const fender_law fnd_law_lugre;
extern const fender_law fnd_law_cundall_strack;
extern const fender_law fnd_law_mindlin;
extern const fender_law fnd_law_anisotropic;
extern const fender_law fnd_law_claw;
extern const fender_law fnd_law_rolling_resistance;
extern const fender_law fnd_law_rolling_stick;
extern const fender_law fnd_law_torsional;
extern const fender_law fnd_law_torsional_stick;
extern const fender_law fnd_law_capture;
extern const fender_law fnd_law_input;
extern const fender_law fnd_law_none;

/* Spring, damper and smooth friction as plain numbers, for code that computes many contacts at once. */
typedef struct fnd_linear_push {
    double stiffness, damping, mu, slip_speed;
} fnd_linear_push;
/* False: these parameters of spring_damper pull. */
bool fnd_spring_damper_numbers(const void *parameters, fnd_linear_push *push);
/* mu and slip_speed of coulomb. */
void fnd_coulomb_numbers(const void *parameters, fnd_linear_push *push);

#endif
