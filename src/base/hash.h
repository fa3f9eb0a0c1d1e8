/* 64-bit FNV-1a over bytes and numbers. */
#ifndef FND_BASE_HASH_H
#define FND_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FND_HASH_START 0xcbf29ce484222325u

static inline uint64_t fnd_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ b[i]) * 0x100000001b3u;
    return hash;
}
static inline uint64_t fnd_hash_u64(uint64_t hash, uint64_t value)
{
    for (int i = 0; i < 8; i++, value >>= 8) hash = (hash ^ (value & 0xff)) * 0x100000001b3u;
    return hash;
}
static inline uint64_t fnd_hash_double(uint64_t hash, double value)
{
    union {
        double d;
        uint64_t u;
    } bits = {value};
    return fnd_hash_u64(hash, bits.u);
}

#endif
