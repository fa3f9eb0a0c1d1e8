/* The tree of boxes over the triangles of a surface. */
#ifndef FND_GEOMETRY_BVH_H
#define FND_GEOMETRY_BVH_H

#include "base/sort.h"
#include "geometry/surface.h"

/* Fills nodes and order. `items`: room for two per triangle. */
void fnd_surface_build_tree(fnd_surface *surface, fnd_sort_real *items);

#endif
