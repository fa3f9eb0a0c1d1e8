/* Memory of the host's allocator: single objects and growable arrays, each failure reported, never fatal. */
#ifndef FND_BASE_MEMORY_H
#define FND_BASE_MEMORY_H

#include <fender/base.h>

/* size 0 gives NULL without a call. New memory is cleared. */
void *fnd_allocate(const fender_env *env, size_t size);
/* NULL is fine; `size` as it was asked for. */
void fnd_release(const fender_env *env, void *memory, size_t size);

/* Makes room for `count` elements of `size` bytes in *memory that holds *capacity: new elements are cleared, old ones
 * moved. On failure nothing has changed. */
bool fnd_reserve(const fender_env *env, void **memory, int *capacity, int count, size_t size);
/* The same with growth by halves, for appending one. */
bool fnd_reserve_one_more(const fender_env *env, void **memory, int *capacity, int count, size_t size);
/* A copy of a text, or NULL. Freed with fnd_text_release. */
char *fnd_text_copy(const fender_env *env, const char *text);
void fnd_text_release(const fender_env *env, char *text);

#endif
