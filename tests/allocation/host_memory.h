/* A host's allocator for tests: counts what it gives, refuses on demand, knows at the end what did not come back. */
#ifndef TEST_ALLOCATION_HOST_MEMORY_H
#define TEST_ALLOCATION_HOST_MEMORY_H

#include <fender/base.h>

typedef struct host_memory {
    long calls;      /* of allocate */
    long fail_at;    /* that call is refused; 0: none */
    bool fail_all;   /* and every later one */
    bool inside;     /* while malloc or free is called for the library */
    long live;       /* blocks that did not come back */
    long long bytes; /* in them, by the sizes that the library says */
} host_memory;

/* An environment over malloc and free whose allocator is this one. */
fender_env host_memory_env(host_memory *memory);
/* Counts calls from zero; the call `fail_at` is refused. */
void host_memory_arm(host_memory *memory, long fail_at, bool fail_all);

#endif
