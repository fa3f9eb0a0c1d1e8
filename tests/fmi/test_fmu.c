/* Exported FMUs: every function is there, in legal order they step the scenario with the bits of a run, in illegal
 * order they refuse with words; states, events, parameters, inputs, model exchange. */
#include "importer.h"

#include <math.h>
#include <pthread.h>

static fmu ball2, ball3;
static fender_scenario *ball;

static void set_up_ball(fmu *f, void *one, double mass, double thrust)
{
    const fmi3_reference refs[] = {BALL_MASS, BALL_THRUST};
    const double values[] = {mass, thrust};
    assert_int_equal(f->fmi3SetFloat64(one, refs, 2, values, 2), FMI3_OK);
    assert_int_equal(f->fmi3EnterInitializationMode(one, false, 0, 0, true, 10), FMI3_OK);
    assert_int_equal(f->fmi3ExitInitializationMode(one), FMI3_OK);
}

/* ---- */

static void test_description(void **state)
{
    (void)state;
    const char *d = ball3.description;
    assert_non_null(strstr(d, "modelName=\"A &lt;ball&gt; &amp; the &quot;ground&quot;\""));
    assert_non_null(
        strstr(d, "<Float64 name=\"mass\" valueReference=\"1\" description=\"bodies.ball.mass_properties.mass\" "
                  "causality=\"parameter\" variability=\"fixed\" initial=\"exact\" unit=\"kg\""));
    assert_non_null(strstr(d, "name=\"thrust\" valueReference=\"2\""));
    assert_non_null(strstr(d, "name=\"height\" valueReference=\"3\""));
    assert_non_null(strstr(d, "<Unit name=\"N\"><BaseUnit kg=\"1\" m=\"1\" s=\"-2\"/></Unit>"));
    assert_non_null(strstr(d, "<EventIndicator valueReference="));
    for (int i = 0; i < 3; i++) { /* categories of its log, by their names alone */
        static const char *const categories[] = {"logStatusError", "logStatusWarning", "logEvents", "logAll"};
        char text[80];
        void *one = instantiate_3(&ball3, false, false, NULL);
        snprintf(text, sizeof text, "<Category name=\"%s\"", categories[i]);
        assert_non_null(strstr(d, text));
        assert_int_equal(ball3.fmi3SetDebugLogging(one, true, 1, &categories[i]), FMI3_OK);
        assert_int_equal(ball3.fmi3SetDebugLogging(one, true, 1, &categories[3]), FMI3_ERROR);
        ball3.fmi3FreeInstance(one);
    }
    assert_non_null(strstr(ball2.description, "<Unknown index=\"4\"/>"));
    assert_null(dlsym(ball3.library, "fender_world_step")); /* nothing but FMI is visible */
    assert_null(dlsym(ball3.library, "yaml_parser_parse"));
}

static void test_equals_run(void **state)
{
    (void)state;
    const unsigned long long hash = run_itself(ball);
    assert_true(run_fmu(&ball3, 1e-3, 400) == hash);
    assert_true(run_fmu(&ball2, 1e-3, 400) == hash);
    assert_true(run_fmu(&ball3, 4e-3, 100) == hash); /* several internal steps each */
}

static void test_events(void **state)
{
    (void)state;
    bool event, terminate, early, flags[4], defined;
    double last, next;
    fmu_log log = {0};
    fmu *f = &ball3;
    void *one = instantiate_3(f, true, true, &log);
    assert_non_null(one);
    set_up_ball(f, one, 2, 0);
    assert_int_equal(f->fmi3DoStep(one, 0, 1, true, &event, &terminate, &early, &last), FMI3_ERROR); /* Event Mode */
    assert_int_equal(f->fmi3UpdateDiscreteStates(one, &flags[0], &flags[1], &flags[2], &flags[3], &defined, &next),
                     FMI3_OK);
    assert_int_equal(f->fmi3EnterStepMode(one), FMI3_OK);
    assert_int_equal(f->fmi3DoStep(one, 0, 0.2, true, &event, &terminate, &early, &last), FMI3_OK);
    assert_true(event && early && !terminate);
    check_near(last, sqrt(2 * 0.049 / 9.81), 1e-9); /* it touches after a fall of 49 mm */
    assert_int_equal(f->fmi3EnterEventMode(one), FMI3_OK);
    assert_int_equal(f->fmi3EnterStepMode(one), FMI3_OK);
    assert_int_equal(f->fmi3DoStep(one, last, 0.05, true, &event, &terminate, &early, &last), FMI3_OK);
    assert_true(early); /* it leaves again */
    f->fmi3FreeInstance(one);
}

static void test_parameters_and_inputs(void **state)
{
    (void)state;
    bool event, terminate, early;
    double last, value = 1;
    fmi3_reference ref = BALL_THRUST;
    fmu_log log = {0};
    fmu *f = &ball3;
    void *one = instantiate_3(f, false, false, &log);
    check_near(value_3(f, one, BALL_MASS), 2, 1e-300);
    set_up_ball(f, one, 3, 0);
    check_near(value_3(f, one, BALL_MASS), 3, 0);
    assert_int_equal(f->fmi3DoStep(one, 0, 0.05, true, &event, &terminate, &early, &last), FMI3_OK);
    const double fallen = 0.149 - 0.5 * 9.81 * 0.05 * 0.05;
    check_near(value_3(f, one, BALL_HEIGHT), fallen, 1e-12);
    assert_int_equal(f->fmi3SetFloat64(one, &ref, 1, &value, 1), FMI3_OK);
    assert_int_equal(f->fmi3DoStep(one, 0.05, 0.01, true, &event, &terminate, &early, &last), FMI3_OK);
    const double speed = -9.81 * 0.05, rate = -9.81 + 30.0 / 3;
    check_near(value_3(f, one, BALL_HEIGHT), fallen + speed * 0.01 + 0.5 * rate * 1e-4, 1e-12);
    ref = BALL_MASS;
    assert_int_equal(f->fmi3SetFloat64(one, &ref, 1, &value, 1), FMI3_ERROR); /* too late */
    assert_non_null(strstr(log.last, "after initialization"));
    assert_int_equal(f->fmi3Reset(one), FMI3_OK);
    check_near(value_3(f, one, BALL_MASS), 2, 0);
    f->fmi3FreeInstance(one);
}

static void test_states(void **state)
{
    (void)state;
    bool event, terminate, early;
    double last, heights[2];
    fmu_log log = {0};
    fmu *f = &ball3;
    void *one = instantiate_3(f, false, false, &log), *saved = NULL, *read = NULL;
    set_up_ball(f, one, 2.5, 1);
    assert_int_equal(f->fmi3DoStep(one, 0, 0.11, false, &event, &terminate, &early, &last), FMI3_OK);
    assert_int_equal(f->fmi3GetFMUState(one, &saved), FMI3_OK);
    size_t size = 0;
    assert_int_equal(f->fmi3SerializedFMUStateSize(one, saved, &size), FMI3_OK);
    uint8_t *bytes = malloc(size);
    assert_int_equal(f->fmi3SerializeFMUState(one, saved, bytes, size - 1), FMI3_ERROR);
    assert_int_equal(f->fmi3SerializeFMUState(one, saved, bytes, size), FMI3_OK);
    for (int i = 0; i < 2; i++) {
        if (i == 1) assert_int_equal(f->fmi3SetFMUState(one, saved), FMI3_OK);
        assert_int_equal(f->fmi3DoStep(one, 0.11, 0.2, false, &event, &terminate, &early, &last), FMI3_OK);
        heights[i] = value_3(f, one, BALL_HEIGHT);
    }
    assert_memory_equal(&heights[0], &heights[1], sizeof(double));
    /* another instance, with other parameters, takes the bytes */
    void *two = instantiate_3(f, false, false, &log);
    assert_int_equal(f->fmi3DeserializeFMUState(two, bytes, size, &read), FMI3_OK);
    assert_int_equal(f->fmi3SetFMUState(two, saved), FMI3_ERROR); /* not its own */
    assert_int_equal(f->fmi3SetFMUState(two, read), FMI3_OK);
    assert_int_equal(f->fmi3DoStep(two, 0.11, 0.2, false, &event, &terminate, &early, &last), FMI3_OK);
    heights[1] = value_3(f, two, BALL_HEIGHT);
    assert_memory_equal(&heights[0], &heights[1], sizeof(double));
    bytes[size / 2] ^= 1;
    assert_int_equal(f->fmi3DeserializeFMUState(two, bytes, size, &read), FMI3_ERROR);
    assert_non_null(strstr(log.last, "damaged"));
    assert_int_equal(f->fmi3FreeFMUState(one, &saved), FMI3_OK);
    assert_null(saved);
    free(bytes);
    f->fmi3FreeInstance(one);
    f->fmi3FreeInstance(two);
}

/* The importer integrates: classical Runge-Kutta on the FMU's states. Free fall with a thrust is exact. */
static void test_model_exchange(void **state)
{
    (void)state;
    enum { STATES = 13 };
    fmu_log log = {0};
    fmu *f = &ball3;
    size_t states = 0, indicators = 0;
    double y[STATES], k[4][STATES], trial[STATES], gap, h = 0.01;
    bool event, terminate, flags[4], defined;
    void *one = f->fmi3InstantiateModelExchange("one", f->token, f->resources, false, true, &log, log_3);
    assert_non_null(one);
    assert_int_equal(f->fmi3GetNumberOfContinuousStates(one, &states), FMI3_OK);
    assert_int_equal(f->fmi3GetNumberOfEventIndicators(one, &indicators), FMI3_OK);
    assert_int_equal(states, STATES);
    assert_int_equal(indicators, 1);
    set_up_ball(f, one, 4, 1);
    assert_int_equal(f->fmi3UpdateDiscreteStates(one, &flags[0], &flags[1], &flags[2], &flags[3], &defined, &gap),
                     FMI3_OK);
    assert_int_equal(f->fmi3EnterContinuousTimeMode(one), FMI3_OK);
    assert_int_equal(f->fmi3DoStep(one, 0, 1, true, &event, &terminate, &event, &gap), FMI3_ERROR);
    for (int step = 0; step < 5; step++) {
        assert_int_equal(f->fmi3GetContinuousStates(one, y, STATES), FMI3_OK);
        for (int stage = 0; stage < 4; stage++) {
            static const double at[] = {0, 0.5, 0.5, 1};
            for (int i = 0; i < STATES; i++) trial[i] = y[i] + (stage ? at[stage] * h * k[stage - 1][i] : 0);
            assert_int_equal(f->fmi3SetTime(one, (step + at[stage]) * h), FMI3_OK);
            assert_int_equal(f->fmi3SetContinuousStates(one, trial, STATES), FMI3_OK);
            assert_int_equal(f->fmi3GetContinuousStateDerivatives(one, k[stage], STATES), FMI3_OK);
        }
        for (int i = 0; i < STATES; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        assert_int_equal(f->fmi3SetTime(one, (step + 1) * h), FMI3_OK);
        assert_int_equal(f->fmi3SetContinuousStates(one, y, STATES), FMI3_OK);
        const double time = (step + 1) * h, fall = 0.149 - 0.5 * (9.81 - 30.0 / 4) * time * time;
        assert_int_equal(f->fmi3GetEventIndicators(one, &gap, 1), FMI3_OK);
        check_near(gap, fall - 0.1, 1e-12);
        check_near(value_3(f, one, BALL_HEIGHT), fall, 1e-12); /* of the trial */
        assert_int_equal(f->fmi3CompletedIntegratorStep(one, true, &event, &terminate), FMI3_OK);
        assert_false(event || terminate);
        check_near(value_3(f, one, BALL_HEIGHT), fall, 1e-12);
        check_near(value_3(f, one, BALL_TIME), time, 1e-15);
    }
    /* into the ground: the contact begins, and that is an event */
    y[2] = 0.0995;
    assert_int_equal(f->fmi3SetTime(one, 0.06), FMI3_OK);
    assert_int_equal(f->fmi3SetContinuousStates(one, y, STATES), FMI3_OK);
    assert_int_equal(f->fmi3GetEventIndicators(one, &gap, 1), FMI3_OK);
    check_near(gap, -0.0005, 1e-12);
    assert_int_equal(f->fmi3CompletedIntegratorStep(one, true, &event, &terminate), FMI3_OK);
    assert_true(event);
    assert_int_equal(f->fmi3EnterEventMode(one), FMI3_OK);
    assert_true(value_3(f, one, BALL_FORCE) > 9);
    f->fmi3FreeInstance(one);
}

/* Actions act, also at the start and after a state was set back; an action that stops ends the simulation. */
static void test_actions(void **state)
{
    (void)state;
    static char text[sizeof ball_scene + 400];
    snprintf(text, sizeof text,
             "%sactions:\n"
             "  begin: {when: {time: 0 s}, do: [{set: {loads.push.active: true}}]}\n"
             "  touch: {when: {begin: [ball, ground]}, do: [{set: {loads.push.active: false}}, {emit: touched}]}\n"
             "  end: {when: {all: [{time: 0.5 s}, {channel: bodies.ball.velocity.z, above: 0 m/s}]}, do: [stop]}\n",
             ball_scene);
    char *until = strstr(text, "until: 0.4 s"), *push = strstr(text, "[0, 0, 30, N]");
    memcpy(until, "until: 0.9 s", 12);
    memcpy(push, "[0, 0, 05, N]", 13);
    fender_scenario *scenario = parse_scene(text);
    const unsigned long long hash = run_itself(scenario);
    for (int version = 2; version <= 3; version++) {
        fmu f;
        fmu_log log = {0};
        fmi2_callbacks callbacks = {log_2, calloc, free, NULL, &log};
        bool event = false, terminate = false, early = false;
        double time = 0, last = 0;
        int flag = 0;
        void *saved = NULL;
        fmu_open(&f, scenario, version, version == 3 ? "actions3" : "actions2");
        if (version == 3) {
            assert_null(strstr(f.description, "<ModelExchange"));
            assert_null(f.fmi3InstantiateModelExchange("one", f.token, f.resources, false, true, &log, log_3));
        }
        void *one = version == 3 ? instantiate_3(&f, false, false, &log) : instantiate_2(&f, &callbacks);
        assert_non_null(one);
        if (version == 3) {
            assert_int_equal(f.fmi3EnterInitializationMode(one, false, 0, 0, false, 0), FMI3_OK);
            assert_int_equal(f.fmi3GetFMUState(one, &saved), FMI3_OK);
        } else {
            assert_int_equal(f.fmi2EnterInitializationMode(one), FMI2_OK);
            assert_int_equal(f.fmi2GetFMUstate(one, &saved), FMI2_OK);
        }
        for (int pass = 0; pass < 2; pass++) { /* from before the start, then from the middle */
            time = pass == 0 ? 0 : 0.3;
            if (pass == 0 && version == 3) assert_int_equal(f.fmi3ExitInitializationMode(one), FMI3_OK);
            if (pass == 0 && version == 2) assert_int_equal(f.fmi2ExitInitializationMode(one), FMI2_OK);
            for (terminate = false; !terminate && time < 2; time += 0.01) {
                if (pass == 0 && fabs(time - 0.3) < 1e-9) {
                    if (version == 3) assert_int_equal(f.fmi3GetFMUState(one, &saved), FMI3_OK);
                    else assert_int_equal(f.fmi2GetFMUstate(one, &saved), FMI2_OK);
                }
                if (version == 3) {
                    assert_int_equal(f.fmi3DoStep(one, time, 0.01, true, &event, &terminate, &early, &last), FMI3_OK);
                    continue;
                }
                const fmi2_status status = f.fmi2DoStep(one, time, 0.01, 1);
                assert_true(status == FMI2_OK || status == FMI2_DISCARD);
                assert_int_equal(f.fmi2GetBooleanStatus(one, FMI2_TERMINATED, &flag), FMI2_OK);
                terminate = flag != 0;
            }
            assert_true(terminate && time > 0.5 && time < 0.9);
            if (pass == 1) break;
            assert_int_equal(version == 3 ? (int)f.fmi3DoStep(one, time, 0.01, true, &event, &terminate, &early, &last)
                                          : (int)f.fmi2DoStep(one, time, 0.01, 1),
                             FMI3_ERROR); /* it has ended */
            if (version == 3) assert_int_equal(f.fmi3SetFMUState(one, saved), FMI3_OK);
            else assert_int_equal(f.fmi2SetFMUstate(one, saved), FMI2_OK);
        }
        if (version == 3) {
            assert_int_equal(f.fmi3Terminate(one), FMI3_OK);
            f.fmi3FreeInstance(one);
        } else {
            assert_int_equal(f.fmi2Terminate(one), FMI2_OK);
            f.fmi2FreeInstance(one);
        }
        assert_true(log.hash == hash);
        fmu_close(&f);
    }
    fender_scenario_destroy(scenario);
}

static void begin_at(const fmu *f, void *one, double start)
{
    assert_int_equal(f->fmi3EnterInitializationMode(one, false, 0, start, false, 0), FMI3_OK);
    assert_int_equal(f->fmi3ExitInitializationMode(one), FMI3_OK);
}

/* A force on 2 kg for 1 s. Its start value of 3 N follows a parameter; what is set before or after that is set, too. */
static void test_input_of_parameter(void **state)
{
    (void)state;
    enum { FORCE = 2, SPEED };
    static const struct {
        bool before, after; /* 3 N is set: before the initialization, after it */
        double force;
    } cases[] = {{false, false, 5}, {true, false, 3}, {false, true, 3}};
    fmu f;
    fmu_log log = {0};
    bool event, terminate, early;
    double last;
    fender_scenario *scenario = parse_scene("fender: 1\n"
                                            "integrator: {method: rk4, step: 10 ms}\n"
                                            "run: {until: 1 s}\n"
                                            "parameters: {push: 3 N}\n"
                                            "bodies: {b: {mass_properties: {mass: 2 kg, inertia: [1, 1, 1]}}}\n"
                                            "loads: {j: {body: b, force: {constant: [$push, 0, 0]}}}\n"
                                            "fmu: {parameters: {push: parameters.push},\n"
                                            "      inputs: {force: loads.j.force.x},\n"
                                            "      outputs: {speed: bodies.b.velocity.x}}\n");
    fmu_open(&f, scenario, 3, "push3");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fmi3_reference refs[] = {FORCE, 1};
        const double values[] = {3, 5};
        void *one = instantiate_3(&f, false, false, &log);
        assert_non_null(one);
        assert_int_equal(f.fmi3SetFloat64(one, refs + !cases[i].before, 1 + cases[i].before, values + !cases[i].before,
                                          1 + cases[i].before),
                         FMI3_OK);
        begin_at(&f, one, 0);
        check_near(value_3(&f, one, FORCE), cases[i].before ? 3 : 5, 0);
        if (cases[i].after) assert_int_equal(f.fmi3SetFloat64(one, refs, 1, values, 1), FMI3_OK);
        assert_int_equal(f.fmi3DoStep(one, 0, 1, true, &event, &terminate, &early, &last), FMI3_OK);
        check_near(value_3(&f, one, FORCE), cases[i].force, 0);
        check_near(value_3(&f, one, SPEED), cases[i].force / 2, 1e-12);
        f.fmi3FreeInstance(one);
    }
    fmu_close(&f);
    fender_scenario_destroy(scenario);
}

/* Two of 100 kg and 10 kg at 1 m/s weld at touch: the states become those of one body. A third is the last of all. */
static const char weld_scene[] = "fender: 1\n"
                                 "integrator: {method: rk4, step: 1 ms}\n"
                                 "run: {until: 1 s}\n"
                                 "contact_types: {grip: {law: capture, stiffness: 10 kN/m, connection: weld}}\n"
                                 "rules: [{default: grip}]\n"
                                 "bodies:\n"
                                 "  vehicle:\n"
                                 "    mass_properties: {mass: 100 kg, inertia: [10, 10, 10, kg*m^2]}\n"
                                 "    shapes: {ring: {sphere: {radius: 10 cm}}}\n"
                                 "  chaser:\n"
                                 "    mass_properties: {mass: 10 kg, inertia: [1, 1, 1, kg*m^2]}\n"
                                 "    shapes: {ball: {sphere: {radius: 10 cm}}}\n"
                                 "    state: {position: [0.5, 0, 0, m], velocity: [-1, 0, 0, m/s]}\n"
                                 "  third:\n"
                                 "    mass_properties: {mass: 3 kg, inertia: [1, 1, 1, kg*m^2]}\n"
                                 "    state: {position: [0, 5, 0, m], velocity: [0, 1, 0, m/s]}\n"
                                 "fmu: {outputs: {speed: bodies.vehicle.velocity.x}}\n";
enum { WELD_SPEED = 1 };

/* Steps until 1 s; the welded bodies then have the momentum of the chaser. */
static void step_weld(const fmu *f, void *one, double time)
{
    bool event, terminate, early;
    double last;
    assert_int_equal(f->fmi3DoStep(one, time, 1 - time, false, &event, &terminate, &early, &last), FMI3_OK);
    check_near(value_3(f, one, WELD_SPEED), -10.0 / 110, 1e-12);
}

static void test_weld(void **state)
{
    (void)state;
    fmu f;
    fmu_log log = {0};
    fender_scenario *scenario = parse_scene(weld_scene);
    fmu_open(&f, scenario, 3, "weld3");
    assert_null(strstr(f.description, "<ModelExchange"));
    assert_null(f.fmi3InstantiateModelExchange("one", f.token, f.resources, false, true, &log, log_3));
    assert_non_null(strstr(log.last, "weld"));
    /* after a weld: another run, and the state of one that began at another time */
    void *one = instantiate_3(&f, false, false, &log), *two = instantiate_3(&f, false, false, &log);
    void *saved = NULL, *early = NULL;
    assert_true(one && two);
    begin_at(&f, one, 0);
    begin_at(&f, two, 0.5);
    size_t size = 0;
    assert_int_equal(f.fmi3GetFMUState(two, &saved), FMI3_OK);
    assert_int_equal(f.fmi3SerializedFMUStateSize(two, saved, &size), FMI3_OK);
    uint8_t *bytes = malloc(size);
    assert_int_equal(f.fmi3SerializeFMUState(two, saved, bytes, size), FMI3_OK);
    step_weld(&f, one, 0);
    assert_int_equal(f.fmi3DeserializeFMUState(one, bytes, size, &early), FMI3_OK);
    assert_int_equal(f.fmi3SetFMUState(one, early), FMI3_OK);
    step_weld(&f, one, 0.5);
    assert_int_equal(f.fmi3Reset(one), FMI3_OK);
    begin_at(&f, one, 0);
    step_weld(&f, one, 0);
    free(bytes);
    f.fmi3FreeInstance(one);
    f.fmi3FreeInstance(two);
    fmu_close(&f);
    fender_scenario_destroy(scenario);
}

/* ---- refusals */

static void test_refusals_3(void **state)
{
    (void)state;
    fmu_log log = {0};
    fmu *f = &ball3;
    bool event, terminate, early;
    double last, value = 0;
    fmi3_reference ref = 99;
    assert_null(f->fmi3InstantiateCoSimulation("one", "wrong", f->resources, false, true, false, false, NULL, 0, &log,
                                               log_3, NULL));
    assert_non_null(strstr(log.last, "token"));
    assert_null(f->fmi3InstantiateCoSimulation("one", f->token, "/nowhere", false, true, false, false, NULL, 0, &log,
                                               log_3, NULL));
    assert_null(f->fmi3InstantiateCoSimulation(NULL, NULL, NULL, false, true, false, false, NULL, 0, NULL, NULL, NULL));
    assert_null(f->fmi3InstantiateScheduledExecution("one", f->token, f->resources, false, true, &log, log_3, NULL,
                                                     NULL, NULL));
    void *one = instantiate_3(f, false, false, &log);
    assert_non_null(one);
    log.count = 0;
    assert_int_equal(f->fmi3DoStep(one, 0, 1, true, &event, &terminate, &early, &last), FMI3_ERROR);
    assert_non_null(strstr(log.last, "may not be called in the state Instantiated"));
    assert_int_equal(f->fmi3ExitInitializationMode(one), FMI3_ERROR);
    assert_int_equal(f->fmi3Terminate(one), FMI3_ERROR);
    assert_int_equal(f->fmi3GetFloat64(one, &ref, 1, &value, 1), FMI3_ERROR);
    ref = BALL_HEIGHT;
    assert_int_equal(f->fmi3SetFloat64(one, &ref, 1, &value, 1), FMI3_ERROR);
    assert_int_equal(f->fmi3EnterInitializationMode(one, false, 0, 1, true, 0.5), FMI3_ERROR);
    assert_int_equal(log.count, 6); /* each says why */
    set_up_ball(f, one, 2, 0);
    assert_int_equal(f->fmi3EnterEventMode(one), FMI3_ERROR); /* made without */
    assert_int_equal(f->fmi3DoStep(one, 0.5, 0.1, true, &event, &terminate, &early, &last), FMI3_ERROR);
    assert_int_equal(f->fmi3DoStep(one, 0, -0.1, true, &event, &terminate, &early, &last), FMI3_ERROR);
    assert_int_equal(f->fmi3DoStep(one, 0, 11, true, &event, &terminate, &early, &last), FMI3_ERROR); /* stop time */
    assert_int_equal(f->fmi3DoStep(one, 0, 0.1, true, NULL, NULL, NULL, NULL), FMI3_ERROR);
    assert_int_equal(f->fmi3GetDirectionalDerivative(one, &ref, 1, &ref, 1, &value, 1, &value, 1), FMI3_ERROR);
    assert_int_equal(f->fmi3GetInt32(one, &ref, 1, NULL, 1), FMI3_ERROR);
    assert_int_equal(f->fmi3GetInt32(one, NULL, 0, NULL, 0), FMI3_OK);
    assert_int_equal(f->fmi3DoStep(one, 0, 0.1, true, &event, &terminate, &early, &last), FMI3_OK);
    assert_int_equal(f->fmi3DoStep(NULL, 0, 0.1, true, &event, &terminate, &early, &last), FMI3_ERROR);
    f->fmi3FreeInstance(one);
    f->fmi3FreeInstance(NULL);
}

static void test_refusals_2(void **state)
{
    (void)state;
    fmu_log log = {0};
    fmi2_callbacks callbacks = {log_2, calloc, free, NULL, &log};
    fmu *f = &ball2;
    fmi2_reference ref = BALL_THRUST;
    fmi2_status status;
    double value = 1;
    int flag;
    assert_string_equal(f->fmi2GetVersion(), "2.0");
    assert_string_equal(f->fmi2GetTypesPlatform(), "default");
    assert_null(f->fmi2Instantiate("one", FMI2_MODEL_EXCHANGE, f->token, f->uri, &callbacks, 0, 1));
    assert_null(f->fmi2Instantiate("one", FMI2_CO_SIMULATION, f->token, f->uri, NULL, 0, 1));
    void *one = instantiate_2(f, &callbacks);
    assert_non_null(one);
    assert_int_equal(f->fmi2DoStep(one, 0, 0.1, 1), FMI2_ERROR);
    assert_int_equal(f->fmi2EnterInitializationMode(one), FMI2_OK);
    assert_int_equal(f->fmi2SetupExperiment(one, 0, 0, 0, 0, 0), FMI2_ERROR);
    assert_int_equal(f->fmi2SetReal(one, &ref, 1, &value), FMI2_OK);
    assert_int_equal(f->fmi2ExitInitializationMode(one), FMI2_OK);
    assert_int_equal(f->fmi2NewDiscreteStates(one, NULL), FMI2_ERROR);
    assert_int_equal(f->fmi2GetStatus(one, FMI2_DO_STEP_STATUS, &status), FMI2_ERROR);
    assert_int_equal(f->fmi2DoStep(one, 0, 0.05, 1), FMI2_OK);
    assert_int_equal(f->fmi2GetRealStatus(one, FMI2_LAST_SUCCESSFUL_TIME, &value), FMI2_OK);
    check_near(value, 0.05, 0);
    assert_int_equal(f->fmi2GetBooleanStatus(one, FMI2_TERMINATED, &flag), FMI2_OK);
    assert_int_equal(f->fmi2Reset(one), FMI2_OK);
    f->fmi2FreeInstance(one);
}

/* Plug-ins cannot be taken along; what is unknown is told with its place. */
static void test_refused_export(void **state)
{
    (void)state;
    static char text[sizeof ball_scene + 100];
    fender_env env = fender_env_default();
    fender_error error = {0};
    strcpy(text, ball_scene);
    char *height = strstr(text, "height: bodies.ball.position.z");
    memcpy(height + strlen("height: bodies."), "bull", 4);
    fender_scenario *scenario = parse_scene(text);
    fender_fmu_def def = {scenario, 3, EXPORT_LIBRARY};
    assert_int_equal(fender_export_fmu(&env, &def, "no.fmu", NULL, &error), FENDER_STATUS_NAME);
    assert_non_null(strstr(error.suggestion, "ball"));
    assert_int_equal(error.line, 21);
    assert_int_equal(access("no.fmu", F_OK), -1);
    def.version = 1;
    assert_int_equal(fender_export_fmu(&env, &def, "no.fmu", NULL, NULL), FENDER_STATUS_ARGUMENT);
    fender_scenario_destroy(scenario);
    def = (fender_fmu_def){ball, 3, "ball3/modelDescription.xml"};
    error = (fender_error){0};
    assert_int_equal(fender_export_fmu(&env, &def, "no.fmu", NULL, &error), FENDER_STATUS_FILE);
    assert_string_equal(error.message, "this file is not the FMU binary of this version of Fender");
    assert_int_equal(access("no.fmu", F_OK), -1);
}

/* A run checks the section, so that `fender check` tells what an export would refuse. */
static void test_checked_section(void **state)
{
    (void)state;
    static const struct {
        const char *path, *value, *message;
    } cases[] = {{"fmu.outputs.more", "bodies.bull.position.z", "no body is named 'bull'"},
                 {"fmu.outputs.more", "events.pong.count", "no event is named 'pong'"},
                 {"fmu.inputs.more", "loads.pull.active", "no load is named 'pull'"},
                 {"fmu.inputs.more", "bodies.ball.attitude", "'attitude' is no command of it"},
                 {"fmu.parameters.more", "title", "a parameter of an FMU is a number"}};
    fender_env env = fender_env_default();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fender_error error = {0};
        const fender_override one = {cases[i].path, cases[i].value};
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "scene.yaml", ball_scene, strlen(ball_scene),
                                                          &one, 1, &error);
        if (scenario) {
            const fender_run_def def = {.scenario = scenario};
            assert_null(fender_run_create(&env, &def, &error));
        }
        assert_string_equal(error.message, cases[i].message);
        assert_string_equal(error.source, "--set");
        assert_int_equal(error.column, strlen(cases[i].path) + 2);
        fender_scenario_destroy(scenario);
    }
}

/* ---- independence */

static void *run_in_thread(void *result)
{
    unsigned long long *hash = result;
    *hash = run_fmu(&ball3, 1e-3, 400);
    return NULL;
}

static void test_two_threads(void **state)
{
    (void)state;
    unsigned long long hashes[2] = {0, 0};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, run_in_thread, &hashes[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert_true(hashes[0] == hashes[1] && hashes[0] == run_itself(ball));
}

static int open_both(void **state)
{
    (void)state;
    ball = parse_scene(ball_scene);
    fmu_open(&ball3, ball, 3, "ball3");
    fmu_open(&ball2, ball, 2, "ball2");
    return 0;
}

static int close_both(void **state)
{
    (void)state;
    fmu_close(&ball3);
    fmu_close(&ball2);
    fender_scenario_destroy(ball);
    return 0;
}

/* usage: test_fmi_fmu [TEST] */
int main(int argument_count, char **arguments)
{
    if (argument_count > 1) cmocka_set_test_filter(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_description),    cmocka_unit_test(test_equals_run),
        cmocka_unit_test(test_events),         cmocka_unit_test(test_parameters_and_inputs),
        cmocka_unit_test(test_states),         cmocka_unit_test(test_model_exchange),
        cmocka_unit_test(test_refusals_3),     cmocka_unit_test(test_refusals_2),
        cmocka_unit_test(test_refused_export), cmocka_unit_test(test_checked_section),
        cmocka_unit_test(test_two_threads),    cmocka_unit_test(test_actions),
        cmocka_unit_test(test_weld),           cmocka_unit_test(test_input_of_parameter),
    };
    return cmocka_run_group_tests(tests, open_both, close_both);
}
