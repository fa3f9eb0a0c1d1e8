/* `fender import`: a model of a robot or vehicle (URDF, MJCF) as a scenario. */
#include <stdio.h>
#include <string.h>

#include <fender/model_file.h>
#include <fender/units.h>

#include "app.h"
#include "support/file.h"

static const fnd_app_option options[] = {
    {"--out", "FILE", "write the scenario to this file (default: standard output)"},
    {"-o", "FILE", "the same"},
    {"--package", "NAME=DIR", "folder of package://NAME/ in URDF; can be repeated"},
    {"--joint", "NAME=VALUE", "position of a joint, for example knee=30deg; can be repeated"},
    {"--joints", "rigid|bushing",
     "rigid (default): joints are held; bushing: links that are free about or along their axes"},
    {"--base", "free|fixed", "free (default) or fixed: the root link of URDF"},
    {"--keyframe", "NAME", "take positions from this keyframe of MJCF (name or number)"},
    {"--meshes", "hull|mesh", "hull (default): meshes touch with their convex hulls; mesh: with their triangles"},
    {"--ground", NULL, "add a fixed plane z = 0"},
    {"--lenient", NULL, "warn of unknown elements and impossible inertias instead of refusing them"},
};

typedef struct request {
    fender_model_import import;
    fender_model_package *packages;
    fender_model_joint *joints;
    char *words; /* copies of what stands before an equals sign, and the folder of the output */
    size_t words_size, used, count;
    const char *to;
} request;

static int bad_value(fnd_app *app, const char *option, const char *value, const char *expected)
{
    char message[200];
    snprintf(message, sizeof message, "'%.60s' is not a valid value of %s", value, option);
    return fnd_app_usage(app, message, expected);
}

static char *keep_word(request *r, const char *text, size_t length)
{
    char *word = r->words + r->used;
    memcpy(word, text, length);
    word[length] = '\0';
    r->used += length + 1;
    return word;
}

static int read_joint(fnd_app *app, request *r, const char *value)
{
    const char *equals = strchr(value, '=');
    fender_model_joint *joint = &r->joints[r->import.joint_count];
    if (equals == NULL || equals == value) return bad_value(app, "--joint", value, "for example --joint knee=30deg");
    const char *text = equals + 1;
    const bool length = fender_quantity_parse(text, strlen(text), "m", &joint->position, NULL) == FENDER_STATUS_OK;
    const bool angle = fender_quantity_parse(text, strlen(text), "rad", &joint->position, NULL) == FENDER_STATUS_OK;
    if (!length && !angle) return bad_value(app, "--joint", value, "an angle or a length: knee=30deg, lift=20cm");
    joint->unit = length && angle ? NULL : angle ? "rad" : "m"; /* a plain number has the unit of the joint */
    joint->name = keep_word(r, value, (size_t)(equals - value));
    r->import.joint_count++;
    return FND_APP_OK;
}

static int read_package(fnd_app *app, request *r, const char *value)
{
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value || !equals[1])
        return bad_value(app, "--package", value, "for example --package my_robot=../my_robot");
    r->packages[r->import.package_count++] = (fender_model_package){keep_word(r, value, (size_t)(equals - value)),
                                                                    equals + 1};
    return FND_APP_OK;
}

static int read_word(fnd_app *app, const char *option, const char *value, const char *no, const char *yes, bool *is)
{
    char expected[64];
    *is = strcmp(value, yes) == 0;
    if (*is || strcmp(value, no) == 0) return FND_APP_OK;
    snprintf(expected, sizeof expected, "%s or %s", no, yes);
    return bad_value(app, option, value, expected);
}

static int read_options(fnd_app *app, request *r)
{
    int code = FND_APP_OK;
    for (int i = 0; i < app->given_count && code == FND_APP_OK; i++) {
        const char *name = options[app->given[i].option].name, *value = app->given[i].value;
        if (strcmp(name, "--out") == 0 || strcmp(name, "-o") == 0) r->to = value;
        else if (strcmp(name, "--package") == 0) code = read_package(app, r, value);
        else if (strcmp(name, "--joint") == 0) code = read_joint(app, r, value);
        else if (strcmp(name, "--joints") == 0)
            code = read_word(app, name, value, "rigid", "bushing", &r->import.bushings);
        else if (strcmp(name, "--base") == 0)
            code = read_word(app, name, value, "free", "fixed", &r->import.fixed_base);
        else if (strcmp(name, "--meshes") == 0)
            code = read_word(app, name, value, "hull", "mesh", &r->import.mesh_surfaces);
        else if (strcmp(name, "--keyframe") == 0) r->import.keyframe = value;
        else if (strcmp(name, "--ground") == 0) r->import.ground = true;
        else if (strcmp(name, "--lenient") == 0) r->import.lenient = true;
    }
    const char *slash = r->to != NULL ? strrchr(r->to, '/') : NULL;
    if (slash != NULL) r->import.output_directory = keep_word(r, r->to, (size_t)(slash - r->to) + 1);
    return code;
}

static void put_counts(fnd_app *app, const char *path, const char *to, const fender_model_report *r)
{
    fnd_app_put_clean(&app->out, to);
    fnd_app_put(&app->out, "  from ");
    fnd_app_put_clean(&app->out, path);
    fnd_app_print(&app->out, " (%s): %d %s, %d %s, %d %s, %d %s, %d rigid %s, %d %s\n", r->format, r->bodies,
                  fnd_app_plural(r->bodies, "body", "bodies"), r->shapes, fnd_app_plural(r->shapes, "shape", "shapes"),
                  r->points, fnd_app_plural(r->points, "point", "points"), r->links,
                  fnd_app_plural(r->links, "link", "links"), r->rigid_joints,
                  fnd_app_plural(r->rigid_joints, "joint", "joints"), r->warnings,
                  fnd_app_plural(r->warnings, "warning", "warnings"));
}

static void put_json(fnd_app *app, const char *path, const request *r, const fender_model_file *model)
{
    const fender_model_report *report = fender_model_file_report(model);
    fnd_app_json json;
    fnd_app_json_open(&json, &app->out);
    fnd_app_json_object(&json, NULL);
    fnd_app_json_text(&json, "file", path);
    fnd_app_json_text(&json, "format", report->format);
    if (r->to != NULL) fnd_app_json_text(&json, "scenario", r->to);
    else fnd_app_json_text(&json, "text", fender_model_file_scenario(model, NULL));
    fnd_app_json_integer(&json, "bodies", report->bodies);
    fnd_app_json_integer(&json, "shapes", report->shapes);
    fnd_app_json_integer(&json, "points", report->points);
    fnd_app_json_integer(&json, "links", report->links);
    fnd_app_json_integer(&json, "rigid_joints", report->rigid_joints);
    fnd_app_json_integer(&json, "warnings", report->warnings);
    fnd_app_json_end(&json);
}

static int convert(fnd_app *app, request *r)
{
    const char *path = app->arguments[0];
    fender_error error = {0};
    int errors_before = app->error_count, code = read_options(app, r);
    if (code != FND_APP_OK) return code;
    fender_model_file *model = fender_model_file_read(&app->env, path, &r->import, &error);
    if (model == NULL) return fnd_app_fail(app, &error, errors_before, "nothing was written");
    size_t length = 0;
    const char *text = fender_model_file_scenario(model, &length);
    if (r->to != NULL && fnd_file_write(r->to, text, length, &error) != FENDER_STATUS_OK)
        code = fnd_app_fail(app, &error, errors_before, "nothing was written");
    else if (app->json) put_json(app, path, r, model);
    else if (r->to == NULL) fnd_app_put_bytes(&app->out, text, length);
    else if (!app->quiet) put_counts(app, path, r->to, fender_model_file_report(model));
    fender_model_file_destroy(model);
    return code;
}

static int execute(fnd_app *app)
{
    request r = {.import = fender_model_import_default(), .count = (size_t)app->given_count + 1};
    for (int i = 0; i < app->given_count; i++) r.words_size += 2 * strlen(app->given[i].value) + 4;
    r.words_size += 4;
    r.packages = fnd_app_allocate(app, r.count * sizeof *r.packages);
    r.joints = fnd_app_allocate(app, r.count * sizeof *r.joints);
    r.words = fnd_app_allocate(app, r.words_size);
    int code = FND_APP_RUN_FAILED;
    r.import.packages = r.packages;
    r.import.joints = r.joints;
    if (r.packages == NULL || r.joints == NULL || r.words == NULL)
        code = fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the command line", "");
    else code = convert(app, &r);
    fnd_app_release(app, r.packages, r.count * sizeof *r.packages);
    fnd_app_release(app, r.joints, r.count * sizeof *r.joints);
    fnd_app_release(app, r.words, r.words_size);
    return code;
}

const fnd_app_command fnd_app_command_import = {
    .group = "Start here",
    .name = "import",
    .arguments = "FILE",
    .summary = "convert a URDF or MJCF model to a scenario",
    .purpose = "convert a model of a robot or vehicle (URDF, MJCF) to a scenario",
    .details = "Reads bodies, inertias, collision shapes, joints, sites and contact parameters, and writes a scenario "
               "with\n"
               "comments that state the origin of each part. What has no counterpart is a warning that names it; what\n"
               "the format does not have is an error.\n",
    .example = "  fender import lander.urdf --ground -o lander.yaml",
    .files = "the file of --out",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
