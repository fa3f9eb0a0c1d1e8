/* `fender report`: turns a run directory into one HTML page. */
#include <stdio.h>
#include <string.h>

#include "app.h"

static const fnd_app_option options[] = {
    {"--out", "FILE.html", "the page to write (default: RUN/report.html)"},
};

static char *default_page(const fnd_app *app, const char *directory, size_t *size)
{
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/') length--;
    *size = length + sizeof "/report.html";
    char *page = fnd_app_allocate(app, *size);
    if (page == NULL) return NULL;
    memcpy(page, directory, length);
    memcpy(page + length, "/report.html", sizeof "/report.html");
    return page;
}

static int execute(fnd_app *app)
{
    const char *directory = app->arguments[0], *page = fnd_app_option_value(app, "--out");
    fender_error error = {0};
    size_t size = 0;
    char *made = NULL;
    int code = FND_APP_OK, errors_before = app->error_count;
    if (page == NULL) page = made = default_page(app, directory, &size);
    if (page == NULL)
        return fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the path of the report", "");
    fender_status status = fnd_app_try_recording(app, directory, NULL, &error);
    if (status == FENDER_STATUS_OK) status = fender_report_write(&app->env, directory, page, &error);
    if (status != FENDER_STATUS_OK) {
        code = fnd_app_fail(app, &error, errors_before, "no report was written");
    } else if (app->json) {
        fnd_app_json json;
        fnd_app_json_open(&json, &app->out);
        fnd_app_json_object(&json, NULL);
        fnd_app_json_text(&json, "report", page);
        fnd_app_json_end(&json);
    } else if (!app->quiet) {
        fnd_app_put(&app->out, " wrote ");
        fnd_app_put_clean(&app->out, page);
        fnd_app_put(&app->out, "\n next  open it in a web browser; it needs no network\n");
    }
    fnd_app_release(app, made, size);
    return code;
}

const fnd_app_command fnd_app_command_report = {
    .group = "Start here",
    .name = "report",
    .arguments = "RUN",
    .summary = "make one HTML page of a run, with replay and plots",
    .purpose = "make one HTML page of a run, with replay and plots",
    .details = "RUN is the directory of a run. The page is self-contained.\n",
    .example = "  fender report two_spheres.run",
    .files = "FILE.html",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .least_arguments = 1,
    .most_arguments = 1,
    .execute = execute,
};
