/* Constructors of the geometries that have a surface of triangles: grids and meshes. */
#include "geometry/geometry_create.h"

#include "base/error.h"
#include "base/memory.h"
#include <limits.h>
#include <stdio.h>

static bool refuse(const char *path, const char *message, const char *found, const char *expected,
                   const char *suggestion, fender_error *error)
{
    fnd_fail(error, (fnd_fault){FENDER_STATUS_VALUE, path, message, found, expected, suggestion});
    return false;
}

/* Has the triangle a normal that rounding of its edges does not decide? */
static bool has_normal(const fender_vec3 *vertices, const int32_t *corner)
{
    fender_vec3 u = fender_vec3_sub(vertices[corner[1]], vertices[corner[0]]);
    fender_vec3 v = fender_vec3_sub(vertices[corner[2]], vertices[corner[0]]);
    double lengths[2] = {fnd_length(u), fnd_length(v)};
    if (!(lengths[0] > 0) || !(lengths[1] > 0)) return false;
    u = fender_vec3_make(u.x / lengths[0], u.y / lengths[0], u.z / lengths[0]);
    v = fender_vec3_make(v.x / lengths[1], v.y / lengths[1], v.z / lengths[1]);
    /* the sine of the angle between them; a few ulp are all that may be wrong with it */
    return fender_vec3_length(fender_vec3_cross(u, v)) > 1e-15;
}

static bool check_triangles(const fender_vec3 *vertices, int vertex_count, const int32_t *triangles, int triangle_count,
                            const char *type, fender_error *error)
{
    char path[64], message[128], found[96];
    for (int t = 0; t < triangle_count; t++) {
        const int32_t *corner = triangles + 3 * (size_t)t;
        for (int k = 0; k < 3; k++) {
            if (corner[k] >= 0 && corner[k] < vertex_count) continue;
            snprintf(path, sizeof path, "triangles[%d][%d]", t, k);
            snprintf(found, sizeof found, "%d", (int)corner[k]);
            snprintf(message, sizeof message, "triangle %d names a vertex that is not there", t);
            char expected[64];
            snprintf(expected, sizeof expected, "0 to %d", vertex_count - 1);
            return refuse(path, message, found, expected, "vertices are counted from 0", error);
        }
        if (has_normal(vertices, corner)) continue;
        snprintf(path, sizeof path, "triangles[%d]", t);
        snprintf(message, sizeof message, "triangle %d of the %s has no area", t, type);
        snprintf(found, sizeof found, "vertices %d, %d, %d", (int)corner[0], (int)corner[1], (int)corner[2]);
        return refuse(path, message, found, "three corners that are not in a line",
                      "leave the triangle out; its neighbours close the surface without it", error);
    }
    return true;
}

size_t fnd_borders_size(const fnd_polytope *p)
{
    return p && p->face_count > 0 ? (size_t)p->face_start[p->face_count] * sizeof(fender_vec3) : 0;
}

/* The other face at the side of a face that runs from one vertex to another. */
static int face_across(const fnd_polytope *p, int face, int32_t from, int32_t to)
{
    for (int i = 0; i < p->edge_count; i++) {
        const fnd_polytope_edge *e = &p->edges[i];
        if (e->face[0] == face && e->vertex[0] == from && e->vertex[1] == to) return e->face[1];
        if (e->face[1] == face && e->vertex[1] == from && e->vertex[0] == to) return e->face[0];
    }
    return face;
}

static void find_borders(const fnd_polytope *p, fender_vec3 *borders)
{
    for (int face = 0; face < p->face_count; face++) {
        int start = p->face_start[face], count = p->face_start[face + 1] - start;
        for (int i = 0; i < count; i++) {
            int32_t from = p->face_vertices[start + i], to = p->face_vertices[start + (i + 1) % count];
            fender_vec3 n = p->face_normals[face], m = p->face_normals[face_across(p, face, from, to)];
            fender_vec3 between = fender_vec3_add(n, m), edge = fender_vec3_sub(p->vertices[to], p->vertices[from]);
            double length = fender_vec3_length(between);
            between = length > 1e-6 ? fender_vec3_scale(1 / length, between) : n; /* the border of a plate */
            edge = fender_vec3_scale(1 / fender_vec3_length(edge), edge);
            borders[start + i] = fender_vec3_cross(between, edge);
        }
    }
}

bool fnd_geometry_make_skin(fender_geometry *geometry)
{
    const fnd_polytope *p = fnd_geometry_faces(geometry);
    int count = p ? p->face_start[p->face_count] - 2 * p->face_count : 0, at = 0;
    if (count < 1) return true;
    size_t size = (size_t)count * 3 * sizeof(int32_t);
    int32_t *indices = fnd_allocate(&geometry->env, size);
    if (!indices) return false;
    for (int f = 0; f < p->face_count; f++) {
        const int32_t *corner = &p->face_vertices[p->face_start[f]];
        for (int k = 1; k + 1 < p->face_start[f + 1] - p->face_start[f]; k++) {
            indices[at++] = corner[0];
            indices[at++] = corner[k];
            indices[at++] = corner[k + 1];
        }
    }
    bool flawed = fnd_surface_degenerate(p->vertices, indices, count) >= 0, done = true;
    for (int i = 0; i < p->vertex_count; i++) flawed = flawed || !(fnd_length(p->vertices[i]) < 1e100);
    if (!flawed) {
        geometry->skin = fnd_surface_create(&geometry->env, p->vertices, p->vertex_count, indices, count);
        geometry->borders = fnd_allocate(&geometry->env, fnd_borders_size(p));
        done = geometry->skin && geometry->borders;
        if (geometry->borders) find_borders(p, geometry->borders);
    }
    fnd_release(&geometry->env, indices, size);
    return done;
}

/* `grid`: its raster; NULL for a mesh. */
static fender_geometry *of_surface(const fender_env *env, fender_geometry_type type, const fender_vec3 *vertices,
                                   int vertex_count, const int32_t *triangles, int triangle_count,
                                   const fender_grid_def *grid, fender_error *error)
{
    fender_geometry *geometry = fnd_geometry_create(env, type, error);
    if (!geometry) return NULL;
    geometry->surface = grid ? fnd_surface_of_grid(env, grid->count_x, grid->count_y, grid->lower, grid->spacing,
                                                   grid->heights)
                             : fnd_surface_create(env, vertices, vertex_count, triangles, triangle_count);
    if (!geometry->surface) {
        fnd_fail_memory(error, "the triangles of a surface");
        fender_geometry_release(geometry);
        return NULL;
    }
    fnd_geometry_measure(geometry);
    return geometry;
}

fender_geometry *fender_geometry_mesh(const fender_env *env, const fender_mesh_def *def, fender_error *error)
{
    if (!def) {
        fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "def", "a mesh needs its vertices and triangles", "NULL",
                                    "a filled fender_mesh_def", ""});
        return NULL;
    }
    if (!fnd_check_points(def->vertices, def->vertex_count, "mesh", "vertices", "vertex", error)) return NULL;
    if (def->triangle_count < 1 || def->triangle_count > INT_MAX / 3) {
        refuse("triangles", def->triangle_count < 1 ? "a mesh has no triangles" : "a mesh has too many triangles",
               fnd_number(def->triangle_count).text, "1 to 715827882", "", error);
        return NULL;
    }
    if (!def->triangles) {
        fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, "triangles", "a mesh needs its triangles", "NULL",
                                    "three indices for each", ""});
        return NULL;
    }
    if (!check_triangles(def->vertices, def->vertex_count, def->triangles, def->triangle_count, "mesh", error))
        return NULL;
    return of_surface(env, FENDER_GEOMETRY_MESH, def->vertices, def->vertex_count, def->triangles, def->triangle_count,
                      NULL, error);
}

static bool check_raster(const char *axis, double lower, double spacing, int count, fender_error *error)
{
    char path[32], message[96];
    snprintf(path, sizeof path, "spacing.%s", axis);
    if (!(spacing > 0) || !(spacing <= 1e100)) {
        snprintf(message, sizeof message, "the spacing of a grid along %s is not a length above 0", axis);
        return refuse(path, message, fnd_number(spacing).text, "above 0 m, at most 1e100 m", "", error);
    }
    double upper = lower + (count - 1) * spacing;
    if (!(fabs(lower) <= 1e100) || !(fabs(upper) <= 1e100)) {
        snprintf(path, sizeof path, "lower.%s", axis);
        snprintf(message, sizeof message, "the grid reaches too far along %s", axis);
        return refuse(path, message, fnd_number(lower).text, "within 1e100 m of the origin", "check the unit", error);
    }
    double end = fabs(lower) > fabs(upper) ? fabs(lower) : fabs(upper);
    if (spacing > 4e-16 * end) return true;
    snprintf(message, sizeof message, "neighbouring lines of the grid along %s round to the same coordinate", axis);
    return refuse(path, message, fnd_number(spacing).text, "a spacing that the coordinates resolve",
                  "place the grid about the origin of its frame, and the shape by its pose", error);
}

static bool check_grid(const fender_grid_def *def, fender_error *error)
{
    if (!def || !def->heights) {
        fnd_fail(error, (fnd_fault){FENDER_STATUS_ARGUMENT, def ? "heights" : "def", "a grid needs its heights", "NULL",
                                    "count_x * count_y heights in metres", ""});
        return false;
    }
    if (def->count_x < 2 || def->count_y < 2 || def->count_x > INT_MAX / 6 / def->count_y) {
        char found[64];
        snprintf(found, sizeof found, "%d x %d", def->count_x, def->count_y);
        bool few = def->count_x < 2 || def->count_y < 2;
        return refuse("count_x", few ? "a grid has too few heights" : "a grid has too many heights", found,
                      "at least 2 x 2, at most 357913941 in all", "", error);
    }
    if (!check_raster("x", def->lower.x, def->spacing.x, def->count_x, error) ||
        !check_raster("y", def->lower.y, def->spacing.y, def->count_y, error))
        return false;
    for (int j = 0; j < def->count_y; j++)
        for (int i = 0; i < def->count_x; i++) {
            double height = def->heights[(size_t)j * (size_t)def->count_x + (size_t)i];
            if (fabs(height) <= 1e100) continue;
            char path[48], message[96];
            snprintf(path, sizeof path, "heights[%d]", j * def->count_x + i);
            snprintf(message, sizeof message, "the height at column %d, row %d of a grid is not finite, or too large",
                     i, j);
            return refuse(path, message, isnan(height) ? "NaN" : fnd_number(height).text, "a finite height",
                          "gaps must be filled before", error);
        }
    return true;
}

fender_geometry *fender_geometry_grid(const fender_env *env, const fender_grid_def *def, fender_error *error)
{
    if (!check_grid(def, error)) return NULL;
    if (!env || !env->allocator.allocate || !env->allocator.release) /* which says so */
        return fnd_geometry_create(env, FENDER_GEOMETRY_GRID, error);
    int nx = def->count_x, ny = def->count_y, vertex_count = nx * ny, triangle_count = 2 * (nx - 1) * (ny - 1);
    size_t vertices_size = (size_t)vertex_count * sizeof(fender_vec3);
    size_t triangles_size = 3 * (size_t)triangle_count * sizeof(int32_t);
    fender_vec3 *vertices = fnd_allocate(env, vertices_size);
    int32_t *triangles = fnd_allocate(env, triangles_size);
    fender_geometry *geometry = NULL;
    if (!vertices || !triangles) fnd_fail_memory(error, "the triangles of a grid");
    else {
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++)
                vertices[j * nx + i] = fender_vec3_make(def->lower.x + i * def->spacing.x,
                                                        def->lower.y + j * def->spacing.y, def->heights[j * nx + i]);
        int32_t *next = triangles;
        for (int j = 0; j + 1 < ny; j++)
            for (int i = 0; i + 1 < nx; i++) {
                int32_t near = j * nx + i, right = near + 1, back = near + nx, far = back + 1;
                const int32_t cell[6] = {near, right, far, near, far, back};
                for (int k = 0; k < 6; k++) *next++ = cell[k];
            }
        if (check_triangles(vertices, vertex_count, triangles, triangle_count, "grid", error))
            geometry = of_surface(env, FENDER_GEOMETRY_GRID, vertices, vertex_count, triangles, triangle_count, def,
                                  error);
    }
    fnd_release(env, vertices, vertices_size);
    fnd_release(env, triangles, triangles_size);
    return geometry;
}
