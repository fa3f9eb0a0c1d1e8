/* One walk over plain data for writing it and for reading it back. */
#ifndef FND_RUN_WALK_H
#define FND_RUN_WALK_H

#include "support/memory.h"

#include <string.h>

typedef struct fnd_walk {
    fnd_buffer *to; /* NULL: reading */
    const char *from;
    size_t at, size;
    bool failed; /* reading: the bytes do not fit */
} fnd_walk;

static inline void fnd_walk_bytes(fnd_walk *w, void *memory, size_t size)
{
    if (w->to) {
        fnd_buffer_append(w->to, memory, size);
        return;
    }
    w->failed = w->failed || size > w->size - w->at;
    if (w->failed) return;
    if (size > 0) memcpy(memory, w->from + w->at, size);
    w->at += size;
}
#define FND_WALK(w, object) fnd_walk_bytes((w), &(object), sizeof(object))

/* A bool may hold two values alone, whatever the bytes say. */
static inline void fnd_walk_flag(fnd_walk *w, bool *flag)
{
    unsigned char byte = *flag;
    FND_WALK(w, byte);
    *flag = byte != 0;
}

/* A number from `low` to `high`. */
static inline void fnd_walk_int(fnd_walk *w, int *number, int low, int high)
{
    int value = *number;
    FND_WALK(w, value);
    w->failed = w->failed || value < low || value > high;
    if (!w->failed) *number = value;
}

#endif
