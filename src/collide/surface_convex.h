/* A convex solid placed before a surface, all in G of the surface. */
#ifndef FND_COLLIDE_SURFACE_CONVEX_H
#define FND_COLLIDE_SURFACE_CONVEX_H

#include "collide/patch_floor.h"
#include "collide/surface.h"
#include "collide/surface_solid.h"

typedef struct fnd_surface_view {
    const fnd_placed *a, *b;
    const fnd_surface *surface;
    fender_mat3 R_AB;
    fender_vec3 p_AB;
    fender_vec3 center, half; /* box around the solid */
    double radius;            /* of that box about its centre */
} fnd_surface_view;

/* A plane through a point; inward: of no special length. */
typedef struct fnd_surface_border {
    fender_vec3 inward, point;
} fnd_surface_border;

void fnd_surface_view_make(fnd_surface_view *view, const fnd_placed *surface, const fnd_placed *solid);
/* The point of the solid that lies least along n. */
fender_vec3 fnd_surface_lowest(const fnd_surface_view *view, fender_vec3 n);
/* The solid against one triangle. Apart: least distance (INFINITY beyond the reach); meeting it: straight out of it
 * where the solid reaches lowest below the triangle's own part of the space, else the least way out that does not lead
 * through the triangle's back. */
fnd_surface_touch fnd_surface_triangle_touch(const fnd_surface_view *view, int32_t triangle, double reach);
/* The part of the space behind a triangle that is its own: borders through its edges, halfway between its normal and
 * its neighbour's. */
void fnd_surface_cell(const fnd_surface *surface, int32_t triangle, fnd_surface_border borders[3]);
/* Adds the patches of a polytope's faces on uneven ground (surface_patch.c). */
void fnd_surface_add_patches(const fnd_surface_view *view, fnd_manifold *out);
/* Triangles above, at and (of a grid) below the solid's box, one at a time: begin, then next until -1. */
typedef struct fnd_surface_footprint {
    const fnd_surface *surface;
    fnd_surface_walk walk;          /* of a mesh */
    int i0, i1, j0, j1, i, j, half; /* of a grid: columns from i0 to i1, rows from j0 to j1, and where it is */
} fnd_surface_footprint;
fender_box fnd_surface_view_box(const fnd_surface_view *view);
void fnd_surface_footprint_begin(fnd_surface_footprint *footprint, const fnd_surface *surface, fender_box box);
int32_t fnd_surface_footprint_next(fnd_surface_footprint *footprint);
/* Are all triangles of `walk` among those of `inner`? false: maybe. Neither was moved on. */
bool fnd_surface_footprint_is_all(const fnd_surface_footprint *inner, const fnd_surface_footprint *walk);
/* Would the walk, as it was begun, come to the triangle? */
bool fnd_surface_footprint_holds(const fnd_surface_footprint *footprint, int32_t triangle);
/* The one of least distance. */
fnd_surface_touch fnd_surface_convex_nearest(const fnd_surface_view *view);

/* A triangle's plane as the solid sees it, in G of the solid. */
typedef struct fnd_surface_sight {
    const fnd_surface_view *view;
    fender_vec3 center, half; /* box around the solid's core */
    double rounding;
    bool sees_any; /* of fnd_surface_flat_ground: is there any triangle that it sees? */
    double depth;  /* of the box below the plane that was looked at, if it is seen */
    fender_vec3 normal;
    double offset; /* depth of a point x of the core: offset - normal . x */
} fnd_surface_sight;
void fnd_surface_sight_make(fnd_surface_sight *sight, const fnd_surface_view *view);
void fnd_surface_sight_plane(fnd_surface_sight *sight, int32_t triangle);
/* May the cell of the triangle hold a part of the solid? False for facets of a mesh that all of the solid is behind. */
bool fnd_surface_sees(fnd_surface_sight *sight, int32_t triangle);
/* Is the ground within the solid's reach one plane that does not end there? A triangle of it, or -1. */
int32_t fnd_surface_flat_ground(fnd_surface_sight *sight);
/* The patch of the plane of a triangle, for solids that have one. */
bool fnd_surface_add_plane_patch(const fnd_surface_view *view, int32_t triangle, const fnd_query *query,
                                 fnd_manifold *out);

#endif
