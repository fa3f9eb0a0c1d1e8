/* Batches of quick contacts in registers of AVX-512 (this file is compiled for them, see cmake/libraries.cmake). */
#if defined __x86_64__ && defined __GNUC__
#define FND_QUICK_EVALUATE   fnd_quick_evaluate_avx512
#define FND_STEADY_FUNCTIONS fnd_steady_avx512
#include "contact/quick_lanes.h"
#include "contact/steady_lanes.h"
#else
typedef int nothing_here;
#endif
