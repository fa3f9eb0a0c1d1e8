/* Memory of the io layers: arenas that are released all at once, and growable text. */
#include "support/memory.h"
#include "support/number.h"

#include <assert.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct fnd_arena_block {
    fnd_arena_block *next;
    size_t size, used; /* bytes of the whole block, this header included */
};

fnd_arena fnd_arena_open(const fender_allocator *allocator, size_t block_size)
{
    assert(allocator);
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

/* Not cleared. */
static void *take(fnd_arena *arena, size_t size, size_t alignment)
{
    assert(alignment > 0 && (alignment & (alignment - 1)) == 0);
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
    return (char *)block + at;
}

void *fnd_arena_allocate(fnd_arena *arena, size_t size, size_t alignment)
{
    void *memory = take(arena, size, alignment);
    return memory ? memset(memory, 0, size) : NULL;
}

void *fnd_arena_room(fnd_arena *arena, size_t size, size_t alignment) { return take(arena, size, alignment); }

void *fnd_arena_array(fnd_arena *arena, size_t count, size_t size, size_t alignment)
{
    assert(size > 0);
    if (size > 0 && count > SIZE_MAX / size) {
        arena->failed = true;
        return NULL;
    }
    return fnd_arena_allocate(arena, count * size, alignment);
}

char *fnd_arena_copy(fnd_arena *arena, const char *text, size_t length)
{
    assert(text || length == 0);
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

/* ---- Growable text on the host's allocator. */

fnd_buffer fnd_buffer_open(const fender_allocator *allocator) { return (fnd_buffer){.allocator = *allocator}; }

void fnd_buffer_close(fnd_buffer *buffer)
{
    if (buffer->text) buffer->allocator.release(buffer->allocator.ctx, buffer->text, buffer->capacity);
    *buffer = (fnd_buffer){.allocator = buffer->allocator};
}

void fnd_buffer_clear(fnd_buffer *buffer)
{
    buffer->length = 0;
    buffer->failed = false;
    if (buffer->text) buffer->text[0] = '\0';
}

const char *fnd_buffer_text(const fnd_buffer *buffer) { return buffer->text ? buffer->text : ""; }

static bool fail(fnd_buffer *buffer)
{
    buffer->failed = true;
    return false;
}

static bool buffer_grow(fnd_buffer *buffer, size_t more)
{
    assert(buffer->length <= buffer->capacity);
    if (buffer->failed) return false;
    if (more > SIZE_MAX / 4 || buffer->length > SIZE_MAX / 4) return fail(buffer);
    size_t need = buffer->length + more + 1;
    if (need <= buffer->capacity) return true;
    size_t capacity = buffer->capacity < 128 ? 128 : buffer->capacity * 2;
    if (capacity < need) capacity = need;
    char *text = buffer->allocator.allocate(buffer->allocator.ctx, capacity, 1);
    if (!text) return fail(buffer);
    if (buffer->text) {
        memcpy(text, buffer->text, buffer->length);
        buffer->allocator.release(buffer->allocator.ctx, buffer->text, buffer->capacity);
    }
    text[buffer->length] = '\0';
    buffer->text = text;
    buffer->capacity = capacity;
    return true;
}

/* Makes room for `more` bytes besides the terminator. */
static inline bool buffer_reserve(fnd_buffer *buffer, size_t more)
{
    return (!buffer->failed && more < buffer->capacity - buffer->length) || buffer_grow(buffer, more);
}

bool fnd_buffer_append(fnd_buffer *buffer, const char *bytes, size_t length)
{
    assert(bytes || length == 0);
    if (!buffer_reserve(buffer, length)) return false;
    if (length > 0) memcpy(buffer->text + buffer->length, bytes, length);
    buffer->length += length;
    buffer->text[buffer->length] = '\0';
    return true;
}

bool fnd_buffer_append_text(fnd_buffer *buffer, const char *text)
{
    assert(text);
    return fnd_buffer_append(buffer, text, strlen(text));
}

bool fnd_buffer_append_char(fnd_buffer *buffer, char c)
{
    if (!buffer_reserve(buffer, 1)) return false;
    buffer->text[buffer->length++] = c;
    buffer->text[buffer->length] = '\0';
    return true;
}

bool fnd_buffer_append_repeat(fnd_buffer *buffer, char c, size_t count)
{
    if (!buffer_reserve(buffer, count)) return false;
    memset(buffer->text + buffer->length, c, count);
    buffer->length += count;
    buffer->text[buffer->length] = '\0';
    return true;
}

bool fnd_buffer_append_number(fnd_buffer *buffer, double value)
{
    if (!buffer_reserve(buffer, FND_NUMBER_SIZE)) return false;
    buffer->length += (size_t)fnd_number_format(value, buffer->text + buffer->length, FND_NUMBER_SIZE);
    return true;
}

/* Prints twice at most: once to learn the length, once into the room made for it. */
bool fnd_buffer_appendf(fnd_buffer *buffer, const char *format, ...)
{
    assert(format);
    if (buffer->failed) return false;
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0) return fail(buffer);
    locale_t host = uselocale(c_locale);
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    char local[256];
    int length = vsnprintf(local, sizeof local, format, arguments);
    bool done = length >= 0;
    if (done && (size_t)length < sizeof local) {
        done = fnd_buffer_append(buffer, local, (size_t)length);
    } else if (done && (done = buffer_reserve(buffer, (size_t)length))) {
        vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
    uselocale(host);
    freelocale(c_locale);
    return done ? true : fail(buffer);
}
