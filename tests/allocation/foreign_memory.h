/* malloc and its kin as the linked libraries call them (libyaml with them): counted, refused on demand. The linker puts
 * these in their places (--wrap). */
#ifndef TEST_ALLOCATION_FOREIGN_MEMORY_H
#define TEST_ALLOCATION_FOREIGN_MEMORY_H

#include "host_memory.h"

typedef struct foreign_memory {
    const host_memory *host; /* calls on its behalf do not count here */
    bool watching;
    long calls, fail_at;
    bool fail_all;
    long live;
} foreign_memory;
extern foreign_memory foreign;

/* Counts calls from zero; the call `fail_at` is refused (0: none). */
void foreign_memory_arm(long fail_at, bool fail_all);
/* From here on calls go through uncounted. */
void foreign_memory_rest(void);

#endif
