/* Oracle of triangulated surfaces: brute force over the triangles. */
#ifndef TEST_ORACLE_SURFACE_H
#define TEST_ORACLE_SURFACE_H

#include "oracle.h"
#include <stdint.h>

enum { ORACLE_VERTICES = 64, ORACLE_TRIANGLES = 128 };
typedef struct oracle_surface {
    fender_vec3 vertices[ORACLE_VERTICES];
    int32_t triangles[ORACLE_TRIANGLES][3];
    fender_vec3 corners[ORACLE_TRIANGLES][3]; /* a triangle as the points of an oracle_shape */
    int vertex_count, triangle_count;
    bool grid; /* solid below, within the rectangle; else a closed mesh */
    int count_x, count_y;
    double x[8], y[8]; /* of its columns and rows */
    double size;
} oracle_surface;

/* Fills corners and size from vertices and triangles. */
void oracle_surface_finish(oracle_surface *s);
real oracle_triangle_distance(const oracle_surface *s, int triangle, real3 point);
real3 oracle_triangle_normal(const oracle_surface *s, int triangle);
/* Least distance to the triangles from a point of the surface's frame, minus when the point is in the solid: below the
 * heights of a grid; where a closed mesh is wound about it. */
real oracle_surface_distance(const oracle_surface *s, real3 point);
/* Is the point above or below the border of a grid's rectangle, where inside and beside meet? */
bool oracle_surface_border(const oracle_surface *s, real3 point, real near);
bool oracle_surface_inside(const oracle_surface *s, real3 point);

#endif
