/* Farthest points of the cores of convex geometries, and how surfaces are curved at a point. */
#ifndef FND_GEOMETRY_SUPPORT_H
#define FND_GEOMETRY_SUPPORT_H

#include "geometry/geometry.h"

/* A point of the core (the shape without its rounding: of a sphere and a point the origin, of a capsule the segment)
 * that lies farthest along the direction, of any length, both in G. Of several the choice depends on the arguments
 * alone: centres of caps, lowest vertices. Convex geometries only. */
fender_vec3 fnd_support(const fender_geometry *geometry, fender_vec3 direction_G);
/* Radius of the ball that sweeps the core: the radius of a sphere or capsule, else the rounding. */
static inline double fnd_core_rounding(const fender_geometry *geometry)
{
    bool in_radius = geometry->type == FENDER_GEOMETRY_SPHERE || geometry->type == FENDER_GEOMETRY_CAPSULE;
    return in_radius ? geometry->radius : geometry->rounding;
}
/* A convex solid, with support? */
bool fnd_is_convex(const fender_geometry *geometry);

/* ---- Curvature ---- */

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
