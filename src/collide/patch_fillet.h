/* The rounded edges and vertices of a polytope, mesh or grid that carries cells (docs/models/contact_patches.md). */
#ifndef FND_COLLIDE_PATCH_FILLET_H
#define FND_COLLIDE_PATCH_FILLET_H

#include "collide/patch_face.h"

/* All that the scan finds, and parts of faces in the cells of fillets. */
void fnd_fillets_collect(fnd_ground *ground, fnd_surface_scan *scan);
/* Adds the borders between a face's cell and those of the fillets beside it; there is room for FND_CUT_SIDES. */
void fnd_fillets_bound_face(const fnd_ground *ground, int face, fnd_surface_sample *look, fender_vec3 *corners);

/* Of a mesh or grid: parts of faces in the cells of facets at edges and vertices of which the triangle is the first. */
void fnd_fillets_add_facet(fnd_ground *ground, int32_t triangle);
/* Parts of faces in the cell of a triangle, as far as that of the facets beside it. */
void fnd_fillets_add_triangle(fnd_ground *ground, fnd_surface_sample *look);

#endif
