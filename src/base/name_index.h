/* Names of one name space and the index of each: found by hash, never iterated. */
#ifndef FND_BASE_NAME_INDEX_H
#define FND_BASE_NAME_INDEX_H

#include "base/memory.h"

typedef struct fnd_name_slot {
    const char *name;
    uint32_t scope;
    int index;
} fnd_name_slot;
typedef struct fnd_name_index {
    fnd_name_slot *slots;
    int capacity; /* a power of two, or 0 */
    int count;
} fnd_name_index;

/* [A-Za-z_][A-Za-z0-9_]*, at most 100 bytes */
bool fnd_name_valid(const char *name);
/* -1 when there is none. `scope` tells equal names apart (shapes of different bodies). */
int fnd_name_find(const fnd_name_index *index, uint32_t scope, const char *name);
/* The name is not copied and must be new. False: no memory. */
bool fnd_name_add(const fender_env *env, fnd_name_index *index, uint32_t scope, const char *name, int value);
/* Forgets a name that is in it. */
void fnd_name_remove(fnd_name_index *index, uint32_t scope, const char *name);
void fnd_name_index_release(const fender_env *env, fnd_name_index *index);

#endif
