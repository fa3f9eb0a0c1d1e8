/* The nearest point of a placed geometry: the public question, answered by kind of geometry. */
#include "geometry/geometry_create.h"
#include "geometry/point_query.h"

static bool of_place(const fnd_surface *s, fender_vec3 p, const fnd_surface_place *place, fender_nearest *out)
{
    if (place->triangle < 0) return false;
    out->normal = fnd_surface_normal(s, place);
    bool behind = fnd_surface_is_behind_normal(s, p, place, &out->normal);
    out->distance = behind ? -place->distance : place->distance;
    out->point = place->point;
    out->part = place->feature == FND_ON_TRIANGLE ? FENDER_ON_FACE
                : place->feature == FND_ON_EDGE   ? FENDER_ON_EDGE
                                                  : FENDER_ON_VERTEX;
    out->corner = place->corner;
    out->feature = (uint64_t)place->triangle;
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
        fnd_surface_place place = fnd_surface_nearest(g->surface, p, limit);
        out->found = of_place(g->surface, p, &place, out);
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

/* The axes of a pose; false: not a pose. */
static bool axes_of(const fender_pose *pose, fender_mat3 *R)
{
    fender_quaternion q = pose->q;
    double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!fender_vec3_is_finite(pose->p) || !(norm > 0) || !isfinite(norm)) return false;
    *R = fender_quaternion_matrix(fender_quaternion_normalized(q));
    return true;
}

static fender_nearest placed(const fender_pose *X_WG, const fender_mat3 *R, fender_nearest found)
{
    if (!found.found) return (fender_nearest){0};
    found.point = fender_vec3_add(X_WG->p, fender_mat3_times(R, found.point));
    found.normal = fender_mat3_times(R, found.normal);
    return found;
}

fender_status fender_geometry_nearest_point(const fender_geometry *geometry, const fender_pose *X_WG, fender_vec3 point,
                                            double max_distance, fender_nearest *nearest)
{
    if (!geometry || !X_WG || !nearest) return FENDER_STATUS_ARGUMENT;
    fender_mat3 R;
    if (!fender_vec3_is_finite(point) || !(max_distance >= 0) || !axes_of(X_WG, &R)) return FENDER_STATUS_VALUE;
    fender_nearest found = {0};
    fender_vec3 p = fender_mat3_transpose_times(&R, fender_vec3_sub(point, X_WG->p));
    fender_status status = in_geometry(geometry, p, max_distance, &found);
    *nearest = status == FENDER_STATUS_OK ? placed(X_WG, &R, found) : (fender_nearest){0};
    return status;
}

fender_status fender_geometry_nearest_points(const fender_geometry *geometry, const fender_pose *X_WG,
                                             const fender_vec3 *points, int count, double max_distance,
                                             fender_nearest *nearest)
{
    if (!geometry || !X_WG || count < 0 || (count > 0 && (!points || !nearest))) return FENDER_STATUS_ARGUMENT;
    fender_mat3 R;
    if (!(max_distance >= 0) || !axes_of(X_WG, &R)) return FENDER_STATUS_VALUE;
    for (int i = 0; i < count; i++)
        if (!fender_vec3_is_finite(points[i])) return FENDER_STATUS_VALUE;
    enum { TOGETHER = 32 };
    for (int first = 0; first < count; first += TOGETHER) {
        fender_vec3 p[TOGETHER];
        fnd_surface_place places[TOGETHER];
        int some = count - first < TOGETHER ? count - first : TOGETHER;
        for (int i = 0; i < some; i++)
            p[i] = fender_mat3_transpose_times(&R, fender_vec3_sub(points[first + i], X_WG->p));
        if (geometry->surface) fnd_surface_nearest_many(geometry->surface, p, some, max_distance, places);
        for (int i = 0; i < some; i++) {
            fender_nearest found = {0};
            if (geometry->surface) found.found = of_place(geometry->surface, p[i], &places[i], &found);
            else {
                fender_status status = in_geometry(geometry, p[i], max_distance, &found);
                if (status != FENDER_STATUS_OK) return status;
            }
            nearest[first + i] = placed(X_WG, &R, found);
        }
    }
    return FENDER_STATUS_OK;
}
