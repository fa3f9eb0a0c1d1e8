/* Files that a library may fall over, read in a process of their own before they are read in this one. */
#include "trial.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/fault.h"
#include "tables/hdf5.h"
#include <fender/recording.h>

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
        snprintf(message, sizeof message, "HDF5 does not come to an end with '%s'", excerpt);
        snprintf(found, sizeof found, "no end after %lld s, in a process of its own", seconds);
    } else {
        snprintf(message, sizeof message, "HDF5 breaks down over '%s'", excerpt);
        snprintf(found, sizeof found, "signal %d, in a process of its own", number);
    }
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_FILE,
                                             .source = file,
                                             .message = message,
                                             .found = found,
                                             .expected = "an HDF5 file that is not damaged",
                                             .suggestion = "take another copy of the file, or run the scenario again"});
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
