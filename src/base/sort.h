/* Stable merge sort: order is data, the same on every machine. */
#ifndef FND_BASE_SORT_H
#define FND_BASE_SORT_H

#include <stdint.h>

typedef struct fnd_sort_real {
    double key;
    uint32_t index;
} fnd_sort_real;

/* Rising keys; equal keys keep their order. `scratch` holds as many elements. */
void fnd_sort_by_real(fnd_sort_real *items, fnd_sort_real *scratch, int count);
void fnd_sort_by_key(uint64_t *items, uint64_t *scratch, int count);

#endif
