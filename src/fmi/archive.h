/* Zip archives as FMI asks for: entries stored or deflated, version 2.0, no encryption, forward slashes. */
#ifndef FND_FMI_ARCHIVE_H
#define FND_FMI_ARCHIVE_H

#include "support/memory.h"

#include <stdint.h>

typedef struct fnd_archive_writer {
    fnd_buffer body, directory;
    int count;
    bool failed; /* no memory, or an archive of 4 GiB */
} fnd_archive_writer;

fnd_archive_writer fnd_archive_begin(const fender_allocator *allocator);
/* Deflated where that is shorter. `executable`: with the mode 755. */
bool fnd_archive_add(fnd_archive_writer *writer, const char *name, const void *bytes, size_t length, bool executable);
/* Appends the directory. The archive is writer->body until it is closed. */
bool fnd_archive_end(fnd_archive_writer *writer);
void fnd_archive_close(fnd_archive_writer *writer);

/* ---- reading: archives of unknown origin */

typedef struct fnd_archive_entry {
    char name[512];
    size_t size; /* unpacked; at most 4 GiB as the archive says: bound it before memory is taken */
    bool is_folder;
    /* private */
    const unsigned char *data;
    size_t packed;
    uint32_t checksum;
    int method;
} fnd_archive_entry;

typedef struct fnd_archive_reader {
    const unsigned char *bytes;
    size_t length, next;
    int left;  /* entries */
    bool good; /* false: this is no archive, or it is damaged, encrypted, split, or has names that lead out of it */
} fnd_archive_reader;

fnd_archive_reader fnd_archive_open(const void *bytes, size_t length);
/* False past the end, and where the archive is not good. */
bool fnd_archive_next(fnd_archive_reader *reader, fnd_archive_entry *entry);
/* Into entry->size bytes. False: the data are damaged, or there is no memory. */
bool fnd_archive_unpack(const fender_allocator *allocator, const fnd_archive_entry *entry, void *to);

#endif
