/* How much of the pressure of a round solid's side counts on a polytope (docs/models/contact_patches.md). */
#ifndef FND_COLLIDE_PATCH_SIDE_H
#define FND_COLLIDE_PATCH_SIDE_H

#include "collide/mesh_convex.h"
#include "collide/patch_section.h"

/* The part, from 0 to 1, and its decrease as the solid moves and as it rotates about its origin, in G of the solid. */
typedef struct fnd_side_part {
    double part;
    fender_vec3 force, moment;
} fnd_side_part;

/* Of a disk or cylinder, view->b, on a polytope or its likeness, view->a. `rounding`: of both. */
fnd_side_part fnd_patch_side_part(const fnd_surface_view *view, double rounding);

/* Of the columns above a cap, at `end` of the axis, up to a face: the part that the cap takes, beside steep faces with
 * which the face has an edge. */
fnd_side_part fnd_patch_column_part(const fnd_rotated *solid, double end, const fnd_cut_plane *face,
                                    const fnd_cut_plane *const *beside, int count);

#endif
