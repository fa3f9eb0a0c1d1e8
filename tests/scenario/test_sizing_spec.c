/* Values by intent in scenarios: what is derived, from which masses and materials, and that it reaches the world. */
/* items: M034 */
#include <fender/io.h>
#include <fender/sizing.h>
#include <string.h>

#include "check.h"

static const char text[] =
    "fender: 1\n"
    "run: {until: 1 s}\n"
    "materials: {pad: {young: 1 GPa, poisson: 0.3}, soil: {young: 50 MPa, poisson: 0.2}}\n"
    "contact_types:\n"
    "  meet:\n"
    "    normal: {law: spring_damper, damping: {restitution: 0.7, speed: 2 m/s, mass: {between: [veh1, veh2]}},\n"
    "             stiffness: {sink: 2 cm, weight: 3809 N}}\n"
    "    friction: {law: coulomb_static_kinetic, mu_static: 0.8, mu_kinetic: 0.3,\n"
    "               stiffness: {sink: 1 mm, weight: 0.3 kN}, damping: {ratio: 0.7, mass: {between: [wall, veh2]}}}\n"
    "  hertz: {law: hunt_crossley, stiffness: {from_materials: true, radius: 50 cm}}\n"
    "  linear: {law: jeod_spring, stiffness: {modulus: 1 MPa, radius: 1 m, weight: 10 N}, damping: 3}\n"
    "rules:\n"
    "  - {materials: [pad, soil], use: hertz}\n"
    "  - {shapes: [veh1.s, wall.s], use: hertz}\n"
    "  - {bodies: [veh1, veh2], use: meet}\n"
    "bodies:\n"
    "  veh1: {mass_properties: {mass: 60 kg, inertia: [1, 1, 1]}, shapes: {s: {sphere: {radius: 1 m}, material: "
    "pad}}}\n"
    "  veh2: {mass_properties: {mass: 20 kg, inertia: [1, 1, 1]}, state: {position: [9, 0, 0, m]}}\n"
    "  tank: {mass_properties: {mass: 10 kg, inertia: [1, 1, 1]}, attached: {to: veh2, position: [0, 0, 0, m]}}\n"
    "  wall: {motion: fixed, shapes: {s: {sphere: {radius: 1 m}, material: soil}}}\n";

typedef struct expected {
    const char *type, *part, *parameter, *from;
    double value;
} expected;

static void derives(void **state)
{
    (void)state;
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_parse(NULL, NULL, "intent.yaml", text, sizeof text - 1, NULL, 0,
                                                      &error);
    if (!scenario) fail_msg("%s:%d: %s", error.source, error.line, error.message);
    double k = 3809 / 0.02, kt = 300 / 0.001, modulus = fender_hertz_modulus(1e9, 0.3, 50e6, 0.2);
    double ratio = fender_ratio_of_restitution(0.7, true);
    const expected rows[] = {
        {"meet", "normal", "stiffness", "sink 0.02 m, weight 3809 N", k},
        /* veh2 carries a tank of 10 kg: 60 and 30 kg */
        {"meet", "normal", "damping", "restitution 0.7, mass 20 kg (veh1, veh2), speed 2 m/s",
         2 * ratio * sqrt(20 * k)},
        {"meet", "friction", "stiffness", "sink 0.001 m, weight 300 N", kt},
        {"meet", "friction", "damping", "ratio 0.7, mass 30 kg (wall, veh2)", 1.4 * sqrt(30 * kt)},
        {"hertz", "law", "stiffness", "radius 0.5 m, modulus", 4.0 / 3 * modulus * sqrt(0.5)},
        {"linear", "law", "stiffness", "weight 10 N, modulus 1000000 Pa, radius 1 m",
         fender_hertz_linear_at_load(1e6, 1, 10)},
    };
    fender_scenario_derivation d;
    int count = 0;
    while (fender_scenario_derivation_at(scenario, count, &d)) {
        assert_true(count < 6);
        const expected *row = &rows[count++];
        if (strcmp(d.contact_type, row->type) != 0 || strcmp(d.part, row->part) != 0 ||
            strcmp(d.parameter, row->parameter) != 0 || strncmp(d.from, row->from, strlen(row->from)) != 0)
            fail_msg("%s %s %s from '%s' is not %s %s %s from '%s'", d.contact_type, d.part, d.parameter, d.from,
                     row->type, row->part, row->parameter, row->from);
        check_near(d.value / row->value, 1, 1e-14);
        assert_true(d.line >= 6 && d.line <= 11 && strcmp(d.file, "intent.yaml") == 0 && d.relation[0]);
    }
    assert_int_equal(count, 6);
    assert_false(fender_scenario_derivation_at(scenario, -1, &d));

    fender_world *world = fender_scenario_build(scenario, NULL, &error);
    assert_non_null(world);
    fender_contact_type_id id;
    fender_contact_type_def def;
    assert_true(fender_contact_type_find(world, "meet", &id) == FENDER_STATUS_OK);
    assert_true(fender_contact_type_get_def(world, id, &def) == FENDER_STATUS_OK);
    const fender_field_table *table = &def.normal->parameters;
    check_near(fender_field_get(fender_field_find(table, "stiffness"), def.normal_parameters, 0), k, 0);
    check_near(fender_field_get(fender_field_find(table, "damping"), def.normal_parameters, 0) / rows[1].value, 1,
               1e-14);
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
}

static void overridden(void **state)
{
    (void)state;
    fender_error error = {0};
    const fender_override both[] = {{"contact_types.meet.normal.stiffness.sink", "1 cm"},
                                    {"contact_types.meet.normal.damping", "7"}};
    fender_scenario *scenario = fender_scenario_parse(NULL, NULL, "intent.yaml", text, sizeof text - 1, both, 2,
                                                      &error);
    assert_non_null(scenario);
    fender_scenario_derivation d;
    assert_true(fender_scenario_derivation_at(scenario, 0, &d));
    check_near(d.value, 380900, 1e-9);
    assert_true(fender_scenario_derivation_at(scenario, 1, &d) && strcmp(d.part, "friction") == 0);
    fender_scenario_destroy(scenario);
}

/* Materials by name in both laws of an oblique impact. */
static void of_named_materials(void **state)
{
    (void)state;
    static const char yaml[] =
        "fender: 1\nrun: {until: 1 s}\ncontact_types:\n"
        "  t: {normal: {law: hertz, material: steel, material_b: glass},\n"
        "      friction: {law: mindlin, mu: 0.1, material: steel, material_b: glass}}\n"
        "rules: [{default: t}]\nbodies: {a: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}}}\n";
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_parse(NULL, NULL, "t.yaml", yaml, sizeof yaml - 1, NULL, 0, &error);
    if (!scenario) fail_msg("%s:%d: %s", error.source, error.line, error.message);
    fender_world *world = fender_scenario_build(scenario, NULL, &error);
    assert_non_null(world);
    fender_contact_type_id id;
    fender_contact_type_def def;
    assert_true(fender_contact_type_find(world, "t", &id) == FENDER_STATUS_OK);
    assert_true(fender_contact_type_get_def(world, id, &def) == FENDER_STATUS_OK);
    static const struct {
        const char *name;
        double value;
    } rows[] = {{"young", 208e9}, {"poisson", 0.3}, {"young_b", 48e9}, {"poisson_b", 0.2}};
    for (int i = 0; i < 4; i++) {
        const fender_field *n = fender_field_find(&def.normal->parameters, rows[i].name);
        const fender_field *f = fender_field_find(&def.friction->parameters, rows[i].name);
        check_near(fender_field_get(n, def.normal_parameters, 0), rows[i].value, 0);
        check_near(fender_field_get(f, def.friction_parameters, 0), rows[i].value, 0);
    }
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
}

static fender_scenario *crushed(const char *restitution, fender_error *error)
{
    char yaml[400];
    snprintf(yaml, sizeof yaml,
             "fender: 1\nrun: {until: 1 s}\ncontact_types:\n"
             "  leg: {law: elastic_plastic, stiffness: 20 kN/m, crush_force: 0.2 kN,\n"
             "        dissipation: {restitution: %s, speed: 1.5 m/s, mass: 2 kg}}\n"
             "bodies: {a: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}}}\n",
             restitution);
    return fender_scenario_parse(NULL, NULL, "crushed.yaml", yaml, strlen(yaml), NULL, 0, error);
}

/* What crushes gives back F^2 / k of m v^2, F = 200 N, k = 20 kN/m: sqrt(2 / 4.5) of the speed at the most. */
static void a_law_loses_by_itself(void **state)
{
    (void)state;
    fender_error error = {0};
    fender_scenario_derivation d;
    fender_scenario *scenario = crushed("0.5", &error);
    assert_non_null(scenario);
    assert_true(fender_scenario_derivation_at(scenario, 0, &d) && strcmp(d.parameter, "dissipation") == 0);
    assert_true(d.value > 0 && strstr(d.from, "restitution 0.5"));
    fender_scenario_destroy(scenario);
    assert_null(crushed("0.7", &error));
    assert_int_equal(error.line, 5);
    assert_string_equal(error.message,
                        "without any 'dissipation' law 'elastic_plastic' gives back less than the restitution 0.7");
    assert_string_equal(error.found, "0.666667 at 1.5 m/s, undamped");
    assert_non_null(strstr(error.suggestion, "ask for less than 0.666667"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(derives), cmocka_unit_test(overridden),
                                       cmocka_unit_test(a_law_loses_by_itself), cmocka_unit_test(of_named_materials)};
    return cmocka_run_group_tests_name("values by intent", tests, NULL, NULL);
}
