/* Random fast and thin encounters of two bodies: is every touch seen that a finely stepped free flight has? */
#ifndef TEST_ENCOUNTERS_H
#define TEST_ENCOUNTERS_H

#include <stdint.h>

/* Prints those whose touch was not seen; returns how many. *touches: how many touched. */
int encounters_missed(uint64_t first, int count, int *touches);

#endif
