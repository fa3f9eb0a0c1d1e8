/* Which facets meet at which edges. */
#ifndef FND_IMPORT_TOPOLOGY_H
#define FND_IMPORT_TOPOLOGY_H

#include "import/import.h"

/* Half-edges: number 3 f + k runs from corner k of facet f to the next. */
typedef struct fnd_topology {
    size_t count;   /* half-edges */
    int32_t *mates; /* the other half-edge of an edge of two facets, whichever way it runs; -1: none; of an edge of
                       three and more -2 - (the first of them) */
    int64_t border_edges, crowded_edges;
} fnd_topology;

static inline size_t fnd_half_edge_next(size_t h) { return h % 3 == 2 ? h - 2 : h + 1; }

/* Of facets whose corners are three different vertices. False without memory. */
bool fnd_topology_open(fnd_import *import, fnd_topology *topology);
void fnd_topology_close(fnd_import *import, fnd_topology *topology);

/* facing.c: turns facets so that neighbours agree and the parts look the right way; counts parts in the report. */
bool fnd_import_face(fnd_import *import, const fnd_topology *topology);
/* holes.c: rims, and whether the mesh is closed. */
bool fnd_import_count_holes(fnd_import *import, const fnd_topology *topology);

#endif
