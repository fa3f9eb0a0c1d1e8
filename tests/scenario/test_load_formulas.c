/* Loads as formulas in a scenario: motion against closed forms and the built-in loads, and what is wrong with a
 * formula, with its place and a remedy. */
/* items: S002 */
#include "check.h"
#include "collect.h"
#include <fender/fender.h>

/* ---- motion */

static fender_world *world_of(const char *loads, const char *body)
{
    char text[4096];
    collection c;
    snprintf(text, sizeof text,
             "fender: 1\nintegrator: {method: dop853, relative_tolerance: 1e-13}\nrun: {until: 1 s}\n"
             "bodies:\n  b:\n    mass_properties: {mass: 2 kg, inertia: [0.5, 0.5, 0.5]}\n    %s\nloads:\n%s",
             body, loads);
    fender_scenario *scenario = parse_with(text, NULL, 0, &c);
    if (!scenario) print_collection(&c);
    assert_non_null(scenario);
    fender_env env = fender_env_default();
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    assert_non_null(world);
    fender_scenario_destroy(scenario);
    return world;
}

static fender_body_data body_at(fender_world *world, double time)
{
    fender_body_data data;
    check_ok(fender_world_advance_to(world, time, &error));
    assert_int_equal(fender_body_get(world, fender_body_at(world, 0), FENDER_CLOCK_COMMITTED, &data), FENDER_STATUS_OK);
    return data;
}

static void check_ledger(const fender_world *world)
{
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_below(fabs(ledger.residual), 1e-11 * ledger.scale);
}

/* m x'' = -k x - c x': a damped oscillation about each axis. */
static void a_spring_and_a_damper(void **state)
{
    (void)state;
    fender_world *world = world_of("  pull: {body: b, force: {formula: {x: -k * position.x - c * velocity.x, z: -k * "
                                   "position.z, constants: {k: 50 "
                                   "N/m, c: 2 N*s/m}}}}\n",
                                   "state: {position: [0.2, 0.1, 0.3, m], velocity: [0, 0.5, 0, m/s]}");
    const double t = 1.7, decay = 0.5, w = sqrt(25 - decay * decay);
    const fender_body_data data = body_at(world, t);
    check_near(data.position.x, 0.2 * exp(-decay * t) * (cos(w * t) + decay / w * sin(w * t)), 1e-12);
    check_near(data.position.y, 0.1 + 0.5 * t, 1e-12);
    check_near(data.position.z, 0.3 * cos(5 * t), 1e-12);
    check_ledger(world);
    fender_load_command command;
    fender_load_data load;
    check_ok(fender_load_get_command(world, fender_load_at(world, 0), &command));
    check_ok(fender_load_get(world, fender_load_at(world, 0), FENDER_CLOCK_COMMITTED, &load));
    check_near(command.force.z, -50 * data.position.z, 1e-12);
    check_near(load.force.x, -50 * data.position.x - 2 * data.velocity.x, 1e-12);
    fender_world_destroy(world);
}

/* m v' = -c v^2: v = v0 / (1 + c v0 t / m), x = m / c log(1 + c v0 t / m). A torque of the drag of rotation:
 * w = w0 exp(-c t / J). A force of time: v = F t0 / m (1 - cos(t / t0)). */
static void drag_and_time(void **state)
{
    (void)state;
    fender_world *world = world_of(
        "  air: {body: b, force: {formula: {x: -c * velocity.x * abs(velocity.x), constants: {c: 0.3 N*s^2/m^2}}}}\n"
        "  oil: {body: b, torque: {formula: {z: '-angular_velocity.z * 0.2 [N*m*s/rad]'}}}\n"
        "  shaker: {body: b, force: {formula: {y: f * sin(time / t), constants: {f: 4 N, t: 0.5 s}}}}\n"
        "  lift: {body: b, force: {formula: {z: 'mass * g * (time > 1 [s])', constants: {g: 3 m/s^2}}}}\n",
        "state: {velocity: [8, 0, 0, m/s], angular_velocity: [0, 0, 3, rad/s]}");
    const double t = 1.0, part = 1 + 0.3 * 8 * t / 2;
    const fender_body_data data = body_at(world, t);
    check_near(data.velocity.x, 8 / part, 1e-11);
    check_near(data.position.x, 2 / 0.3 * log(part), 1e-11);
    check_near(data.velocity.y, 4 * 0.5 / 2 * (1 - cos(t / 0.5)), 1e-11);
    check_near(data.angular_velocity.z, 3 * exp(-0.2 * t / 0.5), 1e-11);
    check_near(data.velocity.z, 0, 0);
    check_near(body_at(world, 2).velocity.z, 3, 1e-6); /* the step finds the kink by its tolerances alone */
    check_ledger(world);
    fender_world_destroy(world);
}

/* At a point, in axes that turn: a built-in drag and a formula of the same form give the same motion. */
static void as_the_built_in_load(void **state)
{
    (void)state;
    static const char body[] = "state: {velocity: [3, 1, -2, m/s], angular_velocity: [1, 2, 3, rad/s]}";
    fender_world *built_in = world_of("  d: {kind: drag, body: b, position: [0.2, 0, 0.1, m], linear: 0.7 N*s/m}\n",
                                      body);
    fender_world *formula = world_of("  d: {body: b, position: [0.2, 0, 0.1, m], axes: body, force: {formula: {x: -c * "
                                     "velocity.x, y: -c * velocity.y, "
                                     "z: -c * velocity.z, constants: {c: 0.7 N*s/m}}}}\n",
                                     body);
    const fender_body_data a = body_at(built_in, 1.3), b = body_at(formula, 1.3);
    check_vector(b.position, a.position, 1e-12);
    check_vector(b.angular_velocity, a.angular_velocity, 1e-11);
    fender_load_data of_a, of_b;
    check_ok(fender_load_get(built_in, fender_load_at(built_in, 0), FENDER_CLOCK_COMMITTED, &of_a));
    check_ok(fender_load_get(formula, fender_load_at(formula, 0), FENDER_CLOCK_COMMITTED, &of_b));
    check_near(of_b.work, -of_a.damping_loss, 1e-11);
    check_ledger(formula);
    fender_world_destroy(built_in);

    /* the attitude: a torque that rights the body, -k times the axis of the error */
    fender_world_destroy(formula);
    formula = world_of(
        "  t: {body: b, torque: {formula: {x: -2 * k * attitude.w * attitude.x, constants: {k: 0.5 N*m}}}}\n",
        "state: {orientation: {axis: [1, 0, 0], angle: 1 mrad}}");
    check_near(2 * body_at(formula, 1).attitude.x, 1e-3 * cos(1), 1e-9); /* J phi'' = -k sin(phi), J = k = 0.5 */
    fender_world_destroy(formula);
}

/* Two loads that read the channels of both bodies are a spring and a damper between them, with the closed form of the
 * relative motion; the centre of mass stays. */
static void channels_of_other_bodies(void **state)
{
    (void)state;
    collection c;
    static const char text[] =
        "fender: 1\nintegrator: {method: dop853, relative_tolerance: 1e-13}\nrun: {until: 1 s}\nbodies:\n"
        "  a: {mass_properties: {mass: 2 kg, inertia: [1, 1, 1]}, points: {port: {position: [0.1, 0, 0, m]}}}\n"
        "  b: {mass_properties: {mass: 3 kg, inertia: [1, 1, 1]}, state: {position: [1.3, 0, 0, m]}}\n"
        "loads:\n"
        "  on_a: {body: a, force: {formula: {x: 'k * (bodies.b.position.x - points.a.port.position.x - l) + c * "
        "(bodies.b.velocity.x - bodies.a.velocity.x)', constants: {k: 60 N/m, c: 2.4 N*s/m, l: 1 m}}}}\n"
        "  on_b: {body: b, force: {formula: {x: '-k * (position.x - points.a.port.position.x - l) - c * "
        "(velocity.x - bodies.a.center_velocity.x)', constants: {k: 60 N/m, c: 2.4 N*s/m, l: 1 m}}}}\n";
    fender_scenario *scenario = parse_with(text, NULL, 0, &c);
    if (!scenario) print_collection(&c);
    assert_non_null(scenario);
    fender_env env = fender_env_default();
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    fender_scenario_destroy(scenario);
    assert_non_null(world);
    const double m = 1.2, d = 2.4 / (2 * m), w = sqrt(60 / m - d * d), t = 1.4;
    const double expected = 1.1 + 0.2 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
    const double a = body_at(world, t).position.x;
    fender_body_data b;
    assert_int_equal(fender_body_get(world, fender_body_at(world, 1), FENDER_CLOCK_COMMITTED, &b), FENDER_STATUS_OK);
    check_near(b.position.x - a, expected, 1e-12);
    check_near(2 * a + 3 * b.position.x, 3 * 1.3, 1e-12);
    check_ledger(world);
    fender_world_destroy(world);
}

/* ---- wrong formulas */

typedef struct wrong {
    const char *formula, *place, *message, *remedy; /* place: below the formula; NULL: all of it */
} wrong;

static const wrong formulas[] = {
    {"-k * positon.x", "     ^~~~~~~~~", "nothing is named 'positon.x'", "did you mean 'position.x'"},
    {"-k * position", "     ^~~~~~~~", "nothing is named 'position'", "names here"},
    {"-k * position.w", "     ^~~~~~~~~~", "nothing is named 'position.w'", "did you mean 'position."},
    {"-k * depth", "     ^~~~~", "nothing is named 'depth'", "names here"},
    {"-k * x", "     ^", "nothing is named 'x'", "names here"},
    {"k", NULL, "the expression gives a stiffness [kg/s^2], not a force", "give the constants their units"},
    {"-k * velocity.x", NULL, "the expression gives a force rate [kg*m/s^3], not a force", "give the constants"},
    {"f * position.x", NULL, "the expression gives a torque or energy [kg*m^2/s^2], not a force", "give the constants"},
    {"position.x + velocity.x", "           ^",
     "'+' needs two values of one kind, not a length [m] and a velocity [m/s]",
     "are the parameters mixed up, or is a factor missing?"},
    {"-k * position.x - 3", "                ^",
     "'-' needs two values of one kind, not a force [kg*m/s^2] and a plain "
     "number",
     "give the plain number a unit: 3 [mm]"},
    {"f * sin(time)", "    ^~~", "'sin' needs an angle, not a time [s]", "divide it by a value of the same kind"},
    {"f * exp(-position.x)", "    ^~~", "'exp' needs a plain number, not a length [m]",
     "divide it by a value of the same kind"},
    {"f * not time", "    ^~~", "'not' stands before a comparison", "put it in brackets: f * (not time > t)"},
    {"f * pow(time / t, 2)", "    ^~~", "no function is named 'pow'", "powers are written x^2"},
    {"f * (time", "        ^", "the bracket is not closed", "add ')'"},
    {"f *", "  ^", "the expression is incomplete", "write, for example, -k * position.x - c * velocity.x"},
    {"$f * 2", "^", "names of this expression have no '$'", "name the parameter under constants: {k: $k}"},
    {"f / 0", "  ^", "this divides by zero", "check the divisor"},
    {"2 N * f", "  ^", "unexpected text after the expression",
     "write units in brackets: 2 [m]; join values by +, -, *, / or ^"},
    {"mass", NULL, "the expression gives a mass [kg], not a force", "give the constants their units"},
    {"-k * bodies.c.position.x", "     ^~~~~~~~~~~~~~~~~~~", "no body is named 'c'", "bodies here: b"},
    {"-k * bodies.b.position", "     ^~~~~~~~~~~~~~~~~", "'position' needs one component", "bodies.b.position.x"},
    {"-k * bodies.b.position.w", "     ^~~~~~~~~~~~~~~~~~~", "'position' needs one component", "bodies.b.position.x"},
    {"f * bodies.b.mass.x", "    ^~~~~~~~~~~~~~~", "'mass' has no components", "write bodies.b.mass"},
    {"-k * points.b.eye.position.x", "     ^~~~~~~~~~~~~~~~~~~~~~~", "body 'b' has no point 'eye'", "point"},
    {"bodies.b.contact_force.x", "^~~~~~~~~~~~~~~~~~~~~~~~", "is no state that a formula can read",
     "a controller reads any channel"},
    {"links.rope.force", "^~~~~~~~~~~~~~~~", "is no state that a formula can read", "a controller reads any channel"},
    {"ledger.energy.residual", "^~~~~~~~~~~~~~~~~~~~~~", "is no state that a formula can read", "a controller"},
    {"k * bodies.b.velocity.x", NULL, "the expression gives a force rate [kg*m/s^3], not a force",
     "give the constants"},
};

static void first_error(const char *text, const char *message, const char *remedy, int line, int column, int length)
{
    collection c;
    assert_null(parse_with(text, NULL, 0, &c));
    const collected *found = &c.list[0];
    for (int i = 0; i < c.count; i++)
        if (c.list[i].severity == FENDER_SEVERITY_ERROR) found = &c.list[i];
    if (c.errors == 1 && strstr(found->message, message) && strstr(found->suggestion, remedy) && found->found[0] &&
        found->expected[0] &&
        (line == 0 || (found->line == line && found->column == column && found->length == length)))
        return;
    print_collection(&c);
    fail_msg("not at %d:%d (%d): %s, %s", line, column, length, message, remedy);
}

#define LOAD_HEAD                                                                                              \
    "fender: 1\nrun: {until: 1 s}\nbodies: {b: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}}}\n" \
    "loads:\n  l:\n    body: b\n"

static void wrong_formulas(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        const wrong *w = &formulas[i];
        char text[2048];
        snprintf(text, sizeof text,
                 LOAD_HEAD
                 "    force:\n      formula:\n        y: '%s'\n        constants: {k: 5 N/m, f: 2 N, t: 1 s}\n",
                 w->formula);
        int column = 12, length = (int)strlen(w->formula) + 2;
        if (w->place) column += 1 + (int)strspn(w->place, " "), length = (int)strlen(w->place + strspn(w->place, " "));
        first_error(text, w->message, w->remedy, 9, column, length);
    }
}

static void wrong_maps(void **state)
{
    (void)state;
    static const wrong maps[] = {
        {"torque: {formula: {z: '-2 [N]'}}", NULL, "the expression gives a force [kg*m/s^2], not a torque",
         "give the constants their units: {k: 5 N*m/rad}, or 5 [N*m] in the expression"},
        {"force: {formula: {constants: {k: 2 N}}}", NULL, "the formula has no component",
         "write formula: {x: -k * position.x, constants: {k: 200 N/m}}"},
        {"force: {formula: {w: '2 [N]'}}", NULL, "'w' is not a key of a formula", "keys here: x, y, z, constants"},
        {"force: {formula: -k * position.x}", NULL, "'formula'", ""},
        {"force: {formula: {x: f, constants: {f: 2 q}}}", NULL, "unknown unit 'q'", ""},
        {"force: {formula: {x: time, constants: {time: 2 N}}}", NULL, "'time' has a meaning in expressions of loads",
         "call the constant 'time_0'"},
    };
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        char text[2048];
        snprintf(text, sizeof text, LOAD_HEAD "    %s\n", maps[i].formula);
        first_error(text, maps[i].message, maps[i].remedy, 0, 0, 0);
    }
    char text[4096], sum[1024] = "2 [N]";
    for (int i = 0; i < 15; i++) snprintf(sum + strlen(sum), sizeof sum - strlen(sum), " + f * sin(time / t)^2");
    snprintf(text, sizeof text, LOAD_HEAD "    force: {formula: {x: '%s', constants: {f: 2 N, t: 1 s}}}\n", sum);
    first_error(text, "the expression of the load is too long", "make two loads of it", 0, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_and_a_damper), cmocka_unit_test(drag_and_time),
        cmocka_unit_test(as_the_built_in_load),  cmocka_unit_test(channels_of_other_bodies),
        cmocka_unit_test(wrong_formulas),        cmocka_unit_test(wrong_maps),
    };
    return cmocka_run_group_tests_name("load_formulas", tests, NULL, NULL);
}
