/* An allocator that counts what is live at most, and the rule that imports keep: memory within a multiple of the size
 * of the file. */
#ifndef FND_TEST_BOUNDED_H
#define FND_TEST_BOUNDED_H

#include <fender/mesh_file.h>
#include <stdlib.h>

/* The most is a text of polygons with one digit for a corner: `f 1 2 3` takes 2 bytes a corner; corners, sizes,
 * triangles with their neighbours and tables take some 80 bytes for each. Lists of one byte in PLY: 1 byte a corner. */
#define BYTES_PER_BYTE 200
#define BYTES_BESIDES  (1 << 20)

typedef struct bounded {
    size_t live, most, refuse_above;
    long blocks;
} bounded;

static inline void *bounded_allocate(void *ctx, size_t size, size_t alignment)
{
    bounded *b = ctx;
    (void)alignment;
    if (b->refuse_above > 0 && size > b->refuse_above) return NULL;
    void *memory = malloc(size);
    if (!memory) return NULL;
    b->live += size;
    b->blocks++;
    if (b->live > b->most) b->most = b->live;
    return memory;
}
static inline void bounded_release(void *ctx, void *memory, size_t size)
{
    bounded *b = ctx;
    b->live -= size;
    b->blocks--;
    free(memory);
}
static inline fender_env bounded_env(bounded *b)
{
    *b = (bounded){0};
    return (fender_env){{bounded_allocate, bounded_release, b}, NULL, NULL};
}
static inline size_t bounded_limit(size_t length) { return BYTES_PER_BYTE * length + BYTES_BESIDES; }

#endif
