/* A triangle of a surface, or an edge of one, as a convex solid. */
#ifndef FND_COLLIDE_SURFACE_SOLID_H
#define FND_COLLIDE_SURFACE_SOLID_H

#include "collide/pair_table.h"

/* A flat hull with all its tables, without memory of its own. Not to be copied. */
typedef struct fnd_surface_solid {
    fender_geometry geometry;
    fnd_polytope polytope;
    fender_vec3 vertices[3], normals[2];
    int32_t face_start[3], face_vertices[6], neighbour_start[4], neighbours[6];
    double offsets[2], areas[2], x[8], y[8], z[8], face_x[8], face_y[8], face_z[8], face_w[8];
    fnd_polytope_edge edges[3];
} fnd_surface_solid;

/* Corners relative to `origin`. */
void fnd_surface_solid_triangle(fnd_surface_solid *solid, const fnd_surface *surface, int32_t triangle,
                                fender_vec3 origin);
/* The edge from corner k. */
void fnd_surface_solid_edge(fnd_surface_solid *solid, const fnd_surface *surface, int32_t triangle, int k,
                            fender_vec3 origin);

#endif
