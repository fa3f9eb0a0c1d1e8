/* Every allocation of loading and building made to fail in turn: MEMORY is reported and nothing leaks. */
#include "collect.h"
#include "counted_memory.h"

static int memory_diagnostics;
static void count_memory(void *ctx, const fender_diagnostic *d)
{
    (void)ctx;
    memory_diagnostics += d->status == FENDER_STATUS_MEMORY;
}

static fender_status load_and_build(counted_memory *f, const char *path, const fender_override *overrides, int count)
{
    fender_env env = counted_env(f);
    env.report = count_memory;
    fender_error error = {0};
    fender_status status = FENDER_STATUS_OK;
    fender_scenario *scenario = fender_scenario_load(&env, NULL, path, overrides, count, &error);
    fender_world *world = scenario ? fender_scenario_build(scenario, &env, &error) : NULL;
    if (!world) status = error.status;
    fender_world_destroy(world);
    fender_scenario_destroy(scenario);
    return status;
}

static long fail_each(const char *path, const fender_override *overrides, int count, fender_status clean_status)
{
    counted_memory clean = {0};
    assert_int_equal(load_and_build(&clean, path, overrides, count), clean_status);
    assert_int_equal(clean.live, 0);
    for (long n = 1; n <= clean.calls; n++) {
        counted_memory f = {.fail_at = n};
        fender_status status = load_and_build(&f, path, overrides, count);
        if (status != FENDER_STATUS_MEMORY)
            print_error("%s: allocation %ld of %ld: status %d\n", path, n, clean.calls, (int)status);
        assert_int_equal(status, FENDER_STATUS_MEMORY);
        assert_int_equal(f.live, 0);
    }
    return clean.calls;
}

static void samples(void **state)
{
    (void)state;
    static const fender_override override = {"bodies.veh2.state.velocity.x", "-1 m/s"};
    long calls = fail_each(FENDER_SOURCE_DIR "/samples/scenarios/two_spheres.yaml", &override, 1, FENDER_STATUS_OK);
    printf("two_spheres: %ld allocations, each made to fail\n", calls);
    calls = fail_each(FENDER_SOURCE_DIR "/samples/scenarios/docking.yaml", NULL, 0, FENDER_STATUS_OK);
    printf("docking: %ld allocations, each made to fail\n", calls);
    calls = fail_each(FENDER_SOURCE_DIR "/samples/scenarios/spinning_spheres.yaml", NULL, 0, FENDER_STATUS_OK);
    printf("spinning_spheres: %ld allocations, each made to fail\n", calls);
    calls = fail_each(FENDER_SOURCE_DIR "/samples/scenarios/apollo_stack.yaml", NULL, 0, FENDER_STATUS_OK);
    printf("apollo_stack: %ld allocations, each made to fail\n", calls);
    assert_true(memory_diagnostics > 0);
}

/* Diagnostics themselves need memory. */
static void with_diagnostics(void **state)
{
    (void)state;
    static const fender_override bad[] = {{"bodies.veh2.state.velocity.x", "-1 kg"}, {"bodies.veh3.mass", "1"}};
    long calls = fail_each(FENDER_SOURCE_DIR "/samples/scenarios/two_spheres.yaml", bad, 2, FENDER_STATUS_NAME);
    printf("two_spheres with two mistakes: %ld allocations, each made to fail\n", calls);
}

/* Named values, expressions, texts with names, copies, patterns, and what --set adds. */
static void parameters_and_copies(void **state)
{
    (void)state;
    static const char text[] =
        "fender: 1\nrun: {until: 1 s, stop_when: {action: late, for: 1 s}}\n"
        "parameters: {mass: 6 t, gap: 300 mm, v: [1, 2, 3, m], k: $mass * (10 1/s)^2, case: a, all: \"${case}_x\"}\n"
        "bodies:\n  hub: {mass_properties: {mass: $mass, inertia: [$mass * $gap^2, 600, 600, kg*m^2]},"
        " points: {leg: {position: [$v.x, 0, $gap, m], pattern: {count: 3, about: [0, 0, 1]}}}}\n"
        "  pad_1: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1]}, points: {top: {position: $v}}}\n"
        "  pad_2: {like: pad_1}\n  pad_3: {like: pad_1}\n"
        "links:\n  strut: {between: [hub.leg, pad.top], law: spring_damper, stiffness: sqrt($k * $mass) * 1 1/s,"
        " free_length: 1 m, pattern: {count: 3}}\n  soft: {like: strut}\n"
        "loads: {jet: {body: hub, at: leg, force: {constant: [0, 0, 5, N]}, pattern: {count: 3}}}\n"
        "actions:\n  late: {when: {time: 0.5 s, for: 0.1 s}, delay: 1 ms, do: [{set: {bodies.hub.velocity: [1, 2, $gap "
        "/ 1 s]}}]}\n  later: {like: late, when: {action: late}}\n"
        "record: {log: {file: \"${all}.csv\", on: steps, channels: [bodies.hub.position]}}\n";
    static const fender_override set[] = {{"parameters.mass", "7 t"},
                                          {"loads.more", "{body: hub, force: {constant: [$gap * 1 N/m, 0, 0]}}"},
                                          {"loads.again", "{like: more}"},
                                          {"record.log.channels+", "bodies.hub.velocity"}};
    FILE *file = fopen("named.yaml", "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    long calls = fail_each("named.yaml", set, 4, FENDER_STATUS_OK);
    printf("parameters and copies: %ld allocations, each made to fail\n", calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples), cmocka_unit_test(parameters_and_copies),
                                       cmocka_unit_test(with_diagnostics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
