/* Geometries: made empty, shared by counted references, asked for their sizes. */
#include "geometry/geometry_create.h"

#include "base/error.h"
#include "base/memory.h"
#include <stdio.h>

fender_geometry *fnd_geometry_create(const fender_env *env, fender_geometry_type type, fender_error *error)
{
    if (!env || !env->allocator.allocate || !env->allocator.release) {
        fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "env", "a geometry needs an allocator", env ? "" : "NULL",
                                    "an environment with allocate and release", "pass that of fender_env_default()"});
        return NULL;
    }
    fender_geometry *geometry = fnd_allocate(env, sizeof *geometry);
    if (!geometry) {
        char what[48];
        const char *name = fender_geometry_type_name(type);
        snprintf(what, sizeof what, "%s %s", type == FENDER_GEOMETRY_ELLIPSOID ? "an" : "a", name);
        fnd_fail_memory(error, what);
        return NULL;
    }
    *geometry = (fender_geometry){.type = type};
    atomic_init(&geometry->references, 1);
    geometry->env = *env;
    return geometry;
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
    if (geometry->source) fender_geometry_release(geometry->source); /* what follows is the source's */
    else {
        fnd_release(&env, geometry->points, (size_t)geometry->point_count * sizeof *geometry->points);
        fnd_surface_release(&env, geometry->surface);
        fnd_surface_release(&env, geometry->skin);
        fnd_release(&env, geometry->borders, fnd_borders_size(fnd_geometry_faces(geometry)));
        fnd_polytope_release(&env, geometry->caps);
        fnd_polytope_release(&env, geometry->polytope);
        fnd_release(&env, geometry->user_data, geometry->user_data_size);
    }
    fnd_release(&env, geometry, sizeof *geometry);
}

fender_geometry_type fender_geometry_type_of(const fender_geometry *geometry) { return geometry->type; }

const char *fender_geometry_type_name(fender_geometry_type type)
{
    switch (type) {
    case FENDER_GEOMETRY_SPHERE: return "sphere";
    case FENDER_GEOMETRY_CAPSULE: return "capsule";
    case FENDER_GEOMETRY_POINT: return "point";
    case FENDER_GEOMETRY_PROBE: return "probe";
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
fender_vec3 fender_geometry_half_extents(const fender_geometry *geometry) { return geometry->half; }
double fender_geometry_rounding(const fender_geometry *geometry) { return geometry->rounding; }
double fender_geometry_bounding_radius(const fender_geometry *geometry) { return geometry->bounding_radius; }

const fender_vec3 *fender_geometry_vertices(const fender_geometry *geometry, int *count)
{
    const fender_vec3 *vertices = NULL;
    int n = 0;
    if (geometry->polytope) vertices = geometry->polytope->vertices, n = geometry->polytope->vertex_count;
    else if (geometry->surface) vertices = geometry->surface->vertices, n = geometry->surface->vertex_count;
    else if (geometry->points) vertices = geometry->points, n = geometry->point_count;
    if (count) *count = n;
    return vertices;
}

int fender_geometry_triangles(const fender_geometry *geometry, int32_t *indices, int capacity)
{
    int count = 0;
    const fnd_surface *surface = geometry->surface;
    const fnd_polytope *polytope = geometry->polytope;
    for (int t = 0; surface && t < surface->triangle_count; t++)
        for (int k = 0; k < 3; k++, count++)
            if (count < capacity) indices[count] = surface->triangles[t][k];
    for (int f = 0; polytope && f < polytope->face_count; f++) {
        const int32_t *corner = polytope->face_vertices + polytope->face_start[f];
        int corners = polytope->face_start[f + 1] - polytope->face_start[f];
        for (int k = 1; k + 1 < corners; k++) {
            const int32_t fan[3] = {corner[0], corner[k], corner[k + 1]};
            for (int i = 0; i < 3; i++, count++)
                if (count < capacity) indices[count] = fan[i];
        }
    }
    return count;
}
