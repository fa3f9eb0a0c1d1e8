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
    uint64_t names, definition; /* by structure.c */
} fnd_world_shape;

/* Of all that has a name, in order: worlds with as many bodies of other names are others. */
uint64_t fnd_structure_names(const fender_world *world);
/* Of what a snapshot does not carry, as it was created: geometries, parameters of laws, loads, paths, points of links,
 * gravity. Commands change none of it; masses, parameters of links and commanded values are in the snapshot. */
uint64_t fnd_structure_definition(const fender_world *world);

/* How the bytes begin. Numbers are as the machine has them: `order` tells a machine that has them otherwise. */
typedef struct fnd_snapshot_header {
    char mark[8], version[16];
    uint32_t order, layout;
    uint64_t size; /* of everything */
    fnd_world_shape shape;
    uint64_t checksum; /* of all but itself */
} fnd_snapshot_header;

#endif
