/* Texts: numbers, durations, JSON escapes, the progress line, and the caret under tabs, wide characters, long lines. */
#include "harness.h"

#include <math.h>

#include "app.h"
#include "progress.h"

/* What a stream holds, as text. */
static const char *held(fnd_app_stream *stream)
{
    fnd_app_put_bytes(stream, "", 1);
    return stream->buffer;
}

static void numbers_have_six_digits(void **state)
{
    char text[FND_APP_NUMBER_SIZE];
    (void)state;
    assert_string_equal(fnd_app_number(text, 750.8312345), "750.831");
    assert_string_equal(fnd_app_number(text, -0.0), "0");
    assert_string_equal(fnd_app_quantity(text, 200, "J"), "200 J");
    assert_string_equal(fnd_app_quantity(text, 0.05, "1"), "0.05");
    assert_string_equal(fnd_app_quantity(text, INFINITY, "N"), "inf N");
    assert_string_equal(fnd_app_duration(text, 0.01), "10 ms");
    assert_string_equal(fnd_app_duration(text, 0.001), "1 ms");
    assert_string_equal(fnd_app_duration(text, 2.5e-6), "2.5 us");
    assert_string_equal(fnd_app_duration(text, 120), "120 s");
    assert_string_equal(fnd_app_duration(text, 0), "0 s");
    assert_string_equal(fnd_app_fixed(text, 5.376, 2), "5.38");
    assert_string_equal(fnd_app_fixed(text, 1e300, 2), "1e+300");
    assert_string_equal(fnd_app_scientific(text, -1.04e-3, 1), "-1.0e-03");
    assert_int_equal(fnd_app_step_decimals(0.01), 2);
    assert_int_equal(fnd_app_step_decimals(0.0005), 4);
    assert_int_equal(fnd_app_step_decimals(0.025), 3);
    assert_int_equal(fnd_app_step_decimals(1), 0);
    assert_int_equal(fnd_app_step_decimals(1.0 / 3), 9);
}

static void json_is_escaped(void **state)
{
    fnd_app_stream stream;
    fnd_app_json json;
    (void)state;
    fnd_app_stream_open(&stream, -1);
    fnd_app_json_open(&json, &stream);
    fnd_app_json_object(&json, NULL);
    fnd_app_json_text(&json, "a\"b", "tab\t line\n back\\ bell\a wide 漢 broken \xff end");
    fnd_app_json_number(&json, "x", 0.1);
    fnd_app_json_number(&json, "none", INFINITY);
    fnd_app_json_array(&json, "list");
    fnd_app_json_bool(&json, NULL, true);
    fnd_app_json_text(&json, NULL, NULL);
    fnd_app_json_end(&json);
    fnd_app_json_end(&json);
    assert_string_equal(held(&stream),
                        "{\"a\\\"b\": \"tab\\t line\\n back\\\\ bell\\u0007 wide 漢 broken \\ufffd end\", "
                        "\"x\": 0.1, \"none\": null, \"list\": [true, null]}\n");
}

static void progress_line_tells_how_far(void **state)
{
    char text[160];
    fender_progress now = {.time = 2.41, .until = 10, .step = 241, .wall_time = 0.5};
    (void)state;
    fnd_app_progress_text(text, sizeof text, &now);
    assert_string_equal(text, " 2.41 s of 10 s   24 %   4.82 x real time   2 s left");
}

static const char *reported(const char *excerpt, int column, int length)
{
    static fnd_app app;
    fender_diagnostic diagnostic = {.severity = FENDER_SEVERITY_ERROR,
                                    .status = FENDER_STATUS_NAME,
                                    .file = "a.yaml",
                                    .line = 3,
                                    .column = column,
                                    .length = length,
                                    .excerpt = excerpt,
                                    .message = "wrong",
                                    .found = "",
                                    .expected = "",
                                    .suggestion = ""};
    static char text[1024];
    memset(&app, 0, sizeof app);
    fnd_app_stream_open(&app.out, -1);
    int kept = harness_redirect(2, ".err");
    fnd_app_stream_open(&app.err, 2);
    fnd_app_report(&app, &diagnostic);
    dup2(kept, 2);
    close(kept);
    assert_true(harness_read(".err", text, sizeof text) > 0);
    return text;
}

static void caret_stands_under_the_place(void **state)
{
    (void)state;
    assert_string_equal(reported("mass: -1 kg", 7, 5), "a.yaml:3:7: error: wrong\nmass: -1 kg\n      ^~~~~\n");
    assert_string_equal(reported("\tmass: -1", 8, 2), "a.yaml:3:8: error: wrong\n\tmass: -1\n\t      ^~\n");
    assert_string_equal(reported("漢字: -1", 5, 2), "a.yaml:3:5: error: wrong\n漢字: -1\n      ^~\n");
    assert_string_equal(reported("a: 漢字", 4, 2), "a.yaml:3:4: error: wrong\na: 漢字\n   ^~~~\n");
    assert_string_equal(reported("end", 4, 1), "a.yaml:3:4: error: wrong\nend\n   ^\n");
    assert_string_equal(reported("bell: \a\033[2J", 7, 1), "a.yaml:3:7: error: wrong\nbell: ??[2J\n      ^\n");
}

static void long_lines_are_trimmed(void **state)
{
    char line[201];
    (void)state;
    for (int i = 0; i < 200; i++) line[i] = (char)('0' + i % 10);
    line[200] = '\0';
    assert_string_equal(reported(line, 11, 3), "a.yaml:3:11: error: wrong\n012345678901234567890123456 ...\n"
                                               "          ^~~\n");
    assert_string_equal(
        reported(line, 101, 3),
        "a.yaml:3:101: error: wrong\n... 012345678901234567890123456789012345678901234567890123456 ...\n"
        "                                            ^~~\n");
    assert_string_equal(reported(line, 200, 1),
                        "a.yaml:3:200: error: wrong\n... 90123456789012345678901234567890123456789\n"
                        "                                            ^\n");
}

static bool counted(fnd_app_unshown *unshown, fender_severity severity, const char *message)
{
    return fnd_app_unshown_count(unshown, &(fender_diagnostic){.severity = severity, .message = message});
}

/* 20 warnings are printed, and the first of each further kind; names and numbers make no kind. Errors have their own
 * 20: no warning hides one. What was not printed is told once. */
static void warnings_hide_no_error(void **state)
{
    fnd_app_unshown unshown = {0};
    fnd_app_stream stream;
    char message[80];
    (void)state;
    for (int i = 0; i < 53; i++) {
        snprintf(message, sizeof message, "'solimp' of type 't_%d' is %d.5 mm off", i, i);
        assert_int_equal(counted(&unshown, FENDER_SEVERITY_WARNING, message), i < 20);
    }
    assert_true(counted(&unshown, FENDER_SEVERITY_WARNING, "'armature' of <joint> is left out"));
    assert_true(counted(&unshown, FENDER_SEVERITY_WARNING, "'gap' of <joint> is left out"));
    assert_false(counted(&unshown, FENDER_SEVERITY_WARNING, "'gap' of <joint> is left out"));
    for (int i = 0; i < 21; i++) assert_int_equal(counted(&unshown, FENDER_SEVERITY_ERROR, "wrong"), i < 20);
    fnd_app_stream_open(&stream, -1);
    fnd_app_unshown_tell(&unshown, &stream);
    assert_string_equal(held(&stream), "\n34 more warnings are not shown; --json prints all\n"
                                       "  33 like: 'solimp' of type '..' is .. mm off\n"
                                       "  1 like: 'gap' of <joint> is left out\n"
                                       "\n1 more error is not shown; --json prints all\n");
    fnd_app_stream_open(&stream, -1);
    fnd_app_unshown_tell(&unshown, &stream);
    assert_string_equal(held(&stream), "");
}

int main(void)
{
    char folder[64];
    harness_enter_folder(folder);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_six_digits),     cmocka_unit_test(json_is_escaped),
        cmocka_unit_test(progress_line_tells_how_far), cmocka_unit_test(caret_stands_under_the_place),
        cmocka_unit_test(long_lines_are_trimmed),      cmocka_unit_test(warnings_hide_no_error),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    harness_leave_folder(folder);
    return failed;
}
