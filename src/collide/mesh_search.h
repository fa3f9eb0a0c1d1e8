/* A mesh before a surface, searched by the mesh's tree: what of it may be behind the surface, and what is nearest. */
#ifndef FND_COLLIDE_MESH_SEARCH_H
#define FND_COLLIDE_MESH_SEARCH_H

#include "collide/mesh_convex.h"

/* A triangle, and the longest way from it back to the surface. */
typedef struct fnd_behind_triangle {
    fender_box box; /* in G of the mesh */
    fender_vec3 corners[3];
    double farthest;
    int32_t triangle;
} fnd_behind_triangle;

/* Boxes around all of it in G of the mesh and in G of the surface; its triangles in the order of a traversal, if they
 * are not too many. */
enum { FND_BEHIND_LISTED = 512 };
typedef struct fnd_behind {
    fender_box of_mesh, of_surface;
    double farthest; /* not above 0: nothing is behind */
    bool listed;
    int count;
    fnd_behind_triangle triangles[FND_BEHIND_LISTED];
} fnd_behind;

/* The mesh is the solid of the view. What is farther behind than `reach` may be left out. */
void fnd_mesh_behind(const fnd_surface_view *view, double reach, fnd_behind *behind);
/* The triangle of least distance from the surface, of equal ones the first. What is farther away than the limit may be
 * left out: distance INFINITY. */
fnd_surface_touch fnd_mesh_nearest(const fnd_surface_view *view, double limit);

#endif
