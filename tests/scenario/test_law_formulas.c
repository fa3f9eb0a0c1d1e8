/* Laws as formulas in a scenario: what is wrong with one, with its place and a remedy; what is right; and runs beside
 * compiled laws of the same form. */
/* items: S002 */
#include "check.h"
#include "collect.h"
#include "counted_memory.h"
#include <fender/laws.h>

/* ---- wrong formulas */

#define REST                                                                                                       \
    "bodies: {b: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}, shapes: {s: {sphere: {radius: 1 m}, " \
    "material: m}}}}\nrules: [{default: t}]\nrun: {until: 1 s}\n"

/* Below the formula stand its place and length; NULL: all of it. */
typedef struct wrong {
    const char *formula, *place, *message, *remedy;
} wrong;

static const wrong forces[] = {
    {"k * dept", "    ^~~~", "nothing is named 'dept'", "did you mean 'depth'"},
    {"k * dpeth + c * rate", "    ^~~~~", "nothing is named 'dpeth'", "did you mean 'depth'"},
    {"k * depth * normal_force / f", "            ^~~~~~~~~~~~", "'normal_force' is known to friction alone",
     "names here"},
    {"kk * depth", "^~", "nothing is named 'kk'", "did you mean 'k'"},
    {"k * bodies.b.position.x", "    ^~~~~~", "a law knows the numbers of its contact alone, and no channels",
     "a load with a formula"},
    {"K * depth", "^", "nothing is named 'K'", "did you mean 'k'"},
    {"velocity * c", "^~~~~~~~", "nothing is named 'velocity'", "names here"},
    {"x", "^", "nothing is named 'x'", "names here"},
    {"k * depth + gravity", "            ^~~~~~~", "nothing is named 'gravity'", "names here"},
    {"pow(depth, 2) * k", "^~~", "no function is named 'pow'", "powers are written x^2"},
    {"k * exq(depth / l) * l", "    ^~~", "no function is named 'exq'", "powers are written x^2"},
    {"k", NULL, "the expression gives a stiffness [kg/s^2], not a force",
     "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"},
    {"depth", NULL, "the expression gives a length [m], not a force",
     "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"},
    {"k * depth * depth", NULL, "the expression gives a torque or energy [kg*m^2/s^2], not a force",
     "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"},
    {"k * depth + rate", "          ^", "'+' needs two values of one kind, not a force [kg*m/s^2] and a velocity [m/s]",
     "are the parameters mixed up, or is a factor missing?"},
    {"k * depth + c * depth", "          ^",
     "'+' needs two values of one kind, not a force [kg*m/s^2] and a momentum or impulse [kg*m/s]",
     "are the parameters mixed up, or is a factor missing?"},
    {"k * depth + 3", "          ^", "'+' needs two values of one kind, not a force [kg*m/s^2] and a plain number",
     "give the plain number a unit: 3 [mm]"},
    {"k * depth + c * rate * rate", "          ^",
     "'+' needs two values of one kind, not a force [kg*m/s^2] and a power [kg*m^2/s^3]",
     "are the parameters mixed up, or is a factor missing?"},
    {"k * depth^1.5", NULL, "the expression gives a quantity in kg*m^(3/2)/s^2, not a force",
     "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"},
    {"n * depth", NULL, "the expression gives a quantity in kg*m^(1/2)/s^2, not a force",
     "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"},
    {"k * rate", NULL, "the expression gives a force rate [kg*m/s^3], not a force",
     "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"},
    {"k * depth * (1 + rate)", "               ^",
     "'+' needs two values of one kind, not a plain number and a velocity [m/s]",
     "give the plain number a unit: 3 [mm]"},
    {"k * depth * (1 + c * rate)", "               ^",
     "'+' needs two values of one kind, not a plain number and a force [kg*m/s^2]",
     "give the plain number a unit: 3 [mm]"},
    {"100 * depth", NULL, "the expression gives a length [m], not a force",
     "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"},
    {"min(k * depth, rate)", "^~~", "'min' needs two values of one kind, not a force [kg*m/s^2] and a velocity [m/s]",
     "are the parameters mixed up, or is a factor missing?"},
    {"max(depth, 1) * k", "^~~", "'max' needs two values of one kind, not a length [m] and a plain number",
     "give the plain number a unit: 3 [mm]"},
    {"k * min(depth, t)", "    ^~~", "'min' needs two values of one kind, not a length [m] and a time [s]",
     "are the parameters mixed up, or is a factor missing?"},
    {"sqrt(depth) * k", NULL, "the expression gives a quantity in kg*m^(1/2)/s^2, not a force",
     "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"},
    {"k * depth^depth", "         ^", "the exponent is a length [m]", "divide it by a value of the same kind"},
    {"k * depth^(rate / v)", "         ^", "the exponent of a value with a unit changes",
     "divide the value by one of the same kind before"},
    {"k * depth^1.2345", "         ^", "this exponent is not in use",
     "divide the value by one of the same kind before, write the value out, or use sqrt"},
    {"k * l * 2^depth", "         ^", "the exponent is a length [m]", "divide it by a value of the same kind"},
    {"exp(depth) * f", "^~~", "'exp' needs a plain number, not a length [m]", "divide it by a value of the same kind"},
    {"log(rate) * f", "^~~", "'log' needs a plain number, not a velocity [m/s]",
     "divide it by a value of the same kind"},
    {"tanh(slip) * f", "^~~~", "'tanh' needs a plain number, not a velocity [m/s]",
     "divide it by a value of the same kind"},
    {"f * sin(depth)", "    ^~~", "'sin' needs an angle, not a length [m]", "divide it by a value of the same kind"},
    {"f * cos(time)", "    ^~~", "'cos' needs an angle, not a time [s]", "divide it by a value of the same kind"},
    {"f * (depth > rate)", "           ^", "'>' needs two values of one kind, not a length [m] and a velocity [m/s]",
     "are the parameters mixed up, or is a factor missing?"},
    {"f * (depth > 1)", "           ^", "'>' needs two values of one kind, not a length [m] and a plain number",
     "give the plain number a unit: 3 [mm]"},
    {"f * (depth and 1)", "           ^~~", "'and' needs a plain number, not a length [m]", "compare it with a bound"},
    {"f * not depth", "    ^~~", "'not' stands before a comparison", "put it in brackets: f * (not depth > l)"},
    {"depth > l", NULL, "the expression gives a plain number, not a force",
     "give the constants their units: {k: 2e5 N/m}, or 2e5 [N/m] in the expression"},
    {"k * depth + c * rate / 0", "                     ^", "this divides by zero", "check the divisor"},
    {"k * depth / (1 - 1)", "          ^", "this divides by zero", "check the divisor"},
    {"f * sqrt(-2)", "    ^~~~", "the root of a negative number", "is a sign wrong?"},
    {"f * log(0 * 1)", "    ^", "the result is not finite", "check the powers of ten"},
    {"f * (-8)^0.5", "        ^", "the root of a negative number", "is a sign wrong?"},
    {"k * 1e308 * 1e308 * depth", "  ^", "the result is not finite", "check the powers of ten"},
    {"k * depth +", "          ^", "the expression is incomplete", "write, for example, k * depth * (1 + c * rate)"},
    {"k * depth *", "          ^", "the expression is incomplete", "write, for example, k * depth * (1 + c * rate)"},
    {"* depth", "^", "the expression is incomplete", "write, for example, k * depth * (1 + c * rate)"},
    {"k * (depth + l", "             ^", "the bracket is not closed", "add ')'"},
    {"k * depth)", "         ^", "unexpected text after the expression", "remove ')', or add '('"},
    {"k depth", "  ^", "unexpected text after the expression",
     "write units in brackets: 2 [m]; join values by +, -, *, / or ^"},
    {"2e5 N/m * depth", "    ^", "unexpected text after the expression",
     "write units in brackets: 2 [m]; join values by +, -, *, / or ^"},
    {"2e5 [N/m * depth", "    ^", "the unit is not closed", "write 2 [m]"},
    {"2e5 [N/q] * depth", "     ^~~", "unknown unit 'q'", "`fender info units` lists all units"},
    {"2e5 [Nm] * depth", "     ^~", "unknown unit 'Nm'", "did you mean 'N*m'"},
    {"k * abs depth", "        ^", "a function needs its argument", "write abs(x)"},
    {"k * max(depth)", "             ^", "an argument is missing", "write min(a, b)"},
    {"k * max(depth, l", "               ^", "the bracket is not closed", "add ')'"},
    {"k * max(depth, l, l)", "                ^", "the bracket is not closed", "add ')'"},
    {"k * depth ** 2", "           ^", "the expression is incomplete",
     "write, for example, k * depth * (1 + c * rate)"},
    {"k * depth^^2", "          ^", "the expression is incomplete", "write, for example, k * depth * (1 + c * rate)"},
    {"k * depth % 2", "          ^", "unexpected text after the expression",
     "write units in brackets: 2 [m]; join values by +, -, *, / or ^"},
    {"$k * depth", "^", "names of this expression have no '$'", "name the parameter under constants: {k: $k}"},
    {"k * $depth", "    ^", "names of this expression have no '$'", "name the parameter under constants: {k: $k}"},
    {"k * depth; c", "         ^", "unexpected text after the expression",
     "write units in brackets: 2 [m]; join values by +, -, *, / or ^"},
    {"()", " ^", "the expression is incomplete", "write, for example, k * depth * (1 + c * rate)"},
    {"+k * depth", "^", "the expression is incomplete", "write, for example, k * depth * (1 + c * rate)"},
    {"k * depth == f", "          ^", "unexpected text after the expression", "comparisons are <, <=, > and >="},
    {"k * depth = f", "          ^", "unexpected text after the expression", "comparisons are <, <=, > and >="},
    {"k * 1.2.3 * depth", "       ^", "unexpected text after the expression",
     "write units in brackets: 2 [m]; join values by +, -, *, / or ^"},
    {"k * .", "    ^", "a number is expected here", "write, for example, 0.5 or 2e5"},
    {"k * depth - c * rate", NULL, "the force adds energy",
     "check the sign of the rate; or write 'supplied: true': the work then counts as applied"},
    {"k * depth * (1 - b * rate)", NULL, "the force adds energy",
     "check the sign of the rate; or write 'supplied: true': the work then counts as applied"},
    {"k * depth * (1 + slip / v)", NULL, "the force adds energy",
     "check the sign of the rate; or write 'supplied: true': the work then counts as applied"},
    {"k * depth * (1 + time / t)", NULL, "a force that depends on time may add energy",
     "write 'supplied: true', or leave out time"},
    {"k * depth * sin(time * a / t)", NULL, "a force that depends on time may add energy",
     "write 'supplied: true', or leave out time"},
    {"f / (depth / l)", NULL, "the force is not a finite number",
     "is a root taken of a negative number, or a divisor 0? max(x, 0) and x + small help"},
    {"f * sqrt(1 - depth / l)", NULL, "the force is not a finite number",
     "is a root taken of a negative number, or a divisor 0? max(x, 0) and x + small help"},
    {"f * log(depth / l)", NULL, "the force is not a finite number",
     "is a root taken of a negative number, or a divisor 0? max(x, 0) and x + small help"},
    {"k * l^2 / depth", NULL, "the force is not a finite number",
     "is a root taken of a negative number, or a divisor 0? max(x, 0) and x + small help"},
    {"k * depth + c * rate * (1 - (rate / v)^2)", NULL, "the force adds energy",
     "check the sign of the rate; or write 'supplied: true': the work then counts as applied"},
    {"f * rate / approach_speed * (0 - 1)", NULL, "the force adds energy",
     "check the sign of the rate; or write 'supplied: true': the work then counts as applied"},
    {"c * max(0 - rate, 0 [m/s])", "          ^",
     "'-' needs two values of one kind, not a plain number and a velocity [m/s]",
     "give the plain number a unit: 3 [mm]"},
};

static const wrong coefficients[] = {
    {"mu * sliip", "     ^~~~~", "nothing is named 'sliip'", "did you mean 'slip'"},
    {"mu * force", "     ^~~~~", "nothing is named 'force'", "names here"},
    {"f", NULL, "the expression gives a force [kg*m/s^2], not a coefficient",
     "divide by a constant of the same kind: slip / v, normal_force / f"},
    {"slip", NULL, "the expression gives a velocity [m/s], not a coefficient",
     "divide by a constant of the same kind: slip / v, normal_force / f"},
    {"mu + slip", "   ^", "'+' needs two values of one kind, not a plain number and a velocity [m/s]",
     "give the plain number a unit: 3 [mm]"},
    {"mu * slip / v + f", "              ^",
     "'+' needs two values of one kind, not a plain number and a force [kg*m/s^2]",
     "give the plain number a unit: 3 [mm]"},
    {"mu * exp(slip)", "     ^~~", "'exp' needs a plain number, not a velocity [m/s]",
     "divide it by a value of the same kind"},
    {"mu + (ms - mu) * exp(-(slip / v)^2", "                                 ^", "the bracket is not closed",
     "add ')'"},
    {"ms - w * slip", NULL, "a negative coefficient would drive the slip", "check the signs; max(x, 0) keeps it at 0"},
    {"mu * (1 - slip / v)", NULL, "a negative coefficient would drive the slip",
     "check the signs; max(x, 0) keeps it at 0"},
    {"mu * slip / slip", NULL, "the coefficient is not a finite number",
     "is a root taken of a negative number, or a divisor 0?"},
    {"mu / normal_force", NULL, "the expression gives a quantity in s^2/(kg*m), not a coefficient",
     "divide by a constant of the same kind: slip / v, normal_force / f"},
    {"mu * normal_force / f - 1", NULL, "a negative coefficient would drive the slip",
     "check the signs; max(x, 0) keeps it at 0"},
    {"0 - mu", NULL, "a negative coefficient would drive the slip", "check the signs; max(x, 0) keeps it at 0"},
    {"mu * log(slip / v)", NULL, "the coefficient is not a finite number",
     "is a root taken of a negative number, or a divisor 0?"},
    {"mu * sqrt(mu - slip / v)", NULL, "the coefficient is not a finite number",
     "is a root taken of a negative number, or a divisor 0?"},
    {"mu * tanh(slip)", "     ^~~~", "'tanh' needs a plain number, not a velocity [m/s]",
     "divide it by a value of the same kind"},
    {"mu * 2 [q]", "        ^", "unknown unit 'q'", "`fender info units` lists all units"},
    {"mu * depth", NULL, "the expression gives a length [m], not a coefficient",
     "divide by a constant of the same kind: slip / v, normal_force / f"},
    {"mu * (1 + rate / v)", NULL, "a negative coefficient would drive the slip",
     "check the signs; max(x, 0) keeps it at 0"},
};

static const char force_constants[] =
    "k: 1e5 N/m, n: 1e6 N/m^1.5, c: 100 N*s/m, b: 0.5 s/m, l: 1 mm, v: 1 cm/s, e: 1.5, f: 10 N, t: 1 s, a: 1 rad";
static const char friction_constants[] = "mu: 0.3, ms: 0.5, v: 1 cm/s, f: 10 N, w: 2 s/m, l: 1 mm, t: 1 s";

static void refused(const wrong *w, const char *before, const char *constants)
{
    char text[4096];
    collection c;
    snprintf(text, sizeof text,
             "fender: 1\nmaterials: {m: {}}\ncontact_types:\n  t:\n    %s'%s'\n      constants: {%s}\n%s", before,
             w->formula, constants, REST);
    assert_null(parse_with(text, NULL, 0, &c));
    const collected *found = NULL;
    for (int i = 0; i < c.count; i++)
        if (c.list[i].severity == FENDER_SEVERITY_ERROR) found = &c.list[i];
    const char *last = strrchr(before, '\n');
    const int margin = (int)strlen(last ? last + 1 : before) + (last ? 0 : 4);
    int line = 5, column = margin + 1, length = (int)strlen(w->formula) + 2;
    for (const char *at = before; *at; at++) line += *at == '\n';
    if (w->place) column += 1 + (int)strspn(w->place, " "), length = (int)strlen(w->place + strspn(w->place, " "));
    if (c.errors != 1 || found->line != line || found->column != column || found->length != length ||
        !strstr(found->message, w->message) || !strstr(found->suggestion, w->remedy) || !found->found[0] ||
        !found->expected[0]) {
        print_collection(&c);
        fail_msg("%s: not at %d:%d (%d): %s, %s", w->formula, line, column, length, w->message, w->remedy);
    }
}

static void wrong_formulas(void **state)
{
    (void)state;
    const int force_count = sizeof forces / sizeof forces[0];
    const int coefficient_count = sizeof coefficients / sizeof coefficients[0];
    for (int i = 0; i < force_count; i++)
        refused(&forces[i], "normal:\n      law: expression\n      force: ", force_constants);
    for (int i = 0; i < coefficient_count; i++)
        refused(&coefficients[i],
                "normal: {law: spring_damper, stiffness: 1e5}\n    friction:\n      law: friction_expression\n      "
                "coefficient: ",
                friction_constants);
    assert_true(force_count + coefficient_count >= 100);
}

/* ---- the rest of the map */

/* The normal law as it stands in the map, and what the first error says of it. */
static void map_refused(const char *law, const char *message, const char *remedy)
{
    char text[4096];
    collection c;
    snprintf(text, sizeof text,
             "fender: 1\nparameters: {k: 2e5 N/m}\nmaterials: {m: {}}\ncontact_types:\n  t:\n    normal: {%s}\n%s", law,
             REST);
    assert_null(parse_with(text, NULL, 0, &c));
    for (int i = 0; i < c.count; i++) {
        if (c.list[i].severity != FENDER_SEVERITY_ERROR) continue;
        if (strstr(c.list[i].message, message) && strstr(c.list[i].suggestion, remedy) && c.list[i].line == 6) return;
    }
    print_collection(&c);
    fail_msg("%s: not '%s'", law, message);
}

static void maps(void **state)
{
    (void)state;
    map_refused("law: expression", "has no 'force'", "k * depth");
    map_refused("law: expression, force: [1, 2]", "", "");
    map_refused("law: expression, force: {constant: 1 N}", "", "");
    map_refused("law: expression, force: k * depth, constants: 3", "", "");
    map_refused("law: expression, force: k * depth, constants: {k: 2e5 N/q}", "unknown unit 'q'", "fender info units");
    map_refused("law: expression, force: k * depth, constants: {k: [1, 2]}", "constant 'k' is not a number",
                "k: 2e5 N/m");
    map_refused("law: expression, force: k * depth, constants: {k: soft}", "constant 'k' is not a number",
                "k: 2e5 N/m");
    map_refused("law: expression, force: k * depth, constants: {k: inf}", "constant 'k' is not a number", "k: 2e5 N/m");
    map_refused("law: expression, force: k * depth, constants: {k: }", "constant 'k' is not a number", "k: 2e5 N/m");
    map_refused("law: expression, force: k * depth, constants: {rate: 2, k: 1 N/m}", "'rate' has a meaning", "rate_0");
    map_refused("law: expression, force: k * depth, constants: {max: 2, k: 1 N/m}", "'max' has a meaning", "max_0");
    map_refused("law: expression, force: k * depth, constants: {2k: 2, k: 1 N/m}", "", "");
    map_refused("law: expression, forse: k * depth", "'forse'", "");
    map_refused("law: expression, coefficient: k * depth", "'coefficient'", "");
    map_refused("law: expression, force: $k * depth", "have no '$'", "{k: $k}");
    map_refused("law: expression, force: k * depth, constants: {k: $q}", "'q'", "");
    map_refused("law: expression, force: k * depth, constants: {k: $k}, depth_range: -1 m", "'depth_range'", "");
    map_refused("law: expression, force: k * depth, constants: {k: $k}, speed_range: 1 m", "'speed_range'", "");
    map_refused("law: expression, force: k * depth, constants: {k: $k}, supplied: perhaps", "'supplied'", "");
    map_refused("law: friction_expression, coefficient: 0.3", "cannot be used under 'normal'", "");
    /* more constants, instructions and brackets than there is room for */
    char text[3000] = "law: expression, force: c0 * depth, constants: {";
    for (int i = 0; i < 33; i++) snprintf(text + strlen(text), 20, "%sc%d: 1 N/m", i ? ", " : "", i);
    map_refused(strcat(text, "}"), "too many constants", "beforehand");
    strcpy(text, "law: expression, constants: {k: 1 N/m, v: 1 m/s}, force: k * depth");
    for (int i = 0; i < 40; i++) strcat(text, " * (1 + sin(rate / v))");
    map_refused(text, "too long", "plug-in");
    strcpy(text, "law: expression, constants: {k: 1 N/m}, force: k * depth");
    for (int i = 0; i < 150; i++) strcat(text, " * 2");
    map_refused(text, "too long", "plug-in");
    strcpy(text, "law: expression, constants: {k: 1 N/m}, force: k * ");
    for (int i = 0; i < 70; i++) strcat(text, "(");
    map_refused(text, "nested too deeply", "plug-in");
}

/* ---- right ones */

static void right_formulas(void **state)
{
    (void)state;
    static const char *const laws[] = {
        "normal: {law: expression, force: k * depth, constants: {k: $k}}",
        "normal: {law: expression, force: k * depth, constants: {k: $k / 2}}",
        "normal: {law: expression, force: '20 [N] * tanh(depth / 1 [mm]) * (1 + max(rate / 1 [m/s], 0))'}",
        "normal: {law: expression, force: '5 [kN] * (depth / 1 [cm])^1.2345'}",
        "normal: {law: expression, force: '5 [N] * (depth > 1 [mm] and not depth > 2 [mm])'}",
        "normal: {law: expression, force: '5 [N] * sin(2 [rad/s] * time)', supplied: true}",
        "normal: {law: expression, force: k * depth - c * rate, constants: {k: $k, c: 1 N*s/m}, supplied: true}",
        "normal: {law: expression, force: k * depth * (1 + 0.5 * rate / approach_speed), constants: {k: $k}}",
        "normal: {law: spring_damper, stiffness: 1e5}\n    friction: {law: friction_expression, coefficient: 0.3}",
        (/* of load and depth */
         "normal: {law: spring_damper, stiffness: 1e5}\n    friction: {law: friction_expression, "
         "coefficient: 0.3 / (1 + normal_force / f) * (1 + depth / d), constants: {f: 1 kN, d: 1 m}}"),
    };
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "fender: 1\nparameters: {k: 2e5 N/m}\nmaterials: {m: {}}\ncontact_types:\n  t:\n    %s\n%s", laws[i],
                 REST);
        fender_scenario_destroy(parse(text));
    }
    collection c;
    fender_scenario *scenario = parse_with(
        "fender: 1\nmaterials: {m: {}}\ncontact_types: {t: {normal: {law: expression, "
        "force: k * depth, constants: {k: 1 N/m, q: 2}}}}\n" REST,
        NULL, 0, &c);
    assert_non_null(scenario);
    assert_string_equal(fender_scenario_formula(scenario, "t", "normal"), "k * depth");
    assert_null(fender_scenario_formula(scenario, "t", "friction"));
    assert_null(fender_scenario_formula(scenario, "t", "law"));
    assert_null(fender_scenario_formula(scenario, "u", "normal"));
    assert_true(c.errors == 0 && c.count == 1 && strstr(c.list[0].message, "'q' is not used"));
    fender_scenario_destroy(scenario);
}

/* Every allocation made to fail in turn, of a right text and of a wrong one. */
static void memory(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "fender: 1\nmaterials: {m: {}}\ncontact_types: {t: {normal: {law: expression, force: k * depth + c * rate, "
        "constants: {k: 1 N/m, c: 2 N*s/m}}, friction: {law: friction_expression, coefficient: 0.3}}}\n" REST,
        "fender: 1\nmaterials: {m: {}}\ncontact_types: {t: {normal: {law: expression, force: k * dpeth, "
        "constants: {k: 1 N/m, c: 2 N*s/m}}}}\n" REST};
    for (int i = 0; i < 2; i++) {
        fender_status status = FENDER_STATUS_MEMORY;
        long n = 0;
        while (status == FENDER_STATUS_MEMORY) {
            counted_memory m = {.fail_at = ++n};
            fender_env env = counted_env(&m);
            fender_error fault = {0};
            fender_scenario *scenario = fender_scenario_parse(&env, NULL, "text", texts[i], strlen(texts[i]), NULL, 0,
                                                              &fault);
            status = scenario ? FENDER_STATUS_OK : fault.status;
            fender_scenario_destroy(scenario);
            assert_int_equal(m.live, 0);
        }
        assert_true(n > 3);
        assert_int_equal(status, i == 0 ? FENDER_STATUS_OK : FENDER_STATUS_NAME);
    }
}

/* ---- runs */

static const char *const pairs[2][2] = {
    {"normal: {law: spring_damper, stiffness: 2e5, damping: 60}\n    friction: {law: coulomb, mu: 0.3}",
     "normal: {law: expression, force: k * depth + c * rate, constants: {k: 2e5 N/m, c: 60 N*s/m}}\n"
     "    friction: {law: friction_expression, coefficient: 0.3}"},
    {"normal: {law: hunt_crossley, stiffness: 5e6, dissipation: 0.4}\n"
     "    friction: {law: stribeck, mu_static: 0.5, mu_kinetic: 0.3, stribeck_speed: 1 cm/s, slip_speed: 2 cm/s}",
     "normal: {law: expression, force: k * depth^1.5 * (1 + c * rate), constants: {k: 5e6 N/m^1.5, c: 0.4 s/m}}\n"
     "    friction: {law: friction_expression, coefficient: mu + 0.2 * exp(-(slip / v)^2), "
     "constants: {mu: 0.3, v: 1 cm/s}, slip_speed: 2 cm/s}"}};
static const char *const integrators[3] = {"{method: rk4, step: 0.1 ms}",
                                           "{method: rk4, step: 0.1 ms, locate_events: true}",
                                           "{method: dopri5, relative_tolerance: 1e-10}"};

static fender_world *dropped(const char *law, const char *integrator)
{
    char text[4096];
    snprintf(text, sizeof text,
             "fender: 1\nworld: {gravity: [0, 0, -9.81, m/s^2]}\nintegrator: %s\nmaterials: {m: {}}\ncontact_types:\n"
             "  t:\n    %s\nbodies:\n  ball:\n    mass_properties: {mass: 1 kg, inertia: [0.004, 0.004, 0.004, "
             "kg*m^2]}\n    state: {position: [0, 0, 0.15, m], velocity: [0.5, 0, 0, m/s]}\n    shapes: {s: {sphere: "
             "{radius: 0.1 m}, material: m}}\n  floor: {motion: fixed, shapes: {f: {plane: {}, material: m}}}\n"
             "rules: [{default: t}]\nrun: {until: 1 s}\n",
             integrator, law);
    fender_scenario *scenario = parse(text);
    fender_env env = fender_env_default();
    fender_error fault = {0};
    fender_world *world = fender_scenario_build(scenario, &env, &fault);
    if (!world) fail_msg("%s", fault.message);
    fender_scenario_destroy(scenario);
    return world;
}

static void paths(void **state)
{
    (void)state;
    for (int l = 0; l < 2; l++)
        for (int i = 0; i < 3; i++) {
            fender_world *worlds[2] = {dropped(pairs[l][0], integrators[i]), dropped(pairs[l][1], integrators[i])};
            double worst = 0, gap = 0;
            for (int k = 1; k <= 50; k++) {
                fender_body_data ball[2];
                for (int w = 0; w < 2; w++) {
                    check_ok(fender_world_advance_to(worlds[w], 0.01 * k, &error));
                    check_ok(
                        fender_body_get(worlds[w], fender_body_at(worlds[w], 0), FENDER_CLOCK_COMMITTED, &ball[w]));
                }
                const double off[] = {ball[0].position.z - ball[1].position.z, ball[0].position.x - ball[1].position.x,
                                      1e-2 * (ball[0].velocity.z - ball[1].velocity.z),
                                      1e-2 * (ball[0].velocity.x - ball[1].velocity.x)};
                for (int n = 0; n < 4; n++) worst = fabs(off[n]) > worst ? fabs(off[n]) : worst;
            }
            fender_ledger ledger[2];
            for (int w = 0; w < 2; w++) fender_world_ledger(worlds[w], &ledger[w]);
            gap = fabs(ledger[0].residual - ledger[1].residual);
            print_message("law %d, integrator %d: paths %.1e m apart, residuals %.1e and %.1e J\n", l, i, worst,
                          ledger[0].residual, ledger[1].residual);
            check_below(worst, 1e-11); /* roundings, grown by impacts */
            check_below(gap, 1e-11);
            assert_int_equal(fender_world_event_count(worlds[0], FENDER_EVENT_BEGIN),
                             fender_world_event_count(worlds[1], FENDER_EVENT_BEGIN));
            if (i == 2) check_below(fabs(ledger[1].residual), 1e-7);
            for (int w = 0; w < 2; w++) fender_world_destroy(worlds[w]);
        }
}

/* A force that time changes does work from outside; the ledger closes. */
static void supplied(void **state)
{
    (void)state;
    fender_world *world = dropped(
        "normal: {law: expression, force: '(k * depth + c * rate) * (1 + 0.5 * sin(w * time))', "
        "constants: {k: 1e5 N/m, c: 100 N*s/m, w: 300 rad/s}, supplied: true}",
        "{method: dopri5, relative_tolerance: 1e-10}");
    check_ok(fender_world_advance_to(world, 0.5, &error));
    fender_ledger ledger;
    fender_world_ledger(world, &ledger);
    check_below(fabs(ledger.residual), 1e-7);
    assert_true(fabs(ledger.applied) > 0.01 && ledger.damping == 0);
    fender_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_formulas), cmocka_unit_test(maps),
                                       cmocka_unit_test(right_formulas), cmocka_unit_test(memory),
                                       cmocka_unit_test(paths),          cmocka_unit_test(supplied)};
    return cmocka_run_group_tests_name("laws as formulas", tests, NULL, NULL);
}
