/* Triangulated surfaces: of vertices and triangles, or of a raster of heights; normals, constructors of grids and
 * meshes. */
#include "geometry/surface.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/geometry.h"
#include "math/elementary.h"
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- Surfaces ---- */

static size_t take(size_t *size, size_t count, size_t bytes)
{
    size_t at = *size;
    *size += (count * bytes + 15) / 16 * 16;
    return at;
}

static fnd_surface *allocate(const fender_env *env, int vertex_count, int triangle_count)
{
    assert(vertex_count > 0 && triangle_count > 0);
    size_t size = 0, v = (size_t)vertex_count, t = (size_t)triangle_count;
    take(&size, 1, sizeof(fnd_surface));
    size_t vertices = take(&size, v, sizeof(fender_vec3)), triangles = take(&size, t, 3 * sizeof(int32_t));
    size_t beside = take(&size, t, 3 * sizeof(int32_t)), start = take(&size, v + 1, sizeof(int32_t));
    size_t planes = take(&size, t, sizeof(int32_t)), spreads = take(&size, t, sizeof(float));
    size_t fans = take(&size, 3 * t, sizeof(int32_t)), border = take(&size, v, sizeof(bool));
    char *block = fnd_allocate(env, size);
    if (!block) return NULL;
    fnd_surface *s = (void *)block;
    s->vertex_count = vertex_count;
    s->triangle_count = triangle_count;
    s->vertices = (void *)(block + vertices);
    s->triangles = (void *)(block + triangles);
    s->neighbours = (void *)(block + beside);
    s->planes = (void *)(block + planes);
    s->spreads = (void *)(block + spreads);
    s->vertex_start = (void *)(block + start);
    s->vertex_triangles = (void *)(block + fans);
    s->border = (void *)(block + border);
    s->size = size;
    return s;
}

/* From the corner across from the longest edge: the two shorter ones. */
static inline fender_vec3 across_edges(const fender_vec3 e[3], const double square[3])
{
    if (square[0] >= square[1] && square[0] >= square[2]) return fender_vec3_cross(e[1], e[2]);
    return square[1] >= square[2] ? fender_vec3_cross(e[2], e[0]) : fender_vec3_cross(e[0], e[1]);
}

/* Twice the area times the unit normal, of coordinates scaled to about 1. */
static inline fender_vec3 scaled_normal(fender_vec3 a, fender_vec3 b, fender_vec3 c, double *scale)
{
    fender_vec3 e[3] = {fender_vec3_sub(b, a), fender_vec3_sub(c, b), fender_vec3_sub(a, c)};
    double largest = 0, square[3];
    for (int k = 0; k < 3; k++) {
        const double parts[3] = {fabs(e[k].x), fabs(e[k].y), fabs(e[k].z)};
        for (int i = 0; i < 3; i++) largest = parts[i] > largest ? parts[i] : largest;
    }
    *scale = largest;
    if (!(largest > 0)) return fender_vec3_make(0, 0, 0);
    for (int k = 0; k < 3; k++) {
        e[k] = fender_vec3_make(e[k].x / largest, e[k].y / largest, e[k].z / largest);
        square[k] = fender_vec3_dot(e[k], e[k]);
    }
    return across_edges(e, square);
}

int fnd_surface_degenerate(const fender_vec3 *vertices, const int32_t *triangles, int triangle_count)
{
    for (int t = 0; t < triangle_count; t++) {
        fender_vec3 v[3];
        double coordinate = 0;
        for (int k = 0; k < 3; k++) {
            v[k] = vertices[triangles[3 * t + k]];
            const double parts[3] = {fabs(v[k].x), fabs(v[k].y), fabs(v[k].z)};
            for (int i = 0; i < 3; i++) coordinate = parts[i] > coordinate ? parts[i] : coordinate;
        }
        double scale, twice = fender_vec3_length(scaled_normal(v[0], v[1], v[2], &scale));
        /* the height over the longest edge, about twice / scale, against the rounding of the coordinates */
        if (!(twice > 0) || !(twice * scale > 8 * DBL_EPSILON * coordinate)) return t;
    }
    return -1;
}

static double angle_between(fender_vec3 u, fender_vec3 v)
{
    return fnd_angle(fender_vec3_length(fender_vec3_cross(u, v)), fender_vec3_dot(u, v));
}

static double angle_at(const fnd_surface *s, int32_t triangle, int corner)
{
    assert(triangle >= 0 && triangle < s->triangle_count);
    fender_vec3 a = fnd_surface_corner(s, triangle, corner), b = fnd_surface_corner(s, triangle, corner + 1);
    fender_vec3 c = fnd_surface_corner(s, triangle, corner + 2), u = fender_vec3_sub(b, a), v = fender_vec3_sub(c, a);
    double size = fender_vec3_dot(u, u) + fender_vec3_dot(v, v);
    if (size > 1e-60 && size < 1e60) return angle_between(u, v);
    double scale; /* edges so long or short that the angle needs them scaled */
    (void)scaled_normal(a, b, c, &scale);
    return angle_between(fender_vec3_scale(1 / scale, u), fender_vec3_scale(1 / scale, v));
}

fender_vec3 fnd_vertex_normal(const fnd_surface *s, int32_t vertex)
{
    assert(vertex >= 0 && vertex < s->vertex_count);
    fender_vec3 sum = {0, 0, 0};
    for (int i = s->vertex_start[vertex]; i < s->vertex_start[vertex + 1]; i++) {
        int32_t t = s->vertex_triangles[i];
        sum = fender_vec3_add_scaled(sum, angle_at(s, t, fnd_corner_at(s, t, vertex)), fnd_triangle_normal(s, t));
    }
    double length = fender_vec3_length(sum);
    if (length > 1e-9) return fender_vec3_scale(1 / length, sum);
    if (s->vertex_start[vertex] == s->vertex_start[vertex + 1]) return sum;
    return fnd_triangle_normal(s, s->vertex_triangles[s->vertex_start[vertex]]); /* folded together: that of one */
}

fender_vec3 fnd_triangle_normal_and_area(const fnd_surface *s, int32_t triangle, double *area)
{
    assert(triangle >= 0 && triangle < s->triangle_count);
    double scale;
    fender_vec3 n = scaled_normal(fnd_surface_corner(s, triangle, 0), fnd_surface_corner(s, triangle, 1),
                                  fnd_surface_corner(s, triangle, 2), &scale);
    double length = fender_vec3_length(n);
    *area = length / 2 * scale * scale;
    if (!(length > 0)) return fender_vec3_make(0, 0, 1);
    return fender_vec3_make(n.x / length, n.y / length, n.z / length);
}

fender_vec3 fnd_triangle_normal(const fnd_surface *s, int32_t triangle)
{
    const fender_vec3 a = fnd_surface_corner(s, triangle, 0), b = fnd_surface_corner(s, triangle, 1);
    const fender_vec3 c = fnd_surface_corner(s, triangle, 2);
    const fender_vec3 e[3] = {fender_vec3_sub(b, a), fender_vec3_sub(c, b), fender_vec3_sub(a, c)};
    double square[3], area;
    for (int k = 0; k < 3; k++) square[k] = fender_vec3_dot(e[k], e[k]);
    double size = square[0] + square[1] + square[2];
    if (!(size > 1e-60) || !(size < 1e60)) return fnd_triangle_normal_and_area(s, triangle, &area);
    fender_vec3 n = across_edges(e, square);
    double length = fender_vec3_length(n);
    return length > 0 ? fender_vec3_make(n.x / length, n.y / length, n.z / length) : fender_vec3_make(0, 0, 1);
}

static fnd_surface *complete_or_release(const fender_env *env, fnd_surface *s)
{
    if (!s || fnd_surface_complete(env, s)) return s;
    fnd_surface_release(env, s);
    return NULL;
}

fnd_surface *fnd_surface_create(const fender_env *env, const fender_vec3 *vertices, int vertex_count,
                                const int32_t *triangles, int triangle_count)
{
    assert(vertices && triangles && vertex_count > 0 && triangle_count > 0);
    if (triangle_count > INT_MAX / 6 || vertex_count > INT_MAX / 3) return NULL;
    fnd_surface *s = allocate(env, vertex_count, triangle_count);
    if (!s) return NULL;
    memcpy(s->vertices, vertices, (size_t)vertex_count * sizeof *vertices);
    memcpy(s->triangles, triangles, (size_t)triangle_count * 3 * sizeof *triangles);
    return complete_or_release(env, s);
}

/* Corner of column i and row j. */
static fender_vec3 grid_corner(const fender_grid_def *grid, const fnd_grid_lines *lines, int i, int j)
{
    assert(i >= 0 && i < grid->count_x && j >= 0 && j < grid->count_y);
    return fender_vec3_make(lines ? lines->x[i] : grid->lower.x + i * grid->spacing.x,
                            lines ? lines->y[j] : grid->lower.y + j * grid->spacing.y,
                            grid->heights[j * grid->count_x + i]);
}

/* Its vertices and triangles. */
static fnd_surface *lay_grid(const fender_env *env, const fender_grid_def *grid, const fnd_grid_lines *lines)
{
    int count_x = grid->count_x, count_y = grid->count_y;
    assert(count_x >= 2 && count_y >= 2);
    if ((double)count_x * count_y > INT_MAX / 12) return NULL;
    fnd_surface *s = allocate(env, count_x * count_y, 2 * (count_x - 1) * (count_y - 1));
    if (!s) return NULL;
    s->count_x = count_x;
    s->count_y = count_y;
    s->lower = grid->lower;
    s->spacing = grid->spacing;
    s->uneven = lines != NULL;
    if (lines) {
        const double *x = lines->x, *y = lines->y;
        s->lower = (fender_vec2){x[0], y[0]};
        s->spacing = (fender_vec2){(x[count_x - 1] - x[0]) / (count_x - 1), (y[count_y - 1] - y[0]) / (count_y - 1)};
    }
    for (int j = 0, t = 0; j < count_y; j++) {
        for (int i = 0; i < count_x; i++) {
            int32_t at = j * count_x + i, right = at + 1, up = at + count_x, across = up + 1;
            s->vertices[at] = grid_corner(grid, lines, i, j);
            if (i + 1 == count_x || j + 1 == count_y) continue;
            const int32_t corners[2][3] = {{at, right, across}, {at, across, up}};
            memcpy(s->triangles[t], corners, sizeof corners);
            t += 2;
        }
    }
    return s;
}

fnd_surface *fnd_surface_of_grid(const fender_env *env, const fender_grid_def *grid, const fnd_grid_lines *lines)
{
    return complete_or_release(env, lay_grid(env, grid, lines));
}

void fnd_surface_release(const fender_env *env, fnd_surface *surface)
{
    if (!surface) return;
    fnd_tree_release(env, &surface->tree);
    fnd_release(env, surface, surface->size);
}

/* ---- Constructors ---- */

static bool refuse(const char *path, const char *message, const char *found, const char *expected,
                   const char *suggestion, fender_error *error)
{
    fnd_fail(error, FENDER_STATUS_VALUE, path, message, found, expected, suggestion);
    return false;
}

/* Has the triangle a normal that rounding of its edges does not decide? */
static bool has_normal(const fender_vec3 *vertices, const int32_t *corner)
{
    fender_vec3 u = fender_vec3_sub(vertices[corner[1]], vertices[corner[0]]);
    fender_vec3 v = fender_vec3_sub(vertices[corner[2]], vertices[corner[0]]), n = fender_vec3_cross(u, v);
    /* mostly the sine of the angle between them is so far above the limit that no rounding matters */
    double squares = fender_vec3_dot(u, u) * fender_vec3_dot(v, v);
    if (squares > 1e-120 && squares < 1e120 && fender_vec3_dot(n, n) > 1e-20 * squares) return true;
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
            snprintf(message, sizeof message, "triangle %d refers to a missing vertex", t);
            char expected[64];
            snprintf(expected, sizeof expected, "0 to %d", vertex_count - 1);
            return refuse(path, message, found, expected, "vertices are counted from 0", error);
        }
        if (has_normal(vertices, corner)) continue;
        snprintf(path, sizeof path, "triangles[%d]", t);
        snprintf(message, sizeof message, "triangle %d of the %s has no area", t, type);
        snprintf(found, sizeof found, "vertices %d, %d, %d", (int)corner[0], (int)corner[1], (int)corner[2]);
        return refuse(path, message, found, "three corners that are not collinear",
                      "remove the triangle; its neighbours close the surface without it", error);
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
    assert(face >= 0 && face < p->face_count);
    for (int i = 0; i < p->edge_count; i++) {
        const fnd_polytope_edge *e = &p->edges[i];
        if (e->face[0] == face && e->vertex[0] == from && e->vertex[1] == to) return e->face[1];
        if (e->face[1] == face && e->vertex[1] == from && e->vertex[0] == to) return e->face[0];
    }
    return face;
}

static void find_borders(const fnd_polytope *p, fender_vec3 *borders)
{
    assert(p->face_count > 0);
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
    const fnd_polytope *p = fnd_geometry_cells(geometry);
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

/* The geometry with its surface. A surface of NULL: there was no memory, and the geometry is released. */
static fender_geometry *with_surface(fender_geometry *geometry, fnd_surface *surface, fender_error *error)
{
    geometry->surface = surface;
    if (!surface) {
        fnd_fail_memory(error, "the triangles of a surface");
        fender_geometry_release(geometry);
        return NULL;
    }
    fnd_geometry_measure(geometry);
    return geometry;
}

/* Faces up to which a closed convex mesh is a hull, too: all are asked in each query. Those of finer ones meet at edges
 * that are not sharp. */
enum { HULL_FACES = 128 };

static bool is_convex(const fnd_surface *s)
{
    int faces = 0;
    if (!s->closed || s->hollow) return false;
    for (int t = 0; t < s->triangle_count && faces <= HULL_FACES; t++) faces += s->planes[t] == t;
    return faces <= HULL_FACES;
}

/* False: there was no memory. */
static bool add_hull(fender_geometry *mesh, fender_error *error)
{
    const fnd_surface *s = mesh->surface;
    if (!is_convex(s)) return true;
    mesh->hull = fender_geometry_hull(&mesh->env, s->vertices, s->vertex_count, error);
    if (!mesh->hull) return false;
    const fnd_surface *skin = mesh->hull->skin;
    if (skin && fabs(skin->area - s->area) <= 1e-9 * s->area) return true;
    fender_geometry_release(mesh->hull); /* of several solids, or a flat one */
    mesh->hull = NULL;
    return true;
}

fender_geometry *fender_geometry_mesh(const fender_env *env, const fender_mesh_def *def, fender_error *error)
{
    if (!def) {
        fnd_fail(error, FENDER_STATUS_ARGUMENT, "def", "a mesh needs its vertices and triangles", "NULL",
                 "a filled fender_mesh_def", "");
        return NULL;
    }
    if (!fnd_check_points(def->vertices, def->vertex_count, "mesh", "vertices", "vertex", error)) return NULL;
    if (def->triangle_count < 1 || def->triangle_count > INT_MAX / 3) {
        refuse("triangles", def->triangle_count < 1 ? "a mesh has no triangles" : "a mesh has too many triangles",
               fnd_number(def->triangle_count).text, "1 to 715827882", "", error);
        return NULL;
    }
    if (!def->triangles) {
        fnd_fail(error, FENDER_STATUS_ARGUMENT, "triangles", "a mesh needs its triangles", "NULL",
                 "three indices for each", "");
        return NULL;
    }
    if (!check_triangles(def->vertices, def->vertex_count, def->triangles, def->triangle_count, "mesh", error))
        return NULL;
    fender_geometry *geometry = fnd_geometry_create(env, FENDER_GEOMETRY_MESH, error);
    if (!geometry) return NULL;
    fnd_surface *surface = fnd_surface_create(env, def->vertices, def->vertex_count, def->triangles,
                                              def->triangle_count);
    geometry = with_surface(geometry, surface, error);
    if (!geometry || add_hull(geometry, error)) return geometry;
    fender_geometry_release(geometry);
    return NULL;
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

/* The lines of an uneven raster along one axis. */
static bool check_lines(const char *axis, const double *lines, int count, fender_error *error)
{
    char path[32], message[96], found[96];
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s[%d]", axis, i);
        if (!(fabs(lines[i]) <= 1e100)) {
            snprintf(message, sizeof message, "a line of the grid along %s is not finite, or too far away", axis);
            return refuse(path, message, isnan(lines[i]) ? "NaN" : fnd_number(lines[i]).text,
                          "within 1e100 m of the origin", "check the unit", error);
        }
        double size = i > 0 && fabs(lines[i - 1]) > fabs(lines[i]) ? fabs(lines[i - 1]) : fabs(lines[i]);
        if (i == 0 || lines[i] - lines[i - 1] > 4e-16 * size) continue;
        snprintf(message, sizeof message, "the lines of the grid along %s do not increase", axis);
        snprintf(found, sizeof found, "%s after %s", fnd_number(lines[i]).text, fnd_number(lines[i - 1]).text);
        return refuse(path, message, found, "more than the line before",
                      "sort the lines with their heights, and give each once", error);
    }
    return true;
}

static bool check_grid(const fender_grid_def *def, const fnd_grid_lines *lines, fender_error *error)
{
    if (!def || !def->heights) {
        fnd_fail(error, FENDER_STATUS_ARGUMENT, def ? "heights" : "def", "a grid needs its heights", "NULL",
                 "count_x * count_y heights in metres", "");
        return false;
    }
    if (def->count_x < 2 || def->count_y < 2 || def->count_x > INT_MAX / 6 / def->count_y) {
        char found[64];
        snprintf(found, sizeof found, "%d x %d", def->count_x, def->count_y);
        bool few = def->count_x < 2 || def->count_y < 2;
        return refuse("count_x", few ? "a grid has too few heights" : "a grid has too many heights", found,
                      "at least 2 x 2, at most 357913941 in all", "", error);
    }
    if (lines ? !check_lines("x", lines->x, def->count_x, error) || !check_lines("y", lines->y, def->count_y, error)
              : !check_raster("x", def->lower.x, def->spacing.x, def->count_x, error) ||
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
                          "fill gaps first", error);
        }
    return true;
}

static fender_geometry *grid_create(const fender_env *env, const fender_grid_def *def, const fnd_grid_lines *lines,
                                    fender_error *error)
{
    if (!check_grid(def, lines, error)) return NULL;
    fender_geometry *geometry = fnd_geometry_create(env, FENDER_GEOMETRY_GRID, error);
    if (!geometry) return NULL;
    fnd_surface *surface = lay_grid(env, def, lines);
    if (surface && !check_triangles(surface->vertices, surface->vertex_count, &surface->triangles[0][0],
                                    surface->triangle_count, "grid", error)) {
        fnd_surface_release(env, surface);
        fender_geometry_release(geometry);
        return NULL;
    }
    return with_surface(geometry, complete_or_release(env, surface), error);
}

fender_geometry *fender_geometry_grid(const fender_env *env, const fender_grid_def *def, fender_error *error)
{
    return grid_create(env, def, NULL, error);
}

fender_geometry *fender_geometry_uneven_grid(const fender_env *env, const fender_grid_def *def, const double *x,
                                             const double *y, fender_error *error)
{
    if (!x || !y) {
        fnd_fail(error, FENDER_STATUS_ARGUMENT, x ? "y" : "x", "an uneven grid needs the lines of both axes", "NULL",
                 "x and y of all columns and rows", "for equal spacing: fender_geometry_grid");
        return NULL;
    }
    const fnd_grid_lines lines = {x, y};
    return grid_create(env, def, &lines, error);
}
