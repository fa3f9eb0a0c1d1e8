/* Geometries in scene.json: points and triangles as the scenario has them, every n-th point of a fine grid. */
#include "run_test.h"

enum { COLUMNS = 603, ROWS = 4, EVERY = 3 }; /* 201 columns and 2 rows are shown */

static double height(int i, int j) { return (7 * i + 5 * j) % 11; }
static double column(int i, bool even) { return even ? 0.5 * i : 0.25 * i * i; }

static void write_grid(const char *path, bool even)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file, "x [m],y [m],height [m]\n");
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++) fprintf(file, "%.17g,%d,%g\n", column(i, even), 2 * j, height(i, j));
    fclose(file);
}

/* What scene.json says of the shape after its name, up to its material. */
static void expect_shape(const char *scene, const char *shape, const char *expected)
{
    char name[64];
    snprintf(name, sizeof name, "{\"name\":\"%s\",\"geometry\":", shape);
    const char *at = strstr(scene, name);
    assert_non_null(at);
    at += strlen(name);
    if (strncmp(at, expected, strlen(expected)) != 0) print_error("%s: %.300s\n", shape, at);
    assert_true(strncmp(at, expected, strlen(expected)) == 0);
    assert_true(strncmp(at + strlen(expected), ",\"material\":", 12) == 0);
}

static void expect_grid(const char *scene, const char *shape, bool even)
{
    static char text[1 << 16];
    size_t at = (size_t)snprintf(text, sizeof text, "{\"type\":\"grid\",\"vertices\":[");
    const int shown = (COLUMNS - 1) / EVERY + 1;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < shown; i++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%.15g,%d,%g", i + j > 0 ? "," : "",
                                   column(EVERY * i, even), 2 * EVERY * j, height(EVERY * i, EVERY * j));
    at += (size_t)snprintf(text + at, sizeof text - at, "],\"triangles\":[");
    for (int i = 0; i + 1 < shown; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%d,%d,%d,%d,%d,%d", i > 0 ? "," : "", i, i + 1,
                               shown + i + 1, i, shown + i + 1, shown + i);
    snprintf(text + at, sizeof text - at, "]}");
    expect_shape(scene, shape, text);
}

static void geometries(void **state)
{
    (void)state;
    static const char text[] = "fender: 1\n"
                               "integrator: {step: 1 ms}\n"
                               "run: {until: 1 ms}\n"
                               "bodies:\n"
                               "  ground:\n"
                               "    motion: fixed\n"
                               "    shapes:\n"
                               "      even: {grid: {file: scene_even.csv}}\n"
                               "      uneven: {grid: {file: scene_uneven.csv}}\n"
                               "      mesh: {mesh: {file: scene_mesh.obj, unit: m}}\n"
                               "      cloud: {cloud: {points: [[1, 2, 3], [4, 5.5, -6]]}}\n"
                               "      hull: {hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}\n";
    static const char mesh[] = "v 0 0 0\nv 2 0 0.5\nv 0 2 0\nv 3 3 1\nf 1 2 3\nf 2 4 3\n";
    write_grid("scene_even.csv", true);
    write_grid("scene_uneven.csv", false);
    FILE *file = fopen("scene_mesh.obj", "wb");
    assert_non_null(file);
    fputs(mesh, file);
    fclose(file);
    diagnostics f = {0};
    fender_env env = fender_env_default();
    env.report = collect_diagnostic;
    env.report_ctx = &f;
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, NULL);
    if (!scenario) print_error("%s\n", f.text);
    assert_non_null(scenario);
    remove_directory("out_scene");
    fender_run_def def = {.scenario = scenario, .output_directory = "out_scene"};
    fender_run *run = fender_run_create(&env, &def, NULL);
    assert_non_null(run);
    check_ok(fender_run_execute(run, &error));
    const char *scene = read_run_file("out_scene", "scene.json");
    expect_grid(scene, "even", true);
    expect_grid(scene, "uneven", false);
    expect_shape(scene, "mesh",
                 "{\"type\":\"mesh\",\"vertices\":[0,0,0,2,0,0.5,0,2,0,3,3,1],\"triangles\":[0,1,2,1,3,2]}");
    expect_shape(scene, "cloud", "{\"type\":\"cloud\",\"vertices\":[1,2,3,4,5.5,-6]}");
    const char *hull = strstr(scene, "{\"type\":\"hull\",\"vertices\":["); /* in an order of its own */
    assert_non_null(hull);
    assert_non_null(strstr(hull, "],\"triangles\":["));
    int numbers = 1;
    for (const char *c = strstr(hull, "\"triangles\":["); *c != ']'; c++) numbers += *c == ',';
    assert_int_equal(numbers, 12);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    remove_directory("out_scene");
    remove("scene_even.csv");
    remove("scene_uneven.csv");
    remove("scene_mesh.obj");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(geometries)};
    return cmocka_run_group_tests_name("scene geometry", tests, NULL, NULL);
}
