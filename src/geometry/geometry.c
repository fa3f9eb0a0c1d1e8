/* Geometries: checked, made, shared by counted references; those that a few lengths or points describe. */
#include "geometry/geometry.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/elementary.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- Checks ---- */

static const double largest = 1e100; /* m; its cube still fits a double */

static void describe(double value, char *text, size_t size)
{
    if (isfinite(value)) snprintf(text, size, "%s m", fnd_number(value).text);
    else snprintf(text, size, "%s", isnan(value) ? "NaN" : value < 0 ? "-infinity" : "infinity");
}

/* A length that a constructor may take (0 to 1e100 m), or the failure with the field's path. `purpose`: "half length".
 */
static bool check_length(double value, const char *type, const char *path, const char *purpose, fender_error *error)
{
    if (value >= 0 && value <= largest) return true;
    char message[128], suggestion[160], found[48];
    const char *parts = isnan(value)   ? "is not a number"
                        : value < 0    ? "is negative"
                        : isinf(value) ? "is infinite"
                                       : "is too large";
    snprintf(message, sizeof message, "the %s of a %s %s", purpose, type, parts);
    if (isfinite(value) && value < 0)
        snprintf(suggestion, sizeof suggestion, "did you mean %s m?", fnd_number(-value).text);
    else if (isfinite(value)) snprintf(suggestion, sizeof suggestion, "lengths must be below 1e100 m; check the unit");
    else snprintf(suggestion, sizeof suggestion, "set %s to its length in metres; 0 is allowed", path);
    describe(value, found, sizeof found);
    fnd_fail(error, FENDER_STATUS_VALUE, path, message, found, "a finite length of 0 m or more", suggestion);
    return false;
}

/* NULL, or what is wrong with a coordinate. */
static const char *fault_of_coordinate(double value)
{
    if (isnan(value)) return "is not a number";
    if (isinf(value)) return "is infinite";
    return fabs(value) > largest ? "is too large" : NULL;
}

bool fnd_check_points(const fender_vec3 *points, int count, const char *type, const char *field, const char *noun,
                      fender_error *error)
{
    assert(type && field && noun);
    char message[128], path[64], found[48];
    if (count < 1 || !points) {
        snprintf(message, sizeof message, "a %s needs at least one %s", type, noun);
        if (count < 1) snprintf(found, sizeof found, "%d", count);
        else snprintf(found, sizeof found, "NULL");
        fnd_fail(error, count < 1 ? FENDER_STATUS_VALUE : FENDER_STATUS_ARGUMENT, field, message, found, "1 or more",
                 "give the coordinates in metres");
        return false;
    }
    for (int i = 0; i < count; i++) {
        const double values[3] = {points[i].x, points[i].y, points[i].z};
        for (int axis = 0; axis < 3; axis++) {
            const char *parts = fault_of_coordinate(values[axis]);
            if (!parts) continue;
            snprintf(path, sizeof path, "%s[%d].%c", field, i, "xyz"[axis]);
            snprintf(message, sizeof message, "%s %d of a %s: %c %s", noun, i, type, "xyz"[axis], parts);
            describe(values[axis], found, sizeof found);
            fnd_fail(error, FENDER_STATUS_VALUE, path, message, found,
                     "a finite coordinate within 1e100 m of the origin",
                     isfinite(values[axis]) ? "check the unit" : "correct or remove it");
            return false;
        }
    }
    return true;
}

/* ---- Making and sharing ---- */

fender_geometry *fnd_geometry_create(const fender_env *env, fender_geometry_type type, fender_error *error)
{
    assert(type < FENDER_GEOMETRY_TYPE_COUNT);
    if (!env || !env->allocator.allocate || !env->allocator.release) {
        fnd_fail(error, FENDER_STATUS_ARGUMENT, "env", "a geometry needs an allocator", env ? "" : "NULL",
                 "an environment with allocate and release", "pass that of fender_env_default()");
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
    fender_geometry_release(geometry->side);
    fender_geometry_release(geometry->hull);
    if (geometry->source) fender_geometry_release(geometry->source); /* what follows is the source's */
    else {
        fnd_release(&env, geometry->points, (size_t)geometry->point_count * sizeof *geometry->points);
        fnd_surface_release(&env, geometry->surface);
        fnd_surface_release(&env, geometry->skin);
        fnd_release(&env, geometry->borders, fnd_borders_size(fnd_geometry_cells(geometry)));
        fnd_polytope_release(&env, geometry->caps);
        fnd_polytope_release(&env, geometry->within);
        fnd_polytope_release(&env, geometry->rim);
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

/* ---- Lengths ---- */

/* Sides of the polygon that stands for a cap: around it, its area is 0.3 % larger; and of the one within that has
 * cells, whose sides are 0.12 % of the radius inside, so that nothing is pushed before it touches; and of the one whose
 * corners are contacts of their own: few, because each may cost events, with 3.4 % of the radius between it and the
 * rim at most. */
enum { CAP_SIDES = 32, CELL_SIDES = 64, RIM_SIDES = 12 };

/* A prism, or a pyramid, with a polygon whose corners have that distance from the axis. */
static fnd_polytope *make_prism(const fender_geometry *g, double far, int sides)
{
    fender_vec3 points[2 * CELL_SIDES];
    assert(sides <= CELL_SIDES);
    for (int i = 0; i < sides; i++) {
        double sine, cosine;
        fnd_sin_cos((i + 0.5) * (2 * 3.14159265358979323846 / sides), &sine, &cosine);
        points[2 * i] = fender_vec3_make(far * cosine, far * sine, -g->half_length);
        points[2 * i + 1] = points[2 * i];
        points[2 * i + 1].z = g->half_length;
        if (g->type == FENDER_GEOMETRY_CONE) points[2 * i + 1].x = points[2 * i + 1].y = 0;
    }
    return fnd_polytope_of_points(&g->env, points, 2 * sides);
}

static bool make_caps(fender_geometry *g)
{
    assert(!g->caps && !g->within && !g->rim);
    const double r = g->radius, l = g->half_length; /* needles and leaves have none */
    if (!(r > 1e-100) || !(l < 1e6 * r) || (l > 0 && !(r < 1e6 * l)) || !(r < 1e90)) return true;
    g->caps = make_prism(g, r / 0.99518472667219688624, CAP_SIDES); /* cos(pi / 32) */
    if (!g->caps) return false;
    if (l > 0 && !(g->within = make_prism(g, r, CELL_SIDES))) return false;
    if (!(g->rim = make_prism(g, r, RIM_SIDES))) return false;
    return fnd_geometry_make_skin(g);
}

static fender_geometry *round_shape(const fender_env *env, fender_geometry_type type, double radius, double half_length,
                                    fender_error *error)
{
    const char *name = fender_geometry_type_name(type);
    if (!check_length(radius, name, "radius", "radius", error)) return NULL;
    if (!check_length(half_length, name, "half_length", "half length", error)) return NULL;
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

/* The upper side, as an open mesh. */
static fender_geometry *make_side(const fender_env *env, double radius, fender_error *error)
{
    fender_vec3 vertices[CELL_SIDES];
    int32_t triangles[3 * (CELL_SIDES - 2)];
    for (int i = 0; i < CELL_SIDES; i++) {
        double sine, cosine;
        fnd_sin_cos(i * (2 * 3.14159265358979323846 / CELL_SIDES), &sine, &cosine);
        vertices[i] = fender_vec3_make(radius * cosine, radius * sine, 0);
    }
    for (int i = 0; i + 2 < CELL_SIDES; i++) {
        triangles[3 * i] = 0;
        triangles[3 * i + 1] = i + 1;
        triangles[3 * i + 2] = i + 2;
    }
    const fender_mesh_def def = {
        .vertices = vertices, .vertex_count = CELL_SIDES, .triangles = triangles, .triangle_count = CELL_SIDES - 2};
    return fender_geometry_mesh(env, &def, error);
}

fender_geometry *fender_geometry_disk(const fender_env *env, double radius, fender_error *error)
{
    fender_geometry *disk = round_shape(env, FENDER_GEOMETRY_DISK, radius, 0, error);
    if (!disk || !disk->caps) return disk;
    disk->side = make_side(env, radius, error);
    if (disk->side) return disk;
    fender_geometry_release(disk);
    return NULL;
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
    if (!check_length(half.x, "box", "half_extents.x", "half extent along x", error) ||
        !check_length(half.y, "box", "half_extents.y", "half extent along y", error) ||
        !check_length(half.z, "box", "half_extents.z", "half extent along z", error))
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
    if (!check_length(radii.x, "ellipsoid", "radii.x", "semi-axis along x", error) ||
        !check_length(radii.y, "ellipsoid", "radii.y", "semi-axis along y", error) ||
        !check_length(radii.z, "ellipsoid", "radii.z", "semi-axis along z", error))
        return NULL;
    fender_geometry *geometry = fnd_geometry_create(env, FENDER_GEOMETRY_ELLIPSOID, error);
    if (!geometry) return NULL;
    geometry->half = fender_vec3_make(radii.x + 0.0, radii.y + 0.0, radii.z + 0.0);
    fnd_geometry_measure(geometry);
    return geometry;
}

/* ---- Points ---- */

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

/* ---- Probes ---- */

static fender_geometry *make(const fender_env *env, double range, double cushion, bool literal, fender_error *error)
{
    if (!check_length(range, "probe", "range", "range", error)) return NULL;
    if (!check_length(cushion, "probe", "cushion", "cushion", error)) return NULL;
    if (!(range > 0)) {
        fnd_fail(error, FENDER_STATUS_VALUE, "range", "a probe needs a range", "0 m", "a length above 0 m",
                 "its ray starts at this distance behind the contact point; 0.8 m is typical of a lander");
        return NULL;
    }
    fender_geometry *geometry = fnd_geometry_create(env, FENDER_GEOMETRY_PROBE, error);
    if (!geometry) return NULL;
    geometry->range = range;
    geometry->cushion = cushion + 0.0; /* -0 becomes 0 */
    geometry->literal = literal;
    fnd_geometry_measure(geometry);
    return geometry;
}

fender_geometry *fender_geometry_probe(const fender_env *env, double range, double cushion, fender_error *error)
{
    return make(env, range, cushion, false, error);
}

fender_geometry *fender_geometry_probe_literal(const fender_env *env, double range, double cushion, fender_error *error)
{
    return make(env, range, cushion, true, error);
}

bool fender_geometry_probe_lengths(const fender_geometry *geometry, double *range, double *cushion, bool *literal)
{
    if (geometry->type != FENDER_GEOMETRY_PROBE) return false;
    *range = geometry->range;
    *cushion = geometry->cushion;
    *literal = geometry->literal;
    return true;
}

/* ---- Rounding ---- */

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
    if (!geometry) {
        fnd_fail(error, FENDER_STATUS_ARGUMENT, "geometry", "there is no geometry to be rounded", "NULL", "a geometry",
                 "");
        return NULL;
    }
    const char *name = fender_geometry_type_name(geometry->type);
    if (!can_be_rounded(geometry)) {
        char message[96];
        snprintf(message, sizeof message, "a %s cannot be rounded", name);
        fnd_fail(error, FENDER_STATUS_ARGUMENT, "geometry", message, name,
                 "a point, sphere, capsule, disk, box, cylinder, cone, ellipsoid, hull, or a user "
                 "geometry with support",
                 "");
        return NULL;
    }
    if (!check_length(radius, name, "rounding", "rounding", error)) return NULL;
    double total = geometry->radius + radius;
    fender_geometry_type type = geometry->type;
    if (type == FENDER_GEOMETRY_POINT || type == FENDER_GEOMETRY_SPHERE)
        return fender_geometry_sphere(&geometry->env, total, error);
    if (type == FENDER_GEOMETRY_CAPSULE)
        return fender_geometry_capsule(&geometry->env, total, geometry->half_length, error);
    total = geometry->rounding + radius;
    if (!check_length(total, name, "rounding", "rounding", error)) return NULL;

    fender_geometry *rounded = fnd_geometry_create(&geometry->env, type, error);
    if (!rounded) return NULL;
    rounded->source = fender_geometry_retain((fender_geometry *)(uintptr_t)geometry); /* counting changes no shape */
    rounded->radius = geometry->radius;
    rounded->half_length = geometry->half_length;
    rounded->half = geometry->half;
    rounded->rounding = total;
    rounded->polytope = geometry->polytope;
    rounded->caps = geometry->caps;
    rounded->within = geometry->within;
    rounded->rim = geometry->rim;
    rounded->skin = geometry->skin;
    rounded->borders = geometry->borders;
    rounded->user = geometry->user;
    rounded->user_data = geometry->user_data;
    rounded->user_data_size = geometry->user_data_size;
    if (type == FENDER_GEOMETRY_USER) rounded->bounds = geometry->user.bounds(geometry->user_data);
    fnd_geometry_measure(rounded);
    return rounded;
}

/* ---- User's functions ---- */

static bool refuse(const char *path, const char *message, const char *expected, fender_error *error)
{
    fnd_fail(error, FENDER_STATUS_ARGUMENT, path, message, "NULL", expected, "");
    return false;
}

static bool check_class(const fender_geometry_class *type, const void *data, size_t data_size, fender_error *error)
{
    if (!type) return refuse("type", "a user geometry needs its class", "a filled fender_geometry_class", error);
    if (type->size != sizeof *type) {
        fnd_fail(error, FENDER_STATUS_ARGUMENT, "type.size", "the class of a user geometry has another size",
                 fnd_number((double)type->size).text, fnd_number((double)sizeof *type).text,
                 "set size to sizeof(fender_geometry_class)");
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
    fnd_fail(error, FENDER_STATUS_VALUE, "bounds", "the bounds of a user geometry are reversed", "lower above upper",
             "lower at most upper, along every axis", "");
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
