/* Convex polygons in a plane: cut by half planes, their moments, and the four points that stand for them. */
#ifndef FND_COLLIDE_PATCH_POLYGON_H
#define FND_COLLIDE_PATCH_POLYGON_H

#include <fender/spatial.h>

/* Where a x + b y + c >= 0. */
typedef struct fnd_half_plane {
    double a, b, c;
} fnd_half_plane;

/* Half planes that a polygon is cut by; made when they are needed, so that there may be any number. */
typedef struct fnd_half_planes {
    int count;
    fnd_half_plane (*get)(const void *ctx, int index);
    const void *ctx;
} fnd_half_planes;

/* Area, centroid, and second moments (integrals, not per area) about the centroid. */
typedef struct fnd_area_moments {
    double area, x, y, xx, xy, yy;
} fnd_area_moments;

/* Adds the part of a convex polygon (counter-clockwise, any number of corners) that lies in all half planes. */
void fnd_area_add_polygon(fnd_area_moments *sum, const fender_vec2 *corners, int count, const fnd_half_planes *cuts);
/* Four points of equal weight with the area's centroid and second moments, and the third ones where it is symmetric;
 * within the polygon. Area > 0. */
void fnd_area_points(const fnd_area_moments *area, fender_vec2 points[4]);

#endif
