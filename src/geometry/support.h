/* Farthest points of the cores of convex geometries, how surfaces are curved at a point, and directions of vectors
 * that may be tiny or huge. */
#ifndef FND_GEOMETRY_SUPPORT_H
#define FND_GEOMETRY_SUPPORT_H

#include "geometry/geometry.h"
#include "geometry/polytope.h"
#include <assert.h>
#include <fender/spatial.h>
#include <stdint.h>

/* A point of the core (the shape without its rounding: of a sphere and a point the origin, of a capsule the segment)
 * that lies farthest along the direction, of any length, both in G. Of several the choice depends on the arguments
 * alone: centres of caps, lowest vertices. Convex geometries only. */
fender_vec3 fnd_support(const fender_geometry *geometry, fender_vec3 direction_G);
/* Radius of the sphere that sweeps the core: the radius of a sphere or capsule, else the rounding. */
static inline double fnd_core_rounding(const fender_geometry *geometry)
{
    bool in_radius = geometry->type == FENDER_GEOMETRY_SPHERE || geometry->type == FENDER_GEOMETRY_CAPSULE;
    return in_radius ? geometry->radius : geometry->rounding;
}

/* ---- Curvature ---- */

/* Principal curvatures [1/m], first >= second, positive where the solid bulges. */
typedef struct fnd_curvature {
    double first, second;
    fender_vec3 direction; /* of the first; unit, in G; any tangent where both are equal */
} fnd_curvature;

/* At a point of the surface with its outward normal (unit), both in G. Spheres, capsules, disks, cylinders, cones,
 * ellipsoids and boxes, with what rounds them. Sharp edges and points are curved without bound: they count as flat
 * across, like all that has no curvature of its own: planes, grids, meshes, hulls, clouds, probes, user geometries. */
fnd_curvature fnd_geometry_curvature(const fender_geometry *geometry, fender_vec3 point_G, fender_vec3 normal_G);

/* ---- Farthest vertices of large polytopes ---- */

enum {
    FND_CELLS_FROM = 200,   /* fewer vertices are scanned */
    FND_CELLS_UP_TO = 2040, /* more are climbed: a byte names an eight */
    FND_CELL_LIST = 15      /* eights that a cell can list; it needs all when it needs more */
};

/* Eight vertices that lie together, by axis. The last ones are padded by repeats. */
typedef struct fnd_polytope_eight {
    double x[8], y[8], z[8];
} fnd_polytope_eight;

typedef struct fnd_polytope_cell {
    uint8_t count; /* 0: all eights */
    uint8_t eight[FND_CELL_LIST];
} fnd_polytope_cell;

typedef struct fnd_polytope_cells {
    int per_edge; /* cells along an edge of the cube of directions */
    int eight_count;
    fnd_polytope_eight *eights; /* at multiples of 64 bytes */
    int32_t (*numbers)[8];      /* of their vertices */
    fnd_polytope_cell *cells;   /* 6 per_edge^2 */
} fnd_polytope_cells;

/* Bytes for a polytope of so many vertices; 0: it has none. */
size_t fnd_polytope_cells_size(int vertex_count);
/* Lays them out in `memory` (cleared) and fills them from the vertices; NULL where there are none. */
fnd_polytope_cells *fnd_polytope_cells_fill(const fnd_polytope *polytope, void *memory);

/* The cell of a direction (finite, not zero): where it leaves the cube of +-1. */
static inline int fnd_polytope_cell_of(int per_edge, fender_vec3 d)
{
    assert(per_edge > 0);
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    double most = d.x, u = d.y, v = d.z;
    int face = 0;
    if (y > x && y >= z) most = d.y, u = d.z, v = d.x, face = 2;
    else if (z > x) most = d.z, u = d.x, v = d.y, face = 4;
    face += most < 0;
    double half = 0.5 * per_edge, scale = half / fabs(most);
    int i = (int)(u * scale + half), j = (int)(v * scale + half);
    i = i < per_edge ? i : per_edge - 1, j = j < per_edge ? j : per_edge - 1;
    return (face * per_edge + i) * per_edge + j;
}

/* The farthest vertex along d, uphill by edges from the vertex `from`. */
static inline int fnd_polytope_climb(const fnd_polytope *polytope, int from, fender_vec3 d)
{
    assert(from >= 0 && from < polytope->vertex_count);
    const fender_vec3 *v = polytope->vertices;
    double most = fender_vec3_dot(v[from], d);
    for (int best = from;; from = best) {
        for (int k = polytope->neighbour_start[from]; k < polytope->neighbour_start[from + 1]; k++) {
            int i = polytope->neighbours[k];
            double along = fender_vec3_dot(v[i], d);
            if (along > most) most = along, best = i;
        }
        if (best == from) return best;
    }
}

/* ---- Directions ---- */

/* Squares of lengths within these bounds neither overflow nor lose digits. */
#define FND_LEAST_SQUARE    1e-260
#define FND_GREATEST_SQUARE 1e260

static inline double fnd_largest_component(fender_vec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    double most = x > y ? x : y;
    return most > z ? most : z;
}

/* Length of v, and its direction; zero where it has none. */
static inline double fnd_length_and_direction(fender_vec3 v, fender_vec3 *direction)
{
    double scale = 1, squared = fender_vec3_dot(v, v);
    if (!(squared > FND_LEAST_SQUARE && squared < FND_GREATEST_SQUARE)) {
        scale = fnd_largest_component(v);
        *direction = v;
        if (scale == 0 && squared == 0) return 0; /* not so for NaN */
        v = fender_vec3_make(v.x / scale, v.y / scale, v.z / scale);
        squared = fender_vec3_dot(v, v);
    }
    double length = sqrt(squared);
    *direction = fender_vec3_make(v.x / length, v.y / length, v.z / length);
    return scale * length;
}

/* sqrt(x^2 + y^2). */
static inline double fnd_length_2(double x, double y)
{
    double squared = x * x + y * y;
    if (squared > FND_LEAST_SQUARE && squared < FND_GREATEST_SQUARE) return sqrt(squared);
    double scale = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    if (scale == 0 && squared == 0) return 0;
    x /= scale, y /= scale;
    return scale * sqrt(x * x + y * y);
}

#endif
