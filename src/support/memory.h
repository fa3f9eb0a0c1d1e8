/* Memory of the io layers on the allocator of the host: arenas that are released all at once, growable text. Failure
 * is sticky. */
#ifndef FND_SUPPORT_MEMORY_H
#define FND_SUPPORT_MEMORY_H

#include <fender/base.h>

typedef struct fnd_arena_block fnd_arena_block;
typedef struct fnd_arena {
    fender_allocator allocator;
    size_t block_size;
    fnd_arena_block *blocks; /* the newest first */
    bool failed;             /* once true, every request returns NULL */
} fnd_arena;

/* Allocates nothing yet. block_size 0 takes 16 KiB; larger requests get a block of their own. */
fnd_arena fnd_arena_open(const fender_allocator *allocator, size_t block_size);
/* Releases everything; the arena is empty and usable again. */
void fnd_arena_close(fnd_arena *arena);

/* An arena in memory of its own, for public structs that point to one; NULL when there is none. NULL may be destroyed.
 */
fnd_arena *fnd_arena_create(const fender_allocator *allocator);
void fnd_arena_destroy(fnd_arena *arena);

/* Cleared memory, NULL on failure. alignment: a power of two. size 0 gives a valid address. */
void *fnd_arena_allocate(fnd_arena *arena, size_t size, size_t alignment);
/* Not cleared: for large tables of which few rows are ever filled. */
void *fnd_arena_room(fnd_arena *arena, size_t size, size_t alignment);
/* count elements, cleared, the product checked. */
void *fnd_arena_array(fnd_arena *arena, size_t count, size_t size, size_t alignment);
/* A terminated copy. */
char *fnd_arena_copy(fnd_arena *arena, const char *text, size_t length);

#define FND_ARENA_NEW(arena, type) ((type *)fnd_arena_allocate((arena), sizeof(type), _Alignof(type)))
#define FND_ARENA_NEW_ARRAY(arena, type, count) \
    ((type *)fnd_arena_array((arena), (count), sizeof(type), _Alignof(type)))

#define FND_ARENA_NEW_ROOM(arena, type, count) ((type *)fnd_arena_room((arena), (count) * sizeof(type), _Alignof(type)))

/* ---- Growable text on the host's allocator. Failure is sticky: append freely, ask once. */

typedef struct fnd_buffer {
    fender_allocator allocator;
    char *text; /* NULL until the first append, else terminated */
    size_t length, capacity;
    bool failed; /* an append found no memory; what was appended before is intact */
} fnd_buffer;

fnd_buffer fnd_buffer_open(const fender_allocator *allocator);
void fnd_buffer_close(fnd_buffer *buffer);
/* Empties it and keeps the memory; a failure is forgotten. */
void fnd_buffer_clear(fnd_buffer *buffer);
/* The text so far, "" when there is none; valid until the next append. */
const char *fnd_buffer_text(const fnd_buffer *buffer);

/* Each returns false from the first failure on. */
bool fnd_buffer_append(fnd_buffer *buffer, const char *bytes, size_t length);
bool fnd_buffer_append_text(fnd_buffer *buffer, const char *text);
bool fnd_buffer_append_char(fnd_buffer *buffer, char c);
bool fnd_buffer_append_repeat(fnd_buffer *buffer, char c, size_t count);
/* Shortest text that reads back to the same bits. */
bool fnd_buffer_append_number(fnd_buffer *buffer, double value);
/* printf with the decimal point of the C locale, whatever the host's. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool fnd_buffer_appendf(fnd_buffer *buffer, const char *format, ...);

#endif
