/* Where a point lies beside a solid: signed distance, nearest point of the surface, outward normal. */
#ifndef FND_GEOMETRY_POINT_QUERY_H
#define FND_GEOMETRY_POINT_QUERY_H

#include "geometry/geometry.h"

/* All in G. point + distance * normal is the point that was asked for. */
typedef struct fnd_solid_point {
    double distance;    /* m; negative inside: to the nearest point of the whole surface */
    fender_vec3 point;  /* on the surface, rounding included */
    fender_vec3 normal; /* unit, outward there */
    uint64_t feature;   /* hull: FND_FEATURE_* | number; 0 for others */
} fnd_solid_point;

#define FND_FEATURE_FACE   ((uint64_t)1 << 32)
#define FND_FEATURE_EDGE   ((uint64_t)2 << 32)
#define FND_FEATURE_VERTEX ((uint64_t)3 << 32)

/* Exact to rounding. Where several points are nearest (centre of a sphere, axis of a cylinder, a middle plane) one is
 * chosen by the axes of G: the normal along z if it is among them, else along x (ellipsoid: along the shortest
 * semi-axis; hull: the face of the lowest number). False where there is no such query: clouds, grids, meshes, user
 * geometries with a support function (collide/convex.h has that). */
bool fnd_point_query(const fender_geometry *geometry, fender_vec3 point, fnd_solid_point *found);
/* The axes of a pose; false: not a pose. */
bool fnd_pose_axes(const fender_pose *pose, fender_mat3 *R);

#endif
