/* Errors of the io layers: their parts, failed system calls, the known name nearest to a misspelt one. */
#include "support/io_error.h"

#include "support/json.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static void copy_part(char *to, size_t size, const char *from)
{
    assert(size > 0);
    size_t length = from ? strlen(from) : 0;
    if (length > 0) {
        length = fnd_utf8_fit(from, length, size - 1);
        memmove(to, from, length);
    }
    to[length] = '\0';
}

fender_status fnd_io_fail(fender_error *error, fnd_io_error parts)
{
    assert(parts.status != FENDER_STATUS_OK);
    if (!error) return parts.status;
    if (error->count > 0 && error->status != FENDER_STATUS_OK) {
        error->count++;
        return parts.status;
    }
    error->status = parts.status;
    error->count = 1;
    error->line = parts.line;
    error->column = parts.column;
    copy_part(error->source, sizeof error->source, parts.source);
    copy_part(error->path, sizeof error->path, parts.path);
    copy_part(error->message, sizeof error->message, parts.message);
    copy_part(error->found, sizeof error->found, parts.found);
    copy_part(error->expected, sizeof error->expected, parts.expected);
    copy_part(error->suggestion, sizeof error->suggestion, parts.suggestion);
    return parts.status;
}

fender_status fnd_io_fail_memory(fender_error *error, const char *what)
{
    char message[160];
    snprintf(message, sizeof message, "not enough memory for %s", what);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_MEMORY, .message = message,
                       .found = "the allocator returned nothing", .expected = "memory",
                       .suggestion = "free memory or raise the limit of the process");
}

bool fnd_io_env_usable(const fender_env *env, fender_error *error)
{
    if (!env || (env->allocator.allocate && env->allocator.release)) return true;
    FND_IO_FAIL(error, .status = FENDER_STATUS_ARGUMENT, .message = "the environment has no allocator",
                .found = "a fender_env without functions",
                .expected = "fender_env_default(), or an allocator of your own");
    return false;
}

/* Bytes of the character at the start, and whether it may stand as it is; else it takes 4 bytes as \xNN. */
static size_t step_of(const char *bytes, size_t length, bool *plain)
{
    size_t character = fnd_utf8_character(bytes, length);
    *plain = character > 1 || (character == 1 && (unsigned char)bytes[0] >= 0x20 && bytes[0] != 0x7F);
    return *plain ? character : 1;
}

static bool fits(size_t size, const char *bytes, size_t length)
{
    size_t need = 1;
    bool plain;
    for (size_t at = 0, step; at < length && need <= size; at += step) {
        step = step_of(bytes + at, length - at, &plain);
        need += plain ? step : 4;
    }
    return need <= size;
}

char *fnd_io_excerpt(char *to, size_t size, const char *bytes, size_t length)
{
    assert(size >= 8);
    size_t used = 0, room = fits(size, bytes, length) ? size - 1 : size - 4;
    bool plain;
    for (size_t at = 0, step; at < length; at += step) {
        step = step_of(bytes + at, length - at, &plain);
        size_t need = plain ? step : 4;
        if (used + need > room) {
            memcpy(to + used, "...", 3);
            used += 3;
            break;
        }
        if (plain) memcpy(to + used, bytes + at, step);
        else snprintf(to + used, size - used, "\\x%02X", (unsigned)(unsigned char)bytes[at]);
        used += need;
    }
    to[used] = '\0';
    return to;
}

/* ---- Failed calls */

typedef struct remedy {
    int number;
    const char *expected, *suggestion;
} remedy;

static const remedy remedies[] = {
    {ENOMEM, "free memory", "close other programs, or raise the limit (ulimit -v)"},
    {ENOENT, "an existing file or folder", "check the spelling, or create the folder first"},
    {ENOTDIR, "folders before the last /", "one part of the path is a file: choose another path"},
    {EISDIR, "a file, not a folder", "name a file inside the folder"},
    {EACCES, "access permission for this user", "change the permissions, or choose another folder"},
    {EPERM, "access permission for this user", "change the permissions, or choose another folder"},
    {EROFS, "a writable file system", "choose a folder that is not read-only"},
    {ENOSPC, "free space on the disk", "free some space, record less, or write to another disk"},
    {EDQUOT, "room within the quota", "free some space, record less, or write to another disk"},
    {EFBIG, "a file within the size limit", "record less, or raise the limit (ulimit -f)"},
    {EMFILE, "fewer open files", "record into fewer files, or raise the limit (ulimit -n)"},
    {ENFILE, "fewer open files", "close other programs, or raise the limit of the system"},
    {ENAMETOOLONG, "a shorter path", "choose a shorter name"},
    {ELOOP, "symbolic links that end at a file", "correct the symbolic links"},
    {ETXTBSY, "a file that is not being executed", "choose another name"},
    {EBUSY, "a file that is not in use", "close the program that uses it, or choose another name"},
    {EPIPE, "a reader at the other end", "the program that read this has ended: start it again"},
    {EIO, "a disk without faults", "check the disk or the connection to it"},
    {ENXIO, "a device that is present", "check the device, or choose another name"},
    {EINVAL, "a file that allows this", "choose another name"},
};

fender_status fnd_system_fail(fender_error *error, const char *what, const char *name, int number)
{
    assert(what && name);
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
    return FND_IO_FAIL(error, .status = number == ENOMEM ? FENDER_STATUS_MEMORY : FENDER_STATUS_FILE, .source = name,
                       .message = message, .found = reason, .expected = expected, .suggestion = suggestion);
}

/* ---- "Did you mean": the known name nearest to a misspelt one. */

#define LONGEST 63

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int replacement(char a, char b) { return a == b ? 0 : lower(a) == lower(b) ? 1 : 2; }

static int least(int a, int b) { return a < b ? a : b; }

/* Edit distance with exchange of neighbours, three rows kept. */
int fnd_nearest_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int rows[3][LONGEST + 1];
    if (a_length == b_length && memcmp(a, b, a_length) == 0) return 0;
    if (a_length > LONGEST || b_length > LONGEST) return INT_MAX;
    for (size_t j = 0; j <= b_length; j++) rows[0][j] = (int)(2 * j);
    for (size_t i = 1; i <= a_length; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = (int)(2 * i);
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = above[j - 1] + replacement(a[i - 1], b[j - 1]);
            row[j] = least(row[j], least(above[j], row[j - 1]) + 2);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 2);
        }
    }
    return rows[a_length % 3][b_length];
}

int fnd_nearest_limit(size_t length) { return length < 2 ? 1 : length < 5 ? 2 : length < 8 ? 4 : 6; }

fnd_nearest fnd_nearest_begin(const char *word, size_t length)
{
    assert(word || length == 0);
    return (fnd_nearest){word, NULL, length, fnd_nearest_limit(length) + 2};
}

bool fnd_nearest_offer(fnd_nearest *search, const char *name)
{
    size_t length = strlen(name);
    int limit = fnd_nearest_limit(search->length);
    int distance = fnd_nearest_distance(search->word, search->length, name, length);
    bool begins = search->length >= 3 && length > search->length && memcmp(name, search->word, search->length) == 0;
    if (distance > limit && begins) distance = limit + 1;
    if (distance > limit + 1 || (distance == limit + 1 && !begins) || distance >= search->distance) return false;
    search->distance = distance;
    search->best = name;
    return true;
}

const char *fnd_nearest_of(const char *word, size_t length, const char *const *names, size_t count)
{
    fnd_nearest search = fnd_nearest_begin(word, length);
    for (size_t i = 0; i < count; i++) fnd_nearest_offer(&search, names[i]);
    return search.best;
}
