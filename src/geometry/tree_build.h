/* Boxes, nodes and leaves while a tree is built, for meshes (bvh.c) and for grids (bvh_raster.c). */
#ifndef FND_GEOMETRY_TREE_BUILD_H
#define FND_GEOMETRY_TREE_BUILD_H

#include "geometry/surface.h"
#include <assert.h>
#if defined __SSE2__
#include <immintrin.h>
#endif
#include <math.h>
#include <string.h>

/* Unit and middle of a surface's tree: of the vertices that triangles have. */
void fnd_tree_set_unit(fnd_surface *surface);

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
/* A box made to hold another; twice its middle, at both corners. */
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
static inline void widen(fnd_tree_box *box, const fnd_tree_box *by)
{
    for (int i = 0; i < 3; i++) {
        box->lower[i] = by->lower[i] < box->lower[i] ? by->lower[i] : box->lower[i];
        box->upper[i] = by->upper[i] > box->upper[i] ? by->upper[i] : box->upper[i];
    }
}
static inline fnd_tree_box center_of(const fnd_tree_box *box)
{
    fnd_tree_box at;
    for (int i = 0; i < 4; i++) at.lower[i] = at.upper[i] = box->lower[i] + box->upper[i];
    return at;
}
#endif
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

/* ---- Leaves ---- */

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

#endif
