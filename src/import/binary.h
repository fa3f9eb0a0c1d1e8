/* Numbers out of bytes of either order. */
#ifndef FND_IMPORT_BINARY_H
#define FND_IMPORT_BINARY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t fnd_binary_bits(const unsigned char *b, int size, bool big)
{
    uint64_t bits = 0;
    for (int i = 0; i < size; i++) bits = bits << 8 | b[big ? i : size - 1 - i];
    return bits;
}
static inline uint32_t fnd_binary_uint32(const unsigned char *b, bool big)
{
    return (uint32_t)fnd_binary_bits(b, 4, big);
}
/* Two's complement. */
static inline int64_t fnd_binary_signed(const unsigned char *b, int size, bool big)
{
    uint64_t bits = fnd_binary_bits(b, size, big), sign = UINT64_C(1) << (8 * size - 1);
    return (bits & sign) ? -(int64_t)(~bits & (sign - 1)) - 1 : (int64_t)bits;
}
static inline double fnd_binary_float32(const unsigned char *b, bool big)
{
    uint32_t bits = fnd_binary_uint32(b, big);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}
static inline double fnd_binary_float64(const unsigned char *b, bool big)
{
    uint64_t bits = fnd_binary_bits(b, 8, big);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
