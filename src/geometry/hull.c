/* Convex hulls of points, exact in their topology: in space by quickhull, in a plane, and their polygonal faces. */
#include "geometry/hull.h"

#include "base/memory.h"
#include "geometry/predicates.h"
#include <assert.h>
#include <limits.h>

/* ---- Quickhull ---- */

/* Quickhull with exact signs: coplanar and repeated points need no tolerance, and no order of points can break it.
 *
 * Points wait in lists, each under one triangle that it lies strictly beyond. The farthest point of a list is added:
 * the triangles that it lies strictly beyond are a disk (move the point inward by an arbitrarily small amount: those
 * are the ones it sees, and none is seen edge-on), so their rim is one cycle without repeats, and no new triangle is
 * degenerate, for the point is off the plane of the old triangle at each edge of the rim. A waiting point of a removed
 * triangle is beyond a new one or inside. */

static int side_of(const fnd_hull *hull, const fnd_hull_triangle *t, int32_t point)
{
    assert(point >= 0 && point < hull->point_count);
    const fender_vec3 *p = hull->points;
    return fnd_orientation_3d(p[t->vertex[0]], p[t->vertex[1]], p[t->vertex[2]], p[point]);
}

static int32_t add_triangle(fnd_hull *hull, int32_t a, int32_t b, int32_t c)
{
    assert(a != b && b != c && c != a);
    void *triangles = hull->triangles;
    if (!fnd_reserve_one_more(hull->env, &triangles, &hull->triangle_capacity, hull->triangle_count,
                              sizeof *hull->triangles))
        return -1;
    hull->triangles = triangles;
    const fender_vec3 *p = hull->points;
    fnd_hull_triangle t = {.vertex = {a, b, c}, .neighbour = {-1, -1, -1}, .outside = -1, .farthest = -1};
    t.normal = fender_vec3_cross(fender_vec3_sub(p[b], p[a]), fender_vec3_sub(p[c], p[a]));
    hull->triangles[hull->triangle_count] = t;
    return hull->triangle_count++;
}

/* Puts a point under the first of the triangles from `first` on that it lies beyond; inside: nowhere. */
static void assign(fnd_hull *hull, int32_t point, int32_t first)
{
    assert(point >= 0 && point < hull->point_count);
    for (int32_t i = first; i < hull->triangle_count; i++) {
        fnd_hull_triangle *t = &hull->triangles[i];
        if (side_of(hull, t, point) <= 0) continue;
        double height = fender_vec3_dot(t->normal, fender_vec3_sub(hull->points[point], hull->points[t->vertex[0]]));
        if (t->farthest < 0 || height > t->height) {
            t->farthest = point;
            t->height = height;
        }
        hull->next[point] = t->outside;
        t->outside = point;
        return;
    }
}

static bool push(fnd_hull *hull, int *count, int32_t triangle)
{
    void *stack = hull->stack;
    if (!fnd_reserve_one_more(hull->env, &stack, &hull->stack_capacity, *count, sizeof *hull->stack)) return false;
    hull->stack = stack;
    hull->stack[(*count)++] = triangle;
    return true;
}

/* A triangle from every edge of the rim to the point: the neighbours beyond `kept` edge are set, those on either side
 * are found through the vertex at which they begin. */
static bool add_fan(fnd_hull *hull, int removed_count, int32_t point)
{
    int32_t first = hull->triangle_count;
    for (int i = 0; i < removed_count; i++) {
        for (int k = 0; k < 3; k++) {
            const fnd_hull_triangle *old = &hull->triangles[hull->stack[i]];
            int32_t kept = old->neighbour[k];
            if (hull->triangles[kept].beyond && hull->triangles[kept].visit == hull->visit) continue;
            int32_t from = old->vertex[k], removed = hull->stack[i];
            int32_t one = add_triangle(hull, from, old->vertex[(k + 1) % 3], point);
            if (one < 0) return false;
            hull->triangles[one].neighbour[0] = kept;
            fnd_hull_triangle *outer = &hull->triangles[kept];
            for (int e = 0; e < 3; e++)
                if (outer->neighbour[e] == removed && outer->vertex[(e + 1) % 3] == from) outer->neighbour[e] = one;
            hull->at[from] = one;
        }
    }
    for (int32_t i = first; i < hull->triangle_count; i++) {
        int32_t after = hull->at[hull->triangles[i].vertex[1]];
        hull->triangles[i].neighbour[1] = after;
        hull->triangles[after].neighbour[2] = i;
    }
    return true;
}

static bool add_point(fnd_hull *hull, int32_t seed, int32_t point)
{
    assert(point >= 0 && point < hull->point_count);
    int count = 0, visit = ++hull->visit;
    hull->triangles[seed].visit = visit;
    hull->triangles[seed].beyond = true;
    if (!push(hull, &count, seed)) return false;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            int32_t index = hull->triangles[hull->stack[i]].neighbour[k];
            fnd_hull_triangle *t = &hull->triangles[index];
            if (t->visit == visit) continue;
            t->visit = visit;
            t->beyond = side_of(hull, t, point) > 0;
            if (t->beyond && !push(hull, &count, index)) return false;
        }
    }
    int32_t first = hull->triangle_count;
    if (!add_fan(hull, count, point)) return false;
    for (int i = 0; i < count; i++) {
        fnd_hull_triangle *old = &hull->triangles[hull->stack[i]];
        old->dead = true;
        for (int32_t waiting = old->outside, next; waiting >= 0; waiting = next) {
            next = hull->next[waiting];
            if (waiting != point) assign(hull, waiting, first);
        }
    }
    return true;
}

bool fnd_hull_build(fnd_hull *hull, const fender_env *env, const fender_vec3 *points, int count,
                    const int32_t simplex[4])
{
    assert(count >= 4);
    *hull = (fnd_hull){.env = env, .points = points, .point_count = count};
    hull->next = fnd_allocate(env, (size_t)count * sizeof *hull->next);
    hull->at = fnd_allocate(env, (size_t)count * sizeof *hull->at);
    if (!hull->next || !hull->at) return false;
    int32_t s[4] = {simplex[0], simplex[1], simplex[2], simplex[3]};
    if (fnd_orientation_3d(points[s[0]], points[s[1]], points[s[2]], points[s[3]]) > 0) {
        s[1] = simplex[2];
        s[2] = simplex[1];
    } /* now the fourth is behind the first three */
    static const int32_t corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int32_t beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int i = 0; i < 4; i++) {
        if (add_triangle(hull, s[corners[i][0]], s[corners[i][1]], s[corners[i][2]]) < 0) return false;
        for (int k = 0; k < 3; k++) hull->triangles[i].neighbour[k] = beside[i][k];
    }
    for (int32_t i = 0; i < count; i++) assign(hull, i, 0);
    for (int32_t i = 0; i < hull->triangle_count; i++) { /* grows behind the loop */
        const fnd_hull_triangle *t = &hull->triangles[i];
        if (!t->dead && t->farthest >= 0 && !add_point(hull, i, t->farthest)) return false;
    }
    int kept = 0; /* close the gaps: `visit` becomes the new number */
    for (int i = 0; i < hull->triangle_count; i++)
        if (!hull->triangles[i].dead) hull->triangles[i].visit = kept++;
    for (int i = 0; i < hull->triangle_count; i++)
        for (int k = 0; k < 3 && !hull->triangles[i].dead; k++)
            hull->triangles[i].neighbour[k] = hull->triangles[hull->triangles[i].neighbour[k]].visit;
    for (int i = 0; i < hull->triangle_count; i++) /* forward, so that nothing is lost */
        if (!hull->triangles[i].dead) hull->triangles[hull->triangles[i].visit] = hull->triangles[i];
    hull->triangle_count = kept;
    return true;
}

void fnd_hull_release(fnd_hull *hull)
{
    size_t points = (size_t)hull->point_count;
    fnd_release(hull->env, hull->next, points * sizeof *hull->next);
    fnd_release(hull->env, hull->at, points * sizeof *hull->at);
    fnd_release(hull->env, hull->stack, (size_t)hull->stack_capacity * sizeof *hull->stack);
    fnd_release(hull->env, hull->triangles, (size_t)hull->triangle_capacity * sizeof *hull->triangles);
}

/* ---- In a plane ---- */

typedef struct outline {
    const fender_vec3 *points;
    int axis; /* the coordinate that is left out */
    bool reversed;
} outline;

static fender_vec2 flat(const outline *o, int32_t i)
{
    fender_vec3 p = o->points[i];
    if (o->axis == 0) return (fender_vec2){p.y, p.z};
    if (o->axis == 1) return (fender_vec2){p.z, p.x};
    return (fender_vec2){p.x, p.y};
}

/* Numbers of the points by increasing (first, second) coordinate. */
static void sort_points(const outline *o, int count, fnd_sort_real *items)
{
    for (int32_t i = 0; i < count; i++) items[i] = (fnd_sort_real){flat(o, i).y, (uint32_t)i};
    fnd_sort_by_real(items, items + count, count);
    for (int i = 0; i < count; i++) items[i].key = flat(o, (int32_t)items[i].index).x;
    fnd_sort_by_real(items, items + count, count);
}

/* Andrew's chain; corners counter-clockwise without points on the edges. Room for count + 1. */
static int chain(const outline *o, int count, const fnd_sort_real *items, int32_t *corners)
{
    int used = 0;
    for (int pass = 0; pass < 2; pass++) {
        int least = pass ? used + 1 : 2;
        for (int n = pass; n < count; n++) {
            int32_t i = (int32_t)items[pass ? count - 1 - n : n].index;
            while (used >= least &&
                   fnd_orientation_2d(flat(o, corners[used - 2]), flat(o, corners[used - 1]), flat(o, i)) <= 0)
                used--;
            corners[used++] = i;
        }
    }
    return used - 1; /* the last is the first */
}

static double distance_to_line(fender_vec3 p, fender_vec3 a, fender_vec3 b)
{
    double length = fender_vec3_length(fender_vec3_sub(b, a));
    return length > 0 ? fender_vec3_length(fnd_exact_normal(a, b, p)) / length
                      : fender_vec3_length(fender_vec3_sub(p, a));
}

/* Leaves out corners within the tolerance of the edge that replaces them. Begins at the corner farthest from the first,
 * which stays in any case. */
static int thin(const outline *o, int count, int32_t *corners, int32_t *scratch, double tolerance)
{
    assert(count > 0);
    int first = 0, kept = 0;
    double farthest = -1;
    for (int i = 0; i < count; i++) {
        double d = fender_vec3_length(fender_vec3_sub(o->points[corners[i]], o->points[corners[0]]));
        if (d > farthest) first = i;
        if (d > farthest) farthest = d;
    }
    for (int i = 0; i < count; i++) scratch[i] = corners[(first + i) % count];
    for (int from = 0; from < count;) {
        corners[kept++] = scratch[from];
        int to = from + 1;
        for (bool within = true; within && to < count;) {
            for (int i = from + 1; i <= to && within; i++)
                within = distance_to_line(o->points[scratch[i]], o->points[scratch[from]],
                                          o->points[scratch[(to + 1) % count]]) <= tolerance;
            if (within) to++;
        }
        from = to;
    }
    return kept;
}

static bool reserve_flat_faces(const fender_env *env, fnd_faces *faces, int point_count)
{
    void *start = faces->start, *points = faces->points;
    bool reserved = fnd_reserve(env, &start, &faces->start_capacity, faces->start_capacity, 3, sizeof *faces->start);
    faces->start = start;
    reserved = fnd_reserve(env, &points, &faces->point_capacity, faces->point_capacity, 2 * point_count,
                           sizeof *faces->points) &&
               reserved;
    faces->points = points;
    return reserved;
}

fnd_faces_result fnd_hull_flat(const fender_env *env, const fender_vec3 *points, int count, fender_vec3 normal,
                               double tolerance, fnd_faces *faces)
{
    assert(count > 0);
    double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    outline o = {points, x >= y && x >= z ? 0 : y >= z ? 1 : 2, false};
    o.reversed = (o.axis == 0 ? normal.x : o.axis == 1 ? normal.y : normal.z) < 0;
    size_t size = 2 * (size_t)count * sizeof(fnd_sort_real), room = ((size_t)count + 1) * sizeof(int32_t);
    fnd_sort_real *items = fnd_allocate(env, size);
    int32_t *corners = fnd_allocate(env, room), *scratch = fnd_allocate(env, room);
    fnd_faces_result result = FND_FACES_MEMORY;
    if (items && corners && scratch && count <= INT_MAX / 2) {
        sort_points(&o, count, items);
        int used = chain(&o, count, items, corners);
        used = used < 3 ? 0 : thin(&o, used, corners, scratch, tolerance);
        result = used < 3 ? FND_FACES_FLAT : FND_FACES_MEMORY;
        if (used >= 3 && reserve_flat_faces(env, faces, used)) {
            result = FND_FACES_DONE;
            faces->count = 2;
            for (int i = 0; i < 3; i++) faces->start[i] = i * used;
            for (int i = 0; i < used; i++) {
                faces->points[o.reversed ? used - 1 - i : i] = corners[i];
                faces->points[used + (o.reversed ? i : used - 1 - i)] = corners[i];
            }
        }
    }
    fnd_release(env, items, size);
    fnd_release(env, corners, room);
    fnd_release(env, scratch, room);
    return result;
}

/* ---- Faces ---- */

/* Polygonal faces from the triangles of a hull.
 *
 * Triangles that lie in one plane within the tolerance are gathered around good ones first (those of the greatest least
 * height: slivers have no direction of their own and come last). Then everything follows from who meets whom: a corner
 * of the polytope is a vertex where three faces or more meet; a vertex with two lies on their common edge, one with one
 * inside a face, and both are left out. Where rounding makes faces that cannot be (fewer than three corners, two rims),
 * they are given to a neighbour; what is still no polytope after that is left as triangles. */

typedef struct gathering {
    const fnd_hull *hull;
    double tolerance;
    fender_vec3 *normal;
    int32_t *region; /* of every triangle; -1: none yet */
    double *width;   /* least height of every triangle */
    int32_t *queue;
    int32_t *degree;     /* rims that leave a vertex */
    fnd_sort_real *sort; /* twice the triangles */
    int region_count;
} gathering;

static fender_vec3 corner(const gathering *g, int32_t triangle, int k)
{
    return g->hull->points[g->hull->triangles[triangle].vertex[k % 3]];
}

static int longest_edge(const gathering *g, int32_t triangle, double *length)
{
    int longest = 0;
    *length = -1;
    for (int k = 0; k < 3; k++) {
        double l = fender_vec3_length(fender_vec3_sub(corner(g, triangle, k + 1), corner(g, triangle, k)));
        if (l <= *length) continue;
        *length = l;
        longest = k;
    }
    return longest;
}

/* sum + low += term, where low holds what rounding took: thousands of triangles must not tilt a plane. */
static void add_to(double *sum, double *low, double term)
{
    volatile double total = *sum + term, part = total - *sum;
    *low += (*sum - (total - part)) + (term - part);
    *sum = total;
}
static void add_vector(fender_vec3 *sum, fender_vec3 *low, fender_vec3 term)
{
    add_to(&sum->x, &low->x, term.x);
    add_to(&sum->y, &low->y, term.y);
    add_to(&sum->z, &low->z, term.z);
}

/* Gathers what lies in the plane around a triangle. The plane is that of all gathered so far. */
static void grow(gathering *g, int32_t seed)
{
    int32_t number = g->region_count++;
    int count = 0;
    const fnd_hull_triangle *all = g->hull->triangles;
    fender_vec3 origin = corner(g, seed, 0), normals[2] = {{0, 0, 0}, {0, 0, 0}}, moments[2] = {{0, 0, 0}, {0, 0, 0}};
    double area = 0;
    g->queue[count++] = seed;
    g->region[seed] = number;
    for (int i = 0; i < count; i++) {
        int32_t t = g->queue[i];
        fender_vec3 n = g->normal[t], c = {0, 0, 0};
        double a = fender_vec3_length(n);
        for (int k = 0; k < 3; k++) c = fender_vec3_add(c, fender_vec3_sub(corner(g, t, k), origin));
        add_vector(&normals[0], &normals[1], n);
        add_vector(&moments[0], &moments[1], fender_vec3_scale(a / 3, c));
        area += a;
        fender_vec3 normal = fender_vec3_add(normals[0], normals[1]), moment = fender_vec3_add(moments[0], moments[1]);
        fender_vec3 middle = fender_vec3_add_scaled(origin, 1 / area, moment);
        double length = fender_vec3_length(normal);
        for (int k = 0; k < 3; k++) {
            int32_t other = all[t].neighbour[k];
            if (g->region[other] >= 0) continue;
            bool sliver = g->width[other] <= g->tolerance;
            if (!sliver && fender_vec3_dot(g->normal[other], normal) <= 0) continue;
            bool within = true;
            for (int e = 0; e < 3; e++) {
                double height = fender_vec3_dot(normal, fender_vec3_sub(corner(g, other, e), middle));
                within = within && fabs(height) <= g->tolerance * length;
            }
            if (!within) continue;
            g->region[other] = number;
            g->queue[count++] = other;
        }
    }
}

static void gather(gathering *g)
{
    int count = g->hull->triangle_count;
    g->region_count = 0;
    for (int32_t i = 0; i < count; i++) {
        double length, area = fender_vec3_length(g->normal[i]);
        (void)longest_edge(g, i, &length);
        g->width[i] = length > 0 ? area / length : 0;
        g->region[i] = -1;
        g->sort[i] = (fnd_sort_real){-g->width[i], (uint32_t)i};
    }
    fnd_sort_by_real(g->sort, g->sort + count, count);
    for (int i = 0; i < count; i++) {
        int32_t t = (int32_t)g->sort[i].index;
        if (g->width[t] <= g->tolerance) break;
        if (g->region[t] < 0) grow(g, t);
    }
    for (bool found = true; found;) { /* slivers that no plane took: to the face along their longest edge */
        found = false;
        for (int32_t i = 0; i < count; i++) {
            if (g->region[i] >= 0) continue;
            double length;
            int32_t other = g->hull->triangles[i].neighbour[longest_edge(g, i, &length)];
            if (g->region[other] < 0) continue;
            g->region[i] = g->region[other];
            found = true;
        }
    }
    for (int32_t i = 0; i < count; i++)
        if (g->region[i] < 0) grow(g, i);
}

static bool on_rim(const gathering *g, int32_t triangle, int k)
{
    return g->region[g->hull->triangles[triangle].neighbour[k]] != g->region[triangle];
}

/* Walks round the rim of a region from the edge k of a triangle of it, writing the corners. Returns the length of the
 * rim in edges. */
static int walk(const gathering *g, int32_t start, int start_edge, int32_t *corners, int *corner_count)
{
    assert(start >= 0 && start_edge >= 0 && start_edge < 3);
    const fnd_hull_triangle *all = g->hull->triangles;
    int32_t t = start;
    int k = start_edge, length = 0;
    *corner_count = 0;
    do {
        if (g->degree[all[t].vertex[k]] >= 3) corners[(*corner_count)++] = all[t].vertex[k];
        length++;
        k = (k + 1) % 3; /* the next edge of the rim about the end of this one */
        while (!on_rim(g, t, k)) {
            int32_t from = all[t].vertex[k], other = all[t].neighbour[k];
            int e = 0;
            while (all[other].vertex[e] != from) e++;
            t = other;
            k = e; /* leaves the same vertex */
        }
    } while (t != start || k != start_edge);
    return length;
}

/* The neighbour of a region with the longest common edge. */
static int32_t nearest_region(const gathering *g, int32_t region)
{
    assert(region >= 0);
    double longest = -1;
    int32_t found = -1;
    for (int32_t i = 0; i < g->hull->triangle_count; i++) {
        for (int k = 0; k < 3 && g->region[i] == region; k++) {
            if (!on_rim(g, i, k)) continue;
            double l = fender_vec3_length(fender_vec3_sub(corner(g, i, k + 1), corner(g, i, k)));
            if (l <= longest) continue;
            longest = l;
            found = g->region[g->hull->triangles[i].neighbour[k]];
        }
    }
    return found;
}

static bool reserve_faces(const fender_env *env, fnd_faces *faces, int face_count, int point_count)
{
    void *start = faces->start, *points = faces->points;
    bool reserved = fnd_reserve(env, &start, &faces->start_capacity, faces->start_capacity, face_count + 1,
                                sizeof *faces->start);
    faces->start = start;
    reserved = fnd_reserve(env, &points, &faces->point_capacity, faces->point_capacity, point_count,
                           sizeof *faces->points) &&
               reserved;
    faces->points = points;
    return reserved;
}

/* Polygons of the regions as they are. Returns -1 when all is well, else the first region that cannot be a face. */
static int32_t make_faces(gathering *g, fnd_faces *faces)
{
    const fnd_hull *hull = g->hull;
    for (int i = 0; i < hull->point_count; i++) g->degree[i] = 0;
    int32_t *rim = g->queue; /* edges in the rim of a region, and a place on it */
    for (int i = 0; i < g->region_count; i++) rim[i] = 0;
    for (int32_t i = 0; i < hull->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            if (!on_rim(g, i, k)) continue;
            g->degree[hull->triangles[i].vertex[k]]++;
            rim[g->region[i]]++;
        }
    }
    faces->count = 0;
    int used = 0;
    for (int32_t i = 0; i < hull->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            int32_t region = g->region[i];
            if (rim[region] == 0 || !on_rim(g, i, k)) continue;
            int corners;
            if (walk(g, i, k, faces->points + used, &corners) != rim[region] || corners < 3) return region;
            rim[region] = 0;
            faces->start[faces->count++] = used;
            used += corners;
        }
    }
    faces->start[faces->count] = used;
    return -1;
}

static int count_regions(const gathering *g)
{
    int count = 0;
    for (int i = 0; i < g->region_count; i++) g->queue[i] = 0;
    for (int i = 0; i < g->hull->triangle_count; i++) {
        if (g->queue[g->region[i]]) continue;
        g->queue[g->region[i]] = 1;
        count++;
    }
    return count;
}

/* Euler's count of corners, edges and faces. */
static bool is_sphere(const gathering *g, const fnd_faces *faces)
{
    int corners = 0;
    for (int i = 0; i < g->hull->point_count; i++) corners += g->degree[i] >= 3;
    return corners - faces->start[faces->count] / 2 + faces->count == 2 && faces->start[faces->count] % 2 == 0;
}

/* Is every face convex to within a few tolerances? (Where planes differ by hardly more than the tolerance, regions have
 * ragged rims.) */
static bool are_convex(const gathering *g, const fnd_faces *faces)
{
    const fender_vec3 *p = g->hull->points;
    for (int f = 0; f < faces->count; f++) {
        const int32_t *c = faces->points + faces->start[f];
        int count = faces->start[f + 1] - faces->start[f];
        fender_vec3 normal = {0, 0, 0};
        for (int i = 1; i + 1 < count; i++)
            normal = fender_vec3_add(normal, fnd_exact_normal(p[c[0]], p[c[i]], p[c[i + 1]]));
        for (int i = 0; i < count; i++) {
            fender_vec3 a = p[c[i]], edge = fender_vec3_sub(p[c[(i + 1) % count]], a);
            fender_vec3 inward = fender_vec3_cross(normal, edge);
            double height = fender_vec3_dot(inward, fender_vec3_sub(p[c[(i + 2) % count]], a));
            if (height < -4 * g->tolerance * fender_vec3_length(inward)) return false;
        }
    }
    return true;
}

/* Faces for one tolerance; false: these are none. */
static bool try_faces(gathering *g, fnd_faces *faces, fnd_faces_result *result)
{
    *result = FND_FACES_DONE;
    gather(g);
    for (int tries = 0; tries < 50; tries++) {
        if (count_regions(g) < 4) {
            *result = FND_FACES_FLAT;
            return true;
        }
        int32_t wrong = make_faces(g, faces);
        if (wrong < 0) return is_sphere(g, faces) && are_convex(g, faces);
        int32_t to = nearest_region(g, wrong);
        for (int i = 0; i < g->hull->triangle_count; i++)
            if (g->region[i] == wrong) g->region[i] = to;
    }
    return false;
}

/* Less tolerance, when no polytope comes of it. Without any, the triangles are one. */
static fnd_faces_result collect(gathering *g, fnd_faces *faces)
{
    fnd_faces_result result = FND_FACES_DONE;
    for (double least = g->tolerance / 64; g->tolerance >= 0;
         g->tolerance = g->tolerance > least ? g->tolerance / 4 : -1)
        if (try_faces(g, faces, &result)) return result;
    g->region_count = g->hull->triangle_count;
    for (int32_t i = 0; i < g->region_count; i++) g->region[i] = i;
    (void)make_faces(g, faces);
    return FND_FACES_DONE;
}

fnd_faces_result fnd_hull_faces(const fnd_hull *hull, double tolerance, fnd_faces *faces)
{
    assert(hull->triangle_count >= 4);
    const fender_env *env = hull->env;
    size_t triangles = (size_t)hull->triangle_count, points = (size_t)hull->point_count;
    gathering g = {.hull = hull, .tolerance = tolerance};
    g.region = fnd_allocate(env, triangles * sizeof *g.region);
    g.normal = fnd_allocate(env, triangles * sizeof *g.normal);
    g.width = fnd_allocate(env, triangles * sizeof *g.width);
    g.queue = fnd_allocate(env, triangles * sizeof *g.queue);
    g.sort = fnd_allocate(env, 2 * triangles * sizeof *g.sort);
    g.degree = fnd_allocate(env, points * sizeof *g.degree);
    fnd_faces_result result = FND_FACES_MEMORY;
    if (g.region && g.normal && g.width && g.queue && g.sort && g.degree && hull->triangle_count <= INT_MAX / 3 &&
        reserve_faces(env, faces, hull->triangle_count, 3 * hull->triangle_count)) {
        for (int i = 0; i < hull->triangle_count; i++)
            g.normal[i] = fnd_exact_normal(corner(&g, i, 0), corner(&g, i, 1), corner(&g, i, 2));
        result = collect(&g, faces);
    }
    fnd_release(env, g.region, triangles * sizeof *g.region);
    fnd_release(env, g.normal, triangles * sizeof *g.normal);
    fnd_release(env, g.width, triangles * sizeof *g.width);
    fnd_release(env, g.queue, triangles * sizeof *g.queue);
    fnd_release(env, g.sort, 2 * triangles * sizeof *g.sort);
    fnd_release(env, g.degree, points * sizeof *g.degree);
    return result;
}

void fnd_faces_release(const fender_env *env, fnd_faces *faces)
{
    fnd_release(env, faces->start, (size_t)faces->start_capacity * sizeof *faces->start);
    fnd_release(env, faces->points, (size_t)faces->point_capacity * sizeof *faces->points);
}
