/* Lengths and directions of vectors that may be tiny or huge: no overflow, no lost digits, exact along an axis. */
#ifndef FND_GEOMETRY_DIRECTION_H
#define FND_GEOMETRY_DIRECTION_H

#include <fender/spatial.h>

/* Squares of lengths within these bounds neither overflow nor lose digits. */
#define FND_LEAST_SQUARE    1e-260
#define FND_GREATEST_SQUARE 1e260

static inline double fnd_largest_component(fender_vec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    double most = x > y ? x : y;
    return most > z ? most : z;
}

/* Length of v, and its direction; zero where it has none. */
static inline double fnd_length_and_direction(fender_vec3 v, fender_vec3 *direction)
{
    double scale = 1, squared = fender_vec3_dot(v, v);
    if (!(squared > FND_LEAST_SQUARE && squared < FND_GREATEST_SQUARE)) {
        scale = fnd_largest_component(v);
        *direction = v;
        if (scale == 0 && squared == 0) return 0; /* not so for NaN */
        v = fender_vec3_make(v.x / scale, v.y / scale, v.z / scale);
        squared = fender_vec3_dot(v, v);
    }
    double length = sqrt(squared);
    *direction = fender_vec3_make(v.x / length, v.y / length, v.z / length);
    return scale * length;
}

/* sqrt(x^2 + y^2). */
static inline double fnd_length_2(double x, double y)
{
    double squared = x * x + y * y;
    if (squared > FND_LEAST_SQUARE && squared < FND_GREATEST_SQUARE) return sqrt(squared);
    double scale = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    if (scale == 0 && squared == 0) return 0;
    x /= scale, y /= scale;
    return scale * sqrt(x * x + y * y);
}

#endif
