/* A solid with a pressure inside it, cut by a plane: integrals of the pressure over a triangle's part of the cut, and
 * of a field whose flux is the energy, the integral of the pressure over what lies behind
 * (docs/models/contact_patches.md). */
#ifndef FND_COLLIDE_SURFACE_SECTION_H
#define FND_COLLIDE_SURFACE_SECTION_H

#include <fender/spatial.h>

/* About z: where r <= radius + taper z and low <= z <= high. Pressure: (h0 + h1 z + h2 z^2) sqrt((radius + taper z)^2 -
 * r^2). A taper ends in a tip at `high`, and its h is h1 (z - low). */
typedef struct fnd_turned {
    double radius, taper, low, high, h0, h1, h2;
} fnd_turned;

typedef enum fnd_section_sum {
    FND_SUM_P,
    FND_SUM_PU,
    FND_SUM_PV,
    FND_SUM_PUU,
    FND_SUM_PUV,
    FND_SUM_PVV,
    FND_SUM_ENERGY, /* by a field across the axis, or from the centre */
    FND_SUM_LOW,    /* by fields along the axis that are 0 at the lower and upper end of a turned solid */
    FND_SUM_HIGH,
    FND_SUMS
} fnd_section_sum;

/* Points of the plane: origin + u axis_u + v axis_v. The cut: u^2 <= (a0 + a1 v) (b0 + b1 v) with both factors not
 * negative, low <= v <= high. */
typedef struct fnd_section fnd_section;
struct fnd_section {
    fender_vec3 normal, origin, axis_u, axis_v;
    fender_vec3 of_u, of_v; /* u = of_u . (x - origin), likewise v */
    double a0, a1, b0, b1, low, high;
    double widest;            /* no u is larger */
    double area;              /* of du dv = 1 */
    double sine, passing;     /* of a turned solid: of the elevation of its axis; flux of a field along its skin */
    const fnd_turned *turned; /* NULL: an ellipsoid */
    double height, slope;     /* z = height + slope v; of an ellipsoid: distance from its centre */
    double q0, qu, qv, quu, quv, qvv, strength; /* of an ellipsoid: the pressure; energy per flux */
};

/* Cut by the plane n . x = offset, n of length 1. False: there is no cut. */
bool fnd_section_of_turned(fnd_section *section, const fnd_turned *solid, fender_vec3 n, double offset);
/* Of the half axes, about the origin; pressure: its strength times x . x / (2 pi times the product of the half axes).
 */
bool fnd_section_of_ellipsoid(fnd_section *section, fender_vec3 half, fender_vec3 n, double offset);
/* (2 a c / (a^2 + c^2))^2 of the largest and the least half axis: makes the stiffness on a plane, which is that on the
 * tips and up to 1 between them. (Without it, it is 1 on the tips: n D^4 n / (n D^2 n)^2 for half axes D.) */
double fnd_ellipsoid_strength(fender_vec3 half);
/* Adds the part within a triangle, counter-clockwise about n. False: nothing of it. */
bool fnd_section_add(const fnd_section *section, const fender_vec3 corners[3], double sums[FND_SUMS]);
/* Does the axis of a turned solid pass through the triangle, and where? */
bool fnd_section_axis(const fnd_section *section, const fender_vec3 corners[3], double *z);
/* Energy of the part of a turned solid from its lower end up to z that is due to its axis; see the source. */
double fnd_turned_energy(const fnd_turned *solid, double z);

#endif
