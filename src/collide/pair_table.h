/* Who computes the contact of two geometries: THE matrix, and the signature of its entries. */
#ifndef FND_COLLIDE_PAIR_TABLE_H
#define FND_COLLIDE_PAIR_TABLE_H

#include <fender/geometry.h>

/* A geometry placed by the pose of its frame G in the world, as a matrix. */
typedef struct fnd_placed {
    const fender_geometry *geometry;
    fender_vec3 p_WG;
    fender_mat3 R_WG;
} fnd_placed;

/* Most contacts that one pair can have at once. */
#define FND_SEPARATION_CAPACITY 1

/* Writes up to FND_SEPARATION_CAPACITY separations of at most `reach` (INFINITY: at least one, whatever the distance)
 * and returns how many. Vectors in world axes, origin at a's p_WG (positions are subtracted first). Pure. */
typedef int fnd_pair_function(const fnd_placed *a, const fnd_placed *b, double reach, fender_separation *out);

/* The entry for (a, b), or NULL. Entries exist for both orders; a mirrored one gives the mirrored answer to the last
 * bit. */
fnd_pair_function *fnd_pair_function_find(fender_geometry_type a, fender_geometry_type b);

#endif
