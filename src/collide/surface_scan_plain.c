/* The scans of surfaces without wide registers. */
#define FND_SURFACE_SCAN      fnd_surface_scan_plain
#define FND_SURFACE_BALL_SCAN fnd_surface_ball_scan_plain
#define FND_SURFACE_LOOK      fnd_surface_look_plain
#include "collide/surface_look_lanes.h"
#include "collide/surface_scan_lanes.h"
