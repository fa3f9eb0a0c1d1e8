/* fender/snapshot.h - snapshots of a world, in memory or as bytes. */
#ifndef FENDER_SNAPSHOT_H
#define FENDER_SNAPSHOT_H

#include "world.h"

/* All data on which the continuation of a world depends. A snapshot can be restored in a world of the same structure:
 * the same world, or one built by the same calls. The world then continues bit for bit as the original would. What
 * commands change, and all masses, are in the snapshot; geometries, laws, loads, paths and points are not: with other
 * ones a world is refused (ARGUMENT). Links for laws that connect bodies are no structure: those that a changed rule
 * has brought since are made, or destroyed. */
typedef struct fender_snapshot fender_snapshot;
/* The snapshot as bytes, for files. They begin with an identifier, a version and a checksum, and can be read only by
 * the same version on machines with the same byte order. Borrowed; valid as long as the snapshot. */
FENDER_API const void *fender_snapshot_bytes(const fender_snapshot *snapshot, size_t *size);
/* Creates a snapshot from a copy of the bytes. NULL on failure: FILE if the bytes are not a snapshot, truncated or
 * damaged. */
FENDER_API fender_snapshot *fender_snapshot_from_bytes(const fender_env *env, const void *bytes, size_t size,
                                                       fender_error *error);
FENDER_API fender_snapshot *fender_snapshot_take(const fender_world *world, fender_error *error);
FENDER_API fender_status fender_snapshot_restore(fender_world *world, const fender_snapshot *snapshot,
                                                 fender_error *error);
FENDER_API void fender_snapshot_destroy(fender_snapshot *snapshot); /* accepts NULL */

#endif
