/* `fender run`: simulates a scenario, writes its tables, prints the summary. */
#include <string.h>

#include "app.h"
#include "execute.h"

static const fnd_app_option options[] = {
    {"--set", "PATH=VALUE", "replace a value of the scenario; can be repeated"},
    {"--checkpoint-every", "T", "simulated time between two checkpoints, with unit: sets run.checkpoint_every"},
    {"--accept-residual", NULL, "exit with 0 even if the energy residual is too large (else 6)"},
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
        fender_run_def def = {.scenario = scenario, .output_directory = directory, .command_line = line};
        def.accept_residual = fnd_app_option_value(app, "--accept-residual") != NULL;
        code = fnd_app_run(app, &def, "nothing was run");
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
               "kills. On a terminal a line shows time, per cent, speed and remaining time.\n"
               "`fender resume DIR` continues an interrupted or killed run that has checkpoints.\n",
    .example = "  fender run two_spheres.yaml --set integrator.step=1ms --out fine.run",
    .files =
        "DIR/summary.json, events.csv, scenario.yaml, the files that `record` names; for the report scene.json,\n"
        "  replay.csv, contacts.csv; for repetition scenario.sources, hashes.csv, while it runs checkpoint_*.fcp;\n"
        "  after a failure last_good.fsnap. An existing directory is overwritten only if a run made it",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
