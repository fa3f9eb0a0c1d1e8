/* Printing of diagnostics: place, message, the source line with a caret, remedy; or one JSON object per line. */
#include "app.h"
#include "progress.h"

#include <stdio.h>
#include <string.h>

enum {
    SHOWN = 20,      /* diagnostics printed in full, the rest is counted */
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
    /* What stands at the caret needs no telling, and a remedy says what was expected. */
    bool seen = diagnostic->found[0] == '\0' || strcmp(diagnostic->found, "nothing") == 0 ||
                strstr(diagnostic->excerpt, diagnostic->found) != NULL;
    if (!seen) print_part(app, "found ", diagnostic->found, diagnostic->message);
    if (!seen || diagnostic->suggestion[0] == '\0')
        print_part(app, "expected ", diagnostic->expected, diagnostic->message);
    print_part(app, "", diagnostic->suggestion, diagnostic->message);
}

/* What a run tells of a contact under `debug`: every line, however many. */
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
    if (diagnostic->severity == FENDER_SEVERITY_ERROR) {
        app->error_count++;
    } else {
        if (app->quiet && diagnostic->file[0]) return; /* what `fender check` says; not what the run itself warns of */
        app->warning_count++;
    }
    int shown = app->error_count + app->warning_count;
    if (app->progress) fnd_app_progress_end(app->progress);
    if (shown <= SHOWN) {
        if (app->json) {
            print_json(app, diagnostic);
        } else {
            if (shown > 1) fnd_app_put(&app->err, "\n");
            print_text(app, diagnostic);
        }
    } else if (app->json) {
        print_json(app, diagnostic); /* a program can read them all */
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
        int hidden = app->error_count + app->warning_count - SHOWN;
        if (hidden > 0) fnd_app_print(&app->err, "\n%d more %s not shown\n", hidden, hidden == 1 ? "is" : "are");
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
