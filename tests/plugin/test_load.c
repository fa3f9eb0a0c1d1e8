/* Plug-ins of files: what loads and what is refused with which words; laws of a plug-in in scenarios and PCM files do
 * what built-in ones do, to the bit; snapshots, overrides, events; geometries of a plug-in. */
/* items: C003 C036 P021 */
#include "scenario/collect.h"

#include <fender/plugin.h>
#include <math.h>

#define FOLDER FENDER_BUILD_DIR "/tests/plugins/"

static fender_registry *registry_made(void)
{
    fender_env env = fender_env_default();
    fender_registry *registry = fender_registry_create(&env, NULL);
    assert_non_null(registry);
    return registry;
}

static void loads(void **state)
{
    (void)state;
    static const char *const good[] = {FOLDER "variant_0.so", FOLDER "variant_5.so"};
    for (int i = 0; i < 2; i++) {
        fender_registry *registry = registry_made();
        fender_error error = {0};
        if (fender_registry_load(registry, good[i], &error)) print_error("%s: %s\n", error.message, error.found);
        assert_int_equal(error.status, FENDER_STATUS_OK);
        const fender_law *law = fender_law_find(registry, "push");
        assert_non_null(law);
        assert_string_equal(law->doc, "Spring and damper that only pushes.");
        assert_int_equal(law->parameters.count, 2);
        assert_string_equal(fender_field_find(&law->parameters, "damping")->unit, "N*s/m");
        assert_null(law->derivations);
        error = (fender_error){0};
        assert_int_equal(fender_registry_load(registry, good[0], &error), FENDER_STATUS_NAME); /* its law is there */
        fender_registry_destroy(registry);
    }
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        fender_status status;
        const char *message, *found;
    } cases[] = {
        {FOLDER "none.so", FENDER_STATUS_FILE, "cannot open the plug-in '" FOLDER "none.so'", "No such file"},
        {FOLDER, FENDER_STATUS_FILE, "is not a loadable file", "a directory or a device"},
        {FENDER_SOURCE_DIR "/README.md", FENDER_STATUS_FILE, "cannot be loaded", ""},
        {FOLDER "variant_1.so", FENDER_STATUS_FILE, "is not a plug-in of fender", "no entry"},
        {FOLDER "variant_2.so", FENDER_STATUS_FILE, "is not a plug-in of fender", "an entry that gives NULL"},
        {FOLDER "variant_3.so", FENDER_STATUS_ARGUMENT,
         "plug-in 'variant_3.so': the plug-in speaks another version of fender/plugin.h", "version 99"},
        {FOLDER "variant_4.so", FENDER_STATUS_ARGUMENT,
         "plug-in 'variant_4.so': the law was compiled against a newer fender/law.h", "a fender_law of"},
        {FOLDER "variant_6.so", FENDER_STATUS_NAME, "plug-in 'variant_6.so': a law of that name exists",
         "spring_damper"},
        {FOLDER "variant_7.so", FENDER_STATUS_ARGUMENT, "plug-in 'variant_7.so': the law is incomplete", "push"},
        {FOLDER "variant_8.so", FENDER_STATUS_FILE, "cannot be loaded", "fender_function_that_nobody_has"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_registry *registry = registry_made();
        fender_error error = {0};
        assert_int_equal(fender_registry_load(registry, cases[i].path, &error), cases[i].status);
        bool fits = strstr(error.message, cases[i].message) && strstr(error.found, cases[i].found);
        if (!fits) print_error("%s: '%s', found '%s'\n", cases[i].path, error.message, error.found);
        assert_true(fits && error.expected[0]);
        assert_null(fender_law_find(registry, "push"));
        fender_registry_destroy(registry);
    }
    assert_int_equal(fender_registry_load(NULL, FOLDER "variant_0.so", NULL), FENDER_STATUS_ARGUMENT);
}

/* ---- in scenarios */

static fender_scenario *parse_named(const char *name, const char *text, const fender_override *override, int overrides,
                                    collection *c)
{
    fender_env env = collecting_env(c);
    return fender_scenario_parse(&env, NULL, name, text, strlen(text), override, overrides, NULL);
}

static const char bounce[] = "fender: 1\n"
                             "plugins: [" FOLDER "variant_0.so]\n"
                             "world: {gravity: [0, 0, -9.80665, m/s^2]}\n"
                             "integrator: {step: 0.5 ms}\n"
                             "run: {until: 1 s}\n"
                             "contact_types: {bump: {law: push, stiffness: 20 kN/m, damping: 30 N*s/m}}\n"
                             "rules: [{default: bump}]\n"
                             "bodies:\n"
                             "  floor: {motion: fixed, shapes: {top: {plane: {}}}}\n"
                             "  ball:\n"
                             "    mass_properties: {mass: 2 kg, inertia: [0.01, 0.01, 0.01, kg*m^2]}\n"
                             "    state: {position: [0, 0, 0.15, m], velocity: [0.1, 0, 0, m/s]}\n"
                             "    shapes: {hull: {sphere: {radius: 0.1 m}}}\n";

static fender_world *build(const char *text, const fender_override *override, int overrides)
{
    collection c;
    fender_scenario *scenario = parse_named("bounce.yaml", text, override, overrides, &c);
    if (!scenario) print_collection(&c);
    assert_non_null(scenario);
    fender_env env = fender_env_default();
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    assert_non_null(world);
    fender_scenario_destroy(scenario); /* the world keeps the plug-in */
    return world;
}

static void as_built_in(void **state)
{
    (void)state;
    static const fender_override same[] = {{"contact_types.bump.law", "spring_damper"}};
    fender_world *own = build(bounce, NULL, 0), *built_in = build(bounce, same, 1);
    int events = 0, count;
    for (int i = 0; i < 2000; i++) {
        fender_body_data states[2];
        fender_ledger ledgers[2];
        fender_world *const all[] = {own, built_in};
        for (int k = 0; k < 2; k++) {
            assert_int_equal(fender_world_step(all[k], NULL), FENDER_STATUS_OK);
            (void)fender_world_events(all[k], &count);
            events += count;
            memset(&states[k], 0, sizeof states[k]);
            fender_body_get(all[k], fender_body_at(all[k], 1), FENDER_CLOCK_COMMITTED, &states[k]);
            fender_world_ledger(all[k], &ledgers[k]);
        }
        assert_memory_equal(&states[0], &states[1], sizeof states[0]);
        assert_true(ledgers[0].damping == ledgers[1].damping && ledgers[0].stored == ledgers[1].stored);
    }
    assert_true(events > 8);
    fender_world_destroy(own);
    fender_world_destroy(built_in);
}

static void snapshots_and_overrides(void **state)
{
    (void)state;
    static const fender_override soft[] = {{"contact_types.bump.stiffness", "5 kN/m"}};
    fender_world *world = build(bounce, NULL, 0), *other = build(bounce, NULL, 0), *softer = build(bounce, soft, 1);
    assert_int_equal(fender_world_advance(world, 210, NULL), FENDER_STATUS_OK); /* within the first contact */
    fender_snapshot *snapshot = fender_snapshot_take(world, NULL);
    assert_non_null(snapshot);
    assert_int_equal(fender_snapshot_restore(other, snapshot, NULL), FENDER_STATUS_OK);
    fender_snapshot_destroy(snapshot);
    fender_world *const all[] = {world, other};
    for (int i = 0; i < 2; i++) assert_int_equal(fender_world_advance(all[i], 500, NULL), FENDER_STATUS_OK);
    assert_true(fender_world_hash(world) == fender_world_hash(other));
    assert_int_equal(fender_world_advance(softer, 710, NULL), FENDER_STATUS_OK);
    assert_true(fender_world_hash(world) != fender_world_hash(softer));
    fender_world_destroy(world);
    fender_world_destroy(other);
    fender_world_destroy(softer);
}

/* Two files that need the same plug-in; a PCM file may be one of them. */
static void named_twice(void **state)
{
    (void)state;
    collection c;
    static const char pcm[] = "Plugin \"" FOLDER "variant_0.so\"; # a law of one's own\n"
                              "Plugin \"" FOLDER "../plugins/variant_0.so\";\n"
                              "ContactType A = push [{ stiffness=1 kN/m; }];\nObjectPair p * q -> A;\n";
    fender_scenario *scenario = parse_named("feet.pcm", pcm, NULL, 0, &c);
    if (!scenario) print_collection(&c);
    assert_non_null(scenario);
    assert_string_equal(scenario->contact_types[0].law->name, "push");
    const double *stiffness = scenario->contact_types[0].law_parameters; /* its first parameter */
    assert_true(*stiffness == 1000);
    fender_scenario_destroy(scenario);
}

/* Diagnostics stand where the plug-in is named. */
static void places(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        int line, column;
        const char *message;
    } cases[] = {
        {"a.yaml", "fender: 1\nplugins:\n  - none.so\nbodies: {}\nrun: {until: 1 s}\n", 3, 5,
         "cannot open the plug-in 'none.so': No such file or directory"},
        {"a.yaml", "fender: 1\nplugins: none.so\nbodies: {}\nrun: {until: 1 s}\n", 2, 10,
         "'plugins' needs a list; here is text"},
        {"a.pcm", "# x\n  Plugin \"none.so\";", 2, 10, "cannot open the plug-in 'none.so': No such file or directory"},
        {"a.pcm", "Plugin none.so;", 1, 8, "'none.so' where a file name in quotes is expected"},
        {"a.pcm", "Plugin \"" FOLDER "variant_0.so\"\nContactType A = push;", 2, 1,
         "'ContactType' where ';' is expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        collection c;
        assert_null(parse_named(cases[i].name, cases[i].text, NULL, 0, &c));
        assert_true(c.count > 0);
        if (c.list[0].line != cases[i].line || strcmp(c.list[0].message, cases[i].message) != 0) print_collection(&c);
        assert_int_equal(c.list[0].line, cases[i].line);
        assert_int_equal(c.list[0].column, cases[i].column);
        assert_string_equal(c.list[0].message, cases[i].message);
    }
}

/* The sample: the claw holds the weight, and comes off at pull = hold * weight (t = 1 s + (2 N + hold m g) / 4 N/s). */
static void claw(void **state)
{
    (void)state;
    static const double holds[] = {0.8, 0.3};
    static const char *const texts[] = {"0.8", "0.3"};
    for (int i = 0; i < 2; i++) {
        const fender_override hold = {"contact_types.grip.hold", texts[i]};
        fender_env env = fender_env_default();
        fender_scenario *scenario = fender_scenario_load(
            &env, NULL, FENDER_BUILD_DIR "/samples/plugins/claw_on_wall.yaml", &hold, 1, NULL);
        assert_non_null(scenario);
        fender_world *world = fender_scenario_build(scenario, &env, NULL);
        fender_scenario_destroy(scenario);
        assert_non_null(world);
        assert_int_equal(fender_world_advance_to(world, 1.0, NULL), FENDER_STATUS_OK);
        int count;
        const fender_event *events = fender_world_events(world, &count);
        int caught = 0;
        for (int k = 0; k < count; k++) caught += events[k].kind == FENDER_EVENT_LAW && events[k].code == 1;
        assert_int_equal(caught, 1);
        assert_int_equal(fender_world_advance_to(world, 2.0, NULL), FENDER_STATUS_OK);
        events = fender_world_events(world, &count);
        double off = 0;
        for (int k = 0; k < count; k++)
            if (events[k].kind == FENDER_EVENT_LAW && events[k].code == 2) off = events[k].time;
        double expected = 1 + (2 + holds[i] * 0.1 * 9.80665) / 4;
        if (!(fabs(off - expected) < 1e-5)) print_error("came off at %.9g s, not at %.9g s\n", off, expected);
        assert_true(fabs(off - expected) < 1e-5); /* the ramp's start still swings by that much: 40 N/s^2 suddenly */
        fender_world_destroy(world);
    }
}

/* ---- geometries */

#define SHAPES "fender: 1\nplugins: [" FENDER_BUILD_DIR "/samples/plugins/shapes.so]\nrun: {until: 1 s}\nbodies:\n  b: "

static fender_vec3 position_of(const fender_world *world, int body)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(world, fender_body_at(world, body), FENDER_CLOCK_COMMITTED, &data),
                     FENDER_STATUS_OK);
    return data.position;
}

/* The sample: a ball swings in a shell as a pendulum of 0.4 m, a lens sinks into a floor by m g / k. */
static void shell_and_lens(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    fender_scenario *scenario = fender_scenario_load(&env, NULL, FENDER_BUILD_DIR "/samples/plugins/shapes.yaml", NULL,
                                                     0, NULL);
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    fender_scenario_destroy(scenario); /* the world keeps the plug-in */
    assert_non_null(world);
    assert_int_equal(fender_world_advance_to(world, 0.319, NULL), FENDER_STATUS_OK);
    assert_true(fabs(position_of(world, 1).x) < 5e-4);
    assert_int_equal(fender_world_advance_to(world, 0.638, NULL), FENDER_STATUS_OK);
    assert_true(fabs(position_of(world, 1).x + 0.4 * sin(0.3)) < 1e-4);
    assert_int_equal(fender_world_advance_to(world, 1.8, NULL), FENDER_STATUS_OK);
    assert_true(fabs(position_of(world, 3).z + 1.95 + 9.81e-6) < 1e-8);
    fender_world_destroy(world);
}

/* Lengths have units and overrides, the mass is the function's, a support function may be rounded. */
static void shapes_of_kinds(void **state)
{
    (void)state;
    const double pi = acos(-1);
    const fender_override larger_shell = {"bodies.b.shapes.s.user.outer_radius", "60 cm"};
    for (int i = 0; i < 2; i++) {
        fender_world *world = build(SHAPES
                                    "{mass_properties: {from_shapes: true, density: 3 kg/m^3}, shapes: {s: {user: "
                                    "{kind: shell, inner_radius: 400 mm, outer_radius: 0.5 m}}}}\n",
                                    &larger_shell, i);
        double R = i == 0 ? 0.5 : 0.6, mass = 3 * 4 * pi / 3 * (R * R * R - 0.064);
        fender_body_data data;
        assert_int_equal(fender_body_get(world, fender_body_at(world, 0), FENDER_CLOCK_COMMITTED, &data),
                         FENDER_STATUS_OK);
        assert_true(fabs(data.mass - mass) < 1e-14 * mass);
        fender_world_destroy(world);
    }
    fender_world *world = build(SHAPES
                                "{motion: fixed, shapes: {s: {user: {kind: lens, radius: 20 cm, thickness: 10 cm}, "
                                "rounding: 1 cm}}}\n",
                                NULL, 0);
    fender_shape_def def = fender_shape_def_default();
    fender_geometry *ball = fender_geometry_sphere(&(fender_env){fender_env_default().allocator, NULL, NULL}, 0.1,
                                                   NULL);
    fender_pose at = fender_pose_identity(), above = at;
    fender_separation found;
    assert_int_equal(fender_shape_get_def(world, fender_shape_at(world, 0), &def), FENDER_STATUS_OK);
    above.p.z = 0.2;
    assert_int_equal(fender_geometry_separation(def.geometry, &at, ball, &above, &found), FENDER_STATUS_OK);
    assert_true(fabs(found.distance - (0.2 - 0.1 - 0.05 - 0.01)) < 1e-12);
    fender_geometry_release(ball);
    fender_world_destroy(world);
}

static void wrong_kinds_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *message, *suggestion;
    } cases[] = {
        {"{user: {kind: shel, inner_radius: 1 m, outer_radius: 2 m}}", "no plug-in has a geometry 'shel'",
         "did you mean 'shell'?"},
        {"{user: {kind: cube, size: 1 m}}", "no plug-in has a geometry 'cube'", "write one of them"},
        {"{user: {inner_radius: 1 m}}", "the geometry of a plug-in has no 'kind'", ""},
        {"{user: {kind: lens, radius: 1 m}}", "geometry 'lens' has no 'thickness'", ""},
        {"{user: {kind: lens, radius: 1 m, thicknes: 1 m}}", "'thicknes' is not a parameter of geometry 'lens'",
         "did you mean 'thickness' [m]?   its plug-in has: radius, thickness"},
        {"{user: {kind: lens, radius: 1 kg, thickness: 1 m}}", "", ""},
        {"{user: {kind: lens, radius: -1 m, thickness: 1 m}}", "", ""},
        {"{user: {kind: shell, inner_radius: 2 m, outer_radius: 1 m}}",
         "the hollow of a shell is not smaller than the shell", "are the two radii exchanged?"},
        {"{user: {kind: shell, inner_radius: 1 m, outer_radius: 2 m}, rounding: 1 cm}", "a shell cannot be rounded",
         "remove 'rounding'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        collection c;
        char text[600];
        snprintf(text, sizeof text, SHAPES "{motion: fixed, shapes: {s: %s}}\n", cases[i].shape);
        if (parse_named("a.yaml", text, NULL, 0, &c)) fail_msg("taken: %s", cases[i].shape);
        assert_true(c.count > 0);
        const collected *d = &c.list[0];
        if (cases[i].message[0] && strcmp(d->message, cases[i].message) != 0) print_collection(&c);
        assert_int_equal(d->line, 5);
        if (cases[i].message[0]) assert_string_equal(d->message, cases[i].message);
        if (cases[i].suggestion[0]) assert_string_equal(d->suggestion, cases[i].suggestion);
    }
    collection c;
    assert_null(parse_named("a.yaml",
                            "fender: 1\nrun: {until: 1 s}\nbodies: {b: {motion: fixed, shapes: {s: {user: {kind: "
                            "shell}}}}}\n",
                            NULL, 0, &c));
    assert_string_equal(c.list[0].suggestion, "name the plug-in that has it: plugins: [FILE.so]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),
        cmocka_unit_test(refused),
        cmocka_unit_test(as_built_in),
        cmocka_unit_test(named_twice),
        cmocka_unit_test(places),
        cmocka_unit_test(snapshots_and_overrides),
        cmocka_unit_test(claw),
        cmocka_unit_test(shell_and_lens),
        cmocka_unit_test(shapes_of_kinds),
        cmocka_unit_test(wrong_kinds_have_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
