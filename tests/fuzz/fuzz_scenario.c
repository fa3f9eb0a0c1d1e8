/* libFuzzer target for scenario files, in YAML and (built with PCM) in the form of PCM contact types. A scenario that
 * is read is also built. */
#include "fuzz.h"

#include <fender/io.h>

#ifdef PCM
#define NAME "fuzzed.pcm"
#else
#define NAME "fuzzed.yaml"
#endif

/* Bytes that reading may take, beyond the tables of laws and units: of a text "[[[[" each byte is a node of 100 to 200
 * bytes. Hazard fields, clouds and patterns are made while reading, as large as the scenario says: FUZZ_MEMORY is their
 * bound. */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder(); /* empty: a scenario finds nothing to include */
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_memory memory;
    int errors;
    fender_env env = fuzz_env(&memory, &errors);
    fender_error error = {0};
    fender_scenario *scenario = fender_scenario_parse(&env, NULL, NAME, (const char *)data, size, NULL, 0, &error);
    require(scenario ? errors == 0 : errors > 0, "findings and answer do not agree");
    bool failed = scenario == NULL;
    if (scenario) {
        fender_world *world = fender_scenario_build(scenario, &env, &error);
        failed = world == NULL;
        fender_world_destroy(world);
    }
    fender_scenario_destroy(scenario);
    fuzz_check_end(&memory, failed, &error);
    return 0;
}
