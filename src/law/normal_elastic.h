/* Elastic bodies that touch: moduli of both, the radius of the gap between them, and the spring k d^n that follows. */
#ifndef FND_LAW_NORMAL_ELASTIC_H
#define FND_LAW_NORMAL_ELASTIC_H

#include <fender/sizing.h>

#include "law/parts.h"

/* The first member of the parameters of such a law, by the name `bodies`. */
typedef struct fnd_hertz_bodies {
    double modulus, young, poisson, young_b, poisson_b, radius, largest_radius;
} fnd_hertz_bodies;

/* What fnd_hertz_radius reads; also of tangential springs, which have the radius of the normal law. */
#define FND_HERTZ_RADIUS_FIELDS(type, radius_member, largest_member)                              \
    FND_REAL_IN(type, "radius", radius_member, "m", 0, 0, INFINITY, 0,                            \
                "R of both surfaces, 1/R = 1/R_a + 1/R_b; 0: from the curvature of the shapes."), \
        FND_REAL_IN(type, "largest_radius", largest_member, "m", FND_POSITIVE, 0, INFINITY, 10,   \
                    "With radius 0: upper bound of the radii of the gap, and the radius of flat shapes.")

#define FND_HERTZ_FIELDS(type)                                                                        \
    FND_REAL_IN(type, "modulus", bodies.modulus, "Pa", 0, 0, INFINITY, 0,                             \
                "E* of both materials, instead of the next four."),                                   \
        FND_REAL_IN(type, "young", bodies.young, "Pa", 0, 0, INFINITY, 0,                             \
                    "Young's modulus of both bodies, or of the first."),                              \
        FND_REAL_IN(type, "poisson", bodies.poisson, "1", 0, -1, 0.5, 0.3,                            \
                    "Poisson's ratio of both bodies, or of the first."),                              \
        FND_REAL_IN(type, "young_b", bodies.young_b, "Pa", FENDER_FIELD_NONE_ALLOWED, 0, INFINITY, 0, \
                    "Young's modulus of the other body; 0: the same; none: rigid."),                  \
        FND_REAL_IN(type, "poisson_b", bodies.poisson_b, "1", 0, -1, 0.5, 0.3,                        \
                    "Poisson's ratio of the other body, with young_b."),                              \
        FND_HERTZ_RADIUS_FIELDS(type, bodies.radius, bodies.largest_radius)

/* E* [Pa] */
double fnd_hertz_modulus(const fnd_hertz_bodies *p);
/* R [m] that stands for the gap: the given one, else the mean sqrt(R' R'') of the shapes. Surface NULL: flat. */
double fnd_hertz_radius(const fnd_hertz_bodies *p, const fender_contact_surface *surface);
/* Modulus or Young's modulus, not both; the symbol is that of the modulus in the message. */
fender_status fnd_modulus_check(double modulus, double young, const char *symbol, fender_error *error);
/* F / (E* d^1.5) [m^0.5] for the principal relative curvatures first >= second > 0 [1/m]; 4/3 sqrt(R) for equal ones.
 * *axis_ratio (NULL: not asked): short over long half axis of the ellipse of contact. */
double fnd_ellipse_stiffness(double first, double second, double *axis_ratio);

double fnd_derive_modulus(const void *parameters, const fender_sizing_spec *spec);
double fnd_derive_modulus_of_sink(const void *parameters, const fender_sizing_spec *spec);
#define FND_DERIVATIONS_OF_HERTZ                                                                                 \
    {"modulus", "modulus", "E* of both materials", fnd_derive_modulus},                                          \
    {                                                                                                            \
        "modulus", "sink weight radius", "E* = 3/4 weight / (sqrt(radius) sink^1.5)", fnd_derive_modulus_of_sink \
    }

/* ---- The spring of such bodies, N = k d^n (1 + D d'), held at zero where that is negative */

typedef struct fnd_power_spring {
    double stiffness, exponent; /* N/m^n, 1 */
} fnd_power_spring;

/* The first member of the memory of such a law: with located events the clip is a mode. */
typedef struct fnd_power_spring_memory {
    int slack;
} fnd_power_spring_memory;

/* Hertz's: n = 3/2, elliptical contacts included. */
fnd_power_spring fnd_hertz_spring(const fnd_hertz_bodies *p, const fender_contact_surface *surface);
void fnd_power_spring_force(const fnd_power_spring *p, double dissipation, const fender_contact_input *in,
                            const void *memory, fender_contact_output *out);
/* One root, that of the clip. */
void fnd_power_spring_roots(double dissipation, const fender_contact_input *in, const void *memory, double *root);
void fnd_power_spring_update(double dissipation, const fender_contact_input *in, void *memory);
double fnd_power_spring_energy(const fnd_power_spring *p, double depth);
/* Slopes of the force by depth and rate. */
void fnd_power_spring_stiffness(const fnd_power_spring *p, double dissipation, const fender_contact_input *in,
                                fender_law_stiffness *out);

#endif
