/* Nodes and leaves of a surface's tree in registers: what the searches of every width share. */
#ifndef FND_GEOMETRY_TREE_LEAF_H
#define FND_GEOMETRY_TREE_LEAF_H

#include "geometry/lanes.h"
#include "geometry/surface.h"
#include <stddef.h>

#define FND_LANES    fnd_doubles
#define FND_GREATEST 1e308
#define FND_NARROW   1e-3
#include "geometry/lane_triangles.h"
#define FND_LANES    fnd_floats
#define FND_GREATEST 3e38f
#define FND_NARROW   1e-3f
#include "geometry/lane_triangles.h"

/* Asks the memory for a node or leaf. */
static inline void ask_for(const fnd_surface *s, int32_t at)
{
    const char *what = at >= 0 ? (const char *)&s->tree.nodes[at] : (const char *)&s->tree.leaves[~at];
    const size_t size = at >= 0 ? sizeof(fnd_wide_node) : sizeof(fnd_wide_leaf);
    for (size_t i = 0; i < size; i += 64) fnd_ask(what + i);
    fnd_ask(what + size - 4);
}

/* Children whose boxes meet a box, given in units of the tree. */
static inline unsigned boxes_in_box(const fnd_wide_node *node, const float lower[3], const float upper[3])
{
    unsigned mask = 255;
    for (int i = 0; i < 3; i++) {
        mask &= fnd_floats_up_to(fnd_floats_load(node->lower[i]), fnd_floats_all(upper[i]));
        mask &= fnd_floats_up_to(fnd_floats_all(lower[i]), fnd_floats_load(node->upper[i]));
    }
    return mask;
}

typedef struct tree_entry {
    float enter;
    int32_t child;
} tree_entry;

/* Puts the children in the mask on the stack, the one that is entered first on top, and asks the memory for all. */
static inline int push_children(const fnd_surface *s, tree_entry *stack, int count, const fnd_wide_node *node,
                                const float *enter, unsigned mask)
{
    int first = count;
    for (; mask; mask &= mask - 1) {
        int lane = fnd_lowest_lane(mask), to = count++;
        ask_for(s, node->child[lane]);
        for (; to > first && stack[to - 1].enter < enter[lane]; to--) stack[to] = stack[to - 1];
        stack[to] = (tree_entry){enter[lane], node->child[lane]};
    }
    return count;
}

#endif
