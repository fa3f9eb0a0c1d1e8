/* Sets of up to 64 things as bits of a word. */
#ifndef FND_BASE_BITS_H
#define FND_BASE_BITS_H

#include <assert.h>
#include <stdint.h>

/* Number of the lowest bit that is set; there is one. */
static inline int fnd_lowest_bit(uint64_t bits)
{
    assert(bits != 0);
#if defined __GNUC__
    return __builtin_ctzll(bits);
#else
    int i = 0;
    while (!(bits >> i & 1)) i++;
    return i;
#endif
}

#endif
