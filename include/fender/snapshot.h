/* fender/snapshot.h - everything that the continuation of a world depends on, in memory or as bytes. */
#ifndef FENDER_SNAPSHOT_H
#define FENDER_SNAPSHOT_H

#include "world.h"

/* Everything that a continuation depends on, in memory. Restoring needs a world of the same structure (the same one, or
 * one built by the same calls); what follows is bit for bit what would have followed. */
typedef struct fender_snapshot fender_snapshot;
/* The same as bytes, for files: begins with a mark, a version and a checksum; read only by builds of the same version
 * on machines of the same byte order. The bytes are borrowed and live as long as the snapshot. */
FENDER_API const void *fender_snapshot_bytes(const fender_snapshot *snapshot, size_t *size);
/* A copy. FILE, with what is wrong, for bytes that are no snapshot, cut short or damaged. */
FENDER_API fender_snapshot *fender_snapshot_from_bytes(const fender_env *env, const void *bytes, size_t size,
                                                       fender_error *error);
FENDER_API fender_snapshot *fender_snapshot_take(const fender_world *world, fender_error *error);
FENDER_API fender_status fender_snapshot_restore(fender_world *world, const fender_snapshot *snapshot,
                                                 fender_error *error);
FENDER_API void fender_snapshot_destroy(fender_snapshot *snapshot); /* NULL is fine */

#endif
