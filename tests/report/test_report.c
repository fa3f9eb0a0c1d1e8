/* Reports: the page holds the data of the run and nothing that could break out of it; bad run directories are refused.
 */
#include "check.h"
#include "counted_memory.h"

#include <fender/io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char hostile_title[] = "</script><script>alert(1)</script><!-- <script> \\u003c \\\" & ]]>";

static const char scene_json[] =
    "{\"format\":\"fender-scene\",\"version\":1,\"title\":\"%s\",\"about\":\"\",\"axes\":[\"x\","
    "\"y\",\"z\"],\"bodies\":[]}\n";
static const char summary_json[] = "{\"format\":\"fender-summary\",\"version\":1,\"complete\":true,\"title\":\"%s\"}\n";
static const char replay_csv[] = "time [s],a.position.x [m]\n0,0.12345678901234567\n0.5,1\n";
static const char contacts_csv[] = "time [s],contact,depth [m]\n0.25,a.hull:b.hull,0.001\n";

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_run(const char *title)
{
    char text[1024];
    mkdir("page.run", 0777);
    snprintf(text, sizeof text, scene_json, title);
    write_text("page.run/scene.json", text);
    snprintf(text, sizeof text, summary_json, title);
    write_text("page.run/summary.json", text);
    write_text("page.run/replay.csv", replay_csv);
    write_text("page.run/contacts.csv", contacts_csv);
}

static char *read_page(const char *path)
{
    static char text[1 << 23];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(length < sizeof text - 1);
    text[length] = '\0';
    return text;
}

/* What stands between the tags of the element of that id; NULL when there is none. Shared memory. */
static const char *element(const char *page, const char *type, const char *id)
{
    static char content[4096];
    char open[128];
    snprintf(open, sizeof open, "<script type=\"%s\" id=\"%s\">", type, id);
    const char *at = strstr(page, open);
    if (!at) return NULL;
    at += strlen(open);
    const char *end = strstr(at, "</script");
    assert_non_null(end);
    assert_true((size_t)(end - at) < sizeof content);
    memcpy(content, at, (size_t)(end - at));
    content[end - at] = '\0';
    return content;
}

static void holds_the_data(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    char expected[1024];
    make_run("two balls");
    unlink("page.html");
    check_ok(fender_report_write(&env, "page.run", "page.html", &error));
    const char *page = read_page("page.html");
    assert_null(strstr(page, "<!-- FENDER-DATA -->"));
    assert_string_equal(element(page, "text/csv", "fender-replay"), replay_csv);
    assert_string_equal(element(page, "text/csv", "fender-contacts"), contacts_csv);
    snprintf(expected, sizeof expected, scene_json, "two balls");
    assert_string_equal(element(page, "application/json", "fender-scene"), expected);
    snprintf(expected, sizeof expected, summary_json, "two balls");
    assert_string_equal(element(page, "application/json", "fender-summary"), expected);
}

/* Whatever the JSON files hold, no '<' of theirs reaches the page, and what it stood for does. */
static void hostile_data(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    make_run(hostile_title);
    check_ok(fender_report_write(&env, "page.run", "page.html", &error));
    const char *page = read_page("page.html");
    assert_null(strstr(page, "<script>alert(1)"));
    const char *ids[] = {"fender-scene", "fender-summary"};
    for (int i = 0; i < 2; i++) {
        const char *content = element(page, "application/json", ids[i]);
        assert_non_null(content);
        assert_null(strchr(content, '<'));
        assert_non_null(
            strstr(content, "\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!-- \\u003cscript>"));
    }
    make_run("plain");
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text; /* NULL: the file is missing */
        fender_status status;
        const char *message, *found;
        int line;
    } cases[] = {
        {"scene.json", NULL, FENDER_STATUS_FILE, "No such file", "", 0},
        {"replay.csv", NULL, FENDER_STATUS_FILE, "No such file", "", 0},
        {"contacts.csv", NULL, FENDER_STATUS_FILE, "No such file", "", 0},
        {"summary.json", NULL, FENDER_STATUS_FILE, "No such file", "", 0},
        {"scene.json", "", FENDER_STATUS_PARSE, "empty", "", 1},
        {"scene.json", "{\"format\":\"fender-scene\",\"version\":1,\n\"title\":\"cut", FENDER_STATUS_PARSE,
         "not a complete JSON object", "the end of the file", 2},
        {"scene.json", "{\"format\":\"fender-scene\",\"version\":1}\n{}", FENDER_STATUS_PARSE,
         "not a complete JSON object", "something else", 2},
        {"scene.json", "{\"format\":\"fender-scene\",\"version\":1,}", FENDER_STATUS_PARSE,
         "not a complete JSON object", "", 1},
        {"scene.json", "[1]", FENDER_STATUS_PARSE, "not a complete JSON object", "", 1},
        {"scene.json", "{\"format\":\"fender-scene\",\"version\":2}", FENDER_STATUS_PARSE, "not of a format",
         "fender-scene version 2", 1},
        {"scene.json", "{\"inner\":{\"format\":\"fender-scene\",\"version\":1}}", FENDER_STATUS_PARSE,
         "not of a format", "no format", 1},
        {"summary.json", "{\"format\":\"fender-scene\",\"version\":1}", FENDER_STATUS_PARSE, "not of a format",
         "fender-scene version 1", 1},
        {"replay.csv", "t,x\n0,1\n", FENDER_STATUS_PARSE, "not a table of a run", "t,x", 1},
        {"replay.csv", "time [s],x\n0,1\n0,</script>\n", FENDER_STATUS_PARSE, "holds a '<'", "'<'", 3},
        {"contacts.csv", "time [s],contact\n0,\xff\n", FENDER_STATUS_PARSE, "not UTF-8", "byte 0xFF", 2},
    };
    fender_env env = fender_env_default();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[100];
        fender_error error = {0};
        make_run("plain");
        unlink("refused.html");
        snprintf(path, sizeof path, "page.run/%s", cases[i].file);
        if (cases[i].text) write_text(path, cases[i].text);
        else unlink(path);
        fender_status status = fender_report_write(&env, "page.run", "refused.html", &error);
        bool good = status == cases[i].status && error.status == status && strstr(error.message, cases[i].message) &&
                    strstr(error.found, cases[i].found) && strcmp(error.source, path) == 0 &&
                    error.line == cases[i].line && strstr(error.suggestion, "run the scenario again");
        if (cases[i].text && !cases[i].text[0]) good = strstr(error.message, "empty") && status == cases[i].status;
        if (cases[i].status == FENDER_STATUS_PARSE && strstr(error.message, "UTF-8")) good = error.line == 2;
        if (!good)
            print_error("case %zu: status %d line %d %s | %s | %s | %s\n", i, (int)status, error.line, error.source,
                        error.message, error.found, error.suggestion);
        assert_true(good);
        assert_int_equal(access("refused.html", F_OK), -1);
    }
    make_run("plain");
}

/* An earlier page stays whole when the new one cannot be written. */
static void unwritable(void **state)
{
    (void)state;
    static const struct {
        const char *path, *message;
    } cases[] = {{"/dev/full", "No space left"}, {"missing/page.html", "No such file"}, {"page.run", "Is a directory"}};
    fender_env env = fender_env_default();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_error error = {0};
        assert_int_equal(fender_report_write(&env, "page.run", cases[i].path, &error), FENDER_STATUS_FILE);
        if (!strstr(error.message, cases[i].message)) print_error("%s\n", error.message);
        assert_non_null(strstr(error.message, cases[i].message));
        assert_true(error.suggestion[0] != '\0');
    }
    assert_int_equal(fender_report_write(&env, NULL, "page.html", NULL), FENDER_STATUS_ARGUMENT);
}

static void memory(void **state)
{
    (void)state;
    counted_memory clean = {0};
    fender_env env = counted_env(&clean);
    check_ok(fender_report_write(&env, "page.run", "page.html", &error));
    assert_int_equal(clean.live, 0);
    for (int n = 1; n <= clean.calls; n++) {
        counted_memory c = {.fail_at = n};
        fender_error error = {0};
        env.allocator.ctx = &c;
        assert_int_equal(fender_report_write(&env, "page.run", "page.html", &error), FENDER_STATUS_MEMORY);
        assert_int_equal(error.status, FENDER_STATUS_MEMORY);
        assert_int_equal(c.live, 0);
    }
    print_message("%ld allocations of a report failed in turn\n", clean.calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_the_data), cmocka_unit_test(hostile_data), cmocka_unit_test(refused),
        cmocka_unit_test(unwritable),     cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
