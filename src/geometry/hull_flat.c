/* Convex hull of points in a plane: exact in the plane of two coordinates, then thinned to its real corners. */
#include "geometry/hull.h"

#include "base/memory.h"
#include "base/sort.h"
#include "geometry/predicates.h"

#include <limits.h>

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

/* Numbers of the points by rising (first, second) coordinate. */
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

static bool reserve_faces(const fender_env *env, fnd_faces *faces, int point_count)
{
    void *start = faces->start, *points = faces->points;
    bool reserved = fnd_reserve(env, &start, &faces->start_capacity, 3, sizeof *faces->start);
    faces->start = start;
    reserved = fnd_reserve(env, &points, &faces->point_capacity, 2 * point_count, sizeof *faces->points) && reserved;
    faces->points = points;
    return reserved;
}

fnd_faces_result fnd_hull_flat(const fender_env *env, const fender_vec3 *points, int count, fender_vec3 normal,
                               double tolerance, fnd_faces *faces)
{
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
        if (used >= 3 && reserve_faces(env, faces, used)) {
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
