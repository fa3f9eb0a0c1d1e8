/* Farthest points of the cores of convex geometries. */
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

#endif
