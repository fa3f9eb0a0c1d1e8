/* Like, pattern, include, override: what the tree becomes before it is read. */
#include "collect.h"

#include <math.h>

#define TWO                                                                                                         \
    HEAD "bodies:\n  a:\n    mass_properties: {mass: 3 kg, inertia: [1, 2, 2]}\n    shapes:\n      hull: {sphere: " \
         "{radius: 1 m}}\n    state: {velocity: [1, 2, 3]}\n"                                                       \
         "  b:\n    like: a\n    state: {position: [12, 0, 0, mm]}\n"

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void like_copies_and_replaces_whole_keys(void **state)
{
    (void)state;
    fender_scenario *s = parse(TWO "  c: {like: b, mass_properties: {mass: 5, inertia: [1, 1, 1]}}\n");
    assert_int_equal(s->body_count, 3);
    assert_true(s->bodies[1].def.mass_properties.mass == 3);
    assert_int_equal(s->bodies[1].shape_count, 1);
    assert_string_equal(s->bodies[1].shapes[0].id.name, "hull");
    /* state was replaced as a whole: the velocity is gone */
    assert_true(s->bodies[1].def.state.velocity.x == 0);
    assert_true(s->bodies[1].def.state.position.x == 0.012);
    assert_true(s->bodies[2].def.mass_properties.mass == 5);
    assert_true(s->bodies[2].def.state.position.x == 0.012);
    fender_scenario_destroy(s);
    s = parse(HEAD "bodies:\n  b: {like: a}\n  a: {motion: fixed}\n"); /* the model may stand below */
    assert_int_equal(s->bodies[0].def.motion, FENDER_MOTION_FIXED);
    assert_string_equal(s->bodies[0].id.name, "b");
    fender_scenario_destroy(s);
}

static void pattern_repeats_around_an_axis(void **state)
{
    (void)state;
    fender_scenario *s = parse(BODY_A "    shapes:\n      foot: {sphere: {radius: 1}}\n      leg:\n"
                                      "        capsule: {radius: 10 mm, length: 1 m}\n        position: [2, 1, 3, m]\n"
                                      "        orientation: {axis: [0, 1, 0], angle: 90 deg}\n"
                                      "        pattern: {count: 4, about: [0, 0, -2], through: [1, 1, 0, m]}\n");
    static const double x[] = {2, 1, 0, 1}, y[] = {1, 0, 1, 2}; /* clockwise seen from above */
    const fnd_body_description *a = &s->bodies[0];
    assert_int_equal(a->shape_count, 5);
    for (int i = 0; i < 4; i++) {
        const fnd_shape_description *leg = &a->shapes[1 + i];
        char name[16];
        snprintf(name, sizeof name, "leg_%d", i + 1);
        assert_string_equal(leg->id.name, name);
        assert_true(leg->X_SG.p.x == x[i] && leg->X_SG.p.y == y[i] && leg->X_SG.p.z == 3); /* exact */
        /* the axis of each capsule points away from the axis of the pattern */
        fender_vec3 z = fender_quaternion_rotate(leg->X_SG.q, fender_vec3_make(0, 0, 1));
        assert_true(fabs(z.x - (x[i] - 1)) < 1e-15 && fabs(z.y - (y[i] - 1)) < 1e-15 && fabs(z.z) < 1e-15);
        assert_true(leg->half_length == 0.5 && leg->radius == 0.01);
    }
    fender_scenario_destroy(s);
}

static void capsule_from_to(void **state)
{
    (void)state;
    static const double ends[][6] = {{-1, 0, 0, 1, 0, 0},  {0, 0, 3, 0, 0, 1},     {0, 0, 1, 0, 0, 3},
                                     {1, 2, 3, -4, 5, -6}, {0, 0, 0, 1e-9, 0, -1}, {2, 2, 2, 2, 2, 2}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const double *e = ends[i];
        char text[512];
        snprintf(text, sizeof text,
                 BODY_A
                 "    shapes: {rod: {capsule: {radius: 1, from: [%.17g, %.17g, %.17g], to: [%.17g, %.17g, %.17g]}}}\n",
                 e[0], e[1], e[2], e[3], e[4], e[5]);
        fender_scenario *s = parse(text);
        const fnd_shape_description *rod = &s->bodies[0].shapes[0];
        fender_vec3 half = fender_quaternion_rotate(rod->X_SG.q, fender_vec3_make(0, 0, rod->half_length));
        fender_vec3 to = fender_vec3_add(rod->X_SG.p, half), from = fender_vec3_sub(rod->X_SG.p, half);
        assert_true(fender_vec3_length(fender_vec3_sub(to, fender_vec3_make(e[3], e[4], e[5]))) < 4e-15);
        assert_true(fender_vec3_length(fender_vec3_sub(from, fender_vec3_make(e[0], e[1], e[2]))) < 4e-15);
        fender_scenario_destroy(s);
    }
}

static void include_merges_in_order(void **state)
{
    (void)state;
    (void)state;
    write_text("main_include.yaml", "fender: 1\ntitle: main\ninclude: [first.yaml, second.yaml]\nrun: {until: 1 s}\n"
                                    "materials: {m3: {}}\nbodies: {a: {motion: fixed}}\nrules: [{default: t}]\n");
    write_text("first.yaml", "fender: 1\ntitle: first\ninclude: [third.yaml]\nmaterials: {m1: {}}\n"
                             "contact_types: {t: {law: spring_damper, stiffness: 1}}\n");
    write_text("second.yaml", "materials: {m2: {}}\nrules:\n  - {materials: [m0, m2], use: t}\n");
    write_text("third.yaml", "fender: 1\nmaterials: {m0: {}}\n");
    collection c;
    fender_env env = collecting_env(&c);
    fender_scenario *s = fender_scenario_load(&env, NULL, "main_include.yaml", NULL, 0, NULL);
    print_collection(&c);
    assert_non_null(s);
    assert_string_equal(fender_scenario_title(s), "main");
    assert_int_equal(s->material_count, 4);
    for (int i = 0; i < 4; i++) assert_int_equal(s->materials[i].name[1], '0' + i);
    assert_int_equal(s->rule_count, 2);
    assert_int_equal(s->rules[0].kind, FENDER_RULE_MATERIALS);
    assert_string_equal(s->rules[0].location.file, "second.yaml");
    assert_int_equal(s->rules[0].location.line, 3);
    fender_scenario_destroy(s);
}

static void include_circle_by_way_of_others(void **state)
{
    (void)state;
    write_text("ring_a.yaml", "fender: 1\ninclude: [ring_b.yaml]\nrun: {until: 1 s}\nbodies: {a: {motion: fixed}}\n");
    write_text("ring_b.yaml", "fender: 1\ninclude: [./ring_a.yaml]\n");
    collection c;
    fender_env env = collecting_env(&c);
    assert_null(fender_scenario_load(&env, NULL, "ring_a.yaml", NULL, 0, NULL));
    assert_int_equal(c.errors, 1);
    assert_string_equal(c.list[0].file, "ring_b.yaml");
    assert_int_equal(c.list[0].line, 2);
    assert_int_equal(c.list[0].column, 11);
    assert_non_null(strstr(c.list[0].message, "by way of"));
}

static fender_scenario *with(const char *path, const char *value)
{
    collection c;
    fender_override override = {path, value};
    fender_scenario *s = parse_with(TWO, &override, 1, &c);
    if (!s) print_collection(&c);
    assert_non_null(s);
    return s;
}

static void overrides(void **state)
{
    (void)state;
    fender_scenario *s = with("bodies.a.mass_properties.mass", "50 g");
    assert_true(s->bodies[0].def.mass_properties.mass == 0.05);
    assert_true(s->bodies[1].def.mass_properties.mass == 3); /* a copy is a body of its own */
    fender_scenario_destroy(s);
    s = with("bodies.b.mass_properties.mass", "50 g"); /* the rest of what was copied stays */
    assert_true(s->bodies[1].def.mass_properties.mass == 0.05 && s->bodies[1].def.mass_properties.inertia.m[1][1] == 2);
    fender_scenario_destroy(s);
    s = with("bodies.*.mass_properties.mass", "7");
    assert_true(s->bodies[0].def.mass_properties.mass == 7 && s->bodies[1].def.mass_properties.mass == 7);
    fender_scenario_destroy(s);
    s = with("bodies.a.state.velocity.y", "-1m/s");
    assert_true(s->bodies[0].def.state.velocity.x == 1 && s->bodies[0].def.state.velocity.y == -1);
    fender_scenario_destroy(s);
    s = with("bodies.b.state.position.x", "-1m"); /* the list's unit, mm, stays with the others */
    assert_true(s->bodies[1].def.state.position.x == -1 && s->bodies[1].def.state.position.y == 0);
    fender_scenario_destroy(s);
    s = with("bodies.b.state.position.z", "2"); /* a bare number is SI */
    assert_true(s->bodies[1].def.state.position.x == 0.012 && s->bodies[1].def.state.position.z == 2);
    fender_scenario_destroy(s);
    s = with("bodies.b.state.velocity.z", "4 cm/s"); /* missing: the other components are 0 */
    assert_true(s->bodies[1].def.state.velocity.x == 0 && s->bodies[1].def.state.velocity.z == 0.04);
    fender_scenario_destroy(s);
    s = with("bodies.a.mass_properties.inertia[2]", "9");
    assert_true(s->bodies[0].def.mass_properties.inertia.m[2][2] == 9 &&
                s->bodies[0].def.mass_properties.inertia.m[0][0] == 1);
    fender_scenario_destroy(s);
    s = with("bodies.a.shapes.hull.sphere", "{radius: 20 cm}");
    assert_true(s->bodies[0].shapes[0].radius == 0.2 && s->bodies[1].shapes[0].radius == 1);
    fender_scenario_destroy(s);
    s = with("integrator.step", "2 ms"); /* the section is made */
    assert_true(s->world.step == 0.002);
    fender_scenario_destroy(s);
    s = with("bodies.b.like", "a");
    fender_scenario_destroy(s);
}

/* x, y and z are components of vectors, but names where names stand; so is everything in `fmu.parameters`. */
static void overrides_add_things_with_short_names(void **state)
{
    (void)state;
    fender_scenario *s = with("actions.z", "{when: {time: 1 s}, do: [stop]}");
    assert_int_equal(s->action_count, 1);
    assert_string_equal(s->actions[0].id.name, "z");
    fender_scenario_destroy(s);
    s = with("loads.x", "{body: a, force: {constant: [1, 2, 3, N]}}");
    assert_string_equal(s->loads[0].id.name, "x");
    fender_scenario_destroy(s);
    s = with("bodies.a.points.y", "{position: [1, 2, 3, m]}");
    assert_string_equal(s->bodies[0].points[0].id.name, "y");
    fender_scenario_destroy(s);
    s = with("fmu.outputs.z", "bodies.a.position.z");
    assert_int_equal(s->fmu[FND_FMU_OUTPUTS].count, 1);
    assert_string_equal(s->fmu[FND_FMU_OUTPUTS].entries[0].path.text, "bodies.a.position.z");
    fender_scenario_destroy(s);
    s = with("fmu.parameters.x", "bodies.a.mass_properties.mass");
    assert_string_equal(s->fmu[FND_FMU_PARAMETERS].entries[0].value, "3 kg");
    fender_scenario_destroy(s);
    collection c;
    const fender_override two[] = {{"fmu", "{parameters: {m: bodies.a.mass_properties.mass}}"},
                                   {"fmu.parameters.t", "bodies.a.state.velocity.x"}};
    s = parse_with(TWO, two, 2, &c);
    assert_non_null(s);
    assert_int_equal(s->fmu[FND_FMU_PARAMETERS].count, 2);
    assert_string_equal(s->fmu[FND_FMU_PARAMETERS].entries[1].value, "1");
    fender_scenario_destroy(s);
    const fender_override geometry = {"geometries.x", "{sphere: {radius: 1 m}}"};
    assert_null(parse_with(TWO, &geometry, 1, &c));
    assert_string_equal(c.list[0].message, "'sphere' is not a key of a geometry"); /* but x is a geometry */
    /* a slip of a name in the section `parameters` is one */
    const fender_override slip[] = {{"parameters", "{mass: 3}"}, {"parameters.mas", "4"}};
    assert_null(parse_with(TWO, slip, 2, &c));
    assert_string_equal(c.list[0].message, "no parameter is named 'mas'");
}

static void override_findings_show_the_argument(void **state)
{
    (void)state;
    collection c;
    fender_override list[] = {{"bodies.a.mass_properties.mass", "5 m"}, {"bodies.a.mas.x", "1"}};
    assert_null(parse_with(TWO, list, 2, &c));
    assert_int_equal(c.errors, 2);
    assert_string_equal(c.list[0].file, "--set");
    assert_string_equal(c.list[0].excerpt, "bodies.a.mas.x=1");
    assert_int_equal(c.list[0].column, 10);
    assert_int_equal(c.list[0].length, 3);
    assert_string_equal(c.list[1].excerpt, "bodies.a.mass_properties.mass=5 m");
    assert_int_equal(c.list[1].column, 31);
    assert_int_equal(c.list[1].length, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(like_copies_and_replaces_whole_keys),
                                       cmocka_unit_test(pattern_repeats_around_an_axis),
                                       cmocka_unit_test(capsule_from_to),
                                       cmocka_unit_test(include_merges_in_order),
                                       cmocka_unit_test(include_circle_by_way_of_others),
                                       cmocka_unit_test(overrides),
                                       cmocka_unit_test(overrides_add_things_with_short_names),
                                       cmocka_unit_test(override_findings_show_the_argument)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
