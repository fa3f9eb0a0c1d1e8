/* Counts every allocation of the process, those inside the C library included. */
#ifndef TEST_ALLOCATION_PROCESS_MEMORY_H
#define TEST_ALLOCATION_PROCESS_MEMORY_H

/* Call once, first. */
void process_memory_start(void);
/* Calls of malloc, calloc, realloc, aligned_alloc and the like so far. */
long process_memory_count(void);

#endif
