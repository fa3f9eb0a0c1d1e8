/* Two convex solids in the frame of the first: cores with their support functions, as GJK and the searches of an
 * overlap see them. */
#ifndef FND_COLLIDE_CONVEX_H
#define FND_COLLIDE_CONVEX_H

#include "collide/convex_scan.h"
#include "collide/pair_table.h"
#include "geometry/polytope.h"

/* A length below this part of the scale of a pair is rounding. */
#define FND_CONVEX_ROUNDING (8 * 2.220446049250313e-16)

/* A convex solid without its rounding, vectors in its own frame G [m]. */
typedef struct fnd_convex_core {
    bool curved; /* not a polytope: has no vertices */
    int vertex_count;
    const fender_vec3 *vertices;     /* polytope */
    const fnd_polytope *polytope;    /* NULL for a segment or a point */
    const fnd_polytope_cells *cells; /* of a large polytope; NULL: none */
    const fender_geometry *geometry;
    double rounding;     /* ball that the core is swept by */
    double size;         /* no point of the core is farther from its origin */
    fender_vec3 ends[2]; /* vertices of a segment or point */
} fnd_convex_core;

/* x_A = R_AB x_B + p_AB. In A's frame lengths are in units of the pair: 1 m, but for extreme sizes a power of two. */
enum { FND_CONVEX_TURNED = 128 }; /* a second core of so many vertices at most is turned into A's frame as a whole */
typedef struct fnd_convex_pair {
    fnd_convex_core a, b;
    fender_mat3 R_AB;
    fender_vec3 p_AB; /* units */
    double unit;      /* units per metre */
    double scale;     /* units; bound of |b - a| over all points: rounding is a few ulp of it */
    bool curved;      /* a core is not a polytope */
    /* Vertices by axis, where both are polytopes: a's in metres; b's in A's frame and units when turned, else in
     * metres and its own frame. */
    fnd_scan scan_a, scan_b;
    bool turned;
    _Alignas(64) double turned_b[3][FND_CONVEX_TURNED];
    double segment_a[3][8], segment_b[3][8];
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

/* Polytopes apart, from a simplex whose nearest face doubles cannot tell; false: they touch or overlap. */
bool fnd_gjk_precise(const fnd_convex_pair *pair, fnd_simplex *simplex, fnd_core_separation *out);
/* Overlapping polytopes by all faces of both and all pairs of edges: slow, with no case that it cannot do. Returns by
 * how much the points miss each other. */
double fnd_convex_overlap_of_all(const fnd_convex_pair *pair, fnd_core_separation *out);
/* Polytopes: the separation along n (unit), with points that lie opposite each other on the faces, edges or vertices
 * that are farthest along it. Returns by how much they miss each other. */
double fnd_convex_opposite(const fnd_convex_pair *pair, fender_vec3 n, fnd_core_separation *out);

/* The search in registers of three widths, with the same bits: the signed distance of the cores; false where it is
 * greater than `limit`. `cache` (NULL: none) has what a former search of the pair ended with; `swapped` as in
 * fnd_convex_cached. */
typedef bool fnd_convex_search_function(const fnd_placed *a, const fnd_placed *b, fnd_convex_pair *pair, double reach,
                                        fender_separation_cache *cache, bool swapped, fnd_core_separation *out);
fnd_convex_search_function fnd_convex_search_plain, fnd_convex_search_avx2, fnd_convex_search_avx512;
fnd_convex_search_function fnd_convex_search_curved; /* with a core that is not a polytope */

/* Farthest point of the core along the direction d (both in G): lowest number among equal ones. */
fender_vec3 fnd_core_support(const fnd_convex_core *core, fender_vec3 d, int *index);
/* The pair of points that lies least along n (A's frame): b's farthest against n less a's farthest along n, so that
 * n . w = n . (b - a) is the signed distance of the cores along n when n is of unit length. */
fnd_convex_vertex fnd_pair_support(const fnd_convex_pair *pair, fender_vec3 n);

#endif
