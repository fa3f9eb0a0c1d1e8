/* Triangulated surfaces, of meshes and grids: vertices, triangles, neighbours, a tree of boxes, and queries. */
#ifndef FND_GEOMETRY_SURFACE_H
#define FND_GEOMETRY_SURFACE_H

#include "geometry/surface_tree.h"
#include <fender/base.h>
#include <fender/spatial.h>

typedef struct fnd_surface {
    int vertex_count, triangle_count;
    fender_vec3 *vertices;
    int32_t (*triangles)[3];
    int32_t (*neighbours)[3];   /* triangle across the edge from corner k to k + 1; -1: border, or more than one */
    int32_t *planes;            /* of each triangle: the lowest one of those in one plane that hang together */
    float *spreads;             /* of triangles: how far per depth the corners of its cell move apart below it */
    int32_t *vertex_start;      /* vertex_count + 1 entries into vertex_triangles */
    int32_t *vertex_triangles;  /* triangles around each vertex, rising */
    bool *border;               /* of vertices */
    bool closed;                /* every edge has a neighbour */
    bool one_plane;             /* all triangles lie in one */
    double area;                /* of all triangles */
    double face_area;           /* of the largest part whose normals are within 10 degrees of one of them, or what
                                 * the border spans, if that is more */
    double spread;              /* the greatest of `spreads` */
    int count_x, count_y;       /* of the raster of a grid; 0: a mesh */
    fender_vec2 lower, spacing; /* of a grid */
    fnd_wide_tree tree;
    size_t size; /* of the whole but the tree, one block */
} fnd_surface;

/* At least one triangle, valid indices, finite coordinates of at most 1e100; the caller checks. The first triangle
 * whose area is not above rounding is fnd_surface_degenerate. NULL means no memory. */
fnd_surface *fnd_surface_create(const fender_env *env, const fender_vec3 *vertices, int vertex_count,
                                const int32_t *triangles, int triangle_count);
/* Heights as in fender_grid_def: triangles 2 c and 2 c + 1 of cell c = j (count_x - 1) + i. */
fnd_surface *fnd_surface_of_grid(const fender_env *env, int count_x, int count_y, fender_vec2 lower,
                                 fender_vec2 spacing, const double *heights);
void fnd_surface_release(const fender_env *env, fnd_surface *surface);
/* Number of the first triangle without a direction (repeated index, corners on a line within rounding); -1: none. */
int fnd_surface_degenerate(const fender_vec3 *vertices, const int32_t *triangles, int triangle_count);

/* Where a point is nearest to a triangle, or to the surface. */
typedef enum fnd_surface_feature { FND_ON_TRIANGLE, FND_ON_EDGE, FND_ON_VERTEX } fnd_surface_feature;
typedef struct fnd_surface_place {
    int32_t triangle;
    fnd_surface_feature feature;
    int corner;         /* of the triangle: the vertex, or the edge from it to the next */
    fender_vec3 point;  /* of the surface */
    fender_vec3 offset; /* from there to the point asked for, without the rounding of large coordinates */
    double distance;    /* of at least 0 */
    double height;      /* on a triangle: the same along its normal, negative behind it; else 0 */
} fnd_surface_place;
fnd_surface_place fnd_triangle_nearest(const fnd_surface *surface, int32_t triangle, fender_vec3 point);
/* Is `one` a better answer than the best so far, whose distance is the limit while its triangle is -1? */
static inline bool fnd_surface_nearer(const fnd_surface_place *one, const fnd_surface_place *best)
{
    if (best->triangle < 0) return one->distance <= best->distance;
    if (one->distance != best->distance) return one->distance < best->distance;
    bool inside = one->feature == FND_ON_TRIANGLE, best_inside = best->feature == FND_ON_TRIANGLE;
    return inside != best_inside ? inside : one->triangle < best->triangle;
}
/* The nearest of all, within `limit`; triangle -1: none. Equal distances: the inside of a triangle, then the lower
 * number. */
fnd_surface_place fnd_surface_nearest(const fnd_surface *surface, fender_vec3 point, double limit);
/* The same for many points, in less time; same bits. */
void fnd_surface_nearest_many(const fnd_surface *surface, const fender_vec3 *points, int count, double limit,
                              fnd_surface_place *places);
/* Height of a grid straight above or below the point; false: beside it. */
bool fnd_grid_height(const fnd_surface *surface, fender_vec3 point, double *height);
/* Is the point behind the surface at the nearest place (what fnd_surface_nearest gave)? Beside a grid, and where the
 * border of a mesh is nearest: no. */
bool fnd_surface_is_behind(const fnd_surface *surface, fender_vec3 point, const fnd_surface_place *nearest);
/* The same for who knows the normal there already (NULL: does not). */
bool fnd_surface_is_behind_normal(const fnd_surface *surface, fender_vec3 point, const fnd_surface_place *nearest,
                                  const fender_vec3 *normal);
/* Unit normal at a place: that of the triangle, or between those that meet there. */
fender_vec3 fnd_surface_normal(const fnd_surface *surface, const fnd_surface_place *place);

/* Triangles whose boxes meet a box, one at a time: begin, then next until -1. In an order of the tree. */
typedef struct fnd_surface_walk {
    const fnd_surface *surface;
    fender_box box;
    double from[3], to[3];    /* the box in units of the tree */
    float lower[3], upper[3]; /* the same for what is within it */
    int32_t stack[FND_TREE_STACK];
    int count;
    int32_t found[FND_TREE_WIDTH]; /* in a leaf */
    int at, end;
} fnd_surface_walk;
void fnd_surface_walk_begin(fnd_surface_walk *walk, const fnd_surface *surface, fender_box box);
int32_t fnd_surface_walk_more(fnd_surface_walk *walk); /* of the next leaf */
static inline int32_t fnd_surface_walk_next(fnd_surface_walk *walk)
{
    return walk->at < walk->end ? walk->found[walk->at++] : fnd_surface_walk_more(walk);
}

static inline fender_vec3 fnd_surface_corner(const fnd_surface *surface, int32_t triangle, int k)
{
    return surface->vertices[surface->triangles[triangle][k % 3]];
}
/* Unit normal of a triangle. */
fender_vec3 fnd_triangle_normal(const fnd_surface *surface, int32_t triangle);
/* Unit, normals around a vertex weighed by their angles; 0 for an unused vertex. */
fender_vec3 fnd_vertex_normal(const fnd_surface *surface, int32_t vertex);

#endif
