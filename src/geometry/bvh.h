/* What the builders of trees share. */
#ifndef FND_GEOMETRY_BVH_H
#define FND_GEOMETRY_BVH_H

#include "geometry/surface.h"

/* A box in units of the tree, four floats to a corner, so that it fits registers. */
typedef struct fnd_tree_box {
    float lower[4], upper[4];
} fnd_tree_box;

static inline fnd_tree_box fnd_tree_box_empty(void)
{
    return (fnd_tree_box){{FND_TREE_EMPTY, FND_TREE_EMPTY, FND_TREE_EMPTY, 0},
                          {-FND_TREE_EMPTY, -FND_TREE_EMPTY, -FND_TREE_EMPTY, 0}};
}
static inline void fnd_tree_box_widen(fnd_tree_box *box, const fnd_tree_box *by)
{
    for (int i = 0; i < 3; i++) {
        box->lower[i] = by->lower[i] < box->lower[i] ? by->lower[i] : box->lower[i];
        box->upper[i] = by->upper[i] > box->upper[i] ? by->upper[i] : box->upper[i];
    }
}
/* The box of a vertex. */
static inline fnd_tree_box fnd_tree_box_at(const fnd_wide_tree *tree, fender_vec3 v)
{
    v = fender_vec3_sub(v, tree->center);
    const float p[3] = {(float)(v.x * tree->scale), (float)(v.y * tree->scale), (float)(v.z * tree->scale)};
    return (fnd_tree_box){{p[0], p[1], p[2], 0}, {p[0], p[1], p[2], 0}};
}
/* Writes a child's box into its node, with the margin. */
static inline void fnd_wide_node_set(fnd_wide_node *node, int lane, const fnd_tree_box *box, int32_t child)
{
    for (int i = 0; i < 3; i++) {
        node->lower[i][lane] = box->lower[i] - FND_TREE_MARGIN;
        node->upper[i][lane] = box->upper[i] + FND_TREE_MARGIN;
    }
    node->child[lane] = child;
}
/* Fills a leaf with up to eight triangles; a number of FND_TREE_NO_TRIANGLE is a spare place. */
void fnd_wide_leaf_set(const fnd_surface *s, const int32_t triangles[FND_TREE_WIDTH], fnd_wide_leaf *leaf);
static inline void fnd_wide_node_clear(fnd_wide_node *node)
{
    for (int lane = 0; lane < FND_TREE_WIDTH; lane++) {
        for (int i = 0; i < 3; i++) {
            node->lower[i][lane] = FND_TREE_EMPTY;
            node->upper[i][lane] = -FND_TREE_EMPTY;
        }
        node->child[lane] = 0;
    }
}

#endif
