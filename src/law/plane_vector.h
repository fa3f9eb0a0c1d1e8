/* Vectors of the tangent plane. */
#ifndef FND_LAW_PLANE_VECTOR_H
#define FND_LAW_PLANE_VECTOR_H

#include <fender/spatial.h>
#include <math.h>

static inline double dot(fender_vec2 u, fender_vec2 v) { return u.x * v.x + u.y * v.y; }
static inline double length(fender_vec2 u) { return sqrt(u.x * u.x + u.y * u.y); }
static inline fender_vec2 scaled(double a, fender_vec2 u) { return (fender_vec2){a * u.x, a * u.y}; }
static inline fender_vec2 combined(double a, fender_vec2 u, double b, fender_vec2 v)
{
    return (fender_vec2){a * u.x + b * v.x, a * u.y + b * v.y};
}

#endif
