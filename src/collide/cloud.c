/* Contact of a cloud with a solid: a contact for each of its points, named by the point's number. */
#include "collide/convex.h"
#include "collide/solid_point.h"

/* A point of the cloud against a user's convex solid, as a geometry of its own. Same result as fnd_ball_and_solid. */
static bool point_and_user(fender_vec3 offset, const fnd_placed *solid, const fnd_query *query,
                           fender_separation *found)
{
    const fender_geometry point = {.type = FENDER_GEOMETRY_POINT};
    const fnd_placed here = {&point, {0, 0, 0}, fender_mat3_identity()};
    const fnd_placed there = {solid->geometry, offset, solid->R_WG};
    const fnd_query uncached = {query->kind, query->reach, NULL}; /* the cache is for one pair of points */
    fnd_manifold one = {.items = found, .capacity = 1};
    fnd_convex_convex(&here, &there, &uncached, &one);
    return one.count == 1;
}

void fnd_cloud_solid(const fnd_placed *a, const fnd_placed *b, const fnd_query *query, fnd_manifold *out)
{
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG);
    bool user = b->geometry->type == FENDER_GEOMETRY_USER && b->geometry->user.support;
    bool nearest_alone = query->kind == FND_QUERY_DISTANCE;
    fender_separation nearest = {.distance = INFINITY};
    for (int i = 0; i < a->geometry->point_count; i++) {
        fender_vec3 point = fender_mat3_times(&a->R_WG, a->geometry->points[i]);
        fender_vec3 to_solid = fender_vec3_sub(offset, point);
        fender_separation found;
        bool within = user ? point_and_user(to_solid, b, query, &found)
                           : fnd_ball_and_solid(to_solid, 0, b, fnd_query_reach(query), &found);
        if (!within || (nearest_alone && !(found.distance < nearest.distance))) continue;
        found.point_a = point;
        found.point_b = fender_vec3_add(point, found.point_b);
        found.feature = (uint64_t)i;
        found.index = i;
        if (nearest_alone) nearest = found;
        else fnd_manifold_add(out, found);
    }
    if (nearest_alone && nearest.distance < INFINITY) fnd_manifold_add(out, nearest);
}
