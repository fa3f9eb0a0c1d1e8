/* Reading of a scenario with the --set options of the command line. */
#include <stdio.h>
#include <string.h>

#include "app.h"

/* Options that are short for --set PATH. */
static const struct {
    const char *option, *path;
} short_settings[] = {{"--checkpoint-every", "run.checkpoint_every"}};

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
        *exit_code = fnd_app_error(app, FENDER_STATUS_MEMORY, "no memory for standard input", "");
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
        *exit_code = fnd_app_error(app, FENDER_STATUS_MEMORY, "no memory for the --set options", "");
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
