/* Rows of derivations that laws with a linear spring have in common. */
#ifndef FND_LAW_DERIVE_H
#define FND_LAW_DERIVE_H

#include <fender/sizing.h>

double fnd_derive_sink(const void *parameters, const fender_intent *intent);
double fnd_derive_hertz_load(const void *parameters, const fender_intent *intent);
double fnd_derive_hertz_impact(const void *parameters, const fender_intent *intent);
/* Damping of a linear spring. */
double fnd_derive_restitution(double stiffness, const fender_intent *intent, bool clipped);

/* The rows of a linear stiffness. */
#define FND_DERIVATIONS_OF_STIFFNESS                                                                           \
    {"stiffness", "sink weight", "k = weight / sink", fnd_derive_sink},                                        \
        {"stiffness", "modulus radius weight", "sinks as deep as Hertz's contact under the weight",            \
         fnd_derive_hertz_load},                                                                               \
    {                                                                                                          \
        "stiffness", "modulus radius mass speed", "an impact goes as deep as Hertz's", fnd_derive_hertz_impact \
    }

#endif
