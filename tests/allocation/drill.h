/* A drill: one call of the interface, tried with each of its allocations refused in turn. */
#ifndef TEST_ALLOCATION_DRILL_H
#define TEST_ALLOCATION_DRILL_H

#include "check.h"
#include "foreign_memory.h"

typedef struct drill {
    const char *name;
    /* What the call needs; nothing is refused yet. `size` runs from 0 to `sizes`, so that arrays are met before, at and
     * after their growth. */
    void *(*prepare)(const fender_env *env, int size);
    int sizes;
    fender_status (*attempt)(void *fixture, fender_error *error);
    /* Sums up everything that a host can read; NULL: nothing is there before the call. */
    uint64_t (*look)(void *fixture);
    /* What follows a success, summed up; NULL: nothing. */
    uint64_t (*follow)(void *fixture);
    void (*release)(void *fixture);
    bool goes_on; /* an attempt is many calls; it compares by itself, and goes on where it failed */
} drill;

/* Runs it with the n-th allocation refused, for every n up to the count of a clean run: once alone and once with all
 * later ones; those of the host's allocator and those that libraries make by themselves. Each time the call says MEMORY
 * with a message and changes nothing, succeeds when it is repeated, to the same bits as if nothing had happened, and
 * leaks nothing. Prints the counts. */
void drill_run(const drill *d);

/* How many allocations one clean attempt of the last drill made. */
extern long drill_host_count, drill_foreign_count;

/* A hash of everything that a host can read of a world. */
uint64_t beam_cast(const fender_world *world);
uint64_t sample_bytes(uint64_t hash, const void *bytes, size_t size);

#endif
