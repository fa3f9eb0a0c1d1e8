/* Whole vehicles on paths that once went wrong: turned terrain on a plane, pushes that last while the shapes are apart,
 * lines of sight at their ends and along the ground, friction without located events, siblings of a tree, shapes
 * without an inside. */
/* items: C005 C028 C037 C041 P014 M011 M024 M044 S021 S026 B003 B019 B044 B045 B046 */
#include "run_test.h"

#include <fender/fender.h>
#include <math.h>

typedef struct outcome {
    fender_status status;
    fender_error error;
    diagnostics told;
    fender_scenario *scenario;
    fender_run *run;
    const fender_run_summary *summary;
} outcome;

static outcome *run_text(const char *text)
{
    static outcome o;
    memset(&o, 0, sizeof o);
    fender_env env = fender_env_default();
    env.report = collect_diagnostic;
    env.report_ctx = &o.told;
    o.scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, &o.error);
    if (!o.scenario) print_error("%s\n", o.told.text);
    assert_non_null(o.scenario);
    const fender_run_def def = {.scenario = o.scenario};
    o.run = fender_run_create(&env, &def, &o.error);
    if (!o.run) print_error("%s\n", o.told.text);
    assert_non_null(o.run);
    o.status = fender_run_execute(o.run, &o.error);
    o.summary = fender_run_get_summary(o.run);
    return &o;
}

static void check_expectations(const outcome *o, int count)
{
    if (o->status != FENDER_STATUS_OK) print_error("%s %s\n", o->error.message, o->error.found);
    assert_int_equal(o->status, FENDER_STATUS_OK);
    assert_int_equal(o->summary->expectation_count, count);
    for (int i = 0; i < count; i++) {
        if (!o->summary->expectations[i].met) print_error("missed: %s\n", o->summary->expectations[i].text);
        assert_true(o->summary->expectations[i].met);
    }
}

static void finish(outcome *o)
{
    fender_run_destroy(o->run);
    fender_scenario_destroy(o->scenario);
}

#define GROUND "  ground: {motion: fixed, shapes: {g: {plane: {}}}}\n"

/* Of 100 kg on 1e5 N/m; as deep as m g / k = 9.8 mm at rest. */
#define PLATE_ON_PLANE(angle, lines)                                                                                   \
    "fender: 1\nworld: {gravity: [0, 0, -9.8, m/s^2]}\nintegrator: {method: rk4, step: 0.5 ms, locate_events: true}\n" \
    "run: {until: 1 s}\n"                                                                                              \
    "contact_types: {t: {points: patch, normal: {law: spring_damper, stiffness: 1e5 N/m, damping: 4000}}}\n"           \
    "rules: [{default: t}]\nbodies:\n" GROUND "  plate:\n    mass_properties: {mass: 100 kg, inertia: [20, 20, 30]}\n" \
    "    state: {position: [0, 0, 0.02, m], orientation: {axis: [1, 0, 0], angle: " angle "}}\n"                       \
    "    shapes: {g: {grid: {heights: [[0, 0, 0], [0, 0, 0], [0, 0, 0], m], " lines "}}}\n"                            \
    "expect:\n  - {channel: contacts.ground.g:plate.g.normal_force, at: end, equals: 980 N, within: 1 N}\n"            \
    "  - {channel: bodies.plate.position.z, at: end, equals: -9.8 mm, within: 0.1 mm}\n"

static void turned_grids_rest_on_planes(void **state)
{
    (void)state;
    static const char *const scenes[] = {
        PLATE_ON_PLANE("180 deg", "spacing: [0.5, 0.5, m], lower: [-0.5, -0.5, m]"),
        PLATE_ON_PLANE("179.9999 deg", "spacing: [0.5, 0.5, m], lower: [-0.5, -0.5, m]"),
        PLATE_ON_PLANE("179.9999 deg", "x: [-0.5, -0.3, 0.5, m], y: [-50, 40, 50, cm]")};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        outcome *o = run_text(scenes[i]);
        check_expectations(o, 2);
        finish(o);
    }
}

/* A ball of 0.2 kg bounces on a push that lasts until it is 5 mm apart: nothing acts there, and nothing is missing. */
static void pushes_end_where_shapes_part(void **state)
{
    (void)state;
    outcome *o = run_text("fender: 1\nworld: {gravity: [0, 0, -9.8, m/s^2]}\n"
                          "integrator: {step: 0.5 ms, locate_events: true}\nrun: {until: 1 s}\n"
                          "contact_types: {t: {law: DefaultContact, K: 1000 N/m, B: 1 N*s/m, Error: 5 mm}}\n"
                          "rules: [{default: t}]\nbodies:\n" GROUND
                          "  ball: {mass_properties: {mass: 200 g, inertia: [1, 1, 1]}, state: {position: [0, 0, 0.2, "
                          "m]}, shapes: {b: {sphere: {radius: 0.1 m}}}}\n"
                          "expect:\n  - {channel: ledger.energy.residual, at: max, below: 1e-7 J}\n"
                          "  - {channel: ledger.energy.residual, at: min, above: -1e-7 J}\n");
    check_expectations(o, 2);
    assert_true(o->summary->episode_count >= 3); /* else nothing was tried */
    finish(o);
}

#define VEHICLE(position, probes)                                                                                    \
    "  v:\n    mass_properties: {mass: 1553 kg, inertia: [1800, 1800, 1800]}\n    state: {position: " position "}\n" \
    "    shapes:\n" probes
#define LINE(name, direction, range) \
    "      " name ": {probe: {point: [0, 0, 0, m], direction: " direction ", range: " range "}}\n"

/* A fall that its line of sight cannot end stops with the contact's name, whether a step sees the end of the line or
 * goes past it. */
static void lines_have_an_end(void **state)
{
    (void)state;
    static const char *const steps[] = {"1 ms", "5 ms"};
    for (int i = 0; i < 2; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "fender: 1\nworld: {gravity: [0, 0, -9.8, m/s^2]}\n"
                 "integrator: {method: rk4, step: %s, locate_events: true}\nrun: {until: 5 s}\n"
                 "contact_types: {c: {normal: {law: spring_damper, stiffness: 190 kN/m, damping: 1720 N*s/m}}}\n"
                 "rules: [{default: c}]\nbodies:\n" GROUND VEHICLE(
                     "[0, 0, 20, m]", LINE("down", "[0, 0, -1]", "0.8 m") LINE("side", "[1, 0, 0]", "0.8 m")),
                 steps[i]);
        outcome *o = run_text(text);
        assert_int_equal(o->status, FENDER_STATUS_INTEGRATOR);
        assert_non_null(strstr(o->error.path, "ground.g:v.down"));
        assert_non_null(strstr(o->error.expected, "at most 0.76 m"));
        finish(o);
    }
}

/* Lines along the ground enter it with their whole length: they do not push, and the peak is that of the line that
 * looks down: m v w, w from k = 190.4 kN/m, with damping. */
static void lines_along_the_ground_do_not_push(void **state)
{
    (void)state;
    outcome *o = run_text(
        "fender: 1\nworld: {gravity: [0, 0, -9.80665, m/s^2]}\n"
        "integrator: {method: rk4, step: 1 ms, locate_events: true}\nrun: {until: 10 s}\n"
        "contact_types: {c: {normal: {law: spring_damper, stiffness: {sink: 2 cm, weight: 3808 N}, damping: {ratio: "
        "0.1, "
        "mass: 388 kg}}}}\nrules: [{default: c}]\nbodies:\n" GROUND VEHICLE(
            "[0, 0, 21.3, m]",
            LINE("px", "[1, 0, 0]", "3 m") LINE("mx", "[-1, 0, 0]", "3 m") LINE("py", "[1e-14, 1, 1e-13]", "3 m")
                LINE("my", "[0, -1, -1e-13]", "3 m")
                    LINE("down", "[0, 0, -1]",
                         "3 m")) "expect:\n  - {channel: bodies.v.contact_force.z, at: max, below: 345 kN}\n"
                                 "  - {channel: bodies.v.contact_force.z, at: max, above: 340 kN}\n"
                                 "  - {channel: bodies.v.angular_velocity.x, at: max, below: 1e-9 rad/s}\n");
    check_expectations(o, 3);
    finish(o);
}

/* 10 kg on four points, drawn by a force that grows by 10 N/s from 0: static friction of 0.8 holds 80 N for 8 s,
 * kinetic friction of 0.3 would hold 30 N. */
static void static_friction_holds_without_located_events(void **state)
{
    (void)state;
    outcome *o = run_text(
        "fender: 1\nworld: {gravity: [0, 0, -10, m/s^2]}\nintegrator: {method: rk4, step: 0.5 ms, locate_events: "
        "false}\n"
        "run: {until: 8.5 s}\ncontact_types: {c: {normal: {law: spring_damper, stiffness: 1e5, damping: 1000}, "
        "friction: "
        "{law: coulomb_static_kinetic, mu_static: 0.8, mu_kinetic: 0.3, stiffness: 1e5, damping: 500}}}\n"
        "rules: [{default: c}]\nbodies:\n" GROUND
        "  b: {mass_properties: {mass: 10 kg, inertia: [1, 1, 1]}, state: {position: [0, 0, -0.00025, m]}, shapes: {c: "
        "{cloud: {points: [[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0], m]}}}}\n"
        "loads: {p: {body: b, force: {ramp: {direction: [1, 0, 0], rate: 10 N/s}}}}\n"
        "expect:\n  - {channel: bodies.b.position.x, at: 7.9 s, equals: 0.2 mm, within: 0.01 mm}\n"
        "  - {channel: bodies.b.position.x, at: end, above: 10 cm}\n");
    check_expectations(o, 2);
    finish(o);
}

/* Two spheres on arms of one body overlap by half a metre. */
static void siblings_of_a_tree_do_not_touch(void **state)
{
    (void)state;
    outcome *o = run_text(
        "fender: 1\nintegrator: {step: 1 ms}\nrun: {until: 0.05 s}\n"
        "contact_types: {s: {law: spring_damper, stiffness: 1000 N/m}}\nrules: [{default: s}]\nbodies:\n"
        "  a: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}}\n"
        "  b: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, shapes: {h: {sphere: {radius: 1 m}}}, attached: {to: "
        "a, "
        "position: [1, 0, 0, m]}}\n"
        "  c: {like: b, attached: {to: a, position: [-0.5, 0, 0, m]}}\n"
        "expect:\n  - {channel: bodies.a.velocity.x, at: end, equals: 0 m/s, within: 0 m/s}\n");
    check_expectations(o, 1);
    assert_int_equal(o->summary->episode_count, 0);
    finish(o);
}

/* Disks have no inside: they cannot touch, which is told; a rounded one rests. */
static void thin_pairs_are_told_of(void **state)
{
    (void)state;
    static const char scene[] =
        "fender: 1\nworld: {gravity: [0, 0, -9.8, m/s^2]}\nintegrator: {step: 0.5 ms, locate_events: true}\n"
        "run: {until: 0.3 s}\ncontact_types: {t: {points: single, law: spring_damper, stiffness: 1e5, damping: 2000}}\n"
        "rules: [{default: t}]\nbodies:\n  base: {motion: fixed, shapes: {g: {disk: {radius: 0.5 m}}}}\n"
        "  follower: {mass_properties: {mass: 10 kg, inertia: [1, 1, 1]}, state: {position: [0, 0, 0.02, m]}, shapes: "
        "{g: "
        "{disk: {radius: 0.3 m}%s}}}\n";
    for (int i = 0; i < 2; i++) {
        char text[1500];
        snprintf(text, sizeof text, scene, i == 0 ? "" : ", rounding: 1 cm");
        outcome *o = run_text(text);
        const bool told = strstr(o->told.text, "no depth for 1 pair of shapes") != NULL;
        assert_true(told == (i == 0));
        assert_int_equal(o->summary->episode_count, i);
        finish(o);
    }
}

/* JEOD's run on a soft ground: deeper than the vehicle is large, which the ground of a planet allows. */
static void planet_ground_is_as_deep_as_need_be(void **state)
{
    (void)state;
    outcome *o = run_text(
        "fender: 1\nworld: {gravity: {point_mass: {mu: 398600.4415 km^3/s^2, center: [-6378137, 0, 0, m]}}}\n"
        "integrator: {step: 5 ms, locate_events: true}\nrun: {until: 3 s}\nmaterials: {steel: {}, dirt: {}}\n"
        "contact_types: {s: {law: jeod_spring, stiffness: 10 lbf/in, damping: 0.2 lbf*s/in, mu: 0.5}}\n"
        "rules: [{materials: [steel, dirt], use: s}]\nbodies:\n"
        "  earth: {motion: fixed, shapes: {g: {planet_ground: {radius: 6378137 M}, material: dirt, orientation: {axis: "
        "[0, 1, 0], angle: 90 deg}}}}\n"
        "  veh2: {mass_properties: {mass: 200 kg, inertia: [100, 116, 116, kg*M2]}, state: {position: [10, 0, 0, M]}, "
        "shapes: {h: {sphere: {radius: 1 m}, material: steel}}}\n"
        "expect:\n  - {channel: bodies.veh2.position.x, at: min, below: -4 m}\n"
        "  - {channel: bodies.veh2.velocity.x, at: end, above: 7 m/s}\n");
    check_expectations(o, 2);
    finish(o);
}

/* `like` leaves out where the model is if the copy says that in the other way. */
static void copies_are_where_they_say(void **state)
{
    (void)state;
    outcome *o = run_text("fender: 1\nintegrator: {step: 10 ms}\nrun: {until: 10 ms}\nbodies:\n"
                          "  a: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, state: {position: [1, 0, 0, m]}}\n"
                          "  b: {like: a, attached: {to: a, position: [2, 0, 0, m]}}\n"
                          "  c: {like: b, state: {position: [9, 0, 0, m]}}\n"
                          "expect:\n  - {channel: bodies.a.mass, at: end, equals: 2 kg, within: 0 kg}\n"
                          "  - {channel: bodies.c.position.x, at: end, equals: 9 m, within: 0 m}\n");
    check_expectations(o, 2);
    finish(o);
}

/* A ball at rest falls on when all contacts are switched off, and is pushed out when they are on again (C028). */
static void contacts_are_switched_by_actions(void **state)
{
    (void)state;
    outcome *o = run_text(
        "fender: 1\nworld: {gravity: [0, 0, -10, m/s^2]}\nintegrator: {method: rk4, step: 1 ms}\nrun: {until: 0.5 s}\n"
        "contact_types: {t: {law: spring_damper, stiffness: 1e4 N/m, damping: 100}}\nrules: [{default: t}]\n"
        "bodies:\n" GROUND
        "  b: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, state: {position: [0, 0, 0.999, m]}, shapes: {s: "
        "{sphere: {radius: 1 m}}}}\n"
        "actions:\n  off: {when: {time: 0.2 s}, do: [{set: {world.contacts_active: false}}]}\n"
        "  on: {when: {time: 0.3 s}, do: [{set: {world.contacts_active: true}}]}\n"
        "expect:\n  - {channel: bodies.b.position.z, at: 0.2 s, equals: 0.999 m, within: 1e-12 m}\n"
        "  - {channel: bodies.b.position.z, at: 0.3 s, equals: 0.949 m, within: 0.2 mm}\n"
        "  - {channel: bodies.b.velocity.z, at: max, above: 0.5 m/s}\n");
    check_expectations(o, 3);
    finish(o);
}

/* 1 kg without an inertia of its own (B044), 2 m from one of 3 kg: m r^2 with the reduced mass is added. Core
 * properties are channels (B046). */
static void points_of_mass_have_no_inertia_of_their_own(void **state)
{
    (void)state;
    outcome *o = run_text(
        "fender: 1\nintegrator: {step: 10 ms}\nrun: {until: 10 ms}\nbodies:\n"
        "  a: {mass_properties: {mass: 3 kg, inertia: [1, 2, 2.5]}}\n"
        "  b: {motion: mass_only, mass_properties: {mass: 1 kg, inertia_given: none}, attached: {to: a, position: [2, "
        "0, "
        "0, m]}}\n"
        "expect:\n  - {channel: \"bodies.a.inertia[0][0]\", at: end, equals: 1 kg*m^2, within: 1e-15 kg*m^2}\n"
        "  - {channel: \"bodies.a.inertia[1][1]\", at: end, equals: 5 kg*m^2, within: 1e-14 kg*m^2}\n"
        "  - {channel: \"bodies.a.core_inertia[1][1]\", at: end, equals: 2 kg*m^2, within: 0 kg*m^2}\n"
        "  - {channel: bodies.a.core_center_of_mass.x, at: end, equals: 0 m, within: 0 m}\n"
        "  - {channel: \"bodies.b.core_inertia[1][1]\", at: end, equals: 0 kg*m^2, within: 0 kg*m^2}\n");
    check_expectations(o, 5);
    finish(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_grids_rest_on_planes),
        cmocka_unit_test(pushes_end_where_shapes_part),
        cmocka_unit_test(lines_have_an_end),
        cmocka_unit_test(lines_along_the_ground_do_not_push),
        cmocka_unit_test(static_friction_holds_without_located_events),
        cmocka_unit_test(siblings_of_a_tree_do_not_touch),
        cmocka_unit_test(thin_pairs_are_told_of),
        cmocka_unit_test(planet_ground_is_as_deep_as_need_be),
        cmocka_unit_test(copies_are_where_they_say),
        cmocka_unit_test(contacts_are_switched_by_actions),
        cmocka_unit_test(points_of_mass_have_no_inertia_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
