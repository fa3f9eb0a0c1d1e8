/* Cells of triangles that are a part of a larger face: the borders of the whole face bound them, too.
 *
 * A long and narrow triangle has a cell that leaves its face where the face ends at one of its corners alone: behind a
 * bore cells widen with the depth, and the diagonal of a side goes on beyond the rim. Where the coplanar triangles are
 * few and make a convex face, all borders of that face bound each of their cells. Otherwise those do that pass through
 * a corner of the triangle where the face is convex: all of the triangle lies within them. */
#include "collide/mesh_scan.h"
#include <assert.h>

enum { MOST_TRIANGLES = 32, MOST_EDGES = MOST_TRIANGLES + 2 };

/* Sines of angles below are rounding. */
#define STRAIGHT 1e-9

/* The edge of a triangle from corner k, at which the face ends. */
typedef struct face_edge {
    int32_t triangle;
    int k;
} face_edge;

typedef struct face {
    const fnd_surface *surface;
    fender_vec3 normal; /* of the triangle whose cell it is */
    face_edge edges[MOST_EDGES];
    int count;
} face;

static bool ends_at(const fnd_surface *s, int32_t triangle, int k)
{
    const int32_t other = s->neighbours[triangle][k];
    return other < 0 || s->planes[other] != s->planes[triangle];
}

/* From its first vertex, or to its last one. */
static int32_t vertex_of(const fnd_surface *s, const face_edge *e, int end)
{
    return s->triangles[e->triangle][(e->k + end) % 3];
}

static fender_vec3 along(const fnd_surface *s, const face_edge *e)
{
    const fender_vec3 way = fender_vec3_sub(s->vertices[vertex_of(s, e, 1)], s->vertices[vertex_of(s, e, 0)]);
    return fender_vec3_scale(1 / fender_vec3_length(way), way);
}

/* Sine of the angle by which the border turns inwards from one edge to the next. */
static double bend(const face *f, const face_edge *one, const face_edge *next)
{
    return fender_vec3_dot(f->normal, fender_vec3_cross(along(f->surface, one), along(f->surface, next)));
}

static bool is_convex(const face *f)
{
    for (int i = 0; i < f->count; i++) {
        const int32_t at = vertex_of(f->surface, &f->edges[i], 1);
        for (int k = 0; k < f->count; k++)
            if (vertex_of(f->surface, &f->edges[k], 0) == at && bend(f, &f->edges[i], &f->edges[k]) < -STRAIGHT)
                return false;
    }
    return true;
}

/* All edges of a small convex face; false: it is another one. */
static bool find_all(face *f, int32_t triangle)
{
    const fnd_surface *s = f->surface;
    int32_t triangles[MOST_TRIANGLES] = {triangle};
    int count = 1;
    f->count = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t t = triangles[i];
            if (ends_at(s, t, k)) {
                if (f->count == MOST_EDGES) return false;
                f->edges[f->count++] = (face_edge){t, k};
                continue;
            }
            int at = 0;
            while (at < count && triangles[at] != s->neighbours[t][k]) at++;
            if (at < count) continue;
            if (count == MOST_TRIANGLES) return false;
            triangles[count++] = s->neighbours[t][k];
        }
    return is_convex(f);
}

/* The edges to and from each corner at which the face ends, if it is convex there. */
static void find_at_corners(face *f, int32_t triangle)
{
    const fnd_surface *s = f->surface;
    f->count = 0;
    for (int corner = 0; corner < 3; corner++) {
        const int32_t vertex = s->triangles[triangle][corner];
        face_edge ends[2];
        int found[2] = {0, 0};
        for (int i = s->vertex_start[vertex]; i < s->vertex_start[vertex + 1]; i++) {
            const int32_t t = s->vertex_triangles[i];
            if (s->planes[t] != s->planes[triangle]) continue;
            const int from = fnd_corner_at(s, t, vertex), to = (from + 2) % 3;
            if (ends_at(s, t, to) && found[0]++ == 0) ends[0] = (face_edge){t, to};
            if (ends_at(s, t, from) && found[1]++ == 0) ends[1] = (face_edge){t, from};
        }
        if (found[0] != 1 || found[1] != 1 || bend(f, &ends[0], &ends[1]) < -STRAIGHT) continue;
        for (int i = 0; i < 2; i++) f->edges[f->count++] = ends[i];
    }
}

/* Halfway between the face and its neighbour. */
static fender_vec3 inward_of(const face *f, const face_edge *e)
{
    const fnd_surface *s = f->surface;
    const int32_t other = s->neighbours[e->triangle][e->k];
    fender_vec3 between = f->normal;
    if (other >= 0) {
        const fender_vec3 sum = fender_vec3_add(f->normal, fnd_triangle_normal(s, other));
        const double length = fender_vec3_length(sum);
        if (length > 1e-6) between = fender_vec3_scale(1 / length, sum);
    }
    return fender_vec3_cross(between, along(s, e));
}

/* Is it one of the borders that the cell has? */
static bool is_known(const fnd_surface_sample *look, fender_vec3 inward, fender_vec3 point, double size)
{
    for (int k = 0; k < look->sides; k++) {
        const fender_vec3 turn = fender_vec3_sub(inward, look->inward[k]);
        if (fender_vec3_dot(turn, turn) < STRAIGHT * STRAIGHT &&
            fabs(fender_vec3_dot(inward, fender_vec3_sub(point, look->corners[k]))) < STRAIGHT * size)
            return true;
    }
    return false;
}

void fnd_surface_bound_by_face(const fnd_surface_visibility *visibility, fnd_surface_sample *look)
{
    assert(look->sides == 3);
    const fnd_surface *s = visibility->surface;
    const int32_t triangle = look->at->triangle;
    face f = {.surface = s, .normal = fnd_triangle_normal(s, triangle)};
    if (!(look->at->spread > 0) || !find_all(&f, triangle)) find_at_corners(&f, triangle);
    if (f.count == 0) return;
    for (int k = 0; k < 3; k++) look->own->corners[k] = look->corners[k];
    look->corners = look->own->corners;
    const double size = fender_vec3_length(fender_vec3_sub(look->corners[1], look->corners[0]));
    for (int i = 0; i < f.count && look->sides < 3 + FND_MORE_BORDERS; i++) {
        if (f.edges[i].triangle == triangle) continue;
        const fender_vec3 from = fender_vec3_sub(s->vertices[vertex_of(s, &f.edges[i], 0)], visibility->p_AB),
                          inward = fender_mat3_transpose_times(&visibility->R_AB, inward_of(&f, &f.edges[i])),
                          point = fender_mat3_transpose_times(&visibility->R_AB, from);
        if (is_known(look, inward, point, size)) continue;
        look->own->corners[look->sides] = point;
        look->own->inward[look->sides++] = inward;
    }
}
