/* The separations that a pair function finds: a list that grows. */
#ifndef FND_COLLIDE_MANIFOLD_H
#define FND_COLLIDE_MANIFOLD_H

#include <fender/geometry.h>

typedef struct fnd_manifold {
    fender_separation *items;
    int count, capacity;
    const fender_env *env; /* NULL: it may not grow */
    bool failed;           /* no memory (or no room): something is missing */
    /* The deepest place of a patch, whose contacts stand for areas: a corner, mostly. Not a contact: weight 0. */
    fender_separation deepest;
    bool has_deepest;
} fnd_manifold;

bool fnd_manifold_grow(fnd_manifold *manifold);
void fnd_manifold_release(fnd_manifold *manifold);
static inline void fnd_manifold_add(fnd_manifold *manifold, fender_separation separation)
{
    if (manifold->count == manifold->capacity && !fnd_manifold_grow(manifold)) return;
    manifold->items[manifold->count++] = separation;
}
/* A place of a patch: point_b on b at `depth` below a. */
static inline void fnd_manifold_add_place(fnd_manifold *manifold, double depth, fender_vec3 point_b, fender_vec3 normal)
{
    if (!(depth > 0) || (manifold->has_deepest && depth <= -manifold->deepest.distance)) return;
    manifold->deepest = (fender_separation){.distance = -depth,
                                            .point_a = fender_vec3_add_scaled(point_b, depth, normal),
                                            .point_b = point_b,
                                            .normal = normal,
                                            .fades = true};
    manifold->has_deepest = true;
}
/* A single contact: weight 1. */
static inline fender_separation fnd_single(double distance, fender_vec3 point_a, fender_vec3 point_b,
                                           fender_vec3 normal, uint64_t feature)
{
    return (fender_separation){distance, point_a, point_b, normal, feature, 1, 0, 0, false, false, 0, false};
}

#endif
