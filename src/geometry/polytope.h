/* Convex polytopes: vertices, polygonal faces, edges, neighbours. */
#ifndef FND_GEOMETRY_POLYTOPE_H
#define FND_GEOMETRY_POLYTOPE_H

#include <fender/base.h>
#include <fender/spatial.h>

typedef struct fnd_polytope_edge {
    int32_t vertex[2];
    int32_t face[2]; /* face[0] has the edge in the order of `vertex`; -1 without faces */
} fnd_polytope_edge;

/* Frame G. A flat polytope has two faces, the second with the vertices of the first in reverse; a segment has an edge
 * and no faces; a point neither. */
typedef struct fnd_polytope {
    int vertex_count, face_count, edge_count;
    fender_vec3 *vertices;
    int32_t *face_start;       /* face_count + 1 entries into face_vertices */
    int32_t *face_vertices;    /* counter-clockwise from outside */
    fender_vec3 *face_normals; /* unit, outward */
    double *face_offsets;      /* n . x over the face */
    double *face_areas;
    fnd_polytope_edge *edges;
    int32_t *neighbour_start; /* vertex_count + 1 entries into neighbours */
    int32_t *neighbours;      /* vertices at the other ends of a vertex's edges */
    double *corner_weights;   /* 1 over the number of corners of the vertex's face that has the most */
    fender_vec3 center;       /* mean of the vertices */
    /* coordinates by axis for wide registers; padded by repeats of the last vertex to a multiple of 8 */
    double *x, *y, *z;
    int padded_count;
    double *face_x, *face_y, *face_z, *face_w; /* normals and offsets likewise, by repeats of the last face */
    /* Of many vertices: by eights that lie together, and which eights a direction needs (support.h). */
    struct fnd_polytope_cells *cells; /* NULL: none */
    size_t size;                      /* of the whole, one block */
} fnd_polytope;

/* Convex hull of at least one point with finite coordinates of 0 or between 1e-140 and 1e140 (areas must not overflow).
 * Whatever is not needed within FND_POLYTOPE_ROUNDING of the largest coordinate is left out: points, faces that are
 * nearly coplanar are one, thin hulls are flat. Vertices are some of the points, unchanged, in their order. NULL means
 * no memory, nothing else. */
#define FND_POLYTOPE_ROUNDING 0x1p-48
fnd_polytope *fnd_polytope_of_points(const fender_env *env, const fender_vec3 *points, int count);
/* Any half extents of 0 or more; normals and offsets are exact. */
fnd_polytope *fnd_polytope_of_box(const fender_env *env, fender_vec3 half_extents);
void fnd_polytope_release(const fender_env *env, fnd_polytope *polytope);

#endif
