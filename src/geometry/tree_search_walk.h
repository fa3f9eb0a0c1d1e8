/* Boxes through the tree of a surface. Compiled once for each width of registers: included by
 * tree_search_*.c, which name the function. */
#ifndef FND_GEOMETRY_TREE_SEARCH_WALK_H
#define FND_GEOMETRY_TREE_SEARCH_WALK_H

#include "geometry/tree_leaf.h"

static inline float float_within(double x) { return x > 1e30 ? 1e30f : x < -1e30 ? -1e30f : (float)x; }

/* Boxes of triangles that may meet the box. */
static inline unsigned triangles_in_box(const fnd_wide_leaf *leaf, const fnd_surface_walk *walk)
{
    unsigned mask = 255;
    for (int i = 0; i < 3; i++) {
        const fnd_floats x = fnd_floats_of_shorts(leaf->corner[0][i]), y = fnd_floats_of_shorts(leaf->corner[1][i]);
        const fnd_floats z = fnd_floats_of_shorts(leaf->corner[2][i]), blur = fnd_floats_all(FND_LEAF_BLUR);
        const fnd_floats low = fnd_floats_less(fnd_floats_least(fnd_floats_least(x, y), z), blur);
        const fnd_floats high = fnd_floats_add(fnd_floats_most(fnd_floats_most(x, y), z), blur);
        const double per_step = (double)leaf->per_unit, from = (walk->from[i] - (double)leaf->lower[i]) * per_step;
        const double to = (walk->to[i] - (double)leaf->lower[i]) * per_step;
        mask &= fnd_floats_up_to(low, fnd_floats_all(float_within(to)));
        mask &= fnd_floats_up_to(fnd_floats_all(float_within(from)), high);
    }
    return mask;
}

static inline bool spans_meet(double x, double y, double z, double lower, double upper)
{
    double low = x < y ? x : y, high = x < y ? y : x;
    return (low < z ? low : z) <= upper && (high > z ? high : z) >= lower;
}

static inline bool triangle_in_box(const fnd_surface *s, int32_t triangle, const fender_box *box)
{
    const fender_vec3 *a = &s->vertices[s->triangles[triangle][0]], *b = &s->vertices[s->triangles[triangle][1]];
    const fender_vec3 *c = &s->vertices[s->triangles[triangle][2]];
    return spans_meet(a->x, b->x, c->x, box->lower.x, box->upper.x) &&
           spans_meet(a->y, b->y, c->y, box->lower.y, box->upper.y) &&
           spans_meet(a->z, b->z, c->z, box->lower.z, box->upper.z);
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
        const fnd_wide_leaf *leaf = &s->tree.leaves[~at];
        walk->at = walk->end = 0;
        for (unsigned mask = triangles_in_box(leaf, walk); mask; mask &= mask - 1) {
            int32_t triangle = leaf->triangle[fnd_lowest_lane(mask)];
            if (triangle != FND_TREE_NO_TRIANGLE && triangle_in_box(s, triangle, &walk->box))
                walk->found[walk->end++] = triangle;
        }
        if (walk->end > 0) return walk->found[walk->at++];
    }
    return -1;
}

#endif
