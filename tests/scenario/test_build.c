/* From description to world: the samples run, refusals of the world are shown where they were written. */
#include "collect.h"

#include <math.h>

static fender_world *build_file(const char *name, fender_scenario **scenario)
{
    collection c;
    fender_env env = collecting_env(&c);
    char path[512];
    snprintf(path, sizeof path, FENDER_SOURCE_DIR "/samples/scenarios/%s.yaml", name);
    *scenario = fender_scenario_load(&env, NULL, path, NULL, 0, NULL);
    fender_world *world = *scenario ? fender_scenario_build(*scenario, &env, NULL) : NULL;
    print_collection(&c);
    assert_non_null(world);
    assert_int_equal(c.count, 0);
    return world;
}

static fender_body_data run_to_end(fender_world *world, const fender_scenario *scenario, const char *body)
{
    fender_body_id id;
    fender_body_data data;
    int64_t steps = (int64_t)(scenario->until / scenario->world.step + 0.5);
    assert_int_equal(fender_world_advance(world, steps, NULL), FENDER_STATUS_OK);
    assert_int_equal(fender_body_find(world, body, &id), FENDER_STATUS_OK);
    assert_int_equal(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

/* End velocities of JEOD's SIM_contact RUN_point and RUN_line at 0.01 s. */
static void samples_of_jeod(void **state)
{
    (void)state;
    fender_scenario *s;
    fender_world *w = build_file("two_spheres", &s);
    assert_true(fabs(run_to_end(w, s, "veh1").velocity.x + 1.768085047541) < 1e-12);
    fender_world_destroy(w);
    fender_scenario_destroy(s);
    w = build_file("two_capsules", &s);
    fender_body_data veh1 = run_to_end(w, s, "veh1");
    assert_true(fabs(veh1.velocity.x + 1.8311303230006726) < 1e-12);
    assert_true(fabs(veh1.position.x + 10.544814477014111) < 1e-12);
    fender_world_destroy(w);
    fender_scenario_destroy(s);
}

static void docking_makes_contact(void **state)
{
    (void)state;
    fender_scenario *s;
    fender_world *w = build_file("docking", &s);
    assert_int_equal(fender_shape_count(w), 30);
    fender_body_data before, chaser;
    fender_body_id id;
    assert_int_equal(fender_body_find(w, "chaser", &id), FENDER_STATUS_OK);
    assert_int_equal(fender_body_get(w, id, FENDER_CLOCK_COMMITTED, &before), FENDER_STATUS_OK);
    /* the port, 4 m ahead of the chaser's origin, is where the file says: 0.3 m before the other, 60 mm aside */
    fender_vec3 ahead = fender_quaternion_rotate(before.attitude, fender_vec3_make(4, 0, 0));
    fender_vec3 port = fender_vec3_add(before.position, ahead);
    assert_true(fabs(port.x + 8.3) < 1e-5 && fabs(port.y + 0.06) < 1e-12 && fabs(port.z) < 1e-5);
    chaser = run_to_end(w, s, "chaser");
    assert_true(before.velocity.x > 0.06 && chaser.velocity.x < -0.01); /* it came and went */
    fender_world_destroy(w);
    fender_scenario_destroy(s);
}

static void description_reaches_the_world(void **state)
{
    (void)state;
    fender_scenario *s = parse(
        "fender: 1\nrun: {until: 1 s}\nintegrator: {method: semi_implicit_euler, step: 2 ms}\n"
        "world: {gravity: [0, 0, -9.81, m/s^2], contact_limit_factor: 3}\nmaterials: {m: {}}\n"
        "contact_types:\n  t: {normal: {law: spring_damper, stiffness: 2 kN/m}, friction: {law: coulomb, mu: 0.3}}\n"
        "rules:\n  - {bodies: [a, b], use: never}\n  - {shapes: [a.s, b.s], use: t}\n  - {default: t}\n"
        "bodies:\n  a: {motion: fixed, shapes: {s: {sphere: {radius: 1}, material: m}}}\n"
        "  b:\n    mass_properties:\n      mass: 2\n      center_of_mass: [0, 10, 0, cm]\n"
        "      inertia: [[2, 0.1, 0], [0.1, 3, 0], [0, 0, 4]]\n      body_axes: {axis: [1, 0, 0], angle: 180 deg}\n"
        "    state: {angular_velocity: [0, 0, 180, deg/s]}\n"
        "    shapes: {s: {capsule: {radius: 1, length: 4}, active: false, position: [0, 0, 9]}}\n"
        "  c: {motion: prescribed, path: {table: {columns: [s, m, m, m], rows: [[0, 0, 0, 5], [2, 0, 0, 7]]}}}\n"
        "loads:\n  pull:\n    body: b\n    position: [1, 0, 0, m]\n    axes: body\n    active: false\n"
        "    torque: {table: {columns: [ms, N*cm], direction: [0, 0, 2], rows: [[0, 0], [500, 50]], after: zero}}\n");
    fender_world *w = fender_scenario_build(s, NULL, NULL);
    assert_non_null(w);
    const fender_world_def *def = fender_world_get_def(w);
    assert_true(def->step == 0.002 && def->gravity.acceleration.z == -9.81 && def->contact_limit_factor == 3);
    assert_int_equal(def->method, FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER);
    fender_body_def b;
    assert_int_equal(fender_body_get_def(w, fender_body_at(w, 1), &b), FENDER_STATUS_OK);
    assert_true(b.mass_properties.center_of_mass.y == 0.1 && b.mass_properties.inertia.m[0][1] == 0.1);
    assert_true(b.body_axes.w == 0 && b.body_axes.x == 1);
    assert_true(fabs(b.state.angular_velocity.z - 3.14159265358979323846) < 1e-15);
    fender_body_def c;
    assert_int_equal(fender_body_get_def(w, fender_body_at(w, 2), &c), FENDER_STATUS_OK);
    assert_int_equal(c.path.count, 2);
    assert_true(c.path.positions[1].z == 7 && c.path.times[1] == 2);
    const fender_load_def *load = &s->loads[0].def;
    assert_true(load->torque.kind == FENDER_SIGNAL_TABLE && load->torque.count == 2 && !load->active);
    assert_true(load->torque.times[1] == 0.5 && load->torque.values[1].z == 0.5 &&
                load->torque.after == FENDER_AFTER_ZERO);
    assert_true(!load->at_center && load->point.x == 1 && load->axes == FENDER_AXES_BODY);
    fender_world_destroy(w);
    fender_scenario_destroy(s);
}

/* The id of a rule leads back to its line. */
static void rule_locations(void **state)
{
    (void)state;
    fender_scenario *s = parse(
        HEAD "materials: {m: {}}\ncontact_types: {t: {law: spring_damper, stiffness: 1}}\n"
             "rules:\n  - {default: t}\n  - {materials: [m, m], use: t}\n  - {bodies: [a, b], use: never}\n"
             "bodies:\n  a: {motion: fixed, shapes: {s: {sphere: {radius: 1}, material: m}}}\n"
             "  b:\n    mass_properties: {mass: 1, inertia: [1, 1, 1]}\n"
             "    shapes: {s: {sphere: {radius: 1}, material: m}}\n");
    fender_world *w = fender_scenario_build(s, NULL, NULL);
    assert_non_null(w);
    fender_pair_explanation e;
    assert_int_equal(fender_world_explain(w, fender_shape_at(w, 0), fender_shape_at(w, 1), &e), FENDER_STATUS_OK);
    assert_int_equal(e.reason, FENDER_PAIR_RULE_NEVER);
    int line = 0;
    assert_string_equal(fender_scenario_rule_location(s, e.rule, &line), "text");
    assert_int_equal(line, 8);
    (void)fender_scenario_rule_location(s, e.overruled, &line);
    assert_int_equal(line, 7);
    fender_rule_id none = {0};
    assert_string_equal(fender_scenario_rule_location(s, none, &line), "");
    assert_int_equal(line, 0);
    fender_world_destroy(w);
    fender_scenario_destroy(s);
}

/* Spheres touch at 1 times the sum of their radii: a shorter range lets contacts begin deep. */
static void short_range(void **state)
{
    (void)state;
    static const char *const factors[] = {"0", "0.99", "1", "1e-3", "2"};
    for (int i = 0; i < 5; i++) {
        char text[300];
        collection c;
        fender_env env = collecting_env(&c);
        snprintf(text, sizeof text, HEAD "world: {contact_limit_factor: %s}\nbodies:\n  a: {motion: fixed}\n",
                 factors[i]);
        fender_scenario *s = fender_scenario_parse(&env, NULL, "text", text, strlen(text), NULL, 0, NULL);
        assert_non_null(s);
        int warnings = 0;
        for (int k = 0; k < c.count; k++) warnings += strstr(c.list[k].message, "contacts may begin deep") != NULL;
        assert_int_equal(warnings, i % 2);
        fender_scenario_destroy(s);
    }
}

/* Limits of a bond that differ need a direction; the warning is at the limit. */
static void limits_without_direction(void **state)
{
    (void)state;
    static const char *const limits[] = {"X_Limit: 1, Y_Limit: 1", "X_Limit: 1",       "along: [0, 0, 1], X_Limit: 1",
                                         "Y_Limit: 1, X_Limit: 2", "Error: 1, B: 1.0", "Y_Limit: 3"};
    for (int i = 0; i < 6; i++) {
        char text[400];
        collection c;
        fender_env env = collecting_env(&c);
        snprintf(text, sizeof text,
                 HEAD
                 "contact_types:\n  t: {law: SpringContact, K: 1, Z_Limit: 1, %s}\nbodies:\n  a: {motion: fixed}\n",
                 limits[i]);
        fender_scenario *s = fender_scenario_parse(&env, NULL, "text", text, strlen(text), NULL, 0, NULL);
        assert_non_null(s);
        int warnings = 0;
        for (int k = 0; k < c.count; k++) warnings += strstr(c.list[k].message, "no direction says which") != NULL;
        assert_int_equal(warnings, i % 2);
        fender_scenario_destroy(s);
    }
}

static void several_refusals_of_the_world(void **state)
{
    (void)state;
    collection c;
    fender_scenario *s = parse(HEAD "bodies:\n  a:\n    mass_properties: {mass: 1, inertia: [1, 1, 5]}\n"
                                    "  b:\n    mass_properties: {mass: 1, inertia: [1, 1, -5]}\n");
    fender_env env = collecting_env(&c);
    fender_error error = {0};
    assert_null(fender_scenario_build(s, &env, &error));
    assert_int_equal(c.errors, 2);
    assert_int_equal(error.count, 2);
    assert_int_equal(c.list[0].line, 5);
    assert_int_equal(c.list[1].line, 7);
    assert_int_equal(c.list[0].column, 41);
    assert_int_equal(c.list[0].length, 9);
    fender_scenario_destroy(s);
}

/* Two spheres on a rod of no mass, by hand: m = 2 * 4/3 pi r^3 rho, about the middle 2 (2/5 m r^2 + m d^2). */
static void mass_from_shapes(void **state)
{
    (void)state;
    fender_scenario *s = parse(
        HEAD "bodies:\n  a:\n    mass_properties: {from_shapes: true, density: 3 g/cm^3}\n    shapes:\n"
             "      left: {sphere: {radius: 10 cm}, position: [0, 1, 0, m]}\n"
             "      right: {sphere: {radius: 10 cm}, position: [0, 3, 0, m]}\n");
    const double pi = 3.14159265358979323846, m = 4.0 / 3 * pi * 1e-3 * 3000;
    const fender_mass_properties *p = &s->bodies[0].def.mass_properties;
    assert_true(fabs(p->mass - 2 * m) < 1e-12);
    assert_true(fabs(p->center_of_mass.y - 2) < 1e-15 && p->center_of_mass.x == 0);
    assert_true(fabs(p->inertia.m[1][1] - 2 * 0.4 * m * 0.01) < 1e-12);
    assert_true(fabs(p->inertia.m[0][0] - 2 * (0.4 * m * 0.01 + m)) < 1e-12);
    assert_true(fabs(p->inertia.m[2][2] - p->inertia.m[0][0]) < 1e-12 && p->inertia.m[0][1] == 0);
    fender_world *w = fender_scenario_build(s, NULL, NULL);
    assert_non_null(w);
    fender_world_destroy(w);
    fender_scenario_destroy(s);
}

/* The mass of the whole instead of the density: a box of 2 x 4 x 6 m and 12 kg, turned and moved, has the principal
 * moments m / 12 (a^2 + b^2); given exactly, whatever the volume rounds to. */
static void mass_of_the_whole(void **state)
{
    (void)state;
    fender_scenario *s = parse(HEAD
                               "bodies:\n  a:\n    mass_properties: {from_shapes: true, mass: 12 kg}\n    shapes:\n"
                               "      box: {box: {size: [2, 4, 6, m]}, position: [0, 1, 0, m], orientation: {axis: [0, "
                               "0, 1], angle: 90 deg}}\n");
    const fender_mass_properties *p = &s->bodies[0].def.mass_properties;
    assert_true(p->mass == 12 && fabs(p->center_of_mass.y - 1) < 1e-15);
    const double expected[3] = {4 + 36, 16 + 36, 4 + 16};
    for (int i = 0; i < 3; i++) assert_true(fabs(p->inertia.m[i][i] - expected[i]) < 1e-12);
    fender_scenario_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_of_jeod),
                                       cmocka_unit_test(docking_makes_contact),
                                       cmocka_unit_test(description_reaches_the_world),
                                       cmocka_unit_test(rule_locations),
                                       cmocka_unit_test(short_range),
                                       cmocka_unit_test(limits_without_direction),
                                       cmocka_unit_test(several_refusals_of_the_world),
                                       cmocka_unit_test(mass_from_shapes),
                                       cmocka_unit_test(mass_of_the_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
