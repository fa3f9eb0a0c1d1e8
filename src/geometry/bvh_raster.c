/* The tree over the cells of a grid: nothing has to be sorted. */
#include "geometry/tree_build.h"

#include "base/memory.h"
#include <assert.h>

enum { LEVELS = 40 };

/* Items in rows; a node of the next level takes `take_x` x `take_y` of them. */
typedef struct level {
    int count_x, count_y, take_x, take_y;
    int32_t first; /* node of the level above the leaves; the root is node 0 */
    double size_x, size_y;
} level;

static int parts(int count, int take) { return (count + take - 1) / take; }

static void arrange(level *l)
{
    static const int shapes[4][2] = {{8, 1}, {4, 2}, {2, 4}, {1, 8}};
    double best = INFINITY;
    for (int i = 0; i < 4; i++) {
        int x = shapes[i][0] < l->count_x ? shapes[i][0] : l->count_x;
        int y = shapes[i][1] < l->count_y ? shapes[i][1] : l->count_y;
        double wide = x * l->size_x, high = y * l->size_y, ratio = wide > high ? wide / high : high / wide;
        double cost = ratio * 8 / (x * y); /* long boxes are bad, and so are nodes that are not full */
        if (!(cost < best)) continue;
        best = cost;
        l->take_x = shapes[i][0];
        l->take_y = shapes[i][1];
    }
}

/* First vertex of a block along one axis: the last block reaches back where the number of cells is odd. */
static int start_of(int block, int cells) { return 2 * block <= cells - 2 ? 2 * block : cells - 2; }

/* The box of a block, and its leaf. Cells that the last block shares with its neighbour are the neighbour's. */
static fnd_tree_box set_block(const fnd_surface *s, int column, int row, fnd_wide_leaf *leaf)
{
    assert(column >= 0 && row >= 0);
    static const leaf_corners corners = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4},
                                         {3, 4, 7}, {3, 7, 6}, {4, 5, 8}, {4, 8, 7}};
    leaf_points points;
    int32_t triangles[FND_TREE_WIDTH];
    fnd_tree_box box = {{0}, {0}};
    points.count = 9;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            set_point(&points, 3 * j + i, &s->tree, s->vertices[(row + j) * s->count_x + column + i]);
    for (int i = 0; i < 3; i++) {
        double *x = points.along[i], lower, upper;
        find_extent(x, 9, &lower, &upper);
        box.lower[i] = (float)lower;
        box.upper[i] = (float)upper;
        for (int k = 0; k < 3 && column & 1; k++) x[3 * k] = x[3 * k + 1]; /* only the neighbour has that point */
        for (int k = 0; k < 3 && row & 1; k++) x[k] = x[3 + k];
    }
    for (int lane = 0; lane < FND_TREE_WIDTH; lane++) {
        int i = lane >> 1 & 1, j = lane >> 2;
        bool shared = (!i && column & 1) || (!j && row & 1);
        int32_t cell = (row + j) * (s->count_x - 1) + column + i;
        triangles[lane] = shared ? FND_TREE_NO_TRIANGLE : 2 * cell + (lane & 1);
    }
    wide_leaf_set(&points, triangles, corners, leaf);
    return box;
}

/* Makes the nodes above a level; `below` holds the boxes of its items (NULL: of blocks), `above` gets theirs. */
static void fill(fnd_surface *s, const level *l, const level *next, const fnd_tree_box *below, fnd_tree_box *above)
{
    for (int j = 0, number = 0; j < next->count_y; j++)
        for (int i = 0; i < next->count_x; i++, number++) {
            fnd_wide_node *node = &s->tree.nodes[next->first + number];
            fnd_wide_node_clear(node);
            fnd_tree_box whole = fnd_tree_box_empty();
            int lane = 0;
            for (int y = j * l->take_y; y < (j + 1) * l->take_y && y < l->count_y; y++)
                for (int x = i * l->take_x; x < (i + 1) * l->take_x && x < l->count_x; x++, lane++) {
                    int32_t item = y * l->count_x + x;
                    int column = start_of(x, s->count_x - 1), row = start_of(y, s->count_y - 1);
                    fnd_tree_box box = below ? below[item] : set_block(s, column, row, &s->tree.leaves[item]);
                    fnd_wide_node_set(node, lane, &box, below ? l->first + item : ~item);
                    widen(&whole, &box);
                }
            above[number] = whole;
        }
}

bool fnd_tree_build_raster(const fender_env *env, fnd_surface *s)
{
    assert(s->count_x >= 3 && s->count_y >= 3);
    fnd_wide_tree *tree = &s->tree;
    level levels[LEVELS];
    int count = 1;
    levels[0] = (level){.count_x = parts(s->count_x - 1, 2), .count_y = parts(s->count_y - 1, 2), .first = -1};
    levels[0].size_x = s->spacing.x;
    levels[0].size_y = s->spacing.y;
    do {
        level *l = &levels[count - 1], *next = &levels[count];
        arrange(l);
        *next = (level){.count_x = parts(l->count_x, l->take_x), .count_y = parts(l->count_y, l->take_y)};
        next->size_x = l->size_x * l->take_x;
        next->size_y = l->size_y * l->take_y;
    } while (++count < LEVELS && levels[count - 1].count_x * levels[count - 1].count_y > 1);
    tree->node_count = 0;
    for (int i = count - 1; i > 0; i--) { /* the root first */
        levels[i].first = tree->node_count;
        tree->node_count += levels[i].count_x * levels[i].count_y;
    }
    tree->leaf_count = levels[0].count_x * levels[0].count_y;
    size_t nodes_size = (size_t)tree->node_count * sizeof *tree->nodes;
    tree->size = nodes_size + (size_t)tree->leaf_count * sizeof *tree->leaves;
    size_t boxes_size = 2 * (size_t)levels[1].count_x * (size_t)levels[1].count_y * sizeof(fnd_tree_box);
    fnd_tree_box *boxes = fnd_allocate(env, boxes_size);
    tree->nodes = boxes ? fnd_allocate(env, tree->size) : NULL;
    if (tree->nodes) {
        fnd_tree_set_unit(s);
        tree->leaves = (void *)((char *)tree->nodes + nodes_size);
        fnd_tree_box *below = NULL, *above = boxes;
        for (int i = 0; i + 1 < count; i++) {
            fill(s, &levels[i], &levels[i + 1], below, above);
            below = above;
            above = below == boxes ? boxes + levels[1].count_x * levels[1].count_y : boxes;
        }
    }
    fnd_release(env, boxes, boxes_size);
    return tree->nodes;
}
