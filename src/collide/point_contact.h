/* Contacts of points: spheres, clouds and corners of polytopes against solids. */
#ifndef FND_COLLIDE_POINT_CONTACT_H
#define FND_COLLIDE_POINT_CONTACT_H

#include "collide/pair_table.h"

/* ---- Points, spheres and clouds ---- */

fnd_pair_function fnd_sphere_solid; /* a: point or sphere; b: disk, plane, convex, field */
fnd_pair_function fnd_cloud_solid;  /* a: cloud; b: sphere, capsule, disk, plane, convex, field */

/* ---- Corners (docs/models/contact_patches.md) ---- */

/* True if the pair touches with corners: a box, hull, cylinder, cone or disk on a plane, grid, mesh, user field, box,
 * hull, cylinder or cone. */
bool fnd_corners_touch(const fender_geometry *a, const fender_geometry *b);
/* Adds the corners of both within reach, sorted by feature; where none of them touches and the solids overlap, their
 * one deepest contact. */
void fnd_corners(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out);

#endif
