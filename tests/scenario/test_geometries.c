/* Every geometry out of a scenario: sizes, masses, mesh files of all kinds, whatever bytes they hold, and their copies
 * in the run directory. */
/* items: C022 C033 C040 S003 */
#include "collect.h"

#include <math.h>

#define FOLDER FENDER_SOURCE_DIR "/tests/scenario/geometries/"

static fender_shape_def shape(const fender_world *world, const char *body, const char *name)
{
    fender_shape_def def = fender_shape_def_default();
    fender_shape_id id;
    char path[64];
    snprintf(path, sizeof path, "%s.%s", body, name);
    for (int i = 0; i < fender_shape_count(world); i++) {
        id = fender_shape_at(world, i);
        if (strcmp(fender_body_name(world, fender_shape_body(world, id)), body) == 0 &&
            strcmp(fender_shape_name(world, id), name) == 0) {
            assert_int_equal(fender_shape_get_def(world, id, &def), FENDER_STATUS_OK);
            return def;
        }
    }
    fail_msg("no shape %s", path);
    return def;
}

static fender_mass_properties mass_of(const fender_world *world, const char *name)
{
    fender_mass_properties p = {0};
    for (int i = 0; i < fender_body_count(world); i++) {
        fender_body_id id = fender_body_at(world, i);
        if (strcmp(fender_body_name(world, id), name) == 0)
            assert_int_equal(fender_body_get_mass(world, id, FENDER_MASS_CORE, &p), FENDER_STATUS_OK);
    }
    return p;
}

static fender_world *build(const char *path)
{
    collection c;
    fender_env env = collecting_env(&c);
    fender_scenario *scenario = fender_scenario_load(&env, NULL, path, NULL, 0, NULL);
    if (!scenario) print_collection(&c);
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    if (!world) print_collection(&c);
    assert_non_null(world);
    fender_scenario_destroy(scenario);
    return world;
}

static void assert_near(double a, double b) { assert_true(fabs(a - b) <= 1e-12 * fabs(b) + 1e-15); }
static void assert_vertex(const fender_geometry *g, int index, double x, double y, double z)
{
    int count;
    const fender_vec3 *v = fender_geometry_vertices(g, &count);
    assert_true(index < count);
    assert_near(v[index].x, x);
    assert_near(v[index].y, y);
    assert_near(v[index].z, z);
}

static void sizes_are_those_of_the_file(void **unused)
{
    (void)unused;
    fender_world *world = build(FOLDER "all.yaml");
    static const struct {
        const char *body, *name;
        fender_geometry_type type;
        int vertices, triangles;
    } expected[] = {
        {"ground", "point", FENDER_GEOMETRY_POINT, 0, 0},
        {"ground", "point_bare", FENDER_GEOMETRY_POINT, 0, 0},
        {"ground", "floor", FENDER_GEOMETRY_PLANE, 0, 0},
        {"ground", "cloud", FENDER_GEOMETRY_CLOUD, 2, 0},
        {"ground", "cloud_rows", FENDER_GEOMETRY_CLOUD, 2, 0},
        {"ground", "cloud_file", FENDER_GEOMETRY_CLOUD, 4, 0},
        {"ground", "disk", FENDER_GEOMETRY_DISK, 0, 0},
        {"ground", "disk_rounded", FENDER_GEOMETRY_DISK, 0, 0},
        {"ground", "ellipsoid", FENDER_GEOMETRY_ELLIPSOID, 0, 0},
        {"ground", "grid", FENDER_GEOMETRY_GRID, 6, 4},
        {"ground", "grid_file", FENDER_GEOMETRY_GRID, 6, 4},
        {"ground", "grid_uneven", FENDER_GEOMETRY_GRID, 6, 4},
        {"ground", "grid_uneven_file", FENDER_GEOMETRY_GRID, 6, 4},
        {"ground", "mesh", FENDER_GEOMETRY_MESH, 8, 12},
        {"ground", "capsule", FENDER_GEOMETRY_CAPSULE, 0, 0},
        {"ground", "ball", FENDER_GEOMETRY_SPHERE, 0, 0},
        {"box", "s", FENDER_GEOMETRY_BOX, 8, 12},
        {"cylinder", "s", FENDER_GEOMETRY_CYLINDER, 0, 0},
        {"cone", "s", FENDER_GEOMETRY_CONE, 0, 0},
        {"hull", "s", FENDER_GEOMETRY_HULL, 4, 4},
        {"hull_stl", "s", FENDER_GEOMETRY_HULL, 8, 12},
        {"hull_obj", "s_2", FENDER_GEOMETRY_HULL, 8, 12},
        {"mesh", "s", FENDER_GEOMETRY_MESH, 8, 12},
        {"extruded", "s", FENDER_GEOMETRY_MESH, 14, 28},
        {"tube", "s_2", FENDER_GEOMETRY_MESH, 4 * 8, 8 * 8},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        fender_shape_def def = shape(world, expected[i].body, expected[i].name);
        int vertices;
        (void)fender_geometry_vertices(def.geometry, &vertices);
        assert_int_equal(fender_geometry_type_of(def.geometry), expected[i].type);
        assert_int_equal(vertices, expected[i].vertices);
        assert_int_equal(fender_geometry_triangles(def.geometry, NULL, 0), 3 * expected[i].triangles);
    }
    assert_vertex(shape(world, "ground", "cloud").geometry, 1, 0.04, 0.05, 0.06);
    assert_vertex(shape(world, "ground", "cloud_rows").geometry, 0, 0.001, 0.002, 0.003);
    assert_vertex(shape(world, "ground", "cloud_rows").geometry, 1, 4, 0.05, 0.006);
    assert_vertex(shape(world, "ground", "cloud_file").geometry, 3, 0, 0, 0.1);
    assert_vertex(shape(world, "ground", "grid").geometry, 5, 1, 0, 0.005);
    assert_vertex(shape(world, "ground", "grid_file").geometry, 4, 11, 22, 0.02);
    assert_vertex(shape(world, "ground", "grid_uneven").geometry, 4, 0.5, 0, 0.004);
    assert_vertex(shape(world, "ground", "grid_uneven_file").geometry, 5, 13, 22, 0.03);
    assert_vertex(shape(world, "ground", "mesh").geometry, 1, 0, 0.1, 0); /* the first triangle is 1, 3, 4 */
    assert_near(fender_geometry_rounding(shape(world, "ground", "disk_rounded").geometry), 0.005);
    assert_near(fender_geometry_radius(shape(world, "ground", "ball").geometry), 2);
    assert_near(fender_geometry_half_extents(shape(world, "ground", "ellipsoid").geometry).z, 0.03);
    assert_near(fender_geometry_rounding(shape(world, "box_half", "s").geometry), 0.01);
    fender_world_destroy(world);
}

static void masses_are_those_of_the_solids(void **unused)
{
    (void)unused;
    fender_world *world = build(FOLDER "all.yaml");
    const double pi = acos(-1);
    fender_mass_properties p = mass_of(world, "box");
    assert_near(p.mass, 48);
    assert_near(p.inertia.m[0][0], 48 * (16 + 36) / 12.0);
    p = mass_of(world, "extruded");
    assert_near(p.mass, 3 * (2 - 0.1));
    assert_near(p.center_of_mass.x, (2 - 0.1 * 2 / 3) / (2 - 0.1));
    p = mass_of(world, "tube"); /* two of 8 sides */
    assert_near(p.mass, 2 * 4 * sin(pi / 4) * (0.25 - 0.16) * 2);
    assert_near(p.center_of_mass.z, 5);
    p = mass_of(world, "revolved");
    assert_true(fabs(p.mass - pi / 4 * 3) < 0.3 && p.center_of_mass.x > 0 && p.center_of_mass.y > 0);
    p = mass_of(world, "hollow_sphere");
    assert_true(fabs(p.mass - 4 * pi / 3 * (0.125 - 0.064)) < 0.08);
    p = mass_of(world, "box_half"); /* rounding adds no mass */
    assert_near(p.mass, 48);
    p = mass_of(world, "cylinder");
    assert_near(p.mass, 4 * pi);
    p = mass_of(world, "cylinder_ends");
    assert_near(p.center_of_mass.x, 2);
    assert_near(p.inertia.m[0][0], 2 * pi); /* along x now */
    p = mass_of(world, "cone");
    assert_near(p.center_of_mass.z, -1);
    p = mass_of(world, "cone_ends"); /* base at the origin, apex below */
    assert_near(p.center_of_mass.z, -1);
    p = mass_of(world, "hull");
    assert_near(p.mass, 1); /* a sixth of a litre of 6 kg */
    p = mass_of(world, "hull_stl");
    assert_near(p.mass, 1);
    assert_near(p.center_of_mass.y, 0.5);
    assert_near(p.inertia.m[1][1], 1 / 6.0);
    p = mass_of(world, "hull_obj");
    assert_near(p.mass, 2);
    p = mass_of(world, "mesh");
    assert_near(p.mass, 1);
    fender_world_destroy(world);
}

static void write_bytes(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static size_t read_bytes(const char *path, char *bytes, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, capacity, file);
    fclose(file);
    return length;
}

/* A cube with a notch cut out of an edge: not convex. */
static size_t notched(char *bytes, bool binary)
{
    static const float v[12][3] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0},
                                   {0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {1, 1, 1}, {1, 2, 1}, {0, 2, 1}};
    static const int t[20][3] = {{0, 3, 1},   {1, 3, 2},  {0, 5, 3},  {3, 5, 4},   {6, 7, 9}, {7, 8, 9}, {6, 9, 11},
                                 {9, 10, 11}, {0, 1, 7},  {0, 7, 6},  {1, 2, 8},   {1, 8, 7}, {2, 3, 9}, {2, 9, 8},
                                 {3, 4, 10},  {3, 10, 9}, {4, 5, 11}, {4, 11, 10}, {5, 0, 6}, {5, 6, 11}};
    size_t length = 0;
    if (binary) {
        memset(bytes, 0, 84);
        memcpy(bytes, "solid by its title, binary by its length", 40);
        bytes[80] = 20;
        length = 84;
    } else length = (size_t)sprintf(bytes, "solid notched\n");
    for (int i = 0; i < 20; i++) {
        if (binary) memset(bytes + length, 0, 12), length += 12;
        else length += (size_t)sprintf(bytes + length, " FACET NORMAL nan nan nan\r\n  Outer Loop\r\n");
        for (int k = 0; k < 3; k++) {
            const float *c = v[t[i][k]];
            if (binary)
                for (int j = 0; j < 3; j++) { /* little-endian */
                    uint32_t word;
                    memcpy(&word, &c[j], 4);
                    for (int b = 0; b < 4; b++) bytes[length++] = (char)(word >> 8 * b & 255);
                }
            else
                length += (size_t)sprintf(bytes + length, "   vertex %g %g %ge0\r\n", (double)c[0], (double)c[1],
                                          (double)c[2]);
        }
        if (binary) bytes[length++] = 0, bytes[length++] = 0;
        else length += (size_t)sprintf(bytes + length, "  endloop\r\n endfacet\r\n");
    }
    if (!binary) length += (size_t)sprintf(bytes + length, "endsolid\r\n");
    return length;
}

/* S004: contact is with the hull, inertia that of the true solid; text and binary files give the same. */
static void a_hull_of_a_file_has_the_inertia_of_its_solid(void **unused)
{
    (void)unused;
    static const char text[] = HEAD "bodies:\n  a:\n    mass_properties: {from_shapes: true, density: 2 kg/m^3}\n"
                                    "    shapes: {s: {hull: {file: notched.stl, unit: m}}}\n";
    static char bytes[16384];
    for (int binary = 0; binary < 2; binary++) {
        write_bytes("notched.stl", bytes, notched(bytes, binary));
        fender_scenario *scenario = parse(text);
        fender_world *world = fender_scenario_build(scenario, NULL, NULL);
        assert_non_null(world);
        fender_mass_properties p = mass_of(world, "a");
        assert_near(p.mass, 6); /* three of the four quarters; the hull alone would have 7 */
        assert_near(p.center_of_mass.x, 5.0 / 6);
        const fender_geometry *hull = shape(world, "a", "s").geometry;
        assert_near(fender_geometry_mass_properties(hull, 2).mass, 7);
        int count;
        (void)fender_geometry_vertices(hull, &count);
        assert_int_equal(count, 10);
        fender_world_destroy(world);
        fender_scenario_destroy(scenario);
    }
    remove("notched.stl");
}

static long live;
static void *counted_allocate(void *ctx, size_t size, size_t alignment)
{
    (void)alignment;
    if (--*(long *)ctx == 0) return NULL;
    live++;
    return malloc(size);
}
static void counted_release(void *ctx, void *memory, size_t size)
{
    (void)ctx, (void)size;
    live--;
    free(memory);
}

/* Files with bytes changed, cut, doubled: read or refused with a place, and nothing is left behind. */
static void mesh_files_may_hold_anything(void **unused)
{
    (void)unused;
    static char good[3][16384], bytes[32768];
    static const char *const names[3] = {"fuzzed.stl", "fuzzed.stl", "fuzzed.obj"};
    size_t lengths[3] = {notched(good[0], false), notched(good[1], true),
                         read_bytes(FOLDER "cube.obj", good[2], 16384)};
    uint64_t state = 1;
    int read = 0, refused = 0;
    for (int n = 0; n < 3000; n++) {
        int kind = n % 3;
        size_t length = lengths[kind];
        memcpy(bytes, good[kind], length);
        for (int change = 0; change < 1 + n % 4; change++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(state >> 33) % length;
            switch (state >> 60 & 3) {
            case 0: bytes[at] = (char)(state >> 20); break;
            case 1: bytes[at] = "0123456789.-e/ \n"[state >> 20 & 15]; break;
            case 2: length = at + 1; break;
            default: memmove(bytes + at, bytes + at / 2, length - at); break;
            }
        }
        write_bytes(names[kind], bytes, length);
        long budget = 0;
        fender_env env = {{counted_allocate, counted_release, &budget}, NULL, NULL};
        char text[256];
        snprintf(text, sizeof text, "%s    shapes: {s: {mesh: {file: %s, unit: m}}}\n", BODY_A, names[kind]);
        fender_error error = {0};
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "text", text, strlen(text), NULL, 0, &error);
        fender_world *world = scenario ? fender_scenario_build(scenario, &env, &error) : NULL;
        if (world) read++;
        else {
            refused++;
            assert_true(error.status != FENDER_STATUS_OK && error.message[0] && error.source[0]);
        }
        fender_world_destroy(world);
        fender_scenario_destroy(scenario);
        assert_int_equal(live, 0);
    }
    remove("fuzzed.stl");
    remove("fuzzed.obj");
    print_message("%d read, %d refused\n", read, refused);
    assert_true(read > 300 && refused > 300);
}

static void memory_may_end_anywhere(void **unused)
{
    (void)unused;
    int refused = 0;
    for (long n = 1;; n++) {
        long budget = n;
        fender_env env = {{counted_allocate, counted_release, &budget}, NULL, NULL};
        fender_error error = {0};
        fender_scenario *scenario = fender_scenario_load(&env, NULL, FOLDER "all.yaml", NULL, 0, &error);
        fender_world *world = scenario ? fender_scenario_build(scenario, &env, &error) : NULL;
        bool done = world != NULL;
        if (!world) {
            refused++;
            assert_int_equal(error.status, FENDER_STATUS_MEMORY);
        }
        fender_world_destroy(world);
        fender_scenario_destroy(scenario);
        assert_int_equal(live, 0);
        if (done) break;
    }
    print_message("%d allocations refused\n", refused);
    assert_true(refused > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_the_file),
        cmocka_unit_test(masses_are_those_of_the_solids),
        cmocka_unit_test(a_hull_of_a_file_has_the_inertia_of_its_solid),
        cmocka_unit_test(mesh_files_may_hold_anything),
        cmocka_unit_test(memory_may_end_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
