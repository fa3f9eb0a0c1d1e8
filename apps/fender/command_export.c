/* `fender export`: a run for other programs that show it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"

static const fnd_app_option options[] = {
    {"--gltf", "FILE.glb", "write one animated glTF file"},
    {"--vtk", "FOLDER", "write VTK files; open FOLDER/run.pvd with ParaView"},
    {"--frames", "N", "maximum number of states, including the last (default: 200)"},
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

static int execute(fnd_app *app)
{
    const char *directory = app->arguments[0], *gltf = fnd_app_option_value(app, "--gltf");
    const char *vtk = fnd_app_option_value(app, "--vtk"), *number = fnd_app_option_value(app, "--frames");
    long frames = 0;
    if (!gltf && !vtk)
        return fnd_app_usage(app, "export needs an output format", "add --gltf FILE.glb or --vtk FOLDER");
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
    .arguments = "RUN",
    .summary = "export a run to glTF or VTK for other programs",
    .purpose = "export a run to glTF or VTK for other programs",
    .details = "RUN is the directory of a run. glTF is for Blender, browsers and most 3-D viewers, VTK for\n"
               "ParaView. Bodies, links and contact forces are written at the states of replay.csv, reduced\n"
               "evenly to --frames.\n",
    .example = "  fender export docking.run --gltf docking.glb --vtk docking.vtk",
    .files = "FILE.glb, FOLDER/run.pvd, FOLDER/BODY.0000.vtp ..",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
