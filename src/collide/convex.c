/* Entry of the pair table for convex solids: cores by GJK and the search of an overlap, then the roundings.
 *
 * Distance = distance of the cores less both roundings. That is exact in overlap too: the least translation that parts
 * the swept cores is that of the cores, in the same direction, and both roundings more. */
#include "collide/convex.h"

#include "collide/surface.h"

#include <string.h>

static int compare(double a, double b) { return a < b ? -1 : a > b; }

/* An order of two placed geometries by what they are and where, not by who is called first. */
static int order_of(const fnd_placed *a, const fnd_placed *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int c = compare(a->R_WG.m[i][j], b->R_WG.m[i][j]);
            if (c) return c;
        }
    const fender_geometry *g = a->geometry, *h = b->geometry;
    const double left[] = {a->p_WG.x,      a->p_WG.y, a->p_WG.z, (double)g->type, g->radius,
                           g->half_length, g->half.x, g->half.y, g->half.z,       g->rounding};
    const double right[] = {b->p_WG.x,      b->p_WG.y, b->p_WG.z, (double)h->type, h->radius,
                            h->half_length, h->half.x, h->half.y, h->half.z,       h->rounding};
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        int c = compare(left[i], right[i]);
        if (c) return c;
    }
    if (g == h || !g->polytope || !h->polytope) return 0;
    int c = compare(g->polytope->vertex_count, h->polytope->vertex_count);
    for (int i = 0; i < g->polytope->vertex_count && c == 0; i++) {
        fender_vec3 u = g->polytope->vertices[i], v = h->polytope->vertices[i];
        c = compare(u.x, v.x);
        if (c == 0) c = compare(u.y, v.y);
        if (c == 0) c = compare(u.z, v.z);
    }
    return c;
}

/* A polytope, segment or point, swept by a ball or not? */
static bool has_vertices(const fender_geometry *g)
{
    return g->polytope || g->type == FENDER_GEOMETRY_CAPSULE || g->type == FENDER_GEOMETRY_SPHERE ||
           g->type == FENDER_GEOMETRY_POINT;
}

enum { FND_WIDEST_FROM = 32 };

/* The search for what registers this machine has; every one yields the same bits. The widest slow down all else, and
 * pay where there is much to scan. */
static fnd_convex_search_function *search(const fender_geometry *a, const fender_geometry *b)
{
#if defined __x86_64__ && defined __GNUC__
    bool many = (a->polytope && a->polytope->vertex_count > FND_WIDEST_FROM) ||
                (b->polytope && b->polytope->vertex_count > FND_WIDEST_FROM);
    if (many && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return fnd_convex_search_avx512;
    if (__builtin_cpu_supports("avx2")) return fnd_convex_search_avx2;
#else
    (void)a, (void)b;
#endif
    return fnd_convex_search_plain;
}

/* The separation of a pair in order; false: beyond the limit. World axes, origin at a's. */
static inline bool separation_of(const fnd_placed *a, const fnd_placed *b, double reach, fender_separation_cache *cache,
                                 bool swapped, fender_separation *out)
{
    fnd_convex_pair pair;
    fnd_core_separation core;
    bool polytopes = has_vertices(a->geometry) && has_vertices(b->geometry);
    fnd_convex_search_function *function = polytopes ? search(a->geometry, b->geometry) : fnd_convex_search_curved;
    if (!function(a, b, &pair, reach, cache, swapped, &core)) return false;
    double roundings = pair.a.rounding + pair.b.rounding;
    double core_distance = core.distance / pair.unit, distance = core_distance - roundings;
    if (distance > reach) return false;
    fender_vec3 n = fender_mat3_times(&a->R_WG, core.normal);
    if (!polytopes) n = fender_vec3_scale(1 / fender_vec3_length(n), n);
    fender_vec3 core_a = fender_vec3_scale(1 / pair.unit, core.point_a);
    fender_vec3 point_a = fender_mat3_times(&a->R_WG, fender_vec3_add_scaled(core_a, pair.a.rounding, core.normal));
    *out = fnd_single(distance, point_a, fender_vec3_add_scaled(point_a, distance, n), n, 0);
    return true;
}

/* Patches fade to nothing where solids part at an edge; a solid inside another has none either and is pushed out. */
static double weight_without_patch(const fender_geometry *a, const fender_geometry *b, double depth)
{
    const fender_vec3 u = fender_vec3_sub(a->bounds.upper, a->bounds.lower),
                      v = fender_vec3_sub(b->bounds.upper, b->bounds.lower);
    const double sizes[6] = {u.x, u.y, u.z, v.x, v.y, v.z};
    double least = sizes[0];
    for (int i = 1; i < 6; i++) least = sizes[i] < least ? sizes[i] : least;
    double beyond = 4 * depth / least - 1; /* 0 at a quarter of the thickness, 1 at half of it */
    return !(beyond > 0) ? 0 : beyond < 1 ? beyond : 1;
}

void fnd_convex_convex(const fnd_placed *a, const fnd_placed *b, const fnd_query *query, fnd_manifold *out)
{
    bool swapped = order_of(a, b) > 0;
    const fnd_placed *first = swapped ? b : a, *second = swapped ? a : b;
    fender_separation found;
    if (!separation_of(first, second, fnd_query_reach(query), query->cache, swapped, &found)) return;
    if (swapped) {
        fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG), point_a = found.point_a;
        found.point_a = fender_vec3_add(found.point_b, offset);
        found.point_b = fender_vec3_add(point_a, offset);
        found.normal = fender_vec3_negate(found.normal);
    }
    if (query->kind == FND_QUERY_PATCH && found.distance <= 0) {
        if (fnd_surface_has_patches(a->geometry, b->geometry)) {
            if (fnd_surface_patches(a, b, out)) return;
            found.weight = weight_without_patch(a->geometry, b->geometry, -found.distance);
        }
    }
    fnd_manifold_add(out, found);
}
