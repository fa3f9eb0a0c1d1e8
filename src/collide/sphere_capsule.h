/* Entries of the pair table for balls and capsules: a core (point or segment) swept by a radius. */
#ifndef FND_COLLIDE_SPHERE_CAPSULE_H
#define FND_COLLIDE_SPHERE_CAPSULE_H

#include "collide/pair_table.h"

fnd_pair_function fnd_sphere_sphere, fnd_sphere_capsule, fnd_capsule_sphere, fnd_capsule_capsule;

#endif
