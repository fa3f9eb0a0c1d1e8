/* Counts every allocation of the process: by hooks of the sanitizer where there is one, else by standing in for malloc.
 */
#include "process_memory.h"

#include <stdbool.h>
#include <stddef.h>

static long count;
long process_memory_count(void) { return count; }

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED

#include <assert.h>

int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *));

static void allocated(const volatile void *block, size_t size)
{
    (void)block, (void)size;
    count++;
}

static void freed(const volatile void *block) { (void)block; }

void process_memory_start(void)
{
    int installed = __sanitizer_install_malloc_and_free_hooks(allocated, freed);
    assert(installed > 0);
    (void)installed;
}

#else

/* The C library keeps its own under these names, so that a program can replace the public ones. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#define REPLACES __attribute__((visibility("default")))

REPLACES void *malloc(size_t size);
REPLACES void *calloc(size_t number, size_t size);
REPLACES void *realloc(void *block, size_t size);
REPLACES void *memalign(size_t alignment, size_t size);
REPLACES void *aligned_alloc(size_t alignment, size_t size);
REPLACES int posix_memalign(void **block, size_t alignment, size_t size);

void *malloc(size_t size)
{
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size)
{
    count++;
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size)
{
    count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = memalign(alignment, size);
    return *block || size == 0 ? 0 : 12; /* ENOMEM */
}

void process_memory_start(void) {}

#endif
