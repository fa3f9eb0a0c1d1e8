/* Carrying out a run that a command has prepared, and telling how it went. */
#include "execute.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "interrupt.h"
#include "progress.h"
#include "step_warnings.h"
#include "summary.h"

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

/* What the comparison of hashes gave. */
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
                  "another version of fender, laws of one's own, or a damaged machine may be why");
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
static double look_at_step(fnd_app *app, const fender_run *run, const fender_scenario *scenario)
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

int fnd_app_run(fnd_app *app, const fender_run_def *def, const char *consequence)
{
    fnd_app_progress progress;
    fender_error error = {0};
    int errors_before = app->error_count;
    fnd_app_progress_begin(&progress, app);
    fender_run_def whole = *def;
    whole.progress = fnd_app_progress_draw;
    whole.progress_ctx = &progress;
    fender_run *run = fender_run_create(&app->env, &whole, &error);
    if (run == NULL) return fnd_app_fail(app, &error, errors_before, consequence);
    double proposed_step = look_at_step(app, run, def->scenario);
    int code = proposed_step < 0 ? fnd_app_error(app, FENDER_STATUS_MEMORY, "no memory for contact types", "")
                                 : execute_run(app, run, &progress, proposed_step, def, consequence);
    fender_run_destroy(run);
    return code;
}
