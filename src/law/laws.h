/* The built-in laws: what the registry lists, and what the batched evaluation of contacts (contact/model.c) asks of two
 * of them. */
#ifndef FND_LAW_LAWS_H
#define FND_LAW_LAWS_H

#include <fender/laws.h>

/* All of them, in the order of `fender info laws`. A law is `const fender_law fnd_law_NAME` in the file of its
 * family. */
/* clang-format off */
#define FND_BUILT_IN_LAWS(X) \
    X(spring_damper) X(jeod_spring) X(coulomb) X(coulomb_static_kinetic) X(smooth_spring_damper) \
    X(smooth_stick_slip) X(hunt_crossley) X(impact) X(hertz) X(elastic_plastic) X(soil) X(janosi) X(jkr) X(dmt) \
    X(adhesion) X(pull_off_spring) X(default_contact) X(spring_contact) X(stribeck) X(dahl) X(lugre) \
    X(cundall_strack) X(mindlin) X(anisotropic) X(claw) X(rolling_resistance) X(rolling_stick) X(torsional) \
    X(torsional_stick) X(capture) X(input) X(expression) X(friction_expression) X(none)
/* clang-format on */
#define FND_DECLARE_LAW(name) extern const fender_law fnd_law_##name;
FND_BUILT_IN_LAWS(FND_DECLARE_LAW)

/* Spring, damper and smooth friction as plain numbers, for code that computes many contacts at once. */
typedef struct fnd_linear_push {
    double stiffness, damping, mu, slip_speed;
} fnd_linear_push;
/* False: these parameters of spring_damper pull. */
bool fnd_spring_damper_numbers(const void *parameters, fnd_linear_push *push);
/* mu and slip_speed of coulomb. */
void fnd_coulomb_numbers(const void *parameters, fnd_linear_push *push);
/* With located events: does the clip of spring_damper hold the force at zero, from its memory? */
bool fnd_spring_damper_is_slack(const void *memory);

#endif
