/* `fender replay`: repeats a run from its directory without writing, and compares the hashes. */
#include "app.h"
#include "execute.h"

static const fnd_app_option options[] = {
    {"--verify", NULL, "compare with every hash that the run has written; exit 1 when one differs"},
};

static int execute(fnd_app *app)
{
    const char *directory = app->arguments[0];
    fender_error error = {0};
    int errors_before = app->error_count;
    fender_scenario *scenario = fender_scenario_load_run(&app->env, NULL, directory, &error);
    if (scenario == NULL) return fnd_app_fail(app, &error, errors_before, "nothing was run");
    bool verify = fnd_app_option_value(app, "--verify") != NULL;
    fender_run_def def = {.scenario = scenario, .verify_directory = verify ? directory : NULL};
    int code = fnd_app_run(app, &def, "nothing was run");
    fender_scenario_destroy(scenario);
    return code;
}

const fnd_app_command fnd_app_command_replay = {
    .group = "Resume and replay",
    .name = "replay",
    .arguments = "RUN",
    .summary = "repeat a run and compare it with the recorded one",
    .purpose = "repeat a run from its directory without writing files",
    .details =
        "The scenario is the one that the run began with, --set options included, whatever has become of its files.\n"
        "With --verify the state is compared, to the last bit, at each row of hashes.csv; a run that was cut short is\n"
        "compared as far as it came.\n",
    .example = "  fender replay two_spheres.run --verify",
    .files = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
