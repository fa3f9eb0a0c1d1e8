/* The searches of surfaces without wide registers. */
#define FND_TREE_RAY     fnd_tree_ray_plain
#define FND_TREE_NEAREST fnd_tree_nearest_plain
#define FND_TREE_WALK    fnd_tree_walk_plain
#include "geometry/tree_search_nearest.h"
#include "geometry/tree_search_ray.h"
#include "geometry/tree_search_walk.h"
