/* Contact patches: where flat faces meet, a few weighted points that push, store and turn like an elastic foundation
 * (docs/models/contact_patches.md). */
#ifndef FND_COLLIDE_PATCH_H
#define FND_COLLIDE_PATCH_H

#include "collide/pair_table.h"

/* Patches of a plane with a convex solid that has flat faces or straight lines: box, hull, disk, cylinder, cone,
 * capsule, with or without rounding. False: this solid has none, a single contact is the whole answer; nothing was
 * added. `reach` shifts the border of a patch; the tip of a round body is there when apart too. */
bool fnd_patch_plane(const fnd_placed *plane, const fnd_placed *convex, const fnd_query *query, fnd_manifold *out);

#endif
