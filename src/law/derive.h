/* Rows of derivations that several laws have: parameters that follow from what is wanted of a contact. */
#ifndef FND_LAW_DERIVE_H
#define FND_LAW_DERIVE_H

#include <fender/sizing.h>

/* ---- Linear springs */

double fnd_derive_sink(const void *parameters, const fender_sizing_spec *spec);
double fnd_derive_hertz_load(const void *parameters, const fender_sizing_spec *spec);
double fnd_derive_hertz_impact(const void *parameters, const fender_sizing_spec *spec);
/* Damping by a part of the critical one; the stiffness is the first member of the parameters. */
double fnd_derive_ratio(const void *parameters, const fender_sizing_spec *spec);
/* Damping by a restitution. */
double fnd_derive_restitution(double stiffness, const fender_sizing_spec *spec, bool clipped);

/* The rows of a linear stiffness, and of a damping beside it. */
#define FND_DERIVATIONS_OF_STIFFNESS                                                                                   \
    {"stiffness", "sink weight", "k = weight / sink", fnd_derive_sink},                                                \
        {"stiffness", "modulus radius weight", "same depth as Hertz contact under the weight", fnd_derive_hertz_load}, \
    {                                                                                                                  \
        "stiffness", "modulus radius mass speed", "same impact depth as Hertz contact", fnd_derive_hertz_impact        \
    }
#define FND_DERIVATION_OF_RATIO                                               \
    {                                                                         \
        "damping", "ratio mass", "c = 2 ratio sqrt(mass k)", fnd_derive_ratio \
    }
#define FND_END_OF_DERIVATIONS \
    {                          \
        NULL, NULL, NULL, NULL \
    }

/* ---- Any law, by following its own impact */

/* Restitution of the specification's impact with the parameter `damping` at 0: the largest possible one. NaN if there
 * is none, or the law needs a radius that neither parameters nor specification have. */
double fnd_rebound_without(const fender_law *law, const void *parameters, const char *damping,
                           const fender_sizing_spec *spec);

/* A row of a law's table, and the function that it names: the damping of fnd_law_`law` by its own impact. Round: the
 * law takes a radius from shapes, which a sizing specification does not know. */
#define FND_DERIVE_BY_REBOUND(law, damping)                                                            \
    static double law##_##damping##_of_rebound(const void *parameters, const fender_sizing_spec *spec) \
    {                                                                                                  \
        return fender_law_damping_of_rebound(&fnd_law_##law, parameters, #damping, spec);              \
    }
#define FND_REBOUND "an impact of that speed gives back that part of it"
#define FND_DERIVATION_BY_REBOUND(law, damping)                                       \
    {                                                                                 \
#damping, "restitution mass speed", FND_REBOUND, law##_##damping##_of_rebound \
    }
#define FND_DERIVATION_BY_REBOUND_OF_ROUND(law, damping)                                                           \
    {                                                                                                              \
#damping, "restitution mass speed radius?", FND_REBOUND ", with that radius", law##_##damping##_of_rebound \
    }

#endif
