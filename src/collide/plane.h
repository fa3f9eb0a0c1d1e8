/* Contact of a plane with capsules, disks and every convex solid. */
#ifndef FND_COLLIDE_PLANE_H
#define FND_COLLIDE_PLANE_H

#include "collide/pair_table.h"

fnd_pair_function fnd_plane_convex; /* a: plane; b: capsule, disk, convex */

#endif
