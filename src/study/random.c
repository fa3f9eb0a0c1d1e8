/* Counter-based random numbers, permutations, scrambled Sobol points. */
#include "study/random.h"

/* What a number is for: the same place never serves twice. */
enum { FOR_UNIFORM, /* fnd_uniform */ FOR_PERMUTATION, FOR_SCRAMBLE, FOR_ORDER };

/* A Feistel network over the next even power of two, walked until it falls below count. */
uint64_t fnd_permuted(uint64_t seed, uint32_t stream, uint64_t index, uint64_t count)
{
    unsigned half = 1;
    while (half < 31 && (UINT64_C(1) << (2 * half)) < count) half++;
    uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = index >> half, right = index & mask;
        for (uint32_t round = 0; round < 8; round++) {
            uint32_t out[4];
            fnd_draw(seed, FOR_PERMUTATION, stream, right ^ ((uint64_t)(round + 1) << 40), out);
            uint64_t next = left ^ (out[0] & mask);
            left = right;
            right = next;
        }
        index = (left << half) | right;
    } while (index >= count);
    return index;
}

int fnd_morris_start(uint64_t seed, int64_t trajectory, int variable, int levels)
{
    return (int)(fnd_uniform(seed, (uint32_t)variable, (uint64_t)trajectory) * levels);
}

/* By a random key for each variable: all orders are equally likely. */
int fnd_morris_place(uint64_t seed, int64_t trajectory, int variable, int count)
{
    uint32_t own[4], out[4];
    int place = 0;
    fnd_draw(seed, FOR_ORDER, (uint32_t)variable, (uint64_t)trajectory, own);
    for (int i = 0; i < count; i++) {
        fnd_draw(seed, FOR_ORDER, (uint32_t)i, (uint64_t)trajectory, out);
        place += out[0] < own[0] || (out[0] == own[0] && i < variable);
    }
    return place;
}

/* S. Joe and F. Y. Kuo, Constructing Sobol sequences with better two-dimensional projections, SIAM J. Sci. Comput. 30
 * (2008); dimensions 2 to 32 of new-joe-kuo-6: degree, coefficients, initial numbers. */
static const uint8_t directions[FND_SOBOL_DIMENSIONS - 1][9] = {
    {1, 0, 1},
    {2, 1, 1, 3},
    {3, 1, 1, 3, 1},
    {3, 2, 1, 1, 1},
    {4, 1, 1, 1, 3, 3},
    {4, 4, 1, 3, 5, 13},
    {5, 2, 1, 1, 5, 5, 17},
    {5, 4, 1, 1, 5, 5, 5},
    {5, 7, 1, 1, 7, 11, 19},
    {5, 11, 1, 1, 5, 1, 1},
    {5, 13, 1, 1, 1, 3, 11},
    {5, 14, 1, 3, 5, 5, 31},
    {6, 1, 1, 3, 3, 9, 7, 49},
    {6, 13, 1, 1, 1, 15, 21, 21},
    {6, 16, 1, 3, 1, 13, 27, 49},
    {6, 19, 1, 1, 1, 15, 7, 5},
    {6, 22, 1, 3, 1, 15, 13, 25},
    {6, 25, 1, 1, 5, 5, 19, 61},
    {7, 1, 1, 3, 7, 11, 23, 15, 103},
    {7, 4, 1, 3, 7, 13, 13, 15, 69},
    {7, 7, 1, 1, 3, 13, 7, 35, 63},
    {7, 8, 1, 3, 5, 9, 1, 25, 53},
    {7, 14, 1, 3, 1, 13, 9, 35, 107},
    {7, 19, 1, 3, 1, 5, 27, 61, 31},
    {7, 21, 1, 1, 5, 11, 19, 41, 61},
    {7, 28, 1, 3, 5, 3, 3, 13, 69},
    {7, 31, 1, 1, 7, 13, 1, 19, 1},
    {7, 32, 1, 3, 7, 5, 13, 19, 59},
    {7, 37, 1, 1, 3, 9, 25, 29, 41},
    {7, 41, 1, 3, 5, 13, 23, 1, 55},
    {7, 42, 1, 3, 7, 3, 13, 59, 17},
};

static uint32_t sobol_bits(int dimension, uint32_t index)
{
    uint32_t v[32], bits = 0;
    for (int i = 0; i < 32; i++) v[i] = UINT32_C(1) << (31 - i);
    if (dimension > 0) {
        const uint8_t *row = directions[dimension - 1];
        int degree = row[0];
        for (int i = 0; i < degree; i++) v[i] = (uint32_t)row[2 + i] << (31 - i);
        for (int i = degree; i < 32; i++) {
            v[i] = v[i - degree] ^ (v[i - degree] >> degree);
            for (int j = 1; j < degree; j++)
                if ((row[1] >> (degree - 1 - j)) & 1) v[i] ^= v[i - j];
        }
    }
    for (int i = 0; index; i++, index >>= 1)
        if (index & 1) bits ^= v[i];
    return bits;
}

double fnd_sobol(uint64_t seed, int dimension, uint32_t index)
{
    uint32_t bits = sobol_bits(dimension, index), scrambled = 0, out[4];
    /* Owen's nested scrambling: whether a bit turns depends on all bits above it. */
    for (int i = 0; i < 32; i++) {
        uint32_t above = i == 0 ? 0 : bits >> (32 - i);
        fnd_draw(seed, FOR_SCRAMBLE, (uint32_t)dimension, ((uint64_t)(i + 1) << 32) | above, out);
        scrambled |= (((bits >> (31 - i)) ^ out[0]) & 1u) << (31 - i);
    }
    return ((double)scrambled + 0.5) / 4294967296.0;
}
