/* States by orbit elements, in the axes LVLH of a body in orbit, and north-east-down at a place: closed forms. */
#include "run_test.h"

#include <fender/fender.h>

static diagnostics told; /* by the latest run */

static void check_run(const char *text, int count)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    memset(&told, 0, sizeof told);
    env.report = collect_diagnostic;
    env.report_ctx = &told;
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), NULL, 0, &error);
    if (!scenario) print_error("%s\n", told.text);
    assert_non_null(scenario);
    fender_run *run = fender_run_create(&env, &(fender_run_def){.scenario = scenario}, &error);
    if (!run) print_error("%s\n", told.text);
    assert_non_null(run);
    (void)fender_run_execute(run, &error); /* says so if one is missed */
    const fender_run_summary *summary = fender_run_get_summary(run);
    assert_int_equal(summary->expectation_count, count);
    int missed = 0;
    for (int i = 0; i < count; i++) {
        if (summary->expectations[i].met) continue;
        print_error("missed: %s\n", summary->expectations[i].text);
        missed++;
    }
    assert_int_equal(missed, 0);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* The period of the two-body problem is 2 pi sqrt(a^3 / mu): a = 7000 km, 5828.516637686 s, of which the run leaves out
 * 6.637686 ms. The chaser rests 100 m behind
 * and 50 m below the target in the turning frame LVLH: relative to inertial axes it moves along with it. */
#define ORBITS                                                                                                     \
    "fender: 1\nworld: {gravity: {point_mass: {mu: 398600.4418 km^3/s^2}}, gravity_gradient: true}\n"              \
    "integrator: {method: dop853, relative_tolerance: 1e-12}\nrun: {until: 5828.51 s}\n"                           \
    "bodies:\n"                                                                                                    \
    "  target:\n    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"                                           \
    "    state: {orbit: {semi_major_axis: 7000 km, eccentricity: 0.1, inclination: 90 deg, true_anomaly: 0 deg}, " \
    "axes: lvlh}\n"                                                                                                \
    "  chaser:\n    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"                                           \
    "    state: {relative_to: target, axes: lvlh, position: [-100, 0, 50, m], velocity: [0.1, 0, 0, m/s]}\n"

static void orbits_close(void **state)
{
    (void)state;
    check_run(ORBITS
              "expect:\n"
              "  - {channel: bodies.target.position.x, at: 0 s, equals: 6300 km, within: 1e-6 m}\n"
              "  - {channel: bodies.target.velocity.z, at: 0 s, equals: 8342.4758 m/s, within: 1e-3 m/s}\n"
              "  - {channel: bodies.target.position.x, at: end, equals: 6300 km, within: 0.1 m}\n"
              "  - {channel: bodies.target.position.z, at: end, equals: -55.3747 m, within: 0.01 m}\n"
              /* z down is -x of the world, x forward its z: the chaser is 50 m nearer the centre, 100 m behind */
              "  - {channel: bodies.chaser.position.x, at: 0 s, equals: 6299950 m, within: 1e-6 m}\n"
              "  - {channel: bodies.chaser.position.z, at: 0 s, equals: -100 m, within: 1e-6 m}\n"
              /* turning at v / r, 1.3242e-3 rad/s, it is slower by 50 m of lever, and falls by 100 m of it */
              "  - {channel: bodies.chaser.velocity.z, at: 0 s, equals: 8342.5096 m/s, within: 1e-3 m/s}\n"
              "  - {channel: bodies.chaser.velocity.x, at: 0 s, equals: 0.13242 m/s, within: 1e-5 m/s}\n"
              "  - {channel: bodies.target.angular_velocity.y, at: 0 s, equals: -1.3242025e-3 rad/s, within: 1e-9 "
              "rad/s}\n",
              9);
}

/* A frame in orbit: the same bodies relative to its origin, by elements and in its axes LVLH. */
static void frames_in_orbit_have_bodies_beside_them(void **state)
{
    (void)state;
    check_run(
        "fender: 1\nworld: {frame: {planet: {mu: 398600.4418 km^3/s^2, radius: 6378 km}, orbit: "
        "{semi_major_axis: 7000 km, eccentricity: 0.1, inclination: 90 deg}}}\n"
        "integrator: {method: dop853, relative_tolerance: 1e-12}\nrun: {until: 5828.51 s}\nbodies:\n"
        "  target:\n    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
        "    state: {orbit: {semi_major_axis: 7000 km, eccentricity: 0.1, inclination: 90 deg}, axes: lvlh}\n"
        "  chaser:\n    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
        "    state: {axes: lvlh, position: [-100, 0, 50, m], velocity: [0.1, 0, 0, m/s]}\n"
        "expect:\n"
        "  - {channel: bodies.target.position.x, at: 0 s, equals: 0 m, within: 1e-8 m}\n"
        "  - {channel: bodies.target.position.x, at: end, equals: 0 m, within: 1e-4 m}\n"
        "  - {channel: bodies.target.planet.inertial_position.x, at: end, equals: 6300 km, within: 0.1 m}\n"
        "  - {channel: bodies.target.planet.inertial_velocity.z, at: end, equals: 8342.4758 m/s, within: 1e-3 m/s}\n"
        "  - {channel: bodies.target.angular_velocity.y, at: 0 s, equals: -1.3242025e-3 rad/s, within: 1e-9 "
        "rad/s}\n"
        "  - {channel: bodies.chaser.position.x, at: 0 s, equals: -50 m, within: 1e-12 m}\n"
        "  - {channel: bodies.chaser.position.z, at: 0 s, equals: -100 m, within: 1e-12 m}\n"
        "  - {channel: bodies.chaser.velocity.z, at: 0 s, equals: 0.03378988 m/s, within: 1e-8 m/s}\n"
        "  - {channel: bodies.chaser.velocity.x, at: 0 s, equals: 0.13242025 m/s, within: 1e-8 m/s}\n",
        9);
}

static void places_have_local_axes(void **state)
{
    (void)state;
    check_run("fender: 1\nworld: {frame: {planet: {radius: 6000 km, mu: 0 m^3/s^2}, origin: center}}\n"
              "run: {until: 1 s}\nbodies:\n"
              "  a:\n    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
              "    state: {place: {latitude: 30 deg, longitude: 90 deg}, axes: ned, velocity: [10, 2, 0, "
              "m/s]}\n"
              "expect:\n"
              "  - {channel: bodies.a.velocity.x, at: 0 s, equals: -2 m/s, within: 1e-12 m/s}\n"
              "  - {channel: bodies.a.velocity.y, at: 0 s, equals: -5 m/s, within: 1e-12 m/s}\n"
              "  - {channel: bodies.a.velocity.z, at: 0 s, equals: 8.660254038 m/s, within: 1e-8 m/s}\n",
              3);
}

/* Two vehicles on the same circular orbit. The port of one is 3 m below its centre of mass, its structure frame 3 m
 * above it. With its structure frame on the orbit, its centre turns with LVLH 3 m below: slower by n z than a body
 * there on a circle, it has 4 z less of semi-major axis, and in a revolution it is 3 pi 4 z = 113.1 m before the other
 * one. A warning says so. With a point at the centre, `of` puts that on the orbit, however the vehicle is turned. */
#define SAME_ORBIT(STATE)                                                                                          \
    "fender: 1\nworld: {gravity: {point_mass: {mu: 398600.4418 km^3/s^2}}}\n"                                      \
    "integrator: {method: dop853, relative_tolerance: 1e-12}\nrun: {until: 5828.516637686 s}\nbodies:\n"           \
    "  a:\n    mass_properties: {mass: 1 kg, inertia: [1, 1, 1], center_of_mass: [0, 0, 2.5, m]}\n"                \
    "    points: {middle: {position: [0, 0, 3, m]}}\n    state: {orbit: {semi_major_axis: 7000 km}" STATE "}\n"    \
    "  load:\n    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n    attached: {to: a, position: [0, 0, 3.5, " \
    "m]}\n"                                                                                                        \
    "  b:\n    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n    state: {orbit: {semi_major_axis: 7000 km}, " \
    "axes: lvlh}\nexpect:\n"

static void centers_of_mass_stay_on_orbits(void **state)
{
    (void)state;
    check_run(SAME_ORBIT(", axes: lvlh") "  - {channel: points.a.middle@b.distance, at: end, equals: 113.1 m, within: "
                                         "0.5 m}\n",
              1);
    assert_int_equal(told.errors, 0);
    assert_non_null(strstr(told.text, "its centre of mass is 3 m off and leaves that orbit by up to 113 m"));
    assert_non_null(strstr(told.text, "{POINT: {position: [0, 0, 3, m]}}"));
    static const char *const turned[] = {SAME_ORBIT(", of: middle, axes: lvlh"), SAME_ORBIT(", of: middle"),
                                         SAME_ORBIT(", of: middle, axes: lvlh, orientation: {axis: [1, 2, 3], angle: "
                                                    "1 rad}")};
    for (int i = 0; i < 3; i++) {
        char text[4000];
        snprintf(text, sizeof text, "%s%s", turned[i],
                 "  - {channel: bodies.a.center_position.x, at: 0 s, equals: 7000 km, within: 1e-8 m}\n"
                 "  - {channel: bodies.a.center_velocity.y, at: 0 s, equals: 7546.0533 m/s, within: 1e-3 m/s}\n"
                 "  - {channel: points.a.middle@b.distance, at: end, equals: 0 m, within: 1e-4 m}\n");
        check_run(text, 3);
        assert_null(strstr(told.text, "centre of mass"));
    }
}

/* Positions in inertial space are told from the centre of the point mass, wherever that is. */
static void positions_from_the_center(void **state)
{
    (void)state;
    check_run("fender: 1\nworld: {gravity: {point_mass: {mu: 398600.4418 km^3/s^2, center: [1e7, 2e6, 3e6, m]}}}\n"
              "run: {until: 1 s}\nbodies:\n"
              "  a:\n    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
              "    state: {orbit: {semi_major_axis: 7000 km}}\n"
              "expect:\n"
              "  - {channel: bodies.a.position.x, at: 0 s, equals: 17000 km, within: 1e-8 m}\n"
              "  - {channel: bodies.a.planet.inertial_position.x, at: 0 s, equals: 7000 km, within: 1e-8 m}\n"
              "  - {channel: bodies.a.planet.inertial_position.y, at: 0 s, equals: 0 m, within: 1e-8 m}\n"
              "  - {channel: bodies.a.planet.inertial_position.z, at: 0 s, equals: 0 m, within: 1e-8 m}\n",
              4);
}

/* Isp g ln(1000 / 200) = 4734.9583 m/s. Steps of 60 s with the masses of their middle give 1.165 m/s less: by the
 * integral of (r h / m)^2 / 12 of the gain. A warning tells it, and a step that is good to 1e-7. */
#define BURN(STEP)                                                                                                    \
    "fender: 1\nintegrator: {method: dop853, step: " STEP "}\nrun: {until: 2400 s}\nbodies:\n"                        \
    "  tug: {mass_properties: {mass: 100 kg, inertia: [90, 90, 60]}}\n"                                               \
    "  tank: {motion: mass_only, mass_properties: {mass: 900 kg, inertia: [5, 5, 5]}, attached: {to: tug, position: " \
    "[0, 0, 0, m]}}\n"                                                                                                \
    "loads:\n"                                                                                                        \
    "  engine: {kind: thruster, body: tug, at: center, direction: [0, 0, 1], thrust: 1000 N, throttle: 1, "           \
    "specific_impulse: 300 s, tank: tank, dry_mass: 100 kg}\nexpect:\n"

static void burns_in_long_steps(void **state)
{
    (void)state;
    check_run(BURN("60 s") "  - {channel: bodies.tug.velocity.z, at: end, equals: 4733.793 m/s, within: 0.01 m/s}\n",
              1);
    assert_non_null(strstr(told.text, "the speed gained is off by up to 1.2 m/s of 4735 m/s"));
    assert_non_null(strstr(told.text, "integrator.step: 0.8 s"));
    check_run(BURN("0.8 s") "  - {channel: bodies.tug.velocity.z, at: end, equals: 4734.9583 m/s, within: 4e-4 m/s}\n",
              1);
    assert_int_equal(told.warnings, 0);
}

/* Positions at 4.2e7 m are rounded to 9e-9 m. A link feels that, and steps of a tolerance of 1e-9 m are short by it:
 * the warning names the frame in orbit, where nothing is said; neither without springs, nor with a tolerance of that
 * size.
 */
#define FAR_OFF(INTEGRATOR, WORLD, PLACE, LINK)                                                                       \
    "fender: 1\n" WORLD "integrator: {method: dop853, step: 10 ms" INTEGRATOR "}\nrun: {until: 10 ms}\nbodies:\n"     \
    "  a: {mass_properties: {mass: 100, inertia: [40,40,40]}, points: {p: {position: [1,0,0,m]}}, state: {position: " \
    "[" PLACE ",0,0,m]}}\n"                                                                                           \
    "  b: {mass_properties: {mass: 100, inertia: [40,40,40]}, points: {p: {position: [-1,0,0,m]}}, state: "           \
    "{relative_to: a, position: [2.1,0.05,0,m]}}\n" LINK                                                              \
    "expect:\n  - {channel: points.b.p@a.distance, at: end, equals: 1.1 m, within: 0.01 m}\n"
#define LINK                                                                                                     \
    "links: {l: {between: [a.p, b.p], law: spring_damper_6dof, stiffness: [2000,2000,2000], angular_stiffness: " \
    "[500,500,500]}}\n"

static void tolerances_below_rounding(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool warns;
    } cases[] = {
        {FAR_OFF("", "", "4.2e7", LINK), true},
        {FAR_OFF("", "", "4.2e7", ""), false},
        {FAR_OFF("", "", "4.2e6", LINK), false},
        {FAR_OFF(", relative_tolerance: 1e-11", "", "4.2e6", LINK), true},
        {FAR_OFF(", absolute_tolerance: 9e-9", "", "4.2e7", LINK), false},
        {FAR_OFF("", "world: {frame: {planet: earth, orbit: {semi_major_axis: 42000 km}}}\n", "0", LINK), false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_run(cases[i].text, 1);
        assert_int_equal(strstr(told.text, "are rounded to") != NULL, cases[i].warns);
        if (i == 0) assert_non_null(strstr(told.text, "rounded to 9e-09 m, 4.5 times the tolerance"));
        if (i == 0) assert_non_null(strstr(told.text, "integrator.absolute_tolerance: 9e-09"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(orbits_close),
                                       cmocka_unit_test(frames_in_orbit_have_bodies_beside_them),
                                       cmocka_unit_test(places_have_local_axes),
                                       cmocka_unit_test(centers_of_mass_stay_on_orbits),
                                       cmocka_unit_test(positions_from_the_center),
                                       cmocka_unit_test(burns_in_long_steps),
                                       cmocka_unit_test(tolerances_below_rounding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
