/* Nodes and leaves of a surface's tree in registers: what the searches of every width share. */
#ifndef FND_GEOMETRY_TREE_LEAF_H
#define FND_GEOMETRY_TREE_LEAF_H

#include "geometry/lanes.h"
#include "geometry/surface.h"
#include <stddef.h>

/* Corners of the eight triangles of a leaf: from `base` on, as indices of coordinates. */
typedef struct tree_corners {
    fnd_index_lanes at[3];
} tree_corners;

static inline void corners_of_leaf(const fnd_wide_tree *tree, int32_t leaf, tree_corners *out)
{
    for (int k = 0; k < 3; k++) {
        fnd_index_lanes at = tree->leaves ? fnd_indices_load(tree->leaves[leaf].corner[k])
                                          : fnd_indices_add(fnd_indices_load(tree->block_corner[k]), leaf);
        out->at[k] = fnd_indices_thrice(at);
    }
}

static inline fnd_doubles coordinate(const fnd_surface *s, const tree_corners *c, int corner, int axis)
{
    return fnd_doubles_gather(&s->vertices[0].x + axis, c->at[corner]);
}

/* Number of the triangle in a place of a leaf. */
static inline int32_t triangle_of_lane(const fnd_surface *s, int32_t leaf, int lane)
{
    if (s->tree.leaves) return s->tree.leaves[leaf].triangle[lane];
    int32_t row = leaf / s->count_x, cell = leaf - row + (lane & 4 ? s->count_x - 1 : 0) + (lane >> 1 & 1);
    return 2 * cell + (lane & 1);
}

/* Asks the memory for a node or leaf. */
static inline void ask_for(const fnd_surface *s, int32_t at)
{
    if (at >= 0) {
        const char *node = (const char *)&s->tree.nodes[at];
        for (size_t i = 0; i < sizeof(fnd_wide_node); i += 64) fnd_ask(node + i);
        fnd_ask(node + sizeof(fnd_wide_node) - 4);
    } else if (s->tree.leaves) {
        const char *leaf = (const char *)&s->tree.leaves[~at];
        for (size_t i = 0; i < offsetof(fnd_wide_leaf, plane); i += 64) fnd_ask(leaf + i);
        fnd_ask(leaf + offsetof(fnd_wide_leaf, plane) - 4);
    } else {
        const fender_vec3 *row = &s->vertices[~at];
        for (int i = 0; i < 3; i++, row += s->count_x) {
            fnd_ask((const char *)row);
            fnd_ask((const char *)(row + 3) - 8);
        }
    }
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

/* ---- vectors */

typedef struct lane_vector {
    fnd_doubles x, y, z;
} lane_vector;
static inline lane_vector lanes_between(const lane_vector *from, const lane_vector *to)
{
    return (lane_vector){fnd_doubles_less(to->x, from->x), fnd_doubles_less(to->y, from->y),
                         fnd_doubles_less(to->z, from->z)};
}
static inline fnd_doubles lanes_dot(const lane_vector *a, const lane_vector *b)
{
    fnd_doubles sum = fnd_doubles_add(fnd_doubles_times(a->x, b->x), fnd_doubles_times(a->y, b->y));
    return fnd_doubles_add(sum, fnd_doubles_times(a->z, b->z));
}
static inline lane_vector lanes_cross(const lane_vector *a, const lane_vector *b)
{
    return (lane_vector){fnd_doubles_less(fnd_doubles_times(a->y, b->z), fnd_doubles_times(a->z, b->y)),
                         fnd_doubles_less(fnd_doubles_times(a->z, b->x), fnd_doubles_times(a->x, b->z)),
                         fnd_doubles_less(fnd_doubles_times(a->x, b->y), fnd_doubles_times(a->y, b->x))};
}

/* a where the bit is set. */
static inline lane_vector lanes_select(unsigned mask, const lane_vector *a, const lane_vector *b)
{
    return (lane_vector){fnd_doubles_select(mask, a->x, b->x), fnd_doubles_select(mask, a->y, b->y),
                         fnd_doubles_select(mask, a->z, b->z)};
}

/* Least squares of distances of the eight triangles' boxes from the origin. */
static inline fnd_doubles box_squares(const lane_vector v[3])
{
    const fnd_doubles zero = fnd_doubles_all(0);
    const fnd_doubles parts[3][3] = {{v[0].x, v[1].x, v[2].x}, {v[0].y, v[1].y, v[2].y}, {v[0].z, v[1].z, v[2].z}};
    fnd_doubles sum = zero;
    for (int i = 0; i < 3; i++) {
        fnd_doubles low = fnd_doubles_least(fnd_doubles_least(parts[i][0], parts[i][1]), parts[i][2]);
        fnd_doubles high = fnd_doubles_most(fnd_doubles_most(parts[i][0], parts[i][1]), parts[i][2]);
        fnd_doubles d = fnd_doubles_most(fnd_doubles_most(low, fnd_doubles_less(zero, high)), zero);
        sum = fnd_doubles_add(sum, fnd_doubles_times(d, d));
    }
    return sum;
}

/* Squares of distances of the eight triangles from the origin, good enough to leave triangles out; 0 for those too
 * narrow for that. */
static inline fnd_doubles triangle_squares(const lane_vector v[3])
{
    const fnd_doubles zero = fnd_doubles_all(0), one = fnd_doubles_all(1);
    fnd_doubles least = fnd_doubles_all(1e308), length[3];
    lane_vector edge[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = lanes_between(&v[k], &v[(k + 1) % 3]);
        length[k] = lanes_dot(&edge[k], &edge[k]);
        fnd_doubles along = fnd_doubles_over(fnd_doubles_less(zero, lanes_dot(&edge[k], &v[k])), length[k]);
        along = fnd_doubles_most(fnd_doubles_least(along, one), zero);
        lane_vector p = {fnd_doubles_add(v[k].x, fnd_doubles_times(along, edge[k].x)),
                         fnd_doubles_add(v[k].y, fnd_doubles_times(along, edge[k].y)),
                         fnd_doubles_add(v[k].z, fnd_doubles_times(along, edge[k].z))};
        least = fnd_doubles_least(least, lanes_dot(&p, &p));
    }
    lane_vector n = lanes_cross(&edge[0], &edge[1]);
    fnd_doubles square = lanes_dot(&n, &n), height = lanes_dot(&n, &v[0]);
    unsigned inside = 255;
    for (int k = 0; k < 3; k++) {
        lane_vector across = lanes_cross(&n, &edge[k]);
        inside &= fnd_doubles_up_to(lanes_dot(&across, &v[k]), zero);
    }
    fnd_doubles plane = fnd_doubles_over(fnd_doubles_times(height, height), square);
    least = fnd_doubles_select(inside, plane, least);
    fnd_doubles narrow = fnd_doubles_times(fnd_doubles_all(1e-3), fnd_doubles_times(length[0], length[1]));
    return fnd_doubles_select(fnd_doubles_up_to(square, narrow), zero, least);
}

#endif
