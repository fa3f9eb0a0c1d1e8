/* Signs of determinants, exact: on which side of a plane or a line a point lies. */
#ifndef FND_GEOMETRY_PREDICATES_H
#define FND_GEOMETRY_PREDICATES_H

#include <fender/spatial.h>

/* Coordinates are at most 1 and multiples of 2^-250, so that no product underflows (fnd_predicate_coordinate). */

/* 1, 0, -1: d lies on the side of the plane from which a, b, c turn counter-clockwise, in it, on the other. */
int fnd_orientation_3d(fender_vec3 a, fender_vec3 b, fender_vec3 c, fender_vec3 d);
/* 1, 0, -1: a, b, c turn counter-clockwise, lie on a line, turn clockwise. */
int fnd_orientation_2d(fender_vec2 a, fender_vec2 b, fender_vec2 c);

/* (b - a) x (c - a), every component rounded once or twice: slivers, too, have a direction. */
fender_vec3 fnd_exact_normal(fender_vec3 a, fender_vec3 b, fender_vec3 c);

/* x in [-1, 1], rounded to a multiple of 2^-250: only what is below 2^-198 changes. */
static inline double fnd_predicate_coordinate(double x)
{
    if (fabs(x) >= 0x1p-198) return x;
    volatile double shifted = x + 0x1.8p-198;
    return shifted - 0x1.8p-198;
}

#endif
