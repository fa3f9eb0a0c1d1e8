/* Farthest vertices of large polytopes: directions in cells, and for each cell the vertices that can be farthest. */
#ifndef FND_GEOMETRY_POLYTOPE_CELLS_H
#define FND_GEOMETRY_POLYTOPE_CELLS_H

#include "geometry/polytope.h"

#include <stdint.h>

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

#endif
