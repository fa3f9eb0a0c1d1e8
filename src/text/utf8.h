/* UTF-8: validity and counting of characters. */
#ifndef FND_TEXT_UTF8_H
#define FND_TEXT_UTF8_H

#include <stddef.h>

/* Bytes of the character at the start of text (1 to 4), 0 when there is none: empty, cut off, overlong, a surrogate, or
 * beyond U+10FFFF. */
size_t fnd_utf8_character(const char *text, size_t length);
/* Characters in text; a byte that belongs to none counts as one. */
size_t fnd_utf8_count(const char *text, size_t length);
/* The largest part of the first `limit` bytes of text that ends between characters. */
size_t fnd_utf8_fit(const char *text, size_t length, size_t limit);

#endif
