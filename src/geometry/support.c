/* Farthest points of the cores of convex geometries. */
#include "geometry/support.h"

static double largest_component(fender_vec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z), m = x;
    if (y > m) m = y;
    if (z > m) m = z;
    return m;
}

/* The point of a circle about z farthest along the direction; the centre when none is. */
static fender_vec3 circle(double radius, fender_vec3 d, double z)
{
    double across = sqrt(d.x * d.x + d.y * d.y);
    if (!(across > 0)) return fender_vec3_make(0, 0, z);
    return fender_vec3_make(radius * (d.x / across), radius * (d.y / across), z);
}

static fender_vec3 cylinder(double radius, double half_length, fender_vec3 d)
{
    return circle(radius, d, d.z >= 0 ? half_length : -half_length);
}

static fender_vec3 cone(double radius, double half_length, fender_vec3 d)
{
    double across = sqrt(d.x * d.x + d.y * d.y);
    if (2 * half_length * d.z >= radius * across) return fender_vec3_make(0, 0, half_length);
    return circle(radius, d, -half_length);
}

static fender_vec3 ellipsoid(fender_vec3 radii, fender_vec3 d)
{
    fender_vec3 w = fender_vec3_make(radii.x * d.x, radii.y * d.y, radii.z * d.z);
    double m = largest_component(w);
    if (!(m > 0)) return fender_vec3_make(0, 0, 0);
    w = fender_vec3_make(w.x / m, w.y / m, w.z / m);
    double length = fender_vec3_length(w);
    return fender_vec3_make(radii.x * (w.x / length), radii.y * (w.y / length), radii.z * (w.z / length));
}

static fender_vec3 polytope(const fnd_polytope *p, fender_vec3 d)
{
    int best = 0;
    double farthest = fender_vec3_dot(p->vertices[0], d);
    for (int i = 1; i < p->vertex_count; i++) {
        double along = fender_vec3_dot(p->vertices[i], d);
        if (along > farthest) farthest = along, best = i;
    }
    return p->vertices[best];
}

fender_vec3 fnd_support(const fender_geometry *geometry, fender_vec3 d)
{
    double m = largest_component(d);
    if (m < 1e-100 || m > 1e100) { /* squares and products would leave the range of doubles */
        if (!(m > 0)) d = fender_vec3_make(0, 0, 1);
        else d = fender_vec3_make(d.x / m, d.y / m, d.z / m);
    }
    switch (geometry->type) {
    case FENDER_GEOMETRY_CAPSULE:
        return fender_vec3_make(0, 0, d.z >= 0 ? geometry->half_length : -geometry->half_length);
    case FENDER_GEOMETRY_DISK: return circle(geometry->radius, d, 0);
    case FENDER_GEOMETRY_CYLINDER: return cylinder(geometry->radius, geometry->half_length, d);
    case FENDER_GEOMETRY_CONE: return cone(geometry->radius, geometry->half_length, d);
    case FENDER_GEOMETRY_ELLIPSOID: return ellipsoid(geometry->half, d);
    case FENDER_GEOMETRY_BOX:
        return fender_vec3_make(d.x >= 0 ? geometry->half.x : -geometry->half.x,
                                d.y >= 0 ? geometry->half.y : -geometry->half.y,
                                d.z >= 0 ? geometry->half.z : -geometry->half.z);
    case FENDER_GEOMETRY_HULL: return polytope(geometry->polytope, d);
    case FENDER_GEOMETRY_USER: return geometry->user.support(geometry->user_data, d);
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    return fender_vec3_make(0, 0, 0);
}

bool fnd_is_convex(const fender_geometry *geometry)
{
    switch (geometry->type) {
    case FENDER_GEOMETRY_USER: return geometry->user.support != NULL;
    case FENDER_GEOMETRY_CLOUD:
    case FENDER_GEOMETRY_PROBE:
    case FENDER_GEOMETRY_PLANE:
    case FENDER_GEOMETRY_GRID:
    case FENDER_GEOMETRY_MESH:
    case FENDER_GEOMETRY_TYPE_COUNT: return false;
    case FENDER_GEOMETRY_SPHERE:
    case FENDER_GEOMETRY_CAPSULE:
    case FENDER_GEOMETRY_POINT:
    case FENDER_GEOMETRY_DISK:
    case FENDER_GEOMETRY_BOX:
    case FENDER_GEOMETRY_CYLINDER:
    case FENDER_GEOMETRY_CONE:
    case FENDER_GEOMETRY_ELLIPSOID:
    case FENDER_GEOMETRY_HULL: break;
    }
    return true;
}
