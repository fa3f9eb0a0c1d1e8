/* libFuzzer target for tables of numbers that scenarios name. The first byte chooses what is read: points of a cloud,
 * heights of a grid, a load over time, corners of a hull; the others are the file. */
#include "fuzz.h"

#include <fender/io.h>

#define BODY \
    "fender: 1\nrun: {until: 1 s}\nbodies: {a: {mass_properties: {mass: 1 kg, inertia: [1, 1, 1, kg*m^2]}%s}}\n"

static const char *const shapes[] = {
    ", shapes: {s: {cloud: {file: fuzzed.csv}}}",
    ", shapes: {s: {grid: {file: fuzzed.csv}}}",
    ", shapes: {s: {hull: {file: fuzzed.csv}}}",
};

/* A number of two bytes becomes a row of columns, a scenario with its places, and a geometry. */
enum { BYTES_PER_BYTE = 400, BYTES_BESIDES = 1 << 20 };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) return 0;
    char text[512];
    if (data[0] % 4 < 3) snprintf(text, sizeof text, BODY, shapes[data[0] % 4]);
    else
        snprintf(text, sizeof text,
                 BODY "loads: {l: {body: a, force: {table: {file: fuzzed.csv, columns: [time, fx, fy, fz]}}}}\n", "");
    fuzz_write("fuzzed.csv", data + 1, size - 1);
    fuzz_memory memory;
    int errors;
    fender_env env = fuzz_env(&memory, &errors);
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, "s.yaml", text, strlen(text), NULL, 0, &error);
    require(scenario ? errors == 0 : errors > 0, "findings and answer do not agree");
    bool failed = scenario == NULL;
    if (scenario) {
        fender_world *world = fender_scenario_build(scenario, &env, &error);
        failed = world == NULL;
        fender_world_destroy(world);
    }
    fender_scenario_destroy(scenario);
    require(memory.most <= BYTES_PER_BYTE * size + BYTES_BESIDES, "reading takes too much memory");
    fuzz_check_end(&memory, failed, &error);
    return 0;
}
