/* `fender check`: reads and validates a scenario; shows everything in SI, and what was derived. */
#include "check.h"

static const fnd_app_option options[] = {
    {"--set", "PATH=VALUE", "replace a value of the scenario; can be repeated"},
};

static int check_run(fnd_app_check *check)
{
    fender_world_advice *advice = &check->advice;
    if (fender_world_advise(check->world, &check->app->env, advice) != FENDER_STATUS_OK)
        return fnd_app_error(check->app, FENDER_STATUS_MEMORY, "no memory for contact types", "");
    check->system_step = fender_scenario_stable_step(check->scenario, &check->app->env, check->world);
    if (!check->app->quiet) {
        fnd_app_warn_of_step(advice, check->app);
        fnd_app_warn_of_system_step(check->app, check->world, check->system_step);
        fnd_app_warn_of_speed(advice, check->app);
    }
    if (check->app->json) {
        fnd_app_check_json(check);
    } else if (!check->app->quiet) {
        fnd_app_check_text(check);
    }
    fender_world_advice_release(advice);
    return FND_APP_OK;
}

static int execute(fnd_app *app)
{
    fender_error error = {0};
    int code, errors_before = app->error_count;
    fender_scenario *scenario = fnd_app_load(app, app->arguments[0], "", &code);
    if (scenario == NULL) return code;
    fender_run_def def = {.scenario = scenario};
    fender_run *run = fender_run_create(&app->env, &def, &error);
    if (run == NULL) {
        code = fnd_app_fail(app, &error, errors_before, "");
    } else {
        fnd_app_check check = {.app = app,
                               .file = app->arguments[0],
                               .scenario = scenario,
                               .world = fender_run_world(run),
                               .summary = fender_run_get_summary(run)};
        code = check_run(&check);
    }
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return code;
}

const fnd_app_command fnd_app_command_check = {
    .group = "Understand",
    .name = "check",
    .arguments = "FILE",
    .summary = "validate a scenario; show all values in SI and derived quantities",
    .purpose = "validate a scenario; show all values in SI and derived quantities",
    .details =
        "Shows bodies with their mass and principal moments, contact types with all parameters, rules, links, loads,\n"
        "and how many pairs may touch; for the lightest pair of each contact type the natural frequency, the\n"
        "contact time, the damping ratio and the longest stable step; for the first 20 pairs the stiffness and\n"
        "frequency of their contact as the shapes will touch. Runs nothing.\n"
        "FILE - is read from standard input.\n",
    .example = "  fender check two_spheres.yaml",
    .files = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
