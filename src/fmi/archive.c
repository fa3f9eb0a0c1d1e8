/* Zip archives (APPNOTE.TXT 6.3.3, sections 4.3 and 4.4). Times are fixed, so that the same FMU has the
 * same bytes. */
#include "fmi/archive.h"

#include <string.h>
#include <zlib.h>

enum { LOCAL_SIZE = 30, CENTRAL_SIZE = 46, END_SIZE = 22, METHOD_STORED = 0, METHOD_DEFLATED = 8 };

static void put16(unsigned char *at, unsigned value)
{
    at[0] = (unsigned char)(value & 255);
    at[1] = (unsigned char)(value >> 8 & 255);
}

static void put32(unsigned char *at, uint32_t value)
{
    put16(at, value & 65535);
    put16(at + 2, value >> 16);
}

fnd_archive_writer fnd_archive_begin(const fender_allocator *allocator)
{
    return (fnd_archive_writer){.body = fnd_buffer_open(allocator), .directory = fnd_buffer_open(allocator)};
}

void fnd_archive_close(fnd_archive_writer *writer)
{
    fnd_buffer_close(&writer->body);
    fnd_buffer_close(&writer->directory);
}

/* zlib allocates by the host's functions; a block remembers its size. */
typedef union block {
    size_t size;
    max_align_t alignment;
} block;

static void *allocate(void *ctx, unsigned count, unsigned size)
{
    const fender_allocator *a = ctx;
    size_t whole = sizeof(block) + (size_t)count * size;
    block *b = a->allocate(a->ctx, whole, _Alignof(block));
    if (!b) return NULL;
    b->size = whole;
    return b + 1;
}

static void release(void *ctx, void *memory)
{
    const fender_allocator *a = ctx;
    block *b = (block *)memory - 1;
    a->release(a->ctx, b, b->size);
}

/* Raw deflate data into `to`; 0: it is no shorter, or there is no memory. */
static size_t deflate_into(fender_allocator *allocator, const void *bytes, size_t length, unsigned char *to)
{
    z_stream stream = {.zalloc = allocate, .zfree = release, .opaque = allocator};
    if (deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (unsigned char *)(uintptr_t)bytes;
    stream.avail_in = (unsigned)length;
    stream.next_out = to;
    stream.avail_out = (unsigned)length;
    int result = deflate(&stream, Z_FINISH);
    size_t written = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END && written < length ? written : 0;
}

bool fnd_archive_add(fnd_archive_writer *writer, const char *name, const void *bytes, size_t length, bool executable)
{
    fender_allocator *allocator = &writer->body.allocator;
    size_t name_length = strlen(name);
    if (length > (size_t)1 << 30 || writer->body.length > (size_t)2 << 30 || writer->count >= 65000)
        writer->failed = true;
    if (writer->failed) return false;
    unsigned char *packed = length > 0 ? allocator->allocate(allocator->ctx, length, 1) : NULL;
    size_t size = packed ? deflate_into(allocator, bytes, length, packed) : 0;
    bool deflated = size > 0;
    if (!deflated) size = length;
    unsigned char central[CENTRAL_SIZE] = {0};
    put32(central, 0x02014B50);
    put16(central + 4, 3 << 8 | 20); /* made on Unix */
    put16(central + 6, 20);
    put16(central + 8, 1 << 11); /* names are UTF-8 */
    put16(central + 10, deflated ? METHOD_DEFLATED : METHOD_STORED);
    put16(central + 12, 0);
    put16(central + 14, 1 << 5 | 1); /* 1980-01-01 */
    put32(central + 16, (uint32_t)crc32(0, bytes, (unsigned)length));
    put32(central + 20, (uint32_t)size);
    put32(central + 24, (uint32_t)length);
    put16(central + 28, (unsigned)name_length);
    put32(central + 38, (uint32_t)(executable ? 0100755 : 0100644) << 16);
    put32(central + 42, (uint32_t)writer->body.length);
    unsigned char local[LOCAL_SIZE] = {0};
    put32(local, 0x04034B50);
    memcpy(local + 4, central + 6, 26); /* version to length of the name: the same fields */
    fnd_buffer_append(&writer->body, (const char *)local, sizeof local);
    fnd_buffer_append(&writer->body, name, name_length);
    fnd_buffer_append(&writer->body, deflated ? (const char *)packed : bytes, size);
    fnd_buffer_append(&writer->directory, (const char *)central, sizeof central);
    fnd_buffer_append(&writer->directory, name, name_length);
    if (packed) allocator->release(allocator->ctx, packed, length);
    writer->count++;
    writer->failed = writer->body.failed || writer->directory.failed;
    return !writer->failed;
}

bool fnd_archive_end(fnd_archive_writer *writer)
{
    unsigned char end[END_SIZE] = {0};
    put32(end, 0x06054B50);
    put16(end + 8, (unsigned)writer->count);
    put16(end + 10, (unsigned)writer->count);
    put32(end + 12, (uint32_t)writer->directory.length);
    put32(end + 16, (uint32_t)writer->body.length);
    fnd_buffer_append(&writer->body, fnd_buffer_text(&writer->directory), writer->directory.length);
    fnd_buffer_append(&writer->body, (const char *)end, sizeof end);
    writer->failed = writer->failed || writer->body.failed;
    return !writer->failed;
}

/* ---- reading */

static unsigned get16(const unsigned char *at) { return at[0] | (unsigned)at[1] << 8; }
static uint32_t get32(const unsigned char *at) { return get16(at) | (uint32_t)get16(at + 2) << 16; }

/* The end of the directory; NULL: this is no archive. A comment may follow it. */
static const unsigned char *find_end(const unsigned char *bytes, size_t length)
{
    if (length < END_SIZE) return NULL;
    size_t least = length > 65535 + END_SIZE ? length - 65535 - END_SIZE : 0;
    for (size_t at = length - END_SIZE;; at--) {
        if (get32(bytes + at) == 0x06054B50) return bytes + at;
        if (at == least) return NULL;
    }
}

fnd_archive_reader fnd_archive_open(const void *bytes, size_t length)
{
    fnd_archive_reader reader = {.bytes = bytes, .length = length};
    const unsigned char *end = find_end(bytes, length);
    if (!end) return reader;
    reader.next = get32(end + 16);
    reader.left = (int)get16(end + 10);
    reader.good = get16(end + 4) == 0 && get16(end + 6) == 0 && get16(end + 8) == get16(end + 10) &&
                  reader.next < length;
    return reader;
}

/* Names that stay in the folder into which they are unpacked. */
static bool is_inside(const char *name)
{
    if (!name[0] || name[0] == '/' || strchr(name, '\\') || strchr(name, ':')) return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        if (*part == '/') part++;
        size_t length = strcspn(part, "/");
        if ((length == 2 && memcmp(part, "..", 2) == 0) || (length == 1 && *part == '.')) return false;
        if (length == 0 && part[0] != '\0') return false;
    }
    return true;
}

bool fnd_archive_next(fnd_archive_reader *reader, fnd_archive_entry *entry)
{
    const unsigned char *central = reader->bytes + reader->next;
    if (!reader->good || reader->left == 0) return false;
    reader->good = false; /* until the entry is known to be sound */
    if (reader->length - reader->next < CENTRAL_SIZE || get32(central) != 0x02014B50) return false;
    size_t name_length = get16(central + 28), skip = name_length + get16(central + 30) + get16(central + 32);
    if (reader->length - reader->next - CENTRAL_SIZE < skip) return false;
    if (name_length >= sizeof entry->name || memchr(central + CENTRAL_SIZE, '\0', name_length)) return false;
    memset(entry, 0, sizeof *entry);
    memcpy(entry->name, central + CENTRAL_SIZE, name_length);
    entry->method = (int)get16(central + 10);
    entry->checksum = get32(central + 16);
    entry->packed = get32(central + 20);
    entry->size = get32(central + 24);
    entry->is_folder = name_length > 0 && entry->name[name_length - 1] == '/';
    size_t local = get32(central + 42);
    bool plain = (get16(central + 8) & 1) == 0 && (entry->method == METHOD_STORED || entry->method == METHOD_DEFLATED);
    if (!plain || !is_inside(entry->name) || local > reader->length - LOCAL_SIZE) return false;
    const unsigned char *head = reader->bytes + local;
    size_t data = local + LOCAL_SIZE + get16(head + 26) + get16(head + 28);
    if (get32(head) != 0x04034B50 || data > reader->length || reader->length - data < entry->packed) return false;
    if (entry->method == METHOD_STORED && entry->packed != entry->size) return false;
    entry->data = reader->bytes + data;
    reader->next += CENTRAL_SIZE + skip;
    reader->left--;
    return reader->good = true;
}

bool fnd_archive_unpack(const fender_allocator *allocator, const fnd_archive_entry *entry, void *to)
{
    if (entry->method == METHOD_STORED) {
        if (entry->size > 0) memcpy(to, entry->data, entry->size);
    } else {
        fender_allocator own = *allocator;
        z_stream stream = {.zalloc = allocate, .zfree = release, .opaque = &own};
        if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
        stream.next_in = (unsigned char *)(uintptr_t)entry->data;
        stream.avail_in = (unsigned)entry->packed;
        stream.next_out = to;
        stream.avail_out = (unsigned)entry->size;
        int result = inflate(&stream, Z_FINISH);
        bool whole = result == Z_STREAM_END && stream.total_out == entry->size;
        inflateEnd(&stream);
        if (!whole) return false;
    }
    return (uint32_t)crc32(0, to, (unsigned)entry->size) == entry->checksum;
}
