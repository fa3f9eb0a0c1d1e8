/* PCM files (P004 to P015): the seed's own example, what may be left out, units, diagnostics with their places, and
 * whatever the bytes: no crash. The diagnostics of malformed.txt stand in malformed.expected. */
/* items: P004 P005 P006 P007 P008 P009 P010 P011 P012 P013 P015 */
#include "collect.h"

#include "random_numbers.h"

#define FOLDER FENDER_SOURCE_DIR "/tests/scenario/pcm/"

static char *read_whole(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "rb");
    if (!file) print_error("no file %s\n", path);
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static fender_scenario *parse_pcm(const char *text, size_t length, collection *c)
{
    fender_env env = collecting_env(c);
    return fender_scenario_parse(&env, NULL, "feet.pcm", text, length, NULL, 0, NULL);
}

static double parameter(const fnd_contact_type_description *type, const char *name)
{
    const fender_field *field = fender_field_find(&type->law->parameters, name);
    assert_non_null(field);
    return fender_field_get(field, type->law_parameters, 0);
}

static void example(void **state)
{
    (void)state;
    collection c;
    const char *text = read_whole(FOLDER "seed.pcm");
    fender_scenario *s = parse_pcm(text, strlen(text), &c);
    if (!s) print_collection(&c);
    assert_non_null(s);
    assert_int_equal(c.count, 0);
    assert_int_equal(s->contact_type_count, 2);
    assert_string_equal(s->contact_types[0].law->name, "DefaultContact");
    assert_string_equal(s->contact_types[1].law->name, "SpringContact");
    assert_true(parameter(&s->contact_types[0], "Error") == 1e-3);
    static const struct {
        const char *name;
        double value;
    } given[] = {{"X_Limit", 1000}, {"Y_Limit", 1000}, {"Z_Limit", 5}, {"K", 1000}, {"B", 10}, {"Error", 0}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        assert_true(parameter(&s->contact_types[1], given[i].name) == given[i].value);
    assert_int_equal(s->record_count, 1);
    assert_string_equal(s->records[0].file.text, "mylog.csv");
    assert_true(s->records[0].every == 0.001 && s->records[0].contact_type == 1);
    assert_int_equal(s->rule_count, 4);
    static const fender_rule_kind kinds[] = {FENDER_RULE_MATERIALS, FENDER_RULE_MATERIALS, FENDER_RULE_BODIES,
                                             FENDER_RULE_BODIES};
    static const int uses[] = {0, 1, 0, 1}, lines[] = {13, 14, 15, 16};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(s->rules[i].kind, kinds[i]);
        assert_int_equal(s->rules[i].use, uses[i]);
        assert_int_equal(s->rules[i].location.line, lines[i]);
    }
    assert_string_equal(s->materials[s->rules[1].material_a].name, "Sticky");
    assert_string_equal(s->bodies[s->rules[3].body_b].id.name, "Wall");
    fender_scenario_destroy(s);
}

/* The same two contact types, however they are written. */
static void forms(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "ContactType A = SpringContact [{ K=1000; Z_Limit=5; }]; ContactType B = DefaultContact;",
        "ContactType A=SpringContact{K=1000;Z_Limit=5;};ContactType B=DefaultContact[{}];",
        "ContactType A = SpringContact [ K = 1e3 ; Z_Limit = 5.0 ; ] ; # behind\nContactType B = DefaultContact { };",
        "ContactType\nA\n=\r\nSpringContact[{K\n=\n1 kN/m\n;\n# in\nZ_Limit=5 N;}\n];ContactType B=DefaultContact[];",
        "ContactType B = DefaultContact; ContactType A = SpringContact [{ Z_Limit=\"5\"; K=.1e4; }];",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        collection c;
        fender_scenario *s = parse_pcm(texts[i], strlen(texts[i]), &c);
        if (!s) print_collection(&c);
        assert_non_null(s);
        assert_int_equal(s->contact_type_count, 2);
        const fnd_contact_type_description *a = &s->contact_types[i == 4];
        assert_true(parameter(a, "K") == 1000 && parameter(a, "Z_Limit") == 5);
        assert_true(parameter(&s->contact_types[i != 4], "K") == 1000);
        fender_scenario_destroy(s);
    }
    collection c;
    static const char empty[] = "# nothing\n\n";
    fender_scenario *s = parse_pcm(empty, strlen(empty), &c);
    assert_non_null(s);
    assert_int_equal(s->contact_type_count, 0);
    fender_scenario_destroy(s);
    static const char told[] = "ContactType A = DefaultContact [{ debug=true; }];";
    s = parse_pcm(told, strlen(told), &c);
    assert_non_null(s);
    assert_true(s->contact_types[0].debug);
    fender_scenario_destroy(s);
    static const char never[] = "ContactType A = DefaultContact; SurfacePair x * y -> never; ObjectPair p * q -> A;";
    s = parse_pcm(never, strlen(never), &c);
    assert_non_null(s);
    assert_true(s->rules[0].use == -1 && s->rules[1].use == 0);
    fender_scenario_destroy(s);
}

/* Each line of malformed.txt is a file. FENDER_GOLDEN_UPDATE writes what is found. */
static void malformed(void **state)
{
    (void)state;
    static char found[1 << 16], texts[1 << 14];
    size_t used = 0;
    int cases = 0;
    snprintf(texts, sizeof texts, "%s", read_whole(FOLDER "malformed.txt"));
    for (char *line = texts; *line; cases++) {
        size_t length = strcspn(line, "\n");
        collection c;
        fender_scenario *s = parse_pcm(line, length, &c);
        if (s) print_error("taken: %.*s\n", (int)length, line);
        assert_null(s);
        assert_true(c.errors > 0);
        used += (size_t)snprintf(found + used, sizeof found - used, "%.*s\n", (int)length, line);
        for (int i = 0; i < c.count; i++)
            used += (size_t)snprintf(found + used, sizeof found - used, "    %d:%d (%d) %s | %s\n", c.list[i].line,
                                     c.list[i].column, c.list[i].length, c.list[i].message, c.list[i].suggestion);
        line += length + (line[length] == '\n');
    }
    assert_true(used < sizeof found);
    assert_true(cases >= 50);
    if (getenv("FENDER_GOLDEN_UPDATE")) {
        FILE *file = fopen(FOLDER "malformed.expected", "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(found, 1, used, file), used);
        fclose(file);
    }
    assert_string_equal(found, read_whole(FOLDER "malformed.expected"));
    print_message("%d malformed files, each with its findings\n", cases);
}

/* The example with bytes changed, cut and put in. */
static void mutations(void **state)
{
    (void)state;
    static const char *const pieces[] = {"[{", "}]", ";", "=",       "*",    "->",   "\"",   "#",           "\n", "{",
                                         "}",  "[",  "]", "1e-3 kg", "\xff", "\xc3", "\x01", "SurfacePair", "C1", "-"};
    static char text[1 << 14];
    int taken = 0;
    for (uint64_t n = 0; n < 4000; n++) {
        random_stream r = random_of_case(77, n);
        size_t length = strlen(read_whole(FOLDER "seed.pcm"));
        memcpy(text, read_whole(FOLDER "seed.pcm"), length + 1);
        for (int k = 1 + random_below(&r, 6); k > 0; k--) {
            size_t at = (size_t)random_below(&r, (int)length + 1), left = length - at;
            const char *piece = pieces[random_below(&r, (int)(sizeof pieces / sizeof pieces[0]))];
            size_t cut = (size_t)random_below(&r, 9), size = random_below(&r, 3) ? strlen(piece) : 0;
            if (cut > left) cut = left;
            memmove(text + at + size, text + at + cut, left - cut);
            memcpy(text + at, piece, size);
            length = length - cut + size;
        }
        collection c;
        fender_scenario *s = parse_pcm(text, length, &c);
        assert_true(s ? c.errors == 0 : c.errors > 0);
        for (int i = 0; i < c.count; i++) assert_true(c.list[i].line >= 0 && c.list[i].message[0] != 0);
        taken += s != NULL;
        fender_scenario_destroy(s);
    }
    print_message("4000 mutants of the example: %d are files as well\n", taken);
    assert_true(taken > 100 && taken < 3900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(example), cmocka_unit_test(forms), cmocka_unit_test(malformed),
                                       cmocka_unit_test(mutations)};
    return cmocka_run_group_tests_name("PCM files", tests, NULL, NULL);
}
