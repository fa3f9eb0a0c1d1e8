/* Two convex solids in the frame of the first: cores with their support functions, as GJK and the searches of an
 * overlap see them. */
#ifndef FND_COLLIDE_CONVEX_H
#define FND_COLLIDE_CONVEX_H

#include "collide/pair_table.h"
#include "geometry/polytope.h"

/* A convex solid without its rounding, vectors in its own frame G [m]. */
typedef struct fnd_convex_core {
    bool curved; /* not a polytope: has no vertices */
    int vertex_count;
    const fender_vec3 *vertices;  /* polytope */
    const fnd_polytope *polytope; /* NULL for a segment or a point */
    const fender_geometry *geometry;
    double rounding;     /* ball that the core is swept by */
    double size;         /* no point of the core is farther from its origin */
    fender_vec3 ends[2]; /* vertices of a segment or point */
} fnd_convex_core;

/* x_A = R_AB x_B + p_AB. In A's frame lengths are in units of the pair: 1 m, but for extreme sizes a power of two. */
typedef struct fnd_convex_pair {
    fnd_convex_core a, b;
    fender_mat3 R_AB;
    fender_vec3 p_AB; /* units */
    double unit;      /* units per metre */
    double scale;     /* units; bound of |b - a| over all points: rounding is a few ulp of it */
    bool curved;      /* a core is not a polytope */
} fnd_convex_pair;

/* A point of each core in A's frame, and numbers of its vertices (polytopes; else 0). */
typedef struct fnd_convex_vertex {
    fender_vec3 w; /* b - a */
    fender_vec3 a;
    int index_a, index_b;
} fnd_convex_vertex;

/* Up to four of them, whose hull holds the point of the difference B - A that lies nearest to the origin. */
typedef struct fnd_simplex {
    fnd_convex_vertex v[4];
    double weight[4];
    int count;
} fnd_simplex;

/* Signed distance of the cores along the unit normal from a to b. A's frame, units. */
typedef struct fnd_core_separation {
    double distance;
    fender_vec3 normal, point_a; /* point_b = point_a + distance normal */
} fnd_core_separation;

fnd_pair_function fnd_convex_convex;

void fnd_convex_pair_make(fnd_convex_pair *pair, const fnd_placed *a, const fnd_placed *b);

/* Farthest point of the core along the direction d (both in G): lowest number among equal ones. */
fender_vec3 fnd_core_support(const fnd_convex_core *core, fender_vec3 d, int *index);
/* The pair of points that lies least along n (A's frame): b's farthest against n less a's farthest along n, so that
 * n . w = n . (b - a) is the signed distance of the cores along n when n is of unit length. */
fnd_convex_vertex fnd_pair_support(const fnd_convex_pair *pair, fender_vec3 n);

#endif
