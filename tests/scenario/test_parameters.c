/* Parameters: values by name, expressions with units, and what a printed scenario keeps of them. */
#include "collect.h"

#include <math.h>

#include "scenario/bundle.h"
#include "support/memory.h"

#define SHIP "bodies:\n  ship:\n    mass_properties: {mass: $mass, inertia: [1, 1, 1]}\n"

/* The mass of a body whose mass is written so, beside parameters. */
static double mass_of(const char *parameters, const char *mass)
{
    char text[1024];
    snprintf(text, sizeof text,
             HEAD "parameters: {%s}\nbodies: {a: {mass_properties: {mass: \"%s\", inertia: [1, 1, 1]}}}\n", parameters,
             mass);
    fender_scenario *s = parse(text);
    double value = s->bodies[0].def.mass_properties.mass;
    fender_scenario_destroy(s);
    return value;
}

static void expressions(void **state)
{
    (void)state;
    static const struct {
        const char *parameters, *mass;
        double value;
    } cases[] = {
        {"m: 6 t", "$m", 6000},
        {"m: 6 t", "$m / 2 + 3 kg", 3003},
        {"m: 6 t", "-$m + 7 t", 1000},
        {"m: 6 t", "-(2 t - $m)", 4000},
        {"m: 6 t, g: 3", "2 * $m ^ 1 - $g^2 * 1 t", 3000}, /* powers bind first */
        {"g: 2", "-$g^2 * 1 kg + 10 kg", 6},               /* -(2^2) */
        {"g: 2", "$g^-1 * 10 kg", 5},
        {"g: 2", "2^$g^3 * 1 kg", 256}, /* to the right */
        {"l: 3 m, w: 40 cm", "sqrt($l^2 + (4 m)^2) * 1 kg/m", 5},
        {"l: 3 m", "min($l, 2 m) * max(1, 7) * 1 kg/m", 14},
        {"a: 90 deg", "(sin($a) + cos(0) + tan(0 deg)) * 1 kg", 2},
        {"n: 3", "abs(-$n) * 1 kg", 3},
        {"k: $m * 10 1/s^2, m: 6 t, w: 2 rad/s", "$k / (2 1/s)^2", 15000}, /* in any order */
        {"v: [1, 2, 3, t], w: [4 kg, 5 kg]", "$v.z + $w[1]", 3005},
        {"r: 1000 kg/m^3", "$r * (10 cm)^3", 1},
        {"r: 8 kg^3", "$r^(1/3)", 2},
        {"r: 32 kg^5", "$r^0.2", 2},
        {"r: 9 kg^2", "$r^0.5", 3},
        {"n: 4", "$n", 4},
        {"n: 4", "$n * 1 kg*m/s^2 / (2 m/s^2)", 2},
        {"n: 1", "$(2 * 3) * $n * 1 kg", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = mass_of(cases[i].parameters, cases[i].mass);
        if (fabs(value - cases[i].value) > 4e-16 * fabs(cases[i].value))
            fail_msg("%s with %s: %.17g, not %.17g", cases[i].mass, cases[i].parameters, value, cases[i].value);
    }
    assert_true(mass_of("m: 6.1 lbm", "$m") == mass_of("n: 1 kg", "6.1 lbm")); /* alone: the same bits */
}

/* Vectors, their elements and units, names, booleans, whole maps, texts with a name in them. */
static void everything_by_name(void **state)
{
    (void)state;
    fender_scenario *s = parse(
        HEAD
        "title: $5\nparameters:\n  gap: 300 mm\n  n: 3\n  start: [1, 2, 3, cm]\n  pad: rubber\n  on: false\n"
        "  way: prescribed\n  place: {euler: [90, 0, 0, deg], sequence: xyz}\n  side: a\n"
        "materials: {rubber: {}, steel: {}}\nbodies:\n"
        "  a: {motion: $way, state: {position: $start, velocity: [$gap / 1 s, 0, 2, cm/s], orientation: $place}}\n"
        "  b: {motion: fixed, state: {position: [$gap, 0, -$gap]}, shapes: {s: {sphere: {radius: $start.y},"
        " material: $pad, active: $on, position: [$n, 0, \"$start[2]\", mm]}}}\n"
        "  c: {motion: fixed, shapes: {h: {hull: {points: [[$gap, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], cm]}}}}\n"
        "record: {log: {file: \"a_${side}.csv\", on: steps, channels: [\"bodies.${side}.position\"]},"
        " dollar: {file: \"b$$.csv\", on: steps, channels: [bodies.a.position]}}\n");
    const fender_body_def *a = &s->bodies[0].def, *b = &s->bodies[1].def;
    assert_string_equal(fender_scenario_title(s), "$5");
    assert_int_equal(a->motion, FENDER_MOTION_PRESCRIBED);
    assert_true(a->state.position.x == 0.01 && a->state.position.z == 0.03);
    assert_true(a->state.velocity.x == 0.3 && a->state.velocity.z == 0.02);
    assert_true(fabs(a->state.attitude.x - sqrt(0.5)) < 1e-15);
    assert_true(b->state.position.x == 0.3 && b->state.position.z == -0.3);
    const fnd_shape_description *shape = &s->bodies[1].shapes[0];
    assert_true(shape->radius == 0.02 && !shape->active && shape->material == 0);
    assert_true(shape->X_SG.p.x == 0.003 && shape->X_SG.p.z == 0.03);
    const fender_vec3 *points = s->bodies[2].shapes[0].data->points;
    assert_true(points[0].x == 0.3 && points[1].y == 0.01 && points[3].z == 0.01);
    assert_string_equal(s->records[0].file.text, "a_a.csv");
    assert_string_equal(s->records[0].channels[0].text, "bodies.a.position");
    assert_string_equal(s->records[1].file.text, "b$.csv");
    fender_scenario_parameter p;
    assert_true(fender_scenario_parameter_at(s, 2, &p));
    assert_string_equal(p.name, "start");
    assert_string_equal(p.value, "[1, 2, 3, cm]");
    assert_true(fender_scenario_parameter_at(s, 7, &p));
    assert_false(fender_scenario_parameter_at(s, 8, &p));
    fender_scenario_destroy(s);
}

/* --set reaches parameters before they are used, and what was computed from them; its values may use them, too. */
static void overrides(void **state)
{
    (void)state;
    static const fender_override set[] = {{"parameters.mass", "7 t"},
                                          {"parameters.start.y", "2 m"},
                                          {"bodies.ship.state.position.x", "$start.y / 4"},
                                          {"bodies.ship.mass_properties.inertia", "[$k, $k, $k]"}};
    collection c;
    fender_scenario *s = parse_with(HEAD "parameters: {mass: 6 t, start: [1, 1, 1, m], k: $mass * 1 m^2}\n" SHIP
                                         "    state: {position: $start}\n",
                                    set, 4, &c);
    print_collection(&c);
    assert_non_null(s);
    assert_int_equal(c.count, 0);
    const fender_body_def *ship = &s->bodies[0].def;
    assert_true(ship->mass_properties.mass == 7000 && ship->mass_properties.inertia.m[1][1] == 7000);
    assert_true(ship->state.position.x == 0.5 && ship->state.position.y == 2 && ship->state.position.z == 1);
    fender_scenario_destroy(s);
    static const fender_override unknown = {"parameters.mas", "7 t"};
    assert_null(parse_with(HEAD "parameters: {mass: 6 t}\n" SHIP, &unknown, 1, &c));
    assert_int_equal(c.errors, 1);
    assert_string_equal(c.list[0].message, "no parameter is named 'mas'");
}

/* Of what stays without its parameter nothing more is said; every other error is. */
static void refused_ones_do_not_hide_others(void **state)
{
    (void)state;
    collection c;
    assert_null(parse_with(HEAD "parameters:\n  mass: 6 t\n  twice: 2 * $mas\n  empty:\n" /* lines 3 to 6 */
                                "world: {gravity: [0, 0, 1 kg]}\n"
                                "bodies:\n"
                                "  a:\n"
                                "    mass_properties: {mass: $twice, inertia: [1, 1, 1]}\n"
                                "    state: {position: [$gap, 0, 1, m], velocity: [0, 0, $mass]}\n"
                                "  b:\n"
                                "    like: $which\n"
                                "  c: {motion: fixed, colour: red}\n",
                           NULL, 0, &c));
    static const struct {
        int line;
        const char *message;
    } expected[] = {{5, "no parameter is named 'mas'"},  {6, "parameter 'empty' has no value"}, {7, "'kg' is a mass"},
                    {11, "no parameter is named 'gap'"}, {13, "no parameter is named 'which'"}, {14, "'colour'"}};
    const int count = sizeof expected / sizeof expected[0];
    if (c.errors != count) print_collection(&c);
    assert_int_equal(c.errors, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(c.list[i].line, expected[i].line);
        assert_non_null(strstr(c.list[i].message, expected[i].message));
    }
}

static void unused_ones_are_told(void **state)
{
    (void)state;
    collection c;
    fender_scenario *s = parse_with(HEAD "parameters: {mass: 6 t, part: 2 t, idle: 3}\n" SHIP, NULL, 0, &c);
    assert_non_null(s);
    assert_int_equal(c.count, 2);
    assert_int_equal(c.list[0].severity, FENDER_SEVERITY_WARNING);
    assert_string_equal(c.list[0].message, "parameter 'part' is not used");
    assert_string_equal(c.list[1].message, "parameter 'idle' is not used");
    fender_scenario_destroy(s);
}

static uint64_t hash_of(const fender_scenario *scenario)
{
    fender_env env = fender_env_default();
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    assert_non_null(world);
    for (int i = 0; i < 20; i++) assert_int_equal(fender_world_step(world, NULL), FENDER_STATUS_OK);
    uint64_t hash = fender_world_hash(world);
    fender_world_destroy(world);
    return hash;
}

/* The printed scenario holds values in place of names, and has the same bits. */
static void printed_to_the_same_bits(void **state)
{
    (void)state;
    fender_scenario *s = parse(
        HEAD
        "parameters: {mass: 6.1 lbm, gap: 0.7 in, k: \"$mass / 3 * (11 1/s)^2\", v: [$gap / 7 s, 0.1, 0, m/s]}\n" SHIP
        "    state: {velocity: $v, position: [0, 0, $gap * 0.99]}\n    shapes: {s: {sphere: {radius: $gap}}}\n"
        "  floor: {motion: fixed, shapes: {p: {plane: {}}}}\n"
        "contact_types: {t: {law: spring_damper, stiffness: $k * 1e3, damping: sqrt($k * $mass)}}\n"
        "rules: [{default: t}]\n");
    fnd_buffer text = fnd_buffer_open(&s->env.allocator);
    assert_int_equal(fnd_scenario_print(s, &text, NULL), FENDER_STATUS_OK);
    fnd_buffer_append_char(&text, '\0');
    assert_false(text.failed);
    assert_non_null(strstr(text.text, "# parameter mass: 6.1 lbm\n"));
    assert_null(strchr(text.text, '$'));
    collection c;
    fender_scenario *again = parse_with(text.text, NULL, 0, &c);
    print_collection(&c);
    assert_non_null(again);
    assert_int_equal(c.count, 0);
    assert_true(hash_of(s) == hash_of(again));
    fnd_buffer_close(&text);
    fender_scenario_destroy(again);
    fender_scenario_destroy(s);
}

/* A hundred parameters in a chain are read; a thousand are refused, not a crash. */
static void chains(void **state)
{
    (void)state;
    for (int length = 90; length <= 2000; length += 1910) {
        char *text = malloc(64 * (size_t)length + 400);
        assert_non_null(text);
        int n = sprintf(text, HEAD "parameters:\n");
        for (int i = 0; i < length; i++) n += sprintf(text + n, "  p%d: $p%d + 1 kg\n", i, i + 1);
        sprintf(text + n, "  p%d: 1 kg\n  mass: $p0\n" SHIP, length);
        collection c;
        fender_scenario *s = parse_with(text, NULL, 0, &c);
        free(text);
        assert_true((s != NULL) == (length == 90));
        if (s) assert_true(s->bodies[0].def.mass_properties.mass == 91);
        else assert_non_null(strstr(c.list[0].message, "too long a chain"));
        fender_scenario_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions),
        cmocka_unit_test(everything_by_name),
        cmocka_unit_test(overrides),
        cmocka_unit_test(refused_ones_do_not_hide_others),
        cmocka_unit_test(unused_ones_are_told),
        cmocka_unit_test(printed_to_the_same_bits),
        cmocka_unit_test(chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
