/* Geometries: made, checked, shared by counted references, asked for their sizes. */
#include "geometry/geometry.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>

/* A length that a constructor may take, or the failure with the field's name. */
static bool check_length(double value, const char *type, const char *field, const char *purpose, fender_error *error)
{
    if (isfinite(value) && value >= 0) return true;
    char message[128], suggestion[160];
    const char *fault = isnan(value) ? "is not a number" : value < 0 ? "is negative" : "is infinite";
    snprintf(message, sizeof message, "the %s of a %s %s", purpose, type, fault);
    if (isfinite(value)) snprintf(suggestion, sizeof suggestion, "did you mean %s m?", fnd_number(-value).text);
    else snprintf(suggestion, sizeof suggestion, "set %s to its length in metres; 0 is allowed", field);
    char found[48];
    if (isfinite(value)) snprintf(found, sizeof found, "%s m", fnd_number(value).text);
    else snprintf(found, sizeof found, "%s", isnan(value) ? "NaN" : value < 0 ? "-infinity" : "infinity");
    fnd_fail(error,
             (fnd_fault){FENDER_STATUS_VALUE, field, message, found, "a finite length of 0 m or more", suggestion});
    return false;
}

static fender_geometry *create(const fender_env *env, fender_geometry_type type, double radius, double half_length,
                               fender_error *error)
{
    if (!env || !env->allocator.allocate || !env->allocator.release) {
        fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "env", "a geometry needs an allocator", env ? "" : "NULL",
                                    "an environment with allocate and release", "pass that of fender_env_default()"});
        return NULL;
    }
    const char *name = fender_geometry_type_name(type);
    if (!check_length(radius, name, "radius", "radius", error)) return NULL;
    if (!check_length(half_length, name, "half_length", "half length", error)) return NULL;
    fender_geometry *geometry = fnd_allocate(env, sizeof *geometry);
    if (!geometry) {
        fnd_fail_memory(error, type == FENDER_GEOMETRY_SPHERE ? "a sphere" : "a capsule");
        return NULL;
    }
    *geometry = (fender_geometry){.type = type};
    atomic_init(&geometry->references, 1);
    geometry->radius = radius + 0.0; /* -0 becomes 0 */
    geometry->half_length = half_length + 0.0;
    geometry->env = *env;
    double r = geometry->radius, l = r + geometry->half_length;
    geometry->bounds = (fender_box){{-r, -r, -l}, {r, r, l}};
    geometry->bounding_radius = l;
    return geometry;
}

fender_geometry *fender_geometry_sphere(const fender_env *env, double radius, fender_error *error)
{
    return create(env, FENDER_GEOMETRY_SPHERE, radius, 0, error);
}

fender_geometry *fender_geometry_capsule(const fender_env *env, double radius, double half_length, fender_error *error)
{
    return create(env, FENDER_GEOMETRY_CAPSULE, radius, half_length, error);
}

fender_geometry *fender_geometry_retain(fender_geometry *geometry)
{
    /* Whoever retains holds a reference already, so nothing has to be ordered here. */
    if (geometry) atomic_fetch_add_explicit(&geometry->references, 1, memory_order_relaxed);
    return geometry;
}

void fender_geometry_release(fender_geometry *geometry)
{
    /* The last holder must see what all others did before they let go. */
    if (!geometry || atomic_fetch_sub_explicit(&geometry->references, 1, memory_order_acq_rel) > 1) return;
    fender_env env = geometry->env;
    fnd_release(&env, geometry, sizeof *geometry);
}

fender_geometry_type fender_geometry_type_of(const fender_geometry *geometry) { return geometry->type; }

const char *fender_geometry_type_name(fender_geometry_type type)
{
    switch (type) {
    case FENDER_GEOMETRY_SPHERE: return "sphere";
    case FENDER_GEOMETRY_CAPSULE: return "capsule";
    case FENDER_GEOMETRY_POINT: return "point";
    case FENDER_GEOMETRY_CLOUD: return "cloud";
    case FENDER_GEOMETRY_DISK: return "disk";
    case FENDER_GEOMETRY_PLANE: return "plane";
    case FENDER_GEOMETRY_BOX: return "box";
    case FENDER_GEOMETRY_CYLINDER: return "cylinder";
    case FENDER_GEOMETRY_CONE: return "cone";
    case FENDER_GEOMETRY_ELLIPSOID: return "ellipsoid";
    case FENDER_GEOMETRY_HULL: return "hull";
    case FENDER_GEOMETRY_GRID: return "grid";
    case FENDER_GEOMETRY_MESH: return "mesh";
    case FENDER_GEOMETRY_USER: return "user";
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return NULL;
}

double fender_geometry_radius(const fender_geometry *geometry) { return geometry->radius; }
double fender_geometry_half_length(const fender_geometry *geometry) { return geometry->half_length; }
double fender_geometry_bounding_radius(const fender_geometry *geometry) { return geometry->bounding_radius; }
