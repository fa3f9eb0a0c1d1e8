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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order_of_rk4), cmocka_unit_test(refused),
                                       cmocka_unit_test(interrupted)};
    return cmocka_run_group_tests_name("convergence", tests, NULL, NULL);
}
