/* Dynamic tree of boxes: leaves go where the surface of the boxes above grows least; heights differ by one or so. */
#include "collide/box_tree.h"

#include "base/memory.h"

static size_t node_bytes(const fnd_box_tree *tree) { return (size_t)tree->node_count * sizeof *tree->nodes; }

static void clear(fnd_box_tree *tree)
{
    tree->roots[0] = tree->roots[1] = -1;
    tree->free = -1;
    for (int i = tree->node_count - 1; i >= tree->leaf_count; i--) {
        tree->nodes[i].parent = tree->free;
        tree->free = i;
    }
}

bool fnd_box_tree_create(const fender_env *env, fnd_box_tree *tree, int leaf_count)
{
    *tree = (fnd_box_tree){.leaf_count = leaf_count, .node_count = 2 * leaf_count, .roots = {-1, -1}, .free = -1};
    if (leaf_count == 0) return true;
    tree->nodes = fnd_allocate(env, node_bytes(tree));
    tree->stack = fnd_allocate(env, ((size_t)leaf_count + 2) * sizeof *tree->stack); /* no tree is higher than that */
    if (!tree->nodes || !tree->stack) {
        fnd_box_tree_destroy(env, tree);
        return false;
    }
    for (int i = 0; i < leaf_count; i++) tree->nodes[i].height = -1;
    clear(tree);
    return true;
}

void fnd_box_tree_destroy(const fender_env *env, fnd_box_tree *tree)
{
    fnd_release(env, tree->nodes, node_bytes(tree));
    fnd_release(env, tree->stack, ((size_t)tree->leaf_count + 2) * sizeof *tree->stack);
    *tree = (fnd_box_tree){.roots = {-1, -1}, .free = -1};
}

static fnd_box join(const fnd_box *a, const fnd_box *b)
{
    fnd_box box;
    for (int k = 0; k < 3; k++) {
        box.lower[k] = a->lower[k] < b->lower[k] ? a->lower[k] : b->lower[k];
        box.upper[k] = a->upper[k] > b->upper[k] ? a->upper[k] : b->upper[k];
    }
    return box;
}

static double half_surface(const fnd_box *box)
{
    double x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1], z = box->upper[2] - box->lower[2];
    return x * y + y * z + z * x;
}

static double joint_surface(const fnd_box *a, const fnd_box *b)
{
    fnd_box box = join(a, b);
    return half_surface(&box);
}

static void refit(fnd_box_tree *tree, int at)
{
    fnd_tree_node *node = &tree->nodes[at];
    const fnd_tree_node *left = &tree->nodes[node->child[0]], *right = &tree->nodes[node->child[1]];
    node->box = join(&left->box, &right->box);
    node->height = 1 + (left->height > right->height ? left->height : right->height);
}

/* `to` takes the place of `from` below its parent. */
static void replace(fnd_box_tree *tree, int which, int from, int to)
{
    int parent = tree->nodes[from].parent;
    tree->nodes[to].parent = parent;
    if (parent < 0) tree->roots[which] = to;
    else tree->nodes[parent].child[tree->nodes[parent].child[1] == from] = to;
}

/* When one child is higher than the other by more than one it takes the node's place. The node that is there then is
 * returned. */
static int balance(fnd_box_tree *tree, int which, int at)
{
    fnd_tree_node *node = &tree->nodes[at];
    int lean = tree->nodes[node->child[1]].height - tree->nodes[node->child[0]].height;
    if (lean >= -1 && lean <= 1) return at;
    int side = lean > 1, up = node->child[side];
    fnd_tree_node *high = &tree->nodes[up];
    int given = tree->nodes[high->child[0]].height > tree->nodes[high->child[1]].height; /* the lower one goes down */
    int32_t down = high->child[given];
    replace(tree, which, at, up);
    high->child[given] = at;
    node->parent = up;
    node->child[side] = down;
    tree->nodes[down].parent = at;
    refit(tree, at);
    return up;
}

static void mend_upward(fnd_box_tree *tree, int which, int at)
{
    while (at >= 0) {
        at = balance(tree, which, at);
        refit(tree, at);
        at = tree->nodes[at].parent;
    }
}

/* What it costs to go down into a child: the surface that it grows by, or that of the node that a leaf makes. */
static double descent_cost(const fnd_tree_node *child, const fnd_box *box, double inherited)
{
    double grown = joint_surface(&child->box, box);
    return inherited + (child->height > 0 ? grown - half_surface(&child->box) : grown);
}

void fnd_box_tree_insert(fnd_box_tree *tree, int which, int leaf, const fnd_box *box)
{
    fnd_tree_node *nodes = tree->nodes;
    nodes[leaf] = (fnd_tree_node){*box, -1, {-1, -1}, 0};
    int at = tree->roots[which];
    if (at < 0) {
        tree->roots[which] = leaf;
        return;
    }
    while (nodes[at].height > 0) {
        double joint = joint_surface(&nodes[at].box, box), inherited = joint - half_surface(&nodes[at].box);
        double left = descent_cost(&nodes[nodes[at].child[0]], box, inherited);
        double right = descent_cost(&nodes[nodes[at].child[1]], box, inherited);
        if (joint < left && joint < right) break;
        at = nodes[at].child[!(left < right)];
    }
    int above = tree->free;
    tree->free = nodes[above].parent;
    replace(tree, which, at, above);
    nodes[above].child[0] = at;
    nodes[above].child[1] = leaf;
    nodes[at].parent = nodes[leaf].parent = above;
    mend_upward(tree, which, above);
}

void fnd_box_tree_remove(fnd_box_tree *tree, int which, int leaf)
{
    fnd_tree_node *nodes = tree->nodes;
    int above = nodes[leaf].parent;
    nodes[leaf].height = -1;
    if (above < 0) {
        tree->roots[which] = -1;
        return;
    }
    int other = nodes[above].child[nodes[above].child[0] == leaf];
    replace(tree, which, above, other);
    int from = nodes[above].parent;
    nodes[above].parent = tree->free;
    tree->free = above;
    mend_upward(tree, which, from);
}

/* ---- all at once */

static double middle(const fnd_box_tree *tree, int leaf, int axis)
{
    return tree->nodes[leaf].box.lower[axis] + tree->nodes[leaf].box.upper[axis];
}

static int widest_axis(const fnd_box_tree *tree, const int32_t *leaves, int count)
{
    double widest = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double low = middle(tree, leaves[0], k), high = low;
        for (int i = 1; i < count; i++) {
            double m = middle(tree, leaves[i], k);
            if (m < low) low = m;
            if (m > high) high = m;
        }
        if (high - low > widest) widest = high - low, axis = k;
    }
    return axis;
}

/* Order by the middle, then by number: no two are equal. */
static bool before(const fnd_box_tree *tree, int32_t a, int32_t b, int axis)
{
    double x = middle(tree, a, axis), y = middle(tree, b, axis);
    return x != y ? x < y : a < b;
}

/* Moves the lower half to the front: quickselect. */
static void part_in_halves(const fnd_box_tree *tree, int32_t *leaves, int count, int axis)
{
    int low = 0, high = count - 1, half = count / 2;
    while (low < high) {
        int32_t pivot = leaves[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (before(tree, leaves[i], pivot, axis)) i++;
            while (before(tree, pivot, leaves[j], axis)) j--;
            if (i > j) break;
            int32_t swap = leaves[i];
            leaves[i++] = leaves[j];
            leaves[j--] = swap;
        }
        if (half <= j) high = j;
        else if (half >= i) low = i;
        else return;
    }
}

/* As deep as the logarithm of the count. */
static int build(fnd_box_tree *tree, int32_t *leaves, int count)
{
    if (count == 1) return leaves[0];
    part_in_halves(tree, leaves, count, widest_axis(tree, leaves, count));
    int at = tree->free;
    tree->free = tree->nodes[at].parent;
    int left = build(tree, leaves, count / 2), right = build(tree, leaves + count / 2, count - count / 2);
    tree->nodes[at].child[0] = left;
    tree->nodes[at].child[1] = right;
    tree->nodes[left].parent = tree->nodes[right].parent = at;
    refit(tree, at);
    return at;
}

void fnd_box_tree_rebuild(fnd_box_tree *tree, const unsigned char *which)
{
    clear(tree);
    for (int t = 0; t < 2; t++) {
        int count = 0;
        for (int i = 0; i < tree->leaf_count; i++)
            if (fnd_box_tree_holds(tree, i) && which[i] == t) tree->stack[count++] = i;
        if (count == 0) continue;
        tree->roots[t] = build(tree, tree->stack, count);
        tree->nodes[tree->roots[t]].parent = -1;
    }
}

int fnd_box_tree_query(const fnd_box_tree *tree, int which, const fnd_box *box, uint32_t *hits)
{
    int count = 0, depth = 0;
    int32_t at = tree->roots[which];
    while (at >= 0) {
        const fnd_tree_node *node = &tree->nodes[at];
        at = -1;
        if (fnd_boxes_overlap(&node->box, box)) {
            if (node->height > 0) {
                tree->stack[depth++] = node->child[1];
                at = node->child[0];
                continue;
            }
            hits[count++] = (uint32_t)(node - tree->nodes);
        }
        if (depth > 0) at = tree->stack[--depth];
    }
    return count;
}
