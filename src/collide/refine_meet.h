/* Do two flat sets lie opposite each other? */
#ifndef FND_COLLIDE_REFINE_MEET_H
#define FND_COLLIDE_REFINE_MEET_H

#include "collide/refine_piece.h"

/* Points of both that lie opposite each other across the plane of the two directions, near the middle of the overlap;
 * returns by how much they miss each other. */
double fnd_flat_meet(const fnd_flat_set *a, const fnd_flat_set *b, const fender_vec3 across[2], fender_vec3 *point_a,
                     fender_vec3 *point_b);
/* Do both together extend in two directions? About the width of their difference; 0: a point or a line. */
double fnd_flat_width(const fnd_flat_set *a, const fnd_flat_set *b);

#endif
