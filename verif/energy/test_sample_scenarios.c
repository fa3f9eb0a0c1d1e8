/* The energy ledger of every sample scenario: its residual in adaptive runs, and its order in fixed-step runs.
 *
 * The residual is what has vanished without account; its scale is the peak of the kinetic energy plus all work. */
#include "check.h"
#include <dirent.h>
#include <fender/io.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 40 };
static char names[CAPACITY][128];
static int name_count;

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static int find_samples(void **state)
{
    (void)state;
    DIR *folder = opendir(FENDER_SOURCE_DIR "/samples/scenarios");
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || length >= sizeof names[0] || strcmp(entry->d_name + length - 5, ".yaml") != 0) continue;
        /* a million triangles: verif/hazard looks at the energy of that one's kind */
        if (strcmp(entry->d_name, "hazard_field.yaml") == 0) continue;
        assert_true(name_count < CAPACITY);
        memcpy(names[name_count++], entry->d_name, length + 1);
    }
    closedir(folder);
    qsort(names, (size_t)name_count, sizeof names[0], by_name);
    return name_count < 5;
}

typedef struct outcome {
    double residual, scale;
    int episodes;
    long long steps;
} outcome;

/* The run itself decides over actions; expectations that belong to another step may be missed. */
static outcome run(const char *name, const fender_override *overrides, int count)
{
    fender_env env = fender_env_default();
    fender_error error = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/samples/scenarios/%s", FENDER_SOURCE_DIR, name);
    fender_scenario *scenario = fender_scenario_load(&env, NULL, path, overrides, count, &error);
    if (!scenario) fail_msg("%s: %s, found %s", name, error.message, error.found);
    fender_run *run = fender_run_create(&env, &(fender_run_def){.scenario = scenario}, &error);
    if (!run) fail_msg("%s: %s, found %s", name, error.message, error.found);
    fender_status status = fender_run_execute(run, &error);
    if (status && status != FENDER_STATUS_EXPECTATION) fail_msg("%s: %s, found %s", name, error.message, error.found);
    const fender_run_summary *s = fender_run_get_summary(run);
    outcome o = {s->largest_residual, s->end.scale, s->episode_count, (long long)s->step_count};
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return o;
}

/* Below 1e-9 of the scale. The tolerance is that of a step; steps by the hundred and kinks of the geometry (closest
 * points that pass an end of a capsule) leave some ten times more in a run. */
static void adaptive(void **state)
{
    (void)state;
    static const char *const methods[] = {"dopri5", "dop853"};
    for (int i = 0; i < name_count; i++)
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            const fender_override overrides[] = {{"integrator.method", methods[m]},
                                                 {"integrator.relative_tolerance", "1e-12"}};
            outcome o = run(names[i], overrides, 2);
            print_message("%-24s %-8s residual %.1e of %.4g J, %d episodes, %lld steps\n", names[i], methods[m],
                          o.residual / o.scale, o.scale, o.episodes, o.steps);
            check_below(o.residual, 1e-9 * o.scale);
        }
}

/* Fixed steps with located events: the residual falls with the order of the method. Energy is no invariant of the
 * methods, so that the residual of a run is their error in work and losses. */
static void order(void **state)
{
    (void)state;
    static const struct {
        const char *name, *steps[3], *method;
        double least;
    } rows[] = {
        {"two_spheres.yaml", {"10 ms", "5 ms", "2.5 ms"}, "rk4", 3.5},
        {"two_capsules.yaml", {"10 ms", "5 ms", "2.5 ms"}, "rk4", 3.5},
        {"off_centre.yaml", {"10 ms", "5 ms", "2.5 ms"}, "rk4", 3.5},
        {"spinning_spheres.yaml", {"1 ms", "0.5 ms", "0.25 ms"}, "rk4", 3.5},
        {"two_spheres.yaml", {"10 ms", "5 ms", "2.5 ms"}, "velocity_verlet", 1.8},
        {"two_capsules.yaml", {"10 ms", "5 ms", "2.5 ms"}, "velocity_verlet", 1.8},
        {"off_centre.yaml", {"10 ms", "5 ms", "2.5 ms"}, "velocity_verlet", 1.8},
        {"spinning_spheres.yaml", {"1 ms", "0.5 ms", "0.25 ms"}, "velocity_verlet", 1.8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double residual[3];
        for (int k = 0; k < 3; k++) {
            const fender_override overrides[] = {{"integrator.method", rows[i].method},
                                                 {"integrator.locate_events", "true"},
                                                 {"integrator.step", rows[i].steps[k]}};
            outcome o = run(rows[i].name, overrides, 3);
            residual[k] = o.residual / o.scale;
        }
        double observed = log2(residual[0] / residual[2]) / 2;
        print_message("%-24s %-15s residual %.1e at %s, %.1e, %.1e: order %.2f\n", rows[i].name, rows[i].method,
                      residual[0], rows[i].steps[0], residual[1], residual[2], observed);
        check_below(rows[i].least, observed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(adaptive), cmocka_unit_test(order)};
    return cmocka_run_group_tests_name("energy of the sample scenarios", tests, find_samples, NULL);
}
