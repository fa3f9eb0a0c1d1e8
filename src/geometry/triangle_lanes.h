/* What all triangles of a surface are asked for when it is made, eight at a time (triangle_lanes.c). */
#ifndef FND_GEOMETRY_TRIANGLE_LANES_H
#define FND_GEOMETRY_TRIANGLE_LANES_H

#include "geometry/surface.h"

enum { FND_TRIANGLES_AT_ONCE = 8 };

/* Unit normals, one row for each coordinate, with room for whole blocks of eight. */
typedef struct fnd_triangle_normals {
    double *x, *y, *z;
} fnd_triangle_normals;
static inline fender_vec3 fnd_normal_at(const fnd_triangle_normals *normals, int32_t triangle)
{
    assert(triangle >= 0);
    return fender_vec3_make(normals->x[triangle], normals->y[triangle], normals->z[triangle]);
}

typedef struct fnd_triangle_sums {
    double area;
    fender_vec3 spanned; /* areas times normals: what the border spans */
} fnd_triangle_sums;

typedef struct fnd_triangle_functions {
    /* Normals as fnd_triangle_normal finds them; areas and sums as of fnd_triangle_normal_and_area, in the order of the
     * triangles. `areas` has room like the normals, or is NULL. */
    void (*measure)(const fnd_surface *, const fnd_triangle_normals *, double *areas, fnd_triangle_sums *);
    /* `spreads` and `spread` of a surface that has its neighbours. */
    void (*spread)(fnd_surface *, const fnd_triangle_normals *);
} fnd_triangle_functions;
/* For each width of registers; all yield the same bits. */
extern const fnd_triangle_functions fnd_triangles_plain, fnd_triangles_avx2, fnd_triangles_avx512;

#endif
