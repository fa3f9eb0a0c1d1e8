/* Distance of the cores of two convex solids that are apart (Gilbert, Johnson, Keerthi). */
#ifndef FND_COLLIDE_GJK_H
#define FND_COLLIDE_GJK_H

#include "collide/convex.h"

typedef enum fnd_gjk_result {
    FND_GJK_APART,   /* *out is the distance, to rounding between polytopes */
    FND_GJK_BEYOND,  /* farther than the limit */
    FND_GJK_TOUCHING /* nearer than rounding, or overlapping: the simplex is near or around the origin */
} fnd_gjk_result;

/* `limit`: distance of the cores beyond which nothing is wanted. The simplex is that of a former query (count 0: none)
 * and is left as it was at the end. */
fnd_gjk_result fnd_gjk(const fnd_convex_pair *pair, double limit, fnd_simplex *simplex, fnd_core_separation *out);

/* Polytopes: the same from a simplex that doubles cannot tell the nearest face of. */
fnd_gjk_result fnd_gjk_precise(const fnd_convex_pair *pair, fnd_simplex *simplex, fnd_core_separation *out);

/* Polytopes: the separation along n (unit), with points that lie opposite each other on the faces, edges or vertices
 * that are farthest along it. Returns by how much they miss each other. */
double fnd_gjk_opposite(const fnd_convex_pair *pair, fender_vec3 n, fnd_core_separation *out);

/* Part of the scale of a pair below which a length is rounding. */
#define FND_CONVEX_ROUNDING (8 * 2.220446049250313e-16)

#endif
