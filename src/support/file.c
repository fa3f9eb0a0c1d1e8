/* Files: read whole, written through a fixed buffer or at one stroke. */
#include "support/file.h"

#include "support/io_error.h"
#include "support/json.h"
#include "support/number.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Whole files ---- */

#define FIRST_SIZE 65536

static fender_status fail_too_large(fender_error *error, const char *name, long long size, size_t limit)
{
    char found[64], expected[64];
    if (size > 0) snprintf(found, sizeof found, "%lld bytes", size);
    else snprintf(found, sizeof found, "more than %zu bytes", limit);
    snprintf(expected, sizeof expected, "at most %zu bytes", limit);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = name, .message = "the file is too large",
                       .found = found, .expected = expected, .suggestion = "check the file name, or split the file");
}

static fender_status enlarge(const fender_allocator *allocator, fnd_file *file, size_t size, fender_error *error)
{
    char *text = allocator->allocate(allocator->ctx, size, 1);
    if (!text) return fnd_io_fail_memory(error, "the content of a file");
    if (file->text) {
        memcpy(text, file->text, file->length);
        allocator->release(allocator->ctx, file->text, file->allocated);
    }
    file->text = text;
    file->allocated = size;
    return FENDER_STATUS_OK;
}

/* Reads to the end; the size that the system told is a hint only, for pipes have none and files may grow. */
static fender_status read_all(const fender_allocator *allocator, int descriptor, const char *name, size_t hint,
                              size_t limit, fnd_file *file, fender_error *error)
{
    for (;;) {
        if (file->length + 1 >= file->allocated) {
            size_t size = file->allocated == 0 ? hint + 2 : file->allocated * 2;
            fender_status status = enlarge(allocator, file, size, error);
            if (status != FENDER_STATUS_OK) return status;
        }
        ssize_t got = read(descriptor, file->text + file->length, file->allocated - 1 - file->length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fnd_system_fail(error, "read", name, errno);
        if (got == 0) break;
        file->length += (size_t)got;
        if (file->length > limit) return fail_too_large(error, name, 0, limit);
    }
    file->text[file->length] = '\0';
    return FENDER_STATUS_OK;
}

static fender_status fail_byte(fender_error *error, const char *name, const fnd_file *file, size_t at,
                               const char *message, const char *suggestion)
{
    char found[64];
    int line = 1;
    size_t begin = 0;
    for (size_t i = 0; i < at; i++) {
        if (file->text[i] != '\n') continue;
        line++;
        begin = i + 1;
    }
    snprintf(found, sizeof found, "byte 0x%02X at position %zu", (unsigned)(unsigned char)file->text[at], at + 1);
    return FND_IO_FAIL(error, .status = FENDER_STATUS_PARSE, .source = name, .line = line,
                       .column = (int)fnd_utf8_count(file->text + begin, at - begin) + 1, .message = message,
                       .found = found, .expected = "UTF-8 text", .suggestion = suggestion);
}

static fender_status check_text(const char *name, const fnd_file *file, fender_error *error)
{
    if (file->length == 0)
        return FND_IO_FAIL(error, .status = FENDER_STATUS_PARSE, .source = name, .line = 1, .column = 1,
                           .message = "the file is empty", .found = "0 bytes", .expected = "UTF-8 text",
                           .suggestion = "check the file name");
    for (size_t at = 0; at < file->length;) {
        size_t size = fnd_utf8_character(file->text + at, file->length - at);
        if (size == 0)
            return fail_byte(error, name, file, at, "the file is not UTF-8", "save it as UTF-8 in the editor");
        if (file->text[at] == '\0')
            return fail_byte(error, name, file, at, "the file contains a NUL byte",
                             "if it is a text file, save it as UTF-8");
        at += size;
    }
    return FENDER_STATUS_OK;
}

fender_status fnd_file_read(const fender_allocator *allocator, const char *name, size_t limit, fnd_file_kind kind,
                            fnd_file *file, fender_error *error)
{
    assert(name && file);
    struct stat about;
    fender_status status = FENDER_STATUS_OK;
    *file = (fnd_file){NULL, 0, 0};
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return fnd_system_fail(error, "open", name, errno);
    if (fstat(descriptor, &about) != 0) status = fnd_system_fail(error, "read", name, errno);
    else if (S_ISDIR(about.st_mode)) status = fnd_system_fail(error, "read", name, EISDIR);
    else if (S_ISREG(about.st_mode) && (unsigned long long)about.st_size > limit)
        status = fail_too_large(error, name, (long long)about.st_size, limit);
    else {
        size_t hint = S_ISREG(about.st_mode) ? (size_t)about.st_size : FIRST_SIZE;
        status = read_all(allocator, descriptor, name, hint, limit, file, error);
    }
    close(descriptor);
    if (status == FENDER_STATUS_OK && kind == FND_FILE_TEXT) status = check_text(name, file, error);
    if (status != FENDER_STATUS_OK) fnd_file_release(allocator, file);
    return status;
}

void fnd_file_release(const fender_allocator *allocator, fnd_file *file)
{
    if (file->text) allocator->release(allocator->ctx, file->text, file->allocated);
    *file = (fnd_file){NULL, 0, 0};
}

/* 0 or an errno. */
static int write_all(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(descriptor, bytes, length);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        bytes += done;
        length -= (size_t)done;
    }
    return 0;
}

static fender_status write_in_place(const char *name, const char *bytes, size_t length, fender_error *error)
{
    int descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) return fnd_system_fail(error, "open", name, errno);
    int failure = write_all(descriptor, bytes, length);
    if (close(descriptor) != 0 && failure == 0 && errno != EINTR) failure = errno;
    return failure ? fnd_system_fail(error, "write", name, failure) : FENDER_STATUS_OK;
}

/* Only makes the rename survive a power failure: where a folder cannot be synced, nothing is lost but that. */
static void sync_folder(const char *name)
{
    char folder[4096];
    const char *slash = strrchr(name, '/');
    size_t length = slash ? (size_t)(slash - name) + 1 : 0;
    if (length >= sizeof folder) return;
    memcpy(folder, name, length);
    folder[length] = '\0';
    int descriptor = open(length > 0 ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    fsync(descriptor);
    close(descriptor);
}

fender_status fnd_file_write(const char *name, const char *bytes, size_t length, fender_error *error)
{
    assert(bytes || length == 0);
    struct stat about;
    char temporary[4096];
    bool exists = lstat(name, &about) == 0;
    if (exists && S_ISDIR(about.st_mode)) return fnd_system_fail(error, "write", name, EISDIR);
    if (exists && !S_ISREG(about.st_mode)) return write_in_place(name, bytes, length, error);
    int printed = snprintf(temporary, sizeof temporary, "%s.partial-%ld", name, (long)getpid());
    if (printed < 0 || (size_t)printed >= sizeof temporary) return fnd_system_fail(error, "write", name, ENAMETOOLONG);
    /* A file of that name can only be left over from a process that was killed. */
    unlink(temporary);
    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) return fnd_system_fail(error, "write", name, errno);
    int failure = exists && fchmod(descriptor, about.st_mode & 07777) != 0 ? errno : 0;
    if (failure == 0) failure = write_all(descriptor, bytes, length);
    if (failure == 0 && fsync(descriptor) != 0) failure = errno;
    if (close(descriptor) != 0 && failure == 0 && errno != EINTR) failure = errno;
    if (failure == 0 && rename(temporary, name) != 0) failure = errno;
    if (failure != 0) {
        unlink(temporary);
        return fnd_system_fail(error, "write", name, failure);
    }
    sync_folder(name);
    return FENDER_STATUS_OK;
}

bool fnd_file_overwrite(const char *name, const char *bytes, size_t length)
{
    struct stat about;
    char blank[256];
    int descriptor = open(name, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    bool good = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size >= (off_t)length &&
                write_all(descriptor, bytes, length) == 0;
    memset(blank, ' ', sizeof blank);
    for (size_t at = length; good && at < (size_t)about.st_size;) {
        size_t rest = (size_t)about.st_size - at, part = rest < sizeof blank ? rest : sizeof blank;
        good = write_all(descriptor, blank, part) == 0;
        at += part;
    }
    if (good && fsync(descriptor) != 0) good = false;
    return close(descriptor) == 0 && good;
}

/* ---- Writing through a buffer ---- */

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
    return FND_IO_FAIL(error, .status = FENDER_STATUS_FILE, .source = name,
                       .message = "the file is shorter than it was", .found = found, .expected = expected,
                       .suggestion = "start the run again from its scenario");
}

fender_status fnd_writer_reopen(fnd_writer *writer, const fender_allocator *allocator, const char *name,
                                size_t capacity, uint64_t keep, fender_error *error)
{
    assert(name);
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
    assert(writer->used <= writer->capacity);
    if (writer->failed) return false;
    size_t used = writer->used;
    writer->used = 0;
    return hand_over(writer, writer->buffer, used);
}

bool fnd_writer_bytes(fnd_writer *writer, const void *bytes, size_t length)
{
    assert(writer->used <= writer->capacity);
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
    return FND_IO_FAIL(error, .status = first->status, .source = first->source, .message = first->message,
                       .found = first->found, .expected = first->expected, .suggestion = first->suggestion);
}

bool fnd_has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);
    if (length < end) return false;
    for (size_t i = 0; i < end; i++) {
        char c = name[length - end + i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != ending[i]) return false;
    }
    return true;
}
