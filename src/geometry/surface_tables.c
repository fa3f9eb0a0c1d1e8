/* What follows from the vertices and triangles of a surface: triangles around vertices, neighbours, planes, spreads,
 * faces. Normals are found once, and kept until all of it is there. */
#include "geometry/surface.h"

#include "base/memory.h"
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
    for (int32_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            if (s->neighbours[t][k] >= 0) continue;
            s->closed = false;
            s->border[s->triangles[t][k]] = s->border[s->triangles[t][(k + 1) % 3]] = true;
        }
}

/* ---- Planes ---- */

/* Normals and places that differ by less, in parts of the distance, are in one plane. */
#define ONE_PLANE 1e-10

static bool is_in_plane(const fnd_surface *s, const fender_vec3 *normals, int32_t first, int32_t other)
{
    assert(other >= 0 && other < s->triangle_count);
    const fender_vec3 n = normals[first], turn = fender_vec3_sub(n, normals[other]);
    if (!(fender_vec3_length(turn) <= ONE_PLANE)) return false;
    const fender_vec3 from = fnd_surface_corner(s, first, 0);
    for (int k = 0; k < 3; k++) {
        fender_vec3 way = fender_vec3_sub(fnd_surface_corner(s, other, k), from);
        if (fabs(fender_vec3_dot(n, way)) > ONE_PLANE * fender_vec3_length(way)) return false;
    }
    return true;
}

/* Each group is that of its first triangle's plane, so that a gentle bow does not count as flat. */
static void group_planes(fnd_surface *s, const fender_vec3 *normals, int32_t *group)
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

/* ---- Spreads ---- */

/* How far the border of a cell leans outward at an edge, per depth: where the ground is hollow, by the tangent of half
 * the angle between the normals of the triangles; at the border of a grid, as far as the triangle is steep. */
static double lean_at(fender_vec3 along, fender_vec3 n, fender_vec3 m)
{
    double rise = fabs(fender_vec3_dot(along, fender_vec3_cross(n, m))); /* sine, or half the angle's */
    double run = 1 + fender_vec3_dot(n, m);
    return run > 1e-3 ? rise / run : 1e3;
}

static double lean_at_border(fender_vec3 along, fender_vec3 n, bool grid)
{
    if (!grid || !(n.z > 1e-3)) return 0;
    return fabs(fender_vec3_dot(along, fender_vec3_cross(n, fender_vec3_make(0, 0, 1)))) / n.z;
}

/* A corner between two leaning borders of a cell moves by the larger lean over the sine of half the corner. The leans
 * of triangles are kept: an edge has the same for both. */
static void find_spreads(fnd_surface *s, const fender_vec3 *normals, double (*leans)[3])
{
    for (int32_t t = 0; t < s->triangle_count; t++) {
        const int32_t *corner = s->triangles[t];
        const fender_vec3 n = normals[t];
        double *lean = leans[t], most = 0;
        fender_vec3 along[3];
        for (int k = 0; k < 3; k++) {
            const int32_t other = s->neighbours[t][k], end = corner[(k + 1) % 3];
            along[k] = fender_vec3_sub(s->vertices[end], s->vertices[corner[k]]);
            along[k] = fender_vec3_scale(1 / fender_vec3_length(along[k]), along[k]);
            lean[k] = other < 0 ? lean_at_border(along[k], n, s->count_x > 0)
                      : other < t ? leans[other][fnd_corner_at(s, other, end)]
                                  : lean_at(along[k], n, normals[other]);
        }
        for (int k = 0; k < 3; k++) {
            const int before = (k + 2) % 3;
            double cosine = -fender_vec3_dot(along[k], along[before]); /* at corner k */
            double half = 0.5 * (1 - cosine), larger = lean[k] > lean[before] ? lean[k] : lean[before];
            double at = half > 1e-6 ? larger / sqrt(half) : 1e3;
            most = at > most ? at : most;
        }
        most = most < 1e3 ? most * 1.00001 : 1e3; /* rounded up to a float */
        s->spreads[t] = (float)most;
        if (most > s->spread) s->spread = most;
    }
}

/* ---- Faces ---- */

typedef struct face_work {
    double area;
    int32_t group; /* triangles of the present face; of another place */
    int32_t seen;
} face_work;

/* Areas of triangles and their sum. Returns what the border spans: 0 of a closed surface, up to rounding. */
static double find_areas(fnd_surface *s, face_work *work)
{
    fender_vec3 spanned = {0, 0, 0};
    for (int32_t t = 0; t < s->triangle_count; t++) {
        double area;
        fender_vec3 n = fnd_triangle_normal_and_area(s, t, &area);
        s->area += area;
        spanned = fender_vec3_add_scaled(spanned, area, n);
        work[t] = (face_work){.area = area};
    }
    return fender_vec3_length(spanned);
}

/* Faces of a mesh, as far as its triangles make any; of an open one at least what its border spans: rugged ground has
 * no triangles alike. */
static void find_faces(fnd_surface *s, const fender_vec3 *normals, double spanned, face_work *work)
{
    static const double alike = 0.98480775301220805937; /* cos 10 degrees */
    s->face_area = spanned;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        if (work[t].seen) continue;
        const fender_vec3 n = normals[t];
        double sum = 0;
        int count = 0;
        work[t].seen = 1;
        work[count++].group = t;
        for (int i = 0; i < count; i++) {
            const int32_t at = work[i].group;
            sum += work[at].area;
            for (int k = 0; k < 3; k++) {
                const int32_t other = s->neighbours[at][k];
                if (other < 0 || work[other].seen || fender_vec3_dot(n, normals[other]) < alike) continue;
                work[other].seen = 1;
                work[count++].group = other;
            }
        }
        if (sum > s->face_area) s->face_area = sum;
    }
}

/* ---- All of it ---- */

/* For one of planes, faces and spreads after the other. */
typedef union triangle_work {
    double leans[3];
    face_work face;
    int32_t group;
} triangle_work;

static bool find_tables(const fender_env *env, fnd_surface *s)
{
    const size_t count = (size_t)s->triangle_count, size = count * (sizeof(fender_vec3) + sizeof(triangle_work));
    fender_vec3 *normals = fnd_allocate(env, size);
    if (!normals) return false;
    void *work = normals + count;
    fnd_triangle_normals(s, normals);
    group_planes(s, normals, work);
    const double spanned = find_areas(s, work);
    if (s->count_x == 0) find_faces(s, normals, spanned, work);
    find_spreads(s, normals, work);
    fnd_release(env, normals, size);
    return true;
}

bool fnd_surface_complete(const fender_env *env, fnd_surface *s)
{
    assert(s->triangle_count > 0);
    fill_fans(s);
    if (s->count_x > 0) match_raster(s);
    else if (!match_mesh(env, s)) return false;
    find_border(s);
    if (!find_tables(env, s)) return false;
    return s->count_x > 2 && s->count_y > 2 ? fnd_tree_build_raster(env, s) : fnd_tree_build(env, s);
}
