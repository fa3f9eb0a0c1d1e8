/* Who computes the contact of two geometries: THE matrix, and the signature of its entries. */
#ifndef FND_COLLIDE_PAIR_TABLE_H
#define FND_COLLIDE_PAIR_TABLE_H

#include "collide/manifold.h"
#include "geometry/geometry.h"
#include <math.h>

/* A geometry placed by the pose of its frame G in the world, as a matrix. */
typedef struct fnd_placed {
    const fender_geometry *geometry;
    fender_vec3 p_WG;
    fender_mat3 R_WG;
} fnd_placed;

typedef enum fnd_query_kind {
    FND_QUERY_DISTANCE, /* the one separation of least distance, whatever `reach` */
    FND_QUERY_SINGLE,   /* one contact per pair, per point of a cloud */
    FND_QUERY_PATCH,    /* and patches where faces meet */
    FND_QUERY_CORNERS   /* and the corners of polytopes; pair functions never see it */
} fnd_query_kind;
typedef struct fnd_query {
    fnd_query_kind kind;
    double reach;                   /* separations up to this distance are wanted; may be INFINITY */
    fender_separation_cache *cache; /* NULL: none */
} fnd_query;

static inline fnd_query_kind fnd_query_of_points(fender_contact_points points)
{
    return points == FENDER_CONTACT_POINTS_SINGLE    ? FND_QUERY_SINGLE
           : points == FENDER_CONTACT_POINTS_CORNERS ? FND_QUERY_CORNERS
                                                     : FND_QUERY_PATCH;
}

static inline double fnd_query_reach(const fnd_query *query)
{
    return query->kind == FND_QUERY_DISTANCE ? INFINITY : query->reach;
}

/* Adds the separations of a pair to `out`. Vectors in world axes, origin at a's p_WG (positions are subtracted first).
 * Pure but for out and the cache. DISTANCE adds exactly one for finite poses. Any order: the caller sorts by feature.
 */
typedef void fnd_pair_function(const fnd_placed *a, const fnd_placed *b, const fnd_query *query, fnd_manifold *out);

/* The function for (a, b) or for (b, a), then `mirrored`; function NULL: there is none. Call it through
 * fnd_pair_evaluate. */
typedef struct fnd_pair_entry {
    fnd_pair_function *function;
    bool mirrored;
} fnd_pair_entry;
fnd_pair_entry fnd_pair_find(const fender_geometry *a, const fender_geometry *b);
/* Turns round what was found for (b, a) since `first`, with features of patches. */
void fnd_pair_mirror(const fnd_placed *a, const fnd_placed *b, int first, fnd_manifold *out);
/* CORNERS is done here (collide/corners.h) and is PATCH for pairs without corners.
 * Runs the entry, turns round what it found when mirrored, sorts it by feature. What was in `out` before stays. The
 * mirrored pair gives the mirrored answer to the last bit, but for patches of two solids with faces of one size. */
void fnd_pair_evaluate(const fnd_pair_entry *entry, const fnd_placed *a, const fnd_placed *b, const fnd_query *query,
                       fnd_manifold *out);

#endif
