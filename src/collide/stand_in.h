/* A disk as ground: a solid or closed mesh whose faces are smaller than a disk touches it like a flat open mesh
 * (docs/models/contact_patches.md). */
#ifndef FND_COLLIDE_STAND_IN_H
#define FND_COLLIDE_STAND_IN_H

#include "collide/pair_table.h"

/* If one of them is such a disk, and the other lies on it: their patches. False: they are those of any pair. `entry` is
 * that of the pair. */
bool fnd_stand_in(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b, const fnd_query *query,
                     fnd_manifold *out);

#endif
