/* The corpus of bad scenarios: place from the caret lines in the files, texts from a table that was written first.
 *
 * A case is bad/NAME.yaml with a line such as "#    ^~~~" below each offending line: its column and length are those of
 * the diagnostic, its line is the one above, and there must be as many diagnostics as carets. The test takes these
 * lines out before it loads the file. "# --set PATH=VALUE" in the first line is an override; carets below it count in
 * the argument. NAME.part.yaml, .csv, .stl, .obj, .ply, .ac, .asc and .raw are files that the case names.
 * expectations.tsv holds status, found, expected and remedy of the first diagnostic; each must be contained in what is
 * reported. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "collect.h"

#include <sys/stat.h>
#include <unistd.h>

#define FOLDER     FENDER_SOURCE_DIR "/tests/scenario/bad/"
#define CARETS_MAX 16
#define SET_PREFIX "# --set "

typedef struct caret {
    char file[128];
    int line, column, length;
} caret;

typedef struct bad_case {
    caret carets[CARETS_MAX];
    int caret_count;
    char set_path[128], set_value[128]; /* "" when the case has no override */
} bad_case;

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return text;
}

/* Length of the run of ^~~~ that is all that the line holds besides spaces and a # at its start; 0 for other lines. */
static int caret_length(const char *line, int *column)
{
    const char *c = line;
    if (*c == '#') c++;
    while (*c == ' ') c++;
    if (*c != '^') return 0;
    int length = 1;
    while (c[length] == '~') length++;
    *column = (int)(c - line) + 1;
    return c[length] == 0 ? length : 0;
}

/* Writes the file without its caret lines into the working folder, and notes the carets. */
static bool strip(const char *name, bad_case *bad)
{
    char path[512];
    snprintf(path, sizeof path, FOLDER "%s", name);
    char *text = read_whole(path);
    if (!text) return false;
    FILE *out = fopen(name, "wb");
    assert_non_null(out);
    int line = 0;
    bool set_line = false;
    for (char *c = text, *next; c; c = next) {
        next = strchr(c, '\n');
        if (next) *next++ = 0;
        caret mark = {.line = line};
        mark.length = caret_length(c, &mark.column);
        if (mark.length > 0) {
            snprintf(mark.file, sizeof mark.file, "%s", set_line ? "--set" : name);
            if (set_line) mark.line = 1, mark.column -= (int)strlen(SET_PREFIX);
            assert_true(bad->caret_count < CARETS_MAX);
            bad->carets[bad->caret_count++] = mark;
            continue;
        }
        set_line = strncmp(c, SET_PREFIX, strlen(SET_PREFIX)) == 0;
        if (set_line) {
            const char *equals = strchr(c, '=');
            assert_non_null(equals);
            snprintf(bad->set_path, sizeof bad->set_path, "%.*s", (int)(equals - c) - (int)strlen(SET_PREFIX),
                     c + strlen(SET_PREFIX));
            snprintf(bad->set_value, sizeof bad->set_value, "%s", equals + 1);
        }
        fprintf(out, "%s%s", c, next ? "\n" : "");
        line++;
    }
    fclose(out);
    free(text);
    return true;
}

/* Loads, and builds when that succeeds; returns the status of the error. */
static fender_status try_scenario(const char *name, const bad_case *bad, collection *c, fender_error *error)
{
    fender_env env = collecting_env(c);
    fender_override override = {bad->set_path, bad->set_value};
    fender_scenario *scenario = fender_scenario_load(&env, NULL, name, &override, bad->set_path[0] ? 1 : 0, error);
    if (!scenario) return error->status;
    fender_world *world = fender_scenario_build(scenario, &env, error);
    fender_status status = world ? FENDER_STATUS_OK : error->status;
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
    return status;
}

static const char *status_name(fender_status status)
{
    switch (status) {
#define STATUS_NAME(number, name, text) \
    case FENDER_STATUS_##name: return #name;
        FENDER_STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
    }
    return "?";
}

static int complain(const char *name, const char *what, const char *wanted, const char *got)
{
    printf("%s: %s: wanted '%s', got '%s'\n", name, what, wanted, got);
    return 1;
}

static int check_text(const char *name, const char *what, const char *wanted, const char *got)
{
    return strstr(got, wanted) ? 0 : complain(name, what, wanted, got);
}

static int check_places(const char *name, const bad_case *bad, const collection *c)
{
    int wrong = 0;
    for (int i = 0; i < bad->caret_count; i++) {
        const caret *mark = &bad->carets[i];
        const collected *d = &c->list[i];
        bool same = i < c->count && strcmp(mark->file, d->file) == 0 && mark->line == d->line &&
                    mark->column == d->column && mark->length == d->length;
        if (same) continue;
        char wanted[256], got[1024];
        snprintf(wanted, sizeof wanted, "%s:%d:%d (%d)", mark->file, mark->line, mark->column, mark->length);
        snprintf(got, sizeof got, "%s:%d:%d (%d)", d->file, d->line, d->column, d->length);
        wrong += complain(name, "place", wanted, i < c->count ? got : "nothing");
    }
    if (c->errors != bad->caret_count) {
        printf("%s: %d carets, %d errors\n", name, bad->caret_count, c->errors);
        wrong++;
    }
    return wrong;
}

static int check_case(char *const column[6])
{
    bad_case bad = {0};
    static collection c;
    fender_error error = {0};
    const char *name = column[0];
    static const char *const endings[] = {"yaml", "csv", "stl", "obj", "ply", "ac", "asc", "raw"};
    assert_true(strip(name, &bad));
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char part[160];
        snprintf(part, sizeof part, "%.*s.part.%s", (int)(strrchr(name, '.') - name), name, endings[i]);
        (void)strip(part, &bad);
    }
    fender_status status = try_scenario(name, &bad, &c, &error);
    int wrong = 0;
    if (strcmp(status_name(status), column[2]) != 0) wrong += complain(name, "status", column[2], status_name(status));
    if (c.count == 0) return wrong + complain(name, "findings", "one", "none");
    wrong += check_places(name, &bad, &c);
    wrong += check_text(name, "found", column[3], c.list[0].found);
    wrong += check_text(name, "expected", column[4], c.list[0].expected);
    wrong += check_text(name, "remedy", column[5], c.list[0].suggestion);
    if (c.list[0].message[0] == 0) wrong += complain(name, "message", "something", "");
    if (error.count != c.errors || strncmp(error.message, c.list[0].message, 200) != 0)
        wrong += complain(name, "fender_error", c.list[0].message, error.message);
    if (wrong) print_collection(&c);
    return wrong;
}

static void corpus(void **state)
{
    (void)state;
    char *table = read_whole(FOLDER "expectations.tsv");
    assert_non_null(table);
    char categories[64][64];
    int category_count = 0, case_count = 0, wrong = 0;
    char *line = strchr(table, '\n') + 1;
    while (*line) {
        char *end = strchr(line, '\n'), *column[6];
        assert_non_null(end);
        *end = 0;
        char *c = line;
        for (int i = 0; i < 6; i++) {
            column[i] = c;
            c += strcspn(c, "\t");
            if (i < 5) assert_int_equal(*c, '\t');
            if (*c) *c++ = 0;
        }
        wrong += check_case(column);
        case_count++;
        int known = 0;
        while (known < category_count && strcmp(categories[known], column[1]) != 0) known++;
        assert_true(known < 64);
        if (known == category_count) snprintf(categories[category_count++], 64, "%s", column[1]);
        line = end + 1;
    }
    free(table);
    printf("%d cases in %d categories\n", case_count, category_count);
    assert_true(case_count >= 60 && category_count >= 20);
    assert_int_equal(wrong, 0);
}

/* ---- whole texts */

static void check_diagnostic(const collected *d, int line, int column, int length, const char *message,
                             const char *suggestion)
{
    assert_int_equal(d->line, line);
    assert_int_equal(d->column, column);
    assert_int_equal(d->length, length);
    assert_string_equal(d->message, message);
    assert_string_equal(d->suggestion, suggestion);
}

/* The three errors that the design shows, word for word, from one file. */
static void words_of_the_manual(void **state)
{
    (void)state;
    collection c;
    assert_null(parse_with(
        "fender: 1\n\nrun: {until: 120 s}\n\nmaterials:\n  guide: {}\n\ncontact_types:\n  guide_on_guide:\n"
        "    normal: {law: spring_damper, stifness: 50 kN/m, damping: 24 kN*s/m}\n\nrules:\n"
        "  - {materials: [guide, guides], use: guide_on_guide}\n\nbodies:\n  station:\n"
        "    mass_properties: {mass: 350e3 kg, inertia: [1.2e8, 9.0e7, 1.8e8, kg*m^2]}\n    shapes:\n      ring:\n"
        "        capsule: {radius: 20 kN, from: [-8, -0.1, 0.4, m], to: [-8, 0.1, 0.4, m]}\n",
        NULL, 0, &c));
    assert_int_equal(c.errors, 3);
    check_diagnostic(&c.list[0], 10, 34, 8, "'stifness' is not a parameter of law 'spring_damper'",
                     "did you mean 'stiffness' [N/m]?   `fender info laws spring_damper` lists all");
    check_diagnostic(&c.list[1], 13, 25, 6, "no material is named 'guides'", "materials here: guide (line 6)");
    check_diagnostic(&c.list[2], 20, 27, 5, "unit 'kN' is a force; 'radius' needs a length [m]",
                     "units of length: m mm cm km in ft");
    assert_string_equal(c.list[2].excerpt,
                        "        capsule: {radius: 20 kN, from: [-8, -0.1, 0.4, m], to: [-8, 0.1, 0.4, m]}");
}

/* One mistake, one diagnostic: what refers to the mistaken thing is not reported too. */
static void no_follow_ups(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD
        "materals: {steel: {}}\nbodies: {a: {motion: fixed, shapes: {s: {sphere: {radius: 1}, material: steel}}}}\n",
        HEAD "materials: steel\nbodies: {a: {motion: fixed, shapes: {s: {sphere: {radius: 1}, material: steel}}}}\n",
        "fender: 1\nrn: {until: 1 s}\nbodies: {a: {motion: fixed}}\n",
        HEAD "bodys: {a: {motion: fixed}}\nloads: {l: {body: a, force: {constant: [1, 0, 0]}}}\n",
        BODY_A "    shapes: {s: {sphere: {radius: x}}}\n  b: {like: a}\n  c: {like: b}\n",
        HEAD "bodies:\n  a: {motion: fixed, shapes: {s: {sphre: {radius: 1}}}}\n  b: {motion: fixed, shapes: {s: "
             "{sphere: {radius: 1}}}}\n"
             "contact_types: {t: {law: spring_damper, stiffness: 1}}\nrules: [{shapes: [a.s, b.s], use: t}]\n",
        HEAD "bodies:\n  b: {like: x}\n  c: {like: b}\nrules: [{bodies: [b, c], use: never}]\n",
        BODY_A "contact_types: {t: {law: spring_dampr, stiffness: 1}}\nrules: [{default: t}]\n",
        BODY_A "    state: {position: [1, 2, 3, mm, x]}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        collection c;
        assert_null(parse_with(texts[i], NULL, 0, &c));
        if (c.errors != 1) print_collection(&c);
        assert_int_equal(c.errors, 1);
    }
}

/* ---- cases that are made here */

static void write_bytes(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static collected refuse(const char *name, fender_status status)
{
    static collection c;
    static const bad_case plain = {0};
    fender_error error = {0};
    fender_status got = try_scenario(name, &plain, &c, &error);
    if (got != status || c.errors != 1) print_collection(&c);
    assert_int_equal(got, status);
    assert_int_equal(c.errors, 1);
    assert_true(c.list[0].message[0] && c.list[0].found[0]);
    return c.list[0];
}

static void huge_file(void **state)
{
    (void)state;
    write_bytes("huge.yaml", "fender: 1\n", 10);
    assert_int_equal(truncate("huge.yaml", 100L << 20), 0); /* sparse: takes no space on the disk */
    collected d = refuse("huge.yaml", FENDER_STATUS_FILE);
    assert_non_null(strstr(d.found, "104857600"));
    assert_non_null(strstr(d.expected, "67108864"));
    unlink("huge.yaml");
}

static void folder_as_file(void **state)
{
    (void)state;
    (void)mkdir("folder.yaml", 0777);
    collected d = refuse("folder.yaml", FENDER_STATUS_FILE);
    assert_non_null(strstr(d.message, "folder.yaml"));
}

static void missing_and_unreadable(void **state)
{
    (void)state;
    collected d = refuse("nowhere/at_all.yaml", FENDER_STATUS_FILE);
    assert_non_null(strstr(d.message, "at_all.yaml"));
    d = refuse("/proc/self/mem", FENDER_STATUS_FILE); /* opens, and cannot be read: also for root */
    assert_non_null(strstr(d.message, "read"));
    if (geteuid() == 0) return; /* root reads every other file */
    write_bytes("closed.yaml", "fender: 1\n", 10);
    assert_int_equal(chmod("closed.yaml", 0), 0);
    (void)refuse("closed.yaml", FENDER_STATUS_FILE);
    unlink("closed.yaml");
}

static void empty_file(void **state)
{
    (void)state;
    write_bytes("empty.yaml", "", 0);
    collected d = refuse("empty.yaml", FENDER_STATUS_PARSE);
    assert_string_equal(d.message, "the file is empty");
    assert_int_equal(d.line, 1);
}

static void bad_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        int line, column;
    } cases[] = {
        {"fender: 1\ntitle: a\0b\n", 21, 2, 9},         /* NUL */
        {"fender: 1\ntitle: \xC3\xA4\xFF\n", 21, 2, 9}, /* no byte of UTF-8, after one two-byte character */
        {"fender: 1\ntitle: \xC0\x80\n", 20, 2, 8},     /* overlong */
        {"fender: 1\ntitle: \xED\xA0\x80\n", 21, 2, 8}, /* surrogate */
        {"fender: 1\ntitle: a\x1B[0m\n", 23, 2, 9},     /* escape */
        {"fender: 1\ntitle: a\xE2\x80\xA8"
         "b\n",
         24, 2, 9}, /* line separator */
        {"\xFF\xFE"
         "f\0e\0",
         6, 1, 1}, /* UTF-16 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_bytes("bytes.yaml", cases[i].bytes, cases[i].length);
        collected d = refuse("bytes.yaml", FENDER_STATUS_PARSE);
        assert_int_equal(d.line, cases[i].line);
        assert_int_equal(d.column, cases[i].column);
    }
}

/* A byte order mark and line ends of other systems are no errors, and move no place. */
static void mark_and_line_ends(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "\357\273\277fender: 1\nrun: {until: 1 s}\nbodies:\n  a: {motion: fixd}\n",
        "fender: 1\r\nrun: {until: 1 s}\r\nbodies:\r\n  a: {motion: fixd}\r\n",
        "fender: 1\rrun: {until: 1 s}\rbodies:\r  a: {motion: fixd}\r",
        "fender: 1\nrun: {until: 1 s}\nbodies:\n  a: {motion: fixd}", /* no line end at the end */
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_bytes("ends.yaml", texts[i], strlen(texts[i]));
        collected d = refuse("ends.yaml", FENDER_STATUS_NAME);
        assert_int_equal(d.line, 4);
        assert_int_equal(d.column, 15);
        assert_int_equal(d.length, 4);
        assert_string_equal(d.excerpt, "  a: {motion: fixd}");
    }
}

static void deep_nesting(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    char *text = malloc(DEPTH + 32);
    assert_non_null(text);
    int n = sprintf(text, "fender: 1\ntitle: ");
    memset(text + n, '[', DEPTH);
    write_bytes("deep.yaml", text, (size_t)n + DEPTH);
    free(text);
    collected d = refuse("deep.yaml", FENDER_STATUS_PARSE);
    assert_non_null(strstr(d.message, "nested too deeply"));
    assert_int_equal(d.line, 2);
    assert_int_equal(d.column, 8 + 63); /* the root map is the first level */
}

static void alias_bomb(void **state)
{
    (void)state;
    static const char text[] = "fender: 1\na: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\n"
                               "c: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c]\n";
    write_bytes("bomb.yaml", text, sizeof text - 1);
    collected d = refuse("bomb.yaml", FENDER_STATUS_PARSE);
    assert_string_equal(d.found, "&a");
    assert_int_equal(d.line, 2);
    assert_int_equal(d.column, 4);
}

/* A file can say too much in a small space; the limit holds and the time is short. */
static void too_many_values(void **state)
{
    (void)state;
    enum { COUNT = 1050000 };
    char *text = malloc(2 * COUNT + 64);
    assert_non_null(text);
    int n = sprintf(text, "fender: 1\ntitle: [");
    for (int i = 0; i < COUNT; i++) memcpy(text + n + 2 * i, "1,", 2);
    strcpy(text + n + 2 * COUNT, "1]\n");
    write_bytes("many.yaml", text, (size_t)n + 2 * COUNT + 3);
    free(text);
    collected d = refuse("many.yaml", FENDER_STATUS_PARSE);
    assert_non_null(strstr(d.message, "too many values"));
    unlink("many.yaml");
}

/* A line of a megabyte with an error at its end: found, placed, and cut for showing. */
static void long_line(void **state)
{
    (void)state;
    enum { COUNT = 300000 };
    char *text = malloc(4 * COUNT + 128);
    assert_non_null(text);
    int n = sprintf(text, "fender: 1\nrun: {until: 1 s}\nbodies: {a: {motion: fixed}}\nrules: [");
    for (int i = 0; i < COUNT; i++) memcpy(text + n + 4 * i, "x,  ", 4);
    strcpy(text + n + 4 * COUNT, "]\n");
    write_bytes("long.yaml", text, (size_t)n + 4 * COUNT + 2);
    free(text);
    static collection c;
    static const bad_case plain = {0};
    fender_error error = {0};
    assert_int_equal(try_scenario("long.yaml", &plain, &c, &error), FENDER_STATUS_PARSE);
    assert_int_equal(c.errors, 500);      /* what is kept of 300,000; the rest is counted */
    assert_int_equal(error.count, COUNT); /* a comma at the end adds no element */
    unlink("long.yaml");
}

/* Hundreds of files are written into the current directory: not into the source. */
static int not_in_the_source(void **state)
{
    (void)state;
    if (access("CMakePresets.json", F_OK) != 0) return 0;
    print_error("this is the source folder: run the test by ctest, or in a folder of its own\n");
    return -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corpus),       cmocka_unit_test(words_of_the_manual), cmocka_unit_test(no_follow_ups),
        cmocka_unit_test(huge_file),    cmocka_unit_test(folder_as_file),      cmocka_unit_test(missing_and_unreadable),
        cmocka_unit_test(empty_file),   cmocka_unit_test(bad_bytes),           cmocka_unit_test(mark_and_line_ends),
        cmocka_unit_test(deep_nesting), cmocka_unit_test(alias_bomb),          cmocka_unit_test(too_many_values),
        cmocka_unit_test(long_line),
    };
    return cmocka_run_group_tests(tests, not_in_the_source, NULL);
}
