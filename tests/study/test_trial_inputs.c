/* What a study tries before its runs: values that are drawn and refused are failed rows, whichever run has them. */
#include "check.h"
#include "memory_folder.h"
#include "study/study.h"
#include "support/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 12, SEEDS = 24 };

static fender_env env;
static int reported, warned;
static char warning[400];
static char message[400], suggestion[400], marked[100]; /* the text that the last error marks */

static void note(void *ctx, const fender_diagnostic *diagnostic)
{
    (void)ctx;
    if (diagnostic->severity == FENDER_SEVERITY_WARNING) {
        warned++;
        snprintf(warning, sizeof warning, "%s", diagnostic->message);
    }
    if (diagnostic->severity != FENDER_SEVERITY_ERROR) return;
    reported++;
    snprintf(message, sizeof message, "%s", diagnostic->message);
    snprintf(suggestion, sizeof suggestion, "%s", diagnostic->suggestion);
    const int left = (int)strlen(diagnostic->excerpt) - (diagnostic->column - 1);
    const int length = diagnostic->length < left ? diagnostic->length : left;
    snprintf(marked, sizeof marked, "%.*s", length > 0 ? length : 0,
             length > 0 ? diagnostic->excerpt + diagnostic->column - 1 : "");
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int set_up(void **state)
{
    (void)state;
    memory_folder_enter();
    env = fender_env_default();
    env.report = note;
    write_file("ball.yaml", "fender: 1\n"
                            "run: {until: 2 ms}\n"
                            "integrator: {step: 1 ms}\n"
                            "bodies: {ball: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}}}\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return memory_folder_leave();
}

static fender_study *load(int seed, const char *variable, const char *more)
{
    FILE *file = fopen("ball_study.yaml", "wb");
    assert_non_null(file);
    fprintf(file, "fender_study: 1\nscenario: ball.yaml\nruns: %d\nseed: %d\nvary: {v: {%s}}\n%s\n", (int)RUNS, seed,
            variable, more);
    fclose(file);
    reported = 0;
    suggestion[0] = '\0';
    return fender_study_load(&env, "ball_study.yaml", 0, NULL);
}

/* The mass that a run draws, in kg. */
static double mass_of(const fender_study *study, int64_t run)
{
    int count = 0;
    fender_study_settings *settings = fender_study_settings_create(study, &env, run, NULL);
    assert_non_null(settings);
    const fender_override *list = fender_study_settings_list(settings, &count);
    assert_int_equal(count, 1);
    const double mass = strtod(list[0].value, NULL);
    fender_study_settings_destroy(settings);
    return mass;
}

/* A sixth of all masses is negative: that of run 0 for some seeds. A row for each, failed or not. */
static void any_run_may_fail(void **state)
{
    (void)state;
    int first_refused = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        fender_study *study = load(seed,
                                   "path: bodies.ball.mass_properties.mass, normal: {mean: 1 kg, deviation: 1 kg}",
                                   "keep: {z: {channel: bodies.ball.position.z}}\nsuccess: z > -1 [m]");
        if (!study) fail_msg("seed %d: %s", seed, suggestion);
        assert_int_equal(reported, 0);
        int negative = 0;
        for (int64_t run = 0; run < RUNS; run++) negative += mass_of(study, run) < 0;
        first_refused += mass_of(study, 0) < 0;
        fender_study_def def = {.study = study, .store = "one.db", .jobs = 1};
        fender_study_progress figures;
        check_ok(fender_study_run(&env, &def, &figures, &error));
        assert_int_equal(figures.failed, negative);
        assert_int_equal(figures.succeeded, RUNS - negative);
        assert_int_equal(unlink("one.db"), 0);
        fender_study_destroy(study);
    }
    assert_true(first_refused > 0 && first_refused < SEEDS);
}

/* Where no run has a value that is taken, the first one's error is told, with the remedy. */
static void no_run_is_taken(void **state)
{
    (void)state;
    fender_study *study = load(1, "path: bodies.ball.mass_properties.mass, normal: {mean: -9 kg, deviation: 1 kg}", "");
    assert_null(study);
    assert_int_equal(reported, 1);
    assert_non_null(strstr(suggestion, "within: [from, to, UNIT]"));
    study = load(1, "path: bodies.ball.mass_properties.mass, uniform: [-2 kg, -1 kg]", "");
    assert_null(study);
    assert_int_equal(reported, 1);
    assert_null(strstr(suggestion, "within"));
}

/* Values are no excuse for what is wrong with the study itself: for every seed the same errors. */
static void errors_of_the_study(void **state)
{
    (void)state;
    static const char mass[] = "path: bodies.ball.mass_properties.mass, normal: {mean: 1 kg, deviation: 1 kg}";
    for (int seed = 1; seed <= SEEDS; seed++) {
        assert_null(load(seed, "path: bodies.ball.mass_properties.mess, normal: {mean: 1 kg, deviation: 1 kg}", ""));
        assert_int_equal(reported, 1);
        assert_non_null(strstr(suggestion, "mass"));
        assert_null(load(seed, mass, "keep: {z: {channel: bodies.ball.position.z}}\nsuccess: z > 1 [kg]"));
        assert_int_equal(reported, 1);
    }
    assert_null(load(1, mass, "keep: {z: {channel: bodies.ball.positon.z}}"));
    assert_int_equal(reported, 1);
    assert_non_null(strstr(suggestion, "position"));
}

/* Every value of a discrete variable that a run may draw is tried before the runs. */
static void values_in_the_middle(void **state)
{
    (void)state;
    static const char method[] = "path: integrator.method, discrete: {values: [rk4, velocity_verlte, dopri5]%s}";
    char variable[200];
    snprintf(variable, sizeof variable, method, "");
    assert_null(load(1, variable, ""));
    assert_int_equal(reported, 1);
    assert_non_null(strstr(suggestion, "velocity_verlet"));
    assert_string_equal(marked, "velocity_verlte");
    assert_null(load(1, "path: integrator.method, discrete: {values: [rk4, rk5, euler, dopri5]}", ""));
    assert_int_equal(reported, 1);
    snprintf(variable, sizeof variable, method, ", weights: [1, 0, 1]"); /* no run draws it */
    fender_study *study = load(1, variable, "");
    assert_non_null(study);
    fender_study_destroy(study);
}

/* Variables do not set what others set, as a whole or in part; parts below options are set in each of them. */
static void paths_that_contain_each_other(void **state)
{
    (void)state;
    static const char whole[] = "path: bodies.ball.state, discrete: {options: {a: {position: [0, 0, 1, m]}, b: "
                                "{position: [0, 0, 2, m]}}}";
    static const char part[] = "path: bodies.ball.state.velocity.x, uniform: [0, 1, m/s]";
    static const struct {
        const char *first, *second;
        bool taken;
    } cases[] = {
        {part, part, false},
        {whole, part, true},
        {part, whole, false},
        {"path: bodies.ball.state.velocity, direction: {length: 2 m/s}", part, false},
        {part, "path: 'bodies.*.state.velocity.x', uniform: [0, 1, m/s]", false},
        {part, "path: 'bodies.*.state.velocity.y', uniform: [0, 1, m/s]", true},
        {part, "path: bodies.ball.state.velocity.y, uniform: [0, 1, m/s]", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char variables[800];
        snprintf(variables, sizeof variables, "%s}, w: {%s", cases[i].first, cases[i].second);
        fender_study *study = load(1, variables, "");
        assert_true((study != NULL) == cases[i].taken);
        assert_int_equal(reported, !cases[i].taken);
        fender_study_destroy(study);
    }
}

/* A study with an option in a file is another one when that file changes. */
static void files_of_options(void **state)
{
    (void)state;
    static const char variable[] =
        "path: bodies.ball.state.orientation, discrete: {options: {flat: {quaternion: [1, 0, "
        "0, 0]}, turned: turned.yaml}}";
    static const char *const turned[] = {"quaternion: [0, 1, 0, 0]\n", "quaternion: [0, 0, 1, 0]\n",
                                         "quaternion: [0, 1, 0, 0] # as before\n"};
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        write_file("turned.yaml", turned[i]);
        fender_study *study = load(1, variable, "");
        assert_non_null(study);
        hashes[i] = fender_study_hash(study);
        fender_study_destroy(study);
    }
    assert_true(hashes[0] != hashes[1]);
    assert_true(hashes[0] == hashes[2]); /* what is set is the same */
}

/* The hash of scenario and study without that of the rules, by which stores were begun before these had a number. */
static uint64_t hash_without_rules(const fender_study *study)
{
    uint64_t hash = 0;
    fnd_buffer buffer = fnd_buffer_open(&env.allocator);
    assert_true(fnd_study_append_sources(&buffer, study, &hash));
    fnd_buffer_close(&buffer);
    return fnd_text_hash(hash, study->text, study->length);
}

/* Rules of discrete variables are a part of the hash, so that no store goes on by others; other studies keep theirs. */
static void rules_of_discrete_variables(void **state)
{
    (void)state;
    static const char *const variables[] = {"path: bodies.ball.state.velocity.x, uniform: [1, 2, m/s]",
                                            "path: bodies.ball.state.velocity.x, discrete: {values: [1 m/s, 2 m/s]}"};
    for (int i = 0; i < 2; i++) {
        fender_study *study = load(1, variables[i], "");
        assert_non_null(study);
        assert_true((fender_study_hash(study) == hash_without_rules(study)) == (i == 0));
        fender_study_destroy(study);
    }
}

/* A pull of 2 N or 6 N on 1 kg, from files: after 10 ms 20 mm/s or 60 mm/s. */
static fender_study *load_pulls(const char *variables)
{
    FILE *file = fopen("pull_study.yaml", "wb");
    assert_non_null(file);
    fprintf(file,
            "fender_study: 1\nscenario: pull.yaml\ndesign: full_factorial\nvary: {%s}\n"
            "keep: {v: {channel: bodies.ball.velocity.x}}\n",
            variables);
    fclose(file);
    reported = 0;
    return fender_study_load(&env, "pull_study.yaml", 0, NULL);
}

/* What asks for another number of runs, or for a part of none, is refused; nothing is passed over. */
static void numbers_of_runs(void **state)
{
    (void)state;
    static const struct {
        const char *design;
        int64_t runs;
        bool taken;
    } cases[] = {{"random", 0, true},           {"random", 7, true},
                 {"random", 1000000000, true},  {"random", -1, false},
                 {"random", 1000000001, false}, {"corners", 0, true},
                 {"corners", 2, true},          {"corners", 3, false},
                 {"{morris: 4}", 9, false},     {"{sobol_indices: 4}", 9, false}};
    fender_study *study = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *file = fopen("runs_study.yaml", "wb");
        assert_non_null(file);
        fprintf(file,
                "fender_study: 1\nscenario: ball.yaml\ndesign: %s\n%svary: {v: {path: "
                "bodies.ball.state.velocity.x, uniform: [0, 1, m/s]}}\n",
                cases[i].design, cases[i].design[0] == 'r' ? "runs: 3\n" : "");
        fclose(file);
        fender_error refusal = {0};
        study = fender_study_load(&env, "runs_study.yaml", cases[i].runs, &refusal);
        assert_true((study != NULL) == cases[i].taken);
        assert_true((strstr(refusal.suggestion, "the sign") != NULL) == (cases[i].runs < 0));
        assert_true((strstr(refusal.suggestion, "a digit") != NULL) == (cases[i].runs > 1000000000));
        if (study && cases[i].runs > 0) assert_int_equal(fender_study_run_count(study), cases[i].runs);
        fender_study_destroy(study);
    }
    static const int64_t shards[][2] = {{1, 0}, {-1, 0}, {3, 3}, {0, -1}};
    study = load(1, "path: bodies.ball.state.velocity.x, uniform: [0, 1, m/s]", "");
    assert_non_null(study);
    for (int i = 0; i < 4; i++) {
        fender_study_def def = {.study = study, .store = "none.db", .shard = shards[i][0], .shard_count = shards[i][1]};
        assert_int_equal(fender_study_run(&env, &def, NULL, NULL), FENDER_STATUS_ARGUMENT);
        assert_int_equal(access("none.db", F_OK), -1);
    }
    fender_study_destroy(study);
}

/* Files that values of a discrete variable name are read and belong to the hash. */
static void files_that_values_name(void **state)
{
    (void)state;
    static const char *const variables[] = {
        "pull: {path: loads.pull.force.table.file, discrete: {values: [pull_11.csv, pull_12.csv]}}",
        "pull: {path: parameters.b, discrete: {values: [1, 2]}}"};
    static const double speed[] = {0.02, 0.06};
    static const char pull[] = "t [s],x [N],o [N]\n0,%d,0\n1,%d,0\n";
    uint64_t hashes[2];
    char text[60];
    write_file("pull.yaml", "fender: 1\n"
                            "run: {until: 10 ms}\n"
                            "integrator: {step: 1 ms}\n"
                            "parameters: {a: 1, b: 1}\n"
                            "bodies: {ball: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}}}\n"
                            "loads: {pull: {body: ball, force: {table: {file: 'pull_${a}${b}.csv', columns: [t, x, o, "
                            "o]}}}}\n");
    for (int i = 1; i <= 2; i++) { /* pull_21, pull_22: for the last part */
        snprintf(text, sizeof text, pull, 2, 2);
        write_file(i == 1 ? "pull_11.csv" : "pull_21.csv", text);
        snprintf(text, sizeof text, pull, 6, 6);
        write_file(i == 1 ? "pull_12.csv" : "pull_22.csv", text);
    }
    for (int i = 0; i < 2; i++) {
        double numbers[4];
        fender_study *study = load_pulls(variables[i]);
        assert_non_null(study);
        fnd_row row = {.inputs = numbers, .kept = numbers + 1, .outcomes = numbers + 2};
        for (row.run = 0; row.run < 2; row.run++) {
            fnd_study_evaluate(study, &env, &row);
            assert_int_equal(row.status, FND_ROW_OK);
            assert_true(fabs(row.kept[0] - speed[row.run]) < 1e-15); /* ten equal steps: rounding alone */
        }
        hashes[0] = fender_study_hash(study);
        fender_study_destroy(study);
        write_file("pull_12.csv", "t [s],x [N],o [N]\n0,6,0\n1,7,0\n");
        study = load_pulls(variables[i]);
        assert_non_null(study);
        hashes[1] = fender_study_hash(study);
        assert_true(hashes[0] != hashes[1]);
        fender_study_destroy(study);
        write_file("pull_12.csv", text);
    }
    assert_null(load_pulls("pull: {path: loads.pull.force.table.file, discrete: {values: [pull_11.csv, none.csv]}}"));
    assert_int_equal(reported, 1);
    assert_null(strstr(suggestion, "shapes.NAME.geometry"));
    /* pull_22 has a name of two values */
    assert_null(load_pulls("a: {path: parameters.a, discrete: {values: [1, 2]}}, b: {path: parameters.b, discrete: "
                           "{values: [2, 1]}}"));
    assert_int_equal(reported, 1);
    assert_non_null(strstr(suggestion, "shapes.NAME.geometry"));
}

/* Files of values that no run takes need not be there: without weight outside grids, or not in the list. A missing one
 * is told at its value. */
static void files_of_values_that_no_run_takes(void **state)
{
    (void)state;
    static const struct {
        const char *design, *weights, *list;
        bool taken;
    } cases[] = {{"random", "", "", false},
                 {"random", ", weights: [1, 0, 1]", "", true},
                 {"{morris: 2}", ", weights: [1, 0, 1]", "", true},
                 {"full_factorial", ", weights: [1, 0, 1]", "", false},
                 {"{list: pulls.csv}", "", "pull\npull_1.csv\npull_3.csv\n", true},
                 {"{list: pulls.csv}", ", weights: [1, 0, 1]", "pull\npull_1.csv\npull_2.csv\n", false}};
    static const char rows[] = "t [s],x [N],o [N]\n0,2,0\n1,2,0\n";
    write_file("pull_1.csv", rows);
    write_file("pull_3.csv", rows);
    write_file("pull.yaml", "fender: 1\n"
                            "run: {until: 10 ms}\n"
                            "integrator: {step: 1 ms}\n"
                            "bodies: {ball: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}}}\n"
                            "loads: {pull: {body: ball, force: {table: {file: pull_1.csv, columns: [t, x, o, o]}}}}\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[600];
        write_file("pulls.csv", cases[i].list);
        snprintf(text, sizeof text,
                 "fender_study: 1\nscenario: pull.yaml\ndesign: %s\n%svary: {pull: {path: loads.pull.force.table.file, "
                 "discrete: {values: [pull_1.csv, pull_2.csv, pull_3.csv]%s}}}\n",
                 cases[i].design, cases[i].design[0] == 'r' ? "runs: 5\n" : "", cases[i].weights);
        write_file("pull_study.yaml", text);
        reported = 0;
        fender_study *study = fender_study_load(&env, "pull_study.yaml", 0, NULL);
        assert_true((study != NULL) == cases[i].taken);
        assert_int_equal(reported, !cases[i].taken);
        if (!study) assert_string_equal(marked, "pull_2.csv");
        double numbers[4];
        fnd_row row = {.inputs = numbers, .kept = numbers + 1, .outcomes = numbers + 1};
        for (; study && row.run < fender_study_run_count(study); row.run++) { /* no run lacks its file */
            fnd_study_evaluate(study, &env, &row);
            assert_int_equal(row.status, FND_ROW_OK);
        }
        fender_study_destroy(study);
    }
}

/* A run that starts with shapes deep in each other is doubtful, by the measure of the warning of `fender run`: half of
 * the radius, here 5 cm. A spring that is pressed at the start is none. */
static void starts_that_overlap(void **state)
{
    (void)state;
    static const fnd_row_status expected[] = {FND_ROW_OK, FND_ROW_OK, FND_ROW_DOUBTFUL, FND_ROW_DOUBTFUL};
    double numbers[4];
    write_file("floor.yaml", "fender: 1\n"
                             "run: {until: 2 ms}\n"
                             "integrator: {step: 0.1 ms}\n"
                             "contact_types: {c: {normal: {law: spring_damper, stiffness: 1 kN/m, damping: 0 N*s/m}}}\n"
                             "rules: [{default: c}]\n"
                             "bodies:\n"
                             "  floor: {motion: fixed, shapes: {top: {plane: {}}}}\n"
                             "  ball: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}, shapes: {s: {sphere: "
                             "{radius: 10 cm}}}}\n");
    write_file("floor_study.yaml", "fender_study: 1\n"
                                   "scenario: floor.yaml\n"
                                   "design: full_factorial\n"
                                   "vary: {z: {path: bodies.ball.state.position.z, discrete: {values: [20 cm, 5.1 cm, "
                                   "4.9 cm, -9 cm]}}}\n"
                                   "success: z > -1 [m]\n");
    fender_study *study = fender_study_load(&env, "floor_study.yaml", 0, NULL);
    assert_non_null(study);
    fnd_row row = {.inputs = numbers, .kept = numbers + 1, .outcomes = numbers + 1};
    for (row.run = 0; row.run < 4; row.run++) {
        fnd_study_evaluate(study, &env, &row);
        assert_int_equal(row.status, expected[row.run]);
        assert_true((strstr(row.reason, "overlap by") != NULL) == (expected[row.run] == FND_ROW_DOUBTFUL));
        assert_true(row.outcomes[0] == 1); /* it counts */
    }
    fender_study_destroy(study);
}

/* Why a name cannot be taken: conditions know it, every store has it, or it is there twice. */
static void names_that_are_taken(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"max: v > 1", "'max' is a word of conditions"},
                                           {"Hash: v > 1", "'Hash' is a column of every store"},
                                           {"V: v > 1", "the name 'V' is already used"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char more[100];
        snprintf(more, sizeof more, "outcomes: {%s}", cases[i][0]);
        assert_null(load(1, "path: bodies.ball.mass_properties.mass, uniform: [1 kg, 2 kg]", more));
        assert_int_equal(reported, 1);
        assert_string_equal(message, cases[i][1]);
    }
}

/* Keys of another form would be passed over: the remedy is the form that was meant. */
static void keys_of_two_forms(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"channel: bodies.ball.velocity.z, event: begin", "event", "write at: {event: begin}"},
        {"channel: bodies.ball.velocity.z, when: {time: 1 ms}", "when", "write at: {when: CONDITION}"},
        {"channel: bodies.ball.velocity.z, contact: 'a:b'", "contact", "write at: {event: begin, contact: a:b}"},
        {"channel: bodies.ball.velocity.z, at: {when: {time: 1 ms}, contact: 'a:b'}", "contact", "when: {event: begin"},
        {"event: begin, at: max", "at", "the time of the event is kept"},
        {"when: {time: 1 ms}, at: max", "at", "the time of the condition is kept"},
        {"when: {time: 1 ms}, event: begin", "event", "when: {event: begin}"}};
    const char *variable = "path: bodies.ball.mass_properties.mass, uniform: [1 kg, 2 kg]";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char more[200];
        snprintf(more, sizeof more, "keep: {x: {%s}}", cases[i][0]);
        assert_null(load(1, variable, more));
        assert_int_equal(reported, 1);
        assert_string_equal(marked, cases[i][1]);
        if (!strstr(suggestion, cases[i][2])) fail_msg("%s: %s", cases[i][0], suggestion);
    }
    fender_study *study = load(1, variable,
                               "keep: {x: {channel: bodies.ball.velocity.z, at: {event: begin}}, t: {event: begin}, w: "
                               "{when: {time: 1 ms}}}");
    assert_non_null(study);
    fender_study_destroy(study);
}

static char report_text[8000];

static void put(void *ctx, const char *text)
{
    (void)ctx;
    strncat(report_text, text, sizeof report_text - strlen(report_text) - 1);
}

/* A sphere of 2 kg on springs of `step`: a scenario with that rule and those steps. */
static fender_study *load_warning(const char *rule, const char *step, const char *variable)
{
    FILE *file = fopen("warn.yaml", "wb");
    assert_non_null(file);
    fprintf(
        file,
        "fender: 1\n"
        "run: {until: 10 ms}\n"
        "integrator: {method: rk4, step: %s}\n"
        "materials: {m: {}, n: {}}\n"
        "contact_types: {c: {normal: {law: spring_damper, stiffness: 1 kN/m, damping: 0 N*s/m}}}\n"
        "rules: [%s]\n"
        "bodies:\n"
        "  floor: {motion: fixed, shapes: {top: {plane: {}, material: m}}}\n"
        "  ball: {mass_properties: {mass: 2 kg, inertia: [1, 1, 1, kg*m^2]}, state: {position: [0, 0, 1, m]}, shapes: "
        "{s: {sphere: {radius: 10 cm}, material: n}}}\n",
        step, rule);
    fclose(file);
    file = fopen("warn_study.yaml", "wb");
    assert_non_null(file);
    fprintf(file,
            "fender_study: 1\nscenario: warn.yaml\ndesign: full_factorial\nvary: {v: {%s}}\nkeep: {z: {channel: "
            "bodies.ball.position.z}}\n",
            variable);
    fclose(file);
    reported = warned = 0;
    warning[0] = 0;
    fender_study *study = fender_study_load(&env, "warn_study.yaml", 0, NULL);
    assert_non_null(study);
    assert_int_equal(reported, 0);
    return study;
}

/* All runs into a store, and what the report says of it. The study is destroyed. */
static const char *report_of(fender_study *study)
{
    fender_study_def def = {.study = study, .store = "warn.db", .jobs = 2};
    check_ok(fender_study_run(&env, &def, NULL, &error));
    report_text[0] = 0;
    check_ok(fender_study_report(&env, "warn.db", put, NULL, &error));
    assert_int_equal(unlink("warn.db"), 0);
    fender_study_destroy(study);
    return report_text;
}

/* Shapes without a rule: told once when the study is loaded, and counted in the report. */
static void warnings_of_all_runs(void **state)
{
    (void)state;
    const char *speed = "path: bodies.ball.state.velocity.z, uniform: [-1, 1, m/s]";
    fender_study *study = load_warning("{materials: [m, m], use: c}", "1 ms", speed);
    assert_int_equal(warned, 1);
    assert_non_null(strstr(warning, "no rule for 1 pair of shapes"));
    assert_non_null(strstr(report_of(study), " 3 runs had warnings: no rule for 1 pair"));
    assert_int_equal(warned, 1); /* nothing by the runs */
    study = load_warning("{materials: [m, n], use: c}", "1 ms", speed);
    assert_int_equal(warned, 0);
    assert_null(strstr(report_of(study), "had warnings"));
}

/* What depends on the values is kept with its row: steps beyond the limit of stability of rk4, 2.785 / omega, with
 * omega^2 = 1 kN/m / m: 124.5 ms for 2 kg, 12.45 ms for 20 g; and an end of the run between two steps. */
static void warnings_of_some_runs(void **state)
{
    (void)state;
    fender_study *study = load_warning("{materials: [m, n], use: c}", "5 ms",
                                       "path: bodies.ball.mass_properties.mass, discrete: {values: [2 kg, 2 g, 1 g]}");
    assert_int_equal(warned, 0);
    assert_non_null(
        strstr(report_of(study), " 2 runs had warnings: the step is too long for contact type 'c' (run 1)"));
    study = load_warning("{materials: [m, n], use: c}", "1 ms",
                         "path: integrator.step, discrete: {values: [1 ms, 2 ms, 3 ms, 4 ms]}");
    assert_int_equal(warned, 0);
    const char *text = report_of(study);
    assert_non_null(
        strstr(text, " 2 runs had warnings: the end of the run, 10 ms, lies between two steps of 3 ms (run 2)"));
    study = load_warning("{materials: [m, n], use: c}", "3 ms",
                         "path: bodies.ball.state.velocity.z, uniform: [-1, 1, m/s]");
    assert_int_equal(warned, 1); /* of the scenario itself: once, and not of each run */
    assert_null(strstr(report_of(study), "had warnings"));
}

int main(void)
{
    fender_study_counts counts;
    const fender_env plain = fender_env_default();
    if (fender_study_count(&plain, "none.db", &counts, NULL) == FENDER_STATUS_NOT_BUILT) {
        puts("skipped: this build has no SQLite");
        return 77;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_run_may_fail),
                                       cmocka_unit_test(no_run_is_taken),
                                       cmocka_unit_test(errors_of_the_study),
                                       cmocka_unit_test(values_in_the_middle),
                                       cmocka_unit_test(paths_that_contain_each_other),
                                       cmocka_unit_test(files_of_options),
                                       cmocka_unit_test(rules_of_discrete_variables),
                                       cmocka_unit_test(numbers_of_runs),
                                       cmocka_unit_test(files_that_values_name),
                                       cmocka_unit_test(files_of_values_that_no_run_takes),
                                       cmocka_unit_test(starts_that_overlap),
                                       cmocka_unit_test(names_that_are_taken),
                                       cmocka_unit_test(keys_of_two_forms),
                                       cmocka_unit_test(warnings_of_all_runs),
                                       cmocka_unit_test(warnings_of_some_runs)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
