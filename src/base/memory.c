/* Objects and growable arrays of the host's allocator, and a stable merge sort. */
#include "base/memory.h"
#include <assert.h>
#include <string.h>

#define _DEFAULT_SOURCE /* madvise */

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#if defined __linux__
#include <sys/mman.h>
#endif

static void *aligned(size_t size, size_t alignment)
{
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void *default_allocate(void *ctx, size_t size, size_t alignment)
{
    (void)ctx;
#if defined MADV_HUGEPAGE
    /* Trees of large terrains are read here and there: with pages of 4 kB looking these up takes as long as reading. */
    const size_t page = (size_t)1 << 21;
    if (size >= 4 * page && alignment <= page) {
        void *memory = aligned(size, page);
        if (memory) (void)madvise(memory, size, MADV_HUGEPAGE); /* a wish */
        return memory;
    }
#endif
    return alignment <= _Alignof(max_align_t) ? malloc(size) : aligned(size, alignment);
}

static void default_release(void *ctx, void *memory, size_t size)
{
    (void)ctx, (void)size;
    free(memory);
}

fender_env fender_env_default(void)
{
    fender_env env = {{default_allocate, default_release, NULL}, NULL, NULL};
    return env;
}

void *fnd_allocate(const fender_env *env, size_t size)
{
    if (size == 0 || !env || !env->allocator.allocate) return NULL; /* of an environment that is all zero */
    void *memory = env->allocator.allocate(env->allocator.ctx, size, _Alignof(max_align_t));
    if (memory) memset(memory, 0, size);
    return memory;
}

void fnd_release(const fender_env *env, void *memory, size_t size)
{
    assert(env || !memory);
    if (memory) env->allocator.release(env->allocator.ctx, memory, size);
}

bool fnd_reserve(const fender_env *env, void **memory, int *capacity, int count, size_t size)
{
    assert(memory && capacity && *capacity >= 0);
    assert(count >= 0 && size > 0);
    if (count <= *capacity) return true;
    if ((size_t)count > SIZE_MAX / size) return false;
    void *larger = fnd_allocate(env, (size_t)count * size);
    if (!larger) return false;
    if (*memory) memcpy(larger, *memory, (size_t)*capacity * size);
    fnd_release(env, *memory, (size_t)*capacity * size);
    *memory = larger;
    *capacity = count;
    return true;
}

bool fnd_reserve_one_more(const fender_env *env, void **memory, int *capacity, int count, size_t size)
{
    assert(count >= 0 && count <= *capacity);
    if (count < *capacity) return true;
    if (count > INT_MAX / 2) return false;
    return fnd_reserve(env, memory, capacity, count < 8 ? 8 : count + count / 2, size);
}

char *fnd_text_copy(const fender_env *env, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = fnd_allocate(env, size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

void fnd_text_release(const fender_env *env, char *text)
{
    if (text) fnd_release(env, text, strlen(text) + 1);
}

/* ---- Sorting ---- */

#define MERGE_SORT(NAME, TYPE, KEY)                                                   \
    void NAME(TYPE *items, TYPE *scratch, int count)                                  \
    {                                                                                 \
        for (int i = 1; i < count; i++) {                                             \
            if (KEY(items[i - 1]) <= KEY(items[i])) continue;                         \
            for (int width = 1; width < count; width *= 2) {                          \
                for (int lo = 0; lo < count; lo += 2 * width) {                       \
                    int mid = lo + width < count ? lo + width : count;                \
                    int hi = lo + 2 * width < count ? lo + 2 * width : count;         \
                    int l = lo, r = mid, o = lo;                                      \
                    while (l < mid && r < hi) {                                       \
                        if (KEY(items[r]) < KEY(items[l])) scratch[o++] = items[r++]; \
                        else scratch[o++] = items[l++];                               \
                    }                                                                 \
                    while (l < mid) scratch[o++] = items[l++];                        \
                    while (r < hi) scratch[o++] = items[r++];                         \
                }                                                                     \
                memcpy(items, scratch, (size_t)count * sizeof *items);                \
            }                                                                         \
            return;                                                                   \
        }                                                                             \
    }

#define REAL_KEY(item)  (item).key
#define WHOLE_KEY(item) (item)
MERGE_SORT(fnd_sort_by_real, fnd_sort_real, REAL_KEY)
MERGE_SORT(fnd_sort_by_key, uint64_t, WHOLE_KEY)
