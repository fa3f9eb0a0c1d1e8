/* Rims of a mesh, and whether it is closed. */
#include <string.h>

#include "import/topology.h"

static int32_t root_of(int32_t *parents, int32_t v)
{
    while (parents[v] != v) {
        parents[v] = parents[parents[v]];
        v = parents[v];
    }
    return v;
}

/* Border edges that share vertices are one rim. */
static bool count_rims(fnd_import *import, const fnd_topology *t)
{
    int32_t *parents = fnd_import_allocate(import, import->vertex_count, sizeof *parents);
    if (!parents) return false;
    for (size_t i = 0; i < import->vertex_count; i++) parents[i] = -1;
    for (size_t h = 0; h < t->count; h++) {
        if (t->mates[h] != -1) continue;
        int32_t ends[2] = {import->corners[h], import->corners[fnd_half_edge_next(h)]};
        for (int k = 0; k < 2; k++)
            if (parents[ends[k]] < 0) {
                parents[ends[k]] = ends[k];
                import->report.holes++;
            }
        int32_t a = root_of(parents, ends[0]), b = root_of(parents, ends[1]);
        if (a == b) continue;
        parents[a > b ? a : b] = a > b ? b : a;
        import->report.holes--;
    }
    fnd_import_release(import, parents, import->vertex_count, sizeof *parents);
    return true;
}

/* Do as many facets run along each crowded edge one way as the other? */
static bool is_balanced(fnd_import *import, const fnd_topology *t, bool *balanced)
{
    int32_t *sums = fnd_import_allocate(import, t->count, sizeof *sums);
    if (!sums) return false;
    memset(sums, 0, t->count * sizeof *sums);
    for (size_t h = 0; h < t->count; h++) {
        if (t->mates[h] >= -1) continue;
        size_t first = (size_t)(-2 - t->mates[h]);
        sums[first] += import->corners[h] == import->corners[first] ? 1 : -1;
    }
    *balanced = true;
    for (size_t h = 0; h < t->count; h++) *balanced = *balanced && sums[h] == 0;
    fnd_import_release(import, sums, t->count, sizeof *sums);
    return true;
}

bool fnd_import_count_holes(fnd_import *import, const fnd_topology *t)
{
    bool balanced = true;
    import->report.border_edges = t->border_edges;
    import->report.crowded_edges = t->crowded_edges;
    if (t->border_edges > 0 && !count_rims(import, t)) return false;
    if (t->crowded_edges > 0 && !is_balanced(import, t, &balanced)) return false;
    import->report.closed = t->border_edges == 0 && import->report.one_sided == 0 && balanced;
    return true;
}
