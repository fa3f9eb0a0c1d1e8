/* An allocator that counts, and refuses one request: for tests that let every allocation fail in turn. */
#ifndef FND_TEST_COUNTED_MEMORY_H
#define FND_TEST_COUNTED_MEMORY_H

#include <fender/base.h>
#include <stdlib.h>

typedef struct counted_memory {
    long calls, fail_at, live; /* requests; the one that is refused, 0: none; blocks not given back */
} counted_memory;

static inline void *counted_allocate(void *ctx, size_t size, size_t alignment)
{
    counted_memory *counted = ctx;
    (void)alignment;
    if (++counted->calls == counted->fail_at) return NULL;
    counted->live++;
    return malloc(size);
}

static inline void counted_release(void *ctx, void *memory, size_t size)
{
    counted_memory *counted = ctx;
    (void)size;
    counted->live--;
    free(memory);
}

static inline fender_env counted_env(counted_memory *counted)
{
    fender_env env = fender_env_default();
    env.allocator = (fender_allocator){counted_allocate, counted_release, counted};
    return env;
}

#endif
