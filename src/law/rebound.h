/* Restitution of any law, by following its own impact: what laws and messages share. */
#ifndef FND_LAW_REBOUND_H
#define FND_LAW_REBOUND_H

#include <fender/sizing.h>

/* Restitution of the intent's impact with the parameter `damping` at 0: the most that may be wanted. NaN where there is
 * none, or the law needs a radius that neither parameters nor intent have. */
double fnd_rebound_without(const fender_law *law, const void *parameters, const char *damping,
                           const fender_intent *intent);

/* A row of a law's table, and the function that it names: `law_object`'s damping by its own impact. Round: the law
 * takes a radius from shapes, which an intent knows not. */
#define FND_DERIVE_BY_REBOUND(law_object, damping)                                          \
    static double damping##_of_rebound(const void *parameters, const fender_intent *intent) \
    {                                                                                       \
        return fender_law_damping_of_rebound(&(law_object), parameters, #damping, intent);  \
    }
#define FND_REBOUND "an impact of that speed gives back that part of it"
#define FND_DERIVATION_BY_REBOUND(damping)                                    \
    {                                                                         \
#damping, "restitution mass speed", FND_REBOUND, damping##_of_rebound \
    }
#define FND_DERIVATION_BY_REBOUND_OF_ROUND(damping)                                                        \
    {                                                                                                      \
#damping, "restitution mass speed radius?", FND_REBOUND ", with that radius", damping##_of_rebound \
    }

#endif
