/* A convex solid placed before a surface, all in G of the surface; and a triangle of a surface as a convex solid. */
#ifndef FND_COLLIDE_MESH_CONVEX_H
#define FND_COLLIDE_MESH_CONVEX_H

#include "collide/mesh_scan.h"
#include "collide/mesh_touch.h"
#include "collide/pair_table.h"
#include "collide/plane.h"

/* ---- A triangle or an edge as a solid ---- */

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

/* ---- A solid before a surface ---- */

/* A way out through a triangle that is longer than the shortest one by more than this factor does not count: others of
 * a closed surface are nearer. */
#define FND_NEAREST 1.5

typedef struct fnd_surface_view {
    const fnd_posed *a, *b;
    const fnd_surface *surface;
    fender_mat3 R_AB;
    fender_vec3 p_AB;
    fender_vec3 center, half; /* box around the solid */
    double radius;            /* of that box about its centre */
    double rounding;          /* of the surface's own solid */
    double least;             /* half of the solid's least size */
    double thin; /* how deep a thin solid may lie below a facet that it no longer meets: a quarter of its size in all */
} fnd_surface_view;

/* A plane through a point; inward: of no special length. */
typedef struct fnd_surface_border {
    fender_vec3 inward, point;
} fnd_surface_border;

void fnd_surface_view_make(fnd_surface_view *view, const fnd_posed *surface, const fnd_posed *solid);
/* Adds the patches of a polytope's faces on uneven ground (patch.c); the scan is that of the solid's box. */
void fnd_surface_add_patches(const fnd_surface_view *view, fnd_surface_scan *scan, fnd_manifold *out);
fender_box fnd_surface_view_box(const fnd_surface_view *view);
/* The same, wider for thin solids: facets in it may have a part of the solid in their cells. */
fender_box fnd_surface_view_range(const fnd_surface_view *view);
/* Data of the solid for the scan of triangles. */
fnd_surface_visibility fnd_surface_view_visibility(const fnd_surface_view *view);
/* The one of least distance. What is farther away than the limit is not wanted and may be left out: distance INFINITY.
 */
fnd_surface_touch fnd_surface_convex_nearest(const fnd_surface_view *view, double limit);

#endif
