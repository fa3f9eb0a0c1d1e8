/* Loading of plug-ins: besides src/fmi/import.c the only place that asks the system for a library. */
#ifndef _GNU_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "plugin/load.h"

#include "support/file.h"
#include "support/io_error.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static fender_status hash_file(int descriptor, fnd_plugin_file *file)
{
    unsigned char bytes[16384];
    file->size = 0;
    file->hash = FND_TEXT_HASH_START;
    for (;;) {
        ssize_t got = read(descriptor, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return FENDER_STATUS_FILE;
        if (got == 0) return FENDER_STATUS_OK;
        file->hash = fnd_text_hash(file->hash, bytes, (size_t)got);
        file->size += (uint64_t)got;
    }
}

static fender_status refuse(fender_error *error, const char *path, const char *message, const char *found,
                            const char *expected, const char *suggestion)
{
    char name[160], whole[300];
    fnd_io_excerpt(name, sizeof name, path, strlen(path));
    snprintf(whole, sizeof whole, "'%s' %s", name, message);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = path, .message = whole, .found = found,
                       .expected = expected, .suggestion = suggestion);
}

fender_status fnd_plugin_find(const char *path, fnd_plugin_file *file, fender_error *error)
{
    struct stat about;
    if (!realpath(path, file->path)) return fnd_system_fail(error, "open the plug-in", path, errno);
    int descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* of a pipe, too */
    if (descriptor < 0) return fnd_system_fail(error, "open the plug-in", path, errno);
    bool regular = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
    fender_status status = regular ? hash_file(descriptor, file) : FENDER_STATUS_OK;
    int number = errno;
    close(descriptor);
    if (status) return fnd_system_fail(error, "read the plug-in", path, number);
    if (!regular)
        return refuse(error, path, "is not a loadable file", "a directory or a device", "a shared library",
                      "compile one: cc -shared -fPIC -o claw.so claw.c");
    return FENDER_STATUS_OK;
}

static void close_library(void *handle) { dlclose(handle); }

/* The reason in the system's words, without the path that they begin with. */
static const char *reason_of(const char *path)
{
    const char *reason = dlerror();
    if (!reason) return "no reason is known";
    size_t length = strlen(path);
    if (strncmp(reason, path, length) == 0 && strncmp(reason + length, ": ", 2) == 0) reason += length + 2;
    return reason;
}

/* Puts the name of the plug-in before an error's message. */
static fender_status tell_whose(fender_status status, const char *path, const fender_error *own, fender_error *error)
{
    char message[320];
    const char *slash = strrchr(path, '/');
    snprintf(message, sizeof message, "plug-in '%.100s': %.200s", slash ? slash + 1 : path, own->message);
    return FND_IO_FAIL(error, .status = status, .source = path, .path = own->path, .message = message,
                       .found = own->found, .expected = own->expected, .suggestion = own->suggestion);
}

fender_status fnd_plugin_load(fender_registry *registry, const fnd_plugin_file *file, fender_error *error)
{
    const fender_plugin *(*entry)(void) = NULL;
    fender_error own = {0};
    void *handle = dlopen(file->path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return refuse(error, file->path, "cannot be loaded", reason_of(file->path),
                      "a shared library for this machine that needs nothing that is missing",
                      "compile it: cc -shared -fPIC -o claw.so claw.c");
    void *symbol = dlsym(handle, "fender_plugin_entry");
    memcpy(&entry, &symbol, sizeof entry); /* C knows no cast from data to code */
    const fender_plugin *plugin = entry ? entry() : NULL;
    fender_status status;
    if (!plugin)
        status = refuse(error, file->path, "is not a plug-in of fender",
                        entry ? "an entry that gives NULL" : "no entry",
                        "the function fender_plugin_entry of fender/plugin.h", "see docs/models/your_own_law.md");
    else {
        status = fender_registry_add_plugin(registry, plugin, handle, close_library, &own);
        if (status) tell_whose(status, file->path, &own, error);
    }
    if (status) dlclose(handle);
    return status;
}

fender_status fender_registry_load(fender_registry *registry, const char *path, fender_error *error)
{
    fnd_plugin_file file;
    if (!registry || !path)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "a registry and a path are needed",
                           .expected = "pointers that are not NULL");
    fender_status status = fnd_plugin_find(path, &file, error);
    return status ? status : fnd_plugin_load(registry, &file, error);
}
