/* The command table, options, help, and the way from a command line to a command. */
#include "program.h"

#include <stdio.h>
#include <string.h>

#include "app.h"
#include "guard.h"
#include "progress.h"
#include "support/io_error.h"

static const fnd_app_command *const commands[] = {
    &fnd_app_command_new,      &fnd_app_command_import,  &fnd_app_command_run,    &fnd_app_command_report,
    &fnd_app_command_export,   &fnd_app_command_resume,  &fnd_app_command_replay, &fnd_app_command_check,
    &fnd_app_command_converge, &fnd_app_command_explain, &fnd_app_command_size,   &fnd_app_command_info,
    &fnd_app_command_mesh,     &fnd_app_command_study,   &fnd_app_command_plot,   &fnd_app_command_compare,
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

/* Options that every command has, after its own. */
static const fnd_app_option common_options[] = {
    {"--json", NULL, "print results and errors as JSON"},
    {"--quiet", NULL, "print only errors and the bare result"},
    {"--help", NULL, "print this text"},
};
enum { COMMON_COUNT = sizeof common_options / sizeof common_options[0] };

const char fnd_app_purpose[] = "contact dynamics for vehicles that dock, land and climb";
const char fnd_app_example[] = "  fender new two_spheres > meet.yaml\n"
                               "  fender run meet.yaml --set bodies.veh2.state.velocity.x=-1m/s\n";
const char fnd_app_exit_codes[] =
    "0 ok, 1 run failed, 2 usage, 3 input, 4 file, 5 expectation missed, 6 doubtful result, 130 interrupted";

const fnd_app_command *fnd_app_command_at(int index)
{
    return index >= 0 && index < COMMAND_COUNT ? commands[index] : NULL;
}

const fnd_app_option *fnd_app_common_option_at(int index)
{
    return index >= 0 && index < COMMON_COUNT ? &common_options[index] : NULL;
}

void *fnd_app_allocate(const fnd_app *app, size_t size)
{
    const fender_allocator *allocator = &app->env.allocator;
    return allocator->allocate(allocator->ctx, size > 0 ? size : 1, _Alignof(max_align_t));
}

void fnd_app_release(const fnd_app *app, void *memory, size_t size)
{
    const fender_allocator *allocator = &app->env.allocator;
    if (memory != NULL) allocator->release(allocator->ctx, memory, size > 0 ? size : 1);
}

const char *fnd_app_option_value(const fnd_app *app, const char *name)
{
    const char *value = NULL;
    for (int i = 0; i < app->given_count; i++)
        if (strcmp(app->command->options[app->given[i].option].name, name) == 0) value = app->given[i].value;
    return value;
}

/* ---- help */

static void print_program_help(fnd_app_stream *to)
{
    fnd_app_print(to, "fender %s: %s\n\n", fender_version(), fnd_app_purpose);
    fnd_app_put(to, "usage: fender COMMAND [ARGUMENTS]\n");
    const char *group = "";
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const fnd_app_command *command = commands[i];
        if (strcmp(group, command->group) != 0) fnd_app_print(to, "\n%s\n", command->group);
        group = command->group;
        fnd_app_print(to, "  %s %s", command->name, command->arguments);
        fnd_app_put_padding(to, strlen(command->name) + strlen(command->arguments) + 3, 23);
        fnd_app_put(to, command->summary);
        if (command->put_more != NULL) command->put_more(to);
        fnd_app_put(to, "\n");
    }
    fnd_app_print(to,
                  "\nTry it:\n%s\n"
                  "Every command: --help, --json, --quiet.\n"
                  "Exit: %s\n"
                  "Manual: share/doc/fender, `man fender`\n",
                  fnd_app_example, fnd_app_exit_codes);
}

static size_t option_width(const fnd_app_option *option)
{
    return strlen(option->name) + (option->value != NULL ? strlen(option->value) + 1 : 0);
}

static void print_option(fnd_app_stream *to, const fnd_app_option *option)
{
    fnd_app_print(to, "  %s%s%s", option->name, option->value != NULL ? " " : "",
                  option->value != NULL ? option->value : "");
    fnd_app_put_padding(to, option_width(option) + 2, 23);
    fnd_app_print(to, "%s\n", option->doc);
}

static void print_command_help(fnd_app_stream *to, const fnd_app_command *command)
{
    fnd_app_print(to, "fender %s: %s\n\nusage: fender %s%s%s [OPTIONS]\n", command->name, command->purpose,
                  command->name, command->arguments[0] ? " " : "", command->arguments);
    if (command->details[0]) {
        fnd_app_put(to, "\n");
        fnd_app_put(to, command->details);
    }
    fnd_app_put(to, "\nOptions\n");
    for (int i = 0; i < command->option_count; i++) print_option(to, &command->options[i]);
    for (int i = 0; i < COMMON_COUNT; i++) print_option(to, &common_options[i]);
    fnd_app_print(to, "\nExample\n%s\n", command->example);
    fnd_app_print(to, "\nFiles written\n  %s\n", command->files[0] ? command->files : "none");
}

/* ---- command line */

static int unknown_command(fnd_app *app, const char *word)
{
    char message[160], suggestion[160];
    fnd_nearest search = fnd_nearest_begin(word, strlen(word));
    for (int i = 0; i < COMMAND_COUNT; i++) fnd_nearest_offer(&search, commands[i]->name);
    snprintf(message, sizeof message, "'%.60s' is not a command", word);
    if (search.best != NULL) {
        snprintf(suggestion, sizeof suggestion, "did you mean '%s'?   `fender --help` lists all", search.best);
    } else {
        snprintf(suggestion, sizeof suggestion, "`fender --help` lists all commands");
    }
    return fnd_app_usage(app, message, suggestion);
}

static int unknown_option(fnd_app *app, const char *word, size_t length)
{
    char message[160], suggestion[160];
    fnd_nearest search = fnd_nearest_begin(word, length);
    for (int i = 0; i < app->command->option_count; i++) fnd_nearest_offer(&search, app->command->options[i].name);
    for (int i = 0; i < COMMON_COUNT; i++) fnd_nearest_offer(&search, common_options[i].name);
    snprintf(message, sizeof message, "'%.*s' is not an option of `fender %s`", length < 60 ? (int)length : 60, word,
             app->command->name);
    if (search.best != NULL) {
        snprintf(suggestion, sizeof suggestion, "did you mean '%s'?   `fender %s --help` lists all", search.best,
                 app->command->name);
    } else {
        snprintf(suggestion, sizeof suggestion, "`fender %s --help` lists all options", app->command->name);
    }
    return fnd_app_usage(app, message, suggestion);
}

static bool same_name(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && memcmp(name, word, length) == 0;
}

/* One option at argv[*at]; moves *at over a value that stands by itself. */
static int read_option(fnd_app *app, int count, char **words, int *at)
{
    const char *word = words[*at], *equals = strchr(word, '=');
    size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const fnd_app_option *option = NULL;
    int index = 0;
    char message[160];
    if (same_name("-h", word, length)) {
        app->help = true;
        return FND_APP_OK;
    }
    for (int i = 0; i < app->command->option_count && option == NULL; i++) {
        if (same_name(app->command->options[i].name, word, length)) {
            option = &app->command->options[i];
            index = i;
        }
    }
    bool common = option == NULL;
    for (int i = 0; i < COMMON_COUNT && option == NULL; i++)
        if (same_name(common_options[i].name, word, length)) option = &common_options[i];
    if (option == NULL) return unknown_option(app, word, length);
    if (option->value == NULL && equals != NULL) {
        snprintf(message, sizeof message, "'%s' takes no value", option->name);
        return fnd_app_usage(app, message, "");
    }
    const char *value = equals != NULL ? equals + 1 : NULL;
    if (option->value != NULL && value == NULL) {
        if (*at + 1 >= count) {
            snprintf(message, sizeof message, "'%s' needs a value: %s %s", option->name, option->name, option->value);
            return fnd_app_usage(app, message, "");
        }
        value = words[++*at];
    }
    if (common) {
        if (strcmp(option->name, "--json") == 0) app->json = true;
        if (strcmp(option->name, "--quiet") == 0) app->quiet = true;
        if (strcmp(option->name, "--help") == 0) app->help = true;
    } else {
        app->given[app->given_count].option = index;
        app->given[app->given_count].unit = NULL;
        if (app->command->quantities && option->value != NULL && *at + 1 < count && words[*at + 1][0] != '-')
            app->given[app->given_count].unit = words[++*at];
        app->given[app->given_count++].value = value != NULL ? value : "";
    }
    return FND_APP_OK;
}

static int read_command_line(fnd_app *app, int count, char **words)
{
    bool options_end = false;
    /* asked for early, so that a mistake before it in the line is reported in the wanted form */
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++)
        if (strcmp(words[i], "--json") == 0) app->json = true;
    for (int i = 0; i < count; i++) {
        if (!options_end && strcmp(words[i], "--") == 0) {
            options_end = true;
        } else if (!options_end && words[i][0] == '-' && words[i][1] != '\0') {
            int code = read_option(app, count, words, &i);
            if (code != FND_APP_OK) return code;
        } else {
            app->arguments[app->argument_count++] = words[i];
        }
    }
    return FND_APP_OK;
}

static int check_argument_count(fnd_app *app)
{
    const fnd_app_command *command = app->command;
    char message[160], suggestion[160];
    if (app->argument_count >= command->least_arguments && app->argument_count <= command->most_arguments)
        return FND_APP_OK;
    if (app->argument_count < command->least_arguments) {
        snprintf(message, sizeof message, "`fender %s` needs %s", command->name, command->arguments);
    } else {
        snprintf(message, sizeof message, "`fender %s` takes %s; '%.60s' is one too many", command->name,
                 command->arguments[0] ? command->arguments : "no arguments", app->arguments[command->most_arguments]);
    }
    snprintf(suggestion, sizeof suggestion, "usage: fender %s%s%s [OPTIONS]", command->name,
             command->arguments[0] ? " " : "", command->arguments);
    return fnd_app_usage(app, message, suggestion);
}

static int run_command(fnd_app *app, int count, char **words)
{
    size_t argument_bytes = (size_t)count * sizeof app->arguments[0];
    size_t given_bytes = (size_t)count * sizeof app->given[0];
    app->arguments = fnd_app_allocate(app, argument_bytes);
    app->given = fnd_app_allocate(app, given_bytes);
    int code;
    if (app->arguments == NULL || app->given == NULL) {
        code = fnd_app_error(app, FENDER_STATUS_MEMORY, "not enough memory for the command line", "");
        if (app->command->verdict) code = FND_APP_USAGE;
    } else {
        code = read_command_line(app, count, words);
        if (code == FND_APP_OK && app->help) {
            print_command_help(&app->out, app->command);
        } else if (code == FND_APP_OK) {
            code = check_argument_count(app);
            if (code == FND_APP_OK) code = app->command->execute(app);
        }
    }
    fnd_app_release(app, app->arguments, argument_bytes);
    fnd_app_release(app, app->given, given_bytes);
    return code;
}

static int dispatch(fnd_app *app, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    bool help = strcmp(word, "help") == 0;
    if (argc < 2) {
        print_program_help(&app->err);
        return FND_APP_USAGE;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (help && argc == 2)) {
        print_program_help(&app->out);
        return FND_APP_OK;
    }
    if (strcmp(word, "--version") == 0) {
        fnd_app_print(&app->out, "fender %s\n", fender_version());
        return FND_APP_OK;
    }
    if (help) word = argv[2];
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--json") == 0) app->json = true;
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i]->name, word) != 0) continue;
        app->command = commands[i];
        if (!help) return run_command(app, argc - 2, argv + 2);
        print_command_help(&app->out, app->command);
        return FND_APP_OK;
    }
    return unknown_command(app, word);
}

int fender_program_main(int argc, char **argv, const fender_env *env)
{
    fnd_app app;
    memset(&app, 0, sizeof app);
    app.env = *env;
    app.env.report = fnd_app_report;
    app.env.report_ctx = &app;
    app.argument_total = argc;
    app.argument_values = argv;
    fnd_app_stream_open(&app.out, 1);
    fnd_app_stream_open(&app.err, 2);
    fnd_app_interrupt_prepare();
    fnd_app_guard_command(true);
    int code = dispatch(&app, argc, argv);
    fnd_app_guard_command(false);
    if (!app.json) fnd_app_unshown_tell(&app.unshown, &app.err);
    if (!fnd_app_stream_flush(&app.out)) {
        /* a reader that went away (`fender info units | head -1`) knows why */
        if (!fnd_app_interrupt_is_broken_pipe(app.out.failure)) {
            char message[160];
            snprintf(message, sizeof message, "standard output: %s", strerror(app.out.failure));
            fnd_app_error(&app, FENDER_STATUS_FILE, message, "");
        }
        if (code == FND_APP_OK || code == FND_APP_EXPECTATION || code == FND_APP_RESIDUAL) code = FND_APP_FILE;
    }
    fnd_app_stream_flush(&app.err);
    return code;
}
