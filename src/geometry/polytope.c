/* Convex polytopes from points: which hull it is (point, segment, flat, solid), its vertices, faces and edges. */
#include "geometry/polytope.h"

#include "base/memory.h"
#include "base/sort.h"
#include "geometry/hull.h"
#include "geometry/predicates.h"

#include <limits.h>
#include <string.h>

/* What a polytope is made of. */
typedef struct plan {
    const fender_env *env;
    const fender_vec3 *points;
    const int32_t *corners; /* numbers of the points that are vertices, rising */
    int corner_count;
    const fnd_faces *faces; /* by numbers of vertices */
    double scale;           /* a power of two near the largest coordinate */
    bool broken;            /* an edge without partner was found */
} plan;

static fender_vec3 scaled(const fnd_polytope *polytope, double inverse, int32_t vertex)
{
    fender_vec3 v = fender_vec3_scale(inverse, polytope->vertices[vertex]);
    return fender_vec3_make(fnd_predicate_coordinate(v.x), fnd_predicate_coordinate(v.y),
                            fnd_predicate_coordinate(v.z));
}

static void fill_corners(fnd_polytope *polytope, const plan *p)
{
    for (int i = 0; i < polytope->vertex_count; i++) polytope->vertices[i] = p->points[p->corners[i]];
    if (p->faces->count == 0) return;
    memcpy(polytope->face_start, p->faces->start, ((size_t)p->faces->count + 1) * sizeof(int32_t));
    memcpy(polytope->face_vertices, p->faces->points, (size_t)p->faces->start[p->faces->count] * sizeof(int32_t));
}

/* Normals by Newell's sum about the first corner, in units of the scale; slivers have areas above zero, too. */
static void fill_planes(fnd_polytope *polytope, const plan *p)
{
    double inverse = 1 / p->scale;
    for (int f = 0; f < polytope->face_count; f++) {
        const int32_t *corner = polytope->face_vertices + polytope->face_start[f];
        int count = polytope->face_start[f + 1] - polytope->face_start[f];
        fender_vec3 sum = {0, 0, 0};
        for (int i = 1; i + 1 < count; i++) {
            fender_vec3 n = fnd_exact_normal(scaled(polytope, inverse, corner[0]), scaled(polytope, inverse, corner[i]),
                                             scaled(polytope, inverse, corner[i + 1]));
            sum = fender_vec3_add(sum, n);
        }
        double length = fender_vec3_length(sum), offset = 0;
        fender_vec3 n = length > 0 ? fender_vec3_make(sum.x / length, sum.y / length, sum.z / length)
                                   : fender_vec3_make(0, 0, 1);
        for (int i = 0; i < count; i++) offset += fender_vec3_dot(n, scaled(polytope, inverse, corner[i]));
        polytope->face_normals[f] = n;
        polytope->face_areas[f] = length / 2 * p->scale * p->scale;
        polytope->face_offsets[f] = offset / count * p->scale;
    }
}

/* Half-edges by lower, then higher vertex: two that follow each other are an edge. Returns the number of edges, -1 when
 * a half-edge has no partner. */
static int match_edges(const fnd_faces *faces, fnd_sort_real *items, int32_t *face_of)
{
    int count = faces->start[faces->count];
    for (int pass = 0; pass < 2; pass++) {
        for (int f = 0; f < faces->count; f++) {
            int first = faces->start[f], size = faces->start[f + 1] - first;
            for (int i = 0; i < size && pass == 0; i++) {
                face_of[first + i] = f;
                items[first + i].index = (uint32_t)(first + i);
            }
        }
        for (int i = 0; i < count; i++) {
            int at = (int)items[i].index, f = face_of[at],
                next = at + 1 < faces->start[f + 1] ? at + 1 : faces->start[f];
            int32_t u = faces->points[at], v = faces->points[next];
            items[i].key = pass == 0 ? (u > v ? u : v) : (u < v ? u : v);
        }
        fnd_sort_by_real(items, items + count, count);
    }
    for (int i = 0; i < count; i++) {
        if (count % 2) return -1;
        int at = (int)items[i].index, f = face_of[at], next = at + 1 < faces->start[f + 1] ? at + 1 : faces->start[f];
        int other = (int)items[i ^ 1].index;
        if (faces->points[other] != faces->points[next]) return -1;
    }
    return count / 2;
}

static void fill_edges(fnd_polytope *polytope, const fnd_sort_real *items, const int32_t *face_of)
{
    for (int e = 0; e < polytope->edge_count && polytope->face_count > 0; e++) {
        int one = (int)items[2 * e].index, other = (int)items[2 * e + 1].index;
        polytope->edges[e] = (fnd_polytope_edge){{polytope->face_vertices[one], polytope->face_vertices[other]},
                                                 {face_of[one], face_of[other]}};
    }
    if (polytope->face_count == 0 && polytope->edge_count == 1)
        polytope->edges[0] = (fnd_polytope_edge){{0, 1}, {-1, -1}};
}

static fnd_polytope *assemble(plan *p)
{
    int corners = p->faces->count ? p->faces->start[p->faces->count] : 0;
    size_t items_size = 2 * (size_t)corners * sizeof(fnd_sort_real), face_size = (size_t)corners * sizeof(int32_t);
    fnd_sort_real *items = fnd_allocate(p->env, items_size);
    int32_t *face_of = fnd_allocate(p->env, face_size);
    fnd_polytope *polytope = NULL;
    if (corners == 0 || (items && face_of)) {
        int edges = corners ? match_edges(p->faces, items, face_of) : p->corner_count - 1;
        p->broken = edges < 0;
        polytope = p->broken ? NULL : fnd_polytope_allocate(p->env, p->corner_count, p->faces->count, corners, edges);
        if (polytope) {
            fill_corners(polytope, p);
            fill_edges(polytope, items, face_of);
            fnd_polytope_finish(polytope);
            fill_planes(polytope, p);
            fnd_polytope_lay_planes(polytope);
        }
    }
    fnd_release(p->env, items, items_size);
    fnd_release(p->env, face_of, face_size);
    return polytope;
}

/* Faces by numbers of points become faces by numbers of vertices; fills plan.corners (room for all points). */
static fnd_polytope *finish(plan *p, int point_count, fnd_faces *faces, int32_t *corners, int32_t *number)
{
    p->corner_count = 0;
    for (int i = 0; i < point_count; i++) number[i] = -1;
    for (int i = 0; i < faces->start[faces->count]; i++) number[faces->points[i]] = 0;
    for (int32_t i = 0; i < point_count; i++) {
        if (number[i] < 0) continue;
        number[i] = p->corner_count;
        corners[p->corner_count++] = i;
    }
    for (int i = 0; i < faces->start[faces->count]; i++) faces->points[i] = number[faces->points[i]];
    p->corners = corners;
    p->faces = faces;
    return assemble(p);
}

/* ---- which hull it is ---- */

static double largest_coordinate(const fender_vec3 *points, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++) {
        const double c[] = {fabs(points[i].x), fabs(points[i].y), fabs(points[i].z)};
        for (int k = 0; k < 3; k++) largest = c[k] > largest ? c[k] : largest;
    }
    return largest;
}

/* The point with the greatest measure of three: distance from a, from the line a b, from the plane a b c. */
static int32_t farthest(const fender_vec3 *points, int count, const int32_t base[3], int base_count, double *distance)
{
    fender_vec3 a = points[base[0]], u = {0, 0, 0}, n = {0, 0, 0};
    if (base_count > 1) u = fender_vec3_sub(points[base[1]], a);
    if (base_count > 2) n = fnd_exact_normal(a, points[base[1]], points[base[2]]);
    double length = fender_vec3_length(base_count > 2 ? n : u), most = -1;
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        fender_vec3 d = fender_vec3_sub(points[i], a);
        double measure = base_count == 1 ? fender_vec3_length(d)
                         : base_count == 2
                             ? fender_vec3_length(fnd_exact_normal(a, points[base[1]], points[i])) / length
                             : fabs(fender_vec3_dot(n, d)) / length;
        if (measure <= most) continue;
        most = measure;
        found = i;
    }
    *distance = most;
    return found;
}

/* Corners of a hull without faces. */
static fnd_polytope *line_or_point(plan *p, const int32_t *base, int corner_count)
{
    static const fnd_faces none = {0};
    int32_t corners[2] = {base[0], base[1]};
    if (corner_count == 1) corners[0] = 0;
    else if (corners[0] > corners[1]) {
        corners[0] = base[1];
        corners[1] = base[0];
    }
    p->corners = corners;
    p->corner_count = corner_count;
    p->faces = &none;
    return assemble(p);
}

static fnd_faces_result solid_faces(const plan *p, const fender_vec3 *points, int count, const int32_t base[4],
                                    double rounding, fnd_faces *faces)
{
    fnd_hull hull;
    fnd_faces_result result = FND_FACES_MEMORY;
    if (fnd_hull_build(&hull, p->env, points, count, base)) result = fnd_hull_faces(&hull, rounding, faces);
    fnd_hull_release(&hull);
    return result;
}

/* `points` are the scaled ones. */
static fnd_polytope *hull_of(plan *p, const fender_vec3 *points, int count, int32_t *corners, int32_t *number)
{
    double thickness, rounding = largest_coordinate(points, count) * FND_POLYTOPE_ROUNDING;
    int32_t base[4] = {0, 0, 0, 0};
    base[0] = farthest(points, count, base, 1, &thickness);
    base[1] = farthest(points, count, base, 1, &thickness);
    if (thickness <= 2 * rounding) return line_or_point(p, base, 1);
    base[2] = farthest(points, count, base, 2, &thickness);
    if (thickness <= 2 * rounding) return line_or_point(p, base, 2);
    base[3] = farthest(points, count, base, 3, &thickness);
    fnd_faces faces = {0};
    fnd_faces_result result = FND_FACES_FLAT;
    if (thickness > 2 * rounding &&
        fnd_orientation_3d(points[base[0]], points[base[1]], points[base[2]], points[base[3]]) != 0)
        result = solid_faces(p, points, count, base, rounding, &faces);
    if (result == FND_FACES_FLAT) {
        fender_vec3 n = fnd_exact_normal(points[base[0]], points[base[1]], points[base[2]]);
        result = fnd_hull_flat(p->env, points, count, n, rounding, &faces);
    }
    fnd_polytope *polytope = NULL;
    if (result == FND_FACES_DONE) polytope = finish(p, count, &faces, corners, number);
    if (p->broken && solid_faces(p, points, count, base, -1, &faces) == FND_FACES_DONE) /* as triangles it is whole */
        polytope = finish(p, count, &faces, corners, number);
    else if (result == FND_FACES_FLAT) polytope = line_or_point(p, base, 2);
    fnd_faces_release(p->env, &faces);
    return polytope;
}

static fnd_polytope *scale_and_build(const fender_env *env, const fender_vec3 *points, int count)
{
    int exponent = 0;
    (void)frexp(largest_coordinate(points, count), &exponent);
    plan p = {.env = env, .points = points, .scale = ldexp(1, exponent)};
    size_t size = (size_t)count * sizeof(fender_vec3), numbers = (size_t)count * sizeof(int32_t);
    fender_vec3 *small = fnd_allocate(env, size);
    int32_t *corners = fnd_allocate(env, numbers), *number = fnd_allocate(env, numbers);
    fnd_polytope *polytope = NULL;
    if (small && corners && number) {
        for (int i = 0; i < count; i++)
            small[i] = fender_vec3_make(fnd_predicate_coordinate(ldexp(points[i].x, -exponent)),
                                        fnd_predicate_coordinate(ldexp(points[i].y, -exponent)),
                                        fnd_predicate_coordinate(ldexp(points[i].z, -exponent)));
        polytope = hull_of(&p, small, count, corners, number);
    }
    fnd_release(env, small, size);
    fnd_release(env, corners, numbers);
    fnd_release(env, number, numbers);
    return polytope;
}

/* Copies the vertices but for later ones on edges as short as rounding. Returns how many there are. */
static int copy_distinct(const fnd_polytope *polytope, fender_vec3 *distinct)
{
    const fender_vec3 *v = polytope->vertices;
    double shortest = 2 * FND_POLYTOPE_ROUNDING * largest_coordinate(v, polytope->vertex_count);
    int count = 0;
    for (int i = 0; i < polytope->vertex_count; i++) {
        bool repeated = false;
        for (int n = polytope->neighbour_start[i]; n < polytope->neighbour_start[i + 1]; n++) {
            int32_t other = polytope->neighbours[n];
            repeated |= other < i && fabs(v[i].x - v[other].x) <= shortest && fabs(v[i].y - v[other].y) <= shortest &&
                        fabs(v[i].z - v[other].z) <= shortest;
        }
        if (!repeated) distinct[count++] = v[i];
    }
    return count;
}

fnd_polytope *fnd_polytope_of_points(const fender_env *env, const fender_vec3 *points, int count)
{
    fnd_polytope *polytope = scale_and_build(env, points, count);
    for (bool whole = false; polytope && !whole;) {
        size_t size = (size_t)polytope->vertex_count * sizeof(fender_vec3);
        fender_vec3 *distinct = fnd_allocate(env, size);
        int kept = distinct ? copy_distinct(polytope, distinct) : 0;
        whole = kept == polytope->vertex_count;
        if (!whole) {
            fnd_polytope_release(env, polytope);
            polytope = distinct ? scale_and_build(env, distinct, kept) : NULL;
        }
        fnd_release(env, distinct, size);
    }
    return polytope;
}
