/* What follows from the vertices and triangles of a surface: triangles around vertices, neighbours, planes, spreads,
 * faces. Normals are found once, and kept until all of it is there. */
#include "geometry/surface.h"

#include "base/memory.h"
#include "base/traps.h"
#include "base/width.h"
#include "geometry/triangle_lanes.h"
#include <assert.h>
#include <math.h>

/* ---- Fans and neighbours ---- */

/* The triangles around each vertex, in increasing order. */
static void fill_fans(fnd_surface *s)
{
    const int32_t *corners = &s->triangles[0][0];
    int32_t *start = s->vertex_start;
    for (int i = 0; i < 3 * s->triangle_count; i++) start[corners[i]]++;
    for (int i = 0, sum = 0; i <= s->vertex_count; i++) {
        int degree = start[i];
        start[i] = sum;
        sum += degree;
    }
    for (int32_t t = 0; t < s->triangle_count; t++, corners += 3)
        for (int k = 0; k < 3; k++) s->vertex_triangles[start[corners[k]]++] = t;
    for (int i = s->vertex_count; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

/* The edge between two vertices, while those of the lower one are looked at: edge 3 t + k runs from corner k of
 * triangle t to the next. */
enum { ALONE = -1, CROWDED = -2 };
typedef struct edge_use {
    int32_t lower; /* 1 + the lower vertex; another: no edge yet */
    int32_t first, second;
    bool outward; /* the first runs to the higher vertex */
} edge_use;

/* Two that run opposite ways are neighbours, unless there is a third. */
static void meet(int32_t *neighbours, edge_use *use, int32_t lower, int32_t edge, bool outward)
{
    assert(edge >= 0 && lower >= 0);
    if (use->lower != lower + 1) {
        *use = (edge_use){lower + 1, edge, ALONE, outward};
    } else if (use->second == ALONE && use->outward != outward) {
        use->second = edge;
        neighbours[use->first] = edge / 3;
        neighbours[edge] = use->first / 3;
    } else {
        if (use->second >= 0) neighbours[use->first] = neighbours[use->second] = -1;
        use->second = CROWDED;
    }
}

/* Each edge at its lower vertex. */
static bool match_mesh(const fender_env *env, fnd_surface *s)
{
    size_t size = (size_t)s->vertex_count * sizeof(edge_use);
    edge_use *uses = fnd_allocate(env, size);
    if (!uses) return false;
    int32_t *neighbours = &s->neighbours[0][0];
    for (int32_t i = 0; i < 3 * s->triangle_count; i++) neighbours[i] = -1;
    for (int32_t v = 0; v < s->vertex_count; v++)
        for (int i = s->vertex_start[v]; i < s->vertex_start[v + 1]; i++) {
            const int32_t t = s->vertex_triangles[i], *corner = s->triangles[t];
            const int k = fnd_corner_at(s, t, v), after = k < 2 ? k + 1 : 0, before = k > 0 ? k - 1 : 2;
            if (corner[after] > v) meet(neighbours, &uses[corner[after]], v, 3 * t + k, true);
            if (corner[before] > v) meet(neighbours, &uses[corner[before]], v, 3 * t + before, false);
        }
    fnd_release(env, uses, size);
    return true;
}

/* The two triangles of a cell, below and above its diagonal, are neighbours; across the sides are those of the cells
 * beside it. */
static void match_raster(fnd_surface *s)
{
    const int32_t columns = s->count_x - 1, rows = s->count_y - 1;
    for (int32_t j = 0, low = 0; j < rows; j++)
        for (int32_t i = 0; i < columns; i++, low += 2) {
            int32_t *below = s->neighbours[low], *above = s->neighbours[low + 1];
            below[0] = j > 0 ? low + 1 - 2 * columns : -1;
            below[1] = i + 1 < columns ? low + 3 : -1;
            below[2] = low + 1;
            above[0] = low;
            above[1] = j + 1 < rows ? low + 2 * columns : -1;
            above[2] = i > 0 ? low - 2 : -1;
        }
}

static void find_border(fnd_surface *s)
{
    s->closed = true;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        const int32_t *beside = s->neighbours[t];
        if ((beside[0] | beside[1] | beside[2]) >= 0) continue; /* the sign of any */
        s->closed = false;
        for (int k = 0; k < 3; k++)
            if (beside[k] < 0) s->border[s->triangles[t][k]] = s->border[s->triangles[t][(k + 1) % 3]] = true;
    }
}

/* ---- Planes ---- */

/* Normals and places that differ by less, in parts of the distance, are in one plane. */
#define ONE_PLANE 1e-10

static bool is_in_plane(const fnd_surface *s, const fnd_triangle_normals *normals, int32_t first, int32_t other)
{
    assert(other >= 0 && other < s->triangle_count);
    const fender_vec3 n = fnd_normal_at(normals, first), turn = fender_vec3_sub(n, fnd_normal_at(normals, other));
    if (!(fender_vec3_length(turn) <= ONE_PLANE)) return false;
    const fender_vec3 from = fnd_surface_corner(s, first, 0);
    for (int k = 0; k < 3; k++) {
        fender_vec3 way = fender_vec3_sub(fnd_surface_corner(s, other, k), from);
        if (fabs(fender_vec3_dot(n, way)) > ONE_PLANE * fender_vec3_length(way)) return false;
    }
    return true;
}

/* Each group is that of its first triangle's plane, so that a gentle bow does not count as flat. */
static void group_planes(fnd_surface *s, const fnd_triangle_normals *normals, int32_t *group)
{
    for (int32_t t = 0; t < s->triangle_count; t++) s->planes[t] = -1;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        if (s->planes[t] >= 0) continue;
        int count = 0;
        s->planes[t] = t;
        group[count++] = t;
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++) {
                int32_t other = s->neighbours[group[i]][k];
                if (other < 0 || s->planes[other] >= 0 || !is_in_plane(s, normals, t, other)) continue;
                s->planes[other] = t;
                group[count++] = other;
            }
        }
    }
}

/* ---- Faces ---- */

/* Faces of a mesh, as far as its triangles make any; of an open one at least what its border spans: rugged ground has
 * no triangles alike. */
static void find_faces(fnd_surface *s, const fnd_triangle_normals *normals, const double *areas, double spanned,
                       int32_t *group, bool *seen)
{
    static const double alike = 0.98480775301220805937; /* cos 10 degrees */
    s->face_area = spanned;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        if (seen[t]) continue;
        const fender_vec3 n = fnd_normal_at(normals, t);
        double sum = 0;
        int count = 0;
        seen[t] = true;
        group[count++] = t;
        for (int i = 0; i < count; i++) {
            const int32_t at = group[i];
            sum += areas[at];
            for (int k = 0; k < 3; k++) {
                const int32_t other = s->neighbours[at][k];
                if (other < 0 || seen[other] || fender_vec3_dot(n, fnd_normal_at(normals, other)) < alike) continue;
                seen[other] = true;
                group[count++] = other;
            }
        }
        if (sum > s->face_area) s->face_area = sum;
    }
}

/* ---- All of it ---- */

static double largest(const double *row, int count, double sign)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        if (sign * row[i] > most) most = sign * row[i];
    return most;
}

/* To which sides an open mesh faces: what is behind it has no end there. */
static void find_sides(fnd_surface *s, const fnd_triangle_normals *n)
{
    const int count = s->closed || s->count_x > 0 ? 0 : s->triangle_count;
    for (int way = 0; way < 2; way++) {
        const double sign = way == 0 ? 1 : -1;
        s->sides[way] = fender_vec3_make(largest(n->x, count, sign), largest(n->y, count, sign),
                                         largest(n->z, count, sign));
    }
}

/* Of sines of angles: flatter bends inwards are rounding. */
#define BEND 1e-9

static void find_bends(fnd_surface *s, const fnd_triangle_normals *n)
{
    s->hollow = false;
    const int count = s->closed && s->count_x == 0 ? s->triangle_count : 0;
    for (int t = 0; t < count && !s->hollow; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t other = s->neighbours[t][k];
            const fender_vec3 normal = fender_vec3_make(n->x[t], n->y[t], n->z[t]);
            const fender_vec3 beside = fender_vec3_make(n->x[other], n->y[other], n->z[other]);
            const fender_vec3 from = fnd_surface_corner(s, t, k), to = fnd_surface_corner(s, t, k + 1);
            const fender_vec3 edge = fender_vec3_sub(to, from);
            const double bend = fender_vec3_dot(fender_vec3_cross(normal, beside), edge);
            if (bend < -BEND * fender_vec3_length(edge)) s->hollow = true;
        }
}

static bool find_tables(const fender_env *env, fnd_surface *s)
{
    static const fnd_triangle_functions *const widths[3] = FND_WIDTHS(&fnd_triangles);
    const fnd_triangle_functions *triangles = widths[fnd_tree_registers()];
    const bool mesh = s->count_x == 0;
    const size_t count = ((size_t)s->triangle_count + FND_TRIANGLES_AT_ONCE - 1) / FND_TRIANGLES_AT_ONCE *
                         FND_TRIANGLES_AT_ONCE; /* whole blocks */
    const size_t size = count * (3 * sizeof(double) + sizeof(int32_t)), more = count * (sizeof(double) + sizeof(bool));
    double *memory = fnd_allocate(env, size), *areas = mesh ? fnd_allocate(env, more) : NULL;
    const bool room = memory && (areas || !mesh);
    if (room) {
        const fnd_triangle_normals normals = {memory, memory + count, memory + 2 * count};
        int32_t *group = (void *)(memory + 3 * count);
        fnd_triangle_sums sums;
        triangles->measure(s, &normals, areas, &sums);
        s->area = sums.area;
        group_planes(s, &normals, group);
        if (mesh) find_faces(s, &normals, areas, fender_vec3_length(sums.spanned), group, (void *)(areas + count));
        find_sides(s, &normals);
        find_bends(s, &normals);
        triangles->spread(s, &normals);
    }
    fnd_release(env, memory, size);
    fnd_release(env, areas, more);
    return room;
}

bool fnd_surface_complete(const fender_env *env, fnd_surface *s)
{
    assert(s->triangle_count > 0);
    fill_fans(s);
    if (s->count_x > 0) match_raster(s);
    else if (!match_mesh(env, s)) return false;
    find_border(s);
    fenv_t host; /* blocks of triangles have lanes without one */
    const bool held = fnd_traps_hold(&host), found = find_tables(env, s);
    if (held) fesetenv(&host);
    if (!found) return false;
    return s->count_x > 2 && s->count_y > 2 ? fnd_tree_build_raster(env, s) : fnd_tree_build(env, s);
}
