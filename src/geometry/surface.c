/* Triangulated surfaces: of vertices and triangles, or of a raster of heights; neighbours, normals, constructors of
 * grids and meshes. */
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

/* Twice the area times the unit normal, of coordinates scaled to about 1; *sizes: the product of the two longest edges.
 */
static fender_vec3 scaled_normal(fender_vec3 a, fender_vec3 b, fender_vec3 c, double *scale, double *sizes)
{
    fender_vec3 e[3] = {fender_vec3_sub(b, a), fender_vec3_sub(c, b), fender_vec3_sub(a, c)};
    double largest = 0;
    for (int k = 0; k < 3; k++) {
        const double parts[3] = {fabs(e[k].x), fabs(e[k].y), fabs(e[k].z)};
        for (int i = 0; i < 3; i++) largest = parts[i] > largest ? parts[i] : largest;
    }
    *scale = largest;
    *sizes = 0;
    if (!(largest > 0)) return fender_vec3_make(0, 0, 0);
    double square[3], longest = 0, shortest = INFINITY, product = 1;
    for (int k = 0; k < 3; k++) {
        e[k] = fender_vec3_make(e[k].x / largest, e[k].y / largest, e[k].z / largest);
        square[k] = fender_vec3_dot(e[k], e[k]);
        longest = square[k] > longest ? square[k] : longest;
        shortest = square[k] < shortest ? square[k] : shortest;
        product *= square[k];
    }
    *sizes = sqrt(shortest > 0 ? product / shortest : 0);
    int at = square[0] >= square[1] && square[0] >= square[2] ? 2 : square[1] >= square[2] ? 0 : 1;
    /* from the corner across from the longest edge: the two shorter ones */
    return fender_vec3_cross(e[(at + 2) % 3], e[at]);
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
        double scale, sizes, twice = fender_vec3_length(scaled_normal(v[0], v[1], v[2], &scale, &sizes));
        /* the height over the longest edge, about twice / scale, against the rounding of the coordinates */
        if (!(twice > 0) || !(twice * scale > 8 * DBL_EPSILON * coordinate)) return t;
    }
    return -1;
}

/* The corner of a triangle at a vertex. */
static int corner_at(const fnd_surface *s, int32_t triangle, int32_t vertex)
{
    assert(triangle >= 0 && triangle < s->triangle_count);
    const int32_t *corner = s->triangles[triangle];
    return corner[0] == vertex ? 0 : corner[1] == vertex ? 1 : 2;
}

/* The triangle across the edge from corner k, if exactly one contains it in the opposite direction; else -1. */
static int32_t across(const fnd_surface *s, int32_t triangle, int k)
{
    assert(triangle >= 0 && triangle < s->triangle_count && k >= 0);
    int32_t u = s->triangles[triangle][k], v = s->triangles[triangle][(k + 1) % 3], found = -1;
    int degree_u = s->vertex_start[u + 1] - s->vertex_start[u], degree_v = s->vertex_start[v + 1] - s->vertex_start[v];
    int32_t around = degree_u <= degree_v ? u : v, end = around == u ? v : u;
    for (int i = s->vertex_start[around]; i < s->vertex_start[around + 1]; i++) {
        int32_t other = s->vertex_triangles[i];
        if (other == triangle) continue;
        int at = corner_at(s, other, around);
        bool out = s->triangles[other][(at + 1) % 3] == end, in = s->triangles[other][(at + 2) % 3] == end;
        if (!out && !in) continue;
        if (found >= 0 || out == (around == u)) return -1; /* a third one, or one that runs the same way */
        found = other;
    }
    return found;
}

static void match(fnd_surface *s)
{
    for (int32_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            s->neighbours[t][k] = across(s, t, k);
            if (s->neighbours[t][k] < 0) s->border[s->triangles[t][k]] = s->border[s->triangles[t][(k + 1) % 3]] = true;
        }
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
    double scale, sizes; /* edges so long or short that the angle needs them scaled */
    (void)scaled_normal(a, b, c, &scale, &sizes);
    return angle_between(fender_vec3_scale(1 / scale, u), fender_vec3_scale(1 / scale, v));
}

fender_vec3 fnd_vertex_normal(const fnd_surface *s, int32_t vertex)
{
    assert(vertex >= 0 && vertex < s->vertex_count);
    fender_vec3 sum = {0, 0, 0};
    for (int i = s->vertex_start[vertex]; i < s->vertex_start[vertex + 1]; i++) {
        int32_t t = s->vertex_triangles[i];
        sum = fender_vec3_add_scaled(sum, angle_at(s, t, corner_at(s, t, vertex)), fnd_triangle_normal(s, t));
    }
    double length = fender_vec3_length(sum);
    if (length > 1e-9) return fender_vec3_scale(1 / length, sum);
    if (s->vertex_start[vertex] == s->vertex_start[vertex + 1]) return sum;
    return fnd_triangle_normal(s, s->vertex_triangles[s->vertex_start[vertex]]); /* folded together: that of one */
}

static fender_vec3 normal_and_area(const fnd_surface *s, int32_t triangle, double *area)
{
    assert(triangle >= 0 && triangle < s->triangle_count);
    double scale, sizes;
    fender_vec3 n = scaled_normal(fnd_surface_corner(s, triangle, 0), fnd_surface_corner(s, triangle, 1),
                                  fnd_surface_corner(s, triangle, 2), &scale, &sizes);
    double length = fender_vec3_length(n);
    *area = length / 2 * scale * scale;
    if (!(length > 0)) return fender_vec3_make(0, 0, 1);
    return fender_vec3_make(n.x / length, n.y / length, n.z / length);
}

fender_vec3 fnd_triangle_normal(const fnd_surface *s, int32_t triangle)
{
    fender_vec3 e[3];
    double square[3], area;
    for (int k = 0; k < 3; k++) {
        e[k] = fender_vec3_sub(fnd_surface_corner(s, triangle, k + 1), fnd_surface_corner(s, triangle, k));
        square[k] = fender_vec3_dot(e[k], e[k]);
    }
    double size = square[0] + square[1] + square[2];
    if (!(size > 1e-60) || !(size < 1e60)) return normal_and_area(s, triangle, &area);
    int at = square[0] >= square[1] && square[0] >= square[2] ? 2 : square[1] >= square[2] ? 0 : 1;
    fender_vec3 n = fender_vec3_cross(e[(at + 2) % 3], e[at]); /* from the corner across from the longest edge */
    double length = fender_vec3_length(n);
    return length > 0 ? fender_vec3_make(n.x / length, n.y / length, n.z / length) : fender_vec3_make(0, 0, 1);
}

/* The triangles around each vertex, in increasing order. */
static void fill_fans(fnd_surface *s)
{
    for (int t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) s->vertex_start[s->triangles[t][k]]++;
    for (int i = 0, sum = 0; i <= s->vertex_count; i++) {
        int degree = s->vertex_start[i];
        s->vertex_start[i] = sum;
        sum += degree;
    }
    for (int32_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) s->vertex_triangles[s->vertex_start[s->triangles[t][k]]++] = t;
    for (int i = s->vertex_count; i > 0; i--) s->vertex_start[i] = s->vertex_start[i - 1];
    s->vertex_start[0] = 0;
}

/* Normals and places that differ by less, in parts of the distance, are in one plane. */
#define ONE_PLANE 1e-10

static bool is_in_plane(const fnd_surface *s, fender_vec3 n, fender_vec3 from, int32_t other)
{
    assert(other >= 0 && other < s->triangle_count);
    for (int k = 0; k < 3; k++) {
        fender_vec3 way = fender_vec3_sub(fnd_surface_corner(s, other, k), from);
        if (fabs(fender_vec3_dot(n, way)) > ONE_PLANE * fender_vec3_length(way)) return false;
    }
    return fender_vec3_length(fender_vec3_sub(n, fnd_triangle_normal(s, other))) <= ONE_PLANE;
}

/* Each group is that of its first triangle's plane, so that a gentle bow does not count as flat. */
static bool group_planes(const fender_env *env, fnd_surface *s)
{
    size_t size = (size_t)s->triangle_count * sizeof(int32_t);
    int32_t *group = fnd_allocate(env, size);
    if (!group) return false;
    for (int32_t t = 0; t < s->triangle_count; t++) s->planes[t] = -1;
    s->closed = s->one_plane = true;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        for (int k = 0; k < 3; k++) s->closed = s->closed && s->neighbours[t][k] >= 0;
        if (s->planes[t] >= 0) continue;
        fender_vec3 n = fnd_triangle_normal(s, t), from = fnd_surface_corner(s, t, 0);
        int count = 0;
        s->planes[t] = t;
        s->one_plane = t == 0;
        group[count++] = t;
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++) {
                int32_t other = s->neighbours[group[i]][k];
                if (other < 0 || s->planes[other] >= 0 || !is_in_plane(s, n, from, other)) continue;
                s->planes[other] = t;
                group[count++] = other;
            }
        }
    }
    fnd_release(env, group, size);
    return true;
}

/* A cell's border through an edge to a neighbour leans outward where the ground is hollow, by the tangent of half the
 * angle between the normals; a corner between two such borders moves by that over the sine of half the corner. */
static void find_spreads(fnd_surface *s)
{
    for (int32_t t = 0; t < s->triangle_count; t++) {
        double lean[3], most = 0;
        fender_vec3 n = fnd_triangle_normal(s, t), along[3];
        for (int k = 0; k < 3; k++) {
            int32_t other = s->neighbours[t][k];
            along[k] = fender_vec3_sub(fnd_surface_corner(s, t, k + 1), fnd_surface_corner(s, t, k));
            along[k] = fender_vec3_scale(1 / fender_vec3_length(along[k]), along[k]);
            fender_vec3 m = other >= 0 ? fnd_triangle_normal(s, other) : s->count_x > 0 ? fender_vec3_make(0, 0, 1) : n;
            double rise = fabs(fender_vec3_dot(along[k], fender_vec3_cross(n, m))); /* sine, or half the angle's */
            double run = 1 + fender_vec3_dot(n, m);
            lean[k] = run > 1e-3 ? rise / run : 1e3;
            if (other < 0) lean[k] = n.z > 1e-3 && s->count_x > 0 ? rise / n.z : 0;
        }
        for (int k = 0; k < 3; k++) {
            double cosine = -fender_vec3_dot(along[k], along[(k + 2) % 3]); /* at corner k */
            double half = 0.5 * (1 - cosine), larger = lean[k] > lean[(k + 2) % 3] ? lean[k] : lean[(k + 2) % 3];
            double corner = half > 1e-6 ? larger / sqrt(half) : 1e3;
            most = corner > most ? corner : most;
        }
        most = most < 1e3 ? most * 1.00001 : 1e3; /* rounded up to a float */
        s->spreads[t] = (float)most;
        if (most > s->spread) s->spread = most;
    }
}

/* Faces of a mesh, as far as its triangles make any; of an open one at least what its border spans: rugged ground has
 * no triangles alike. */
static bool find_faces(const fender_env *env, fnd_surface *s)
{
    static const double alike = 0.98480775301220805937; /* cos 10 degrees */
    size_t size = (size_t)s->triangle_count * 2 * sizeof(int32_t);
    int32_t *group = fnd_allocate(env, size);
    if (!group) return false;
    int32_t *seen = group + s->triangle_count;
    fender_vec3 spanned = {0, 0, 0}; /* 0 of a closed one, up to rounding */
    for (int32_t t = 0; t < s->triangle_count; t++) {
        double area;
        fender_vec3 n = normal_and_area(s, t, &area);
        spanned = fender_vec3_add_scaled(spanned, area, n);
        seen[t] = 0;
    }
    s->face_area = fender_vec3_length(spanned);
    for (int32_t t = 0; t < s->triangle_count; t++) {
        if (seen[t]) continue;
        fender_vec3 n = fnd_triangle_normal(s, t);
        double sum = 0;
        int count = 0;
        seen[t] = 1;
        group[count++] = t;
        for (int i = 0; i < count; i++) {
            double area;
            (void)normal_and_area(s, group[i], &area);
            sum += area;
            for (int k = 0; k < 3; k++) {
                int32_t other = s->neighbours[group[i]][k];
                if (other < 0 || seen[other] || fender_vec3_dot(n, fnd_triangle_normal(s, other)) < alike) continue;
                seen[other] = 1;
                group[count++] = other;
            }
        }
        if (sum > s->face_area) s->face_area = sum;
    }
    fnd_release(env, group, size);
    return true;
}

static bool finish(const fender_env *env, fnd_surface *s)
{
    for (int32_t t = 0; t < s->triangle_count; t++) {
        double area;
        (void)normal_and_area(s, t, &area);
        s->area += area;
    }
    fill_fans(s);
    match(s);
    if (!group_planes(env, s) || (s->count_x == 0 && !find_faces(env, s))) return false;
    find_spreads(s);
    bool raster = s->count_x > 2 && s->count_y > 2;
    return raster ? fnd_tree_build_raster(env, s) : fnd_tree_build(env, s);
}

static fnd_surface *finish_or_release(const fender_env *env, fnd_surface *s)
{
    if (!s || finish(env, s)) return s;
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
    return finish_or_release(env, s);
}

/* Corner of column i and row j. */
static fender_vec3 grid_corner(const fender_grid_def *grid, const fnd_grid_lines *lines, int i, int j)
{
    assert(i >= 0 && i < grid->count_x && j >= 0 && j < grid->count_y);
    return fender_vec3_make(lines ? lines->x[i] : grid->lower.x + i * grid->spacing.x,
                            lines ? lines->y[j] : grid->lower.y + j * grid->spacing.y,
                            grid->heights[j * grid->count_x + i]);
}

fnd_surface *fnd_surface_of_grid(const fender_env *env, const fender_grid_def *grid, const fnd_grid_lines *lines)
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
    return finish_or_release(env, s);
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
                                   const fender_grid_def *grid, const fnd_grid_lines *lines, fender_error *error)
{
    fender_geometry *geometry = fnd_geometry_create(env, type, error);
    if (!geometry) return NULL;
    geometry->surface = grid ? fnd_surface_of_grid(env, grid, lines)
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
    return of_surface(env, FENDER_GEOMETRY_MESH, def->vertices, def->vertex_count, def->triangles, def->triangle_count,
                      NULL, NULL, error);
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
            for (int i = 0; i < nx; i++) vertices[j * nx + i] = grid_corner(def, lines, i, j);
        int32_t *next = triangles;
        for (int j = 0; j + 1 < ny; j++)
            for (int i = 0; i + 1 < nx; i++) {
                int32_t near = j * nx + i, right = near + 1, back = near + nx, far = back + 1;
                const int32_t cell[6] = {near, right, far, near, far, back};
                for (int k = 0; k < 6; k++) *next++ = cell[k];
            }
        if (check_triangles(vertices, vertex_count, triangles, triangle_count, "grid", error))
            geometry = of_surface(env, FENDER_GEOMETRY_GRID, vertices, vertex_count, triangles, triangle_count, def,
                                  lines, error);
    }
    fnd_release(env, vertices, vertices_size);
    fnd_release(env, triangles, triangles_size);
    return geometry;
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
