/* Shapes swept by a ball: they share the data of the shape that they were made of. */
#include "geometry/geometry_create.h"

#include "base/error.h"
#include <stdio.h>

static bool can_be_rounded(const fender_geometry *geometry)
{
    switch (geometry->type) {
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_CAPSULE:
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_BOX:
    case FENDER_GEOMETRY_CYLINDER:
    case FENDER_GEOMETRY_CONE:
    case FENDER_GEOMETRY_ELLIPSOID:
    case FENDER_GEOMETRY_HULL: return true;
    case FENDER_GEOMETRY_USER: return geometry->user.support != NULL;
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return false;
}

fender_geometry *fender_geometry_rounded(const fender_geometry *geometry, double radius, fender_error *error)
{
    const char *name = fender_geometry_type_name(geometry->type);
    if (!can_be_rounded(geometry)) {
        char message[96];
        snprintf(message, sizeof message, "a %s cannot be rounded", name);
        fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "geometry", message, name,
                                    "a point, sphere, capsule, disk, box, cylinder, cone, ellipsoid, hull, or a user "
                                    "geometry with support",
                                    ""});
        return NULL;
    }
    if (!fnd_check_length(radius, name, "rounding", "rounding", error)) return NULL;
    double total = geometry->radius + radius;
    fender_geometry_type type = geometry->type;
    if (type == FENDER_GEOMETRY_POINT || type == FENDER_GEOMETRY_SPHERE)
        return fender_geometry_sphere(&geometry->env, total, error);
    if (type == FENDER_GEOMETRY_CAPSULE)
        return fender_geometry_capsule(&geometry->env, total, geometry->half_length, error);
    total = geometry->rounding + radius;
    if (!fnd_check_length(total, name, "rounding", "rounding", error)) return NULL;

    fender_geometry *rounded = fnd_geometry_create(&geometry->env, type, error);
    if (!rounded) return NULL;
    rounded->source = fender_geometry_retain((fender_geometry *)(uintptr_t)geometry); /* counting changes no shape */
    rounded->radius = geometry->radius;
    rounded->half_length = geometry->half_length;
    rounded->half = geometry->half;
    rounded->rounding = total;
    rounded->polytope = geometry->polytope;
    rounded->caps = geometry->caps;
    rounded->skin = geometry->skin;
    rounded->borders = geometry->borders;
    rounded->user = geometry->user;
    rounded->user_data = geometry->user_data;
    rounded->user_data_size = geometry->user_data_size;
    if (type == FENDER_GEOMETRY_USER) rounded->bounds = geometry->user.bounds(geometry->user_data);
    fnd_geometry_measure(rounded);
    return rounded;
}
