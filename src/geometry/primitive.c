/* Constructors of the geometries that a few lengths describe. */
#include "geometry/geometry_create.h"

#include "base/error.h"
#include "math/elementary.h"

/* Sides of the polygon that stands for a cap: around it, its area is 0.3 % larger. */
enum { CAP_SIDES = 32 };

static bool make_caps(fender_geometry *g)
{
    fender_vec3 points[2 * CAP_SIDES];
    const double r = g->radius, l = g->half_length; /* needles and leaves have none */
    if (!(r > 1e-100) || !(l < 1e6 * r) || (l > 0 && !(r < 1e6 * l)) || !(r < 1e90)) return true;
    double far = r / 0.99518472667219688624; /* cos(pi / 32) */
    for (int i = 0; i < CAP_SIDES; i++) {
        double sine, cosine;
        fnd_sin_cos((i + 0.5) * (2 * 3.14159265358979323846 / CAP_SIDES), &sine, &cosine);
        points[2 * i] = fender_vec3_make(far * cosine, far * sine, -l);
        points[2 * i + 1] = points[2 * i];
        points[2 * i + 1].z = l;
        if (g->type == FENDER_GEOMETRY_CONE) points[2 * i + 1].x = points[2 * i + 1].y = 0;
    }
    g->caps = fnd_polytope_of_points(&g->env, points, 2 * CAP_SIDES);
    return g->caps && fnd_geometry_make_skin(g);
}

static fender_geometry *round_shape(const fender_env *env, fender_geometry_type type, double radius, double half_length,
                                    fender_error *error)
{
    const char *name = fender_geometry_type_name(type);
    if (!fnd_check_length(radius, name, "radius", "radius", error)) return NULL;
    if (!fnd_check_length(half_length, name, "half_length", "half length", error)) return NULL;
    fender_geometry *geometry = fnd_geometry_create(env, type, error);
    if (!geometry) return NULL;
    geometry->radius = radius + 0.0; /* -0 becomes 0 */
    geometry->half_length = half_length + 0.0;
    bool has_caps = type == FENDER_GEOMETRY_DISK || type == FENDER_GEOMETRY_CYLINDER || type == FENDER_GEOMETRY_CONE;
    if (has_caps && !make_caps(geometry)) {
        fnd_fail_memory(error, "the caps of a round solid");
        fender_geometry_release(geometry);
        return NULL;
    }
    fnd_geometry_measure(geometry);
    return geometry;
}

fender_geometry *fender_geometry_sphere(const fender_env *env, double radius, fender_error *error)
{
    return round_shape(env, FENDER_GEOMETRY_SPHERE, radius, 0, error);
}

fender_geometry *fender_geometry_capsule(const fender_env *env, double radius, double half_length, fender_error *error)
{
    return round_shape(env, FENDER_GEOMETRY_CAPSULE, radius, half_length, error);
}

fender_geometry *fender_geometry_point(const fender_env *env, fender_error *error)
{
    return round_shape(env, FENDER_GEOMETRY_POINT, 0, 0, error);
}

fender_geometry *fender_geometry_disk(const fender_env *env, double radius, fender_error *error)
{
    return round_shape(env, FENDER_GEOMETRY_DISK, radius, 0, error);
}

fender_geometry *fender_geometry_plane(const fender_env *env, fender_error *error)
{
    return round_shape(env, FENDER_GEOMETRY_PLANE, 0, 0, error);
}

fender_geometry *fender_geometry_cylinder(const fender_env *env, double radius, double half_length, fender_error *error)
{
    return round_shape(env, FENDER_GEOMETRY_CYLINDER, radius, half_length, error);
}

fender_geometry *fender_geometry_cone(const fender_env *env, double radius, double half_length, fender_error *error)
{
    return round_shape(env, FENDER_GEOMETRY_CONE, radius, half_length, error);
}

fender_geometry *fender_geometry_box(const fender_env *env, fender_vec3 half, fender_error *error)
{
    if (!fnd_check_length(half.x, "box", "half_extents.x", "half extent along x", error) ||
        !fnd_check_length(half.y, "box", "half_extents.y", "half extent along y", error) ||
        !fnd_check_length(half.z, "box", "half_extents.z", "half extent along z", error))
        return NULL;
    fender_geometry *geometry = fnd_geometry_create(env, FENDER_GEOMETRY_BOX, error);
    if (!geometry) return NULL;
    geometry->half = fender_vec3_make(half.x + 0.0, half.y + 0.0, half.z + 0.0);
    geometry->polytope = fnd_polytope_of_box(env, geometry->half);
    if (!geometry->polytope || !fnd_geometry_make_skin(geometry)) {
        fnd_fail_memory(error, "the corners of a box");
        fender_geometry_release(geometry);
        return NULL;
    }
    fnd_geometry_measure(geometry);
    return geometry;
}

fender_geometry *fender_geometry_ellipsoid(const fender_env *env, fender_vec3 radii, fender_error *error)
{
    if (!fnd_check_length(radii.x, "ellipsoid", "radii.x", "semi-axis along x", error) ||
        !fnd_check_length(radii.y, "ellipsoid", "radii.y", "semi-axis along y", error) ||
        !fnd_check_length(radii.z, "ellipsoid", "radii.z", "semi-axis along z", error))
        return NULL;
    fender_geometry *geometry = fnd_geometry_create(env, FENDER_GEOMETRY_ELLIPSOID, error);
    if (!geometry) return NULL;
    geometry->half = fender_vec3_make(radii.x + 0.0, radii.y + 0.0, radii.z + 0.0);
    fnd_geometry_measure(geometry);
    return geometry;
}
