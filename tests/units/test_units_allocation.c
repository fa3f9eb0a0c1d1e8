/* Reading units and numbers, right and wrong, takes no memory: every allocation of the process is counted. */
#include <fender/units.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static volatile int allocations;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));
static void on_malloc(const volatile void *memory, size_t size)
{
    (void)memory, (void)size;
    allocations++;
}
static void on_free(const volatile void *memory) { (void)memory; }
static void start_counting(void) { assert_true(__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) != 0); }
#else
/* These take the place of the C library's own, also for its own calls. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size)
{
    allocations++;
    return __libc_realloc(memory, size);
}
static void start_counting(void) {}
#endif

static void takes_no_memory(void **state)
{
    static const char *const texts[] = {"20 lbf/in", "3 deg",     "2e4 N/mm^1.5",
                                        "5 lbff",    "1e999",     "20 degC",
                                        "5 N/m s",   "20 kN",     "0.1000000000000000055511151231257827",
                                        "5 Nm",      "((m",       "5 zorkmid",
                                        "1e-320 m",  "5 kg^(3/2)"};
    static const char *const fields[] = {"m", "N/m", "K", "rad/s"};
    char list[200];
    fender_unit_entry entry;
    (void)state;
    start_counting();
    int before = allocations;
    void *volatile probe = malloc(17);
    assert_true(allocations > before); /* the counter counts */
    free(probe);
    before = allocations;
    int read = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
            double value;
            fender_error error = {.status = FENDER_STATUS_OK};
            read += fender_quantity_parse(texts[i], strlen(texts[i]), fields[k], &value, &error) == FENDER_STATUS_OK;
            fender_unit_alternatives(fields[k], list, sizeof list);
        }
    }
    for (int i = 0; fender_unit_table(i, &entry); i++) read++;
    int after = allocations;
    assert_true(read > 60);
    assert_int_equal(after, before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
