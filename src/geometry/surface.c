/* Triangulated surfaces: made of vertices and triangles, or of a raster of heights; neighbours and normals. */
#include "geometry/surface.h"

#include "base/memory.h"
#include "math/elementary.h"
#include <float.h>
#include <limits.h>
#include <string.h>

static size_t take(size_t *size, size_t count, size_t bytes)
{
    size_t at = *size;
    *size += (count * bytes + 15) / 16 * 16;
    return at;
}

static fnd_surface *allocate(const fender_env *env, int vertex_count, int triangle_count)
{
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
    const int32_t *corner = s->triangles[triangle];
    return corner[0] == vertex ? 0 : corner[1] == vertex ? 1 : 2;
}

/* Who else has the edge from corner k: exactly one triangle, in which it runs the other way, or -1. */
static int32_t across(const fnd_surface *s, int32_t triangle, int k)
{
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

/* The triangles around each vertex, in rising order. */
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
    if (triangle_count > INT_MAX / 6 || vertex_count > INT_MAX / 3) return NULL;
    fnd_surface *s = allocate(env, vertex_count, triangle_count);
    if (!s) return NULL;
    memcpy(s->vertices, vertices, (size_t)vertex_count * sizeof *vertices);
    memcpy(s->triangles, triangles, (size_t)triangle_count * 3 * sizeof *triangles);
    return finish_or_release(env, s);
}

fnd_surface *fnd_surface_of_grid(const fender_env *env, int count_x, int count_y, fender_vec2 lower,
                                 fender_vec2 spacing, const double *heights)
{
    if ((double)count_x * count_y > INT_MAX / 12) return NULL;
    fnd_surface *s = allocate(env, count_x * count_y, 2 * (count_x - 1) * (count_y - 1));
    if (!s) return NULL;
    s->count_x = count_x;
    s->count_y = count_y;
    s->lower = lower;
    s->spacing = spacing;
    for (int j = 0, t = 0; j < count_y; j++) {
        for (int i = 0; i < count_x; i++) {
            int32_t at = j * count_x + i, right = at + 1, up = at + count_x, across = up + 1;
            s->vertices[at] = fender_vec3_make(lower.x + i * spacing.x, lower.y + j * spacing.y, heights[at]);
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
