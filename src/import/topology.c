/* Edges by a table of their two vertices. */
#include "import/topology.h"

#include <string.h>

bool fnd_topology_open(fnd_import *import, fnd_topology *t)
{
    size_t size = 16, count = import->corner_count;
    const int32_t *corners = import->corners;
    *t = (fnd_topology){.count = count};
    while (size < count + count / 2) size *= 2; /* an edge has two of them, as a rule */
    t->mates = fnd_import_allocate(import, count, sizeof *t->mates);
    uint32_t *slots = t->mates ? fnd_import_allocate(import, size, sizeof *slots) : NULL;
    if (!slots) {
        fnd_topology_close(import, t);
        return false;
    }
    memset(slots, 0, size * sizeof *slots);
    for (size_t h = 0; h < count; h++) {
        int32_t from = corners[h], to = corners[fnd_half_edge_next(h)];
        uint64_t low = (uint64_t)(from < to ? from : to), high = (uint64_t)(from < to ? to : from);
        size_t at = (size_t)fnd_import_mix(fnd_import_mix(1, low), high) & (size - 1);
        t->mates[h] = -1;
        for (; slots[at]; at = (at + 1) & (size - 1)) {
            size_t first = slots[at] - 1;
            int32_t p = corners[first], q = corners[fnd_half_edge_next(first)];
            if ((p == from && q == to) || (p == to && q == from)) break;
        }
        if (!slots[at]) {
            slots[at] = (uint32_t)h + 1;
            t->border_edges++;
            continue;
        }
        size_t first = slots[at] - 1;
        int32_t crowd = -2 - (int32_t)first;
        if (t->mates[first] == -1) {
            t->mates[first] = (int32_t)h;
            t->mates[h] = (int32_t)first;
            t->border_edges--;
            continue;
        }
        if (t->mates[first] >= 0) {
            t->mates[t->mates[first]] = crowd;
            t->mates[first] = crowd;
            t->crowded_edges++;
        }
        t->mates[h] = crowd;
    }
    fnd_import_release(import, slots, size, sizeof *slots);
    return true;
}

void fnd_topology_close(fnd_import *import, fnd_topology *t)
{
    fnd_import_release(import, t->mates, t->count, sizeof *t->mates);
    t->mates = NULL;
}
