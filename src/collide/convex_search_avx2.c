/* The search of convex pairs in registers of AVX2 (this file is compiled for them, see cmake/libraries.cmake). */
#if defined __x86_64__ && defined __GNUC__
#define FND_CONVEX_SEARCH fnd_convex_search_avx2
#include "collide/convex_search.h"
#else
typedef int nothing_here;
#endif
