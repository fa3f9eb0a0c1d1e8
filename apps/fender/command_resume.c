/* `fender resume`: goes on with a run that was cut short, from its newest checkpoint. */
#include "app.h"
#include "execute.h"

static int execute(fnd_app *app)
{
    const char *directory = app->arguments[0];
    fender_error error = {0};
    int errors_before = app->error_count;
    fender_scenario *scenario = fender_scenario_load_run(&app->env, NULL, directory, &error);
    if (scenario == NULL) return fnd_app_fail(app, &error, errors_before, "nothing was run");
    fender_run_def def = {.scenario = scenario, .output_directory = directory, .resume = true};
    int code = fnd_app_run(app, &def, "nothing was run");
    fender_scenario_destroy(scenario);
    return code;
}

const fnd_app_command fnd_app_command_resume = {
    .group = "Resume and replay",
    .name = "resume",
    .arguments = "RUN",
    .summary = "continue an interrupted run",
    .purpose = "continue an interrupted run from its newest checkpoint",
    .details = "RUN is the directory of a run with run.checkpoint_every or --checkpoint-every that was killed, "
               "interrupted or\n"
               "stopped by a full disk. It ends as it would have: same bits, same files. The scenario is the one that "
               "the run\n"
               "began with, whatever has become of its files. A run that is complete is left as it is (exit 0).\n",
    .example = "  fender run long.yaml --checkpoint-every 10s\n  fender resume long.run",
    .files = "those of `fender run`, in RUN",
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
