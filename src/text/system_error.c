/* A failed system call on a file as a fender_error: reason and remedy. */
#ifndef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "text/system_error.h"

#include "text/fault.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

typedef struct remedy {
    int number;
    const char *expected, *suggestion;
} remedy;

static const remedy remedies[] = {
    {ENOMEM, "free memory", "close other programs, or raise the limit (ulimit -v)"},
    {ENOENT, "an existing file or folder", "check the spelling, or create the folder first"},
    {ENOTDIR, "folders before the last /", "one part of the path is a file: choose another path"},
    {EISDIR, "a file, not a folder", "name a file inside the folder"},
    {EACCES, "permission for this user", "change the permissions, or choose a place of your own"},
    {EPERM, "permission for this user", "change the permissions, or choose a place of your own"},
    {EROFS, "a file system that can be written", "choose a place that is not read-only"},
    {ENOSPC, "free space on the disk", "free some space, record less, or write to another disk"},
    {EDQUOT, "room within the quota", "free some space, record less, or write to another disk"},
    {EFBIG, "a file within the size limit", "record less, or raise the limit (ulimit -f)"},
    {EMFILE, "fewer open files", "record into fewer files, or raise the limit (ulimit -n)"},
    {ENFILE, "fewer open files", "close other programs, or raise the limit of the system"},
    {ENAMETOOLONG, "a shorter path", "choose a shorter name"},
    {ELOOP, "symbolic links that end at a file", "mend the symbolic links"},
    {ETXTBSY, "a file that is not being executed", "choose another name"},
    {EBUSY, "a file that is not in use", "close the program that uses it, or choose another name"},
    {EPIPE, "a reader at the other end", "the program that read this has ended: start it again"},
    {EIO, "a disk without faults", "check the disk or the connection to it"},
    {ENXIO, "a device that is present", "check the device, or choose another name"},
    {EINVAL, "a file that allows this", "choose another name"},
};

fender_status fnd_system_fail(fender_error *error, const char *what, const char *name, int number)
{
    char message[400], excerpt[160], reason[100];
    const char *expected = "a file that can be used", *suggestion = "check the path";
    for (size_t i = 0; i < sizeof remedies / sizeof remedies[0]; i++) {
        if (remedies[i].number != number) continue;
        expected = remedies[i].expected;
        suggestion = remedies[i].suggestion;
    }
    /* The C locale: the same words for every host, and no state shared between threads. */
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const char *unnamed = number == ENOMEM ? "no memory" : "unknown";
    snprintf(reason, sizeof reason, "%s", c_locale == (locale_t)0 ? unnamed : strerror_l(number, c_locale));
    if (c_locale != (locale_t)0) freelocale(c_locale);
    fnd_io_excerpt(excerpt, sizeof excerpt, name, strlen(name));
    snprintf(message, sizeof message, "cannot %s '%s': %s", what, excerpt, reason);
    return fnd_io_fail(error, (fnd_io_fault){.status = number == ENOMEM ? FENDER_STATUS_MEMORY : FENDER_STATUS_FILE,
                                             .source = name,
                                             .message = message,
                                             .found = reason,
                                             .expected = expected,
                                             .suggestion = suggestion});
}
