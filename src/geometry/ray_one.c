/* ray_lanes.c for a single line. */
#define FND_WIDTH      one
#define FND_LANE_COUNT 1
#include "geometry/ray_lanes.c"
