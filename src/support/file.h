/* Files: reading one whole, writing with a fixed buffer, writing a small one at one stroke; a checksum. */
#ifndef FND_SUPPORT_FILE_H
#define FND_SUPPORT_FILE_H

#include <fender/base.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fnd_file_kind {
    FND_FILE_TEXT, /* UTF-8, not empty, no NUL byte; a byte order mark is kept */
    FND_FILE_BYTES /* anything */
} fnd_file_kind;

typedef struct fnd_file {
    char *text; /* terminated besides its length */
    size_t length, allocated;
} fnd_file;

/* Reads the file `name` (also a pipe) of at most `limit` bytes. The error names the file as its source, and the line
 * and column of a bad byte: status FILE when it cannot be read, PARSE when its content is no text. */
fender_status fnd_file_read(const fender_allocator *allocator, const char *name, size_t limit, fnd_file_kind kind,
                            fnd_file *file, fender_error *error);
void fnd_file_release(const fender_allocator *allocator, fnd_file *file);

/* Writes length bytes so that `name` has either its old content or the new one, never a part: temporary file in the
 * same folder, fsync, rename. What is not a regular file (a device, a pipe, a symbolic link) is written in place. */
fender_status fnd_file_write(const char *name, const char *bytes, size_t length, fender_error *error);

/* Puts the bytes in place of the first ones of a file that has at least as many, and blanks the rest: this needs no
 * room on the disk. False when it has fewer, or it fails. */
bool fnd_file_overwrite(const char *name, const char *bytes, size_t length);

/* A file being written. All memory is taken by open. Failure is sticky: write freely, ask once. */
typedef struct fnd_writer {
    fender_allocator allocator;
    int descriptor;
    char *buffer, *name;
    size_t used, capacity, name_size;
    uint64_t written; /* bytes accepted so far, those in the buffer included */
    bool failed;
    fender_error error; /* the first failure */
} fnd_writer;

/* Creates or empties the file. capacity 0 takes 64 KiB. On failure there is nothing to close. */
fender_status fnd_writer_open(fnd_writer *writer, const fender_allocator *allocator, const char *name, size_t capacity,
                              fender_error *error);
/* Goes on with a file that was written before, behind its first `keep` bytes; what follows them is cut off. FILE when
 * it has fewer. */
fender_status fnd_writer_reopen(fnd_writer *writer, const fender_allocator *allocator, const char *name,
                                size_t capacity, uint64_t keep, fender_error *error);
/* Each returns false from the first failure on. */
bool fnd_writer_bytes(fnd_writer *writer, const void *bytes, size_t length);
bool fnd_writer_text(fnd_writer *writer, const char *text);
bool fnd_writer_char(fnd_writer *writer, char c);
bool fnd_writer_number(fnd_writer *writer, double value); /* shortest text that reads back to the same bits */
/* Hands the buffer to the system, so that a reader of the file sees everything written so far. */
bool fnd_writer_flush(fnd_writer *writer);
/* Flushes and waits until the disk has it. */
bool fnd_writer_sync(fnd_writer *writer);
/* Flushes, with `sync` waits until the disk has it, closes, releases. Reports the first failure of the whole life. */
fender_status fnd_writer_close(fnd_writer *writer, bool sync, fender_error *error);

/* ---- 64-bit FNV-1a over bytes: one changed byte always changes it. */

#define FND_TEXT_HASH_START 0xcbf29ce484222325u

static inline uint64_t fnd_text_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *b = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ b[i]) * 0x100000001b3u;
    return hash;
}
/* Does the name end so, capital letters or not? */
bool fnd_has_ending(const char *name, const char *ending);

#endif
