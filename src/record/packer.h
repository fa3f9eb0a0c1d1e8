/* Chunks of columns made small, as HDF5's filters shuffle and deflate do it. Not for builds without HDF5. */
#ifndef FND_RECORD_PACKER_H
#define FND_RECORD_PACKER_H

#include "text/arena.h"

#include <zlib.h>

/* Numbers of a simulation hardly shrink more at the higher levels, which cost twice as much. */
enum { FND_PACK_LEVEL = 1 };

typedef struct fnd_packer {
    z_stream stream;
    unsigned char *shuffled, *packed;
} fnd_packer;

/* For chunks of up to so many bytes. All memory is the arena's, taken here; there is nothing to close. */
bool fnd_packer_open(fnd_packer *packer, fnd_arena *arena, size_t size);
/* Values of `width` bytes each: how many bytes `packed` holds of them then; 0: they do not shrink. */
size_t fnd_pack(fnd_packer *packer, const char *values, size_t count, size_t width);

#endif
