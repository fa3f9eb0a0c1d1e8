/* Contact of a point or ball with a solid: the solid's nearest surface point to the centre, then the radius.
 *
 * Exact in overlap too: the least translation that brings a ball out of a convex solid is the depth of its centre and
 * the radius. */
#include "collide/solid_point.h"

#include "collide/convex.h"
#include "geometry/point_query.h"

/* The bounding test may not reject what the exact test would keep. */
#define BOUND_MARGIN 1.00000000000001

bool fnd_ball_and_solid(fender_vec3 offset, double radius, const fnd_placed *solid, double reach,
                        fender_separation *found)
{
    double bound = solid->geometry->bounding_radius + radius + reach;
    if (bound >= 0 && fender_vec3_dot(offset, offset) > bound * bound * BOUND_MARGIN) return false;
    fnd_surface_point nearest;
    fender_vec3 center_G = fender_mat3_transpose_times(&solid->R_WG, fender_vec3_negate(offset));
    if (!fnd_point_query(solid->geometry, center_G, &nearest)) return false;
    double distance = nearest.distance - radius;
    if (distance > reach) return false;
    fender_vec3 normal = fender_vec3_negate(fender_mat3_times(&solid->R_WG, nearest.normal));
    *found = fnd_single(distance, fender_vec3_scale(radius, normal), fender_vec3_scale(nearest.distance, normal),
                        normal, 0);
    return true;
}

void fnd_sphere_solid(const fnd_placed *a, const fnd_placed *b, const fnd_query *query, fnd_manifold *out)
{
    if (b->geometry->type == FENDER_GEOMETRY_USER && b->geometry->user.support) {
        fnd_convex_convex(a, b, query, out);
        return;
    }
    fender_separation found;
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG);
    if (fnd_ball_and_solid(offset, a->geometry->radius, b, fnd_query_reach(query), &found))
        fnd_manifold_add(out, found);
}
