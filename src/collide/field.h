/* Contact of a user's signed distance with capsules and convex solids. */
#ifndef FND_COLLIDE_FIELD_H
#define FND_COLLIDE_FIELD_H

#include "collide/pair_table.h"

fnd_pair_function fnd_field_convex; /* a: field; b: capsule, disk, convex */

#endif
