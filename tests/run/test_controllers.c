/* Controllers of a scenario: the same bits from a library, a host and after a resume; exact sample times by every
 * method; delay, noise, quantisation; the built-in ones against closed forms; failures. */
#include "run_test.h"

#define fender_controller_entry hover_entry
#include "../../samples/plugins/hover.c"
#undef fender_controller_entry

static const char probe[] = "fender: 1\n"
                            "world: {gravity: [0, 0, -1.62, m/s^2]}\n"
                            "integrator: {method: rk4, step: 8 ms}\n"
                            "run: {until: 3 s}\n"
                            "bodies:\n"
                            "  ground: {motion: fixed, shapes: {land: {plane: {}}}}\n"
                            "  probe:\n"
                            "    mass_properties: {mass: 100 kg, inertia: [20, 20, 20, kg*m^2]}\n"
                            "    state: {position: [0, 0, 8, m]}\n"
                            "loads:\n"
                            "  engine: {body: probe, force: {constant: [0, 0, 400, N]}, active: false}\n"
                            "sensors:\n"
                            "  altimeter: {body: probe, direction: [0, 0, -1]}\n"
                            "controllers:\n"
                            "  hover:\n";
static const char inputs[] =
    "    inputs:\n"
    "      height: {channel: sensors.altimeter.range, delay: 30 ms, noise: 1 cm, quantum: 5 mm}\n"
    "      rate: bodies.probe.velocity.z\n"
    "    outputs: {engine: loads.engine.active}\n"
    "    parameters: {target: 10 m, lead: 0.5 s, band: 20 cm}\n"
    "    seed: 7\n"
    "    rate: 50 Hz\n";

typedef struct setting {
    const char *origin, *more;
    const char *directory, *method;
    const fender_host_controller *host;
    bool (*guard)(void *ctx, void (*call)(void *argument), void *argument, char *what, size_t size);
    void *guard_ctx;
} setting;

static diagnostics told;

/* NULL: it could not be made; *why says so. */
static fender_run *make(const setting *s, fender_scenario **scenario, fender_error *why)
{
    char text[8192];
    fender_env env = fender_env_default();
    memset(&told, 0, sizeof told);
    env.report = collect_diagnostic;
    env.report_ctx = &told;
    snprintf(text, sizeof text, "%s%s%s", probe, s->origin, s->more ? s->more : inputs);
    const fender_override method = {"integrator.method", s->method};
    *scenario = fender_scenario_parse(&env, NULL, "probe.yaml", text, strlen(text), &method, s->method ? 1 : 0, why);
    if (!*scenario) return NULL;
    fender_run_def def = {.scenario = *scenario,
                          .output_directory = s->directory,
                          .controllers = s->host,
                          .controller_count = s->host ? 1 : 0,
                          .guard = s->guard,
                          .guard_ctx = s->guard_ctx,
                          .accept_residual = true};
    return fender_run_create(&env, &def, why);
}

static uint64_t run_to_end(const setting *s)
{
    fender_scenario *scenario;
    fender_error why = {0};
    fender_run *run = make(s, &scenario, &why);
    if (!run) print_error("%s\n%s\n", why.message, told.text);
    assert_non_null(run);
    check_ok(fender_run_execute(run, &error));
    uint64_t hash = fender_run_get_summary(run)->hash;
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return hash;
}

static char library[512];

static void one_controller_three_origins(void **state)
{
    (void)state;
    const fender_host_controller host = {"own", hover_entry(), NULL};
    const uint64_t by_library = run_to_end(&(setting){.origin = library});
    const uint64_t by_host = run_to_end(&(setting){.origin = "    host: own\n", .host = &host});
    assert_int_equal(by_library, by_host);
    /* cut short at a time that is no sample, resumed from the checkpoint there */
    const fender_override every = {"run.checkpoint_every", "0.5 s"};
    char text[8192];
    snprintf(text, sizeof text, "%s    host: own\n%s", probe, inputs);
    fender_env env = fender_env_default();
    for (int pass = 0; pass < 2; pass++) {
        fender_error why = {0};
        fender_scenario *scenario = fender_scenario_parse(&env, NULL, "probe.yaml", text, strlen(text), &every, 1,
                                                          &why);
        assert_non_null(scenario);
        fender_run_def def = {.scenario = scenario,
                              .output_directory = "cut.run",
                              .controllers = &host,
                              .controller_count = 1,
                              .resume = pass == 1};
        fender_run *run = fender_run_create(&env, &def, &why);
        assert_non_null(run);
        if (pass == 0) {
            while (fender_world_time(fender_run_world(run)) < 1.7) check_ok(fender_run_step(run, NULL, &error));
            fender_run_cancel(run);
            assert_int_equal(fender_run_step(run, NULL, NULL), FENDER_STATUS_INTERRUPTED);
            assert_int_equal(fender_run_finish(run, NULL), FENDER_STATUS_INTERRUPTED);
        } else {
            check_ok(fender_run_execute(run, &error));
            assert_int_equal(fender_run_get_summary(run)->hash, by_library);
        }
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* A counting controller: notes the times of its updates and what it read. */
typedef struct seen {
    int count;
    double times[512], values[512];
} seen;

static int seen_init(const fender_controller_setup *setup, void **state, char *message)
{
    (void)message;
    *state = setup->user;
    ((seen *)setup->user)->count = 0;
    return 0;
}
static int seen_update(void *state, double time, const double *in, double *out, char *message)
{
    seen *s = state;
    (void)out;
    (void)message;
    s->times[s->count] = time;
    s->values[s->count++] = in[0];
    return 0;
}
static const fender_controller seer = {FENDER_CONTROLLER_HEAD, "seer", seen_init, seen_update, NULL, NULL, NULL};

/* Free fall: z = 8 - 0.81 t^2 at t = 0.013 + k / 50 - delay, whatever the method and its steps. */
static void samples_are_exact(void **state)
{
    (void)state;
    static const char *const methods[] = {"rk4", "semi_implicit_euler", "velocity_verlet", "dopri5", "dop853"};
    for (int m = 0; m < 5; m++) {
        for (int delayed = 0; delayed < 2; delayed++) {
            seen s;
            const fender_host_controller host = {"own", &seer, &s};
            char more[400];
            snprintf(more, sizeof more,
                     "    rate: 50 Hz\n    phase: 13 ms\n    inputs: {time: {channel: time%s}, z: "
                     "bodies.probe.position.z}\n",
                     delayed ? ", delay: 47 ms" : "");
            run_to_end(&(setting){.origin = "    host: own\n", .more = more, .host = &host, .method = methods[m]});
            assert_int_equal(s.count, 150);
            for (int k = 0; k < s.count; k++) {
                const double time = 0.013 + k / 50.0, sampled = delayed ? fmax(time - 0.047, 0) : time;
                check_near(s.times[k], time, 1e-14);
                check_near(s.values[k], sampled, 1e-13);
            }
        }
    }
}

/* 301 samples of a fixed height: the mean, the deviation and the grid of what is read. */
static void noise_and_quanta(void **state)
{
    (void)state;
    static seen s;
    const fender_host_controller host = {"own", &seer, &s};
    char more[400];
    snprintf(more, sizeof more,
             "    rate: 100 Hz\n    inputs: {x: {channel: bodies.ground.position.x, bias: 3 cm, noise: 2 mm, quantum: "
             "0.5 mm}}\n    seed: 3\n");
    run_to_end(&(setting){.origin = "    host: own\n", .more = more, .host = &host});
    assert_int_equal(s.count, 301);
    double sum = 0, squares = 0;
    for (int k = 0; k < s.count; k++) {
        double quanta = s.values[k] / 0.5e-3;
        check_near(quanta, floor(quanta + 0.5), 1e-9);
        sum += s.values[k];
        squares += (s.values[k] - 0.03) * (s.values[k] - 0.03);
    }
    /* four standard errors of the mean and of the deviation */
    check_near(sum / s.count, 0.03, 4 * 2e-3 / sqrt(s.count));
    check_near(sqrt(squares / s.count), sqrt(4e-6 + 0.25e-6 / 12), 4 * 2e-3 / sqrt(2.0 * s.count));
}

static void refused(const char *origin, const char *more, const char *message)
{
    fender_scenario *scenario;
    fender_error why = {0};
    fender_run *run = make(&(setting){.origin = origin, .more = more}, &scenario, &why);
    if (run) print_error("taken: %s%s", origin, more);
    assert_null(run);
    if (!strstr(told.text, message) && !strstr(why.message, message)) print_error("%s\n%s\n", why.message, told.text);
    assert_true(strstr(told.text, message) || strstr(why.message, message));
    fender_scenario_destroy(scenario);
}

static void bad_scenarios(void **state)
{
    (void)state;
    static const char good[] = "    inputs: {z: bodies.probe.position.z, w: bodies.probe.velocity.z}\n"
                               "    outputs: {on: loads.engine.active}\n    rate: 50 Hz\n";
    static const char pd[] = "    pd: {proportional: 1}\n";
    refused("", good, "no origin");
    refused("    host: own\n    pd: {proportional: 1}\n", good, "more than one origin");
    refused("    host: own\n", good, "comes from a host, which has not given it");
    refused("    library: none.so\n", good, "cannot open");
    refused(pd, "    outputs: {on: loads.engine.active}\n    rate: 50 Hz\n", "0 inputs for 1 outputs");
    refused("    pd: {}\n", good, "proportional");
    refused("    pd: {proportional: [1, 2]}\n", good, "proportional");
    refused("    sequence: []\n", good, "no steps");
    refused("    sequence: [{set: {off: 1}}]\n", good, "no output 'off'");
    refused("    sequence: [{set: {on: 1}, until: {input: q, above: 1}}]\n", good, "no input 'q'");
    refused("    sequence: [{set: {on: 1}, until: {input: z}}]\n", good, "above");
    refused("    table: {rows: [[1, 0], [1, 1]]}\n", good, "do not increase");
    refused("    phase_plane: {deadband: 1}\n", good, "level");
    refused("    table: {rows: [[0, 1]]}\n", "    outputs: {push: loads.engine.force}\n    rate: 1 Hz\n",
            "sets one number by each output");
    refused("    pd: {proportional: 1, least: 2, most: 1}\n", good, "'least' is larger than 'most'");
    refused("    phase_plane: {deadband: -1, level: 1}\n", good, "'deadband' is negative");
    refused("    phase_plane: {deadband: 1, hysteresis: 2, level: 1}\n", good, "'hysteresis' is not between");
    refused(
        pd,
        "    inputs: {z: bodies.prob.position.z, w: time}\n    outputs: {on: loads.engine.active}\n    rate: 1 Hz\n",
        "no body is named 'prob'");
    refused(
        pd,
        "    inputs: {z: bodies.probe.position.z, w: time}\n    outputs: {on: loads.engin.active}\n    rate: 1 Hz\n",
        "no load is named 'engin'");
    refused(pd, "    inputs: {z: time, w: time}\n    outputs: {on: loads.engine.active}\n", "no rate");
    refused(pd,
            "    inputs: {z: time, w: time}\n    outputs: {on: loads.engine.active}\n    rate: 1 Hz\n    period: 1 s\n",
            "both a rate and a period");
    refused(pd, "    inputs: {z: time, w: time}\n    outputs: {on: loads.engine.active}\n    rate: 0 Hz\n", "rate");
    refused(pd,
            "    inputs: {z: {channel: time, noise: 1 kg}, w: time}\n    outputs: {on: loads.engine.active}\n    rate: "
            "1 Hz\n",
            "kg");
    refused(pd,
            "    inputs: {z: {channel: time, delay: -1 s}, w: time}\n    outputs: {on: loads.engine.active}\n    rate: "
            "1 Hz\n",
            "delay");
    char wrong[400];
    snprintf(wrong, sizeof wrong, "%s    parameters: {gain: 1}\n", good);
    refused(library, wrong, "it has no parameter 'gain'");
}

/* A copy that counts on its own, and one that is added from outside. */
static void copies(void **state)
{
    (void)state;
    seen s;
    const fender_host_controller host = {"own", &seer, &s};
    fender_env env = fender_env_default();
    char text[4096];
    snprintf(text, sizeof text, "%s    host: own\n    rate: 10 Hz\n    inputs: {z: bodies.probe.position.z}\n", probe);
    const fender_override more[] = {{"controllers.hover.rate", "20 Hz"},
                                    {"controllers.again", "{like: hover, rate: 5 Hz}"}};
    fender_error why = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "probe.yaml", text, strlen(text), more, 2, &why);
    assert_non_null(scenario);
    fender_run_def def = {.scenario = scenario, .controllers = &host, .controller_count = 1};
    fender_run *run = fender_run_create(&env, &def, &why);
    assert_non_null(run);
    check_ok(fender_run_execute(run, &error));
    assert_int_equal(s.count, 61 + 16); /* at 0, 0.05, .. 3 s and at 0, 0.2, .. 3 s: both write to one list */
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
}

static int fail_update(void *state, double time, const double *in, double *out, char *message)
{
    (void)state;
    (void)in;
    if (time < 1) return 0;
    out[0] = NAN;
    if (time < 1.5) return 0;
    snprintf(message, FENDER_CONTROLLER_MESSAGE, "the star tracker is lost");
    return 7;
}

static void failures(void **state)
{
    (void)state;
    static const fender_controller bad = {FENDER_CONTROLLER_HEAD, "bad", NULL, fail_update, NULL, NULL, NULL};
    const fender_host_controller host = {"own", &bad, NULL};
    static const struct {
        const char *more, *message;
    } cases[] = {
        {"    rate: 2 Hz\n    outputs: {on: loads.engine.active}\n", "its output 'on' is not finite"},
        {"    rate: 2 Hz\n    phase: 1.6 s\n    outputs: {on: loads.engine.active}\n", "the star tracker is lost"}};
    for (int i = 0; i < 2; i++) {
        fender_scenario *scenario;
        fender_error why = {0};
        fender_run *run = make(
            &(setting){.origin = "    host: own\n", .more = cases[i].more, .host = &host, .directory = "bad.run"},
            &scenario, &why);
        assert_non_null(run);
        assert_int_equal(fender_run_execute(run, &why), FENDER_STATUS_CONTROLLER);
        assert_non_null(strstr(why.message, cases[i].message));
        assert_string_equal(why.path, "controllers.hover");
        assert_non_null(strstr(why.suggestion, "last_good.fsnap"));
        assert_non_null(strstr(read_run_file("bad.run", "summary.json"), "\"ended_by\":\"error\""));
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* Forty vectors: 120 numbers. */
static void too_many_numbers(void **state)
{
    (void)state;
    const fender_host_controller host = {"own", hover_entry(), NULL};
    char more[4000] = "    rate: 1 Hz\n    outputs: {";
    for (int i = 0; i < 40; i++)
        snprintf(more + strlen(more), sizeof more - strlen(more), "%so%d: loads.engine.force", i > 0 ? ", " : "", i);
    strcat(more, "}\n");
    fender_scenario *scenario;
    fender_error why = {0};
    assert_null(make(&(setting){.origin = "    host: own\n", .more = more, .host = &host}, &scenario, &why));
    assert_non_null(strstr(told.text, "sets more than 64 numbers"));
    fender_scenario_destroy(scenario);
}

static int ended;
static int state_init(const fender_controller_setup *setup, void **state, char *message)
{
    (void)message;
    *state = setup->user;
    return 0;
}
static void state_destroy(void *state)
{
    (void)state;
    ended++;
}

/* One that has refused to go on is destroyed; the guard of a host tells of a crash, and then nothing is called. */
static bool crash_at_one(void *ctx, void (*call)(void *argument), void *argument, char *what, size_t size)
{
    int *calls = ctx;
    if (++*calls == 3) { /* init, update at 0 s */
        snprintf(what, size, "it crashed");
        return false;
    }
    call(argument);
    return true;
}

static void destroyed_once(void **state)
{
    (void)state;
    static const fender_controller f = {FENDER_CONTROLLER_HEAD, "bad", state_init, fail_update, NULL, NULL,
                                        state_destroy};
    static const char more[] = "    rate: 0.6 Hz\n    outputs: {on: loads.engine.active}\n";
    int calls = 0;
    const fender_host_controller host = {"own", &f, &calls};
    for (int crash = 0; crash < 2; crash++) {
        fender_scenario *scenario;
        fender_error why = {0};
        fender_run *run = make(&(setting){.origin = "    host: own\n",
                                          .more = more,
                                          .host = &host,
                                          .guard = crash ? crash_at_one : NULL,
                                          .guard_ctx = &calls},
                               &scenario, &why);
        assert_non_null(run);
        ended = 0;
        assert_int_equal(fender_run_execute(run, &why), FENDER_STATUS_CONTROLLER);
        assert_non_null(strstr(why.message, crash ? "it crashed" : "the star tracker is lost"));
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
        assert_int_equal(ended, crash ? 0 : 1);
    }
}

int main(void)
{
    snprintf(library, sizeof library, "    library: %s/samples/plugins/hover.so\n", FENDER_BUILD_DIR);
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_controller_three_origins),
                                       cmocka_unit_test(samples_are_exact),
                                       cmocka_unit_test(noise_and_quanta),
                                       cmocka_unit_test(bad_scenarios),
                                       cmocka_unit_test(copies),
                                       cmocka_unit_test(failures),
                                       cmocka_unit_test(too_many_numbers),
                                       cmocka_unit_test(destroyed_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
