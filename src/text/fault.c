/* Filling of fender_error in the io layers. */
#include "text/fault.h"

#include "text/utf8.h"

#include <stdio.h>
#include <string.h>

static void copy_part(char *to, size_t size, const char *from)
{
    size_t length = from ? strlen(from) : 0;
    if (length > 0) {
        length = fnd_utf8_fit(from, length, size - 1);
        memmove(to, from, length);
    }
    to[length] = '\0';
}

fender_status fnd_io_fail(fender_error *error, fnd_io_fault fault)
{
    if (!error) return fault.status;
    if (error->count > 0 && error->status != FENDER_STATUS_OK) {
        error->count++;
        return fault.status;
    }
    error->status = fault.status;
    error->count = 1;
    error->line = fault.line;
    error->column = fault.column;
    copy_part(error->source, sizeof error->source, fault.source);
    copy_part(error->path, sizeof error->path, fault.path);
    copy_part(error->message, sizeof error->message, fault.message);
    copy_part(error->found, sizeof error->found, fault.found);
    copy_part(error->expected, sizeof error->expected, fault.expected);
    copy_part(error->suggestion, sizeof error->suggestion, fault.suggestion);
    return fault.status;
}

fender_status fnd_io_fail_memory(fender_error *error, const char *what)
{
    char message[160];
    snprintf(message, sizeof message, "no memory for %s", what);
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_MEMORY,
                                             .message = message,
                                             .found = "the allocator returned nothing",
                                             .expected = "memory",
                                             .suggestion = "free memory or raise the limit of the process"});
}

bool fnd_io_env_usable(const fender_env *env, fender_error *error)
{
    if (!env || (env->allocator.allocate && env->allocator.release)) return true;
    fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_ARGUMENT,
                                      .message = "the environment has no allocator",
                                      .found = "a fender_env without functions",
                                      .expected = "fender_env_default(), or an allocator of your own"});
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
