/* Triangulated surfaces, of meshes and grids: vertices, triangles, neighbours, a tree of boxes, and queries. */
#ifndef FND_GEOMETRY_SURFACE_H
#define FND_GEOMETRY_SURFACE_H

#include <assert.h>
#include <fender/base.h>
#include <fender/geometry.h>
#include <fender/spatial.h>

/* ---- The tree of boxes ---- */

/* The tree of boxes over a surface's triangles: eight children to a node, eight triangles to a leaf.
 *
 * Boxes are in float, about the middle of the surface and in a unit (a power of two) in which it is at most 1 long, and
 * larger on every side by FND_TREE_MARGIN: more than the roundings of float in a query. So a box is left out only if
 * its triangles are out of question, and what the triangles answer is computed in double from their corners. */

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

/* Additional data of a leaf of a mesh; unused slots repeat another triangle. */
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
/* Makes the tree of a surface that has its vertices, triangles and tables; false: no memory. */
bool fnd_tree_build(const fender_env *env, struct fnd_surface *surface);
/* The same for a raster of 3 x 3 vertices or more, with nothing to sort. */
bool fnd_tree_build_raster(const fender_env *env, struct fnd_surface *surface);
void fnd_tree_release(const fender_env *env, fnd_wide_tree *tree);

/* Eight lines q + s d and what the tree needs of them (ray_lanes.c). `place`, `enter` and `leave` are in units of the
 * tree; `origin`, `start` and `shear` are in the order of axes of the line: the last is that along which it runs most.
 */
enum { FND_RAY_LANES = 8 };
typedef struct fnd_ray_block {
    double q[3][FND_RAY_LANES], d[3][FND_RAY_LANES]; /* m; of unit length */
    double from[FND_RAY_LANES], to[FND_RAY_LANES];   /* m: the part of the line that is asked for */
    unsigned live;                                   /* lanes for which the tree is searched */
    unsigned negative[3];                            /* lanes whose d is below 0 along x, y, z */
    unsigned forward, z, y;                          /* lanes that run up their longest axis; which it is, else x */
    double place[3][FND_RAY_LANES], inverse[3][FND_RAY_LANES], enter[FND_RAY_LANES], leave[FND_RAY_LANES];
    double origin[3][FND_RAY_LANES], shear[3][FND_RAY_LANES]; /* of the line, in metres */
    double start[3][FND_RAY_LANES], grain[FND_RAY_LANES]; /* the same origin; rounding of what is computed from it */
    double way[FND_RAY_LANES]; /* a place s of the line is (s - way) * scale in units of the tree */
    double s_from[FND_RAY_LANES], s_to[FND_RAY_LANES];
    double shift[FND_RAY_LANES]; /* to be added to what is found */
} fnd_ray_block;
typedef struct fnd_tree_hit {
    double s;
    int32_t triangle; /* FND_TREE_NO_TRIANGLE: none */
    int32_t place;    /* FND_TREE_WIDTH * leaf + lane */
} fnd_tree_hit;

struct fnd_surface_closest;
struct fnd_surface_traversal;
/* Any number of lines or points, interleaved. Lines are those of live lanes, and a line's hit is that of its place in
 * all blocks. Initially the results of points contain the limits, and triangle -1. */
typedef void fnd_tree_ray_function(const struct fnd_surface *, const fnd_ray_block *, int blocks, fnd_tree_hit *);
typedef void fnd_tree_nearest_function(const struct fnd_surface *, const fender_vec3 *, struct fnd_surface_closest *,
                                       int count);
typedef int32_t fnd_tree_traverse_function(struct fnd_surface_traversal *);
/* For each width of registers; all yield the same bits. */
fnd_tree_ray_function fnd_tree_ray_plain, fnd_tree_ray_avx2, fnd_tree_ray_avx512;
fnd_tree_nearest_function fnd_tree_nearest_plain, fnd_tree_nearest_avx2, fnd_tree_nearest_avx512;
fnd_tree_traverse_function fnd_tree_traverse_plain, fnd_tree_traverse_avx2, fnd_tree_traverse_avx512;

/* Vector width of this machine: 0 plain, 1 AVX2, 2 AVX-512. */
static inline int fnd_tree_registers(void)
{
#ifdef FND_WIDE
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return 2;
    if (__builtin_cpu_supports("avx2")) return 1;
#endif
    return 0;
}

/* ---- The surface ---- */

typedef struct fnd_surface {
    int vertex_count, triangle_count;
    fender_vec3 *vertices;
    int32_t (*triangles)[3];
    int32_t (*neighbours)[3];  /* triangle across the edge from corner k to k + 1; -1: border, or more than one */
    int32_t *planes;           /* of each triangle: the lowest number of its connected coplanar triangles */
    float *spreads;            /* of each triangle: displacement of the corners of its cell per depth */
    int32_t *vertex_start;     /* vertex_count + 1 entries into vertex_triangles */
    int32_t *vertex_triangles; /* triangles around each vertex, increasing */
    bool *border;              /* of vertices */
    bool closed;               /* every edge has a neighbour */
    bool hollow;          /* of a mesh: closed, and bent inwards somewhere: a triangle is before a neighbour's plane */
    double area;          /* of all triangles */
    double face_area;     /* of the largest part whose normals are within 10 degrees of one of them, or what
                           * the border spans, if that is more */
    double spread;        /* the greatest of `spreads` */
    fender_vec3 sides[2]; /* of an open mesh: how far its normals point along the axes, and against them, at most;
                           * 0 of others: what is behind a closed one is within its box */
    int count_x, count_y; /* of the raster of a grid; 0: a mesh */
    fender_vec2 lower, spacing; /* of a grid; the means if it is uneven */
    bool uneven;                /* the lines of the raster are where its vertices say */
    fnd_wide_tree tree;
    size_t size; /* of the whole but the tree, one block */
} fnd_surface;

/* At least one triangle, valid indices, finite coordinates of at most 1e100; the caller checks. The first triangle
 * whose area is not above rounding is fnd_surface_degenerate. NULL means no memory. */
fnd_surface *fnd_surface_create(const fender_env *env, const fender_vec3 *vertices, int vertex_count,
                                const int32_t *triangles, int triangle_count);
/* Heights as in fender_grid_def, at lower and spacing or at lines (NULL: none), which the caller checks: triangles 2 c
 * and 2 c + 1 of cell c = j (count_x - 1) + i. */
typedef struct fnd_grid_lines {
    const double *x, *y;
} fnd_grid_lines;
fnd_surface *fnd_surface_of_grid(const fender_env *env, const fender_grid_def *grid, const fnd_grid_lines *lines);
void fnd_surface_release(const fender_env *env, fnd_surface *surface);
/* Finds all that follows from the vertices and triangles of a surface (surface_tables.c), and makes its tree; false: no
 * memory. */
bool fnd_surface_complete(const fender_env *env, fnd_surface *surface);
/* Index of the first degenerate triangle (repeated index, or corners collinear within rounding); -1: none. */
int fnd_surface_degenerate(const fender_vec3 *vertices, const int32_t *triangles, int triangle_count);

/* Nearest point of a triangle or of the surface. */
typedef enum fnd_surface_feature { FND_ON_TRIANGLE, FND_ON_EDGE, FND_ON_VERTEX } fnd_surface_feature;
typedef struct fnd_surface_closest {
    int32_t triangle;
    fnd_surface_feature feature;
    int corner;         /* of the triangle: the vertex, or the edge from it to the next */
    fender_vec3 point;  /* of the surface */
    fender_vec3 offset; /* vector to the queried point, without the rounding of large coordinates */
    double distance;    /* of at least 0 */
    double height;      /* on a triangle: the same along its normal, negative behind it; else 0 */
} fnd_surface_closest;
fnd_surface_closest fnd_triangle_nearest(const fnd_surface *surface, int32_t triangle, fender_vec3 point);
/* The plane of a triangle, and its longest edge, by way of which feet of perpendiculars are found. */
typedef struct fnd_triangle_plane {
    fender_vec3 normal; /* across two edges, not unit */
    fender_vec3 edge;   /* the longest one */
    fender_vec3 across; /* normal x edge */
    double normal_length, edge_square, across_square;
} fnd_triangle_plane;
/* What the answer needs of a triangle, for many points. */
typedef struct fnd_triangle_view {
    int32_t triangle, index[3];
    int longest, low[3]; /* its longest edge; of each edge, the corner with the lower vertex */
    fender_vec3 corner[3];
    fender_vec3 edge[3];      /* from each corner to the next, times `scale` */
    fender_vec3 across[3];    /* normal x edge */
    fnd_triangle_plane plane; /* times `scale`, too */
    double scale;             /* a power of two, mostly 1 */
    fender_vec3 rim[3];       /* edges, from their lower vertex to the higher one */
    double rim_square[3];
} fnd_triangle_view;
void fnd_triangle_look(const fnd_surface *surface, int32_t triangle, fnd_triangle_view *view);
/* The foot of the perpendicular from a point, from which `from` leads to the begin of the longest edge and `tip` to the
 * opposite corner: the way there, and the height of the point. It goes by way of the foot on the longest edge: the
 * normal of a narrow triangle is uncertain by turns about that edge, from which nothing in the triangle is far. */
static inline double fnd_triangle_foot(const fnd_triangle_plane *plane, fender_vec3 from, fender_vec3 tip,
                                       fender_vec3 *to)
{
    const double along = -fender_vec3_dot(plane->edge, from) / plane->edge_square;
    fender_vec3 foot = fender_vec3_add_scaled(from, along, plane->edge);
    const double into = -fender_vec3_dot(plane->across, foot) / plane->across_square;
    *to = fender_vec3_add_scaled(foot, into, plane->across);
    /* or from the corner, if it is nearer: what is at a corner is at no distance */
    if (!(fender_vec3_dot(foot, foot) <= fender_vec3_dot(tip, tip))) foot = tip;
    return -fender_vec3_dot(plane->normal, foot) / plane->normal_length;
}
/* fnd_triangle_nearest, with the same bits. */
fnd_surface_closest fnd_triangle_view_nearest(const fnd_triangle_view *view, fender_vec3 point);
/* True if `one` is better than the best so far; while its triangle is -1, its distance is the limit. */
static inline bool fnd_surface_nearer(const fnd_surface_closest *one, const fnd_surface_closest *best)
{
    if (best->triangle < 0) return one->distance <= best->distance;
    if (one->distance != best->distance) return one->distance < best->distance;
    bool inside = one->feature == FND_ON_TRIANGLE, best_inside = best->feature == FND_ON_TRIANGLE;
    return inside != best_inside ? inside : one->triangle < best->triangle;
}
/* Nearest point of the surface within `limit`; triangle -1: none. At equal distances, the inside of a triangle and then
 * the lower number wins. */
fnd_surface_closest fnd_surface_nearest(const fnd_surface *surface, fender_vec3 point, double limit);
/* The same for many points, faster and with the same bits. */
void fnd_surface_nearest_many(const fnd_surface *surface, const fender_vec3 *points, int count, double limit,
                              fnd_surface_closest *places);
/* The last line of a grid's raster at or below a coordinate along x (axis 0) or y (1): -1 (before the first) to count -
 * 1 (at the last, or beyond). */
int fnd_grid_line(const fnd_surface *surface, int axis, double at);
/* Height of a grid vertically above or below the point; false: outside the grid. */
bool fnd_grid_height(const fnd_surface *surface, fender_vec3 point, double *height);
/* How far a point before the surface is from it, by the planes that meet at the nearest point, as if they went on:
 * rounded solids meet edges so. */
double fnd_surface_before_planes(const fnd_surface *surface, const fnd_surface_closest *nearest);
/* True if the point is behind the surface at the nearest point (from fnd_surface_nearest). False outside a grid, and if
 * the border of a mesh is nearest. */
bool fnd_surface_is_behind(const fnd_surface *surface, fender_vec3 point, const fnd_surface_closest *nearest);
/* The same with a known normal there (NULL: unknown). */
bool fnd_surface_is_behind_normal(const fnd_surface *surface, fender_vec3 point, const fnd_surface_closest *nearest,
                                  const fender_vec3 *normal);
/* Unit normal at a point of the surface: that of the triangle, or between adjacent triangles. */
fender_vec3 fnd_surface_normal(const fnd_surface *surface, const fnd_surface_closest *place);

/* Triangles whose boxes meet a box, one at a time: begin, then next until -1. In an order of the tree. */
typedef struct fnd_surface_traversal {
    const fnd_surface *surface;
    fender_box box;
    double from[3], to[3];    /* the box in units of the tree */
    float lower[3], upper[3]; /* the same for what is within it */
    int32_t stack[FND_TREE_STACK];
    int count;
    int32_t found[FND_TREE_WIDTH]; /* in a leaf */
    int at, end;
} fnd_surface_traversal;
void fnd_surface_traversal_begin(fnd_surface_traversal *traversal, const fnd_surface *surface, fender_box box);
int32_t fnd_surface_traversal_more(fnd_surface_traversal *traversal); /* of the next leaf */
static inline int32_t fnd_surface_traversal_next(fnd_surface_traversal *traversal)
{
    assert(traversal->at >= 0 && traversal->end <= FND_TREE_WIDTH);
    return traversal->at < traversal->end ? traversal->found[traversal->at++] : fnd_surface_traversal_more(traversal);
}

/* Boxes, in G of the surface, of what is below a node of the tree (0: its root), a node or ~leaf each; their count. */
int fnd_surface_children(const fnd_surface *surface, int32_t node, fender_box boxes[FND_TREE_WIDTH],
                         int32_t children[FND_TREE_WIDTH]);

/* The least n . (x - from) of all corners x of triangles. */
double fnd_surface_lowest(const fnd_surface *surface, fender_vec3 n, fender_vec3 from);
/* The triangles with a corner x whose n . (x - from) is at most `height`, in their order; their count, or -1: they are
 * more than FND_SURFACE_LISTED. */
enum { FND_SURFACE_LISTED = 2048 };
int fnd_surface_below(const fnd_surface *surface, fender_vec3 n, fender_vec3 from, double height,
                      uint64_t triangles[FND_SURFACE_LISTED]);

static inline fender_vec3 fnd_surface_corner(const fnd_surface *surface, int32_t triangle, int k)
{
    assert(triangle >= 0 && triangle < surface->triangle_count && k >= 0);
    return surface->vertices[surface->triangles[triangle][k % 3]];
}
/* The vertices of a triangle from its place in the tree, FND_TREE_WIDTH * leaf + lane, without a look at `triangles`;
 * false: the place is spare. */
static inline bool fnd_leaf_corners(const fnd_surface *surface, int32_t place, int32_t vertex[3])
{
    const fnd_wide_tree *tree = &surface->tree;
    const int32_t leaf = place / FND_TREE_WIDTH, lane = place % FND_TREE_WIDTH;
    assert(place >= 0 && leaf < tree->leaf_count);
    const int32_t triangle = tree->leaves[leaf].triangle[lane];
    if (triangle == FND_TREE_NO_TRIANGLE) return false;
    if (tree->details) {
        for (int k = 0; k < 3; k++) vertex[k] = tree->details[leaf].corner[k][lane];
    } else {
        const int32_t cell = triangle / 2, near = cell + cell / (surface->count_x - 1),
                      far = near + surface->count_x + 1;
        vertex[0] = near;
        vertex[1] = triangle % 2 ? far : near + 1;
        vertex[2] = triangle % 2 ? far - 1 : far;
    }
    return true;
}
/* The corner of a triangle at one of its vertices. */
static inline int fnd_corner_at(const fnd_surface *surface, int32_t triangle, int32_t vertex)
{
    assert(triangle >= 0 && triangle < surface->triangle_count);
    const int32_t *corner = surface->triangles[triangle];
    return corner[0] == vertex ? 0 : corner[1] == vertex ? 1 : 2;
}
/* Unit normal of a triangle. */
fender_vec3 fnd_triangle_normal(const fnd_surface *surface, int32_t triangle);
/* The same with its area, of edges that are scaled first: the last bits of both differ. */
fender_vec3 fnd_triangle_normal_and_area(const fnd_surface *surface, int32_t triangle, double *area);
/* Unit, normals around a vertex weighed by their angles; 0 for an unused vertex. */
fender_vec3 fnd_vertex_normal(const fnd_surface *surface, int32_t vertex);

#endif
