/* Contact of points, balls and clouds with solids. */
#ifndef FND_COLLIDE_SOLID_POINT_H
#define FND_COLLIDE_SOLID_POINT_H

#include "collide/pair_table.h"

fnd_pair_function fnd_sphere_solid; /* a: point or sphere; b: disk, plane, convex, field */
fnd_pair_function fnd_cloud_solid;  /* a: cloud; b: sphere, capsule, disk, plane, convex, field */

/* A ball against a solid, vectors in world axes with the origin at the ball's centre; `offset` leads from there to the
 * origin of the solid. False: farther than reach. Not for user geometries with support. */
bool fnd_ball_and_solid(fender_vec3 offset, double radius, const fnd_placed *solid, double reach,
                        fender_separation *found);

#endif
