/* malloc and its kin as the linked libraries call them. */
#include "foreign_memory.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

foreign_memory foreign;

void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *block);
DIR *__real_opendir(const char *name);
locale_t __real_newlocale(int mask, const char *name, locale_t base);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);
DIR *__wrap_opendir(const char *name);
locale_t __wrap_newlocale(int mask, const char *name, locale_t base);

static bool watching(void) { return foreign.watching && !(foreign.host && foreign.host->inside); }

/* Counts one call; true when it is to be refused. */
static bool refused(void)
{
    if (!watching()) return false;
    foreign.calls++;
    return foreign.fail_at > 0 &&
           (foreign.calls == foreign.fail_at || (foreign.fail_all && foreign.calls > foreign.fail_at));
}

static void *given(void *block)
{
    if (block && watching()) foreign.live++;
    return block;
}

void *__wrap_malloc(size_t size) { return refused() ? NULL : given(__real_malloc(size)); }
void *__wrap_calloc(size_t number, size_t size) { return refused() ? NULL : given(__real_calloc(number, size)); }
char *__wrap_strdup(const char *text) { return refused() ? NULL : given(__real_strdup(text)); }

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : given(__real_aligned_alloc(alignment, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (refused()) return NULL;
    void *larger = __real_realloc(block, size);
    return block ? larger : given(larger);
}

void __wrap_free(void *block)
{
    if (block && watching()) foreign.live--;
    __real_free(block);
}

/* Calls of the C library that need memory of their own. What they give is not counted as live. */
DIR *__wrap_opendir(const char *name)
{
    if (!refused()) return __real_opendir(name);
    errno = ENOMEM;
    return NULL;
}

locale_t __wrap_newlocale(int mask, const char *name, locale_t base)
{
    if (!refused()) return __real_newlocale(mask, name, base);
    errno = ENOMEM;
    return (locale_t)0;
}

void foreign_memory_arm(long fail_at, bool fail_all)
{
    foreign.calls = 0;
    foreign.live = 0;
    foreign.fail_at = fail_at;
    foreign.fail_all = fail_all;
    foreign.watching = true;
}

void foreign_memory_rest(void) { foreign.watching = false; }
