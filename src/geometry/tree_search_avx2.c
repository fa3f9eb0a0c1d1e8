/* The searches of surfaces in registers of AVX2 (this file is compiled for them, see cmake/libraries.cmake). */
#if defined __x86_64__ && defined __GNUC__
#define FND_TREE_RAY     fnd_tree_ray_avx2
#define FND_TREE_NEAREST fnd_tree_nearest_avx2
#define FND_TREE_WALK    fnd_tree_walk_avx2
#include "geometry/tree_search_nearest.h"
#include "geometry/tree_search_ray.h"
#include "geometry/tree_search_walk.h"
#else
typedef int nothing_here;
#endif
