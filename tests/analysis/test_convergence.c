/* A convergence study through its header, as a program of a user's would make it. */
#include "check.h"
#include <fender/convergence.h>
#include <string.h>

static const char path[] = FENDER_SOURCE_DIR "/samples/scenarios/two_spheres.yaml";

typedef struct watched {
    int runs, progress;
    fender_run *cancelled;
} watched;

static void count_runs(void *ctx, fender_run *run)
{
    watched *w = ctx;
    if (run) w->runs++;
    if (run && w->cancelled == NULL && w->progress < 0) {
        w->cancelled = run;
        fender_run_cancel(run);
    }
}

/* Two elastic spheres, rk4, located events: the order of the method, and a bar that holds. */
static void order_of_rk4(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    const fender_override located[] = {{"integrator.locate_events", "true"}};
    const char *channels[] = {"bodies.veh1.velocity"};
    fender_convergence_def def = fender_convergence_def_default();
    fender_error fault = {0};
    fender_status status;
    watched w = {0};
    def.path = path;
    def.overrides = located;
    def.override_count = 1;
    def.channels = channels;
    def.channel_count = 1;
    def.watch = count_runs;
    def.ctx = &w;
    fender_convergence *c = fender_convergence_run(&env, &def, &status, &fault);
    assert_non_null(c);
    assert_int_equal(status, FENDER_STATUS_OK);
    assert_int_equal(w.runs, 4);
    assert_true(c->levels_run == 4 && c->finest == 3 && c->complete_count == 4 && !c->adaptive && c->ratio == 2);
    int orders = 0, asked = 0;
    for (int i = 0; i < c->result_count; i++) {
        const fender_convergence_result *r = &c->results[i];
        asked += strcmp(r->group, "channels at the end") == 0;
        if (strcmp(r->group, "body veh1 at the end") != 0) continue;
        assert_int_equal(r->refinement.kind, FENDER_REFINEMENT_ASYMPTOTIC);
        assert_true(r->refinement.order > 3.5 && r->refinement.order < 4.5);
        assert_true(fender_convergence_part(r, 3) <= fender_convergence_part(r, 0));
        orders++;
    }
    assert_true(orders == 2 && asked == 3);
    assert_non_null(fender_convergence_worst(c, 0));
    fender_convergence_destroy(c);
}

static void refused(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    fender_convergence_def def = fender_convergence_def_default();
    fender_status status;
    fender_error fault = {0};
    assert_null(fender_convergence_run(&env, &def, &status, &fault)); /* neither path nor loader */
    assert_int_equal(status, FENDER_STATUS_ARGUMENT);
    def.path = path;
    def.level_count = 2;
    assert_null(fender_convergence_run(&env, &def, &status, NULL));
    assert_int_equal(status, FENDER_STATUS_ARGUMENT);
    def = fender_convergence_def_default();
    def.path = "no_such.yaml";
    memset(&fault, 0, sizeof fault);
    assert_null(fender_convergence_run(&env, &def, &status, &fault));
    assert_int_equal(status, FENDER_STATUS_FILE);
    const char *channels[] = {"bodies.nobody.velocity"};
    def.path = path;
    def.channels = channels;
    def.channel_count = 1;
    memset(&fault, 0, sizeof fault);
    assert_null(fender_convergence_run(&env, &def, &status, &fault));
    assert_int_equal(status, FENDER_STATUS_NAME);
    def.size = 1;
    assert_null(fender_convergence_run(&env, &def, &status, NULL));
    assert_int_equal(status, FENDER_STATUS_ARGUMENT);
}

static void interrupted(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    fender_convergence_def def = fender_convergence_def_default();
    fender_status status;
    watched w = {.progress = -1};
    def.path = path;
    def.watch = count_runs;
    def.ctx = &w;
    fender_convergence *c = fender_convergence_run(&env, &def, &status, NULL);
    assert_non_null(c);
    assert_int_equal(status, FENDER_STATUS_INTERRUPTED);
    assert_true(c->levels_run == 1 && c->result_count == 0);
    fender_convergence_destroy(c);
}

/* A sledge on four pads falls, slides and stops; a strut carries a weight on it. */
static const char sledge[] =
    "fender: 1\n"
    "world: {gravity: [0, 0, -10, m/s^2]}\n"
    "integrator: {step: 2 ms, locate_events: true}\n"
    "run: {until: 0.8 s}\n"
    "contact_types:\n"
    "  pad: {normal: {law: smooth_spring_damper, stiffness: 50 kN/m, damping: 1 kN*s/m, transition_width: 4 mm},\n"
    "        friction: {law: coulomb, mu: 0.5, slip_speed: 10 mm/s}}\n"
    "rules: [{default: pad}]\n"
    "bodies:\n"
    "  ground: {motion: fixed, shapes: {land: {plane: {}}}}\n"
    "  sledge:\n"
    "    mass_properties: {mass: 40 kg, inertia: [9, 9, 9]}\n"
    "    points: {top: {}}\n"
    "    shapes: {pad: {sphere: {radius: 0.1 m}, position: [1, 0, 0.1, m], pattern: {count: 4, about: [0, 0, 1]}}}\n"
    "    state: {position: [0, 0, 5, mm], velocity: [1, 0, 0, m/s]}\n"
    "  weight:\n"
    "    mass_properties: {mass: 10 kg, inertia: [1, 1, 1]}\n"
    "    points: {bottom: {}}\n"
    "    state: {position: [0, 0, 285, mm], velocity: [1, 0, 0, m/s]}\n"
    "links:\n"
    "  leg: {between: [sledge.top, weight.bottom], law: strut, free_length: 0.3 m, stiffness: 4 kN/m, stroke: 0.2 m,\n"
    "        stop_stiffness: 100 kN/m, compression_damping: 100, extension_damping: 100}\n";

static fender_scenario *load_sledge(void *ctx, const fender_override *more, int count, fender_error *fault)
{
    const fender_env env = fender_env_default();
    (void)ctx;
    return fender_scenario_parse(&env, NULL, "sledge.yaml", sledge, sizeof sledge - 1, more, count, fault);
}

static fender_scenario *load_nothing(void *ctx, const fender_override *more, int count, fender_error *fault)
{
    (void)ctx;
    (void)more;
    (void)count;
    (void)fault;
    return NULL;
}

static void loader_without_scenario(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    fender_convergence_def def = fender_convergence_def_default();
    fender_status status = FENDER_STATUS_OK;
    fender_error fault = {0};
    def.load = load_nothing;
    fender_convergence *c = fender_convergence_run(&env, &def, &status, &fault);
    assert_int_equal(status, FENDER_STATUS_VALUE);
    assert_non_null(strstr(fault.message, "the loader gave no scenario"));
    fender_convergence_destroy(c);
}

/* Pairs of bodies over all their shapes, links, and channels that only a run can read. */
static void bodies_links_and_slides(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    const char *channels[] = {"shapes.sledge.pad_1.slide"};
    fender_convergence_def def = fender_convergence_def_default();
    fender_status status;
    def.load = load_sledge;
    def.channels = channels;
    def.channel_count = 1;
    def.level_count = 3;
    fender_convergence *c = fender_convergence_run(&env, &def, &status, NULL);
    assert_non_null(c);
    assert_int_equal(status, FENDER_STATUS_OK);
    assert_int_equal(c->finest, 2);
    int bodies = 0, links = 0, slides = 0;
    for (int i = 0; i < c->result_count; i++) {
        const fender_convergence_result *r = &c->results[i];
        const double value = r->sequence.values[2][0], part = fender_convergence_part(r, 2);
        const bool pair = strcmp(r->group, "bodies ground:sledge") == 0, link = strcmp(r->group, "link leg") == 0;
        bodies += pair;
        links += link;
        slides += strcmp(r->name, channels[0]) == 0;
        if (!pair && !link && strcmp(r->name, channels[0]) != 0) continue;
        assert_true(value > 0 && part < 0.05);
        if (pair && strcmp(r->name, "impulse") == 0) check_near(value, 500 * 0.8, 20); /* nearly at rest */
        if (link && strcmp(r->name, "longest") == 0) check_below(value, 0.31);
    }
    assert_int_equal(bodies, 3);
    assert_int_equal(links, 4);
    assert_int_equal(slides, 1);
    fender_convergence_destroy(c);
}

static fender_scenario *load_text(void *ctx, const fender_override *more, int count, fender_error *fault)
{
    const fender_env env = fender_env_default();
    const char *text = ctx;
    return fender_scenario_parse(&env, NULL, "text.yaml", text, strlen(text), more, count, fault);
}

/* A study of a text, with four levels. The text is not written to. */
static fender_convergence *study(const char *text)
{
    const fender_env env = fender_env_default();
    fender_convergence_def def = fender_convergence_def_default();
    fender_status status;
    def.load = load_text;
    def.ctx = (void *)(uintptr_t)text;
    fender_convergence *c = fender_convergence_run(&env, &def, &status, NULL);
    assert_non_null(c);
    assert_int_equal(status, FENDER_STATUS_OK);
    assert_int_equal(c->finest, 3);
    return c;
}

/* One turn of a mass on a spring, x = 1 + cos(2 pi t) / 2: at its end it is where it began, and at rest. */
static const char turn[] =
    "fender: 1\n"
    "integrator: {step: 10 ms}\n"
    "run: {until: 1 s}\n"
    "bodies:\n"
    "  wall: {motion: fixed, points: {a: {}}}\n"
    "  ball:\n"
    "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
    "    points: {b: {}}\n"
    "    state: {position: [1.5, 0, 0, m]}\n"
    "links:\n"
    "  s: {law: spring_damper, between: [wall.a, ball.b], stiffness: 39.47841760435743 N/m, free_length: 1 m}\n"
    "expect:\n"
    "  - {channel: ledger.momentum.drift, at: end, above: -1 N*s}\n";

static void errors_of_a_turn_are_those_of_its_size(void **state)
{
    (void)state;
    fender_convergence *c = study(turn);
    check_near(c->levels[3].path, 1, 1e-5);        /* a point of the grid is half way */
    check_near(c->levels[3].speed, 3.14159, 1e-4); /* and one at each quarter */
    check_near(c->levels[3].momentum, 3.14159, 1e-4);
    /* rk4: the phase falls back by (w h)^4 / 120 of a turn, 8e-7 of the speed; of the path, the square of that */
    check_below(fender_convergence_part(fender_convergence_worst(c, 0), 0), 2e-6);
    assert_int_equal(c->recommended, 0);
    fender_convergence_destroy(c);
}

/* From rest to rest: what rounding leaves of the last velocity is not an error of the method. */
static const char fallen[] = "fender: 1\n"
                             "world: {gravity: [0, 0, -9.81, m/s^2]}\n"
                             "integrator: {step: 1 ms, locate_events: true}\n"
                             "run: {until: 3 s}\n"
                             "contact_types: {c: {law: spring_damper, stiffness: 10 kN/m, damping: 100 N*s/m}}\n"
                             "rules: [{default: c}]\n"
                             "bodies:\n"
                             "  ground: {motion: fixed, shapes: {top: {plane: {}}}}\n"
                             "  ball:\n"
                             "    mass_properties: {mass: 1 kg, inertia: [4e-3, 4e-3, 4e-3]}\n"
                             "    shapes: {hull: {sphere: {radius: 0.1 m}}}\n"
                             "    state: {position: [0, 0, 0.6, m]}\n"
                             "expect:\n"
                             "  - {channel: bodies.ball.velocity.z, at: end, above: -1 m/s}\n";

static void rest_is_as_exact_as_rounding(void **state)
{
    (void)state;
    fender_convergence *c = study(fallen);
    check_below(fender_convergence_part(fender_convergence_worst(c, 0), 0), 1e-5);
    assert_int_equal(c->recommended, 0);
    fender_convergence_destroy(c);
    /* without a fall: m g = k depth, so that nothing moves but by rounding */
    char resting[sizeof fallen];
    memcpy(resting, fallen, sizeof fallen);
    memcpy(strstr(resting, "0, 0, 0.6, m]}"), "0,0,0.099019]}", 14);
    memcpy(strstr(resting, "until: 3 s"), "until: 1 s", 10);
    c = study(resting);
    check_below(c->levels[3].speed, 1e-12);
    check_below(fender_convergence_part(fender_convergence_worst(c, 0), 0), 1e-10);
    assert_int_equal(c->recommended, 0);
    fender_convergence_destroy(c);
}

/* Free flight from 0, 1 m/s, at 3 ms until 0.4 s: levels of shorter steps came nearer to 0.4 s. */
static const char flight[] = "fender: 1\n"
                             "integrator: {step: 3 ms}\n"
                             "run: {until: 0.4 s}\n"
                             "bodies:\n"
                             "  ball:\n"
                             "    mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}\n"
                             "    state: {velocity: [1, 0, 0, m/s]}\n";

static void levels_end_together(void **state)
{
    (void)state;
    fender_convergence *c = study(flight);
    for (int k = 0; k < 4; k++) {
        const fender_run_summary *summary = fender_run_get_summary(c->levels[k].run);
        check_near(summary->end_time, 0.399, 1e-12);
        assert_int_equal(summary->step_count, 133 << k);
    }
    check_below(fender_convergence_part(fender_convergence_worst(c, 0), 0), 1e-10); /* exact in every method */
    fender_convergence_destroy(c);
    char whole[sizeof flight]; /* a multiple of the step is not changed */
    memcpy(whole, flight, sizeof flight);
    memcpy(strstr(whole, "0.4 s"), "0.3 s", 5);
    c = study(whole);
    for (int k = 0; k < 4; k++) assert_true(fender_run_get_summary(c->levels[k].run)->until == 0.3);
    fender_convergence_destroy(c);
}

/* Touch after 0.1 s and 0.3 of a step. */
static const char touch[] = "fender: 1\n"
                            "integrator: {method: semi_implicit_euler, step: 1 ms, locate_events: false}\n"
                            "run: {until: 0.2 s}\n"
                            "contact_types: {c: {law: hunt_crossley, stiffness: 3e5 N/m^1.5}}\n"
                            "rules: [{default: c}]\n"
                            "bodies:\n"
                            "  ground: {motion: fixed, shapes: {top: {plane: {}}}}\n"
                            "  ball:\n"
                            "    mass_properties: {mass: 1 kg, inertia: [4e-3, 4e-3, 4e-3]}\n"
                            "    shapes: {hull: {sphere: {radius: 0.1 m}}}\n"
                            "    state: {position: [0, 0, 0.2003, m], velocity: [0, 0, -1, m/s]}\n";

static int asymptotic(const fender_convergence *c)
{
    int count = 0;
    for (int i = 0; i < c->result_count; i++) count += c->results[i].refinement.kind == FENDER_REFINEMENT_ASYMPTOTIC;
    return count;
}

/* By the law, and whether its touch is located: does a force jump within a step? */
static void jumps_within_steps_have_no_order(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        bool located, jumps;
    } cases[] = {
        {"{law: hunt_crossley, stiffness: 3e5 N/m^1.5}", false, false},
        {"{law: spring_damper, stiffness: 1e4}", false, false}, /* a kink: of second order */
        {"{law: spring_damper, stiffness: 1e4, damping: 9}", false, true},
        {"{law: spring_damper, stiffness: 1e4, damping: 9}", true, false},
        {"{law: pull_off_spring, stiffness: 1e4, pull_off: 2}", false, true}, /* it breaks away */
        {"{law: jeod_spring, stiffness: 1e4, damping: 9}", false, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[2 * sizeof touch];
        const char *at = strstr(touch, "{law:"), *rest = strstr(at, "}\nrules");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - touch), touch, cases[k].law, rest);
        if (cases[k].located) memcpy(strstr(text, "events: false"), "events: true ", 13);
        fender_convergence *c = study(text);
        if (c->jumps != cases[k].jumps) print_message("%s\n", cases[k].law);
        assert_int_equal(c->jumps, cases[k].jumps);
        if (cases[k].jumps) assert_int_equal(asymptotic(c), 0);
        if (cases[k].located) assert_true(asymptotic(c) > 2);
        fender_convergence_destroy(c);
    }
}

/* Lifted off while it attracts: the force jumps at its end alone. */
static void jumps_at_the_end(void **state)
{
    (void)state;
    char text[2 * sizeof touch];
    const char *at = strstr(touch, "{law:"), *rest = strstr(at, "}\nrules");
    snprintf(text, sizeof text, "%.*s{law: jeod_spring, stiffness: 1e4, damping: 9}%s", (int)(at - touch), touch, rest);
    memcpy(strstr(text, "0.2003, m], velocity: [0, 0, -1"), "0.0993, m], velocity: [0, 0, +0", 31);
    fender_convergence *c = study(text);
    assert_true(c->jumps);
    fender_convergence_destroy(c);
    memcpy(strstr(text, "jeod_spring, stiffness: 1e4, damping: 9"), "hunt_crossley, stiffness: 3e5          ", 39);
    c = study(text);
    assert_false(c->jumps);
    fender_convergence_destroy(c);
}

static const char foot[] =
    "fender: 1\nintegrator: {method: rk4, step: 10 ms}\nrun: {until: 3.6 s}\n"
    "contact_types: {grip: {law: SpringContact, K: 1000, B: 10, Z_Limit: 5}}\nrules: [{default: grip}]\nbodies:\n"
    "  wall: {motion: fixed, shapes: {face: {plane: {}}}}\n"
    "  foot: {mass_properties: {mass: 0.2 kg, inertia: [1, 1, 1]}, state: {position: [0, 0, 9.9, mm]}, shapes: "
    "{pad: {sphere: {radius: 10 mm}}}}\n"
    "loads: {pull: {body: foot, axes: world, force: {ramp: {direction: [0, 0, 1], rate: 2.003 N/s, start: 1 s}}}}\n";

static fender_scenario *load_foot(void *ctx, const fender_override *more, int count, fender_error *fault)
{
    const fender_env env = fender_env_default();
    (void)ctx;
    return fender_scenario_parse(&env, NULL, "foot.yaml", foot, sizeof foot - 1, more, count, fault);
}

/* Pushed with 0.1 N and pulled until 5 N part it: the pull is compared, too, and known to the last step's 2 N/s. */
static void pull_of_a_foot(void **state)
{
    (void)state;
    const fender_env env = fender_env_default();
    fender_convergence_def def = fender_convergence_def_default();
    fender_status status;
    def.load = load_foot;
    def.level_count = 3;
    fender_convergence *c = fender_convergence_run(&env, &def, &status, NULL);
    assert_non_null(c);
    assert_int_equal(status, FENDER_STATUS_OK);
    int pulls = 0;
    for (int i = 0; i < c->result_count; i++) {
        const fender_convergence_result *r = &c->results[i];
        if (strcmp(r->name, "peak pull") != 0) continue;
        pulls++;
        assert_string_equal(r->unit, "N");
        for (int k = 0; k < 3; k++) check_near(r->sequence.values[k][0], 5, 2.003 * 10e-3 / (1 << k));
        assert_true(r->sequence.values[0][0] != r->sequence.values[2][0] && fender_convergence_part(r, 0) > 0);
    }
    assert_int_equal(pulls, 1);
    fender_convergence_destroy(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_of_rk4),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(interrupted),
                                       cmocka_unit_test(loader_without_scenario),
                                       cmocka_unit_test(bodies_links_and_slides),
                                       cmocka_unit_test(errors_of_a_turn_are_those_of_its_size),
                                       cmocka_unit_test(rest_is_as_exact_as_rounding),
                                       cmocka_unit_test(levels_end_together),
                                       cmocka_unit_test(jumps_within_steps_have_no_order),
                                       cmocka_unit_test(jumps_at_the_end),
                                       cmocka_unit_test(pull_of_a_foot)};
    return cmocka_run_group_tests_name("convergence", tests, NULL, NULL);
}
