/* Entries of the pair table: which solids each function is for. */
#ifndef FND_COLLIDE_PAIR_FUNCTIONS_H
#define FND_COLLIDE_PAIR_FUNCTIONS_H

#include "collide/pair_table.h"

/* ---- Spheres and capsules: a core (point or segment) swept by a radius ---- */

fnd_pair_function fnd_sphere_sphere, fnd_sphere_capsule, fnd_capsule_sphere, fnd_capsule_capsule;

/* ---- A plane ---- */

fnd_pair_function fnd_plane_convex; /* a: plane; b: capsule, disk, convex */

/* ---- Probes ---- */

fnd_pair_function fnd_probe_solid; /* a: probe; b: sphere, capsule, disk, plane, convex, field, grid, mesh */

/* ---- A user's signed distance ---- */

fnd_pair_function fnd_field_convex; /* a: field; b: capsule, disk, convex */

#endif
