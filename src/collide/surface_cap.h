/* Caps of disks and cylinders as faces of patches: how much of them counts, and the pressure above them inside a
 * cylinder (docs/models/contact_patches.md). */
#ifndef FND_COLLIDE_SURFACE_CAP_H
#define FND_COLLIDE_SURFACE_CAP_H

#include "collide/polygon_cut.h"
#include "collide/surface_patch.h"
#include "collide/surface_section.h"

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
void fnd_cap_begin(fnd_section *section, const fnd_turned *turned);
/* Integrals of sqrt(radius^2 - r^2) over the part of a polygon within the circle, [0], and of that times x and y. */
void fnd_cap_dome(double radius, const fender_vec3 *corners, int count, double sums[3]);
/* Adds the integral of the pressure over a part of a cap, and of pressure times place. G of the solid. */
void fnd_cap_add_part(const fnd_section *section, const fnd_ground_face *cap, const fnd_cut *part, double *sum,
                      fender_vec3 *first);
/* Integral along the projection of an edge across the axis, of the pressure there times a height that is linear from
 * one end to the other, and of that times the place on the edge. */
double fnd_cap_edge(const fnd_turned *turned, const fender_vec3 ends[2], const double heights[2], fender_vec3 *first);
/* Integral of pressure times depth along the side from corner i, and of that times the place. `level`: of the pressure
 * alone. */
double fnd_cap_side(const fnd_section *section, const fnd_ground_face *cap, const fnd_cut *part, int i, bool level,
                    fender_vec3 *first);

#endif
