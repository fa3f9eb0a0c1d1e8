/* Planes of a mesh that cut a solid, and the edges between them. */
#ifndef FND_COLLIDE_CUT_PLANE_H
#define FND_COLLIDE_CUT_PLANE_H

#include "geometry/surface.h"

/* A plane that a solid is cut by: its number, n . x = offset, and planes that it has an edge with, as a box has. */
enum { FND_PLANE_EDGES = 6 };
typedef struct fnd_cut_plane {
    int32_t plane;
    fender_vec3 normal;
    double offset;
    int32_t edges[FND_PLANE_EDGES];
    int edge_count;
} fnd_cut_plane;

/* The plane in the list, to which it is added if it is new. NULL: there is no room. */
fnd_cut_plane *fnd_cut_planes_add(fnd_cut_plane *list, int *count, int capacity, const fnd_cut_plane *plane);
/* The planes of triangles beside one of the plane's, with which that has an edge: each lies behind the other. */
void fnd_cut_plane_add_edges(const fnd_surface *surface, int32_t triangle, fnd_cut_plane *plane);
/* Does one of two triangles rise from the other, as at a step? There what is behind either is in the ground. */
bool fnd_cut_planes_step(const fnd_surface *surface, int32_t one, int32_t other);

#endif
