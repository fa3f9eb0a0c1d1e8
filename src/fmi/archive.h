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

#endif
