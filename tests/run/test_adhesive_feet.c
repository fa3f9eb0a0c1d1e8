/* Feet that hold fast beyond touch: ringing on their springs about touch on every ground; flat feet on a plane, their
 * energy from landing to breaking, and their events. */
/* items: P014 */
#include "run_test.h"

static const char scene[] = "fender: 1\n"
                            "integrator: {method: rk4, step: 0.1 ms, locate_events: true}\n"
                            "run: {until: 0.2 s}\n"
                            "contact_types: {grip: {law: SpringContact, K: 1000, B: 0, Z_Limit: 50}}\n"
                            "rules: [{default: grip}]\n"
                            "bodies:\n"
                            "  wall: {motion: fixed, shapes: {face: {%s}}}\n"
                            "  foot:\n"
                            "    mass_properties: {mass: 0.2 kg, inertia: [1, 1, 1]}\n"
                            "    state: {position: [20, 30, 9.9, mm], velocity: [0, 0, -0.1, m/s]}\n"
                            "    shapes: {pad: {%s}}\n"
                            "expect:\n"
                            "  - {channel: ledger.energy.residual, at: max, below: 1e-10 J}\n"
                            "  - {channel: ledger.energy.residual, at: min, above: -1e-10 J}\n"
                            "  - {channel: bodies.foot.position.z, at: max, equals: 11.41774 mm, within: 1 um}\n"
                            "  - {channel: bodies.foot.position.z, at: min, equals: 8.58226 mm, within: 1 um}\n";

/* `breaks`: events of laws, those of the points of a patch; -1: any number. */
static void run_and_check(const char *text, int breaks)
{
    const fender_env env = fender_env_default();
    fender_error why = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "foot.yaml", text, strlen(text), NULL, 0, &why);
    if (!scenario) print_error("%s: %s %s\n", why.path, why.message, why.found);
    assert_non_null(scenario);
    fender_run_def def = {.scenario = scenario, .accept_residual = true};
    fender_run *run = fender_run_create(&env, &def, &why);
    assert_non_null(run);
    (void)fender_run_execute(run, &why);
    const fender_run_summary *summary = fender_run_get_summary(run);
    for (int i = 0; i < summary->expectation_count; i++)
        if (!summary->expectations[i].met) print_error("%s\n%s\n", text, summary->expectations[i].text);
    assert_true(summary->expectation_count > 0);
    assert_int_equal(summary->expectations_met, summary->expectation_count);
    if (breaks >= 0) assert_int_equal(fender_world_event_count(fender_run_world(run), FENDER_EVENT_LAW), breaks);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* 10 mm +- sqrt((0.1 mm)^2 + (v / w)^2), w^2 = 1000 / 0.2: 1.41774 mm, 0.14 of the radius apart. */
static void rings_on_every_ground(void **state)
{
    (void)state;
    static const char *const grounds[] = {
        "plane: {}", "box: {size: [1, 1, 1, m]}, position: [0, 0, -0.5, m]",
        "grid: {heights: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], spacing: [0.5, 0.5], lower: [-0.5, -0.5]}",
        "extruded: {profile: [[-1, -1], [1, -1], [1, 1], [-1, 1]], length: 1 m}, position: [0, 0, -0.5, m]"};
    static const char *const feet[] = {"sphere: {radius: 10 mm}", "ellipsoid: {radii: [10, 10, 10, mm]}"};
    for (int f = 0; f < 2; f++)
        for (int g = 0; g < 4; g++) {
            char text[2000];
            snprintf(text, sizeof text, scene, grounds[g], feet[f]);
            run_and_check(text, 0);
        }
}

static const char *const flat[] = {"box: {size: [20, 20, 20, mm]}", "cylinder: {radius: 10 mm, length: 20 mm}",
                                   "disk: {radius: 10 mm}, position: [0, 0, -10, mm]"};
#define FLAT ((int)(sizeof flat / sizeof flat[0]))

/* Gravity, events, end, law, inertia, height, speed, foot, residual. */
static const char pulled[] =
    "fender: 1\n"
    "world: {gravity: [%g, 0, 0]}\n"
    "integrator: {method: rk4, step: 0.2 ms, locate_events: %s}\n"
    "run: {until: %g s}\n"
    "contact_types: {grip: {%s}}\n"
    "rules: [{default: grip}]\n"
    "bodies:\n"
    "  wall: {motion: fixed, shapes: {face: {plane: {}}}}\n"
    "  foot:\n"
    "    mass_properties: {mass: 0.2 kg, inertia: [%g, %g, %g]}\n"
    "    state: {position: [0, 0, %g], velocity: [0, 0, %g]}\n"
    "    shapes: {pad: {%s}}\n"
    "loads: {pull: {body: foot, axes: world, force: {ramp: {direction: [0, 0, 1], rate: 4 N/s, "
    "start: 0.6 s}}}}\n"
    "expect:\n"
    "  - {channel: ledger.energy.residual, at: max, below: %g J}\n"
    "  - {channel: ledger.energy.residual, at: min, above: -%g J}\n";

typedef struct bond {
    const char *law;
    double pull, shear;      /* N; at which it breaks; what it hangs by */
    int breaks;              /* points */
    double residual, within; /* J */
} bond;

/* A foot of 0.2 kg lands at 0.5 m/s, hangs by a shear of 2 N and is pulled off: what it brings is damped, m v^2 / 2 =
 * 25 mJ, its springs hold f^2 / 2 K = 2 mJ, and the break gives away these and the stretch at the limit, F^2 / 2 K.
 * The foot follows the ramp with a lag, by which the ledger differs by 0.1 uJ at most. The residual is that of RK4,
 * 1e-11 J. The unbroken bond ends 5 mm apart, where its force is 0.04 N more by the damper; the area passes the border
 * in two steps, by the trapezoidal rule. */
static void flat_feet_book_what_they_hold(void **state)
{
    (void)state;
    static const bond bonds[] = {
        {"law: SpringContact, K: 1000, B: 10, Z_Limit: 5", 5, 2, 4, 2e-11, 2e-7},
        {"law: SpringContact, K: 1000, B: 10, Error: 5 mm", 5, 2, 0, 1e-6, 4e-4}, /* it ends there, unbroken */
        {"law: claw, stiffness: 1000, damping: 10, tangential_stiffness: 1000, "
         "tangential_damping: 10, pull: [1, 0, 0], "
         "limit: 50, angle: 1.0",
         2 * 1.5574077246549023, 2, 4, 2e-11, 2e-7},
        {"law: pull_off_spring, stiffness: 1000, damping: 10, pull_off: 5", 5, 0, 4, 2e-11, 2e-7}};
    for (int k = 0; k < 4; k++)
        for (int f = 0; f < FLAT; f++) {
            const double held = 0.5 * bonds[k].shear * bonds[k].shear / 1000,
                         lost = 0.025 + held + 0.5 * bonds[k].pull * bonds[k].pull / 1000;
            char text[3000];
            int n = snprintf(text, sizeof text, pulled, 5 * bonds[k].shear, "true", 2.0, bonds[k].law, 1e6, 1e6, 1e6,
                             0.011, -0.5, flat[f], bonds[k].residual, bonds[k].residual);
            snprintf(text + n, sizeof text - (size_t)n,
                     "  - {channel: ledger.energy.stored, at: 0.6 s, equals: %.9g J, within: 1e-9 J}\n"
                     "  - {channel: ledger.energy.damping, at: 0.6 s, equals: 0.025 J, within: 1e-8 J}\n"
                     "  - {channel: ledger.energy.damping, at: min, above: -1e-15 J}\n"
                     "  - {channel: ledger.energy.damping, equals: %.9g J, within: %g J}\n"
                     "  - {channel: ledger.energy.stored, equals: 0 J, within: 1e-12 J}\n",
                     held, lost, bonds[k].within);
            run_and_check(text, bonds[k].breaks);
        }
}

/* Nothing holds it before touch, with located events or without; 4 mm above the wall is within the release distance. */
static void flat_feet_hold_from_touch_on(void **state)
{
    (void)state;
    for (int f = 0; f < FLAT; f++)
        for (int located = 0; located < 2; located++) {
            char text[3000];
            int n = snprintf(text, sizeof text, pulled, 0.0, located ? "true" : "false", 0.5,
                             "law: SpringContact, K: 1000, B: 10, Z_Limit: 5", 1e6, 1e6, 1e6, 0.014, 0.0, flat[f],
                             2e-11, 2e-11);
            snprintf(text + n, sizeof text - (size_t)n,
                     "  - {channel: bodies.foot.position.z, at: min, equals: 14 mm, within: 0 mm}\n");
            run_and_check(text, 0);
        }
}

/* A shear turns the foot by 0.02 rad. A side face then has 2e-4 of the weight of the face below, each point a quarter
 * of it: no bond that is worth an event. It breaks in points, some before others, and costs 1e-6 J. */
static void sides_break_without_events(void **state)
{
    (void)state;
    char text[3000];
    snprintf(text, sizeof text, pulled, 10.0, "true", 1.6, "law: SpringContact, K: 1000, B: 10, Z_Limit: 5", 1.0, 1.0,
             1.0, 0.0099, 0.0, flat[0], 1e-5, 1e-5);
    run_and_check(text, 0);
}

/* A box that lands at 3 degrees breaks point by point, and its energy does not add up: the advice is other points. With
 * corners it does. */
static void bonds_that_break_one_by_one_are_advised_on(void **state)
{
    (void)state;
    static const char *const methods[] = {"rk4", "dop853"};
    for (int m = 0; m < 2; m++)
        for (int corners = 0; corners < 2; corners++) {
            char text[2000];
            snprintf(text, sizeof text,
                     "fender: 1\nintegrator: {method: %s, step: 0.25 ms, locate_events: true}\nrun: {until: 0.2 s}\n"
                     "contact_types: {grip: {law: SpringContact, K: 1000, B: 1, Z_Limit: 5, points: %s}}\n"
                     "rules: [{default: grip}]\nbodies:\n  wall: {motion: fixed, shapes: {face: {plane: {}}}}\n"
                     "  foot:\n    mass_properties: {mass: 0.2 kg, inertia: [2e-5, 2e-5, 2e-5]}\n"
                     "    state: {position: [0, 0, 18, mm], velocity: [0.1, 0, -0.5], angular_velocity: [0.3, 0.2, "
                     "0.1], orientation: {axis: [0.8, 0.6, 0], angle: 3 deg}}\n"
                     "    shapes: {pad: {box: {size: [20, 20, 20, mm]}}}\n",
                     methods[m], corners ? "corners" : "patch");
            diagnostics said = {0};
            fender_env env = fender_env_default();
            env.report = collect_diagnostic;
            env.report_ctx = &said;
            fender_error why = {0};
            fender_scenario *scenario = fender_scenario_parse(&env, NULL, "foot.yaml", text, strlen(text), NULL, 0,
                                                              &why);
            assert_non_null(scenario);
            fender_run_def def = {.scenario = scenario, .accept_residual = true};
            fender_run *run = fender_run_create(&env, &def, &why);
            assert_non_null(run);
            (void)fender_run_execute(run, &why);
            const bool sound = fender_run_get_summary(run)->verdict == FENDER_RUN_SOUND;
            const bool advised = strstr(said.text, "try points: corners or single") != NULL;
            assert_int_equal(sound, corners);
            assert_int_equal(advised, !corners);
            fender_run_destroy(run);
            fender_scenario_destroy(scenario);
        }
}

/* Law and points, ground, foot. */
static const char drawn[] = "fender: 1\n"
                            "integrator: {method: rk4, step: 1 ms, locate_events: true}\n"
                            "run: {until: 0.4 s}\n"
                            "contact_types: {grip: {%s}}\n"
                            "rules: [{default: grip}]\n"
                            "bodies:\n"
                            "  wall: {motion: fixed, shapes: {face: {%s}}}\n"
                            "  foot:\n"
                            "    mass_properties: {mass: 0.2 kg, inertia: [10, 10, 10]}\n"
                            "    state: {position: [30, 20, 9.9, mm]}\n"
                            "    shapes: {pad: {%s}}\n"
                            "loads: {pull: {body: foot, axes: world, force: {ramp: {direction: [0, 0, 1], rate: 4 "
                            "N/s}}}}\n";

/* Height of a foot of 0.2 kg that is drawn by up to 1.6 N for 0.4 s; *warned: was there a warning that it lets go? */
static double drawn_to(const char *law, const char *ground, const char *foot, bool *warned)
{
    diagnostics said = {0};
    fender_env env = fender_env_default();
    env.report = collect_diagnostic;
    env.report_ctx = &said;
    char text[2000];
    snprintf(text, sizeof text, drawn, law, ground, foot);
    fender_error why = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "foot.yaml", text, strlen(text), NULL, 0, &why);
    if (!scenario) print_error("%s\n%s\n", text, said.text);
    assert_non_null(scenario);
    fender_run_def def = {.scenario = scenario, .accept_residual = true};
    fender_run *run = fender_run_create(&env, &def, &why);
    assert_non_null(run);
    *warned = strstr(said.text, "no hold beyond touch for 1 pair of shapes; their law attracts") != NULL;
    if (*warned) assert_non_null(strstr(said.text, "points: single"));
    (void)fender_run_execute(run, &why);
    fender_body_data data;
    const fender_world *world = fender_run_world(run);
    fender_body_id id;
    assert_int_equal(fender_body_find(world, "foot", &id), FENDER_STATUS_OK);
    assert_int_equal(fender_body_get(world, id, FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return data.position.z;
}

/* A foot that holds is drawn by 2 mm, one that lets go by 0.2 m; all that let go, and no others, are warned of. */
static void feet_that_let_go_are_warned_of(void **state)
{
    (void)state;
    static const char *const grounds[] = {
        "plane: {}", "box: {size: [1, 1, 1]}, position: [0, 0, -0.5]",
        "grid: {heights: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], spacing: [0.5, 0.5], lower: [-0.5, -0.5]}",
        "extruded: {profile: [[-1, -1], [1, -1], [1, 1], [-1, 1]], length: 1}, position: [0, 0, -0.5]",
        "cylinder: {radius: 1, length: 1}, position: [0, 0, -0.5]"};
    static const char *const feet[] = {
        "sphere: {radius: 10 mm}",
        "ellipsoid: {radii: [10, 12, 10, mm]}",
        "capsule: {radius: 5 mm, length: 10 mm}",
        "cylinder: {radius: 10 mm, length: 20 mm}",
        "cone: {radius: 10 mm, height: 20 mm}",
        "disk: {radius: 10 mm}, position: [0, 0, -10, mm]",
        "box: {size: [20, 20, 20, mm]}",
        "hull: {points: [[-0.01, -0.01, -0.01], [0.01, -0.01, -0.01], [0, 0.01, -0.01], [0, 0, 0.01]]}",
        "extruded: {profile: [[-0.01, -0.01], [0.01, -0.01], [0.01, 0.01], [-0.01, 0.01]], length: 0.02}",
        "point: {}, position: [0, 0, -10, mm]"};
    enum { GROUNDS = sizeof grounds / sizeof grounds[0], FEET = sizeof feet / sizeof feet[0], WAYS = 2 };
    static const char *const ways[WAYS] = {"law: SpringContact, K: 1000, B: 10, Z_Limit: 5",
                                           "law: SpringContact, K: 1000, B: 10, Z_Limit: 5, points: single"};
    int lost = 0;
    for (int w = 0; w < WAYS; w++)
        for (int g = 0; g < (w == 0 ? GROUNDS : 2); g++)
            for (int f = 0; f < FEET; f++) {
                bool warned = false;
                const double height = drawn_to(ways[w], grounds[g], feet[f], &warned);
                if (warned != (height > 0.1)) print_error("%s: %s on %s: %g m\n", ways[w], feet[f], grounds[g], height);
                assert_int_equal(warned, height > 0.1);
                assert_true(warned || height < 0.0125);
                assert_false(warned && w == 1);
                lost += warned;
            }
    assert_int_equal(lost, 26);
}

/* A capsule's tip on a grid or mesh that is drawn sideways by 1 mm/s and lifted by as much passes touch after 0.2 s:
 * its stiffness is the same before and after, 1 where it stands, 1 - 3/4 (1 - 3/4)^2 at 30 degrees from there. The body
 * is so heavy that its velocity changes by 1e-6 of itself. */
static void tips_hold_alike_below_and_beyond_touch(void **state)
{
    (void)state;
    static const char *const grounds[] = {
        "grid: {heights: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], spacing: [0.5, 0.5], lower: [-0.5, -0.5]}",
        "extruded: {profile: [[-1, -1], [1, -1], [1, 1], [-1, 1]], length: 1}, position: [0, 0, -0.5]"};
    static const double angles[] = {0, 180, 30}, heights[] = {0.0698, 0.0698, 0.063101270189},
                        parts[] = {1, 1, 0.953125};
    for (int g = 0; g < 2; g++)
        for (int i = 0; i < 3; i++) {
            char text[2400];
            int n = snprintf(
                text, sizeof text,
                "fender: 1\nintegrator: {step: 0.5 ms}\nrun: {until: 0.3 s}\n"
                "contact_types: {grip: {law: SpringContact, K: 2000, Z_Limit: 5}}\n"
                "rules: [{default: grip}]\nbodies:\n  wall: {motion: fixed, shapes: {face: {%s}}}\n"
                "  foot:\n    mass_properties: {mass: 1e6, inertia: [1e6, 1e6, 1e6]}\n"
                "    state: {position: [0.1, 0.13, %.12g], velocity: [0, 1e-3, 1e-3]}\n"
                "    shapes: {tip: {capsule: {radius: 2 cm, length: 10 cm}, orientation: {axis: [1, 0, 0], "
                "angle: %g deg}}}\nexpect:\n",
                grounds[g], heights[i], angles[i]);
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "  - {channel: ledger.energy.residual, at: max, below: 1e-12 J}\n"
                          "  - {channel: ledger.energy.residual, at: min, above: -1e-12 J}\n");
            for (int k = 0; k < 2; k++)
                n += snprintf(text + n, sizeof text - (size_t)n,
                              "  - {channel: contacts.wall.face:foot.tip.friction_force, at: %s, equals: %.9g N, "
                              "within: 0.1 mN}\n",
                              k == 0 ? "0.19 s" : "0.21 s", parts[i] * (k == 0 ? 0.38 : 0.42));
            run_and_check(text, -1);
        }
}

/* Corners hold. A law that remembers how deep it was does not attract: there is nothing to warn of. */
static void other_feet_are_not_warned_of(void **state)
{
    (void)state;
    static const char box[] = "box: {size: [1, 1, 1]}, position: [0, 0, -0.5]";
    bool warned = true;
    assert_true(drawn_to("law: SpringContact, K: 1000, B: 10, Z_Limit: 5, points: corners", box, flat[0], &warned) <
                0.0125);
    assert_false(warned);
    assert_true(drawn_to("law: elastic_plastic, stiffness: 1000, crush_force: 1, stroke: 5 mm, remember: 5 mm", box,
                         flat[0], &warned) > 0.1);
    assert_false(warned);
    assert_true(drawn_to("law: adhesion, stiffness: 1000, pull: 1, range: 1 mm", box, flat[0], &warned) > 0.1);
    assert_true(warned);
}

/* Friction follows the net force: a pad that rests on a wall by its pull, N = 0, falls freely, g t^2 / 2; the springs
 * of a bond carry it, m g / K below. */
static void a_pull_alone_carries_no_shear(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        double depth, down;
    } pads[] = {
        {"{normal: {law: adhesion, stiffness: 1000, pull: 5}, friction: {law: coulomb, mu: 0.8}}", 0.005, 1.8},
        {"{normal: {law: pull_off_spring, stiffness: 1000, pull_off: 5}, friction: {law: coulomb, mu: 0.8}}", 0, 1.8},
        {"{law: SpringContact, K: 1000, B: 20, Z_Limit: 5}", 0, 0.002}};
    for (int k = 0; k < 3; k++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            "fender: 1\nworld: {gravity: [10, 0, 0]}\nintegrator: {method: rk4, step: 1 ms, locate_events: true}\n"
            "run: {until: 0.6 s}\ncontact_types: {grip: %s}\nrules: [{default: grip}]\nbodies:\n"
            "  wall: {motion: fixed, shapes: {face: {plane: {}}}}\n"
            "  foot: {mass_properties: {mass: 0.2 kg, inertia: [1e6, 1e6, 1e6]}, state: {position: [0, 0, %.17g]}, "
            "shapes: {pad: {box: {size: [0.02, 0.02, 0.02]}}}}\n"
            "expect: [{channel: bodies.foot.position.x, equals: %g m, within: 1e-6 m}]\n",
            pads[k].law, 0.01 - (pads[k].depth > 0 ? pads[k].depth : 1e-9), pads[k].down);
        run_and_check(text, 0);
    }
}

/* A foot is pulled until its bond breaks, K d = 5 N, falls back from there, and is pressed by 2 N more: the next touch
 * makes a new bond, and it rests at (W + 2 N) / K below touch. Method, located, law, foot. */
static const char pressed[] = "fender: 1\n"
                              "world: {gravity: [0, 0, -9.81]}\n"
                              "integrator: {method: %s, step: 0.2 ms, locate_events: %s}\n"
                              "run: {until: 3 s}\n"
                              "contact_types: {grip: {%s}}\n"
                              "rules: [{default: grip}]\n"
                              "bodies:\n"
                              "  floor: {motion: fixed, shapes: {face: {plane: {}}}}\n"
                              "  foot:\n"
                              "    mass_properties: {mass: 0.2 kg, inertia: [1, 1, 1]}\n"
                              "    shapes: {pad: {%s}}\n"
                              "    state: {position: [0, 0, 9.5, mm]}\n"
                              "loads:\n"
                              "  pull: {body: foot, force: {ramp: {direction: [0, 0, 1], rate: 6 N/s}}}\n"
                              "  press: {body: foot, active: false, force: {constant: [0, 0, -2]}}\n"
                              "actions:\n"
                              "  let_go: {when: {event: law}, do: [{set: {loads.pull.active: false}}, "
                              "{set: {loads.press.active: true}}]}\n"
                              "expect:\n"
                              "  - {event: law, at: 1.16 s, within: 20 ms}\n"
                              "  - {channel: bodies.foot.position.z, at: end, equals: 6.038 mm, within: 1 um}\n"
                              "  - {channel: bodies.foot.attitude.w, at: end, equals: 1, within: 1e-9}\n";

static void broken_bonds_do_not_stay_open(void **state)
{
    (void)state;
    static const char *const laws[] = {"law: SpringContact, K: 1000, B: 20, Z_Limit: 5",
                                       "normal: {law: pull_off_spring, stiffness: 1000, damping: 20, pull_off: 5}"};
    static const char *const methods[] = {"rk4", "rk4", "dopri5"}, *const located[] = {"true", "false", "true"};
    for (int foot = -1; foot < FLAT; foot++)
        for (int i = 0; i < 3; i++) {
            char text[2400];
            for (int l = 0; l < 2; l++) {
                snprintf(text, sizeof text, pressed, methods[i], located[i], laws[l],
                         foot < 0 ? "sphere: {radius: 10 mm}" : flat[foot]);
                run_and_check(text, -1);
            }
        }
}

/* A moment peels a flat foot off at one edge, where its bonds break, and lets go: the foot falls back on that edge and
 * rests level, at W / K below touch. */
static void peeled_edges_take_hold_again(void **state)
{
    (void)state;
    run_and_check("fender: 1\n"
                  "world: {gravity: [0, 0, -9.81]}\n"
                  "integrator: {method: rk4, step: 0.2 ms, locate_events: true}\n"
                  "run: {until: 3 s}\n"
                  "contact_types: {grip: {law: SpringContact, K: 1000, B: 20, Z_Limit: 5}}\n"
                  "rules: [{default: grip}]\n"
                  "bodies:\n"
                  "  floor: {motion: fixed, shapes: {face: {plane: {}}}}\n"
                  "  foot:\n"
                  "    mass_properties: {mass: 0.2 kg, inertia: [1e-4, 1e-4, 1e-4]}\n"
                  "    shapes: {pad: {box: {size: [40, 40, 20, mm]}}}\n"
                  "    state: {position: [0, 0, 9, mm]}\n"
                  "loads: {peel: {body: foot, torque: {table: {columns: [s, N*m], direction: [0, 1, 0], "
                  "rows: [[0, 0], [0.5, 0], [1, 0.08], [1.2, 0]]}}}}\n"
                  "expect:\n"
                  "  - {channel: bodies.foot.attitude.y, at: max, above: 0.1}\n"
                  "  - {channel: bodies.foot.attitude.y, at: end, equals: 0, within: 1e-6}\n"
                  "  - {channel: bodies.foot.position.z, at: end, equals: 8.038 mm, within: 1 um}\n",
                  -1);
}

/* A foot of 1.96 N hangs on a wall that faces any way. It slips down where the direction that holds 1 N leads down, at
 * the same time whatever the heading: 1 kN/m and 10 N s/m reach 1 N after 9.0304237 ms. Across it, it holds. */
static void limits_along_a_direction(void **state)
{
    (void)state;
    static const double headings[] = {0, 1e-3, 30, 44, 46, 90, 120, 200};
    for (int i = 0; i < 16; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "fender: 1\nparameters: {heading: %g deg}\nworld: {gravity: [0, 0, -9.80665]}\n"
                 "integrator: {method: rk4, step: 0.5 ms, locate_events: true}\nrun: {until: 0.1 s}\n"
                 "contact_types: {grip: {law: SpringContact, K: 1000, B: 10, %s: 1 N, Z_Limit: 5, along: [1, 0, 0]}}\n"
                 "rules: [{default: grip}]\nbodies:\n"
                 "  wall: {motion: fixed, shapes: {face: {plane: {}, orientation: {euler: [$heading, 90 deg, 0], "
                 "sequence: zyx}}}}\n"
                 "  foot: {mass_properties: {mass: 0.2 kg, inertia: [1, 1, 1]}, state: {position: "
                 "[9.9e-3 * cos($heading), 9.9e-3 * sin($heading), 0]}, shapes: {pad: {sphere: {radius: 10 mm}}}}\n"
                 "expect: [%s]\n",
                 headings[i / 2], i % 2 ? "Y_Limit" : "X_Limit",
                 i % 2 ? "{channel: bodies.foot.position.z, at: min, above: -4 mm}"
                       : "{event: law, at: 9.030423696100 ms, within: 1e-12 s}");
        run_and_check(text, i % 2 ? 0 : 1);
    }
}

static const char hung[] =
    "fender: 1\nintegrator: {method: %s, step: %g ms, locate_events: %s}\nrun: {until: 3.6 s}\n"
    "contact_types: {grip: {law: SpringContact, K: 1000, B: 10, Z_Limit: 5}}\nrules: [{default: grip}]\nbodies:\n"
    "  wall: {motion: fixed, shapes: {face: {plane: {}}}}\n"
    "  foot: {mass_properties: {mass: 0.2 kg, inertia: [1e6, 1e6, 1e6]}, state: {position: [0, 0, 9.9, mm]}, "
    "shapes: {pad: {%s}}}\n"
    "loads: {pull: {body: foot, axes: world, force: {ramp: {direction: [0, 0, 1], rate: 2 N/s, start: 1 s}}}}\n";

static fender_scenario *scenario_of(const char *text)
{
    const fender_env env = fender_env_default();
    fender_error why = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "foot.yaml", text, strlen(text), NULL, 0, &why);
    if (!scenario) print_error("%s: %s %s\n", why.path, why.message, why.found);
    assert_non_null(scenario);
    return scenario;
}

/* Pressed with 0.1 N and pulled by 2 N/s: the peak force is the push, the peak pull the limit at 3.5 s. Steps that end
 * elsewhere have seen at least the force of the last state before. */
static void the_pull_of_a_foot_is_told(void **state)
{
    (void)state;
    static const char *const pads[] = {"sphere: {radius: 10 mm}", "box: {size: [20, 20, 20, mm]}"};
    static const struct {
        const char *method, *located;
        double step, within;
    } ways[] = {{"rk4", "true", 0.5, 1e-9}, {"rk4", "false", 0.5, 1e-3}, {"dopri5", "true", 10, 1e-6}};
    for (int i = 0; i < 6; i++) {
        char text[2000];
        const fender_env env = fender_env_default();
        fender_error why = {0};
        snprintf(text, sizeof text, hung, ways[i / 2].method, ways[i / 2].step, ways[i / 2].located, pads[i % 2]);
        fender_scenario *scenario = scenario_of(text);
        fender_run_def def = {.scenario = scenario, .accept_residual = true};
        fender_run *run = fender_run_create(&env, &def, &why);
        assert_non_null(run);
        assert_int_equal(fender_run_execute(run, &why), FENDER_STATUS_OK);
        const fender_run_summary *summary = fender_run_get_summary(run);
        assert_true(summary->episode_count >= 1);
        const fender_episode *e = &summary->episodes[0];
        check_near(e->peak_force, 0.1, 1e-9);
        check_near(e->peak_pull, 5, 5 * ways[i / 2].within);
        check_near(e->peak_pull_time, 3.5, 3 * ways[i / 2].within);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* What was pulled before a snapshot is known after it, and not hashed: states alone decide how a run goes on. */
static void pulls_outlive_a_snapshot(void **state)
{
    (void)state;
    char text[2000];
    snprintf(text, sizeof text, hung, "rk4", 0.5, "true", "sphere: {radius: 10 mm}");
    fender_scenario *scenario = scenario_of(text);
    fender_world *worlds[2];
    fender_contact_data data[2];
    for (int k = 0; k < 2; k++) assert_non_null(worlds[k] = fender_scenario_build(scenario, NULL, NULL));
    check_ok(fender_world_advance_to(worlds[0], 2.5, &error));
    fender_snapshot *snapshot = fender_snapshot_take(worlds[0], NULL);
    assert_non_null(snapshot);
    check_ok(fender_world_advance_to(worlds[1], 0.01, &error));
    check_ok(fender_snapshot_restore(worlds[1], snapshot, &error));
    for (int k = 0; k < 2; k++)
        assert_int_equal(fender_contact_at(worlds[k], FENDER_CLOCK_COMMITTED, 0, &data[k]), FENDER_STATUS_OK);
    check_near(data[0].peak_pull, 3, 0.01);
    assert_true(data[0].peak_pull == data[1].peak_pull && data[0].peak_pull_time == data[1].peak_pull_time);
    fender_snapshot_destroy(snapshot);
    for (int k = 0; k < 2; k++) fender_world_destroy(worlds[k]);
    fender_scenario_destroy(scenario);
}

/* The damper of jeod_spring pulls at the end of a rebound, most where the spheres part: c times the rebound speed. The
 * last accepted state in contact is less than a step before. Both ways of evaluation tell it: contacts in batches, and
 * one by one where a friction law is beside. */
static void dampers_pull_at_release(void **state)
{
    (void)state;
    static const char *const laws[] = {"law: jeod_spring, stiffness: 1000, damping: 20",
                                       "law: jeod_spring, stiffness: 1000, damping: 20, rolling: {law: "
                                       "rolling_resistance, arm: 1 mm}"};
    for (int i = 0; i < 2; i++) {
        char text[2000];
        const fender_env env = fender_env_default();
        fender_error why = {0};
        snprintf(text, sizeof text,
                 "fender: 1\nintegrator: {method: rk4, step: 1 ms, locate_events: true}\nrun: {until: 1 s}\n"
                 "contact_types: {s: {%s}}\nrules: [{default: s}]\nbodies:\n"
                 "  a: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, shapes: {h: {sphere: {radius: 0.1}}}}\n"
                 "  b: {like: a, state: {position: [0.25, 0, 0], velocity: [-1, 0, 0]}}\n",
                 laws[i]);
        fender_scenario *scenario = scenario_of(text);
        fender_run_def def = {.scenario = scenario, .accept_residual = true};
        fender_run *run = fender_run_create(&env, &def, &why);
        assert_non_null(run);
        assert_int_equal(fender_run_execute(run, &why), FENDER_STATUS_OK);
        const fender_episode *e = &fender_run_get_summary(run)->episodes[0];
        assert_true(e->rebound_speed > 0.1);
        check_near(e->peak_pull, 20 * e->rebound_speed, 1000 * e->rebound_speed * 1e-3); /* |N'| < k v, of one step */
        check_near(e->peak_pull_time, e->end_time, 1e-3);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* The bonds of a flat foot that leaves at 0.05 m/s break by shear at 0.37 ms; the foot is 0.35 mm deep then, and apart
 * after 7 ms: that end is located, whatever the step. */
static void ends_of_broken_feet_are_located(void **state)
{
    (void)state;
    static const char *const methods[] = {"rk4, step: 3.5 ms", "rk4, step: 50 ms", "dop853, step: 4 ms"};
    for (int i = 0; i < 3; i++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            "fender: 1\nintegrator: {method: %s, locate_events: true}\nrun: {until: 0.1 s}\n"
            "contact_types: {grip: {law: SpringContact, K: 1000, B: 20, X_Limit: 0.01, Y_Limit: 0.01, Z_Limit: 5}}\n"
            "rules: [{default: grip}]\nbodies:\n"
            "  floor: {motion: fixed, shapes: {face: {plane: {}}}}\n"
            "  foot: {mass_properties: {mass: 1000 kg, inertia: [100, 100, 100]}, "
            "shapes: {pad: {box: {size: [40, 40, 20, mm]}}}, "
            "state: {position: [0, 0, 9.65, mm], velocity: [0, 0, 0.05, m/s]}}\n"
            "loads: {shear: {body: foot, force: {table: {columns: [s, N], direction: [1, 1, 0], "
            "rows: [[0, 0], [0.002, 20000], [0.01, 20000]]}}}}\n"
            "expect: [{event: end, at: 7 ms, within: 1 us}]\n", /* the springs take 2.5e-4 N s of 50 */
            methods[i]);
        run_and_check(text, -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends_of_broken_feet_are_located),
                                       cmocka_unit_test(limits_along_a_direction),
                                       cmocka_unit_test(the_pull_of_a_foot_is_told),
                                       cmocka_unit_test(pulls_outlive_a_snapshot),
                                       cmocka_unit_test(dampers_pull_at_release),
                                       cmocka_unit_test(rings_on_every_ground),
                                       cmocka_unit_test(flat_feet_book_what_they_hold),
                                       cmocka_unit_test(flat_feet_hold_from_touch_on),
                                       cmocka_unit_test(sides_break_without_events),
                                       cmocka_unit_test(tips_hold_alike_below_and_beyond_touch),
                                       cmocka_unit_test(feet_that_let_go_are_warned_of),
                                       cmocka_unit_test(other_feet_are_not_warned_of),
                                       cmocka_unit_test(broken_bonds_do_not_stay_open),
                                       cmocka_unit_test(peeled_edges_take_hold_again),
                                       cmocka_unit_test(a_pull_alone_carries_no_shear),
                                       cmocka_unit_test(bonds_that_break_one_by_one_are_advised_on)};
    return cmocka_run_group_tests_name("adhesive feet", tests, NULL, NULL);
}
