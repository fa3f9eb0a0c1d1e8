/* Rays through the tree of a surface. Compiled once for each width of registers: included by
 * tree_search_*.c, which name the function. */
#ifndef FND_GEOMETRY_TREE_SEARCH_RAY_H
#define FND_GEOMETRY_TREE_SEARCH_RAY_H

#include "geometry/tree_leaf.h"

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

/* Triangles of a leaf that the line may pass through: where it passes the blurred corners, along its third axis, in
 * steps of the leaf. FND_LEAF_BLUR and the roundings of float are allowed for. */
static inline unsigned triangles_on_ray(const fnd_wide_leaf *leaf, const fnd_tree_ray *ray)
{
    const int *axis = ray->axis;
    const double per_step = (double)leaf->per_unit, up = (double)leaf->lower[axis[2]] - ray->start[2];
    const double across[2] = {(ray->start[0] - (double)leaf->lower[axis[0]] + ray->shear[0] * up) * per_step,
                              (ray->start[1] - (double)leaf->lower[axis[1]] + ray->shear[1] * up) * per_step};
    const double most = 4 * (double)FND_LEAF_STEPS;                 /* shears are at most 1 */
    if (fabs(across[0]) > most || fabs(across[1]) > most) return 0; /* beside the leaf */
    const fnd_floats blur = fnd_floats_all(2 * FND_LEAF_BLUR + (float)(ray->grain * per_step));
    const fnd_floats from[2] = {fnd_floats_all((float)across[0]), fnd_floats_all((float)across[1])};
    const fnd_floats shear[2] = {fnd_floats_all((float)ray->shear[0]), fnd_floats_all((float)ray->shear[1])};
    const fnd_floats zero = fnd_floats_all(0);
    fnd_floats x[3], y[3], far[3];
    for (int k = 0; k < 3; k++) {
        const fnd_floats along = fnd_floats_of_shorts(leaf->corner[k][axis[2]]);
        x[k] = fnd_floats_less(fnd_floats_of_shorts(leaf->corner[k][axis[0]]), from[0]);
        x[k] = fnd_floats_less(x[k], fnd_floats_times(shear[0], along));
        y[k] = fnd_floats_less(fnd_floats_of_shorts(leaf->corner[k][axis[1]]), from[1]);
        y[k] = fnd_floats_less(y[k], fnd_floats_times(shear[1], along));
        far[k] = fnd_floats_add(fnd_floats_add(fnd_floats_size(x[k]), fnd_floats_size(y[k])), blur);
    }
    unsigned front = 255, back = ray->back ? 255 : 0;
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const fnd_floats side = fnd_floats_less(fnd_floats_times(x[b], y[a]), fnd_floats_times(y[b], x[a]));
        const fnd_floats slack = fnd_floats_times(blur, fnd_floats_add(far[a], far[b]));
        front &= fnd_floats_up_to(zero, fnd_floats_add(side, slack));
        back &= fnd_floats_up_to(side, slack);
    }
    return front | back;
}

/* The corners are sheared into a frame in which the line runs along its third axis (Woop, Benthin and Wald 2013). A
 * corner gets the same coordinates in all its triangles, and the two triangles of an edge find opposite numbers of the
 * same bits for the side on which the line passes it: one of them has it, or both when it is 0. */
static inline void ray_in_triangle(const fnd_surface *s, int32_t triangle, const fnd_tree_ray *ray, fnd_tree_hit *hit)
{
    double x[3], y[3], z[3];
    for (int k = 0; k < 3; k++) {
        const double *corner = &s->vertices[s->triangles[triangle][k]].x;
        double along = corner[ray->axis[2]] - ray->origin[2];
        x[k] = corner[ray->axis[0]] - ray->origin[0] - ray->shear[0] * along;
        y[k] = corner[ray->axis[1]] - ray->origin[1] - ray->shear[1] * along;
        z[k] = ray->shear[2] * along;
    }
    double u = x[2] * y[1] - y[2] * x[1], v = x[0] * y[2] - y[0] * x[2], w = x[1] * y[0] - y[1] * x[0];
    bool front = u >= 0 && v >= 0 && w >= 0, back = ray->back && u <= 0 && v <= 0 && w <= 0;
    double sum = u + v + w;
    if ((!front && !back) || sum == 0) return; /* 0: seen from its side */
    double at = (u * z[0] + v * z[1] + w * z[2]) / sum;
    if (!(at >= ray->s_from) || !(at <= hit->s) || (at == hit->s && triangle > hit->triangle)) return;
    *hit = (fnd_tree_hit){at, triangle};
}

typedef struct ray_search {
    const fnd_tree_ray *ray;
    fnd_tree_hit *hit;
    int32_t at; /* node, or ~leaf, to be looked at next */
    float to;
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
        r->count = push_children(s, r->stack, r->count, node, enter, mask);
    } else {
        double last = r->hit->s;
        const fnd_wide_leaf *leaf = &s->tree.leaves[~r->at];
        for (unsigned mask = triangles_on_ray(leaf, r->ray); mask; mask &= mask - 1) {
            int32_t triangle = leaf->triangle[fnd_lowest_lane(mask)];
            if (triangle != FND_TREE_NO_TRIANGLE) ray_in_triangle(s, triangle, r->ray, r->hit);
        }
        if (r->hit->s < last) r->to = (float)((r->hit->s - r->ray->way) * r->ray->scale) + 0x1p-20f;
    }
    do {
        if (r->count == 0) return false;
        r->count--;
    } while (r->stack[r->count].enter > r->to);
    r->at = r->stack[r->count].child;
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
            if (step_ray(s, r)) ask_for(s, r->at);
            else if (next < count) {
                begin_ray(r, &rays[next], &hits[next]);
                next++;
            } else turn[i--] = turn[--active];
        }
    }
}

#endif
