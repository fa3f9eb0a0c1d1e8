/* The trees over the triangles of a mesh and over the cells of a grid. */
#include "geometry/surface.h"

#include "base/memory.h"
#include <assert.h>
#include <immintrin.h>
#include <limits.h>
#include <string.h>

/* ---- Boxes and nodes ---- */

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
    assert(lane >= 0 && lane < FND_TREE_WIDTH);
    for (int i = 0; i < 3; i++) {
        node->lower[i][lane] = box->lower[i] - FND_TREE_MARGIN;
        node->upper[i][lane] = box->upper[i] + FND_TREE_MARGIN;
    }
    node->child[lane] = child;
}
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

/* ---- Meshes ---- */

enum { BINS = 16, DEEPEST = 48 };

/* A triangle while the tree is built; its number fills the room behind its box's lower corner. */
typedef union part {
    fnd_tree_box box;
    struct {
        float lower[3];
        int32_t triangle;
        float upper[4];
    } named;
} part;

typedef struct range {
    int32_t first, count, depth; /* halvings above it */
    fnd_tree_box box, centers;   /* of centres: twice their coordinates */
    float area;
} range;

typedef struct builder {
    const fender_env *env;
    fnd_surface *surface;
    part *parts;
    void *nodes, *leaves, *details; /* fnd_wide_node, fnd_wide_leaf, fnd_leaf_detail; as many as are needed so far */
    int node_capacity, leaf_capacity, detail_capacity;
} builder;

#if defined __SSE2__
static inline void widen(fnd_tree_box *box, const fnd_tree_box *by)
{
    _mm_storeu_ps(box->lower, _mm_min_ps(_mm_loadu_ps(by->lower), _mm_loadu_ps(box->lower)));
    _mm_storeu_ps(box->upper, _mm_max_ps(_mm_loadu_ps(by->upper), _mm_loadu_ps(box->upper)));
}
static inline fnd_tree_box center_of(const fnd_tree_box *box)
{
    fnd_tree_box at;
    __m128 sum = _mm_add_ps(_mm_loadu_ps(box->lower), _mm_loadu_ps(box->upper));
    _mm_storeu_ps(at.lower, sum);
    _mm_storeu_ps(at.upper, sum);
    return at;
}
#else
static inline void widen(fnd_tree_box *box, const fnd_tree_box *by) { fnd_tree_box_widen(box, by); }
static inline fnd_tree_box center_of(const fnd_tree_box *box)
{
    fnd_tree_box at;
    for (int i = 0; i < 4; i++) at.lower[i] = at.upper[i] = box->lower[i] + box->upper[i];
    return at;
}
#endif

static float half_area(const fnd_tree_box *box)
{
    float x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1], z = box->upper[2] - box->lower[2];
    return x < 0 ? 0 : x * y + y * z + z * x;
}

static float leaves_of(int32_t count) { return (float)((count + FND_TREE_WIDTH - 1) / FND_TREE_WIDTH); }

static void measure(const builder *b, range *r)
{
    r->box = r->centers = fnd_tree_box_empty();
    for (int32_t i = r->first; i < r->first + r->count; i++) {
        fnd_tree_box center = center_of(&b->parts[i].box);
        widen(&r->box, &b->parts[i].box);
        widen(&r->centers, &center);
    }
    r->area = half_area(&r->box);
}

typedef struct bin_table {
    fnd_tree_box box[3][BINS];
    int32_t count[3][BINS];
    float from[3], scale[3];
    int number;
} bin_table;

static inline int bin_of(const bin_table *bins, int axis, float center)
{
    int k = (int)((center - bins->from[axis]) * bins->scale[axis]);
    return k >= bins->number ? bins->number - 1 : k; /* never below 0: from is the least of all */
}

static void fill_bins(const builder *b, const range *r, bin_table *bins)
{
    bins->number = r->count < 64 ? 8 : BINS;
    for (int axis = 0; axis < 3; axis++) {
        float size = r->centers.upper[axis] - r->centers.lower[axis];
        bins->from[axis] = r->centers.lower[axis];
        bins->scale[axis] = size > 1e-30f ? 0.9999f * (float)bins->number / size : 0;
        for (int k = 0; k < bins->number; k++) {
            bins->box[axis][k] = fnd_tree_box_empty();
            bins->count[axis][k] = 0;
        }
    }
    for (int32_t i = r->first; i < r->first + r->count; i++) {
        fnd_tree_box center = center_of(&b->parts[i].box);
        for (int axis = 0; axis < 3; axis++) {
            int k = bin_of(bins, axis, center.lower[axis]);
            widen(&bins->box[axis][k], &b->parts[i].box);
            bins->count[axis][k]++;
        }
    }
}

/* The best plane between two bins: bins below *bin go left. False: all centres lie in one. */
static bool choose(const bin_table *bins, int *best_axis, int *best_bin)
{
    float least = 1e38f;
    for (int axis = 0; axis < 3; axis++) {
        if (bins->scale[axis] == 0) continue;
        float above[BINS];
        int32_t count = 0;
        fnd_tree_box box = fnd_tree_box_empty();
        for (int k = bins->number - 1; k > 0; k--) {
            widen(&box, &bins->box[axis][k]);
            count += bins->count[axis][k];
            above[k] = count ? half_area(&box) * leaves_of(count) : -1;
        }
        box = fnd_tree_box_empty();
        count = 0;
        for (int k = 1; k < bins->number; k++) {
            widen(&box, &bins->box[axis][k - 1]);
            count += bins->count[axis][k - 1];
            if (count == 0 || above[k] < 0) continue;
            float cost = half_area(&box) * leaves_of(count) + above[k];
            if (!(cost < least)) continue;
            least = cost;
            *best_axis = axis;
            *best_bin = k;
        }
    }
    return least < 1e38f;
}

/* Parts `r` into itself and `other`. */
static void halve(const builder *b, range *r, range *other)
{
    bin_table bins;
    int axis = 0, bin = 0;
    int32_t left = r->count / 2, end = r->first + r->count;
    bool chosen = false;
    if (r->depth < DEEPEST) { /* else by number, which keeps the tree shallow whatever the triangles are like */
        fill_bins(b, r, &bins);
        chosen = choose(&bins, &axis, &bin);
    }
    if (chosen) {
        int32_t low = r->first, high = end - 1;
        while (low <= high) {
            part *p = &b->parts[low];
            if (bin_of(&bins, axis, p->box.lower[axis] + p->box.upper[axis]) < bin) {
                low++;
                continue;
            }
            part swap = *p;
            *p = b->parts[high];
            b->parts[high--] = swap;
        }
        left = low - r->first;
    }
    *other = (range){.first = r->first + left, .count = r->count - left, .depth = r->depth + 1};
    r->count = left;
    r->depth++;
    measure(b, r);
    measure(b, other);
}

/* The corners of a leaf's triangles in units of the tree, like the boxes but in double: along each axis, and which of
 * them each triangle has. */
enum { LEAF_POINTS = 3 * FND_TREE_WIDTH };
typedef struct leaf_points {
    int count;
    double along[3][LEAF_POINTS];
} leaf_points;
typedef uint8_t leaf_corners[FND_TREE_WIDTH][3];

static inline void set_point(leaf_points *points, int at, const fnd_wide_tree *tree, fender_vec3 v)
{
    assert(at >= 0 && at < LEAF_POINTS);
    v = fender_vec3_scale(tree->scale, fender_vec3_sub(v, tree->center));
    points->along[0][at] = v.x;
    points->along[1][at] = v.y;
    points->along[2][at] = v.z;
}

static inline void find_extent(const double *x, int count, double *lower, double *upper)
{
    double least = x[0], most = x[0];
    for (int i = 1; i < count; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    *lower = least;
    *upper = most;
}

static inline uint16_t steps_of(double x)
{
    x = x > 0 ? x : 0;
    x = x < UINT16_MAX ? x : UINT16_MAX;
    return (uint16_t)(x + 0.5);
}

/* Fills a leaf with up to eight triangles; a number of FND_TREE_NO_TRIANGLE is a spare place. */
static inline void wide_leaf_set(const leaf_points *points, const int32_t triangles[FND_TREE_WIDTH],
                                 const leaf_corners corners, fnd_wide_leaf *leaf)
{
    double size = 0;
    uint16_t steps[3][LEAF_POINTS];
    memset(leaf, 0, sizeof *leaf);
    memcpy(leaf->triangle, triangles, sizeof leaf->triangle);
    for (int i = 0; i < 3; i++) {
        double lower, upper;
        find_extent(points->along[i], points->count, &lower, &upper);
        leaf->lower[i] = (float)lower;
        if ((double)leaf->lower[i] > lower) leaf->lower[i] = nextafterf(leaf->lower[i], -1);
        double along = upper - (double)leaf->lower[i];
        size = along > size ? along : size;
    }
    int exponent; /* not so small that a step is less than the rounding of doubles */
    frexp(size > 0x1p-36 ? size : 0x1p-36, &exponent);
    leaf->per_unit = FND_LEAF_STEPS / ldexpf(1, exponent);
    for (int i = 0; i < 3; i++) {
        const double from = (double)leaf->lower[i], per_unit = (double)leaf->per_unit;
        for (int at = 0; at < points->count; at++) steps[i][at] = steps_of((points->along[i][at] - from) * per_unit);
    }
    for (int lane = 0; lane < FND_TREE_WIDTH; lane++) {
        if (triangles[lane] == FND_TREE_NO_TRIANGLE) continue;
        for (int k = 0; k < 3; k++) {
            const int at = corners[lane][k];
            leaf->corner[k][0][lane] = steps[0][at];
            leaf->corner[k][1][lane] = steps[1][at];
            leaf->corner[k][2][lane] = steps[2][at];
        }
    }
}

static int32_t add_leaf(const builder *b, const range *r)
{
    fnd_surface *s = b->surface;
    int32_t number = s->tree.leaf_count++;
    fnd_leaf_detail *detail = (fnd_leaf_detail *)b->details + number;
    static const leaf_corners own = {{0, 1, 2},    {3, 4, 5},    {6, 7, 8},    {9, 10, 11},
                                     {12, 13, 14}, {15, 16, 17}, {18, 19, 20}, {21, 22, 23}};
    leaf_points points = {.count = 3 * r->count};
    int32_t triangles[FND_TREE_WIDTH];
    for (int lane = 0; lane < FND_TREE_WIDTH; lane++) {
        bool used = lane < r->count;
        int32_t triangle = b->parts[r->first + (used ? lane : 0)].named.triangle;
        triangles[lane] = used ? triangle : FND_TREE_NO_TRIANGLE;
        for (int k = 0; k < 3; k++) detail->corner[k][lane] = s->triangles[triangle][k];
        for (int k = 0; k < 3 && used; k++)
            set_point(&points, own[lane][k], &s->tree, fnd_surface_corner(s, triangle, k));
        detail->plane[lane] = s->planes[triangle];
        detail->spread[lane] = s->spreads[triangle];
    }
    wide_leaf_set(&points, triangles, own, (fnd_wide_leaf *)b->leaves + number);
    return ~number;
}

/* Parts a range into at most eight and returns how many. */
static int divide(const builder *b, const range *whole, range parts[FND_TREE_WIDTH])
{
    int count = 1;
    parts[0] = *whole;
    while (count < FND_TREE_WIDTH) {
        int largest = -1;
        for (int i = 0; i < count; i++)
            if (parts[i].count > FND_TREE_WIDTH && (largest < 0 || parts[i].area > parts[largest].area)) largest = i;
        if (largest < 0) break;
        halve(b, &parts[largest], &parts[count++]);
    }
    return count;
}

/* Nodes in the order in which their ranges are taken up: a node's children lie side by side. */
typedef struct waiting {
    range range;
    int32_t node;
} waiting;

static bool more(const fender_env *env, void **memory, int *capacity, int32_t count, size_t size)
{
    if (count + FND_TREE_WIDTH <= *capacity) return true;
    if (count > INT_MAX / 2) return false;
    return fnd_reserve(env, memory, capacity, count + count / 2 + 64, size);
}

static bool build(builder *b, const range *whole)
{
    fnd_wide_tree *tree = &b->surface->tree;
    size_t size = FND_TREE_STACK * sizeof(waiting);
    waiting *stack = fnd_allocate(b->env, size);
    int count = 0;
    tree->node_count = 1;
    tree->leaf_count = 0;
    if (stack) stack[count++] = (waiting){*whole, 0};
    bool room = stack;
    while (count > 0 && room) {
        waiting at = stack[--count];
        range parts[FND_TREE_WIDTH];
        int number = divide(b, &at.range, parts);
        room = more(b->env, &b->nodes, &b->node_capacity, tree->node_count, sizeof(fnd_wide_node)) &&
               more(b->env, &b->leaves, &b->leaf_capacity, tree->leaf_count, sizeof(fnd_wide_leaf)) &&
               more(b->env, &b->details, &b->detail_capacity, tree->leaf_count, sizeof(fnd_leaf_detail));
        if (!room) break;
        fnd_wide_node *node = (fnd_wide_node *)b->nodes + at.node;
        fnd_wide_node_clear(node);
        for (int i = 0; i < number; i++) {
            bool leaf = parts[i].count <= FND_TREE_WIDTH;
            int32_t child = leaf ? add_leaf(b, &parts[i]) : tree->node_count++;
            fnd_wide_node_set(node, i, &parts[i].box, child);
            if (!leaf) stack[count++] = (waiting){parts[i], child};
        }
    }
    fnd_release(b->env, stack, size);
    return room;
}

/* Unit and middle: of the vertices that triangles have. */
static void tree_place(fnd_surface *s)
{
    assert(s->vertex_count > 0);
    fender_vec3 lower = s->vertices[s->triangles[0][0]], upper = lower;
    for (int32_t i = 0; i < s->vertex_count; i++) {
        if (s->vertex_start[i] == s->vertex_start[i + 1]) continue;
        const fender_vec3 v = s->vertices[i];
        lower = fender_vec3_make(v.x < lower.x ? v.x : lower.x, v.y < lower.y ? v.y : lower.y,
                                 v.z < lower.z ? v.z : lower.z);
        upper = fender_vec3_make(v.x > upper.x ? v.x : upper.x, v.y > upper.y ? v.y : upper.y,
                                 v.z > upper.z ? v.z : upper.z);
    }
    fender_vec3 size = fender_vec3_sub(upper, lower);
    double largest = size.x > size.y ? size.x : size.y;
    largest = size.z > largest ? size.z : largest;
    int exponent = 0;
    if (largest > 0) frexp(largest, &exponent);
    s->tree.scale = ldexp(1, exponent < -1000 ? 1000 : -exponent);
    s->tree.center = fender_vec3_make(lower.x + size.x / 2, lower.y + size.y / 2, lower.z + size.z / 2);
}

/* The nodes and leaves in one block of the size they need. */
static bool keep(const builder *b)
{
    fnd_wide_tree *tree = &b->surface->tree;
    size_t node_size = (size_t)tree->node_count * sizeof(fnd_wide_node);
    size_t leaf_size = (size_t)tree->leaf_count * sizeof(fnd_wide_leaf);
    size_t detail_size = (size_t)tree->leaf_count * sizeof(fnd_leaf_detail);
    char *block = fnd_allocate(b->env, node_size + leaf_size + detail_size);
    if (!block) return false;
    tree->size = node_size + leaf_size + detail_size;
    tree->nodes = (void *)block;
    tree->leaves = (void *)(block + node_size);
    tree->details = (void *)(block + node_size + leaf_size);
    memcpy(tree->nodes, b->nodes, node_size);
    memcpy(tree->leaves, b->leaves, leaf_size);
    memcpy(tree->details, b->details, detail_size);
    return true;
}

bool fnd_tree_build(const fender_env *env, fnd_surface *s)
{
    assert(s->triangle_count > 0);
    size_t parts_size = (size_t)s->triangle_count * sizeof(part);
    builder b = {.env = env, .surface = s, .parts = fnd_allocate(env, parts_size)};
    if (!b.parts) return false;
    tree_place(s);
    for (int32_t t = 0; t < s->triangle_count; t++) {
        fnd_tree_box box = fnd_tree_box_empty();
        for (int k = 0; k < 3; k++) {
            fnd_tree_box at = fnd_tree_box_at(&s->tree, fnd_surface_corner(s, t, k));
            fnd_tree_box_widen(&box, &at);
        }
        b.parts[t].box = box;
        b.parts[t].named.triangle = t;
    }
    range whole = {.count = s->triangle_count};
    measure(&b, &whole);
    int guess = s->triangle_count / 6;
    bool done = fnd_reserve(env, &b.leaves, &b.leaf_capacity, guess + 64, sizeof(fnd_wide_leaf)) &&
                fnd_reserve(env, &b.details, &b.detail_capacity, guess + 64, sizeof(fnd_leaf_detail)) &&
                fnd_reserve(env, &b.nodes, &b.node_capacity, guess / 6 + 64, sizeof(fnd_wide_node)) &&
                build(&b, &whole);
    fnd_release(env, b.parts, parts_size);
    if (done) done = keep(&b);
    fnd_release(env, b.leaves, (size_t)b.leaf_capacity * sizeof(fnd_wide_leaf));
    fnd_release(env, b.details, (size_t)b.detail_capacity * sizeof(fnd_leaf_detail));
    fnd_release(env, b.nodes, (size_t)b.node_capacity * sizeof(fnd_wide_node));
    return done;
}

void fnd_tree_release(const fender_env *env, fnd_wide_tree *tree)
{
    if (tree->nodes) fnd_release(env, tree->nodes, tree->size);
    tree->nodes = NULL;
}

/* ---- Grids ---- */

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
        tree_place(s);
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
