/* Memory that is released all at once, on the host's allocator. Failure is sticky. */
#ifndef FND_TEXT_ARENA_H
#define FND_TEXT_ARENA_H

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
/* count elements, the product checked. */
void *fnd_arena_array(fnd_arena *arena, size_t count, size_t size, size_t alignment);
/* A terminated copy. */
char *fnd_arena_copy(fnd_arena *arena, const char *text, size_t length);

#define FND_ARENA_NEW(arena, type) ((type *)fnd_arena_allocate((arena), sizeof(type), _Alignof(type)))
#define FND_ARENA_NEW_ARRAY(arena, type, count) \
    ((type *)fnd_arena_array((arena), (count), sizeof(type), _Alignof(type)))

#endif
