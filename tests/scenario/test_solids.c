/* Solids of a profile in scenarios: what is wrong has a place and a remedy; a ball swings in the bore of a tube, a peg
 * rests in an extruded hole. */
/* items: S003 */
#include "check.h"
#include "collect.h"

#define BODIES "fender: 1\nrun: {until: 1 s}\nbodies: {b: {motion: fixed, shapes: {\ns: {"

static void wrong_solids_are_refused_at_their_place(void **unused)
{
    (void)unused;
    static const struct {
        const char *shape, *message, *remedy;
        int column; /* of the line of the shape */
    } cases[] = {
        {"extruded: {profile: [[0, 0], [1, 1], [1, 0], [0, 1], m], length: 1 m}",
         "the outline crosses or touches itself", "list the points in their order along the loop", 25},
        {"extruded: {length: 1 m, profile: [[0, 0], [1, 0], m]}", "the outline has fewer than three points",
         "the last point is joined to the first", 38},
        {"extruded: {length: 1 m, profile: [[0, 0], [4, 0], [0, 4], m], holes: [[[1, 1], [1, 2], [2, 1], m], "
         "[[5, 5], [6, 6], [6, 5], m]]}",
         "hole 2 lies outside the outline", "list the outline first; separate parts are separate shapes", 104},
        {"extruded: {profile: [[0, 0], [1, 0], [1, 1], m]}", "the extruded solid has no 'length'", "", 5},
        {"extruded: {profile: [[0, 0], [1, 0], [1, 1], m], length: 1 m, half_length: 1 m}",
         "the length of the extruded solid is defined twice", "remove one of them", 15},
        {"extruded: {profile: [[0, 0], [1, 0], [1, 1], m], length: 0 m}", "", "", 62},
        {"revolved: {profile: [[-1, 0], [1, 0], [1, 1], m]}", "a profile that is revolved reaches beyond the axis",
         "the first coordinate is the distance from the axis", 25},
        {"revolved: {profile: [[1, 0], [2, 0], [2, 1], m], angle: 400 deg}",
         "the angle of a revolved solid is not a part of a turn", "check sign and unit", 61},
        {"tube: {inner_radius: 2 m, outer_radius: 1 m, length: 1 m}",
         "the inner radius is not between 0 and the outer radius", "a tube without a bore is a cylinder", 26},
        {"tube: {inner_radius: 1 m, outer_radius: 2 m, length: 1 m, tolerance: 1e-14 m}",
         "the tolerance needs more than 4000000 triangles", "a thousandth of the radius gives 72 sides", 74},
        {"hollow_sphere: {inner_radius: 1 m, outer_radius: 2 m, wall: 3 cm}", "", "", 59},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        collection c;
        snprintf(text, sizeof text, BODIES "%s}}}}\n", cases[i].shape);
        fender_scenario *scenario = parse_with(text, NULL, 0, &c);
        if (scenario) fail_msg("accepted: %s", cases[i].shape);
        const collected *d = &c.list[0];
        if (d->line != 4 || d->column != cases[i].column ||
            (cases[i].message[0] && strcmp(d->message, cases[i].message)))
            print_collection(&c);
        assert_int_equal(d->line, 4);
        assert_int_equal(d->column, cases[i].column);
        if (cases[i].message[0]) assert_string_equal(d->message, cases[i].message);
        if (cases[i].remedy[0]) assert_string_equal(d->suggestion, cases[i].remedy);
    }
}

static fender_world *build(const char *text)
{
    fender_env env = fender_env_default();
    fender_scenario *scenario = parse(text);
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    assert_non_null(world);
    fender_scenario_destroy(scenario);
    return world;
}

static fender_vec3 position_of(const fender_world *world, int body)
{
    fender_body_data data;
    assert_int_equal(fender_body_get(world, fender_body_at(world, body), FENDER_CLOCK_COMMITTED, &data),
                     FENDER_STATUS_OK);
    return data.position;
}

/* Without friction it is a pendulum of the length of bore less ball, 0.4 m. From 0.3 rad its period is that of small
 * swings, 2 pi sqrt(L/g), times 1 + a^2/16 + 11 a^4/3072; the contact of 1e6 N/m adds its depth, 1e-5 m, to the
 * length. The bore is round to 1 um. */
static void a_ball_swings_in_a_bore(void **unused)
{
    (void)unused;
    const double a = 0.3, pi = acos(-1), period = 2 * pi * sqrt(0.4 / 9.81) * (1 + a * a / 16 + 11 * pow(a, 4) / 3072);
    char text[1024];
    snprintf(
        text, sizeof text,
        "fender: 1\nrun: {until: 2 s}\nintegrator: {method: rk4, step: 200 us}\n"
        "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
        "contact_types: {hit: {law: spring_damper, stiffness: 1e6 N/m, damping: 200 N*s/m}}\n"
        "rules: [{default: hit}]\nbodies:\n"
        "  pipe: {motion: fixed, shapes: {s: {tube: {inner_radius: 0.5 m, outer_radius: 0.6 m, length: 1 m,"
        " tolerance: 1 um}, orientation: {axis: [1, 0, 0], angle: 90 deg}}}}\n"
        "  ball: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}, shapes: {s: {sphere: {radius: 0.1 m}}},"
        " state: {position: [%.17g, 0, %.17g, m]}}\n",
        0.4 * sin(a), -0.4 * cos(a));
    fender_world *world = build(text);
    double before = position_of(world, 1).x, lowest = 0, highest = 0, crossing[2] = {0};
    for (int crossings = 0; crossings < 2;) {
        check_ok(fender_world_step(world, NULL));
        fender_vec3 p = position_of(world, 1);
        double arm = sqrt(p.x * p.x + p.z * p.z), t = fender_world_time(world);
        if (arm < 0.4 && t > 0.02) lowest = larger(lowest, 0.4 - arm);
        highest = larger(highest, arm - 0.4);
        if ((before > 0) != (p.x > 0)) crossing[crossings++] = t - 2e-4 * p.x / (p.x - before);
        before = p.x;
        assert_true(t < 2);
    }
    print_message("crossings %.6f and %.6f of %.6f s; %.2g m off the bore, %.2g m deep\n", crossing[0] / period,
                  crossing[1] / period, period, lowest, highest);
    check_near(crossing[0], period / 4, 2e-4 * period);
    check_near(crossing[1], 3 * period / 4, 2e-4 * period);
    check_below(highest, 3e-5);
    check_below(lowest, 1e-5);
    fender_world_destroy(world);
}

/* A box of 20 cm in a hole through a plate of 10 cm: half of its face is supported, so that it sinks 2 m g / k. (The
 * face counts in cells; 1 % is what they are off here.) Its sides are parallel to those of the hole: no torque. */
static void a_peg_rests_in_a_hole(void **unused)
{
    (void)unused;
    fender_world *world = build(
        "fender: 1\nrun: {until: 2 s}\nintegrator: {method: rk4, step: 500 us}\n"
        "world: {gravity: [-9.81, 0, 0, m/s^2]}\n"
        "contact_types: {hit: {law: spring_damper, stiffness: 1e5 N/m, damping: 600 N*s/m}}\n"
        "rules: [{default: hit}]\nbodies:\n"
        "  plate: {motion: fixed, shapes: {s: {extruded: {length: 0.1 m,"
        " profile: [[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3], m],"
        " holes: [[[-0.055, -0.055], [0.055, -0.055], [0.055, 0.055], [-0.055, 0.055], m]]}}}}\n"
        "  peg: {mass_properties: {mass: 1 kg, inertia: [0.01, 0.01, 0.01, kg*m^2]},"
        " shapes: {s: {box: {size: [0.1, 0.1, 0.2, m]}}}}\n");
    for (int n = 0; n < 2000; n++) check_ok(fender_world_step(world, NULL));
    double sunk = 2 * 9.81 / 1e5;
    fender_vec3 p = position_of(world, 1);
    print_message("sunk by %.6f of its closed form\n", (-0.005 - p.x) / sunk);
    check_near(p.x, -0.005 - sunk, 0.01 * sunk);
    check_near(p.y, 0, 1e-9);
    check_near(p.z, 0, 1e-6);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_solids_are_refused_at_their_place),
        cmocka_unit_test(a_ball_swings_in_a_bore),
        cmocka_unit_test(a_peg_rests_in_a_hole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
