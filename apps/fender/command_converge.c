/* `fender converge`: runs a scenario at refined steps or tolerances; each result with its order and error bar. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "converge.h"
#include "interrupt.h"
#include "progress.h"
#include "text/number.h"

static const fnd_app_option options[] = {
    {"--set", "PATH=VALUE", "replace a value of the scenario; can be repeated"},
    {"--levels", "N", "how many steps or tolerances, 3 to 10 (default: 4)"},
    {"--bound", "R", "the relative error for which a step is recommended (default: 1e-3)"},
    {"--channel", "PATH", "also compare the value of a channel at the end; can be repeated"},
};

static bool read_number(const char *text, double *value)
{
    size_t used, length = strlen(text);
    return fnd_number_parse(text, length, value, &used) && used == length;
}

static int read_options(fnd_app *app, fender_convergence_def *def)
{
    const char *levels = fnd_app_option_value(app, "--levels"), *bound = fnd_app_option_value(app, "--bound");
    double number = def->level_count;
    if (strcmp(app->arguments[0], "-") == 0)
        return fnd_app_usage(app, "the scenario is read once for each level, which standard input cannot be",
                             "give the name of a file");
    if (levels != NULL && (!read_number(levels, &number) || number != floor(number) ||
                           !(number >= 3 && number <= FENDER_REFINEMENT_LEVELS)))
        return fnd_app_usage(app, "'--levels' must be a whole number from 3 to 10", "");
    if (bound != NULL && (!read_number(bound, &def->bound) || !(def->bound > 0 && def->bound < 1)))
        return fnd_app_usage(app, "'--bound' must be a number between 0 and 1", "for example --bound 1e-6");
    def->level_count = (int)number;
    return FND_APP_OK;
}

/* ---- what the library calls */

typedef struct caller {
    fnd_app *app;
    fnd_app_progress progress;
    bool first;    /* the scenario itself is read: its findings are told */
    int exit_code; /* of the command line, when it is at fault */
} caller;

static fender_scenario *load(void *ctx, const fender_override *more, int count, fender_error *error)
{
    caller *c = ctx;
    fender_env env = c->app->env;
    if (!c->first) env.report = NULL;
    c->first = false;
    fender_scenario *scenario = fnd_app_load_more(c->app, &env, c->app->arguments[0], more, count, error,
                                                  &c->exit_code);
    if (scenario == NULL && error->status == FENDER_STATUS_OK) error->status = FENDER_STATUS_ARGUMENT; /* it was told */
    return scenario;
}

static void watch(void *ctx, fender_run *run)
{
    caller *c = ctx;
    if (run != NULL) {
        fnd_app_progress_begin(&c->progress, c->app);
        fnd_app_interrupt_watch(run);
    } else {
        fnd_app_interrupt_end();
        fnd_app_progress_end(&c->progress);
    }
}

static bool draw(void *ctx, const fender_progress *progress)
{
    caller *c = ctx;
    return fnd_app_progress_draw(&c->progress, progress);
}

/* ---- what it found */

static int tell_end(fnd_app *app, const fender_convergence *c, fender_status status)
{
    char message[160], label[FND_APP_NUMBER_SIZE];
    snprintf(message, sizeof message, "the run with %.60s was %s; nothing was compared",
             fnd_app_converge_label(c, c->levels_run - 1, label),
             status == FENDER_STATUS_MEMORY ? "stopped: there is no memory for it" : "interrupted");
    return fnd_app_error(app, status, message, "");
}

static int tell_failures(fnd_app *app, const fender_convergence *c)
{
    char message[480], label[FND_APP_NUMBER_SIZE];
    for (int i = 0; i < c->level_count; i++) {
        const fender_convergence_level *level = &c->levels[i];
        if (level->complete) continue;
        fender_error error = level->error;
        snprintf(message, sizeof message, "with %.60s: %.240s", fnd_app_converge_label(c, i, label),
                 error.message[0] ? error.message : fender_status_text(level->status));
        snprintf(error.message, sizeof error.message, "%.319s", message);
        fnd_app_print_error(app, &error);
    }
    if (c->complete_count >= 3) return FND_APP_OK;
    fnd_app_error(app, FENDER_STATUS_INTEGRATOR, "an order needs three levels in a row that come to their end",
                  c->adaptive ? "mend what stops the run first" : "try a shorter integrator.step, or more --levels");
    return FND_APP_RUN_FAILED;
}

static int tell(fnd_app *app, const fender_convergence *c, fender_status status)
{
    if (c->levels_run > 0 && c->levels[c->levels_run - 1].status == status && status != FENDER_STATUS_OK)
        return tell_end(app, c, status);
    if (status != FENDER_STATUS_OK) return fnd_app_error(app, status, "no memory for the results", "");
    if (app->json) fnd_app_converge_json(app, c);
    else if (c->complete_count >= 3) fnd_app_converge_text(app, c);
    return tell_failures(app, c);
}

static int execute(fnd_app *app)
{
    fender_convergence_def def = fender_convergence_def_default();
    fender_status status;
    fender_error error = {0};
    caller ctx = {.app = app, .first = true, .exit_code = FND_APP_OK};
    int errors_before = app->error_count, code = read_options(app, &def);
    if (code != FND_APP_OK) return code;
    const size_t size = (size_t)(app->given_count + 1) * sizeof(char *);
    const char **channels = fnd_app_allocate(app, size);
    if (channels == NULL) return fnd_app_error(app, FENDER_STATUS_MEMORY, "no memory for the options", "");
    for (int i = 0; i < app->given_count; i++)
        if (strcmp(app->command->options[app->given[i].option].name, "--channel") == 0)
            channels[def.channel_count++] = app->given[i].value;
    def.channels = channels;
    def.load = load;
    def.watch = watch;
    def.progress = draw;
    def.ctx = &ctx;
    fender_convergence *c = fender_convergence_run(&app->env, &def, &status, &error);
    if (c != NULL) code = tell(app, c, status);
    else if (ctx.exit_code != FND_APP_OK) code = ctx.exit_code;
    else code = fnd_app_fail(app, &error, errors_before, "nothing was run");
    fender_convergence_destroy(c);
    fnd_app_release(app, channels, size);
    return code;
}

const fnd_app_command fnd_app_command_converge = {
    .group = "Understand",
    .name = "converge",
    .arguments = "SCENARIO",
    .summary = "refine steps or tolerances; show orders and error bars",
    .purpose = "run a scenario at refined steps or tolerances; show each result with its order and error bar",
    .details =
        "A method of fixed step runs with the scenario's step, a half of it, a quarter and so on; an adaptive one "
        "with\n"
        "its tolerances divided by 10, 100 and so on. Compared are all contacts, the bodies at the end, the energy\n"
        "residual, and the channels of `expect`. The last lines name the coarsest step that is good enough.\n"
        "A failed level is reported and the others continue; exit 1 if fewer than three in a row are left.\n",
    .example = "  fender converge two_spheres.yaml --set integrator.locate_events=true --bound 1e-6",
    .files = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
