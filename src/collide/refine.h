/* The separation of two cores along the best normal near a guess: curved convex solids, to rounding. */
#ifndef FND_COLLIDE_REFINE_H
#define FND_COLLIDE_REFINE_H

#include "collide/pair_table.h"

/* Of cores: without radii and roundings. World axes, origin at a's p_WG. */
typedef struct fnd_core_contact {
    double distance; /* negative: they overlap */
    fender_vec3 normal, point_a, point_b;
} fnd_core_contact;

/* The separation along a unit n is s(n) = n.(p_b - p_a) - h_a(n) - h_b(-n), h the support functions; its greatest value
 * is the distance, or minus the least translation. In: a guess of the normal. Out: a normal of a local maximum of s, no
 * worse than the guess, s there, and points of the cores that lie opposite each other. False: nothing better was found,
 * *contact is as it was. Point, sphere, capsule, disk, convex. */
bool fnd_refine_contact(const fnd_placed *a, const fnd_placed *b, fnd_core_contact *contact);

#endif
