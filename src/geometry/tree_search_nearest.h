/* Nearest points by the tree of a surface. Compiled once for each width of registers: included by
 * tree_search_*.c, which name the function. */
#ifndef FND_GEOMETRY_TREE_SEARCH_NEAREST_H
#define FND_GEOMETRY_TREE_SEARCH_NEAREST_H

#include "geometry/tree_leaf.h"
#include <string.h>

/* A triangle that may be the nearest: not nearer than this. */
typedef struct candidate {
    double least; /* m */
    int32_t triangle;
} candidate;

enum { CANDIDATES = 16 };

typedef struct point_search {
    fender_vec3 point;
    double place[3], scale;  /* the point in units of the tree, units per metre */
    fnd_surface_place *best; /* of the triangles that were looked at closely */
    double reach;            /* m: the surface is not farther than this, or what is farther is not asked for */
    double slack;            /* m: rounding of all coordinates */
    candidate candidates[CANDIDATES];
    int candidate_count;
    float lower[3], upper[3]; /* the point in units of the tree, rounded down and up */
    float limit;              /* of squares */
    int32_t at;
    int count;
    tree_entry stack[FND_TREE_STACK];
} point_search;

/* Squares of distances, not greater than the true ones, in units of the tree. */
static inline unsigned boxes_near_point(const fnd_wide_node *node, const point_search *p, float *square)
{
    fnd_floats sum = fnd_floats_all(0);
    for (int i = 0; i < 3; i++) {
        fnd_floats below = fnd_floats_less(fnd_floats_load(node->lower[i]), fnd_floats_all(p->upper[i]));
        fnd_floats above = fnd_floats_less(fnd_floats_all(p->lower[i]), fnd_floats_load(node->upper[i]));
        fnd_floats d = fnd_floats_most(fnd_floats_most(below, above), fnd_floats_all(0));
        sum = fnd_floats_add(sum, fnd_floats_times(d, d));
    }
    sum = fnd_floats_times(sum, fnd_floats_all(1 - 0x1p-20f));
    fnd_floats_store(square, sum);
    return fnd_floats_up_to(sum, fnd_floats_all(p->limit));
}

static inline float least_float(double x) { return x < 3e38 ? (float)x : 3e38f; }

/* A leaf seen from the point, in sizes of the leaf. */
typedef struct leaf_view {
    double per_unit, margin; /* sizes per unit of the tree; what rounding may do to a distance */
    float square[FND_TREE_WIDTH];
} leaf_view;

static inline float square_limit(const point_search *p, const leaf_view *view)
{
    double reach = (p->reach + p->slack) * p->scale * view->per_unit + view->margin;
    return least_float(reach * reach);
}

/* Triangles of a leaf that may be as near as the best, and squares of about their distances. The margin allows for
 * the blur of the corners and the roundings of float, which narrow triangles make thirty times worse. */
static inline unsigned triangles_near_point(const fnd_wide_leaf *leaf, const point_search *p, leaf_view *view)
{
    fnd_floats at[3];
    double farthest = 0;
    view->per_unit = (double)leaf->per_unit / (double)FND_LEAF_STEPS;
    for (int i = 0; i < 3; i++) {
        double x = (p->place[i] - (double)leaf->lower[i]) * view->per_unit;
        if (!(fabs(x) <= farthest)) farthest = fabs(x);
        at[i] = fnd_floats_all(least_float(x));
    }
    view->margin = 0x1p-11 + farthest * 0x1p-13;
    if (!(farthest < 1e6)) { /* squares of squares leave the range of floats */
        memset(view->square, 0, sizeof view->square);
        return 255;
    }
    const fnd_floats size = fnd_floats_all(1 / FND_LEAF_STEPS), most = fnd_floats_all(square_limit(p, view));
    fnd_floats_vector v[3];
    for (int k = 0; k < 3; k++) {
        v[k].x = fnd_floats_less(fnd_floats_times(fnd_floats_of_shorts(leaf->corner[k][0]), size), at[0]);
        v[k].y = fnd_floats_less(fnd_floats_times(fnd_floats_of_shorts(leaf->corner[k][1]), size), at[1]);
        v[k].z = fnd_floats_less(fnd_floats_times(fnd_floats_of_shorts(leaf->corner[k][2]), size), at[2]);
    }
    unsigned mask = fnd_floats_up_to(fnd_floats_box_squares(v), most);
    if (!mask) return 0;
    fnd_floats found = fnd_floats_triangle_squares(v);
    fnd_floats_store(view->square, found);
    return mask & fnd_floats_up_to(found, most);
}

static inline void look_closely(const fnd_surface *s, point_search *p, int32_t triangle)
{
    fnd_surface_place one = fnd_triangle_nearest(s, triangle, p->point);
    if (fnd_surface_nearer(&one, p->best)) *p->best = one;
    if (p->best->triangle >= 0 && p->best->distance < p->reach) p->reach = p->best->distance;
}

static inline void look_at_candidates(const fnd_surface *s, point_search *p)
{
    for (int i = 0; i < p->candidate_count; i++)
        if (p->candidates[i].least <= p->reach + p->slack) look_closely(s, p, p->candidates[i].triangle);
    p->candidate_count = 0;
}

/* What the blurred corners say bounds the distance from both sides, so only those triangles have to be looked at
 * closely that no other one is surely nearer than. */
static inline void point_in_leaf(const fnd_surface *s, point_search *p, int32_t number)
{
    const fnd_wide_leaf *leaf = &s->tree.leaves[number];
    leaf_view view;
    for (unsigned mask = triangles_near_point(leaf, p, &view); mask; mask &= mask - 1) {
        int lane = fnd_lowest_lane(mask);
        int32_t triangle = leaf->triangle[lane];
        if (triangle == FND_TREE_NO_TRIANGLE) continue;
        if (view.square[lane] == 0) { /* nothing is known of it */
            look_closely(s, p, triangle);
            continue;
        }
        double size = 1 / (view.per_unit * p->scale), distance = sqrt((double)view.square[lane]);
        if ((distance + view.margin) * size < p->reach) p->reach = (distance + view.margin) * size;
        if (p->candidate_count == CANDIDATES) look_at_candidates(s, p);
        p->candidates[p->candidate_count++] = (candidate){(distance - view.margin) * size, triangle};
    }
}

/* A little more than the square of a length of m metres in units of the tree. */
static inline float float_limit(const fnd_surface *s, const point_search *p)
{
    double reach = (p->reach + p->slack) * s->tree.scale;
    return least_float(reach * reach * (1 + 0x1p-20)) + 1e-38f;
}

static inline void begin_point(const fnd_surface *s, point_search *p, fender_vec3 point, fnd_surface_place *best)
{
    const fnd_wide_tree *tree = &s->tree;
    fender_vec3 local = fender_vec3_sub(point, tree->center);
    const double parts[3] = {local.x * tree->scale, local.y * tree->scale, local.z * tree->scale};
    for (int i = 0; i < 3; i++) {
        double x = parts[i] > 1e15 ? 1e15 : parts[i] < -1e15 ? -1e15 : parts[i], grain = 0x1p-23 * fabs(x);
        p->lower[i] = (float)(x - grain);
        p->upper[i] = (float)(x + grain);
    }
    memcpy(p->place, parts, sizeof parts);
    p->scale = tree->scale;
    p->point = point;
    p->best = best;
    p->reach = best->distance;
    p->candidate_count = 0;
    p->slack = 1e-14 / tree->scale;
    p->limit = float_limit(s, p);
    p->at = 0;
    p->count = 0;
}

static inline bool step_point(const fnd_surface *s, point_search *p)
{
    if (p->at >= 0) {
        const fnd_wide_node *node = &s->tree.nodes[p->at];
        float square[8];
        unsigned mask = boxes_near_point(node, p, square), rest = mask & (mask - 1);
        if (mask && !rest) {
            p->at = node->child[fnd_lowest_lane(mask)];
            return true;
        }
        p->count = push_children(s, p->stack, p->count, node, square, mask);
    } else {
        point_in_leaf(s, p, ~p->at);
        p->limit = float_limit(s, p);
    }
    do {
        if (p->count == 0) {
            look_at_candidates(s, p);
            return false;
        }
        p->count--;
    } while (p->stack[p->count].enter > p->limit);
    p->at = p->stack[p->count].child;
    return true;
}

void FND_TREE_NEAREST(const fnd_surface *s, const fender_vec3 *points, fnd_surface_place *best, int count)
{
    point_search searches[FND_TREE_TOGETHER];
    int active = count < FND_TREE_TOGETHER ? count : FND_TREE_TOGETHER, next = active;
    for (int i = 0; i < active; i++) begin_point(s, &searches[i], points[i], &best[i]);
    if (active == 1) {
        while (step_point(s, &searches[0])) {}
        return;
    }
    point_search *turn[FND_TREE_TOGETHER];
    for (int i = 0; i < active; i++) turn[i] = &searches[i];
    while (active > 0) {
        for (int i = 0; i < active; i++) {
            point_search *p = turn[i];
            if (step_point(s, p)) ask_for(s, p->at);
            else if (next < count) {
                begin_point(s, p, points[next], &best[next]);
                next++;
            } else turn[i--] = turn[--active];
        }
    }
}

#endif
