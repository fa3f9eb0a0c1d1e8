/* Objects and growable arrays of the host's allocator, and a stable merge sort. */
#define _DEFAULT_SOURCE /* madvise */

#include "base/memory.h"
#include <assert.h>

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined __linux__
#include <sys/mman.h>
#endif

/* Trees of large terrains are read here and there: with pages of 4 kB looking these up takes as long as reading. */
enum { SMALL_PAGE = 1 << 12, LARGE_PAGE = 1 << 21, WISH = 4 * LARGE_PAGE };

static void wish_large_pages(void *memory, size_t size)
{
#if defined MADV_HUGEPAGE
    const uintptr_t from = ((uintptr_t)memory + SMALL_PAGE - 1) / SMALL_PAGE * SMALL_PAGE;
    const uintptr_t to = ((uintptr_t)memory + size) / SMALL_PAGE * SMALL_PAGE;
    if (to > from) (void)madvise((void *)from, (size_t)(to - from), MADV_HUGEPAGE);
#else
    (void)memory, (void)size;
#endif
}

static void *default_allocate(void *ctx, size_t size, size_t alignment)
{
    (void)ctx;
    if (size >= WISH && alignment < LARGE_PAGE) alignment = LARGE_PAGE;
    void *memory = alignment <= _Alignof(max_align_t)
                       ? malloc(size)
                       : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (memory && size >= WISH) wish_large_pages(memory, size);
    return memory;
}

/* Of the default allocator: pages that the system has cleared are not touched before they are used. */
static void *allocate_cleared(size_t size)
{
    void *memory = calloc(1, size);
    if (memory && size >= WISH) wish_large_pages(memory, size);
    return memory;
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
    if (env->allocator.allocate == default_allocate) return allocate_cleared(size);
    void *memory = env->allocator.allocate(env->allocator.ctx, size, _Alignof(max_align_t));
    if (memory) memset(memory, 0, size);
    return memory;
}

void fnd_release(const fender_env *env, void *memory, size_t size)
{
    assert(env || !memory);
    if (memory) env->allocator.release(env->allocator.ctx, memory, size);
}

bool fnd_reserve(const fender_env *env, void **memory, int *capacity, int kept, int count, size_t size)
{
    assert(memory && capacity && *capacity >= 0);
    assert(kept >= 0 && count >= 0 && size > 0);
    if (count <= *capacity) return true;
    if ((size_t)count > SIZE_MAX / size) return false;
    void *larger = fnd_allocate(env, (size_t)count * size);
    if (!larger) return false;
    if (kept > *capacity) kept = *capacity;
    if (kept > 0) memcpy(larger, *memory, (size_t)kept * size);
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
    return fnd_reserve(env, memory, capacity, count, count < 8 ? 8 : count + count / 2, size);
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
