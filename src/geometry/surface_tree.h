/* The tree of boxes over a surface's triangles: eight children to a node, eight triangles to a leaf.
 *
 * Boxes are in float, about the middle of the surface and in a unit (a power of two) in which it is at most 1 long, and
 * larger on every side by FND_TREE_MARGIN: more than the roundings of float in a query. So a box is left out only if
 * its triangles are out of question, and what the triangles answer is computed in double from their corners. */
#ifndef FND_GEOMETRY_SURFACE_TREE_H
#define FND_GEOMETRY_SURFACE_TREE_H

#include <fender/base.h>
#include <fender/spatial.h>

enum { FND_TREE_WIDTH = 8, FND_TREE_STACK = 640, FND_TREE_TOGETHER = 8, FND_TREE_NO_TRIANGLE = INT32_MAX };
#define FND_TREE_MARGIN 0x1p-19f
#define FND_TREE_EMPTY  1e30f /* lower side of a box that holds nothing; the upper one is its negative */

typedef struct fnd_wide_node {
    float lower[3][FND_TREE_WIDTH], upper[3][FND_TREE_WIDTH];
    int32_t child[FND_TREE_WIDTH]; /* a node; negative: ~leaf */
} fnd_wide_node;
/* Corners of eight triangles in whole steps from a place of the leaf's own, FND_LEAF_BLUR steps from where they are at
 * most. Spare places have no number. */
typedef struct fnd_wide_leaf {
    uint16_t corner[3][3][FND_TREE_WIDTH]; /* of each corner along each axis */
    int32_t triangle[FND_TREE_WIDTH];
    float lower[3], per_unit; /* in units of the tree; steps per unit, a power of two */
} fnd_wide_leaf;
#define FND_LEAF_BLUR  2.0f
#define FND_LEAF_STEPS 0x1p16f /* a leaf is smaller than so many */

/* What a mesh holds of a leaf besides; spare places repeat another triangle. */
typedef struct fnd_leaf_detail {
    int32_t corner[3][FND_TREE_WIDTH];
    int32_t plane[FND_TREE_WIDTH]; /* what the surface holds of them, within reach */
    float spread[FND_TREE_WIDTH];
} fnd_leaf_detail;

typedef struct fnd_wide_tree {
    fender_vec3 center;
    double scale; /* units per metre */
    int32_t node_count, leaf_count;
    fnd_wide_node *nodes;     /* root first */
    fnd_wide_leaf *leaves;    /* of a grid: blocks of 2 x 2 cells, in rows */
    fnd_leaf_detail *details; /* of the leaves of a mesh; NULL: of a grid */
    size_t size;              /* of all three, one block */
} fnd_wide_tree;

struct fnd_surface;
/* Makes the tree of a surface that has its vertices and triangles; false: no memory. */
bool fnd_tree_build(const fender_env *env, struct fnd_surface *surface);
/* The same for a raster of 3 x 3 vertices or more, with nothing to sort. */
bool fnd_tree_build_raster(const fender_env *env, struct fnd_surface *surface);
/* Unit and middle for a surface. */
void fnd_tree_place(struct fnd_surface *surface);
void fnd_tree_release(const fender_env *env, fnd_wide_tree *tree);

/* A line through the tree. Axes in the order of `axis`: the last is that along which the line runs most. */
typedef struct fnd_tree_ray {
    float q[3], inverse[3], from, to; /* in units of the tree, along x, y, z */
    int near_side[3], far_side[3];    /* where a node holds the sides that the line enters and leaves by */
    int axis[3];
    double origin[3], shear[3]; /* of the line, in metres */
    double start[3], grain;     /* the same origin in units of the tree; rounding of what is computed from it */
    double way, scale;          /* a place s of the line is (s - way) * scale in units of the tree */
    double s_from, s_to;
    bool back;
} fnd_tree_ray;
typedef struct fnd_tree_hit {
    double s;
    int32_t triangle; /* FND_TREE_NO_TRIANGLE: none */
} fnd_tree_hit;

struct fnd_surface_place;
struct fnd_surface_walk;
/* Any number of rays or points, several of them in turn. The places hold the limits, and triangle -1. */
typedef void fnd_tree_ray_function(const struct fnd_surface *, const fnd_tree_ray *, fnd_tree_hit *, int count);
typedef void fnd_tree_nearest_function(const struct fnd_surface *, const fender_vec3 *, struct fnd_surface_place *,
                                       int count);
typedef int32_t fnd_tree_walk_function(struct fnd_surface_walk *);
/* For each width of registers; all yield the same bits. */
fnd_tree_ray_function fnd_tree_ray_plain, fnd_tree_ray_avx2, fnd_tree_ray_avx512;
fnd_tree_nearest_function fnd_tree_nearest_plain, fnd_tree_nearest_avx2, fnd_tree_nearest_avx512;
fnd_tree_walk_function fnd_tree_walk_plain, fnd_tree_walk_avx2, fnd_tree_walk_avx512;

/* Which of them this machine has: 0 plain, 1 AVX2, 2 AVX-512. */
static inline int fnd_tree_registers(void)
{
#ifdef FND_WIDE
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return 2;
    if (__builtin_cpu_supports("avx2")) return 1;
#endif
    return 0;
}

#endif
