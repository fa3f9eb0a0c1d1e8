/* `fender converge`: runs a scenario at refined steps or tolerances; each result with its order and error bar. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "converge.h"
#include "interrupt.h"
#include "progress.h"
#include "text/number.h"

static const fnd_app_option options[] = {
    {"--set", "PATH=VALUE", "replace a value of the scenario; may be given several times"},
    {"--levels", "N", "how many steps or tolerances, 3 to 10 (default: 4)"},
    {"--bound", "R", "the relative error for which a step is recommended (default: 1e-3)"},
    {"--channel", "PATH", "compare the value of a channel at the end, too; may be given several times"},
};

static double order_of(fender_integrator_method method)
{
    switch (method) {
    case FENDER_INTEGRATOR_SEMI_IMPLICIT_EULER: return 1;
    case FENDER_INTEGRATOR_VELOCITY_VERLET: return 2;
    default: return 4;
    }
}

/* Findings of refined levels are told with their level; those of the scenario were told when it was first read. */
static fender_env silent(const fnd_app *app)
{
    fender_env env = app->env;
    env.report = NULL;
    return env;
}

/* ---- levels */

static fender_scenario *load_level(fnd_converge *c, fnd_converge_level *level, const fender_world_def *def,
                                   int *exit_code)
{
    char value[FND_NUMBER_SIZE], absolute[FND_NUMBER_SIZE];
    fender_env env = silent(c->app);
    fnd_number_format(level->value, value, sizeof value);
    if (!c->adaptive) {
        fender_override step = {"integrator.step", value};
        return fnd_app_load_more(c->app, &env, c->app->arguments[0], &step, 1, &level->error, exit_code);
    }
    fnd_number_format(def->absolute_tolerance * (level->value / def->relative_tolerance), absolute, sizeof absolute);
    fender_override both[] = {{"integrator.relative_tolerance", value}, {"integrator.absolute_tolerance", absolute}};
    return fnd_app_load_more(c->app, &env, c->app->arguments[0], both, 2, &level->error, exit_code);
}

/* An exit code when there is no use in going on: no memory, or an interruption. */
static int run_level(fnd_converge *c, fnd_converge_level *level, const fender_world_def *def)
{
    fnd_app_progress progress;
    fender_env env = silent(c->app);
    int code;
    level->scenario = load_level(c, level, def, &code);
    if (code != FND_APP_OK) return code;
    level->status = level->error.status;
    fender_run_def run = {.scenario = level->scenario,
                          .progress = fnd_app_progress_draw,
                          .progress_ctx = &progress,
                          .accept_residual = true};
    fnd_app_progress_begin(&progress, c->app);
    if (level->scenario != NULL) level->run = fender_run_create(&env, &run, &level->error);
    level->status = level->error.status;
    if (level->run != NULL) {
        fnd_app_interrupt_watch(level->run);
        level->status = fender_run_execute(level->run, &level->error);
        fnd_app_interrupt_end();
        fnd_app_progress_end(&progress);
    }
    level->complete = level->run != NULL &&
                      (level->status == FENDER_STATUS_OK || level->status == FENDER_STATUS_EXPECTATION);
    if (level->status == FENDER_STATUS_MEMORY || level->status == FENDER_STATUS_INTERRUPTED) {
        char message[160];
        snprintf(message, sizeof message, "the run with %.60s was %s; nothing was compared", level->label,
                 level->status == FENDER_STATUS_MEMORY ? "stopped: there is no memory for it" : "interrupted");
        return fnd_app_error(c->app, level->status, message, "");
    }
    return FND_APP_OK;
}

static int run_levels(fnd_converge *c, const fender_world_def *def)
{
    double value = c->adaptive ? def->relative_tolerance : def->step;
    int code = FND_APP_OK;
    for (int i = 0; i < c->level_count && code == FND_APP_OK; i++) {
        fnd_converge_level *level = &c->levels[i];
        level->value = value / pow(c->ratio, i);
        if (c->adaptive) fnd_number_format_digits(level->value, 4, level->label, sizeof level->label);
        else fnd_app_duration(level->label, level->value);
        code = run_level(c, level, def);
    }
    c->finest = -1;
    for (int i = 0; i < c->level_count; i++) {
        c->complete_count = c->levels[i].complete ? c->complete_count + 1 : c->complete_count;
        if (!c->levels[i].complete) continue;
        if (i == 0 || !c->levels[i - 1].complete) c->complete_count = 1;
        c->finest = i;
    }
    return code;
}

static int tell_failures(fnd_converge *c)
{
    char message[480];
    for (int i = 0; i < c->level_count; i++) {
        fnd_converge_level *level = &c->levels[i];
        if (level->complete) continue;
        fender_error error = level->error;
        snprintf(message, sizeof message, "with %.60s: %.240s", level->label,
                 error.message[0] ? error.message : fender_status_text(level->status));
        snprintf(error.message, sizeof error.message, "%.319s", message);
        fnd_app_print_error(c->app, &error);
    }
    if (c->complete_count >= 3) return FND_APP_OK;
    fnd_app_error(c->app, FENDER_STATUS_INTEGRATOR, "an order needs three levels in a row that come to their end",
                  c->adaptive ? "mend what stops the run first" : "try a shorter integrator.step, or more --levels");
    return FND_APP_RUN_FAILED;
}

/* ---- options */

static bool read_number(const char *text, double *value)
{
    size_t used, length = strlen(text);
    return fnd_number_parse(text, length, value, &used) && used == length;
}

static int read_options(fnd_converge *c)
{
    const char *levels = fnd_app_option_value(c->app, "--levels"), *bound = fnd_app_option_value(c->app, "--bound");
    double number = 4;
    c->bound = 1e-3;
    if (strcmp(c->app->arguments[0], "-") == 0)
        return fnd_app_usage(c->app, "the scenario is read once for each level, which standard input cannot be",
                             "give the name of a file");
    if (levels != NULL &&
        (!read_number(levels, &number) || number != floor(number) || !(number >= 3 && number <= FND_REFINEMENT_LEVELS)))
        return fnd_app_usage(c->app, "'--levels' must be a whole number from 3 to 10", "");
    if (bound != NULL && (!read_number(bound, &c->bound) || !(c->bound > 0 && c->bound < 1)))
        return fnd_app_usage(c->app, "'--bound' must be a number between 0 and 1", "for example --bound 1e-6");
    c->level_count = (int)number;
    return FND_APP_OK;
}

static void choose_refinement(fnd_converge *c, const fender_world_def *def)
{
    c->adaptive = fender_integrator_adaptive(def->method);
    c->ratio = c->adaptive ? 10 : 2;
    /* the error of an adaptive method follows its tolerance, not evenly */
    c->least_order = c->adaptive ? 0.3 : 0.5;
    c->most_order = c->adaptive ? 2 : order_of(def->method) + 1;
    c->time_grain = c->adaptive || def->locate_events ? 0 : def->step;
    c->first_order_by_events = !c->adaptive && !def->locate_events && order_of(def->method) > 1;
}

static int compare(fnd_converge *c)
{
    int code = c->finest >= 0 ? fnd_converge_collect(c) : FND_APP_OK;
    if (code != FND_APP_OK) return code;
    if (c->app->json) fnd_converge_json(c);
    else if (c->complete_count >= 3) fnd_converge_text(c);
    return tell_failures(c);
}

/* What the scenario asks for, found on a world of it; findings are told. */
static int look(fnd_app *app, fender_world_def *def)
{
    fender_error error = {0};
    int code, errors_before = app->error_count;
    fender_scenario *scenario = fnd_app_load(app, app->arguments[0], "nothing was run", &code);
    if (scenario == NULL) return code;
    fender_run_def run_def = {.scenario = scenario};
    fender_run *run = fender_run_create(&app->env, &run_def, &error);
    if (run == NULL) code = fnd_app_fail(app, &error, errors_before, "nothing was run");
    else *def = *fender_world_get_def(fender_run_world(run));
    for (int i = 0; run != NULL && i < app->given_count && code == FND_APP_OK; i++) {
        int count;
        if (strcmp(app->command->options[app->given[i].option].name, "--channel") == 0 &&
            fender_channel_find(fender_run_world(run), app->given[i].value, NULL, 0, &count, &error))
            code = fnd_app_fail(app, &error, errors_before, "nothing was run");
    }
    fender_run_destroy(run);
    fender_scenario_destroy(scenario);
    return code;
}

static int execute(fnd_app *app)
{
    fender_world_def def = {0};
    fnd_converge *c = fnd_app_allocate(app, sizeof *c);
    if (c == NULL) return fnd_app_error(app, FENDER_STATUS_MEMORY, "no memory for the levels", "");
    memset(c, 0, sizeof *c);
    c->app = app;
    int code = read_options(c);
    if (code == FND_APP_OK) code = look(app, &def);
    if (code == FND_APP_OK) {
        choose_refinement(c, &def);
        code = run_levels(c, &def);
        if (code == FND_APP_OK) code = compare(c);
    }
    for (int i = 0; i < FND_REFINEMENT_LEVELS; i++) {
        fender_run_destroy(c->levels[i].run);
        fender_scenario_destroy(c->levels[i].scenario);
    }
    fnd_app_release(app, c->results, c->results_size);
    fnd_app_release(app, c, sizeof *c);
    return code;
}

const fnd_app_command fnd_app_command_converge = {
    .group = "Understand",
    .name = "converge",
    .arguments = "SCENARIO",
    .summary = "refine steps or tolerances; each result with order and error bar",
    .purpose = "run a scenario at refined steps or tolerances; show each result with its order and error bar",
    .details =
        "A method of fixed step runs with the scenario's step, a half of it, a quarter and so on; an adaptive one "
        "with\n"
        "its tolerances divided by 10, 100 and so on. Compared are all contacts, the bodies at the end, the energy\n"
        "residual, and the channels of `expect`. The last lines name the coarsest step that is good enough.\n"
        "A level that fails is told, and the others go on; exit 1 when fewer than three in a row are left.\n",
    .example = "  fender converge two_spheres.yaml --set integrator.locate_events=true --bound 1e-6",
    .files = "",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
