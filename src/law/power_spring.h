/* What the laws of a spring k d^n with a damper that grows with the depth have in common. */
#ifndef FND_LAW_POWER_SPRING_H
#define FND_LAW_POWER_SPRING_H

#include "law/derive.h"
#include "law/laws.h"
#include "math/elementary.h"

/* The first members of the parameters of such a law. */
typedef struct fnd_power_spring {
    double stiffness, exponent;
} fnd_power_spring;

/* N = k d^n (1 + D d'), held at zero where that is negative: with located events a mode. */
typedef struct fnd_power_spring_memory {
    int slack;
} fnd_power_spring_memory;

#define FND_POWER_SPRING_FIELDS(type)                                                                     \
    {"stiffness",                                                                                         \
     "N/m^{exponent}",                                                                                    \
     "Spring constant k.",                                                                                \
     FENDER_FIELD_REAL,                                                                                   \
     offsetof(type, spring.stiffness),                                                                    \
     FENDER_FIELD_REQUIRED,                                                                               \
     0,                                                                                                   \
     INFINITY,                                                                                            \
     0,                                                                                                   \
     NULL},                                                                                               \
    {                                                                                                     \
        "exponent", "1", "Exponent n of the depth: 1.5 for round bodies (Hertz), 1 for a linear spring.", \
            FENDER_FIELD_REAL, offsetof(type, spring.exponent), 0, 1, 10, 1.5, NULL                       \
    }

static inline double fnd_power_spring_elastic(const fnd_power_spring *p, double depth)
{
    if (!(depth > 0)) return 0;
    if (p->exponent == 1.5) return p->stiffness * depth * sqrt(depth);
    return p->stiffness * fnd_power(depth, p->exponent);
}

/* The sign of the force without the clip is that of 1 + D d'. */
static inline void fnd_power_spring_force(const fnd_power_spring *p, double dissipation, const fender_contact_input *in,
                                          const void *memory, fender_contact_output *out)
{
    const fnd_power_spring_memory *m = memory;
    double spring = fnd_power_spring_elastic(p, in->depth), factor = 1 + dissipation * in->depth_rate;
    double normal = (in->located ? m->slack != 0 : factor < 0) ? 0 : spring * factor;
    out->force.z = normal;
    out->damping_power = (normal - spring) * in->depth_rate; /* clipped, the spring gives its energy to the damper */
}

static inline void fnd_power_spring_roots(double dissipation, const fender_contact_input *in, const void *memory,
                                          double *root)
{
    const fnd_power_spring_memory *m = memory;
    double factor = 1 + dissipation * in->depth_rate;
    root[0] = m->slack ? -factor : factor;
}

static inline void fnd_power_spring_update(double dissipation, const fender_contact_input *in, void *memory)
{
    fnd_power_spring_memory *m = memory;
    m->slack = in->located && 1 + dissipation * in->depth_rate < 0;
}

static inline double fnd_power_spring_energy(const fnd_power_spring *p, double depth)
{
    return depth > 0 ? fnd_power_spring_elastic(p, depth) * depth / (p->exponent + 1) : 0;
}

/* Slopes of the force by depth and rate. */
static inline void fnd_power_spring_stiffness(const fnd_power_spring *p, double dissipation,
                                              const fender_contact_input *in, fender_law_stiffness *out)
{
    double spring = fnd_power_spring_elastic(p, in->depth);
    out->normal_stiffness = in->depth > 0 ? p->exponent * spring / in->depth : p->exponent > 1 ? 0 : p->stiffness;
    out->normal_damping = dissipation * spring;
}

/* How laws derive the stiffness of such a spring. */
static inline double fnd_power_spring_of_sink(const void *parameters, const fender_intent *intent)
{
    const fnd_power_spring *p = parameters;
    return intent->weight / fnd_power(intent->sink, p->exponent);
}

static inline double fnd_power_spring_of_hertz(const void *parameters, const fender_intent *intent)
{
    const fnd_power_spring *p = parameters;
    return p->exponent == 1.5 ? fender_hertz_stiffness(intent->modulus, intent->radius) : NAN;
}

#define FND_DERIVATIONS_OF_POWER_SPRING                                                                              \
    {"stiffness", "sink weight", "k = weight / sink^exponent", fnd_power_spring_of_sink},                            \
    {                                                                                                                \
        "stiffness", "modulus radius", "Hertz: k = 4/3 E* sqrt(R), with the exponent 1.5", fnd_power_spring_of_hertz \
    }

#endif
