/* Nearest names, UTF-8 and excerpts. */
#include "support/io_error.h"
#include "support/json.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int distance(const char *a, const char *b) { return fnd_nearest_distance(a, strlen(a), b, strlen(b)); }

static void distances(void **state)
{
    static const struct {
        const char *a, *b;
        int distance;
    } cases[] = {
        {"", "", 0},
        {"a", "", 2},
        {"kN", "kN", 0},
        {"KN", "kN", 1},
        {"lfb", "lbf", 2},
        {"stifness", "stiffness", 2},
        {"abc", "axc", 2},
        {"kitten", "sitting", 6},
        {"ca", "abc", 6},
        {"Ab", "bA", 2},
        {"mu", "mu_static", 14},
    };
    char long_name[65];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(distance(cases[i].b, cases[i].a), cases[i].distance);
    }
    memset(long_name, 'n', 64);
    long_name[64] = '\0';
    assert_int_equal(distance(long_name, "n"), INT_MAX);
    assert_int_equal(distance(long_name, long_name), 0);
}

static void choices(void **state)
{
    static const char *const names[] = {"stiffness", "damping", "mu", "friction_damping", "mass", "mesh"};
    static const struct {
        const char *word, *name;
    } cases[] = {
        {"stifness", "stiffness"},
        {"Damping", "damping"},
        {"MU", "mu"},
        {"m", NULL},
        {"stiff", "stiffness"},
        {"friction", "friction_damping"},
        {"masss", "mass"},
        {"mash", "mass"},
        {"zebra", NULL},
        {"", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *name = fnd_nearest_of(cases[i].word, strlen(cases[i].word), names, 6);
        if (!cases[i].name) assert_null(name);
        else {
            assert_non_null(name);
            assert_string_equal(name, cases[i].name);
        }
    }
}

static void utf8(void **state)
{
    static const struct {
        const char *bytes;
        size_t length, size;
    } cases[] = {
        {"a", 1, 1},
        {"\xC2\xB5", 2, 2},
        {"\xC2\xB5", 1, 0},
        {"\xC0\x80", 2, 0},
        {"\xC1\xBF", 2, 0},
        {"\xE2\x81\xBB", 3, 3},
        {"\xE0\x9F\xBF", 3, 0},
        {"\xE0\xA0\x80", 3, 3},
        {"\xED\x9F\xBF", 3, 3},
        {"\xED\xA0\x80", 3, 0},
        {"\xF0\x90\x80\x80", 4, 4},
        {"\xF0\x8F\xBF\xBF", 4, 0},
        {"\xF4\x8F\xBF\xBF", 4, 4},
        {"\xF4\x90\x80\x80", 4, 0},
        {"\xF5\x80\x80\x80", 4, 0},
        {"\x80", 1, 0},
        {"\xFF", 1, 0},
        {"", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(fnd_utf8_character(cases[i].bytes, cases[i].length), cases[i].size);
    assert_int_equal(fnd_utf8_count("a\xC2\xB5\xFF!", 5), 4);
    assert_int_equal(fnd_utf8_fit("a\xC2\xB5", 3, 2), 1);
    assert_int_equal(fnd_utf8_fit("a\xC2\xB5", 3, 3), 3);
}

static void excerpts(void **state)
{
    char text[16];
    (void)state;
    assert_string_equal(fnd_io_excerpt(text, sizeof text, "lbf\t\xFF", 5), "lbf\\x09\\xFF");
    assert_string_equal(fnd_io_excerpt(text, sizeof text, "123456789012345", 15), "123456789012345");
    assert_string_equal(fnd_io_excerpt(text, sizeof text, "1234567890123456", 16), "123456789012...");
    assert_string_equal(fnd_io_excerpt(text, 8, "\xFF\xFF", 2), "\\xFF...");
    assert_string_equal(fnd_io_excerpt(text, sizeof text, "", 0), "");
}

static void faults(void **state)
{
    fender_error error = {.status = FENDER_STATUS_OK};
    char long_text[400];
    (void)state;
    /* 253 letters, then characters of two bytes: the cut falls between characters. */
    memset(long_text, 'a', 252);
    for (size_t i = 252; i + 1 < sizeof long_text; i += 2) memcpy(long_text + i, "\xC2\xB5", 2);
    long_text[398] = '\0';
    assert_int_equal(FND_IO_FAIL(&error, .status = FENDER_STATUS_UNIT, .source = long_text, .column = 3, .found = "f"),
                     FENDER_STATUS_UNIT);
    assert_int_equal(strlen(error.source), 254);
    assert_int_equal(fnd_utf8_count(error.source, 254), 253);
    assert_string_equal(error.found, "f");
    assert_string_equal(error.message, "");
    assert_int_equal(fnd_io_fail_memory(&error, "x"), FENDER_STATUS_MEMORY);
    assert_int_equal(error.status, FENDER_STATUS_UNIT); /* the first is kept */
    assert_int_equal(error.count, 2);
    assert_int_equal(error.column, 3);
    assert_int_equal(fnd_io_fail_memory(NULL, "x"), FENDER_STATUS_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances), cmocka_unit_test(choices), cmocka_unit_test(utf8),
        cmocka_unit_test(excerpts),  cmocka_unit_test(faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
