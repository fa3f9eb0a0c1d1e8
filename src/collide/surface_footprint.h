/* The triangles that a solid may be below of: of a mesh those that meet its box, of a grid all of its shadow. */
#ifndef FND_COLLIDE_SURFACE_FOOTPRINT_H
#define FND_COLLIDE_SURFACE_FOOTPRINT_H

#include "geometry/surface.h"

/* Begun for a box in G of the surface; fnd_surface_scan walks through it. */
typedef struct fnd_surface_footprint {
    const fnd_surface *surface;
    fnd_surface_walk walk;    /* of a mesh */
    int i0, i1, j0, j1, i, j; /* of a grid: columns from i0 to i1, rows from j0 to j1, and where it is */
} fnd_surface_footprint;
void fnd_surface_footprint_begin(fnd_surface_footprint *footprint, const fnd_surface *surface, fender_box box);
void fnd_surface_footprint_restart(fnd_surface_footprint *footprint);
/* Are all triangles of `walk` among those of `inner`? false: maybe. Neither was moved on. */
bool fnd_surface_footprint_is_all(const fnd_surface_footprint *inner, const fnd_surface_footprint *walk);

#endif
