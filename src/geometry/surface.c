/* Triangulated surfaces: made of vertices and triangles, or of a raster of heights; neighbours and normals. */
#include "geometry/surface.h"

#include "base/memory.h"
#include "base/sort.h"
#include "geometry/bvh.h"
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
    size_t vertices = take(&size, v, sizeof(fender_vec3)), normals = take(&size, t, sizeof(fender_vec3));
    size_t around = take(&size, v, sizeof(fender_vec3)), triangles = take(&size, t, 3 * sizeof(int32_t));
    size_t beside = take(&size, t, 3 * sizeof(int32_t)), order = take(&size, t, sizeof(int32_t));
    size_t planes = take(&size, t, sizeof(int32_t));
    size_t nodes = take(&size, 2 * t, sizeof(fnd_surface_node)), start = take(&size, v + 1, sizeof(int32_t));
    size_t fans = take(&size, 3 * t, sizeof(int32_t)), border = take(&size, v, sizeof(bool));
    char *block = fnd_allocate(env, size);
    if (!block) return NULL;
    fnd_surface *s = (void *)block;
    s->vertex_count = vertex_count;
    s->triangle_count = triangle_count;
    s->vertices = (void *)(block + vertices);
    s->normals = (void *)(block + normals);
    s->vertex_normals = (void *)(block + around);
    s->triangles = (void *)(block + triangles);
    s->neighbours = (void *)(block + beside);
    s->order = (void *)(block + order);
    s->planes = (void *)(block + planes);
    s->nodes = (void *)(block + nodes);
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

/* The half-edges by lower, then higher vertex: exactly two that run against each other are neighbours. */
static void match(fnd_surface *s, fnd_sort_real *items)
{
    int count = 3 * s->triangle_count;
    for (int i = 0; i < count; i++) {
        s->neighbours[i / 3][i % 3] = -1;
        items[i].index = (uint32_t)i;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            int at = (int)items[i].index;
            int32_t u = s->triangles[at / 3][at % 3];
            int32_t v = s->triangles[at / 3][(at % 3 + 1) % 3];
            items[i].key = pass == 0 ? (u > v ? u : v) : (u < v ? u : v);
        }
        fnd_sort_by_real(items, items + count, count);
    }
    for (int i = 0, end; i < count; i = end) {
        int32_t u = 0, v = 0;
        for (end = i; end < count; end++) {
            int at = (int)items[end].index;
            int32_t p = s->triangles[at / 3][at % 3], q = s->triangles[at / 3][(at % 3 + 1) % 3];
            if (end > i && !((p == u && q == v) || (p == v && q == u))) break;
            u = p;
            v = q;
        }
        int one = (int)items[i].index, other = (int)items[end - 1].index;
        bool against = s->triangles[one / 3][one % 3] != s->triangles[other / 3][other % 3];
        if (end - i == 2 && against) {
            s->neighbours[one / 3][one % 3] = other / 3;
            s->neighbours[other / 3][other % 3] = one / 3;
            continue;
        }
        s->border[u] = s->border[v] = true;
    }
}

static double angle_between(fender_vec3 u, fender_vec3 v)
{
    return fnd_angle(fender_vec3_length(fender_vec3_cross(u, v)), fender_vec3_dot(u, v));
}

static void fill_vertices(fnd_surface *s)
{
    for (int t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) s->vertex_start[s->triangles[t][k]]++;
    for (int i = 0, sum = 0; i <= s->vertex_count; i++) {
        int degree = s->vertex_start[i];
        s->vertex_start[i] = sum;
        sum += degree;
    }
    for (int32_t t = 0; t < s->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            int32_t v = s->triangles[t][k];
            s->vertex_triangles[s->vertex_start[v]++] = t;
            double scale, sizes; /* edges of any length: the angle needs the scaled ones */
            fender_vec3 a = s->vertices[v], b = fnd_surface_corner(s, t, k + 1), c = fnd_surface_corner(s, t, k + 2);
            (void)scaled_normal(a, b, c, &scale, &sizes);
            double angle = angle_between(fender_vec3_scale(1 / scale, fender_vec3_sub(b, a)),
                                         fender_vec3_scale(1 / scale, fender_vec3_sub(c, a)));
            s->vertex_normals[v] = fender_vec3_add_scaled(s->vertex_normals[v], angle, s->normals[t]);
        }
    }
    for (int i = s->vertex_count; i > 0; i--) s->vertex_start[i] = s->vertex_start[i - 1];
    s->vertex_start[0] = 0;
    for (int i = 0; i < s->vertex_count; i++) {
        double length = fender_vec3_length(s->vertex_normals[i]);
        if (length > 1e-9) s->vertex_normals[i] = fender_vec3_scale(1 / length, s->vertex_normals[i]);
        else if (s->vertex_start[i] < s->vertex_start[i + 1]) /* folded together: that of one */
            s->vertex_normals[i] = s->normals[s->vertex_triangles[s->vertex_start[i]]];
    }
}

/* Normals and places that differ by less, in parts of the distance, are in one plane. */
#define ONE_PLANE 1e-10

static bool is_in_plane(const fnd_surface *s, int32_t first, int32_t other)
{
    fender_vec3 n = s->normals[first], from = fnd_surface_corner(s, first, 0);
    if (fender_vec3_length(fender_vec3_sub(n, s->normals[other])) > ONE_PLANE) return false;
    for (int k = 0; k < 3; k++) {
        fender_vec3 way = fender_vec3_sub(fnd_surface_corner(s, other, k), from);
        if (fabs(fender_vec3_dot(n, way)) > ONE_PLANE * fender_vec3_length(way)) return false;
    }
    return true;
}

/* Each group is that of its first triangle's plane, so that a gentle bow does not count as flat. */
static void group_planes(fnd_surface *s)
{
    for (int32_t t = 0; t < s->triangle_count; t++) s->planes[t] = -1;
    s->closed = true;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        for (int k = 0; k < 3; k++) s->closed = s->closed && s->neighbours[t][k] >= 0;
        if (s->planes[t] >= 0) continue;
        int count = 0;
        s->planes[t] = t;
        s->order[count++] = t; /* filled anew by the tree */
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++) {
                int32_t other = s->neighbours[s->order[i]][k];
                if (other < 0 || s->planes[other] >= 0 || !is_in_plane(s, t, other)) continue;
                s->planes[other] = t;
                s->order[count++] = other;
            }
        }
    }
}

static bool finish(const fender_env *env, fnd_surface *s)
{
    for (int t = 0; t < s->triangle_count; t++) {
        double scale, sizes;
        fender_vec3 n = scaled_normal(fnd_surface_corner(s, t, 0), fnd_surface_corner(s, t, 1),
                                      fnd_surface_corner(s, t, 2), &scale, &sizes);
        double length = fender_vec3_length(n);
        s->normals[t] = length > 0 ? fender_vec3_make(n.x / length, n.y / length, n.z / length)
                                   : fender_vec3_make(0, 0, 1);
        s->area += length / 2 * scale * scale;
    }
    size_t size = 6 * (size_t)s->triangle_count * sizeof(fnd_sort_real);
    fnd_sort_real *items = fnd_allocate(env, size);
    if (!items) return false;
    match(s, items);
    fill_vertices(s);
    group_planes(s);
    fnd_surface_build_tree(s, items);
    fnd_release(env, items, size);
    return true;
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
    if (triangle_count > INT_MAX / 6) return NULL;
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
    if (surface) fnd_release(env, surface, surface->size);
}
