/* Runs as glTF and VTK: solids are closed and as large as they should be, bodies stand where the run had them. */
#include "comma_locale.h"

#include <fender/io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A body for each geometry that has a volume, far away, turning; the box flies. */
static const char scenario[] =
    "fender: 1\n"
    "integrator: {method: velocity_verlet, step: 10 ms}\n"
    "run: {until: 1 s}\n"
    "bodies:\n"
    "  ball: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, state: {position: [6400000.25, 0, 0, m]}, shapes: {s: "
    "{sphere: {radius: 1 m}}}}\n"
    "  pill: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, state: {position: [6400010, 0, 0, m]}, shapes: {s: "
    "{capsule: {radius: 0.5 m, length: 1 m}}}}\n"
    "  brick: {mass_properties: {mass: 1 kg, inertia: [1, 2, 3]}, state: {position: [6400020, 0, 0, m], velocity: [1, "
    "2, "
    "3, m/s], angular_velocity: [0.3, 2, 0.1, rad/s]}, shapes: {s: {box: {size: [1, 2, 3, m]}}}}\n"
    "  rod: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, state: {position: [6400030, 0, 0, m]}, shapes: {s: "
    "{cylinder: {radius: 0.5 m, length: 2 m}}}}\n"
    "  top: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, state: {position: [6400040, 0, 0, m]}, shapes: {s: "
    "{cone: {radius: 0.5 m, height: 2 m}}}}\n"
    "  egg: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, state: {position: [6400050, 0, 0, m]}, shapes: {s: "
    "{ellipsoid: {radii: [1, 2, 0.5, m]}}}}\n";

static char *read_bytes(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(1, *length + 1);
    assert_int_equal(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_run(void)
{
    fender_env env = fender_env_default();
    write_text("solids.yaml", scenario);
    fender_error fault = {0};
    fender_scenario *loaded = fender_scenario_load(&env, NULL, "solids.yaml", NULL, 0, &fault);
    if (!loaded) print_error("%s: %s, found %s\n", fault.path, fault.message, fault.found);
    assert_non_null(loaded);
    fender_run_def def = {.scenario = loaded, .output_directory = "solids.run"};
    fender_run *run = fender_run_create(&env, &def, NULL);
    assert_non_null(run);
    check_ok(fender_run_execute(run, &error));
    fender_run_destroy(run);
    fender_scenario_destroy(loaded);
}

typedef struct vtk {
    char *bytes;
    int points, triangles;
    const char *p; /* three doubles each */
    const char *corners;
} vtk;

/* Reads what export_vtk writes, by the description of VTK's XML files: sizes in the piece, arrays behind the '_'. */
static vtk read_vtk(const char *path)
{
    size_t length;
    vtk v = {.bytes = read_bytes(path, &length)};
    const char *piece = strstr(v.bytes, "<Piece ");
    assert_non_null(piece);
    assert_int_equal(sscanf(piece, "<Piece NumberOfPoints=\"%d\" NumberOfPolys=\"%d\">", &v.points, &v.triangles), 2);
    const char *data = strstr(v.bytes, "<AppendedData encoding=\"raw\">\n_");
    assert_non_null(data);
    data = strchr(data, '_') + 1;
    uint64_t size;
    memcpy(&size, data, sizeof size);
    assert_int_equal(size, (uint64_t)v.points * 24);
    v.p = data + 8;
    memcpy(&size, v.p + size, sizeof size);
    assert_int_equal(size, (uint64_t)v.triangles * 12);
    v.corners = v.p + (size_t)v.points * 24 + 8;
    return v;
}

static fender_vec3 point_of(const vtk *v, int i)
{
    double p[3];
    memcpy(p, v->p + (size_t)i * 24, sizeof p);
    return fender_vec3_make(p[0], p[1], p[2]);
}

/* By the theorem of Gauss: what is open or turned inside out has another one. */
static double volume(const vtk *v)
{
    double sum = 0;
    const fender_vec3 origin = point_of(v, 0);
    for (int i = 0; i < v->triangles; i++) {
        int32_t c[3];
        memcpy(c, v->corners + (size_t)i * 12, sizeof c);
        fender_vec3 p[3];
        for (int k = 0; k < 3; k++) {
            assert_in_range(c[k], 0, v->points - 1);
            p[k] = fender_vec3_sub(point_of(v, c[k]), origin);
        }
        sum += fender_vec3_dot(p[0], fender_vec3_cross(p[1], p[2])) / 6;
    }
    return sum;
}

static void closed_solids(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    const double pi = 3.14159265358979323846;
    const struct {
        const char *file;
        double volume;
        bool exact;
    } solids[] = {{"solids.vtk/ball.vtp", 4 * pi / 3, false}, {"solids.vtk/pill.vtp", 0.25 * pi + pi / 6, false},
                  {"solids.vtk/brick.0000.vtp", 6, true},     {"solids.vtk/brick.0009.vtp", 6, true},
                  {"solids.vtk/rod.vtp", 0.5 * pi, false},    {"solids.vtk/top.vtp", pi / 6, false},
                  {"solids.vtk/egg.vtp", 4 * pi / 3, false}};
    check_ok(fender_export_vtk(&env, "solids.run", "solids.vtk", 10, &error));
    for (size_t i = 0; i < sizeof solids / sizeof solids[0]; i++) {
        vtk v = read_vtk(solids[i].file);
        /* a polygon of 24 corners has 0.989 of its circle's area; spheres have it in two directions */
        check_near(volume(&v) / solids[i].volume, solids[i].exact ? 1 : 0.98, solids[i].exact ? 1e-8 : 0.0125);
        free(v.bytes);
    }
    size_t length;
    char *list = read_bytes("solids.vtk/run.pvd", &length);
    assert_non_null(strstr(list, "<DataSet timestep=\"1\" part=\"2\" name=\"brick\" file=\"brick.0009.vtp\"/>"));
    assert_non_null(strstr(list, "<DataSet timestep=\"1\" part=\"0\" name=\"ball\" file=\"ball.vtp\"/>"));
    free(list);
}

/* The middle of the brick's corners is its place: free flight, whose 100 steps round by up to 4.7e-10 m each at 6.4e6
 * m. */
static void places_in_doubles(void **state)
{
    (void)state;
    vtk v = read_vtk("solids.vtk/brick.0009.vtp");
    fender_vec3 sum = {0, 0, 0};
    assert_int_equal(v.points, 8);
    for (int i = 0; i < 8; i++) sum = fender_vec3_add(sum, point_of(&v, i));
    check_vector(fender_vec3_scale(0.125, sum), fender_vec3_make(6400021, 2, 3), 4.7e-8);
    free(v.bytes);
}

static uint32_t int_at(const char *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* Lengths of the file and its chunks; the last translation of the brick, relative to the sphere; quaternions of
 * length 1.
 */
static void glb(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    size_t length;
    check_ok(fender_export_gltf(&env, "solids.run", "solids.glb", 10, &error));
    char *bytes = read_bytes("solids.glb", &length);
    assert_memory_equal(bytes, "glTF", 4);
    assert_int_equal(int_at(bytes + 4), 2);
    assert_int_equal(int_at(bytes + 8), length);
    const size_t json = int_at(bytes + 12);
    assert_memory_equal(bytes + 16, "JSON", 4);
    assert_int_equal(json % 4, 0);
    const size_t binary = int_at(bytes + 20 + json);
    assert_memory_equal(bytes + 24 + json, "BIN\0", 4);
    assert_int_equal(28 + json + binary, length);
    char *text = calloc(1, json + 1);
    memcpy(text, bytes + 20, json);
    assert_non_null(strstr(text, "\"extras\":{\"origin\":[6400000.25,0,0],\"start_time\":0}"));
    assert_non_null(strstr(text, "{\"name\":\"brick\",\"translation\":[19.75,0,0]"));
    const char *channel = strstr(text, "\"path\":\"translation\"");
    assert_non_null(channel);
    assert_null(strstr(channel + 1, "\"path\":\"translation\""));
    int output = -1, view = -1;
    const char *samplers = strstr(text, "\"samplers\":[{\"input\":0,\"output\":");
    assert_non_null(samplers);
    assert_int_equal(sscanf(samplers, "\"samplers\":[{\"input\":0,\"output\":%d", &output), 1);
    /* accessors and views go together, one to one */
    const char *at = strstr(text, "\"bufferViews\":[") - 1;
    size_t offset = 0, size = 0;
    for (view = 0; view <= output; view++) {
        at = strstr(at + 1, "{\"buffer\":0,\"byteOffset\":");
        assert_non_null(at);
        assert_int_equal(sscanf(at, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", &offset, &size), 2);
    }
    assert_int_equal(size, 10 * 12);
    float last[3];
    memcpy(last, bytes + 28 + json + offset + 9 * 12, sizeof last);
    check_vector(fender_vec3_make((double)last[0], (double)last[1], (double)last[2]), fender_vec3_make(20.75, 2, 3),
                 2e-6);
    for (int i = 0; i < 10; i++) {
        float q[4];
        memcpy(q, bytes + 28 + json + offset + 120 + (size_t)i * 16, sizeof q);
        check_near(sqrt((double)(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])), 1, 1e-6);
    }
    free(text);
    free(bytes);
}

/* The same attitude written as q and as -q: what lies between must not turn round once. */
static void short_way(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    size_t length;
    char *good = read_bytes("solids.run/replay.csv", &length), rows[2000] = "";
    strncat(rows, good, (size_t)(strchr(good, '\n') + 1 - good));
    for (int row = 0; row < 2; row++) {
        strcat(rows, row ? "1" : "0");
        for (int body = 0; body < 6; body++)
            strcat(rows, row && body == 2 ? ",0,0,0,-0.6,-0,-0.8,-0" : ",0,0,0,0.6,0,0.8,0");
        strcat(rows, "\n");
    }
    write_text("solids.run/replay.csv", rows);
    check_ok(fender_export_gltf(&env, "solids.run", "short.glb", 0, &error));
    write_text("solids.run/replay.csv", good);
    char *bytes = read_bytes("short.glb", &length);
    const float turn[8] = {0, 0.8F, 0, 0.6F, 0, 0.8F, 0, 0.6F}; /* twice */
    bool found = false;
    for (size_t at = 0; at + sizeof turn <= length; at += 4) found |= memcmp(bytes + at, turn, sizeof turn) == 0;
    assert_true(found);
    free(bytes);
    free(good);
}

static char told[600];
static void hear(void *ctx, const fender_diagnostic *diagnostic)
{
    (void)ctx;
    assert_int_equal(diagnostic->severity, FENDER_SEVERITY_WARNING);
    snprintf(told, sizeof told, "%s; %s", diagnostic->message, diagnostic->suggestion);
}

/* The brick turns by 1.2 rad from state to state: of nine, every fourth shows another rotation. */
static void fast_turns(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    env.report = hear;
    size_t length;
    char *good = read_bytes("solids.run/replay.csv", &length), rows[6000] = "", cell[100];
    strncat(rows, good, (size_t)(strchr(good, '\n') + 1 - good));
    for (int row = 0; row < 9; row++) {
        snprintf(cell, sizeof cell, "%d", row);
        strcat(rows, cell);
        for (int body = 0; body < 6; body++) {
            const double half = body == 2 ? 0.6 * row : 0;
            snprintf(cell, sizeof cell, ",0,0,0,%.17g,0,%.17g,0", cos(half), sin(half));
            strcat(rows, cell);
        }
        strcat(rows, "\n");
    }
    write_text("solids.run/replay.csv", rows);
    told[0] = '\0';
    check_ok(fender_export_gltf(&env, "solids.run", "turns.glb", 3, &error));
    assert_non_null(
        strstr(told, "'brick' turns by up to 271 degrees between two of 3 frames")); /* 4 chords: 1.4 % less */
    assert_non_null(strstr(told, "--frames 9"));
    told[0] = '\0';
    check_ok(fender_export_gltf(&env, "solids.run", "turns.glb", 9, &error));
    assert_string_equal(told, "");
    write_text("solids.run/replay.csv", good);
    check_ok(fender_export_gltf(&env, "solids.run", "turns.glb", 2, &error)); /* 2 rad */
    assert_non_null(strstr(told, "'brick' turns by up to"));
    free(good);
}

/* Of states whose times are the same as floats one is left: animations must go on. */
static void times_alike(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    static const char *const times[] = {"0", "1", "1.000000001", "2"};
    size_t length;
    char *good = read_bytes("solids.run/replay.csv", &length), rows[2000] = "";
    strncat(rows, good, (size_t)(strchr(good, '\n') + 1 - good));
    for (int row = 0; row < 4; row++) {
        strcat(rows, times[row]);
        for (int body = 0; body < 6; body++) strcat(rows, row == 2 ? ",7,0,0,1,0,0,0" : ",0,0,0,1,0,0,0");
        strcat(rows, "\n");
    }
    write_text("solids.run/replay.csv", rows);
    check_ok(fender_export_gltf(&env, "solids.run", "alike.glb", 0, &error));
    write_text("solids.run/replay.csv", good);
    char *bytes = read_bytes("alike.glb", &length);
    assert_non_null(strstr(bytes + 20, "\"count\":3,\"type\":\"SCALAR\",\"min\":[0],\"max\":[2]"));
    const float moved[9] = {0, 0, 0, 7, 0, 0, 0, 0, 0}; /* the later of the two */
    bool found = false;
    for (size_t at = 0; at + sizeof moved <= length; at += 4) found |= memcmp(bytes + at, moved, sizeof moved) == 0;
    assert_true(found);
    free(bytes);
    free(good);
}

/* Contacts of a state stand there once, though a run that ends at an event writes some rows twice; those between frames
 * are of none. The arrow of glTF is of the pair. */
static void contacts_of_frames(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    static const char head[] = "time [s],contact,depth [m],normal_force [N],friction_force [N],point.x [m],point.y "
                               "[m],point.z [m],force.x [N],force.y [N],force.z [N]\n";
    char rows[1000];
    size_t length;
    snprintf(rows, sizeof rows, "%s%s%s%s%s", head, "0.123,ball.s:egg.s,1e-3,5,0,1,2,3,0,0,5\n",
             "1,ball.s:pill.s,2e-3,7,0,6400001,2,3,0,0,-7\n", "1,ball.s:egg.s,1e-3,5,0,1,2,3,0,5,0\n",
             "1,ball.s:pill.s,2e-3,7,0,6400001,2,3,0,0,-7\n1,rod.s"); /* cut short */
    char *good = read_bytes("solids.run/contacts.csv", &length);
    write_text("solids.run/contacts.csv", rows);
    check_ok(fender_export_vtk(&env, "solids.run", "contacts.vtk", 10, &error));
    set_comma_locale(); /* numbers are JSON's, whatever the locale */
    check_ok(fender_export_gltf(&env, "solids.run", "contacts.glb", 10, &error));
    setlocale(LC_NUMERIC, "C");
    write_text("solids.run/contacts.csv", good);
    free(good);
    char *bytes = read_bytes("contacts.vtk/contact-points.0008.vtp", &length);
    assert_non_null(strstr(bytes, "<Piece NumberOfPoints=\"0\" NumberOfVerts=\"0\">"));
    free(bytes);
    bytes = read_bytes("contacts.vtk/contact-points.0009.vtp", &length);
    assert_non_null(strstr(bytes, "<Piece NumberOfPoints=\"2\" NumberOfVerts=\"2\">"));
    const char *data = strstr(bytes, "<AppendedData encoding=\"raw\">\n_");
    assert_non_null(data);
    const double forces[] = {0, 5, 0, 0, 0, -7};
    assert_memory_equal(strchr(data, '_') + 1 + 8, forces, sizeof forces);
    free(bytes);
    bytes = read_bytes("contacts.glb", &length);
    assert_non_null(strstr(bytes + 20, "\"name\":\"ball.s:egg.s\""));
    assert_non_null(strstr(bytes + 20, "\"name\":\"contact forces\",\"extras\":{\"newtons_per_metre\":"));
    const char *number = strstr(bytes + 20, "newtons_per_metre\":") + strlen("newtons_per_metre\":");
    assert_int_equal(number[strspn(number, "0123456789.e-")], '}');
    free(bytes);
}

static void refused(fender_status expected, const char *word)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    assert_int_equal(fender_export_gltf(&env, "solids.run", "refused.glb", 0, &error), expected);
    if (!strstr(error.found, word) && !strstr(error.expected, word) && !strstr(error.source, word))
        fail_msg("'%s' is not in: %s, found %s, expected %s", word, error.message, error.found, error.expected);
    struct stat about;
    assert_int_not_equal(stat("refused.glb", &about), 0);
}

/* A disk is two lids that meet at the rim: 24 corners each, no triangle without area. */
static void disks(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    write_text(
        "disk.yaml",
        "fender: 1\nrun: {until: 10 ms}\nbodies:\n  d: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, shapes: {s: "
        "{disk: {radius: 1 m}}}}\n");
    fender_scenario *loaded = fender_scenario_load(&env, NULL, "disk.yaml", NULL, 0, NULL);
    assert_non_null(loaded);
    fender_run_def def = {.scenario = loaded, .output_directory = "disk.run"};
    fender_run *run = fender_run_create(&env, &def, NULL);
    assert_non_null(run);
    check_ok(fender_run_execute(run, &error));
    fender_run_destroy(run);
    fender_scenario_destroy(loaded);
    check_ok(fender_export_vtk(&env, "disk.run", "disk.vtk", 0, &error));
    vtk v = read_vtk("disk.vtk/d.vtp");
    assert_int_equal(v.triangles, 48);
    free(v.bytes);
}

/* Tables that do not fit the scenario; each names the place. */
static void bad_tables(void **state)
{
    (void)state;
    size_t length;
    char *good = read_bytes("solids.run/replay.csv", &length), *bad = calloc(1, length + 64);
    memcpy(bad, good, length);
    bad[strlen("time [s],")] = 'B';
    write_text("solids.run/replay.csv", bad);
    refused(FENDER_STATUS_PARSE, "ball.position.x [m]");
    memcpy(bad, good, length);
    *(strchr(bad, '\n') + 3) = 'x';
    write_text("solids.run/replay.csv", bad);
    refused(FENDER_STATUS_PARSE, "numbers");
    char *row = strchr(good, '\n') + 1;
    snprintf(bad, length + 64, "%.*sNaN%s", (int)(row - good), good, strchr(row, ','));
    write_text("solids.run/replay.csv", bad);
    refused(FENDER_STATUS_PARSE, "a time that is not finite");
    memcpy(bad, good, length);
    strchr(bad, '\n')[1] = '\0'; /* the header alone */
    write_text("solids.run/replay.csv", bad);
    refused(FENDER_STATUS_PARSE, "no states");
    write_text("solids.run/replay.csv", good);
    char *contacts = read_bytes("solids.run/contacts.csv", &length);
    write_text("solids.run/contacts.csv", "time [s],contact\n");
    refused(FENDER_STATUS_PARSE, "depth [m]");
    bad = realloc(bad, length + 64);
    snprintf(bad, length + 64, "%s1,ball.s:egg.s,1e-3,5,0,much,2,3,0,5,0\n", contacts);
    write_text("solids.run/contacts.csv", bad);
    refused(FENDER_STATUS_PARSE, "much");
    snprintf(bad, length + 64, "%s1,ball.s:egg.s,1e-3\n", contacts);
    write_text("solids.run/contacts.csv", bad);
    refused(FENDER_STATUS_PARSE, "cells");
    remove("solids.run/contacts.csv");
    refused(FENDER_STATUS_FILE, "contacts.csv");
    free(contacts);
    remove("solids.run/replay.csv");
    refused(FENDER_STATUS_FILE, "replay.csv");
    free(bad);
    free(good);
}

static int setup(void **state)
{
    (void)state;
    make_run();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_solids),
                                       cmocka_unit_test(places_in_doubles),
                                       cmocka_unit_test(glb),
                                       cmocka_unit_test(short_way),
                                       cmocka_unit_test(fast_turns),
                                       cmocka_unit_test(times_alike),
                                       cmocka_unit_test(contacts_of_frames),
                                       cmocka_unit_test(disks),
                                       cmocka_unit_test(bad_tables)};
    return cmocka_run_group_tests(tests, setup, NULL);
}
