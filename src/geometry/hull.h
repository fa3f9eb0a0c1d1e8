/* Convex hull of points as triangles, exact in its topology; and its faces. */
#ifndef FND_GEOMETRY_HULL_H
#define FND_GEOMETRY_HULL_H

#include <fender/base.h>
#include <fender/spatial.h>

typedef struct fnd_hull_triangle {
    int32_t vertex[3];    /* counter-clockwise from outside */
    int32_t neighbour[3]; /* across the edge from corner k to k + 1 */
    int32_t outside;      /* first of the points beyond it; -1: none */
    int32_t farthest;
    double height;      /* of the farthest, in lengths of the normal */
    fender_vec3 normal; /* of no special length */
    int32_t visit;
    bool beyond, dead;
} fnd_hull_triangle;

typedef struct fnd_hull {
    const fender_env *env;
    const fender_vec3 *points; /* coordinates as predicates want them */
    int point_count;
    fnd_hull_triangle *triangles;
    int triangle_count, triangle_capacity;
    int32_t *next; /* points beyond the same triangle */
    int32_t *at;   /* of the rim: the new triangle that begins at a vertex */
    int32_t *stack;
    int stack_capacity;
    int visit;
} fnd_hull;

/* The hull of points that do not all lie in a plane: `simplex` are four that do not. Every point lies on or behind the
 * plane of every triangle, exactly; triangles may be coplanar. False without memory. Release it in either case. */
bool fnd_hull_build(fnd_hull *hull, const fender_env *env, const fender_vec3 *points, int count,
                    const int32_t simplex[4]);
void fnd_hull_release(fnd_hull *hull);

/* Faces of a polytope as lists of the points' numbers. */
typedef struct fnd_faces {
    int count;
    int32_t *start;  /* count + 1 */
    int32_t *points; /* counter-clockwise from outside */
    int start_capacity, point_capacity;
} fnd_faces;
typedef enum fnd_faces_result { FND_FACES_DONE, FND_FACES_MEMORY, FND_FACES_FLAT } fnd_faces_result;
/* Neighbouring triangles that lie in one plane within `tolerance` become one face; what lies within a face or an edge
 * is left out. FLAT: fewer than four faces would remain. A tolerance below 0 leaves every triangle a face. */
fnd_faces_result fnd_hull_faces(const fnd_hull *hull, double tolerance, fnd_faces *faces);
/* Two faces, the second the first in reverse, of the hull of points in a plane within the tolerance; seen along
 * `normal` the first is counter-clockwise. Points within the tolerance of an edge are left out. FLAT: fewer than three
 * would remain. */
fnd_faces_result fnd_hull_flat(const fender_env *env, const fender_vec3 *points, int count, fender_vec3 normal,
                               double tolerance, fnd_faces *faces);
void fnd_faces_release(const fender_env *env, fnd_faces *faces);

#endif
