/* Contacts from touch to release, collected from events. */
#ifndef FND_RUN_EPISODE_H
#define FND_RUN_EPISODE_H

#include "run/moment.h"
#include "support/memory.h"

enum { FND_EPISODE_CAPACITY = 10000 };

typedef struct fnd_episode_key {
    fender_shape_id a, b;
    uint64_t feature;
} fnd_episode_key;

typedef struct fnd_episode_table {
    fender_episode *items; /* in the order of their beginnings */
    fnd_episode_key *keys;
    int *open; /* indices of those that have not ended */
    int count, open_count;
    int64_t dropped; /* beyond the capacity */
    /* of all contacts, kept or not, the one whose own energy adds up worst; null ids: none */
    fender_shape_id worst_a, worst_b;
    double worst_residual;
} fnd_episode_table;

bool fnd_episode_table_create(fnd_episode_table *table, fnd_arena *arena);
void fnd_episode_table_follow(fnd_episode_table *table, const fnd_moment *moment);
/* Fills what is known so far of the contacts that still exist. */
void fnd_episode_table_finish(fnd_episode_table *table, const fender_world *world);

/* Writes "episodes.csv": a row for each, every figure followed by the estimate of its error. */
fender_status fnd_episode_table_write(const fnd_episode_table *table, const fender_env *env, const char *directory,
                                      fender_error *error);

#endif
