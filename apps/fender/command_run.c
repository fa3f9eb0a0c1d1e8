/* `fender run`, `resume` and `replay`: a run carried out, gone on with, repeated and compared. */
#include "app.h"
#include "guard.h"
#include "progress.h"
#include "summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- carrying out */

/* The summary as the run wrote it. */
static int print_summary_file(fnd_app *app, const char *directory)
{
    char message[400], bytes[1024];
    size_t size = strlen(directory) + sizeof "/summary.json", length;
    char *path = fnd_app_allocate(app, size);
    if (path == NULL)
        return fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the path of the summary", "");
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

/* A run that needs no resuming; what was to be printed of a new one is dropped. */
static int tell_complete(fnd_app *app, const char *directory)
{
    fnd_app_stream_open(&app->out, app->out.descriptor);
    if (app->json) return print_summary_file(app, directory);
    if (app->quiet) return FND_APP_OK;
    fnd_app_put(&app->out, "the run in ");
    fnd_app_put_clean(&app->out, directory);
    fnd_app_put(&app->out, " is complete: there is nothing to resume\n");
    return FND_APP_OK;
}

/* Result of the comparison of hashes. */
static int tell_difference(fnd_app *app, const fender_run *run, const fender_run_def *def)
{
    const fender_run_summary *summary = fender_run_get_summary(run);
    const fender_world *world = fender_run_world(run);
    char at[FND_APP_NUMBER_SIZE], message[400];
    bool same = summary->difference_step < 0;
    if (app->json) {
        fnd_app_print(&app->out, "{\"same\":%s,\"hashes\":%" PRId64 ",\"last_equal_step\":%" PRId64 ",",
                      same ? "true" : "false", summary->hashes_compared, summary->agreement_step);
        if (same) fnd_app_put(&app->out, "\"first_different_step\":null}\n");
        else fnd_app_print(&app->out, "\"first_different_step\":%" PRId64 "}\n", summary->difference_step);
        return same ? FND_APP_OK : FND_APP_RUN_FAILED;
    }
    if (same) {
        if (!app->quiet)
            fnd_app_print(&app->out, "all %" PRId64 " hashes of %s agree, up to step %" PRId64 " (%s)\n",
                          summary->hashes_compared, def->verify_directory, summary->agreement_step,
                          fnd_app_quantity(at, fender_world_time(world), "s"));
        return FND_APP_OK;
    }
    snprintf(message, sizeof message,
             "the repeated run differs from '%.100s' at step %" PRId64
             " (%s); the last hash that agrees is that of step %" PRId64,
             def->verify_directory, summary->difference_step, fnd_app_quantity(at, summary->difference_time, "s"),
             summary->agreement_step);
    if (summary->agreement_step < 0)
        snprintf(message, sizeof message, "the repeated run differs from '%.100s' from its start",
                 def->verify_directory);
    fnd_app_error(app, FENDER_STATUS_EXPECTATION, message,
                  "possible causes: another version of fender, user-defined laws, or faulty hardware");
    return FND_APP_RUN_FAILED;
}

/* Executes a run that was created, and tells how it went. */
static int execute_run(fnd_app *app, fender_run *run, fnd_app_progress *progress, double proposed_step,
                       const fender_run_def *def, const char *consequence)
{
    const fender_run_summary *summary = fender_run_get_summary(run);
    fender_error error = {0};
    int errors_before = app->error_count, code;
    bool told = def->verify_directory == NULL;
    if (told && !app->json && !app->quiet) fnd_app_summary_head(&app->out, summary);
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
    if (def->resume && status == FENDER_STATUS_STATE && summary->file_count == 0)
        return tell_complete(app, def->output_directory);
    bool ended = status == FENDER_STATUS_OK || status == FENDER_STATUS_EXPECTATION ||
                 status == FENDER_STATUS_RESIDUAL || status == FENDER_STATUS_INTERRUPTED;
    if (!ended && summary->file_count == 0 && (summary->step_count == 0 || def->resume)) {
        fnd_app_stream_open(&app->out, app->out.descriptor); /* nothing to sum up: not even its head */
        fnd_app_fail(app, &error, errors_before, consequence);
        return code;
    }
    if (!ended && app->error_count == errors_before) fnd_app_print_error(app, &error);
    if (!told) return ended && status != FENDER_STATUS_INTERRUPTED ? tell_difference(app, run, def) : code;
    if (app->json) {
        int read_code = summary->file_count > 0 ? print_summary_file(app, summary->output_directory) : FND_APP_OK;
        if (code == FND_APP_OK ||
            ((code == FND_APP_EXPECTATION || code == FND_APP_RESIDUAL) && read_code != FND_APP_OK))
            code = read_code;
    } else if (!app->quiet) {
        if (!ended) {
            char end[FND_APP_NUMBER_SIZE];
            fnd_app_print(&app->out, "\n stopped at %s: the following results end there\n",
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

double fnd_app_look_at_step(fnd_app *app, const fender_run *run, const fender_scenario *scenario)
{
    fender_world_advice advice;
    if (fender_world_advise(fender_run_world(run), &app->env, &advice) != FENDER_STATUS_OK) return -1;
    fnd_app_warn_of_step(&advice, app);
    if (advice.proposed_step == 0) {
        const fender_world *world = fender_run_world(run);
        fnd_app_warn_of_system_step(app, world, fender_scenario_stable_step(scenario, &app->env, world));
    }
    double proposed_step = advice.proposed_step;
    fender_world_advice_release(&advice);
    return proposed_step;
}

/* s of wall time that one call of a controller may take */
static const double controller_limit = 10;

int fnd_app_run(fnd_app *app, const fender_run_def *def, const char *consequence)
{
    fnd_app_progress progress;
    fender_error error = {0};
    int errors_before = app->error_count;
    fnd_app_progress_begin(&progress, app);
    fender_run_def whole = *def;
    whole.progress = fnd_app_progress_draw;
    whole.progress_ctx = &progress;
    whole.guard = fnd_app_guard;
    whole.guard_ctx = (void *)(uintptr_t)&controller_limit;
    fender_run *run = fender_run_create(&app->env, &whole, &error);
    if (run == NULL) return fnd_app_fail(app, &error, errors_before, consequence);
    double proposed_step = fnd_app_look_at_step(app, run, def->scenario);
    int code = proposed_step < 0 ? fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for contact types", "")
                                 : execute_run(app, run, &progress, proposed_step, def, consequence);
    fender_run_destroy(run);
    return code;
}

/* ---- run */

static const fnd_app_option run_options[] = {
    {"--set", "PATH=VALUE", "replace a value of the scenario; can be repeated"},
    {"--checkpoint-every", "T", "simulated time between two checkpoints, with unit: sets run.checkpoint_every"},
    {"--threads", "N", "threads that evaluate the contacts, 0: one per core; sets run.threads; same bits for any N"},
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

static int run_scenario(fnd_app *app)
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
        code = fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the command line", "");
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
    .details =
        "SCENARIO - is read from standard input; its results go to stdin.run.\n"
        "Ctrl-C ends the run at an accepted step, closes all files and prints the summary so far. A second Ctrl-C\n"
        "kills the program. On a terminal, a line shows time, per cent, speed and remaining time.\n"
        "`fender resume DIR` continues an interrupted or killed run that has checkpoints.\n",
    .example = "  fender run two_spheres.yaml --set integrator.step=1ms --out fine.run",
    .files = "DIR/summary.json, events.csv, scenario.yaml, the files that `record` names; for the report scene.json,\n"
             "  replay.csv, contacts.csv; for resume and replay scenario.sources, hashes.csv; during the run "
             "checkpoint_*.fcp;\n"
             "  after a failure last_good.fsnap. An existing directory is overwritten only if a run made it",
    .options = run_options,
    .option_count = sizeof run_options / sizeof run_options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = run_scenario,
};

/* ---- resume */

static int execute_resume(fnd_app *app)
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
               "stopped by a full disk. The result equals that of an uninterrupted run: same bits, same files. The "
               "scenario is\n"
               "the original one, even if its files have changed. A complete run is left unchanged (exit 0).\n",
    .example = "  fender run long.yaml --checkpoint-every 10s\n  fender resume long.run",
    .files = "those of `fender run`, in RUN",
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute_resume,
};

/* ---- replay */

static const fnd_app_option replay_options[] = {
    {"--verify", NULL, "compare with every recorded hash; exit 1 if one differs"},
};

static int execute_replay(fnd_app *app)
{
    const char *directory = app->arguments[0];
    fender_error error = {0};
    int errors_before = app->error_count;
    fender_scenario *scenario = fender_scenario_load_run(&app->env, NULL, directory, &error);
    if (scenario == NULL) return fnd_app_fail(app, &error, errors_before, "nothing was run");
    bool verify = fnd_app_option_value(app, "--verify") != NULL;
    fender_run_def def = {
        .scenario = scenario, .verify_directory = verify ? directory : NULL, .repeat_directory = directory};
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
    .details = "The scenario is the original one with its --set options, even if its files have changed.\n"
               "With --verify, the state is compared bit for bit at each row of hashes.csv. An interrupted run is\n"
               "compared as far as it was recorded.\n",
    .example = "  fender replay two_spheres.run --verify",
    .files = "",
    .options = replay_options,
    .option_count = sizeof replay_options / sizeof replay_options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute_replay,
};
