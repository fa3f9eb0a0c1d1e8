/* Geometries of the user's own functions. */
#include "geometry/geometry_create.h"

#include "base/error.h"
#include "base/memory.h"
#include <string.h>

static bool refuse(const char *path, const char *message, const char *expected, fender_error *error)
{
    fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, path, message, "NULL", expected, ""});
    return false;
}

static bool check_class(const fender_geometry_class *type, const void *data, size_t data_size, fender_error *error)
{
    if (!type) return refuse("type", "a user geometry needs its class", "a filled fender_geometry_class", error);
    if (type->size != sizeof *type) {
        fnd_fail(error,
                 (fnd_fault){FENDER_STATUS_ARGUMENT, "type.size", "the class of a user geometry has another size",
                             fnd_number((double)type->size).text, fnd_number((double)sizeof *type).text,
                             "set size to sizeof(fender_geometry_class)"});
        return false;
    }
    if (!type->bounds) return refuse("type.bounds", "a user geometry needs its bounds", "a function", error);
    if (!type->support && !type->signed_distance)
        return refuse("type.support", "a user geometry needs a support function or a signed distance",
                      "one of support and signed_distance", error);
    if (data_size > 0 && !data) return refuse("data", "a user geometry has no data", "data_size bytes", error);
    return true;
}

static bool check_bounds(fender_box bounds, fender_error *error)
{
    const fender_vec3 corners[2] = {bounds.lower, bounds.upper};
    if (!fnd_check_points(corners, 2, "user geometry", "bounds", "corner", error)) return false;
    if (bounds.lower.x <= bounds.upper.x && bounds.lower.y <= bounds.upper.y && bounds.lower.z <= bounds.upper.z)
        return true;
    fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, "bounds", "the bounds of a user geometry are turned round",
                                "lower above upper", "lower at most upper, along every axis", ""});
    return false;
}

fender_geometry *fender_geometry_user(const fender_env *env, const fender_geometry_class *type, const void *data,
                                      size_t data_size, fender_error *error)
{
    if (!check_class(type, data, data_size, error)) return NULL;
    fender_geometry *geometry = fnd_geometry_create(env, FENDER_GEOMETRY_USER, error);
    if (!geometry) return NULL;
    geometry->user = *type;
    if (data_size > 0) {
        geometry->user_data = fnd_allocate(env, data_size);
        if (!geometry->user_data) {
            fnd_fail_memory(error, "the data of a user geometry");
            fender_geometry_release(geometry);
            return NULL;
        }
        memcpy(geometry->user_data, data, data_size);
        geometry->user_data_size = data_size;
    }
    geometry->bounds = type->bounds(geometry->user_data);
    if (!check_bounds(geometry->bounds, error)) {
        fender_geometry_release(geometry);
        return NULL;
    }
    fnd_geometry_measure(geometry);
    return geometry;
}
