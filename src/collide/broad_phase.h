/* Which boxes overlap: fattened boxes that stay good until something leaves its own, sorted and swept along one axis.
 */
#ifndef FND_COLLIDE_BROAD_PHASE_H
#define FND_COLLIDE_BROAD_PHASE_H

#include "base/sort.h"
#include <fender/base.h>
#include <fender/spatial.h>

typedef struct fnd_fat_box {
    fender_vec3 center, half;
    bool present;
} fnd_fat_box;

typedef struct fnd_broad_phase {
    fnd_fat_box *boxes;
    fnd_sort_real *order, *order_scratch;
    int count;
    uint64_t *pairs; /* (low << 32 | high), rising */
    int pair_count, pair_capacity;
    uint64_t *pair_scratch;
    int scratch_capacity;
    bool valid; /* false: rebuild before use */
} fnd_broad_phase;

/* Says whether the two may ever touch. */
typedef bool fnd_eligible(const void *ctx, int low, int high);

bool fnd_broad_phase_create(const fender_env *env, fnd_broad_phase *broad, int count, int pair_capacity);
void fnd_broad_phase_destroy(const fender_env *env, fnd_broad_phase *broad);

static inline bool fnd_fat_box_holds(const fnd_fat_box *fat, fender_vec3 center, fender_vec3 half)
{
    return fabs(center.x - fat->center.x) + half.x <= fat->half.x &&
           fabs(center.y - fat->center.y) + half.y <= fat->half.y &&
           fabs(center.z - fat->center.z) + half.z <= fat->half.z;
}

/* Finds the overlapping eligible pairs of the present boxes anew, in rising order. False: no memory. The set found
 * depends on how fat the boxes are; what touches in the end does not, because the narrow phase decides. */
bool fnd_broad_phase_rebuild(const fender_env *env, fnd_broad_phase *broad, fnd_eligible *eligible, const void *ctx);

#endif
