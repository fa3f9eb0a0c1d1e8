/* Convex polytopes from points and boxes: vertices, faces, edges, neighbours, in one block of memory. */
#include "geometry/polytope.h"

#include "base/memory.h"
#include "geometry/hull.h"
#include "geometry/predicates.h"
#include "geometry/support.h"
#include <assert.h>
#include <limits.h>
#include <string.h>

/* ---- Memory ---- */

/* The next part of the block; every part starts at a multiple of 16 bytes. */
static size_t take(size_t *size, size_t bytes)
{
    size_t at = *size;
    *size += (bytes + 15) / 16 * 16;
    return at;
}

/* One block for so many of each, counts and pointers set, all else 0; NULL without memory. */
static fnd_polytope *polytope_allocate(const fender_env *env, int vertex_count, int face_count, int face_vertex_count,
                                       int edge_count)
{
    assert(vertex_count > 0 && face_count >= 0 && face_vertex_count >= 0 && edge_count >= 0);
    size_t size = 0, vertices = (size_t)vertex_count, faces = (size_t)face_count, padded = (vertices + 7) / 8 * 8;
    take(&size, sizeof(fnd_polytope));
    size_t at_vertices = take(&size, vertices * sizeof(fender_vec3));
    size_t at_start = take(&size, (faces + 1) * sizeof(int32_t));
    size_t at_corners = take(&size, (size_t)face_vertex_count * sizeof(int32_t));
    size_t at_normals = take(&size, faces * sizeof(fender_vec3));
    size_t at_offsets = take(&size, faces * sizeof(double));
    size_t at_areas = take(&size, faces * sizeof(double));
    size_t at_edges = take(&size, (size_t)edge_count * sizeof(fnd_polytope_edge));
    size_t at_neighbour_start = take(&size, (vertices + 1) * sizeof(int32_t));
    size_t at_neighbours = take(&size, 2 * (size_t)edge_count * sizeof(int32_t));
    size_t at_weights = take(&size, vertices * sizeof(double));
    size_t cells = fnd_polytope_cells_size(vertex_count), at_cells = take(&size, cells);
    size_t padded_faces = (faces + 7) / 8 * 8;
    size_t at_axes = take(&size, (3 * padded + 4 * padded_faces) * sizeof(double) + 64);
    char *block = fnd_allocate(env, size);
    if (!block) return NULL;
    fnd_polytope *p = (void *)block;
    p->vertex_count = vertex_count;
    p->face_count = face_count;
    p->edge_count = edge_count;
    p->vertices = (void *)(block + at_vertices);
    p->face_start = (void *)(block + at_start);
    p->face_vertices = (void *)(block + at_corners);
    p->face_normals = (void *)(block + at_normals);
    p->face_offsets = (void *)(block + at_offsets);
    p->face_areas = (void *)(block + at_areas);
    p->edges = (void *)(block + at_edges);
    p->neighbour_start = (void *)(block + at_neighbour_start);
    p->neighbours = (void *)(block + at_neighbours);
    p->corner_weights = (void *)(block + at_weights);
    at_axes += (size_t)(-(uintptr_t)(block + at_axes) & 63); /* no load of a wide register straddles two lines */
    p->x = (void *)(block + at_axes);
    p->y = p->x + padded;
    p->z = p->y + padded;
    p->face_x = p->z + padded;
    p->face_y = p->face_x + padded_faces;
    p->face_z = p->face_y + padded_faces;
    p->face_w = p->face_z + padded_faces;
    p->cells = cells ? (void *)(block + at_cells) : NULL; /* laid out when the vertices are there */
    p->padded_count = (int)padded;
    p->size = size;
    return p;
}

static void fill_neighbours(fnd_polytope *p)
{
    int32_t *start = p->neighbour_start;
    for (int i = 0; i <= p->vertex_count; i++) start[i] = 0;
    for (int e = 0; e < p->edge_count; e++)
        for (int k = 0; k < 2; k++) start[p->edges[e].vertex[k] + 1]++;
    for (int i = 0; i < p->vertex_count; i++) start[i + 1] += start[i];
    for (int e = 0; e < p->edge_count; e++)
        for (int k = 0; k < 2; k++) p->neighbours[start[p->edges[e].vertex[k]]++] = p->edges[e].vertex[1 - k];
    for (int i = p->vertex_count; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

/* Of a polygon in the plane across its normal. */
static double polygon_area(const fnd_polytope *p, int face)
{
    assert(face >= 0 && face < p->face_count);
    const int32_t *corner = p->face_vertices + p->face_start[face];
    int count = p->face_start[face + 1] - p->face_start[face];
    double twice = 0;
    for (int k = 1; k + 1 < count; k++) {
        fender_vec3 u = fender_vec3_sub(p->vertices[corner[k]], p->vertices[corner[0]]);
        fender_vec3 v = fender_vec3_sub(p->vertices[corner[k + 1]], p->vertices[corner[0]]);
        twice += fender_vec3_dot(p->face_normals[face], fender_vec3_cross(u, v));
    }
    return 0.5 * twice;
}

/* No face has corners whose weights add up to more than 1. Without faces all vertices share alike. */
static void fill_corner_weights(fnd_polytope *p)
{
    for (int i = 0; i < p->vertex_count; i++) p->corner_weights[i] = p->face_count > 0 ? 1 : 1.0 / p->vertex_count;
    for (int f = 0; f < p->face_count; f++) {
        int32_t first = p->face_start[f], end = p->face_start[f + 1];
        for (int32_t k = first; k < end; k++) {
            double *weight = &p->corner_weights[p->face_vertices[k]];
            if (1.0 / (end - first) < *weight) *weight = 1.0 / (end - first);
        }
    }
}

/* Fills neighbours, centre, coordinates by axis and areas from vertices, faces with normals, and edges. */
static void polytope_finish(fnd_polytope *p)
{
    assert(p->face_start[0] == 0);
    assert(p->edge_count == 0 || p->vertex_count > 1);
    fill_neighbours(p);
    fill_corner_weights(p);
    fender_vec3 sum = {0, 0, 0};
    for (int i = 0; i < p->vertex_count; i++) /* weighed at once: no overflow */
        sum = fender_vec3_add_scaled(sum, 1.0 / p->vertex_count, p->vertices[i]);
    p->center = sum;
    for (int i = 0; i < p->padded_count; i++) {
        fender_vec3 v = p->vertices[i < p->vertex_count ? i : p->vertex_count - 1];
        p->x[i] = v.x;
        p->y[i] = v.y;
        p->z[i] = v.z;
    }
    for (int f = 0; f < p->face_count; f++) p->face_areas[f] = polygon_area(p, f);
    p->cells = fnd_polytope_cells_fill(p, p->cells);
}

/* Normals and offsets by axis, when they are there. */
static void polytope_lay_planes(fnd_polytope *p)
{
    for (int i = 0; p->face_count > 0 && i < (p->face_count + 7) / 8 * 8; i++) {
        int f = i < p->face_count ? i : p->face_count - 1;
        p->face_x[i] = p->face_normals[f].x;
        p->face_y[i] = p->face_normals[f].y;
        p->face_z[i] = p->face_normals[f].z;
        p->face_w[i] = p->face_offsets[f];
    }
}

void fnd_polytope_release(const fender_env *env, fnd_polytope *polytope)
{
    if (polytope) fnd_release(env, polytope, polytope->size);
}

/* ---- Boxes ---- */

/* The corner with bit k set lies on the upper side along the k-th of the axes that have an extent. */
static void place_corners(fnd_polytope *p, fender_vec3 half, const int *axes)
{
    const double extent[3] = {half.x, half.y, half.z};
    for (int i = 0; i < p->vertex_count; i++) {
        double c[3] = {0, 0, 0};
        for (int k = 0; 1 << k < p->vertex_count; k++) c[axes[k]] = i >> k & 1 ? extent[axes[k]] : -extent[axes[k]];
        p->vertices[i] = fender_vec3_make(c[0], c[1], c[2]);
    }
}

static fender_vec3 along(int axis, double sign)
{
    assert(axis >= 0 && axis < 3);
    return fender_vec3_make(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
}

static void set_face(fnd_polytope *p, int face, const int32_t *corners, fender_vec3 normal, double offset)
{
    assert(face >= 0 && face < p->face_count);
    p->face_start[face + 1] = p->face_start[face] + 4;
    for (int k = 0; k < 4; k++) p->face_vertices[p->face_start[face] + k] = corners[k];
    p->face_normals[face] = normal;
    p->face_offsets[face] = offset;
}

/* The edges of closed faces: each is met once in either order. */
static void find_edges(fnd_polytope *p)
{
    int count = 0;
    for (int f = 0; f < p->face_count; f++) {
        for (int k = 0; k < 4; k++) {
            int32_t from = p->face_vertices[4 * f + k], to = p->face_vertices[4 * f + (k + 1) % 4];
            int at = 0;
            while (at < count && !(p->edges[at].vertex[0] == to && p->edges[at].vertex[1] == from)) at++;
            if (at < count) p->edges[at].face[1] = f;
            else p->edges[count++] = (fnd_polytope_edge){{from, to}, {f, -1}};
        }
    }
}

static void make_solid(fnd_polytope *p, const double extent[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int32_t u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, w = 1 << axis;
        const int32_t upper[4] = {w, w + u, w + u + v, w + v}, lower[4] = {0, v, u + v, u};
        set_face(p, 2 * axis, lower, along(axis, -1), extent[axis]);
        set_face(p, 2 * axis + 1, upper, along(axis, 1), extent[axis]);
    }
    find_edges(p);
}

static void make_flat(fnd_polytope *p, const int *axes)
{
    int flat = 3 - axes[0] - axes[1];
    double sign = (axes[0] + 1) % 3 == axes[1] ? 1 : -1; /* of the cross product of the two axes along the third */
    const int32_t up[4] = {0, 1, 3, 2}, down[4] = {2, 3, 1, 0};
    set_face(p, 0, up, along(flat, sign), 0);
    set_face(p, 1, down, along(flat, -sign), 0);
    find_edges(p);
}

fnd_polytope *fnd_polytope_of_box(const fender_env *env, fender_vec3 half)
{
    const double extent[3] = {half.x, half.y, half.z};
    static const int face_counts[4] = {0, 0, 2, 6}, edge_counts[4] = {0, 1, 4, 12};
    int axes[3], dimension = 0;
    for (int axis = 0; axis < 3; axis++)
        if (extent[axis] > 0) axes[dimension++] = axis;
    int faces = face_counts[dimension];
    fnd_polytope *p = polytope_allocate(env, 1 << dimension, faces, 4 * faces, edge_counts[dimension]);
    if (!p) return NULL;
    place_corners(p, half, axes);
    if (dimension == 3) make_solid(p, extent);
    if (dimension == 2) make_flat(p, axes);
    if (dimension == 1) p->edges[0] = (fnd_polytope_edge){{0, 1}, {-1, -1}};
    polytope_finish(p);
    polytope_lay_planes(p);
    p->center = fender_vec3_make(0, 0, 0);
    return p;
}

/* ---- Points ---- */

/* Data of a polytope during construction. */
typedef struct plan {
    const fender_env *env;
    const fender_vec3 *points;
    const int32_t *corners; /* numbers of the points that are vertices, increasing */
    int corner_count;
    const fnd_faces *faces; /* by numbers of vertices */
    double scale;           /* a power of two near the largest coordinate */
    bool broken;            /* an edge without partner was found */
} plan;

static fender_vec3 scaled(const fnd_polytope *polytope, double inverse, int32_t vertex)
{
    assert(vertex >= 0 && vertex < polytope->vertex_count);
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
        polytope = p->broken ? NULL : polytope_allocate(p->env, p->corner_count, p->faces->count, corners, edges);
        if (polytope) {
            fill_corners(polytope, p);
            fill_edges(polytope, items, face_of);
            polytope_finish(polytope);
            fill_planes(polytope, p);
            polytope_lay_planes(polytope);
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
    assert(count > 0);
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
    assert(base_count >= 0 && base_count <= 3);
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
    assert(points && count > 0);
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
