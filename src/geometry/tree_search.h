/* Rays, points and boxes through the tree of a surface, compiled once for each width of registers. Included by
 * tree_search_*.c, which name the functions. */
#ifndef FND_GEOMETRY_TREE_SEARCH_H
#define FND_GEOMETRY_TREE_SEARCH_H

#include "geometry/tree_leaf.h"

typedef struct tree_entry {
    float enter;
    int32_t child;
} tree_entry;

/* Puts the children in the mask on the stack, the one that is entered first on top. */
static inline int push_children(tree_entry *stack, int count, const fnd_wide_node *node, const float *enter,
                                unsigned mask)
{
    int first = count;
    for (; mask; mask &= mask - 1) {
        int lane = fnd_lowest_lane(mask), to = count++;
        for (; to > first && stack[to - 1].enter < enter[lane]; to--) stack[to] = stack[to - 1];
        stack[to] = (tree_entry){enter[lane], node->child[lane]};
    }
    return count;
}

/* ---- rays */

static inline unsigned boxes_on_ray(const fnd_wide_node *node, const fnd_tree_ray *ray, float to, float *enter)
{
    const float *sides = &node->lower[0][0];
    fnd_floats low = fnd_floats_all(ray->from), high = fnd_floats_all(to);
    for (int i = 0; i < 3; i++) {
        fnd_floats q = fnd_floats_all(ray->q[i]), inverse = fnd_floats_all(ray->inverse[i]);
        fnd_floats in = fnd_floats_less(fnd_floats_load(sides + ray->near_side[i]), q);
        fnd_floats out = fnd_floats_less(fnd_floats_load(sides + ray->far_side[i]), q);
        low = fnd_floats_most(fnd_floats_times(in, inverse), low);
        high = fnd_floats_least(fnd_floats_times(out, inverse), high);
    }
    fnd_floats_store(enter, low);
    return fnd_floats_up_to(low, high);
}

/* The corners are sheared into a frame in which the line runs along its third axis (Woop, Benthin and Wald 2013). A
 * corner gets the same coordinates in all its triangles, and the two triangles of an edge find opposite numbers of the
 * same bits for the side on which the line passes it: one of them has it, or both when it is 0. */
static inline void ray_in_leaf(const fnd_surface *s, int32_t leaf, const fnd_tree_ray *ray, fnd_tree_hit *hit)
{
    tree_corners c;
    corners_of_leaf(&s->tree, leaf, &c);
    fnd_doubles x[3], y[3], z[3], zero = fnd_doubles_all(0);
    for (int k = 0; k < 3; k++) {
        fnd_doubles along = fnd_doubles_less(coordinate(s, &c, k, ray->axis[2]), fnd_doubles_all(ray->origin[2]));
        x[k] = fnd_doubles_less(coordinate(s, &c, k, ray->axis[0]), fnd_doubles_all(ray->origin[0]));
        x[k] = fnd_doubles_less(x[k], fnd_doubles_times(fnd_doubles_all(ray->shear[0]), along));
        y[k] = fnd_doubles_less(coordinate(s, &c, k, ray->axis[1]), fnd_doubles_all(ray->origin[1]));
        y[k] = fnd_doubles_less(y[k], fnd_doubles_times(fnd_doubles_all(ray->shear[1]), along));
        z[k] = fnd_doubles_times(fnd_doubles_all(ray->shear[2]), along);
    }
    fnd_doubles u = fnd_doubles_less(fnd_doubles_times(x[2], y[1]), fnd_doubles_times(y[2], x[1]));
    fnd_doubles v = fnd_doubles_less(fnd_doubles_times(x[0], y[2]), fnd_doubles_times(y[0], x[2]));
    fnd_doubles w = fnd_doubles_less(fnd_doubles_times(x[1], y[0]), fnd_doubles_times(y[1], x[0]));
    unsigned mask = fnd_doubles_up_to(zero, fnd_doubles_least(fnd_doubles_least(u, v), w)); /* the front */
    if (ray->back) mask |= fnd_doubles_up_to(fnd_doubles_most(fnd_doubles_most(u, v), w), zero);
    if (!mask) return;
    fnd_doubles sum = fnd_doubles_add(fnd_doubles_add(u, v), w);
    fnd_doubles place = fnd_doubles_add(fnd_doubles_times(u, z[0]), fnd_doubles_times(v, z[1]));
    place = fnd_doubles_add(place, fnd_doubles_times(w, z[2]));
    double sums[8], places[8];
    fnd_doubles_store(sums, sum);
    fnd_doubles_store(places, fnd_doubles_over(place, sum));
    for (; mask; mask &= mask - 1) {
        int lane = fnd_lowest_lane(mask);
        double at = places[lane];
        if (sums[lane] == 0 || !(at >= ray->s_from) || !(at <= hit->s)) continue; /* 0: seen from its side */
        int32_t triangle = triangle_of_lane(s, leaf, lane);
        if (at == hit->s && triangle > hit->triangle) continue;
        hit->s = at;
        hit->triangle = triangle;
    }
}

typedef struct ray_search {
    const fnd_tree_ray *ray;
    fnd_tree_hit *hit;
    int32_t at; /* node, or ~leaf, to be looked at next */
    float to;
    bool asked; /* for the corners of the leaf */
    int count;
    tree_entry stack[FND_TREE_STACK];
} ray_search;

static inline void begin_ray(ray_search *r, const fnd_tree_ray *ray, fnd_tree_hit *hit)
{
    *hit = (fnd_tree_hit){ray->s_to, FND_TREE_NO_TRIANGLE};
    r->ray = ray;
    r->hit = hit;
    r->at = 0;
    r->to = ray->to;
    r->asked = false;
    r->count = 0;
}

/* Looks at one node or leaf; false: that was the last. */
static inline bool step_ray(const fnd_surface *s, ray_search *r)
{
    if (r->at >= 0) {
        const fnd_wide_node *node = &s->tree.nodes[r->at];
        float enter[8];
        unsigned mask = boxes_on_ray(node, r->ray, r->to, enter), rest = mask & (mask - 1);
        if (mask && !rest) {
            r->at = node->child[fnd_lowest_lane(mask)];
            return true;
        }
        r->count = push_children(r->stack, r->count, node, enter, mask);
    } else {
        double last = r->hit->s;
        ray_in_leaf(s, ~r->at, r->ray, r->hit);
        if (r->hit->s < last) r->to = (float)((r->hit->s - r->ray->way) * r->ray->scale) + 0x1p-20f;
    }
    do {
        if (r->count == 0) return false;
        r->count--;
    } while (r->stack[r->count].enter > r->to);
    r->at = r->stack[r->count].child;
    return true;
}

/* Asks for the corners of a mesh's leaf; true: they have been asked for only now. */
static inline bool ask_for_corners(const fnd_surface *s, int32_t at, bool *asked)
{
    *asked = at < 0 && s->tree.leaves && !*asked;
    if (!*asked) return false;
    const int32_t *corner = &s->tree.leaves[~at].corner[0][0];
    for (int i = 0; i < 3 * FND_TREE_WIDTH; i++) fnd_ask((const char *)&s->vertices[corner[i]]);
    return true;
}

/* Several rays in turn: while one waits for memory the others are worked on. */
void FND_TREE_RAY(const fnd_surface *s, const fnd_tree_ray *rays, fnd_tree_hit *hits, int count)
{
    ray_search searches[FND_TREE_TOGETHER];
    int active = count < FND_TREE_TOGETHER ? count : FND_TREE_TOGETHER, next = active;
    for (int i = 0; i < active; i++) begin_ray(&searches[i], &rays[i], &hits[i]);
    if (active == 1) {
        while (step_ray(s, &searches[0])) {}
        return;
    }
    ray_search *turn[FND_TREE_TOGETHER];
    for (int i = 0; i < active; i++) turn[i] = &searches[i];
    while (active > 0) {
        for (int i = 0; i < active; i++) {
            ray_search *r = turn[i];
            if (ask_for_corners(s, r->at, &r->asked)) continue;
            if (step_ray(s, r)) ask_for(s, r->at);
            else if (next < count) {
                begin_ray(r, &rays[next], &hits[next]);
                next++;
            } else turn[i--] = turn[--active];
        }
    }
}

/* ---- nearest points */

typedef struct point_search {
    fender_vec3 point;
    fnd_surface_place *best;
    double slack;             /* m: rounding of all coordinates */
    float lower[3], upper[3]; /* the point in units of the tree, rounded down and up */
    float limit;              /* of squares */
    int32_t at;
    bool asked;
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

static inline double square_limit(const point_search *p)
{
    double reach = p->best->distance + p->slack;
    return reach * reach * (1 + 1e-9);
}

static inline bool point_in_leaf(const fnd_surface *s, const point_search *p, int32_t leaf)
{
    tree_corners c;
    corners_of_leaf(&s->tree, leaf, &c);
    lane_vector v[3];
    for (int k = 0; k < 3; k++) {
        v[k].x = fnd_doubles_less(coordinate(s, &c, k, 0), fnd_doubles_all(p->point.x));
        v[k].y = fnd_doubles_less(coordinate(s, &c, k, 1), fnd_doubles_all(p->point.y));
        v[k].z = fnd_doubles_less(coordinate(s, &c, k, 2), fnd_doubles_all(p->point.z));
    }
    fnd_doubles limit = fnd_doubles_all(square_limit(p));
    unsigned mask = fnd_doubles_up_to(box_squares(v), limit);
    if (!mask) return false;
    fnd_doubles squares = triangle_squares(v);
    mask &= fnd_doubles_up_to(squares, limit);
    if (!mask) return false;
    bool better = false;
    double square[8];
    fnd_doubles_store(square, squares);
    while (mask) {
        int lane = fnd_lowest_lane(mask);
        for (unsigned rest = mask & (mask - 1); rest; rest &= rest - 1) {
            int other = fnd_lowest_lane(rest);
            if (square[other] < square[lane]) lane = other;
        }
        mask &= ~(1u << lane);
        if (square[lane] > square_limit(p)) break;
        int32_t triangle = triangle_of_lane(s, leaf, lane);
        if (triangle == FND_TREE_NO_TRIANGLE) continue;
        fnd_surface_place one = fnd_triangle_nearest(s, triangle, p->point);
        if (!fnd_surface_nearer(&one, p->best)) continue;
        *p->best = one;
        better = true;
    }
    return better;
}

static inline float least_float(double x) { return x < 3e38 ? (float)x : 3e38f; }

/* A little more than the square of a length of m metres in units of the tree. */
static inline float float_limit(const fnd_surface *s, const point_search *p)
{
    double reach = (p->best->distance + p->slack) * s->tree.scale;
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
    p->point = point;
    p->best = best;
    p->slack = 1e-14 / tree->scale;
    p->limit = float_limit(s, p);
    p->at = 0;
    p->asked = false;
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
        p->count = push_children(p->stack, p->count, node, square, mask);
    } else if (point_in_leaf(s, p, ~p->at)) {
        p->limit = float_limit(s, p);
    }
    do {
        if (p->count == 0) return false;
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
            if (ask_for_corners(s, p->at, &p->asked)) continue;
            if (step_point(s, p)) ask_for(s, p->at);
            else if (next < count) {
                begin_point(s, p, points[next], &best[next]);
                next++;
            } else turn[i--] = turn[--active];
        }
    }
}

/* ---- boxes */

static inline unsigned triangles_in_box(const fnd_surface_walk *walk, int32_t leaf)
{
    const fnd_surface *s = walk->surface;
    tree_corners c;
    corners_of_leaf(&s->tree, leaf, &c);
    const double lower[3] = {walk->box.lower.x, walk->box.lower.y, walk->box.lower.z};
    const double upper[3] = {walk->box.upper.x, walk->box.upper.y, walk->box.upper.z};
    unsigned mask = 255;
    for (int i = 0; i < 3 && mask; i++) {
        fnd_doubles x = coordinate(s, &c, 0, i), y = coordinate(s, &c, 1, i), z = coordinate(s, &c, 2, i);
        fnd_doubles low = fnd_doubles_least(fnd_doubles_least(x, y), z);
        fnd_doubles high = fnd_doubles_most(fnd_doubles_most(x, y), z);
        mask &= fnd_doubles_up_to(low, fnd_doubles_all(upper[i]));
        mask &= fnd_doubles_up_to(fnd_doubles_all(lower[i]), high);
    }
    return mask;
}

/* Fills the walk with the triangles of the next leaf that has any. */
int32_t FND_TREE_WALK(fnd_surface_walk *walk)
{
    const fnd_surface *s = walk->surface;
    while (walk->count > 0) {
        int32_t at = walk->stack[--walk->count];
        if (at >= 0) {
            const fnd_wide_node *node = &s->tree.nodes[at];
            unsigned mask = boxes_in_box(node, walk->lower, walk->upper);
            for (int lane = 7; mask && lane >= 0; lane--)
                if (mask >> lane & 1) walk->stack[walk->count++] = node->child[lane];
            continue;
        }
        unsigned mask = triangles_in_box(walk, ~at);
        walk->at = walk->end = 0;
        if (!s->tree.leaves) { /* what a block shares with its neighbour is the neighbour's */
            int32_t row = ~at / s->count_x, column = ~at - row * s->count_x;
            if (column & 1) mask &= 0xccu;
            if (row & 1) mask &= 0xf0u;
        }
        for (; mask; mask &= mask - 1) {
            int32_t triangle = triangle_of_lane(s, ~at, fnd_lowest_lane(mask));
            if (triangle != FND_TREE_NO_TRIANGLE) walk->found[walk->end++] = triangle;
        }
        if (walk->end > 0) return walk->found[walk->at++];
    }
    return -1;
}

#endif
