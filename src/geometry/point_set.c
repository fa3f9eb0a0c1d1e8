/* Constructors of the geometries that points describe. */
#include "geometry/geometry_create.h"

#include "base/error.h"
#include "base/memory.h"
#include <string.h>

fender_geometry *fender_geometry_cloud(const fender_env *env, const fender_vec3 *points, int count, fender_error *error)
{
    if (!fnd_check_points(points, count, "cloud", "points", "point", error)) return NULL;
    fender_geometry *geometry = fnd_geometry_create(env, FENDER_GEOMETRY_CLOUD, error);
    if (!geometry) return NULL;
    geometry->points = fnd_allocate(env, (size_t)count * sizeof *points);
    if (!geometry->points) {
        fnd_fail_memory(error, "the points of a cloud");
        fender_geometry_release(geometry);
        return NULL;
    }
    memcpy(geometry->points, points, (size_t)count * sizeof *points);
    geometry->point_count = count;
    fnd_geometry_measure(geometry);
    return geometry;
}

fender_geometry *fender_geometry_hull(const fender_env *env, const fender_vec3 *points, int count, fender_error *error)
{
    if (!fnd_check_points(points, count, "hull", "points", "point", error)) return NULL;
    fender_geometry *geometry = fnd_geometry_create(env, FENDER_GEOMETRY_HULL, error);
    if (!geometry) return NULL;
    geometry->polytope = fnd_polytope_of_points(env, points, count);
    if (!geometry->polytope || !fnd_geometry_make_skin(geometry)) {
        fnd_fail_memory(error, "the faces of a hull");
        fender_geometry_release(geometry);
        return NULL;
    }
    fnd_geometry_measure(geometry);
    return geometry;
}
