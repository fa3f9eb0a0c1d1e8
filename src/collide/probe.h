/* Contact of probes with solids. */
#ifndef FND_COLLIDE_PROBE_H
#define FND_COLLIDE_PROBE_H

#include "collide/pair_table.h"

fnd_pair_function fnd_probe_solid; /* a: probe; b: sphere, capsule, disk, plane, convex, field, grid, mesh */

#endif
