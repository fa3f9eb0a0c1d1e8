/* Corners of boxes and hulls as contacts of their own: the vertices are a cloud, each with its weight. */
#include "collide/corners.h"

#include "geometry/support.h"

/* Names: the number of the vertex, and this for those of b and for the deepest contact. */
#define CORNER_OF_B ((uint64_t)1 << 32)
#define NO_CORNER   ((uint64_t)1 << 33)

static bool takes_corners(const fender_geometry *geometry)
{
    switch (fnd_geometry_class_of(geometry)) {
    case FND_CLASS_PLANE:
    case FND_CLASS_GRID:
    case FND_CLASS_MESH:
    case FND_CLASS_FIELD: return true;
    case FND_CLASS_CONVEX: return geometry->polytope != NULL;
    case FND_CLASS_POINT:
    case FND_CLASS_CLOUD:
    case FND_CLASS_SPHERE:
    case FND_CLASS_CAPSULE:
    case FND_CLASS_DISK:
    case FND_CLASS_PROBE:
    case FND_CLASS_COUNT: break;
    }
    return false;
}

bool fnd_corners_touch(const fender_geometry *a, const fender_geometry *b)
{
    return (a->polytope && takes_corners(b)) || (b->polytope && takes_corners(a));
}

bool fnd_corners_are_all(const fender_geometry *a, const fender_geometry *b)
{
    return (a->polytope && fnd_geometry_class_of(b) == FND_CLASS_PLANE) ||
           (b->polytope && fnd_geometry_class_of(a) == FND_CLASS_PLANE);
}

/* The corners of a, or those of b, each a ball of its solid's rounding. Returns the least distance among them. */
static double add_corners(const fnd_placed *a, const fnd_placed *b, bool of_b, double reach, fnd_manifold *out)
{
    const fender_geometry *solid = of_b ? b->geometry : a->geometry;
    const fender_geometry cloud = {.type = FENDER_GEOMETRY_CLOUD,
                                   .points = solid->polytope->vertices,
                                   .point_count = solid->polytope->vertex_count};
    const double rounding = fnd_core_rounding(solid);
    const fnd_placed corners = {&cloud, of_b ? b->p_WG : a->p_WG, of_b ? b->R_WG : a->R_WG};
    const fnd_query query = {FND_QUERY_SINGLE, reach + rounding, NULL};
    const fnd_placed *first = of_b ? a : &corners, *second = of_b ? &corners : b;
    const fnd_pair_entry entry = fnd_pair_find(first->geometry, second->geometry);
    double least = INFINITY;
    int at = out->count;
    fnd_pair_evaluate(&entry, first, second, &query, out);
    for (; at < out->count; at++) {
        fender_separation *s = &out->items[at];
        s->distance -= rounding;
        s->weight = solid->polytope->corner_weights[s->index];
        if (of_b) s->point_b = fender_vec3_add_scaled(s->point_b, -rounding, s->normal);
        else s->point_a = fender_vec3_add_scaled(s->point_a, rounding, s->normal);
        if (of_b) s->feature += CORNER_OF_B;
        if (s->distance < least) least = s->distance;
    }
    return least;
}

void fnd_corners(const fnd_pair_entry *entry, const fnd_placed *a, const fnd_placed *b, const fnd_query *query,
                 fnd_manifold *out)
{
    double least = INFINITY;
    for (int of_b = 0; of_b < 2; of_b++) {
        const fender_geometry *solid = of_b ? b->geometry : a->geometry, *other = of_b ? a->geometry : b->geometry;
        if (!solid->polytope || !takes_corners(other)) continue;
        double nearest = add_corners(a, b, of_b, query->reach, out);
        if (nearest < least) least = nearest;
    }
    if (least < 0 || fnd_corners_are_all(a->geometry, b->geometry)) return;
    const fnd_query single = {FND_QUERY_SINGLE, 0, query->cache};
    int first = out->count;
    fnd_pair_evaluate(entry, a, b, &single, out);
    for (int i = first; i < out->count; i++) out->items[i].feature = NO_CORNER;
}
