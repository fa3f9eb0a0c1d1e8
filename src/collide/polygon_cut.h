/* Convex polygons and circles in a plane: cut by half planes, their moments, and the points that stand for them. */
#ifndef FND_COLLIDE_POLYGON_CUT_H
#define FND_COLLIDE_POLYGON_CUT_H

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
/* The part low <= x <= high of a circle about the origin; radius > 0. */
fnd_area_moments fnd_area_of_band(double radius, double low, double high);
/* Four points of equal weight with the area's centroid and second moments, and the third ones where it is symmetric;
 * within the polygon. Area > 0. */
void fnd_area_points(const fnd_area_moments *area, fender_vec2 points[4]);

/* ---- With a depth, and the sides that the cuts have made ---- */

/* Where a side of the part comes from. */
typedef enum fnd_cut_side {
    FND_SIDE_FACE = -2, /* the face's own border, or a diagonal of it */
    FND_SIDE_TOUCH = -1 /* where the depth is 0 */
    /* from 0: the border of the cell through that side of the facet */
} fnd_cut_side;

enum { FND_CUT_SIDES = 128, FND_CUT_CORNERS = 40 + FND_CUT_SIDES };
typedef struct fnd_cut_corner {
    double x, y, depth;
    int side; /* of the side from here to the next corner */
} fnd_cut_corner;
typedef struct fnd_cut {
    fnd_cut_corner corners[FND_CUT_CORNERS];
    int count;
} fnd_cut;

/* The part where the depth is positive. */
void fnd_cut_depth(const fnd_cut *from, fnd_cut *to);
/* The part where the half plane's value is not negative. */
void fnd_cut_border(const fnd_cut *from, fnd_half_plane border, int side, fnd_cut *to);
/* Integral of depth^2 along the side from corner i, and of depth^2 times the place (*x, *y). */
double fnd_cut_side_moments(const fnd_cut *cut, int i, double *x, double *y);
void fnd_cut_add_moments(const fnd_cut *cut, fnd_area_moments *sum);

#endif
