/* `fender study`: many runs of one scenario, their store, their figures. */
#include <fender/study.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "app.h"
#include "cluster.h"
#include "progress.h"
#include "summary.h"

static const fnd_app_option options[] = {
    {"--runs", "N", "run: number of runs, instead of that of the study"},
    {"--jobs", "N", "run: threads (default: one for each core); submit: threads of each shard (default: 1)"},
    {"--shard", "I/N", "run: only runs I, I+N, I+2N .. (I from 0 to N-1)"},
    {"-o", "FILE",
     "the store (default: NAME.study.db in the working directory); merge: the new one; "
     "submit, boundary: the folder (default: NAME.jobs, NAME.boundary)"},
    {"--only", "K", "run: repeat run K alone, in full; show: the run to print (default: 0)"},
    {"--keep", NULL, "with --only: keep its run directory (NAME_K.run), with its report"},
    {"--confidence", "P", "report: of all intervals, in per cent (default: 95)"},
    {"--content", "P", "report: share of all values that tolerance limits hold, in per cent (default: 95)"},
    {"--html", "FILE", "report: also write an HTML page"},
    {"--csv", "FILE", "export: the CSV file to write"},
    {"--hdf5", "FILE", "export: the same as HDF5, a dataset for each column"},
    {"--complete", NULL, "merge: fail when runs of the study are missing"},
    {"--engine", "slurm|parallel|mpi", "submit: what distributes the shards"},
    {"--shards", "N", "submit: number of shards (default: 100, at most one for each run)"},
    {"--options", "TEXT", "submit: more options for sbatch, parallel or mpirun, in one word"},
    {"--dry-run", NULL, "submit: write the scripts, start nothing"},
    {"--what", "LIST", "plot: some of outcomes,convergence,sensitivities,histograms,parallel (default: all)"},
    {"--of", "NAME", "plot: only figures of this outcome, kept value or input"},
    {"--x", "INPUT", "plot: horizontal axis of outcomes (default: the input that correlates most with them)"},
    {"--y", "INPUT", "plot: vertical axis of outcomes (default: the next one)"},
};

static volatile sig_atomic_t interrupted;
static void note_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

void fnd_app_study_name_after(const char *path, const char *ending, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path, *dot = strrchr(base, '.');
    size_t length = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
    snprintf(name, size, "%.*s%s", length < 800 ? (int)length : 800, base, ending);
}

static bool whole_number(const char *text, int64_t least, int64_t *value)
{
    char *end;
    if (text[0] < '0' || text[0] > '9' || strlen(text) > 15) return false;
    *value = strtoll(text, &end, 10);
    return *end == '\0' && *value >= least;
}

bool fnd_app_study_read_count(fnd_app *app, const char *option, int64_t least, int64_t *value, int *code)
{
    const char *text = fnd_app_option_value(app, option);
    char message[160], example[80];
    if (text == NULL || whole_number(text, least, value)) return true;
    snprintf(message, sizeof message, "'%s' needs a whole number from %" PRId64 ", not '%.60s'", option, least, text);
    snprintf(example, sizeof example, "for example %s 8", option);
    *code = fnd_app_usage(app, message, example);
    return false;
}

static bool read_shard(fnd_app *app, fender_study_def *def, int *code)
{
    const char *text = fnd_app_option_value(app, "--shard"), *slash = text != NULL ? strchr(text, '/') : NULL;
    char first[32] = "";
    if (text == NULL) return true;
    if (slash != NULL && slash - text < 20) memcpy(first, text, (size_t)(slash - text));
    if (slash != NULL && whole_number(first, 0, &def->shard) && whole_number(slash + 1, 1, &def->shard_count) &&
        def->shard < def->shard_count)
        return true;
    *code = fnd_app_usage(app, "'--shard' needs I/N with I from 0 to N-1", "the first of seven shards is --shard 0/7");
    return false;
}

typedef struct watched {
    fnd_app *app;
    const fender_study *study;
} watched;

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
add(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

static void add_time(char *text, size_t size, double seconds)
{
    int64_t s = seconds < 1e9 ? (int64_t)ceil(seconds) : 1000000000;
    if (s < 100) add(text, size, "%" PRId64 " s", s);
    else if (s < 6000) add(text, size, "%" PRId64 " min %02" PRId64 " s", s / 60, s % 60);
    else add(text, size, "%" PRId64 " h %02" PRId64 " min", s / 3600, s / 60 % 60);
}

/* "1200 of 5000 runs, 170 a second, 23 s to go; tipped 2.6 %, success 93.6 %; 2 failed": shares of the runs done now.
 */
static void status_text(char *text, size_t size, const fender_study *study, const fender_study_progress *p)
{
    double rate = p->wall_time > 0 ? (double)p->done_now / p->wall_time : 0, done = (double)p->done_now;
    text[0] = '\0';
    add(text, size, "%" PRId64 " of %" PRId64 " runs", p->done, p->total);
    if (rate > 0) add(text, size, ", %.*f a second", rate < 9.95 ? 1 : 0, rate);
    if (rate > 0 && p->done < p->total) {
        add(text, size, ", ");
        add_time(text, size, (double)(p->total - p->done) / rate);
        add(text, size, " to go");
    }
    for (int i = 0; done > 0 && i < fender_study_outcome_count(study) && i < FENDER_STUDY_TOLD; i++)
        add(text, size, "%s%.40s %.3g %%", i == 0 ? "; " : ", ", fender_study_outcome_name(study, i),
            100 * (double)p->came_about[i] / done);
    if (p->failed > 0) add(text, size, "; %" PRId64 " failed", p->failed);
}

static bool shows_progress(const fnd_app *app) { return !app->quiet && !app->json && isatty(STDERR_FILENO) == 1; }

static bool watch(void *ctx, const fender_study_progress *progress)
{
    const watched *w = ctx;
    char text[600];
    struct winsize window = {0, 0, 0, 0};
    if (shows_progress(w->app)) {
        status_text(text, sizeof text, w->study, progress);
        /* a line that is wider than the terminal could not be drawn over */
        if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) window.ws_col = 80;
        fnd_app_print(&w->app->err, "\r%.*s\033[K", (int)window.ws_col - 1, text);
        fnd_app_stream_flush(&w->app->err);
    }
    return !interrupted;
}

/* The report of a run that was kept. A run that left too little for one has said why. */
static void write_report(fnd_app *app, const char *directory)
{
    char page[1100];
    fender_error error = {0};
    snprintf(page, sizeof page, "%s/report.html", directory);
    if (fender_report_write(&app->env, directory, page, &error) != FENDER_STATUS_OK) {
        fnd_app_warn(app, "no report was written", error.message);
    } else if (!app->quiet && !app->json) {
        fnd_app_put(&app->out, " wrote ");
        fnd_app_put_clean(&app->out, page);
        fnd_app_put(&app->out, "\n");
    }
}

static int repeat_one(fnd_app *app, const char *path, const fender_study *study, int64_t run)
{
    char ending[48], directory[1024];
    fender_error error = {0};
    int errors_before = app->error_count;
    fender_scenario *scenario = fender_study_scenario(study, &app->env, run, &error);
    if (scenario == NULL) return fnd_app_fail(app, &error, errors_before, "nothing was run");
    snprintf(ending, sizeof ending, "_%" PRId64 ".run", run);
    fnd_app_study_name_after(path, ending, directory, sizeof directory);
    bool keep = fnd_app_option_value(app, "--keep") != NULL;
    fender_run_def def = {.scenario = scenario, .output_directory = keep ? directory : NULL, .accept_residual = true};
    int code = fnd_app_run(app, &def, "nothing was run");
    fender_scenario_destroy(scenario);
    /* What failed in the middle can be looked at, too. */
    if (keep && code != FND_APP_INTERRUPTED) write_report(app, directory);
    return code;
}

static int carry_out(fnd_app *app, const char *path, const fender_study *study)
{
    char store[1024];
    const char *given = fnd_app_option_value(app, "-o");
    int64_t jobs = 0;
    int code = FND_APP_OK, errors_before = app->error_count;
    fender_error error = {0};
    fender_study_progress result;
    watched w = {app, study};
    fender_study_def def = {.study = study, .store = given, .progress = watch, .progress_ctx = &w};
    fnd_app_study_name_after(path, ".study.db", store, sizeof store);
    if (given == NULL) def.store = store;
    if (!fnd_app_study_read_count(app, "--jobs", 1, &jobs, &code) || !read_shard(app, &def, &code)) return code;
    def.jobs = jobs > 1024 ? 1024 : (int)jobs;
    struct sigaction action = {.sa_handler = note_interrupt}, before;
    sigemptyset(&action.sa_mask);
    action.sa_flags = (int)SA_RESETHAND; /* a second one kills */
    sigaction(SIGINT, &action, &before);
    fender_status status = fender_study_run(&app->env, &def, &result, &error);
    sigaction(SIGINT, &before, NULL);
    if (shows_progress(app)) fnd_app_put(&app->err, "\r\033[K");
    if (status != FENDER_STATUS_OK) {
        code = fnd_app_fail(app, &error, errors_before,
                            result.done_now > 0 ? "completed runs are in the store" : "nothing was run");
        return status == FENDER_STATUS_INTERRUPTED ? FND_APP_INTERRUPTED : code;
    }
    if (app->json)
        fnd_app_print(&app->out,
                      "{\"runs\":%" PRId64 ",\"total\":%" PRId64 ",\"failed_now\":%" PRId64 ",\"done_now\":%" PRId64
                      "}\n",
                      result.done, result.total, result.failed, result.done_now);
    else if (!app->quiet) {
        char text[600];
        status_text(text, sizeof text, study, &result);
        fnd_app_put(&app->out, text);
        fnd_app_put(&app->out, "\n wrote ");
        fnd_app_put_clean(&app->out, def.store);
        fnd_app_put(&app->out, "\n next  fender study report ");
        fnd_app_put_clean(&app->out, def.store);
        fnd_app_put(&app->out, "\n");
    }
    return FND_APP_OK;
}

static void put_text(void *ctx, const char *text) { fnd_app_put(ctx, text); }

/* Of the run that was tried when the study was loaded: the first one that its scenario accepts. */
static void warn_of_step(fnd_app *app, const fender_study *study)
{
    enum { TRIAL_RUNS = 100 };
    fender_env silent = app->env;
    fender_run *run = NULL;
    silent.report = NULL;
    for (int64_t k = 0; run == NULL && k < TRIAL_RUNS && k < fender_study_run_count(study); k++) {
        fender_scenario *scenario = fender_study_scenario(study, &silent, k, NULL);
        fender_run_def def = {.scenario = scenario};
        if (scenario != NULL) run = fender_run_create(&silent, &def, NULL);
        if (run != NULL) (void)fnd_app_look_at_step(app, run, scenario);
        fender_run_destroy(run);
        fender_scenario_destroy(scenario);
    }
}

/* What is shown of a study, and a run that is repeated, tell their own. */
static void report_errors(void *ctx, const fender_diagnostic *diagnostic)
{
    if (diagnostic->severity == FENDER_SEVERITY_ERROR) fnd_app_report(ctx, diagnostic);
}

/* A run as a scenario of its own. */
static int show(fnd_app *app, const char *path, const fender_study *study, int64_t run)
{
    fender_error error = {0};
    int errors_before = app->error_count;
    fnd_app_print(&app->out, "# Run %" PRId64 " of ", run);
    fnd_app_put_clean(&app->out, path);
    fnd_app_put(&app->out, ". Names of files in it are relative to the folder of the study's scenario.\n");
    if (fender_study_print(study, &app->env, run, put_text, &app->out, &error) != FENDER_STATUS_OK)
        return fnd_app_fail(app, &error, errors_before, "");
    return FND_APP_OK;
}

static void put_value(fnd_app *app, const char *text, double value, const fender_study_boundary_result *r)
{
    if (value - value == 0) fnd_app_print(&app->out, "%s%.6g", text, value);
    else fnd_app_print(&app->out, "%s%s", text, value < 0 ? "below the least value" : "above the largest value");
    if (value - value == 0 && r->unit[0]) fnd_app_print(&app->out, " %s", r->unit);
}

/* The boundary as JSON. A value that is not finite is null: a bound beyond the variable's bounds, or no estimate. */
static void put_boundary_json(fnd_app *app, const fender_study_boundary_result *r, const char *directory)
{
    static const char *const words[] = {"less", "not_told", "at_least"};
    fnd_app_json json = {0};
    fnd_app_json_open(&json, &app->out);
    fnd_app_json_object(&json, NULL);
    fnd_app_json_text(&json, "variable", r->variable);
    fnd_app_json_text(&json, "unit", r->unit);
    fnd_app_json_text(&json, "outcome", r->outcome);
    fnd_app_json_text(&json, "searched", r->smallest ? "smallest" : "largest");
    fnd_app_json_number(&json, "probability", r->probability);
    fnd_app_json_number(&json, "confidence", r->confidence);
    fnd_app_json_bool(&json, "crossed", r->crossed);
    fnd_app_json_number(&json, "low", r->low);
    fnd_app_json_number(&json, "high", r->high);
    fnd_app_json_number(&json, "estimate", r->estimate);
    fnd_app_json_array(&json, "places");
    for (int i = 0; i < r->place_count; i++) {
        const fender_boundary_place *p = &r->places[i];
        fnd_app_json_object(&json, NULL);
        fnd_app_json_number(&json, "x", p->x);
        fnd_app_json_integer(&json, "runs", p->runs);
        fnd_app_json_integer(&json, "hits", p->hits);
        fnd_app_json_number(&json, "low", p->low);
        fnd_app_json_number(&json, "high", p->high);
        fnd_app_json_text(&json, "verdict", words[p->verdict + 1]);
        fnd_app_json_end(&json);
    }
    fnd_app_json_end(&json);
    fnd_app_json_text(&json, "stores", directory);
    fnd_app_json_end(&json);
}

static int search_boundary(fnd_app *app, const char *path, const fender_study *study)
{
    static const char *const verdicts[] = {"less", "not told", "at least"};
    char directory[1024];
    const char *given = fnd_app_option_value(app, "-o");
    int64_t jobs = 0;
    int code = FND_APP_OK, errors_before = app->error_count;
    fender_error error = {0};
    fender_study_boundary_result r;
    watched w = {app, study};
    fender_study_boundary_def def = {.study = study, .directory = given, .progress = watch, .progress_ctx = &w};
    fnd_app_study_name_after(path, ".boundary", directory, sizeof directory);
    if (given == NULL) def.directory = directory;
    if (!fnd_app_study_read_count(app, "--jobs", 1, &jobs, &code)) return code;
    def.jobs = jobs > 1024 ? 1024 : (int)jobs;
    struct sigaction action = {.sa_handler = note_interrupt}, before;
    sigemptyset(&action.sa_mask);
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGINT, &action, &before);
    fender_status status = fender_study_boundary(&app->env, &def, &r, &error);
    sigaction(SIGINT, &before, NULL);
    if (!app->quiet && !app->json && isatty(STDERR_FILENO)) fnd_app_put(&app->err, "\r\033[K");
    if (status != FENDER_STATUS_OK) {
        code = fnd_app_fail(app, &error, errors_before, "what was done is kept; the same command goes on");
        return status == FENDER_STATUS_INTERRUPTED ? FND_APP_INTERRUPTED : code;
    }
    if (app->json) {
        put_boundary_json(app, &r, def.directory);
        return FND_APP_OK;
    }
    fnd_app_print(&app->out, "the %s %s at which P(%s) is at least %.6g %%\n", r.smallest ? "smallest" : "largest",
                  r.variable, r.outcome, 100 * r.probability);
    fnd_app_print(&app->out, " %14s %9s %9s   %9s   %s\n", r.variable, "runs", r.outcome, "share", "verdict");
    for (int i = 0; i < r.place_count; i++) {
        const fender_boundary_place *p = &r.places[i];
        fnd_app_print(&app->out, " %14.6g %9" PRId64 " %9" PRId64 "   %7.3f %%   %s\n", p->x, p->runs, p->hits,
                      100 * (double)p->hits / (double)p->runs, verdicts[p->verdict + 1]);
    }
    if (r.crossed) fnd_app_print(&app->out, "the verdicts are not in one order: there is more than one boundary\n");
    else {
        put_value(app, "it lies from ", r.low, &r);
        put_value(app, " to ", r.high, &r);
        fnd_app_print(&app->out, " with confidence %.6g %%, if P(%s) %s with %s\n", 100 * r.confidence, r.outcome,
                      r.smallest ? "rises" : "falls", r.variable);
        if (r.estimate - r.estimate == 0) {
            put_value(app, "estimate ", r.estimate, &r);
            fnd_app_put(&app->out, "\n");
        }
    }
    fnd_app_put(&app->out, " stores in ");
    fnd_app_put_clean(&app->out, def.directory);
    fnd_app_put(&app->out, "\n");
    return FND_APP_OK;
}

enum { RUN, SHOW, REPORT, EXPORT, MERGE, SUBMIT, BOUNDARY, PLOT, ACTION_COUNT };

static int with_study(fnd_app *app, int action)
{
    const char *path = app->arguments[1];
    int64_t runs = 0, only = -1;
    int code = FND_APP_OK, errors_before = app->error_count;
    fender_error error = {0};
    if (app->argument_count != 2) return fnd_app_usage(app, "one study is needed", "fender study run STUDY");
    if (!fnd_app_study_read_count(app, "--runs", 1, &runs, &code) ||
        !fnd_app_study_read_count(app, "--only", 0, &only, &code))
        return code;
    const bool warns = action != SHOW && only < 0;
    fender_env env = app->env;
    if (!warns) env.report = report_errors;
    fender_study *study = fender_study_load(&env, path, runs, &error);
    if (study == NULL) return fnd_app_fail(app, &error, errors_before, "nothing was run");
    if (warns) warn_of_step(app, study);
    if (action == SHOW) code = show(app, path, study, only < 0 ? 0 : only);
    else if (action == SUBMIT) code = fnd_app_study_submit(app, path, study, runs);
    else if (action == BOUNDARY) code = search_boundary(app, path, study);
    else code = only >= 0 ? repeat_one(app, path, study, only) : carry_out(app, path, study);
    fender_study_destroy(study);
    return code;
}

/* A share in per cent; false after a complaint. Below 1 it is meant as a fraction. */
static bool read_percent(fnd_app *app, const char *option, double *share, int *code)
{
    const char *text = fnd_app_option_value(app, option);
    char message[160], *end;
    if (text == NULL) return true;
    *share = strtod(text, &end) / 100;
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && *share >= 0.01 && *share < 1) return true;
    snprintf(message, sizeof message, "'%s' needs per cent from 1 to below 100, not '%.60s'", option, text);
    *code = fnd_app_usage(app, message, "for example 95, or 99.9");
    return false;
}

static int plot(fnd_app *app, const char *store)
{
    const char *out = fnd_app_option_value(app, "-o");
    int count = 0, errors_before = app->error_count;
    fender_error error = {0};
    if (out == NULL)
        return fnd_app_usage(app, "'plot' needs a file or a folder", "fender study plot STORE -o FILE.svg");
    fender_study_plot_def def = {.store = store,
                                 .output = out,
                                 .what = fnd_app_option_value(app, "--what"),
                                 .of = fnd_app_option_value(app, "--of"),
                                 .x = fnd_app_option_value(app, "--x"),
                                 .y = fnd_app_option_value(app, "--y")};
    if (fender_study_plot(&app->env, &def, &count, &error) != FENDER_STATUS_OK)
        return fnd_app_fail(app, &error, errors_before, "");
    if (!app->quiet && !app->json) {
        fnd_app_put(&app->out, " wrote ");
        fnd_app_put_clean(&app->out, out);
        fnd_app_print(&app->out, " (%d %s)\n", count, fnd_app_plural(count, "figure", "figures"));
    }
    return FND_APP_OK;
}

static int execute(fnd_app *app)
{
    static const char *const actions[ACTION_COUNT] = {"run",   "show",   "report",   "export",
                                                      "merge", "submit", "boundary", "plot"};
    const char *action = app->arguments[0], *file = app->arguments[1];
    int errors_before = app->error_count, index = 0;
    fender_error error = {0};
    fender_status status;
    fender_study_report_def report = {.store = file, .put = put_text, .ctx = &app->out};
    int code = FND_APP_OK;
    if (!read_percent(app, "--confidence", &report.confidence, &code) ||
        !read_percent(app, "--content", &report.content, &code))
        return code;
    while (index < ACTION_COUNT && strcmp(action, actions[index]) != 0) index++;
    const char *out = fnd_app_option_value(app, "-o"), *csv = fnd_app_option_value(app, "--csv"),
               *html = fnd_app_option_value(app, "--html"), *hdf5 = fnd_app_option_value(app, "--hdf5");
    switch (index) {
    case RUN:
    case SHOW:
    case SUBMIT:
    case BOUNDARY: return with_study(app, index);
    case REPORT:
        if (app->argument_count > 2)
            return fnd_app_usage(app, "'report' takes one store", "fender study merge -o OUT STORE... joins stores");
        report.json = app->json;
        status = fender_study_report_at(&app->env, &report, &error);
        if (status == FENDER_STATUS_OK && html != NULL) status = fender_study_page(&app->env, file, html, &error);
        break;
    case EXPORT:
        if (csv == NULL && hdf5 == NULL)
            return fnd_app_usage(app, "'export' needs a file", "fender study export STORE --csv FILE, or --hdf5 FILE");
        status = csv != NULL ? fender_study_export(&app->env, file, csv, &error) : FENDER_STATUS_OK;
        if (status == FENDER_STATUS_OK && hdf5 != NULL)
            status = fender_study_export_hdf5(&app->env, file, hdf5, &error);
        break;
    case MERGE:
        if (out == NULL)
            return fnd_app_usage(app, "'merge' needs the name of the new store", "fender study merge -o OUT STORE...");
        status = fender_study_merge(&app->env, out, app->arguments + 1, app->argument_count - 1, &error);
        if (status == FENDER_STATUS_OK) return fnd_app_study_tell_merged(app, out);
        break;
    case PLOT: return plot(app, file);
    default:
        return fnd_app_usage(app,
                             "'study' runs, shows, reports, plots, exports, merges, submits or searches a boundary",
                             "fender study run STUDY, or show, report, plot, export, merge, submit, boundary");
    }
    return status == FENDER_STATUS_OK ? FND_APP_OK : fnd_app_fail(app, &error, errors_before, "");
}

const fnd_app_command fnd_app_command_study = {
    .group = "Understand",
    .name = "study",
    .arguments = "ACTION FILE..",
    .summary = "run a scenario many times with varied inputs; give probabilities with intervals",
    .purpose = "run a scenario many times with varied inputs; give probabilities with intervals",
    .details = "fender study run STUDY        execute the runs that the store does not contain, on all cores\n"
               "fender study report STORE     probabilities, means, quantiles, rank correlations, with 95 % intervals\n"
               "fender study plot STORE -o FILE.svg   figures in one picture; with -o DIR a file each\n"
               "fender study export STORE --csv FILE, or --hdf5 FILE\n"
               "fender study merge -o OUT STORE...   put shards together; the bytes do not depend on their number\n"
               "fender study boundary STUDY   the value of a variable at which a probability is crossed\n"
               "fender study submit STUDY --engine slurm|parallel|mpi   shards of it on a cluster\n"
               "fender study show STUDY --only K     run K as a scenario of its own, for fender run\n\n"
               "Ctrl-C ends the study. Completed runs are in the store, and the same command continues the study.\n",
    .example = "  fender study run samples/studies/landing.yaml -o landing.db\n"
               "  fender study report landing.db",
    .files = "the store (SQLite); submit: the folder NAME.jobs with scripts, shards and the merged store; with --only "
             "K --keep the run directory NAME_K.run",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 2,
    .most_arguments = 10002,
    .execute = execute,
};
