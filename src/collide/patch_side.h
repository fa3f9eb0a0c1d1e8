/* How much of the pressure of a round solid's side counts on polytopes and at edges (docs/models/contact_patches.md).
 */
#ifndef FND_COLLIDE_PATCH_SIDE_H
#define FND_COLLIDE_PATCH_SIDE_H

#include "collide/cut_plane.h"
#include "collide/mesh_convex.h"
#include "collide/patch_section.h"

/* Of a disk or cylinder, view->b, on a polytope or its likeness, view->a. `rounding`: of both. */
fnd_side_part fnd_patch_side_part(const fnd_surface_view *view, double rounding);

/* What counts before a face where the solid, by its rim at `end` of the axis, may be less deep behind faces with which
 * that one has an edge: of the columns above a cap beside steep ones, or of a disk's rim beside `flat` ones. */
fnd_side_part fnd_patch_edge_part(const fnd_rotated *solid, double end, const fnd_cut_plane *face,
                                  const fnd_cut_plane *const *beside, int count, bool flat);

#endif
