/* What laws of elastic bodies have in common: moduli of both, and the radius of the gap between them. */
#ifndef FND_LAW_HERTZ_H
#define FND_LAW_HERTZ_H

#include "law/derive.h"
#include "law/laws.h"

/* The first member of the parameters of such a law, by the name `bodies`. */
typedef struct fnd_hertz_bodies {
    double modulus, young, poisson, young_b, poisson_b, radius, largest_radius;
} fnd_hertz_bodies;

#define FND_HERTZ_FIELD(type, member, unit, doc, flags, minimum, maximum, initial)                                   \
    {                                                                                                                \
#member, unit, doc, FENDER_FIELD_REAL, offsetof(type, bodies.member), flags, minimum, maximum, initial, NULL \
    }
#define FND_HERTZ_FIELDS(type)                                                                                         \
    FND_HERTZ_FIELD(type, modulus, "Pa", "E* of both materials, in place of the next four.", 0, 0, INFINITY, 0),       \
        FND_HERTZ_FIELD(type, young, "Pa", "Young's modulus of both, or of the one.", 0, 0, INFINITY, 0),              \
        FND_HERTZ_FIELD(type, poisson, "1", "Its Poisson's ratio.", 0, -1, 0.5, 0.3),                                  \
        FND_HERTZ_FIELD(type, young_b, "Pa", "Young's modulus of the other; 0: as the one; none: rigid.",              \
                        FENDER_FIELD_NONE_ALLOWED, 0, INFINITY, 0),                                                    \
        FND_HERTZ_FIELD(type, poisson_b, "1", "Its Poisson's ratio, with young_b.", 0, -1, 0.5, 0.3),                  \
        FND_HERTZ_FIELD(type, radius, "m",                                                                             \
                        "R of both surfaces, 1/R = 1/R_a + 1/R_b; 0: by the curvature of the shapes.", 0, 0, INFINITY, \
                        0),                                                                                            \
        FND_HERTZ_FIELD(type, largest_radius, "m",                                                                     \
                        "With radius 0: radii of the gap above it, and flat shapes, count as this one.",               \
                        FENDER_FIELD_ABOVE_MINIMUM, 0, INFINITY, 10)

/* E* [Pa] */
double fnd_hertz_modulus(const fnd_hertz_bodies *p);
/* R [m] that stands for the gap: the given one, else the mean sqrt(R' R'') of the shapes. */
double fnd_hertz_radius(const fnd_hertz_bodies *p, const fender_contact_surface *surface);
/* k [N/m^1.5] of F = k d^1.5, elliptical contacts included. */
double fnd_hertz_stiffness(const fnd_hertz_bodies *p, const fender_contact_surface *surface);
/* Modulus or Young's modulus, not both. */
fender_status fnd_modulus_check(double modulus, double young, const char *symbol, fender_error *error);
fender_status fnd_hertz_check(const fnd_hertz_bodies *p, fender_error *error);

double fnd_derive_modulus(const void *parameters, const fender_intent *intent);
double fnd_derive_modulus_of_sink(const void *parameters, const fender_intent *intent);
#define FND_DERIVATIONS_OF_HERTZ                                                                                 \
    {"modulus", "modulus", "E* of both materials", fnd_derive_modulus},                                          \
    {                                                                                                            \
        "modulus", "sink weight radius", "E* = 3/4 weight / (sqrt(radius) sink^1.5)", fnd_derive_modulus_of_sink \
    }

#endif
