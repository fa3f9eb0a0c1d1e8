/* Names of one name space and the index of each. */
#include "base/name_index.h"

#include "base/hash.h"
#include <assert.h>
#include <string.h>

bool fnd_name_valid(const char *name)
{
    if (!name || !name[0]) return false;
    size_t n = 0;
    for (; name[n]; n++) {
        char c = name[n];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bool digit = c >= '0' && c <= '9';
        if (n >= 100 || !(letter || (digit && n > 0))) return false;
    }
    return true;
}

static uint64_t hash_of(uint32_t scope, const char *name)
{
    assert(name);
    return fnd_hash_bytes(fnd_hash_u64(FND_HASH_START, scope), name, strlen(name));
}

static fnd_name_slot *slot_of(const fnd_name_index *index, uint32_t scope, const char *name)
{
    assert(index->capacity > 0 && (index->capacity & (index->capacity - 1)) == 0);
    uint64_t mask = (uint64_t)index->capacity - 1;
    for (uint64_t i = hash_of(scope, name) & mask;; i = (i + 1) & mask) {
        fnd_name_slot *slot = &index->slots[i];
        if (!slot->name || (slot->scope == scope && strcmp(slot->name, name) == 0)) return slot;
    }
}

int fnd_name_find(const fnd_name_index *index, uint32_t scope, const char *name)
{
    assert(index);
    if (index->capacity == 0 || !name) return -1;
    const fnd_name_slot *slot = slot_of(index, scope, name);
    return slot->name ? slot->index : -1;
}

bool fnd_name_add(const fender_env *env, fnd_name_index *index, uint32_t scope, const char *name, int value)
{
    assert(value >= 0 && fnd_name_find(index, scope, name) < 0);
    if (2 * (index->count + 1) > index->capacity) {
        fnd_name_index larger = {NULL, index->capacity ? 2 * index->capacity : 16, 0};
        larger.slots = fnd_allocate(env, (size_t)larger.capacity * sizeof *larger.slots);
        if (!larger.slots) return false;
        for (int i = 0; i < index->capacity; i++) /* the order does not matter: slots are found by hash only */
            if (index->slots[i].name) *slot_of(&larger, index->slots[i].scope, index->slots[i].name) = index->slots[i];
        larger.count = index->count;
        fnd_name_index_release(env, index);
        *index = larger;
    }
    *slot_of(index, scope, name) = (fnd_name_slot){name, scope, value};
    index->count++;
    return true;
}

/* Names behind it that would not be found across the gap move up (linear probing). */
void fnd_name_remove(fnd_name_index *index, uint32_t scope, const char *name)
{
    assert(fnd_name_find(index, scope, name) >= 0);
    const int mask = index->capacity - 1;
    int gap = (int)(slot_of(index, scope, name) - index->slots);
    if (!index->slots[gap].name) return;
    index->count--;
    for (int i = (gap + 1) & mask; index->slots[i].name; i = (i + 1) & mask) {
        const int home = (int)(hash_of(index->slots[i].scope, index->slots[i].name) & (uint64_t)mask);
        if (((i - home) & mask) < ((i - gap) & mask)) continue; /* it is found without the gap */
        index->slots[gap] = index->slots[i];
        gap = i;
    }
    index->slots[gap] = (fnd_name_slot){NULL, 0, 0};
}

void fnd_name_index_release(const fender_env *env, fnd_name_index *index)
{
    fnd_release(env, index->slots, (size_t)index->capacity * sizeof *index->slots);
    *index = (fnd_name_index){NULL, 0, 0};
}
