/* The search of two cores, compiled once for each width of registers: placing them, GJK, and the overlap. Included by
 * convex_search_*.c, which name the function by FND_CONVEX_SEARCH. */
#ifndef FND_COLLIDE_CONVEX_SEARCH_H
#define FND_COLLIDE_CONVEX_SEARCH_H

#include "collide/convex.h"
#include "collide/convex_gjk.h"
#include "collide/convex_overlap.h"
#include "collide/convex_place.h"

bool FND_CONVEX_SEARCH(const fnd_placed *a, const fnd_placed *b, fnd_convex_pair *pair, double reach,
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

#endif
