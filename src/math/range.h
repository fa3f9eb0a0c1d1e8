/* Magnitudes that are taken from outside while a world runs: their squares and products with others stay finite. */
#ifndef FND_MATH_RANGE_H
#define FND_MATH_RANGE_H

#include <fender/spatial.h>

#define FND_LARGEST 1e100

/* False for NaN. */
static inline bool fnd_is_in_range(double x) { return fabs(x) <= FND_LARGEST; }
static inline bool fnd_is_vector_in_range(fender_vec3 v)
{
    return fnd_is_in_range(v.x) && fnd_is_in_range(v.y) && fnd_is_in_range(v.z);
}

#endif
