/* Large blocks of memory: what is reserved for later costs nothing yet, and the system is asked for large pages. What
 * Linux says of its pages is read in /proc/self; elsewhere these cases are skipped. */
#include "base/memory.h"
#include "check.h"
#include <stdio.h>
#include <string.h>

enum { LARGE = 64 << 20, CELL = 1000 };

/* Keeps what it is told to, and clears the rest, with any allocator. */
static void keep_some(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    void *memory = NULL;
    int capacity = 0;
    assert_true(fnd_reserve(&env, &memory, &capacity, 0, 10, CELL));
    memset(memory, 7, (size_t)capacity * CELL);
    assert_true(fnd_reserve(&env, &memory, &capacity, 4, 20, CELL));
    assert_int_equal(capacity, 20);
    const char *bytes = memory;
    for (int i = 0; i < 20 * CELL; i++) assert_int_equal(bytes[i], i < 4 * CELL ? 7 : 0);
    memset(memory, 7, (size_t)capacity * CELL);
    assert_true(fnd_reserve(&env, &memory, &capacity, 100, 30, CELL)); /* no more than there was */
    bytes = memory;
    for (int i = 0; i < 30 * CELL; i++) assert_int_equal(bytes[i], i < 20 * CELL ? 7 : 0);
    fnd_release(&env, memory, (size_t)capacity * CELL);
}

#if defined __linux__
/* kB; of the mapping that holds the address: what the field says, -1: it is not there. Its flags, if asked for. */
static long mapping_says(const void *at, const char *field, char *flags, size_t size)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    long found = -1;
    bool here = false;
    while (file && fgets(line, sizeof line, file)) {
        unsigned long from, to;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2) here = (unsigned long)at >= from && (unsigned long)at < to;
        else if (here && strncmp(line, field, strlen(field)) == 0) (void)sscanf(line + strlen(field), ": %ld", &found);
        else if (here && flags && strncmp(line, "VmFlags:", 8) == 0) (void)snprintf(flags, size, "%s", line);
    }
    if (file) (void)fclose(file);
    return found;
}

static void untouched_memory_is_not_resident(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    char *memory = fnd_allocate(&env, LARGE);
    assert_non_null(memory);
    const long resident = mapping_says(memory + LARGE / 2, "Rss", NULL, 0);
    if (resident >= 0) assert_in_range(resident, 0, LARGE / 1024 / 4);
    for (int i = 0; i < LARGE; i += CELL) assert_int_equal(memory[i], 0);
    fnd_release(&env, memory, LARGE);
    if (resident < 0) skip();
}

static void large_blocks_ask_for_large_pages(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    void *memory[2] = {fnd_allocate(&env, LARGE), env.allocator.allocate(env.allocator.ctx, LARGE, 16)};
    char flags[512];
    bool told = true;
    for (int i = 0; i < 2; i++) {
        assert_non_null(memory[i]);
        flags[0] = 0;
        (void)mapping_says((char *)memory[i] + LARGE / 2, "Size", flags, sizeof flags);
        told = told && flags[0];
        if (flags[0]) assert_non_null(strstr(flags, " hg")); /* "huge page advise" */
    }
    fnd_release(&env, memory[0], LARGE);
    env.allocator.release(env.allocator.ctx, memory[1], LARGE);
    FILE *pages = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r"); /* does the kernel know them? */
    if (pages) (void)fclose(pages);
    if (!told || !pages) skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keep_some),
#if defined __linux__
        cmocka_unit_test(untouched_memory_is_not_resident),
        cmocka_unit_test(large_blocks_ask_for_large_pages),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
