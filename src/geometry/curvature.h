/* How a surface is curved at a point. */
#ifndef FND_GEOMETRY_CURVATURE_H
#define FND_GEOMETRY_CURVATURE_H

#include "geometry/geometry.h"

/* Principal curvatures [1/m], first >= second, positive where the solid bulges. */
typedef struct fnd_curvature {
    double first, second;
    fender_vec3 direction; /* of the first; unit, in G; any tangent where both are equal */
} fnd_curvature;

/* At a point of the surface with its outward normal (unit), both in G. Balls, capsules, disks, cylinders, cones,
 * ellipsoids and boxes, with what rounds them. Sharp edges and points are curved without bound: they count as flat
 * across, like all that has no curvature of its own: planes, grids, meshes, hulls, clouds, probes, user geometries. */
fnd_curvature fnd_geometry_curvature(const fender_geometry *geometry, fender_vec3 point_G, fender_vec3 normal_G);

#endif
