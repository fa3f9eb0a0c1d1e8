/* Exported samples, stepped on the grid of their internal steps, end in the state of `fender run` to the bit. */
#include "fmi/importer.h"
#include <math.h>

static void equal(const char *name, const char *until, int version)
{
    char path[400], folder[64];
    fender_env env = fender_env_default();
    fender_error error = {0};
    fender_override shorter = {"run.until", until};
    snprintf(path, sizeof path, "%s/samples/scenarios/%s.yaml", FENDER_SOURCE_DIR, name);
    snprintf(folder, sizeof folder, "%s%d", name, version);
    fender_scenario *scenario = fender_scenario_load(&env, NULL, path, &shorter, 1, &error);
    assert_non_null(scenario);
    fender_world *world = fender_scenario_build(scenario, &env, &error);
    const double step = fender_world_get_def(world)->step;
    fender_world_destroy(world);
    const long steps = lrint(strtod(until, NULL) / step);
    fmu f;
    fmu_open(&f, scenario, version, folder);
    const unsigned long long hash = run_itself(scenario), of_fmu = run_fmu(&f, step, steps);
    if (hash != of_fmu) print_error("%s, FMI %d: %016llx is not %016llx\n", name, version, of_fmu, hash);
    assert_true(hash == of_fmu);
    fmu_close(&f);
    fender_scenario_destroy(scenario);
}

static void test_samples(void **state)
{
    (void)state;
    for (int version = 2; version <= 3; version++) {
        equal("two_spheres", "10 s", version);
        equal("docking", "20 s", version);
        equal("blocks", "1.5 s", version);
        equal("lander_legs", "0.5 s", version);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
