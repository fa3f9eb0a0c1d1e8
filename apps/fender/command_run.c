/* `fender run`: simulates a scenario, writes its tables, prints the summary. */
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "interrupt.h"
#include "progress.h"
#include "summary.h"
#include "survey.h"

static const fnd_app_option options[] = {
    {"--set", "PATH=VALUE", "replace a value of the scenario; may be given several times"},
    {"--out", "DIR", "directory for the results (default: NAME.run in the working directory)"},
};

/* NAME.run for a scenario DIR/NAME.yaml. */
static char *default_directory(const fnd_app *app, const char *scenario, size_t *size)
{
    if (strcmp(scenario, "-") == 0) scenario = FND_APP_STDIN;
    const char *slash = strrchr(scenario, '/'), *name = slash != NULL ? slash + 1 : scenario;
    const char *dot = strrchr(name, '.');
    size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    *size = length + sizeof ".run";
    char *directory = fnd_app_allocate(app, *size);
    if (directory == NULL) return NULL;
    memcpy(directory, name, length);
    memcpy(directory + length, ".run", sizeof ".run");
    return directory;
}

static bool needs_quotes(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
    return word[0] == '\0' || word[strspn(word, plain)] != '\0';
}

/* Writes the word so that a shell reads it back as one; returns its length. `to` may be NULL, to measure. */
static size_t quote_word(char *to, const char *word)
{
    size_t used = 0;
    bool quotes = needs_quotes(word);
    if (quotes && to != NULL) to[used] = '\'';
    if (quotes) used++;
    for (; *word; word++) {
        const char *piece = quotes && *word == '\'' ? "'\\''" : NULL;
        size_t length = piece != NULL ? strlen(piece) : 1;
        if (to != NULL) memcpy(to + used, piece != NULL ? piece : word, length);
        used += length;
    }
    if (quotes && to != NULL) to[used] = '\'';
    return quotes ? used + 1 : used;
}

/* The whole command line, as a shell would take it again. */
static char *command_line(const fnd_app *app, size_t *size)
{
    *size = sizeof "fender";
    for (int i = 1; i < app->argument_total; i++) *size += 1 + quote_word(NULL, app->argument_values[i]);
    char *line = fnd_app_allocate(app, *size);
    if (line == NULL) return NULL;
    size_t used = sizeof "fender" - 1;
    memcpy(line, "fender", used);
    for (int i = 1; i < app->argument_total; i++) {
        line[used++] = ' ';
        used += quote_word(line + used, app->argument_values[i]);
    }
    line[used] = '\0';
    return line;
}

/* The summary as the run wrote it. */
static int print_summary_file(fnd_app *app, const char *directory)
{
    char message[400], bytes[1024];
    size_t size = strlen(directory) + sizeof "/summary.json", length;
    char *path = fnd_app_allocate(app, size);
    if (path == NULL) return fnd_app_error(app, FENDER_STATUS_MEMORY, "no memory for the path of the summary", "");
    snprintf(path, size, "%s/summary.json", directory);
    FILE *file = fopen(path, "rb");
    bool failed = file == NULL;
    while (!failed && (length = fread(bytes, 1, sizeof bytes, file)) > 0) fnd_app_put_bytes(&app->out, bytes, length);
    if (file != NULL) {
        failed = ferror(file) != 0;
        fclose(file);
    }
    if (failed) snprintf(message, sizeof message, "the summary '%.300s' cannot be read", path);
    fnd_app_release(app, path, size);
    return failed ? fnd_app_error(app, FENDER_STATUS_FILE, message, "") : FND_APP_OK;
}

/* Executes a run that was created, and tells how it went. */
static int execute_run(fnd_app *app, fender_run *run, fnd_app_progress *progress, double proposed_step)
{
    const fender_run_summary *summary = fender_run_get_summary(run);
    fender_error error = {0};
    int errors_before = app->error_count, code;
    if (!app->json && !app->quiet) fnd_app_summary_head(&app->out, summary);
    fnd_app_interrupt_watch(run);
    bool quiet = app->quiet;
    app->progress = progress;
    app->quiet = false; /* what a run warns of concerns every number that it gives */
    fender_status status = fender_run_execute(run, &error);
    app->quiet = quiet;
    app->progress = NULL;
    fnd_app_interrupt_end();
    fnd_app_progress_end(progress);
    code = fnd_app_exit_code(status, true);
    summary = fender_run_get_summary(run);
    bool ended = status == FENDER_STATUS_OK || status == FENDER_STATUS_EXPECTATION ||
                 status == FENDER_STATUS_INTERRUPTED;
    if (!ended && summary->step_count == 0 && summary->file_count == 0) {
        fnd_app_stream_open(&app->out, app->out.descriptor); /* nothing to sum up: not even its head */
        fnd_app_fail(app, &error, errors_before, "nothing was run");
        return code;
    }
    if (!ended && app->error_count == errors_before) fnd_app_print_error(app, &error);
    if (app->json) {
        int read_code = summary->file_count > 0 ? print_summary_file(app, summary->output_directory) : FND_APP_OK;
        if (code == FND_APP_OK || (code == FND_APP_EXPECTATION && read_code != FND_APP_OK)) code = read_code;
    } else if (!app->quiet) {
        if (!ended) {
            char end[FND_APP_NUMBER_SIZE];
            fnd_app_print(&app->out, "\n stopped at %s: what follows is true up to there\n",
                          fnd_app_quantity(end, summary->end_time, "s"));
        }
        fnd_app_summary_body(&app->out, summary, fender_run_world(run), proposed_step);
    } else if (status == FENDER_STATUS_EXPECTATION) {
        char message[80];
        int missed = summary->expectation_count - summary->expectations_met;
        snprintf(message, sizeof message, "%d of %d %s missed", missed, summary->expectation_count,
                 fnd_app_plural(summary->expectation_count, "expectation was", "expectations were"));
        fnd_app_error(app, status, message, "");
    }
    return code;
}

/* Says before the run what its step cannot do. The step to try instead, or 0; negative: no memory. */
static double look_at_step(fnd_app *app, const fender_run *run)
{
    fnd_app_survey survey;
    if (!fnd_app_survey_begin(&survey, app, fender_run_world(run))) return -1;
    fnd_app_survey_warn_of_step(&survey, app);
    double proposed_step = survey.proposed_step;
    fnd_app_survey_end(&survey, app);
    return proposed_step;
}

static int run_scenario(fnd_app *app, const fender_scenario *scenario, const char *directory, const char *line)
{
    fnd_app_progress progress;
    fender_error error = {0};
    int errors_before = app->error_count;
    fnd_app_progress_begin(&progress, app);
    fender_run_def def = {.scenario = scenario,
                          .output_directory = directory,
                          .command_line = line,
                          .progress = fnd_app_progress_draw,
                          .progress_ctx = &progress};
    fender_run *run = fender_run_create(&app->env, &def, &error);
    if (run == NULL) return fnd_app_fail(app, &error, errors_before, "nothing was run");
    double proposed_step = look_at_step(app, run);
    int code = proposed_step < 0 ? fnd_app_error(app, FENDER_STATUS_MEMORY, "no memory for contact types", "")
                                 : execute_run(app, run, &progress, proposed_step);
    fender_run_destroy(run);
    return code;
}

static int execute(fnd_app *app)
{
    const char *path = app->arguments[0], *directory = fnd_app_option_value(app, "--out");
    size_t default_size = 0, line_size;
    char *made = NULL;
    int code;
    fender_scenario *scenario = fnd_app_load(app, path, "nothing was run", &code);
    if (scenario == NULL) return code;
    if (directory == NULL) directory = made = default_directory(app, path, &default_size);
    char *line = command_line(app, &line_size);
    if (directory == NULL || line == NULL) {
        code = fnd_app_error(app, FENDER_STATUS_MEMORY, "no memory for the command line", "");
    } else if (directory[0] == '\0') {
        code = fnd_app_usage(app, "'--out' needs the name of a directory", "");
    } else {
        code = run_scenario(app, scenario, directory, line);
    }
    fnd_app_release(app, line, line_size);
    fnd_app_release(app, made, default_size);
    fender_scenario_destroy(scenario);
    return code;
}

const fnd_app_command fnd_app_command_run = {
    .group = "Start here",
    .name = "run",
    .arguments = "SCENARIO",
    .summary = "simulate; write tables and a summary",
    .purpose = "simulate a scenario; write tables and a summary",
    .details = "SCENARIO - is read from standard input; its results go to stdin.run.\n"
               "Ctrl-C ends the run at an accepted step, closes all files and prints the summary so far; a second one\n"
               "kills. On a terminal a line shows time, per cent, speed and remaining time.\n",
    .example = "  fender run two_spheres.yaml --set integrator.step=1ms --out fine.run",
    .files = "DIR/summary.json, events.csv, scenario.yaml, the files that `record` names, and for the report\n"
             "  scene.json, replay.csv, contacts.csv; an existing directory is overwritten only if a run made it",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
