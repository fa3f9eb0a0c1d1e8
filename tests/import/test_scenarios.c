/* `geometries` of scenarios: one geometry for all shapes that name it, placed by offset and direction-cosine matrix
 * (M032); at the Earth's radius rays and contacts see the ground where the file has it, to the resolution of the pose.
 */
/* items: M019 */
#include "mesh_bytes.h"

#include "check.h"
#include <fender/io.h>
#include <unistd.h>

#define HEAD                                                \
    "fender: 1\nrun: {until: 1 s}\nrules: [{default: t}]\n" \
    "contact_types: {t: {law: spring_damper, stiffness: 1 kN/m, damping: 0 N*s/m}}\n"

static int diagnostics;
static char last[512];
static void note(void *ctx, const fender_diagnostic *d)
{
    (void)ctx;
    diagnostics++;
    snprintf(last, sizeof last, "%d %s: %s (%s)", d->severity, d->file, d->message, d->found);
}

static fender_world *build(const char *text)
{
    fender_env env = fender_env_default();
    env.report = note;
    diagnostics = 0;
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "text", text, strlen(text), NULL, 0, NULL);
    if (!scenario) print_message("%s\n", last);
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    if (!world) print_message("%s\n", last);
    assert_non_null(world);
    fender_scenario_destroy(scenario);
    return world;
}

static fender_shape_def shape(const fender_world *world, const char *name)
{
    fender_shape_def def = fender_shape_def_default();
    for (int i = 0; i < fender_shape_count(world); i++) {
        fender_shape_id id = fender_shape_at(world, i);
        if (strcmp(fender_shape_name(world, id), name) != 0) continue;
        assert_int_equal(fender_shape_get_def(world, id, &def), FENDER_STATUS_OK);
        return def;
    }
    fail_msg("no shape %s", name);
    return def;
}

static void write_file(const char *name, const bytes *b)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(b->data, 1, b->length, file), b->length);
    fclose(file);
}

static solid thing;
static bytes file;

static void one_geometry_for_all(void **unused)
{
    (void)unused;
    memset(&thing, 0, sizeof thing);
    make_box(&thing, 2, 3, 4);
    as_ac3d(&thing, &file);
    write_file("box.ac", &file);
    fender_world *world = build(
        HEAD "geometries:\n"
             "  box: {ac3d: box.ac, unit: mm, scale: 500, position: [1, 2, 3, m], orientation: "
             "{matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}}\n"
             "bodies:\n"
             "  a:\n    motion: fixed\n    shapes:\n"
             "      one: {geometry: box}\n"
             "      two: {mesh: box, position: [0, 0, 10, m], pattern: {count: 2, about: [0, 0, 1]}}\n"
             "      three: {hull: box, position: [50, 0, 0, m]}\n"
             "  b:\n    mass_properties: {from_shapes: true, density: 2 kg/m^3}\n"
             "    shapes: {four: {geometry: box}}\n    state: {position: [100, 0, 0, m]}\n");
    fender_shape_def one = shape(world, "one"), two = shape(world, "two_2"), three = shape(world, "three"),
                     four = shape(world, "four");
    assert_true(one.geometry == two.geometry && one.geometry == four.geometry && one.geometry != three.geometry);
    assert_int_equal(fender_geometry_type_of(three.geometry), FENDER_GEOMETRY_HULL);
    assert_int_equal(diagnostics, 0);
    /* the corner (1, 1.5, 2) of the scaled box: turned by a quarter about z to (-1.5, 1, 2), shifted by (1, 2, 3) */
    fender_box box = fender_geometry_bounds(one.geometry, &one.X_SG);
    check_vector(box.lower, fender_vec3_make(-0.5, 2, 3), 1e-15);
    check_vector(box.upper, fender_vec3_make(1, 3, 5), 1e-15);
    box = fender_geometry_bounds(two.geometry, &two.X_SG); /* half a turn about z, 10 m up */
    check_vector(box.lower, fender_vec3_make(-1, -3, 13), 2e-15);
    fender_mass_properties mass;
    assert_int_equal(fender_body_get_mass(world, fender_body_at(world, 1), FENDER_MASS_CORE, &mass), FENDER_STATUS_OK);
    check_near(mass.mass, 2 * 3, 1e-14); /* 24 units of (500 mm)^3 */
    check_vector(mass.center_of_mass, fender_vec3_make(0.25, 2.5, 4), 1e-14);
    fender_world_destroy(world);
    unlink("box.ac");
}

/* Ground of 32-bit terrain programs would lie in steps of half a metre there. */
static void ground_at_the_radius_of_the_earth(void **unused)
{
    (void)unused;
    const double r = 6378137;
    double worst = 0;
    file.length = 0;
    for (int j = 0; j < 21; j++) /* a bumpy sheet of 20 m, across x */
        for (int i = 0; i < 21; i++) say(&file, "v %.17g %d %d\n", r + 0.1 * ((i * 7 + j * 5) % 11), i - 10, j - 10);
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 20; i++)
            say(&file, "f %d %d %d %d\n", 21 * j + i + 1, 21 * j + i + 2, 21 * j + i + 23, 21 * j + i + 22);
    write_file("far.obj", &file);
    fender_world *world = build(HEAD "geometries: {ground: {obj: far.obj, unit: m}}\n"
                                     "bodies: {a: {motion: fixed, shapes: {g: {geometry: ground}}}}\n");
    fender_shape_def g = shape(world, "g");
    int count;
    const fender_vec3 *v = fender_geometry_vertices(g.geometry, &count);
    assert_int_equal(count, 441);
    for (int i = 0; i < count; i++) assert_true(fabs(v[i].x) < 32);
    for (int j = 1; j < 20; j++)
        for (int i = 1; i < 20; i++) {
            fender_ray ray = {{r + 50, i - 10, j - 10}, {-1, 0, 0}, INFINITY};
            fender_ray_hit hit;
            assert_int_equal(fender_geometry_ray_cast(g.geometry, &g.X_SG, &ray, &hit), FENDER_STATUS_OK);
            assert_true(hit.hit);
            double error = fabs(hit.point.x - (r + 0.1 * ((i * 7 + j * 5) % 11)));
            worst = error > worst ? error : worst;
        }
    print_message("largest error of 361 heights at the Earth's radius: %g m\n", worst);
    assert_true(worst <= 1.9e-9); /* two units in the last place of 6.4e6 */
    fender_world_destroy(world);
    unlink("far.obj");
}

static void mending_is_warned_of(void **unused)
{
    (void)unused;
    memset(&thing, 0, sizeof thing);
    make_box(&thing, 2, 3, 4);
    int corner = thing.corners[1]; /* the first face turned */
    thing.corners[1] = thing.corners[3];
    thing.corners[3] = corner;
    as_obj(&thing, &file, false);
    write_file("odd.obj", &file);
    fender_world *world = build(HEAD "geometries: {g: {obj: odd.obj, unit: m}}\n"
                                     "bodies: {a: {motion: fixed, shapes: {g: {geometry: g}}}}\n");
    assert_int_equal(diagnostics, 1);
    assert_string_equal(last, "1 text: 'odd.obj' was mended (2 facets flipped to agree with their neighbours)");
    fender_world_destroy(world);
    unlink("odd.obj");
}

/* Heights a second of arc apart, taken for metres. */
static void degrees_are_warned_of(void **unused)
{
    (void)unused;
    file.length = 0;
    say(&file,
        "ncols 2\nnrows 2\nxllcorner -116.5\nyllcorner 36.5\ncellsize 0.000277777777778\n1200 1207\n1210 1211\n");
    write_file("degrees.asc", &file);
    fender_world *world = build(HEAD "geometries: {g: {esri: degrees.asc, unit: m}}\n"
                                     "bodies: {a: {motion: fixed, shapes: {g: {geometry: g}}}}\n");
    assert_int_equal(diagnostics, 1);
    assert_non_null(
        strstr(last, "1 text: 'degrees.asc' has cliffs of more than 300 times the distance of its heights"));
    fender_world_destroy(world);
    unlink("degrees.asc");
}

/* A mark of missing heights in a grid of the scenario, or of its table, is a pit: told as of files of terrain. */
static void pits_are_warned_of(void **unused)
{
    (void)unused;
    static const char *const grids[] = {
        "{heights: [[0, 1, 0], [0, -9999, 0], m], spacing: [1, 1, m]}",
        "{heights: [[0, 1, 0], [0, -9999, 0], m], x: [0, 1, 3, m], y: [0, 2, m]}", "{file: pit.csv}",
        "{heights: [[0, 290, 0], [0, 0, 0], m], spacing: [1, 1, m]}", /* steep, but no cliff */
        "{heights: [[0, 550, 0], [0, 0, 0], m], x: [0, 2, 4, m], y: [0, 2, m]}"};
    file.length = 0;
    say(&file, "x [m],y [m],height [m]\n0,0,0\n1,0,-9999\n0,1,0\n1,1,0\n");
    write_file("pit.csv", &file);
    for (int i = 0; i < 5; i++) {
        char text[400];
        snprintf(text, sizeof text, HEAD "bodies: {a: {motion: fixed, shapes: {g: {grid: %s}}}}\n", grids[i]);
        diagnostics = 0;
        fender_world *world = build(text);
        assert_int_equal(diagnostics, i < 3);
        if (i < 3) assert_non_null(strstr(last, "the grid has cliffs of more than 300 times the distance"));
        fender_world_destroy(world);
    }
    unlink("pit.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_geometry_for_all), cmocka_unit_test(ground_at_the_radius_of_the_earth),
        cmocka_unit_test(mending_is_warned_of), cmocka_unit_test(degrees_are_warned_of),
        cmocka_unit_test(pits_are_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
