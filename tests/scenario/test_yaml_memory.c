/* libyaml's own allocations made to fail in turn. Its allocation functions are exported, and the definitions below take
 * their place when the program is linked to the shared library. */
#include "collect.h"

#include <yaml.h>

static long calls, fail_at;

FENDER_EXPORT void *yaml_malloc(size_t size);
FENDER_EXPORT void *yaml_realloc(void *memory, size_t size);
FENDER_EXPORT void yaml_free(void *memory);
FENDER_EXPORT yaml_char_t *yaml_strdup(const yaml_char_t *text);

static bool fails(void) { return ++calls == fail_at; }

void *yaml_malloc(size_t size) { return fails() ? NULL : malloc(size ? size : 1); }

void *yaml_realloc(void *memory, size_t size)
{
    if (fails()) return NULL;
    return memory ? realloc(memory, size ? size : 1) : malloc(size ? size : 1);
}

void yaml_free(void *memory) { free(memory); }

yaml_char_t *yaml_strdup(const yaml_char_t *text)
{
    if (!text || fails()) return NULL;
    size_t size = strlen((const char *)text) + 1;
    yaml_char_t *copy = malloc(size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

static fender_status load(const char *path)
{
    collection c;
    fender_env env = collecting_env(&c);
    fender_error error = {0};
    calls = 0;
    fender_scenario *scenario = fender_scenario_load(&env, NULL, path, NULL, 0, &error);
    fender_status status = scenario ? FENDER_STATUS_OK : error.status;
    fender_scenario_destroy(scenario);
    return status;
}

static void each_allocation_of_the_parser(void **state)
{
    (void)state;
    const char *path = FENDER_SOURCE_DIR "/samples/scenarios/docking.yaml";
    fail_at = 0;
    assert_int_equal(load(path), FENDER_STATUS_OK);
    long count = calls;
    printf("docking: %ld allocations of libyaml, each made to fail\n", count);
    if (count == 0) { /* a libyaml that does not let itself be replaced, a static one for instance */
        skip();
    }
    for (fail_at = 1; fail_at <= count; fail_at++) assert_int_equal(load(path), FENDER_STATUS_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_of_the_parser)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
