/* The run within an FMU: numbers of events and slides since the start, and the verdict on its energy. */
#include "importer.h"
#include "run/run.h"

#include <math.h>

/* ---- what a run knows of the time since its start */

/* The ball slides as it bounces. */
#define SLIDING_SCENE(actions)                                                          \
    "fender: 1\n"                                                                       \
    "world: {gravity: [0, 0, -10, m/s^2]}\n"                                            \
    "integrator: {method: rk4, step: 1 ms, locate_events: true}\n"                      \
    "run: {until: 0.6 s}\n"                                                             \
    "contact_types:\n"                                                                  \
    "  slide: {normal: {law: spring_damper, stiffness: 40 kN/m, damping: 100 N*s/m},\n" \
    "          friction: {law: coulomb, mu: 0.1}}\n"                                    \
    "rules: [{default: slide}]\n"                                                       \
    "bodies:\n"                                                                         \
    "  ground: {motion: fixed, shapes: {plain: {plane: {}}}}\n"                         \
    "  ball:\n"                                                                         \
    "    mass_properties: {mass: 3 kg, inertia: [1, 1, 1, kg*m^2]}\n"                   \
    "    state: {position: [0, 0, 0.51, m], velocity: [2, 0, 0, m/s]}\n"                \
    "    shapes: {s: {sphere: {radius: 0.5 m}}}\n" actions "fmu:\n"                     \
    "  outputs: {begun: events.begin.count, ended: events.end.count, slid: shapes.ball.s.slide"
static const char bouncing[] = SLIDING_SCENE("actions:\n"
                                             "  high: {when: {channel: bodies.ball.position.x, above: 0.3 m}, do: "
                                             "[{emit: ping}]}\n") ", pings: events.ping.count}\n";
static const char sliding[] = SLIDING_SCENE("") "}\n";
enum { SLIDING_BEGUN = 1, SLIDING_ENDED, SLIDING_SLID, SLIDING_PINGS, SLIDING_OUTPUTS = 4 };

static void read_sliding(const fmu *f, void *one, double values[SLIDING_OUTPUTS])
{
    static const uint32_t refs[SLIDING_OUTPUTS] = {SLIDING_BEGUN, SLIDING_ENDED, SLIDING_SLID, SLIDING_PINGS};
    if (f->version == 3)
        assert_int_equal(f->fmi3GetFloat64(one, refs, SLIDING_OUTPUTS, values, SLIDING_OUTPUTS), FMI3_OK);
    else assert_int_equal(f->fmi2GetReal(one, refs, SLIDING_OUTPUTS, values), FMI2_OK);
}

static void begin_sliding(const fmu *f, void *one)
{
    if (f->version == 3) {
        assert_int_equal(f->fmi3EnterInitializationMode(one, false, 0, 0, false, 0), FMI3_OK);
        assert_int_equal(f->fmi3ExitInitializationMode(one), FMI3_OK);
    } else {
        assert_int_equal(f->fmi2EnterInitializationMode(one), FMI2_OK);
        assert_int_equal(f->fmi2ExitInitializationMode(one), FMI2_OK);
    }
}

enum { SLIDING_POINTS = 60 }; /* of communication, 10 ms apart */

/* Outputs at the points behind `from`. */
static void step_sliding(const fmu *f, void *one, int from, double values[][SLIDING_OUTPUTS])
{
    bool event, terminate, early;
    double last;
    for (int i = from; i < SLIDING_POINTS; i++) {
        if (f->version == 3)
            assert_int_equal(f->fmi3DoStep(one, 0.01 * i, 0.01, true, &event, &terminate, &early, &last), FMI3_OK);
        else assert_int_equal(f->fmi2DoStep(one, 0.01 * i, 0.01, 1), FMI2_OK);
        read_sliding(f, one, values[i + 1]);
    }
}

/* What a run says at the same times. */
static void run_sliding(const fender_scenario *scenario, double values[][SLIDING_OUTPUTS])
{
    static const char *const paths[] = {"events.begin.count", "events.end.count", "shapes.ball.s.slide",
                                        "events.ping.count"};
    fender_env env = fender_env_default();
    fender_error error = {0};
    const fender_run_def def = {.scenario = scenario, .accept_residual = true};
    fender_run *run = fender_run_create(&env, &def, &error);
    fender_channel channels[SLIDING_OUTPUTS];
    assert_non_null(run);
    for (int k = 0, count; k < SLIDING_OUTPUTS; k++)
        assert_int_equal(fender_run_channel_find(run, paths[k], &channels[k], 1, &count, &error), FENDER_STATUS_OK);
    for (int i = 0; i <= SLIDING_POINTS; i++) {
        bool more;
        if (i > 0) assert_int_equal(fender_run_advance_to(run, 0.01 * i, &more, &error), FENDER_STATUS_OK);
        for (int k = 0; k < SLIDING_OUTPUTS; k++) values[i][k] = fender_run_channel_read(run, &channels[k]);
    }
    fender_run_destroy(run);
}

/* Numbers of events, emitted ones too, and slides have the bits of a run: also after a state was set back, in an
 * instance that reads the bytes of another's state, and after a reset. */
static void test_counts_and_slides(void **state)
{
    (void)state;
    enum { MIDDLE = 10, ROWS = SLIDING_POINTS + 1 };
    static double wanted[ROWS][SLIDING_OUTPUTS], values[ROWS][SLIDING_OUTPUTS];
    fender_scenario *scenario = parse_scene(bouncing);
    run_sliding(scenario, wanted);
    const double *end = wanted[SLIDING_POINTS], *middle = wanted[MIDDLE];
    assert_true(end[0] == 3 && end[1] == 2 && end[3] == 1);
    assert_true(middle[0] < 3 && middle[3] == 0 && middle[2] > 0 && end[2] > middle[2]);
    for (int version = 2; version <= 3; version++) {
        fmu f;
        fmu_log log = {0};
        fmi2_callbacks callbacks = {log_2, calloc, free, NULL, &log};
        fmu_open(&f, scenario, version, version == 3 ? "sliding3" : "sliding2");
        void *one = version == 3 ? instantiate_3(&f, false, false, &log) : instantiate_2(&f, &callbacks), *saved = NULL;
        void *two = version == 3 ? instantiate_3(&f, false, false, &log) : instantiate_2(&f, &callbacks), *read = NULL;
        size_t size = 0;
        begin_sliding(&f, one);
        read_sliding(&f, one, values[0]);
        step_sliding(&f, one, 0, values);
        assert_memory_equal(values, wanted, sizeof wanted);
        if (version == 3) assert_int_equal(f.fmi3Reset(one), FMI3_OK);
        else assert_int_equal(f.fmi2Reset(one), FMI2_OK);
        begin_sliding(&f, one);
        for (int i = 0; i < MIDDLE; i++) {
            bool event, terminate, early;
            double last;
            if (version == 3)
                assert_int_equal(f.fmi3DoStep(one, 0.01 * i, 0.01, true, &event, &terminate, &early, &last), FMI3_OK);
            else assert_int_equal(f.fmi2DoStep(one, 0.01 * i, 0.01, 1), FMI2_OK);
        }
        read_sliding(&f, one, values[0]);
        assert_memory_equal(values[0], middle, sizeof values[0]);
        uint8_t *bytes;
        if (version == 3) {
            assert_int_equal(f.fmi3GetFMUState(one, &saved), FMI3_OK);
            assert_int_equal(f.fmi3SerializedFMUStateSize(one, saved, &size), FMI3_OK);
            bytes = malloc(size);
            assert_int_equal(f.fmi3SerializeFMUState(one, saved, bytes, size), FMI3_OK);
            assert_int_equal(f.fmi3DeserializeFMUState(two, bytes, size, &read), FMI3_OK);
        } else {
            assert_int_equal(f.fmi2GetFMUstate(one, &saved), FMI2_OK);
            assert_int_equal(f.fmi2SerializedFMUstateSize(one, saved, &size), FMI2_OK);
            bytes = malloc(size);
            assert_int_equal(f.fmi2SerializeFMUstate(one, saved, (char *)bytes, size), FMI2_OK);
            assert_int_equal(f.fmi2DeSerializeFMUstate(two, (char *)bytes, size, &read), FMI2_OK);
        }
        free(bytes);
        for (int pass = 0; pass < 3; pass++) { /* on, again from the state, and in the other instance */
            void *now = pass < 2 ? one : two, *from = pass < 2 ? saved : read;
            if (pass > 0 && version == 3) assert_int_equal(f.fmi3SetFMUState(now, from), FMI3_OK);
            if (pass > 0 && version == 2) assert_int_equal(f.fmi2SetFMUstate(now, from), FMI2_OK);
            read_sliding(&f, now, values[MIDDLE]);
            step_sliding(&f, now, MIDDLE, values);
            assert_memory_equal(values[MIDDLE], middle, (ROWS - MIDDLE) * sizeof values[0]);
        }
        if (version == 3) {
            f.fmi3FreeInstance(one);
            f.fmi3FreeInstance(two);
        } else {
            f.fmi2FreeInstance(one);
            f.fmi2FreeInstance(two);
        }
        fmu_close(&f);
    }
    fender_scenario_destroy(scenario);
}

static void set_sliding_state(const fmu *f, void *one, double time, double height)
{
    double y[13];
    assert_int_equal(f->fmi3GetContinuousStates(one, y, 13), FMI3_OK);
    y[2] = height;
    assert_int_equal(f->fmi3SetTime(one, time), FMI3_OK);
    assert_int_equal(f->fmi3SetContinuousStates(one, y, 13), FMI3_OK);
}

static void check_sliding(const fmu *f, void *one, double begun, double ended, double slid)
{
    assert_true(value_3(f, one, SLIDING_BEGUN) == begun);
    assert_true(value_3(f, one, SLIDING_ENDED) == ended);
    check_near(value_3(f, one, SLIDING_SLID), slid, 1e-15); /* rounding of sums of the size of 0.1 m */
}

/* In model exchange they count what the importer has accepted, and show what a trial would add. */
static void test_counts_of_an_importer(void **state)
{
    (void)state;
    bool event, terminate;
    fmu f;
    fmu_log log = {0};
    void *saved = NULL;
    fender_scenario *scenario = parse_scene(sliding);
    fmu_open(&f, scenario, 3, "sliding");
    void *one = f.fmi3InstantiateModelExchange("one", f.token, f.resources, false, true, &log, log_3);
    assert_non_null(one);
    begin_sliding(&f, one);
    check_sliding(&f, one, 0, 0, 0);
    assert_int_equal(f.fmi3EnterContinuousTimeMode(one), FMI3_OK);
    /* 2 m/s at one of the two states: half the path; the trial is then dropped */
    set_sliding_state(&f, one, 0.02, 0.499);
    check_sliding(&f, one, 1, 0, 0.02);
    set_sliding_state(&f, one, 0.01, 0.505);
    check_sliding(&f, one, 0, 0, 0);
    assert_int_equal(f.fmi3CompletedIntegratorStep(one, true, &event, &terminate), FMI3_OK);
    set_sliding_state(&f, one, 0.02, 0.499);
    assert_int_equal(f.fmi3CompletedIntegratorStep(one, true, &event, &terminate), FMI3_OK);
    check_sliding(&f, one, 1, 0, 0.01);
    assert_int_equal(f.fmi3GetFMUState(one, &saved), FMI3_OK);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) assert_int_equal(f.fmi3SetFMUState(one, saved), FMI3_OK);
        check_sliding(&f, one, 1, 0, 0.01);
        set_sliding_state(&f, one, 0.05, 0.499);
        assert_int_equal(f.fmi3CompletedIntegratorStep(one, true, &event, &terminate), FMI3_OK);
        check_sliding(&f, one, 1, 0, 0.07);
        set_sliding_state(&f, one, 0.06, 0.501);
        assert_int_equal(f.fmi3CompletedIntegratorStep(one, true, &event, &terminate), FMI3_OK);
        check_sliding(&f, one, 1, 1, 0.08);
    }
    assert_int_equal(f.fmi3Reset(one), FMI3_OK);
    begin_sliding(&f, one);
    check_sliding(&f, one, 0, 0, 0);
    f.fmi3FreeInstance(one);
    fmu_close(&f);
    fender_scenario_destroy(scenario);
}

/* ---- verdicts */

/* The ball, whose touch is not located, with another bound, or as a box that stands on a spring. */
static fender_scenario *ball_with(const char *bound, const char *stiffness)
{
    const fender_override others[] = {
        {"integrator.locate_events", "false"},
        {"run.residual_bound", bound},
        {"contact_types.bounce.stiffness", stiffness},
        {"bodies.ball.state.position.z", "0.1 m"},
        {"bodies.ball.shapes.skin", "{box: {size: [0.2, 0.2, 0.2, m]}, material: rubber}"}};
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", ball_scene, strlen(ball_scene), others,
                                                      stiffness ? 5 : 2, &error);
    assert_non_null(scenario);
    return scenario;
}

static fender_run_verdict verdict_of_run(const fender_scenario *scenario, bool *stops)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    const fender_run_def def = {.scenario = scenario};
    char so_far[sizeof((fender_run *)NULL)->reason];
    bool more = true;
    fender_run *run = fnd_run_create(&env, &def, true, &error);
    assert_non_null(run);
    while (more) (void)fender_run_step(run, &more, &error);
    const fender_run_verdict verdict = fnd_run_judge_so_far(run);
    snprintf(so_far, sizeof so_far, "%s", run->reason);
    (void)fender_run_finish(run, &error);
    const fender_run_summary *summary = fender_run_get_summary(run);
    assert_int_equal(summary->verdict, verdict);
    assert_int_equal(summary->reason_count, verdict == FENDER_RUN_SOUND ? 0 : 1);
    assert_string_equal(run->reason, so_far);
    *stops = summary->end_time < 0.399;
    fender_run_destroy(run);
    return verdict;
}

/* Steps of 10 ms to 0.4 s, or until one fails; how many warned and how the last one ended. */
static int step_ball(const fmu *f, void *one, int from, int *warned)
{
    int status = 0;
    *warned = 0;
    for (int i = from; i < 40 && status <= FMI3_WARNING; i++) {
        bool event, terminate, early;
        double last;
        if (f->version == 3) status = (int)f->fmi3DoStep(one, 0.01 * i, 0.01, true, &event, &terminate, &early, &last);
        else status = (int)f->fmi2DoStep(one, 0.01 * i, 0.01, 1);
        *warned += status == FMI3_WARNING;
    }
    return status;
}

/* What a run would tell at its end, an importer is told when it is so: a warning once, or an error where a run stops.
 */
static void check_verdict(int version, const fender_scenario *scenario, fender_run_verdict wanted, bool stops)
{
    bool stopped;
    fmu f;
    fmu_log log = {0};
    fmi2_callbacks callbacks = {log_2, calloc, free, NULL, &log};
    int warned = 0;
    assert_int_equal(verdict_of_run(scenario, &stopped), wanted);
    assert_int_equal(stopped, stops);
    fmu_open(&f, scenario, version, "verdict");
    void *one = version == 3 ? instantiate_3(&f, false, false, &log) : instantiate_2(&f, &callbacks);
    begin_sliding(&f, one);
    const int status = step_ball(&f, one, 0, &warned);
    if (stops) {
        double height = NAN;
        const uint32_t ref = BALL_HEIGHT;
        assert_int_equal(status, FMI3_ERROR);
        assert_non_null(strstr(log.last, "doStep: no result: the energy residual reached "));
        assert_non_null(strstr(log.last, "try a shorter integrator.step"));
        if (version == 3) assert_int_equal(f.fmi3GetFloat64(one, &ref, 1, &height, 1), FMI3_OK);
        else assert_int_equal(f.fmi2GetReal(one, &ref, 1, &height), FMI2_OK);
        assert_true(isfinite(height) != 0);
        assert_int_equal(version == 3 ? (int)f.fmi3Reset(one) : (int)f.fmi2Reset(one), FMI3_OK);
        begin_sliding(&f, one);
        assert_int_equal(step_ball(&f, one, 0, &warned), FMI3_ERROR); /* again */
    } else {
        static const char *const reached[] = {"", "doStep: doubtful: the energy residual reached ",
                                              "doStep: no result: the energy residual reached "};
        static const char *const final[] = {"the energy adds up: sound",
                                            "terminate: doubtful: ", "terminate: no result: "};
        assert_int_equal(status, FMI3_OK);
        assert_true(wanted == FENDER_RUN_NO_RESULT ? warned >= 1 : warned == (int)wanted);
        assert_non_null(strstr(log.verdict, reached[wanted]));
        assert_int_equal(version == 3 ? (int)f.fmi3Terminate(one) : (int)f.fmi2Terminate(one), FMI3_OK);
        assert_non_null(strstr(log.verdict, final[wanted]));
    }
    if (version == 3) f.fmi3FreeInstance(one);
    else f.fmi2FreeInstance(one);
    fmu_close(&f);
}

static void test_verdicts(void **state)
{
    (void)state;
    static const struct {
        const char *bound, *stiffness;
        fender_run_verdict verdict;
        bool stops;
    } cases[] = {{"0.5", NULL, FENDER_RUN_SOUND, false},
                 {"1e-9", NULL, FENDER_RUN_DOUBTFUL, false}, /* a touch within a step costs more */
                 {"1e-3", "5e9 N/m", FENDER_RUN_NO_RESULT, false},
                 {"1e-3", "5e8 N/m", FENDER_RUN_NO_RESULT, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_scenario *scenario = ball_with(cases[i].bound, cases[i].stiffness);
        for (int version = 2; version <= 3; version++)
            check_verdict(version, scenario, cases[i].verdict, cases[i].stops);
        fender_scenario_destroy(scenario);
    }
}

/* A state that is set back has been told what it had been told. */
static void test_verdict_of_a_state(void **state)
{
    (void)state;
    fmu f;
    fmu_log log = {0};
    bool event, terminate, early;
    int warned = 0;
    double last;
    void *before = NULL, *behind = NULL;
    fender_scenario *scenario = ball_with("1e-9", NULL);
    fmu_open(&f, scenario, 3, "verdict");
    void *one = instantiate_3(&f, false, false, &log);
    begin_sliding(&f, one);
    assert_int_equal(f.fmi3DoStep(one, 0, 0.01, false, &event, &terminate, &early, &last), FMI3_OK);
    assert_int_equal(f.fmi3GetFMUState(one, &before), FMI3_OK);
    assert_int_equal(step_ball(&f, one, 1, &warned), FMI3_OK);
    assert_int_equal(warned, 1);
    assert_int_equal(f.fmi3SetFMUState(one, before), FMI3_OK);
    assert_int_equal(f.fmi3DoStep(one, 0.01, 0.29, false, &event, &terminate, &early, &last), FMI3_WARNING);
    assert_int_equal(f.fmi3GetFMUState(one, &behind), FMI3_OK);
    assert_int_equal(f.fmi3SetFMUState(one, before), FMI3_OK);
    assert_int_equal(f.fmi3SetFMUState(one, behind), FMI3_OK);
    assert_int_equal(step_ball(&f, one, 30, &warned), FMI3_OK);
    assert_int_equal(warned, 0);
    f.fmi3FreeInstance(one);
    fmu_close(&f);
    fender_scenario_destroy(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_and_slides),
        cmocka_unit_test(test_counts_of_an_importer),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_verdict_of_a_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
