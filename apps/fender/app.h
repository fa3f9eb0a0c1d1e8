/* Shared by all commands: streams, options, memory, diagnostics, exit codes, scenarios. */
#ifndef FND_FENDER_APP_H
#define FND_FENDER_APP_H

#include <fender/io.h>

#include "output.h"
#include "program.h"
#include "unshown.h"

/* One option; the table of a command makes its help and its parser. */
typedef struct fnd_app_option {
    const char *name;  /* "--out" */
    const char *value; /* "DIR"; NULL: takes none */
    const char *doc;   /* with the default */
} fnd_app_option;

/* An option as it was given. */
typedef struct fnd_app_given {
    int option; /* index into the command's table */
    const char *value;
    const char *unit; /* the word behind it, for a command of quantities ("--mass 3 kg"); NULL: none */
} fnd_app_given;

typedef struct fnd_app fnd_app;
typedef struct fnd_app_command {
    const char *group, *name;
    const char *arguments; /* "SCENARIO A B" */
    const char *summary;   /* in the list of commands */
    const char *purpose;   /* first line of its help */
    const char *details;   /* more lines, or "" */
    const char *example;   /* one or more lines, each with two spaces before it */
    const char *files;     /* what it writes, or "" */
    const fnd_app_option *options;
    int option_count;
    int least_arguments, most_arguments;
    bool verdict;    /* 1 is its answer "different": what fails is 2 */
    bool quantities; /* a word behind an option's value is its unit */
    int (*execute)(fnd_app *app);
    void (*put_more)(fnd_app_stream *to); /* what follows the summary in the list of commands; NULL: nothing */
} fnd_app_command;

struct fnd_app {
    fender_env env; /* its report leads to fnd_app_report */
    fnd_app_stream out, err;
    const fnd_app_command *command;
    int argument_total; /* of the program, with the command's name, for records */
    char **argument_values;
    const char **arguments; /* of the command, without its options */
    int argument_count;
    fnd_app_given *given;
    int given_count;
    bool json, quiet, help;
    int error_count; /* so far */
    fnd_app_unshown unshown;
    struct fnd_app_progress *progress; /* drawn at present; NULL: none */
};

extern const fnd_app_command fnd_app_command_new, fnd_app_command_run, fnd_app_command_report, fnd_app_command_check,
    fnd_app_command_explain, fnd_app_command_info, fnd_app_command_resume, fnd_app_command_replay,
    fnd_app_command_converge, fnd_app_command_size, fnd_app_command_mesh, fnd_app_command_compare, fnd_app_command_plot,
    fnd_app_command_export, fnd_app_command_study, fnd_app_command_import;

/* The command table, for what is printed from it; NULL past the end. */
const fnd_app_command *fnd_app_command_at(int index);
const fnd_app_option *fnd_app_common_option_at(int index); /* options that every command has, after its own */
/* Of the program, for its help and its manual page. */
extern const char fnd_app_purpose[], fnd_app_example[], fnd_app_exit_codes[];

/* Memory of the host; NULL when there is none, size 0 included. */
void *fnd_app_allocate(const fnd_app *app, size_t size);
void fnd_app_release(const fnd_app *app, void *memory, size_t size); /* NULL is fine */

/* The last value given to an option; NULL when it was not given. */
const char *fnd_app_option_value(const fnd_app *app, const char *name);

/* ---- diagnostics */

/* For env.report: prints one diagnostic, or counts it when many were printed. ctx is the fnd_app. */
void fnd_app_report(void *ctx, const fender_diagnostic *diagnostic);
/* A warning of the program's own without a place; --quiet does not silence it. */
void fnd_app_warn(fnd_app *app, const char *message, const char *suggestion);
/* A call has failed: prints its error unless its diagnostics were printed already (their number is now larger than
 * `errors_before`), then how many there were and `consequence` ("nothing was run"; "" for none). Returns the exit code
 * for a call that reads input. */
int fnd_app_fail(fnd_app *app, const fender_error *error, int errors_before, const char *consequence);
/* A mistake in the command line: message, remedy or "". Returns the exit code. */
int fnd_app_usage(fnd_app *app, const char *message, const char *suggestion);
/* An error of the program's own without a place. Returns the exit code for the status. */
int fnd_app_error(fnd_app *app, fender_status status, const char *message, const char *suggestion);
/* The exit code of a status: `running` when it stopped a run that had begun. */
int fnd_app_exit_code(fender_status status, bool running);
/* Prints the error, as text or as one JSON object. */
void fnd_app_print_error(fnd_app *app, const fender_error *error);

/* ---- scenarios, for commands that read one */

/* Name of the scenario on standard input in messages. */
#define FND_APP_STDIN "stdin"
/* Loads the file, or standard input for "-", with the --set options of the command line. On failure prints why, sets
 * *exit_code, returns NULL. */
fender_scenario *fnd_app_load(fnd_app *app, const char *path, const char *consequence, int *exit_code);
/* The same with further settings behind those of the command line; diagnostics go to `env` and `error` alone. NULL with
 * exit code 0: the scenario was refused. */
fender_scenario *fnd_app_load_more(fnd_app *app, const fender_env *env, const char *path, const fender_override *more,
                                   int more_count, fender_error *error, int *exit_code);

/* ---- Reading of HDF5 files tried apart: HDF5 falls over some damaged files, and goes round in circles in others. */

/* Does the work in a process of its own, which is ended after so many seconds. 0: it was done; else the number of the
 * signal that ended it, SIGALRM when that was the time. What cannot be started counts as done. */
int fnd_app_apart(void (*work)(void *ctx), void *ctx, unsigned seconds);

/* Reads the HDF5 files of a recording (a file or a run directory) apart, as fender_recording_open does. FILE when HDF5
 * fails over one of them; OK for all others, whatever else fender_recording_open has to say of them. */
fender_status fnd_app_try_recording(const fnd_app *app, const char *name, const char *time, fender_error *error);

#endif
