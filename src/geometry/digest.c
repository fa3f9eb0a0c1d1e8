/* A number that tells geometries of other sizes, points or triangles apart. */
#include "base/hash.h"
#include "geometry/geometry.h"
#include "geometry/polytope.h"
#include "geometry/surface.h"
#include <string.h>

static uint64_t hash_sizes(uint64_t hash, const fender_geometry *g)
{
    const double sizes[] = {g->radius,         g->half_length,    g->half.x,         g->half.y,
                            g->half.z,         g->range,          g->cushion,        g->rounding,
                            g->bounds.lower.x, g->bounds.lower.y, g->bounds.lower.z, g->bounds.upper.x,
                            g->bounds.upper.y, g->bounds.upper.z};
    hash = fnd_hash_u64(fnd_hash_u64(hash, (uint64_t)g->type), (uint64_t)g->literal);
    return fnd_hash_bytes(hash, sizes, sizeof sizes);
}

static uint64_t hash_points(uint64_t hash, const fender_vec3 *points, int count)
{
    return fnd_hash_bytes(fnd_hash_u64(hash, (uint64_t)count), points, (size_t)count * sizeof *points);
}

/* Data of a user geometry may contain addresses: its name and its box stand for it. */
static uint64_t hash_whole(const fender_geometry *g)
{
    uint64_t hash = hash_sizes(FND_HASH_START, g);
    if (g->points) hash = hash_points(hash, g->points, g->point_count);
    if (g->polytope) hash = hash_points(hash, g->polytope->vertices, g->polytope->vertex_count);
    if (g->surface) {
        const fnd_surface *s = g->surface;
        hash = hash_points(hash, s->vertices, s->vertex_count);
        hash = fnd_hash_u64(hash, (uint64_t)s->triangle_count);
        if (s->triangles) hash = fnd_hash_bytes(hash, s->triangles, (size_t)s->triangle_count * sizeof *s->triangles);
    }
    if (g->type == FENDER_GEOMETRY_USER && g->user.name)
        hash = fnd_hash_bytes(hash, g->user.name, strlen(g->user.name));
    return hash;
}

uint32_t fnd_geometry_digest(fender_geometry *g)
{
    uint32_t digest = atomic_load_explicit(&g->digest, memory_order_relaxed);
    if (digest != 0) return digest;
    const uint64_t hash = hash_whole(g);
    digest = (uint32_t)(hash ^ hash >> 32) | 1u; /* whoever else comes first finds the same */
    atomic_store_explicit(&g->digest, digest, memory_order_relaxed);
    return digest;
}
