/* Memory of the host's allocator: single objects and growable arrays, each failure reported, never fatal. A stable
 * sort of arrays. */
#ifndef FND_BASE_MEMORY_H
#define FND_BASE_MEMORY_H

#include <fender/base.h>
#include <stdint.h>

/* size 0 gives NULL without a call. New memory is cleared. */
void *fnd_allocate(const fender_env *env, size_t size);
/* NULL is fine; `size` as it was asked for. */
void fnd_release(const fender_env *env, void *memory, size_t size);

/* Makes room for `count` elements of `size` bytes in *memory that holds *capacity. If there is not enough, the first
 * `kept` elements are moved, and all others are cleared. On failure nothing has changed. */
bool fnd_reserve(const fender_env *env, void **memory, int *capacity, int kept, int count, size_t size);
/* The same with growth by halves, for appending one. */
bool fnd_reserve_one_more(const fender_env *env, void **memory, int *capacity, int count, size_t size);
/* A copy of a text, or NULL. Freed with fnd_text_release. */
char *fnd_text_copy(const fender_env *env, const char *text);
void fnd_text_release(const fender_env *env, char *text);

/* ---- Sorting: order is data, the same on every machine ---- */

typedef struct fnd_sort_real {
    double key;
    uint32_t index;
} fnd_sort_real;

/* Rising keys; equal keys keep their order. `scratch` holds as many elements. */
void fnd_sort_by_real(fnd_sort_real *items, fnd_sort_real *scratch, int count);
void fnd_sort_by_key(uint64_t *items, uint64_t *scratch, int count);

#endif
