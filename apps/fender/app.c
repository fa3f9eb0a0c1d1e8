/* Shared by all commands: diagnostics, scenarios, files that may crash a library. */
#include "app.h"

#include "progress.h"
#include "support/io_error.h"
#include "tables/hdf5.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fender/recording.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- diagnostics */

enum {
    LINE = 78,       /* columns of a source line that are shown untrimmed */
    BEFORE = 40,     /* columns kept left of the mark of a longer line */
    MARK_LIMIT = 60, /* a mark that ends before this column needs no trimming on its left */
    BEHIND = 14      /* columns kept right of the mark of a longer line */
};

int fnd_app_exit_code(fender_status status, bool running)
{
    switch (status) {
    case FENDER_STATUS_OK: return FND_APP_OK;
    case FENDER_STATUS_FILE: return FND_APP_FILE;
    case FENDER_STATUS_EXPECTATION: return FND_APP_EXPECTATION;
    case FENDER_STATUS_RESIDUAL: return FND_APP_RESIDUAL;
    case FENDER_STATUS_INTERRUPTED: return FND_APP_INTERRUPTED;
    case FENDER_STATUS_MEMORY: return FND_APP_RUN_FAILED;
    default: return running ? FND_APP_RUN_FAILED : FND_APP_INPUT;
    }
}

/* Columns that a terminal gives to a character. */
static int character_width(uint32_t code)
{
    static const struct {
        uint32_t first, last;
        int width;
    } ranges[] = {
        {0x0300, 0x036f, 0}, {0x1100, 0x115f, 2}, {0x200b, 0x200f, 0},   {0x2e80, 0xa4cf, 2},
        {0xac00, 0xd7a3, 2}, {0xf900, 0xfaff, 2}, {0xfe00, 0xfe0f, 0},   {0xfe30, 0xfe6f, 2},
        {0xff00, 0xff60, 2}, {0xffe0, 0xffe6, 2}, {0x1f300, 0x1faff, 2}, {0x20000, 0x3fffd, 2},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (code >= ranges[i].first && code <= ranges[i].last) return ranges[i].width;
    return 1;
}

/* The source line, trimmed around the mark if it is long, and the mark beneath: a caret and tildes. */
static void print_excerpt(fnd_app *app, const char *line, int column, int length)
{
    int count = 0, first = 0, last, mark_begin = column - 1, mark_end;
    uint32_t code;
    for (const char *at = line; *at; at += fnd_app_character(at, &code)) count++;
    if (length < 1) length = 1;
    mark_end = mark_begin + length;
    if (mark_end > count && mark_begin < count) mark_end = count;
    last = count;
    if (count > LINE) {
        int shown_end = mark_end - mark_begin > LINE ? mark_begin + LINE : mark_end;
        mark_end = shown_end;
        if (shown_end > MARK_LIMIT) first = mark_begin > BEFORE ? mark_begin - BEFORE : 0;
        if (shown_end + BEHIND < count) last = shown_end + BEHIND;
    }
    int index = 0;
    if (first > 0) fnd_app_put(&app->err, "... ");
    for (const char *at = line; *at && index < last; index++) {
        size_t bytes = fnd_app_character(at, &code);
        if (index >= first) {
            bool clean = code == '\t' || (code >= 0x20 && code != 0x7f && code != 0xfffd);
            fnd_app_put_bytes(&app->err, clean ? at : "?", clean ? bytes : 1);
        }
        at += bytes;
    }
    fnd_app_put(&app->err, last < count ? " ...\n" : "\n");
    if (column < 1) return;
    if (first > 0) fnd_app_put(&app->err, "    ");
    index = 0;
    const char *at = line;
    for (; index < mark_begin; index++) {
        code = ' ';
        if (*at) at += fnd_app_character(at, &code);
        if (index < first) continue;
        for (int i = character_width(code); i > 0; i--) fnd_app_put(&app->err, code == '\t' ? "\t" : " ");
    }
    fnd_app_put(&app->err, "^");
    for (bool begun = false; index < mark_end; index++) {
        code = ' ';
        if (*at) at += fnd_app_character(at, &code);
        for (int i = character_width(code) - (begun ? 0 : 1); i > 0; i--) fnd_app_put(&app->err, "~");
        begun = true;
    }
    fnd_app_put(&app->err, "\n");
}

static const char *severity_name(fender_severity severity)
{
    return severity == FENDER_SEVERITY_ERROR ? "error" : severity == FENDER_SEVERITY_WARNING ? "warning" : "note";
}

static void print_json(fnd_app *app, const fender_diagnostic *diagnostic)
{
    static const char *const names[] = {
#define FND_APP_STATUS_NAME(number, name, text) #name,
        FENDER_STATUS_LIST(FND_APP_STATUS_NAME)
#undef FND_APP_STATUS_NAME
    };
    fnd_app_json json;
    size_t status = (size_t)diagnostic->status;
    fnd_app_json_open(&json, &app->err);
    fnd_app_json_object(&json, NULL);
    fnd_app_json_text(&json, "severity", severity_name(diagnostic->severity));
    fnd_app_json_text(&json, "status", status < sizeof names / sizeof names[0] ? names[status] : "UNKNOWN");
    fnd_app_json_text(&json, "file", diagnostic->file);
    fnd_app_json_integer(&json, "line", diagnostic->line);
    fnd_app_json_integer(&json, "column", diagnostic->column);
    fnd_app_json_integer(&json, "length", diagnostic->length);
    fnd_app_json_text(&json, "message", diagnostic->message);
    fnd_app_json_text(&json, "found", diagnostic->found);
    fnd_app_json_text(&json, "expected", diagnostic->expected);
    fnd_app_json_text(&json, "suggestion", diagnostic->suggestion);
    fnd_app_json_end(&json);
}

/* A part of a diagnostic on a line of its own, unless the message says it already. */
static void print_part(fnd_app *app, const char *label, const char *part, const char *message)
{
    if (part[0] == '\0' || strstr(message, part) != NULL) return;
    fnd_app_put(&app->err, "  ");
    fnd_app_put(&app->err, label);
    fnd_app_put_clean(&app->err, part);
    fnd_app_put(&app->err, "\n");
}

static void print_text(fnd_app *app, const fender_diagnostic *diagnostic)
{
    if (diagnostic->file[0]) {
        fnd_app_put_clean(&app->err, diagnostic->file);
        if (diagnostic->line > 0) fnd_app_print(&app->err, ":%d", diagnostic->line);
        if (diagnostic->line > 0 && diagnostic->column > 0) fnd_app_print(&app->err, ":%d", diagnostic->column);
        fnd_app_put(&app->err, ": ");
    }
    fnd_app_print(&app->err, "%s: ", severity_name(diagnostic->severity));
    fnd_app_put_clean(&app->err, diagnostic->message);
    fnd_app_put(&app->err, "\n");
    if (diagnostic->line > 0 && diagnostic->excerpt[0])
        print_excerpt(app, diagnostic->excerpt, diagnostic->column, diagnostic->length);
    /* The marked text need not be repeated, and a remedy implies what was expected. */
    bool seen = diagnostic->found[0] == '\0' || strcmp(diagnostic->found, "nothing") == 0 ||
                strstr(diagnostic->excerpt, diagnostic->found) != NULL;
    if (!seen) print_part(app, "found ", diagnostic->found, diagnostic->message);
    if (!seen || diagnostic->suggestion[0] == '\0')
        print_part(app, "expected ", diagnostic->expected, diagnostic->message);
    print_part(app, "", diagnostic->suggestion, diagnostic->message);
}

/* Output of a run for contacts with `debug`, without a limit of lines. */
static void tell(fnd_app *app, const fender_diagnostic *diagnostic)
{
    fnd_app_progress_end(app->progress);
    if (app->json) print_json(app, diagnostic);
    else print_text(app, diagnostic);
    fnd_app_stream_flush(&app->err);
}

void fnd_app_report(void *ctx, const fender_diagnostic *diagnostic)
{
    fnd_app *app = ctx;
    if (diagnostic->severity == FENDER_SEVERITY_NOTE && app->progress) {
        tell(app, diagnostic);
        return;
    }
    const bool error = diagnostic->severity == FENDER_SEVERITY_ERROR;
    if (error) app->error_count++;
    /* what `fender check` says; not what the run itself warns of */
    if (!error && app->quiet && diagnostic->file[0]) return;
    const bool first = app->unshown.errors + app->unshown.warnings == 0;
    const bool shown = fnd_app_unshown_count(&app->unshown, diagnostic);
    if (app->progress) fnd_app_progress_end(app->progress);
    if (app->json) { /* a program can read them all */
        print_json(app, diagnostic);
    } else if (shown) {
        if (!first) fnd_app_put(&app->err, "\n");
        print_text(app, diagnostic);
    }
    fnd_app_stream_flush(&app->err);
}

void fnd_app_warn(fnd_app *app, const char *message, const char *suggestion)
{
    fender_diagnostic warning = {.severity = FENDER_SEVERITY_WARNING,
                                 .status = FENDER_STATUS_VALUE,
                                 .file = "",
                                 .excerpt = "",
                                 .message = message,
                                 .found = "",
                                 .expected = "",
                                 .suggestion = suggestion};
    bool quiet = app->quiet;
    app->quiet = false;
    fnd_app_report(app, &warning);
    app->quiet = quiet;
}

void fnd_app_print_error(fnd_app *app, const fender_error *error)
{
    fender_diagnostic diagnostic = {.severity = FENDER_SEVERITY_ERROR,
                                    .status = error->status,
                                    .file = error->source,
                                    .line = error->line,
                                    .column = error->column,
                                    .length = 0,
                                    .excerpt = "",
                                    .message = error->message[0] ? error->message : fender_status_text(error->status),
                                    .found = error->found,
                                    .expected = error->expected,
                                    .suggestion = error->suggestion};
    fnd_app_report(app, &diagnostic);
}

int fnd_app_fail(fnd_app *app, const fender_error *error, int errors_before, const char *consequence)
{
    if (app->error_count == errors_before) fnd_app_print_error(app, error);
    if (!app->json) {
        fnd_app_unshown_tell(&app->unshown, &app->err);
        fnd_app_print(&app->err, "\n%d %s%s%s\n", app->error_count, fnd_app_plural(app->error_count, "error", "errors"),
                      consequence[0] ? "; " : "", consequence);
    }
    fnd_app_stream_flush(&app->err);
    return fnd_app_exit_code(error->status, false);
}

int fnd_app_error(fnd_app *app, fender_status status, const char *message, const char *suggestion)
{
    fender_error error = {.status = status, .count = 1};
    snprintf(error.message, sizeof error.message, "%s", message);
    snprintf(error.suggestion, sizeof error.suggestion, "%s", suggestion);
    fnd_app_print_error(app, &error);
    return fnd_app_exit_code(status, false);
}

int fnd_app_usage(fnd_app *app, const char *message, const char *suggestion)
{
    fnd_app_error(app, FENDER_STATUS_ARGUMENT, message, suggestion);
    return FND_APP_USAGE;
}

/* ---- scenarios */

/* Options that are short for --set PATH. */
static const struct {
    const char *option, *path;
} short_settings[] = {{"--checkpoint-every", "run.checkpoint_every"}, {"--threads", "run.threads"}};

static const char *path_of_option(const char *option)
{
    for (size_t i = 0; i < sizeof short_settings / sizeof short_settings[0]; i++)
        if (strcmp(short_settings[i].option, option) == 0) return short_settings[i].path;
    return NULL;
}

/* Copies the path of PATH=VALUE, so that it ends where the equals sign was. */
static bool split_setting(fnd_app *app, const char *text, char *paths, size_t *used, fender_override *override)
{
    const char *equals = strchr(text, '=');
    char message[200];
    if (equals == NULL || equals == text || equals[1] == '\0') {
        snprintf(message, sizeof message, "'%.80s' does not set anything", text);
        fnd_app_usage(app, message, "write --set PATH=VALUE, as in --set bodies.veh2.state.velocity.x=-1m/s");
        return false;
    }
    size_t length = (size_t)(equals - text);
    override->path = memcpy(paths + *used, text, length);
    paths[*used + length] = '\0';
    *used += length + 1;
    override->value = equals + 1;
    return true;
}

/* All of standard input; more than a scenario may have is left to the reader of scenarios to refuse. NULL after an
 * error, which has been told. */
static char *read_standard_input(fnd_app *app, size_t *length, size_t *capacity, int *exit_code)
{
    const size_t limit = ((size_t)64 << 20) + 1;
    *length = 0;
    *capacity = 1 << 16;
    char *text = fnd_app_allocate(app, *capacity);
    while (text != NULL) {
        size_t got = fread(text + *length, 1, *capacity - *length, stdin);
        *length += got;
        if (got == 0 || *length >= limit) break;
        if (*length < *capacity) continue;
        char *larger = fnd_app_allocate(app, 2 * *capacity);
        if (larger != NULL) memcpy(larger, text, *length);
        fnd_app_release(app, text, *capacity);
        *capacity *= 2;
        text = larger;
    }
    if (text == NULL) {
        *exit_code = fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for standard input", "");
    } else if (ferror(stdin)) {
        *exit_code = fnd_app_error(app, FENDER_STATUS_FILE, "cannot read standard input", "");
        fnd_app_release(app, text, *capacity);
        text = NULL;
    }
    return text;
}

static fender_scenario *load(fnd_app *app, const fender_env *env, const char *path, const fender_override *overrides,
                             int count, fender_error *error, int *exit_code)
{
    size_t length, capacity;
    if (strcmp(path, "-") != 0) return fender_scenario_load(env, NULL, path, overrides, count, error);
    char *text = read_standard_input(app, &length, &capacity, exit_code);
    if (text == NULL) return NULL;
    fender_scenario *scenario = fender_scenario_parse(env, NULL, FND_APP_STDIN, text, length, overrides, count, error);
    fnd_app_release(app, text, capacity);
    return scenario;
}

fender_scenario *fnd_app_load_more(fnd_app *app, const fender_env *env, const char *path, const fender_override *more,
                                   int more_count, fender_error *error, int *exit_code)
{
    size_t path_bytes = 1, used = 0;
    size_t override_bytes = (size_t)(app->given_count + more_count) * sizeof(fender_override);
    for (int i = 0; i < app->given_count; i++) path_bytes += strlen(app->given[i].value) + 1;
    char *paths = fnd_app_allocate(app, path_bytes);
    fender_override *overrides = fnd_app_allocate(app, override_bytes);
    fender_scenario *scenario = NULL;
    int count = 0;
    *exit_code = FND_APP_OK;
    if (paths == NULL || overrides == NULL) {
        *exit_code = fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the --set options", "");
    }
    for (int i = 0; i < app->given_count && *exit_code == FND_APP_OK; i++) {
        const char *option = app->command->options[app->given[i].option].name, *short_for = path_of_option(option);
        if (short_for != NULL) overrides[count++] = (fender_override){short_for, app->given[i].value};
        if (strcmp(option, "--set") != 0) continue;
        if (!split_setting(app, app->given[i].value, paths, &used, &overrides[count])) *exit_code = FND_APP_USAGE;
        count++;
    }
    for (int i = 0; i < more_count && *exit_code == FND_APP_OK; i++) overrides[count++] = more[i];
    if (*exit_code == FND_APP_OK) scenario = load(app, env, path, overrides, count, error, exit_code);
    fnd_app_release(app, paths, path_bytes);
    fnd_app_release(app, overrides, override_bytes);
    return scenario;
}

fender_scenario *fnd_app_load(fnd_app *app, const char *path, const char *consequence, int *exit_code)
{
    fender_error error = {0};
    int errors_before = app->error_count;
    fender_scenario *scenario = fnd_app_load_more(app, &app->env, path, NULL, 0, &error, exit_code);
    if (scenario == NULL && *exit_code == FND_APP_OK)
        *exit_code = fnd_app_fail(app, &error, errors_before, consequence);
    return scenario;
}

/* ---- files read in a process of their own first */

/* A slow disk gives a megabyte a second; a reader that goes round in circles is waited for in vain. */
enum { LEAST_SECONDS = 10, BYTES_A_SECOND = 1 << 20, MOST_SECONDS = 3600 };

int fnd_app_apart(void (*work)(void *ctx), void *ctx, unsigned seconds)
{
    pid_t child = fork();
    if (child < 0) return 0;
    if (child == 0) {
        sigset_t alarms;
        const struct rlimit none = {0, 0};
        int nowhere = open("/dev/null", O_WRONLY);
        const int ends[] = {SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}; /* whatever the caller made of them */
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) signal(ends[i], SIG_DFL);
        sigemptyset(&alarms);
        sigaddset(&alarms, SIGALRM);
        sigprocmask(SIG_UNBLOCK, &alarms, NULL);
        setrlimit(RLIMIT_CORE, &none);
        if (nowhere >= 0) dup2(nowhere, STDERR_FILENO); /* the last words of an allocator, for instance */
        alarm(seconds);
        work(ctx);
        _exit(EXIT_SUCCESS);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return 0;
    if (WIFSIGNALED(status)) return WTERMSIG(status);
    return WEXITSTATUS(status) == EXIT_SUCCESS ? 0 : SIGABRT; /* a sanitizer ends a program by itself */
}

typedef struct trial {
    const fender_env *env;
    const char *file, *time;
} trial;

static void read_recording(void *ctx)
{
    const trial *t = ctx;
    fender_recording recorded;
    (void)fender_recording_open(&recorded, t->env, t->file, t->time, true, NULL);
}

static fender_status try_file(const fnd_app *app, const char *file, const char *time, fender_error *error)
{
    struct stat about;
    char message[320], found[120], excerpt[160];
    if (!fnd_hdf5_is(file) || stat(file, &about) != 0) return FENDER_STATUS_OK;
    long long seconds = LEAST_SECONDS + (long long)about.st_size / BYTES_A_SECOND;
    if (seconds > MOST_SECONDS) seconds = MOST_SECONDS;
    trial t = {&app->env, file, time};
    int number = fnd_app_apart(read_recording, &t, (unsigned)seconds);
    if (number == 0) return FENDER_STATUS_OK;
    fnd_io_excerpt(excerpt, sizeof excerpt, file, strlen(file));
    if (number == SIGALRM) {
        snprintf(message, sizeof message, "the HDF5 library does not finish reading '%s'", excerpt);
        snprintf(found, sizeof found, "no result after %lld s in a separate process", seconds);
    } else {
        snprintf(message, sizeof message, "the HDF5 library crashes on '%s'", excerpt);
        snprintf(found, sizeof found, "signal %d in a separate process", number);
    }
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = file, .message = message, .found = found,
                       .expected = "an HDF5 file that is not damaged",
                       .suggestion = "use another copy of the file, or run the scenario again");
}

fender_status fnd_app_try_recording(const fnd_app *app, const char *name, const char *time, fender_error *error)
{
    fender_status status = FENDER_STATUS_OK;
    DIR *folder = opendir(name);
    if (!folder) return try_file(app, name, time, error);
    for (const struct dirent *entry = readdir(folder); entry && status == FENDER_STATUS_OK; entry = readdir(folder)) {
        char path[1024];
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || (strcmp(dot, ".h5") != 0 && strcmp(dot, ".hdf5") != 0)) continue;
        snprintf(path, sizeof path, "%.700s/%.300s", name, entry->d_name);
        status = try_file(app, path, time, error);
    }
    closedir(folder);
    return status;
}
