/* `fender new`: prints a commented starter scenario. */
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "starters.h"
#include "support/io_error.h"

/* The one-line title of a starter, as its file gives it. */
static void put_title(fnd_app_stream *to, const fnd_app_starter *starter)
{
    const char *at = strstr(starter->text, "\ntitle: ");
    if (at == NULL) return;
    at += strlen("\ntitle: ");
    fnd_app_put_bytes(to, at, strcspn(at, "\n"));
}

/* The first few: the others are listed by the command without a name. */
static void put_names(fnd_app_stream *to)
{
    const fnd_app_starter *starter = fnd_app_starters;
    for (; starter->name != NULL && starter < fnd_app_starters + 4; starter++)
        fnd_app_print(to, "%s%s", starter == fnd_app_starters ? " (" : ", ", starter->name);
    if (starter != fnd_app_starters) fnd_app_put(to, starter->name != NULL ? ", ..)" : ")");
}

static void list_starters(fnd_app *app)
{
    size_t width = 0;
    for (const fnd_app_starter *starter = fnd_app_starters; starter->name != NULL; starter++)
        if (strlen(starter->name) > width) width = strlen(starter->name);
    if (app->json) {
        fnd_app_json json;
        fnd_app_json_open(&json, &app->out);
        fnd_app_json_array(&json, NULL);
        for (const fnd_app_starter *starter = fnd_app_starters; starter->name != NULL; starter++)
            fnd_app_json_text(&json, NULL, starter->name);
        fnd_app_json_end(&json);
        return;
    }
    for (const fnd_app_starter *starter = fnd_app_starters; starter->name != NULL; starter++) {
        fnd_app_print(&app->out, "  %s", starter->name);
        fnd_app_put_padding(&app->out, strlen(starter->name) + 2, width + 4);
        put_title(&app->out, starter);
        fnd_app_put(&app->out, "\n");
    }
}

static int unknown_starter(fnd_app *app, const char *name)
{
    char message[160], suggestion[300] = "";
    fnd_nearest search = fnd_nearest_begin(name, strlen(name));
    size_t used = 0;
    for (const fnd_app_starter *starter = fnd_app_starters; starter->name != NULL; starter++)
        fnd_nearest_offer(&search, starter->name);
    snprintf(message, sizeof message, "no starter scenario is named '%.60s'", name);
    if (search.best != NULL)
        used = (size_t)snprintf(suggestion, sizeof suggestion, "did you mean '%.40s'?   ", search.best);
    used += (size_t)snprintf(suggestion + used, sizeof suggestion - used, "starters:");
    for (const fnd_app_starter *starter = fnd_app_starters; starter->name != NULL; starter++)
        if (used + strlen(starter->name) + 2 < sizeof suggestion)
            used += (size_t)snprintf(suggestion + used, sizeof suggestion - used, " %s", starter->name);
    return fnd_app_usage(app, message, suggestion);
}

static int execute(fnd_app *app)
{
    if (app->argument_count == 0) {
        list_starters(app);
        return FND_APP_OK;
    }
    for (const fnd_app_starter *starter = fnd_app_starters; starter->name != NULL; starter++) {
        if (strcmp(starter->name, app->arguments[0]) != 0) continue;
        if (app->json) {
            fnd_app_json json;
            fnd_app_json_open(&json, &app->out);
            fnd_app_json_object(&json, NULL);
            fnd_app_json_text(&json, "name", starter->name);
            fnd_app_json_text(&json, "text", starter->text);
            fnd_app_json_end(&json);
        } else {
            fnd_app_put_bytes(&app->out, starter->text, starter->length);
        }
        return FND_APP_OK;
    }
    return unknown_starter(app, app->arguments[0]);
}

const fnd_app_command fnd_app_command_new = {
    .group = "Start here",
    .name = "new",
    .arguments = "NAME",
    .summary = "write a commented starter scenario",
    .purpose = "print a commented starter scenario",
    .details = "Prints the scenario to standard output; without NAME, lists the starters.\n",
    .example = "  fender new two_spheres > meet.yaml",
    .files = "",
    .least_arguments = 0,
    .most_arguments = 1,
    .execute = execute,
    .put_more = put_names,
};
