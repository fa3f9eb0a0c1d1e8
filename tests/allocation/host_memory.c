/* A host's allocator for tests. */
#include "host_memory.h"

#include <stdlib.h>

static void *allocate(void *ctx, size_t size, size_t alignment)
{
    host_memory *memory = ctx;
    memory->calls++;
    if (memory->fail_at > 0 &&
        (memory->calls == memory->fail_at || (memory->fail_all && memory->calls > memory->fail_at)))
        return NULL;
    fender_env under = fender_env_default();
    memory->inside = true;
    void *block = under.allocator.allocate(under.allocator.ctx, size, alignment);
    memory->inside = false;
    if (!block) abort();
    memory->live++;
    memory->bytes += (long long)size;
    return block;
}

static void release(void *ctx, void *block, size_t size)
{
    host_memory *memory = ctx;
    fender_env under = fender_env_default();
    memory->live--;
    memory->bytes -= (long long)size;
    memory->inside = true;
    under.allocator.release(under.allocator.ctx, block, size);
    memory->inside = false;
}

fender_env host_memory_env(host_memory *memory)
{
    fender_env env = {{allocate, release, memory}, NULL, NULL};
    return env;
}

void host_memory_arm(host_memory *memory, long fail_at, bool fail_all)
{
    memory->calls = 0;
    memory->fail_at = fail_at;
    memory->fail_all = fail_all;
}
