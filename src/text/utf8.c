/* UTF-8: validity and counting of characters. */
#include "text/utf8.h"

size_t fnd_utf8_character(const char *text, size_t length)
{
    if (length == 0) return 0;
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = bytes[0];
    if (first < 0x80) return 1;
    size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || length < size) return 0;
    for (size_t i = 1; i < size; i++)
        if ((bytes[i] & 0xC0) != 0x80) return 0;
    if (first == 0xE0 && bytes[1] < 0xA0) return 0;
    if (first == 0xED && bytes[1] > 0x9F) return 0;
    if (first == 0xF0 && bytes[1] < 0x90) return 0;
    if (first == 0xF4 && bytes[1] > 0x8F) return 0;
    return size;
}

size_t fnd_utf8_count(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t at = 0; at < length; count++) {
        size_t size = fnd_utf8_character(text + at, length - at);
        at += size > 0 ? size : 1;
    }
    return count;
}

size_t fnd_utf8_fit(const char *text, size_t length, size_t limit)
{
    if (length <= limit) return length;
    size_t at = 0;
    for (;;) {
        size_t size = fnd_utf8_character(text + at, length - at);
        if (size == 0) size = 1;
        if (at + size > limit) return at;
        at += size;
    }
}
