/* From the description of a shape to its geometry. */
#include "scenario/scenario.h"

static fender_geometry *without_rounding(const fender_env *env, const fnd_shape_description *s, fender_error *error)
{
    const fnd_shape_data *d = s->data;
    switch (s->geometry) {
    case FENDER_GEOMETRY_SPHERE: return fender_geometry_sphere(env, s->radius, error);
    case FENDER_GEOMETRY_CAPSULE: return fender_geometry_capsule(env, s->radius, s->half_length, error);
    case FENDER_GEOMETRY_POINT: return fender_geometry_point(env, error);
    case FENDER_GEOMETRY_CLOUD: return fender_geometry_cloud(env, d->points, d->point_count, error);
    case FENDER_GEOMETRY_DISK: return fender_geometry_disk(env, s->radius, error);
    case FENDER_GEOMETRY_PLANE: return fender_geometry_plane(env, error);
    case FENDER_GEOMETRY_BOX: return fender_geometry_box(env, s->half, error);
    case FENDER_GEOMETRY_CYLINDER: return fender_geometry_cylinder(env, s->radius, s->half_length, error);
    case FENDER_GEOMETRY_CONE: return fender_geometry_cone(env, s->radius, s->half_length, error);
    case FENDER_GEOMETRY_ELLIPSOID: return fender_geometry_ellipsoid(env, s->half, error);
    case FENDER_GEOMETRY_HULL: return fender_geometry_hull(env, d->points, d->point_count, error);
    case FENDER_GEOMETRY_GRID: return fender_geometry_grid(env, &d->grid, error);
    case FENDER_GEOMETRY_MESH: {
        fender_mesh_def def = {d->points, d->point_count, d->triangles[0], d->triangle_count};
        return fender_geometry_mesh(env, &def, error);
    }
    case FENDER_GEOMETRY_PROBE:
        return s->literal ? fender_geometry_probe_literal(env, s->range, s->cushion, error)
                          : fender_geometry_probe(env, s->range, s->cushion, error);
    case FENDER_GEOMETRY_USER: return fender_geometry_planet_ground(env, s->radius, error);
    case FENDER_GEOMETRY_TYPE_COUNT: break;
    }
    if (error) error->status = FENDER_STATUS_ARGUMENT;
    return NULL;
}

fender_geometry *fnd_shape_geometry(const fender_env *env, const fnd_shape_description *shape, fender_error *error)
{
    fender_geometry *geometry = without_rounding(env, shape, error);
    if (!geometry || !(shape->rounding > 0)) return geometry;
    fender_geometry *rounded = fender_geometry_rounded(geometry, shape->rounding, error);
    fender_geometry_release(geometry);
    return rounded;
}
