/* Flat faces of convex solids: of polytopes, and the caps of disks, cylinders and cones. */
#ifndef FND_COLLIDE_PATCH_FACES_H
#define FND_COLLIDE_PATCH_FACES_H

#include "collide/patch_floor.h"

typedef struct fnd_faces {
    const fnd_placed *placed;
    fender_vec3 p; /* its origin, from a's p_WG */
} fnd_faces;

int fnd_faces_count(const fnd_faces *solid);
fender_vec3 fnd_faces_normal(const fnd_faces *solid, int face); /* outward, world axes */

/* Patches of all faces of a that look along floor->normal with all of b that look against it. The axes of the points
 * turn with a face of a or b (-1: not with this one). turns_with_b: 0 for a normal that turns with a, 1 with b.
 * `origin`: a point near the contact. */
void fnd_patch_add_faces(fnd_patch_floor *floor, const fnd_faces *a, const fnd_faces *b, int axes_of_a, int axes_of_b,
                         fender_vec3 origin, double turns_with_b);

#endif
