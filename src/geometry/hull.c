/* Quickhull with exact signs: coplanar and repeated points need no tolerance, and no order of points can break it.
 *
 * Points wait in lists, each under one triangle that it lies strictly beyond. The farthest point of a list is added:
 * the triangles that it lies strictly beyond are a disk (move the point inward by an arbitrarily small amount: those
 * are the ones it sees, and none is seen edge-on), so their rim is one cycle without repeats, and no new triangle is
 * degenerate, for the point is off the plane of the old triangle at each edge of the rim. A waiting point of a removed
 * triangle is beyond a new one or inside. */
#include "geometry/hull.h"

#include "base/memory.h"
#include "geometry/predicates.h"

static int side_of(const fnd_hull *hull, const fnd_hull_triangle *t, int32_t point)
{
    const fender_vec3 *p = hull->points;
    return fnd_orientation_3d(p[t->vertex[0]], p[t->vertex[1]], p[t->vertex[2]], p[point]);
}

static int32_t add_triangle(fnd_hull *hull, int32_t a, int32_t b, int32_t c)
{
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
