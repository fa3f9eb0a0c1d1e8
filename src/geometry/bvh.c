/* The tree over the triangles of a mesh. */
#include "geometry/tree_build.h"

#include "base/memory.h"
#include <assert.h>
#include <limits.h>
#include <string.h>

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
    float from[4], scale[4];
    int number;
} bin_table;

static inline int bin_of(const bin_table *bins, int axis, float center)
{
    int k = (int)((center - bins->from[axis]) * bins->scale[axis]);
    return k >= bins->number ? bins->number - 1 : k; /* never below 0: from is the least of all */
}

/* The same for the three axes at once. */
static inline void bins_of(const bin_table *bins, const fnd_tree_box *center, int32_t k[4])
{
#if defined __SSE2__
    const __m128 axes = _mm_castsi128_ps(_mm_set_epi32(0, -1, -1, -1)); /* the fourth holds a number of a triangle */
    __m128 at = _mm_sub_ps(_mm_and_ps(_mm_loadu_ps(center->lower), axes), _mm_loadu_ps(bins->from));
    at = _mm_mul_ps(at, _mm_loadu_ps(bins->scale));
    at = _mm_min_ps(at, _mm_set1_ps((float)(bins->number - 1)));
    _mm_storeu_si128((__m128i *)(void *)k, _mm_cvttps_epi32(at));
#else
    for (int axis = 0; axis < 3; axis++) k[axis] = bin_of(bins, axis, center->lower[axis]);
#endif
}

static void fill_bins(const builder *b, const range *r, bin_table *bins)
{
    bins->number = r->count < 64 ? 8 : BINS;
    bins->from[3] = bins->scale[3] = 0;
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
        const fnd_tree_box center = center_of(&b->parts[i].box);
        int32_t k[4];
        bins_of(bins, &center, k);
        for (int axis = 0; axis < 3; axis++) {
            widen(&bins->box[axis][k[axis]], &b->parts[i].box);
            bins->count[axis][k[axis]]++;
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

/* Parts `r` into itself and `other`, those in bins below `bin` and the others. */
static void halve_at(const builder *b, range *r, range *other, const bin_table *bins, int axis, int bin)
{
    fnd_tree_box below = fnd_tree_box_empty(), above = below; /* of centres */
    int32_t low = r->first, high = r->first + r->count - 1;
    while (low <= high) {
        part *p = &b->parts[low];
        const fnd_tree_box center = center_of(&p->box);
        if (bin_of(bins, axis, center.lower[axis]) < bin) {
            widen(&below, &center);
            low++;
        } else {
            widen(&above, &center);
            part swap = *p;
            *p = b->parts[high];
            b->parts[high--] = swap;
        }
    }
    const int32_t left = low - r->first;
    *other = (range){.first = low, .count = r->count - left, .depth = r->depth + 1, .centers = above};
    *r = (range){.first = r->first, .count = left, .depth = r->depth + 1, .centers = below};
    r->box = other->box = fnd_tree_box_empty();
    for (int k = 0; k < bins->number; k++) widen(k < bin ? &r->box : &other->box, &bins->box[axis][k]);
    r->area = half_area(&r->box);
    other->area = half_area(&other->box);
}

static void halve(const builder *b, range *r, range *other)
{
    bin_table bins;
    int axis = 0, bin = 0;
    if (r->depth < DEEPEST) { /* else by number, which keeps the tree shallow whatever the triangles are like */
        fill_bins(b, r, &bins);
        if (choose(&bins, &axis, &bin)) {
            halve_at(b, r, other, &bins, axis, bin);
            return;
        }
    }
    const int32_t left = r->count / 2;
    *other = (range){.first = r->first + left, .count = r->count - left, .depth = r->depth + 1};
    r->count = left;
    r->depth++;
    measure(b, r);
    measure(b, other);
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
    return fnd_reserve(env, memory, capacity, count, count + count / 2 + 64, size);
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

void fnd_tree_set_unit(fnd_surface *s)
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
    fnd_tree_set_unit(s);
    for (int32_t t = 0; t < s->triangle_count; t++) {
        fnd_tree_box box = fnd_tree_box_empty();
        for (int k = 0; k < 3; k++) {
            fnd_tree_box at = fnd_tree_box_at(&s->tree, fnd_surface_corner(s, t, k));
            widen(&box, &at);
        }
        b.parts[t].box = box;
        b.parts[t].named.triangle = t;
    }
    range whole = {.count = s->triangle_count};
    measure(&b, &whole);
    int guess = s->triangle_count / 6;
    bool done = fnd_reserve(env, &b.leaves, &b.leaf_capacity, 0, guess + 64, sizeof(fnd_wide_leaf)) &&
                fnd_reserve(env, &b.details, &b.detail_capacity, 0, guess + 64, sizeof(fnd_leaf_detail)) &&
                fnd_reserve(env, &b.nodes, &b.node_capacity, 0, guess / 6 + 64, sizeof(fnd_wide_node)) &&
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
