/* A file being written through a fixed buffer: no stdio, no memory after open, failures kept. */
#ifndef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "text/fault.h"
#include "text/file.h"
#include "text/number.h"
#include "text/system_error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void release(fnd_writer *writer)
{
    const fender_allocator *allocator = &writer->allocator;
    if (writer->buffer) allocator->release(allocator->ctx, writer->buffer, writer->capacity);
    if (writer->name) allocator->release(allocator->ctx, writer->name, writer->name_size);
    writer->buffer = writer->name = NULL;
    writer->descriptor = -1;
}

static fender_status prepare(fnd_writer *writer, const fender_allocator *allocator, const char *name, size_t capacity,
                             int flags, fender_error *error)
{
    memset(writer, 0, sizeof *writer);
    writer->allocator = *allocator;
    writer->descriptor = -1;
    writer->capacity = capacity > 0 ? capacity : 65536;
    writer->name_size = strlen(name) + 1;
    writer->buffer = allocator->allocate(allocator->ctx, writer->capacity, 1);
    writer->name = writer->buffer ? allocator->allocate(allocator->ctx, writer->name_size, 1) : NULL;
    if (!writer->name) {
        release(writer);
        return fnd_io_fail_memory(error, "the buffer of a file to write");
    }
    memcpy(writer->name, name, writer->name_size);
    do {
        writer->descriptor = open(name, O_WRONLY | O_CLOEXEC | flags, 0666);
    } while (writer->descriptor < 0 && errno == EINTR);
    if (writer->descriptor >= 0) return FENDER_STATUS_OK;
    int number = errno;
    release(writer);
    return fnd_system_fail(error, "open", name, number);
}

fender_status fnd_writer_open(fnd_writer *writer, const fender_allocator *allocator, const char *name, size_t capacity,
                              fender_error *error)
{
    return prepare(writer, allocator, name, capacity, O_CREAT | O_TRUNC, error);
}

static fender_status fail_short(fender_error *error, const char *name, uint64_t size, uint64_t keep)
{
    char found[64], expected[64];
    snprintf(found, sizeof found, "%llu bytes", (unsigned long long)size);
    snprintf(expected, sizeof expected, "at least %llu bytes", (unsigned long long)keep);
    return fnd_io_fail(error, (fnd_io_fault){.status = FENDER_STATUS_FILE,
                                             .source = name,
                                             .message = "the file is shorter than it was",
                                             .found = found,
                                             .expected = expected,
                                             .suggestion = "start the run again from its scenario"});
}

fender_status fnd_writer_reopen(fnd_writer *writer, const fender_allocator *allocator, const char *name,
                                size_t capacity, uint64_t keep, fender_error *error)
{
    struct stat about;
    fender_status status = prepare(writer, allocator, name, capacity, 0, error);
    if (status != FENDER_STATUS_OK) return status;
    if (fstat(writer->descriptor, &about) != 0) status = fnd_system_fail(error, "open", name, errno);
    else if (!S_ISREG(about.st_mode)) status = fnd_system_fail(error, "go on writing", name, EINVAL);
    else if ((uint64_t)about.st_size < keep) status = fail_short(error, name, (uint64_t)about.st_size, keep);
    else if (ftruncate(writer->descriptor, (off_t)keep) != 0) status = fnd_system_fail(error, "cut", name, errno);
    else if (lseek(writer->descriptor, (off_t)keep, SEEK_SET) < 0) status = fnd_system_fail(error, "cut", name, errno);
    writer->written = keep;
    if (status == FENDER_STATUS_OK) return status;
    close(writer->descriptor);
    release(writer);
    return status;
}

static bool fail(fnd_writer *writer, const char *what, int number)
{
    if (!writer->failed) fnd_system_fail(&writer->error, what, writer->name, number);
    writer->failed = true;
    return false;
}

static bool hand_over(fnd_writer *writer, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(writer->descriptor, bytes, length);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return fail(writer, "write", errno);
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

bool fnd_writer_flush(fnd_writer *writer)
{
    if (writer->failed) return false;
    size_t used = writer->used;
    writer->used = 0;
    return hand_over(writer, writer->buffer, used);
}

bool fnd_writer_bytes(fnd_writer *writer, const void *bytes, size_t length)
{
    if (writer->failed) return false;
    if (length > writer->capacity - writer->used && !fnd_writer_flush(writer)) return false;
    if (length > writer->capacity) {
        if (!hand_over(writer, bytes, length)) return false;
    } else if (length > 0) {
        memcpy(writer->buffer + writer->used, bytes, length);
        writer->used += length;
    }
    writer->written += length;
    return true;
}

bool fnd_writer_text(fnd_writer *writer, const char *text) { return fnd_writer_bytes(writer, text, strlen(text)); }

bool fnd_writer_char(fnd_writer *writer, char c) { return fnd_writer_bytes(writer, &c, 1); }

bool fnd_writer_number(fnd_writer *writer, double value)
{
    char text[FND_NUMBER_SIZE];
    return fnd_writer_bytes(writer, text, (size_t)fnd_number_format(value, text, sizeof text));
}

/* Devices and pipes cannot be synced, and need not be. */
bool fnd_writer_sync(fnd_writer *writer)
{
    struct stat about;
    if (!fnd_writer_flush(writer)) return false;
    if (fstat(writer->descriptor, &about) == 0 && S_ISREG(about.st_mode) && fsync(writer->descriptor) != 0)
        return fail(writer, "write", errno);
    return true;
}

fender_status fnd_writer_close(fnd_writer *writer, bool sync, fender_error *error)
{
    if (writer->descriptor < 0) return FENDER_STATUS_OK;
    if (sync) fnd_writer_sync(writer);
    else fnd_writer_flush(writer);
    if (close(writer->descriptor) != 0 && errno != EINTR) fail(writer, "close", errno);
    release(writer);
    if (!writer->failed) return FENDER_STATUS_OK;
    const fender_error *first = &writer->error;
    return fnd_io_fail(error, (fnd_io_fault){.status = first->status,
                                             .source = first->source,
                                             .message = first->message,
                                             .found = first->found,
                                             .expected = first->expected,
                                             .suggestion = first->suggestion});
}
