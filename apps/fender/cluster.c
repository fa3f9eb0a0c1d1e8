/* `fender study submit`, and what `fender study merge` says: shards of a study on a cluster. */
#include "cluster.h"

#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name, *program, *full_name;
} engines[] = {[FENDER_STUDY_SLURM] = {"slurm", "sbatch", "Slurm"},
               [FENDER_STUDY_PARALLEL] = {"parallel", "parallel", "GNU parallel"},
               [FENDER_STUDY_MPI] = {"mpi", "mpirun", "MPI"}};
enum { ENGINE_COUNT = sizeof engines / sizeof engines[0] };

static bool is_installed(const char *program)
{
    char path[1200];
    const char *at = getenv("PATH");
    for (; at != NULL && *at != '\0'; at += *at == ':') {
        size_t length = strcspn(at, ":");
        if (length > 0 && length < 1000) {
            snprintf(path, sizeof path, "%.*s/%s", (int)length, at, program);
            if (access(path, X_OK) == 0) return true;
        }
        at += length;
    }
    return false;
}

/* Of this program, as the jobs are to start it. False when the system does not tell. */
static bool find_program(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    return true;
}

/* The script's output is the engine's. */
static int start_script(fnd_app *app, const char *folder)
{
    extern char **environ;
    char script[1100], shell[] = "sh", message[1200];
    snprintf(script, sizeof script, "%s/submit.sh", folder);
    char *words[] = {shell, script, NULL};
    pid_t child;
    int status = 0;
    fnd_app_stream_flush(&app->out);
    bool ended = posix_spawnp(&child, shell, NULL, NULL, words, environ) == 0;
    while (ended && waitpid(child, &status, 0) < 0) ended = errno == EINTR;
    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) return FND_APP_OK;
    snprintf(message, sizeof message, "'%s' has failed", script);
    (void)fnd_app_error(app, FENDER_STATUS_FILE, message, "what it says stands above; once more goes on");
    return FND_APP_RUN_FAILED;
}

int fnd_app_study_submit(fnd_app *app, const char *path, const fender_study *study, int64_t runs)
{
    char folder[1000], program[4096], message[160];
    const char *given = fnd_app_option_value(app, "-o"), *engine = fnd_app_option_value(app, "--engine");
    int64_t shards = 0, jobs = 0;
    int code = FND_APP_OK, index = 0, errors_before = app->error_count;
    bool only_written = fnd_app_option_value(app, "--dry-run") != NULL;
    fender_error error = {0};
    while (engine != NULL && index < ENGINE_COUNT && strcmp(engine, engines[index].name) != 0) index++;
    if (engine == NULL || index == ENGINE_COUNT)
        return fnd_app_usage(app, "'submit' needs --engine slurm, parallel or mpi",
                             "fender study submit STUDY --engine slurm");
    if (!fnd_app_study_read_count(app, "--jobs", 1, &jobs, &code) ||
        !fnd_app_study_read_count(app, "--shards", 1, &shards, &code))
        return code;
    fnd_app_study_name_after(path, ".jobs", folder, sizeof folder);
    if (given != NULL && strlen(given) >= sizeof folder) return fnd_app_usage(app, "the name of -o is too long", "");
    if (given != NULL) snprintf(folder, sizeof folder, "%s", given);
    if (!find_program(program, sizeof program))
        return fnd_app_error(app, FENDER_STATUS_FILE, "the system does not tell where this program lies", "");
    if (!only_written && !is_installed(engines[index].program)) {
        snprintf(message, sizeof message, "%s is not installed here: there is no '%s'", engines[index].full_name,
                 engines[index].program);
        return fnd_app_error(app, FENDER_STATUS_FILE, message, "submit where it is, or write the scripts: --dry-run");
    }
    fender_study_jobs_def def = {.study = study,
                                 .engine = (fender_study_engine)index,
                                 .folder = folder,
                                 .program = program,
                                 .runs = runs,
                                 .shards = shards,
                                 .jobs = jobs > 1024 ? 1024 : (int)jobs,
                                 .options = fnd_app_option_value(app, "--options")};
    if (fender_study_write_jobs(&app->env, &def, &shards, &error) != FENDER_STATUS_OK)
        return fnd_app_fail(app, &error, errors_before, "nothing was started");
    if (app->json) {
        fnd_app_json json;
        fnd_app_json_open(&json, &app->out);
        fnd_app_json_object(&json, NULL);
        fnd_app_json_text(&json, "folder", folder);
        fnd_app_json_integer(&json, "shards", shards);
        fnd_app_json_bool(&json, "started", !only_written);
        fnd_app_json_end(&json);
    } else if (!app->quiet) {
        fnd_app_print(&app->out, "%" PRId64 " shards of %" PRId64 " runs for %s\n wrote ", shards,
                      fender_study_run_count(study), engines[index].full_name);
        fnd_app_put_clean(&app->out, folder);
        if (only_written) {
            fnd_app_put(&app->out, "\n next  sh ");
            fnd_app_put_clean(&app->out, folder);
            fnd_app_put(&app->out, "/submit.sh");
        }
        fnd_app_put(&app->out, "\n");
    }
    return only_written ? FND_APP_OK : start_script(app, folder);
}

int fnd_app_study_tell_merged(fnd_app *app, const char *store)
{
    fender_error error = {0};
    fender_study_counts counts;
    char message[200];
    int errors_before = app->error_count;
    if (fender_study_count(&app->env, store, &counts, &error) != FENDER_STATUS_OK)
        return fnd_app_fail(app, &error, errors_before, "");
    if (app->json) fnd_app_print(&app->out, "{\"runs\":%" PRId64 ",\"total\":%" PRId64 "}\n", counts.rows, counts.runs);
    else if (!app->quiet) fnd_app_print(&app->out, "%" PRId64 " of %" PRId64 " runs\n", counts.rows, counts.runs);
    if (counts.first_missing < 0 || fnd_app_option_value(app, "--complete") == NULL) return FND_APP_OK;
    snprintf(message, sizeof message, "%" PRId64 " of %" PRId64 " runs are missing; the first is run %" PRId64,
             counts.runs - counts.rows, counts.runs, counts.first_missing);
    (void)fnd_app_error(app, FENDER_STATUS_FILE, message, "carry out its shard (run modulo shards) again: it goes on");
    return FND_APP_RUN_FAILED;
}
