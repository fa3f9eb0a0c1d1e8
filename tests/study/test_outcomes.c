/* Outcomes of studies: dimensions of variables, kept values and numbers with a unit must agree. */
#include "check.h"

#include "study/study.h"
#include <stdio.h>
#include <string.h>

static const char scenario_text[] = "fender: 1\n"
                                    "run: {until: 10 ms}\n"
                                    "bodies:\n"
                                    "  ball:\n"
                                    "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}\n"
                                    "    state: {position: [0, 0, 2, m]}\n";
static const char study_text[] = "fender_study: 1\n"
                                 "scenario: outcome_ball.yaml\n"
                                 "set: {expect: [], bodies.ball.state.angular_velocity: [0, 1, 0, deg/s]}\n"
                                 "runs: 1\n"
                                 "vary:\n"
                                 "  down: {path: bodies.ball.state.velocity.z, uniform: [-2, -1, m/s]}\n"
                                 "  bare: {path: bodies.ball.state.velocity.x, uniform: [1, 2]}\n"
                                 "keep:\n"
                                 "  z: {channel: bodies.ball.position.z}\n"
                                 "  spin: {channel: bodies.ball.angular_velocity.y}\n"
                                 "  touch: {event: begin}\n"
                                 "outcomes: {high: 'z > 1 [m]'}\n"
                                 "success: '%s'\n";

static void write_text(const char *name, const char *text)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void keep_suggestion(void *ctx, const fender_diagnostic *diagnostic)
{
    snprintf(ctx, 400, "%s", diagnostic->suggestion);
}

static void dimensions(void **state)
{
    /* words: of the message; NULL: the outcome is accepted */
    static const struct {
        const char *outcome, *words;
    } cases[] = {
        {"z > 1 [cm]", NULL},
        {"z > 1", NULL},
        {"z > 1 [kg]", "a length [m] and a mass [kg]"},
        {"2 * z > 1 [kg]", NULL}, /* 2 may be a stiffness */
        {"z - 2 > 1 [kg]", "a length [m] and a mass [kg]"},
        {"max(z, 1) < 3 [s]", "a length [m] and a time [s]"},
        {"z > down", "a length [m] and a velocity [m/s]"},
        {"z > bare", NULL}, /* its unit is not told */
        {"z / touch > down", NULL},
        {"touch < 3 [ms] and high", NULL},
        {"touch < 3 [mm]", "a time [s] and a length [m]"},
        {"spin > 2 [deg/s]", NULL},
        {"spin > 2 [deg]", "needs two values of one kind"},
        {"sqrt(z) > 1 [m]", "needs two values of one kind"},
        {"z^2 < 3 [m^2] or not high", NULL},
        {"high and z", "'and' needs a plain number"},
        {"exp(z) > 1", "'exp' needs a plain number"},
        {"exp(z / 1 [m]) > 1 [m]", "a plain number and a length [m]"},
        {"sin(spin * touch) < 0.5 and abs(down) > 1 [km/h]", NULL},
    };
    bool good = true;
    (void)state;
    write_text("outcome_ball.yaml", scenario_text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        fender_env env = fender_env_default();
        fender_error error = {0};
        env.report = NULL;
        snprintf(text, sizeof text, study_text, cases[i].outcome);
        write_text("outcomes.yaml", text);
        fender_study *study = fender_study_load(&env, "outcomes.yaml", 0, &error);
        const bool right = cases[i].words ? !study && error.status == FENDER_STATUS_UNIT && error.line == 13 &&
                                                strstr(error.message, cases[i].words)
                                          : study != NULL;
        if (!right) print_error("%s: %s\n", cases[i].outcome, study ? "accepted" : error.message);
        good = good && right;
        fender_study_destroy(study);
    }
    assert_true(good);
}

/* a < b < c would compare 0 or 1 with c. */
static void chains_of_comparisons(void **state)
{
    (void)state;
    static const struct {
        const char *outcome;
        bool taken;
    } cases[] = {{"0.2 < z < 0.8", false},     {"z > 1 and 0 <= z <= 3", false}, {"not 1 > z >= 0", false},
                 {"max(1 < z < 2, 0)", false}, {"0.2 < z and z < 0.8", true},    {"(1 < z) + (z < 3) > 1", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000], suggestion[400] = "";
        fender_env env = fender_env_default();
        env.report = keep_suggestion;
        env.report_ctx = suggestion;
        write_text("outcome_ball.yaml", scenario_text);
        snprintf(text, sizeof text, study_text, cases[i].outcome);
        write_text("outcomes.yaml", text);
        fender_study *study = fender_study_load(&env, "outcomes.yaml", 0, NULL);
        assert_true((study != NULL) == cases[i].taken);
        assert_true((strstr(suggestion, "a < b and b < c") != NULL) == !cases[i].taken);
        fender_study_destroy(study);
    }
}

/* Inputs of several numbers are suggested by the name of each. */
static void names_of_parts(void **state)
{
    (void)state;
    char suggestion[400];
    fender_env env = fender_env_default();
    env.report = keep_suggestion;
    env.report_ctx = suggestion;
    write_text("outcome_ball.yaml", scenario_text);
    write_text("outcomes.yaml", "fender_study: 1\n"
                                "scenario: outcome_ball.yaml\n"
                                "runs: 1\n"
                                "vary:\n"
                                "  att: {path: bodies.ball.state.orientation, attitude: uniform}\n"
                                "  dir: {path: bodies.ball.state.velocity, direction: {length: 2 m/s}}\n"
                                "success: 'dir.z > 1 [m/s] and atx > 0'\n");
    assert_null(fender_study_load(&env, "outcomes.yaml", 0, NULL));
    assert_non_null(strstr(suggestion, "att.w, att.x, att.y, att.z, dir.x, dir.y, dir.z"));
}

static const char discrete_text[] =
    "fender_study: 1\n"
    "scenario: outcome_ball.yaml\n"
    "design: full_factorial\n"
    "vary:\n"
    "  far: {path: bodies.ball.state.position.x, discrete: {values: [20 cm, 0, 3 m]}}\n"
    "  bare: {path: bodies.ball.state.velocity.x, discrete: {values: [5, 7]}}\n"
    "  mixed: {path: bodies.ball.state.velocity.y, discrete: {values: [1, 2 m/s]}}\n"
    "  word: {path: integrator.method, discrete: {values: [rk4, semi_implicit_euler]}}\n"
    "keep: {x: {channel: bodies.ball.position.x}}\n"
    "outcomes: {far_out: 'far > 100 [cm]', sum: 'bare - far / 1 [m] > 5'}\n"
    "success: '%s'\n";

static fender_study *load_discrete(const char *success, fender_error *error)
{
    char text[1200];
    fender_env env = fender_env_default();
    env.report = NULL;
    write_text("outcome_ball.yaml", scenario_text);
    snprintf(text, sizeof text, discrete_text, success);
    write_text("outcomes.yaml", text);
    return fender_study_load(&env, "outcomes.yaml", 0, error);
}

/* Conditions compare the values of discrete variables, in SI, with their dimension; not their place in the list. */
static void values_of_discrete_variables(void **state)
{
    static const double far[] = {0.2, 0, 3}, bare[] = {5, 7};
    (void)state;
    fender_env env = fender_env_default();
    fender_study *study = load_discrete("far - x < 2 [m]", NULL);
    double numbers[40];
    assert_non_null(study);
    assert_int_equal(study->runs, 24);
    fnd_row row = {.inputs = numbers, .kept = numbers + 4, .outcomes = numbers + 5};
    for (row.run = 0; row.run < 24; row.run++) {
        fnd_study_evaluate(study, &env, &row);
        assert_int_equal(row.status, FND_ROW_OK);
        const double x = far[row.run / 8], v = bare[row.run / 4 % 2];
        assert_true(row.outcomes[0] == (x > 1));
        assert_true(row.outcomes[1] == (v - x > 5));
        assert_true(row.outcomes[2] == 1); /* x is what `far` has set, and 10 ms of the velocity */
    }
    fender_study_destroy(study);
    static const struct {
        const char *success, *words;
        fender_status status;
    } refused[] = {{"far > 1 [kg]", "a length [m] and a mass [kg]", FENDER_STATUS_UNIT},
                   {"word > 1", "'word' has values that are not numbers", FENDER_STATUS_VALUE},
                   {"mixed > 1", "'mixed' has values that are not numbers", FENDER_STATUS_VALUE}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        fender_error error = {0};
        assert_null(load_discrete(refused[i].success, &error));
        assert_int_equal(error.status, refused[i].status);
        assert_int_equal(error.line, 11);
        assert_non_null(strstr(error.message, refused[i].words));
    }
}

static const char unread_text[] = "fender_study: 1\n"
                                  "scenario: outcome_ball.yaml\n"
                                  "runs: 1\n"
                                  "vary: {far: %s}\n"
                                  "keep: {x: %s}\n"
                                  "outcomes: {far_out: 'far > 100 [cm]'}\n";

static void count_errors(void *ctx, const fender_diagnostic *diagnostic)
{
    *(int *)ctx += diagnostic->severity == FENDER_SEVERITY_ERROR;
}

/* A condition may name a variable that could not be read: its error is told, and no other. */
static void conditions_on_what_was_not_read(void **state)
{
    static const char kept[] = "{channel: bodies.ball.position.x}";
    static const struct {
        const char *variable, *kept, *words;
        int line;
    } cases[] = {{"{path: p, discrete: {values: []}}", kept, "there is no value to choose", 4},
                 {"{path: p, discrete: {}}", kept, "discrete has no 'values'", 4},
                 {"{path: p, discrete: {value: [1 m]}}", kept, "'value' is not a key of discrete", 4},
                 {"{path: p, discrete: {values: 1 m}}", kept, "'values' needs a list", 4},
                 {"{path: p, discrete: {values: [[1], [2]]}}", kept, "'value' needs a text", 4},
                 {"{path: p, discrete: {values: [1 m, 2 m], weights: [1]}}", kept, "1 weights for 2 values", 4},
                 {"{path: p, discrete: {values: [1 m, 2 m], weights: x}}", kept, "'weights' needs a list", 4},
                 {"{path: p, discrete: {values: [1 m, 2 m], weights: [-1, 2]}}", kept, "'weight' must be 0 or more", 4},
                 {"{path: p, discrete: {values: [1 m, 2 m], weights: [0, 0]}}", kept, "all weights are 0", 4},
                 {"{path: p, discrete: {options: [a, b]}}", kept, "'options' needs a map", 4},
                 {"{path: p, discrete: {options: {a: none.yaml, b: 2}}}", kept, "none.yaml", 4},
                 {"{path: p, discrete: {options: {a: 1, b: 2}, weights: [1]}}", kept, "1 weights for 2 values", 4},
                 {"{path: p, discrete: {values: [1 m]}, table: [[1, 0], [2, 1], m]}", kept, "one distribution", 4},
                 /* lists in place of maps */
                 {"{path: p, discrete: [1 m, 2 m]}", kept, "'discrete' needs a map", 4},
                 {"{path: p, normal: [0, 1]}", kept, "'normal' needs a map", 4},
                 {"{path: p, lognormal: [0, 1]}", kept, "'lognormal' needs a map", 4},
                 {"{path: p, beta: [0, 1]}", kept, "'beta' needs a map", 4},
                 {"{path: p, weibull: [0, 1]}", kept, "'weibull' needs a map", 4},
                 {"{path: bodies.ball.state.position.x, uniform: [1, 2, m]}", "[a, b]", "'x' needs a map", 5}};
    (void)state;
    write_text("outcome_ball.yaml", scenario_text);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        int errors = 0;
        fender_env env = fender_env_default();
        fender_error error = {0};
        env.report = count_errors;
        env.report_ctx = &errors;
        snprintf(text, sizeof text, unread_text, cases[i].variable, cases[i].kept);
        write_text("outcomes.yaml", text);
        assert_null(fender_study_load(&env, "outcomes.yaml", 0, &error));
        assert_int_equal(errors, 1);
        assert_int_equal(error.line, cases[i].line);
        assert_non_null(strstr(error.message, cases[i].words));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dimensions), cmocka_unit_test(names_of_parts), cmocka_unit_test(chains_of_comparisons),
        cmocka_unit_test(values_of_discrete_variables), cmocka_unit_test(conditions_on_what_was_not_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
