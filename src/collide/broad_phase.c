/* A dynamic tree of boxes, and the list of pairs that is kept up to date with what the tree finds. */
#include "collide/broad_phase.h"

#include "base/memory.h"
#include <assert.h>
#include <string.h>

/* ---- The tree: leaves go where the surface of the boxes above grows least; heights differ by one or so ---- */

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

static void box_tree_destroy(const fender_env *env, fnd_box_tree *tree)
{
    fnd_release(env, tree->nodes, node_bytes(tree));
    fnd_release(env, tree->stack, ((size_t)tree->leaf_count + 2) * sizeof *tree->stack);
    *tree = (fnd_box_tree){.roots = {-1, -1}, .free = -1};
}

static bool box_tree_create(const fender_env *env, fnd_box_tree *tree, int leaf_count)
{
    assert(leaf_count >= 0);
    *tree = (fnd_box_tree){.leaf_count = leaf_count, .node_count = 2 * leaf_count, .roots = {-1, -1}, .free = -1};
    if (leaf_count == 0) return true;
    tree->nodes = fnd_allocate(env, node_bytes(tree));
    tree->stack = fnd_allocate(env, ((size_t)leaf_count + 2) * sizeof *tree->stack); /* no tree is higher than that */
    if (!tree->nodes || !tree->stack) {
        box_tree_destroy(env, tree);
        return false;
    }
    for (int i = 0; i < leaf_count; i++) tree->nodes[i].height = -1;
    clear(tree);
    return true;
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
    assert(at >= tree->leaf_count && at < tree->node_count);
    fnd_tree_node *node = &tree->nodes[at];
    const fnd_tree_node *left = &tree->nodes[node->child[0]], *right = &tree->nodes[node->child[1]];
    node->box = join(&left->box, &right->box);
    node->height = 1 + (left->height > right->height ? left->height : right->height);
}

/* `to` takes the place of `from` below its parent. */
static void replace(fnd_box_tree *tree, int which, int from, int to)
{
    assert(which == 0 || which == 1);
    assert(from >= 0 && from < tree->node_count && to >= 0 && to < tree->node_count);
    int parent = tree->nodes[from].parent;
    tree->nodes[to].parent = parent;
    if (parent < 0) tree->roots[which] = to;
    else tree->nodes[parent].child[tree->nodes[parent].child[1] == from] = to;
}

/* When one child is higher than the other by more than one it takes the node's place. The node that is there then is
 * returned. */
static int balance(fnd_box_tree *tree, int which, int at)
{
    assert(at >= tree->leaf_count && at < tree->node_count);
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

/* Cost of descending into a child: its growth in surface area, or the area of the new node for a leaf. */
static double descent_cost(const fnd_tree_node *child, const fnd_box *box, double inherited)
{
    double grown = joint_surface(&child->box, box);
    return inherited + (child->height > 0 ? grown - half_surface(&child->box) : grown);
}

static void box_tree_insert(fnd_box_tree *tree, int which, int leaf, const fnd_box *box)
{
    assert(which == 0 || which == 1);
    assert(leaf >= 0 && leaf < tree->leaf_count && !fnd_box_tree_holds(tree, leaf));
    assert(box->lower[0] <= box->upper[0] && box->lower[1] <= box->upper[1] && box->lower[2] <= box->upper[2]);
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

/* Boxes are finite and not empty. A leaf is in one tree at most. */
static void box_tree_remove(fnd_box_tree *tree, int which, int leaf)
{
    assert(which == 0 || which == 1);
    assert(leaf >= 0 && leaf < tree->leaf_count && fnd_box_tree_holds(tree, leaf));
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

/* Both trees anew, balanced: of all leaves that are in one, with the boxes that they have. `which` by leaf. */
static void box_tree_rebuild(fnd_box_tree *tree, const unsigned char *which)
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

/* Writes the leaves whose boxes overlap this one, in the order of the tree; `hits` holds leaf_count. */
static int box_tree_query(const fnd_box_tree *tree, int which, const fnd_box *box, uint32_t *hits)
{
    assert(which == 0 || which == 1);
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

/* ---- The broad phase ---- */

bool fnd_broad_phase_create(const fender_env *env, fnd_broad_phase *broad, int count, int pair_capacity)
{
    assert(count >= 0 && pair_capacity >= 0);
    *broad = (fnd_broad_phase){.count = count};
    if (count == 0) return box_tree_create(env, &broad->tree, 0);
    size_t n = (size_t)count;
    broad->volumes = fnd_allocate(env, n * sizeof *broad->volumes);
    broad->which = fnd_allocate(env, n);
    broad->changed = fnd_allocate(env, n);
    broad->changes = fnd_allocate(env, n * sizeof *broad->changes);
    broad->loose = fnd_allocate(env, n * sizeof *broad->loose);
    broad->hits = fnd_allocate(env, n * sizeof *broad->hits);
    void *pairs = NULL, *fresh = NULL, *scratch = NULL, *removed = NULL, *added = NULL;
    bool ok = box_tree_create(env, &broad->tree, count) && broad->volumes && broad->which && broad->changed &&
              broad->changes && broad->loose && broad->hits &&
              fnd_reserve(env, &pairs, &broad->pair_capacity, 0, pair_capacity, sizeof *broad->pairs) &&
              fnd_reserve(env, &fresh, &broad->fresh_capacity, 0, pair_capacity, sizeof *broad->fresh) &&
              fnd_reserve(env, &scratch, &broad->scratch_capacity, 0, pair_capacity, sizeof *broad->scratch) &&
              fnd_reserve(env, &removed, &broad->removed_capacity, 0, pair_capacity, sizeof *broad->removed) &&
              fnd_reserve(env, &added, &broad->added_capacity, 0, pair_capacity, sizeof *broad->added);
    broad->pairs = pairs;
    broad->fresh = fresh;
    broad->scratch = scratch;
    broad->removed = removed;
    broad->added = added;
    if (!ok) fnd_broad_phase_destroy(env, broad);
    return ok;
}

void fnd_broad_phase_destroy(const fender_env *env, fnd_broad_phase *broad)
{
    size_t n = (size_t)broad->count;
    box_tree_destroy(env, &broad->tree);
    fnd_release(env, broad->volumes, n * sizeof *broad->volumes);
    fnd_release(env, broad->which, n);
    fnd_release(env, broad->changed, n);
    fnd_release(env, broad->changes, n * sizeof *broad->changes);
    fnd_release(env, broad->loose, n * sizeof *broad->loose);
    fnd_release(env, broad->hits, n * sizeof *broad->hits);
    fnd_release(env, broad->pairs, (size_t)broad->pair_capacity * sizeof *broad->pairs);
    fnd_release(env, broad->fresh, (size_t)broad->fresh_capacity * sizeof *broad->fresh);
    fnd_release(env, broad->scratch, (size_t)broad->scratch_capacity * sizeof *broad->scratch);
    fnd_release(env, broad->removed, (size_t)broad->removed_capacity * sizeof *broad->removed);
    fnd_release(env, broad->added, (size_t)broad->added_capacity * sizeof *broad->added);
    *broad = (fnd_broad_phase){0};
}

/* True if the volume may reach below the plane of a half space, allowing for rounding. */
static bool reaches(const fnd_volume *half_space, const fnd_volume *v)
{
    if (!(v->radius < INFINITY)) return true;
    const double n[] = {half_space->normal.x, half_space->normal.y, half_space->normal.z};
    double least = 0, size = fabs(half_space->offset);
    for (int k = 0; k < 3; k++) {
        if (n[k] == 0) continue; /* boxes of terrain have no end below or above it */
        double corner = n[k] * (n[k] > 0 ? v->box.lower[k] : v->box.upper[k]);
        least += corner;
        size += fabs(corner);
    }
    double sphere = fender_vec3_dot(half_space->normal, v->center) - v->radius, grain = 1e-15 * size;
    return least <= half_space->offset + grain && sphere <= half_space->offset + grain;
}

bool fnd_volumes_overlap(const fnd_volume *a, const fnd_volume *b)
{
    if (!fnd_boxes_overlap(&a->box, &b->box)) return false;
    fender_vec3 d = fender_vec3_sub(a->center, b->center);
    double r = a->radius + b->radius;
    if (!(fender_vec3_dot(d, d) <= r * r)) return false;
    return (!a->half_space || reaches(a, b)) && (!b->half_space || reaches(b, a));
}

void fnd_broad_phase_change(fnd_broad_phase *broad, int index, enum fnd_volume_change change)
{
    assert(index >= 0 && index < broad->count);
    if (broad->changed[index] == FND_VOLUME_KEPT) broad->changes[broad->change_count++] = (uint32_t)index;
    if (broad->changed[index] < change) broad->changed[index] = (unsigned char)change;
}

static bool has_end(const fnd_box *box)
{
    bool finite = true;
    for (int k = 0; k < 3; k++) finite = finite && fabs(box->lower[k]) <= 1e100 && fabs(box->upper[k]) <= 1e100;
    return finite;
}

/* Brings the trees, and the list of what is in none, up to date. */
static void place_changes(fnd_broad_phase *broad)
{
    bool many = broad->change_count > broad->count / 4;
    for (int c = 0; c < broad->change_count; c++) {
        int i = (int)broad->changes[c];
        const fnd_volume *v = &broad->volumes[i];
        if (fnd_box_tree_holds(&broad->tree, i)) {
            if (many) broad->tree.nodes[i].height = -1; /* the trees are made anew */
            else box_tree_remove(&broad->tree, broad->which[i], i);
        }
        broad->which[i] = v->still;
        if (!v->present || !has_end(&v->box)) continue;
        if (many) broad->tree.nodes[i] = (fnd_tree_node){v->box, -1, {-1, -1}, 0};
        else box_tree_insert(&broad->tree, v->still, i, &v->box);
    }
    if (many) box_tree_rebuild(&broad->tree, broad->which);
    int loose = 0;
    for (int l = 0; l < broad->loose_count; l++)
        if (broad->changed[broad->loose[l]] == FND_VOLUME_KEPT) broad->loose[loose++] = broad->loose[l];
    for (int c = 0; c < broad->change_count; c++) {
        const fnd_volume *v = &broad->volumes[broad->changes[c]];
        if (v->present && !has_end(&v->box)) broad->loose[loose++] = broad->changes[c];
    }
    broad->loose_count = loose;
}

/* Notes the pair, once also when both have changed. */
static bool note(const fender_env *env, fnd_broad_phase *broad, uint32_t one, uint32_t other)
{
    const fnd_volume *a = &broad->volumes[one], *b = &broad->volumes[other];
    if (one == other || (a->still && b->still) || (broad->changed[other] && other < one) || !fnd_volumes_overlap(a, b))
        return true;
    void *fresh = broad->fresh;
    if (!fnd_reserve_one_more(env, &fresh, &broad->fresh_capacity, broad->fresh_count, sizeof *broad->fresh))
        return false;
    broad->fresh = fresh;
    uint32_t low = one < other ? one : other, high = one < other ? other : one;
    broad->fresh[broad->fresh_count++] = (uint64_t)low << 32 | high;
    return true;
}

/* Pairs that the volume makes now. */
static bool look_around(const fender_env *env, fnd_broad_phase *broad, uint32_t index)
{
    const fnd_volume *v = &broad->volumes[index];
    if (!v->present) return true;
    if (!fnd_box_tree_holds(&broad->tree, (int)index)) { /* without end: against all */
        for (int i = 0; i < broad->count; i++)
            if (broad->volumes[i].present && !note(env, broad, index, (uint32_t)i)) return false;
        return true;
    }
    for (int t = 0; t <= !v->still; t++) {
        int count = box_tree_query(&broad->tree, t, &v->box, broad->hits);
        for (int i = 0; i < count; i++)
            if (!note(env, broad, index, broad->hits[i])) return false;
    }
    for (int l = 0; l < broad->loose_count; l++)
        if (!note(env, broad, index, broad->loose[l])) return false;
    return true;
}

/* Which old pairs go, which new ones come: two sorted lists side by side. What comes is moved to the front of `fresh`.
 */
static bool compare_lists(const fender_env *env, fnd_broad_phase *broad, fnd_eligible *eligible, const void *ctx)
{
    void *removed = broad->removed, *added = broad->added;
    bool ok = fnd_reserve(env, &removed, &broad->removed_capacity, 0, broad->pair_count, sizeof *broad->removed);
    broad->removed = removed;
    ok = ok && fnd_reserve(env, &added, &broad->added_capacity, 0, broad->fresh_count, sizeof *broad->added);
    broad->added = added;
    if (!ok) return false;
    broad->removed_count = broad->added_count = 0;
    int f = 0;
    for (int p = 0; p <= broad->pair_count; p++) {
        uint64_t old = p < broad->pair_count ? broad->pairs[p] : UINT64_MAX;
        unsigned char change = 0;
        if (p < broad->pair_count) {
            unsigned char low = broad->changed[old >> 32], high = broad->changed[(uint32_t)old];
            change = low > high ? low : high;
            if (!change) continue; /* new pairs are put in at the next that has changed, or at the end */
        }
        for (; f < broad->fresh_count && broad->fresh[f] < old; f++) {
            uint64_t pair = broad->fresh[f];
            if (eligible(ctx, (int)(pair >> 32), (int)(uint32_t)pair)) broad->fresh[broad->added_count++] = pair;
        }
        if (p == broad->pair_count) break;
        bool again = f < broad->fresh_count && broad->fresh[f] == old;
        if (again && change == FND_VOLUME_MOVED) f++;
        else broad->removed[broad->removed_count++] = (uint32_t)p;
    }
    return true;
}

/* Where the new pairs stand in the new list. */
static void find_places(fnd_broad_phase *broad)
{
    int r = 0, p = 0;
    for (int k = 0; k < broad->added_count; k++) {
        if (p < broad->pair_count && broad->pairs[p] < broad->fresh[k]) { /* bisection: there are few */
            int low = p, high = broad->pair_count;
            while (low < high) {
                int middle = low + (high - low) / 2;
                if (broad->pairs[middle] < broad->fresh[k]) low = middle + 1;
                else high = middle;
            }
            p = low;
        }
        while (r < broad->removed_count && (int)broad->removed[r] < p) r++;
        int kept = p - r;
        broad->added[k] = (uint32_t)(kept + k);
    }
}

void fnd_rows_edit(void *rows, size_t size, int count, const fnd_broad_phase *broad)
{
    assert(size > 0 && count >= 0);
    assert(broad->removed_count <= count);
    char *base = rows;
    size_t end = (size_t)count;
    if (broad->removed_count > 0) {
        size_t to = broad->removed[0];
        for (int k = 0; k < broad->removed_count; k++) {
            size_t from = (size_t)broad->removed[k] + 1;
            size_t next = k + 1 < broad->removed_count ? broad->removed[k + 1] : (size_t)count;
            memmove(base + to * size, base + from * size, (next - from) * size);
            to += next - from;
        }
        end = to;
    }
    size_t until = end + (size_t)broad->added_count;
    for (int k = broad->added_count - 1; k >= 0; k--) {
        size_t after = (size_t)broad->added[k] + 1, run = until - after;
        end -= run;
        memmove(base + after * size, base + end * size, run * size);
        until = after - 1;
    }
}

/* Puts the changes into the list. */
static bool edit_pairs(const fender_env *env, fnd_broad_phase *broad)
{
    int count = broad->pair_count - broad->removed_count + broad->added_count;
    void *pairs = broad->pairs;
    if (!fnd_reserve(env, &pairs, &broad->pair_capacity, broad->pair_count, count, sizeof *broad->pairs)) return false;
    broad->pairs = pairs;
    find_places(broad);
    fnd_rows_edit(broad->pairs, sizeof *broad->pairs, broad->pair_count, broad);
    for (int k = 0; k < broad->added_count; k++) broad->pairs[broad->added[k]] = broad->fresh[k];
    broad->pair_count = count;
    return true;
}

static bool find_pairs(const fender_env *env, fnd_broad_phase *broad, fnd_eligible *eligible, const void *ctx)
{
    broad->fresh_count = 0;
    for (int c = 0; c < broad->change_count; c++)
        if (!look_around(env, broad, broad->changes[c])) return false;
    void *scratch = broad->scratch;
    if (!fnd_reserve(env, &scratch, &broad->scratch_capacity, 0, broad->fresh_count, sizeof *broad->scratch))
        return false;
    broad->scratch = scratch;
    fnd_sort_by_key(broad->fresh, broad->scratch, broad->fresh_count);
    return compare_lists(env, broad, eligible, ctx) && edit_pairs(env, broad);
}

bool fnd_broad_phase_update(const fender_env *env, fnd_broad_phase *broad, fnd_eligible *eligible, const void *ctx)
{
    if (!broad->valid) {
        broad->pair_count = 0;
        for (int i = 0; i < broad->count; i++) fnd_broad_phase_change(broad, i, FND_VOLUME_ANEW);
    }
    place_changes(broad);
    broad->valid = find_pairs(env, broad, eligible, ctx);
    for (int c = 0; c < broad->change_count; c++) broad->changed[broad->changes[c]] = FND_VOLUME_KEPT;
    broad->change_count = 0;
    return broad->valid;
}
