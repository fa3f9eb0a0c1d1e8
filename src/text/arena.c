/* Memory that is released all at once. */
#include "text/arena.h"

#include <string.h>

struct fnd_arena_block {
    fnd_arena_block *next;
    size_t size, used; /* bytes of the whole block, this header included */
};

fnd_arena fnd_arena_open(const fender_allocator *allocator, size_t block_size)
{
    return (fnd_arena){.allocator = *allocator, .block_size = block_size > 0 ? block_size : 16384};
}

void fnd_arena_close(fnd_arena *arena)
{
    while (arena->blocks) {
        fnd_arena_block *block = arena->blocks;
        arena->blocks = block->next;
        arena->allocator.release(arena->allocator.ctx, block, block->size);
    }
    arena->failed = false;
}

/* Where an aligned request would begin in the block; SIZE_MAX when it does not fit. */
static size_t place(const fnd_arena_block *block, size_t size, size_t alignment)
{
    uintptr_t free_address = (uintptr_t)block + block->used;
    size_t padding = (size_t)((alignment - free_address % alignment) % alignment);
    size_t left = block->size - block->used;
    return padding <= left && size <= left - padding ? block->used + padding : SIZE_MAX;
}

static fnd_arena_block *add_block(fnd_arena *arena, size_t size, size_t alignment)
{
    size_t extra = sizeof(fnd_arena_block) + alignment;
    if (size > SIZE_MAX / 2 || alignment > SIZE_MAX / 4) return NULL;
    size_t whole = size + extra > arena->block_size ? size + extra : arena->block_size;
    fnd_arena_block *block = arena->allocator.allocate(arena->allocator.ctx, whole, _Alignof(max_align_t));
    if (!block) return NULL;
    *block = (fnd_arena_block){arena->blocks, whole, sizeof(fnd_arena_block)};
    arena->blocks = block;
    return block;
}

void *fnd_arena_allocate(fnd_arena *arena, size_t size, size_t alignment)
{
    if (arena->failed) return NULL;
    fnd_arena_block *block = arena->blocks;
    size_t at = block ? place(block, size, alignment) : SIZE_MAX;
    if (at == SIZE_MAX) {
        block = add_block(arena, size, alignment);
        if (!block) {
            arena->failed = true;
            return NULL;
        }
        at = place(block, size, alignment);
    }
    block->used = at + size;
    void *memory = (char *)block + at;
    memset(memory, 0, size);
    return memory;
}

void *fnd_arena_array(fnd_arena *arena, size_t count, size_t size, size_t alignment)
{
    if (size > 0 && count > SIZE_MAX / size) {
        arena->failed = true;
        return NULL;
    }
    return fnd_arena_allocate(arena, count * size, alignment);
}

char *fnd_arena_copy(fnd_arena *arena, const char *text, size_t length)
{
    if (length == SIZE_MAX) {
        arena->failed = true;
        return NULL;
    }
    char *copy = fnd_arena_allocate(arena, length + 1, 1);
    if (copy && length > 0) memcpy(copy, text, length);
    return copy;
}

fnd_arena *fnd_arena_create(const fender_allocator *allocator)
{
    fnd_arena *arena = allocator->allocate(allocator->ctx, sizeof *arena, _Alignof(fnd_arena));
    if (arena) *arena = fnd_arena_open(allocator, 0);
    return arena;
}

void fnd_arena_destroy(fnd_arena *arena)
{
    if (!arena) return;
    const fender_allocator allocator = arena->allocator;
    fnd_arena_close(arena);
    allocator.release(allocator.ctx, arena, sizeof *arena);
}
