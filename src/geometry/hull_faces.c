/* Polygonal faces from the triangles of a hull.
 *
 * Triangles that lie in one plane within the tolerance are gathered around good ones first (those of the greatest least
 * height: slivers have no direction of their own and come last). Then everything follows from who meets whom: a corner
 * of the polytope is a vertex where three faces or more meet; a vertex with two lies on their common edge, one with one
 * inside a face, and both are left out. Where rounding makes faces that cannot be (fewer than three corners, two rims),
 * they are given to a neighbour; what is still no polytope after that is left as triangles. */
#include "geometry/hull.h"

#include "base/memory.h"
#include "base/sort.h"
#include "geometry/predicates.h"

#include <limits.h>

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
    bool reserved = fnd_reserve(env, &start, &faces->start_capacity, face_count + 1, sizeof *faces->start);
    faces->start = start;
    reserved = fnd_reserve(env, &points, &faces->point_capacity, point_count, sizeof *faces->points) && reserved;
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
