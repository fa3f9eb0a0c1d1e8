/* The nearest point of a placed geometry: the public question, answered by kind of geometry. */
#include "geometry/geometry_create.h"
#include "geometry/point_query.h"

static bool of_surface(const fender_geometry *g, fender_vec3 p, double limit, fender_nearest *out)
{
    fnd_surface_place place = fnd_surface_nearest(g->surface, p, limit);
    if (place.triangle < 0) return false;
    bool behind = fnd_surface_is_behind(g->surface, p, &place);
    out->distance = behind ? -place.distance : place.distance;
    out->point = place.point;
    out->normal = fnd_surface_normal(g->surface, &place);
    out->part = place.feature == FND_ON_TRIANGLE ? FENDER_ON_FACE
                : place.feature == FND_ON_EDGE   ? FENDER_ON_EDGE
                                                 : FENDER_ON_VERTEX;
    out->corner = place.corner;
    out->feature = (uint64_t)place.triangle;
    return true;
}

static bool of_cloud(const fender_geometry *g, fender_vec3 p, double limit, fender_nearest *out)
{
    double least = INFINITY;
    for (int i = 0; i < g->point_count; i++) {
        double distance = fnd_length(fender_vec3_sub(p, g->points[i]));
        if (!(distance < least)) continue;
        least = distance;
        out->feature = (uint64_t)i;
    }
    if (!(least <= limit)) return false;
    out->point = g->points[out->feature];
    out->distance = least;
    fender_vec3 from = fender_vec3_sub(p, out->point);
    out->normal = least > 0 ? fender_vec3_make(from.x / least, from.y / least, from.z / least)
                            : fender_vec3_make(0, 0, 1);
    return true;
}

static fender_status in_geometry(const fender_geometry *g, fender_vec3 p, double limit, fender_nearest *out)
{
    if (g->surface) {
        out->found = of_surface(g, p, limit, out);
        return FENDER_STATUS_OK;
    }
    if (g->type == FENDER_GEOMETRY_CLOUD) {
        out->found = of_cloud(g, p, limit, out);
        return FENDER_STATUS_OK;
    }
    fnd_surface_point at;
    if (!fnd_point_query(g, p, &at)) return FENDER_STATUS_NO_PAIR_FUNCTION;
    out->found = fabs(at.distance) <= limit;
    out->distance = at.distance;
    out->point = at.point;
    out->normal = at.normal;
    out->feature = at.feature & UINT32_MAX;
    return FENDER_STATUS_OK;
}

fender_status fender_geometry_nearest_point(const fender_geometry *geometry, const fender_pose *X_WG, fender_vec3 point,
                                            double max_distance, fender_nearest *nearest)
{
    if (!geometry || !X_WG || !nearest) return FENDER_STATUS_ARGUMENT;
    fender_quaternion q = X_WG->q;
    double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!fender_vec3_is_finite(point) || !fender_vec3_is_finite(X_WG->p) || !(norm > 0) || !isfinite(norm) ||
        !(max_distance >= 0))
        return FENDER_STATUS_VALUE;
    *nearest = (fender_nearest){0};
    fender_mat3 R = fender_quaternion_matrix(fender_quaternion_normalized(q));
    fender_nearest found = {0};
    fender_vec3 p = fender_mat3_transpose_times(&R, fender_vec3_sub(point, X_WG->p));
    fender_status status = in_geometry(geometry, p, max_distance, &found);
    if (status != FENDER_STATUS_OK || !found.found) return status;
    *nearest = found;
    nearest->point = fender_vec3_add(X_WG->p, fender_mat3_times(&R, found.point));
    nearest->normal = fender_mat3_times(&R, found.normal);
    return FENDER_STATUS_OK;
}
