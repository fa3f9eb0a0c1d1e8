/* Rays, nearest points and boxes by the tree of a surface. Compiled once for each width of registers. */
#include "base/width.h"
#include "geometry/lanes.h"

#include <assert.h>
#include <string.h>

#if defined __GNUC__
#define FND_INTO_LOOP static inline __attribute__((always_inline))
#else
#define FND_INTO_LOOP static inline
#endif

/* ---- Rays ---- */

#define RAY_SLACK 0x1p-20f

/* What the boxes are asked about, in units of the tree, along x, y, z: eight numbers in a row. */
typedef union ray_row {
    struct {
        float q[3], inverse[3], from, to;
    };
    float all[8];
} ray_row;

typedef struct ray_search {
    ray_row row;
    int near_side[3], far_side[3]; /* where a node holds the sides that the line enters and leaves by */
    int axis[3];
    int lane;
    const fnd_ray_block *block;
    fnd_tree_hit *hit;
    int32_t at;       /* node, or ~leaf, to be looked at next */
    unsigned through; /* triangles of that leaf that the line may pass through; 0: not known yet */
    int count;
    tree_entry stack[FND_TREE_STACK];
} ray_search;

static inline unsigned boxes_on_ray(const fnd_wide_node *node, const ray_search *ray, float *enter)
{
    const float *sides = &node->lower[0][0];
    fnd_floats low = fnd_floats_all(ray->row.from), high = fnd_floats_all(ray->row.to);
    for (int i = 0; i < 3; i++) {
        fnd_floats q = fnd_floats_all(ray->row.q[i]), inverse = fnd_floats_all(ray->row.inverse[i]);
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
static inline unsigned triangles_on_ray(const fnd_wide_leaf *leaf, const ray_search *ray)
{
    const int *axis = ray->axis, lane = ray->lane;
    const fnd_ray_block *b = ray->block;
    const double slope[2] = {b->shear[0][lane], b->shear[1][lane]};
    const double per_step = (double)leaf->per_unit, up = (double)leaf->lower[axis[2]] - b->start[2][lane];
    const double across[2] = {(b->start[0][lane] - (double)leaf->lower[axis[0]] + slope[0] * up) * per_step,
                              (b->start[1][lane] - (double)leaf->lower[axis[1]] + slope[1] * up) * per_step};
    const double most = 4 * (double)FND_LEAF_STEPS;                 /* shears are at most 1 */
    if (fabs(across[0]) > most || fabs(across[1]) > most) return 0; /* beside the leaf */
    const fnd_floats blur = fnd_floats_all(2 * FND_LEAF_BLUR + (float)(b->grain[lane] * per_step));
    const fnd_floats from[2] = {fnd_floats_all((float)across[0]), fnd_floats_all((float)across[1])};
    const fnd_floats shear[2] = {fnd_floats_all((float)slope[0]), fnd_floats_all((float)slope[1])};
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
    unsigned front = 255;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const fnd_floats side = fnd_floats_less(fnd_floats_times(x[j], y[i]), fnd_floats_times(y[j], x[i]));
        const fnd_floats slack = fnd_floats_times(blur, fnd_floats_add(far[i], far[j]));
        front &= fnd_floats_up_to(zero, fnd_floats_add(side, slack));
    }
    return front;
}

/* The corners are sheared into a frame in which the line runs along its third axis (Woop, Benthin and Wald 2013). A
 * corner gets the same coordinates in all its triangles, and the two triangles of an edge find opposite numbers of the
 * same bits for the side on which the line passes it: one of them has it, or both when it is 0. */
static inline void ray_in_triangle(const fnd_surface *s, const int32_t vertex[3], fnd_tree_hit one,
                                   const ray_search *ray)
{
    const fnd_ray_block *block = ray->block;
    const int lane = ray->lane;
    double x[3], y[3], z[3];
    for (int k = 0; k < 3; k++) {
        assert(vertex[k] >= 0 && vertex[k] < s->vertex_count);
        const double *corner = &s->vertices[vertex[k]].x;
        double along = corner[ray->axis[2]] - block->origin[2][lane];
        x[k] = corner[ray->axis[0]] - block->origin[0][lane] - block->shear[0][lane] * along;
        y[k] = corner[ray->axis[1]] - block->origin[1][lane] - block->shear[1][lane] * along;
        z[k] = block->shear[2][lane] * along;
    }
    double u = x[2] * y[1] - y[2] * x[1], v = x[0] * y[2] - y[0] * x[2], w = x[1] * y[0] - y[1] * x[0];
    bool front = u >= 0 && v >= 0 && w >= 0; /* a triangle is seen from outside only */
    double sum = u + v + w;
    if (!front || sum == 0) return; /* 0: seen from its side */
    one.s = (u * z[0] + v * z[1] + w * z[2]) / sum;
    fnd_tree_hit *hit = ray->hit;
    if (!(one.s >= block->s_from[lane]) || !(one.s <= hit->s) || (one.s == hit->s && one.triangle > hit->triangle))
        return;
    *hit = one;
}

static inline ray_row row_of(const fnd_ray_block *b, int lane)
{
    return (ray_row){{{(float)b->place[0][lane], (float)b->place[1][lane], (float)b->place[2][lane]},
                      {(float)b->inverse[0][lane], (float)b->inverse[1][lane], (float)b->inverse[2][lane]},
                      (float)b->enter[lane] - RAY_SLACK,
                      (float)b->leave[lane] + RAY_SLACK}};
}

static inline void begin_ray(ray_search *r, const fnd_ray_block *block, int lane, const ray_row *row, fnd_tree_hit *hit)
{
    *hit = (fnd_tree_hit){block->s_to[lane], FND_TREE_NO_TRIANGLE, 0};
    r->row = *row;
    r->block = block;
    r->lane = lane;
    r->hit = hit;
    r->through = 0;
    r->count = 0;
    for (int i = 0; i < 3; i++) {
        const bool negative = block->negative[i] >> lane & 1;
        r->near_side[i] = FND_TREE_WIDTH * (negative ? i + 3 : i);
        r->far_side[i] = FND_TREE_WIDTH * (negative ? i : i + 3);
    }
    static const int turns[3][2][3] = {{{2, 1, 0}, {1, 2, 0}}, {{0, 2, 1}, {2, 0, 1}}, {{1, 0, 2}, {0, 1, 2}}};
    const int longest = block->z >> lane & 1 ? 2 : block->y >> lane & 1 ? 1 : 0;
    memcpy(r->axis, turns[longest][block->forward >> lane & 1], sizeof r->axis);
}

/* Asks the memory for the corners of the triangles that are looked at next. */
static inline void ask_for_corners(const fnd_surface *s, const ray_search *r)
{
    for (unsigned rest = r->through; rest; rest &= rest - 1) {
        int32_t vertex[3];
        if (!fnd_leaf_corners(s, FND_TREE_WIDTH * ~r->at + fnd_lowest_lane(rest), vertex)) continue;
        for (int k = 0; k < 3; k++) fnd_ask((const char *)&s->vertices[vertex[k]]);
    }
}

/* What a line is to look at next; the vertices of a leaf's triangles are numbered elsewhere than in the leaf. */
static inline void go_to(const fnd_surface *s, ray_search *r, int32_t at)
{
    r->at = at;
    if (at >= 0 || !s->tree.details) return;
    const char *corners = (const char *)s->tree.details[~at].corner;
    fnd_ask(corners);
    fnd_ask(corners + 64);
    fnd_ask(corners + sizeof s->tree.details->corner - 4);
}

/* Looks at one node, or at one leaf in two turns: what it waits for in memory is asked for before the next turn, unless
 * it is alone. False: that was the last. */
FND_INTO_LOOP bool step_ray(const fnd_surface *s, ray_search *r, bool alone)
{
    if (r->at >= 0) {
        const fnd_wide_node *node = &s->tree.nodes[r->at];
        float enter[8];
        unsigned mask = boxes_on_ray(node, r, enter), rest = mask & (mask - 1);
        if (mask && !rest) {
            go_to(s, r, node->child[fnd_lowest_lane(mask)]);
            if (!alone) ask_for(s, r->at);
            return true;
        }
        r->count = push_children(s, r->stack, r->count, node, enter, mask);
    } else {
        const fnd_wide_leaf *leaf = &s->tree.leaves[~r->at];
        if (!r->through) {
            r->through = triangles_on_ray(leaf, r);
            if (r->through && !alone) {
                ask_for_corners(s, r);
                return true;
            }
        }
        double last = r->hit->s;
        for (; r->through; r->through &= r->through - 1) {
            const int lane = fnd_lowest_lane(r->through);
            const int32_t place = FND_TREE_WIDTH * ~r->at + lane;
            int32_t vertex[3];
            if (fnd_leaf_corners(s, place, vertex))
                ray_in_triangle(s, vertex, (fnd_tree_hit){0, leaf->triangle[lane], place}, r);
        }
        if (r->hit->s < last) r->row.to = (float)((r->hit->s - r->block->way[r->lane]) * s->tree.scale) + RAY_SLACK;
    }
    do {
        if (r->count == 0) return false;
        r->count--;
    } while (r->stack[r->count].enter > r->row.to);
    go_to(s, r, r->stack[r->count].child);
    return true;
}

/* Where the lines of a block begin: at the lowest node that holds all boxes of leaves that any of them meets. A node's
 * child is met if it would be by intervals that hold all the lines, by the operations of boxes_on_ray, whose roundings
 * keep order. Lines to several octants begin at the root. */
static inline int32_t begin_of_block(const fnd_surface *s, const fnd_ray_block *b, const ray_row rows[FND_RAY_LANES])
{
    for (int i = 0; i < 3; i++) {
        const unsigned negative = b->negative[i] & b->live;
        if (negative && negative != b->live) return 0;
    }
    fnd_floats least = fnd_floats_load(rows[fnd_lowest_lane(b->live)].all), most = least;
    for (unsigned rest = b->live & (b->live - 1); rest; rest &= rest - 1) {
        const fnd_floats row = fnd_floats_load(rows[fnd_lowest_lane(rest)].all);
        least = fnd_floats_least(row, least);
        most = fnd_floats_most(row, most);
    }
    ray_row low_row, high_row;
    fnd_floats_store(low_row.all, least);
    fnd_floats_store(high_row.all, most);
    fnd_floats q[3][2], inverse[3][2]; /* of the side where lines enter, and where they leave */
    int side[3][2];
    for (int i = 0; i < 3; i++) {
        const bool negative = b->negative[i] & b->live;
        q[i][0] = fnd_floats_all(negative ? low_row.q[i] : high_row.q[i]);
        q[i][1] = fnd_floats_all(negative ? high_row.q[i] : low_row.q[i]);
        inverse[i][0] = fnd_floats_all(low_row.inverse[i]);
        inverse[i][1] = fnd_floats_all(high_row.inverse[i]);
        side[i][0] = FND_TREE_WIDTH * (negative ? i + 3 : i);
        side[i][1] = FND_TREE_WIDTH * (negative ? i : i + 3);
    }
    int32_t at = 0;
    while (at >= 0) {
        const float *sides = &s->tree.nodes[at].lower[0][0];
        fnd_floats low = fnd_floats_all(low_row.from), high = fnd_floats_all(high_row.to);
        for (int i = 0; i < 3; i++) {
            const fnd_floats in = fnd_floats_less(fnd_floats_load(sides + side[i][0]), q[i][0]);
            const fnd_floats out = fnd_floats_less(fnd_floats_load(sides + side[i][1]), q[i][1]);
            low = fnd_floats_most(
                fnd_floats_least(fnd_floats_times(in, inverse[i][0]), fnd_floats_times(in, inverse[i][1])), low);
            high = fnd_floats_least(
                fnd_floats_most(fnd_floats_times(out, inverse[i][0]), fnd_floats_times(out, inverse[i][1])), high);
        }
        const unsigned mask = fnd_floats_up_to(low, high);
        if (!mask || mask & (mask - 1)) break;
        at = s->tree.nodes[at].child[fnd_lowest_lane(mask)];
    }
    return at;
}

/* The next live lane at or after a place in all blocks; -1: there is none. */
static inline int next_live(const fnd_ray_block *blocks, int count, int place)
{
    for (; place < FND_RAY_LANES * count; place = (place / FND_RAY_LANES + 1) * FND_RAY_LANES) {
        const unsigned rest = blocks[place / FND_RAY_LANES].live >> place % FND_RAY_LANES;
        if (rest) return place + fnd_lowest_lane(rest);
    }
    return -1;
}

/* Lines that are still to be searched for. */
typedef struct ray_queue {
    const fnd_ray_block *blocks;
    fnd_tree_hit *hits;
    int count, next; /* blocks; place of a line, -1: none is left */
    int block;       /* the one that the last line is of, where its lines begin, and their rows */
    int32_t begin;
    ray_row rows[FND_RAY_LANES];
} ray_queue;

static inline bool begin_next(const fnd_surface *s, ray_queue *queue, ray_search *r)
{
    const int place = queue->next;
    if (place < 0) return false;
    const fnd_ray_block *block = &queue->blocks[place / FND_RAY_LANES];
    if (queue->block != place / FND_RAY_LANES) {
        queue->block = place / FND_RAY_LANES;
        for (unsigned rest = block->live; rest; rest &= rest - 1)
            queue->rows[fnd_lowest_lane(rest)] = row_of(block, fnd_lowest_lane(rest));
        queue->begin = block->live & (block->live - 1) ? begin_of_block(s, block, queue->rows) : 0;
    }
    const int lane = place % FND_RAY_LANES;
    begin_ray(r, block, lane, &queue->rows[lane], &queue->hits[place]);
    go_to(s, r, queue->begin);
    queue->next = next_live(queue->blocks, queue->count, place + 1);
    return true;
}

/* Several rays in turn: while one waits for memory the others are worked on. */
void FND_OF_WIDTH(fnd_tree_ray)(const fnd_surface *s, const fnd_ray_block *blocks, int count, fnd_tree_hit *hits)
{
    ray_search searches[FND_TREE_TOGETHER], *rotation[FND_TREE_TOGETHER];
    ray_queue queue;
    queue.blocks = blocks, queue.hits = hits, queue.count = count;
    queue.next = next_live(blocks, count, 0), queue.block = -1;
    int active = 0;
    while (active < FND_TREE_TOGETHER && begin_next(s, &queue, &searches[active])) {
        rotation[active] = &searches[active];
        active++;
    }
    if (active == 1) {
        while (step_ray(s, &searches[0], true)) {}
        return;
    }
    while (active > 0) {
        for (int i = 0; i < active; i++) {
            if (step_ray(s, rotation[i], false) || begin_next(s, &queue, rotation[i])) continue;
            rotation[i--] = rotation[--active];
        }
    }
}

/* ---- Nearest points ---- */

/* A triangle that may be the nearest: not nearer than this. */
typedef struct candidate {
    double least; /* m */
    int32_t triangle;
} candidate;

enum { CANDIDATES = 16 };

typedef struct point_search {
    fender_vec3 point;
    double place[3], scale;    /* the point in units of the tree, units per metre */
    fnd_surface_closest *best; /* of the triangles that were looked at closely */
    double reach;              /* m: the surface is not farther than this, or what is farther is not asked for */
    double slack;              /* m: rounding of all coordinates */
    candidate candidates[CANDIDATES];
    int candidate_count;
    float lower[3], upper[3]; /* the point in units of the tree, rounded down and up */
    float limit;              /* of squares */
    int32_t at;
    int count;
    tree_entry stack[FND_TREE_STACK];
} point_search;

/* Squares of distances, not greater than the true ones, in units of the tree. */
static inline unsigned boxes_near_point(const fnd_wide_node *node, const point_search *p, float *square)
{
    fnd_floats sum = fnd_floats_all(0);
    for (int i = 0; i < 3; i++) {
        fnd_floats below = fnd_floats_less(fnd_floats_load(node->lower[i]), fnd_floats_all(p->upper[i]));
        fnd_floats above = fnd_floats_less(fnd_floats_all(p->lower[i]), fnd_floats_load(node->upper[i]));
        fnd_floats d = fnd_floats_most(fnd_floats_most(below, above), fnd_floats_all(0));
        sum = fnd_floats_add(sum, fnd_floats_times(d, d));
    }
    sum = fnd_floats_times(sum, fnd_floats_all(1 - 0x1p-20f));
    fnd_floats_store(square, sum);
    return fnd_floats_up_to(sum, fnd_floats_all(p->limit));
}

static inline float least_float(double x) { return x < 3e38 ? (float)x : 3e38f; }

/* A leaf seen from the point, in sizes of the leaf. */
typedef struct leaf_view {
    double per_unit, margin; /* sizes per unit of the tree; what rounding may do to a distance */
    float square[FND_TREE_WIDTH];
} leaf_view;

static inline float square_limit(const point_search *p, const leaf_view *view)
{
    double reach = (p->reach + p->slack) * p->scale * view->per_unit + view->margin;
    return least_float(reach * reach);
}

/* Triangles of a leaf that may be as near as the best, and squares of about their distances. The margin allows for
 * the blur of the corners and the roundings of float, which narrow triangles make thirty times worse. */
static inline unsigned triangles_near_point(const fnd_wide_leaf *leaf, const point_search *p, leaf_view *view)
{
    fnd_floats at[3];
    double farthest = 0;
    view->per_unit = (double)leaf->per_unit / (double)FND_LEAF_STEPS;
    for (int i = 0; i < 3; i++) {
        double x = (p->place[i] - (double)leaf->lower[i]) * view->per_unit;
        if (!(fabs(x) <= farthest)) farthest = fabs(x);
        at[i] = fnd_floats_all(least_float(x));
    }
    view->margin = 0x1p-11 + farthest * 0x1p-13;
    if (!(farthest < 1e6)) { /* squares of squares leave the range of floats */
        memset(view->square, 0, sizeof view->square);
        return 255;
    }
    const fnd_floats size = fnd_floats_all(1 / FND_LEAF_STEPS), most = fnd_floats_all(square_limit(p, view));
    fnd_floats_vector v[3];
    for (int k = 0; k < 3; k++) {
        v[k].x = fnd_floats_less(fnd_floats_times(fnd_floats_of_shorts(leaf->corner[k][0]), size), at[0]);
        v[k].y = fnd_floats_less(fnd_floats_times(fnd_floats_of_shorts(leaf->corner[k][1]), size), at[1]);
        v[k].z = fnd_floats_less(fnd_floats_times(fnd_floats_of_shorts(leaf->corner[k][2]), size), at[2]);
    }
    unsigned mask = fnd_floats_up_to(fnd_floats_box_squares(v), most);
    if (!mask) return 0;
    fnd_floats found = fnd_floats_triangle_squares(v);
    fnd_floats_store(view->square, found);
    return mask & fnd_floats_up_to(found, most);
}

static inline void look_closely(const fnd_surface *s, point_search *p, int32_t triangle)
{
    assert(triangle >= 0 && triangle < s->triangle_count);
    fnd_surface_closest one = fnd_triangle_nearest(s, triangle, p->point);
    if (fnd_surface_nearer(&one, p->best)) *p->best = one;
    if (p->best->triangle >= 0 && p->best->distance < p->reach) p->reach = p->best->distance;
}

static inline void look_at_candidates(const fnd_surface *s, point_search *p)
{
    for (int i = 0; i < p->candidate_count; i++)
        if (p->candidates[i].least <= p->reach + p->slack) look_closely(s, p, p->candidates[i].triangle);
    p->candidate_count = 0;
}

/* What the blurred corners say bounds the distance from both sides, so only those triangles have to be looked at
 * closely that no other one is surely nearer than. */
static inline void point_in_leaf(const fnd_surface *s, point_search *p, int32_t number)
{
    const fnd_wide_leaf *leaf = &s->tree.leaves[number];
    leaf_view view;
    for (unsigned mask = triangles_near_point(leaf, p, &view); mask; mask &= mask - 1) {
        int lane = fnd_lowest_lane(mask);
        int32_t triangle = leaf->triangle[lane];
        if (triangle == FND_TREE_NO_TRIANGLE) continue;
        if (view.square[lane] == 0) { /* nothing is known of it */
            look_closely(s, p, triangle);
            continue;
        }
        double size = 1 / (view.per_unit * p->scale), distance = sqrt((double)view.square[lane]);
        if ((distance + view.margin) * size < p->reach) p->reach = (distance + view.margin) * size;
        if (p->candidate_count == CANDIDATES) look_at_candidates(s, p);
        p->candidates[p->candidate_count++] = (candidate){(distance - view.margin) * size, triangle};
    }
}

/* A little more than the square of a length of m metres in units of the tree. */
static inline float float_limit(const fnd_surface *s, const point_search *p)
{
    double reach = (p->reach + p->slack) * s->tree.scale;
    return least_float(reach * reach * (1 + 0x1p-20)) + 1e-38f;
}

static inline void begin_point(const fnd_surface *s, point_search *p, fender_vec3 point, fnd_surface_closest *best)
{
    const fnd_wide_tree *tree = &s->tree;
    fender_vec3 local = fender_vec3_sub(point, tree->center);
    const double parts[3] = {local.x * tree->scale, local.y * tree->scale, local.z * tree->scale};
    for (int i = 0; i < 3; i++) {
        /* NaN is far away, too: comparisons with it would enter every box, those that are not there among them */
        double x = parts[i] > 1e15 ? 1e15 : parts[i] > -1e15 ? parts[i] : -1e15, grain = 0x1p-23 * fabs(x);
        p->lower[i] = (float)(x - grain);
        p->upper[i] = (float)(x + grain);
    }
    memcpy(p->place, parts, sizeof parts);
    p->scale = tree->scale;
    p->point = point;
    p->best = best;
    p->reach = best->distance;
    p->candidate_count = 0;
    p->slack = 1e-14 / tree->scale;
    p->limit = float_limit(s, p);
    p->at = 0;
    p->count = 0;
}

static inline bool step_point(const fnd_surface *s, point_search *p)
{
    if (p->at >= 0) {
        const fnd_wide_node *node = &s->tree.nodes[p->at];
        float square[8];
        unsigned mask = boxes_near_point(node, p, square), rest = mask & (mask - 1);
        if (mask && !rest) {
            p->at = node->child[fnd_lowest_lane(mask)];
            return true;
        }
        p->count = push_children(s, p->stack, p->count, node, square, mask);
    } else {
        point_in_leaf(s, p, ~p->at);
        p->limit = float_limit(s, p);
    }
    do {
        if (p->count == 0) {
            look_at_candidates(s, p);
            return false;
        }
        p->count--;
    } while (p->stack[p->count].enter > p->limit);
    p->at = p->stack[p->count].child;
    return true;
}

void FND_OF_WIDTH(fnd_tree_nearest)(const fnd_surface *s, const fender_vec3 *points, fnd_surface_closest *best,
                                    int count)
{
    point_search searches[FND_TREE_TOGETHER];
    int active = count < FND_TREE_TOGETHER ? count : FND_TREE_TOGETHER, next = active;
    for (int i = 0; i < active; i++) begin_point(s, &searches[i], points[i], &best[i]);
    if (active == 1) {
        while (step_point(s, &searches[0])) {}
        return;
    }
    point_search *rotation[FND_TREE_TOGETHER];
    for (int i = 0; i < active; i++) rotation[i] = &searches[i];
    while (active > 0) {
        for (int i = 0; i < active; i++) {
            point_search *p = rotation[i];
            if (step_point(s, p)) ask_for(s, p->at);
            else if (next < count) {
                begin_point(s, p, points[next], &best[next]);
                next++;
            } else rotation[i--] = rotation[--active];
        }
    }
}

/* ---- Boxes ---- */

static inline float float_within(double x) { return x > 1e30 ? 1e30f : x < -1e30 ? -1e30f : (float)x; }

/* Boxes of triangles that may meet the box. */
static inline unsigned triangles_in_box(const fnd_wide_leaf *leaf, const fnd_surface_traversal *traversal)
{
    unsigned mask = 255;
    for (int i = 0; i < 3; i++) {
        const fnd_floats x = fnd_floats_of_shorts(leaf->corner[0][i]), y = fnd_floats_of_shorts(leaf->corner[1][i]);
        const fnd_floats z = fnd_floats_of_shorts(leaf->corner[2][i]), blur = fnd_floats_all(FND_LEAF_BLUR);
        const fnd_floats low = fnd_floats_less(fnd_floats_least(fnd_floats_least(x, y), z), blur);
        const fnd_floats high = fnd_floats_add(fnd_floats_most(fnd_floats_most(x, y), z), blur);
        const double per_step = (double)leaf->per_unit, from = (traversal->from[i] - (double)leaf->lower[i]) * per_step;
        const double to = (traversal->to[i] - (double)leaf->lower[i]) * per_step;
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
    assert(triangle >= 0 && triangle < s->triangle_count);
    const fender_vec3 *a = &s->vertices[s->triangles[triangle][0]], *b = &s->vertices[s->triangles[triangle][1]];
    const fender_vec3 *c = &s->vertices[s->triangles[triangle][2]];
    return spans_meet(a->x, b->x, c->x, box->lower.x, box->upper.x) &&
           spans_meet(a->y, b->y, c->y, box->lower.y, box->upper.y) &&
           spans_meet(a->z, b->z, c->z, box->lower.z, box->upper.z);
}

/* Fills the walk with the triangles of the next leaf that has any. */
int32_t FND_OF_WIDTH(fnd_tree_traverse)(fnd_surface_traversal *traversal)
{
    const fnd_surface *s = traversal->surface;
    while (traversal->count > 0) {
        int32_t at = traversal->stack[--traversal->count];
        if (at >= 0) {
            const fnd_wide_node *node = &s->tree.nodes[at];
            unsigned mask = boxes_in_box(node, traversal->lower, traversal->upper);
            for (int lane = 7; mask && lane >= 0; lane--)
                if (mask >> lane & 1) traversal->stack[traversal->count++] = node->child[lane];
            continue;
        }
        const fnd_wide_leaf *leaf = &s->tree.leaves[~at];
        traversal->at = traversal->end = 0;
        for (unsigned mask = triangles_in_box(leaf, traversal); mask; mask &= mask - 1) {
            int32_t triangle = leaf->triangle[fnd_lowest_lane(mask)];
            if (triangle != FND_TREE_NO_TRIANGLE && triangle_in_box(s, triangle, &traversal->box))
                traversal->found[traversal->end++] = triangle;
        }
        if (traversal->end > 0) return traversal->found[traversal->at++];
    }
    return -1;
}
