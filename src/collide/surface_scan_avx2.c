/* The scans of surfaces in registers of AVX2 (this file is compiled for them, see cmake/libraries.cmake). */
#if defined __x86_64__ && defined __GNUC__
#define FND_SURFACE_SCAN      fnd_surface_scan_avx2
#define FND_SURFACE_BALL_SCAN fnd_surface_ball_scan_avx2
#define FND_SURFACE_LOOK      fnd_surface_look_avx2
#include "collide/surface_look_lanes.h"
#include "collide/surface_scan_lanes.h"
#else
typedef int nothing_here;
#endif
