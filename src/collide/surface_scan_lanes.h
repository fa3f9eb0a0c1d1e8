/* The scans of a surface's triangles, compiled once for each width of registers. Included by surface_scan_*.c, which
 * name the functions. What is looked at next is asked of the memory before what is at hand is worked on. */
#ifndef FND_COLLIDE_SURFACE_SCAN_LANES_H
#define FND_COLLIDE_SURFACE_SCAN_LANES_H

#include "collide/surface_normal_lanes.h"
#include "collide/surface_scan.h"

/* Eight triangles, or fewer. */
typedef struct batch {
    tree_corners corners;
    int32_t triangle[8], plane[8];
    float spread[8];
    unsigned mask;
} batch;

/* Leaves of a mesh, or rows of up to four cells of a grid, that are to be looked at next; how many. */
static inline int next_leaves(fnd_surface_footprint *region, int32_t leaves[FND_SCAN_BATCHES])
{
    fnd_surface_walk *walk = &region->walk;
    const fnd_surface *s = region->surface;
    int count = 0;
    while (walk->count > 0 && count + FND_TREE_WIDTH <= FND_SCAN_BATCHES) {
        const fnd_wide_node *node = &s->tree.nodes[walk->stack[--walk->count]];
        for (unsigned mask = boxes_in_box(node, walk->lower, walk->upper); mask; mask &= mask - 1) {
            int32_t child = node->child[fnd_lowest_lane(mask)];
            if (child < 0) {
                leaves[count++] = ~child;
                for (size_t i = 0; i < sizeof(fnd_leaf_detail); i += 64)
                    fnd_ask((const char *)&s->tree.details[~child] + i);
                fnd_ask((const char *)s->tree.leaves[~child].triangle);
            } else {
                walk->stack[walk->count++] = child;
                ask_for(s, child);
            }
        }
    }
    for (int i = 0; i < count; i++) {
        const fnd_leaf_detail *detail = &s->tree.details[leaves[i]];
        fnd_ask((const char *)detail->spread);
        for (int k = 0; k < 3; k++)
            for (int lane = 0; lane < FND_TREE_WIDTH; lane++)
                fnd_ask((const char *)&s->vertices[detail->corner[k][lane]]);
    }
    return count;
}

static inline int next_rows(fnd_surface_footprint *region, int32_t cells[FND_SCAN_BATCHES])
{
    const fnd_surface *s = region->surface;
    int count = 0;
    for (; region->j <= region->j1 && count < FND_SCAN_BATCHES; region->i += 4) {
        if (region->i > region->i1) {
            region->i = region->i0 - 4;
            region->j++;
            continue;
        }
        cells[count++] = region->j * (s->count_x - 1) + region->i;
        const fender_vec3 *row = &s->vertices[region->j * s->count_x + region->i];
        for (int i = 0; i < 2; i++, row += s->count_x) {
            fnd_ask((const char *)row);
            fnd_ask((const char *)(row + 2));
            fnd_ask((const char *)(row + 5) - 8);
        }
        fnd_ask((const char *)&s->planes[2 * cells[count - 1]]);
        fnd_ask((const char *)&s->spreads[2 * cells[count - 1]]);
    }
    return count;
}

static inline int next_lot(fnd_surface_footprint *region, int32_t lot[FND_SCAN_BATCHES])
{
    return region->surface->count_x > 0 ? next_rows(region, lot) : next_leaves(region, lot);
}

static inline void batch_of_leaf(const fnd_surface *s, int32_t number, batch *b)
{
    const fnd_wide_leaf *leaf = &s->tree.leaves[number];
    const fnd_leaf_detail *detail = &s->tree.details[number];
    b->mask = 0;
    for (int lane = 0; lane < 8; lane++) {
        b->triangle[lane] = leaf->triangle[lane];
        b->plane[lane] = detail->plane[lane];
        b->spread[lane] = detail->spread[lane];
        b->mask |= (unsigned)(leaf->triangle[lane] != FND_TREE_NO_TRIANGLE) << lane;
    }
    for (int k = 0; k < 3; k++) b->corners.at[k] = fnd_indices_thrice(fnd_indices_load(detail->corner[k]));
}

/* Four cells in a row from one on, as far as the region goes. */
static inline void batch_of_row(const fnd_surface_footprint *region, int32_t cell, batch *b)
{
    const fnd_surface *s = region->surface;
    int32_t row = cell / (s->count_x - 1), column = cell - row * (s->count_x - 1), corner[3][8];
    int32_t last = region->i1 - column;
    for (int lane = 0; lane < 8; lane++) {
        int32_t i = lane >> 1 > last ? last : lane >> 1, near = cell + row + i, far = near + s->count_x + 1;
        int32_t triangle = 2 * (cell + i) + (lane & 1);
        corner[0][lane] = near;
        corner[1][lane] = lane & 1 ? far : near + 1;
        corner[2][lane] = lane & 1 ? far - 1 : far;
        b->triangle[lane] = triangle;
        b->plane[lane] = s->planes[triangle];
        b->spread[lane] = s->spreads[triangle];
    }
    b->mask = last < 3 ? (1u << 2 * (last + 1)) - 1 : 255;
    for (int k = 0; k < 3; k++) b->corners.at[k] = fnd_indices_thrice(fnd_indices_load(corner[k]));
}

static inline void batch_of(const fnd_surface_footprint *region, int32_t at, batch *b)
{
    if (region->surface->count_x > 0) batch_of_row(region, at, b);
    else batch_of_leaf(region->surface, at, b);
}

static inline void corners_of(const fnd_surface *s, const tree_corners *at, fnd_doubles_vector v[3])
{
    for (int k = 0; k < 3; k++)
        v[k] = (fnd_doubles_vector){coordinate(s, at, k, 0), coordinate(s, at, k, 1), coordinate(s, at, k, 2)};
}

/* Boxes of the eight triangles. */
static inline void boxes_of(const fnd_doubles_vector v[3], fnd_doubles low[3], fnd_doubles high[3])
{
    const fnd_doubles parts[3][3] = {{v[0].x, v[1].x, v[2].x}, {v[0].y, v[1].y, v[2].y}, {v[0].z, v[1].z, v[2].z}};
    for (int i = 0; i < 3; i++) {
        low[i] = fnd_doubles_least(fnd_doubles_least(parts[i][0], parts[i][1]), parts[i][2]);
        high[i] = fnd_doubles_most(fnd_doubles_most(parts[i][0], parts[i][1]), parts[i][2]);
    }
}

static inline unsigned meet_box(const fnd_doubles low[3], const fnd_doubles high[3], const fender_box *box)
{
    const double lower[3] = {box->lower.x, box->lower.y, box->lower.z};
    const double upper[3] = {box->upper.x, box->upper.y, box->upper.z};
    unsigned mask = 255;
    for (int i = 0; i < 3; i++) {
        mask &= fnd_doubles_up_to(low[i], fnd_doubles_all(upper[i]));
        mask &= fnd_doubles_up_to(fnd_doubles_all(lower[i]), high[i]);
    }
    return mask;
}

/* Those of the batch that belong to the region: of a mesh, whose boxes meet its box; of a grid all. */
static inline unsigned within(const fnd_surface_footprint *region, const batch *b, const fnd_doubles low[3],
                              const fnd_doubles high[3])
{
    const fnd_surface *s = region->surface;
    if (s->count_x == 0) return meet_box(low, high, &region->walk.box);
    unsigned mask = 0;
    for (int lane = 0; lane < 8; lane++) {
        int j = b->triangle[lane] / 2 / (s->count_x - 1), i = b->triangle[lane] / 2 - j * (s->count_x - 1);
        bool is = i >= region->i0 && i <= region->i1 && j >= region->j0 && j <= region->j1;
        mask |= (unsigned)is << lane;
    }
    return mask;
}

/* Corners of the planes' own triangles, where they are others. */
static inline void corners_of_planes(const fnd_surface *s, const batch *b, unsigned needed, fnd_doubles_vector v[3])
{
    unsigned others = 0;
    for (int lane = 0; lane < 8; lane++) others |= (unsigned)(b->plane[lane] != b->triangle[lane]) << lane;
    if (!(others & needed)) return;
    int32_t corner[3][8];
    for (int lane = 0; lane < 8; lane++)
        for (int k = 0; k < 3; k++) corner[k][lane] = s->triangles[b->plane[lane]][k];
    tree_corners at;
    for (int k = 0; k < 3; k++) at.at[k] = fnd_indices_thrice(fnd_indices_load(corner[k]));
    corners_of(s, &at, v);
}

/* Are the cells of triangles, down to the depth, not wholly beside the box on one of its sides? Points of a cell lie at
 * most the depth along -normal from the triangle, and a part of that across. */
static inline unsigned reach_in(const fnd_surface_sight *sight, const fnd_doubles_vector q[3],
                                const fnd_doubles_vector *n, fnd_doubles depth, const float *spread)
{
    const fnd_doubles zero = fnd_doubles_all(0);
    const double center[3] = {sight->center.x, sight->center.y, sight->center.z};
    const double half[3] = {sight->half.x, sight->half.y, sight->half.z};
    const fnd_doubles normal[3] = {n->x, n->y, n->z};
    const fnd_doubles rounding = fnd_doubles_all(sight->rounding); /* a core may lie so far before the triangle */
    fnd_doubles across = fnd_doubles_times(fnd_doubles_add(depth, rounding), fnd_doubles_of_floats(spread));
    across = fnd_doubles_add(across, rounding);
    across = fnd_doubles_add(across, fnd_doubles_times(depth, fnd_doubles_all(1e-9))); /* disks are as deep as that */
    fnd_doubles low[3], high[3];
    boxes_of(q, low, high);
    unsigned mask = 255;
    for (int i = 0; i < 3; i++) {
        fnd_doubles down = fnd_doubles_less(zero, fnd_doubles_times(depth, normal[i])),
                    middle = fnd_doubles_all(center[i]);
        fnd_doubles from = fnd_doubles_add(fnd_doubles_less(low[i], middle), fnd_doubles_least(down, zero));
        fnd_doubles to = fnd_doubles_add(fnd_doubles_less(high[i], middle), fnd_doubles_most(down, zero));
        mask &= fnd_doubles_up_to(fnd_doubles_less(from, across), fnd_doubles_all(half[i]));
        mask &= fnd_doubles_up_to(fnd_doubles_all(-half[i]), fnd_doubles_add(to, across));
    }
    return mask;
}

/* Adds the triangles of the batch that the solid sees: it reaches below their planes and, of a mesh, before them, and
 * into their cells. */
static inline void see(fnd_surface_scan *scan, const batch *b)
{
    const fnd_surface_sight *sight = scan->sight;
    const fnd_surface *s = sight->surface;
    fnd_doubles_vector v[3], q[3];
    fnd_doubles low[3], high[3];
    corners_of(s, &b->corners, v);
    boxes_of(v, low, high);
    unsigned mask = b->mask;
    if (s->count_x == 0) mask &= within(&scan->region, b, low, high);
    if (scan->without && mask) mask &= ~within(scan->without, b, low, high);
    if (!mask) return;
    for (int k = 0; k < 3; k++) {
        fnd_doubles_vector from = lanes_from(&v[k], sight->p_AB);
        q[k] = turned_back(&sight->R_AB, &from);
    }
    corners_of_planes(s, b, mask, v);
    fnd_doubles_vector n = normals(s, v, b->plane, mask), from = lanes_from(&v[0], sight->p_AB);
    fnd_doubles offset = fnd_doubles_add(fnd_doubles_dot(&n, &from), fnd_doubles_all(sight->rounding));
    n = turned_back(&sight->R_AB, &n);
    fnd_doubles middle = fnd_doubles_less(offset, lanes_along(sight->center, &n));
    const fnd_doubles_vector size = {lanes_size(n.x), lanes_size(n.y), lanes_size(n.z)};
    fnd_doubles extent = lanes_along(sight->half, &size), depth = fnd_doubles_add(middle, extent);
    mask &= ~fnd_doubles_up_to(depth, fnd_doubles_all(0));
    if (s->count_x == 0) { /* else from another room */
        fnd_doubles before = fnd_doubles_add(fnd_doubles_less(extent, middle),
                                             fnd_doubles_all(2 * sight->rounding + sight->thin));
        mask &= ~fnd_doubles_up_to(before, fnd_doubles_all(0));
    }
    if (!mask) return;
    mask &= reach_in(sight, q, &n, depth, b->spread);
    if (!mask) return;
    const fnd_doubles kept[14] = {n.x,    n.y,    n.z,    offset, depth,  q[0].x, q[0].y,
                                  q[0].z, q[1].x, q[1].y, q[1].z, q[2].x, q[2].y, q[2].z};
    double values[14][8];
    for (int i = 0; i < 14; i++) fnd_doubles_store(values[i], kept[i]);
    for (; mask; mask &= mask - 1) {
        int lane = fnd_lowest_lane(mask);
        fnd_surface_sighting *one = &scan->found[scan->count++];
        one->triangle = b->triangle[lane];
        one->plane = b->plane[lane];
        one->spread = (double)b->spread[lane];
        one->normal = (fender_vec3){values[0][lane], values[1][lane], values[2][lane]};
        one->offset = values[3][lane];
        one->depth = values[4][lane];
        for (int k = 0; k < 3; k++)
            one->corners[k] = (fender_vec3){values[5 + 3 * k][lane], values[6 + 3 * k][lane], values[7 + 3 * k][lane]};
        fnd_ask((const char *)s->neighbours[one->triangle]);
    }
}

bool FND_SURFACE_SCAN(fnd_surface_scan *scan)
{
    int32_t lot[FND_SCAN_BATCHES];
    scan->count = 0;
    int count = next_lot(&scan->region, lot);
    for (int i = 0; i < count; i++) {
        batch b;
        batch_of(&scan->region, lot[i], &b);
        see(scan, &b);
    }
    return count > 0;
}

bool FND_SURFACE_BALL_SCAN(fnd_surface_ball_scan *scan)
{
    int32_t lot[FND_SCAN_BATCHES];
    scan->count = 0;
    int count = next_lot(&scan->region, lot);
    fnd_doubles limit = fnd_doubles_all(scan->limit * scan->limit * (1 + 1e-9));
    for (int i = 0; i < count; i++) {
        batch b;
        fnd_doubles_vector v[3];
        batch_of(&scan->region, lot[i], &b);
        corners_of(scan->region.surface, &b.corners, v);
        for (int k = 0; k < 3; k++) v[k] = lanes_from(&v[k], scan->center);
        unsigned mask = b.mask & fnd_doubles_up_to(fnd_doubles_box_squares(v), limit);
        if (mask) mask &= fnd_doubles_up_to(fnd_doubles_triangle_squares(v), limit);
        for (; mask; mask &= mask - 1) {
            scan->found[scan->count] = b.triangle[fnd_lowest_lane(mask)];
            fnd_ask((const char *)scan->region.surface->triangles[scan->found[scan->count++]]);
        }
    }
    return count > 0;
}

#endif
