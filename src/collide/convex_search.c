/* The search of two cores: placing them, GJK, and the overlap. Compiled once for each width of registers. */
#include "base/width.h"
#include "collide/convex.h"
#include "collide/convex_gjk.h"
#include "collide/convex_overlap.h"

bool FND_OF_WIDTH(fnd_convex_search)(const fnd_posed *a, const fnd_posed *b, fnd_convex_pair *pair, double reach,
                                     fender_separation_cache *cache, bool swapped, fnd_core_separation *out)
{
    place_pair(pair, a, b);
    double limit = (reach + (pair->a.rounding + pair->b.rounding)) * pair->unit;
    gjk_state g;
    g.used = 0;
    if (cache) recall(pair, cache, swapped, &g);
    gjk_result result = search_apart(pair, limit > 0 ? limit : 0, &g, out);
    if (cache) remember(&g, cache, swapped);
    if (result == GJK_BEYOND) return false;
    if (result == GJK_TOUCHING) search_overlap(pair, &g, out);
    return true;
}
