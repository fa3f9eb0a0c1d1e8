/* Geometries that stand for others in patches (docs/models/contact_patches.md): for a disk as ground its side, a flat
 * open mesh; for a closed convex mesh below a cylinder or disk its hull. */
#ifndef FND_COLLIDE_STAND_IN_H
#define FND_COLLIDE_STAND_IN_H

#include "collide/pair_table.h"

/* If there is one for the pair: its patches. False: they are those of any pair. `entry` is that of the pair. */
bool fnd_stand_in(const fnd_pair_entry *entry, const fnd_posed *a, const fnd_posed *b, const fnd_query *query,
                  fnd_manifold *out);

#endif
