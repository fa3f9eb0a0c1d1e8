/* A disk as ground: a solid or closed mesh whose faces are smaller than a disk touches it like a flat open mesh
 * (docs/models/contact_patches.md). */
#ifndef FND_COLLIDE_DISK_GROUND_H
#define FND_COLLIDE_DISK_GROUND_H

#include "collide/pair_table.h"

/* Is one of them such a disk, and the other such a solid? */
bool fnd_disk_is_ground(const fender_geometry *a, const fender_geometry *b);
/* Their patches. */
void fnd_disk_ground(const fnd_posed *a, const fnd_posed *b, const fnd_query *query, fnd_manifold *out);

#endif
