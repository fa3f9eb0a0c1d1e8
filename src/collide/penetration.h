/* Least translation that parts two overlapping cores. */
#ifndef FND_COLLIDE_PENETRATION_H
#define FND_COLLIDE_PENETRATION_H

#include "collide/gjk.h"

/* From the simplex that fnd_gjk left touching. out->distance is minus the least translation; positive by rounding
 * where the cores only touch. */
void fnd_penetration(const fnd_convex_pair *pair, const fnd_simplex *simplex, fnd_core_separation *out);

/* Polytopes only: the same by all faces of both and all pairs of edges; slow, with no case that it cannot do. Returns
 * by how much the points miss each other. */
double fnd_penetration_of_all(const fnd_convex_pair *pair, fnd_core_separation *out);

#endif
