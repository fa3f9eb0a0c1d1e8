/* Snapshots: bytes with a header that says of what world they are. */
#ifndef FND_WORLD_SNAPSHOT_H
#define FND_WORLD_SNAPSHOT_H

#include "world/world.h"

struct fender_snapshot {
    fender_env env;
    unsigned char *bytes; /* a header, then what the walk has written */
    size_t size;
};

/* Structure that a world must share with that of the snapshot. */
typedef struct fnd_world_shape {
    int bodies, shapes, types, rules, loads, method;
    size_t stride, record_count;
    double step, relative_tolerance, absolute_tolerance, event_tolerance;
    int64_t locate_events;
    uint64_t names;
} fnd_world_shape;

/* How the bytes begin. Numbers are as the machine has them: `order` tells a machine that has them otherwise. */
typedef struct fnd_snapshot_header {
    char mark[8], version[16];
    uint32_t order, layout;
    uint64_t size; /* of everything */
    fnd_world_shape shape;
    uint64_t checksum; /* of all but itself */
} fnd_snapshot_header;

/* With the records that there are now. */
fnd_world_shape fnd_world_shape_of(const fender_world *world);
/* Room for `size` bytes, or NULL. */
fender_snapshot *fnd_snapshot_create(const fender_env *env, size_t size, fender_error *error);
/* Fills in the header of a snapshot that is otherwise complete. */
void fnd_snapshot_seal(fender_snapshot *snapshot, const fender_world *world);
/* FILE, with a remedy. */
fender_status fnd_snapshot_damaged(fender_error *error, const char *message, const char *found, const char *expected);

#endif
