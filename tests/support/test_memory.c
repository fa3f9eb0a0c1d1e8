/* Buffer, arena and JSON: contents, alignment, and each allocation made to fail in turn. */
#include "support/json.h"
#include "support/memory.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An allocator that counts, checks the sizes given back, and fails at one request. */
typedef struct counter {
    int requests, fail_at, live;
    size_t bytes;
} counter;

static void *take(void *ctx, size_t size, size_t alignment)
{
    counter *count = ctx;
    (void)alignment;
    if (++count->requests == count->fail_at) return NULL;
    count->live++;
    count->bytes += size;
    return aligned_alloc(128, (size + 127) / 128 * 128); /* how many an arena needs must not depend on where they lie */
}

static void give(void *ctx, void *memory, size_t size)
{
    counter *count = ctx;
    assert_non_null(memory);
    count->live--;
    count->bytes -= size;
    free(memory);
}

static bool fill_buffer(const fender_allocator *allocator)
{
    fnd_buffer buffer = fnd_buffer_open(allocator);
    for (int i = 0; i < 400; i++) fnd_buffer_appendf(&buffer, "%d,", i);
    fnd_buffer_append_repeat(&buffer, 'x', 1000);
    fnd_buffer_appendf(&buffer, "%0600d", 7);
    fnd_buffer_append_number(&buffer, 0.1);
    bool done = fnd_buffer_append_char(&buffer, '!');
    assert_int_equal(done, !buffer.failed);
    if (done) {
        assert_int_equal(buffer.length, 10 * 2 + 90 * 3 + 300 * 4 + 1000 + 600 + 3 + 1);
        assert_memory_equal(buffer.text, "0,1,2,", 6);
        assert_string_equal(buffer.text + buffer.length - 5, "70.1!");
    }
    fnd_buffer_close(&buffer);
    assert_string_equal(fnd_buffer_text(&buffer), "");
    return done;
}

static bool fill_arena(const fender_allocator *allocator)
{
    fnd_arena arena = fnd_arena_open(allocator, 256);
    bool done = true;
    for (size_t i = 0; i < 200; i++) {
        size_t alignment = (size_t)1 << i % 8;
        unsigned char *memory = fnd_arena_allocate(&arena, i, alignment);
        if (!memory) {
            done = false;
            continue;
        }
        assert_true(done); /* failure is sticky */
        assert_int_equal((uintptr_t)memory % alignment, 0);
        for (size_t k = 0; k < i; k++) assert_int_equal(memory[k], 0);
        memset(memory, 0xAA, i);
    }
    char *copy = fnd_arena_copy(&arena, "steel!", 5);
    assert_int_equal(copy != NULL, done);
    if (copy) assert_string_equal(copy, "steel");
    assert_null(fnd_arena_array(&arena, SIZE_MAX / 2, 16, 8));
    assert_true(arena.failed);
    fnd_arena_close(&arena);
    return done;
}

static void failing(bool (*fill)(const fender_allocator *))
{
    counter clean = {0, 0, 0, 0};
    fender_allocator allocator = {take, give, &clean};
    assert_true(fill(&allocator));
    assert_int_equal(clean.live, 0);
    assert_int_equal(clean.bytes, 0);
    assert_true(clean.requests > 3);
    for (int n = 1; n <= clean.requests; n++) {
        counter count = {0, n, 0, 0};
        allocator.ctx = &count;
        assert_false(fill(&allocator));
        assert_int_equal(count.live, 0);
        assert_int_equal(count.bytes, 0);
    }
    print_message("%d allocations, each made to fail\n", clean.requests);
}

static void buffer_fails_cleanly(void **state)
{
    (void)state;
    failing(fill_buffer);
}

static void arena_fails_cleanly(void **state)
{
    (void)state;
    failing(fill_arena);
}

static void json(void **state)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"", "\"\""},
        {"plain \xC2\xB5m", "\"plain \xC2\xB5m\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"\n\t\r\x01\x7F", "\"\\n\\t\\r\\u0001\\u007f\""},
        {"\xFFz", "\"\\ufffdz\""},
        {"</script>", "\"\\u003c/script>\""},
        {"a < b", "\"a < b\""},
        {"<!--", "\"\\u003c!--\""},
        {"\xE2\x80\xA8\xE2\x80\xA9", "\"\\u2028\\u2029\""},
    };
    fender_env env = fender_env_default();
    fnd_buffer buffer = fnd_buffer_open(&env.allocator);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fnd_buffer_clear(&buffer);
        assert_true(fnd_json_text(&buffer, cases[i].text));
        assert_string_equal(fnd_buffer_text(&buffer), cases[i].json);
    }
    fnd_buffer_clear(&buffer);
    fnd_json_bytes(&buffer, "a\0b", 3);
    assert_string_equal(fnd_buffer_text(&buffer), "\"a\\u0000b\"");
    fnd_buffer_clear(&buffer);
    fnd_json_begin(&buffer, NULL, '{');
    fnd_json_put_number(&buffer, "k", 0.1);
    assert_true(fnd_json_put_number(&buffer, "k", NAN));
    fnd_json_put_text(&buffer, "t", NULL);
    fnd_json_put_integer(&buffer, "i", -7);
    fnd_json_put_bool(&buffer, "b", true);
    fnd_json_put_vector(&buffer, "v", (fender_vec3){1, 2, 3});
    fnd_json_begin(&buffer, "rows", '[');
    for (int i = 0; i < 2; i++) {
        fnd_json_begin_row(&buffer);
        fnd_buffer_append_char(&buffer, '}');
    }
    assert_true(fnd_buffer_append_text(&buffer, "]}"));
    assert_string_equal(fnd_buffer_text(&buffer), "{\"k\":0.1,\"k\":null,\"t\":\"\",\"i\":-7,\"b\":true,\"v\":[1,2,3],"
                                                  "\"rows\":[\n{},\n{}]}");
    fnd_buffer_close(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffer_fails_cleanly),
        cmocka_unit_test(arena_fails_cleanly),
        cmocka_unit_test(json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
