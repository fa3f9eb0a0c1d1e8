/* A binary tree over boxes that can change one at a time: which of them overlap a given one. */
#ifndef FND_COLLIDE_BOX_TREE_H
#define FND_COLLIDE_BOX_TREE_H

#include <fender/base.h>
#include <stdint.h>

typedef struct fnd_box {
    double lower[3], upper[3];
} fnd_box;

static inline bool fnd_boxes_overlap(const fnd_box *a, const fnd_box *b)
{
    return a->lower[0] <= b->upper[0] && b->lower[0] <= a->upper[0] && a->lower[1] <= b->upper[1] &&
           b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] && b->lower[2] <= a->upper[2];
}

/* Nodes 0 .. leaf_count - 1 are the leaves, in no tree while their height is negative. */
typedef struct fnd_tree_node {
    fnd_box box;
    int32_t parent, child[2], height;
} fnd_tree_node;

typedef struct fnd_box_tree {
    fnd_tree_node *nodes;
    int leaf_count, node_count, free; /* `free`: first unused inner node, linked by `parent`; -1: none */
    int roots[2];                     /* two trees over the same leaves; -1: empty */
    int32_t *stack;                   /* of a query, or the leaves that are put in order */
} fnd_box_tree;

bool fnd_box_tree_create(const fender_env *env, fnd_box_tree *tree, int leaf_count);
void fnd_box_tree_destroy(const fender_env *env, fnd_box_tree *tree);
static inline bool fnd_box_tree_holds(const fnd_box_tree *tree, int leaf) { return tree->nodes[leaf].height >= 0; }
/* Boxes are finite and not empty. A leaf is in one tree at most. */
void fnd_box_tree_insert(fnd_box_tree *tree, int which, int leaf, const fnd_box *box);
void fnd_box_tree_remove(fnd_box_tree *tree, int which, int leaf);
/* Both trees anew, balanced: of all leaves that are in one, with the boxes that they have. `which` by leaf. */
void fnd_box_tree_rebuild(fnd_box_tree *tree, const unsigned char *which);
/* Writes the leaves whose boxes overlap this one, in the order of the tree; `hits` holds leaf_count. */
int fnd_box_tree_query(const fnd_box_tree *tree, int which, const fnd_box *box, uint32_t *hits);

#endif
