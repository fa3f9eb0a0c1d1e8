/* Runs: closed values of the summary, files, expectations, conditions, interrupts, diagnostics at their places. */
#include "run_test.h"

static fender_run *create(const char *more, const char *directory, fender_scenario **scenario, diagnostics *f,
                          fender_error *error)
{
    fender_env env = fender_env_default();
    memset(f, 0, sizeof *f);
    env.report = collect_diagnostic;
    env.report_ctx = f;
    *scenario = load_scene(&env, more, error);
    if (!*scenario) print_error("%s\n", f->text);
    assert_non_null(*scenario);
    fender_run_def def = {
        .scenario = *scenario, .output_directory = directory, .command_line = "fender run scene.yaml"};
    return fender_run_create(&env, &def, error);
}

static const char recorded[] =
    "run: {until: 10 s}\n"
    "record:\n"
    "  log: {file: log.csv, every: 20 ms, channels: [bodies.*.position.x, events.begin.count]}\n"
    "  all: {file: all.csv, on: steps, channels: [ledger.energy.*]}\n"
    "  own: {file: own.csv, on: events}\n"
    "  same: {file: events.csv, on: events}\n";

/* Equal spheres and an ideal spring: touch when the gap is closed, half a period of the reduced mass later they part
 * with the velocities exchanged. */
static void whole_run(void **state)
{
    (void)state;
    static diagnostics f;
    fender_error error = {0};
    fender_scenario *scenario;
    remove_directory("whole.run");
    fender_run *run = create(recorded, "whole.run", &scenario, &f, &error);
    assert_non_null(run);
    const fender_run_summary *s = fender_run_get_summary(run);
    assert_int_equal(s->body_count, 2);
    assert_int_equal(s->shape_count, 2);
    assert_int_equal(s->pair_count, 1);
    assert_string_equal(s->method, "rk4");
    assert_string_equal(s->title, "two balls");
    assert_int_equal(access("whole.run", F_OK), -1); /* creation opens nothing */
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
    assert_int_equal(s->step_count, 1000);
    check_near(s->end_time, 10, 0);
    assert_false(s->interrupted);
    assert_int_equal(s->episode_count, 1);
    assert_string_equal(s->episodes[0].contact, "veh1.hull:veh2.hull");
    double omega = sqrt(3000 / 50.0), duration = 3.14159265358979323846 / omega;
    check_near(s->episodes[0].begin_time, 5, 0.011);
    check_near(s->episodes[0].end_time, 5 + duration, 0.021);
    check_near(s->episodes[0].peak_depth, 2 / omega, 1e-3);
    check_near(s->episodes[0].peak_force, 3000 * 2 / omega, 3);
    check_near(s->episodes[0].impulse, 200, 1);
    check_near(s->episodes[0].approach_speed, 2, 1e-9);
    check_near(s->episodes[0].rebound_speed, 2, 0.01);
    /* the deepest point of the ideal spring, within what is said of it */
    check_near(s->episodes[0].peak_depth, 2 / omega, 3 * s->episodes[0].errors.peak_depth);
    check_below(s->episodes[0].errors.peak_depth, 1e-3);
    const char *episodes = read_run_file("whole.run", "episodes.csv");
    assert_int_equal(count_lines(episodes), 2);
    assert_non_null(strstr(episodes, "contact,begin_time [s],begin_time_error [s],end_time [s],end_time_error [s],"));
    assert_non_null(strstr(episodes, "\nveh1.hull:veh2.hull,"));
    check_near(s->start.kinetic, 200, 0);
    assert_int_equal(s->approach_count, 0);
    assert_int_equal(s->file_count, 12);
    assert_string_equal(s->files[0], "log.csv (501 rows)");
    assert_true(s->hash == fender_world_hash(fender_run_world(run)));

    assert_int_equal(count_lines(read_run_file("whole.run", "log.csv")), 502);
    const char *log = read_run_file("whole.run", "log.csv");
    assert_string_equal(line_of(log, 0),
                        "time [s],bodies.veh1.position.x [m],bodies.veh2.position.x [m],events.begin.count");
    assert_string_equal(line_of(log, 1), "0,0,12,0");
    assert_string_equal(strrchr(line_of(log, 501), ','), ",1"); /* since the start, not in the last step alone */
    assert_true(strncmp(line_of(log, 501), "10,", 3) == 0);
    assert_int_equal(count_lines(read_run_file("whole.run", "all.csv")), 1002);
    static char events[4096];
    snprintf(events, sizeof events, "%.4000s", read_run_file("whole.run", "events.csv"));
    assert_int_equal(count_lines(events), 3);
    assert_non_null(strstr(line_of(events, 1), ",begin,veh1.hull:veh2.hull,0,2"));
    assert_non_null(strstr(line_of(events, 2), ",end,veh1.hull:veh2.hull,0,-"));
    assert_string_equal(read_run_file("whole.run", "own.csv"), events);
    const char *replay = read_run_file("whole.run", "replay.csv");
    assert_int_equal(count_lines(replay), 1002);
    assert_string_equal(line_of(replay, 1), "0,0,0,0,1,0,0,0,12,0,0,1,0,0,0");
    assert_true(strncmp(line_of(replay, 1001), "10,", 3) == 0);
    assert_true(count_lines(read_run_file("whole.run", "contacts.csv")) > 30);
    assert_non_null(strstr(read_run_file("whole.run", "contacts.csv"), ",veh1.hull:veh2.hull,"));
    assert_non_null(strstr(read_run_file("whole.run", "scene.json"), "\"format\":\"fender-scene\""));
    const char *summary = read_run_file("whole.run", "summary.json");
    assert_true(strncmp(summary, "{\"format\":\"fender-summary\",\"version\":2,\"complete\":true", 53) == 0);
    assert_non_null(strstr(summary, "\"ended_by\":\"until\""));
    assert_non_null(strstr(summary, "{\"name\":\"log.csv\",\"rows\":501}"));
    char hash[32];
    snprintf(hash, sizeof hash, "\"hash\":\"%016llx\"", (unsigned long long)s->hash);
    assert_non_null(strstr(summary, hash));
    assert_int_equal(fender_run_execute(run, NULL), FENDER_STATUS_STATE);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* A second run takes the directory over: what the first one wrote and the second does not is gone. */
static void taken_over(void **state)
{
    (void)state;
    static diagnostics f;
    fender_error error = {0};
    fender_scenario *scenario;
    assert_int_equal(access("whole.run/log.csv", F_OK), 0); /* from the test before */
    FILE *mine = fopen("whole.run/notes.txt", "w");
    assert_non_null(mine);
    fclose(mine);
    fender_run *run = create("run: {until: 1 s}\n", "whole.run", &scenario, &f, &error);
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
    assert_int_equal(access("whole.run/log.csv", F_OK), -1);
    assert_int_equal(access("whole.run/notes.txt", F_OK), 0);
    assert_int_equal(count_lines(read_run_file("whole.run", "replay.csv")), 102);
    /* no contact: the closest approach */
    const fender_run_summary *s = fender_run_get_summary(run);
    assert_int_equal(s->episode_count, 0);
    assert_int_equal(s->approach_count, 1);
    assert_string_equal(s->approaches[0].contact, "veh1.hull:veh2.hull");
    check_near(s->approaches[0].distance, 8, 1e-12);
    check_near(s->approaches[0].time, 1, 0);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* The same bits as the world itself gives. */
static void same_hash(void **state)
{
    (void)state;
    static diagnostics f;
    fender_error error = {0};
    fender_scenario *scenario;
    fender_env env = fender_env_default();
    fender_run *run = create(recorded, NULL, &scenario, &f, &error);
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
    assert_int_equal(fender_run_get_summary(run)->file_count, 0);
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    assert_int_equal(fender_world_advance(world, 1000, &error), FENDER_STATUS_OK);
    assert_true(fender_world_hash(world) == fender_run_get_summary(run)->hash);
    fender_world_destroy(world);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

static void expectations(void **state)
{
    (void)state;
    static const char more[] =
        "run: {until: 10 s}\n"
        "expect:\n"
        "  - {channel: bodies.veh2.position.x, at: 1 s, equals: 10 m, within: 1e-9 m, source: by hand}\n"
        "  - {channel: bodies.veh2.position.x, at: 1 s, equals: 1000 cm, within: 1 nm}\n"
        "  - {channel: bodies.veh2.position.x, at: 1 s, equals: 10.5 m, within: 0.4 m, source: wrong on purpose}\n"
        "  - {channel: contacts.veh1.hull:veh2.hull.depth, at: max, below: 0.3 m}\n"
        "  - {channel: contacts.veh1.hull:veh2.hull.depth, at: max, below: 0.2 m}\n"
        "  - {channel: bodies.veh1.velocity.x, at: min, above: -2.1}\n"
        "  - {channel: bodies.veh1.velocity.x, at: end, above: -1}\n"
        "  - {event: begin, at: 5 s, within: 20 ms}\n"
        "  - {event: begin, contact: \"veh2:veh1\", at: 5 s, within: 20 ms}\n"
        "  - {event: end, contact: \"veh1.hull:veh2.hull\", at: 5 s, within: 20 ms}\n"
        "  - {event: mode, at: 5 s, within: 20 ms}\n";
    static const bool met[] = {true, true, false, true, false, true, false, true, true, false, false};
    static diagnostics f;
    fender_error error = {0};
    fender_scenario *scenario;
    fender_run *run = create(more, NULL, &scenario, &f, &error);
    assert_non_null(run);
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_EXPECTATION);
    const fender_run_summary *s = fender_run_get_summary(run);
    assert_int_equal(s->expectation_count, 11);
    assert_int_equal(s->expectations_met, 6);
    for (int i = 0; i < 11; i++) {
        if (s->expectations[i].met != met[i]) print_error("%d: %s\n", i, s->expectations[i].text);
        assert_int_equal(s->expectations[i].met, met[i]);
        assert_int_equal(s->expectations[i].line, 17 + i);
        assert_string_equal(s->expectations[i].file, "scene.yaml");
    }
    check_near(s->expectations[0].value, 10, 1e-9);
    check_near(s->expectations[1].expected, 10, 1e-12);
    check_near(s->expectations[1].within, 1e-9, 1e-20);
    assert_true(isnan(s->expectations[3].expected));
    assert_string_equal(s->expectations[0].source, "by hand");
    assert_non_null(strstr(s->expectations[2].text, "expected 10.5 m within 0.4 m; off by 0.5 m"));
    assert_non_null(strstr(s->expectations[10].text, "mode never happened"));
    assert_int_equal(error.status, FENDER_STATUS_EXPECTATION);
    assert_int_equal(error.count, 5);
    assert_int_equal(error.line, 19);
    assert_string_equal(error.suggestion, "wrong on purpose");
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

typedef struct stop {
    const char *condition;
    double time;
} stop;

static void conditions(void **state)
{
    (void)state;
    /* touch: the first step at whose end they overlap; release: half a period of 0.4056 s later, at a step's end */
    static const stop cases[] = {
        {"{time: 2.5 s}", 2.5},
        {"{time: 2.501 s}", 2.51},
        {"{channel: bodies.veh2.position.x, below: 10.005 m}", 1},
        {"{channel: bodies.veh2.position.x, above: 11 m}", 0},
        {"{begin: [veh1, veh2]}", 5.01},
        {"{begin: [veh2.hull, veh1]}", 5.01},
        {"{end: [veh1.hull, veh2.hull]}", 5.41},
        {"{all: [{begin: [veh1, veh2]}, {time: 5.2 s}]}", 5.2},
        {"{any: [{begin: [veh1, veh2]}, {time: 4 s}]}", 4},
        {"{all: [{any: [{time: 1 s}, {time: 2 s}]}, {time: 3 s}]}", 3},
        {"{all: [{begin: [veh1, veh2]}, {end: [veh1, veh2]}]}", 6}, /* never both */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char more[200];
        static diagnostics f;
        fender_error error = {0};
        fender_scenario *scenario;
        snprintf(more, sizeof more, "run: {until: 6 s, stop_when: %s}\n", cases[i].condition);
        fender_run *run = create(more, NULL, &scenario, &f, &error);
        if (!run) print_error("%s", f.text);
        assert_non_null(run);
        assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
        double end = fender_run_get_summary(run)->end_time;
        if (fabs(end - cases[i].time) > 0.0101) print_error("%s\n", cases[i].condition);
        check_near(end, cases[i].time, strstr(cases[i].condition, "end:") ? 0.0101 : 1e-9);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* Pushed together, they meet again and again. Released means apart: not while they touch a second time. */
static void touching_again(void **state)
{
    (void)state;
    static const char more[] = "world: {depth_limit: none}\n" /* they go deep */
                               "loads: {push: {body: veh2, force: {constant: [-500, 0, 0, N]}}}\n"
                               "run: {until: 15 s, stop_when: {all: [{begin: [veh1, veh2]}, {end: [veh1, veh2]}]}}\n";
    static diagnostics f;
    fender_error error = {0};
    fender_scenario *scenario;
    fender_run *run = create(more, NULL, &scenario, &f, &error);
    assert_non_null(run);
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
    const fender_run_summary *s = fender_run_get_summary(run);
    check_near(s->end_time, 15, 0);
    assert_true(s->episode_count >= 2);
    for (int i = 1; i < s->episode_count; i++) assert_true(s->episodes[i].begin_time > s->episodes[i - 1].end_time);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* A state that overflows ends the run at the last accepted step; the files are as whole as after any end. */
static void not_finite(void **state)
{
    (void)state;
    static const char more[] = "run: {until: 10 s}\n"
                               "record: {log: {file: log.csv, on: steps, channels: [bodies.*.position.x]}}\n"
                               "loads: {blow: {body: veh1, force: {table: {columns: [s, N, N, N], rows: "
                               "[[0,0,0,0],[1,0,0,0],[1.1,1e307,0,0]]}}}}\n";
    static const fender_override light = {"bodies.veh1.mass_properties.mass", "1e-9 kg"};
    static char text[4096];
    fender_env env = fender_env_default();
    fender_error error = {0};
    remove_directory("nan.run");
    snprintf(text, sizeof text, "%s%s", run_scene, more);
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), &light, 1, &error);
    if (!scenario) print_error("%d:%d %s\n", error.line, error.column, error.message);
    assert_non_null(scenario);
    fender_run_def def = {.scenario = scenario, .output_directory = "nan.run"};
    fender_run *run = fender_run_create(&env, &def, &error);
    assert_non_null(run);
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_NOT_FINITE);
    assert_int_equal(error.status, FENDER_STATUS_NOT_FINITE);
    assert_non_null(strstr(error.message, "veh1"));
    const fender_run_summary *s = fender_run_get_summary(run);
    assert_true(s->step_count >= 99 && s->step_count <= 110);
    assert_false(s->interrupted);
    const char *log = read_run_file("nan.run", "log.csv");
    assert_int_equal(count_lines(log), s->step_count + 2);
    check_near(strtod(line_of(log, count_lines(log) - 1), NULL), s->end_time, 0);
    const char *summary = read_run_file("nan.run", "summary.json");
    assert_non_null(strstr(summary, "\"complete\":false"));
    assert_non_null(strstr(summary, "\"ended_by\":\"error\""));
    assert_non_null(strstr(summary, "\"error\":{\"status\":\"a state or force became NaN or infinite\""));
    assert_int_equal(fender_report_write(&env, "nan.run", "nan.html", NULL), FENDER_STATUS_OK);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* ---- interrupts */

typedef struct interrupter {
    fender_run *run;
    int calls, stop_at;
    bool cancel;
    double last_time;
} interrupter;

static bool interrupt(void *ctx, const fender_progress *progress)
{
    interrupter *i = ctx;
    assert_true(progress->time >= i->last_time);
    check_near(progress->until, 1e6, 0);
    i->last_time = progress->time;
    i->calls++;
    if (i->calls < i->stop_at) return true;
    if (i->cancel) fender_run_cancel(i->run);
    return i->cancel;
}

static void interrupted(void **state)
{
    (void)state;
    static const char more[] = "run: {until: 1e6 s}\n"
                               "record: {log: {file: log.csv, every: 50 ms, channels: [bodies.*.position]}}\n"
                               "expect: [{channel: bodies.veh2.position.x, at: end, equals: 1 m, within: 1 m}]\n";
    for (int cancel = 0; cancel < 2; cancel++) {
        diagnostics f = {.text = ""};
        fender_error error = {0};
        fender_env env = fender_env_default();
        interrupter i = {.stop_at = 3, .cancel = cancel};
        env.report = collect_diagnostic;
        env.report_ctx = &f;
        remove_directory("cut.run");
        fender_scenario *scenario = load_scene(&env, more, &error);
        fender_run_def def = {
            .scenario = scenario, .output_directory = "cut.run", .progress = interrupt, .progress_ctx = &i};
        fender_run *run = i.run = fender_run_create(&env, &def, &error);
        assert_non_null(run);
        assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_INTERRUPTED);
        assert_int_equal(error.status, FENDER_STATUS_INTERRUPTED);
        assert_int_equal(i.calls, 3);
        const fender_run_summary *s = fender_run_get_summary(run);
        assert_true(s->interrupted && s->step_count > 0 && s->end_time < 1e6);
        check_near(s->end_time, (double)s->step_count * 0.01, 0);
        assert_false(s->expectations[0].met); /* the end was not reached */
        assert_non_null(strstr(s->expectations[0].text, "not reached"));
        const char *summary = read_run_file("cut.run", "summary.json");
        assert_non_null(strstr(summary, "\"complete\":false"));
        assert_non_null(strstr(summary, "\"interrupted\":true"));
        assert_non_null(strstr(summary, "\"ended_by\":\"interrupt\""));
        const char *log = read_run_file("cut.run", "log.csv");
        assert_int_equal(count_lines(log), 2 + (int)(s->step_count / 5));
        assert_int_equal(log[strlen(log) - 1], '\n');
        const char *replay = read_run_file("cut.run", "replay.csv");
        char last[32];
        snprintf(last, sizeof last, "%.17g,", s->end_time);
        check_near(strtod(line_of(replay, count_lines(replay) - 1), NULL), s->end_time, 0);
        assert_int_equal(fender_report_write(&env, "cut.run", "cut.html", NULL), FENDER_STATUS_OK);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* ---- diagnostics */

typedef struct misplaced {
    const char *more, *mark; /* `mark` is the text that the diagnostic must point at */
    const char *finding;     /* message and remedy, or their beginning */
} misplaced;

static void findings_at_places(void **state)
{
    (void)state;
    static const misplaced cases[] = {
        {"run: {until: 10 s}\nrecord: {log: {file: log.csv, every: 25 ms, channels: [time]}}\n", "25 ms",
         "a period of 25 ms is not a whole number of steps of 10 ms | the nearest are 20 ms and 30 ms"},
        {"run: {until: 10 s}\nrecord: {log: {file: log.csv, every: 1 ms, channels: [time]}}\n", "1 ms",
         "a period of 1 ms is not a whole number of steps of 10 ms | the shortest is 10 ms"},
        {"run: {until: 10 s}\nrecord: {log: {file: log.csv, on: steps, channels: [bodies.veh3.position]}}\n",
         "bodies.veh3", "no body is named 'veh3' | did you mean 'veh1'?"},
        {"run: {until: 10 s}\nrecord: {log: {file: replay.csv, on: steps, channels: [time]}}\n", "replay.csv",
         "the run itself writes a file of this name"},
        {"run: {until: 10 s}\nrecord: {log: {file: a/b.csv, on: steps, channels: [time]}}\n", "a/b.csv",
         "a recording cannot have this file name"},
        {"run: {until: 10 s}\nexpect: [{channel: time, at: end, equals: 10 s, within: -1 ns}]\n", "-1 ns",
         "'within' must be 0 or more"},
        {"run: {until: 1 ms}\n", "1 ms", "the run ends before its first step"},
        {"run: {until: 1e15 s}\n", "1e15 s", "the run would take 1e+17 steps of 10 ms"},
        {"run: {until: 10 s, stop_when: {channel: bodies.veh1.position, above: 1 m}}\n", "bodies.veh1.position",
         "this path has 3 numbers, but one is needed | name one of them, for example bodies.veh1.position.x"},
        {"run: {until: 10 s, stop_when: {channel: bodies.veh1.position.x, above: 1 N}}\n", "1 N", "unit 'N'"},
        {"run: {until: 10 s}\nexpect: [{channel: time, at: 11 s, equals: 11 s, within: 1 s}]\n", "{channel",
         "11 s is outside the run, which lasts from 0 s to 10 s"},
        {"run: {until: 10 s}\nexpect: [{channel: time, at: 1.005 s, equals: 1 s, within: 1 s}]\n", "{channel",
         "1.005 s lies between two steps of 10 ms | the nearest are 1 s and 1.01 s"},
        {"run: {until: 10 s}\nexpect: [{channel: tim, at: end, equals: 1 s, within: 1 s}]\n", "tim,",
         "no section of channels is named 'tim' | did you mean 'time'?"},
        {"run: {until: 10 s}\nexpect: [{event: begin, contact: \"veh1:veh7\", at: 1 s, within: 1 s}]\n",
         "\"veh1:veh7\"", "no body is named 'veh7' | did you mean 'veh1'?"},
        {"run: {until: 10 s}\nexpect: [{event: begin, contact: veh1, at: 1 s, within: 1 s}]\n", "veh1,",
         "this is not a pair"},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static diagnostics f;
        char expected[300];
        fender_error error = {0};
        fender_scenario *scenario;
        const char *at = strstr(cases[i].more, cases[i].mark), *line = cases[i].more;
        int line_number = 1 + count_lines(run_scene);
        for (const char *c = cases[i].more; c < at; c++) {
            if (*c != '\n') continue;
            line = c + 1;
            line_number++;
        }
        snprintf(expected, sizeof expected, "%d:%d %s", line_number, (int)(at - line) + 1, cases[i].finding);
        fender_run *run = create(cases[i].more, "never.run", &scenario, &f, &error);
        bool found = !run && strncmp(f.text, expected, strlen(expected)) == 0 && f.errors == 1 && error.count == 1 &&
                     error.line == line_number && error.column == (int)(at - line) + 1;
        if (!found) print_error("expected %s\nfound    %s", expected, f.text);
        good = good && found;
        assert_int_equal(access("never.run", F_OK), -1);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
    assert_true(good);
}

/* Several diagnostics at once, in the order of their places; a warning beside them does not stop a run by itself. */
static void several_diagnostics(void **state)
{
    (void)state;
    static diagnostics f;
    fender_error error = {0};
    fender_scenario *scenario;
    fender_run *run = create("run: {until: 10.005 s}\n"
                             "record: {log: {file: log.csv, every: 25 ms, channels: [bodies.x.mass]}}\n"
                             "expect: [{channel: tim, at: end, equals: 1 s, within: 1 s}]\n",
                             NULL, &scenario, &f, &error);
    assert_null(run);
    assert_int_equal(f.errors, 3);
    assert_int_equal(f.warnings, 1);
    assert_int_equal(error.count, 3);
    assert_int_equal(error.line, 16);
    assert_true(strncmp(f.text, "15:14 ", 6) == 0);
    assert_true(strstr(f.text, "16:38 ") < strstr(f.text, "16:56 ") &&
                strstr(f.text, "16:56 ") < strstr(f.text, "17:"));
    fender_scenario_destroy(scenario);
    memset(&error, 0, sizeof error);
    run = create("run: {until: 10.005 s}\n", NULL, &scenario, &f, &error);
    assert_non_null(run);
    assert_int_equal(f.warnings, 1);
    assert_non_null(
        strstr(f.text, "the end of the run, 10.005 s, lies between two steps of 10 ms | the run ends at 10 s"));
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
    check_near(fender_run_get_summary(run)->end_time, 10, 0);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* Two thousand frames at most, the first and the last state always among them. */
static void frames(void **state)
{
    (void)state;
    static diagnostics f;
    fender_error error = {0};
    fender_scenario *scenario;
    remove_directory("long.run");
    fender_run *run = create("run: {until: 50.03 s}\n", "long.run", &scenario, &f, &error);
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
    const char *replay = read_run_file("long.run", "replay.csv");
    int rows = count_lines(replay) - 1; /* 5003 steps, every third: 0 ... 5001, and the last */
    assert_int_equal(rows, 1668 + 1);
    check_near(strtod(line_of(replay, 2), NULL), 0.03, 1e-15);
    check_near(strtod(line_of(replay, rows), NULL), 50.03, 0);
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* The main file's text, with what replaced parts of it on top. */
static void scenario_copy(void **state)
{
    (void)state;
    fender_env env = fender_env_default();
    static char text[4096], expected[5000];
    static const fender_override overrides[] = {{"run.until", "0.1 s"}, {"title", "a\n b"}};
    snprintf(text, sizeof text, "%srun: {until: 10 s}\n# the end", run_scene);
    for (int count = 0; count <= 2; count += 2) {
        fender_error error = {0};
        remove_directory("copy.run");
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", text, strlen(text), overrides,
                                                          count, &error);
        assert_non_null(scenario);
        fender_run_def def = {.scenario = scenario, .output_directory = "copy.run"};
        fender_run *run = fender_run_create(&env, &def, &error);
        assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
        snprintf(expected, sizeof expected, "%s%s",
                 count ? "# The run was of the text below with these replacements:\n"
                         "#   --set run.until=0.1 s\n#   --set title=a\\n b\n"
                       : "",
                 text);
        assert_string_equal(read_run_file("copy.run", "scenario.yaml"), expected);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* Names of 63 characters, the longest there may be, stand whole in the summary; pairs are listed nearest first. */
static void long_names_nearest_first(void **state)
{
    (void)state;
    static char text[4096];
    char name[64];
    fender_env env = fender_env_default();
    fender_error error = {0};
    memset(name, 'n', 60);
    snprintf(text, sizeof text,
             "fender: 1\nrun: {until: 0.1 s}\n"
             "contact_types: {t: {law: spring_damper, stiffness: 1 N/m}}\nrules: [{default: t}]\nbodies:\n");
    const double locations[] = {0, 10, 14};
    for (int i = 0; i < 3; i++) {
        size_t used = strlen(text);
        memcpy(name + 60, (char[]){'_', '0', (char)('0' + i), '\0'}, 4); /* 63 characters */
        snprintf(text + used, sizeof text - used,
                 "  %s: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, state: {position: [%d, 0, 0, m]},\n"
                 "    shapes: {%s: {sphere: {radius: 1 m}}}}\n",
                 name, (int)locations[i], name);
    }
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "long.yaml", text, strlen(text), NULL, 0, &error);
    if (!scenario) print_error("%s\n", error.message);
    assert_non_null(scenario);
    fender_run_def def = {.scenario = scenario};
    fender_run *run = fender_run_create(&env, &def, &error);
    assert_non_null(run);
    assert_int_equal(fender_run_execute(run, &error), FENDER_STATUS_OK);
    const fender_run_summary *s = fender_run_get_summary(run);
    assert_int_equal(s->approach_count, 3);
    const double distances[] = {2, 8, 12};
    for (int i = 0; i < 3; i++) {
        check_near(s->approaches[i].distance, distances[i], 1e-12);
        assert_int_equal(strlen(s->approaches[i].contact), 4 * 63 + 3);
        for (int k = 0; k < i; k++) assert_string_not_equal(s->approaches[i].contact, s->approaches[k].contact);
    }
    assert_non_null(strstr(s->approaches[0].contact, "_02"));
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

/* A residual beyond its bound is told with the contact that adds up worst, its law, and what to try; the bound is what
 * the scenario says, or a thousandth of the energy at work for a fixed step. */
static void residual_warning(void **state)
{
    (void)state;
    static const struct {
        const char *more;
        double bound;
        int warnings;
    } cases[] = {{"run: {until: 10 s}\n", 1e-3, 0},
                 {"run: {until: 10 s, residual_bound: 1e-9}\n", 1e-9, 1},
                 {"run: {until: 5.2 s, residual_bound: 1e-9}\n", 1e-9, 1}, /* the contact is still open */
                 {"run: {until: 4 s, residual_bound: 1e-20}\n", 1e-20, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static diagnostics f;
        fender_error error = {0};
        fender_scenario *scenario;
        fender_run *run = create(cases[i].more, NULL, &scenario, &f, &error);
        assert_non_null(run);
        check_near(fender_run_get_summary(run)->residual_bound, cases[i].bound, 0);
        const bool sound = cases[i].warnings == 0;
        assert_int_equal(fender_run_execute(run, &error), sound ? FENDER_STATUS_OK : FENDER_STATUS_RESIDUAL);
        assert_int_equal(f.warnings, cases[i].warnings);
        const fender_run_summary *summary = fender_run_get_summary(run);
        assert_int_equal(summary->verdict, sound ? FENDER_RUN_SOUND : FENDER_RUN_DOUBTFUL);
        assert_int_equal(summary->reason_count, !sound);
        for (int k = 0; k < summary->episode_count; k++) /* no error estimate holds */
            assert_true(isfinite(summary->episodes[k].errors.peak_force) == sound &&
                        isfinite(summary->episodes[k].errors.end_time) == sound);
        assert_true(sound || strstr(error.message, "the energy residual reached"));
        bool named = strstr(f.text, "contact veh1.hull:veh2.hull (law spring_damper): ") &&
                     strstr(f.text, "bound 1e-09") &&
                     strstr(f.text, "integrator.locate_events=true, a shorter integrator.step");
        if (cases[i].warnings && !named) fail_msg("%s", f.text);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* Where patches cannot keep the energy, no shorter step is proposed. */
static void residual_of_patches(void **state)
{
    (void)state;
    static const char *const options[] = {"points: patch", "points: corners", "points: patch"};
    static const char *const shapes[] = {"box: {size: [0.5, 0.4, 0.1, m]}", "box: {size: [0.5, 0.4, 0.1, m]}",
                                         "sphere: {radius: 20 cm}"}; /* on a face: no patch */
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "fender: 1\n"
                 "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
                 "integrator: {method: rk4, step: 1 ms, locate_events: true}\n"
                 "run: {until: 0.5 s, residual_bound: %s}\n"
                 "contact_types:\n"
                 "  t: {%s, normal: {law: soil, frictional_modulus: 4e6 N/m^3, unloading: 2e7 N/m^3}}\n"
                 "rules: [{default: t}]\n"
                 "bodies:\n"
                 "  ground: {motion: fixed, shapes: {p: {box: {size: [9, 9, 2, m]}, position: [0, 0, -1, m]}}}\n"
                 "  a:\n"
                 "    mass_properties: {mass: 20 kg, inertia: [0.3, 0.3, 0.5, kg*m^2]}\n"
                 "    state: {position: [0, 0, 0.3, m], orientation: {quaternion: [0.99, 0.1, 0.07, 0.03]}}\n"
                 "    shapes: {s: {%s}}\n",
                 i == 2 ? "1e-18" : "1e-3", options[i], shapes[i]);
        fender_env quiet = fender_env_default();
        fender_error error = {0};
        fender_scenario *scenario = fender_scenario_parse(&quiet, NULL, "pad.yaml", text, strlen(text), NULL, 0,
                                                          &error);
        if (!scenario) print_error("%s\n", error.message);
        assert_non_null(scenario);
        fender_run_def def = {.scenario = scenario};
        fender_run *run = fender_run_create(&quiet, &def, &error);
        assert_non_null(run);
        const fender_status status = fender_run_execute(run, &error);
        const fender_run_summary *s = fender_run_get_summary(run);
        print_message("%s: %.1e J of %.1e J\n", options[i], s->largest_residual, s->end.scale);
        assert_int_equal(status, i == 1 ? FENDER_STATUS_OK : FENDER_STATUS_RESIDUAL);
        assert_true((s->energy_remedy != NULL) == (i == 0));
        if (i == 0) assert_non_null(strstr(error.suggestion, "points: corners"));
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_run),
        cmocka_unit_test(taken_over),
        cmocka_unit_test(same_hash),
        cmocka_unit_test(expectations),
        cmocka_unit_test(conditions),
        cmocka_unit_test(interrupted),
        cmocka_unit_test(findings_at_places),
        cmocka_unit_test(several_diagnostics),
        cmocka_unit_test(frames),
        cmocka_unit_test(scenario_copy),
        cmocka_unit_test(touching_again),
        cmocka_unit_test(residual_warning),
        cmocka_unit_test(residual_of_patches),
        cmocka_unit_test(not_finite),
        cmocka_unit_test(long_names_nearest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
