/* Sections of the pressure inside a round solid: cut by a plane, and below the caps of disks and cylinders
 * (docs/models/contact_patches.md). */
#ifndef FND_COLLIDE_PATCH_SECTION_H
#define FND_COLLIDE_PATCH_SECTION_H

#include "collide/patch.h"
#include "collide/polygon_cut.h"
#include <fender/spatial.h>

/* A solid with a pressure inside it, cut by a plane: integrals of the pressure over a triangle's part of the cut, and
 * of a field whose flux is the energy, the integral of the pressure over what lies behind
 * (docs/models/contact_patches.md). */

/* A cylinder about z, low <= z <= high, with the pressure h0 sqrt(radius^2 - r^2). */
typedef struct fnd_rotated {
    double radius, low, high, h0;
} fnd_rotated;

typedef enum fnd_section_sum {
    FND_SUM_P,
    FND_SUM_PU,
    FND_SUM_PV,
    FND_SUM_PUU,
    FND_SUM_PUV,
    FND_SUM_PVV,
    FND_SUM_ENERGY, /* by a field across the axis */
    FND_SUM_LOW,    /* by fields along the axis that are 0 at the lower and upper end */
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
    double widest; /* no u is larger */
    double area;   /* of du dv = 1 */
    double sine;   /* of the elevation of the axis */
    const fnd_rotated *rotated;
    double height, slope; /* z = height + slope v */
};

/* Cut by the plane n . x = offset, n of length 1. False: there is no cut. */
bool fnd_section_of_rotated(fnd_section *section, const fnd_rotated *solid, fender_vec3 n, double offset);
/* Adds the part within a triangle, counter-clockwise about n. False: nothing of it. sums NULL: only that is asked. */
bool fnd_section_add(const fnd_section *section, const fender_vec3 corners[3], double sums[FND_SUMS]);
/* Returns whether the axis of a solid of revolution intersects the triangle, and where. */
bool fnd_section_axis(const fnd_section *section, const fender_vec3 corners[3], double *z);
/* Energy of the part of a turned solid from its lower end up to z that is due to its axis; see the source. */
double fnd_rotated_energy(const fnd_rotated *solid, double z);

/* ---- Caps as faces of patches ---- */

/* Cosine up to which a cap does not count: 60 degrees. */
#define FND_CAP_STEEP 0.5
/* That from which on all of it does, and nothing of the rim. */
#define FND_CAP_FLAT 0.8
/* Part of a cap's area that counts, by the cosine between its inward normal and that of the ground: the projected area
 * while it lies flat, nothing when it stands upright. And its derivative. */
double fnd_cap_counted(double down, double *derivative);
/* That part over the cosine: of the pressure above the cap it takes the place of as much. */
double fnd_cap_lying(double down, double *derivative);

/* The same over the cosine: times pressure and depth it is the energy of the columns above the cap. */
double fnd_cap_columns(double down, double *derivative);

/* Part of the pressure within a disk that counts: what stands upright; derivative likewise. */
double fnd_cap_upright(double down, double *derivative);
/* The section of a cylinder's pressure across its axis. */
void fnd_cap_begin(fnd_section *section, const fnd_rotated *rotated);
/* Integrals of sqrt(radius^2 - r^2) over the part of a polygon within the circle, [0], and of that times x and y. */
void fnd_cap_dome(double radius, const fender_vec3 *corners, int count, double sums[3]);
/* Adds the integral of the pressure over a part of a cap, and of pressure times place. G of the solid. */
void fnd_cap_add_part(const fnd_section *section, const fnd_ground_face *cap, const fnd_cut *part, double *sum,
                      fender_vec3 *first);
/* Integral along the projection of an edge across the axis, of the pressure there times a height that is linear from
 * one end to the other, and of that times the place on the edge. */
double fnd_cap_edge(const fnd_rotated *rotated, const fender_vec3 ends[2], const double heights[2], fender_vec3 *first);
/* Integral of pressure times depth along the side from corner i, and of that times the place. `level`: of the pressure
 * alone. */
double fnd_cap_side(const fnd_section *section, const fnd_ground_face *cap, const fnd_cut *part, int i, bool level,
                    fender_vec3 *first);

#endif
