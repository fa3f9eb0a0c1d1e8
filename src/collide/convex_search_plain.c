/* The search of convex pairs without wide registers. */
#define FND_CONVEX_SEARCH fnd_convex_search_plain
#include "collide/convex_search.h"
