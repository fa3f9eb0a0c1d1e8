/* Contact of a plane with a convex solid: its lowest point, by the support function in closed form.
 *
 * Where a face, an edge or a line of the solid is parallel to the plane to within rounding, all its points are lowest;
 * the middle is taken, so that a lying body is pushed there and not turned by rounding in its attitude. Slopes below
 * PARALLEL_FULL count as parallel, from there to PARALLEL_NONE the point moves continuously from the middle to the
 * exact one; that band is at the rounding of a rotation matrix, and the distance is that of the lowest point always. */
#include "collide/plane.h"

#include "collide/patch.h"
#include "geometry/direction.h"
#include "geometry/support.h"

#define PARALLEL_FULL 2e-15
#define PARALLEL_NONE 5e-15

/* 0: parallel, 1: not. */
static double inclined(double slope)
{
    double s = fabs(slope);
    if (s <= PARALLEL_FULL) return 0;
    return s >= PARALLEL_NONE ? 1 : (s - PARALLEL_FULL) / (PARALLEL_NONE - PARALLEL_FULL);
}

/* The end of [-half, half] on the side of d. */
static double end_towards(double half, double d) { return (d < 0 ? -half : half) * inclined(d); }

static fender_vec3 circle(double radius, fender_vec3 d, double z)
{
    double across = fnd_length_2(d.x, d.y), part = radius * inclined(across);
    return across > 0 ? fender_vec3_make(part * (d.x / across), part * (d.y / across), z) : fender_vec3_make(0, 0, z);
}

static fender_vec3 cone(double radius, double half_length, fender_vec3 d)
{
    double across = fnd_length_2(d.x, d.y), length = fnd_length_2(radius, 2 * half_length);
    fender_vec3 apex = {0, 0, half_length}, rim = circle(radius, d, -half_length);
    if (!(length > 0)) return apex;
    double slope = (2 * half_length * d.z - radius * across) / length; /* of the line from the rim to the apex */
    double part = 0.5 + (slope < 0 ? -0.5 : 0.5) * inclined(slope);
    return fender_vec3_add_scaled(rim, part, fender_vec3_sub(apex, rim));
}

static fender_vec3 ellipsoid(fender_vec3 semi_axes, fender_vec3 d)
{
    fender_vec3 w = {semi_axes.x * d.x, semi_axes.y * d.y, semi_axes.z * d.z};
    double longest = fnd_largest_component(semi_axes), length = fnd_length_and_direction(w, &w);
    double part = longest > 0 ? inclined(length / longest) : 0;
    return fender_vec3_make(part * semi_axes.x * w.x, part * semi_axes.y * w.y, part * semi_axes.z * w.z);
}

static fender_vec3 hull(const fnd_polytope *polytope, double size, fender_vec3 d)
{
    double most = -INFINITY, weight = 0;
    for (int i = 0; i < polytope->vertex_count; i++) {
        double along = fender_vec3_dot(polytope->vertices[i], d);
        if (along > most) most = along;
    }
    fender_vec3 sum = {0, 0, 0}, first = {0, 0, 0};
    for (int i = 0; i < polytope->vertex_count; i++) {
        double short_of = most - fender_vec3_dot(polytope->vertices[i], d);
        double share = size > 0 ? 1 - inclined(short_of / size) : 1;
        if (share <= 0) continue;
        if (weight == 0) first = polytope->vertices[i]; /* alone it stays what it is */
        weight += share;
        sum = fender_vec3_add_scaled(sum, share, fender_vec3_sub(polytope->vertices[i], first));
    }
    return weight > 0 ? fender_vec3_add_scaled(first, 1 / weight, sum) : first;
}

/* The point of the core farthest along the unit vector d, both in G. */
static fender_vec3 farthest(const fender_geometry *geometry, fender_vec3 d)
{
    double radius = geometry->radius, half_length = geometry->half_length;
    switch (geometry->type) {
    case FENDER_GEOMETRY_CAPSULE: return fender_vec3_make(0, 0, end_towards(half_length, d.z));
    case FENDER_GEOMETRY_DISK: return circle(radius, d, 0);
    case FENDER_GEOMETRY_CYLINDER: return circle(radius, d, end_towards(half_length, d.z));
    case FENDER_GEOMETRY_CONE: return cone(radius, half_length, d);
    case FENDER_GEOMETRY_ELLIPSOID: return ellipsoid(geometry->half, d);
    case FENDER_GEOMETRY_BOX:
        return fender_vec3_make(end_towards(geometry->half.x, d.x), end_towards(geometry->half.y, d.y),
                                end_towards(geometry->half.z, d.z));
    case FENDER_GEOMETRY_HULL: return hull(geometry->polytope, geometry->bounding_radius - geometry->rounding, d);
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_USER:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return fnd_support(geometry, d);
}

void fnd_plane_convex(const fnd_placed *a, const fnd_placed *b, const fnd_query *query, fnd_manifold *out)
{
    if (query->kind == FND_QUERY_PATCH && fnd_patch_plane(a, b, query, out)) return;
    double reach = fnd_query_reach(query), rounding = fnd_core_rounding(b->geometry);
    fender_vec3 offset = fender_vec3_sub(b->p_WG, a->p_WG), normal;
    fnd_length_and_direction(fender_mat3_column(&a->R_WG, 2), &normal);
    double height = fender_vec3_dot(normal, offset);
    if (height - b->geometry->bounding_radius > reach * (reach > 0 ? 1.00000000000001 : 1)) return;
    fender_vec3 lowest_G = farthest(b->geometry, fender_mat3_transpose_times(&b->R_WG, fender_vec3_negate(normal)));
    fender_vec3 lowest = fender_mat3_times(&b->R_WG, lowest_G);
    double distance = height + fender_vec3_dot(normal, lowest) - rounding;
    if (distance > reach) return;
    fender_vec3 point_b = fender_vec3_add_scaled(fender_vec3_add(offset, lowest), -rounding, normal);
    fnd_manifold_add(out, fnd_single(distance, fender_vec3_add_scaled(point_b, -distance, normal), point_b, normal, 0));
}
