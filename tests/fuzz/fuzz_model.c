/* libFuzzer target for the readers of models: XML, URDF and MJCF. The first byte of the input chooses options, the
 * others are the file. What is accepted must be a scenario that the reader of scenarios accepts, too. */
#include "fuzz.h"

#include <fender/io.h>
#include <fender/model_file.h>

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    fuzz_enter_folder(); /* where no mesh lies */
    return 0;
}

static void check_scenario(const fender_model_file *model)
{
    fender_env quiet = fender_env_default();
    fender_error error = {0};
    size_t length = 0;
    const char *text = fender_model_file_scenario(model, &length);
    require(strlen(text) == length && length > 0, "the scenario is cut off");
    fender_scenario *scenario = fender_scenario_parse(&quiet, NULL, "model.yaml", text, length, NULL, 0, &error);
    if (!scenario && (error.status == FENDER_STATUS_PARSE || error.status == FENDER_STATUS_NAME)) {
        fprintf(stderr, "%d: %s, found %s\n%s\n", error.line, error.message, error.found, text);
        require(false, "the scenario of a model is not accepted");
    }
    fender_scenario_destroy(scenario);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) return 0;
    fuzz_memory memory;
    int errors;
    fender_env env = fuzz_env(&memory, &errors);
    fender_error error = {0};
    fender_model_joint joint = {"j", 0.5, NULL};
    fender_model_import options = fender_model_import_default();
    options.bushings = data[0] & 1;
    options.fixed_base = data[0] & 2;
    options.ground = data[0] & 4;
    options.lenient = data[0] & 8;
    options.mesh_surfaces = data[0] & 16;
    options.keyframe = data[0] & 32 ? "0" : NULL;
    options.joints = &joint;
    options.joint_count = data[0] & 64 ? 1 : 0;
    fender_model_file *model = fender_model_file_parse(&env, "fuzzed", data + 1, size - 1, &options, &error);
    require(model || errors > 0 || error.status == FENDER_STATUS_MEMORY, "a refusal without a diagnostic");
    if (model) check_scenario(model);
    fender_model_file_destroy(model);
    fuzz_check_end(&memory, !model, &error);
    return 0;
}
