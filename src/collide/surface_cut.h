/* A face of a solid cut by what lies below one triangle of a surface, with the sides that the cuts have made. */
#ifndef FND_COLLIDE_SURFACE_CUT_H
#define FND_COLLIDE_SURFACE_CUT_H

#include "collide/patch_polygon.h"

/* Where a side of the part comes from. */
typedef enum fnd_cut_side {
    FND_SIDE_FACE = -2, /* the face's own border, or a diagonal of it */
    FND_SIDE_TOUCH = -1 /* where the depth is 0 */
    /* from 0: the border of the cell through that side of the facet */
} fnd_cut_side;

enum { FND_CUT_SIDES = 64, FND_CUT_CORNERS = 40 + FND_CUT_SIDES };
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
