/* 64-bit FNV-1a over bytes: one changed byte always changes it. */
#ifndef FND_TEXT_HASH_H
#define FND_TEXT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FND_TEXT_HASH_START 0xcbf29ce484222325u

static inline uint64_t fnd_text_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ b[i]) * 0x100000001b3u;
    return hash;
}

#endif
