/* `fender export`: a run for other programs that show it, a scenario for other programs that step it. */
#include <fender/advice.h>
#include <fender/fmi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app.h"
#include "summary.h"

static const fnd_app_option options[] = {
    {"--gltf", "FILE.glb", "write one animated glTF file"},
    {"--vtk", "FOLDER", "write VTK files; open FOLDER/run.pvd with ParaView"},
    {"--frames", "N", "maximum number of states, including the last (default: 200)"},
    {"--fmu", "FILE.fmu", "write a scenario as Functional Mock-up Unit"},
    {"--fmi", "2|3", "version of FMI (default: 3)"},
    {"--set", "PATH=VALUE", "replace a value of the scenario, for --fmu; can be repeated"},
    {"--library", "FILE.so", "binary of the FMU (default: fender_fmu.so of this program)"},
};

static void tell(fnd_app *app, fnd_app_json *json, const char *key, const char *folder, const char *file)
{
    if (app->json) fnd_app_json_text(json, key, folder);
    else if (!app->quiet) {
        fnd_app_put(&app->out, " wrote ");
        fnd_app_put_clean(&app->out, folder);
        fnd_app_put(&app->out, file);
        fnd_app_put(&app->out, "\n");
    }
}

/* ---- an FMU of a scenario */

/* The library that belongs to this program: beside it in a build, or where it is installed. */
static bool find_library(char *path, size_t size)
{
    static const char *const places[] = {FENDER_FMU_FOLDER, "../lib", "../lib/fender"};
    char own[2048];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0) return false;
    own[length] = '\0';
    char *slash = strrchr(own, '/');
    if (slash) *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, size, "%s/%s/fender_fmu.so", own, places[i]);
        if (access(path, R_OK) == 0) return true;
    }
    return false;
}

static void tell_fmu(fnd_app *app, const char *file, int version, const fender_fmu_report *report)
{
    fnd_app_json json;
    if (app->json) {
        fnd_app_json_open(&json, &app->out);
        fnd_app_json_object(&json, NULL);
        fnd_app_json_text(&json, "fmu", file);
        fnd_app_json_integer(&json, "fmi", version);
        fnd_app_json_integer(&json, "parameters", report->parameters);
        fnd_app_json_integer(&json, "inputs", report->inputs);
        fnd_app_json_integer(&json, "outputs", report->outputs);
        fnd_app_json_bool(&json, "model_exchange", report->model_exchange);
        fnd_app_json_end(&json);
    } else if (!app->quiet) {
        fnd_app_put(&app->out, " wrote ");
        fnd_app_put_clean(&app->out, file);
        fnd_app_print(&app->out, ": FMI %d.0, co-simulation%s; parameters %d, inputs %d, outputs %d\n", version,
                      report->model_exchange ? " and model exchange" : "", report->parameters, report->inputs,
                      report->outputs);
    }
}

/* What `fender check` warns of, beside what the export tells itself: it steps where nobody sees a summary. */
static void warn_of_steps(fnd_app *app, const fender_scenario *scenario)
{
    fender_env env = app->env;
    env.report = NULL; /* the export has told of the scenario */
    fender_world *world = fender_scenario_build(scenario, &env, NULL);
    fender_world_advice advice;
    if (world && fender_world_advise(world, &env, &advice) == FENDER_STATUS_OK) {
        fnd_app_warn_of_step(&advice, app);
        fnd_app_warn_of_system_step(app, world, fender_scenario_stable_step(scenario, &env, world));
        fnd_app_warn_of_speed(&advice, app);
        fender_world_advice_release(&advice);
    }
    fender_world_destroy(world);
}

static int export_fmu(fnd_app *app, const char *file)
{
    const char *version = fnd_app_option_value(app, "--fmi"), *library = fnd_app_option_value(app, "--library");
    const size_t length = strlen(file);
    char found[4096];
    int exit_code = FND_APP_OK, errors_before = app->error_count;
    fender_error error = {0};
    fender_fmu_report report;
    if (length < 5 || strcmp(file + length - 4, ".fmu") != 0) {
        char message[240];
        snprintf(message, sizeof message, "'%.200s' does not end in .fmu", file);
        return fnd_app_usage(app, message, "for example --fmu lander.fmu");
    }
    if (version && strcmp(version, "2") != 0 && strcmp(version, "3") != 0)
        return fnd_app_usage(app, "'--fmi' is 2 or 3", "write --fmi 2 for importers of FMI 2.0");
    if (!library && !find_library(found, sizeof found))
        return fnd_app_error(app, FENDER_STATUS_FILE, "fender_fmu.so is not beside this program",
                             "name it: --library lib/fender/fender_fmu.so");
    fender_scenario *scenario = fnd_app_load(app, app->arguments[0], "nothing was exported", &exit_code);
    if (!scenario) return exit_code;
    fender_fmu_def def = {scenario, version && version[0] == '2' ? 2 : 3, library ? library : found};
    fender_status status = fender_export_fmu(&app->env, &def, file, &report, &error);
    if (status == FENDER_STATUS_OK && !app->quiet) warn_of_steps(app, scenario);
    fender_scenario_destroy(scenario);
    if (status != FENDER_STATUS_OK) return fnd_app_fail(app, &error, errors_before, "nothing was exported");
    tell_fmu(app, file, def.version, &report);
    return FND_APP_OK;
}

static int execute(fnd_app *app)
{
    const char *fmu = fnd_app_option_value(app, "--fmu");
    const char *directory = app->arguments[0], *gltf = fnd_app_option_value(app, "--gltf");
    const char *vtk = fnd_app_option_value(app, "--vtk"), *number = fnd_app_option_value(app, "--frames");
    long frames = 0;
    if (!gltf && !vtk && !fmu)
        return fnd_app_usage(app, "export needs an output format",
                             "add --gltf FILE.glb, --vtk FOLDER or --fmu FILE.fmu");
    if (fmu && (gltf || vtk))
        return fnd_app_usage(app, "an FMU is made of a scenario, --gltf and --vtk of a run", "call export twice");
    if (fmu) return export_fmu(app, fmu);
    const size_t length = gltf ? strlen(gltf) : 0;
    if (gltf && (length < 5 || strcmp(gltf + length - 4, ".glb") != 0)) {
        char message[240];
        snprintf(message, sizeof message, "'%.200s' does not end in .glb", gltf);
        return fnd_app_usage(app, message, "only binary glTF is written, for example --gltf run.glb");
    }
    if (vtk && !vtk[0]) return fnd_app_usage(app, "'--vtk' needs the name of a folder", "for example --vtk run.vtk");
    if (number) {
        char *end;
        frames = strtol(number, &end, 10);
        if (*end || frames < 1 || frames > 1000000)
            return fnd_app_usage(app, "'--frames' must be a whole number from 1 to 1000000", "");
    }
    fender_error error = {0};
    int errors_before = app->error_count;
    fender_status status = FENDER_STATUS_OK;
    if (gltf) status = fender_export_gltf(&app->env, directory, gltf, (int)frames, &error);
    if (status == FENDER_STATUS_OK && vtk) status = fender_export_vtk(&app->env, directory, vtk, (int)frames, &error);
    if (status != FENDER_STATUS_OK) return fnd_app_fail(app, &error, errors_before, "nothing was exported");
    fnd_app_json json;
    if (app->json) {
        fnd_app_json_open(&json, &app->out);
        fnd_app_json_object(&json, NULL);
    }
    if (gltf) tell(app, &json, "gltf", gltf, "");
    if (vtk) tell(app, &json, "vtk", vtk, "/run.pvd");
    if (app->json) fnd_app_json_end(&json);
    return FND_APP_OK;
}

const fnd_app_command fnd_app_command_export = {
    .group = "Start here",
    .name = "export",
    .arguments = "RUN|SCENARIO",
    .summary = "export a run to glTF or VTK, a scenario to an FMU",
    .purpose = "export a run to glTF or VTK, a scenario to a Functional Mock-up Unit (FMI)",
    .details = "RUN is the directory of a run. glTF is for Blender, browsers and most 3-D viewers, VTK for\n"
               "ParaView. Bodies, links and contact forces are written at the states of replay.csv, reduced\n"
               "evenly to --frames. With --fmu, SCENARIO becomes an FMU that steps it inside other simulation\n"
               "tools; section fmu of the scenario names its parameters, inputs and outputs.\n",
    .example = "  fender export docking.run --gltf docking.glb --vtk docking.vtk\n"
               "  fender export docking.yaml --fmu docking.fmu",
    .files = "FILE.glb, FOLDER/run.pvd, FOLDER/BODY.0000.vtp .., FILE.fmu",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
