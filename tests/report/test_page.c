/* What a report makes of a run beside the files that it copies: packed numbers, the model, recordings, the scenario. */
#include "check.h"

#include <fender/io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char scenario[] =
    "fender: 1\n"
    "title: a ball <on> the floor\n"
    "world: {gravity: [0, 0, -10, m/s^2]}\n"
    "integrator: {method: rk4, step: 1 ms}\n"
    "run: {until: 3 s}\n"
    "materials: {rubber: {}}\n"
    "contact_types:\n"
    "  bounce: {normal: {law: spring_damper, stiffness: 40 kN/m, damping: 20 N*s/m}, friction: {law: coulomb, mu: "
    "0.25, "
    "slip_speed: 1 mm/s}}\n"
    "rules:\n"
    "  - {materials: [rubber, rubber], use: bounce}\n"
    "  - {bodies: [floor, ball], use: never}\n"
    "bodies:\n"
    "  floor: {motion: fixed, shapes: {plate: {plane: {}, material: rubber}}}\n"
    "  ball: {mass_properties: {mass: 2 kg, center_of_mass: [1, 2, 3, mm], inertia: [0.1, 0.2, 0.25]}, state: "
    "{position: "
    "[0, 0, 1, m]}, shapes: {skin: {sphere: {radius: 10 cm}, material: rubber}}, points: {top: {position: [0, 0, 1, "
    "m]}}}\n"
    "record:\n"
    "  fall: {file: fall.csv, every: 1 ms, channels: [bodies.ball.position.z, ledger.energy.kinetic]}\n";

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static char *page; /* of the latest report */

static void report(const char *directory)
{
    fender_env env = fender_env_default();
    check_ok(fender_report_write(&env, directory, "made.html", &error));
    FILE *file = fopen("made.html", "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    rewind(file);
    free(page);
    page = calloc(1, (size_t)length + 1);
    assert_int_equal(fread(page, 1, (size_t)length, file), (size_t)length);
    fclose(file);
}

/* From the content of the element on; NULL when there is none. */
static const char *element(const char *type, const char *id)
{
    char open[128];
    snprintf(open, sizeof open, "<script type=\"%s\" id=\"%s\">", type, id);
    const char *at = strstr(page, open);
    return at ? at + strlen(open) : NULL;
}

/* Does the element hold the text, before the next one begins? */
static bool holds(const char *type, const char *id, const char *text)
{
    const char *at = element(type, id);
    if (!at) return false;
    const char *found = strstr(at, text), *end = strstr(at, "</script>");
    if (!found || found > end) print_error("%s lacks %s\n", id, text);
    return found && found < end;
}
static bool model_holds(const char *text) { return holds("application/json", "fender-model", text); }

static void make_run(void)
{
    fender_env env = fender_env_default();
    fender_error fault = {0};
    write_text("made.yaml", scenario);
    fender_scenario *loaded = fender_scenario_load(&env, NULL, "made.yaml", NULL, 0, &fault);
    if (!loaded) print_error("%d %s: %s, found %s\n", fault.line, fault.path, fault.message, fault.found);
    assert_non_null(loaded);
    fender_run_def def = {.scenario = loaded, .output_directory = "made.run"};
    fender_run *run = fender_run_create(&env, &def, NULL);
    assert_non_null(run);
    check_ok(fender_run_execute(run, &error));
    fender_run_destroy(run);
    fender_scenario_destroy(loaded);
}

static void model_of_a_run(void **state)
{
    (void)state;
    make_run();
    report("made.run");
    assert_true(model_holds("\"name\":\"ball\",\"mass\":2,\"center_of_mass\":[0.001,0.002,0.003],"
                            "\"inertia\":[0.1,0,0,0,0.2,0,0,0,0.25]"));
    assert_true(model_holds("\"part\":\"normal\",\"law\":\"spring_damper\""));
    assert_true(model_holds("\"name\":\"stiffness\",\"unit\":\"N/m\""));
    assert_true(model_holds("\"value\":40000"));
    assert_true(model_holds("\"part\":\"friction\",\"law\":\"coulomb\""));
    assert_true(model_holds("\"name\":\"mu\",\"unit\":\"\""));
    assert_true(model_holds("\"kind\":\"materials\",\"a\":\"rubber\",\"b\":\"rubber\",\"use\":\"bounce\""));
    assert_true(model_holds("\"kind\":\"bodies\",\"a\":\"floor\",\"b\":\"ball\"}"));
    assert_false(strstr(element("application/json", "fender-model"), "\"missing\"") != NULL);
}

static void files_of_a_run(void **state)
{
    (void)state;
    report("made.run");
    assert_true(holds("application/json", "fender-scenario", "title: a ball \\u003con> the floor\\n"));
    assert_true(holds("text/csv", "fender-events", "time [s],event,contact"));
    assert_true(holds("text/csv", "fender-episodes", "contact,begin_time [s]"));
    /* 3001 rows: the first, two of each four between, and the last */
    const char *recordings = "fender-recordings";
    assert_true(holds("application/json", recordings, "\"file\":\"fall.csv\",\"rows\":3001,\"stride\":4,\"time\":0"));
    assert_true(holds("application/json", recordings, "\"values\":[0,0.001,0.004,0.005,"));
    assert_true(holds("application/json", recordings, ",2.997,2.999,3]"));
    assert_true(
        holds("application/json", recordings, "\"name\":\"bodies.ball.position.z\",\"unit\":\"m\",\"values\":[1,"));
    assert_true(holds("application/json", recordings, "\"name\":\"ledger.energy.kinetic\",\"unit\":\"J\""));
}

/* Of more rows than a page takes, the peaks of single rows are there, and gaps stay gaps. */
static void peaks_of_a_long_table(void **state)
{
    (void)state;
    FILE *file = fopen("made.run/peaks.csv", "w");
    assert_non_null(file);
    fputs("time [s],push [N],gap [m]\n", file);
    for (int i = 0; i < 20000; i++)
        fprintf(file, "%d,%s,%s\n", i, i == 7777 ? "654321" : i == 7779 ? "-123456" : "1", i < 10000 ? "2" : "nan");
    fclose(file);
    report("made.run");
    unlink("made.run/peaks.csv");
    const char *recordings = "fender-recordings";
    assert_true(holds("application/json", recordings, "\"file\":\"peaks.csv\",\"rows\":20000,\"stride\":20,"));
    assert_true(holds("application/json", recordings, ",654321,-123456,")); /* of one bin, in the order of rows */
    assert_true(holds("application/json", recordings, ",2,null,null,"));
    assert_true(holds("application/json", recordings, "\"values\":[0,1,20,21,40,"));
}

/* A list of contacts: every quantity of a contact is a column over the times of the list, with gaps where the contact
 * is not in it. Of 103 contacts a page holds the first hundred. */
static void list_of_contacts(void **state)
{
    (void)state;
    write_text("made.run/touch.csv", "time [s],contact,depth [m],mode\n"
                                     "0,a.x:b.y,0.5,slip\n0,c.x:b.y[12],0.25,slip\n1,c.x:b.y[12],0.125,slip\n"
                                     "3,c.x:b.y[12],2,stick\n3,a.x:b.y,4,stick\n");
    report("made.run");
    const char *recordings = "fender-recordings";
    assert_true(holds("application/json", recordings,
                      "\"file\":\"touch.csv\",\"rows\":3,\"stride\":1,\"time\":0,\"contacts\":2,"));
    assert_true(holds("application/json", recordings, "{\"name\":\"time\",\"unit\":\"s\",\"values\":[0,1,3]}"));
    assert_true(
        holds("application/json", recordings, "{\"name\":\"a.x:b.y.depth\",\"unit\":\"m\",\"values\":[0.5,null,4]}"));
    assert_true(holds("application/json", recordings,
                      "{\"name\":\"c.x:b.y[12].depth\",\"unit\":\"m\",\"values\":[0.25,0.125,2]}"));
    assert_false(holds("application/json", recordings, "mode"));
    FILE *file = fopen("made.run/touch.csv", "wb");
    assert_non_null(file);
    fprintf(file, "time [s],contact,depth [m]\n");
    for (int i = 0; i < 103; i++) fprintf(file, "0,a.x:b.y[%d],%d\n", i, i);
    fclose(file);
    report("made.run");
    assert_true(holds("application/json", recordings, "\"rows\":1,\"stride\":1,\"time\":0,\"contacts\":103,"));
    assert_true(holds("application/json", recordings, "a.x:b.y[99].depth"));
    unlink("made.run/touch.csv");
    assert_false(holds("application/json", recordings, "a.x:b.y[100].depth"));
}

/* A run whose scenario is gone still has a page, which says so. */
static void run_without_a_scenario(void **state)
{
    (void)state;
    unlink("made.run/scenario.sources");
    unlink("made.run/scenario.yaml");
    unlink("made.run/events.csv");
    unlink("made.run/fall.csv");
    report("made.run");
    assert_true(model_holds("\"missing\":\""));
    assert_true(holds("application/json", "fender-scenario", "\"\"</script>"));
    assert_true(holds("application/json", "fender-recordings", "\"tables\":[]}"));
    assert_null(element("text/csv", "fender-events"));
}

/* A list of `count` groups of three numbers. */
static void append_list(FILE *file, const char *key, int count, const char *first, const char *others)
{
    fprintf(file, "\"%s\":[%s", key, first);
    for (int i = 1; i < count; i++) fprintf(file, ",%s", others);
    fputc(']', file);
}

/* Long lists arrive as bytes: little-endian single precision about the middle of the points, and 32-bit indices. */
static void packed_numbers(void **state)
{
    (void)state;
    FILE *file = fopen("made.run/scene.json", "wb");
    assert_non_null(file);
    fputs("{\"format\":\"fender-scene\",\"version\":1,\"title\":\"\\\"vertices\\\":[1\",\"bodies\":[{", file);
    append_list(file, "vertices", 1000, "6400000,0.5,-3", "6400002,0.5,-1");
    fputc(',', file);
    append_list(file, "triangles", 1001, "0,1,258", "1,0,2");
    fputs("},{", file);
    append_list(file, "vertices", 999, "1,2,3", "4,5,6");
    fputs("}]}", file);
    fclose(file);
    report("made.run");
    /* -1, 0, -1 and 1, 0, 1 about 6400001, 0.5, -2 */
    assert_true(holds("application/json", "fender-scene",
                      "{\"vertices\":{\"origin\":[6400001,0.5,-2],\"float32\":\"AACAvwAAAAAAAIC/AACAPwAAAAAAAIA/"));
    assert_true(
        holds("application/json", "fender-scene", "\"},\"triangles\":{\"uint32\":\"AAAAAAEAAAACAQAAAQAAAAAAAAAC"));
    assert_true(holds("application/json", "fender-scene", "{\"vertices\":[1,2,3,4,5,6,4,"));
    assert_true(holds("application/json", "fender-scene", "\"title\":\"\\\"vertices\\\":[1\""));
    /* 3003 words of four bytes are 4004 groups */
    const char *indices = strstr(element("application/json", "fender-scene"), "\"uint32\":\"") +
                          strlen("\"uint32\":\"");
    assert_int_equal(strcspn(indices, "\""), 4 * 4004);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(model_of_a_run),         cmocka_unit_test(files_of_a_run),
                                       cmocka_unit_test(peaks_of_a_long_table),  cmocka_unit_test(list_of_contacts),
                                       cmocka_unit_test(run_without_a_scenario), cmocka_unit_test(packed_numbers)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(page);
    return failed;
}
