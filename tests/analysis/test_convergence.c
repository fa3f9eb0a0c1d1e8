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
                                       cmocka_unit_test(pull_of_a_foot)};
    return cmocka_run_group_tests_name("convergence", tests, NULL, NULL);
}
