/* Shuffle and deflate. */
#ifdef FENDER_WITH_HDF5

#include "record/packer.h"

/* Chunks are small: a window of 8 kB, and tables that are soon cleared. */
enum { WINDOW = 13, TABLES = 5 };

static voidpf take_memory(voidpf arena, uInt count, uInt size) { return fnd_arena_array(arena, count, size, 16); }
static void leave_memory(voidpf arena, voidpf memory) { (void)arena, (void)memory; }

bool fnd_packer_open(fnd_packer *packer, fnd_arena *arena, size_t size)
{
    packer->shuffled = FND_ARENA_NEW_ARRAY(arena, unsigned char, size);
    packer->packed = FND_ARENA_NEW_ARRAY(arena, unsigned char, size);
    packer->stream = (z_stream){.zalloc = take_memory, .zfree = leave_memory, .opaque = arena};
    return packer->shuffled && packer->packed &&
           deflateInit2(&packer->stream, FND_PACK_LEVEL, Z_DEFLATED, WINDOW, TABLES, Z_DEFAULT_STRATEGY) == Z_OK;
}

/* The first bytes of all values, then the second ones: what is alike comes together. */
static void shuffle(const char *values, size_t count, size_t width, unsigned char *to)
{
    for (size_t k = 0; k < width; k++) {
        const char *from = values + k;
        for (size_t i = 0; i < count; i++, from += width) *to++ = (unsigned char)*from;
    }
}

size_t fnd_pack(fnd_packer *packer, const char *values, size_t count, size_t width)
{
    z_stream *z = &packer->stream;
    shuffle(values, count, width, packer->shuffled);
    const uInt size = (uInt)(count * width), room = size - 1;
    z->next_in = packer->shuffled;
    z->avail_in = size;
    z->next_out = packer->packed;
    z->avail_out = room;
    return deflateReset(z) == Z_OK && deflate(z, Z_FINISH) == Z_STREAM_END ? room - z->avail_out : 0;
}

#else

typedef int fnd_packer_is_not_built;

#endif
