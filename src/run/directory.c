/* Making or taking over the directory of a run. */
#include "run/directory.h"

#include "support/file.h"
#include "support/io_error.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

char *fnd_directory_path(const fender_allocator *allocator, const char *directory, const char *name, size_t *size)
{
    assert(directory && name);
    size_t length = strlen(directory);
    *size = length + strlen(name) + 2;
    char *path = allocator->allocate(allocator->ctx, *size, 1);
    if (!path) return NULL;
    const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    snprintf(path, *size, "%s%s%s", directory, slash, name);
    return path;
}

static const char *const own_names[] = {
    FND_FILE_SUMMARY,      FND_FILE_SCENE,     FND_FILE_SCENARIO, FND_FILE_REPLAY,  FND_FILE_CONTACTS,
    FND_FILE_EVENTS,       FND_FILE_EPISODES,  FND_FILE_HASHES,   FND_FILE_SOURCES, FND_FILE_CHECKPOINT_0,
    FND_FILE_CHECKPOINT_1, FND_FILE_LAST_GOOD, FND_FILE_REPORT,   FND_FILE_COMMANDS};

/* Those that no summary lists. */
static const char *const passing_names[] = {FND_FILE_CHECKPOINT_0, FND_FILE_CHECKPOINT_1, FND_FILE_LAST_GOOD,
                                            FND_FILE_REPORT, FND_FILE_COMMANDS};
enum { PASSING_COUNT = sizeof passing_names / sizeof passing_names[0] };

bool fnd_directory_is_own_name(const char *name)
{
    for (size_t i = 0; i < sizeof own_names / sizeof own_names[0]; i++)
        if (strcmp(name, own_names[i]) == 0) return true;
    return false;
}

bool fnd_directory_is_free_name(const char *name)
{
    return !fnd_directory_is_own_name(name) && name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL;
}

/* Half of a file that a killed process was writing: "summary.json.partial-1234". */
static bool is_leftover(const char *name)
{
    const char *ending = strstr(name, ".partial-");
    for (size_t i = 0; ending && i < sizeof own_names / sizeof own_names[0]; i++)
        if (strlen(own_names[i]) == (size_t)(ending - name) && strncmp(name, own_names[i], strlen(own_names[i])) == 0)
            return true;
    return false;
}

void fnd_directory_remove(const char *directory, const char *name)
{
    int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    unlinkat(folder, name, 0);
    close(folder);
}

bool fnd_directory_holds(const char *directory, const char *name)
{
    int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return false;
    bool holds = faccessat(folder, name, F_OK, 0) == 0;
    close(folder);
    return holds;
}

static fender_status remove_leftovers(const char *directory, fender_error *error)
{
    DIR *folder = opendir(directory);
    if (!folder)
        return errno == ENOMEM ? fnd_system_fail(error, "read the directory", directory, errno) : FENDER_STATUS_OK;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        if (is_leftover(entry->d_name)) unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
    return FENDER_STATUS_OK;
}

/* Removes the files that the summary of an earlier run lists, so that all that is found later is of one run. The list
 * is the one that this program wrote; anything that does not look like it is left alone. False: no memory. */
static bool remove_listed(const fender_env *env, const char *directory, const char *summary)
{
    static const char list_mark[] = "\"files\":[", name_mark[] = "{\"name\":\"";
    const char *at = strstr(summary, list_mark);
    if (!at) return true;
    at += sizeof list_mark - 1;
    for (;;) {
        at += strspn(at, " \t\r\n,");
        if (strncmp(at, name_mark, sizeof name_mark - 1) != 0) return true;
        at += sizeof name_mark - 1;
        size_t length = strcspn(at, "\"\\/"), size;
        char name[256];
        const char *end = strchr(at, '}');
        if (at[length] != '"' || length == 0 || length >= sizeof name || at[0] == '.' || !end) return true;
        memcpy(name, at, length);
        name[length] = '\0';
        char *path = fnd_directory_path(&env->allocator, directory, name, &size);
        if (!path) return false;
        unlink(path);
        env->allocator.release(env->allocator.ctx, path, size);
        at = end + 1;
    }
}

/* If the directory contains a run, removes the files of that run. */
static bool take_over(const fender_env *env, const char *directory, fender_status *status, fender_error *error)
{
    size_t size;
    fnd_file file;
    bool is_run = false;
    char *path = fnd_directory_path(&env->allocator, directory, FND_FILE_SUMMARY, &size);
    if (!path) {
        *status = fnd_io_fail_memory(error, "the path of the summary");
        return true;
    }
    const size_t limit = (size_t)256 << 20;
    *status = fnd_file_read(&env->allocator, path, limit, FND_FILE_TEXT, &file, NULL);
    if (*status == FENDER_STATUS_MEMORY) {
        fnd_io_fail_memory(error, "the summary of the run before");
        is_run = true;
    } else if (*status == FENDER_STATUS_OK) {
        is_run = strncmp(file.text, FND_SUMMARY_MARK, sizeof FND_SUMMARY_MARK - 1) == 0;
        if (is_run && !remove_listed(env, directory, file.text))
            *status = fnd_io_fail_memory(error, "the files of the run before");
        for (int i = 0; is_run && i < PASSING_COUNT; i++) fnd_directory_remove(directory, passing_names[i]);
        if (is_run && *status == FENDER_STATUS_OK) *status = remove_leftovers(directory, error);
        fnd_file_release(&env->allocator, &file);
    }
    env->allocator.release(env->allocator.ctx, path, size);
    return is_run;
}

/* The first entry that no run left behind; "" when there is none. */
static fender_status first_entry(const char *directory, char name[64], fender_error *error)
{
    name[0] = '\0';
    DIR *folder = opendir(directory);
    if (!folder) return fnd_system_fail(error, "open the directory", directory, errno);
    for (const struct dirent *entry = readdir(folder); entry && !name[0]; entry = readdir(folder)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || is_leftover(entry->d_name)) continue;
        fnd_io_excerpt(name, 64, entry->d_name, strlen(entry->d_name));
    }
    closedir(folder);
    return FENDER_STATUS_OK;
}

/* The directory itself is locked: no file is left behind, and the system lets go when the process ends, however. */
static fender_status lock_directory(const char *directory, int *lock, fender_error *error)
{
    char message[256], excerpt[160];
    *lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0) return fnd_system_fail(error, "open the directory", directory, errno);
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0) return FENDER_STATUS_OK;
    bool taken = errno == EWOULDBLOCK;
    fnd_directory_leave(lock);
    if (!taken) return FENDER_STATUS_OK; /* a file system without locks: nothing is known, nothing is refused */
    fnd_io_excerpt(excerpt, sizeof excerpt, directory, strlen(directory));
    snprintf(message, sizeof message, "another run is writing into '%s'", excerpt);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = directory, .message = message,
                       .expected = "a directory that no run is using",
                       .suggestion = "wait until it ends, or choose another directory (--out DIR)");
}

void fnd_directory_leave(int *lock)
{
    if (*lock >= 0) close(*lock);
    *lock = -1;
}

fender_status fnd_directory_prepare(const fender_env *env, const char *directory, int *lock, fender_error *error)
{
    struct stat about;
    char name[64], message[256], excerpt[160], found[128];
    fender_status status = FENDER_STATUS_OK;
    if (mkdir(directory, 0777) == 0) return lock_directory(directory, lock, error);
    if (errno != EEXIST) return fnd_system_fail(error, "make the directory", directory, errno);
    if (stat(directory, &about) != 0) return fnd_system_fail(error, "open the directory", directory, errno);
    fnd_io_excerpt(excerpt, sizeof excerpt, directory, strlen(directory));
    if (!S_ISDIR(about.st_mode)) {
        snprintf(message, sizeof message, "'%s' is not a directory", excerpt);
        return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = directory, .message = message,
                           .found = "a file", .expected = "a directory, or an unused name",
                           .suggestion = "choose another directory (--out DIR), or remove the file");
    }
    status = lock_directory(directory, lock, error);
    if (status == FENDER_STATUS_OK) status = first_entry(directory, name, error);
    if (status != FENDER_STATUS_OK) return status;
    if (!name[0]) return remove_leftovers(directory, error); /* of a run that was killed before it had a summary */
    if (take_over(env, directory, &status, error)) return status;
    snprintf(message, sizeof message, "the directory '%s' was not created by a run, so it is not overwritten", excerpt);
    snprintf(found, sizeof found, "'%s' in it, and no " FND_FILE_SUMMARY " of a run", name);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = directory, .message = message, .found = found,
                       .expected = "a directory that is empty, missing, or was created by a run",
                       .suggestion = "choose another directory (--out DIR), or empty it");
}

/* ---- going back */

/* The summary says it first of all; what follows may be long. */
static fender_status read_head(const fender_env *env, const char *directory, bool *is_run, bool *complete,
                               fender_error *error)
{
    static const char whole[][sizeof FND_SUMMARY_MARK + 32] = {FND_SUMMARY_MARK ",\"version\":1,\"complete\":true",
                                                               FND_SUMMARY_MARK ",\"version\":2,\"complete\":true"};
    char head[sizeof whole[0]] = "";
    size_t size;
    *is_run = *complete = false;
    char *path = fnd_directory_path(&env->allocator, directory, FND_FILE_SUMMARY, &size);
    if (!path) return fnd_io_fail_memory(error, "the path of the summary");
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    env->allocator.release(env->allocator.ctx, path, size);
    if (descriptor < 0) return FENDER_STATUS_OK;
    ssize_t got = read(descriptor, head, strlen(whole[0]));
    close(descriptor);
    if (got < 0) return FENDER_STATUS_OK;
    *is_run = strncmp(head, FND_SUMMARY_MARK, sizeof FND_SUMMARY_MARK - 1) == 0;
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        *complete = *complete || strncmp(head, whole[i], strlen(whole[i])) == 0;
    return FENDER_STATUS_OK;
}

static fender_status refuse_stranger(const char *directory, fender_error *error)
{
    char message[256], excerpt[160];
    fnd_io_excerpt(excerpt, sizeof excerpt, directory, strlen(directory));
    snprintf(message, sizeof message, "'%s' is not the directory of a run", excerpt);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = directory, .message = message,
                       .found = "no " FND_FILE_SUMMARY " of a run", .expected = "a directory that `fender run` created",
                       .suggestion = "name the directory of results, such as meet.run");
}

fender_status fnd_directory_check(const fender_env *env, const char *directory, fender_error *error)
{
    bool is_run, complete;
    struct stat about;
    if (stat(directory, &about) != 0) return fnd_system_fail(error, "open the directory", directory, errno);
    fender_status status = read_head(env, directory, &is_run, &complete, error);
    return status == FENDER_STATUS_OK && !is_run ? refuse_stranger(directory, error) : status;
}

fender_status fnd_directory_enter(const fender_env *env, const char *directory, int *lock, bool *complete,
                                  fender_error *error)
{
    bool is_run = false;
    fender_status status = lock_directory(directory, lock, error);
    if (status == FENDER_STATUS_OK) status = read_head(env, directory, &is_run, complete, error);
    if (status == FENDER_STATUS_OK && !is_run) status = refuse_stranger(directory, error);
    if (status == FENDER_STATUS_OK) status = remove_leftovers(directory, error);
    if (status != FENDER_STATUS_OK) fnd_directory_leave(lock);
    return status;
}
